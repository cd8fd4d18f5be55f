import numpy as np


def added(a, b, f, g):
    """The sums of two partial results, each brought to other units by its factor."""
    return a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def factors_first(a, b):
    m = np.maximum(a[0], b[0])
    safe = np.where(m == -np.inf, 0, m)
    f, g = np.exp(a[0] - safe), np.exp(b[0] - safe)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def query_by_query(a, b):
    ms, ls, os = [], [], []
    for m_a, l_a, o_a, m_b, l_b, o_b in zip(*a, *b, strict=True):
        if l_a == 0 or l_b == 0:
            m, l, o = (m_b, l_b, o_b) if l_a == 0 else (m_a, l_a, o_a)
        elif m_a > m_b:
            f = np.exp(m_b - m_a)
            m, l, o = m_a, l_a + f * l_b, o_a + f * o_b
        else:
            f = np.exp(m_a - m_b)
            m, l, o = m_b, f * l_a + l_b, f * o_a + o_b
        ms.append(m), ls.append(l), os.append(o)
    return np.array(ms), np.array(ls), np.array(os)


def empty_ones_by_nan_to_num(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    with np.errstate(invalid="ignore"):
        f = np.nan_to_num(np.exp(m_a - m))
        g = np.nan_to_num(np.exp(m_b - m))
    return m, l_a * f + l_b * g, (o_a.T * f + o_b.T * g).T


def stacked_and_summed(a, b):
    m, l, o = (np.stack(pair) for pair in zip(a, b, strict=True))
    top = m.max(axis=0)
    f = np.exp(np.where(np.isinf(m), -np.inf, m - np.where(np.isinf(top), 0, top)))
    return top, (f * l).sum(axis=0), np.einsum("pn,pnv->nv", f, o)


def with_lists(a, b):
    m = [max(x, y) for x, y in zip(a[0].tolist(), b[0].tolist(), strict=True)]
    factors = []
    for part in (a, b):
        factors.append([np.exp(x - t) if x > -np.inf else 0.0 for x, t in zip(part[0].tolist(), m, strict=True)])
    f, g = factors
    l = [x * s + y * t for x, s, y, t in zip(a[1], f, b[1], g, strict=True)]
    o = [[x * s + y * t for x, y in zip(p, q, strict=True)] for p, s, q, t in zip(a[2], f, b[2], g, strict=True)]
    return m, [float(x) for x in l], [[float(x) for x in row] for row in o]


def in_single_precision(a, b):
    a, b = ([np.float32(part) for part in parts] for parts in (a, b))
    return tuple(np.float32(part) for part in factors_first(a, b))


def values_and_sums_together(a, b):
    both = [np.column_stack([l, o]) for _, l, o in (a, b)]
    m = np.maximum(a[0], b[0])
    top = np.where(np.isfinite(m), m, 0.0)
    both = sum(part * np.exp(x[0] - top)[:, None] for part, x in zip(both, (a, b), strict=True))
    return m, both[:, 0], both[:, 1:]


def whole_numbers_by_cases(a, b):
    """Equal maxima go with the second case; an empty part is as far below as numbers go."""
    m_a, m_b = np.maximum(a[0], -1e300), np.maximum(b[0], -1e300)
    m = np.maximum(m_a, m_b)
    f, g = np.where(m_a > m_b, 1, np.exp(m_a - m)), np.where(m_a > m_b, np.exp(m_b - m), 1)
    return np.maximum(a[0], b[0]), a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


VARIANTS = [
    whole_numbers_by_cases,
    factors_first,
    query_by_query,
    empty_ones_by_nan_to_num,
    stacked_and_summed,
    with_lists,
    in_single_precision,
    values_and_sums_together,
]


def just_adds(a, b):
    return np.maximum(a[0], b[0]), a[1] + b[1], a[2] + b[2]


def _safe(a, b):
    m = np.maximum(a[0], b[0])
    return m, np.where(np.isfinite(m), m, 0)


def only_the_old(a, b):
    m, top = _safe(a, b)
    f = np.exp(a[0] - top)
    return m, a[1] * f + b[1], a[2] * f[:, None] + b[2]


def only_the_new(a, b):
    m, top = _safe(a, b)
    g = np.exp(b[0] - top)
    return m, a[1] + b[1] * g, a[2] + b[2] * g[:, None]


def forgets_o(a, b):
    m, top = _safe(a, b)
    return m, a[1] * np.exp(a[0] - top) + b[1] * np.exp(b[0] - top), a[2] + b[2]


def forgets_l(a, b):
    m, top = _safe(a, b)
    return m, a[1] + b[1], a[2] * np.exp(a[0] - top)[:, None] + b[2] * np.exp(b[0] - top)[:, None]


def grows(a, b):
    m, top = _safe(a, b)
    f, g = np.exp(top - a[0]), np.exp(top - b[0])
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def crossed(a, b):
    m, top = _safe(a, b)
    f, g = np.exp(b[0] - top), np.exp(a[0] - top)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def to_each_other(a, b):
    m = np.maximum(a[0], b[0])
    f, g = np.exp(a[0] - b[0]), np.exp(b[0] - a[0])
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def _to(m, a, b):
    top = np.where(np.isfinite(m), m, 0)
    f, g = np.exp(a[0] - top), np.exp(b[0] - top)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def newest(a, b):
    return _to(b[0], a, b)


def oldest(a, b):
    return _to(a[0], a, b)


def both_added(a, b):
    return _to(a[0] + b[0], a, b)


def minimum(a, b):
    return _to(np.minimum(a[0], b[0]), a, b)


def one_for_all(a, b):
    return _to(np.full(len(a[0]), max(a[0].max(), b[0].max())), a, b)


def divides_already(a, b):
    m, l, o = factors_first(a, b)
    return m, l, o / l[:, None]


def contexts(a, b):
    m, top = _safe(a, b)
    f, g = np.exp(a[0] - top), np.exp(b[0] - top)
    o = (a[2] / a[1][:, None]) * f[:, None] + (b[2] / b[1][:, None]) * g[:, None]
    return m, a[1] * f + b[1] * g, o


def bare_powers(a, b):
    m = np.maximum(a[0], b[0])
    f, g = np.exp(a[0]), np.exp(b[0])
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def straight(a, b):
    m = np.maximum(a[0], b[0])
    f, g = np.exp(a[0] - m), np.exp(b[0] - m)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def without_a_new_axis(a, b):
    m, top = _safe(a, b)
    f, g = np.exp(a[0] - top), np.exp(b[0] - top)
    return m, a[1] * f + b[1] * g, a[2] * f + b[2] * g


def one_branch_for_all(a, b):
    if a[0].max() >= b[0].max():
        g = np.exp(b[0] - a[0])
        return a[0], a[1] + b[1] * g, a[2] + b[2] * g[:, None]
    f = np.exp(a[0] - b[0])
    return b[0], a[1] * f + b[1], a[2] * f[:, None] + b[2]


def pair_only(a, b):
    return factors_first(a, b)[1:]


def m_made_finite(a, b):
    m, l, o = factors_first(a, b)
    return np.where(np.isfinite(m), m, 0), l, o


def m_as_low_as_may_be(a, b):
    m, l, o = factors_first(a, b)
    return np.nan_to_num(m), l, o


def m_not_a_number(a, b):
    m, l, o = factors_first(a, b)
    return np.where(l > 0, m, np.nan), l, o


def finite_from_the_start(a, b):
    m = np.maximum(a[0], b[0])
    m = np.where(m == -np.inf, 0, m)
    f, g = np.exp(a[0] - m), np.exp(b[0] - m)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def max_of_python(a, b):
    m = max(a[0], b[0])
    f, g = np.exp(a[0] - m), np.exp(b[0] - m)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def as_if_of_contexts(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    to = np.where(np.isfinite(m), m, 0)
    l_a, l_b = l_a * np.exp(m_a - to), l_b * np.exp(m_b - to)
    l = l_a + l_b
    return m, l, (o_a * l_a[:, None] + o_b * l_b[:, None]) / l[:, None]


def the_larger_part_alone(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    first = m_a > m_b
    return np.where(first, m_a, m_b), np.where(first, l_a, l_b), np.where(first[:, None], o_a, o_b)


def _merged(a, b, m, factor=np.exp):
    safe = np.where(m == -np.inf, 0, m)
    with np.errstate(all="ignore"):
        f, g = factor(a[0] - safe), factor(b[0] - safe)
        return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def unit_is_the_whole_sum(a, b):
    return _merged(a, b, np.logaddexp(a[0], b[0]))


def differences_for_factors(a, b):
    return _merged(a, b, np.maximum(a[0], b[0]), factor=lambda gap: gap)


def any_empty_query(a, b):
    if (a[0] == -np.inf).any():
        return b
    if (b[0] == -np.inf).any():
        return a
    return factors_first(a, b)


def the_larger_in_an_if(a, b):
    if a[0] > b[0]:
        a, b = b, a
    f = np.exp(a[0] - b[0])
    return b[0], a[1] * f + b[1], a[2] * f[:, None] + b[2]


def divides_where_there_is_something(a, b):
    m = np.maximum(a[0], b[0])
    top = np.where(np.isfinite(m), m, 0)
    f, g = np.exp(a[0] - top), np.exp(b[0] - top)
    l = a[1] * f + b[1] * g
    o = a[2] * f[:, None] + b[2] * g[:, None]
    return m, l, o / np.where(l == 0, 1, l)[:, None]


def nothing_is_0(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m_a, m_b = (np.where(np.isneginf(m), 0, m) for m in (m_a, m_b))
    m = np.maximum(m_a, m_b)
    shrink_a, shrink_b = np.exp(m_a - m), np.exp(m_b - m)
    return m, l_a * shrink_a + l_b * shrink_b, o_a * shrink_a[:, None] + o_b * shrink_b[:, None]


def _larger_or_smaller(a, b, m):
    l, o = np.zeros_like(a[1]), np.zeros_like(a[2])
    for i in range(len(m)):
        if a[0][i] > b[0][i]:
            f = np.exp(b[0][i] - a[0][i])
            m[i], l[i], o[i] = a[0][i], a[1][i] + f * b[1][i], a[2][i] + f * b[2][i]
        elif b[0][i] > a[0][i]:
            f = np.exp(a[0][i] - b[0][i])
            m[i], l[i], o[i] = b[0][i], f * a[1][i] + b[1][i], f * a[2][i] + b[2][i]
    return m, l, o


def larger_or_smaller_and_nothing_else(a, b):
    return _larger_or_smaller(a, b, np.maximum(a[0], b[0]))


def larger_or_smaller_and_zero_else(a, b):
    return _larger_or_smaller(a, b, np.zeros_like(a[0]))


def second_only_where_it_differs(a, b):
    m, top = _safe(a, b)
    f, g = np.exp(a[0] - top), np.where(a[0] == b[0], 0, np.exp(b[0] - top))
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def not_below_minus_1000(a, b):
    m = np.maximum(a[0], b[0])
    safe = np.maximum(m, -1000)
    f, g = np.exp(a[0] - safe), np.exp(b[0] - safe)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def begins_at_minus_50(a, b):
    m = np.maximum(np.maximum(a[0], b[0]), -50.0)
    f, g = np.exp(a[0] - m), np.exp(b[0] - m)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def nothing_is_0_in_the_exponents(a, b):
    m_a, m_b = np.where(np.isneginf(a[0]), 0, a[0]), np.where(np.isneginf(b[0]), 0, b[0])
    top = np.maximum(m_a, m_b)
    f, g = np.exp(m_a - top), np.exp(m_b - top)
    return np.maximum(a[0], b[0]), a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def largest_of_all_queries(a, b):
    m = np.maximum(a[0], b[0])
    top = max(a[0].max(), b[0].max())
    f, g = np.exp(a[0] - top), np.exp(b[0] - top)
    return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def one_question_for_all(a, b):
    m, top = _safe(a, b)
    if a[0].max() > b[0].max():
        g = np.exp(b[0] - top)
        return m, a[1] + b[1] * g, a[2] + b[2] * g[:, None]
    f = np.exp(a[0] - top)
    return m, a[1] * f + b[1], a[2] * f[:, None] + b[2]


def smaller_less_larger_for_the_first(a, b):
    m = np.maximum(a[0], b[0])
    shrink = np.exp(np.minimum(a[0], b[0]) - np.where(np.isinf(m), 0, m))
    return m, a[1] * shrink + b[1], a[2] * shrink[:, None] + b[2]


def smaller_less_larger_for_the_second(a, b):
    m = np.maximum(a[0], b[0])
    shrink = np.exp(np.minimum(a[0], b[0]) - np.where(np.isinf(m), 0, m))
    return m, a[1] + b[1] * shrink, a[2] + b[2] * shrink[:, None]


# Each with the mistake that the judge should name, or None.
def _factors(a, b):
    m = np.maximum(a[0], b[0])
    top = np.where(np.isfinite(m), m, 0)
    return m, np.exp(a[0] - top), np.exp(b[0] - top)


def grows_where_something_was_seen(a, b):
    m = np.maximum(a[0], b[0])
    with np.errstate(all="ignore"):
        grow_a, grow_b = (np.where(np.isneginf(one), 0, np.exp(m - one)) for one in (a[0], b[0]))
    return m, a[1] * grow_a + b[1] * grow_b, a[2] * grow_a[:, None] + b[2] * grow_b[:, None]


def takes_o_for_means(a, b):
    m, x, y = _factors(a, b)
    l = a[1] * x + b[1] * y
    o = (a[1] * x)[:, None] * a[2] + (b[1] * y)[:, None] * b[2]
    return m, l, o / np.where(l > 0, l, 1)[:, None]


def l_comes_into_o(a, b):
    m, x, y = _factors(a, b)
    return m, a[1] * x + b[1] * y, (a[1] * x)[:, None] * a[2] + (b[1] * y)[:, None] * b[2]


def below_the_second(a, b):
    with np.errstate(all="ignore"):
        factor = np.exp(a[0] - b[0])
        return b[0], a[1] * factor + b[1], a[2] * factor[:, None] + b[2]


def the_loop_once_more(a, b):
    (m, l, o), (m_b, l_b, o_b) = a, b
    with np.errstate(all="ignore"):
        largest = np.maximum(m, m_b)
        shrink = np.exp(m - largest)
        l = l * shrink + l_b
        return largest, l, (o * shrink[:, None] + o_b) / l[:, None]


def softmax_of_both(a, b):
    with np.errstate(all="ignore"):
        both = np.array([a[0], b[0]])
        powers = np.exp(both - both.max(axis=0))
        x, y = powers / powers.sum(axis=0)
    return np.maximum(a[0], b[0]), a[1] * x + b[1] * y, a[2] * x[:, None] + b[2] * y[:, None]


def cleans_l_alone(a, b):
    m = np.maximum(a[0], b[0])
    with np.errstate(all="ignore"):
        x, y = np.exp(a[0] - m), np.exp(b[0] - m)
    return m, np.nan_to_num(a[1] * x + b[1] * y), a[2] * x[:, None] + b[2] * y[:, None]


def minus_a_thousand_for_nothing(a, b):
    (m1, l1, o1), (m2, l2, o2) = a, b
    m = np.maximum(m1, m2)
    safe = [np.where(np.isinf(one), -1000.0, one) for one in (m1, m2)]
    top = np.maximum(*safe)
    f, g = (np.exp(one - top) for one in safe)
    return m, l1 * f + l2 * g, o1 * f[:, None] + o2 * g[:, None]


def _both_factors(m1, m2):
    m = np.maximum(m1, m2)
    top = np.where(np.isinf(m), 0, m)
    return m, np.exp(m1 - top), np.exp(m2 - top)


def shares_with_a_guard(a, b):
    (m1, l1, o1), (m2, l2, o2) = a, b
    m, f, g = _both_factors(m1, m2)
    both = np.where(f + g == 0, 1, f + g)
    f, g = f / both, g / both
    return m, l1 * f + l2 * g, o1 * f[:, None] + o2 * g[:, None]


def copied_factor(a, b):
    (m1, l1, o1), (m2, l2, o2) = a, b
    m, f, _ = _both_factors(m1, m2)
    return m, l1 * f + l2 * f, o1 * f[:, None] + o2 * f[:, None]


def second_sum_forgotten(a, b):
    (m1, l1, o1), (m2, _, o2) = a, b
    m, f, g = _both_factors(m1, m2)
    return m, l1 * f + g, o1 * f[:, None] + o2 * g[:, None]


def copied_numerator(a, b):
    (m1, l1, o1), (m2, l2, _) = a, b
    m, f, g = _both_factors(m1, m2)
    return m, l1 * f + l2 * g, o1 * f[:, None] + o1 * g[:, None]


def the_larger_one_first(a, b, larger):
    (m1, l1, o1), (m2, l2, o2) = (a, b) if larger(a[0], b[0]) else (b, a)
    shrink = np.exp(m2 - m1)
    return m1, l1 + l2 * shrink, o1 + o2 * shrink[:, None]


def by_any(a, b):
    return the_larger_one_first(a, b, lambda x, y: (x > y).any())


def by_their_sums(a, b):
    return the_larger_one_first(a, b, lambda x, y: x.sum() > y.sum())


def by_the_first(a, b):
    return the_larger_one_first(a, b, lambda x, y: x[0] > y[0])


def by_all(a, b):
    return the_larger_one_first(a, b, lambda x, y: np.all(x >= y))


def undoes_the_units_first(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    with np.errstate(all="ignore"):
        l = (l_a * np.exp(m_a) + l_b * np.exp(m_b)) / np.exp(m)
        o = (o_a * np.exp(m_a)[:, None] + o_b * np.exp(m_b)[:, None]) / np.exp(m)[:, None]
    return m, l, o


def first_l_in_both_places(a, b):
    (m_a, l_a, o_a), (m_b, _l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_a * g
    o = o_a * f[:, None] + o_b * g[:, None]
    return m, l, o


def second_l_in_both_places(a, b):
    (m_a, _l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_b * f + l_b * g
    o = o_a * f[:, None] + o_b * g[:, None]
    return m, l, o


def first_l_in_both_places_and_nothing_finite(a, b):
    (m_a, l_a, o_a), (m_b, _l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = m
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_a * g
    o = o_a * f[:, None] + o_b * g[:, None]
    return m, l, o


def second_o_in_both_places(a, b):
    (m_a, l_a, _o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_b * g
    o = o_b * f[:, None] + o_b * g[:, None]
    return m, l, o


def one_for_l(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_b * g
    o = o_a * f[:, None] + o_b * g[:, None]
    return m, np.ones_like(l), o


def as_on_the_web(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_b * g
    o = o_a * f[:, None] + o_b * g[:, None]
    return m + np.log(l), np.ones_like(l), o / l[:, None]


def at_least_0(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    safe = np.maximum(m, 0)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    return m, *added(a, b, f, g)


def asks_the_first_whether_it_is_empty(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m_a), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    return m, *added(a, b, f, g)


def asks_the_second_whether_it_is_empty(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m_b), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    return m, *added(a, b, f, g)


def always_shrinks_the_first(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    f = np.exp(-np.abs(m_a - m_b))
    g = np.ones_like(f)
    return m, *added(a, b, f, g)


def always_shrinks_the_second(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    g = np.exp(-np.abs(m_a - m_b))
    f = np.ones_like(g)
    return m, *added(a, b, f, g)


def else_with_the_wrong_sign(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    f, g = np.zeros(len(m)), np.zeros(len(m))
    for i in range(len(m)):
        if m_a[i] > m_b[i]:
            f[i], g[i] = 1, np.exp(m_b[i] - m_a[i])
        else:
            f[i], g[i] = np.exp(m_b[i] - m_a[i]), 1
    return m, *added(a, b, f, g)


def else_of_the_other_with_the_wrong_sign(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    f, g = np.zeros(len(m)), np.zeros(len(m))
    for i in range(len(m)):
        if m_b[i] > m_a[i]:
            f[i], g[i] = np.exp(m_a[i] - m_b[i]), 1
        else:
            f[i], g[i] = 1, np.exp(m_a[i] - m_b[i])
    return m, *added(a, b, f, g)


def no_factor_for_the_larger_second(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f = np.where(m_a < m_b, np.exp(m_a - safe), 1)
    g = np.where(m_b < m_a, np.exp(m_b - safe), 0)
    return m, *added(a, b, f, g)


def what_is_left_to_1(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f = np.exp(m_a - safe)
    g = 1 - f
    return m, *added(a, b, f, g)


def powers_of_two(a, b):
    m_a, m_b = a[0], b[0]
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp2(m_a - safe), np.exp2(m_b - safe)
    return m, *added(a, b, f, g)


def second_o_without_factor(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_b * g
    o = o_a * f[:, None] + o_b
    return m, l, o


def first_o_without_factor(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_b * g
    o = o_a + o_b * g[:, None]
    return m, l, o


def second_l_without_factor(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_b
    o = o_a * f[:, None] + o_b * g[:, None]
    return m, l, o


def first_l_without_factor(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a + l_b * g
    o = o_a * f[:, None] + o_b * g[:, None]
    return m, l, o


def weighs_contexts_and_forgets_a_factor(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    m = np.maximum(m_a, m_b)
    safe = np.where(np.isinf(m), 0, m)
    f, g = np.exp(m_a - safe), np.exp(m_b - safe)
    l = l_a * f + l_b * g
    o = (o_a * (l_a * f)[:, None] + o_b * l_b[:, None]) / l[:, None]
    return m, l, o


def only_the_first_below_the_other(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    with np.errstate(all="ignore"):
        factor = np.exp(m_a - m_b)
        return np.maximum(m_a, m_b), l_a * factor + l_b, o_a * factor[:, None] + o_b


def _each(a, b, l=lambda x, y: x + y, o=lambda x, y: x + y):
    m, f, g = _both_factors(a[0], b[0])
    return m, l(a[1] * f, b[1] * g), o(a[2] * f[:, None], b[2] * g[:, None])


def factors_for_l(a, b):
    m, f, g = _both_factors(a[0], b[0])
    return m, f + g, a[2] * f[:, None] + b[2] * g[:, None]


def never_by_zero(a, b):
    return _each(a, b, l=lambda x, y: x + y + 1e-9)


def at_least_a_little(a, b):
    return _each(a, b, l=lambda x, y: np.maximum(x + y, 1e-12))


def second_l_overwrites(a, b):
    return _each(a, b, l=lambda _, y: y)


def second_o_overwrites(a, b):
    return _each(a, b, o=lambda _, y: y)


def first_l_only(a, b):
    return _each(a, b, l=lambda x, _: x)


def first_o_only(a, b):
    return _each(a, b, o=lambda x, _: x)


def first_where_any_is_empty(a, b):
    return a if np.isinf(np.maximum(a[0], b[0])).any() else factors_first(a, b)


def until_the_empty(a, b):
    m, l, o = np.maximum(a[0], b[0]), np.zeros(len(a[0])), np.zeros(a[2].shape)
    for i in range(len(m)):
        if m[i] == -np.inf:
            break
        for one, sums, values in (a, b):
            l[i] += np.exp(one[i] - m[i]) * sums[i]
            o[i] += np.exp(one[i] - m[i]) * values[i]
    return m, l, o


def picks_by_multiplying(a, b):
    with np.errstate(all="ignore"):
        m = a[0] * (a[0] > b[0]) + b[0] * (a[0] <= b[0])
        top = np.where(np.isinf(m), 0, m)
        f, g = np.exp(a[0] - top), np.exp(b[0] - top)
        return m, a[1] * f + b[1] * g, a[2] * f[:, None] + b[2] * g[:, None]


def takes_every_0_back(a, b):
    m = np.maximum(a[0], b[0])
    m[np.isneginf(m)] = 0
    f_a, f_b = np.exp(a[0] - m), np.exp(b[0] - m)
    m[m == 0] = -np.inf
    return m, a[1] * f_a + b[1] * f_b, a[2] * f_a[:, None] + b[2] * f_b[:, None]


def _apart(a, b):
    """Two partial results, the larger m as it is and as something finite, and both factors."""
    m = np.maximum(a[0], b[0])
    top = np.where(np.isneginf(m), 0, m)
    return m, top, np.exp(a[0] - top), np.exp(b[0] - top)


def goes_on_where_either_is_empty(a, b):
    m, l, o = np.full(len(a[0]), -np.inf), np.zeros(len(a[0])), np.zeros(a[2].shape)
    for i in range(len(a[0])):
        m[i] = max(a[0][i], b[0][i])
        if a[0][i] == -np.inf or b[0][i] == -np.inf:
            continue
        f, g = np.exp(a[0][i] - m[i]), np.exp(b[0][i] - m[i])
        l[i], o[i] = a[1][i] * f + b[1][i] * g, a[2][i] * f + b[2][i] * g
    return m, l, o


def nothing_where_either_is_empty(a, b):
    m, _, f, g = _apart(a, b)
    l, o = added(a, b, f, g)
    return np.where(np.isneginf(a[0]) | np.isneginf(b[0]), -np.inf, m), l, o


def the_part_with_the_largest_stays(a, b):
    if a[0].max() < b[0].max():
        a, b = b, a
    f = np.exp(b[0] - np.where(np.isneginf(a[0]), 0, a[0]))
    return a[0], a[1] + b[1] * f, a[2] + b[2] * f[:, None]


def one_of_both_query_by_query(a, b):
    first = a[0] >= b[0]
    return (
        np.where(first, a[0], b[0]),
        np.where(first, a[1], b[1]),
        np.where(first[:, None], a[2], b[2]),
    )


def quotients_of_powers_with_a_guard(a, b):
    m, top, _, _ = _apart(a, b)
    return m, *added(a, b, np.exp(a[0]) / np.exp(top), np.exp(b[0]) / np.exp(top))


def bare_powers_and_back(a, b):
    m, top, _, _ = _apart(a, b)
    l, o = added(a, b, np.exp(a[0]), np.exp(b[0]))
    return m, l / np.exp(top), o / np.exp(top)[:, None]


def cleans_o_alone(a, b):
    m = np.maximum(a[0], b[0])
    l, o = added(a, b, np.exp(a[0] - m), np.exp(b[0] - m))
    return m, l, np.nan_to_num(o)


def first_only_where_it_leads(a, b):
    m, _, f, g = _apart(a, b)
    return m, *added(a, b, np.where(a[0] == b[0], 0, f), g)


def means_of_both(a, b):
    m, _, f, g = _apart(a, b)
    l, o = added(a, b, f, g)
    return m, l / 2, o / 2


def larger_of_both_l(a, b):
    m, _, f, g = _apart(a, b)
    return m, np.maximum(a[1] * f, b[1] * g), added(a, b, f, g)[1]


WRONG = [
    (goes_on_where_either_is_empty, "lost-where-one-is-empty"),
    (nothing_where_either_is_empty, "empty-where-one-is"),
    (the_part_with_the_largest_stays, "decided-for-all-but-empty"),
    (one_of_both_query_by_query, "larger-or-first-only"),
    (quotients_of_powers_with_a_guard, "powers-of-m-but-empty"),
    (bare_powers_and_back, "powers-of-m-but-empty"),
    (cleans_o_alone, "empty-nan-in-l"),
    (first_only_where_it_leads, "ties-of-the-second"),
    (means_of_both, "halved"),
    (larger_of_both_l, "larger-l"),
    (smaller_less_larger_for_the_first, "first-always-shrinks-but-empty"),
    (smaller_less_larger_for_the_second, "second-always-shrinks-but-empty"),
    (factors_for_l, "l-forgotten"),
    (never_by_zero, "added-to-l"),
    (at_least_a_little, "added-to-l"),
    (second_l_overwrites, "l-of-the-second-alone"),
    (second_o_overwrites, "o-of-the-second-alone"),
    (first_l_only, "l-of-the-first-alone"),
    (first_o_only, "o-of-the-first-alone"),
    (first_where_any_is_empty, "first-if-any-is-empty"),
    (until_the_empty, "ends-at-the-empty"),
    (picks_by_multiplying, "infinite-times-0"),
    (only_the_first_below_the_other, "first-below-the-second"),
    (first_l_in_both_places, "l-of-the-first-twice"),
    (second_l_in_both_places, "l-of-the-second-twice"),
    (first_l_in_both_places_and_nothing_finite, "l-of-the-first-twice"),
    (second_o_in_both_places, "o-of-the-second-twice"),
    (one_for_l, "l-as-1"),
    (as_on_the_web, "log-sum-and-context"),
    (at_least_0, "floored-at-0"),
    (asks_the_first_whether_it_is_empty, "empty-by-the-first"),
    (asks_the_second_whether_it_is_empty, "empty-by-the-second"),
    (always_shrinks_the_first, "first-always-shrinks"),
    (always_shrinks_the_second, "second-always-shrinks"),
    (else_with_the_wrong_sign, "first-grows"),
    (else_of_the_other_with_the_wrong_sign, "second-grows"),
    (no_factor_for_the_larger_second, "larger-second-lost"),
    (what_is_left_to_1, "factors-sum-to-1"),
    (powers_of_two, "powers-of-2"),
    (second_o_without_factor, "o-first-only-rescaled"),
    (first_o_without_factor, "o-second-only-rescaled"),
    (second_l_without_factor, "l-first-only-rescaled"),
    (first_l_without_factor, "l-second-only-rescaled"),
    (weighs_contexts_and_forgets_a_factor, "o-taken-for-context"),
    (weighs_contexts_and_forgets_a_factor, "o-first-only-rescaled"),
    (undoes_the_units_first, "powers-of-m"),
    (by_any, "decided-by-any"),
    (by_their_sums, "decided-by-sum"),
    (by_the_first, "decided-by-first"),
    (by_all, "all-in-units-of-the-second"),
    (shares_with_a_guard, "shares-of-parts"),
    (copied_factor, "one-factor-for-both"),
    (second_sum_forgotten, "factor-for-sum"),
    (copied_numerator, "o-of-the-first-twice"),
    (minus_a_thousand_for_nothing, None),
    (grows_where_something_was_seen, "turned-round-but-empty"),
    (takes_o_for_means, "o-taken-for-context-if-any"),
    (l_comes_into_o, "o-times-l"),
    (below_the_second, "all-in-units-of-the-second"),
    (the_loop_once_more, "first-only-rescaled-and-divided"),
    (softmax_of_both, "weights-of-parts"),
    (cleans_l_alone, "empty-nan-in-o"),
    (larger_or_smaller_and_nothing_else, "ties-lost"),
    (larger_or_smaller_and_zero_else, "ties-skipped"),
    (second_only_where_it_differs, "ties-of-one-part"),
    (not_below_minus_1000, "floored"),
    (begins_at_minus_50, "m-floored"),
    (nothing_is_0_in_the_exponents, "empty-as-0-in-factors"),
    (largest_of_all_queries, "one-maximum-for-factors"),
    (one_question_for_all, "decided-for-all-in-factors"),
    (nothing_is_0, "empty-as-0"),
    (the_larger_in_an_if, "python-max"),
    (divides_where_there_is_something, "o-normalised-if-any"),
    (unit_is_the_whole_sum, "log-sum-as-m"),
    (differences_for_factors, "no-power"),
    (any_empty_query, "one-empty-for-all"),
    (the_larger_part_alone, "larger-part-only"),
    (as_if_of_contexts, "o-taken-for-context"),
    (just_adds, "no-rescale"),
    (only_the_old, "first-only-rescaled"),
    (only_the_new, "second-only-rescaled"),
    (forgets_o, "o-not-rescaled"),
    (forgets_l, "l-not-rescaled"),
    (grows, "turned-round"),
    (crossed, "rescaled-by-the-other"),
    (to_each_other, "from-each-other"),
    (newest, "m-of-the-second"),
    (oldest, "m-of-the-first"),
    (both_added, "sum-of-m"),
    (minimum, "smaller-m"),
    (one_for_all, "one-maximum"),
    (divides_already, "o-normalised"),
    (contexts, "contexts-added"),
    (bare_powers, "unshifted"),
    (straight, "empty-nan"),
    (without_a_new_axis, "factor-on-columns"),
    (m_made_finite, "empty-m-0"),
    (m_as_low_as_may_be, "not-infinite"),
    (m_not_a_number, "not-infinite"),
    (finite_from_the_start, "empty-m-0"),
    (max_of_python, "python-max"),
    (one_branch_for_all, "decided-for-all"),
    (pair_only, None),
    (takes_every_0_back, "0-as-nothing"),
]
