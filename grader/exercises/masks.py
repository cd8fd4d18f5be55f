"""Part 3, notebook 3: who may attend to whom. True = may attend, everywhere."""

import numpy as np

from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Part, Property, ValueExercise
from grader.exercises.inputs import matrix, shuffled, telling, tenths

# ---------------------------------------------------------------- the prediction

predict_masks = ChoiceExercise(
    id="predict-masks",
    points=1,
    task="type the letter of your prediction",
    right="b",
    because={
        "a": "it would be so if softmax treated each key by itself. But every weight is divided by a sum over *all* "
        "keys. What is the largest term of that sum?",
        "b": "softmax divides by a sum in which the forbidden e^9 is by far the largest term. It takes 0.9988 of the "
        "weight; setting that to 0 afterwards gives nothing back. The two allowed keys keep 0.0009 and 0.0003.",
        "c": "nothing makes the first two alike: e^2 is larger than e^1, before and after.",
        "d": "nothing is divided by zero here: the softmax is an ordinary one, and then a number is set to 0.",
    },
)


# ---------------------------------------------------------------- causal_mask


def causal_model(n, wrong=frozenset()):
    """The causal mask, with the mistakes that people make as switches."""
    row, column = np.indices((n, n))
    if "transposed" in wrong:
        row, column = column, row
    mask = column < row if "no-diagonal" in wrong else column <= row
    if "one-ahead" in wrong:
        mask = column <= row + 1
    if "diagonal-only" in wrong:
        mask = column == row
    if "all" in wrong:
        mask = np.ones((n, n), dtype=bool)
    if "inverted" in wrong:
        mask = ~mask
    if "additive" in wrong:
        return np.where(mask, 0.0, -np.inf)
    return mask


def holds_booleans(call, rng):
    n = int(rng.integers(8, 12))
    mask = call(n)
    if not np.array_equal(mask.astype(bool), causal_model(n)):
        return f"the mask for {n} tokens is wrong"
    return not_boolean(mask)


def not_boolean(mask):
    if mask.dtype == bool:
        return None
    return f"its entries are of type {mask.dtype}; `~mask` and `mask & other` need booleans"


causal_mask = FunctionExercise(
    id="causal_mask",
    points=2,
    task="write `causal_mask(n)`",
    model=causal_model,
    returns="mask",
    changes_input=False,
    cases=(
        Case("three tokens", lambda rng: {"n": 3}, 0.0),
        Case("more tokens", lambda rng: {"n": int(rng.choice([5, 7]))}, 0.5),
        Case("many tokens", lambda rng: {"n": int(rng.choice([11, 13, 17]))}, 0.25),
        Case("a single token", lambda rng: {"n": 1}, 0.0),
    ),
    properties=(Property("its entries are True and False", holds_booleans, 0.25),),
    misconceptions=(
        Misconception(
            "inverted",
            "your mask is inverted: True stands where attention is forbidden",
            "PyTorch's `MultiheadAttention` reads masks like this, its `scaled_dot_product_attention` does not. In "
            "this course True means: may attend.",
            "Look at row 0. The first token may attend to itself, and to nothing else.",
        ),
        Misconception(
            "no-diagonal",
            "the diagonal is forbidden",
            "No token can see itself then, and the first one has nothing to attend to at all.",
            "A token is not its own future: the diagonal is allowed.",
        ),
        Misconception(
            "transposed",
            "your mask is transposed: every token sees what comes after it",
            "A row belongs to the token that asks. In row 0 only one entry may be True.",
            "Which triangle holds the columns that are not greater than the row?",
        ),
        Misconception(
            "one-ahead",
            "every token sees one step into the future",
            "That one step is just what a language model has to predict: it can copy the answer.",
            "Start from the diagonal itself, without an offset.",
        ),
        Misconception(
            "diagonal-only",
            "every token sees only itself",
            "Then no context is left: each token may also see what came before it.",
            "Allow the diagonal, and everything on one side of it.",
        ),
        Misconception(
            "all",
            "everything is allowed",
            "A mask of nothing but True masks nothing.",
            "Forbid the columns that come after the row's own token.",
        ),
        Misconception(
            "additive",
            "you return numbers to be added to the scores, 0 and minus infinity",
            "That is one way to *use* a mask. The mask itself says True or False, so that masks can be combined.",
            "Return True where attention is allowed.",
        ),
    ),
)


# ---------------------------------------------------------------- padding_mask


def padding_model(lengths, n, wrong=frozenset()):
    """The padding mask, with mistakes as switches."""
    lengths = np.asarray(lengths)
    if "longest" in wrong:
        lengths = np.full_like(lengths, lengths.max())
    place = np.arange(lengths.max(initial=0) if "n-ignored" in wrong else n)
    if "left" in wrong:
        place = place[::-1]
    if "one-too-many" in wrong:
        place = place - 1
    elif "one-too-few" in wrong:
        place = place + 1
    mask = place < lengths[:, None]  # (batch, n)
    if "inverted" in wrong:
        mask = ~mask
    if "no-query-axis" in wrong:
        return mask
    if "query-axis" in wrong:
        return mask[:, :, None]
    if "both-axes" in wrong:
        return mask[:, :, None] & mask[:, None, :]
    if "repeated" in wrong:
        return np.repeat(mask[:, None, :], n, axis=1)
    return mask[:, None, :]


def some_lengths(rng, batch, n):
    """Different lengths, one of them n itself."""
    shorter = rng.permutation(np.arange(1, n))[: batch - 1]
    return {"lengths": shuffled(rng, np.append(shorter, n)), "n": n}


def all_shorter(rng):
    """Padding in every sequence, as happens when the length is fixed beforehand."""
    return {"lengths": shuffled(rng, [1, 3, 4]), "n": 7}


def padding_holds_booleans(call, rng):
    lengths, n = some_lengths(rng, 4, 11).values()
    mask = call(lengths, n)
    if not np.array_equal(mask.astype(bool), padding_model(lengths, n)):
        return f"the mask for {n} places is wrong"
    return not_boolean(mask)


def with_an_empty_one(rng):
    return {"lengths": shuffled(rng, [0, 2, 7, 5, 3]), "n": 7}


padding_mask = FunctionExercise(
    id="padding_mask",
    points=3,
    task="write `padding_mask(lengths, n)`",
    model=padding_model,
    returns="mask",
    cases=(
        Case("two sequences, padded to 5", lambda rng: some_lengths(rng, 2, 5), 0.0),
        Case("three sequences, padded to 11", lambda rng: some_lengths(rng, 3, 11), 0.4),
        Case("as many sequences as places", lambda rng: some_lengths(rng, 5, 5), 0.1),
        Case("padding in every sequence", all_shorter, 0.15),
        Case("a sequence of length 0", with_an_empty_one, 0.1),
    ),
    properties=(Property("its entries are True and False", padding_holds_booleans, 0.15),),
    misconceptions=(
        Misconception(
            "inverted",
            "your mask is inverted: True stands at the padding",
            "Every query would attend to the padding, and to nothing else. In this course True means: may attend.",
            "True belongs to the real tokens.",
        ),
        Misconception(
            "query-axis",
            "your mask lies along the queries",
            "Shape (batch, n, 1) forbids whole *rows*: the padding asks nothing, but the real tokens still "
            "attend to it.",
            "Padding must not be attended *to*: it belongs on the last axis, that of the keys.",
        ),
        Misconception(
            "no-query-axis",
            "the axis of the queries is missing",
            "Shape (batch, n) meets scores of shape (batch, n, n) from the right: NumPy takes your batch for queries.",
            "Put an axis of length 1 between batch and keys.",
        ),
        Misconception(
            "both-axes",
            "you mask the queries as well as the keys",
            "The shape is (batch, 1, n): every query sees the same real keys. What a padded query gets is thrown "
            "away later.",
            "Keep the axis of the queries at length 1.",
        ),
        Misconception(
            "repeated",
            "you repeat the same row for every query",
            "All rows are equal, so one is enough: broadcasting repeats an axis of length 1 without storing it.",
            "Keep the axis of the queries at length 1.",
        ),
        Misconception(
            "left",
            "you took the padding to come first",
            "Here the real tokens come first and the padding fills the end.",
            "Compare each place 0, 1, ... with the length.",
        ),
        Misconception(
            "one-too-many",
            "one padded place too many is allowed",
            "A sequence of length 3 has its tokens at the places 0, 1 and 2.",
            "Is place 3 smaller than 3?",
        ),
        Misconception(
            "one-too-few",
            "the last real token is forbidden",
            "A sequence of length 3 has its tokens at the places 0, 1 and 2.",
            "Places count from 0.",
        ),
        Misconception(
            "n-ignored",
            "your mask is as long as the longest sequence, not n",
            "All sequences may be shorter than the array that holds them; the mask then does not fit the scores.",
            "How many keys there are is told by n, not by the lengths.",
        ),
        Misconception(
            "longest",
            "every sequence gets the mask of the longest one",
            "The shorter ones are those that have padding to hide.",
            "Compare with each sequence's own length.",
        ),
    ),
)


# ---------------------------------------------------------------- masked_softmax


#: What stands in for a forbidden score, by mistake.
WRONG_FILLS = {"zero-fill": 0.0, "small-fill": -10.0, "hundred-fill": -100.0, "far-fill": -1e5}


def masked_rows(scores, mask, wrong=frozenset()):
    """Softmax over what the mask allows, with mistakes as switches.

    Right is: fill, softmax, and set what is forbidden to 0 once more. The mistakes leave out or spoil a step each,
    as people's code does, so that they do together what such code does.
    """
    scores, mask = np.asarray(scores, dtype=float), np.asarray(mask, dtype=bool)
    if "same-shape-only" in wrong and mask.shape != scores.shape:
        raise IndexError("boolean index did not match indexed array")
    if "indexes-rows" in wrong and mask.ndim > 1 and mask.shape[:-1] != scores.shape[:-1]:
        raise IndexError("boolean index did not match indexed array")
    if wrong & {"mask-by-rows", "mask-by-rows-only"} and mask.ndim < scores.ndim:
        mask = mask[: len(scores), None]
    if "mask-by-rows-only" in wrong and mask.ndim > 2:
        raise IndexError("index 1 is out of bounds for axis 0 with size 1")
    mask = np.broadcast_to(mask, scores.shape)
    if "infinity-times" in wrong:
        return np.full(scores.shape, np.nan)
    if "mask-ignored" in wrong:
        return powers_over_sum(scores)
    axis = 0 if "columns" in wrong else -1
    fill = next((value for name, value in WRONG_FILLS.items() if any(w.startswith(name) for w in wrong)), None)
    swapped = fill is None and any(w.startswith("inverted") for w in wrong)
    kept, shown = ~mask if swapped else mask, mask if "inverted-all-zero" in wrong else ~mask if swapped else mask
    final = not wrong & {*WRONG_FILLS, "zero-fill-empty-zero", "inverted-nan", "inverted-uniform", *EMPTY_ROWS}
    if "after" in wrong:
        filled, final = scores, True
    elif fill is not None:
        filled = np.where(kept, scores, fill)
    elif wrong & {"empty-nan", "inverted-nan", "no-maximum"} or wrong & {"renormalised", "maximum-of-all"}:
        filled = np.where(kept, scores, -np.inf)
    elif "empty-unmasked" in wrong:
        filled = scores + np.where(kept, 0.0, -1e9)
    else:
        filled = np.where(kept, scores, -1e9)
    top = (scores if wrong & {"maximum-of-all", "renormalised"} else filled).max(axis=axis, keepdims=True)
    powers = np.exp(filled if "no-maximum" in wrong else filled - top)
    total = powers.sum(axis=axis, keepdims=True)
    weights = powers / (np.where(total == 0, 1.0, total) if "renormalised" in wrong else total)
    if "zero-fill-empty-zero" in wrong:
        return np.where(mask.any(axis=-1, keepdims=True), weights, 0.0)
    return np.where(shown, weights, 0.0) if final else weights


def powers_over_sum(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


EMPTY_ROWS = ("empty-nan", "empty-uniform", "empty-unmasked")


def some_mask(rng, *shape):
    """A mask with at least two True in every row, and two False where there is room, the same in no two neighbours.

    With a single True, that key's weight is 1 whatever its score, and no mistake in the scores would show.
    """
    while True:
        mask = rng.random(shape) < 0.5
        enough = (mask.sum(axis=-1) >= 2).all() and ((~mask).sum(axis=-1) >= min(2, shape[-1] - 2)).all()
        if enough and (mask.ndim == 1 or (mask[1:] != mask[:-1]).any(axis=-1).all()):
            return mask


def small_scores(rng):
    """Two rows; in the first the forbidden score is the largest."""
    scores = np.sort(tenths(rng, 2, 3, low=-2.0, high=2.0), axis=-1)
    return {"scores": scores, "mask": np.array([[True, True, False], [True, False, True]])}


def with_an_empty_row(rng):
    mask = some_mask(rng, 5, 7)
    mask[int(rng.integers(5))] = False
    return {"scores": matrix(rng, 5, 7, scale=2.0), "mask": mask}


def far_from_zero(rng):
    """Rows whose allowed scores are all large, or all very negative. Quarters are exact even in single precision."""
    mask = some_mask(rng, 4, 5)
    level = np.array([1000.0, -20000.0, 1000.0, -900000.0])[:, None]
    return {"scores": np.where(mask, level, 0.0) + rng.integers(-6, 7, size=(4, 5)) / 4, "mask": mask}


def forbidden_is_exactly_zero(call, rng):
    scores, mask = matrix(rng, 7, 5, scale=2.0), some_mask(rng, 7, 5)
    scores[0] -= scores[0][mask[0]].max() + 8  # so low that a small fill takes a share of the weight
    weights = call(scores, mask)
    most = np.abs(weights[~mask]).max()
    if most > 1e-12:
        return f"a forbidden key has the weight {most:.3g}"
    worst = np.abs(weights.sum(axis=-1) - 1).max()
    return None if worst < 1e-3 else "a row does not sum to 1"


def forbidden_scores_do_not_matter(call, rng):
    scores, mask = matrix(rng, 3, 5), some_mask(rng, 3, 5)
    usual = call(scores, mask)
    loud = call(np.where(mask, scores, 1000.0), mask)
    if not np.isfinite(loud).all():
        return "a forbidden score of 1000 gives NaN"
    return None if np.allclose(usual, loud, atol=1e-3) else "a forbidden score of 1000 changes the weights"


MASKING_MISTAKES = {
    "after": Misconception(
        "after",
        "you set weights to 0 after the softmax",
        "The forbidden keys had taken their share before: the rows sum to less than 1, and how much less depends on "
        "what was forbidden to be seen.",
        "Change the scores, before the softmax.",
    ),
    "zero-fill": Misconception(
        "zero-fill",
        "forbidden scores are 0 (filled with 0 or -1e-9, or multiplied by the mask)",
        "A score of 0 is an ordinary score: e^0 = 1. Where the other scores are negative it even wins.",
        "Which score has the exponential 0?",
    ),
    "zero-fill-zeroed": Misconception(
        "zero-fill-zeroed",
        "forbidden scores are 0 in the softmax, and their weights are set to 0 afterwards",
        "A score of 0 is an ordinary score: e^0 = 1. It takes its share of the sum, so the rows sum to less than 1.",
        "Which score has the exponential 0?",
    ),
    "zero-fill-empty-zero": Misconception(
        "zero-fill-empty-zero",
        "forbidden scores are 0 (filled with 0 or -1e-9, or multiplied by the mask); only empty rows are set right",
        "A score of 0 is an ordinary score: e^0 = 1. Where the other scores are negative it even wins.",
        "Which score has the exponential 0?",
    ),
    **{
        name: Misconception(
            name,
            "the mask is used the wrong way round" + what,
            "What is allowed gets the very negative number. In this course True means: may attend.",
            "Keep the scores where the mask is True.",
        )
        for name, what in (
            ("inverted-all-zero", ", first among the scores; then the right way round, so hardly a weight is left"),
            ("inverted-nan", "; where all is allowed that gives NaN"),
            ("inverted-uniform", "; where all is allowed the weights come out equal"),
        )
    },
    "inverted": Misconception(
        "inverted",
        "the mask is used the wrong way round",
        "Every query attends to exactly what is forbidden. In this course True means: may attend.",
        "Keep the scores where the mask is True.",
    ),
    "infinity-times": Misconception(
        "infinity-times",
        "you add (1 - mask) times minus infinity",
        "Where attention is allowed that is 0 times infinity, and that is NaN.",
        "Choose between score and minus infinity with `np.where`, instead of multiplying.",
    ),
    "empty-nan": Misconception(
        "empty-nan",
        "a row with nothing to attend to becomes NaN",
        "All its scores are minus infinity: the maximum is, too, and their difference is not a number.",
        "Our rule: such a row has zero weights. Find those rows with `mask.any(axis=-1, keepdims=True)`.",
    ),
    "empty-uniform": Misconception(
        "empty-uniform",
        "a row with nothing to attend to attends to everything equally",
        "If all scores of a row are the same large negative number, softmax sees no difference between them.",
        "Our rule: such a row has zero weights. Set what is forbidden to 0 once more, after the softmax.",
    ),
}

masked_softmax = FunctionExercise(
    id="masked_softmax",
    points=4,
    task="write `masked_softmax(scores, mask)`",
    model=masked_rows,
    returns="weights",
    cases=(
        Case("two rows of three scores", small_scores, 0.15),
        Case("seven rows of five", lambda rng: {"scores": matrix(rng, 7, 5), "mask": some_mask(rng, 7, 5)}, 0.1),
        Case("allowed scores of 1000, of -20000 and of -900000", far_from_zero, 0.1),
        Case(
            "one row of the mask for all queries",
            lambda rng: {"scores": matrix(rng, 3, 5), "mask": some_mask(rng, 5)},
            0.1,
        ),
        Case(
            "two sequences at once, with a padding mask",
            lambda rng: {"scores": matrix(rng, 2, 3, 3), "mask": padding_model(np.array([2, 3]), 3)},
            0.1,
        ),
        Case("a row with nothing to attend to", with_an_empty_row, 0.15),
    ),
    properties=(
        Property("forbidden weights are exactly 0, and rows sum to 1", forbidden_is_exactly_zero, 0.1),
        Property("a forbidden score may be as large as it likes", forbidden_scores_do_not_matter, 0.1),
    ),
    misconceptions=(
        *MASKING_MISTAKES.values(),
        Misconception(
            "empty-unmasked",
            "a row with nothing to attend to gets its weights without the mask",
            "Adding the same large negative number to all scores of a row is a shift, and softmax does not see shifts.",
            "Our rule: such a row has zero weights. Set what is forbidden to 0 once more, after the softmax.",
        ),
        *(
            Misconception(
                name,
                "forbidden scores are filled with a number that is not small enough" + what,
                "A score may be far below zero itself. What is forbidden must stay far below what is allowed.",
                "Use minus infinity, or a number as far down as -1e9.",
            )
            for name, what in (
                ("small-fill", ", such as -10"),
                ("small-fill-zeroed", ", such as -10; setting the weight to 0 afterwards does not give its share back"),
                ("hundred-fill", ", such as -100"),
                ("hundred-fill-zeroed", ", such as -100; where it wins, setting weights to 0 leaves nothing"),
                ("far-fill", ", such as -100000"),
                ("far-fill-zeroed", ", such as -100000; where it wins, setting weights to 0 leaves nothing"),
            )
        ),
        Misconception(
            "no-maximum",
            "the maximum of the row is not taken off before the exponential",
            "The exponential of 1000 is infinity, and infinity divided by infinity is NaN; with -20000 everywhere it "
            "is 0/0.",
            "Take the maximum of the allowed scores off each row, or use `softmax`, which does.",
        ),
        Misconception(
            "mask-ignored",
            "the mask is not used",
            "Every query attends to everything.",
            "Change the scores where the mask is False, before the softmax.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns (axis 0)",
            "Each row belongs to one query, and its weights must sum to 1.",
            "Take the maximum and the sum along the last axis.",
        ),
        Misconception(
            "renormalised",
            "you mask after the softmax and divide by what is left, or took the maximum over forbidden keys, too",
            "On paper that is right. But if a forbidden score is far above the others, all allowed weights have been "
            "rounded to 0 before, and nothing is left to divide.",
            "Forbid first, then take the softmax.",
        ),
        Misconception(
            "maximum-of-all",
            "you took the maximum over forbidden keys, too, or mask after the softmax and divide by what is left",
            "On paper either is right. But if a forbidden score is far above the others, all allowed powers "
            "round to 0, and 0/0 is NaN.",
            "Forbid first. The maximum of each row then is that of the allowed scores.",
        ),
        Misconception(
            "same-shape-only",
            "your function works only if the mask has the same shape as the scores",
            "A mask may be smaller: a single row for all queries, or (batch, 1, n). Indexing with it then fails.",
            "`np.where` stretches the mask by itself, as does `np.broadcast_to(mask, scores.shape)`.",
        ),
        Misconception(
            "indexes-rows",
            "you pick rows of the weights with `mask.any(axis=-1)`, which has the shape of the mask",
            "A mask of shape (batch, 1, n) says one thing for all queries; as an index of rows it does not fit.",
            "Keep the axis (`keepdims=True`), and choose with `np.where`: it stretches.",
        ),
        *(
            Misconception(
                name,
                "you take `mask[i]` for row i, although the mask may have fewer rows than the scores" + what,
                "A mask of shape (n_keys,) is one row for all queries: its entry i says something about key i.",
                "Stretch the mask first, with `np.broadcast_to(mask, scores.shape)`.",
            )
            for name, what in (("mask-by-rows", ""), ("mask-by-rows-only", ", or only one of them for each sequence"))
        ),
    ),
)


# ---------------------------------------------------------------- masked_attention


def masked_attention_model(Q, K, V, mask, wrong=frozenset()):
    """Scaled attention under a mask, with mistakes as switches."""
    Q, K, V = (np.asarray(a, dtype=float) for a in (Q, K, V))
    scores = Q @ (K.T if "all-axes-reversed" in wrong else np.swapaxes(K, -1, -2))
    scale = np.sqrt(Q.shape[-1])
    if "no-scale" in wrong:
        scale = 1.0
    if "by-d_k" in wrong:
        scale = Q.shape[-1]
    if "by-sqrt-d_v" in wrong:
        scale = np.sqrt(V.shape[-1])
    if "by-sqrt-n" in wrong:
        scale = np.sqrt(K.shape[-2])
    if "by-sqrt-queries" in wrong:
        scale = np.sqrt(Q.shape[-2])
    if "by-sqrt-len" in wrong:
        scale = np.sqrt(len(Q))
    if "axis-1" in wrong:
        scale = np.sqrt(Q.shape[1])
    if "scaled-weights" in wrong:
        weights = masked_rows(scores, mask, wrong & MASKING_MISTAKES.keys()) / scale
    elif "mask-ignored" in wrong:
        weights = powers_over_sum(scores / scale)
    else:
        weights = masked_rows(scores / scale, mask, wrong & MASKING_MISTAKES.keys())
    if "context-unmasked" in wrong:
        return powers_over_sum(scores / scale) @ V, weights
    return weights @ V, weights


def attended(rng, n_queries, n_keys, d_k, d_v, entries=matrix, batch=()):
    """Q, K, V and a mask with something to attend to in every row."""
    return {
        "Q": entries(rng, *batch, n_queries, d_k),
        "K": entries(rng, *batch, n_keys, d_k),
        "V": entries(rng, *batch, n_keys, d_v),
        "mask": some_mask(rng, n_queries, n_keys),
    }


def padded_batch(rng):
    return attended(rng, 7, 5, 3, 2, batch=(2,)) | {"mask": padding_model(shuffled(rng, [2, 4]), 5)}


def nothing_for_one(rng):
    inputs = attended(rng, 5, 7, 3, 2)
    inputs["mask"][int(rng.integers(5))] = False
    return inputs


def forbidden_values_do_not_matter(call, rng):
    Q, K, V, mask = attended(rng, 3, 5, 2, 7).values()
    mask = np.broadcast_to(mask[:1], (3, 5)).copy()
    hidden = ~mask[0]
    before, _ = call(Q, K, V, mask)
    K, V = K.copy(), V.copy()
    K[hidden], V[hidden] = matrix(rng, int(hidden.sum()), 2), matrix(rng, int(hidden.sum()), 7, scale=5.0)
    after, _ = call(Q, K, V, mask)
    return (
        None
        if np.allclose(before, after, atol=1e-3)
        else "other keys and values at the forbidden places change the context"
    )


SCALE_SLIPS = ("no-scale", "by-d_k", "by-sqrt-d_v", "by-sqrt-n", "by-sqrt-queries", "by-sqrt-len")

masked_attention = FunctionExercise(
    id="masked_attention",
    points=3,
    task="write `masked_attention(Q, K, V, mask)`",
    model=masked_attention_model,
    returns=("context", "weights"),
    cases=(
        Case(
            "two queries, three keys",
            telling(lambda rng: attended(rng, 2, 3, 5, 4, tenths), masked_attention_model, *SCALE_SLIPS),
            0.2,
        ),
        Case(
            "a causal mask over seven tokens", lambda rng: attended(rng, 7, 7, 5, 3) | {"mask": causal_model(7)}, 0.15
        ),
        Case(
            "one row of the mask for all queries",
            telling(
                lambda rng: attended(rng, 3, 5, 7, 2) | {"mask": some_mask(rng, 1, 5)},
                masked_attention_model,
                *SCALE_SLIPS,
            ),
            0.1,
        ),
        Case("two sequences at once, with a padding mask", padded_batch, 0.15),
        Case("a query with nothing to attend to", nothing_for_one, 0.15),
    ),
    properties=(Property("what is forbidden has no influence", forbidden_values_do_not_matter, 0.15),),
    misconceptions=(
        Misconception(
            "no-scale",
            "the scores are not divided by the square root of d_k",
            "Part 3 always scales.",
            "Divide the scores before the softmax.",
        ),
        Misconception(
            "by-d_k",
            "you divide by d_k instead of its square root",
            "The weights come out too flat.",
            "Take the square root of the last axis of Q.",
        ),
        Misconception(
            "by-sqrt-d_v",
            "you divide by the square root of d_v",
            "A score adds up d_k products, one for each number of a key; the values play no part in it.",
            "Read the dimension off Q or K.",
        ),
        Misconception(
            "by-sqrt-n",
            "you divide by the square root of the number of keys",
            "A score adds up d_k products; how many keys there are plays no part in it.",
            "Read the *last* axis of Q.",
        ),
        *(
            Misconception(
                name,
                f"you divide by the square root of the number of queries{what}",
                "A score adds up d_k products; how many queries there are plays no part in it.",
                "Read the *last* axis of Q.",
            )
            for name, what in (("by-sqrt-queries", ""), ("by-sqrt-len", ", `len(Q)`"))
        ),
        Misconception(
            "axis-1",
            "you read d_k off axis 1 of Q, `Q.shape[1]`",
            "With a batch axis in front, axis 1 holds the queries.",
            "Count from the end: which axis of Q is always that of d_k?",
        ),
        Misconception(
            "scaled-weights",
            "you scale the weights, after the softmax",
            "Then the rows no longer sum to 1.",
            "Scale the scores, before mask and softmax.",
        ),
        Misconception(
            "all-axes-reversed",
            "`K.T` is used on an array with a batch axis",
            "On three axes `.T` reverses all of them: the batch ends up last. If all sizes are equal nothing "
            "complains.",
            "Swap the last two axes only: `K.swapaxes(-1, -2)` or `K.mT`.",
        ),
        Misconception(
            "mask-ignored",
            "the mask is not used",
            "Every query attends to everything.",
            "Hand the mask to `masked_softmax`.",
        ),
        Misconception(
            "context-unmasked",
            "the weights are masked, but the context is mixed without the mask",
            "What counts is the context: there the forbidden values still come through.",
            "Mix with the same weights that you return.",
        ),
        *MASKING_MISTAKES.values(),
    ),
)


# ---------------------------------------------------------------- leaks_future


def rows_of(X, allowed, *, before=lambda X: X, after_softmax=False, fill=-np.inf):
    """Attention of X over itself where `allowed`, in one of its right or wrong ways."""
    d = X.shape[-1]
    rng = np.random.default_rng(1000 + d)  # the same projections for the same d
    Q, K, V = (before(X) @ rng.normal(size=(d, 5)) for _ in range(3))
    scores = Q @ K.T / np.sqrt(5)
    if not after_softmax:
        scores = np.where(allowed, scores, fill)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    weights = powers / np.where(total > 0, total, 1.0)
    return np.where(allowed, weights, 0.0) @ V if after_softmax else weights @ V


def offsets(X):
    """How far each key lies behind (negative) or ahead of (positive) each query."""
    place = np.arange(len(X))
    return place[None, :] - place[:, None]


def causal_attention(X):
    return rows_of(X, offsets(X) <= 0)


def open_attention(X):
    return rows_of(X, offsets(X) < len(X))


def backwards_attention(X):
    return rows_of(X, offsets(X) >= 0)


def one_ahead_attention(X):
    return rows_of(X, offsets(X) <= 1)


def two_ahead_attention(X):
    return rows_of(X, (offsets(X) <= 0) | (offsets(X) == 2))


def three_ahead_attention(X):
    return rows_of(X, (offsets(X) <= 0) | (offsets(X) == 3))


def first_sees_second(X):
    allowed = offsets(X) <= 0
    allowed[0, 1:2] = True
    return rows_of(X, allowed)


def second_sees_third(X):
    allowed = offsets(X) <= 0
    allowed[1:2, 2:3] = True
    return rows_of(X, allowed)


def last_but_one_sees_last(X):
    allowed = offsets(X) <= 0
    allowed[-2:-1, -1] = True
    return rows_of(X, allowed)


def zeroed_afterwards(X):
    return rows_of(X, offsets(X) <= 0, after_softmax=True)


def filled_with_zero(X):
    return rows_of(X, offsets(X) <= 0, fill=0.0)


def centred_first(X):
    return rows_of(X, offsets(X) <= 0, before=lambda X: X - X.mean(axis=0))


def window_attention(X):
    return rows_of(X, (offsets(X) <= 0) & (offsets(X) > -3))


def without_itself(X):
    return rows_of(X, offsets(X) < 0)


def average_before(X):
    """The mean of the tokens before each: a token does not even see itself."""
    allowed = offsets(X) < 0
    return allowed / np.maximum(allowed.sum(axis=-1, keepdims=True), 1) @ X


def tokens_alone(X):
    return np.tanh(X)


def total_minus_the_rest(X):
    """Sums of what came so far, by taking what follows off the total: right, but for rounding."""
    following = np.cumsum(X[::-1], axis=0)[::-1] - X
    return X.sum(axis=0) - following


def leaks_model(attention, wrong=frozenset()):
    """The leak test, with mistakes as switches."""
    n, d = (2 if "two-tokens" in wrong else 3 if "three-tokens" in wrong else 7), 5
    rng = np.random.default_rng(12345)
    X = rng.normal(size=(n, d))
    before = np.asarray(attention(X.copy()), dtype=float)
    leaks = False
    places = range(n - 1) if "earlier-changed" in wrong else range(1, n)
    if "last-token-only" in wrong or "first-row-of-last" in wrong:
        places = [n - 1]
    if "first-round-only" in wrong:
        places = [1]
    if "last-never-changed" in wrong:
        places = range(1, n - 1)
    for place in places:
        changed = X.copy()
        if "same-array" not in wrong:
            changed[place] = rng.normal(size=d)
        after = np.asarray(attention(changed.copy()), dtype=float)
        rows = slice(0, place)
        if "whole-context" in wrong:
            rows = slice(0, n)
        if "own-row" in wrong:
            rows = slice(0, place + 1)
        if "first-row-only" in wrong or "first-row-of-last" in wrong:
            rows = slice(0, 1)
        if "row-before-only" in wrong:
            rows = slice(place - 1, place)
        if "slice-too-short" in wrong:
            rows = slice(0, place - 1)
        if "earlier-changed" in wrong:
            rows = slice(place + 1, n)
        if "first-round-only" in wrong:
            rows = slice(0, 1)
        tolerance = 0.0 if "exact" in wrong else 1e-7
        leaks = leaks or bool(np.abs(before[rows] - after[rows]).max(initial=0.0) > tolerance)
    return not leaks if "inverted" in wrong else leaks


def tells_apart(*attentions):
    """A test that leaky attention functions (the first half) are told from sound ones (the second half)."""

    def test(call, rng):
        half = len(attentions) // 2
        found = [call(attention) for attention in attentions]  # all of them, so that the mistake can be named
        for i, (attention, leaks) in enumerate(zip(attentions, found, strict=True)):
            if leaks is not (i < half):
                what = "a leak is missed" if i < half else "a leak is reported where there is none"
                return f"{what}: {LEAK_STORIES[attention]}"
        return None

    return test


LEAK_STORIES = {
    backwards_attention: "each token sees itself and all that come after it",
    causal_attention: "a causal mask",
    one_ahead_attention: "each token also sees the next one",
    two_ahead_attention: "each token also sees the one after the next",
    three_ahead_attention: "each token also sees the third after it",
    first_sees_second: "only the first token sees one too many, the second",
    second_sees_third: "only the second token sees one too many, the third",
    last_but_one_sees_last: "only the last but one sees one too many, the last",
    zeroed_afterwards: "the weights are set to 0 after the softmax",
    filled_with_zero: "forbidden scores are filled with 0",
    centred_first: "the mean of all tokens is taken off first",
    window_attention: "each token sees itself and the two before it",
    without_itself: "each token sees only those before it",
    average_before: "the mean of the tokens before",
    tokens_alone: "each token sees only itself",
    total_minus_the_rest: "sums of the tokens so far (which differ by rounding only)",
}


def case(text, attention, share):
    return Case(text, lambda rng: {"attention": attention}, share)


leaks_future = FunctionExercise(
    id="leaks_future",
    points=3,
    task="write `leaks_future(attention)`",
    model=leaks_model,
    returns="True or False",
    changes_input=False,
    # A constant earns nothing: the first case wants True and is worth nothing, the others want False, and each
    # property wants both.
    cases=(
        case("attention without a mask leaks", open_attention, 0.0),
        case("attention with a causal mask does not", causal_attention, 0.3),
        case("a mask that hides a token from itself does not leak", without_itself, 0.1),
        case("each token alone does not leak", tokens_alone, 0.1),
    ),
    properties=(
        Property(
            "a look one, two or three tokens ahead is found",
            tells_apart(
                one_ahead_attention,
                two_ahead_attention,
                three_ahead_attention,
                window_attention,
                average_before,
                causal_attention,
            ),
            0.15,
        ),
        Property(
            "a leak in a single row is found",
            tells_apart(
                first_sees_second,
                second_sees_third,
                last_but_one_sees_last,
                causal_attention,
                window_attention,
                average_before,
            ),
            0.15,
        ),
        Property(
            "a leak past a right mask is found",
            tells_apart(
                zeroed_afterwards, filled_with_zero, centred_first, causal_attention, window_attention, average_before
            ),
            0.1,
        ),
        Property("rounding is no leak", tells_apart(backwards_attention, total_minus_the_rest), 0.1),
    ),
    misconceptions=(
        Misconception(
            "inverted",
            "your answer is the wrong way round",
            "True means that there is a leak: a later token changes an earlier row.",
            "Turn the result round.",
        ),
        Misconception(
            "same-array",
            "your test always says False: it compares two results for the same input, or no row at all",
            "`changed = X` is not a copy: both names mean one array, and changing one changes the other. And before "
            "row 0 there is nothing to compare, so a loop that starts there must not return in its first round.",
            "Make a copy with `X.copy()`, compute the first context before you change anything, and return False "
            "only after the loop.",
        ),
        Misconception(
            "whole-context",
            "your test always says True: it compares rows that may change, or X itself changes (no copy)",
            "The row of the changed token, and those after it, are meant to change. If `changed = X` is no copy, "
            "the tokens changed in earlier rounds stay changed, and so do their rows.",
            "Copy X afresh for each token, and compare only the rows before the token that you changed.",
        ),
        Misconception(
            "own-row",
            "you compare one row too many: that of the changed token itself",
            "A token may see itself, so its own row is meant to change.",
            "The slice `[:j]` holds the rows before row j.",
        ),
        Misconception(
            "earlier-changed",
            "you change an earlier token and look at later rows",
            "That later rows follow earlier tokens is what attention is for. A leak goes the other way.",
            "Change a token, and look at the rows before it.",
        ),
        Misconception(
            "last-token-only",
            "you change only the last token",
            "A leak among the earlier tokens is missed: the first may see the second, and nobody else sees too far.",
            "Change each token in turn.",
        ),
        Misconception(
            "first-row-only",
            "you look only at the first row",
            "A leak in a later row is missed.",
            "Compare all rows before the changed token.",
        ),
        Misconception(
            "first-row-of-last",
            "you change only the last token and look only at the first row",
            "That finds a leak only if the very first token sees the very last.",
            "Change each token in turn, and compare all rows before it.",
        ),
        Misconception(
            "first-round-only",
            "your loop returns in its first round",
            "A `return` ends the function at once, also in `else:` or as `return not np.allclose(...)`. Only the first "
            "token of the loop is ever tried.",
            "Inside the loop, return only when a leak is found. That there is none is known after the loop.",
        ),
        Misconception(
            "last-never-changed",
            "the last token is never replaced",
            "`range(1, n - 1)` ends at n - 2: a leak from the very last token is missed.",
            "The end of a `range` is not included.",
        ),
        Misconception(
            "row-before-only",
            "you compare only the row just before the changed token",
            "A leak may skip that row and show in an earlier one.",
            "Compare all rows before the changed token.",
        ),
        Misconception(
            "slice-too-short",
            "you leave out the row just before the changed token",
            "The slice `[:j - 1]` ends before row j - 1: a look one token ahead is missed.",
            "The end of a slice is not included: which slice holds the rows 0 to j - 1?",
        ),
        Misconception(
            "three-tokens",
            "you test with three tokens only",
            "A leak from the third token after a query cannot show.",
            "Take a few more tokens: seven will do.",
        ),
        Misconception(
            "two-tokens",
            "you test with two tokens only",
            "A leak that skips the next token cannot show.",
            "Take a few more tokens: seven will do.",
        ),
        Misconception(
            "exact",
            "you compare with `==` or `np.array_equal`",
            "Two ways to compute the same number can differ in the last digit. That is rounding and no leak.",
            "Use `np.allclose`.",
        ),
    ),
)


# ---------------------------------------------------------------- the suspects

SUSPECTS = {
    "causal": causal_attention,
    "no mask": open_attention,
    "one ahead": one_ahead_attention,
    "zero afterwards": zeroed_afterwards,
    "not itself": without_itself,
    "centred": centred_first,
}


def leaky(wrong=frozenset()):
    """The names of the leaky suspects, with mistakes as switches."""
    names = {name for name, attention in SUSPECTS.items() if leaks_model(attention)}
    if "the-sound-ones" in wrong:
        names = set(SUSPECTS) - names
    if "mask-is-enough" in wrong:
        names -= {"zero afterwards", "centred"}
    if "misses-afterwards" in wrong:
        names -= {"zero afterwards"}
    if "misses-centred" in wrong:
        names -= {"centred"}
    if "suspects-itself" in wrong:
        names |= {"not itself"}
    return sorted(names)


leaky_suspects = ValueExercise(
    id="leaky-suspects",
    points=2,
    task="name the suspects that leak",
    parts=(Part("", "the leaky suspects", leaky),),
    misconceptions=(
        Misconception(
            "the-sound-ones",
            "you listed those that do not leak",
            "The leaky ones are asked for.",
            "List those for which `leaks_future` is True.",
        ),
        Misconception(
            "mask-is-enough",
            "you trust whatever uses a causal mask",
            "A right mask in the wrong place, or a step that mixes all tokens before it, lets the future through.",
            "Turn the test on every suspect, also on those that look right.",
        ),
        Misconception(
            "misses-afterwards",
            "you let the one pass that sets weights to 0 after the softmax",
            "Its masked weights are 0, but the others were divided by a sum that holds the future.",
            "Turn the test on every suspect.",
        ),
        Misconception(
            "misses-centred",
            "you let the one pass that takes off the mean first",
            "The mean is taken over all tokens, the later ones included.",
            "Turn the test on every suspect.",
        ),
        Misconception(
            "suspects-itself",
            "you suspect the one that hides each token from itself",
            "It is an odd mask, but a strict one: it shows less than allowed, not more.",
            "A leak shows a token what comes *after* it.",
        ),
    ),
)
