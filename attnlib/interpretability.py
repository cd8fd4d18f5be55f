"""Who really contributed?: TODO."""
