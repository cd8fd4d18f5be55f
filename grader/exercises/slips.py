"""Words of mistakes that exercises of several notebooks know: there the id alone stands for them."""

SLIPS = """
columns: softmax runs down the columns of the scores -> Row i of the scores belongs to query i, and its weights must sum
    to 1. Down a column, different queries compete with each other. -> Softmax goes along the last axis, over the keys.
whole-matrix: you normalised over the whole matrix at once -> All weights together sum to 1, so one query's weights
    depend on what the other queries asked. -> Give `max` and `sum` an axis: each row is a softmax of its own.
sum-of-all: you divide by the sum of the whole matrix -> All weights together then sum to 1, instead of each row. ->
    Give `sum` an axis, and keep it: `axis=-1, keepdims=True`.
uniform: all weights are equal: you take a plain mean -> The plain mean forgets who asks: every query would get the same
    vector. -> Let each row count as much as its weight says.
best-only: you return the single value whose key scores highest -> That is a lookup. A context vector mixes all values,
    and the other weights are small, but not zero. -> Use all the weights, not only the position of the largest.
cosine: you score with the cosine instead of the dot product -> The cosine forgets how long query and keys are, so the
    weights come out flatter or sharper. -> Do not divide by the lengths.
keys-mixed: you average the keys instead of the values -> A key says where to look; the value is what is found there.
    The result has the keys' number of columns. -> Use K for the scores only, and V for the mix.
weights-returned: you return the weights -> The weights only say how much of each memory is wanted. -> Multiply them
    with what is stored.
averaged-again: you divide by the number of keys once more -> The weights already sum to 1. A `mean` of the weighted
    values divides by n a second time. -> Add the weighted values up; do not average them.
other-shift: you subtract something else than each row's maximum (its mean or its minimum, say) -> If one score lies far
    above the rest, its power still overflows: infinity / infinity is NaN. -> Subtract the largest score of the row.
    Then no power is larger than 1.
global-maximum: you subtract the same number from every row (one maximum of the whole matrix, say) -> A row that lies
    far below the largest entry underflows: all its powers become 0, and 0/0 is NaN. -> Subtract from each row its own
    maximum: `max` with `axis=-1, keepdims=True`.
raw-denominator: the maximum is subtracted above the line, but not below it -> The shift cancels only if numerator and
    denominator both have it; now the weights do not sum to 1. -> Compute the shifted powers once, and divide them by
    their own sum.
shifted-ratio: you subtract the maximum and divide by the sum, but there is no exponential -> The shifted scores are
    zero or negative, and in their quotient the best score gets the weight 0. -> Put `np.exp` between the two.
squares: you square the scores where the exponential belongs -> A square makes a negative score as good as a positive
    one. -> Use `np.exp`: it is positive and keeps the order.
last-left-out: the last key is left out of the sum -> Its share is missing from the average. -> Look where your loop or
    your slice ends.
first-left-out: the first key is left out of the sum -> Its share is missing from the average. -> Places are counted
    from 0: look where your loop or your slice begins.
keys-values-swapped: keys and values have changed places -> `W_k` makes what a token is found by, `W_v` what it says.
    Swapped, you average what should be matched. -> Scores need the keys; only the last product needs the values.
no-scale: the scores are not divided by the square root of d_k -> Scores grow with the dimension, and softmax saturates.
    Part 3 always scales. -> Divide the scores before the softmax. Which axis of which matrix tells d_k?
by-d_k: you divide by d_k instead of its square root (or twice by the root) -> The standard deviation of a dot product
    grows with the square root of d_k. Dividing by d_k makes the weights too flat. -> Take the square root, and divide
    once: a function of an earlier notebook may have done it already.
mask-ignored: the mask has no effect -> What is forbidden then has its share of the weights. -> Where the mask is False
    the score must not count: replace it before the softmax.
mask-inverted: the mask is turned round: you attend to exactly what is forbidden -> In this course True means: may
    attend. Some libraries use the reverse. -> Replace the scores where the mask is False.
mask-after: you set weights to 0 after the softmax -> The forbidden keys had taken their share before: the rows sum to
    less than 1, and how much less depends on what was forbidden to be seen. -> Change the scores, before the softmax.
zero-fill: forbidden scores are 0 or nearly (replaced by 0 or 1e-9, or multiplied by the mask) -> A score of 0 is an
    ordinary score: e to the 0 is 1, so that a masked token keeps a weight. -> A forbidden score has to be minus
    infinity, or so low that its power is 0.
mask-added: the mask is added to the scores as 0 and 1, or what is forbidden loses 1 -> That moves a weight a little; a
    forbidden key keeps its share. -> A forbidden score has to be minus infinity, or so low that its power is 0.
hundred-fill: forbidden scores are filled with a number that is not small enough, such as -100 or -10000 -> A score may
    be far below zero itself, and what is forbidden must stay far below that. -> Use minus infinity, or a number as far
    down as -1e9.
renormalised: you mask after the softmax and divide by what is left -> On paper that is right. But if a forbidden score
    is far above the others, all allowed weights have been rounded to 0 before, and nothing is left to divide. -> Forbid
    first, then take the softmax.
no-maximum: your softmax overflows for large scores -> exp(1000) is infinity, and infinity / infinity is NaN. -> Use
    `softmax` of Part 1, which takes each row's maximum off first.
scaled: you divide the scores by the square root of the dimension -> That is for later (Part 3); here the plain dot
    scores are asked for. -> Leave the scores as they are.
projections-transposed: you transpose the projections -> A projection has shape (d_model, d_k): one row for each number
    of an embedding. The transpose only fits where both sizes are equal, and there it gives other numbers without a
    word. -> Write the shapes under the product: (n, d_model) times (d_model, d_k).
by-sqrt-d_v: you divide by the square root of d_v -> A score adds up d_k products, one for each number of a key; the
    values play no part in it. -> Read the dimension off the queries or the keys.
by-sqrt-keys: you divide by the square root of the number of keys -> A score adds up d_k products; how many keys there
    are plays no part in it. -> d_k is how many numbers a query has: its *last* axis.
by-sqrt-queries: you divide by the square root of the number of queries -> A score adds up d_k products; how many
    queries there are plays no part in it. -> d_k is how many numbers a query has: its *last* axis.
softmax-twice: a softmax is taken twice -> The second one flattens the weights. -> Take one softmax, of the scores.
scaled-weights: you scale the weights, after the softmax -> Then the rows no longer sum to 1, and the weights are as
    sharp as before. -> Scale the scores, before the softmax.
times-sqrt-d_k: you multiply by the square root of d_k instead of dividing -> That makes large scores larger, and
    softmax saturates all the more. -> Divide.
by-twice-d_k: you divide by twice d_k instead of its square root -> In Python `scores / d_k**1/2` divides by d_k, and
    then by 2: a power comes before a division, and divisions run from left to right. -> Write `np.sqrt(d_k)`, or
    `d_k**0.5`.
by-half-d_k: you divide by half of d_k instead of its square root -> The two agree for d_k = 4 only, as in some
    published examples. -> Take the square root.
by-sqrt-twice-d_k: you divide by the square root of twice d_k -> The 2 belongs to a bell curve (Part 2), which takes
    squared distances; a score is a dot product. -> Leave the 2 out.
by-whole-root: you divide by the root without its decimals -> `int` cuts them off, so that the root of 3 becomes 1. ->
    Divide by the root as it is.
floored: your scaled scores have lost their decimals -> `//` divides and then rounds down. -> Divide with a single `/`.
first-twice: what comes first is in your sum twice -> The sum begins with it, and the loop adds it once more. -> Begin
    with 0, or let the loop begin behind the first.
first-missed: what comes first is missing from your sum, and you divide by the whole number -> A `range` that begins at
    1 leaves out the first: places count from 0. -> Let the loop begin at 0, or let `mean` do it all.
last-missed: what comes last is missing from your sum, and you divide by the whole number -> `range(n - 1)` and `[:-1]`
    end before the last. -> Let the loop go up to `range(n)`, or let `mean` do it all.
last-divided: you divide only the last of what you add up -> In `a + b / n` the division comes before the sum. -> Put
    the whole sum in brackets before you divide.
middle-of-extremes: you take the middle between the largest and the smallest -> All that lies between them has no say
    in it. -> Add up all of them, and divide by how many there are.
ends-only: you average the first and the last only -> All that lies between them has no say in it. -> Add up all of
    them, and divide by how many there are.
halving: you take the mean of the mean so far and the next one, again and again -> Halved in each round, the first ones
    count less and less, and the last one counts half. -> Add up in the loop, and divide once, behind it.
halving-from-zero: you take the mean of the mean so far and the next one, again and again, beginning with 0 -> Halved in
    each round, the first ones count less and less, and the 0 counts too. -> Add up in the loop, and divide once, behind
    it.
first-round-only: only the first is there, divided by the number of all -> A `return` inside a loop ends the function in
    the first round, before the others have been added. -> Return after the loop: the `return` starts in the same column
    as the `for`.
last-overwrites: only the last is left, divided by the number of all -> `=` in a loop overwrites what was there; `+=`
    adds to it. -> Add up in the loop.
divided-each-round: you divide in every round of the loop -> What came first is divided again and again. -> Add up in
    the loop, and divide once, behind it.
divided-by-n-less-one: you divide by one less than there are -> That belongs to the variance of a sample. The mean of n
    things divides by n. -> Count all of them.
divided-by-n-plus-one: you divide by one more than there are -> The mean of n things divides by n. -> Take the number
    from the shape, as it is.
always-three: you divide by 3, whatever the shape of X is -> 3 is a number of the example; another matrix has other
    sizes. -> Read the number off `X.shape`.
always-four: you divide by 4, whatever the shape of X is -> 4 is a number of the example; another matrix has other
    sizes. -> Read the number off `X.shape`.
largest: you take the largest instead of the mean -> That is called max pooling; one alone decides each number. -> Add
    up and divide.
smallest: you take the smallest instead of the mean -> One alone decides each number. -> Add up and divide.
root-mean-square: you take the root of the mean of the squares -> Squares lose their signs: what is negative would count
    as positive. -> Average the numbers themselves.
clipped: you clip the scores, so that their exponentials stay small -> Beyond that border all scores become the same,
    and what led no longer leads. -> `softmax` takes each row's maximum off first: then no power is larger than 1,
    whatever the scores.
small-number-added: a number is taken off forbidden scores that is not large enough, such as 1000 -> A forbidden score
    may lie far above the others, and still wins then. -> Use minus infinity, or a number as far down as -1e9; better
    still, replace the score.
"""
