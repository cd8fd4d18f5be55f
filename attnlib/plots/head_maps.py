"""Attention with several heads in one picture, and one head as two maps: where it looks, and what it writes."""

import numpy as np
from matplotlib.patches import Rectangle

import attnlib
from attnlib.plots import style
from attnlib.plots.matrices import Block, Matrix, _draw_sign, draw_cells
from attnlib.plots.picture import Picture

HEAD_COLORS = ["#8A6FC0", "#3F9496", "#C0694E", "#8C8C34"]  # none of them is the colour of a role
MOST_NUMBERS = 6  # rows or columns of a matrix whose numbers are written


def multi_head_map(X, W_q, W_k, W_v, W_o, num_heads, tokens=None, *, token=0, title="Multi-head attention"):
    """Draw the whole of multi-head attention from above to below, with the rows of one token framed.

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
    W_q, W_k, W_v, W_o : ndarray of shape (d_model, d_model)
    num_heads : int
        It divides d_model.
    tokens : list of str, length n, optional
    token : int
        The one that is followed.
    title : str

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If `token` is none of the tokens.

    Examples
    --------
    >>> I = [[1, 0], [0, 1]]
    >>> print(multi_head_map([[1, 0], [0, 2], [1, 1]], I, I, I, I, 2, ["a", "b", "c"]).alt)
    Multi-head attention. Project: X of shape (3, 2) becomes Q, K and V of shape (3, 2). \
Split: each of them becomes (2, 3, 1), its columns dealt out to 2 heads. \
Attend: each head has weights of shape (3, 3) and a context of shape (3, 1). \
Merge: (2, 3, 1) becomes (3, 2). Mix: times W_o of shape (2, 2) gives the output of shape (3, 2). \
Followed is a: head 0 looks most at a (0.42), head 1 looks most at a (0.33).
    """
    X, W_o = np.asarray(X, dtype=float), np.asarray(W_o, dtype=float)
    tokens = style.names(tokens, len(X), "x")
    _check_token(token, tokens)
    # by slices: while a notebook is graded, its own functions are not there
    whole = [X @ np.asarray(W, dtype=float) for W in (W_q, W_k, W_v)]
    heads = [np.stack(np.split(rows, num_heads, axis=-1)) for rows in whole]
    contexts, weights = attnlib.scaled_dot_product_attention(*heads)
    merged = np.concatenate(list(contexts), axis=-1)
    (n, d_model), d = X.shape, contexts.shape[-1]

    card = (style.WIDTH - 0.3 - 0.15 * (num_heads - 1)) / num_heads
    cell = 0.2
    wide, narrow = min(cell, 2.2 / d_model), min(cell, (card - 1.5) / (4 * d + n))

    def block(values, name, role, rows=None, follow=True, width=wide, shape=True):
        highlight = [(token, j) for j in range(values.shape[1])] if follow else ()
        matrix = Matrix(values, name, role, rows=rows, highlight=highlight)
        return Block(matrix, cell_width=width, cell_height=cell, numbers=False, shape=shape)

    high = n * cell
    arrow, row = 0.62, 0.3 + high + 0.28
    bottom = 0.3 + d_model * cell + 0.28
    height = 0.5 + 2 * row + 3 * arrow + (row + 0.45) + max(row, bottom) + 0.1
    figure, area = style.sheet(style.WIDTH, height)
    style.heading(area, style.WIDTH, height, title)

    def stage(y, name, shapes):
        area.text(0.2, y + 0.1, name, fontsize=style.TEXT, fontweight="bold", color=style.INK, va="center")
        area.text(0.2, y - 0.12, shapes, fontsize=style.SMALL, color=style.MUTED, va="center")

    def place(each, centre, middle):
        """Draw a block with its grid round a centre; return the grid's left edge."""
        return each.draw(area, centre - each.grid_width / 2 - each.left, middle)

    centre, y = style.WIDTH / 2, height - 0.5 - 0.3 - high / 2
    start = place(block(X, "X", "token", tokens), centre, y)
    told = f"framed: the rows of “{tokens[token]}”"
    note = start + d_model * wide + 0.25
    area.text(note, y, told, fontsize=style.SMALL, color=style.INK, va="center_baseline")

    top = y - high / 2 - 0.3
    stage(top - arrow / 2, "1 project", f"({n}, {d_model}) → ({n}, {d_model})")
    y = top - arrow - 0.3 - high / 2
    for i, (values, name, role) in enumerate(zip(whole, "QKV", ("query", "key", "value"), strict=True)):
        x = centre + (i - 1) * 2.3
        left = place(block(values, name, role, follow=role == "query"), x, y)
        _bands(area, left, y - high / 2, d * wide, num_heads)
        color = style.role(role).color
        style.pointer(area, (centre + (i - 1) * 0.35, top), (x, top - arrow + 0.03), color=color)
        side = {"ha": "right" if i == 0 else "left", "va": "center", "fontsize": style.SMALL}
        spot = centre + (i - 1) * 1.55 + (-0.1, 0.1, 0.1)[i]
        area.text(spot, top - arrow / 2 + (0.1, 0, 0.1)[i], f"@ W_{name.lower()}", color=style.role(role).ink, **side)

    top = y - high / 2 - 0.28
    stage(top - arrow / 2, "2 split", f"({n}, {d_model}) → ({num_heads}, {n}, {d})")
    ceiling, floor = top - arrow, top - arrow - (row + 0.4)
    y = ceiling - 0.62 - high / 2
    said, ports = [], []
    for h in range(num_heads):
        left, color = 0.15 + h * (card + 0.15), HEAD_COLORS[h % len(HEAD_COLORS)]
        style.box(area, left, floor, card, ceiling - floor, edge=color, line=2)
        style.pointer(area, (centre + (h - (num_heads - 1) / 2) * 1.2, top), (left + card / 2, ceiling), color=color)
        area.text(
            left + 0.1,
            ceiling - 0.16,
            f"3 attend: head {h}",
            fontsize=style.TEXT,
            color=style.INK,
            va="center",
            fontweight="bold",
        )
        blocks = [
            block(values[h], name, role, None, role not in ("key", "value"), narrow, shape=role == "weights")
            for values, name, role in (
                (heads[0], "Q", "query"),
                (heads[1], "K", "key"),
                (weights, "A", "weights"),
                (heads[2], "V", "value"),
                (contexts, "C", "context"),
            )
        ]
        gaps = [0.08, 0.34, 0.32, 0.32]
        free = card - sum(each.width for each in blocks) - sum(gaps)
        x = left + free / 2
        for i, each in enumerate(blocks):
            each.draw(area, x, y)
            x += each.width
            if i == 1:
                style.pointer(area, (x + 0.04, y), (x + gaps[1] - 0.04, y))
            elif i in (2, 3):
                _draw_sign(area, "@="[i - 2], x, y, gaps[i])
            x += gaps[i] if i < len(gaps) else 0
        ports.append(x - blocks[-1].width / 2)
        best = int(weights[h, token].argmax())
        said.append(f"head {h} looks most at {tokens[best]} ({style.number(weights[h, token, best])})")

    stage(floor - arrow / 2, "4 merge", f"({num_heads}, {n}, {d}) → ({n}, {d_model})")
    y = floor - arrow - 0.3 - max(high, d_model * cell) / 2
    ends = [
        block(merged, "side by side", "context"),
        block(W_o, "W_o", "token", follow=False),
        block(merged @ W_o, "output", "context", tokens),
    ]
    x = centre - (sum(each.width for each in ends) + 0.8) / 2
    for i, each in enumerate(ends):
        left = each.draw(area, x, y)
        if i == 0:
            _bands(area, left, y - high / 2, d * wide, num_heads)
            for h, port in enumerate(ports):
                color = HEAD_COLORS[h % len(HEAD_COLORS)]
                end = left + (h + 0.5) * d * wide, y + high / 2 + 0.3
                style.pointer(area, (port, floor), end, color=color)
        if i == 1:
            _bands(area, left, y + d_model * cell / 2, d * cell, num_heads, upright=True)
        x += each.width
        if i < 2:
            _draw_sign(area, "@="[i], x - 0.03 * (i == 0), y, 0.4)  # free of the bands beside W_o
            x += 0.4
    stage(y, "5 mix", f"({n}, {d_model}) @ ({d_model}, {d_model})")
    return Picture(
        figure,
        f"{title}. Project: X of shape {n, d_model} becomes Q, K and V of shape {n, d_model}. "
        f"Split: each of them becomes {num_heads, n, d}, its columns dealt out to {num_heads} heads. "
        f"Attend: each head has weights of shape {n, n} and a context of shape {n, d}. "
        f"Merge: {num_heads, n, d} becomes {n, d_model}. Mix: times W_o of shape {W_o.shape} gives the output of "
        f"shape {n, d_model}. Followed is {tokens[token]}: {', '.join(said)}.",
    )


def _bands(area, x, y, length, num_heads, upright=False):
    """A bar in the colour of each head: below its columns, or left of its rows."""
    for h in range(num_heads):
        corner = (x - 0.07, y - (h + 1) * length) if upright else (x + h * length, y - 0.07)
        size = (0.05, length) if upright else (length, 0.05)
        area.add_patch(Rectangle(corner, *size, facecolor=HEAD_COLORS[h % len(HEAD_COLORS)], edgecolor=style.PAPER))


def _check_token(token, tokens):
    if not 0 <= token < len(tokens):
        raise ValueError(f"token must be between 0 and {len(tokens) - 1}; got {token}")


def head_as_map(
    X, W_q, W_k, W_v, W_o, tokens=None, *, coordinates=None, token=0, title="A head: where it looks, what it writes"
):
    """Draw a head as two maps: one says where each token looks, the other what each token would write.

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
        Small, since every number is drawn.
    W_q, W_k : ndarray of shape (d_model, d_k)
    W_v : ndarray of shape (d_model, d_v)
    W_o : ndarray of shape (d_v, d_model)
        The head's own rows of the output matrix.
    tokens, coordinates : list of str, optional
        Labels of the rows and of the columns of X.
    token : int
        The one that asks.
    title : str

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If `token` is none of the tokens.

    Examples
    --------
    >>> print(head_as_map([[1, 0], [0, 1]], [[0], [1]], [[1], [0]], [[2], [0]], [[0, 3]], ["a", "b"], token=1).alt)
    A head: where it looks, what it writes. Where to look: W_q W_kᵀ of shape (2, 2) says that \
a looks at a 0.50, b 0.50; b looks at a 0.73, b 0.27. \
What is written: W_v W_o of shape (2, 2) makes of a 0, 6; of b 0, 0. Together, b hears 0.00, 4.39.
    """
    X, W_q, W_k, W_v, W_o = (np.asarray(each, dtype=float) for each in (X, W_q, W_k, W_v, W_o))
    tokens = style.names(tokens, len(X), "x")
    _check_token(token, tokens)
    weights = attnlib.softmax(attnlib.dot_scores(X @ W_q, X @ W_k) / np.sqrt(W_q.shape[1]))
    asks, writes = W_q @ W_k.T, W_v @ W_o
    messages = X @ writes
    heard = weights[token] @ messages
    n = len(X)

    def block(values, name, role, rows, columns, highlight=()):
        numbers = max(values.shape) <= MOST_NUMBERS
        cell = None if numbers else min(0.34, 3 / values.shape[1])
        return Block(Matrix(values, name, role, rows, columns, highlight), numbers=numbers, cell_width=cell)

    frame = [(token, j) for j in range(n)]
    cards = [
        (
            "QK: where to look",
            "what is asked\nmeets what is there",
            block(asks, "W_q W_kᵀ", "scores", coordinates, coordinates),
            "X … Xᵀ, softmax",
            block(weights, "weights", "weights", tokens, tokens, frame),
        ),
        (
            "OV: what is written",
            "what is there\nbecomes a message",
            block(writes, "W_v W_o", "value", coordinates, coordinates),
            "X @ …",
            block(messages, "messages", "value", tokens, coordinates),
        ),
    ]
    talls = [max(each.above + each.grid_height + each.below for each in (a, b)) + 0.25 for _, _, a, _, b in cards]
    lead, wide = 1.95, max(style.text_width(words, style.TEXT) for _, _, _, words, _ in cards) + 0.3
    first = max(a.width for _, _, a, _, _ in cards)
    width = max(style.WIDTH, lead + first + wide + max(b.width for *_, b in cards) + 0.9)
    flow = 2.5
    height = 0.5 + sum(talls) + flow + 0.2
    figure, area = style.sheet(width, height)
    style.heading(area, width, height, title)
    y = height - 0.5
    spare = (width - lead - first - wide - max(b.width for *_, b in cards) - 0.3) / 3
    for (name, meaning, table, words, result), tall in zip(cards, talls, strict=True):
        y -= tall
        style.box(area, 0.12, y + 0.06, width - 0.24, tall - 0.06, fill="#F6F7F9")
        below = max(table.below, result.below) + 0.12
        middle = y + below + max(table.grid_height, result.grid_height) / 2
        area.text(0.3, middle + 0.25, name, fontsize=style.TEXT, fontweight="bold", color=style.INK, va="center")
        area.text(0.3, middle + 0.1, meaning, fontsize=style.SMALL, color=style.MUTED, va="top", linespacing=1.4)
        x = lead + spare + first - table.width
        table.draw(area, x, middle)
        x = lead + first + 1.5 * spare
        _draw_sign(area, words, x + 0.1, middle, wide - 0.1)
        result.draw(area, lead + first + wide + 2 * spare, middle)
    _flow(area, tokens, weights[token], messages, heard, token, width, y - 0.1)
    looks = "; ".join(
        f"{name} looks at {', '.join(f'{other} {style.number(w)}' for other, w in zip(tokens, row, strict=True))}"
        for name, row in zip(tokens, weights, strict=True)
    )
    decimals = 0 if style.integral(messages) else 2
    written = "; ".join(
        f"of {name} {', '.join(style.number(x, decimals) for x in row)}"
        for name, row in zip(tokens, messages, strict=True)
    )
    return Picture(
        figure,
        f"{title}. Where to look: W_q W_kᵀ of shape {asks.shape} says that {looks}. What is written: W_v W_o of shape "
        f"{writes.shape} makes {written}. Together, {tokens[token]} hears {', '.join(map(style.number, heard))}.",
    )


def _flow(area, tokens, weights, messages, heard, token, width, top):
    """The messages of all words, each with the breadth of its weight, flow into the word that asks."""
    n, d = messages.shape
    colors = style.cell_colors(np.vstack([messages, heard]), "value")
    each = (width - 0.6) / n
    cell = min(0.3, 0.8 * each / d)
    value, context, query = (style.role(name) for name in ("value", "context", "query"))
    end = width / 2, top - 1.72
    for i, (name, weight) in enumerate(zip(tokens, weights, strict=True)):
        x = 0.3 + (i + 0.5) * each
        ink = query.ink if i == token else style.INK
        font = {"fontsize": style.TEXT, "ha": "center", "va": "center_baseline"}
        area.text(x, top - 0.14, name, color=ink, fontweight="bold" if i == token else "normal", **font)
        draw_cells(area, colors[i : i + 1], x - d * cell / 2, top - 0.3, cell, 0.24, edge=style.FAINT, line=0.8)
        start = np.array([x, top - 0.58])
        area.plot(
            *np.array([start, end]).T, color=value.color, alpha=0.7, linewidth=0.5 + 14 * weight, solid_capstyle="butt"
        )
        spot = start + 0.3 * (np.array(end) - start)
        paper = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 1.5}
        area.text(*spot, style.number(weight), color=style.INK, bbox=paper, zorder=5, **font)
    draw_cells(area, colors[n:], end[0] - d * cell / 2, end[1], cell, 0.24, edge=style.FAINT, line=0.8)
    frame = Rectangle((end[0] - d * cell / 2, end[1] - 0.24), d * cell, 0.24)
    frame.set(facecolor="none", edgecolor=context.color, linewidth=2, zorder=4)
    area.add_patch(frame)
    numbers = f"({', '.join(map(style.number, heard))})" if d <= MOST_NUMBERS else f"{d} numbers"
    told = f"“{tokens[token]}” hears {numbers}"
    area.text(end[0], end[1] - 0.42, told, fontsize=style.TEXT, color=context.ink, ha="center", va="center_baseline")
