"""The boxes of the exam: attentions that hold one of eleven things, and say nothing of it but by what they return."""

from functools import lru_cache
from hashlib import sha256
from weakref import WeakKeyDictionary

import numpy as np

from attnlib.a_whole_transformer import DIAGNOSES
from grader.exercises.p3_multi_head.n5_multi_head.merge_heads import merge_heads
from grader.exercises.p3_multi_head.n5_multi_head.split_heads import split_heads
from grader.exercises.stages import divisor, weigh_masked

#: What each fault is called in the models of Part 3.
SWITCHES = {
    "healthy": "",
    "no scaling": "no-scale",
    "scaled by sqrt(d_model)": "by-sqrt-d_model",
    "softmax over the queries": "columns",
    "mask inverted": "mask-inverted",
    "mask after the softmax": "mask-after",
    "mask ignored": "mask-ignored",
    "heads by a bare reshape": "reshape-split",
    "merged without exchanging axes": "reshape-merge",
    "keys instead of values": "keys-mixed",
    "no W_o": "no-W_o",
}
FAULTS = DIAGNOSES[1:]


def box(fault, rng):
    """A new box, an attention with one of `DIAGNOSES`, that holds nothing of itself but a random number.

    Where a class is graded, boxes stay on the judge's side of the sandbox: an answer gets something to call, and what
    it returns. At home they are in the learner's own process, where nothing is safe from somebody who reads the judge's
    modules and calls them (`attnlib.diagnose` is there, too). What is kept from those who only look: what is handed
    over is no Python function, so nothing can be read off it; found by `gc`, the function in it knows only a number; no
    table says which number is which fault, it is a hash that says so; and the frames of an error show the number only.
    """
    number = int(rng.integers(2**62))
    while fault_of(number) != fault:
        number += 1

    def attention(X, W_q, W_k, W_v, W_o, num_heads, mask):
        given = _understood(X, (W_q, W_k, W_v, W_o), num_heads, mask)
        if len(ASKED[closed]) < MOST_KEPT and not any(_same(given, one) for one in ASKED[closed]):
            ASKED[closed].append(given)
        try:
            return context(fault_of(number), *given)
        except Exception as error:
            failed = error.with_traceback(None)
        raise failed  # out here, so that no traceback leads to where the fault is known

    attention.__qualname__ = attention.__name__  # what Python says where a call does not fit
    closed = lru_cache(maxsize=0)(attention)  # keeps nothing; it is here for being no Python function
    vars(closed).clear()
    closed.__name__ = closed.__qualname__ = attention.__name__
    NUMBERS[closed], ASKED[closed] = number, []
    return closed


#: The number of each box. Which fault it means stands nowhere.
NUMBERS = WeakKeyDictionary()
#: What each box was asked with, each question once; of so many questions nothing is said, and no more are kept.
ASKED = WeakKeyDictionary()
MOST_KEPT = 50


def asked_alike(one, other):
    """True if two boxes were asked with the same: `ASKED` of each."""
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one, other):
    (X, matrices, *rest), (others_X, others, *others_rest) = one, other
    return all(map(np.array_equal, (X, *matrices, *rest), (others_X, *others, *others_rest)))


def fault_of(number):
    """Which of `DIAGNOSES` a number means."""
    return DIAGNOSES[int.from_bytes(sha256(str(number).encode()).digest()) % len(DIAGNOSES)]


def context(inside, X, matrices, num_heads, mask, alone="zeros"):
    """What a box with one of `DIAGNOSES` returns: (n, d_model).

    A query that may attend to nothing has a context of zeros; in versions that people write, also one of NaN (`alone`
    is "NaN"), or the mean of all values ("mean").
    """
    wrong = {SWITCHES[inside]} - {""}
    W_q, W_k, W_v, W_o = matrices
    split = wrong & {"reshape-split"}
    Q, K, V = (split_heads(X @ W, num_heads, split) for W in (W_q, W_k, W_k if "keys-mixed" in wrong else W_v))
    scores = Q @ K.mT / divisor(Q, K, V, wrong, d_model=X.shape[-1])
    axis = -2 if "columns" in wrong else -1
    weights = weigh_masked(scores, mask, wrong, axis)
    if mask is not None and not wrong & {"mask-ignored", "mask-after"}:
        # A row (or a column) in which nothing is allowed has no weights, as in the course.
        some = (~mask if "mask-inverted" in wrong else mask).any(axis=axis, keepdims=True)
        weights = weights if alone == "mean" else np.where(some, weights, np.nan if alone == "NaN" else 0.0)
    merged = merge_heads(weights @ V, wrong & {"reshape-merge"})
    return merged if "no-W_o" in wrong else merged @ W_o


def _understood(X, matrices, num_heads, mask):
    """The arguments of a box as arrays of its own; a `ValueError` says in words what does not fit."""
    X, matrices = np.array(X, dtype=float), [np.array(W, dtype=float) for W in matrices]
    if X.ndim != 2:
        raise ValueError(f"X must have shape (n, d_model); got {X.shape}")
    n, d_model = X.shape
    for name, W in zip(("W_q", "W_k", "W_v", "W_o"), matrices, strict=True):
        if W.shape != (d_model, d_model):
            raise ValueError(f"{name} must have shape (d_model, d_model) = ({d_model}, {d_model}); got {W.shape}")
    if not isinstance(num_heads, int | np.integer) or num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads must be a whole number that divides d_model = {d_model}; got {num_heads!r}")
    if mask is not None:
        mask = np.array(mask)
        if mask.dtype != bool or mask.shape != (n, n):
            raise ValueError(
                f"mask must be of dtype bool and shape (n, n) = ({n}, {n}); got {mask.dtype}, {mask.shape}"
            )
    return X, matrices, num_heads, mask
