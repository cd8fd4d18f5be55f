"""Projections: one row of X takes three roles, and what turning a projection does to the scores."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.labels import place_labels
from attnlib.plots.matrices import Block, Matrix, _draw_sign, describe
from attnlib.plots.picture import Picture
from attnlib.plots.vectors import draw_arrow, plane, two_columns


def three_roles(X, W_q, W_k, W_v, tokens=None, *, coordinates=None, title="", decimals=2):
    """Draw how X becomes queries, keys and values, with every number and every shape.

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
    W_q, W_k : ndarray of shape (d_model, d_k)
    W_v : ndarray of shape (d_model, d_v)
        All small, since every number is drawn.
    tokens : list of str, optional
        Labels of the rows of X.
    coordinates : list of str, optional
        Labels of the columns of X, which are the rows of the projections.
    title : str
    decimals : int

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> three_roles([[1, 2]], [[1], [0]], [[0], [1]], [[1], [1]], ["cat"]).alt.split(". ")[-1]
    'X times W_v of shape (2, 1) [row 1: 1; row 2: 1] gives V of shape (1, 1) [cat: 3].'
    """
    X = np.asarray(X, dtype=float)
    tokens = style.names(tokens, len(X), "x")
    projected = attnlib.project_qkv(X, W_q, W_k, W_v)
    start = Block(Matrix(X, "X", "token", rows=tokens, columns=coordinates), decimals)
    lanes = [
        (
            Block(Matrix(W, name, role, rows=coordinates), decimals),
            Block(Matrix(rows, letter, role, rows=tokens), decimals),
        )
        for W, name, rows, letter, role in zip(
            (W_q, W_k, W_v), ("W_q", "W_k", "W_v"), projected, "QKV", ("query", "key", "value"), strict=True
        )
    ]
    tall = max(block.above + block.grid_height + block.below for lane in lanes for block in lane) + 0.15
    header = 0.5 if title else 0.1
    wide = max(weights.width for weights, _ in lanes)
    times, equals = start.width + 1.15, start.width + 1.75 + wide
    meaning = equals + 0.5 + max(rows.width for _, rows in lanes)
    notes = [style.ROLES[role].meaning for role in ("query", "key", "value")]
    width = meaning + 0.3 + max(style.text_width(note, style.TEXT) for note in notes) + 0.35
    height = header + 3 * tall + 0.1
    figure, area = style.sheet(width, height)
    centre = 0.1 + 1.5 * tall
    start.draw(area, 0.2, centre)
    said = [f"X of shape {start.shape_text} [{describe(start.matrix, decimals)}]"]
    for i, ((weights, rows), role, note) in enumerate(zip(lanes, ("query", "key", "value"), notes, strict=True)):
        middle = 0.1 + (2.5 - i) * tall - 0.02
        style.pointer(area, (start.width + 0.35, centre), (times - 0.05, middle), color=style.role(role).color)
        _draw_sign(area, "@", times, middle, 0.3)
        weights.draw(area, times + 0.4, middle)
        _draw_sign(area, "=", equals, middle, 0.3)
        rows.draw(area, equals + 0.4, middle)
        style.role_text(area, meaning + 0.15, middle, role, note)
        said.append(
            f"X times {weights.matrix.name} of shape {weights.shape_text} [{describe(weights.matrix, decimals)}] "
            f"gives {rows.matrix.name} of shape {rows.shape_text} [{describe(rows.matrix, decimals)}]"
        )
    if title:
        style.heading(area, width, height, title)
    return Picture(figure, (f"{title}. " if title else "") + ". ".join(said) + ".")


def turned(W, angle, stretch=1.0):
    """Turn what a projection (d_model, 2) gives by an angle in degrees, and stretch it.

    Parameters
    ----------
    W : ndarray of shape (d_model, 2)
    angle : float
        In degrees, anticlockwise.
    stretch : float

    Returns
    -------
    W_turned : ndarray of shape (d_model, 2)

    Examples
    --------
    >>> turned([[1, 0], [0, 1]], 90).round(9) + 0.0
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    radians = np.radians(angle)
    rotation = np.array([[np.cos(radians), np.sin(radians)], [-np.sin(radians), np.cos(radians)]])
    return stretch * np.asarray(W, dtype=float) @ rotation


def projected_scores(X, W_q, W_k, tokens=None, *, angle_q=0.0, angle_k=0.0, stretch_q=1.0, stretch_k=1.0):
    """Draw the queries and keys that two projections make of X, with their scaled scores and weights.

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
    W_q, W_k : ndarray of shape (d_model, 2)
    tokens : list of str, optional
    angle_q, angle_k : float
        Degrees by which the queries and the keys are turned, anticlockwise.
    stretch_q, stretch_k : float
        Factors by which the queries and the keys are made longer.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> I = [[1, 0], [0, 1]]
    >>> print(projected_scores([[1, 0], [0, 2]], I, I, ["cat", "sat"], angle_q=90).alt)
    Queries turned by 90 degrees and stretched by 1.00, keys turned by 0 degrees and stretched by 1.00. \
Scores: cat: 0.00, 1.41; sat: −1.41, 0.00. cat attends most to sat, 0.80; sat attends most to sat, 0.80. \
The scores are not symmetric: cat gives sat 1.41, sat gives cat −1.41.
    """
    X = np.asarray(X, dtype=float)
    tokens = style.names(tokens, len(X), "x")
    Q = X @ turned(two_columns(W_q, "W_q"), angle_q, stretch_q)
    K = X @ turned(two_columns(W_k, "W_k"), angle_k, stretch_k)
    scores = attnlib.dot_scores(Q, K) / np.sqrt(2)
    weights = attnlib.softmax(scores)
    reach = 1.1 * max(
        np.linalg.norm(X @ np.asarray(W_q, dtype=float), axis=1).max() * max(stretch_q, 1.0),
        np.linalg.norm(K, axis=1).max(),
        1e-9,
    )
    score_block = Block(Matrix(scores, "scores q·k / √2", "scores", rows=tokens, columns=tokens))
    weights_matrix = Matrix(weights, "weights", "weights", rows=tokens, columns=tokens)
    weight_block = Block(weights_matrix, cell_width=score_block.cell_width)
    height = max(4.6, 0.6 + sum(b.above + b.grid_height + b.below + 0.2 for b in (score_block, weight_block)))
    left = 5.1
    figure, area = style.sheet(max(style.WIDTH, left + max(score_block.width, weight_block.width) + 0.3), height)
    axes = plane(figure, 0.45, 0.75, 4.2, height - 1.25, [], "What each token asks and offers", reach=reach)
    for vectors, role in ((K, "key"), (Q, "query")):
        for vector in vectors:
            draw_arrow(axes, vector, role)
    inks = [style.role("query").ink] * len(Q) + [style.role("key").ink] * len(K)
    texts = [f"q {token}" for token in tokens] + [f"k {token}" for token in tokens]
    place_labels(axes, np.vstack([Q, K]), texts, colors=inks, gap=0.12)
    used = style.role_text(area, 0.5, 0.25, "query")
    style.role_text(area, 0.5 + used + 0.4, 0.25, "key")
    middle = height - 0.25 - score_block.above - score_block.grid_height / 2
    score_block.draw(area, left, middle)
    middle = 0.15 + weight_block.below + weight_block.grid_height / 2
    weight_block.draw(area, left, middle)
    shares = "; ".join(
        f"{token} attends to all alike, {style.number(row[0])}"
        if np.ptp(row) < 1e-9
        else f"{token} attends most to {tokens[row.argmax()]}, {style.number(row.max())}"
        for token, row in zip(tokens, weights, strict=True)
    )
    rows = "; ".join(
        f"{token}: {', '.join(style.number(s) for s in row)}" for token, row in zip(tokens, scores, strict=True)
    )
    alt = (
        f"Queries turned by {style.number(angle_q, 0)} degrees and stretched by {stretch_q:.2f}, "
        f"keys turned by {style.number(angle_k, 0)} degrees and stretched by {stretch_k:.2f}. "
        f"Scores: {rows}. {shares}. {_symmetry(scores, tokens)}"
    )
    return Picture(figure, alt)


def _symmetry(scores, tokens):
    gaps = np.triu(np.abs(scores - scores.T))
    i, j = np.unravel_index(gaps.argmax(), gaps.shape)
    if gaps[i, j] < 1e-9:
        return "The scores are symmetric."
    there, back = style.number(scores[i, j]), style.number(scores[j, i])
    return f"The scores are not symmetric: {tokens[i]} gives {tokens[j]} {there}, {tokens[j]} gives {tokens[i]} {back}."


def singular_values(tables, names, *, most=40, title=""):
    """Draw the largest singular values of some tables, side by side: how strong each of their questions is.

    Parameters
    ----------
    tables : list of ndarray of shape (n, n)
        Such as products of W_q and the transpose of W_k.
    names : list of str
        One for each table.
    most : int
        How many are drawn of each.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> singular_values([[[0, 3], [1, 0]]], ["a table"]).alt
    'Singular values. a table: the largest is 3.00; 2 of 2 are not zero.'
    """
    names = style.names(names, len(tables), "names")
    found = [np.linalg.svd(np.asarray(table, dtype=float))[1] for table in tables]
    height, gap = 2.9, 0.75
    wide = (style.WIDTH - 0.3) / len(found) - gap
    figure, area = style.sheet(style.WIDTH, height + (0.45 if title else 0))
    said = []
    for i, (name, strengths) in enumerate(zip(names, found, strict=True)):
        axes = style.panel(figure, 0.1 + gap + i * (wide + gap), 0.6, wide, height - 1.0, name)
        kept = int((strengths > 1e-9 * strengths[0]).sum())
        shown = strengths[:most]
        axes.bar(np.arange(1, len(shown) + 1), shown, width=0.8, color=style.role("scores").color)
        axes.set_xlim(0.2, min(most, len(strengths)) + 0.8)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.set_xlabel(f"{kept} of {len(strengths)} are not zero", fontsize=style.TEXT, color=style.INK)
        said.append(f"{name}: the largest is {strengths[0]:.2f}; {kept} of {len(strengths)} are not zero.")
    if title:
        style.heading(area, style.WIDTH, height + 0.45, title)
    return Picture(figure, f"{title or 'Singular values'}. {' '.join(said)}")
