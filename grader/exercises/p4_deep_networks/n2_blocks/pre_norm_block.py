import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n2_blocks.shared import (
    SQUARE,
    WITHIN,
    attend,
    block,
    forward,
    norm,
    of_zeros,
    tokens_may_move,
)


def _input_goes_through(call, rng):
    inputs = block(rng, 3, 2, 3, 5)
    layer = inputs["layer"]
    inputs["layer"] = layer | {name: np.zeros_like(layer[name]) for name in (*SQUARE, "W_2", "b_o", "b_2")}
    gap = np.abs(call(*inputs.values()) - inputs["X"]).max()
    return None if gap < 1e-6 else f"it changes X by {gap:.3g}"


@function(
    points=3,
    returns="Y",
    keywords=("mask",),
    budget=2500,
    cases=(
        Case("three tokens, two heads, five units", lambda rng: block(rng, 3, 2, 2, 5), 0.3),
        Case(
            "the example of the task",
            example(X=np.array([[1.0, 5.0], [2.0, 0.0]]), layer=of_zeros(2, 3, b_o=np.ones(2)), num_heads=1),
            0.05,
        ),
        Case("seven tokens, three heads", lambda rng: block(rng, 7, 3, 2, 11), 0.1),
        Case("with a causal mask", lambda rng: block(rng, 5, 2, 3, 7, mask="causal"), 0.1),
        Case("a batch of two with a padding mask", lambda rng: block(rng, 5, 2, 3, 7, batch=(2,), mask="padding"), 0.1),
        Case("single precision", lambda rng: block(rng, 5, 3, 2, 7, dtype=np.float32, spread=0.02), 0.05),
    ),
    properties=(
        Property("tokens in another order get the same, in that order", tokens_may_move, 0.1),
        Property("where both sublayers say nothing, X comes out as it went in", _input_goes_through, 0.1),
    ),
    within=WITHIN,
    mistakes="""
    residual-from-normalised: what a sublayer gives is added to the normed copy, not to what was there -> Then the norm
        lies on the path that should lead through untouched. -> The norm makes a copy for the sublayer to read; add to
        the original.
    first-from-normalised: what the attention gives is added to the normed copy -> Then the norm lies on the path that
        should lead through untouched. -> The norm makes a copy for the sublayer to read; add to the original.
    second-from-normalised: what the feed-forward layer gives is added to the normed copy -> Then the norm lies on the
        path that should lead through untouched. -> The norm makes a copy for the sublayer to read; add to the original.
    keys-from-X: the queries are made from the normed copy, keys and values from X itself -> In self-attention all three
        come from the same. -> Hand the normed copy on twice.
    queries-from-X: keys and values are made from the normed copy, the queries from X itself -> In self-attention all
        three come from the same. -> Hand the normed copy on twice.
    post-norm: the norms come after the sums -> That is how BERT does it, and your `post_norm_block`. -> Norm what a
        sublayer reads, and nothing else.
    first-half-post-norm: the attention reads X as it is, and a norm follows its sum -> The first half is that of BERT;
        here both norms stand before their sublayers. -> Norm what a sublayer reads, and nothing else.
    second-half-post-norm: the feed-forward layer reads the middle as it is, and a norm follows its sum -> The second
        half is that of BERT; here both norms stand before their sublayers. -> Norm what a sublayer reads, and nothing
        else.
    attention-not-normed: the attention reads X as it is -> A norm stands in front of each sublayer. -> Hand it the
        first norm of X.
    ffn-not-normed: the feed-forward layer reads the middle as it is -> A norm stands in front of each sublayer. -> Hand
        it the second norm of the middle.
    ffn-reads-the-first-norm: the feed-forward layer reads the first normed copy -> That one knows nothing of what the
        attention found. -> Norm the middle, with the second norm.
    ffn-reads-what-was-heard: the feed-forward layer reads the norm of what the attention gives -> It is to read the
        norm of the middle: what was there and what is new, together. -> Norm the sum.
    ffn-reads-the-normed-sum: the feed-forward layer reads the norm of the normed copy and what the attention gives ->
        It is to read the norm of the middle, which begins with X itself. -> Norm the sum that goes on.
    norm-of-sublayer: the norm is taken of what a sublayer gives -> It belongs in front of the sublayer, on what it
        reads. -> Norm, sublayer, add.
    final-norm: there is one norm more, at the end of the block -> A GPT has one like that behind its last block, and
        only there. -> Return the sum.
    no-norms: there are no norms -> Each sublayer then reads rows that grow from block to block. -> Norm what a sublayer
        reads.
    no-residual
    no-first-residual
    no-second-residual
    ffn-residual-from-X
    norms-exchanged
    weight-and-bias-exchanged
    weight-and-bias-1-exchanged
    weight-and-bias-2-exchanged
    first-norm-twice
    second-norm-twice
    norms-plain
    other-epsilon
    no-ffn: the feed-forward layer is left out -> Then a block only averages; two thirds of its weights are never used.
        -> Two sublayers stand in a block: attention, then the feed-forward layer.
    no-attention
    ffn-first
    parallel
    mask-ignored: the mask has no effect -> Then padding is heard, and so is the future. -> Hand `mask` on to
        `multi_head_attention`.
    mask-turned
    mask-transposed
    always-causal
    causal-without-mask
    causal-where-masked
    causal-besides
    input-added-again
    W_q-and-W_k-exchanged
    one-head
    biases-ignored
    b_q-and-b_k-exchanged
    b_k-and-b_v-exchanged
    no-b_q
    no-b_v
    no-b_o
    biases-by-position
    pair-added
    projections-transposed
    """,
)
def pre_norm_block(X, layer, num_heads, mask=None, wrong=frozenset()):
    """A block with the norms before the sublayers, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    if "no-norms" in wrong:
        wrong |= {"no-norm-1", "no-norm-2"}
    if "post-norm" in wrong:
        middle = norm(X + attend(X, X, layer, num_heads, mask, wrong), layer, 1, wrong)
        return norm(middle + forward(middle, layer, wrong), layer, 2, wrong)
    if "ffn-first" in wrong:
        middle = X + forward(norm(X, layer, 2, wrong), layer, wrong)
        normed = norm(middle, layer, 1, wrong)
        return middle + attend(normed, normed, layer, num_heads, mask, wrong)
    if "norm-of-sublayer" in wrong:
        middle = X + norm(attend(X, X, layer, num_heads, mask, wrong), layer, 1, wrong)
        return middle + norm(forward(middle, layer, wrong), layer, 2, wrong)
    normed = X if wrong & {"attention-not-normed", "first-half-post-norm"} else norm(X, layer, 1, wrong)
    asks = X if "queries-from-X" in wrong else normed
    heard = attend(asks, X if "keys-from-X" in wrong else normed, layer, num_heads, mask, wrong)
    first = normed if wrong & {"residual-from-normalised", "first-from-normalised"} else X
    middle = heard if wrong & {"no-residual", "no-first-residual"} else first + heard
    if "first-half-post-norm" in wrong:
        middle = norm(middle, layer, 1, wrong)
    if "second-half-post-norm" in wrong:
        return norm(middle + forward(middle, layer, wrong), layer, 2, wrong)
    second = X if "parallel" in wrong else middle
    read = second if "ffn-not-normed" in wrong else norm(second, layer, 2, wrong)
    if "ffn-reads-the-first-norm" in wrong:
        read = normed
    if "ffn-reads-what-was-heard" in wrong:
        read = norm(heard, layer, 2, wrong)
    if "ffn-reads-the-normed-sum" in wrong:
        read = norm(normed + heard, layer, 2, wrong)
    said = forward(read, layer, wrong) + (X if "input-added-again" in wrong else 0.0)
    if wrong & {"no-residual", "no-second-residual"}:
        return said
    if wrong & {"residual-from-normalised", "second-from-normalised"}:
        middle = norm(middle, layer, 2, wrong)
    done = (X if "ffn-residual-from-X" in wrong else middle) + said
    return norm(done, layer, 2, wrong) if "final-norm" in wrong else done
