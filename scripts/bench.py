"""Measure what the course promises about speed: `make bench`.

- `import attnlib` costs at most 1.2 times `import numpy`;
- a check of a right answer mostly takes under 60 ms; that of a wrong one, whose mistake is looked for, 300 ms in the
  middle and 1 s at the worst;
- a picture is drawn within 60 ms in the middle: the figure, and its SVG;
- while something is dragged, an explorer's script and layout take below 16 ms a frame (at 95 of 100 frames), and at
  least 50 pictures a second are shown.

Timings belong here and not into tests: a busy machine must not fail a test.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from tqdm import tqdm

from grader.desk.trying import Known, handwritten, known_answers
from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise
from grader.judging.judge import judge

RUNS = 9
TESTS = str(Path(__file__).resolve().parent.parent / "tests")
SLOWEST = 5


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


def nameless(exercise):
    """An answer that is wrong as no mistake makes it, so that the whole search is for nothing."""

    def spoilt(result):
        if isinstance(result, tuple):
            return tuple(map(spoilt, result))
        return result + 0.3 * np.sin(7 * result) if isinstance(result, (float, np.ndarray)) else result

    return Known("(a mistake without a name)", lambda *args, **kwargs: spoilt(exercise.model(*args, **kwargs)), False)


def check_times():
    """Seconds of a check, as rows (exercise, answer, whether it is right, seconds, whether a mistake was named).

    Counted is the time of the processor: other programs do not matter. What never comes to an end is left out, since
    it takes what the limit of a call allows.
    """
    rows = []
    for exercise in tqdm([e for e in BANK.values() if isinstance(e, FunctionExercise)], desc="checks", leave=False):
        right, wrong = (handwritten(exercise.id, kind) for kind in ("VARIANTS", "WRONG"))
        for known in [*known_answers(exercise, right, wrong), nameless(exercise)]:
            times = []
            # Wrong answers are many, and take long; the first check of all has more to do.
            for _ in range(3 if known.right else 1):
                began = time.process_time()
                verdict = judge(exercise, known.answer, seed=1)
                times.append(time.process_time() - began)
            if verdict.diagnosis != "never-ends" and verdict.passed == known.right:
                rows.append((exercise.id, known.name, known.right, min(times), bool(verdict.diagnoses)))
    return rows


def print_checks(rows):
    """Print what checks take, in milliseconds: of each exercise, of all together, and the slowest by name."""
    print(f"\n{'check, ms':32} {'right':>8} {'wrong: median':>15} {'at most':>9}")
    for exercise in dict.fromkeys(row[0] for row in rows):
        right, wrong = (
            [1000 * row[3] for row in rows if row[0] == exercise and row[2] == kind] for kind in (True, False)
        )
        print(f"{exercise:32} {statistics.median(right):8.0f} {statistics.median(wrong):15.0f} {max(wrong):9.0f}")
    print()
    wrong = [row for row in rows if not row[2]]
    for some, words, aim in (
        ([row for row in rows if row[2]], "right", "mostly under 60"),
        (wrong, "wrong", "median under 300, none above 1000"),
        ([row for row in wrong if not row[4]], "unexplained wrong", "the same"),
    ):
        times = sorted(1000 * row[3] for row in some)
        middle, most = statistics.median(times), times[int(0.9 * (len(times) - 1))]
        print(
            f"{len(times)} {words} answers: median {middle:.0f} ms, 90 % within {most:.0f} ms, at most "
            f"{times[-1]:.0f} ms (aim: {aim})"
        )
    print("\nThe slowest:")
    for exercise, name, _, spent, _ in sorted(rows, key=lambda row: -row[3])[:SLOWEST]:
        print(f"{1000 * spent:6.0f} ms  {exercise}  {name}")


def picture_times():
    """Seconds of the processor that each picture of the tests takes, figure and SVG, by its name."""
    sys.path.insert(0, TESTS)
    from test_plots import PICTURES

    found = {}
    for name, draw in tqdm(PICTURES.items(), desc="pictures", leave=False):
        times = []
        # The first picture of its kind measures words that later ones know.
        for _ in range(2):
            began = time.process_time()
            draw().svg()
            times.append(time.process_time() - began)
        found[name] = min(times)
    return found


def print_pictures(found):
    """Print what pictures take, in milliseconds: the median, and the slowest by name."""
    middle, slowest = 1000 * statistics.median(found.values()), max(found, key=found.get)
    print(
        f"\n{len(found)} pictures: median {middle:.0f} ms, at most {1000 * found[slowest]:.0f} ms: {slowest} "
        "(aim: median under 60)"
    )


# Counts what a frame costs: the explorer's script, and the layout of what it has changed.
COUNT = """() => {
  const explorer = document.querySelector(".attnlib-explorer").explorer;
  const draw = explorer.draw.bind(explorer);
  window.frames_drawn = [];
  explorer.draw = () => {
    const began = performance.now();
    draw();
    explorer.box.getBoundingClientRect();
    window.frames_drawn.push(performance.now() - began);
  };
}"""
SECONDS = 2.0


def dragged():
    """Milliseconds of the frames of each explorer while it is dragged, and the seconds that took; by name."""
    sys.path.insert(0, TESTS)
    from browser import browser
    from explorers import EXPLORERS

    found = {}
    with browser(shutil.which("chromium")) as chromium, tempfile.TemporaryDirectory() as folder:
        for name, case in tqdm(EXPLORERS.items(), desc="explorers", leave=False):
            path = Path(folder) / f"{name}.html"
            path.write_text(f"<!doctype html><meta charset=utf-8>{case.build().html()}", encoding="utf-8")
            page = chromium.new_page(viewport={"width": 1000, "height": 900})
            page.goto(path.as_uri())
            page.wait_for_function("document.querySelector('.attnlib-explorer').explorer")
            page.evaluate(COUNT)
            held = page.locator(".handle, input[type=range], .cell").first
            box = held.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            began, step = time.perf_counter(), 0
            while time.perf_counter() - began < SECONDS:
                step += 1
                page.mouse.move(x + 40 * np.sin(step / 15), y + 40 * np.sin(step / 23))
            spent = time.perf_counter() - began
            page.mouse.up()
            found[name] = page.evaluate("window.frames_drawn"), spent
            page.close()
    return found


def print_dragged(found):
    """Print what frames cost, and how many there were in a second."""
    print(f"\n{'explorer, dragged':24} {'median ms':>10} {'95 % within':>12} {'pictures/s':>11}   (aims: 16 ms, 50)")
    for name, (times, spent) in found.items():
        middle, most = np.percentile(times, (50, 95)) if times else (np.nan, np.nan)
        print(f"{name:24} {middle:10.1f} {most:12.1f} {len(times) / spent:11.0f}")


def main():
    """Print all figures."""
    imports = import_times()
    print(f"import numpy    {imports['numpy'] * 1000:6.0f} ms")
    print(f"import attnlib  {imports['attnlib'] * 1000:6.0f} ms = {imports['attnlib'] / imports['numpy']:.2f} times")
    print_pictures(picture_times())
    print_dragged(dragged())
    print_checks(check_times())


if __name__ == "__main__":
    main()
