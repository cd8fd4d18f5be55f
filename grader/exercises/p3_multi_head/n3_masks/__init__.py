"""Who may attend to whom. True = may attend, everywhere."""

#: In the order of the notebook.
EXERCISES = (
    "predict-masks",
    "causal_mask",
    "padding_mask",
    "masked_softmax",
    "masked_attention",
    "leaks_future",
    "leaky-suspects",
)
