"""TODO: right answers in unusual styles (loops, another order, lists, float32, ...), and wrong ones."""


def in_loops(texts):
    raise NotImplementedError("TODO: a right answer")


def in_one_line(texts):
    raise NotImplementedError("TODO: a right answer")


def with_einsum(texts):
    raise NotImplementedError("TODO: a right answer")


def in_plain_python(texts):
    raise NotImplementedError("TODO: a right answer")


def in_single_precision(texts):
    raise NotImplementedError("TODO: a right answer")


def with_more_arguments(texts, *, verbose=False):
    raise NotImplementedError("TODO: a right answer")


VARIANTS = [in_loops, in_one_line, with_einsum, in_plain_python, in_single_precision, with_more_arguments]


def gives_the_first(texts):
    return texts[0]


# Each with the mistake that the judge should name, or None.
WRONG = [(gives_the_first, None)]
