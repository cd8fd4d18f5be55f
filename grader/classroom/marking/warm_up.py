"""Imported by the process that local workers are forked from: what each of them would have to do for itself."""

from grader import quick

with quick.importing():
    import grader.classroom.repair
    import grader.classroom.running.runner  # noqa: F401
