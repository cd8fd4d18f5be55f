"""The weighted average of the values, and the audit of a published worked example."""

EXERCISES = """predict-context context_vector context_vectors two-banks play-context audit-which audit-pattern
query_for"""
SLIPS = """
raw-scores: you mix the values with the raw scores, without softmax -> Scores can be negative, and they do not sum to 1:
    the result is no average and grows with the scores. -> Turn the scores into weights first; the last notebook's
    function does it.
not-normalised: you exponentiate the scores, but do not divide by the sum -> Then the weights do not sum to 1: you have
    a weighted sum of the values, not a weighted average. -> Divide the exponentials of each query by their sum.
powers-not-divided: you take the maximum off and exponentiate the scores, but do not divide by the sum -> Then the
    weights do not sum to 1: you have a weighted sum of the values, not a weighted average. -> Divide the exponentials
    of each query by their sum.
softmax-late: softmax comes after the mix instead of before it -> Softmax makes weights out of scores. After the mix
    there are no scores any more, but a blend of values, and softmax squeezes it into numbers that sum to 1. -> Score,
    softmax, mix: in this order.
softmax-again: you apply softmax to the result as well -> The context is a vector like the values, not a row of weights:
    its numbers need not be positive, nor sum to 1. -> One softmax is enough, on the scores.
ratio: you divide the scores by their sum instead of taking softmax -> Where scores have both signs, such weights are
    negative or above 1, and the result can leave the hull of the values. -> Exponentiate before you divide: softmax
    keeps every weight positive.
clipped: you cut the scores off at a limit -> All scores beyond the limit count alike then, and the key with the best
    one loses its lead. -> A stable softmax needs no limit.
values-scored: you compare the query with the values instead of the keys -> The keys are there to be compared with the
    query. Values may even have another width than the query. -> Compute the scores from the query and K.
keys-values-swapped: keys and values have changed places -> You score with V and mix K. Where the two are the same
    matrix nobody notices; elsewhere it is wrong. -> Check the order of the arguments: K is compared with the query, V
    is mixed.
keys-not-transposed: you multiply the query by K without transposing it -> Each key is a row of K. Without the transpose
    the query meets the columns: that fails unless K is square, and then it is silently wrong. -> There must be one
    score for each row of K. Write the shapes beside the product.
weights-returned: you return the weights instead of the context -> The weights say how much of each value to take. The
    third stage, the mix, is still missing. -> Use the weights to average the values, and return that.
no-maximum: your softmax overflows: the maximum is not subtracted -> exp(1000) is infinite in floating point, and
    infinity divided by infinity is NaN. -> Use the stable softmax of the last notebook, or subtract the largest score
    of each query before `np.exp`.
"""
