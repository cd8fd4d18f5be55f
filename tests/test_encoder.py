import importlib.util
import math
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import attnlib
import attnlib.encoder
from attnlib import (
    encoder_input,
    erf,
    layer_norm,
    load_attention_layer,
    load_encoder,
    load_encoder_outputs,
    load_word_vectors,
    multi_head_attention,
    tokenize,
)
from grader.classroom.sandbox import library

SCRIPTS = Path(__file__).parent.parent / "scripts"
OUTPUTS = load_encoder_outputs()
PROJECTIONS = ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]


def block(X, layer, num_heads):
    """One layer of BERT, by the library's functions."""
    context, _ = multi_head_attention(X, X, num_heads=num_heads, **{name: layer[name] for name in PROJECTIONS})
    X = layer_norm(X + context, layer["norm_1_weight"], layer["norm_1_bias"])
    hidden = X @ layer["W_1"] + layer["b_1"]
    hidden = hidden * (1 + erf(hidden / math.sqrt(2))) / 2
    return layer_norm(X + hidden @ layer["W_2"] + layer["b_2"], layer["norm_2_weight"], layer["norm_2_bias"])


def states(text):
    """What goes into the first layer, and what comes out of each."""
    encoder = load_encoder()
    found = [encoder_input(tokenize(text))]
    for layer in encoder["layers"]:
        found.append(block(found[-1], layer, encoder["num_heads"]))
    return np.stack(found)


@pytest.mark.parametrize("i", range(2))
def test_every_layer_makes_what_transformers_makes_of_the_same_weights(i):
    found = states(OUTPUTS["texts"][i])
    assert found.dtype == np.float32
    assert found.shape == OUTPUTS["states"][i].shape
    assert np.abs(found - OUTPUTS["states"][i]).max() < 1e-4


def test_sentence_vectors_are_those_of_transformers():
    means = np.stack([states(text)[-1].mean(axis=0) for text in OUTPUTS["texts"][::16]])
    vectors = means / np.linalg.norm(means, axis=1, keepdims=True)
    assert np.abs(vectors - OUTPUTS["vectors"][::16]).max() < 1e-5


def test_rounding_keeps_the_published_sentence_vectors():
    assert len(OUTPUTS["texts"]) == 62
    cosines = (OUTPUTS["vectors"] * OUTPUTS["published"]).sum(axis=1)
    assert f"{cosines.mean():.4f}" == "0.9996"  # as attnlib/data/README.md says
    assert f"{cosines.min():.4f}" == "0.9993"


def test_the_encoder_has_the_sizes_of_the_model():
    encoder = load_encoder()
    assert encoder["num_heads"] == 12
    assert len(encoder["layers"]) == 6
    square, wide = (384, 384), (384, 1536)
    for layer in encoder["layers"]:
        assert {name: array.shape for name, array in layer.items()} == {
            **dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), square),
            **dict.fromkeys(("b_q", "b_k", "b_v", "b_o", "b_2"), (384,)),
            **dict.fromkeys((f"norm_{i}_{name}" for i in (1, 2) for name in ("weight", "bias")), (384,)),
            **{"W_1": wide, "b_1": (1536,), "W_2": wide[::-1]},
        }
    arrays = {name: array.shape for name, array in encoder.items() if isinstance(array, np.ndarray)}
    assert arrays == {
        "position_vectors": (128, 384),
        "word_vectors": (4100, 384),
        **dict.fromkeys(("segment_vector", "norm_weight", "norm_bias"), (384,)),
    }
    weights = sum(array.size for layer in encoder["layers"] for array in layer.values())
    assert weights == 10_646_784


def test_the_first_attention_is_that_of_part_3_but_for_the_rounding():
    rough, fine = load_encoder()["layers"][0], load_attention_layer()
    for name in PROJECTIONS:
        step = np.abs(fine[name]).max(axis=0) / 127 if name.startswith("W") else 0
        half_precision = np.abs(fine[name]) / 2**11 if name.startswith("W") else 0
        assert (np.abs(rough[name] - fine[name]) <= 0.505 * step + half_precision).all(), name


def test_what_is_loaded_is_shared_and_nobody_can_spoil_it():
    once, again = load_encoder(), load_encoder()
    assert once["layers"][3]["W_1"] is again["layers"][3]["W_1"]
    arrays = [array for part in (once, *once["layers"]) for array in part.values() if isinstance(array, np.ndarray)]
    assert len(arrays) == 5 + 6 * 16
    assert all(array.dtype == np.float32 and not array.flags.writeable for array in arrays)
    with pytest.raises(ValueError, match="read-only"):
        once["layers"][0]["W_q"] *= 0
    once["layers"][0]["W_q"] = once["vocabulary"]["cat"] = once["word_vectors"] = 0
    assert load_encoder()["layers"][0]["W_q"].shape == (384, 384)
    assert load_encoder()["vocabulary"]["cat"] == again["vocabulary"]["cat"] > 0
    assert encoder_input(["cat"]).shape == (3, 384)


def test_to_ask_once_more_costs_nothing():
    load_encoder()
    began = time.process_time()
    for _ in range(20):
        load_encoder()
    assert time.process_time() - began < 1  # to unpack it twenty times takes several seconds


def test_the_first_words_are_those_of_the_course_and_more_follow():
    vocabulary, E = load_word_vectors()
    encoder = load_encoder()
    words = list(encoder["vocabulary"])
    assert words[:3600] == list(vocabulary)
    assert np.array_equal(encoder["word_vectors"][:3600], E)
    assert list(encoder["vocabulary"].values()) == list(range(4100))
    assert all(tokenize(word) == [word] for word in words[3600:])
    assert {"robbed", "prices", "oxygen", "sections"} <= set(words[3600:])


def test_a_plural_lies_near_its_singular():
    encoder = load_encoder()
    unit = encoder["word_vectors"] / np.linalg.norm(encoder["word_vectors"], axis=1, keepdims=True)
    for word, like in [("prices", "price"), ("travels", "travel"), ("prisoner", "prison"), ("gardens", "garden")]:
        cosines = unit[:3600] @ unit[encoder["vocabulary"][word]]
        assert encoder["vocabulary"][like] in np.argsort(-cosines)[:3], word


def test_more_words_are_chosen_as_they_were():
    spec = importlib.util.spec_from_file_location("make_word_vectors", SCRIPTS / "make_word_vectors.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    words = list(load_encoder()["vocabulary"])
    assert len(words) == script.WORD_COUNT + script.MORE_COUNT
    assert script.choose_more(words, words[:3600]) == words[3600:]


def test_positions_are_taken_away_and_moved():
    encoder = load_encoder()
    P, tokens = encoder["position_vectors"], ["the", "cat", "and", "the", "cat"]
    assert np.array_equal(encoder_input(tokens, P), encoder_input(tokens))
    X = encoder_input(tokens, 0 * P)
    assert np.array_equal(X[1:3], X[4:6])
    assert not np.allclose(encoder_input(tokens)[1:3], encoder_input(tokens)[4:6])
    moved = encoder_input(tokens, P[20:])
    far = encoder_input(["cat"] * 20 + tokens)
    assert np.array_equal(moved[1:6], far[21:26])
    assert moved.dtype == encoder_input(tokens, P.astype(float)).dtype == np.float32


def test_the_longest_sentence_fills_all_positions():
    assert encoder_input(["cat"] * 126).shape == (128, 384)
    with pytest.raises(ValueError, match=r"among 128 positions: at most 126; got 127"):
        encoder_input(["cat"] * 127)
    with pytest.raises(ValueError, match=r"among 4 positions: at most 2; got 3"):
        encoder_input(["cat"] * 3, np.zeros((4, 384)))


def test_a_wrong_input_is_named():
    with pytest.raises(TypeError, match=r"must be a list of words, .*; got the text 'the cat'"):
        encoder_input("the cat")
    with pytest.raises(ValueError, match="not among the encoder's 4100 words: axolotl, The "):
        encoder_input(["axolotl", "cat", "The", "axolotl"])
    with pytest.raises(ValueError, match="at least one word"):
        encoder_input([])
    with pytest.raises(ValueError, match=r"position_vectors must have shape \(m, 384\); got shape \(128, 7\)"):
        encoder_input(["cat"], np.zeros((128, 7)))
    with pytest.raises(ValueError, match=r"position_vectors must have shape \(m, 384\); got shape \(1, 128, 384\)"):
        encoder_input(["cat"], np.zeros((1, 128, 384)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_erf_is_that_of_the_standard_library(dtype):
    x = np.linspace(-6, 6, 2400, dtype=dtype).reshape(2, 3, 400)
    y = erf(x)
    assert y.dtype == dtype
    assert y.shape == x.shape
    assert np.abs(y - np.vectorize(math.erf)(x)).max() < (2e-7 if dtype == np.float64 else 4e-7)
    assert erf(dtype(0)) == 0
    assert erf(dtype(1e30)) == 1
    assert erf(-np.inf) == -1
    assert np.isnan(erf(np.nan))


def test_what_is_given_is_there_when_what_will_be_asked_for_is_not(tmp_path):
    asked = {"layer_norm", "multi_head_attention", "split_heads", "merge_heads", "scaled_dot_product_attention"}
    library.write_library(tmp_path, frozenset(asked), Path(attnlib.__file__).parent / "data")
    code = """
import attnlib, sys
assert not any(name in vars(attnlib) for name in sys.argv[1:])
tokens = attnlib.tokenize(attnlib.load_encoder_outputs()["texts"][0])
X = attnlib.encoder_input(tokens)
print(abs(X - attnlib.load_encoder_outputs()["states"][0][0]).max() < 1e-5, attnlib.erf(0.5).round(3))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, *asked], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["True", "0.521"], done.stderr


def test_loading_is_quick_and_takes_little_memory():
    attnlib.encoder._encoder.cache_clear()
    began = time.process_time()
    encoder = load_encoder()
    assert time.process_time() - began < 3  # about 0.2
    arrays = [encoder["word_vectors"], *(array for layer in encoder["layers"] for array in layer.values())]
    assert sum(array.nbytes for array in arrays) < 50_000_000
