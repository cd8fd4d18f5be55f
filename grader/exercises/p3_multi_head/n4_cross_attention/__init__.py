"""One sequence asks, another answers."""

EXERCISES = """predict-cross cross_attention shuffled-source read-alignment encoder-decoder additive_scores
monotone_alignment"""
