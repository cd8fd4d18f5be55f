from grader.exercises.kinds import choice

predict_heads = choice(
    "predict-heads",
    right="d",
    because="""
    a: NumPy does not know what a token or a head is. In what order does it lay out the twelve numbers, and which four
        come first?
    b: no number disappears or is repeated; twelve numbers fit a shape of (3, 2, 2). So it does not complain.
    c: that would deal the columns out one by one. A reshape takes the numbers row by row, as they lie.
    d: reshape reads the numbers row by row and cuts that line into pieces of four. The first piece lies wholly in the
        first token. Nothing complains, and the head never sees the second token.
    """,
)
