from functools import cache, partial

import numpy as np

from attnlib import attention_backward, recall_episodes, teach_recall, wrong_backward

LETTERS, DIGITS = np.eye(12, 8), np.eye(12)[:, 8:]
BY_HAND = {"W_q": 9 * LETTERS, "W_k": 9 * LETTERS, "W_v": DIGITS, "W_o": np.eye(4)}


@cache
def after(steps, seed=3, **more):
    return teach_recall(attention_backward, seed, steps, **more)[1][-1]


@cache
def of_one_batch(games=8, steps=400, rate=1.0, start=None, gradients=False):
    """Trained on the same episodes again and again; or the last gradients of it."""
    X, x, targets = recall_episodes(np.random.default_rng(5), games)
    head = {name: array * (start is None) for name, array in after(1).items()}
    x = x[:, None]
    for _ in range(steps):
        Q, K, V = x @ head["W_q"], X @ head["W_k"], X @ head["W_v"]
        powers = np.exp(Q @ K.mT / np.sqrt(8))
        context = (powers / powers.sum(axis=-1, keepdims=True) @ V)[:, 0]
        chances = np.exp(context @ head["W_o"])
        d_logits = (chances / chances.sum(axis=-1, keepdims=True) - np.eye(4)[targets]) / games
        d_Q, d_K, d_V = attention_backward(Q, K, V, (d_logits @ head["W_o"].T)[:, None])
        steps_of = {
            "W_q": (x.mT @ d_Q).sum(axis=0),
            "W_k": (X.mT @ d_K).sum(axis=0),
            "W_v": (X.mT @ d_V).sum(axis=0),
            "W_o": context.T @ d_logits,
        }
        head = {name: head[name] - rate * steps_of[name] for name in head}
    return steps_of if gradients else head


@cache
def by(kind):
    """Trained with a wrong gradient."""
    return teach_recall(wrong_backward(kind, attention_backward), 2, 300)[1][-1]


def changed(how, steps):
    """A trained one, all of its matrices changed."""
    return {name: how(array) for name, array in after(steps).items()}


# Partials are made when they are judged: training takes seconds.
VARIANTS = [
    partial(after, 300),
    partial(after, 70),
    partial(after, 300, seed=8, d_k=64),
    partial(changed, np.float32, 300),
    BY_HAND,
    {name: array.tolist() for name, array in BY_HAND.items()},
    # A right angle turns queries and keys alike, and no score; widths of 5 and 4.
    BY_HAND | {"W_q": 9 * LETTERS[:, ::-1], "W_k": 9 * LETTERS[:, ::-1]},
    BY_HAND | {"W_o": 0.01 * np.eye(4)},  # it names the right digit, though it is not sure of it
    partial(by, "no Jacobian"),
]


# Each with the mistake that the judge should name, or None.
WRONG = [
    (partial(after, 1), "untrained"),
    (partial(by, "sign turned"), "uphill"),
    (partial(changed, lambda W: 1e5 * W, 1), "run-away"),
    (partial(after, 60), "stopped-early"),
    (partial(after, 400, seed=2, size=3.0, d_k=64), "saturated"),
    (BY_HAND | {"W_v": 3 * np.ones((12, 4))}, "digits-not-read"),
    (BY_HAND | {"W_q": 1.3 * LETTERS, "W_k": 1.3 * LETTERS}, "letters-not-compared"),
    (BY_HAND | {"W_q": 0.1 * LETTERS, "W_k": 0.1 * LETTERS, "W_o": np.eye(4)[::-1]}, None),
    (partial(after, 80, seed=4), "stopped-early"),
    (partial(of_one_batch), "one-batch"),
    (partial(of_one_batch, 64), "one-batch"),  # 87 % right, and no loss left to fall
    (partial(of_one_batch, 64, rate=0.01), "untrained"),
    (partial(of_one_batch, 64, gradients=True), "untrained"),
    (partial(of_one_batch, 1000, rate=-0.01, steps=100), "untrained"),
    (partial(of_one_batch, 1000, rate=-0.1, steps=100), "no-better-than-a-guess"),
    (partial(of_one_batch, 1000, rate=-1.0, steps=20), "no-better-than-a-guess"),
    (partial(of_one_batch, 2), "no-better-than-a-guess"),
    (partial(after, 50, seed=2, size=3.0, d_k=64), "saturated"),
    (partial(of_one_batch, start="zeros", steps=2), "untrained"),
    (partial(after, 1, seed=5), "untrained"),
    (BY_HAND | {"W_o": np.full((4, 4), np.nan)}, "form"),
    (BY_HAND | {"W_o": np.eye(4)[:3]}, "form"),
    (BY_HAND | {"W_q": (9 * LETTERS).T}, "form"),
    ({"W_q": LETTERS, "W_k": LETTERS}, "form"),
    (list(BY_HAND.values()), "form"),
]
