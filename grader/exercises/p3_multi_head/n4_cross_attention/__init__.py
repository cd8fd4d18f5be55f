"""One sequence asks, another answers."""

#: In the order of the notebook.
EXERCISES = """predict-cross cross_attention shuffled-source read-alignment encoder-decoder additive_scores"""
