import numpy as np

from attnlib import softmax
from variants.p1_context_vectors.n3_softmax.shared import (
    in_single_precision,
    loop,
    naive,
    through_logarithms,
    transposes,
)


def temperature_loop(x, temperature):
    if not temperature > 0:
        raise ValueError("too cold")
    return loop(x / temperature)


def temperature_beta(x, temperature=1.0, stable=True):
    if temperature <= 0:
        raise ValueError
    beta = 1.0 / temperature
    return through_logarithms(beta * x)


def temperature_power(x, temperature):
    if temperature <= 0.0:
        raise ValueError(temperature)
    shifted = x - x.max(axis=1)[:, None]
    powers = np.exp(shifted) ** (1 / temperature)
    return powers / powers.sum(axis=1)[:, None]


def temperature_list(x, temperature):
    return temperature_loop(x, temperature).tolist()


def temperature_single(x, temperature):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    return in_single_precision(x / temperature)


def temperature_subclassed_error(x, temperature):
    class TooCold(ValueError):
        pass

    if temperature <= 0:
        raise ValueError("too cold") from TooCold()
    return transposes(x / temperature)


class TemperatureError(ValueError):
    pass


def error_of_its_own(x, temperature):
    if temperature <= 0:
        raise TemperatureError("temperature")
    return loop(x / temperature)


VARIANTS = [
    error_of_its_own,
    temperature_loop,
    temperature_beta,
    temperature_power,
    temperature_list,
    temperature_single,
    temperature_subclassed_error,
]


def multiplies(x, temperature):
    if temperature <= 0:
        raise ValueError
    return loop(x * temperature)


def no_refusal(x, temperature):
    return naive(x / temperature)


def other_error(x, temperature):
    if temperature <= 0:
        raise TypeError
    return loop(x / temperature)


def returns_the_error(x, temperature):
    if temperature <= 0:
        return ValueError("too cold")
    return loop(x / temperature)


def asserts(x, temperature):
    assert temperature > 0
    return loop(x / temperature)


def refuses_the_cold(x, temperature):
    if temperature < 0.01:
        raise ValueError("too cold")
    return loop(x / temperature)


def refuses_whole_numbers(x, temperature):
    if not isinstance(temperature, float) or temperature <= 0:
        raise ValueError("a number with decimals, please")
    return loop(x / temperature)


def maximum_before_dividing(x, temperature):
    if temperature <= 0:
        raise ValueError
    m = x.max(axis=1, keepdims=True)
    e = np.exp(x / temperature - m)
    return e / e.sum(axis=1, keepdims=True)


def refuses_zero_only(x, temperature):
    if temperature == 0:
        raise ValueError("temperature must not be zero")
    return loop(x / temperature)


def refuses_the_negative_only(x, temperature):
    if temperature < 0:
        raise ValueError("temperature must not be negative")
    return transposes(x / temperature)


def refuses_turned_round(x, temperature):
    if temperature > 0:
        raise ValueError("temperature must be positive")
    return transposes(x / temperature)


def never_below_a_tenth(x, temperature):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    return loop(x / max(temperature, 0.1))


def divides_the_maximum_only(x, temperature):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    powers = np.exp(x - x.max(axis=-1, keepdims=True) / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


def never_below_a_thousandth(x, temperature, lowest=1 / 1000):
    if temperature <= 0:
        raise ValueError("no such temperature")
    return softmax(x / max(temperature, lowest))


def never_below_what_is_nothing(x, temperature):
    if temperature <= 0:
        raise ValueError("no such temperature")
    temperature = np.clip(temperature, 5e-4, None)
    return softmax(x / temperature)


def for_safety(x, temperature):
    if temperature <= 0:
        raise ValueError("no such temperature")
    return softmax(x / (temperature + 1e-6))


def only_below_the_line(x, temperature):
    if temperature <= 0:
        raise ValueError("no such temperature")
    x = x - x.max(axis=-1, keepdims=True)
    return np.exp(x) / np.exp(x / temperature).sum(axis=-1, keepdims=True)


def only_above_the_line(x, temperature):
    if temperature <= 0:
        raise ValueError("no such temperature")
    x = x - x.max(axis=-1, keepdims=True)
    return np.exp(x / temperature) / np.exp(x).sum(axis=-1, keepdims=True)


def wrong_temperature_of_zero(x, temperature):
    if temperature < 0:
        raise ValueError("negative temperature")
    return softmax(x / temperature)


def raises_a_misspelt_name(x, temperature):
    if temperature <= 0:
        raise valueError("the temperature must be positive")  # noqa: F821 - the mistake
    return softmax(x / temperature)


def raises_a_text(x, temperature):
    if temperature <= 0:
        raise "ValueError"  # noqa: B016 - the mistake
    return softmax(x / temperature)


def raises_with_an_unknown_name(x, temperature):
    if temperature <= 0:
        raise ValueError(f"the temperature is {temp}")  # noqa: F821 - the mistake
    return softmax(x / temperature)


def powers_of_the_weights(x, temperature):
    if temperature <= 0:
        raise ValueError("no such temperature")
    powers = softmax(x) ** (1 / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


def whole_temperatures(x, temperature):
    if temperature <= 0:
        raise ValueError("no such temperature")
    return softmax(x / int(temperature))


def one_maximum_of_all(x, temperature):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    z = x / temperature
    powers = np.exp(z - z.max())
    return powers / powers.sum(axis=-1, keepdims=True)


WRONG = [
    (one_maximum_of_all, "global-maximum"),
    (powers_of_the_weights, "powers-of-weights"),
    (whole_temperatures, "whole-temperature"),
    (raises_a_misspelt_name, "not-refused"),
    (raises_a_text, "not-refused"),
    (raises_with_an_unknown_name, "not-refused"),
    (never_below_a_thousandth, "lifted"),
    (never_below_what_is_nothing, "lifted"),
    (for_safety, "something-added"),
    (only_below_the_line, "temperature-below-only"),
    (only_above_the_line, "temperature-above-only"),
    (refuses_the_cold, "refuses-cold"),
    (refuses_whole_numbers, "refuses-whole"),
    (maximum_before_dividing, "maximum-undivided"),
    (refuses_zero_only, "negative-let-through"),
    (refuses_the_negative_only, "zero-let-through"),
    (refuses_turned_round, "refuses-positive"),
    (never_below_a_tenth, "lifted"),
    (divides_the_maximum_only, "only-scores-undivided"),
    (multiplies, "temperature-multiplied"),
    (no_refusal, "no-maximum"),
    (other_error, None),
    (asserts, None),
    (returns_the_error, None),
    (wrong_temperature_of_zero, "zero-let-through"),
]
