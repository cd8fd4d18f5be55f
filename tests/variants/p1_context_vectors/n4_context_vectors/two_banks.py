import numpy as np

VARIANTS = [
    {"raw": [20, 3], "by_the_river": [2, 4], "with_money": [59, 2]},
    {"raw": (20, 3), "by_the_river": np.array([2, 4]), "with_money": [np.int64(59), 2.0]},
    {"raw": np.array([[20, 3]])[0], "by_the_river": (2, 4), "with_money": (59, 2), "notes": "bank moved"},
]

# Each with the mistake that the judge should name, or None.
WRONG = [
    ({"raw": [3, 20], "by_the_river": [4, 2], "with_money": [2, 59]}, "words-exchanged"),
    ({"raw": [20, 3], "by_the_river": [59, 2], "with_money": [2, 4]}, "sentences-exchanged"),
    ({"raw": [21, 4], "by_the_river": [3, 5], "with_money": [60, 3]}, "counted-from-one"),
    ({"raw": [20, 3], "by_the_river": [20, 3], "with_money": [20, 3]}, "not-mixed"),
    ({"raw": [20, 3], "by_the_river": [30, 138], "with_money": [745, 1]}, "uniform"),
    ({"raw": [20, 3], "by_the_river": [29, 122], "with_money": [668, 1]}, "scaled"),
    ({"raw": [20, 3], "by_the_river": [2, 4], "with_money": [48, 2]}, "raw-scores"),
    ({"raw": [22, 3], "by_the_river": [2, 4], "with_money": [65, 2]}, "by-dot"),
    ({"raw": [20, 3], "by_the_river": [2, 4], "with_money": [937, 23]}, "first-sentence-row"),
    ({"raw": [20, 3], "by_the_river": [85, 382], "with_money": [59, 2]}, "second-sentence-row"),
    ({"raw": [20, 3], "by_the_river": [85, 382], "with_money": [937, 23]}, "rows-exchanged"),
    ({"raw": [20, 3], "by_the_river": [83, 356], "with_money": [920, 35]}, "fifth-row"),
    ({"raw": [20, 3], "by_the_river": [83, 356], "with_money": [59, 2]}, "row-behind"),
    ({"raw": [20, 3], "by_the_river": [2, 4], "with_money": [920, 35]}, "row-before"),
    ({"raw": [0.255, 0.398], "by_the_river": [0.409, 0.366], "with_money": [0.214, 0.607]}, "cosines-returned"),
    ({"raw": [0.438, 0.693], "by_the_river": [0.364, 0.33], "with_money": [0.21, 0.603]}, "dots-returned"),
    ({"raw": [20, 3], "by_the_river": [2, 4], "with_money": [58, 2]}, "repeats-dropped"),
    ({"raw": 20, "by_the_river": 2, "with_money": 2}, None),
]
