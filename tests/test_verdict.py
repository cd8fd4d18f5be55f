"""A verdict as people read it: in a terminal, in a notebook, and as the outputs of a check cell."""

import numpy as np
import pytest

from grader.judging.verdict import LARGEST_TABLE, WIDTH, Advice, Finding, Verdict, cell_outputs, show_value

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
