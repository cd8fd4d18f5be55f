"""Learning."""

EXERCISES = """predict-learning numerical_gradient softmax_backward attention_backward cross_entropy sgd_step
trained-head self_attention_backward"""
SLIPS = """
sign-turned: all signs are turned round -> A step against such a gradient climbs. -> Look at the example: which weight
    ought to grow, and which sign does its gradient have?
"""
