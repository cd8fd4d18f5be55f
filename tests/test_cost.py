"""What attention costs: pieces make the whole, a state stays as large as it is, and a cache changes no number."""

import tracemalloc

import numpy as np
import pytest

from attnlib import (
    cached_heads,
    causal_linear_attention,
    causal_mask,
    chunked_attention,
    corrected_memory,
    generate,
    layer_norm,
    linear_memory,
    load_gpt,
    masked_attention,
    merge_heads,
    merge_partial,
    rotate,
    scaled_dot_product_attention,
    softmax,
    split_heads,
    to_pieces,
    unit_rows,
)

PARTS = "W_q", "W_k", "W_v", "W_o"


def matrices(seed, n_queries=5, n_keys=11, d_k=3, d_v=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_queries, d_k)), rng.normal(size=(n_keys, d_k)), rng.normal(size=(n_keys, d_v))


def part(scores, V):
    m = scores.max(axis=1)
    powers = np.exp(scores - m[:, None])
    return m, powers.sum(axis=1), powers @ V


def nothing(n, d_v):
    return np.full(n, -np.inf), np.zeros(n), np.zeros((n, d_v))


def layer_of(seed, d=12):
    rng = np.random.default_rng(seed)
    layer = {name: rng.normal(size=(d, d)) / np.sqrt(d) for name in PARTS}
    return layer | {f"b_{name[2:]}": rng.normal(size=d) for name in PARTS}


def test_parts_merged_in_any_order_and_grouping_make_the_softmax_of_all():
    rng = np.random.default_rng(0)
    scores, V = rng.normal(size=(5, 7)), rng.normal(size=(7, 3))
    a, b, c = (part(scores[:, keys], V[keys]) for keys in (slice(2), slice(2, 3), slice(3, 7)))
    for m, l, o in (
        merge_partial(merge_partial(a, b), c),
        merge_partial(a, merge_partial(b, c)),
        merge_partial(c, merge_partial(b, a)),
    ):
        assert np.allclose(m, scores.max(axis=1))
        assert np.allclose(o / l[:, None], softmax(scores) @ V)


def test_an_empty_part_changes_nothing_and_two_make_an_empty_one():
    some = part(np.array([[1.0, 2.0], [3.0, -4.0]]), np.array([[1.0], [5.0]]))
    for merged in (merge_partial(some, nothing(2, 1)), merge_partial(nothing(2, 1), some)):
        for one, other in zip(merged, some, strict=True):
            assert np.allclose(one, other)
    m, l, o = merge_partial(nothing(2, 1), nothing(2, 1))
    assert (m == -np.inf).all()
    assert not l.any()
    assert not o.any()


def test_partial_results_that_do_not_fit_are_refused_by_name():
    a = nothing(2, 3)
    with pytest.raises(ValueError, match="a must be three arrays"):
        merge_partial(a[:2], a)
    with pytest.raises(ValueError, match=r"must have shapes \(n,\), \(n,\) and \(n, d_v\)"):
        merge_partial(a, (a[0], a[1], a[1]))
    with pytest.raises(ValueError, match="the same shapes"):
        merge_partial(a, nothing(2, 5))


@pytest.mark.parametrize("chunk_size", [1, 2, 7, 11, 100])
def test_attention_in_pieces_is_attention(chunk_size):
    Q, K, V = matrices(1)
    assert np.allclose(chunked_attention(Q, K, V, chunk_size), scaled_dot_product_attention(Q, K, V)[0], atol=1e-14)
    Q = 1000 * Q
    assert np.allclose(chunked_attention(Q, K, V, chunk_size), scaled_dot_product_attention(Q, K, V)[0], atol=1e-12)


def test_attention_in_pieces_keeps_single_precision():
    Q, K, V = (np.float32(one) for one in matrices(2))
    assert chunked_attention(Q, K, V, 4).dtype == np.float32


def test_twice_the_text_takes_twice_the_memory_in_pieces_and_four_times_as_a_whole():
    def held(attention, n):
        Q, K, V = np.random.default_rng(0).normal(size=(3, n, 16))
        tracemalloc.start()
        attention(Q, K, V)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert held(lambda *of: chunked_attention(*of, 64), 1024) / held(lambda *of: chunked_attention(*of, 64), 512) > 1.8
    assert held(lambda *of: chunked_attention(*of, 64), 1024) < 0.1 * held(scaled_dot_product_attention, 1024)
    assert held(scaled_dot_product_attention, 1024) / held(scaled_dot_product_attention, 512) > 3.8


def test_a_piece_holds_one_key_at_least():
    with pytest.raises(ValueError, match="chunk_size must be at least 1"):
        chunked_attention(*matrices(0), 0)


def test_linear_attention_is_a_weighted_mean_with_products_of_features():
    Q, K, V = matrices(3, n_queries=7, n_keys=7)
    phi = [np.where(one > 0, one + 1, np.exp(np.minimum(one, 0))) for one in (Q, K)]
    scores = phi[0] @ phi[1].T * np.tri(7)
    assert np.allclose(causal_linear_attention(Q, K, V), scores / scores.sum(axis=1, keepdims=True) @ V)


def test_linear_attention_takes_large_numbers_and_wants_a_query_for_each_key():
    Q, K, V = (1000 * one for one in matrices(4, n_queries=7, n_keys=7))
    assert np.isfinite(causal_linear_attention(Q, K, V)).all()
    with pytest.raises(ValueError, match="one query for each key"):
        causal_linear_attention(Q[:3], K, V)


def test_a_corrected_memory_reads_the_last_pair_exactly_and_learns_nothing_from_what_it_says():
    rng = np.random.default_rng(5)
    keys, values = unit_rows(rng.normal(size=(7, 3))), rng.normal(size=(7, 5))
    M = corrected_memory(keys, values)
    assert np.allclose(M @ keys[-1], values[-1])
    assert np.allclose(corrected_memory(np.vstack([keys, keys[-1]]), np.vstack([values, values[-1]])), M)


def test_at_right_angles_a_corrected_memory_is_the_plain_sum():
    keys, values = np.eye(5)[:3], np.arange(6.0).reshape(3, 2)
    assert np.allclose(corrected_memory(keys, values), linear_memory(keys, values))


def test_a_cache_changes_no_number_however_the_text_is_cut():
    layer, X = layer_of(6), np.random.default_rng(6).normal(size=(7, 12))
    whole, K, V = cached_heads(X, None, layer, 3, base=100.0)
    rows, cache = [], None
    for piece in np.split(X, [1, 4, 5]):
        added, *cache = cached_heads(piece, cache, layer, 3, base=100.0)
        rows.append(added)
    assert np.allclose(np.vstack(rows), whole)
    assert np.allclose(cache[0], K)
    assert np.allclose(cache[1], V)


def test_without_a_cache_it_is_multi_head_attention_with_turned_queries_and_keys():
    layer, X = layer_of(7), np.random.default_rng(7).normal(size=(5, 12))
    Q, K, V = (split_heads(X @ layer[f"W_{one}"] + layer[f"b_{one}"], 2) for one in "qkv")
    context, _ = masked_attention(rotate(Q, range(5)), rotate(K, range(5)), V, causal_mask(5))
    added, _, _ = cached_heads(X, None, layer, 2)
    assert np.allclose(added, merge_heads(context) @ layer["W_o"] + layer["b_o"])


def test_a_cache_of_another_shape_is_refused():
    layer, X = layer_of(8), np.ones((1, 12))
    _, K, V = cached_heads(X, None, layer, 2)
    with pytest.raises(ValueError, match="the keys of cache must have shape"):
        cached_heads(X, (K, V), layer, 3)
    with pytest.raises(ValueError, match="the values of cache must have shape"):
        cached_heads(X, (K, V[:, :0]), layer, 2)


def test_a_dart_hits_the_first_token_whose_sum_exceeds_it():
    def always(ids):
        return np.log([0.5, 0.3, 0.2])

    assert generate(always, [7], [0.45, 0.6, 0.9, 0.0], 1.0).tolist() == [7, 0, 1, 2, 0]


def test_with_u_just_below_1_the_last_token_comes_whatever_is_rounded():
    logits = np.random.default_rng(0).normal(size=(50, 7)).astype(np.float32)
    written = generate(lambda ids: logits[len(ids) - 1], [0], np.full(50, np.nextafter(1.0, 0.0)), 1.0)
    assert (written[1:] == 6).all()


def test_the_colder_the_surer():
    logits = np.array([0.0, 1.0, 0.5])
    drawn = [generate(lambda ids: logits, [0], np.linspace(0.001, 0.999, 200), t)[1:] for t in (0.01, 1.0, 100.0)]
    shares = [(one == 1).mean() for one in drawn]
    assert shares[0] == 1
    assert shares[0] > shares[1] > shares[2]


@pytest.mark.parametrize(("uniforms", "temperature"), [([1.0], 1.0), ([-0.1], 1.0), ([0.5], 0.0)])
def test_darts_lie_on_the_line_and_temperatures_above_0(uniforms, temperature):
    with pytest.raises(ValueError, match="must"):
        generate(lambda ids: np.zeros(3), [0], uniforms, temperature)


def test_a_gpt_reads_the_same_with_a_cache():
    gpt = load_gpt()
    X = gpt["embedding"][to_pieces(" it was a truth")]
    layer = gpt["layers"][0]
    X = layer_norm(X, layer["norm_1_weight"], layer["norm_1_bias"])
    whole, _, _ = cached_heads(X, None, layer, gpt["num_heads"])
    assert whole.dtype == np.float32
    _, *cache = cached_heads(X[:-1], None, layer, gpt["num_heads"])
    last, _, _ = cached_heads(X[-1:], cache, layer, gpt["num_heads"])
    assert np.allclose(last, whole[-1:], atol=1e-5)
