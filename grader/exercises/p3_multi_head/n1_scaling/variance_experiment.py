from functools import lru_cache

import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.p3_multi_head.n1_scaling.shared import draw
from grader.exercises.stages import slip

DIMENSIONS = (2, 8, 32, 128, 512, 2048)
#: How many pairs are drawn by mistake; 50 is what the picture has.
COUNTS = {"fifty-pairs": 50, "hundred-pairs": 100, "thousand-pairs": 1000}
#: Which coordinates are used of the widest draw, by who draws only once.
ONE_DRAW = {"one-draw": lambda d_k: slice(d_k), "one-draw-from-behind": lambda d_k: slice(-d_k, None)}


@lru_cache(maxsize=1)  # the large samples take a while, and a check should not
def paired_scores():
    """The 500 dot products of pairs for each dimension."""
    return {d_k: np.einsum("nd,nd->n", *draw(d_k)) for d_k in DIMENSIONS}


@lru_cache(maxsize=1)
def other_scores():
    """What is measured by mistake in the place of these dot products, for each dimension; by its switch."""
    found = {
        name: {}
        for name in ("down-the-columns", "queries-twice", "keys-twice", "products", "entries", *COUNTS, *ONE_DRAW)
    } | {"one-query": {}, "draw-exchanged": {}}
    widest = draw(DIMENSIONS[-1])
    for d_k in DIMENSIONS:
        for name, part in ONE_DRAW.items():
            found[name][d_k] = np.einsum("nd,nd->n", *(vectors[:, part(d_k)] for vectors in widest))
        Q, K = draw(d_k)
        found["down-the-columns"][d_k] = np.einsum("nd,nd->d", Q, K)
        found["queries-twice"][d_k] = np.einsum("nd,nd->n", Q, Q)
        found["keys-twice"][d_k] = np.einsum("nd,nd->n", K, K)
        found["products"][d_k] = (Q * K).ravel()
        found["entries"][d_k] = Q.ravel()
        found["one-query"][d_k] = K @ Q[0]
        found["draw-exchanged"][d_k] = np.einsum("nd,nd->n", *draw(500, d_k))
        for name, n in COUNTS.items():
            found[name][d_k] = np.einsum("nd,nd->n", *draw(d_k, n))
    return found


@lru_cache(maxsize=1)
def spreads_of_all_pairs():
    """Standard deviation of the dot products of every query with every key, for each dimension."""
    return {d_k: np.dot(Q, K.T).std() for d_k in DIMENSIONS for Q, K in [draw(d_k)]}


def spreads(scaled, wrong=frozenset()):
    """Standard deviation of the scores for each dimension, with mistakes as switches."""
    found, before = [], np.zeros(0)
    others = {} if not wrong else other_scores()
    for d_k, scores in slip(wrong, others, paired_scores()).items():
        if "mean-of-products" in wrong:
            scores = scores / d_k
        if "theory" in wrong:
            scores = scores / scores.std() * np.sqrt(d_k)
        divisors = {
            "by-d_k": d_k,
            "left-over-d": np.sqrt(DIMENSIONS[-1]),
            "root-of-512": np.sqrt(512),
            "no-scale": 1.0,
            "times-sqrt-d_k": 1 / np.sqrt(d_k),
            "by-half-d_k": d_k / 2,
            "by-twice-d_k": 2 * d_k,
            "by-log-d_k": np.log2(d_k),
            "by-sqrt-pairs": np.sqrt(len(scores)),
        }
        divisor = slip(wrong, divisors, np.sqrt(d_k))
        if "not-emptied" in wrong:
            scores = before = np.concatenate([before, scores])
        scores = scores / divisor if scaled else scores
        slips = {
            "mean": scores.mean(),
            "all-pairs": spreads_of_all_pairs()[d_k] / (divisor if scaled else 1.0),
            "sample-deviation": scores.std(ddof=1),
            "root-mean-square": np.sqrt((scores**2).mean()),
            "mean-size": np.abs(scores).mean(),
            "variance": scores.var(),
            "variance-scaled": scores.var() * (divisor if scaled else 1.0),
            "standard-error": scores.std() / np.sqrt(len(scores)),
            "range": np.ptp(scores),
            "largest": scores.max(),
        }
        found.append(slip(wrong, slips, scores.std()))
    return np.array(found)


@values(
    points=2,
    task='fill both lists of the dict, "unscaled" and "scaled"',
    entries=(
        Entry("unscaled", "the spread of the plain scores", 0.5, decimals=2, near=0.1, drawn="draw"),
        Entry("scaled", "the spread of the scaled scores", 0.5, near=0.1, drawn="draw"),
    ),
    mistakes="""
    variance: these are variances, not standard deviations -> A variance is a squared size: it grows like d_k itself. ->
        Use `.std()`, or take the square root.
    by-d_k: you divided the scores by d_k instead of its square root -> Then the spread shrinks as d_k grows: in the end
        all keys score the same. -> Divide by the square root.
    left-over-d: you divided by the square root of 2048 for every dimension -> A variable left over from an earlier loop
        holds its last value. -> Take the d_k of this round of the loop.
    root-of-512: you divided by the square root of 512 for every dimension -> 512 is one of the six widths, and the
        number in the text. -> Take the d_k of this round of the loop.
    lists-swapped: the two lists have changed places -> The plain scores spread the more, the more coordinates there
        are. -> Give each list its own key.
    no-scale: both lists hold the spread of the plain scores -> For the second list each score is divided before its
        spread is measured. -> Divide by the square root of d_k first.
    times-sqrt-d_k
    by-half-d_k
    by-twice-d_k
    by-log-d_k: you divided by the logarithm of d_k to base 2 -> That is the same number for d_k = 4 and 16 only. -> Use
        the square root.
    by-sqrt-pairs: you divided by the square root of the number of pairs -> How many pairs were drawn plays no part in
        the size of a dot product. -> Divide by the square root of d_k, the number of coordinates.
    theory: you wrote down what the formula predicts -> An experiment that assumes its result cannot contradict it:
        measured numbers scatter a little. -> Compute the 500 dot products of the drawn pairs and measure their spread.
    mean: you took the mean of the scores instead of their spread -> The mean is near zero for every d_k: it does not
        tell how far the scores lie apart. -> Use `.std()`.
    root-mean-square: you took the root of the mean square, and left the mean in -> Only where the mean is 0 is that the
        standard deviation; the mean of your 500 scores is not quite 0, and `.std()` takes it off first. -> Use
        `.std()`.
    mean-size: you took the mean absolute score instead of the standard deviation -> It grows in the same way, but is
        smaller by a fifth. -> Use `.std()`.
    all-pairs: you took the dot products of all pairs, 500 times 500 of them -> The task pairs query 1 with key 1, query
        2 with key 2, and so on. All pairs scatter by nearly the same, but not exactly. -> Multiply the two arrays entry
        by entry, and add up each row.
    sample-deviation: you divided by 499 instead of 500 (`ddof=1`) -> That estimates the spread of a larger population;
        here the spread of these 500 numbers is asked for. -> Use `.std()` as it is.
    down-the-columns: you added up the products along the wrong axis -> Down the columns you get one number for each of
        the d_k coordinates, not one for each of the 500 pairs. -> A row is a vector: add up along the last axis.
    queries-twice: you multiplied the queries with themselves -> `draw` returns a pair, the queries and the keys; a
        product with itself is a squared length. -> Take the second thing that `draw` returns for the keys.
    keys-twice: you multiplied the keys with themselves -> `draw` returns a pair, the queries and the keys; a product
        with itself is a squared length. -> Take the first thing that `draw` returns for the queries.
    products: you measured the single products, and did not add them up -> A dot product is the sum of d_k products; it
        is that sum which grows. -> Add up each row first, then take `.std()`.
    one-query: you compared one query with all 500 keys -> The task pairs query 1 with key 1, query 2 with key 2, and so
        on. How far the scores of one query spread depends on how long that query is. -> Multiply the two arrays entry
        by entry, and add up each row.
    mean-of-products: you took the mean of the products in place of their sum -> A dot product is a sum; a mean of d_k
        products gets smaller as d_k grows. -> Add up each row.
    draw-exchanged: you exchanged two numbers in your call of `draw` -> Its first argument is how many numbers a vector
        has; 500 vectors it draws by itself. -> Call it as the example of the cell does, with the width alone.
    entries: you measured the drawn numbers themselves -> Their spread is 1 whatever d_k is. It is the dot products that
        grow. -> Multiply queries and keys entry by entry, and add up each row.
    fifty-pairs: you drew 50 pairs instead of 500 -> That many the picture shows; fewer pairs give other numbers. ->
        Leave `draw` its own number of pairs.
    hundred-pairs: you drew 100 pairs instead of 500 -> Fewer pairs give other numbers. -> Leave `draw` its own number
        of pairs.
    thousand-pairs: you drew 1,000 pairs instead of 500 -> Another number of pairs gives other numbers. -> Leave `draw`
        its own number of pairs.
    one-draw: you drew once, with 2048 coordinates, and used the first d_k of them -> That is an honest experiment, too,
        but with other random numbers; here everybody is to get the same. -> Call `draw` anew for each width.
    one-draw-from-behind: you drew once, with 2048 coordinates, and used the last d_k of them -> That is an honest
        experiment, too, but with other random numbers; here everybody is to get the same. -> Call `draw` anew for each
        width.
    not-emptied: the scores of the dimensions before are still among those that you measure -> A list that is made
        before the loop is not empty when the next dimension begins. -> Begin with a fresh list in each round.
    variance-scaled: you took the variance, and divided it by the square root of d_k -> A variance is a squared size.
        -> Take the standard deviation instead.
    standard-error: you divided the standard deviation by the square root of 500 once more -> That tells how well a mean
        is known; here the spread itself is asked for. -> Use `.std()` as it is.
    range: you took the difference of the largest and the smallest score -> It grows with the number of pairs, too. ->
        Use `.std()`.
    largest: you took the largest score -> One score alone says little; the spread is that of all 500. -> Use `.std()`.
    """,
)
def variance_experiment(wrong=frozenset()):
    first = "lists-swapped" in wrong
    return {"unscaled": spreads(first, wrong), "scaled": spreads(not first, wrong)}
