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
    budget=5000,
    cases=(
        Case("two tokens, three heads", lambda rng: _columns(rng, 2, 15, num_heads=3, draw=tenths), 0.25),
        Case("seven tokens, five heads", lambda rng: _columns(rng, 7, 15, num_heads=5), 0.1),
        Case("the example of the task", lambda rng: {"X": np.arange(1, 9).reshape(2, 4), "num_heads": 2}, 0.05),
        Case(
            "as many tokens as heads, as many as columns in a head", lambda rng: _columns(rng, 5, 25, num_heads=5), 0.1
        ),
        Case("a batch of two", lambda rng: _columns(rng, 2, 7, 15, num_heads=3), 0.15),
        Case("a batch with as many tokens as columns", lambda rng: _columns(rng, 2, 6, 6, num_heads=3), 0.05),
        Case("two batch axes", lambda rng: _columns(rng, 2, 11, 3, 14, num_heads=7), 0.1),
    ),
    properties=(Property("one head is X itself", _one_head_is_everything, 0.1),),
    mistakes="""
    reshape-split: a reshape without a transpose: the tokens are mixed -> Reshape cuts the numbers in the order in which
        they lie, row by row. A head then gets the numbers of a few neighbouring tokens instead of a few columns of all
        of them. The shape is right, and nothing complains. -> Split only the last axis in two, so that each token keeps
        its numbers; then move the head's axis forward.
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
    backwards: the heads come out in reverse order -> The first slice of columns is head 0. -> Keep the order in which
        the slices stand in X.
    slices-axis-1: your slices are taken along axis 1, counted from the front -> With a batch in front, axis 1 is the
        tokens. -> Count from the end: `X[..., first:last]` cuts the last axis, whatever stands before it.
    overlapping: each slice begins one column after the one before -> The heads share the columns without overlap: head
        1 begins where head 0 ends. -> Begin a slice at its head's number times the columns of a head.
    sizes-exchanged: there are as many heads as a head should have columns -> In the reshape the number of heads and the
        columns of a head have changed places. -> The new axes are tokens, heads, columns of a head, in this order.
    heads-columns-exchanged: you exchanged the heads with the columns, not with the tokens -> After the reshape the axes
        are tokens, heads, columns: the heads have to come before the tokens. -> Exchange axes -3 and -2.
    tokens-split: you cut the tokens in pieces, not the columns -> Each head sees all the tokens, and of each a few
        columns. -> Cut the last axis.
    tokens-split-last: you cut the axis of the tokens in pieces, not that of the columns -> Each head sees all the
        tokens, and of each a few columns. -> Cut the last axis.
    poured: the sentences of a batch run together: their tokens stand in one long row of rows -> Each sentence is split
        by itself, and the result keeps the axes of the batch. -> Keep whatever comes before the last two axes:
        `*leading, n, d_model = X.shape`.
    first-sentence: of a batch only the first sentence is left -> A batch holds many sentences, and each is split by
        itself. -> Keep whatever comes before the last two axes: `*leading, n, d_model = X.shape`.
    width-of-the-example: every head gets two columns, whatever X holds -> That is so in the example. -> Compute the
        columns of a head from the last axis of X and `num_heads`.
    first-head-only: you return the first head alone -> There are `num_heads` of them, each with its own slice of the
        columns. -> Collect all heads on an axis of their own.
    same-slice: every head is the first slice of the columns -> Each head has a slice of its own. -> Let the slice begin
        where the one before ends.
    heads-at-1: the axis of the heads stands at place 1, counted from the front -> For a batch that is right, for a
        matrix not, nor for two axes of batches. -> Count from the end: the heads belong before tokens and columns.
    swap-1-2: you exchange axes 1 and 2, counted from the front -> For a batch that is right, for a matrix not, nor for
        two axes of batches. -> Count from the end: heads and tokens are at -2 and -3.
    batch-only: your function knows only three axes: a batch -> One matrix has no batch, and there may be more axes than
        one in front. -> Keep whatever comes before the last two axes: `*leading, n, d_model = X.shape`.
    last-head-lost: the last head is missing -> All heads together hold all the columns. -> How far does `range` count?
    turned-first: you transpose X before the reshape -> Then the columns come first, and the pieces that the reshape
        cuts run along the tokens. -> First cut the last axis in two, then exchange axes.
    leading-not-spread: the lengths in front go into `reshape` as one thing -> After `*leading, n, d_model = X.shape`
        the name `leading` holds a list, and each place of a shape takes one whole number. -> Spread it out with a star:
        `*leading`.
    leading-tuple: the lengths in front go into `reshape` as one thing -> `X.shape[:-2]` is a tuple, and each place of a
        shape takes one whole number. -> Spread it out with a star in front.
    no-batch
    view-of-torch: `.view` is PyTorch's: NumPy's takes another kind of number, not another shape -> In NumPy the shape
        is changed by `reshape`. -> Use `reshape` for the shape, and `np.swapaxes` to exchange two axes.
    transpose-of-torch: `.transpose` of two axes is PyTorch's -> In NumPy `transpose` wants the new order of all axes.
        -> `np.swapaxes(A, i, j)` exchanges two.
    """,
)
def split_heads(X, num_heads, wrong=frozenset()):
    """Columns dealt out to the heads, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    if "poured" in wrong:
        X = X.reshape(-1, X.shape[-1])
    if "first-sentence" in wrong and X.ndim > 2:
        X = X[0]
    *leading, n, d_model = X.shape
    d = d_model // num_heads
    if wrong & {"no-batch", "first-sentence"}:
        n, d_model = X.shape
    if "width-of-the-example" in wrong:
        d = 2
    if "batch-only" in wrong:
        _, n, d_model = X.shape
    if "first-head-only" in wrong:
        return X[..., :d]
    if "view-of-torch" in wrong:
        return X.view(*leading, n, num_heads, d)
    if "transpose-of-torch" in wrong:
        return X.reshape(*leading, n, num_heads, d).transpose(-3, -2)
    if wrong & {"leading-not-spread", "leading-tuple"}:
        return X.reshape(tuple(leading) if "leading-tuple" in wrong else leading, n, num_heads, d)
    if "slices-axis-1" in wrong:
        return np.stack([X[:, head * d : (head + 1) * d] for head in range(num_heads)])
    if wrong & {"tokens-split", "tokens-split-last"}:
        return np.array(np.split(X, num_heads, axis=0 if "tokens-split" in wrong else -2))
    if "reshape-split" in wrong:
        return X.reshape(*leading, num_heads, n, d)
    if "front-shape" in wrong:
        return X.reshape(len(X), num_heads, -1).transpose(1, 0, 2)
    if "turned-first" in wrong:
        return np.swapaxes(X, -1, -2).reshape(*leading, num_heads, n, d)
    if "heads-columns-exchanged" in wrong:
        return np.swapaxes(X.reshape(*leading, n, num_heads, d), -1, -2)
    if "strided" in wrong:
        slices = X.reshape(*leading, n, d, num_heads).swapaxes(-1, -2)
    elif "sizes-exchanged" in wrong:
        slices = X.reshape(*leading, n, d, num_heads)
    elif wrong & {"overlapping", "same-slice", "width-of-the-example", "last-head-lost"}:
        step = 1 if "overlapping" in wrong else 0 if "same-slice" in wrong else d
        count = num_heads - ("last-head-lost" in wrong)
        slices = np.stack([X[..., head * step : head * step + d] for head in range(count)], axis=-2)
    else:
        slices = X.reshape(*leading, n, num_heads, d)
    if "no-swap" in wrong:
        return slices
    if "reversed-axes" in wrong:
        return slices.T
    if "front-axes" in wrong:
        return np.swapaxes(slices, 0, 1)
    if "swap-1-2" in wrong:
        return np.swapaxes(slices, 1, 2)
    if "heads-at-1" in wrong:
        return np.moveaxis(slices, -2, 1)
    if "backwards" in wrong:
        slices = slices[..., ::-1, :]
    return np.moveaxis(slices, -2, 0) if "heads-in-front" in wrong else np.swapaxes(slices, -3, -2)
