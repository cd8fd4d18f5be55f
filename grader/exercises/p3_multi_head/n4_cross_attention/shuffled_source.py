from grader.exercises.kinds import choice

shuffled_source = choice(
    "shuffled-source",
    task="type the letter of your answer",
    right="c",
    because="""
    a: a row of the context belongs to a target token. The target was not touched: who asks, and in which order?
    b: nothing in a score knows where a word stands. Follow one source word: what happens to its key, and to its value?
    c: each source word takes its key and its value along to its new place, so that the columns of the weights move with
        it. An average does not care about the order of what it adds up.
    d: look at the columns of the weights: a column belongs to one source word.
    """,
)
