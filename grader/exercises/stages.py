"""The stages of attention, modelled once: project, score, weigh, mask, mix, with the slips that people make in them.

Each takes the switches of an exercise's model, `wrong`, and heeds those that are its own.
"""

import numpy as np

from attnlib import unit_rows

#: Which of the weighted values are added up, by the slip.
SOME = {
    "first-term": slice(1),
    "last-term": slice(-1, None),
    "last-left-out": slice(-1),
    "first-left-out": slice(1, None),
}
#: What `d_k` holds after the loops of the notebook on scaling.
LEFT_OVER = 2048


def slip(wrong, slips, right):
    """What the first of these slips that is made puts in the place of what is right."""
    return next((given for name, given in slips.items() if name in wrong), right)


def number(wrong, mistake, usual):
    """The number that a mistake was made with: one of the learner's own, or the usual one; None if it was not made."""
    made = _made_with(wrong, mistake)
    return None if made is None else float(made or usual)


def marks(wrong, mistake, usual):
    """The marks that a mistake was made with: the learner's own, or the usual ones; "" if it was not made."""
    made = _made_with(wrong, mistake)
    return "" if made is None else made or usual


def _made_with(wrong, mistake):
    """What stands behind the "=" of a mistake, "" if nothing does; None if it was not made."""
    return next((one.partition("=")[2] for one in wrong if one.partition("=")[0] == mistake), None)


def inside(wrong, exercise):
    """The mistakes that were made in an exercise which is done once more on the way."""
    return frozenset(one.removeprefix(f"{exercise}/") for one in wrong if one.startswith(f"{exercise}/"))


def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def sources(X, X_source, wrong):
    """What queries, keys and values are made from: X asks, X_source answers."""
    asks = X_source if wrong & {"queries-from-source", "swapped-sequences"} else X
    of_keys, of_values = (
        X if wrong & {slip, "all-from-target", "swapped-sequences"} else X_source
        for slip in ("keys-from-target", "values-from-target")
    )
    return asks, of_keys, of_values


def score(Q, K, wrong):
    """Scores of shape (..., n_queries, n_keys)."""
    if "cosine" in wrong:
        Q, K = unit_rows(Q), unit_rows(K)
    if "keys-ask" in wrong:
        Q, K = K, Q
    if "distance" in wrong:
        return -((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1)
    scores = Q @ (K if "keys-not-transposed" in wrong else K.T if "reversed-axes" in wrong else K.mT)
    return scores / np.sqrt(Q.shape[-1]) if "scaled" in wrong else scores


def divisor(Q, K, V, wrong, d_model=1):
    """What the scores of scaled attention are divided by."""
    d_k = Q.shape[-1]
    slips = {
        "no-scale": lambda: 1.0,
        "by-d_k": lambda: d_k,
        "by-half-d_k": lambda: d_k / 2,
        "by-twice-d_k": lambda: d_k * 2,
        "by-sqrt-twice-d_k": lambda: np.sqrt(2 * d_k),
        "by-whole-root": lambda: int(np.sqrt(d_k)),
        "by-sqrt-2": lambda: np.sqrt(2),
        "by-log-d_k": lambda: np.log2(d_k),
        "times-sqrt-d_k": lambda: 1 / np.sqrt(d_k),
        "by-sqrt-d_model": lambda: np.sqrt(d_model),
        "by-sqrt-d_v": lambda: np.sqrt(V.shape[-1]),
        "by-sqrt-keys": lambda: np.sqrt(K.shape[-2]),
        "by-sqrt-queries": lambda: np.sqrt(Q.shape[-2]),
        "by-sqrt-len": lambda: np.sqrt(len(Q)),
        "by-sqrt-axis-1": lambda: np.sqrt(Q.shape[1]),
        "by-sqrt-axis-1-of-K": lambda: np.sqrt(K.shape[1]),
        "left-over-d": lambda: np.sqrt(LEFT_OVER),
    }
    return slip(wrong, slips, lambda: np.sqrt(d_k))()


def weigh(scores, wrong, by=1.0):
    """Weights from scores, one row a query; the scores are divided by `by` first."""
    if "scaled-weights" in wrong:
        return weigh(scores, wrong - {"scaled-weights"}) / by
    if "softmax-twice" in wrong:
        return softmax(weigh(scores, wrong - {"softmax-twice"}, by))
    scores = scores // by if "floored" in wrong else scores / by
    if "clipped" in wrong:
        scores = np.clip(scores, -50, 50)
    if wrong & {"raw-scores", "softmax-late"}:
        return scores
    if "shifted-ratio" in wrong:
        scores = scores - scores.max(axis=-1, keepdims=True)
    if "squares" in wrong:
        scores = scores**2
    if wrong & {"ratio", "shifted-ratio", "squares"}:
        return scores / scores.sum(axis=-1, keepdims=True)
    if "uniform" in wrong:
        return np.full(scores.shape, 1 / scores.shape[-1])
    if "best-only" in wrong:
        return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
    axis = -2 if "columns" in wrong else None if "whole-matrix" in wrong else -1
    if "not-normalised" in wrong:
        return np.exp(scores)
    tops = {
        "no-maximum": lambda: 0.0,
        "global-maximum": scores.max,
        "other-shift": lambda: scores.mean(axis=axis, keepdims=True),
    }
    powers = np.exp(scores - slip(wrong, tops, lambda: scores.max(axis=axis, keepdims=True))())
    if "powers-not-divided" in wrong:
        return powers
    if "raw-denominator" in wrong:
        return powers / np.exp(scores).sum(axis=axis, keepdims=True)
    return powers / (powers.sum() if "sum-of-all" in wrong else powers.sum(axis=axis, keepdims=True))


def weigh_masked(scores, mask, wrong, axis=-1):
    """Weights from scores where a mask allows; every row has something to attend to."""
    if mask is None or "mask-ignored" in wrong:
        return weigh(scores, {"no-maximum"}) if "no-maximum" in wrong else softmax(scores, axis)
    allowed = ~mask if "mask-inverted" in wrong else mask
    if "mask-after" in wrong:
        return softmax(scores, axis) * allowed
    if "zero-fill" in wrong:
        return softmax(scores * allowed, axis)
    if "mask-added" in wrong:
        return softmax(scores + allowed, axis)
    if "hundred-fill" in wrong:
        return softmax(np.where(allowed, scores, -100.0), axis)
    if "small-number-added" in wrong:
        return softmax(scores - 1000.0 * ~allowed, axis)
    if "renormalised" in wrong:
        left = softmax(scores, axis) * allowed
        return left / left.sum(axis=axis, keepdims=True)
    if "no-maximum" in wrong:
        powers = np.exp(np.where(allowed, scores, -np.inf))
        return powers / powers.sum(axis=axis, keepdims=True)
    # A large negative number instead of -inf: no column is ever NaN, whatever the axis.
    return softmax(np.where(allowed, scores, -1e30), axis)


def mix(weights, K, V, wrong):
    """Weights times values."""
    if "keys-mixed" in wrong:
        V = K
    context = (weights.mT if "weights-transposed" in wrong else weights) @ V
    if wrong & {"softmax-late", "softmax-again"}:
        return softmax(context)
    return context / len(V) if "averaged-again" in wrong else context


def averaged(X, wrong):
    """The mean of the rows of X (n, d), with the slips of whoever writes it as a loop or by hand."""
    n, sums = len(X), X.sum(axis=0)

    def halving():
        mean = X[0]
        for row in X[1:]:
            mean = (mean + row) / 2
        return mean

    def dividing():
        mean = np.zeros(X.shape[1])
        for row in X:
            mean = (mean + row) / n
        return mean

    slips = {
        "first-twice": lambda: (sums + X[0]) / n,
        "first-missed": lambda: X[1:].sum(axis=0) / n,
        "last-missed": lambda: X[:-1].sum(axis=0) / n,
        "last-divided": lambda: X[:-1].sum(axis=0) + X[-1] / n,
        "three-by-hand": lambda: X[:2].sum(axis=0) + X[2:3].sum(axis=0) / 3,
        "middle-of-extremes": lambda: (X.max(axis=0) + X.min(axis=0)) / 2,
        "ends-only": lambda: (X[0] + X[-1]) / 2,
        "halving": halving,
        "halving-from-zero": lambda: halving() - X[0] / 2 ** (n - 1) + X[0] / 2**n,
        "first-round-only": lambda: X[0] / n,
        "last-overwrites": lambda: X[-1] / n,
        "divided-each-round": dividing,
        "divided-by-n-less-one": lambda: sums / max(n - 1, 1),
        "divided-by-n-plus-one": lambda: sums / (n + 1),
        "always-three": lambda: sums / 3,
        "always-four": lambda: sums / 4,
        "largest": lambda: X.max(axis=0),
        "smallest": lambda: X.min(axis=0),
        "root-mean-square": lambda: np.sqrt((X**2).mean(axis=0)),
    }
    return slip(wrong, slips, lambda: sums / n)()
