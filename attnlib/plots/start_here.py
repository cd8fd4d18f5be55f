"""The first pictures of the course: what a trained head looks for, and how *bank* moves in two sentences."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars, label_room, listed
from attnlib.plots.labels import along, place_labels, zero_lines
from attnlib.plots.picture import Picture
from attnlib.plots.vectors import pair, plane, two_columns


def last_word_weights(words, beginning="She deposited money at the bank of the", asking="bank", head=4):
    """How much a head of the real layer looks at the last word of a sentence, for several last words.

    Parameters
    ----------
    words : list of str, length n
        The last words.
    beginning : str
        The sentence up to its last word.
    asking : str
        The word that looks.
    head : int

    Returns
    -------
    weights : ndarray of shape (n,)

    Raises
    ------
    ValueError
        If a word is not among the course's; the message names it.

    Examples
    --------
    >>> last_word_weights(["river", "cat"]).round(2)
    array([0.68, 0.  ], dtype=float32)
    """
    vocabulary, E = attnlib.load_word_vectors()
    layer = attnlib.load_attention_layer()
    given = {name: layer[name] for name in ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]}
    weights = []
    for word in words:
        tokens, token_ids = attnlib.sentence_ids(f"{beginning} {word}", vocabulary)
        X = attnlib.layer_input(token_ids, E, layer)
        heads = attnlib.multi_head_attention(X, X, **given)[1]  # (num_heads, n, n)
        weights.append(heads[head, tokens.index(asking), -2])  # behind the last word stands "[SEP]"
    return np.array(weights)


def last_words(words, **more):
    """Draw how much a head of the real layer looks at each of several last words of one sentence.

    Parameters
    ----------
    words : list of str
    **more
        As in `last_word_weights`.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(last_words(["river", "cat"]).alt)
    She deposited money at the bank of the ... How much bank looks at the last word: river 0.68, cat 0.00.
    """
    weights = last_word_weights(words, **more)
    beginning = more.get("beginning", "She deposited money at the bank of the")
    asking = more.get("asking", "bank")
    width, room = style.WIDTH, label_room(words, (style.WIDTH - 0.6) / len(words))[0]
    height = 3.15 + room
    figure, area = style.sheet(width, height)
    style.heading(area, width, height, f"\N{LEFT DOUBLE QUOTATION MARK}{beginning} …\N{RIGHT DOUBLE QUOTATION MARK}")
    area.text(
        width / 2,
        height - 0.6,
        f"how much {asking} looks at the last word, in one head of a trained model",
        fontsize=style.TEXT,
        color=style.MUTED,
        ha="center",
        va="center",
    )
    bars(style.panel(figure, 0.3, room, width - 0.6, 2.2), weights, words)
    return Picture(figure, f"{beginning} ... How much {asking} looks at the last word: {listed(words, weights)}.")


def in_context(tokens, X, asking, meanings=("water", "money")):
    """Draw how one token of a sentence is put in context: scores, shares, blend.

    Parameters
    ----------
    tokens : list of str, length n
    X : ndarray of shape (n, 2)
    asking : str
        The token that asks.
    meanings : tuple of str
        What the two numbers of a token stand for.

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If X has another shape, or the token that asks is not there.

    Examples
    --------
    >>> print(in_context(["bank", "river"], [[1, 1], [3, 0]], "bank").alt)
    bank (1, 1) asks. Scores: bank 2, river 3. Shares: bank 0.27, river 0.73. The blend is (2.46, 0.27).
    """
    X, tokens = two_columns(X, "X"), style.names(tokens, len(X), "tokens")
    if asking not in tokens:
        raise ValueError(f"asking must be one of the tokens {', '.join(tokens)}; got {asking!r}")
    q = X[tokens.index(asking)]
    scores = X @ q
    shares = attnlib.softmax(scores)
    context = shares @ X
    decimals = 0 if style.integral(scores) else 2
    room = max(0.5, label_room(tokens, 2.1 / len(X))[0])
    height = 3.7 + room
    figure = style.blank(style.WIDTH, height)
    top = height - 0.45
    bars(style.panel(figure, 0.35, room, 2.2, top - room, "1 scores"), scores, tokens, role="scores", decimals=decimals)
    bars(style.panel(figure, 2.95, room, 2.2, top - room, "2 shares"), shares, tokens, top=1.0)
    axes = _meadow(figure, (5.75, 0.6, 3.05, top - 0.6), np.vstack([X, context]), meanings, "3 blend")
    _draw_moves(axes, _places(tokens, X), {asking: q}, {f"{asking} in context": context})
    alt = (
        f"{asking} {pair(q)} asks. Scores: {listed(tokens, scores, decimals)}. Shares: {listed(tokens, shares)}. "
        f"The blend is {pair(context)}."
    )
    return Picture(figure, alt)


def moved(start, ends, landmarks, name="bank", meanings=("water", "money")):
    """Draw where a token stood before it was put in context, and where it stands then.

    Parameters
    ----------
    start : ndarray of shape (2,)
    ends : dict of str to ndarray of shape (2,), or None
        By a word that says in which sentence. What is None is not computed yet.
    landmarks : dict of str to ndarray of shape (2,)
        Other tokens.
    name : str
        Of the token.
    meanings : tuple of str

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If the ends are no dict, or a vector has not two numbers.

    Examples
    --------
    >>> print(moved([1, 1], {"river": [2.3, 0.25], "money": None}, {"river": [3, 0]}).alt)
    bank stood at (1, 1). With river it is at (2.3, 0.25). With money it is not computed yet.
    """
    start = two_columns([start], "start")[0]
    places = {word: two_columns([vector], word)[0] for word, vector in landmarks.items()}
    ends = dict.fromkeys(landmarks) if ends is None else ends
    if not isinstance(ends, dict):
        raise ValueError(f"ends must be a dict, with a vector for each sentence; got {type(ends).__name__}")
    found = {word: two_columns([vector], word)[0] for word, vector in ends.items() if vector is not None}
    figure = style.blank(6.4, 4.6)
    points = np.array([start, *places.values(), *found.values()])
    axes = _meadow(figure, (0.75, 0.6, 5.4, 3.8), points, meanings)
    _draw_moves(axes, places, {name: start}, {f"{name}, with {word}": vector for word, vector in found.items()})
    said = [f"With {word} it is {f'at {pair(found[word])}' if word in found else 'not computed yet'}." for word in ends]
    return Picture(figure, f"{name} stood at {pair(start)}. {' '.join(said)}")


def _meadow(figure, box, points, meanings, title=""):
    """The plane of two meanings, each named at its axis; `box` is left, bottom, width and height in inches."""
    axes = plane(figure, *box, points, title)
    font = {"fontsize": style.TEXT, "color": style.MUTED, "xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate(f"{meanings[0]} →", (1, 0), (0, -20), ha="right", va="top", **font)
    axes.annotate(f"{meanings[1]} →", (0, 1), (-22, 0), ha="right", va="top", rotation=90, **font)
    return axes


def _places(tokens, X):
    """The vectors by name; tokens at the same place share it."""
    at = {}
    for token, vector in zip(tokens, X, strict=True):
        at.setdefault(tuple(vector), []).append(token)
    return {", ".join(names): np.array(vector) for vector, names in at.items()}


def _draw_moves(axes, places, start, ends):
    """Draw tokens, the one that asks, and where it moves."""
    named = {"token": places, "query": start, "context": ends}
    at = next(iter(start.values()))
    for end in ends.values():
        style.pointer(axes, at, end, color=style.role("context").color, line=2.2, size=14)
    for role_name, vectors in named.items():
        role = style.role(role_name)
        look = {"marker": role.marker, "color": role.color, "markeredgecolor": role.ink, "linestyle": "none"}
        axes.plot(
            *np.reshape(list(vectors.values()), (-1, 2)).T, markersize=17 if role_name == "context" else 9, **look
        )
    labels = {word: (vector, "token") for word, vector in places.items() if word not in start}
    labels |= {word: (vector, "query") for word, vector in start.items()}
    labels |= {word: (vector, "context") for word, vector in ends.items()}
    place_labels(
        axes,
        [vector for vector, _ in labels.values()],
        list(labels),
        colors=[style.role(role_name).ink for _, role_name in labels.values()],
        gap=0.17,
        bold={i for i, (_, role_name) in enumerate(labels.values()) if role_name == "context"},
        avoid=np.vstack([zero_lines(axes), *(along(at, end) for end in ends.values())]),
    )
