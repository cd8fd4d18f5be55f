"""TODO: Positions."""
