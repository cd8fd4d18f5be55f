"""Who really contributed?."""

EXERCISES = """predict-interpretability"""
