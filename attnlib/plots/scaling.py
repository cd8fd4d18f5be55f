"""How long vectors make scores large, and what dividing by the square root of d_k does about it."""

from functools import lru_cache

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars
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
        axes.hlines(0.5, -spread, spread, color=style.role("context").color, linewidth=3)
        axes.text(reach, 0.97, f"spread {spread:.1f}", ha="right", va="top", fontsize=style.SMALL, color=style.INK)
        far = np.floor(0.8 * reach / 10 ** np.floor(np.log10(reach))) * 10 ** np.floor(np.log10(reach))
        axes.set(xlim=(-reach, reach), ylim=(0, 1.05), yticks=[], xticks=[-far, 0, far])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("score", fontsize=style.SMALL, color=style.INK)
        said.append(f"{name}: standard deviation {spread:.1f}.")
    style.heading(area, style.WIDTH, height, title)
    return Picture(figure, f"{title or 'How far scores scatter'}. {' '.join(said)}")


@lru_cache(maxsize=32)  # an explorer asks for the same samples again and again
def random_scores(d_k, n_keys):
    """Scores (QUERIES, n_keys) of random queries and keys with independent coordinates of variance 1, seeded."""
    rng = np.random.default_rng([d_k, n_keys])
    return attnlib.dot_scores(rng.normal(size=(QUERIES, d_k)), rng.normal(size=(n_keys, d_k)))


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
    'd_k = 512, 8 keys. Entropy of the weights, on average: 0.11 nats without scaling'
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
        bars(axes, attnlib.softmax(scores / divisor), labels, top=1.0, label_size=style.SMALL)

    axes = style.panel(figure, 4.6, 0.7, 4.2, 3.35, f"entropy, mean of {QUERIES} queries")
    lines = (
        ("not scaled", "key", "-", "s"),
        ("scores / √d_k", "query", "-", "o"),
        ("scores / d_k", "scores", ":", ""),
    )
    for curve, now, (name, role_name, line, marker) in zip(curves, at, lines, strict=True):
        role = style.role(role_name)
        axes.plot(DIMENSIONS, curve, line, marker=marker, markersize=5, color=role.color, linewidth=2.2, label=name)
        if marker:
            axes.plot(d_k, now, marker, markersize=12, color=role.color, markeredgecolor=role.ink, zorder=5)
    axes.axhline(limit, color=style.MUTED, linewidth=1, linestyle="--")
    axes.text(2048, 1.015 * limit, f"ln {n_keys} = {limit:.2f}: all equal", ha="right", va="bottom", color=style.MUTED)
    axes.axvline(d_k, color=style.FAINT, linewidth=1.2, zorder=0)
    axes.set_xscale("log", base=2)
    axes.set(xlim=(1.7, 2400), ylim=(0, 1.14 * limit))
    ticks = DIMENSIONS[::2]
    axes.set_xticks(ticks, [f"{t}" for t in ticks])
    axes.set_xlabel("d_k (log scale)", fontsize=style.TEXT, color=style.INK)
    axes.set_ylabel("entropy (nats)", fontsize=style.TEXT, color=style.INK)
    axes.legend(fontsize=style.SMALL, frameon=False, loc="center right", bbox_to_anchor=(1.0, 0.47))
    return Picture(
        figure,
        f"d_k = {d_k}, {n_keys} keys. Entropy of the weights, on average: {at[0]:.2f} nats without scaling; "
        f"{at[1]:.2f} with scores divided by √d_k; {at[2]:.2f} divided by d_k; at most {limit:.2f}. "
        f"Largest weight of the query shown: {attnlib.softmax(scores).max():.2f} without scaling, "
        f"{attnlib.softmax(scores / np.sqrt(d_k)).max():.2f} with.",
    )
