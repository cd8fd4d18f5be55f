"""Three roles for every token."""

#: In the order of the notebook.
EXERCISES = (
    "predict-projections",
    "project_qkv",
    "self_attention",
    "count-parameters",
    "playing-outside",
    "true-claims",
)
