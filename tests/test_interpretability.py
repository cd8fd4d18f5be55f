"""TODO: Who really contributed?."""
