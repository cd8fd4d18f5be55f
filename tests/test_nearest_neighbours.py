import numpy as np
import pytest
from arrays import random_qkv

from attnlib import (
    context_vectors,
    cosine_scores,
    dot_scores,
    enough_neighbors,
    equal_length_keys,
    knn_attention,
    knn_indices,
    load_word_vectors,
    softmax,
    softmax_with_temperature,
    squared_distances,
    unit_rows,
)

METRICS = ["dot", "cosine", "euclidean"]
TIE_QUERY, TIE_KEYS = [[1, 2]], [[1, 2], [2, 0], [-1, 3]]


def test_the_dot_product_ties_where_the_distance_does_not():
    assert np.array_equal(knn_indices(TIE_QUERY, TIE_KEYS, 3, "dot"), [[0, 2, 1]])
    assert np.array_equal(knn_indices(TIE_QUERY, TIE_KEYS, 3, "euclidean"), [[0, 1, 2]])
    assert np.array_equal(knn_indices(TIE_QUERY, TIE_KEYS, 3, "cosine"), [[0, 2, 1]])


@pytest.mark.parametrize("metric", METRICS)
def test_ties_go_to_the_lower_index(metric):
    assert np.array_equal(knn_indices([[1, 0]], [[0, 1], [1, 0], [1, 0], [0, 1], [1, 0]], 4, metric), [[1, 2, 4, 0]])


@pytest.mark.parametrize("metric", METRICS)
def test_many_ties_keep_the_order_of_the_keys(metric):
    K = np.tile([[0, 1], [1, 0], [-1, 0]], (101, 1))
    expected = [*range(1, 303, 3), *range(0, 303, 3), *range(2, 303, 3)]
    assert np.array_equal(knn_indices([[1, 0]], K, 303, metric)[0], expected)


@pytest.mark.parametrize("metric", METRICS)
def test_the_nearest_come_first(metric):
    Q, K, _ = random_qkv()
    farness = {
        "dot": lambda q, k: -sum(q * k),
        "cosine": lambda q, k: -sum(q * k) / np.sqrt(sum(k * k)),
        "euclidean": lambda q, k: sum((q - k) ** 2),
    }[metric]
    expected = [sorted(range(7), key=lambda j, q=q: farness(q, K[j]))[:3] for q in Q]
    found = knn_indices(Q, K, 3, metric)
    assert np.array_equal(found, expected)
    assert found.dtype.kind == "i"


@pytest.mark.parametrize("metric", METRICS)
def test_batches_are_independent(metric):
    Q, K, _ = random_qkv(2, 13)
    found = knn_indices(Q, K, 2, metric)
    assert found.shape == (2, 13, 5, 2)
    assert np.array_equal(found[1, 7], knn_indices(Q[1, 7], K[1, 7], 2, metric))


def test_with_keys_of_equal_length_all_metrics_agree():
    Q, K, _ = random_qkv()
    dot, cosine, euclidean = (knn_indices(Q, unit_rows(K), 7, metric) for metric in METRICS)
    assert np.array_equal(dot, cosine)
    assert np.array_equal(dot, euclidean)
    assert not np.array_equal(knn_indices(Q, K, 7, "dot"), knn_indices(Q, K, 7, "euclidean"))


def test_attention_to_one_neighbour_returns_its_value():
    Q, K, V = random_qkv()
    assert np.allclose(knn_attention(Q, K, V, 1), V[np.argmax(dot_scores(Q, K), axis=1)])


def test_attention_to_all_neighbours_is_attention():
    Q, K, V = random_qkv()
    assert np.allclose(knn_attention(Q, K, V, 7), context_vectors(Q, K, V))


def test_attention_to_k_neighbours_ignores_the_others():
    Q, K, V = random_qkv()
    for q, context in zip(Q, knn_attention(Q, K, V, 3), strict=True):
        best = np.argsort(-(K @ q))[:3]
        assert np.allclose(context, context_vectors(q[None], K[best], V[best])[0])


def test_only_the_first_of_tied_keys_is_taken():
    assert np.allclose(knn_attention([[1, 0]], [[1, 0], [1, 0], [0, 1]], [[10], [20], [30]], 1), 10)


def test_batched_attention_to_neighbours():
    Q, K, V = random_qkv(2)
    assert np.allclose(knn_attention(Q, K, V, 2)[1], knn_attention(Q[1], K[1], V[1], 2))


def test_a_cold_softmax_of_minus_the_squared_distance_is_the_euclidean_neighbour():
    Q, K, V = random_qkv()
    cold = softmax_with_temperature(-squared_distances(Q, K), 1e-6) @ V
    assert np.allclose(cold, V[knn_indices(Q, K, 1, "euclidean")[:, 0]])


@pytest.mark.parametrize("metric", ["dot", "cosine"])
def test_the_neighbours_of_real_words(metric):
    vocabulary, E = load_word_vectors()
    words = list(vocabulary)

    def nearest(word, k):
        return [words[j] for j in knn_indices(E[[vocabulary[word]]], E, k, metric)[0]]

    assert set(nearest("doctor", 7)) >= {"doctor", "doctors", "physician", "medical", "hospital"}
    assert nearest("paris", 4) == ["paris", "france", "london", "french"]
    assert np.argmax(cosine_scores(E[[vocabulary["king"]]], E)) == vocabulary["king"]


def test_float32_stays():
    Q, K, V = (x.astype(np.float32) for x in random_qkv())
    assert knn_attention(Q, K, V, 2).dtype == np.float32


def test_errors_say_what_is_allowed():
    with pytest.raises(ValueError, match="metric must be one of dot, cosine, euclidean; got 'manhattan'"):
        knn_indices(TIE_QUERY, TIE_KEYS, 1, "manhattan")
    with pytest.raises(ValueError, match="k must be between 1 and 3; got 4"):
        knn_indices(TIE_QUERY, TIE_KEYS, 4, "dot")
    with pytest.raises(TypeError, match=r"k must be an integer; got 1\.5"):
        knn_attention(TIE_QUERY, TIE_KEYS, TIE_KEYS, 1.5)


def test_one_more_coordinate_makes_all_keys_as_long_as_the_longest():
    assert np.array_equal(equal_length_keys([[3, 4], [0, 0]]), [[3, 4, 0], [0, 0, 5]])
    _, K, _ = random_qkv()
    assert np.allclose(np.linalg.norm(equal_length_keys(K), axis=1), np.linalg.norm(K, axis=1).max())


def test_with_one_more_coordinate_the_highest_score_is_the_nearest_key():
    Q, K, _ = random_qkv()
    longer = np.pad(Q, ((0, 0), (0, 1)))
    assert np.allclose(dot_scores(longer, equal_length_keys(K)), dot_scores(Q, K))
    by_distance = knn_indices(longer, equal_length_keys(K), 7, "euclidean")
    assert np.array_equal(by_distance, knn_indices(Q, K, 7, "dot"))
    assert not np.array_equal(by_distance, knn_indices(Q, K, 7, "euclidean"))


def test_each_batch_has_a_longest_key_of_its_own():
    _, K, _ = random_qkv(2)
    assert np.allclose(equal_length_keys(K)[1], equal_length_keys(K[1]))


def test_enough_neighbours_hold_the_share_and_one_less_does_not():
    Q, K, _ = random_qkv()
    weights = np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]
    for share in (0.1, 0.5, 0.9, 0.999):
        counts = enough_neighbors(Q, K, share)
        assert all(row[:k].sum() >= share > row[: k - 1].sum() for row, k in zip(weights, counts, strict=True))


def test_exactly_enough_is_enough():
    assert enough_neighbors([[1]], [[0], [0]], 0.5) == [1]
    assert enough_neighbors(np.float32([[1]]), np.float32([[0], [0], [0]]), 1 - 1e-12) == [3]


def test_a_share_lies_between_none_and_all():
    for share in (0, 1, -0.5, 90):
        with pytest.raises(ValueError, match="share must lie between 0 and 1; got"):
            enough_neighbors(TIE_QUERY, TIE_KEYS, share)


def test_enough_neighbours_of_a_batch():
    Q, K, _ = random_qkv(2)
    assert np.array_equal(enough_neighbors(Q, K, 0.7)[1], enough_neighbors(Q[1], K[1], 0.7))
