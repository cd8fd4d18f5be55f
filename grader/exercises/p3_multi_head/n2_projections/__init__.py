"""Three roles for every token."""

#: In the order of the notebook.
EXERCISES = """predict-projections project_qkv self_attention count-parameters playing-outside true-claims"""

#: Words of mistakes that several of these exercises know: there the id alone stands for them.
SLIPS = """
weights-transposed: the weights are transposed when they mix the values -> Each context is then mixed with shares that
    do not sum to 1: those that one key gets from all queries. -> A row of weights times V: no transpose.
"""
