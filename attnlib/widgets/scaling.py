"""Explore scaling: change d_k and the number of keys, and see whether softmax saturates."""

import ipywidgets
import numpy as np

from attnlib.plots import scaling_at
from attnlib.widgets.base import Explorer, slider


def explore_scaling(d_k=512, n_keys=8):
    """Change the dimension of random queries and keys, and watch weights and entropy with and without scaling.

    Parameters
    ----------
    d_k : int
        A power of two from 2 to 2048.
    n_keys : int
        From 2 to 12.

    Returns
    -------
    explorer : Explorer
        With the controls `d_k`, which doubles at each step, and `n_keys`.

    Examples
    --------
    >>> explorer = explore_scaling()
    >>> explorer.controls.d_k.value = 2
    >>> explorer.text.split(".")[0]
    'd_k = 2, 8 keys'
    """
    doubling = ipywidgets.FloatLogSlider(
        value=d_k,
        base=2,
        min=1,
        max=11,
        step=1,
        description="d_k",
        readout_format=".0f",
        style={"description_width": "initial"},
        layout={"width": "24em"},
    )
    controls = {"d_k": doubling, "n_keys": slider("number of keys", n_keys, 2, 12, 1, readout_format=".0f")}

    def draw(d_k, n_keys):
        return scaling_at(2 ** round(float(np.log2(d_k))), round(n_keys))

    return Explorer(draw, controls, "go from 2 to 2048, and look where the entropy of each line goes.")
