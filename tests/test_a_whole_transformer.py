"""TODO: A whole transformer."""
