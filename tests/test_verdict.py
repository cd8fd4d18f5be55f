"""A verdict as people read it: in a terminal, in a notebook, and as the outputs of a check cell."""

import re

import numpy as np
import pytest

from grader.classroom.feedback.safe_html import clean
from grader.judging.showing import LARGEST, WIDTH, show_value
from grader.judging.verdict import (
    LONGEST_PRINTED,
    Advice,
    Finding,
    Printed,
    Score,
    State,
    Verdict,
    cell_outputs,
    no_verdict,
)

ADVICE = Advice("you divide by `n < 2`", "A mean divides by *the* number, a * b by b", "Divide by `n`")
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
    assert "<b>Why it matters:</b> A mean divides by <em>the</em> number, a * b by b<br>" in html
    assert "<b>What to do:</b> Divide by <code>n</code></div>" in html
    assert "<small>NumPy warned</small>" in html
    assert html.endswith("</ul></div>")
    assert "Looks like" not in verdict().text + verdict()._repr_html_()


def test_what_was_tested_is_marked_and_escaped_and_says_what_it_was_worth_when_pointed_at():
    html = verdict()._repr_html_()
    assert 'title="failed, 0 of 1.5 points">✗</span> three &amp; more keys: wrong values</li>' in html
    assert 'title="passed, 0.5 of 0.5 points">✓</span> the <code>rest</code></li>' in html
    assert "  - three & more keys: wrong values\n  + the `rest`" in verdict().text


def test_points_are_read_once():
    shown, score = cell_outputs(verdict())
    seen = re.sub(r"<[^>]*>", "", shown["data"]["text/html"] + score["data"]["text/html"])
    assert seen.count("0.5 of 2 points") == 1
    assert not re.search(r"\d/\d", seen)
    # Not empty: a page of feedback would show the plain number instead.
    assert clean(score["data"]["text/html"]) == '<span title="0.5 of 2 points">&nbsp;</span>'


def test_what_was_not_tried_is_no_failure():
    one = Verdict("a", 0.0, 1.0, (Finding("a loop", False, "not tried", 0.0, 1.0, tried=False),))
    assert "  o a loop: not tried" in one.text
    html = one._repr_html_()
    assert '<span style="opacity:0.7" title="not tried, 0 of 1 point">○</span> a loop: not tried' in html
    assert "✗" not in html
    # The mark follows from the test, not from words.
    assert "✗" in Verdict("a", 0.0, 1.0, (Finding("a loop", False, "not tried"),))._repr_html_()


def test_a_backtick_alone_is_a_backtick():
    assert "a ` alone" in verdict("a ` alone")._repr_html_()


def test_long_words_are_said_once_and_short_ones_every_time():
    long = "it raised ValueError because nothing at all fitted together"
    assert verdict(long, again=True).text.replace("\n   ", "").count("nothing at all") == 1
    assert ": the same" in verdict(long, again=True)._repr_html_()
    assert "the same" not in verdict("wrong values", again=True).text


def test_long_words_that_differ_in_their_numbers_only_are_said_once():
    def told(*shapes):
        words = [f"it raised ValueError (operands of {shape} and (3, 4) do not fit together)" for shape in shapes]
        findings = tuple(Finding(f"case {i}", False, one, 0.0, 1.0) for i, one in enumerate(words))
        return " ".join(Verdict("softmax", 0.0, float(len(words)), findings).text.split())

    assert told("(5,)", "(7, 2)", "(9,)").count("do not fit") == 1
    assert told("(5,)", "(7, 2)", "(9,)").count("the same, with other numbers") == 2
    assert told("(5,)", "(5,)").endswith("case 1: the same")


def test_values_are_shown_at_the_first_failure_only():
    one = verdict(arrays=SMALL, again=True)
    assert one.text.count("expected = [1. 2.]") == one.text.count("you returned = [1.  3.*]") == 1
    assert one._repr_html_().count("<b>expected</b>") == 1


def test_lines_of_values_fit():
    arrays = (("expected", np.arange(60.0).reshape(2, 30)), ("you returned", "x" * 299))
    assert max(map(len, verdict(arrays=arrays).text.splitlines())) <= WIDTH + 3


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.array([True, False]), "[True False]"),
        (np.array([[True, False]]), "[[1 0]]"),
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
    ids=range(11),
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


# ---- what a verdict says of itself


def test_a_finding_is_worth_nothing_and_a_verdict_knows_nothing_unless_they_are_told():
    assert Finding("a", True) == Finding("a", True, "", 0.0, 0.0, (), True)
    assert Verdict("a", 0.0, 1.0, ()) == Verdict("a", 0.0, 1.0, (), (), (), True, (), None, "", None, False)
    assert 'title="passed"' in Verdict("a", 0.0, 1.0, (Finding("a", True),))._repr_html_()


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
    assert one.text == "a: no verdict, 0 of 2 points\n  o why"
    assert "○</span> why</li>" in one._repr_html_()
    assert no_verdict("a", 2.0, "why", State.NOT_READABLE).state is State.NOT_READABLE


def test_points_are_a_number():
    score = Score(verdict())
    assert (score, repr(score)) == (0.5, "0.5")


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
    value = ["word"] * 16
    lines = verdict(arrays=(("expected", value),)).text.splitlines()
    start = lines.index("      expected =") + 1
    assert lines[start].startswith("        ['word'")
    assert lines[start + 1].startswith("         'word'")
    assert all(len(line) <= WIDTH for line in lines)


def test_numbers_that_look_alike_in_four_digits_are_shown_in_nine():
    near = (("expected", np.array([1.0])), ("you returned", np.array([1.00001])))
    assert "you returned = [1.00001*]" in verdict(arrays=near).text
    far = (("expected", np.array([1.0, 2.0])), ("you returned", np.array([1.00001, 3.0])))
    assert ">1.00001*</td>" in verdict(arrays=far)._repr_html_()
    assert "you returned = [1.1235*]" in verdict(arrays=(near[0], ("you returned", np.array([1.12345])))).text
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
        (np.zeros((0, 3)), False),
        (np.zeros(()), False),
        (np.zeros((2, 1, 1)), True),
        (1.0, False),
    ],
    ids=range(6),
)
def test_arrays_are_tables(value, table):
    html = verdict(arrays=(("expected", value),))._repr_html_()
    assert ("<table" in html) == table
    assert ("<pre" in html) != table
    if table:
        assert html.count("<tr") == html.count("</tr>") == 1 + np.atleast_2d(value).shape[-2]


def test_an_odd_backtick_makes_no_code_and_a_new_line_is_one():
    html = verdict("a `b` c\nd")._repr_html_()
    assert "a <code>b</code> c<br>d" in html
    assert "`a` `b" in verdict("`a` `b")._repr_html_()


# ---- which part of a value is shown, and what differs in it


def compared(expected, got, **others):
    return verdict(arrays=(*others.items(), ("expected", expected), ("you returned", got)))


def test_what_differs_is_marked_by_more_than_a_colour():
    got = np.array([[1.0, 2.0], [0.25, 4.0]])
    one = compared(np.array([[1.0, 2.0], [3.0, 4.0]]), got)
    assert "you returned =\n        [[1.    2.   ]\n         [0.25* 4.   ]]" in one.text
    assert "      * differs from what is expected: 1 of 4 entries" in one.text
    html = one._repr_html_()
    (marked,) = re.findall(r"<td[^>]*>[^<]*[*]</td>", html)
    assert "font-weight:bold" in marked
    assert 'title="differs: expected 3">0.25*' in marked
    assert "* differs from what is expected: 1 of 4 entries</small>" in html
    assert "all 4 entries" in compared(got + 1, got).text
    assert "differs" not in compared(got, np.ones((3, 2))).text + compared(0.5, 0.25).text


def test_marks_follow_the_tolerance_of_the_comparison():
    expected = np.array([1.0, 2.0])
    assert "1 of 2 entries" in compared(expected, np.array([1.000001, 3.0])).text
    assert "all 2 entries" in compared(expected, np.array([1.00001, 3.0])).text
    assert "1 of 2 entries" in compared(expected, np.array([1.0001, 3.0], np.float32)).text
    assert "2 of 3 entries" in compared(np.array([np.nan, 1, 2]), np.array([np.nan, np.nan, np.inf])).text


def test_tables_have_captions_and_indices():
    html = compared(np.zeros((2, 3)), np.ones((2, 3)), x=np.ones(2))._repr_html_()
    x, expected, got = html.split("<table")[1:]
    assert re.findall(r"<th scope=\"(\w+)\"[^>]*>(\d)</th>", x) == [("col", "0"), ("col", "1")]
    heads = [("col", "0"), ("col", "1"), ("col", "2"), ("row", "0"), ("row", "1")]
    assert re.findall(r"<th scope=\"(\w+)\"[^>]*>(\d)</th>", expected) == heads
    assert [re.search("<caption.*<b>(.*)</b>.*</caption>", table)[1] for table in (x, expected, got)] == [
        "x",
        "expected",
        "you returned",
    ]


def test_a_long_array_is_cut_to_where_it_differs_first_and_so_is_one_like_it():
    expected = np.arange(40.0 * 384).reshape(40, 384)
    got, other = expected.copy(), -expected
    got[12, 200] = got[39, 5] = 0.5
    one = compared(expected, got, X=other, W=expected.T)
    part = "rows 11 to 18 of 40, columns 199 to 206 of 384"
    assert one.text.count(f"({part}) =") == 3
    assert "W (rows 0 to 7 of 384, columns 0 to 7 of 40) =" in one.text
    assert "0.5*" in one.text
    assert "2 of 15,360 entries" in one.text
    html = one._repr_html_()
    assert html.count(f"<small>{part}</small>") == 3
    assert html.count("<td") == 4 * (8 * 8 + 1)
    got_table = html.split("<table")[4]
    assert re.findall(r"scope=\"row\"[^>]*>(\d+)<", got_table) == [str(i) for i in range(11, 19)]
    assert re.findall(r"scope=\"col\"[^>]*>(\d+)<", got_table) == [str(i) for i in range(199, 207)]
    assert len(one.text) < 5_000


@pytest.mark.parametrize(
    ("size", "place", "part"),
    [
        (LARGEST, 7, ""),
        (LARGEST + 1, 0, "numbers 0 to 7 of 9"),
        (LARGEST + 1, 8, "numbers 1 to 8 of 9"),
        (40, 10, "numbers 9 to 16 of 40"),
        (40, 39, "numbers 32 to 39 of 40"),
    ],
)
def test_the_part_of_a_vector_has_the_place_where_it_differs(size, place, part):
    got = np.zeros(size)
    got[place] = 7
    text = compared(np.zeros(size), got).text
    assert (f"you returned ({part}) =" if part else "you returned =") in text
    assert text.count("7.*") == 1


def test_of_more_than_two_axes_the_first_slice_that_differs_is_shown():
    expected = np.zeros((3, 2, 4, 9))
    got = expected.copy()
    got[1, 1, 2, 8] = 5
    one = compared(expected, got)
    assert "you returned (slice [1, 1] of shape (3, 2, 4, 9), columns 1 to 8 of 9) =" in one.text
    assert "5.*" in one.text
    assert ">5*</td>" in one._repr_html_()
    assert (
        "expected (slice [0] of shape (2, 1, 1)) = [[0.]]" in verdict(arrays=(("expected", np.zeros((2, 1, 1))),)).text
    )


def test_arrays_of_other_shapes_are_cut_without_marks():
    one = compared(np.zeros((40, 3)), np.zeros((3, 40)))
    assert "expected (rows 0 to 7 of 40) =" in one.text
    assert "you returned (columns 0 to 7 of 40) =" in one.text
    assert "*" not in one.text


@pytest.mark.parametrize(
    ("expected", "got", "part", "first"),
    [
        (list(range(40)), [*range(30), *range(31, 41)], "items 24 to 39 of 40", "item 30"),
        (list(range(40)), list(range(20)), "items 4 to 19 of 20", "item 20"),
        (["a", "b"], ["a", "c"], "", "item 1"),
        (["a"], [], "", "item 0"),
        (["a"] * 17, ["a"] * 16 + ["b"], "items 1 to 16 of 17", "item 16"),
        ([1], [True], "", "item 0"),
        ("a" * 400 + "b", "a" * 401, "characters 360 to 400 of 401", "character 400"),
        ("ab", "ac", "", "character 1"),
    ],
    ids=range(8),
)
def test_lists_and_texts_say_where_they_differ_first(expected, got, part, first):
    one = compared(expected, got)
    assert f"      They differ first at {first}, counted from 0." in one.text
    assert (f"you returned ({part}) =" if part else "you returned =") in one.text
    assert f"They differ first at {first}" in one._repr_html_()
    assert max(map(len, one.text.splitlines())) <= WIDTH + 3


def test_values_of_which_nothing_differs_say_nothing_of_it():
    assert "differ" not in compared([1, 2], [1, 2]).text + compared("a", ["a"]).text


@pytest.mark.parametrize("width", [1, 4, 8])
def test_lines_with_marks_fit(width):
    got = np.arange(8.0 * width).reshape(8, width) / 7 - 33333
    assert max(map(len, compared(got + 1, got).text.splitlines())) <= WIDTH
    assert compared(got + 1, got).text.count("*") == 8 * width + 1


# ---- what a function printed


def test_what_was_printed_is_folded_and_the_text_has_its_first_lines():
    printed = Printed.by(["", "one\n<two>\n3\n4\n5\n6\n", "other"])
    assert printed == Printed("one\n<two>\n3\n4\n5\n6", 2, 3)
    one = Verdict("a", 1.0, 1.0, (), printed=printed)
    head = "Your function printed something in 2 of 3 calls; the first time"
    assert one.text.split("\n")[1:] == [
        f"  . {head}:",
        *["      | one", "      | <two>", "      | 3", "      | 4", "      | ... (2 more lines)"],
    ]
    html = one._repr_html_()
    assert f"<summary><small>{head}</small></summary>" in html
    assert ">one\n&lt;two&gt;\n3\n4\n5\n6</pre></details>" in html
    assert "printed" not in verdict().text
    assert Printed.by(["", " \n"]) is None


def test_what_was_printed_is_cut_and_commands_a_terminal_nothing():
    printed = Printed.by(["x" * (LONGEST_PRINTED + 1), ""])
    assert printed.text == "x" * LONGEST_PRINTED + "\n... (1 more characters)"
    assert Printed.by(["x" * LONGEST_PRINTED]).text == "x" * LONGEST_PRINTED
    one = Verdict("a", 1.0, 1.0, (), printed=Printed.by(["\x1b[2J\t" + "x" * 200]))
    text = one.text
    assert "\x1b" not in text + one._repr_html_()
    assert "\\x1b[2J    xx" in text
    assert max(map(len, text.splitlines())) <= WIDTH


# ---- what is said first, and what a page of feedback keeps


def test_a_notice_stands_before_all_else():
    one = Verdict("a", 0.0, 1.0, (), ("mistake",), (ADVICE,), notice="this is `old`")
    assert one.text.split("\n")[1] == "  ! this is `old`"
    html = one._repr_html_()
    assert html.index("<b>Note:</b> this is <code>old</code>") < html.index("Looks like")
    assert "Note" not in verdict()._repr_html_()


def test_a_page_of_feedback_keeps_a_whole_verdict():
    got = np.zeros((9, 4))
    html = Verdict(
        "a",
        0.0,
        1.0,
        (
            Finding("x", False, "wrong", 0.0, 1.0, (("expected", got), ("you returned", got + 1))),
            Finding("y", False, "not tried", tried=False),
        ),
        ("mistake",),
        (ADVICE,),
        notice="old",
        printed=Printed("a < b", 1, 1),
    )._repr_html_()
    for kept in ("<caption", 'scope="row"', 'scope="col"', "<details", "<summary>", 'title="differs: expected 0"'):
        assert kept in clean(html)
    # All that a sanitizer changes is how it writes the same.
    assert re.sub(r"[\s;]", "", clean(html)) == re.sub(r"[\s;]", "", html)
