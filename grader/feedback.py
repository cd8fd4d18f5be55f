"""What nbgrader's feedback pages say at the top: each exercise, its points, and what the check made of it."""

import re
from html import escape

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor

LOOKS_LIKE = re.compile(r"Looks like: (.*?)\.?\s*\n\s*Why it matters:", re.DOTALL)

# The list that nbgrader puts at the top names no exercise; this one takes its place.
STYLE = """<style>
#toc, .anchor-link { display: none; }
.rendered_html table { margin: 0.6em 0; }
.rendered_html th, .rendered_html td { padding: 0.25em 0.8em; border-bottom: 1px solid #ddd; vertical-align: top; }
td.points { white-space: nowrap; }
.rendered_html summary { display: list-item; cursor: pointer; color: #337ab7; }
</style>"""


class Summary(NbGraderPreprocessor):
    """Put a table of the exercises above a graded notebook; comes after `GetGrades`, which brings the points."""

    def preprocess(self, nb, resources):
        """Return the notebook with one cell more, at its top."""
        rows = [_row(cell) for cell in nb.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        table = (
            "<table><thead><tr><th>exercise</th><th>points</th><th>what the check says</th></tr></thead><tbody>"
            + "".join(rows)
            + "</tbody></table>"
        )
        summary = nbformat.v4.new_markdown_cell(STYLE + table)
        if nb.nbformat_minor < 5:
            del summary["id"]
        nb.cells.insert(0, summary)
        return nb, resources


def _row(cell):
    marks = cell.metadata.nbgrader
    name, full = escape(str(marks.get("grade_id", ""))), float(marks.get("points") or 0)
    points = float(marks.get("score") or 0)
    sign = "✓ " if points >= full else ""
    written = marks.get("solution")
    words = "a written answer, marked by a person" if written else escape(_said(cell))
    earned = f"{sign}{points:g} of {full:g}"
    return f'<tr><td><a href="#{name}">{name}</a></td><td class="points">{earned}</td><td>{words}</td></tr>'


def _said(cell):
    """What a check says, on one line: the named mistake where there is one, else how the answer stands."""
    headline = ""
    for output in cell.get("outputs", []):
        if output.get("output_type") == "error":
            # The course's own messages come without the colours of a traceback, whose end alone says what happened.
            lines = [str(line) for line in output.get("traceback", [])]
            own = lines and not any("\x1b" in line for line in lines)
            said = " ".join(lines) if own else f"{output.get('ename', '')}: {output.get('evalue', '')}"
            return said.replace("`", "")
        if output.get("output_type") == "display_data":
            text = output.get("data", {}).get("text/plain", "")
            mistakes = [" ".join(words.split()) for words in LOOKS_LIKE.findall(text)]
            if mistakes:
                return ("looks like: " + "; and: ".join(mistakes)).replace("`", "")
            headline = headline or text.split("\n")[0].partition(": ")[2].rpartition(", ")[0]
    return headline or "the check gave no result"
