"""How well does each query match each key?"""

EXERCISES = """predict-scores dot_scores read-score-matrix cosine_scores squared_distances the-tie three-opinions"""
SLIPS = """
sum-over-keys: you added up over the keys, instead of over the numbers of a vector -> Axis 1 counts the keys. When it is
    added up, nobody can tell any more which key answered. -> Add up over the numbers, the last axis; the axes of
    queries and keys must both survive.
sum-over-queries: you added up over the queries, instead of over the numbers of a vector -> Axis 0 counts the queries.
    When it is added up, nobody can tell any more who asked. -> Add up over the numbers, the last axis; the axes of
    queries and keys must both survive.
no-sum: the last step is missing: nothing is added up -> Each pair of query and key must get one number. You return d
    numbers for each pair. -> Add up over the last axis.
"""
