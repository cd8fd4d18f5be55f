"""The bank of exercises: a folder a part, in it a folder a notebook, in it a file an exercise.

The `__init__.py` of a notebook names its EXERCISES in their order, and may have SLIPS: the words of mistakes that
several of them know, where the id alone stands for them. What else they have in common is in `shared.py`.
"""

import importlib
import pkgutil
import sys


def name_of(folder):
    """What a part or notebook is called where a name may begin with a digit: n3_softmax is 3-softmax."""
    return folder[folder[1:2].isdigit() :].replace("_", "-")


def _packages(package):
    """The packages in a package; their names put them in teaching order."""
    found = sorted(each.name for each in pkgutil.iter_modules(package.__path__) if each.ispkg)
    return [importlib.import_module(f"{package.__name__}.{name}") for name in found]


def _exercise(module, exercise_id):
    """The exercise of that id, from the module that bears its name."""
    exercise = getattr(importlib.import_module(module), module.rpartition(".")[2])
    if exercise.id != exercise_id:
        raise ValueError(f"{module} holds the exercise {exercise.id}, not {exercise_id}")
    return exercise


_NOTEBOOKS = [notebook for part in _packages(sys.modules[__name__]) for notebook in _packages(part)]

#: The name of the module of each exercise, by its id, in teaching order.
MODULES = {name: f"{each.__name__}.{name.replace('-', '_')}" for each in _NOTEBOOKS for name in each.EXERCISES.split()}
#: Where a learner has each exercise, by its id, in teaching order: part/notebook.
PLACES = {name: "/".join(map(name_of, module.split(".")[-3:-1])) for name, module in MODULES.items()}
#: Each exercise by its id, in teaching order.
BANK = {name: _exercise(module, name) for name, module in MODULES.items()}
#: The exercises of each notebook, in teaching order.
NOTEBOOKS = {
    name_of(each.__name__.rpartition(".")[2]): tuple(BANK[name] for name in each.EXERCISES.split())
    for each in _NOTEBOOKS
}
if len(BANK) < sum(map(len, NOTEBOOKS.values())):
    raise ValueError("two exercises have the same id")
