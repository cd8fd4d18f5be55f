import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip


def agreeing(first, second, wrong=frozenset()):
    """The whole numbers from 2 to 2048 at which two ways to scale agree, with mistakes as switches."""
    sizes = np.arange(2, 2049)
    found = sizes[np.isclose(first(sizes), second(sizes), rtol=1e-9, atol=0)].tolist()
    slips = {
        "exponents": [int(np.log2(d)) for d in found],
        "only-four": [4],
        "first-only": found[:1],
        "last-only": found[-1:],
        "without-two": [d for d in found if d > 2],
        "without-sixteen": [d for d in found if d < 16],
    }
    return slip(wrong, slips, found)


def half(d):
    return d / 2


@values(
    points=2,
    task="fill the three lists of the dict",
    entries=(
        Entry("half = sqrt", "d / 2 and sqrt(d)", 0.3),
        Entry("log2 = sqrt", "log2(d) and sqrt(d)", 0.4),
        Entry("half = log2", "d / 2 and log2(d)", 0.3),
    ),
    mistakes="""
    only-four: you name 4 everywhere, and nothing else -> Two curves can cross more than once, and each pair in its own
        places. -> Go through all whole numbers from 2 to 2048, for each pair by itself.
    first-only: you stopped at the first agreement -> Two curves can cross more than once. -> Go through all whole
        numbers from 2 to 2048, without `break`.
    last-only: you kept the last agreement alone -> Two curves can cross more than once; here each finding replaced the
        one before. -> Collect them in a list with `append`.
    root-is-half: your square root is half of d -> In Python `d**1 / 2` is d, and then divided by 2: a power comes
        before a division. -> Write `np.sqrt(d)`, or `d**0.5`.
    other-log: nothing agrees with your logarithm -> `np.log` and `np.log10` have other bases than 2. -> Use `np.log2`.
    first-pair-only: each number stands in one list only -> At one and the same number several pairs may agree, and
        `elif` looks no further after the first. -> Use an `if` for each pair.
    exponents: you gave the value that both formulas have (an exponent of 2) instead of the d_k at which they have it ->
        It is d_k that is asked for. -> Collect the `d` of your loop.
    without-two: the smallest number is missing -> The range starts at 2, and there something agrees already. -> Include
        2 in your loop.
    without-sixteen: one agreement further up is missing -> Two curves can cross more than once. -> Go through all whole
        numbers from 2 to 2048.
    """,
)
def coincidence(wrong=frozenset()):
    root = np.sqrt if "root-is-half" not in wrong else half
    log = np.log2 if "other-log" not in wrong else np.log
    found = {
        "half = sqrt": agreeing(half, root, wrong),
        "log2 = sqrt": agreeing(log, root, wrong),
        "half = log2": agreeing(half, log, wrong),
    }
    if "first-pair-only" in wrong:
        taken = set()
        for name, numbers in found.items():
            found[name] = [d for d in numbers if d not in taken]
            taken |= set(numbers)
    return found
