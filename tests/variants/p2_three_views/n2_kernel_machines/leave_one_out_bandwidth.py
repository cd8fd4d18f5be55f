import numpy as np

import attnlib


def loo_by_deleting(x, y, bandwidths):
    best, least = None, float("inf")
    for h in bandwidths:
        error = 0.0
        for i in range(len(x)):
            others, values = np.delete(x, i), np.delete(y, i)
            kernel = np.exp(-((others - x[i]) ** 2) / (2 * h**2))
            predicted = kernel @ values / kernel.sum() if kernel.sum() > 0 else 0.0
            error += (predicted - y[i]) ** 2
        if error < least:
            best, least = h, error
    return best


def loo_with_diagonal(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        np.fill_diagonal(kernel, 0)
        total = kernel.sum(axis=1)
        predicted = np.where(total > 0, kernel @ y / np.where(total > 0, total, 1), 0)
        errors.append(np.mean((predicted - y) ** 2))
    return bandwidths[int(np.argmin(errors))]


def loo_with_mask(x, y, bandwidths):
    def error(h):
        total = 0.0
        for i in range(len(x)):
            mask = np.arange(len(x)) != i
            kernel = np.exp(-0.5 * ((x[mask] - x[i]) / h) ** 2)
            total += (y[i] - (kernel @ y[mask]) / max(kernel.sum(), 1e-300)) ** 2
        return total

    return sorted(bandwidths, key=error)[0]


def loo_all_at_once(x, y, bandwidths):
    kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * np.asarray(bandwidths)[:, None, None] ** 2))
    kernel = kernel * (1 - np.eye(len(x)))
    total = kernel.sum(axis=-1)
    predicted = np.nan_to_num(kernel @ y / np.where(total == 0, np.nan, total))
    return float(bandwidths[((predicted - y) ** 2).sum(axis=-1).argmin()])


def loo_with_library(x, y, bandwidths, kernel=attnlib.gaussian_kernel):
    best = (np.inf, None)
    for h in bandwidths:
        predicted = [
            attnlib.kernel_attention(
                [[x[i]]], np.delete(x, i)[:, None], np.delete(y, i)[:, None], lambda Q, K, h=h: kernel(Q, K, h)
            )[0, 0]
            for i in range(len(x))
        ]
        best = min(best, (float(np.square(predicted - y).sum()), float(h)))
    return best[1]


def loo_as_array(x, y, bandwidths):
    return np.array([loo_with_diagonal(x, y, bandwidths)])


def loo_late(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        weights = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        weights = weights / weights.sum(axis=1, keepdims=True)
        np.fill_diagonal(weights, 0)
        errors.append(((weights @ y - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_nansum(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (1 - np.eye(len(x)))
        errors.append(np.nansum((kernel @ y / kernel.sum(axis=1) - y) ** 2))
    return bandwidths[np.argmin(errors)]


def loo_left_in(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        errors.append((((kernel @ y) / kernel.sum(axis=1) - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_nan(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (1 - np.eye(len(x)))
        errors.append((((kernel @ y) / kernel.sum(axis=1) - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_index(x, y, bandwidths):
    return int(np.flatnonzero(bandwidths == loo_with_diagonal(x, y, bandwidths))[0])


def loo_absolute(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (1 - np.eye(len(x)))
        total = kernel.sum(axis=1)
        errors.append(np.abs(kernel @ y / np.where(total == 0, 1, total) - y).sum())
    return bandwidths[np.argmin(errors)]


def loo_smallest(x, y, bandwidths):
    return min(bandwidths)


def loo_middle(x, y, bandwidths):
    return np.median(bandwidths)


def loo_by_rule(x, y, bandwidths, unreached):
    """The best candidate where an unreached point is predicted by a rule of one's own."""
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        np.fill_diagonal(kernel, 0)
        total = kernel.sum(axis=1)
        predicted = np.where(total > 0, kernel @ y / np.where(total > 0, total, 1), unreached)
        errors.append(((predicted - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_never(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        G = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        np.fill_diagonal(G, 0)
        e = ((G @ y / G.sum(axis=1) - y) ** 2).sum()
        errors.append(np.inf if np.isnan(e) else e)
    return bandwidths[np.argmin(errors)]


def loo_mean(x, y, bandwidths):
    return loo_by_rule(x, y, bandwidths, y.mean())


def loo_nearest(x, y, bandwidths):
    gaps = np.abs(x[:, None] - x)
    np.fill_diagonal(gaps, np.inf)
    return loo_by_rule(x, y, bandwidths, y[gaps.argmin(axis=1)])


def loo_by_softmax(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        scores = -((x[:, None] - x) ** 2) / (2 * h**2)
        np.fill_diagonal(scores, -np.inf)
        errors.append(((attnlib.softmax(scores) @ y - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_of_x(x, y, bandwidths):
    return loo_with_diagonal(x, x, bandwidths)


def loo_largest(x, y, bandwidths):
    return max(bandwidths)


def loo_never_updated(x, y, bandwidths):
    best, least = None, np.inf
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (1 - np.eye(len(x)))
        error = ((kernel @ y / np.maximum(kernel.sum(axis=1), 1e-300) - y) ** 2).sum()
        if error < least:
            best = h
    return best


def loo_returns_in_the_loop(x, y, bandwidths):
    for h in bandwidths:
        return h


VARIANTS = [
    loo_by_deleting,
    loo_with_diagonal,
    loo_with_mask,
    loo_all_at_once,
    loo_with_library,
    loo_as_array,
]


def loo_same_place(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (x[:, None] != x)
        total = kernel.sum(axis=1)
        errors.append(((kernel @ y / np.where(total == 0, 1, total) - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_low_start(x, y, bandwidths):
    best, least = None, 100.0
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (1 - np.eye(len(x)))
        total = kernel.sum(axis=1)
        error = ((kernel @ y / np.where(total == 0, 1, total) - y) ** 2).sum()
        if error < least:
            best, least = h, error
    return best


def loo_error(x, y, h, column):
    kernel = attnlib.gaussian_kernel(column(x), column(x), h)
    np.fill_diagonal(kernel, 0)
    total = kernel.sum(axis=-1)
    return ((kernel @ y / np.where(total == 0, 1, total) - y) ** 2).sum()


def loo_sorted_afterwards(x, y, bandwidths):
    return np.sort(bandwidths)[np.argmin([loo_error(x, y, h, lambda x: x[:, None]) for h in bandwidths])]


def loo_flat(x, y, bandwidths):
    return bandwidths[np.argmin([loo_error(x, y, h, lambda x: x) for h in bandwidths])]


def loo_one_point(x, y, bandwidths):
    best, least = None, np.inf
    for h in bandwidths:
        kernel = attnlib.gaussian_kernel(x[None], x[None], h)
        np.fill_diagonal(kernel, 0)
        error = ((attnlib.kernel_attention(x[None], x[None], y[None], lambda Q, K: kernel) - y) ** 2).sum()  # noqa: B023
        if error < least:
            best, least = h, error
    return best


def loo_of_none(x, y, bandwidths):
    best, least = None, np.inf
    for h in bandwidths:
        kernel = np.fill_diagonal(attnlib.gaussian_kernel(x[:, None], x[:, None], h), 0)
        error = ((kernel @ y / kernel.sum(axis=-1) - y) ** 2).sum()
        if error < least:
            best, least = h, error
    return best


def wrong_loo_with_the_size_of_the_sum(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        k = attnlib.gaussian_kernel(x[:, None], x[:, None], h)
        np.fill_diagonal(k, 0)
        s = k.sum(axis=1)
        pred = k @ y / np.where(s == 0, 1, s)
        errors.append(abs((pred - y).sum()))
    return bandwidths[np.argmin(errors)]


def error_of_candidate(x, y, h):
    kernel = attnlib.gaussian_kernel(x[:, None], x[:, None], h)
    np.fill_diagonal(kernel, 0)
    predicted = attnlib.kernel_attention(x[:, None], x[:, None], y[:, None], lambda Q, K: kernel)
    return ((predicted[:, 0] - y) ** 2).sum()


def stops_when_it_gets_worse(x, y, bandwidths):
    best = bandwidths[0]
    for h in bandwidths[1:]:
        if error_of_candidate(x, y, h) > error_of_candidate(x, y, best):
            break
        best = h
    return best


def least_starts_at_a_thousand(x, y, bandwidths):
    best, least = bandwidths[0], 1000
    for h in bandwidths:
        error = error_of_candidate(x, y, h)
        if error < least:
            best, least = h, error
    return best


def compares_with_the_last(x, y, bandwidths):
    previous, out = np.inf, None
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        np.fill_diagonal(kernel, 0)
        total = kernel.sum(axis=1)
        error = ((kernel @ y / np.where(total == 0, 1, total) - y) ** 2).sum()
        if error < previous:
            out = h
        previous = error
    return out


def mean_of_those_reached(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        np.fill_diagonal(kernel, 0)
        squares = (kernel @ y / kernel.sum(axis=1) - y) ** 2
        errors.append(np.mean(squares[~np.isnan(squares)]) if not np.isnan(squares).all() else np.inf)
    return bandwidths[np.argmin(errors)]


def loo_taking_its_own_off(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        G = np.exp(-((x[:, None] - x) ** 2) / (2 * h * h))
        total = G.sum(axis=1) - 1
        predicted = np.where(total > 0, (G @ y - y) / np.where(total > 0, total, 1), 0)
        errors.append(((predicted - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_taking_its_own_off_in_a_loop(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        error = 0
        for i in range(len(x)):
            g = np.exp(-((x - x[i]) ** 2) / (2 * h * h))
            total = g.sum() - g[i]
            predicted = ((g * y).sum() - g[i] * y[i]) / total if total > 0 else 0
            error += (predicted - y[i]) ** 2
        errors.append(error)
    return bandwidths[np.argmin(errors)]


WRONG = [
    (compares_with_the_last, "compared-with-last"),
    (mean_of_those_reached, "unreached-guessed"),
    (stops_when_it_gets_worse, "first-descent"),
    (least_starts_at_a_thousand, "low-start-first"),
    (loo_same_place, "same-place-left-out"),
    (loo_low_start, "low-start"),
    (loo_left_in, "not-left-out"),
    (loo_nan, "zero-over-zero"),
    (loo_nansum, "unreached-skipped"),
    (loo_never, "unreached-refused"),
    (loo_mean, "unreached-guessed"),
    (loo_nearest, "unreached-guessed"),
    (loo_by_softmax, "unreached-guessed"),
    (loo_of_x, "predicts-x"),
    (loo_largest, "largest"),
    (loo_never_updated, "last"),
    (loo_returns_in_the_loop, "first"),
    (loo_late, "left-out-late"),
    (loo_index, "index-returned"),
    (loo_absolute, "absolute-error"),
    (loo_smallest, "smallest"),
    (loo_middle, None),
    (loo_sorted_afterwards, "sorted-late"),
    (loo_flat, "flat-points"),
    (loo_one_point, "first"),
    (loo_of_none, "diagonal-of-nothing"),
    (wrong_loo_with_the_size_of_the_sum, "signed-error-size"),
    (loo_taking_its_own_off, "own-taken-off"),
    (loo_taking_its_own_off_in_a_loop, "own-taken-off"),
]
