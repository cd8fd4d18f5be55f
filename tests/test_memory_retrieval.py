import math

import numpy as np
import pytest

from attnlib import context_vectors, hopfield_energy, hopfield_update, linear_memory, safe_beta, soft_lookup

KEYS, VALUES = np.array([[1, 0], [0, 1], [1, 1]]), np.array([[10], [20], [30]])


def random_patterns(n, d, seed=0):
    return np.random.default_rng(seed).choice([-1.0, 1.0], size=(n, d))


def test_the_published_memory_retrieves_23_642_and_scaled_22_552():
    assert np.allclose(soft_lookup([1, 1], KEYS, VALUES, 1), 23.642, rtol=0, atol=5e-4)
    assert np.allclose(soft_lookup([1, 1], KEYS, VALUES, 1 / math.sqrt(2)), 22.552, rtol=0, atol=5e-4)


def test_a_ratio_of_scores_retrieves_the_same_for_opposite_queries_but_a_lookup_does_not():
    query = np.array([1, 1])
    ratio = [scores / scores.sum() @ VALUES for scores in (KEYS @ query, KEYS @ -query)]
    assert np.allclose(ratio, 22.5)
    lookup = [soft_lookup(q, KEYS, VALUES, 1) for q in (query, -query)]
    assert abs(lookup[0] - lookup[1]) > 5


def test_beta_zero_blends_all_values_and_a_large_beta_returns_the_best():
    assert np.allclose(soft_lookup([1, 1], KEYS, VALUES, 0), 20)
    assert np.allclose(soft_lookup([1, 1], KEYS, VALUES, 1e3), 30)


def test_lookup_agrees_with_the_loop_in_every_batch():
    rng = np.random.default_rng(1)
    query, keys, values = rng.standard_normal((2, 3)), rng.standard_normal((2, 7, 3)), rng.standard_normal((2, 7, 5))
    weights = np.array([math.exp(0.7 * sum(query[1] * key)) for key in keys[1]])
    expected = sum(w * v for w, v in zip(weights / weights.sum(), values[1], strict=True))
    assert np.allclose(soft_lookup(query, keys, values, 0.7)[1], expected)


def test_one_memory_serves_many_queries():
    queries = np.random.default_rng(2).standard_normal((5, 2))
    expected = [soft_lookup(q, KEYS, VALUES, 0.7) for q in queries]
    assert np.allclose(soft_lookup(queries, KEYS, VALUES, 0.7), expected)


def test_a_hopfield_update_is_attention_with_the_patterns_as_keys_and_values():
    patterns, states = random_patterns(7, 13), np.random.default_rng(3).standard_normal((5, 13))
    assert np.allclose(hopfield_update(states, patterns, 0.3), context_vectors(0.3 * states, patterns, patterns))


def test_one_update_recalls_a_corrupted_pattern():
    patterns = random_patterns(7, 101)
    corrupted = patterns[4].copy()
    corrupted[:23] *= -1
    assert np.allclose(hopfield_update(corrupted, patterns, 1), patterns[4], atol=1e-6)


def test_a_beta_too_small_blends_the_memories():
    patterns = random_patterns(7, 101)
    assert np.allclose(hopfield_update(patterns[4], patterns, 1e-6), patterns.mean(axis=0), atol=1e-3)


def test_the_energy_by_hand():
    # two patterns of squared length 2; scores 2 and 0 at beta 1
    expected = -math.log(math.exp(2) + 1) + 2 / 2 + math.log(2) + 2 / 2
    assert np.isclose(hopfield_energy([1, 1], [[1, 1], [1, -1]], 1), expected)


def test_the_energy_keeps_beta_inside_and_outside_the_logarithm():
    expected = -math.log(math.exp(6) + 1) / 3 + 1 + math.log(2) / 3 + 1
    assert np.isclose(hopfield_energy([1, 1], [[1, 1], [1, -1]], 3), expected)


def test_a_state_on_the_only_pattern_has_energy_zero():
    assert np.isclose(hopfield_energy([3, 4], [[3, 4]], 0.7), 0)


@pytest.mark.parametrize("beta", [0.05, 0.5, 5])
def test_no_update_raises_the_energy(beta):
    rng = np.random.default_rng(4)
    patterns, states = rng.standard_normal((7, 13)), 3 * rng.standard_normal((11, 13))
    energies = []
    for _ in range(8):
        energies.append(hopfield_energy(states, patterns, beta))
        states = hopfield_update(states, patterns, beta)
    assert (np.diff(energies, axis=0) <= 1e-12).all()
    assert (energies[0] > energies[1] + 1e-3).all()


def test_the_energy_lies_between_0_and_twice_the_longest_squared():
    rng = np.random.default_rng(5)
    patterns = rng.standard_normal((7, 3))
    states = rng.dirichlet(np.ones(7), size=101) @ patterns
    energy = hopfield_energy(states, patterns, 2)
    assert energy.shape == (101,)
    assert (energy >= 0).all()
    assert (energy <= 2 * (patterns**2).sum(axis=1).max()).all()


def test_the_energy_is_finite_for_large_scores():
    patterns = 100 * random_patterns(7, 13)
    assert np.isclose(hopfield_energy(patterns[0], patterns, 10), np.log(7) / 10)


def test_the_energy_takes_batches_of_memories():
    rng = np.random.default_rng(6)
    states, patterns = rng.standard_normal((2, 3)), rng.standard_normal((2, 7, 3))
    energy = hopfield_energy(states, patterns, 2)
    assert np.allclose(energy, [hopfield_energy(states[i], patterns[i], 2) for i in range(2)])


def test_a_matrix_holds_a_memory_and_reads_it_by_raw_scores():
    rng = np.random.default_rng(7)
    keys, values, query = rng.standard_normal((2, 7, 3)), rng.standard_normal((2, 7, 5)), rng.standard_normal(3)
    M = linear_memory(keys, values)
    assert M.shape == (2, 5, 3)
    assert np.allclose(M[1], sum(np.outer(v, k) for k, v in zip(keys[1], values[1], strict=True)))
    assert np.allclose(M[1] @ query, (keys[1] @ query) @ values[1])


def test_a_memory_at_its_safe_beta_moves_the_most_restless_pattern_by_just_the_tolerance():
    patterns = random_patterns(5, 13, seed=8)
    beta = safe_beta(patterns, 0.3)
    moves = np.linalg.norm(hopfield_update(patterns, patterns, beta) - patterns, axis=1)
    assert np.isclose(moves.max(), 0.3, atol=1e-9)


def test_of_two_patterns_the_safe_beta_has_a_formula():
    one, other = random_patterns(2, 13, seed=9)
    apart, lead = np.linalg.norm(one - other), one @ (one - other)
    assert np.isclose(safe_beta([one, other], 0.2), math.log(apart / 0.2 - 1) / lead)


def test_a_safe_beta_is_0_where_all_will_do_and_infinite_where_none_will():
    assert safe_beta(random_patterns(3, 7), 100) == 0
    assert safe_beta([[1, 0], [3, 0]], 0.1) == math.inf


def test_float32_stays_and_integers_become_float64():
    patterns = random_patterns(7, 13).astype(np.float32)
    assert hopfield_update(patterns[0], patterns, np.float64(1)).dtype == np.float32
    assert hopfield_energy(patterns[0], patterns, np.float64(1)).dtype == np.float32
    assert hopfield_update(patterns[0].astype(int), patterns.astype(int), 1).dtype == np.float64


def test_errors_name_the_arguments():
    with pytest.raises(ValueError, match=r"patterns must have the same last axis as state \(d=2\); .* \(7, 3\)"):
        hopfield_update(np.ones(2), np.ones((7, 3)), 1)
    with pytest.raises(ValueError, match=r"values must have one row per row of keys \(n_keys=7, .* \(5, 2\)"):
        soft_lookup(np.ones(3), np.ones((7, 3)), np.ones((5, 2)), 1)
    with pytest.raises(ValueError, match=r"values must have one row per row of keys \(n_keys=7, .* \(5, 2\)"):
        linear_memory(np.ones((7, 3)), np.ones((5, 2)))
    with pytest.raises(ValueError, match=r"patterns must have shape \(n, d\); got shape \(2, 7, 3\)"):
        safe_beta(np.ones((2, 7, 3)), 0.1)
    with pytest.raises(ValueError, match="tolerance must be positive; got 0"):
        safe_beta(np.ones((7, 3)), 0)
    with pytest.raises(ValueError, match="beta must be positive; got 0"):
        hopfield_energy(np.ones(3), np.ones((7, 3)), 0)
    with pytest.raises(TypeError, match="beta must hold real numbers"):
        soft_lookup(np.ones(3), np.ones((7, 3)), np.ones((7, 2)), "1")
