"""An answer -> a verdict: `check` (what a notebook calls), `judge`, `answer` (calling a learner's code), `compare`,
`diagnose` (the name of the mistake) and `verdict` (what people read).
"""
