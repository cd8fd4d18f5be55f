import numpy as np

from attnlib import context_vector, soft_lookup, softmax


def lookup_of_itself(state, patterns, beta):
    return soft_lookup(state, patterns, patterns, beta)


def formula_of_the_paper(state, patterns, beta):
    return patterns.T @ softmax(beta * patterns @ state)


def attention_with_patterns(state, patterns, beta):
    return context_vector(beta * state, patterns, patterns)


def pixel_by_pixel(state, patterns, beta):
    weights = softmax(beta * (patterns @ state))
    return [sum(w * p[c] for w, p in zip(weights, patterns, strict=True)) for c in range(len(state))]


def einsum_update(state, patterns, beta, steps=1):
    return np.einsum("n,nd->d", softmax(beta * np.einsum("nd,d->n", patterns, state)), patterns)


def update_in_single_precision(state, patterns, beta):
    patterns = np.float32(patterns)
    return softmax(np.float32(beta) * patterns @ np.float32(state)) @ patterns


def numpy_average(state, patterns, beta):
    return np.average(patterns, axis=0, weights=softmax(beta * (patterns @ state)))


VARIANTS = [
    lookup_of_itself,
    formula_of_the_paper,
    attention_with_patterns,
    pixel_by_pixel,
    einsum_update,
    update_in_single_precision,
    numpy_average,
]


def classical_network(state, patterns, beta):
    return beta * patterns.T @ (patterns @ state)


def rounds_to_ink_and_paper(state, patterns, beta):
    return np.where(patterns.T @ softmax(beta * patterns @ state) >= 0, 1.0, -1.0)


def forgets_beta(state, patterns, beta):
    return patterns.T @ softmax(patterns @ state)


def returns_the_weights(state, patterns, beta):
    return softmax(beta * patterns @ state)


def moves_half_way(state, patterns, beta):
    return (state + patterns.T @ softmax(beta * patterns @ state)) / 2


def classical_with_signs(state, patterns, beta):
    return np.sign(patterns.T @ (patterns @ state))


def weighs_the_state(state, patterns, beta):
    return (softmax(beta * patterns @ state)[:, None] * state).sum(axis=0)


def counts_equal_pixels(state, patterns, beta):
    return softmax(beta * (patterns == state).sum(axis=1)) @ patterns


def hands_beta_over_twice(state, patterns, beta):
    return soft_lookup(beta * state, patterns, patterns, beta)


def asks_with_the_patterns(state, patterns, beta):
    return softmax(beta * (state @ patterns)) @ patterns


def updates_a_hundred_times(state, patterns, beta):
    for _ in range(100):
        state = softmax(beta * (patterns @ state)) @ patterns
    return state


def cuts_at_ink_and_paper(state, patterns, beta):
    return np.clip(softmax(beta * (patterns @ state)) @ patterns, -1, 1)


def squashes_the_new_state(state, patterns, beta):
    return np.tanh(softmax(beta * (patterns @ state)) @ patterns)


def weighs_the_pixels(state, patterns, beta):
    return softmax(beta * (patterns.T @ (patterns @ state)))


def halves_the_scores(state, patterns, beta):
    return softmax(beta * (patterns @ state) / 2) @ patterns


def cuts_exponents_off(state, patterns, beta):
    powers = np.exp(np.minimum(beta * (patterns @ state), 700))
    return powers / powers.sum() @ patterns


WRONG = [
    (cuts_exponents_off, "exponent-capped"),
    (updates_a_hundred_times, "several-updates"),
    (cuts_at_ink_and_paper, "cut-at-one"),
    (squashes_the_new_state, "squashed"),
    (weighs_the_pixels, "softmax-late"),
    (halves_the_scores, "halved"),
    (weighs_the_state, "state-stays"),
    (counts_equal_pixels, "equal-pixels"),
    (classical_with_signs, "classical"),
    (classical_network, "raw-scores"),
    (rounds_to_ink_and_paper, "signs"),
    (forgets_beta, "beta-forgotten"),
    (returns_the_weights, "weights-returned"),
    (moves_half_way, None),
    (hands_beta_over_twice, "beta-twice"),
    (asks_with_the_patterns, "places-exchanged"),
]
