import numpy as np
import pytest

from attnlib import embed, encode, load_word_vectors, mean_embedding, one_hot, tokenize, word_pieces


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The cat sat", ["the", "cat", "sat"]),
        ("I am going to play.", ["i", "am", "going", "to", "play"]),
        ("Don't stop, 2 dogs!", ["don", "t", "stop", "2", "dogs"]),
        ("Don\u2019t", ["don", "t"]),
        ("snake_case and-dash", ["snake", "case", "and", "dash"]),
        ("Caf\u00e9", ["caf\u00e9"]),
        ("", []),
        (" ?! ", []),
    ],
)
def test_tokens_are_lower_case_runs_of_letters_and_digits(text, tokens):
    assert tokenize(text) == tokens


def test_tokenize_wants_a_string():
    with pytest.raises(TypeError, match="text must be a str; got list"):
        tokenize(["the"])


def test_encode_looks_ids_up_and_gives_an_unknown_token_the_id_of_unk():
    vocabulary = {"[UNK]": 3, "cat": 0, "the": 7}
    assert encode(["the", "cat", "purred"], vocabulary) == [7, 0, 3]
    assert encode([], vocabulary) == []


def test_encode_tells_text_from_tokens():
    with pytest.raises(TypeError, match="tokenize it first"):
        encode("the cat", {"[UNK]": 0})


def test_encode_needs_unk_only_for_an_unknown_token():
    assert encode(["cat"], {"cat": 5}) == [5]
    with pytest.raises(ValueError, match=r"must contain \"\[UNK\]\""):
        encode(["dog"], {"cat": 5})


def test_embed_takes_the_rows_of_the_ids():
    E = np.arange(14.0).reshape(7, 2)
    assert np.array_equal(embed([6, 0, 6], E), [[12, 13], [0, 1], [12, 13]])


def test_embed_returns_a_copy():
    E = np.ones((3, 2))
    embed([0], E)[:] = 5
    assert (E == 1).all()


def test_lookup_equals_the_one_hot_product_for_any_batch_of_ids():
    rng = np.random.default_rng(0)
    E = rng.standard_normal((13, 5))
    ids = rng.integers(0, 13, size=(2, 3, 7))
    assert one_hot(ids, 13).shape == (2, 3, 7, 13)
    assert np.array_equal(one_hot(ids, 13) @ E, embed(ids, E))


def test_one_hot_rows_hold_a_single_one():
    assert np.array_equal(one_hot([2, 0], 3), [[0, 0, 1], [1, 0, 0]])
    assert one_hot([], 3).shape == (0, 3)


@pytest.mark.parametrize("ids", [[3], [-1]])
def test_an_id_outside_the_vocabulary_is_an_error_that_names_the_bounds(ids):
    with pytest.raises(ValueError, match=r"between 0 and 2 \(vocab_size=3\)"):
        embed(ids, np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"between 0 and 2 \(vocab_size=3\)"):
        one_hot(ids, 3)


def test_ids_have_to_be_integers():
    with pytest.raises(TypeError, match="token_ids must hold integers; got float64"):
        embed([1.0], np.ones((3, 2)))


def test_ids_have_to_be_rectangular():
    with pytest.raises(ValueError, match="token_ids must be rectangular"):
        one_hot([[1], [2, 3]], 5)


def test_embed_wants_a_matrix():
    with pytest.raises(ValueError, match=r"E must have shape \(vocab_size, d_model\); got shape \(2, 3, 5\)"):
        embed([0], np.ones((2, 3, 5)))


def test_the_mean_embedding_averages_the_tokens():
    assert np.array_equal(mean_embedding([[0, 2], [1, 4], [5, 0]]), [2, 2])


def test_the_mean_embedding_ignores_the_order_of_the_tokens():
    X = np.random.default_rng(1).standard_normal((2, 7, 5))
    assert mean_embedding(X).shape == (2, 5)
    assert np.allclose(mean_embedding(X), mean_embedding(X[:, ::-1]), rtol=0, atol=1e-15)


def test_the_mean_of_no_tokens_is_an_error():
    with pytest.raises(ValueError, match=r"X must not be empty: its axis n has length 0 in shape \(0, 3\)"):
        mean_embedding(np.ones((0, 3)))


def test_each_call_loads_word_vectors_of_its_own():
    _, E = load_word_vectors()
    E[:] = 0
    assert load_word_vectors()[1].any()


PIECES = {"[UNK]": 0, "em": 1, "e": 2, "##bed": 3, "##b": 4, "##ding": 5, "##s": 6, "emb": 7}


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("em", ["em"]),
        ("ems", ["em", "##s"]),
        ("embs", ["emb", "##s"]),
        ("ebbs", ["e", "##b", "##b", "##s"]),
        ("embed", ["[UNK]"]),  # "emb" leads nowhere, and "em" would not; there is no going back
        ("bed", ["[UNK]"]),
        ("emx", ["[UNK]"]),
        ("", []),
    ],
)
def test_pieces_are_the_longest_that_match_from_the_beginning_on(word, pieces):
    assert word_pieces(word, PIECES) == pieces


def test_pieces_are_cut_from_one_word():
    with pytest.raises(TypeError, match="word must be a str; got list"):
        word_pieces(["em"], PIECES)
