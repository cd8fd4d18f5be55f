"""Attention as a search for the nearest keys."""

EXERCISES = """predict-neighbours knn_indices word-neighbours knn_attention limit_weights tied-far-key equal_length_keys
enough_neighbors"""
