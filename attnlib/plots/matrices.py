"""Matrices of numbers: one as a heat map, several as an equation with their shapes."""

from dataclasses import dataclass
from itertools import chain

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from attnlib.plots import style
from attnlib.plots.picture import Picture

SIGNS = set("@=+-*/·≈≠→\N{MINUS SIGN}\N{MULTIPLICATION SIGN}")
SPOKEN = {"@": "times", "=": "equals", "→": "becomes"}
CELL_HEIGHT = 0.34  # inches


@dataclass
class Matrix:
    """One matrix of a picture.

    Attributes
    ----------
    values : ndarray of shape (n, m)
    name : str
        What the formula calls it.
    role : str
        One of `ROLES`; chooses the colour.
    rows, columns : list of str, optional
        Labels.
    highlight : list of (row, column)
        Cells to outline; all cells of a row get one frame.
    """

    values: np.ndarray
    name: str = ""
    role: str = "scores"
    rows: list | None = None
    columns: list | None = None
    highlight: tuple = ()

    def __post_init__(self):
        self.values = np.asarray(self.values, dtype=float)
        if self.values.ndim != 2 or 0 in self.values.shape:
            raise ValueError(f"values must have two axes and at least one entry; got shape {self.values.shape}")
        n, m = self.values.shape
        self.rows = None if self.rows is None else style.names(self.rows, n, "rows")
        self.columns = None if self.columns is None else style.names(self.columns, m, "columns")
        style.role(self.role)


def draw_cells(area, colors, left, top, width, height, *, edge=style.PAPER, line=1.5):
    """Draw a grid of coloured cells; return the lower left corner of each, row after row.

    Parameters
    ----------
    area : matplotlib.axes.Axes
    colors : ndarray of shape (n, m, 3)
    left, top : float
        The upper left corner of the grid.
    width, height : float
        Of a cell.
    edge : str
        Colour of the lines between cells; "face" leaves them out.
    line : float

    Returns
    -------
    corners : list of (float, float)
    """
    n, m = colors.shape[:2]
    corners = [(left + j * width, top - (i + 1) * height) for i in range(n) for j in range(m)]
    cells = [Rectangle(corner, width, height) for corner in corners]
    area.add_collection(
        PatchCollection(cells, facecolors=colors.reshape(-1, 3), edgecolors=edge, linewidths=line), autolim=False
    )
    return corners


def draw_scale(area, colors, left, bottom, width, height, ends):
    """Draw which colours stand for the numbers between two ends.

    Parameters
    ----------
    area : matplotlib.axes.Axes
    colors : ndarray of shape (m, 3)
        Of numbers at equal steps.
    left, bottom, width, height : float
    ends : list of str
        What is written below, at equal distances.
    """
    draw_cells(area, colors[None], left, bottom + height, width / len(colors), height, edge="face", line=0.4)
    for i, text in enumerate(ends):
        font = {"fontsize": style.SMALL, "color": style.INK, "ha": "center", "va": "top"}
        area.text(left + i * width / (len(ends) - 1), bottom - 0.05, text, **font)


class Block:
    """Where a matrix goes on a sheet: the sizes of its parts in inches, and how it is drawn."""

    def __init__(self, matrix, decimals=2, *, cell_width=None, cell_height=CELL_HEIGHT, shape=True, numbers=True):
        self.matrix = matrix
        decimals = 0 if style.integral(matrix.values) else decimals
        self.texts = [[style.number(x, decimals) if numbers else "" for x in row] for row in matrix.values]
        columns = matrix.columns or []
        widest_number = max(style.text_width(text, style.TEXT) for text in chain.from_iterable(self.texts))
        widest_column = max((style.text_width(text, style.TEXT) for text in columns), default=0)
        self.cell_width = cell_width or max(0.42, widest_number + 0.16, min(widest_column + 0.12, 0.85))
        self.cell_height = cell_height
        self.slanted = widest_column + 0.06 > self.cell_width
        rows = matrix.rows or []
        self.left = max((style.text_width(text, style.TEXT) + 0.12 for text in rows), default=0)
        n, m = matrix.values.shape
        self.grid_width, self.grid_height = m * self.cell_width, n * self.cell_height
        self.column_height = 0 if not columns else (0.12 + 0.72 * widest_column if self.slanted else 0.28)
        self.overhang = 0.72 * style.text_width(columns[-1], style.TEXT) - self.cell_width / 2 if self.slanted else 0
        self.above = self.column_height + (0.3 if matrix.name else 0)
        self.below = 0.3 if shape else 0
        name_width = style.text_width(matrix.name, style.TEXT + 1, "bold")
        shape_width = style.text_width(self.shape_text, style.SMALL) if shape else 0
        # A name or shape wider than the grid is centred on it and sticks out on both sides.
        self.extra = max(0, (max(name_width, shape_width) - self.grid_width) / 2)
        self.left = max(self.left, self.extra)
        self.width = self.left + self.grid_width + max(self.extra, self.overhang, 0)

    @property
    def shape_text(self):
        return f"({self.matrix.values.shape[0]}, {self.matrix.values.shape[1]})"

    def draw(self, area, x, middle):
        """Draw with the left end at x and the grid's centre at the height `middle`; return the grid's left edge."""
        matrix, role = self.matrix, style.role(self.matrix.role)
        left, top = x + self.left, middle + self.grid_height / 2
        n, m = matrix.values.shape
        colors = style.cell_colors(matrix.values, matrix.role)
        corners = draw_cells(area, colors, left, top, self.cell_width, self.cell_height)
        frame = Rectangle((left, top - self.grid_height), self.grid_width, self.grid_height)
        frame.set(facecolor="none", edgecolor=role.color, linewidth=1.2)
        area.add_patch(frame)
        for (cell_x, cell_y), text, color in zip(
            corners, chain.from_iterable(self.texts), colors.reshape(-1, 3), strict=True
        ):
            if text:
                area.text(
                    cell_x + self.cell_width / 2,
                    cell_y + self.cell_height / 2,
                    text,
                    ha="center",
                    va="center_baseline",
                    fontsize=style.TEXT,
                    color=style.text_on(color),
                )
        whole = {
            i for i in range(n) if m > 1 and {(i, j) for j in range(m)} <= {tuple(cell) for cell in matrix.highlight}
        }
        frames = [(i, 0, m) for i in sorted(whole)] + [(i, j, 1) for i, j in matrix.highlight if i not in whole]
        for i, j, cells_wide in frames:
            outline = Rectangle(corners[i * m + j], cells_wide * self.cell_width, self.cell_height)
            outline.set(facecolor="none", edgecolor=style.INK, linewidth=2.4, zorder=4)
            area.add_patch(outline)
        for i, text in enumerate(matrix.rows or []):
            y = top - (i + 0.5) * self.cell_height
            area.text(left - 0.08, y, text, ha="right", va="center_baseline", fontsize=style.TEXT, color=style.INK)
        for j, text in enumerate(matrix.columns or []):
            cell_middle = left + (j + 0.5) * self.cell_width
            slant = {"rotation": 45, "rotation_mode": "anchor", "ha": "left"} if self.slanted else {"ha": "center"}
            area.text(cell_middle, top + 0.09, text, va="baseline", fontsize=style.TEXT, color=style.INK, **slant)
        centre = left + self.grid_width / 2
        if matrix.name:
            y = top + self.column_height + 0.1
            font = {"fontsize": style.TEXT + 1, "fontweight": "bold", "color": role.ink}
            area.text(centre, y, matrix.name, ha="center", va="baseline", **font)
        if self.below:
            y = top - self.grid_height - 0.1
            area.text(centre, y, self.shape_text, ha="center", va="top", fontsize=style.SMALL, color=style.MUTED)
        return left


def describe(matrix, decimals=2):
    """Say in words what a matrix holds: all of it if it is small, else the largest entry of each row."""
    n, m = matrix.values.shape
    decimals = 0 if style.integral(matrix.values) else decimals
    rows = matrix.rows or [f"row {i + 1}" for i in range(n)]
    columns = matrix.columns or [f"column {j + 1}" for j in range(m)]
    if n * m <= 36:
        entries = [", ".join(style.number(x, decimals) for x in row) for row in matrix.values]
    else:
        entries = [f"largest at {columns[row.argmax()]}, {style.number(row.max(), decimals)}" for row in matrix.values]
    heads = [f"columns {', '.join(columns)}"] if matrix.columns else []
    return "; ".join(heads + [f"{row}: {text}" for row, text in zip(rows, entries, strict=True)])


def heat_map(
    values,
    rows=None,
    columns=None,
    *,
    role="scores",
    title="",
    row_axis="queries (who asks)",
    column_axis="keys (who answers)",
    decimals=2,
    highlight=(),
):
    """Draw a matrix with a number in every cell and darker cells for what is farther from zero.

    Parameters
    ----------
    values : ndarray of shape (n, m)
    rows, columns : list of str, optional
        Labels of the n rows and the m columns.
    role : str, default "scores"
        "scores", "weights" (always coloured from 0 to 1) or another of `ROLES`.
    title : str
    row_axis, column_axis : str
        What the rows and the columns are.
    decimals : int
        Whole numbers are written without.
    highlight : list of (row, column)
        Cells to outline.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> heat_map([[5, 2, 5]], rows=["q"], columns=["k1", "k2", "k3"], title="Scores").alt  # doctest: +ELLIPSIS
    'Scores. A matrix of shape (1, 3), ... It holds: columns k1, k2, k3; q: 5, 2, 5.'
    """
    matrix = Matrix(values, role=role, rows=rows, columns=columns, highlight=highlight)
    m = matrix.values.shape[1]
    numbers = m <= 16
    cell = None if numbers else max(0.12, 7.0 / m)
    block = Block(matrix, decimals, shape=False, numbers=numbers, cell_width=cell, cell_height=cell or 0.42)
    above = block.above + (0.34 if column_axis else 0.1)
    header = 0.5 if title else 0.15
    left, right = (0.6 if row_axis else 0.2), 0.25
    column_axis_end = left + block.left + style.text_width(column_axis, style.TEXT) + 0.1
    row_axis_length = style.text_width(row_axis, style.TEXT) + 0.2
    width = max(left + block.width + right, style.text_width(title, style.TITLE, "bold") + 0.4, column_axis_end)
    body = above + block.grid_height + 0.2
    spare = max(0, row_axis_length - body)  # where the name of the rows is longer than the rows are high
    height = header + body + spare
    figure, area = style.sheet(width, height)
    x = left + (width - left - block.width - right) / 2
    middle = spare / 2 + 0.2 + block.grid_height / 2
    grid = block.draw(area, x, middle)
    if title:
        style.heading(area, width, height, title)
    font = {"fontsize": style.TEXT, "color": style.MUTED, "ha": "center", "va": "center"}
    half = style.text_width(column_axis, style.TEXT) / 2
    centre = min(max(grid + block.grid_width / 2, half + 0.1), width - half - 0.1)
    area.text(centre, height - header - spare / 2 - 0.12, column_axis, **font)
    area.text(
        x - 0.25,
        np.clip(middle, row_axis_length / 2, height - header - row_axis_length / 2),
        row_axis,
        rotation=90,
        **font,
    )
    lead = f"{title}. " if title else ""
    axes = [f"{kind} are {axis}" for kind, axis in (("rows", row_axis), ("columns", column_axis)) if axis]
    facts = ", ".join([f"A matrix of shape {block.shape_text}", *axes])
    return Picture(figure, f"{lead}{facts}. It holds: {describe(matrix, decimals)}.")


def equation(*parts, title="", decimals=2):
    """Draw matrices side by side with the signs between them and the shape under each.

    Parameters
    ----------
    *parts : Matrix or str
        A string is a sign such as "@" or "=", or a word such as "softmax", which is written over an arrow.
    title : str
    decimals : int
        Whole numbers are written without.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> import numpy as np
    >>> Q, K = np.array([[1, 2]]), np.array([[1, 2], [2, 0]])
    >>> parts = Matrix(Q, "Q", "query"), "@", Matrix(K.T, "Kᵀ", "key"), "=", Matrix(Q @ K.T, "scores")
    >>> equation(*parts).alt  # doctest: +ELLIPSIS
    'Q of shape (1, 2) [row 1: 1, 2] times Kᵀ of shape (2, 2) [...] equals scores of shape (1, 2) [row 1: 5, 2]'
    """
    gap = 0.14
    blocks = [part if isinstance(part, str) else Block(part, decimals) for part in parts]
    widths = [_sign_width(part) if isinstance(part, str) else part.width for part in blocks]
    matrices = [block for block in blocks if not isinstance(block, str)]
    half = max(block.grid_height for block in matrices) / 2
    above = max(block.above + block.grid_height / 2 for block in matrices)
    below = half + max(block.below for block in matrices)
    header = 0.5 if title else 0.1
    width = max(sum(widths) + gap * (len(blocks) - 1) + 0.4, style.text_width(title, style.TITLE, "bold") + 0.4)
    height = header + above + below + 0.2
    figure, area = style.sheet(width, height)
    middle = below + 0.1
    x = (width - sum(widths) - gap * (len(blocks) - 1)) / 2
    for block, block_width in zip(blocks, widths, strict=True):
        if isinstance(block, str):
            _draw_sign(area, block, x, middle, block_width)
        else:
            block.draw(area, x, middle)
        x += block_width + gap
    if title:
        style.heading(area, width, height, title)
    words = [
        SPOKEN.get(block, block)
        if isinstance(block, str)
        else f"{block.matrix.name or 'a matrix'} of shape {block.shape_text} [{describe(block.matrix, decimals)}]"
        for block in blocks
    ]
    return Picture(figure, (f"{title}: " if title else "") + " ".join(words))


def _sign_width(sign):
    return 0.3 if sign in SIGNS else style.text_width(sign, style.TEXT) + 0.3


def _draw_sign(area, sign, x, middle, width):
    if sign in SIGNS:
        area.text(x + width / 2, middle, sign, ha="center", va="center", fontsize=18, color=style.INK)
    else:
        style.pointer(area, (x, middle), (x + width, middle))
        area.text(x + width / 2, middle + 0.12, sign, ha="center", va="bottom", fontsize=style.TEXT, color=style.INK)
