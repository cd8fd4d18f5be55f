import math

import numpy as np

TIE = {
    "dot": ["A", "C"],
    "cosine": ["A"],
    "distance": ["A"],
    "cosine_of_C": 5 / math.sqrt(50),
    "squared_distance_of_C": 5,
    "dot_with_long_B": ["B"],
}


VARIANTS = [
    TIE,
    TIE | {"dot": ("C", "A"), "cosine": "A", "cosine_of_C": 0.707},
    TIE | {"dot": ["a", "c"], "squared_distance_of_C": np.array([5.0])},
]


WRONG = [
    (TIE | {"dot": ["A"]}, "first-of-tie"),
    (TIE | {"distance": ["B", "C"]}, "farthest"),
    (TIE | {"squared_distance_of_C": 2.236}, "root"),
    (TIE | {"squared_distance_of_C": 10}, "no-two"),
    (TIE | {"squared_distance_of_C": 15.0}, "no-product"),
    (TIE | {"cosine_of_C": 1.581}, "keys-only"),
    (TIE | {"dot_with_long_B": ["A", "C"]}, "length-ignored"),
    (TIE | {"cosine": ["A", "C"]}, "cosine-as-dot"),
    (TIE | {"dot": "AC"}, "one-text"),
    (TIE | {"dot": "A and C"}, "form"),
    (TIE | {"dot": ["C & A"]}, "form"),
    (TIE | {"cosine_of_C": 0.708}, None),
    ({"dot": 5}, None),
]
