"""Paths."""

EXERCISES = """predict-paths"""
