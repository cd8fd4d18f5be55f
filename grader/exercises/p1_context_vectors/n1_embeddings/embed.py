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
        Case("three tokens, a matrix of 5 x 2", embed_case(3, 5, 2, tenths), 0.3),
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
    whole-numbers: the numbers after the decimal point are lost -> An array made for whole numbers cuts off what you put
        into it. -> Make the result an array of floats, or take the rows of E directly.
    added-up: you add the rows up into one vector -> Then nobody can tell the tokens apart. Attention needs one vector
        for each token. -> Stack the rows, one under the other.
    first-only: you return the row of the first token only -> A `return` inside a loop ends the function in the first
        round. -> Collect all rows first; return after the loop.
    first-row: you return a matrix with the row of the first token only -> A `return` inside a loop ends the function in
        the first round, when only one row has been collected. -> Return after the loop: the `return` starts in the same
        column as the `for`.
    first-round: only the first row is filled, and the others are still zero -> A `return` inside a loop ends the
        function in the first round, before the other ids have had their turn. -> Return after the loop: the `return`
        starts in the same column as the `for`.
    single-numbers: you take single numbers of E instead of rows -> Without an axis, `np.take` counts through all the
        numbers of the matrix, one row after the other. -> Say that rows are meant: `axis=0`, or index the matrix
        itself.
    row-at-id: each row of E stands at the place of its id, and your result has as many rows as E -> Row i of the
        result belongs to token i of the sentence; the id only says which row of E it is. -> Make as many rows as there
        are ids, and fill them by the counter of the loop.
    times-root: you multiply the rows by the square root of d_model -> Some models do, and say so. Here row i of the
        result is the row of E itself. -> Return the rows as they are.
    transposed: your result is transposed -> In this course, as in the field, rows are tokens: X has shape (n, d_model).
        -> Put each token's numbers into a row.
    """,
)
def embed(token_ids, E, wrong=frozenset()):
    """Rows of E, with the mistakes that people make as switches."""
    ids, E = np.asarray(token_ids), np.asarray(E)
    slips = {"one-early": ids - 1, "one-late": ids + 1, "sorted": np.unique(ids), "first-rows": np.arange(len(ids))}
    ids = slip(wrong, slips, ids)
    if "single-numbers" in wrong:
        return E.ravel()[ids]
    X = E[:, ids] if "takes-columns" in wrong else E[ids]
    if "whole-numbers" in wrong:
        X = X.astype(int)
    if "row-at-id" in wrong:
        X = np.where(np.isin(np.arange(len(E)), ids)[:, np.newaxis], E, 0.0)
    if "times-root" in wrong:
        X = X * np.sqrt(E.shape[1])
    slips = {
        "added-up": X.sum(axis=0),
        "first-only": X[0],
        "first-row": X[:1],
        "first-round": np.concatenate([X[:1], np.zeros_like(X[1:])]),
        "transposed": X.T,
    }
    return slip(wrong, slips, X)
