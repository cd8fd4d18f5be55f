"""From scores to weights."""

EXERCISES = """predict-softmax softmax softmax_with_temperature entropy breaking-query temperature_of"""
SLIPS = """
not-normalised: you exponentiate but do not divide by the sum -> Without the division, the numbers are positive but do
    not sum to 1: they are no weights yet. -> Divide by the sum of the powers that belong to one query.
clipped: you cut the scores off at a limit -> Then all scores beyond the limit count alike, and where all lie beyond it
    they get equal weights. -> Subtract the maximum of each row: that keeps all differences.
ratio: you divide the scores by their sum, without the exponential -> Scores can be negative or sum to zero; then the
    weights are negative or infinite. -> Exponentiate first: every power is positive, so every weight is.
"""
