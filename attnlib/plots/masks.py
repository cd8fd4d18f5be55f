"""Masks: who may attend to whom, what that does to the weights, and whether the future leaks. True = may attend."""

import numpy as np
from matplotlib.patches import Rectangle

import attnlib
from attnlib.plots import style
from attnlib.plots.matrices import Block, Matrix, _draw_sign, _sign_width, heat_map
from attnlib.plots.picture import Picture

YES, NO = "\N{CHECK MARK}", "\N{MULTIPLICATION SIGN}"
CLOSED = "#D3D7DE"


def _close(area, block, left, middle, allowed, text):
    """Cover the cells of a drawn block where attention is not allowed, and write `text` on them."""
    top = middle + block.grid_height / 2
    for i, j in np.argwhere(~allowed):
        x, y = left + j * block.cell_width, top - (i + 1) * block.cell_height
        cell = Rectangle((x, y), block.cell_width, block.cell_height)
        cell.set(facecolor=CLOSED, edgecolor=style.PAPER, linewidth=1.5, zorder=3)
        area.add_patch(cell)
        centre = x + block.cell_width / 2, y + block.cell_height / 2
        area.text(
            *centre,
            text,
            fontsize=style.TEXT,
            color=style.role("scores").ink,
            ha="center",
            va="center_baseline",
            zorder=4,
        )
    frame = Rectangle((left, top - block.grid_height), block.grid_width, block.grid_height)
    frame.set(facecolor="none", edgecolor=style.role(block.matrix.role).color, linewidth=1.2, zorder=4)
    area.add_patch(frame)


def _boolean(mask, name="mask"):
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.ndim != 2:
        raise ValueError(f"{name} must be boolean, of shape (n_queries, n_keys); got {mask.dtype}, shape {mask.shape}")
    return mask


def _spoken(mask, queries, keys):
    """Who may attend to whom, in words."""
    said = []
    for query, row in zip(queries, mask, strict=True):
        seen = [key for key, allowed in zip(keys, row, strict=True) if allowed]
        said.append(f"{query} may attend to {', '.join(seen) if seen else 'nothing'}")
    return "; ".join(said)


def mask_gallery(masks, titles=None, keys=None, queries=None):
    """Draw masks side by side: a tick where a query (row) may attend to a key (column), a cross where not.

    Parameters
    ----------
    masks : list of bool ndarrays of shape (n_queries, n_keys)
        True = may attend. A mask of one row is the same for every query.
    titles : list of str, optional
    keys, queries : list of str, optional
        Labels; of the queries, those of the keys by default.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> import attnlib
    >>> mask_gallery([attnlib.causal_mask(2)], ["causal"], ["The", "cat"]).alt
    'causal: The may attend to The; cat may attend to The, cat.'
    """
    masks = [_boolean(mask, "masks") for mask in masks]
    titles = style.names(titles, len(masks), "mask ")
    keys = style.names(keys, masks[0].shape[1], "k")
    blocks, rows = [], []
    for mask, title in zip(masks, titles, strict=True):
        own = queries or keys
        own = ["every query"] if len(mask) == 1 else style.names(own, len(mask), "queries")
        block = Block(Matrix(mask, title, "weights", rows=own, columns=keys), cell_height=0.42)
        block.texts = [[YES] * mask.shape[1] for _ in mask]
        block.matrix.values = np.zeros(mask.shape)  # open cells are white: a tick is easier to see there than on black
        blocks.append(block)
        rows.append(own)
    gap = 0.5
    width = sum(block.width for block in blocks) + gap * (len(blocks) - 1) + 0.5
    half = max(block.grid_height for block in blocks) / 2
    above, below = max(block.above for block in blocks), max(block.below for block in blocks)
    figure, area = style.sheet(width, above + 2 * half + below + 0.3)
    x, said = 0.25, []
    for mask, block, title, own in zip(masks, blocks, titles, rows, strict=True):
        middle = below + 0.15 + 2 * half - block.grid_height / 2
        left = block.draw(area, x, middle)
        _close(area, block, left, middle, mask, NO)
        x += block.width + gap
        said.append(f"{title}: {_spoken(mask, own, keys)}.")
    return Picture(figure, " ".join(said))


def masked_weights(scores, mask, queries=None, keys=None, *, title=""):
    """Draw scores, the same with minus infinity where the mask forbids, and the weights that softmax makes of them.

    Parameters
    ----------
    scores : ndarray of shape (n_queries, n_keys)
    mask : bool ndarray of shape (n_queries, n_keys) or (1, n_keys)
        True = may attend.
    queries, keys : list of str, optional
        Labels.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(masked_weights([[0, 0, 9.0]], [[True, True, False]], ["q"], ["a", "b", "c"]).alt)
    q may attend to a, b. Weights: q: a 0.50, b 0.50, c 0.00.
    """
    scores = np.asarray(scores, dtype=float)
    mask = np.broadcast_to(_boolean(mask), scores.shape)
    queries, keys = style.names(queries, len(scores), "q"), style.names(keys, scores.shape[1], "k")
    weights = attnlib.masked_softmax(scores, mask)
    parts = [
        (Block(Matrix(scores, "scores", "scores", rows=queries, columns=keys)), None),
        ("mask", None),
        (Block(Matrix(scores, "masked scores", "scores", columns=keys)), "\N{MINUS SIGN}\N{INFINITY}"),
        ("softmax", None),
        (Block(Matrix(weights, "weights", "weights", rows=queries, columns=keys)), "0"),
    ]
    gap, header = 0.14, 0.5 if title else 0.1
    widths = [_sign_width(part) if isinstance(part, str) else part.width for part, _ in parts]
    blocks = [part for part, _ in parts if not isinstance(part, str)]
    above, below = max(block.above for block in blocks), max(block.below for block in blocks)
    width = sum(widths) + gap * (len(parts) - 1) + 0.4
    height = header + above + blocks[0].grid_height + below + 0.25
    figure, area = style.sheet(width, height)
    x, middle = 0.2, 0.12 + below + blocks[0].grid_height / 2
    for (part, text), part_width in zip(parts, widths, strict=True):
        if isinstance(part, str):
            _draw_sign(area, part, x, middle, part_width)
        else:
            left = part.draw(area, x, middle)
            if text:
                _close(area, part, left, middle, mask, text)
        x += part_width + gap
    if title:
        style.heading(area, width, height, title)
    rows = [
        f"{query}: {', '.join(f'{key} {style.number(w)}' for key, w in zip(keys, row, strict=True))}"
        if seen.any()
        else f"{query}: 0 everywhere"
        for query, row, seen in zip(queries, weights, mask, strict=True)
    ]
    lead = f"{title}. " if title else ""
    return Picture(figure, f"{lead}{_spoken(mask, queries, keys)}. Weights: {'; '.join(rows)}.")


def changes(attention, n=5, d=5, seed=0):
    """How far each row of the context moves when each token in turn is replaced by another.

    Parameters
    ----------
    attention : callable
        Takes X of shape (n, d), returns the context, one row a token.
    n, d : int
    seed : int
        Of the random tokens.

    Returns
    -------
    moved : ndarray of shape (n, n)
        Entry (i, j): the largest change of row i when token j is replaced.

    Examples
    --------
    >>> changes(lambda X: X, n=3).astype(bool)
    array([[ True, False, False],
           [False,  True, False],
           [False, False,  True]])
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    before = np.asarray(attention(X.copy()))
    moved = np.empty((n, n))
    for j in range(n):
        changed = X.copy()
        changed[j] = rng.standard_normal(d)
        moved[:, j] = np.abs(np.asarray(attention(changed)) - before).max(axis=1)
    return np.where(moved > 1e-9, moved, 0.0)  # what is smaller is rounding


def leak_map(attention, labels=None, *, d=5, title=""):
    """Draw which rows of the context move when a token is replaced; a row that follows a later token is outlined.

    Parameters
    ----------
    attention : callable
        Takes X of shape (n, d), returns the context, one row a token.
    labels : list of str, optional
        Of the n tokens; five without names by default.
    d : int
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> leak_map(lambda X: X, ["The", "cat"]).alt
    'How far each row of the context moves when one token is replaced. No row follows a later token.'
    """
    labels = style.names(labels, 5 if labels is None else len(labels), "token ")
    moved = changes(attention, len(labels), d)
    leaks = [(i, j) for i, j in np.argwhere(moved > 0) if j > i]
    picture = heat_map(
        moved,
        labels,
        labels,
        title=title,
        row_axis="row of the context",
        column_axis="token that is replaced",
        highlight=leaks,
    )
    said = "; ".join(f"{labels[i]} follows {labels[j]}" for i, j in leaks)
    lead = f"{title}. " if title else ""
    found = f"Leaks: {said}." if leaks else "No row follows a later token."
    text = f"{lead}How far each row of the context moves when one token is replaced. {found}"
    return Picture(picture.figure, text)
