import numpy as np

from attnlib import load_nile
from grader.exercises.kinds import Entry, values
from grader.exercises.p2_three_views.n2_kernel_machines.gaussian_kernel import gaussian_kernel
from grader.exercises.p2_three_views.n2_kernel_machines.leave_one_out_bandwidth import leave_one_out_bandwidth

NILE_BANDWIDTHS = np.arange(5, 101) / 10  # years


@values(
    points=2,
    task="fill the dict with the bandwidth and the two smoothed flows",
    entries=(
        Entry("bandwidth", "the bandwidth", 0.4, decimals=2),
        Entry("1885", "the smoothed flow in 1885", 0.3, decimals=1),
        Entry("1935", "the smoothed flow in 1935", 0.3, decimals=1),
    ),
    mistakes="""
    not-left-out: each year took part in its own prediction -> The smallest candidate then always wins, and the curve
        runs through every wiggle. -> Leave each year out when it is predicted.
    largest-error: you chose the bandwidth with the largest error -> The widest bell smooths the fall in the flow away.
        -> Take the bandwidth with the smallest error.
    missing-two: your kernel lacks the 2 below the line -> The curve is the same, but its bandwidth is called too large.
        -> Use your checked `gaussian_kernel`.
    bandwidth-not-squared: your kernel does not square the bandwidth -> The number found is the square of a bandwidth,
        not in years. -> Use your checked `gaussian_kernel`.
    year-left-out: you left the year itself out of its smoothed flow -> Leaving out is for judging a bandwidth. The
        curve may use every flow that is known. -> For the two flows use the kernel as it is, with all years.
    index-returned: you give the place of the best candidate instead of the candidate -> An index is no bandwidth: the
        candidates are 0.5, 0.6, 0.7 and so on. -> Look the candidate up at that place.
    no-smoothing: you gave the measured flows of those years instead of the smoothed ones -> A single year is signal and
        chance together; the curve averages the chance away. -> Ask `kernel_attention` for the flow, with the year as
        the query.
    """,
)
def nile(wrong=frozenset()):
    year, flow = load_nile()
    chosen = leave_one_out_bandwidth(year, flow, NILE_BANDWIDTHS, wrong=wrong - {"index-returned"})
    if "index-returned" in wrong:
        chosen = float(np.flatnonzero(chosen == NILE_BANDWIDTHS)[0])
    smoothed = {"bandwidth": chosen}
    for when in (1885, 1935):
        mistakes = wrong & {"bandwidth-not-squared", "missing-two"}
        kernel = gaussian_kernel([[when]], year[:, None], chosen, wrong=mistakes)[0]
        if "no-smoothing" in wrong:
            kernel = 1.0 * (year == when)
        if "year-left-out" in wrong:
            kernel = kernel * (year != when)
        smoothed[str(when)] = float(kernel @ flow / kernel.sum())
    return smoothed
