from functools import lru_cache

import numpy as np

from attnlib import recall_episodes
from grader.exercises.inputs import numbers
from grader.exercises.kinds import Property, search
from grader.exercises.stages import softmax

NAMES, TOKEN, DIGITS, WIDEST = ("W_q", "W_k", "W_v", "W_o"), 12, 4, 64
EPISODES = 1000


@lru_cache(maxsize=1)
def episodes():
    """Those that a head is judged on, the same for everybody."""
    return recall_episodes(np.random.default_rng(20261), EPISODES)


def answers(head):
    """Weights of the pairs (n, 5) and logits of the digits (n, 4)."""
    X, x, _ = episodes()
    scores = ((X @ head["W_k"]) @ (x @ head["W_q"])[..., None])[..., 0] / np.sqrt(head["W_q"].shape[1])
    weights = softmax(scores)
    return weights, (weights[:, None] @ (X @ head["W_v"]))[:, 0] @ head["W_o"]


def share_right(head):
    return float((answers(head)[1].argmax(axis=-1) == episodes()[2]).mean())


def sureness(head, of_wrong=False):
    """The mean chance of what the head says, in all games or in those that it gets wrong."""
    chances = softmax(answers(head)[1])
    counted = chances.argmax(axis=-1) != episodes()[2] if of_wrong else np.ones(EPISODES, dtype=bool)
    return float(chances[counted].max(axis=-1).mean()) if counted.any() else 0.0


def surprise(head):
    """The mean loss of the games; a guess costs ln 4."""
    logits = answers(head)[1]
    top = logits.max(axis=-1, keepdims=True)
    logs = logits - top - np.log(np.exp(logits - top).sum(axis=-1, keepdims=True))
    return float(-logs[np.arange(EPISODES), episodes()[2]].mean())


def looks_at_one(head):
    return np.median(answers(head)[0].max(axis=-1)) > 0.95


def says_one_digit(head):
    return np.bincount(answers(head)[1].argmax(axis=-1)).max() > 0.95 * EPISODES


def asked_weight(head):
    """The mean weight of the pair that is asked for."""
    X, x, _ = episodes()
    return float((answers(head)[0] * (X[..., :8] @ x[:, :8, None])[..., 0]).sum(axis=-1).mean())


def reads_digits(head):
    """True if a head that hears one pair alone says its digit."""
    said = (np.eye(TOKEN)[8:] @ head["W_v"] @ head["W_o"]).argmax(axis=-1)
    return said.tolist() == [0, 1, 2, 3]


def better_than(share):
    def test(head):
        right = share_right(head)
        return None if right > share else f"it names the right digit in {100 * right:.1f} % of them"

    return test


def _instead(value):
    """What stands there in the place of a dict with these names, in words."""
    if not isinstance(value, dict):
        kind = "a tuple or list" if isinstance(value, (tuple, list)) else "something else"
        return f"; got {kind}: hand in the dict alone"
    missing, more = [name for name in NAMES if name not in value], [name for name in value if name not in NAMES]
    said = [f"{', '.join(missing)} missing"] if missing else []
    said += [f"{', '.join(map(repr, more[:4]))} too many"] if more else []
    return f" (their names matter, in every letter); {' and '.join(said)}"


@search(
    points=4,
    task="train a head that recalls which digit belongs to a letter",
    properties=(
        Property("right in more than 40 % of 1,000 fresh games", better_than(0.40), 0.25),
        Property("in more than 75 %", better_than(0.75), 0.25),
        Property("in more than 95 %", better_than(0.95), 0.5),
    ),
    shows={
        "run-away": lambda head: share_right(head) < 0.95 and max(np.abs(W).max() for W in head.values()) > 100,
        "uphill": lambda head: (asked_weight(head) < 0.1 and not looks_at_one(head)) or share_right(head) < 0.12,
        "untrained": lambda head: (
            sureness(head) < 0.4
            and answers(head)[0].max(axis=-1).mean() < 0.25
            and (share_right(head) < 0.4 or sureness(head) < 0.27)  # the gradients alone may be right in more
            and surprise(head) < 1.5
        ),
        "no-better-than-a-guess": lambda head: (
            share_right(head) < 0.3 and surprise(head) > 1.5 and (says_one_digit(head) or not looks_at_one(head))
        ),
        "saturated": lambda head: asked_weight(head) < 0.5 and looks_at_one(head),
        "one-batch": lambda head: sureness(head, of_wrong=True) > 0.75 and answers(head)[0].max(axis=-1).mean() > 0.21,
        "stopped-early": lambda head: share_right(head) > 0.7,
        "letters-not-compared": lambda head: reads_digits(head) and asked_weight(head) < 0.5,
        "digits-not-read": lambda head: not reads_digits(head) and asked_weight(head) > 0.5,
    },
    mistakes="""
    run-away: your head holds numbers above 100: it has run away -> A step against the gradient stops where the loss is
        small; with the sign turned it climbs, faster and faster, and so it does with too high a rate, or with so
        few games in a step that one step undoes the other. -> Look at the sign of your step and of your gradients,
        print the loss, and take a rate of 1 or less and 64 games in each step.
    uphill: your head looks away from the letter that is asked for, or names digits that are not there -> It has
        learned the opposite: its loss has risen. -> Look at the sign of your step and of your gradients: the loss must
        fall.
    untrained: all digits are nearly alike to your head, and all pairs: these are hardly the matrices of a trained one
        -> You handed in the gradients, which have the same names; or the loop makes no steps, or throws away what they
        find (`sgd_step` returns a new dict); or its steps are too small, or go the wrong way. A start of zeros does not
        move either, as no road is open to a gradient; and numbers that are all alike stay alike. -> Which dict do you
        hand in? In each round, let it become what `sgd_step` returns, and print the loss: it must fall. Random numbers
        at the start, a rate of 1 and 400 steps will do.
    no-better-than-a-guess: your head is right no more often than one that guesses, and surer: its loss on fresh games
        is higher -> It may be steps with the sign turned, large numbers at the start that no step has changed, or a few
        games learned by heart. -> Print the loss in the loop. Does it rise? Look at the sign of your step. Does it
        stay? Keep what `sgd_step` returns. Does it fall? Draw fresh games in each round.
    saturated: each question picks one pair with all of its weight, but mostly not the right one -> Such a softmax
        passes hardly any gradient back: it was sure before it had learned anything. -> Start with smaller numbers, 0.3
        times what `rng.normal` draws.
    one-batch: your head is sure of its answers, also of the wrong ones -> So is who has learned the games of one batch
        by heart: its loss there is near 0, and fresh games are another matter. -> Draw fresh games in each round,
        inside the loop, from a generator that was made before it.
    stopped-early: your head has learned most of the game, and not all of it -> The loss was still falling; or large
        numbers at the start have kept it from some of the letters. -> Print the loss. If it falls, make more steps, or
        larger ones; if it stays, begin with smaller numbers, 0.3 times what `rng.normal` draws.
    letters-not-compared: your head reads digits, but its weights are spread over all pairs -> It answers with the
        digit that it hears most often. W_q and W_k have not learned, or not long enough. -> Do their gradients arrive,
        and are pairs, question and target those of the same game, out of one call? If the loss still falls at the end,
        train longer.
    digits-not-read: your head looks at the right pair, but does not say its digit -> W_v and W_o have not learned, or
        not long enough. -> Do their gradients arrive? If the loss still falls at the end, train longer.
    """,
)
def trained_head(value):
    """The four matrices as a dict of arrays; raises ValueError in words."""
    if not isinstance(value, dict) or set(value) != set(NAMES):
        raise ValueError(f'expected a dict with four matrices, "W_q", "W_k", "W_v" and "W_o"{_instead(value)}')
    head = {}
    for name in NAMES:
        try:
            head[name] = numbers(value[name])
        except ValueError as problem:
            raise ValueError(f"{name}: {problem}") from None
    for name, shape in {name: head[name].shape for name in NAMES}.items():
        rows, columns = ("d_v", 4) if name == "W_o" else (TOKEN, "d_v" if name == "W_v" else "d_k")
        wanted = f"{name} must have shape ({rows}, {columns})"
        if len(shape) != 2:
            raise ValueError(f"{wanted}; got shape {shape}")
        if any(isinstance(size, int) and size != got for size, got in zip((rows, columns), shape, strict=True)):
            raise ValueError(f"{wanted}; got shape {shape}")
        if not 1 <= min(shape) <= max(shape) <= WIDEST:
            raise ValueError(f"{wanted}, and no more than {WIDEST} of either; got shape {shape}")
    for one, other, words in (("W_q", "W_k", "as many columns"), ("W_v", "W_o", "as many columns as the other rows")):
        sizes = head[one].shape[1], head[other].shape[0 if other == "W_o" else 1]
        if sizes[0] != sizes[1]:
            raise ValueError(f"{one} and {other} do not fit ({words}): {head[one].shape} and {head[other].shape}")
    for name in NAMES:
        if not np.isfinite(head[name]).all():
            raise ValueError(
                f"{name} holds infinity, or NaN (no number: what 0/0 gives, and infinity minus infinity): the learning "
                "rate was too high, its sign was turned, or a logarithm was taken of 0"
            )
        if np.abs(head[name]).max() > 1e60:
            raise ValueError(f"{name} holds numbers above 1e60: the learning rate was too high, or its sign was turned")
    return head
