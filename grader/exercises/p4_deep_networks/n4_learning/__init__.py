"""Learning."""

EXERCISES = """predict-learning"""
