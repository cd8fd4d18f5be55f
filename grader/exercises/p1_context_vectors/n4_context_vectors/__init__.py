"""The weighted average of the values, and the audit of a published worked example."""

#: In the order of the notebook.
EXERCISES = (
    "predict-context",
    "context_vector",
    "context_vectors",
    "play-context",
    "audit-which",
    "audit-weights",
    "audit-contexts",
    "audit-pattern",
)
