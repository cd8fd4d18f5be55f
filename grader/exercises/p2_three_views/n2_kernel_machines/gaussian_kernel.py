import numpy as np

from grader.exercises.inputs import arrays, example, integers, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n2_kernel_machines.shared import bandwidth, floats, squared_gaps
from grader.exercises.properties import told, worst_row
from grader.exercises.stages import slip


def one_on_the_spot(call, rng):
    Q = matrix(rng, 5, 3)
    on_the_spot = np.diag(call(Q, Q.copy(), bandwidth(rng)))
    row = worst_row(on_the_spot, 1)
    if abs(on_the_spot[row] - 1) < 1e-3:
        return None
    return f"a key on the spot of its query has the kernel value {told(on_the_spot[row], 1)}, not 1"


def swapping_transposes(call, rng):
    Q, K, h = matrix(rng, 5, 3), matrix(rng, 7, 3), bandwidth(rng)
    same = np.allclose(call(Q, K, h), call(K, Q, h).T, atol=1e-4)
    return None if same else "the kernel of q and k is not that of k and q"


@function(
    points=3,
    returns="kernel values",
    cases=(
        Case("two queries and five keys", arrays(tenths, Q=(2, 3), K=(5, 3), bandwidth=0.8), 0.2),
        Case(
            "seven queries and three keys, a wide bell",
            arrays(Q=(7, 5), K=(3, 5), bandwidth=(bandwidth, 1.3, 1.8)),
            0.2,
        ),
        Case("as many queries as keys as dimensions", arrays(Q=(5, 5), K=(5, 5), bandwidth=(bandwidth, 2.3, 2.9)), 0.1),
        Case("whole numbers", arrays(integers(-2, 3), Q=(2, 3), K=(5, 3), bandwidth=3), 0.1),
        Case(
            "the example of the task",
            example(Q=np.array([[0.0, 0.0]]), K=np.array([[0.0, 0.0], [3.0, 4.0]]), bandwidth=5.0),
            0.05,
        ),
    ),
    properties=(
        Property("a key on the spot of the query has the kernel value 1", one_on_the_spot, 0.15),
        Property("the kernel is symmetric in query and key", swapping_transposes, 0.1),
    ),
    mistakes="""
    bandwidth-not-squared: the bandwidth is not squared -> The distance is squared, so the bandwidth must be, too:
        otherwise a change of units changes the weights. -> Look at the units: what stands below the line must be a
        squared length.
    missing-two: the 2 below the line is missing -> The bell is then too narrow by a factor of the square root of 2, and
        bandwidths cannot be compared. -> The squared bandwidth is taken twice.
    no-minus: the minus sign in the exponent is missing -> Without it the kernel grows with the distance: the farthest
        key gets nearly all the weight. -> A kernel falls from 1 on the spot towards 0 far away: check the sign.
    root: you took the square root of the squared distance -> That kernel has a sharp peak at the query instead of a
        round top, and is another kernel (Laplace's). -> Leave the squared distance as it is.
    no-bandwidth: the bandwidth is not used -> The bell has width 1, whatever is asked for. -> Divide the squared
        distance as the formula says.
    half-outside: you multiply by the squared bandwidth: `a / 2 * h**2` is read from left to right -> A wide bell then
        becomes narrow, and a narrow one wide. -> Put brackets round the whole of what stands below the line.
    divided-outside: what stands below the line divides the exponential, and not its exponent -> Then the bell has the
        same width whatever the bandwidth is; only its height changes. -> Divide first; the exponential comes last.
    two-squared: the 2 below the line is squared, too -> (2h) squared is four times h squared: the bell is too wide by
        the square root of 2. -> Square the bandwidth alone, then take it twice.
    not-summed: the squared differences are not added up -> You return a value for each coordinate of each pair. A pair
        of query and key has one kernel value. -> Add up over the coordinates, the last axis, before the exponential.
    mean-not-sum: you took the mean over the coordinates instead of the sum -> A squared distance adds up what the
        coordinates contribute; a mean makes the bell wider, the more dimensions there are. -> Sum over the last axis.
    normalised: you divided each row by its sum -> A kernel compares one query with one key; its value must not depend
        on which other keys are there. -> Leave the division to `kernel_attention`, two exercises on.
    density: you included the constant of the normal distribution -> With it the bell has area 1, but not height 1. In
        weights it cancels, in a kernel it is not asked for. -> Keep the exponential alone.
    cross-term: the cross term of the squared distance has the wrong sign -> Plus twice the dot product gives the
        distance to the key's mirror image. -> Write out (q - k) times (q - k): which sign has the product of q and k?
    dot-product: you used the dot product in place of the squared distance -> The dot product is large for keys that
        point the same way, so the minus sign punishes them. -> Subtract, square, and sum over the coordinates.
    cross-term-single: the cross term of the squared distance is there once, not twice -> (q - k) times (q - k) has the
        product of q and k two times. -> Write it out, term by term.
    sum-before-square: you add up the differences first, and square the sum -> Differences of both signs cancel: two
        points far apart can get 0. -> Square each difference, then add up.
    absolute: you add up the differences without their signs, instead of their squares -> That is another distance: the
        way along the axes. -> Square each difference, then add up.
    absolute-squared: you add up the differences without their signs, and square the sum -> That is another distance:
        the way along the axes. -> Square each difference, then add up.
    largest-gap: only the coordinate with the largest difference counts -> A squared distance adds up what all the
        coordinates contribute. -> Sum over the last axis.
    first-coordinate: only the first coordinate counts -> A squared distance adds up what all the coordinates
        contribute. -> Sum over the last axis.
    last-coordinate: only the last coordinate counts -> A squared distance adds up what all the coordinates contribute.
        -> Sum over the last axis.
    exponential-first: you take the exponential for each coordinate, and add up afterwards -> Then a key on the spot
        gets the number of coordinates, not 1. -> Add up the squares first; then there is one exponential for each pair.
    bells-averaged: you take the exponential for each coordinate, and the mean afterwards -> The bell of two points is
        the product of the bells of their coordinates, not the mean. -> Add up the squares first; then there is one
        exponential for each pair.
    two-to-the-bandwidth: you raise 2 to the power of the bandwidth -> The square of a number is that number to the
        power 2: it stands below. -> `bandwidth**2`.
    laplace: the distance over the bandwidth stands in the exponent, without squares and without the 2 -> That is
        another kernel (Laplace's), with a sharp peak. -> Minus the squared distance, over twice the squared bandwidth.
    base-two: you raise 2 to the exponent, instead of e -> The bell then is wider than its bandwidth says. -> Use
        `np.exp`.
    bandwidth-cubed: you take the third power of the bandwidth -> The distance is squared, so the bandwidth must be. ->
        Look at the units: what stands below the line must be a squared length.
    root-of-two: below the line stands the root of 2, not 2 -> The bell is then too narrow. -> The squared bandwidth is
        taken twice.
    hill: you divide 1 by one plus the exponent's size, without an exponential -> That kernel falls too slowly. -> Take
        `np.exp` of the exponent with its minus.
    fourth-power: you square the squared distance once more -> Then the bell has a flat top and steep sides. -> Square
        each difference once, and add up.
    """,
)
def gaussian_kernel(Q, K, bandwidth, wrong=frozenset()):
    """The Gaussian kernel, with the mistakes that people make as switches."""
    Q, K = floats(Q, K)
    gaps = squared_gaps(Q, K)
    if "cross-term" in wrong:
        gaps = (Q**2).sum(axis=-1, keepdims=True) + (K**2).sum(axis=-1) + 2 * Q @ K.T
    apart = Q[:, None, :] - K[None, :, :]
    others = {
        "cross-term-single": (Q**2).sum(axis=-1, keepdims=True) + (K**2).sum(axis=-1) - Q @ K.T,
        "sum-before-square": apart.sum(axis=-1) ** 2,
        "absolute": np.abs(apart).sum(axis=-1),
        "absolute-squared": np.abs(apart).sum(axis=-1) ** 2,
        "largest-gap": (apart**2).max(axis=-1),
        "first-coordinate": apart[..., 0] ** 2,
        "last-coordinate": apart[..., -1] ** 2,
        "fourth-power": gaps**2,
        "exponential-first": apart**2,
        "bells-averaged": apart**2,
    }
    gaps = slip(wrong, others, gaps)
    if "root" in wrong:
        gaps = np.sqrt(gaps)
    if "dot-product" in wrong:
        gaps = Q @ K.T
    if "not-summed" in wrong:
        gaps = apart**2
    if "mean-not-sum" in wrong:
        gaps = gaps / Q.shape[-1]
    width = slip(
        wrong,
        {
            "bandwidth-not-squared": bandwidth,
            "no-bandwidth": 1.0,
            "bandwidth-cubed": bandwidth**3,
            "two-to-the-bandwidth": 2**bandwidth,
        },
        bandwidth**2,
    )
    factor = slip(wrong, {"missing-two": 1.0, "root-of-two": np.sqrt(2)}, 2.0)
    # The second is the classic slip of precedence: x / 2 * h**2.
    slips = {
        "two-squared": gaps / (2 * bandwidth) ** 2,
        "half-outside": gaps / factor * width,
        "laplace": np.sqrt(gaps) / bandwidth,
    }
    exponent = slip(wrong, slips, gaps / (factor * width))
    kernel = np.exp(exponent if "no-minus" in wrong else -exponent)
    if "base-two" in wrong:
        kernel = np.exp2(exponent if "no-minus" in wrong else -exponent)
    if "divided-outside" in wrong:
        kernel = np.exp(-gaps) / (factor * width)
    if "hill" in wrong:
        kernel = 1 / (1 + exponent)
    if "exponential-first" in wrong:
        kernel = kernel.sum(axis=-1)
    if "bells-averaged" in wrong:
        kernel = kernel.mean(axis=-1)
    if "density" in wrong:
        kernel = kernel / (bandwidth * np.sqrt(2 * np.pi))
    if "normalised" in wrong:
        kernel = kernel / kernel.sum(axis=-1, keepdims=True)
    return kernel
