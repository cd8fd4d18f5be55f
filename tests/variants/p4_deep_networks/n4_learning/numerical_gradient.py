import numpy as np


def fresh_copies(f, x, epsilon=1e-5):
    x = np.asarray(x, dtype=float)
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += epsilon
        down[place] -= epsilon
        gradient[place] = (f(up) - f(down)) / (2 * epsilon)
    return gradient


def puts_each_back(f, x, epsilon=1e-5):
    moved = x.astype(float)
    gradient = np.empty(x.shape)
    for place in np.ndindex(*x.shape):
        old = moved[place]
        moved[place] = old + epsilon
        above = f(moved)
        moved[place] = old - epsilon
        below = f(moved)
        moved[place] = old
        gradient[place] = (above - below) / (2 * epsilon)
    return gradient


def with_unit_matrices(f, x, epsilon=1e-5):
    steps = epsilon * np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(f(x + step) - f(x - step)) / epsilon / 2 for step in steps]).reshape(x.shape)


def over_a_flat_view(f, x, epsilon=1e-5):
    flat = x.astype(float).ravel()
    found = []
    for i in range(len(flat)):
        values = []
        for sign in (1, -1):
            moved = flat.copy()
            moved[i] += sign * epsilon
            values.append(f(moved.reshape(x.shape)))
        found.append(0.5 * (values[0] - values[1]) / epsilon)
    return np.reshape(found, x.shape)


def mean_of_both_sides(f, x, epsilon=1e-5):
    here, gradient = f(x), np.zeros_like(x, dtype=float)
    for place, _ in np.ndenumerate(x):
        step = np.zeros(x.shape)
        step[place] = epsilon
        gradient[place] = ((f(x + step) - here) / epsilon + (here - f(x - step)) / epsilon) / 2
    return gradient


def as_nested_lists(f, x, epsilon=1e-5):
    return fresh_copies(f, x, epsilon=epsilon).tolist()


def by_an_iterator(f, x, epsilon=1e-5):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros_like(x)
    it = np.nditer(x, flags=["multi_index"])
    while not it.finished:
        step = np.zeros_like(x)
        step[it.multi_index] = epsilon
        gradient[it.multi_index] = (f(x + step) - f(x - step)) / (2.0 * epsilon)
        it.iternext()
    return gradient


def takes_the_item(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[place] = epsilon
        gradient[place] = (f(x + step).item() - f(x - step).item()) / (2 * epsilon)
    return gradient


VARIANTS = [
    takes_the_item,
    fresh_copies,
    puts_each_back,
    with_unit_matrices,
    over_a_flat_view,
    mean_of_both_sides,
    as_nested_lists,
    by_an_iterator,
]


def forward_only(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up = x.astype(float)
        up[place] += epsilon
        gradient[place] = (f(up) - f(x)) / epsilon
    return gradient


def twice_too_large(f, x, epsilon=1e-5):
    return 2 * fresh_copies(f, x, epsilon)


def precedence(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up, down = x.astype(float), x.astype(float)
        up[place] += epsilon
        down[place] -= epsilon
        gradient[place] = (f(up) - f(down)) / 2 * epsilon
    return gradient


def whole_copies(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += epsilon
        down[place] -= epsilon
        gradient[place] = (f(up) - f(down)) / (2 * epsilon)
    return gradient


def zeros_like_whole_numbers(f, x, epsilon=1e-5):
    gradient = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.astype(float), x.astype(float)
        up[place] += epsilon
        down[place] -= epsilon
        gradient[place] = (f(up) - f(down)) / (2 * epsilon)
    return gradient


def never_put_back(f, x, epsilon=1e-5):
    moved, gradient = x.astype(float), np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        moved[place] += epsilon
        above = f(moved.copy())
        moved[place] -= 2 * epsilon
        gradient[place] = (above - f(moved.copy())) / (2 * epsilon)
    return gradient


def all_together(f, x, epsilon=1e-5):
    return (f(x + epsilon) - f(x - epsilon)) / (2 * epsilon)


def rows_together(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for i in range(len(x)):
        up, down = x.astype(float), x.astype(float)
        up[i] += epsilon
        down[i] -= epsilon
        gradient[i] = (f(up) - f(down)) / (2 * epsilon)
    return gradient


def a_step_of_its_own(f, x, epsilon=1e-5):
    return fresh_copies(f, x, 1e-6)


def flat(f, x, epsilon=1e-5):
    return fresh_copies(f, x, epsilon).ravel()


def one_array_above_and_below(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up = x
        down = x
        up[place] += epsilon
        down[place] -= epsilon
        gradient[place] = (f(up) - f(down)) / (2 * epsilon)
    return gradient


def one_copy_for_both(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up = down = x.astype(float)
        up[place] += epsilon
        down[place] -= epsilon
        gradient[place] = (f(up) - f(down)) / (2 * epsilon)
    return gradient


def never_kept(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up, down = x.astype(float), x.astype(float)
        up[place] += epsilon
        down[place] -= epsilon
        slope = (f(up) - f(down)) / (2 * epsilon)
        slope = slope + 0
    return gradient


def the_whole_array_each_time(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        gradient[place] = (f(x + epsilon) - f(x - epsilon)) / (2 * epsilon)
    return gradient


def added_to_all(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        up, down = x.astype(float), x.astype(float)
        up[place] += epsilon
        down[place] -= epsilon
        gradient += (f(up) - f(down)) / (2 * epsilon)
    return gradient


def by_the_square(f, x, epsilon=1e-5):
    return fresh_copies(f, x, epsilon) * 2 * epsilon / epsilon**2


def set_in_place_of_moved(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for p in np.ndindex(x.shape):
        a, b = x.astype(float), x.astype(float)
        a[p], b[p] = epsilon, -epsilon
        gradient[p] = (f(a) - f(b)) / (2 * epsilon)
    return gradient


def both_together(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for p in np.ndindex(x.shape):
        a, b = x.astype(float), x.astype(float)
        a[p] += epsilon
        b[p] -= epsilon
        gradient[p] = (f(a) + f(b)) / (2 * epsilon)
    return gradient


def always_the_default_way(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for p in np.ndindex(x.shape):
        a, b = x.astype(float), x.astype(float)
        a[p] += epsilon
        b[p] -= epsilon
        gradient[p] = (f(a) - f(b)) / 2e-5
    return gradient


def no_brackets(f, x, epsilon=1e-5):
    g = np.zeros(x.shape)
    for p in np.ndindex(x.shape):
        u, d = x.astype(float), x.astype(float)
        u[p] += epsilon
        d[p] -= epsilon
        g[p] = f(u) - f(d) / (2 * epsilon)
    return g


def shares_of_each(f, x, epsilon=1e-5):
    g = np.zeros(x.shape)
    for p in np.ndindex(x.shape):
        u, d = x.astype(float), x.astype(float)
        u[p] *= 1 + epsilon
        d[p] *= 1 - epsilon
        g[p] = (f(u) - f(d)) / (2 * epsilon)
    return g


def counts_through_the_array(f, x, epsilon=1e-5):
    g = np.zeros(x.shape)
    for p in np.ndindex(x):
        g[p] = f(x)
    return g


def moves_a_copy(f, x, epsilon=1e-5):
    g = np.zeros(x.shape)
    for i in range(x.size):
        u, d = x.astype(float), x.astype(float)
        u.flatten()[i] += epsilon
        d.flatten()[i] -= epsilon
        g.flat[i] = (f(u) - f(d)) / (2 * epsilon)
    return g


def a_tenth_each_time(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        above, below = x.astype(float), x.astype(float)
        above[place] += 0.1
        below[place] -= 0.1
        gradient[place] = (f(above) - f(below)) / 0.2
    return gradient


def _slopes(f, x, epsilon, slope):
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        unit = np.zeros(x.shape)
        unit[place] = 1
        gradient[place] = slope(lambda way, unit=unit: f(x + way * unit), epsilon)
    return gradient


def from_five_points(f, x, epsilon=1e-5):
    return _slopes(f, x, epsilon, lambda at, e: (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e))


def extrapolated(f, x, epsilon=1e-5):
    return _slopes(f, x, epsilon, lambda at, e: (8 * (at(e / 2) - at(-e / 2)) - (at(e) - at(-e))) / (6 * e))


def halves_over_two(f, x, epsilon=1e-5):
    return _slopes(f, x, epsilon, lambda at, e: (at(e / 2) - at(-e / 2)) / (2 * e))


def lower_never_put_back(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    u, v = x.astype(float), x.astype(float)
    for p in np.ndindex(x.shape):
        u[p] += epsilon
        v[p] -= epsilon
        gradient[p] = (f(u) - f(v)) / (2 * epsilon)
        u[p] -= epsilon
    return gradient


def upper_never_put_back(f, x, epsilon=1e-5):
    gradient = np.zeros(x.shape)
    u, v = x.astype(float), x.astype(float)
    for p in np.ndindex(x.shape):
        u[p] += epsilon
        v[p] -= epsilon
        gradient[p] = (f(u) - f(v)) / (2 * epsilon)
        v[p] += epsilon
    return gradient


# Each with the mistake that the judge should name, or None.
WRONG = [
    (from_five_points, "four-points"),
    (extrapolated, "four-near-points"),
    (halves_over_two, "half-steps"),
    (lower_never_put_back, "below-stays"),
    (upper_never_put_back, "above-stays"),
    (a_tenth_each_time, "epsilon-fixed"),
    (no_brackets, "brackets-missing"),
    (shares_of_each, "relative-step"),
    (counts_through_the_array, "shape-wanted"),
    (moves_a_copy, "all-zeros"),
    (set_in_place_of_moved, "values-replaced"),
    (both_together, "added-up"),
    (always_the_default_way, "way-fixed"),
    (forward_only, "one-sided"),
    (twice_too_large, "half-divided"),
    (precedence, "times-epsilon"),
    (whole_copies, "steps-lost"),
    (zeros_like_whole_numbers, "result-whole"),
    (never_put_back, "not-restored"),
    (all_together, "all-at-once"),
    (rows_together, "whole-rows"),
    (a_step_of_its_own, "epsilon-fixed"),
    (flat, None),
    (one_array_above_and_below, "one-array-twice"),
    (one_copy_for_both, "one-array-twice"),
    (never_kept, "all-zeros"),
    (the_whole_array_each_time, "whole-array"),
    (added_to_all, "added-everywhere"),
    (by_the_square, "epsilon-squared"),
]
