"""Parts of blocks, as people write them."""

from attnlib import feed_forward, layer_norm, multi_head_attention


def attention_of(X, layer, num_heads, mask=None):
    context, _ = multi_head_attention(
        X, X, layer["W_q"], layer["W_k"], layer["W_v"], layer["W_o"], num_heads, mask,
        b_q=layer["b_q"], b_k=layer["b_k"], b_v=layer["b_v"], b_o=layer["b_o"],
    )  # fmt: skip
    return context


def units_of(X, layer):
    return feed_forward(X, layer["W_1"], layer["b_1"], layer["W_2"], layer["b_2"])


def first_norm(X, layer):
    return layer_norm(X, layer["norm_1_weight"], layer["norm_1_bias"])


def second_norm(X, layer):
    return layer_norm(X, layer["norm_2_weight"], layer["norm_2_bias"])
