from functools import partial
from itertools import combinations

import numpy as np

from attnlib import masked_attention
from grader.exercises.inputs import far_apart, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n5_multi_head.merge_heads import merge_heads
from grader.exercises.p3_multi_head.n5_multi_head.split_heads import split_heads
from grader.exercises.stages import divisor, score, sources, weigh_masked


def _pairs(rng, n_queries, n_keys):
    """A mask with two True and a False in every row, and a True in every column."""
    while True:
        mask = np.array([rng.permutation(np.arange(n_keys) < rng.integers(2, n_keys)) for _ in range(n_queries)])
        if mask.any(axis=0).all():
            return mask


def _layer(rng, n_queries, n_keys, num_heads, d_k, *, batch=(), biases=True, mask="", draw=matrix):
    """Inputs of a layer with d_model = num_heads * d_k; a mask is never all or nothing."""
    d_model = num_heads * d_k
    inputs = {"X_q": draw(rng, *batch, n_queries, d_model), "X_kv": draw(rng, *batch, n_keys, d_model)}
    size = 1.0 if draw is tenths else 1.5 / np.sqrt(d_model)
    inputs |= {name: size * draw(rng, d_model, d_model) for name in ("W_q", "W_k", "W_v", "W_o")}
    inputs["num_heads"] = num_heads
    if mask == "pairs":
        inputs["mask"] = _pairs(rng, n_queries, n_keys)
    if mask == "padding":
        lengths = rng.permutation(np.arange(2, n_keys))[: batch[0]]
        inputs["mask"] = np.arange(n_keys) < lengths[:, None, None]  # (batch, 1, n_keys)
    if biases:
        inputs |= {name: matrix(rng, d_model) for name in ("b_q", "b_k", "b_v", "b_o")}
    return inputs


def _all_but(left_out, rng):
    """A layer that has all biases but one."""
    inputs = _layer(rng, 3, 5, 7, 2)
    return {name: value for name, value in inputs.items() if name != left_out}


def _large(rng):
    """Scores of some 100,000 in every head; one is forbidden, for some queries the highest, for others the lowest."""
    num_heads, d_k = 3, 2
    source = -np.abs(far_apart(rng, 5))
    inputs = _layer(rng, 3, 5, num_heads, d_k, biases=False)
    asks, answers = matrix(rng, num_heads * d_k), matrix(rng, num_heads * d_k)
    q = (asks @ inputs["W_q"]).reshape(num_heads, d_k)
    k = np.sqrt(d_k) * q / (q * q).sum(axis=-1, keepdims=True)
    inputs["W_k"] = np.outer(answers, k.ravel()) / (answers @ answers)
    inputs |= {"X_q": np.outer(far_apart(rng, 3), asks), "X_kv": np.outer(source, answers)}
    return inputs | {"mask": np.broadcast_to(source > source.min(), (3, 5)).copy()}


def _itself(inputs):
    """The same inputs as self-attention."""
    return {**inputs, "X_kv": inputs["X_q"].copy()}


def _the_example(rng):
    return {name: np.eye(2) for name in ("X_q", "X_kv", "W_q", "W_k", "W_v", "W_o")} | {"num_heads": 2}


def _arguments(inputs):
    """Positional and keyword arguments of a call."""
    optional = {name: value for name, value in inputs.items() if name in OPTIONAL}
    return [value for name, value in inputs.items() if name not in optional], optional


def _on_queries_too(mask, Q, K):
    """A padding mask that hides padded queries, too, where there are as many queries as keys."""
    return (mask & mask.mT if Q.shape[-2] == K.shape[-2] else mask)[..., None, :, :]


def _tiled(mask, Q, K):
    """Copies of a batch's mask for all heads, in the order of `np.tile`, taken for that of `np.repeat`."""
    return np.tile(mask, (Q.shape[-3], 1, 1)).reshape(*Q.shape[:-2], *mask.shape[-2:])


#: What becomes of the mask of a batch, by mistake.
IN_A_BATCH = {
    "queries-masked": _on_queries_too,
    "queries-masked-and-filled": _on_queries_too,
    "mask-tiled": _tiled,
    "mask-ignored-in-batch": lambda mask, Q, K: np.ones((Q.shape[-2], K.shape[-2]), dtype=bool),
    "mask-inverted-in-batch": lambda mask, Q, K: ~mask[..., None, :, :],
}


def _met(mask, Q, K, V, sequences, wrong):
    """The mask as it meets the scores; None where all is allowed."""
    shared = mask is not None and mask.ndim == 2 and Q.ndim > 3
    if "mask-by-sentences" in wrong and shared:
        return mask[: len(Q), None, None]
    if "first-mask-always" in wrong and Q.ndim > 3 and mask is not None:
        return mask[0]
    if "mask-lifted-in-batch" in wrong and shared:
        return mask[:, None]
    if mask is None:
        n_queries, n_keys = map(len, sequences) if "own-mask-front" in wrong else (Q.shape[-2], K.shape[-2])
        own = np.ones((n_queries, n_queries if "own-mask-square" in wrong else n_keys), dtype=bool)
        if wrong & {"no-boolean-mask", "mask-handed-on"}:
            masked_attention(Q, K, V, own.astype(float))  # refuses what is not boolean
        if "mask-none-asked" in wrong:
            return mask.ndim
        if "mask-none-lifted" in wrong:
            return mask[:, None]
        if "own-mask-lifted" in wrong:
            return own[:, None]
        return own if wrong & {"own-mask-square", "own-mask-front"} else None
    mask = np.asarray(mask)
    if mask.ndim > 2 and (found := wrong & IN_A_BATCH.keys()):
        return IN_A_BATCH[next(iter(found))](mask, Q, K)
    if wrong & {"mask-always-lifted", "own-mask-lifted", "mask-none-lifted"}:
        return mask[:, None]
    return mask[..., None, :, :] if mask.ndim > 2 and not wrong & {"mask-not-lifted", "mask-handed-on"} else mask


BIASES = ("b_q", "b_k", "b_v", "b_o")
OPTIONAL = ("mask", *BIASES)
#: Which biases have to be there for one to be added, by mistake; else each is asked by itself.
ASKED = {
    "biases-unguarded": dict.fromkeys(BIASES, ()),
    "a-bias-unguarded": {"b_o": ()},
    "biases-together": dict.fromkeys(BIASES[:3], BIASES[:3]),
    "biases-all-or-none": dict.fromkeys(BIASES, BIASES),
    "biases-tied": {"b_k": ("b_v",)},
}


def _there(biases, wrong):
    """The biases as they are added: 0 where one is taken to be missing."""
    asked = {name: (name,) for name in BIASES}
    for one in wrong:
        name, _, of = one.partition(" asks ")
        asked |= ASKED.get(one, {name: tuple(of.split())} if name in BIASES else {})
    return [0.0 if any(biases[one] is None for one in asked[name]) else biases[name] for name in BIASES]


def _close(outcome, expected):
    """True if both results are right, as far as biases go."""
    if not isinstance(outcome.value, (tuple, list)) or len(outcome.value) != len(expected.value):
        return False
    try:
        parts = [np.asarray(one, dtype=float) for one in outcome.value]
    except (TypeError, ValueError):  # texts, dicts, rows of different lengths
        return False
    return all(
        one.shape == other.shape and np.allclose(one, other, atol=1e-3)
        for one, other in zip(parts, expected.value, strict=True)
    )


def suspected(record):
    """What somebody may have done to some biases only: not asked whether one is None, or added it too early."""
    words = {one.id: (one.looks_like, one.cause, one.cure) for one in multi_head_attention.misconceptions}

    def asking(names, of, itself=False):
        return frozenset(f"{name} asks {' '.join([*of, *[name] * itself])}" for name in names)

    right = {0: True, 4: True}  # without any bias, and with all of them
    for _, optional, outcome, expected in record:
        count = sum(optional.get(name) is not None for name in BIASES)
        right[count] = right.get(count, True) and _close(outcome, expected)
    if right[0] and not right[4]:
        yield from (("biases-first", words["biases-first"], {f"{name} first"}) for name in ("b_q", "b_v"))
    if right[4] and not right.get(3, True):
        for names in (some for count in (1, 2, 3) for some in combinations(BIASES, count)):
            yield "a-bias-unguarded", words["a-bias-unguarded"], asking(names, ())
            listed = f"{' and '.join(f'`{name}`' for name in names)} {'is' if len(names) == 1 else 'are'}"
            for other in (one for one in BIASES if one not in names):
                tied = f"you ask `{other}` whether {listed} to be added"
                for itself in (False, True):
                    yield "biases-tied", (tied, *words["biases-tied"][1:]), asking(names, (other,), itself)
        yield "biases-together", words["biases-together"], asking(BIASES[:3], BIASES)


def _rows_of_every_head_sum_to_one(call, rng):
    arguments, optional = _arguments(_layer(rng, 5, 7, 3, 2))
    weights = call(*arguments, **optional)[1]
    totals = weights.sum(axis=-1).ravel()
    worst = totals[np.abs(totals - 1).argmax()]
    return None if abs(worst - 1) < 1e-3 else f"a row of weights sums to {worst:.4g}"


def _forbidden_is_zero(call, rng):
    arguments, optional = _arguments(_layer(rng, 5, 7, 3, 2, mask="pairs"))
    weights = call(*arguments, **optional)[1]
    largest = np.abs(weights[:, ~optional["mask"]]).max()
    return None if largest < 1e-6 else f"a forbidden key has the weight {largest:.3g}"


def _key_bias_changes_nothing(call, rng):
    arguments, optional = _arguments(_layer(rng, 3, 5, 7, 2))
    first = call(*arguments, **optional)[0]
    second = call(*arguments, **{**optional, "b_k": matrix(rng, 14)})[0]
    difference = np.abs(first - second).max()
    return None if difference < 1e-3 * (1 + np.abs(first).max()) else f"it moves a context by {difference:.3g}"


@function(
    points=4,
    task="write `multi_head_attention(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, ...)`",
    returns=("context", "weights"),
    keywords=OPTIONAL,
    suspects=suspected,
    cases=(
        Case(
            "five tokens ask seven, three heads", lambda rng: _layer(rng, 5, 7, 3, 2, biases=False, draw=tenths), 0.15
        ),
        Case("with biases", lambda rng: _layer(rng, 7, 11, 5, 3), 0.05),
        *(Case(f"with all biases but `{name}`", partial(_all_but, name), 0.025) for name in BIASES),
        Case("the example of the task", _the_example, 0.05),
        Case("with a mask", lambda rng: _layer(rng, 5, 7, 3, 5, mask="pairs"), 0.1),
        Case("self-attention, all sizes equal", lambda rng: _itself(_layer(rng, 5, 5, 5, 5, biases=False)), 0.05),
        Case("a batch of two", lambda rng: _layer(rng, 3, 7, 5, 2, batch=(2,)), 0.05),
        Case("a batch with a padding mask", lambda rng: _layer(rng, 3, 7, 5, 2, batch=(2,), mask="padding"), 0.05),
        Case(
            "self-attention of a batch with a padding mask",
            lambda rng: _itself(_layer(rng, 7, 7, 5, 2, batch=(2,), mask="padding")),
            0.05,
        ),
        # as many queries as heads, so that a mask which meets the heads' axis raises no error
        Case("a batch with one mask for all", lambda rng: _layer(rng, 5, 7, 5, 2, batch=(2,), mask="pairs"), 0.05),
        Case("scores of some 100,000, masked", _large, 0.05),
    ),
    properties=(
        Property("each row of each head's weights sums to 1", _rows_of_every_head_sum_to_one, 0.05),
        Property("a forbidden key has weight 0 in every head", _forbidden_is_zero, 0.05),
        Property("a bias on the keys changes no context", _key_bias_changes_nothing, 0.05),
    ),
    mistakes="""
    no-split: you do not split Q, K and V: there is one large head, and no axis for the heads -> Your weights are one
        matrix, where each head should have its own: (..., num_heads, n_queries, n_keys). -> Give Q, K and V an axis for
        the heads before the scores; your `split_heads` does it.
    no-split-lifted: you do not split Q, K and V: there is one large head, and no axis for the heads -> Your weights
        lack that axis, so that even a mask which makes room for it does not fit. -> Give Q, K and V such an
        axis before the scores; your `split_heads` does it.
    no-split-merged: you merge heads that were never split -> `merge_heads` wants heads, tokens and columns; without a
        split there is no axis of heads. -> Give Q, K and V one before the scores; your `split_heads` does it.
    biases-unguarded: you add each bias, but an argument may be None -> `b_q=None` says that this layer has no such
        bias, and None cannot be added to an array. -> Ask of each bias by itself whether it `is None` before you add
        it.
    a-bias-unguarded: you add a bias that may be None -> `b_o=None`, say, means that this layer has no such bias, and
        None cannot be added to an array. -> Ask of each of the four whether it `is None` before you add it.
    no-boolean-mask: where no mask is given, `masked_attention` gets something that is none: None itself, or numbers ->
        It takes True and False only, and `np.ones(shape)` holds 1.0. -> Where `mask` is None, make one that allows
        everything, of dtype bool.
    mask-handed-on: the mask is handed on as it comes -> It may be None, and `masked_attention` always wants one; and
        that of a batch has no axis for the heads yet. -> Three cases: there is no mask, or one with two axes, or one
        with more.
    mask-none-asked: you ask the mask for its axes, but it may be None -> `mask=None` says that everything is allowed,
        and None has no axes. -> Ask first whether the mask `is None`.
    mask-none-lifted: every mask gets another axis, even where it is None -> `mask=None` says that everything is
        allowed; and a mask (n_queries, n_keys) has no batch axis, so it needs no other. -> Three cases: there is no
        mask, or one with two axes, or one with more. Only the last is lifted.
    own-mask-lifted: every mask gets an axis for the heads, even one for all sentences, and even your own -> A mask
        (n_queries, n_keys) has no batch axis: as (n_queries, 1, n_keys) its queries meet the heads' axis. -> Insert the
        axis only where the mask has more than two.
    own-mask-square: the mask that you make has as many columns as rows -> A row is a query, a column a key, and there
        may be more of the one than of the other. -> Take the number of columns from K or `X_kv`.
    own-mask-front: the mask that you make takes its sizes from the first axis -> In a batch that is the number of
        sentences. -> Count from the end: the tokens of `X_q` and `X_kv` are at -2.
    biases-together: a bias is added only where others are given, too -> A layer may have some biases and not others:
        each is None, or it counts. -> Ask of each bias by itself whether it is None.
    biases-all-or-none: the biases are added only where all four are given -> A layer may have some biases and not
        others: each is None, or it counts. -> Ask of each bias by itself whether it is None.
    biases-tied: you ask one bias whether another is to be added -> Any of the four may be None, whatever the others
        are: a bias that is given gets lost then, or None is added to an array. -> Ask of each bias by itself whether it
        `is None`.
    biases-first: a bias is added before the product with its matrix -> Then the bias is multiplied by that matrix, too.
        It belongs to the result of the product. -> First the product, then its bias: `X_q @ W_q + b_q`.
    biases-swapped: `b_q` and `b_k` have changed places -> Each belongs to the matrix of the same letter; all have the
        same shape, so nothing complains. -> Compare the letters in each line.
    biases-first-slice: each head gets the first d_k numbers of `b_q`, `b_k` and `b_v` -> A bias has d_model numbers, as
        a product with its matrix has columns, and each head has its own slice of them. -> Cut the biases as you cut the
        matrices; or add the whole bias before the split.
    biases-of-keys-and-values: `b_k` and `b_v` have changed places -> Each belongs to the matrix of the same letter; all
        have the same shape, so nothing complains. -> Compare the letters in each line.
    b_q-after-scaling: `b_q` is added to queries that have been divided by the root of d_k already -> The bias is a part
        of the query, and a score is divided as a whole. -> First the bias, then the division.
    b_o-for-each-head: `b_o` is added once for each head -> The result is the sum of what the heads give, and the bias
        is added to it once. -> Add `b_o` after the loop, or begin the sum with it.
    b_v-after-W_o: `b_v` is added at the end, after `W_o` -> There it is not mixed with what the other columns hold. It
        belongs to the values. -> Add `b_v` to what the product with `W_v` gives.
    W_o-twice: the result is multiplied by `W_o` twice -> A square matrix can be applied again and again, and nothing
        complains. -> Look for the lines in which `W_o` stands: one product is enough.
    no-mask-hides-all: where no mask is given, nobody is heard: all weights are 0 -> None means that everything is
        allowed. A mask of zeros forbids everything, and None counts as False where a function takes it for a mask. ->
        Where `mask` is None, make one that allows everything.
    reshape-split
    reshape-merge
    strided: the columns are dealt out to the heads one by one, like cards -> Trained matrices are made for contiguous
        slices: the first d_k columns belong to head 0. -> Use your `split_heads`.
    one-head: there is one large head instead of several -> One set of weights for all columns: the layer can look only
        one way at a time. -> Split Q, K and V before the scores.
    reversed-axes: `K.T` on more than two axes: it reverses them all -> Heads and columns change places. Where all sizes
        are equal nothing complains. -> Exchange only the last two axes: `np.swapaxes(K, -1, -2)`, or `K.mT`.
    by-sqrt-d_model
    by-d_k
    by-half-d_k
    by-twice-d_k
    by-sqrt-heads: you divide by the square root of the number of heads -> The spread of a score comes from the width of
        the vectors, d_k. -> Take d_k from the heads, after the split: the size of their last axis.
    no-scale
    columns
    over-heads: the softmax runs over the heads -> Then heads compete with each other for a key. Each head has a softmax
        of its own over the keys. -> Take the softmax along the last axis.
    over-heads-masked: the softmax runs over the heads -> Then heads compete with each other for a key, and where a key
        is forbidden in all of them, nothing is left to divide. -> Take the softmax along the last axis.
    all-from-target: keys and values come from `X_q` -> The layer then attends to itself, even where another sequence is
        given. -> `W_k` and `W_v` project `X_kv`.
    projections-chained: you project one after the other: keys from the queries, and values from the keys -> Each of the
        three has its own way from a token: `X_kv` has to come in, and it does twice. -> `W_k` and `W_v` both project
        `X_kv`.
    queries-from-source: the queries come from `X_kv` -> The result then has a row for each key instead of each query.
        -> `W_q` projects `X_q`.
    keys-values-swapped
    projections-transposed
    input-split: each head gets its own columns of the input only -> Every head reads the whole of each token: it is the
        projected numbers that are dealt out to the heads. A piece of the input, and the piece of a matrix that fits it,
        leave the rest of both unused. -> First the whole product, `X_q @ W_q`; then the split.
    values-not-split: every head mixes the values of all heads -> The values have their columns for each head, as
        queries and keys have: what head 0 has found is in its own columns alone. -> Split V, too.
    W_o-in-blocks: of `W_o` only the squares on the diagonal are used: each head meets its own rows and its own columns
        -> `W_o` is where the heads meet: what a head has found may count in every column of the result. -> Multiply the
        merged heads by the whole `W_o`, or each head by all columns of its rows, and add.
    no-W_o-without-b_o: without `b_o`, the product with `W_o` is left out as well -> A layer without that bias still has
        its matrix. -> Ask for the bias only before you add it: the product stands outside of the `if`.
    no-W_o
    biases-ignored: the biases are left out -> Real layers have them, and they are not small. `b_k` alone changes
        nothing, but `b_q`, `b_v` and `b_o` do. -> Add each bias right after its matrix, where it is not None.
    no-b_o: the last bias, `b_o`, is left out -> It is added to every row of the result, after `W_o`. -> Add it at the
        very end, where it is not None.
    only-b_o: `W_o` is forgotten, though `b_o` is added -> The heads lie side by side, but have not met: `W_o` mixes
        what they found. -> Multiply the merged heads by `W_o` before you add `b_o`.
    W_o-first-rows: each head's context is multiplied with the first rows of `W_o`, and the products are added up ->
        Each head has its own rows of `W_o`, as it has its own columns of the others. -> Lay the heads side by side, and
        multiply once by the whole `W_o`.
    b_o-before-W_o: `b_o` is added before the product with `W_o` -> Then the bias is mixed, too. Each bias belongs to
        the result of its product. -> First the product, then its bias.
    transposed-W_o: `W_o` is transposed -> All matrices of this course are stored ready for `X @ W`. A square one does
        not complain. -> Use `W_o` as it is.
    no-b_q: the bias `b_q` does not reach the queries -> It gives every query the same push, and that changes the
        scores: some keys profit more than others. -> Add `b_q` to what the product with `W_q` gives.
    no-b_v: the bias `b_v` does not reach the values -> It gives every value the same shift, and each average of values
        is shifted by as much. -> Add `b_v` to what the product with `W_v` gives.
    mask-ignored
    mask-inverted
    mask-after
    zero-fill
    mask-added
    hundred-fill
    small-number-added
    causal-by-default: where no mask is given, you hide the future -> None means that everything is allowed; a causal
        mask is given by whoever wants one. -> Make a mask that allows everything.
    renormalised
    no-maximum
    mask-not-lifted: a batch's mask meets the heads' axis instead of the batch's -> The scores have shape (batch,
        num_heads, n_queries, n_keys), the mask (batch, 1, n_keys): seen from the end, the batch of the mask falls on
        the heads. -> Give a mask that has a batch axis another axis for the heads, third from the end.
    queries-masked: in self-attention, padded queries are masked as well as padded keys -> A padded query may ask: what
        it gets is thrown away. With the whole row forbidden it has no weights that sum to 1. -> A mask (batch, 1,
        n_keys) fits as it is: give it an axis for the heads, and nothing else.
    queries-masked-and-filled: in self-attention, padded queries are masked as well as padded keys -> A padded query may
        ask: what it gets is thrown away. With the whole row forbidden, all scores are filled alike, and it hears
        padding. -> A mask (batch, 1, n_keys) fits as it is: give it an axis for the heads, and nothing else.
    mask-tiled: the copies of a batch's mask are in the wrong order -> `np.tile` puts all sentences one after the other,
        again and again; a reshape to (batch, num_heads, ...) reads all heads of the first sentence first. -> Make no
        copies: an axis of length 1 for the heads does, and NumPy spreads it. `np.repeat` would keep the order.
    mask-ignored-in-batch: the mask of a batch has no effect -> What is padding then has its share of the weights. ->
        Three cases: there is no mask, or one with two axes, or one with more. The last gets an axis for the heads.
    mask-inverted-in-batch: the mask of a batch is turned round: there you attend to the padding alone -> True means:
        may attend, with a batch axis or without. -> Give it an axis for the heads, and leave True and False as they
        are.
    first-mask-only: in a batch, every sentence gets the mask of the first -> The masks of a batch differ: what is
        padding in one sentence is a word in another. -> Keep the whole mask, and give it an axis for the heads.
    mask-lifted-in-batch: in a batch, every mask gets an axis for the heads, even one for all sentences -> A mask
        (n_queries, n_keys) has no batch axis: as (n_queries, 1, n_keys) its queries meet the heads' axis. -> Ask the
        mask how many axes it has, not `X_q`: insert the axis only where the mask has more than two.
    mask-by-sentences: in a batch you take `mask[b]` for sentence b, although the mask may be one for all -> Where the
        mask has no batch axis, `mask[b]` is its row b, which belongs to a query. -> Ask the mask how many axes it has.
    first-mask-always: in a batch you use `mask[0]` -> The masks of a batch differ; and where the mask is one for all,
        `mask[0]` is only its first row. -> Keep the whole mask, and give it an axis for the heads where it has one for
        the batch.
    mask-always-lifted: every mask gets an axis for the heads, even one for all sentences -> A mask (n_queries, n_keys)
        has no batch axis: as (n_queries, 1, n_keys) its queries meet the heads' axis. -> Insert the axis only where the
        mask has more than two.
    weights-heads-in-front: in your weights the axis of the heads stands in front of the batch -> `np.array` and
        `np.stack` put a new axis first. In a batch, the heads belong behind the sentences. -> Say where the new axis
        goes, counted from the end.
    keys-with-query-count: your function works only where there are as many keys as queries -> Queries and keys may come
        from two sentences with different numbers of tokens; keys and values are made from `X_kv`. -> Look where `X_q`,
        or its number of rows, stands in the place of `X_kv`.
    heads-backwards: the heads are in reverse order, in the weights and side by side -> Each head has its own rows of
        `W_o`: head 0 the first ones. -> Go through the heads from 0 on, and append each behind the one before.
    no-swap: the axis of the heads stands behind that of the tokens when the scores are made -> The product runs over
        the last two axes: it lets heads attend to heads within one token. -> After the reshape, exchange the axis of
        the tokens with that of the heads.
    last-weights: you return the weights of the last head alone -> Each head looks at different things. -> Collect the
        weights of all heads, of shape (..., num_heads, n_queries, n_keys).
    averaged-weights: you return the average of the heads' weights -> The average hides that the heads look at different
        things. -> Return the weights of all heads, of shape (..., num_heads, n_queries, n_keys).
    no-batch
    """,
)
def multi_head_attention(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None, wrong=frozenset()
):
    """Multi-head attention, with the mistakes that people make as switches."""
    X_q, X_kv = np.asarray(X_q, dtype=float), np.asarray(X_kv, dtype=float)
    asks, of_keys, of_values = sources(X_q, X_kv, wrong)
    b_q, b_k, b_v, b_o = _there(dict(zip(BIASES, (b_q, b_k, b_v, b_o), strict=True)), wrong)
    if "biases-first-slice" in wrong:
        of_head = np.arange(len(W_q)) % (len(W_q) // num_heads)
        b_q, b_k, b_v = (b[of_head] if np.ndim(b) else b for b in (b_q, b_k, b_v))
    if "biases-ignored" in wrong:
        b_q = b_k = b_v = b_o = 0.0
    if "biases-swapped" in wrong:
        b_q, b_k = b_k, b_q
    if np.ndim(b_q) and wrong & {"biases-first", "b_q first"}:
        b_q = b_q @ W_q
    if np.ndim(b_v) and wrong & {"biases-first", "b_v first"}:
        b_v = b_v @ W_v  # whether `b_k` is there makes no difference
    if "biases-of-keys-and-values" in wrong:
        b_k, b_v = b_v, b_k
    if "b_q-after-scaling" in wrong:
        b_q = b_q * np.sqrt(X_q.shape[-1] // num_heads)
    if "b_o-for-each-head" in wrong:
        b_o = b_o * num_heads
    if "b_v-after-W_o" in wrong:
        b_v, b_o = 0.0, b_o + b_v
    b_q = 0.0 if "no-b_q" in wrong else b_q
    b_v = 0.0 if "no-b_v" in wrong else b_v
    if "projections-transposed" in wrong:
        W_q, W_k, W_v, W_o = W_q.T, W_k.T, W_v.T, W_o.T
    if wrong & {"input-split", "W_o-in-blocks"}:
        own = np.kron(np.eye(num_heads), np.ones((len(W_q) // num_heads,) * 2))  # each head's own rows and columns
        W_q, W_k, W_v = (W_q * own, W_k * own, W_v * own) if "input-split" in wrong else (W_q, W_k, W_v)
        W_o = W_o * own if "W_o-in-blocks" in wrong else W_o
    if wrong & {"no-split", "no-split-lifted", "no-split-merged"}:
        Q, K, V = asks @ W_q + b_q, of_keys @ W_k + b_k, of_values @ W_v + b_v
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool) if mask is None else mask
        lifted = mask[..., None, :, :] if mask.ndim > 2 and "no-split" not in wrong else mask
        context, weights = masked_attention(Q, K, V, lifted)
        return (merge_heads(context) if "no-split-merged" in wrong else context) @ W_o + b_o, weights
    heads = 1 if "one-head" in wrong else num_heads
    Q = asks @ W_q + b_q
    K = (Q if "projections-chained" in wrong else of_keys) @ W_k + b_k
    V = (K if "projections-chained" in wrong else of_values) @ W_v + b_v
    Q, K, V = (split_heads(A, heads, wrong & {"no-batch", "reshape-split", "strided", "no-swap"}) for A in (Q, K, V))
    if "heads-backwards" in wrong:
        Q, K, V = (A[..., ::-1, :, :] for A in (Q, K, V))
    if "keys-values-swapped" in wrong:
        K, V = V, K
    if "keys-with-query-count" in wrong:
        K, V = (A.reshape(*A.shape[:-2], Q.shape[-2], A.shape[-1]) for A in (K, V))
    by = np.sqrt(num_heads) if "by-sqrt-heads" in wrong else divisor(Q, K, V, wrong, d_model=X_q.shape[-1])
    if "causal-by-default" in wrong and mask is None:
        mask = np.tri(X_q.shape[-2], X_kv.shape[-2], dtype=bool)
    if "first-mask-only" in wrong and mask is not None and mask.ndim > 2:
        mask = np.broadcast_to(mask[:1], mask.shape)
    mask = _met(mask, Q, K, V, (X_q, X_kv), wrong)
    axis = -2 if "columns" in wrong else -3 if "over-heads" in wrong else -1
    scores = score(Q, K, wrong) / by
    weights = weigh_masked(scores, mask, wrong, axis)
    if "queries-masked" in wrong and mask is not None:
        weights = weights * mask.any(axis=-1, keepdims=True)
    if "over-heads-masked" in wrong:
        scores = scores if mask is None else np.where(mask, scores, -np.inf)
        powers = np.exp(scores - scores.max())
        weights = powers / powers.sum(axis=-3, keepdims=True)
    if "no-mask-hides-all" in wrong and mask is None:
        weights = np.zeros(weights.shape)
    merged = merge_heads(weights @ V, wrong & {"reshape-merge"})
    if "values-not-split" in wrong:
        merged = weights.mean(axis=-3) @ merge_heads(V)
    if "W_o-first-rows" in wrong:
        own = (weights @ V).sum(axis=-3)
        return own @ W_o[: V.shape[-1]] + b_o, weights
    if "weights-heads-in-front" in wrong:
        weights = np.moveaxis(weights, -3, 0)
    if "last-weights" in wrong:
        weights = weights[..., -1, :, :]
    if "averaged-weights" in wrong:
        weights = weights.mean(axis=-3)
    if "only-b_o" in wrong:
        return merged + b_o, weights
    if "no-W_o" in wrong or ("no-W_o-without-b_o" in wrong and not np.ndim(b_o)):
        return merged, weights
    if "transposed-W_o" in wrong:
        W_o = W_o.T
    if "W_o-twice" in wrong:
        merged = merged @ W_o
    if "b_o-before-W_o" in wrong:
        return (merged + b_o) @ W_o, weights
    return merged @ W_o + (0.0 if "no-b_o" in wrong else b_o), weights
