import numpy as np


def named(**entries):
    right = {"previous": [0, 1], "strongest induction": [1, 1], "without previous": 3.42, "without strongest": 1.74}
    return right | {name.replace("_", " "): value for name, value in entries.items()}


VARIANTS = [
    named(),
    named(previous=(0, 1), strongest_induction=(1, 1)),
    named(previous=np.array([0, 1]), strongest_induction=np.array([1, 1])),
    named(previous=(np.int64(0), np.int64(1)), without_strongest=1.7385, without_previous=3.4183),
    named(without_strongest=np.float32(1.74), without_previous=np.float64(3.41832)),
    {name: named()[name] for name in reversed(named())},
]

WRONG = [
    (named(previous=[1, 2], strongest_induction=[2, 2]), "counted-from-one"),
    (named(previous=[1, 1], strongest_induction=[2, 1]), "layers-from-one"),
    (named(strongest_induction=[-1, -1]), "second-counted-from-the-end"),
    (named(previous=[-2, -1], strongest_induction=[-1, -1]), "counted-from-the-end"),
    (named(previous=[1, 0]), "first-weaker-in-layer-1"),  # head before layer
    (named(previous=[1, 0], without_previous=1.22), "first-weaker-in-layer-1-and-its-loss"),  # head before layer
    (named(without_previous=1.22), "cut-the-weaker-induction-head"),  # `keep` transposed
    (named(without_previous=3.3, without_strongest=1.62), "rise-of-the-loss"),
    (named(strongest_induction=[1, 0]), "weaker-induction"),
    (named(strongest_induction=[1, 0], without_strongest=1.22), "weaker-induction-and-its-loss"),
    (named(strongest_induction=[0, 0], without_strongest=0.98), "strongest-in-layer-0-and-its-loss"),
    (named(previous=[0, 0]), "other-of-layer-0"),
    (named(previous=[1, 1]), "first-in-layer-1"),
    (named(previous=[1, 1], strongest_induction=[1, 0]), "first-in-layer-1"),
    (named(previous=[1, 1], strongest_induction=[1, 0]), "weaker-induction"),
    (named(previous=[0, 0], without_previous=0.98), "other-of-layer-0-and-its-loss"),
    (named(previous=[1, 1], without_previous=1.74), "first-in-layer-1-and-its-loss"),
    (named(previous=[1, 0], without_previous=1.22, strongest_induction=[0, 0]), "first-weaker-in-layer-1-and-its-loss"),
    (named(strongest_induction=[0, 0]), "strongest-in-layer-0"),
    (named(strongest_induction=[0, 1]), "entry-of-another"),
    (named(without_previous=1.74, without_strongest=3.42), "losses-exchanged"),
    (named(without_strongest=3.42), "second-without-the-first"),
    (named(previous=[1, 1], strongest_induction=[0, 1]), "heads-exchanged"),
    (
        named(previous=[1, 1], strongest_induction=[0, 1], without_previous=1.74, without_strongest=3.42),
        "heads-exchanged-and-their-losses",
    ),
    (named(without_previous=0.96, without_strongest=0.69), "weights-for-losses"),
    (named(without_previous=0.98), "cut-other-of-layer-0"),
    (named(without_previous=1.74), "cut-an-induction-head"),
    (named(without_previous=3.23), "cut-the-layer"),
    (named(without_previous=3.48), "kept-alone"),
    (named(without_previous=3.49), "first-copy"),
    (named(without_previous=3.44), "both-copies"),
    (named(without_strongest=2.64), "both-copies-for-strongest"),
    (named(without_strongest=3.49), "first-copy-for-strongest"),
    (named(without_previous=3.45), "cut-in-both-layers"),
    (named(without_previous=0.12), "nothing-cut"),
    (named(without_previous=0.12, without_strongest=0.12), "nothing-cut"),
    (named(without_strongest=1.22), "second-without-weaker"),
    (named(without_previous=3.47), "mean-for-previous"),
    (named(without_strongest=1.71), "mean-for-strongest"),
    (named(without_strongest=3.48), "second-without-the-layer"),
    (named(without_strongest=3.45), "still-cut"),
    (named(without_strongest=3.34), "strongest-kept-alone"),
    (named(without_strongest=0.12), "nothing-cut-for-strongest"),
]
