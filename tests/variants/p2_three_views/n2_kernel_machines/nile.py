import numpy as np

from attnlib import load_nile

YEAR, FLOW = load_nile()
CANDIDATES = np.arange(5, 101) / 10


def _smoothed(when, bandwidth, left_out=None):
    weights = np.exp(-((YEAR - when) ** 2) / (2 * bandwidth**2))
    if left_out is not None:
        weights[left_out] = 0
    return float(weights @ FLOW / weights.sum())


def _best(of_errors, years=100):
    misses = [[FLOW[i] - _smoothed(YEAR[i], h, i) for i in range(years)] for h in CANDIDATES]
    return float(CANDIDATES[np.argmin([of_errors(np.array(some)) for some in misses])])


def _with(bandwidth, wide=1.0):
    return {"bandwidth": bandwidth} | {when: _smoothed(int(when), wide * bandwidth) for when in ("1885", "1935")}


RIGHT = _with(_best(lambda miss: (miss**2).mean()))

VARIANTS = [
    RIGHT,
    {name: round(value, 1) for name, value in RIGHT.items()},
    {name: np.array([[value]]) for name, value in RIGHT.items()},
    {int(name) if name.isdigit() else name: value for name, value in RIGHT.items()},
]

WRONG = [
    (RIGHT | {"1885": 0.0, "1935": 0.0}, "out-of-reach"),
    (RIGHT | {"1885": float("nan"), "1935": float("nan")}, "not-finite"),
    (_with(_best(lambda miss: np.abs(miss).mean())), "absolute-error"),
    (_with(_best(lambda miss: (miss**2).mean(), years=50)), "other-bandwidth"),
    (_with(4.0), "other-bandwidth"),
    (_with(_best(lambda miss: miss.mean())), "other-bandwidth"),
    (_with(float(int(RIGHT["bandwidth"]))), "decimals-cut"),
    (_with(0.5), "not-left-out"),
    (_with(10.0), "largest-error"),
    ({"bandwidth": 3.0, "1885": 900.0, "1935": 900.0}, "example-left"),
    (_with(RIGHT["bandwidth"], wide=2) | {"bandwidth": RIGHT["bandwidth"]}, "bell-of-twice"),
    (
        RIGHT | {when: float(FLOW[np.abs(YEAR - int(when)) <= RIGHT["bandwidth"]].mean()) for when in ("1885", "1935")},
        "equal-weights",
    ),
    (RIGHT | {"bandwidth": 17191.6}, None),
]
