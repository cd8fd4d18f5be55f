"""Names of students from grading/roster.csv: in the gradebook, the report and the marks, and never in made names."""

import pytest
from classroom import PART
from downloads import SOFTMAX
from test_export import DOWNLOADS, ENCODINGS, ROSTERS, class_course, rows
from test_handback import book_of

from grader.classroom.export.roster import Person, read_roster
from grader.classroom.marking import report
from grader.desk.forget import forget
from grader.errors import CourseError

pytestmark = pytest.mark.grading
ADA = "ada-lovelace-11"


@pytest.fixture
def course(template, tmp_path):
    return class_course(template, tmp_path, DOWNLOADS["moodle"])


def put(course, text, encoding="utf-8"):
    (course.grading / "roster.csv").write_bytes(text.encode(encoding))


def test_names_are_in_gradebook_report_and_marks_but_never_beside_made_names(course):
    put(course, "Email;Name;Student\nada@u.example;Lovelace, Augusta Ada <b>;ada-lovelace-11\nx@u.example;X;x\n")
    page, table = report(course, PART)
    with book_of(course) as book:
        ada = book.find_student(ADA)
        assert (ada.first_name, ada.last_name, ada.email) == ("Augusta Ada <b>", "Lovelace", "ada@u.example")
        assert ADA in {student.id for student in book.students}
        assert "x" not in {student.id for student in book.students}
    heads, *lines = rows(table)
    assert heads[:3] == ["student", "name", "email"]
    assert {line[0]: line[1:3] for line in lines}[ADA] == ["Augusta Ada <b> Lovelace", "ada@u.example"]
    assert all(line[1:3] == ["", ""] for line in lines if line[0] != ADA)
    text = page.read_text("utf-8")
    assert "Augusta Ada &lt;b&gt; Lovelace" in text
    for path in report(course, PART, anonymous=True):
        assert not any(word in path.read_text("utf-8") for word in ("Augusta", "Lovelace", "u.example"))


def test_without_the_file_nothing_is_said_of_names(course):
    _, table = report(course, PART)
    assert "name" not in rows(table)[0]


@pytest.mark.parametrize("platform", DOWNLOADS)
def test_what_a_platform_exports_is_a_roster(template, tmp_path, platform):
    course = class_course(template, tmp_path, DOWNLOADS[platform])
    put(course, ROSTERS[platform], ENCODINGS.get(platform, "utf-8"))
    people = read_roster(course, PART, course.students(PART))
    assert "Ada Lovelace" in {person.name for person in people.values()}
    assert len(people) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student,name\nada-lovelace-11,Ada\nada-lovelace-11,Eve\n", "twice"),
        ("who,what\nada,Ada\n", "columns student and name"),
    ],
)
def test_a_roster_that_cannot_be_meant_is_told(course, text, words):
    put(course, text)
    with pytest.raises(CourseError, match=words):
        report(course, PART)


def test_a_student_who_is_forgotten_stays_only_in_the_roster_and_that_is_told(course, capsys):
    put(course, "student,name\nada-lovelace-11,Ada Lovelace\n")
    report(course, PART)
    assert forget(course, ADA, sure=True) == 1
    assert "roster.csv" in capsys.readouterr().out
    assert "Lovelace" not in course.report(PART).read_text("utf-8")


@pytest.mark.parametrize("platform", ["canvas", "moodle"])
def test_a_platforms_own_roster_is_named_as_well_whatever_it_calls_who_is_forgotten(
    template, tmp_path, capsys, platform
):
    course = class_course(template, tmp_path, DOWNLOADS[platform])
    put(course, ROSTERS[platform], ENCODINGS.get(platform, "utf-8"))
    ada = next(student for student in course.students(PART) if "ada" in student)
    assert forget(course, ada) == 0
    assert "roster.csv" in capsys.readouterr().out.partition("These files are yours")[2]
    assert forget(course, ada, sure=True) == 1
    assert "roster.csv" in capsys.readouterr().out


def test_who_has_the_same_name_under_another_number_is_named(template, tmp_path, capsys):
    folders = [
        f"{who}_assignsubmission_file_/3-softmax.ipynb" for who in ("Ada Lovelace_11", "Ada Lovelace_57", "Ben_12")
    ]
    course = class_course(template, tmp_path, dict.fromkeys(folders, SOFTMAX))
    for sure in (False, True):
        assert forget(course, ADA, sure) == 0
        assert capsys.readouterr().out.splitlines()[0].endswith("numbered anew: ada-lovelace-57.")
    forget(course, "ben-12")
    assert "anew:" not in capsys.readouterr().out


def test_a_name_of_one_word_is_a_last_name(course):
    put(course, "student,name\nada-lovelace-11,Ada\n")
    assert read_roster(course, PART, [ADA, "ben"]) == {ADA: Person("", "Ada")}
