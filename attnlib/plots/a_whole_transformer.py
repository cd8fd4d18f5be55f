"""Words with two meanings on their way through a transformer, and who called whom when it ran."""

import numpy as np

from attnlib.plots import style
from attnlib.plots.picture import Picture

#: Which layers the small maps show.
SHOWN = 0, 1, 2, 3, 4, 6
COLORS, MARKERS = ("#A33B00", "#12305F"), ("o", "s")
OWN_COLOR, OWN_MARKER = "#009E73", "*"


def on_two_axes(states):
    """See vectors of a word from the side from which they differ most, layer by layer.

    Each vector counts by its direction alone. The axes of a layer are turned towards those of the layer behind it, so
    that points move no more than they have to; each layer fills the square from -1 to 1. Where points lie on each
    other, they are drawn as a bunch.

    Parameters
    ----------
    states : ndarray of shape (n, 7, d)
        A word in n sentences, before the first layer and after each.

    Returns
    -------
    points : ndarray of shape (7, n, 2)
    places : list of callable
        For each layer, what takes another vector (d,) to its place there, (2,).
    """
    units = _unit(states.astype(float))
    points, places, behind = [], [], None
    for layer in reversed(range(states.shape[1])):
        U = units[:, layer]
        middle = U.mean(axis=0)
        columns = np.linalg.svd(U - middle, full_matrices=False)[2][:2].T  # (d, 2)
        at = (U - middle) @ columns
        if behind is None:
            first = at[: len(at) // 2, 0].mean() > 0  # the first meaning goes to the left
            turn = np.diag(np.where([first, at[0, 1] < 0], -1.0, 1.0))
        else:
            left, _, right = np.linalg.svd(at.T @ behind)
            turn = left @ right
        columns = columns @ turn
        behind = (U - middle) @ columns
        shift = (behind.max(axis=0) + behind.min(axis=0)) / 2
        size = np.abs(behind - shift).max()

        def place(vector, middle=middle, columns=columns, shift=shift, size=size):
            return ((_unit(vector) - middle) @ columns - shift) / size

        points.append(_bunched((behind - shift) / size))
        places.append(place)
    return np.array(points[::-1]), places[::-1]


def _bunched(points):
    """Points with those that lie on an earlier one a little beside it."""
    drawn, met = points.copy(), np.zeros(len(points))
    for i in range(1, len(points)):
        on = np.flatnonzero(np.abs(points[:i] - points[i]).max(axis=1) < 1e-3)
        if len(on):
            met[on[0]] += 1
            angle = 2.4 * met[on[0]]
            drawn[i] += 0.08 * np.sqrt(met[on[0]]) * np.array([np.cos(angle), np.sin(angle)])
    return drawn


def nearest(states):
    """For each vector of a word the nearest other one, layer by layer.

    Parameters
    ----------
    states : ndarray of shape (n, 7, d)
        The first half of one meaning.

    Returns
    -------
    others : int ndarray of shape (7, n)
        Of equally near ones the first.
    right : ndarray of shape (7,)
        How many have theirs in the same meaning; of equally near ones each counts its share.
    cosines : ndarray of shape (7, n, n)
        To five decimals: before the first layer many are the same. The diagonal is -2.
    """
    n, units = len(states), _unit(states.astype(float))
    cosines = np.einsum("ild,jld->lij", units, units).round(5)
    cosines[:, np.arange(n), np.arange(n)] = -2
    meaning = np.arange(n) // (n // 2)
    top = cosines == cosines.max(axis=-1, keepdims=True)
    shares = (top & (meaning[:, None] == meaning)).sum(axis=-1) / top.sum(axis=-1)
    return cosines.argmax(axis=-1), shares.sum(axis=-1), cosines


def sense_maps(states, meanings, word, own=None):
    """Draw the vectors of a word with two meanings, as six small maps from before the first layer to after the last.

    Parameters
    ----------
    states : ndarray of shape (n, 7, d)
        The word in n sentences, before the first layer and after each; the first half of one meaning.
    meanings : sequence of two str
    word : str
    own : ndarray of shape (7, d), optional
        The same of one more sentence, which is put beside the others as a star.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> states = np.zeros((4, 7, 3)) + [[[1, 0, 0]], [[1, 0.1, 0]], [[0, 1, 0]], [[0, 1, 0.1]]]
    >>> print(sense_maps(states, ["money", "river"], "bank").alt)
    bank in 4 sentences, seen from the side from which its vectors differ most. The nearest other one has the same \
meaning: before the first layer 4 of 4, after layer 1: 4, after layer 2: 4, after layer 3: 4, after layer 4: 4, after \
layer 6: 4.
    """
    states = np.asarray(states)
    n, half = len(states), len(states) // 2
    points, places = on_two_axes(states)
    meaning = np.arange(n) // half
    others, right, _ = nearest(states)
    figure, area = style.sheet(style.WIDTH, 6.6)
    said = []
    for i, layer in enumerate(SHOWN):
        axes_ = style.panel(figure, 0.2 + 2.95 * (i % 3), 3.5 - 3.05 * (i // 3), 2.65, 2.35)
        title = f"after layer {layer}" if layer else "before the first layer"
        axes_.set_title(f"{title}: {right[layer]:.3g} of {n}", fontsize=style.TEXT, color=style.INK, loc="left", y=1.0)
        axes_.set(xlim=(-1.3, 1.3), ylim=(-1.2, 1.2), xticks=[], yticks=[])
        axes_.spines[["top", "right"]].set_visible(True)
        axes_.spines[["top", "right", "left", "bottom"]].set_color(style.FAINT)
        for j, k in enumerate(others[layer]):
            same = meaning[j] == meaning[k]
            axes_.plot(*points[layer][[j, k]].T, color=style.MUTED, lw=1.0, linestyle="-" if same else ":", zorder=1)
            if not same:  # marks that nearly touch hide the line between them
                axes_.plot(*points[layer][j], "o", markersize=13, color="none", markeredgecolor=style.MUTED, zorder=1)
        for which, (color, marker) in enumerate(zip(COLORS, MARKERS, strict=True)):
            some = points[layer][meaning == which]
            axes_.plot(*some.T, marker, color=color, markersize=8, markeredgecolor=style.PAPER, zorder=2)
        said.append(
            f"after layer {layer}: {right[layer]:.3g}" if layer else f"before the first layer {right[0]:.3g} of {n}"
        )
        if own is not None:
            at = np.clip(places[layer](own[layer]), -1.2, 1.2)
            axes_.plot(*at, OWN_MARKER, color=OWN_COLOR, markersize=17, markeredgecolor=style.INK, zorder=3)
    x = 0.25
    for name, color, marker in zip(meanings, COLORS, MARKERS, strict=True):
        area.plot(x + 0.08, 6.3, marker, color=color, markersize=8)
        area.text(x + 0.25, 6.3, name, fontsize=style.TEXT, color=style.INK, va="center_baseline")
        x += 0.6 + style.text_width(name, style.TEXT)
    alt = (
        f"{word} in {n} sentences, seen from the side from which its vectors differ most. The nearest other one has "
        f"the same meaning: {', '.join(said)}."
    )
    if own is not None:
        area.plot(x + 0.08, 6.3, OWN_MARKER, color=OWN_COLOR, markersize=14, markeredgecolor=style.INK)
        area.text(x + 0.27, 6.3, "your sentence", fontsize=style.TEXT, color=style.INK, va="center_baseline")
        cosines = _unit(own[6]) @ _unit(states[:, 6]).T
        alt += f" Your sentence is nearest to one about {meanings[meaning[cosines.argmax()]]} after the last layer."
    return Picture(figure, alt)


def _unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def sense_map_at(states, meanings, word, layer=0):
    """Draw the vectors of a word with two meanings after one layer, on the two axes along which they differ most.

    Parameters
    ----------
    states : ndarray of shape (n, 7, d)
        As for `sense_maps`.
    meanings : sequence of two str
    word : str
    layer : int
        0 is before the first layer.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> states = np.zeros((4, 7, 3)) + [[[1, 0, 0]], [[1, 0.1, 0]], [[0, 1, 0]], [[0, 1, 0.1]]]
    >>> sense_map_at(states, ["money", "river"], "bank").alt.split(". ")[0]
    'bank before the first layer: of 4 sentences, 4 have their nearest neighbour in the same meaning'
    """
    states = np.asarray(states)
    n, half = len(states), len(states) // 2
    points, meaning = on_two_axes(states)[0][layer], np.arange(n) // half
    others, right, cosines = nearest(states)
    figure, area = style.sheet(style.WIDTH, 4.4)
    axes = style.panel(figure, 0.3, 0.3, 5.4, 3.6)
    axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), xticks=[], yticks=[])
    for j, k in enumerate(others[layer]):
        line = "-" if meaning[j] == meaning[k] else ":"
        axes.plot(*points[[j, k]].T, color=style.MUTED, lw=1.2, linestyle=line, zorder=1)
    for which, (color, marker) in enumerate(zip(COLORS, MARKERS, strict=True)):
        axes.plot(
            *points[meaning == which].T, marker, color=color, markersize=10, markeredgecolor=style.PAPER, zorder=2
        )
        area.plot(6.15, 3.3 - 0.4 * which, marker, color=color, markersize=9)
        area.text(6.4, 3.3 - 0.4 * which, meanings[which], fontsize=style.TEXT, color=style.INK, va="center_baseline")
    same, other = gap(cosines[layer])
    where = f"after layer {layer}" if layer else "before the first layer"
    count = f"{right[layer]:.3g}"
    area.text(0.3, 4.12, f"{word}, {where}", fontsize=style.TITLE, color=style.INK, fontweight="bold", va="center")
    for i, line in enumerate((f"{count} of {n} right", f"same meaning {same:.2f}", f"other meaning {other:.2f}")):
        area.text(6.05, 2.2 - 0.35 * i, line, fontsize=style.TEXT, color=style.INK)
    return Picture(
        figure,
        f"{word} {where}: of {n} sentences, {count} have their nearest neighbour in the same meaning. The mean cosine "
        f"is {style.number(same)} between two of the same meaning, and {style.number(other)} between two of different "
        "ones.",
    )


def gap(cosines):
    """The mean cosine between two of the same meaning and between two of different ones, of a table (n, n)."""
    half = len(cosines) // 2
    apart = ~np.eye(half, dtype=bool)
    same = (cosines[:half, :half][apart].mean() + cosines[half:, half:][apart].mean()) / 2
    return float(same), float(cosines[:half, half:].mean())


def who_calls_whom(calls, mine=()):
    """Draw which functions called which while something ran, from above down.

    Parameters
    ----------
    calls : list of (str, str)
        Who called whom, as `attnlib.mine.watched` notes it.
    mine : sequence of str
        Those that whoever looks at it has written.

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If nothing was called, or functions call each other in a circle.

    Examples
    --------
    >>> print(who_calls_whom([("attention", "softmax"), ("block", "attention"), ("block", "norm")], ["softmax"]).alt)
    What called what. Yours: softmax. The course's: block, attention, norm. attention calls softmax; block calls \
attention, norm.
    """
    calls = list(calls)
    if not calls:
        raise ValueError("calls must hold at least one pair of names; got none")
    names = list(dict.fromkeys(name for pair in calls for name in pair))
    depth = dict.fromkeys(names, 0)
    for _ in names:
        for caller, callee in calls:
            depth[callee] = max(depth[callee], depth[caller] + 1)
    if max(depth.values()) >= len(names):
        raise ValueError("calls must not go round in a circle")
    ordered = sorted(names, key=depth.__getitem__)
    rows = [[name for name in ordered if depth[name] == level] for level in range(1 + max(depth.values()))]
    rows = [row[i : i + 5] for row in rows for i in range(0, len(row), 5)]
    height, step, tall = 0.75 + 0.82 * len(rows), 0.82, 0.4
    figure, area = style.sheet(style.WIDTH, height)
    place = {}

    def under(name):
        """Where those stand that call it: so lines cross less."""
        above = [place[caller][0] + place[caller][2] / 2 for caller, callee in calls if callee == name]
        return sum(above) / len(above) if above else style.WIDTH / 2

    for level, row in enumerate(rows):
        row = sorted(row, key=under)
        wide = [0.25 + style.text_width(name, style.TEXT, "bold") for name in row]
        free = (style.WIDTH - sum(wide)) / (len(row) + 1)
        x, y = free, height - 0.95 - step * level
        for name, width in zip(row, wide, strict=True):
            place[name] = x, y, width
            x += width + free
    for caller, callee in calls:
        (x, y, wide), (to_x, to_y, to_wide) = place[caller], place[callee]
        start, end = (x + wide / 2, y), (to_x + to_wide / 2, to_y + tall)
        style.pointer(area, start, end, color=style.MUTED, line=1.0, size=9)
    for name, (x, y, wide) in place.items():
        own = name in mine
        frame = {"edge": style.INK, "line": 2.0} if own else {"edge": style.MUTED, "linestyle": "--"}
        style.box(area, x, y, wide, tall, fill="#C9E6DC" if own else style.PAPER, zorder=4, **frame)
        look = {"fontsize": style.TEXT, "fontweight": "bold" if own else "normal", "color": style.INK}
        area.text(x + wide / 2, y + tall / 2, name, ha="center", va="center", zorder=5, **look)
    area.text(0.2, height - 0.25, "bold, in a full frame: yours · dashed: the course's", fontsize=style.TEXT,
              color=style.MUTED, va="center")  # fmt: skip
    own, theirs = ([name for name in ordered if (name in mine) is which] for which in (True, False))
    said = "; ".join(
        f"{caller} calls {', '.join(callee for one, callee in calls if one == caller)}"
        for caller in dict.fromkeys(caller for caller, _ in calls)
    )
    whose = " ".join(
        f"{whose}: {', '.join(some)}." for whose, some in (("Yours", own), ("The course's", theirs)) if some
    )
    return Picture(figure, f"What called what. {whose} {said}.")
