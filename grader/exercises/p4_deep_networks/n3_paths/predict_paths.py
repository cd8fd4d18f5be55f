from grader.exercises.kinds import choice

predict_paths = choice(
    "predict-paths",
    right="d",
    because="""
    a: more steps help as far as each of them says something about the first letter. Section 5 measures how much the
        last state hears of it, after 39 more letters.
    b: so it would be if each letter on the way spoilt the first one by chance, now and then. But what has to be
        *learned* is to keep it, and section 5 measures what the gradient knows of it.
    c: half of the answers right would still mean that the state knows a good deal about the first letter. Section 5
        measures how much of it arrives.
    d: the last state hardly moves when the first of 40 letters changes, so the gradient says nothing about it, and the
        network is left guessing among eight letters. Section 8 trains it.
    """,
)
