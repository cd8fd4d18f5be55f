import importlib.util
from pathlib import Path

import numpy as np
import pytest

import attnlib
from attnlib import load_attention_layer, load_layer_outputs, load_nile, load_word_vectors, tokenize

DATA = Path(attnlib.__file__).parent / "data"
SCRIPTS = Path(__file__).parent.parent / "scripts"


def test_all_data_together_stay_small():
    assert sum(path.stat().st_size for path in DATA.iterdir()) <= 18_000_000
    assert (DATA / "words.txt").stat().st_size + (DATA / "word_vectors.npy").stat().st_size <= 3_000_000


def test_each_data_file_has_its_provenance():
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in DATA.iterdir() if path.name not in readme and path.name != "README.md"] == []


def test_special_tokens_come_first_and_no_word_comes_twice():
    vocabulary, E = load_word_vectors()
    words = list(vocabulary)
    assert words[:4] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    assert list(vocabulary.values()) == list(range(len(words)))
    assert len(words) >= 2000
    assert E.shape == (len(words), 384)
    assert E.dtype == np.float32
    assert np.isfinite(E).all()
    assert len((DATA / "words.txt").read_text(encoding="utf-8").split("\n")) == len(words) + 1


def test_every_word_is_one_token_of_the_courses_tokenizer():
    words = list(load_word_vectors()[0])[4:]
    assert [word for word in words if word.isalpha() and tokenize(word) != [word]] == []
    assert {word for word in words if not word.isalpha()} == set("!',-.:;?")


@pytest.mark.parametrize(
    "text",
    [
        "The cat sat on the mat",
        "I am going to play",
        "Playing outside",
        "How are you",
        "The doctor helped the sick child",
        "A physician cured the ill boy",
        "My friend bought a new car",
        "She sat at the bank of the river",
        "He deposited money at the bank",
        "paris france london french city king queen man woman",
        "monday dog dogs red blue seven rain sun snow mother father piano football bread apple",
    ],
)
def test_the_courses_sentences_are_made_of_known_words(text):
    vocabulary, _ = load_word_vectors()
    assert [token for token in tokenize(text) if token not in vocabulary] == []


def test_names_of_people_and_coarse_words_are_left_out():
    vocabulary, _ = load_word_vectors()
    assert not {"john", "james", "smith", "shit", "didn", "isbn"} & set(vocabulary)


def test_the_word_list_reads_as_it_was_written():
    spec = importlib.util.spec_from_file_location("make_word_vectors", SCRIPTS / "make_word_vectors.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    words = list(load_word_vectors()[0])
    assert len(words) == script.WORD_COUNT
    assert set(script.choose_words(words)) == set(words)


def test_the_attention_layer_has_the_sizes_of_the_model():
    layer = load_attention_layer()
    assert layer["num_heads"] == 12
    shapes = {name: array.shape for name, array in layer.items() if name != "num_heads"}
    assert shapes == {
        **dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (384, 384)),
        **dict.fromkeys(("b_q", "b_k", "b_v", "b_o", "norm_weight", "norm_bias"), (384,)),
        "position_embeddings": (128, 384),
        "token_type_embeddings": (2, 384),
    }
    assert all(array.dtype == np.float32 for name, array in layer.items() if name != "num_heads")


def test_the_frozen_outputs_are_of_sentences_made_of_known_words():
    vocabulary, _ = load_word_vectors()
    outputs = load_layer_outputs()
    assert len(outputs) == 5
    for output in outputs:
        n = len(output["tokens"])
        assert all(token in vocabulary for token in output["tokens"])
        assert output["context"].shape == (n, 384)
        assert output["weights"].shape == (12, n, n)
        assert np.allclose(output["weights"].sum(axis=-1), 1, atol=1e-6)


def test_the_flow_of_the_nile_is_the_known_series():
    year, flow = load_nile()
    assert np.array_equal(year, np.arange(1871, 1971))
    assert flow.sum() == 91_935
    assert (flow.min(), flow.max()) == (456, 1370)
    assert year[flow.argmin()] == 1913
    assert flow[:3].tolist() == [1120, 1160, 963]
    assert flow[-2:].tolist() == [714, 740]
