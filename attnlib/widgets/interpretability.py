"""Explanations of a word beside what really moves it."""

from attnlib.plots.interpretability import explanations_at, stored
from attnlib.widgets.explorer import Explorer


def explore_explanations():
    """Let a word of a real sentence ask, go through the layers, take other words away.

    Weights (the mean of the heads), shares of the contributions, rollout of the weights up to a layer, and how far each
    token's vector after that layer moves when a word is masked: all by the encoder of `attnlib.load_encoder`,
    computed once for three sentences.

    Returns
    -------
    explorer : Explorer

    Examples
    --------
    >>> explore_explanations().text.split(".")[0]
    '“bank” asks, after layer 3'
    """
    return Explorer("explanations", {"sentences": stored()}, explanations_at())
