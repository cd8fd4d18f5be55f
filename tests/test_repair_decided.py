"""Repair: what has to be decided, from which of two answers is taken to where a learner's own cells go."""

import copy
import json
import random
import re
import time

import pytest
from courseware import RELEASED, read
from repairs import (
    SOFTMAX,
    WRITTEN,
    blank,
    code,
    expected,
    markdown,
    of_release,
    own,
    repaired,
    solved,
    source,
    strip,
    text_in,
    text_of_solved,
)

from grader.notebook import as_json, is_answer

pytestmark = pytest.mark.more


def softmax_notebook(change):
    """Repair the solved notebook on softmax after a change; returns the notebook and what was said."""
    document = solved(SOFTMAX)
    cells = document["cells"]
    change(cells, {cell["id"]: cell for cell in cells})
    return repaired(document, SOFTMAX)


def order(notebook, *names):
    """The places of some cells, known by id or by the beginning of their text."""
    ids = [cell.id for cell in notebook.cells]
    starts = {cell.source.partition("\n")[0]: i for i, cell in enumerate(notebook.cells)}
    return [
        ids.index(name) if name in ids else next(i for start, i in starts.items() if start.startswith(name))
        for name in names
    ]


def test_own_cells_are_kept_where_they_were_without_anything_but_their_text():
    def change(cells, named):
        place = cells.index(named["softmax-answer"])
        cells.insert(place, code("helper = 1", id="softmax", metadata={"tags": ["skip"], "nbgrader": {"points": 9}}))
        cells.insert(place + 2, markdown("my *note*", id="own-1"))
        cells.append(code("last = 1"))
        cells.insert(0, code("first = 1"))

    notebook, repairs = softmax_notebook(change)
    names = ["first", "promise", "ex-softmax", "helper", "softmax-answer", "my", "softmax", "recap", "last"]
    places = order(notebook, *names)
    assert places == sorted(places)
    assert [cell.id for cell in own(notebook, SOFTMAX)] == ["own-1", "own-2", "own-3", "own-4"]
    assert of_release(notebook, SOFTMAX) == expected(SOFTMAX).cells
    assert repairs == ()


def test_an_answer_in_a_fence_in_a_text_cell_is_taken_as_code():
    def change(cells, named):
        place = cells.index(named["softmax-answer"])
        cells[place] = markdown(f"```python\n{source(cells[place])}\n```\n")

    notebook, repairs = softmax_notebook(change)
    assert of_release(notebook, SOFTMAX) == expected(SOFTMAX).cells
    assert own(notebook, SOFTMAX) == []
    assert any("softmax-answer` had been turned into text; it was made code again" in words for words in repairs)


def test_a_fence_is_a_note_where_the_answer_stands_in_a_cell_of_code():
    def change(cells, named):
        place = cells.index(named["softmax-answer"])
        answer = cells.pop(place)
        strip([answer])
        cells.insert(place, markdown("```python\ndef softmax(x):\n    return x\n```"))
        cells.append(answer)

    notebook, _ = softmax_notebook(change)
    assert of_release(notebook, SOFTMAX) == expected(SOFTMAX).cells
    assert [cell.cell_type for cell in own(notebook, SOFTMAX)] == ["markdown"]


def test_own_cells_follow_the_cell_that_they_followed_when_it_is_put_back():
    def change(cells, named):
        place = cells.index(named["entropy-answer"])
        cells.insert(place + 1, code("check_mine = entropy(p)"))
        cells += [cells.pop(place), cells.pop(place)]

    notebook, repairs = softmax_notebook(change)
    places = order(notebook, "entropy-answer", "check_mine", "entropy")
    assert places == sorted(places)
    assert any("`entropy-answer` had been moved" in words for words in repairs)


def test_an_answer_split_in_two_cells_runs_in_both():
    def change(cells, named):
        answer = named["softmax-answer"]
        second = copy.deepcopy(answer)
        answer["source"] = "def largest(x):\n    return x.max(axis=-1, keepdims=True)"
        cells.insert(cells.index(answer) + 1, second)

    notebook, repairs = softmax_notebook(change)
    places = order(notebook, "def largest", "def softmax", "softmax")
    assert places == sorted(places)
    assert repairs[-1] == "`softmax` was answered in more than one cell; all of them were kept, in their order."


@pytest.mark.parametrize("stripped", [False, True])
def test_of_several_answers_the_last_one_still_wins(stripped):
    def change(cells, named):
        answer = named["softmax-answer"]
        cells.insert(
            cells.index(answer) + 1, {**copy.deepcopy(answer), "source": "def softmax(x):\n    return 'later'"}
        )
        cells.insert(cells.index(answer), {**copy.deepcopy(answer), "source": "def softmax(x):\n    return 'earlier'"})
        if stripped:
            strip(cells)

    notebook, _ = softmax_notebook(change)
    defining = [cell.source[-7:] for cell in notebook.cells if cell.source.startswith("def softmax(")]
    assert len(defining) == 3
    assert defining[-1] == "'later'"


def test_an_answer_that_was_moved_does_not_come_after_the_one_that_replaced_it():
    def change(cells, named):
        answer = named["softmax-answer"]
        cells.insert(cells.index(answer), code("def softmax(x):\n    return 'later'"))
        cells.remove(answer)
        cells.insert(2, answer)

    notebook, _ = softmax_notebook(change)
    places = order(notebook, "ex-softmax", "softmax-answer", "own-1", "softmax")
    assert places == sorted(places)


@pytest.mark.parametrize("known_by", ["id", "place"])
def test_a_first_attempt_is_not_taken_for_the_answer(known_by):
    def change(cells, named):
        answer = named["softmax-answer"]
        attempt = code(text_in(read(SOFTMAX), "softmax-answer") + "\n    return x")
        place = cells.index(answer) if known_by == "id" else 2
        answer["source"] = "def softmax(scores):\n    return None"
        strip(cells, ids=known_by == "place")
        cells.insert(place, attempt)

    notebook, _ = softmax_notebook(change)
    assert text_in(notebook, "softmax-answer") == "def softmax(scores):\n    return None"
    places = order(notebook, "own-1", "softmax-answer")
    assert places == sorted(places)


def test_what_no_line_tells_is_not_undone_by_an_empty_answer_cell():
    def change(cells, named):
        cells[cells.index(named["entropy-answer"])] = code("globals()['entropy'] = sum")

    notebook, _ = softmax_notebook(change)
    places = order(notebook, "entropy-answer", "globals", "entropy")
    assert places == sorted(places)


@pytest.mark.parametrize("statement", ["entropy = lambda p: -(p * np.log(p)).sum(-1)", "a, entropy = 1, sum"])
def test_a_missing_answer_cell_does_not_undo_what_another_cell_defines(statement):
    for place in ("in its place", "far above"):

        def change(cells, named, place=place):
            where = cells.index(named["entropy-answer"]) if place == "in its place" else 2
            cells.remove(named["entropy-answer"])
            cells.insert(where, code(statement))

        notebook, _ = softmax_notebook(change)
        place = max(
            i for i, cell in enumerate(notebook.cells) if re.search(r"def entropy|^(a, )?entropy =", cell.source)
        )
        assert notebook.cells[place].source == statement
        assert place < order(notebook, "entropy")[0]


@pytest.mark.parametrize(
    ("attempt", "taken"),
    [
        ("def entrpy(p):\n    return -sum(p * np.log(p))", True),  # a third of its words are those of the place
        ("plt.plot(range(5))", False),
    ],
)
def test_where_an_answer_is_missing_a_cell_without_its_name_is_taken_if_it_is_like_it(attempt, taken):
    def change(cells, named):
        cells[cells.index(named["entropy-answer"])] = code(attempt)

    notebook, _ = softmax_notebook(change)
    assert (text_in(notebook, "entropy-answer") == attempt) == taken
    assert sum(cell.source == attempt for cell in notebook.cells) == 1


def test_all_functions_in_one_cell_at_the_top_are_found():
    def change(cells, named):
        answers = [cell for cell in cells if is_answer(cell)]
        for cell in answers:
            cells.remove(cell)
        cells.insert(2, code("\n\n".join(map(source, answers))))

    notebook, repairs = softmax_notebook(change)
    assert not any("YOUR CODE HERE" in cell.source for cell in notebook.cells)
    assert any("those in earlier cells count" in words for words in repairs)


@pytest.mark.parametrize("offset", [-3, 1, 2, 5])
@pytest.mark.parametrize("stub", ["left", "emptied"])
def test_an_answer_beside_its_empty_cell_is_found(offset, stub):
    def change(cells, named):
        answer = named["entropy-answer"]
        cells.insert(cells.index(answer) + offset, code(source(answer), id="5f3c"))
        answer["source"] = "" if stub == "emptied" else text_in(read(SOFTMAX), "entropy-answer")

    notebook, repairs = softmax_notebook(change)
    assert notebook == expected(SOFTMAX)
    assert repairs[0] == "The answer to `entropy` was in another cell; it was put into its own."


def test_a_cell_beside_an_empty_answer_that_does_not_answer_it_stays_the_learners_own():
    def change(cells, named):
        answer = named["entropy-answer"]
        answer["source"] = text_in(read(SOFTMAX), "entropy-answer")
        cells.insert(cells.index(answer) + 1, code(answer["source"].replace("def entropy", "def entrpy")))

    notebook, repairs = softmax_notebook(change)
    assert text_in(notebook, "entropy-answer") == text_in(read(SOFTMAX), "entropy-answer")
    assert len(own(notebook, SOFTMAX)) == 1
    assert repairs == ()


def test_a_written_answer_beside_its_empty_cell_is_found():
    document = blank(WRITTEN)
    place = next(i for i, cell in enumerate(document["cells"]) if cell["id"] == "explain-context")
    document["cells"].insert(place + 1, markdown("Because the mean forgets."))
    notebook, repairs = repaired(document, WRITTEN)
    assert text_in(notebook, "explain-context") == "Because the mean forgets."
    assert own(notebook, WRITTEN) == []
    assert repairs[0] == "The answer to `explain-context` was in another cell; it was put into its own."


def test_an_empty_answer_cell_does_not_undo_an_answer_in_the_cell_of_another():
    def change(cells, named):
        named["softmax-answer"]["source"] += ["\n\n\n", *named["entropy-answer"]["source"]]
        named["entropy-answer"]["source"] = text_in(read(SOFTMAX), "entropy-answer")

    notebook, repairs = softmax_notebook(change)
    assert "def entropy" in text_in(notebook, "softmax-answer")
    assert "def entropy" not in text_in(notebook, "entropy-answer")
    assert repairs == ("The answer cell of `entropy` held no answer; the one in an earlier cell counts.",)


def test_an_answer_inside_the_cell_of_its_check_is_found():
    def change(cells, named):
        cells.remove(named["softmax-answer"])
        named["softmax"]["source"] = source(named["softmax-answer"]) + "\n\ncheck('softmax', softmax)"

    notebook, _ = softmax_notebook(change)
    assert "powers" in text_in(notebook, "softmax-answer")
    assert text_in(notebook, "softmax") == 'check("softmax", softmax)'


def test_other_code_in_the_cell_of_a_check_runs_before_the_check():
    def change(cells, named):
        named["entropy"]["source"] = ["import math\n", 'check("entropy", entropy)']

    notebook, repairs = softmax_notebook(change)
    places = order(notebook, "entropy-answer", "import math", "entropy")
    assert places == sorted(places)
    assert text_in(notebook, "entropy") == 'check("entropy", entropy)'
    assert repairs == (
        "The check of `entropy` had been edited; the original was put back.",
        "The check of `entropy` held other code; that runs before it, in a cell of its own.",
    )


def test_the_setup_always_runs_whatever_became_of_it():
    def change(cells, named):
        named["setup"]["source"] = "import pandas as pd\n" + source(named["setup"])

    notebook, repairs = softmax_notebook(change)
    assert [cell.id for cell in notebook.cells[:4]] == ["promise", "setup", "own-1", "predict"]
    assert notebook.cells[1] == read(SOFTMAX).cells[1]
    assert notebook.cells[2].source.startswith("import pandas")
    assert repairs == ("The cell `setup` had been edited; the original runs first, then the edited one.",)


def test_a_cell_of_the_release_used_for_something_else_is_put_back_before_it():
    def change(cells, named):
        named["ex-softmax"] |= code("helper = 2")
        named["overflow"] |= markdown("I do not need this.")

    notebook, repairs = softmax_notebook(change)
    assert of_release(notebook, SOFTMAX) == expected(SOFTMAX).cells
    places = order(notebook, "ex-softmax", "helper", "softmax-answer", "overflow", "I do not")
    assert places == sorted(places)
    assert repairs == (
        "The cells `ex-softmax` and `overflow` had been edited; the originals run first, each before the edited one.",
    )


def test_playing_with_a_demonstration_is_kept_and_needs_no_repair():
    def change(cells, named):
        named["explore-live"]["source"] = "widgets.explore_softmax(scores[1], words)"
        named["promise"]["source"] = "# My notes"
        named["by-loop"]["source"] = ["# a remark\n", *named["by-loop"]["source"]]

    notebook, repairs = softmax_notebook(change)
    assert repairs == ()
    assert text_in(notebook, "explore-live") == "widgets.explore_softmax(scores[1], words)"
    assert text_in(notebook, "promise") == "# My notes"
    assert text_in(notebook, "by-loop").startswith("# a remark")


def test_an_edited_demonstration_is_known_by_its_text_alone():
    def change(cells, named):
        named["ratio-demo"]["source"] = source(named["ratio-demo"]).replace("[2.0, -1.5]", "[3.0, -2.5]")
        named["idea"]["source"] = source(named["idea"]).replace("recipe", "mixture")
        strip(cells)

    notebook, _ = softmax_notebook(change)
    assert "mixture" in text_in(notebook, "idea")
    assert [cell.source.count("[3.0, -2.5]") for cell in own(notebook, SOFTMAX)] == [1]


@pytest.mark.parametrize("stripped", [False, True])
def test_a_written_answer_is_found_between_its_neighbours(stripped):
    document = solved(WRITTEN)
    place = next(i for i, cell in enumerate(document["cells"]) if cell["id"] == "explain-context")
    document["cells"][place]["source"] = "Because the mean forgets."
    document["cells"].insert(1, markdown("A long note of mine. " * 10))
    document["cells"].insert(place + 2, markdown("An afterthought."))
    strip(document["cells"] if stripped else document["cells"][place : place + 1])
    notebook, _ = repaired(document, WRITTEN)
    assert text_in(notebook, "explain-context") == "Because the mean forgets."
    assert order(notebook, "An afterthought.")[0] == order(notebook, "explain-context")[0] + 1


SAID = "The mean forgets, and the weights do not."
#: Where an answer may stand that is not in its cell: what becomes of the cells, with the place of the answer's.
ASTRAY = {
    "under the question": lambda cells, place: cells[place - 1].update(source=source(cells[place - 1]) + "\n\n" + SAID),
    "in a cell above": lambda cells, place: cells.insert(place - 1, markdown(SAID)),
    "at the beginning": lambda cells, place: cells.insert(0, markdown(SAID)),
    "at the end": lambda cells, place: cells.append(markdown("# My answer\n\n" + SAID)),
    "two cells below": lambda cells, place: cells.insert(place + 2, markdown(SAID)),
    "as a comment": lambda cells, place: cells.insert(place + 1, code(f"# (so) = {SAID}\n")),
    "as a string": lambda cells, place: cells.insert(place + 1, code(f'"""\n{SAID}\n"""')),
    "as a value": lambda cells, place: cells.insert(place + 1, code(f"answer = '{SAID}'")),
    "printed": lambda cells, place: cells.insert(place + 1, code(f'print("{SAID}")')),
    "in Chinese": lambda cells, place: cells.append(markdown("平均值会忘记，而权重不会。")),
}


@pytest.mark.parametrize("where", ASTRAY)
@pytest.mark.parametrize("missing", [False, True])
def test_a_written_answer_that_stands_elsewhere_is_copied_to_where_a_person_reads_it(where, missing):
    document = blank(WRITTEN)
    place = next(i for i, cell in enumerate(document["cells"]) if cell["id"] == "explain-context")
    ASTRAY[where](document["cells"], place)
    if missing:
        document["cells"] = [cell for cell in document["cells"] if cell.get("id") != "explain-context"]
    notebook, repairs = repaired(document, WRITTEN)
    text = text_in(notebook, "explain-context")
    assert ("平均值" if where == "in Chinese" else SAID) in text
    # A cell of code that lies where a missing answer lay is taken for it, as a text would be.
    if text.startswith("*Nothing was written in this cell."):
        assert "`explain-context` was left empty; what was written elsewhere was copied into it, for a person to" in (
            " ".join(repairs)
        )
        assert "an empty one" not in " ".join(repairs)
    else:
        assert missing or "The answer to `explain-context` was in another cell; it was put into its own." in repairs


@pytest.mark.parametrize(
    "cell",
    [
        markdown("To do: read again."),
        code('def helper(x):\n    """Give all of the numbers back as they came, one by one."""\n    return x'),
        code("weights = softmax(scores)  # again"),
    ],
)
def test_a_note_or_a_helper_is_not_taken_for_a_written_answer(cell):
    document = blank(WRITTEN)
    document["cells"].append(cell)
    notebook, repairs = repaired(document, WRITTEN)
    assert text_in(notebook, "explain-context") == text_in(read(WRITTEN), "explain-context")
    assert repairs == ()


def test_an_answer_that_nobody_wrote_stays_exactly_as_released():
    document = blank(WRITTEN)
    for cell in document["cells"]:
        cell["source"] = source(cell) + " \n\n"
    notebook, repairs = repaired(document, WRITTEN)
    assert notebook == read(WRITTEN)
    assert repairs == ()


def test_pictures_in_text_are_kept_and_everything_else_attached_is_not():
    picture = {"image/png": "aGVsbG8="}

    def change(cells, named):
        attached = {"a.png": picture, "b.svg": {"image/svg+xml": "<svg/>"}, "c.png": {"image/png": "<script>"}, "d": 3}
        cells.append(markdown("![](attachment:a.png)", attachments=attached))

    notebook, repairs = softmax_notebook(change)
    assert notebook.cells[-1].attachments == {"a.png": picture}
    assert repairs == ("Attachments of 1 cell were left out: too large, or no pictures.",)


def test_half_a_surrogate_pair_can_be_saved():
    notebook, _ = softmax_notebook(lambda cells, named: cells.append(code("word = '\\ud83d'")))
    notebook, _ = repaired(json.dumps(solved(SOFTMAX)).replace("**You will", "\\ud83d").encode(), SOFTMAX)
    assert "?" in notebook.cells[0].source
    as_json(notebook).encode("utf-8")


def test_a_cell_of_a_million_letters_is_cut_at_a_line():
    notebook, repairs = softmax_notebook(lambda cells, named: cells.append(code("x = 1\n" * 300_000)))
    assert notebook.cells[-1].source.endswith("x = 1")
    assert len(notebook.cells[-1].source) <= 1_000_000
    assert repairs[0] == "1 cell was longer than 1,000,000 characters; the rest was left out."


@pytest.mark.parametrize("stripped", [False, True])
def test_five_thousand_cells_hide_no_answer_and_take_no_time(stripped):
    rng = random.Random(5)
    texts = [source(cell) for cell in blank(SOFTMAX)["cells"] if not is_answer(cell)]

    def change(cells, named):
        answer = source(named["entropy-answer"]).replace("np.log", "helping_log")
        named["entropy-answer"]["source"] = answer
        if stripped:
            strip(cells)
        for i in range(4_900):
            more = code(f"x{i} = {i}\n" + rng.choice(texts))
            cells.insert(rng.randrange(len(cells)), more)
        cells.insert(cells.index(named["entropy-answer"]), code("helping_log = np.log"))

    began = time.process_time()
    notebook, repairs = softmax_notebook(change)
    assert time.process_time() - began < 2
    assert len(own(notebook, SOFTMAX)) == 300
    assert "helping_log" in text_in(notebook, "entropy-answer")
    assert any(cell.source == "helping_log = np.log" for cell in own(notebook, SOFTMAX))
    changed = {"entropy-answer"}
    assert [cell for cell in of_release(notebook, SOFTMAX, True) if cell.id not in changed] == [
        cell for cell in of_release(expected(SOFTMAX), SOFTMAX, True) if cell.id not in changed
    ]
    assert any("300 were kept" in words for words in repairs)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_of_a_file_that_is_cut_off_the_whole_cells_count(share):
    for path in RELEASED:
        data = text_of_solved(path).encode("utf-8")
        notebook, repairs = repaired(data[: int(len(data) * share)], path)
        states = [
            (cell.source == there.source, cell.source == before.source)
            for cell, there, before in zip(notebook.cells, expected(path).cells, read(path).cells, strict=True)
        ]
        assert all(answered or empty for answered, empty in states)
        whole = int(re.search(r"(\d+) whole cell", " ".join(repairs))[1])  # the cut may go through a letter, too
        assert all(answered for answered, _ in states[:whole])
        assert all(empty for _, empty in states[whole:])
        assert abs(whole / len(states) - share) < 0.25


def test_a_repair_is_named_after_its_exercise_and_many_are_told_together():
    one, many = (
        softmax_notebook(lambda cells, named, names=names: [cells.remove(named[name]) for name in names])[1]
        for names in (["softmax"], ["predict-softmax", "softmax", "entropy", "breaking-query", "temperature_of"])
    )
    assert one == ("The check of `softmax` was missing; it was put back.",)
    assert many == (
        "The checks of `predict-softmax`, `softmax`, `entropy`, `breaking-query` and `temperature_of` were missing; "
        "they were put back.",
    )
