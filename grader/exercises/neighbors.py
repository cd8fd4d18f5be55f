"""Part 2, notebook 1: attention as a search for the nearest keys."""

import itertools
from functools import cache, partial

import numpy as np

from attnlib import context_vectors, load_word_vectors, softmax, softmax_with_temperature
from grader.exercise import (
    Case,
    ChoiceExercise,
    FunctionExercise,
    Misconception,
    Part,
    Property,
    SearchExercise,
    ValueExercise,
)
from grader.exercises.inputs import matrix, square, tells, tenths

METRICS = ("dot", "cosine", "euclidean")


# ---------------------------------------------------------------- the prediction

predict_neighbours = ChoiceExercise(
    id="predict-neighbours",
    points=1,
    task="type the letter of your prediction",
    right="c",
    because={
        "a": "nothing can be nearer than distance 0, that is true. But attention never measures a distance. "
        "What does it measure, and does a longer key gain by it?",
        "b": "a second copy surely gets the same weight. But the weight comes from a single number, the dot product. "
        "Is a copy the only vector that reaches this number?",
        "c": "the weight depends on the score alone, and the score is a dot product. A key that is far away but long "
        "enough can have exactly the same one. Section 2 shows such a key.",
        "d": "a temperature divides all scores alike: it makes the weights more or less different, but two different "
        "scores never become equal.",
    },
)


# ---------------------------------------------------------------- knn_indices


def farness(Q, K, metric):
    """How far each key is from each query; negated for the two measures by which more is nearer."""
    if metric == "euclidean":
        return ((Q[:, None, :] - K[None, :, :]) ** 2).sum(axis=-1)
    dots = Q @ K.T
    if metric == "dot":
        return -dots
    return -dots / np.linalg.norm(Q, axis=1)[:, None] / np.linalg.norm(K, axis=1)


def nearest_first(far):
    """Columns of each row in ascending order, ties to the lower index."""
    return np.argsort(far, axis=-1, kind="stable")


def knn_indices_model(Q, K, k, metric, wrong=frozenset()):
    """The k nearest keys of each query, with mistakes as switches."""
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    if "keys-ask" in wrong:
        Q, K = K, Q
    if "metric-ignored" in wrong or ("cosine-is-dot" in wrong and metric == "cosine"):
        metric = "dot"
    far = farness(Q, K, metric)
    if "ascending-similarity" in wrong and metric != "euclidean":
        far = -far
    if "largest-distance" in wrong and metric == "euclidean":
        far = -far
    if "columns" in wrong:
        order = np.argsort(far, axis=0, kind="stable")
    elif "unstable" in wrong or ("turned-around-unstable" in wrong and metric == "euclidean"):
        order = np.argsort(far, axis=-1)
    elif "turned-around-unstable" in wrong:
        order = np.argsort(-far, axis=-1)[:, ::-1]
    elif (
        ("turned-around" in wrong and metric != "euclidean") or "ties-to-the-higher" in wrong or "nearest-last" in wrong
    ):
        order = nearest_first(-far)[:, ::-1]
    else:
        order = nearest_first(far)
    order = order[:, 1 : k + 1] if "skips-the-first" in wrong else order[:, :k]
    if "nearest-last" in wrong:
        order = order[:, ::-1]
    if "scores-returned" in wrong and "columns" not in wrong:
        values = far if metric == "euclidean" else -far
        return np.take_along_axis(values, order, axis=-1)
    if "sorted-instead" in wrong and "columns" not in wrong:
        return np.take_along_axis(far, order, axis=-1)
    return order + 1 if "counts-from-one" in wrong else order


def search(rng, n_queries, n_keys, d, k, metric, make=matrix):
    """Queries and keys whose order is beyond doubt, and differs between the three measures."""
    while True:
        Q, K = make(rng, n_queries, d), make(rng, n_keys, d)
        K = K * rng.choice([0.5, 1.0, 2.0], size=(n_keys, 1))
        if (np.linalg.norm(K, axis=1) < 0.1).any() or (np.linalg.norm(Q, axis=1) < 0.1).any():
            continue
        fars = [farness(Q, K, name) for name in METRICS]
        if min(np.diff(np.sort(far, axis=-1), axis=-1).min() for far in fars) < 1e-3:
            continue
        orders = [nearest_first(far)[:, :k] for far in fars]
        if all((orders[i] != orders[j]).any() for i, j in ((0, 1), (0, 2), (1, 2))):
            return {"Q": Q, "K": K, "k": k, "metric": metric}


def tied_search(rng, n_queries, n_keys, d, k, metric):
    """Whole numbers, so that ties are exact; some lie among the k nearest, some on their edge.

    Among so few keys, whether a sort that is not stable shows is up to the draw and the machine. Here it does not, if
    that can be had; `many_ties` is there for it.
    """
    for attempt in itertools.count():
        Q = rng.integers(-3, 4, size=(n_queries, d)).astype(float)
        K = rng.integers(-3, 4, size=(n_keys, d)).astype(float)
        far = farness(Q, K, metric)
        low, high = nearest_first(far)[:, :k], nearest_first(-far)[:, ::-1][:, :k]
        edge = (np.sort(low, axis=1) != np.sort(high, axis=1)).any(axis=1)
        inside = ((low != high).any(axis=1)) & ~edge
        if not (edge.any() and inside.any()) or np.array_equal(high[:, ::-1], low):
            continue
        if attempt > 2000 or plainly_sorted(far, k):
            return {"Q": Q, "K": K, "k": k, "metric": metric}


def plainly_sorted(far, k):
    """True if plain sorts, and a partition, treat the ties as stable sorts do."""
    best = np.argpartition(far, k - 1, axis=-1)[:, :k]
    sorted_best = np.take_along_axis(best, np.argsort(np.take_along_axis(far, best, axis=-1), axis=-1), axis=-1)
    return (
        np.array_equal(np.argsort(far, axis=-1)[:, :k], nearest_first(far)[:, :k])
        and np.array_equal(np.argsort(-far, axis=-1)[:, -k:], nearest_first(-far)[:, -k:])
        and np.array_equal(sorted_best, nearest_first(far)[:, :k])
    )


MANY = 40  # beyond the 16 entries up to which NumPy's plain sorts happen to be stable


def many_ties(rng, metric, n_queries=3, k=13):
    """Forty keys of which many are equally near: a sort that is not stable, or a partition, shows.

    All numbers are exact in any arithmetic: whole ones, and for the cosine keys along the axes with lengths that are
    powers of 2, and queries with whole lengths.
    """
    while True:
        if metric == "cosine":
            Q = rng.permutation([[3.0, 4.0], [-4.0, 3.0], [5.0, 12.0], [12.0, -5.0], [-3.0, -4.0]])[:n_queries]
            axes = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
            K = axes[rng.integers(0, 4, size=MANY)] * rng.choice([1.0, 2.0, 4.0], size=(MANY, 1))
        else:
            Q, K = (rng.integers(-2, 3, size=(n, 2)).astype(float) for n in (n_queries, MANY))
        far = farness(Q, K, metric)
        right = nearest_first(far)[:, :k]
        others = (
            np.argsort(far, axis=-1)[:, :k],
            np.argsort(-far, axis=-1)[:, -k:],
            np.argpartition(far, k - 1, axis=-1)[:, :k],
            np.argpartition(far, k, axis=-1)[:, :k],
            np.argpartition(-far, -k, axis=-1)[:, -k:],
        )
        if all((np.sort(other, axis=1) != np.sort(right, axis=1)).any() for other in others):
            return {"Q": Q, "K": K, "k": k, "metric": metric}


def all_keys_once(call, rng):
    for metric in METRICS:
        inputs = search(rng, 3, 7, 5, 7, metric)
        found = np.sort(call(*inputs.values()), axis=1)
        if not np.array_equal(found, np.tile(np.arange(7), (3, 1))):
            return (
                f'with k = 7 of 7 keys and metric "{metric}", a row holds {found[0].astype(int).tolist()} when sorted'
            )
    return None


knn_indices = FunctionExercise(
    id="knn_indices",
    points=4,
    task="write `knn_indices(Q, K, k, metric)`",
    model=knn_indices_model,
    returns="indices",
    cases=(
        Case(
            "the dot product, 2 queries, 5 keys",
            partial(search, n_queries=2, n_keys=5, d=3, k=3, metric="dot", make=tenths),
            0.15,
        ),
        Case("the cosine, 5 queries, 7 keys", partial(search, n_queries=5, n_keys=7, d=3, k=2, metric="cosine"), 0.15),
        Case(
            "the distance, 3 queries, 7 keys",
            partial(search, n_queries=3, n_keys=7, d=2, k=5, metric="euclidean"),
            0.1,
        ),
        Case(
            "as many queries as keys", partial(search, n_queries=5, n_keys=5, d=5, k=3, metric="dot", make=matrix), 0.1
        ),
        Case("equal dot products", partial(tied_search, n_queries=5, n_keys=7, d=2, k=3, metric="dot"), 0.05),
        Case("equal distances", partial(tied_search, n_queries=5, n_keys=7, d=2, k=3, metric="euclidean"), 0.05),
        Case("40 keys, many equal dot products", partial(many_ties, metric="dot"), 0.1),
        Case("40 keys, many equal cosines", partial(many_ties, metric="cosine"), 0.05),
        Case("40 keys, many equal distances", partial(many_ties, metric="euclidean"), 0.05),
    ),
    properties=(Property("with k = n_keys, every key is found once", all_keys_once, 0.1),),
    misconceptions=(
        Misconception(
            "ascending-similarity",
            "you sort the dot products and cosines upwards, so that the farthest keys come first",
            "`argsort` puts the smallest first. For a distance that is right; the smallest similarity is the worst.",
            "Turn the sign of a similarity around before you sort.",
        ),
        Misconception(
            "largest-distance",
            'with "euclidean" you take the keys with the largest distance',
            "A large distance means far away. Dot product and cosine want the largest number, a distance the smallest.",
            "Sort distances upwards, similarities downwards.",
        ),
        Misconception(
            "ties-to-the-higher",
            "of equally near keys you take the later one",
            "Reversing a sorted row also reverses the order of keys that tie.",
            'Sort the negated similarity with `kind="stable"` instead of reversing the result.',
        ),
        Misconception(
            "unstable",
            'you sort without `kind="stable"`, so that keys that tie come in any order',
            "With up to 16 keys NumPy's plain sort happens to keep the order of ties; with 40 it does not.",
            "Say which kind of sort you want.",
        ),
        Misconception(
            "turned-around",
            "you reverse the order of dot products and cosines after sorting, and with it their ties",
            "Reversing a sorted row puts the higher index first where keys tie. The distances, which you do not "
            "reverse, are right.",
            "Sort the negated similarity instead of reversing the result.",
        ),
        Misconception(
            "turned-around-unstable",
            'you sort without `kind="stable"` and reverse the order of dot products and cosines',
            "Both disturb keys that tie: a plain sort leaves them in any order, and reversing turns them around.",
            "Sort the negated similarity, with the stable kind, and do not reverse.",
        ),
        Misconception(
            "nearest-last",
            "you return the right kind of keys, but the nearest comes last",
            "The last k of an upward sort hold the best ones in rising order.",
            "The first column must hold the nearest key. Mind what reversing does to ties.",
        ),
        Misconception(
            "metric-ignored",
            "you use the dot product whatever the metric",
            "The three measures agree only for keys of equal length.",
            "Ask what `metric` is before you compute.",
        ),
        Misconception(
            "cosine-is-dot",
            'with "cosine" you still rank by the dot product',
            "Dividing by the length of the query alone changes nothing in its row; the lengths of the keys matter.",
            "Divide each score by the length of its key, too, or use `cosine_scores`.",
        ),
        Misconception(
            "columns",
            "you sorted down the columns (axis 0)",
            "Down a column the queries compete for a key. Each query looks for its own keys, along its row.",
            "Sort along the last axis.",
        ),
        Misconception(
            "keys-ask",
            "queries and keys have changed places",
            "Each key then looks for its nearest queries, and the result has a row for each key.",
            "One row for each query: the queries are the rows of the scores.",
        ),
        Misconception(
            "scores-returned",
            "you return the scores of the nearest keys instead of their indices",
            "A score does not tell which value to fetch.",
            "`argsort` gives the places where `sort` gives the numbers.",
        ),
        Misconception(
            "sorted-instead",
            "you return sorted numbers instead of places",
            "`sort` gives the numbers themselves. Which keys they belong to is lost.",
            "`argsort` gives the places where `sort` gives the numbers.",
        ),
        Misconception(
            "skips-the-first",
            "you leave the nearest key out",
            "That is a habit from data in which every point finds itself first. Here queries and keys differ.",
            "Take the first k of each row.",
        ),
        Misconception(
            "counts-from-one",
            "you count the keys from 1",
            "`K[j]` counts from 0, so each number fetches the next key.",
            "Return what `argsort` gives, without adding 1.",
        ),
    ),
)


# ---------------------------------------------------------------- knn_attention


def knn_attention_model(Q, K, V, k, wrong=frozenset()):
    """Attention to the k best keys, with mistakes as switches."""
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    scores = Q @ K.T
    if "scaled" in wrong:
        scores = scores / np.sqrt(K.shape[1])
    far = farness(Q, K, "euclidean") if "distance" in wrong else -scores
    if "farthest" in wrong:
        far = -far
    k = 1 if "best-only" in wrong else K.shape[0] if "k-ignored" in wrong else k
    if "ties-to-the-higher" in wrong:
        order = nearest_first(-far)[:, ::-1]
    elif "partition" in wrong:
        order = np.argpartition(-far, -k, axis=1)[:, -k:]
    else:
        order = np.argsort(far, axis=1) if "unstable" in wrong else nearest_first(far)
    chosen = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(chosen, order[:, :k], True, axis=1)
    if "ties-kept" in wrong:
        chosen = far <= np.take_along_axis(far, order[:, k - 1 : k], axis=1)
    if "plain-mean" in wrong:
        weights = chosen / chosen.sum(axis=1, keepdims=True)
    elif "not-renormalised" in wrong:
        weights = softmax(scores) * chosen
    elif "zero-filled" in wrong:
        weights = softmax(np.where(chosen, scores, 0.0))
    else:
        weights = softmax(np.where(chosen, scores, -np.inf))
    return weights @ (K if "keys-mixed" in wrong else V)


def neighbourhood(rng, n_queries, n_keys, d, d_v, k, make=matrix):
    """Queries, keys and values, the best keys beyond doubt, and not those at the smallest distance."""
    while True:
        inputs = search(rng, n_queries, n_keys, d, k, "dot", make)
        V = (square if n_keys == d_v else make)(rng, *([n_keys] if n_keys == d_v else [n_keys, d_v]))
        arguments = {"Q": inputs["Q"], "K": inputs["K"], "V": V, "k": k}
        if np.abs(V[:, None] - V[None, :]).sum(axis=-1)[~np.eye(n_keys, dtype=bool)].min() > 0.05 and (
            k == n_keys or tells(knn_attention_model, arguments, "distance", "k-ignored")
        ):
            return arguments


def tied_neighbourhood(rng):
    """Keys that tie for the last place, with a weight that matters."""
    while True:
        inputs = tied_search(rng, 5, 7, 2, 3, "dot")
        arguments = {"Q": inputs["Q"] / 2, "K": inputs["K"], "V": matrix(rng, 7, 3), "k": 3}
        low, high = (knn_attention_model(**arguments, wrong=wrong) for wrong in ((), ("ties-to-the-higher",)))
        if np.abs(low - high).max() > 0.1 and tells(knn_attention_model, arguments, "partition", "ties-kept"):
            return arguments


def many_tied_neighbours(rng):
    """Forty keys of which many tie for the last place."""
    inputs = many_ties(rng, "dot")
    return {"Q": inputs["Q"] / 2, "K": inputs["K"], "V": matrix(rng, MANY, 3), "k": inputs["k"]}


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
    outside = nearest_first(-inputs["Q"] @ inputs["K"].T)[0, 3:]
    before = call(*inputs.values())
    inputs["V"] = inputs["V"].copy()
    inputs["V"][outside] += 100.0
    gap = np.abs(call(*inputs.values()) - before).max()
    return None if gap < 1e-3 else f"changing the values of the other keys moves the result by {gap:.3g}"


knn_attention = FunctionExercise(
    id="knn_attention",
    points=4,
    task="write `knn_attention(Q, K, V, k)`",
    model=knn_attention_model,
    returns="context",
    cases=(
        Case(
            "2 queries, 5 keys of three numbers, k = 3",
            partial(neighbourhood, n_queries=2, n_keys=5, d=3, d_v=7, k=3, make=tenths),
            0.2,
        ),
        Case(
            "7 queries, 11 keys of five numbers, k = 2",
            partial(neighbourhood, n_queries=7, n_keys=11, d=5, d_v=3, k=2, make=matrix),
            0.1,
        ),
        Case("all sizes equal to 5, k = 3", partial(neighbourhood, n_queries=5, n_keys=5, d=5, d_v=5, k=3), 0.1),
        Case("equal scores at the edge", tied_neighbourhood, 0.1),
        Case("40 keys, many equal scores at the edge", many_tied_neighbours, 0.1),
    ),
    properties=(
        Property("k = n_keys is attention to all keys", all_neighbours_is_attention, 0.1),
        Property("k = 1 fetches the value of the best key", one_neighbour_is_a_lookup, 0.1),
        Property("the other keys' values do not count at all", others_do_not_count, 0.1),
    ),
    misconceptions=(
        Misconception(
            "k-ignored",
            "you use all keys, not the k best",
            "A softmax over all keys leaves none of them without weight.",
            "Only the scores at `knn_indices(...)` take part in the softmax.",
        ),
        Misconception(
            "best-only",
            "you return the value of the single best key",
            "That is k = 1; the other neighbours must be heard, too.",
            "Mix the values of all k neighbours by their weights.",
        ),
        Misconception(
            "plain-mean",
            "you average the k values, each with the same weight",
            "That is a classical nearest-neighbour average; here a better score weighs more.",
            "Put the k scores through your softmax.",
        ),
        Misconception(
            "not-renormalised",
            "the weights of the k keys do not sum to 1",
            "The softmax ran over all keys, and what you cut off is missing from the sum.",
            "Cut first, then take the softmax of what is left.",
        ),
        Misconception(
            "zero-filled",
            "the other keys' scores are set to 0, but a score of 0 still gets weight",
            "e to the 0 is 1: such a key can even beat one of the k best, if that has a negative score.",
            "Leave the other keys out of the softmax, or give them the score minus infinity.",
        ),
        Misconception(
            "farthest",
            "you mix the k worst keys",
            "`argsort` puts the smallest score first.",
            "Sort the scores downwards, or use your `knn_indices`.",
        ),
        Misconception(
            "distance",
            "you choose the neighbours by distance instead of by dot product",
            "A long key can be far away and still have one of the highest scores.",
            'Choose with the metric "dot".',
        ),
        Misconception(
            "ties-to-the-higher",
            "of equal scores at the edge you keep the later key",
            "Reversing a sorted row also reverses the order of keys that tie.",
            "Choose with your `knn_indices`: its ties go to the lower index.",
        ),
        Misconception(
            "unstable",
            'you sort without `kind="stable"`, so that chance decides which of several equal scores stay',
            "With up to 16 keys NumPy's plain sort happens to keep the order of ties; with 40 it does not.",
            "Choose with your `knn_indices`: its ties go to the lower index.",
        ),
        Misconception(
            "partition",
            "you choose with `argpartition`, which leaves to chance which of several equal scores stay",
            "It is fast because it does not sort; so it cannot keep the order of ties either.",
            "Choose with your `knn_indices`: its ties go to the lower index.",
        ),
        Misconception(
            "ties-kept",
            "you keep every key that scores as high as number k, so that a tie gives more than k",
            "A comparison with the k-th highest score cannot tell equal scores apart.",
            "Choose by place, not by comparing scores.",
        ),
        Misconception(
            "keys-mixed",
            "you average the keys instead of the values",
            "The keys have done their part when the weights are there.",
            "Multiply the weights with V.",
        ),
        Misconception(
            "scaled",
            "you divide the scores by the square root of the dimension",
            "That is for later (Part 3); here the plain dot scores are asked for.",
            "Leave the scores as they are.",
        ),
    ),
)


# ---------------------------------------------------------------- the two limits


def limit_weights_model(scores, limit, wrong=frozenset()):
    """Softmax weights at the two ends of the temperature, with mistakes as switches."""
    scores = np.asarray(scores, dtype=float)
    if "swapped" in wrong:
        limit = "hot" if limit == "cold" else "cold"
    axis = 0 if "columns" in wrong else -1
    if limit == "hot":
        if "hot-not-divided" in wrong:
            return np.ones(scores.shape)
        if "hot-is-plain" in wrong:
            return softmax(scores)
        return np.full(scores.shape, 1.0 / scores.shape[axis])
    if "lowest" in wrong:
        scores = -scores
    if "tie-lost" in wrong:
        best = np.zeros(scores.shape)
        np.put_along_axis(best, np.expand_dims(scores.argmax(axis=axis), axis), 1.0, axis=axis)
        return best
    if "one-for-all" in wrong:
        return (scores == scores.max()) / (scores == scores.max()).sum()
    best = (scores == (scores.max() if "whole-matrix" in wrong else scores.max(axis=axis, keepdims=True))).astype(float)
    return best if "tie-not-divided" in wrong else best / best.sum(axis=axis, keepdims=True)


def scores_with_ties(rng, n, m, ties):
    """Whole numbers, of which the best of the first `ties` rows are shared by 2, 3, ... keys; no two rows share it."""
    scores = rng.permuted(np.tile(np.arange(m), (n, 1)), axis=1).astype(float) - rng.permutation(2 * m)[:n, None]
    for i in range(ties):
        order = np.argsort(scores[i])
        scores[i, order[-2 - i % (m - 2) :]] = scores[i].max()
    return scores


def agrees_with_temperature(limit, temperature):
    """A test that the limit is what softmax_with_temperature comes to."""

    def test(call, rng):
        scores = scores_with_ties(rng, 5, 7, 2)
        gap = np.abs(call(scores, limit) - softmax_with_temperature(scores, temperature)).max()
        return None if gap < 1e-3 else f"softmax at temperature {temperature:g} differs by {gap:.3g}"

    return test


limit_weights = FunctionExercise(
    id="limit_weights",
    points=3,
    task="write `limit_weights(scores, limit)`",
    model=limit_weights_model,
    returns="weights",
    cases=(
        Case(
            "cold, 3 queries, 5 keys", lambda rng: {"scores": scores_with_ties(rng, 3, 5, 0) / 10, "limit": "cold"}, 0.2
        ),
        Case("cold, with ties", lambda rng: {"scores": scores_with_ties(rng, 5, 7, 4), "limit": "cold"}, 0.2),
        Case("hot, 2 queries, 7 keys", lambda rng: {"scores": scores_with_ties(rng, 2, 7, 1), "limit": "hot"}, 0.15),
        Case(
            "cold, as many queries as keys",
            lambda rng: {"scores": scores_with_ties(rng, 5, 5, 1), "limit": "cold"},
            0.1,
        ),
    ),
    properties=(
        Property("equal to softmax at temperature 0.0001", agrees_with_temperature("cold", 1e-4), 0.15),
        Property("equal to softmax at temperature 100,000", agrees_with_temperature("hot", 1e5), 0.1),
    ),
    misconceptions=(
        Misconception(
            "tie-lost",
            "a tie gives all weight to the first of the best keys",
            "`argmax` names only one. Softmax gives equal scores equal weights at every temperature, and in the limit.",
            "Mark every key whose score equals the best of its row, and let them share.",
        ),
        Misconception(
            "tie-not-divided",
            "each of several best keys gets the whole weight",
            "Weights sum to 1; two best keys have one half each.",
            "Divide by the number of best keys in the row.",
        ),
        Misconception(
            "lowest",
            "in the cold all weight goes to the lowest score",
            "Cold sharpens the preference for high scores.",
            "Look for the largest score of each row.",
        ),
        Misconception(
            "swapped",
            "cold and hot have changed places",
            "Dividing by a small temperature blows differences up; dividing by a large one makes them vanish.",
            "Try scores 0 and 1 at temperature 0.01: what do they become?",
        ),
        Misconception(
            "columns",
            "you worked down the columns (axis 0)",
            "Each row belongs to one query, and its weights sum to 1.",
            "Take maximum, sum and number of keys along the last axis.",
        ),
        Misconception(
            "whole-matrix",
            "you compare with the largest score of the whole matrix",
            "A query whose scores are all low still has a best key of its own.",
            "Take the maximum of each row, with `keepdims=True`.",
        ),
        Misconception(
            "one-for-all",
            "you look for one best key in the whole matrix, and only its row gets weight",
            "Every query has a best key of its own, and the weights of every row sum to 1.",
            "Take the maximum and the number of best keys of each row, with `keepdims=True`.",
        ),
        Misconception(
            "hot-not-divided",
            "in the heat every key gets weight 1",
            "Weights sum to 1; they are equal, but they share.",
            "How much is left for each of n_keys equal shares?",
        ),
        Misconception(
            "hot-is-plain",
            "for hot you return the softmax at temperature 1",
            "Temperature 1 is where nothing has been heated yet.",
            "Divide the scores by a huge number in your mind: what is left of them?",
        ),
    ),
)


# ---------------------------------------------------------------- normalised keys


def normalise_keys_model(K, wrong=frozenset()):
    """Keys of length 1, with mistakes as switches."""
    K = np.asarray(K, dtype=float)
    axis = 0 if "columns" in wrong else None if "whole-matrix" in wrong else 1
    squares = (K**2).sum(axis=axis, keepdims="no-keepdims" not in wrong)
    size = squares if "squared" in wrong else np.sqrt(squares)
    if "largest" in wrong:
        size = np.abs(K).max(axis=axis, keepdims="no-keepdims" not in wrong)
    if "sum" in wrong:
        size = K.sum(axis=axis, keepdims="no-keepdims" not in wrong)
    if "absolute-sum" in wrong:
        size = np.abs(K).sum(axis=axis, keepdims="no-keepdims" not in wrong)
    return K / size


def rows_of_length_one(call, rng):
    lengths = np.linalg.norm(call(matrix(rng, 7, 5)), axis=1)
    worst = lengths[np.abs(lengths - 1).argmax()]
    return None if abs(worst - 1) < 1e-3 else f"a row has length {worst:.4g}"


def rankings_agree(call, rng):
    keys = call(matrix(rng, 11, 3) * rng.uniform(0.3, 3, size=(11, 1)))
    for q in matrix(rng, 20, 3, scale=2.0):
        dot, distance = keys @ q, ((keys - q) ** 2).sum(axis=1)
        best = distance.argmin()
        if dot[best] < dot.max() - 1e-3:
            return f"for one query the nearest of your keys scores {dot[best]:.3g}, another one {dot.max():.3g}"
        along = distance[np.argsort(-dot)]
        if (np.diff(along) < -1e-3).any():
            return "for one query, a key with a lower score lies nearer"
    return None


normalise_keys = FunctionExercise(
    id="normalise_keys",
    points=2,
    task="write `normalise_keys(K)`",
    model=normalise_keys_model,
    returns="keys",
    library_names=("unit_rows",),
    cases=(
        Case("2 keys of three numbers", lambda rng: {"K": tenths(rng, 2, 3)}, 0.3),
        Case("7 keys of five numbers", lambda rng: {"K": matrix(rng, 7, 5, scale=2.0)}, 0.2),
        Case("5 keys of five numbers", lambda rng: {"K": square(rng, 5)}, 0.1),
    ),
    properties=(
        Property("every key has length 1", rows_of_length_one, 0.1),
        Property("dot product and distance rank your keys alike, for 20 queries", rankings_agree, 0.2),
    ),
    misconceptions=(
        Misconception(
            "columns",
            "you divided by the lengths of the columns (axis 0)",
            "Each key is a row; a column holds one number of every key.",
            "Sum the squares along axis 1, and keep the axis.",
        ),
        Misconception(
            "whole-matrix",
            "you divided all keys by the same length",
            "A common factor makes all keys shorter, but a long key stays longer than a short one.",
            "Each row has a length of its own: give the sum an axis.",
        ),
        Misconception(
            "squared",
            "you divided by the squared length",
            "A key of length 2 then gets length 1/2.",
            "The length is the square root of the sum of squares.",
        ),
        Misconception(
            "sum",
            "you divided each key by the sum of its numbers",
            "That sum is not a length: it can be zero or negative, and then it turns the key around.",
            "Use the square root of the sum of squares.",
        ),
        Misconception(
            "absolute-sum",
            "you divided by the sum of the absolute values",
            "That is another kind of length. The Euclidean one is the square root of the sum of squares.",
            "Square, add up, take the root.",
        ),
        Misconception(
            "largest",
            "you divided each key by its largest number",
            "Then the largest number is 1, but the lengths still differ.",
            "Use the square root of the sum of squares.",
        ),
        Misconception(
            "no-keepdims",
            "the lengths have lost an axis",
            "A row of lengths is spread over the columns. On a square matrix nothing complains, but each number is "
            "divided by another key's length.",
            "Keep the lengths as a column: `keepdims=True`.",
        ),
    ),
)


# ---------------------------------------------------------------- the tie

TIE_QUERY = np.array([1.0, 2.0])
TIE_SCORE = 5.0
TIE_DISTANCE = 4.0


def read_key(value):
    """The learner's key as an array of shape (2,); raises ValueError in words."""
    key = np.asarray(value, dtype=float)
    if key.shape != (2,):
        raise ValueError(f"expected two numbers, such as [-1.0, 3.0]; got shape {key.shape}")
    if not np.isfinite(key).all():
        raise ValueError("both numbers must be finite")
    if np.abs(key).max() > 1e6:
        raise ValueError("keep the numbers below a million")
    return key


def score_ties(key):
    score = key @ TIE_QUERY
    return None if abs(score - TIE_SCORE) < 1e-6 else f"its score is {score:g}; the copy of q scores 5"


def lies_far(key):
    distance = np.linalg.norm(key - TIE_QUERY)
    return None if distance > TIE_DISTANCE else f"its distance from q is {distance:.4g}"


tied_far_key = SearchExercise(
    id="tied-far-key",
    points=2,
    task="find a key that scores 5 but lies more than 4 away from q",
    reads=read_key,
    tests=(
        ("its dot product with q = [1, 2] is 5", score_ties, 0.5),
        ("its distance from q is more than 4", lies_far, 0.5),
    ),
    misconceptions=(
        (
            Misconception(
                "the-copy",
                "you chose the query itself",
                "It has the score 5, but the distance 0.",
                "Keep the score and leave the place: move at a right angle to q.",
            ),
            lambda key: np.allclose(key, TIE_QUERY),
        ),
        (
            Misconception(
                "still-near",
                "your key lies on the right line, but not far enough out",
                "All keys with the score 5 lie on a line at a right angle to q, and that line has no end.",
                "Go farther in the same direction.",
            ),
            lambda key: score_ties(key) is None,
        ),
        (
            Misconception(
                "right-angle-only",
                "your key is at a right angle to q, so that its score is 0",
                "A step at a right angle does not change a score. But you have to start from a key that scores 5.",
                "Add your vector to q.",
            ),
            lambda key: abs(key @ TIE_QUERY) < 1e-9,
        ),
        (
            Misconception(
                "far-and-different",
                "your key is far away, but its score is not 5",
                "Going away from q in any direction changes the score, except in one.",
                "Which steps have a dot product of 0 with q?",
            ),
            lambda key: lies_far(key) is None,
        ),
    ),
)


# ---------------------------------------------------------------- real words


@cache
def paris_neighbours(metric, mistake=""):
    """The four words that are nearest to "paris", itself left out."""
    vocabulary, E = load_word_vectors()
    words = list(vocabulary)
    far = farness(
        E[[vocabulary["paris"]]].astype(float), E.astype(float), "dot" if mistake == "dot-throughout" else metric
    )
    order = nearest_first(-far if mistake == "farthest" else far)[0]
    found = [words[j] for j in order[:6]]
    return [word for word in found if mistake == "itself" or word != "paris"][:4]


def nearest_to_paris(metric):
    return lambda wrong=frozenset(): list(paris_neighbours(metric, next(iter(wrong), "")))


word_neighbours = ValueExercise(
    id="word-neighbours",
    points=2,
    task='fill in the four nearest words of "paris" by each measure',
    parts=(
        Part("dot", "the four words with the highest dot product", nearest_to_paris("dot"), 0.3),
        Part("cosine", "the four words with the highest cosine", nearest_to_paris("cosine"), 0.3),
        Part("euclidean", "the four words at the smallest distance", nearest_to_paris("euclidean"), 0.4),
    ),
    misconceptions=(
        Misconception(
            "itself",
            'you counted "paris" as its own neighbour',
            "A word is nearest to itself; the question is which others are near.",
            "Ask for one neighbour more, and leave the first one out.",
        ),
        Misconception(
            "farthest",
            "you listed the farthest words",
            "`argsort` puts the smallest first, and for a similarity that is the worst.",
            "Look at what your `knn_indices` check says.",
        ),
        Misconception(
            "dot-throughout",
            "you used the dot product three times",
            "Word vectors differ in length, so that the three measures disagree.",
            "Pass the name of each measure to your function.",
        ),
    ),
)
