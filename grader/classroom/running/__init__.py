"""Running a submitted notebook in the sandbox, and judging its answers from outside.

`runner` runs a notebook's cells in their order; `checks` reads check cells, and writes what they show; `far_answer` is
an answer in another process, for the judge; `line` is what is said to that process; `outputs` takes what a cell shows,
within limits. Nothing is drawn: no mark depends on a picture.
"""
