"""From text to vectors."""

#: In the order of the notebook.
EXERCISES = """predict-nearest tokenize encode embed one_hot embed_by_product mean_embedding"""
