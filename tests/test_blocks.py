"""TODO: Blocks."""
