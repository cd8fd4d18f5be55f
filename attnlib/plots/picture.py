"""A figure together with its description in words."""

import base64
import html
import io
import threading
from pathlib import Path

import matplotlib

# Fonts and their caches are shared by all figures, and JupyterLab may run two callbacks at the same time.
_rendering = threading.Lock()

# Without a salt the same picture would be written with other element names every time.
matplotlib.rcParams["svg.hashsalt"] = "attnlib"

CSS_PIXELS_PER_INCH = 96


class Picture:
    """A figure that shows itself in a notebook as an image with a text alternative.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        A figure of its own, not one of pyplot's.
    alt : str
        What the figure shows, in words, for whoever does not see it.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> picture = Picture(Figure(figsize=(2, 1)), alt="Nothing yet.")
    >>> picture
    Nothing yet.
    >>> picture.svg().startswith("<svg")
    True
    """

    def __init__(self, figure, alt):
        self.figure = figure
        self.alt = alt

    def svg(self):
        """Return the picture as SVG text, the same for the same picture."""
        text = io.StringIO()
        with _rendering:
            self.figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        svg = text.getvalue()
        return svg[svg.index("<svg") :]  # an image element needs neither the XML declaration nor the document type

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
            f'<img class="attnlib-picture" alt="{html.escape(self.alt)}" width="{width}" '
            f'style="max-width: 100%; height: auto" src="data:image/svg+xml;base64,{source}">'
        )
        return {"text/html": image, "text/plain": self.alt}

    def __repr__(self):
        return self.alt
