import numpy as np
import pytest
from arrays import random_qkv

from attnlib import context_vector, context_vectors, mean_embedding, query_for, softmax

CAT_SAT = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])


def by_loop(q, K, V):
    scores = [sum(q * k) for k in K]
    total = sum(np.exp(score) for score in scores)
    return sum(np.exp(score) / total * v for score, v in zip(scores, V, strict=True))


def test_the_context_vectors_of_the_cat_sat():
    expected = [[0.4141, 0.5408], [0.4838, 0.4538], [0.3959, 0.5775]]
    assert np.allclose(context_vectors(CAT_SAT, CAT_SAT, CAT_SAT), expected, rtol=0, atol=5e-5)


def test_the_published_contexts_do_not_follow_from_the_published_weights():
    published = np.array([[0.28, 0.23, 0.49], [0.18, 0.59, 0.23], [0.23, 0.15, 0.62]])
    follows = [[0.387, 0.604], [0.577, 0.356], [0.352, 0.688]]
    assert np.allclose(published @ CAT_SAT, follows, rtol=0, atol=5e-4)


def test_the_memory_example_retrieves_23_642():
    K, V = [[1, 0], [0, 1], [1, 1]], [[10], [20], [30]]
    assert np.allclose(context_vector([1, 1], K, V), 23.642, rtol=0, atol=5e-4)


def test_the_matrix_form_agrees_with_the_loop():
    Q, K, V = random_qkv()
    expected = [by_loop(q, K, V) for q in Q]
    assert np.allclose(context_vectors(Q, K, V), expected)
    assert np.allclose([context_vector(q, K, V) for q in Q], expected)


def test_batches_are_independent():
    Q, K, V = random_qkv(2, 13)
    contexts = context_vectors(Q, K, V)
    assert contexts.shape == (2, 13, 5, 11)
    assert np.allclose(contexts[1, 7], context_vectors(Q[1, 7], K[1, 7], V[1, 7]))
    assert np.allclose(context_vector(Q[:, :, 0], K, V), contexts[:, :, 0])


def test_one_set_of_keys_serves_a_batch_of_queries():
    Q, K, V = random_qkv()
    assert np.allclose(context_vector(Q, K, V), context_vectors(Q, K, V))


def test_equal_values_come_back_whatever_the_weights():
    Q, K, _ = random_qkv()
    assert np.allclose(context_vectors(Q, K, np.full((7, 2), 4.0)), 4)


def test_a_context_stays_inside_the_range_of_the_values():
    Q, K, V = random_qkv()
    contexts = context_vectors(10 * Q, K, V)
    assert (contexts >= V.min(axis=0) - 1e-12).all()
    assert (contexts <= V.max(axis=0) + 1e-12).all()


def test_a_query_of_zeros_gets_the_mean_of_the_values():
    _, K, V = random_qkv()
    assert np.allclose(context_vector(np.zeros(3), K, V), mean_embedding(V))


def test_permuting_keys_and_values_together_changes_nothing():
    Q, K, V = random_qkv()
    order = np.random.default_rng(1).permutation(7)
    assert np.allclose(context_vectors(Q, K[order], V[order]), context_vectors(Q, K, V))


def test_permuting_the_tokens_permutes_their_contexts():
    X = np.random.default_rng(2).standard_normal((7, 3))
    order = np.random.default_rng(3).permutation(7)
    assert np.allclose(context_vectors(X[order], X[order], X[order]), context_vectors(X, X, X)[order])


def test_float32_stays():
    Q, K, V = (x.astype(np.float32) for x in random_qkv())
    assert context_vectors(Q, K, V).dtype == np.float32
    assert context_vector(Q[0], K, V).dtype == np.float32


def test_errors_name_both_shapes():
    with pytest.raises(ValueError, match=r"one row per row of K \(n_keys=7, .*\(7, 3\)\); got V of shape \(5, 2\)"):
        context_vectors(np.ones((2, 3)), np.ones((7, 3)), np.ones((5, 2)))
    with pytest.raises(ValueError, match=r"K must have the same last axis as q \(d=2\); got K of shape \(7, 3\)"):
        context_vector(np.ones(2), np.ones((7, 3)), np.ones((7, 2)))


def test_softmax_of_the_found_query_gives_the_weights_back():
    rng = np.random.default_rng(4)
    weights = softmax(rng.standard_normal((2, 13, 6)))
    K = rng.standard_normal((13, 6, 5))
    q = query_for(weights, K)
    assert q.shape == (2, 13, 5)
    assert np.allclose(softmax((K @ q[..., None])[..., 0]), weights)


def test_equal_weights_come_from_a_query_of_zeros():
    assert np.allclose(query_for(np.full(4, 0.25), np.random.default_rng(5).standard_normal((4, 3))), 0)


@pytest.mark.parametrize(
    ("weights", "K", "words"),
    [
        ([0.5, 0.5], [[1, 0], [0, 1]], "one row more than columns"),
        ([0.5, 0.5], [[0, 0], [1, 0], [0, 1]], "one row for each weight"),
        ([0.0, 0.5, 0.5], [[0, 0], [1, 0], [0, 1]], "must be positive"),
        ([0.2, 0.2, 0.2], [[0, 0], [1, 0], [0, 1]], "sum to 1"),
        ([0.2, 0.3, 0.5], [[0, 0], [1, 1], [2, 2]], "no three keys of the plane on one line"),
    ],
)
def test_a_query_that_is_not_there_or_not_alone_is_refused_in_words(weights, K, words):
    with pytest.raises(ValueError, match=words):
        query_for(weights, K)
