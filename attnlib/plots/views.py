"""One weighted average seen three ways: as a search, as a smoother, as a memory."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.ticker import MaxNLocator

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars, listed
from attnlib.plots.picture import Picture
from attnlib.plots.vectors import pair, two_columns


def views_at(q, K, values, temperature=1.0, labels=None, *, unit=""):
    """Draw one query among keys as a soft search, as a smoother and as a memory, with the weights and answer of each.

    Parameters
    ----------
    q : ndarray of shape (2,)
    K : ndarray of shape (n_keys, 2)
        For keys of equal length the three agree.
    values : ndarray of shape (n_keys,)
    temperature : float
        Of the search; the squared bandwidth of the smoother and one over the beta of the memory.
    labels : list of str, optional
        Of the keys.
    unit : str
        Of the values; it is written directly behind a number.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(views_at([1, 0], [[1, 0], [0, 1]], [10, 20], 0.25).alt)
    Query (1, 0), T 0.25, h 0.5, beta 4. Weights: k1 0.98, k2 0.02. All three answer 10.1798620996.
    >>> print(views_at([1, 0], [[1, 0], [2, 0]], [10, 20], 1.0).alt)
    Query (1, 0), T 1, h 1, beta 1. Weights: k1 0.27, k2 0.73. Search and memory answer 17.3105857863, the smoother \
13.7754066880.
    """
    q, K, values = two_columns([q], "q")[0], two_columns(K, "K"), np.asarray(values, dtype=float)
    labels = style.names(labels, len(K), "k")
    bandwidth, beta = temperature**0.5, 1 / temperature
    each = np.eye(len(K))  # values that tell the weights
    weights = attnlib.softmax_with_temperature(attnlib.dot_scores([q], K), temperature)[0]
    smooth = attnlib.kernel_attention([q], K, each, lambda Q, K: attnlib.gaussian_kernel(Q, K, bandwidth))[0]
    recalled = attnlib.soft_lookup(q, K, each, beta)
    answers = [float(found @ values) for found in (weights, smooth, recalled)]

    figure, area = style.sheet(style.WIDTH, 5.6)
    key, mix = style.role("key"), style.role("context")
    update = attnlib.hopfield_update(q, K, beta)
    told = [f"{value:g}{unit}" for value in values]
    _star(figure, 0.35, f"search, T = {temperature:.3g}", q, q, K, weights, labels)
    memory = _star(figure, 6.3, f"memory, beta = {beta:.3g}", q, update, K, weights, told)
    memory.plot(*update, marker=mix.marker, color=mix.color, markeredgecolor=mix.ink, markersize=14, zorder=5)
    bell = style.panel(figure, 3.4, 2.75, 2.4, 2.1, f"smoother, h = {bandwidth:.3g}")
    far = np.linspace(0, 2.5 * np.linalg.norm(K, axis=1).max(), 31)
    bell.plot(far, np.exp(-(far**2) / (2 * temperature)), color=key.color, linewidth=2)
    distance = np.sqrt(attnlib.squared_distances([q], K)[0])
    height = attnlib.gaussian_kernel([q], K, bandwidth)[0]
    drops = np.stack([distance, distance, distance]), np.stack([0 * height, height, np.nan * height])
    bell.plot(*(one.T.ravel() for one in drops), color=style.role("weights").color, linewidth=1)
    look = {"color": key.color, "markeredgecolor": key.ink, "markersize": 7, "clip_on": False}
    bell.plot(distance, height, linestyle="", marker=key.marker, **look)
    bell.set(xlim=(0, far[-1]), ylim=(0, 1.08), yticks=[0, 0.5, 1])
    bell.xaxis.set_major_locator(MaxNLocator(3))
    bell.set_xlabel("distance from the query", fontsize=style.SMALL, color=style.INK)
    same = np.ptp(answers) < 1e-9
    heading = "the weights of all three" if same else "the weights of search and memory"
    bars(style.panel(figure, 0.4, 0.45, style.WIDTH - 0.8, 1.2, heading), weights, labels, top=1.0)
    style.heading(area, style.WIDTH, 5.6, "One query, three views")
    ten = [f"{style.number(answer, 10)}{unit}" for answer in answers]
    end = f"All three answer {ten[0]}." if same else f"Search and memory answer {ten[0]}, the smoother {ten[1]}."
    said = f"Query {pair(q)}, T {temperature:.3g}, h {bandwidth:.3g}, beta {beta:.3g}. "
    return Picture(figure, f"{said}Weights: {listed(labels, weights)}. {end}")


def _star(figure, left, title, q, hub, K, weights, names):
    """A query among keys, each tied to the hub by a line as thick as its weight."""
    key, query = style.role("key"), style.role("query")
    axes = style.panel(figure, left, 2.45, 2.5, 2.5, title)
    reach = 1.45 * max(np.linalg.norm(q), np.linalg.norm(K, axis=1).max())
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach))
    axes.set_axis_off()
    ties = [(hub, point) for point in K]
    axes.add_collection(
        LineCollection(ties, linewidths=0.5 + 7 * weights, colors=query.color, alpha=0.55, clip_on=False)
    )
    look = {"color": key.color, "markeredgecolor": key.ink, "markersize": 7}
    axes.plot(*K.T, linestyle="", marker=key.marker, clip_on=False, **look)
    axes.plot(*q, marker=query.marker, color=query.color, markeredgecolor=query.ink, markersize=8, zorder=4)
    for point, name in zip(K, names, strict=True):
        out = 1 + 0.24 * reach / max(np.linalg.norm(point), 0.1)
        axes.text(*(out * point), name, fontsize=style.TEXT, color=key.ink, ha="center", va="center")
    return axes
