"""The instructor's page, from records as grading writes them: what it says."""

import re
import statistics
from dataclasses import replace

import pytest
from pages import serious
from reported import (
    FULL,
    LAYOUT,
    PART,
    TOTAL,
    Reader,
    class_of,
    class_of_eight,
    course_in,
    in_words,
    mistakes_in,
    nameless,
    page_of,
    part_of,
    record,
    rows_of,
    tiles,
    verdict,
)

from grader.classroom.records import ExerciseRecord
from grader.classroom.report import write_report
from grader.errors import CourseError
from grader.exercises import BANK
from grader.judging.diagnose import GENERAL
from grader.judging.verdict import State

pytestmark = pytest.mark.more


@pytest.fixture
def course(tmp_path):
    """Return a course of the test's own."""
    return course_in(tmp_path)


@pytest.fixture
def eight(course):
    """The page of the class of eight."""
    return page_of(course, class_of_eight())


def test_the_top_has_the_numbers_that_matter(eight):
    points = [one.points for one in class_of_eight()]
    said = tiles(eight)
    assert said[0] == "8submissions; 1 notebook of theirs not handed in"
    quartiles = statistics.quantiles(points, n=4, method="inclusive")
    first, median, third, mean = map(in_words, (*quartiles, statistics.mean(points)))
    assert said[1] == f"{median} of {in_words(TOTAL)}median; the middle half of the class has {first} to {third}"
    assert said[2].startswith(f"{mean} of {in_words(TOTAL)}mean")
    assert said[3] == "1submission with a failure worth a look; 2 needed a repair"


def test_each_mistake_has_its_count_its_words_and_its_students_the_most_frequent_first(eight):
    columns, maximum = (
        next(one.looks_like for one in BANK["softmax"].misconceptions if one.id == name)
        for name in ("columns", "not-normalised")
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
    columns = next(one for one in BANK["softmax"].misconceptions if one.id == "columns")
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
    columns = next(one for one in BANK["softmax"].misconceptions if one.id == "columns")
    alone, together = (4 - verdict("softmax", how).points for how in (("columns",), ("columns", "not-normalised")))
    colder = 2 - verdict("softmax_with_temperature", ("columns",)).points
    assert len(topics) == 3
    assert topics[0].text.startswith(f"“{columns.looks_like}”3 students, ")
    # Two students have this mistake alone; the loss of the third is shared with another mistake.
    cost = f"{2 * alone + together / 2 + colder:.1f}".removesuffix(".0")
    assert f"{cost} points lost, in softmax (3), softmax_with_temperature (1)" in topics[0].text
    assert columns.cure.replace("`", "") in topics[0].text
    for words in (GENERAL["returns-none"].looks_like, GENERAL["returns-none"].cause):
        assert words.replace("`", "") in topics[1].text


def test_a_slip_is_one_topic_in_whatever_words_and_a_letter_one_in_each_prediction(course):
    how = {"context_vector": ("best-only",), "play-context": ("best-only",)}
    letters = {"predict-nearest": ("chose-a",), "predict-scores": ("chose-b",), "predict-softmax": ("chose-b",)}
    page = page_of(course, [record("ada", how), record("ben", {**how, **letters}), record("chen")])
    first, *others = [one.text for one in part_of(page, "tomorrow").all("ol")[0].all("li")]
    assert "2 students" in first
    assert "context_vector (2), play-context (2)" in first
    assert len(others) == 2
    assert all("in predict-" in one and ", predict-" not in one for one in others)


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
    points = [one.points for one in class_of_eight()]
    assert sum(int(number) for *_, number in ranges) == 8
    for low, high, number in ranges:
        assert int(number) == sum(float(low) <= one < float(high) or one == float(high) == TOTAL for one in points)
    assert [text.text for text in histogram.all("text")][-1] == in_words(TOTAL)


def test_marks_have_a_row_for_each_student_and_a_mean(eight):
    table = part_of(eight, "marks").all("table")[0]
    rows = {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in table.all("tr") if row.all("td")}
    assert rows["ada"] == [*map(in_words, [*FULL.values(), TOTAL]), ""]
    assert rows["chen"][: len(FULL) + 1] == ["0"] * (len(FULL) + 1)
    there = [in_words(full) if name != "2-scores" else "0 missing" for name, full in FULL.items()]
    assert rows["hana"] == [*there, in_words(TOTAL - FULL["2-scores"]), "repair"]
    assert rows["gus"][-1] == "failure, time limit"
    mean = statistics.mean(one.points for one in class_of_eight())
    assert rows["mean"][len(FULL)] == in_words(mean)


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
    assert [row[-3:-1] for row in rows] == [["3.5", in_words(TOTAL + 3.5)], *[["–", f"({in_words(TOTAL)})"]] * 2]


def test_points_that_were_changed_by_hand_count_where_nothing_is_written(course):
    records = [record("ada", written_points=0.0), record("ben", written_points=0.0)]
    unchanged, changed = (page_of(course, records, {"ada": points, "ben": 0.0}) for points in (0.0, -1.5))
    assert "by hand" not in part_of(unchanged, "marks").text
    row = part_of(changed, "marks").all("tbody")[0].all("tr")[0]
    assert [cell.text for cell in row.all("td")][-3:-1] == ["-1.5", in_words(TOTAL - 1.5)]
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
    points = TOTAL - LAYOUT["3-softmax"]["softmax"]
    reached = f"{in_words(points)} of {in_words(TOTAL)}points in the checked exercises, {points / TOTAL:.0%}"
    assert tiles(page)[:2] == ["1submission, with every notebook", reached]
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


# ---- what failed without a name


def groups_in(page):
    """The groups of answers that failed without a name: exercise, names, and the answer that is shown."""
    return [
        (
            one.all("code")[0].text,
            [name.text for name in one.all("bdi")],
            "".join("".join(pre.children) for pre in one.all("pre")),
        )
        for top in part_of(page, "unnamed").all("ol")
        for one in top.all("li")
    ]


def test_answers_that_fail_alike_without_a_name_are_together_the_largest_group_first(course):
    page = page_of(
        course,
        [
            nameless(record("ada"), "a", "alone = 1", "dot_scores"),
            nameless(record("ben"), "b", "longer = 12"),
            nameless(record("chen"), "b", "short = 1"),
            nameless(nameless(record("dora"), "b", ""), "a", "second = 1\n", "entropy"),
            nameless(record("emil"), "c", "odd = 1"),
            record("fay"),
        ],
    )
    assert groups_in(page) == [
        ("softmax", ["ben", "chen", "dora"], "short = 1"),
        ("dot_scores", ["ada"], "alone = 1"),
        ("softmax", ["emil"], "odd = 1"),
        ("entropy", ["dora"], "second = 1"),
    ]
    assert "3 students" in part_of(page, "unnamed").all("li")[0].text
    assert "personal" in part_of(page, "unnamed").attributes["class"]
    assert mistakes_in(page, "softmax") == [
        (4, "failed, and no known mistake was recognised", ["ben", "chen", "dora", "emil"])
    ]


def test_answers_of_which_nobody_knows_what_they_return_are_not_alike(course):
    page = page_of(course, [nameless(record(name), "", "") for name in ("ada", "ben")])
    assert groups_in(page) == [("softmax", ["ada"], ""), ("softmax", ["ben"], "")]
    assert not part_of(page, "unnamed").all("details")


def test_the_names_of_a_large_group_are_folded_under_its_count(course):
    (group,) = part_of(page_of(course, [nameless(record(name), "a", "") for name in "abcde"]), "unnamed").all("li")
    assert group.text.startswith("softmax: 5 studentsa, b")
    assert [one.text for one in group.all("bdi")] == list("abcde")


def test_many_groups_are_folded_but_for_the_largest(course):
    page = page_of(course, [nameless(record(f"s{i:02}"), str(i), f"x = {i}") for i in range(20)])
    shown, folded = part_of(page, "unnamed").all("ol")
    assert (len(shown.all("li")), len(folded.all("li"))) == (12, 8)
    assert "8 smaller groups" in part_of(page, "unnamed").text


def test_where_each_failure_has_a_name_the_page_says_so(eight):
    assert part_of(eight, "unnamed").text.endswith("Every function that failed has a mistake with a name.")


def test_a_thousand_sentences_about_one_notebook_are_cut(course):
    page = page_of(course, [record("ada", notebooks={"2-scores": {"repairs": ("put back " + "y" * 5000,) * 1000}})])
    lines = part_of(page, "look").all("dd")
    assert len(lines) == 13
    assert "988 more" in lines[-1].text
    assert len(lines[0].text) < 500


def test_a_part_without_records_or_notebooks_is_refused(course):
    with pytest.raises(CourseError, match="there is no part '9-nothing'; there are: 1-context-vectors"):
        write_report(course, "9-nothing", [])


def test_records_of_notebooks_that_are_gone_are_still_shown(course):
    old = record("ada")
    notebook = old.notebooks.pop("3-softmax")
    gone = ExerciseRecord("gone", 0.0, 2.0, State.NOT_YET_RIGHT, {"odd-one": "you <b>did</b>"}, "")
    old.notebooks["0-old"] = replace(notebook, exercises=(*notebook.exercises, gone))
    page = page_of(course, [old])
    assert mistakes_in(page, "gone") == [(1, "you <b>did</b>", ["ada"])]


@pytest.mark.page
@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1280)])
def test_axe_finds_nothing_serious(course, chromium, tmp_path, scheme, width):
    page, _ = write_report(course, PART, class_of_eight())
    assert serious(chromium, page.read_text("utf-8"), tmp_path / "report.html", scheme, width) == []
