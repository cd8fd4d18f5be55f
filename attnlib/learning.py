"""Where the matrices of attention come from: a loss, the way back from it, and a step against the gradient."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.softmax import softmax


def cross_entropy(logits: ArrayLike, targets: ArrayLike) -> float:
    r"""Measure how surprised a model is by the right answers: the mean of minus the log of their chances.

    .. math:: \frac{1}{n} \sum_i \Big( \ln \sum_c e^{z_{ic}} - z_{i t_i} \Big)

    Parameters
    ----------
    logits : ndarray of shape (n, n_classes)
        Scores of the classes, before the softmax.
    targets : integer ndarray of shape (n,)
        The right class of each row.

    Returns
    -------
    loss : float
        In nats. Somebody who knows nothing pays the logarithm of the number of classes.

    Raises
    ------
    ValueError
        If the shapes disagree, or a target is no class.
    TypeError
        If the logits are no real numbers, or the targets no integers.

    Examples
    --------
    >>> round(cross_entropy([[0, 0, 0, 0]], [2]), 3)
    1.386
    >>> cross_entropy([[1000, -1000]], [1])
    2000.0
    """
    logits = _check.numbers(logits, "logits", ("n", "n_classes"))
    targets = _check.integers(targets, "targets")
    if logits.ndim != 2 or targets.shape != logits.shape[:1]:
        raise ValueError(
            f"logits must have shape (n, n_classes), and targets one entry per row; got logits of shape {logits.shape} "
            f"and targets of shape {targets.shape}"
        )
    if targets.min() < 0 or targets.max() >= logits.shape[1]:
        raise ValueError(f"targets must be between 0 and {logits.shape[1] - 1}; got {targets.min()} to {targets.max()}")
    shifted = logits - logits.max(axis=-1, keepdims=True)
    surprise = np.log(np.exp(shifted).sum(axis=-1)) - shifted[np.arange(len(targets)), targets]
    return float(surprise.mean())


def numerical_gradient(f: Callable[[NDArray], float], x: ArrayLike, epsilon: float = 1e-5) -> NDArray:
    r"""Measure a gradient: move each number a little up and a little down, and see what the function does.

    .. math:: \frac{f(x + \varepsilon e_i) - f(x - \varepsilon e_i)}{2 \varepsilon}

    Parameters
    ----------
    f : callable
        Takes an array of the shape of x, returns one number.
    x : ndarray of any shape
    epsilon : float
        The size of the step.

    Returns
    -------
    gradient : ndarray of the shape of x

    Raises
    ------
    TypeError
        If f is no function, or x holds anything but real numbers.
    ValueError
        If epsilon is not positive.

    Examples
    --------
    >>> numerical_gradient(lambda x: (x**2).sum(), [[1.0, 2.0, -3.0]]).round(6)
    array([[ 2.,  4., -6.]])
    """
    _check.function(f, "f")
    x = np.array(_check.numbers(x, "x"), dtype=np.float64)
    epsilon = _check.positive(epsilon, "epsilon")
    gradient = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += epsilon
        down[place] -= epsilon
        gradient[place] = (f(up) - f(down)) / (2 * epsilon)
    return gradient


def softmax_backward(weights: ArrayLike, d_weights: ArrayLike) -> NDArray:
    r"""Take a gradient back through a softmax: from the weights to the scores.

    .. math:: \partial s_j = w_j \Big( \partial w_j - \sum_i w_i \, \partial w_i \Big)

    It is the Jacobian of each row times the row of `d_weights`, without building the Jacobian.

    Parameters
    ----------
    weights : ndarray of shape (..., n)
        They came out of a softmax.
    d_weights : ndarray of shape (..., n)
        By how much the loss rises for each point of a weight.

    Returns
    -------
    d_scores : ndarray of shape (..., n)
        Each row sums to 0.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> softmax_backward([0.5, 0.5], [0.0, -0.5])
    array([ 0.125, -0.125])
    """
    weights = _check.numbers(weights, "weights", ("n",))
    d_weights = _check.numbers(d_weights, "d_weights", ("n",))
    if weights.shape != d_weights.shape:
        raise ValueError(
            f"d_weights must have the shape of weights, {weights.shape}; got d_weights of shape {d_weights.shape}"
        )
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


def attention_backward(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, d_context: ArrayLike
) -> tuple[NDArray, NDArray, NDArray]:
    r"""Take a gradient back through scaled dot-product attention: from the contexts to queries, keys and values.

    .. math::

        \partial V = W^\top \partial C, \quad \partial W = \partial C \, V^\top, \quad
        \partial Q = \partial S \, K / \sqrt{d_k}, \quad \partial K = \partial S^\top Q / \sqrt{d_k}

    with the weights W and :math:`\partial S` by `softmax_backward`.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    d_context : ndarray of shape (..., n_queries, d_v)
        By how much the loss rises for each point of a context.

    Returns
    -------
    d_Q, d_K, d_V : ndarray
        Of the shapes of Q, K and V (where these have the same leading axes).

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> d_Q, d_K, d_V = attention_backward([[1, 1]], [[1, 0], [0, 1]], [[0], [1]], [[-0.5]])
    >>> d_Q.round(3)
    array([[ 0.088, -0.088]])
    >>> d_K.round(3)
    array([[ 0.088,  0.088],
           [-0.088, -0.088]])
    >>> d_V
    array([[-0.25],
           [-0.25]])
    """
    Q, K, V = _check.queries_keys_values(Q, K, V, letter="d_k")
    d_context = _check.numbers(d_context, "d_context", ("n_queries", "d_v"))
    root = math.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.mT / root)  # (..., n_queries, n_keys)
    expected = (*weights.shape[:-1], V.shape[-1])
    if d_context.shape != expected:
        raise ValueError(f"d_context must have the shape of the contexts, {expected}; got shape {d_context.shape}")
    d_V = weights.mT @ d_context  # (..., n_keys, n_queries) @ (..., n_queries, d_v) -> (..., n_keys, d_v)
    d_weights = d_context @ V.mT  # (..., n_queries, d_v) @ (..., d_v, n_keys) -> (..., n_queries, n_keys)
    d_scores = softmax_backward(weights, d_weights) / root
    return d_scores @ K, d_scores.mT @ Q, d_V


def sgd_step(
    parameters: Mapping[str, ArrayLike], gradients: Mapping[str, ArrayLike], learning_rate: float
) -> dict[str, NDArray]:
    r"""Move all parameters a step against their gradients.

    .. math:: W \leftarrow W - \eta \, \partial W

    Parameters
    ----------
    parameters, gradients : dict of str to ndarray
        With the same names, and the same shape for each name.
    learning_rate : float

    Returns
    -------
    parameters : dict of str to ndarray
        A new dict of new arrays.

    Raises
    ------
    ValueError
        If names or shapes disagree.
    TypeError
        If an array holds anything but real numbers.

    Examples
    --------
    >>> sgd_step({"W": [1.0, 2.0]}, {"W": [10.0, -10.0]}, 0.1)
    {'W': array([0., 3.])}
    """
    if set(parameters) != set(gradients):
        raise ValueError(
            f"parameters and gradients must have the same names; got {', '.join(parameters)} and {', '.join(gradients)}"
        )
    rate, moved = _check.real(learning_rate, "learning_rate"), {}
    for name in parameters:
        old, gradient = _check.numbers(parameters[name], name), _check.numbers(gradients[name], name)
        if old.shape != gradient.shape:
            raise ValueError(f"the gradient of {name} must have its shape, {old.shape}; got shape {gradient.shape}")
        moved[name] = old - rate * gradient
    return moved


def self_attention_backward(
    X: ArrayLike, W_q: ArrayLike, W_k: ArrayLike, W_v: ArrayLike, d_context: ArrayLike
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    r"""Take a gradient back through self-attention: from the contexts to the tokens and the three matrices.

    .. math::

        \partial X = \partial Q \, W_q^\top + \partial K \, W_k^\top + \partial V \, W_v^\top, \quad
        \partial W_q = X^\top \partial Q, \quad \partial W_k = X^\top \partial K, \quad \partial W_v = X^\top \partial V

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
    W_q, W_k : ndarray of shape (d_model, d_k)
    W_v : ndarray of shape (d_model, d_v)
    d_context : ndarray of shape (n, d_v)

    Returns
    -------
    d_X, d_W_q, d_W_k, d_W_v : ndarray
        Of the shapes of X, W_q, W_k and W_v.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> parts = self_attention_backward([[1, 0], [0, 1]], np.eye(2), np.eye(2), [[0], [1]], [[1], [0]])
    >>> [part.shape for part in parts]
    [(2, 2), (2, 2), (2, 2), (2, 1)]
    """
    X = _check.numbers(X, "X", ("n", "d_model"))
    if X.ndim != 2:
        raise ValueError(f"X must have shape (n, d_model); got shape {X.shape}")
    W_q, W_k, W_v = _check.projections(X, "X", X, "X", W_q, W_k, W_v)
    d_Q, d_K, d_V = attention_backward(X @ W_q, X @ W_k, X @ W_v, d_context)
    d_X = d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T  # X is used three times
    return d_X, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def recall_episodes(
    rng: np.random.Generator, n: int, pairs: int = 5, letters: int = 8, digits: int = 4
) -> tuple[NDArray, NDArray, NDArray]:
    """Draw episodes of a small game: some pairs of a letter and a digit, then a letter; say its digit.

    Parameters
    ----------
    rng : numpy.random.Generator
    n : int
        How many episodes.
    pairs, letters, digits : int
        How many pairs an episode has, and how many letters and digits there are. No letter comes twice in an episode.

    Returns
    -------
    X : ndarray of shape (n, pairs, letters + digits)
        Each pair is a row: its letter as a one-hot vector, then its digit.
    x : ndarray of shape (n, letters + digits)
        The question: a letter, and no digit.
    targets : integer ndarray of shape (n,)
        The digit of the letter that is asked for.

    Raises
    ------
    ValueError
        If there are more pairs than letters.
    TypeError
        If a number of things is no integer.

    References
    ----------
    The game is the associative recall of Graves, Wayne and Danihelka (2014), "Neural Turing Machines", made small.

    Examples
    --------
    >>> X, x, targets = recall_episodes(np.random.default_rng(0), 100)
    >>> X.shape, x.shape, targets.shape
    ((100, 5, 12), (100, 12), (100,))
    """
    n = _check.count(n, "n")
    letters, digits = _check.count(letters, "letters"), _check.count(digits, "digits")
    pairs = _check.count(pairs, "pairs", most=letters)
    keys = np.argsort(rng.random((n, letters)), axis=-1)[:, :pairs]  # (n, pairs), no letter twice
    values = rng.integers(digits, size=(n, pairs))
    asked = rng.integers(pairs, size=n)
    X = np.concatenate([np.eye(letters)[keys], np.eye(digits)[values]], axis=-1)
    rows = np.arange(n)
    x = np.concatenate([np.eye(letters)[keys[rows, asked]], np.zeros((n, digits))], axis=-1)
    return X, x, values[rows, asked]


def teach_recall(
    backward: Callable[..., tuple[NDArray, ...]],
    seed: int = 1,
    steps: int = 300,
    *,
    learning_rate: float = 1.0,
    size: float = 0.3,
    d_k: int = 8,
    batch: int = 64,
    pairs: int = 5,
    letters: int = 8,
    digits: int = 4,
) -> tuple[NDArray, list[dict[str, NDArray]]]:
    """Train a head on the game of `recall_episodes`, from random numbers, with somebody's backward pass.

    Parameters
    ----------
    backward : callable
        Takes Q, K, V and d_context as `attention_backward` does, right or not.
    seed, steps : int
    learning_rate, size : float
        Of a step, and of the random numbers at the start.
    d_k, batch : int
        The width of queries, keys and values, and how many episodes a step sees.
    pairs, letters, digits : int
        Of the game.

    Returns
    -------
    losses : ndarray of shape (steps,)
        The mean cross-entropy of each batch, before its step.
    heads : list of dict of str to ndarray
        W_q, W_k, W_v and W_o before the first step and after each.

    Raises
    ------
    TypeError
        If backward is no function, or a number of things no integer.

    Examples
    --------
    >>> losses, heads = teach_recall(attention_backward, steps=2)
    >>> losses.shape, len(heads), heads[0]["W_o"].shape
    ((2,), 3, (8, 4))
    """
    _check.function(backward, "backward")
    steps, d_k = _check.count(steps, "steps"), _check.count(d_k, "d_k")
    rng, token = np.random.default_rng(seed), letters + digits
    shapes = {"W_q": (token, d_k), "W_k": (token, d_k), "W_v": (token, d_k), "W_o": (d_k, digits)}
    head = {name: size * rng.normal(size=shape) for name, shape in shapes.items()}
    losses, heads = np.zeros(steps), [head]
    for step in range(steps):
        X, x, targets = recall_episodes(rng, batch, pairs, letters, digits)
        x = x[:, None]  # (batch, 1, token): one query an episode
        Q, K, V = x @ head["W_q"], X @ head["W_k"], X @ head["W_v"]
        context = (softmax(Q @ K.mT / math.sqrt(d_k)) @ V)[:, 0]  # (batch, d_k)
        chances = softmax(context @ head["W_o"])
        losses[step] = -np.log(chances[np.arange(batch), targets] + 1e-300).mean()
        d_logits = (chances - np.eye(digits)[targets]) / batch
        d_Q, d_K, d_V = backward(Q, K, V, (d_logits @ head["W_o"].T)[:, None])
        gradients = {
            "W_q": (x.mT @ d_Q).sum(axis=0),
            "W_k": (X.mT @ d_K).sum(axis=0),
            "W_v": (X.mT @ d_V).sum(axis=0),
            "W_o": context.T @ d_logits,
        }
        head = {name: head[name] - learning_rate * gradients[name] for name in head}
        heads.append(head)
    return losses, heads


def recall_accuracy(
    head: Mapping[str, ArrayLike], seed: int = 0, *, pairs: int = 5, letters: int = 8, digits: int = 4
) -> float:
    """Measure how often a head names the right digit, in 1,000 fresh episodes of `recall_episodes`.

    Parameters
    ----------
    head : dict of str to ndarray
        W_q, W_k, W_v and W_o.
    seed : int
    pairs, letters, digits : int
        Of the game.

    Returns
    -------
    share : float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the shapes do not fit the game.

    Examples
    --------
    >>> letters, digits = np.eye(12, 8), np.eye(12)[:, 8:]
    >>> recall_accuracy({"W_q": 9 * letters, "W_k": 9 * letters, "W_v": digits, "W_o": np.eye(4)})
    1.0
    """
    W_q, W_k, W_v, W_o = (
        _check.numbers(head[name], name, ("rows", "columns")) for name in ("W_q", "W_k", "W_v", "W_o")
    )
    X, x, targets = recall_episodes(np.random.default_rng([seed, 1000]), 1000, pairs, letters, digits)
    W_q, W_k, W_v = _check.projections(x, "the question", X, "the pairs", W_q, W_k, W_v)
    weights = softmax((x @ W_q)[:, None] @ (X @ W_k).mT / math.sqrt(W_q.shape[1]))
    said = ((weights @ (X @ W_v))[:, 0] @ W_o).argmax(axis=-1)
    return float((said == targets).mean())


def wrong_backward(kind: str, backward: Callable[..., tuple[NDArray, ...]]) -> Callable[..., tuple[NDArray, ...]]:
    """Put a fault into a backward pass of attention, for showing which faults a training shows.

    Parameters
    ----------
    kind : {"no Jacobian", "diagonal only", "no root", "keys stay", "values stay", "sign turned"}
        What is wrong: the softmax is passed over, or counted by its diagonal only; the division by the square root of
        d_k is forgotten; keys or values get no gradient; the scores get it with the wrong sign.
    backward : callable
        The right one; it takes and returns what `attention_backward` does.

    Returns
    -------
    wrong : callable
        Takes and returns the same.

    Raises
    ------
    ValueError
        If there is no such fault.
    TypeError
        If backward is no function.

    Examples
    --------
    >>> wrong = wrong_backward("no Jacobian", attention_backward)
    >>> wrong(np.ones((1, 2)), np.eye(2), np.array([[0.0], [1.0]]), np.array([[-0.5]]))[0].round(3)
    array([[ 0.   , -0.354]])
    """
    _check.function(backward, "backward")
    factors = {"sign turned": (-1, -1, 1), "keys stay": (1, 0, 1), "values stay": (1, 1, 0)}
    ways: dict[str, Callable[[NDArray, NDArray], NDArray]] = {
        "no Jacobian": lambda w, d: d,
        "diagonal only": lambda w, d: w * (1 - w) * d,
    }
    if kind not in (*ways, "no root", *factors):
        raise ValueError(f"kind must be one of {', '.join(ways)}, no root, {', '.join(factors)}; got {kind!r}")

    def wrong(Q: NDArray, K: NDArray, V: NDArray, d_context: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        d_Q, d_K, d_V = backward(Q, K, V, d_context)
        root = math.sqrt(Q.shape[-1])
        if kind in ways:
            d_scores = ways[kind](softmax(Q @ K.mT / root), d_context @ V.mT) / root
            return d_scores @ K, d_scores.mT @ Q, d_V
        of_Q, of_K, of_V = factors.get(kind, (root, root, 1))
        return of_Q * d_Q, of_K * d_K, of_V * d_V

    return wrong
