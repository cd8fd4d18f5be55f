"""From scores to weights."""

EXERCISES = """predict-softmax softmax softmax_with_temperature entropy breaking-query read_memory"""
SLIPS = """
ratio: you divide the scores by their sum, without the exponential -> Scores can be negative or sum to zero; then the
    weights are negative or infinite. -> Exponentiate first: every power is positive, so every weight is.
"""
