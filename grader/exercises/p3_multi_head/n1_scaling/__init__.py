"""Why attention divides its scores by the square root of d_k."""

EXERCISES = """predict-scaling variance-experiment softmax_jacobian vanishing-gradient scaled_dot_product_attention
context_jacobian"""
SLIPS = """
step-of-a-tenth: your numbers are measured with a step of 0.1, and are only near -> The weights bend on the way, so that
    a step of any size gives a mean slope over the step. Here six digits are asked for. -> Use the formula: it needs no
    step.
step-of-a-thousandth: your numbers are measured with a step of 0.001, and are only near -> The weights bend on the way,
    so that a step of any size gives a mean slope over the step. Here six digits are asked for. -> Use the formula: it
    needs no step.
step-of-a-ten-thousandth: your numbers are measured with a step of 0.0001, and are only near -> The weights bend on the
    way, so that a step of any size gives a mean slope over the step. Here six digits are asked for. -> Use the formula:
    it needs no step.
both-sides-a-hundredth: your numbers are measured with a step of 0.01 to both sides, and are only near -> The weights
    bend on the way, so that a step of any size gives a mean slope over the step. Here six digits are asked for. -> Use
    the formula: it needs no step.
"""
