"""Which copy of the course grades: two that say the same give the same marks."""

import functools
import hashlib
import platform
from pathlib import Path

import numpy as np

import attnlib
import grader


@functools.cache  # what is imported stays, whatever becomes of the files
def edition():
    """What the marks that this process gives depend on: the course, with its data, and what it counts with."""
    digest = hashlib.sha256()
    for package in (Path(grader.__file__).parent, Path(attnlib.__file__).parent):
        for path in sorted([*package.rglob("*.py"), *package.glob("data/*")]):
            digest.update(f"\n{path.relative_to(package.parent).as_posix()}\n".encode() + path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{digest.hexdigest()[:12]} with Python {python} and NumPy {np.__version__}"
