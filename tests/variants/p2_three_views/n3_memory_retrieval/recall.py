import numpy as np

from attnlib import hopfield_update, soft_lookup, softmax


def loop_of_updates(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = hopfield_update(picture, patterns, beta)
    return picture


def loop_of_lookups(picture, patterns, beta, steps):
    state = picture.copy()
    while steps > 0:
        state = soft_lookup(state, patterns, patterns, beta)
        steps -= 1
    return state


def recursion(picture, patterns, beta, steps):
    if steps == 0:
        return picture
    return recursion(hopfield_update(picture, patterns, beta), patterns, beta, steps - 1)


def list_of_states(picture, patterns, beta, steps, keep=False):
    states = [picture]
    for _ in range(steps):
        states.append(patterns.T @ softmax(beta * patterns @ states[-1]))
    return states[-1].tolist()


def only_the_weights_travel(picture, patterns, beta, steps):
    overlaps = patterns @ patterns.T
    weights = softmax(beta * (patterns @ picture))
    for _ in range(steps - 1):
        weights = softmax(beta * (overlaps @ weights))
    return weights @ patterns


def recall_in_single_precision(picture, patterns, beta, steps):
    state = np.float32(picture)
    for _ in range(steps):
        state = np.float32(hopfield_update(state, np.float32(patterns), beta))
    return state


VARIANTS = [
    loop_of_updates,
    loop_of_lookups,
    recursion,
    list_of_states,
    only_the_weights_travel,
    recall_in_single_precision,
]


def always_from_the_picture(picture, patterns, beta, steps):
    for _ in range(steps):
        state = hopfield_update(picture, patterns, beta)
    return state


def once_before_the_loop(picture, patterns, beta, steps):
    state = hopfield_update(picture, patterns, beta)
    for _ in range(steps):
        state = hopfield_update(state, patterns, beta)
    return state


def range_from_one(picture, patterns, beta, steps):
    for _ in range(1, steps):
        picture = hopfield_update(picture, patterns, beta)
    return picture


def sign_at_the_end(picture, patterns, beta, steps):
    return np.sign(loop_of_updates(picture, patterns, beta, steps))


def sign_in_the_loop(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = np.sign(hopfield_update(picture, patterns, beta))
    return picture


def forgets_to_return(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = hopfield_update(picture, patterns, beta)


def stops_when_it_hardly_moves(picture, patterns, beta, steps):
    for _ in range(steps):
        new = hopfield_update(picture, patterns, beta)
        if np.abs(new - picture).max() < 1e-2:
            return new
        picture = new
    return picture


def goes_on_until_it_stands(picture, patterns, beta, steps):
    new = hopfield_update(picture, patterns, beta)
    while np.abs(new - picture).max() > 1e-12:
        picture, new = new, hopfield_update(new, patterns, beta)
    return new


def rounded_to_two_decimals(picture, patterns, beta, steps):
    return loop_of_updates(picture, patterns, beta, steps).round(2)


def grows_sharper(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = hopfield_update(picture, patterns, beta)
        beta = beta * 2
    return picture


def stops_within_a_thousandth(picture, patterns, beta, steps):
    for _ in range(steps):
        new = hopfield_update(picture, patterns, beta)
        if np.allclose(new, picture, atol=1e-3):
            break
        picture = new
    return picture


def asks_with_the_picture_as_well(picture, patterns, beta, steps):
    state = picture
    for _ in range(steps):
        state = hopfield_update((state + picture) / 2, patterns, beta)
    return state


def returns_in_the_first_round(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = hopfield_update(picture, patterns, beta)
        return picture


def hands_the_patterns_over_first(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = softmax(beta * (picture @ patterns)) @ picture
    return picture


def counts_with_beta(picture, patterns, beta, steps):
    for beta in range(steps):
        picture = hopfield_update(picture, patterns, beta)
    return picture


def rounds_to_three_decimals(picture, patterns, beta, steps):
    for _ in range(steps):
        picture = hopfield_update(picture, patterns, beta).round(3)
    return picture


def stops_when_all_is_close(picture, patterns, beta, steps):
    for _ in range(steps):
        new = hopfield_update(picture, patterns, beta)
        if np.allclose(new, picture):
            break
        picture = new
    return picture


def stops_within_a_millionth(picture, patterns, beta, steps):
    for _ in range(steps):
        new = hopfield_update(picture, patterns, beta)
        if np.abs(new - picture).max() < 1e-6:
            return new
        picture = new
    return picture


def beta_to_a_power(picture, patterns, beta, steps):
    return hopfield_update(picture, patterns, beta**steps)


def updates_the_weights(picture, patterns, beta, steps):
    weights = patterns @ picture
    for _ in range(steps):
        weights = softmax(beta * weights)
    return weights @ patterns


def rounds_all_but_the_last(picture, patterns, beta, steps):
    state = picture
    for step in range(steps):
        state = softmax(beta * (patterns @ state)) @ patterns
        if step < steps - 1:
            state = np.where(state >= 0, 1.0, -1.0)
    return state


def a_hundred_steps(picture, patterns, beta, steps):
    for _ in range(100):
        picture = softmax(beta * (patterns @ picture)) @ patterns
    return picture


def stores_the_state_first(picture, patterns, beta, steps):
    for _ in range(steps):
        patterns = np.vstack([patterns, picture])
        picture = softmax(beta * (patterns @ picture)) @ patterns
    return picture


def calls_itself_for_ever(picture, patterns, beta, steps):
    if steps == 0:
        return picture
    return calls_itself_for_ever(softmax(beta * (patterns @ picture)) @ patterns, patterns, beta, steps)


WRONG = [
    (updates_the_weights, "weights-updated"),
    (rounds_all_but_the_last, "rounds-between"),
    (a_hundred_steps, "steps-of-your-own"),
    (stores_the_state_first, "patterns-grow-first"),
    (calls_itself_for_ever, "endless-recursion"),
    (stops_when_all_is_close, "stops-close"),
    (stops_within_a_millionth, "stops-close"),
    (stops_within_a_thousandth, "stops-before"),
    (asks_with_the_picture_as_well, "picture-asks-too"),
    (returns_in_the_first_round, "one-step"),
    (stops_when_it_hardly_moves, "stops-early"),
    (goes_on_until_it_stands, "until-still"),
    (rounded_to_two_decimals, "rounded"),
    (always_from_the_picture, "one-step"),
    (once_before_the_loop, "one-step-more"),
    (range_from_one, "one-step-less"),
    (sign_at_the_end, "signs"),
    (sign_in_the_loop, "rounds-each-step"),
    (forgets_to_return, "returns-none"),
    (grows_sharper, "beta-grows"),
    (hands_the_patterns_over_first, "places-exchanged"),
    (counts_with_beta, "round-as-beta"),
    (rounds_to_three_decimals, "decimals"),
    (beta_to_a_power, "beta-to-the-steps"),
]
