import numpy as np

from attnlib import layer_norm, rotate
from grader.exercises.inputs import matrix
from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.stages import number, slip, softmax

SQUARE = ("W_q", "W_k", "W_v", "W_o")
BIASES = ("b_q", "b_k", "b_v", "b_o")


def writing(t, n_new, num_heads, d_k, dtype=float, **more):
    """Inputs with t tokens in the cache, of their own scale, so that old and new can be told apart; 0 for no cache."""

    def drawn(rng):
        while True:
            made = once(rng, t, n_new, num_heads, d_k, dtype) | more
            # A millionth that somebody adds to a sum of powers never shows, ten of them always do.
            right, little, much = (
                cached_heads(**made, wrong=frozenset(some))[0]
                for some in ((), ("added-below=1.3e-06",), ("added-below=8e-06",))
            )
            limit = 1e-6 * (np.abs(right).max() + np.abs(right))
            if not ((np.abs(little - right) < limit).all() and (np.abs(much - right) > limit).any()):
                continue
            # e to the power of -10 is small, but shows wherever there is something to be masked; in single precision
            # never.
            leaks = np.abs(cached_heads(**made, wrong=frozenset(["masked-by=10"]))[0] - right)
            if n_new == 1 or ((leaks > 3 * limit).any() and (dtype is float or (leaks < 25 * limit).all())):
                return made

    return drawn


def once(rng, t, n_new, num_heads, d_k, dtype=float):
    d = num_heads * d_k
    layer = {name: matrix(rng, d, d, scale=1.5 / np.sqrt(d)) for name in SQUARE}
    layer |= {name: matrix(rng, d, scale=0.7) for name in BIASES}
    layer = {name: value.round(2).astype(dtype) for name, value in layer.items()}
    cache = tuple(matrix(rng, num_heads, t, d_k).astype(dtype) for _ in range(2)) if t else None
    X_new = matrix(rng, n_new, d).astype(dtype)
    return {"X_new": X_new, "cache": cache, "layer": layer, "num_heads": num_heads}


def far_apart(rng):
    """Some powers of e overflow, and some row has nothing but scores below −1,000, and a score far above them that is
    masked: whoever takes off the largest of all, and masks then, is left with nothing. One score of a row is so much
    larger than the others that no rounding decides."""
    allowed = np.tri(3, dtype=bool)
    while True:
        made = once(rng, 0, 3, 2, 4)
        largest = np.where(allowed, _scores(made), -np.inf).max()
        factor = np.sqrt(900 / max(largest, 0.5)).round(1)
        made["layer"] |= {name: factor * made["layer"][name] for name in ("W_q", "W_k", "b_q", "b_k")}
        scores = _scores(made)
        seen = np.sort(np.where(allowed, scores, -np.inf), axis=-1)[..., ::-1]
        best, next_best = seen[..., 0], seen[:, 1:, 1]
        masked = np.where(allowed, -np.inf, scores).max(axis=-1)
        clear = (best[:, 1:] - next_best).min() > 60 and best.max() > 800
        if clear and ((best < -1020) & (masked - best > 800)).any():
            return made


def _scores(made):
    """The scores of all heads, (num_heads, n_new, t + n_new)."""
    X, layer, num_heads = made["X_new"], made["layer"], made["num_heads"]
    _, K, _ = cached_heads(**made)
    n, d = X.shape
    Q = (X @ layer["W_q"] + layer["b_q"]).reshape(n, num_heads, d // num_heads).swapaxes(0, 1)
    return rotate(Q, K.shape[1] - n + np.arange(n)) @ K.mT / np.sqrt(d // num_heads)


def the_example(rng):
    layer = dict.fromkeys(SQUARE, np.eye(2)) | dict.fromkeys(BIASES, np.zeros(2))
    return {"X_new": np.eye(2), "cache": None, "layer": layer, "num_heads": 1}


def cut_short(call, inputs):
    """The sign that a cache comes back in half precision."""
    cache = call.outcome(*inputs.values()).value
    if isinstance(cache, tuple) and any(getattr(one, "dtype", None) == np.float16 for one in cache):
        return Sign("the cache that you return holds three digits of each number (`float16`)", "half-precision")
    return None


def token_by_token(call, rng):
    inputs = writing(0, 5, 2, 4)(rng)
    if sign := cut_short(call, inputs):
        return sign
    X, _, *rest = inputs.values()
    whole, K, V = call(X, None, *rest)
    rows, cache = [], None
    for part in (X[:1], X[1:3], X[3:4], X[4:]):
        added, *cache = call(part, tuple(cache) if cache else None, *rest)
        rows.append(added)
    gap = np.abs(np.vstack(rows) - whole).max()
    if not gap < 1e-4:
        return f"five tokens read at once, and one, two, one, one, differ by {gap:.3g}"
    gap = max(np.abs(cache[0] - K).max(), np.abs(cache[1] - V).max())
    return None if gap < 1e-4 else f"read at once or one by one, five tokens leave other caches: {gap:.3g} apart"


def old_stays(call, rng):
    inputs = writing(5, 3, 3, 2)(rng)
    if sign := cut_short(call, inputs):
        return sign
    _, *cache = call(*inputs.values())
    for name, before, after in zip(("keys", "values"), inputs["cache"], cache, strict=True):
        if after.shape[-2] != 8 or not np.abs(after[:, :5] - before).max() < 1e-6:
            return f"the {name} of the five old tokens do not stand in front of the new cache as they were"
    return None


TELLING = (
    "places-from-0", "places-from-1", "no-mask", "turned-by-halves", "bare-both", "by-sqrt-heads", "dealt-out",
    "queries-at-t", "keys-turned-back", "turned-by-heads", "mask-inverted-by-adding",
    "first-rows-of-mask", "not-itself", "new-alone", "old-ignored",
    "keys-stored-unturned", "turned-again", "values-turned", "queries-unturned", "keys-unturned", "rows-turned-whole",
    "new-before-old", "no-scale", "by-sqrt-d_model", "bare-split", "no-exchange-at-merge",
    "triangle-in-front", "triangle-for-old", "two-triangles", "triangle-turned", "keys-by-turned-queries",
    "places-one-late-with-a-cache", "places-backwards", "queries-at-the-last", "dealt-out-at-merge", "by-sqrt-keys",
    "by-sqrt-new", "mask-one-short-of-new-ones",
)  # fmt: skip
ALONE = tuple(name for name in TELLING if name not in ("no-mask", "first-rows-of-mask", "new-alone"))
AT_FIRST = (
    "no-mask",
    "values-turned",
    "queries-unturned",
    "keys-unturned",
    "not-itself",
    "no-scale",
    "last-asks-for-all",
)
FAR = (
    "as-far-as-the-first", "one-too-far", "no-mask", "queries-at-t", "all-at-t", "mask-inverted",
    "mask-inverted-strictly", "turned-by-halves", "bare-split", "bare-both", "no-exchange-at-merge", "no-maximum",
    "masked-by=1000", "renormalised", "queries-at-the-last", "last-asks-for-all", "no-mask-without-a-cache",
)  # fmt: skip


@function(
    points=5,
    returns=("added", "K", "V"),
    keywords=("base",),
    budget=4000,
    cases=(
        Case("one new token after three", writing(3, 1, 2, 2), 0.1, telling=("places-from-0", "old-ignored")),
        Case("three tokens and no cache yet", writing(0, 3, 2, 4), 0.2, telling=AT_FIRST),
        Case("three new tokens after five", writing(5, 3, 2, 6), 0.15, telling=TELLING),
        Case("two new tokens after seven, in single precision", writing(7, 2, 3, 4, np.float32), 0.05),
        Case("another base", writing(3, 2, 1, 6, base=50.0), 0.1, telling=("base-ignored",)),
        Case("scores of some 1,000, above 0 and below", far_apart, 0.05, telling=FAR),
        Case("the example of the task", the_example, 0.05),
    ),
    properties=(
        Property("token by token as at once", token_by_token, 0.1),
        Property("what was kept stays as it was", old_stays, 0.1),
    ),
    # The first are tried in pairs with all others: likely ones.
    mistakes="""
    no-b_o: `b_o` is not added -> It is a part of what the attention adds. -> After `W_o`.
    residual-added: the new tokens are added to the result -> The sum is taken outside, around the norm. -> Return what
        the attention adds.
    no-mask: a new token looks at new ones that come after it -> With one new token this cannot show; with several it
        leaks the future. -> Token t + i may look at the places up to t + i.
    keys-values-swapped-in-cache: keys and values have changed places in the cache that you return -> Both have the same
        shape, so that nothing complains until the next call. -> Keys first.
    no-W_o: what the heads have heard does not go through `W_o` -> It brings their parts back into the columns of the
        model. -> After merging: times `W_o`, plus `b_o`.
    no-scale
    values-turned: the values are turned as well -> Position belongs to the scores: where to look, not what is heard. ->
        Turn queries and keys only.
    turned-by-halves: the numbers of a head are turned in other pairs: the first half with the second -> Many programs
        pair them so, for other models; here the 1st number goes with the 2nd, the 3rd with the 4th. ->
        `rotate(X, positions, base)` does that.
    bare-both: the heads are cut out by a bare `reshape`, and put together by another -> It reads the numbers row by
        row, and mixes tokens with heads. The second does not mend the first: in between each head has looked at
        pieces of several tokens. -> Exchange the axes of tokens and heads as well: `split_heads` and `merge_heads` do.
    no-mask-with-a-cache: with a cache there is no mask -> Several new tokens then hear those that come after them. ->
        A mask of shape (n_new, t + n_new) for every call.
    no-mask-without-a-cache: without a cache there is no mask -> Several tokens come at once then, and hear those that
        come after them. -> A mask of shape (n_new, t + n_new) for every call; t is 0 where there is no cache.
    unturned-without-a-cache: without a cache nothing is turned -> The first tokens stand at the places 0, 1, 2, ... ->
        Turn by the places in every call; t is 0 where there is no cache.
    places-behind-the-new: your places are too large by as many as there are new tokens -> The cache holds t tokens, at
        the places 0 to t - 1. -> The first new one stands at place t: `np.arange(t, t + n_new)`.
    all-turned-at-t-with-a-cache: with a cache, all new tokens are turned by one and the same place -> Several may come
        at once: they stand at t, t + 1, and so on. -> `np.arange(t, t + n_new)` for every call.
    base-for-keys-only: your queries are turned with the usual base, whatever `base` says -> Queries and keys have to be
        turned alike. -> Hand `base` on in both calls of `rotate`.
    no-b_o-without-a-cache: without a cache `b_o` is missing -> A branch of its own is easily left behind. -> One last
        line for both: times `W_o`, plus `b_o`.
    places-one-early: your places are too small by 1 where there is a cache -> It holds t tokens, at the places 0 to
        t - 1. -> The first new one stands at place t.
    counted-one-early: your places are too small by 1 where there is a cache, and your mask with them -> It holds t
        tokens, at the places 0 to t - 1. -> The first new one stands at place t.
    places-one-late-with-a-cache: your places are too large by 1 where there is a cache -> It holds t tokens, at the
        places 0 to t - 1. -> The first new one stands at place t.
    counted-one-late-with-a-cache: your places are too large by 1 where there is a cache, and your mask with them -> It
        holds t tokens, at the places 0 to t - 1. -> The first new one stands at place t.
    rows-turned-for-scores: you turn the rows that come in, before `W_q` and `W_k` -> What is turned are the queries and
        keys of each head. -> First the matrices and the heads, then the turn.
    b_q-for-b_k: your keys have the bias of the queries -> A copied line keeps its letter. -> `b_k`.
    keys-by-W_q: your keys are made with the query's matrix and bias -> Then queries and keys are the same rows. ->
        `W_k` and `b_k`; and it is K that is turned into K, not Q.
    keys-by-turned-queries: your keys are the turned queries, turned once more -> A line that was copied keeps what was
        not changed in it. -> What is turned into K is K itself.
    places-from-0: the new tokens count their places from 0 -> The cache holds t tokens already: the first new one
        stands at place t, and its distance from them must be right. -> Read t off the cache, and count on from there.
    places-by-heads: you count the places on from the number of heads, and your mask with them -> A cache is
        (num_heads, t, d_k): its length is the number of heads, and t is axis 1. -> Read t off the axis of the tokens.
    places-by-d_k: you count the places on from d_k, and your mask with them -> A cache is (num_heads, t, d_k): its
        last axis holds the numbers of a key, and t is axis 1. -> Read t off the axis of the tokens.
    places-by-pair: you count the places on from 2, and your mask with them -> A cache is a pair of keys and values: its
        `len` is 2, however many tokens it holds. -> Read t off the axis of the tokens.
    turned-by-pair: you count the places on from 2 -> A cache is a pair of keys and values: its `len` is 2, however many
        tokens it holds. -> Read t off the axis of the tokens.
    turned-by-heads: you count the places on from the number of heads -> A cache is (num_heads, t, d_k): its length is
        the number of heads, and t is axis 1. -> Read t off the axis of the tokens.
    turned-by-d_k: you count the places on from d_k -> A cache is (num_heads, t, d_k): its last axis holds the numbers
        of a key, and t is axis 1. -> Read t off the axis of the tokens.
    all-at-t: all new tokens stand at one and the same place -> Then nothing tells the first of them from the last. ->
        The first stands at t, the next at t + 1, and so on.
    all-turned-at-t: all new queries and keys are turned by one and the same place -> Then nothing tells the first of
        them from the last. -> The first stands at t, the next at t + 1, and so on.
    places-from-1: your places are too large by 1 -> Where t tokens stand at the places 0 to t − 1, the next one stands
        at t. -> Count from t.
    counted-from-0: the new tokens count their places from 0, and your mask with them -> The cache holds t tokens
        already: the first new one stands at place t, and may look at all of them. -> Read t off the cache, and count on
        from there.
    counted-from-1: your places are too large by 1, and your mask with them -> Where t tokens stand at the places 0 to
        t − 1, the next one stands at t. -> Count from t.
    places-from-minus-1: your places are too small by 1 -> Where t tokens stand at the places 0 to t − 1, the next one
        stands at t. -> Count from t.
    counted-from-minus-1: your places are too small by 1, and your mask with them -> Where t tokens stand at the places
        0 to t − 1, the next one stands at t. -> Count from t.
    turned-from-2t: your places begin at 2 t: t is counted twice -> A counter that begins at t (`enumerate(X_new, t)`)
        holds it already. -> The first new token stands at place t.
    counted-from-2t: your places begin at 2 t, and your mask with them: t is counted twice -> The cache holds t tokens,
        at the places 0 to t - 1. -> The first new one stands at place t.
    places-backwards: the places of the new tokens run backwards -> The text goes on: the first of them stands at place
        t, and the last at the end. -> Count upwards from t.
    counted-backwards: the places of the new tokens run backwards, and your mask with them -> The text goes on: the
        first of them stands at place t, and the last at the end. -> Count upwards from t.
    all-at-the-last: all new tokens stand at one and the same place, the last one, and your mask lets each see as far
        -> Then nothing tells the first of them from the last, and it hears what comes behind it. -> The first stands at
        t, the next at t + 1, and so on.
    all-turned-at-the-last: all new queries and keys are turned by one and the same place, the last one -> Then nothing
        tells the first of them from the last. -> The first stands at t, the next at t + 1, and so on.
    queries-at-the-last: all new queries are turned by one and the same place, the last one -> Then the distance to the
        keys is right for the last of them only. -> Queries and keys of a token have one place.
    queries-from-0: the new queries are turned as if they stood at 0, 1, and so on -> A score depends on how far apart
        query and key are; your keys stand at t, t + 1, and so on. -> Queries and keys of a token have one place.
    keys-from-0: the new keys are turned as if they stood at 0, 1, and so on -> The queries of the same tokens stand at
        t, t + 1, and so on. -> Queries and keys of a token have one place.
    queries-at-t: all new queries are turned by one and the same place, the keys by their own -> Then the distance to
        what stands before them is right for the first of them only. -> Queries and keys of a token have one place.
    keys-turned-back: the keys are turned the other way round than the queries -> Then a score depends on the sum of
        their places, not on the distance. -> The same places for both, with the same sign.
    both-turned-back: queries and keys are turned the other way round -> Among the new ones no distance shows it; but
        the old keys are turned already, by their places as they are. -> No minus sign: place t is t.
    b_k-behind-the-turn: `b_k` is added behind the turn -> Then it is the same push at every place, where the model was
        trained with one that turns. -> Times `W_k`, plus `b_k`, and then the turn.
    b_v-behind: `b_v` is not in your values, and is added behind the attention -> Without a cache that is the same, as
        weights sum to 1. But what is kept for the next call lacks it, and values that had it get it twice. -> Times
        `W_v`, plus `b_v`, and that goes into the cache.
    queries-turned-back: the queries are turned the other way round than the keys -> Then a score depends on the sum of
        their places, not on the distance. -> The same places for both, with the same sign.
    first-rows-of-mask: your mask is that of the first tokens, not of the last ones -> The new tokens are the *last*
        rows of the causal mask of all t + n_new. -> Compare the places of the keys with the places of the queries.
    scores-by-mask: what may not be seen gets the score 0, not minus infinity -> e to the power of 0 is 1: a token that
        comes later takes its share. -> `np.where(mask, scores, -np.inf)`, or let `masked_attention` do it.
    masked-by=: what may not be seen gets a number that is not small enough -> Scores may lie far below 0 themselves; a
        token that comes later then takes its share. -> `-np.inf`, or let `masked_attention` do it.
    weights-by-mask: the mask comes after the softmax: the weights of a row no longer add up to 1 -> What is cut off has
        taken its share already. -> Mask the scores, or let `masked_attention` do it.
    no-maximum: your softmax overflows for large scores -> exp(1000) is infinity, and infinity / infinity is NaN. -> Use
        `softmax` of Part 1, which takes each row's maximum off first, or `masked_attention`.
    sum-of-all: you divide by the sum of all powers: of all rows, and of all heads -> All weights together then sum to
        1, instead of each row. -> Give `sum` an axis, and keep it: `axis=-1, keepdims=True`.
    square-mask: where several new tokens meet old ones, your function ends with an error -> Mask and keys have to go
        together: perhaps one of the two knows the new tokens only. -> Keys: t + n_new, the old ones in front, however
        many come. Mask: one row for each new token, one column for each key.
    added-below=: a number of yours is added to the sum of the powers -> Then the weights of a row no longer add up
        to 1. That sum is never 0: a token looks at itself. -> Divide by the sum as it is, or let `masked_attention` do
        it.
    softmax-over-queries: your softmax runs along the queries, not along the keys -> The scores are (num_heads, n_new,
        t + n_new): with heads in front, axis 1 is that of the queries. -> `axis=-1`.
    cache-alone: the new tokens look at the old ones only, where there are any -> A new token looks at itself as well,
        and at new ones before it. -> Old keys and new ones, one behind the other, and a mask.
    as-far-as-the-first: all new tokens look as far as the first of them -> The second one may look at two new ones, and
        so on. -> Token t + i may look at the places up to t + i.
    one-too-far: a new token looks at the one behind it as well -> That leaks the future, by one place. -> Token t + i
        may look at the places up to t + i.
    mask-inverted: your mask is turned round -> True means: may look. A new token looks at itself, and at what stands
        before it. -> Rows are the new tokens, columns the keys: `np.arange(t + n) <= places[:, None]`.
    mask-inverted-strictly: your mask is turned round -> True means: may look. Yours lets a new token look at what
        comes after it, and at nothing else. -> In row i, True belongs to the places up to t + i.
    mask-inverted-by-adding: your mask is turned round: the large negative number is added where a token may look, not
        where it may not -> A token then hears those that come after it. -> Take it off where the place is too late.
    mask-inverted-with-a-number: your mask is turned round: the large negative number stands where a token may look, and
        the last one, which may look everywhere, hears all alike -> `np.where(mask, ...)` takes its first value where
        the mask is True. True means: may look. -> The scores first, the number behind them.
    masked-by-plus: what may not be seen has a large positive score -> It then has all the weight. -> Minus: e to the
        power of a large negative number is 0.
    renormalised: the maximum is taken over what may not be seen as well -> On paper that is right. But if a forbidden
        score is far above the others, all allowed powers have been rounded to 0 before, and 0/0 is NaN. -> Mask first:
        minus infinity in the scores; then the softmax.
    no-softmax: the scores are weights: there is no softmax -> They may be negative, and do not sum to 1. -> Mask, then
        softmax, then the values.
    softmax-over-heads: your softmax runs along the heads, not along the keys -> The scores are (num_heads, n_new,
        t + n_new): axis 0 is that of the heads. -> `axis=-1`.
    softmax-over-all: your softmax runs over all rows and heads at once -> All weights together then sum to 1, instead
        of each row. -> `axis=-1, keepdims=True`, for the maximum and for the sum.
    mask-inverted-to-nan: your mask is turned round: a token may look at what comes after it, and the last one at
        nothing -> Where all scores are minus infinity, the softmax is 0/0. True means: may look. -> Minus infinity
        where a key's place lies *behind* the query's.
    old-keys-for-old-values: the old keys stand in front of the new values -> A line that was copied keeps what was not
        changed in it. -> Of the cache, `cache[0]` for the keys, and `cache[1]` for the values.
    old-values-for-old-keys: the old values stand in front of the new keys -> A line that was copied keeps what was not
        changed in it. -> Of the cache, `cache[0]` for the keys, and `cache[1]` for the values.
    new-keys-for-new-values: behind the old values stand the new keys -> A line that was copied keeps what was not
        changed in it. -> Behind `cache[0]` the new keys, behind `cache[1]` the new values.
    b_q-for-all: queries, keys and values all have the bias of the queries -> A copied line keeps its letter. -> `b_q`,
        `b_k` and `b_v`.
    b_v-for-b_o: at the end stands the bias of the values -> A copied line keeps its letter. -> `b_o`.
    W_v-for-W_o: at the end stands the matrix of the values -> A copied line keeps its letter. -> `W_o`.
    biases-before-matrices: `b_q`, `b_k` and `b_v` are added to what comes in, before its matrix -> It belongs behind
        that matrix, which would mix it. -> Times the matrix, and then plus the bias.
    biases-behind-the-turn: the biases of queries and keys are added behind the turn -> They are a part of a query and
        of a key, which is turned as a whole. -> Times the matrix, plus the bias, and then turn.
    b_v-for-b_k: your keys have the bias of the values -> A copied line keeps its letter. -> `b_k`.
    values-asked: keys and values have changed places in the attention -> The scores are then made with the values, and
        the keys are what is heard. -> `masked_attention(Q, K, V, mask)`.
    W_q-for-W_k: your keys are made with `W_q`, and get `b_k` -> A copied line keeps its letter. -> `W_k`, and `b_k`.
    base-for-queries-only: your keys are turned with the usual base, whatever `base` says -> Queries and keys have to be
        turned alike. -> Hand `base` on in both calls of `rotate`.
    mask-by-new-ones: the diagonal of your mask begins at the number of new tokens -> Row 0 is the first new token, and
        before it stand the t old ones. -> `np.tri(n_new, t + n_new, t)`.
    mask-one-short-of-new-ones: the diagonal of your mask begins one before the number of new tokens -> Row 0 is the
        first new token, and before it stand the t old ones. -> `np.tri(n_new, t + n_new, t)`.
    old-ones-alone: the new tokens look at the old ones only -> A new token looks at itself as well, and at new ones
        before it; without a cache there is nothing else. -> Token t + i may look at the places up to t + i.
    itself-alone-without-a-cache: without a cache each token hears itself only -> Several may come at once, also at
        first: each looks at those before it as well. -> The same mask, and the same attention, for every call.
    each-token-alone: each token hears itself only, and the cache that you return holds the last one only -> In a loop
        over the tokens, keys and values that are made anew in each round know nothing of the rounds before, nor of the
        cache. -> Put the new key and value behind those that are there, and go on with what that gives.
    triangle-in-front: in your mask the triangle stands in front, and the rest behind it -> Columns are the keys, and
        the old ones come first. A new token may look at all of these; what it may not see lies among the new ones. ->
        First the columns of the old tokens, then those of the new ones.
    triangle-for-old: your mask has a triangle for the old tokens, and lets all new ones be seen -> A new token may look
        at all that came before; what it may not see lies among the new ones. -> The triangle is for the new ones.
    two-triangles: your mask has a triangle for the old tokens, and another for the new ones -> A new token may look at
        all that came before. -> Of the old ones, everything is seen.
    triangle-turned: the triangle of your mask lies on the wrong side: a new token looks at the new ones behind it, and
        not at those before -> Row i of the mask is new token i: it looks at the columns up to its own. -> `np.tri`, or
        `np.tril`, and not turned round.
    not-itself: a new token does not look at itself -> It may look at the places up to its own, that one included. ->
        In row i, the last True stands at place t + i.
    new-alone: a new token looks at the old ones and itself, but not at the new ones before it -> They have been there
        before it, too. -> Token t + i may look at the places up to t + i.
    old-ignored: the new tokens look at new ones only -> Then nothing of what was read counts. -> Put the new keys and
        values behind those of the cache, and let the mask show the old ones.
    old-not-returned: the cache that you return holds the new tokens only -> The next call would know nothing of the
        text before. -> Return old and new, one behind the other.
    not-extended: the cache comes back as it went in -> The next call would not know these tokens. -> Return keys and
        values with the new ones behind the old.
    keys-stored-unturned: your cache holds the new keys unturned -> Those in it are turned already; who reads it cannot
        tell which are which. -> Turn the new keys first, then put them behind the old.
    turned-when-read: your cache is kept unturned, and all of it is turned in each call -> The keys that come in are
        turned already, so you turn them once more; and who gets yours expects turned ones. -> Turn the new keys only,
        before they are put behind the old.
    turned-again: the keys of the cache are turned once more -> They were turned when they were new, each to its own
        place; that does not change. -> Turn the new keys only.
    all-turned-again: new keys are turned, and then old and new are turned once more -> A key is turned once, to its own
        place, and stays so. -> Turn the new keys only, before they are put behind the old.
    queries-unturned: the queries are not turned -> Then a score depends on the key's own place, not on the distance. ->
        Turn queries and keys, each to its own place.
    keys-unturned: the keys are not turned -> Then a score depends on the query's own place, not on the distance. ->
        Turn queries and keys, each to its own place.
    nothing-turned: nothing is turned: positions are missing -> Then the model does not know which word came when. ->
        `rotate` queries and keys.
    rows-turned-first: the new tokens are turned, before they are made into queries and keys -> `rotate` is for queries
        and keys: after a matrix, nothing is left of the distance; and the values would hear of places too. -> Project,
        split, and then turn.
    rows-turned-whole: you turn whole rows, before they are split into heads -> The clocks run from fast to slow within
        each *head*. -> Split first, then turn.
    base-ignored=: `base` has no effect -> Models choose others than 10000. -> Hand it on to `rotate`.
    new-before-old: the new keys and values stand in front of the old ones -> Then their places and the mask do not fit,
        and the next call would read a text in another order. -> First what was kept, then what is new.
    each-new-in-front: in the cache that you return, each new token stands in front of all before it -> The next call
        would read a text in another order; what you add now is right only because each token sees all that is there. ->
        First what was kept, then what is new.
    new-keys-in-front: the new keys stand in front of the old ones, the new values behind -> Then a key no longer stands
        where its value does. -> First what was kept, then what is new, in both.
    new-values-in-front: the new values stand in front of the old ones, the new keys behind -> Then a key no longer
        stands where its value does. -> First what was kept, then what is new, in both.
    joined-on-another-axis: old and new are joined along the wrong axis -> A cache is (num_heads, t, d_k): tokens are
        axis 1. -> `np.concatenate([old, new], axis=1)`.
    old-ones-exchanged: the keys of the cache stand in front of the new values, and its values in front of the new keys
        -> A cache is (K, V), and both have the same shape, so that nothing complains. -> Keys first.
    b_k-for-b_v: the values get `b_k` -> A line that was copied keeps what was not changed in it. -> `W_v`, and `b_v`.
    matrices-exchanged: keys are made with what belongs to the values, and values with what belongs to the keys -> What
        a token is found by need not be what it says. -> `W_k` and `b_k` for K, `W_v` and `b_v` for V.
    b_q-for-b_v: the values get `b_q` -> A line that was copied keeps what was not changed in it. -> `W_v`, and `b_v`.
    b_k-for-b_q: the queries get `b_k` -> A line that was copied keeps what was not changed in it. -> `W_q`, and `b_q`.
    b_v-for-b_q: the queries get `b_v` -> A line that was copied keeps what was not changed in it. -> `W_q`, and `b_q`.
    W_k-for-W_q: the queries are made with `W_k`, and get `b_q` -> A line that was copied keeps what was not changed in
        it. -> `W_q`, and `b_q`.
    W_v-for-W_q: the queries are made with `W_v`, and get `b_q` -> A line that was copied keeps what was not changed in
        it. -> `W_q`, and `b_q`.
    W_v-for-W_k: your keys are made with `W_v`, and get `b_k` -> A line that was copied keeps what was not changed in
        it. -> `W_k`, and `b_k`.
    W_q-for-W_v: the values are made with `W_q`, and get `b_v` -> A line that was copied keeps what was not changed in
        it. -> `W_v`, and `b_v`.
    values-by-W_q: the values are made with `W_q` and `b_q` -> A line that was copied keeps what was not changed in it.
        -> `W_v`, and `b_v`.
    queries-by-W_v: the queries are made with `W_v` and `b_v` -> A line that was copied keeps what was not changed in
        it. -> `W_q`, and `b_q`.
    keys-by-W_v: your keys are made with `W_v` and `b_v` -> A line that was copied keeps what was not changed in it. ->
        `W_k`, and `b_k`.
    W_k-for-W_v: the values are made with `W_k`, and get `b_v` -> A line that was copied keeps what was not changed in
        it. -> `W_v`, and `b_v`.
    queries-keys-exchanged: queries are made with what belongs to the keys, and keys with what belongs to the queries
        -> Each token then asks as it should answer. -> `W_q` and `b_q` for queries, `W_k` and `b_k` for keys.
    queries-by-W_k: the queries are made with `W_k` and `b_k` -> A line that was copied keeps what was not changed in
        it. -> `W_q`, and `b_q`.
    values-by-W_k: the values are made with `W_k` -> What a token is found by need not be what it says. -> `W_v`, and
        `b_v`.
    b_o-alone: what the heads have heard does not go through `W_o`, only `b_o` is added -> The matrix brings their parts
        back into the columns of the model. -> After merging: times `W_o`, plus `b_o`.
    b_o-for-each-head: `b_o` is added once for each head -> It belongs to the layer, not to a head. -> Add it once,
        behind the sum over the heads.
    b_o-twice: `b_o` is added twice -> It belongs behind `W_o`, once. -> Look for it in all your lines.
    norm-inside: the new tokens go through a layer norm first -> In a block the norm stands in front of this layer; what
        comes in has been through it. -> Take `X_new` as it is.
    half-precision: the cache that you return is cut to few digits (`float16`) -> Each later token reads
        it, and errs by as much. -> Keep the numbers as they are.
    b_o-before-W_o: `b_o` is added before `W_o` -> It belongs behind that matrix, which would mix it. -> Merge, times
        `W_o`, and then plus `b_o`.
    biases-ignored: the biases are left out -> The layer was trained with all four. -> Add each behind its matrix.
    inner-biases-ignored: the biases of queries, keys and values are left out -> The layer was trained with them. -> Add
        each behind its matrix.
    no-b_q: `b_q` is not added -> It gives each query the same push. -> Add each bias behind its matrix.
    no-b_k: `b_k` is not added -> It gives each key the same push, before it is turned. -> Add each bias behind its
        matrix.
    no-b_v: `b_v` is not added -> It is a part of each value. -> Add each bias behind its matrix.
    one-head: there is one large head -> Each head looks its own way. -> `split_heads` with `num_heads`.
    last-row-only: you return the last new token's row alone -> Every new token has to go on to the next layer. -> One
        row for each new token.
    last-asks-for-all: only the last of the new tokens asks: its query stands in every row -> Several may come at once,
        and each has to go on to the next layer with what it has heard itself. -> All rows of Q.
    last-only: you return the last new token's row alone -> Every new token has to go on to the next layer. -> One row
        for each new token.
    bare-split: the heads are cut out by a bare `reshape` -> It reads the numbers row by row, and mixes tokens with
        heads. -> `split_heads` exchanges the axes as well.
    dealt-out: the heads are dealt out like cards: number 0 to the first, number 1 to the second, and so on -> The first
        d_k columns belong to the first head, the next d_k to the second. -> `reshape(n, num_heads, d_k)`, heads in
        front of d_k, and then exchange the axes; `split_heads` does so.
    dealt-out-at-merge: the heads are put together like cards: number 0 of each, then number 1 of each -> The first d_k
        columns belong to the first head, the next d_k to the second. -> `merge_heads`.
    no-exchange-at-merge: the heads are put together by a bare `reshape` -> Tokens and heads have to change places
        first. -> `merge_heads`.
    by-d_k: you divide the scores by d_k: by its root twice, or by d_k itself -> `masked_attention` divides by the root
        already; and by hand it is the root that belongs there. -> Once, and by the square root.
    by-sqrt-heads: you divide by the square root of the number of heads -> A score of a head adds up d_k products. ->
        d_k is what a head has: d_model // num_heads.
    by-sqrt-keys: you divide by the square root of the number of keys -> A score of a head adds up d_k products. -> d_k
        is what a head has.
    by-sqrt-new: you divide by the square root of the number of new tokens -> A score of a head adds up d_k products. ->
        d_k is what a head has.
    times-sqrt-d_k: you multiply the scores by the root of d_k -> Then they grow with d_k still more; the root is to
        take that away. -> Divide by it.
    scaled-weights: you divide by the root of d_k behind the softmax -> Then the weights do not sum to 1, and the
        softmax was as sure as without a scale. -> Divide the scores, before the softmax.
    by-sqrt-d_model: you divide by the square root of d_model -> A score of a head adds up d_k products. -> d_k is what
        a head has.
    projections-transposed
    inner-transposed: `W_q`, `W_k` and `W_v` are transposed -> A square matrix does not complain. -> Rows of tokens
        stand on the left of a matrix as it is: `X @ W`.
    W_q-transposed: `W_q` is transposed -> A square matrix does not complain. -> Rows of tokens stand on the left of a
        matrix as it is: `X @ W`.
    W_k-transposed: `W_k` is transposed -> A square matrix does not complain. -> Rows of tokens stand on the left of a
        matrix as it is: `X @ W`.
    W_v-transposed: `W_v` is transposed -> A square matrix does not complain. -> Rows of tokens stand on the left of a
        matrix as it is: `X @ W`.
    W_o-transposed: `W_o` is transposed -> A square matrix does not complain. -> Rows of tokens stand on the left of a
        matrix as it is: `X @ W`.
    sizes-with-cache: without old tokens all is right, with them your function ends with an error -> Sizes do not go
        together then. A cache is (num_heads, t, d_k): t is axis 1 of its keys, not the number of heads, and not the
        `len` of the pair. -> Print t, and the shapes before that line: one place for each new token; keys and values
        t + n_new; in the mask a row for each new token, a column for each key.
    """,
)
def cached_heads(X_new, cache, layer, num_heads, base=10000.0, wrong=frozenset()):
    """Causal attention of new tokens with a cache, with mistakes as switches."""
    X = np.asarray(X_new, dtype=float)
    X = layer_norm(X, np.ones(X.shape[1]), np.zeros(X.shape[1])) if "norm-inside" in wrong else X
    n, d = X.shape
    heads = 1 if "one-head" in wrong else num_heads
    base = number(wrong, "base-ignored", 10000.0) or base
    old = None if cache is None else tuple(np.asarray(part, dtype=float) for part in cache)
    if old is not None and "sizes-with-cache" in wrong:
        raise ValueError("mask must broadcast to the scores")
    t = 0 if old is None else old[0].shape[1]
    starts = {
        "places-from-0": 0,
        "places-from-1": t + 1,
        "places-one-early": max(t - 1, 0),
        "places-behind-the-new": t + n,
        "counted-from-0": 0,
        "counted-from-1": t + 1,
        "places-from-minus-1": t - 1,
        "counted-from-minus-1": t - 1,
        "counted-one-early": max(t - 1, 0),
        "turned-from-2t": 2 * t,
        "counted-from-2t": 2 * t,
    }
    if t:
        starts |= dict.fromkeys(("places-one-late-with-a-cache", "counted-one-late-with-a-cache"), t + 1)
        starts |= {"places-by-heads": num_heads, "places-by-d_k": d // num_heads}
        starts |= {"turned-by-heads": num_heads, "turned-by-d_k": d // num_heads}
        starts |= dict.fromkeys(("places-by-pair", "turned-by-pair"), 2)
    start = slip(wrong, starts, t)
    one_place = dict.fromkeys(("all-at-t", "all-turned-at-t"), t)
    one_place |= dict.fromkeys(("all-at-the-last", "all-turned-at-the-last"), t + n - 1)
    one_place |= {"all-turned-at-t-with-a-cache": t} if t else {}
    places = slip(wrong, {name: np.full(n, at) for name, at in one_place.items()}, np.arange(start, start + n))
    places = places[::-1] if wrong & {"places-backwards", "counted-backwards"} else places

    def turned(rows, at=places):
        if old is None and "unturned-without-a-cache" in wrong:
            return rows
        if "both-turned-back" in wrong:
            at = -at
        return _rotated(rows, at, base, wrong)

    copied = {"values-by-W_k": "qkk", "queries-by-W_k": "kkv", "keys-by-W_q": "qqv"}
    copied |= {"values-by-W_q": "qkq", "queries-by-W_v": "vkv", "keys-by-W_v": "qvv"}
    letters = slip(wrong, copied | {"matrices-exchanged": "qvk", "queries-keys-exchanged": "kqv"}, "qkv")
    by_letter = dict.fromkeys(letters, turned(X) if wrong & {"rows-turned-first", "rows-turned-for-scores"} else X)
    if "rows-turned-for-scores" in wrong:
        by_letter["v"] = X
    Q, K, V = (_heads(_projected(by_letter[one], layer, one, wrong), one, heads, turned, wrong) for one in letters)
    fresh = K
    if not wrong & {
        "rows-turned-whole",
        "rows-turned-first",
        "rows-turned-for-scores",
        "keys-unturned",
        "nothing-turned",
    }:
        at = slip(wrong, {"keys-from-0": np.arange(n), "keys-turned-back": -places}, places)
        K = rotate(K, at, 10000.0) if "base-for-queries-only" in wrong else turned(K, at)
    if not wrong & {
        "rows-turned-whole",
        "rows-turned-first",
        "rows-turned-for-scores",
        "queries-unturned",
        "nothing-turned",
    }:
        if "base-for-keys-only" in wrong:
            base = 10000.0
        others = {"queries-from-0": np.arange(n), "queries-turned-back": -places, "queries-at-t": np.full(n, t)}
        others |= {"queries-at-the-last": np.full(n, t + n - 1)}
        Q = turned(Q, slip(wrong, others, places))
    if "last-asks-for-all" in wrong:
        Q = np.broadcast_to(Q[:, -1:], Q.shape)
    if wrong & {"b_k-behind-the-turn", "biases-behind-the-turn"}:
        K = K + np.asarray(layer["b_k"], dtype=float).reshape(heads, 1, d // heads)
    if "biases-behind-the-turn" in wrong:
        Q = Q + np.asarray(layer["b_q"], dtype=float).reshape(heads, 1, d // heads)
    if "keys-by-turned-queries" in wrong:
        K = turned(Q)
    if "values-turned" in wrong:
        V = turned(V)
    if old is not None and "new-keys-for-new-values" in wrong:
        V = K
    new, stored = (K, V), (fresh if "keys-stored-unturned" in wrong else K, V)
    if "turned-when-read" in wrong:
        stored = fresh, V
    if old is not None and "old-values-for-old-keys" in wrong:
        old = old[1], old[1]
    if old is not None and "old-keys-for-old-values" in wrong:
        old = old[0], old[0]
    if old is not None and "old-ones-exchanged" in wrong:
        old = old[::-1]
    if old is not None and "old-ignored" not in wrong:
        as_kept = old
        if wrong & {"turned-again", "turned-when-read"}:
            old = rotate(old[0], np.arange(t), base), old[1]
        new, stored = _joined(old, new, wrong), _joined(as_kept if "turned-when-read" in wrong else old, stored, wrong)
    if "all-turned-again" in wrong:
        new = stored = rotate(new[0], np.arange(new[0].shape[1]), base), new[1]
    if "old-not-returned" in wrong:
        stored = tuple(part[:, -n:] for part in stored)
    if "not-extended" in wrong:
        stored = stored if old is None else old
    context = _attended(Q, *(new[::-1] if "values-asked" in wrong else new), n, d, places, wrong)
    if "each-new-in-front" in wrong:
        stored = tuple(np.concatenate((part[:, -n:][:, ::-1], part[:, :-n]), axis=1) for part in stored)
    if "each-token-alone" in wrong:
        stored = tuple(part[:, -1:] for part in stored)
    orders = {"no-exchange-at-merge": (0, 1, 2), "bare-both": (0, 1, 2), "dealt-out-at-merge": (1, 2, 0)}
    merged = context.transpose(slip(wrong, orders, (1, 0, 2))).reshape(n, d)
    merged = merged + (layer["b_v"] if "b_v-behind" in wrong else 0)
    W_o = _named("W", layer, "o", wrong)
    W_o = W_o.T if wrong & {"projections-transposed", "W_o-transposed"} else W_o
    through = {"no-W_o": merged, "b_o-alone": merged + layer["b_o"], "b_o-before-W_o": (merged + layer["b_o"]) @ W_o}
    added = slip(wrong, through, merged @ W_o)
    if not wrong & {*through, "no-b_o", "biases-ignored"} and not (old is None and "no-b_o-without-a-cache" in wrong):
        times = slip(wrong, {"b_o-for-each-head": heads, "b_o-twice": 2}, 1)
        added = added + times * _named("b", layer, "o", wrong)
    if "residual-added" in wrong:
        added = added + X
    stored = stored[::-1] if "keys-values-swapped-in-cache" in wrong else stored
    if "half-precision" in wrong:
        stored = tuple(part.astype(np.float16) for part in stored)
    added = slip(wrong, {"last-only": added[-1], "last-row-only": added[-1:]}, added)
    return added, *stored


def _named(kind, layer, letter, wrong):
    """The matrix or the bias of this letter, or the one that a copied line has in its place."""
    other = next((one for one in "qkvo" if f"{kind}_{one}-for-{kind}_{letter}" in wrong), letter)
    return np.asarray(layer[f"{kind}_{other}"], dtype=float)


def _projected(X, layer, letter, wrong):
    """Queries, keys or values of all heads, (n, d_model)."""
    W = _named("W", layer, letter, wrong)
    turned = wrong & {"projections-transposed", "inner-transposed", f"W_{letter}-transposed"}
    b = _named("b", layer, "q" if "b_q-for-all" in wrong else letter, wrong)
    later = {"k": {"b_k-behind-the-turn", "biases-behind-the-turn"}, "q": {"biases-behind-the-turn"}}
    later["v"] = {"b_v-behind"}
    if wrong & {f"no-b_{letter}", "biases-ignored", "inner-biases-ignored", *later.get(letter, ())}:
        b = 0 * b
    W = W.T if turned else W
    return (X + b) @ W if "biases-before-matrices" in wrong else X @ W + b


def _heads(rows, letter, heads, turned, wrong):
    """The rows split, (n, d_model) -> (heads, n, d_k)."""
    n, d = rows.shape
    if "rows-turned-whole" in wrong and letter in "qk":
        rows = turned(rows)
    if "dealt-out" in wrong:
        return rows.reshape(n, d // heads, heads).transpose(2, 0, 1)
    if wrong & {"bare-split", "bare-both"}:
        return rows.reshape(heads, n, d // heads)
    return rows.reshape(n, heads, d // heads).swapaxes(0, 1)


def _rotated(rows, at, base, wrong):
    if "turned-by-halves" not in wrong:
        return rotate(rows, at, base)
    half = rows.shape[-1] // 2
    beside = np.arange(2 * half).reshape(2, half).T.ravel()  # 0, half, 1, half + 1, ...
    return rotate(rows[..., beside], at, base)[..., np.argsort(beside)]


def _joined(old, new, wrong):
    """Old and new keys, old and new values."""
    axis = 0 if "joined-on-another-axis" in wrong else 1
    joined = []
    for before, after, name in zip(old, new, ("new-keys-in-front", "new-values-in-front"), strict=True):
        pair = (after, before) if wrong & {"new-before-old", name} else (before, after)
        joined.append(np.concatenate(pair, axis=axis))
    return tuple(joined)


def _attended(Q, K, V, n, d, places, wrong):
    """What the heads hear, (heads, n, d_k)."""
    keys = K.shape[1]
    t = keys - n
    i, j = np.arange(n)[:, None], np.arange(keys)
    masks = {
        "no-mask": np.ones((n, keys), dtype=bool),
        "no-mask-with-a-cache": (j >= 0) & ((i >= 0) if t else j <= i),
        "no-mask-without-a-cache": (j <= t + i) if t else (j >= 0) & (i >= 0),
        "first-rows-of-mask": j <= i,
        "not-itself": j < t + i,
        "one-too-far": j <= t + i + 1,
        "mask-inverted": j >= t + i,
        "mask-inverted-strictly": j > t + i,
        "mask-inverted-to-nan": j > t + i,
        "mask-inverted-by-adding": (j > t + i) | (i == n - 1),
        "mask-by-new-ones": j <= n + i,
        "as-far-as-the-first": np.broadcast_to(j <= t, (n, keys)),
        "cache-alone": np.broadcast_to(j < t, (n, keys)) if t else j <= i,
        "new-alone": (j < t) | (j == t + i),
        "each-token-alone": j == t + i,
        "itself-alone-without-a-cache": (j <= t + i) if t else j == i,
        "old-ones-alone": np.broadcast_to(j < t, (n, keys)),
        "mask-one-short-of-new-ones": j <= n - 1 + i,
        "mask-inverted-with-a-number": j > t + i,
        "triangle-in-front": (j <= i) | (j >= n),
        "triangle-for-old": (j <= i) | (j >= t),
        "two-triangles": (j <= t + i) & ((j <= i) | (j >= t)),
        "triangle-turned": (j < t) | (j >= t + i),
    }
    by_places = "counted-from-0", "counted-from-1", "places-by-heads", "places-by-d_k", "places-by-pair", "all-at-t"
    by_places += "all-at-the-last", "counted-from-minus-1", "counted-one-early", "counted-from-2t"
    by_places += "counted-one-late-with-a-cache", "counted-backwards"
    masks |= dict.fromkeys(by_places, j <= places[:, None])
    mask = np.tri(n, dtype=bool) if "square-mask" in wrong else slip(wrong, masks, j <= t + i)
    by = {"no-scale": 1.0, "by-sqrt-d_model": np.sqrt(d), "by-d_k": Q.shape[-1], "by-sqrt-heads": np.sqrt(len(Q))}
    by |= {"by-sqrt-keys": np.sqrt(keys), "by-sqrt-new": np.sqrt(n), "scaled-weights": 1.0}
    by |= {"times-sqrt-d_k": 1 / np.sqrt(Q.shape[-1])}
    scores = Q @ K.swapaxes(-1, -2) / slip(wrong, by, np.sqrt(Q.shape[-1]))
    if "no-softmax" in wrong:
        return np.where(mask, scores, 0.0) @ V
    if "scores-by-mask" in wrong:
        return softmax(scores * mask) @ V
    if "weights-by-mask" in wrong:
        return softmax(scores) * mask @ V
    axes = {"softmax-over-queries": 1, "softmax-over-heads": 0, "softmax-over-all": None}
    if wrong & axes.keys():
        return softmax(np.where(mask, scores, -1e9), axis=slip(wrong, axes, -1)) @ V
    if "renormalised" in wrong:
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
        with np.errstate(all="ignore"):
            return powers / powers.sum(axis=-1, keepdims=True) @ V
    scores = np.where(mask, scores, 1e30 if "masked-by-plus" in wrong else -(number(wrong, "masked-by", 10) or 1e30))
    if wrong & {"no-maximum", "sum-of-all"}:
        with np.errstate(all="ignore"):
            powers = np.exp(scores)
            axes = {"axis": -1, "keepdims": True} if "no-maximum" in wrong else {}
            return powers / powers.sum(**axes) @ V
    weights = softmax(scores)
    nothing = {"mask-inverted-to-nan": np.nan, "mask-inverted-with-a-number": weights}
    weights = np.where(mask.any(axis=-1, keepdims=True), weights, slip(wrong, nothing, 0.0))
    if added := number(wrong, "added-below", 1e-3):
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = powers / (powers.sum(axis=-1, keepdims=True) + added)
    return weights @ V / (np.sqrt(Q.shape[-1]) if "scaled-weights" in wrong else 1.0)
