"""Blocks."""

EXERCISES = """predict-blocks"""
