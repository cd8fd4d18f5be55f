import numpy as np

from grader.exercises.inputs import tells
from grader.exercises.kinds import Case, function
from grader.exercises.p2_three_views.n2_kernel_machines.shared import floats
from grader.exercises.stages import slip

# fmt: off
CHOICES_OF_A_BANDWIDTH = (
    "not-left-out", "largest-error", "bandwidth-not-squared", "missing-two", "absolute-error", "signed-error",
    "not-normalised", "left-out-late",
)
# fmt: on
EVERY_SLIP = (*CHOICES_OF_A_BANDWIDTH, "error-returned", "index-returned")


def noisy_curve(rng, n, m, telling, shuffled=True):
    """Points round a curve and candidate bandwidths, such that no mistake chooses the right candidate, and each mistake
    in `telling` another one.

    Drawn again until they do: on many data sets a mistake happens to choose the right bandwidth. The smallest, the
    largest and the middle candidate are never right.
    """
    while True:
        inputs = some_curve(rng, n, m, shuffled)
        candidates = inputs["bandwidths"]
        chosen = [leave_one_out_bandwidth(**inputs)]
        ends = (candidates.min(), candidates.max(), candidates[0], candidates[-1])
        if chosen[0] in ends or chosen[0] == np.sort(candidates)[m // 2]:
            continue
        for name in telling:  # one by one: most draws fail early
            other = leave_one_out_bandwidth(**inputs, wrong={name})
            if other in chosen:
                break
            chosen.append(other)
        else:
            if tells(leave_one_out_bandwidth, inputs, *EVERY_SLIP):
                return inputs


def some_curve(rng, n, m, shuffled=True):
    """Points round a curve and candidate bandwidths, of which any may be the best."""
    x = np.cumsum(rng.integers(4, 16, size=n)) / 10
    y = 5 + 3 * np.sin(x * rng.uniform(0.4, 0.9)) + rng.normal(size=n) * rng.uniform(0.3, 1.2)
    y = (y + rng.choice([0, 0, 0, 3], size=n)).round(1)
    candidates = (rng.uniform(0.25, 0.4) * 1.27 ** np.arange(m)).round(2)
    return {"x": x, "y": y, "bandwidths": candidates[rng.permutation(m)] if shuffled else candidates}


def isolated(rng):
    """Points so far apart that the smallest candidate reaches no neighbour."""
    while True:
        inputs = some_curve(rng, 7, 5)
        inputs["bandwidths"] = np.append(inputs["bandwidths"][:2] + 0.4, [0.001, 0.9])
        middle = np.median(inputs["bandwidths"])  # a guess that needs no errors
        if leave_one_out_bandwidth(**inputs) != middle and tells(leave_one_out_bandwidth, inputs, *EVERY_SLIP):
            return inputs


@function(
    points=4,
    returns="bandwidth",
    cases=(
        Case(
            "five points, seven candidates",
            lambda rng: noisy_curve(rng, 5, 7, ("not-left-out", "largest-error"), shuffled=False),
            0.25,
        ),
        Case(
            "thirteen points, seventeen candidates in no order",
            lambda rng: noisy_curve(rng, 13, 17, CHOICES_OF_A_BANDWIDTH),
            0.3,
        ),
        Case("another such set", lambda rng: noisy_curve(rng, 17, 17, CHOICES_OF_A_BANDWIDTH[:4]), 0.25),
        Case("a candidate so small that no point reaches a neighbour", isolated, 0.1),
    ),
    mistakes="""
    not-left-out: each point takes part in its own prediction -> A tiny bandwidth then predicts every point from itself,
        without any error, and always wins. -> Give a point the weight 0 in its own prediction, before you divide by the
        sum.
    left-out-late: you take a point out of its own prediction only after the division -> The weights of the others then
        sum to less than 1, and every prediction is too small. -> Set the diagonal of the kernel to zero first, then
        divide by the sum.
    largest-error: you chose the candidate with the largest error -> That is the worst bandwidth of all. -> Look for the
        smallest error.
    bandwidth-not-squared: the kernel is that of a bandwidth that is not squared -> The best number is still found, but
        it is the square of a bandwidth: in the wrong units. -> Use your `gaussian_kernel`.
    missing-two: the kernel lacks the 2 below the line -> The curve found is the same, but its bandwidth is called too
        large by the square root of 2. -> Use your `gaussian_kernel`.
    absolute-error: you added up the absolute errors instead of the squared ones -> Large errors then count less, and
        another bandwidth can win. -> Square each error before you add up.
    signed-error: you added up the errors with their signs -> Errors upwards and downwards cancel, and a bandwidth that
        misses everything can win. -> Square each error before you add up.
    not-normalised: the prediction is not divided by the sum of the kernel values -> A sum instead of an average grows
        with the bandwidth, whatever the data say. -> Use your `kernel_attention`, or divide as it does.
    error-returned: you return the smallest error instead of the bandwidth that has it -> Whoever calls the function
        wants to use the bandwidth. -> Find out which candidate has that error.
    index-returned: you return the place of the best candidate instead of the candidate -> An index is no bandwidth. ->
        Look the candidate up at that place.
    zero-over-zero: a candidate wins although with it no point reaches another -> An unreached point is predicted as 0.
        You get 0/0 there, leave it out of the sum, or predict something else. -> Let `kernel_attention` predict: it
        gives 0 where no other point answers.
    """,
)
def leave_one_out_bandwidth(x, y, bandwidths, wrong=frozenset()):
    """The bandwidth with the least leave-one-out error, with mistakes as switches."""
    x, y, bandwidths = floats(x, y, bandwidths)
    gaps = (x[:, None] - x) ** 2
    h = bandwidths[:, None, None]
    factor = 1.0 if "missing-two" in wrong else 2.0
    kernel = np.exp(-gaps / factor / (h if "bandwidth-not-squared" in wrong else h * h))
    if "not-left-out" not in wrong:
        kernel = kernel * (1 - np.eye(len(x)))
    total = kernel.sum(axis=-1)
    if "zero-over-zero" in wrong:
        predicted = kernel @ y / total
    else:
        predicted = np.divide(kernel @ y, total, out=np.zeros_like(total), where=total != 0)
    # Left out late: as if the kernel were normalised first and its diagonal deleted afterwards.
    predicted = slip(wrong, {"not-normalised": kernel @ y, "left-out-late": kernel @ y / (total + 1)}, predicted)
    miss = predicted - y
    errors = slip(wrong, {"signed-error": miss, "absolute-error": np.abs(miss)}, miss**2).sum(axis=-1)
    best = int(errors.argmax() if "largest-error" in wrong else errors.argmin())
    return slip(wrong, {"error-returned": float(errors[best]), "index-returned": best}, float(bandwidths[best]))
