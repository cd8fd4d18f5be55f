"""The words of mistakes that several exercises know: there, the id alone stands for them."""

from grader.exercises.mistakes import read_mistakes

SLIPS = {
    slip.id: slip
    for slip in read_mistakes(
        """
scaled: you divide the scores by the square root of the dimension
    That is for later (Part 3); here the plain dot scores are asked for. -> Leave the scores as they are.
raw-scores: you mix the values with the raw scores, without softmax
    Scores can be negative, and they do not sum to 1: the result is no average and grows with the scores. -> Turn the
    scores into weights first; the last notebook's function does it.
ratio: you divide the scores by their sum, without the exponential
    A ratio of raw scores retrieves nothing: beta cancels, a query and its opposite read the same, and a sum of zero has
    no answer. -> Put the scores through softmax.
not-normalised: you exponentiate the scores, but do not divide by the sum
    Then the weights do not sum to 1: you have a weighted sum of the values, not a weighted average. -> Divide the
    exponentials of each query by their sum.
hard: you return the best memory alone, whatever beta is
    That is the limit of a large beta. A smaller beta lets the others be heard. -> Mix all of them by their weights.
cosine: you score with the cosine instead of the dot product
    The cosine forgets how long query and keys are, so the weights come out flatter or sharper. -> Do not divide by the
    lengths.
inverted: the mask is used the wrong way round
    Every query attends to exactly what is forbidden. In this course True means: may attend. -> Keep the scores where
    the mask is True.
softmax-late: softmax comes after the mix instead of before it
    Softmax makes weights out of scores. After the mix there are no scores any more, but a blend of values, and softmax
    squeezes it into numbers that sum to 1. -> Score, softmax, mix: in this order.
softmax-again: you apply softmax to the result as well
    The context is a vector like the values, not a row of weights: its numbers need not be positive, nor sum to 1. ->
    One softmax is enough, on the scores.
uniform: you take the plain mean of the values
    The plain mean forgets who asks: every query would get the same vector. -> Let each value count as much as its
    weight says. The weights come from the query and the keys.
keys-mixed: you average the keys instead of the values
    A key says where to look; the value is what is found there. The result has the keys' number of columns. -> Use K for
    the scores only, and V for the mix.
values-scored: you compare the query with the values instead of the keys
    The keys are there to be compared with the query. Values may even have another length than the query. -> Compute the
    scores from the query and K.
roles-swapped: keys and values have changed places
    You score with V and mix K. Where the two are the same matrix nobody notices; elsewhere it is wrong. -> Check the
    order of the arguments: K is compared with the query, V is mixed.
keys-not-transposed: you multiply the query by K without transposing it
    Each key is a row of K. Without the transpose the query meets the columns: that fails unless K is square, and then
    it is silently wrong. -> There must be one score for each row of K. Write the shapes beside the product.
weights-returned: you return the weights
    The weights only say how much of each memory is wanted. -> Multiply them with what is stored.
pair: you return the context and the weights
    Whoever calls this function expects the context alone. -> Return the context only. In Part 3 the attention functions
    will return both.
averaged-again: you divide by the number of keys once more
    The weights already sum to 1. A `mean` of the weighted values divides by n a second time. -> Add the weighted values
    up; do not average them.
no-maximum: large scores overflow to NaN
    exp(1000) is infinity, and infinity divided by infinity is NaN. -> Use the `softmax` of Part 1: it takes the largest
    score off first.
other-shift: your softmax subtracts something else than the largest score (the mean or the smallest, say)
    If one score lies far above the rest, its exponential still overflows: infinity divided by infinity is NaN. ->
    Subtract the largest score of each query. Then no exponential is above 1.
keys-values-swapped: keys and values have changed places
    `W_k` makes what a token is found by, `W_v` what it says. -> Scores need the keys; only the last product needs the
    values.
no-scale: the scores are not divided by the square root of d_k
    The weights come closer to all or nothing than they should. -> Divide before the softmax, as in the notebook on
    scaling.
scale-d-model: you divide by the square root of d_model instead of d_k
    Each head's dot product runs over d_k products only. Dividing by more makes every head too flat; with one head
    nobody would notice. -> Take the length from the heads, after the split: their last axis.
mask-inverted: the mask is turned round: you attend to exactly what is forbidden
    In this course True means: may attend. Some libraries use the reverse. -> Replace the scores where the mask is
    False.
sum-over-keys: you added up over the keys, instead of over the numbers of a vector
    Axis 1 counts the keys. When it is added up, nobody can tell any more which key answered. -> Add up over the axis of
    length d, the last one; the axes of queries and keys must both survive.
sum-over-queries: you added up over the queries, instead of over the numbers of a vector
    Axis 0 counts the queries. When it is added up, nobody can tell any more who asked. -> Add up over the axis of
    length d, the last one; the axes of queries and keys must both survive.
no-sum: the last step is missing: nothing is added up
    Each pair of query and key must get one number. You return d numbers for each pair. -> Add up over the last axis.
beta-forgotten: beta is not used
    The memory is always equally decided, whatever is asked for. -> Multiply the scores by beta before the softmax.
beta-divides: you divide by beta instead of multiplying by it
    Beta is one over a temperature: a large beta must make the best memory stand out more, not less. -> Multiply the
    scores by beta.
beta-after: beta multiplies the weights, after the softmax
    Then the weights sum to beta, not to 1, and none of them stands out more than before. -> Beta belongs inside: it
    multiplies the scores.
after: you set weights to 0 after the softmax
    The forbidden keys had taken their share before: the rows sum to less than 1, and how much less depends on what was
    forbidden to be seen. -> Change the scores, before the softmax.
zero-fill: forbidden scores are 0 (filled with 0 or -1e-9, or multiplied by the mask)
    A score of 0 is an ordinary score: e^0 = 1. Where the other scores are negative it even wins. -> Which score has the
    exponential 0?
zero-fill-zeroed: forbidden scores are 0 in the softmax, and their weights are set to 0 afterwards
    A score of 0 is an ordinary score: e^0 = 1. It takes its share of the sum, so the rows sum to less than 1. -> Which
    score has the exponential 0?
zero-fill-empty-zero: forbidden scores are 0 (filled with 0 or -1e-9, or multiplied by the mask); only empty rows are
        set right
    A score of 0 is an ordinary score: e^0 = 1. Where the other scores are negative it even wins. -> Which score has the
    exponential 0?
inverted-all-zero: the mask is used the wrong way round, first among the scores; then the right way round, so hardly a
        weight is left
    What is allowed gets the very negative number. In this course True means: may attend. -> Keep the scores where the
    mask is True.
inverted-nan: the mask is used the wrong way round; where all is allowed that gives NaN
    What is allowed gets the very negative number. In this course True means: may attend. -> Keep the scores where the
    mask is True.
inverted-uniform: the mask is used the wrong way round; where all is allowed the weights come out equal
    What is allowed gets the very negative number. In this course True means: may attend. -> Keep the scores where the
    mask is True.
infinity-times: you add (1 - mask) times minus infinity
    Where attention is allowed that is 0 times infinity, and that is NaN. -> Choose between score and minus infinity
    with `np.where`, instead of multiplying.
empty-nan: a row with nothing to attend to becomes NaN
    All its scores are minus infinity: the maximum is, too, and their difference is not a number. -> Our rule: such a
    row has zero weights. Find those rows with `mask.any(axis=-1, keepdims=True)`.
empty-uniform: a row with nothing to attend to attends to everything equally
    If all scores of a row are the same large negative number, softmax sees no difference between them. -> Our rule:
    such a row has zero weights. Set what is forbidden to 0 once more, after the softmax.
no-batch: your function knows only two axes
    In a batch many sentences are computed at once: X then has shape (batch, n, d_model). -> Keep whatever comes before
    the last two axes: `*leading, n, d_model = X.shape`, and count axes from the end.
reshape-split: the heads are split by a reshape without a transpose
    Each head then holds a few tokens instead of a few columns, and its rows belong to no token in particular. The
    shapes are right; with one head even the numbers are. -> Use your `split_heads`: it passes its own check only if it
    keeps the tokens apart.
reshape-merge: the heads are merged by a reshape without transposing back
    A row of the result then holds pieces of several tokens. The shape is right; with one head even the numbers are. ->
    Use your `merge_heads`.
one-head: there is one large head instead of several
    One set of weights for all columns: the layer can look only one way at a time. -> Split Q, K and V before the
    scores.
no-W_o: `W_o` is forgotten
    The heads lie side by side, each in its own columns, and have not met. `W_o` mixes what they found. -> Multiply the
    merged heads by `W_o` (and add `b_o`).
biases-ignored: the biases are left out
    Real layers have them, and they are not small. `b_k` alone changes nothing, but `b_q`, `b_v` and `b_o` do. -> Add
    each bias right after its matrix, where it is not None.
no-b_o: the last bias, `b_o`, is left out
    It is added to every row of the result, after `W_o`. -> Add it at the very end, where it is not None.
""",
        "the shared slips",
    )
}
