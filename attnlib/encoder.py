"""The whole of a real transformer: the six layers of all-MiniLM-L6-v2, what they take, and what they make of it."""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.embeddings import load_word_vectors
from attnlib.multi_head import layer_input

DATA = os.path.join(os.path.dirname(__file__), "data")


def load_encoder() -> dict[str, Any]:
    """Load the whole open model all-MiniLM-L6-v2: six transformer layers, and what their input needs.

    Returns
    -------
    encoder : dict
        "layers", a tuple of six dicts, the first layer first. Each has the attention's "W_q", "W_k", "W_v", "W_o" of
        shape (384, 384) and "b_q", "b_k", "b_v", "b_o" (384,); the feed-forward layer's "W_1" (384, 1536), "b_1"
        (1536,), "W_2" (1536, 384) and "b_2" (384,); and two normalisations, "norm_1_weight", "norm_1_bias" after the
        attention, "norm_2_weight", "norm_2_bias" after the feed-forward layer, (384,) each. A matrix stands on the
        right: ``X @ W_q + b_q``.

        "num_heads", 12. For the input: "position_vectors" (128, 384), "segment_vector", "norm_weight" and "norm_bias"
        (384,), "vocabulary", a dict of 4,100 tokens to their ids, and "word_vectors" (4100, 384).

        Arrays are float32 and read-only: copy one to change it. The dicts are yours.

    Notes
    -----
    The first 3,600 words are those of `attnlib.load_word_vectors`, with the same ids. Matrices are stored as whole
    numbers from -127 to 127 times a scale for each column; what this costs is in ``attnlib/data/README.md``, with
    source and licence.

    Examples
    --------
    >>> encoder = load_encoder()
    >>> len(encoder["layers"]), encoder["num_heads"]
    (6, 12)
    >>> encoder["layers"][5]["W_1"].shape
    (384, 1536)
    """
    encoder = _encoder()
    return {
        **encoder,
        "layers": tuple(dict(layer) for layer in encoder["layers"]),
        "vocabulary": dict(encoder["vocabulary"]),
    }


@functools.cache
def _encoder():
    """The encoder itself: unpacked once, since that takes longer than to run it, and shared by all who ask."""
    encoder = read_model("encoder.npz")
    vocabulary, E = load_word_vectors()
    with open(os.path.join(DATA, "more_words.txt"), encoding="utf-8") as words:
        encoder["vocabulary"] = {word: i for i, word in enumerate([*vocabulary, *words.read().split()])}
    more = np.load(os.path.join(DATA, "more_words.npy"), allow_pickle=False).astype(np.float32)
    encoder["word_vectors"] = np.concatenate([E, more])
    encoder["word_vectors"].flags.writeable = False
    return encoder


def read_model(file_name: str) -> dict[str, Any]:
    """Read a model from the course's data: its parts by name, and "layers", a tuple of dicts, in read-only float32.

    A matrix that is stored as whole numbers gets its scale: W_q that of scale_q, a column each, and embedding that of
    embedding_scale.
    """
    with np.load(os.path.join(DATA, file_name), allow_pickle=False) as file:
        stored = {name: file[name] for name in file.files}
    model: dict[str, Any] = {"num_heads": int(stored.pop("num_heads"))}
    layers: dict[str, dict[str, NDArray]] = {}
    for name, array in stored.items():
        if name.startswith("layer_"):
            _, i, name = name.split("_", 2)
            layers.setdefault(i, {})[name] = array.astype(np.float32)
        else:
            model[name] = array.astype(np.float32)
    for part in (model, *layers.values()):
        for name in [name for name in part if "scale" in name]:
            part[name.replace("scale_", "W_").removesuffix("_scale")] *= part.pop(name)
    model["layers"] = tuple(layers[i] for i in sorted(layers))
    for part in (model, *model["layers"]):
        for array in part.values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
    return model


def encoder_input(tokens: list[str], position_vectors: ArrayLike | None = None) -> NDArray:
    """Build what the first layer of the encoder takes: word, position and segment vectors added up, and normalised.

    Parameters
    ----------
    tokens : list of str
        The words of a sentence, as `attnlib.tokenize` cuts it; "[CLS]" and "[SEP]" are put around them here.
    position_vectors : ndarray of shape (m, 384), optional
        Row i is added to token i, where "[CLS]" is token 0. P, the encoder's own, if left out; ``0 * P`` takes the
        positions away, and ``P[20:]`` moves every token by 20 places.

    Returns
    -------
    X : float32 ndarray of shape (n + 2, 384)
        For n tokens.

    Raises
    ------
    ValueError
        If a token is not among the encoder's 4,100 words (the message names it), there is none, or there are fewer
        position vectors than tokens.
    TypeError
        If tokens is one string, or position_vectors holds anything but real numbers.

    Examples
    --------
    >>> X = encoder_input(["the", "cat", "sat"])
    >>> X.shape
    (5, 384)
    >>> P = load_encoder()["position_vectors"]
    >>> twice = encoder_input(["cat", "cat"], 0 * P)
    >>> bool((twice[1] == twice[2]).all())
    True
    """
    encoder = _encoder()
    if isinstance(tokens, str):
        raise TypeError(f"tokens must be a list of words, as attnlib.tokenize makes it; got the text {tokens!r}")
    tokens, vocabulary = list(tokens), encoder["vocabulary"]
    if unknown := [token for token in dict.fromkeys(tokens) if token not in vocabulary]:
        words = ", ".join(map(str, unknown))
        raise ValueError(f"not among the encoder's {len(vocabulary)} words: {words} (try another word)")
    if not tokens:
        raise ValueError("tokens must have at least one word; got none")
    P = encoder["position_vectors"]
    if position_vectors is not None:
        position_vectors = _check.numbers(position_vectors, "position_vectors", ("m", "384"))
        if position_vectors.ndim != 2 or position_vectors.shape[1] != P.shape[1]:
            raise ValueError(f"position_vectors must have shape (m, 384); got shape {position_vectors.shape}")
        P = position_vectors.astype(np.float32)
    if len(tokens) + 2 > len(P):
        raise ValueError(
            f"tokens must leave room for [CLS] and [SEP] among {len(P)} positions: at most {len(P) - 2}; "
            f"got {len(tokens)}"
        )
    token_ids = [vocabulary[token] for token in ["[CLS]", *tokens, "[SEP]"]]
    layer = {
        "position_embeddings": P,
        "token_type_embeddings": encoder["segment_vector"][None],
        "norm_weight": encoder["norm_weight"],
        "norm_bias": encoder["norm_bias"],
    }
    return layer_input(token_ids, encoder["word_vectors"], layer)


def load_encoder_outputs() -> dict[str, Any]:
    """Load what transformers' BertModel makes of some sentences with the weights of `load_encoder`.

    Returns
    -------
    outputs : dict
        "texts", a list of 62 sentences; "vectors" (62, 384), the mean of each sentence's context vectors after the
        last layer, "[CLS]" and "[SEP]" among them, divided by its length; "published" (62, 384), the same by the model
        as it was published, before its matrices were rounded; and "states", a list of two arrays of shape
        (7, n + 2, 384): for the first two sentences the input of the first layer and the output of each layer.
        Arrays are float32; the model computed in double precision.

    Examples
    --------
    >>> outputs = load_encoder_outputs()
    >>> outputs["texts"][0]
    'she deposited money at the bank of the river'
    >>> outputs["states"][0].shape
    (7, 11, 384)
    """
    with np.load(os.path.join(DATA, "encoder_outputs.npz"), allow_pickle=False) as file:
        return {
            "texts": file["texts"].tolist(),
            "vectors": file["vectors"],
            "published": file["published"],
            "states": [file[name] for name in sorted(file.files) if name.startswith("states_")],
        }


def erf(x: ArrayLike) -> NDArray:
    r"""Compute the error function of each number, to within 2e-7 (in float32, 4e-7).

    .. math:: \mathrm{erf}(x) = \frac{2}{\sqrt{\pi}} \int_0^x e^{-t^2} dt

    Parameters
    ----------
    x : ndarray
        Of any shape.

    Returns
    -------
    y : ndarray
        Of the shape of x, between -1 and 1. A standard normal number is below x with probability
        :math:`(1 + \mathrm{erf}(x / \sqrt{2})) / 2`.

    Raises
    ------
    TypeError
        If x holds anything but real numbers.

    References
    ----------
    Abramowitz and Stegun (1964), "Handbook of Mathematical Functions", formula 7.1.26.

    Examples
    --------
    >>> erf([-10, 0, 0.5, 1]).round(4)
    array([-1.    ,  0.    ,  0.5205,  0.8427])
    """
    x = _check.numbers(x, "x")
    size = np.minimum(np.abs(x), 10)  # beyond that it is 1 to the last digit, and a square could overflow
    t = 1 / (1 + 0.3275911 * size)
    # by multiplying alone: NumPy takes powers of float32 a thousand times more slowly
    polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1 - polynomial * np.exp(-size * size))
