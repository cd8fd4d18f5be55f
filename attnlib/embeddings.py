"""From text to vectors: tokens, their ids, and the rows that belong to the ids."""

from __future__ import annotations

import os
import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check

DATA = os.path.join(os.path.dirname(__file__), "data")
UNKNOWN = "[UNK]"


def tokenize(text: str) -> list[str]:
    """Cut a text into lower-case tokens.

    Parameters
    ----------
    text : str

    Returns
    -------
    tokens : list of str
        Runs of letters and digits, as `str.isalnum` tells them; everything else separates tokens and is dropped.

    Raises
    ------
    TypeError
        If text is not a string.

    Examples
    --------
    >>> tokenize("The cat sat. Didn't it?")
    ['the', 'cat', 'sat', 'didn', 't', 'it']
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str; got {type(text).__name__}")
    return re.findall(r"[^\W_]+", text.lower())


def encode(tokens: list[str], vocabulary: dict[str, int]) -> list[int]:
    """Replace each token by its id, its row number in the embedding matrix.

    Parameters
    ----------
    tokens : list of str
    vocabulary : dict of str to int
        Has to contain "[UNK]", whose id stands for every token that is not in it.

    Returns
    -------
    token_ids : list of int

    Raises
    ------
    TypeError
        If tokens is one string instead of a list of tokens.
    ValueError
        If a token is unknown and the vocabulary has no "[UNK]".

    Examples
    --------
    >>> encode(["the", "cat", "purred"], {"[UNK]": 0, "cat": 1, "the": 2})
    [2, 1, 0]
    """
    if isinstance(tokens, str):
        raise TypeError("tokens must be a list of tokens; got one str (tokenize it first)")
    if UNKNOWN not in vocabulary and any(token not in vocabulary for token in tokens):
        raise ValueError('vocabulary must contain "[UNK]" to encode a token that it does not know')
    return [vocabulary[token] if token in vocabulary else vocabulary[UNKNOWN] for token in tokens]


def embed(token_ids: ArrayLike, E: ArrayLike) -> NDArray:
    """Look up the row of E that belongs to each id.

    Parameters
    ----------
    token_ids : integer array_like of shape (..., n)
    E : ndarray of shape (vocab_size, d_model)

    Returns
    -------
    X : ndarray of shape (..., n, d_model)
        A copy: changing it leaves E alone.

    Raises
    ------
    TypeError
        If the ids are not integers.
    ValueError
        If an id is negative or not smaller than vocab_size, or E has not two axes.

    Examples
    --------
    >>> embed([2, 0], [[0.0, 0.5], [1.0, 1.5], [2.0, 2.5]])
    array([[2. , 2.5],
           [0. , 0.5]])
    """
    E = _check.numbers(E, "E", ("vocab_size", "d_model"))
    if E.ndim != 2:
        raise ValueError(f"E must have shape (vocab_size, d_model); got shape {E.shape}")
    return E[_ids(token_ids, E.shape[0])]


def one_hot(token_ids: ArrayLike, vocab_size: int) -> NDArray:
    r"""Write each id as a row with a single 1, at the id's position.

    The product with the embedding matrix is the lookup: ``one_hot(ids, vocab_size) @ E`` equals ``embed(ids, E)``.

    Parameters
    ----------
    token_ids : integer array_like of shape (..., n)
    vocab_size : int

    Returns
    -------
    rows : ndarray of shape (..., n, vocab_size)
        Zeros and ones, as floats.

    Raises
    ------
    TypeError
        If the ids are not integers.
    ValueError
        If an id is negative or not smaller than vocab_size.

    Examples
    --------
    >>> one_hot([2, 0], 3)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    vocab_size = _check.count(vocab_size, "vocab_size")
    return (_ids(token_ids, vocab_size)[..., None] == np.arange(vocab_size)).astype(np.float64)


def mean_embedding(X: ArrayLike) -> NDArray:
    r"""Average the tokens of a sentence: the same answer for everyone who asks, in whatever order they come.

    .. math:: \bar{x} = \frac{1}{n} \sum_i x_i

    Parameters
    ----------
    X : ndarray of shape (..., n, d)

    Returns
    -------
    mean : ndarray of shape (..., d)

    Raises
    ------
    ValueError
        If X has fewer than two axes or no rows.
    TypeError
        If X holds anything but real numbers.

    Examples
    --------
    >>> mean_embedding([[0.0, 2.0], [1.0, 4.0]])
    array([0.5, 3. ])
    """
    X = _check.numbers(X, "X", ("n", "d"))
    return X.mean(axis=-2)


def word_pieces(word: str, vocabulary: dict[str, int]) -> list[str]:
    """Cut a word into pieces that the vocabulary has: from the beginning on, always the longest that matches.

    Parameters
    ----------
    word : str
    vocabulary : dict of str to int
        A piece that begins a word stands there as it is, one that goes on with a word with "##" before it.

    Returns
    -------
    pieces : list of str
        As they stand in the vocabulary; ["[UNK]"] if nothing matches at some place. There is no going back to a shorter
        piece.

    Raises
    ------
    TypeError
        If word is not a string.

    References
    ----------
    Wu et al. (2016), "Google's Neural Machine Translation System: Bridging the Gap between Human and Machine
    Translation", section 4.1; the greedy cut is that of BERT.

    Examples
    --------
    >>> vocabulary = {"[UNK]": 0, "play": 1, "##ful": 2, "##f": 3}
    >>> word_pieces("playful", vocabulary), word_pieces("player", vocabulary)
    (['play', '##ful'], ['[UNK]'])
    """
    if not isinstance(word, str):
        raise TypeError(f"word must be a str; got {type(word).__name__}")
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = (end for end in range(len(word), start, -1) if mark + word[start:end] in vocabulary)
        end = next(ends, None)
        if end is None:
            return [UNKNOWN]
        pieces.append(mark + word[start:end])
        start = end
    return pieces


def load_word_vectors() -> tuple[dict[str, int], NDArray]:
    """Load real word vectors: the trained input embeddings of the open model all-MiniLM-L6-v2.

    Returns
    -------
    vocabulary : dict of str to int
        3,600 tokens, each with its id; iterating gives them in the order of the rows. The ids 0 to 3 are
        "[PAD]", "[UNK]", "[CLS]" and "[SEP]".
    E : float32 ndarray of shape (vocab_size, 384)
        Row i is the vector of the token with id i. It is yours: every call loads a fresh copy.

    Notes
    -----
    These are the vectors before any attention: one per word, whatever its sentence. Source and licence are in
    ``attnlib/data/README.md``.

    Examples
    --------
    >>> vocabulary, E = load_word_vectors()
    >>> E.shape
    (3600, 384)
    >>> words = list(vocabulary)
    >>> words[vocabulary["cat"]]
    'cat'
    """
    with open(os.path.join(DATA, "words.txt"), encoding="utf-8") as file:
        words = file.read().split()
    E = np.load(os.path.join(DATA, "word_vectors.npy"), allow_pickle=False).astype(np.float32)
    return {word: token_id for token_id, word in enumerate(words)}, E


def _ids(token_ids, vocab_size):
    token_ids = _check.integers(token_ids, "token_ids")
    if token_ids.size and not (token_ids.min() >= 0 and token_ids.max() < vocab_size):
        raise ValueError(
            f"token_ids must lie between 0 and {vocab_size - 1} (vocab_size={vocab_size}); "
            f"got ids from {token_ids.min()} to {token_ids.max()}"
        )
    return token_ids
