from functools import cache

import numpy as np


def by_table_and_pointers(weights):
    logs = np.log(weights)
    n, m = logs.shape
    best, came_from = logs.copy(), np.zeros((n, m), dtype=int)
    for i in range(1, n):
        for j in range(m):
            came_from[i, j] = best[i - 1, : j + 1].argmax()
            best[i, j] += best[i - 1, came_from[i, j]]
    places = [int(best[-1].argmax())]
    for i in range(n - 1, 0, -1):
        places.insert(0, int(came_from[i, places[0]]))
    return np.array(places)


def by_running_maxima(weights):
    best = [np.log(weights[0])]
    for row in weights[1:]:
        best.append(np.log(row) + np.maximum.accumulate(best[-1]))
    end, places = weights.shape[1], []
    for row in reversed(best):
        places.append(row[:end].argmax())
        end = places[-1] + 1
    return places[::-1]


def by_recursion(weights):
    n, m = weights.shape
    logs = np.log(weights)

    @cache
    def best(i, j):
        """The best sum and places of the words from i on, with source words from j on."""
        if i == n:
            return 0.0, ()
        if j == m:
            return -np.inf, ()
        ahead, places = best(i + 1, j)
        return max((logs[i, j] + ahead, (j, *places)), best(i, j + 1), key=lambda found: found[0])

    return list(best(0, 0)[1])


def by_costs_in_plain_python(weights):
    costs = (-np.log(weights)).tolist()
    ways = [(cost, [j]) for j, cost in enumerate(costs[0])]
    for row in costs[1:]:
        ways = [
            (lambda way, cost=cost, j=j: (way[0] + cost, [*way[1], j]))(min(ways[: j + 1]))
            for j, cost in enumerate(row)
        ]
    return min(ways)[1]


def by_a_safe_logarithm(weights):
    return by_table_and_pointers(np.asarray(weights) + 1e-12)


def in_single_precision(weights):
    return by_running_maxima(weights.astype(np.float32))


def by_a_matrix_of_steps(weights, verbose=False):
    logs, m = np.log(weights), weights.shape[1]
    forbidden = np.where(np.arange(m)[:, None] <= np.arange(m), 0.0, -1e12)
    total, pointers = logs[0], []
    for row in logs[1:]:
        reached = total[:, None] + forbidden
        pointers.append(reached.argmax(axis=0))
        total = reached.max(axis=0) + row
    at = total.argmax()
    places = [at]
    for pointer in pointers[::-1]:
        at = pointer[at]
        places = [at, *places]
    return np.array(places, dtype=np.int32)


def by_the_end_first(weights):
    """From the last word to the first: then the way is read off forwards."""
    logs = np.log(weights)
    ahead = logs.copy()
    for i in range(len(logs) - 2, -1, -1):
        ahead[i] += np.maximum.accumulate(ahead[i + 1][::-1])[::-1]
    places, at = [], 0
    for row in ahead:
        at = at + int(np.argmax(row[at:]))
        places.append(at)
    return places


VARIANTS = [
    by_table_and_pointers,
    by_running_maxima,
    by_recursion,
    by_costs_in_plain_python,
    by_a_safe_logarithm,
    in_single_precision,
    by_a_matrix_of_steps,
    by_the_end_first,
]


def best_of_each_row(weights):
    return weights.argmax(axis=-1)


def best_still_ahead(weights):
    places = [int(weights[0].argmax())]
    for row in weights[1:]:
        places.append(places[-1] + int(row[places[-1] :].argmax()))
    return places


def never_lower(weights):
    return np.maximum.accumulate(np.argmax(weights, axis=1))


def adds_weights(weights):
    n, m = weights.shape
    best = weights.copy()
    for i in range(1, n):
        best[i] += np.maximum.accumulate(best[i - 1])
    at, places = m, []
    for row in best[::-1]:
        at = row[: at + 1].argmax()
        places.append(at)
    return places[::-1]


def multiplies(weights):
    n, m = weights.shape
    best, came_from = weights.copy(), np.zeros((n, m), dtype=int)
    for i in range(1, n):
        for j in range(m):
            came_from[i, j] = best[i - 1, : j + 1].argmax()
            best[i, j] *= best[i - 1, came_from[i, j]]
    places = [int(best[-1].argmax())]
    for i in range(n - 1, 0, -1):
        places.append(int(came_from[i, places[-1]]))
    return places[::-1]


def forgets_to_turn_round(weights):
    return by_running_maxima(weights)[::-1]


def moves_on_always(weights):
    logs = np.log(weights)
    n, m = logs.shape
    best, came_from = np.full((n, m), -np.inf), np.zeros((n, m), dtype=int)
    best[0] = logs[0]
    for i in range(1, n):
        for j in range(1, m):
            came_from[i, j] = best[i - 1, :j].argmax()
            best[i, j] = logs[i, j] + best[i - 1, came_from[i, j]]
    places = [int(best[-1].argmax())]
    for i in range(n - 1, 0, -1):
        places.append(int(came_from[i, places[-1]]))
    return np.array(places[::-1])


def best_of_each_row_of_sums(weights):
    best = np.log(weights)
    for i in range(1, len(best)):
        best[i] += np.maximum.accumulate(best[i - 1])
    return best.argmax(axis=1)


def as_in_time_warping(weights):
    logs = np.log(weights)
    n, m = logs.shape
    best, came_from = np.full((n, m), -np.inf), np.zeros((n, m), dtype=int)
    best[0, 0] = logs[0, 0]
    for i in range(1, n):
        for j in range(m):
            came_from[i, j] = best[i - 1, : j + 1].argmax()
            best[i, j] = logs[i, j] + best[i - 1, came_from[i, j]]
    places = [m - 1]
    for i in range(n - 1, 0, -1):
        places.append(int(came_from[i, places[-1]]))
    return np.array(places[::-1])


def as_pairs(weights):
    return list(enumerate(by_running_maxima(weights)))


def slice_not_empty(weights):
    logs = np.log(weights)
    n, m = logs.shape
    best = np.zeros((n, m))
    back = np.zeros((n, m), dtype=int)
    best[0] = logs[0]
    for i in range(1, n):
        for j in range(m):
            k = int(np.argmax(best[i - 1, : max(j, 1)]))
            best[i, j] = best[i - 1, k] + logs[i, j]
            back[i, j] = k
    places = [int(np.argmax(best[-1]))]
    for i in range(n - 1, 0, -1):
        places.append(int(back[i, places[-1]]))
    return np.array(places[::-1])


def before_by_its_own_weight(weights):
    logs = np.log(weights)
    n, m = logs.shape
    best = np.zeros((n, m))
    back = np.zeros((n, m), dtype=int)
    best[0] = logs[0]
    for i in range(1, n):
        for j in range(m):
            k = int(np.argmax(logs[i - 1, : j + 1]))
            best[i, j] = best[i - 1, k] + logs[i, j]
            back[i, j] = k
    places = [int(np.argmax(best[-1]))]
    for i in range(n - 1, 0, -1):
        places.append(int(back[i, places[-1]]))
    return np.array(places[::-1])


def walks_back_without_staying(weights):
    L = np.log(weights)
    n = len(L)
    best = L.copy()
    for i in range(1, n):
        best[i] += np.maximum.accumulate(best[i - 1])
    places = np.zeros(n, dtype=int)
    places[-1] = best[-1].argmax()
    for i in range(n - 2, -1, -1):
        places[i] = best[i, : max(places[i + 1], 1)].argmax()
    return places


# Each with the mistake that the judge should name, or None.
def over_its_own_row(weights):
    logs = np.log(weights)
    n, m = logs.shape
    sums, came_from = logs[0].copy(), np.zeros((n, m), dtype=int)
    for i in range(1, n):
        for j in range(m):
            came_from[i, j] = sums[: j + 1].argmax()
            sums[j] = sums[came_from[i, j]] + logs[i, j]
    places = [int(sums.argmax())]
    for i in range(n - 1, 0, -1):
        places.insert(0, int(came_from[i, places[0]]))
    return np.array(places)


def over_its_own_ways(weights):
    logs = np.log(weights)
    sums, ways = list(logs[0]), [[j] for j in range(logs.shape[1])]
    for row in logs[1:]:
        for j, gain in enumerate(row):
            k = max(range(j + 1), key=lambda k: sums[k])
            sums[j] = sums[k] + gain
            ways[j] = ways[k] + [j]
    return np.array(ways[int(np.argmax(sums))])


def table_from_the_front(weights):
    sums = np.log(weights)
    for i in range(1, len(sums)):
        sums[i] += np.maximum.accumulate(sums[i - 1])
    places, at = [], 0
    for row in sums:
        at += int(row[at:].argmax())
        places.append(at)
    return np.array(places)


def aligned_by(sums):
    """The places of the best alignment, from what each pair adds to a sum."""
    came_from, total = [], sums[0]
    for row in sums[1:]:
        before = [int(np.argmax(total[: j + 1])) for j in range(len(total))]
        total = total[before] + row
        came_from.append(before)
    places = [int(np.argmax(total))]
    for before in came_from[::-1]:
        places.append(before[places[-1]])
    return np.array(places[::-1])


def never_of_zero(weights):
    return aligned_by(np.log(weights + 1e-6))


def far_from_zero(weights):
    return aligned_by(np.log(weights + 0.001))


def pointers_from_the_front(weights):
    best, came_from = [np.log(weights[0])], []
    for row in np.log(weights[1:]):
        before = [int(best[-1][: j + 1].argmax()) for j in range(len(row))]
        best.append(row + best[-1][before])
        came_from.append(before)
    places = [int(best[-1].argmax())]
    for before in came_from:
        places.append(before[places[-1]])
    return places[::-1]


def none_above_zero(weights):
    sums, came_from = np.log(weights), np.zeros(weights.shape, dtype=int)
    for i in range(1, len(sums)):
        for j in range(sums.shape[1]):
            largest = 0
            for k in range(j + 1):
                if sums[i - 1, k] > largest:
                    largest, came_from[i, j] = sums[i - 1, k], k
            sums[i, j] += largest
    places = [int(sums[-1].argmax())]
    for i in range(len(sums) - 1, 0, -1):
        places.insert(0, int(came_from[i, places[0]]))
    return places


def minimum_from_the_end(weights):
    return np.minimum.accumulate(weights.argmax(axis=1)[::-1])[::-1]


WRONG = [
    (over_its_own_row, "row-overwritten"),
    (over_its_own_ways, "ways-overwritten"),
    (best_of_each_row, "row-by-row"),
    (best_still_ahead, "greedy"),
    (never_lower, "running-maximum"),
    (adds_weights, "sum-of-weights"),
    (multiplies, "product"),
    (forgets_to_turn_round, "not-turned"),
    (moves_on_always, "strictly-forward"),
    (best_of_each_row_of_sums, "table-maxima"),
    (as_in_time_warping, "from-first-to-last"),
    (as_pairs, "pairs"),
    (slice_not_empty, "strictly-forward-but-first"),
    (before_by_its_own_weight, "before-by-weights"),
    (walks_back_without_staying, "walks-back-strictly"),
    (table_from_the_front, "greedy"),
    (never_of_zero, "small-number-added"),
    (far_from_zero, "small-number-added"),
    (pointers_from_the_front, "pointers-from-the-front"),
    (none_above_zero, "best-from-zero"),
    (minimum_from_the_end, "running-minimum"),
]
