from grader.exercises.kinds import choice

predict_blocks = choice(
    "predict-blocks",
    right="a",
    because="""
    a: a context is an average of what it hears, and nothing but averages are handed on. Averages of averages lie closer
        and closer together, until each token has the same vector. What was added to them is what had kept them apart.
    b: the weights are those that were learned, and the same words give the same numbers each time. What does an average
        do to differences, and what does it do to them six times?
    c: a norm stands behind each sublayer and stretches every row to its usual length again, so weaker it cannot be.
    d: no number can grow without end here: a norm follows each step, and divides by what has grown.
    """,
)
