import math

import numpy as np

from attnlib import softmax


def shifted_logarithm(state, patterns, beta):
    scores = beta * (patterns @ state)
    lse = (scores.max() + np.log(np.exp(scores - scores.max()).sum())) / beta
    longest = (patterns**2).sum(axis=1).max()
    return -lse + state @ state / 2 + np.log(len(patterns)) / beta + longest / 2


def numpy_logaddexp(state, patterns, beta):
    lse = np.logaddexp.reduce(beta * (patterns @ state)) / beta
    M = np.linalg.norm(patterns, axis=1).max()
    return -lse + np.sum(state**2) / 2 + np.log(patterns.shape[0]) / beta + M**2 / 2


def term_by_term(state, patterns, beta):
    scores = [sum(float(a) * float(b) for a, b in zip(p, state, strict=True)) for p in patterns]
    top = max(scores)
    lse = top + math.log(sum(math.exp(beta * (s - top)) for s in scores)) / beta
    own = sum(float(x) ** 2 for x in state) / 2
    longest = max(sum(float(x) ** 2 for x in p) for p in patterns)
    return -lse + own + math.log(len(patterns)) / beta + longest / 2


def mean_inside_the_logarithm(state, patterns, beta):
    scores = beta * (patterns @ state)
    top = scores.max()
    smooth_maximum = (top + np.log(np.mean(np.exp(scores - top)))) / beta  # log N is in the mean
    return 0.5 * (state @ state + np.max(np.sum(patterns**2, axis=1))) - smooth_maximum


def an_array_of_one(state, patterns, beta):
    return np.array([shifted_logarithm(state, patterns, beta)])


def energy_in_single_precision(state, patterns, beta):
    return np.float32(shifted_logarithm(state, patterns, beta))


VARIANTS = [
    shifted_logarithm,
    numpy_logaddexp,
    term_by_term,
    mean_inside_the_logarithm,
    an_array_of_one,
    energy_in_single_precision,
]


def drops_the_constants(state, patterns, beta):
    return -np.logaddexp.reduce(beta * (patterns @ state)) / beta + state @ state / 2


def naive_logarithm(state, patterns, beta):
    lse = np.log(np.exp(beta * (patterns @ state)).sum()) / beta
    return -lse + state @ state / 2 + np.log(len(patterns)) / beta + (patterns**2).sum(axis=1).max() / 2


def forgets_the_number_of_patterns(state, patterns, beta):
    lse = np.logaddexp.reduce(beta * (patterns @ state)) / beta
    return -lse + state @ state / 2 + (patterns**2).sum(axis=1).max() / 2


def bare_logarithm_of_the_number(state, patterns, beta):
    return forgets_the_number_of_patterns(state, patterns, beta) + np.log(len(patterns))


def length_of_the_longest(state, patterns, beta):
    M = np.linalg.norm(patterns, axis=1).max()
    return (
        -np.logaddexp.reduce(beta * (patterns @ state)) / beta
        + state @ state / 2
        + np.log(len(patterns)) / beta
        + M / 2
    )


def forgets_to_give_the_top_back(state, patterns, beta):
    scores = beta * (patterns @ state)
    lse = np.log(np.exp(scores - scores.max()).sum()) / beta
    return -lse + state @ state / 2 + np.log(len(patterns)) / beta + (patterns**2).sum(axis=1).max() / 2


def half_the_length_of_the_state(state, patterns, beta):
    return shifted_logarithm(state, patterns, beta) - state @ state / 2 + np.linalg.norm(state) / 2


def length_of_the_first_pattern(state, patterns, beta):
    longest = (patterns**2).sum(axis=1).max()
    return shifted_logarithm(state, patterns, beta) - longest / 2 + patterns[0] @ patterns[0] / 2


def only_the_logarithm_divided(state, patterns, beta):
    scores = beta * (patterns @ state)
    top = scores.max()
    lse = top + np.log(np.exp(scores - top).sum()) / beta
    return -lse + state @ state / 2 + np.log(len(patterns)) / beta + (patterns**2).sum(axis=1).max() / 2


def length_of_the_best(state, patterns, beta):
    longest, best = (patterns**2).sum(axis=1).max(), patterns[(patterns @ state).argmax()]
    return shifted_logarithm(state, patterns, beta) - longest / 2 + best @ best / 2


def number_of_pixels(state, patterns, beta):
    longest = (patterns**2).sum(axis=1).max()
    return shifted_logarithm(state, patterns, beta) - longest / 2 + patterns.shape[1] / 2


def wrong_energy_with_beta_outside_only(state, patterns, beta):
    z = patterns @ state
    m = np.max(z)
    lse = (m + np.log(np.sum(np.exp(z - m)))) / beta
    R2 = np.max(np.sum(patterns**2, axis=1))
    return -lse + state @ state / 2 + np.log(len(patterns)) / beta + R2 / 2


def energy_of_the_average_score(state, patterns, beta):
    scores = patterns @ state
    powers = np.exp(beta * (scores - scores.max()))
    longest = (patterns**2).sum(axis=1).max()
    return -powers @ scores / powers.sum() + state @ state / 2 + np.log(len(patterns)) / beta + longest / 2


def energy_after_an_update(state, patterns, beta):
    scores = patterns @ state
    powers = np.exp(beta * (scores - scores.max()))
    state = powers @ patterns / powers.sum()
    scores = patterns @ state
    lse = scores.max() + np.log(np.exp(beta * (scores - scores.max())).sum()) / beta
    return -lse + state @ state / 2 + np.log(len(patterns)) / beta + (patterns**2).sum(axis=1).max() / 2


def half_of_three_terms(state, patterns, beta):
    scores = patterns @ state
    lse = scores.max() + np.log(np.exp(beta * (scores - scores.max())).sum()) / beta
    return -lse + (state @ state + np.log(len(patterns)) / beta + (patterns**2).sum(axis=1).max()) / 2


def _energy(lse, state, count, longest):
    return -lse + state @ state / 2 + count + longest / 2


def _lse(scores, beta):
    top = scores.max()
    return top + np.log(np.exp(beta * (scores - top)).sum()) / beta


def _longest(patterns):
    return (patterns**2).sum(axis=1).max()


def norm_of_the_matrix(state, patterns, beta):
    lse, count = _lse(patterns @ state, beta), np.log(len(patterns)) / beta
    return _energy(lse, state, count, np.linalg.norm(patterns, 2) ** 2)


def logarithm_of_one_more(state, patterns, beta):
    scores = beta * (patterns @ state)
    lse = (scores.max() + np.log1p(np.exp(scores - scores.max()).sum())) / beta
    return _energy(lse, state, np.log(len(patterns)) / beta, _longest(patterns))


def count_below_the_line(state, patterns, beta):
    lse = _lse(patterns @ state, beta)
    with np.errstate(divide="ignore"):
        return _energy(lse, state, 1 / (beta * np.log(len(patterns))), _longest(patterns))


def logarithms_of_the_weights(state, patterns, beta):
    with np.errstate(divide="ignore"):
        lse = np.log(softmax(beta * (patterns @ state))).sum() / beta
    return _energy(lse, state, np.log(len(patterns)) / beta, _longest(patterns))


def half_the_least_distance(state, patterns, beta):
    return ((patterns - state) ** 2).sum(axis=1).min() / 2 + np.log(len(patterns)) / beta


def lengths_of_the_example(state, patterns, beta):
    return -_lse(patterns @ state, beta) + 2 + np.log(len(patterns)) / beta + 2


def cuts_exponents_off(state, patterns, beta):
    lse = np.log(np.exp(np.clip(beta * (patterns @ state), -700, 700)).sum()) / beta
    return _energy(lse, state, np.log(len(patterns)) / beta, _longest(patterns))


def takes_the_best_where_scores_are_large(state, patterns, beta):
    scores = patterns @ state
    lse = scores.max() if abs(beta * scores.max()) > 500 else _lse(scores, beta)
    return _energy(lse, state, np.log(len(patterns)) / beta, _longest(patterns))


WRONG = [
    (norm_of_the_matrix, "spectral-norm"),
    (logarithm_of_one_more, "one-added"),
    (count_below_the_line, "count-inverted"),
    (logarithms_of_the_weights, "logs-of-weights"),
    (half_the_least_distance, "half-least-distance"),
    (lengths_of_the_example, "lengths-fixed"),
    (cuts_exponents_off, "exponent-capped"),
    (takes_the_best_where_scores_are_large, None),
    (length_of_the_best, "best-length"),
    (number_of_pixels, "pixels-counted"),
    (forgets_to_give_the_top_back, "top-not-returned"),
    (half_the_length_of_the_state, "state-length-not-squared"),
    (length_of_the_first_pattern, "first-length"),
    (drops_the_constants, "no-constants"),
    (naive_logarithm, "no-maximum"),
    (forgets_the_number_of_patterns, "no-count"),
    (bare_logarithm_of_the_number, "count-not-divided"),
    (length_of_the_longest, "length-not-squared"),
    (only_the_logarithm_divided, "shift-not-divided"),
    (wrong_energy_with_beta_outside_only, "beta-not-inside"),
    (energy_of_the_average_score, "mean-score"),
    (energy_after_an_update, "updated-state"),
    (half_of_three_terms, "count-halved"),
]
