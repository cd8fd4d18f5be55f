"""From scores to weights."""

EXERCISES = """predict-softmax softmax softmax_with_temperature entropy breaking-query temperature_of"""
SLIPS = """
"""
