import numpy as np

from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n3_masks.shared import not_boolean
from grader.exercises.stages import slip


def holds_booleans(call, rng):
    n = int(rng.integers(8, 12))
    mask = call(n)
    if not np.array_equal(mask.astype(bool), causal_mask(n)):
        return f"the mask for {n} tokens is wrong"
    return not_boolean(mask)


@function(
    points=2,
    returns="mask",
    changes_input=False,
    cases=(
        Case("three tokens", lambda rng: {"n": 3}, 0.0),
        Case("two tokens, as in the task", lambda rng: {"n": 2}, 0.05),
        Case("more tokens", lambda rng: {"n": int(rng.choice([5, 7]))}, 0.45),
        Case("many tokens", lambda rng: {"n": int(rng.choice([11, 13, 17]))}, 0.25),
        Case("a single token", lambda rng: {"n": 1}, 0.0),
    ),
    properties=(Property("its entries are True and False", holds_booleans, 0.25),),
    mistakes="""
    mask-inverted: your mask is inverted: True stands where attention is forbidden -> PyTorch's `MultiheadAttention`
        reads masks like this, its `scaled_dot_product_attention` does not. In this course True means: may attend. ->
        Look at row 0. The first token may attend to itself, and to nothing else.
    hides-itself: the diagonal is forbidden -> No token can see itself then, and the first one has nothing to attend to
        at all. -> A token is not its own future: the diagonal is allowed.
    transposed: your mask is transposed: every token sees what comes after it -> A row belongs to the token that asks.
        In row 0 only one entry may be True. -> Which triangle holds the columns that are not greater than the row?
    one-ahead: every token sees one step into the future -> That one step is just what a language model has to predict:
        it can copy the answer. -> Start from the diagonal itself, without an offset.
    diagonal-only: every token sees only itself -> Then no context is left: each token may also see what came before it.
        -> Allow the diagonal, and everything on one side of it.
    compared-with-itself: one row comes out, and it is True everywhere -> Two rows of places were compared: each place
        with itself. -> One of the two has to be a column: `[:, None]` gives it a second axis.
    two-ahead: every token sees two steps into the future -> Those steps are just what a language model has to predict.
        -> Start from the diagonal itself, without an offset.
    two-back: every token sees only what lies two or more steps behind it -> Both the token itself and the one before
        are hidden. -> A token is not its own future: the diagonal is allowed.
    window: every token sees itself and the one before it, and no more -> All tokens that came before may be seen. ->
        Allow everything on that side of the diagonal.
    mirrored: your triangle leans the other way: its rows or columns are in reverse order -> The first token may attend
        to itself, and to nothing else. -> Compare row and column of each entry.
    infinity-times: you multiply by minus infinity, and 0 times infinity is NaN -> That is meant to be added to scores;
        the mask itself says True or False. -> Return True where attention is allowed.
    all: everything is allowed -> A mask of nothing but True masks nothing. -> Forbid the columns that come after the
        row's own token.
    additive-finite: you return numbers to be added to the scores, 0 and a large negative one -> That is one way to
        *use* a mask. The mask itself says True or False, so that masks can be combined. -> Return True where attention
        is allowed.
    additive: you return numbers to be added to the scores, 0 and minus infinity -> That is one way to *use* a mask. The
        mask itself says True or False, so that masks can be combined. -> Return True where attention is allowed.
    first-row-empty: the first row is not filled: the first token may not even attend to itself -> A `range` that begins
        at 1 leaves out row 0: places count from 0. -> Let the loop go over all rows.
    last-row-empty: the last row is not filled: the last token may attend to nobody -> `range(n - 1)` ends before row n
        - 1. -> Let the loop go over all rows.
    triangle-of-a-number: you take the triangle of the number n, where NumPy wants a matrix -> `np.tril` and `np.triu`
        cut a triangle out of a matrix that they are given. -> Give it one of n by n, or look at `np.tri`, which takes a
        number.
    """,
)
def causal_mask(n, wrong=frozenset()):
    """The causal mask, with the mistakes that people make as switches."""
    row, column = np.indices((n, n))
    if "transposed" in wrong:
        row, column = column, row
    slips = {
        "hides-itself": column < row,
        "one-ahead": column <= row + 1,
        "diagonal-only": column == row,
        "all": column < n,
        "two-ahead": column <= row + 2,
        "two-back": column < row - 1,
        "window": (column <= row) & (column >= row - 1),
        "mirrored": row + column >= n - 1,
        "first-row-empty": (column <= row) & (row > 0),
        "last-row-empty": (column <= row) & (row < n - 1),
    }
    if "triangle-of-a-number" in wrong:
        return np.tril(n)
    if "compared-with-itself" in wrong:
        return np.ones(n, dtype=bool)
    if "infinity-times" in wrong:
        return np.where(column <= row, np.nan, -np.inf)
    mask = slip(wrong, slips, column <= row)
    if "mask-inverted" in wrong:
        mask = ~mask
    slips = {"additive": np.where(mask, 0.0, -np.inf), "additive-finite": np.where(mask, 0.0, -1e9)}
    return slip(wrong, slips, mask)
