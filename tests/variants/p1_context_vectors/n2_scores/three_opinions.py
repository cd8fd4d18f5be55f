from fractions import Fraction

import numpy as np

#: The long one, the one that points best, the near one.
OPINIONS = [[1, 0], [9, 9], [3, 0], [1, 0.5]]


def reordered(*places):
    return [OPINIONS[0], *(OPINIONS[place] for place in places)]


VARIANTS = [
    OPINIONS,
    reordered(3, 1, 2),
    np.array(OPINIONS),
    tuple(map(tuple, reordered(2, 3, 1))),
    [np.array(vector) for vector in OPINIONS],
    (1e-200 * np.array(OPINIONS)).tolist(),
    (1e200 * np.array(OPINIONS)).tolist(),
    [[Fraction(1, 3), 0], [3, 3], [1, 0], [Fraction(1, 3), Fraction(1, 6)]],
    [[1.0, 2.0], [10.0, 0.0], [0.1, 0.2], [1.0, 1.5]],
]


WRONG = [
    ([[0, 0], [9, 9], [3, 0], [1, 0.5]], "no-query"),
    ([[1, 2], [1, 2], [2, 0], [-1, 3]], "shared-first-place"),
    ([[5, 5], [0.1, 0], [1, 0.5], [1, 0]], "query-not-first"),
    ([[1, 0], [9, 9], [9, 9], [1, 0.5]], "key-twice"),
    ([[1, 0], [2, 0], [3, 0], [1, 1]], "shared-first-place"),
    ([[1, 0], [5, 5], [5, -5], [1, 0.2]], "shared-first-place"),  # by the dot product
    ([[1, 0], [2, 1], [0.5, 0.5], [0.5, -0.5]], "shared-first-place"),  # by the distance
    ([[1, 0], [0, 5], [3, 4], [5, 0]], "equally-long"),
    ([[1, 0], [1, 0], [0, 1], [-1, 0]], "equally-long"),
    ([[1, 1], [1, 1], [0.5, 0], [-2, 3]], "one-for-all"),
    ([[1, 0], [9, 0], [1, 0.5], [0, 3]], "dot-and-cosine"),
    ([[1, 0], [9, 9], [1.1, 0], [0, 3]], "cosine-and-distance"),
    ([[9, 0], [8, 2], [3, 0], [0, 3]], "dot-and-distance"),
    ([[1, 0], [9, 9], [3, 0]], None),
    ([1, 0, 9, 9, 3, 0, 1, 0.5], None),
    ("A", None),
]
