"""How Sphinx lays the book out; `make book` (scripts/make_book.py) prepares the pages and calls it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import terms
from docutils import nodes
from sphinx import addnodes

from grader.classroom.feedback.formula import mathml

project = html_title = "Attention, written by you"
author = project
copyright = "the course's authors; text CC BY 4.0, code BSD 3-Clause"
language = "en"

extensions = ["myst_nb"]
exclude_patterns = ["README.md"]
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = [("book.js", {"defer": "defer"})]
html_copy_source = False
html_show_sphinx = False
html_use_index = False
html_domain_indices = False
# A year, or the day of the build, would make another site of the same course.
html_last_updated_fmt = None
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#005a8e", "color-brand-content": "#005a8e"},
    "dark_css_variables": {"color-brand-primary": "#8fcbf2", "color-brand-content": "#8fcbf2"},
}


def formula_in_line(self, node):
    """A formula as MathML: no script, no network, and a page that can be printed at once."""
    self.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def formula_as_block(self, node):
    """A formula on a line of its own; a wide one scrolls in its frame."""
    self.body.append(f'<div class="formula">{mathml(node.astext(), True)}</div>')
    raise nodes.SkipNode


# ---- the glossary: each term is linked where a notebook first uses it

#: What is not prose.
APART = (nodes.title, nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.reference, nodes.raw,
         nodes.table, addnodes.pending_xref, addnodes.download_reference)  # fmt: skip


def link_terms(app, doctree):
    """Link the first use of each term of the glossary in a notebook to its entry."""
    document = app.env.docname
    if "/" not in document:  # the book's own pages
        return
    left = list(terms.FORMS)
    for text in list(doctree.findall(nodes.Text)):
        if not apart(text):
            left = link(text, left, document)


def apart(node):
    """True of what is not prose: headings, code, formulas, tables, links, what a cell shows, and books to read."""
    while node is not None:
        if isinstance(node, APART) or "cell_output" in getattr(node, "attributes", {}).get("classes", []):
            return True
        if isinstance(node, nodes.section) and node[0].astext().startswith("Further reading"):
            return True
        node = node.parent
    return False


def link(text, left, document):
    """Link the first uses of terms in a text, and return the terms that are still left."""
    parts, rest = [], text.astext()
    begins = isinstance(text.parent, (nodes.paragraph, nodes.strong)) and text.parent.index(text) == 0
    while uses := [(found.start(), -len(found[0]), term, found)
                   for term in left if (found := terms.first_use(rest, term, begins and not parts))]:  # fmt: skip
        _, _, term, found = min(uses, key=lambda use: use[:3])
        left = [each for each in left if each != term]
        words = nodes.inline("", found[0], classes=["term"])
        about = {"refdomain": "std", "reftype": "term", "reftarget": term, "refdoc": document}
        parts += [
            nodes.Text(rest[: found.start()]),
            addnodes.pending_xref("", words, refexplicit=True, refwarn=True, **about),
        ]
        rest = rest[found.end() :]
    if parts:
        parent, at = text.parent, text.parent.index(text)
        parent[at : at + 1] = [part for part in [*parts, nodes.Text(rest)] if part.astext()]
    return left


def plain_captions(app, name, template, context, doctree):
    """Captions of the navigation are no headings of the page: as such they would need a level, and have none."""
    context["furo_navigation_tree"] = context["furo_navigation_tree"].replace(' role="heading"', "")


def setup(app):
    """Tell Sphinx of the above."""
    app.connect("html-page-context", plain_captions, priority=900)  # after the theme has made it
    app.add_html_math_renderer("mathml", (formula_in_line, None), (formula_as_block, None))
    app.connect("doctree-read", link_terms)
