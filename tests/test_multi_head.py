import numpy as np
import pytest
from frozen import torch_case

from attnlib import (
    causal_mask,
    fold_biases,
    layer_input,
    layer_norm,
    load_attention_layer,
    load_layer_outputs,
    load_word_vectors,
    merge_heads,
    multi_head_attention,
    padding_mask,
    parameter_count,
    scaled_dot_product_attention,
    sentence_ids,
    split_heads,
)


def random_layer(d_q=15, d_kv=15, num_heads=3, d_k=5, d_v=7, seed=0):
    rng = np.random.default_rng(seed)
    shapes = {"W_q": (d_q, num_heads * d_k), "W_k": (d_kv, num_heads * d_k), "W_v": (d_kv, num_heads * d_v)}
    layer = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    return {**layer, "W_o": rng.standard_normal((num_heads * d_v, d_q)), "num_heads": num_heads}


def test_heads_are_contiguous_slices_of_columns():
    X = np.arange(12).reshape(2, 6)
    heads = split_heads(X, 3)
    assert np.array_equal(heads, [[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]])


def test_splitting_takes_the_slice_that_a_loop_takes_in_every_batch():
    X = np.random.default_rng(0).standard_normal((2, 11, 7, 15))
    heads = split_heads(X, 3)
    assert heads.shape == (2, 11, 3, 7, 5)
    for h in range(3):
        assert np.array_equal(heads[..., h, :, :], X[..., 5 * h : 5 * (h + 1)])


def test_merging_undoes_splitting_and_the_reverse():
    X = np.random.default_rng(1).standard_normal((2, 7, 15))
    assert np.array_equal(merge_heads(split_heads(X, 5)), X)
    heads = np.random.default_rng(2).standard_normal((2, 3, 7, 5))
    assert np.array_equal(split_heads(merge_heads(heads), 3), heads)


def test_a_reshape_without_a_transpose_mixes_the_tokens():
    X = np.arange(12.0).reshape(2, 6)
    assert not np.array_equal(split_heads(X, 3), X.reshape(3, 2, 2))


def test_multi_head_attention_agrees_with_a_loop_over_heads():
    rng = np.random.default_rng(3)
    X_q, X_kv, layer = rng.standard_normal((11, 15)), rng.standard_normal((13, 17)), random_layer(d_kv=17)
    context, weights = multi_head_attention(X_q, X_kv, **layer)
    parts = []
    for h in range(3):
        part, part_weights = scaled_dot_product_attention(
            X_q @ layer["W_q"][:, 5 * h : 5 * h + 5],
            X_kv @ layer["W_k"][:, 5 * h : 5 * h + 5],
            X_kv @ layer["W_v"][:, 7 * h : 7 * h + 7],
        )
        parts.append(part)
        assert np.allclose(weights[h], part_weights)
    assert weights.shape == (3, 11, 13)
    assert np.allclose(context, np.concatenate(parts, axis=1) @ layer["W_o"])


def test_batches_are_independent():
    X, layer = np.random.default_rng(4).standard_normal((2, 11, 7, 15)), random_layer()
    context, weights = multi_head_attention(X, X, **layer)
    assert context.shape == (2, 11, 7, 15)
    assert weights.shape == (2, 11, 3, 7, 7)
    one, one_weights = multi_head_attention(X[1, 4], X[1, 4], **layer)
    assert np.allclose(context[1, 4], one)
    assert np.allclose(weights[1, 4], one_weights)


@pytest.mark.parametrize("case", ["self", "padded", "cross", "forbidden", "plain"])
def test_multi_head_attention_agrees_with_torch(case):
    arrays = torch_case(f"mha_{case}_")
    context, weights = arrays.pop("context"), arrays.pop("weights")
    num_heads = arrays.pop("num_heads").item()
    ours, our_weights = multi_head_attention(**arrays, num_heads=num_heads)
    assert np.allclose(ours, context, rtol=1e-9, atol=1e-12)
    assert np.allclose(our_weights, weights, rtol=1e-9, atol=1e-12)


def test_a_mask_for_one_head_serves_all_of_them():
    X, layer = np.random.default_rng(5).standard_normal((2, 7, 15)), random_layer()
    for mask in (causal_mask(7), padding_mask([3, 5], 7), np.arange(7) < 4):
        _, weights = multi_head_attention(X, X, **layer, mask=mask)
        allowed = np.broadcast_to(mask, (2, 7, 7))
        for h in range(3):
            assert (weights[:, h][~allowed] == 0).all()
            assert (weights[:, h][allowed] > 0).all()


def test_a_token_with_nothing_to_attend_to_gets_the_last_bias_alone():
    X, layer = np.random.default_rng(6).standard_normal((2, 7, 15)), random_layer()
    b_o = np.arange(15.0)
    context, weights = multi_head_attention(X, X, **layer, mask=padding_mask([0, 7], 7), b_o=b_o)
    assert (weights[0] == 0).all()
    assert np.array_equal(context[0], np.tile(b_o, (7, 1)))


def test_a_bias_on_the_keys_changes_nothing_because_it_shifts_a_whole_row_of_scores():
    X, layer = np.random.default_rng(8).standard_normal((7, 15)), random_layer()
    bias = np.arange(15.0) / 5
    plain, _ = multi_head_attention(X, X, **layer)
    assert np.allclose(multi_head_attention(X, X, **layer, b_k=bias)[0], plain)
    assert not np.allclose(multi_head_attention(X, X, **layer, b_q=bias)[0], plain)


def test_one_head_without_output_projection_is_plain_attention():
    X, layer = np.random.default_rng(7).standard_normal((7, 15)), random_layer(num_heads=1, d_v=15)
    context, weights = multi_head_attention(X, X, **{**layer, "W_o": np.eye(15)})
    expected = scaled_dot_product_attention(X @ layer["W_q"], X @ layer["W_k"], X @ layer["W_v"])
    assert np.allclose(context, expected[0])
    assert np.allclose(weights[0], expected[1])


def test_the_parameter_count_is_that_of_the_arrays():
    layer = random_layer(num_heads=3, d_k=5, d_v=7)
    counted = sum(array.size for name, array in layer.items() if name != "num_heads")
    assert parameter_count(15, 3, d_k=5, d_v=7, biases=False) == counted
    assert parameter_count(15, 3, d_k=5, d_v=7) == counted + 15 + 15 + 21 + 15


def test_the_parameter_count_does_not_depend_on_the_number_of_heads():
    assert {parameter_count(384, num_heads) for num_heads in (1, 2, 12, 384)} == {591360}
    assert parameter_count(6, 2, biases=False) == 4 * 36


def test_layer_norm_by_hand():
    assert np.allclose(layer_norm([[1, 2, 3], [5, 5, 5]], [1, 1, 2], [0, 0, 10])[0], [-(1.5**0.5), 0, 10 + 6**0.5])
    assert np.allclose(layer_norm([[5, 5, 5]], [1, 1, 2], [0, 0, 10]), [[0, 0, 10]])


def test_layer_norm_agrees_with_torch():
    case = torch_case("norm_")
    assert np.allclose(layer_norm(case["X"], case["weight"], case["bias"]), case["out"], rtol=1e-10)


@pytest.mark.parametrize("sentence", load_layer_outputs(), ids=lambda sentence: sentence["text"])
def test_the_published_model_computes_the_same_in_its_first_layer(sentence):
    vocabulary, E = load_word_vectors()
    layer = load_attention_layer()
    tokens, token_ids = sentence_ids(sentence["text"], vocabulary)
    X = layer_input(token_ids, E, layer)
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    context, weights = multi_head_attention(X, X, **{name: layer[name] for name in names})
    assert tokens == sentence["tokens"]
    assert context.dtype == np.float32
    assert np.abs(context - sentence["context"]).max() < 1e-4
    assert np.abs(weights - sentence["weights"]).max() < 1e-4


def test_the_real_layer_needs_its_biases_and_its_input_norm():
    vocabulary, E = load_word_vectors()
    layer, sentence = load_attention_layer(), load_layer_outputs()[0]
    X = layer_input(sentence_ids(sentence["text"], vocabulary)[1], E, layer)
    matrices = {name: layer[name] for name in ["W_q", "W_k", "W_v", "W_o", "num_heads"]}
    without, _ = multi_head_attention(X, X, **matrices)
    assert np.abs(without - sentence["context"]).max() > 0.1


def test_the_real_layer_takes_batches_of_sentences():
    vocabulary, E = load_word_vectors()
    layer = load_attention_layer()
    ids = [sentence_ids(text, vocabulary)[1] for text in ("the cat sat", "the dog slept")]
    assert np.array_equal(layer_input(ids, E, layer)[1], layer_input(ids[1], E, layer))


def test_words_outside_the_vocabulary_are_named():
    vocabulary, _ = load_word_vectors()
    with pytest.raises(ValueError, match="not among the course's 3600 words: “Axolotl”, “gnu” "):
        sentence_ids("Axolotl and the gnu and axolotl", vocabulary)
    with pytest.raises(ValueError, match=r"at least one word; got '\?!'"):
        sentence_ids("?!", vocabulary)


def test_a_sentence_longer_than_the_stored_positions_is_refused():
    vocabulary, E = load_word_vectors()
    with pytest.raises(ValueError, match="at most 128 tokens, one per stored position; got 129"):
        layer_input([vocabulary["cat"]] * 129, E, load_attention_layer())


def test_float32_stays():
    X = np.ones((7, 15), dtype=np.float32)
    layer = {name: np.float32(array) if name != "num_heads" else array for name, array in random_layer().items()}
    context, weights = multi_head_attention(X, X, **layer, b_q=np.ones(15, dtype=np.float32), mask=causal_mask(7))
    assert context.dtype == weights.dtype == np.float32


def test_errors_name_both_shapes():
    X, layer = np.ones((7, 15)), random_layer()
    with pytest.raises(ValueError, match=r"num_heads must divide d_model=15; got num_heads=2 .*\(7, 15\)"):
        split_heads(X, 2)
    with pytest.raises(ValueError, match=r"X must have shape \(\.\.\., num_heads, n, d\); got shape \(7, 15\)"):
        merge_heads(X)
    with pytest.raises(ValueError, match=r"W_o must have one row per column of W_v \(21, .*\); .*\(15, 15\)"):
        multi_head_attention(X, X, **{**layer, "W_o": np.eye(15)})
    with pytest.raises(ValueError, match=r"W_k must have one row per column of X_kv \(11, from shape \(5, 11\)\)"):
        multi_head_attention(X, np.ones((5, 11)), **layer)
    with pytest.raises(ValueError, match=r"b_v must have one entry per column of W_v \(21, .*got b_v of shape \(15,\)"):
        multi_head_attention(X, X, **layer, b_v=np.ones(15))
    with pytest.raises(ValueError, match=r"mask must broadcast to the scores of shape \(7, 7\); .*\(5, 5\)"):
        multi_head_attention(X, X, **layer, mask=causal_mask(5))
    with pytest.raises(ValueError, match=r"weight must have shape \(d,\) = \(15,\); got weight of shape \(7,\)"):
        layer_norm(X, np.ones(7), np.ones(15))
    with pytest.raises(ValueError, match="num_heads must divide d_model=15 unless d_k and d_v are given; got 2"):
        parameter_count(15, 2)


def test_a_layer_with_folded_biases_computes_the_same():
    rng, layer = np.random.default_rng(7), random_layer()
    X_q, X_kv = rng.standard_normal((5, 7, 15)), rng.standard_normal((5, 11, 15))
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    biases = [rng.standard_normal(W.shape[1]) for W in matrices]
    folded = fold_biases(*matrices, *biases)
    named = ["b_q", "b_k", "b_v", "b_o"]
    before = multi_head_attention(X_q, X_kv, **layer, **dict(zip(named, biases, strict=True)))
    after = multi_head_attention(X_q, X_kv, **layer, **dict(zip(named, folded, strict=True)))
    assert all(np.allclose(one, other) for one, other in zip(before, after, strict=True))
    assert not np.concatenate(folded[1:3]).any()
    assert np.array_equal(folded[0], biases[0])
    with pytest.raises(ValueError, match="b_v"):
        fold_biases(*matrices, biases[0], biases[1], np.ones(3), biases[3])
