import math

import numpy as np


def powers_over_sum(scores):
    powers = np.exp(scores)
    return powers / powers.sum()


def highest_taken_off(scores):
    powers = np.exp(scores - np.max(scores))
    return powers / np.sum(powers)


def loops(scores):
    total = 0.0
    for score in scores:
        total += math.exp(score)
    result = []
    for score in scores:
        result.append(math.exp(score) / total)
    return result


def power_of_e(scores):
    return math.e**scores / sum(math.e**scores)


def one_over(scores):
    return np.array([1 / sum(np.exp(other - score) for other in scores) for score in scores])


def by_logarithms(scores):
    return np.exp(scores - np.log(np.exp(scores).sum()))


def single_precision(scores):
    powers = np.exp(np.asarray(scores, dtype=np.float32))
    return powers / powers.sum()


def a_tuple(numbers):
    powers = [np.exp(number) for number in numbers]
    return tuple(power / sum(powers) for power in powers)


VARIANTS = [
    powers_over_sum,
    highest_taken_off,
    loops,
    power_of_e,
    one_over,
    by_logarithms,
    single_precision,
    a_tuple,
]


def plain_ratio(scores):
    return scores / scores.sum()


def squared(scores):
    return scores**2 / np.sum(scores**2)


def without_signs(scores):
    return abs(scores) / abs(scores).sum()


def powers_only(scores):
    return np.exp(scores)


def over_the_largest(scores):
    powers = np.exp(scores)
    return powers / max(powers)


def mean_of_powers(scores):
    return np.exp(scores) / len(scores)


def over_the_scores(scores):
    return np.exp(scores) / scores.sum()


def divides_in_the_loop(scores):
    result, total = [], 0
    for score in scores:
        total += np.exp(score)
        result.append(np.exp(score) / total)
    return result


def power_of_the_total(scores):
    return np.exp(scores) / np.exp(scores.sum())


def the_sum_of_the_table(scores):
    return np.exp(scores) / (np.exp(2) + np.exp(0) + np.exp(0) + np.exp(3))


def the_table_without_brackets(scores):
    return np.exp(scores) / np.exp(2) + np.exp(0) + np.exp(0) + np.exp(3)


def without_brackets(scores):
    powers = [np.exp(score) for score in scores]
    return [power / powers[0] + sum(powers[1:]) for power in powers]


def replaced_one_by_one(scores):
    powers = np.exp(scores)
    for i in range(len(powers)):
        powers[i] = powers[i] / sum(powers)
    return powers


def exponential_at_the_end(scores):
    return np.exp(scores / np.sum(scores))


def two_to_the(scores):
    powers = 2.0**scores
    return powers / powers.sum()


def ten_to_the(scores):
    powers = 10.0**scores
    return powers / powers.sum()


def one_by_one(scores):
    return np.exp(scores) / (1 + np.exp(scores))


def logarithms(scores):
    return scores - np.log(np.exp(scores).sum())


def winner(scores):
    result = np.zeros(len(scores))
    result[np.argmax(scores)] = 1
    return result


def largest_first(scores):
    powers = np.exp(np.sort(scores)[::-1])
    return powers / powers.sum()


def made_like_the_scores(scores):
    result = np.zeros_like(scores)
    for i in range(len(scores)):
        result[i] = np.exp(scores[i]) / np.exp(scores).sum()
    return result


def equal(scores):
    return np.ones(len(scores)) / len(scores)


def prints_them(scores):
    print(np.exp(scores) / np.exp(scores).sum())


def rounded(scores):
    return (np.exp(scores) / np.exp(scores).sum()).round(1)


def the_example(scores):
    return np.array([0.25, 0.25, 0.5])


def the_power_the_other_way_round(scores):
    powers = scores**np.e
    return powers / sum(powers)


def shares_of_the_others(scores):
    powers = np.exp(scores)
    return powers / (powers.sum() - powers)


def all_the_best(scores):
    return (scores == scores.max()) * 1.0


def less_one(scores):
    powers = np.expm1(scores)
    return powers / powers.sum()


def above_the_least(scores):
    above = scores - scores.min()
    return above / above.sum()


def without_decimals(scores):
    powers = np.exp(scores)
    return powers // powers.sum()


WRONG = [
    (all_the_best, "all-best"),
    (less_one, "one-less"),
    (above_the_least, "from-the-least"),
    (without_decimals, "all-zeros"),
    (shares_of_the_others, "own-power-left-out"),
    (the_power_the_other_way_round, "scores-to-the-e"),
    (plain_ratio, "ratio"),
    (squared, "squares"),
    (without_signs, "absolute"),
    (powers_only, "not-normalised"),
    (over_the_largest, "divided-by-largest"),
    (mean_of_powers, "divided-by-count"),
    (over_the_scores, "sum-of-scores"),
    (divides_in_the_loop, "total-so-far"),
    (power_of_the_total, "power-of-the-sum"),
    (the_sum_of_the_table, "table-sum"),
    (the_table_without_brackets, "table-sum-unbracketed"),
    (without_brackets, "sum-unbracketed"),
    (replaced_one_by_one, "divided-in-place"),
    (exponential_at_the_end, "exponential-late"),
    (two_to_the, "base-two"),
    (ten_to_the, "base-ten"),
    (one_by_one, "sigmoid"),
    (logarithms, "logarithm"),
    (winner, "best-only"),
    (largest_first, "sorted"),
    (made_like_the_scores, "whole-numbers"),
    (equal, "uniform"),
    (prints_them, "prints-result"),
    (rounded, None),
    (the_example, "same-for-every-input"),
]
