from grader.exercises.kinds import choice

predict_kernels = choice(
    "predict-kernels",
    right="b",
    because="""
    a: that is what a very small bandwidth does: each year then listens to itself only. Who is listened to when the bell
        is wider than the whole record?
    b: under a bell 10,000 years wide all hundred years weigh practically the same, so every year is given the same
        number: the mean of all flows. It is the hot end of softmax in another dress.
    c: a trend would need the first years and the last years to be treated differently. How different are their weights
        under a bell that is nearly level from 1871 to 1970?
    d: each kernel value is close to 1, not to 0, when the bell is wide. And whatever they are, the weights are divided
        by their sum.
    """,
)
