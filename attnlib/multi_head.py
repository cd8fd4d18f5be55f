"""Several attentions side by side, each in a slice of the columns, and the first layer of a real transformer."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.embeddings import embed, tokenize
from attnlib.scaling import scaled_dot_product_attention

DATA = os.path.join(os.path.dirname(__file__), "data")


def split_heads(X: ArrayLike, num_heads: int) -> NDArray:
    """Deal the columns out to the heads: contiguous slices, the first to head 0.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    num_heads : int
        Has to divide d_model.

    Returns
    -------
    heads : ndarray of shape (..., num_heads, n, d_model / num_heads)

    Raises
    ------
    ValueError
        If num_heads does not divide d_model.
    TypeError
        If X holds anything but real numbers, or num_heads is not an integer.

    Examples
    --------
    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2)
    array([[[1., 2.],
            [5., 6.]],
    <BLANKLINE>
           [[3., 4.],
            [7., 8.]]])
    """
    X = _check.numbers(X, "X", ("n", "d_model"))
    num_heads = _check.count(num_heads, "num_heads")
    *leading, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model={d_model}; got num_heads={num_heads} for X of shape {X.shape}")
    X = X.reshape(*leading, n, num_heads, d_model // num_heads)  # (..., n, d_model) -> (..., n, h, d)
    return np.swapaxes(X, -3, -2)  # (..., n, h, d) -> (..., h, n, d)


def merge_heads(X: ArrayLike) -> NDArray:
    """Lay the heads side by side again: the inverse of `split_heads`.

    Parameters
    ----------
    X : ndarray of shape (..., num_heads, n, d)

    Returns
    -------
    merged : ndarray of shape (..., n, num_heads * d)

    Raises
    ------
    ValueError
        If X has fewer than three axes.
    TypeError
        If X holds anything but real numbers.

    Examples
    --------
    >>> merge_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]])
    array([[1., 2., 3., 4.],
           [5., 6., 7., 8.]])
    """
    X = _check.numbers(X, "X", ("num_heads", "n", "d"))
    *leading, num_heads, n, d = X.shape
    X = np.swapaxes(X, -3, -2)  # (..., h, n, d) -> (..., n, h, d)
    return X.reshape(*leading, n, num_heads * d)


def multi_head_attention(
    X_q: ArrayLike,
    X_kv: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    W_o: ArrayLike,
    num_heads: int,
    mask: ArrayLike | None = None,
    b_q: ArrayLike | None = None,
    b_k: ArrayLike | None = None,
    b_v: ArrayLike | None = None,
    b_o: ArrayLike | None = None,
) -> tuple[NDArray, NDArray]:
    r"""Attend several times at once, each head in its own slice of the columns, and mix the results.

    .. math:: \mathrm{concat}(C_1, \dots, C_h) \, W_o, \qquad C_i = \mathrm{attention}(Q_i, K_i, V_i)

    where Q_i is the i-th slice of columns of :math:`X_q W_q + b_q`, and so on.

    Parameters
    ----------
    X_q : ndarray of shape (..., n_queries, d_model)
        Where the queries come from.
    X_kv : ndarray of shape (..., n_keys, d_model)
        Where the keys and values come from; the same as X_q in self-attention.
    W_q, W_k : ndarray of shape (d_model, num_heads * d_k)
    W_v : ndarray of shape (d_model, num_heads * d_v)
    W_o : ndarray of shape (num_heads * d_v, d_model)
    num_heads : int
    mask : bool ndarray broadcastable to (..., n_queries, n_keys), optional
        True where a query may attend to a key; the same for every head.
    b_q, b_k, b_v, b_o : ndarray, optional
        Biases, one entry per column of their matrix.

    Returns
    -------
    context : ndarray of shape (..., n_queries, d_model)
    weights : ndarray of shape (..., num_heads, n_queries, n_keys)
        Each row sums to 1; a row with nothing to attend to is all zeros, and its context is that of zeros: b_o.

    Raises
    ------
    ValueError
        If the shapes disagree or num_heads does not divide the columns.
    TypeError
        If an array holds anything but real numbers, or the mask anything but booleans.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2.

    Examples
    --------
    >>> X, identity = np.eye(2), np.eye(2)
    >>> context, weights = multi_head_attention(X, X, identity, identity, identity, identity, num_heads=2)
    >>> weights.round(3)
    array([[[0.731, 0.269],
            [0.5  , 0.5  ]],
    <BLANKLINE>
           [[0.5  , 0.5  ],
            [0.269, 0.731]]])
    >>> context.round(3)
    array([[0.731, 0.5  ],
           [0.5  , 0.731]])
    """
    X_q = _check.numbers(X_q, "X_q", ("n_queries", "d_model"))
    X_kv = _check.numbers(X_kv, "X_kv", ("n_keys", "d_model"))
    _check.same_batch(X_q=(X_q, 2), X_kv=(X_kv, 2))
    W_q, W_k, W_v = _check.projections(X_q, "X_q", X_kv, "X_kv", W_q, W_k, W_v)
    W_o = _check.projection(W_o, "W_o", W_v, "W_v")
    b_q, b_k, b_v, b_o = (
        _check.bias(b, b_name, W, W_name)
        for b, b_name, W, W_name in [
            (b_q, "b_q", W_q, "W_q"),
            (b_k, "b_k", W_k, "W_k"),
            (b_v, "b_v", W_v, "W_v"),
            (b_o, "b_o", W_o, "W_o"),
        ]
    )
    if mask is not None:
        leading = np.broadcast_shapes(X_q.shape[:-2], X_kv.shape[:-2])
        mask = _check.boolean_mask(mask, (*leading, X_q.shape[-2], X_kv.shape[-2]))
        mask = mask[..., None, :, :]  # (..., n_queries, n_keys) -> (..., 1, n_queries, n_keys): the same for every head

    Q = split_heads(X_q @ W_q + b_q, num_heads)  # (..., n_q, h * d_k) -> (..., h, n_q, d_k)
    K = split_heads(X_kv @ W_k + b_k, num_heads)
    V = split_heads(X_kv @ W_v + b_v, num_heads)
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return merge_heads(context) @ W_o + b_o, weights


def fold_biases(
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    W_o: ArrayLike,
    b_q: ArrayLike,
    b_k: ArrayLike,
    b_v: ArrayLike,
    b_o: ArrayLike,
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    r"""Write a multi-head layer with two biases instead of four.

    .. math:: q \cdot (k_j + b_k) = q \cdot k_j + \mathrm{const}, \qquad
        \sum_j a_j (v_j + b_v) W_o + b_o = \sum_j a_j v_j W_o + (b_v W_o + b_o)

    Softmax does not see what is added to a whole row of scores, and weights sum to 1.

    Parameters
    ----------
    W_q, W_k : ndarray of shape (d_model, num_heads * d_k)
    W_v : ndarray of shape (d_model, num_heads * d_v)
    W_o : ndarray of shape (num_heads * d_v, d_model)
        Of the four matrices only this one is needed.
    b_q, b_k, b_v, b_o : ndarray
        Biases, one entry per column of their matrix.

    Returns
    -------
    b_q, b_k, b_v, b_o : ndarray
        With these, `multi_head_attention` gives what it gave, wherever every query has a key that it may attend to.
        The second and the third are zeros.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> W, b = 3 * np.eye(2), np.array([1.0, 2.0])
    >>> fold_biases(W, W, W, W, b, b, b, b)
    (array([1., 2.]), array([0., 0.]), array([0., 0.]), array([4., 8.]))
    """
    W_q, W_k, W_v = (_check.numbers(W, n, ("d_in", "d_out")) for n, W in [("W_q", W_q), ("W_k", W_k), ("W_v", W_v)])
    W_o = _check.projection(W_o, "W_o", W_v, "W_v")
    b_q, b_k, b_v, b_o = (
        np.array(_check.bias(_check.numbers(b, b_name, ("d_out",)), b_name, W, W_name))
        for b, b_name, W, W_name in [
            (b_q, "b_q", W_q, "W_q"),
            (b_k, "b_k", W_k, "W_k"),
            (b_v, "b_v", W_v, "W_v"),
            (b_o, "b_o", W_o, "W_o"),
        ]
    )
    return b_q, np.zeros_like(b_k), np.zeros_like(b_v), b_v @ W_o + b_o


def parameter_count(
    d_model: int, num_heads: int, d_k: int | None = None, d_v: int | None = None, biases: bool = True
) -> int:
    """Count the numbers that a multi-head attention learns.

    Parameters
    ----------
    d_model, num_heads : int
    d_k, d_v : int, optional
        Columns of one head; d_model / num_heads unless given.
    biases : bool, optional
        Whether W_q, W_k, W_v and W_o each come with a bias.

    Returns
    -------
    count : int
        With the default d_k and d_v it does not depend on num_heads.

    Raises
    ------
    ValueError
        If num_heads does not divide d_model and d_k or d_v is left out.
    TypeError
        If a size is not an integer.

    Examples
    --------
    >>> parameter_count(384, 12)
    591360
    >>> parameter_count(384, 1)
    591360
    """
    d_model = _check.count(d_model, "d_model")
    num_heads = _check.count(num_heads, "num_heads")
    if (d_k is None or d_v is None) and d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model={d_model} unless d_k and d_v are given; got {num_heads}")
    d_k = d_model // num_heads if d_k is None else _check.count(d_k, "d_k")
    d_v = d_model // num_heads if d_v is None else _check.count(d_v, "d_v")
    columns = [num_heads * d_k, num_heads * d_k, num_heads * d_v]  # of W_q, W_k, W_v
    weights = d_model * sum(columns) + num_heads * d_v * d_model  # W_o: back from num_heads * d_v to d_model
    return weights + (sum(columns) + d_model if biases else 0)


def layer_norm(X: ArrayLike, weight: ArrayLike, bias: ArrayLike, epsilon: float = 1e-12) -> NDArray:
    r"""Shift and stretch every row to mean 0 and variance 1, then scale and shift each column as learned.

    .. math:: \frac{x - \bar{x}}{\sqrt{\mathrm{var}(x) + \epsilon}} \odot \gamma + \beta

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
    weight, bias : ndarray of shape (d,)
        Gamma and beta above.
    epsilon : float, optional
        Keeps a row of equal numbers from a division by zero. The default is that of BERT.

    Returns
    -------
    normalised : ndarray of shape (..., n, d)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Ba et al. (2016), "Layer Normalization".

    Examples
    --------
    >>> layer_norm([[1, 2, 3]], [1, 1, 1], [0, 0, 10]).round(3)
    array([[-1.225,  0.   , 11.225]])
    """
    X = _check.numbers(X, "X", ("n", "d"))
    weight, bias = _check.numbers(weight, "weight"), _check.numbers(bias, "bias")
    for name, array in [("weight", weight), ("bias", bias)]:
        if array.shape != X.shape[-1:]:
            raise ValueError(f"{name} must have shape (d,) = {X.shape[-1:]}; got {name} of shape {array.shape}")
    epsilon = _check.positive(epsilon, "epsilon")
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + epsilon) * weight + bias


def load_attention_layer() -> dict[str, Any]:
    """Load the first self-attention layer of the open model all-MiniLM-L6-v2.

    Returns
    -------
    layer : dict
        "W_q", "W_k", "W_v", "W_o" of shape (384, 384), so that ``X @ W_q + b_q`` is right; "b_q", "b_k", "b_v",
        "b_o" of shape (384,); "num_heads", 12. For the input: "position_embeddings" (128, 384),
        "token_type_embeddings" (2, 384), "norm_weight" and "norm_bias" (384,). Arrays are float32.

    Notes
    -----
    The word vectors that belong to it are those of `attnlib.load_word_vectors`. Source and licence are in
    ``attnlib/data/README.md``.

    Examples
    --------
    >>> layer = load_attention_layer()
    >>> layer["W_q"].shape, layer["num_heads"]
    ((384, 384), 12)
    """
    with np.load(os.path.join(DATA, "attention_layer.npz"), allow_pickle=False) as file:
        layer = {name: file[name].astype(np.float32) for name in file.files if name != "num_heads"}
        layer["num_heads"] = int(file["num_heads"])
    return layer


def load_layer_outputs() -> list[dict[str, Any]]:
    """Load what the published model itself computes in its first self-attention layer, for a few sentences.

    Returns
    -------
    outputs : list of dict
        One a sentence: "text", "tokens" (with "[CLS]" and "[SEP]"), "context" of shape (n, 384), which is the
        layer's output before the residual is added, and "weights" of shape (12, n, n).

    Examples
    --------
    >>> first = load_layer_outputs()[0]
    >>> first["tokens"]
    ['[CLS]', 'the', 'cat', 'sat', '[SEP]']
    >>> first["weights"].shape
    (12, 5, 5)
    """
    with np.load(os.path.join(DATA, "attention_layer_outputs.npz"), allow_pickle=False) as file:
        return [
            {
                "text": str(text),
                "tokens": ["[CLS]", *tokenize(str(text)), "[SEP]"],
                "context": file[f"context_{i}"],
                "weights": file[f"weights_{i}"],
            }
            for i, text in enumerate(file["texts"])
        ]


def sentence_ids(text: str, vocabulary: dict[str, int]) -> tuple[list[str], list[int]]:
    """Prepare a sentence for the real model: its tokens between "[CLS]" and "[SEP]", and their ids.

    Parameters
    ----------
    text : str
    vocabulary : dict of str to int
        From `attnlib.load_word_vectors`.

    Returns
    -------
    tokens : list of str
    token_ids : list of int

    Raises
    ------
    ValueError
        If the text has no words, or words that the vocabulary lacks; the message quotes them as they are written.

    Examples
    --------
    >>> from attnlib import load_word_vectors
    >>> vocabulary, E = load_word_vectors()
    >>> sentence_ids("The cat sat.", vocabulary)[0]
    ['[CLS]', 'the', 'cat', 'sat', '[SEP]']
    >>> sentence_ids("The Axolotl sat.", vocabulary)
    Traceback (most recent call last):
        ...
    ValueError: not among the course's 3600 words: “Axolotl” (try another word)
    """
    words = tokenize(text)
    if not vocabulary.keys() >= set(words):
        written: dict[str, str] = {}
        for word in re.findall(r"[^\W_]+", text):
            written.setdefault(word.lower(), f"“{word}”")
        unknown = [word for lower, word in written.items() if not vocabulary.keys() >= set(tokenize(lower))]
        raise ValueError(f"not among the course's {len(vocabulary)} words: {', '.join(unknown)} (try another word)")
    if not words:
        raise ValueError(f"text must have at least one word; got {text!r}")
    tokens = ["[CLS]", *words, "[SEP]"]
    return tokens, [vocabulary[token] for token in tokens]


def layer_input(token_ids: ArrayLike, E: ArrayLike, layer: dict[str, Any]) -> NDArray:
    """Build the input of the real layer: word, position and token-type embeddings added up, then `layer_norm`.

    Parameters
    ----------
    token_ids : integer array_like of shape (..., n)
        With "[CLS]" first and "[SEP]" last, as `sentence_ids` gives them.
    E : ndarray of shape (vocab_size, 384)
        From `attnlib.load_word_vectors`.
    layer : dict
        From `load_attention_layer`.

    Returns
    -------
    X : ndarray of shape (..., n, 384)

    Raises
    ------
    ValueError
        If there are more tokens than positions, or an id is outside E.
    TypeError
        If the ids are not integers.

    Examples
    --------
    >>> from attnlib import load_word_vectors
    >>> vocabulary, E = load_word_vectors()
    >>> tokens, token_ids = sentence_ids("The cat sat", vocabulary)
    >>> layer_input(token_ids, E, load_attention_layer()).shape
    (5, 384)
    """
    words = embed(token_ids, E)
    n, most = words.shape[-2], layer["position_embeddings"].shape[0]
    if n > most:
        raise ValueError(f"token_ids must have at most {most} tokens, one per stored position; got {n}")
    # every token is of type 0: type 1 marks the second of two texts
    X = words + layer["position_embeddings"][:n] + layer["token_type_embeddings"][0]
    return layer_norm(X, layer["norm_weight"], layer["norm_bias"])
