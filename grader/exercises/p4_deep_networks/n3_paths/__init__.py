"""How a word reaches a later one: hidden states against context vectors."""

EXERCISES = """predict-paths rnn_states rnn_reach context_reach count-steps lasting-memory"""
SLIPS = """
squared: you leave out the root of the norm -> The sum of squares is the square of the length, and small numbers become
    far smaller. -> Take the root at the end, or let `np.linalg.norm` do all of it.
sum-of-entries: you add up the entries of each matrix -> Positive and negative ones cancel, so that a strong effect can
    look like none. -> Square, add up, take the root: that is what `np.linalg.norm` does.
sum-of-sizes: you add up the absolute values of the entries -> That measures, too, but larger; the norm that is asked
    for is the root of the sum of squares. -> `np.linalg.norm` of the matrix.
largest-stretch: you take the largest singular value instead of the root of the sum of squares -> `np.linalg.norm(J, 2)`
    asks how far the matrix can stretch one vector. That is a norm as well, but another one. -> Leave the 2 out.
sum-of-stretches: you add up the singular values -> `np.linalg.norm(J, "nuc")` is a norm as well, but another one: the
    root of the sum of the *squares* of the singular values is asked for. -> Leave the "nuc" out.
largest-column: you take another norm: the largest sum of a column -> `np.linalg.norm(M, 1)` adds up the sizes in each
    column, and takes the largest sum. -> Leave the 1 out.
largest-row: you take another norm: the largest sum of a row -> `np.linalg.norm(M, np.inf)` adds up the sizes in each
    row, and takes the largest sum. -> Leave the `np.inf` out.
largest-entry: you take the largest entry of the matrix -> A word has several numbers, and so has what it moves; the
    norm counts all of them. -> The root of the sum of all squares.
mean-square: you take the mean of the squares, where their sum belongs -> Then the more numbers there are, the less each
    seems to move. -> The root of the *sum* of all squares.
mean-of-sizes: you take the mean of the absolute values of the entries -> That measures, too, but otherwise; the norm
    that is asked for is the root of the sum of squares. -> `np.linalg.norm` of the matrix.
entries-together: all numbers of a word are nudged at once, or the rows of the matrix are added up before the norm ->
    What one number does another may undo, and a strong effect looks like none. -> One row for each number of the word,
    and the norm of them all.
first-number-only: only the first number of each word is nudged, or only the first row of the matrix counts -> A word
    has several numbers, and each of them may move the end. -> One row for each number of the word, and the norm of them
    all.
last-number-only: only the last number of each word counts -> If each round over the numbers writes to the same place,
    the last one overwrites the others. -> Keep a row for each number, and take the norm of them all after the loop.
row-norms-added: you add up the norms of the rows, one for each number of the word -> The norm of a matrix is the root
    of the sum of all squares, and that is less. -> `np.linalg.norm` of the whole matrix, or the root of the sum of the
    rows' squares.
row-norms-averaged: you average the norms of the rows, one for each number of the word -> The norm of a matrix is the
    root of the sum of all squares. -> `np.linalg.norm` of the whole matrix.
one-sided=: you nudge to one side only -> Where a function bends, that is off by about as much as the nudge is long. ->
    Nudge to both sides, and divide by the whole distance; or multiply the derivatives.
one-sided-below=: you nudge to one side only, downwards -> Where a function bends, that is off by about as much as the
    nudge is long. -> Nudge to both sides, and divide by the whole distance; or multiply the derivatives.
long-steps=: you nudge to both sides, but too far -> Over a long way the slope itself changes. -> Take a smaller nudge.
"""
