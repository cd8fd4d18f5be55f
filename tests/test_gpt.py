import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import attnlib
from attnlib import (
    causal_mask,
    cross_entropy,
    feed_forward,
    from_pieces,
    layer_norm,
    load_gpt,
    masked_attention,
    merge_heads,
    rotate,
    split_heads,
    to_pieces,
)
from grader.classroom.sandbox import library

GPT = load_gpt()
IDS = to_pieces(GPT["held_out"])


def normal(X, part, name):
    return layer_norm(X, part[f"{name}_weight"], part[f"{name}_bias"])


def logits(ids):
    """What the model says after each piece, by the library's functions."""
    X, places = GPT["embedding"][ids], np.arange(len(ids))
    for layer in GPT["layers"]:
        N = normal(X, layer, "norm_1")
        Q, K, V = (split_heads(N @ layer[f"W_{name}"] + layer[f"b_{name}"], GPT["num_heads"]) for name in "qkv")
        context, _ = masked_attention(rotate(Q, places), rotate(K, places), V, causal_mask(len(ids)))
        X = X + merge_heads(context) @ layer["W_o"] + layer["b_o"]
        hidden = [layer[name] for name in ("W_1", "b_1", "W_2", "b_2")]
        X = X + feed_forward(normal(X, layer, "norm_2"), *hidden)
    return normal(X, GPT, "norm") @ GPT["embedding"].T


@pytest.mark.parametrize("i", range(3))
def test_the_libraries_functions_make_what_torch_makes_of_the_same_weights(i):
    with np.load(Path(__file__).with_name("data") / "austen_outputs.npz") as file:
        text, ids, wanted = str(file["texts"][i]), file[f"ids_{i}"], file[f"logits_{i}"]
    assert to_pieces(text).tolist() == ids.tolist()
    found = logits(ids)
    assert found.dtype == np.float32
    assert np.abs(found - wanted).max() < 1e-3


def test_it_has_learned_to_write_as_jane_austen_does():
    loss = np.mean([cross_entropy(logits(IDS[i : i + 128]), IDS[i + 1 : i + 129]) for i in range(0, 4 * 128, 128)])
    assert loss < 3.4  # ln 1000 = 6.9


def test_the_gpt_has_the_sizes_of_its_kind():
    assert GPT["num_heads"] == 4
    assert len(GPT["layers"]) == 4
    for layer in GPT["layers"]:
        assert {name: array.shape for name, array in layer.items()} == {
            **dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (128, 128)),
            **dict.fromkeys(("b_q", "b_k", "b_v", "b_o", "b_2"), (128,)),
            **{f"norm_{i}_{name}": (128,) for i in (1, 2) for name in ("weight", "bias")},
            **{"W_1": (128, 512), "b_1": (512,), "W_2": (512, 128)},
        }
    assert {name: array.shape for name, array in GPT.items() if isinstance(array, np.ndarray)} == {
        "embedding": (1000, 128),
        **dict.fromkeys(("norm_weight", "norm_bias"), (128,)),
    }
    arrays = [a for part in (GPT, *GPT["layers"]) for a in part.values() if isinstance(a, np.ndarray)]
    assert sum(array.size for array in arrays) == 921_344
    assert all(array.dtype == np.float32 and not array.flags.writeable for array in arrays)


def test_what_is_loaded_is_shared_and_nobody_can_spoil_it():
    once = load_gpt()
    assert once["layers"][0]["W_q"] is GPT["layers"][0]["W_q"]
    once["layers"][0]["W_q"] = once["embedding"] = 0
    once["pieces"].clear()
    assert load_gpt()["layers"][0]["W_q"].shape == (128, 128)
    assert len(load_gpt()["pieces"]) == 1000
    assert from_pieces(to_pieces(" she")) == " she"


def test_no_piece_comes_twice_and_every_character_of_the_novels_is_one():
    pieces = GPT["pieces"]
    assert len(set(pieces)) == 1000
    assert {piece for piece in pieces if len(piece) == 1} == set("\n !\"',-.:;?abcdefghijklmnopqrstuvwxyz")
    assert not [piece for piece in pieces if "\\" in piece]  # of which a line break is made in the file


def test_each_piece_is_the_longest_that_fits():
    text, pieces, start = GPT["held_out"][:2000], set(GPT["pieces"]), 0
    for i in to_pieces(text):
        piece = GPT["pieces"][i]
        fitting = [text[start : start + n] for n in range(1, 20) if text[start : start + n] in pieces]
        assert piece == fitting[-1]
        start += len(piece)
    assert start == len(text)


def test_texts_come_back():
    assert from_pieces(IDS) == GPT["held_out"]
    assert from_pieces(to_pieces("Mr. Darcy\n smiled")) == "mr. darcy\n smiled"
    assert to_pieces("").shape == (0,)
    assert from_pieces(to_pieces("")) == ""
    assert to_pieces(" she").dtype == np.int64


def test_a_wrong_input_is_named():
    with pytest.raises(ValueError, match="letters and marks of the novels; got '3'"):
        to_pieces(" chapter 3")
    with pytest.raises(TypeError, match="text must be a str; got list"):
        to_pieces([" she"])
    with pytest.raises(ValueError, match="ids must be from 0 to 999; got 5 to 1000"):
        from_pieces([5, 1000])
    with pytest.raises(ValueError, match="ids must be from 0 to 999; got -1 to 5"):
        from_pieces([5, -1])
    with pytest.raises(ValueError, match=r"ids must have shape \(n,\); got shape \(1, 2\)"):
        from_pieces([[1, 2]])
    with pytest.raises(TypeError, match="ids"):
        from_pieces([0.5])


def test_what_is_given_is_there_when_everything_else_is_to_be_written(tmp_path):
    library.write_course(tmp_path)
    library.link_data(tmp_path)
    code = """
import attnlib, numpy as np
assert not {"softmax", "layer_norm"} & set(vars(attnlib))
gpt, toy, trap = attnlib.load_gpt(), attnlib.load_induction_model(), attnlib.load_induction_model(trapped=True)
repeats = attnlib.random_repeats(np.random.default_rng(0), 2)
search, senses = attnlib.load_search_sentences(), attnlib.load_senses()
print(attnlib.from_pieces(attnlib.to_pieces("so")), len(toy["layers"]), len(trap["layers"]), repeats.shape[1])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["so", "2", "1", "49"], done.stderr


def test_loading_is_quick_and_takes_little_memory():
    attnlib.gpt._gpt.cache_clear()
    began = time.process_time()
    gpt = load_gpt()
    assert time.process_time() - began < 1  # about 0.03
    assert sum(array.nbytes for layer in gpt["layers"] for array in layer.values()) < 4_000_000
