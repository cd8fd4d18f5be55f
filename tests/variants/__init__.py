"""Answers to the exercises as people write them: a file an exercise, in the folders of `grader/exercises`.

`VARIANTS` are right answers in unusual styles; `WRONG` are wrong ones, each with the mistake that the judge should
name, or None. The numbers in a notebook's prose are `NUMBERS` in its folder's `prose.py`.
"""

import importlib
from importlib.util import find_spec

from grader.exercises import MODULES


def module_of(exercise_id):
    """The name of the module with the answers to an exercise, whether there is one or not."""
    return MODULES[exercise_id].replace("grader.exercises", __name__)


def handwritten(exercise_id, kind):
    """The list of an exercise's answers of that kind; empty where nobody has written any."""
    name = module_of(exercise_id)
    return getattr(importlib.import_module(name), kind, []) if find_spec(name) else []
