"""A whole transformer: against the makers' code, alone and in a batch, and a judge of attention."""

import sys

import numpy as np
import pytest
from hostile import found_in

from attnlib import (
    diagnose,
    encoder_input,
    load_encoder,
    load_encoder_outputs,
    load_search_sentences,
    load_senses,
    mine,
    multi_head_attention,
    plots,
    search_sentences,
    sentence_vector,
    sentence_vectors,
    tokenize,
    unit_rows,
    word_in_context,
)
from attnlib.a_whole_transformer import DIAGNOSES
from grader.exercises.p5_whole_models.n3_a_whole_transformer.exam.boxes import (
    ASKED,
    MOST_KEPT,
    NUMBERS,
    SWITCHES,
    box,
    context,
    fault_of,
)
from grader.judging.judge import judge

OUTPUTS = load_encoder_outputs()
BOXES = {fault: box(fault, np.random.default_rng(1)) for fault in DIAGNOSES}
FAULTS = DIAGNOSES[1:]


def test_all_62_sentences_agree_with_the_makers_code():
    vectors = sentence_vectors(OUTPUTS["texts"])
    assert np.abs(vectors - OUTPUTS["vectors"]).max() < 1e-5
    assert np.abs(sentence_vector(OUTPUTS["texts"][3]) - OUTPUTS["vectors"][3]).max() < 1e-5


def test_the_published_model_is_near():
    cosines = (sentence_vectors(OUTPUTS["texts"][:20]) * OUTPUTS["published"][:20]).sum(axis=1)
    assert cosines.min() > 0.999
    assert cosines.max() < 1


def test_a_sentence_is_the_same_alone_and_beside_others():
    texts = ["he ran", OUTPUTS["texts"][0], "the cat sat on the mat"]
    assert np.allclose(sentence_vectors(texts), [sentence_vector(text) for text in texts], atol=1e-6)
    assert np.allclose(np.linalg.norm(sentence_vectors(texts), axis=1), 1)


def test_a_sentence_is_no_bag_of_words_to_it():
    one, other = sentence_vectors(["the dog bit the man", "the man bit the dog"])
    assert 0.9 < one @ other < 0.99


def test_the_transformer_finds_more_by_meaning_than_the_mean_of_words():
    search, encoder = load_search_sentences(), load_encoder()
    E, ids = encoder["word_vectors"], encoder["vocabulary"]

    def words(texts):
        return unit_rows(np.array([E[[ids[token] for token in tokenize(text)]].mean(axis=0) for text in texts]))

    right = {}
    for of in (words, sentence_vectors):
        known = of(search["sentences"])
        first = [search_sentences(one, known, 1)[0][0] for one in of(search["questions"])]
        right[of] = int((first == search["answers"]).sum())
    assert right[sentence_vectors] == 19
    assert right[words] == 16


def test_the_best_come_first_and_of_equal_ones_the_earlier():
    vectors = np.array([[0, 1], [1, 0], [0.6, 0.8], [1, 0], [-1, 0]])
    indices, scores = search_sentences([1, 0], vectors, 4)
    assert indices.tolist() == [1, 3, 2, 0]
    assert scores.tolist() == [1, 1, 0.6, 0]


def test_a_word_is_followed_from_the_input_to_the_makers_last_layer():
    text = OUTPUTS["texts"][0]
    states = word_in_context(text, "bank")
    place = 1 + tokenize(text).index("bank")
    assert np.allclose(states[0], encoder_input(tokenize(text))[place])
    assert np.abs(states - OUTPUTS["states"][0][:, place]).max() < 1e-4
    assert np.allclose(word_in_context("the cat saw the dog", "the"), word_in_context("the cat saw the dog", "the"))
    assert not np.allclose(word_in_context("the cat saw the dog", "the")[6], word_in_context("a cat", "cat")[6])


def test_meanings_part_from_layer_to_layer():
    meaning, right = np.repeat([0, 1], 6), np.zeros(7)
    for word, meanings in list(load_senses().items())[1:3]:
        states = np.array([word_in_context(text, word) for some in meanings.values() for text in some])
        right += plots.a_whole_transformer.nearest(states)[1]
    assert len(meaning) == 12
    assert right[0] < 14
    assert right[6] >= 23


@pytest.mark.parametrize("fault", DIAGNOSES)
def test_each_fault_is_told_by_what_comes_out(fault):
    assert diagnose(BOXES[fault]) == fault


def told(attention):
    """What the judge's own hash says of a box."""
    return fault_of(NUMBERS[attention])


def told_by(things):
    """The faults whose name, or whose switch of the judge's, stands in what these things show."""
    words = {word for fault in FAULTS for word in (fault, SWITCHES[fault])}
    return {word for thing in things for word in words if f"'{word}'" in repr(thing)}


@pytest.mark.parametrize("fault", DIAGNOSES)
def test_a_box_says_nothing_of_itself(fault):
    one = box(fault, np.random.default_rng(2))
    for name in ("__closure__", "__globals__", "__code__", "__defaults__", "__wrapped__", "__self__", "__func__"):
        assert not hasattr(one, name)
    for door in (one.__call__, one.__reduce__, one.__init__):
        assert not hasattr(door, "__globals__")
        assert not hasattr(door, "__closure__")
    assert vars(one) == {"__name__": "attention", "__qualname__": "attention"}
    found = found_in(one)
    assert NUMBERS[one] in found, "the search comes as far as there is something to find"
    assert told_by([*found, *(getattr(one, name) for name in dir(one))]) == set()
    assert told_by(found_in(NUMBERS)) == set()


def test_each_box_has_a_number_of_its_own():
    rng = np.random.default_rng(3)
    assert len({NUMBERS[box(fault, rng)] for fault in DIAGNOSES * 3}) == 3 * len(DIAGNOSES)


def test_a_box_that_is_asked_again_and_again_keeps_little_of_it():
    one = box("healthy", np.random.default_rng(0))
    X = np.ones((3, 4))
    for _ in range(MOST_KEPT + 10):
        one(X, *[np.eye(4)] * 4, 2, None)
    assert len(ASKED[one]) == 1
    for _ in range(MOST_KEPT + 10):
        X += 1  # what was asked with stays as it was
        one(X, *[np.eye(4)] * 4, 2, None)
    assert len(ASKED[one]) == MOST_KEPT


@pytest.mark.parametrize("fault", DIAGNOSES)
def test_the_frames_of_an_error_do_not_tell_the_fault(fault):
    seen = []

    class Curious:
        def __array__(self, dtype=None, copy=None):
            frame = sys._getframe(1)
            while "seen" not in frame.f_locals:
                seen.append(dict(frame.f_locals))
                frame = frame.f_back
            return np.full((3, 4), 1e200)

    one, huge = box(fault, np.random.default_rng(4)), np.full((4, 4, 4), 1e200)
    with np.errstate(all="raise"), pytest.raises(FloatingPointError) as caught:
        one(Curious(), *huge, 2, np.tri(3, dtype=bool))
    assert caught.value.__context__ is None
    assert [entry.name for entry in caught.traceback[1:]] == ["attention"]
    with pytest.raises(ValueError, match="num_heads must") as refused:
        one(Curious(), *huge, 3, np.tri(3, dtype=bool))
    frames = [entry.frame.f_locals for entry in (*caught.traceback[1:], *refused.traceback[1:])]
    assert any(frame.get("number") == NUMBERS[one] for frame in seen), "the search comes as far as the number"
    assert told_by([*seen, *frames]) == set()


def test_a_box_wants_all_that_the_task_says_it_takes():
    with pytest.raises(TypeError, match=r"attention\(\) missing 1 required positional argument: 'mask'"):
        BOXES["mask ignored"](np.ones((2, 2)), *np.ones((4, 2, 2)), 1)


def test_the_course_s_own_attention_is_healthy():
    assert diagnose(lambda X, *given: multi_head_attention(X, X, *given)[0]) == "healthy"


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: sentence_vector("the zyzzyva"), ValueError, "zyzzyva"),
        (lambda: sentence_vector(3), TypeError, "text must be a text; got 3"),
        (lambda: sentence_vectors("one text"), TypeError, "texts must be a list of texts; got the text 'one text'"),
        (lambda: sentence_vectors([]), ValueError, "at least one text"),
        (
            lambda: word_in_context("the theatre", "he"),
            ValueError,
            "word must be one of the text's words, the, theatre",
        ),
        (lambda: search_sentences([1, 0], [[1, 0]], 2), ValueError, "k must be between 1 and 1; got 2"),
        (lambda: search_sentences([1, 0, 0], [[1, 0]], 1), ValueError, "same last axis"),
        (lambda: search_sentences([[1, 0]], [[1, 0]], 1), ValueError, r"query_vector must have shape \(d,\)"),
        (lambda: diagnose(3), TypeError, "attention"),
        (lambda: plots.who_calls_whom([]), ValueError, "at least one pair"),
        (lambda: plots.who_calls_whom([("a", "b"), ("b", "a")]), ValueError, "circle"),
    ],
)
def test_an_error_says_what_was_expected(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"X": np.ones((2, 3, 4))}, "X must have shape"),
        ({"W_v": np.ones((4, 2))}, "W_v must have shape"),
        ({"num_heads": 3}, "divides d_model = 4; got 3"),
        ({"mask": np.ones((3, 3))}, "mask must be of dtype bool"),
        ({"mask": np.ones((2, 3), dtype=bool)}, r"shape \(n, n\) = \(3, 3\)"),
    ],
)
def test_a_box_says_what_it_cannot_take(given, words):
    inputs = {"X": np.ones((3, 4))} | {name: np.eye(4) for name in ("W_q", "W_k", "W_v", "W_o")}
    inputs |= {"num_heads": 2, "mask": np.tri(3, dtype=bool)}
    assert BOXES["healthy"](**inputs).shape == (3, 4)
    with pytest.raises(ValueError, match=words):
        BOXES["healthy"](**inputs | given)


def test_a_query_that_may_attend_to_nothing_hears_nothing():
    rng = np.random.default_rng(0)
    X, W, mask = rng.normal(size=(3, 4)), rng.normal(size=(4, 4, 4)), np.tri(3, k=-1, dtype=bool)
    assert (BOXES["healthy"](X, *W, 2, mask)[0] == 0).all()
    assert (BOXES["mask inverted"](X, *W, 2, np.ones((3, 3), dtype=bool)) == 0).all()


def test_who_called_whom_is_noted_while_it_runs():
    with mine.watched() as ran:
        sentence_vector("the cat sat")
    assert ("post_norm_block", "multi_head_attention") in ran.calls
    assert ("feed_forward", "gelu") in ran.calls
    assert ("sentence_vector", "post_norm_block") in ran.calls
    assert len(set(ran.calls)) == len(ran.calls)
    assert not any(name.startswith(("load_", "_")) for pair in ran.calls for name in pair)
    assert ran.mine == []


def sat(answer, seed):
    """The points of an answer in an exam."""
    return judge("diagnose", answer, seed).points


def test_an_exam_is_drawn_anew_so_that_it_cannot_be_learned_by_heart():
    seen = []

    def judged(attention):
        seen.append(told(attention))
        return seen[-1]

    assert sat(judged, 1) == 6
    first = seen.copy()
    learned = iter(first)
    seen.clear()
    assert sat(judged, 2) == 6
    assert first != seen
    assert set(first) == set(seen) == set(DIAGNOSES)
    assert len({len(first), *(counted(seed) for seed in range(3, 9))}) > 1
    assert sat(lambda attention: next(learned, "healthy"), 2) < 3


def counted(seed):
    boxes = []
    sat(lambda attention: boxes.append(attention) or "healthy", seed)
    return len(boxes)


def by_gaps(rng=None, **others):
    """A judge that takes the nearest of its own versions, some of which do what another name says."""

    def judged(attention):
        drawn, shape = rng or np.random.default_rng(0), (12, 12)
        given = (drawn.normal(size=(5, 12)), [drawn.normal(size=shape) for _ in range(4)], 3, np.tri(5, dtype=bool))
        got = attention(given[0], *given[1], *given[2:])
        own = {name: context(others.get(SWITCHES[name] or "healthy", name), *given) for name in DIAGNOSES}
        # As if each were written in its own way: equal ones differ in the last digits.
        gaps = {name: np.abs(got - one).max() * (1 + 1e-15 * drawn.random()) for name, one in own.items()}
        return min(gaps, key=lambda name: gaps[name] + 1e-17 * drawn.random())

    return judged


@pytest.mark.more
def test_two_versions_that_do_the_same_are_not_both_right_by_chance():
    rng = np.random.default_rng(7)
    assert {sat(by_gaps(rng), seed) for seed in range(2)} == {6}
    assert {sat(by_gaps(rng, healthy="scaled by sqrt(d_model)"), seed) for seed in range(2)} == {0}
    assert {sat(by_gaps(healthy="scaled by sqrt(d_model)"), seed) for seed in range(2)} <= {0, 5.5}
    assert {sat(by_gaps(rng, **{"by-sqrt-d_model": "no scaling"}), seed) for seed in range(2)} == {5}


@pytest.mark.parametrize("said", DIAGNOSES)
def test_saying_the_same_of_every_box_earns_nothing(said):
    assert sat(lambda attention: said, 3) == 0


def test_each_fault_that_is_missed_costs_its_share_and_crying_wolf_costs_all():
    def but(fault, said):
        return lambda attention: said if told(attention) == fault else told(attention)

    assert all(sat(but(fault, "healthy"), seed) == 5.5 for fault in DIAGNOSES[1:] for seed in (1, 2))
    assert sat(but("healthy", "no W_o"), 1) == 0
