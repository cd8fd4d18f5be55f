"""What counts as evidence that an answer made a mistake: finite numbers that vary, and nothing else."""

import time
from itertools import starmap

import numpy as np

from grader.judging.answer import Outcome
from grader.judging.evidence import agrees, differs, fingerprint, said_by
from grader.judging.evidence import evidence as evidence_of


def evidence(calls):
    """The evidence of calls, each with its record, its model and what comes of it without the mistake."""
    return evidence_of(starmap(said_by, calls))


def calls(wrong, right, got=None, count=8):
    """What `said_by` gets of so many calls whose models, and answers, come of the call's input."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(count):
        x = rng.normal(size=5)
        outcomes = [Outcome(value=make(x)) for make in (got or wrong, wrong, right)]
        found.append((((x,), {}, outcomes[0], outcomes[2]), outcomes[1], outcomes[2]))
    return found


def test_numbers_that_vary_are_evidence():
    assert evidence(calls(lambda x: x**2, lambda x: x)) > 100


def test_what_is_not_finite_is_none():
    nothing = lambda x: np.full(5, np.nan)  # noqa: E731
    assert evidence(calls(nothing, lambda x: x)) == 0
    assert evidence(calls(lambda x: float("inf"), lambda x: float(x.sum()))) == 0
    # Rows with NaN agree whatever else stands in them: a model's numbers there were compared with nothing.
    assert evidence(calls(lambda x: x**2, lambda x: x, got=nothing)) == 0


def test_one_result_that_always_comes_counts_once():
    always = calls(lambda x: np.ones(5), lambda x: x)
    assert 0 < evidence(always) == evidence(always[:1])
    assert evidence(calls(lambda x: 1000.0, lambda x: float(x.sum()))) < 15
    assert evidence(calls(lambda x: True, lambda x: False, count=30)) <= 1
    varied = evidence(calls(lambda x: bool(x[0] > 0), lambda x: bool(x[0] <= 0), count=30))
    assert 20 < varied <= 30


def test_the_same_inputs_count_once():
    one = calls(lambda x: x**2, lambda x: x, count=1)
    assert evidence(one * 5) == evidence(one)


def test_what_differs_less_than_results_are_compared_is_no_evidence_but_is_seen():
    near = calls(lambda x: x + 1e-8, lambda x: x)
    assert evidence(near) == 0
    assert all(differs(record, model) for record, model, _ in calls(lambda x: x * (1 + 1e-4), lambda x: x))
    assert not any(differs(record, model) for record, model, _ in calls(lambda x: x, lambda x: x))


def test_who_fails_elsewhere_has_not_joined_what_does_not_fit():
    joined = Outcome(error="ValueError", message="all the input array dimensions except for the concatenation axis ...")
    elsewhere = Outcome(error="ValueError", message="V must have shape (..., 3, d_v); got shape (1, 2)")
    assert agrees(joined, joined)
    assert agrees(joined, elsewhere)
    assert not agrees(elsewhere, joined)


def test_nan_agrees_only_in_the_same_rows():
    def outcome(*rows):
        return Outcome(value=np.array(rows), warned=("invalid value",))

    broken = outcome([1.0, 2.0], [np.nan, 3.0])
    assert agrees(broken, outcome([1.0, 2.0], [5.0, np.nan]))
    assert not agrees(broken, outcome([np.nan, 2.0], [4.0, 3.0]))
    assert not agrees(broken, outcome([1.0, 7.0], [np.nan, 3.0]))
    assert not agrees(broken, outcome([1, 2], [3, 3]))
    assert agrees(outcome([1, 2], [3, 3]), outcome([1.0, 2.0], [3.0, 3.0]))
    pair = Outcome(value=(broken.value, np.array(0.5)))
    assert agrees(pair, Outcome(value=(broken.value.copy(), np.array(0.5))))
    assert not agrees(pair, Outcome(value=(np.zeros((2, 2)), np.array(0.5))))


def test_inputs_that_differ_anywhere_have_other_fingerprints():
    far = np.zeros(5000)
    far[2500] = 1e-14  # repr leaves out the middle of what is long, and rounds
    others = [far], (far,), {"W": far}, [far, 1], {"V": far}, {"W": [far]}, [np.zeros(5000)], {"W": np.zeros(5000)}
    prints = [fingerprint(one) for one in others]
    assert len({*prints}) == len(others)
    assert fingerprint({"W": far.copy()}) == fingerprint({"W": far})


def test_what_has_another_shape_is_not_read_through_for_every_explanation():
    began = time.thread_time()
    large = [{str(i): i for i in range(60_000)}, [[0.0] * 30_000] * 2, ([0.0] * 60_000,) * 2, [[None] * 30_000] * 2]
    for value in large:
        for wanted in (np.ones((2, 3)), np.ones(2), (np.ones((2, 3)), np.ones(4))):
            assert not any(agrees(Outcome(value=value), Outcome(value=wanted)) for _ in range(100))
    assert time.thread_time() - began < 1


def test_lists_of_lists_and_of_arrays_agree_with_the_array_that_they_are():
    for shape in ((2, 3), (0, 3), (2, 0), (2, 1, 3)):
        wanted = np.arange(np.prod(shape), dtype=float).reshape(shape)
        for value in (wanted.tolist(), list(wanted), tuple(map(tuple, wanted)) if wanted.ndim == 2 else list(wanted)):
            if np.shape(value) == shape:
                assert agrees(Outcome(value=value), Outcome(value=wanted))
                assert agrees(Outcome(value=[value, value]), Outcome(value=(wanted, wanted)))
