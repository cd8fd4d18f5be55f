import numpy as np

import attnlib
from attnlib import widgets


def build():
    return widgets.explore_bandwidth(*attnlib.load_nile(), 8.0, 1913, x_name="year", y_name="flow")


def states(data, rng):
    for bandwidth in [data["least"], data["most"], *10 ** rng.uniform(-0.6, 3, size=6)]:
        yield {"bandwidth": float(bandwidth), "at": float(rng.integers(1871, 1971))}


def numbers(data, state):
    x, y = np.array(data["x"]), np.array(data["y"])

    def average(Q, values, h, who=1.0):
        return attnlib.kernel_attention(Q, x[:, None], values, lambda Q, K: attnlib.gaussian_kernel(Q, K, h) * who)

    def errors(h):
        """The typical error of a point that is left out, and of one that is left in."""
        for who in (1 - np.eye(len(x)), 1.0):
            yield np.sqrt(((average(x[:, None], y[:, None], h, who)[:, 0] - y) ** 2).mean())

    weights = average([[state["at"]]], np.eye(len(x)), state["bandwidth"])[0]
    grid = np.linspace(x[0], x[-1], 3 * len(x) - 2)
    bandwidths = np.geomspace(data["least"], x[-1] - x[0], 49)
    left = np.array([list(errors(h)) for h in bandwidths])
    # The valley is where attnlib finds it.
    assert bandwidths[left[:, 0].argmin()] == attnlib.leave_one_out_bandwidth(x, y, bandwidths)
    return {
        "weights": weights,
        "answer": weights @ y,
        "many": np.exp(attnlib.entropy(weights)),
        "grid": grid,
        "curve": average(grid[:, None], y[:, None], state["bandwidth"])[:, 0],
        "bandwidths": bandwidths,
        "left": {"out": left[:, 0], "in": left[:, 1]},
        "now": dict(zip(("out", "in"), errors(state["bandwidth"]), strict=True)),
    }
