"""Explorers in a page: they compute what attnlib computes, are moved by mouse and keyboard, and need nothing else."""

import numpy as np
import pytest
from explorers import EXPLORERS

from attnlib import widgets
from attnlib.widgets.explorer import MIME, PAGE, script

LARGEST = 60_000  # bytes that a saved explorer may have

PAGES = {"light": "background: #ffffff; color: #000000", "dark": "background: #111111; color: #ffffff"}

# What a reader takes hold of: points, sliders, cells and buttons, in the order of the Tab key.
HELD = """() => [...explorer.host.shadowRoot.querySelectorAll(
  'input:not([type="text"]), select, button, [tabindex="0"]:not(figure)')]"""

# Texts that a panel cuts off.
OUTSIDE = """() => [...explorer.host.shadowRoot.querySelectorAll("svg")].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((text) => text.textContent);
})"""


@pytest.fixture(params=EXPLORERS)
def name(request):
    return request.param


@pytest.fixture
def made(name):
    return EXPLORERS[name].build()


@pytest.fixture
def show(chromium, tmp_path):
    """Return a function that shows an explorer in a page of its own; whatever it asks of a network is a failure."""
    pages, asked, wrong = [], [], []

    def open_(explorer, theme="light", width=1000, reduced=False):
        path = tmp_path / f"{len(pages)}.html"
        path.write_text(
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An explorer</title></head>'
            f'<body style="{PAGES[theme]}"><main><h1>An explorer</h1>'
            f"{explorer.html()}</main></body></html>",
            encoding="utf-8",
        )
        page = chromium.new_page(
            viewport={"width": width, "height": 900}, reduced_motion="reduce" if reduced else "no-preference"
        )
        pages.append(page)
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("window.explorer = document.querySelector('.attnlib-explorer').explorer")
        return page

    yield open_
    for page in pages:
        page.close()
    assert not wrong
    assert {url.split(":")[0] for url in asked} <= {"file", "blob", "data"}


def sentence(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate("explorer.said.textContent")


def agree(found, expected, where=""):
    """Compare what a script computed with what attnlib did: dicts, lists, numbers; None is not a number."""
    if isinstance(expected, dict):
        for key in expected:
            agree(found[key], expected[key], f"{where}.{key}")
        return
    if isinstance(expected, (str, bool)) or expected is None:
        assert found == expected, where
        return
    np.testing.assert_allclose(np.array(found, dtype=float), np.array(expected, float), 1e-9, 1e-9, err_msg=where)


def test_every_explorer_has_its_case():
    scripts = {path.stem for path in PAGE.glob("*.js")} - {"core", "remoteEntry"}
    assert set(EXPLORERS) == scripts
    assert len([one for one in dir(widgets) if one.startswith("explore_")]) == len(scripts)


def test_a_saved_explorer_is_small_and_whole(made):
    saved = made._repr_mimebundle_()
    assert set(saved) == {MIME, "text/html", "text/plain"}
    assert len(saved["text/html"].encode()) + len(str(saved[MIME]).encode()) < LARGEST
    assert "http" not in script(made.name).replace("http://www.w3.org/2000/svg", "")


@pytest.mark.page
def test_its_arithmetic_is_that_of_attnlib(name, made, show):
    page, case, rng = show(made), EXPLORERS[name], np.random.default_rng(3)
    start = page.evaluate("explorer.state")
    agree(page.evaluate("explorer.numbers"), case.numbers(made.data, start))
    for changes in case.states(made.data, rng):
        state = {**start, **changes}
        found = page.evaluate("(state) => explorer.module.numbers(explorer.data, state)", state)
        agree(found, case.numbers(made.data, state))


@pytest.mark.page
def test_it_begins_with_what_the_picture_says(made, show):
    assert sentence(show(made)) == made.text


@pytest.mark.page
def test_everything_is_moved_by_keys_and_says_so(made, show):
    page = show(made, reduced=True)
    first = page.evaluate("JSON.stringify(explorer.state)")
    held = page.evaluate(f"({HELD})().length")
    moved = 0
    for i in range(held):
        page.evaluate(f"({HELD})()[{i}].focus()")
        tag = page.evaluate(f"({HELD})()[{i}].tagName.toLowerCase()")
        chosen = page.evaluate(f"({HELD})()[{i}].getAttribute('aria-pressed') === 'true'")
        before = page.evaluate("JSON.stringify(explorer.state)")
        assert page.evaluate(f"(({HELD})()[{i}].getAttribute('aria-label') ?? ({HELD})()[{i}].textContent) !== ''")
        if tag == "circle" or tag in ("input", "select"):
            page.keyboard.press("ArrowRight")
            sentence(page)
            if page.evaluate("JSON.stringify(explorer.state)") == before:
                page.keyboard.press("ArrowLeft")
        else:
            page.keyboard.press("Enter")
        sentence(page)
        # What is chosen already stays so when it is chosen again.
        moved += chosen or page.evaluate("JSON.stringify(explorer.state)") != before
        page.evaluate("explorer.reset()")
        sentence(page)
        assert page.evaluate("JSON.stringify(explorer.state)") == first
    assert moved >= held - 2  # the way back, and perhaps a step that has nowhere to go


@pytest.mark.page
def test_a_point_is_dragged_and_leaves_a_shadow(made, show):
    page = show(made)
    handle = page.locator(".handle").first
    if not handle.count():
        pytest.skip("this one has cells or controls, and no point")
    said, box = sentence(page), handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 20, steps=4)
    page.mouse.up()
    assert sentence(page) != said
    assert page.evaluate("explorer.before !== null")
    page.get_by_role("button", name="Back to the start").click()
    assert sentence(page) == said


@pytest.mark.page
@pytest.mark.parametrize("theme", PAGES)
def test_nothing_of_it_is_cut_off_and_axe_finds_nothing(made, show, theme):
    from axe_playwright_python.sync_playwright import Axe

    page = show(made, theme)
    sentence(page)
    found = Axe().run(page).response["violations"]
    assert not [one["id"] for one in found if one["impact"] in ("serious", "critical")]
    assert not page.evaluate(OUTSIDE)


@pytest.mark.page
def test_nothing_of_it_is_cut_off_at_either_end_of_a_slider(made, show):
    page = show(made, reduced=True)
    for i in range(page.locator("input[type=range]").count()):
        for end in ("Home", "End"):
            page.locator("input[type=range]").nth(i).press(end)
            said = sentence(page)
            assert not page.evaluate(OUTSIDE), said


@pytest.mark.page
def test_the_first_three_panels_stand_side_by_side_in_a_window_of_1000_pixels(name, made, show):
    if name == "alignment":
        pytest.skip("its panels are as wide as its sentences are long")
    # So much room a notebook leaves in JupyterLab; texts say "on the left" and "on the right".
    page = show(made, width=835)
    sentence(page)
    panels = page.evaluate(
        """() => [...explorer.host.shadowRoot.querySelectorAll("svg")].slice(0, 3).map((svg) => {
          const frame = svg.getBoundingClientRect();
          const sizes = [...svg.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize));
          return [Math.round(frame.top), Math.min(...sizes) * frame.width / svg.viewBox.baseVal.width];
        })"""
    )
    assert len({top for top, _ in panels}) == 1
    assert min(size for _, size in panels) >= 9


@pytest.mark.page
def test_a_narrow_page_does_not_scroll_sideways(made, show):
    page = show(made, width=390)
    sentence(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
