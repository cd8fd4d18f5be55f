"""Attention as kernel regression."""

EXERCISES = """predict-kernels gaussian_kernel exponential_kernel kernel_attention leave_one_out_bandwidth nile
gaussian_as_softmax learned_kernel not-a-kernel bandwidth_gradient"""
SLIPS = """
scaled: you divided by the square root of the dimension -> Parts 1 and 2 do not scale; Part 3 shows where that division
    comes from. -> Take the plain dot product.
"""
