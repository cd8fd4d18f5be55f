"""Positions."""

EXERCISES = """predict-positions"""
