"""Every query meets every key: all scores at once, and three ways to say who is nearest."""

import numpy as np
from matplotlib.patches import Circle

import attnlib
from attnlib.plots import labels as beside
from attnlib.plots import style
from attnlib.plots.labels import place_labels
from attnlib.plots.matrices import Block, Matrix, equation
from attnlib.plots.picture import Picture
from attnlib.plots.vectors import REACH, draw_arrow, pair, plane, polar, two_columns


def score_matrix(Q, K, queries=None, keys=None, *, title="Every query meets every key", decimals=2):
    """Draw the product that gives all scores at once.

    Parameters
    ----------
    Q : ndarray of shape (n_queries, d)
    K : ndarray of shape (n_keys, d)
    queries, keys : list of str, optional
        Labels; q1, q2, ... and k1, k2, ... where none are given.
    title : str
    decimals : int

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> score_matrix([[1, 2]], [[1, 2], [2, 0], [-1, 3]]).alt.split("equals ")[1]
    'scores of shape (1, 3) [columns k1, k2, k3; q1: 5, 2, 5]'
    """
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    queries, keys = style.names(queries, len(Q), "q"), style.names(keys, len(K), "k")
    return equation(
        Matrix(Q, "Q", "query", rows=queries),
        "@",
        Matrix(K.T, "Kᵀ", "key", columns=keys),
        "=",
        Matrix(attnlib.dot_scores(Q, K), "scores", "scores", rows=queries, columns=keys),
        title=title,
        decimals=decimals,
    )


def tie(q, K, labels=None, *, query="q", title=None):
    """Draw what the dot product and the distance each take for equal.

    On the left, keys with the same dot product lie on one line at a right angle to the query; on the right, keys at
    the same distance lie on one circle around it.

    Parameters
    ----------
    q : ndarray of shape (2,)
    K : ndarray of shape (n_keys, 2)
    labels : list of str, optional
        Of the keys.
    query : str
        The query's label.
    title : str, optional
        What is tied, by default.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(tie([1, 2], [[1, 2], [2, 0]]).alt)
    Dot product and distance. Query q = (1, 2). k1 (1, 2): dot product 5, distance 0. \
k2 (2, 0): dot product 2, distance 2.24.
    """
    K = two_columns(K, "K")
    q = two_columns([q], "q")[0]
    labels = style.names(labels, len(K), "k")
    scores = attnlib.dot_scores([q], K)[0]
    distances = np.sqrt(attnlib.squared_distances([q], K)[0])
    title = _tied(scores, distances) if title is None else title
    height = 4.9
    figure, area = style.sheet(style.WIDTH, height)
    style.heading(area, style.WIDTH, height, title)
    around = np.vstack([K, q, q + distances.max() * np.array([[1, 1], [-1, -1]])])
    left = plane(figure, 0.45, 0.4, 3.9, 3.6, around, "Equal dot product: one line", margin=0.04)
    right = plane(figure, 4.9, 0.4, 3.9, 3.6, around, "Equal distance: one circle", margin=0.04)
    query_role, key_role = style.role("query"), style.role("key")
    for axes in (left, right):
        for k in K:
            draw_arrow(axes, k, "key")
        draw_arrow(axes, q, "query")
    length = np.linalg.norm(q)
    tips = np.vstack([q, K])
    shafts = beside.along(np.zeros_like(tips), 0.95 * tips)
    lines, rings = [shafts, beside.zero_lines(left)], [shafts, beside.zero_lines(right)]  # labels keep off them
    if length:
        reach = 4 * (np.abs(around).max() + 1)
        along, across = q / length, np.array([-q[1], q[0]]) / length
        for score in np.unique(scores.round(9)):
            foot = along * score / length
            ends = np.array([foot - reach * across, foot + reach * across])
            left.plot(*ends.T, linestyle="--", color=query_role.color, linewidth=1.3, scalex=False, scaley=False)
            lines.append(beside.along(*ends, steps=400))
    for distance in np.unique(distances.round(9)):
        ring = Circle(q, distance, facecolor="none", edgecolor=query_role.color, linestyle="--", linewidth=1.3)
        right.add_patch(ring)
        turn = np.linspace(0, 2 * np.pi, 120)
        rings.append(q + distance * np.column_stack([np.cos(turn), np.sin(turn)]))
    colors = [query_role.ink] + [key_role.ink] * len(K)
    for axes, measures, drawn in (
        (left, [f"q·k = {s:g}" for s in scores.round(2)], lines),
        (right, [f"{d:.3g} away" for d in distances], rings),
    ):
        texts = [query] + [f"{label}: {measure}" for label, measure in zip(labels, measures, strict=True)]
        place_labels(axes, tips, texts, colors=colors, gap=0.1, avoid=np.vstack(drawn))
    said = [
        f"{label} {pair(k)}: dot product {style.number(s, 0 if s == round(s) else 2)}, distance {d:.3g}."
        for label, k, s, d in zip(labels, K, scores, distances, strict=True)
    ]
    return Picture(figure, f"{title}. Query {query} = {pair(q)}. {' '.join(said)}")


def _tied(scores, distances):
    """What two of the keys have in common, and what not."""
    i, j = np.triu_indices(len(scores), 1)
    score, distance = np.isclose(scores[i], scores[j]), np.isclose(distances[i], distances[j])
    tied = [
        words
        for words, pairs in (
            ("same score, different distance", score & ~distance),
            ("same distance, different score", distance & ~score),
        )
        if pairs.any()
    ]
    return "; ".join(tied).capitalize() or "Dot product and distance"


def score_views(Q, K, queries=None, keys=None, *, move="query", index=0, angle=None, length=None):
    """Draw queries and keys, all their dot products, and whom each query chooses by three measures.

    Parameters
    ----------
    Q : ndarray of shape (n_queries, 2)
    K : ndarray of shape (n_keys, 2)
    queries, keys : list of str, optional
        Labels.
    move : {"query", "key"}
        Which kind of vector is turned and stretched.
    index : int
        Which one of them.
    angle : float, optional
        Its new direction, in degrees anticlockwise from the first axis; as given by default.
    length : float, optional
        Its new length; as given by default.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> score_views([[1, 2]], [[1, 2], [2, 0], [-1, 3]]).alt
    'Query q1 has length 2.24 and angle 63 degrees. q1 chooses k1 and k3 by dot product, k1 by cosine, k1 by distance.'
    """
    Q, K = two_columns(Q, "Q").copy(), two_columns(K, "K").copy()
    queries, keys = style.names(queries, len(Q), "q"), style.names(keys, len(K), "k")
    if move not in ("query", "key"):
        raise ValueError(f'move must be "query" or "key"; got {move!r}')
    moved, moved_labels = (Q, queries) if move == "query" else (K, keys)
    reach = REACH * max(np.linalg.norm(np.vstack([Q, K]), axis=1).max(), 0.1)
    angle, length = polar(moved[index], angle, length)
    moved[index] = length * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    winners = nearest_by_measure(Q, K)

    scores = Matrix(attnlib.dot_scores(Q, K), "scores q·k", "scores", rows=queries, columns=keys)
    block = Block(scores, shape=False)
    first = max(style.text_width(text, style.TEXT) for text in queries) + 0.25
    names = [[_and([keys[j] for j in js]) for js in winners_of_query] for winners_of_query in winners]
    columns = [
        max(0.95, *(style.text_width(text, style.TEXT, "bold") + 0.2 for text in column))
        for column in zip(*names, strict=True)
    ]
    side = max(block.width, first + sum(columns))
    table_height = 1.3 + 0.32 * len(queries)
    height = max(4.3, block.above + block.grid_height + table_height + 0.9)
    figure, area = style.sheet(max(style.WIDTH, 5.3 + side), height)
    title = f"Move {moved_labels[index]}"
    axes = plane(figure, 0.45, 0.4, 4.1, height - 0.9, [], title, reach=1.12 * max(reach, length))
    for vectors, role_name in ((K, "key"), (Q, "query")):
        for vector in vectors:
            draw_arrow(axes, vector, role_name)
    tip = moved[index]
    axes.plot(*tip, marker="o", markersize=17, markerfacecolor="none", markeredgecolor=style.INK, markeredgewidth=1.4)
    inks = [style.role("query").ink] * len(Q) + [style.role("key").ink] * len(K)
    tips = np.vstack([Q, K])
    shafts = (np.linspace(0, 0.95, 20)[:, None, None] * tips).reshape(-1, 2)
    place_labels(axes, tips, queries + keys, colors=inks, gap=0.14, avoid=shafts)

    x = 4.95
    middle = height - 0.25 - block.above - block.grid_height / 2
    grid_left = block.draw(area, x, middle)
    rows, row = (1, index) if move == "query" else (len(Q), 0)
    across, column = (len(K), 0) if move == "query" else (1, index)
    corner = grid_left + column * block.cell_width, middle + block.grid_height / 2 - (row + rows) * block.cell_height
    size = across * block.cell_width, rows * block.cell_height
    style.box(area, *corner, *size, fill="none", edge=style.INK, line=2, radius=0.02, zorder=4)

    top = middle - block.grid_height / 2 - 0.55
    area.text(x, top, "Who is chosen?", fontsize=style.TEXT, fontweight="bold", color=style.INK, va="center")
    for j, (title, rule) in enumerate((("dot product", "largest"), ("cosine", "largest"), ("distance", "smallest"))):
        centre = x + first + sum(columns[:j]) + columns[j] / 2
        area.text(centre, top - 0.27, title, fontsize=style.SMALL, color=style.MUTED, ha="center", va="center")
        area.text(centre, top - 0.44, rule, fontsize=style.SMALL - 1, color=style.MUTED, ha="center", va="center")
        for i, query in enumerate(queries):
            y = top - 0.72 - 0.32 * i
            agree = names[i][j] == names[i][0]
            area.text(
                centre,
                y,
                names[i][j],
                fontsize=style.TEXT,
                ha="center",
                va="center_baseline",
                color=style.role("key").ink if agree else "#A33B00",
                fontweight="normal" if agree else "bold",
            )
            if j == 0:
                area.text(x, y, query, fontsize=style.TEXT, va="center_baseline", color=style.role("query").ink)
    if any(len(set(row)) > 1 for row in names):
        y = top - 0.72 - 0.32 * len(queries)
        area.text(x, y, "bold: not the choice of the dot product", fontsize=style.SMALL, color=style.MUTED, va="center")
    measures = ("dot product", "cosine", "distance")
    said = [
        f"{query} chooses " + ", ".join(f"{who} by {measure}" for who, measure in zip(row, measures, strict=True)) + "."
        for i, (query, row) in enumerate(zip(queries, names, strict=True))
        if move == "key" or i == index
    ]
    state = (
        f"{move.capitalize()} {moved_labels[index]} has length {length:.2f} and angle {style.number(angle, 0)} degrees."
    )
    return Picture(figure, f"{state} {' '.join(said)}")


def nearest_by_measure(Q, K):
    """For each query the keys that win by dot product, by cosine and by distance, ties included.

    Parameters
    ----------
    Q : ndarray of shape (n_queries, d)
    K : ndarray of shape (n_keys, d)

    Returns
    -------
    winners : list of n_queries lists of 3 lists of int

    Examples
    --------
    >>> nearest_by_measure([[1, 2]], [[1, 2], [2, 0], [-1, 3]])
    [[[0, 2], [0], [0]]]
    """
    higher_is_nearer = attnlib.dot_scores(Q, K), attnlib.cosine_scores(Q, K), -attnlib.squared_distances(Q, K)
    return [
        [np.flatnonzero(np.isclose(row, row.max(), rtol=1e-9, atol=1e-9)).tolist() for row in rows]
        for rows in zip(*higher_is_nearer, strict=True)
    ]


def _and(items):
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
