"""Gradescope's export: folders that are numbered, and a file beside them that says whose each of them is."""

import contextlib
import re
from dataclasses import dataclass
from datetime import datetime

from grader.classroom.collect.lms_names import any_time
from grader.classroom.collect.unpack import MEGABYTE, UNREADABLE, Refused, megabytes

METADATA = "submission_metadata.yml"
SUBMISSION = re.compile(r"submission_\d{1,20}")
LARGEST = 16 * MEGABYTE  # it may hold what Gradescope's own graders said


@dataclass(frozen=True)
class Submission:
    """Whose a folder is.

    Attributes
    ----------
    identity : str
        The student's name and number; of a group, all of them, since it hands in as one.
    people : int
    when : datetime or None
        When it was handed in, in UTC.
    """

    identity: str
    people: int
    when: datetime | None


def metadata_of(entries):
    """Gradescope's file among others, or None: the one that lies least deep, as it lies beside what students made."""
    found = sorted((entry for entry in entries if entry.name == METADATA), key=lambda entry: len(entry.path))
    if not found or (len(found) > 1 and len(found[0].path) == len(found[1].path)):
        return None
    return found[0]


def read_metadata(entry):
    """What Gradescope's file says, by the names of folders.

    Parameters
    ----------
    entry : Entry

    Returns
    -------
    dict of str to Submission
        Those that are in order.

    Raises
    ------
    Refused
        If it cannot be read.
    """
    import yaml  # it takes a while, and hardly anybody needs it

    try:
        with entry.open() as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Refused(f"it is larger than {megabytes(LARGEST)}")
        # Both make nothing but plain values; the one in C does so in a tenth of the time.
        content = yaml.load(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (*UNREADABLE, yaml.YAMLError, RecursionError) as problem:
        why = str(problem).split("\n")[0] if isinstance(problem, Refused) else "it is no YAML, or damaged"
        raise Refused(why) from None
    if not isinstance(content, dict):
        raise Refused("it holds no list of submissions")
    found = {}
    for name, about in content.items():
        if SUBMISSION.fullmatch(str(name)):
            with contextlib.suppress(TypeError, AttributeError):
                found[str(name)] = _submission(_plain(about), str(name))
    return {name: one for name, one in found.items() if one.identity}


def _submission(about, folder):
    people = [_identity(_plain(person), folder) for person in about["submitters"]] if about.get("submitters") else []
    created = about.get("created_at")
    # The same people are the same group, whoever of them has sent the files.
    return Submission(" and ".join(sorted(people)), len(people), any_time(created))


def _identity(person, folder):
    """A name and a number, as other platforms write them; by the name alone, two would be one."""
    number = person.get("sid") or person.get("email") or folder
    return "_".join(str(one).strip() for one in (person.get("name"), number) if one)


def _plain(about):
    """A mapping without the colons that Ruby puts before keys."""
    return {str(key).removeprefix(":"): value for key, value in about.items()}
