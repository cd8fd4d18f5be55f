"""A whole transformer."""

EXERCISES = """predict-a-whole-transformer"""
