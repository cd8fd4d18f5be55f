"""From scores to weights."""

EXERCISES = """predict-softmax softmax softmax_with_temperature entropy breaking-query temperature_of"""
SLIPS = """
clipped: you cut the scores off at a limit -> Then all scores beyond the limit count alike, and where all lie beyond it
    they get equal weights. -> Subtract the maximum of each row: that keeps all differences.
ratio: you divide the scores by their sum, without the exponential -> Scores can be negative or sum to zero; then the
    weights are negative or infinite. -> Exponentiate first: every power is positive, so every weight is.
"""
