"""Downloads of a learning platform, in the making, and what became of them."""

import io
import zipfile

from courseware import ROOT
from traitlets.config import Config

from grader.classroom.course import Course

PART, OTHER = "1-context-vectors", "2-three-views"
SOFTMAX = (ROOT / "notebooks" / PART / "3-softmax.ipynb").read_bytes()
EMBEDDINGS = (ROOT / "notebooks" / PART / "1-embeddings.ipynb").read_bytes()
KERNELS = (ROOT / "notebooks" / OTHER / "2-kernel-machines.ipynb").read_bytes()
BARE = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
DATE = (2026, 11, 20, 10, 11, 12)


def course_in(folder):
    """A course with the real source notebooks and an empty folder for grading."""
    config = Config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.source_directory = str(ROOT / "solutions")
    config.CourseDirectory.submitted_directory = "grading/submitted"
    folder.mkdir()
    return Course(config)


def zipped(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            entry = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name, DATE)
            entry.compress_type = entry.compress_type or zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)
    return data.getvalue()


def there(course):
    """Return what lies in grading/submitted, by its path there; times left out."""
    top = course.grading / "submitted"
    found = {path.relative_to(top).as_posix(): path for path in sorted(top.rglob("*")) if not path.is_dir()}
    return {name: path.read_bytes() for name, path in found.items() if not name.endswith("timestamp.txt")}


def everything(course):
    """Return all files below grading/ with their contents and the times when they were changed."""
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in course.grading.rglob("*") if path.is_file()}


def why(collected):
    return dict(collected.refused)


GOOD = {"good/3-softmax.ipynb": SOFTMAX}
