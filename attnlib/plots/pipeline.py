"""The three stages of attention in one picture: score, softmax, mix."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.matrices import Block, Matrix, describe
from attnlib.plots.picture import Picture


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
    weights_above = max(0.78, blocks["weights"].above + 0.1)  # names stand above the lower grids
    low = blocks["weights"].grid_height
    header = (0.5 if title else 0.1) + 0.62
    height = 0.62 + low + weights_above + top_grid + top_above + header + 0.1
    Q_left = pad + 0.1
    K_left = Q_left + blocks["Q"].width + 0.3
    scores_end = K_left + max(blocks["K"].width, blocks["scores"].width)
    weights_left = scores_end + between
    V_left = weights_left + blocks["weights"].width + 0.4
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
    blocks["Q"].draw(area, Q_left, middle)
    grid = blocks["K"].draw(area, K_left, upper)
    blocks["scores"].draw(area, grid - blocks["scores"].left, middle)
    blocks["weights"].draw(area, weights_left, middle)
    grid = blocks["V"].draw(area, V_left, upper)
    blocks["context"].draw(area, grid - blocks["context"].left, middle)
    style.pointer(area, (scores_end + 0.02, middle), (weights_left + 0.02, middle), line=2.2, size=16)
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
