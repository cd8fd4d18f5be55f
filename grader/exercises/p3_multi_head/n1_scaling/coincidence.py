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
        "without-two": [d for d in found if d > 2],
        "without-sixteen": [d for d in found if d < 16],
    }
    return slip(wrong, slips, found)


@values(
    points=2,
    task="fill the three lists of the dict",
    entries=(
        Entry("half = sqrt", "d / 2 and sqrt(d)", 0.3),
        Entry("log2 = sqrt", "log2(d) and sqrt(d)", 0.4),
        Entry("half = log2", "d / 2 and log2(d)", 0.3),
    ),
    mistakes="""
    only-four: you stopped at the first agreement -> Two curves can cross more than once. -> Go through all whole
        numbers from 2 to 2048.
    first-pair-only: each number stands in one list only -> At one and the same number several pairs may agree, and
        `elif` looks no further after the first. -> Use an `if` for each pair.
    exponents: you gave the exponents of the powers of two instead of the numbers themselves -> It is d_k that is asked
        for. -> Raise 2 to what you have.
    without-two: the smallest number is missing -> The range starts at 2, and there something agrees already. -> Include
        2 in your loop.
    without-sixteen: one agreement further up is missing -> Two curves can cross more than once. -> Go through all whole
        numbers from 2 to 2048.
    """,
)
def coincidence(wrong=frozenset()):
    found = {
        "half = sqrt": agreeing(lambda d: d / 2, np.sqrt, wrong),
        "log2 = sqrt": agreeing(np.log2, np.sqrt, wrong),
        "half = log2": agreeing(lambda d: d / 2, np.log2, wrong),
    }
    if "first-pair-only" in wrong:
        taken = set()
        for name, numbers in found.items():
            found[name] = [d for d in numbers if d not in taken]
            taken |= set(numbers)
    return found
