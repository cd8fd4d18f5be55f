"""One weighted average seen three ways: as a search, as a smoother, as a memory."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars, listed
from attnlib.plots.labels import place_labels
from attnlib.plots.picture import Picture
from attnlib.plots.vectors import draw_arrow, pair, plane, two_columns


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
    reach = 1.5 * np.linalg.norm(K, axis=1).max()
    key, query, mix = style.role("key"), style.role("query"), style.role("context")
    search = plane(figure, 0.35, 2.55, 2.5, 2.5, [], f"search, T = {temperature:.3g}", reach=reach)
    memory = plane(figure, 6.3, 2.55, 2.5, 2.5, [], f"memory, beta = {beta:.3g}", reach=reach)
    update = attnlib.hopfield_update(q, K, beta)
    for axes, start in ((search, q), (memory, update)):
        for w, point in zip(weights, K, strict=True):
            axes.plot(*np.array([start, point]).T, color=query.color, linewidth=0.5 + 7 * w, alpha=0.55, zorder=2)
            axes.plot(*point, marker=key.marker, markersize=7, color=key.color, markeredgecolor=key.ink, zorder=4)
        draw_arrow(axes, q, "query")
    memory.plot(*update, marker=mix.marker, color=mix.color, markeredgecolor=mix.ink, markersize=14, zorder=5)
    told = [f"{value:g}{unit}" for value in values]
    for axes, names in ((search, labels), (memory, told)):
        place_labels(axes, np.vstack([q, K]), ["q", *names], colors=[query.ink] + [key.ink] * len(K), bold={0})
    bell = style.panel(figure, 3.4, 2.75, 2.4, 2.1, f"smoother, h = {bandwidth:.3g}")
    far = np.linspace(0, reach + np.linalg.norm(K, axis=1).max(), 101)
    bell.plot(far, np.exp(-(far**2) / (2 * temperature)), color=key.color, linewidth=2)
    distance = np.sqrt(attnlib.squared_distances([q], K)[0])
    height = attnlib.gaussian_kernel([q], K, bandwidth)[0]
    bell.vlines(distance, 0, height, color=style.role("weights").color, linewidth=1)
    bell.plot(distance, height, key.marker, color=key.color, markeredgecolor=key.ink, markersize=7)
    bell.set(xlim=(0, far[-1]), ylim=(0, 1.08))
    bell.set_xlabel("distance from the query", fontsize=style.SMALL, color=style.INK)
    same = np.ptp(answers) < 1e-9
    heading = "the weights of all three" if same else "the weights of search and memory"
    bars(style.panel(figure, 0.4, 0.45, style.WIDTH - 0.8, 1.2, heading), weights, labels, top=1.0)
    style.heading(area, style.WIDTH, 5.6, "One query, three views")
    ten = [f"{style.number(answer, 10)}{unit}" for answer in answers]
    end = f"All three answer {ten[0]}." if same else f"Search and memory answer {ten[0]}, the smoother {ten[1]}."
    said = f"Query {pair(q)}, T {temperature:.3g}, h {bandwidth:.3g}, beta {beta:.3g}. "
    return Picture(figure, f"{said}Weights: {listed(labels, weights)}. {end}")
