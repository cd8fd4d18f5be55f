"""One small exercise, to meet the check with."""

EXERCISES = """predict-row-means row_means"""
