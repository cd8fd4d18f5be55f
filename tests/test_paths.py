import numpy as np
import pytest

from attnlib import context_reach, rnn_reach, rnn_states, softmax, teach_rnn


def network(seed=0, n=7, d_in=5, d_h=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d_in)), rng.normal(size=(d_in, d_h)), rng.normal(size=(d_h, d_h)), rng.normal(size=d_h)


def look_up(seed=0, n=7, d_model=5, d_k=3, d_v=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d_model))
    return rng.normal(size=d_k), X, rng.normal(size=(d_model, d_k)), rng.normal(size=(d_model, d_v))


def nudged(f, X, t, step=1e-6):
    """The norm of the derivative of f(X) with respect to row t, measured."""
    rows = []
    for i in range(X.shape[1]):
        up, down = X.copy(), X.copy()
        up[t, i] += step
        down[t, i] -= step
        rows.append((f(up) - f(down)) / (2 * step))
    return np.linalg.norm(rows)


def test_states_agree_with_a_loop_over_single_numbers():
    X, W_x, W_h, b = network()
    h = [0.0] * 3
    for t in range(7):
        heard = [
            sum(X[t, i] * W_x[i, j] for i in range(5)) + sum(h[i] * W_h[i, j] for i in range(3)) + b[j]
            for j in range(3)
        ]
        h = [np.tanh(one) for one in heard]
        assert np.allclose(rnn_states(X, W_x, W_h, b)[t], h)


def test_the_states_of_a_beginning_do_not_depend_on_what_follows():
    X, *rest = network(1)
    assert np.allclose(rnn_states(X[:3], *rest), rnn_states(X, *rest)[:3])


def test_the_reach_of_an_rnn_is_what_a_nudge_does_to_its_last_state():
    X, *rest = network(2)
    measured = [nudged(lambda moved: rnn_states(moved, *rest)[-1], X, t) for t in range(7)]
    assert np.allclose(rnn_reach(X, *rest), measured, atol=1e-7)


def test_without_bending_the_reach_is_the_norm_of_a_power():
    _, W_x, W_h, b = network(3)
    still = np.zeros((5, 5))
    expected = [np.linalg.norm(W_x @ np.linalg.matrix_power(W_h, steps)) for steps in (4, 3, 2, 1, 0)]
    assert np.allclose(rnn_reach(still, W_x, W_h, 0 * b), expected)


def test_a_largest_singular_value_below_1_makes_the_reach_vanish():
    X, W_x, W_h, b = network(4, n=101)
    reach = rnn_reach(X, W_x, 0.9 * W_h / np.linalg.norm(W_h, 2), b)
    assert (reach <= np.linalg.norm(W_x) * 0.9 ** np.arange(100, -1, -1) + 1e-12).all()


def test_the_reach_of_attention_is_what_a_nudge_does_to_the_context():
    q, X, W_k, W_v = look_up(5)

    def context(X):
        return softmax(X @ W_k @ q / np.sqrt(3)) @ (X @ W_v)

    assert np.allclose(context_reach(q, X, W_k, W_v), [nudged(context, X, j) for j in range(7)], atol=1e-7)


def test_attention_knows_no_distance():
    q, X, W_k, W_v = look_up(6)
    order = np.random.default_rng(6).permutation(7)
    assert np.allclose(context_reach(q, X[order], W_k, W_v), context_reach(q, X, W_k, W_v)[order])


def test_equal_words_share_the_reach():
    q, X, W_k, W_v = look_up(7)
    assert np.allclose(context_reach(q, np.repeat(X[:1], 11, axis=0), W_k, W_v), np.linalg.norm(W_v) / 11)


def test_large_scores_leave_the_reach_finite():
    q, X, W_k, W_v = look_up(8)
    assert np.isfinite(context_reach(1e4 * q, X, W_k, W_v)).all()


def test_float32_stays_and_integers_become_float64():
    single = [one.astype(np.float32) for one in network(9)]
    assert rnn_states(*single).dtype == rnn_reach(*single).dtype == np.float32
    assert context_reach(*(one.astype(np.float32) for one in look_up(9))).dtype == np.float32
    whole = [one.astype(int) for one in network(9)]
    assert rnn_states(*whole).dtype == np.float64


def test_a_trained_network_says_a_few_letters_and_not_many():
    assert teach_rnn(2, width=8, answers=2, steps=300) > 0.9
    assert teach_rnn(12, width=4, answers=12, steps=100) < 0.5


def test_attention_over_all_states_says_what_the_last_state_has_lost():
    lost, found = (
        teach_rnn(12, width=16, answers=12, reads=reads, steps=400) for reads in ("last state", "all states")
    )
    assert found > 0.9 > lost + 0.3


def test_the_same_seed_trains_the_same_network():
    assert teach_rnn(3, width=4, steps=20, seed=1) == teach_rnn(3, width=4, steps=20, seed=1)


def test_errors_name_the_arguments():
    X, W_x, W_h, b = network()
    with pytest.raises(ValueError, match=r"X must have shape \(n, d_in\); got shape \(2, 7, 5\)"):
        rnn_states(np.ones((2, 7, 5)), W_x, W_h, b)
    with pytest.raises(ValueError, match=r"W_x must have one row per column of X \(5, .* \(3, 5\)"):
        rnn_states(X, W_x.T, W_h, b)
    with pytest.raises(ValueError, match=r"W_h must have shape \(d_h, d_h\) = \(3, 3\), .* \(2, 3\)"):
        rnn_reach(X, W_x, W_h[:2], b)
    with pytest.raises(ValueError, match=r"b must have one entry per column of W_x \(3, .* \(2,\)"):
        rnn_reach(X, W_x, W_h, b[:2])
    q, X, W_k, W_v = look_up()
    with pytest.raises(ValueError, match=r"q must have one entry per column of W_k \(3, .* \(2,\)"):
        context_reach(q[:2], X, W_k, W_v)
    with pytest.raises(ValueError, match=r"W_v must have one row per column of X \(5, .* \(2, 5\)"):
        context_reach(q, X, W_k, W_v.T)
    with pytest.raises(ValueError, match="reads must be 'last state' or 'all states'; got 'both'"):
        teach_rnn(3, reads="both")
    with pytest.raises(ValueError, match="answers must be between 1 and 3; got 4"):
        teach_rnn(3, answers=4)
