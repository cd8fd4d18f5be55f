import numpy as np

RIGHT = {
    "steps to read": [100, 1],
    "steps to write": [100, 100],
    "longest road": [99, 1],
    "scores": [0, 10_000],
    "kept": [32, 6_400],
}

VARIANTS = [
    RIGHT,
    {name: tuple(pair) for name, pair in RIGHT.items()},
    {name: np.array(pair, dtype=float) for name, pair in RIGHT.items()},
]

# Each with the mistake that the judge should name, or None.
WRONG = [
    ({name: pair[::-1] for name, pair in RIGHT.items()}, "columns-exchanged"),
    (RIGHT | {"steps to write": [100, 1]}, "writes-at-once"),
    (RIGHT | {"steps to read": [99, 1]}, "one-step-less"),
    (RIGHT | {"steps to read": [99, 1], "steps to write": [99, 99]}, "both-one-less"),
    (RIGHT | {"steps to write": [99, 99]}, "first-is-written-too"),
    (RIGHT | {"steps to write": [100, 99]}, "attention-writes-one-less"),
    (RIGHT | {"steps to write": [99, 100]}, "rnn-writes-one-less"),
    (RIGHT | {"steps to read": [100, 2]}, "passes-of-attention"),
    (RIGHT | {"steps to read": [100, 3]}, "stages-of-attention"),
    (RIGHT | {"steps to read": [100, 100]}, "steps-of-attention"),
    (RIGHT | {"longest road": [100, 1]}, "road-of-words"),
    (RIGHT | {"longest road": [99, 0]}, "no-road"),
    (RIGHT | {"scores": [0, 100]}, "scores-of-one-query"),
    (RIGHT | {"scores": [0, 5050]}, "past-only"),
    (RIGHT | {"scores": [0, 9900]}, "others-only"),
    (RIGHT | {"scores": [100, 10_000]}, "rnn-scores"),
    (RIGHT | {"scores": [99, 10_000]}, "passages-as-scores"),
    (RIGHT | {"kept": [32, 6432]}, "keeps-the-query"),
    (RIGHT | {"kept": [32, 3200]}, "keys-only"),
    (RIGHT | {"kept": [32, 64]}, "keeps-the-last"),
    (RIGHT | {"kept": [3200, 6400]}, "keeps-all-states"),
    (RIGHT | {"kept": [1, 200]}, "rows-kept-of-both"),
    (RIGHT | {"kept": [32, 32]}, "keeps-one-row"),
    (RIGHT | {"kept": [32, 6464]}, "keeps-the-new-word"),
    (RIGHT | {"kept": [32, 10_000]}, "keeps-scores"),
    (RIGHT | {"steps to write": [200, 200]}, "reads-and-writes"),
    (RIGHT | {"steps to read": [100, 3], "steps to write": [100, 300]}, "counts-stages"),
    (RIGHT | {"kept": [32, 9600]}, "keeps-queries-too"),
    (RIGHT | {"kept": [32, 3200], "steps to write": [100, 1]}, None),
    (RIGHT | {"scores": [0, 10_100]}, None),
    (RIGHT | {"longest road": [98, 1]}, None),
    (RIGHT | {"kept": (33.0, 6400.0)}, None),
]
