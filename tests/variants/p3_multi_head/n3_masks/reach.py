"""`reach`: powers of a mask, in every way that asks only whether there is a way."""

import numpy as np


def layer_by_layer(mask, num_layers):
    reached = np.eye(len(mask), dtype=bool)
    for _ in range(num_layers):
        reached = mask @ reached
    return reached


def in_loops(mask, num_layers):
    n = len(mask)
    heard = [{i} for i in range(n)]
    for _ in range(num_layers):
        heard = [set().union(*(heard[j] for j in range(n) if mask[i][j])) for i in range(n)]
    return [[j in heard[i] for j in range(n)] for i in range(n)]


def by_recursion(mask, num_layers):
    if num_layers == 0:
        return np.identity(len(mask)) == 1
    return (by_recursion(mask, num_layers - 1).astype(int) @ np.asarray(mask).astype(int)) > 0


def with_einsum(mask, num_layers):
    reached = np.eye(len(mask))
    for _ in range(num_layers):
        reached = np.minimum(np.einsum("ij,jk->ik", np.asarray(mask, dtype=float), reached), 1)
    return reached.astype(bool)


def by_a_power_of_floats(mask, num_layers):
    return np.linalg.matrix_power(np.asarray(mask, dtype=float), num_layers) > 0


def forwards_from_each_token(mask, num_layers):
    rows = []
    for i in range(len(mask)):
        here = np.arange(len(mask)) == i
        for _ in range(num_layers):
            here = np.any(mask[here], axis=0) if here.any() else here
        rows.append(here)
    return np.array(rows)


def as_zeros_and_ones(mask, num_layers):
    return layer_by_layer(mask, num_layers).astype(int)


def with_more_arguments(mask, num_layers, *, verbose=False):
    return layer_by_layer(mask, num_layers)


VARIANTS = [
    layer_by_layer,
    in_loops,
    by_recursion,
    with_einsum,
    by_a_power_of_floats,
    forwards_from_each_token,
    as_zeros_and_ones,
    with_more_arguments,
]


def entry_by_entry(mask, num_layers):
    return mask**num_layers


def the_mask_itself(mask, num_layers):
    return mask & mask


def starts_from_the_mask(mask, num_layers):
    reached = mask
    for _ in range(num_layers):
        reached = reached @ mask
    return reached


def one_round_too_few(mask, num_layers):
    reached = np.eye(len(mask), dtype=bool)
    for _ in range(1, num_layers):
        reached = reached @ mask
    return reached


def adds_up(mask, num_layers):
    reached = np.eye(len(mask), dtype=bool)
    for _ in range(num_layers):
        reached |= reached @ mask
    return reached


def doubles(mask, num_layers):
    for _ in range(min(num_layers, 30)):
        mask = mask @ mask
    return mask


def the_wrong_way_round(mask, num_layers):
    return layer_by_layer(mask, num_layers).T


def whole_numbers_wrap_round(mask, num_layers):
    return np.linalg.matrix_power(mask.astype(int), num_layers) > 0


def starts_at_the_mask_in_the_first_layer(mask, num_layers):
    seen = mask
    for _ in range(num_layers - 1):
        seen = seen @ mask
    return seen


def joined_entry_by_entry(mask, num_layers):
    seen = np.eye(len(mask), dtype=bool)
    for _ in range(num_layers):
        seen = seen & mask
    return seen


def as_if_for_a_window(mask, num_layers):
    n = len(mask)
    width = mask[-1].sum()
    i = np.arange(n)
    back = i[:, None] - i[None, :]
    return (back >= 0) & (back <= num_layers * (width - 1))


def until_nothing_changes(mask, num_layers):
    seen = mask.copy()
    while True:
        more = seen | (seen @ seen)
        if (more == seen).all():
            return seen
        seen = more


def squares_after_the_first(mask, num_layers):
    if num_layers == 0:
        return np.eye(len(mask), dtype=bool)
    seen = mask
    for _ in range(num_layers - 1):
        seen = seen @ seen
    return seen


def all_of_those_it_hears(mask, num_layers):
    n = len(mask)
    seen = np.eye(n, dtype=bool)
    for _ in range(num_layers):
        new = np.zeros((n, n), dtype=bool)
        for i in range(n):
            new[i] = seen[mask[i]].all(axis=0)
        seen = new
    return seen


def over_the_old_rows(mask, num_layers):
    n = len(mask)
    seen = np.eye(n, dtype=bool)
    for _ in range(num_layers):
        for i in range(n):
            seen[i] = seen[mask[i]].any(axis=0)
    return seen


def everything_at_first(mask, num_layers):
    seen = np.ones(mask.shape, dtype=bool)
    for _ in range(num_layers):
        seen = mask @ seen
    return seen


def exactly_one_way(mask, num_layers):
    counts = np.eye(len(mask), dtype=int)
    for _ in range(num_layers):
        counts = np.minimum(mask.astype(int) @ counts, 2)
    return counts == 1


def until_no_more_is_reached(mask, num_layers):
    reached = np.eye(len(mask), dtype=bool)
    for _ in range(num_layers):
        further = mask @ reached
        if further.sum() <= reached.sum():
            break
        reached = further
    return reached


def shares_above_a_limit(mask, num_layers):
    shares = mask / np.maximum(mask.sum(axis=1, keepdims=True), 1)
    reached = np.eye(len(mask))
    for _ in range(num_layers):
        reached = shares @ reached
    return reached > 1e-9


# Each with the mistake that the judge should name, or None.


def by_a_power_of_whole_numbers(mask, num_layers):
    return np.linalg.matrix_power(mask.astype(int), num_layers) > 0


def by_powers_of_entries(mask, num_layers):
    return (mask.astype(int) ** num_layers).astype(bool)


def in_bytes(mask, num_layers):
    m = mask.astype(np.uint8)
    out = np.eye(len(m), dtype=np.uint8)
    for _ in range(num_layers):
        out = m @ out
    return out > 0


def puts_itself_back(mask, num_layers):
    return layer_by_layer(mask, num_layers) | np.eye(len(mask), dtype=bool)


def fills_the_diagonal(mask, num_layers):
    reached = layer_by_layer(mask, num_layers)
    np.fill_diagonal(reached, True)
    return reached


def adds_the_mask(mask, num_layers):
    return layer_by_layer(mask, num_layers) | mask


def shares_of_blind_rows(mask, num_layers):
    with np.errstate(invalid="ignore"):
        shares = mask / mask.sum(axis=1, keepdims=True)
    reached = np.eye(len(mask))
    for _ in range(num_layers):
        reached = shares @ reached
    return reached > 0


def returns_in_the_loop(mask, num_layers):
    reached = np.eye(len(mask), dtype=bool)
    for _ in range(num_layers):
        reached = mask @ reached
        return reached


def closure(mask, num_layers):
    if num_layers == 0:
        return np.eye(len(mask), dtype=bool)
    reached = mask.copy()
    for k in range(len(mask)):
        reached |= reached[:, k : k + 1] & reached[k]
    return reached


def cut_off_above(mask, num_layers):
    reached = np.eye(len(mask), dtype=bool)
    for _ in range(num_layers):
        reached = np.tril(mask @ reached)
    return reached


def from_the_second_row(mask, num_layers):
    reached = np.eye(len(mask), dtype=bool)
    for _ in range(num_layers):
        further = reached.copy()
        for i in range(1, len(mask)):
            further[i] = reached[mask[i]].any(axis=0)
        reached = further
    return reached


def from_the_first_to_itself(mask, num_layers):
    reached = np.zeros(mask.shape, dtype=bool)
    for i in range(len(mask)):
        first = i
        for _ in range(num_layers):
            seen = np.flatnonzero(mask[first])
            first = seen[0] if len(seen) else first
        reached[i, first : i + 1] = True
        reached[i, i] = True
    return reached


WRONG = [
    (entry_by_entry, "entry-by-entry"),
    (the_mask_itself, "one-layer"),
    (starts_from_the_mask, "one-too-many"),
    (one_round_too_few, "one-too-few"),
    (adds_up, "keeps-what-it-heard"),
    (doubles, "squared-each-time"),
    (the_wrong_way_round, "backwards"),
    (whole_numbers_wrap_round, "counts-overflow"),
    (starts_at_the_mask_in_the_first_layer, "mask-without-layers"),
    (joined_entry_by_entry, "one-entry-at-a-time"),
    (as_if_for_a_window, "window-of-the-last-row"),
    (until_nothing_changes, "any-depth"),
    (squares_after_the_first, "squared-afterwards"),
    (all_of_those_it_hears, "all-not-any"),
    (over_the_old_rows, "rows-in-place"),
    (everything_at_first, "starts-from-all"),
    (exactly_one_way, "one-way-only"),
    (until_no_more_is_reached, "stops-at-no-more"),
    (shares_above_a_limit, "faint-lost"),
    (by_a_power_of_whole_numbers, "counts-overflow"),
    (by_powers_of_entries, "entry-by-entry"),
    (in_bytes, "counts-overflow-in-bytes"),
    (puts_itself_back, "itself-added"),
    (fills_the_diagonal, "itself-added"),
    (adds_the_mask, "mask-added"),
    (shares_of_blind_rows, "blind-rows-divided"),
    (returns_in_the_loop, "first-round-only"),
    (closure, "any-depth-from-one"),
    (cut_off_above, "lower-triangle"),
    (from_the_second_row, "first-row-left"),
    (from_the_first_to_itself, "first-to-own"),
]
