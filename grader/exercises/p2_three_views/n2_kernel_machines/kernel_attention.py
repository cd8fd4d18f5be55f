from functools import partial

import numpy as np

from attnlib import softmax
from grader.exercises.inputs import arrays, example, matrix, tenths
from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.p2_three_views.n2_kernel_machines.exponential_kernel import exponential_kernel
from grader.exercises.p2_three_views.n2_kernel_machines.gaussian_kernel import gaussian_kernel
from grader.exercises.p2_three_views.n2_kernel_machines.shared import floats, shapes, squared_gaps
from grader.exercises.stages import number, slip


def hill(Q, K):
    """A kernel that falls slowly: 1 / (1 + squared distance)."""
    Q, K = floats(Q, K)
    return 1 / (1 + squared_gaps(Q, K))


def bell(Q, K):
    """A Gaussian kernel of bandwidth 1.5."""
    return gaussian_kernel(Q, K, 1.5)


def unit_bell(Q, K):
    """A Gaussian kernel of bandwidth 1."""
    return gaussian_kernel(Q, K, 1.0)


EXAMPLE = {
    "Q": np.array([[0.5], [99.0]]),
    "K": np.array([[0.0], [1.0], [3.0]]),
    "V": np.array([[10.0], [20.0], [30.0]]),
    "kernel": unit_bell,
}


def window(Q, K):
    """A kernel of bounded reach: zero from distance 4 on."""
    Q, K = floats(Q, K)
    return np.maximum(0.0, 1 - squared_gaps(Q, K) / 16)


def skewed(Q, K):
    """A kernel that is not symmetric: asking and answering are different roles."""
    Q, K = floats(Q, K)
    turn = np.roll(np.eye(K.shape[-1]), 1, axis=0) + np.triu(np.full((K.shape[-1], K.shape[-1]), 0.2))
    return np.exp(0.4 * Q @ turn @ K.T)


def near(Q, K):
    """True where the nearer half of the keys are: a kernel of True and False."""
    gaps = squared_gaps(*floats(Q, K))
    return gaps <= np.median(gaps, axis=-1, keepdims=True)


def left_out(rng):
    """Points that ask each other, and none itself: the kernel is a table of five rows."""
    inputs = attention_inputs(rng, 5, 5, 2, 3, lambda Q, K: hill(Q, K) * (1 - np.eye(5)))
    return inputs | {"Q": inputs["K"].copy()}


def attention_inputs(rng, n_queries, n_keys, d, d_v, kernel):
    return {
        "Q": matrix(rng, n_queries, d),
        "K": matrix(rng, n_keys, d),
        "V": matrix(rng, n_keys, d_v, scale=2.0),
        "kernel": kernel,
    }


def second_far(rng, kernel, near, far):
    """Queries of which the second lies far from all keys."""
    inputs = attention_inputs(rng, 3, 5, 2, 7, kernel)
    inputs |= {"Q": near * inputs["Q"], "K": near * inputs["K"]}
    inputs["Q"][1] += far
    return inputs


def out_of_reach(rng):
    """The second query has no key within reach of the window, and the last key has no query."""
    inputs = second_far(rng, window, 0.5, 50.0)
    inputs["K"][-1] -= 9.0
    return inputs


def hardly_in_reach(rng):
    """The second query is so far away that its kernel values are about 1e-24, but not zero.

    What people add to a sum is far more (1e-16) or far less (1e-30) than that.
    """
    return second_far(rng, bell, 0.05, 11.15)


def exponential_is_softmax(call, rng):
    inputs = shapes(rng, 3, 7, 5)
    V = matrix(rng, 7, 2)
    got = call(*inputs.values(), V, exponential_kernel)
    right = softmax(inputs["Q"] @ inputs["K"].T) @ V
    return None if np.allclose(got, right, atol=1e-3) else f"they differ by up to {np.abs(got - right).max():.3g}"


def factor_changes_nothing(call, rng):
    inputs = attention_inputs(rng, 3, 5, 2, 7, hill)
    inputs["Q"][0] += 5.0  # far from all keys: the sum of its kernel values is below 1
    one = call(*inputs.values())
    three = call(*(inputs | {"kernel": lambda Q, K: 3 * hill(Q, K)}).values())
    return None if np.allclose(one, three, atol=1e-3) else "three times the kernel gives another context"


def asks_once(call, rng):
    asked = []

    def counted(Q, K):
        asked.append(len(Q))
        return hill(Q, K)

    context = call(*attention_inputs(rng, 3, 5, 2, 7, counted).values())
    if np.isnan(context).any():
        return "the context is NaN"
    times = len(asked) - 1  # to know what is right, the judge asks it once as well
    return Sign(f"it was called {times} times", "called-again") if times > 1 else None


@function(
    points=4,
    returns="context",
    cases=(
        Case(
            "two queries, three keys, the kernel 1 / (1 + squared distance)",
            arrays(tenths, Q=(2, 2), K=(3, 2), V=(3, 5), kernel=hill),
            0.15,
            telling=("at-least-one",),
        ),
        Case(
            "seven queries, three keys, a Gaussian kernel",
            lambda rng: attention_inputs(rng, 7, 3, 2, 5, bell),
            0.15,
            telling=("at-least-one",),
        ),
        Case("a kernel that is not symmetric", lambda rng: attention_inputs(rng, 3, 7, 5, 2, skewed), 0.05),
        Case(
            "a kernel that gives True and False",
            lambda rng: attention_inputs(rng, 3, 7, 2, 5, near),
            0.05,
            ("columns",),
        ),
        Case("a kernel that leaves each point out, and knows its size", left_out, 0.05, ("at-least-one",)),
        Case("as many queries as keys as dimensions", lambda rng: attention_inputs(rng, 5, 5, 5, 5, skewed), 0.05),
        Case("a query with no key within reach: its context is zero", out_of_reach, 0.05),
        Case("a far query with tiny kernel values (1e-24): an average like any other", hardly_in_reach, 0.1),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    properties=(
        Property("with the exponential kernel it is softmax attention", exponential_is_softmax, 0.05),
        Property("the kernel is called once", asks_once, 0.05),
        Property("three times the kernel gives the same context", factor_changes_nothing, 0.1),
    ),
    mistakes="""
    not-normalised: you do not divide by the sum of the kernel values -> Then the result is a sum, not an average: equal
        values do not come back as they were. -> Divide each row of kernel values by its sum before the values are
        mixed.
    columns: you normalised down the columns (axis 0) -> Each row belongs to one query, and its weights must sum to 1.
        -> Sum along the last axis, and keep the axis.
    whole-matrix: you divided by the sum of the whole matrix -> One query's weights then depend on what the other
        queries asked. -> Each row has a sum of its own.
    divided-by-count: you divided by the number of keys instead of the sum of the kernel values -> That averages as if
        each key had the value 1: where all kernel values are small, so is the result. -> The weights sum to 1 only if
        you divide by their own sum.
    softmax-again: you put the kernel values through a softmax -> They are no scores: an exponential changes their
        proportions, and a kernel value of 0 would still count. -> What is never negative becomes weights by a plain
        division.
    softmax-or-zero: you put the kernel values through a softmax -> They are no scores: an exponential changes their
        proportions, and a kernel value of 0 would still count. -> What is never negative becomes weights by a plain
        division.
    own-exponential: you always use the exponential of the dot product, and not the kernel that is passed in -> The
        function is then softmax attention only; it ignores its last argument. -> Call `kernel` with the queries and the
        keys.
    own-gaussian: you always use the Gaussian kernel of bandwidth 1, and not the kernel that is passed in -> The
        function then ignores its last argument. -> Call `kernel` with the queries and the keys.
    keys-ask: you called the kernel with keys and queries exchanged -> For a symmetric kernel that makes no difference;
        a learned one tells asking from answering. -> The queries come first, then the keys.
    row-by-row: you call the kernel for one query at a time -> A kernel may be a table that knows its size, such as one
        that leaves each point out: asked for one row only, it gives another. -> Call `kernel` once, with both whole
        matrices.
    row-by-row-stacked: you call the kernel for one query at a time -> A kernel may be a table that knows its size, such
        as one that leaves each point out: it gives the whole table each time. -> Call `kernel` once, with both whole
        matrices.
    pair-by-pair: you call the kernel for one query and one key at a time -> It takes matrices, and may be a table that
        knows its size. -> Call `kernel` once, with both whole matrices.
    pair-by-vectors: you call the kernel with two vectors, for one query and one key at a time -> It takes two matrices;
        a vector has no rows. -> Call `kernel` once, with both whole matrices.
    called-again: you call the kernel more than once -> It may be costly, and each call gives the same table. -> Keep
        what `kernel(Q, K)` gives under a name, and use that for the sums and for the mix.
    zeros-replaced: single kernel values that are 0 count as 1 -> A key out of reach then weighs more than one within
        reach. -> Add up first; only a *sum* that is 0 must not be divided by.
    zero-over-zero: a query with no key within reach gives 0/0 -> If all kernel values of a row are zero, so is their
        sum, and the division gives NaN. -> Divide only where the sum is not zero; elsewhere the weights stay zero.
    tiny-is-zero=: you treat a tiny sum of kernel values as if it were zero, or add a small number to every sum ->
        Kernel values of 1e-24 have proportions as good as any: only a row that is exactly 0 has nobody to listen to. ->
        Replace sums that are equal to 0, and leave all others as they are.
    no-keepdims: the row sums have lost an axis -> A row of sums is spread over the columns. On a square matrix nothing
        complains, but each number is divided by another query's sum. -> Keep the sums as a column: `keepdims=True`.
    mean-for-nothing: a query with no key within reach gets the mean of all values -> The mean looks like an answer,
        although nothing was found. Our rule says so openly: zero. -> Where the sum is zero, the weights and the context
        are zero.
    last-for-nothing: a query with no key within reach gets the context of the query before -> In a loop, a name keeps
        what the round before put into it. -> Begin each round anew: where the sum is zero, the context is zero.
    nearest-for-nothing: a query with no key within reach gets the value of the nearest key -> That looks like an
        answer, although the kernel found nothing. Our rule says so openly: zero. -> Where the sum is zero, the weights
        and the context are zero.
    reach-only: all keys within reach weigh the same -> The kernel says how much each of them counts. -> Divide its
        values by their sum.
    divided-by-reach: you divide by the number of keys within reach -> The weights sum to 1 only if you divide by their
        own sum. -> Add up the kernel values of each row.
    whole-kernel: the kernel values are cut down to whole numbers -> Most of them are below 1, and become 0. -> Leave
        them as they are; True and False become 1.0 and 0.0 with `float`.
    weights-returned: you return the weights instead of the context -> The weights say how much of each value to take.
        The third stage, the mix, is still missing. -> Use the weights to average the values, and return that.
    any-zero: a query gets zero as soon as one kernel value is 0 -> One key out of reach says nothing about the others.
        -> The context is zero only where the sum of the row is.
    stops-at-nothing: from the first query with no key within reach on, all contexts are zero -> `return` or `break`
        ends the whole loop, not this round only. -> Go on with the next query.
    nothing-for-all: all contexts are zero as soon as one query has no key within reach -> The other queries have their
        answers. -> Decide for each row by itself.
    rows-dropped: queries with no key within reach are missing in your result -> Every query has a row there, also one
        that finds nothing. -> Keep all rows; such a row holds zeros.
    by-largest: you divide by the largest kernel value instead of the sum -> Then the weights do not sum to 1, and the
        result is no average. -> Divide each row by its sum.
    by-length: you divide each row of kernel values by its length, the root of the sum of squares -> Then the weights do
        not sum to 1, and the result is no average. -> Divide each row by its sum.
    best-only
    keys-mixed
    uniform
    one-more: you add 1 to every sum of kernel values -> Then the weights sum to less than 1. -> Replace sums that are
        equal to 0, and leave all others as they are.
    at-least-one: sums of kernel values below 1 count as 1 -> Then the weights of a query far away sum to less than 1.
        -> Replace sums that are equal to 0, and leave all others as they are.
    squared-kernel: you square the kernel values -> The kernel says already how much each key counts. -> Divide its
        values by their sum, and no more.
    """,
)
def kernel_attention(Q, K, V, kernel, wrong=frozenset()):
    """Nadaraya-Watson regression, with mistakes as switches."""
    Q, K, V = floats(Q, K, V)
    if "own-exponential" in wrong:
        kernel = exponential_kernel
    if "own-gaussian" in wrong:
        kernel = partial(gaussian_kernel, bandwidth=1.0)
    calls = {
        "keys-ask": lambda: kernel(K, Q).T,
        "row-by-row": lambda: np.array([kernel(q[None], K)[0] for q in Q]),
        "row-by-row-stacked": lambda: np.vstack([kernel(q[None], K) for q in Q]),
        "pair-by-pair": lambda: np.array([[kernel(q[None], k[None])[0, 0] for k in K] for q in Q]),
        "pair-by-vectors": lambda: np.array([[float(kernel(q, k)) for k in K] for q in Q]),
    }
    similarity = np.asarray(slip(wrong, calls, lambda: kernel(Q, K))(), dtype=float)
    if "called-again" in wrong:
        kernel(Q, K)
    if "zeros-replaced" in wrong:
        similarity = np.where(similarity == 0, 1.0, similarity)
    if "squared-kernel" in wrong:
        similarity = similarity**2
    if "reach-only" in wrong:
        similarity = (similarity > 0).astype(float)
    if "whole-kernel" in wrong:
        similarity = np.trunc(similarity)
    if "best-only" in wrong:
        return V[similarity.argmax(axis=-1)]
    if "uniform" in wrong:
        return np.broadcast_to(V.mean(axis=0), (len(Q), V.shape[1])).copy()
    if "softmax-again" in wrong:
        return softmax(similarity) @ V
    if "softmax-or-zero" in wrong:
        return np.where(similarity.any(axis=-1, keepdims=True), softmax(similarity) @ V, 0.0)
    axis = {"columns": 0, "whole-matrix": None}.get(next(iter(wrong & {"columns", "whole-matrix"}), ""), -1)
    total = similarity.sum(axis=axis, keepdims=True)
    if "no-keepdims" in wrong:
        total = similarity.sum(axis=-1)
    if "any-zero" in wrong:
        similarity = np.where((similarity == 0).any(axis=-1, keepdims=True), 0.0, similarity)
    nothing = total.ravel() == 0
    if "stops-at-nothing" in wrong and nothing.any():
        similarity = similarity * (np.arange(len(Q)) < nothing.argmax())[:, None]
    if "nothing-for-all" in wrong and nothing.any():
        similarity = np.zeros_like(similarity)
    divisors = {
        "by-largest": similarity.max(axis=-1, keepdims=True),
        "by-length": np.sqrt((similarity**2).sum(axis=-1, keepdims=True)),
        "one-more": total + 1,
        "divided-by-reach": (similarity > 0).sum(axis=-1, keepdims=True).astype(float),
        "at-least-one": np.maximum(total, 1),
    }
    total = slip(wrong, divisors, total)
    total = np.maximum(total, number(wrong, "tiny-is-zero", 1e-12) or 0.0)
    if "not-normalised" in wrong:
        total = np.ones_like(total)
    if "divided-by-count" in wrong:
        total = np.full_like(total, K.shape[0])
    if "zero-over-zero" in wrong:
        weights = similarity / total
    else:
        weights = np.divide(
            similarity, total, out=np.zeros_like(similarity), where=np.broadcast_to(total != 0, similarity.shape)
        )
    if "rows-dropped" in wrong:
        weights = weights[~nothing]
    if "mean-for-nothing" in wrong:
        weights = np.where(similarity.sum(axis=-1, keepdims=True) == 0, 1 / K.shape[0], weights)
    if "keys-mixed" in wrong:
        V = K
    if "nearest-for-nothing" in wrong:
        weights[nothing] = np.eye(len(K))[squared_gaps(Q, K)[nothing].argmin(axis=-1)]
    if "last-for-nothing" in wrong:
        found = np.maximum.accumulate(np.where(nothing, -1, np.arange(len(nothing))))
        weights = np.where(found[:, None] < 0, 0.0, weights[found])
    return weights if "weights-returned" in wrong else weights @ V
