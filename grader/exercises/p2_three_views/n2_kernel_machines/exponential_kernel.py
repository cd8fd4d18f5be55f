import numpy as np

from attnlib import softmax
from grader.exercises.inputs import arrays, example, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.p2_three_views.n2_kernel_machines.shared import floats, shapes, squared_gaps
from grader.exercises.stages import slip


def large_products(rng):
    """Queries and keys whose dot products lie far beyond 10, on both sides of zero."""
    inputs = shapes(rng, 3, 5, 3, scale=0.3)
    place = 2.2 * rng.choice([-1, 1], size=3)
    inputs["Q"] += place
    inputs["K"] += place
    inputs["K"][1] *= -1
    return inputs


@function(
    points=2,
    returns="kernel values",
    cases=(
        Case("two queries and five keys", arrays(tenths, Q=(2, 3), K=(5, 3)), 0.25, telling=("clipped-at-one",)),
        Case("seven queries and three keys", lambda rng: shapes(rng, 7, 3, 5), 0.3),
        Case("as many queries as keys as dimensions", lambda rng: shapes(rng, 5, 5, 5), 0.2),
        Case("dot products of some 15, of both signs", large_products, 0.1),
        Case("the example of the task", example(Q=np.array([[0.0, 1.0]]), K=np.array([[5.0, 0.0], [0.0, 1.0]])), 0.05),
    ),
    mistakes="""
    normalised: you divided each row by its sum, as softmax does -> A kernel value belongs to one query and one key. The
        division comes later, for every kernel the same. -> Stop after the exponential.
    maximum-off: you took each row's maximum off before the exponential -> In softmax that cancels. A kernel is not
        divided by anything yet, so here it changes the value. -> Take the exponential of the dot product itself.
    product-of-powers: you took the exponential of the vectors before the product -> The exponential of a dot product is
        not the dot product of exponentials. -> First all dot products, then the exponential of each.
    linear: you return the dot products themselves -> That is the linear kernel, which can be negative: no weights can
        be made of it. -> Take the exponential of each.
    power-of-e: you raise the dot products to the power e -> The exponential is a power: e stands below, the dot product
        above. -> Use `np.exp`.
    logarithm: you take the logarithm of the dot products -> It undoes the exponential, and numbers below 0 have none.
        -> Use `np.exp`.
    halved: you halve the dot products -> The half belongs to a Gaussian kernel. -> Take the exponential of the dot
        product itself.
    minus: there is a minus sign in the exponent -> A distance needs one, a similarity does not: keys that match would
        get the smallest values. -> A larger dot product means a better match; keep the sign.
    scaled
    cosine: you divided the dot products by the lengths -> Then it is the exponential of a cosine, and the length of a
        key no longer counts. -> Take the plain dot product.
    base-two: you raise 2 to the dot products, instead of e -> The kernel then equals softmax only at another
        temperature. -> Use `np.exp`.
    base-ten: you raise 10 to the dot products, instead of e -> The kernel then equals softmax only at another
        temperature. -> Use `np.exp`.
    typed-e: you typed e with too few digits -> The larger the dot product, the more of the error shows. -> Use
        `np.exp`.
    typed-shorter: you typed e with too few digits -> The larger the dot product, the more of the error shows. -> Use
        `np.exp`.
    typed-short: you typed e with too few digits -> The larger the dot product, the more of the error shows. -> Use
        `np.exp`.
    powers-added: you take the exponential of each product of two coordinates, and add up afterwards -> The exponential
        of a sum is not the sum of exponentials. -> First the dot product, then one exponential for each pair.
    gaussian: that is the Gaussian kernel of bandwidth 1 -> It asks how near a key is: one that points the right way,
        but is far longer, gets little. -> Take the exponential of the dot product.
    gaussian-no-two: that is a bell of the distance, a Gaussian kernel -> It asks how near a key is: one that points the
        right way, but is far longer, gets little. -> Take the exponential of the dot product.
    queries-only: you took the exponential of the queries alone, before the product -> The exponential of a dot product
        needs the dot product first. -> First all dot products, then the exponential of each.
    cut-at-zero: negative dot products are set to 0 -> Keys that point away would all count the same, with 1. -> Take
        the exponential of the dot product as it is: for negative ones it is small.
    times-e: you multiply the dot products by e -> The exponential is a power: e stands below, the dot product above. ->
        Use `np.exp`.
    clipped: dot products beyond a limit are cut off -> The kernel has no end: two pairs beyond the limit would become
        equal. -> Take the exponential of the dot product as it is.
    clipped-at-one: dot products beyond a limit are cut off -> The kernel has no end: two pairs beyond the limit would
        become equal. -> Take the exponential of the dot product as it is.
    absolute-dots: you take the dot products without their signs -> Then the opposite of a good match counts as much. ->
        Take the exponential of the dot product itself.
    sigmoid: you use a logistic function (a sigmoid) in place of the exponential -> It ends at 1: large dot products
        become equal. -> Use `np.exp`.
    distance: that is a bell of the distance -> It asks how near a key is: one that points the right way, but is far
        longer, gets little. -> Take the exponential of the dot product.
    squared-dots: you square the dot products before the exponential -> Then the opposite of a good match counts as
        much. -> Take the exponential of the dot product itself.
    """,
)
def exponential_kernel(Q, K, wrong=frozenset()):
    """The exponential kernel, with mistakes as switches."""
    Q, K = floats(Q, K)
    scores = Q @ K.T
    if "queries-only" in wrong:
        return np.exp(Q) @ K.T
    if "times-e" in wrong:
        return np.e * scores
    if "product-of-powers" in wrong:
        return np.exp(Q) @ np.exp(K).T
    if "cosine" in wrong:
        scores = scores / np.linalg.norm(Q, axis=-1)[:, None] / np.linalg.norm(K, axis=-1)
    if "scaled" in wrong:
        scores = scores / np.sqrt(Q.shape[-1])
    if "minus" in wrong:
        scores = -scores
    slips = {"gaussian": -squared_gaps(Q, K) / 2, "gaussian-no-two": -squared_gaps(Q, K), "squared-dots": scores**2}
    slips |= {"absolute-dots": np.abs(scores), "distance": -np.sqrt(squared_gaps(Q, K))}
    slips |= {"clipped": np.clip(scores, -10, 10), "clipped-at-one": np.minimum(scores, 1)}
    slips |= {"cut-at-zero": np.maximum(scores, 0), "halved": scores / 2}
    scores = slip(wrong, slips, scores)
    if "linear" in wrong:
        return scores
    if "power-of-e" in wrong:
        return scores**np.e
    if "logarithm" in wrong:
        return np.log(scores)
    if "powers-added" in wrong:
        return np.exp(Q[:, None, :] * K).sum(axis=-1)
    if "maximum-off" in wrong:
        scores = scores - scores.max(axis=-1, keepdims=True)
    if "normalised" in wrong:
        return softmax(scores)
    if "sigmoid" in wrong:
        return 1 / (1 + np.exp(-scores))
    bases = {"base-two": 2.0, "base-ten": 10.0, "typed-e": 2.7, "typed-shorter": 2.72, "typed-short": 2.718}
    return slip(wrong, bases, np.e) ** scores
