from grader.exercises.kinds import choice

predict_memory = choice(
    "predict-memory",
    right="d",
    because="""
    a: a good memory does that, and this one does, too, if beta is large enough. But what is left of the scores when
        each is multiplied by nearly 0?
    b: an update returns a mixture of what is stored. The spoilt picture itself was never stored: it only asks.
    c: beta multiplies the scores, not the result. The weights sum to 1 whatever beta is, so something always comes
        back.
    d: with beta near 0 all products beta times score are nearly 0, so all weights are equal, and the memories blend
        into their average. Section 7 shows the blur.
    """,
)
