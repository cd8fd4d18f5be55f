"""The context vector as a place: inside the convex hull of the values, nearer to those with more weight."""

import numpy as np
from matplotlib.patches import Polygon

import attnlib
from attnlib.plots import style
from attnlib.plots.distributions import bars, label_room
from attnlib.plots.labels import place_labels
from attnlib.plots.picture import Picture
from attnlib.plots.vectors import REACH, draw_arrow, pair, plane, two_columns


def convex_hull(points):
    """Find the corners of the smallest convex shape round points of the plane.

    Parameters
    ----------
    points : ndarray of shape (n, 2)

    Returns
    -------
    corners : ndarray of shape (h, 2)
        Anticlockwise, from the leftmost; points inside or on an edge are left out. Points on one line give its two
        ends, equal points one corner.

    References
    ----------
    Andrew (1979), "Another efficient algorithm for convex hulls in two dimensions".

    Examples
    --------
    >>> convex_hull([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2]]).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    """
    points = np.unique(two_columns(points, "points"), axis=0)
    if len(points) < 3:
        return points
    lower, upper = _chain(points), _chain(points[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _chain(points):
    """The lower boundary of points sorted from left to right: it only ever turns left."""
    chain = []
    for point in points:
        while len(chain) >= 2 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a, b, c):
    (ux, uy), (vx, vy) = b - a, c - a
    return ux * vy - uy * vx


def _draw_hull(axes, V):
    value = style.role("value")
    corners = convex_hull(V)
    axes.add_patch(Polygon(corners, closed=True, facecolor=value.color, alpha=0.13, edgecolor="none", zorder=1))
    axes.add_patch(
        Polygon(corners, closed=True, facecolor="none", edgecolor=value.color, linewidth=1.4, linestyle="--")
    )
    axes.plot(*V.T, linestyle="none", marker=value.marker, markersize=10, color=value.color, markeredgecolor=value.ink)


def hull_map(V, contexts, value_labels=None, context_labels=None, *, title=""):
    """Draw values, the convex hull round them and context vectors inside it.

    Parameters
    ----------
    V : ndarray of shape (n_keys, 2)
    contexts : ndarray of shape (m, 2)
    value_labels, context_labels : list of str, optional
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(hull_map([[0, 0], [1, 0], [0, 1]], [[0.5, 0.25]], ["The", "cat", "sat"], ["c"]).alt)
    Values and the convex hull round them: The (0, 0), cat (1, 0), sat (0, 1). Context vectors: c (0.5, 0.25), inside.
    """
    V, contexts = two_columns(V, "V"), two_columns(np.atleast_2d(contexts), "contexts")
    value_labels = style.names(value_labels, len(V), "v")
    context_labels = style.names(context_labels, len(contexts), "c")
    width, height = 6.2, 4.9 if title else 4.5
    figure, area = style.sheet(width, height)
    axes = plane(figure, 0.5, 0.4, width - 0.75, 3.9, np.vstack([V, contexts]))
    _draw_hull(axes, V)
    context, value = style.role("context"), style.role("value")
    axes.plot(
        *contexts.T,
        linestyle="none",
        marker=context.marker,
        markersize=17,
        color=context.color,
        markeredgecolor=context.ink,
    )
    colors = [value.ink] * len(V) + [context.ink] * len(contexts)
    place_labels(axes, np.vstack([V, contexts]), value_labels + context_labels, colors=colors, gap=0.12)
    style.heading(area, width, height, title)
    where = ["inside" if inside_hull(c, V) else "outside" for c in contexts]
    values = ", ".join(f"{label} {pair(v)}" for label, v in zip(value_labels, V, strict=True))
    found = ", ".join(f"{label} {pair(c)}, {w}" for label, c, w in zip(context_labels, contexts, where, strict=True))
    lead = f"{title}. " if title else ""
    return Picture(figure, f"{lead}Values and the convex hull round them: {values}. Context vectors: {found}.")


def inside_hull(point, V, tolerance=1e-9):
    """True if the point (2,) is a weighted average of the rows of V (n, 2)."""
    point, corners = np.asarray(point, dtype=float), convex_hull(V)
    if len(corners) == 1:
        return bool(np.allclose(point, corners[0], atol=tolerance))
    turns = [_turn(a, b, point) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    within_box = (point >= corners.min(axis=0) - tolerance).all() and (point <= corners.max(axis=0) + tolerance).all()
    return bool(within_box and min(turns) >= -tolerance)


def weighted_sum(weights, V, labels=None, *, title=""):
    """Draw weighted values laid head to tail: where the last one ends is the context vector.

    Parameters
    ----------
    weights : ndarray of shape (n_keys,)
    V : ndarray of shape (n_keys, 2)
    labels : list of str, optional
        Of the values.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(weighted_sum([0.25, 0.75], [[4, 0], [0, 4]], ["cat", "sat"]).alt)
    0.25 times cat (4, 0) plus 0.75 times sat (0, 4) is the context vector (1, 3).
    """
    weights, V = np.asarray(weights, dtype=float), two_columns(V, "V")
    labels = style.names(labels, len(V), "v")
    if weights.shape != (len(V),):
        raise ValueError(f"weights must have shape ({len(V)},), one for each row of V; got shape {weights.shape}")
    steps = weights[:, None] * V
    tips = steps.cumsum(axis=0)
    starts = np.vstack([np.zeros(2), tips[:-1]])
    width, height = 6.2, 4.9 if title else 4.5
    figure, area = style.sheet(width, height)
    axes = plane(figure, 0.5, 0.4, width - 0.75, 3.9, np.vstack([V, tips]))
    value, context = style.role("value"), style.role("context")
    for v in V:
        axes.plot(*np.array([(0, 0), v]).T, color=value.color, linewidth=1, linestyle=":", zorder=1)
    axes.plot(*V.T, linestyle="none", marker=value.marker, markersize=10, color=value.color, markeredgecolor=value.ink)
    for start, step in zip(starts, steps, strict=True):
        if np.any(step):
            style.pointer(axes, start, start + step, color=value.color, line=2.4, size=14)
    style.pointer(axes, (0, 0), tips[-1], color=context.color, line=2.4, size=14)
    axes.plot(
        *tips[-1], marker=context.marker, markersize=17, color=context.color, markeredgecolor=context.ink, zorder=5
    )
    parts = [f"{style.number(w)} {label}" for w, label in zip(weights, labels, strict=True)]
    points = np.vstack([tips[-1], V, starts + steps / 2])
    colors = [context.ink] + [value.ink] * (2 * len(V))
    place_labels(axes, points, ["context", *labels, *parts], colors=colors, gap=0.12, bold={0})
    style.heading(area, width, height, title)
    terms = [f"{style.number(w)} times {label} {pair(v)}" for w, label, v in zip(weights, labels, V, strict=True)]
    lead = f"{title}. " if title else ""
    return Picture(figure, f"{lead}{' plus '.join(terms)} is the context vector {pair(tips[-1])}.")


def context_at(q, K, V, labels=None):
    """Draw a query among keys, its weights, and the context vector inside the hull of the values.

    Parameters
    ----------
    q : ndarray of shape (2,)
    K : ndarray of shape (n_keys, 2)
    V : ndarray of shape (n_keys, 2)
    labels : list of str, optional
        Of the keys and their values.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(context_at([0, 1], [[1, 0], [0, 1]], [[4, 0], [0, 4]], ["cat", "sat"]).alt)
    Query (0, 1). Weights: cat 0.27, sat 0.73. Context (1.08, 2.92), nearest to the value of sat.
    """
    q = two_columns([q], "q")[0]
    K, V = two_columns(K, "K"), two_columns(V, "V")
    labels = style.names(labels, len(K), "k")
    weights = attnlib.softmax(attnlib.dot_scores([q], K))[0]
    context = attnlib.context_vectors([q], K, V)[0]
    room = max(0.5, label_room(labels, 2.3 / len(K))[0])
    height = 3.75 + room
    figure = style.blank(style.WIDTH, height)
    top = height - 0.45
    reach = 1.15 * max(np.abs(q).max(), REACH * np.abs(K).max())
    asks = plane(figure, 0.4, 0.4, 2.75, top - 0.4, [], "1 query and keys", reach=reach)
    for k in K:
        draw_arrow(asks, k, "key")
    draw_arrow(asks, q, "query")
    key, query = style.role("key"), style.role("query")
    place_labels(asks, np.vstack([q, K]), ["q", *labels], colors=[query.ink] + [key.ink] * len(K), gap=0.12, bold={0})

    bars(style.panel(figure, 3.45, room, 2.3, top - room, "2 weights"), weights, labels, top=1.0)

    heard = plane(figure, 6.1, 0.4, 2.7, top - 0.4, V, "3 values and context")
    _draw_hull(heard, V)
    mix = style.role("context")
    for v, weight in zip(V, weights, strict=True):
        heard.plot(
            *np.array([v, context]).T, color=mix.color, linewidth=0.3 + 6 * weight, alpha=0.55, solid_capstyle="round"
        )
    heard.plot(*context, marker=mix.marker, markersize=18, color=mix.color, markeredgecolor=mix.ink, zorder=7)
    colors = [style.role("value").ink] * len(V)
    place_labels(heard, V, labels, colors=colors, gap=0.12)
    nearest = labels[int(attnlib.squared_distances([context], V)[0].argmin())]
    listed = ", ".join(f"{label} {style.number(w)}" for label, w in zip(labels, weights, strict=True))
    alt = f"Query {pair(q)}. Weights: {listed}. Context {pair(context)}, nearest to the value of {nearest}."
    return Picture(figure, alt)
