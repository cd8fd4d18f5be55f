VARIANTS = [[5.0, 0.0], [2e8 + 1, 2 - 1e8], [[5.0, 0.0]]]


WRONG = [
    ([1.0, 2.0], "the-copy"),
    ([-1.0, 3.0], "still-near"),
    ([4.0, -2.0], "right-angle-only"),
    ([10.0, 10.0], "far-and-different"),
    ([1.0, 1.0], None),
    ([[5.0, 0.0], [5.0, 0.0]], None),
    ([1e101, -1e101], None),
]
