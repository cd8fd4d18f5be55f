from grader.exercises.kinds import choice

predict_scores = choice(
    "predict-scores",
    task='type the letter in quotation marks, for example `predict_scores = "a"`',
    right="c",
    because="""
    a: nothing points more like a vector than the vector itself, true. But a dot product does not only look at
        directions. What happens to it when one of the two vectors is made twice as long?
    b: a large number helps only where the other vector has a large number in the same place. Where is the larger number
        of The?
    c: sat points almost the same way as The, and it is longer: a dot product rewards long keys. The scores are 0.29 for
        The, 0.21 for cat and 0.51 for sat.
    d: the vectors differ in direction and in length, and a dot product notices both.
    """,
)
