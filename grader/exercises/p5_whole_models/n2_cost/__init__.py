"""What attention costs."""

EXERCISES = """predict-cost"""
