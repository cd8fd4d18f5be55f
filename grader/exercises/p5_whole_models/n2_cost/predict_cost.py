from grader.exercises.kinds import choice

predict_cost = choice(
    "predict-cost",
    points=1,
    task='type the letter in quotation marks, for example `predict_cost = "a"`',
    right="a",
    because="""
    a: TODO: why this is right.
    b: TODO: what to tell someone who chose b, without giving the right letter away.
    c: TODO: what to tell someone who chose c.
    """,
)
