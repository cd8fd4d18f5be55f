import numpy as np
import pytest
from frozen import torch_case

from attnlib import cosine_scores, dot_scores, squared_distances, unit_rows

SCORES = [dot_scores, cosine_scores, squared_distances]
CAT_SAT = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])


def test_the_dot_products_of_the_cat_sat():
    expected = [[0.29, 0.21, 0.51], [0.21, 0.65, 0.33], [0.51, 0.33, 0.90]]
    assert np.allclose(dot_scores(CAT_SAT, CAT_SAT), expected, rtol=0, atol=1e-12)


def test_two_keys_tie_by_dot_product_although_their_distances_differ():
    q, K = [[1, 2]], [[1, 2], [2, 0], [-1, 3]]
    assert np.array_equal(dot_scores(q, K), [[5, 2, 5]])
    assert np.array_equal(squared_distances(q, K), [[0, 5, 5]])
    assert np.allclose(cosine_scores(q, K), [[1, 2 / np.sqrt(20), 5 / np.sqrt(50)]])


@pytest.mark.parametrize("score", SCORES)
def test_row_i_belongs_to_query_i_and_column_j_to_key_j(score):
    rng = np.random.default_rng(0)
    Q, K = rng.standard_normal((7, 3)), rng.standard_normal((5, 3))
    one_by_one = {
        dot_scores: lambda q, k: sum(q * k),
        cosine_scores: lambda q, k: sum(q * k) / np.sqrt(sum(q * q) * sum(k * k)),
        squared_distances: lambda q, k: sum((q - k) ** 2),
    }[score]
    assert np.allclose(score(Q, K), [[one_by_one(q, k) for k in K] for q in Q])


@pytest.mark.parametrize("score", SCORES)
def test_batch_axes_broadcast(score):
    rng = np.random.default_rng(1)
    Q, K = rng.standard_normal((2, 1, 7, 3)), rng.standard_normal((11, 5, 3))
    out = score(Q, K)
    assert out.shape == (2, 11, 7, 5)
    assert np.allclose(out[1, 4], score(Q[1, 0], K[4]))


def test_scores_agree_with_torch():
    case = torch_case("scores_")
    assert np.allclose(cosine_scores(case["Q"], case["K"]), case["cosine"], rtol=1e-12)
    assert np.allclose(squared_distances(case["Q"], case["K"]), case["squared"], rtol=1e-12)


def test_the_cosine_forgets_lengths_but_the_dot_product_does_not():
    rng = np.random.default_rng(2)
    Q, K = rng.standard_normal((5, 3)), rng.standard_normal((7, 3))
    assert np.allclose(cosine_scores(11 * Q, K), cosine_scores(Q, K))
    assert np.allclose(dot_scores(11 * Q, K), 11 * dot_scores(Q, K))


def test_the_cosine_of_a_zero_vector_is_zero():
    assert np.array_equal(cosine_scores([[0, 0], [1, 0]], [[1, 0], [0, 0]]), [[0, 0], [1, 0]])


def test_the_cosine_survives_very_long_and_very_short_vectors():
    assert np.allclose(cosine_scores([[3e200, 4e200]], [[3e-200, 4e-200]]), 1)


def test_a_distance_to_itself_is_exactly_zero_even_far_from_the_origin():
    X = 1e6 + np.random.default_rng(3).standard_normal((7, 5))
    distances = squared_distances(X, X)
    assert (np.diag(distances) == 0).all()
    assert np.allclose(distances, squared_distances(X - 1e6, X - 1e6))


def test_distances_expand_into_dot_products():
    rng = np.random.default_rng(4)
    Q, K = rng.standard_normal((5, 3)), rng.standard_normal((7, 3))
    expanded = (Q**2).sum(axis=1)[:, None] - 2 * dot_scores(Q, K) + (K**2).sum(axis=1)
    assert np.allclose(squared_distances(Q, K), expanded)


def test_unit_rows_have_length_one_or_zero():
    assert np.allclose(unit_rows([[3, 4], [0, 0]]), [[0.6, 0.8], [0, 0]])


@pytest.mark.parametrize("score", SCORES)
def test_float32_stays_and_integers_become_float64(score):
    ones = np.ones((2, 3))
    assert score(ones.astype(np.float32), ones.astype(np.float32)).dtype == np.float32
    assert score(ones.astype(int), ones.astype(int)).dtype == np.float64


@pytest.mark.parametrize("score", SCORES)
def test_errors_name_both_shapes(score):
    with pytest.raises(ValueError, match=r"K must have the same last axis as Q \(d=5\); got K of shape \(7, 3\)"):
        score(np.ones((2, 5)), np.ones((7, 3)))
    with pytest.raises(ValueError, match=r"Q must have shape \(\.\.\., n_queries, d\); got shape \(5,\)"):
        score(np.ones(5), np.ones((7, 5)))
    with pytest.raises(ValueError, match=r"leading .* got Q of shape \(2, 3, 5\), K of shape \(3, 7, 5\)"):
        score(np.ones((2, 3, 5)), np.ones((3, 7, 5)))


@pytest.mark.parametrize("score", SCORES)
def test_what_is_not_a_number_or_not_rectangular_is_refused(score):
    with pytest.raises(TypeError, match="Q must hold real numbers; got <U3 values"):
        score([["the", "cat"]], np.ones((7, 2)))
    with pytest.raises(TypeError, match="K must hold real numbers; got complex128"):
        score(np.ones((7, 2)), np.ones((7, 2)) * 1j)
    with pytest.raises(ValueError, match="Q must be rectangular"):
        score([[1, 2], [3]], np.ones((7, 2)))
