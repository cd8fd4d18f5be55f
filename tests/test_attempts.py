"""Several attempts of a student: all are kept when they are collected, and the one that the course says counts."""

import pytest
from classroom import FULL, PART, answering, grade_here, grades, hand_in, judge_again_here, record, write
from downloads import BARE, EMBEDDINGS, SOFTMAX
from nbgrader.api import Gradebook

from grader.classroom.collect import collect

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
ALL = sum(FULL.values())
BEST = 'attempts = "best"'


def table(course, text):
    path = course.grading / "course.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def kept(course, student="ada"):
    """What is kept of earlier attempts: their files, and when they were handed in."""
    top = course.attempts(PART, student)
    return [
        {path.name: path.read_text() if path.suffix == ".txt" else path.read_bytes() for path in folder.iterdir()}
        for folder in (sorted(top.iterdir()) if top.is_dir() else ())
    ]


def counting(course, student="ada"):
    """What lies in the folder of submissions."""
    return {path.name: path.read_bytes() for path in course.submitted(PART, student).glob("*.ipynb")}


OLDER = {"3-softmax.ipynb": BARE, "1-embeddings.ipynb": EMBEDDINGS}
NEWER = {"3-softmax.ipynb": SOFTMAX, "1-embeddings.ipynb": EMBEDDINGS}


@pytest.mark.parametrize(
    ("files", "student", "times"),
    [
        (
            {
                f"{PART}_ada_attempt_2026-11-20-10-00-00_3-softmax.ipynb": BARE,
                f"{PART}_ada_attempt_2026-11-20-10-00-00_1-embeddings.ipynb": EMBEDDINGS,
                f"{PART}_ada_attempt_2026-11-21-10-00-00_3-softmax.ipynb": SOFTMAX,
                f"{PART}_ada_attempt_2026-11-21-10-00-00_1-embeddings.ipynb": EMBEDDINGS,
            },
            "ada",
            ["2026-11-20 09:00:00 UTC\n", "2026-11-21 09:00:00 UTC\n"],
        ),
        (
            {
                "1-2 - Ada Lovelace - Jan 5, 2026 905 AM/3-softmax.ipynb": BARE,
                "1-2 - Ada Lovelace - Jan 5, 2026 905 AM/1-embeddings.ipynb": EMBEDDINGS,
                "1-2 - Ada Lovelace - Jan 5, 2026 1234 PM/3-softmax.ipynb": SOFTMAX,
            },
            "1-2-ada-lovelace",
            ["2026-01-05 08:05:00 UTC\n", "2026-01-05 11:34:00 UTC\n"],
        ),
        (
            {
                "ada_7_101_3-softmax.ipynb": BARE,
                "ada_7_102_1-embeddings.ipynb": EMBEDDINGS,
                "ada_7_109_3-softmax-1.ipynb": SOFTMAX,
            },
            "ada-7",
            [None, None],
        ),
        (
            {
                "Submitted files/ada/Part 1/3-softmax.ipynb": BARE,
                "Submitted files/ada/Part 1/1-embeddings.ipynb": EMBEDDINGS,
                "Submitted files/ada/Part 1/Version 2/3-softmax.ipynb": SOFTMAX,
                "Submitted files/ben/Part 1/3-softmax.ipynb": SOFTMAX,
            },
            "ada",
            [None, None],
        ),
    ],
    ids=["blackboard", "brightspace", "canvas", "teams"],
)
def test_every_attempt_of_a_download_is_kept_with_its_time(course, pack, files, student, times):
    table(course, 'timezone = "Europe/Berlin"')  # in which platforms write times
    for _ in range(2):
        collected = collect(course, pack(files), PART)
        assert collected.status == 0
        (older,) = kept(course, student)
        assert older.pop("timestamp.txt", None) == times[0]
        assert older == OLDER
        assert counting(course, student) == NEWER
        path = course.submitted(PART, student) / "timestamp.txt"
        assert (path.read_text() if path.exists() else None) == times[1]


def test_an_attempt_has_what_was_not_handed_in_once_more(course, pack):
    files = {
        "ada_7_101_3-softmax.ipynb": BARE,
        "ada_7_102_4-context-vectors.ipynb": EMBEDDINGS,
        "ada_7_109_3-softmax-1.ipynb": SOFTMAX,
        "ada_7_120_3-softmax-2.ipynb": SOFTMAX + b" ",
        "ada_7_121_4-context-vectors-2.ipynb": EMBEDDINGS + b" ",
    }
    collect(course, pack(files), PART)
    first, second = ({"3-softmax.ipynb": one, "4-context-vectors.ipynb": EMBEDDINGS} for one in (BARE, SOFTMAX))
    assert kept(course, "ada-7") == [first, second]
    assert counting(course, "ada-7") == {name: data + b" " for name, data in second.items()}


def test_a_notebook_more_is_no_other_attempt(course, pack):
    for name, data in (("3-softmax", SOFTMAX), ("1-embeddings", EMBEDDINGS)):
        day = {"3-softmax": 20, "1-embeddings": 21}[name]
        collect(course, pack({f"{PART}_ada_attempt_2026-11-{day}-10-00-00_{name}.ipynb": data}), PART)
    assert kept(course) == []


def test_where_attempts_count_another_version_is_one_and_an_older_one_replaces_nothing(course, pack):
    older, newer = (
        {f"{PART}_ada_attempt_2026-11-{day}-10-00-00_3-softmax.ipynb": data}
        for day, data in ((20, BARE), (21, SOFTMAX))
    )
    collect(course, pack(newer), PART)
    assert collect(course, pack(older), PART).status == 1
    assert kept(course) == []
    table(course, 'attempts = "last"')
    for _ in range(2):
        assert collect(course, pack(older), PART).status == 0
        assert counting(course) == {"3-softmax.ipynb": SOFTMAX}
        assert kept(course) == [{"3-softmax.ipynb": BARE, "timestamp.txt": "2026-11-20 10:00:00 UTC\n"}]
    newest = {f"{PART}_ada_attempt_2026-11-22-10-00-00_3-softmax.ipynb": EMBEDDINGS}
    assert "1 earlier attempt kept" in collect(course, pack(newest), PART).summary
    assert counting(course) == {"3-softmax.ipynb": EMBEDDINGS}
    assert [one["3-softmax.ipynb"] for one in kept(course)] == [BARE, SOFTMAX]


def test_what_is_replaced_by_hand_is_kept_as_well(course, pack):
    collect(course, pack({"ada/3-softmax.ipynb": BARE, "ada/1-embeddings.ipynb": EMBEDDINGS}), PART)
    collect(course, pack({"ada/3-softmax.ipynb": SOFTMAX}), PART, replace=True)
    assert kept(course) == [OLDER]
    assert counting(course) == NEWER


# ---- which one counts


def attempt(course, number, change=None, when=None):
    """An earlier attempt of ada's."""
    hand_in(course, "ada", change=change)
    if when:
        write(course, "ada", "timestamp.txt", f"{when} UTC")
    folder = course.attempts(PART, "ada") / number
    folder.parent.mkdir(parents=True, exist_ok=True)
    course.submitted(PART, "ada").rename(folder)


@pytest.fixture
def thrice(course, fake):
    """Let ada hand in three times: something wrong, all of it, and something wrong again."""
    wrong = answering("softmax", "def softmax(x):\n    return 1 / 0\n")
    attempt(course, "001", wrong, "2026-11-19 12:00")
    attempt(course, "002", None, "2026-11-20 12:00")
    hand_in(course, "ada", change=wrong)
    write(course, "ada", "timestamp.txt", "2026-11-21 12:00 UTC")
    hand_in(course, "ben")
    return course


@pytest.mark.grading
def test_the_last_counts_unless_the_course_says_the_best(thrice, fake, capsys):
    grade_here(thrice)
    less = record(thrice, "ada").points
    assert less < ALL
    assert record(thrice, "ada").attempts == ()
    table(thrice, BEST)
    fake.ran.clear()
    grade_here(thrice, resume=True)
    assert len(fake.ran) == 6, "three attempts of two notebooks, and nothing of ben"
    found = record(thrice, "ada")
    assert (found.points, found.attempt) == (ALL, "002")
    assert grades(thrice, "ada")["softmax"] == 4
    assert found.attempts == (
        f"handed in 21 Nov 2026, 12:00 UTC: {less:g} points",
        f"handed in 20 Nov 2026, 12:00 UTC: {ALL:g} points (counts)",
        f"handed in 19 Nov 2026, 12:00 UTC: {less:g} points",
    )
    assert "Several attempts" in thrice.report(PART).read_text("utf-8")
    with Gradebook(thrice.db_url, thrice.name) as book:
        assert str(book.find_submission(PART, "ada").timestamp) == "2026-11-20 12:00:00"
    fake.ran.clear()
    grade_here(thrice, resume=True)
    assert fake.ran == []
    # What counts is also what is judged again.
    assert judge_again_here(thrice, ["softmax"]) == 0
    said = capsys.readouterr().out
    assert "the marks of 0 change" in said
    assert "Only the attempt that counts was judged of ada: whether another one is the best now says" in said

    # The best is the best of what is left after being late; an extension may make another one the best.
    late = f'{BEST}\ntimezone = "UTC"\npenalty_per_day = 50\n[{PART}]\ndue = "2026-11-19"\n'
    table(thrice, late)
    grade_here(thrice, resume=True)
    assert record(thrice, "ada").attempt == "001"
    table(thrice, f"{late}[{PART}.extensions]\nada = 1\n")
    grade_here(thrice, resume=True)
    assert record(thrice, "ada").attempt == "002"
