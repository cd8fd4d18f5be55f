"""How a word reaches a later one: step by step through hidden states, or in one step through attention."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.softmax import softmax

LETTERS = 8


def rnn_states(X: ArrayLike, W_x: ArrayLike, W_h: ArrayLike, b: ArrayLike) -> NDArray:
    r"""Read a sequence word by word, and give the hidden state after each.

    .. math:: h_t = \tanh(x_t W_x + h_{t-1} W_h + b)

    with zeros before the first word.

    Parameters
    ----------
    X : ndarray of shape (n, d_in)
    W_x : ndarray of shape (d_in, d_h)
    W_h : ndarray of shape (d_h, d_h)
    b : ndarray of shape (d_h,)

    Returns
    -------
    H : ndarray of shape (n, d_h)
        Row t is the state after word t.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Elman (1990), "Finding structure in time", *Cognitive Science* 14(2).

    Examples
    --------
    >>> rnn_states([[1], [0], [0], [0]], [[1]], [[0.8]], [0])[:, 0].round(3)
    array([0.762, 0.544, 0.409, 0.316])
    """
    X, W_x, W_h, b = _recurrent(X, W_x, W_h, b)
    inputs = X @ W_x + b  # (n, d_in) @ (d_in, d_h) + (d_h,) -> (n, d_h)
    H = np.empty_like(inputs)
    h = np.zeros_like(inputs[0])
    for t, given in enumerate(inputs):
        h = np.tanh(given + h @ W_h)
        H[t] = h
    return H


def rnn_reach(X: ArrayLike, W_x: ArrayLike, W_h: ArrayLike, b: ArrayLike) -> NDArray:
    r"""How strongly each word of a sequence moves the last hidden state.

    .. math:: \left\| \frac{\partial h_n}{\partial x_t} \right\|, \qquad
        \frac{\partial h_n}{\partial x_t} = W_x D_t W_h D_{t+1} \cdots W_h D_n, \qquad
        D_s = \mathrm{diag}(1 - h_s^2)

    where entry (i, j) of the product says how coordinate j of the last state moves with coordinate i of the word.

    Parameters
    ----------
    X : ndarray of shape (n, d_in)
    W_x : ndarray of shape (d_in, d_h)
    W_h : ndarray of shape (d_h, d_h)
    b : ndarray of shape (d_h,)

    Returns
    -------
    reach : ndarray of shape (n,)
        The norm of each of these matrices: the root of the sum of the squares of its entries.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Pascanu, Mikolov, Bengio (2013), "On the difficulty of training recurrent neural networks", section 2.

    Examples
    --------
    >>> rnn_reach([[1], [0], [0], [0]], [[1]], [[0.8]], [0]).round(3)
    array([0.113, 0.338, 0.599, 0.9  ])
    """
    X, W_x, W_h, b = _recurrent(X, W_x, W_h, b)
    H = rnn_states(X, W_x, W_h, b)
    reach = np.empty(len(X), dtype=H.dtype)
    onward = np.eye(len(W_h), dtype=H.dtype)  # what a change of h_t makes of the last state: (d_h, d_h)
    for t in reversed(range(len(X))):
        onward = (1 - H[t] ** 2)[:, None] * onward  # through tanh at step t
        reach[t] = np.linalg.norm(W_x @ onward)  # (d_in, d_h) @ (d_h, d_h) -> (d_in, d_h)
        onward = W_h @ onward
    return reach


def context_reach(q: ArrayLike, X: ArrayLike, W_k: ArrayLike, W_v: ArrayLike) -> NDArray:
    r"""How strongly each word of a sequence moves the context vector of a query that stays as it is.

    .. math:: \left\| \frac{\partial c}{\partial x_j} \right\|, \qquad
        \frac{\partial c}{\partial x_j} = w_j \left( W_v + \frac{W_k q}{\sqrt{d_k}} (v_j - c) \right)

    where the second factor of the last term is a row. A word has two roads to the context: its value, and its weight.

    Parameters
    ----------
    q : ndarray of shape (d_k,)
    X : ndarray of shape (n, d_model)
    W_k : ndarray of shape (d_model, d_k)
    W_v : ndarray of shape (d_model, d_v)

    Returns
    -------
    reach : ndarray of shape (n,)
        The norm of each of these matrices of shape (d_model, d_v).

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", table 1, for the length of the road.

    Examples
    --------
    >>> context_reach([1], [[1], [0], [0], [0]], [[1]], [[1]]).round(3)
    array([0.725, 0.092, 0.092, 0.092])
    """
    q = _check.numbers(q, "q", ("d_k",))
    X = _sequence(X, "d_model")
    W_k = _check.projection(W_k, "W_k", X, "X")
    W_v = _check.projection(W_v, "W_v", X, "X")
    if q.shape != W_k.shape[1:]:
        raise ValueError(
            f"q must have one entry per column of W_k ({W_k.shape[1]}, from shape {W_k.shape}); "
            f"got q of shape {q.shape}"
        )
    K, V = X @ W_k, X @ W_v  # (n, d_k), (n, d_v)
    root = float(np.sqrt(len(q)))  # a Python float leaves the dtype of an array alone
    w = softmax(K @ q / root)
    c = w @ V
    by_weight = (W_k @ q / root)[:, None] * (V - c)[:, None, :]  # (d_model, 1) * (n, 1, d_v) -> (n, d_model, d_v)
    return w * np.linalg.norm(W_v + by_weight, axis=(1, 2))


def teach_rnn(
    n_letters: int, width: int = 32, answers: int = 1, reads: str = "last state", steps: int = 600, seed: int = 0
) -> float:
    """Train an RNN to read letters and to say the first ones again, and examine it on new letters.

    It learns from random sequences of 8 letters, 64 at a time, by Adam with gradients cut at length 1.

    Parameters
    ----------
    n_letters : int
        How many letters it reads.
    width : int
        How many numbers its hidden state has.
    answers : int
        How many letters it has to say: 1 is the first one, `n_letters` all of them.
    reads : {"last state", "all states"}
        What it says them from: the last hidden state, or context vectors of all of them. For these each answer has a
        query, and each place a key of 16 numbers; both are learned.
    steps : int
    seed : int

    Returns
    -------
    share : float
        Of the letters of 1,000 fresh sequences, those that it says right. Chance is 1/8.

    Raises
    ------
    ValueError
        If a number is out of range or `reads` is unknown.

    Examples
    --------
    >>> teach_rnn(2, width=8, steps=200) > 0.9
    True
    """
    for name, number in (("n_letters", n_letters), ("width", width), ("steps", steps)):
        _check.count(number, name)
    _check.count(answers, "answers", 1, n_letters)
    if reads not in ("last state", "all states"):
        raise ValueError(f"reads must be 'last state' or 'all states'; got {reads!r}")
    rng = np.random.default_rng(seed)
    P = {
        "W_x": rng.normal(size=(LETTERS, width)) / 2,
        "W_h": rng.normal(size=(width, width)) / np.sqrt(width),
        "b": np.zeros(width),
    }
    if reads == "last state":
        P["W_y"] = rng.normal(size=(width, answers * LETTERS)) / np.sqrt(width)
    else:
        P |= {"Q": rng.normal(size=(answers, 16)), "K": rng.normal(size=(n_letters, 16))}
        P["W_y"] = rng.normal(size=(width, LETTERS)) / np.sqrt(width)
    P = {name: value.astype(np.float32) for name, value in P.items()}
    mean, square = ({name: np.zeros_like(value) for name, value in P.items()} for _ in range(2))

    # Inside, as the notebook that asks for `rnn_states` calls this: its states are not for the taking.
    def forward(letters: NDArray) -> dict[str, NDArray]:
        """What comes of letters (batch, n): states H (n + 1, batch, d) and logits (batch, answers, 8)."""
        batch, n = letters.shape
        H = np.zeros((n + 1, batch, len(P["b"])), dtype=np.float32)
        for t in range(n):
            H[t + 1] = np.tanh(P["W_x"][letters[:, t]] + H[t] @ P["W_h"] + P["b"])
        if "Q" not in P:
            return {"letters": letters, "H": H, "logits": (H[-1] @ P["W_y"]).reshape(batch, answers, LETTERS)}
        powers = np.exp(P["Q"] @ P["K"].T / 4)  # a helper that is given calls nothing that a notebook asks for
        weights = powers / powers.sum(axis=-1, keepdims=True)  # (answers, n)
        contexts = np.moveaxis(np.tensordot(weights, H[1:], 1), 0, 1)  # (batch, answers, d)
        return {"letters": letters, "H": H, "weights": weights, "contexts": contexts, "logits": contexts @ P["W_y"]}

    def backward(run: dict[str, NDArray]) -> dict[str, NDArray]:
        """The gradient of the mean cross-entropy, by name; back through time."""
        letters, H, logits = run["letters"], run["H"], run["logits"]
        batch, n = letters.shape
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        wrong = powers / powers.sum(axis=-1, keepdims=True)  # less 1 where the letter is right, this is the gradient
        wrong[np.arange(batch)[:, None], np.arange(answers), letters[:, :answers]] -= 1
        wrong /= batch * answers
        found = {}
        dH = np.zeros_like(H[1:])
        if "weights" in run:
            weights, contexts = run["weights"], run["contexts"]
            found["W_y"] = np.tensordot(contexts, wrong, ((0, 1), (0, 1)))
            d_contexts = wrong @ P["W_y"].T  # (batch, answers, d)
            d_weights = np.tensordot(d_contexts, H[1:], ((0, 2), (1, 2)))  # (answers, n)
            d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)) / 4
            found |= {"Q": d_scores @ P["K"], "K": d_scores.T @ P["Q"]}
            dH += np.tensordot(weights, d_contexts, ((0,), (1,)))
        else:
            flat = wrong.reshape(batch, -1)
            found["W_y"] = H[-1].T @ flat
            dH[-1] = flat @ P["W_y"].T
        back = np.zeros_like(H[0])
        for t in reversed(range(n)):
            dH[t] = (dH[t] + back) * (1 - H[t + 1] ** 2)
            back = dH[t] @ P["W_h"].T
        by_step = dH.reshape(n * batch, -1)
        shown = np.eye(LETTERS, dtype=np.float32)[letters.T.ravel()]  # one-hot: (n * batch, 8)
        return found | {
            "W_x": shown.T @ by_step,
            "W_h": H[:-1].reshape(n * batch, -1).T @ by_step,
            "b": by_step.sum(axis=0),
        }

    for step in range(1, steps + 1):
        gradients = backward(forward(rng.integers(LETTERS, size=(64, n_letters))))
        length = np.sqrt(sum(float((g**2).sum()) for g in gradients.values()))
        for name, g in gradients.items():
            g = g / max(length, 1.0)
            mean[name] = 0.9 * mean[name] + 0.1 * g
            square[name] = 0.999 * square[name] + 0.001 * g**2
            size = np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8
            P[name] = P[name] - 3e-3 / (1 - 0.9**step) * mean[name] / size
    letters = rng.integers(LETTERS, size=(1000, n_letters))
    said = forward(letters)["logits"].argmax(axis=-1)
    return float((said == letters[:, :answers]).mean())


def _sequence(X: ArrayLike, letter: str) -> NDArray:
    """X as one sequence (n, d)."""
    X = _check.numbers(X, "X", ("n", letter))
    if X.ndim != 2:
        raise ValueError(f"X must have shape (n, {letter}); got shape {X.shape}")
    return X


def _recurrent(
    X: ArrayLike, W_x: ArrayLike, W_h: ArrayLike, b: ArrayLike
) -> tuple[NDArray, NDArray, NDArray, NDArray | float]:
    """The arguments of an RNN, checked against each other."""
    X = _sequence(X, "d_in")
    W_x = _check.projection(W_x, "W_x", X, "X")
    W_h = _check.numbers(W_h, "W_h", ("d_h", "d_h"))
    d_h = W_x.shape[1]
    if W_h.shape != (d_h, d_h):
        raise ValueError(
            f"W_h must have shape (d_h, d_h) = ({d_h}, {d_h}), as W_x has {d_h} columns; got shape {W_h.shape}"
        )
    return X, W_x, W_h, _check.bias(b, "b", W_x, "W_x")
