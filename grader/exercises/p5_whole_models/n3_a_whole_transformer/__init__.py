"""A whole transformer."""

EXERCISES = """predict-a-whole-transformer sentence_vector sentence_vectors search_sentences word_in_context senses
diagnose"""
