"""Answers to the exercises of this notebook, and the numbers in its prose."""
