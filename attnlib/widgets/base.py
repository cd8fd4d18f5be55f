"""What all explorers share: controls, a picture that follows them, and a sentence that says what it shows."""

import html
import threading
from types import SimpleNamespace

import ipywidgets
import traitlets


class Explorer(ipywidgets.VBox):
    """A picture with controls; moving a control draws it anew.

    An explorer is made from a function that draws, the same one that gives a static picture without any control, and
    from one widget for each of the function's arguments that can be moved.

    Parameters
    ----------
    draw : callable
        Takes the values of the controls by their names and returns a `Picture`. A ValueError that it raises is shown
        in place of the sentence, and the picture stays.
    controls : dict of str to widget
        Each widget has a `value`; they are shown in this order, side by side where there is room.
    advice : str
        What to try, in one line.

    Attributes
    ----------
    controls : namespace
        The widgets by name, as in ``explorer.controls.temperature.value = 2``.
    image : ipywidgets.Image
        Its `value` holds the picture as SVG; its CSS class is ``attnlib-picture``.
    readout : ipywidgets.HTML
        What the picture shows, in words; its CSS class is ``attnlib-readout``.

    Examples
    --------
    >>> from attnlib.plots import weight_bars
    >>> share = slider("share of cat", 0.5, 0, 1)
    >>> explorer = Explorer(lambda share: weight_bars([share, 1 - share], ["cat", "dog"]), {"share": share})
    >>> explorer.text
    'Weights: cat 0.50, dog 0.50.'
    >>> explorer.controls.share.value = 0.75
    >>> explorer.text
    'Weights: cat 0.75, dog 0.25.'
    """

    def __init__(self, draw, controls, advice=""):
        self.controls = SimpleNamespace(**controls)
        self.text = ""
        self._draw = draw
        self._drawn = None
        # JupyterLab may run the callbacks of two controls at the same time, each in a thread of its own.
        self._drawing = threading.Lock()
        self.image = _NamedImage(
            format="svg+xml",
            tooltip="A picture that follows the controls; the sentence below says what it shows.",
            layout={"max_width": "100%", "object_fit": "contain"},
        )
        self.image.add_class("attnlib-picture")
        self.readout = ipywidgets.HTML()
        self.readout.add_class("attnlib-readout")
        row = ipywidgets.HBox(list(controls.values()), layout={"flex_flow": "row wrap", "grid_gap": "0 1.5em"})
        lead = [ipywidgets.HTML(f"<strong>Try:</strong> {html.escape(advice)}")] if advice else []
        super().__init__([*lead, row, self.image, self.readout], layout={"max_width": "900px"})
        self.add_class("attnlib-explorer")
        for name, control in controls.items():
            control.add_class(f"attnlib-control-{name}")
            control.observe(self._redraw, "value")
        self._redraw()

    def _redraw(self, change=None):
        with self._drawing:
            # Read now, not from `change`: whoever comes last draws the newest values of all controls.
            values = {name: control.value for name, control in vars(self.controls).items()}
            if values == self._drawn:
                return
            try:
                picture = self._draw(**values)
            except ValueError as error:
                self._say(str(error))
            else:
                self.image.value = picture.svg().encode()
                self._say(picture.alt)
            self._drawn = values

    def _say(self, text):
        self.text = text
        # A live region: a screen reader says what has changed, as an eye sees it in the picture.
        self.readout.value = f'<div role="status" aria-live="polite">{html.escape(text)}</div>'


class _NamedImage(ipywidgets.Image):
    """An image with a tooltip, the only text alternative that an image widget can have.

    The front end sets a tooltip only on a widget whose description is empty, and fails on one that has none.
    """

    description = traitlets.Unicode("").tag(sync=True)


def slider(description, value, low, high, step=0.05, *, readout_format=".2f"):
    """A slider over real numbers, moved by mouse, touch or arrow keys; its picture follows while it moves."""
    return ipywidgets.FloatSlider(
        value=value,
        min=low,
        max=high,
        step=step,
        description=description,
        readout_format=readout_format,
        style=_STYLE,
        layout=_WIDE,
    )


def log_slider(description, value, low_exponent, high_exponent, step=0.05):
    """A slider over the powers of ten from 10**low_exponent to 10**high_exponent; each step multiplies."""
    return ipywidgets.FloatLogSlider(
        value=value,
        base=10,
        min=low_exponent,
        max=high_exponent,
        step=step,
        description=description,
        readout_format=".3g",
        style=_STYLE,
        layout=_WIDE,
    )


def word_box(description, value, words):
    """A field for one word that offers those it knows; the picture follows when the word is entered."""
    return ipywidgets.Combobox(
        value=value,
        options=list(words),
        description=description,
        continuous_update=False,
        style=_STYLE,
        layout={"width": "16em"},
    )


_STYLE = {"description_width": "initial"}
_WIDE = {"width": "24em"}
