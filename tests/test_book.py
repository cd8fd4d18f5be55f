"""The book: a site of the released notebooks that stands by itself, can be read anywhere, and gives nothing away."""

import ast
import doctest
import importlib.util
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from threading import Thread
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from courseware import RELEASED, ROOT, SOLUTIONS, check_cells, name_of, read
from explorers import EXPLORERS

from grader.exercises import BANK
from grader.exercises.kinds import ChoiceExercise, FunctionExercise
from grader.judging.judge import judge
from grader.notebook import is_answer
from grader.words import STRESSED

_SPEC = importlib.util.spec_from_file_location("make_book", ROOT / "scripts" / "make_book.py")
script = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(script)

terms = importlib.import_module("terms")  # beside the book's pages; the script knows where

built, page = pytest.mark.execution, pytest.mark.page
WIDTHS = {"telephone": 390, "window": 1000, "screen": 1600}


@pytest.fixture(scope="session")
def book(tmp_path_factory):
    """Build the book, once, and from somewhere else."""
    folder = tmp_path_factory.mktemp("book")
    command = [sys.executable, str(ROOT / "scripts" / "make_book.py"), "--output", str(folder / "site")]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "The book is ready" in ran.stdout
    assert "WARNING" not in ran.stdout + ran.stderr
    return folder / "site"


class Page(HTMLParser):
    """What the tests ask of a page: ids, links, what it loads, headings, its language, its text."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.headings, self.tags, self.text = set(), [], [], [], Counter(), []
        self.lang, self._raw = None, ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags[given.get("role") or tag] += 1
        self.ids.add(given.get("id"))
        if tag == "html":
            self.lang = given.get("lang")
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif "src" in given or (tag == "link" and given.get("rel") == "stylesheet"):
            self.loads.append(given.get("src") or given["href"])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self._raw = tag if tag in ("script", "style") else ""

    def handle_endtag(self, tag):
        self._raw = ""

    def handle_data(self, data):
        if not self._raw:
            self.text.append(data)

    def words(self):
        return " ".join("".join(self.text).split())


@pytest.fixture(scope="module")
def pages(book):
    """Return every page of the book, read."""
    return {path.relative_to(book).as_posix(): Page(path) for path in sorted(book.rglob("*.html"))}


# ---- the site


@built
def test_every_notebook_is_a_page_and_its_neighbours_are_one_step_away(pages):
    names = [f"{name_of(path)}.html" for path in RELEASED]
    assert set(names) | {"index.html", "course.html", "glossary.html", "teachers.html", "texts.html"} <= set(pages)
    for before, after in pairwise(names):
        there, back = ([(name.rpartition("/")[0], link) for link in pages[name].links] for name in (before, after))
        assert any(f"{folder}/{link}".endswith(after) or link == f"../{after}" for folder, link in there)
        assert any(f"{folder}/{link}".endswith(before) or link == f"../{before}" for folder, link in back)
        assert "../0-start-here/start-here.html#the-road" in pages[after].links


@built
def test_a_page_holds_every_picture_and_explorer_of_its_notebook(book):
    left_out = set()
    for path in RELEASED:
        text = (book / f"{name_of(path)}.html").read_text("utf-8")
        outputs = script.outputs_of([path], ROOT / "build" / "book-outputs")[path]
        drawn = sum("attnlib-picture" in str(one) for cell in outputs.values() for one in cell)
        code = {cell.id: cell.source for cell in read(path).cells if cell.cell_type == "code"}
        drawing = {cell for cell, source in code.items() if re.search(r"^(plots|widgets)\.\w+\(", source, re.M)}
        left_out |= drawing - set(outputs)
        assert text.count('<img class="attnlib-picture"') == drawn >= len(drawing & set(outputs))
        assert text.count('class="attnlib-explorer"') == sum("widgets.explore_" in source for source in code.values())
    assert len(left_out) <= 3


@built
def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(book, pages):
    for name, read_page in pages.items():
        assert not [link for link in read_page.loads if re.match(r"\w+:(?!image/svg)|//", link)], name
        for link in read_page.links:
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme == "https", f"{name}: {link}"
                continue
            target = (book / name).parent / unquote(parts.path) if parts.path else book / name
            assert target.is_file(), f"{name}: {link}"
            if parts.fragment:
                known = pages[target.resolve().relative_to(book.resolve()).as_posix()].ids
                assert unquote(parts.fragment) in known, f"{name}: {link}"


@built
def test_a_page_says_its_language_has_one_main_part_and_headings_in_order(pages):
    for name, one in pages.items():
        assert one.lang == "en", name
        assert one.tags["main"] == 1, name
        assert one.headings.count(1) == (name != "search.html"), name  # its script writes what it finds
        assert all(b <= a + 1 for a, b in pairwise(one.headings)), f"{name}: {one.headings}"


@built
@pytest.mark.thorough
def test_the_same_course_makes_the_same_site(book, tmp_path):
    script.main(["--output", str(tmp_path / "again")])
    files = {path.relative_to(book): path for path in book.rglob("*") if path.is_file()}
    again = {path.relative_to(tmp_path / "again"): path for path in (tmp_path / "again").rglob("*") if path.is_file()}
    assert set(again) == set(files)
    assert [str(name) for name, path in files.items() if untimed(path) != untimed(again[name])] == []


def untimed(path):
    """A file's bytes without the times that cells measured: they differ from run to run."""
    return re.sub(rb"[ \d.,]+(?=(?:&nbsp;| )(?:s|ms|seconds|milliseconds|times)\b)", b" some", path.read_bytes())


def test_the_examples_of_its_code_hold():
    for module in (script, terms):
        results = doctest.testmod(module)
        assert results.attempted
        assert not results.failed


def test_without_sphinx_it_says_what_to_run(monkeypatch, capsys):
    monkeypatch.setattr(script, "NEEDED", ("sphinx", "no_such_theme"))
    with pytest.raises(SystemExit):
        script.main([])
    assert "no_such_theme not found" in (said := capsys.readouterr().err)
    assert "make set-up" in said


def test_a_page_that_asks_for_what_nobody_makes_is_named():
    with pytest.raises(script.BookError, match=r"course\.md asks for @rode@"):
        script.filled("See @rode@.", {"road": str}, "course.md")
    assert script.filled("See @road@.", {"road": lambda: "this"}, "course.md") == "See this."


@pytest.mark.parametrize(
    "output",
    [
        nbformat.v4.new_output("error", ename="ValueError", evalue="too small", traceback=[]),
        nbformat.v4.new_output("stream", name="stderr", text="RuntimeWarning: too small"),
    ],
)
def test_a_cell_that_fails_or_warns_is_named(monkeypatch, tmp_path, output):
    def execute(notebook, folder):
        next(cell for cell in notebook.cells if cell.id == "setup").outputs = [output]
        return notebook

    monkeypatch.setattr(script, "execute", execute)
    with pytest.raises(script.BookError, match=r"the cell setup .*: .*too small"):
        script.outputs_of([RELEASED[1]], tmp_path)
    assert not any(tmp_path.iterdir())


# ---- nothing is given away


def solution_lines():
    """Lines that stand in solutions alone, by the notebook."""
    told = "\n".join(cell.source for path in RELEASED for cell in read(path).cells)
    for path in SOLUTIONS:
        for cell in read(path).cells:
            for hidden in re.findall(r"(?s)### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell.source):
                for line in hidden.splitlines():
                    if len(line.strip()) > 14 and line.strip() not in told:
                        yield name_of(path), line.strip()


@built
def test_no_line_of_a_solution_and_no_verdict_is_in_the_book(book, pages):
    lines = list(solution_lines())
    assert len(lines) > 100
    texts = {name: one.words() for name, one in pages.items()}
    index = (book / "searchindex.js").read_text("utf-8")
    for where, line in lines:
        squeezed = " ".join(line.split())
        assert [name for name, text in texts.items() if squeezed in text] == [], f"{where}: {line}"
    for name, text in texts.items():
        assert not re.search(r"not attempted yet, 0 of|: correct, \d|Looks like:.*Why it matters:", text), name
        assert 'class="verdict"' not in (book / name).read_text("utf-8"), name
    assert "BEGIN SOLUTION" not in "".join(texts.values()) + index


def test_only_functions_are_solved_where_the_book_is_run():
    kinds = Counter()
    for path, solution in zip(RELEASED, SOLUTIONS, strict=True):
        released, whole = read(path), script.solved(read(path), read(solution))
        assert not check_cells(whole)
        sources = {cell.id: cell.source for cell in whole.cells}
        for cell in released.cells:
            if is_answer(cell):
                function = isinstance(script.exercise_of(cell), FunctionExercise)
                kinds[function] += 1
                assert ("YOUR CODE HERE" not in sources[cell.id] and sources[cell.id] != cell.source) == function
    assert kinds[True] > 50
    assert kinds[False] > 30


@built
def test_what_stands_on_a_value_to_be_found_is_left_out(pages):
    seen = 0
    for path in RELEASED:
        outputs = script.outputs_of([path], ROOT / "build" / "book-outputs")[path]
        values = {
            target.id
            for cell in read(path).cells
            if cell.cell_type == "code"
            and is_answer(cell)
            and not isinstance(script.exercise_of(cell), FunctionExercise)
            for node in ast.parse(cell.source).body
            if isinstance(node, ast.Assign)
            for target in node.targets
        }
        for cell in read(path).cells:
            if cell.id in outputs and not is_answer(cell):
                used = {node.id for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)}
                assert not used & values, f"{name_of(path)}: {cell.id}"
                seen += 1
        shown = "".join(str(one) for cell in outputs.values() for one in cell)
        assert not re.search(r"(?i)not written yet|come back when|write `?\w+`? first", shown), name_of(path)
    assert seen > 100


# ---- made pages


def test_each_term_of_the_glossary_is_found_in_prose_and_not_in_names():
    assert len(terms.FORMS) == len(set(terms.names())) > 45
    assert terms.names() == sorted(terms.names(), key=str.lower)
    assert terms.first_use("many queries ask", "query", True)[0] == "queries"
    assert terms.first_use("the key-value store", "key", True) is None
    assert terms.first_use("as in Embeddings", "embedding", False) is None
    assert terms.first_use("laid head to tail", "head", False) is None


@built
def test_a_term_is_linked_once_in_a_notebook_and_in_prose_only(book):
    linked = Counter()
    for path in RELEASED:
        text = (book / f"{name_of(path)}.html").read_text("utf-8")
        here = Counter(re.findall(r'href="\.\./glossary\.html#term-([\w-]+)"', text))
        assert set(here.values()) == {1}, name_of(path)
        for outside in re.findall(r"(?s)<h\d>.*?</h\d>|<pre>.*?</pre>|<table.*?</table>|<math.*?</math>", text):
            assert 'class="term"' not in outside
        linked += here
    unused = [term for term in terms.names() if term.replace(" ", "-") not in linked]
    assert unused == []


def test_the_weeks_hold_every_notebook_and_no_week_is_too_much():
    weeks = script.weeks()
    assert [path for week in weeks for path in week] == RELEASED
    # In whole hours, as README says them.
    assert all(3 <= round(sum(script.promised(path)[0] for path in week) / 60) <= 7 for week in weeks)


@built
def test_the_teachers_page_adds_up_what_the_notebooks_say(pages):
    rows = re.findall(r"^\| \*\*(\d)\*\* \|[^|]*\| (\d+) min \| (\d+) min \|", script.syllabus(), re.M)
    assert [int(row[0]) for row in rows] == list(range(1, len(script.weeks()) + 1))
    assert sum(int(row[1]) for row in rows) == sum(script.promised(path)[0] for path in RELEASED)
    points = sum(BANK[cell.id].points for path in RELEASED for cell in check_cells(read(path)))
    assert sum(float(line.split("|")[6]) for line in script.syllabus().splitlines() if "together" in line) == points
    assert script.whole() in pages["teachers.html"].words()


JUDGED = {"holds", "depends", "corrected", "yours", "beyond"}


def test_each_statement_of_the_five_texts_has_a_place_and_a_judgement():
    text = (ROOT / "docs" / "book" / "texts.md").read_text("utf-8")
    statements = re.findall(r"^\*\*.*$", text, re.M)
    assert len(statements) > 60
    for statement in statements:
        judged = re.findall(r'<span class="judged (\w+)">', statement)
        assert judged, statement
        assert set(judged) <= JUDGED
        assert ".ipynb)" in statement or "beyond" in judged or "Every draw" in statement, statement
    assert {one for statement in statements for one in re.findall(r'judged (\w+)"', statement)} == JUDGED


def test_the_numbers_on_the_page_of_the_five_texts_are_those_of_the_course():
    told = "\n".join(cell.source for path in RELEASED for cell in read(path).cells)
    made = script.figures.figures()
    for name in ("ratio", "ratio-by-softmax", "small-contribution", "large-contribution"):
        assert made[name] in told, name
    assert made["ratio"] == made["ratio-away"]
    assert made["the-weights"] == "0.32, 0.29, 0.39"
    page_text = (ROOT / "docs" / "book" / "texts.md").read_text("utf-8")
    assert set(made) == set(re.findall(r"@([a-z][a-z-]*)@", page_text))


# ---- in a browser


@pytest.fixture
def show(chromium, book):
    """Return a function that shows a page of the book; what it asks of a network, and what goes wrong, is a failure."""
    contexts, asked, wrong = [], [], []

    def open_(name, width=1000, query="", **settings):
        context = chromium.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **settings)
        contexts.append(context)
        tab = context.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.goto((book / name).as_uri() + query)
        return tab

    yield open_
    for context in contexts:
        context.close()
    assert not wrong
    assert {url.split(":")[0] for url in asked} <= {"file", "blob", "data"}


def settled(tab):
    """Wait until the explorers of a page are alive."""
    tab.wait_for_function("[...document.querySelectorAll('.attnlib-explorer')].every((one) => one.explorer)")


@page
def test_on_a_telephone_no_page_scrolls_sideways_and_every_explorer_is_moved(show, pages):
    moved = Counter()
    tab = show("index.html", WIDTHS["telephone"])
    for name in pages:
        tab.goto(tab.url.rpartition("/site/")[0] + f"/site/{name}")
        settled(tab)
        assert tab.evaluate("document.documentElement.scrollWidth") <= WIDTHS["telephone"], name
        beyond = """() => [...document.querySelectorAll("article *")].filter((one) => {
            const box = one.getBoundingClientRect();
            if (box.right <= innerWidth + 1 || !box.width || one.closest("math, svg, .headerlink")) return false;
            for (let at = one.parentElement; at; at = at.parentElement)
              if (getComputedStyle(at).overflowX !== "visible") return false;
            return true;
        }).map((one) => one.outerHTML.slice(0, 80))"""
        assert tab.evaluate(beyond) == [], name
        for i, one in enumerate(tab.locator(".attnlib-explorer").all()):
            assert is_moved(tab, one), f"{name}, explorer {i}"
            moved[one.evaluate("(host) => host.explorer.module.name")] += 1
    assert len(moved) == len(EXPLORERS)


def is_moved(tab, explorer):
    """Whether one of the keys changes something in an explorer."""

    def state():
        return explorer.evaluate("(host) => JSON.stringify(host.explorer.state)")

    before = state()
    for held in explorer.locator(':is(.handle, input[type="range"], .cell[tabindex="0"])').all():
        held.focus()
        for key in ("ArrowRight", "ArrowLeft", "Enter"):
            tab.keyboard.press(key)
            if state() != before:
                return True
    return False


@page
def test_the_switch_of_the_theme_moves_pictures_and_explorers(show):
    for system, wanted in (("light", "dark"), ("dark", "light")):
        tab = show("1-context-vectors/3-softmax.html", color_scheme=system)
        settled(tab)
        picture = tab.locator(".cell_output img.attnlib-picture").first

        def paper(image=picture):
            from io import BytesIO

            from matplotlib import image as reader

            return reader.imread(BytesIO(image.screenshot()))[4:12, 4:12, :3].mean()

        def ink(page_=tab):
            return page_.evaluate("document.querySelector('.attnlib-explorer').explorer.colors.dark")

        assert (paper() < 0.3) == ink() == (system == "dark")
        for _ in range(3):  # auto, light, dark
            if tab.evaluate("document.body.dataset.theme") != wanted:
                tab.locator(".theme-toggle:visible").click()
        assert tab.evaluate("document.body.dataset.theme") == wanted
        assert (paper() < 0.3) == ink() == (wanted == "dark")
        tab.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert not ink()
        assert paper() > 0.9


CHOICES = [
    (name_of(path), cell.id)
    for path in RELEASED
    for cell in check_cells(read(path))
    if isinstance(BANK[cell.id], ChoiceExercise)
]


@page
def test_a_prediction_is_answered_as_its_check_would(show):
    assert len(CHOICES) >= 13
    tab = show("index.html")
    for where, name in CHOICES[::2]:
        tab.goto(tab.url.rpartition("/site/")[0] + f"/site/{where}.html")
        said = tab.evaluate(
            """(name) => {
              const place = document.querySelector(`.prediction[data-name="${name}"]`);
              return Object.fromEntries([...place.querySelectorAll("input")].map((choice) => {
                choice.click();
                place.querySelector("button").click();
                return [choice.value, place.querySelector("[role=status]").innerText.replace(/\\s+/g, " ")];
              }));
            }""",
            name,
        )
        assert list(said) == list(BANK[name].because)
        assert "ype the letter in quotation marks" not in tab.content()
        for letter, words in said.items():
            verdict = judge(name, letter)
            assert verdict.headline in words
            for one in verdict.findings:
                assert " ".join(STRESSED.sub(r"\1", one.words.replace("`", "")).split()) in words


@page
def test_without_scripts_a_page_is_read_all_the_same(show):
    tab = show("1-context-vectors/3-softmax.html", java_script_enabled=False)
    words = tab.locator("article").inner_text()
    assert "c) Both give the same weights." in words
    assert "Decide before you read on." in words
    assert tab.locator(".attnlib-explorer img").count() == 1
    assert tab.locator("math").count() > 20


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, *about):
        pass


@page
def test_a_word_is_found(chromium, book):
    asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(book))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        tab = chromium.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(f"http://127.0.0.1:{server.server_port}/search.html?q=hopfield")
        tab.locator("#search-results li a").first.wait_for()
        found = [link.get_attribute("href") for link in tab.locator("#search-results a").all()]
        tab.close()
        server.shutdown()
    assert any("3-memory-retrieval.html" in link for link in found)
    assert {urlsplit(url).hostname for url in asked} == {"127.0.0.1"}


@page
def test_paper_shows_the_text_and_no_navigation(show):
    tab = show("1-context-vectors/3-softmax.html")
    settled(tab)
    tab.emulate_media(media="print")
    for gone in (".sidebar-drawer", ".toc-drawer", ".mobile-header", ".related-pages", ".theme-toggle-content"):
        assert not tab.locator(gone).first.is_visible(), gone
    assert tab.locator("article h1").is_visible()
    assert tab.locator(".attnlib-explorer").is_visible()


@page
def test_axe_finds_nothing_serious_in_either_theme(chromium, book, pages):
    context = chromium.new_context(bypass_csp=True)  # axe is a script of its own
    tab = context.new_page()
    # Explorers have tests of their own: two notebooks are enough, and every second page in dark.
    firsts = [name for name in pages if "/" not in name or re.search("[04]-.*/(start|1)-", name)]
    for i, name in enumerate(firsts):
        tab.goto((book / name).as_uri())
        settled(tab)
        tab.evaluate("(theme) => { document.body.dataset.theme = theme; }", ("light", "dark")[i % 2])
        # All pages share their colours, which take most of the time: they are looked at in some of both themes.
        colours = {"color-contrast": {"enabled": i < 4}}
        options = {"resultTypes": ["violations"], "rules": colours}
        assert worst(Axe().run(tab, context={"exclude": [[".attnlib-explorer"]]}, options=options)) == [], name
    context.close()


def worst(results):
    """Return what axe calls serious or critical."""
    found = results.response["violations"]
    return [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]


# ---- publishing


def test_the_workflow_makes_the_book_and_may_do_no_more_than_it_needs():
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text("utf-8"))
    assert flow["permissions"] == {"contents": "read"}
    build, publish = flow["jobs"]["build"], flow["jobs"]["publish"]
    assert "permissions" not in build
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    steps = build["steps"] + publish["steps"]
    assert any(step.get("run") == "make book" for step in steps)
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in steps if "uses" in step)
    paths = [step["with"]["path"] for step in steps if "upload-pages-artifact" in step.get("uses", "")]
    assert paths == ["build/book"]
    assert (
        shutil.which("git") is None
        or not subprocess.run(["git", "check-ignore", "-q", "build/book/index.html"], cwd=ROOT, check=False).returncode
    )
