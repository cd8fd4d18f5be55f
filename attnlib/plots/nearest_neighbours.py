"""Attention as search: which keys are found, and with how much weight."""

import numpy as np

import attnlib
from attnlib.nearest_neighbours import METRICS
from attnlib.plots import style
from attnlib.plots.bars import bars, label_room
from attnlib.plots.labels import place_labels
from attnlib.plots.picture import Picture
from attnlib.plots.vectors import draw_arrow, pair, plane, two_columns


def neighbor_weights(q, K, k, temperature):
    """Weights of softmax(scores / temperature) over the k best keys; zero for all others.

    Parameters
    ----------
    q : ndarray of shape (d,)
    K : ndarray of shape (n_keys, d)
    k : int
    temperature : float

    Returns
    -------
    weights : ndarray of shape (n_keys,)

    Examples
    --------
    >>> neighbor_weights([1, 2], [[1, 2], [2, 0], [-1, 3]], 2, 1.0)
    array([0.5, 0. , 0.5])
    """
    K = np.asarray(K, dtype=float)
    # With one-hot values the context is the row of weights itself.
    return attnlib.knn_attention([np.asarray(q, dtype=float) / temperature], K, np.eye(len(K)), k)[0]


def neighbors_at(q, K, k, temperature=1.0, labels=None):
    """Draw a query among keys, the k that it finds, and the weights that it gives them.

    Parameters
    ----------
    q : ndarray of shape (2,)
    K : ndarray of shape (n_keys, 2)
    k : int
        How many keys may answer, those with the highest dot products.
    temperature : float
    labels : list of str, optional
        Of the keys.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(neighbors_at([1, 2], [[1, 2], [2, 0], [-1, 3]], 2, 0.5).alt)
    Query (1, 2) at 63°, k = 2 of 3 keys, temperature 0.5. Weights: k1 0.50, k2 0.00, k3 0.50. Left out: k2.
    """
    q, K = two_columns([q], "q")[0], two_columns(K, "K")
    labels = style.names(labels, len(K), "k")
    k = int(np.clip(round(k), 1, len(K)))
    weights = neighbor_weights(q, K, k, temperature)
    found = attnlib.knn_indices([q], K, k, "dot")[0]
    room = max(0.5, label_room(labels, 4.1 / len(K))[0])
    height = 4.1 + room
    figure, area = style.sheet(style.WIDTH, height)
    reach = 1.25 * max(np.linalg.norm(q), np.linalg.norm(K, axis=1).max())
    map_ = plane(
        figure, 0.4, 0.4, 3.9, height - 0.85, [], f"the {k} best keys" if k > 1 else "the best key", reach=reach
    )
    key, query = style.role("key"), style.role("query")
    for j, point in enumerate(K):
        chosen = j in found
        if chosen:
            map_.plot(*np.array([q, point]).T, color=query.color, linewidth=0.5 + 7 * weights[j], alpha=0.55, zorder=2)
        look = {"color": key.color if chosen else style.PAPER, "markeredgecolor": key.ink if chosen else style.MUTED}
        map_.plot(*point, marker=key.marker, markersize=10, zorder=4, **look)
    draw_arrow(map_, q, "query")
    colors = [query.ink] + [key.ink if j in found else style.MUTED for j in range(len(K))]
    place_labels(map_, np.vstack([q, K]), ["q", *labels], colors=colors, gap=0.13, bold={0})
    title = f"weights = softmax(scores / {temperature:.3g})"
    bars(style.panel(figure, 4.75, room, 4.0, height - room - 1.0, title), weights, labels, top=1.0)
    note = "all keys answer" if k == len(K) else f"the other {len(K) - k} get exactly 0"
    area.text(4.75, height - 0.25, f"k = {k} of {len(K)}: {note}", fontsize=style.TEXT, color=style.INK, va="center")
    listed = ", ".join(f"{label} {style.number(w)}" for label, w in zip(labels, weights, strict=True))
    out = [labels[j] for j in range(len(K)) if j not in found]
    angle = style.number(np.degrees(np.arctan2(q[1], q[0])), 0)
    said = f"Query {pair(q)} at {angle}°, k = {k} of {len(K)} keys, temperature {temperature:.3g}. Weights: {listed}."
    return Picture(figure, said + (f" Left out: {', '.join(out)}." if out else ""))


def neighbor_lists(words, E, word, k=6):
    """List the nearest words of a word by dot product, cosine and distance side by side.

    Parameters
    ----------
    words : list of str or dict of str to int, length vocab_size
        The word of each row of E.
    E : ndarray of shape (vocab_size, d_model)
    word : str
        Whose neighbours; it does not count as its own.
    k : int

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If the word is not among the words.

    Examples
    --------
    >>> print(neighbor_lists(["cat", "dog", "car"], [[1, 0], [0.8, 0.6], [4, -4]], "cat", k=1).alt)
    Nearest to cat. By dot product: car (4.00). By cosine: dog (0.80). By distance: dog (0.63).
    """
    words, E = list(words), np.asarray(E)
    if word not in words:
        raise ValueError(f"“{word}” is not among the {len(words):,} words; try another")
    place = words.index(word)
    q = E[[place]]
    measured = {
        "dot": attnlib.dot_scores(q, E)[0],
        "cosine": attnlib.cosine_scores(q, E)[0],
        "euclidean": np.sqrt(attnlib.squared_distances(q, E)[0]),
    }
    found = {}
    for metric in METRICS:
        nearest = attnlib.knn_indices(q, E, min(k + 1, len(words)), metric)[0]
        found[metric] = [j for j in nearest.tolist() if j != place][:k]
    everywhere = set.intersection(*(set(rows) for rows in found.values()))
    each, height = 2.75, 1.25 + 0.34 * k
    figure, area = style.sheet(0.6 + 3 * each, height)
    style.heading(area, 0.6 + 3 * each, height, f"Nearest to “{word}”")
    titles = ("largest dot product", "largest cosine", "smallest distance")
    for i, (metric, title) in enumerate(zip(METRICS, titles, strict=True)):
        x = 0.35 + i * each
        area.text(x, height - 0.75, title, fontsize=style.TEXT, fontweight="bold", color=style.INK, va="center")
        for rank, j in enumerate(found[metric]):
            y = height - 1.1 - 0.34 * rank
            same = j in everywhere
            font = {"fontsize": style.TEXT, "va": "center_baseline"}
            ink = style.role("key").ink if same else "#A33B00"
            area.text(x, y, f"{rank + 1}", color=style.MUTED, **font)
            area.text(x + 0.25, y, words[j], color=ink, fontweight="normal" if same else "bold", **font)
            area.text(x + each - 0.45, y, style.number(measured[metric][j]), color=style.MUTED, ha="right", **font)
    area.text(0.35, 0.15, "bold: not in all three lists", fontsize=style.SMALL, color=style.MUTED, va="center")
    said = [
        f"By {name}: {', '.join(f'{words[j]} ({style.number(measured[metric][j])})' for j in found[metric])}."
        for metric, name in zip(METRICS, ("dot product", "cosine", "distance"), strict=True)
    ]
    return Picture(figure, f"Nearest to {word}. {' '.join(said)}")
