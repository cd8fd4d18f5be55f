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
    all: everything is allowed -> A mask of nothing but True masks nothing. -> Forbid the columns that come after the
        row's own token.
    additive-finite: you return numbers to be added to the scores, 0 and a large negative one -> That is one way to
        *use* a mask. The mask itself says True or False, so that masks can be combined. -> Return True where attention
        is allowed.
    additive: you return numbers to be added to the scores, 0 and minus infinity -> That is one way to *use* a mask. The
        mask itself says True or False, so that masks can be combined. -> Return True where attention is allowed.
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
    }
    mask = slip(wrong, slips, column <= row)
    if "mask-inverted" in wrong:
        mask = ~mask
    slips = {"additive": np.where(mask, 0.0, -np.inf), "additive-finite": np.where(mask, 0.0, -1e9)}
    return slip(wrong, slips, mask)
