"""What attention costs: TODO."""
