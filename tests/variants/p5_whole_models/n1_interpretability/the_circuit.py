import numpy as np


def named(**entries):
    right = {"previous": [0, 0], "strongest induction": [1, 1], "loss": 0.13, "without previous": 3.45}
    return right | {name.replace("_", " "): value for name, value in entries.items()}


VARIANTS = [
    named(),
    named(previous=(0, 0), strongest_induction=(1, 1)),
    named(previous=np.array([0, 0]), strongest_induction=np.array([1, 1])),
    named(previous=(np.int64(0), np.int64(0)), loss=0.1273, without_previous=3.4488),
    named(loss=np.float32(0.12728), without_previous=np.float64(3.44879)),
    {name: named()[name] for name in reversed(named())},
]

WRONG = [
    (named(previous=[1, 1], strongest_induction=[2, 2]), "counted-from-one"),
    (named(strongest_induction=[1, 0]), "weaker-induction"),
    (named(previous=[0, 1]), "other-of-layer-0"),
    (named(previous=[1, 1]), "both-alike"),
    (named(loss=1.86, without_previous=3.45), "loss-of-both-copies"),
    (named(loss=3.48, without_previous=3.47), "loss-of-the-first"),
    (named(loss=0.25, without_previous=3.42), "whole-second-copy"),
    (named(without_previous=1.02), "cut-other-of-layer-0"),
    (named(without_previous=1.71), "cut-an-induction-head"),
    (named(without_previous=3.31), "cut-the-layer"),
    (named(without_previous=3.47), "kept-alone"),
    (named(without_previous=0.13), "nothing-cut"),
]
