"""The numbers in the prose of this notebook."""

import numpy as np

import attnlib

KEYS, VALUES = np.array([[0.0], [1.0], [3.0]]), np.array([[10.0], [20.0], [30.0]])
SIMILARITY = attnlib.gaussian_kernel([[0.5]], KEYS, 1.0)[0]
TIE = np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]])


def table_row(i):
    weight = SIMILARITY[i] / SIMILARITY.sum()
    key, value = KEYS[i, 0], VALUES[i, 0]
    gap = (key - 0.5) ** 2
    return f"| {key:g} | {value:g} | {gap:g} | {SIMILARITY[i]:.4f} | {weight:.4f} | {weight * value:.4f} |"


def smoothed(queries):
    return attnlib.kernel_attention(queries, KEYS, VALUES, lambda Q, K: attnlib.gaussian_kernel(Q, K, 1.0))


def listed(row, decimals):
    return "[" + ", ".join(f"{number:.{decimals}f}" for number in row) + "]"


def tie_weights(row):
    return attnlib.kernel_attention([[1.0, 2.0]], TIE, np.eye(3), lambda Q, K: row)[0]


YEAR, FLOW = attnlib.load_nile()


def nile_at(when, bandwidth):
    points = [[when]], YEAR[:, None], FLOW[:, None]
    return attnlib.kernel_attention(*points, lambda Q, K: attnlib.gaussian_kernel(Q, K, bandwidth))[0, 0]


def heard_in_1913():
    weights = attnlib.gaussian_kernel([[1913.0]], YEAR[:, None], 0.4)[0]
    weights = weights / weights.sum()
    points = np.exp(attnlib.entropy(weights[None])[0])
    return f"about {points:.1f} points are averaged, and that year alone has {weights.max():.2f}"


def downhill(rate, steps):
    h = [5.0]
    for _ in range(steps):
        h.append(h[-1] - rate * attnlib.bandwidth_gradient(YEAR, FLOW, h[-1]))
    return h


def first_steps():
    _, first, second, third = downhill(4e-6, 3)
    return f"lead to {first:.2f}, {second:.2f} and {third:.2f}"


NUMBERS = [
    ("| 0 | 10 | 0.25 | 0.8825 | 0.4879 | 4.8786 |", lambda: table_row(0)),
    ("| 1 | 20 | 0.25 | 0.8825 | 0.4879 | 9.7571 |", lambda: table_row(1)),
    ("| 3 | 30 | 6.25 | 0.0439 | 0.0243 | 0.7287 |", lambda: table_row(2)),
    (
        "| sum | | | 1.8089 | 1 | 15.3643 |",
        lambda: f"| sum | | | {SIMILARITY.sum():.4f} | 1 | {smoothed([[0.5]])[0, 0]:.4f} |",
    ),
    ("`[[15.364], [0.0]]`", lambda: f"`{smoothed([[0.5], [99.0]]).round(3).tolist()}`"),
    ("`[[1.0, 0.6065]]`", lambda: f"`{attnlib.gaussian_kernel([[0, 0]], [[0, 0], [3, 4]], 5.0).round(4).tolist()}`"),
    ("$e^{-1/2} \\approx 0.61$", lambda: f"$e^{{-1/2}} \\approx {attnlib.gaussian_kernel([[0]], [[1]], 1)[0, 0]:.2f}$"),
    ("$e^{-9/2} \\approx 0.01$", lambda: f"$e^{{-9/2}} \\approx {attnlib.gaussian_kernel([[0]], [[3]], 1)[0, 0]:.2f}$"),
    ("$k = [2, 3]$ it is 8", lambda: f"$k = [2, 3]$ it is {attnlib.dot_scores([[1, 2]], [[2, 3]])[0, 0]:.0f}"),
    (
        "$[-1, 2]$ and $[2, 0]$ it is −2",
        lambda: f"$[-1, 2]$ and $[2, 0]$ it is −{-attnlib.dot_scores([[-1, 2]], [[2, 0]])[0, 0]:.0f}",
    ),
    ("`[[1.0, 2.7183]]`", lambda: f"`{attnlib.exponential_kernel([[0, 1]], [[5, 0], [0, 1]]).round(4).tolist()}`"),
    (
        "The Gaussian gives [0.859, 0.071, 0.071]",
        lambda: f"The Gaussian gives {listed(tie_weights(attnlib.gaussian_kernel([[1, 2]], TIE, 1.0)), 3)}",
    ),
    (
        "the dot products gives [0.488, 0.024, 0.488]",
        lambda: f"the dot products gives {listed(attnlib.softmax(attnlib.dot_scores([[1, 2]], TIE))[0], 3)}",
    ),
    (
        "`[[2.7183]]`. With the two vectors exchanged it is `[[1.0]]`",
        lambda: (
            f"`{attnlib.learned_kernel([[1, 0]], [[0, 1]], [[1], [0]], [[0], [1]]).round(4).tolist()}`. "
            f"With the two vectors exchanged it is "
            f"`{attnlib.learned_kernel([[0, 1]], [[1, 0]], [[1], [0]], [[0], [1]]).tolist()}`"
        ),
    ),
    (
        "np.array([0.5, 9.0]))` → `0.5`",
        lambda: f"np.array([0.5, 9.0]))` → `{attnlib.leave_one_out_bandwidth(range(4), range(4), [0.5, 9.0])}`",
    ),
    (
        "from 1010 in 1885 to 858 in 1935",
        lambda: f"from {nile_at(1885, 20):.0f} in 1885 to {nile_at(1935, 20):.0f} in 1935",
    ),
    ("about 1.4 points are averaged, and that year alone has 0.92", heard_in_1913),
    ("the mean of all flows, 919", lambda: f"the mean of all flows, {FLOW.mean():.0f}"),
    (
        "Bandwidth 8 says 849, bandwidth 1 says 649, and 0.4 says 482",
        lambda: "Bandwidth 8 says {:.0f}, bandwidth 1 says {:.0f}, and 0.4 says {:.0f}".format(
            *(nile_at(1913, h) for h in (8, 1, 0.4))
        ),
    ),
    ("1.0)` → `3.520`", lambda: f"1.0)` → `{attnlib.bandwidth_gradient(range(4), range(4), 1.0):.3f}`"),
    ("lead to 4.86, 4.71 and 4.54", first_steps),
    ("The end is 1.66", lambda: f"The end is {downhill(4e-6, 40)[-1]:.2f}"),
    (
        "between 1.50 and 1.91",
        lambda: f"between {min(downhill(1e-5, 40)[-2:]):.2f} and {max(downhill(1e-5, 40)[-2:]):.2f}",
    ),
]
