import numpy as np

from attnlib import widgets
from attnlib.plots.interpretability import KINDS, rank_agreement, unpacked


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
    asking, others = state["asking"], [j for j in range(1, len(given["tokens"]) - 1) if j != state["asking"]]
    return {
        "rows": [kind[state["layer"], asking] for kind in kinds],
        "agreements": [
            [rank_agreement(kind[layer, asking], kinds[3][layer, asking], others) for layer in range(6)]
            for kind in kinds[:3]
        ],
        "without": [] if state["gone"] is None else kinds[3][state["layer"], :, state["gone"]],
    }
