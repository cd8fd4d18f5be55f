import numpy as np

from attnlib import softmax
from grader.exercises.inputs import arrays, example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n2_kernel_machines.gaussian_kernel import gaussian_kernel
from grader.exercises.p2_three_views.n2_kernel_machines.shared import bandwidth, floats, squared_gaps
from grader.exercises.stages import number, slip, weigh

#: Slips in what a key's length does, which show in the answer to a query far off.
LENGTH_SLIPS = (
    "lengths-ignored",
    "half-missing",
    "length-added",
    "length-not-divided",
    "length-quartered",
    "length-not-squared",
)
LENGTH_SLIPS += ("entries-summed", "entries-squared", "entries-absolute", "bandwidth-not-squared")


def equal_lengths(rng, n, d):
    """Keys that all have the same length."""
    K = matrix(rng, n, d)
    return K / np.linalg.norm(K, axis=-1, keepdims=True) * rng.uniform(1.2, 1.8)


def two_nearest(rng):
    """Keys of which two add up to the same sum, larger than all others: to a query far off, they are equally near but
    for their lengths."""
    while True:
        K = tenths(rng, 5, 3)
        K[1] = K[0] + rng.permutation([0.3, -0.4, 0.1])
        if K[2:].sum(axis=1).max() + 0.25 < K[0].sum() < 1.5:  # small, so that single precision is enough
            return K[rng.permutation(5)].round(1)


def far_off(rng):
    """Queries so far from all keys that the kernel is 0; in eighths, so that single precision can tell the keys."""
    return {
        "Q": 24 + rng.integers(-8, 9, size=(2, 3)) / 8,
        "K": 1.25 * two_nearest(rng),
        "bandwidth": bandwidth(rng, 0.8, 0.9),
    }


def long_and_near(rng):
    """Queries and keys so long that their dot products are beyond what an exponential can hold.

    The last query is about half as long: what is left of its exponents, without the lengths of the keys, can be held.
    One key is short, so that a softmax of lengths alone leaves nothing to the others.
    """
    place = 25.0 * rng.choice([-1, 1], size=3)
    return {
        "Q": np.array([[1.0], [1.0], [0.55]]) * place + matrix(rng, 3, 3, scale=0.3),
        "K": np.array([[1.0], [1.0], [0.0], [1.0], [1.0]]) * place + matrix(rng, 5, 3, scale=0.5),
        "bandwidth": bandwidth(rng),
    }


def as_normalised_kernel(call, rng):
    inputs = {"Q": matrix(rng, 3, 5), "K": matrix(rng, 7, 5), "bandwidth": bandwidth(rng, 1.2, 1.8)}
    kernel = gaussian_kernel(*inputs.values())
    gap = np.abs(call(*inputs.values()) - kernel / kernel.sum(axis=-1, keepdims=True)).max()
    return None if gap < 1e-3 else f"a weight differs by {gap:.3g}"


@function(
    points=3,
    returns="weights",
    cases=(
        Case("two queries and five keys", arrays(tenths, Q=(2, 3), K=(5, 3), bandwidth=0.8), 0.15),
        Case("keys of equal length", arrays(Q=(3, 5), K=(equal_lengths, 7, 5), bandwidth=(bandwidth,)), 0.15),
        Case(
            "as many queries as keys as dimensions", arrays(Q=(5, 5), K=(5, 5), bandwidth=(bandwidth, 1.2, 1.8)), 0.15
        ),
        Case(
            "a query far from every key",
            far_off,
            0.15,
            telling=LENGTH_SLIPS,
        ),
        Case("long queries and long keys, near each other", long_and_near, 0.05),
        Case(
            "the example of the task",
            example(Q=np.array([[1.0, 2.0]]), K=np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]]), bandwidth=1.0),
            0.05,
        ),
    ),
    properties=(Property("equal to the Gaussian kernel divided by its row sums", as_normalised_kernel, 0.2),),
    mistakes="""
    lengths-ignored: the lengths of the keys have no effect (what is the same for all keys of a row cancels) ->
        What is left is the softmax of q.k over the squared bandwidth: equal only for keys of one length. The length of
        the query is the same for all keys of a row, and cancels. -> Write the squared distance out. Which of its terms
        differ from key to key?
    half-missing: the half before the squared length is missing -> The 2 below the line cancels against the cross term,
        but not against the squared length. -> Divide each term of the squared distance by the same number.
    length-quartered: the squared length counts half as much as it should -> Where the dot product has its 2, and all is
        divided by twice the squared bandwidth, the squared length has no half of its own. -> Divide each term of the
        squared distance by the same number.
    length-times-width: you multiply the squared length by the squared bandwidth: `a / 2 * h**2` is read from left to
        right -> In a wide bell lengths then count more, not less. -> Put brackets round the whole of what stands below
        the line.
    length-added: the squared length is added instead of taken off -> A long key then gains, although a Gaussian kernel
        gives nothing for length. -> Mind the minus before the whole squared distance.
    length-not-divided: the squared length is not divided by the squared bandwidth -> Both terms come from the same
        distance and are measured by the same bell. -> Subtract first, then divide the difference.
    length-not-squared: you used the length of the key, not its square -> The squared distance holds the squared length.
        -> Leave out the square root.
    entries-summed: you add up the keys' numbers themselves, not their squares -> The squared distance holds the squared
        length: negative numbers count like positive ones. -> Square each number, then add up.
    entries-squared: you add up the keys' numbers first, and square the sum -> Numbers of both signs cancel. -> Square
        each number, then add up.
    entries-absolute: you add up the keys' numbers without their signs, not their squares -> The squared distance holds
        the squared length. -> Square each number, then add up.
    mean-length: you take the mean of the squares of a key, not their sum -> A squared length is a sum. -> Add up along
        the last axis.
    bandwidth-not-squared: you divide by the bandwidth, not by its square -> A dot product is a length times a length,
        so what divides it must be one, too. -> Square the bandwidth.
    factors-vanish: you make weights of the dot products and others of the lengths, and multiply the two -> exp(-1000)
        is rounded to 0, and exp(1000) is infinity: such products end in NaN. In one exponent the large numbers cancel.
        -> Take the lengths off the scores, and then one softmax.
    no-maximum: your exponentials overflow: long queries and keys have large dot products -> exp(1000) is infinity, and
        infinity divided by infinity is NaN. -> Put the scores into `softmax`, which takes the largest off first.
    zero-over-zero: you compute the kernel itself first, and for a query far away all of it is rounded to 0 -> Its sum
        is then 0, and its logarithm minus infinity: both end in NaN. The softmax of the exponents does not. -> Give
        softmax the exponents, and never take the exponential yourself.
    zero-for-far: a query far from every key gets no weights at all -> Replacing a sum of 0 is the rule for kernels with
        an end. A Gaussian has none: on paper its weights exist at any distance. -> Do not divide the kernel; give the
        exponents to softmax.
    uniform-for-far: a query far from every key gets equal weights -> A Gaussian has no end: on paper its weights exist
        at any distance, and the nearest key has most. -> Do not divide the kernel; give the exponents to softmax.
    nearest-for-far: a query far from every key gives all weight to the nearest -> On paper its weights exist at any
        distance, and others that are nearly as near have a share. -> Do not divide the kernel; give the exponents to
        softmax.
    squared-again: you square the squared distance once more -> A Gaussian has the squared distance, no fourth power. ->
        Leave the squared distance as it is.
    length-floored: half of the squared length has lost its decimals -> `//` drops what is behind the point. -> Divide
        with `/`.
    floored: the exponents have lost their decimals -> `//` drops what is behind the point. -> Divide with `/`.
    exponent-capped=: exponents beyond a limit are cut off before the exponential -> All beyond the limit count alike
        then. -> Use `softmax`, which takes the largest off first.
    two-again: the exponents are half as large as they should be -> In the squared distance the dot product has a 2,
        which the 2 below the line cancels; and that 2 is not squared with the bandwidth. -> Write out minus the squared
        distance, divided by twice the squared bandwidth, term by term.
    all-doubled: the exponents are twice as large as they should be -> A Gaussian has a 2 below the line: without it the
        bell is too narrow. -> Write out minus the squared distance, divided by twice the squared bandwidth.
    dots-halved: beside the squared length, the dot product counts half as much as it should -> In a squared distance it
        stands twice, and the 2 below the line cancels that. -> Write out minus the squared distance, divided by twice
        the squared bandwidth, term by term.
    dots-doubled: beside the squared length, the dot product counts twice as much as it should -> In a squared distance
        it stands twice, and the 2 below the line cancels that. -> Write out minus the squared distance, divided by
        twice the squared bandwidth, term by term.
    only-length-divided: the dot product is not divided by the squared bandwidth -> Both terms come from the same
        distance and are measured by the same bell. A division comes before a minus. -> Subtract first, then divide the
        difference.
    plus-distance: the whole exponent has the wrong sign -> The farthest key then gets the largest weight. -> A Gaussian
        has a minus before the squared distance.
    half-outside: you multiply by the squared bandwidth: `a / 2 * h**2` is read from left to right -> A wide bell then
        becomes narrow, and a narrow one wide. -> Put brackets round the whole of what stands below the line.
    no-bandwidth: the bandwidth is not used -> The bell has width 1, whatever is asked for. -> Both terms are divided by
        the squared bandwidth.
    cross-term: the dot product has the wrong sign -> A key that points the same way as the query is nearer, and gets
        more. -> Write out minus the squared distance: which sign has the product of q and k?
    root: you took the square root of the squared distance -> That kernel is another one, with a sharp peak. -> Leave
        the squared distance as it is.
    columns
    whole-matrix
    sum-of-all
    scaled
    kernel-returned: you return the kernel itself, not the weights -> Its rows do not sum to 1. -> The weights are asked
        for: a softmax.
    kernel-softmaxed: you put the kernel's values into softmax -> softmax takes an exponential, and the kernel has had
        one already. -> Give softmax the exponents.
    powers-returned: you return powers of e that are not divided by their sum -> Their rows do not sum to 1. -> The
        weights are asked for: a softmax.
    """,
)
def gaussian_as_softmax(Q, K, bandwidth, wrong=frozenset()):
    """Normalised Gaussian weights as a softmax of dot products, with mistakes as switches."""
    Q, K = floats(Q, K)
    if wrong & {"zero-for-far", "uniform-for-far", "nearest-for-far"}:
        kernel = gaussian_kernel(Q, K, bandwidth)
        total = kernel.sum(axis=-1, keepdims=True)
        nearest = np.eye(len(K))[squared_gaps(Q, K).argmin(axis=-1)]
        for_far = slip(wrong, {"uniform-for-far": 1 / len(K), "nearest-for-far": nearest}, 0.0)
        return np.where(total == 0, for_far, kernel / np.where(total == 0, 1.0, total))
    if "squared-again" in wrong:
        return softmax(-(squared_gaps(Q, K) ** 2) / (2 * bandwidth**2))
    if "floored" in wrong:
        return softmax(-squared_gaps(Q, K) // (2 * bandwidth**2))
    if "zero-over-zero" in wrong or "kernel-returned" in wrong:
        kernel = gaussian_kernel(Q, K, bandwidth)
        return kernel if "kernel-returned" in wrong else kernel / kernel.sum(axis=-1, keepdims=True)
    if "kernel-softmaxed" in wrong:
        return softmax(gaussian_kernel(Q, K, bandwidth))
    if "root" in wrong:
        return softmax(-np.sqrt(squared_gaps(Q, K)) / (2 * bandwidth**2))
    bandwidth = bandwidth * np.sqrt(slip(wrong, {"two-again": 2, "all-doubled": 0.5}, 1))
    widths = {"bandwidth-not-squared": bandwidth, "half-outside": 1 / bandwidth**2, "no-bandwidth": 1.0}
    width = slip(wrong, widths, bandwidth**2)
    sizes = {
        "entries-summed": K.sum(axis=-1),
        "entries-squared": K.sum(axis=-1) ** 2,
        "entries-absolute": np.abs(K).sum(axis=-1),
        "mean-length": (K**2).mean(axis=-1),
    }
    size = slip(wrong, sizes, (K**2).sum(axis=-1))
    if "length-not-squared" in wrong:
        size = np.sqrt(size)
    half = slip(wrong, {"half-missing": 1.0, "length-quartered": 0.25, "lengths-ignored": 0.0}, 0.5)
    sign = 1.0 if "length-added" in wrong else -1.0
    factor = slip(wrong, {"dots-halved": 0.5, "dots-doubled": 2.0, "cross-term": -1.0}, 1.0)
    dots = factor * Q @ K.T / (1.0 if "only-length-divided" in wrong else width)
    lengths = sign * half * size / slip(wrong, {"length-not-divided": 1.0, "length-times-width": 1 / width}, width)
    if "length-floored" in wrong:
        lengths = -(size // 2) / width
    if "factors-vanish" in wrong:
        weights = softmax(dots) * np.exp(lengths)
        return weights / weights.sum(axis=-1, keepdims=True)
    scores = dots + lengths
    factors = {"plus-distance": -1.0, "scaled": 1 / np.sqrt(Q.shape[-1])}
    scores = slip(wrong, factors, 1.0) * scores
    if limit := number(wrong, "exponent-capped", 700):
        return softmax(np.minimum(scores, limit))
    if "powers-returned" in wrong:
        return np.exp(scores)
    if wrong & {"whole-matrix", "sum-of-all"}:
        return weigh(scores, wrong)
    if "no-maximum" in wrong:
        return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return softmax(scores.T).T if "columns" in wrong else softmax(scores)
