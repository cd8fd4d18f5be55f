"""The numbers in the prose of this notebook."""

NUMBERS = []
