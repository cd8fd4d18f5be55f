WRONG = [
    ({"unscaled": 0.222, "scaled": 0.028}, "numbers-swapped"),
    ({"unscaled": 0.0314, "scaled": 0.2183}, "all-queries"),
    ({"unscaled": 0.031, "scaled": 0.218}, "all-queries"),
    ({"unscaled": 0.25, "scaled": 0.25}, None),
    ({"unscaled": "small", "scaled": 1}, None),
    ({"unscaled": 0.028, "scaled": 0.0098}, "per-dot-product"),
]
