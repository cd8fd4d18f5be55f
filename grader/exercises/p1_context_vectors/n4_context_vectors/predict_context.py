from grader.exercises.kinds import choice

predict_context = choice(
    "predict-context",
    right="c",
    because="""
    a: This one can be reached: it lies well inside the triangle of the three values. Give each value a third of the
        weight and see how near you are.
    b: This one can be reached: it lies close to the third value, so it takes nearly all the weight there.
    c: Each of its numbers lies between the smallest and the largest of the values, and yet no weights give it: it lies
        outside the triangle. An average of the values can never leave the shape that they span.
    d: The query and the keys decide only the weights, and these are positive and sum to 1. Draw the three values, and
        think where averages of them can lie.
    """,
)
