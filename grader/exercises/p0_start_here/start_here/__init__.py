"""An exercise to meet the check with, and the first context vector: the two banks."""

EXERCISES = """predict-row-means row_means scores_for shares blend bank-moves"""
