"""Learning: TODO."""
