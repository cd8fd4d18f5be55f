from grader.exercises.kinds import choice

predict_positions = choice(
    "predict-positions",
    right="b",
    because="""
    a: what it has learned are matrices, and these stay. But what do they compare? Ask what is left in a row of X to
        tell
        the word before from any other.
    b: what the head compares is in the position vectors. Without them, a word and the one before it are two words like
        any others: now the words decide who gets the weight, and the one before gets 0.09 on average.
    c: a head cannot look at nothing: the weights of a row sum to 1, and no score is forbidden here.
    d: one half would need something that still tells the word before from most others. What could that be, if each
        token
        says only what word it is?
    """,
)
