from grader.exercises.kinds import choice

predict_scaling = choice(
    "predict-scaling",
    right="b",
    because="""
    a: each of the 512 products has that size. Positive and negative ones cancel in the sum, but not completely: how far
        does a walk of 512 random steps end from where it began?
    b: 512 independent products of variance 1 have a sum of variance 512, so its typical size is the square root of 512,
        about 22.6. To softmax, a difference of 22.6 is a factor of several thousand million.
    c: that would need all 512 products to have the same sign. They are positive and negative by chance, so many of them
        cancel.
    d: the mean is zero, but a single dot product hardly ever is: the products do not cancel exactly. What adds up for
        independent numbers, if not the numbers themselves?
    """,
)
