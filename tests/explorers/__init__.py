"""What the tests of the explorers try, an explorer a module: `build`, `states`, `numbers`.

build()               the explorer, as its notebook shows it
states(data, rng)     some states of it, apart from the first
numbers(data, state)  what its script computes, computed by attnlib
"""

import importlib
import pkgutil

EXPLORERS = {one.name: importlib.import_module(f"explorers.{one.name}") for one in pkgutil.iter_modules(__path__)}
