import numpy as np

from grader.exercises.inputs import example, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n1_embeddings.shared import embed_case, some_ids
from grader.exercises.stages import slip, softmax


def reads_every_row(call, rng):
    ids, E = some_ids(rng, 3, 5), tenths(rng, 5, 2)
    E[4] = np.nan  # `some_ids` never asks for the last row
    X = call(ids, E)
    if np.isfinite(embed_by_product(ids, E)).all():
        return None  # this machine's product leaves out factors that are 0, so nothing can be told
    if np.isnan(X).any():
        return None
    return "a row of E that no token asks for is NaN, and the result has no NaN: that row was never read"


def adds_only_its_own(call, rng):
    ids, E = some_ids(rng, 3, 5), tenths(rng, 5, 2)
    right = E[ids]
    outside = np.setdiff1d(np.arange(5), ids)[-2:]
    # Their sum overflows. An answer in single precision, or one that rounds E to it, overflows earlier.
    X = call(ids, E)
    single = X.dtype == np.float32 or np.abs(X - right).max() > 1e-12
    large = E.copy()
    large[outside] = 2e38 if single else 1.5e308  # their sum overflows
    if np.allclose(call(ids, large), right, atol=1e-3):
        return None
    return "very large numbers in rows of E that no token asks for change the result: 0 times a number is 0"


@function(
    points=3,
    returns="X",
    library_names=("embed",),
    cases=(
        Case("three tokens, a matrix of 5 x 2", embed_case(3, 5, 2, tenths), 0.2),
        Case("more tokens than words", embed_case(11, 7, 3), 0.1),
        Case("the first and the last id", embed_case(5, 13, 7, ends=True), 0.1),
        Case("as many tokens as words and numbers", embed_case(5, 5, 5), 0.1),
        Case("the ids as a list", embed_case(3, 7, 5, as_list=True), 0.05),
        Case(
            "the example of the task",
            example(token_ids=[1, 1], E=np.array([[0.1, 0.2], [0.3, 0.4]])),
            0.05,
        ),
    ),
    properties=(
        Property("made by a product: it reads every row of E", reads_every_row, 0.2),
        Property("a row of E that no token asks for is multiplied by 0", adds_only_its_own, 0.1),
    ),
    mistakes="""
    lookup: your result does not depend on every row of E: a NaN in one that no token asks for does not show -> The
        numbers are the same, which is the point of the exercise. But a product with rows of vocab_size numbers reads
        all rows of E. A look-up does not, nor does a product that skips some of them, or what is 0 or NaN. -> Make
        one-hot rows with a place for every row of E, and multiply them with the whole of E.
    transposed-rows: the one-hot rows are transposed in your product -> Each row of the left factor says which rows of E
        to add up. It must be a token's row. -> Write the shapes under the product: (n, vocab_size) times (vocab_size,
        d_model).
    factors-swapped: the factors of your product are swapped -> A matrix product depends on the order: the left factor
        mixes the rows of the right one. -> Write the shapes under the product: the two inner sizes must be the same
        thing, vocab_size.
    transposed-E: you transpose E in your product -> Then the columns of E are picked, one number of every word. -> E
        goes into the product as it is.
    elementwise: you multiply entry by entry -> `*` multiplies numbers at the same place, and nothing is added up. -> A
        matrix product is written `@`.
    width-d: your one-hot rows have d_model columns -> A one-hot row has a place for each word, and E has a row for each
        word. -> The vocabulary's size is the number of rows of E.
    one-early: every token gets the row before its own -> Ids are counted from 0, and so are the columns of the one-hot
        rows. -> Use the id as the column number, as it is.
    one-late: every token gets the row after its own -> Ids are counted from 0, and so are the columns of the one-hot
        rows. The last word would have no column. -> Use the id as the column number, as it is.
    one-hot-only: you return the one-hot rows -> They say which rows of E are wanted; nothing has been looked up yet. ->
        One step is left: the product with E.
    identity: you return E as it is -> The identity matrix holds the one-hot row of every word, each once; its product
        with E is E. -> Take the one-hot rows of the sentence's own tokens, in its order.
    shared-row: all tokens share one row of ones and zeros -> Then the rows of E are added up, and nobody can tell the
        tokens apart. -> Make one one-hot row for each token.
    all-columns: every one-hot row has a 1 for every token of the sentence -> Then each row of the result is the sum of
        all tokens' rows. -> Row i must have a 1 for its own id only.
    earlier-stay: each one-hot row has the ones of all tokens before it as well -> What was set for one token is still
        there when the next begins. -> Make a new row of zeros inside the loop, once for each token.
    column-by-place: you get the first rows of E, whatever the ids are -> The 1 stands in the column of the token's
        place in the sentence. -> Let the id choose the column, not the counter of the loop.
    id-as-value: each row comes out multiplied by its id -> In a one-hot row the place says which word it is; the number
        must be 1, so that the product takes the row of E once. -> Put a 1 there.
    softened: you take the softmax of the one-hot rows -> Then every word of the vocabulary has a share in each token.
        That is where the course is going; here each token is to get its own row, and nothing else. -> Multiply the
        one-hot rows themselves with E.
    zeros-and-ones: you get the sum of the rows of all other words -> Zeros and ones are exchanged in the one-hot rows.
        -> Put the 1 where the column equals the id.
    all-rows-added: you add up rows of E that no token asks for, and let them vanish again (0 times their sum, say) ->
        Their sum may be too large for a float. In a product with one-hot rows each of them is multiplied by 0 alone. ->
        Make one-hot rows, and multiply them with the whole of E.
    last-overwrites: of the products with the rows of E only the last is left -> `=` in a loop overwrites what was
        there; `+=` adds to it. -> Add the products up.
    single-number: you add up all products entry by entry, and a single number is left -> `np.vdot` makes one long
        vector of each matrix first, and those must be equally long. -> A matrix product is written `@`.
    """,
)
def embed_by_product(token_ids, E, wrong=frozenset()):
    """one_hot @ E, with the mistakes that people make as switches."""
    ids, E = np.asarray(token_ids), np.asarray(E)
    if "lookup" in wrong:
        return E[ids]
    if "all-rows-added" in wrong:
        return E[ids] + 0 * E.sum(axis=0)
    ids = slip(wrong, {"one-early": ids - 1, "one-late": ids + 1, "column-by-place": np.arange(len(ids))}, ids)
    rows = np.eye(E.shape[1] if "width-d" in wrong else E.shape[0])[ids]
    if "identity" in wrong:
        rows = np.eye(len(E))
    if "shared-row" in wrong:
        rows = rows.max(axis=0)
    if "all-columns" in wrong:
        rows = np.tile(rows.max(axis=0), (len(ids), 1))
    if "earlier-stay" in wrong:
        rows = np.maximum.accumulate(rows, axis=0)
    if "id-as-value" in wrong:
        rows = rows * np.asarray(token_ids)[:, np.newaxis]
    if "zeros-and-ones" in wrong:
        rows = 1 - rows
    if "last-overwrites" in wrong:
        rows[:, :-1] = 0.0
    if "softened" in wrong:
        rows = softmax(rows)
    if "one-hot-only" in wrong:
        return rows
    if "transposed-rows" in wrong:
        rows = rows.T
    if "transposed-E" in wrong:
        E = E.T
    if "single-number" in wrong:
        return float(np.vdot(rows, E))
    if "elementwise" in wrong:
        return rows * E
    return E @ rows if "factors-swapped" in wrong else rows @ E
