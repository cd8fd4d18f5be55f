from grader.exercises.kinds import choice

predict_cost = choice(
    "predict-cost",
    points=1,
    task='type the letter in quotation marks, for example `predict_cost = "a"`',
    right="b",
    because="""
    a: An approximation would mean that something is thrown away, or that the pieces do not know of each other. But
        what is still missing of a sum can be added later, and a maximum that turns out too small can be mended. Try it
        by hand, below, with three scores in two pieces.
    b: Each piece leaves behind its largest score, its sum and its weighted sum, and two such triples can be merged
        exactly. The matrix of all scores is never there; a few columns of it are enough at a time.
    c: The result is the same, yes. But count what is there at once: of n keys, 128. And slower is not sure at all: you
        will see the clock.
    d: Softmax does need the whole sum, but not all at once. A sum may be taken in any order; the maximum is the only
        thing that has to be mended on the way.
    """,
)
