"""The numbers in the prose of this notebook."""

import tracemalloc
from functools import cache
from itertools import pairwise

import numpy as np

from attnlib import (
    cached_heads,
    causal_linear_attention,
    causal_mask,
    chunked_attention,
    corrected_memory,
    cross_entropy,
    feed_forward,
    generate,
    layer_norm,
    linear_memory,
    load_gpt,
    masked_attention,
    merge_partial,
    scaled_dot_product_attention,
    softmax,
    to_pieces,
)
from attnlib.plots.cost import BYTES, HEADS, LAYERS, cost, ends, partial

D_MODEL = HEADS * 128

# ---- the bill


def row_of_bill(name, n):
    scores = n * n
    told = (
        f"{scores:,}"
        if scores < 1e6
        else f"{scores / 1e6:.0f} million"
        if scores < 1e9
        else f"{scores / 1e9:.0f} billion"
    )
    size = 4 * scores / 1e6
    megabytes = f"{size:.3f}" if size < 0.1 else f"{size:.1f}" if size < 10 else f"{size:,.0f}"
    return f"| {name} | {n:,} | {told} | {megabytes} |"


def a_hundred_thousand():
    return f"takes {4 * 100_000**2 / 1e9:.0f} gigabytes, and every head has one of its own"


def learned_numbers():
    return f"beside the {7e9 * BYTES / 1e9:.0f} GB that 7 billion learned numbers take"


# ---- by hand

SCORES, VALUES = np.array([1.0, 3.0, 2.0]), np.array([10.0, 20.0, 30.0])


def part(keys):
    s, v = SCORES[keys], VALUES[keys]
    m = s.max()
    p = np.exp(s - m)
    return np.array([m]), np.array([p.sum()]), np.array([[p @ v]])


def whole():
    context = softmax(SCORES) @ VALUES
    return f"= {context:.3f}$$"


def second_piece():
    m, l, o = (float(one.squeeze()) for one in part(slice(1, 3)))
    last = VALUES[2] * np.exp(SCORES[2] - m)
    return f"m = {m:.0f}, l = $e^0 + e^{{-1}}$ = {l:.4f}, o = 20 + {last:.2f} = {o:.2f}"


def shrinks():
    return f"$e^{{1-3}} = {np.exp(-2):.4f}$ times as much"


def row_of_merge(letter):
    place = "ml".find(letter) if letter != "o" else 2
    a, b = part(slice(0, 1)), part(slice(1, 3))
    together = float(merge_partial(a, b)[place].squeeze())
    one, other = (float(parts[place].squeeze()) for parts in (a, b))
    digits = 4 if letter == "l" else 2  # so many that the rounded parts add up to the rounded sum
    rounded = (f"{number:.{digits}f}" for number in (one * np.exp(-2), other, together))
    return "| {} | {:.0f} | {} | {} | **{}** |".format(letter, one, *rounded)


def quotient():
    _, l, o = merge_partial(part(slice(0, 1)), part(slice(1, 3)))
    return f"And {o.item():.2f} / {l.item():.4f} = **{o.item() / l.item():.3f}**"


def example_of_merge():
    m, l, o = merge_partial(part(slice(0, 1)), part(slice(1, 2)))
    return f"→ `({m.tolist()}, {l.round(4).tolist()}, {o.round(4).tolist()})`"


def example_of_pieces():
    keys = [[1.0, 0.0], [0.0, 2.0], [2.0, 1.0]]
    context = chunked_attention([[1.0, 0.0], [0.0, 2.0]], keys, VALUES[:, None], 2)
    return f"2)` → `{context.round(3).tolist()}`"


# ---- measured


def held(attention, *arrays):
    tracemalloc.start()
    attention(*arrays)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


@cache
def memory(n=2048):
    Q, K, V = np.random.default_rng(0).normal(size=(3, n, 64))
    much, little = held(scaled_dot_product_attention, Q, K, V), held(chunked_attention, Q, K, V, 128)
    gap = np.abs(scaled_dot_product_attention(Q, K, V)[0] - chunked_attention(Q, K, V, 128)).max()
    assert 5e-17 < gap < 1e-15  # "some 10^-16"
    return much, little


def memory_at_2048():
    much, little = memory()
    return f"{much:.0f} MB against {little:.0f} MB"


def memory_at_8192():
    much, little = memory()
    ratios = [one / other for one, other in zip(memory(), memory(1024), strict=True)]
    assert np.allclose(ratios, (4, 2), rtol=0.02)
    return f"it would be {16 * much:,.0f} against {4 * little:.0f}"


# ---- the explorer


def of_row_2():
    (m, l, _), (later, _, _) = partial(0, 8), partial(0, 12)
    shrink = np.exp(m[1] - later[1])
    assert (m[1], later[1]) == (2, 4)
    return f"e<sup>2 − 4</sup> = {shrink:.3f}: of the old l, {l[1]:.2f}, {l[1] * shrink:.2f} is left"


def context_of_row_2():
    _, l, o = partial(0, 12)
    return f"o / l is {o[1] / l[1]:.2f} in the end"


def full():
    (phone, laptop, card) = ends()[:, 0]
    told = f"A phone with 8 GB is full at {phone:,.0f} tokens, a laptop with 16 GB at {laptop:,.0f}"
    assert round(card / phone) == 3
    return f"{told}, a card with 80 GB at {card:,.0f}"


def full_of_keys():
    (phone, laptop, card) = ends()[:, 3]
    return f"And the cache? {phone:,.0f}, {laptop:,.0f} and {card:,.0f}."


def written_anew():
    (_, work), (_, of_twice) = cost(2**18), cost(2**19)
    return f"so that these two rise with n{'⁰¹²³'[round(np.log2(of_twice[0] / work[0]))]}"


def cache_and_matrix():
    n = next(n for n in range(1, 10_000) if cost(n)[0][0] >= cost(n)[0][3])
    return f"larger than the cache from {n:,} tokens on"


# ---- a state


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def example_of_linear():
    return f"→ `{causal_linear_attention([[1.0], [0.0]], [[0.0], [1.0]], [[10.0], [40.0]]).tolist()}`"


@cache
def signs(n, d=16, draws=20):
    found = []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        keys = rng.normal(size=(n, d))
        keys = keys / np.linalg.norm(keys, axis=1, keepdims=True)
        values = np.sign(rng.normal(size=(n, d)))
        features = phi(4 * keys)
        read = (
            softmax(16 * keys @ keys.T) @ values,
            features @ (features.T @ values),
            keys @ linear_memory(keys, values).T,
        )
        found.append([np.mean(np.sign(one) == values) for one in read])
    return np.mean(found, axis=0)


def forgets():
    assert all(signs(n)[0] == 1 for n in (4, 8, 16, 32, 64))
    return f"it gets {100 * signs(16)[1]:.0f} % right, with 64 pairs {100 * signs(64)[1]:.0f} %"


def forgets_plainly():
    return f"The plain sum does better, {100 * signs(16)[2]:.0f} % and {100 * signs(64)[2]:.0f} %"


def forgets_in_the_end():
    return f"of 64 pairs in a state of 16 · 16, {100 * signs(64)[1]:.0f} % of the signs"


def three_matrices():
    """What the attention of Part 3 holds at n = 2,048, in matrices of 4 bytes a number."""
    assert round(float(memory_at_2048().split()[0]) * 1e6 / (4 * 2048**2)) == 6
    return f"By the reckoning of section 2, 2,048 tokens take {4 * 2048**2 / 1e6:.0f} MB, a sixth of that"


def goes_on():
    I = np.eye(2)
    layer = {f"W_{one}": I for one in "qkvo"} | {f"b_{one}": np.zeros(2) for one in "qkvo"}
    _, K, V = cached_heads(I, None, layer, 1)
    added, K_again, V_again = cached_heads(I[1:], (K[:, :1], V[:, :1]), layer, 1)
    assert np.allclose(K, K_again)
    assert np.allclose(V, V_again)
    return f"`added = {added.round(3).tolist()}`, and the same `K` and `V`"


def another_function():
    gaps = []
    for seed in range(5):
        Q, K, V = np.random.default_rng(seed).normal(size=(3, 512, 64))
        by_softmax = masked_attention(Q, K, V, causal_mask(512))[0]
        gaps.append(np.linalg.norm(by_softmax - causal_linear_attention(Q, K, V)) / np.linalg.norm(by_softmax))
    assert 0.65 < min(gaps) < max(gaps) < 0.72, gaps
    return "is about two thirds as long as the softmax context, all its numbers together"


# ---- the cache


def rows_anew():
    return f"1 + 2 + ... + 100 = **{sum(range(101)):,}**"


def example_of_cache():
    layer = dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), np.eye(2)) | dict.fromkeys(
        ("b_q", "b_k", "b_v", "b_o"), np.zeros(2)
    )
    added, K, V = cached_heads(np.eye(2), None, layer, 1)
    rows = [f"[{', '.join(f'{one:.3f}' if one % 1 else f'{one:.1f}' for one in row)}]" for row in added]
    turned = [f"[{', '.join(f'{one:.3f}' if one % 1 else f'{one:.1f}' for one in row)}]" for row in K[0]]
    return f"→ `added = [{', '.join(rows)}]`, `K = [[{', '.join(turned)}]]`, `V = {V.tolist()}`"


def example_of_writing():
    def counts(ids):
        return np.where(np.arange(4) == (ids[-1] + 1) % 4, 2.0, 0.0)

    return f"→ `{generate(counts, [0], [0.5, 0.05, 0.9, 0.3], 1.0).tolist()}`"


def bytes_a_piece():
    gpt = load_gpt()
    size = 2 * len(gpt["layers"]) * gpt["embedding"].shape[1] * gpt["embedding"].itemsize
    assert round(128 * size / 2**20, 1) == 0.5  # half a megabyte for 128 pieces
    return f"here 2 · 4 · 128 numbers of 4 bytes, {size:,} bytes a piece"


def bytes_a_token():
    size = 2 * LAYERS * D_MODEL * BYTES
    assert size == cost(1)[0][3]
    assert round(size * 1e5 / 1e9) == 52  # a hundred thousand tokens
    return f"2 · {LAYERS} · {D_MODEL:,} · {BYTES} = {size:,} bytes"


# ---- the GPT


def step(ids):
    gpt = load_gpt()
    X = gpt["embedding"][ids]
    for layer in gpt["layers"]:
        normed = layer_norm(X, layer["norm_1_weight"], layer["norm_1_bias"])
        X = X + cached_heads(normed, None, layer, gpt["num_heads"])[0]
        normed = layer_norm(X, layer["norm_2_weight"], layer["norm_2_bias"])
        X = X + feed_forward(normed, layer["W_1"], layer["b_1"], layer["W_2"], layer["b_2"])
    return layer_norm(X, gpt["norm_weight"], gpt["norm_bias"]) @ gpt["embedding"].T


def losses(texts, borders):
    found = []
    for ids in texts:
        logits = step(ids[:-1])
        parts = [slice(*pair) for pair in pairwise(borders)]
        found.append([cross_entropy(logits[one], ids[1:][one]) for one in parts])
    return np.mean(found, axis=0)


@cache
def unread():
    return to_pieces(load_gpt()["held_out"])


@cache
def by_place():
    return losses(unread()[:7182].reshape(14, 513), [0, 16, 64, 128, 192, 256, 384, 512])


def falls_and_rises():
    loss = by_place()
    assert loss.argmin() == 3
    assert loss.argmax() == 6
    within = f"the loss falls, from {loss[0]:.2f} to {loss[2]:.2f} within the 128 places"
    return f"{within} of its training, and is {loss[3]:.2f} just behind them"


def at_the_end():
    return f"it soon rises, to {by_place()[-1]:.2f} at the end"


def copies():
    rows = unread()[:1200].reshape(30, 40)
    first, seam, again = losses(np.hstack([rows, rows]), [0, 39, 40, 79])
    assert seam > 8  # "which nobody can foresee"
    assert 0.98 * first < again < first
    return f"{again:.2f} against {first:.2f}"


def loss_of_all():
    found = losses(unread()[: 7318 // 129 * 129].reshape(-1, 129), [0, 128])[0]
    chosen = f"as if it chose among {np.exp(found):.0f} pieces"
    return f"Its loss is {found:.2f} nats a piece over the whole of that text, read in stretches of 129: {chosen}"


def weights():
    gpt = load_gpt()
    arrays = [
        gpt["embedding"],
        gpt["norm_weight"],
        gpt["norm_bias"],
        *(a for one in gpt["layers"] for a in one.values()),
    ]
    return f"{sum(one.size for one in arrays):,} weights"


def guess():
    return f"ln 1000 = {np.log(1000):.2f}"


# ---- the challenge


@cache
def by_age(n, d=16, draws=40):
    found = []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        keys = rng.normal(size=(n, d))
        keys = keys / np.linalg.norm(keys, axis=1, keepdims=True)
        values = np.sign(rng.normal(size=(n, d)))
        right = [np.sign(keys @ one(keys, values).T) == values for one in (linear_memory, corrected_memory)]
        found.append([[one[-4:].mean(), one.mean()] for one in right])
    return 100 * np.mean(found, axis=0)


def reads_fewer():
    few, many = by_age(16), by_age(64)
    return f"{few[1, 1]:.0f} % and {many[1, 1]:.0f} %, where the plain sum has {few[0, 1]:.0f} % and {many[0, 1]:.0f} %"


def all_pairs_at_once(n=16, d=16):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        keys = rng.normal(size=(n, d))
        keys = keys / np.linalg.norm(keys, axis=1, keepdims=True)
        values = np.sign(rng.normal(size=(n, d)))
        M = np.linalg.lstsq(keys, values, rcond=None)[0].T
        assert (np.sign(keys @ M.T) == values).all()
    return f"the matrix that suits all {n} pairs at once reads every sign"


def reads_the_last():
    few, many = by_age(16), by_age(64)
    told = f"of the last four pairs it reads {few[1, 0]:.0f} % and {many[1, 0]:.0f} %"
    return f"{told}, the plain sum {few[0, 0]:.0f} % and {many[0, 0]:.0f} %"


def example_of_challenge():
    M = corrected_memory([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]], [[10.0], [20.0], [30.0]])
    return f"→ `{M.tolist()}`"


# Each text as it stands in the prose, and what computes it.
NUMBERS = [
    ("| a long sentence | 32 | 1,024 | 0.004 |", lambda: row_of_bill("a long sentence", 32)),
    ("| a page | 512 | 262,144 | 1.0 |", lambda: row_of_bill("a page", 512)),
    ("| a story | 8,192 | 67 million | 268 |", lambda: row_of_bill("a story", 8192)),
    ("| a novel | 131,072 | 17 billion | 68,719 |", lambda: row_of_bill("a novel", 131072)),
    ("= 21.547$$", whole),
    ("m = 3, l = $e^0 + e^{-1}$ = 1.3679, o = 20 + 11.04 = 31.04", second_piece),
    ("$e^{1-3} = 0.1353$ times as much", shrinks),
    ("| l | 1 | 0.1353 | 1.3679 | **1.5032** |", lambda: row_of_merge("l")),
    ("| o | 10 | 1.35 | 31.04 | **32.39** |", lambda: row_of_merge("o")),
    ("And 32.39 / 1.5032 = **21.547**", quotient),
    ("→ `([3.0], [1.1353], [[21.3534]])`", example_of_merge),
    ("2)` → `[[22.92], [21.413]]`", example_of_pieces),
    ("101 MB against 11 MB", memory_at_2048),
    ("By the reckoning of section 2, 2,048 tokens take 17 MB, a sixth of that", three_matrices),
    ("takes 40 gigabytes, and every head has one of its own", a_hundred_thousand),
    ("beside the 14 GB that 7 billion learned numbers take", learned_numbers),
    ("the matrix that suits all 16 pairs at once reads every sign", all_pairs_at_once),
    ("`added = [[0.214, 0.786]]`, and the same `K` and `V`", goes_on),
    ("it would be 1,612 against 42", memory_at_8192),
    ("e<sup>2 − 4</sup> = 0.135: of the old l, 2.44, 0.33 is left", of_row_2),
    ("o / l is 47.10 in the end", context_of_row_2),
    (
        "A phone with 8 GB is full at 11,180 tokens, a laptop with 16 GB at 15,811, a card with 80 GB at 35,355",
        full,
    ),
    ("And the cache? 15,258, 30,517 and 152,587.", full_of_keys),
    ("so that these two rise with n³", written_anew),
    ("larger than the cache from 8,192 tokens on", cache_and_matrix),
    ("→ `[[10.0], [30.0]]`", example_of_linear),
    ("it gets 64 % right, with 64 pairs 57 %", forgets),
    ("The plain sum does better, 85 % and 69 %", forgets_plainly),
    ("of 64 pairs in a state of 16 · 16, 57 % of the signs", forgets_in_the_end),
    ("is about two thirds as long as the softmax context, all its numbers together", another_function),
    ("1 + 2 + ... + 100 = **5,050**", rows_anew),
    (
        "→ `added = [[1.0, 0.0], [0.214, 0.786]]`, `K = [[[1.0, 0.0], [-0.841, 0.540]]]`, "
        "`V = [[[1.0, 0.0], [0.0, 1.0]]]`",
        example_of_cache,
    ),
    ("→ `[0, 1, 0, 2, 3]`", example_of_writing),
    ("here 2 · 4 · 128 numbers of 4 bytes, 4,096 bytes a piece", bytes_a_piece),
    ("2 · 32 · 4,096 · 2 = 524,288 bytes", bytes_a_token),
    (
        "the loss falls, from 3.59 to 3.21 within the 128 places of its training, and is 3.19 just behind them",
        falls_and_rises,
    ),
    ("it soon rises, to 4.05 at the end", at_the_end),
    ("3.35 against 3.38", copies),
    (
        "Its loss is 3.27 nats a piece over the whole of that text, read in stretches of 129: as if it chose among 26 "
        "pieces",
        loss_of_all,
    ),
    ("921,344 weights", weights),
    ("ln 1000 = 6.91", guess),
    ("83 % and 61 %, where the plain sum has 85 % and 69 %", reads_fewer),
    ("of the last four pairs it reads 98 % and 96 %, the plain sum 86 % and 69 %", reads_the_last),
    ("→ `[[30.0, 20.0]]`", example_of_challenge),
]
