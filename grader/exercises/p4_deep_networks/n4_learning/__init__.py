"""Learning."""

EXERCISES = """predict-learning numerical_gradient softmax_backward attention_backward cross_entropy sgd_step
trained-head self_attention_backward"""
SLIPS = """
jacobian-forgotten: you hand the gradient of the weights on as that of the scores -> Between the two stands a softmax:
    a score that rises takes weight from all the others. A head trains with this all the same, and that is why only a
    check tells. -> Take it back through the softmax's Jacobian first.
first-term-only: you multiply weights and gradient, and take nothing off -> A score that rises takes weight from all
    the others, and that is missing: a row of the result must sum to 0. -> Take off each weight's own share of the
    weighted mean of the row.
diagonal-only: of the softmax's Jacobian you take the diagonal alone, w (1 - w) -> That is what a score does to its own
    weight. What it takes from the others is missing, and the rows no longer sum to 0. -> Take off the weighted mean of
    the row, too.
sign-turned: all signs are turned round -> A step against such a gradient climbs. -> Look at the example: which weight
    ought to grow, and which sign does its gradient have?
root-forgotten: on the way back the division by the square root of d_k is missing -> The scores were divided on the way
    there, so what comes back through them is divided, too. -> Divide what goes on to queries and keys.
"""
