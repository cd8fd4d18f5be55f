"""What of a submission may be on a feedback page, cell by cell and output by output: limits to the last character."""

import base64
import time

import nbformat
import pytest
from pages import PNG

from grader.classroom.feedback import safe_cells
from grader.classroom.feedback.safe_cells import LONGEST_TEXT, harmless, readable
from grader.classroom.feedback.safe_html import MOST_NAMED, MOST_TAGS, clean

NOTE = "what follows is left out: the page would be too long"


def output(kind, **data):
    return {"output_type": kind, "data": data}


def printed(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def cells_of(*cells):
    """Harmless cells, of which the checks of nbformat may not hold."""
    usual = {"cell_type": "code", "source": "", "metadata": {}}
    notebook = {"cells": [usual | cell for cell in cells], "nbformat_minor": 5}
    return harmless(nbformat.from_dict(notebook)).cells


def cell_of(*outputs, **parts):
    """A harmless code cell with these outputs."""
    return cells_of({"outputs": list(outputs), **parts})[0]


def shown(**data):
    """What is left of an output's data."""
    return cell_of(output("display_data", **data)).outputs[0].data


# ---- text


def test_a_text_is_cut_behind_its_last_character_that_fits():
    assert readable("abc", 3) == "abc"
    assert readable("abcd", 3) == "abc\n... (1 more characters are left out)"
    assert readable(["ab", "c"], 3) == "abc"
    assert readable(5, 3) == "5"


def test_an_output_has_twenty_thousand_characters_and_a_cell_sixty_outputs():
    assert cell_of(printed("x" * 20_000)).outputs[0].text == "x" * 20_000
    assert cell_of(printed("x" * 20_001)).outputs[0].text.endswith("x\n... (1 more characters are left out)")
    assert len(cell_of(*[printed("a")] * 60).outputs) == 60
    assert [one.text for one in cell_of(*[printed("a")] * 61).outputs[59:]] == ["a", "(1 more outputs are left out)\n"]


@pytest.mark.parametrize(
    ("first", "room"),
    [
        (printed("x" * 100), 100),
        (output("display_data", **{"text/plain": "x" * 100}), 100),
        (output("display_data", **{"text/html": "<b>x</b>"}), 8),
        (output("display_data", **{"image/svg+xml": "<svg></svg>"}), 11),
        (output("display_data", **{"image/png": PNG}), len(PNG)),
        ({"output_type": "error", "traceback": ["x" * 60, "x" * 40]}, 100),
    ],
)
def test_a_page_is_full_when_its_last_character_is_passed(first, room, monkeypatch):
    monkeypatch.setattr(safe_cells, "LONGEST_PAGE", room)
    outputs = cell_of(first, printed("x"), printed("last"), printed("last")).outputs
    assert outputs[1].text == "x"
    assert [one.text for one in outputs[2:]] == [f"({NOTE})\n"]


def test_the_text_of_cells_counts_and_what_follows_a_full_page_is_told_once_in_each_cell(monkeypatch):
    monkeypatch.setattr(safe_cells, "LONGEST_PAGE", 5)
    for cell in cells_of(*[{"source": "123456", "outputs": [printed("a")] * 3}] * 2):
        assert [one.text for one in cell.outputs] == [f"({NOTE})\n"]


def test_markup_and_pictures_have_two_million_characters(monkeypatch):
    html = "<b>" + "x" * (2_000_000 - 7) + "</b>"
    assert shown(**{"text/html": html}) == {"text/html": html}
    assert "text/html" not in shown(**{"text/html": html + "x"})
    # On a page that is almost full, no more than what is left of it.
    html = "<b>x</b>"
    for room, fits in ((8, True), (7, False)):
        monkeypatch.setattr(safe_cells, "LONGEST_PAGE", room)
        assert ("text/html" in shown(**{"text/html": html})) == fits
        assert ("text/html" in shown(**{"image/svg+xml": html})) == fits
    monkeypatch.undo()
    svg = "<svg>" + "x" * (2_000_000 - 5)
    assert "text/html" in shown(**{"image/svg+xml": svg})
    assert "text/html" not in shown(**{"image/svg+xml": svg + "x"})
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(1_499_992)).decode()
    assert len(picture) == 2_000_000
    assert shown(**{"image/png": picture}) == {"image/png": picture}
    assert "image/png" not in shown(**{"image/png": picture + "\n"})


# ---- cells


def test_a_cell_keeps_its_id_and_its_number_if_they_are_such():
    cell = cell_of(id="a" * 100, execution_count=3)
    assert (cell.id, cell.execution_count) == ("a" * 100, 3)
    for name in ("a" * 101, "a b", 5):
        cell = cell_of(id=name, execution_count="3")
        assert "id" not in cell
        assert cell.execution_count is None


@pytest.mark.parametrize(
    ("kind", "becomes"), [("markdown", "markdown"), ("code", "code"), ("raw", "code"), (3, "code")]
)
def test_a_cell_is_code_or_text_and_only_code_has_outputs(kind, becomes):
    cell = cell_of(printed("a"), cell_type=kind)
    assert cell.cell_type == becomes
    assert len(cell.get("outputs", [])) == (kind == "code")


def test_the_marks_of_a_cell_are_each_of_their_type():
    def marks(**given):
        return cell_of(metadata={"nbgrader": {"grade_id": "softmax"} | given}).metadata.get("nbgrader")

    nothing = {"grade": False, "solution": False, "locked": False, "task": False, "points": 0.0, "score": 0.0}
    assert marks() == {"grade_id": "softmax"} | nothing
    given = {
        "grade": True,
        "solution": True,
        "locked": True,
        "task": True,
        "points": 2,
        "score": 1.5,
        "comment": "good",
    }
    assert marks(**given) == {"grade_id": "softmax"} | given
    for odd in (float("nan"), float("inf"), "2", None):
        assert marks(points=odd, score=odd, comment=odd if isinstance(odd, float) else 3) == marks()
    assert marks(comment="x" * 20_001)["comment"].endswith("(1 more characters are left out)")
    for name in ("", "a b", "<b>"):
        assert marks(grade_id=name) is None
    assert cell_of(metadata={"nbgrader": "softmax"}).metadata == {}
    assert cell_of(metadata={"tags": ["a"]}).metadata == {}


def test_of_what_is_attached_to_a_text_pictures_are_kept_and_one_of_each():
    def attached(given):
        return cell_of(cell_type="markdown", attachments=given).attachments

    jpeg = base64.b64encode(b"\xff\xd8\xff.").decode()
    assert attached({"a": {"image/png": PNG, "image/jpeg": jpeg}}) == {"a": {"image/png": PNG}}
    assert attached({"a": {"image/png": "none", "image/jpeg": jpeg}}) == {"a": {"image/jpeg": jpeg}}
    assert attached({"a": {"text/html": "<b>"}, "b": PNG}) == {}
    assert attached([PNG]) == {}


# ---- outputs


def test_an_output_keeps_its_kind_and_one_of_no_known_kind_is_left_out():
    out, err, odd = cell_of(printed("a"), printed("b", "stderr"), printed("c", "other")).outputs
    assert [one.name for one in (out, err, odd)] == ["stdout", "stderr", "stdout"]
    result = output("execute_result", **{"text/plain": "a"}) | {"execution_count": 4}
    kept = cell_of(result, result | {"execution_count": "4"}, {"output_type": "clear"}).outputs
    assert [(one.output_type, one.execution_count) for one in kept] == [("execute_result", 4), ("execute_result", None)]
    assert "execution_count" not in cell_of(output("display_data", **{"text/plain": "a"})).outputs[0]


def test_of_the_forms_of_an_output_the_best_that_can_be_shown_is():
    text = {"text/plain": "a"}
    assert shown(**text, **{"text/html": "<b>b</b>"}) == text | {"text/html": "<b>b</b>"}
    for empty in ("<p> </p>", "<script>x</script>", '<img src="http://x.y">'):
        assert shown(**text, **{"text/html": empty}) == text
    picture = '<img src="data:image/png;base64,AAAA">'
    assert shown(**text, **{"text/html": picture}) == text | {"text/html": picture}
    assert shown(**text, **{"text/markdown": "*b*", "image/png": PNG}) == text | {"text/markdown": "*b*"}
    svg = shown(**text, **{"image/svg+xml": "<svg>\ud800</svg>"})["text/html"]
    assert base64.b64decode(svg.partition("base64,")[2].rstrip('">')) == b"<svg>?</svg>"
    assert shown(**text, **{"text/latex": "$x$"}) == {"text/plain": "$x$"}
    assert shown(**{"text/latex": 3}) == {"text/plain": "(an output of a kind that is not shown here)"}
    for none in ("A", "\xe4", 5):
        assert shown(**text, **{"image/png": none}) == text


def test_an_error_has_its_traceback_or_else_its_name():
    def error(**parts):
        return cell_of({"output_type": "error", "ename": "E", "evalue": "v", **parts}).outputs[0]

    assert error(traceback=["one", 2]).traceback == ["one", "2"]
    for none in ([], "E: v", None):
        kept = error(traceback=none)
        assert (kept.ename, kept.evalue, kept.traceback) == ("E", "v", ["E: v"])


def test_of_a_traceback_the_frames_of_libraries_are_one_word():
    library = "File \x1b[32m/opt/lib/x.py:3\x1b[0m, in f\n inside"
    frames = ["start", library, library, "Cell In[1], line 1\nf()", "File <string>:1", library, "E: v"]
    kept = cell_of({"output_type": "error", "ename": "E", "evalue": "v", "traceback": frames}).outputs[0].traceback
    inside = "(inside a library)\n"
    assert kept == ["start", inside, "Cell In[1], line 1\nf()", "File <string>:1", inside, "E: v"]


def test_of_a_traceback_in_pythons_own_form_the_lines_of_libraries_go():
    lines = [
        "Traceback",
        '  File "/opt/lib/x.py", line 3, in f',
        "    inside()",
        "",
        "    more()",
        '  File "<cell>", line 1',
        "    f()",
        '  File "/opt/lib/y.py", line 3, in g',
        '  File "/opt/lib/z.py", line 3, in h',
        "    inside()",
        "E: v at /opt/lib/site-packages/x.py",
    ]
    given = {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\n".join(lines)]}
    expected = ["Traceback", "", "    more()", '  File "<cell>", line 1', "    f()", "E: v at …/site-packages/x.py"]
    assert cell_of(given).outputs[0].traceback == ["\n".join(expected)]


# ---- HTML


def test_markup_has_five_thousand_tags():
    assert MOST_TAGS == 5_000
    assert clean("<br>" * 5_000) == "<br>" * 5_000
    assert clean("<br>" * 5_001) == "<pre>" + "&lt;br&gt;" * 5_001 + "</pre>"


def test_markup_has_twenty_thousand_signs_that_may_begin_a_name():
    assert MOST_NAMED == 20_000
    assert clean("&" * 20_000) == "&amp;" * 20_000
    assert clean("&<b>" * 2 + "&" * 20_000) == "<pre>" + "&amp;&lt;b&gt;" * 2 + "&amp;" * 20_000 + "</pre>"


@pytest.mark.parametrize("words", ["/a", "/", "//a", "/site-packages", "a", "/a/site-packages/"])
def test_no_output_is_slow_to_be_made_harmless(words):
    text = words * (LONGEST_TEXT // len(words))
    began = time.thread_time()
    cell_of(printed(text))
    assert time.thread_time() - began < 0.5


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ('<img src="http://x.y/z.png" alt="a">b', "b"),
        (
            '<b style="color:RED; position:fixed; margin: -1px; Width :2px">b</b>',
            '<b style="color:RED;width:2px">b</b>',
        ),
        ('<b style="background:url(x)">b</b>', '<b style="">b</b>'),
        ('<td colspan="9999" class="highlight k">b</td>', "b"),
        ('<p class="alert" id="a">b</p>', "<p>b</p>"),
        ('<h2 id="a">b</h2>', '<h2 id="a">b</h2>'),
        ("half \ud800", "half ?"),
    ],
)
def test_markup_keeps_what_is_on_the_lists_and_nothing_else(given, left):
    assert clean(given) == left


def test_a_table_keeps_the_size_of_its_cells_up_to_four_digits():
    table = '<table><tbody><tr><td colspan="{}">b</td></tr></tbody></table>'
    assert clean(table.format(9999)) == table.format(9999)
    assert clean(table.format(10000)) == table.format("").replace(' colspan=""', "")
