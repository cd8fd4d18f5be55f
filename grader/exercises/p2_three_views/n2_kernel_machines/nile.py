import numpy as np

from attnlib import load_nile
from grader.exercises.kinds import Entry, values
from grader.exercises.p2_three_views.n2_kernel_machines.gaussian_kernel import gaussian_kernel
from grader.exercises.p2_three_views.n2_kernel_machines.leave_one_out_bandwidth import leave_one_out_bandwidth
from grader.exercises.stages import number, slip

NILE_BANDWIDTHS = np.arange(5, 101) / 10  # years
#: Smoothed flows of all sensible widths are near each other; of rounding on the way, this much is the most.
NEAR = 0.0005


@values(
    points=2,
    task="fill the dict with the bandwidth and the two smoothed flows",
    entries=(
        Entry("bandwidth", "the bandwidth", 0.4, decimals=2),
        Entry("1885", "the smoothed flow in 1885", 0.3, decimals=1, near=NEAR),
        Entry("1935", "the smoothed flow in 1935", 0.3, decimals=1, near=NEAR),
    ),
    mistakes="""
    not-left-out: your bandwidth is the smallest candidate: it always wins where each year takes part in its own
        prediction -> The curve then runs through every wiggle. -> Leave each year out when it is predicted.
    largest-error: your bandwidth is the largest candidate, the one with the largest error -> The widest bell smooths
        the fall in the flow away. -> Take the bandwidth with the smallest error.
    absolute-error: you chose the bandwidth by the absolute errors, not by the squared ones -> Large errors then count
        less, and another bandwidth wins. -> Square each error before you add up, as your `leave_one_out_bandwidth`
        does.
    signed-error: you chose the bandwidth by errors with their signs -> Errors upwards and downwards cancel, and a
        bandwidth that misses everything can win. -> Square each error before you add up, as your
        `leave_one_out_bandwidth` does.
    missing-two: your kernel lacks the 2 below the line -> The curve is the same, but its bandwidth is called too large.
        -> Use your checked `gaussian_kernel`.
    bandwidth-of-8: you took the bandwidth of the picture, 8 -> That one was chosen by eye. -> Let your
        `leave_one_out_bandwidth` choose among the candidates.
    example-left: those are the numbers of the example -> They show the form, and are made up. -> Let your
        `leave_one_out_bandwidth` choose the bandwidth, and smooth with it.
    decimals-cut: your bandwidth has lost its decimals -> The candidates go in steps of 0.1, and the curve changes with
        them. -> Take what `leave_one_out_bandwidth` returns, as it is.
    bandwidth-not-squared: your kernel does not square the bandwidth -> The number found is the square of a bandwidth,
        not in years. -> Use your checked `gaussian_kernel`.
    year-left-out: you left the year itself out of its smoothed flow -> Leaving out is for judging a bandwidth. The
        curve may use every flow that is known. -> For the two flows use the kernel as it is, with all years.
    index-returned: you give the place of the best candidate instead of the candidate -> An index is no bandwidth: the
        candidates are 0.5, 0.6, 0.7 and so on. -> Look the candidate up at that place.
    index-used: you took the place of the best candidate for the candidate, and smoothed with it -> An index is no
        bandwidth: the candidates are 0.5, 0.6, 0.7 and so on. -> Look the candidate up at that place.
    tenth-of-it: your bandwidth is a tenth of the one that was found, and you smoothed with it -> So narrow a bell
        reaches no other year: the curve is that of the measured flows. -> Use what `leave_one_out_bandwidth` returns,
        as it is.
    bell-of-twice: the two flows are not smoothed with your bandwidth, but with twice of it -> A bell of
        another width gives another curve. -> Make the kernel with the bandwidth that `leave_one_out_bandwidth` returns.
    bell-of-half: the two flows are not smoothed with your bandwidth, but with half of it -> A bell of another width
        gives another curve. -> Make the kernel with the bandwidth that `leave_one_out_bandwidth` returns.
    bell-of-3: the two flows are not smoothed with the bandwidth that was found -> A bell of another width gives
        another curve. -> Make the kernel with the bandwidth that `leave_one_out_bandwidth` returns.
    bell-of-1: the two flows are not smoothed with the bandwidth that was found -> A bell of another width gives
        another curve. -> Make the kernel with the bandwidth that `leave_one_out_bandwidth` returns.
    bell-of-2: the two flows are not smoothed with the bandwidth that was found -> A bell of another width gives
        another curve. -> Make the kernel with the bandwidth that `leave_one_out_bandwidth` returns.
    bell-of-5: the two flows are not smoothed with the bandwidth that was found -> A bell of another width gives
        another curve. -> Make the kernel with the bandwidth that `leave_one_out_bandwidth` returns.
    bell-of-10: the two flows are not smoothed with the bandwidth that was found -> A bell of another width gives
        another curve. -> Make the kernel with the bandwidth that `leave_one_out_bandwidth` returns.
    bell-not-squared: the kernel of your two flows does not square the bandwidth -> The bell then has another width than
        the one that was chosen. -> Use your checked `gaussian_kernel` for both.
    bell-of-plain-distances: the kernel of your two flows lacks the square of the distance -> That is another kernel,
        with a sharp peak. -> Use your checked `gaussian_kernel` for both.
    equal-weights: the two flows are plain means of the years within a bandwidth -> A bell weighs a near year more than
        a far one. -> Ask `kernel_attention` for the flow, with your `gaussian_kernel`.
    bell-without-two: the kernel of your two flows lacks the 2 below the line -> The bell then has another width than
        the one that was chosen. -> Use your checked `gaussian_kernel` for both.
    year-after: the two flows are those of the years after, 1886 and 1936 -> Places count from 0: the first year, 1871,
        is at place 0. -> Give `kernel_attention` the years themselves as queries.
    year-before: the two flows are those of the years before, 1884 and 1934 -> Places count from 0: the first year,
        1871, is at place 0. -> Give `kernel_attention` the years themselves as queries.
    out-of-reach: both flows are 0: no year is within reach of what you asked -> The keys are years, such as 1885. A
        place in the table, such as 14, is far from all of them. -> Give `kernel_attention` the years themselves as
        queries.
    mean-flow: you gave the mean of all flows -> Near years count more than far ones. -> Ask `kernel_attention` for the
        flow, with the year as the query.
    not-normalised: the two flows are not divided by the sum of the kernel values -> A sum over years is far larger than
        a flow. -> Use your `kernel_attention`, which divides.
    no-smoothing: you gave the measured flows of those years instead of the smoothed ones -> A single year is signal and
        chance together; the curve averages the chance away. -> Ask `kernel_attention` for the flow, with the year as
        the query.
    other-bandwidth=: your two flows go with your bandwidth, but another one is the best -> All that follows is right;
        so look at how the bandwidth was chosen. -> The best has the smallest sum of the *squared* errors, over all
        hundred years, each of them left out when it is predicted: your `leave_one_out_bandwidth` does that.
    """,
)
def nile(wrong=frozenset()):
    if "example-left" in wrong:
        return {"bandwidth": 3.0, "1885": 900.0, "1935": 900.0}
    year, flow = load_nile()
    found = leave_one_out_bandwidth(year, flow, NILE_BANDWIDTHS, wrong=wrong - {"index-returned", "not-normalised"})
    if "bandwidth-of-8" in wrong:
        found = 8.0
    place = float(np.flatnonzero(found == NILE_BANDWIDTHS)[0])
    given = number(wrong, "other-bandwidth", 6.5)
    if given is not None and NILE_BANDWIDTHS[0] / 2 <= given <= 2 * NILE_BANDWIDTHS[-1]:
        found = given
    found = slip(wrong, {"tenth-of-it": found / 10, "decimals-cut": float(int(found))}, found)
    smoothed = {"bandwidth": place if wrong & {"index-returned", "index-used"} else found}
    widths = {f"bell-of-{years}": float(years) for years in (1, 2, 3, 5, 10)} | {"index-used": place}
    width = slip(wrong, widths | {"bell-of-twice": 2 * found, "bell-of-half": found / 2}, found)
    off = slip(wrong, {"year-after": 1, "year-before": -1}, 0)
    mistakes = wrong & {"bandwidth-not-squared", "missing-two"}
    of_flows = {
        "bell-not-squared": {"bandwidth-not-squared"},
        "bell-without-two": {"missing-two"},
        "bell-of-plain-distances": {"root"},
    }
    mistakes |= slip(wrong, of_flows, set())
    for when in (1885, 1935):
        kernel = gaussian_kernel([[when + off]], year[:, None], width, wrong=mistakes)[0]
        if "no-smoothing" in wrong:
            kernel = 1.0 * (year == when)
        if "out-of-reach" in wrong:
            smoothed[str(when)] = 0.0
            continue
        if "year-left-out" in wrong:
            kernel = kernel * (year != when)
        if "mean-flow" in wrong:
            kernel = np.ones_like(kernel)
        if "equal-weights" in wrong:
            kernel = 1.0 * (np.abs(year - when) <= found)
        smoothed[str(when)] = (
            None
            if "flows-not-there" in wrong
            else float(kernel @ flow / (1 if "not-normalised" in wrong else kernel.sum()))
        )
    return smoothed
