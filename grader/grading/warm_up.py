"""Imported by the process that local workers are forked from: what each of them would have to do for itself."""

from grader import quick

with quick.importing():
    quick.import_nbformat()

    import grader.repair
    import grader.running.runner  # noqa: F401
