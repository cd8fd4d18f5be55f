from grader.exercises.kinds import Entry, values


@values(
    points=2,
    task="TODO: what is asked, in a few words",
    entries=(Entry("", "TODO: the value in words"),),
    mistakes="""
    todo-mistake: you TODO: what the learner did ->
        TODO: why that gives the wrong value. -> TODO: what to do about it, without giving the answer away.
    """,
)
def senses(wrong=frozenset()):
    """TODO: the value, with the mistakes that people make as switches."""
    return 2.0 if "todo-mistake" in wrong else 1.0
