"""TODO: Learning."""
