"""The instructor's page of a part: one HTML file that needs nothing beside it.

Its text stands in the templates. Whatever they put into the page goes through `said`, which leaves nothing that a
browser could take for more than text, and is then escaped: nobody who writes a template has to think of either.
"""

import functools

from grader.classroom.report import markup
from grader.classroom.report.style import SCRIPT, STYLE

HEADINGS = {
    "tomorrow": "In class tomorrow",
    "standing": "Where the class stands",
    "mistakes": "What the class misunderstands",
    "unnamed": "Failed without a name",
    "marks": "Marks",
    "look": "Worth a look",
    "times": "Time",
}
LIMITS = {
    "LONGEST_NAME": 60,
    "NAMES_SHOWN": 4,  # in a line; more are folded
    "PEOPLE_SHOWN": 10,  # in a list; more are folded
    "MISTAKES_SHOWN": 6,  # in an exercise; more are folded
    "SENTENCES": 12,  # about one notebook
    "SLOWEST": 5,
    "GROUPS_SHOWN": 12,
    "FOR_QUARTILES": markup.FOR_QUARTILES,
}
STATES = {
    "full": "full marks",
    "part": "some points",
    "none": "no points",
    "skipped": "not attempted",
    "unjudged": "no verdict",
}


def page(summary, by_hand, link, csv, without_record=(), late=None, people=None):
    """The page as text; the same arguments give the same text.

    Parameters
    ----------
    summary : ClassSummary
    by_hand : dict of str to float
        The points that a person gave, by student.
    link : callable
        Takes a student, a notebook and an exercise's id ("" for none); returns the address, relative to the page, of
        the feedback on it, or "".
    csv : str
        Address of the table of marks.
    without_record : sequence of str
        Students who handed in but are not in the summary.
    late : dict of str to Lateness, optional
        How late each student is, where something is due.
    people : dict of str to Person, optional
        What students are called, where it is known.

    Returns
    -------
    str
    """
    records = summary.records
    students = [record.student for record in records]
    given = [by_hand[student] for student in students if student in by_hand]
    late = late or {}
    timed = [_timed(record) for record in records if not record.stopped]
    return page_template().render(
        title=markup.part_title(summary.part),
        summary=summary,
        outline=summary.outline,
        records=records,
        place={student: i for i, student in enumerate(students)},
        anchor={exercise.id: f"ex{i}" for i, exercise in enumerate(summary.exercises)},
        states={
            name: words
            for name, words in STATES.items()
            if name != "unjudged" or any(one.unjudged for one in summary.exercises)
        },
        bars=markup.histogram([record.points for record in records], summary.full_marks, summary.quartiles),
        by_hand=by_hand,
        given=given,
        # A person can change automatic points as well, in a part without written questions.
        given_shown=bool(given) and (bool(summary.written_points) or any(given)),
        unmarked=[student for student in students if student not in by_hand],
        outside=[record.student for record in records if not record.sandboxed],
        without_record=without_record,
        missing=_missing(records),
        unjudged=[record for record in records if _reasons(record)],
        ended=sorted(timed, key=lambda one: -one["seconds"][0]),
        halted=[_timed(record) for record in records if record.stopped],
        link=link,
        csv=csv,
        late=late,
        called={student: person.name for student, person in (people or {}).items()},
        late_shown=any(one.days for one in late.values()),
        untimed=[student for student in students if student in late and late[student].handed_in is None],
    )


@functools.cache
def page_template():
    # A command that writes no report does not wait for it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("grader.classroom.report", "."),
        autoescape=True,
        finalize=markup.said,
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= markup.FILTERS
    templates.globals |= LIMITS | {
        "HEADINGS": HEADINGS,
        "PERSONAL": ("unnamed", "marks", "look", "times"),
        "style": markup.ours(STYLE),
        "script": markup.ours(SCRIPT),
        "reasons": _reasons,
        "why": _why,
    }
    return templates.get_template("page.html.jinja")


def _missing(records):
    """Who did not hand in each notebook that somebody did not hand in."""
    missing = {}
    for record in records:
        for name, notebook in record.notebooks.items():
            if notebook.status == "missing":
                missing.setdefault(name, []).append(record.student)
    return dict(sorted(missing.items()))


def _reasons(record):
    """The exercises of a submission that have no verdict, by reason."""
    reasons = {}
    for notebook in record.notebooks.values():
        if notebook.status not in ("graded", "missing"):
            continue  # its failure says why none of its exercises has a verdict
        for result in notebook.exercises:
            if result.unjudged:
                reasons.setdefault(result.reason, []).append(result.id)
    return reasons


def _why(notebook):
    """What to say of a notebook that was not graded and has no failures: the reason that its exercises have."""
    if notebook.status in ("graded", "missing"):
        return []
    return list(dict.fromkeys(one.reason for one in notebook.exercises if one.reason)) or ["not graded"]


def _timed(record):
    """A student, and the seconds: in all, in their own code, the judge's, and the rest."""
    seconds = record.seconds
    total = sum(seconds.values())
    learner = seconds.get("learner", 0.0) + seconds.get("calls", 0.0)
    judge = seconds.get("judge", 0.0)
    return {"student": record.student, "seconds": (total, learner, judge, max(total - learner - judge, 0.0))}
