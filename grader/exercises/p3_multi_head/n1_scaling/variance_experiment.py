from functools import lru_cache

import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.p3_multi_head.n1_scaling.shared import draw
from grader.exercises.stages import slip

DIMENSIONS = (2, 8, 32, 128, 512, 2048)


@lru_cache(maxsize=1)  # the large samples take a while, and a check should not
def paired_scores():
    """The 500 dot products of pairs for each dimension."""
    return {d_k: np.einsum("nd,nd->n", *draw(d_k)) for d_k in DIMENSIONS}


@lru_cache(maxsize=1)
def spreads_of_all_pairs():
    """Standard deviation of the dot products of every query with every key, for each dimension."""
    return {d_k: np.dot(Q, K.T).std() for d_k in DIMENSIONS for Q, K in [draw(d_k)]}


def spreads(scaled, wrong=frozenset()):
    """Standard deviation of the scores for each dimension, with mistakes as switches."""
    found = []
    for d_k, scores in paired_scores().items():
        if "theory" in wrong:
            scores = scores / scores.std() * np.sqrt(d_k)
        divisors = {"by-d_k": d_k, "left-over-d": np.sqrt(DIMENSIONS[-1]), "no-scale": 1.0}
        divisor = slip(wrong, divisors, np.sqrt(d_k))
        scores = scores / divisor if scaled else scores
        slips = {
            "mean": scores.mean(),
            "all-pairs": spreads_of_all_pairs()[d_k] / (divisor if scaled else 1.0),
            "sample-deviation": scores.std(ddof=1),
            "mean-size": np.abs(scores).mean(),
            "variance": scores.var(),
        }
        found.append(slip(wrong, slips, scores.std()))
    return np.array(found)


@values(
    points=2,
    task='fill both lists of the dict, "unscaled" and "scaled"',
    entries=(
        Entry("unscaled", "the spread of the plain scores", 0.5, decimals=2),
        Entry("scaled", "the spread of the scaled scores", 0.5),
    ),
    mistakes="""
    variance: these are variances, not standard deviations -> A variance is a squared size: it grows like d_k itself. ->
        Use `.std()`, or take the square root.
    by-d_k: you divided the scores by d_k instead of its square root -> Then the spread shrinks as d_k grows: in the end
        all keys score the same. -> Divide by the square root.
    left-over-d: you divided by the square root of 2048 for every dimension -> A variable left over from an earlier loop
        holds its last value. -> Take the d_k of this round of the loop.
    lists-swapped: the two lists have changed places -> The plain scores spread the more, the longer the vectors are. ->
        Give each list its own key.
    no-scale: both lists hold the spread of the plain scores -> For the second list each score is divided before its
        spread is measured. -> Divide by the square root of d_k first.
    theory: you wrote down what the formula predicts -> An experiment that assumes its result cannot contradict it:
        measured numbers scatter a little. -> Compute the 500 dot products of the drawn pairs and measure their spread.
    mean: you took the mean of the scores instead of their spread -> The mean is near zero for every d_k: it does not
        tell how far the scores lie apart. -> Use `.std()`.
    mean-size: you took the mean absolute score instead of the standard deviation -> It grows in the same way, but is
        smaller by a fifth. -> Use `.std()`.
    all-pairs: you took the dot products of all pairs, 500 times 500 of them -> The task pairs query 1 with key 1, query
        2 with key 2, and so on. All pairs scatter by nearly the same, but not exactly. -> Multiply the two arrays entry
        by entry, and add up each row.
    sample-deviation: you divided by 499 instead of 500 (`ddof=1`) -> That estimates the spread of a larger population;
        here the spread of these 500 numbers is asked for. -> Use `.std()` as it is.
    """,
)
def variance_experiment(wrong=frozenset()):
    first = "lists-swapped" in wrong
    return {"unscaled": spreads(first, wrong), "scaled": spreads(not first, wrong)}
