"""What of a graded notebook people look at: nbgrader's feedback pages, and its view of a submission in formgrader.

`Summary` is a preprocessor of GenerateFeedback, after `GetGrades`; `FeedbackPage` is its exporter. A page runs no
script but that of the course's own explorers and asks no other host for anything: formulas are MathML, pictures are
part of the page. In formgrader,
`Harmless` and `markdown2html` see to it that nothing of a submission acts with the rights of whoever looks.
"""

import re
from functools import lru_cache
from html import escape

import nbformat
from jinja2 import BytecodeCache, DictLoader, pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbgrader.preprocessors import NbGraderPreprocessor

from grader.classroom.course import Course
from grader.classroom.feedback.explorers import explorers_of, mark, put_in
from grader.classroom.feedback.formula import NotKnown, mathml
from grader.classroom.feedback.safe_cells import METADATA, harmless
from grader.classroom.feedback.safe_html import clean, policy
from grader.classroom.gradebook.late import lateness_of
from grader.classroom.records import read_record
from grader.errors import CourseError
from grader.notebook import grade_id, is_written, marks

FONT = re.compile(r"@font-face\s*\{[^}]*\}")
MOST_LINES = 30
# Reading Markdown can take time that grows with the square of its length.
LONGEST_MARKDOWN, MOST_MARKDOWN = 10_000, 100_000

# The list that nbgrader puts at the top names no exercise; this one takes its place.
STYLE = """<style>
#toc, .anchor-link, .prompt { display: none; }
.container { width: auto; max-width: 72em; }
body { line-height: 1.5; }
.rendered_html table { margin: 0.6em 0; }
.rendered_html th, .rendered_html td { padding: 0.25em 0.8em; border-bottom: 1px solid #ddd; vertical-align: top; }
.rendered_html td.points { white-space: nowrap; }
.rendered_html summary { display: list-item; cursor: pointer; color: #337ab7; }
.rendered_html img, .output_area img { max-width: 100%; height: auto; }
.rendered_html math { font-size: 1.1em; }
.rendered_html a[href], .panel a[href] { color: #0b57a4; text-decoration: underline; }
.panel-primary a[href="#top"] { color: #ffffff !important; }
.rendered_html a:not([href]) { color: inherit; text-decoration: none; }
small, caption { color: inherit !important; }
.course-notes { border-left: 5px solid #E69F00; padding: 0.5em 1em; margin: 0.8em 0; }
.rendered_html .course-notes ul { margin: 0.2em 0 0.4em; padding-left: 1.4em; }
/* Comments in code are read on white; on grey they are too pale. */
div.input_area, div.input_area .highlight, .highlight pre { background: #ffffff; }
/* What is wider than a small window is moved inside its cell, not with the page. */
.rendered_html, .output_subarea { overflow-x: auto; overflow-y: hidden; }
@media (max-width: 40em) {
  body { overflow-wrap: break-word; }
  .rendered_html th, .rendered_html td { padding: 0.25em 0.4em; }
  div.cell { padding-left: 0; padding-right: 0; }
}
@media print {
  .rendered_html, .output_subarea { overflow: visible; }
  .pull-right { display: none; }
  div.cell { break-inside: auto; }
  tr, img, .verdict, .panel-primary { break-inside: avoid; }
  h1, h2, h3, .panel-heading { break-after: avoid; }
  a[href]::after { content: none !important; }
}
.output_area pre, .input_area pre, .rendered_html pre { white-space: pre-wrap; overflow-wrap: anywhere; }
</style>"""


class Summary(NbGraderPreprocessor):
    """Put what was graded, mended and found above a graded notebook, and make the rest of it harmless."""

    def preprocess(self, nb, resources):
        """Return the notebook with one cell more, at its top."""
        about = resources.get("nbgrader", {})
        name = about.get("notebook", "")
        record = read_record(Course(self.config), about.get("assignment", ""), about.get("student", ""))
        own = record.notebooks.get(name) if record else None
        nb = harmless(nb)
        source = Course(self.config).source(about.get("assignment", "")) / f"{name}.ipynb"
        resources["course_explorers"] = explorers = explorers_of(source, self.config)
        for cell in nb.cells:
            if cell.cell_type == "code" and cell.get("id") in explorers:
                cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": mark(cell.id)})]
        results = {one.id: one for one in own.exercises} if own else {}
        rows = [_row(cell, results.get(grade_id(cell))) for cell in nb.cells if marks(cell).get("grade")]
        table = (
            "<table><thead><tr><th>exercise</th><th>points</th><th>what the check says</th></tr></thead><tbody>"
            + "".join(rows)
            + "</tbody></table>"
        )
        late = None
        if about.get("late_penalty"):
            late = lateness_of(Course(self.config), about["assignment"], about["student"])
        notes = _notes(record, own, name, late.words if late else "")
        summary = nbformat.v4.new_markdown_cell(STYLE + notes + table)
        if nb.nbformat_minor < 5:
            del summary["id"]
        nb.cells.insert(0, summary)
        # The only cell that a page shows as it is; the exporter knows it by its text, which no submission can know.
        resources["course_summary"] = summary.source
        return nb, resources


def _words(text):
    """Words of a record on a page: on one line, escaped, and without what Markdown takes for a formula."""
    return escape(" ".join(str(text).replace("`", "").split())).replace("$", "&#36;")


def _notes(record, own, notebook, late=""):
    """What a learner should know about the grading of the notebook, beside the marks."""
    if not own:
        return ""
    groups = []
    if not record.sandboxed:
        groups.append(("This was graded without the sandbox.", []))
    handed_in = {
        "missing": "This notebook was not handed in.",
        "unreadable": "The file that was handed in for this notebook could not be read.",
    }.get(own.status, "")
    said_already = any(own.file in note for note in record.notes)
    if not handed_in and own.file not in ("", f"{notebook}.ipynb") and not said_already:
        handed_in = f"This is your file {own.file}."
    if handed_in:
        groups.append((handed_in, []))
    if late:
        groups.append((late, []))
    for head, lines in (
        ("You handed in more than once, and the best attempt counts:", record.attempts),
        ("What went wrong when it ran:", own.failures),
        ("What was mended before it ran:", own.repairs),
        ("About your submission:", record.notes),
    ):
        if lines:
            groups.append((head, lines))
    if not groups:
        return ""
    said = []
    for head, lines in groups:
        shown = [f"<li>{_words(line)}</li>" for line in lines[:MOST_LINES]]
        if len(lines) > MOST_LINES:
            shown.append(f"<li>and {len(lines) - MOST_LINES} more</li>")
        said.append(f"<div>{_words(head)}{'<ul>' + ''.join(shown) + '</ul>' if shown else ''}</div>")
    return f'<div class="course-notes">{"".join(said)}</div>'


def _row(cell, result):
    about = marks(cell)
    name, full = escape(str(grade_id(cell))), float(about.get("points") or 0)
    points = float(about.get("score") or 0)
    sign = "✓ " if points >= full else ""
    words = "a written answer, marked by a person" if is_written(cell) else _said(result)
    earned = f"{sign}{points:g} of {full:g}" if full else "dropped"
    return f'<tr><td><a href="#{name}">{name}</a></td><td class="points">{earned}</td><td>{_words(words)}</td></tr>'


def _said(result):
    """What grading found in an exercise, on one line: the named mistake where there is one, else how it stands."""
    if result is None:
        return "see below"
    mistakes = [words for words in result.mistakes.values() if words]
    return "looks like: " + "; and: ".join(mistakes) if mistakes else result.reason or result.state


class Harmless(NbGraderPreprocessor):
    """Leave only known kinds of content in a notebook that is going to be shown."""

    def preprocess(self, nb, resources):
        """Return a copy of the notebook."""
        return harmless(nb), resources


@pass_context
def markdown2html(context, source):
    """Markdown of a submission as harmless HTML; takes the place of nbconvert's filter."""
    resources = context.get("resources", {})
    if source == resources.get("course_summary"):
        return source
    so_far = resources["course_markdown"] = resources.get("course_markdown", 0) + len(source)
    if len(source) > LONGEST_MARKDOWN or so_far > MOST_MARKDOWN:
        return f"<pre>{escape(source)}</pre>"
    try:
        attachments = context.get("cell", {}).get("attachments")
        return render_markdown(source, attachments) if attachments else _rendered(source)
    # Whatever the reader of Markdown stumbles over, the page can still show what was written.
    except Exception:
        return f"<pre>{escape(source)}</pre>"


# Most cells are the course's own, and the same for all students.
_rendered = lru_cache(1000)(lambda source: render_markdown(source))
_coloured_as_python = lru_cache(1000)(Highlight2HTML(METADATA["language_info"]["pygments_lexer"]))


def _coloured(source, metadata=None):
    """Code of a cell as HTML; takes the place of nbconvert's filter."""
    return _coloured_as_python(source)


class _Compiled(BytecodeCache):
    """Templates as they were compiled once: nbgrader makes an exporter for each student."""

    def __init__(self):
        self._known = {}

    def load_bytecode(self, bucket):
        if code := self._known.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket):
        self._known[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


class FeedbackPage(HTMLExporter):
    """nbgrader's feedback page without others' scripts, requests, and markup of a submission that could do harm."""

    def __init__(self, *args, **kwargs):
        # nbgrader's template calls this macro for its one script, which comes from another host.
        without = DictLoader({"mathjax.html.j2": "{% macro mathjax(url='') %}{% endmacro %}"})
        super().__init__(*args, extra_loaders=[without], **kwargs)
        self.filters = {"markdown2html": markdown2html, "highlight_code": _coloured}

    def _create_environment(self):
        environment = super()._create_environment()
        environment.bytecode_cache = _COMPILED
        return environment

    def from_notebook_node(self, nb, resources=None, **kwargs):
        """Return the page and its resources.

        Raises
        ------
        CourseError
            If the page would run a script, or has no head to say that it must not.
        """
        nb = nbformat.from_dict({**nb, "metadata": METADATA})
        # HTMLExporter's own would read the whole page once more, to put in texts for pictures that have none: that took
        # half of the time. All that came from others is well-formed already.
        page, resources = TemplateExporter.from_notebook_node(self, nb, self._init_resources(resources), **kwargs)
        head, end, body = page.partition("</head>")
        if "<script" in page.lower() or head.count("<head>") != 1 or not end:
            raise CourseError("a feedback page would hold a script: is its template nbgrader's own?")
        # The style sheet brings symbols that no page shows, in files that no page comes with.
        body = WITHOUT_WORDS.sub('<img alt="a picture without a description"', body)
        body, scripts = put_in(_reachable(body), resources.get("course_explorers", {}))
        head = FONT.sub("", head).replace("<head>", f"<head>{policy(scripts)}", 1)
        head = head.replace("<html>", '<html lang="en">', 1)
        return head + end + body, resources


WITHOUT_WORDS = re.compile(r"<img(?![^>]* alt=)")
FRAME = re.compile(r'(?=<div class="(?:text_cell_render border-box-sizing|output_html) rendered_html)')


def _reachable(body):
    """A page whose cells with something wide in them, which scroll in a small window, can be scrolled by keys too."""
    frames = FRAME.split(body)
    wide = re.compile("<(?:table|math|pre|img)")
    return "".join(one.replace("<div ", '<div tabindex="0" ', 1) if i and wide.search(one) else one
                   for i, one in enumerate(frames))  # fmt: skip


class _Renderer(IPythonRenderer):
    """Formulas as MathML, and links that lead from page to page."""

    def __init__(self, formulas, attachments):
        super().__init__(escape=False, attachments=attachments)
        self.formulas = formulas

    def _formula(self, latex, block):
        try:
            markup = mathml(latex, block)
        except NotKnown:
            markup = f"<code>{escape(latex)}</code>"
        # Characters that no text of a submission has any more: what stands for them goes in after all is clean.
        self.formulas.append(markup)
        return f"\ue000{len(self.formulas) - 1}\ue001"

    def block_math(self, body):
        return self._formula(body, True)

    def inline_math(self, body):
        return self._formula(body, False)

    def latex_environment(self, name, body):
        return self._formula(f"\\begin{{{name}}}{body}\\end{{{name}}}", True)

    def link(self, text, url, title=None):
        if re.fullmatch(r"[\w.-]+\.ipynb", url):
            url = url.removesuffix(".ipynb") + ".html"
        elif url.endswith(".ipynb"):
            return text  # another part's pages do not lie beside these
        return super().link(text, url, title)

    def image(self, text, url, title=None):
        name = url.removeprefix("attachment:")
        if not url.startswith("data:image/") and (name == url or name not in self.attachments):
            return f"(a picture that is not part of the notebook: {escape(text) or 'without words'})"
        return super().image(text, url, title)


def render_markdown(source, attachments=None):
    """Markdown as harmless HTML, its formulas as MathML.

    Parameters
    ----------
    source : str
    attachments : dict, optional
        A notebook cell's attachments.

    Examples
    --------
    >>> render_markdown("**Yes** <script>alert(1)</script>, $x^2$")
    '<p><strong>Yes</strong> , <math><msup><mi>x</mi><mn>2</mn></msup></math></p>\\n'
    """
    formulas = []
    source = re.sub("[\ue000\ue001]", "", source)
    html = clean(MarkdownWithMath(renderer=_Renderer(formulas, attachments or {})).render(source))
    return re.sub("\ue000(\\d+)\ue001", lambda match: formulas[int(match[1])], html)
