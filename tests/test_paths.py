"""TODO: Paths."""
