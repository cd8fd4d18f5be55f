import numpy as np


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def back(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


def step_by_step(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / root)
    d_scores = back(weights, d_context @ V.mT)
    return d_scores @ K / root, d_scores.mT @ Q / root, weights.mT @ d_context


def with_einsum(Q, K, V, d_context):
    weights = softmax(np.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5)
    d_scores = back(weights, np.einsum("...qv,...kv->...qk", d_context, V)) / Q.shape[-1] ** 0.5
    d_Q = np.einsum("...qk,...kd->...qd", d_scores, K)
    return d_Q, np.einsum("...qk,...qd->...kd", d_scores, Q), np.einsum("...qk,...qv->...kv", weights, d_context)


def batch_by_batch(Q, K, V, d_context):
    if Q.ndim > 2:
        parts = [batch_by_batch(*one) for one in zip(Q, K, V, d_context, strict=True)]
        return tuple(np.stack(part) for part in zip(*parts, strict=True))
    d_Q, d_K, d_V = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for i, (q, d_c) in enumerate(zip(Q, d_context, strict=True)):
        weights = softmax(K @ q / np.sqrt(len(q)))
        d_scores = back(weights, V @ d_c) / np.sqrt(len(q))
        d_Q[i] = d_scores @ K
        d_K += np.outer(d_scores, q)
        d_V += np.outer(weights, d_c)
    return d_Q, d_K, d_V


def by_the_covariance(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / root)
    context = weights @ V
    told = ((d_context[..., :, None, :] * (V[..., None, :, :] - context[..., :, None, :])).sum(-1)) * weights / root
    return told @ K, np.swapaxes(told, -1, -2) @ Q, np.swapaxes(weights, -1, -2) @ d_context


def scaled_before(Q, K, V, d_context):
    quarter = Q.shape[-1] ** 0.25
    asks, answers = Q / quarter, K / quarter
    weights = softmax(asks @ answers.mT)
    d_scores = back(weights, d_context @ V.mT)
    return [d_scores @ answers / quarter, d_scores.mT @ asks / quarter, weights.mT @ d_context]


def with_jacobians(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / root)
    jacobians = weights[..., :, None] * np.eye(weights.shape[-1]) - weights[..., :, None] * weights[..., None, :]
    d_scores = np.squeeze(jacobians @ (d_context @ V.mT)[..., None], axis=-1) / root
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_context


def in_single_precision(Q, K, V, d_context):
    return step_by_step(*(np.asarray(array, np.float32) for array in (Q, K, V, d_context)))


def measured(Q, K, V, d_context):
    """The task says that this passes."""
    given = [np.array(array, dtype=float) for array in (Q, K, V)]

    def loss():
        Q, K, V = given
        return ((softmax(Q @ K.mT / np.sqrt(Q.shape[-1])) @ V) * d_context).sum()

    found = [np.zeros(array.shape) for array in given]
    for array, gradient in zip(given, found, strict=True):
        for place in np.ndindex(array.shape):
            old, array[place] = array[place], array[place] + 1e-5
            above = loss()
            array[place] = old - 1e-5
            gradient[place] = (above - loss()) / 2e-5
            array[place] = old
    return tuple(found)


VARIANTS = [
    measured,
    step_by_step,
    with_einsum,
    batch_by_batch,
    by_the_covariance,
    scaled_before,
    with_jacobians,
    in_single_precision,
]


def no_jacobian(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights, d_scores = softmax(Q @ K.mT / root), d_context @ V.mT / root
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_context


def diagonal(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / root)
    d_scores = weights * (1 - weights) * (d_context @ V.mT) / root
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_context


def no_root_on_the_way_back(Q, K, V, d_context):
    weights = softmax(Q @ K.mT / np.sqrt(Q.shape[-1]))
    d_scores = back(weights, d_context @ V.mT)
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_context


def divided_twice(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / root)
    d_scores = back(weights, d_context @ V.mT) / root
    return d_scores @ K / root, d_scores.mT @ Q / root, weights.mT @ d_context


def never_scaled(Q, K, V, d_context):
    weights = softmax(Q @ K.mT)
    d_scores = back(weights, d_context @ V.mT) / np.sqrt(Q.shape[-1])
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_context


def matrices_only(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.T / root)
    d_scores = back(weights, d_context @ V.T) / root
    return d_scores @ K, d_scores.T @ Q, weights.T @ d_context


def keys_first(Q, K, V, d_context):
    d_Q, d_K, d_V = step_by_step(Q, K, V, d_context)
    return d_K, d_Q, d_V


def overwrites(Q, K, V, d_context):
    if Q.ndim > 2:
        parts = [overwrites(*one) for one in zip(Q, K, V, d_context, strict=True)]
        return tuple(np.stack(part) for part in zip(*parts, strict=True))
    d_Q = np.zeros(Q.shape)
    for i, (q, d_c) in enumerate(zip(Q, d_context, strict=True)):
        weights = softmax(K @ q / np.sqrt(len(q)))
        d_scores = back(weights, V @ d_c) / np.sqrt(len(q))
        d_Q[i] = d_scores @ K
        d_K, d_V = np.outer(d_scores, q), np.outer(weights, d_c)
    return d_Q, d_K, d_V


def _back(Q, K, V, d_context, jacobian, factor):
    root = np.sqrt(Q.shape[-1])
    scores = Q @ K.mT / root
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    W = powers / powers.sum(-1, keepdims=True)
    d_scores = factor(root) * jacobian(scores, W, d_context @ V.mT)
    return d_scores @ K, d_scores.mT @ Q, W.mT @ d_context


def _through(w, dw):
    return w * (dw - (w * dw).sum(-1, keepdims=True))


def times_the_root(Q, K, V, d_context):
    return _back(Q, K, V, d_context, lambda scores, W, dW: _through(W, dW), lambda root: root)


def gradient_first(Q, K, V, d_context):
    return _back(Q, K, V, d_context, lambda scores, W, dW: _through(dW, W), lambda root: 1 / root)


def hands_on_scores(Q, K, V, d_context):
    return _back(Q, K, V, d_context, lambda scores, W, dW: _through(scores, dW), lambda root: 1 / root)


def _with(Q, K, V, d_context, there=None, back_again=None, to_weights=None, to_values=None, beside_keys=None):
    """The right way, with something else in the place of a divisor or a factor."""
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / (there or root))
    context = weights @ V
    d_weights = (context if to_weights else d_context) @ V.mT
    d_scores = back(weights, d_weights) / (back_again or there or root)
    d_V = weights.mT @ (context if to_values else d_context)
    return d_scores @ K, d_scores.mT @ (d_context if beside_keys else Q), d_V


def by_the_length_of_K(Q, K, V, d_context):
    return _with(Q, K, V, d_context, there=np.sqrt(len(K)))


def by_the_length_of_K_on_the_way_back(Q, K, V, d_context):
    return _with(Q, K, V, d_context, back_again=np.sqrt(len(K)))


def by_the_number_of_keys(Q, K, V, d_context):
    return _with(Q, K, V, d_context, there=np.sqrt(K.shape[-2]))


def keys_times_the_gradient(Q, K, V, d_context):
    return _with(Q, K, V, d_context, beside_keys=True)


def begins_with_the_context(Q, K, V, d_context):
    return _with(Q, K, V, d_context, to_weights=True, to_values=True)


def context_on_the_road_to_the_weights(Q, K, V, d_context):
    return _with(Q, K, V, d_context, to_weights=True)


def context_on_the_road_to_the_values(Q, K, V, d_context):
    return _with(Q, K, V, d_context, to_values=True)


def backward_values_in_front(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / root)
    d_scores = back(weights, d_context @ V.mT) / root
    return weights.mT @ d_context, d_scores @ K, d_scores.mT @ Q


def _by_hand(Q, K, V, d_context, through):
    root = np.sqrt(Q.shape[-1])
    powers = np.exp(Q @ K.mT / root - (Q @ K.mT / root).max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    d_scores = through(weights, d_context @ V.mT) / root
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_context


def one_term(Q, K, V, d_context):
    return _by_hand(Q, K, V, d_context, lambda weights, told: weights * told)


def mean_less_gradient(Q, K, V, d_context):
    def through(weights, told):
        return weights * ((weights * told).sum(axis=-1, keepdims=True) - told)

    return _by_hand(Q, K, V, d_context, through)


def _with_roots(Q, K, V, d_context, there, back_again):
    weights = softmax(Q @ K.mT / np.sqrt(there.shape[-1]))
    d_scores = back(weights, d_context @ V.mT) / np.sqrt(back_again.shape[-1])
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_context


def by_the_width_of_the_values(Q, K, V, d_context):
    return _with_roots(Q, K, V, d_context, V, V)


def by_the_width_of_the_values_on_the_way_back(Q, K, V, d_context):
    return _with_roots(Q, K, V, d_context, Q, V)


def _way(Q, K, V, d_context, through, r=None):
    r = np.sqrt(Q.shape[-1]) if r is None else r
    W = softmax(Q @ K.mT / r)
    dS = through(W, d_context @ V.mT) / r
    return dS @ K, dS.mT @ Q, W.mT @ d_context


def root_of_axis_one(Q, K, V, d_context):
    return _way(Q, K, V, d_context, lambda W, dW: W * (dW - (W * dW).sum(-1, keepdims=True)), np.sqrt(Q.shape[1]))


def half_for_a_root(Q, K, V, d_context):
    return _way(Q, K, V, d_context, lambda W, dW: W * (dW - (W * dW).sum(-1, keepdims=True)), Q.shape[-1] ** 1 / 2)


def plain_mean_inline(Q, K, V, d_context):
    return _way(Q, K, V, d_context, lambda W, dW: W * (dW - dW.mean(-1, keepdims=True)))


def plain_sum_inline(Q, K, V, d_context):
    return _way(Q, K, V, d_context, lambda W, dW: W * (dW - dW.sum(-1, keepdims=True)))


def factor_missing_inline(Q, K, V, d_context):
    return _way(Q, K, V, d_context, lambda W, dW: dW - (W * dW).sum(-1, keepdims=True))


def whole_sum_inline(Q, K, V, d_context):
    return _way(Q, K, V, d_context, lambda W, dW: W * (dW - (W * dW).sum()))


def steps_taken(Q, K, V, d_context):
    right = _way(Q, K, V, d_context, lambda W, dW: W * (dW - (W * dW).sum(-1, keepdims=True)))
    return tuple(one - gradient for one, gradient in zip((Q, K, V), right, strict=True))


def scores_for_the_values(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    scores = Q @ K.mT / root
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    told = weights * (d_context @ V.mT)
    d_scores = (told - weights * told.sum(axis=-1, keepdims=True)) / root
    return d_scores @ K, d_scores.mT @ Q, d_scores.mT @ d_context


def there_instead_of_back(Q, K, V, d_context):
    scale = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / scale)
    d_scores = softmax(d_context @ V.mT) / scale
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_context


def by_the_length_of_Q(Q, K, V, d_context):
    return _with(Q, K, V, d_context, there=np.sqrt(Q.shape[0]))


def by_the_number_of_queries(Q, K, V, d_context):
    return _with(Q, K, V, d_context, there=np.sqrt(Q.shape[-2]))


def by_axis_one_of_K(Q, K, V, d_context):
    return _with(Q, K, V, d_context, there=np.sqrt(K.shape[1]))


def with_a_loss_of_its_own(Q, K, V, d_context):
    g = softmax(Q @ K.mT / np.sqrt(Q.shape[-1])) @ V - d_context
    return step_by_step(Q, K, V, g)


def with_twice_that_loss(Q, K, V, d_context):
    g = 2 * (softmax(Q @ K.mT / np.sqrt(Q.shape[-1])) @ V - d_context)
    return step_by_step(Q, K, V, g)


def raw_scores_for_the_values(Q, K, V, d_context):
    d_Q, d_K, _ = step_by_step(Q, K, V, d_context)
    return d_Q, d_K, (Q @ K.mT / np.sqrt(Q.shape[-1])).mT @ d_context


def what_was_just_found_for_the_keys(Q, K, V, d_context):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / root)
    d_scores = back(weights, d_context @ V.mT) / root
    d_Q = d_scores @ K
    return d_Q, d_scores.mT @ d_Q, weights.mT @ d_context


# Each with the mistake that the judge should name, or None.
def divides_by_d_k(Q, K, V, d_context):
    W = softmax(Q @ K.mT / Q.shape[-1])
    dW = d_context @ V.mT
    dS = W * (dW - (dW * W).sum(-1, keepdims=True)) / Q.shape[-1]
    return dS @ K, dS.mT @ Q, W.mT @ d_context


def divides_by_d_k_there(Q, K, V, d_context):
    W = softmax(Q @ K.mT / Q.shape[-1])
    dW = d_context @ V.mT
    dS = W * (dW - (dW * W).sum(-1, keepdims=True)) / np.sqrt(Q.shape[-1])
    return dS @ K, dS.mT @ Q, W.mT @ d_context


def divides_by_d_k_back(Q, K, V, d_context):
    W = softmax(Q @ K.mT / np.sqrt(Q.shape[-1]))
    dW = d_context @ V.mT
    dS = W * (dW - (dW * W).sum(-1, keepdims=True)) / Q.shape[-1]
    return dS @ K, dS.mT @ Q, W.mT @ d_context


def weights_for_queries(Q, K, V, d_context):
    W = softmax(Q @ K.mT / np.sqrt(Q.shape[-1]))
    dW = d_context @ V.mT
    dS = W * (dW - (dW * W).sum(-1, keepdims=True)) / np.sqrt(Q.shape[-1])
    return W @ K / np.sqrt(Q.shape[-1]), dS.mT @ Q, W.mT @ d_context


def turns_by_reshape(Q, K, V, d_context):
    W = softmax(Q @ K.mT / np.sqrt(Q.shape[-1]))
    dW = d_context @ V.mT
    dS = W * (dW - (dW * W).sum(-1, keepdims=True)) / np.sqrt(Q.shape[-1])
    return dS @ K, dS.reshape(dS.mT.shape) @ Q, W.reshape(W.mT.shape) @ d_context


WRONG = [
    (turns_by_reshape, "reshaped"),
    (weights_for_queries, "queries-by-weights"),
    (divides_by_d_k_back, "root-twice"),
    (divides_by_d_k_there, "root-not-taken-there"),
    (divides_by_d_k, "root-not-taken"),
    (by_the_length_of_Q, "root-of-len-Q"),
    (by_the_number_of_queries, "root-of-queries"),
    (by_axis_one_of_K, "root-of-second-axis-of-K"),
    (with_a_loss_of_its_own, "loss-built-in"),
    (with_twice_that_loss, "loss-built-in"),
    (raw_scores_for_the_values, "values-by-raw-scores"),
    (what_was_just_found_for_the_keys, "keys-hear-d_Q"),
    (there_instead_of_back, "softmax-there-again"),
    (scores_for_the_values, "values-by-scores"),
    (root_of_axis_one, "root-of-second-axis"),
    (half_for_a_root, "half-d_k"),
    (plain_mean_inline, "plain-mean"),
    (plain_sum_inline, "plain-sum"),
    (factor_missing_inline, "factor-missing"),
    (whole_sum_inline, "whole-sum"),
    (steps_taken, "already-stepped"),
    (by_the_width_of_the_values, "root-of-d_v"),
    (by_the_width_of_the_values_on_the_way_back, "root-of-d_v-back"),
    (backward_values_in_front, "swapped-results"),
    (no_jacobian, "jacobian-forgotten"),
    (diagonal, "diagonal-only"),
    (no_root_on_the_way_back, "root-forgotten"),
    (divided_twice, "root-twice"),
    (never_scaled, "no-scale"),
    (matrices_only, None),
    (keys_first, "keys-queries-exchanged"),
    (overwrites, "last-query-only"),
    (times_the_root, "root-multiplied"),
    (gradient_first, "arguments-exchanged"),
    (hands_on_scores, "scores-for-weights"),
    (by_the_length_of_K, "root-of-len-K"),
    (by_the_length_of_K_on_the_way_back, "root-of-len-K-back"),
    (by_the_number_of_keys, "root-of-keys"),
    (keys_times_the_gradient, "keys-hear-the-gradient"),
    (begins_with_the_context, "context-goes-back"),
    (context_on_the_road_to_the_weights, "context-to-the-weights"),
    (context_on_the_road_to_the_values, "context-to-the-values"),
    (one_term, "first-term-only"),
    (mean_less_gradient, "scores-turned"),
]
