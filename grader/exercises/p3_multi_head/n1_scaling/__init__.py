"""Why attention divides its scores by the square root of d_k."""

EXERCISES = """predict-scaling variance-experiment softmax_jacobian vanishing-gradient scaled_dot_product_attention
context_jacobian"""
