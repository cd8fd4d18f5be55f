import numpy as np

from grader.exercises.inputs import example, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.p1_context_vectors.n1_embeddings.shared import embed_case
from grader.exercises.stages import slip

EXAMPLE = {"token_ids": [2, 0, 2], "E": np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])}


@function(
    points=3,
    returns="X",
    cases=(
        Case("four tokens, a matrix of 5 x 2", embed_case(4, 5, 2, tenths), 0.3),
        Case("more tokens than words", embed_case(11, 7, 3), 0.15),
        Case("the first and the last id", embed_case(5, 13, 7, ends=True), 0.15),
        Case("as many tokens as words and numbers", embed_case(5, 5, 5), 0.15),
        Case("the ids as a list", embed_case(3, 7, 5, as_list=True), 0.1),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    mistakes="""
    one-early: every token gets the row before its own -> Row numbers start at 0: the token with the id 0 owns the first
        row. With `id - 1` it even gets the last. -> Use the id as it is.
    one-late: every token gets the row after its own -> Row numbers start at 0, and so do the ids. With `id + 1` the
        last token has no row at all. -> Use the id as it is.
    takes-columns: you take columns of E instead of rows -> A column holds one number of every word. A row holds all the
        numbers of one word. -> The first index of a matrix chooses rows.
    sorted: the order of the tokens is lost, and repeated tokens come once -> `set`, `np.unique` and a True/False choice
        of rows sort the ids. Row i must belong to token i. -> Go through the ids as they come, with repetitions.
    first-rows: you take the first rows of E, whatever the ids are -> The counter of a loop is a place in the sentence;
        the id at that place is the row number. -> Use the ids themselves to choose the rows.
    first-rows-cut: you take the first rows of E, whatever the ids are -> `E[:n]` are the rows from 0 on, and no more
        than E has. Which row is a token's says its id. -> Use the ids themselves to choose the rows.
    added-up: you add the rows up into one vector -> Then nobody can tell the tokens apart. Attention needs one vector
        for each token. -> Stack the rows, one under the other.
    single-numbers: you take single numbers of E instead of rows -> Without an axis, `np.take` counts through all the
        numbers of the matrix, one row after the other. -> Say that rows are meant: `axis=0`, or index the matrix
        itself.
    row-at-id: each row of E stands at the place of its id, and your result has as many rows as E -> Row i of the
        result belongs to token i of the sentence; the id only says which row of E it is. -> Make as many rows as there
        are ids, and fill them by the counter of the loop.
    first-row-only: each round of your loop writes into the first row -> What stood there is overwritten, and the other
        rows stay empty. -> Let the counter of the loop say which row is written.
    row-by-index: a token that comes again has its row in the place of the first one -> `index` gives the place where an
        id first stands, and the row of the second stays empty. -> Go through the ids with a counter: `enumerate`.
    times-id: each row is multiplied by the id of its token -> The id says which row of E to take; the row itself is the
        vector. -> Take the rows as they are.
    all-rows-at-once: each round of your loop adds to all rows -> `X += ...` means the whole of X, so that all its rows
        become the sum of all tokens. -> Let the counter of the loop say which row is written.
    """,
)
def embed(token_ids, E, wrong=frozenset()):
    """Rows of E, with the mistakes that people make as switches."""
    ids, E = np.asarray(token_ids), np.asarray(E)
    slips = {"one-early": ids - 1, "one-late": ids + 1, "sorted": np.unique(ids), "first-rows": np.arange(len(ids))}
    ids = slip(wrong, slips, ids)
    if "first-rows-cut" in wrong:
        return E[: len(ids)]
    if "single-numbers" in wrong:
        return E.ravel()[ids]
    X = E[:, ids] if "takes-columns" in wrong else E[ids]
    if "row-at-id" in wrong:
        X = np.where(np.isin(np.arange(len(E)), ids)[:, np.newaxis], E, 0.0)
    if "row-by-index" in wrong:
        X = X * (np.argmax(ids[:, np.newaxis] == ids, axis=1) == np.arange(len(ids)))[:, np.newaxis]
    if "times-id" in wrong:
        X = X * ids[:, np.newaxis]
    if "first-row-only" in wrong:
        return np.concatenate([X[-1:], np.zeros_like(X[1:])])
    if "all-rows-at-once" in wrong:
        return np.tile(X.sum(axis=0), (len(X), 1))
    return X.sum(axis=0) if "added-up" in wrong else X
