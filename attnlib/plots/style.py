"""How every picture of the course looks: one colour and one marker for each role, large type, white paper.

The colours are those of Okabe and Ito (2008), which colour-blind readers can tell apart; each role has a marker of its
own besides. Sizes are in inches; a full picture is `WIDTH` inches wide, which a notebook shows at its natural size.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch
from matplotlib.textpath import text_to_path

WIDTH = 9.0
TITLE, TEXT, SMALL = 13, 11, 9.5  # points

INK = "#1F2430"  # text and outlines
MUTED = "#5B6270"  # secondary text; still 5.9 to 1 on white
FAINT = "#D5D8DE"  # grids, axes, what is only context
PAPER = "#FFFFFF"


@dataclass(frozen=True)
class Role:
    """What a number stands for, and how that is drawn.

    Attributes
    ----------
    letter : str
        The matrix it is a row of.
    meaning : str
        What it does, in a few words.
    color : str
        For areas, lines and markers.
    ink : str
        A darker shade, for text.
    marker : str
        Matplotlib's name of a marker.
    """

    letter: str
    meaning: str
    color: str
    ink: str
    marker: str


ROLES = {
    "token": Role("X", "what comes in", "#8A93A3", "#4A5160", "P"),
    "query": Role("Q", "who asks", "#0072B2", "#005A8E", "o"),
    "key": Role("K", "who answers", "#E69F00", "#865A00", "s"),
    "value": Role("V", "what is said", "#009E73", "#00694D", "^"),
    "context": Role("C", "what is heard", "#CC79A7", "#973F70", "*"),
    "scores": Role("S", "how well they match", "#6C7A96", "#47536B", "D"),
    "weights": Role("W", "shares of attention", "#3A404C", "#1F2430", "D"),
}


def role(name):
    """Return the role of that name, or say which there are."""
    if name not in ROLES:
        raise ValueError(f"role must be one of {', '.join(ROLES)}; got {name!r}")
    return ROLES[name]


def _ramp(*colors):
    return LinearSegmentedColormap.from_list("attnlib", colors, N=513)  # odd: the middle of them is there


# Far from zero is dark, as ink on paper; what is negative leaves zero's white in another hue.
_NEGATIVE = {"key": "#7A68A6", "context": "#4F858C"}  # brown is too near to their own colours
_COLORMAPS = {name: _ramp(_NEGATIVE.get(name, "#B4713A"), PAPER, role_.color) for name, role_ in ROLES.items()}
_SCORES = _ramp("#8C510A", "#E3C48F", PAPER, "#A9B8D3", "#2F4270")
# Its end is INK but for a trace: INK has a counterpart of its own in the dark, far from what is next to it here.
_WEIGHTS = _ramp(PAPER, "#C9CDD4", "#8E949F", "#565C68", "#1F2431")


def cell_colors(values, role_name):
    """Colour the cells of a matrix by size, in the colour of its role; negative numbers in another hue.

    Parameters
    ----------
    values : ndarray of shape (n, m)
    role_name : str

    Returns
    -------
    colors : ndarray of shape (n, m, 3)
        Red, green and blue between 0 and 1.
    """
    finite = np.where(np.isfinite(values), values, 0)
    largest = np.abs(finite).max(initial=0) or 1
    if role_name == "scores":
        return _SCORES(0.5 + 0.5 * finite / largest)[..., :3]
    if role_name == "weights":
        return _WEIGHTS(np.clip(finite, 0, 1))[..., :3]
    return _COLORMAPS[role_name](0.5 + 0.35 * finite / largest)[..., :3]


def weight_colors(weights):
    """Colour weights between 0 and 1 as the cells of a matrix of weights are; (n,) -> (n, 3)."""
    return cell_colors(np.asarray(weights), "weights")


def text_on(color):
    """Black or white ink, whichever is easier to read on the colour and on its counterpart in a dark page."""
    return _text_on(to_hex(color))


@lru_cache(maxsize=4096)
def _text_on(color):
    pages = (lambda each: each), dark
    return max(_INKS, key=lambda ink: min(contrast(page(ink), page(color)) for page in pages))


# On a middling colour, INK and dark paper would be too faint; no cell has either colour.
_INKS = "#000000", "#FFFFF0"


def contrast(a, b):
    """How far two colours are apart in lightness, from 1 to 21 (WCAG 2.1, relative luminance).

    Examples
    --------
    >>> round(contrast("#000000", "#FFFFFF"), 2)
    21.0
    """
    one, other = (np.dot([0.2126, 0.7152, 0.0722], _linear(to_rgb(color))) + 0.05 for color in (a, b))
    return float(max(one, other) / min(one, other))


def number(x, decimals=2):
    """Write a number for a cell: fixed decimals, a real minus sign, never minus zero."""
    text = f"{x:.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "\N{MINUS SIGN}").replace("inf", "\N{INFINITY}")


def integral(values):
    """True if every entry is a whole number, so that no decimals need be printed."""
    values = np.asarray(values, dtype=float)
    return bool(np.all(np.isfinite(values)) and np.all(values == np.round(values)))


@lru_cache(maxsize=4096)  # measuring is slow, and an explorer writes the same words again and again
def text_width(text, size, weight="normal"):
    """Width of a line of text in inches."""
    if not text:
        return 0.0
    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size, weight=weight), False)
    return width / 72


# What is drawn on white has these counterparts on dark paper; those of the roles stay what they are called.
DARK = {
    PAPER: "#14171D",
    INK: "#ECEEF2",
    MUTED: "#AAB1BE",
    FAINT: "#3A404C",
    "#8A93A3": "#8A93A3",
    "#0072B2": "#3D9FD8",
    "#E69F00": "#E69F00",
    "#009E73": "#1FB88A",
    "#CC79A7": "#D98FB8",
    "#6C7A96": "#8C9AB6",
    "#3A404C": "#D5D8DE",
    "#4A5160": "#C3C9D3",
    "#005A8E": "#8FCBF2",
    "#865A00": "#F2C25C",
    "#00694D": "#6BDCB8",
    "#973F70": "#EFB5D3",
    "#47536B": "#BCC6D9",
    "#000000": "#FFFFFF",
    "#FFFFF0": "#000000",
    "#D55E00": "#F08A4B",
    "#A33B00": "#F29A6B",
    "#D9793F": "#B8663A",
    "#E9B48F": "#7D4A2B",
    "#93A9CC": "#566A8C",
    "#7391BE": "#6E8DBF",
    "#2F5C9E": "#8FB3EA",
    "#12305F": "#D3E3FF",
}


@lru_cache(maxsize=4096)
def dark(color):
    """The counterpart of a colour on dark paper: as far from it as the colour is from white.

    Examples
    --------
    >>> dark("#FFFFFF"), dark("#1F2430"), dark("#c9cdd4")
    ('#14171d', '#eceef2', '#313640')
    """
    if color.upper() in DARK:
        return DARK[color.upper()].lower()
    lightness, *hue = _LMS_TO_LAB @ np.cbrt(_RGB_TO_LMS @ _linear(to_rgb(color)))
    # From white's place at dark paper's lightness to black's near white; the grey that black and white ink are equally
    # far from stays, so that what is written on a cell is as easy to read.
    # What is nearly white gets the tint of dark paper.
    lab = np.array([0.97 - 0.658 * lightness - 0.112 * lightness**2, hue[0], hue[1] - 0.012 * lightness**2])
    rgb = np.clip(np.linalg.inv(_RGB_TO_LMS) @ (np.linalg.inv(_LMS_TO_LAB) @ lab) ** 3, 0, 1)
    return to_hex(np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * rgb ** (1 / 2.4) - 0.055))


# Oklab (Ottosson 2020, "A perceptual color space for image processing"): equal steps look equally large.
_RGB_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LMS_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _linear(rgb):
    """The light of each channel of a colour, from what is written in it."""
    rgb = np.asarray(rgb)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def names(given, count, letter):
    """Labels as strings; numbered ones such as k1, k2, k3 where none are given."""
    if given is None:
        return [f"{letter}{i + 1}" for i in range(count)]
    given = [str(label) for label in given]
    if len(given) != count:
        raise ValueError(f"labels must be one for each of the {count} {letter}; got {len(given)}: {given}")
    return given


def blank(width=WIDTH, height=4.0):
    """A white figure with nothing on it."""
    return Figure(figsize=(width, height), facecolor=PAPER)


def sheet(width=WIDTH, height=4.0):
    """A white figure and one empty drawing area over all of it, measured in inches from the lower left corner."""
    figure = blank(width, height)
    area = figure.add_axes((0, 0, 1, 1))
    area.set(xlim=(0, width), ylim=(0, height))
    area.set_axis_off()
    # Its limits are fixed, and it has no title of its own: Matplotlib need not work out where either should be.
    area.add_patch = area.add_artist
    area.set_title("", y=1.0)
    return figure, area


def panel(figure, left, bottom, width, height, title=""):
    """An empty plot with a title, its box measured in inches from the lower left corner of the figure."""
    full_width, full_height = figure.get_size_inches()
    axes = figure.add_axes((left / full_width, bottom / full_height, width / full_width, height / full_height))
    axes.set_facecolor("none")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(MUTED)
    axes.tick_params(colors=MUTED, labelcolor=INK, labelsize=SMALL, length=3)
    # With a height said, no time goes into looking for one.
    axes.set_title(title, fontsize=TEXT, color=INK, loc="left", pad=8, fontweight="bold", y=1.0)
    return axes


def role_text(area, x, y, role_name, text=None, **kwargs):
    """Write a label with the marker of its role before it; return the width in inches."""
    role_ = role(role_name)
    text = role_name if text is None else text
    area.plot(x + 0.08, y, marker=role_.marker, color=role_.color, markeredgecolor=role_.ink, markersize=9)
    area.text(x + 0.25, y, text, fontsize=TEXT, color=role_.ink, va="center_baseline", **kwargs)
    return 0.25 + text_width(text, TEXT)


def heading(area, width, height, title):
    """Write the title of a whole picture at its upper edge."""
    area.text(width / 2, height - 0.28, title, fontsize=TITLE, color=INK, ha="center", va="center", fontweight="bold")


def box(area, x, y, width, height, *, fill=PAPER, edge=FAINT, radius=0.08, line=1.0, **kwargs):
    """Draw a box with rounded corners, lower left corner at (x, y)."""
    shape = f"round,pad=0,rounding_size={radius}"
    patch = FancyBboxPatch((x, y), width, height, boxstyle=shape, facecolor=fill, edgecolor=edge, lw=line, **kwargs)
    area.add_patch(patch)
    return patch


def pointer(area, start, end, *, color=MUTED, line=1.6, curve=0.0, size=12, **kwargs):
    """Draw an arrow from start to end."""
    area.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={
            "arrowstyle": "-|>",
            "color": color,
            "lw": line,
            "mutation_scale": size,
            "shrinkA": 0,
            "shrinkB": 0,
            "connectionstyle": f"arc3,rad={curve}",
            **kwargs,
        },
    )
