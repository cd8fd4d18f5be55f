"""From text to vectors."""

EXERCISES = """predict-nearest tokenize encode embed one_hot embed_by_product mean_embedding word_pieces"""
