import numpy as np

HALF = np.sqrt(0.5)

VARIANTS = [
    [[0.0, -1.0], [1.0, 0.0]],
    [[HALF, HALF], [-HALF, HALF]],
    np.array([[0.6, -0.8], [0.8, 0.6]]),
    ((0.5, 0.866025), (-0.866025, 0.5)),
    [[0.6, -0.799], [0.799, 0.6]],
    [[0.0, -1.2], [1 / 1.2, 0.0]],
    [[0.0, 1.002], [-1.002, 0.0]],
    [[np.cos(0.1), np.sin(0.1)], [-np.sin(0.1), np.cos(0.1)]],
    [[np.cos(0.02), -np.sin(0.02)], [np.sin(0.02), np.cos(0.02)]],
]

# Each with the mistake that the judge should name, or None.
WRONG = [
    ([[1.0, 0.0], [0.0, 1.0]], "identity"),
    ([[1.0, 0.0], [0.0, -1.0]], "diagonal"),
    ([[0.0, 1.0], [1.0, 0.0]], "twice-the-identity"),
    ([[0.6, 0.8], [0.8, -0.6]], "twice-the-identity"),
    ([[0.9, 0.0], [0.0, 0.9]], "diagonal-dies"),
    ([[np.cos(0.005), np.sin(0.005)], [-np.sin(0.005), np.cos(0.005)]], "diagonal"),
    ([[0.9, 0.005], [0.005, 0.9]], "diagonal-dies"),
    ([[0.9, 0.1], [0.1, 0.9]], "forgets-one-way"),
    ([[0.9, 0.05], [0.05, 0.9]], "dies"),
    ([[0.5, 0.5], [0.5, 0.5]], "forgets-one-way"),
    ([[0.9, 0.1], [0.2, 0.8]], "forgets-one-way"),
    ([[1.0, 1.0], [0.0, 1.0]], "slowly-growing"),
    ([[1.0, 1.0], [1.0, 0.0]], "grows-and-forgets"),
    ([[1.0, -1.0], [1.0, 1.0]], "grows"),
    ([[0.5, -0.5], [0.5, 0.5]], "dies"),
    ([[1e80, 1.0], [1.0, 1e80]], "grows"),
    ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], None),
]
