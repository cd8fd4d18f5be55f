"""A figure together with its description in words."""

import base64
import html
import io
import re
import threading
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import matplotlib

from attnlib.plots import style

# Fonts and their caches are shared by all figures, and JupyterLab may run two callbacks at the same time.
_rendering = threading.Lock()

# Without a salt the same picture would be written with other element names every time.
matplotlib.rcParams["svg.hashsalt"] = "attnlib"
# Letters as letters: outlines make a picture twice as large, and take twice as long.
matplotlib.rcParams["svg.fonttype"] = "none"

CSS_PIXELS_PER_INCH = 96
# Below this share of its natural width a picture is no longer read: its frame scrolls.
LEAST = 0.75
BADGE = "#47536b"
FONTS = "'DejaVu Sans', Verdana, Geneva, sans-serif"


class Link(NamedTuple):
    """A part of a picture that leads somewhere.

    Attributes
    ----------
    href : str
        Where it leads, from the notebook that shows the picture.
    label : str
        What is said of it to whoever does not see the picture.
    box : tuple of float
        Left, top, width and height, in per cent of the picture's.
    badge : str
        A few characters in its upper right corner.
    """

    href: str
    label: str
    box: tuple[float, float, float, float]
    badge: str = ""


class Picture:
    """A figure that shows itself in a notebook as an image with a text alternative.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        A figure of its own, not one of pyplot's.
    alt : str
        What the figure shows, in words, for whoever does not see it.
    links : list of Link, optional
        Parts of it that lead somewhere.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> picture = Picture(Figure(figsize=(2, 1)), alt="Nothing yet.")
    >>> picture
    Nothing yet.
    >>> picture.svg().startswith("<svg")
    True
    """

    def __init__(self, figure, alt, links=()):
        self.figure = figure
        self.alt = alt
        self.links = list(links)

    def svg(self):
        """Return the picture as SVG text, the same for the same picture; in a dark page its colours are dark."""
        text = io.StringIO()
        with _rendering:
            self.figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        svg = text.getvalue()
        # An image element needs neither the XML declaration nor the document type.
        return _themed(_slim(svg[svg.index("<svg") :]))

    def png(self, scale=2):
        """Return the picture as PNG bytes, with `scale` pixels for each pixel of a plain screen."""
        data = io.BytesIO()
        with _rendering:
            self.figure.savefig(data, format="png", dpi=scale * CSS_PIXELS_PER_INCH)
        return data.getvalue()

    def save(self, path):
        """Write the picture to a file whose name ends in .svg or .png."""
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg(), encoding="utf-8")
        elif path.suffix == ".png":
            path.write_bytes(self.png())
        else:
            raise ValueError(f"path must end in .svg or .png; got {path.name}")

    def _repr_mimebundle_(self, include=None, exclude=None):
        source = base64.b64encode(self.svg().encode()).decode()
        width = round(self.figure.get_figwidth() * CSS_PIXELS_PER_INCH)
        # HTML rather than an image output: JupyterLab shows an image output without a text alternative.
        image = (
            f'<img class="attnlib-picture" alt="{html.escape(self.alt)}" width="{width}" tabindex="0" '
            f'style="width: 100%; max-width: {width}px; min-width: {round(LEAST * width)}px; height: auto" '
            f'src="data:image/svg+xml;base64,{source}">'
        )
        if self.links:
            wide = f"max-width: {width}px; min-width: {round(LEAST * width)}px"
            image = f'<div style="position: relative; {wide}">{image}{"".join(map(_anchor, self.links))}</div>'
        image = f'<div style="overflow-x: auto">{image}</div>'
        return {"text/html": image, "text/plain": self.alt}

    def __repr__(self):
        return self.alt


def _anchor(link):
    """A link over its part of the picture; its badge has colours that can be read on light and dark."""
    left, top, width, height = (f"{number:.2f}%" for number in link.box)
    about = html.escape(link.label)
    badge = (
        '<span style="position: absolute; bottom: -8px; right: -6px; padding: 0 5px; border-radius: 8px; '
        f'font-size: 11px; line-height: 16px; color: #ffffff; background: {BADGE}">{html.escape(link.badge)}</span>'
    )
    return (
        f'<a href="{html.escape(link.href)}" title="{about}" aria-label="{about}" style="position: absolute; '
        f'left: {left}; top: {top}; width: {width}; height: {height}">{badge if link.badge else ""}</a>'
    )


def notice(words):
    """A picture of one line of text, for what cannot be drawn.

    Examples
    --------
    >>> notice("there is nothing to draw yet")
    there is nothing to draw yet
    """
    figure, area = style.sheet(height=0.6)
    area.text(0.15, 0.3, words, fontsize=style.TEXT, color=style.INK, va="center")
    return Picture(figure, words)


def _slim(svg):
    """Leave out what Matplotlib writes and nobody sees: names of groups, fonts of each label, the tenth decimal."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'(<g) id="[^"]*"', r"\1", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r"font-family: [^;\"]*; ", "", svg)
    svg = re.sub(r"font: ((?:[\w.]+ )*[\d.]+px) [^;\"]*", _font, svg)
    svg = re.sub(r' (?:d|x|y|transform|points)="[^"]*"', lambda places: _rounded(places[0], 1), _rounded(svg, 2))
    svg = re.sub(r"\s*\n\s*", " ", svg)
    # Spaces between elements and in paths, and groups of one.
    svg = re.sub(r"> <(?!/?tspan)", "><", svg)
    svg = re.sub(r'(?<= d=")[^"]*', lambda path: re.sub(" ?([A-Za-z]) ", r"\1", path[0]), svg)
    return re.sub(r"<g>(<(?:path|use)[^>]*/>|<text[^>]*>[^<]*</text>)</g>", r"\1", svg)


def _rounded(text, digits):
    """Numbers with at most so many decimals."""
    long = re.compile(rf"\d+\.\d{{{digits + 1},}}")
    return long.sub(lambda number: f"{float(number[0]):.{digits}f}".rstrip("0").rstrip("."), text)


def _font(match):
    """The parts of a font but its family, which is said once for the picture."""
    *rest, size = match[1].split()
    weights = [f"font-weight: {one}; " for one in rest if one.isdigit() or one == "bold"]
    styles = [f"font-style: {one}; " for one in rest if one in ("italic", "oblique")]
    return f"{''.join(weights + styles)}font-size: {size}"


def _themed(svg):
    """Give each colour a name, and a dark counterpart for pages that say that they are dark."""
    # What is black Matplotlib leaves without a colour.
    colors = sorted({"#000000", *re.findall(r"#[0-9a-f]{6}\b", svg)})
    names = {color: f"--c{i}" for i, color in enumerate(colors)}
    svg = re.sub(r"#[0-9a-f]{6}\b", lambda color: f"var({names[color[0]]})", svg)
    light, dark = (
        ";".join(f"{name}:{to(color)}" for color, name in names.items()) for to in (lambda color: color, style.dark)
    )
    # A style that several elements share is said once.
    shared = [one for one, times in Counter(re.findall(r' style="([^"]*)"', svg)).items() if times > 1]
    for i, one in enumerate(shared):
        svg = svg.replace(f' style="{one}"', f' class="s{i}"')
    classes = "".join(f".s{i}{{{one}}}" for i, one in enumerate(shared))
    root = f"svg{{{light};fill:var({names['#000000']})}}"
    night = f"@media (prefers-color-scheme: dark){{svg{{{dark}}}}}"
    rules = f"{root}{classes}text{{font-family:{FONTS}}}{night}"
    head, end, body = svg.partition(">")
    return f"{head}{end}<style>{rules}</style>{body}"
