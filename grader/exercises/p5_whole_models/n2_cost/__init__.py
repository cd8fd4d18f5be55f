"""What attention costs, and ways to pay less."""

EXERCISES = """predict-cost merge_partial chunked_attention causal_linear_attention cached_heads generate
corrected_memory"""
