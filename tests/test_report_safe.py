"""The instructor's page: safe to open, whatever names and sentences a submission brings."""

import base64
import hashlib
import re
from urllib.parse import unquote, urlsplit

import pytest
from jinja2 import UndefinedError
from reported import (
    HOSTILE,
    LAYOUT,
    PART,
    class_of,
    class_of_eight,
    course_in,
    hostile_class,
    nameless,
    page_of,
    record,
)

from grader.classroom.report import write_report
from grader.classroom.report.page import page_template


@pytest.fixture
def course(tmp_path):
    """Return a course of the test's own."""
    return course_in(tmp_path)


@pytest.fixture
def eight(course):
    """The page of the class of eight."""
    return page_of(course, class_of_eight())


def test_nothing_from_a_submission_becomes_more_than_text(course):
    kinds = {one.tag for one in page_of(course, class_of_eight()).walk()}
    page = page_of(course, hostile_class())
    assert {one.tag for one in page.walk()} <= kinds
    assert not page.all("img")
    assert len(page.all("script")) == len(page.all("style")) == 1
    for element in page.walk():
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "style", "srcset", "action", "data", "formaction")
            assert name != "href" or not urlsplit(value).scheme
    text = page.text
    for sign in "\u202e\u2066\u2069\x07\x1b\u2028\udc80":
        assert sign not in text
    assert "⟨U+202E⟩gnp.exe" in text
    assert "<img src=x onerror=alert(1)>" in text
    assert "عمر" in text
    assert "\u0335" * 5 not in text
    assert "x" * 400 not in text


def test_a_learners_cell_is_shown_line_by_line_and_is_nothing_but_text(course):
    source = "\n".join([*HOSTILE, "\tif x:", "</pre><b>bold</b>"])
    page = page_of(course, [nameless(record("ada"), "a", source)])
    (cell,) = page.all("pre")
    assert len(cell.children) == 1  # text, and no element
    lines = "".join(cell.children).split("\n")
    assert lines[0] == "<img src=x onerror=alert(1)>"
    assert lines[-2:] == ["    if x:", "</pre><b>bold</b>"]
    assert max(map(len, lines)) < 200
    for sign in "\u202e\u2066\u2069\x07\x1b\u2028\udc80":
        assert sign not in page.text
    long = page_of(course, [nameless(record("ada"), "a", "x = 1\n" * 1000)]).all("pre")[0].text
    assert long.endswith("x = 1 … and 940 more lines")


@pytest.mark.parametrize("template", ["{{ name }}", "{{ name ~ '' }}", "{% set it %}{{ name }}{% endset %}{{ it }}"])
def test_a_template_need_not_remember_that_a_name_can_be_hostile(template):
    shown = page_template().environment.from_string(template).render(name="<b>\u202e&")
    assert shown == "&lt;b&gt;⟨U+202E⟩&amp;"


def test_a_name_that_a_template_does_not_know_is_an_error():
    with pytest.raises(UndefinedError):
        page_template().environment.from_string("{{ nmae }}").render(name="ada")


def test_the_page_allows_its_own_style_and_script_and_nothing_else(eight):
    (policy,) = [one.attributes["content"] for one in eight.all("meta") if "http-equiv" in one.attributes]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for tag in ("style", "script"):
        (element,) = eight.all(tag)
        digest = base64.b64encode(hashlib.sha256("".join(element.children).encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"
    assert not re.search(r"https?:|//|url\(|@import", "".join(eight.all("style")[0].children))


def test_tables_and_pictures_can_be_heard(eight):
    for head in eight.all("th"):
        assert head.attributes["scope"] in ("row", "col", "rowgroup")
    for picture in eight.all("svg"):
        assert picture.attributes.get("aria-hidden") == "true" or (
            picture.attributes["role"] == "img" and picture.attributes["aria-label"]
        )
    assert eight.all("html")[0].attributes["lang"] == "en"


def test_every_link_within_the_page_leads_somewhere(course):
    unread = record("ada", dict.fromkeys(LAYOUT["2-scores"], "no verdict: damaged"), status={"2-scores": "unreadable"})
    for records in (
        class_of_eight(),
        class_of(40),
        hostile_class(),
        [unread],
        [nameless(record("ada"), "a", "x = 1"), record("ben")],
    ):
        page = page_of(course, records)
        ids = [one.attributes["id"] for one in page.walk() if "id" in one.attributes]
        assert len(ids) == len(set(ids))
        assert {one.attributes["href"][1:] for one in page.all("a") if one.attributes["href"][0] == "#"} <= set(ids)


def test_links_lead_to_feedback_or_graded_notebooks_where_these_exist(course):
    odd = "100%#? ä"
    feedback = course.feedback(PART, odd) / "3-softmax.html"
    graded = course.autograded(PART, "ben") / "3-softmax.ipynb"
    for path in (feedback, graded):
        path.parent.mkdir(parents=True)
        path.write_text("there", encoding="utf-8")
    mistake = {"softmax": ("columns",)}
    page = page_of(course, [record(odd, mistake), record("ben", mistake), record("chen", mistake)])
    here = course.report(PART).parent
    links = [urlsplit(one.attributes["href"]) for one in page.all("a") if one.attributes["href"].startswith("..")]
    assert {(here / unquote(link.path)).resolve() for link in links} == {feedback.resolve(), graded.resolve()}
    assert {link.fragment for link in links} == {"", "softmax"}
    assert all(not link.fragment for link in links if link.path.endswith(".ipynb"))


# ---- in a browser


@pytest.mark.browser
def test_the_page_opens_from_its_file_sorts_and_runs_nothing_foreign(course, chromium):
    records = [*hostile_class(), *class_of(30)]
    page, _ = write_report(course, PART, records, {one.student: 1.0 for one in records[:20]})
    for width, scheme in ((1280, "light"), (800, "dark")):
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        window = context.new_page()
        asked, said = [], []
        window.on("request", lambda request, asked=asked: asked.append(request.url))
        window.on("console", lambda message, said=said: said.append(message.text))
        window.on("pageerror", lambda error, said=said: said.append(str(error)))
        window.on("dialog", lambda dialog, said=said: (said.append(dialog.message), dialog.dismiss()))
        window.goto(page.as_uri())
        assert asked == [page.as_uri()]
        assert window.evaluate("window.owned") is None
        assert window.evaluate("document.documentElement.scrollWidth") <= width
        # Everything unfolded has to fit as well.
        window.get_by_role("button", name="Unfold all").click()
        assert window.locator("details:not([open])").count() == 0
        assert window.evaluate("document.documentElement.scrollWidth") <= width

        before = window.locator("#marks tbody th").all_inner_texts()
        for column in (6, 8):  # the checked points; the total, in brackets where a part of it is missing
            header = window.locator(f"#marks thead th:nth-child({column})")
            for order in ("ascending", "descending"):
                header.get_by_role("button").click()
                assert header.get_attribute("aria-sort") == order
                texts = window.locator(f"#marks tbody td:nth-child({column})").all_inner_texts()
                points = [float(text.strip("()")) for text in texts]
                assert points == sorted(points, reverse=order == "descending")
                assert len(set(points)) > 5
        assert len(window.locator("#marks thead [aria-sort]").all()) == 1
        assert sorted(window.locator("#marks tbody th").all_inner_texts()) == sorted(before)

        window.get_by_label("Hide names and marks").check()
        assert not any(name.is_visible() for name in window.locator("bdi").all()[:200])
        assert not window.locator("#marks").is_visible()
        assert window.locator("#tomorrow h3").first.is_visible()
        assert said == []
        context.close()


@pytest.mark.browser
def test_the_page_is_whole_without_scripts_and_on_paper(course, chromium):
    page, _ = write_report(course, PART, class_of(60))
    window = chromium.new_context(viewport={"width": 700, "height": 900}, java_script_enabled=False).new_page()
    window.goto(page.as_uri())
    assert window.locator("#marks thead th").first.inner_text() == "student"
    assert window.locator("button").count() == 0
    window.emulate_media(media="print")
    box = window.locator("#marks .box").bounding_box()
    table = window.locator("#marks table").bounding_box()
    assert box["height"] >= table["height"]
    assert table["width"] <= 701
    assert not window.locator("nav").is_visible()
    # The means stand once, at the end, and not at the foot of each page.
    assert window.locator("#marks tfoot").evaluate("(foot) => getComputedStyle(foot).display") == "table-row-group"
