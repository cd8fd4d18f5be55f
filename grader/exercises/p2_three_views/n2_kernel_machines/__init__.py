"""Attention as kernel regression."""

#: In the order of the notebook.
EXERCISES = (
    "predict-kernels",
    "gaussian_kernel",
    "exponential_kernel",
    "kernel_attention",
    "leave_one_out_bandwidth",
    "nile",
    "gaussian_as_softmax",
    "learned_kernel",
    "not-a-kernel",
)
