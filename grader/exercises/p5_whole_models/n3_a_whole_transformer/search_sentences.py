import numpy as np

from attnlib import unit_rows
from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip


def sought(rng, n, d, k, dtype=float):
    """A question and sentences, as vectors of length 1 with scores of both signs that are well apart."""
    while True:
        query = unit_rows(rng.normal(size=(1, d)))[0]
        along, aside = rng.uniform(-0.95, 0.95, size=n), rng.normal(size=(n, d))
        aside = unit_rows(aside - np.outer(aside @ query, query))
        vectors = np.outer(along, query) + np.sqrt(1 - along**2)[:, None] * aside
        scores = np.sort(vectors @ query)
        order = np.argsort(-(vectors @ query))
        usual = np.array_equal(order, np.arange(n)) or np.array_equal(order, np.arange(n)[::-1])
        ranks = np.argsort(order)
        usual |= (k > 1 and bool((np.diff(order[:k]) > 0).all())) or np.array_equal(ranks[:k], order[:k])
        usual |= np.array_equal(order[:k], np.argsort(np.abs(vectors - query).sum(axis=-1))[:k])
        # Whoever loses the last sentence loses one of the best wherever k > 2; and a sixth decimal does not decide.
        usual |= (k > 2 and n - 1 not in order[:k]) or scores[-1] < 0.55
        if k == 2 and scores[-2] < 0.05:
            continue  # whoever overwrites those found with 0 finds two all the same
        if np.diff(scores).min() > 0.02 and scores[0] < -0.05 and not usual and order[0] != n - 1:
            return {"query_vector": query.astype(dtype), "vectors": vectors.astype(dtype), "k": k}


def many(rng):
    """So many sentences that what a partition leaves unsorted shows, with scores that are well apart."""
    scores = np.linspace(-0.9, 0.95, 41) + rng.uniform(-0.01, 0.01, size=41)
    last = rng.integers(25, 40)  # one of the best, so that whoever loses the last sentence loses one of them
    scores = np.append(rng.permutation(np.delete(scores, last)), scores[last])
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
        if not any(best(scores) == best(some) for some in roughly) and 10 in best(scores):
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
        some = len(set(scores.tolist())) >= 3 and (scores == scores.max()).sum() in range(2, k)
        if some and n - 1 in np.argsort(-scores, kind="stable")[:k]:
            return {"query_vector": query.copy(), "vectors": vectors, "k": k}


def _one_by_one(scores, k, without):
    """The places of the best, one after the other, each found in what is left `without` those before."""
    left, found = scores.copy(), []
    for _ in range(k):
        found.append(int(np.argmax(left)))
        left = without(left, found[-1])
    return np.array(found)


def _with(value):
    """Overwrites the score at a place with this one."""
    return lambda scores, place: np.where(np.arange(len(scores)) == place, value, scores)


def _above_zero(scores, k):
    """The same by a loop whose best score begins with 0, at place 0: what is not above it is never found."""
    found = [place for place in np.argsort(-scores, kind="stable")[:k] if scores[place] > 0]
    return np.array(found + [0] * (k - len(found)))


def _smallest_replaced(scores, k):
    """A list of k pairs of score and place, of which the smallest gives way: of equal scores the earlier place."""
    kept = [(score, place) for place, score in enumerate(scores[:k])]
    for place in range(k, len(scores)):
        if scores[place] > min(kept)[0]:
            kept[kept.index(min(kept))] = scores[place], place
    return np.array([place for _, place in sorted(kept, reverse=True)])


def _last_replaced(scores, k):
    """A list of k places, of which the last gives way to a better one, in whatever order they are."""
    kept = list(range(min(k, len(scores))))
    for place in range(k, len(scores)):
        if scores[place] > scores[kept[-1]]:
            kept[-1] = place
    return np.array(sorted(kept, key=lambda place: -scores[place]))


def _each_score_once(scores):
    """The places of the scores, the best first, of equal ones the last."""
    return len(scores) - 1 - np.unique(scores[::-1], return_index=True)[1][::-1]


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
        Case("the best two of five", lambda rng: sought(rng, 5, 3, 2), 0.2, telling=("sizes", "last-of-kept-replaced")),
        Case(
            "the best seven of eleven",
            lambda rng: sought(rng, 11, 13, 7),
            0.1,
            telling=("sizes", "zeroed", "from-zero", "deleted", "last-of-kept-replaced"),
        ),
        Case(
            "as many numbers as sentences",
            lambda rng: sought(rng, 5, 5, 3),
            0.1,
            telling=("sizes", "zeroed", "from-zero", "deleted", "last-of-kept-replaced"),
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
    one-minus-distance: you return 1 less the distances for scores -> For rows of length 1 the order is the same, and a
        score of 1 is one in both; but beside it they differ. -> Dot products.
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
    first-of-equals: of equal scores you return the same index again -> Whoever looks a score up (`list.index`,
        `np.where(...)[0][0]`) finds its first place, whichever of the equal ones is meant. -> Sort the places, not the
        scores: `np.argsort`.
    last-k: you return the right sentences, but the best comes last; and equal scores come in any order -> The last k of
        an upward sort hold the best in rising order. -> Turn the sign round before you sort, with `kind="stable"`.
    ranks: you sort the places once more -> `argsort` of an `argsort` says which rank each sentence has, not which
        sentence has each rank. -> Once is enough.
    ranks-of-any: you sort the places once more, and without `kind="stable"` -> `argsort` of an `argsort` says which
        rank each sentence has, not which sentence has each rank. -> Once is enough, and with `kind="stable"`.
    turned-twice: the worst come first: you turn the sign of the scores round, and the order as well -> Each of the two
        puts the best in front; both together undo each other. -> The negated scores, sorted with `kind="stable"`, and
        no `[::-1]`.
    turned-twice-of-any: the worst come first: you turn the sign of the scores round, and the order as well -> Each of
        the two puts the best in front; both together undo each other. -> The negated scores, sorted with
        `kind="stable"`, and no `[::-1]`.
    last-of-negated: you return the worst: the last k of what is sorted with its sign turned round -> With the sign
        turned the best stand in front. -> `[:k]`.
    last-of-negated-of-any: you return the worst: the last k of what is sorted with its sign turned round -> With the
        sign turned the best stand in front. -> `[:k]`, and `kind="stable"`.
    unsorted: you return the first k sentences, as they stand -> Nothing was sorted: there is no sort, or it sorts the
        places themselves (the last key of `lexsort` counts first). -> Sort the places by their scores, and take k of
        these.
    ranks-returned: your scores are right, and your indices are 0 to k - 1 -> That is the rank of each among those
        found; or, behind a partition, its place among the k that are left. Asked for is which sentence it is. -> Return
        the places that the first sort or partition gives: `some[order]`.
    read-too-late=: you read the scores after you have overwritten them -> What marks a sentence as found stands in the
        place of its score. -> Overwrite a copy; or read the score before.
    zero-read: you read the scores after you have overwritten them with 0 -> What marks a sentence as found stands in
        the place of its score. -> Overwrite a copy, with -np.inf.
    minimum-at: you overwrite the scores of those found with the lowest score -> Then one that was found before is found
        again, when only the lowest is left. -> Sort once; or overwrite with -np.inf.
    not-a-number: you overwrite the scores of those found with NaN -> `argmax` takes NaN for the largest: the same
        sentence is found for ever. -> Overwrite with -np.inf.
    from-zero-and-read: your search begins with a best score of 0 -> Scores below 0 are never better; then the place
        with which the search begins counts as found. -> Begin with -np.inf; or sort once.
    best-of-zero: your search begins with a best score of 0 -> Scores below 0 are never better; then that 0 is returned.
        -> Begin with -np.inf; or sort once.
    smallest-replaced: of equal scores the earlier gives way: you keep k, and replace the smallest -> A pair compares by
        its place where the scores are equal, and the lower place is the smaller one. -> Keep pairs with a negative
        place; or sort once.
    cut-at-0: you cut the scores off at 0 -> Below 0 all are equal then: an opposite sentence is as near as one that has
        nothing in common. -> The dot products as they are.
    halved: your scores run from 0 to 1: 1 is added, and the sum is halved -> The order is the same; but asked for are
        the dot products. -> Return them as they are.
    in-percent: your scores are a hundred times as large -> Asked for are the dot products. -> Return them as they are.
    rounded-first=: you round the scores before you sort -> Those that nearly agree are equal then, and whoever uses the
        scores gets fewer digits. -> Sort and return the scores as they are.
    half-precision: your scores are of half precision -> It has three digits: scores that nearly agree are equal then.
        -> Leave the numbers as they come.
    sorted-first: you sort the scores where they stand, and ask for the order of what is sorted -> The places are those
        in the sorted row then: n - 1, n - 2 and so on. -> `np.argsort` of the scores as they come, and no `sort` before
        it.
    scores-of-sorted: your indices are right; the scores you read from a row that is sorted already -> Score i of a
        sorted row is that of the sentence with rank i, not of sentence i. -> Read them from the dot products as they
        come.
    last-of-equals: of equal scores you return the same index again -> Whoever looks a score up finds one place for all
        sentences that have it. -> Sort the places, not the scores: `np.argsort`.
    tie-break-upwards=: you add a little for each place, so that equal scores differ -> Then of equal scores the later
        one is the larger, and those that you return are not the dot products. -> `kind="stable"` sees to those that
        are equal.
    tie-break-added=: you take off a little for each place, so that equal scores differ -> Scores that nearly agree
        change places, and those that you return are not the dot products. -> `kind="stable"` sees to those that are
        equal.
    last-of-kept-replaced: you keep k, and replace the last of them, which is not the worst -> A list is sorted anew
        only where you sort it: the worst may stand anywhere in it. -> Sort it after each change; or sort all once.
    one-by-distance: you return one divided by the distance for scores -> The order is the same; but a score of 1 means
        the same direction, and is finite. -> Dot products.
    one-by-one-and-distance: you return 1 / (1 + distance) for scores -> The order is the same; but asked for are the
        dot products. -> `vectors @ query_vector`.
    manhattan: you sort by the sum of the differences' sizes -> For rows of length 1 the distance, the root of their
        squares, gives the order of the dot products; that sum does not. -> Sort by the dot products.
    last-left-out: the last sentence is never looked at -> `range(n - 1)` ends before n - 1. -> `range(n)`: all rows.
    summed-over-sentences: you add up over the sentences, where the numbers of each are to be added up -> `axis=0` runs
        down the rows. -> `axis=1`: one score for each sentence.
    columns-scored: you compare with the columns of `vectors` -> A sentence is a row. -> (n, d) times (d,).
    """,
)
def search_sentences(query_vector, vectors, k, wrong=frozenset()):
    """The k best by dot product, with the mistakes that people make as switches."""
    q, vectors = np.asarray(query_vector, dtype=float), np.asarray(vectors, dtype=float)
    of_columns = {"columns-scored": lambda: q @ vectors, "summed-over-sentences": lambda: q * vectors.sum(axis=0)}
    scores = slip(wrong, of_columns, lambda: vectors @ q)()
    late, decimals = number(wrong, "read-too-late", np.inf), number(wrong, "rounded-first", 4)
    little, more = (number(wrong, f"tie-break-{way}", 1e-3) for way in ("added", "upwards"))
    wrong = frozenset(one.partition("=")[0] for one in wrong)
    distances = np.linalg.norm(vectors - q, axis=-1)
    powers = np.exp(scores - scores.max())
    others = {
        "sizes-returned": lambda: np.abs(scores),
        "cut-at-0": lambda: np.maximum(scores, 0),
        "halved": lambda: (scores + 1) / 2,
        "in-percent": lambda: 100 * scores,
        "rounded-first": lambda: scores.round(int(decimals)),
        "half-precision": lambda: scores.astype(np.float16).astype(float),
        "sorted-first": lambda: np.sort(scores),
        "tie-break-added": lambda: scores - little * np.arange(len(scores)),
        "tie-break-upwards": lambda: scores + more * np.arange(len(scores)),
        "distances": lambda: distances,
        "squared-distances": lambda: distances**2,
        "one-minus-distance": lambda: 1 - distances,
        "one-by-distance": lambda: np.divide(1, distances, where=distances > 0, out=np.full(len(vectors), np.inf)),
        "one-by-one-and-distance": lambda: 1 / (1 + distances),
        "softmaxed": lambda: powers / powers.sum(),
    }
    returned = slip(wrong, others, lambda: scores)()
    # What is sorted: distances are sorted upwards, which is the same.
    by = {
        "sizes": lambda: np.abs(scores),
        "sizes-returned": lambda: returned,
        "cut-at-0": lambda: returned,
        "rounded-first": lambda: returned,
        "half-precision": lambda: returned,
        "sorted-first": lambda: returned,
        "tie-break-added": lambda: returned,
        "tie-break-upwards": lambda: returned,
        "near-is-equal": lambda: scores.round(3),
        "manhattan": lambda: -np.abs(vectors - q).sum(axis=-1),
        "last-left-out": lambda: scores[:-1],
    }
    scores = slip(wrong, by, lambda: scores)()
    slips = {
        "ascending": lambda: np.argsort(scores, kind="stable"),
        "upwards": lambda: np.argsort(scores),
        "ties-to-the-higher": lambda: np.argsort(scores, kind="stable")[::-1],
        "reversed": lambda: np.argsort(scores)[::-1],
        "unstable": lambda: np.argsort(-scores),
        "last-k": lambda: np.argsort(scores)[-k:],
        "last-k-upwards": lambda: np.argsort(scores, kind="stable")[-k:],
        "deleted": lambda: _one_by_one(scores, k, np.delete),
        "minus-one": lambda: _one_by_one(scores, k, _with(-1)),
        "minimum-at": lambda: _one_by_one(scores, k, lambda left, place: _with(left.min())(left, place)),
        "zeroed": lambda: _one_by_one(scores, k, _with(0)),
        "not-a-number": lambda: np.full(k, np.argmax(scores)),
        "read-too-late": lambda: _one_by_one(scores, k, _with(-late)),
        "zero-read": lambda: _one_by_one(scores, k, _with(0)),
        "first-of-equals": lambda: np.array([scores.tolist().index(one) for one in np.sort(scores)[::-1]]),
        "last-of-equals": lambda: np.array([np.flatnonzero(scores == one)[-1] for one in np.sort(scores)[::-1]]),
        "zeroed-and-read": lambda: _one_by_one(scores, k, _with(0)),
        "minus-one-and-read": lambda: _one_by_one(scores, k, _with(-1)),
        "from-zero": lambda: _above_zero(scores, k),
        "from-zero-and-read": lambda: _above_zero(scores, k),
        "best-of-zero": lambda: _above_zero(scores, k),
        "turned-twice": lambda: np.argsort(-scores, kind="stable")[::-1],
        "turned-twice-of-any": lambda: np.argsort(-scores)[::-1],
        "last-of-negated": lambda: np.argsort(-scores, kind="stable")[-k:],
        "last-of-negated-of-any": lambda: np.argsort(-scores)[-k:],
        "unsorted": lambda: np.arange(len(scores)),
        "ranks-returned": lambda: np.arange(len(scores)),
        "smallest-replaced": lambda: _smallest_replaced(scores, k),
        "last-of-kept-replaced": lambda: _last_replaced(scores, k),
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
    slips = {
        "scores-not-cut": lambda: np.sort(returned)[::-1],
        "first-scores": lambda: returned[:k],
        "scores-of-sorted": lambda: np.sort(returned)[::-1][indices],
        "scores-unsorted": lambda: returned,
        "negated": lambda: -returned[indices],
        "deleted": lambda: np.sort(returned)[::-1][:k],
        "zeroed-and-read": lambda: np.where(again, 0.0, returned[indices]),
        "from-zero": lambda: np.where(again, 0.0, returned[indices]),
        "best-of-zero": lambda: np.where(again, 0.0, np.maximum(returned[indices], 0)),
        "minus-one-and-read": lambda: np.where(again, -1.0, returned[indices]),
        "not-a-number": lambda: np.where(again, np.nan, returned[indices]),
        "read-too-late": lambda: np.full(k, -late),
        "zero-read": lambda: np.zeros(k),
        "ranks-returned": lambda: np.sort(returned)[::-1][:k],
    }
    found = slip(wrong, slips, lambda: returned[indices])()
    if "indices-not-cut" in wrong:
        return order, found
    if "vectors-returned" in wrong:
        return vectors[indices], found
    return (found, indices) if "exchanged" in wrong else (indices, found)
