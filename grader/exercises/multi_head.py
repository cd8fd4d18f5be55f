"""Part 3, notebook 5: several attentions at once, and the first layer of a real transformer."""

import itertools
from functools import lru_cache

import numpy as np

from attnlib import (
    layer_input,
    load_attention_layer,
    load_layer_outputs,
    load_word_vectors,
    parameter_count,
    sentence_ids,
    tokenize,
)
from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Part, Property, ValueExercise
from grader.exercises.inputs import matrix, tenths

# ---------------------------------------------------------------- the prediction

predict_heads = ChoiceExercise(
    id="predict-heads",
    points=1,
    task="type the letter of your prediction",
    right="d",
    because={
        "a": "NumPy does not know what a token or a head is. In what order does it lay out the twelve numbers, "
        "and which four come first?",
        "b": "no number disappears or is repeated; twelve numbers fit a shape of (3, 2, 2). So it does not complain.",
        "c": "that would deal the columns out one by one. A reshape takes the numbers row by row, as they lie.",
        "d": "reshape reads the numbers row by row and cuts that line into pieces of four. The first piece lies wholly "
        "in the first token. Nothing complains, and the head never sees the second token.",
    },
)


# ---------------------------------------------------------------- split_heads and merge_heads


def split_heads_model(X, num_heads, wrong=frozenset()):
    """Columns dealt out to the heads, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    *leading, n, d_model = X.shape
    d = d_model // num_heads
    if "no-batch" in wrong and leading:
        raise ValueError("not enough values to unpack")
    if "reshape-only" in wrong:
        return X.reshape(*leading, num_heads, n, d)
    if "front-shape" in wrong:
        return X.reshape(len(X), num_heads, -1).transpose(1, 0, 2)
    if "heads-in-front" in wrong:
        return np.array(np.split(X, num_heads, axis=-1))
    if "strided" in wrong:
        return np.moveaxis(X.reshape(*leading, n, d, num_heads), -1, -3)
    slices = X.reshape(*leading, n, num_heads, d)
    if "no-swap" in wrong:
        return slices
    if "reversed-axes" in wrong:
        return slices.T
    if "front-axes" in wrong:
        return np.swapaxes(slices, 0, 1)
    if "backwards" in wrong:
        slices = slices[..., ::-1, :]
    heads = np.swapaxes(slices, -3, -2)
    return np.swapaxes(heads, -1, -2) if "transposed-heads" in wrong else heads


def _columns(rng, *shape, num_heads, draw=matrix):
    return {"X": draw(rng, *shape), "num_heads": num_heads}


def _one_head_is_everything(call, rng):
    X = matrix(rng, 5, 7)
    difference = np.abs(call(X, 1)[0] - X).max()
    return None if difference < 1e-3 else "with one head, the head is not X itself"


NO_BATCH = Misconception(
    "no-batch",
    "your function knows only two axes",
    "In a batch many sentences are computed at once: X then has shape (batch, n, d_model).",
    "Keep whatever comes before the last two axes: `*leading, n, d_model = X.shape`, and count axes from the end.",
)

split_heads = FunctionExercise(
    id="split_heads",
    points=3,
    task="write `split_heads(X, num_heads)`",
    model=split_heads_model,
    returns="heads",
    cases=(
        Case("two tokens, three heads", lambda rng: _columns(rng, 2, 15, num_heads=3, draw=tenths), 0.25),
        Case("seven tokens, five heads", lambda rng: _columns(rng, 7, 15, num_heads=5), 0.15),
        Case(
            "as many tokens as heads, as many as columns in a head", lambda rng: _columns(rng, 5, 25, num_heads=5), 0.15
        ),
        Case("a batch of two", lambda rng: _columns(rng, 2, 7, 15, num_heads=3), 0.15),
        Case("two batch axes", lambda rng: _columns(rng, 2, 3, 5, 14, num_heads=7), 0.1),
    ),
    properties=(Property("one head is X itself", _one_head_is_everything, 0.1),),
    misconceptions=(
        Misconception(
            "reshape-only",
            "a reshape without a transpose: the tokens are mixed",
            "Reshape cuts the numbers in the order in which they lie, row by row. A head then gets whole rows of a few "
            "tokens instead of a few columns of all of them. The shape is right, and nothing complains.",
            "Split only the last axis in two, so that each token keeps its numbers; then move the head's axis forward.",
        ),
        Misconception(
            "no-swap",
            "the axis of the heads stands behind that of the tokens",
            "The next product runs over the last two axes. It would let heads attend to heads within one token.",
            "After the reshape, exchange the axis of the tokens with that of the heads.",
        ),
        Misconception(
            "strided",
            "the columns are dealt out one by one, like cards",
            "The heads are contiguous slices: the first d columns belong to head 0, the next d to head 1.",
            "When you split the last axis, let the heads come before the columns within a head.",
        ),
        Misconception(
            "reversed-axes",
            "`.T` on more than two axes: it reverses them all",
            "For a matrix a transpose exchanges two axes; for three axes and more, `.T` turns the whole order round.",
            "Exchange exactly two: `np.swapaxes` or `transpose` with a list of axes.",
        ),
        Misconception(
            "front-axes",
            "the axes are counted from the front",
            "With a batch in front, axes 0 and 1 are no longer tokens and heads.",
            "Count from the end: the tokens are at -3, the heads at -2.",
        ),
        Misconception(
            "front-shape",
            "the axes are counted from the front: `X.shape[0]` stands for the number of tokens",
            "With a batch in front, the first axis is the number of sentences, and their tokens run together.",
            "Count from the end: the tokens are at -2 and the columns at -1 before the split.",
        ),
        Misconception(
            "heads-in-front",
            "the axis of the heads stands in front of the batch: axes are counted from the front",
            "`np.array` and `np.stack` put a new axis first. In a batch, the heads belong behind the sentences.",
            "Say where the new axis goes, counted from the end.",
        ),
        Misconception(
            "transposed-heads",
            "each head is transposed: columns before tokens",
            "A head is a small X: a row for each token.",
            "Exchange only the axes of tokens and heads.",
        ),
        Misconception(
            "backwards",
            "the heads come out in reverse order",
            "The first slice of columns is head 0.",
            "Keep the order in which the slices stand in X.",
        ),
        NO_BATCH,
    ),
)


def merge_heads_model(X, wrong=frozenset()):
    """Heads side by side again, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    *leading, num_heads, n, d = X.shape
    if "no-batch" in wrong and leading:
        raise ValueError("too many values to unpack")
    if "reshape-only" in wrong:
        return X.reshape(*leading, n, num_heads * d)
    if "strided" in wrong:
        return np.moveaxis(X, -3, -1).reshape(*leading, n, num_heads * d)
    if "front-axes" in wrong:
        return np.swapaxes(X, 0, 1).reshape(*leading, n, num_heads * d)
    if "front-rows" in wrong:
        return np.swapaxes(X, 0, 1).reshape(X.shape[1], -1)
    if "front-list" in wrong:
        return np.concatenate(list(X), axis=-1)
    if "front-hstack" in wrong:
        return np.hstack(list(X))
    if "stacked" in wrong:
        return X.reshape(*leading, num_heads * n, d)
    if "summed" in wrong:
        return X.sum(axis=-3)
    if "averaged" in wrong:
        return X.mean(axis=-3)
    if "first-head" in wrong:
        return X[..., 0, :, :]
    return np.swapaxes(X, -3, -2).reshape(*leading, n, num_heads * d)


merge_heads = FunctionExercise(
    id="merge_heads",
    points=2,
    task="write `merge_heads(X)`",
    model=merge_heads_model,
    returns="merged",
    cases=(
        Case("three heads, two tokens", lambda rng: {"X": tenths(rng, 3, 2, 5)}, 0.3),
        Case("five heads, seven tokens", lambda rng: {"X": matrix(rng, 5, 7, 3)}, 0.15),
        Case("as many heads as tokens and columns", lambda rng: {"X": matrix(rng, 5, 5, 5)}, 0.15),
        Case("a batch of two", lambda rng: {"X": matrix(rng, 2, 3, 7, 5)}, 0.2),
        Case("two batch axes", lambda rng: {"X": matrix(rng, 2, 3, 7, 5, 2)}, 0.1),
    ),
    misconceptions=(
        Misconception(
            "reshape-only",
            "a reshape without transposing back: the tokens are mixed",
            "A row of the result then holds pieces of several tokens, all from one head. The shape is right.",
            "First bring all heads of one token together, by exchanging two axes; then reshape.",
        ),
        Misconception(
            "strided",
            "the columns of the heads are interleaved",
            "Merging undoes the split: head 0 fills the first columns, head 1 the next, as a block.",
            "Before the reshape, the last two axes have to be heads, then columns within a head.",
        ),
        Misconception(
            "front-axes",
            "the axes are counted from the front",
            "With a batch in front, axes 0 and 1 are no longer heads and tokens.",
            "Count from the end: the heads are at -3, the tokens at -2.",
        ),
        Misconception(
            "front-rows",
            "the axes are counted from the front: `X.shape[1]` stands for the number of tokens",
            "With a batch in front, axis 1 is the heads, and all sentences run together.",
            "Count from the end: the heads are at -3, the tokens at -2.",
        ),
        Misconception(
            "front-list",
            "you go through the first axis as if it were the heads: axes are counted from the front",
            "With a batch in front, the first axis is the sentences, and they are laid side by side.",
            "Count from the end: the heads are at -3.",
        ),
        Misconception(
            "front-hstack",
            "`np.hstack` goes through the first axis and joins along the second: axes are counted from the front",
            "With a batch in front, the first axis is the sentences, not the heads.",
            "Count from the end: the heads are at -3, the tokens at -2.",
        ),
        Misconception(
            "stacked",
            "the heads are stacked below each other instead of side by side",
            "Each token must be left with one row, which holds what all heads found for it.",
            "The rows stay n; the columns become num_heads times as many.",
        ),
        Misconception(
            "summed",
            "the heads are added up",
            "A sum cannot be taken apart again: what one head found drowns in the others. `W_o` needs them apart.",
            "Lay the heads side by side.",
        ),
        Misconception(
            "averaged",
            "the heads are averaged",
            "An average cannot be taken apart again. `W_o` needs the heads apart.",
            "Lay the heads side by side.",
        ),
        Misconception(
            "first-head",
            "only the first head is kept",
            "The others found something, too.",
            "Lay all heads side by side.",
        ),
        NO_BATCH,
    ),
)


# ---------------------------------------------------------------- the silent bug

BUG_TOKENS = ["she", "left", "her", "book", "here"]


def _seen_by(head):
    """The tokens whose numbers a head holds; with the switch, those that it should hold."""

    def expected(wrong=frozenset()):
        if "right-split" in wrong:
            return list(BUG_TOKENS)
        first, last = head * 10 // 6, (head * 10 + 9) // 6
        if "neighbours" in wrong:
            first, last = 2 * head, min(2 * head + 1, 4)
        return BUG_TOKENS[first : last + 1]

    return expected


def _harmless(wrong=frozenset()):
    return 5 if "right-split" in wrong or "neighbours" in wrong else 1


silent_bug = ValueExercise(
    id="silent-bug",
    points=2,
    task="say whose numbers the heads of a bare reshape hold, as a dict",
    parts=(
        Part("head 0", "the words whose numbers are in head 0", _seen_by(0), 0.25),
        Part("head 1", "the words whose numbers are in head 1", _seen_by(1), 0.25),
        Part("head 2", "the words whose numbers are in head 2", _seen_by(2), 0.25),
        Part("harmless", "the number of heads with which the bug does no harm", _harmless, 0.25),
    ),
    misconceptions=(
        Misconception(
            "right-split",
            "you described the right split, in which every head sees every word",
            "The bare reshape cuts the numbers as they lie, row by row.",
            "Write the numbers of X in one line, and cut it into three equal pieces.",
        ),
        Misconception(
            "neighbours",
            "you gave each head two whole words",
            "A piece has ten numbers, but a word has six: the cuts go through the middle of words.",
            "Write the numbers of X in one line, and cut it after ten and after twenty.",
        ),
    ),
)


# ---------------------------------------------------------------- multi_head_attention


def multi_head_attention_model(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None, wrong=frozenset()
):
    """Multi-head attention, with the mistakes that people make as switches."""
    X_q, X_kv = np.asarray(X_q, dtype=float), np.asarray(X_kv, dtype=float)
    if "no-batch" in wrong and X_q.ndim > 2:
        raise ValueError("too many values to unpack")
    b_q, b_k, b_v, b_o = (0.0 if b is None or "biases-ignored" in wrong else b for b in (b_q, b_k, b_v, b_o))
    asks = X_kv if "queries-from-kv" in wrong else X_q
    answers = X_q if "kv-from-queries" in wrong else X_kv
    heads = 1 if "one-head" in wrong else num_heads
    split = {"reshape-only"} if "reshape-split" in wrong else {"strided"} if "strided" in wrong else frozenset()
    b_q = 0.0 if "no-b_q" in wrong else b_q
    b_v = 0.0 if "no-b_v" in wrong else b_v
    Q = split_heads_model(asks @ W_q + b_q, heads, split)
    K = split_heads_model(answers @ W_k + b_k, heads, split)
    V = split_heads_model(answers @ W_v + b_v, heads, split)
    if "keys-values-swapped" in wrong:
        K, V = V, K
    scores = Q @ (K.T if "reversed-axes" in wrong else K.mT)
    if "scale-d-model" in wrong:
        scores = scores / np.sqrt(X_q.shape[-1])
    elif "scale-heads" in wrong:
        scores = scores / np.sqrt(num_heads)
    elif "no-scale" not in wrong:
        scores = scores / np.sqrt(Q.shape[-1])
    weights = _masked_weights(scores, mask, wrong)
    merged = merge_heads_model(weights @ V, {"reshape-only"} if "reshape-merge" in wrong else frozenset())
    if "averaged-weights" in wrong:
        weights = weights.mean(axis=-3)
    if "only-b_o" in wrong:
        return merged + b_o, weights
    if "no-W_o" in wrong:
        return merged, weights
    if "transposed-W_o" in wrong:
        W_o = W_o.T
    if "b_o-before-W_o" in wrong:
        return (merged + b_o) @ W_o, weights
    return merged @ W_o + (0.0 if "no-b_o" in wrong else b_o), weights


def _masked_weights(scores, mask, wrong):
    axis = -2 if "columns" in wrong else -3 if "over-heads" in wrong else -1
    if mask is None or "mask-ignored" in wrong:
        return _softmax(scores, axis)
    allowed = np.asarray(mask)
    if "mask-inverted" in wrong:
        allowed = ~allowed
    if "mask-always-lifted" in wrong:
        allowed = allowed[:, None]
    elif "mask-not-lifted" not in wrong and allowed.ndim > 2:
        allowed = allowed[..., None, :, :]
    if "mask-after" in wrong:
        return _softmax(scores, axis) * allowed
    if "mask-zero" in wrong:
        return _softmax(scores * allowed, axis)
    return _softmax(np.where(allowed, scores, -1e30), axis)


def _softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _pairs(rng, n_q, n_kv):
    """A mask with two True and a False in every row, and a True in every column."""
    while True:
        mask = np.array([rng.permutation(np.arange(n_kv) < rng.integers(2, n_kv)) for _ in range(n_q)])
        if mask.any(axis=0).all():
            return mask


def _layer(rng, n_q, n_kv, num_heads, d_k, *, batch=(), biases=True, mask="", draw=matrix):
    """Inputs of a layer with d_model = num_heads * d_k; a mask is never all or nothing."""
    d_model = num_heads * d_k
    inputs = {"X_q": draw(rng, *batch, n_q, d_model), "X_kv": draw(rng, *batch, n_kv, d_model)}
    size = 1.0 if draw is tenths else 1.5 / np.sqrt(d_model)
    inputs |= {name: size * draw(rng, d_model, d_model) for name in ("W_q", "W_k", "W_v", "W_o")}
    inputs["num_heads"] = num_heads
    if mask == "pairs":
        inputs["mask"] = _pairs(rng, n_q, n_kv)
    if mask == "padding":
        lengths = rng.permutation(np.arange(2, n_kv))[: batch[0]]
        inputs["mask"] = np.arange(n_kv) < lengths[:, None, None]  # (batch, 1, n_kv)
    if biases:
        inputs |= {name: matrix(rng, d_model) for name in ("b_q", "b_k", "b_v", "b_o")}
    return inputs


def _itself(inputs):
    """The same inputs as self-attention."""
    return {**inputs, "X_kv": inputs["X_q"].copy()}


def _arguments(inputs):
    """Positional and keyword arguments of a call."""
    optional = {name: value for name, value in inputs.items() if name in OPTIONAL}
    return [value for name, value in inputs.items() if name not in optional], optional


OPTIONAL = ("mask", "b_q", "b_k", "b_v", "b_o")


def _rows_of_every_head_sum_to_one(call, rng):
    arguments, optional = _arguments(_layer(rng, 5, 7, 3, 2))
    weights = call(*arguments, **optional)[1]
    worst = np.abs(weights.sum(axis=-1) - 1).max()
    return None if worst < 1e-3 else f"a row of weights sums to {weights.sum(axis=-1).ravel()[0]:.4g}"


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


SCALE_D_MODEL = Misconception(
    "scale-d-model",
    "you divide by the square root of d_model instead of d_k",
    "Each head's dot product runs over d_k products only. Dividing by more makes every head too flat; with one head "
    "nobody would notice.",
    "Take the length from the heads, after the split: their last axis.",
)
NO_SCALE = Misconception(
    "no-scale",
    "the scores are not divided by the square root of d_k",
    "The weights come closer to all or nothing than they should.",
    "Divide before the softmax, as in the notebook on scaling.",
)
RESHAPE_SPLIT = Misconception(
    "reshape-split",
    "the heads are split by a reshape without a transpose",
    "Each head then holds a few tokens instead of a few columns, and its rows belong to no token in particular. The "
    "shapes are right; with one head even the numbers are.",
    "Use your `split_heads`: it passes its own check only if it keeps the tokens apart.",
)
RESHAPE_MERGE = Misconception(
    "reshape-merge",
    "the heads are merged by a reshape without transposing back",
    "A row of the result then holds pieces of several tokens. The shape is right; with one head even the numbers are.",
    "Use your `merge_heads`.",
)
ONE_HEAD = Misconception(
    "one-head",
    "there is one large head instead of several",
    "One set of weights for all columns: the layer can look only one way at a time.",
    "Split Q, K and V before the scores.",
)
BIASES_IGNORED = Misconception(
    "biases-ignored",
    "the biases are left out",
    "Real layers have them, and they are not small. `b_k` alone changes nothing, but `b_q`, `b_v` and `b_o` do.",
    "Add each bias right after its matrix, where it is not None.",
)
NO_OUTPUT_BIAS = Misconception(
    "no-b_o",
    "the last bias, `b_o`, is left out",
    "It is added to every row of the result, after `W_o`.",
    "Add it at the very end, where it is not None.",
)
NO_OUTPUT_MATRIX = Misconception(
    "no-W_o",
    "`W_o` is forgotten",
    "The heads lie side by side, each in its own columns, and have not met. `W_o` mixes what they found.",
    "Multiply the merged heads by `W_o` (and add `b_o`).",
)
KEYS_VALUES_SWAPPED = Misconception(
    "keys-values-swapped",
    "keys and values have changed places",
    "`W_k` makes what a token is found by, `W_v` what it says.",
    "Scores need the keys; only the last product needs the values.",
)

multi_head_attention = FunctionExercise(
    id="multi_head_attention",
    points=4,
    task="write `multi_head_attention(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, ...)`",
    model=multi_head_attention_model,
    returns=("context", "weights"),
    keywords=OPTIONAL,
    cases=(
        Case("five tokens ask seven, three heads", lambda rng: _layer(rng, 5, 7, 3, 2, biases=False, draw=tenths), 0.2),
        Case("with biases", lambda rng: _layer(rng, 7, 11, 5, 3), 0.15),
        Case("with a mask", lambda rng: _layer(rng, 5, 7, 3, 5, mask="pairs"), 0.1),
        Case("self-attention, all sizes equal", lambda rng: _itself(_layer(rng, 5, 5, 5, 5, biases=False)), 0.1),
        Case("a batch of two", lambda rng: _layer(rng, 3, 7, 5, 2, batch=(2,)), 0.1),
        Case("a batch with a padding mask", lambda rng: _layer(rng, 3, 7, 5, 2, batch=(2,), mask="padding"), 0.1),
    ),
    properties=(
        Property("each row of each head's weights sums to 1", _rows_of_every_head_sum_to_one, 0.05),
        Property("a forbidden key has weight 0 in every head", _forbidden_is_zero, 0.05),
        Property("a bias on the keys changes no context", _key_bias_changes_nothing, 0.05),
    ),
    misconceptions=(
        RESHAPE_SPLIT,
        RESHAPE_MERGE,
        Misconception(
            "strided",
            "the columns are dealt out to the heads one by one, like cards",
            "Trained matrices are made for contiguous slices: the first d_k columns belong to head 0.",
            "Use your `split_heads`.",
        ),
        ONE_HEAD,
        Misconception(
            "reversed-axes",
            "`K.T` on more than two axes: it reverses them all",
            "Heads and columns change places. Where all sizes are equal nothing complains.",
            "Exchange only the last two axes: `np.swapaxes(K, -1, -2)`, or `K.mT`.",
        ),
        SCALE_D_MODEL,
        Misconception(
            "scale-heads",
            "you divide by the square root of the number of heads",
            "The spread of a score comes from the length of the vectors, d_k.",
            "Take the length from the heads, after the split: their last axis.",
        ),
        NO_SCALE,
        Misconception(
            "columns",
            "the softmax runs over the queries instead of the keys",
            "Each row of each head belongs to one query, and its weights must sum to 1.",
            "Take the softmax along the last axis.",
        ),
        Misconception(
            "over-heads",
            "the softmax runs over the heads",
            "Then heads compete with each other for a key. Each head has a softmax of its own over the keys.",
            "Take the softmax along the last axis.",
        ),
        Misconception(
            "kv-from-queries",
            "keys and values come from `X_q`",
            "The layer then attends to itself, even where another sequence is given.",
            "`W_k` and `W_v` project `X_kv`.",
        ),
        Misconception(
            "queries-from-kv",
            "the queries come from `X_kv`",
            "The result then has a row for each key instead of each query.",
            "`W_q` projects `X_q`.",
        ),
        KEYS_VALUES_SWAPPED,
        NO_OUTPUT_MATRIX,
        BIASES_IGNORED,
        NO_OUTPUT_BIAS,
        Misconception(
            "only-b_o",
            "`W_o` is forgotten, though `b_o` is added",
            "The heads lie side by side, but have not met: `W_o` mixes what they found.",
            "Multiply the merged heads by `W_o` before you add `b_o`.",
        ),
        Misconception(
            "b_o-before-W_o",
            "`b_o` is added before the product with `W_o`",
            "Then the bias is mixed, too. Each bias belongs to the result of its product.",
            "First the product, then its bias.",
        ),
        Misconception(
            "transposed-W_o",
            "`W_o` is transposed",
            "All matrices of this course are stored ready for `X @ W`. A square one does not complain.",
            "Use `W_o` as it is.",
        ),
        Misconception(
            "no-b_q",
            "the bias `b_q` is missing",
            "It gives every query the same push, and that changes the scores: some keys profit more than others.",
            "Add `b_q` after the product with `W_q`.",
        ),
        Misconception(
            "no-b_v",
            "the bias `b_v` is missing",
            "It gives every value the same shift, and each average of values is shifted by as much.",
            "Add `b_v` after the product with `W_v`.",
        ),
        Misconception(
            "mask-ignored",
            "the mask has no effect",
            "Padding, or the future, then takes part of every weight.",
            "Where the mask is False the score must not count, in any head: replace it before the softmax.",
        ),
        Misconception(
            "mask-inverted",
            "the mask is turned round: you attend to exactly what is forbidden",
            "In this course True means: may attend. Some libraries use the reverse.",
            "Replace the scores where the mask is False.",
        ),
        Misconception(
            "mask-after",
            "you mask the weights after the softmax",
            "What is taken away is missing: the rows sum to less than 1.",
            "Mask the scores before the softmax.",
        ),
        Misconception(
            "mask-zero",
            "you multiply the scores by the mask",
            "A score of 0 is an ordinary score: e to the 0 is 1, so that a forbidden key keeps a weight.",
            "A forbidden score has to be minus infinity, or so low that its power is 0.",
        ),
        Misconception(
            "mask-not-lifted",
            "a batch's mask meets the heads' axis instead of the batch's",
            "The scores have shape (batch, num_heads, n_q, n_kv), the mask (batch, 1, n_kv): seen from the end, the "
            "batch "
            "of the mask falls on the heads.",
            "Give a mask that has a batch axis another axis for the heads, third from the end.",
        ),
        Misconception(
            "mask-always-lifted",
            "every mask gets an axis for the heads, even one for all sentences",
            "A mask (n_q, n_kv) has no batch axis: as (n_q, 1, n_kv) its queries meet the heads' axis.",
            "Insert the axis only where the mask has more than two.",
        ),
        Misconception(
            "averaged-weights",
            "you return the average of the heads' weights",
            "The average hides that the heads look at different things.",
            "Return the weights of all heads, of shape (..., num_heads, n_q, n_kv).",
        ),
        NO_BATCH,
    ),
)


# ---------------------------------------------------------------- counting


def _count(kind):
    """A count for d_model = 384 and 12 heads, with mistakes as switches."""

    def expected(wrong=frozenset()):
        d_model, heads = 384, 12
        d = d_model if "full-width-heads" in wrong else d_model // heads
        if kind == "d_v":
            return d
        if kind == "one head":
            return 3 * d_model * d
        layer = parameter_count(d_model, heads, d_k=d, d_v=d, biases="no-biases" not in wrong)
        if "no-output" in wrong:
            layer -= d_model**2 + d_model
        if kind == "layer" and "twelve-times" in wrong:
            layer *= heads
        if kind == "layer" and "twelve-times-matrices" in wrong:
            layer = heads * 4 * d_model**2 + 4 * d_model
        return layer // heads if kind == "layer with 1 head" and "more-with-heads" in wrong else layer

    return expected


count_heads_parameters = ValueExercise(
    id="count-heads-parameters",
    points=2,
    task="count the parameters of a layer with 12 heads and d_model = 384, as a dict",
    parts=(
        Part("d_v", "the columns of V that one head gets", _count("d_v"), 0.25),
        Part("one head", "the numbers in one head's slices of W_q, W_k and W_v", _count("one head"), 0.25),
        Part("layer", "all parameters of the layer, biases included", _count("layer"), 0.25),
        Part("layer with 1 head", "all parameters with one head", _count("layer with 1 head"), 0.25),
    ),
    misconceptions=(
        Misconception(
            "full-width-heads",
            "you gave every head the full width",
            "The heads share the columns: d_model = num_heads times d_v. Twelve heads of full width would cost twelve "
            "times as much.",
            "Divide the columns among the heads.",
        ),
        Misconception(
            "twelve-times",
            "you made the layer twelve times as large as with one head",
            "The heads share the columns of the same matrices; more heads are narrower ones.",
            "Write down the shapes of the four matrices. Where does the number of heads appear?",
        ),
        Misconception(
            "twelve-times-matrices",
            "you counted the four whole matrices once for each head",
            "A head has only its slice of the columns; all slices together are one matrix.",
            "Write down the shapes of the four matrices. Where does the number of heads appear?",
        ),
        Misconception(
            "no-output",
            "`W_o` and its bias are missing",
            "The layer ends with a matrix that mixes the heads, and it is learned, too.",
            "Count four matrices.",
        ),
        Misconception(
            "no-biases",
            "the biases are missing",
            "Each of the four matrices comes with one bias for each of its columns.",
            "Add the four biases.",
        ),
        Misconception(
            "more-with-heads",
            "you expect a layer with one head to be smaller",
            "Heads are slices of the same matrices. More heads means narrower ones, not more numbers.",
            "Write down the shapes of the four matrices for one head.",
        ),
    ),
)


# ---------------------------------------------------------------- a real layer


MATRICES = ("W_q", "W_k", "W_v", "W_o")


@lru_cache(maxsize=1)
def real_model():
    """Vocabulary, word vectors and first layer of the real model, in double precision."""
    vocabulary, E = load_word_vectors()
    layer = {
        name: value if name == "num_heads" else value.astype(float) for name, value in load_attention_layer().items()
    }
    return vocabulary, E.astype(float), layer


@lru_cache(maxsize=1)
def _transposed_matrices():
    """The four matrices transposed, laid out anew: a product with a mere view is a hundred times slower."""
    return [np.ascontiguousarray(real_model()[2][name].T) for name in MATRICES]


def real_layer_model(text, wrong=frozenset()):
    """The first layer of the real model on a sentence, with the mistakes that people make as switches."""
    context, weights = _real_layer(text, frozenset(wrong))
    return context.copy(), weights.copy()


@lru_cache(maxsize=512)  # a diagnosis asks for the same sentence with the same mistakes again and again
def _real_layer(text, wrong):
    vocabulary, E, layer = real_model()
    _, token_ids = sentence_ids(text, vocabulary)
    if "no-special-tokens" in wrong:
        token_ids = token_ids[1:-1]
    X = E[token_ids] if "bare-words" in wrong else layer_input(token_ids, E, layer)
    biases = {name: layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    matrices = _transposed_matrices() if "transposed-weights" in wrong else [layer[name] for name in MATRICES]
    return multi_head_attention_model(X, X, *matrices, layer["num_heads"], **biases, wrong=wrong)


NOUNS = [
    "doctor",
    "child",
    "river",
    "bank",
    "money",
    "animal",
    "street",
    "teacher",
    "friend",
    "city",
    "song",
    "bird",
    "king",
    "garden",
    "letter",
    "morning",
]
VERBS = ["helped", "saw", "found", "left", "crossed", "lost", "heard", "reached"]


def _sentence(rng, words):
    """A made sentence of that many words, all of them in the vocabulary; the second article is the first once more."""
    first, *others = (str(article) for article in rng.permutation(["the", "a", "her", "my"]))
    articles = itertools.chain([first, first], itertools.cycle(others))
    text = []
    while len(text) < words:
        verb = [str(rng.choice(VERBS))] if len(text) % 5 == 2 else []
        text += [*verb, next(articles), str(rng.choice(NOUNS))]
    return " ".join(text[:words]).capitalize()


def _published_output_agrees(call, rng):
    outputs = load_layer_outputs()
    sentence = outputs[int(rng.integers(len(outputs)))]
    context, weights = call(sentence["text"])
    gap = max(np.abs(context - sentence["context"]).max(), np.abs(weights - sentence["weights"]).max())
    return None if gap < 1e-3 else f"“{sentence['text']}”: the largest difference is {gap:.3g}"


def _unknown_word_is_named(call, rng):
    outcome = call.outcome("The axolotl saw the river")
    if outcome.error == "ValueError" and "axolotl" in outcome.message:
        return None
    happened = f"it raised {outcome.error}" if outcome.error else "it returned a result"
    return f"a ValueError that names the unknown word “axolotl” is expected, but {happened}"


real_layer = FunctionExercise(
    id="real_layer",
    points=4,
    task="write `real_layer(text)`",
    model=real_layer_model,
    returns=("context", "weights"),
    library_names=("multi_head_attention",),
    changes_input=False,
    cases=(
        Case("a sentence of three words", lambda rng: {"text": _sentence(rng, 3)}, 0.3),
        Case("a sentence of seven words", lambda rng: {"text": _sentence(rng, 7)}, 0.15),
        Case("a sentence of thirteen words", lambda rng: {"text": _sentence(rng, 13)}, 0.15),
    ),
    properties=(
        Property("the published model's own output agrees within 0.001", _published_output_agrees, 0.3),
        Property("a word outside the vocabulary is named in a ValueError", _unknown_word_is_named, 0.1),
    ),
    misconceptions=(
        BIASES_IGNORED,
        NO_OUTPUT_BIAS,
        SCALE_D_MODEL,
        NO_SCALE,
        ONE_HEAD,
        RESHAPE_SPLIT,
        RESHAPE_MERGE,
        NO_OUTPUT_MATRIX,
        KEYS_VALUES_SWAPPED,
        Misconception(
            "bare-words",
            "the bare word vectors go into the layer",
            "The layer was trained on more than that: word, position and token type, added up and normalised.",
            "Use the given `layer_input` to make X.",
        ),
        Misconception(
            "no-special-tokens",
            "the sentence goes in without [CLS] and [SEP]",
            "The model has only ever seen sentences between these two, and many heads rest on them.",
            "Use the ids that `sentence_ids` gives.",
        ),
        Misconception(
            "transposed-weights",
            "the matrices are transposed",
            "PyTorch stores them as (d_out, d_in); here they are stored as (d_in, d_out), ready for `X @ W`. Square "
            "matrices do not complain.",
            "Use them as they are.",
        ),
    ),
)


# ---------------------------------------------------------------- what heads look at

BANK_SENTENCE = "She deposited money at the bank of the river"


def _head_that(asks, answers):
    """The head in which the word `asks` gives the word `answers` the largest weight."""

    def expected(wrong=frozenset()):
        tokens = ["[CLS]", *tokenize(BANK_SENTENCE), "[SEP]"]
        weights = _bank_weights()
        i, j = tokens.index(asks), tokens.index(answers)
        if "words-exchanged" in wrong:
            j = tokens.index({"river": "money", "money": "river"}[answers])
        if "transposed" in wrong or "transposed-bank" in wrong:
            i, j = j, i
        head = int(weights[:, i, j].argmax())
        return head + 1 if "counted-from-one" in wrong else head

    return expected


def _previous_head(wrong=frozenset()):
    weights = _bank_weights()
    i = np.arange(1, weights.shape[-1])
    pairs = weights[:, i - 1, i] if "transposed" in wrong else weights[:, i, i - 1]
    head = int(pairs.mean(axis=-1).argmax())
    return head + 1 if "counted-from-one" in wrong else head


@lru_cache(maxsize=1)
def _bank_weights():
    return next(output["weights"] for output in load_layer_outputs() if output["text"] == BANK_SENTENCE)


read_heads = ValueExercise(
    id="read-heads",
    points=2,
    task="say which heads do what in the real layer, as a dict",
    parts=(
        Part("previous word", "the head that looks at the word before", _previous_head, 0.4),
        Part("bank to river", "the head in which “bank” hears “river” most", _head_that("bank", "river"), 0.3),
        Part("bank to money", "the head in which “bank” hears “money” most", _head_that("bank", "money"), 0.3),
    ),
    misconceptions=(
        Misconception(
            "transposed",
            "rows and columns have changed places",
            "The row is the word that asks, the column the word that answers. You looked at who hears “bank”.",
            "Index as `weights[head, asks, answers]`.",
        ),
        Misconception(
            "transposed-bank",
            "for “bank”, rows and columns have changed places",
            "The row is the word that asks, the column the word that answers. You looked at who hears “bank”.",
            "Index as `weights[head, asks, answers]`.",
        ),
        Misconception(
            "words-exchanged",
            "“river” and “money” have changed places",
            "Each head gives one of the two the largest weight, and you named the head of the other.",
            "Check the column: the place of “river” is not that of “money”.",
        ),
        Misconception(
            "counted-from-one",
            "you counted the heads from 1",
            "The first head has the index 0, as everywhere in NumPy.",
            "Give the index.",
        ),
    ),
)
