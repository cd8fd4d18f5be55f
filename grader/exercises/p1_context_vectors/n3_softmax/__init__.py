"""From scores to weights."""

EXERCISES = """predict-softmax softmax softmax_with_temperature entropy breaking-query read_memory"""
SLIPS = """
raw-denominator: the maximum is subtracted above the line, but not below it -> The shift cancels only if numerator and
    denominator both have it; now the weights do not sum to 1. -> Compute the shifted powers once, and divide them by
    their own sum.
not-normalised: you exponentiate but do not divide by the sum -> Without the division, the numbers are positive but do
    not sum to 1: they are no weights yet. -> Divide by the sum of the powers that belong to one query.
shifted-ratio: you subtract the maximum and divide by the sum, but there is no exponential -> The shifted scores are
    zero or negative, and in their quotient the best score gets the weight 0. -> Put `np.exp` between the two.
squares: you square the scores where the exponential belongs -> A square makes a negative score as good as a positive
    one. -> Use `np.exp`: it is positive and keeps the order.
clipped: you cut the scores off at a limit -> Then all scores beyond the limit count alike, and where all lie beyond it
    they get equal weights. -> Subtract the maximum of each row: that keeps all differences.
ratio: you divide the scores by their sum, without the exponential -> Scores can be negative or sum to zero; then the
    weights are negative or infinite. -> Exponentiate first: every power is positive, so every weight is.
"""
