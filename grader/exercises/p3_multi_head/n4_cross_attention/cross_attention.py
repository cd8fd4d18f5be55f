import numpy as np

from grader.exercises.inputs import matrix, moved, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n4_cross_attention.shared import softmax


def _some_of(rng, n):
    """A mask with at least two True, so that their scores matter, and at least one False."""
    mask = np.arange(n) < rng.integers(2, n)
    return rng.permutation(mask)


def _two_sequences(rng, n_target, n_source, d_target, d_source, d_k, d_v, *, masked=False, draw=matrix):
    inputs = {
        "X_target": draw(rng, n_target, d_target),
        "X_source": draw(rng, n_source, d_source),
        "W_q": draw(rng, d_target, d_k),
        "W_k": draw(rng, d_source, d_k),
        "W_v": draw(rng, d_source, d_v),
    }
    if masked:
        inputs["source_mask"] = _some_of(rng, n_source)
    return inputs


def _rows_sum_to_one(call, rng):
    weights = call(*_two_sequences(rng, 5, 3, 7, 2, 3, 11).values())[1]
    worst = np.abs(weights.sum(axis=-1) - 1).max()
    return None if worst < 1e-3 else f"a row of weights sums to {weights.sum(axis=-1)[0]:.4g}"


def _source_order_is_nothing(call, rng):
    inputs = _two_sequences(rng, 3, 7, 5, 2, 3, 11)
    order = moved(rng, 7)
    shuffled = {**inputs, "X_source": inputs["X_source"][order]}
    first, second = call(*inputs.values())[0], call(*shuffled.values())[0]
    difference = np.abs(first - second).max()
    return None if difference < 1e-3 * (1 + np.abs(first).max()) else f"it moves a context by {difference:.3g}"


def _heard_when_unmasked(rng):
    """Sequences whose masked tokens would have clear weights."""
    while True:
        inputs = _two_sequences(rng, 3, 7, 5, 2, 3, 11, masked=True)
        weights = cross_attention(**{**inputs, "source_mask": None})[1]
        if weights[:, ~inputs["source_mask"]].sum(axis=-1).min() > 0.05:
            return inputs


def _masked_tokens_are_not_heard(call, rng):
    *arguments, mask = _heard_when_unmasked(rng).values()
    context, weights = call(*arguments, source_mask=mask)
    if np.abs(weights[:, ~mask]).max() > 1e-6:
        return f"a masked source token has the weight {np.abs(weights[:, ~mask]).max():.3g}"
    changed = np.where(mask[:, None], arguments[1], rng.normal(size=arguments[1].shape))
    again = call(arguments[0], changed, *arguments[2:], source_mask=mask)[0]
    difference = np.abs(again - context).max()
    return None if difference < 1e-3 * (1 + np.abs(context).max()) else "a masked source token changes a context"


@function(
    points=4,
    returns=("context", "weights"),
    keywords=("source_mask",),
    cases=(
        Case("two words ask five", lambda rng: _two_sequences(rng, 2, 5, 3, 3, 7, 4, draw=tenths), 0.2),
        Case("embeddings of different widths", lambda rng: _two_sequences(rng, 7, 5, 3, 11, 2, 13), 0.15),
        Case("with a source mask", lambda rng: _two_sequences(rng, 3, 7, 5, 2, 11, 5, masked=True), 0.15),
        Case("as many source tokens as target tokens", lambda rng: _two_sequences(rng, 5, 5, 5, 5, 5, 5), 0.1),
        Case("the same, masked", lambda rng: _two_sequences(rng, 5, 5, 5, 5, 3, 3, masked=True), 0.1),
    ),
    properties=(
        Property("each row of weights sums to 1", _rows_sum_to_one, 0.05),
        Property("the order of the source tokens changes no context", _source_order_is_nothing, 0.05),
        Property("a masked source token has weight 0 and is not heard", _masked_tokens_are_not_heard, 0.1),
    ),
    mistakes="""
    swapped-sequences: target and source have changed places: the source asks, and the target answers
        The result has one row for each source token. A decoder needs one for each token that it is writing. -> Whoever
        wants to know something supplies the queries. That is the target.
    queries-from-source: the queries come from the source
        The source then attends to itself, and the target is never read: that is self-attention. -> Project the target
        with `W_q`. Only keys and values come from the source.
    all-from-target: queries, keys and values all come from the target
        The target attends to itself, and the source is never read: that is self-attention. -> Keys and values have to
        come from the sequence that knows the answer.
    keys-from-target: the keys come from the target
        A weight then says which target token matches, and is spent on a source token that stands at the same place. ->
        Key and value of one token belong together: both come from the source.
    values-from-target: the values come from the target
        The source only decides on the weights; what is mixed is the target itself. -> Key and value of one token belong
        together: both come from the source.
    keys-values-swapped: keys and values have changed places
        `W_k` makes what a token is found by, `W_v` what it says. Swapped, you average what should be matched. -> Scores
        need the keys; only the last product needs the values.
    matrices-swapped: `W_q` and `W_k` have changed places
        `W_q` turns the target into questions, `W_k` makes the source findable. With embeddings of one width nothing
        complains. -> Check which sentence each matrix is multiplied with.
    no-scale: the scores are not divided by the square root of d_k
        The longer the vectors, the larger the scores, and the closer the weights come to all or nothing. -> Divide
        before the softmax, as in the notebook on scaling.
    scale-d-model: you divide by the square root of the embedding's width instead of d_k
        The dot product runs over d_k products, so its spread is that of d_k numbers, however wide the embeddings are.
        -> Take the length from the projected queries: their last axis.
    divided-by-d-k: you divide by d_k instead of its square root
        The spread of a score grows with the square root of d_k. Dividing by more makes the weights too flat. -> Put the
        square root in.
    columns: you normalised down the columns (axis 0)
        Each row belongs to one target token, and its weights must sum to 1. -> Take the softmax along the last axis,
        over the source tokens.
    mask-ignored: the source mask has no effect
        Padding in the source then takes part of every weight. -> Where the mask is False the score must not count:
        replace it before the softmax.
    mask-inverted
    mask-drops-rows: you leave the masked source tokens out: their columns are missing in the weights
        The context is right, but nobody can tell any more which column belongs to which source word. -> Keep all
        columns, and let the masked ones have the weight 0.
    mask-after: you mask the weights after the softmax
        What is taken away is missing: the rows sum to less than 1. -> Mask the scores before the softmax; then the rest
        shares the whole.
    mask-zero: you multiply the scores by the mask
        A score of 0 is an ordinary score: e to the 0 is 1, so that a masked token keeps a weight. -> A forbidden score
        has to be minus infinity, or so low that its power is 0.
    mask-on-queries: the mask lies on the axis of the queries: whole rows are masked, and become NaN
        The mask tells which source tokens may be heard. The target tokens are the rows; the source is the columns. -> A
        mask of shape (n_source,) already fits the columns; it needs no further axis at its end.
    mask-blanks-queries: the mask lies on the axis of the queries: whole rows of weights are zero
        The mask tells which source tokens may be heard, not which target tokens may ask. -> A mask of shape (n_source,)
        already fits the columns of the scores.
    """,
)
def cross_attention(X_target, X_source, W_q, W_k, W_v, source_mask=None, wrong=frozenset()):
    """Cross-attention, with the mistakes that people make as switches."""
    X_target, X_source = np.asarray(X_target, dtype=float), np.asarray(X_source, dtype=float)
    asks = X_source if wrong & {"queries-from-source", "swapped-sequences"} else X_target
    keys_from = X_target if wrong & {"keys-from-target", "all-from-target", "swapped-sequences"} else X_source
    values_from = X_target if wrong & {"values-from-target", "all-from-target", "swapped-sequences"} else X_source
    Q, K, V = asks @ W_q, keys_from @ W_k, values_from @ W_v
    if "matrices-swapped" in wrong:
        Q, K = asks @ W_k, keys_from @ W_q
    if "keys-values-swapped" in wrong:
        K, V = values_from @ W_v, keys_from @ W_k
    scores = Q @ K.T
    if "scale-d-model" in wrong:
        scores = scores / np.sqrt(X_target.shape[-1])
    elif "divided-by-d-k" in wrong:
        scores = scores / Q.shape[-1]
    elif "no-scale" not in wrong:
        scores = scores / np.sqrt(Q.shape[-1])
    axis = 0 if "columns" in wrong else -1
    if source_mask is None or "mask-ignored" in wrong:
        weights = softmax(scores, axis)
        return weights @ V, weights
    mask = np.asarray(source_mask)
    if "mask-inverted" in wrong:
        mask = ~mask
    if "mask-drops-rows" in wrong:
        weights = softmax(scores[:, mask], axis)
        return weights @ V[mask], weights
    if "mask-after" in wrong:
        weights = softmax(scores, axis) * mask
    elif "mask-zero" in wrong:
        weights = softmax(scores * mask, axis)
    elif "mask-on-queries" in wrong:
        weights = softmax(np.where(mask[:, None], scores, -np.inf), axis)
    elif "mask-blanks-queries" in wrong:
        weights = np.where(mask[:, None], softmax(scores, axis), 0.0)
    else:
        # A large negative number instead of -inf: no column is ever NaN, whatever the axis.
        weights = softmax(np.where(mask, scores, -1e30), axis)
    return weights @ V, weights
