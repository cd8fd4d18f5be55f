"""Part 2, notebook 2: attention as kernel regression."""

import numpy as np

from attnlib import load_nile, softmax
from grader.exercise import (
    Case,
    ChoiceExercise,
    FunctionExercise,
    Misconception,
    Part,
    Property,
    SearchExercise,
    ValueExercise,
)
from grader.exercises.inputs import matrix, telling, tells, tenths


def floats(*arrays):
    """The arrays as floating-point numbers."""
    return [np.asarray(array, dtype=float) for array in arrays]


def squared_gaps(Q, K):
    """Squared distances between the rows of two matrices."""
    return ((Q[:, None, :] - K[None, :, :]) ** 2).sum(axis=-1)


# ---------------------------------------------------------------- the prediction

predict_kernels = ChoiceExercise(
    id="predict-kernels",
    points=1,
    task="type the letter of your prediction",
    right="c",
    because={
        "a": "that is what a very small bandwidth does: each year then listens to itself only. "
        "Who is listened to when the bell is wider than the whole record?",
        "b": "a trend would need the first years and the last years to be treated differently. "
        "How different are their weights under a bell that is nearly level from 1871 to 1970?",
        "c": "under a bell 10,000 years wide all hundred years weigh practically the same, so every year is given "
        "the same number: the mean of all flows. It is the hot end of softmax in another dress.",
        "d": "each kernel value is close to 1, not to 0, when the bell is wide. And whatever they are, the weights "
        "are divided by their sum.",
    },
)


# ---------------------------------------------------------------- gaussian_kernel


def gaussian_kernel_model(Q, K, bandwidth, wrong=frozenset()):
    """The Gaussian kernel, with the mistakes that people make as switches."""
    Q, K = floats(Q, K)
    gaps = squared_gaps(Q, K)
    if "cross-term" in wrong:
        gaps = (Q**2).sum(axis=-1, keepdims=True) + (K**2).sum(axis=-1) + 2 * Q @ K.T
    if "distance-not-squared" in wrong:
        gaps = np.sqrt(gaps)
    if "dot-product" in wrong:
        gaps = Q @ K.T
    if "mean-not-sum" in wrong:
        gaps = gaps / Q.shape[-1]
    width = bandwidth if "bandwidth-not-squared" in wrong else bandwidth**2
    if "no-bandwidth" in wrong:
        width = 1.0
    factor = 1.0 if "missing-two" in wrong else 2.0
    exponent = gaps / (factor * width)
    if "two-squared" in wrong:
        exponent = gaps / (2 * bandwidth) ** 2
    if "half-outside" in wrong:  # the classic slip of precedence: x / 2 * h**2
        exponent = gaps / factor * width
    kernel = np.exp(exponent if "grows" in wrong else -exponent)
    if "density" in wrong:
        kernel = kernel / (bandwidth * np.sqrt(2 * np.pi))
    if "normalised" in wrong:
        kernel = kernel / kernel.sum(axis=-1, keepdims=True)
    return kernel


def bandwidth(rng, low=0.6, high=0.9):
    """A bandwidth away from 0.5, 1 and 2, where h, h squared and twice h meet."""
    return round(float(rng.uniform(low, high)), 2)


def one_on_the_spot(call, rng):
    Q = matrix(rng, 5, 3)
    on_the_spot = np.diag(call(Q, Q.copy(), bandwidth(rng)))
    if np.allclose(on_the_spot, 1, atol=1e-3):
        return None
    return f"a key on the spot of its query has the kernel value {on_the_spot[0]:.4g}, not 1"


def swapping_transposes(call, rng):
    Q, K, h = matrix(rng, 5, 3), matrix(rng, 7, 3), bandwidth(rng)
    same = np.allclose(call(Q, K, h), call(K, Q, h).T, atol=1e-4)
    return None if same else "the kernel of q and k is not that of k and q"


gaussian_kernel = FunctionExercise(
    id="gaussian_kernel",
    points=3,
    task="write `gaussian_kernel(Q, K, bandwidth)`",
    model=gaussian_kernel_model,
    returns="kernel values",
    cases=(
        Case(
            "two queries and five keys",
            lambda rng: {"Q": tenths(rng, 2, 3), "K": tenths(rng, 5, 3), "bandwidth": 0.8},
            0.25,
        ),
        Case(
            "seven queries and three keys, a wide bell",
            lambda rng: {
                "Q": matrix(rng, 7, 5),
                "K": matrix(rng, 3, 5),
                "bandwidth": bandwidth(rng, 1.3, 1.8),
            },
            0.2,
        ),
        Case(
            "as many queries as keys as dimensions",
            lambda rng: {"Q": matrix(rng, 5, 5), "K": matrix(rng, 5, 5), "bandwidth": bandwidth(rng, 2.3, 2.9)},
            0.1,
        ),
        Case(
            "whole numbers",
            lambda rng: {
                "Q": rng.integers(-2, 3, size=(2, 3)),
                "K": rng.integers(-2, 3, size=(5, 3)),
                "bandwidth": 3,
            },
            0.1,
        ),
    ),
    properties=(
        Property("a key on the spot of the query has the kernel value 1", one_on_the_spot, 0.15),
        Property("the kernel is symmetric in query and key", swapping_transposes, 0.1),
    ),
    misconceptions=(
        Misconception(
            "bandwidth-not-squared",
            "the bandwidth is not squared",
            "The distance is squared, so the bandwidth must be, too: otherwise a change of units changes the weights.",
            "Look at the units: what stands below the line must be a squared length.",
        ),
        Misconception(
            "missing-two",
            "the 2 below the line is missing",
            "The bell is then too narrow by a factor of the square root of 2, and bandwidths cannot be compared.",
            "The squared bandwidth is taken twice.",
        ),
        Misconception(
            "grows",
            "the minus sign in the exponent is missing",
            "Without it the kernel grows with the distance: the farthest key gets nearly all the weight.",
            "A kernel falls from 1 on the spot towards 0 far away: check the sign.",
        ),
        Misconception(
            "distance-not-squared",
            "you took the square root of the squared distance",
            "That kernel has a sharp peak at the query instead of a round top, and is another kernel (Laplace's).",
            "Leave the squared distance as it is.",
        ),
        Misconception(
            "no-bandwidth",
            "the bandwidth is not used",
            "The bell has width 1, whatever is asked for.",
            "Divide the squared distance as the formula says.",
        ),
        Misconception(
            "half-outside",
            "you multiply by the squared bandwidth: `a / 2 * h**2` is read from left to right",
            "A wide bell then becomes narrow, and a narrow one wide.",
            "Put brackets round the whole of what stands below the line.",
        ),
        Misconception(
            "two-squared",
            "the 2 below the line is squared, too",
            "(2h) squared is four times h squared: the bell is too wide by the square root of 2.",
            "Square the bandwidth alone, then take it twice.",
        ),
        Misconception(
            "mean-not-sum",
            "you took the mean over the coordinates instead of the sum",
            "A squared distance adds up what the coordinates contribute; a mean makes the bell wider, the more "
            "dimensions there are.",
            "Sum over the last axis.",
        ),
        Misconception(
            "normalised",
            "you divided each row by its sum",
            "A kernel compares one query with one key; its value must not depend on which other keys are there.",
            "Leave the division to `kernel_attention`, two exercises on.",
        ),
        Misconception(
            "density",
            "you included the constant of the normal distribution",
            "With it the bell has area 1, but not height 1. In weights it cancels, in a kernel it is not asked for.",
            "Keep the exponential alone.",
        ),
        Misconception(
            "cross-term",
            "the cross term of the squared distance has the wrong sign",
            "Plus twice the dot product gives the distance to the key's mirror image.",
            "Write out (q - k) times (q - k): which sign has the product of q and k?",
        ),
        Misconception(
            "dot-product",
            "you used the dot product in place of the squared distance",
            "The dot product is large for keys that point the same way, so the minus sign punishes them.",
            "Subtract, square, and sum over the coordinates.",
        ),
    ),
)


# ---------------------------------------------------------------- exponential_kernel


def exponential_kernel_model(Q, K, wrong=frozenset()):
    """The exponential kernel, with mistakes as switches."""
    Q, K = floats(Q, K)
    scores = Q @ K.T
    if "product-of-powers" in wrong:
        return np.exp(Q) @ np.exp(K).T
    if "cosine" in wrong:
        scores = scores / np.linalg.norm(Q, axis=-1)[:, None] / np.linalg.norm(K, axis=-1)
    if "scaled" in wrong:
        scores = scores / np.sqrt(Q.shape[-1])
    if "minus" in wrong:
        scores = -scores
    if "linear" in wrong:
        return scores
    if "maximum-off" in wrong:
        scores = scores - scores.max(axis=-1, keepdims=True)
    if "normalised" in wrong:
        return softmax(scores)
    return np.exp2(scores) if "base-two" in wrong else np.exp(scores)


def shapes(rng, n_queries, n_keys, d, scale=0.7):
    """Queries and keys whose dot products stay small enough for a plain exponential."""
    return {"Q": matrix(rng, n_queries, d, scale=scale), "K": matrix(rng, n_keys, d, scale=scale)}


exponential_kernel = FunctionExercise(
    id="exponential_kernel",
    points=2,
    task="write `exponential_kernel(Q, K)`",
    model=exponential_kernel_model,
    returns="kernel values",
    cases=(
        Case("two queries and five keys", lambda rng: {"Q": tenths(rng, 2, 3), "K": tenths(rng, 5, 3)}, 0.4),
        Case("seven queries and three keys", lambda rng: shapes(rng, 7, 3, 5), 0.3),
        Case("as many queries as keys as dimensions", lambda rng: shapes(rng, 5, 5, 5), 0.2),
    ),
    misconceptions=(
        Misconception(
            "normalised",
            "you divided each row by its sum, as softmax does",
            "A kernel value belongs to one query and one key. The division comes later, for every kernel the same.",
            "Stop after the exponential.",
        ),
        Misconception(
            "maximum-off",
            "you took each row's maximum off before the exponential",
            "In softmax that cancels. A kernel is not divided by anything yet, so here it changes the value.",
            "Take the exponential of the dot product itself.",
        ),
        Misconception(
            "product-of-powers",
            "you took the exponential of the vectors before the product",
            "The exponential of a dot product is not the dot product of exponentials.",
            "First all dot products, then the exponential of each.",
        ),
        Misconception(
            "linear",
            "you return the dot products themselves",
            "That is the linear kernel, which can be negative: no weights can be made of it.",
            "Take the exponential of each.",
        ),
        Misconception(
            "minus",
            "there is a minus sign in the exponent",
            "A distance needs one, a similarity does not: keys that match would get the smallest values.",
            "A larger dot product means a better match; keep the sign.",
        ),
        Misconception(
            "scaled",
            "you divided by the square root of the dimension",
            "Parts 1 and 2 do not scale; Part 3 shows where that division comes from.",
            "Take the plain dot product.",
        ),
        Misconception(
            "cosine",
            "you divided the dot products by the lengths",
            "Then it is the exponential of a cosine, and the length of a key no longer counts.",
            "Take the plain dot product.",
        ),
        Misconception(
            "base-two",
            "you raise 2 to the dot products, instead of e",
            "The kernel then equals softmax only at another temperature.",
            "Use `np.exp`.",
        ),
    ),
)


# ---------------------------------------------------------------- kernel_attention


def hill(Q, K):
    """A kernel that falls slowly: 1 / (1 + squared distance)."""
    Q, K = floats(Q, K)
    return 1 / (1 + squared_gaps(Q, K))


def bell(Q, K):
    """A Gaussian kernel of bandwidth 1.5."""
    return gaussian_kernel_model(Q, K, 1.5)


def window(Q, K):
    """A kernel of bounded reach: zero from distance 4 on."""
    Q, K = floats(Q, K)
    return np.maximum(0.0, 1 - squared_gaps(Q, K) / 16)


def skewed(Q, K):
    """A kernel that is not symmetric: asking and answering are different roles."""
    Q, K = floats(Q, K)
    turn = np.roll(np.eye(K.shape[-1]), 1, axis=0) + np.triu(np.full((K.shape[-1], K.shape[-1]), 0.2))
    return np.exp(0.4 * Q @ turn @ K.T)


def tripled_hill(Q, K):
    """Three times `hill`: the same weights."""
    return 3 * hill(Q, K)


def kernel_attention_model(Q, K, V, kernel, wrong=frozenset()):
    """Nadaraya-Watson regression, with mistakes as switches."""
    Q, K, V = floats(Q, K, V)
    if "own-exponential" in wrong:
        kernel = exponential_kernel_model
    if "own-gaussian" in wrong:

        def kernel(Q, K):
            return gaussian_kernel_model(Q, K, 1.0)

    similarity = np.asarray(kernel(K, Q), dtype=float).T if "roles-swapped" in wrong else kernel(Q, K)
    similarity = np.asarray(similarity, dtype=float)
    if "softmax-on-top" in wrong:
        return softmax(similarity) @ V
    axis = {"columns": 0, "whole-matrix": None}.get(next(iter(wrong & {"columns", "whole-matrix"}), ""), -1)
    total = similarity.sum(axis=axis, keepdims=True)
    if "no-keepdims" in wrong:
        total = similarity.sum(axis=-1)
    if "tiny-is-zero" in wrong:
        similarity = np.where(total < 1e-12, 0.0, similarity)
    if "not-normalised" in wrong:
        total = np.ones_like(total)
    if "divided-by-count" in wrong:
        total = np.full_like(total, K.shape[0])
    if "zero-over-zero" in wrong:
        weights = similarity / total
    else:
        weights = np.divide(
            similarity, total, out=np.zeros_like(similarity), where=np.broadcast_to(total != 0, similarity.shape)
        )
    if "mean-for-nothing" in wrong:
        weights = np.where(similarity.sum(axis=-1, keepdims=True) == 0, 1 / K.shape[0], weights)
    if "weights-returned" in wrong:
        return weights
    return weights @ V


def attention_inputs(rng, n_queries, n_keys, d, d_v, kernel):
    return {
        "Q": matrix(rng, n_queries, d),
        "K": matrix(rng, n_keys, d),
        "V": matrix(rng, n_keys, d_v, scale=2.0),
        "kernel": kernel,
    }


def out_of_reach(rng):
    """Queries of which the second has no key within reach of the window."""
    inputs = attention_inputs(rng, 3, 5, 2, 7, window)
    inputs["Q"] = 0.5 * inputs["Q"]
    inputs["K"] = 0.5 * inputs["K"]
    inputs["Q"][1] += 50.0
    return inputs


def hardly_in_reach(rng):
    """Queries of which the second is so far away that its kernel values are about 1e-20, but not zero."""
    inputs = attention_inputs(rng, 3, 5, 2, 7, bell)
    inputs["Q"] = 0.2 * inputs["Q"]
    inputs["K"] = 0.2 * inputs["K"]
    inputs["Q"][1] += 10.0
    return inputs


def exponential_is_softmax(call, rng):
    inputs = shapes(rng, 3, 7, 5)
    V = matrix(rng, 7, 2)
    got = call(*inputs.values(), V, exponential_kernel_model)
    right = softmax(inputs["Q"] @ inputs["K"].T) @ V
    return None if np.allclose(got, right, atol=1e-3) else f"they differ by up to {np.abs(got - right).max():.3g}"


def factor_changes_nothing(call, rng):
    inputs = attention_inputs(rng, 3, 5, 2, 7, hill)
    one = call(*inputs.values())
    three = call(*(inputs | {"kernel": tripled_hill}).values())
    return None if np.allclose(one, three, atol=1e-3) else "three times the kernel gives another context"


kernel_attention = FunctionExercise(
    id="kernel_attention",
    points=4,
    task="write `kernel_attention(Q, K, V, kernel)`",
    model=kernel_attention_model,
    returns="context",
    cases=(
        Case(
            "two queries, three keys, the kernel 1 / (1 + squared distance)",
            lambda rng: {"Q": tenths(rng, 2, 2), "K": tenths(rng, 3, 2), "V": tenths(rng, 3, 5), "kernel": hill},
            0.15,
        ),
        Case("seven queries, three keys, a Gaussian kernel", lambda rng: attention_inputs(rng, 7, 3, 2, 5, bell), 0.15),
        Case(
            "a kernel that is not symmetric",
            lambda rng: attention_inputs(rng, 3, 7, 5, 2, skewed),
            0.1,
        ),
        Case("as many queries as keys as dimensions", lambda rng: attention_inputs(rng, 5, 5, 5, 5, skewed), 0.1),
        Case("a query with no key within reach: its context is zero", out_of_reach, 0.1),
        Case("a far query with tiny kernel values (1e-20): an average like any other", hardly_in_reach, 0.1),
    ),
    properties=(
        Property("with the exponential kernel it is softmax attention", exponential_is_softmax, 0.1),
        Property("three times the kernel gives the same context", factor_changes_nothing, 0.1),
    ),
    misconceptions=(
        Misconception(
            "not-normalised",
            "you do not divide by the sum of the kernel values",
            "Then the result is a sum, not an average: equal values do not come back as they were.",
            "Divide each row of kernel values by its sum before the values are mixed.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns (axis 0)",
            "Each row belongs to one query, and its weights must sum to 1.",
            "Sum along the last axis, and keep the axis.",
        ),
        Misconception(
            "whole-matrix",
            "you divided by the sum of the whole matrix",
            "One query's weights then depend on what the other queries asked.",
            "Each row has a sum of its own.",
        ),
        Misconception(
            "divided-by-count",
            "you divided by the number of keys instead of the sum of the kernel values",
            "That averages as if each key had its full weight: far from all keys the result shrinks to 0.",
            "The weights sum to 1 only if you divide by their own sum.",
        ),
        Misconception(
            "softmax-on-top",
            "you put the kernel values through a softmax",
            "They are positive already. A second exponential flattens them: a kernel value of 0 would still count.",
            "Positive numbers become weights by a plain division.",
        ),
        Misconception(
            "own-exponential",
            "you always use the exponential of the dot product, and not the kernel that is passed in",
            "The function is then softmax attention only; it ignores its last argument.",
            "Call `kernel` with the queries and the keys.",
        ),
        Misconception(
            "own-gaussian",
            "you always use the Gaussian kernel of bandwidth 1, and not the kernel that is passed in",
            "The function then ignores its last argument.",
            "Call `kernel` with the queries and the keys.",
        ),
        Misconception(
            "roles-swapped",
            "you called the kernel with keys and queries exchanged",
            "For a symmetric kernel that makes no difference; a learned one tells asking from answering.",
            "The queries come first, then the keys.",
        ),
        Misconception(
            "zero-over-zero",
            "a query with no key within reach gives 0/0",
            "If all kernel values of a row are zero, so is their sum, and the division gives NaN.",
            "Divide only where the sum is not zero; elsewhere the weights stay zero.",
        ),
        Misconception(
            "tiny-is-zero",
            "you treat a tiny sum of kernel values as if it were zero, or add a small number to every sum",
            "Kernel values of 1e-20 have proportions as good as any: only a row that is exactly 0 has nobody to "
            "listen to.",
            "Replace sums that are equal to 0, and leave all others as they are.",
        ),
        Misconception(
            "no-keepdims",
            "the row sums have lost an axis",
            "A row of sums is spread over the columns. On a square matrix nothing complains, but each number is "
            "divided by another query's sum.",
            "Keep the sums as a column: `keepdims=True`.",
        ),
        Misconception(
            "mean-for-nothing",
            "a query with no key within reach gets the mean of all values",
            "The mean looks like an answer, although nothing was found. Our rule says so openly: zero.",
            "Where the sum is zero, the weights and the context are zero.",
        ),
        Misconception(
            "weights-returned",
            "you return the weights instead of the context",
            "The weights say who is listened to; the context is what is heard.",
            "Mix the values with the weights.",
        ),
    ),
)


# ---------------------------------------------------------------- leave_one_out_bandwidth


def leave_one_out_model(x, y, bandwidths, wrong=frozenset()):
    """The bandwidth with the least leave-one-out error, with mistakes as switches."""
    x, y, bandwidths = floats(x, y, bandwidths)
    gaps = (x[:, None] - x) ** 2
    h = bandwidths[:, None, None]
    factor = 1.0 if "missing-two" in wrong else 2.0
    kernel = np.exp(-gaps / factor / (h if "bandwidth-not-squared" in wrong else h * h))
    if "not-left-out" not in wrong:
        kernel = kernel * (1 - np.eye(len(x)))
    total = kernel.sum(axis=-1)
    if "not-normalised" in wrong:
        predicted = kernel @ y
    elif "zero-over-zero" in wrong:
        predicted = kernel @ y / total
    else:
        predicted = np.divide(kernel @ y, total, out=np.zeros_like(total), where=total != 0)
    if "left-out-late" in wrong:  # as if the kernel were normalised first and its diagonal deleted afterwards
        predicted = kernel @ y / (total + 1)
    miss = predicted - y
    if "signed-error" in wrong:
        errors = miss.sum(axis=-1)
    elif "absolute-error" in wrong:
        errors = np.abs(miss).sum(axis=-1)
    else:
        errors = (miss**2).sum(axis=-1)
    best = int(errors.argmax() if "largest-error" in wrong else errors.argmin())
    if "error-returned" in wrong:
        return float(errors[best])
    if "index-returned" in wrong:
        return best
    return float(bandwidths[best])


CHOICES_OF_A_BANDWIDTH = (
    "not-left-out",
    "largest-error",
    "bandwidth-not-squared",
    "missing-two",
    "absolute-error",
    "signed-error",
    "not-normalised",
    "left-out-late",
)


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
        chosen = [leave_one_out_model(**inputs)]
        ends = (candidates.min(), candidates.max(), candidates[0], candidates[-1])
        if chosen[0] in ends or chosen[0] == np.sort(candidates)[m // 2]:
            continue
        for name in telling:  # one by one: most draws fail early
            other = leave_one_out_model(**inputs, wrong={name})
            if other in chosen:
                break
            chosen.append(other)
        else:
            if tells(leave_one_out_model, inputs, *EVERY_SLIP):
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
        if leave_one_out_model(**inputs) != middle and tells(leave_one_out_model, inputs, *EVERY_SLIP):
            return inputs


leave_one_out_bandwidth = FunctionExercise(
    id="leave_one_out_bandwidth",
    points=4,
    task="write `leave_one_out_bandwidth(x, y, bandwidths)`",
    model=leave_one_out_model,
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
    misconceptions=(
        Misconception(
            "not-left-out",
            "each point takes part in its own prediction",
            "A tiny bandwidth then predicts every point from itself, without any error, and always wins.",
            "Give a point the weight 0 in its own prediction, before you divide by the sum.",
        ),
        Misconception(
            "left-out-late",
            "you take a point out of its own prediction only after the division",
            "The weights of the others then sum to less than 1, and every prediction is too small.",
            "Set the diagonal of the kernel to zero first, then divide by the sum.",
        ),
        Misconception(
            "largest-error",
            "you chose the candidate with the largest error",
            "That is the worst bandwidth of all.",
            "Look for the smallest error.",
        ),
        Misconception(
            "bandwidth-not-squared",
            "the kernel is that of a bandwidth that is not squared",
            "The best number is still found, but it is the square of a bandwidth: in the wrong units.",
            "Use your `gaussian_kernel`.",
        ),
        Misconception(
            "missing-two",
            "the kernel lacks the 2 below the line",
            "The curve found is the same, but its bandwidth is called too large by the square root of 2.",
            "Use your `gaussian_kernel`.",
        ),
        Misconception(
            "absolute-error",
            "you added up the absolute errors instead of the squared ones",
            "Large errors then count less, and another bandwidth can win.",
            "Square each error before you add up.",
        ),
        Misconception(
            "signed-error",
            "you added up the errors with their signs",
            "Errors upwards and downwards cancel, and a bandwidth that misses everything can win.",
            "Square each error before you add up.",
        ),
        Misconception(
            "not-normalised",
            "the prediction is not divided by the sum of the kernel values",
            "A sum instead of an average grows with the bandwidth, whatever the data say.",
            "Use your `kernel_attention`, or divide as it does.",
        ),
        Misconception(
            "error-returned",
            "you return the smallest error instead of the bandwidth that has it",
            "Whoever calls the function wants to use the bandwidth.",
            "Find out which candidate has that error.",
        ),
        Misconception(
            "index-returned",
            "you return the place of the best candidate instead of the candidate",
            "An index is no bandwidth.",
            "Look the candidate up at that place.",
        ),
        Misconception(
            "zero-over-zero",
            "a candidate wins although with it no point reaches another",
            "An unreached point is predicted as 0. You get 0/0 there, leave it out of the sum, or predict "
            "something else.",
            "Let `kernel_attention` predict: it gives 0 where no other point answers.",
        ),
    ),
)


# ---------------------------------------------------------------- the Nile

NILE_BANDWIDTHS = np.arange(5, 101) / 10  # years


def nile_part(name, wrong=frozenset()):
    """What the learner's dict should hold under that name."""
    year, flow = load_nile()
    chosen = leave_one_out_model(year, flow, NILE_BANDWIDTHS, wrong=wrong - {"index-returned"})
    if "index-returned" in wrong:
        chosen = float(np.flatnonzero(chosen == NILE_BANDWIDTHS)[0])
    if name == "bandwidth":
        return chosen
    when = float(name)
    if "no-smoothing" in wrong:
        return float(flow[year == when][0])
    mistakes = wrong & {"bandwidth-not-squared", "missing-two"}
    kernel = gaussian_kernel_model([[when]], year[:, None], chosen, wrong=mistakes)[0]
    if "year-left-out" in wrong:
        kernel = kernel * (year != when)
    return float(kernel @ flow / kernel.sum())


nile = ValueExercise(
    id="nile",
    points=2,
    task="fill the dict with the bandwidth and the two smoothed flows",
    parts=(
        Part("bandwidth", "the bandwidth", lambda wrong=frozenset(): nile_part("bandwidth", wrong), 0.4, 2),
        Part("1885", "the smoothed flow in 1885", lambda wrong=frozenset(): nile_part("1885", wrong), 0.3, 1),
        Part("1935", "the smoothed flow in 1935", lambda wrong=frozenset(): nile_part("1935", wrong), 0.3, 1),
    ),
    misconceptions=(
        Misconception(
            "not-left-out",
            "each year took part in its own prediction",
            "The smallest candidate then always wins, and the curve runs through every wiggle.",
            "Leave each year out when it is predicted.",
        ),
        Misconception(
            "largest-error",
            "you chose the bandwidth with the largest error",
            "The widest bell smooths the fall in the flow away.",
            "Take the bandwidth with the smallest error.",
        ),
        Misconception(
            "missing-two",
            "your kernel lacks the 2 below the line",
            "The curve is the same, but its bandwidth is called too large.",
            "Use your checked `gaussian_kernel`.",
        ),
        Misconception(
            "bandwidth-not-squared",
            "your kernel does not square the bandwidth",
            "The number found is the square of a bandwidth, not in years.",
            "Use your checked `gaussian_kernel`.",
        ),
        Misconception(
            "year-left-out",
            "you left the year itself out of its smoothed flow",
            "Leaving out is for judging a bandwidth. The curve may use every flow that is known.",
            "For the two flows use the kernel as it is, with all years.",
        ),
        Misconception(
            "index-returned",
            "you give the place of the best candidate instead of the candidate",
            "An index is no bandwidth: the candidates are 0.5, 0.6, 0.7 and so on.",
            "Look the candidate up at that place.",
        ),
        Misconception(
            "no-smoothing",
            "you gave the measured flows of those years instead of the smoothed ones",
            "A single year is signal and chance together; the curve averages the chance away.",
            "Ask `kernel_attention` for the flow, with the year as the query.",
        ),
    ),
)


# ---------------------------------------------------------------- gaussian_as_softmax


def gaussian_as_softmax_model(Q, K, bandwidth, wrong=frozenset()):
    """Normalised Gaussian weights as a softmax of dot products, with mistakes as switches."""
    Q, K = floats(Q, K)
    if "zero-over-zero" in wrong or "kernel-returned" in wrong:
        kernel = gaussian_kernel_model(Q, K, bandwidth)
        return kernel if "kernel-returned" in wrong else kernel / kernel.sum(axis=-1, keepdims=True)
    width = bandwidth if "bandwidth-not-squared" in wrong else bandwidth**2
    size = (K**2).sum(axis=-1)
    if "length-not-squared" in wrong:
        size = np.sqrt(size)
    half = 1.0 if "half-missing" in wrong else 0.5
    if "lengths-ignored" in wrong:
        half = 0.0
    sign = 1.0 if "length-added" in wrong else -1.0
    scores = Q @ K.T / width + sign * half * size / (1.0 if "length-not-divided" in wrong else width)
    if "columns" in wrong:
        return softmax(scores.T).T
    return softmax(scores)


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


def as_normalised_kernel(call, rng):
    inputs = {"Q": matrix(rng, 3, 5), "K": matrix(rng, 7, 5), "bandwidth": bandwidth(rng, 1.2, 1.8)}
    kernel = gaussian_kernel_model(*inputs.values())
    gap = np.abs(call(*inputs.values()) - kernel / kernel.sum(axis=-1, keepdims=True)).max()
    return None if gap < 1e-3 else f"a weight differs by {gap:.3g}"


gaussian_as_softmax = FunctionExercise(
    id="gaussian_as_softmax",
    points=3,
    task="write `gaussian_as_softmax(Q, K, bandwidth)`",
    model=gaussian_as_softmax_model,
    returns="weights",
    cases=(
        Case(
            "two queries and five keys",
            lambda rng: {"Q": tenths(rng, 2, 3), "K": tenths(rng, 5, 3), "bandwidth": 0.8},
            0.2,
        ),
        Case(
            "keys of equal length",
            lambda rng: {"Q": matrix(rng, 3, 5), "K": equal_lengths(rng, 7, 5), "bandwidth": bandwidth(rng)},
            0.15,
        ),
        Case(
            "as many queries as keys as dimensions",
            lambda rng: {"Q": matrix(rng, 5, 5), "K": matrix(rng, 5, 5), "bandwidth": bandwidth(rng, 1.2, 1.8)},
            0.15,
        ),
        Case(
            "a query far from every key",
            telling(
                lambda rng: {"Q": matrix(rng, 2, 3) + 28, "K": two_nearest(rng), "bandwidth": bandwidth(rng)},
                gaussian_as_softmax_model,
                *("lengths-ignored", "half-missing", "length-added", "length-not-divided", "length-not-squared"),
                "bandwidth-not-squared",
            ),
            0.15,
        ),
    ),
    properties=(Property("equal to the Gaussian kernel divided by its row sums", as_normalised_kernel, 0.25),),
    misconceptions=(
        Misconception(
            "lengths-ignored",
            "the lengths of the keys are left out (a term with the length of the query does not replace them)",
            "What is left is the softmax of q.k over the squared bandwidth: equal only for keys of one length. "
            "The length "
            "of the query is the same for all keys of a row, and cancels.",
            "Write the squared distance out. Which of its terms differ from key to key?",
        ),
        Misconception(
            "half-missing",
            "the half before the squared length is missing",
            "The 2 below the line cancels against the cross term, but not against the squared length.",
            "Divide each term of the squared distance by the same number.",
        ),
        Misconception(
            "length-added",
            "the squared length is added instead of taken off",
            "A long key then gains, although a Gaussian kernel gives nothing for length.",
            "Mind the minus before the whole squared distance.",
        ),
        Misconception(
            "length-not-divided",
            "the squared length is not divided by the squared bandwidth",
            "Both terms come from the same distance and are measured by the same bell.",
            "Subtract first, then divide the difference.",
        ),
        Misconception(
            "length-not-squared",
            "you used the length of the key, not its square",
            "The squared distance holds the squared length.",
            "Leave out the square root.",
        ),
        Misconception(
            "bandwidth-not-squared",
            "you divide by the bandwidth, not by its square",
            "A dot product is a length times a length, so what divides it must be one, too.",
            "Square the bandwidth.",
        ),
        Misconception(
            "zero-over-zero",
            "you compute the kernel itself first, and for a query far away all of it is rounded to 0",
            "Its sum is then 0, and its logarithm minus infinity: both end in NaN. The softmax of the exponents "
            "does not.",
            "Give softmax the exponents, and never take the exponential yourself.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns (axis 0)",
            "Each row belongs to one query, and its weights must sum to 1.",
            "The scores have one row for each query; softmax works row by row.",
        ),
        Misconception(
            "kernel-returned",
            "you return the kernel itself, not the weights",
            "Its rows do not sum to 1.",
            "The weights are asked for: a softmax.",
        ),
    ),
)


# ---------------------------------------------------------------- learned_kernel


def learned_kernel_model(X, Y, W_q, W_k, wrong=frozenset()):
    """The kernel that two projections make, with mistakes as switches."""
    X, Y, W_q, W_k = floats(X, Y, W_q, W_k)
    if "projections-swapped" in wrong:
        W_q, W_k = W_k, W_q
    if "one-projection" in wrong:
        W_k = W_q
    if "x-only" in wrong:
        Y = X
    if "weights-transposed" in wrong:
        W_q, W_k = W_q.T, W_k.T
    scores = (X @ W_q) @ (Y @ W_k).T
    if "scaled" in wrong:
        scores = scores / np.sqrt(W_q.shape[-1])
    if "no-exponential" in wrong:
        return scores
    if "normalised" in wrong:
        return softmax(scores)
    return np.exp(scores)


def projections(rng, n, m, d_model, d_k):
    return {
        "X": matrix(rng, n, d_model, scale=0.6),
        "Y": matrix(rng, m, d_model, scale=0.6),
        "W_q": matrix(rng, d_model, d_k, scale=0.6),
        "W_k": matrix(rng, d_model, d_k, scale=0.6),
    }


learned_kernel = FunctionExercise(
    id="learned_kernel",
    points=2,
    task="write `learned_kernel(X, Y, W_q, W_k)`",
    model=learned_kernel_model,
    returns="kernel values",
    cases=(
        Case(
            "two vectors against three, projected from 2 to 5 dimensions",
            telling(
                lambda rng: {
                    "X": tenths(rng, 2, 2, low=-1, high=1),
                    "Y": tenths(rng, 3, 2, low=-1, high=1),
                    "W_q": tenths(rng, 2, 5, low=-1, high=1),
                    "W_k": tenths(rng, 2, 5, low=-1, high=1),
                },
                learned_kernel_model,
                *("projections-swapped", "one-projection", "no-exponential", "normalised", "scaled"),
            ),
            0.35,
        ),
        Case("seven against three, from 5 to 2 dimensions", lambda rng: projections(rng, 7, 3, 5, 2), 0.3),
        Case("everything square", lambda rng: projections(rng, 5, 5, 5, 5), 0.25),
    ),
    misconceptions=(
        Misconception(
            "projections-swapped",
            "the two projections have changed places",
            "The first vector asks and the second answers; exchanged, it is the kernel of y and x.",
            "The queries are made from X with W_q.",
        ),
        Misconception(
            "one-projection",
            "you used W_q for both",
            "Then asking and answering are the same role, and the kernel is always symmetric.",
            "The second argument has a projection of its own.",
        ),
        Misconception(
            "x-only",
            "you made the keys from X instead of Y",
            "The kernel then compares X with itself.",
            "The keys come from Y.",
        ),
        Misconception(
            "weights-transposed",
            "you transposed the projections",
            "A projection has shape (d_model, d_k) and stands on the right of the vectors; square ones hide the slip.",
            "Multiply (n, d_model) by (d_model, d_k) as they are.",
        ),
        Misconception(
            "no-exponential",
            "you return the dot products without the exponential",
            "They can be negative, and no weights can be made of them.",
            "Your `exponential_kernel` does the last step.",
        ),
        Misconception(
            "normalised",
            "you divided each row by its sum",
            "A kernel value belongs to one pair of vectors, whoever else is there.",
            "Stop after the exponential.",
        ),
        Misconception(
            "scaled",
            "you divided by the square root of d_k",
            "Parts 1 and 2 do not scale; Part 3 shows where that division comes from.",
            "Take the plain dot product of the projected vectors.",
        ),
    ),
)


# ---------------------------------------------------------------- not-a-kernel

CAT_SAT = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
CLEARLY = 0.01  # far beyond rounding


def read_projections(value):
    """The learner's two matrices; raises ValueError in words."""
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != 2:
        raise ValueError("expected a pair of matrices, [W_q, W_k]")
    try:
        W_q, W_k = (np.asarray(W, dtype=float) for W in value)
    except (TypeError, ValueError):
        raise ValueError("W_q and W_k must be matrices of numbers") from None
    for name, W in (("W_q", W_q), ("W_k", W_k)):
        if W.ndim != 2 or W.shape[0] != 2:
            raise ValueError(f"{name} must have shape (2, d_k), a row for each of the 2 coordinates; got {W.shape}")
    if W_q.shape != W_k.shape:
        raise ValueError(f"W_q and W_k must have the same shape; got {W_q.shape} and {W_k.shape}")
    if not (np.isfinite(W_q).all() and np.isfinite(W_k).all()):
        raise ValueError("all numbers must be finite")
    if max(np.abs(W_q).max(initial=0), np.abs(W_k).max(initial=0)) > 1e6:
        raise ValueError("keep the numbers below a million")
    if np.abs((CAT_SAT @ W_q) @ (CAT_SAT @ W_k).T).max() > 20:
        raise ValueError("these projections make dot products beyond 20; smaller numbers are easier to compare")
    return W_q, W_k


def cat_sat_kernel(projections):
    return learned_kernel_model(CAT_SAT, CAT_SAT, *projections)


def is_not_symmetric(projections):
    kernel = cat_sat_kernel(projections)
    gap = np.abs(kernel - kernel.T).max()
    return None if gap > CLEARLY * kernel.max() else f"the kernel matrix is symmetric (largest difference {gap:.2g})"


def is_not_positive(projections):
    kernel = cat_sat_kernel(projections)
    least = np.linalg.eigvalsh((kernel + kernel.T) / 2).min()
    if least < -CLEARLY * kernel.max():
        return None
    return f"a G a is never clearly negative: the smallest eigenvalue of (G + G.T) / 2 is {least:.3g}"


not_a_kernel = SearchExercise(
    id="not-a-kernel",
    points=2,
    task="find W_q and W_k whose kernel is neither symmetric nor positive semi-definite",
    reads=read_projections,
    tests=(
        ("the kernel matrix is not symmetric", is_not_symmetric, 0.5),
        ("it is not positive semi-definite", is_not_positive, 0.5),
    ),
    misconceptions=(
        (
            Misconception(
                "equal-projections",
                "W_q and W_k are the same matrix",
                "Then the score is a dot product of the vectors in one and the same space: always a proper kernel.",
                "Let asking and answering differ.",
            ),
            lambda pair: bool(np.allclose(*pair)),
        ),
        (
            Misconception(
                "symmetric-product",
                "the product of W_q and the transpose of W_k is a symmetric matrix",
                "The kernel sees the projections only through that product; if it is symmetric, so is the kernel.",
                "Make W_q W_k.T differ from its own transpose: for example, let one coordinate ask and another answer.",
            ),
            lambda pair: bool(np.allclose(pair[0] @ pair[1].T, (pair[0] @ pair[1].T).T)),
        ),
        (
            Misconception(
                "still-positive",
                "the kernel is not symmetric, but still positive",
                "A large diagonal keeps every a G a positive: each token answers itself best.",
                "Make the tokens score low with themselves and high with others, by a sign or by crossing coordinates.",
            ),
            lambda pair: is_not_symmetric(pair) is None and is_not_positive(pair) is not None,
        ),
    ),
)
