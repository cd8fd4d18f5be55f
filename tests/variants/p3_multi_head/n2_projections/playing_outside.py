PLAYING_SCORES = [[0.9112, 0.8017], [1.4157, 1.2510]]


WRONG = [
    (
        {"scores": PLAYING_SCORES, "scaled": PLAYING_SCORES, "weights": [[0.5273, 0.4727], [0.5411, 0.4589]]},
        None,
    ),
]
