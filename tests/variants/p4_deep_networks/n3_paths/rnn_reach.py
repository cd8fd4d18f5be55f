import numpy as np

from attnlib import rnn_states


def back_through_time(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    onward, reach = np.eye(len(b)), []
    for h in H[::-1]:
        onward = np.diag(1 - h**2) @ onward
        reach.append(np.linalg.norm(W_x @ onward))
        onward = W_h @ onward
    return np.array(reach[::-1])


def forward_from_each_word(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    reach = np.zeros(len(X))
    for t in range(len(X)):
        J = W_x * (1 - H[t] ** 2)
        for s in range(t + 1, len(X)):
            J = J @ W_h * (1 - H[s] ** 2)
        reach[t] = np.sqrt((J**2).sum())
    return reach


def columns_instead_of_rows(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    J, reach = np.eye(len(b)), np.zeros(len(X))
    for t in range(len(X) - 1, -1, -1):
        J = J * (1 - H[t] ** 2)
        reach[t] = np.linalg.norm(J @ W_x.T)
        J = J @ W_h.T
    return reach


def all_words_carried_along(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    moved = np.zeros((len(X), X.shape[1], len(b)))
    for t in range(len(X)):
        moved = moved @ W_h
        moved[t] = W_x
        moved = moved * (1 - H[t] ** 2)
    return np.linalg.norm(moved, axis=(1, 2))


def by_nudges(X, W_x, W_h, b):
    X, W_x, W_h, b = (np.asarray(one, dtype=float) for one in (X, W_x, W_h, b))
    reach, e = np.zeros(len(X)), 1e-5
    for t in range(len(X)):
        for i in range(X.shape[1]):
            up, down = X.copy(), X.copy()
            up[t, i] += e
            down[t, i] -= e
            reach[t] += (((rnn_states(up, W_x, W_h, b)[-1] - rnn_states(down, W_x, W_h, b)[-1]) / (2 * e)) ** 2).sum()
    return np.sqrt(reach)


def list_with_einsum(X, W_x, W_h, b):
    H, reach = rnn_states(X, W_x, W_h, b), []
    onward = np.identity(W_h.shape[0])
    for t in reversed(range(X.shape[0])):
        onward = np.einsum("i,ij->ij", 1 - np.square(H[t]), onward)
        J = np.einsum("ij,jk->ik", W_x, onward)
        reach.insert(0, float(np.sqrt(np.einsum("ij,ij", J, J))))
        onward = np.einsum("ij,jk->ik", W_h, onward)
    return reach


def in_single_precision(X, W_x, W_h, b):
    return np.float32(back_through_time(*(np.float32(one) for one in (X, W_x, W_h, b))))


VARIANTS = [
    back_through_time,
    forward_from_each_word,
    columns_instead_of_rows,
    all_words_carried_along,
    by_nudges,
    list_with_einsum,
    in_single_precision,
]


def _back(X, W_x, W_h, b, slope=lambda h: 1 - h**2, measure=np.linalg.norm):
    H = rnn_states(X, W_x, W_h, b)
    onward, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        onward = slope(H[t])[:, None] * onward
        reach[t] = measure(W_x @ onward)
        onward = W_h @ onward
    return reach


def matrices_only(X, W_x, W_h, b):
    return _back(X, W_x, W_h, b, np.ones_like)


def one_minus_h(X, W_x, W_h, b):
    return _back(X, W_x, W_h, b, lambda h: 1 - h)


def tanh_of_h(X, W_x, W_h, b):
    return _back(X, W_x, W_h, b, lambda h: 1 - np.tanh(h) ** 2)


def slopes_of_the_state_before(X, W_x, W_h, b):
    H = np.vstack([np.zeros(len(b)), rnn_states(X, W_x, W_h, b)])
    onward, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        onward = (1 - H[t] ** 2)[:, None] * onward
        reach[t] = np.linalg.norm(W_x @ onward)
        onward = W_h @ onward
    return reach


def passes_the_transpose(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    onward, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        onward = (1 - H[t] ** 2)[:, None] * onward
        reach[t] = np.linalg.norm(W_x @ onward)
        onward = W_h.T @ onward
    return reach


def of_the_state(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    onward, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        onward = (1 - H[t] ** 2)[:, None] * onward
        reach[t] = np.linalg.norm(onward)
        onward = W_h @ onward
    return reach


def newest_factor_behind(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    reach = np.zeros(len(X))
    for t in range(len(X)):
        J = np.diag(1 - H[t] ** 2)
        for s in range(t + 1, len(X)):
            J = (W_h * (1 - H[s] ** 2)) @ J
        reach[t] = np.linalg.norm(W_x @ J)
    return reach


def as_it_went(X, W_x, W_h, b):
    return back_through_time(X, W_x, W_h, b)[::-1]


def own_state_only(X, W_x, W_h, b):
    return np.array([np.linalg.norm(W_x * (1 - h**2)) for h in rnn_states(X, W_x, W_h, b)])


def of_the_first_word(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    J = W_x * (1 - H[0] ** 2)
    reach = [np.linalg.norm(J)]
    for h in H[1:]:
        J = J @ W_h * (1 - h**2)
        reach.append(np.linalg.norm(J))
    return np.array(reach)


def begins_before_the_last_tanh(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    reach = [np.linalg.norm(W_x)]
    onward = np.eye(len(b))
    for h in H[-2::-1]:
        onward = (1 - h**2)[:, None] * (W_h @ onward)
        reach.append(np.linalg.norm(W_x @ onward))
    return np.array(reach[::-1])


def steps_before_it_measures(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    onward, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        onward = W_h @ ((1 - H[t] ** 2)[:, None] * onward)
        reach[t] = np.linalg.norm(W_x @ onward)
    return reach


def product_of_norms(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    reach, further = np.zeros(len(X)), 1.0
    for t in reversed(range(len(X))):
        reach[t] = np.linalg.norm(W_x * (1 - H[t] ** 2)) * further
        further *= np.linalg.norm(W_h * (1 - H[t] ** 2))
    return reach


def vector_of_ones(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    back, reach = np.ones(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        back = (1 - H[t] ** 2) * back
        reach[t] = np.linalg.norm(W_x @ back)
        back = W_h @ back
    return reach


def sum_of_squares(X, W_x, W_h, b):
    return _back(X, W_x, W_h, b, measure=lambda J: (J**2).sum())


def summed(X, W_x, W_h, b):
    return _back(X, W_x, W_h, b, measure=np.sum)


def spectral(X, W_x, W_h, b):
    return _back(X, W_x, W_h, b, measure=lambda J: np.linalg.norm(J, 2))


def slopes_on_the_columns(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    reach = np.zeros(len(X))
    for t in range(len(X)):
        J = np.diag(1 - H[t] ** 2)
        for s in range(t + 1, len(X)):
            J = J @ ((1 - H[s] ** 2)[:, None] * W_h)
        reach[t] = np.linalg.norm(W_x @ J)
    return reach


def shares(X, W_x, W_h, b):
    reach = back_through_time(X, W_x, W_h, b)
    return reach / reach.sum()


def grows_behind(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    J, reach = np.eye(len(b)), []
    for h in H[::-1]:
        J = J @ np.diag(1 - h**2)
        reach.insert(0, np.linalg.norm(W_x @ J))
        J = J @ W_h
    return np.array(reach)


def slopes_times_columns(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    onward, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        onward = (1 - H[t] ** 2) * onward
        reach[t] = np.linalg.norm(W_x @ onward)
        onward = W_h @ onward
    return reach


def enters_at_the_end(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    onward, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        onward = np.diag(1 - H[t] ** 2) @ onward
        reach[t] = np.linalg.norm(onward @ W_x.T)
        onward = W_h @ onward
    return reach


def begins_with_its_own_step(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    reach = np.zeros(len(X))
    for t in range(len(X)):
        J = W_x * (1 - H[t] ** 2)
        for h in H[t:]:
            J = J @ W_h * (1 - h**2)
        reach[t] = np.linalg.norm(J)
    return reach


def _with_slopes(S, W_x, W_h):
    M, reach = np.eye(S.shape[1]), np.zeros(len(S))
    for t in reversed(range(len(S))):
        M = S[t][:, None] * M
        reach[t] = np.linalg.norm(W_x @ M)
        M = W_h @ M
    return reach


def reads_the_row_before(X, W_x, W_h, b):
    S = 1 - rnn_states(X, W_x, W_h, b) ** 2
    return _with_slopes(S[[t - 1 for t in range(len(S))]], W_x, W_h)


def reads_the_row_after(X, W_x, W_h, b):
    S = 1 - rnn_states(X, W_x, W_h, b) ** 2
    return _with_slopes(S[[min(t + 1, len(S) - 1) for t in range(len(S))]], W_x, W_h)


def reads_the_row_after_while_there_is_one(X, W_x, W_h, b):
    S = 1 - rnn_states(X, W_x, W_h, b) ** 2
    M, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        if t + 1 < len(X):
            M = S[t + 1][:, None] * M
        reach[t] = np.linalg.norm(W_x @ M)
        M = W_h @ M
    return reach


def reads_the_last_row(X, W_x, W_h, b):
    S = 1 - rnn_states(X, W_x, W_h, b) ** 2
    return _with_slopes(S[[-1] * len(S)], W_x, W_h)


def bends_once_at_the_end(X, W_x, W_h, b):
    M, reach = np.diag(1 - rnn_states(X, W_x, W_h, b)[-1] ** 2), np.zeros(len(X))
    for t in reversed(range(len(X))):
        reach[t] = np.linalg.norm(W_x @ M)
        M = W_h @ M
    return reach


def measures_before_its_slope(X, W_x, W_h, b):
    S = 1 - rnn_states(X, W_x, W_h, b) ** 2
    M, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        reach[t] = np.linalg.norm(W_x @ M)
        M = W_h @ (S[t][:, None] * M)
    return reach


def slopes_without_passages(X, W_x, W_h, b):
    return _with_slopes(1 - rnn_states(X, W_x, W_h, b) ** 2, W_x, np.eye(len(b)))


def passages_behind(X, W_x, W_h, b):
    S = 1 - rnn_states(X, W_x, W_h, b) ** 2
    M, reach = np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        M = S[t][:, None] * M
        reach[t] = np.linalg.norm(W_x @ M)
        M = M @ W_h
    return reach


def reach_by(slope, measure, X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    M, found = np.eye(len(b)), []
    for h in H[::-1]:
        M = slope(h)[:, None] * M
        found.append(measure(W_x @ M))
        M = W_h @ M
    return np.array(found[::-1])


def square_for_slope(X, W_x, W_h, b):
    return reach_by(lambda h: h**2, np.linalg.norm, X, W_x, W_h, b)


def the_largest(X, W_x, W_h, b):
    return reach_by(lambda h: 1 - h**2, lambda J: np.abs(J).max(), X, W_x, W_h, b)


def root_of_the_mean(X, W_x, W_h, b):
    return reach_by(lambda h: 1 - h**2, lambda J: np.sqrt((J**2).mean()), X, W_x, W_h, b)


def strengths_multiplied(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    reach, found = 1.0, []
    for h in H[::-1]:
        reach *= np.linalg.norm(1 - h**2)
        found.append(np.linalg.norm(W_x) * reach)
        reach *= np.linalg.norm(W_h)
    return np.array(found[::-1])


def _nudged(X, W_x, W_h, b, step=1e-4, back=0.0, whole=False):
    """The derivative by each word, by a nudge of one number after the other, or of all at once."""
    found = []
    for t in range(len(X)):
        rows = []
        for i in [slice(None)] if whole else range(X.shape[1]):
            up, down = X.copy(), X.copy()
            up[t, i] += step
            down[t, i] -= back
            moved = rnn_states(up, W_x, W_h, b)[-1] - rnn_states(down, W_x, W_h, b)[-1]
            rows.append(moved / (step + back))
        found.append(np.array(rows))
    return found


def nudges_forward(X, W_x, W_h, b):
    return np.array([np.linalg.norm(J) for J in _nudged(X, W_x, W_h, b)])


def nudges_forward_by_less(X, W_x, W_h, b, step=1 / 100_000):
    return np.array([np.linalg.norm(J) for J in _nudged(X, W_x, W_h, b, step)])


def nudges_far(X, W_x, W_h, b):
    return np.array([np.linalg.norm(J) for J in _nudged(X, W_x, W_h, b, 2e-2, 2e-2)])


def nuclear_norm(X, W_x, W_h, b):
    return np.array([np.linalg.norm(J, "nuc") for J in _nudged(X, W_x, W_h, b, back=1e-4)])


def nudges_whole_words_forward(X, W_x, W_h, b):
    return np.array([np.linalg.norm(J) for J in _nudged(X, W_x, W_h, b, whole=True)])


def norm_one(X, W_x, W_h, b):
    return np.array([np.linalg.norm(J, 1) for J in _nudged(X, W_x, W_h, b, back=1e-4)])


def norm_of_infinity(X, W_x, W_h, b):
    return np.array([np.linalg.norm(J, np.inf) for J in _nudged(X, W_x, W_h, b, back=1e-4)])


def one_minus_the_size(X, W_x, W_h, b):
    return _back(X, W_x, W_h, b, lambda h: 1 - np.abs(h))


def square_of_the_difference(X, W_x, W_h, b):
    return _back(X, W_x, W_h, b, lambda h: (1 - h) ** 2)


def takes_each_word_out(X, W_x, W_h, b):
    found, last = [], rnn_states(X, W_x, W_h, b)[-1]
    for t in range(len(X)):
        without = X.copy()
        without[t] = 0
        found.append(np.linalg.norm(rnn_states(without, W_x, W_h, b)[-1] - last))
    return np.array(found)


# Each with the mistake that the judge should name, or None.
def product_grows_forwards(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    out, onward = np.zeros(len(X)), np.eye(len(b))
    for t in range(len(X)):
        onward = (1 - H[t] ** 2)[:, None] * onward
        out[t] = np.linalg.norm(W_x @ onward)
        onward = W_h @ onward
    return out


def _last_state(X, W_x, W_h, b):
    h = np.zeros(len(b))
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h + b)
    return h


def nudges_whole_words(X, W_x, W_h, b):
    reach = []
    for t in range(len(X)):
        up, down = X.astype(float), X.astype(float)
        up[t] += 1e-5
        down[t] -= 1e-5
        reach.append(np.linalg.norm(_last_state(up, W_x, W_h, b) - _last_state(down, W_x, W_h, b)) / 2e-5)
    return np.array(reach)


def star_for_at(X, W_x, W_h, b):
    H = [_last_state(X[: t + 1], W_x, W_h, b) for t in range(len(X))]
    J, reach = np.eye(len(b)), []
    for h in reversed(H):
        J = (1 - h**2)[:, None] * J
        reach.append(np.linalg.norm(W_x @ J))
        J = W_h * J
    return np.array(reach[::-1])


def begins_with_the_bias(X, W_x, W_h, b):
    H = [b]
    for x in X:
        H.append(np.tanh(x @ W_x + H[-1] @ W_h + b))
    J, reach = np.eye(len(b)), []
    for h in H[:0:-1]:
        J = (1 - h**2)[:, None] * J
        reach.append(np.linalg.norm(W_x @ J))
        J = W_h @ J
    return np.array(reach[::-1])


def _slopes(X, W_x, W_h, b):
    return 1 - rnn_states(X, W_x, W_h, b) ** 2


def diagonal_by_star(X, W_x, W_h, b):
    D, M, out = _slopes(X, W_x, W_h, b), np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        M = np.diag(D[t]) * M
        out[t] = np.linalg.norm(W_x @ M)
        M = W_h @ M
    return out


def forwards_and_turned(X, W_x, W_h, b):
    D, M, out = _slopes(X, W_x, W_h, b), np.eye(len(b)), []
    for t in range(len(X)):
        M = M * D[t]
        out.append(np.linalg.norm(W_x @ M))
        M = M @ W_h
    return np.array(out[::-1])


def of_all_the_states(X, W_x, W_h, b, e=1e-5):
    out = []
    for t in range(len(X)):
        J = []
        for i in range(X.shape[1]):
            up, down = X.astype(float), X.astype(float)
            up[t, i] += e
            down[t, i] -= e
            J.append((rnn_states(up, W_x, W_h, b) - rnn_states(down, W_x, W_h, b)) / (2 * e))
        out.append(np.linalg.norm(np.array(J)))
    return np.array(out)


def one_passage_for_all(X, W_x, W_h, b):
    D, out = _slopes(X, W_x, W_h, b), []
    for t in range(len(X)):
        M = W_x * D[t]
        if t < len(X) - 1:
            M = M @ W_h * np.prod(D[t + 1 :], axis=0)
        out.append(np.linalg.norm(M))
    return np.array(out)


def only_the_ends_bend(X, W_x, W_h, b):
    D, n, out = _slopes(X, W_x, W_h, b), len(X), []
    for t in range(n):
        M = W_x * D[t] @ np.linalg.matrix_power(W_h, n - 1 - t)
        out.append(np.linalg.norm(M * D[-1] if t < n - 1 else M))
    return np.array(out)


def only_its_own_bend(X, W_x, W_h, b):
    D, n = _slopes(X, W_x, W_h, b), len(X)
    return np.array([np.linalg.norm(W_x * D[t] @ np.linalg.matrix_power(W_h, n - 1 - t)) for t in range(n)])


def bends_without_the_state(X, W_x, W_h, b):
    D, M, out = 1 - np.tanh(X @ W_x + b) ** 2, np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        M = D[t][:, None] * M
        out[t] = np.linalg.norm(W_x @ M)
        M = W_h @ M
    return out


def bends_like_a_sigmoid(X, W_x, W_h, b):
    H = rnn_states(X, W_x, W_h, b)
    D, M, out = H * (1 - H), np.eye(len(b)), np.zeros(len(X))
    for t in reversed(range(len(X))):
        M = D[t][:, None] * M
        out[t] = np.linalg.norm(W_x @ M)
        M = W_h @ M
    return out


def backward_only(X, W_x, W_h, b):
    out = []
    for t in range(len(X)):
        J = []
        for i in range(X.shape[1]):
            down = X.astype(float)
            down[t, i] -= 0.0001
            J.append((rnn_states(X, W_x, W_h, b)[-1] - rnn_states(down, W_x, W_h, b)[-1]) / 0.0001)
        out.append(np.linalg.norm(J))
    return np.array(out)


def _walked(
    X, W_x, W_h, b, slope=lambda h: 1 - h**2, norm=lambda M, x: np.linalg.norm(M), start=lambda h: np.eye(len(h))
):
    h, H = np.zeros(len(b)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h + b)
        H.append(h)
    J, found = start(H[-1]), []
    for t in reversed(range(len(X))):
        J = np.reshape(slope(H[t]), (-1, 1)) * J
        found.append(norm(W_x @ J, X[t]))
        J = W_h @ J
    return np.array(found[::-1])


def slope_with_a_plus(X, W_x, W_h, b):
    return _walked(X, W_x, W_h, b, slope=lambda h: 1 + h**2)


def along_the_word(X, W_x, W_h, b):
    return _walked(X, W_x, W_h, b, norm=lambda M, x: np.linalg.norm(x @ M))


def mean_size_of_entries(X, W_x, W_h, b):
    return _walked(X, W_x, W_h, b, norm=lambda M, x: np.abs(M).mean())


def begins_with_a_matrix_of_ones(X, W_x, W_h, b):
    return _walked(X, W_x, W_h, b, start=lambda h: np.ones((len(h), len(h))))


def begins_with_the_last_slopes(X, W_x, W_h, b):
    return _walked(X, W_x, W_h, b, start=lambda h: np.diag(1 - h**2))


def one_number_for_all_slopes(X, W_x, W_h, b):
    return _walked(X, W_x, W_h, b, slope=lambda h: 1 - h @ h)


def mean_of_the_slopes(X, W_x, W_h, b):
    return _walked(X, W_x, W_h, b, slope=lambda h: (1 - h**2).mean())


def _nudged_one_by_one(X, W_x, W_h, b, keep):
    def last(X):
        h = np.zeros(len(b))
        for x in X:
            h = np.tanh(x @ W_x + h @ W_h + b)
        return h

    out = np.zeros(len(X))
    for t, i in np.ndindex(X.shape):
        up, down = X.astype(float), X.astype(float)
        up[t, i] += 1e-5
        down[t, i] -= 1e-5
        out[t] = keep(out[t], np.linalg.norm(last(up) - last(down)) / 2e-5, i)
    return out


def overwritten_in_the_inner_loop(X, W_x, W_h, b):
    return _nudged_one_by_one(X, W_x, W_h, b, lambda old, new, i: new)


def nudges_the_first_number(X, W_x, W_h, b):
    return _nudged_one_by_one(X, W_x, W_h, b, lambda old, new, i: old if i else new)


def adds_the_norms_of_the_rows(X, W_x, W_h, b):
    return _nudged_one_by_one(X, W_x, W_h, b, lambda old, new, i: old + new)


def averages_the_norms_of_the_rows(X, W_x, W_h, b):
    return adds_the_norms_of_the_rows(X, W_x, W_h, b) / X.shape[1]


WRONG = [
    (takes_each_word_out, "word-taken-out"),
    (one_minus_the_size, "slope-of-the-size"),
    (square_of_the_difference, "difference-squared"),
    (begins_with_a_matrix_of_ones, "begins-with-ones"),
    (begins_with_the_last_slopes, "last-slope-twice"),
    (one_number_for_all_slopes, "one-slope-for-all"),
    (mean_of_the_slopes, "mean-slope"),
    (overwritten_in_the_inner_loop, "last-number-only"),
    (nudges_the_first_number, "first-number-only"),
    (adds_the_norms_of_the_rows, "row-norms-added"),
    (averages_the_norms_of_the_rows, "row-norms-averaged"),
    (slope_with_a_plus, "slope-added"),
    (along_the_word, "times-the-word"),
    (mean_size_of_entries, "mean-of-sizes"),
    (diagonal_by_star, "entry-by-entry"),
    (forwards_and_turned, "built-forwards-turned"),
    (of_all_the_states, "of-all-states"),
    (one_passage_for_all, "one-passage"),
    (only_the_ends_bend, "inner-slopes-missing"),
    (only_its_own_bend, "only-own-slope"),
    (bends_without_the_state, "slope-of-the-word-alone"),
    (bends_like_a_sigmoid, "slope-of-a-sigmoid"),
    (backward_only, "one-sided-below"),
    (nudges_forward, "one-sided"),
    (nudges_forward_by_less, "one-sided"),
    (nudges_far, "long-steps"),
    (nuclear_norm, "sum-of-stretches"),
    (nudges_whole_words_forward, "entries-together"),
    (norm_one, "largest-column"),
    (norm_of_infinity, "largest-row"),
    (square_for_slope, "slope-is-square"),
    (the_largest, "largest-entry"),
    (root_of_the_mean, "mean-square"),
    (strengths_multiplied, "norms-of-matrices"),
    (nudges_whole_words, "entries-together"),
    (star_for_at, "entry-by-entry"),
    (begins_with_the_bias, "starts-at-the-bias"),
    (product_grows_forwards, "built-forwards"),
    (matrices_only, "no-slopes"),
    (one_minus_h, "slope-not-squared"),
    (tanh_of_h, "slope-of-state"),
    (slopes_of_the_state_before, "slope-a-step-late"),
    (reads_the_row_before, "slope-of-the-word-before"),
    (reads_the_row_after, "slope-of-the-word-after"),
    (reads_the_row_after_while_there_is_one, "slope-of-the-next-step"),
    (reads_the_last_row, "last-slope-everywhere"),
    (bends_once_at_the_end, "last-slope-only"),
    (measures_before_its_slope, "own-slope-missing"),
    (slopes_without_passages, "passages-forgotten"),
    (passages_behind, "passages-on-the-far-side"),
    (slopes_on_the_columns, "slope-on-the-wrong-side"),
    (passes_the_transpose, "state-transposed"),
    (of_the_state, "input-forgotten"),
    (newest_factor_behind, "order-turned"),
    (as_it_went, "reversed"),
    (grows_behind, "joined-behind"),
    (slopes_times_columns, "slopes-on-the-far-side"),
    (enters_at_the_end, "input-on-the-far-side"),
    (begins_with_its_own_step, "first-step-twice"),
    (own_state_only, "one-step-only"),
    (of_the_first_word, "from-the-first"),
    (begins_before_the_last_tanh, "last-slope-missing"),
    (steps_before_it_measures, "one-step-too-far"),
    (product_of_norms, "lengths-multiplied"),
    (vector_of_ones, "sum-of-state"),
    (sum_of_squares, "squared"),
    (summed, "sum-of-entries"),
    (spectral, "largest-stretch"),
    (shares, "normalised"),
]
