from grader.exercises.kinds import choice

predict_neighbours = choice(
    "predict-neighbours",
    right="c",
    because="""
    a: nothing can be nearer than distance 0, that is true. But attention never measures a distance. What does it
        measure, and does a longer key gain by it?
    b: a second copy surely gets the same weight. But the weight comes from a single number, the dot product. Is a copy
        the only vector that reaches this number?
    c: the weight depends on the score alone, and the score is a dot product. A key that is far away but long enough can
        have exactly the same one. Section 2 shows such a key.
    d: a temperature divides all scores alike: it makes the weights more or less different, but two different scores
        never become equal.
    """,
)
