"""How well does each query match each key?"""

#: In the order of the notebook.
EXERCISES = ("predict-scores", "dot_scores", "read-score-matrix", "cosine_scores", "squared_distances", "the-tie")
