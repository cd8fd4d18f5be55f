from functools import cache
from itertools import accumulate, combinations_with_replacement, pairwise

import numpy as np

from grader.exercises.inputs import example, telling
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip, softmax

#: By how much the sum of the best alignment must lead that of the next: more than any rounding.
LEAD = 0.02


def _lead(weights):
    """By how much the best alignment's sum of logarithms leads the next best's."""
    logs = np.log(weights)
    before, after = logs.copy(), logs.copy()  # of the best alignment up to here, and from here on
    for i in range(1, len(logs)):
        before[i] += np.maximum.accumulate(before[i - 1])
        after[-1 - i] += np.maximum.accumulate(after[-i][::-1])[::-1]
    through = before + after - logs  # of the best alignment with this pair
    through[np.arange(len(logs)), monotone_alignment(weights)] = -np.inf
    return before[-1].max() - through.max()


def _clear(draw):
    """Weights of which one alignment is clearly the best."""

    def make(rng):
        while True:
            weights = draw(rng)
            if weights.shape[1] == 1 or _lead(weights) > LEAD:
                return {"weights": weights}

    return make


def _sentences(n_queries, n_keys):
    """Sure and unsure words; the source's first and last are wanted less, so that few alignments hold on to them.

    None of the weights is so small that a little more of each would lead to another alignment.
    """

    def draw(rng):
        while True:
            scores = rng.normal(size=(n_queries, n_keys)) * rng.uniform(0.5, 3.5, size=(n_queries, 1))
            if n_keys > 2:
                scores[:, [0, -1]] -= 1.0
            weights = softmax(scores)
            more = monotone_alignment(weights, wrong=frozenset(["small-number-added=0.002"]))
            if (more == monotone_alignment(weights)).all():
                return weights

    return _clear(draw)


def _turned_round(rng):
    """Many words and few, in the opposite order: a product of so many small weights is 0 to the computer."""
    partners = np.repeat([5, 4, 2, 1, 0], [21, 21, 29, 21, 21])
    rows = np.arange(len(partners))
    logs = rng.uniform(-13.8, -12.5, size=(len(partners), 7))
    logs[:, [0, 3, 6]] -= 2.0  # none begins at the first, ends at the last, or goes through the middle
    weights = np.exp(logs)
    weights[rows, partners] = 0.0
    weights[rows, partners] = 1.0 - weights.sum(axis=-1)
    return weights


def _places_of(call, weights):
    """What the answer gives, as places; None where they are no places."""
    places = np.asarray(call(weights))
    whole = places.shape == weights.shape[:1] and (places == np.round(places)).all()
    return places.astype(int) if whole and places.min() >= 0 and places.max() < weights.shape[1] else None


@cache
def _the_long_one():
    draw = telling(_clear(_turned_round), monotone_alignment.model, "product", "small-number-added", *PLAIN)
    return draw(np.random.default_rng(0))["weights"]


def _long(rng):
    """The same on every draw: to find one in which all mistakes show takes a while."""
    return {"weights": _the_long_one().copy()}


def none_is_better(call, rng):
    weights = telling(_sentences(5, 7), monotone_alignment.model, *PLAIN)(rng)["weights"]
    places = _places_of(call, weights)
    if places is None:
        return "these are not places in the source, one for each target word"
    back = np.flatnonzero(np.diff(places) < 0)
    if back.size:
        return f"after place {places[back[0]]} comes place {places[back[0] + 1]}: that goes back"
    sums = {tried: np.log(weights[range(5), tried]).sum() for tried in combinations_with_replacement(range(7), 5)}
    best, own = max(sums, key=sums.get), np.log(weights[range(5), places]).sum()
    if sums[best] <= own + 1e-6:
        return None
    return f"yours has the sum {own:.3f}; {list(best)} has {sums[best]:.3f}"


#: Mistakes that show on every draw; those that a draw hides most often come first.
PLAIN = (
    "sum-of-weights", "to-the-last", "walks-back-by-weights", "from-the-first", "step-by-one", "greedy",
    "greedy-from-the-end", "table-maxima", "running-maximum", "sorted", "row-by-row", "strictly-forward", "backwards",
    "smallest", "not-turned", "strictly-forward-but-first", "before-by-weights", "walks-back-strictly",
    "row-overwritten", "ways-overwritten", "pointers-from-the-front",
)  # fmt: skip


@function(
    points=4,
    returns="places",
    cases=(
        Case("five target words, six source words", _sentences(5, 6), 0.2, telling=PLAIN),
        Case("more target words than source words", _sentences(7, 6), 0.1, telling=PLAIN),
        Case("more source words than target words", _sentences(5, 11), 0.1, telling=PLAIN),
        Case(
            "the example of the task",
            example(weights=np.array([[0.2, 0.2, 0.6], [0.7, 0.2, 0.1], [0.2, 0.3, 0.5]])),
            0.05,
        ),
        Case("one target word", _sentences(1, 5), 0.05, telling=("from-the-first", "to-the-last")),
        Case("one source word", _sentences(3, 1), 0.05),
        Case("113 target words and 7 source words, in the opposite order", _long, 0.15),
    ),
    properties=(Property("it never goes back, and nothing that never goes back is better", none_is_better, 0.2),),
    mistakes="""
    row-by-row: each target word takes its own best, whatever the words before it took -> Then it may go back. The words
        have to agree. -> What a word may take depends on where the word before it was.
    sorted: you sort the best places of the rows -> The order is right then, but the words no longer stand at places
        that they like. -> Look for the best sum among the alignments that never go back.
    running-maximum: a word that would go back stays where the word before it was -> That is one alignment that never
        goes back, but a first word that reaches far ahead forces all others there. -> Let earlier words give way, where
        the sum gains by it.
    running-minimum: a word from which the next one would go back steps back to where that one is -> That is one
        alignment that never goes back, but a last word that reaches far behind forces all others there. -> Let later
        words give way, where the sum gains by it.
    greedy: each target word takes the best that is still ahead -> The first word chooses without thinking of those
        after it, and may block their way. Whoever reads a table of sums from the front does the same. -> Keep more
        than one beginning: the best for each place where it may end. If you have such a table, read it from its end:
        only there does a sum hold all the words.
    greedy-from-the-end: you go from the last word to the first, and each takes the best that is left -> The last word
        chooses without thinking of those before it. -> Keep the best one for each place, not one alone.
    sum-of-weights: you add up the weights, not their logarithms -> Then one sure word outweighs two that are all but
        impossible. -> Take the logarithm before you add.
    strictly-forward: each target word moves on by at least one place -> Several target words may take the same source
        word. -> Staying is allowed: look at your range, or at your comparison.
    strictly-forward-but-first: a target word moves on by at least one place, unless it is at the first -> Several
        target words may take the same source word, wherever it stands. -> Staying is allowed: the end of your slice is
        not included.
    before-by-weights: the place of the word before is chosen by its own weight, not by the best sum up to it -> A good
        weight may have no good beginning before it. -> Choose in the table of sums.
    row-overwritten: you write the new sums into the row of the old ones while it is still read -> What a later place
        looks back at is then already a sum of this target word. -> Fill a new row, and let it take the place of the old
        one when it is full.
    ways-overwritten: you write the new sums and their places over the old ones while these are still read -> What a
        later place looks back at is then already an alignment with this target word, and it gets the word twice. ->
        Fill a new row, and let it take the place of the old one when it is full.
    small-number-added=: a number is added to each weight before its logarithm is taken -> A weight that is as small as
        that number counts too much then, and a sum of many is led astray. -> No weight is 0 here: take the logarithm of
        the weight as it is.
    step-by-one: each target word stays or moves on by one place -> Source words may be passed over. -> Look at all
        places up to this one.
    from-the-first: your alignment always begins at the first source word -> Nobody asked for that: the first target
        word may take any. -> Look at what your first row is filled with.
    to-the-last: your alignment always ends at the last source word -> Nobody asked for that: the last target word may
        take any. -> Where does the way back begin?
    from-first-to-last: your alignment always begins at the first source word and ends at the last -> Nobody asked for
        either: source words may be left out, at the ends as well. -> Look at your first row, and at where the way back
        begins.
    backwards: your alignment goes back, and never forward -> A later target word takes the same source word or a later
        one. -> Turn the comparison round.
    smallest: you look for the smallest sum -> The largest was asked for. Logarithms of weights are negative: the best
        sum is the one nearest to 0. -> Look at the sign, or at which end you search.
    table-maxima: in each row of your table of sums you take the best place -> That is where the best alignment of the
        words *so far* ends; the next word may need another. -> Remember for each place from where it was reached, and
        walk back from the end.
    walks-back-by-weights: the last place is right, but on the way back you look at single weights -> A good weight may
        have no good beginning before it. -> On the way back the sums decide, those of everything up to there.
    walks-back-strictly: the last place is right, but on the way back each word is put before the one after it -> Two
        target words may have the same source word: then the way back stays where it is. -> A slice ends before its
        last number: which one holds the place itself, too?
    pointers-from-the-front: on the way back you go through your table from its front -> The last place is known; where
        the word before it was stands in the last row of the table, not in the first. -> Go through the rows from the
        last to the first.
    best-from-zero: the largest sum is sought among numbers of which none is above the 0 that you begin with ->
        Logarithms of weights are negative: no sum is ever larger than 0, so that what you begin with stays. -> Begin
        with minus infinity, or with the first of the sums.
    not-turned: the places are in the order of the way back -> You collected them from the last word to the first. ->
        Turn them round at the end.
    product: you multiply weights -> Of long sentences the product is smaller than any number a computer knows, and
        becomes 0 for every alignment. -> Add logarithms: that is what they are for.
    transposed: you give each source word a target word -> The target asks: one place for each row. -> Which axis are
        the target words on?
    one-hot: you return a matrix of zeros and ones -> The places are enough: for each target word the number of its
        source word. -> Return one whole number for each row.
    total: you return the sum -> That says how good the best alignment is, not which one it is. -> Remember for each sum
        from where it was reached.
    pairs: you return pairs of places -> The first of each pair says nothing new: it counts the rows. -> Return the
        second ones.
    """,
)
def monotone_alignment(weights, wrong=frozenset()):
    """The best alignment that never goes back, with the mistakes that people make as switches."""
    weights = np.asarray(weights, dtype=float)
    if "transposed" in wrong:
        weights = weights.T
    if "smallest" in wrong:
        weights = 1 / weights
    rows = weights.argmax(axis=-1)
    alone = {
        "row-by-row": rows,
        "sorted": np.sort(rows),
        "running-maximum": np.maximum.accumulate(rows),
        "running-minimum": np.minimum.accumulate(rows[::-1])[::-1],
        "greedy": _greedy(weights),
        "greedy-from-the-end": weights.shape[1] - 1 - _greedy(weights[::-1, ::-1])[::-1],
    }
    places, total = slip(wrong, {name: (found, 0.0) for name, found in alone.items()}, None) or _best(weights, wrong)
    if "not-turned" in wrong:
        places = places[::-1]
    if "pairs" in wrong:
        return np.stack([np.arange(len(places)), places], axis=-1)
    return slip(wrong, {"one-hot": np.eye(weights.shape[1])[places], "total": total}, places)


def _greedy(weights):
    """Each word takes the best from the place of the word before it on."""
    places, at = [], 0
    for row in weights:
        at += int(row[at:].argmax())
        places.append(at)
    return np.array(places)


def _in_one_row(gains, ways_too):
    """What comes out if the sums of a row are written over those of the row before, of which some are still needed."""
    sums = list(gains[0])
    ways, came_from = [[j] for j in range(len(sums))], []
    for row in gains[1:]:
        before = []
        for j, gain in enumerate(row):
            at = max(range(j + 1), key=sums.__getitem__)
            before.append(at)
            sums[j], ways[j] = sums[at] + gain, [*ways[at], j]
        came_from.append(before)
    at = int(np.argmax(sums))
    places = [at]
    for before in reversed(came_from):
        places.append(before[places[-1]])
    return np.array(ways[at] if ways_too else places[::-1]), max(sums)


def _best(weights, wrong):
    """The places of the best alignment, and its sum."""
    weights = weights + (number(wrong, "small-number-added", 1e-6) or 0.0)
    gains = (weights if wrong & {"sum-of-weights", "product"} else np.log(weights)).tolist()
    n_keys = len(gains[0])
    if "strictly-forward-but-first" in wrong:  # the slice up to j, and for j = 0 one that is not empty
        wrong = wrong | {"strictly-forward"}
    first = slip(wrong, {"backwards": lambda j: j, "step-by-one": lambda j: max(j - 1, 0)}, lambda j: 0)
    last = slip(wrong, {"backwards": lambda j: n_keys, "strictly-forward": lambda j: j}, lambda j: j + 1)
    only_first = wrong & {"from-the-first", "from-first-to-last"}
    plain = not wrong & {"backwards", "step-by-one", "strictly-forward"}  # the best up to j is at j, or where it was
    total = [gains[0][j] if not (only_first and j) else -np.inf for j in range(n_keys)]
    if wrong & {"row-overwritten", "ways-overwritten"}:
        return _in_one_row(gains, "ways-overwritten" in wrong)
    totals, came_from = [total], []
    for before, row in pairwise(gains):
        judged = before if "before-by-weights" in wrong else total
        if plain:
            way = list(accumulate(range(n_keys), lambda at, j, judged=judged: j if judged[j] > judged[at] else at))
        else:
            way = [max(range(first(j), last(j)), key=judged.__getitem__, default=None) for j in range(n_keys)]
        if "strictly-forward-but-first" in wrong:
            way[0] = 0
        if "best-from-zero" in wrong:
            way, total = [0] * n_keys, [0.0] * n_keys
        best = [-np.inf if at is None else total[at] for at in way]
        total = [a * b if "product" in wrong else a + b for a, b in zip(best, row, strict=True)]
        came_from.append([at or 0 for at in way])
        totals.append(total)
    if "table-maxima" in wrong:
        return np.array([np.argmax(row) for row in totals]), max(total)
    at = n_keys - 1 if wrong & {"to-the-last", "from-first-to-last"} else int(np.argmax(total))
    places = [at]
    for i in range(len(came_from))[:: 1 if "pointers-from-the-front" in wrong else -1]:
        if "walks-back-strictly" in wrong:
            at = int(np.argmax(totals[i][: max(at, 1)]))
        else:
            at = int(weights[i, : at + 1].argmax()) if "walks-back-by-weights" in wrong else came_from[i][at]
        places.append(at)
    return np.array(places[::-1]), max(total)
