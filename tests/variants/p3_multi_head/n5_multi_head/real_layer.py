import numpy as np

from attnlib import layer_input, sentence_ids
from grader.exercises.p3_multi_head.n5_multi_head.multi_head_attention import multi_head_attention
from grader.exercises.p3_multi_head.n5_multi_head.real_layer import real_model
from variants.p3_multi_head.n5_multi_head.shared import (
    heads_by_a_loop,
    heads_by_earlier_functions,
    heads_by_einsum,
    heads_by_masked_attention,
    heads_mixed_one_by_one,
)


def _sentence(text):
    vocabulary, E, layer = real_model()
    return layer_input(sentence_ids(text, vocabulary)[1], E, layer), layer


def real_by_names(text):
    X, layer = _sentence(text)
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    return heads_by_earlier_functions(X, X, **{name: layer[name] for name in names})


def real_by_position(text):
    X, L = _sentence(text)
    return heads_by_einsum(
        X, X, L["W_q"], L["W_k"], L["W_v"], L["W_o"], 12, None, L["b_q"], L["b_k"], L["b_v"], L["b_o"]
    )


def real_without_key_bias(text):
    X, L = _sentence(text)
    matrices = L["W_q"], L["W_k"], L["W_v"], L["W_o"]
    return heads_by_a_loop(X, X, *matrices, num_heads=L["num_heads"], b_q=L["b_q"], b_v=L["b_v"], b_o=L["b_o"])


def real_with_a_mask_that_allows_all(text):
    X, L = _sentence(text)
    biases = {name: value for name, value in L.items() if name.startswith("b_")}
    matrices = L["W_q"], L["W_k"], L["W_v"], L["W_o"]
    return heads_mixed_one_by_one(X, X, *matrices, 12, mask=np.ones((len(X), len(X)), dtype=bool), **biases)


def real_as_a_batch_of_one(text):
    X, L = _sentence(text)
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    context, weights = heads_by_einsum(X[None], X[None], **{name: L[name] for name in names})
    return context[0], weights[0]


def real_float32(text, verbose=False):
    X, L = _sentence(text)
    single = {name: value if name == "num_heads" else value.astype(np.float32) for name, value in L.items()}
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    X = X.astype(np.float32)
    return heads_by_a_loop(X, X, **{name: single[name] for name in names})


def wrong_real_without_biases(text):
    X, L = _sentence(text)
    return heads_by_a_loop(X, X, L["W_q"], L["W_k"], L["W_v"], L["W_o"], L["num_heads"])


def wrong_real_with_bare_words(text):
    vocabulary, E, layer = real_model()
    X = E[sentence_ids(text, vocabulary)[1]]
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    return multi_head_attention(X, X, **{name: layer[name] for name in names})


def wrong_real_with_six_heads(text):
    X, L = _sentence(text)
    return heads_by_a_loop(
        X, X, L["W_q"], L["W_k"], L["W_v"], L["W_o"], 6, None, L["b_q"], L["b_k"], L["b_v"], L["b_o"]
    )


VARIANTS = [
    real_by_names,
    real_by_position,
    real_without_key_bias,
    real_with_a_mask_that_allows_all,
    real_as_a_batch_of_one,
    real_float32,
]


def wrong_real_with_the_pair(text):
    vocabulary, E, L = real_model()
    ids = sentence_ids(text, vocabulary)
    X = layer_input(ids, E, L)
    return heads_by_a_loop(X, X, L["W_q"], L["W_k"], L["W_v"], L["W_o"], L["num_heads"])


def wrong_real_with_the_tokens(text):
    vocabulary, E, L = real_model()
    ids, _ = sentence_ids(text, vocabulary)
    X = layer_input(ids, E, L)
    return heads_by_a_loop(X, X, L["W_q"], L["W_k"], L["W_v"], L["W_o"], L["num_heads"])


def _biases_by_position(text, attention):
    X, L = _sentence(text)
    matrices = L["W_q"], L["W_k"], L["W_v"], L["W_o"]
    return attention(X, X, *matrices, L["num_heads"], L["b_q"], L["b_k"], L["b_v"], L["b_o"])


def wrong_real_with_biases_by_position(text):
    return _biases_by_position(text, heads_by_masked_attention)


def wrong_real_with_biases_by_position_and_where(text):
    return _biases_by_position(text, heads_by_einsum)


def wrong_real_with_a_causal_mask(text):
    X, L = _sentence(text)
    matrices, biases = (
        (L["W_q"], L["W_k"], L["W_v"], L["W_o"]),
        {name: L[name] for name in ("b_q", "b_k", "b_v", "b_o")},
    )
    return heads_by_masked_attention(X, X, *matrices, 12, np.tri(len(X), dtype=bool), **biases)


NAMES = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]


def _heads(text, X_source=None, cut=slice(None), **others):
    X, L = _sentence(text)
    X = X[cut]
    given = {name: L[name] for name in NAMES} | {name: L[what] for name, what in others.items()}
    return heads_by_a_loop(X, X if X_source is None else X_source, **given), L


def wrong_real_with_b_v_behind(text):
    X, L = _sentence(text)
    given = {name: L[name] for name in NAMES if name != "b_v"}
    context, weights = heads_by_a_loop(X, X, **given)
    return context + L["b_v"], weights


def wrong_real_with_b_v_once_more(text):
    (context, weights), L = _heads(text)
    return context + L["b_v"] @ L["W_o"], weights


def wrong_real_with_b_o_once_more(text):
    (context, weights), L = _heads(text)
    return context + L["b_o"], weights


def wrong_real_with_b_o_through_the_matrix(text):
    X, L = _sentence(text)
    context, weights = heads_by_a_loop(X, X, **{name: L[name] for name in NAMES if name != "b_o"})
    return context + L["b_o"] @ L["W_o"], weights


def wrong_real_with_W_v_twice(text):
    return _heads(text, W_o="W_v")[0]


def wrong_real_with_keys_from_bare_words(text):
    vocabulary, E, _ = real_model()
    return _heads(text, E[sentence_ids(text, vocabulary)[1]])[0]


def wrong_real_cut_before(text):
    return _heads(text, cut=slice(1, -1))[0]


def wrong_real_with_biases_by_position_head_by_head(text):
    X, layer = _sentence(text)
    np.where(layer["b_q"], X[:, :32] @ X[:, :32].T, -1e9)
    raise AssertionError("the mask fits")


WRONG = [
    (wrong_real_with_b_v_behind, "b_v-after-W_o"),
    (wrong_real_with_b_v_once_more, "b_v-twice"),
    (wrong_real_with_b_o_once_more, "b_o-twice"),
    (wrong_real_with_b_o_through_the_matrix, "b_o-through-W_o"),
    (wrong_real_with_W_v_twice, "values-matrix-twice"),
    (wrong_real_with_keys_from_bare_words, "keys-from-bare-words"),
    (wrong_real_cut_before, "input-cut"),
    (wrong_real_with_a_causal_mask, "causal"),
    (wrong_real_with_the_pair, "pair-for-ids"),
    (wrong_real_with_the_tokens, "tokens-for-ids"),
    (wrong_real_with_biases_by_position, "biases-by-position"),
    (wrong_real_with_biases_by_position_and_where, "biases-by-position-broadcast"),
    (wrong_real_without_biases, "biases-ignored"),
    (wrong_real_with_bare_words, "bare-words"),
    (wrong_real_with_six_heads, None),
    (wrong_real_with_biases_by_position_head_by_head, "biases-by-position-one-head"),
]
