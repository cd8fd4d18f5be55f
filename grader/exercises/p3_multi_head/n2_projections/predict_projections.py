from grader.exercises.kinds import choice

predict_projections = choice(
    "predict-projections",
    right="d",
    because="""
    a: a long embedding does raise scores. But the length of both tokens is in x_i . x_j, and in x_j . x_i. Swap i and
        j: does the number change?
    b: softmax makes the *weights* differ from row to row, but it comes after the scores. Compare the two scores
        themselves.
    c: the order of the words never enters a dot product. Look at what does: x_i . x_j.
    d: without projections the score matrix is X Xᵀ, which is symmetric: x_i . x_j = x_j . x_i. With W_q and W_k it is X
        (W_q W_kᵀ) Xᵀ, and W_q W_kᵀ need not be symmetric.
    """,
)
