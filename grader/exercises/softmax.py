"""Part 1, notebook 3: from scores to weights."""

import numpy as np

from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Property, SearchExercise
from grader.exercises.inputs import matrix, tenths

# ---------------------------------------------------------------- softmax


def softmax_model(x, wrong=frozenset()):
    """Softmax over the last axis, with the mistakes that people make as switches."""
    x = np.asarray(x, dtype=float)
    axis = 0 if "columns" in wrong else (None if "whole-matrix" in wrong else -1)
    top = x.max(axis=axis, keepdims=True)
    if "global-maximum" in wrong:
        top = x.max()
    if "other-shift" in wrong:
        top = x.mean(axis=axis, keepdims=True)
    if "no-maximum" in wrong:
        top = 0.0
    if "maximum-no-keepdims" in wrong:
        top = x.max(axis=-1)
    if "shifted-scores" in wrong:
        return x - top
    powers = np.exp(x - top)
    if "base-two" in wrong:
        powers = np.exp2(x - top)
    if "ratio" in wrong:
        powers = x
    total = powers.sum(axis=axis, keepdims=True)
    if "raw-denominator" in wrong:
        total = np.exp(x).sum(axis=axis, keepdims=True)
    if "no-keepdims" in wrong:
        total = powers.sum(axis=-1)
    if "not-normalised" in wrong:
        total = 1.0
    if "log" in wrong:
        return x - top - np.log(total)
    return powers / total


SOFTMAX_MISTAKES = (
    Misconception(
        "columns",
        "you normalised down the columns (axis 0)",
        "Each row belongs to one query, and its weights must sum to 1. Down a column, the weights of different queries "
        "are mixed.",
        "Take the maximum and the sum along the last axis: `axis=-1`, with `keepdims=True`.",
    ),
    Misconception(
        "no-maximum",
        "you do not subtract the maximum",
        "exp(1000) is too large for a float and becomes infinity; exp(-1000) becomes 0. Then infinity / infinity or "
        "0/0 gives NaN.",
        "Subtract each row's maximum before `np.exp`. It cancels in the quotient, so the weights stay the same.",
    ),
    Misconception(
        "no-keepdims",
        "the sum has lost an axis",
        "A sum of shape (n,) is spread over the columns, not the rows. On a square matrix nothing complains, and each "
        "column is divided by another row's sum.",
        "Use `keepdims=True` in the sum, so that it has shape (n, 1).",
    ),
    Misconception(
        "maximum-no-keepdims",
        "the maximum has lost an axis",
        "A maximum of shape (n,) does not fit to the rows of (n, m). On a square matrix nothing complains, and each "
        "column is shifted by another row's maximum.",
        "Use `keepdims=True` in the maximum, so that it has shape (n, 1).",
    ),
    Misconception(
        "global-maximum",
        "you subtracted one maximum of the whole matrix",
        "A row that lies far below the largest entry underflows: all its powers become 0, and 0/0 is NaN.",
        "Subtract from each row its own maximum: `x.max(axis=-1, keepdims=True)`.",
    ),
    Misconception(
        "other-shift",
        "you subtract something else than each row's maximum (its mean or its minimum, say)",
        "If one score lies far above the rest, its power still overflows: infinity / infinity is NaN.",
        "Subtract the largest score of the row. Then no power is larger than 1.",
    ),
    Misconception(
        "raw-denominator",
        "the maximum is subtracted above the line, but not below it",
        "The shift cancels only if numerator and denominator both have it; now the rows do not sum to 1.",
        "Compute the shifted powers once, and divide them by their own sum.",
    ),
    Misconception(
        "ratio",
        "you divide the scores by their sum, without the exponential",
        "Scores can be negative or sum to zero; then the weights are negative or infinite.",
        "Exponentiate first: every power is positive, so every weight is.",
    ),
    Misconception(
        "not-normalised",
        "you exponentiate but do not divide by the sum",
        "Without the division, the rows are positive but do not sum to 1: they are no weights yet.",
        "Divide each row by its sum.",
    ),
    Misconception(
        "shifted-scores",
        "you return the scores minus their maximum, without the exponential",
        "Those are still scores: zero or negative, and their rows do not sum to 1.",
        "That was the first step. The exponential, the sum and the quotient are still to come.",
    ),
    Misconception(
        "whole-matrix",
        "you normalised over the whole matrix at once",
        "All weights together sum to 1, so one query's weights depend on what the other queries asked.",
        "Give `max` and `sum` an axis: each row is a softmax of its own.",
    ),
    Misconception(
        "base-two",
        "you raise 2 to the scores, instead of e",
        "The rows sum to 1, but the weights are flatter: it is a softmax at a higher temperature.",
        "Use `np.exp`.",
    ),
    Misconception(
        "log",
        "you return the logarithm of the weights",
        "A log-softmax is useful in a loss function; as weights it is negative, and its rows do not sum to 1.",
        "Return the quotient itself.",
    ),
)


def rounding_shows(rng):
    """Scores whose weights add up to something else than 1 when rounded to two decimals, but not to three."""
    while True:
        x = matrix(rng, 7, 5, scale=3.0)
        off = [np.abs(softmax_model(x).round(decimals).sum(axis=-1) - 1).max() for decimals in (2, 3)]
        if off[0] > 0.005 and off[1] < 0.0005:
            return x


def rows_sum_to_one(call, rng):
    weights = call(rounding_shows(rng))
    worst = np.abs(weights.sum(axis=-1) - 1).max()
    return None if worst < 1e-3 else f"a row sums to {weights.sum(axis=-1).ravel()[0]:.4g}"


def shift_changes_nothing(call, rng):
    x = matrix(rng, 3, 5, scale=2.0)
    shift = float(rng.uniform(2, 4))
    difference = np.abs(call(x + shift) - call(x)).max()
    return None if difference < 1e-3 else f"adding {shift:.2f} to every score moves a weight by {difference:.3g}"


def stable_when_large(call, rng):
    x = matrix(rng, 3, 5) + 1000.0
    weights = call(x)
    if not np.isfinite(weights).all():
        return "scores near 1000 give NaN or infinity"
    return None if np.allclose(weights, softmax_model(x), atol=1e-3) else "scores near 1000 give wrong weights"


def wide_rows(rng):
    """Scores whose largest and smallest lie 2000 apart within each row, neither of them first or last."""
    x = matrix(rng, 3, 5)
    for row in x:
        row[rng.permutation(3)[:2] + 1] += [1000.0, -1000.0]
    return x


softmax = FunctionExercise(
    id="softmax",
    points=4,
    task="write `softmax(x)`",
    model=softmax_model,
    returns="weights",
    cases=(
        Case("a small matrix, 2 x 3", lambda rng: {"x": tenths(rng, 2, 3)}, 0.2),
        Case("a larger matrix, 7 x 5", lambda rng: {"x": matrix(rng, 7, 5, scale=2.0)}, 0.1),
        Case("a square matrix, 5 x 5", lambda rng: {"x": matrix(rng, 5, 5, scale=2.0)}, 0.1),
        Case("whole numbers", lambda rng: {"x": rng.integers(-4, 5, size=(3, 5))}, 0.05),
        Case(
            "rows that lie far apart",
            lambda rng: {"x": matrix(rng, 3, 5) + np.array([[0.0], [-900.0], [-1800.0]])},
            0.1,
        ),
        Case("scores that lie far apart within a row", lambda rng: {"x": wide_rows(rng)}, 0.1),
    ),
    properties=(
        Property("each row sums to 1", rows_sum_to_one, 0.05),
        Property("adding a number to all scores changes nothing", shift_changes_nothing, 0.05),
        Property("stable for large scores", stable_when_large, 0.15),
    ),
    misconceptions=SOFTMAX_MISTAKES,
)


# ---------------------------------------------------------------- the prediction

predict_softmax = ChoiceExercise(
    id="predict-softmax",
    points=1,
    task="type the letter of your prediction",
    right="c",
    because={
        "a": "the size of a score tempts, but each power is divided by the sum of all powers of its row. "
        "What does that division do to something that all powers have in common?",
        "b": "ratios of scores tempt, but softmax never divides one score by another: it divides powers. "
        "What is e to the 11 divided by e to the 10?",
        "c": "e to the 11 is e times e to the 10, as e to the 1 is e times e to the 0. "
        "Softmax sees only the difference between scores, and it is 1 in both rows.",
        "d": "the keys have done their part when the scores are there. Softmax sees nothing but the scores.",
    },
)


# ---------------------------------------------------------------- temperature


def temperature_model(x, temperature, wrong=frozenset()):
    """Softmax at a temperature, with mistakes as switches."""
    x = np.asarray(x, dtype=float)
    if temperature <= 0 and "no-error" not in wrong:
        if "returns-none-for-error" in wrong:
            return None
        raise ValueError("temperature must be positive")
    if "unstable" in wrong:
        return softmax_model(x / temperature, wrong={"no-maximum"})
    if "multiplied" in wrong:
        return softmax_model(x * temperature)
    if "ignored" in wrong:
        return softmax_model(x)
    if "after" in wrong:
        return softmax_model(x) / temperature
    if "columns" in wrong:
        return softmax_model(x / temperature, wrong={"columns"})
    if "square-root" in wrong:
        return softmax_model(x / np.sqrt(temperature))
    return softmax_model(x / temperature)


def refuses(temperature):
    """A test that a temperature raises a ValueError."""

    def test(call, rng):
        outcome = call.outcome(matrix(rng, 2, 3), temperature)
        if outcome.error == "ValueError":
            return None
        if outcome.error == "NotPlain":
            happened = f"it returned {outcome.message}"
        else:
            happened = f"it raised {outcome.error}" if outcome.error else "it returned a result"
        return f"a temperature of {temperature:g} should raise a ValueError, but {happened}"

    return test


softmax_with_temperature = FunctionExercise(
    id="softmax_with_temperature",
    points=2,
    task="write `softmax_with_temperature(x, temperature)`",
    model=temperature_model,
    returns="weights",
    cases=(
        Case("a small matrix, 2 x 3, at temperature 2", lambda rng: {"x": tenths(rng, 2, 3), "temperature": 2.0}, 0.25),
        Case(
            "a larger matrix, 7 x 5, cold",
            lambda rng: {"x": matrix(rng, 7, 5), "temperature": float(rng.uniform(0.2, 0.7))},
            0.2,
        ),
        Case(
            "a square matrix, hot",
            lambda rng: {"x": matrix(rng, 5, 5, scale=3.0), "temperature": float(rng.uniform(3, 9))},
            0.1,
        ),
        Case("so cold that the powers are huge", lambda rng: {"x": 20 + matrix(rng, 3, 5), "temperature": 0.01}, 0.05),
    ),
    properties=(
        Property("a temperature of zero is refused", refuses(0.0), 0.15),
        Property("a negative temperature is refused", refuses(-1.0), 0.15),
    ),
    misconceptions=(
        Misconception(
            "multiplied",
            "you multiply by the temperature instead of dividing by it",
            "Hot and cold change places: a high temperature then makes the best key take all.",
            "Divide the scores by the temperature.",
        ),
        Misconception(
            "unstable",
            "your softmax does not subtract each row's maximum",
            "At a low temperature even small scores become large, and the powers overflow.",
            "Mend `softmax` first: its own check tells more.",
        ),
        Misconception(
            "ignored",
            "the temperature has no effect",
            "The weights are those of temperature 1, whatever is asked for: the temperature is not used, or only added "
            "or subtracted, and a shift cancels.",
            "Divide the scores by the temperature before the softmax.",
        ),
        Misconception(
            "after",
            "you divide the weights by the temperature, after the softmax",
            "Then the rows no longer sum to 1, and their shape has not changed at all.",
            "Divide the scores, before the softmax.",
        ),
        Misconception(
            "no-error",
            "a temperature that is not positive is let through",
            "Zero divides by zero, and a negative temperature prefers the worst key, without a word.",
            "Start with an `if` that raises a `ValueError`.",
        ),
        Misconception(
            "returns-none-for-error",
            "you return (or print) something for a temperature that is not positive, instead of raising an error",
            "A None travels on and fails later, far from its cause.",
            "Use `raise ValueError(...)` with a sentence that says what is wrong.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns (axis 0)",
            "Each row belongs to one query, and its weights must sum to 1.",
            "Use your `softmax` of the exercise before: it works row by row.",
        ),
        Misconception(
            "square-root",
            "you divide by the square root of the temperature",
            "A square root belongs to the dimension of the keys, in a later notebook; here the temperature itself "
            "divides.",
            "Divide the scores by the temperature itself.",
        ),
    ),
)


# ---------------------------------------------------------------- entropy


def entropy_model(p, wrong=frozenset()):
    """Entropy of each row, with mistakes as switches."""
    p = np.asarray(p, dtype=float)
    logs = np.log(p) if "log-of-zero" in wrong else np.log(np.where(p > 0, p, 1.0))
    if "base-two" in wrong:
        logs = logs / np.log(2.0)
    if "base-ten" in wrong:
        logs = logs / np.log(10.0)
    if "no-weight" in wrong:
        return -logs.sum(axis=-1)
    sign = 1.0 if "sign" in wrong else -1.0
    terms = sign * p * logs
    if "columns" in wrong:
        return terms.sum(axis=0)
    if "whole-matrix" in wrong:
        return terms.sum()
    if "mean" in wrong:
        return terms.mean(axis=-1)
    if "keepdims" in wrong:
        return terms.sum(axis=-1, keepdims=True)
    if "effective-number" in wrong:
        return np.exp(terms.sum(axis=-1))
    if "relative" in wrong:
        return terms.sum(axis=-1) / np.log(p.shape[-1])
    return terms.sum(axis=-1)


def rows_of_probabilities(rng, n, m, zeros=0):
    """Rows that sum to 1, of which the first `zeros` have a zero each; all else is far from zero."""
    p = 0.02 + (1 - 0.02 * m) * rng.dirichlet(np.ones(m), size=n)
    for i in range(zeros):
        p[i, rng.integers(m)] = 0.0
    return p / p.sum(axis=-1, keepdims=True)


def thousandths(rng, n, m):
    """Rows of weights with three decimals that sum to 1."""
    p = rows_of_probabilities(rng, n, m).round(3)
    p[np.arange(n), p.argmax(axis=-1)] += 1 - p.sum(axis=-1)
    return p.round(3)


def decided_is_zero(call, rng):
    value = call(np.eye(5)[[int(rng.integers(5)), int(rng.integers(5))]])
    if not np.isfinite(value).all():
        return "a row with all weight on one key gives NaN"
    return None if np.abs(value).max() < 1e-6 else f"a row with all weight on one key gives {value[0]:.4g}, not 0"


def undecided_is_log_m(call, rng):
    m = int(rng.choice([3, 5, 7, 11]))
    value = call(np.full((2, m), 1.0 / m))
    return None if np.allclose(value, np.log(m), atol=1e-4) else f"{m} equal weights give {value[0]:.4f}, not ln {m}"


entropy = FunctionExercise(
    id="entropy",
    points=3,
    task="write `entropy(p)`",
    model=entropy_model,
    returns="entropies",
    cases=(
        Case("two rows of three weights", lambda rng: {"p": thousandths(rng, 2, 3)}, 0.25),
        Case("seven rows of five weights", lambda rng: {"p": rows_of_probabilities(rng, 7, 5)}, 0.15),
        Case("a square matrix", lambda rng: {"p": rows_of_probabilities(rng, 5, 5)}, 0.1),
        Case("rows with zeros in them", lambda rng: {"p": rows_of_probabilities(rng, 5, 7, zeros=3)}, 0.15),
    ),
    properties=(
        Property("all weight on one key gives 0", decided_is_zero, 0.15),
        Property("equal weights on m keys give ln m", undecided_is_log_m, 0.1),
    ),
    misconceptions=(
        Misconception(
            "log-of-zero",
            "you take the logarithm of zero weights",
            "log 0 is minus infinity, and 0 times that is NaN. In the limit, a zero weight adds nothing.",
            "Put a harmless number in place of the zeros before the logarithm: what is log 1?",
        ),
        Misconception(
            "base-two",
            "you used the logarithm to base 2",
            "That gives the entropy in bits; nats are asked for, as in all formulas of this course.",
            "Use `np.log`, the natural logarithm.",
        ),
        Misconception(
            "sign",
            "the sign is missing",
            "Logarithms of weights are negative, so the sum is, too. Entropy is never negative.",
            "Put a minus in front of the sum.",
        ),
        Misconception(
            "no-weight",
            "you add up the logarithms without weighting them",
            "Each logarithm counts as often as its key is used: it is an average, weighted by p itself.",
            "Multiply each logarithm by its weight before you add up.",
        ),
        Misconception(
            "columns",
            "you added up down the columns (axis 0)",
            "A distribution is a row: one number for each row is asked for.",
            "Sum over the last axis.",
        ),
        Misconception(
            "whole-matrix",
            "you added up the whole matrix",
            "The rows are different distributions; each has its own entropy.",
            "Sum over the last axis, so that one number a row is left.",
        ),
        Misconception(
            "base-ten",
            "you used the logarithm to base 10",
            "Nats are asked for: the natural logarithm.",
            "Use `np.log`, the natural logarithm.",
        ),
        Misconception(
            "keepdims",
            "you kept the summed axis",
            "One number a row is asked for, shape (n,); yours is a column, (n, 1).",
            "Leave out `keepdims` in the last sum.",
        ),
        Misconception(
            "effective-number",
            "you return e to the entropy",
            "That is the number of keys in use. It is worth knowing, but the entropy itself is asked for.",
            "Leave out the last exponential.",
        ),
        Misconception(
            "relative",
            "you divide by the largest possible entropy",
            "That gives a share between 0 and 1. The entropy itself, in nats, is asked for.",
            "Leave out the division by the logarithm of m.",
        ),
        Misconception(
            "mean",
            "you took the mean of the terms instead of their sum",
            "The weights already make an average; dividing by m once more makes it too small.",
            "Use the sum.",
        ),
    ),
)


# ---------------------------------------------------------------- the ratio

RATIO_KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def read_query(value):
    """The learner's query as an array of shape (2,); raises ValueError in words."""
    query = np.asarray(value, dtype=float)
    if query.shape != (2,):
        raise ValueError(f"expected two numbers, such as [1.0, 1.0]; got shape {query.shape}")
    if not np.isfinite(query).all():
        raise ValueError("both numbers must be finite")
    if np.abs(query).max() > 1e6:
        raise ValueError("keep the numbers below a million")
    return query


def sum_is_zero(query):
    total = (RATIO_KEYS @ query).sum()
    size = np.abs(RATIO_KEYS @ query).max()
    return (
        None
        if abs(total) <= 1e-9 * max(size, 1e-300)
        else f"the scores are {RATIO_KEYS @ query}, their sum is {total:g}"
    )


def not_all_zero(query):
    return None if np.abs(query).max() > 0 else "all scores are zero: this query asks nothing"


breaking_query = SearchExercise(
    id="breaking-query",
    points=2,
    task="find a query whose scores sum to zero but are not all zero",
    reads=read_query,
    tests=(
        ("the query is not zero", not_all_zero, 0.0),
        ("the scores sum to zero", sum_is_zero, 1.0),
    ),
    misconceptions=(
        (
            Misconception(
                "zero-query",
                "you chose the zero vector",
                "Its scores are all zero, so every recipe fails: it does not tell the ratio from softmax.",
                "Look for two numbers that are not zero, but balance each other.",
            ),
            lambda query: not query.any(),
        ),
        (
            Misconception(
                "one-score",
                "you made one score zero instead of their sum",
                "The ratio divides by the sum of all three scores; a single zero does no harm.",
                "Add the three scores, and make that sum zero.",
            ),
            lambda query: bool(np.isclose(RATIO_KEYS @ query, 0).any()),
        ),
    ),
)


def read_memory_model(query, keys, values, wrong=frozenset()):
    """A memory read by softmax, with mistakes as switches."""
    query, keys, values = (np.asarray(array, dtype=float) for array in (query, keys, values))
    scores = keys @ query
    if "cosine" in wrong:
        scores = scores / (np.linalg.norm(keys, axis=-1) * np.linalg.norm(query))
    if "distance" in wrong:
        scores = -((keys - query) ** 2).sum(axis=-1)
    if "scaled" in wrong:
        scores = scores / np.sqrt(keys.shape[-1])
    if "ratio" in wrong:
        return float(scores @ values / scores.sum())
    if "absolute-ratio" in wrong:
        return float(np.abs(scores) @ values / np.abs(scores).sum())
    if "clipped-ratio" in wrong:
        clipped = np.maximum(scores, 0)
        return float(clipped @ values / clipped.sum())
    weights = softmax_model(scores[None, :], wrong={"no-maximum"} if "unstable" in wrong else frozenset())[0]
    if "returns-weights" in wrong:
        return weights
    if "mean-of-products" in wrong:
        return float((weights * values).mean())
    if "column-softmax" in wrong:
        return float(values.sum())
    if "best-only" in wrong:
        return float(values[scores.argmax()])
    if "uniform" in wrong:
        return float(values.mean())
    if "not-summed" in wrong:
        return weights * values
    return float(weights @ values)


def memory(rng, n, d):
    """A query, keys and values whose scores have both signs, each more than once where there are enough.

    No two scores are alike, none takes all the weight, and no value is the mean of others.
    """
    while True:
        query, keys = tenths(rng, d, low=-1.2, high=1.2), tenths(rng, n, d, low=-2.0, high=2.0)
        scores = np.sort(keys @ query)
        often = 2 if n > 3 else 1
        if scores[often - 1] < -0.05 and scores[-often] > 0.05 and np.diff(scores).min() > 0.05 and np.ptp(scores) < 8:
            return {"query": query, "keys": keys, "values": rng.permutation(np.arange(1, n + 1)) ** 2 * 10.0}


def long_query(rng):
    """A query so long that its best score is 3000."""
    inputs = memory(rng, 5, 2)
    scores = inputs["keys"] @ inputs["query"]
    inputs["query"] = inputs["query"] * 3000.0 / scores[np.abs(scores).argmax()]
    return inputs


def ratio_leaves(rng):
    """A memory of which a ratio of scores reads less than the smallest value or more than the largest, and of which no
    key takes all the weight."""
    while True:
        inputs = memory(rng, 5, 2)
        inputs["query"] = inputs["query"] * 3
        scores = inputs["keys"] @ inputs["query"]
        values, best_two = inputs["values"], np.sort(scores)[-2:]
        ratio = scores @ values / scores.sum()
        if not values.min() - 5 < ratio < values.max() + 5 and np.diff(best_two)[0] < 5:
            return inputs


def stays_between(call, rng):
    for _ in range(3):
        inputs = ratio_leaves(rng)
        inputs["values"] += 1000.0  # far from zero, and from whatever does not add up to all the weight
        result = float(call(*inputs.values()))
        low, high = inputs["values"].min(), inputs["values"].max()
        if not low - 1e-6 <= result <= high + 1e-6:
            return f"the values lie between {low:g} and {high:g}, but it reads {result:.4g}"
    return None


read_memory = FunctionExercise(
    id="read_memory",
    points=3,
    task="write `read_memory(query, keys, values)`",
    model=read_memory_model,
    returns="number",
    cases=(
        Case("three keys in two dimensions", lambda rng: memory(rng, 3, 2), 0.3),
        Case("seven keys in five dimensions", lambda rng: memory(rng, 7, 5), 0.25),
        Case("as many keys as dimensions", lambda rng: memory(rng, 5, 5), 0.1),
        Case("a very long query", long_query, 0.05),
    ),
    properties=(Property("the result lies between the smallest and the largest value", stays_between, 0.2),),
    misconceptions=(
        Misconception(
            "ratio",
            "you divide the scores by their sum",
            "That is the broken recipe: negative scores give negative weights, and the sum can be zero.",
            "Put the scores through your softmax.",
        ),
        Misconception(
            "unstable",
            "your softmax does not subtract the maximum",
            "A long query makes large scores, and the powers overflow.",
            "Mend `softmax` first: its own check tells more.",
        ),
        Misconception(
            "returns-weights",
            "you return the weights",
            "They are the recipe; the dish is the average of the values.",
            "Multiply each weight with its value, and add up.",
        ),
        Misconception(
            "mean-of-products",
            "you took the mean of the weighted values",
            "The weights sum to 1 already; dividing by n once more makes the answer too small.",
            "Add the products up.",
        ),
        Misconception(
            "column-softmax",
            "every weight is 1",
            "A softmax of n rows with a single score each: every row sums to 1 by itself, so nothing is shared out.",
            "The scores of one query are one row: `scores[np.newaxis, :]`, not `scores[:, np.newaxis]`.",
        ),
        Misconception(
            "cosine",
            "you score by cosine instead of by dot product",
            "The lengths of query and keys are lost, and with them how decided the answer is.",
            "Use `keys @ query`.",
        ),
        Misconception(
            "absolute-ratio",
            "you made the scores positive by taking their absolute value",
            "A key that points away from the query then counts as much as one that points towards it.",
            "Use the exponential: it is positive and keeps the order.",
        ),
        Misconception(
            "clipped-ratio",
            "you cut off negative scores at zero",
            "If all scores are negative, the sum is zero, and the ratio breaks again.",
            "Use softmax: every key keeps a positive weight.",
        ),
        Misconception(
            "best-only",
            "you return the value of the best key only",
            "That is a lookup. A soft memory mixes all values by their weights.",
            "Multiply every weight with its value, and add up.",
        ),
        Misconception(
            "uniform",
            "you return the plain mean of the values",
            "Then it does not matter what the query asks.",
            "Weight the values by the softmax of the scores.",
        ),
        Misconception(
            "not-summed",
            "the weighted values are not added up",
            "The result is one number: what the memory answers.",
            "Add up the products, or use `@`.",
        ),
        Misconception(
            "scaled",
            "you divide the scores by the square root of the dimension",
            "That is for later (Part 3); here the plain dot scores are asked for.",
            "Leave the scores as they are.",
        ),
        Misconception(
            "distance",
            "you score by distance instead of by dot product",
            "A long key can be far away and still have a large dot product.",
            "Use `keys @ query`.",
        ),
    ),
)
