import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p5_whole_models.n1_interpretability.shared import small_weights, weights_of
from grader.exercises.stages import number, slip


def heads(num_heads, n_queries, n_keys, d_v, d_model, dtype=float):
    """A function that draws the weights, values and output matrix of a layer."""

    def drawn(rng):
        made = {
            "weights": weights_of(rng, num_heads, n_queries, n_keys),
            "V": matrix(rng, num_heads, n_keys, d_v),
            "W_o": matrix(rng, num_heads * d_v, d_model),
        }
        return {name: value.astype(dtype) for name, value in made.items()}

    return drawn


def small(rng):
    return {
        "weights": small_weights(rng, 2, 2, 3),
        "V": tenths(rng, 2, 3, 2),
        "W_o": tenths(rng, 4, 3),
    }


def at_weight_one(rng):
    """As the notebook asks: what would each key add at weight 1?"""
    given = heads(3, 2, 5, 2, 7)(rng)
    return given | {"weights": np.ones_like(given["weights"])}


def opposite_heads_cancel(call, rng):
    given = heads(2, 3, 5, 2, 7)(rng)
    weights, V, W_o = (np.concatenate([one, one]) for one in given.values())
    W_o[4:] *= -1
    gap = np.abs(call(weights, V, W_o)).max()
    if gap < 1e-6:
        return None
    if np.isnan(gap):
        return "where two heads and two others say the opposite, your lengths are NaN"
    return f"two heads say what two others do, with opposite signs, and together still add a length of {gap:.3g}"


def keys_may_move(call, rng):
    weights, V, W_o = heads(3, 2, 5, 2, 7)(rng).values()
    order = np.roll(np.arange(5), int(rng.integers(1, 5)))
    gap = np.abs(call(weights[..., order], V[:, order], W_o) - call(weights, V, W_o)[:, order]).max()
    return None if gap < 1e-6 else f"a contribution changes by {gap:.3g} when the keys stand in another order"


TELLING = (
    "lengths-added", "lengths-averaged", "heads-averaged", "no-W_o", "no-W_o-summed", "weight-times-length",
    "weight-times-length-averaged", "strided-rows", "first-rows", "squared", "sum-of-entries", "sum-of-sizes",
    "rows-normalised", "weights-averaged", "norm-over-heads", "largest-head", "first-head-only", "last-head-only",
    "no-weights", "root-mean-square", "values-averaged", "largest-entry", "largest-of-row", "rows-of-all-heads",
    "sizes-of-both", "weights-themselves", "weights-themselves-summed", "means-multiplied", "sums-multiplied",
    "values-of-all-keys", "entries-added-norm-over-heads", "running-sums-measured", "shares-by-heads", "root-of-sum",
    "root-of-sizes", "root-of-size", "begins-with-ones", "largest-over-heads", "heads-turned-in-W_o",
    "renormalised-without", "added-under-the-root",
)  # fmt: skip


@function(
    points=4,
    returns="contributions",
    budget=4_000,
    cases=(
        Case("two heads, two queries, three keys", small, 0.25, telling=TELLING),
        Case("three heads, five queries, seven keys", heads(3, 5, 7, 2, 11), 0.15, telling=TELLING),
        Case("one head, all sizes 5", heads(1, 5, 5, 5, 5), 0.05, telling=("transposed-W_o",)),
        Case("as many columns as all heads have", heads(3, 2, 5, 2, 6), 0.1, telling=("transposed-W_o",)),
        Case("single precision", heads(3, 3, 5, 7, 2, np.float32), 0.1),
        Case("each key at weight 1", at_weight_one, 0.05),
        Case(
            "the example of the task",
            example(
                weights=np.array([[[0.6, 0.4]], [[0.5, 0.5]]]),
                V=np.array([[[0.1], [3.0]], [[1.0], [-2.0]]]),
                W_o=np.array([[2.0, 0.0], [1.0, 1.0]]),
            ),
            0.05,
        ),
    ),
    properties=(
        Property("heads that say the opposite cancel", opposite_heads_cancel, 0.1),
        Property("keys in another order contribute the same, in that order", keys_may_move, 0.05),
    ),
    mistakes="""
    query-axis-forgotten: what the heads say of the keys has no axis for the queries: NumPy lays the heads of the one
        array along the queries of the other -> Shapes are lined up from the right: (h, n_queries, n_keys, 1) beside
        (h, n_keys, d_model). -> `[:, None]` behind what is said: (h, 1, n_keys, d_model).
    d_v-from-d_model: you take d_model divided by the heads for d_v -> So it is in many layers, but not here: a head has
        as many numbers as `V` has columns. -> `d_v = V.shape[-1]`.
    W_o-whole: every head meets the whole of `W_o` -> It has h · d_v rows, d_v for each head. -> Split it first:
        `W_o.reshape(h, d_v, -1)`, or go head by head with `W_o[h * d_v : (h + 1) * d_v]`.
    weights-normalised: you divide the weights by their sums first -> They need not sum to 1 here: the notebook also
        asks what a key would add at weight 1. -> Take the weights as they are.
    lengths-added: you measure each head by itself, and add up or average the lengths -> Two heads may say the
        opposite: their vectors cancel, but their lengths do not. -> Add the vectors of all heads first, then measure.
    squares-over-heads: the squares of all heads are added up, and the root is missing -> In the layer the heads'
        vectors are added, and may cancel. -> Sum over the heads first, then take the norm along the last axis.
    lengths-averaged: you measure each head by itself, and add up or average the lengths -> Two heads may say the
        opposite: their vectors cancel, but their lengths do not. -> Add the vectors of all heads first, then measure.
    largest-head: you measure each head by itself, and take the largest length -> The heads' vectors are added in the
        layer, so what counts is their sum. -> Add the vectors of all heads first, then measure.
    norm-over-heads: the squares of all heads are added up under one root -> That measures the heads side by side, as if
        they stood at right angles; but in the layer their vectors are added, and may cancel. -> Sum over the heads
        first, then take the norm along the last axis.
    norm-over-heads-summed: you measure along the heads, and add up what is left of the columns -> In the layer
        heads' vectors are added; the length lies along their columns. -> Sum over axis 0, then the norm along the last.
    entries-added-norm-over-heads: you add up the entries of each vector, and measure along the heads -> It is the
        other way round: heads are added up in the layer, where they may cancel, and a vector's length is made of its
        entries. -> Sum over the heads, then take the norm along the last axis.
    largest-over-heads: of the heads' vectors you keep the largest number in each column -> In the layer the heads are
        added up. -> A sum over the axis of the heads, not a maximum.
    heads-turned-in-W_o: head 0 gets the last rows of `W_o`, and the last head the first -> The heads lie side by side
        in their order. -> From `h * d_v` to `(h + 1) * d_v` for head h.
    renormalised-without: you measure how far the context moves when the key is left out and the other weights are
        brought back to a sum of 1 -> So the notebook asks what happens without a token. Asked here is what the key
        adds: its own vector. -> The weight times the value through `W_o`, summed over the heads, and its norm.
    added-under-the-root=: a small number of yours is added under the root -> Then even nothing has a length. -> The
        root of the sum of squares as it is, or `np.linalg.norm`.
    running-sums-measured: in each round you measure all that has been added so far, and add up these lengths -> The
        first head is then in every one of them; asked is the length of the whole sum. -> Add vectors in the loop, and
        measure once, behind it.
    shares-by-heads: you divide the lengths of each head by their sums, and average over the heads -> Heads may say the
        opposite: their vectors cancel, but their lengths do not; and of shares one can no longer say how much arrives.
        -> Add the vectors of all heads first, then measure.
    heads-averaged: you average the heads' vectors -> In the layer the heads are added up: each has rows of `W_o` of its
        own. -> A sum over the heads, not a mean.
    no-W_o: `W_o` does not occur: you measure the weighted values, all heads side by side -> What reaches the token has
        gone through `W_o`, which may stretch one value and swallow another. -> Multiply each head's values by its rows
        of `W_o` before you add and measure.
    no-W_o-summed: `W_o` does not occur: you add the weighted values of all heads, and measure that -> A number in head
        0 and one in head 1 mean different things until `W_o` has brought them to the same columns. -> Multiply each
        head's values by its rows of `W_o` before you add and measure.
    weight-times-length: you add up, over the heads, weight times the length of the value -> What reaches the token has
        gone through `W_o`, and heads may cancel. -> Multiply each head's values by its rows of `W_o`, add the heads'
        vectors, and measure last.
    weight-times-length-averaged: you average, over the heads, weight times the length of the value -> What reaches the
        token has gone through `W_o`, and heads may cancel. -> Multiply each head's values by its rows of `W_o`, add the
        heads' vectors, and measure last.
    transposed-W_o: you take a head's columns of `W_o` instead of its rows -> The heads lie side by side as a row that
        is multiplied by `W_o` from the left, so head 0 meets the first *rows*. A square matrix does not complain. ->
        Cut `W_o` along its first axis.
    strided-rows: the rows of `W_o` are dealt out to the heads one by one, like cards -> The heads lie side by side:
        head 0 owns the first d_v rows, in one piece. -> Reshape so that the axis of the heads comes before that of d_v.
    reshaped-to-columns: `W_o` is reshaped to (h, d_model, d_v), and turned -> A reshape keeps the numbers in their
        order: so a block holds pieces of rows. -> `W_o.reshape(h, d_v, d_model)`: rows first, as `W_o` has them.
    first-rows: every head gets the first rows of `W_o` -> Each has d_v rows of its own. -> Move on by d_v rows from
        head to head.
    start-moved-once: the slice of `W_o` moves on once, and then stays: all heads but the first get the rows of head 1
        -> Each has d_v rows of its own. -> Head h begins at `h * d_v`; a start that moves on is *raised* by d_v in each
        round, `start += d_v`.
    rows-of-all-heads: every head goes through the sum of all heads' rows of `W_o` -> Each has d_v rows of its own. ->
        Head 0 meets the first d_v rows alone, head 1 the next ones.
    sizes-of-both: you multiply weight, length of the value and size of the head's rows of `W_o`, and add that up -> How
        long a value is after `W_o` depends on where it points, and heads may cancel. -> Multiply the value by the rows,
        as a vector; add the heads' vectors, and measure last.
    not-measured: you return what each key adds, a vector, and not how long it is -> A contribution is one number for
        each query and key. -> The norm along the last axis, last of all.
    keys-for-heads: you add up over the keys, where the heads should be, and measure head by head -> What a key brings
        is what *all heads* add of it. -> Sum over the axis of the heads, and keep that of the keys.
    last-head-lost: the last head is left out -> The end of a `range` is not included. -> `range(h)` goes to the
        last.
    first-head-lost: the first head is left out -> Heads are counted from 0. -> `range(h)` begins with 0.
    squared: the root is missing: these are squares of lengths -> A length is the root of the sum of squares. -> Take
        `np.linalg.norm`, or a root at the end.
    root-of-sum: you take the root of the sum of the entries, which were never squared -> Of a negative sum there is no
        root, but NaN; a length is the root of the sum of *squares*. -> Square first, or take `np.linalg.norm` along the
        last axis.
    root-of-sizes: you take the root of the sum of the entries' sizes, which were never squared -> A length is the root
        of the sum of *squares*. -> Square first, or take `np.linalg.norm` along the last axis.
    root-of-size: you take the root of the sum of the entries, less its sign; they were never squared -> Entries of both
        signs cancel; a length is the root of the sum of *squares*. -> Square first, or take `np.linalg.norm` along the
        last axis.
    half-of-squares: your numbers are half of the squares of the lengths -> `** 1 / 2` is the first power, halved. ->
        `** 0.5`, or `np.linalg.norm`.
    sizes-before-heads: you take the sizes of the entries before you add up the heads -> What two heads say may cancel;
        sizes never do. -> Add the heads' vectors as they are, then measure.
    sum-of-sizes: you add up the sizes of the entries -> The length asked for is the ordinary one, the root of the sum
        of squares. -> Take `np.linalg.norm` along the last axis.
    size-of-sum: you take the size of the sum of each vector's entries -> That is its length where it has one entry
        only, as by hand; else entries of both signs cancel. -> Take `np.linalg.norm` along the last axis.
    missing-without: you measure by how much the context is shorter without the key -> Asked is how long that is which
        the key adds: it may stand across the rest, and shorten nothing. -> The norm of what each key adds.
    percent-of-row: your rows are divided by their sums, and are per cent -> Then one can no longer say how much arrives
        at all. -> The lengths as they are; shares come later.
    sum-of-entries: you add up the entries of each vector -> Entries of both signs cancel; a length is the root of the
        sum of squares. -> Take `np.linalg.norm` along the last axis.
    largest-entry: you take the largest entry of each vector, in size -> The length asked for is the ordinary one, the
        root of the sum of squares. -> Take `np.linalg.norm` along the last axis.
    root-mean-square: your lengths are too short by the root of d_model: you took a mean of squares -> A length adds its
        squares. -> Take `np.linalg.norm` along the last axis.
    rows-normalised: your rows are divided by their sums -> Then one can no longer say how much arrives at all. -> The
        lengths as they are; shares come later.
    largest-of-row: your rows are divided by their largest number -> Then one can no longer say how much arrives at all.
        -> The lengths as they are; shares come later.
    shares-of-context: you divide by the length of the whole context -> Then one can no longer say how much arrives at
        all; and lengths of parts do not add up to that of the whole. -> The lengths as they are; shares come later.
    projected: you measure how far each vector reaches in the direction of the whole context -> Asked is how long it is:
        what points elsewhere counts as well. -> The norm of each vector, along the last axis.
    projected-share: you measure which share of the whole context each vector makes up, in its direction -> Asked is how
        long it is: what points elsewhere counts as well. -> The norm of each vector, along the last axis.
    whole-numbers-kept: the decimals of what the heads add are lost -> An array that was made for whole numbers cuts off
        what is written into it. -> `np.zeros(...)` without a `dtype`.
    weights-themselves: these are the weights, heads averaged or added up: no value occurs -> A weight says how much of
        a value is taken, not how much that is. -> Weigh what each key says, add the heads' vectors, and measure.
    weights-themselves-summed: these are the weights, heads averaged or added up: no value occurs -> A weight says how
        much of a value is taken, not how much that is. -> Weigh what each key says, add the heads' vectors, and
        measure.
    means-multiplied: you multiply the mean of the heads' weights by the length of the mean of their values -> Each
        head's weight belongs to its own value, and that to the head's own rows of `W_o`. -> Go head by head; add the
        heads' vectors, and measure last.
    sums-multiplied: you multiply the sum of the heads' weights by the length of the sum of their values -> Each head's
        weight belongs to its own value, and that to the head's own rows of `W_o`. -> Go head by head; add the heads'
        vectors, and measure last.
    weights-averaged: you add up or average the weights over the heads before they meet the values -> Each
        head's weight belongs to its own value. -> Weigh head by head, add the vectors up, then measure.
    weights-summed: you add up or average the weights over the heads before they meet the values -> Each
        head's weight belongs to its own value. -> Weigh head by head, add the vectors up, then measure.
    values-averaged: you average the values over the heads before they meet the weights -> Each head's weight belongs to
        its own value. -> Weigh head by head, add the vectors up, then measure.
    values-of-all-keys: each weight meets the sum of all keys' values -> What a query takes from key j is a share of the
        value of key j. In an `einsum`, two letters for the keys are two axes. -> The key's index, or letter, is one and
        the same in `weights` and in `V`.
    values-reshaped: you put the heads' values side by side by a bare reshape -> A row then holds the numbers of several
        keys. -> The keys come first, then the heads: exchange these axes before you reshape, or go head by head.
    parts-reshaped: the weighted values of all heads are put side by side by a bare reshape -> A row then holds the
        numbers of several keys or queries. -> The axis of the heads has to stand before that of d_v when you reshape:
        exchange axes first, or go head by head.
    weights-tiled: the weights are dealt out to the columns one by one, like cards -> Head 0 owns the first d_v columns,
        in one piece. -> `np.repeat`, not `np.tile`.
    begins-with-ones: your sum begins with ones -> They stay in every vector, as if one more head had said them. ->
        Begin with zeros.
    first-head-only: only the first head counts -> The layer adds up all heads. And a `return` inside a loop ends it in
        its first round. -> Sum over the heads before you measure, and return behind the loop.
    last-head-only: only the last head counts -> In the loop each head replaces the one before. -> Add each head's
        vectors to what is there already, and measure behind the loop.
    values-of-queries: each weight meets the value of the query's token, not that of the key -> Query and key are two
        places: what is taken is the key's. -> The value has the index of the key, the last one of the weights.
    sum-goes-on: what the keys before have added stays in the sum -> Then the last key seems to bring the whole context.
        -> Begin anew with zeros for each key.
    sum-goes-on-for-all: your sum is never begun anew, neither for a key nor for a query -> Then every length is that of
        all that came before as well. -> Begin with zeros for each query and key.
    rows-one-further: the slices of `W_o` move on by one row from head to head -> Each head has d_v rows of its own. ->
        From `h * d_v` to `(h + 1) * d_v`.
    no-weights: the weights do not occur -> A key adds its value in proportion to its weight. -> Multiply each value by
        its weight.
    heads-apart: you return the lengths head by head -> Asked is one length for each query and key: that of what all
        heads add together. -> Sum over the axis of the heads before you measure.
    context-itself: you add up the keys as well: that is the whole context, a vector for each query -> The question is
        what each key brings to it. -> Keep the axis of the keys: (n_queries, n_keys, d_model), and measure along the
        last.
    context-without-key: you measure what is left of the context without the key -> That is what all the others add. ->
        Measure what the key itself adds.
    keys-like-queries: of the keys, only as many are asked as there are queries -> The other columns stay as they were
        made. -> Two loops: over n_queries, and over n_keys.
    context-lengths: you added up the keys as well: that is the length of the whole context -> The question is what each
        key brings to it. -> Keep the axis of the keys: (n_queries, n_keys, d_model) before you measure.
    norm-over-queries: you measure along the queries, not along the columns -> The vector that a key adds to a query
        lies along d_model. -> Take the norm along the last axis of (n_queries, n_keys, d_model).
    norm-over-keys: you measure along the keys, not along the columns -> The vector that a key adds to a query lies
        along d_model. -> Take the norm along the last axis of (n_queries, n_keys, d_model).
    """,
)
def head_contributions(weights, V, W_o, wrong=frozenset()):
    """How much each key adds to each query, with mistakes as switches."""
    weights, V, W_o = (np.asarray(one, dtype=float) for one in (weights, V, W_o))
    num_heads, _, d_v = V.shape
    if "W_o-whole" in wrong:
        return np.linalg.norm(np.einsum("hqk,hkd,dm->qkm", weights, V, W_o), axis=-1)
    if "d_v-from-d_model" in wrong and W_o.shape[1] // num_heads != d_v:
        raise ValueError("W_o cannot be reshaped so")
    if "weights-normalised" in wrong:
        weights = weights / weights.sum(axis=-1, keepdims=True)
    if "weights-averaged" in wrong:
        weights = np.broadcast_to(weights.mean(axis=0), weights.shape)
    if "weights-summed" in wrong:
        weights = np.broadcast_to(weights.sum(axis=0), weights.shape)
    if "values-averaged" in wrong:
        V = np.broadcast_to(V.mean(axis=0), V.shape)
    if "values-of-all-keys" in wrong:
        V = np.broadcast_to(V.sum(axis=1, keepdims=True), V.shape)
    if "no-weights" in wrong:
        weights = np.ones_like(weights)
    fusions = {
        "weights-themselves": lambda: weights.mean(axis=0),
        "weights-themselves-summed": lambda: weights.sum(axis=0),
        "means-multiplied": lambda: weights.mean(axis=0) * np.linalg.norm(V.mean(axis=0), axis=-1),
        "sums-multiplied": lambda: weights.sum(axis=0) * np.linalg.norm(V.sum(axis=0), axis=-1),
    }
    if fused := slip(wrong, fusions, None):
        return fused()
    if "sizes-of-both" in wrong:
        sizes = np.linalg.norm(W_o.reshape(num_heads, -1), axis=-1)
        return (weights * (np.linalg.norm(V, axis=-1) * sizes[:, None])[:, None]).sum(axis=0)
    if wrong & {"weight-times-length", "weight-times-length-averaged"}:
        sizes = weights * np.linalg.norm(V, axis=-1)[:, None]
        return sizes.sum(axis=0) / (num_heads if "weight-times-length-averaged" in wrong else 1)
    if "no-W_o" in wrong:
        return np.sqrt((weights**2 * (V**2).sum(axis=-1)[:, None]).sum(axis=0))
    if "no-W_o-summed" in wrong:
        return np.linalg.norm(np.einsum("hqk,hkd->qkd", weights, V), axis=-1)
    if "values-reshaped" in wrong:
        each = weights.sum(axis=0)[..., None] * (V.reshape(V.shape[1], -1) @ W_o)
        return np.linalg.norm(each, axis=-1)
    if "parts-reshaped" in wrong:
        parts = weights[..., None] * V[:, None]
        return np.linalg.norm(parts.reshape(*parts.shape[1:3], -1) @ W_o, axis=-1)
    if "weights-tiled" in wrong:
        side_by_side = V.swapaxes(0, 1).reshape(V.shape[1], -1)
        return np.linalg.norm(np.tile(np.moveaxis(weights, 0, -1), d_v) * side_by_side @ W_o, axis=-1)
    if "transposed-W_o" in wrong:
        W_o = W_o.T
    blocks = {
        "strided-rows": lambda: np.stack([W_o[h::num_heads] for h in range(num_heads)]),
        "reshaped-to-columns": lambda: W_o.reshape(num_heads, -1, d_v).mT,
        "rows-of-all-heads": lambda: W_o.reshape(num_heads, d_v, -1).sum(axis=0),
        "start-moved-once": lambda: np.stack([W_o[d_v * (h > 0) :][:d_v] for h in range(num_heads)]),
        "rows-one-further": lambda: np.stack([W_o[h : h + d_v] for h in range(num_heads)]),
        "heads-turned-in-W_o": lambda: W_o.reshape(num_heads, d_v, -1)[::-1],
        "first-rows": lambda: np.broadcast_to(W_o[:d_v], (num_heads, *W_o[:d_v].shape)),
    }
    said = V @ slip(wrong, blocks, lambda: W_o.reshape(num_heads, d_v, -1))()
    heard = said if "query-axis-forgotten" in wrong else said[:, None]
    if "values-of-queries" in wrong:
        heard = said[:, np.arange(weights.shape[1]) % said.shape[1], None]
    each = weights[..., None] * heard  # (h, n_queries, n_keys, d_model)
    if "last-head-lost" in wrong:
        each = each[:-1]
    if "first-head-lost" in wrong:
        each = each[1:]
    lengths = np.linalg.norm(each, axis=-1)
    if "heads-apart" in wrong:
        return lengths
    if "not-measured" in wrong:
        return each.sum(axis=0)
    apart = {
        "lengths-added": lambda: lengths.sum(axis=0),
        "lengths-averaged": lambda: lengths.mean(axis=0),
        "largest-head": lambda: lengths.max(axis=0),
        "squares-over-heads": lambda: (lengths**2).sum(axis=0),
        "norm-over-heads": lambda: np.sqrt((lengths**2).sum(axis=0)),
        "norm-over-heads-summed": lambda: np.linalg.norm(each, axis=0).sum(axis=-1),
        "entries-added-norm-over-heads": lambda: np.linalg.norm(each.sum(axis=-1), axis=0),
        "running-sums-measured": lambda: np.linalg.norm(each.cumsum(axis=0), axis=-1).sum(axis=0),
        "shares-by-heads": lambda: (lengths / lengths.sum(axis=-1, keepdims=True)).mean(axis=0),
        "keys-for-heads": lambda: np.linalg.norm(each.sum(axis=2), axis=-1),
    }
    if measured := slip(wrong, apart, None):
        return _shared(measured(), wrong)

    def in_whole_numbers():
        added = np.zeros(each.shape[1:])
        for one in each:
            added = np.trunc(added + one)
        return added

    def moved():
        whole = each.sum(axis=2, keepdims=True)
        left = weights.sum(axis=-1, keepdims=True) - weights
        return whole - (whole - each) / left[..., None]

    ways = {
        "largest-over-heads": lambda: each.max(axis=0),
        "renormalised-without": lambda: moved().sum(axis=0),
        "heads-averaged": lambda: each.mean(axis=0),
        "begins-with-ones": lambda: 1 + each.sum(axis=0),
        "first-head-only": lambda: each[0],
        "last-head-only": lambda: each[-1],
        "whole-numbers-kept": in_whole_numbers,
        "sizes-before-heads": lambda: np.abs(each).sum(axis=0),
    }
    added = slip(wrong, ways, lambda: each.sum(axis=0))()
    if "sum-goes-on" in wrong:
        added = added.cumsum(axis=1)
    if "sum-goes-on-for-all" in wrong:
        added = added.reshape(-1, added.shape[-1]).cumsum(axis=0).reshape(added.shape)
    if "context-itself" in wrong:
        return added.sum(axis=1)
    if "context-without-key" in wrong:
        added = added.sum(axis=1, keepdims=True) - added
    if "context-lengths" in wrong:
        return np.linalg.norm(added.sum(axis=1), axis=-1)
    if "norm-over-queries" in wrong:
        return np.linalg.norm(added, axis=0)
    if "norm-over-keys" in wrong:
        return np.linalg.norm(added, axis=1)
    whole = added.sum(axis=1, keepdims=True)
    measures = {
        "projected": lambda: (added * whole).sum(axis=-1) / np.linalg.norm(whole, axis=-1),
        "projected-share": lambda: (added * whole).sum(axis=-1) / (whole**2).sum(axis=-1),
        "half-of-squares": lambda: (added**2).sum(axis=-1) / 2,
        "squared": lambda: (added**2).sum(axis=-1),
        "sum-of-entries": lambda: added.sum(axis=-1),
        "size-of-sum": lambda: np.abs(added.sum(axis=-1)),
        "root-of-sum": lambda: np.sqrt(added.sum(axis=-1)),
        "root-of-sizes": lambda: np.sqrt(np.abs(added).sum(axis=-1)),
        "root-of-size": lambda: np.sqrt(np.abs(added.sum(axis=-1))),
        "missing-without": lambda: np.linalg.norm(whole, axis=-1) - np.linalg.norm(whole - added, axis=-1),
        "sum-of-sizes": lambda: np.abs(added).sum(axis=-1),
        "largest-entry": lambda: np.abs(added).max(axis=-1),
        "root-mean-square": lambda: np.sqrt((added**2).mean(axis=-1)),
    }
    found = slip(wrong, measures, lambda: np.linalg.norm(added, axis=-1))()
    if little := number(wrong, "added-under-the-root", 1e-3):
        found = np.sqrt(found**2 + little)
    if "keys-like-queries" in wrong:
        found[:, len(found) :] = 0
    if "shares-of-context" in wrong:
        return found / np.linalg.norm(added.sum(axis=1), axis=-1, keepdims=True)
    return _shared(found, wrong)


def _shared(lengths, wrong):
    """Lengths, or what somebody divides them by."""
    if "largest-of-row" in wrong:
        return lengths / lengths.max(axis=-1, keepdims=True)
    if wrong & {"rows-normalised", "percent-of-row"}:
        lengths = lengths / lengths.sum(axis=-1, keepdims=True)
    return 100 * lengths if "percent-of-row" in wrong else lengths
