import copy

import numpy as np


def a_comprehension(parameters, gradients, learning_rate):
    return {name: parameters[name] - learning_rate * gradients[name] for name in parameters}


def a_loop(parameters, gradients, learning_rate):
    moved = {}
    for name, gradient in gradients.items():
        moved[name] = parameters[name] + -learning_rate * gradient
    return moved


def a_copy_of_each(parameters, gradients, learning_rate):
    moved = {name: array.copy() for name, array in parameters.items()}
    for name in moved:
        moved[name] -= learning_rate * gradients[name]
    return moved


def a_deep_copy(parameters, gradients, learning_rate):
    moved = copy.deepcopy(parameters)
    for name in gradients:
        moved[name] -= np.multiply(learning_rate, gradients[name])
    return moved


def in_lists(parameters, gradients, learning_rate):
    return {
        name: (np.array(array) - np.array(gradients[name]) * learning_rate).tolist()
        for name, array in parameters.items()
    }


def with_dict_and_zip(parameters, gradients, learning_rate):
    names = sorted(parameters)
    return dict(zip(names, [parameters[n] - learning_rate * gradients[n] for n in names], strict=True))


def entry_by_entry(parameters, gradients, learning_rate):
    moved = {}
    for name, array in parameters.items():
        new = np.empty_like(array)
        for place in np.ndindex(array.shape):
            new[place] = array[place] - learning_rate * gradients[name][place]
        moved[name] = new
    return moved


VARIANTS = [a_comprehension, a_loop, a_copy_of_each, a_deep_copy, in_lists, with_dict_and_zip, entry_by_entry]


def uphill(parameters, gradients, learning_rate):
    return {name: parameters[name] + learning_rate * gradients[name] for name in parameters}


def in_place(parameters, gradients, learning_rate):
    for name in parameters:
        parameters[name] -= learning_rate * gradients[name]
    return parameters


def the_same_dict(parameters, gradients, learning_rate):
    for name in parameters:
        parameters[name] = parameters[name] - learning_rate * gradients[name]
    return parameters


def a_flat_copy(parameters, gradients, learning_rate):
    moved = dict(parameters)
    for name in moved:
        moved[name] -= learning_rate * gradients[name]
    return moved


def by_their_places(parameters, gradients, learning_rate):
    pairs = zip(parameters.items(), gradients.values(), strict=True)
    return {name: array - learning_rate * gradient for (name, array), gradient in pairs}


def by_sorted_names(parameters, gradients, learning_rate):
    moved = {}
    for name, gradient in zip(sorted(parameters), gradients.values(), strict=True):
        moved[name] = parameters[name] - learning_rate * gradient
    return moved


def a_list(parameters, gradients, learning_rate):
    return [parameters[name] - learning_rate * gradients[name] for name in parameters]


def only_the_last(parameters, gradients, learning_rate):
    for name in parameters:
        moved = {name: parameters[name] - learning_rate * gradients[name]}
    return moved


def the_step_alone(parameters, gradients, learning_rate):
    return {name: -learning_rate * gradients[name] for name in parameters}


def one_name_for_all(parameters, gradients, learning_rate):
    return {"W": parameters["W"] - learning_rate * gradients["W"]}


def whole_gradient(parameters, gradients, learning_rate):
    return {name: parameters[name] - gradients[name] for name in parameters}


def divides(parameters, gradients, learning_rate):
    return {name: parameters[name] - gradients[name] / learning_rate for name in parameters}


def unit_step(parameters, gradients, learning_rate):
    return {
        name: parameters[name] - learning_rate * gradients[name] / np.linalg.norm(gradients[name])
        for name in parameters
    }


def sign_step(parameters, gradients, learning_rate):
    return {name: parameters[name] - learning_rate * np.sign(gradients[name]) for name in parameters}


def decays(parameters, gradients, learning_rate):
    return {name: (1 - learning_rate) * parameters[name] - learning_rate * gradients[name] for name in parameters}


def first_of_all(parameters, gradients, learning_rate):
    moved = dict(parameters)
    for name in parameters:
        moved[name] = parameters[name] - learning_rate * gradients[name]
        return moved


def as_they_came(parameters, gradients, learning_rate):
    new = {n: parameters[n] * 1.0 for n in parameters}
    for n in new:
        new[n] - learning_rate * gradients[n]
    return new


def loops_variable(parameters, gradients, learning_rate):
    new = {n: a.copy() for n, a in parameters.items()}
    for n, a in new.items():
        a = a - learning_rate * gradients[n]
    return new


def never_filled(parameters, gradients, learning_rate):
    new = {}
    for n in parameters:
        parameters[n] - learning_rate * gradients[n]
    return new


def rate_times_both(parameters, gradients, learning_rate):
    return {n: learning_rate * (parameters[n] - gradients[n]) for n in parameters}


def mean_of_each(parameters, gradients, learning_rate):
    return {n: parameters[n] - learning_rate * gradients[n].mean() for n in parameters}


def sum_of_each(parameters, gradients, learning_rate):
    return {n: parameters[n] - learning_rate * gradients[n].sum() for n in parameters}


def clips(parameters, gradients, learning_rate):
    return {n: parameters[n] - learning_rate * np.clip(gradients[n], -0.5, 0.5) for n in parameters}


def the_other_way(parameters, gradients, learning_rate):
    return {n: gradients[n] - learning_rate * parameters[n] for n in parameters}


def made_in_the_loop(parameters, gradients, learning_rate):
    for n in parameters:
        new = {n: parameters[n] - learning_rate * gradients[n]}
    return new


def dicts_subtracted(parameters, gradients, learning_rate):
    return parameters - learning_rate * gradients


def shrinks(parameters, gradients, learning_rate):
    return {name: old * (1 - learning_rate * gradients[name]) for name, old in parameters.items()}


def minus_before_times(parameters, gradients, learning_rate):
    return {k: (parameters[k] - learning_rate) * gradients[k] for k in parameters}


def a_loop_in_a_loop(parameters, gradients, learning_rate):
    moved = {}
    for name in parameters:
        for other in gradients:
            moved[name] = parameters[name] - learning_rate * gradients[other]
    return moved


def the_first_for_all(parameters, gradients, learning_rate):
    first = next(iter(gradients.values()))
    return {name: array - learning_rate * first for name, array in parameters.items()}


def found_by_shape(parameters, gradients, learning_rate):
    moved = {}
    for name, array in parameters.items():
        for gradient in gradients.values():
            if array.shape == gradient.shape:
                moved[name] = array - learning_rate * gradient
    return moved


def parameter_off_the_step(parameters, gradients, learning_rate):
    return {name: learning_rate * gradients[name] - parameters[name] for name in parameters}


def slower_and_slower(parameters, gradients, learning_rate):
    moved = {}
    for name in parameters:
        moved[name] = parameters[name] - learning_rate * gradients[name]
        learning_rate = learning_rate / 2
    return moved


# Each with the mistake that the judge should name, or None.
WRONG = [
    (a_loop_in_a_loop, "last-gradient-for-all"),
    (the_first_for_all, "first-gradient-for-all"),
    (found_by_shape, "by-shape"),
    (parameter_off_the_step, "turned-round"),
    (slower_and_slower, "rate-falls"),
    (minus_before_times, "rate-off-the-parameter"),
    (shrinks, "multiplied"),
    (as_they_came, "not-moved"),
    (loops_variable, "not-moved"),
    (never_filled, "stays-empty"),
    (rate_times_both, "shrunk-as-well"),
    (mean_of_each, "mean-of-the-gradient"),
    (sum_of_each, "sum-of-the-gradient"),
    (clips, "gradient-clipped"),
    (the_other_way, "exchanged"),
    (made_in_the_loop, "last-name-only"),
    (dicts_subtracted, "list-arithmetic"),
    (whole_gradient, "rate-forgotten"),
    (divides, "rate-divides"),
    (unit_step, "normalised"),
    (sign_step, "signs-only"),
    (decays, "scaled-down"),
    (first_of_all, "first-only"),
    (uphill, "uphill"),
    (in_place, "changes-input"),
    (the_same_dict, "changes-input"),
    (a_flat_copy, "changes-input"),
    (by_their_places, "by-place"),
    (by_sorted_names, "by-sorted-place"),
    (a_list, None),
    (only_the_last, None),
    (the_step_alone, "gradient-only"),
    (one_name_for_all, "key-missing"),
]
