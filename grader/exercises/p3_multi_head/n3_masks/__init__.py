"""Who may attend to whom. True = may attend, everywhere."""

EXERCISES = """predict-masks causal_mask padding_mask masked_softmax masked_attention leaks_future leaky-suspects
reach"""
SLIPS = """
zero-fill: forbidden scores are 0 (filled with 0 or -1e-9, or multiplied by the mask) -> A score of 0 is an ordinary
    score: e^0 = 1. Where the other scores are negative it even wins. -> Which score has the exponential 0?
zero-fill-zeroed: forbidden scores are 0 in the softmax, and their weights are set to 0 afterwards -> A score of 0 is an
    ordinary score: e^0 = 1. It takes its share of the sum, so the rows sum to less than 1. -> Which score has the
    exponential 0?
zero-fill-empty-zero: forbidden scores are 0 (filled with 0 or -1e-9, or multiplied by the mask); only empty rows are
    set right -> A score of 0 is an ordinary score: e^0 = 1. Where the other scores are negative it even wins. -> Which
    score has the exponential 0?
xor-fill-zeroed: forbidden scores are -1 in the softmax, and their weights are set to 0 afterwards -> In Python `^` is
    no power: `-10^9` is -1, and `10^9` is 3. A score of -1 is an ordinary score, and takes its share of the sum. ->
    Write minus a thousand million as `-1e9` or `-10.0**9`; or use minus infinity, `-np.inf`.
mask-inverted-all-zero: the mask is used the wrong way round, first among the scores; then the right way round, so
    hardly a weight is left -> What is allowed gets the very negative number. In this course True means: may attend. ->
    Keep the scores where the mask is True.
mask-inverted-nan: the mask is used the wrong way round; where all is allowed that gives NaN -> What is allowed gets the
    very negative number. In this course True means: may attend. -> Keep the scores where the mask is True.
mask-inverted-uniform: the mask is used the wrong way round; where all is allowed the weights come out equal -> What is
    allowed gets the very negative number. In this course True means: may attend. -> Keep the scores where the mask is
    True.
infinity-times: you add (1 - mask) times minus infinity -> Where attention is allowed that is 0 times infinity, and that
    is NaN. -> Choose between score and minus infinity with `np.where`, instead of multiplying.
empty-nan: a row with nothing to attend to becomes NaN -> Infinity minus infinity is not a number, and neither is 0
    divided by 0: one of the two stands in that row. -> Our rule: such a row has zero weights. Find those rows with
    `mask.any(axis=-1, keepdims=True)`.
empty-uniform: a row with nothing to attend to attends to everything equally -> If all scores of a row are the same
    large negative number, softmax sees no difference between them. -> Our rule: such a row has zero weights. Set what
    is forbidden to 0 once more, after the softmax.
empty-unmasked: a row with nothing to attend to gets its weights without the mask -> Adding the same large negative
    number to all scores of a row is a shift, and softmax does not see shifts. -> Our rule: such a row has zero weights.
    Set what is forbidden to 0 once more, after the softmax.
mask-inverted-added: the mask is used the wrong way round, as something that is added -> A large negative number is
    added to what is allowed. In this course True means: may attend. -> Leave the scores as they are where the mask is
    True.
zero-means-masked: an allowed score of 0 is taken for a forbidden one -> After `scores * mask` nobody can tell a
    forbidden score from one that is 0 by itself, and 0 is an ordinary score. -> Ask the mask, not the scores:
    `np.where` chooses by it.
nan-hidden: all your weights are 0: `np.nan_to_num` hides that the rows had become NaN -> 0 times infinity is NaN, and
    one NaN spoils the whole row. -> Choose between score and minus infinity with `np.where`, instead of multiplying;
    then only empty rows are left to repair.
mask-by-sentences: in a batch you take `mask[b]` for sequence b, although the mask may be one for all -> Where the mask
    has no batch axis, `mask[b]` is a row of it that belongs to query b, or a single entry, of key b. -> Stretch the
    mask first, with `np.broadcast_to(mask, scores.shape)`, or let `np.where` do it: then every sequence has its own.
mask-by-sentences-lifted: in a batch you give a mask with two axes another one between them, as if it held a row for
    each sequence -> A mask (n_queries, n_keys) is one for all sequences: as (n_queries, 1, n_keys) its queries meet the
    axis of the batch. -> Leave it as it is: NumPy lines shapes up from the right.
first-mask-only: in a batch, every sequence gets the mask of the first -> The masks of a batch differ: what is padding
    in one sequence is a word in another. -> Keep the whole mask: with its axis of length 1 it fits all queries.
first-mask-always: in a batch you use `mask[0]` -> The masks of a batch differ; and where the mask is one for all,
    `mask[0]` is only its first row, or its first entry. -> Keep the whole mask: NumPy stretches it to the scores.
axis-from-front: softmax runs along axis 1, counted from the front -> With a batch axis in front, axis 1 holds the
    queries. -> Count from the end: the keys are always on the last axis.
"""
