import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n1_embeddings.shared import some_ids
from grader.exercises.properties import told, worst_row
from grader.exercises.stages import slip


def one_hot_case(n, vocab_size, as_list=False, ends=False):
    def make(rng):
        ids = some_ids(rng, n, vocab_size, ends)
        return {"token_ids": ids.tolist() if as_list else ids, "vocab_size": vocab_size}

    return make


def single_one(call, rng):
    rows = call(some_ids(rng, 7, 11), 11)
    totals, ones = rows.sum(axis=1), (rows == 1).sum(axis=1)
    row = worst_row(totals, 1)
    if totals[row] != 1:
        return f"row {row} (counted from 0) sums to {told(totals[row], 1)}"
    row = worst_row(ones, 1)
    return None if ones[row] == 1 else f"row {row} (counted from 0) holds {ones[row]} ones"


@function(
    points=2,
    returns="rows",
    cases=(
        Case("five tokens, eleven words", one_hot_case(5, 11), 0.3),
        Case("more tokens than words", one_hot_case(7, 3), 0.1),
        Case("the first and the last id", one_hot_case(7, 13, ends=True), 0.15),
        Case("as many tokens as words", one_hot_case(7, 7), 0.1),
        Case("the ids as a list", one_hot_case(3, 7, as_list=True), 0.1),
        Case("the example of the task", example(token_ids=[2, 0], vocab_size=3), 0.05),
    ),
    properties=(Property("each row holds a single 1", single_one, 0.1),),
    mistakes="""
    one-early: every 1 stands one column too far to the left -> Columns are counted from 0, and so are ids. -> Use the
        id as the column number, as it is.
    one-late: every 1 stands one column too far to the right -> Columns are counted from 0, and so are ids. The last
        word would have no column. -> Use the id as the column number, as it is.
    own-width: your rows are only as wide as the largest id needs -> Two sentences would get rows of different widths,
        and the product with E would not fit. -> Give every row `vocab_size` columns.
    width-n: your rows have a column for each token of the sentence -> A column stands for a word of the
        vocabulary, not for a place in the sentence. -> Give every row `vocab_size` columns.
    id-as-value: you write the id itself into the row instead of a 1 -> The place says which word it is; the number must
        be 1, so that the product takes the row of E once. -> Put a 1 there.
    column-by-place: the 1 stands in the column of the token's place in the sentence -> The first token of every
        sentence would be the same word. -> Let the id choose the column, not the counter of the loop.
    row-by-index: a token that comes again has its 1 in the row of the first one -> `index` gives the place where an id
        first stands, and the row of the second stays empty. -> Go through the ids with a counter: `enumerate`.
    on-the-diagonal: the ones stand on the diagonal, whatever the ids are -> `np.eye` with a size puts the 1 of each row
        in the column of its place in the sentence. -> Let the id choose the column, or choose the rows of the identity
        matrix that the ids name.
    all-columns: every row has a 1 for every token of the sentence -> `rows[:, token_ids] = 1` means: in all rows, these
        columns; and `[row] * n` is one and the same row, n times. Row i must have a 1 for its own id only. -> Each row
        needs a column of its own: go through the rows with a counter, or give NumPy a row number for each id.
    whole-rows: you fill whole rows with ones, and the ids choose the rows -> With a single index, `rows[token_ids]`
        means rows. The row belongs to the token's place in the sentence, and the id says which column. -> Give two
        indices: which row, and which column.
    square-by-id: you give each word of the vocabulary a row, and put a 1 in the rows of the ids -> The shape
        (vocab_size, vocab_size) has a row for each word. Rows are tokens: there must be one for each id, in the order
        of the sentence. -> Make as many rows as there are ids.
    square-by-place: your matrix has a row for each word of the vocabulary instead of one for each token -> The shape is
        (vocab_size, vocab_size). Either rows of zeros are left over, or there are too few for a long sentence. -> Make
        as many rows as there are ids.
    identity: you return the whole identity matrix -> It holds the one-hot row of every word, each once. The sentence
        needs those of its own tokens, in its order. -> Take the rows of the identity matrix that the ids name.
    shared-row: all tokens share one row -> A bag of words: it tells which words occur, but neither their order nor how
        often. -> Make one row for each token.
    minus-ones: you put -1 where 0 should stand -> The product with E would take all the other words off. -> All but one
        of the numbers are 0.
    earlier-stay: each row has the ones of all tokens before it as well -> What was set for one token is still there
        when the next begins. -> Make a new row of zeros inside the loop, once for each token.
    all-ones: your matrix holds nothing but ones -> What begins with ones keeps them: a 1 put among ones changes
        nothing. -> Begin with zeros.
    up-to: all columns up to the id are 1 -> The product with E would add up many rows. -> One-hot means a single 1 in
        each row: compare for equality.
    from-id-on: all columns from the id on are 1 -> The product with E would add up many rows. With a colon, `t:` means
        this column and all that come after it. -> One-hot means a single 1 in each row: name one column.
    from-the-end: the columns are counted from the end -> A negative index counts backwards: -1 is the last column. ->
        Use the id as the column number, as it is.
    ranks: the 1 stands where the id stands among the sorted ids of the sentence -> `np.unique` numbers the ids of one
        sentence anew; in another sentence the same word would have another column. -> Use the id as the column number.
    list-compared: where the ids come in a list, your comparison compares the whole list -> `[2, 0] == 2` is one False;
        only an array is compared number by number. -> Compare each id by itself, or make an array of them first.
    zeros-and-ones: zeros and ones are exchanged -> The product with E would add up the rows of all the other words. ->
        Put the 1 where the column equals the id.
    """,
)
def one_hot(token_ids, vocab_size, wrong=frozenset()):
    """One-hot rows, with the mistakes that people make as switches."""
    if "list-compared" in wrong and isinstance(token_ids, list):
        return np.zeros(vocab_size, dtype=bool)
    ids = np.asarray(token_ids)
    width = slip(wrong, {"own-width": int(ids.max()) + 1, "width-n": len(ids)}, int(vocab_size))
    columns = {
        "one-early": ids - 1,
        "one-late": ids + 1,
        "from-the-end": -ids,
        "ranks": np.unique(ids, return_inverse=True)[1],
        "column-by-place": np.arange(len(ids)),
    }
    ids = slip(wrong, columns, ids)
    if "identity" in wrong:
        return np.eye(width)
    if wrong & {"square-by-id", "square-by-place"}:
        rows = np.zeros((width, width))
        rows[ids if "square-by-id" in wrong else np.arange(len(ids)), ids] = 1
        return rows
    rows = np.zeros((len(ids), width))
    if "whole-rows" in wrong:
        rows[ids] = 1
        return rows
    if "all-columns" in wrong:
        rows[:, ids] = 1
        return rows
    places = np.arange(len(ids))
    if "row-by-index" in wrong:
        places = (ids[:, np.newaxis] == ids).argmax(axis=1)
    rows[places, ids] = np.asarray(token_ids) if "id-as-value" in wrong else 1
    if "up-to" in wrong:
        rows = (np.arange(width) <= ids[:, None]).astype(float)
    if "from-id-on" in wrong:
        rows = (np.arange(width) >= ids[:, None]).astype(float)
    if "on-the-diagonal" in wrong:
        return np.eye(len(ids), width)
    if "all-ones" in wrong:
        return np.ones_like(rows)
    if "minus-ones" in wrong:
        rows = 2 * rows - 1
    if "earlier-stay" in wrong:
        rows = np.maximum.accumulate(rows, axis=0)
    if "zeros-and-ones" in wrong:
        rows = 1 - rows
    if "shared-row" in wrong:
        return rows.max(axis=0)
    return rows
