"""What the exercises on paths have in common: networks to try them on, and how a matrix is measured."""

import numpy as np

from grader.exercises.inputs import matrix, square, tenths
from grader.exercises.stages import number, slip


def network(n, d_in, d_h, dtype=float):
    """A function that draws a sequence and an RNN, with states that lean neither to 0 nor to 1."""

    def drawn(rng):
        made = {
            "X": matrix(rng, n, d_in, scale=0.7),
            "W_x": matrix(rng, d_in, d_h, scale=0.7),
            "W_h": 0.5 * square(rng, d_h),
            "b": matrix(rng, d_h, scale=0.5),
        }
        return {name: value.astype(dtype) for name, value in made.items()}

    return drawn


def small_network(rng):
    """Three words of two numbers, and two hidden numbers, all with one decimal."""
    return {name: tenths(rng, *shape, low=-0.9, high=0.9) for name, shape in SMALL.items()}


SMALL = {"X": (3, 2), "W_x": (2, 2), "W_h": (2, 2), "b": (2,)}
#: The network by hand: one number everywhere.
BY_HAND = {
    "X": np.array([[1.0], [0.0], [0.0], [0.0]]),
    "W_x": np.array([[1.0]]),
    "W_h": np.array([[0.8]]),
    "b": np.array([0.0]),
}


def measured(J, wrong):
    """The norm of matrices (..., rows, columns), one number each."""
    slips = {
        "squared": lambda: (J**2).sum(axis=(-2, -1)),
        "sum-of-entries": lambda: J.sum(axis=(-2, -1)),
        "sum-of-sizes": lambda: np.abs(J).sum(axis=(-2, -1)),
        "largest-stretch": lambda: np.linalg.norm(J, 2, axis=(-2, -1)),
        "sum-of-stretches": lambda: np.linalg.norm(J, "nuc", axis=(-2, -1)),
        "largest-column": lambda: np.linalg.norm(J, 1, axis=(-2, -1)),
        "largest-row": lambda: np.linalg.norm(J, np.inf, axis=(-2, -1)),
        "largest-entry": lambda: np.abs(J).max(axis=(-2, -1)),
        "mean-square": lambda: np.sqrt((J**2).mean(axis=(-2, -1))),
        "mean-of-sizes": lambda: np.abs(J).mean(axis=(-2, -1)),
        "first-number-only": lambda: np.linalg.norm(J[..., 0, :], axis=-1),
        "last-number-only": lambda: np.linalg.norm(J[..., -1, :], axis=-1),
        "row-norms-added": lambda: np.linalg.norm(J, axis=-1).sum(axis=-1),
        "row-norms-averaged": lambda: np.linalg.norm(J, axis=-1).mean(axis=-1),
    }
    return slip(wrong, slips, lambda: np.sqrt((J**2).sum(axis=(-2, -1))))()


def states(X, W_x, W_h, b):
    """The hidden states (..., n, d_h) of many sequences (..., n, d_in) at once: a nudge is one of many."""
    found = [np.zeros_like(b)]
    for t in range(X.shape[-2]):
        found.append(np.tanh(X[..., t, :] @ W_x + found[-1] @ W_h + b))
    return np.stack(found[1:], axis=-2)


def nudged(result, X, up, down=0.0, together=False):
    """How far a result moves with each word, between two nudges of it: matrices (n, d_in, of the result).

    `result` takes all the sequences (..., n, d_in) that are nudged somewhere.
    """
    n, d_in = X.shape
    along = np.ones((1, d_in)) if together else np.eye(d_in)
    where = np.eye(n)[:, None, :, None] * along[:, None, :]
    return (result(X + up * where) - result(X - down * where)) / (up + down)


def nudges_of(wrong):
    """How far somebody nudges up and down who takes that for the derivative; None for who multiplies."""
    if step := number(wrong, "one-sided", 1e-4):
        return step, 0.0
    if step := number(wrong, "one-sided-below", 1e-4):
        return 0.0, step
    step = number(wrong, "long-steps", 0.01)
    return step and (step, step)


def bent(draw, result):
    """A draw of inputs for which it is no matter of luck how near a nudge comes to the derivative.

    To one side a nudge of 0.00001 is told from it, and a tenth of that is not; to both sides one of 0.001 is not.
    """

    def drawn(rng):
        while True:
            inputs = draw(rng)
            reach = [
                measured(nudged(lambda X, inputs=inputs: result(**inputs | {"X": X}), inputs["X"], *nudge), {})
                for nudge in ((1e-5, 1e-5), (1e-5,), (1e-3, 1e-3))
            ]
            one_sided, long = np.abs(np.subtract(reach[1:], reach[0])) / (reach[0] + reach[0].max())
            if 1.2e-6 < one_sided.max() < 8e-6 and long.max() < 8e-7:  # what agrees to 1e-6 is right
                return inputs

    return drawn
