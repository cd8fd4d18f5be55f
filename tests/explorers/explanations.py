import numpy as np

from attnlib import widgets
from attnlib.plots.interpretability import KINDS, agreements, unpacked


def build():
    return widgets.explore_explanations()


def states(data, rng):
    for sentence, given in enumerate(data["sentences"]):
        n = len(given["tokens"])
        for mean in (False, True):
            yield {
                "sentence": sentence,
                "asking": int(rng.integers(n)),
                "layer": int(rng.integers(6)),
                "mean": mean,
                "gone": int(rng.integers(1, n - 1)) if mean else None,
            }
    yield {"sentence": 1, "asking": 0, "layer": 0, "gone": 3}


def numbers(data, state):
    given = data["sentences"][state["sentence"]]
    kinds = [unpacked(given, kind) for kind in KINDS]
    if state["mean"]:
        so_far = np.arange(1, 7)[:, None, None]
        kinds[:2] = [np.cumsum(kind, axis=0) / so_far for kind in kinds[:2]]
    asking = state["asking"]
    return {
        "rows": [kind[state["layer"], asking] for kind in kinds],
        "agreements": agreements(given)[[3, 4, 2] if state["mean"] else [0, 1, 2], :, asking],
        "without": [] if state["gone"] is None else kinds[3][state["layer"], :, state["gone"]],
    }
