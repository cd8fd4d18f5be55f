"""Explorers in a page: they compute what attnlib computes, are moved by mouse and keyboard, and need nothing else."""

import importlib.util

import numpy as np
import pytest
from courseware import ROOT
from explorers import EXPLORERS

from attnlib import widgets
from attnlib.widgets.explorer import MIME, PAGE, script

LARGEST = 60_000  # bytes that a saved explorer may have

PAGES = {"light": "background: #ffffff; color: #000000", "dark": "background: #111111; color: #ffffff"}

# What a reader takes hold of: points, sliders, cells and buttons, in the order of the Tab key.
HELD = """() => [...explorer.host.shadowRoot.querySelectorAll(
  'input:not([type="text"]), select, button, [tabindex="0"]:not(figure)')]"""

# What a finger takes hold of without scrolling the page: points, and cells that are painted.
BY_FINGER = '.handle, [style*="touch-action: none"]'

# Texts that a panel cuts off.
OUTSIDE = """() => [...explorer.host.shadowRoot.querySelectorAll("svg")].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((text) => text.textContent);
})"""

# Pairs of texts of which one lies on the other.
CROSSING = """() => [...explorer.host.shadowRoot.querySelectorAll("svg")].flatMap((svg) => {
  const texts = [...svg.querySelectorAll("text:not([transform])")].map((text) => [text.textContent, text.getBBox()]);
  const over = (a, b) => [Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)];
  return texts.flatMap(([said, a], i) => texts.slice(0, i).filter(([, b]) => over(a, b)[0] > 2 && over(a, b)[1] > 5)
    .map(([other]) => `${said} on ${other}`));
})"""


def source(name):
    return (PAGE / f"{name}.js").read_text(encoding="utf-8")


#: Those with points that are dragged; and those in which a finger drags upwards, because cells are painted, too.
WITH_POINTS = [name for name in EXPLORERS if ".handle(" in source(name)]
BY_FINGER_TOO = [name for name in EXPLORERS if name in WITH_POINTS or "touch-action: none" in source(name)]

# Makes one explorer of the page anew, as its first state is, and hides all others.
ALONE = """([name, theme]) => {
  document.body.style = theme;
  for (const section of document.querySelectorAll("section")) section.hidden = section.id !== name;
  const host = document.querySelector(`section#${name} .attnlib-explorer`);
  const { constructor: Explorer, module, data, ask } = host.explorer;
  host.explorer.stop();
  window.explorer = host.explorer = new Explorer(host, module, data, ask);
  scrollTo(0, 0);
}"""


@pytest.fixture(params=EXPLORERS)
def name(request):
    return request.param


# Numbers through which an upright dashed line goes, with nothing of the paper's colour around them.
STRUCK = """() => [...explorer.host.shadowRoot.querySelectorAll("svg")].flatMap((svg) => {
  const lines = [...svg.querySelectorAll("line[stroke-dasharray]")].map((line) => line.getBBox())
    .filter((line) => line.width < 1 && line.height > 30);
  return [...svg.querySelectorAll("text:not([transform])")].filter((text) => {
    const [box, halo] = [text.getBBox(), Number(text.getAttribute("stroke-width") ?? 0)];
    return halo < 6 && /^[−0-9.]+$/.test(text.textContent) && lines.some((line) => line.x > box.x + 2
      && line.x < box.x + box.width - 2 && line.y < box.y + box.height - 4 && line.y + line.height > box.y + 4);
  }).map((text) => text.textContent);
})"""


@pytest.fixture(scope="module")
def bench():
    """Return the script that measures."""
    spec = importlib.util.spec_from_file_location("bench", ROOT / "scripts" / "bench.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def built():
    """Return every explorer, by its name."""
    return {name: case.build() for name, case in EXPLORERS.items()}


@pytest.fixture
def made(name, built):
    return built[name]


@pytest.fixture(scope="module")
def gallery(chromium, built, tmp_path_factory):
    """Return a function that gives a page with all explorers, loaded once for a mouse and once for a finger."""
    path = tmp_path_factory.mktemp("gallery") / "explorers.html"
    sections = [f'<section id="{name}"><h2>{name}</h2>{explorer.html()}</section>' for name, explorer in built.items()]
    path.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Explorers</title></head>'
        f"<body><main><h1>Explorers</h1>{''.join(sections)}</main></body></html>",
        encoding="utf-8",
    )
    pages = {}

    def open_(touch=False):
        if touch not in pages:
            page = pages[touch] = chromium.new_page(has_touch=touch)
            page.asked, page.wrong = [], []
            page.on("request", lambda request: page.asked.append(request.url))
            page.on("pageerror", lambda error: page.wrong.append(str(error)))
            page.goto(path.as_uri())
            page.wait_for_function("[...document.querySelectorAll('.attnlib-explorer')].every((one) => one.explorer)")
        return pages[touch]

    yield open_
    for page in pages.values():
        page.close()


@pytest.fixture
def show(gallery, name):
    """Return a function that shows an explorer alone in a page; whatever it asks of a network is a failure."""
    used = []

    def alone(theme="light", width=1000, reduced=False, touch=False):
        page = gallery(touch)
        used.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(reduced_motion="reduce" if reduced else "no-preference")
        page.mouse.move(0, 0)
        page.evaluate(ALONE, [name, PAGES[theme]])
        return page

    yield alone
    for page in used:
        assert not page.wrong
        assert {url.split(":")[0] for url in page.asked} <= {"file", "blob", "data"}


def sentence(page):
    """Return what an explorer says once the browser has drawn it."""
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
    scripts = {path.stem for path in PAGE.glob("*.js")} - {"core", "progress", "remoteEntry"}
    assert set(EXPLORERS) == scripts
    assert len([one for one in dir(widgets) if one.startswith("explore_")]) == len(scripts)


def test_a_saved_explorer_is_small_and_whole(made):
    saved = made._repr_mimebundle_()
    assert set(saved) == {MIME, "text/html", "text/plain"}
    assert len(saved["text/html"].encode()) + len(str(saved[MIME]).encode()) < LARGEST
    assert "http" not in script(made.name).replace("http://www.w3.org/2000/svg", "")


@pytest.mark.page
def test_its_arithmetic_is_that_of_attnlib(name, made, show):
    page, case, rng = show(), EXPLORERS[name], np.random.default_rng(3)
    start = page.evaluate("explorer.state")
    agree(page.evaluate("explorer.numbers"), case.numbers(made.data, start))
    states = [{**start, **changes} for changes in case.states(made.data, rng)]
    found = page.evaluate("(states) => states.map((state) => explorer.module.numbers(explorer.data, state))", states)
    for state, numbers in zip(states, found, strict=True):
        agree(numbers, case.numbers(made.data, state))


@pytest.mark.page
def test_it_begins_with_what_the_picture_says_and_no_line_goes_through_a_number(made, show):
    page = show()
    assert sentence(page) == made.text
    assert not page.evaluate(STRUCK)


# What happens at a key is drawn before the next one comes.
FOCUS = f"""(i) => {{
  const held = ({HELD})()[i];
  held.focus();
  return {{
    tag: held.tagName.toLowerCase(),
    chosen: held.getAttribute("aria-pressed") === "true",
    label: held.getAttribute("aria-label") ?? held.textContent,
    state: JSON.stringify(explorer.state),
  }};
}}"""
STATE = "(explorer.now(), JSON.stringify(explorer.state))"


@pytest.mark.page
def test_everything_is_moved_by_keys_and_says_so(show):
    page = show(reduced=True)
    first = page.evaluate(STATE)
    held = page.evaluate(f"({HELD})().length")
    still = []
    for i in range(held):
        about = page.evaluate(FOCUS, i)
        assert about["label"]
        for key in ("ArrowRight", "ArrowLeft") if about["tag"] in ("circle", "input", "select") else ("Enter",):
            page.keyboard.press(key)
            changed = page.evaluate(STATE) != about["state"]
            if changed:
                break
        # What is chosen already stays so when it is chosen again.
        if not changed and not about["chosen"]:
            still.append(about["label"])
        assert page.evaluate(f"(explorer.reset(), {STATE})") == first
    assert len(still) <= 2, still  # the way back, and perhaps a step that has nowhere to go


@pytest.mark.page
@pytest.mark.parametrize("name", WITH_POINTS)
def test_a_point_is_dragged_and_leaves_a_shadow(show):
    page = show()
    handle = page.locator(".handle:visible").first
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
@pytest.mark.parametrize("name", BY_FINGER_TOO)
def test_a_finger_drags_upwards_and_the_page_stays(show):
    page = show(width=390, touch=True)
    held = page.locator(BY_FINGER).locator("visible=true").first
    page.evaluate(
        """() => {
          window.lost = false;
          document.body.style.paddingBottom = "2000px"; // there is room to scroll to
          explorer.host.shadowRoot.addEventListener("pointercancel", () => (window.lost = true), true);
        }"""
    )
    held.evaluate("(held) => scrollBy(0, held.getBoundingClientRect().top - 450)")
    sentence(page)
    there, box = page.evaluate("scrollY"), held.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    for kind, moved in (("touchStart", 0), *(("touchMove", 8 * k) for k in range(1, 9))):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y - moved}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    sentence(page)
    assert not page.evaluate("window.lost")
    assert page.evaluate("scrollY") == there


@pytest.mark.page
@pytest.mark.parametrize("theme", PAGES)
def test_axe_finds_nothing_in_any_of_them(gallery, theme):
    from axe_playwright_python.sync_playwright import Axe

    page = gallery()
    page.set_viewport_size({"width": 1000, "height": 900})
    for name in EXPLORERS:
        page.evaluate(ALONE, [name, PAGES[theme]])
    page.evaluate("() => { for (const section of document.querySelectorAll('section')) section.hidden = false; }")
    assert page.locator(".attnlib-explorer:visible").count() == len(EXPLORERS)
    colors = page.evaluate("[...document.querySelectorAll('.attnlib-explorer')].map((one) => one.explorer.colors.dark)")
    assert set(colors) == {theme == "dark"}
    found = Axe().run(page).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    assert not [(one["id"], [node["target"] for node in one["nodes"]]) for one in serious]


@pytest.mark.page
def test_nothing_of_it_is_cut_off_at_either_end_of_a_slider(show):
    page = show(reduced=True)
    assert not page.evaluate(OUTSIDE)
    sliders = page.locator("input[type=range]:visible")
    for i in range(sliders.count()):
        for end in ("Home", "End"):
            sliders.nth(i).press(end)
            said = page.evaluate("(explorer.now(), explorer.said.textContent)")
            assert not page.evaluate(OUTSIDE), said


@pytest.mark.page
@pytest.mark.parametrize("name", [name for name in EXPLORERS if name != "alignment"])  # as wide as its sentences
def test_the_first_three_panels_stand_side_by_side_in_a_window_of_1000_pixels(show):
    # So much room a notebook leaves in JupyterLab; texts say "on the left" and "on the right".
    page = show(width=835)
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
def test_on_the_way_back_every_text_looks_as_at_first(show):
    # What is drawn again keeps its elements: a line that was bold for a moment must not stay so.
    looks = """() => Object.fromEntries([...explorer.host.shadowRoot.querySelectorAll("svg text")].map((text) => {
      const { fontSize, fontWeight } = getComputedStyle(text);
      return [text.textContent, [fontSize, fontWeight]];
    }))"""
    page = show(reduced=True)
    first = page.evaluate(looks)
    for i in range(page.evaluate(f"({HELD})().length")):
        page.evaluate(FOCUS, i)
        page.keyboard.press("ArrowRight")
        page.evaluate(
            "(explorer.now(), explorer.host.shadowRoot.activeElement?.blur(), explorer.reset(), explorer.now())"
        )
    last = page.evaluate(looks)
    # Beside a shadow of what was before, some lines say more than at first.
    assert {said: look for said, look in last.items() if said in first and look != first[said]} == {}


@pytest.mark.page
def test_pictures_side_by_side_begin_at_one_height(show):
    # A title of two lines pushes its picture down, out of line with those beside it.
    page = show(width=1600)
    lines = page.evaluate(
        """() => [...explorer.host.shadowRoot.querySelectorAll("figcaption")].map((title) =>
          [title.textContent, Math.round(title.getBoundingClientRect().height)])"""
    )
    assert len({height for _, height in lines}) <= 1, lines


@pytest.mark.page
def test_a_narrow_page_does_not_scroll_sideways(show):
    page = show(width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.page
def test_nothing_is_cut_off_whatever_is_chosen(show):
    page = show()
    for select in page.locator("select:visible").all():
        for option in range(select.locator("option").count()):
            select.select_option(index=option)
            said = page.evaluate("(explorer.now(), explorer.said.textContent)")
            assert not page.evaluate(OUTSIDE), said


@pytest.mark.page
@pytest.mark.parametrize("name", ["embeddings"])
def test_near_words_keep_clear_of_each_other_between_any_two(made, show):
    offered = range(len(made.data["offered"]))
    ways = [{"start": i, "end": j, "t": t} for i in offered for j in offered if i != j for t in (0, 0.5, 1)]
    found = show().evaluate(
        f"""(ways) => ways.map((way) => {{
          explorer.set(way);
          explorer.now();
          return [way, ({OUTSIDE})(), ({CROSSING})()];
        }})""",
        ways,
    )
    assert not [one for one in found if one[1] or one[2]]


@pytest.mark.page
@pytest.mark.parametrize("name", WITH_POINTS)
def test_keys_that_come_faster_than_pictures_all_count(show):
    page = show()
    press = """(times) => { for (let i = 0; i < times; i++) for (const key of ["ArrowLeft", "ArrowDown"])
      explorer.host.shadowRoot.querySelector(".handle").dispatchEvent(new KeyboardEvent("keydown", { key })); }"""
    page.evaluate(press, 3)
    at_once = sentence(page)
    page.evaluate("explorer.reset()")
    sentence(page)
    for key in ["ArrowLeft", "ArrowDown"] * 3:
        page.locator(".handle:visible").first.press(key)
        sentence(page)
    assert sentence(page) == at_once


@pytest.mark.page
@pytest.mark.parametrize("name", list(EXPLORERS)[::5])
def test_the_bench_has_figures_of_every_way_in_which_it_is_moved(made, chromium, bench, tmp_path):
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8>{made.html()}", encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    page.goto((tmp_path / "page.html").as_uri())
    ways = bench.moved(page, seconds_each=0)
    page.close()
    assert ways
    for way, (drawn, waited, rate) in ways.items():
        assert drawn, way
        assert waited, way
        assert rate > 0, way
