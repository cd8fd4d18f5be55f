"""The instructor's page and the marks as CSV, from records as grading writes them."""

import base64
import csv
import functools
import hashlib
import io
import json
import random
import re
import shutil
import statistics
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from courseware import ROOT, check_cells, read

from grader.course import Course
from grader.diagnose import GENERAL
from grader.exercises import BANK
from grader.exercises.kinds import ChoiceExercise, ValueExercise
from grader.judge import judge
from grader.notebook_format import NotebookError
from grader.report import read_records, write_report

PART = "1-context-vectors"
LAYOUT = {
    path.stem: {cell.id: float(cell.metadata.nbgrader.points) for cell in check_cells(read(path))}
    for path in sorted((ROOT / "solutions" / PART).glob("*.ipynb"))
}
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"><script>window.owned = 1</script>',
    "'onmouseover='alert(2)",
    "javascript:alert(3)",
    "&lt;b&gt;",
    "mallory\u202egnp.exe",
    "\u2066anna\u2069",
    "bell\x07\x1b[31m and\nline\u2028break",
    "half \udc80 a character",
    "z" + "\u0335" * 200 + "algo",
    "x" * 10_000,
    "</style><style>*{display:none}</style>",
    "=HYPERLINK(1)",
    "..",
    "100%#?&",
    "عمر",
    "李 明",
)


# ---- records


@pytest.fixture
def course(tmp_path):
    """A course folder of its own, with the source of Part 1."""
    shutil.copytree(ROOT / "solutions" / PART, tmp_path / "solutions" / PART)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    return Course.at(tmp_path)


def computes_only(Q, K):
    scores = Q @ K.T
    scores + 0


@functools.cache
def verdict(name, mistakes):
    """What the judge says of a right answer, or of one with these mistakes."""
    exercise, wrong = BANK[name], frozenset(mistakes)
    if isinstance(exercise, ChoiceExercise):
        return judge(name, next(iter(mistakes)).removeprefix("chose-") if mistakes else exercise.right, 1)
    if isinstance(exercise, ValueExercise):
        return judge(name, exercise(wrong=wrong), 1)
    if mistakes == ("returns-none",):
        return judge(name, computes_only, 1)
    return judge(name, lambda *args, **kwargs: exercise.model(*args, wrong=wrong, **kwargs), 1)


def result(name, full, how):
    """An exercise as a record has it: right (""), "skipped", "odd", "no verdict: why", or mistakes in a tuple."""
    entry = {"id": name, "points": 0.0, "max_points": full, "passed": False, "attempted": True}
    entry |= {"headline": "", "diagnoses": [], "looks_like": [], "reason": ""}
    if how == "":
        entry |= {"points": full, "passed": True}
    elif how == "skipped":
        entry |= {"attempted": False}
    elif isinstance(how, tuple):
        said = verdict(name, how)
        assert said.diagnoses == how
        entry |= {"points": said.points, "diagnoses": list(how), "looks_like": [one.looks_like for one in said.advice]}
    elif how != "odd":
        entry |= {"reason": how.removeprefix("no verdict: ")}
    return entry


def record(student, how=None, everything="", status=None, notebooks=None, **changes):
    """A student's record: everything right (or as `everything` says) but the exercises in `how`."""
    how, graded = how or {}, {}
    for name, checks in LAYOUT.items():
        exercises = [result(one, full, how.get(one, everything)) for one, full in checks.items()]
        graded[name] = {
            "status": (status or {}).get(name, "graded"),
            "file": f"{name}.ipynb",
            "repairs": [],
            "failures": [],
            "time_limit": False,
            "points": round(sum(one["points"] for one in exercises), 2),
            "max_points": sum(checks.values()),
            "exercises": exercises,
        } | (notebooks or {}).get(name, {})
    return {
        "student": student,
        "part": PART,
        "digest": "0" * 64,
        "sandboxed": True,
        "points": round(sum(notebook["points"] for notebook in graded.values()), 2),
        "max_points": sum(notebook["max_points"] for notebook in graded.values()),
        "written_points": 4.0,
        "notes": [],
        "seconds": {"repair": 0.01, "learner": 0.8, "judge": 0.2},
        "notebooks": graded,
    } | changes


def class_of_eight():
    """Records whose mistakes are counted by hand in the tests below."""
    late = "a cell was still running at its time limit of 30 seconds, so it was stopped"
    return [
        record("ada"),
        record("ben", {"softmax": ("columns",), "softmax_with_temperature": ("columns",)}),
        record("chen", everything="skipped"),
        record("dora", {"softmax": ("columns",), "predict-softmax": ("chose-b",), "the-tie": "odd"}),
        record("emil", {"softmax": ("columns", "no-maximum"), "predict-softmax": ("chose-b",)}, notes=["a note"]),
        record("fay", {"softmax": "odd", "dot_scores": ("returns-none",), "predict-softmax": ("chose-a",)}),
        record(
            "gus",
            {"entropy": "no verdict: its cell was stopped"},
            notebooks={"3-softmax": {"failures": [late], "time_limit": True}},
            seconds={"learner": 31.0, "calls": 1.0, "judge": 0.1},
        ),
        record(
            "hana",
            dict.fromkeys(LAYOUT["2-scores"], "no verdict: the notebook was not handed in"),
            status={"2-scores": "missing"},
            notebooks={"1-embeddings": {"repairs": ["`1-embeddings (1).ipynb` was taken for it"]}},
        ),
    ]


def class_of(number):
    """A large class with all sorts of mistakes, without asking the judge."""
    rng = random.Random(number)
    records = []
    for i in range(number):
        one = record(f"student-{i:03}", notes=["a stray file was ignored"] if i % 3 == 0 else [])
        for notebook in one["notebooks"].values():
            for entry in notebook["exercises"]:
                known = getattr(BANK[entry["id"]], "misconceptions", ())
                if rng.random() < 0.6 or not known:
                    continue
                mistake = rng.choice(known)
                entry |= {"points": 0.0, "passed": False, "diagnoses": [mistake.id], "looks_like": [mistake.looks_like]}
            notebook["points"] = sum(entry["points"] for entry in notebook["exercises"])
            notebook["repairs"] = [f"a cell of student {i} was put back"] * (i % 5)
        one["points"] = sum(notebook["points"] for notebook in one["notebooks"].values())
        records.append(one)
    return records


# ---- the page, read like a browser


class Element:
    """An element of a page: its tag, attributes, text and children."""

    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.children = tag, dict(attributes), []

    def walk(self):
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag=None, **attributes):
        """All elements with this tag and these attributes, a class among them."""
        return [
            one
            for one in self.walk()
            if (tag is None or one.tag == tag)
            and all(value in (one.attributes.get(name) or "").split() for name, value in attributes.items())
        ]

    @property
    def text(self):
        parts = (child.text if isinstance(child, Element) else child for child in self.children)
        return " ".join("".join(parts).split())


class Reader(HTMLParser):
    """Makes a tree of a page, and refuses one whose tags do not match."""

    VOID = ("meta", "br", "wbr", "col", "input")

    def __init__(self, text):
        super().__init__()
        self.top = Element("page", {})
        self._open = [self.top]
        self.feed(text)
        self.close()
        assert self._open == [self.top]

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs)
        element = Element(tag, attrs)
        self._open[-1].children.append(element)
        if tag not in self.VOID:
            self._open.append(element)

    def handle_startendtag(self, tag, attrs):
        self._open[-1].children.append(Element(tag, attrs))

    def handle_endtag(self, tag):
        assert self._open.pop().tag == tag

    def handle_data(self, data):
        self._open[-1].children.append(data)


def page_of(course, records, by_hand=None):
    """The page of these records, as a tree."""
    return Reader(write_report(course, PART, records, by_hand)[0].read_text(encoding="utf-8")).top


def part_of(page, name):
    """A section of the page by its id."""
    (found,) = [one for one in page.walk() if one.attributes.get("id") == name]
    return found


def mistakes_in(page, exercise):
    """The rows of an exercise in "What the class misunderstands": count, words and names."""
    (found,) = [
        one
        for one in part_of(page, "mistakes").all("section", **{"class": "exercise"})
        if one.all("h4")[0].text == exercise
    ]
    return [
        (
            int(row.all("td", **{"class": "count"})[0].text),
            (row.all("summary") or row.all("th"))[0].text if row.all("th")[0].all("summary") else row.all("th")[0].text,
            [name.text for name in row.all("bdi")],
        )
        for table in found.all("tbody")
        for row in table.all("tr")
    ]


def tiles(page):
    return [tile.text for tile in page.all("ul", **{"class": "tiles"})[0].all("li")]


@pytest.fixture
def eight(course):
    """The page of the class of eight."""
    return page_of(course, class_of_eight())


# ---- what it says


def test_the_top_has_the_numbers_that_matter(eight):
    points = [one["points"] for one in class_of_eight()]
    said = tiles(eight)
    assert said[0] == "8submissions; 1 notebook of theirs not handed in"
    quartiles = statistics.quantiles(points, n=4, method="inclusive")
    first, median, third, mean = (f"{one:.1f}".removesuffix(".0") for one in (*quartiles, statistics.mean(points)))
    assert said[1] == f"{median} of 66median; the middle half of the class has {first} to {third}"
    assert said[2].startswith(f"{mean} of 66mean")
    assert said[3] == "1submission with a failure worth a look; 2 needed a repair"


def test_each_mistake_has_its_count_its_words_and_its_students_the_most_frequent_first(eight):
    columns, maximum = (
        next(one.looks_like for one in BANK["softmax"].misconceptions if one.id == name)
        for name in ("columns", "no-maximum")
    )
    assert mistakes_in(eight, "softmax") == [
        (3, columns, ["ben", "dora", "emil"]),
        (1, maximum, ["emil"]),
        (1, "failed, and no known mistake was recognised", ["fay"]),
        (1, "not attempted", ["chen"]),
    ]


def test_a_general_mistake_and_an_exercise_without_verdict_are_counted(eight):
    assert mistakes_in(eight, "dot_scores")[0] == (1, GENERAL["returns-none"].looks_like, ["fay"])
    assert mistakes_in(eight, "entropy")[-1] == (1, "no verdict (why)", ["gus"])
    assert "entropy: its cell was stopped" in part_of(eight, "look").text


def test_a_notebook_that_was_not_handed_in_counts_as_not_attempted(eight):
    assert mistakes_in(eight, "dot_scores")[-1] == (2, "not attempted", ["chen", "hana"])
    assert "Notebooks that were not handed in2-scores: hana" in part_of(eight, "look").text


def test_a_prediction_is_told_with_the_words_of_the_option_that_was_chosen(eight):
    first, second = mistakes_in(eight, "predict-softmax")[:2]
    option = "The second: 1 is infinitely many times 0, but 11 is hardly more than 10."
    assert first == (2, f"chose b: {option}", ["dora", "emil"])
    assert second[1].startswith("chose a: The first")
    assert BANK["predict-softmax"].because["b"] in part_of(eight, "mistakes").text


def test_cause_and_cure_are_folded_below_the_mistake(eight):
    columns = BANK["softmax"].misconceptions[0]
    (fold,) = [
        one
        for one in part_of(eight, "mistakes").all("details")
        if one.all("summary")[0].text == columns.looks_like and columns.cause in one.text and "maximum" in one.text
    ]
    assert columns.cure.replace("`", "") in fold.text
    assert "open" not in fold.attributes


def test_exercises_come_in_teaching_order(eight):
    shown = [row.all("th")[0].text for row in part_of(eight, "standing").all("tr") if row.all("svg")]
    assert shown == [name for checks in LAYOUT.values() for name in checks]


def test_the_costliest_mistakes_are_for_class_wherever_they_were_made(eight):
    topics = part_of(eight, "tomorrow").all("ol")[0].all("li")
    columns = BANK["softmax"].misconceptions[0]
    alone, together = (4 - verdict("softmax", how).points for how in (("columns",), ("columns", "no-maximum")))
    colder = 2 - verdict("softmax_with_temperature", ("columns",)).points
    assert len(topics) == 3
    assert topics[0].text.startswith(f"“{columns.looks_like}”3 students, ")
    # Two students have this mistake alone; the loss of the third is shared with another mistake.
    cost = f"{2 * alone + together / 2 + colder:.1f}".removesuffix(".0")
    assert f"{cost} points lost, in softmax (3), softmax_with_temperature (1)" in topics[0].text
    assert columns.cure.replace("`", "") in topics[0].text
    for words in (GENERAL["returns-none"].looks_like, GENERAL["returns-none"].cause):
        assert words.replace("`", "") in topics[1].text


def test_each_exercise_shows_how_the_class_is_divided(eight):
    rows = {row.all("th")[0].text: row for row in part_of(eight, "standing").all("tr") if row.all("svg")}
    for name, label, numbers in (
        ("the-tie", "the-tie: 5 full marks, 1 no points, 2 not attempted", "5 · 1 2 · 3"),
        ("dot_scores", "dot_scores: 5 full marks, 1 no points, 2 not attempted", "5 · 1 2 · 3"),
        ("entropy", "entropy: 6 full marks, 1 not attempted, 1 no verdict", "6 · · 1 1 3"),
    ):
        assert rows[name].all("svg")[0].attributes["aria-label"] == label
        assert [cell.text for cell in rows[name].all("td", **{"class": "number"})][:-1] == numbers.split()
    assert rows["entropy"].all("td")[-1].text == "75%"


def test_the_histogram_says_in_words_what_it_shows(eight):
    (histogram,) = eight.all("svg", **{"class": "histogram"})
    ranges = re.findall(r"([\d.]+) to ([\d.]+): (\d+)", histogram.attributes["aria-label"])
    points = [one["points"] for one in class_of_eight()]
    assert sum(int(number) for *_, number in ranges) == 8
    for low, high, number in ranges:
        assert int(number) == sum(float(low) <= one < float(high) or one == float(high) == 66 for one in points)
    assert [text.text for text in histogram.all("text")][-1] == "66"


def test_marks_have_a_row_for_each_student_and_a_mean(eight):
    table = part_of(eight, "marks").all("table")[0]
    rows = {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in table.all("tr") if row.all("td")}
    assert rows["ada"] == ["16", "16", "15", "19", "66", ""]
    assert rows["chen"][:5] == ["0", "0", "0", "0", "0"]
    assert rows["hana"] == ["16", "0 missing", "15", "19", "50", "repair"]
    assert rows["gus"][-1] == "failure, time limit"
    mean = statistics.mean(one["points"] for one in class_of_eight())
    assert rows["mean"][4] == f"{mean:.1f}".removesuffix(".0")


def test_points_by_hand_appear_when_a_person_has_given_them(course):
    records = [record("ada"), record("ben"), record("chen")]
    none, some, every = (
        page_of(course, records, by_hand)
        for by_hand in (
            None,
            {"ada": 3.5},
            {"ada": 3.5, "ben": 0.0, "chen": 4.0},
        )
    )
    assert tiles(none)[-1].startswith("3written answers still to be marked: explain-context (4 points). In formgrader")
    assert tiles(some)[-1].startswith("2written answers")
    assert tiles(every)[-1].startswith("2.5 of 4mean of what was marked by hand")
    assert "by hand" not in part_of(none, "marks").all("thead")[0].text
    rows = [[cell.text for cell in row.all("td")] for row in part_of(some, "marks").all("tbody")[0].all("tr")]
    assert [row[-3:-1] for row in rows] == [["3.5", "69.5"], ["–", "(66)"], ["–", "(66)"]]


def test_points_that_were_changed_by_hand_count_where_nothing_is_written(course):
    records = [record("ada", written_points=0.0), record("ben", written_points=0.0)]
    unchanged, changed = (page_of(course, records, {"ada": points, "ben": 0.0}) for points in (0.0, -1.5))
    assert "by hand" not in part_of(unchanged, "marks").text
    row = part_of(changed, "marks").all("tbody")[0].all("tr")[0]
    assert [cell.text for cell in row.all("td")][-3:-1] == ["-1.5", "64.5"]
    assert "to be marked" not in changed.text


def test_a_notebook_that_could_not_be_graded_is_told_once_with_the_reason(course):
    why = "no verdict: 2-scores.ipynb ends in the middle"
    page = page_of(course, [record("ada", dict.fromkeys(LAYOUT["2-scores"], why), status={"2-scores": "unreadable"})])
    assert tiles(page)[2].startswith("1submission with a failure")
    assert part_of(page, "look").text.count("ends in the middle") == 1
    assert mistakes_in(page, "dot_scores") == [(1, "no verdict (why)", ["ada"])]


def test_repairs_failures_and_notes_are_told_by_student(eight):
    look = part_of(eight, "look")
    people = {one.all("dt")[0].text: one.all("dd") for one in look.all("div")}
    assert people["emil"][0].text == "a note"
    assert people["hana"][0].text == "1-embeddings: 1-embeddings (1).ipynb was taken for it"
    assert "3-softmax: a cell was still running at its time limit" in look.text


def test_those_who_were_stopped_are_timed_apart(eight):
    slowest, stopped = part_of(eight, "times").all("table")
    assert "gus" not in slowest.text
    assert "gus32.1 s32.0 s0.1 s" in stopped.text
    assert "took 1.0 s or less" in part_of(eight, "times").text


@pytest.mark.parametrize("outside", [0, 1, 3])
def test_grading_without_the_sandbox_is_said_aloud(course, outside):
    records = [record(f"s{i}", sandboxed=i >= outside) for i in range(3)]
    page = page_of(course, records)
    alarms = page.all("div", **{"class": "alarm"})
    assert len(alarms) == (outside > 0)
    assert ("WITHOUT the sandbox" in page.text) == (outside > 0)
    if outside:
        assert {1: "1 of 3 submissions", 3: "All of 3 submissions"}[outside] in alarms[0].text


def test_who_handed_in_but_has_no_record_is_named(course):
    for student in ("ada", "zoe"):
        course.submitted(PART, student).mkdir(parents=True)
    page = page_of(course, [record("ada")])
    assert "1 submission is not in this report" in page.text
    assert [name.text for name in page.all("div", **{"class": "notice"})[0].all("bdi")] == ["zoe"]


def test_an_exercise_that_some_left_out_and_nobody_got_wrong_has_no_table(course):
    page = page_of(course, [record("ada", {"entropy": "skipped"}), record("ben", {"softmax": "odd"})])
    (entropy,) = [
        one
        for one in part_of(page, "mistakes").all("section", **{"class": "exercise"})
        if one.all("h4")[0].text == "entropy"
    ]
    assert "1 of 2 with full marks1 not attempted: ada" in entropy.text
    assert not entropy.all("table")


def test_an_exercise_that_nobody_attempted_and_one_that_all_solved_take_a_line(course):
    page = page_of(course, [record(name, {"entropy": "skipped", "softmax": "odd"}) for name in ("ada", "ben")])
    said = part_of(page, "mistakes").text
    assert "Attempted by nobody: entropy." in said
    assert "Full marks for everybody: predict-softmax, softmax_with_temperature" in said
    assert [one[0] for one in mistakes_in(page, "softmax")] == [2]


# ---- large, small, none


def test_a_class_of_none_has_a_page_and_a_csv(course):
    page, table = write_report(course, PART, [])
    assert "No submission of Part 1: context vectors has been graded yet." in Reader(page.read_text("utf-8")).top.text
    assert len(rows_of(table)) == 1


def test_a_class_of_one_is_not_averaged(course):
    page = page_of(course, [record("ada", {"softmax": "odd"})])
    assert tiles(page)[:2] == ["1submission, with every notebook", "62 of 66points in the checked exercises, 94%"]
    assert not page.all("svg", **{"class": "histogram"})


def test_a_class_of_300_fits_and_folds_what_is_long(course):
    page, table = write_report(course, PART, class_of(300))
    assert page.stat().st_size < 2_000_000
    assert len(rows_of(table)) == 301
    top = Reader(page.read_text("utf-8")).top
    for names in part_of(top, "mistakes").all("span", **{"class": "names"}):
        assert len(names.all("bdi")) <= 4
    repairs = part_of(top, "look").all("dl")
    assert len(repairs[0].all("dt")) == 10
    assert sum(len(one.all("dt")) for one in repairs) == 260
    for rows in part_of(top, "mistakes").all("section", **{"class": "exercise"}):
        counts = [int(cell.text) for cell in rows.all("td", **{"class": "count"})]
        assert counts == sorted(counts, reverse=True)


def test_a_thousand_sentences_about_one_notebook_are_cut(course):
    page = page_of(course, [record("ada", notebooks={"2-scores": {"repairs": ["put back " + "y" * 5000] * 1000}})])
    lines = part_of(page, "look").all("dd")
    assert len(lines) == 13
    assert "988 more" in lines[-1].text
    assert len(lines[0].text) < 500


def test_a_part_without_records_or_notebooks_is_refused(course):
    with pytest.raises(NotebookError, match="there is no part '9-nothing'; there are: 1-context-vectors"):
        write_report(course, "9-nothing", [])


def test_records_of_notebooks_that_are_gone_are_still_shown(course):
    old = record("ada")
    old["notebooks"]["0-old"] = old["notebooks"].pop("3-softmax")
    gone = {"id": "gone", "diagnoses": ["odd-one"], "looks_like": ["you <b>did</b>"], "passed": False, "points": 0.0}
    old["notebooks"]["0-old"]["exercises"][1] |= gone
    page = page_of(course, [old])
    assert mistakes_in(page, "gone") == [(1, "you <b>did</b>", ["ada"])]


# ---- safe to open


def hostile_class():
    """A class whose names, and with them the sentences about their files, are out to do harm."""
    return [
        record(
            name,
            {"softmax": ("columns",), "entropy": f"no verdict: {name}"},
            notes=[name],
            notebooks={"2-scores": {"repairs": [name], "failures": [f"`{name}`"]}},
        )
        for name in HOSTILE
    ]


def test_nothing_from_a_submission_becomes_more_than_text(course):
    kinds = {one.tag for one in page_of(course, class_of_eight()).walk()}
    page = page_of(course, hostile_class())
    assert {one.tag for one in page.walk()} <= kinds
    assert not page.all("img")
    assert len(page.all("script")) == len(page.all("style")) == 1
    for element in page.walk():
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "style", "srcset", "action", "data", "formaction")
            assert name != "href" or not urlsplit(value).scheme
    text = page.text
    for sign in "\u202e\u2066\u2069\x07\x1b\u2028\udc80":
        assert sign not in text
    assert "⟨U+202E⟩gnp.exe" in text
    assert "<img src=x onerror=alert(1)>" in text
    assert "عمر" in text
    assert "\u0335" * 5 not in text
    assert "x" * 400 not in text


def test_the_page_allows_its_own_style_and_script_and_nothing_else(eight):
    (policy,) = [one.attributes["content"] for one in eight.all("meta") if "http-equiv" in one.attributes]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for tag in ("style", "script"):
        (element,) = eight.all(tag)
        digest = base64.b64encode(hashlib.sha256("".join(element.children).encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"
    assert not re.search(r"https?:|//|url\(|@import", "".join(eight.all("style")[0].children))


def test_tables_and_pictures_can_be_heard(eight):
    for head in eight.all("th"):
        assert head.attributes["scope"] in ("row", "col", "rowgroup")
    for picture in eight.all("svg"):
        assert picture.attributes.get("aria-hidden") == "true" or (
            picture.attributes["role"] == "img" and picture.attributes["aria-label"]
        )
    assert eight.all("html")[0].attributes["lang"] == "en"


def test_every_link_within_the_page_leads_somewhere(course):
    unread = record("ada", dict.fromkeys(LAYOUT["2-scores"], "no verdict: damaged"), status={"2-scores": "unreadable"})
    for records in (class_of_eight(), class_of(40), hostile_class(), [unread]):
        page = page_of(course, records)
        ids = [one.attributes["id"] for one in page.walk() if "id" in one.attributes]
        assert len(ids) == len(set(ids))
        assert {one.attributes["href"][1:] for one in page.all("a") if one.attributes["href"][0] == "#"} <= set(ids)


def test_links_lead_to_feedback_or_graded_notebooks_where_these_exist(course):
    odd = "100%#? ä"
    feedback = course.feedback(PART, odd) / "3-softmax.html"
    graded = course.autograded(PART, "ben") / "3-softmax.ipynb"
    for path in (feedback, graded):
        path.parent.mkdir(parents=True)
        path.write_text("there", encoding="utf-8")
    mistake = {"softmax": ("columns",)}
    page = page_of(course, [record(odd, mistake), record("ben", mistake), record("chen", mistake)])
    here = course.report(PART).parent
    links = [urlsplit(one.attributes["href"]) for one in page.all("a") if one.attributes["href"].startswith("..")]
    assert {(here / unquote(link.path)).resolve() for link in links} == {feedback.resolve(), graded.resolve()}
    assert {link.fragment for link in links} == {"", "softmax"}
    assert all(not link.fragment for link in links if link.path.endswith(".ipynb"))


# ---- the files


def test_the_same_records_give_the_same_bytes_in_whatever_order(course):
    records = [*class_of(20), *hostile_class()]
    first = [path.read_bytes() for path in write_report(course, PART, records, {"student-003": 2.0})]
    random.Random(1).shuffle(records)
    again = [path.read_bytes() for path in write_report(course, PART, records, {"student-003": 2.0})]
    assert first == again


def test_a_report_replaces_an_earlier_one_and_leaves_nothing_beside_it(course):
    for records in (class_of(3), class_of(2)):
        page, table = write_report(course, PART, records)
        assert sorted(page.parent.iterdir()) == [table, page]
    assert (page, table) == (course.report(PART), course.report(PART).with_suffix(".csv"))
    assert "student-002" not in page.read_text("utf-8")


def test_a_full_disk_leaves_the_earlier_report_and_says_what_to_do(course, monkeypatch):
    page, table = write_report(course, PART, [record("ada")])
    before = page.read_bytes(), table.read_bytes()

    def full(path, content):
        path.touch()
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(NotebookError, match="cannot be written: No space left on device; free some space"):
        write_report(course, PART, [record("ben")])
    assert (page.read_bytes(), table.read_bytes()) == before
    assert sorted(page.parent.iterdir()) == [table, page]


def rows_of(path):
    """The rows of a CSV, read as a spreadsheet does."""
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def test_the_csv_has_each_students_points_and_total(course):
    rows = rows_of(write_report(course, PART, class_of_eight(), {"ben": 3.5, "nobody": 1.0})[1])
    heads = [*LAYOUT, "automatic total", "automatic full marks", "by hand", "by hand full marks", "total", "full marks"]
    assert rows[0] == ["student", *heads]
    by_student = {row[0]: dict(zip(heads, row[1:], strict=True)) for row in rows[1:]}
    assert list(by_student) == ["ada", "ben", "chen", "dora", "emil", "fay", "gus", "hana"]
    assert by_student["ada"]["total"] == "66"
    assert by_student["ada"]["by hand"] == ""
    for one in class_of_eight():
        row = by_student[one["student"]]
        assert float(row["automatic total"]) == one["points"] == sum(float(row[name]) for name in LAYOUT)
        assert (row["automatic full marks"], row["by hand full marks"], row["full marks"]) == ("66", "4", "70")
    assert float(by_student["ben"]["total"]) == float(by_student["ben"]["automatic total"]) + 3.5


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\t=1", "＝1", '="a"'])
def test_an_id_that_looks_like_a_formula_is_text_in_the_csv(course, name):
    ((written, *_),) = rows_of(write_report(course, PART, [record(name)])[1])[1:]
    assert written.startswith("'") or not written.lstrip().startswith(("=", "+", "-", "@", "＝"))
    assert written.lstrip("'").replace("⟨U+0009⟩", "\t") == name


def test_an_id_can_neither_add_a_line_nor_a_column_to_the_csv(course):
    names = ["a,b", "a;=1", 'quo"te', "line\r\nbreak", "null\x00", "half \udc80"]
    path = write_report(course, PART, [record(name) for name in names])[1]
    assert len(path.read_bytes().decode("utf-8-sig").split("\r\n")) == len(names) + 2
    rows = rows_of(path)
    assert {len(row) for row in rows} == {len(rows[0])}
    assert {"a,b", "a;=1", 'quo"te'} < {row[0] for row in rows}


# ---- reading the records


def put(course, student, content):
    path = course.record(PART, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def test_records_are_read_as_they_were_written(course, capsys):
    records = [record("ada"), record("o'brien.jr")]
    for one in records:
        put(course, one["student"], one)
    assert read_records(course, PART) == records
    assert capsys.readouterr().err == ""
    assert read_records(course, "2-three-views") == []


def without(key):
    one = record("bad")
    del one[key]
    return one


@pytest.mark.parametrize(
    ("content", "flaw"),
    [
        ("", "Expecting value"),
        ('{"student": "bad"', "Expecting ',' delimiter"),
        ("[" * 100_000, "recursion"),
        ([], "it is no table"),
        (without("notebooks"), "it lacks notebooks"),
        (record("bad", points=float("nan")), "points is 'nan'"),
        (record("bad", points=True), "points is 'True'"),
        (record("bad", notes="none"), "notes is no list"),
        (record("bad", notebooks={"2-scores": {"repairs": [1]}}), "an entry of repairs is '1'"),
        (record("somebody else"), "another student"),
        (record("bad", part="2-three-views"), "another student or part"),
    ],
)
def test_a_damaged_record_is_left_out_and_told(course, capsys, content, flaw):
    put(course, "ada", record("ada"))
    put(course, "bad", content)
    assert [one["student"] for one in read_records(course, PART)] == ["ada"]
    said = capsys.readouterr().err
    assert str(course.record(PART, "bad")) in said
    assert flaw in said
    assert "grade that submission again" in said


# ---- in a browser


@pytest.mark.browser
def test_the_page_opens_from_its_file_sorts_and_runs_nothing_foreign(course, require):
    from browser import browser

    records = [*hostile_class(), *class_of(30)]
    page, _ = write_report(course, PART, records, {one["student"]: 1.0 for one in records[:20]})
    with browser(require("chromium")) as chromium:
        for width, scheme in ((1280, "light"), (800, "dark")):
            context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            window = context.new_page()
            asked, said = [], []
            window.on("request", lambda request, asked=asked: asked.append(request.url))
            window.on("console", lambda message, said=said: said.append(message.text))
            window.on("pageerror", lambda error, said=said: said.append(str(error)))
            window.on("dialog", lambda dialog, said=said: (said.append(dialog.message), dialog.dismiss()))
            window.goto(page.as_uri())
            assert asked == [page.as_uri()]
            assert window.evaluate("window.owned") is None
            assert window.evaluate("document.documentElement.scrollWidth") <= width
            # Everything unfolded has to fit as well.
            window.get_by_role("button", name="Unfold all").click()
            assert window.locator("details:not([open])").count() == 0
            assert window.evaluate("document.documentElement.scrollWidth") <= width

            before = window.locator("#marks tbody th").all_inner_texts()
            for column in (6, 8):  # the checked points; the total, in brackets where a part of it is missing
                header = window.locator(f"#marks thead th:nth-child({column})")
                for order in ("ascending", "descending"):
                    header.get_by_role("button").click()
                    assert header.get_attribute("aria-sort") == order
                    texts = window.locator(f"#marks tbody td:nth-child({column})").all_inner_texts()
                    points = [float(text.strip("()")) for text in texts]
                    assert points == sorted(points, reverse=order == "descending")
                    assert len(set(points)) > 5
            assert len(window.locator("#marks thead [aria-sort]").all()) == 1
            assert sorted(window.locator("#marks tbody th").all_inner_texts()) == sorted(before)

            window.get_by_label("Hide names and marks").check()
            assert not any(name.is_visible() for name in window.locator("bdi").all()[:200])
            assert not window.locator("#marks").is_visible()
            assert window.locator("#tomorrow h3").first.is_visible()
            assert said == []
            context.close()


@pytest.mark.browser
def test_the_page_is_whole_without_scripts_and_on_paper(course, require):
    from browser import browser

    page, _ = write_report(course, PART, class_of(60))
    with browser(require("chromium")) as chromium:
        window = chromium.new_context(viewport={"width": 700, "height": 900}, java_script_enabled=False).new_page()
        window.goto(page.as_uri())
        assert window.locator("#marks thead th").first.inner_text() == "student"
        assert window.locator("button").count() == 0
        window.emulate_media(media="print")
        box = window.locator("#marks .box").bounding_box()
        table = window.locator("#marks table").bounding_box()
        assert box["height"] >= table["height"]
        assert table["width"] <= 701
        assert not window.locator("nav").is_visible()
