"""TODO: right answers in unusual styles (loops, another order, lists, float32, ...), and wrong ones."""


def in_loops(X_new, cache, layer, num_heads, base):
    raise NotImplementedError("TODO: a right answer")


def in_one_line(X_new, cache, layer, num_heads, base):
    raise NotImplementedError("TODO: a right answer")


def with_einsum(X_new, cache, layer, num_heads, base):
    raise NotImplementedError("TODO: a right answer")


def in_plain_python(X_new, cache, layer, num_heads, base):
    raise NotImplementedError("TODO: a right answer")


def in_single_precision(X_new, cache, layer, num_heads, base):
    raise NotImplementedError("TODO: a right answer")


def with_more_arguments(X_new, cache, layer, num_heads, base, *, verbose=False):
    raise NotImplementedError("TODO: a right answer")


VARIANTS = [in_loops, in_one_line, with_einsum, in_plain_python, in_single_precision, with_more_arguments]


def gives_the_first(X_new, cache, layer, num_heads, base):
    return X_new[0]


# Each with the mistake that the judge should name, or None.
WRONG = [(gives_the_first, None)]
