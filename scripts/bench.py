"""Measure what the course promises about speed: `make bench`.

- `import attnlib` costs at most 1.2 times `import numpy`;
- a check of a right answer mostly takes under 60 ms; that of a wrong one, whose mistake is looked for, 300 ms in the
  middle and 1 s at the worst;
- a picture is drawn within 60 ms in the middle: the figure, and its SVG;
- while something is dragged, pressed or played, an explorer's script and layout take below 16 ms a frame (at 95 of 100
  frames), and at least 50 pictures a second are shown where so many moves come; one that asks a kernel shows at least
  10 a second, 150 ms after Enter at the worst.

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


# Counts what a frame costs (script and layout of what has changed), and how long after the first move that it shows a
# frame was on the screen: a message that is sent while a frame is made arrives when it has been painted.
COUNT = """() => {
  const explorer = document.querySelector(".attnlib-explorer").explorer;
  const draw = explorer.draw.bind(explorer);
  window.drawn = [];
  window.waited = [];
  let moved = null;
  const note = (event) => (moved ??= event.timeStamp);
  for (const kind of ["pointerdown", "pointermove", "input", "click"]) addEventListener(kind, note, true);
  explorer.draw = () => {
    const began = performance.now();
    draw();
    explorer.box.getBoundingClientRect();
    window.drawn.push(performance.now() - began);
    const since = moved;
    moved = null;
    if (since === null) return;
    const painted = new MessageChannel();
    painted.port1.onmessage = () => window.waited.push(performance.now() - since);
    painted.port2.postMessage(null);
  };
}"""
SECONDS, STEPS = 2.0, 12  # for each way at least

# Each kind of move with what it needs.
DRAGGED = ".handle, input[type=range]"
PRESSED = ".cell[role=button]"
MIDDLES = """(cells) => cells.map((cell) => {
  const box = cell.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""
PLAYED = """() => {
  const { explorer } = document.querySelector(".attnlib-explorer");
  return explorer.module.controls(explorer.data).find((control) => control.kind === "play")?.label ?? null;
}"""


def moves(page):
    """How the explorer in a page can be moved: by name, a function of the step that is called again and again."""
    found = {}
    if (held := page.locator(DRAGGED)).count():
        box = held.first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        def drag(step):
            if not step:
                page.mouse.move(x, y)
                page.mouse.down()
            page.mouse.move(x + 40 * np.sin((step + 1) / 15), y + 40 * np.sin((step + 1) / 23))

        found["dragged"] = drag
    if len(middles := page.locator(PRESSED).evaluate_all(MIDDLES)) > 1:
        found["pressed"] = lambda step: page.mouse.click(*middles[(step + 1) % len(middles)])
    if label := page.evaluate(PLAYED):
        play = page.get_by_role("button", name=label, exact=True)

        def go_on(step):
            if not step:
                play.click()
            page.wait_for_timeout(50)

        found["played"] = go_on
    return found


def moved(page, seconds_each=SECONDS):
    """What the explorer in a page shows while it is moved, in each way that it can be.

    Returns
    -------
    dict of str to tuple
        Of each way: milliseconds of the frames, milliseconds from moves to their pictures, pictures a second.
    """
    page.wait_for_function("document.querySelector('.attnlib-explorer').explorer")
    page.evaluate(COUNT)
    found = {}
    for way, move in moves(page).items():
        page.evaluate("window.drawn.length = window.waited.length = 0")
        began, step = time.perf_counter(), 0
        while step < STEPS or time.perf_counter() - began < seconds_each:
            move(step)
            step += 1
        spent = time.perf_counter() - began
        page.wait_for_timeout(100)  # the last picture is being painted
        page.mouse.up()
        drawn, waited = page.evaluate("[window.drawn, window.waited]")
        found[way] = drawn, waited, len(drawn) / spent
        page.evaluate("document.querySelector('.attnlib-explorer').explorer.reset()")
    return found


def explorer_times():
    """What each explorer shows while it is moved: of its name, what `moved` returns."""
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
            found[name] = moved(page)
            page.close()
        found["heads, own text"] = {"a kernel asked": asked(chromium, Path(folder))}
    return found


ASK = """async (texts) => {
  const all = [...document.querySelectorAll(".attnlib-explorer")].map((one) => one.explorer);
  const explorer = all.find((one) => one?.module.name === "heads");
  const input = explorer.host.shadowRoot.querySelector("input[type=text]");
  const times = [];
  for (const text of texts) {
    const before = explorer.state.read;
    const began = performance.now();
    input.value = text;
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    while (explorer.state.read === before) {
      if (!/^(The kernel|$)/.test(explorer.state.problem)) throw new Error(explorer.state.problem);
      await new Promise(requestAnimationFrame);
    }
    times.push(performance.now() - began);
  }
  return times;
}"""


def asked(chromium, folder):
    """What an explorer shows whose function runs in a kernel, in JupyterLab; as a way of `moved`."""
    from browser import Lab, running

    notebook = Path(__file__).resolve().parent.parent / "solutions" / "3-multi-head" / "5-multi-head.ipynb"
    (folder / "work").mkdir()
    (folder / "state").mkdir()
    shutil.copy(notebook, folder / "work")
    words = ["she", "deposited", "money", "at", "the", "bank", "of", "river", "water", "company", "school"]
    texts = [" ".join(words[: 3 + i % 8]) for i in range(40)]
    with running("learner", folder / "work", folder / "state") as server, Lab(server, chromium) as lab:
        opened = lab.open(notebook.name)
        opened.run_all()
        opened.output("explore-live").locator(".attnlib-explorer input[type=text]").wait_for()
        times = lab.page.evaluate(ASK, texts)
    return [], times, 1000 * len(times) / sum(times)


def print_explorers(found):
    """Print what frames cost, how many there were in a second, and how long after a move a picture was there."""
    print(
        f"\n{'explorer':18} {'moved':15} {'frame, ms':>10} {'95 % within':>12} {'pictures/s':>11} "
        f"{'from move to picture, ms':>25} {'worst':>6}   (aims: 16 ms, 50; of a kernel 10, worst 150 ms)"
    )
    for name, ways in found.items():
        for way, (drawn, waited, rate) in ways.items():
            middle, most = np.percentile(drawn, (50, 95)) if drawn else (np.nan, np.nan)
            usual, worst = (np.median(waited), max(waited)) if waited else (np.nan, np.nan)
            print(f"{name:18} {way:15} {middle:10.1f} {most:12.1f} {rate:11.0f} {usual:25.0f} {worst:6.0f}")


def main():
    """Print all figures."""
    imports = import_times()
    print(f"import numpy    {imports['numpy'] * 1000:6.0f} ms")
    print(f"import attnlib  {imports['attnlib'] * 1000:6.0f} ms = {imports['attnlib'] / imports['numpy']:.2f} times")
    print_pictures(picture_times())
    print_explorers(explorer_times())
    print_checks(check_times())


if __name__ == "__main__":
    main()
