import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip


def _inputs(rng, *shape, draw=matrix, dtype=float, **more):
    """Rows of which an epsilon of 0.00001 shows, and none of a millionth: it is no matter of luck."""
    d, X = shape[-1], draw(rng, *shape)
    while not (X.var(axis=-1).min() > 0.35 and X.var(axis=-1).max() < 2.2):
        spread = X.std(axis=-1, keepdims=True)
        X = np.where((spread > 0.6) & (spread < 1.45), X, draw(rng, *shape))
    inputs = {"X": X, "weight": rng.uniform(0.5, 2, d).round(1), "bias": draw(rng, d)}
    inputs["weight"][0], inputs["weight"][-1] = 0.5, 1.7  # never all alike
    return {name: value.astype(dtype) for name, value in inputs.items()} | more


def _nearly_constant(rng, *shape):
    """Rows whose variance is about as large as the epsilon that is given."""
    rows = matrix(rng, *shape)
    spread = rows - rows.mean(axis=-1, keepdims=True)
    spread *= np.where(np.arange(shape[-2]) % 2, 0.45, 0.2)[:, None] / spread.std(axis=-1, keepdims=True)
    return _inputs(rng, *shape) | {"X": 2 + spread, "epsilon": 0.1}


def _small(rng):
    """Numbers so small that a millionth under the root shows as well."""
    inputs = _inputs(rng, 5, 5)
    return inputs | {"X": inputs["X"] / 20}


def _whole(rng):
    """Rows of whole numbers, so large that no usual epsilon shows."""
    inputs = _inputs(rng, 5, 7)
    return inputs | {"X": rng.choice([-60, -45, -31, -20, 17, 26, 38, 52, 71], size=(5, 7), replace=True)}


def _plain(d):
    return np.ones(d), np.zeros(d)


def _rows_are_normal(call, rng):
    X = matrix(rng, 5, 7)
    X = 3 + 2 * X / X.std(axis=-1, keepdims=True)  # so large that no usual epsilon shows
    rows = call(X, *_plain(7))
    means, variances = rows.mean(axis=-1), rows.var(axis=-1)
    if np.abs(means).max() > 1e-3:
        return f"with weight 1 and bias 0, a row has the mean {means[np.abs(means).argmax()]:.3g}"
    worst = variances[np.abs(variances - 1).argmax()]
    return None if abs(worst - 1) < 1e-3 else f"with weight 1 and bias 0, a row has the variance {worst:.4g}"


def _shift_and_stretch(call, rng):
    inputs = _inputs(rng, 3, 5)
    one, other = call(*inputs.values()), call(*(inputs | {"X": 7 * inputs["X"] - 4}).values())
    gap = np.abs(one - other).max()
    return None if gap < 1e-3 * (1 + np.abs(one).max()) else f"7 times a row less 4 gives something else: by {gap:.3g}"


def _equal_numbers(call, rng):
    inputs = _inputs(rng, 2, 5)
    inputs["X"] = np.array([[2.0] * 5, [-3.0] * 5])
    gap = np.abs(call(*inputs.values()) - inputs["bias"]).max()
    if np.isnan(gap):
        return "the row becomes NaN"
    return None if gap < 1e-3 else "the row does not become the bias"


@function(
    points=3,
    returns="normalised",
    keywords=("epsilon",),
    cases=(
        Case("three tokens of four numbers", lambda rng: _inputs(rng, 3, 4, draw=tenths), 0.2),
        Case(
            "the example of the task",
            example(X=np.array([[1.0, 2.0, 3.0, 6.0]]), weight=np.ones(4), bias=np.zeros(4)),
            0.05,
        ),
        Case("nearly constant rows, and an epsilon of 0.1", lambda rng: _nearly_constant(rng, 5, 7), 0.15),
        Case("as many tokens as numbers, small ones", _small, 0.05),
        Case("a batch of two", lambda rng: _inputs(rng, 2, 3, 7), 0.1),
        Case("whole numbers", _whole, 0.05, telling=("truncated",)),
        Case("single precision", lambda rng: _inputs(rng, 7, 11, dtype=np.float32), 0.1),
    ),
    properties=(
        Property("each row has mean 0 and variance 1, before weight and bias", _rows_are_normal, 0.1),
        Property("a row that is stretched and shifted gives the same", _shift_and_stretch, 0.05),
        Property("a row of equal numbers becomes the bias", _equal_numbers, 0.05),
    ),
    mistakes="""
    over-tokens: mean and variance run down the columns, over the tokens -> Then a token's numbers depend on which
        others stand in the sentence. -> Each row is normalised by itself: the last axis.
    over-first: mean and variance run down the columns, over the tokens: axis 0 is the first -> Then a token's numbers
        depend on which others stand in the sentence. -> Each row is normalised by itself: the last axis.
    over-everything: there is one mean and one variance for all tokens together -> Then a token's numbers depend on
        which others stand in the sentence. -> Each row is normalised by itself: give `mean` and `var` an axis, and keep
        it.
    over-last-two: there is one mean and one variance for each sentence -> Then a token's numbers depend on which others
        stand with it. -> Each row is normalised by itself: the last axis alone.
    axis-1: the axis is counted from the front: axis 1 -> In a batch, axis 1 is the tokens. -> Count from the end: -1.
    truncated: of whole numbers your result has lost what follows the point -> An array that is made like X
        (`np.zeros_like(X)`, `X.copy()`) holds whole numbers if X does, and cuts off the rest. -> `np.zeros(X.shape)`
        holds floats.
    sample-variance: your variance divides by d - 1 -> That is for a sample; the model was trained with the mean of the
        squares, over all d. -> No `ddof`: the plain mean of the squared differences.
    epsilon-outside: epsilon is added after the root -> Where the variance is small, that is something else: the root of
        a sum is not the sum of roots. -> Add epsilon to the variance, then take the root.
    epsilon-ignored: the epsilon that is given plays no part -> It has a default, but it may be another: PyTorch's is
        1e-5, BERT's 1e-12. -> Add the argument `epsilon` to the variance.
    fixed-epsilon=: epsilon is always the same, whatever is given -> PyTorch has 1e-5; this model was trained with
        1e-12, which is the default here, and another may come. -> Add the argument `epsilon` to the variance.
    floor: epsilon is the least that the variance may be -> Then it has no effect where the variance is larger. -> Add
        it to the variance, whatever that is.
    epsilon-squared: epsilon is squared under the root -> The formula adds it as it is. -> The variance plus epsilon,
        then the root.
    other-default=: epsilon is another where none is given -> PyTorch has 1e-5; this model was trained with 1e-12. ->
        Write the default as the task has it.
    loop-over-first: your loop takes each part of X for a row -> In a batch, the parts are sentences, and a sentence
        gets one mean for all its tokens. -> No loop is needed: `mean(axis=-1, keepdims=True)` looks at the last axis,
        however many are before it.
    by-range: you divide by the largest less the smallest -> Then two numbers of the row decide how long it becomes. ->
        Divide by the root of variance plus epsilon.
    from-the-smallest: the smallest number of the row becomes 0 and the largest 1 -> That is another way to bring
        numbers to one scale; two of them decide. -> Subtract the mean, divide by the root of variance plus epsilon.
    no-epsilon: there is no epsilon -> A row of equal numbers has the variance 0, and 0/0 is NaN. -> Add epsilon to the
        variance before the root.
    no-weight: `weight` is left out -> It stretches each column by what was learned. -> Multiply by it at the end.
    no-bias: `bias` is left out -> It shifts each column by what was learned. -> Add it at the very end.
    no-weight-no-bias: `weight` and `bias` are left out -> After the row has been normalised, each column is stretched
        and shifted by what was learned. -> Multiply, then add.
    epsilon-multiplied: epsilon is not under the root, but multiplied by the weight and added to the row -> Python
        divides and multiplies before it adds. -> Parentheses around what the row is divided by.
    weight-by-row: each row has a weight and a bias of its own: number i of `weight` belongs to row i -> `weight` and
        `bias` have a number for each *column*, the same for all tokens. -> Multiply and add whole vectors: no `[i]`.
    bias-stretched: the bias is added before the weight multiplies -> Then the bias is stretched, too. -> First multiply
        by the weight, then add the bias.
    bias-in-the-fraction: the bias is added before the row is divided by its root -> Then it is divided and stretched as
        well. -> First divide, then multiply by the weight, and add the bias at the very end.
    normed-twice: the row is normalised, stretched and shifted twice -> The second time takes most of the first weight
        and bias away, and puts them on again. -> Once.
    averaged-before-squared: you average the differences before you square them -> Differences from the mean always add
        up to 0, so that nothing but epsilon is left under the root, and the results are huge. -> Square first, then
        take the mean.
    bias-multiplied: the row is multiplied by the sum of weight and bias -> The weight stretches, the bias shifts. ->
        First multiply by the weight, then add the bias.
    both-first: weight and bias come before the row is normalised -> Then the norm takes most of both away again. ->
        Normalise first.
    length-only: you divide the row by its length, as a cosine does, and take no mean off -> Here a row gets the mean 0
        and the variance 1. -> First take the mean off; then divide by the root of the variance.
    root-of-epsilon-outside: the root of epsilon is added to the deviation -> The root of a sum is not the sum of roots.
        -> Add epsilon to the variance, then take the root.
    weight-first: the weight multiplies before the row is normalised -> Then the norm takes most of it away again. ->
        Normalise first.
    weight-and-bias-exchanged: `weight` and `bias` have changed places -> Both have d numbers, so nothing complains. ->
        The weight multiplies, the bias is added.
    times-root: you multiply by the root of the variance -> Then wide rows become wider still. -> Divide.
    root-of-deviation: you take the root of the standard deviation -> `std` is the root of the variance already. -> The
        root of `var`, or `std` as it is.
    by-variance: you divide by the variance, not by its root -> A row twice as wide has four times the variance, so that
        its result would depend on its length. -> Take the root.
    by-squared-variance: you square the variance where its root belongs -> A square stands for `** 2`, a root for
        `** 0.5`. -> `np.sqrt`, or `** 0.5`.
    no-mean: the mean is not subtracted -> Then the row keeps its middle. There is a norm like that, RMSNorm, but this
        is another. -> Subtract the mean of each row first.
    stretched-only: the mean is not subtracted, though the variance is right -> Then the row keeps its middle. ->
        Subtract the mean of each row first.
    mean-divided-and-stretched: root and weight fall on the mean alone, not on the difference -> Python divides and
        multiplies before it subtracts. -> Parentheses around the difference.
    mean-divided: the root divides the mean alone, not the difference -> Python divides before it subtracts. ->
        Parentheses around the difference.
    mean-only: you subtract the mean, and do not divide -> Then long rows stay long. -> Divide by the root of variance
        plus epsilon.
    squares-uncentred: you divide by the root of the mean square of the row as it came -> The variance is the mean
        square of the differences from the mean. -> Subtract the mean before you square.
    divided-by-rows: the sum of the squares is divided by the number of rows -> `len(X)` counts the first axis: tokens,
        or sentences. A variance is the mean of the squares along a row. -> `.mean(axis=-1, keepdims=True)`, or divide
        by `X.shape[-1]`.
    unit-length: each row gets the length 1 -> Its *variance* is to be 1, and so the mean of its squares, not their sum.
        -> Divide by the root of the mean square, not of the sum.
    absolute-deviation: you divide by the mean distance from the mean -> The variance is the mean of the squares. ->
        Square the differences, average, and take the root.
    no-keepdims: means and variances of the rows lie flat, and meet the columns -> `mean(axis=-1)` has one axis less:
        its numbers are spread along the columns, or do not fit at all. -> Keep the axis: `keepdims=True`.
    """,
)
def layer_norm(X, weight, bias, epsilon=1e-12, wrong=frozenset()):
    """LayerNorm, with the mistakes that people make as switches."""
    if "truncated" in wrong and np.asarray(X).dtype.kind in "iu":
        return np.trunc(layer_norm.model(np.asarray(X, dtype=float), weight, bias, epsilon))
    given = np.asarray(X)
    X, weight, bias = (np.asarray(a, dtype=float) for a in (X, weight, bias))
    if "normed-twice" in wrong:
        X = layer_norm.model(X, weight, bias, epsilon)
    if "weight-and-bias-exchanged" in wrong:
        weight, bias = bias, weight
    if "both-first" in wrong:
        X, weight, bias = X * weight + bias, 1.0, 0.0
    if "length-only" in wrong:
        return X / np.linalg.norm(X, axis=-1, keepdims=True) * weight + bias
    if "weight-first" in wrong:
        X, weight = X * weight, 1.0
    axes = {"over-tokens": -2, "over-first": 0, "over-everything": None, "over-last-two": (-2, -1), "axis-1": 1}
    axis = slip(wrong, axes, -1)
    if wrong & {"loop-over-first", "weight-by-row"}:
        axis = tuple(range(1, X.ndim))
    if "weight-by-row" in wrong:
        weight, bias = (one[: len(X)].reshape(-1, *[1] * len(axis)) for one in (weight, bias))
    if epsilon == 1e-12:
        epsilon = number(wrong, "other-default", 1e-5) or epsilon
    keep = "no-keepdims" not in wrong
    mean = X.mean(axis=axis, keepdims=keep)
    centred = X if wrong & {"no-mean", "stretched-only"} else X - mean
    variance = X.var(axis=axis, keepdims=keep, ddof=int("sample-variance" in wrong))
    if wrong & {"no-mean", "squares-uncentred"}:
        variance = (X**2).mean(axis=axis, keepdims=keep)
    if "averaged-before-squared" in wrong:
        variance = (given - given.mean(axis=-1, keepdims=True)).mean(axis=-1, keepdims=True) ** 2  # as given rounds
    if "divided-by-rows" in wrong:
        variance = variance * X.shape[-1] / len(X)
    if "unit-length" in wrong:
        variance = variance * X.shape[-1]
    if "epsilon-ignored" in wrong:
        epsilon = 1e-12
    epsilon = number(wrong, "fixed-epsilon", 1e-5) or epsilon
    root = np.sqrt(variance + epsilon)
    roots = {
        "epsilon-outside": lambda: np.sqrt(variance) + epsilon,
        "root-of-epsilon-outside": lambda: np.sqrt(variance) + np.sqrt(epsilon),
        "epsilon-squared": lambda: np.sqrt(variance + epsilon**2),
        "floor": lambda: np.sqrt(np.maximum(variance, epsilon)),
        "no-epsilon": lambda: np.sqrt(variance),
        "times-root": lambda: 1 / root,
        "root-of-deviation": lambda: np.sqrt(np.sqrt(variance) + epsilon),
        "by-variance": lambda: variance + epsilon,
        "by-squared-variance": lambda: (variance + epsilon) ** 2,
        "mean-only": lambda: 1.0,
        "absolute-deviation": lambda: np.abs(X - mean).mean(axis=-1, keepdims=True) + epsilon,
    }
    smallest, largest = X.min(axis=-1, keepdims=True), X.max(axis=-1, keepdims=True)
    if wrong & {"by-range", "from-the-smallest"}:
        centred = X - (mean if "by-range" in wrong else smallest)
        root = largest - smallest + epsilon
    if "epsilon-multiplied" in wrong:
        return centred / np.sqrt(variance) + epsilon * weight + bias
    normal = X - mean / root if "mean-divided" in wrong else centred / slip(wrong, roots, lambda: root)()
    if "mean-divided-and-stretched" in wrong:
        return X - mean / root * weight + bias
    if "bias-in-the-fraction" in wrong:
        return (centred + bias) / root * weight
    if "bias-stretched" in wrong:
        return (normal + bias) * weight
    if "bias-multiplied" in wrong:
        return normal * (weight + bias)
    if wrong & {"no-weight", "no-weight-no-bias"}:
        weight = 1.0
    if wrong & {"no-bias", "no-weight-no-bias"}:
        bias = 0.0
    return normal * weight + bias
