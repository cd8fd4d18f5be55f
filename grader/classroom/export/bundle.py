"""Feedback pages in one zip, under the names by which a platform knows whose they are."""

from pathlib import PurePosixPath

from grader.classroom.export.platforms import PLATFORMS, part_of_origin
from grader.classroom.feedback.packed import unpacked, zipped
from grader.classroom.records import read_record


def bundle(course, part, platform, origins):
    """The feedback that was made for the students of a part.

    Parameters
    ----------
    course : Course
    part : str
    platform : Platform
    origins : dict of str to Origin
        By student.

    Returns
    -------
    data : bytes
        A zip; nothing where nobody has feedback that can be sent.
    without : list of str
        The students who are not in it.
    """
    entries, without = {}, []
    for student, origin in origins.items():
        path = course.returned(part, student)
        names = _places(platform, student, origin) if path.is_file() else []
        record = read_record(course, part, student)
        # A page is called as its notebook is, whatever the student's file was called.
        pages_of = {one.file: name for name, one in record.notebooks.items()} if record else {}
        if not names:
            without.append(student)
            continue
        pages = {PurePosixPath(name).stem: page for name, page in unpacked(path).items()}
        for page, place in names:
            if page is None:
                entries[place] = path.read_bytes()
            elif page == "*":
                # Brightspace has an index.html of its own.
                own_index = platform is PLATFORMS["brightspace"]
                entries |= {
                    f"{place}{name}.html": text for name, text in pages.items() if name != "index" or not own_index
                }
            elif (known := pages_of.get(page, PurePosixPath(page).stem)) in pages:
                entries[place] = pages[known]
    return (zipped(sorted(entries.items())) if entries else b""), without


def _places(platform, student, origin):
    """What goes where: the page of a student's file, or * for all pages below a folder, or None for the whole zip."""
    if platform is PLATFORMS["blackboard"]:
        return [("*", f"{student}/")]
    found = [(file, part_of_origin(platform, path)) for file, path in sorted(origin.files.items())]
    found = [(file, one) for file, one in found if one]
    if platform is PLATFORMS["canvas"]:
        # Canvas finds the student and the attempt by the numbers in the file's own name.
        return [
            (None, one[1].split("/")[0])
            if one[1].split("/")[0].lower().endswith(".zip")
            else (file, str(PurePosixPath(one[1]).with_suffix(".html")))
            for file, one in found
        ]
    return [("*", f"{one[0][0]}/") for _, one in found[:1]]
