import math

import numpy as np

from attnlib import hopfield_update, soft_lookup, softmax


def farthest(patterns, beta):
    return max(np.linalg.norm(hopfield_update(p, patterns, beta) - p) for p in patterns)


def halves_an_interval(patterns, tolerance):
    low, high = 0.0, 1000.0
    if farthest(patterns, low) <= tolerance:
        return 0.0
    if farthest(patterns, high) > tolerance:
        return np.inf
    while high - low > 1e-10:
        middle = (low + high) / 2
        if farthest(patterns, middle) > tolerance:
            low = middle
        else:
            high = middle
    return high


def doubles_then_halves(patterns, tolerance, *, digits=1e-11):
    def safe(beta):
        moves = [math.dist(soft_lookup(p, patterns, patterns, beta), p) for p in patterns]
        return max(moves) <= tolerance

    if safe(0):
        return 0
    high = 0.001
    while not safe(high):
        high *= 2
        if high > 2000:
            return math.inf
    low = high / 2
    while high - low > digits:
        middle = (low + high) / 2
        low, high = (low, middle) if safe(middle) else (middle, high)
    return high


def digit_by_digit(patterns, tolerance):
    if farthest(patterns, 1000.0) > tolerance:
        return float("inf")
    beta = 0.0
    for place in range(3, -11, -1):
        step = 10.0**place
        while farthest(patterns, beta + step) > tolerance:
            beta += step
    return 0.0 if farthest(patterns, 0.0) <= tolerance else beta


def each_pattern_for_itself(patterns, tolerance):
    worst = 0.0
    for p in patterns:
        low, high = 0.0, 1000.0
        if np.linalg.norm(softmax(high * patterns @ p) @ patterns - p) > tolerance:
            return np.inf
        for _ in range(50):
            middle = 0.5 * (low + high)
            if np.linalg.norm(softmax(middle * patterns @ p) @ patterns - p) > tolerance:
                low = middle
            else:
                high = middle
        worst = max(worst, high)
    return round(worst, 9)


def all_at_once(P, t):
    S = P @ P.T
    steps = np.array([0.0, 1000.0])
    moves = [np.sqrt(((softmax(b * S) @ P - P) ** 2).sum(axis=1)).max() for b in steps]
    if moves[0] <= t or moves[1] > t:
        return np.float64(0 if moves[0] <= t else np.inf)
    for _ in range(60):
        middle = steps.mean()
        steps[int(np.sqrt(((softmax(middle * S) @ P - P) ** 2).sum(axis=1)).max() <= t)] = middle
    return np.array(steps[1])


def secant_in_the_end(patterns, tolerance):
    if farthest(patterns, 0.0) <= tolerance:
        return 0.0
    low, high = 0.0, 1000.0
    if farthest(patterns, high) > tolerance:
        return math.inf
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if farthest(patterns, middle) <= tolerance else (middle, high)
    for _ in range(3):
        at_low, at_high = farthest(patterns, low) - tolerance, farthest(patterns, high) - tolerance
        low = low + (high - low) * at_low / (at_low - at_high)
    return low


VARIANTS = [
    halves_an_interval,
    doubles_then_halves,
    digit_by_digit,
    each_pattern_for_itself,
    all_at_once,
    secant_in_the_end,
]


def search(patterns, tolerance, measure):
    low, high = 0.0, 1000.0
    if measure(patterns, low) <= tolerance:
        return 0.0
    if measure(patterns, high) > tolerance:
        return math.inf
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if measure(patterns, middle) <= tolerance else (middle, high)
    return high


def asks_the_first(patterns, tolerance):
    return search(patterns, tolerance, lambda P, b: np.linalg.norm(hopfield_update(P[0], P, b) - P[0]))


def average_of_all(patterns, tolerance):
    def measure(P, b):
        return np.mean([np.linalg.norm(hopfield_update(p, P, b) - p) for p in P])

    return search(patterns, tolerance, measure)


def norm_of_the_matrix(patterns, tolerance):
    return search(patterns, tolerance, lambda P, b: np.linalg.norm(softmax(b * P @ P.T) @ P - P))


def worst_pixel(patterns, tolerance):
    return search(patterns, tolerance, lambda P, b: np.abs(softmax(b * P @ P.T) @ P - P).max())


def without_the_root(patterns, tolerance):
    return search(patterns, tolerance, lambda P, b: ((softmax(b * P @ P.T) @ P - P) ** 2).sum(axis=1).max())


def in_hundredths(patterns, tolerance):
    for step in range(3000):
        if farthest(patterns, step / 100) <= tolerance:
            return step / 100
    return math.inf


def only_doubles(patterns, tolerance):
    beta = 1.0
    while farthest(patterns, beta) <= tolerance and beta > 1e-9:
        beta /= 2
    while farthest(patterns, beta) > tolerance and beta < 1000:
        beta *= 2
    return beta if beta < 1000 else math.inf


def formula_for_pairs(patterns, tolerance):
    found = 0.0
    for i, p in enumerate(patterns):
        for j, q in enumerate(patterns):
            apart = np.linalg.norm(p - q)
            if i == j or apart <= 2 * tolerance:
                continue
            lead = p @ p - p @ q
            if lead <= 0:
                return math.inf
            found = max(found, math.log(apart / tolerance - 1) / lead)
    return found


def ends_at_its_limit(patterns, tolerance):
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if farthest(patterns, middle) <= tolerance else (middle, high)
    return high


def searches(patterns, tolerance, low=0.0, high=1000.0, rounds=100, ask_low=True, ask_high=True, move=farthest):
    if ask_low and move(patterns, low) <= tolerance:
        return low
    if ask_high and move(patterns, high) > tolerance:
        return math.inf
    for _ in range(rounds):
        middle = (low + high) / 2
        low, high = (low, middle) if move(patterns, middle) <= tolerance else (middle, high)
    return high


def only_up_to_100(patterns, tolerance):
    return searches(patterns, tolerance, high=100.0)


def never_infinite(patterns, tolerance):
    return searches(patterns, tolerance, ask_high=False)


def beyond_1000(patterns, tolerance):
    return searches(patterns, tolerance, high=1e6)


def far_and_never_infinite(patterns, tolerance):
    return searches(patterns, tolerance, high=1e6, ask_high=False)


def twenty_halvings(patterns, tolerance):
    return searches(patterns, tolerance, rounds=20)


def thirty_halvings(patterns, tolerance):
    return searches(patterns, tolerance, rounds=30)


def stops_at_a_millionth(patterns, tolerance):
    low, high = 0.0, 1000.0
    if farthest(patterns, low) <= tolerance:
        return low
    if farthest(patterns, high) > tolerance:
        return math.inf
    while high - low > 1e-6:
        middle = (low + high) / 2
        if farthest(patterns, middle) <= tolerance:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def begins_above_zero(patterns, tolerance):
    return searches(patterns, tolerance, low=0.01, ask_low=False)


def moves_the_wrong_end(patterns, tolerance):
    if farthest(patterns, 0) <= tolerance:
        return 0
    if farthest(patterns, 1000) > tolerance:
        return np.inf
    low, high = 0, 1000
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if farthest(patterns, middle) <= tolerance else (low, middle)
    return low


def after_ten_updates(patterns, tolerance):
    def move(patterns, beta):
        states = patterns
        for _ in range(10):
            states = np.array([hopfield_update(state, patterns, beta) for state in states])
        return np.linalg.norm(states - patterns, axis=1).max()

    return searches(patterns, tolerance, move=move)


def doubles_from_a_thousandth(patterns, tolerance):
    beta = 0.001
    while beta <= 1000:
        if farthest(patterns, beta) <= tolerance:
            return beta
        beta *= 2
    return np.inf


def formula_of_two(patterns, tolerance):
    first, second = patterns[:2]
    apart = np.linalg.norm(first - second)
    if apart / 2 <= tolerance:
        return 0
    return np.log(apart / tolerance - 1) / (first @ first - first @ second)


def doubles_to_512(patterns, tolerance):
    def largest_move(beta):
        return np.linalg.norm(softmax(beta * (patterns @ patterns.T)) @ patterns - patterns, axis=1).max()

    if largest_move(0) <= tolerance:
        return 0
    high = 1.0
    while largest_move(high) > tolerance:
        high *= 2
        if high > 1000:
            return np.inf
    low = 0 if high == 1 else high / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if largest_move(middle) <= tolerance else (middle, high)
    return high


WRONG = [
    (doubles_to_512, "gives-up-at-512"),
    (asks_the_first, "first-pattern-only"),
    (average_of_all, "average-move"),
    (norm_of_the_matrix, "whole-matrix"),
    (worst_pixel, "largest-pixel"),
    (without_the_root, "squared"),
    (in_hundredths, "ladder"),
    (only_doubles, "doubled"),
    (formula_for_pairs, "nearest-rival"),
    (ends_at_its_limit, "end-returned"),
    (only_up_to_100, "up-to"),
    (never_infinite, "end-returned"),
    (beyond_1000, "too-far"),
    (far_and_never_infinite, "end-returned"),
    (twenty_halvings, "halvings"),
    (thirty_halvings, "halvings"),
    (stops_at_a_millionth, "halvings"),
    (begins_above_zero, "begins-at"),
    (moves_the_wrong_end, "halves-exchanged"),
    (after_ten_updates, "ten-updates"),
    (doubles_from_a_thousandth, "doubled-from"),
    (formula_of_two, "formula-of-the-first-two"),
]
