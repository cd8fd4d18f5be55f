"""Measure what the course promises about speed: `make bench`.

- `import attnlib` costs at most 1.2 times `import numpy`;
- a check takes under 100 ms beyond the learner's own time, right or wrong;
- an explorer redraws within about 80 ms.

Timings belong here and not into tests: a busy machine must not fail a test.
"""

import statistics
import subprocess
import sys
import time

import numpy as np
from tqdm import tqdm

from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise
from grader.judging.judge import judge

RUNS = 9


def seconds(work):
    """Time of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def import_times():
    """Median seconds of a process that imports numpy, and of one that imports attnlib."""
    times = {"numpy": [], "attnlib": []}
    for _ in tqdm(range(RUNS), desc="imports", leave=False):
        for name in times:
            times[name].append(
                seconds(lambda name=name: subprocess.run([sys.executable, "-c", f"import {name}"], check=True))
            )
    return {name: statistics.median(measured) for name, measured in times.items()}


def check_times():
    """For each function, the seconds that the judge adds for a right answer and for its costliest wrong one."""
    rows = []
    for exercise in tqdm([e for e in BANK.values() if isinstance(e, FunctionExercise)], desc="checks", leave=False):

        def unknown(*args, _model=exercise.model, **kwargs):
            result = _model(*args, **kwargs)
            return np.asarray(result) * 1.01 if isinstance(result, np.ndarray) else result

        right = min(seconds(lambda e=exercise: judge(e, e.model, seed=1)) for _ in range(3))
        wrong = min(seconds(lambda e=exercise, a=unknown: judge(e, a, seed=1)) for _ in range(3))
        for misconception in exercise.misconceptions:

            def mistaken(*args, _model=exercise.model, _id=misconception.id, **kwargs):
                return _model(*args, wrong=frozenset([_id]), **kwargs)

            wrong = max(wrong, seconds(lambda e=exercise, a=mistaken: judge(e, a, seed=1)))
        rows.append((exercise.id, right, wrong))
    return rows


def redraw_time():
    """Median seconds of moving the temperature of the softmax explorer."""
    from attnlib import widgets

    explorer = widgets.explore_softmax(np.array([0.29, 0.21, 0.51]), ["The", "cat", "sat"])
    times = []
    for value in np.linspace(0.3, 3.0, RUNS):
        times.append(seconds(lambda value=value: setattr(explorer.controls.temperature, "value", float(value))))
    return statistics.median(times)


def main():
    """Print all figures."""
    imports = import_times()
    print(f"import numpy    {imports['numpy'] * 1000:6.0f} ms")
    print(f"import attnlib  {imports['attnlib'] * 1000:6.0f} ms = {imports['attnlib'] / imports['numpy']:.2f} times")
    print(f"explorer redraw {redraw_time() * 1000:6.0f} ms")
    rows = sorted(check_times(), key=lambda row: -row[2])
    print(f"\n{'check':32} {'right':>8} {'wrong, at most':>16}")
    for name, right, wrong in rows:
        print(f"{name:32} {right * 1000:5.1f} ms {wrong * 1000:13.1f} ms")


if __name__ == "__main__":
    main()
