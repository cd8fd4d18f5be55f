"""What the exercises of this notebook share: fresh sentences, and what the model makes of them."""

import math
from functools import lru_cache

import numpy as np

from attnlib import (
    causal_mask,
    encoder_input,
    layer_norm,
    load_encoder,
    multi_head_attention,
    padding_mask,
    post_norm_block,
    pre_norm_block,
    tokenize,
)
from grader.exercises.stages import number, slip

WHO = ["doctor", "teacher", "farmer", "king", "child", "artist", "soldier", "judge", "player", "writer", "nurse"]
DOES = ["saw", "found", "left", "remembered", "painted", "followed", "called", "helped", "forgot", "visited"]
WHAT = ["river", "garden", "train", "letter", "horse", "bridge", "window", "song", "ship", "forest", "church", "market"]
HOW = ["old", "small", "green", "famous", "broken", "quiet", "strange", "beautiful"]
WHERE = ["near the sea", "in the morning", "after the war", "with a friend", "before dinner", "for two years"]

#: How the layers are run, by the slip.
RUNS = {
    "five-layers": lambda layers: layers[:5],
    "first-layer-left-out": lambda layers: layers[1:],
    "first-layer-only": lambda layers: layers[:1],
    "last-layer-only": lambda layers: layers[-1:],
    "first-layer-six-times": lambda layers: layers[:1] * 6,
    "last-layer-six-times": lambda layers: layers[-1:] * 6,
    "layers-reversed": lambda layers: layers[::-1],
    "no-layers": lambda layers: [],
    "layers-twice": lambda layers: layers * 2,
    "last-layer-twice": lambda layers: layers + layers[-1:],
    "each-layer-twice": lambda layers: [layer for layer in layers for _ in range(2)],
    "every-other-layer": lambda layers: layers[::2],
}
#: Slips in what the layers are given or how they are run.
RUNNING = frozenset(RUNS) | {
    *("bare-words", "no-positions", "positions-twice", "pre-norm", "no-feed-forward"),
    *("one-head", "layers-for-heads", "width-for-heads"),
    *("mask-ignored", "mask-inverted", "mask-on-queries", "masked-first", "masked-last", "whole-numbers", "rows-cut"),
    *(
        "mask-from-the-end",
        "unit-rows-in-each-layer",
        "specials-cut-off",
        "cls-cut-off",
        "sep-cut-off",
        "causal",
        "path-added-twice",
    ),
    *("attention-only", "zeroed"),
}


#: Slips in what the first layer is given.
INPUTS = frozenset({"bare-words", "no-positions", "positions-twice"})

#: From how many sentences one is drawn: what the model makes of each is remembered, for it takes its time.
MANY = 24


def drawn(rng, length=None):
    """A sentence that hardly anybody has written before; `length` words of it, if said."""
    rng = np.random.default_rng([int(rng.integers(MANY)), 1911])
    who, other = rng.choice(WHO, size=2, replace=False)
    how, another = rng.choice(HOW, size=2, replace=False)
    words = f"the {how} {who} {rng.choice(DOES)} the {another} {rng.choice(WHAT)} of the {other} {rng.choice(WHERE)}"
    return " ".join(words.split()[:length])


def written(rng):
    """Text as people write it: with capital letters and signs, some of them within, and one by itself."""
    who, other = rng.choice(WHO, size=2, replace=False)
    return f"{drawn(rng, 4).capitalize()}. The {who}, the {other} - all {rng.choice(DOES)} it!"


@lru_cache(maxsize=512)
def first(tokens, wrong=frozenset()):
    """What the first layer is given for a tuple of tokens, (n + 2, 384)."""
    encoder = load_encoder()
    if "bare-words" in wrong:
        return encoder["word_vectors"][[encoder["vocabulary"][token] for token in ("[CLS]", *tokens, "[SEP]")]]
    positions = encoder["position_vectors"]
    X = encoder_input(tokens, 0 * positions if "no-positions" in wrong else None)
    return X + positions[: len(X)] if "positions-twice" in wrong else X


def block(X, layer, mask=None, wrong=frozenset()):
    """A layer of the model, with slips."""
    encoder = load_encoder()
    others = {"one-head": 1, "layers-for-heads": 6, "width-for-heads": 384 // encoder["num_heads"]}
    heads = slip(wrong, others, encoder["num_heads"])
    if "causal" in wrong:
        mask = causal_mask(X.shape[-2]) if mask is None else mask & causal_mask(X.shape[-2])
    if wrong & {"no-feed-forward", "attention-only"}:
        names = ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o")
        heard = multi_head_attention(X, X, num_heads=heads, mask=mask, **{name: layer[name] for name in names})[0]
        if "attention-only" in wrong:
            return heard
        return layer_norm(X + heard, layer["norm_1_weight"], layer["norm_1_bias"])
    if "path-added-twice" in wrong:
        return X + post_norm_block(X, layer, heads, mask)
    return (pre_norm_block if "pre-norm" in wrong else post_norm_block)(X, layer, heads, mask)


def _run(tokens, wrong):
    """The tokens before the first layer run and after each, one after the other: (n + 2, 384)."""
    layers = list(load_encoder()["layers"])
    for name, run in RUNS.items():
        if name in wrong:
            layers = run(layers)
    X = first(tokens, wrong & INPUTS)
    kept = {"specials-cut-off": slice(1, -1), "cls-cut-off": slice(1, None), "sep-cut-off": slice(-1)}
    X = X[slip(wrong, kept, slice(None))]
    yield X
    for layer in layers:
        X = block(X, layer, None, wrong)
        if "unit-rows-in-each-layer" in wrong:
            X = X / np.linalg.norm(X, axis=-1, keepdims=True)
        yield X


@lru_cache(maxsize=256)
def states(tokens, wrong=frozenset()):
    """All of `_run`, as a list. `wrong` holds none but RUNNING."""
    return list(_run(tokens, wrong))


@lru_cache(maxsize=2048)
def last(tokens, wrong=frozenset()):
    """The last of `_run`. `wrong` holds none but RUNNING."""
    *_, X = _run(tokens, wrong)
    return X


@lru_cache(maxsize=512)
def in_a_row(batch):
    """The last states of a batch that runs as one sequence, cut apart: a tuple of (n + 2, 384)."""
    X = np.concatenate([first(tokens) for tokens in batch])
    for layer in load_encoder()["layers"]:
        X = block(X, layer)
    return tuple(np.split(X, np.cumsum([len(tokens) + 2 for tokens in batch])[:-1]))


@lru_cache(maxsize=128)
def behind_those_before(batch):
    """The last states where each text runs behind what became of those before it: a tuple of (more and more, 384)."""
    found, X = [], np.zeros((0, 384))
    for tokens in batch:
        X = np.concatenate([X, first(tokens)])
        for layer in load_encoder()["layers"]:
            X = block(X, layer)
        found.append(X)
    return tuple(found)


@lru_cache(maxsize=512)
def heard_by(tokens, heard):
    """The last states, (n + 2, 384), where nobody hears the tokens at places that are False."""
    X = first(tokens)
    for layer in load_encoder()["layers"]:
        X = block(X, layer, np.array(heard)[None])
    return X


@lru_cache(maxsize=512)
def of_the_mean(tokens):
    """What the layers make of the mean of all rows, (1, 384)."""
    X = first(tokens).mean(axis=0, keepdims=True)
    for layer in load_encoder()["layers"]:
        X = block(X, layer)
    return X


@lru_cache(maxsize=512)
def together(batch, lengths, ending, wrong=frozenset(), rows=None, room=0):
    """The last states of a batch, (len(batch), longest, 384).

    `batch` holds tuples of tokens, `lengths` how many of each the mask lets through, and `ending` how the shorter ones
    are filled: with zeros behind them ("zeros"), with their last row ("last row"), or with zeros before them ("in
    front"); else with that word before their [SEP], or with their "last". With `rows`, none has more than so many;
    with `room`, the batch has at least so many.
    """
    longest = max(room - 2, *(len(tokens) for tokens in batch))
    if ending not in ("zeros", "last row", "in front"):
        fill = [tokens[-1] if ending == "last" else ending for tokens in batch]
        batch = tuple((*one, *[word] * (longest - len(one))) for one, word in zip(batch, fill, strict=True))
    X = np.zeros((len(batch), longest + 2, 384), dtype=np.float32)
    for row, tokens in zip(X, batch, strict=True):
        begins = longest - len(tokens) if ending == "in front" else 0
        row[begins : begins + len(tokens) + 2] = first(tokens, wrong & INPUTS)
        if ending == "last row":
            row[len(tokens) + 2 :] = row[len(tokens) + 1]
    if "whole-numbers" in wrong:
        X = np.trunc(X)
    if "rows-cut" in wrong:
        longest = min(lengths) - 2
        X, lengths = X[:, : longest + 2], (longest + 2,) * len(lengths)
    longest = min(longest, (rows or longest + 2) - 2)
    X = X[:, : longest + 2]
    mask = padding_mask(np.array(lengths), longest + 2)
    if "mask-from-the-end" in wrong:
        mask = mask[..., ::-1]
    if "mask-inverted" in wrong:
        mask = ~mask
    if "mask-ignored" in wrong:
        mask = None
    if "mask-on-queries" in wrong:
        mask = np.broadcast_to(np.swapaxes(mask, 1, 2), (len(X), longest + 2, longest + 2))
    layers = list(load_encoder()["layers"])
    for name, run in RUNS.items():
        if name in wrong:
            layers = run(layers)
    for i, layer in enumerate(layers):
        unmasked = (i > 0 and "masked-first" in wrong) or (i < len(layers) - 1 and "masked-last" in wrong)
        X = block(X, layer, None if unmasked else mask, wrong)
        if "zeroed" in wrong:
            X = X * np.swapaxes(padding_mask(np.array(lengths), longest + 2), 1, 2)
    return X


def tokens_of(text, wrong=frozenset()):
    """The words of a text as a tuple."""
    if "split-by-spaces" in wrong:
        return tuple(text.split())
    if "specials-twice" in wrong:
        return ("[CLS]", *tokenize(text), "[SEP]")
    if "the-left-out" in wrong:
        return tuple(token for token in tokenize(text) if token != "the")
    if most := number(wrong, "words-cut", 4):
        return tuple(tokenize(text)[: math.ceil(most)])
    arranged = {"words-sorted": sorted, "words-once": dict.fromkeys, "words-sorted-once": lambda all: sorted(set(all))}
    return tuple(slip(wrong, arranged, tuple)(tokenize(text)))


def single(vectors):
    """Numbers as float32: a model in single precision is right in its first digits, whatever holds the result."""
    return np.asarray(vectors, dtype=np.float32)


#: Of the rows of a sentence, those that count in the mean, by the slip.
ROWS = {
    "cls-only": slice(0, 1),
    "sep-only": slice(-1, None),
    "first-word-only": slice(1, 2),
    "specials-left-out": slice(1, -1),
    "cls-left-out": slice(1, None),
    "sep-left-out": slice(0, -1),
}


def averaged(X, wrong):
    """One vector of the rows of X (n, 384)."""
    for name, rows in ROWS.items():
        if name in wrong:
            X = X[rows]
    if "tanh-of-cls" in wrong:
        return np.tanh(X[0])
    if "largest" in wrong:
        return X.max(axis=0)
    if "median" in wrong:
        return np.median(X, axis=0)
    if "unit-rows-averaged" in wrong:
        X = X / np.linalg.norm(X, axis=-1, keepdims=True)
    return X.mean(axis=0)


def to_length_one(v, wrong):
    """v divided by its length."""
    if "not-unit" in wrong:
        return v
    if "squared-length" in wrong:
        return v / (v @ v)
    if "sum-for-length" in wrong:
        return v / np.abs(v).sum()
    if "largest-for-length" in wrong:
        return v / np.abs(v).max()
    if "mean-taken-off" in wrong:
        v = v - v.mean()
    if "sum-forgotten" in wrong:
        with np.errstate(invalid="ignore"):
            return v / np.sqrt(v**2)
    if "standardised" in wrong:
        return (v - v.mean()) / v.std()
    return v / np.linalg.norm(v)


def middles(tokens):
    """The tokens in the middle of each layer, behind the attention and its norm: six of (n + 2, 384)."""
    found = []
    for X, layer in zip(states(tokens), load_encoder()["layers"], strict=False):
        found.append(block(X, layer, None, {"no-feed-forward"}))
    return found
