from grader.exercises.kinds import choice

predict_masks = choice(
    "predict-masks",
    right="b",
    because="""
    a: it would be so if softmax treated each key by itself. But every weight is divided by a sum over *all* keys. What
        is the largest term of that sum?
    b: softmax divides by a sum in which the forbidden e^9 is by far the largest term. It takes 0.9988 of the weight;
        setting that to 0 afterwards gives nothing back. The two allowed keys keep 0.0009 and 0.0003.
    c: nothing makes the first two alike: e^2 is larger than e^1, before and after.
    d: nothing is divided by zero here: the softmax is an ordinary one, and then a number is set to 0.
    """,
)
