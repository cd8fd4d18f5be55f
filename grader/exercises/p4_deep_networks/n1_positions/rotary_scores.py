import numpy as np

from attnlib import unit_rows
from grader.exercises.inputs import matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n1_positions.rotate import rotate
from grader.exercises.p4_deep_networks.n1_positions.shared import places, speeds, turned
from grader.exercises.stages import inside, number, slip


def inputs(n_queries, n_keys, d_k, draw=matrix, most=30, **more):
    return lambda rng: (
        {
            "Q": draw(rng, n_queries, d_k),
            "K": draw(rng, n_keys, d_k),
            "query_positions": places(rng, n_queries, most),
            "key_positions": places(rng, n_keys, most),
        }
        | more
    )


def in_single_precision(rng):
    drawn = inputs(3, 7, 10)(rng)
    return drawn | {name: drawn[name].astype(np.float32) for name in "QK"}


def the_example(rng):
    return {
        "Q": np.array([[1.0, 0.0]]),
        "K": np.array([[1.0, 0.0], [1.0, 0.0]]),
        "query_positions": np.array([5]),
        "key_positions": np.array([5, 6]),
    }


def everything_moves_on(call, rng):
    drawn = inputs(3, 5, 6)(rng)
    moved = {name: drawn[name] + 50 for name in ("query_positions", "key_positions")}
    gap = np.abs(call(*drawn.values()) - call(*(drawn | moved).values())).max()
    return None if gap < 1e-3 else "the scores change if all places grow by 50"


def nobody_has_moved(call, rng):
    drawn = inputs(3, 5, 6)(rng)
    at_zero = drawn | {"query_positions": np.zeros(3, dtype=int), "key_positions": np.zeros(5, dtype=int)}
    gap = np.abs(call(*at_zero.values()) - drawn["Q"] @ drawn["K"].T / np.sqrt(6)).max()
    return None if gap < 1e-3 else "with all places 0 these are not the scaled scores of Part 3"


@function(
    points=2,
    returns="scores",
    keywords=("base",),
    within=(("in the turning", rotate),),
    cases=(
        Case(
            "two queries, three keys, two pairs",
            inputs(2, 3, 4, draw=tenths, most=9),
            0.25,
            telling=("both-ways-alike",),
        ),
        Case("more of them, in single precision", in_single_precision, 0.15, telling=("both-ways-alike",)),
        Case("the example of the task", the_example, 0.05),
        Case("another base", inputs(3, 5, 6, base=50.0), 0.1, telling=("both-ways-alike",)),
        Case("as many queries as keys as columns", inputs(6, 6, 6), 0.15, telling=("both-ways-alike",)),
    ),
    properties=(
        Property("only distances count: all places may grow by the same", everything_moves_on, 0.1),
        Property("with all places 0 they are scaled scores", nobody_has_moved, 0.1),
    ),
    mistakes="""
    keys-not-turned: the keys are not turned -> Then a score depends on the place of the query alone, as if every key
        stood at place 0. -> Turn the keys by their own places, too.
    neither-turned: neither queries nor keys are turned -> The scores are then those of Part 3, wherever the tokens
        stand. `rotate` leaves what it is given as it was, and returns a new array. -> Multiply what it returns.
    queries-not-turned: the queries are not turned -> Then a score depends on the place of the key alone, as if every
        query stood at place 0. -> Turn the queries by their own places, too.
    keys-by-the-queries-places: the keys are turned by the places of the queries -> Each row turns by the place where it
        stands. As long as queries and keys are the same tokens, nobody notices. -> Give `rotate` the key positions for
        the keys.
    backwards: your distance is taken the wrong way round, as if before and after had changed places -> Either your
        hands turn the other way, or one row alone is turned, by the difference of the places the wrong way round. ->
        Turn the queries by their places and the keys by theirs; and does your `rotate` pass its own check?
    places-exchanged: the queries are turned by the places of the keys, the keys by those of the queries -> Each row
        turns by the place where it stands. -> Look at the second argument of both calls.
    turned-against-each-other: queries and keys turn in opposite directions -> The angles then add up, and a score
        depends on the sum of the two places, not on their distance. -> Turn both by the same function.
    scores-turned: you turn the scores instead of queries and keys -> Pairs of scores belong to different keys, and have
        no angle between them. -> Turn the rows of Q and of K, and multiply then.
    places-ignored: the positions have no effect: the rows are numbered from 0 on -> Tokens need not stand at the
        beginning, nor side by side. -> Hand the positions on to `rotate`.
    base-ignored=: `base` does not arrive: your scores always have the same -> An argument that is not handed on has no
        effect. -> Give it to both calls of `rotate`.
    base-for-queries-only: `base` reaches the queries only -> Then the two are turned by different clocks. -> Give it to
        both calls of `rotate`.
    base-for-keys-only: `base` reaches the keys only -> Then the two are turned by different clocks. -> Give it to both
        calls of `rotate`.
    values-of-the-products: you add up nothing: one query is multiplied by one key only -> Each query is compared with
        each key, n_queries times n_keys scores in all. -> A matrix product does it, with the keys transposed.
    no-scale
    by-d_k
    times-sqrt-d_k
    by-sqrt-keys
    by-sqrt-queries
    both-ways-alike: before and after are alike to you: only the size of the distance counts -> A key three places
        back is another one than a key three places on. -> The sign of the distance belongs to it.
    turned-twice: the rows are turned twice -> Each row turns once, by the place where it stands. -> One call of
        `rotate` for Q, one for K.
    cosine: you take cosines -> Scores are products: longer rows score more. -> Multiply the turned rows as they are,
        and divide by the root of d_k.
    softmaxed: you return weights -> Scores are asked for, as they are before the softmax. -> Stop after the division.
    transposed: your scores are transposed -> A row belongs to a query, a column to a key. -> Exchange the two in your
        product.
    """,
)
def rotary_scores(Q, K, query_positions, key_positions, base=10000.0, wrong=frozenset()):
    """Scores of turned queries and keys, with mistakes as switches."""
    Q, K = (np.asarray(array, dtype=float) for array in (Q, K))
    m, n, d = np.asarray(query_positions), np.asarray(key_positions), Q.shape[-1]
    if "places-ignored" in wrong:
        m, n = np.arange(len(Q)), np.arange(len(K))
    if "keys-by-the-queries-places" in wrong:
        n = np.resize(m, len(K))
    if "turned-against-each-other" in wrong:
        n = -n
    if "places-exchanged" in wrong:
        m, n = np.resize(n, len(Q)), np.resize(m, len(K))
    if wrong & {"keys-not-turned", "neither-turned", "scores-turned"}:
        n = 0 * n
    if wrong & {"queries-not-turned", "neither-turned", "scores-turned"}:
        m = 0 * m
    if "turned-twice" in wrong:
        m, n = 2 * m, 2 * n
    if "backwards" in wrong:
        m, n = -m, -n
    base = number(wrong, "base-ignored", 10000.0) or base
    slips = inside(wrong, "rotate")
    A = rotate(Q, m, 10000.0 if "base-for-keys-only" in wrong else base, wrong=slips)
    B = rotate(K, n, 10000.0 if "base-for-queries-only" in wrong else base, wrong=slips)
    if "values-of-the-products" in wrong:
        return (A[: len(B)] * B[: len(A)]).sum(axis=-1) / np.sqrt(d)
    scores = A @ B.T
    if "both-ways-alike" in wrong:
        each = (rotate(np.tile(q, (len(K), 1)), np.abs(at - n), base) for q, at in zip(Q, m, strict=True))
        scores = np.array([(q * K).sum(axis=-1) for q in each])
    if "cosine" in wrong:
        return unit_rows(A) @ unit_rows(B).T
    if "scores-turned" in wrong:
        even = scores.shape[1] // 2 * 2
        scores[:, :even] = turned(
            scores[:, :even], np.asarray(query_positions)[:, None] * speeds(max(even, 2), base)[: even // 2]
        )
    slips = {"no-scale": 1.0, "by-d_k": d, "times-sqrt-d_k": d**-0.5, "by-sqrt-keys": np.sqrt(len(K))}
    slips |= {"by-sqrt-queries": np.sqrt(len(Q))}
    scores = scores / slip(wrong, slips, np.sqrt(d))
    if "softmaxed" in wrong:
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)
    return scores.T if "transposed" in wrong else scores
