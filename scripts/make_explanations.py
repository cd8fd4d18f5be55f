"""Make attnlib/data/explanations.json: what the explorer of explanations shows, for three sentences.

    python scripts/make_explanations.py

For each layer of the encoder: weights (the mean of the heads), each token's share of the contributions, rollout of the
weights up to there, and how far each token's vector after that layer moves when a word is masked in all layers up to
there. Stored as bytes, 255 for the largest, with a scale for each of the four; each shows the decimals that the exact
number shows, two, and for the lengths one. So many bytes do not keep the order of what is nearly equal: the rank
correlations with the lengths are computed of the exact numbers, and stored in hundredths.
"""

import base64
import json
from pathlib import Path

import numpy as np

from attnlib import (
    encoder_input,
    head_contributions,
    load_encoder,
    load_encoder_outputs,
    multi_head_attention,
    post_norm_block,
    rollout,
    split_heads,
    tokenize,
)

DATA = Path(__file__).resolve().parent.parent / "attnlib" / "data"
#: Places among the sentences of `load_encoder_outputs`.
SENTENCES = (0, 1, 5)
ATTENTION = ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o")


def states(X, mask=None):
    """The input of the first layer and the output of each."""
    found = [X]
    for layer in load_encoder()["layers"]:
        found.append(post_norm_block(found[-1], layer, 12, mask))
    return np.array(found)


def explained(text):
    """The four kinds of numbers, (6, n, n) each, and the tokens."""
    words = tokenize(text)
    X = encoder_input(words)
    n, whole = len(X), states(X)
    weights, shares = [], []
    for layer, x in zip(load_encoder()["layers"], whole, strict=False):
        A = multi_head_attention(x, x, num_heads=12, **{name: layer[name] for name in ATTENTION})[1]
        C = head_contributions(A, split_heads(x @ layer["W_v"] + layer["b_v"], 12), layer["W_o"])
        weights.append(A)
        shares.append(C / C.sum(axis=-1, keepdims=True))
    weights = np.array(weights)
    effect = np.zeros((6, n, n))
    for j in range(1, n - 1):
        mask = np.ones((n, n), dtype=bool)
        mask[:, j] = False
        effect[:, :, j] = np.linalg.norm(states(X, mask) - whole, axis=-1)[1:]
    rolled = np.array([rollout(weights[: last + 1]) for last in range(6)])
    return ["[CLS]", *words, "[SEP]"], [weights.mean(axis=1), np.array(shares), rolled, effect]


def packed(numbers, scale, decimals):
    """The nearest bytes of which each, times the scale, is rounded to the same decimals as its number."""
    levels = np.arange(256)
    shown = np.round(levels * scale, decimals)
    numbers = numbers.astype(float)  # rounded, a float32 is equal to none of them
    far = np.abs(numbers[..., None] - levels * scale) + (shown != np.round(numbers, decimals)[..., None])
    return far.argmin(axis=-1).astype(np.uint8)


def rank_correlation(a, b):
    """That of the notebook: no two numbers are equal."""
    return np.corrcoef(*(np.argsort(np.argsort(row)) for row in (a, b)))[0, 1]


def agreements(kinds):
    """Rank correlations with the last kind for each asking word, (5, 6, n): weights, contributions, rollout, and means
    of the first two over the layers so far; of other words only."""
    n, so_far = kinds[0].shape[-1], np.arange(1, 7)[:, None, None]
    rivals = [*kinds[:3], *(np.cumsum(one, axis=0) / so_far for one in kinds[:2])]
    found = np.zeros((len(rivals), 6, n))
    for kind, layer, i in np.ndindex(found.shape):
        others = [j for j in range(1, n - 1) if j != i]
        found[kind, layer, i] = rank_correlation(rivals[kind][layer, i, others], kinds[3][layer, i, others])
    return found


def main():
    texts = load_encoder_outputs()["texts"]
    stored = []
    for place in SENTENCES:
        tokens, kinds = explained(texts[place])
        scales = [float(f"{numbers.max() / 255:.6g}") for numbers in kinds]
        parts = [packed(*one) for one in zip(kinds, scales, (2, 2, 2, 1), strict=True)]
        parts.append(np.round(100 * agreements(kinds) + 100).astype(np.uint8))
        bytes_ = base64.b64encode(b"".join(part.tobytes() for part in parts)).decode()
        stored.append({"tokens": tokens, "scales": scales, "bytes": bytes_})
    (DATA / "explanations.json").write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
