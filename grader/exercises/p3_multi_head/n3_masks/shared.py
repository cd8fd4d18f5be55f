"""What several exercises of this notebook have in common."""

import numpy as np


def not_boolean(mask):
    if mask.dtype == bool:
        return None
    return f"its entries are of type {mask.dtype}; `~mask` and `mask & other` need booleans"


def some_mask(rng, *shape):
    """A mask with at least two True in every row, and two False where there is room, the same in no two neighbours.

    With a single True, that key's weight is 1 whatever its score, and no mistake in the scores would show.
    """
    while True:
        mask = rng.random(shape) < 0.5
        enough = (mask.sum(axis=-1) >= 2).all() and ((~mask).sum(axis=-1) >= min(2, shape[-1] - 2)).all()
        if enough and (mask.ndim == 1 or (mask[1:] != mask[:-1]).any(axis=-1).all()):
            return mask


def rows_of(X, allowed, *, before=lambda X: X, after_softmax=False, fill=-np.inf):
    """Attention of X over itself where `allowed`, in one of its right or wrong ways.

    The scores are cosines: whatever the size of X, no weight comes near 0 that is not forbidden, so that a leak shows.
    """
    d = X.shape[-1]
    rng = np.random.default_rng(1000 + d)  # the same projections for the same d
    Q, K, V = (before(X) @ rng.normal(size=(d, 5)) for _ in range(3))
    lengths = np.linalg.norm(Q, axis=-1)[:, None] * np.linalg.norm(K, axis=-1)
    scores = Q @ K.T / np.where(lengths > 0, lengths, 1.0)
    if not after_softmax:
        scores = np.where(allowed, scores, fill)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    weights = powers / np.where(total > 0, total, 1.0)
    return np.where(allowed, weights, 0.0) @ V if after_softmax else weights @ V


def attending(allowed, **ways):
    """Attention of X over itself, as `rows_of`; `allowed` tells of rows i and columns j who may attend to whom."""
    return lambda X: rows_of(X, allowed(*np.indices((len(X), len(X)))), **ways)


def on_another_scale(attention, rng):
    """The same attention of tokens whose numbers are each multiplied by a factor: it sees and hears the same tokens, in
    the same numbers of theirs, and what it gives is known to nobody beforehand."""
    factors = rng.uniform(0.6, 1.6, size=61)

    def scaled(X):
        if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "iuf":
            X = X * np.resize(factors, X.shape[1])
        return attention(X)

    return scaled


def past(i, j):
    """What a causal mask allows."""
    return j <= i


causal_attention = attending(past)
open_attention = attending(lambda i, j: j < len(j))
one_ahead_attention = attending(lambda i, j: j <= i + 1)
zeroed_afterwards = attending(past, after_softmax=True)
centred_first = attending(past, before=lambda X: X - X.mean(axis=0))
without_itself = attending(lambda i, j: j < i)
