"""What a good answer to each written question looks like.

The same words stand in solutions/, above the rubric; a test compares them.
"""

#: By the id of the question, in teaching order; Markdown.
MODEL_ANSWERS = {
    "explain-context": """
The token *sat* asks: which tokens of the sentence matter to me? In the first stage its query, a vector of shape
(2,), is compared with the key of each of the three tokens by a dot product. That gives three scores, shape (3,):
the larger, the better the match (and the longer the key). In the second stage softmax exponentiates the scores and
divides by their sum. That gives three weights, shape (3,), all positive, with the sum 1. In the third stage each
value is multiplied by its token's weight, and the three products are added. The sum is the context vector, with the
shape of a value, (2,).

Because the weights are positive and sum to 1, the context is a weighted average. So it lies inside the convex hull
of the three values, here a triangle, and it cannot be longer than the longest value. It comes close to a corner
when one weight comes close to 1.

The first claim is false. What a token contributes is its weight times its value, and values differ in length.
Weights 0.6 and 0.4 on values of length 0.1 and 3 contribute 0.06 and 1.2: the token with less weight contributes
more.

The second claim is false. The rows of the result stand in the order of the tokens, but no row knows it, because a
sum has no order: shuffle keys and values together, and the context stays the same; shuffle the whole sentence, and
the rows of the result are shuffled alike. "The cat sat" and "sat cat The" give *sat* the same context. A model that
is to know the order must be told, for example by positions that are added to the vectors.
""",
    "three-views": """
Attention compares a query with keys, turns the scores into weights by softmax, and averages the values. Cooled down
to temperature 0, all weight goes to the key with the highest dot product, shared if several tie: a look-up of one
neighbour. With a few of the best keys left in, it is a soft vote of these. Highest dot product means smallest distance
if all keys have the same length, because the squared distance is |q|² − 2 q·k + |k|², and only then is the last term
the same for all. With keys of different length it fails: for the query [1, 2], the keys [1, 2] and [−1, 3] tie at 5,
though one is at distance 0.

A kernel machine predicts by an average of known values, weighted by a kernel between the question and each known
point. With the kernel exp(q·k), normalised, that is softmax attention without scaling. A Gaussian kernel gives the
same weights if all keys have the same length: then exp(−|q−k|²/2h²) is exp(q·k/h²) times factors that are the same
for all keys and cancel.

In a Hopfield update the state is the query, and the stored patterns are both keys and values. Beta multiplies the
scores: a large one recalls a single pattern, a small one blends several, and zero gives their mean.

The claim is false. All three compute softmax(scores) times values; they differ in the scores, in the scale, and in
what one calls the parts. The equalities are exact: the checks compare the numbers.
""",
    "explain-heads": """
A reshape moves no numbers. It lays `X` out in one line, row by row, and cuts that line into `num_heads` pieces. So
each head gets (nearly) all columns of a few tokens, where it should get a few columns of all tokens, and a row of a
head no longer belongs to one token.

Nobody notices, because nothing that one looks at goes wrong: the shapes are right, each row of weights sums to 1,
and training makes the best of the damage, so the loss goes down.

With one head the line is cut into one piece, and the reshape changes nothing: any split agrees with the library
then, also a wrong one. A comparison that proves something has at least two heads, more than one token, and sizes
that all differ.

"12 times as large" is wrong because the heads share the columns: d_model = num_heads × d_k. The four matrices have
the same shapes for 1 head and for 12, and so the layer has the same number of parameters. Only the weights are 12
times as many: n × n for each head. They are computed, not learned.

What several heads buy is several sets of weights at once. A token can listen to one word in one head and to another
in the next, and the results lie side by side instead of being averaged into one.
""",
    "explain-path": """
For (a) I would take a hidden state. The sounds never end, and whatever is kept must not grow: a state of 32 numbers
stays one of 32 numbers, while attention keeps a key and a value for everything it has heard, 6,400 numbers for 100
words of 32, and soon has no room on the chip. What a hearing aid needs lies only a few steps back, and there the
RNN reaches farther than attention anyway: 3.5 for the last word, and 2.2 for the one before.

For (b) I would take context vectors. The answer may lie on page 1, and of a word 64 steps back 3.0 · 10⁻¹³ reached
the last state of our random RNN, against 0.074 in attention. A state is also a bottleneck, because it is made
before the question is known: of 32 letters a state of 16 numbers gave back a quarter, and attention over all states
nearly all.

Both pay. The summary loses what is far or too much. The look-up computes n² scores, 10,000 for 100 words, and has
to keep all that it may ever look at.

"Directly" is true in so far as the road has one step from everywhere, and the reach does not fade with distance:
the farthest 16 words reached as far as the nearest. But it is shared: with eight times as many words each reached
an eighth as far or so, about one over their number. A query has to learn where to look before "direct" is strong.

"In parallel" is true where the whole text is there already, as when a model is trained or a contract is read: one
step against 100. In (c) the next word is not there before it has been written, so that attention takes 100 steps
for 100 words like the RNN, and each of them looks at more and more words. I would take context vectors for (c) all
the same, because stories refer back, but not because of speed.
""",
    "explain-attention": """
A weight says how much of a value is taken, not how much arrives. What a word brings is its weight times its value,
brought to the token by W_o, all heads added up. In our model `[CLS]` had 76 % of the weight that *bank* gives in the
third layer, and 9 % of what arrived. So the brightest word of a heat map may be the place where a head leaves its
weight when it has nothing to ask for.

Besides, a token of the last layer is no word any more. In five layers before it has heard the others, and what it
passes on may be theirs. The last layer's weights agreed with what really moves a word with a rank correlation of
0.60, the mean over all layers with 0.72, contributions with 0.85. Rollout, which is made to follow the layers, came
to 0.31, hardly more than nearness with 0.27, because it drowns in `[CLS]`.

Other weights may give the same result. Weights of 0.4, 0.4, 0.1, 0.1 and of 0.1, 0.1, 0.1, 0.7 gave the same context
[0.55, 0.55], and nothing behind it could tell which it was. Whether a trained model would ever use the others is
another question: that is what Wiegreffe and Pinter answered.

What would show that a word mattered is doing without it: mask it, or put `[UNK]` in its place, and see what becomes
of the decision. (We measured how far a vector moves, not a decision.) A head is cut in the same way. Without the head
that looks one place back our toy's loss went from 0.12 to 3.42, though in the layer that copies nothing is seen of it.
But that has limits, too. A model with a hole in its sentence, or with zeros for a head, gets what it has never met, and
different ways of taking away give different numbers. And who is not missed was not useless: without one of the two
heads of layer 1 the loss was 1.22 or 1.74, without both 3.48, because they stand in for each other. So I would say:
"These words had much weight in this layer", and not "why".
""",
}
