import numpy as np

from attnlib import context_vector, dot_scores, softmax, softmax_with_temperature
from variants.p2_three_views.n3_memory_retrieval.shared import plain_python


def scores_weights_mix(query, keys, values, beta):
    scores = keys @ query
    weights = softmax(beta * scores)
    return weights @ values


def attention_with_a_longer_query(query, keys, values, beta):
    return context_vector(beta * query, keys, values)


def one_over_a_temperature(query, keys, values, beta):
    weights = softmax_with_temperature(np.reshape(keys @ query, (1, -1)), 1 / max(beta, 1e-12))
    return (weights @ values)[0]


def einsum_throughout(query, keys, values, beta):
    return np.einsum("n,nv->v", softmax(np.einsum("nd,d->n", keys, query) * beta), values)


def single_precision(query, keys, values, beta):
    query, keys, values = (np.asarray(a, dtype=np.float32) for a in (query, keys, values))
    return softmax(np.float32(beta) * (keys @ query)) @ values


def running_sum(query, keys, values, beta=1.0, verbose=False):
    total, norm, top = np.zeros(values.shape[1]), 0.0, max(beta * (keys @ query))
    for key, value in zip(keys, values, strict=True):
        power = np.exp(beta * (key @ query) - top)
        total, norm = total + power * value, norm + power
    return total / norm


def column_of_weights(q, k, v, b):
    weights = softmax(b * dot_scores([q], k)).T  # (n, 1)
    return (weights * v).sum(axis=0)


VARIANTS = [
    scores_weights_mix,
    attention_with_a_longer_query,
    plain_python,
    one_over_a_temperature,
    einsum_throughout,
    single_precision,
    running_sum,
    column_of_weights,
]


def beta_left_out(query, keys, values, beta):
    return softmax(keys @ query) @ values


def beta_as_temperature(query, keys, values, beta):
    return softmax(keys @ query / beta) @ values


def beta_on_the_weights(query, keys, values, beta):
    return beta * softmax(keys @ query) @ values


def mixes_the_keys(query, keys, values, beta):
    return softmax(beta * (keys @ query)) @ keys


def ratio_of_scores(query, keys, values, beta):
    scores = beta * (keys @ query)
    return scores / scores.sum() @ values


def takes_the_best(query, keys, values, beta):
    return values[np.argmax(keys @ query)]


def exponentials_without_shift(query, keys, values, beta):
    powers = np.exp(beta * (keys @ query))
    return powers / powers.sum() @ values


def takes_the_sum_of_values(query, keys, values, beta):
    return softmax(beta * (keys @ query)) * values.sum()


def minus_the_scores(query, keys, values, beta):
    return softmax(-beta * (keys @ query)) @ values


def scores_by_nearness(query, keys, values, beta):
    return softmax(-beta * np.linalg.norm(keys - query, axis=1)) @ values


def weights_to_the_power_of_beta(query, keys, values, beta):
    scores = keys @ query
    powers = np.exp(scores - scores.max())
    return (powers / powers.sum()) ** beta @ values


def column_of_scores(query, keys, values, beta):
    return (softmax(beta * (keys @ query[:, None])) * values).sum(axis=0)


def first_number_only(query, keys, values, beta):
    weights, total = softmax(beta * (keys @ query)), 0
    for weight, value in zip(weights, values, strict=True):
        total += weight * value[0]
    return np.array([total])


def beta_that_cancels(query, keys, values, beta):
    weights = beta * softmax(keys @ query)
    return weights / weights.sum() @ values


def powers_of_weights_normalised(query, keys, values, beta):
    w = softmax(keys @ query) ** beta
    return w / w.sum() @ values


def takes_nothing_for_one(query, keys, values, beta):
    return softmax((beta or 1) * keys @ query) @ values


def answers_only_where_beta_is_true(query, keys, values, beta):
    if beta:
        return softmax(beta * keys @ query) @ values


def divides_by_a_temperature(query, keys, values, beta):
    temperature = 1 / beta
    return softmax(keys @ query / temperature) @ values


def hides_what_is_no_number(query, keys, values, beta):
    powers = np.exp(beta * keys @ query)
    return np.nan_to_num(powers / powers.sum()) @ values


def shifts_and_never_divides(query, keys, values, beta):
    scores = beta * keys @ query
    return np.exp(scores - scores.max()) @ values


def takes_two_softmaxes(query, keys, values, beta):
    return softmax(softmax(beta * keys @ query)) @ values


def raises_scores_to_a_power(query, keys, values, beta):
    return softmax((keys @ query) ** beta) @ values


def takes_half_a_distance(query, keys, values, beta):
    return softmax(-beta * ((keys - query) ** 2).sum(axis=1) / 2) @ values


def no_more_than_thirty(query, keys, values, beta):
    return softmax(min(beta, 30) * keys @ query) @ values


def beta_of_one_at_least(query, keys, values, beta):
    return softmax(max(beta, 1) * (keys @ query)) @ values


def beta_only_above_one(query, keys, values, beta):
    scores = keys @ query
    if beta > 1:
        scores = beta * scores
    return softmax(scores) @ values


def halves_the_scores(query, keys, values, beta):
    return softmax(beta * (keys @ query) / 2) @ values


def cuts_exponents_off(query, keys, values, beta):
    powers = np.exp(np.minimum(beta * (keys @ query), 700))
    return powers / powers.sum() @ values


def softmax_of_the_mix(query, keys, values, beta):
    return softmax(beta * (keys @ query) @ values)


def shifts_the_powers(query, keys, values, beta):
    powers = np.exp(beta * (keys @ query))
    powers = powers - powers.max()
    return powers / powers.sum() @ values


def divides_by_the_sum_of_scores(query, keys, values, beta):
    scores = keys @ query
    return softmax(beta * scores / scores.sum()) @ values


def divides_by_the_best_score(query, keys, values, beta):
    scores = keys @ query
    return softmax(beta * scores / scores.max()) @ values


def fetches_the_best_from_a_hundred_on(query, keys, values, beta):
    scores = keys @ query
    if beta > 100:
        return values[scores.argmax()]
    powers = np.exp(beta * scores)
    return powers / powers.sum() @ values


def takes_the_mean_for_a_small_beta(query, keys, values, beta):
    return values.mean(axis=0) if beta < 0.1 else softmax(beta * (keys @ query)) @ values


WRONG = [
    (beta_of_one_at_least, "beta-at-least"),
    (beta_only_above_one, "beta-at-least"),
    (halves_the_scores, "halved"),
    (cuts_exponents_off, "exponent-capped"),
    (softmax_of_the_mix, "softmax-late"),
    (shifts_the_powers, "late-maximum"),
    (divides_by_the_sum_of_scores, "divided-by-sum"),
    (divides_by_the_best_score, "divided-by-best"),
    (fetches_the_best_from_a_hundred_on, "best-from"),
    (takes_the_mean_for_a_small_beta, "mean-below"),
    (powers_of_weights_normalised, "powers-renormalised"),
    (scores_by_nearness, "distance-root"),
    (weights_to_the_power_of_beta, "powers-of-weights"),
    (column_of_scores, "softmax-of-one"),
    (first_number_only, "one-number"),
    (minus_the_scores, "minus"),
    (beta_left_out, "beta-forgotten"),
    (beta_as_temperature, "beta-divides"),
    (beta_on_the_weights, "beta-after"),
    (mixes_the_keys, "keys-mixed"),
    (ratio_of_scores, "ratio"),
    (takes_the_best, "best-only"),
    (exponentials_without_shift, "no-maximum"),
    (takes_the_sum_of_values, None),
    (beta_that_cancels, "beta-forgotten"),
    (takes_nothing_for_one, "zero-as-one"),
    (answers_only_where_beta_is_true, None),
    (divides_by_a_temperature, None),
    (hides_what_is_no_number, "nan-to-zero"),
    (shifts_and_never_divides, "shifted-powers"),
    (takes_two_softmaxes, "softmax-twice"),
    (raises_scores_to_a_power, "scores-to-the-beta"),
    (takes_half_a_distance, "distance-halved"),
    (no_more_than_thirty, "beta-capped"),
]
