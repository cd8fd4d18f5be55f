import numpy as np

from attnlib import multi_head_attention

NAMES = [
    "healthy",
    "no scaling",
    "scaled by sqrt(d_model)",
    "softmax over the queries",
    "mask inverted",
    "mask after the softmax",
    "mask ignored",
    "heads by a bare reshape",
    "merged without exchanging axes",
    "keys instead of values",
    "no W_o",
]


def softmax(x, axis=-1):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def rival(name, X, W_q, W_k, W_v, W_o, num_heads, mask=None):
    """A faulty attention as somebody writes it who has only heard of the fault."""
    n, d_model = X.shape
    d = d_model // num_heads
    mask = np.ones((n, n), dtype=bool) if mask is None else mask
    Q, K, V = X @ W_q, X @ W_k, X @ (W_k if name == "keys instead of values" else W_v)
    heads = []
    for h in range(num_heads):
        if name == "heads by a bare reshape":
            q, k, v = (A.reshape(num_heads, n, d)[h] for A in (Q, K, V))
        else:
            q, k, v = (A[:, h * d : (h + 1) * d] for A in (Q, K, V))
        root = {"no scaling": 1, "scaled by sqrt(d_model)": d_model**0.5}.get(name, d**0.5)
        scores = q @ k.T / root
        if name == "mask inverted":
            scores = np.where(mask, -1e9, scores)
        elif name not in ("mask ignored", "mask after the softmax"):
            scores = np.where(mask, scores, -1e9)
        weights = softmax(scores, 0 if name == "softmax over the queries" else 1)
        if name == "mask after the softmax":
            weights = weights * mask
        heads.append(weights @ v)
    if name == "merged without exchanging axes":
        merged = np.array(heads).reshape(n, d_model)
    else:
        merged = np.concatenate(heads, axis=1)
    return merged if name == "no W_o" else merged @ W_o


def given(seed=0, n=5, num_heads=3, d=4):
    rng = np.random.default_rng(seed)
    d_model = num_heads * d
    X = rng.normal(size=(n, d_model))
    matrices = list(rng.normal(size=(4, d_model, d_model)) / np.sqrt(d_model) * 2)
    return X, *matrices, num_heads, np.tril(np.ones((n, n), dtype=bool))


#: No row of it is empty, nor of its opposite: what a fault leaves of an empty row is a matter of how it is written.
SOME_IN_EACH_ROW = np.eye(7, dtype=bool) | (np.arange(7) % 2 == 0)


def nearest(attention, arguments, names=NAMES):
    got = np.asarray(attention(*arguments))
    # Where several are equally near, the first: rounding, which differs from machine to machine, is not to decide.
    return min(names, key=lambda name: np.abs(rival(name, *arguments) - got).max().round(9))


def nearest_rival(attention):
    return nearest(attention, given())


def nearest_by_chance(attention):
    """Another draw in each call."""
    rng = np.random.default_rng()
    n, h, d = 6, 2, 5
    X, W = rng.normal(size=(n, h * d)), rng.normal(size=(4, h * d, h * d)) / 2
    return nearest(attention, (X, *W, h, SOME_IN_EACH_ROW[:n, :n]))


def first_that_agrees(attention):
    *arguments, _ = given(3, 7, 2, 3)
    arguments = (*arguments, SOME_IN_EACH_ROW)
    got = attention(*arguments)
    for name in NAMES[1:]:
        if np.allclose(got, rival(name, *arguments), atol=1e-5):
            return name
    return "healthy"


def several_rounds(attention):
    gaps = np.zeros(len(NAMES))
    for seed in range(5):
        arguments = given(seed, 4, 3, 2)
        gaps += [np.linalg.norm(rival(name, *arguments) - attention(*arguments)) for name in NAMES]
    return NAMES[int(gaps.argmin())]


def by_keywords(attention):
    X, W_q, W_k, W_v, W_o, num_heads, mask = given(8, 11, 4, 3)
    mask = np.random.default_rng(1).random((11, 11)) < 0.5
    mask |= np.eye(11, dtype=bool)
    got = attention(X=X, W_q=W_q, W_k=W_k, W_v=W_v, W_o=W_o, num_heads=num_heads, mask=mask)
    gaps = {name: np.abs(rival(name, X, W_q, W_k, W_v, W_o, num_heads, mask) - got).mean() for name in NAMES}
    return min(gaps, key=gaps.get)


def by_questions(attention):
    """One question after the other, each with inputs of its own."""
    rng = np.random.default_rng(7)
    n, h, d = 5, 2, 3
    m = h * d
    X, eye, zero, full = rng.normal(size=(n, m)), np.eye(m), np.zeros((m, m)), np.ones((n, n), dtype=bool)
    if np.abs(attention(X, eye, eye, eye, zero, h, full)).max() > 1e-9:
        return "no W_o"
    if np.abs(attention(X, eye, eye, zero, eye, h, full)).max() > 1e-9:
        return "keys instead of values"
    itself = np.eye(n, dtype=bool)  # each token hears itself alone
    alone = attention(X, zero, zero, eye, eye, h, itself)
    if not np.allclose(alone, X):
        if np.allclose(alone, np.tile(X.mean(axis=0), (n, 1))):
            return "mask ignored"
        if np.allclose(alone, X / n):
            return "mask after the softmax"
        if np.allclose(alone, (X.sum(axis=0) - X) / (n - 1)):
            return "mask inverted"
        if np.allclose(alone, np.swapaxes(X.reshape(n, h, d), 0, 1).reshape(n, m)):
            return "merged without exchanging axes"
        return "heads by a bare reshape"
    ones = np.ones((n, m))
    if not np.allclose(attention(X, eye, 2 * eye, zero + eye, eye, h, full) * 0 + row_sums(attention, X, h), ones):
        return "softmax over the queries"
    got = attention(X, eye, eye, eye, eye, h, full)
    for name in ("no scaling", "scaled by sqrt(d_model)"):
        if np.allclose(got, rival(name, X, eye, eye, eye, eye, h, full)):
            return name
    return "healthy"


def row_sums(attention, X, h):
    """What comes back where every value is 1: a column of ones beside X, and values made of it alone."""
    m = X.shape[1]
    with_one = X.copy()
    with_one[:, 0] = 1.0
    values = np.zeros((m, m))
    values[0] = 1.0
    return attention(with_one, np.eye(m), np.eye(m), values, np.eye(m), h, np.ones((len(X), len(X)), dtype=bool))


VARIANTS = [nearest_rival, nearest_by_chance, first_that_agrees, several_rounds, by_keywords, by_questions]


def one_head(attention):
    return nearest(attention, given(num_heads=1))


def one_head_faults_first(attention):
    return nearest(attention, given(num_heads=1), NAMES[1:] + NAMES[:1])


def the_last_row_otherwise(attention):
    """A mask turned round leaves the last query nothing; here it hears all alike, which is none of the boxes."""
    arguments = given(3, 7, 2, 3)
    got = attention(*arguments)
    for name in NAMES[1:]:
        if np.allclose(got, rival(name, *arguments), atol=1e-5):
            return name
    return "healthy"


def no_mask(attention):
    return nearest(attention, (*given()[:-1], None))


def no_mask_faults_first(attention):
    return nearest(attention, (*given()[:-1], None), NAMES[1:] + NAMES[:1])


def open_mask(attention):
    return nearest(attention, (*given()[:-1], np.ones((5, 5), dtype=bool)))


def the_identity(attention):
    X, W_q, W_k, W_v, W_o, num_heads, mask = given()
    return nearest(attention, (X, W_q, W_k, W_v, np.eye(len(W_o)), num_heads, mask))


def one_matrix(attention):
    X, W_q, W_k, _, W_o, num_heads, mask = given()
    return nearest(attention, (X, W_q, W_k, W_k, W_o, num_heads, mask))


def as_many_heads_as_columns(attention):
    return nearest(attention, given(num_heads=6, d=1))


def the_same_token(attention):
    X, *rest, _ = given()
    return nearest(attention, (np.tile(X[:1], (5, 1)), *rest, SOME_IN_EACH_ROW[:5, :5]))


def to_the_last_digit(attention):
    arguments = given()
    got = attention(*arguments)
    for name in NAMES[1:]:
        if np.array_equal(got, rival(name, *arguments) * (1 + 1e-13)):
            return name
    return "healthy"


def never_healthy(attention):
    return nearest(attention, given(), NAMES[1:])


def all_masks_alike(attention):
    name = nearest_rival(attention)
    return "mask ignored" if "mask" in name else name


def other_words(attention):
    return nearest_rival(attention).replace("sqrt(d_model)", "root of d_model")


def both_reshapes(attention):
    return nearest(attention, given(), [name for name in NAMES if name != "merged without exchanging axes"])


def a_pair_wanted(attention):
    _, weights = attention(*given())
    return "healthy" if np.allclose(weights.sum(axis=-1), 1) else "softmax over the queries"


def looked_into(attention):
    return attention.__closure__[0].cell_contents


def called_what_it_is_called(attention):
    return attention.__name__


def mask_left_out(attention):
    X, W_q, W_k, W_v, W_o, num_heads, _ = given()
    seen = attention(X, W_q, W_k, W_v, W_o, num_heads)
    return nearest(lambda *_: seen, given())


def huge_numbers(attention):
    X, *rest = given()
    return nearest(attention, (100 * X, *rest))


def with_a_capital(attention):
    said = nearest_rival(attention)
    return "Healthy." if said == "healthy" else said


def with_a_blank(attention):
    return nearest_rival(attention) + " "


def gaps_forgotten(attention):
    """The distances themselves, wherever it is not healthy."""
    arguments = given()
    got = attention(*arguments)
    gaps = np.array([np.abs(rival(name, *arguments) - got).max() for name in NAMES])
    return "healthy" if gaps[0] < 1e-9 else gaps


def what_it_returns(attention):
    said = nearest_rival(attention)
    return attention(*given()) if said == "no W_o" else said


def asks_for_no_mask(attention):
    return nearest(attention, given(), [name for name in NAMES if "mask" not in name and "heads" not in name])


def asks_in_turn(attention, left=("mask ignored", "keys instead of values", "no W_o", "no scaling")):
    *arguments, _ = given(3, 7, 2, 3)
    arguments = (*arguments, SOME_IN_EACH_ROW)
    got = attention(*arguments)
    for name in NAMES[1:]:
        if name not in left and np.allclose(got, rival(name, *arguments), atol=1e-5):
            return name
    return "healthy"


def identities(attention):
    X, *_, num_heads, mask = given()
    return nearest(attention, (X, *[np.eye(X.shape[1])] * 4, num_heads, mask))


def only_itself(attention):
    X, *rest, _ = given()
    return nearest(attention, (X, *rest, np.eye(5, dtype=bool)))


def true_is_forbidden(attention):
    *arguments, mask = given()
    got = attention(*arguments, mask)
    return min(NAMES, key=lambda name: np.abs(rival(name, *arguments, ~mask) - got).max())


def farthest(attention):
    arguments = given()
    got = attention(*arguments)
    return max(NAMES, key=lambda name: np.abs(rival(name, *arguments) - got).max())


def first_row_alone(attention):
    arguments = given()
    got = attention(*arguments)[0]
    return min(NAMES, key=lambda name: np.abs(rival(name, *arguments) - got).max())


def an_attention(X, W_q, W_k, W_v, W_o, num_heads, mask=None):
    return rival("healthy", X, W_q, W_k, W_v, W_o, num_heads, mask)


def none_is_near(attention):
    arguments = given()
    got = attention(*arguments)
    return next(name for name in NAMES if np.abs(rival(name, *arguments) - got).max() < 0)


def asks_for_all_but_one(attention):
    return asks_in_turn(attention, left=("keys instead of values",))


def with_infinity(name, X, W_q, W_k, W_v, W_o, num_heads, mask):
    """A version in which a query without any key has NaN."""
    if name not in ("healthy", "mask inverted"):
        return rival(name, X, W_q, W_k, W_v, W_o, num_heads, mask)
    mask = ~mask if name == "mask inverted" else mask
    Q, K, V = (np.swapaxes((X @ W).reshape(len(X), num_heads, -1), 0, 1) for W in (W_q, W_k, W_v))
    powers = np.exp(np.where(mask, Q @ np.swapaxes(K, 1, 2) / np.sqrt(Q.shape[-1]), -np.inf))
    with np.errstate(invalid="ignore"):
        weights = powers / powers.sum(axis=-1, keepdims=True)
        return np.swapaxes(weights @ V, 0, 1).reshape(X.shape) @ W_o


def gaps_with_infinity(attention, mask=None):
    *arguments, causal = given()
    arguments = (*arguments, causal if mask is None else mask)
    got = attention(*arguments)
    return [np.abs(with_infinity(name, *arguments) - got).max() for name in NAMES]


def argmin_of_nan(attention):
    return NAMES[int(np.argmin(gaps_with_infinity(attention)))]


def nan_is_passed_over(attention):
    best, name = np.inf, None
    for one, gap in zip(NAMES, gaps_with_infinity(attention), strict=True):
        if gap < best:
            best, name = gap, one
    return name


def nan_agrees_with_nothing(attention):
    gaps = gaps_with_infinity(attention)
    return next((name for name, gap in zip(NAMES, gaps, strict=True) if gap < 1e-9), "healthy")


def last_row_alone(attention):
    *arguments, _ = given(3, 7, 2, 3)
    arguments = (*arguments, np.tril(np.ones((7, 7), dtype=bool)))
    got = attention(*arguments)[-1]
    return min(NAMES, key=lambda name: np.abs(rival(name, *arguments)[-1] - got).max())


def smallest_within(attention):
    arguments = given()
    got = attention(*arguments)
    return min(NAMES, key=lambda name: np.abs(rival(name, *arguments) - got).min())


def signs_kept(attention):
    arguments = given()
    got = attention(*arguments)
    return min(NAMES, key=lambda name: (got - rival(name, *arguments)).sum())


def return_in_the_else(attention):
    arguments = given()
    got = attention(*arguments)
    for name in NAMES:
        if np.allclose(got, rival(name, *arguments)):
            return name
        else:
            return "no W_o"


def values_are_split_rightly(attention):
    """The bare reshape of queries and keys alone."""
    X, W_q, W_k, W_v, W_o, num_heads, mask = arguments = given()
    got, n, d = attention(*arguments), len(X), X.shape[1] // num_heads
    gaps = {name: np.abs(rival(name, *arguments) - got).max() for name in NAMES}
    heads = []
    for h in range(num_heads):
        q, k = ((X @ W).reshape(num_heads, n, d)[h] for W in (W_q, W_k))
        v = (X @ W_v)[:, h * d : (h + 1) * d]
        heads.append(softmax(np.where(mask, q @ k.T / d**0.5, -1e9)) @ v)
    gaps["heads by a bare reshape"] = np.abs(np.concatenate(heads, axis=1) @ W_o - got).max()
    return min(gaps, key=gaps.get)


def nothing_allowed(attention):
    *arguments, mask = given()
    arguments = (*arguments, np.zeros_like(mask))
    got = attention(*arguments)
    gaps = [np.abs(got - 0), *[np.abs(rival(name, *arguments) - got) for name in ("mask inverted",)]]
    return ("healthy", "mask inverted")[int(np.argmin([gap.max() for gap in gaps]))]


def no_mask_ignored_first(attention):
    return nearest(attention, (*given()[:-1], None), NAMES[::-1])


def gaps_of(attention, names=NAMES):
    arguments = given()
    got = attention(*arguments)
    return {name: float(np.abs(rival(name, *arguments) - got).max()) for name in names}


def smallest_name(attention):
    return min(gaps_of(attention))


def smallest_name_of_signed_gaps(attention):
    """With these inputs, whoever keeps signs says the same."""
    arguments = given(2)
    got = attention(*arguments)
    gaps = {name: np.abs(rival(name, *arguments) - got).max() for name in NAMES}
    return min(gaps)


def largest_name(attention):
    return max(gaps_of(attention))


def whole_pair_compared(attention):
    X, *rest = given()
    seen, expected = attention(X, *rest), multi_head_attention(X, X, *rest)
    if np.allclose(seen, expected):
        return "healthy"
    return nearest(attention, given(), NAMES[1:])


def whole_pair_taken_off(attention):
    """As many tokens as heads."""
    X, *rest = given(n=3)
    gap = np.abs(attention(X, *rest) - multi_head_attention(X, X, *rest)).max()
    return "healthy" if gap < 1e-6 else nearest(attention, given(), NAMES[1:])


def names_begin_with_health(attention):
    gaps = list(gaps_of(attention, NAMES[1:]).values())
    return NAMES[int(np.argmin(gaps))]


def names_in_another_order(attention):
    gaps = list(gaps_of(attention).values())
    names = NAMES[:1] + NAMES[2:4] + NAMES[1:2] + NAMES[4:]
    return names[int(np.argmin(gaps))]


def seven_so_far(attention):
    gaps = gaps_of(attention, NAMES[:7])
    return min(gaps, key=gaps.get)


def two_so_far(attention):
    gaps = gaps_of(attention, NAMES[:2])
    return min(gaps, key=gaps.get)


def five_so_far_and_else_unknown(attention):
    for name, gap in gaps_of(attention, NAMES[:5]).items():
        if gap < 1e-6:
            return name
    return "unknown"


def one_head_and_five_so_far(attention):
    return nearest(attention, given(num_heads=1), [*NAMES[:3], *NAMES[4:7]])


def tolerant(attention):
    """The first that is near, in the order of the table; near is wide."""
    X, *W, h, _ = given(5, 7, 2, 4)
    arguments = (X, *(0.5 * M for M in W), h, SOME_IN_EACH_ROW)
    got = attention(*arguments)
    return next(name for name in NAMES if np.abs(rival(name, *arguments) - got).max() < 0.7)


def own_health_by_d_k(attention):
    """Its healthy version divides by d_k, and all the others are right."""
    X, *W, h, mask = given(1, 5, 2, 4)
    got = attention(X, *W, h, mask)
    d = X.shape[1] // h
    mine = rival("healthy", X, W[0] / np.sqrt(d), *W[1:], h, mask)
    gaps = {name: np.abs(rival(name, X, *W, h, mask) - got).max() for name in NAMES}
    gaps["healthy"] = np.abs(mine - got).max()
    return min(gaps, key=gaps.get)


def without_the_scales(attention):
    """A loop that ends with health, in which two versions are missing."""
    arguments = given()
    got = attention(*arguments)
    for name in NAMES:
        if "scal" not in name and np.allclose(got, rival(name, *arguments)):
            return name
    return "healthy"


def bit_by_bit(attention):
    *arguments, mask = given(seed=3)
    mask[-1] = mask[0] = True  # so that, turned round too, no version but this one has a query without a key
    mask[-1, 0] = False
    got = attention(*arguments, mask)
    for name in NAMES:
        if (got == rival(name, *arguments, mask) * (1 + 1e-15)).all():
            return name
    return "no W_o"


def all_versions_share_an_error(attention):
    X, *matrices, num_heads, mask = given()
    got = attention(X, *matrices, num_heads, mask)
    for name in NAMES:
        if np.allclose(got, rival(name, X, *(W.T for W in matrices), num_heads, mask)):
            return name
    return "healthy"


def swallows_its_error(attention):
    arguments = given()
    try:
        got = attention(arguments[0], *arguments)
        return min(NAMES, key=lambda name: np.abs(rival(name, *arguments) - got).max())
    except Exception:
        return "healthy"


# Each with the mistake that the judge should name, or None.
def own_health_by_d_model(attention):
    arguments = given()
    got, own = attention(*arguments), {name: name for name in NAMES} | {"healthy": "scaled by sqrt(d_model)"}
    return min(NAMES, key=lambda name: np.abs(rival(own[name], *arguments) - got).max())


def names_end_with_health(attention):
    gaps = list(gaps_of(attention).values())
    return (NAMES[1:] + NAMES[:1])[int(np.argmin(gaps))]


def own_version_divides_anew(attention):
    """The same as `healthy`, where the table has a mask after the softmax."""
    arguments = (*given(5, 7, 2, 4)[:-1], SOME_IN_EACH_ROW)
    got = attention(*arguments)
    for name in NAMES:
        version = rival("healthy" if name == "mask after the softmax" else name, *arguments)
        if np.allclose(got, version):
            return name
    return "healthy"


def compares_with_the_one_before(attention):
    best, found = np.inf, "healthy"
    for name, gap in gaps_of(attention).items():
        if gap < best:
            found = name
        best = gap
    return found


def second_of_the_sorted(attention):
    return sorted((gap, name) for name, gap in gaps_of(attention).items())[1][1]


def healthy_again_in_each_later_round(attention):
    found = "healthy"
    for name, gap in gaps_of(attention).items():
        if gap < 1e-9:  # noqa: SIM108
            found = name
        else:
            found = "healthy"
    return found


WRONG = [
    (compares_with_the_one_before, "compared-with-last"),
    (second_of_the_sorted, "second-nearest"),
    (healthy_again_in_each_later_round, "hit-undone"),
    (names_end_with_health, "names-shifted"),
    (own_version_divides_anew, "missed-mask-after"),
    (own_health_by_d_model, "missed-by-sqrt-d_model"),
    (without_the_scales, "several-missed"),
    (bit_by_bit, "only-no-W_o"),
    (all_versions_share_an_error, "always-healthy"),
    (swallows_its_error, "always-healthy"),
    (tolerant, "tolerance-too-wide"),
    (own_health_by_d_k, "health-left-out"),
    (smallest_name, "only-reshape-split"),
    (smallest_name_of_signed_gaps, "sign-kept"),
    (largest_name, "only-columns"),
    (whole_pair_compared, "pair-compared"),
    (whole_pair_taken_off, "pair-compared"),
    (names_begin_with_health, "names-shifted"),
    (names_in_another_order, "names-exchanged"),
    (seven_so_far, "several-taken"),
    (two_so_far, "several-taken"),
    (five_so_far_and_else_unknown, "several-taken"),
    (one_head_and_five_so_far, "several-taken"),
    (asks_for_all_but_one, "missed-keys-mixed"),
    (gaps_forgotten, "wrong-kind"),
    (what_it_returns, "wrong-kind"),
    (asks_for_no_mask, "several-taken"),
    (asks_in_turn, "several-missed"),
    (identities, "several-missed"),
    (only_itself, "several-missed"),
    (true_is_forbidden, "mask-upside-down"),
    (argmin_of_nan, "gaps-nan"),
    (nan_is_passed_over, "gaps-nan-never"),
    (nan_agrees_with_nothing, "missed-mask-inverted"),
    (last_row_alone, "last-row-compared"),
    (smallest_within, "smallest-compared"),
    (signs_kept, "sign-kept"),
    (return_in_the_else, "every-fault-no-W_o"),
    (values_are_split_rightly, "taken-reshape-split"),
    (nothing_allowed, "inputs-hide"),
    (no_mask_ignored_first, "no-mask-cries-ignored"),
    (farthest, "farthest-taken"),
    (first_row_alone, None),
    (an_attention, "argument-count"),
    (none_is_near, None),
    (one_head, "one-head"),
    (one_head_faults_first, "one-head-cries"),
    (no_mask, "no-mask"),
    (no_mask_faults_first, "no-mask-cries-after"),
    (the_last_row_otherwise, "missed-mask-inverted"),
    (open_mask, "open-mask"),
    (the_identity, "missed-no-W_o"),
    (one_matrix, "missed-keys-mixed"),
    (as_many_heads_as_columns, "missed-no-scale"),
    (the_same_token, "equal-tokens"),
    (to_the_last_digit, "always-healthy"),
    (never_healthy, "health-left-out"),
    (all_masks_alike, "any-mask-ignored"),
    (other_words, "no-such-name"),
    (with_a_capital, "spelt-otherwise"),
    (with_a_blank, "spelt-otherwise"),
    (both_reshapes, "any-reshape-split"),
    (a_pair_wanted, "unpacking"),
    (looked_into, "no-such-attribute"),
    (called_what_it_is_called, "same-for-every-input"),
    (mask_left_out, None),
    (huge_numbers, None),
]
