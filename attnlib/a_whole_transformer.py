"""A whole transformer: TODO."""
