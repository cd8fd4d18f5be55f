"""Attention as a memory that is read by its contents."""

#: In the order of the notebook.
EXERCISES = (
    "predict-memory",
    "soft_lookup",
    "memory_context",
    "read-the-atlas",
    "hopfield_update",
    "recall",
    "hopfield_energy",
    "lost-memory",
)
