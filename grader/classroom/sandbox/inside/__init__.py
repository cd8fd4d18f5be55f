"""What runs inside the sandbox; with `grader.judging.answer`, all of the course's grading that a notebook could see.

`zygote` is one warm process, from which each notebook gets a fork of its own in fresh namespaces; `session` runs cells
and answers probes; `shell` is IPython without a kernel; `wire` is what the two sides say to each other, and the judge's
side uses it too. `stub` is what a notebook finds under the name `grader`.
"""
