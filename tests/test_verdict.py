"""A verdict as people read it: in a terminal, in a notebook, and as the outputs of a check cell."""

import numpy as np
import pytest

from grader.judging.verdict import (
    LARGEST_TABLE,
    WIDTH,
    Advice,
    Finding,
    Score,
    State,
    Verdict,
    cell_outputs,
    no_verdict,
    show_value,
)

ADVICE = Advice("you divide by `n < 2`", "A mean divides by the number", "Divide by `n`")
SMALL = (("expected", np.array([1.0, 2.0])), ("you returned", np.array([1.0, 3.0])))


def verdict(words="wrong values", arrays=(), advice=(), notes=(), tested="three & more keys", again=False):
    """A verdict with one finding that failed, twice if it is said again, and one that did not."""
    failed = Finding(tested, False, words, 0.0, 1.5, arrays)
    findings = (failed, *([failed] if again else []), Finding("the `rest`", True, "", 0.5, 0.5))
    return Verdict("softmax", 0.5, 2.0, findings, ("mistake",) if advice else (), advice, notes=notes)


def test_advice_is_in_the_text_and_in_the_page_with_its_code_set_as_code():
    one = verdict(advice=(ADVICE,), notes=("NumPy warned",))
    for line in (
        "Looks like: you divide by `n < 2`.",
        "Why it matters: A mean",
        "What to do: Divide",
        ". NumPy warned",
    ):
        assert line in one.text
    html = one._repr_html_()
    assert "<b>Looks like:</b> you divide by <code>n &lt; 2</code>.<br>" in html
    assert "<b>Why it matters:</b> A mean divides by the number<br>" in html
    assert "<b>What to do:</b> Divide by <code>n</code></div>" in html
    assert "<small>NumPy warned</small>" in html
    assert html.endswith("</ul></div>")
    assert "Looks like" not in verdict().text + verdict()._repr_html_()


def test_what_was_tested_is_marked_and_escaped_with_what_it_was_worth():
    html = verdict()._repr_html_()
    assert 'title="failed">✗</span> three &amp; more keys <small>(0/1.5)</small>: wrong values</li>' in html
    assert 'title="passed">✓</span> the <code>rest</code> <small>(0.5/0.5)</small></li>' in html
    assert "  - three & more keys: wrong values\n  + the `rest`" in verdict().text


def test_a_backtick_alone_is_a_backtick():
    assert "a ` alone" in verdict("a ` alone")._repr_html_()


def test_long_words_are_said_once_and_short_ones_every_time():
    long = "it raised ValueError because nothing at all fitted together"
    assert verdict(long, again=True).text.replace("\n   ", "").count("nothing at all") == 1
    assert ": the same" in verdict(long, again=True)._repr_html_()
    assert "the same" not in verdict("wrong values", again=True).text


def test_values_are_shown_at_the_first_failure_only():
    one = verdict(arrays=SMALL, again=True)
    assert one.text.count("expected = [1. 2.]") == one.text.count("you returned = [1. 3.]") == 1
    assert one._repr_html_().count("<small>expected</small>") == 1


@pytest.mark.parametrize(
    ("largest", "heat"), [(LARGEST_TABLE, False), (LARGEST_TABLE + 1, True), (40, True), (41, False)]
)
def test_large_matrices_are_compared_by_a_table_of_their_difference(largest, heat):
    one = verdict(arrays=(("expected", np.zeros((largest, 2))), ("you returned", np.ones((largest, 2)))))
    assert ("difference from the expected result" in one._repr_html_()) == heat
    assert ("<small>expected</small>" in one._repr_html_()) != heat


def test_lines_of_values_fit():
    arrays = (("expected", np.arange(60.0).reshape(2, 30)), ("you returned", "x" * 299))
    assert max(map(len, verdict(arrays=arrays).text.splitlines())) <= WIDTH + 3


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.array([True, False]), "[1 0]"),
        (np.array([0.00001, 1.0]), "[0. 1.]"),
        (np.array([0.5, 99999.0]), "[    0.5 99999. ]"),
        (np.array([0.5, 100000.0]), "[5.e-01 1.e+05]"),
        (np.array([]), "[]"),
        (2 / 3, "0.666667"),
        ([np.array([1]), np.array([2])], "[1]\n[2]"),
        ("x" * 298, repr("x" * 298)),
        ("x" * 299, "'" + "x" * 296 + "..."),
        (None, "None"),
    ],
    ids=range(10),
)
def test_a_value_is_shown_as_short_text(value, shown):
    assert show_value(value) == shown


def test_a_check_cell_shows_the_verdict_and_then_the_points_that_nbgrader_reads():
    shown, points = cell_outputs(verdict(), 7)
    assert shown["output_type"] == "display_data"
    assert shown["data"]["text/plain"].startswith("softmax: ")
    assert 'class="verdict"' in shown["data"]["text/html"]
    assert (points["output_type"], points["execution_count"]) == ("execute_result", 7)
    assert points["data"]["text/plain"] == "0.5"
    assert "0.5 of 2 points" in points["data"]["text/html"]


# ---- what a verdict says of itself


def test_a_finding_is_worth_nothing_and_a_verdict_knows_nothing_unless_they_are_told():
    assert Finding("a", True) == Finding("a", True, "", 0.0, 0.0, ())
    assert Verdict("a", 0.0, 1.0, ()) == Verdict("a", 0.0, 1.0, (), (), (), True, (), None)
    assert "<small>" not in Verdict("a", 0.0, 1.0, (Finding("a", True),))._repr_html_()


@pytest.mark.parametrize(
    ("points", "attempted", "state", "colour"),
    [
        (2.0, True, State.CORRECT, "#009E73"),
        (2.5, True, State.CORRECT, "#009E73"),
        (0.5, True, State.PARTLY_RIGHT, "#E69F00"),
        (0.0, True, State.NOT_YET_RIGHT, "#D55E00"),
        (0.0, False, State.NOT_ATTEMPTED, "#56B4E9"),
    ],
)
def test_points_and_an_attempt_make_the_state_and_its_colour(points, attempted, state, colour):
    one = Verdict("a", points, 2.0, (), attempted=attempted)
    assert one.state is state
    assert one.passed == (points >= 2)
    assert f"border-left:5px solid {colour};" in one._repr_html_()
    assert str(one) == one.text == f"a: {state}, {points:g} of 2 points"


def test_where_nobody_could_judge_the_reason_stands_and_nothing_is_earned():
    one = no_verdict("a", 2.0, "why")
    assert (one.state, one.points, one.max_points, one.passed) == (State.NO_VERDICT, 0.0, 2.0, False)
    assert one.text == "a: no verdict, 0 of 2 points\n  - why"
    assert "why <small>(0/2)</small>" in one._repr_html_()
    assert no_verdict("a", 2.0, "why", State.NOT_READABLE).state is State.NOT_READABLE


def test_points_are_a_number_that_says_of_how_many():
    score = Score(verdict())
    assert (score, repr(score)) == (0.5, "0.5")
    assert "0.5 of 2 points" in score._repr_html_()


def test_the_first_of_several_mistakes_is_the_diagnosis():
    assert Verdict("a", 0.0, 1.0, (), ("first", "second")).diagnosis == "first"
    assert verdict().diagnosis is None


def test_advice_stands_between_empty_lines():
    lines = verdict(advice=(ADVICE, ADVICE)).text.split("\n")
    assert [i for i, line in enumerate(lines) if not line] == [1, 5, 9]


def test_fifty_characters_are_said_again_and_one_more_is_not():
    assert "the same" not in verdict("x" * 50, again=True).text
    assert verdict("x" * 51, again=True).text.count("x" * 51) == 1


def test_words_are_not_torn_at_their_hyphens():
    text = verdict("long-winded " * 30).text
    assert not any(line.endswith("-") for line in text.splitlines())
    assert max(map(len, text.splitlines())) <= WIDTH
    long = "long-winded " * 20
    assert not any(line.endswith("-") for line in verdict(arrays=(("expected", long),)).text.splitlines())


@pytest.mark.parametrize(("length", "lines"), [(WIDTH + 3, 1), (WIDTH + 4, 2)])
def test_a_value_stands_beside_its_name_as_long_as_the_line_fits(length, lines):
    value = "x" * (length - len("      expected = ''"))
    shown = [
        line for line in verdict(arrays=(("expected", value),)).text.splitlines() if "xx" in line or "ed =" in line
    ]
    assert len(shown) == lines
    assert len(shown[0]) == (length if lines == 1 else len("      expected ="))


def test_a_long_value_is_folded_to_lines_that_begin_with_a_space():
    value = ["word"] * 20
    lines = verdict(arrays=(("expected", value),)).text.splitlines()
    start = lines.index("      expected =") + 1
    assert lines[start].startswith("        ['word'")
    assert lines[start + 1].startswith("         'word'")
    assert all(len(line) <= WIDTH for line in lines)


def test_numbers_that_look_alike_in_four_digits_are_shown_in_nine():
    near = (("expected", np.array([1.0])), ("you returned", np.array([1.0000001])))
    assert "you returned = [1.0000001]" in verdict(arrays=near).text
    assert ">1.0000001</td>" in verdict(arrays=near)._repr_html_()
    assert "you returned = [1.1235]" in verdict(arrays=(near[0], ("you returned", np.array([1.12345])))).text
    assert "expected = [1.1235]" in verdict(arrays=(("expected", np.array([1.12345])),)).text


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (np.True_, "True"),
        (np.int64(100000), "100000"),
        (0.0, "0"),
        (1e-4, "0.0001"),
        (0.00009, "9.0e-05"),
        (-99999.5, "-99999.5"),
        (1e5, "1.0e+05"),
        (np.nan, "nan"),
        (-np.inf, "-inf"),
        (2.50, "2.5"),
    ],
)
def test_a_number_of_a_table_is_short(number, shown):
    html = verdict(arrays=(("expected", np.array([number])),))._repr_html_()
    assert f">{shown}</td>" in html


@pytest.mark.parametrize(
    ("value", "table"),
    [
        (np.zeros(8), True),
        (np.zeros((8, 8)), True),
        (np.zeros(9), False),
        (np.zeros((1, 9)), False),
        (np.zeros((0, 3)), False),
        (np.zeros(()), False),
        (np.zeros((1, 1, 1)), False),
        (1.0, False),
    ],
    ids=range(8),
)
def test_small_vectors_and_matrices_are_tables(value, table):
    html = verdict(arrays=(("expected", value),))._repr_html_()
    assert ("<table" in html) == table
    assert ("<pre" in html) != table
    if table:
        assert html.count("<tr") == html.count("</tr>") == np.atleast_2d(value).shape[0]


def heat(got, expected):
    html = verdict(arrays=(("x", np.ones(2)), ("expected", expected), ("you returned", got)))._repr_html_()
    return [cell.split(")")[0] for cell in html.split("rgba(213,94,0,")[1:]]


def test_the_darkest_place_of_a_difference_is_the_largest():
    got = np.zeros((9, 1))
    got[:4, 0] = [2, 1, np.nan, -2]
    assert heat(got, np.zeros((9, 1)))[:5] == ["1.00", "0.50", "1.00", "1.00", "0.00"]
    assert set(heat(np.full((9, 1), np.nan), np.zeros((9, 1)))) == {"1.00"}
    assert set(heat(np.ones((9, 1)), np.ones((9, 1)))) == {"1.00"}
    for other in (np.zeros((9, 2)), [1.0], np.zeros(9)):
        assert heat(other, np.zeros((9, 1))) == []
    assert heat(np.zeros(9), np.zeros(9)) == []


def test_an_odd_backtick_makes_no_code_and_a_new_line_is_one():
    html = verdict("a `b` c\nd")._repr_html_()
    assert "a <code>b</code> c<br>d" in html
    assert "`a` `b" in verdict("`a` `b")._repr_html_()
