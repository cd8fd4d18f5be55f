import numpy as np

from grader.exercises.inputs import arrays, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.stages import slip


def the_example(rng):
    return {"X": np.array([[[1, 2], [5, 6]], [[3, 4], [7, 8]]])}


def _overlapping(X, shape):
    merged = np.zeros(shape)
    for head in range(X.shape[-3]):
        merged[..., head : head + X.shape[-1]] = X[..., head, :, :]
    return merged


@function(
    points=2,
    returns="merged",
    budget=5000,
    cases=(
        Case("three heads, two tokens", arrays(tenths, X=(3, 2, 5)), 0.3),
        Case("five heads, seven tokens", arrays(X=(5, 7, 3)), 0.1),
        Case("the example of the task", the_example, 0.05),
        Case("as many heads as tokens and columns", arrays(X=(5, 5, 5)), 0.15),
        Case("a batch of two", arrays(X=(2, 3, 7, 5)), 0.2),
        Case("two batch axes", arrays(X=(2, 3, 7, 5, 2)), 0.1),
    ),
    mistakes="""
    reshape-merge: a reshape without transposing back: the tokens are mixed -> A row of the result then holds pieces of
        several tokens. The shape is right. -> First bring all heads of one token together, by exchanging two axes; then
        reshape.
    strided: the columns of the heads are interleaved -> Merging undoes the split: head 0 fills the first columns, head
        1 the next, as a block. -> Before the reshape, the last two axes have to be heads, then columns within a head.
    front-axes: the axes are counted from the front -> With a batch in front, axes 0 and 1 are no longer heads and
        tokens. -> Count from the end: the heads are at -3, the tokens at -2.
    front-rows: the axes are counted from the front: `X.shape[1]` stands for the number of tokens -> With a batch in
        front, axis 1 is the heads, and all sentences run together. -> Count from the end: the heads are at -3, the
        tokens at -2.
    front-list: you go through the first axis as if it were the heads: axes are counted from the front -> With a batch
        in front, the first axis is the sentences, and they are laid side by side. -> Count from the end: the heads are
        at -3.
    front-hstack: `np.hstack` goes through the first axis and joins along the second: axes are counted from the front ->
        With a batch in front, the first axis is the sentences, not the heads. -> Count from the end: the heads are at
        -3, the tokens at -2.
    stacked: the heads are stacked below each other instead of side by side -> Each token must be left with one row,
        which holds what all heads found for it. -> The rows stay n; the columns become num_heads times as many.
    summed: the heads are added up -> A sum cannot be taken apart again: what one head found drowns in the others. `W_o`
        needs them apart. -> Lay the heads side by side.
    averaged: the heads are averaged -> An average cannot be taken apart again. `W_o` needs the heads apart. -> Lay the
        heads side by side.
    first-head: only the first head is kept -> The others found something, too. -> Lay all heads side by side.
    reshape-all: a reshape to one row a token, without transposing back: the tokens are mixed -> A row of the result
        then holds pieces of several tokens, and in a batch the sentences run together, too. -> First bring all heads of
        one token together, by exchanging two axes; then reshape the last two.
    columns-exchanged: you exchanged tokens and columns, not heads and tokens -> After that the heads are as far from
        their tokens as before. -> The axes are heads, tokens, columns, counted from -3: bring the first two to change
        places.
    sizes-exchanged: your result has a row for each head -> After the exchange the tokens come first: each is left with
        one row. -> Compare with the shape of X (heads, tokens, columns) your names, and the lengths that you give
        `reshape`.
    overlapping: each head begins one column after the one before -> Then each overwrites most of the one before. ->
        Begin the place of a head at its number times the columns of a head.
    backwards: the heads stand in reverse order -> Merging undoes the split: head 0 fills the first columns. -> Keep the
        order of the heads.
    not-reshaped: the axes are exchanged, but there are as many as before -> Each token must be left with one row. ->
        Make one axis of the last two: heads, and columns within a head.
    flat: all of a sentence stands in one row -> Each token must be left with one row. -> Keep the axis of the tokens.
    poured: the sentences of a batch run together: all tokens stand below each other -> The result keeps the axes of the
        batch. -> Keep whatever comes before the last three axes: `*leading, num_heads, n, d = X.shape`.
    sides-of-a-batch: the sentences of a batch run together in the columns -> `-1` takes all that is left, the batch as
        well. -> Keep whatever comes before the last three axes: `*leading, num_heads, n, d = X.shape`.
    first-sentence: of a batch only the first sentence is left -> A batch holds many sentences, and each is merged by
        itself. -> Keep whatever comes before the last three axes.
    last-head: only the last head is kept -> The others found something, too. -> Lay all heads side by side.
    swap-1-2: you exchange axes 1 and 2, counted from the front -> For a batch that is right, for three axes not, nor
        for two axes of batches. -> Count from the end: heads and tokens are at -3 and -2.
    reversed-axes: `.T` on more than two axes: it reverses them all -> Columns then come before tokens, and a batch
        comes last. -> Exchange exactly two: `np.swapaxes`.
    last-head-lost: the last head is missing -> All heads have something to say. -> How far does `range` count?
    front-stacked: you join along the first axis: the heads stand below each other -> Each token must be left with one
        row, which holds what all heads found for it. -> Lay the heads side by side, along the last axis.
    heads-columns-exchanged: you exchanged the heads with the columns -> Then the columns of a head are no longer next
        to each other when the reshape lays all in one line. -> Bring the heads next to their columns: exchange axes -3
        and -2.
    heads-columns-merged: you exchanged the heads with the columns, so that your result has a row for each column of a
        head -> Each token must be left with one row, which holds what all heads found for it. -> Bring the heads next
        to their columns: exchange axes -3 and -2.
    turned: the heads lie side by side, and then you exchange rows and columns -> Each token must be left with one row;
        now it has a column. -> Leave out the last exchange.
    reshaped-first: the reshape comes before the exchange -> It tears heads and tokens apart before they stand in the
        right order. -> First the exchange, then the reshape.
    leading-not-spread: the lengths in front go into `reshape` as one thing -> After `*leading, num_heads, n, d =
        X.shape` the name `leading` holds a list, and each place of a shape takes one whole number. -> Spread it out
        with a star: `*leading`.
    leading-tuple: the lengths in front go into `reshape` as one thing -> `X.shape[:-3]` is a tuple, and each place of a
        shape takes one whole number. -> Spread it out with a star in front.
    no-batch: your function knows only three axes -> In a batch many sentences are computed at once: X then has shape
        (batch, num_heads, n, d). -> Keep whatever comes before the last three axes: `*leading, num_heads, n, d =
        X.shape`, and count axes from the end.
    """,
)
def merge_heads(X, wrong=frozenset()):
    """Heads side by side again, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    if "first-sentence" in wrong and X.ndim > 3:
        X = X[0]
    if "backwards" in wrong:
        X = X[..., ::-1, :, :]
    if "last-head-lost" in wrong:
        X = X[..., :-1, :, :]
    *leading, num_heads, n, d = X.shape
    if "no-batch" in wrong:
        num_heads, n, d = X.shape
    shape = (*leading, n, num_heads * d)
    slips = {
        "reshape-merge": lambda: X.reshape(shape),
        "reshape-all": lambda: X.reshape(X.shape[-2], -1),
        "strided": lambda: np.moveaxis(X, -3, -1).reshape(shape),
        "front-axes": lambda: np.swapaxes(X, 0, 1).reshape(shape),
        "front-rows": lambda: np.swapaxes(X, 0, 1).reshape(X.shape[1], -1),
        "front-list": lambda: np.concatenate(list(X), axis=-1),
        "front-hstack": lambda: np.hstack(list(X)),
        "stacked": lambda: X.reshape(*leading, num_heads * n, d),
        "summed": lambda: X.sum(axis=-3),
        "averaged": lambda: X.mean(axis=-3),
        "first-head": lambda: X[..., 0, :, :],
        "columns-exchanged": lambda: np.swapaxes(X, -1, -2).reshape(shape),
        "heads-columns-exchanged": lambda: np.swapaxes(X, -1, -3).reshape(shape),
        "heads-columns-merged": lambda: np.swapaxes(X, -1, -3).reshape(*leading, d, n * num_heads),
        "turned": lambda: np.swapaxes(np.swapaxes(X, -3, -2).reshape(shape), -1, -2),
        "reshaped-first": lambda: np.swapaxes(X.reshape(*leading, num_heads * d, n), -1, -2),
        "sizes-exchanged": lambda: np.swapaxes(X, -3, -2).reshape(*leading, num_heads, n * d),
        "overlapping": lambda: _overlapping(X, shape),
        "last-head": lambda: X[..., -1, :, :],
        "swap-1-2": lambda: np.swapaxes(X, 1, 2).reshape(shape),
        "reversed-axes": lambda: X.T.reshape(shape),
        "not-reshaped": lambda: np.swapaxes(X, -3, -2),
        "flat": lambda: X.reshape(*leading, -1),
        "poured": lambda: np.swapaxes(X, -3, -2).reshape(-1, num_heads * d),
        "sides-of-a-batch": lambda: np.swapaxes(X, -3, -2).reshape(n, -1),
        "leading-not-spread": lambda: X.reshape(leading, n, num_heads * d),
        "leading-tuple": lambda: X.reshape(tuple(leading), n, num_heads * d),
        "front-stacked": lambda: np.concatenate(list(X), axis=0),
    }
    return slip(wrong, slips, lambda: np.swapaxes(X, -3, -2).reshape(shape))()
