WRONG = [
    (["a", "b", "d", "f"], "smaller"),
    (["a", "c", "d", "f"], "order"),
    (["d", "e", "f"], "copies-differ"),
    (["b", "c", "e"], "the-false-ones"),
    ("adf", "one-text"),
    (["adf"], "one-text"),
]
