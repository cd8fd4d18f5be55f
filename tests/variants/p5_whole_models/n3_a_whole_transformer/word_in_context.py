"""TODO: right answers in unusual styles (loops, another order, lists, float32, ...), and wrong ones."""


def in_loops(text, word):
    raise NotImplementedError("TODO: a right answer")


def in_one_line(text, word):
    raise NotImplementedError("TODO: a right answer")


def with_einsum(text, word):
    raise NotImplementedError("TODO: a right answer")


def in_plain_python(text, word):
    raise NotImplementedError("TODO: a right answer")


def in_single_precision(text, word):
    raise NotImplementedError("TODO: a right answer")


def with_more_arguments(text, word, *, verbose=False):
    raise NotImplementedError("TODO: a right answer")


VARIANTS = [in_loops, in_one_line, with_einsum, in_plain_python, in_single_precision, with_more_arguments]


def gives_the_first(text, word):
    return text[0]


# Each with the mistake that the judge should name, or None.
WRONG = [(gives_the_first, None)]
