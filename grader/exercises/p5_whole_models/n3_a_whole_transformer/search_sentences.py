import numpy as np

from attnlib import unit_rows
from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import slip


def sought(rng, n, d, k, dtype=float):
    """A question and sentences, as vectors of length 1 with scores of both signs that are well apart."""
    while True:
        vectors = unit_rows(rng.normal(size=(n, d)))
        query = unit_rows(rng.normal(size=(1, d)))[0]
        scores = np.sort(vectors @ query)
        order = np.argsort(-(vectors @ query))
        usual = np.array_equal(order, np.arange(n)) or np.array_equal(order, np.arange(n)[::-1])
        ranks = np.argsort(order)
        usual |= (k > 1 and bool((np.diff(order[:k]) > 0).all())) or np.array_equal(ranks[:k], order[:k])
        if k == 2 and scores[-2] < 0.05:
            continue  # whoever overwrites those found with 0 finds two all the same
        if np.diff(scores).min() > 0.02 and scores[0] < -0.05 and not usual and order[0] != n - 1:
            return {"query_vector": query.astype(dtype), "vectors": vectors.astype(dtype), "k": k}


def many(rng):
    """So many sentences that what a partition leaves unsorted shows, with scores that are well apart."""
    scores = rng.permutation(np.linspace(-0.9, 0.95, 41) + rng.uniform(-0.01, 0.01, size=41))
    angles = np.arccos(scores) * rng.choice([-1, 1], size=41) + (turn := rng.uniform(0, 2 * np.pi))
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return {"query_vector": np.array([np.cos(turn), np.sin(turn)]), "vectors": vectors, "k": 17}


def close(rng):
    """Sentences that score nearly the same: whoever rounds, to whatever is seen of a score, takes them for equal."""

    def best(scores):
        return np.argsort(-scores, kind="stable")[:5].tolist()

    while True:
        scores = rng.permutation(0.4 + 0.00003 * np.arange(11))
        roughly = [scores.round(decimals) for decimals in range(1, 5)] + [scores.astype(np.float16)]
        if not any(best(scores) == best(some) for some in roughly):
            break
    angles = np.arccos(scores) + (turn := rng.uniform(0, 2 * np.pi))
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return {"query_vector": np.array([np.cos(turn), np.sin(turn)]), "vectors": vectors, "k": 5}


def tied(rng, n, k):
    """Sentences of which several score exactly the same: halves and ones, which no rounding touches."""
    axes = np.concatenate([np.eye(4), 0.5 * np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [-1, 1, 1, 1]])])
    while True:
        vectors = axes[rng.integers(8, size=n)]
        query = axes[4 + rng.integers(4)]
        scores = vectors @ query
        if len(set(scores.tolist())) >= 3 and (scores == scores.max()).sum() in range(2, k):
            return {"query_vector": query.copy(), "vectors": vectors, "k": k}


def _one_by_one(scores, k, without):
    """The places of the best, one after the other, each found in what is left `without` those before."""
    left, found = scores.copy(), []
    for _ in range(k):
        found.append(int(np.argmax(left)))
        left = without(left, found[-1])
    return np.array(found)


def _zero_at(scores, place):
    return np.where(np.arange(len(scores)) == place, 0.0, scores)


def _above_zero(scores, k):
    """The same by a loop whose best score begins with 0, at place 0: what is not above it is never found."""
    left, found = scores.copy(), []
    for _ in range(k):
        found.append(int(np.argmax(left)) if left.max() > 0 else 0)
        left[found[-1]] = 0.0
    return np.array(found)


def _each_score_once(scores):
    """The places of the scores, the best first, of equal ones the last."""
    return np.array([place for _, place in sorted({s: i for i, s in enumerate(scores.tolist())}.items())[::-1]])


def _minus_one_at(scores, place):
    return np.where(np.arange(len(scores)) == place, -1.0, scores)


def all_are_found(call, rng):
    inputs = sought(rng, 7, 5, 7)
    indices, scores = call(*inputs.values())
    if not np.isfinite(scores).all():
        return "asked for all seven of seven sentences, it returns a score that is no number"
    found = np.sort(indices).round(2).tolist()
    if found == list(range(7)):
        opposite = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
        found = np.sort(call(opposite[0], opposite, 3)[0]).tolist()
        if found == [0, 1, 2]:
            return None
        return f"asked for all three of three sentences, one of them the opposite, it returns the indices {found}"
    return f"asked for all seven of seven sentences, it returns the indices {found} (sorted here), not 0 to 6"


@function(
    points=2,
    returns=("indices", "scores"),
    cases=(
        Case("the best two of five", lambda rng: sought(rng, 5, 3, 2), 0.2, telling=("sizes",)),
        Case(
            "the best seven of eleven",
            lambda rng: sought(rng, 11, 13, 7),
            0.1,
            telling=("sizes", "zeroed", "from-zero", "deleted"),
        ),
        Case(
            "as many numbers as sentences",
            lambda rng: sought(rng, 5, 5, 3),
            0.1,
            telling=("sizes", "zeroed", "from-zero", "deleted"),
        ),
        Case("the best seventeen of forty-one", many, 0.05, telling=("sizes", "deleted")),
        Case("scores that differ in the fifth decimal only", close, 0.1, telling=("near-is-equal", "deleted")),
        Case("equal scores", lambda rng: tied(rng, 41, 29), 0.1, telling=("sizes", "zeroed", "from-zero")),
        Case(
            "the example of the task",
            example(query_vector=np.array([0.6, 0.8]), vectors=np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]), k=2),
            0.05,
        ),
        Case(
            "the best alone, in single precision",
            lambda rng: sought(rng, 7, 11, 1, np.float32),
            0.1,
            telling=("sizes",),
        ),
    ),
    properties=(Property("with k = n every sentence is found once", all_are_found, 0.1),),
    mistakes="""
    ascending: the worst come first -> `argsort` puts the smallest first. A large dot product means near, and so does a
        small distance. -> Turn the sign round of what you sort.
    upwards: the worst come first: you sort upwards -> `argsort` puts the smallest first; a large dot product means
        near. -> Turn the sign round before you sort, with `kind="stable"`.
    worst-turned: you take the worst: you cut before you turn round -> The first k of an upward sort are the k lowest
        scores, in whatever order they come then. -> Turn round first, then cut; best by sorting the negated scores,
        with `kind="stable"`.
    worst-turned-of-any: you take the worst: you cut before you turn round -> The first k of an upward sort are the k
        lowest scores, in whatever order they come then. -> Turn round first, then cut; best by sorting the negated
        scores, with `kind="stable"`.
    equals-lost: of sentences with equal scores only one is left -> A dict with the scores for keys holds each score
        once. -> Sort the places, not the scores: `np.argsort`.
    sizes: you sort by the sizes of the scores, whatever their sign -> A score of -1 means the opposite direction, and
        that is as far as can be. -> No `abs`.
    sizes-returned: you take the sizes of the scores, whatever their sign -> A score of -1 means the opposite direction,
        and that is as far as can be. -> No `abs`.
    scores-not-cut: there are scores for all sentences, not for the best k only -> Score i is to belong to index i of
        the result. -> Take the scores at the indices that you return.
    first-scores: the scores are those of the first k sentences -> `scores[:k]` cuts before anything was sorted. -> Take
        the scores at the indices that you return.
    scores-unsorted: the indices are sorted, the scores are not -> Score i is to belong to index i of the result. ->
        `scores[indices]`.
    indices-not-cut: there are indices of all sentences, not of the best k only -> Score i is to belong to index i of
        the result. -> Cut the order off before you take the scores.
    all-returned: `k` has no effect -> Only the best k are wanted. -> Cut the order off.
    one-too-few: one is missing -> A slice ends before its second number. -> `[:k]` holds k things.
    one-too-many: there is one too many -> A slice `[:k + 1]` holds k + 1 things. -> `[:k]`.
    vectors-returned: you return the vectors themselves, where their indices are asked for -> Whoever searches wants to
        know which sentences they are. -> The places that the sort gives.
    nearest-left-out: the best is missing -> That is a habit from data in which every point finds itself first. The
        question is not among the sentences. -> Begin with the first.
    exchanged: scores and indices have changed places -> Whoever calls your function unpacks indices first. -> `return
        indices, scores`.
    distances: you return distances for scores -> For rows of length 1 the order is the same; but a score of 1 means the
        same direction, and a distance of 1 does not. -> Dot products.
    squared-distances: you return squared distances for scores -> For rows of length 1 the order is the same; but a
        score of 1 means the same direction, and a distance of 1 does not. -> Dot products.
    negated: your scores have the wrong sign -> You turned the sign round to sort, and returned the turned ones. ->
        Return the scores themselves.
    softmaxed: your scores are weights: a softmax was taken -> The order is the same; but a weight depends on all the
        other sentences. -> Return the dot products.
    ties-to-the-higher: of equal scores the later one comes first -> A sorted row that is reversed has those that tie
        reversed as well; a search by `>=` goes on to the last of them. -> Sort the negated scores, with
        `kind="stable"`; or search by `>`.
    near-is-equal: you take scores for equal that only nearly are -> Rounded scores do so: then a worse sentence may
        come before a better one. -> Sort the scores as they are; `kind="stable"` sees to those that are equal.
    reversed: of equal scores any comes first: you sort upwards, and turn the order round -> Reversing a sorted row also
        reverses those that tie. -> Sort the negated scores, with `kind="stable"`.
    unstable: equal scores come in any order: you sort without `kind="stable"`, or take what a partition leaves ->
        It is right by luck, often among few, hardly ever among 40. -> Say which kind of sort you want.
    in-order: you return the right sentences in the order in which they stand -> The best is to come first. -> Keep the
        order of the scores.
    best-last: you return the right sentences, but the best comes last -> The last k of an upward sort hold the best in
        rising order. -> The first is to be the best.
    last-k-upwards: you return the last k of an upward sort: the best comes last -> They are the right sentences, the
        worst of them first. -> Turn the sign round before you sort, with `kind="stable"`.
    deleted: you take the best out of the array, and look for the next in what is left -> Behind it all have moved up by
        one: their indices are those of the shorter array. -> Sort once; or overwrite the score with -np.inf.
    zeroed: you overwrite the scores of those found with 0 -> Then they are found again where only scores below 0 are
        left. -> Sort once; or overwrite with -np.inf.
    minus-one: you overwrite the scores of those found with -1 -> An opposite sentence has that score, too; then one
        that was found before is found again. -> Sort once; or overwrite with -np.inf.
    zeroed-and-read: you overwrite the scores of those found with 0 -> Then they are found again where only scores below
        0 are left, with a score of 0. -> Sort once; or overwrite with -np.inf.
    from-zero: your search begins with a best score of 0 -> Scores below 0 are never better. -> Begin with -np.inf; or
        sort once.
    minus-one-and-read: you overwrite the scores of those found with -1 -> An opposite sentence has that score, too;
        then one that was found before is found again. -> Sort once; or overwrite with -np.inf.
    first-of-equals: of equal scores you return the same index again -> `list.index` finds the first place of a score,
        whichever of the equal ones is meant. -> Sort the places, not the scores: `np.argsort`.
    last-k: you return the right sentences, but the best comes last; and equal scores come in any order -> The last k of
        an upward sort hold the best in rising order. -> Turn the sign round before you sort, with `kind="stable"`.
    ranks: you sort the places once more -> `argsort` of an `argsort` says which rank each sentence has, not which
        sentence has each rank. -> Once is enough.
    ranks-of-any: you sort the places once more, and without `kind="stable"` -> `argsort` of an `argsort` says which
        rank each sentence has, not which sentence has each rank. -> Once is enough, and with `kind="stable"`.
    columns-scored: you compare with the columns of `vectors` -> A sentence is a row. -> (n, d) times (d,).
    """,
)
def search_sentences(query_vector, vectors, k, wrong=frozenset()):
    """The k best by dot product, with the mistakes that people make as switches."""
    q, vectors = np.asarray(query_vector, dtype=float), np.asarray(vectors, dtype=float)
    scores = q @ vectors if "columns-scored" in wrong else vectors @ q
    slips = {
        "ascending": lambda: np.argsort(scores, kind="stable"),
        "upwards": lambda: np.argsort(scores),
        "sizes": lambda: np.argsort(-np.abs(scores), kind="stable"),
        "sizes-returned": lambda: np.argsort(-np.abs(scores), kind="stable"),
        "ties-to-the-higher": lambda: np.argsort(scores, kind="stable")[::-1],
        "near-is-equal": lambda: np.argsort(-scores.round(3), kind="stable"),
        "reversed": lambda: np.argsort(scores)[::-1],
        "unstable": lambda: np.argsort(-scores),
        "last-k": lambda: np.argsort(scores)[-k:],
        "last-k-upwards": lambda: np.argsort(scores, kind="stable")[-k:],
        "deleted": lambda: _one_by_one(scores, k, np.delete),
        "minus-one": lambda: _one_by_one(scores, k, _minus_one_at),
        "zeroed": lambda: _one_by_one(scores, k, _zero_at),
        "first-of-equals": lambda: np.array([scores.tolist().index(one) for one in np.sort(scores)[::-1]]),
        "zeroed-and-read": lambda: _one_by_one(scores, k, _zero_at),
        "minus-one-and-read": lambda: _one_by_one(scores, k, _minus_one_at),
        "from-zero": lambda: _above_zero(scores, k),
        "worst-turned": lambda: np.argsort(scores, kind="stable")[:k][::-1],
        "worst-turned-of-any": lambda: np.argsort(scores)[:k][::-1],
        "equals-lost": lambda: _each_score_once(scores),
        "ranks-of-any": lambda: np.argsort(np.argsort(-scores)),
        "ranks": lambda: np.argsort(np.argsort(-scores, kind="stable"), kind="stable"),
    }
    order = slip(wrong, slips, lambda: np.argsort(-scores, kind="stable"))()
    some = {
        "all-returned": slice(None),
        "one-too-few": slice(k - 1),
        "one-too-many": slice(k + 1),
        "nearest-left-out": slice(1, k + 1),
    }
    indices = order[slip(wrong, some, slice(k))]
    again = [place in indices[:i] for i, place in enumerate(indices)]
    if "in-order" in wrong:
        indices = np.sort(indices)
    if "best-last" in wrong:
        indices = indices[::-1]
    powers = np.exp(scores - scores.max())
    slips = {
        "scores-not-cut": lambda: np.sort(scores)[::-1],
        "first-scores": lambda: scores[:k],
        "scores-unsorted": lambda: scores,
        "distances": lambda: np.linalg.norm(vectors - q, axis=-1)[indices],
        "squared-distances": lambda: ((vectors - q) ** 2).sum(axis=-1)[indices],
        "negated": lambda: -scores[indices],
        "deleted": lambda: np.sort(scores)[::-1][:k],
        "sizes-returned": lambda: np.abs(scores)[indices],
        "zeroed-and-read": lambda: np.where(again, 0.0, scores[indices]),
        "from-zero": lambda: np.where(again, 0.0, scores[indices]),
        "minus-one-and-read": lambda: np.where(again, -1.0, scores[indices]),
        "softmaxed": lambda: (powers / powers.sum())[indices],
    }
    found = slip(wrong, slips, lambda: scores[indices])()
    if "indices-not-cut" in wrong:
        return order, found
    if "vectors-returned" in wrong:
        return vectors[indices], found
    return (found, indices) if "exchanged" in wrong else (indices, found)
