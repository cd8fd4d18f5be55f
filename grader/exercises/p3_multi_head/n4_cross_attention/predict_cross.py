from grader.exercises.kinds import choice

predict_cross = choice(
    "predict-cross",
    right="b",
    because="""
    a: the number is right: each query gets one context. But a context is an average of values. Which sentence do the
        values come from?
    b: one context vector for each query, and every one is an average of the values, which come from the source. The
        target decides how many questions are asked, the source supplies all that can be heard.
    c: that is the number of values. How many questions are asked?
    d: that is the number of scores: one for each pair. The average over the keys takes one of the two axes away.
    """,
)
