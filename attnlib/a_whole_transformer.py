"""A whole transformer, from text to meaning: vectors of sentences and of words in their context, search among them,
and a judge of other people's attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.blocks import post_norm_block
from attnlib.embeddings import tokenize
from attnlib.encoder import encoder_input, load_encoder
from attnlib.masks import padding_mask
from attnlib.scores import unit_rows

#: What `diagnose` tells apart.
DIAGNOSES = (
    "healthy",
    "no scaling",
    "scaled by sqrt(d_model)",
    "softmax over the queries",
    "mask inverted",
    "mask after the softmax",
    "mask ignored",
    "heads by a bare reshape",
    "merged without exchanging axes",
    "keys instead of values",
    "no W_o",
)


def sentence_vector(text: str) -> NDArray:
    r"""Run a whole transformer over a text, and average what it makes of its tokens.

    .. math:: \frac{m}{\|m\|}, \qquad m = \frac{1}{n} \sum_{i=1}^n X^{(6)}_i

    Parameters
    ----------
    text : str
        Of at most 126 words that `attnlib.load_encoder` knows.

    Returns
    -------
    vector : ndarray of shape (384,)
        Of length 1. "[CLS]" and "[SEP]" count in the mean.

    Raises
    ------
    ValueError
        If a word is unknown, there is none, or there are too many.
    TypeError
        If text is no text.

    References
    ----------
    Reimers and Gurevych (2019), "Sentence-BERT: sentence embeddings using siamese BERT-networks".

    Examples
    --------
    >>> doctor = sentence_vector("the doctor gave the sick child some medicine")
    >>> round(float(doctor @ sentence_vector("the physician treated a young patient")), 2)
    0.65
    >>> round(float(doctor @ sentence_vector("the film was long and rather boring")), 2)
    0.18
    """
    X = _states(text)[-1]
    return unit_rows(X.mean(axis=0, keepdims=True))[0]


def sentence_vectors(texts: Sequence[str]) -> NDArray:
    """Run a whole transformer over many texts at once, padded to one length.

    Parameters
    ----------
    texts : sequence of str
        At least one; each as for `sentence_vector`.

    Returns
    -------
    vectors : ndarray of shape (n, 384)
        In the order of the texts; what stands beside a text changes nothing in its vector.

    Raises
    ------
    ValueError
        If there is no text, a word is unknown, or a text has none or too many.
    TypeError
        If texts is a single text, or one of them is no text.

    Examples
    --------
    >>> texts = ["the cat sat", "the doctor gave the sick child some medicine"]
    >>> bool(np.allclose(sentence_vectors(texts)[0], sentence_vector(texts[0]), atol=1e-5))
    True
    """
    if isinstance(texts, str):
        raise TypeError(f"texts must be a list of texts; got the text {texts!r}")
    inputs = [encoder_input(tokenize(text)) for text in texts]
    if not inputs:
        raise ValueError("texts must hold at least one text; got none")
    lengths = [len(one) for one in inputs]
    longest = max(lengths)
    X = np.array([np.pad(one, [(0, longest - len(one)), (0, 0)]) for one in inputs])  # (batch, n, 384)
    mask = padding_mask(lengths, longest)  # (batch, 1, n)
    encoder = load_encoder()
    for layer in encoder["layers"]:
        X = post_norm_block(X, layer, encoder["num_heads"], mask)
    return unit_rows(np.array([one[:length].mean(axis=0) for one, length in zip(X, lengths, strict=True)]))


def search_sentences(query_vector: ArrayLike, vectors: ArrayLike, k: int) -> tuple[NDArray[np.intp], NDArray]:
    r"""Find the sentences whose vectors point most nearly where the query's does.

    .. math:: s_i = v_i \cdot q

    Parameters
    ----------
    query_vector : ndarray of shape (d,)
    vectors : ndarray of shape (n, d)
        Rows of length 1, as `sentence_vectors` gives them.
    k : int
        How many, from 1 to n.

    Returns
    -------
    indices : int ndarray of shape (k,)
        The best first; of equal scores the lower index.
    scores : ndarray of shape (k,)

    Raises
    ------
    ValueError
        If the shapes disagree, or k is not between 1 and n.
    TypeError
        If an argument holds anything but real numbers, or k is not an integer.

    Examples
    --------
    >>> indices, scores = search_sentences([0.6, 0.8], [[1, 0], [0, 1], [0.6, 0.8]], 2)
    >>> indices.tolist(), scores.round(2).tolist()
    ([2, 1], [1.0, 0.8])
    """
    q, vectors = _check.numbers(query_vector, "query_vector", ("d",)), _check.numbers(vectors, "vectors", ("n", "d"))
    if q.ndim != 1 or vectors.ndim != 2:
        raise ValueError(f"query_vector must have shape (d,), vectors (n, d); got {q.shape} and {vectors.shape}")
    _check.same_last_axis(vectors, "vectors", q, "query_vector", "d")
    k = _check.count(k, "k", 1, len(vectors))
    scores = vectors @ q
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def word_in_context(text: str, word: str) -> NDArray:
    """Follow one word of a text through a whole transformer.

    Parameters
    ----------
    text : str
        As for `sentence_vector`.
    word : str
        One of its words; where it stands there several times, the first one counts.

    Returns
    -------
    states : ndarray of shape (7, 384)
        The word's row before the first layer, and after each.

    Raises
    ------
    ValueError
        If the word is not in the text, or the text is not as for `sentence_vector`.
    TypeError
        If text is no text.

    References
    ----------
    Ethayarajh (2019), "How contextual are contextualized word representations?".

    Examples
    --------
    >>> from attnlib import cosine_scores
    >>> money = word_in_context("the bank closed my account", "bank")
    >>> river = word_in_context("the boat was tied to the bank", "bank")
    >>> cosine_scores(money, river).diagonal().round(2)  # before the first layer, and after each
    array([0.97, 0.92, 0.91, 0.91, 0.92, 0.92, 0.81], dtype=float32)
    """
    tokens = tokenize(text)
    if word not in tokens:
        raise ValueError(f"word must be one of the text's words, {', '.join(tokens)}; got {word!r}")
    place = 1 + tokens.index(word)  # behind "[CLS]"
    return np.array([X[place] for X in _states(text)])


def _states(text: str) -> list[NDArray]:
    """The tokens of a text before the first layer and after each, (n + 2, 384) each."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a text; got {text!r}")
    encoder = load_encoder()
    states = [encoder_input(tokenize(text))]
    for layer in encoder["layers"]:
        states.append(post_norm_block(states[-1], layer, encoder["num_heads"]))
    return states


def diagnose(attention: Callable[..., ArrayLike]) -> str:
    """Find the fault of an attention of which nothing is known but what it returns.

    Parameters
    ----------
    attention : callable
        ``attention(X, W_q, W_k, W_v, W_o, num_heads, mask)``, from (n, d_model), four matrices (d_model, d_model), a
        number that divides d_model and a mask (n, n), True where a query may attend to a key, to contexts
        (n, d_model).

    Returns
    -------
    diagnosis : str
        One of `attnlib.a_whole_transformer.DIAGNOSES`: "healthy", or the fault that comes nearest to what was seen.

    Raises
    ------
    TypeError
        If attention cannot be called.

    Notes
    -----
    One call tells all eleven apart, if nothing in it is special: several heads, a mask, and matrices of which no two
    are alike. What each fault would give is computed and compared.

    Examples
    --------
    >>> from attnlib import multi_head_attention
    >>> diagnose(lambda X, *given: multi_head_attention(X, X, *given)[0])
    'healthy'
    >>> diagnose(lambda X, *given: multi_head_attention(X, X, *given[:-1])[0])
    'mask ignored'
    """
    _check.function(attention, "attention")
    n, num_heads, d_k = 5, 3, 2
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, num_heads * d_k))
    matrices = rng.normal(size=(4, num_heads * d_k, num_heads * d_k))
    given: tuple[Any, ...] = (X, *matrices, num_heads, np.tri(n, dtype=bool))
    got = np.asarray(attention(*given))
    gaps = {name: np.abs(got - _with_fault(name, *given)).max() for name in DIAGNOSES}
    return min(gaps, key=gaps.__getitem__)


def _with_fault(
    fault: str, X: NDArray, W_q: NDArray, W_k: NDArray, W_v: NDArray, W_o: NDArray, num_heads: int, mask: NDArray
) -> NDArray:
    """Multi-head self-attention with one of the `DIAGNOSES`."""
    n, d_model = X.shape
    d_k = d_model // num_heads

    def heads(A: NDArray) -> NDArray:  # (n, d_model) -> (num_heads, n, d_k)
        if fault == "heads by a bare reshape":
            return A.reshape(num_heads, n, d_k)
        return np.swapaxes(A.reshape(n, num_heads, d_k), 0, 1)

    Q, K, V = heads(X @ W_q), heads(X @ W_k), heads(X @ W_v)
    if fault == "keys instead of values":
        V = K
    by = {"no scaling": 1.0, "scaled by sqrt(d_model)": d_model**0.5}.get(fault, d_k**0.5)
    everywhere = np.ones_like(mask)
    seen = {"mask inverted": ~mask, "mask ignored": everywhere, "mask after the softmax": everywhere}
    allowed = seen.get(fault, mask)
    scores = np.where(allowed, Q @ np.swapaxes(K, -1, -2) / by, -1e30)
    axis = -2 if fault == "softmax over the queries" else -1
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights = powers / powers.sum(axis=axis, keepdims=True)
    if fault == "mask after the softmax":
        weights = weights * mask
    context = weights @ V  # (num_heads, n, d_k)
    if fault != "merged without exchanging axes":
        context = np.swapaxes(context, 0, 1)
    merged = context.reshape(n, d_model)
    return merged if fault == "no W_o" else merged @ W_o
