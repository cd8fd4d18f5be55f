"""Several heads: whose numbers they hold, and what each of them looks at."""

import numpy as np
from matplotlib.patches import Rectangle

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars
from attnlib.plots.matrices import Block, Matrix, _draw_sign, draw_cells, draw_scale
from attnlib.plots.picture import Picture

# One colour for each token, told apart also by the number in the cell (Okabe and Ito, lightened).
TOKEN_COLORS = ["#9CC9E8", "#F5CC7F", "#8FD3BD", "#E5B9D2", "#F2A48A", "#D9D9D9", "#E8E07A", "#B7B3E0"]

#: With more tokens than this only a few bars have room for a word and a number: the largest.
MOST_TOLD, FEW = 15, 5


def head_cells(X, splits, tokens):
    """Draw an input and the heads that were made of it, every number in the colour of the token that it came from.

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
        Its entries must all differ, so that each can be found again in a head.
    splits : dict of str to ndarray of shape (num_heads, n, d)
        Ways to split X, by their names; they are drawn below each other.
    tokens : list of str, length n

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> X = [[1, 2], [3, 4]]
    >>> print(head_cells(X, {"sliced": [[[1], [3]], [[2], [4]]], "reshaped": [[[1], [2]], [[3], [4]]]}, ["a", "b"]).alt)
    Two tokens with 2 numbers each. sliced: head 0 holds numbers of a, b; head 1 of a, b. reshaped: head 0 holds \
numbers of a; head 1 of b.
    """
    X = np.asarray(X, dtype=float)
    tokens = style.names(tokens, len(X), "tokens")
    owner = {value: i for i, row in enumerate(X) for value in row}
    if len(owner) != X.size:
        raise ValueError("the entries of X must all differ, so that each can be found again in a head")
    if len(X) > len(TOKEN_COLORS):
        raise ValueError(f"X must have at most {len(TOKEN_COLORS)} rows; got shape {X.shape}")
    cell, line = 0.44, 0.34
    word = max(style.text_width(token, style.TEXT) for token in tokens) + 0.2
    block = len(X) * line
    side = max(style.text_width(name, style.TEXT, "bold") for name in splits) + 0.3
    heads = [np.asarray(split, dtype=float) for split in splits.values()]
    reach = max(split.shape[0] * (split.shape[2] * cell + 0.5) for split in heads)
    left = max(side, word)
    width = max(left + reach, left + X.shape[1] * cell) + 0.3
    height = 0.45 + block + len(splits) * (0.75 + block) + 0.2
    figure, area = style.sheet(width, height)
    top = height - 0.45
    area.text(left, top + 0.14, "X", fontsize=style.TEXT, fontweight="bold", color=style.INK)
    _cells(area, X, owner, left, top, cell, line)
    for i, token in enumerate(tokens):
        y = top - (i + 0.5) * line
        area.text(left - 0.1, y, token, ha="right", va="center_baseline", fontsize=style.TEXT, color=style.INK)
    top -= block
    said = []
    for name, split in zip(splits, heads, strict=True):
        top -= 0.75
        middle = top - block / 2
        font = {"fontsize": style.TEXT, "fontweight": "bold", "color": style.INK}
        area.text(left - 0.15, middle, name, ha="right", va="center_baseline", **font)
        holds = []
        for h, head in enumerate(split):
            x = left + h * (split.shape[2] * cell + 0.5)
            area.text(x, top + 0.14, f"head {h}", fontsize=style.SMALL, color=style.MUTED)
            _cells(area, head, owner, x, top, cell, line)
            own = sorted({owner[value] for value in head.ravel()})
            lead = f"head {h} holds numbers of" if h == 0 else f"head {h} of"
            holds.append(f"{lead} {', '.join(tokens[i] for i in own)}")
        said.append(f"{name}: {'; '.join(holds)}.")
        top -= block
    count = {2: "Two", 3: "Three", 5: "Five"}.get(len(X), str(len(X)))
    return Picture(figure, f"{count} tokens with {X.shape[1]} numbers each. {' '.join(said)}")


def _cells(area, values, owner, left, top, cell, line):
    decimals = 0 if style.integral(values) else 2
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            color = TOKEN_COLORS[owner[value]]
            corner = left + j * cell, top - (i + 1) * line
            area.add_patch(Rectangle(corner, cell, line, facecolor=color, edgecolor=style.PAPER, linewidth=1.5))
            text = style.number(value, decimals)
            spot = corner[0] + cell / 2, corner[1] + line / 2
            area.text(*spot, text, ha="center", va="center_baseline", fontsize=style.SMALL, color=style.text_on(color))


def head_path(X, W_q, W_k, W_v, W_o, num_heads, tokens=None):
    """Draw the way of a sentence through all heads: project, split, attend, merge, mix; every matrix with its shape.

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
    W_q, W_k, W_v, W_o : ndarray of shape (d_model, d_model)
    num_heads : int
    tokens : list of str, length n, optional

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> I = [[1, 0], [0, 1]]
    >>> head_path([[1, 0], [0, 2], [1, 1]], I, I, I, I, 2, ["a", "b", "c"]).alt
    'X of shape (3, 2) goes through 2 heads. Each has Q, K and V of shape (3, 1), weights A of shape (3, 3) and a \
context C of shape (3, 1). The contexts side by side have shape (3, 2); times W_o of shape (2, 2) they are the result, \
of shape (3, 2).'
    """
    X, W_o = np.asarray(X, dtype=float), np.asarray(W_o, dtype=float)
    tokens = style.names(tokens, len(X), "x")
    # by slices: while a notebook is graded, its own functions are not there
    Q, K, V = (np.stack(np.split(X @ np.asarray(W), num_heads, axis=-1)) for W in (W_q, W_k, W_v))
    contexts, weights = attnlib.scaled_dot_product_attention(Q, K, V)
    merged = np.concatenate(list(contexts), axis=-1)

    def block(values, name, role, rows=None):
        return Block(Matrix(values, name, role, rows=rows), cell_width=0.2, cell_height=0.24, numbers=False)

    lanes = [
        [
            block(values[head], name, role)
            for values, name, role in [
                (Q, "Q", "query"),
                (K, "K", "key"),
                (weights, "A", "weights"),
                (V, "V", "value"),
                (contexts, "C", "context"),
            ]
        ]
        for head in range(num_heads)
    ]
    start = block(X, "X", "token", tokens)
    ends = [
        block(merged, "side by side", "context"),
        block(W_o, "W_o", "token"),
        block(merged @ W_o, "result", "context"),
    ]
    gap, lead = 0.1, 0.6
    tall = max(each.above + each.grid_height + each.below for lane in lanes for each in lane) + 0.5
    lane_width = sum(each.width for each in lanes[0]) + 4 * gap + 0.93
    first = 0.15 + start.width + lead
    last = first + lane_width + lead
    width = last + sum(each.width for each in ends) + 2 * 0.42 + 0.2
    height = num_heads * tall + 0.45
    figure, area = style.sheet(width, height)
    centre = num_heads * tall / 2
    start.draw(area, 0.15, centre)
    note = {"ha": "center", "va": "center", "fontsize": style.TEXT, "color": style.MUTED}
    for x, text in [
        (first - lead / 2, "project, split"),
        (first + lane_width / 2, "attend, in each head"),
        (last - lead / 2, "merge"),
        (width - 0.2 - (width - 0.2 - last) / 2, "mix"),
    ]:
        area.text(x, height - 0.18, text, **note)
    for head, lane in enumerate(lanes):
        middle = (num_heads - 0.5 - head) * tall
        style.pointer(area, (first - lead + 0.1, centre), (first - 0.1, middle))
        area.text(first - 0.02, middle + tall / 2 - 0.22, f"head {head}", fontsize=style.SMALL, color=style.MUTED)
        x = first
        for place, each in enumerate(lane):
            each.draw(area, x, middle)
            x += each.width + gap
            if place in (1, 2, 3):
                _between(area, ["", "", "@", "="][place], x - gap, middle)
                x += 0.31
        style.pointer(area, (last - lead + 0.1, middle), (last - 0.1, centre))
    x = last
    for sign, each in zip(("@", "=", ""), ends, strict=True):
        each.draw(area, x, centre)
        x += each.width
        if sign:
            _draw_sign(area, sign, x + 0.06, centre, 0.3)
        x += 0.42
    n, d_model = X.shape
    d = Q.shape[-1]
    return Picture(
        figure,
        f"X of shape {n, d_model} goes through {num_heads} heads. Each has Q, K and V of shape {n, d}, weights A of "
        f"shape {n, n} and a context C of shape {n, d}. The contexts side by side have shape {merged.shape}; times W_o "
        f"of shape {W_o.shape} they are the result, of shape {(merged @ W_o).shape}.",
    )


def _between(area, sign, x, y):
    """A sign between two matrices, or an arrow where there is none."""
    if sign:
        _draw_sign(area, sign, x + 0.085, y, 0.3)
    else:
        style.pointer(area, (x + 0.05, y), (x + 0.4, y))


def head_gallery(weights, tokens, heads=None, *, titles=None):
    """Draw the weights of several heads side by side, darker for more, all on one scale.

    Parameters
    ----------
    weights : ndarray of shape (num_heads, n, n)
    tokens : list of str, length n
    heads : list of int, optional
        Which heads; all of them by default.
    titles : list of str, optional
        What each does, in a word or two; "head 0", ... by default.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> weights = [[[1, 0], [1, 0]], [[0.5, 0.5], [0.2, 0.8]]]
    >>> head_gallery(weights, ["a", "b"]).alt
    'The weights of 2 heads. head 0: a looks at a, b at a; head 1: a looks at a, b at b.'
    """
    weights = _heads(weights, tokens)
    tokens = [str(token) for token in tokens]
    heads = list(range(len(weights))) if heads is None else list(heads)
    named = titles is not None
    titles = [f"head {h}" for h in heads] if titles is None else style.names(titles, len(heads), "titles")
    columns = min(len(heads), 3 if len(heads) <= 6 else 4)
    rows = -(-len(heads) // columns)
    word = max(style.text_width(token, style.SMALL) for token in tokens) + 0.12
    side = min((style.WIDTH - 0.2 - word) / columns - 0.25, 0.5 * len(tokens))
    below = word + 0.02
    each = below + side + 0.45
    widest = max(style.text_width(title, style.TEXT, "bold") for title in titles)
    step = max(side, widest) + 0.25
    width, foot = max(word + columns * step + 0.2, 3.4), 0.6
    figure, area = style.sheet(width, rows * each + foot)
    largest = weights[heads].max() or 1.0
    said = []
    for place, (h, title) in enumerate(zip(heads, titles, strict=True)):
        row, column = divmod(place, columns)
        x = 0.1 + word + column * step
        y = (rows - 1 - row) * each + below + foot - 0.03
        area.text(x, y + side + 0.12, title, fontsize=style.TEXT, fontweight="bold", color=style.INK)
        _square(area, weights[h], tokens, x, y, side, largest=largest, row_words=column == 0)
        looks = [
            f"{token} {'looks ' if i == 0 else ''}at {tokens[w.argmax()]}"
            for i, (token, w) in enumerate(zip(tokens, weights[h], strict=True))
        ]
        said.append(f"{title}: {', '.join(looks)}")
    middle, ends = width / 2, [style.number(x) for x in np.linspace(0, largest, 3)]
    draw_scale(area, _shades(np.linspace(0, largest, 41)[None], largest)[0], middle - 1, 0.28, 2.0, 0.14, ends)
    lead = "Weights" if named else f"The weights of {len(heads)} head{'s' * (len(heads) > 1)}"
    return Picture(figure, f"{lead}. {'; '.join(said)}.")


def head_at(weights, tokens, head=0, token=0, *, title=None):
    """Draw what one head does: all its weights, and those of one token as bars.

    Parameters
    ----------
    weights : ndarray of shape (num_heads, n, n)
    tokens : list of str, length n
    head : int
    token : int
        The token that asks.
    title : str, optional
        "Head 0 of 12" and so on by default.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> head_at([[[1, 0], [0.25, 0.75]]], ["a", "b"], head=0, token=1).alt
    'Head 0 of 1 (counted from 0). “b” attends to a 0.25, b 0.75.'
    """
    weights = _heads(weights, tokens)
    tokens = [str(name) for name in tokens]
    n = len(tokens)
    if not 0 <= head < len(weights):
        raise ValueError(f"head must be between 0 and {len(weights) - 1}; got {head}")
    if not 0 <= token < n:
        raise ValueError(f"token must be between 0 and {n - 1}; got {token}")
    row = weights[head, token]
    word = max(style.text_width(name, style.TEXT) for name in tokens) + 0.15
    side = min(3.6, 0.55 * n)
    height = 0.75 + max(side, 2.0) + word
    figure, area = style.sheet(style.WIDTH, height)
    title = f"Head {head} of {len(weights)} (counted from 0)" if title is None else title
    style.heading(area, style.WIDTH, height, title)
    y = word + max(side, 2.0) - side
    _square(area, weights[head], tokens, 0.15 + word, y, side, size=style.TEXT, highlight=token)
    left = 0.15 + word + side + 0.7
    # Upright words under the bars: a long sentence leaves no room for slanted ones.
    axes = style.panel(figure, left, word, style.WIDTH - left - 0.2, max(side, 2.0) - 0.25, f"“{tokens[token]}” asks")
    wide = (style.WIDTH - left - 0.2) / (n + 0.2)
    told = range(n) if n <= MOST_TOLD else _largest(row, round(0.3 / wide + 0.5))
    bars(axes, row, [""] * n, top=1.0, told=told)
    for j in told:
        font = {"fontsize": style.TEXT, "color": style.INK}
        area.text(left + wide * (j + 0.6), word - 0.08, tokens[j], rotation=90, ha="center", va="top", **font)
    heard = ", ".join(f"{name} {style.number(x)}" for name, x in zip(tokens, row, strict=True))
    return Picture(figure, f"{title}. “{tokens[token]}” attends to {heard}.")


def _largest(row, apart):
    """The places of the few largest weights, none of them nearer to another than that."""
    places = []
    for place in np.argsort(-row, kind="stable"):
        if len(places) < FEW and all(abs(place - other) >= apart for other in places):
            places.append(int(place))
    return places


def _heads(weights, tokens):
    weights = np.asarray(weights, dtype=float)
    if weights.ndim != 3 or weights.shape[1:] != (len(tokens), len(tokens)):
        raise ValueError(
            f"weights must have shape (num_heads, n, n) with n={len(tokens)} tokens; got shape {weights.shape}"
        )
    return weights


def _shades(weights, largest):
    """Colours of weights up to the largest; by their roots, since most are small and would all be nearly white."""
    return style.cell_colors(np.sqrt(np.clip(weights / largest, 0, 1)), "weights")


def _square(area, weights, tokens, x, y, side, size=style.SMALL, highlight=None, row_words=True, largest=1.0):
    """A matrix of weights without numbers; its words are left of it (who asks) and below it (who answers)."""
    n = len(tokens)
    cell = side / n
    draw_cells(area, _shades(weights, largest), x, y + side, cell, cell, edge=style.FAINT, line=0.4)
    size = min(size, 72 * cell * 0.92)
    for i, token in enumerate(tokens):
        middle = y + side - (i + 0.5) * cell
        weight = "bold" if i == highlight else "normal"
        font = {"fontsize": size, "color": style.INK, "fontweight": weight}
        if row_words:
            area.text(x - 0.06, middle, token, ha="right", va="center_baseline", **font)
        font = {"fontsize": size, "color": style.INK}
        area.text(x + (i + 0.5) * cell, y - 0.06, token, rotation=90, ha="center", va="top", **font)
    if highlight is not None:
        corner = x, y + side - (highlight + 1) * cell
        frame = Rectangle(corner, side, cell, facecolor="none", edgecolor=style.role("query").color, linewidth=2.2)
        area.add_patch(frame)
