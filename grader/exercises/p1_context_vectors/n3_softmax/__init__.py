"""From scores to weights."""

#: In the order of the notebook.
EXERCISES = """predict-softmax softmax softmax_with_temperature entropy breaking-query read_memory"""

#: Words of mistakes that several of these exercises know: there the id alone stands for them.
SLIPS = """
ratio: you divide the scores by their sum, without the exponential -> Scores can be negative or sum to zero; then the
    weights are negative or infinite. -> Exponentiate first: every power is positive, so every weight is.
"""
