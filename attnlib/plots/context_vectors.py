"""The context vector as a place inside the convex hull of the values, and the three stages that lead there."""

import numpy as np
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars, label_room
from attnlib.plots.labels import along, place_labels, zero_lines
from attnlib.plots.matrices import Block, Matrix, describe
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
    """Draw values and the hull round them; return points along its edge, which labels should keep off."""
    value = style.role("value")
    corners = convex_hull(V)
    axes.add_patch(Polygon(corners, closed=True, facecolor=value.color, alpha=0.13, edgecolor="none", zorder=1))
    axes.add_patch(
        Polygon(corners, closed=True, facecolor="none", edgecolor=value.color, linewidth=1.4, linestyle="--")
    )
    axes.plot(*V.T, linestyle="none", marker=value.marker, markersize=10, color=value.color, markeredgecolor=value.ink)
    return along(corners, np.roll(corners, -1, axis=0))


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
    edge = _draw_hull(axes, V)
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
    points = np.vstack([V, contexts])
    lines = np.vstack([edge, zero_lines(axes)])
    place_labels(axes, points, value_labels + context_labels, colors=colors, gap=0.17, avoid=lines)
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
    lines = np.vstack([along(starts, tips), along(np.zeros((1, 2)), tips[-1:]), zero_lines(axes)])
    place_labels(axes, points, ["context", *labels, *parts], colors=colors, gap=0.17, bold={0}, avoid=lines)
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
    tips, colors = np.vstack([q, K]), [query.ink] + [key.ink] * len(K)
    arrows = np.vstack([along(np.zeros_like(tips), tips), zero_lines(asks)])
    place_labels(asks, tips, ["q", *labels], colors=colors, gap=0.12, bold={0}, avoid=arrows)

    bars(style.panel(figure, 3.45, room, 2.3, top - room, "2 weights"), weights, labels, top=1.0)

    heard = plane(figure, 6.1, 0.4, 2.7, top - 0.4, V, "3 values and context")
    edge = _draw_hull(heard, V)
    mix = style.role("context")
    for v, weight in zip(V, weights, strict=True):
        heard.plot(
            *np.array([v, context]).T, color=mix.color, linewidth=0.3 + 6 * weight, alpha=0.55, solid_capstyle="round"
        )
    heard.plot(*context, marker=mix.marker, markersize=18, color=mix.color, markeredgecolor=mix.ink, zorder=7)
    colors = [style.role("value").ink] * len(V)
    place_labels(
        heard, V, labels, colors=colors, gap=0.12, avoid=np.vstack([edge, along(V, context[None]), zero_lines(heard)])
    )
    nearest = labels[int(attnlib.squared_distances([context], V)[0].argmin())]
    listed = ", ".join(f"{label} {style.number(w)}" for label, w in zip(labels, weights, strict=True))
    alt = f"Query {pair(q)}. Weights: {listed}. Context {pair(context)}, nearest to the value of {nearest}."
    return Picture(figure, alt)


def three_stages(Q, K, V, queries=None, keys=None, *, title="", decimals=2):
    """Draw how queries, keys and values become context vectors, with every number and every shape.

    Each product stands where its two factors meet: the scores right of Q and below the transposed K, the context
    right of the weights and below V. So a row always belongs to a query.

    Parameters
    ----------
    Q : ndarray of shape (n_queries, d)
    K : ndarray of shape (n_keys, d)
    V : ndarray of shape (n_keys, d_v)
        All small, since every number is drawn.
    queries, keys : list of str, optional
        Labels of the rows of Q, and of the rows of K and V.
    title : str
    decimals : int

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> three_stages([[1, 0]], [[1, 0], [1, 0]], [[4, 0], [0, 4]]).alt.split("3 mix: ")[1]
    'weights times V gives the context of shape (1, 2) [q1: 2, 2].'
    """
    Q, K, V = (np.asarray(X, dtype=float) for X in (Q, K, V))
    queries, keys = style.names(queries, len(Q), "q"), style.names(keys, len(K), "k")
    scores = attnlib.dot_scores(Q, K)
    weights = attnlib.softmax(scores)
    context = attnlib.context_vectors(Q, K, V)
    matrices = {
        "Q": Matrix(Q, "Q", "query", rows=queries),
        "K": Matrix(K.T, "Kᵀ", "key", columns=keys),
        "scores": Matrix(scores, "scores", "scores"),
        "weights": Matrix(weights, "weights", "weights", rows=queries, columns=keys),
        "V": Matrix(V, "V", "value", rows=keys),
        "context": Matrix(context, "context", "context"),
    }
    blocks = {name: Block(matrix, decimals) for name, matrix in matrices.items()}
    for above, below in (("K", "scores"), ("V", "context")):  # columns that belong together stand in line
        cell = max(blocks[above].cell_width, blocks[below].cell_width)
        blocks[above] = Block(matrices[above], decimals, cell_width=cell)
        blocks[below] = Block(matrices[below], decimals, cell_width=cell)

    pad, between = 0.2, 0.62
    top_grid = max(blocks["K"].grid_height, blocks["V"].grid_height)
    top_above = max(blocks["K"].above, blocks["V"].above)
    weights_above = max(1.05, blocks["weights"].above + 0.1)  # names stand above the lower grids, arrows above those
    low = blocks["weights"].grid_height
    header = (0.5 if title else 0.1) + 0.62
    height = 0.62 + low + weights_above + top_grid + top_above + header + 0.1
    Q_left = pad + 0.1
    K_left = Q_left + blocks["Q"].width + 0.3
    scores_end = K_left + max(blocks["K"].width, blocks["scores"].width)
    weights_left = scores_end + between
    V_left = weights_left + blocks["weights"].width + 0.4
    low_top = 0.58 + low
    end = V_left + max(blocks["V"].width, blocks["context"].width + blocks["V"].left) + 0.1
    cards = [
        (pad - 0.05, scores_end + 0.15, "1 score", "how well does each key match?"),
        (weights_left - 0.2, V_left - 0.15, "2 softmax", "shares: each row sums to 1"),
        (V_left - 0.05, end + 0.1, "3 mix", "average the values"),
    ]
    figure, area = style.sheet(end + 0.25, height)
    card_top = height - (0.5 if title else 0.1)
    for left, right, name, meaning in cards:
        style.box(area, left, 0.12, right - left, card_top - 0.12, fill="#F6F7F9", edge=style.FAINT)
        centre = (left + right) / 2
        area.text(
            centre,
            card_top - 0.24,
            name,
            fontsize=style.TITLE,
            fontweight="bold",
            color=style.INK,
            ha="center",
            va="center",
        )
        size = min(style.SMALL, style.SMALL * (right - left - 0.15) / style.text_width(meaning, style.SMALL))
        area.text(centre, card_top - 0.48, meaning, fontsize=size, color=style.MUTED, ha="center", va="center")
    middle = 0.58 + low / 2
    upper = 0.58 + low + weights_above + top_grid / 2
    for factor, other, product, left, other_left in (
        ("Q", "K", "scores", Q_left, K_left),
        ("weights", "V", "context", weights_left, V_left),
    ):
        grid_left = blocks[factor].draw(area, left, middle)
        grid = blocks[other].draw(area, other_left, upper)
        blocks[product].draw(area, grid - blocks[product].left, middle)
        # What is multiplied: from the left and from above into the product.
        inks = [style.role(blocks[name].matrix.role).ink for name in (factor, other)]
        start = grid_left + blocks[factor].grid_width + 0.05
        style.pointer(area, (start, middle), (grid - 0.04, middle), color=inks[0], line=2.2)
        x = grid + blocks[other].grid_width / 2
        top = upper - blocks[other].grid_height / 2 - blocks[other].below
        style.pointer(area, (x, top), (x, low_top + blocks[product].above), color=inks[1], line=2.2)
    style.pointer(area, (scores_end + 0.02, middle), (weights_left - 0.06, middle), line=2.2, size=16)
    if title:
        style.heading(area, end + 0.25, height, title)
    said = {name: f"of shape {blocks[name].shape_text} [{describe(m, decimals)}]" for name, m in matrices.items()}
    # In words the rows need their labels even where the picture shares them.
    said["scores"] = (
        f"of shape {blocks['scores'].shape_text} [{describe(Matrix(scores, rows=queries, columns=keys), decimals)}]"
    )
    said["context"] = f"of shape {blocks['context'].shape_text} [{describe(Matrix(context, rows=queries), decimals)}]"
    alt = (
        f"{title + '. ' if title else ''}1 score: Q {said['Q']} times Kᵀ {said['K']} gives scores {said['scores']}. "
        f"2 softmax: each row of scores becomes a row of weights {said['weights']}. "
        f"3 mix: weights times V gives the context {said['context']}."
    )
    return Picture(figure, alt)


def share_curves(counts, curves, *, x_name="", title=""):
    """Draw how shares change as a number grows, a line for each name.

    Parameters
    ----------
    counts : sequence of int
        Drawn on a logarithmic scale.
    curves : dict of str to sequence of float
        For each name its shares, between 0 and 1, one for each count. The last name is drawn in the colour of context
        vectors.
    x_name, title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(share_curves([1, 10], {"one vector": [1, 0.5], "attention": [1, 1]}, x_name="words", title="Right").alt)
    Right, by words. one vector: 1 1.00, 10 0.50. attention: 1 1.00, 10 1.00.
    """
    figure = style.blank(style.WIDTH, 3.7)
    axes = style.panel(figure, 0.75, 0.7, 5.7, 2.5, title)
    context = style.role("context")
    for i, (name, shares) in enumerate(curves.items()):
        last = i == len(curves) - 1
        look = {"color": context.color, "marker": context.marker, "markersize": 12, "markeredgecolor": context.ink}
        plain = {"color": style.MUTED, "marker": "o", "markersize": 6, "linestyle": "--" if i else "-"}
        axes.plot(counts, shares, linewidth=2.2, label=name, **(look if last else plain))
    axes.set_xscale("log")
    axes.set_xticks(counts, [f"{n:,}" for n in counts])
    axes.set_xticks([], minor=True)
    axes.set_ylim(-0.04, 1.06)
    axes.set_xlabel(x_name, fontsize=style.TEXT, color=style.INK)
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, fontsize=style.TEXT)
    said = " ".join(
        f"{name}: {', '.join(f'{n:,} {share:.2f}' for n, share in zip(counts, shares, strict=True))}."
        for name, shares in curves.items()
    )
    return Picture(figure, f"{title}{f', by {x_name}' if x_name else ''}. {said}")


def moved_by(word, sentences, towards, vocabulary, E):
    """Draw where a word's vector is, and where sentences move it if every token attends to all, without training.

    Parameters
    ----------
    word : str
    sentences : list of list of str
        Each holds the word; where it does so twice, the first one counts.
    towards : pair of str
        The two words with which cosines are drawn.
    vocabulary : dict of str to int
    E : ndarray of shape (vocab_size, d_model)

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> vocabulary, E = attnlib.load_word_vectors()
    >>> print(moved_by("bank", [["money", "in", "the", "bank"]], ["river", "money"], vocabulary, E).alt)
    bank: cosine with river 0.25, with money 0.40. bank in "money in the bank": river 0.24, money 0.61.
    """
    across, up = towards
    aims = E[attnlib.encode(towards, vocabulary)]
    vectors = [E[vocabulary[word]]]
    for sentence in sentences:
        Z = attnlib.embed(attnlib.encode(sentence, vocabulary), E)
        vectors.append(attnlib.context_vectors(Z, Z, Z)[sentence.index(word)])
    points = attnlib.cosine_scores(np.stack(vectors), aims)  # (1 + n_sentences, 2)
    height = 4.0 + 0.27 * len(sentences)
    figure, area = style.sheet(style.WIDTH, height)
    axes = style.panel(figure, 0.9, 0.7, 6.6, 3.1)
    token, context = style.role("token"), style.role("context")
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.maximum(0.3 * (high - low), 0.02)
    low, high = low - room, high + room
    for axis, start, end in zip((axes.xaxis, axes.yaxis), low, high, strict=True):
        axis.set_ticks(
            [tick for tick in MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(start, end) if start <= tick <= end]
        )
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    for end in points[1:]:
        style.pointer(axes, points[0], end, color=context.color, line=2.2, size=14)
    axes.plot(*points[0], marker=token.marker, markersize=11, color=token.color, markeredgecolor=token.ink)
    look = {"color": context.color, "markeredgecolor": context.ink}
    axes.plot(*points[1:].T, linestyle="none", marker=context.marker, markersize=17, **look)
    labels = [f"{word}, looked up", *(f"in sentence {i}" for i in range(1, len(points)))]
    for i, sentence in enumerate(sentences, start=1):
        line = f"{i}  {' '.join(sentence)}"
        area.text(0.9, height - 0.27 * i, line, fontsize=style.TEXT, color=context.ink, va="center")
    colors = [token.ink] + [context.ink] * len(sentences)
    place_labels(axes, points, labels, colors=colors, gap=0.17, avoid=along(points[:1], points[1:]))
    axes.set_xlabel(f"cosine with {across}", fontsize=style.TEXT, color=style.INK)
    axes.set_ylabel(f"cosine with {up}", fontsize=style.TEXT, color=style.INK)
    (x, y), *moves = points.tolist()
    told = [
        f'{word} in "{" ".join(sentence)}": {across} {a:.2f}, {up} {b:.2f}.'
        for sentence, (a, b) in zip(sentences, moves, strict=True)
    ]
    return Picture(figure, " ".join([f"{word}: cosine with {across} {x:.2f}, with {up} {y:.2f}.", *told]))
