"""The numbers in the prose of this notebook."""

import itertools
import json
import math
from functools import cache

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.scaling import DIMENSIONS, mean_entropies
from grader.places import ROOT


def coin_variance(d):
    cases = np.array(list(itertools.product((-1, 1), repeat=d)))
    return f"{cases.sum(axis=-1).var():.0f}"


def jacobian_row_text(p, i):
    decimals = 4 if max(p) > 0.9 else 2
    texts = [f"{x:.{decimals}f}".replace("-", "−") for x in attnlib.softmax_jacobian(p)[i]]
    return ", ".join(texts)


def jacobian_table_row(p):
    weights = ", ".join(f"{x:g}" for x in p)
    return f"| {weights} | {jacobian_row_text(p, 0)} | {jacobian_row_text(p, 1)} | {jacobian_row_text(p, 2)} |"


@cache
def wide_scores():
    rng = np.random.default_rng(513)
    Q, K = rng.normal(size=(500, 512)), rng.normal(size=(500, 512))
    return Q[:100] @ K[:8].T


def largest_entries():
    """For each query the largest entry of its Jacobian, without and with scaling."""
    return [attnlib.softmax_jacobian(attnlib.softmax(wide_scores() / by)).max(axis=(-2, -1)) for by in (1, 512**0.5)]


def share_of_gradient():
    left, full = (largest.mean() for largest in largest_entries())
    share = "an eighth" if round(full / left) == 8 else f"{left / full:.2f}"
    return f"On average {share} of the gradient is left: {left:.3f} against {full:.3f}."


def decided_queries():
    top = attnlib.softmax(wide_scores()).max(axis=-1)
    return f"one key has taken more than 0.99 of the weight for {(top > 0.99).sum()} of the {len(top)} queries"


def chain_row(i):
    largest = largest_entries()[i] / (1, 512**0.5)[i]
    median = f"{np.median(largest):.{5 - i}f}"
    return f"{('unscaled', 'scaled')[i]}: mean {largest.mean():.4f}, median {median}"


def explored_ends():
    plain, scaled, _ = mean_entropies(8)
    return (
        f"from {plain[0]:.2f} nats at 2 coordinates to {plain[-1]:.2f} at 2048: attention becomes a choice of one key. "
        f"Divided by √d_k it stays between {scaled.min():.2f} and {scaled.max():.2f}."
    )


def explored_gaps():
    at = DIMENSIONS.tolist().index(512)
    gaps = [math.log(n) - mean_entropies(n)[1][at] for n in (2, 12)]
    return f"at d_k = 512 it is {gaps[0]:.2f} nats for 2 keys and {gaps[1]:.2f} for 12"


@cache
def training():
    """The notebook's own functions `question` and `train`, as its cells define them."""
    notebook = json.loads((ROOT / "solutions/3-multi-head/1-scaling.ipynb").read_text(encoding="utf-8"))
    cells = {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}
    space = {"np": np, "softmax": attnlib.softmax, "softmax_jacobian": attnlib.softmax_jacobian}
    exec(cells["question"].split("\n\n\n")[0] + "\n" + cells["train"], space)
    return space["train"]


@cache
def last_losses(scaled, **how):
    """The mean loss of the last hundred questions, for each of the six heads."""
    return np.array([training()(seed, 8.0 if scaled else 1.0, **how)[0][-100:].mean() for seed in range(1, 7)])


def diagonal():
    maps = training()(1, 8.0)[1][[0, -1], :, :5]
    on = [style.number(np.trace(a) / 5, 1) for a in maps]
    beside = [style.number(a[~np.eye(5, dtype=bool)].mean(), 1) for a in maps]
    return f"went from {on[0]} to {on[1]}, beside it from {beside[0]} to {beside[1]}"


def learned():
    return f"a mean loss of {last_losses(True).max():.3f} at most"


def mean_of_all_five():
    wanted = np.eye(5)[0]
    return f"mean of all five things costs {((np.full(5, 0.2) - wanted) ** 2).sum():.1f}"


def stuck():
    losses = last_losses(False)
    worse = {5: "five"}[(losses > 0.8).sum()]
    return f"{'none does' if losses.min() > 0.1 else 'some do'}, and {worse} of the six end worse"


def smaller_steps():
    losses = last_losses(False, steps=3000, size=0.1)
    free = "one or two" if (losses < 0.01).sum() in (1, 2) else "another number"
    bound = "at least four" if (losses > 0.1).sum() in (4, 5) else "another number"
    all_six = "All six" if last_losses(True, steps=3000, size=0.1).max() < 0.01 else "Not all"
    who_decides = "(how many, your machine's rounding decides)"
    free, bound = f"{free} of the six heads without the root learn the task", f"{bound} are still stuck"
    return f"{free} {who_decides}; {bound}. {all_six} with the root"


@cache
def asked(scaled, step):
    """All drawers asked for, the things in five orders: the weights (drawer, order, 5), the losses, what comes back."""
    table = training()(1, 8.0 if scaled else 1.0)[1][step]
    weights, losses, returned = np.empty((5, 5, 5)), np.empty((5, 5)), np.empty((5, 5))
    for drawer in range(5):
        for turned in range(5):
            values = np.roll(np.eye(5), turned, axis=1)
            p = weights[drawer, turned] = attnlib.softmax(table[drawer, :5] + values @ table[drawer, 5:])
            error = p @ values - values[drawer]
            losses[drawer, turned] = error @ error
            returned[drawer, turned] = np.abs(attnlib.softmax_jacobian(p) @ values @ (2 * error)).max()
    return weights, losses, returned


def leaps():
    changes = np.abs(np.diff(training()(1, 1.0)[1], axis=0)).max(axis=(1, 2))
    still = f"{100 * (changes < 0.001).mean():.0f} in 100 move no score by 0.001"
    return f"{still}, and one moves a score by {changes.max():.0f}"


def went_after():
    """What each drawer's question gets in most of the five orders, without the root; itself, if in all."""
    found = []
    for drawer, rows in enumerate(asked(False, 300)[0].argmax(axis=-1)):
        things = [["pen", "cup", "map", "nut", "pin"][(j + turned) % 5] for turned, j in enumerate(rows.tolist())]
        found.append("itself" if (rows == drawer).all() else max(things, key=things.count))
    assert found[0] == found[3] == "itself"
    most = f"C nearly always goes after the {found[2]}, E after the {found[4]}"
    return f"After the {found[1]}, in whichever drawer it lies. {most}"


def with_the_root():
    weights = asked(True, 300)[0]
    return f"their own drawer {min(weights[i, :, i].min() for i in range(5)):.2f} or more"


def sure_and_wrong():
    _, losses, returned = asked(False, 0)
    sure = losses > 1.9
    assert not (asked(True, 0)[1] > 1.9).any()
    lost = (sure & (returned < 0.003)).sum()
    return (
        f"{sure.sum()} have a loss above 1.9, and in {lost} of those a point of score moves it by less than 0.003. "
        f"With the root none is that sure, and in each it is {asked(True, 0)[2].min():.2f} or more"
    )


def challenge_example():
    found = attnlib.context_jacobian([0, 0], np.eye(2), [[10], [20]])
    return f"`{found.round(4).tolist()}`"


NUMBERS = [
    ("4 · 1/4 + 0 + 4 · 1/4 = 2 |", lambda: f"4 · 1/4 + 0 + 4 · 1/4 = {coin_variance(2)} |"),
    (
        "9 · 1/8 + 1 · 3/8 + 1 · 3/8 + 9 · 1/8 = 3 |",
        lambda: f"9 · 1/8 + 1 · 3/8 + 1 · 3/8 + 9 · 1/8 = {coin_variance(3)} |",
    ),
    ("$\\sqrt{2} \\approx 1.41$", lambda: f"$\\sqrt{{2}} \\approx {2**0.5:.2f}$"),
    ("$\\sqrt{512} \\approx 22.6$", lambda: f"$\\sqrt{{512}} \\approx {512**0.5:.1f}$"),
    ("$\\sqrt{2048} \\approx 45.3$", lambda: f"$\\sqrt{{2048}} \\approx {2048**0.5:.1f}$"),
    (
        "| 0.5, 0.3, 0.2 | 0.25, −0.15, −0.10 | −0.15, 0.21, −0.06 | −0.10, −0.06, 0.16 |",
        lambda: jacobian_table_row([0.5, 0.3, 0.2]),
    ),
    (
        "| 0.98, 0.01, 0.01 | 0.0196, −0.0098, −0.0098 | −0.0098, 0.0099, −0.0001 | −0.0098, −0.0001, 0.0099 |",
        lambda: jacobian_table_row([0.98, 0.01, 0.01]),
    ),
    (
        "`[[0.1875, -0.1875], [-0.1875, 0.1875]]`",
        lambda: f"`{attnlib.softmax_jacobian([0.25, 0.75]).tolist()}`",
    ),
    (
        "context `[[13.302]]`, weights `[[0.6698, 0.3302]]`",
        lambda: "context `{}`, weights `{}`".format(
            *(
                array.round(decimals).tolist()
                for array, decimals in zip(
                    attnlib.scaled_dot_product_attention([[1, 0]], np.eye(2), [[10], [20]]), (3, 4), strict=True
                )
            )
        ),
    ),
    ("On average an eighth of the gradient is left: 0.028 against 0.222.", share_of_gradient),
    ("one key has taken more than 0.99 of the weight for 75 of the 100 queries", decided_queries),
    ("unscaled: mean 0.0275, median 0.00001", lambda: chain_row(0)),
    ("<br>scaled: mean 0.0098, median 0.0102", lambda: f"<br>{chain_row(1)}"),
    ("divided by 22.6 before the softmax", lambda: f"divided by {512**0.5:.1f} before the softmax"),
    (
        "from 1.63 nats at 2 coordinates to 0.04 at 2048: attention becomes a choice of one key. "
        "Divided by √d_k it stays between 1.64 and 1.79.",
        explored_ends,
    ),
    ("rises to 2.08 = ln 8", lambda: f"rises to {mean_entropies(8)[2][-1]:.2f} = ln 8"),
    ("at d_k = 512 it is 0.15 nats for 2 keys and 0.39 for 12", explored_gaps),
    ("mean of all five things costs 0.8", mean_of_all_five),
    ("went from −0.1 to 3.8, beside it from 0.0 to −1.0", diagonal),
    ("a mean loss of 0.003 at most", learned),
    ("a score has a size of 11", lambda: f"a score has a size of {(64 * 2) ** 0.5:.0f}"),
    ("none does, and five of the six end worse", stuck),
    (
        "one or two of the six heads without the root learn the task (how many, your machine's rounding decides); "
        "at least four are still stuck. All six with the root",
        smaller_steps,
    ),
    ("79 in 100 move no score by 0.001, and one moves a score by 84", leaps),
    ("After the pen, in whichever drawer it lies. C nearly always goes after the pin, E after the cup", went_after),
    ("their own drawer 0.94 or more", with_the_root),
    (
        "14 have a loss above 1.9, and in 12 of those a point of score moves it by less than 0.003. "
        "With the root none is that sure, and in each it is 0.07 or more",
        sure_and_wrong,
    ),
    ("0.6698 · 10 + 0.3302 · 20 = 13.302", lambda: f"0.6698 · 10 + 0.3302 · 20 = {0.6698 * 10 + 0.3302 * 20:.3f}"),
    ("the scaled scores are 0.7071 and 0", lambda: f"the scaled scores are {2**-0.5:.4f} and 0"),
    ("`[[-1.7678, 1.7678]]`", challenge_example),
]
