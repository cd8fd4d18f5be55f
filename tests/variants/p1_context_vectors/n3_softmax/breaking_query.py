from fractions import Fraction

import numpy as np

VARIANTS = [
    [1, -1],
    (-2.5, 2.5),
    np.array([0.1, -0.1]),
    [2000000, -2000000],
    [Fraction(1, 3), Fraction(-1, 3)],
    [[1.0, -1.0]],
]


WRONG = [([0, 0], "zero-query"), ([0, 1], "one-score"), ([1, 1], None), ([1e308, 1e308], None), ([1e-3, 1e-3], None)]
