import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.stages import number, slip


def seen(scores, values, dtype=float):
    """What is known of some keys: scores (n, keys), values (keys, d_v)."""
    m = scores.max(axis=-1)
    powers = np.exp(scores - m[:, None])
    return tuple(part.astype(dtype) for part in (m, powers.sum(axis=-1), powers @ values))


def of_nothing(n, d_v):
    return np.full(n, -np.inf), np.zeros(n), np.zeros((n, d_v))


def two_parts(n, d_v, keys=(2, 3), draw=matrix, above=0.0, dtype=float):
    """Two partial results; the larger maximum is in the first for some queries, in the second for others."""

    def drawn(rng):
        a, b = (seen(draw(rng, n, k) + above, 3 * draw(rng, k, d_v), dtype) for k in keys)
        lead = np.where(rng.permutation(np.arange(n)) % 2, 1, -1) * rng.uniform(0.4, 1.2, size=n)
        b = ((a[0] + lead).astype(dtype), *b[1:])
        return {"a": a, "b": b}

    return drawn


def below_zero(*parts):
    """The same parts, with every m below 0: there somebody who has seen nothing is not one who has seen a 0."""
    above = max(m.max() for m, _, _ in parts) + 0.5
    return tuple((m - above, l, o) for m, l, o in parts)


def some_meet(rng):
    """Scores are whole numbers: for two queries both parts have the same m, and of two others each leads once.

    The larger m of one of them is 0: it has seen keys as the others have.
    """
    a, b = (seen(rng.integers(-3, 4, size=(4, n)).astype(float), 3 * matrix(rng, n, 3)) for n in (2, 3))
    lead = rng.permutation([0.0, 0.0, 1.0, -1.0])
    one = rng.integers(4)
    a[0][one] = -max(lead[one], 0.0)
    return {"a": a, "b": (a[0] + lead, *b[1:])}


def first_is_empty(rng):
    """What stands in the place of -inf has to be lower than any score."""
    return {"a": of_nothing(3, 2), "b": two_parts(3, 2, above=-2000.0)(rng)["b"]}


def some_are_empty(rng):
    """One query has seen nothing in the first, one in the second, one in both; of two others each leads once."""
    a, b = (tuple(part.copy() for part in parts) for parts in below_zero(*two_parts(5, 3)(rng).values()))
    order = rng.permutation(5)
    order = np.roll(order, order[2] == 4)  # whoever leaves a loop at the one in both has keys left behind it
    b[0][order[3:]] = a[0][order[3:]] + [0.7, -0.8]
    for parts, rows in ((a, order[[0, 2]]), (b, order[[1, 2]])):
        for part, nothing in zip(parts, (-np.inf, 0, 0), strict=True):
            part[rows] = nothing
    return {"a": a, "b": b}


def three_parts_make_attention(call, rng):
    scores, values = matrix(rng, 5, 7, scale=2.0), matrix(rng, 7, 3)
    a, b, c = (seen(scores[:, part], values[part]) for part in (slice(2), slice(2, 3), slice(3, 7)))
    _, whole_l, whole_o = seen(scores, values)
    right = whole_o / whole_l[:, None]
    for way, (_, l, o) in (("first with second", call(call(a, b), c)), ("second with third", call(a, call(b, c)))):
        with np.errstate(all="ignore"):
            gap = np.abs(o / l[:, None] - right).max()
        if not gap < 1e-4:
            return f"three parts, {way} first: o / l is {gap:.3g} off the attention over all keys"
    return None


def nothing_is_exactly_0(call, rng):
    """A number that is small enough for all other calls shows where there is nothing but it."""
    l = call(of_nothing(1, 2), of_nothing(1, 2))[1][0]
    if not 0 < abs(l) < 1e-3:
        return None
    return Sign(f"where neither part has seen a key, your l is {l:.3g}, not 0", "added-to-l")


#: What shows where the first part leads for one query, and the second for another.
ONE_ALWAYS_SHRINKS = (
    "first-always-shrinks", "second-always-shrinks", "first-grows", "second-grows", "larger-second-lost",
    "l-first-only-rescaled", "l-second-only-rescaled", "o-first-only-rescaled", "o-second-only-rescaled",
)  # fmt: skip
TELLING = (
    "no-rescale", "first-only-rescaled", "second-only-rescaled", "o-not-rescaled", "l-not-rescaled", "turned-round",
    "rescaled-by-the-other",
    "turned-round-but-empty", "weights-of-parts",
    "m-of-the-second", "m-of-the-first", "smaller-m", "larger-l",
    "one-maximum", "one-maximum-for-factors", *ONE_ALWAYS_SHRINKS,
)  # fmt: skip


#: What shows where an empty part meets one whose m is below 0.
NOTHING = "empty-as-0", "empty-as-0-in-factors"


@function(
    points=3,
    returns=("m", "l", "o"),
    cases=(
        Case(
            "two queries, values of three numbers",
            two_parts(2, 3, draw=tenths),
            0.2,
            telling=(*TELLING, "floored-at-0"),
        ),
        Case("seven queries, values of five numbers", two_parts(7, 5, keys=(3, 11)), 0.05, telling=TELLING),
        Case("five queries, values of five numbers", two_parts(5, 5), 0.05, telling=(*TELLING, "factor-on-columns")),
        Case("scores of some 1,000", two_parts(3, 2, above=1000.0), 0.05, telling=TELLING),
        Case("scores of some −2,000", two_parts(3, 2, above=-2000.0), 0.05, telling=TELLING),
        Case(
            "the same m in both parts, for some queries",
            some_meet,
            0.1,
            telling=("ties-lost", "ties-of-one-part", "ties-of-the-second", "0-as-nothing"),
        ),
        Case("the first has seen nothing yet", first_is_empty, 0.1, telling=NOTHING),
        Case("some queries have seen nothing, in one or in both", some_are_empty, 0.1, telling=NOTHING),
        Case("single precision", two_parts(5, 3, dtype=np.float32), 0.05, telling=TELLING),
        Case(
            "the example of the task",
            example(
                a=(np.array([1.0]), np.array([1.0]), np.array([[10.0]])),
                b=(np.array([3.0]), np.array([1.0]), np.array([[20.0]])),
            ),
            0.05,
        ),
    ),
    properties=(
        Property("three parts make attention, however they are grouped", three_parts_make_attention, 0.05),
        Property("of two parts that have seen nothing, l is 0", nothing_is_exactly_0, 0.05),
    ),
    mistakes="""
    no-rescale: the two sums are added as they are -> Each was taken below a maximum of its own: e to the power of
        (score − m) is measured in units of that m. -> Bring both to the new maximum first.
    first-only-rescaled: only the first part takes a factor -> That is right only
        where the second has the larger maximum. -> Each part has a factor of its own; one of the two is 1, and which
        one differs from query to query.
    second-only-rescaled: only the second part takes a factor -> That is right only
        where the first has the larger maximum. -> Each part has a factor of its own; one of the two is 1, and which one
        differs from query to query.
    o-not-rescaled: both o are added as they are, without a factor -> Then numerator and denominator speak of different
        units. -> Both sums take the same factors.
    l-not-rescaled: both l are added as they are, without a factor -> Then numerator and denominator speak of different
        units. -> Both sums take the same factors.
    turned-round: the exponents have the wrong sign: your sums grow -> The new maximum is at least as large as the old
        one, so that the old powers have to shrink. -> Take the new maximum off the old one.
    turned-round-but-empty: the exponents have the wrong sign: your sums grow -> The new maximum is at least as large as
        the old one, so that the old powers have to shrink. -> Take the new maximum off the old one.
    powers-of-m: your factors are e to an old m, divided by e to the new one -> Of scores in the thousands these powers
        are infinite, or 0. -> First the difference of the two, then one power of it: exp(m_a − m).
    powers-of-m-but-empty: you form e to the power of a bare m, and divide by another such power -> Of scores in the
        thousands these powers are infinite, or 0. -> First the difference of the two, then one power of it:
        exp(m_a − m).
    rescaled-by-the-other: each part is multiplied with the factor of the other -> The one with the smaller maximum
        is to
        shrink; the other stays. -> The first part takes the exponential of its own m less the new one.
    from-each-other: the factors are taken from one m to the other, not to the larger one -> Then one of the two grows,
        without end if the scores are large. -> Both go to the same new maximum.
    m-of-the-second: the new m is that of the second part -> It is the larger of the two, query by query. ->
        `np.maximum(a, b)`.
    m-of-the-first: the new m is that of the first part -> It is the larger of the two, query by query. ->
        `np.maximum(a, b)`.
    sum-of-m: the new m is the sum of both -> It is the largest score of all keys: that of one part or of the other. ->
        `np.maximum(a, b)`.
    smaller-m: the new m is the smaller of the two -> Then powers may become larger than 1, and overflow. ->
        `np.maximum`, not `np.minimum`.
    log-sum-as-m: the new m is the logarithm of a sum of powers -> That is not wrong as a unit, but m is said to be the
        largest score: whoever reads it counts on that. -> `np.maximum(a, b)`.
    no-power: the factors are differences of the maxima, not powers -> A power below m is e to the power of (score − m):
        to change m multiplies it by e to the power of the difference. -> `np.exp` of the difference.
    one-empty-for-all: where a single query of one part has seen nothing, you return the other part whole -> The other
        queries of that part have seen keys. -> Decide query by query.
    lost-where-one-is-empty: where one of the parts has seen nothing, the l and o of the other are lost as well -> It is
        to stay as it is: its factor is 1. -> Only where *both* have seen nothing is nothing left.
    empty-where-one-is: where one of the parts has seen nothing, your m is −∞ -> That says that the other has seen
        nothing, either. -> `np.maximum(a, b)`: of −∞ and a number it is the number.
    larger-or-first-only: you take l and o of the part with the larger m, and forget the other -> What the other has
        seen counts as well, only less. -> Both shrink to the larger m, and are added.
    larger-part-only: you take l and o of the part with the larger m, and forget the other -> What the other has seen
        counts as well, only less. -> Both shrink to the larger m, and are added.
    one-maximum: one maximum serves all queries -> Each query has its own scores, so its own maximum; another one's may
        be so far above that nothing is left. -> `np.maximum(a, b)` compares number by number; `max` would make one of
        all.
    one-maximum-for-factors: the factors of all queries come from one maximum -> Each query has its own scores, so its
        own maximum; another one's may be so far above that nothing is left. -> Each query's factors come from its own
        new m.
    decided-for-all: one comparison decides for all queries which part shrinks -> One query may have the larger m in the
        first part, another one in the second. -> `np.maximum(a, b)` compares number by number; both parts get factors.
    decided-by-any: one comparison decides for all queries which part shrinks -> One query may have the larger m in the
        first part, another one in the second. -> `np.maximum(a, b)` compares number by number; both parts get factors.
    decided-by-sum: one comparison decides for all queries which part shrinks -> One query may have the larger m in the
        first part, another one in the second. -> `np.maximum(a, b)` compares number by number; both parts get factors.
    decided-by-first: one comparison decides for all queries which part shrinks -> One query may have the larger m in
        the first part, another one in the second. -> `np.maximum(a, b)` compares number by number; both parts get
        factors.
    decided-for-all-but-empty: one comparison decides for all queries which part shrinks -> One query may have the
        larger m in the first part, another one in the second. -> `np.maximum(a, b)` compares number by number; both
        parts get factors.
    decided-for-all-in-factors: one comparison decides for all queries which part shrinks -> One query may have the
        larger m in the first part, another one in the second. -> Both parts get factors; number by number, one of the
        two is 1.
    ties-lost: where both parts have the same m, your l and o are 0 -> Neither is larger there, and what both have seen
        counts in full. -> Have a case for equal m, too; or factors for both, which need no cases.
    ties-skipped: where both parts have the same m, all that you return is 0 -> Neither is larger there, and what both
        have seen counts in full. -> Have a case for equal m, too; or factors for both, which need no cases.
    ties-of-the-second: where both parts have the same m, only the second of them counts -> Neither is larger there, and
        what both have seen counts in full. -> There both factors are 1.
    ties-of-one-part: where both parts have the same m, only one of them counts -> Neither is larger there, and what
        both have seen counts in full. -> There both factors are 1.
    o-normalised: o is divided by l already -> Then it cannot be merged once more: how much has been seen is lost. ->
        Keep the sum; whoever wants the context divides at the very end.
    o-normalised-if-any: o is divided by l already, where there is something -> Then it cannot be merged once more: how
        much has been seen is lost. -> Keep the sum; whoever wants the context divides at the very end.
    o-taken-for-context: you multiply each o by its l, and divide by the new one -> That would be right for contexts. o
        is a sum still: it has never been divided. -> Each o takes its factor, and nothing else.
    o-taken-for-context-if-any: you multiply each o by its l, and divide by the new one -> That would be right for
        contexts. o is a sum still: it has never been divided. -> Each o takes its factor, and nothing else.
    o-times-l: you multiply each o by its l -> That would make a sum of a context. o is a sum still: it has never been
        divided. -> Each o takes its factor, and nothing else.
    all-in-units-of-the-second: all is measured below the m of the second part -> Where the first has a larger one, its
        powers grow, without end if the scores are large. -> The new m is the larger of the two, query by query; both
        parts get a factor.
    first-only-rescaled-and-divided: only the first part takes a factor, and o is divided by l already -> So does the
        loop for one key more, which prints o / l. Here the second part has an m of its own, and the result is merged
        once more. -> A factor for both; whoever wants the context divides at the very end.
    weights-of-parts: your factors are the softmax of the two m -> They add up to 1, query by query. But a factor is to
        change units: that of the part with the larger m is 1. -> e to the power of its own m less the new one, for
        each part by itself.
    shares-of-parts: your factors are the softmax of the two m -> They add up to 1, query by query. But a factor is to
        change units: that of the part with the larger m is 1. -> e to the power of its own m less the new one, for
        each part by itself.
    one-factor-for-both: both parts take the factor of the first -> Each part was measured below an m of its own. -> The
        second takes e to the power of its own m less the new one.
    l-first-only-rescaled: of the two l only the first takes a factor -> That is right only where the second part has
        the larger maximum. -> Each part has a factor of its own, the same for its l and its o.
    l-second-only-rescaled: of the two l only the second takes a factor -> That is right only where the first part has
        the larger maximum. -> Each part has a factor of its own, the same for its l and its o.
    o-first-only-rescaled: of the two o only the first takes a factor -> That is right only where the second part has
        the larger maximum. -> Each part has a factor of its own, the same for its l and its o.
    o-second-only-rescaled: of the two o only the second takes a factor -> That is right only where the first part has
        the larger maximum. -> Each part has a factor of its own, the same for its l and its o.
    halved: your l and o are half of what they should be -> They are sums over all keys, not means of the two parts. ->
        Add, and do not divide by 2.
    larger-l: your l is the larger of the two, each with its factor -> That is how m is found. Both have seen keys, and
        l counts all of them. -> Each l times its factor, added up.
    l-forgotten: your l is the sum of both factors: neither l stands in it -> A factor changes the units of a sum; it is
        none. -> Each l times its factor.
    added-to-l=: a small number is added to l, or is the least that it can be -> Where no key has been seen, l is 0, and
        whoever merges on reads from it that there was nothing. -> Leave l as it is; who divides by it may ask first.
    l-of-the-second-alone: the l that you return is that of the second part, times its factor: that of the first is lost
        -> Both have seen keys. `=` in a loop keeps what its last round gives. -> Each l times its factor, added up.
    o-of-the-second-alone: the o that you return is that of the second part, times its factor: that of the first is lost
        -> Both have seen values. `=` in a loop keeps what its last round gives. -> Each o times its factor, added up.
    l-of-the-first-alone: the l that you return is that of the first part, times its factor: that of the second is lost
        -> Both have seen keys. -> Each l times its factor, added up.
    o-of-the-first-alone: the o that you return is that of the first part, times its factor: that of the second is lost
        -> Both have seen values. -> Each o times its factor, added up.
    first-if-any-is-empty: where neither part has seen a key for a single query, you return the first part whole -> For
        the other queries both parts have seen keys. -> Decide query by query.
    ends-at-the-empty: from the first query on for which neither part has seen a key, l and o are 0 -> Queries behind it
        may have keys. `break` and `return` end a loop for good. -> `continue` goes on with the next query.
    infinite-times-0: your m is not a number where a part has seen no key -> −inf times 0 is NaN: whoever picks by
        multiplying with True and False cannot get rid of it. -> `np.maximum(a, b)`, or `np.where`.
    first-below-the-second: the first part takes a factor by how far its m lies above that of the second, the second
        none, and m is the larger of the two -> Where the first has the larger m, its powers grow, and no longer fit to
        that m. -> A factor for both: e to the power of its own m less the new one.
    first-always-shrinks: it is always the first part that shrinks, by how far the two m are apart -> Where the first
        has the larger maximum, the second is to shrink. -> A factor for both: e to the power of its own m less the new
        one.
    first-always-shrinks-but-empty: it is always the first part that shrinks, by how far the two m are apart -> Where
        the first has the larger maximum, the second is to shrink. -> A factor for both: e to the power of its own m
        less the new one.
    second-always-shrinks-but-empty: it is always the second part that shrinks, by how far the two m are apart -> Where
        the second has the larger maximum, the first is to shrink. -> A factor for both: e to the power of its own m
        less the new one.
    second-always-shrinks: it is always the second part that shrinks, by how far the two m are apart -> Where the second
        has the larger maximum, the first is to shrink. -> A factor for both: e to the power of its own m less the new
        one.
    first-grows: where the second part has the larger m, the first grows -> The exponent has the wrong sign there: old
        powers have to shrink. -> Its own m less the new one is never above 0.
    second-grows: where the first part has the larger m, the second grows -> The exponent has the wrong sign there: old
        powers have to shrink. -> Its own m less the new one is never above 0.
    larger-second-lost: the second part counts only where its m is the smaller one -> Where it has the larger m, it is
        to stay as it is. -> There its factor is 1, not 0.
    factors-sum-to-1: the factor of the second part is 1 less that of the first -> They are no shares. A factor is to
        change units: that of the part with the larger m is 1. -> e to the power of its own m less the new one, for
        each part by itself.
    powers-of-2: your factors are powers of 2 -> The sums are made of powers of e: to change units is the same power of
        e. -> `np.exp`.
    l-of-the-first-twice: the l of the first part stands there twice, with both factors -> The second part has seen keys
        of its own. -> Each l times its factor.
    l-of-the-second-twice: the l of the second part stands there twice, with both factors -> The first part has seen
        keys of its own. -> Each l times its factor.
    l-as-1: the l that you return is 1 -> l is the sum of all powers below m: it tells how much weight stands behind o.
        -> Both l, each with its factor.
    log-sum-and-context: you return the logarithm of the sum of powers, 1, and the context -> Some write it so, with one
        number less to keep. Here m is the largest score, and l and o are sums. -> Leave the sums undivided.
    floored-at-0: a maximum below 0 is replaced by 0 in your factors -> Scores may be as low as they like: there both
        parts shrink, far below to nothing, and m no longer says in what units. -> Something finite is needed only where
        m is −∞.
    empty-by-the-first: where the first part has seen nothing, your factors go to 0 and not to the new m -> The second
        may have seen a lot there: it is to stay as it is. -> Something finite is needed only where *both* are −∞.
    empty-by-the-second: where the second part has seen nothing, your factors go to 0 and not to the new m -> The first
        may have seen a lot there: it is to stay as it is. -> Something finite is needed only where *both* are −∞.
    o-of-the-second-twice: the o of the second part stands there twice, with both factors -> The first part has seen
        values of its own. -> Each o times its factor.
    factor-for-sum: the l of the second part is missing: its factor alone is added -> A factor changes the units of a
        sum; it is none. -> Each l times its factor.
    o-of-the-first-twice: the o of the first part stands there twice, with both factors -> The second part has seen
        values of its own. -> Each o times its factor.
    contexts-added: you merge the contexts o / l of both -> A context has lost how much weight stood behind it. -> Add
        the sums, each with its factor.
    unshifted: the sums are brought back to bare powers of e -> With scores of 1,000 they are infinite: the maximum was
        taken off to prevent that. -> Bring both to the larger maximum, not to 0.
    empty-m-0: where neither part has seen a key, your m is 0 -> That says that a score of 0 has been seen. The finite
        number is for the exponents only. -> Return the larger of the two m as it is.
    empty-as-0: an m of −inf counts as 0 -> That says that a score of 0 has been seen: where all scores of the other
        part are below 0, the new m is too large. -> The larger of the two m as they are; the finite number is for the
        exponents only.
    empty-as-0-in-factors: in the factors an m of −inf counts as 0 -> The other part may have an m below 0: it shrinks
        then, beside one who has seen nothing. -> First the larger of the two m; something finite only where *that* is
        −inf.
    python-max: you ask which of two arrays is the larger one, by `max` or in an `if` -> One query may have the larger m
        in the first part, another one in the second. -> `np.maximum(a, b)` compares number by number.
    empty-nan: where neither part has seen a key, your result is not a number -> −inf less −inf is NaN. -> Two empty
        parts make an empty one: there the factors have to be something finite.
    empty-nan-in-o: where neither part has seen a key, your o is not a number -> −inf less −inf is NaN. -> Two empty
        parts make an empty one: there the factors have to be something finite, for l and for o.
    empty-nan-in-l: where neither part has seen a key, your l is not a number -> −inf less −inf is NaN. -> Two empty
        parts make an empty one: there the factors have to be something finite, for l and for o.
    0-as-nothing: an m of 0 comes out as −∞ -> You put a 0 in the place of −∞ and take every 0 for one of those; but a
        score of 0 is a score like any other. -> Give what goes into the exponents a name of its own, and leave m alone.
    factor-on-columns: the factors go along the columns of o -> There is one for each query, so for each row. ->
        `factor[:, None]` makes a column of them.
    floored=: a number of yours stands in the place of a maximum that lies below it -> Scores may be as low as they
        like: there every power becomes 0, and 0 by 0 is NaN. -> Something finite is needed only where m is −∞.
    m-floored=: the new m is never below a number of yours -> Scores may be as low as they like: there every power
        becomes 0, and 0 by 0 is NaN. -> Something finite is needed only where m is −∞, and in the exponents only.
    """,
    budget=4_000,
)
def merge_partial(a, b, wrong=frozenset()):
    """Two partial results of softmax attention made one, with mistakes as switches."""
    (m_a, l_a, o_a), (m_b, l_b, o_b) = ([np.asarray(part, dtype=float) for part in parts] for parts in (a, b))
    if "empty-as-0" in wrong:
        m_a, m_b = (np.where(np.isneginf(m), 0, m) for m in (m_a, m_b))
    if "one-empty-for-all" in wrong:
        for m_one, other in ((m_a, (m_b, l_b, o_b)), (m_b, (m_a, l_a, o_a))):
            if np.isneginf(m_one).any():
                return other
    if "first-if-any-is-empty" in wrong and np.isneginf(np.maximum(m_a, m_b)).any():
        return m_a, l_a, o_a
    decided = {
        "decided-for-all": m_a.max() >= m_b.max(),
        "decided-for-all-but-empty": m_a.max() >= m_b.max(),
        "decided-by-any": (m_a > m_b).any(),
        "decided-by-sum": m_a.sum() > m_b.sum(),
        "decided-by-first": m_a[0] > m_b[0],
    }
    if wrong & set(decided):
        with np.errstate(all="ignore"):
            (m, *sums), (m_other, *others) = (a, b) if slip(wrong, decided, None) else (b, a)
            m, m_other = np.asarray(m, dtype=float), np.asarray(m_other, dtype=float)
            to = np.where(np.isneginf(m), 0, m) if "decided-for-all-but-empty" in wrong else m
            shrink = np.exp(m_other - to)
            return m, sums[0] + others[0] * shrink, sums[1] + others[1] * shrink[:, None]
    if "all-in-units-of-the-second" in wrong:
        with np.errstate(all="ignore"):
            grow = np.exp(m_a - m_b)
            return m_b, l_a * grow + l_b, o_a * grow[:, None] + o_b
    one_is_empty = np.isneginf(np.minimum(m_a, m_b))
    with np.errstate(all="ignore"):
        tops = {
            "m-of-the-second": m_b,
            "m-of-the-first": m_a,
            "sum-of-m": m_a + m_b,
            "smaller-m": np.minimum(m_a, m_b),
            "log-sum-as-m": np.logaddexp(m_a, m_b),
            "infinite-times-0": m_a * (m_a > m_b) + m_b * (m_a <= m_b),
            "one-maximum": np.full(m_a.shape, max(m_a.max(), m_b.max())),
        }
        m = max(m_a, m_b) if "python-max" in wrong else slip(wrong, tops, np.maximum(m_a, m_b))
        to = slip(
            wrong,
            {"unshifted": 0.0, "empty-nan": m, "infinite-times-0": m, "python-max": m},
            np.where(np.isfinite(m), m, 0),
        )
        empty_by = {
            "floored-at-0": m < 0,
            "empty-by-the-first": np.isneginf(m_a),
            "empty-by-the-second": np.isneginf(m_b),
        }
        to = np.where(slip(wrong, empty_by, False), 0, to)
        m = np.where(m == 0, -np.inf, m) if "0-as-nothing" in wrong else m
        m = np.where(one_is_empty, -np.inf, m) if "empty-where-one-is" in wrong else m
        floor, floor_of_m = (number(wrong, name, 1000.0) for name in ("floored", "m-floored"))
        if floor is not None or floor_of_m is not None:
            to = np.maximum(m, -abs(floor_of_m if floor is None else floor))
            m = m if floor_of_m is None else to
        if "one-maximum-for-factors" in wrong:
            to = np.full(m.shape, to.max())
        shrink_a, shrink_b = np.exp(m_a - to), np.exp(m_b - to)
        if "powers-of-m" in wrong:
            shrink_a, shrink_b = np.exp(m_a) / np.exp(m), np.exp(m_b) / np.exp(m)
        if "powers-of-m-but-empty" in wrong:
            shrink_a, shrink_b = np.exp(m_a) / np.exp(to), np.exp(m_b) / np.exp(to)
        if "lost-where-one-is-empty" in wrong:
            shrink_a, shrink_b = (np.where(one_is_empty, 0, one) for one in (shrink_a, shrink_b))
        if "empty-as-0-in-factors" in wrong:
            finite_a, finite_b = (np.where(np.isneginf(one), 0, one) for one in (m_a, m_b))
            top = np.maximum(finite_a, finite_b)
            shrink_a, shrink_b = np.exp(finite_a - top), np.exp(finite_b - top)
        if "from-each-other" in wrong:
            shrink_a, shrink_b = np.exp(m_a - m_b), np.exp(m_b - m_a)
        if "no-power" in wrong:
            shrink_a, shrink_b = m_a - to, m_b - to
        if "turned-round" in wrong:
            shrink_a, shrink_b = np.exp(to - m_a), np.exp(to - m_b)
        if "turned-round-but-empty" in wrong:
            shrink_a, shrink_b = (np.where(np.isneginf(one), 0, np.exp(to - one)) for one in (m_a, m_b))
        apart = m_a - m_b
        shrink_a, shrink_b = slip(
            wrong,
            {
                "first-always-shrinks": (np.exp(-np.abs(apart)), np.ones_like(apart)),
                "second-always-shrinks": (np.ones_like(apart), np.exp(-np.abs(apart))),
                "first-always-shrinks-but-empty": (np.nan_to_num(np.exp(-np.abs(apart))), np.ones_like(apart)),
                "second-always-shrinks-but-empty": (np.ones_like(apart), np.nan_to_num(np.exp(-np.abs(apart)))),
                "first-grows": (np.where(apart > 0, 1, np.exp(-apart)), np.where(apart > 0, np.exp(-apart), 1)),
                "second-grows": (np.where(apart < 0, np.exp(apart), 1), np.where(apart < 0, 1, np.exp(apart))),
                "first-below-the-second": (np.exp(apart), np.ones_like(apart)),
                "larger-second-lost": (shrink_a, np.where(m_b < m_a, shrink_b, 0)),
                "factors-sum-to-1": (shrink_a, 1 - shrink_a),
                "powers-of-2": (np.exp2(m_a - to), np.exp2(m_b - to)),
            },
            (shrink_a, shrink_b),
        )
        if "weights-of-parts" in wrong:
            shrink_a, shrink_b = np.exp(np.stack([m_a, m_b]) - m) / np.exp(np.stack([m_a, m_b]) - m).sum(axis=0)
        if "shares-of-parts" in wrong:
            together = shrink_a + shrink_b
            shrink_a, shrink_b = (one / np.where(together == 0, 1, together) for one in (shrink_a, shrink_b))
        if "one-factor-for-both" in wrong:
            shrink_b = shrink_a
        if "rescaled-by-the-other" in wrong:
            shrink_a, shrink_b = shrink_b, shrink_a
        ones = np.ones_like(shrink_a)
        if "decided-for-all-in-factors" in wrong:
            shrink_a, shrink_b = (ones, shrink_b) if m_a.max() > m_b.max() else (shrink_a, ones)
        ties = m_a == m_b
        if wrong & {"ties-lost", "ties-skipped", "ties-of-one-part"}:
            shrink_b = np.where(ties, 0, shrink_b)
        if wrong & {"ties-lost", "ties-skipped", "ties-of-the-second"}:
            shrink_a = np.where(ties, 0, shrink_a)
            m = np.where(ties, 0, m) if "ties-skipped" in wrong else m
        if wrong & {"no-rescale", "second-only-rescaled"}:
            shrink_a = ones
        if "first-only-rescaled-and-divided" in wrong:
            shrink_a, shrink_b = np.exp(m_a - m), ones
        if wrong & {"no-rescale", "first-only-rescaled"}:
            shrink_b = ones
        if "larger-part-only" in wrong:
            shrink_a, shrink_b = 1.0 * (m_a > m_b), 1.0 * (m_a <= m_b)
        if "larger-or-first-only" in wrong:
            shrink_a, shrink_b = 1.0 * (m_a >= m_b), 1.0 * (m_a < m_b)
        if "halved" in wrong:
            shrink_a, shrink_b = shrink_a / 2, shrink_b / 2
        m = to if "empty-m-0" in wrong else m
        l_a, l_b = slip(wrong, {"l-of-the-first-twice": (l_a, l_a), "l-of-the-second-twice": (l_b, l_b)}, (l_a, l_b))
        if "l-forgotten" in wrong:
            l_a, l_b = ones, ones
        l_a = l_a * ("l-of-the-second-alone" not in wrong)
        l_b = l_b * ("l-of-the-first-alone" not in wrong)
        o_a = o_a * ("o-of-the-second-alone" not in wrong)
        o_b = o_b * ("o-of-the-first-alone" not in wrong)
        for_a = ones if wrong & {"l-not-rescaled", "l-second-only-rescaled"} else shrink_a
        for_b = ones if wrong & {"l-not-rescaled", "l-first-only-rescaled"} else shrink_b
        l = l_a * for_a + (for_b if "factor-for-sum" in wrong else l_b * for_b)
        l = np.maximum(l_a * for_a, l_b * for_b) if "larger-l" in wrong else l
        l = l if (little := number(wrong, "added-to-l", 1e-6)) is None else l + little
        o_a, o_b = slip(wrong, {"o-of-the-first-twice": (o_a, o_a), "o-of-the-second-twice": (o_b, o_b)}, (o_a, o_b))
        if wrong & {"o-not-rescaled", "o-second-only-rescaled"}:
            shrink_a = ones
        if wrong & {"o-not-rescaled", "o-first-only-rescaled"}:
            shrink_b = ones
        if "contexts-added" in wrong:
            o_a, o_b = o_a / l_a[:, None], o_b / l_b[:, None]
        if "o-taken-for-context" in wrong:
            shrink_a, shrink_b = shrink_a * l_a / l, shrink_b * l_b / l
        if wrong & {"o-times-l", "o-taken-for-context-if-any"}:
            by = np.where(l == 0, 1, l) if "o-taken-for-context-if-any" in wrong else 1
            shrink_a, shrink_b = shrink_a * l_a / by, shrink_b * l_b / by
        if "factor-on-columns" in wrong:
            o = o_a * shrink_a + o_b * shrink_b
        else:
            o = o_a * shrink_a[:, None] + o_b * shrink_b[:, None]
        empty = np.isneginf(np.maximum(m_a, m_b))
        l = np.where(empty, np.nan, l) if "empty-nan-in-l" in wrong else l
        o = np.where(empty[:, None], np.nan, o) if "empty-nan-in-o" in wrong else o
        if "ends-at-the-empty" in wrong:
            left = empty.cumsum() == 0
            l, o = l * left, o * left[:, None]
        if "l-as-1" in wrong:
            return m, np.ones_like(l), o
        if "log-sum-and-context" in wrong:
            return m + np.log(l), np.ones_like(l), o / l[:, None]
        if "o-normalised-if-any" in wrong:
            return m, l, o / np.where(l == 0, 1, l)[:, None]
        divided = wrong & {"o-normalised", "first-only-rescaled-and-divided"}
        return m, l, o / l[:, None] if divided else o
