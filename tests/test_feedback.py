"""Feedback pages: what they say about a submission, and that nothing in a submission can use them."""

import base64
import re
from dataclasses import replace

import nbformat
import pytest
from courseware import ROOT, read
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from pages import (
    HOSTILE,
    HOSTILE_MARKDOWN,
    NOTEBOOK,
    PART,
    PNG,
    TWISTED,
    graded,
    harm_in,
    hostile_notebook,
    notebook_of,
    output,
    serious,
    text_of,
)
from traitlets.config import Config

from grader.classroom.course import Course
from grader.classroom.feedback.formula import NotKnown, mathml
from grader.classroom.feedback.pages import FeedbackPage, Summary, render_markdown
from grader.classroom.feedback.safe_cells import LONGEST_TEXT, MOST_OUTPUTS, harmless
from grader.classroom.feedback.safe_html import ATTRIBUTES, ELEMENTS, MOST_TAGS, clean, policy
from grader.classroom.records import ExerciseRecord, NotebookRecord, Record, write_record
from grader.desk.sample_class import Misunderstood
from grader.errors import CourseError
from grader.exercises import BANK
from grader.judging.judge import judge

pytestmark = pytest.mark.page


@pytest.fixture
def course(tmp_path):
    """Give a course of which only the folder of grading matters."""
    config = Config()
    config.CourseDirectory.root = str(tmp_path)
    config.CourseDirectory.submitted_directory = "grading/submitted"
    return Course(config)


def feedback(notebook, course, student="ada", score=5.0):
    """Return the feedback page of a graded notebook, with nbgrader's template but no gradebook."""
    folders = CourseDirectory(config=course.config)
    exporter = FeedbackPage(config=GenerateFeedback(coursedir=folders, config=course.config).config)
    exporter.register_preprocessor(Summary, enabled=True)
    exporter.register_preprocessor("nbconvert.preprocessors.CSSHTMLHeaderPreprocessor", enabled=True)
    about = {"student": student, "assignment": PART, "notebook": NOTEBOOK}
    about |= {"score": score, "max_score": 15.0, "late_penalty": 0.0}
    return exporter.from_notebook_node(notebook, {"nbgrader": about})[0]


# ---- what a page says


def test_a_page_begins_with_each_exercise_its_points_and_the_named_mistake(course):
    record(course)
    page = text_of(feedback(graded(), course))
    verdict = judge("softmax", Misunderstood.softmax, 1)
    assert f"softmax {verdict.points:g} of 4 looks like: {verdict.advice[0].looks_like.replace('`', '')}" in page
    assert "predict-softmax 0 of 1 see below" in page


def test_a_verdict_keeps_its_look(course):
    page = feedback(graded(), course)
    assert "border-left:5px solid" in page
    assert "background:rgba(128, 128, 128, 0.12)" in page
    for exercise in ("softmax", "entropy"):
        verdict = judge(exercise, getattr(Misunderstood, exercise), 1)
        assert " ".join(verdict.advice[0].cure.replace("`", "").split()) in text_of(page)
        for label in ("expected", "you returned"):
            assert f"<small><b>{label}</b></small>" in page


@pytest.mark.parametrize("name", sorted(set(BANK) & set(vars(Misunderstood))))
def test_cleaning_a_verdict_changes_nothing_that_is_seen(name):
    html = judge(name, getattr(Misunderstood, name), 1)._repr_html_()
    styles = [
        sorted(part.replace(" ", "").rstrip(";") for part in re.findall(r"style=[\"']([^\"']*)", one))
        for one in (html, clean(html))
    ]
    assert styles[0] == styles[1]
    assert text_of(html) == text_of(clean(html))


def record(course, sandboxed=True, notes=(), exercises=None, **own):
    """Write Ada's record: two mistakes, and what else is said here."""
    if exercises is None:
        verdicts = [judge(name, getattr(Misunderstood, name), 1) for name in ("softmax", "entropy")]
        exercises = tuple(ExerciseRecord.of(verdict, verdict.max_points) for verdict in verdicts)
    notebook = NotebookRecord("graded", f"{NOTEBOOK}.ipynb", (), (), False, exercises)
    write_record(course, Record("ada", PART, "", sandboxed, 0.0, notes, {}, {NOTEBOOK: replace(notebook, **own)}))


def test_a_page_says_what_was_mended_and_what_went_wrong(course):
    record(
        course,
        status="graded",
        file="3-softmax (1).ipynb",
        repairs=("The check cell `softmax` had been deleted; it was put back.",),
        failures=("The cell softmax-answer ran for more than 30 seconds, so it was stopped.",),
        notes=("numpy.py was ignored: only notebooks are graded.",),
        exercises=(ExerciseRecord.without_verdict("entropy", 2.0, "graded", "the process ended before the check"),),
    )
    page = text_of(feedback(notebook_of(*[cell for cell in graded().cells if not cell.get("outputs")]), course))
    for words in (
        "This is your file 3-softmax (1).ipynb.",
        "The check cell softmax had been deleted; it was put back.",
        "The cell softmax-answer ran for more than 30 seconds, so it was stopped.",
        "numpy.py was ignored: only notebooks are graded.",
    ):
        assert words in page
    assert "sandbox" not in page


def test_a_check_without_a_result_says_the_reason_that_grading_wrote_down(course):
    why = "the process ended before the check"
    record(course, exercises=(ExerciseRecord.without_verdict("predict-softmax", 1.0, "graded", why),))
    assert "predict-softmax 0 of 1 the process ended before the check" in text_of(feedback(graded(), course))


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"sandboxed": False}, "This was graded without the sandbox."),
        ({"status": "missing"}, "This notebook was not handed in"),
        ({"status": "unreadable"}, "could not be read"),
        ({"failures": tuple(f"line {i}." for i in range(99))}, "and 69 more"),
    ],
)
def test_a_page_says_how_it_was_graded(course, own, words):
    record(course, **own)
    assert words in text_of(feedback(graded(), course))


@pytest.mark.parametrize(
    "content", ["", "[", "[]", '{"notebooks": []}', '{"notebooks": {"3-softmax": 1}}', "[" * 90_000]
)
def test_a_damaged_record_costs_only_what_it_would_have_said(course, capsys, content):
    record(course)
    course.record(PART, "ada").write_text(content, encoding="utf-8")
    page = text_of(feedback(graded(), course))
    assert f"softmax {judge('softmax', Misunderstood.softmax, 1).points:g} of 4 see below" in page
    assert f"{course.record(PART, 'ada')} is damaged" in capsys.readouterr().err


def test_what_a_record_says_is_escaped(course):
    record(course, repairs=(HOSTILE["a script"],), failures=("$$", "**bold**"), file=HOSTILE["an event handler"])
    page = feedback(graded(), course)
    assert harm_in(page) == []
    assert "**bold**" in text_of(page)


def test_a_page_shows_no_other_students_record(course):
    record(course, repairs=("something of Ada's",))
    assert "something of Ada's" in text_of(feedback(graded(), course))
    assert "something of Ada's" not in text_of(feedback(graded(), course, student="ben"))


def test_formulas_are_shown_without_a_script(course):
    page = feedback(graded(), course)
    assert "<mfrac>" in page
    assert "cdnjs" not in page
    assert "\\frac" not in page


def test_a_link_to_another_notebook_leads_to_its_page():
    assert render_markdown("[Scores](2-scores.ipynb)") == '<p><a href="2-scores.html">Scores</a></p>\n'


def test_a_traceback_shows_the_learners_cell_and_nothing_of_the_machinery(course):
    trace = [
        "\x1b[31m-----------\x1b[39m",
        "\x1b[31mValueError\x1b[39m        Traceback (most recent call last)",
        "\x1b[36mCell\x1b[39m\x1b[36m \x1b[39m\x1b[32mIn[3]\x1b[39m\x1b[32m, line 2\x1b[39m\n----> 2 np.exp('a')",
        "File \x1b[32m/home/teacher/venv/lib/python3.11/site-packages/numpy/core.py:5\x1b[39m, in f(x)\n----> 4 secret",
        'Traceback:\n  File "/run/sandbox/grader/zygote.py", line 7, in run\n    exec(secret)\nValueError: no number',
        "\x1b[31mValueError\x1b[39m: no number",
    ]
    error = nbformat.v4.new_output("error", ename="ValueError", evalue="no number", traceback=trace)
    warning = nbformat.v4.new_output(
        "stream", name="stderr", text="/opt/x/site-packages/numpy/a.py:3: RuntimeWarning: b"
    )
    page = text_of(feedback(notebook_of(nbformat.v4.new_code_cell("x", outputs=[error, warning])), course))
    assert "np.exp('a')" in page
    assert "ValueError: no number" in page
    assert "RuntimeWarning: b" in page
    for hidden in ("secret", "/home/teacher", "zygote", "/opt/x", "/run/sandbox"):
        assert hidden not in page


# ---- what a submission can do to a page


def test_a_hostile_submission_leaves_nothing_on_its_page_that_runs_or_loads(course):
    page = feedback(hostile_notebook(), course)
    assert harm_in(page) == []
    # The checker itself: what the pages are made from is full of it.
    assert len(harm_in("".join(HOSTILE.values()))) > 25
    assert "HIT" in text_of(page)


@pytest.mark.parametrize("markup", HOSTILE_MARKDOWN.values(), ids=HOSTILE_MARKDOWN)
def test_hostile_markdown_is_harmless_by_itself(markup):
    assert harm_in(render_markdown(markup)) == []


@pytest.mark.parametrize("markup", (HOSTILE | TWISTED).values(), ids=HOSTILE | TWISTED)
def test_hostile_html_is_harmless_by_itself(markup):
    assert harm_in(clean(markup)) == []


def test_html_with_more_tags_than_anybody_means_is_shown_as_text_before_it_costs_time():
    assert clean("<b>x</b>" * (MOST_TAGS // 2)) == "<b>x</b>" * (MOST_TAGS // 2)
    assert clean("<p><b title=x>" * MOST_TAGS).startswith("<pre>&lt;p&gt;&lt;b")


@pytest.mark.parametrize(
    "name", ["modal", "navbar-fixed-top", "affix", "course-notes", "panel nbgrader_cell", "hidden"]
)
def test_markup_cannot_dress_up_as_a_part_of_the_page(name):
    assert clean(f'<div class="{name}">marks</div>') == "<div>marks</div>"


def test_every_page_carries_the_policy_before_anything_else_in_its_head(course):
    page = feedback(graded(), course)
    assert page.index("<head>") + len("<head>") == page.index(policy()[:40])
    assert page.count("Content-Security-Policy") == 1
    assert "default-src 'none'" in page
    assert "script-src" not in page


def test_a_page_asks_no_other_host_for_anything(course):
    page = feedback(graded(), course)
    head = page.replace(policy(), "").partition("</head>")[0]
    assert re.findall(r"(?:src|href|@import|url)[=( ]+[\"']?(?!data:|#)(\S+)", head) == []


def test_a_template_that_brings_a_script_is_refused(course):
    course.config.HTMLExporter.template_name = "lab"
    with pytest.raises(CourseError, match="script"):
        feedback(graded(), course)


def test_long_outputs_and_cells_are_cut_and_many_outputs_are_left_out(course):
    lines = nbformat.v4.new_output("stream", name="stdout", text="a line\n" * 300_000)
    many = [nbformat.v4.new_output("stream", name="stdout", text=f"output {i}\n") for i in range(5_000)]
    cells = [
        nbformat.v4.new_code_cell("x = 1", outputs=[lines, *many]),
        nbformat.v4.new_markdown_cell("word " * 100_000),
    ]
    page = feedback(notebook_of(*cells), course)
    assert len(page) < 500_000
    assert f"{7 * 300_000 - LONGEST_TEXT:,} more characters are left out" in page
    assert f"{5_001 - MOST_OUTPUTS} more outputs are left out" in page


def test_terminal_escapes_leave_only_their_colours():
    text = (
        "\x1b[31mred\x1b[0m \x1b]8;;http://evil.x\x07link\x1b]8;;\x07 \x1b[2J\x1b[H\x00\x08 \x1b]0;title\x07end\r\nnext"
    )
    cell = nbformat.v4.new_code_cell("", outputs=[nbformat.v4.new_output("stream", name="stdout", text=text)])
    assert harmless(notebook_of(cell)).cells[0].outputs[0].text == "\x1b[31mred\x1b[0m link  end\nnext"


@pytest.mark.parametrize(
    "markdown", ["\\\\[" * 9_000, "\\begin{a}" * 5_000, "> " * 6_000, "*a " * 20_000, "$" * 40_000]
)
def test_markdown_that_is_slow_to_read_is_shown_as_it_is(course, markdown):
    page = feedback(notebook_of(*[nbformat.v4.new_markdown_cell(markdown) for _ in range(5)]), course)
    assert page.count("<pre>") >= 5


def test_deep_markup_does_not_stop_a_page(course):
    deep = "<div>" * 3_000 + "deep"
    html = nbformat.v4.new_code_cell("", outputs=[output("display_data", **{"text/html": deep})])
    page = feedback(notebook_of(nbformat.v4.new_markdown_cell(deep[:9_000]), html), course)
    assert "what the check says" in page


def test_pictures_stay_and_what_only_says_that_it_is_one_does_not():
    cell = nbformat.v4.new_code_cell("")
    cell.outputs = [
        output("display_data", **{"image/png": PNG, "text/plain": "a figure"}),
        output("display_data", **{"image/png": base64.b64encode(b"<script>").decode(), "text/plain": "no figure"}),
    ]
    kept = [one.data for one in harmless(notebook_of(cell)).cells[0].outputs]
    assert kept == [{"image/png": PNG, "text/plain": "a figure"}, {"text/plain": "no figure"}]


EXPLORER = """from attnlib import widgets
widgets.explore_context([0.5, 0.5], [[2, 0], [0, 2]], [[0, 3], [4, 0]])"""


def with_explorer(course, source=EXPLORER):
    """A graded notebook whose first cell shows what a submission made of it."""
    folder = course.source(PART)
    folder.mkdir(parents=True)
    cell = nbformat.v4.new_code_cell(source, id="cell-0")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / f"{NOTEBOOK}.ipynb")
    theirs = nbformat.v4.new_code_cell("print(1)")
    theirs.outputs = [output("display_data", **{"text/html": "<p>theirs \ue010cell-0\ue011</p>"})]
    return notebook_of(theirs)


def test_the_courses_own_explorer_is_put_in_and_lives(course, chromium, tmp_path):
    page = feedback(with_explorer(course), course)
    assert page.count("<script") == 1
    assert "theirs" not in page
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    tab = chromium.new_page()
    tab.goto((tmp_path / "page.html").as_uri())
    said = tab.evaluate("document.querySelector('.attnlib-explorer').explorer.said.textContent")
    assert said == "Query (0.5, 0.5). Weights: k1 0.50, k2 0.50. Context (2, 1.5), nearest to the value of k1."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_a_page(course, chromium, tmp_path, scheme):
    record(course)
    assert serious(chromium, feedback(graded(), course), tmp_path / "page.html", scheme) == []


def test_an_explorer_that_cannot_be_made_leaves_a_page_without_scripts(course):
    page = feedback(with_explorer(course, "widgets.explore_context(missing)"), course)
    assert "<script" not in page
    assert "theirs" in page


# ---- formulas


def formulas():
    found = set()
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        for cell in read(path).cells:
            if cell.cell_type == "markdown":
                found.update(re.findall(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", cell.source, re.DOTALL))
    return ["".join(one) for one in sorted(found)]


def test_every_formula_of_the_course_is_translated():
    assert len(formulas()) > 200
    for latex in formulas():
        assert mathml(latex).startswith("<math>")


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("x_1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
        ("s'_i", "<msubsup><mi>s</mi><mi>i</mi><mo>′</mo></msubsup>"),
        (r"\sqrt 2", "<msqrt><mn>2</mn></msqrt>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        ("x^12", "<mrow><msup><mi>x</mi><mn>1</mn></msup><mn>2</mn></mrow>"),
        (
            r"\frac12\text{ of }n",
            "<mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mtext>\u00a0of\u00a0</mtext><mi>n</mi></mrow>",
        ),
        ("e ≈ 3", "<mrow><mi>e</mi><mo>≈</mo><mn>3</mn></mrow>"),
        (r"\text{if } x", "<mrow><mtext>if\u00a0</mtext><mi>x</mi></mrow>"),
        (r"n\_keys", "<mrow><mi>n</mi><mo>_</mo><mi>k</mi><mi>e</mi><mi>y</mi><mi>s</mi></mrow>"),
        ("-0.5", "<mrow><mo>−</mo><mn>0.5</mn></mrow>"),
        (r"\text{a<b & c}", "<mtext>a&lt;b\u00a0&amp;\u00a0c</mtext>"),
    ],
)
def test_a_formula_is_written_as_mathml(latex, expected):
    assert mathml(latex) == f"<math>{expected}</math>"


def test_the_limits_of_a_sum_stand_below_and_above_it_on_a_line_of_its_own():
    assert "<munderover>" in mathml(r"\sum_{i=1}^n i", block=True)
    assert "<msubsup>" in mathml(r"\sum_{i=1}^n i")


@pytest.mark.parametrize(
    "latex",
    [
        r"\href{javascript:alert(1)}{x}", r"\frac{1}", "{x", "x}", "x_1_2", r"\left(x", r"\begin{pmatrix}1", r"\text{",
        r"\begin{x}\end{x}", r"\sqrt" * 300, "{" * 300, "x" * 9_000, "a & b", r"\unknown", "^^",
        r"\begin{cases}1\end{pmatrix}", "\\",
    ],
)  # fmt: skip
def test_a_formula_that_is_broken_or_not_known_is_left_to_the_caller(latex):
    with pytest.raises(NotKnown):
        mathml(latex)


def test_a_formula_that_is_not_known_is_shown_as_it_was_written():
    assert render_markdown(r"$\unknown{<b>}$") == "<p><code>\\unknown{&lt;b&gt;}</code></p>\n"


# ---- in a browser


@pytest.fixture
def visit(chromium, tmp_path):
    """Return a function that opens a page, presses whatever can be pressed, and gives what happened."""

    def open_page(page):
        path = tmp_path / "page.html"
        path.write_text(page, encoding="utf-8")
        context = chromium.new_context()
        tab = context.new_page()
        happened = {"requests": [], "dialogs": 0}

        def note(request):
            happened["requests"].append(request.url)

        def close(dialog):
            happened["dialogs"] += 1
            dialog.dismiss()

        tab.on("request", note)
        tab.on("dialog", close)
        tab.goto(path.as_uri())
        tab.wait_for_load_state("networkidle")
        happened["requests"] = [url for url in happened["requests"] if url != path.as_uri() and url[:5] != "data:"]
        happened["hit"] = tab.evaluate("() => window.HIT === 1 || document.title === 'HIT'")
        happened["scripts"] = tab.evaluate("() => document.scripts.length")
        happened["text"] = tab.evaluate("() => document.body.innerText")
        context.close()
        return happened

    return open_page


@pytest.mark.browser
def test_in_a_browser_a_hostile_page_runs_no_script_and_asks_for_nothing(visit, course):
    happened = visit(feedback(hostile_notebook(), course))
    assert happened["requests"] == []
    assert (happened["hit"], happened["scripts"], happened["dialogs"]) == (False, 0, 0)
    assert "what the check says" in happened["text"]


@pytest.mark.browser
def test_in_a_browser_a_hostile_page_is_harmless_even_without_the_policy(visit, course):
    happened = visit(feedback(hostile_notebook(), course).replace(policy(), ""))
    assert happened["requests"] == []
    assert (happened["hit"], happened["scripts"], happened["dialogs"]) == (False, 0, 0)


@pytest.mark.browser
def test_in_a_browser_the_policy_alone_stops_scripts_and_requests(visit):
    markup = "".join(HOSTILE[name] for name in HOSTILE if name != "another page")
    bare = f"<!DOCTYPE html><html><head>{{}}<title>t</title></head><body>{markup}</body></html>"
    # Without the policy the same page does run and ask: the test can fail.
    unprotected = visit(bare.format(""))
    assert unprotected["hit"]
    assert unprotected["requests"]
    assert not visit(bare.format(policy()))["hit"]


#: What a browser makes of some markup: its elements with their attributes, twice, and whether the second time differs.
READ_TWICE = """(markup) => {
  const read = (text) => {
    const page = new DOMParser().parseFromString(`<!DOCTYPE html><body>${text}`, "text/html");
    const all = [...page.body.querySelectorAll("*")];
    return [page.body.innerHTML, all.map((one) => [one.localName, one.namespaceURI, one.getAttributeNames()])];
  };
  const [first, elements] = read(markup);
  return [elements, read(first)[0] === first];
}"""


@pytest.mark.browser
def test_a_browser_finds_in_cleaned_markup_only_what_is_on_the_lists_and_the_same_again(chromium):
    tab = chromium.new_page()
    found, foreign = 0, set()
    for name, markup in (HOSTILE | TWISTED).items():
        elements, same = tab.evaluate(READ_TWICE, clean(markup))
        assert same, name
        for element, namespace, attributes in elements:
            assert namespace == "http://www.w3.org/1999/xhtml", name
            assert element in ELEMENTS, name
            assert set(attributes) <= ATTRIBUTES["*"] | ATTRIBUTES.get(element, set()), name
        found += len(elements)
        if name not in TWISTED:
            foreign |= {element for element, *_ in tab.evaluate(READ_TWICE, markup)[0]} - ELEMENTS
    # In what was not cleaned the same check finds much.
    assert found > 10 < len(foreign)
    tab.close()


@pytest.mark.browser
def test_in_a_browser_a_page_shows_its_verdicts_pictures_and_formulas(chromium, course, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(feedback(graded(), course), encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 1000, "height": 800})
    tab.goto(path.as_uri())
    assert tab.locator(".verdict").first.evaluate("e => getComputedStyle(e).borderLeftWidth") == "5px"
    assert tab.locator("math mfrac").first.bounding_box()["height"] > 15
    assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    tab.close()
