"""Who may attend to whom. True = may attend, everywhere."""

EXERCISES = """predict-masks causal_mask padding_mask masked_softmax masked_attention leaks_future leaky-suspects"""
SLIPS = """
zero-fill: forbidden scores are 0 (filled with 0 or -1e-9, or multiplied by the mask) -> A score of 0 is an ordinary
    score: e^0 = 1. Where the other scores are negative it even wins. -> Which score has the exponential 0?
zero-fill-zeroed: forbidden scores are 0 in the softmax, and their weights are set to 0 afterwards -> A score of 0 is an
    ordinary score: e^0 = 1. It takes its share of the sum, so the rows sum to less than 1. -> Which score has the
    exponential 0?
zero-fill-empty-zero: forbidden scores are 0 (filled with 0 or -1e-9, or multiplied by the mask); only empty rows are
    set right -> A score of 0 is an ordinary score: e^0 = 1. Where the other scores are negative it even wins. -> Which
    score has the exponential 0?
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
empty-nan: a row with nothing to attend to becomes NaN -> All its scores are minus infinity: the maximum is, too, and
    their difference is not a number. -> Our rule: such a row has zero weights. Find those rows with `mask.any(axis=-1,
    keepdims=True)`.
empty-uniform: a row with nothing to attend to attends to everything equally -> If all scores of a row are the same
    large negative number, softmax sees no difference between them. -> Our rule: such a row has zero weights. Set what
    is forbidden to 0 once more, after the softmax.
"""
