"""Right and wrong answers to the exercises on memory, as people write them; and the numbers in its prose."""

import math

import numpy as np

from attnlib import (
    context_vector,
    context_vectors,
    dot_scores,
    hopfield_energy,
    hopfield_update,
    load_word_vectors,
    memory_context,
    soft_lookup,
    softmax,
    softmax_with_temperature,
)
from attnlib.plots import flip_pixels, pixel_letters, recall_rate
from grader.exercises import memory as bank

# ---------------------------------------------------------------- right, soft_lookup


def scores_weights_mix(query, keys, values, beta):
    scores = keys @ query
    weights = softmax(beta * scores)
    return weights @ values


def attention_with_a_longer_query(query, keys, values, beta):
    return context_vector(beta * query, keys, values)


def plain_python(query, keys, values, beta):
    scores = [beta * sum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    return [sum(p * v[c] for p, v in zip(powers, values, strict=True)) / sum(powers) for c in range(len(values[0]))]


def one_over_a_temperature(query, keys, values, beta):
    weights = softmax_with_temperature(np.reshape(keys @ query, (1, -1)), 1 / beta)
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


# ---------------------------------------------------------------- right, memory_context


def attention_in_three_lines(X, memory_keys, memory_values):
    scores = X @ memory_keys.T
    weights = softmax(scores)
    return weights @ memory_values


def attention_of_part_one(X, memory_keys, memory_values):
    return context_vectors(X, memory_keys, memory_values)


def one_token_at_a_time(X, memory_keys, memory_values):
    return np.array([soft_lookup(x, memory_keys, memory_values, 1.0) for x in X])


def tokens_as_lists(X, memory_keys, memory_values):
    return [plain_python(x, memory_keys, memory_values, 1.0) for x in X]


def einsum_memory(tokens, keys, values):
    return np.einsum("tm,mv->tv", softmax(np.einsum("td,md->tm", tokens, keys)), values)


def memory_in_single_precision(X, memory_keys, memory_values):
    X, memory_keys, memory_values = (a.astype("float32") for a in (X, memory_keys, memory_values))
    return softmax(np.matmul(X, memory_keys.swapaxes(0, 1))) @ memory_values


def divided_at_the_end(X, memory_keys, memory_values, *, beta=1.0):
    scores = beta * np.inner(X, memory_keys)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers @ memory_values / powers.sum(axis=1)[:, None]


def filled_in_place(X, memory_keys, memory_values):
    context = np.zeros((len(X), memory_values.shape[1]))
    for i, x in enumerate(X):
        for weight, value in zip(softmax(memory_keys @ x), memory_values, strict=True):
            context[i] += weight * value
    return context


# ---------------------------------------------------------------- right, hopfield_update


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


# ---------------------------------------------------------------- right, hopfield_energy


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


# ---------------------------------------------------------------- right, recall


def loop_of_updates(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = hopfield_update(picture, patterns, beta)
    return picture


def loop_of_lookups(picture, patterns, beta, steps):
    state = picture.copy()
    while steps > 0:
        state = soft_lookup(state, patterns, patterns, beta)
        steps -= 1
    return state


def recursion(picture, patterns, beta, steps):
    if steps == 0:
        return picture
    return recursion(hopfield_update(picture, patterns, beta), patterns, beta, steps - 1)


def list_of_states(picture, patterns, beta, steps, keep=False):
    states = [picture]
    for _ in range(steps):
        states.append(patterns.T @ softmax(beta * patterns @ states[-1]))
    return states[-1].tolist()


def only_the_weights_travel(picture, patterns, beta, steps):
    overlaps = patterns @ patterns.T
    weights = softmax(beta * (patterns @ picture))
    for _ in range(steps - 1):
        weights = softmax(beta * (overlaps @ weights))
    return weights @ patterns


def recall_in_single_precision(picture, patterns, beta, steps):
    state = np.float32(picture)
    for _ in range(steps):
        state = np.float32(hopfield_update(state, np.float32(patterns), beta))
    return state


VARIANTS = {
    "soft_lookup": [
        scores_weights_mix,
        attention_with_a_longer_query,
        plain_python,
        one_over_a_temperature,
        einsum_throughout,
        single_precision,
        running_sum,
        column_of_weights,
    ],
    "memory_context": [
        attention_in_three_lines,
        attention_of_part_one,
        one_token_at_a_time,
        tokens_as_lists,
        einsum_memory,
        memory_in_single_precision,
        divided_at_the_end,
        filled_in_place,
    ],
    "hopfield_update": [
        lookup_of_itself,
        formula_of_the_paper,
        attention_with_patterns,
        pixel_by_pixel,
        einsum_update,
        update_in_single_precision,
        numpy_average,
    ],
    "hopfield_energy": [
        shifted_logarithm,
        numpy_logaddexp,
        term_by_term,
        mean_inside_the_logarithm,
        an_array_of_one,
        energy_in_single_precision,
    ],
    "recall": [
        loop_of_updates,
        loop_of_lookups,
        recursion,
        list_of_states,
        only_the_weights_travel,
        recall_in_single_precision,
    ],
}


# ---------------------------------------------------------------- wrong


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


def self_attention(X, memory_keys, memory_values):
    return softmax(X @ X.T) @ X


def returns_the_keys(X, memory_keys, memory_values):
    return softmax(X @ memory_keys.T) @ memory_keys


def normalises_over_tokens(X, memory_keys, memory_values):
    scores = X @ memory_keys.T
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0) @ memory_values


def adds_the_tokens(X, memory_keys, memory_values):
    return X + softmax(X @ memory_keys.T) @ memory_values


def scales_by_habit(X, memory_keys, memory_values):
    return softmax(X @ memory_keys.T / np.sqrt(X.shape[-1])) @ memory_values


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


def always_from_the_picture(picture, patterns, beta, steps):
    for _ in range(steps):
        state = hopfield_update(picture, patterns, beta)
    return state


def once_before_the_loop(picture, patterns, beta, steps):
    state = hopfield_update(picture, patterns, beta)
    for _ in range(steps):
        state = hopfield_update(state, patterns, beta)
    return state


def range_from_one(picture, patterns, beta, steps):
    for _ in range(1, steps):
        picture = hopfield_update(picture, patterns, beta)
    return picture


def sign_at_the_end(picture, patterns, beta, steps):
    return np.sign(loop_of_updates(picture, patterns, beta, steps))


def sign_in_the_loop(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = np.sign(hopfield_update(picture, patterns, beta))
    return picture


def forgets_to_return(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = hopfield_update(picture, patterns, beta)


WRONG = {
    "soft_lookup": [
        (beta_left_out, "beta-forgotten"),
        (beta_as_temperature, "beta-divides"),
        (beta_on_the_weights, "beta-after"),
        (mixes_the_keys, "keys-returned"),
        (ratio_of_scores, "ratio"),
        (takes_the_best, "hard"),
        (exponentials_without_shift, "no-maximum"),
        (takes_the_sum_of_values, None),
    ],
    "memory_context": [
        (self_attention, "tokens-read-tokens"),
        (returns_the_keys, "keys-returned"),
        (normalises_over_tokens, "columns"),
        (adds_the_tokens, "added-to-tokens"),
        (scales_by_habit, "scaled"),
    ],
    "hopfield_update": [
        (classical_network, "no-softmax"),
        (rounds_to_ink_and_paper, "signs"),
        (forgets_beta, "beta-forgotten"),
        (returns_the_weights, "weights-returned"),
        (moves_half_way, None),
    ],
    "hopfield_energy": [
        (drops_the_constants, "no-constants"),
        (naive_logarithm, "overflow"),
        (forgets_the_number_of_patterns, "no-count"),
        (bare_logarithm_of_the_number, "count-not-divided"),
        (length_of_the_longest, "length-not-squared"),
    ],
    "recall": [
        (always_from_the_picture, "one-step"),
        (once_before_the_loop, "one-step-more"),
        (range_from_one, "one-step-less"),
        (sign_at_the_end, "rounded"),
        (sign_in_the_loop, "rounds-each-step"),
        (forgets_to_return, "returns-none"),
    ],
    "lost-memory": [
        ([[1.0, 0.0], [1.0, 0.0]], "the-same"),
        ([[1.0, 0.0], [0.8, 0.6]], "equal-length"),
        ([[3.0, 0.0], [1.0, 0.0]], "wrong-way-round"),
        ([[1.0, 0.0], [0.0, 3.0]], "right-angle"),
        ([[0.1, 0.1], [1.0, 1.0]], "lead-too-small"),
        ([[0.01, 0.0], [0.03, 0.0]], "lead-too-small"),
        ([[1.0, 0.0], [-3.0, 0.0]], None),
        ([1.0, 0.0], None),
    ],
}


# ---------------------------------------------------------------- numbers in the prose

KEYS, CONTENTS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([[10.0], [20.0], [30.0]])
TWO = np.array([[1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0]])
STATE = np.array([1.0, 1.0, -1.0, 1.0])


def row_of_key(j):
    score = KEYS[j] @ [1, 1]
    weight = softmax(KEYS @ [1, 1])[j]
    return f"| {CONTENTS[j, 0]:.0f} | {score:.0f} | {math.exp(score):.3f} | {weight:.3f} |"


def sum_by_hand():
    weights = softmax(KEYS @ [1, 1])
    terms = " + ".join(f"{w:.3f} · {v:.0f}" for w, v in zip(weights, CONTENTS[:, 0], strict=True))
    return f"reads {terms} = {soft_lookup([1, 1], KEYS, CONTENTS, 1)[0]:.3f}"


def row_of_pattern(i):
    score = TWO[i] @ STATE
    weight = softmax(0.5 * TWO @ STATE)[i]
    return f"| {score:.0f} | {score / 2:.0f} | {math.exp(score / 2):.3f} | {weight:.3f} |".replace("-", "−")


def france(beta):
    vocabulary, E = load_word_vectors()
    token, cities = E[[vocabulary["france"]]], E[[vocabulary[city] for city in bank.CITIES]]
    north, east = memory_context(beta * token, cities, bank.PLACES)[0]
    return f"| {beta} · france | {north:.1f}, {east:.1f} |"


def letters_at(beta):
    patterns = pixel_letters("ATXLO")
    state = flip_pixels(patterns[0], 0.3)
    for _ in range(3):
        state = hopfield_update(state, patterns, beta)
    return patterns, softmax(beta * patterns @ state)


def shared_pixels():
    patterns, _ = letters_at(1)
    return f"share {(patterns[0] == patterns[4]).sum()} of {patterns.shape[1]} pixels"


def flipped_pixels():
    letter = pixel_letters("A")[0]
    return f"{(flip_pixels(letter, 0.3) != letter).sum()} of its {len(letter)} pixels"


def rate(n, beta):
    return recall_rate(n, 64, 0.3, beta)


def raw_rates():
    return f"with 8 pictures stored, {100 * rate(8, None):.0f} % are recalled, with 16 {'none' * (rate(16, None) == 0)}"


def blend_at_a_small_beta():
    weights = letters_at(0.05)[1]
    return f"with the weights {weights[0]:.2f} and {weights[4]:.2f} after three updates"


def energy_by_hand():
    lse = np.logaddexp.reduce(4 * TWO @ STATE) / 4
    energy = hopfield_energy(STATE, TWO, 4)
    return f"−{lse:.3f} + {STATE @ STATE / 2:.0f} + {math.log(2) / 4:.3f} + {4 / 2:.0f} = {energy:.3f}"


def clean_letter_energy():
    patterns = pixel_letters("ATXLO")
    return f"a clean A has E = {hopfield_energy(patterns[0], patterns, 0.1):.1f}"


def at_rest():
    return hopfield_energy(TWO[0], TWO, 4)


def two_ratios():
    scores = [KEYS @ [1, 1], KEYS @ [-1, -1]]
    first, second = (float((s / s.sum() @ CONTENTS)[0]) for s in scores)
    return f"reads {first:.1f}. The query [−1, −1], which points away from every key, reads {second:.1f} as well"


def two_lookups():
    first, second = (soft_lookup(q, KEYS, CONTENTS, 1)[0] for q in ([1, 1], [-1, -1]))
    return f"at beta 1 it reads {first:.3f} and {second:.3f}"


def update_twice():
    state = hopfield_update(hopfield_update(STATE, TWO, 1), TWO, 1)
    return f"`[{', '.join(f'{x:.3f}'.replace('1.000', '1.0') for x in state)}]`"


NUMBERS = [
    ("| 10 | 1 | 2.718 | 0.212 |", lambda: row_of_key(0)),
    ("| 30 | 2 | 7.389 | 0.576 |", lambda: row_of_key(2)),
    ("reads 0.212 · 10 + 0.212 · 20 + 0.576 · 30 = 23.642", sum_by_hand),
    ("| 2 | 1 | 2.718 | 0.881 |", lambda: row_of_pattern(0)),
    ("| −2 | −1 | 0.368 | 0.119 |", lambda: row_of_pattern(1)),
    ("0.881 · 1 − 0.119 · 1 = 0.762", lambda: f"0.881 · 1 − 0.119 · 1 = {hopfield_update(STATE, TWO, 0.5)[1]:.3f}"),
    ("`[1.0, 0.959, -0.959, -1.0]`", update_twice),
    ("| 1 · france | 44.0, 36.1 |", lambda: france(1)),
    ("| 5 · france | 47.4, 12.9 |", lambda: france(5)),
    ("| 20 · france | 48.9, 2.4 |", lambda: france(20)),
    ("19 of its 64 pixels", flipped_pixels),
    ("share 48 of 64 pixels", shared_pixels),
    ("with the weights 0.39 and 0.40 after three updates", blend_at_a_small_beta),
    ("−2.000 + 2 + 0.173 + 2 = 2.173", energy_by_hand),
    ("10 ln 5 = 16.1", lambda: f"10 ln 5 = {math.log(5) / 0.1:.1f}"),
    ("a clean A has E = 15.7", clean_letter_energy),
    ("On the pattern itself the energy is 0.173", lambda: f"On the pattern itself the energy is {at_rest():.3f}"),
    ("with 8 pictures stored, 60 % are recalled, with 16 none", raw_rates),
    ("with 128 pictures stored, 96 % are", lambda: f"with 128 pictures stored, {100 * rate(128, 0.25):.0f} % are"),
    ("with beta = 0.05, not one of 8", lambda: "with beta = 0.05, not one of 8" * (rate(8, 0.05) == 0)),
    ("reads 22.5. The query [−1, −1], which points away from every key, reads 22.5 as well", two_ratios),
    ("at beta 1 it reads 23.642 and 17.330", two_lookups),
]
