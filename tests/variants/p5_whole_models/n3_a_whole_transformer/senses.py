"""TODO: right values in unusual forms (a list, a NumPy number, a rounded one), and wrong ones."""

VARIANTS = [1.0]

# Each with the mistake that the judge should name, or None.
WRONG = [(-1.0, None)]
