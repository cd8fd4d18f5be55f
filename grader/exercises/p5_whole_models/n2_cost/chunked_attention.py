import numpy as np

import attnlib
from grader.exercises.inputs import example, far_apart, matrix, tenths
from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.properties import too_much
from grader.exercises.stages import divisor, slip, softmax


def attended(n_queries, n_keys, d_k, d_v, chunk_size, draw=matrix, dtype=float):
    def drawn(rng):
        made = {"Q": draw(rng, n_queries, d_k), "K": draw(rng, n_keys, d_k), "V": draw(rng, n_keys, d_v)}
        return {name: (1.5 * value).astype(dtype) for name, value in made.items()} | {"chunk_size": chunk_size}

    return drawn


def whole_values(rng):
    """Values that are whole numbers, as counts are."""
    return attended(3, 5, 2, 2, 2)(rng) | {"V": rng.integers(-9, 10, size=(5, 2))}


def large(rng):
    """Scores of some 100,000, of both signs."""
    direction = matrix(rng, 7)
    direction *= 7**0.25 / np.linalg.norm(direction)  # scaled scores are products of the two lengths
    queries, keys = far_apart(rng, 3), far_apart(rng, 5)
    return {"Q": np.outer(queries, direction), "K": np.outer(keys, direction), "V": matrix(rng, 5, 2), "chunk_size": 2}


def far_from_zero(rng, query, key):
    """Scores of about 4 * query * key that differ by no more than a few, and that single precision holds exactly."""
    direction = rng.choice([-1.0, 1.0], size=16)
    queries = query + rng.choice(5, size=3, replace=False) / 4
    keys = key + rng.choice(9, size=5, replace=False) / 64
    return {"Q": np.outer(queries, direction), "K": np.outer(keys, direction), "V": matrix(rng, 5, 2), "chunk_size": 2}


def far_below_zero(rng):
    return far_from_zero(rng, 15, -16.5)


def far_above_zero(rng):
    """Powers of e still hold them."""
    return far_from_zero(rng, 11, 11)


def off(call, Q, K, V, chunk_size, words):
    """In words, that the context is not right; what is wrong already for a few keys need not read more."""
    gap = np.abs(call(Q, K, V, chunk_size) - softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V).max()
    return None if gap < 1e-4 else f"over {words} the context is {gap:.3g} off"


def off_for_few(call, rng):
    return off(call, *attended(5, 11, 3, 2, 4)(rng).values(), "the 11 keys that are tried first")


def many_keys(call, rng):
    Q, K = rng.uniform(0.5, 1.5, size=(2, 3)), matrix(rng, 100_000, 3)
    # Small arrays: of the room of larger ones a process keeps some, in which what it holds later is not seen.
    V = matrix(rng, 100_000, 2) + np.linspace(-3, 3, 100_000)[:, None]
    strength = np.where(np.arange(100) < 50, 3.0, 4.0)[:, None]  # so that a mean of the pieces is not the context
    for place, value in ((0, 5.0), (999, -5.0)):  # what is lost or counted twice at a border shows
        K[place::1000], V[place::1000] = strength, value
    return off_for_few(call, rng) or off(call, Q, K, V, 1000, "100,000 keys")


def without_the_matrix(call, rng):
    Q, K, V = matrix(rng, 100, 2), matrix(rng, 20_000, 2), matrix(rng, 20_000, 1)
    if words := off_for_few(call, rng):  # whoever mends that is not to meet the rest in the next check only
        more = np.vstack([Q, Q[:50]])  # no more than a piece has keys: whoever cuts the queries takes them all
        held = call.held(more, K[:3_000], V[:3_000], 150)[1]
        much = too_much(held, 8 * len(more) * 3_000, "all scores", "all-at-once")
        return f"{words}; besides, over 3,000 keys {much}" if much else words
    if words := off(call, Q[:3], K, V, 1_000, "20,000 keys"):
        return words
    _, held = call.held(Q, K, V, 1_000)
    return too_much(held, 8 * len(Q) * len(K), "all scores", "all-at-once")


def size_counts(call, rng):
    """A large piece takes more room than a small one, however many arrays of its size somebody keeps; of very small
    ones, whoever keeps what each says holds much as well. And whoever takes one query after the other, each with all
    pieces, has so many rounds that no question here may be large."""
    Q, K, V = matrix(rng, 250, 2), matrix(rng, 3_000, 2), matrix(rng, 3_000, 1)
    if words := off_for_few(call, rng) or off(call, Q[:3], K, V, 2, "3,000 keys"):
        return words
    large, small = (call.held(Q, K, V, size)[1] for size in (3_000, 100))
    whole = 8 * len(Q) * len(K)
    if large is None or large - small > whole / 4:
        return too_much(small, whole, "all scores", "all-at-once") or floored(call, rng)
    few, many = (call.held(Q[:100], K[:200], V[:200], size)[1] for size in (4, 200))
    if large < whole / 4 and few - many > 8 * 100 * 200 / 6:  # four pieces have a quarter of all scores each
        words = "with a `chunk_size` of 4 it holds more at once than with one of 200"
        return Sign(words, "as-many-pieces")
    words = "it holds about as much at once with a `chunk_size` of 100 as with one of 3,000"
    return Sign(words, "size-not-used")


def floored(call, rng):
    """A sign that small sizes are made larger. Whoever keeps what each piece says holds less and less, all others more
    and more; the same with three sizes is held only where they come to the same. So many queries that it is seen from
    outside a sandbox as well; what is too little to be true was not seen."""
    Q, K, V = matrix(rng, 30_000, 2), matrix(rng, 32, 2), matrix(rng, 32, 1)
    helds = [call.held(Q, K, V, size)[1] for size in (2, 4, 8)]
    unseen = None in helds or min(helds) < 8 * len(Q) * 8
    if unseen or max(helds) - min(helds) > 0.05 * max(helds):
        return None
    return Sign("with a `chunk_size` of 2 it holds as much at once as with one of 4 or of 8", "size-floored")


SCALES = "no-scale", "by-d_k", "by-sqrt-d_v", "by-sqrt-keys", "by-sqrt-queries", "by-sqrt-chunk"
#: What shows where the maximum grows for one query, and does not for another.
FACTORS = (
    "no-rescale",
    "l-not-rescaled",
    "o-not-rescaled",
    "old-as-it-is",
    "new-as-it-is",
    "old-below-the-piece",
    "new-below-the-old",
    "old-grows",
)
TELLING = (
    *SCALES, *FACTORS, "mean-of-pieces", "mean-by-size", "sum-of-pieces", "last-piece-lost", "first-piece-only",
    "last-piece-only", "overlap", "last-of-each-lost", "first-values-always", "not-normalised", "divided-in-the-loop",
    "pieces-divided", "divided-each-round", "begun-again-with-l-1", "softmax-in-each-piece", "filled-up", "first-twice",
    "m-not-taken-off", "range-of-queries", "last-lost-if-full", "divided-by-last-l",
    "leftover-twice", "last-filled-from-before", "one-key-between", "divided-by-m",
    "m-bare-at-merging", "weights-for-scores",
)  # fmt: skip


#: What shows where one key has all the weight, if it is not just any key.
AT_ONCE = (
    "last-piece-lost", "last-of-each-lost", "first-piece-only", "last-piece-only", "first-values-always", "no-rescale",
    "one-key-maximum", "global-maximum", "both-cut", "causal", "new-as-it-is", "last-lost-if-full",
    "first-piece-lost", "old-below-the-piece", "new-below-the-old", "m-of-the-piece", "old-grows",
)  # fmt: skip


@function(
    points=4,
    returns="context",
    cases=(
        Case("two queries, five keys, pieces of two", attended(2, 5, 3, 4, 2, tenths), 0.05, telling=TELLING),
        Case("seven queries, eleven keys, pieces of three", attended(7, 11, 5, 2, 3), 0.05, telling=TELLING),
        Case(
            "pieces that just fit",
            attended(5, 6, 2, 7, 3),
            0.0125,
            telling=(*FACTORS, "mean-of-pieces"),
        ),
        Case("one key at a time", attended(3, 7, 2, 5, 1), 0.0125, telling=FACTORS),
        Case("one piece larger than all", attended(3, 5, 2, 7, 100), 0.0125),
        Case("scores of some 100,000", large, 0.05, telling=AT_ONCE),
        Case("scores of about 500", far_above_zero, 0.025, telling=(*FACTORS, "m-of-unscaled")),
        Case("scores of about -1,000", far_below_zero, 0.0375, telling=(*FACTORS, "from-zero")),
        Case("single precision", attended(5, 7, 3, 2, 4, dtype=np.float32), 0.0125, telling=FACTORS),
        Case("values without a point", whole_values, 0.025, telling=("whole-contexts",)),
        Case(
            "the example of the task",
            example(
                Q=np.array([[1.0, 0.0], [0.0, 2.0]]),
                K=np.array([[1.0, 0.0], [0.0, 2.0], [2.0, 1.0]]),
                V=np.array([[10.0], [20.0], [30.0]]),
                chunk_size=2,
            ),
            0.0125,
        ),
    ),
    properties=(
        Property("100,000 keys, in pieces of 1,000", many_keys, 0.1, compares=True, slow="key-by-key"),
        # These compare as well: room counts only where the context is right. Without both, half of the points are left.
        Property("100 queries and 20,000 keys, without an array of all scores", without_the_matrix, 0.3, compares=True),
        Property(
            "a small `chunk_size` makes small pieces, and a large one large pieces",
            size_counts,
            0.2,
            slow="queries-cut",
        ),
    ),
    mistakes="""
    all-at-once: the numbers are right, but far more is there at once than the scores of a piece -> Somewhere stands an
        array with a place for each query and each key (scores, weights, a mask), or one with a column for every key, or
        all pieces are kept: the room that pieces are to save. -> Cut the keys, not the queries: in each round make what
        `K[first : first + chunk_size]` needs and nothing larger, merge it, and forget it.
    key-by-key: the numbers are right, but 100,000 keys take longer than the check waits -> A loop of Python's has far
        more rounds than there are pieces: perhaps one for each key, or for each query and key. -> One round for each
        piece: a single product gives the scores of all its keys.
    queries-cut: the numbers are right, but with 30,000 queries and a small `chunk_size` it takes longer than the check
        waits -> There are far more rounds than pieces of keys: the queries are cut as well, or taken one by one. -> All
        queries go through one piece after the other together.
    size-not-used: the numbers are right, but `chunk_size` has no say in how much is there at once -> Pieces are to have
        as many keys as it says, for all queries together, so that whoever calls it chooses how much is held. A size of
        your own, or one query after the other, leaves no choice. -> Cut K and V at every `chunk_size` keys, and give
        each piece all of Q.
    size-floored: the numbers are right, but you make small pieces larger than `chunk_size` says -> Whoever asks for 3
        keys at a time may have no room for more, and knows that it takes longer. -> No smallest size of your own: from
        `first` to `first + chunk_size`.
    as-many-pieces: the numbers are right, but you make `chunk_size` pieces, not pieces of `chunk_size` keys -> Then a
        small `chunk_size` makes large pieces, and what is held at once grows with the text; the number that
        `np.array_split` takes is one of pieces. -> Cut from `first` to `first + chunk_size`, and let the
        next piece begin there.
    scaled-anew: the queries are divided by the root in each round once more -> `Q = Q / ...` within the loop changes
        them for all rounds that follow. -> Before the loop, or on the scores.
    last-piece-lost: the keys after the last full piece are lost -> What is left over at the end is a piece, too. -> Let
        the pieces begin at 0, chunk_size, 2 chunk_size, ... as long as there is a key: a slice that reaches beyond the
        end is simply shorter.
    round-pieces: how many pieces there are is rounded -> Where less than half a piece is left over, its keys are lost.
        -> What is left over at the end is a piece, too: `range(0, n_keys, chunk_size)`.
    empty-last-piece: where `chunk_size` divides the number of keys, your last piece has no keys -> One more than
        `n_keys // chunk_size` is then a piece too many, and of nothing there is no largest score. -> Let the pieces
        begin at 0, chunk_size, 2 chunk_size, ... as long as there is a key: `range(0, n_keys, chunk_size)`.
    last-lost-if-full: the last piece is lost, even a full one -> Pieces begin as long as there is a key, so up to
        n_keys, not only up to n_keys − chunk_size. -> `range(0, n_keys, chunk_size)`.
    last-key-lost-if-alone: where the last piece has a single key, that key is lost -> The end of a range is not
        included: up to n_keys − 1 leaves the last place out. -> `range(0, n_keys, chunk_size)`.
    first-piece-lost: the first piece is lost -> The beginnings of the pieces are 0, chunk_size, 2 chunk_size and so on:
        the first is 0. -> `range(0, n_keys, chunk_size)`.
    first-piece-only: only the first piece is in your result -> A `return` in the loop ends it in the first round; or
        each round takes the same keys, or does not keep what it has merged. -> Print where each piece begins, and what
        is known after it; divide and return after the loop.
    last-piece-only: only the last piece is in your result -> Each round overwrites what was known before; or m is not
        renewed, so that all that was there shrinks to 0 each time. -> Merge what the piece says with what the pieces
        before have said, and go on with the new m, l and o.
    all-nan: every number of your result is NaN -> That is 0 / 0, where after the last piece l is still 0; or infinity
        times 0 on the way: beside an m of −∞ e to the power of (m − new m) is 0, but of (new m − m) infinity. -> Print
        l after the first piece: it is at least 1. Whoever calls `merge_partial` has to keep what it *returns*; whoever
        merges without it takes the new m off the old one.
    mean-of-pieces: you average the contexts of the pieces -> A piece with high scores must count more than one with
        low scores; their contexts do not tell. -> Keep m, l and o of each piece, and merge those.
    mean-by-size: you average the contexts of the pieces, each as often as it has keys -> A piece with high scores must
        count more than one with low scores, whatever their sizes. -> Keep m, l and o of each piece, and merge those.
    pieces-divided: o of a piece is divided by its l before it is merged -> Then it has lost how much weight stands
        behind it. -> Merge the sums as they are; divide once, after the last piece.
    sum-of-pieces: you add up the contexts of the pieces -> Each piece has a softmax of its own, so that all weights
        together add up to the number of pieces. -> Divide once, after the last piece, by the sum over all.
    no-rescale: the sums of the pieces are added, though each was taken below a maximum of its own -> Powers below
        different maxima are in different units. -> Bring both to the larger maximum: your `merge_partial` does.
    l-not-rescaled: o is brought to the new maximum, but l is not -> Then numerator and denominator speak of different
        units. -> The same factor for both.
    o-not-rescaled: l is brought to the new maximum, but o is not -> Then numerator and denominator speak of different
        units. -> The same factor for both.
    old-as-it-is: what is new is brought to the new maximum, but what was there stays as it is -> Where the new piece
        has the larger maximum, it is what was there that has to shrink. -> A factor for both.
    new-as-it-is: what was there is brought to the new maximum, but what is new stays as it is -> Where an earlier piece
        has the larger maximum, it is the new one that has to shrink. -> A factor for both.
    m-of-the-piece: the new m is that of the piece alone, whatever was there before -> Where an earlier piece has the
        larger maximum, what was there grows, and overflows if the scores are large. -> The new m is the larger of the
        two, query by query.
    old-grows: what was there grows where it should shrink: the exponent has the wrong sign -> The new m is at least as
        large as the old one: powers below the old one are too large for it. -> Take the new m off the old one.
    old-below-the-piece: what was there is brought to the m of the new piece, not to the larger of the two -> Where an
        earlier piece has the larger maximum, it grows, without end if the scores are large. -> First the larger of the
        two m; both factors go to that one.
    new-below-the-old: what is new is brought to the m from before, not to the larger of the two -> Where the new piece
        has the larger maximum, it grows, without end if the scores are large. -> First the larger of the two m; both
        factors go to that one.
    mean-for-l: l of a piece is the mean of its powers, not their sum -> Then it does not tell how many keys stand
        behind it, and o, which is a sum, is divided by something else. -> Add the powers up.
    scaled-in-the-power-again: what stands in the exponential is divided by the root once more -> The scores have been
        divided already, and with them m. -> Divide once, where the scores are made.
    m-not-taken-off: m is noted, but not taken off before the exponential -> l and o are then not measured below that m,
        and large powers overflow. -> The powers are those of (score − m).
    powers-below-the-running-m: the powers of a piece are those below the largest score so far, but it is merged with an
        m of its own -> Where an earlier piece has a larger m, this piece then counts less than it should: what is
        handed to `merge_partial` as m has to be what was taken off. -> The piece's own m for both.
    m-of-unscaled: m is the largest of the scores before they are scaled -> Then it lies far above or below those that
        go into the exponential, and their powers vanish or overflow. -> Scale first.
    a-number-for-each-key: your m and l have a number for each key of the piece, not for each query -> In (queries,
        keys) the axis 0 runs down the queries: to go along it leaves one number for each key. -> Along the last axis:
        each query has its own m and l.
    m-bare-at-merging: m is that of the bare scores, the powers are those of scaled ones -> Then the factors between
        pieces are powers of a difference that was not scaled. -> Scale first, and take m from the scaled scores.
    weights-for-scores: what you merge is the softmax of each piece: m is its largest weight, l is 1, o its context ->
        Once divided, a piece no longer tells how large its scores were. -> m is the largest score, l and o are the sums
        of the powers below it.
    m-along-keys: m is taken off along the keys, not query by query -> m has one number for each query; next to the
        scores (n_queries, keys) NumPy lays it along the last axis. -> `m[:, None]` makes a column of it.
    whole-contexts: where the values are whole numbers, your contexts are cut to whole numbers -> An array of the kind
        of V holds what V holds: no decimals, if V has none. -> `np.zeros` with the shape alone holds any number.
    range-of-queries: your pieces end with the number of queries -> It is the keys that are cut. -> Let the beginnings
        run up to the number of keys.
    one-key-maximum: the first piece's maximum serves all pieces -> If a later score lies far above, its power
        overflows. -> Let the maximum grow, and mend what was added before.
    no-maximum: no maximum is taken off the scores -> With scores of 1,000 the powers are infinite, and infinity by
        infinity is NaN. -> Take the largest score of the piece off before the exponential, and note it as m.
    from-zero: the largest score so far begins as 0 -> Where all scores lie far below, every power becomes 0, and 0 by
        0 is NaN. -> Who has seen nothing yet holds m = `-np.inf`.
    global-maximum
    begins-with-a-key: you begin with m = 0 and l = 1, as if a key with the score 0 and a value of zeros had been seen
        -> It takes its share of the weights. -> Who has seen nothing yet holds m = `-np.inf`, l = 0, o = 0.
    both-cut: the queries are cut as well, and each piece of them looks at its own piece of keys only -> Every query may
        look at every key. -> Cut keys and values; the queries stay whole.
    leftover-twice: the keys after the last full piece are counted twice -> Your loop takes them already, as a shorter
        last piece: a slice that reaches beyond the end is simply shorter. -> Merge nothing more after the loop.
    last-filled-from-before: your last piece is filled up with keys from before it, which are then counted twice -> Each
        key belongs to one piece. -> Let the last piece be shorter.
    one-key-between: a key between two pieces is lost -> You go on by one key more than a piece has: the end of a slice
        is not included, so that the next piece begins with it. -> `range(0, n_keys, chunk_size)`.
    divided-by-m: you divide by m, the largest score, not by l -> m only keeps the powers small; the weights add up to
        l. -> Divide by l.
    overlap: your pieces overlap: a key at a border is counted twice -> The end of a slice is not included: the next
        piece begins with it. -> From `first` to `first + chunk_size`.
    step-forgotten: a piece begins at every key -> `range` goes on by 1 if it is not told otherwise, so that most keys
        are counted several times. -> `range(0, n_keys, chunk_size)`.
    as-many-steps: you go on by the number of pieces, and not by the size of a piece -> n_keys // chunk_size tells how
        many pieces there are; where that is not their size, keys are left out or counted twice. ->
        `range(0, n_keys, chunk_size)`.
    last-of-each-lost: the last key of each piece is lost -> The end of a slice is not included. -> From `first`
        to `first + chunk_size`.
    first-values-always: each piece takes the values of the first one -> Cut V where you cut K. -> The same slice for
        both.
    not-normalised: you return the weighted sum o, not divided by l -> The powers do not add up to 1. -> Divide once, at
        the end.
    divided-in-the-loop: you divide by l in every round, and once more after the last -> What has been divided cannot
        be merged with what comes: its weight is lost. -> Divide once, after the last piece.
    divided-each-round: you divide by l in every round -> What has been divided cannot be merged with what comes: its
        weight is lost. -> Divide once, after the last piece.
    begun-again-with-l-1: you divide by l in every round, and go on with l = 1 -> Then all pieces before count as much
        as a single key. -> Divide once, after the last piece; l grows until then.
    softmax-in-each-piece: the weights of each piece are a softmax already, so that their sum l is 1 -> Then each piece
        comes with the l of a single key, however much weight stands behind it. -> Take the powers as they are; divide
        once, after the last piece.
    filled-up: the keys of zeros that fill the last piece up count as keys -> A score of 0 is a score: it takes its
        share of the weights. -> Let the last piece be shorter.
    first-twice: the first piece is counted twice -> You begin with it, and the loop begins with it as well. -> Begin
        with nothing seen, or let the loop begin behind the first piece.
    divided-by-last-l: you divide by the l of the last piece -> That is the weight of its own keys only. -> Divide by
        the l that was merged from all pieces.
    divided-by-keys: you divide by the number of keys -> The powers add up to l, not to that number. -> Divide by l.
    no-scale
    by-d_k
    by-sqrt-d_v
    by-sqrt-keys
    by-sqrt-queries
    by-sqrt-piece: you divide by the square root of how many keys the piece has -> A score adds up d_k products; how
        many keys are looked at together plays no part in it. -> Read d_k off the last axis.
    by-sqrt-chunk: you divide by the square root of the size of a piece -> A score adds up d_k products; how many keys
        are looked at together plays no part in it. -> Read d_k off the last axis.
    by-half-d_k
    by-twice-d_k
    times-sqrt-d_k
    causal: queries look at earlier keys only -> No mask was asked for. -> Every query may look at every key.
    keys-mixed
    """,
)
def chunked_attention(Q, K, V, chunk_size, wrong=frozenset()):
    """Attention over pieces of keys, with mistakes as switches."""
    if "whole-contexts" in wrong and np.asarray(V).dtype.kind in "iu":
        return np.trunc(chunked_attention(Q, K, V, chunk_size, wrong - {"whole-contexts"}))
    Q, K, V = (np.asarray(one, dtype=float) for one in (Q, K, V))
    n, n_keys = len(Q), len(K)
    if "all-nan" in wrong:
        return np.full((n, V.shape[1]), np.nan)
    by = np.sqrt(chunk_size) if "by-sqrt-chunk" in wrong else divisor(Q, K, V, wrong)
    V = K if "keys-mixed" in wrong else V
    if "filled-up" in wrong:
        K, V = (np.pad(one, [(0, -n_keys % chunk_size), (0, 0)]) for one in (K, V))
    if "all-at-once" in wrong:
        chunk_size = n_keys
    if "size-not-used" in wrong:
        chunk_size = min(n_keys, 100)
    if "size-floored" in wrong:
        chunk_size = max(chunk_size, 64)
    if ("key-by-key" in wrong and n_keys > 50_000) or ("queries-cut" in wrong and n >= 30_000):
        for _ in range(100_000):  # so much work that no machine does it in time
            attnlib.chunked_attention(Q, K, V, chunk_size)
    if "as-many-pieces" in wrong:
        if chunk_size > n_keys:
            raise ValueError("zero-size array to reduction operation maximum which has no identity")
        chunk_size = -(-n_keys // chunk_size)
        if len(wrong) == 1:  # what follows keeps what each piece says: of many small pieces, too much
            return attnlib.chunked_attention(Q, K, V, chunk_size)
    starts = list(range(0, n_keys, chunk_size))
    if "step-forgotten" in wrong:
        starts = list(range(n_keys))
    if "as-many-steps" in wrong:
        starts = list(range(0, n_keys, max(1, n_keys // chunk_size)))
    if "first-twice" in wrong:
        starts = [0, *starts]
    if "leftover-twice" in wrong and n_keys % chunk_size:
        starts = [*starts, starts[-1]]
    if "last-filled-from-before" in wrong:
        starts = [min(first, max(0, n_keys - chunk_size)) for first in starts]
    if "one-key-between" in wrong:
        starts = list(range(0, n_keys, chunk_size + 1))
    if "range-of-queries" in wrong:
        starts = list(range(0, n, chunk_size))
    if "last-piece-lost" in wrong:
        starts = starts[: n_keys // chunk_size]
    if "round-pieces" in wrong:
        starts = starts[: round(n_keys / chunk_size)]
    if "empty-last-piece" in wrong and n_keys % chunk_size == 0:
        raise ValueError("zero-size array to reduction operation maximum which has no identity")
    if "last-lost-if-full" in wrong:
        starts = [first for first in starts if first < n_keys - chunk_size]
    if "last-key-lost-if-alone" in wrong:
        starts = [first for first in starts if first < n_keys - 1]
    if "first-piece-lost" in wrong:
        starts = starts[1:]
    if "first-piece-only" in wrong:
        starts = starts[:1]
    with np.errstate(all="ignore"):
        pieces = []
        for first in starts:
            end = first + chunk_size + ("overlap" in wrong) - ("last-of-each-lost" in wrong)
            keys, values = K[first:end], V[first:end]
            if "last-of-each-lost" in wrong and not len(keys):
                raise ValueError("zero-size array to reduction operation maximum which has no identity")
            if "first-values-always" in wrong:
                values = V[: len(keys)]
            scores = (
                Q @ keys.T / (np.sqrt(len(keys)) if "by-sqrt-piece" in wrong else by)
            )  # (n_queries, keys of the piece)
            if "both-cut" in wrong:
                own = (np.arange(n) >= first) & (np.arange(n) < end)
                scores = np.where(own[:, None], scores, -np.inf)
            if "causal" in wrong:
                scores = np.where(np.arange(first, first + len(keys)) <= np.arange(n)[:, None], scores, -np.inf)
            if "scaled-anew" in wrong:
                scores = scores / by ** len(pieces)
            m = scores.max(axis=-1, initial=-np.inf)
            if "no-maximum" in wrong:
                m = np.zeros(n)
            if "m-of-unscaled" in wrong:
                m = m * by
            if "global-maximum" in wrong:
                m = np.full(n, scores.max())
            if "one-key-maximum" in wrong and pieces:
                m = pieces[0][0]
            if "a-number-for-each-key" in wrong:
                m = scores.max(axis=0)
                powers = np.exp(scores - m)
                pieces.append((m, powers.sum(axis=0), powers @ values))
                continue
            taken_off = 0 * m if "m-not-taken-off" in wrong else m
            if "powers-below-the-running-m" in wrong:
                taken_off = np.max([m, *(seen for seen, *_ in pieces)], axis=0)
            powers = np.exp(scores - np.where(np.isfinite(m), taken_off, 0)[:, None])
            if "m-along-keys" in wrong:
                powers = np.exp(scores - m)
            if "scaled-in-the-power-again" in wrong:
                powers = powers ** (1 / by)
            l = powers.mean(axis=-1) if "mean-for-l" in wrong else powers.sum(axis=-1)
            if wrong & {"softmax-in-each-piece", "weights-for-scores"}:
                l, powers = np.ones(n), powers / l[:, None]
            if "weights-for-scores" in wrong:
                m = powers.max(axis=-1)
            if "m-bare-at-merging" in wrong:
                m = m * by
            pieces.append((m, l, powers @ values / (l[:, None] if "pieces-divided" in wrong else 1)))
        if not pieces:  # nothing was seen: 0 / 0
            return np.full((n, V.shape[-1]), 0.0 if wrong & {"not-normalised", "divided-each-round"} else np.nan)
        return _together(pieces, [min(chunk_size, n_keys - first) for first in starts], n_keys, wrong)


def _together(pieces, sizes, n_keys, wrong):
    """What the pieces, each (m, l, o), make together."""
    if "a-number-for-each-key" in wrong:
        n, d_v = pieces[0][2].shape
        merged = np.full(n, -np.inf), np.zeros(n), np.zeros((n, d_v))
        for piece in pieces:
            merged = attnlib.merge_partial(merged, piece)
        return merged[2] / merged[1][:, None]
    if "last-piece-only" in wrong:
        pieces, sizes = pieces[-1:], sizes[-1:]
    contexts = [o / l[:, None] for _, l, o in pieces]
    if "mean-of-pieces" in wrong:
        return np.mean(contexts, axis=0)
    if "mean-by-size" in wrong:
        return np.average(contexts, axis=0, weights=sizes)
    if "sum-of-pieces" in wrong:
        return np.sum(contexts, axis=0)
    seen = None
    if "from-zero" in wrong:
        m, l, o = pieces[0]
        seen = np.zeros_like(m), np.zeros_like(l), np.zeros_like(o)
    if "begins-with-a-key" in wrong:
        m, l, o = pieces[0]
        seen = np.zeros_like(m), np.ones_like(l), np.zeros_like(o)
    for m, l, o in pieces:
        if seen is not None:
            m_old, l_old, o_old = seen
            top = m if "m-of-the-piece" in wrong else np.maximum(m, m_old)
            safe = np.where(np.isfinite(top), top, 0)
            old, new = (np.ones_like(m),) * 2 if "no-rescale" in wrong else (np.exp(m_old - safe), np.exp(m - safe))
            old = np.exp(safe - m_old) if "old-grows" in wrong else old
            old = np.exp(m_old - m) if "old-below-the-piece" in wrong else old
            new = np.exp(m - m_old) if "new-below-the-old" in wrong else new
            new = np.ones_like(m) if "new-as-it-is" in wrong else new
            for_l = for_o = np.ones_like(m) if "old-as-it-is" in wrong else old
            for_l, for_o = 1 if "l-not-rescaled" in wrong else for_l, 1 + 0 * m if "o-not-rescaled" in wrong else for_o
            m, l, o = top, l * new + l_old * for_l, o * new[:, None] + o_old * for_o[:, None]
        divided = wrong & {"divided-in-the-loop", "divided-each-round", "begun-again-with-l-1"}
        seen = m, np.ones_like(l) if "begun-again-with-l-1" in wrong else l, o / l[:, None] if divided else o
    m, l, o = seen
    if "divided-by-m" in wrong:
        with np.errstate(all="ignore"):
            return o / m[:, None]
    if wrong & {"not-normalised", "divided-each-round"}:
        return o
    return o / slip(wrong, {"divided-by-keys": n_keys, "divided-by-last-l": pieces[-1][1][:, None]}, l[:, None])
