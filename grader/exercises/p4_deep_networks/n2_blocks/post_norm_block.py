import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n2_blocks.shared import (
    WITHIN,
    attend,
    block,
    forward,
    norm,
    of_zeros,
    tokens_may_move,
)


def _rows_are_normed(call, rng):
    inputs = block(rng, 3, 2, 3, 5)
    d = inputs["X"].shape[-1]
    inputs["layer"] |= {"norm_2_weight": np.ones(d), "norm_2_bias": np.zeros(d)}
    lengths = np.linalg.norm(call(*inputs.values()), axis=-1)
    worst = lengths[np.abs(lengths - np.sqrt(d)).argmax()]
    if abs(worst - np.sqrt(d)) < 1e-3:
        return None
    return f"with weight 1 and bias 0 in the second norm, a row of {d} numbers has the length {worst:.4g}"


@function(
    points=4,
    returns="Y",
    keywords=("mask",),
    budget=2500,
    cases=(
        Case("three tokens, two heads, five units", lambda rng: block(rng, 3, 2, 2, 5), 0.3),
        Case(
            "the example of the task",
            example(X=np.array([[1.0, 5.0], [2.0, 0.0]]), layer=of_zeros(2, 3), num_heads=1),
            0.05,
        ),
        Case("seven tokens, three heads", lambda rng: block(rng, 7, 3, 2, 11), 0.1),
        Case("with a causal mask", lambda rng: block(rng, 5, 2, 3, 7, mask="causal"), 0.1),
        Case("a batch of two with a padding mask", lambda rng: block(rng, 5, 2, 3, 7, batch=(2,), mask="padding"), 0.1),
        Case("all sizes equal", lambda rng: block(rng, 6, 6, 1, 6), 0.05),
        Case("single precision", lambda rng: block(rng, 5, 3, 2, 7, dtype=np.float32), 0.05),
    ),
    properties=(
        Property("tokens in another order get the same, in that order", tokens_may_move, 0.05),
        Property("each row leaves with the length that the second norm gives it", _rows_are_normed, 0.1),
    ),
    within=WITHIN,
    mistakes="""
    no-residual
    no-first-residual
    no-second-residual
    norm-of-sublayer: the norm is taken of what a sublayer gives, before it is added -> Here the sum is normed: what was
        there and what is new, together. -> Add first, norm then.
    norm-of-the-first: the attention's result is normed before it is added, not after -> Here the sum is normed: what
        was there and what is new, together. -> Add first, norm then.
    norm-of-the-second: the feed-forward layer's result is normed before it is added, not after -> Here the sum is
        normed: what was there and what is new, together. -> Add first, norm then.
    ffn-residual-from-X
    second-residual-unnormed: what the feed-forward layer gives is added to the sum before the first norm -> Both begin
        at the same place: the normed middle. -> The second path begins behind the first norm.
    ffn-from-X: the feed-forward layer reads the block's input -> It is to read what the attention and the first norm
        have made of it. -> Hand it the middle of the block.
    ffn-reads-what-was-heard: the feed-forward layer reads what the attention gives, alone -> It is to read what the
        first norm has made of the sum: what was there and what is new, together. -> Hand it the middle of the block.
    attention-reads-a-norm: the attention reads a normed copy of X, and the norms follow the sums besides -> In this
        kind of block a norm stands behind each sum, and nowhere else. -> Hand the attention X as it is.
    ffn-reads-unnormed: the feed-forward layer reads the sum before it is normed, though its result is added to the
        normed one -> Both begin at the same place: the normed middle. -> Hand it the result of the first norm.
    pre-norm: the norms come before the sublayers -> That is how GPT-2 does it; BERT norms the sum. -> Add first, norm
        then.
    first-half-pre-norm: the attention reads a normed copy, and no norm follows its sum -> The first half is that of
        another kind of block; here both norms follow their sums. -> Add first, norm then, both times.
    second-half-pre-norm: the feed-forward layer reads a normed copy, and no norm follows its sum -> The second half is
        that of another kind of block; here both norms follow their sums. -> Add first, norm then, both times.
    no-norm-1: the first norm is left out -> The feed-forward layer then reads rows of another length than it was made
        for. -> A norm follows each sum: go on with the normed one, in both places.
    no-norm-2: the second norm is left out -> Then rows grow from block to block. -> A norm follows each sum.
    no-norms: both norms are left out -> Then rows grow from block to block. -> A norm follows each sum.
    norms-exchanged
    weight-and-bias-exchanged
    weight-and-bias-1-exchanged
    weight-and-bias-2-exchanged
    first-norm-twice
    second-norm-twice
    norms-plain
    other-epsilon
    no-ffn: the block ends after its first half: the norm of X plus attention -> So it is written in some texts. The
        feed-forward layer, two thirds of a layer's weights, and its norm are still to come. -> Do it once more, with
        the feed-forward layer.
    no-ffn-both-norms: the feed-forward layer is left out -> Then a block only averages; two thirds of its weights are
        never used. -> Two sublayers stand in a block: attention, then the feed-forward layer.
    attention-twice: the attention comes twice, and only then the feed-forward layer -> Each layer was learned for what
        the other hands it. -> One attention with its norm, one feed-forward layer with its own.
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
    input-added-twice: in the first half X is added twice -> It is on the path once. -> X plus what the attention gives.
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
def post_norm_block(X, layer, num_heads, mask=None, wrong=frozenset()):
    """A block with the norms after the sums, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    if "no-norms" in wrong:
        wrong |= {"no-norm-1", "no-norm-2"}
    normed_first = {"pre-norm", "first-half-pre-norm", "attention-reads-a-norm"}
    start = norm(X, layer, 1, wrong) if wrong & normed_first else X
    if "ffn-first" in wrong:
        middle = norm(X + forward(X, layer, wrong), layer, 2, wrong)
        return norm(middle + attend(middle, middle, layer, num_heads, mask, wrong), layer, 1, wrong)
    heard = attend(start, start, layer, num_heads, mask, wrong)
    if "pre-norm" in wrong:
        middle = X + heard
        return middle + forward(norm(middle, layer, 2, wrong), layer, wrong)
    if "no-ffn" in wrong:
        return norm(X + heard, layer, 1, wrong)
    if "parallel" in wrong:
        return norm(norm(X + heard + forward(X, layer, wrong), layer, 1, wrong), layer, 2, wrong)
    if wrong & {"norm-of-sublayer", "norm-of-the-first"}:
        middle = X + norm(heard, layer, 1, wrong)
    elif "first-half-pre-norm" in wrong:
        middle = X + heard
    elif wrong & {"no-residual", "no-first-residual"}:
        middle = norm(heard, layer, 1, wrong)
    else:
        middle = norm(X + heard + ("input-added-twice" in wrong) * X, layer, 1, wrong)
    if "attention-twice" in wrong:
        middle = norm(middle + attend(middle, middle, layer, num_heads, mask, wrong), layer, 1, wrong)
    if "second-half-pre-norm" in wrong:
        return middle + forward(norm(middle, layer, 2, wrong), layer, wrong)
    read = X + heard if "ffn-reads-unnormed" in wrong else X if "ffn-from-X" in wrong else middle
    if "ffn-reads-what-was-heard" in wrong:
        read = heard
    said = 0.0 if "no-ffn-both-norms" in wrong else forward(read, layer, wrong)
    if wrong & {"norm-of-sublayer", "norm-of-the-second"}:
        return middle + norm(said, layer, 2, wrong)
    if wrong & {"no-residual", "no-second-residual"}:
        return norm(said, layer, 2, wrong)
    if "second-residual-unnormed" in wrong:
        middle = X + heard
    if "input-added-again" in wrong:
        said = said + X
    return norm((X if "ffn-residual-from-X" in wrong else middle) + said, layer, 2, wrong)
