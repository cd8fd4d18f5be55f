"""From scores to weights."""

#: In the order of the notebook.
EXERCISES = ("predict-softmax", "softmax", "softmax_with_temperature", "entropy", "breaking-query", "read_memory")
