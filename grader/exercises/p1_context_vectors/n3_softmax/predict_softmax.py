from grader.exercises.kinds import choice

predict_softmax = choice(
    "predict-softmax",
    right="c",
    because="""
    a: the size of a score tempts, but each power is divided by the sum of all powers of its row. What does that
        division do to something that all powers have in common?
    b: ratios of scores tempt, but softmax never divides one score by another: it divides powers. What is e to the 11
        divided by e to the 10?
    c: e to the 11 is e times e to the 10, as e to the 1 is e times e to the 0. Softmax sees only the difference between
        scores, and it is 1 in both rows.
    d: the keys have done their part when the scores are there. Softmax sees nothing but the scores.
    """,
)
