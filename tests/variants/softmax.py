"""Right answers in unusual styles, wrong ones as learners write them, and the numbers in the prose of 3-softmax."""

import math

import numpy as np

import attnlib


def loop(x):
    rows = []
    for row in x:
        top = max(row)
        powers = [math.exp(value - top) for value in row]
        rows.append([power / sum(powers) for power in powers])
    return np.array(rows)


def list_result(x):
    return loop(x).tolist()


def list_of_arrays(x):
    return [np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in x]


def transposes(x):
    powers = np.exp(x.T - x.max(axis=1))
    return (powers / powers.sum(axis=0)).T


def in_single_precision(x):
    x = x.astype(np.float32)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def with_einsum(x, axis=-1, eps=0.0):
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.einsum("ij,i->ij", powers, 1.0 / (np.einsum("ij->i", powers) + eps))


def through_logarithms(x):
    shifted = x - x.max(-1, keepdims=True)
    return np.exp(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))


def along_axis(x):
    return np.apply_along_axis(
        lambda row: np.exp(row - row.max()) / np.exp(row - row.max()).sum(), 1, np.asarray(x, float)
    )


def prints_and_warns(x):
    print("shape", x.shape)
    with np.errstate(all="warn"):
        np.log(np.zeros(1))
    return loop(x)


def subclass(x):
    return np.ma.masked_array(loop(x))


def temperature_loop(x, temperature):
    if not temperature > 0:
        raise ValueError("too cold")
    return loop(x / temperature)


def temperature_beta(x, temperature=1.0, stable=True):
    if temperature <= 0:
        raise ValueError
    beta = 1.0 / temperature
    return through_logarithms(beta * x)


def temperature_power(x, temperature):
    if temperature <= 0.0:
        raise ValueError(temperature)
    shifted = x - x.max(axis=1)[:, None]
    powers = np.exp(shifted) ** (1 / temperature)
    return powers / powers.sum(axis=1)[:, None]


def temperature_list(x, temperature):
    return temperature_loop(x, temperature).tolist()


def temperature_single(x, temperature):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    return in_single_precision(x / temperature)


def temperature_subclassed_error(x, temperature):
    class TooCold(ValueError):
        pass

    if temperature <= 0:
        raise ValueError("too cold") from TooCold()
    return transposes(x / temperature)


def entropy_loop(p):
    result = []
    for row in p:
        total = 0.0
        for share in row:
            if share > 0:
                total -= share * math.log(share)
        result.append(total)
    return result


def entropy_where(p):
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p == 0, 0.0, p * np.log(p))
    return -terms.sum(axis=1)


def entropy_nan_to_num(p):
    with np.errstate(all="ignore"):
        return -np.nansum(p * np.log(p), axis=-1)


def entropy_tiny(p):
    return -np.sum(p * np.log(np.maximum(p, 1e-300)), axis=-1)


def entropy_single(p):
    p = p.astype(np.float32)
    return -(p * np.log(p, out=np.zeros_like(p), where=p > 0)).sum(-1)


def entropy_einsum(p, base=math.e):
    logs = np.log(np.where(p > 0, p, 1)) / math.log(base)
    return -np.einsum("ij,ij->i", p, logs)


def memory_loop(query, keys, values):
    scores = [float(np.dot(query, key)) for key in keys]
    powers = [math.exp(score - max(scores)) for score in scores]
    return sum(power * value for power, value in zip(powers, values, strict=True)) / sum(powers)


def memory_vector(query, keys, values):
    scores = keys @ query
    powers = np.exp(scores - scores.max())
    return powers @ values / powers.sum()


def memory_array(query, keys, values):
    return np.array([memory_vector(query, keys, values)])


def memory_einsum(query, keys, values):
    weights = loop(np.einsum("nd,d->n", keys, query)[None])[0]
    return np.einsum("n,n->", weights, values)


def memory_earlier_functions(query, keys, values):
    scores = attnlib.dot_scores(query[None, :], keys)
    return float((attnlib.softmax(scores) @ values)[0])


def memory_single(query, keys, values):
    return np.float32(memory_vector(query.astype(np.float32), keys.astype(np.float32), values))


VARIANTS = {
    "softmax": [
        loop,
        list_result,
        list_of_arrays,
        transposes,
        in_single_precision,
        with_einsum,
        through_logarithms,
        along_axis,
        prints_and_warns,
        subclass,
    ],
    "softmax_with_temperature": [
        temperature_loop,
        temperature_beta,
        temperature_power,
        temperature_list,
        temperature_single,
        temperature_subclassed_error,
    ],
    "entropy": [entropy_loop, entropy_where, entropy_nan_to_num, entropy_tiny, entropy_single, entropy_einsum],
    "read_memory": [
        memory_loop,
        memory_vector,
        memory_array,
        memory_einsum,
        memory_earlier_functions,
        memory_single,
    ],
    "breaking-query": [[1, -1], (-2.5, 2.5), np.array([0.1, -0.1])],
}


def columns(x):
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)


def forgot_keepdims(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


def naive(x):
    powers = np.exp(x)
    return powers / powers.sum(axis=-1, keepdims=True)


def naive_loop(x):
    return [[math.exp(value) / sum(map(math.exp, row)) for value in row] for row in x]


def one_maximum(x):
    powers = np.exp(x - np.max(x))
    return powers / powers.sum(axis=1, keepdims=True)


def whole(x):
    powers = np.exp(x - np.max(x))
    return powers / powers.sum()


def numerator_only(x):
    return np.exp(x - x.max(axis=1, keepdims=True)) / np.exp(x).sum(axis=1, keepdims=True)


def no_return(x):
    powers = np.exp(x)
    powers / powers.sum(axis=-1, keepdims=True)


def prints(x):
    print(loop(x))


def in_place(x):
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def mean_shift(x):
    powers = np.exp(x - x.mean(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def minimum_shift(x):
    powers = np.exp(x - x.min(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def maximum_without_keepdims(x):
    powers = np.exp(x - x.max(axis=-1))
    return powers / powers.sum(axis=-1, keepdims=True)


def naive_without_keepdims(x):
    powers = np.exp(x)
    return powers / powers.sum(axis=1)


def first_step_only(x):
    return x - x.max(axis=-1, keepdims=True)


def takes_nothing():
    return 1


def example_only(x):
    return np.array([[0.5, 0.5], [0.25, 0.75]])


def keeps_integers(x):
    result = np.zeros_like(x)
    for i, row in enumerate(x):
        result[i] = np.exp(row - row.max()) / np.exp(row - row.max()).sum()
    return result


def rounded(x):
    return loop(x).round(2)


def a_pair(x):
    return loop(x), x


def objects(x):
    return loop(x).astype(object)


def text(x):
    return str(loop(x))


def generator(x):
    return (row for row in loop(x))


def leaves(x):
    raise SystemExit(0)


def first_call_only(x, calls=[]):  # noqa: B006 - the trick that this answer tries
    calls.append(1)
    return loop(x) if len(calls) % 8 == 1 else np.zeros(x.shape)


def multiplies(x, temperature):
    if temperature <= 0:
        raise ValueError
    return loop(x * temperature)


def no_refusal(x, temperature):
    return naive(x / temperature)


def other_error(x, temperature):
    if temperature <= 0:
        raise TypeError
    return loop(x / temperature)


def returns_the_error(x, temperature):
    if temperature <= 0:
        return ValueError("too cold")
    return loop(x / temperature)


def asserts(x, temperature):
    assert temperature > 0
    return loop(x / temperature)


def bits(p):
    return -(p * np.log2(np.where(p > 0, p, 1))).sum(-1)


def no_minus(p):
    return (p * np.log(np.where(p > 0, p, 1))).sum(-1)


def log_of_zero(p):
    return -np.sum(p * np.log(p), axis=-1)


def epsilon(p):
    return -np.sum(p * np.log(p + 1e-3), axis=-1)


def ratio(query, keys, values):
    scores = keys @ query
    return (scores / scores.sum()) @ values


def best(query, keys, values):
    return values[np.argmax(keys @ query)]


WRONG = {
    "softmax": [
        (columns, "columns"),
        (forgot_keepdims, "no-keepdims"),
        (naive, "no-maximum"),
        (naive_loop, "no-maximum"),
        (one_maximum, "global-maximum"),
        (whole, "whole-matrix"),
        (numerator_only, "raw-denominator"),
        (no_return, "returns-none"),
        (prints, "prints-result"),
        (in_place, None),
        (example_only, "same-for-every-input"),
        (keeps_integers, None),
        (rounded, "rounded"),
        (mean_shift, "other-shift"),
        (minimum_shift, "other-shift"),
        (maximum_without_keepdims, "maximum-no-keepdims"),
        (naive_without_keepdims, "no-keepdims"),
        (naive_without_keepdims, "no-maximum"),
        (first_step_only, "shifted-scores"),
        (takes_nothing, None),
        (a_pair, None),
        (objects, None),
        (text, None),
        (generator, None),
        (leaves, None),
        (first_call_only, None),
        (attnlib.softmax, "library-function"),
        (3, None),
    ],
    "softmax_with_temperature": [
        (multiplies, "multiplied"),
        (no_refusal, "no-error"),
        (other_error, None),
        (asserts, None),
        (returns_the_error, None),
    ],
    "entropy": [(bits, "base-two"), (no_minus, "sign"), (log_of_zero, "log-of-zero"), (epsilon, None)],
    "read_memory": [(ratio, "ratio"), (best, "best-only")],
    "breaking-query": [([0, 0], "zero-query"), ([0, 1], "one-score"), ([1, 1], None), ([1e-3, 1e-3], None)],
}


def _published_memory(query):
    keys, values = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([10.0, 20.0, 30.0])
    raw = keys @ np.array(query)
    return raw / raw.sum(), (raw / raw.sum()) @ values, attnlib.softmax(raw[None])[0] @ values


_X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
_SCORES = attnlib.dot_scores(_X, _X)
_POWERS = np.exp(_SCORES[0])


def _table_row(word, i):
    return f"| {word} | {_SCORES[0, i]:.2f} | {_POWERS[i]:.4f} | {_POWERS[i] / _POWERS.sum():.4f} |"


NUMBERS = [
    ("| The | 0.29 | 1.3364 | 0.3155 |", lambda: _table_row("The", 0)),
    ("| cat | 0.21 | 1.2337 | 0.2913 |", lambda: _table_row("cat", 1)),
    ("| sat | 0.51 | 1.6653 | 0.3932 |", lambda: _table_row("sat", 2)),
    ("| sum | | 4.2354 | 1 |", lambda: f"| sum | | {_POWERS.sum():.4f} | 1 |"),
    ("the scores 0.29, 0.21 and 0.51", lambda: "the scores {:.2f}, {:.2f} and {:.2f}".format(*_SCORES[0])),
    ("$1.8 \\cdot 10^{308}$", lambda: f"${np.finfo(float).max / 1e308:.1f} \\cdot 10^{{308}}$"),
    ("passes that already at 710", lambda: f"passes that already at {math.ceil(math.log(np.finfo(float).max))}"),
    ("e ≈ 2.718", lambda: f"e ≈ {math.e:.3f}"),
    ("exactly the same 22.5 as", lambda: f"exactly the same {_published_memory([-1, -1])[1]:.1f} as"),
    (
        '"weights" of 2, −1.5 and 0.5',
        lambda: '"weights" of {:g}, {:g} and {:g}'.format(*_published_memory([2, -1.5])[0]).replace("-", "−"),
    ),
    ("the first query reads 23.642", lambda: f"the first query reads {_published_memory([1, 1])[2]:.3f}"),
    ("→ `23.642`", lambda: f"→ `{_published_memory([1, 1])[2]:.3f}`"),
    (
        "→ `[[0.5, 0.5], [0.25, 0.75]]`",
        lambda: f"→ `{attnlib.softmax(np.array([[0.0, 0.0], [0.0, np.log(3.0)]])).round(4).tolist()}`",
    ),
    (
        "→ `[[0.1, 0.9]]`",
        lambda: f"→ `{attnlib.softmax_with_temperature(np.array([[0.0, np.log(3.0)]]), 0.5).round(4).tolist()}`",
    ),
    (
        "→ `[0.6931, 0.0]`",
        lambda: f"→ `{(attnlib.entropy(np.array([[0.5, 0.5], [1.0, 0.0]])) + 0.0).round(4).tolist()}`",
    ),
]
