"""No advice is lost: every wording of the bank before slips had one id each still stands, or was a duplicate."""

import json
from pathlib import Path

import pytest

from grader.exercises import BANK

BEFORE = json.loads(Path(__file__).with_name("data").joinpath("wordings.json").read_text(encoding="utf-8"))
MISTAKES = [(name, *mistake) for name, exercise in BEFORE.items() for mistake in exercise["mistakes"]]


def words_of(name, slip):
    known = {one.id: (one.looks_like, one.cause, one.cure) for one in BANK[name].misconceptions}
    return known[slip]


@pytest.mark.parametrize(("name", "slip", "looks_like", "cause", "cure", "same_as"), MISTAKES)
def test_a_wording_stands_or_another_of_the_same_slip_does(name, slip, looks_like, cause, cure, same_as):
    if not same_as:
        assert words_of(name, slip) == (looks_like, cause, cure)
    else:  # its duplicate is an old wording of the same slip, and the exercise has that now
        stands = next(mistake[1:4] for mistake in BEFORE[same_as]["mistakes"] if mistake[0] == slip)
        assert words_of(name, slip) == words_of(same_as, slip) == tuple(stands)


def test_few_wordings_are_gone():
    gone = {mistake[2:5] for mistake in MISTAKES if mistake[5]}
    standing = {
        (one.looks_like, one.cause, one.cure) for e in BANK.values() for one in getattr(e, "misconceptions", ())
    }
    assert len({mistake[2:5] for mistake in MISTAKES} - standing) == len(gone - standing) <= 60


@pytest.mark.parametrize("name", BEFORE)
def test_tasks_points_letters_and_texts_are_as_they_were(name):
    exercise, before = BANK[name], BEFORE[name]
    assert (exercise.task, exercise.points) == (before["task"], before["points"])
    assert getattr(exercise, "because", {}) == before["because"]
    texts = [one.text for kind in ("cases", "properties", "entries") for one in getattr(exercise, kind, ())]
    assert texts == before["texts"]
