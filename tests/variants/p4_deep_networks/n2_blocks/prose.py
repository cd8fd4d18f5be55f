"""The numbers in the prose of this notebook."""

import math
from functools import cache

import numpy as np

from attnlib import (
    encoder_input,
    feed_forward,
    gelu,
    layer_norm,
    load_encoder,
    load_encoder_outputs,
    multi_head_attention,
    post_norm_block,
    tokenize,
    unit_rows,
)
from attnlib.plots.blocks import depth_run, mean_cosine, told
from grader.exercises.p4_deep_networks.n2_blocks import unit_words
from grader.exercises.p4_deep_networks.n2_blocks.count_block import count_block
from grader.exercises.p4_deep_networks.n2_blocks.layer_norm import layer_norm as norm_model
from grader.exercises.p4_deep_networks.n2_blocks.post_norm_block import post_norm_block as post_norm_model

SENTENCE = load_encoder_outputs()["texts"][0]
STATES = load_encoder_outputs()["states"][0]
LAYERS = load_encoder()["layers"]
ATTENTION = ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]
NO_OUTPUT = {"W_o": np.eye(384, dtype=np.float32), "b_o": np.zeros(384, dtype=np.float32)}


def number(x, decimals):
    return f"{x:.{decimals}f}".replace("-", "−")


def listed(values, decimals=3):
    return ", ".join(number(v, decimals).removesuffix(".000") for v in np.round(values, decimals) + 0.0)


def heard(X, layer):
    return multi_head_attention(X, X, num_heads=12, **{name: layer[name] for name in ATTENTION})[0]


def normed(X, layer, which):
    return layer_norm(X, layer[f"norm_{which}_weight"], layer[f"norm_{which}_bias"])


def said(X, layer):
    return feed_forward(X, layer["W_1"], layer["b_1"], layer["W_2"], layer["b_2"])


@cache
def model(first=1, second=1, norms=True):
    """States of the real model, and what its sublayers add, with paths that let so much through."""
    X, found = encoder_input(tokenize(SENTENCE)), []
    for layer in LAYERS:
        new = heard(X, layer)
        middle = normed(first * X + new, layer, 1) if norms else X + new
        more = said(middle, layer)
        found.append((X, new, more))
        X = normed(second * middle + more, layer, 2) if norms else middle + more
    return [*found, (X, None, None)]


def alike(*keep):
    return [f"{mean_cosine(X):.2f}" for X, _, _ in model(*keep)]


def length(part):
    return [np.linalg.norm(layer[part], axis=-1).mean() for layer in model()[: 7 if part == 0 else 6]]


def cut_without_both():
    cosines = alike(0, 0)
    assert cosines[4:] == ["1.00"] * 3
    assert cosines[3] != "1.00"
    return "it is over in four layers: 1.00"


def cut_without_the_first():
    cosines = alike(0, 1)
    assert cosines[3] == "1.00" > cosines[2]
    return "1.00 after three layers"


def audit(with_output=False):
    """How far LayerNorm(x + c) is from each layer's output, and x itself; and the cosine after six such layers."""
    offs, X = [], STATES[0]
    for layer, x, true in zip(LAYERS, STATES[:-1], STATES[1:], strict=True):
        given = layer if with_output else layer | NO_OUTPUT
        claimed = normed(x + heard(x, given), layer, 1)
        offs.append([np.linalg.norm(one - true) / np.linalg.norm(true) for one in (claimed, x)])
        X = normed(X + heard(X, given), layer, 1)
    return np.array(offs), (unit_rows(X) * unit_rows(STATES[-1])).sum(axis=-1).mean()


def untouched():
    return (unit_rows(STATES[0]) * unit_rows(STATES[-1])).sum(axis=-1).mean()


def left_out():
    learned = count_block()
    layer = sum(learned[part] for part in ("attention", "feed-forward", "norms"))
    missing = 384 * 384 + 384 + learned["feed-forward"] + learned["norms"] // 2
    return f"Of all the numbers that a layer has learned, these are **{100 * missing / layer:.0f} %**"


def rounds():
    a, b = 4.0, 0.0
    for _ in range(3):
        a, b = 0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b
    return f"| 3 | {a} | {b} | {a - b} |"


def grown():
    a, b, found, apart = 4.0, 0.0, ["4"], []
    for _ in range(2):
        a, b = a + 0.75 * a + 0.25 * b, b + 0.25 * a + 0.75 * b
        found.append(f"{a:g}")
        apart.append(f"{a - b:g}")
    return (
        f"They are {apart[0]} apart, not 2, and in the next layer {apart[1]}",
        f"the numbers grow with every sum, {', '.join(found)}",
    )


def lowest():
    x = np.linspace(-2, 0, 200_001)
    return f"The lowest point is {number(gelu(x).min(), 3)}, at x = {number(x[gelu(x).argmin()], 3)}"


def tanh_off():
    x = np.linspace(-4, 4, 8001)
    gap = np.abs(gelu(x) - x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2).max()
    return f"off by up to {gap:.4f}"


def agreement():
    X, gaps = encoder_input(tokenize(SENTENCE)), []
    for layer, state in zip(LAYERS, STATES[1:], strict=True):
        X = post_norm_block(X, layer, 12)
        gaps.append(np.abs(X - state).max())
    return "Less than 0.001 everywhere" if max(gaps) < 1e-3 else f"{gaps}"


def little_awake():
    shares = (gelu(unit_words.heard()) > 0.1).mean(axis=0)
    return "less than one in a hundred wakes such a unit by more than 0.1" if shares.max() < 0.01 else f"{shares}"


def depth(which, at, **parts):
    cosines, lengths, change = depth_run(**parts)
    alike = (cosines.sum(axis=(1, 2)) - 12) / (12 * 11)
    return f"{alike[at]:.2f}" if which == "alike" else told((lengths if which == "length" else change)[at])


def over_after_three():
    assert depth("alike", 2, first=False) < "1.00"
    return f"all is over after 3 blocks: {depth('alike', 3, first=False)}"


def least_and_most(values, decimals=0):
    return f"{min(values):.{decimals}f} to {max(values):.{decimals}f}"


def variance():
    row = [1, 2, 3, 6]
    return f"the variance is 14 / 4 = {np.var(row)}, its root {np.std(row):.3f}"


def grown_rows():
    rows = np.linalg.norm(model(1, 1, False)[-1][0], axis=-1).mean()
    return f"rows of length {length(0)[0]:.0f} have grown to {round(rows, -1):,.0f} after six layers"


def tokens_after_six():
    with_output = f"(With $W_o$ in its place it is {audit(True)[1]:.2f}; of the input that has gone through no layer, "
    return f"the true ones is {audit()[1]:.2f}. {with_output}{untouched():.2f}.)"


def without_the_other_path():
    slow, whole = depth("alike", 8, second=False), depth("alike", 8)
    return f"they are at {slow} after 8 blocks, with both paths at {whole}"


def without_norms():
    rows, change = depth("length", 32, norm="none"), depth("change", 32, norm="none")
    return f"Rows end at {rows}, a small change at {change} times its size"


def rounded_vectors():
    outputs = load_encoder_outputs()
    cosines = (outputs["vectors"] * outputs["published"]).sum(axis=1)
    return f"Over {len(cosines)} sentences, the vectors of whole sentences have a cosine of {cosines.mean():.4f}"


def a_third():
    learned = count_block()
    share = learned["attention"] / (learned["six blocks"] / 6)
    return "attention holds only a third of what a layer has learned" if abs(share - 1 / 3) < 0.005 else f"{share}"


def rows_after():
    rows = np.linalg.norm([X for X, _, _ in model()[1:]], axis=-1)
    single = f"and single ones {least_and_most(rows.ravel())}"
    return f"rows are on average {least_and_most(length(0)[1:])} long after each layer, {single}"


def rows_before():
    return f"In rows that come in with a length of {least_and_most(length(0)[:-1])}, on average"


def without_the_second():
    assert 0 < float(alike(1, 0)[-1]) - float(alike(1, 1)[-1]) < 0.05
    return f"the cosine ends at {alike(1, 0)[-1]}, hardly above that of the whole model"


def compared_with_the_row():
    times = [more / row for more, row in zip(length(2), length(0)[:-1], strict=True)]
    assert min(times[i] for i in (1, 3, 4, 5)) > 0.9
    assert max(times[i] for i in (1, 3, 4, 5)) < 1.3
    words = f"in the first layer {times[0]:.1f} times and in the third {times[2]:.1f} times as much"
    return f"about as much as the row itself is long, but {words}"


def never_awake():
    layer = LAYERS[0]
    matches = unit_words.middle() @ layer["W_1"] + layer["b_1"]
    return f"Of the {matches.shape[1]:,} units, {(matches.max(axis=0) <= 0.1).sum()} match no word by more than 0.1"


def gaps(wrong=frozenset(), bend=None):
    """How far a block with a mistake is from the published model after each layer."""
    X, found = STATES[0].astype(float), []
    for layer, state in zip(LAYERS, STATES[1:], strict=True):
        if bend:
            middle = normed(X + heard(X, layer), layer, 1)
            more = bend(middle @ layer["W_1"] + layer["b_1"]) @ layer["W_2"] + layer["b_2"]
            X = normed(middle + more, layer, 2)
        elif "sample-variance" in wrong:
            middle = a_sample(X + heard(X, layer), layer, 1)
            X = a_sample(middle + said(middle, layer), layer, 2)
        else:
            X = post_norm_model(X, layer, 12, wrong=wrong)
        found.append(np.abs(X - state).max())
    return found


def a_sample(X, layer, which):
    """A norm with `ddof=1`."""
    weight, bias = layer[f"norm_{which}_weight"], layer[f"norm_{which}_bias"]
    return norm_model(X, weight, bias, wrong=frozenset({"sample-variance"}))


def of_a_sample():
    short = [100 * (1 - math.sqrt((d - 1) / d)) for d in (4, 384)]
    return f"too small by {short[0]:.0f} % in rows of four numbers, by {short[1]:.2f} % in rows of 384"


def by_tanh():
    off = gaps(bend=lambda x: x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2)
    return f"off by {tanh_off()[-6:]} at most in `gelu`, by {least_and_most(off, 3)} in the model"


def small_stays_small():
    off = gaps(frozenset({"sample-variance"}))
    assert max(off) < 0.015
    assert off[5] < off[0]
    return f"off by about {off[0]:.2f} in each layer, and no more in the sixth than in the first"


def off_by_one():
    without, other = (gaps(frozenset({name})) for name in ("biases-ignored", "ffn-residual-from-X"))
    return f"off by {least_and_most(without, 1)}; second path from $X$, off by {least_and_most(other, 1)}"


def by_exchanged_norms():
    assert 10 < np.abs(STATES).max() < 11
    return f"off by {least_and_most(gaps(frozenset({'norms-exchanged'})))}, where true numbers stay below 11"


NUMBERS = [
    ("Over 62 sentences, the vectors of whole sentences have a cosine of 0.9996", rounded_vectors),
    ("attention holds only a third of what a layer has learned", a_third),
    ("| 3 | 2.25 | 1.75 | 0.5 |", rounds),
    ("They are 6 apart, not 2, and in the next layer 9", lambda: grown()[0]),
    ("the numbers grow with every sum, 4, 7, 12.5", lambda: grown()[1]),
    (
        "**[−1.069, −0.535, 0, 1.604]**",
        lambda: f"**[{listed(layer_norm([[1, 2, 3, 6]], np.ones(4), np.zeros(4))[0])}]**",
    ),
    ("the variance is 14 / 4 = 3.5, its root 1.871", variance),
    ("rows are on average 9 to 12 long after each layer, and single ones 6 to 14", rows_after),
    ("In rows that come in with a length of 9 to 12, on average", rows_before),
    ("gelu(1) = 0.841", lambda: f"gelu(1) = {gelu(1.0):.3f}"),
    ("gelu(−1) = −0.159", lambda: f"gelu(−1) = {number(gelu(-1.0), 3)}"),
    ("The lowest point is −0.170, at x = −0.752", lowest),
    ("off by up to 0.0005", tanh_off),
    ("`[-0.004, -0.159, 0.0, 0.841, 2.996]`", lambda: f"`{gelu([-3, -1, 0, 1, 3]).round(3).tolist()}`"),
    (
        "`[[30.96, 60.92], [0.96, 0.92]]`",
        lambda: f"`{feed_forward([[1, 2], [0, -3]], [[1], [1]], [0], [[10, 20]], [1, 1]).round(2).tolist()}`",
    ),
    ("and so 29.96 and 59.92", lambda: f"and so {10 * gelu(3.0):.2f} and {20 * gelu(3.0):.2f}"),
    ("Less than 0.001 everywhere", agreement),
    ("with numbers that go up to about 11", lambda: f"with numbers that go up to about {np.abs(STATES).max():.0f}"),
    ("from 0.08 to 0.48", lambda: f"from {alike(1, 1)[0]} to {alike(1, 1)[-1]}"),
    ("it is over in four layers: 1.00", cut_without_both),
    ("1.00 after three layers", cut_without_the_first),
    ("the cosine ends at 0.51, hardly above that of the whole model", without_the_second),
    ("The attention adds a little, 3 to 6.", lambda: f"The attention adds a little, {least_and_most(length(1))}."),
    ("The feed-forward layer adds 10 to 22", lambda: f"The feed-forward layer adds {least_and_most(length(2))}"),
    (
        "about as much as the row itself is long, but in the first layer 2.5 times and in the third 1.8 times as much",
        compared_with_the_row,
    ),
    ("rows of length 9 have grown to 5,560 after six layers", grown_rows),
    ("Of all the numbers that a layer has learned, these are **75 %**", left_out),
    ("off by 0.78 of the output's length", lambda: f"off by {audit()[0][:, 0].min():.2f} of the output's length"),
    ("would be nearer: 0.43 to 0.90", lambda: f"would be nearer: {least_and_most(audit()[0][:, 1], 2)}"),
    (
        "the true ones is 0.14. (With $W_o$ in its place it is 0.25; of the input that has gone through no layer, "
        "0.37.)",
        tokens_after_six,
    ),
    ("each of 3,588 words", lambda: f"each of {len(unit_words.words()):,} words"),
    ("Of the 1,536 units, 64 match no word by more than 0.1", never_awake),
    ("less than one in a hundred wakes such a unit by more than 0.1", little_awake),
    ("all is over after 3 blocks: 1.00", over_after_three),
    ("they are at 0.99 after 8 blocks, with both paths at 0.93", without_the_other_path),
    ("0.60 after 32 blocks", lambda: f"{depth('alike', 32, attention=False)} after 32 blocks"),
    (
        "0.83, where norms after the sums end at 1.00",
        lambda: f"{depth('alike', 32, norm='before')}, where norms after the sums end at {depth('alike', 32)}",
    ),
    ("rows of 33 in the end", lambda: f"rows of {depth('length', 32, norm='before')} in the end"),
    ("hold them at 5.66", lambda: f"hold them at {depth('length', 32)}"),
    ("Rows end at 4.3·10⁷, a small change at 9.8·10⁹ times its size", without_norms),
    ("too small by 13 % in rows of four numbers, by 0.13 % in rows of 384", of_a_sample),
    ("off by 0.0005 at most in `gelu`, by 0.001 to 0.003 in the model", by_tanh),
    ("off by about 0.01 in each layer, and no more in the sixth than in the first", small_stays_small),
    ("off by 0.7 to 1.4; second path from $X$, off by 1.6 to 3.0", off_by_one),
    ("off by 12 to 28, where true numbers stay below 11", by_exchanged_norms),
]
