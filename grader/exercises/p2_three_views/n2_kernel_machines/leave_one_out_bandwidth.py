import numpy as np

from attnlib import squared_distances
from grader.exercises.inputs import example, tells
from grader.exercises.kinds import Case, function
from grader.exercises.p2_three_views.n2_kernel_machines.shared import floats
from grader.exercises.stages import slip

# fmt: off
CHOICES_OF_A_BANDWIDTH = (
    "not-left-out", "largest-error", "bandwidth-not-squared", "missing-two", "absolute-error", "signed-error",
    "not-normalised", "left-out-late",
)
# fmt: on
EVERY_SLIP = (*CHOICES_OF_A_BANDWIDTH, "error-returned", "index-returned", "first-not-tested")
OTHER_SHOWN = ("half-outside", "root", "errors-spread", "largest-miss", "signed-error-size")
OTHER_CHOICES = (*OTHER_SHOWN, "two-squared", "sorted-order", "sorted-late", "first-descent")
ONLY_HERE = ("predicts-x", "same-place-left-out")
#: What people predict where no other point answers, instead of 0.
GUESSES = ("unreached-guessed", "unreached-nearest")
UNREACHED = ("zero-over-zero", "unreached-skipped")
#: Seeds of curves, by their numbers of points, that tell mistakes apart (`tell_apart`); few do.
FIVE = """
58 161 200 384 395 548 2000 3451 4528 5561 6474 7100 7227 7685 7818 8026 11872 12624 13170 13501 13782 14214 14309
14373 14776 14883 15074 15552 15559 16486 17074 18143 18471 18530 18799 20422 20995 21348 22511 22901 23405 23603
24548 24684 24737 25223 25363
"""
THIRTEEN = """
2127 3170 4622 4710 5520 6402 7442 10155 10863 11112 11486 12007 13116 15114 15511 16015 16307 16449 19435 19725 23935
24097 28489 29439 30181 32031 32462 33287 33655 35166 35585 37910 39313 40294 40722 41185 41613 43980 46119 46691
47949 48435
"""
SEVENTEEN = """
81 163 405 670 775 925 1307 1641 1861 1894 2115 2154 2172 2603 2662 3243 3264 3429 3597 3746 3953 3970 4754 4761 4837
5010 5502 5547 5587 5825 5983 6175 6533 6543 6846 6963 7544 7710 7745 7767 7908 8612 8624
"""
#: What each of them tells: mistakes with a choice of their own, and others that choose wrongly.
TOLD = {
    FIVE: (("not-left-out", "largest-error", "predicts-x"), OTHER_SHOWN),
    THIRTEEN: (CHOICES_OF_A_BANDWIDTH, (*OTHER_CHOICES, "predicts-x", "compared-with-last")),
    SEVENTEEN: (CHOICES_OF_A_BANDWIDTH[:4], (*OTHER_CHOICES, *ONLY_HERE, "compared-with-last")),
}


def noisy_curve(rng, seeds, n, m, shuffled=True, make=None):
    """Points round a curve and candidate bandwidths that tell mistakes apart: one of the seeds' curves, moved."""
    seed = int(rng.choice([int(one) for one in seeds.split()]))
    inputs = (make or some_curve)(np.random.default_rng(seed), n, m, shuffled)
    return inputs | {"x": (inputs["x"] + rng.integers(-40, 40) / 10).round(1)}


def tell_apart(inputs, telling, others=()):
    """True if no mistake chooses the right candidate, and each in `telling` another one; those in `others` choose
    wrongly, too. The smallest, the largest and the middle candidate are never right.

    On many data sets a mistake happens to choose the right bandwidth: `SEEDS` are those on which none does.
    """
    candidates = inputs["bandwidths"]
    chosen = [leave_one_out_bandwidth(**inputs)]
    easy = [
        candidates.min(),
        candidates.max(),
        candidates[0],
        candidates[-1],
        np.sort(candidates)[len(candidates) // 2],
    ]
    if chosen[0] in easy:
        return False
    for name in telling:  # one by one: most draws fail early
        other = leave_one_out_bandwidth(**inputs, wrong={name})
        if other in chosen:
            return False
        chosen.append(other)
    # Where candidates come in order, spread errors must not look like an answer that always takes the largest.
    ordered = (np.diff(candidates) > 0).all()
    if ordered and leave_one_out_bandwidth(**inputs, wrong={"errors-spread"}) == candidates.max():
        return False
    return tells(leave_one_out_bandwidth, inputs, *EVERY_SLIP, *others)


def some_curve(rng, n, m, shuffled=True):
    """Points round a curve and candidate bandwidths, of which any may be the best."""
    x = np.cumsum(rng.integers(4, 16, size=n)) / 10
    y = 5 + 3 * np.sin(x * rng.uniform(0.4, 0.9)) + rng.normal(size=n) * rng.uniform(0.3, 1.2)
    y = (y + rng.choice([0, 0, 0, 3], size=n)).round(1)
    candidates = (rng.uniform(0.25, 0.4) * 1.27 ** np.arange(m)).round(2)
    return {"x": x, "y": y, "bandwidths": candidates[rng.permutation(m)] if shuffled else candidates}


def large_curve(rng, n, m, shuffled=True):
    """Such points with values in the hundreds; at two places there are two of them."""
    inputs = some_curve(rng, n, m, shuffled)
    for place in rng.permutation(n - 1)[:2]:
        inputs["x"][place + 1] = inputs["x"][place]
    return inputs | {"y": 50 * inputs["y"]}


def some_lone_point(rng, value):
    """A curve that ends high, far from it a point, and two small candidates that do not reach it and two that do.

    With these its kernel values are some 1e-20: beside a 1 they are nothing.
    """
    x = np.append(np.arange(7) + rng.uniform(-0.2, 0.2, size=7).round(1), 40.0 + rng.integers(0, 3))
    waves = rng.uniform(0.5, 0.8)
    y = (6 + 3 * np.sin(waves * (x - 6) + np.pi / 2) + rng.normal(size=8) * 0.3).round(1)
    y[-1] = y[-2] if value is None else value
    return (
        x,
        y,
        np.round([rng.uniform(0.3, 0.4), rng.uniform(0.7, 0.8)], 2),
        np.round([rng.uniform(3, 3.2), rng.uniform(3.4, 3.6)], 2),
    )


def chooses(inputs, right, *slips):
    """True if this candidate is right, and these mistakes choose it as well."""
    return {leave_one_out_bandwidth(**inputs, wrong=frozenset(wrong)) for wrong in ([], *([one] for one in slips))} == {
        right
    }


def wrongly_unreached(rng):
    """A lone point like its neighbours: 0 is a bad prediction, so a large candidate is right.

    Whoever predicts something else than 0, or nothing, takes a small one; whoever rounds tiny kernel values away, the
    one that is far too large.
    """
    while True:
        x, y, small, large = some_lone_point(rng, None)
        huge = round(rng.uniform(6, 7), 2)
        inputs = {"x": x, "y": y, "bandwidths": np.array([small[1], huge, large[1], large[0], small[0]])}
        if chooses(inputs, large[0], "bandwidth-not-squared", "left-out-late") and tells(
            leave_one_out_bandwidth,
            inputs,
            *UNREACHED,
            *GUESSES,
            "absolute-error",
            "signed-error-size",
            "own-taken-off",
        ):
            return inputs


def rightly_unreached(rng):
    """A lone point whose value is 0: a small candidate is right, the larger of the two.

    Of two candidates with which no point reaches another, the larger comes first: whoever leaves no point out takes it.
    """
    while True:
        x, y, small, large = some_lone_point(rng, 0.0)
        inputs = {"x": x, "y": y, "bandwidths": np.append([small[0], large[0], small[1], large[1]], [0.002, 0.001])}
        if chooses(inputs, small[1], "absolute-error", "own-taken-off", *GUESSES) and tells(
            leave_one_out_bandwidth,
            inputs,
            *UNREACHED,
            "unreached-refused",
            "bandwidth-not-squared",
            "root",
            "largest-miss",
            "signed-error-size",
        ):
            return inputs


@function(
    points=4,
    returns="bandwidth",
    cases=(
        Case(
            "five points, seven candidates",
            lambda rng: noisy_curve(rng, FIVE, 5, 7, shuffled=False),
            0.25,
        ),
        Case(
            "thirteen points, seventeen candidates in no order",
            lambda rng: noisy_curve(rng, THIRTEEN, 13, 17),
            0.3,
        ),
        Case(
            "seventeen points with large values, at two places two of them",
            lambda rng: noisy_curve(rng, SEVENTEEN, 17, 17, make=large_curve),
            0.2,
        ),
        Case("a lone point that small candidates do not reach, and should", wrongly_unreached, 0.05),
        Case("a lone point that small candidates rightly do not reach", rightly_unreached, 0.05),
        Case(
            "the example of the task",
            example(x=np.arange(4.0), y=np.arange(4.0), bandwidths=np.array([0.5, 9.0])),
            0.05,
        ),
    ),
    mistakes="""
    not-left-out: each point takes part in its own prediction -> A tiny bandwidth then predicts every point from itself,
        without any error, and always wins. -> Give a point the weight 0 in its own prediction, before you divide by the
        sum.
    own-taken-off: you take each point's own kernel value off the sum, after adding up -> It is 1, and beside a 1 the
        tiny values of points far away are rounded away: a point that only those reach is then predicted as 0, or as
        noise. -> Give a point the weight 0 in its own prediction, before you add up.
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
    signed-error-size: you add up the errors with their signs, and then square the sum, or take its size -> Errors
        upwards and downwards cancel, and a bandwidth that misses everything can win. -> Square each error before you
        add up.
    not-normalised: the prediction is not divided by the sum of the kernel values -> A sum instead of an average grows
        with the bandwidth, whatever the data say. -> Use your `kernel_attention`, or divide as it does.
    error-returned: you return the smallest error instead of the bandwidth that has it -> Whoever calls the function
        wants to use the bandwidth. -> Find out which candidate has that error.
    index-returned: you return the place of the best candidate instead of the candidate -> An index is no bandwidth. ->
        Look the candidate up at that place.
    zero-over-zero: a candidate wins although with it no point reaches another -> An unreached point is predicted as 0.
        You get 0/0 there. -> Let `kernel_attention` predict: it gives 0 where no other point answers.
    unreached-skipped: a point that no other reaches is left out of the sum of errors -> Then a bandwidth wins by not
        predicting at all. -> Predict 0 there, as `kernel_attention` does, and count the error.
    unreached-refused: a candidate with which a point is not reached never wins -> An unreached point is predicted as 0,
        and that can be the best prediction of all. -> Predict 0 there, as `kernel_attention` does, and count the error.
    unreached-guessed: a point that no other reaches is predicted as something else than 0 (the mean of all values, say,
        or its nearest neighbour), or is left out of a mean of the errors -> That looks like an answer, although nobody
        answered. -> Predict 0 there, as `kernel_attention` does, and count the error.
    predicts-x: you predict the places instead of the values -> What is known at x is y: the values are averaged, and
        compared with the value that was left out. -> Mix y, and use x for the distances only.
    smallest: you return the smallest candidate, whatever the points are -> The smallest bandwidth follows every
        accident of the data. -> Compute an error for each candidate, and compare them.
    largest: you return the largest candidate, whatever the points are -> The largest bandwidth flattens the curve. ->
        Compute an error for each candidate, and compare them.
    last: you return the last candidate, whatever the points are -> Perhaps the least error so far is never updated, or
        the comparison is always true. -> When a candidate is better, remember both: the candidate and its error.
    first: you return the first candidate, whatever the points are -> Perhaps you return inside the loop, or the
        comparison is never true, or the error only grows from candidate to candidate, or it is the same for all of
        them: `x[None, :]`, for one, is a single point with n coordinates. -> Print the error of each candidate, and see
        whether they can be compared; return after the loop.
    half-outside: the kernel multiplies by the squared bandwidth: `a / 2 * h**2` is read from left to right -> A wide
        bell then becomes narrow, and a narrow one wide. -> Use your `gaussian_kernel`.
    two-squared: the 2 below the line of the kernel is squared, too -> The curve found is the same, but its bandwidth is
        called too small. -> Use your `gaussian_kernel`.
    root: the kernel lacks the square of the distance -> That is another kernel, with a sharp peak. -> Use your
        `gaussian_kernel`.
    errors-spread: each prediction is compared with the values of all points -> A column of n predictions minus a row of
        n values is a table of n times n differences. -> Print the shapes of both before you subtract; bring them to
        one.
    sorted-order: you sort the candidates, and look the best place up among the unsorted ones -> The places belong to
        the sorted candidates. -> Go through the candidates as they come.
    sorted-late: you look the place of the least error up among the sorted candidates -> The errors were made of the
        candidates as they come, and so the places belong to those. -> Do not sort: look the place up where you have
        counted it.
    same-place-left-out: with each point you leave out all that lie at the same place -> Two measurements at one place
        tell much of each other. Only the point itself must not be used. -> Leave out by number, not by place.
    first-not-tested: the first point is never predicted -> Places count from 0: a loop from 1 on passes it by. ->
        Predict every point once.
    low-start: you start with a least error that is too small -> Where every candidate has a larger error, none is ever
        chosen. -> Start with infinity, or with the first candidate.
    low-start-first: you start with the first candidate, and with a least error that is too small -> Where every
        candidate has a larger error, the first is never replaced. -> Start with infinity.
    first-descent: you stop at the first candidate that is worse than the one before it -> They come in any order, and
        the best may stand behind a bad one. -> Look at all candidates.
    compared-with-last: you compare each candidate with the one before it, and not with the best so far -> After a bad
        candidate, one that is hardly better takes the place of the best. -> Remember the least error so far, and change
        it only when a candidate has a smaller one.
    flat-points: you give `x` as it is where a matrix of points is wanted -> Such a matrix has a row for each point, and
        in it the coordinates: here just one. -> Make a column of the n places, of shape `(n, 1)`.
    diagonal-of-nothing: the left side of your `@` is no matrix, but a single number or None -> `np.fill_diagonal`, for
        one, changes a matrix where it stands, and returns None. -> Call it in a line of its own, and go on with the
        matrix that it has changed.
    largest-miss: you compare only the largest error of each candidate -> One point then decides alone. -> Add up the
        squared errors of all points.
    """,
)
def leave_one_out_bandwidth(x, y, bandwidths, wrong=frozenset()):
    """The bandwidth with the least leave-one-out error, with mistakes as switches."""
    x, y, bandwidths = floats(x, y, bandwidths)
    gaps = (x[:, None] - x) ** 2
    h = bandwidths[:, None, None]
    factor = 1.0 if "missing-two" in wrong else 2.0
    slips = {"bandwidth-not-squared": h, "half-outside": 1 / (h * h), "two-squared": 2 * h * h}
    apart = np.sqrt(gaps) if "root" in wrong else gaps
    kernel = np.exp(-apart / factor / slip(wrong, slips, h * h))
    if "not-left-out" not in wrong:
        kernel = kernel * (1 - np.eye(len(x)))
    if "same-place-left-out" in wrong:
        kernel = kernel * (gaps > 0)
    guesses = {
        "smallest": bandwidths.min(),
        "largest": bandwidths.max(),
        "first": bandwidths[0],
        "last": bandwidths[-1],
    }
    if guess := slip(wrong, guesses, None):
        return float(guess)
    if "flat-points" in wrong:
        squared_distances(x, x)
    if "diagonal-of-nothing" in wrong:
        np.fill_diagonal(kernel[0], 0) @ y
    if "predicts-x" in wrong:
        y = x
    total, sums = kernel.sum(axis=-1), kernel @ y
    if "own-taken-off" in wrong:
        total, sums = (total + 1) - 1, (sums + y) - y
    if wrong & {"zero-over-zero", "unreached-skipped", "unreached-refused"}:
        predicted = sums / total
    else:
        predicted = np.divide(sums, total, out=np.zeros_like(total), where=total != 0)
    # Left out late: as if the kernel were normalised first and its diagonal deleted afterwards.
    predicted = slip(wrong, {"not-normalised": sums, "left-out-late": sums / (total + 1)}, predicted)
    others = gaps + np.where(np.eye(len(x)) > 0, np.inf, 0)
    nearest = others == others.min(axis=-1, keepdims=True)
    predicted = np.where(
        total == 0,
        slip(
            wrong, {"unreached-guessed": y.mean(), "unreached-nearest": nearest @ y / nearest.sum(axis=-1)}, predicted
        ),
        predicted,
    )
    miss = predicted - y
    if "errors-spread" in wrong:
        miss = (predicted[..., :, None] - y).reshape(len(bandwidths), -1)
    if "unreached-skipped" in wrong:
        miss = np.nan_to_num(miss)
    if "unreached-refused" in wrong:
        miss = np.where(np.isnan(miss), np.inf, miss)
    errors = slip(wrong, {"signed-error": miss, "absolute-error": np.abs(miss)}, miss**2).sum(axis=-1)
    if "signed-error-size" in wrong:
        errors = np.abs(miss.sum(axis=-1))
    if "first-not-tested" in wrong:
        errors = (miss[..., 1:] ** 2).sum(axis=-1)
    if "largest-miss" in wrong:
        errors = (miss**2).max(axis=-1)
    if "sorted-order" in wrong:
        errors = errors[bandwidths.argsort()]
    if "low-start" in wrong and not errors.min() < 100:
        return None  # no candidate is chosen
    if "low-start-first" in wrong and not errors.min() < 1000:
        return float(bandwidths[0])
    if "first-descent" in wrong:
        worse = np.flatnonzero(np.diff(errors) > 0)
        errors = errors[: worse[0] + 1] if worse.size else errors
    if "compared-with-last" in wrong:
        better = np.flatnonzero(np.diff(errors) < 0)
        return float(bandwidths[better[-1] + 1 if better.size else 0])
    if "sorted-late" in wrong:
        bandwidths = np.sort(bandwidths)
    best = int(errors.argmax() if "largest-error" in wrong else errors.argmin())
    return slip(wrong, {"error-returned": float(errors[best]), "index-returned": best}, float(bandwidths[best]))
