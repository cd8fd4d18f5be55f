"""How long vectors make scores large, and what dividing by the square root of d_k does about it."""

from functools import lru_cache

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars
from attnlib.plots.labels import PAPER
from attnlib.plots.matrices import draw_cells, draw_scale
from attnlib.plots.picture import Picture

DIMENSIONS = 2 ** np.arange(1, 12)  # 2 to 2048
QUERIES = 100


def score_spread(samples, *, title=""):
    """Draw how scores scatter, one histogram for each sample, all on the same axis.

    Parameters
    ----------
    samples : dict of str to ndarray of shape (n,)
        What the scores are of, in a few words, and the scores; up to four.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(score_spread({"d_k = 2": [-1, 1], "d_k = 50": [-5, 5]}).alt)
    How far scores scatter. d_k = 2: standard deviation 1.0. d_k = 50: standard deviation 5.0.
    """
    samples = {name: np.asarray(scores, dtype=float) for name, scores in samples.items()}
    reach = 1.05 * max(np.abs(scores).max() for scores in samples.values())
    each, gap = (style.WIDTH - 0.5) / len(samples), 0.25
    height = 2.75 + (0.4 if title else 0)
    figure, area = style.sheet(style.WIDTH, height)
    edges = np.linspace(-reach, reach, 42)
    said = []
    for i, (name, scores) in enumerate(samples.items()):
        axes = style.panel(figure, 0.25 + each * i, 0.55, each - gap, 1.75, name)
        shares = np.histogram(scores, edges)[0]
        axes.bar(edges[:-1], shares / shares.max(), np.diff(edges), align="edge", color=style.role("scores").color)
        spread = float(scores.std())
        pink = style.role("context").color
        axes.plot([-spread, spread], [0.5, 0.5], "-|", color=pink, linewidth=3, markersize=14, markeredgewidth=2)
        told = {"fontsize": style.SMALL, "color": style.role("context").ink}
        axes.text(reach, 1.03, f"±1 std = {spread:.1f}", ha="right", va="top", **told)
        if 0 < spread < reach / 12:
            _closer(figure, 0.25 + each * i, scores, spread)
        far = np.floor(0.8 * reach / 10 ** np.floor(np.log10(reach))) * 10 ** np.floor(np.log10(reach))
        axes.set(xlim=(-reach, reach), ylim=(0, 1.05), yticks=[], xticks=[-far, 0, far])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("score", fontsize=style.SMALL, color=style.INK)
        said.append(f"{name}: standard deviation {spread:.1f}.")
    style.heading(area, style.WIDTH, height, title)
    return Picture(figure, f"{title or 'How far scores scatter'}. {' '.join(said)}")


def _closer(figure, left, scores, spread):
    """What is but a needle in its panel, once more and wider."""
    axes = style.panel(figure, left, 1.1, 0.85, 0.75)
    ends = 4 * spread
    axes.hist(scores, np.linspace(-ends, ends, 22), color=style.role("scores").color)
    top = axes.get_ylim()[1]
    pink = style.role("context").color
    axes.plot([-spread, spread], [top / 2, top / 2], "-|", color=pink, linewidth=2, markersize=8, markeredgewidth=2)
    tick = float(f"{3 * spread:.1g}")
    axes.set(xlim=(-ends, ends), ylim=(0, top), yticks=[], xticks=[-tick, 0, tick])
    axes.xaxis.set_major_formatter(lambda x, _: style.number(x, 0 if style.integral(tick) else 1))
    axes.tick_params(labelsize=style.SMALL - 1)
    axes.spines["left"].set_visible(False)
    axes.set_title("closer", fontsize=style.SMALL, color=style.MUTED, pad=2)


def random_scores(d_k, n_keys):
    """Scores (QUERIES, n_keys) of random queries and keys with independent coordinates of variance 1, seeded.

    All are of one draw: a smaller d_k takes the first coordinates of the same vectors, and fewer keys are the first of
    the same keys. So whoever goes from one d_k to the next sees the same scores grow.
    """
    return attnlib.dot_scores(_drawn(0, QUERIES)[:, :d_k], _drawn(1, n_keys)[:, :d_k])


@lru_cache(maxsize=32)
def _drawn(seed, n):
    return np.random.default_rng([0, seed]).normal(size=(n, DIMENSIONS[-1]))  # filled row by row: more rows come below


@lru_cache(maxsize=32)
def mean_entropies(n_keys):
    """Mean entropy of the weights for each of `DIMENSIONS`: plain, divided by sqrt(d_k), divided by d_k."""
    curves = np.empty((3, len(DIMENSIONS)))
    for i, d_k in enumerate(DIMENSIONS.tolist()):
        scores = random_scores(d_k, n_keys)
        for j, divisor in enumerate((1.0, np.sqrt(d_k), float(d_k))):
            curves[j, i] = attnlib.entropy(attnlib.softmax(scores / divisor)).mean()
    return curves


def scaling_at(d_k=512, n_keys=8):
    """Draw the weights of a random query with and without scaling, and the entropy against d_k.

    Parameters
    ----------
    d_k : int
        The dimension at which the weights are shown; a power of two from 2 to 2048.
    n_keys : int

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If d_k is none of those, or there are fewer than two keys.

    Examples
    --------
    >>> scaling_at(512, 8).alt.split(";")[0]
    'd_k = 512, 8 keys. Entropy of the weights, on average: 0.13 nats without scaling'
    """
    if d_k not in DIMENSIONS:
        raise ValueError(f"d_k must be a power of two from 2 to {DIMENSIONS[-1]}; got {d_k}")
    if n_keys < 2:
        raise ValueError(f"n_keys must be at least 2; got {n_keys}")
    d_k, n_keys = int(d_k), int(n_keys)
    curves, limit = mean_entropies(n_keys), np.log(n_keys)
    at = curves[:, DIMENSIONS.tolist().index(d_k)]
    scores = random_scores(d_k, n_keys)[0]
    labels = [f"k{i + 1}" for i in range(n_keys)]
    figure = style.blank(style.WIDTH, 4.6)
    for bottom, title, divisor in ((2.65, "weights, not scaled", 1.0), (0.4, "weights, scores / √d_k", np.sqrt(d_k))):
        axes = style.panel(figure, 0.2, bottom, 3.5, 1.5, title)
        weights = attnlib.softmax(scores / divisor)
        told = np.flatnonzero(weights >= 0.005).tolist()  # no number where nothing is seen
        bars(axes, weights, labels, top=1.0, label_size=style.SMALL, told=told)

    axes = style.panel(figure, 4.6, 0.7, 4.2, 3.35, f"entropy, mean of {QUERIES} queries")
    lines = (
        ("not scaled", "key", "-", "s"),
        ("scores / √d_k", "query", "-", "o"),
        ("scores / d_k", "scores", ":", ""),
    )
    for curve, now, (name, role_name, line, marker) in zip(curves, at, lines, strict=True):
        role = style.role(role_name)
        marks = {"marker": marker, "markersize": 5, "markevery": 2}
        axes.plot(DIMENSIONS, curve, line, color=role.color, linewidth=2.2, label=name, **marks)
        if marker:
            axes.plot(d_k, now, marker, markersize=12, color=role.color, markeredgecolor=role.ink, zorder=5)
    axes.axhline(limit, color=style.MUTED, linewidth=1, linestyle="--")
    axes.text(2048, 1.015 * limit, f"ln {n_keys} = {limit:.2f}: all equal", ha="right", va="bottom", color=style.MUTED)
    axes.plot([d_k, d_k], [0, limit], color=style.FAINT, linewidth=1.2, zorder=0)
    axes.set_xscale("log", base=2)
    axes.set(xlim=(1.7, 2400), ylim=(0, 1.14 * limit))
    ticks = DIMENSIONS[::2]
    axes.set_xticks(ticks, [f"{t}" for t in ticks])
    axes.set_xlabel("d_k (log scale)", fontsize=style.TEXT, color=style.INK)
    axes.set_ylabel("entropy (nats)", fontsize=style.TEXT, color=style.INK)
    axes.legend(
        fontsize=style.SMALL,
        facecolor=style.PAPER,
        edgecolor=style.PAPER,
        framealpha=1,
        loc="center right",
        bbox_to_anchor=(1.0, 0.47),
    )
    return Picture(
        figure,
        f"d_k = {d_k}, {n_keys} keys. Entropy of the weights, on average: {at[0]:.2f} nats without scaling; "
        f"{at[1]:.2f} with scores divided by √d_k; {at[2]:.2f} divided by d_k; at most {limit:.2f}. "
        f"Largest weight of the query shown: {attnlib.softmax(scores).max():.2f} without scaling, "
        f"{attnlib.softmax(scores / np.sqrt(d_k)).max():.2f} with.",
    )


def head_learning(maps, steps, rows, columns, *, title=""):
    """Draw how well each question matches each part of a token at several steps of training, all on one scale.

    Parameters
    ----------
    maps : list of ndarray of shape (n, m)
        One score for each pair; m is n or more: the first n columns are what the rows ask for.
    steps : list of int
        How many steps each comes after.
    rows, columns : list of str
        Labels.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(head_learning([[[3, 0], [-1, 4]]], [10], ["A", "B"], ["A", "B"]).alt)
    How well questions match tokens, high is blue. After 10 steps: mean 3.5 on the diagonal, -0.5 beside it.
    """
    maps = np.asarray(maps, dtype=float)
    n, m = maps.shape[1:]
    rows, columns = style.names(rows, n, "rows"), style.names(columns, m, "columns")
    colors = style.cell_colors(maps, "scores")
    lines, header = -(-len(maps) // 2), 0.45 if title else 0.1
    cell = min(0.36, 3.6 / m)
    high = n * cell + 0.95
    height = header + lines * high + 0.55
    figure, area = style.sheet(style.WIDTH, height)
    said = []
    small = {"fontsize": style.SMALL, "color": style.INK}
    for i, (values, step) in enumerate(zip(maps, steps, strict=True)):
        left, top = 0.65 + (i % 2) * style.WIDTH / 2, height - header - (i // 2) * high - 0.35
        name = f"after {step} steps" if step else "before training"
        area.text(left, top + 0.12, name, fontsize=style.TEXT, fontweight="bold", color=style.INK)
        draw_cells(area, colors[i], left, top, cell, cell)
        for j, text in enumerate(rows):
            area.text(left - 0.08, top - (j + 0.5) * cell, text, ha="right", va="center_baseline", **small)
        for j, text in enumerate(columns):
            area.text(left + (j + 0.5) * cell, top - n * cell - 0.08, text, ha="center", va="top", **small)
        if m > n:
            area.plot([left + n * cell] * 2, [top - n * cell, top], color=style.MUTED, linewidth=1.5)
        beside = values[:, :n][~np.eye(n, dtype=bool)].mean()
        said.append(f"{name.capitalize()}: mean {np.trace(values) / n:.1f} on the diagonal, {beside:.1f} beside it.")
    reach = np.abs(maps).max() or 1.0
    ramp = style.cell_colors(np.linspace(-reach, reach, 41)[None], "scores")[0]
    ends = [style.number(x, 1) for x in (-reach, 0, reach)]
    draw_scale(area, ramp, style.WIDTH / 2 - 1.5, 0.35, 3.0, 0.16, ends)
    style.heading(area, style.WIDTH, height, title)
    return Picture(figure, f"{title or 'How well questions match tokens'}, high is blue. {' '.join(said)}")


def learning_at(runs, step, rows, columns, asked=0):
    """Draw what two heads compare after one step of training, each on a scale of its own.

    Parameters
    ----------
    runs : dict of str to ndarray of shape (n_steps + 1, n, 2 * n)
        How each was trained, in a few words, and its scores before and after each step; two kinds. The first n columns
        are what the rows ask for, the others what lies there: the first in the first, and so on.
    step : int
    rows, columns : list of str
        Labels.
    asked : int
        The row that asks.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> maps = [[[0, 0, 0, 0], [0, 0, 0, 0]], [[3, 0, 0, 0], [0, 3, 0, 0]]]
    >>> learning_at({"one": maps, "other": maps}, 1, ["A", "B"], ["A", "B", "pen", "cup"]).alt.split(". ")[1]
    'one: mean score 3.0 on the diagonal, 0.0 beside it; asked for drawer A (pen), the head gives it the weight 0.95'
    """
    n = len(rows)
    figure = style.blank(style.WIDTH, 2.55)
    said = []
    for i, (name, maps) in enumerate(runs.items()):
        values = np.asarray(maps[step], dtype=float)
        axes = style.panel(figure, 0.65 + i * style.WIDTH / 2, 0.35, 3.6, 1.8, name)
        axes.imshow(style.cell_colors(values, "scores"), aspect="auto", interpolation="nearest")
        axes.set_xticks(range(2 * n), columns, fontsize=style.SMALL)
        axes.set_yticks(range(n), rows, fontsize=style.SMALL)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.axvline(n - 0.5, color=style.MUTED, linewidth=1.5)
        weights = attnlib.softmax(values[asked, :n] + values[asked, n:])
        on, beside = np.trace(values) / n, values[:, :n][~np.eye(n, dtype=bool)].mean()
        said.append(
            f"{name}: mean score {style.number(on, 1)} on the diagonal, {style.number(beside, 1)} beside it; asked for "
            f"drawer {rows[asked]} ({columns[n + asked]}), the head gives it the weight {weights[asked]:.2f}."
        )
    return Picture(figure, f"After {step} of {len(maps) - 1} questions. {' '.join(said)}")


def training_curves(runs, *, baseline=None, average=30, stuck=0.1, title=""):
    """Draw how the loss falls, or does not, one line for each run; one panel for each kind of run.

    Parameters
    ----------
    runs : dict of str to ndarray of shape (n_runs, n_steps)
        What was done, in a few words, and the loss at each step; two kinds.
    baseline : tuple of (str, float), optional
        What somebody gets who learns nothing: its name and its loss.
    average : int
        A point is the mean of so many steps.
    stuck : float
        A run whose last point is above counts as stuck.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(training_curves({"slow": np.ones((2, 40)), "fast": np.zeros((3, 40))}).alt)
    How the loss falls. slow: 2 of 2 runs end above 0.1. fast: 0 of 3 runs end above 0.1.
    """
    header = 0.4 if title else 0.1
    height = 3.6 + header
    figure, area = style.sheet(style.WIDTH, height)
    points = {}
    for name, losses in runs.items():
        losses = np.asarray(losses, dtype=float)
        whole = losses.shape[1] // average * average
        points[name] = losses[:, :whole].reshape(len(losses), -1, average).mean(axis=-1)
    top = 1.1 * max(0.1, *(curves.max() for curves in points.values()))
    said = []
    for i, ((name, curves), role_name) in enumerate(zip(points.items(), ("query", "key"), strict=True)):
        role = style.role(role_name)
        axes = style.panel(figure, 0.75 + 4.25 * i, 0.6, 3.75, 2.45, name)
        at, end = (np.arange(curves.shape[1]) + 0.5) * average, curves.shape[1] * average
        for curve in curves:
            axes.plot(at, curve, color=role.color, linewidth=1.8, marker=role.marker, markersize=3.5)
        if baseline is not None:
            axes.axhline(baseline[1], color=style.MUTED, linewidth=1, linestyle="--")
            if i == 0:
                axes.text(
                    end, baseline[1] + 0.02 * top, baseline[0], ha="right", va="bottom", color=style.MUTED, bbox=PAPER
                )
        axes.set(xlim=(0, 1.02 * end), ylim=(-0.02 * top, top), xticks=[0, end / 3, 2 * end / 3, end])
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.set_xlabel("questions answered", fontsize=style.TEXT, color=style.INK)
        if i == 0:
            axes.set_ylabel("loss", fontsize=style.TEXT, color=style.INK)
        said.append(f"{name}: {(curves[:, -1] > stuck).sum()} of {len(curves)} runs end above {stuck:g}.")
    style.heading(area, style.WIDTH, height, title)
    return Picture(figure, f"{title or 'How the loss falls'}. {' '.join(said)}")
