"""How far a word reaches: the two roads, the curves measured on them, and the small networks of the explorer."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.picture import Picture

LOOKS = (("key", "-", "s"), ("value", "-.", "^"), ("context", "--", "*"), ("query", ":", "o"))


def two_roads(words):
    """Draw how the first word reaches the end: from state to state, or in one step.

    Parameters
    ----------
    words : list of str
        From two on.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> two_roads(["the", "old", "cat"])
    From "the" to the end: 2 steps from state to state in an RNN, 1 step in attention.
    """
    words, n = list(words), len(words)
    if n < 2:
        raise ValueError(f"words must be two at least; got {n}")
    width, height = style.WIDTH, 2.85
    figure, area = style.sheet(width, height)
    wide = (width / 2 - 0.5) / n
    titles = "hidden states: one after the other", "context vector: all at once"
    for side, (title, role_name) in enumerate(zip(titles, ("key", "context"), strict=True)):
        left = 0.25 + side * width / 2
        role = style.role(role_name)
        places = [left + (i + 0.5) * wide for i in range(n)]
        area.text(left, height - 0.25, title, fontsize=style.TEXT, color=role.ink, fontweight="bold", va="center")
        for place, word in zip(places, words, strict=True):
            style.box(area, place - 0.42 * wide, 0.25, 0.84 * wide, 0.42)
            size = min(style.TEXT, style.TEXT * 0.74 * wide / max(style.text_width(word, style.TEXT), 1e-9))
            area.text(place, 0.46, word, fontsize=size, color=style.INK, ha="center", va="center")
        if side == 0:
            for i, place in enumerate(places):
                first = i == 0
                style.pointer(area, (place, 0.7), (place, 1.38), color=role.ink if first else style.MUTED)
                area.plot(place, 1.55, marker=role.marker, color=role.color, markeredgecolor=role.ink, markersize=13)
                area.text(place, 1.88, f"h{i + 1}", fontsize=style.SMALL, color=role.ink, ha="center", va="center")
                if i:
                    style.pointer(area, (places[i - 1] + 0.13, 1.55), (place - 0.13, 1.55), color=role.ink)
        else:
            end = places[-1], 1.95
            for i, place in enumerate(places):
                style.pointer(area, (place, 0.7), (end[0] - 0.06, end[1] - 0.14), color=style.MUTED if i else role.ink)
            area.plot(*end, marker=role.marker, color=role.color, markeredgecolor=role.ink, markersize=19)
            area.text(end[0] - 0.3, end[1] + 0.06, "c", fontsize=style.TEXT, color=role.ink, ha="center", va="center")
    steps = f"{n - 1} step{'s' if n > 2 else ''} from state to state in an RNN"
    return Picture(figure, f'From "{words[0]}" to the end: {steps}, 1 step in attention.')


def reach_curves(curves, *, title=""):
    """Draw how strongly words reach the end, by their distance from it, on a logarithmic scale.

    Parameters
    ----------
    curves : dict of str to ndarray of shape (n,)
        What was measured, and the reach of each word, the last one nearest; up to four.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> reach_curves({"RNN": [0.01, 0.1, 1.0], "attention": [0.3, 0.3, 0.3]})
    Reach by steps before the last word. RNN: 1 at 0, 0.1 at 1, 0.01 at 2. attention: 0.3 at 0, 0.3 at 1, 0.3 at 2.
    """
    curves = {name: np.asarray(reach, dtype=float) for name, reach in curves.items()}
    width, height = style.WIDTH, 3.5 + (0.4 if title else 0)
    figure, area = style.sheet(width, height)
    axes = style.panel(figure, 0.95, 0.65, 5.1, 2.6)
    for (name, reach), (role_name, line, marker) in zip(curves.items(), LOOKS, strict=False):
        role = style.role(role_name)
        n = len(reach)
        shown = {"marker": marker, "markevery": max(1, n // 8), "markeredgecolor": role.ink, "markersize": 8}
        axes.plot(np.arange(n), reach[::-1], line, color=role.color, linewidth=2.2, label=name, **shown)
    axes.set_yscale("log")
    axes.axhline(1, color=style.MUTED, linewidth=0.8)
    axes.invert_xaxis()  # the last word on the right, as in a text
    _powers(axes)
    axes.set_xlabel("steps before the last word", fontsize=style.TEXT, color=style.INK)
    axes.set_ylabel("reach (log scale)", fontsize=style.TEXT, color=style.INK)
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, fontsize=style.TEXT)
    style.heading(area, width, height, title)
    said = []
    for name, reach in curves.items():
        steps = sorted({0, 1, *(2**k for k in range(1, 8)), len(reach) - 1} & set(range(len(reach))))
        said.append(f"{name}: {', '.join(f'{reach[-1 - k]:.2g} at {k}' for k in steps)}.")
    return Picture(figure, f"Reach by steps before the last word. {' '.join(said)}")


def reach_at(x, w, q, at=0):
    """Draw an RNN and an attention of one number each on the same words, and how far each word reaches in them.

    Parameters
    ----------
    x : ndarray of shape (n,)
        The words; keys and values of the attention as well.
    w : float
        How much of the state goes on.
    q : float
        The query.
    at : int
        The word that is nudged, counted from 0.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> reach_at([1, 0, 0, 0], 0.8, 1)
    Word 1 of 4, 3 steps before the last: a small nudge of it moves the last state 0.11 times as far, the context \
0.72 times.
    """
    x = np.asarray(x, dtype=float)
    n, words, one = len(x), x[:, None], np.ones((1, 1))
    states = attnlib.rnn_states(words, one, w * one, [0.0])[:, 0]
    rnn = attnlib.rnn_reach(words, one, w * one, [0.0])
    attention = attnlib.context_reach([q], words, one, one)
    figure = style.blank(style.WIDTH, 3.9)
    key, context, token = style.role("key"), style.role("context"), style.role("token")
    left = style.panel(figure, 0.6, 0.65, 3.5, 2.8, "words (bars) and states (line)")
    left.bar(
        np.arange(n), x, width=0.6, color=[style.role("query").color if t == at else token.color for t in range(n)]
    )
    left.plot(np.arange(n), states, color=key.color, marker=key.marker, markeredgecolor=key.ink, linewidth=2)
    left.axhline(0, color=style.MUTED, linewidth=0.8)
    left.set_ylim(-2.1, 2.1)
    left.set_xlabel("words", fontsize=style.TEXT, color=style.INK)
    right = style.panel(figure, 4.95, 0.65, 3.8, 2.8, "how far a nudge reaches")
    for name, reach, role, line in (("last state", rnn, key, "-"), ("context", attention, context, "--")):
        right.plot(np.arange(n), reach[::-1], line, color=role.color, linewidth=2.2, label=name)
        right.plot(n - 1 - at, reach[at], marker=role.marker, color=role.color, markeredgecolor=role.ink, markersize=11)
    right.set_yscale("log")
    right.invert_xaxis()
    every = range(0, n, 1 + n // 10)
    left.set_xticks(every, [str(t + 1) for t in every])
    right.set_xticks(every)
    _powers(right)
    right.set_xlabel("steps before the last word", fontsize=style.TEXT, color=style.INK)
    right.legend(frameon=False, fontsize=style.TEXT)
    steps = n - 1 - at
    where = f"{steps} step{'s' if steps > 1 else ''} before the last" if steps else "the last"
    return Picture(
        figure,
        f"Word {at + 1} of {n}, {where}: a small nudge of it moves the last state {rnn[at]:.2g} times as far, "
        f"the context {attention[at]:.2g} times.",
    )


def _powers(axes):
    """Powers of ten inside the limits as the ticks of a logarithmic axis, seven at most."""
    low, high = np.log10(axes.get_ylim())
    whole = np.arange(np.ceil(low), np.floor(high) + 1)
    axes.set_yticks(10.0 ** whole[:: 1 + (len(whole) - 1) // 7])
    axes.set_yticks([], minor=True)
