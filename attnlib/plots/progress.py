"""How far a learner has come: one bar for each notebook."""

from attnlib.plots import style
from attnlib.plots.picture import Picture


def progress_chart(rows, *, title="Your progress"):
    """Draw what is done of each notebook.

    Parameters
    ----------
    rows : list of (notebook, exercises_done, exercises, points, max_points)
        One for each notebook, in the order of the course.
    title : str

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
    height = 0.75 + step * len(rows) + 0.1
    figure, area = style.sheet(width, height)
    style.heading(area, width, height, title)
    said = []
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
        counts = f"{done} of {exercises} done" + (" \N{CHECK MARK}" if complete and exercises else "")
        area.text(start + bar + 0.15, y, counts, color=style.INK, **font)
        area.text(width - 0.2, y, f"{points:g} / {max_points:g} points", color=style.MUTED, ha="right", **font)
        said.append(f"{notebook}: {done} of {exercises} exercises, {points:g} of {max_points:g} points.")
    return Picture(figure, f"{title}. {' '.join(said) or 'No notebook yet.'}")
