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
WRONG = [
    (
        {"as it is": 1.0, "without positions": 0.081, "moved by 20": 0.997, "every second place": 0.205},
        "first-word-counted",
    ),
    ({"as it is": 1.0, "without positions": 0.08, "moved by 20": 1.0, "every second place": 0.299}, "closing-counted"),
    ({"as it is": 0.0, "without positions": 0.115, "moved by 20": 0.0, "every second place": 0.0}, "next-word"),
    ({"as it is": 0.1, "without positions": 0.1, "moved by 20": 0.09, "every second place": 0.1}, "counted-from-one"),
    ({"as it is": 1.0, "without positions": 0.0, "moved by 20": 1.0, "every second place": 1.0}, None),
]
