"""Attention as kernel regression."""

#: In the order of the notebook.
EXERCISES = """predict-kernels gaussian_kernel exponential_kernel kernel_attention leave_one_out_bandwidth nile
gaussian_as_softmax learned_kernel not-a-kernel"""

#: Words of mistakes that several of these exercises know: there the id alone stands for them.
SLIPS = """
scaled: you divided by the square root of the dimension -> Parts 1 and 2 do not scale; Part 3 shows where that division
    comes from. -> Take the plain dot product.
"""
