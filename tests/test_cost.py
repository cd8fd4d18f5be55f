"""TODO: What attention costs."""
