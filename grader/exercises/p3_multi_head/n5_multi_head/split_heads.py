import numpy as np

from grader.exercises.inputs import matrix, tenths
from grader.exercises.kinds import Case, Property, function


def _columns(rng, *shape, num_heads, draw=matrix):
    return {"X": draw(rng, *shape), "num_heads": num_heads}


def _one_head_is_everything(call, rng):
    X = matrix(rng, 5, 7)
    gap = np.abs(call(X, 1)[0] - X).max()
    return None if gap < 1e-3 else "with one head, the head is not X itself"


@function(
    points=3,
    returns="heads",
    cases=(
        Case("two tokens, three heads", lambda rng: _columns(rng, 2, 15, num_heads=3, draw=tenths), 0.25),
        Case("seven tokens, five heads", lambda rng: _columns(rng, 7, 15, num_heads=5), 0.1),
        Case("the example of the task", lambda rng: {"X": np.arange(1, 9).reshape(2, 4), "num_heads": 2}, 0.05),
        Case(
            "as many tokens as heads, as many as columns in a head", lambda rng: _columns(rng, 5, 25, num_heads=5), 0.1
        ),
        Case("a batch of two", lambda rng: _columns(rng, 2, 7, 15, num_heads=3), 0.15),
        Case("a batch with as many tokens as columns", lambda rng: _columns(rng, 2, 6, 6, num_heads=3), 0.05),
        Case("two batch axes", lambda rng: _columns(rng, 2, 3, 5, 14, num_heads=7), 0.1),
    ),
    properties=(Property("one head is X itself", _one_head_is_everything, 0.1),),
    mistakes="""
    reshape-split: a reshape without a transpose: the tokens are mixed -> Reshape cuts the numbers in the order in which
        they lie, row by row. A head then gets whole rows of a few tokens instead of a few columns of all of them. The
        shape is right, and nothing complains. -> Split only the last axis in two, so that each token keeps its numbers;
        then move the head's axis forward.
    no-swap: the axis of the heads stands behind that of the tokens -> The next product runs over the last two axes. It
        would let heads attend to heads within one token. -> After the reshape, exchange the axis of the tokens with
        that of the heads.
    strided: the columns are dealt out one by one, like cards -> The heads are contiguous slices: the first d columns
        belong to head 0, the next d to head 1. -> When you split the last axis, let the heads come before the columns
        within a head.
    reversed-axes: `.T` on more than two axes: it reverses them all -> For a matrix a transpose exchanges two axes; for
        three axes and more, `.T` turns the whole order round. -> Exchange exactly two: `np.swapaxes` or `transpose`
        with a list of axes.
    front-axes: the axes are counted from the front -> With a batch in front, axes 0 and 1 are no longer tokens and
        heads. -> Count from the end: the tokens are at -3, the heads at -2.
    front-shape: the axes are counted from the front: `X.shape[0]` stands for the number of tokens -> With a batch in
        front, the first axis is the number of sentences, and their tokens run together. -> Count from the end: the
        tokens are at -2 and the columns at -1 before the split.
    heads-in-front: the axis of the heads stands in front of the batch: axes are counted from the front -> `np.array`
        and `np.stack` put a new axis first. In a batch, the heads belong behind the sentences. -> Say where the new
        axis goes, counted from the end.
    transposed-heads: each head is transposed: columns before tokens -> A head is a small X: a row for each token. ->
        Exchange only the axes of tokens and heads.
    backwards: the heads come out in reverse order -> The first slice of columns is head 0. -> Keep the order in which
        the slices stand in X.
    slices-axis-1: your slices are taken along axis 1, counted from the front -> With a batch in front, axis 1 is the
        tokens. -> Count from the end: `X[..., first:last]` cuts the last axis, whatever stands before it.
    no-batch
    """,
)
def split_heads(X, num_heads, wrong=frozenset()):
    """Columns dealt out to the heads, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    *leading, n, d_model = X.shape
    d = d_model // num_heads
    if "no-batch" in wrong:
        n, d_model = X.shape
    if "slices-axis-1" in wrong:
        return np.stack([X[:, head * d : (head + 1) * d] for head in range(num_heads)])
    if "reshape-split" in wrong:
        return X.reshape(*leading, num_heads, n, d)
    if "front-shape" in wrong:
        return X.reshape(len(X), num_heads, -1).transpose(1, 0, 2)
    if "heads-in-front" in wrong:
        return np.array(np.split(X, num_heads, axis=-1))
    if "strided" in wrong:
        return np.moveaxis(X.reshape(*leading, n, d, num_heads), -1, -3)
    slices = X.reshape(*leading, n, num_heads, d)
    if "no-swap" in wrong:
        return slices
    if "reversed-axes" in wrong:
        return slices.T
    if "front-axes" in wrong:
        return np.swapaxes(slices, 0, 1)
    if "backwards" in wrong:
        slices = slices[..., ::-1, :]
    heads = np.swapaxes(slices, -3, -2)
    return np.swapaxes(heads, -1, -2) if "transposed-heads" in wrong else heads
