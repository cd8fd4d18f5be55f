WRONG = [
    ([1.0, 2.0], "the-copy"),
    ([-1.0, 3.0], "still-near"),
    ([4.0, -2.0], "right-angle-only"),
    ([10.0, 10.0], "far-and-different"),
    ([1.0, 1.0], None),
    ([[5.0, 0.0]], None),
]
