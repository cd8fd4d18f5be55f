"""Several attentions at once, and the first layer of a real transformer."""

#: In the order of the notebook.
EXERCISES = (
    "predict-heads",
    "split_heads",
    "silent-bug",
    "merge_heads",
    "multi_head_attention",
    "count-heads-parameters",
    "real_layer",
    "read-heads",
)
