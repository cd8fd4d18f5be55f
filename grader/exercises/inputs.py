"""Fresh inputs for the exercises. Every function takes a seeded `numpy.random.Generator` first.

The same mistake costs the same points whatever is drawn: inputs are made so, or drawn anew until, what a case is to
show does show.
"""

import numpy as np

#: So many draws in which a mistake does not show say that it never will.
MOST_DRAWS = 5_000


def tenths(rng, *shape, low=-1.5, high=1.5):
    """Numbers with one decimal, no two alike and none zero: small enough to check by hand.

    No row and no column adds up to zero, nor the whole (unless it holds all there are), and not all rows
    or all columns to the same.
    """
    size = int(np.prod(shape))
    pool = np.arange(round(low * 10), round(high * 10) + 1)
    pool = pool[pool != 0]
    while True:
        drawn = rng.choice(pool, size=size, replace=size > pool.size).reshape(shape)
        sums = [drawn.sum(axis=axis).ravel() for axis in range(-min(len(shape), 2), 0)]
        whole = drawn.sum() or size == pool.size
        if whole and all(of_axis.all() and (of_axis.size == 1 or np.ptp(of_axis) > 0) for of_axis in sums):
            return drawn / 10


def matrix(rng, *shape, scale=1.0):
    """Normally distributed numbers."""
    return scale * rng.normal(size=shape)


def square(rng, n):
    """A square matrix that is far from symmetric, so that its transpose cannot pass."""
    return matrix(rng, n, n) + np.triu(np.ones((n, n)), 1)


def integers(low, high):
    """A function that draws whole numbers from `low` on, below `high`, in a shape."""
    return lambda rng, *shape: rng.integers(low, high, size=shape)


def uniform(rng, low, high):
    """A number between two."""
    return float(rng.uniform(low, high))


def arrays(draw=matrix, **arguments):
    """A function that draws the arguments of a case, in their order.

    Of each it is told a shape, or in a tuple a function that draws it and what that needs; all else is as it is.
    """

    def value(rng, it):
        if not isinstance(it, tuple):
            return it
        return it[0](rng, *it[1:]) if callable(it[0]) else draw(rng, *it)

    return lambda rng: {name: value(rng, it) for name, it in arguments.items()}


def example(**arguments):
    """A function that makes the arguments of the task's own example, whatever is drawn."""
    return lambda rng: dict(arguments)


def moved(rng, n):
    """An order of n places in which none stays where it was."""
    return np.roll(np.arange(n), int(rng.integers(1, n)))


def far_apart(rng, n):
    """n numbers of both signs in a random order, whose products are some 100,000, and thousands from each other."""
    return rng.permutation((600.0 + 30.0 * rng.permutation(n)) * np.where(np.arange(n) % 2, 1, -1))


def meeting(rng, target, source, d_target, d_source, d_k):
    """Two sequences and the matrices of their queries and keys, with the scores `target[i] * source[j]` when scaled."""
    asks, answers, W_q = matrix(rng, d_target), matrix(rng, d_source), matrix(rng, d_target, d_k)
    q = asks @ W_q
    W_k = np.sqrt(d_k) * np.outer(answers, q) / (answers @ answers) / (q @ q)
    return {"X_target": np.outer(target, asks), "X_source": np.outer(source, answers), "W_q": W_q, "W_k": W_k}


def shuffled(rng, ascending):
    """Different numbers in an order that is neither ascending nor descending; of two, the larger first."""
    ascending = np.sort(ascending)
    while True:
        order = rng.permutation(ascending)
        if len(order) == 2:
            return ascending[::-1].copy()
        if not (np.array_equal(order, ascending) or np.array_equal(order, ascending[::-1])):
            return order


def numbers(value):
    """Plain numbers, in lists or not, as an array of floats; raises ValueError in words. A text is no number."""
    try:
        found = np.asarray(value)
        if found.dtype.kind in "biufO":  # to NumPy, whole numbers that are too large for it are objects
            return found.astype(float)
    except (TypeError, ValueError):
        pass
    raise ValueError("these are not numbers, or rows of different lengths")


def point(value, *shape, wanted, whole="both numbers"):
    """The plain numbers that a search found, as an array of this shape; raises ValueError in words."""
    try:
        found = numbers(value)
    except ValueError as problem:
        raise ValueError(f"expected {wanted}; {problem}") from None
    if np.squeeze(found).shape != shape:
        raise ValueError(f"expected {wanted}; got shape {found.shape}")
    found = found.reshape(shape)  # one row of a matrix is as good as its numbers
    if not np.isfinite(found).all():
        raise ValueError(f"{whole} must be finite")
    if np.abs(found).max() > 1e100:  # its products would overflow
        raise ValueError("keep the numbers below 1e100")
    return found


def telling(make, model, *mistakes):
    """`make`, drawn anew until each of these mistakes clearly changes what the model does with the inputs.

    Where that never happens, it raises RuntimeError with those that do not show.
    """

    order = [*mistakes]  # what was hidden last is looked for first: most draws fall at the same few

    def drawn(rng):
        for _ in range(MOST_DRAWS):
            inputs = make(rng)
            hidden = next(_silent(model, inputs, *order), None)
            if hidden is None:
                return inputs
            order.insert(0, order.pop(order.index(hidden)))
        never = ", ".join(_silent(model, inputs, *mistakes))
        raise RuntimeError(f"{MOST_DRAWS:,} draws of these inputs do not show {never}")

    return drawn


def tells(model, inputs, *mistakes):
    """True if each of these mistakes clearly changes what the model does with the inputs."""
    return next(_silent(model, inputs, *mistakes), None) is None


def _silent(model, inputs, *mistakes):
    """Those of these mistakes that do not clearly change what the model does with the inputs."""
    with np.errstate(all="ignore"):
        right = model(**inputs)
        for mistake in mistakes:
            if not _apart(model(**inputs, wrong=frozenset([mistake])), right):
                yield mistake


def _apart(one, other):
    if isinstance(other, tuple):
        return any(_apart(a, b) for a, b in zip(one, other, strict=True))
    return np.shape(one) != np.shape(other) or not np.abs(np.subtract(one, other)).max() <= 1e-3
