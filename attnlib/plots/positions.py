"""Places as clocks: two of them, and the score that depends on how far they are apart."""

import numpy as np
from matplotlib.patches import Circle

import attnlib
from attnlib import _check
from attnlib.plots import style
from attnlib.plots.matrices import heat_map
from attnlib.plots.picture import Picture

PLACES, COLUMNS = 24, 8


def position_clock(query_place=8, key_place=5, base=10000.0):
    """Draw two places as hands of four clocks, and the score of the one with all others against their distance.

    Parameters
    ----------
    query_place, key_place : int
        From 0 to 23.
    base : float, optional
        Of the sinusoids, which have 8 columns: four clocks.

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If a place is outside.

    Examples
    --------
    >>> print(position_clock(2, 1).alt)
    Sinusoids of 8 columns, base 10000. Query at place 2, key at place 1: score 3.54. Highest for this query: place 2.
    """
    m = _check.count(query_place, "query_place", 0, PLACES - 1)
    n = _check.count(key_place, "key_place", 0, PLACES - 1)
    P = attnlib.sinusoidal_positions(PLACES, COLUMNS, base)
    row = P[m] @ P.T  # (PLACES,)
    figure, area = style.sheet(style.WIDTH, 4.5)
    for i in range(COLUMNS // 2):
        x, y, radius = 1.05 + 2.1 * (i % 2), 3.6 - 2.15 * (i // 2), 0.72
        area.add_patch(Circle((x, y), radius, facecolor="none", edgecolor=style.FAINT, linewidth=1.4))
        for place, role_name, length in ((n, "key", 0.72), (m, "query", 1.0)):
            sin, cos = P[place, 2 * i : 2 * i + 2] * radius * length
            role = style.role(role_name)
            style.pointer(area, (x, y), (x + cos, y + sin), color=role.color, line=2.6)
            area.plot(x + cos, y + sin, role.marker, color=role.color, markeredgecolor=role.ink, markersize=6)
        speed, cosine = base ** (-2 * i / COLUMNS), P[m, 2 * i : 2 * i + 2] @ P[n, 2 * i : 2 * i + 2]
        for line, told in enumerate((f"{speed:.2g} radian a place", f"cosine {style.number(cosine)}")):
            area.text(x, y - radius - 0.17 - 0.18 * line, told, fontsize=style.SMALL, ha="center", va="center")
    axes = style.panel(figure, 5.0, 0.8, 3.75, 3.05, f"scores of place {m}")
    axes.plot(np.arange(PLACES) - m, row, "-o", color=style.role("scores").color, linewidth=2, markersize=3.5)
    key = style.role("key")
    axes.plot(n - m, row[n], key.marker, color=key.color, markeredgecolor=key.ink, markersize=10)
    axes.axvline(0, color=style.FAINT, linewidth=1, zorder=0)
    axes.set(xlim=(-PLACES, PLACES), ylim=(-4.2, 4.4), xticks=range(-20, 21, 10), yticks=range(-4, 5))
    axes.set_xlabel("the key stands so many places after the query", fontsize=style.SMALL, color=style.INK)
    axes.set_ylabel("score", fontsize=style.TEXT, color=style.INK)
    return Picture(
        figure,
        f"Sinusoids of {COLUMNS} columns, base {base:g}. Query at place {m}, key at place {n}: score "
        f"{style.number(row[n])}. Highest for this query: place {int(row.argmax())}.",
    )


def position_table(P):
    """Draw position vectors as a table, a row for each place.

    Parameters
    ----------
    P : ndarray of shape (n, d_model)

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> import attnlib
    >>> print(position_table(attnlib.sinusoidal_positions(9, 4)).alt)
    Position vectors of 9 places in 4 columns. How often each column changes its sign on the way: 2, 3, 0, 0.
    """
    P = np.asarray(P, dtype=float)
    table = heat_map(P, range(len(P)), range(P.shape[1]), role="token", row_axis="place", column_axis="column")
    turns = [int((np.diff(np.sign(column[np.abs(column) > 1e-9])) != 0).sum()) for column in P.T]
    return Picture(
        table.figure,
        f"Position vectors of {len(P)} places in {P.shape[1]} columns. "
        f"How often each column changes its sign on the way: {', '.join(map(str, turns))}.",
    )
