from grader.exercises.kinds import Property, search


def found(value):
    return None if value > 0 else f"TODO: what is wrong with {value:g}"


@search(
    points=3,
    task="TODO: what to find, in a few words",
    properties=(Property("TODO: what must hold of it", found, 1.0),),
    shows={"todo-mistake": lambda value: value == 0},
    mistakes="""
    todo-mistake: you TODO: what the learner did ->
        TODO: why that does not do. -> TODO: what to do about it, without giving the answer away.
    """,
)
def same_context(value):
    """TODO: the learner's value as the tests want it; raises ValueError in words."""
    return float(value)
