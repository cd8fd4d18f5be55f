"""Explore heads: type a sentence, choose a head and a word, and see what it attends to."""

import ipywidgets
import numpy as np

from attnlib.plots import head_at
from attnlib.widgets.base import Explorer


def explore_heads(attention, text, head=0, token=0):
    """Choose a head of a layer and a word of a sentence, and see what the word attends to.

    Parameters
    ----------
    attention : callable
        Takes a text; returns its tokens, a list of str, and the weights of all heads, of shape (num_heads, n, n).
        What it raises is shown in words, and the picture stays.
    text : str
        The sentence to begin with.
    head, token : int
        The head and the place of the word to begin with.

    Returns
    -------
    explorer : Explorer
        With the controls `text`, `head` and `token`.

    Examples
    --------
    >>> def attention(text):
    ...     tokens = text.split()
    ...     n = len(tokens)
    ...     return tokens, [[[(i == j) * 1.0 for j in range(n)] for i in range(n)]]
    >>> explorer = explore_heads(attention, "the cat")
    >>> explorer.controls.token.value = 1
    >>> explorer.text
    'Head 0 of 1 (counted from 0). “cat” attends to the 0.00, cat 1.00.'
    """
    known = {}  # the text that was read last, so that moving a slider does not compute the layer again

    def read(text):
        if known.get("text") != text:
            try:
                tokens, weights = attention(text)
                weights = np.asarray(weights, dtype=float)
                if weights.ndim != 3:
                    raise ValueError(f"the weights must have shape (num_heads, n, n); got shape {weights.shape}")
                known.update(text=text, tokens=list(tokens), weights=weights, problem="")
            except Exception as problem:  # a learner's layer may raise anything; an explorer only says so
                said = str(problem) if isinstance(problem, ValueError) else f"{type(problem).__name__}: {problem}"
                known.update(text=text, tokens=None, weights=None, problem=said)
        if known["tokens"] is None:
            raise ValueError(known["problem"])
        return known["tokens"], known["weights"]

    def fit(change=None):
        """Let the sliders reach as far as the sentence and the layer do."""
        try:
            tokens, weights = read(controls["text"].value)
        except ValueError:
            return
        controls["head"].max = max(len(weights) - 1, 0)
        controls["token"].max = len(tokens) - 1

    def draw(text, head, token):
        tokens, weights = read(text)
        return head_at(weights, tokens, min(head, len(weights) - 1), min(token, len(tokens) - 1))

    wide = {"description_width": "initial"}
    controls = {
        "text": ipywidgets.Text(
            value=text, description="sentence", continuous_update=False, style=wide, layout={"width": "52em"}
        ),
        "head": ipywidgets.IntSlider(value=head, min=0, max=max(11, head), description="head", style=wide),
        "token": ipywidgets.IntSlider(value=token, min=0, max=max(127, token), description="who asks", style=wide),
    }
    fit()
    explorer = Explorer(draw, controls, "step through the heads. Then type a sentence of your own, and press Enter.")
    controls["text"].observe(fit, "value")
    return explorer
