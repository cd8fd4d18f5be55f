"""TODO: A whole transformer."""

from attnlib import diagnose, search_sentences, sentence_vector, sentence_vectors, word_in_context


def test_TODO_what_is_true_of_sentence_vector():
    assert sentence_vector("TODO: values by hand first, then properties") == "sentence_vector"


def test_TODO_what_is_true_of_sentence_vectors():
    assert sentence_vectors("TODO: values by hand first, then properties") == "sentence_vectors"


def test_TODO_what_is_true_of_search_sentences():
    assert search_sentences("TODO: values by hand first, then properties") == "search_sentences"


def test_TODO_what_is_true_of_word_in_context():
    assert word_in_context("TODO: values by hand first, then properties") == "word_in_context"


def test_TODO_what_is_true_of_diagnose():
    assert diagnose("TODO: values by hand first, then properties") == "diagnose"
