from functools import partial

import numpy as np

from grader.exercises.inputs import far_apart, matrix, meeting, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import order_is_free, rows_sum_to_one
from grader.exercises.stages import divisor, number, score, softmax, sources, weigh_masked


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


def _the_example(rng):
    """The task's example, with another target token below: a lone one would hide which sequence the keys come from."""
    identity = np.eye(2)
    source, mask = np.array([[1.0, 0.0], [0.0, 1.0], [5.0, 5.0]]), np.array([True, True, False])
    inputs = {"X_target": np.append([[2.0, 0.0]], tenths(rng, 1, 2), axis=0), "X_source": source}
    return inputs | {"W_q": identity, "W_k": identity, "W_v": identity, "source_mask": mask}


def _large(rng, masked):
    """Scores of some 100,000; masked, one is forbidden, for some queries the highest, for others the lowest.

    Divided by the root of 11, a fill of a million lies above all scores of the others.
    """
    source = -np.abs(far_apart(rng, 5))
    inputs = meeting(rng, far_apart(rng, 3), source, 3, 2, 11) | {"W_v": matrix(rng, 2, 5)}
    return inputs | {"source_mask": source > source.min()} if masked else inputs


_SOME = partial(_two_sequences, n_target=3, n_source=7, d_target=5, d_source=2, d_k=3, d_v=11)
ALWAYS_CAUSAL = frozenset(["always-causal-emptied", "always-causal"])
CAUSAL_TOO = frozenset(["causal-and-masked-emptied", "causal-and-masked"])
#: With `masked_softmax`, which leaves no weight where nothing is allowed.
EMPTIED = frozenset(["always-causal-emptied", "causal-and-masked-emptied"])
#: What every draw with a mask has to show.
MASKED = ("keys-filled", "causal-and-masked-emptied", "causal-and-masked")
_MOVES = "it moves a context by {gap}"


def _heard_when_unmasked(rng):
    """Sequences whose masked tokens would have clear weights, and some also where their keys are filled; the first is
    masked, which a causal mask alone leaves."""
    while True:
        inputs = _SOME(rng, masked=True)
        hidden = ~inputs["source_mask"]
        unmasked = cross_attention(**{**inputs, "source_mask": None})[1][:, hidden].sum(axis=-1)
        filled = cross_attention(**inputs, wrong=frozenset(["keys-filled"]))[1][:, hidden].sum(axis=-1)
        if unmasked.min() > 0.05 and filled.max() > 0.05 and hidden[0]:
            return inputs


def _with_others_where_masked(rng):
    """Inputs, and the same source with other tokens at the masked places, which whoever takes the softmax of a softmax
    hears."""
    while True:
        inputs = _heard_when_unmasked(rng)
        mask = inputs["source_mask"][:, None]
        changed = np.where(mask, inputs["X_source"], 2 * matrix(rng, *inputs["X_source"].shape))
        before, after = (
            cross_attention(**inputs | {"X_source": source}, wrong={"softmax-twice-masked"})[0]
            for source in (inputs["X_source"], changed)
        )
        if np.abs(after - before).max() > 3e-3 * (1 + np.abs(before).max()):
            return inputs, changed


def _masked_tokens_are_not_heard(call, rng):
    inputs, changed = _with_others_where_masked(rng)
    *arguments, mask = inputs.values()
    context, weights = call(*arguments, source_mask=mask)
    if np.abs(weights[:, ~mask]).max() > 1e-6:
        return f"a masked source token has the weight {np.abs(weights[:, ~mask]).max():.3g}"
    again = call(arguments[0], changed, *arguments[2:], source_mask=mask)[0]
    difference = np.abs(again - context).max()
    return None if difference < 1e-3 * (1 + np.abs(context).max()) else "a masked source token changes a context"


@function(
    points=4,
    returns=("context", "weights"),
    keywords=("source_mask",),
    budget=5000,
    cases=(
        Case("two words ask five", lambda rng: _two_sequences(rng, 2, 5, 3, 3, 7, 4, draw=tenths), 0.15),
        Case("embeddings of different widths", lambda rng: _two_sequences(rng, 7, 5, 3, 11, 2, 13), 0.15),
        Case(
            "with a source mask",
            lambda rng: _two_sequences(rng, 3, 7, 5, 2, 11, 5, masked=True),
            0.15,
            MASKED,
        ),
        Case("as many source tokens as target tokens", lambda rng: _two_sequences(rng, 5, 5, 5, 5, 5, 5), 0.05),
        Case("the same, masked", lambda rng: _two_sequences(rng, 5, 5, 5, 5, 3, 3, masked=True), 0.05, MASKED),
        Case("the example of the task, and a target token more", _the_example, 0.05, MASKED),
        Case("scores of some 100,000", lambda rng: _large(rng, masked=False), 0.05),
        Case("scores of some 100,000, masked", lambda rng: _large(rng, masked=True), 0.1, MASKED),
    ),
    properties=(
        # two tokens: rounded weights of two sum to 1, whatever is drawn; those of more only sometimes
        Property(
            "each row of weights sums to 1", rows_sum_to_one(lambda rng: _two_sequences(rng, 5, 2, 7, 13, 3, 11)), 0.05
        ),
        Property("the order of the source tokens changes no context", order_is_free(_SOME, "X_source", _MOVES), 0.05),
        Property("a masked source token has weight 0 and is not heard", _masked_tokens_are_not_heard, 0.05),
    ),
    mistakes="""
    swapped-sequences: target and source have changed places: the source asks, and the target answers -> The result has
        one row for each source token. A decoder needs one for each token that it is writing. -> Whoever wants to know
        something supplies the queries. That is the target.
    queries-from-source: the queries come from the source -> The source then attends to itself, and the target is never
        read: that is self-attention. -> Project the target with `W_q`. Only keys and values come from the source.
    all-from-target: queries, keys and values all come from the target -> The target attends to itself, and the source
        is never read: that is self-attention. -> Keys and values have to come from the sequence that knows the answer.
    keys-from-target: the keys come from the target -> A weight then says which target token matches, and is spent on a
        source token that stands at the same place. -> Key and value of one token belong together: both come from the
        source.
    values-from-target: the values come from the target -> The source only decides on the weights; what is mixed is the
        target itself. -> Key and value of one token belong together: both come from the source.
    keys-values-swapped
    projections-swapped: `W_q` and `W_k` have changed places -> `W_q` turns the target into questions, `W_k` makes the
        source findable. With embeddings of one width nothing complains. -> Check which sentence each matrix is
        multiplied with.
    values-unprojected: the values are the bare embeddings of the source -> `W_v` is missing: it says what of a token is
        passed on, and how wide a context is. -> Project the source once more, with `W_v`.
    no-scale
    by-sqrt-d_model: you divide by the square root of the target's width -> Queries and keys have d_k numbers each: that
        many products are added up in a score. -> Read the dimension off Q or K, not off X_target.
    by-sqrt-d_source: you divide by the square root of the source's width -> Queries and keys have d_k numbers each:
        that many products are added up in a score. -> Read the dimension off Q or K, not off X_source.
    by-d_k
    scaled-weights
    raw-scores: you mix with the scores themselves: there is no softmax -> Scores may be negative, and do not sum to 1.
        -> Take the softmax of the scores before you mix.
    times-sqrt-d_k
    by-sqrt-d_v
    by-sqrt-keys
    by-sqrt-queries
    by-half-d_k
    scaled-twice-masked: where there is a mask, the scores are divided twice -> Divided twice by the root they are
        divided by d_k, and the weights are too flat. -> Divide once, before the two ways part.
    scores-mixed-filled: your weights are right, but you mix with the scores themselves, and with what fills them ->
        Scores may be negative, and do not sum to 1. -> Multiply the weights by the values.
    scores-mixed: your weights are right, but you mix with the scores themselves -> Scores may be negative, and do not
        sum to 1. -> Multiply the weights by the values.
    by-twice-d_k
    columns
    whole-matrix
    no-maximum
    mask-ignored
    mask-inverted
    mask-drops-rows: you leave the masked source tokens out: their columns are missing in the weights -> The context is
        right, but nobody can tell any more which column belongs to which source word. -> Keep all columns, and let the
        masked ones have the weight 0.
    mask-added
    weak-fill: forbidden scores are replaced by a number that is near the others, such as -10 -> A forbidden token then
        keeps a weight. -> Use minus infinity, or a number as far down as -1e9.
    plus-fill: forbidden scores are replaced by a large number above all others -> Then only what is forbidden is heard.
        -> A forbidden score has to be far below all others.
    keys-filled=: the numbers of masked keys are replaced by a large negative one -> A score is a product: with a query
        that is mostly negative it becomes a large positive one, and wins. -> Fill the scores, not the keys.
    values-masked: the values of masked tokens are 0, but their weights are not -> They keep their share of the weight,
        and the others get too little. -> Change the scores, before the softmax.
    source-masked: the embeddings of masked tokens are 0 -> A key of zeros has the score 0, and that is an ordinary
        score: e to the 0 is 1. -> Change the scores, before the softmax.
    no-mask-hides-all: without a mask nobody is heard: all weights are 0 -> None means that nothing is masked. A
        comparison such as `source_mask == True` is False then. -> Test `source_mask is None` first.
    always-causal-emptied: a target token hears no source token behind its own place -> A causal mask is for texts that
        are still being written. The source is there as a whole, and its places are not those of the target. -> Let
        `source_mask` alone decide.
    always-causal: a target token hears no source token behind its own place -> A causal mask is for texts that
        are still being written. The source is there as a whole, and its places are not those of the target. -> Let
        `source_mask` alone decide.
    causal-and-masked: where there is a source mask, a target token hears no source token behind its own place
        either -> A causal mask is for texts that are still being written. The source is there as a whole, and its
        places are not those of the target. -> Let `source_mask` alone decide.
    causal-and-masked-emptied: where there is a source mask, a target token hears no source token behind its own place
        either -> A causal mask is for texts that are still being written. The source is there as a whole, and its
        places are not those of the target. -> Let `source_mask` alone decide.
    own-mask-of-queries: where no mask is given, you make one with a place for each target token -> The mask lies on the
        keys, and these come from the source: the lengths of the two sentences differ. -> Take its length from
        `X_source`.
    mask-after
    renormalised
    zero-fill
    hundred-fill: forbidden scores end up at a number that is not small enough: -100 or -10000, say, or a million that
        is divided along with the scores -> A score may be far below zero itself, and what is forbidden must stay far
        below that when the softmax comes. -> Fill after the division, and use minus infinity, or a number as far down
        as -1e9.
    small-number-added
    no-scale-masked: the scores are divided only where there is no mask -> `masked_softmax` is a softmax: it does not
        divide them for you, as `scaled_dot_product_attention` does. -> Divide before the two ways part.
    no-scale-unmasked: the scores are divided only where there is a mask -> `softmax` does not divide them for you. ->
        Divide before the two ways part.
    softmax-twice
    softmax-twice-masked: where there is a mask, the softmax is taken of weights, that is, twice -> A second softmax
        squeezes them together: weights lie between 0 and 1, and so near each other nobody wins. -> `masked_softmax`
        wants the scores.
    mask-on-queries: the mask lies on the axis of the queries: whole rows are masked, and become NaN -> The mask tells
        which source tokens may be heard. The target tokens are the rows; the source is the columns. -> A mask of shape
        (n_source,) already fits the columns; it needs no further axis at its end.
    mask-blanks-queries: the mask lies on the axis of the queries: whole rows of weights are zero -> The mask tells
        which source tokens may be heard, not which target tokens may ask. -> A mask of shape (n_source,) already fits
        the columns of the scores.
    """,
)
def cross_attention(X_target, X_source, W_q, W_k, W_v, source_mask=None, wrong=frozenset()):
    """Cross-attention, with the mistakes that people make as switches."""
    X_target, X_source = np.asarray(X_target, dtype=float), np.asarray(X_source, dtype=float)
    asks, of_keys, of_values = sources(X_target, X_source, wrong)
    if "source-masked" in wrong and source_mask is not None:
        of_keys, of_values, source_mask = of_keys * source_mask[:, None], of_values * source_mask[:, None], None
    if "projections-swapped" in wrong:
        W_q, W_k = W_k, W_q
    Q, K, V = asks @ W_q, of_keys @ W_k, of_values @ W_v
    if "values-unprojected" in wrong:
        V = of_values
    if "keys-values-swapped" in wrong:
        K, V = V, K
    if source_mask is not None and (filling := number(wrong, "keys-filled", -1e9)) is not None:
        K, source_mask = np.where(np.asarray(source_mask)[:, None], K, filling), None
    by = divisor(Q, K, V, wrong, d_model=X_target.shape[-1])
    if "no-scale-masked" in wrong and source_mask is not None:
        by = 1.0
    if "no-scale-unmasked" in wrong and source_mask is None:
        by = 1.0
    if "scaled-twice-masked" in wrong and source_mask is not None:
        by = by**2
    scores = score(Q, K, wrong) / (np.sqrt(X_source.shape[-1]) if "by-sqrt-d_source" in wrong else by)
    if "softmax-twice" in wrong or ("softmax-twice-masked" in wrong and source_mask is not None):
        scores = softmax(scores)
    axis = 0 if "columns" in wrong else None if "whole-matrix" in wrong else -1
    mask = None if source_mask is None else np.asarray(source_mask)
    if mask is not None and wrong & {"mask-drops-rows", "mask-on-queries", "mask-blanks-queries"}:
        if "mask-drops-rows" in wrong:
            weights = softmax(scores[:, mask], axis)
            return weights @ V[mask], weights
        if "mask-on-queries" in wrong:
            weights = softmax(np.where(mask[:, None], scores, -np.inf), axis)
        else:
            weights = np.where(np.broadcast_to(mask[:, None], scores.shape), softmax(scores, axis), 0.0)
    elif mask is not None and wrong & {"weak-fill", "plus-fill"}:
        weights = softmax(np.where(mask, scores, -10.0 if "weak-fill" in wrong else 1e9), axis)
    elif mask is not None and "values-masked" in wrong:
        weights, V = softmax(scores, axis), V * mask[:, None]
    else:
        if "own-mask-of-queries" in wrong and mask is None:
            mask = np.broadcast_to(np.ones(len(X_target), dtype=bool), scores.shape)
        causal = wrong & (ALWAYS_CAUSAL if mask is None else ALWAYS_CAUSAL | CAUSAL_TOO)
        if causal:
            mask = np.tri(*scores.shape, dtype=bool) & (True if mask is None else mask)
        weights = weigh_masked(scores, mask, wrong, axis)
        if causal & EMPTIED:
            weights = weights * mask.any(axis=-1, keepdims=True)
    if "scaled-weights" in wrong:
        weights = weigh_masked(scores * by, mask, wrong, axis) / by
    if "raw-scores" in wrong:
        weights = scores if mask is None else scores * mask
    if "scores-mixed-filled" in wrong:
        return (scores if mask is None else np.where(mask, scores, -1e9)) @ V, weights
    if "scores-mixed" in wrong:
        return scores @ V, weights
    if mask is None and "no-mask-hides-all" in wrong:
        weights = np.zeros(scores.shape)
    return weights @ V, weights
