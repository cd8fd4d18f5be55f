import numpy as np

RIGHT = {"as it is": 1.0, "without positions": 0.09, "moved by 20": 1.0, "every second place": 0.23}

VARIANTS = [
    RIGHT,
    {name: np.float32(value) for name, value in RIGHT.items()},
    {name: np.array(value) for name, value in RIGHT.items()},
    {"as it is": 1, "without positions": 0.09, "moved by 20": 1, "every second place": 0.23},
    {"as it is": 0.9998, "without positions": 0.0891, "moved by 20": 0.9999, "every second place": 0.228},
    dict(reversed(RIGHT.items())),
]

# Each with the mistake that the judge should name, or None.
NAMES = "as it is", "without positions", "moved by 20", "every second place"
WRONG = [
    (dict(zip(NAMES, (0.8, 0.07, 0.8, 0.18), strict=True)), "divided-by-ten"),
    (dict(zip(NAMES, (0.73, 0.06, 0.73, 0.17), strict=True)), "divided-by-all"),
    (dict(zip(NAMES, (1.0, 0.03, 1.0, 0.14), strict=True)), "median"),
    (dict(zip(NAMES, (1.0, 0.65, 1.0, 0.8), strict=True)), "largest-of-row"),
    (dict(zip(NAMES, (0.89, 0.08, 0.89, 0.2), strict=True)), "divided-by-more"),
    (dict(zip(NAMES, (1.0, 0.09, 0.23, 1.0), strict=True)), "last-two-exchanged"),
    (dict(zip(NAMES, (1.0, 0.081, 0.997, 0.205), strict=True)), "first-word-counted"),
    (dict(zip(NAMES, (1.0, 0.08, 1.0, 0.299), strict=True)), "closing-counted"),
    (dict(zip(NAMES, (0.0, 0.115, 0.0, 0.0), strict=True)), "next-word"),
    (dict(zip(NAMES, (0.1, 0.1, 0.09, 0.1), strict=True)), "counted-from-one"),
    (dict(zip(NAMES, (1.0, 0.09, 1.0, 1.0), strict=True)), "vectors-doubled"),
    (dict(zip(NAMES, (1.0, 0.09, 1.0, 0.3), strict=True)), "other-half"),
    (dict(zip(NAMES, (1.0, 0.089, 1.0, 0.259), strict=True)), "rows-repeated"),
    (dict(zip(NAMES, (1.0, 0.1, 1.0, 0.26), strict=True)), "second-left-out"),
    (dict(zip(NAMES, (1.0, 0.1, 1.0, 0.25), strict=True)), "last-left-out"),
    (dict(zip(NAMES, (1.0, 0.0, 1.0, 0.5), strict=True)), None),
]
