"""How far a learner has come: one bar for each notebook, and the functions of one's own that others stand on."""

from attnlib.plots import style
from attnlib.plots.picture import Link, Picture

LINE, INDENT, COLUMNS = 0.25, 0.22, 3
WHOSE = {"mine": "", "off": " (off)", "course": " (the course's)"}


def progress_chart(rows, library=(), *, title="Your progress", lost=(), links=()):
    """Draw what is done of each notebook, and the learner's own functions.

    Parameters
    ----------
    rows : list of (notebook, exercises_done, exercises, points, max_points)
        One for each notebook, in the order of the course.
    library : list of (depth, function, whose), optional
        What calls what, as `attnlib.mine.tree` has it.
    title : str
    lost : list of int, optional
        For each notebook, how many of its exercises were done and are not any more.
    links : list of str, optional
        Where each row leads.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> progress_chart([("1-embeddings", 2, 6, 5.0, 12), ("2-scores", 0, 5, 0, 10)]).alt
    'Your progress. 1-embeddings: 2 of 6 exercises, 5 of 12 points. 2-scores: 0 of 5 exercises, 0 of 10 points.'
    """
    step, start = 0.44, max([style.text_width(row[0], style.TEXT) for row in rows], default=0) + 0.4
    bar, width = style.WIDTH - start - 3.2, style.WIDTH
    columns = _columns(library)
    below = 0.75 + LINE * max(map(len, columns)) if columns else 0.0
    height = 0.75 + step * len(rows) + 0.1 + below
    figure, area = style.sheet(width, height)
    style.heading(area, width, height, title)
    said, ways = [], []
    for i, (notebook, done, exercises, points, max_points) in enumerate(rows):
        y = height - 0.8 - step * i
        font = {"fontsize": style.TEXT, "va": "center_baseline"}
        area.text(start - 0.15, y, notebook, color=style.INK, ha="right", **font)
        # One field for each exercise; the bar behind them fills with the points.
        style.box(area, start, y - 0.12, bar, 0.24, fill="#EEF0F3", edge=style.FAINT, radius=0.04)
        share = points / max_points if max_points else 0.0
        complete = done == exercises
        if share > 0:
            color = style.role("value" if complete else "query").color
            style.box(area, start, y - 0.12, bar * min(share, 1), 0.24, fill=color, edge="none", radius=0.04)
        again = lost[i] if lost else 0
        counts = f"{done} of {exercises} done"
        if again:
            counts += f", {again} lost"
        elif complete and exercises:
            counts += " \N{CHECK MARK}"
        area.text(start + bar + 0.15, y, counts, color=style.INK, **font)
        area.text(width - 0.2, y, f"{points:g} / {max_points:g} points", color=style.MUTED, ha="right", **font)
        words = f", {again} lost" if again else ""
        said.append(f"{notebook}: {done} of {exercises} exercises{words}, {points:g} of {max_points:g} points.")
        if links:
            box = 0.0, 100 * (height - y - step / 2) / height, 100 * (start + bar) / width, 100 * step / height
            ways.append(Link(links[i], f"open {notebook}", box))
    if columns:
        said.append(_draw_library(area, columns, below))
    return Picture(figure, f"{title}. {' '.join(said) or 'No notebook yet.'}", ways)


def _columns(library):
    """The lines of a library in columns of about the same length; what a function calls stays with it."""
    columns, longest = [], -(-len(library) // COLUMNS)
    for row in library:
        if not columns or (row[0] == 0 and len(columns[-1]) >= longest):
            columns.append([])
        columns[-1].append(row)
    return columns


def _draw_library(area, columns, height):
    """Write a library at the foot of the picture; returns it in words."""
    font = {"fontsize": style.TEXT, "va": "center_baseline"}
    area.text(0.2, height - 0.2, "Your own library", color=style.INK, fontweight="bold", **font)
    area.text(style.WIDTH - 0.2, height - 0.2, "below a function: what it calls", color=style.MUTED, ha="right", **font)
    own, calls = style.role("value"), {}
    for number, column in enumerate(columns):
        left = 0.3 + number * (style.WIDTH - 0.4) / COLUMNS
        above, path = {}, []
        for line, (depth, name, whose) in enumerate(column):
            x, y = left + INDENT * depth, height - 0.6 - LINE * line
            if depth:
                bend = x - INDENT, x - INDENT, x - 0.1
                area.plot(bend, (above[depth - 1] - 0.07, y, y), color=style.FAINT, lw=1.2, zorder=0)
            above[depth] = y
            mine = whose == "mine"
            area.plot(x, y, marker="o", markersize=6, color=own.color if mine else style.PAPER, mec=own.ink, mew=0.8)
            words = name + WHOSE[whose]
            area.text(x + 0.13, y, words, color=style.INK if mine else style.MUTED, **font | {"fontsize": style.SMALL})
            path[depth:] = [words]
            calls.setdefault(words, [])
            if depth and words not in calls[path[depth - 1]]:
                calls[path[depth - 1]].append(words)
    said = [words + (f" calls {', '.join(used)}" if used else "") for words, used in calls.items()]
    return f"Your own library: {'; '.join(said)}."
