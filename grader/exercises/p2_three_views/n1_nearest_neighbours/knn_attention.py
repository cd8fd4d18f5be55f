import numpy as np

from attnlib import context_vectors, cosine_scores, softmax
from grader.exercises.inputs import example, matrix, square, tells, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n1_nearest_neighbours import shared
from grader.exercises.stages import slip

#: What is put through the softmax to weigh the k best keys, of all scores, the indices and their scores.
PICKED = {
    "sign-left": lambda scores, best, picked: -picked,
    "weights-reversed": lambda scores, best, picked: picked[:, ::-1],
    "first-scores": lambda scores, best, picked: scores[:, : best.shape[1]],
    "softmax-of-weights": lambda scores, best, picked: np.take_along_axis(softmax(scores), best, axis=1),
    "by-rank": lambda scores, best, picked: np.log(np.arange(best.shape[1], 0, -1)) + 0 * picked,
    "indices-weighed": lambda scores, best, picked: best.astype(float),
}


#: Shows where the best keys of some query do not come in the order of their indices.
ORDER = ("values-by-index",)


def other_neighbours(n_queries):
    """Slips that choose other keys."""
    repeated = ["first-query-repeated"] if n_queries > 1 else []
    return "distance", "cosine-neighbours", "k-ignored", *repeated


def neighbourhood(rng, n_queries, n_keys, d, d_v, k, make=matrix):
    """Queries, keys and values, the best keys beyond doubt, and not those at the smallest distance."""
    while True:
        inputs = shared.sought(rng, n_queries, n_keys, d, k, "dot", make)
        V = (square if n_keys == d_v else make)(rng, *([n_keys] if n_keys == d_v else [n_keys, d_v]))
        arguments = {"Q": inputs["Q"], "K": inputs["K"], "V": V, "k": k}
        if np.abs(V[:, None] - V[None, :]).sum(axis=-1)[~np.eye(n_keys, dtype=bool)].min() > 0.05 and (
            tells(knn_attention, arguments, *(["one-too-few"] if k == n_keys else other_neighbours(n_queries)))
        ):
            return arguments


def tied_neighbourhood(rng):
    """Keys that tie for the last place, with a weight that matters."""
    while True:
        inputs = shared.tied_search(rng, 5, 7, 2, 3, "dot")
        arguments = {"Q": inputs["Q"] / 2, "K": inputs["K"], "V": matrix(rng, 7, 3), "k": 3}
        low, high = (
            knn_attention(**arguments, wrong=wrong) for wrong in (frozenset(), frozenset(["ties-to-the-higher"]))
        )
        if np.abs(low - high).max() > 0.1 and tells(
            knn_attention, arguments, "partition", "ties-kept", "cosine-neighbours", "first-query-repeated"
        ):
            return arguments


def many_tied_neighbours(rng):
    """Forty keys of which many tie for the last place."""
    inputs = shared.many_ties(rng, "dot")
    return {"Q": inputs["Q"] / 2, "K": inputs["K"], "V": matrix(rng, shared.MANY, 3), "k": inputs["k"]}


def long_keys(rng):
    """Scores of 1200 and more, of which the two best lie close together: single precision still tells them apart.

    And scores that are all some hundreds, or millions, below zero: each of the last two coordinates is heeded by one
    query alone, and takes its scores down. Least those of the keys that the first query likes less.
    """
    inputs = neighbourhood(rng, 2, 5, 3, 2, 3)
    Q, K = np.abs(inputs["Q"]) + 0.5, np.abs(inputs["K"]) + 0.5
    longest = K.max(axis=0)
    K[3] = K[1] = longest * 1200 / (Q @ longest).min()
    K[3, 0] += 1.0
    Q[1] = Q[0] / 400
    Q = np.vstack([np.hstack([Q, [[0.0, 0.0], [-250.0, 0.0]]]), [0.0, 0.0, 0.0, 0.0, -3e6]])
    return inputs | {"Q": Q, "K": np.column_stack([K, np.ones(5), [1.0, 5.0, 2.0, 4.0, 3.0]])}


def all_neighbours_is_attention(call, rng):
    inputs = neighbourhood(rng, 3, 7, 5, 2, 7)
    gap = np.abs(call(*inputs.values()) - context_vectors(inputs["Q"], inputs["K"], inputs["V"])).max()
    return None if gap < 1e-3 else f"with k = 7 of 7 keys it differs by {gap:.3g} from attention to all keys"


def one_neighbour_is_a_lookup(call, rng):
    inputs = neighbourhood(rng, 3, 7, 5, 2, 1)
    gap = np.abs(call(*inputs.values()) - inputs["V"][(inputs["Q"] @ inputs["K"].T).argmax(axis=1)]).max()
    return None if gap < 1e-3 else f"with k = 1 the result differs by {gap:.3g} from the value of the best key"


def others_do_not_count(call, rng):
    inputs = neighbourhood(rng, 1, 7, 5, 2, 3)
    outside = shared.nearest_first(-inputs["Q"] @ inputs["K"].T)[0, 3:]
    before = call(*inputs.values())
    inputs["V"] = inputs["V"].copy()
    inputs["V"][outside] += 100.0
    gap = np.abs(call(*inputs.values()) - before).max()
    return None if gap < 1e-3 else f"changing the values of the other keys moves the result by {gap:.3g}"


@function(
    points=4,
    returns="context",
    cases=(
        Case(
            "2 queries, 5 keys of three numbers, k = 3",
            lambda rng: neighbourhood(rng, 2, 5, 3, 7, 3, tenths),
            0.1,
            ORDER,
        ),
        Case("7 queries, 11 keys of five numbers, k = 2", lambda rng: neighbourhood(rng, 7, 11, 5, 3, 2), 0.1, ORDER),
        Case("all sizes equal to 5, k = 3", lambda rng: neighbourhood(rng, 5, 5, 5, 5, 3), 0.1, ORDER),
        Case("equal scores at the edge", tied_neighbourhood, 0.1, ORDER),
        Case("40 keys, many equal scores at the edge", many_tied_neighbours, 0.1, telling=("whole-scores", *ORDER)),
        Case(
            "scores above 1000, and scores far below zero",
            long_keys,
            0.05,
            telling=("cosine-neighbours", "first-query-repeated"),
        ),
        Case(
            "the example of the task",
            example(Q=shared.EXAMPLE_Q, K=shared.EXAMPLE_K, V=np.array([[10.0], [20.0], [60.0]]), k=2),
            0.05,
        ),
    ),
    properties=(
        Property("k = n_keys is attention to all keys", all_neighbours_is_attention, 0.1),
        Property("k = 1 fetches the value of the best key", one_neighbour_is_a_lookup, 0.1),
        Property("the other keys' values do not count at all", others_do_not_count, 0.1),
    ),
    mistakes="""
    k-ignored: you use all keys, not the k best -> A softmax over all keys leaves none of them without weight. -> Only
        the scores at `knn_indices(...)` take part in the softmax.
    best-only: you return the value of the single best key -> That is k = 1; the other neighbours must be heard, too. ->
        Mix the values of all k neighbours by their weights.
    ratio: you divide the k scores by their sum, without the exponential -> Scores can be negative or sum to zero; then
        the weights are negative or infinite. -> Put the k scores through your softmax.
    not-normalised: you exponentiate the k scores, but do not divide by their sum -> Then the weights do not sum to 1:
        the result grows with the scores. -> Put the k scores through your softmax.
    no-maximum: your softmax overflows for large scores -> exp(1000) is infinity, and infinity / infinity is NaN. -> Use
        your `softmax`, which takes each row's maximum off first.
    whole-scores: the scores are cut down to whole numbers -> A table with `dtype=int` (or one made like a table of
        whole numbers) cannot hold what is behind the point. -> Leave `dtype` out, so that the table holds numbers with
        a point.
    weights-returned: you return the weights of the keys -> They only say how much of each value is wanted. -> Multiply
        them with the values, and add up.
    averaged-again: you divide by k once more -> The weights sum to 1 already: with them, the sum of the weighted values
        is their average. -> Use the sum.
    summed: you add up the k values without weights -> A better score weighs more, and the weights sum to 1. -> Put the
        k scores through your softmax.
    uniform: you average the k values, each with the same weight -> That is a classical nearest-neighbour average; here
        a better score weighs more. -> Put the k scores through your softmax.
    not-renormalised: the weights of the k keys do not sum to 1 -> The softmax ran over all keys, and what you cut off
        is missing from the sum. -> Cut first, then take the softmax of what is left.
    zero-filled: the other keys' scores are set to 0, but a score of 0 still gets weight -> e to the 0 is 1: such a key
        can even beat one of the k best, if that has a negative score. -> Leave the other keys out of the softmax, or
        give them the score minus infinity.
    fill-too-near: the other keys' scores are set to some large negative number, and the best ones can be lower still ->
        Where all scores are below -200, a score of -100 wins. -> Minus infinity is lower than any number.
    far-fill: the other keys' scores are set to some large negative number, such as -1000, and the best ones can be
        lower still -> Where all scores are below minus a million, the number that you filled in wins. -> Minus infinity
        is lower than any number.
    farthest: you mix the k worst keys -> `argsort` puts the smallest score first. -> Sort the scores downwards, or use
        your `knn_indices`.
    distance: you choose the neighbours by distance instead of by dot product -> A long key can be far away and still
        have one of the highest scores. -> Choose with the metric "dot".
    cosine-neighbours: you choose the neighbours by cosine instead of by dot product -> The cosine forgets the lengths
        of the keys, and a long key can have one of the highest scores. -> Choose with the metric "dot".
    cosine-weights: you weigh the k best keys by their cosines -> The cosine forgets the lengths of the keys; here the
        score is the dot product. -> Put the same dot products through the softmax by which you chose.
    first-query-repeated: every query mixes the neighbours of the first query -> Each query has k best keys of its own.
        -> Row i of the indices belongs to query i.
    one-too-many: you use one key too many -> k keys take part in the softmax, and no more. -> Look at your slice, or at
        the k that you pass on.
    one-too-few: you use one key too few -> All k best keys take part, the best one too. -> Look at your slice, or at
        the k that you pass on.
    sign-left: you weigh by the scores with their sign turned -> What is turned for sorting is turned for the softmax as
        well: then the best of the k keys gets the least weight. -> Sort by `-scores`, and put `scores` through the
        softmax.
    softmax-twice: you take a softmax of all scores, and of the k best weights once more -> Weights lie between 0 and 1:
        the second softmax makes them nearly equal. -> Choose the k best scores first, and take one softmax, of those.
    softmax-of-weights: you put the weights of all keys through a softmax once more, for the k best -> Weights lie
        between 0 and 1: the second softmax makes them nearly equal. -> Take one softmax, of the k best scores.
    by-rank: you weigh by rank: k, k - 1, and so on to 1 -> How far one score lies ahead of the next is lost. -> Put the
        k scores through your softmax.
    skips-the-first: you leave the best key out, and use the next one besides -> That is a habit from data in which
        every point finds itself first. Here queries and keys differ. -> The k best keys are asked for, with the best.
    values-by-index: the weights come in the order of the scores, and the values in the order of their indices -> Then
        a key's weight meets another one's value. -> Take scores and values at the same indices, in the same order.
    weights-reversed: the best of the k keys gets the weight of the worst, and the other way round -> The weights come
        in rising order, and the keys in falling order. -> Take scores and values at the same indices, in the same
        order.
    first-scores: the k best keys get the scores of the first k keys -> `scores[:, :k]` are the first columns, whichever
        keys are best. -> Take the scores at the same indices as the values.
    first-keys: you use the first k keys, whichever are the best -> A slice of K counts places, not scores. -> Take keys
        and values at the indices that `knn_indices` gives.
    indices-weighed: you put the indices of the keys through the softmax -> An index says where a key stands, not how
        well it matches. -> Take the scores at those indices, and put them through the softmax.
    best-left-out: you leave the k best keys out, and use all others -> What you cut off is what was to stay. -> Fill
        with minus infinity where the mask is *not* true.
    edge-ties-left-out: keys that tie at the edge are all left out -> If the k-th best score is the next one as well,
        neither of the two is higher than it. -> Choose by place, not by comparing scores.
    edge-left-out: the key with the k-th best score is left out -> It is not higher than itself: `>` keeps k - 1 keys.
        -> Choose by place, not by comparing scores.
    first-values: you mix the first k values, whichever keys are the best -> The weights belong to the keys that you
        chose, and so must the values. -> Take the values at the same indices as the scores.
    columns: softmax runs down the columns of the k scores -> Row i belongs to query i, and its weights must sum to 1.
        -> Softmax goes along the last axis, over the keys.
    ties-to-the-higher: of equal scores at the edge you keep the later key -> The last k of a row that is sorted
        upwards, or a row that is reversed, put the later of equal keys first. -> Choose with your `knn_indices`: its
        ties go to the lower index.
    unstable: you sort without `kind="stable"`, so that chance decides which of several equal scores stay -> A plain
        sort keeps the order of ties by luck: often among few keys, hardly ever among 40. -> Choose with your
        `knn_indices`: its ties go to the lower index.
    partition: you choose with `argpartition`, which leaves to chance which of several equal scores stay -> It is fast
        because it does not sort; so it cannot keep the order of ties either. -> Choose with your `knn_indices`: its
        ties go to the lower index.
    ties-kept: you keep every key that scores as high as number k, so that a tie gives more than k -> A comparison with
        the k-th highest score cannot tell equal scores apart. -> Choose by place, not by comparing scores.
    keys-mixed
    scaled
    """,
)
def knn_attention(Q, K, V, k, wrong=frozenset()):
    """Attention to the k best keys, with mistakes as switches."""
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    scores = Q @ K.T
    if "scaled" in wrong:
        scores = scores / np.sqrt(K.shape[1])
    if "softmax-twice" in wrong:
        scores = softmax(scores)
    far = shared.farness(Q, K, "euclidean") if "distance" in wrong else -scores
    if "cosine-neighbours" in wrong:
        far = -cosine_scores(Q, K)
    if "farthest" in wrong:
        far = -far
    if "one-too-few" in wrong and k == 1:
        raise ValueError("no key is left")
    k = slip(wrong, {"best-only": 1, "k-ignored": K.shape[0], "one-too-many": k + 1, "one-too-few": k - 1}, k)
    if "ties-to-the-higher" in wrong:
        order = shared.nearest_first(-far)[:, ::-1]
    elif "partition" in wrong:
        order = np.argpartition(-far, -k, axis=1)[:, -k:]
    else:
        order = np.argsort(far, axis=1) if "unstable" in wrong else shared.nearest_first(far)
    if "first-query-repeated" in wrong:
        order = np.repeat(order[:1], len(order), axis=0)
    if "skips-the-first" in wrong:
        order = order[:, 1:]
    if "values-by-index" in wrong:
        weights = softmax(np.take_along_axis(scores, order[:, :k], axis=1))
        return (weights[..., None] * V[np.sort(order[:, :k], axis=1)]).sum(axis=1)
    if "first-keys" in wrong:
        return softmax(scores[:, :k]) @ V[:k]
    if weighed := slip(wrong, PICKED, None):
        best = order[:, :k]
        weights = softmax(weighed(scores, best, np.take_along_axis(scores, best, axis=1)))
        return (weights[..., None] * V[best]).sum(axis=1)
    if wrong & {"first-values", "columns"}:
        picked = np.take_along_axis(scores, order[:, :k], axis=1)
        if "first-values" in wrong:
            return softmax(picked) @ V[:k]
        return (softmax(picked.T).T[..., None] * V[order[:, :k]]).sum(axis=1)
    chosen = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(chosen, order[:, :k], True, axis=1)
    if "ties-kept" in wrong:
        chosen = far <= np.take_along_axis(far, order[:, k - 1 : k], axis=1)
    if "edge-ties-left-out" in wrong:
        chosen = far < np.sort(np.column_stack([far, np.full(len(far), np.inf)]), axis=1)[:, k : k + 1]
    if "edge-left-out" in wrong:
        chosen = far < np.take_along_axis(far, order[:, k - 1 : k], axis=1)
    if "best-left-out" in wrong:
        chosen = ~chosen
    if wrong & {"ratio", "not-normalised", "no-maximum"}:
        kept = np.where(chosen, scores if "ratio" in wrong else np.exp(scores), 0.0)
        return (kept if "not-normalised" in wrong else kept / kept.sum(axis=1, keepdims=True)) @ V
    if "whole-scores" in wrong:
        scores = np.trunc(scores)
    if "cosine-weights" in wrong:
        scores = cosine_scores(Q, K)
    slips = {
        "summed": chosen.astype(float),
        "uniform": chosen / chosen.sum(axis=1, keepdims=True),
        "not-renormalised": softmax(scores) * chosen,
        "zero-filled": softmax(np.where(chosen, scores, 0.0)),
        "fill-too-near": softmax(np.where(chosen, scores, -100.0)),
        "far-fill": softmax(np.where(chosen, scores, -1e4)),
    }
    weights = slip(wrong, slips, softmax(np.where(chosen, scores, -np.inf)))
    if "weights-returned" in wrong:
        return weights
    if "averaged-again" in wrong:
        return weights @ V / k
    return weights @ (K if "keys-mixed" in wrong else V)
