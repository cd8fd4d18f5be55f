import numpy as np


def loop_over_words(X, W_x, W_h, b):
    h = np.zeros(len(b))
    states = []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h + b)
        states.append(h)
    return np.array(states)


def rows_of_a_matrix_that_is_there(X, W_x, W_h, b):
    H = np.zeros((len(X), W_h.shape[0]))
    for t in range(len(X)):
        H[t] = np.tanh(X[t] @ W_x + H[t - 1] @ W_h + b)  # H[-1] is still zeros at t = 0
    return H


def products_of_all_words_first(X, W_x, W_h, b):
    given = X @ W_x + b
    H = [np.tanh(given[0])]
    for one in given[1:]:
        H.append(np.tanh(one + H[-1] @ W_h))
    return np.stack(H)


def lists_of_lists(X, W_x, W_h, b):
    d_in, d_h = np.shape(W_x)
    h, H = [0.0] * d_h, []
    for x in np.asarray(X).tolist():
        h = [
            np.tanh(sum(x[i] * W_x[i][j] for i in range(d_in)) + sum(h[i] * W_h[i][j] for i in range(d_h)) + b[j])
            for j in range(d_h)
        ]
        H.append([float(one) for one in h])
    return H


def with_einsum(X, W_x, W_h, b):
    h = np.zeros_like(b)
    H = np.empty((X.shape[0], b.shape[0]))
    for t in range(X.shape[0]):
        h = np.tanh(np.einsum("i,ij->j", X[t], W_x) + np.einsum("i,ij->j", h, W_h) + b)
        H[t] = h
    return H


def one_stacked_matrix(X, W_x, W_h, b):
    W = np.vstack([W_x, W_h, b])
    h, H = np.zeros(W_h.shape[0]), []
    for x in X:
        h = np.tanh(np.concatenate([x, h, [1.0]]) @ W)
        H.append(h)
    return np.array(H)


def recursion(X, W_x, W_h, b):
    if len(X) == 0:
        return np.zeros((0, len(b)))
    before = recursion(X[:-1], W_x, W_h, b)
    last = before[-1] if len(before) else np.zeros(len(b))
    return np.vstack([before, np.tanh(X[-1] @ W_x + last @ W_h + b)])


def in_single_precision(X, W_x, W_h, b):
    X, W_x, W_h, b = (np.float32(one) for one in (X, W_x, W_h, b))
    return loop_over_words(X, W_x, W_h, b).astype(np.float32)


def tanh_by_exponentials(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        a = x @ W_x + h @ W_h + b
        h = (np.exp(a) - np.exp(-a)) / (np.exp(a) + np.exp(-a))
        H.append(h)
    return np.array(H)


VARIANTS = [
    loop_over_words,
    rows_of_a_matrix_that_is_there,
    products_of_all_words_first,
    lists_of_lists,
    with_einsum,
    one_stacked_matrix,
    recursion,
    in_single_precision,
    tanh_by_exponentials,
]


def returns_h(X, W_x, W_h, b):
    h = np.zeros(len(b))
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h + b)
    return h


def collects_from_the_start(X, W_x, W_h, b):
    H = [np.zeros(len(b))]
    for x in X:
        H.append(np.tanh(x @ W_x + H[-1] @ W_h + b))
    return np.array(H)


def writes_down_too_early(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        H.append(h)
        h = np.tanh(x @ W_x + h @ W_h + b)
    return np.array(H)


def matrix_times_column(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(W_x.T @ x + W_h @ h + b)
        H.append(h)
    return np.array(H)


def straight(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = x @ W_x + h @ W_h + b
        H.append(h)
    return np.array(H)


def squashed_to_shares(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = 1 / (1 + np.exp(-(x @ W_x + h @ W_h + b)))
        H.append(h)
    return np.array(H)


def rectified(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.maximum(0, x @ W_x + h @ W_h + b)
        H.append(h)
    return np.array(H)


def all_words_at_once(X, W_x, W_h, b):
    return np.tanh(X @ W_x + np.zeros(len(b)) @ W_h + b)


def new_name_for_the_new_state(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h_new = np.tanh(x @ W_x + h @ W_h + b)
        H.append(h_new)
    return np.array(H)


def second_round_at_once(X, W_x, W_h, b):
    first = np.tanh(X[0] @ W_x + b)
    return np.vstack([first, np.tanh(X[1:] @ W_x + first @ W_h + b)])


def without_b(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        H.append(h)
    return np.array(H)


def b_behind_the_bracket(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h) + b
        H.append(h)
    return np.array(H)


def h_behind_the_bracket(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x + b) + h @ W_h
        H.append(h)
    return np.array(H)


def two_brackets(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x) + np.tanh(h @ W_h) + b
        H.append(h)
    return np.array(H)


def bends_only_what_it_writes(X, W_x, W_h, b):
    a, H = np.zeros(len(b)), []
    for x in X:
        a = x @ W_x + a @ W_h + b
        H.append(np.tanh(a))
    return np.array(H)


def adds_up(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = h + np.tanh(x @ W_x + h @ W_h + b)
        H.append(h)
    return np.array(H)


def backwards(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X[::-1]:
        h = np.tanh(x @ W_x + h @ W_h + b)
        H.append(h)
    return np.array(H)


def range_from_one(X, W_x, W_h, b):
    H = np.zeros((len(X), len(b)))
    for t in range(1, len(X)):
        H[t] = np.tanh(X[t] @ W_x + H[t - 1] @ W_h + b)
    return H


def range_less_one(X, W_x, W_h, b):
    H = np.zeros((len(X), len(b)))
    for t in range(len(X) - 1):
        H[t] = np.tanh(X[t] @ W_x + H[t - 1] @ W_h + b)
    return H


def begins_with_ones(X, W_x, W_h, b):
    h, H = np.ones(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h + b)
        H.append(h)
    return np.array(H)


def bias_into_the_first_state(X, W_x, W_h, b):
    h, H = None, []
    for x in X:
        h = np.tanh(x @ W_x + b) if h is None else np.tanh(x @ W_x + h @ W_h)
        H.append(h)
    return np.array(H)


def never_hears(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for _ in X:
        h = np.tanh(h @ W_h + b)
        H.append(h)
    return np.array(H)


def asks_the_one_before_that(X, W_x, W_h, b):
    H = [np.zeros(len(b))]
    for t in range(len(X)):
        H.append(np.tanh(X[t] @ W_x + H[max(t - 1, 0)] @ W_h + b))
    return np.array(H[1:])


def mean_so_far(X, W_x, W_h, b):
    H = []
    for x in X:
        old = np.mean(H, axis=0) if H else np.zeros(len(b))
        H.append(np.tanh(x @ W_x + old @ W_h + b))
    return np.array(H)


def bends_all_words_first(X, W_x, W_h, b):
    H = np.tanh(X @ W_x + b)
    for t in range(1, len(X)):
        H[t] = np.tanh(H[t] + H[t - 1] @ W_h)
    return H


def the_same_array_each_time(X, W_x, W_h, b):
    h, states = np.zeros(len(b)), []
    for x in X:
        h[:] = np.tanh(x @ W_x + h @ W_h + b)
        states.append(h)
    return np.array(states)


def word_behind_the_bend(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = x @ W_x + np.tanh(h @ W_h + b)
        H.append(h)
    return np.array(H)


def all_at_once(X, W_x, W_h, b):
    alone = np.tanh(X @ W_x + b)
    H = alone.copy()
    H[1:] = np.tanh(X[1:] @ W_x + alone[:-1] @ W_h + b)
    return H


def begins_at_the_bias(X, W_x, W_h, b):
    h, H = b, []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h + b)
        H.append(h)
    return np.array(H)


def bias_inside_the_brackets(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x + (h + b) @ W_h)
        H.append(h)
    return np.array(H)


def reads_the_first_word_before_the_loop(X, W_x, W_h, b):
    H = [np.tanh(X[0] @ W_x + b)]
    for x in X:
        H.append(np.tanh(x @ W_x + H[-1] @ W_h + b))
    return np.array(H[1:])


def bends_the_state_with_the_bias(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x) + np.tanh(h @ W_h + b)
        H.append(h)
    return np.array(H)


def bends_the_word_with_the_bias(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x + b) + np.tanh(h @ W_h)
        H.append(h)
    return np.array(H)


def _step_by_step(X, W_h, b, step):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = step(x, h)
        H.append(h)
    return np.array(H)


def bends_what_comes_of_the_state(X, W_x, W_h, b):
    return _step_by_step(X, W_h, b, lambda x, h: np.tanh(x @ W_x + np.tanh(h @ W_h) + b))


def sends_the_word_through_both(X, W_x, W_h, b):
    return _step_by_step(X, W_h, b, lambda x, h: np.tanh((x @ W_x + h) @ W_h + b))


def cuts(X, W_x, W_h, b):
    return _step_by_step(X, W_h, b, lambda x, h: np.clip(x @ W_x + h @ W_h + b, -1, 1))


def begins_at_the_second_row(X, W_x, W_h, b):
    H = X @ W_x
    for t in range(1, len(X)):
        H[t] = np.tanh(H[t] + H[t - 1] @ W_h + b)
    return H


def a_star_before_the_state_s_matrix(X, W_x, W_h, b):
    H, h = [], np.zeros(len(W_h))
    for x in X:
        h = np.tanh(x @ W_x + h * W_h + b)
        H.append(h)
    return np.array(H)


def a_star_before_the_word_s_matrix(X, W_x, W_h, b):
    H, h = [], np.zeros(len(W_h))
    for x in X:
        h = np.tanh(x * W_x + h @ W_h + b)
        H.append(h)
    return np.array(H)


# Each with the mistake that the judge should name, or None.
def reads_the_last_row_at_first(X, W_x, W_h, b):
    H = X @ W_x + b
    for t in range(len(X)):
        H[t] = np.tanh(H[t] + H[t - 1] @ W_h)
    return H


def writes_the_sum_down(X, W_x, W_h, b):
    h, H = np.zeros(len(b)), []
    for x in X:
        a = x @ W_x + h @ W_h + b
        h = np.tanh(a)
        H.append(a)
    return np.array(H)


def begins_without_the_bias(X, W_x, W_h, b):
    h = np.tanh(X[0] @ W_x)
    H = [h]
    for x in X[1:]:
        h = np.tanh(x @ W_x + h @ W_h + b)
        H.append(h)
    return np.array(H)


def all_in_each_round(X, W_x, W_h, b):
    H = np.zeros((len(X), len(b)))
    for _ in range(len(X)):
        H = np.tanh(X @ W_x + H @ W_h + b)
    return H


WRONG = [
    (all_in_each_round, "all-rounds-each"),
    (begins_without_the_bias, "first-without-bias"),
    (writes_the_sum_down, "sums-kept"),
    (reads_the_last_row_at_first, "starts-at-the-last"),
    (a_star_before_the_state_s_matrix, "state-entry-by-entry"),
    (a_star_before_the_word_s_matrix, "word-entry-by-entry"),
    (bends_what_comes_of_the_state, "state-bent-again"),
    (sends_the_word_through_both, "word-through-state"),
    (cuts, "cut-to-one"),
    (begins_at_the_second_row, "first-row-unbent"),
    (reads_the_first_word_before_the_loop, "first-word-twice"),
    (bends_the_state_with_the_bias, "each-part-bent-bias-with-state"),
    (bends_the_word_with_the_bias, "each-part-bent-bias-with-word"),
    (all_at_once, "one-step-back"),
    (begins_at_the_bias, "starts-at-the-bias"),
    (bias_inside_the_brackets, "bias-passed-on"),
    (word_behind_the_bend, "word-outside"),
    (returns_h, "last-only"),
    (collects_from_the_start, "with-start"),
    (writes_down_too_early, "before-each-word"),
    (matrix_times_column, "state-transposed"),
    (straight, "no-tanh"),
    (squashed_to_shares, "sigmoid"),
    (rectified, "relu"),
    (all_words_at_once, "not-passed-on"),
    (new_name_for_the_new_state, "not-passed-on"),
    (second_round_at_once, "first-state-always"),
    (without_b, "bias-forgotten"),
    (b_behind_the_bracket, "bias-outside"),
    (bias_into_the_first_state, "bias-once"),
    (h_behind_the_bracket, "state-outside"),
    (two_brackets, "each-part-bent"),
    (bends_only_what_it_writes, "carries-the-sum"),
    (adds_up, "kept-besides"),
    (bends_all_words_first, "bent-twice"),
    (never_hears, "word-ignored"),
    (backwards, "from-the-end"),
    (range_from_one, "first-skipped"),
    (range_less_one, "last-skipped"),
    (begins_with_ones, "starts-at-one"),
    (asks_the_one_before_that, "two-steps-back"),
    (mean_so_far, "mean-of-states"),
    (the_same_array_each_time, "last-everywhere"),
]
