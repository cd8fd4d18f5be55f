"""TODO: right answers in unusual styles (loops, another order, lists, float32, ...), and wrong ones."""


def in_loops(query_vector, vectors, k):
    raise NotImplementedError("TODO: a right answer")


def in_one_line(query_vector, vectors, k):
    raise NotImplementedError("TODO: a right answer")


def with_einsum(query_vector, vectors, k):
    raise NotImplementedError("TODO: a right answer")


def in_plain_python(query_vector, vectors, k):
    raise NotImplementedError("TODO: a right answer")


def in_single_precision(query_vector, vectors, k):
    raise NotImplementedError("TODO: a right answer")


def with_more_arguments(query_vector, vectors, k, *, verbose=False):
    raise NotImplementedError("TODO: a right answer")


VARIANTS = [in_loops, in_one_line, with_einsum, in_plain_python, in_single_precision, with_more_arguments]


def gives_the_first(query_vector, vectors, k):
    return query_vector[0]


# Each with the mistake that the judge should name, or None.
WRONG = [(gives_the_first, None)]
