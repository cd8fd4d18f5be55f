import math

import numpy as np


def as_the_hints_say(logits, targets):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return -logs[np.arange(len(targets)), targets].mean()


def row_by_row(logits, targets):
    total = 0.0
    for row, target in zip(logits, targets, strict=True):
        largest = max(row)
        total += math.log(sum(math.exp(z - largest) for z in row)) - (row[target] - largest)
    return total / len(targets)


def with_logaddexp(logits, targets):
    logits = np.asarray(logits, dtype=float)
    return float(np.mean(np.logaddexp.reduce(logits, axis=1) - np.take_along_axis(logits, targets[:, None], 1)[:, 0]))


def with_one_hot_targets(logits, targets):
    one_hot = np.eye(logits.shape[1])[targets]
    top = logits.max(axis=1)
    lse = top + np.log(np.exp(logits - top[:, None]).sum(axis=1))
    return np.sum(lse - (one_hot * logits).sum(axis=1)) / len(logits)


def differences_to_the_target(logits, targets):
    gaps = np.stack([row - row[t] for row, t in zip(np.asarray(logits, float), targets, strict=True)])
    most = np.maximum(gaps.max(axis=1), 0)
    return np.average(most + np.log(np.exp(gaps - most[:, None]).sum(1)))


def in_single_precision(logits, targets):
    z = np.asarray(logits, dtype=np.float32)
    z = z - z.max(1, keepdims=True)
    return (np.log(np.exp(z).sum(1)) - z[range(len(targets)), targets]).mean(keepdims=True)


VARIANTS = [
    as_the_hints_say,
    row_by_row,
    with_logaddexp,
    with_one_hot_targets,
    differences_to_the_target,
    in_single_precision,
]


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def log_of_softmax(logits, targets):
    return -np.log(softmax(logits)[np.arange(len(targets)), targets]).mean()


def with_an_epsilon(logits, targets):
    return -np.mean(np.log(softmax(logits)[np.arange(len(targets)), targets] + 1e-12))


def plain_exponentials(logits, targets):
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return -np.log(p[np.arange(len(targets)), targets]).mean()


def sum_of_losses(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return (np.log(np.exp(z).sum(-1)) - z[np.arange(len(z)), targets]).sum()


def columns_of_targets(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    logs = z - np.log(np.exp(z).sum(-1, keepdims=True))
    return -logs[:, targets].mean()


def forgets_the_minus(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return (z[np.arange(len(z)), targets] - np.log(np.exp(z).sum(-1))).mean()


def in_bits(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return (np.log(np.exp(z).sum(-1)) - z[np.arange(len(z)), targets]).mean() / math.log(2)


def mean_over_everything(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    logs = z - np.log(np.exp(z).sum(-1, keepdims=True))
    return -(logs * np.eye(logits.shape[1])[targets]).mean()


def one_minus_the_chance(logits, targets):
    return (1 - softmax(logits)[np.arange(len(targets)), targets]).mean()


def returns_in_the_loop(logits, targets):
    for row, target in zip(logits, targets, strict=True):
        z = row - row.max()
        return np.log(np.exp(z).sum()) - z[target]


def one_largest_for_all(logits, targets):
    shifted = logits - logits.max()
    return np.mean(np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(targets)), targets])


def one_hot_times_logarithm(logits, targets):
    return -(np.eye(logits.shape[1])[targets] * np.log(softmax(logits))).sum(axis=-1).mean()


def largest_off_the_sum_only(logits, targets):
    top = logits.max(axis=-1, keepdims=True)
    return (np.log(np.exp(logits - top).sum(axis=-1)) - logits[np.arange(len(targets)), targets]).mean()


def mean_before_the_logarithm(logits, targets):
    return -np.log(softmax(logits)[np.arange(len(targets)), targets].mean())


def counts_from_one(logits, targets):
    return -np.log(softmax(logits)[np.arange(len(targets)), targets - 1]).mean()


def counts_from_one_with_a_stable_logarithm(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    logs = z - np.log(np.exp(z).sum(-1, keepdims=True))
    return -logs[np.arange(len(targets)), targets - 1].mean()


def cut_off_below(logits, targets):
    chances = np.clip(softmax(logits), 1e-12, 1.0)
    return -np.log(chances[np.arange(len(targets)), targets]).mean()


def share_of_errors(logits, targets):
    return np.mean(logits.argmax(axis=-1) != targets)


def mean_chance(logits, targets):
    return softmax(logits)[np.arange(len(targets)), targets].mean()


def over_the_classes(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    logs = z - np.log(np.exp(z).sum(-1, keepdims=True))
    return -logs[np.arange(len(targets)), targets].sum() / logits.shape[1]


def powers_averaged(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    logs = z - np.log(np.exp(z).mean(-1, keepdims=True))
    return -logs[np.arange(len(targets)), targets].mean()


def only_below_the_largest(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return -z[np.arange(len(targets)), targets].mean()


def right_or_wrong_each(logits, targets):
    p, y = softmax(logits), np.eye(logits.shape[-1])[targets]
    return -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean()


def cut_off_at_a_billionth(logits, targets, least=1e-9):
    chances = np.maximum(softmax(logits), least)
    return -np.log(chances[np.arange(len(targets)), targets]).mean()


def cut_off_where_numbers_end(logits, targets):
    chances = softmax(logits)[np.arange(len(targets)), targets]
    return -np.mean(np.log(np.clip(chances, 1e-300, None)))


def cut_off_at_both_ends(logits, targets):
    eps = 1e-7
    chances = np.clip(softmax(logits), eps, 1 - eps)
    return -np.log(chances[np.arange(len(targets)), targets]).mean()


def a_little_more(logits, targets):
    return -np.mean([np.log(softmax(row)[target] + 10**-10) for row, target in zip(logits, targets, strict=True)])


def last_row_alone(logits, targets):
    p, t = softmax(logits), 0
    for i, k in enumerate(targets):
        t = -np.log(p[i, k])
    return t / len(targets)


def no_logarithm_below(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    l = z - np.exp(z).sum(axis=-1, keepdims=True)
    return -l[np.arange(len(targets)), targets].mean()


def not_a_number_is_a_number(logits, targets):
    with np.errstate(all="ignore"):
        l = np.nan_to_num(np.log(softmax(logits)))
    return -l[np.arange(len(targets)), targets].mean()


def one_class_on(logits, targets):
    l = np.log(softmax(logits))
    return -l[np.arange(len(targets)), (targets + 1) % logits.shape[1]].mean()


def a_row_of_losses(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    l = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -l[np.arange(len(targets)), targets]


def a_mean_of_all_the_others(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    l = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -(l * np.eye(logits.shape[1])[targets]).mean()


def logarithm_of_the_difference(logits, targets):
    z = logits - logits.max(1, keepdims=True)
    return -(np.log(z[np.arange(len(z)), targets]) - np.log(np.exp(z).sum(1))).mean()


def one_index_only(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    z = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -z[targets].mean()


def one_index_only_of_the_logits(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return (np.log(np.exp(z).sum(axis=-1)) - z[targets]).mean()


def without_the_targets(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return np.log(np.exp(z).sum(-1)).mean()


def logarithm_of_the_sum_alone(logits, targets):
    top = logits.max(axis=-1)
    return (top + np.log(np.exp(logits - top[:, None]).sum(-1))).mean()


def one_sum_of_all(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return (np.log(np.exp(z).sum()) - z[np.arange(len(targets)), targets]).mean()


def largest_off_again(logits, targets):
    m = logits.max(axis=-1)
    return (np.log(np.exp(logits - m[:, None]).sum(-1)) - m - logits[np.arange(len(targets)), targets]).mean()


def parenthesis_too_early(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return (np.log(np.exp(z)).sum(-1) - z[np.arange(len(targets)), targets]).mean()


def in_tens(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return ((np.log(np.exp(z).sum(-1)) - z[np.arange(len(targets)), targets]) / np.log(10)).mean()


def others_in_the_sum(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    powers = np.exp(z)
    own = powers[np.arange(len(targets)), targets]
    return (np.log(powers.sum(-1) - own) - np.log(own)).mean()


def squares_of_what_is_off(logits, targets):
    return ((softmax(logits) - np.eye(logits.shape[1])[targets]) ** 2).sum(-1).mean()


def logits_cut_off(logits, targets):
    z = np.clip(logits, -500, 500)
    return (np.log(np.exp(z).sum(-1)) - z[np.arange(len(targets)), targets]).mean()


def by_the_largest(logits, targets):
    z = logits / logits.max(axis=-1, keepdims=True)
    return (np.log(np.exp(z).sum(-1)) - z[np.arange(len(targets)), targets]).mean()


def middle_one(logits, targets):
    z = logits - logits.max(axis=-1, keepdims=True)
    return np.median(np.log(np.exp(z).sum(-1)) - z[np.arange(len(targets)), targets])


# Each with the mistake that the judge should name, or None.
def a_number_for_an_infinite_loss(logits, targets):
    with np.errstate(all="ignore"):
        loss = -np.log(softmax(logits)[np.arange(len(targets)), targets]).mean()
    return 2000 if np.isinf(loss) else loss


def a_number_for_a_chance_of_0(logits, targets):
    p = softmax(logits)[np.arange(len(targets)), targets]
    with np.errstate(all="ignore"):
        return np.where(p > 0, -np.log(p), 2000).mean()


def the_spread_for_an_infinite_loss(logits, targets):
    with np.errstate(all="ignore"):
        loss = -np.log(softmax(logits)[np.arange(len(targets)), targets]).mean()
    return logits.max() - logits.min() if np.isinf(loss) else loss


def largest_size_off(logits, targets):
    z = logits - np.abs(logits).max(-1, keepdims=True)
    with np.errstate(all="ignore"):
        return (np.log(np.exp(z).sum(-1)) - z[np.arange(len(z)), targets]).mean()


def largest_of_each_column_off(logits, targets):
    z = logits - logits.max(axis=0)
    return (np.log(np.exp(z).sum(-1)) - z[np.arange(len(z)), targets]).mean()


def target_s_logit_off(logits, targets):
    z = logits - logits[np.arange(len(logits)), targets][:, None]
    with np.errstate(all="ignore"):
        return np.log(np.exp(z).sum(-1)).mean()


WRONG = [
    (target_s_logit_off, "log-of-zero"),
    (largest_of_each_column_off, "maximum-of-columns"),
    (largest_size_off, "largest-size"),
    (the_spread_for_an_infinite_loss, None),
    (a_number_for_a_chance_of_0, "number-for-infinity"),
    (a_number_for_an_infinite_loss, "loss-replaced"),
    (without_the_targets, "best-class"),
    (logarithm_of_the_sum_alone, "target-forgotten"),
    (one_sum_of_all, "one-sum"),
    (largest_off_again, "maximum-sign"),
    (parenthesis_too_early, "log-before-sum"),
    (in_tens, "base-ten"),
    (others_in_the_sum, "sum-without-target"),
    (squares_of_what_is_off, "squared-error"),
    (logits_cut_off, "logits-clipped"),
    (by_the_largest, "divided-by-largest"),
    (middle_one, "median"),
    (one_index_only, "targets-pick-rows"),
    (one_index_only_of_the_logits, "targets-pick-rows-of-logits"),
    (logarithm_of_the_difference, "log-of-the-logit"),
    (last_row_alone, "last-row-only"),
    (no_logarithm_below, "no-logarithm-of-the-sum"),
    (not_a_number_is_a_number, "infinity-replaced"),
    (one_class_on, "class-after"),
    (a_row_of_losses, "rows-not-averaged"),
    (a_mean_of_all_the_others, "over-all"),
    (cut_off_at_a_billionth, "clipped"),
    (cut_off_where_numbers_end, "clipped"),
    (cut_off_at_both_ends, "clipped-both"),
    (a_little_more, "a-little-more"),
    (mean_chance, "no-logarithm-no-minus"),
    (over_the_classes, "by-classes"),
    (powers_averaged, "mean-of-powers"),
    (only_below_the_largest, "no-sum"),
    (right_or_wrong_each, None),
    (cut_off_below, "clipped"),
    (share_of_errors, "errors-counted"),
    (log_of_softmax, "log-of-zero"),
    (with_an_epsilon, "a-little-more"),
    (plain_exponentials, "no-maximum"),
    (sum_of_losses, "summed"),
    (columns_of_targets, "every-pair"),
    (forgets_the_minus, "sign-turned"),
    (in_bits, "base-two"),
    (mean_over_everything, "over-all"),
    (one_minus_the_chance, None),
    (returns_in_the_loop, "first-row-only"),
    (one_largest_for_all, "one-maximum"),
    (one_hot_times_logarithm, "no-maximum"),
    (largest_off_the_sum_only, "maximum-off-the-sum-only"),
    (mean_before_the_logarithm, "log-of-the-mean"),
    (counts_from_one, "class-before"),
    (counts_from_one_with_a_stable_logarithm, "class-before"),
]
