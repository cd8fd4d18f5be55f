"""Word vectors: looked up in a matrix, and on a map, seen from the side from which they differ most."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.labels import place_labels
from attnlib.plots.matrices import Matrix, equation
from attnlib.plots.picture import Picture

GROUP_COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
GROUP_MARKERS = ["o", "s", "^", "D", "v", "P", "X"]


def lookup(
    token_ids, E, tokens=None, vocabulary=None, *, title="A look-up is a product with a one-hot matrix", decimals=2
):
    """Draw how a one-hot matrix picks rows out of an embedding matrix.

    Parameters
    ----------
    token_ids : list of int, length n
    E : ndarray of shape (vocab_size, d_model)
        Small, since all of it is drawn.
    tokens : list of str, optional
        The n words.
    vocabulary : list of str, optional
        The word of each row of E.
    title : str
    decimals : int

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> lookup([1], [[0.5, 0.25], [3, 4]], ["cat"], ["the", "cat"]).alt.split("equals ")[1]
    'X of shape (1, 2) [cat: 3, 4]'
    """
    E = np.asarray(E, dtype=float)
    vocabulary = None if vocabulary is None else list(vocabulary)
    one_hot, X = attnlib.one_hot(token_ids, len(E)), attnlib.embed(token_ids, E)
    picked = [(i, token_id) for i, token_id in enumerate(token_ids)]
    return equation(
        Matrix(one_hot, "one-hot", "weights", rows=tokens, columns=vocabulary, highlight=picked),
        "@",
        Matrix(E, "E", "token", rows=vocabulary),
        "=",
        Matrix(X, "X", "token", rows=tokens),
        title=title,
        decimals=decimals,
    )


def cosine_histogram(cosines, marks=None, *, title=""):
    """Draw how often each cosine occurs, and where some of them lie.

    Parameters
    ----------
    cosines : ndarray of shape (n,)
        Of many pairs.
    marks : dict of str to float, optional
        Cosines to compare with them, and what they are of.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(cosine_histogram([-0.5, 0.0, 0.0, 0.5], {"cat and dog": 0.9}).alt)
    How often each cosine occurs. 4 pairs, with a mean of 0.00; 99 of 100 lie below 0.48. cat and dog: 0.90.
    """
    cosines, marks = np.asarray(cosines, dtype=float), marks or {}
    mean, high = cosines.mean(), np.percentile(cosines, 99)
    low, top = min(cosines.min(), 0.0), max(1.0, cosines.max(), *marks.values())
    height = 3.0 + (0.4 if title else 0)
    figure, area = style.sheet(style.WIDTH, height)
    axes = style.panel(figure, 0.35, 0.6, style.WIDTH - 0.7, 2.15)
    edges = np.arange(np.floor(low / 0.02), np.ceil(top / 0.02) + 1) * 0.02
    counts = np.histogram(cosines, edges)[0]
    axes.bar(edges[:-1], counts / counts.max(), 0.02, align="edge", color=style.role("scores").color)
    font = {"fontsize": style.SMALL, "color": style.INK, "va": "center"}
    lines = {f"mean {style.number(mean)}": mean, f"99 of 100 are below {style.number(high)}": high}
    lines |= {f"{what} {style.number(value)}": value for what, value in marks.items()}
    for i, (what, value) in enumerate(sorted(lines.items(), key=lambda line: line[1])):
        of_all = value in (mean, high)
        y = 1.12 - 0.17 * i
        axes.vlines(value, 0, y, color=style.role("context" if of_all else "query").color, linewidth=1.6)
        axes.text(value + 0.012, y - 0.03, what, **font)
    ticks = np.arange(np.ceil(edges[0] / 0.2), 6) / 5
    axes.set(xlim=(edges[0], edges[-1] + 0.12), ylim=(0, 1.2), yticks=[], xticks=ticks)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("cosine", fontsize=style.SMALL, color=style.INK)
    style.heading(area, style.WIDTH, height, title)
    said = "".join(f" {what}: {style.number(value)}." for what, value in marks.items())
    about = f"{len(cosines):,} pairs, with a mean of {style.number(mean)}; 99 of 100 lie below {style.number(high)}."
    return Picture(figure, f"{title or 'How often each cosine occurs'}. {about}{said}")


def principal_axes(X, n=2):
    r"""Find the directions in which the rows of X differ most.

    They are the first right singular vectors of X with its mean taken away; X is seen along them as
    ``(X - mean) @ axes.T``.

    Parameters
    ----------
    X : ndarray of shape (n_rows, d)
    n : int
        How many directions, at most d.

    Returns
    -------
    mean : ndarray of shape (d,)
    axes : ndarray of shape (n, d)
        Rows of length 1 at right angles, the first with the most variance. Their signs are chosen so that the largest
        entry of each is positive.

    References
    ----------
    Pearson (1901), "On Lines and Planes of Closest Fit to Systems of Points in Space".

    Examples
    --------
    >>> mean, axes = principal_axes([[0, 1], [2, 1], [4, 1]], n=1)
    >>> mean, axes
    (array([2., 1.]), array([[1., 0.]]))
    """
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or not 1 <= n <= X.shape[1]:
        raise ValueError(f"X must have shape (n_rows, d) with d at least n={n}; got shape {X.shape}")
    mean = X.mean(axis=0)
    _, _, axes = np.linalg.svd(X - mean, full_matrices=len(X) < n)
    axes = axes[:n]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    return mean, axes * np.sign(largest) + 0.0  # + 0.0 turns -0.0 into 0.0


def word_map(words, X, *, highlight=(), groups=None, title=""):
    """Draw words as points in the plane, from vectors of any dimension.

    Parameters
    ----------
    words : list of str, length n
    X : ndarray of shape (n, d)
        Their vectors; the picture shows the two directions in which they differ most.
    highlight : collection of str
        Words to print bold.
    groups : list of str, length n, optional
        The group of each word; groups differ in colour and marker.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(word_map(["cat", "dog", "car"], [[0, 0, 1], [0, 1, 1], [9, 0, 1]]).alt)
    A map of 3 words. Close together: cat and dog.
    """
    words, X = list(words), np.asarray(X, dtype=float)
    if X.ndim != 2 or len(X) != len(words):
        raise ValueError(f"X must have one row for each of the {len(words)} words; got shape {X.shape}")
    mean, axes = principal_axes(X, n=2)
    points = (X - mean) @ axes.T
    kinds = list(dict.fromkeys(groups or [""]))
    group_of = [kinds.index(g) % len(GROUP_COLORS) for g in groups] if groups else [0] * len(words)
    width, height = style.WIDTH, 5.8
    figure, area = style.sheet(width, height)
    plot = _map_panel(figure, 0.5, 0.5, width - 0.8, height - (1.45 if groups else 1.05), points)
    plot.set(xticks=[], yticks=[])
    for kind in sorted(set(group_of)):
        mine = points[np.array(group_of) == kind]
        mark = {"color": GROUP_COLORS[kind], "marker": GROUP_MARKERS[kind]}
        plot.plot(*mine.T, linestyle="none", markersize=8, markeredgecolor=style.PAPER, **mark)
    order = sorted(range(len(words)), key=lambda i: words[i] not in highlight)
    dark = [_darker(GROUP_COLORS[group_of[i]]) for i in order]
    bold = {position for position, i in enumerate(order) if words[i] in highlight}
    place_labels(plot, points[order], [words[i] for i in order], colors=dark, bold=bold, gap=0.09)
    plot.set_xlabel("the direction in which they differ most", fontsize=style.SMALL, color=style.MUTED)
    plot.set_ylabel("second direction, at a right angle to it", fontsize=style.SMALL, color=style.MUTED)
    if groups:
        x = 0.5
        for kind in kinds:
            i = kinds.index(kind) % len(GROUP_COLORS)
            area.plot(x + 0.08, height - 0.72, marker=GROUP_MARKERS[i], color=GROUP_COLORS[i], markersize=8)
            area.text(x + 0.24, height - 0.72, kind, fontsize=style.TEXT, color=style.INK, va="center_baseline")
            x += 0.55 + style.text_width(kind, style.TEXT)
    style.heading(area, width, height, title)
    if groups:
        members = [", ".join(w for w, g in zip(words, groups, strict=True) if g == kind) for kind in kinds]
        said = " ".join(f"{kind}: {names}." for kind, names in zip(kinds, members, strict=True))
    else:
        said = f"Close together: {_closest_pairs(words, points)}."
    return Picture(figure, (f"{title}. " if title else "") + f"A map of {len(words)} words. {said}")


def word_walk(words, E, start, end=None, t=0.0, *, k=8):
    """Draw the words nearest to a point between two words, on a map and as a ranked list.

    Parameters
    ----------
    words : list of str or dict of str to int, length vocab_size
        The word of each row of E.
    E : ndarray of shape (vocab_size, d_model)
    start, end : str
        Where the walk begins and ends; without an end the query stays at the start.
    t : float
        How far to go, from 0 (start) to 1 (end): the query is (1 - t) start + t end.
    k : int
        How many neighbours to list, by cosine.

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If start or end is not among the words.

    Examples
    --------
    >>> print(word_walk(["cat", "dog", "car"], [[1, 0], [0.8, 0.6], [0, -1]], "cat", "dog", 0.5, k=2).alt)
    Halfway from cat to dog. Nearest by cosine: cat 0.95, dog 0.95.
    """
    words, E = list(words), np.asarray(E)
    ends = [_row(words, start), _row(words, end or start)]
    query = (1 - t) * E[ends[0]] + t * E[ends[1]]
    # The map holds what is near to some point of the whole walk, so that it stands still while the query moves.
    stops = np.linspace(0, 1, 5)[:, None] if end else np.zeros((1, 1))
    along = attnlib.cosine_scores(np.vstack([query, (1 - stops) * E[ends[0]] + stops * E[ends[1]]]), E)
    cosines, ranked = along[0], np.argsort(-along[1:], axis=1, kind="stable")
    nearest = np.argsort(-cosines, kind="stable")[:k]
    shown = np.union1d(ranked[:, : k + 3], ends)
    drawn = np.union1d(shown, nearest)
    # Rows of length 1, because the cosine compares directions.
    path = np.vstack([query, *((1 - s) * E[ends[0]] + s * E[ends[1]] for s in np.linspace(0, 1, 21))])
    flat = _flatten(
        attnlib.unit_rows(E[shown]), attnlib.unit_rows(E[ends]), attnlib.unit_rows(np.vstack([E[drawn], path]))
    )
    points = dict(zip(drawn.tolist(), flat, strict=False))
    spot, path = flat[len(drawn)], flat[len(drawn) + 1 :]
    # A word that is never among the nearest must not make the map larger: half of it would be empty.
    needed = np.union1d(np.union1d(ranked[:, :k], ends), nearest).tolist()
    low, high = (side(np.vstack([*(points[i] for i in needed), path]), axis=0) for side in (np.min, np.max))
    room = 0.15 * (high - low)
    points = {i: xy for i, xy in points.items() if (low - room <= xy).all() and (xy <= high + room).all()}
    seen = np.vstack([*points.values(), spot, path])

    width, height = style.WIDTH, 4.9
    figure, area = style.sheet(width, height)
    plot = _map_panel(figure, 0.35, 0.45, 5.35, height - 0.95, seen, f"Seen in two of {E.shape[1]} dimensions")
    plot.set(xticks=[], yticks=[])
    key, asks = style.role("key"), style.role("query")
    for i in nearest.tolist():
        plot.plot(*np.array([spot, points[i]]).T, color=key.color, linewidth=1.1, alpha=0.6, zorder=2)
    if end:
        plot.plot(*path.T, color=asks.color, linestyle=":", linewidth=1.5)
    by_rank = sorted(
        points, key=lambda i: (i not in ends, -along[1:, i].max())
    )  # does not depend on t: labels stay put
    near = set(nearest.tolist())
    xy = np.array([points[i] for i in by_rank])
    far = [i not in near for i in by_rank]
    plot.plot(*xy[far].T, linestyle="none", marker="o", markersize=5, color="#A9AFBB")
    plot.plot(*xy[~np.array(far)].T, linestyle="none", marker=key.marker, markersize=7, color=key.color)
    colors = [key.ink if i in near else style.MUTED for i in by_rank]
    place_labels(
        plot, xy, [words[i] for i in by_rank], colors=colors, size=style.SMALL + 0.5, keep=2 if end else 1, gap=0.09
    )
    plot.plot(*spot, marker=asks.marker, markersize=12, color=asks.color, markeredgecolor=style.PAPER, zorder=7)

    place = _place(start, end, t)
    _ranking(area, 6.0, height - 0.5, [words[i] for i in nearest], cosines[nearest], start, end)
    marks = [(asks, 11, "the query"), (key, 7, f"its {k} nearest words")]
    for i, (role, size, meaning) in enumerate(marks):
        y = 0.95 - 0.3 * i
        area.plot(6.07, y, marker=role.marker, markersize=size, color=role.color)
        area.text(6.28, y, meaning, fontsize=style.TEXT, color=style.INK, va="center_baseline")
    listed = ", ".join(f"{words[i]} {style.number(cosines[i])}" for i in nearest)
    return Picture(figure, f"{place} Nearest by cosine: {listed}.")


def _row(words, word):
    try:
        return words.index(word)
    except ValueError:
        raise ValueError(f"“{word}” is not among the {len(words):,} words; try another") from None


def _place(start, end, t):
    if not end or t == 0:
        return f"At {start}."
    if t == 1:
        return f"At {end}."
    if t == 0.5:
        return f"Halfway from {start} to {end}."
    return f"{100 * t:.0f} % of the way from {start} to {end}."


def _flatten(shown, ends, X):
    """Coordinates of the rows of X: along the walk from end to end, and at a right angle to it."""
    mean, axes = principal_axes(shown, n=2)
    step = ends[1] - ends[0]
    if np.any(step):
        first = step / np.linalg.norm(step)
        rest = shown - mean
        rest = rest - np.outer(rest @ first, first)
        _, axes = principal_axes(rest, n=min(4, rest.shape[1]))
        # Not simply the most variance, which one far pair of words can decide, but the most spread of all of them.
        axes = np.vstack([first, axes[np.abs(rest @ axes.T).mean(axis=0).argmax()]])
    return (X - mean) @ axes.T


def _map_panel(figure, left, bottom, width, height, points, title=""):
    plot = style.panel(figure, left, bottom, width, height, title)
    low, high = points.min(axis=0), points.max(axis=0)
    pad = np.maximum(high - low, 1e-9) * (0.13, 0.09)
    plot.set_xlim(low[0] - pad[0], high[0] + pad[0])
    plot.set_ylim(low[1] - pad[1], high[1] + pad[1])
    return plot


def _ranking(area, left, top, names, cosines, start, end):
    area.text(left, top + 0.2, "Nearest words, by cosine", fontsize=style.TEXT, fontweight="bold", color=style.INK)
    name_width, bar_width = 1.25, 0.95
    for i, (name, cosine) in enumerate(zip(names, cosines, strict=True)):
        y = top - 0.22 - 0.36 * i
        font = {"fontsize": style.TEXT, "va": "center_baseline"}
        weight = "bold" if name in (start, end) else "normal"
        area.text(left, y, f"{i + 1}", color=style.MUTED, **font)
        area.text(left + 0.28, y, name, color=style.role("key").ink, fontweight=weight, **font)
        bar = bar_width * max(float(cosine), 0.0)
        style.box(area, left + name_width, y - 0.08, bar, 0.16, fill=style.role("key").color, edge="none", radius=0.02)
        area.text(left + name_width + bar + 0.07, y, style.number(cosine), color=style.INK, **font)


_DARKER = {
    "#E69F00": "#865A00",
    "#56B4E9": "#1F6F9E",
    "#CC79A7": "#973F70",
    "#009E73": "#00694D",
    "#D55E00": "#A33B00",
}


def _darker(color):
    return _DARKER.get(color, color)


def _closest_pairs(words, points, count=3):
    distances = np.linalg.norm(points[:, None] - points, axis=-1)
    pairs = sorted((distances[i, j], i, j) for i in range(len(words)) for j in range(i))
    chosen = pairs[: min(count, max(1, len(words) // 3))]
    return ", ".join(f"{words[j]} and {words[i]}" for _, i, j in chosen)
