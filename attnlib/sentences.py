"""Sentences written for the course: words that mean two things, and questions that share hardly a word with their
answers."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

DATA = os.path.join(os.path.dirname(__file__), "data")


def load_senses() -> dict[str, dict[str, list[str]]]:
    """Load 72 sentences about six words that mean two things each.

    Returns
    -------
    senses : dict of str to dict
        ``senses[word][meaning]`` is a list of six sentences. Each has the word exactly once, in that meaning. All of
        them are lower-case, without punctuation, and made of words that `attnlib.load_encoder` knows.

    Examples
    --------
    >>> senses = load_senses()
    >>> list(senses)
    ['bank', 'spring', 'light', 'match', 'play', 'cell']
    >>> senses["bank"]["river"][0]
    'they sat on the bank of the river'
    """
    senses: dict[str, dict[str, list[str]]] = {}
    for word, meaning, text in _rows("senses.txt"):
        senses.setdefault(word, {}).setdefault(meaning, []).append(text)
    return senses


def load_search_sentences() -> dict[str, Any]:
    """Load 60 sentences to search in, and 20 questions that share hardly a word with their answers.

    Returns
    -------
    search : dict
        "sentences", a list of 60; "questions", a list of 20;
        and "answers", an int ndarray of shape (20,): ``sentences[answers[i]]`` is what question i looks for. All of
        them are lower-case, without punctuation, and made of words that `attnlib.load_encoder` knows.

    Examples
    --------
    >>> search = load_search_sentences()
    >>> search["questions"][1]
    'the cost of living is rising'
    >>> search["sentences"][search["answers"][1]]
    'prices in the shops are much higher than last year'
    """
    rows = _rows("search_sentences.txt")
    asked = [row for row in rows if len(row) == 2]
    return {
        "sentences": [row[0] for row in rows if len(row) == 1],
        "questions": [question for question, _ in asked],
        "answers": np.array([int(answer) for _, answer in asked]),
    }


def _rows(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return [line.split("\t") for line in file.read().splitlines()]
