"""Transformer blocks: norms, feed-forward layers, residual connections."""

EXERCISES = """predict-blocks layer_norm gelu feed_forward post_norm_block count-block unit-words pre_norm_block"""
SLIPS = """
other-epsilon=: the norms have another epsilon -> PyTorch has 1e-5; these layers were trained with 1e-12. -> Call your
    `layer_norm` as it is: its default is the right one here.
biases-ignored: the biases of the attention are left out -> These layers were trained with all four; that of the queries
    is the largest. -> Give `multi_head_attention` all four biases of the layer, each by its name.
no-b_q: `b_q` does not reach the attention -> It gives each query the same push, and that changes the scores. -> Give
    `multi_head_attention` all four biases of the layer, each by its name.
W_q-and-W_k-exchanged: `W_q` and `W_k` have changed places -> Both have the same shape, so nothing complains; but who
    asks and who answers is another thing. -> Queries first, then keys.
mask-turned: your mask is the wrong way round -> True means that a token may be seen, in all of this course. -> Hand
    `mask` on as it comes.
mask-transposed: rows and columns of the mask have changed places -> A row asks, a column answers. -> Hand `mask` on as
    it comes.
always-causal: there is a causal mask always, whatever `mask` says -> Without a mask every token may hear every other,
    and a mask may forbid something else than the future. -> Hand `mask` on as it comes, None as well.
causal-without-mask: where no mask is given you take a causal one -> Without a mask every token may hear every other.
    -> Hand `mask` on as it comes, None as well.
causal-where-masked: where a mask is given you take a causal one, whatever stands in it -> A mask may forbid something
    else than the future. -> Hand on the `mask` that is given.
causal-besides: there is a causal mask always, besides the one that is given -> The future is forbidden only to models
    that write; without a mask every token may hear every other. -> Hand `mask` on as it comes, None as well.
input-added-again: the block's input is added once more in the second half -> It is in the middle already: the first sum
    has brought it there. -> Add the middle alone.
b_k-and-b_v-exchanged: `b_k` and `b_v` have changed places -> The biases come in the order of the matrices. -> Give them
    by name.
weight-and-bias-1-exchanged: in the first norm weight and bias have changed places -> The weight multiplies, the bias is
    added. -> `layer_norm(X, weight, bias)`.
weight-and-bias-2-exchanged: in the second norm weight and bias have changed places -> The weight multiplies, the bias
    is added. -> `layer_norm(X, weight, bias)`.
b_q-and-b_k-exchanged: `b_q` and `b_k` have changed places -> Both have the same shape, so nothing complains. -> Give
    each by its own name.
no-b_v: `b_v` does not reach the attention -> It gives each value the same shift, and every average of values as much.
    -> Give `multi_head_attention` all four biases of the layer, each by its name.
no-b_o: `b_o` does not reach the attention -> It is added to every row of what the attention gives. -> Give
    `multi_head_attention` all four biases of the layer, each by its name.
biases-by-position: the biases are given by position: the first of them lands in the place of the mask -> After
    `num_heads` comes `mask`, and only then the biases. -> Give each by its name: `b_q=...`.
one-head: the attention runs with one large head -> With several heads, each looks its own way. -> Hand `num_heads` on.
pair-added: you add both results of `multi_head_attention` -> It gives the context and the weights, and only the context
    belongs to what is added. -> Unpack the two, and go on with the first.
no-residual: nothing is added to what was there: each sublayer's result stands in the place of its input -> Without that
    path a token is soon nothing but an average of others. -> Add the input of a sublayer to what it gives, both times.
no-first-residual: the attention's result is not added to what was there -> Then the token itself is lost, and an
    average of all stands in its place. -> Add the input of the block to what the attention gives.
no-second-residual: the feed-forward layer's result is not added to what was there -> Then all that the attention found
    has to pass through the units, or it is lost. -> Add what stood before the feed-forward layer to what it gives.
norms-exchanged: the two norms have changed places -> Both have the same shape, so nothing complains; but each was
    learned for its own place. -> `norm_1` belongs to the attention, `norm_2` to the feed-forward layer.
first-norm-twice: both norms are the first -> Each has a weight and a bias of its own. -> The second takes
    `norm_2_weight` and `norm_2_bias`.
second-norm-twice: both norms are the second -> The first has weights of its own: it belongs to the attention. ->
    `norm_1` for the first, `norm_2` for the second.
norms-plain: the norms have neither weight nor bias -> Both were learned with the rest. -> Hand `layer_norm` the layer's
    `norm_1_weight`, `norm_1_bias` and so on.
no-attention: the attention is left out -> Then no token hears of another. -> Two sublayers stand in a block: attention,
    then the feed-forward layer.
ffn-first: the feed-forward layer comes before the attention -> Each sublayer was learned for what the other hands it.
    -> Attention first.
ffn-residual-from-X: what the feed-forward layer gives is added to the block's input -> Then what the attention found is
    lost. -> The second path begins where the first one ended: in the middle of the block.
parallel: attention and feed-forward layer both read the block's input -> Some models are built so; here the
    feed-forward layer reads what the attention has made. -> Finish the first half, and go on with its result.
weight-and-bias-exchanged: weight and bias of the norms have changed places -> Both have one number for each column, so
    nothing complains. -> `layer_norm` takes the weight first.
"""
