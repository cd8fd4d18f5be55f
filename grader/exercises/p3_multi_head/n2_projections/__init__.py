"""Three roles for every token."""

EXERCISES = """predict-projections project_qkv self_attention playing-outside previous-word-head same-word-head
verb-subject-head best_factors count-parameters true-claims"""
SLIPS = """
weights-transposed: the weights are transposed when they mix the values -> Each context is then mixed with shares that
    do not sum to 1: those that one key gets from all queries. -> A row of weights times V: no transpose.
"""
