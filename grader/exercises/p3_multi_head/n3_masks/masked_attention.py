import numpy as np

from grader.exercises.inputs import far_apart, matrix, shuffled, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n3_masks.causal_mask import causal_mask
from grader.exercises.p3_multi_head.n3_masks.masked_softmax import masked_softmax
from grader.exercises.p3_multi_head.n3_masks.padding_mask import padding_mask
from grader.exercises.p3_multi_head.n3_masks.shared import some_mask
from grader.exercises.stages import divisor, score, slip, softmax


def attended(rng, n_queries, n_keys, d_k, d_v, entries=matrix, batch=()):
    """Q, K, V and a mask with something to attend to in every row."""
    return {
        "Q": entries(rng, *batch, n_queries, d_k),
        "K": entries(rng, *batch, n_keys, d_k),
        "V": entries(rng, *batch, n_keys, d_v),
        "mask": some_mask(rng, n_queries, n_keys),
    }


def padded_batch(rng):
    return attended(rng, 7, 5, 3, 2, batch=(2,)) | {"mask": padding_mask(shuffled(rng, [2, 4]), 5)}


def nothing_for_one(rng):
    inputs = attended(rng, 5, 7, 3, 2)
    inputs["mask"][int(rng.integers(5))] = False
    return inputs


def all_alike(rng):
    """A batch whose sizes are all equal, where no wrong order of the axes raises an error."""
    return attended(rng, 3, 3, 3, 3, batch=(3,)) | {"mask": padding_mask(shuffled(rng, [2, 2, 3]), 3)}


def the_example(rng):
    """The task's example, and in the same batch another sequence, whose context is not its weights."""
    Q, K, V = (np.stack([np.eye(2), matrix(rng, 2, 2)]) for _ in range(3))
    return {"Q": Q, "K": K, "V": V, "mask": np.array([[True, False], [True, True]])}


def large(rng):
    """Scores of some 100,000: one is forbidden, for some queries the highest, for others the lowest."""
    direction = matrix(rng, 7)
    direction *= 7**0.25 / np.linalg.norm(direction)  # scaled scores are products of the two lengths
    queries, keys = far_apart(rng, 3), -np.abs(far_apart(rng, 5))
    mask = np.broadcast_to(keys > keys.min(), (3, 5)).copy()
    return {"Q": np.outer(queries, direction), "K": np.outer(keys, direction), "V": matrix(rng, 5, 2), "mask": mask}


def forbidden_values_do_not_matter(call, rng):
    Q, K, V, _ = attended(rng, 3, 5, 2, 7).values()
    hidden = np.zeros(5, dtype=bool)
    while not hidden[:2].any():  # an early key among them, which a causal mask would let through
        hidden = ~some_mask(rng, 5)
    mask = np.broadcast_to(~hidden, (3, 5)).copy()
    before, _ = call(Q, K, V, mask)
    K, V = K.copy(), V.copy()
    K[hidden], V[hidden] = matrix(rng, int(hidden.sum()), 2), matrix(rng, int(hidden.sum()), 7, scale=5.0)
    after, _ = call(Q, K, V, mask)
    return (
        None
        if np.allclose(before, after, atol=1e-3)
        else "other keys and values at the forbidden places change the context"
    )


SCALE_SLIPS = ("no-scale", "by-d_k", "by-sqrt-d_v", "by-sqrt-keys", "by-sqrt-queries", "by-sqrt-len")


@function(
    points=3,
    returns=("context", "weights"),
    cases=(
        Case("two queries, three keys", lambda rng: attended(rng, 2, 3, 5, 4, tenths), 0.2, telling=SCALE_SLIPS),
        Case("a causal mask over seven tokens", lambda rng: attended(rng, 7, 7, 5, 3) | {"mask": causal_mask(7)}, 0.15),
        Case(
            "one row of the mask for all queries, in a batch",
            lambda rng: attended(rng, 3, 5, 7, 2, batch=(2,)) | {"mask": some_mask(rng, 1, 5)},
            0.1,
            telling=SCALE_SLIPS,
        ),
        Case("two sequences at once, with a padding mask", padded_batch, 0.1),
        Case("a query with nothing to attend to", nothing_for_one, 0.15),
        Case("as many sequences as queries, keys and dimensions", all_alike, 0.05),
        Case("scores of some 100,000", large, 0.05, telling=("always-causal", "causal-too", "keys-reshaped")),
        Case("the example of the task, in a batch", the_example, 0.05),
    ),
    properties=(Property("what is forbidden has no influence", forbidden_values_do_not_matter, 0.05),),
    mistakes="""
    no-scale
    by-d_k
    by-sqrt-d_v
    by-sqrt-keys
    by-sqrt-queries
    by-sqrt-len: you divide by the square root of the number of queries, `len(Q)` -> A score adds up d_k products; how
        many queries there are plays no part in it. -> Read the *last* axis of Q.
    by-sqrt-axis-1: you read d_k off axis 1 of Q, `Q.shape[1]` -> With a batch axis in front, axis 1 holds the queries.
        -> Count from the end: which axis of Q is always that of d_k?
    by-sqrt-axis-1-of-K: you read d_k off axis 1 of K, `K.shape[1]` -> With a batch axis in front, axis 1 holds the
        keys. -> Count from the end: `K.shape[-1]`.
    by-half-d_k
    by-twice-d_k
    scaled-weights
    axis-from-front
    columns
    softmax-twice
    front-axes: the axes of K are counted from the front -> With a batch axis in front, axes 0 and 1 are the sequences
        and their keys. -> Swap the last two axes: `K.swapaxes(-1, -2)` or `K.mT`.
    always-causal: you use a causal mask in place of the one that is given -> A causal mask is one of many: padding, or
        a single forbidden key, needs another. -> Hand on the argument `mask`.
    causal-too: you hide the future besides what the mask forbids -> A causal mask is one of many, and whoever wants it
        hands it over. -> Let the argument `mask` alone decide.
    reversed-axes: `K.T` is used on an array with a batch axis -> On three axes `.T` reverses all of them: the batch
        ends up last. If all sizes are equal nothing complains. -> Swap the last two axes only: `K.swapaxes(-1, -2)` or
        `K.mT`.
    mask-ignored: the mask is not used -> Every query attends to everything. -> Hand the mask to `masked_softmax`.
    context-unmasked: the weights are masked, but the context is mixed without the mask -> What counts is the context:
        there the forbidden values still come through. -> Mix with the same weights that you return.
    weights-unmasked: the weights that you return know nothing of the mask -> It came in after them, when the values
        were mixed. -> Mix with the same weights that you return.
    scores-returned: you return the scores in place of the weights -> The second result is what the values were mixed
        with: after the softmax. -> Keep the result of the softmax in a variable, and return that.
    empty-context-uniform: a row with nothing to attend to has no weights, but a context: the mean of all values -> The
        weights were set to 0 after the values had been mixed. -> Mix with the same weights that you return.
    empty-context-unmasked: a row with nothing to attend to has no weights, but a context: that without the mask -> The
        weights were set to 0 after the values had been mixed. -> Mix with the same weights that you return.
    empty-weights-uniform: a row with nothing to attend to has the context 0, but equal weights -> Only the context was
        put right: who reads the weights still sees that row attend to everything. -> Set the weights of such a row to
        0, before you mix: then its context is 0 by itself.
    empty-weights-unmasked: a row with nothing to attend to has the context 0, but its weights are those without the
        mask -> Only the context was put right: who reads the weights still sees that row attend to what is forbidden.
        -> Set the weights of such a row to 0, before you mix: then its context is 0 by itself.
    mask-for-scores: mask and scores have changed places -> `masked_softmax` takes the scores first; a number other than
        0 counts as True there. -> Compare the call with the line of its `def`.
    keys-reshaped: `reshape` in the place of a transpose -> It only breaks the numbers, read row by row, into new rows:
        keys get mixed. -> Swap the last two axes: `K.swapaxes(-1, -2)` or `K.mT`.
    keys-mixed
    mask-by-sentences
    mask-by-sentences-lifted
    first-mask-only
    first-mask-always
    xor-fill-zeroed
    mask-after
    zero-fill
    zero-fill-zeroed
    zero-fill-empty-zero
    mask-inverted-all-zero
    mask-inverted-nan
    mask-inverted-uniform
    mask-inverted
    infinity-times
    empty-nan
    empty-uniform
    empty-unmasked
    mask-inverted-added
    zero-means-masked
    nan-hidden
    renormalised
    hundred-fill
    hundred-fill-zeroed: forbidden scores are filled with a number that is not small enough, such as -100 or -10000;
        where it wins, setting weights to 0 leaves nothing -> A score may be far below zero itself, and what is
        forbidden must stay far below that. -> Use minus infinity, or a number as far down as -1e9.
    no-maximum
    """,
)
def masked_attention(Q, K, V, mask, wrong=frozenset()):
    """Scaled attention under a mask, with mistakes as switches."""
    Q, K, V = (np.asarray(a, dtype=float) for a in (Q, K, V))
    if "keys-reshaped" in wrong:
        scores = Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])
    else:
        scores = Q @ np.swapaxes(K, 0, 1) if "front-axes" in wrong else score(Q, K, wrong)
    by = divisor(Q, K, V, wrong)
    past = np.tri(*scores.shape[-2:], dtype=bool)
    mask = slip(wrong, {"always-causal": past, "causal-too": mask & past}, mask)
    if "scaled-weights" in wrong:
        weights = masked_softmax(scores, mask, wrong) / by
    else:
        weights = masked_softmax(scores / by, mask, wrong)
    allowed = np.broadcast_to(mask, scores.shape)
    if "mask-for-scores" in wrong:
        weights = softmax(np.where(scores / by, allowed, -1e9))
    whole = {
        "uniform": lambda: softmax(np.where(allowed, scores / by, -1e9)),
        "unmasked": lambda: softmax(scores / by + np.where(allowed, 0.0, -1e9)),
    }
    mixed = {f"empty-context-{name}": whole[name] for name in whole}
    mixed |= {"context-unmasked": lambda: softmax(scores / by)}
    context = slip(wrong, mixed, lambda: weights)() @ (K if "keys-mixed" in wrong else V)
    returned = {"weights-unmasked": lambda: softmax(scores / by), "scores-returned": lambda: scores / by}
    returned |= {f"empty-weights-{name}": whole[name] for name in whole}
    return context, slip(wrong, returned, lambda: weights)()
