"""On a machine of the cluster: what a Dask worker does for the command that grades the class on another one.

A submission comes as bytes and is laid out in a private folder, which goes again; what comes back is of the plain types
of `grader.classroom.marking.submission`. Of what a submission holds or sends, nothing is ever unpickled.
"""

import functools
import pickle
from dataclasses import dataclass

from grader.classroom.marking import workers
from grader.classroom.marking.edition import edition
from grader.classroom.marking.parcel import unpack
from grader.errors import CourseError

#: How many plans are kept: commands that grade at the same time have one each.
MOST_PLANS = 4
_plans = {}


@dataclass(frozen=True)
class Unfit:
    """Why this worker cannot grade; for a person."""

    why: str


@dataclass(frozen=True)
class NoPlan:
    """The worker does not know the plan, or not any more."""


def fitness(expected, sandboxed, limits):
    """None if this worker can grade for whoever has the `expected` edition, with its sandbox warm; or an `Unfit`."""
    if edition() != expected:
        return Unfit(f"its copy of the course is {edition()}, and here it is {expected}; put the same on both")
    try:
        workers.ready(sandboxed, limits)
    except CourseError as problem:
        return Unfit(str(problem))
    return None


def grade_parcel(expected, name, plan, parcel):
    """Grade a submission that came as a parcel.

    Parameters
    ----------
    expected : str
        The edition of whoever asks.
    name : str
        The plan's.
    plan : bytes or None
        The plan, pickled; None where this worker should know it.
    parcel : list of grader.classroom.marking.parcel.Entry

    Returns
    -------
    grader.classroom.marking.submission.Piece, Unfit or NoPlan
    """
    from grader.classroom.marking.submission import grade_notebooks
    from grader.classroom.sandbox.warm import private_folder

    if edition() != expected:  # a worker that has come back under the same address
        return fitness(expected, True, None)
    if plan is not None:
        while len(_plans) >= MOST_PLANS:
            del _plans[next(iter(_plans))]
        _plans[name] = pickle.loads(plan)
    if name not in _plans:
        return NoPlan()
    plan = _plans[name]
    runner = functools.partial(workers.own_runner, plan.sandboxed, plan.limits)
    try:
        with workers.bounded_memory(), private_folder() as top:
            unpack(parcel, top / plan.part)
            return grade_notebooks(plan, top / plan.part, plan.released, runner)
    except CourseError as problem:  # of this machine: a full disk, a sandbox that has gone
        return Unfit(str(problem))
