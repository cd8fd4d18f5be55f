"""What an answer's results say for or against an explanation: do they agree, and could that be chance?"""

import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from grader.judging.answer import Outcome
from grader.judging.compare import ARITHMETIC, Wrong, array_of, near, not_finite, read, same
from grader.judging.plain import identical

#: One call: positional and named arguments, what the answer did, and what the reference did.
Recorded = tuple[tuple, dict, Outcome, Outcome]

#: More than this says nothing more about one call.
MOST_BITS = 24.0
#: Numbers that come out of many mistakes.
COMMON = (0.0, 1.0, -1.0)
OVERFLOW = "overflow"
#: What NumPy says where arrays do not fit together: whoever joins as a model does ends there, and nowhere else.
_JOINED = re.compile("all the input array")
#: A number as Python prints it.
_PRINTED = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def agrees(outcome: Outcome, model: Outcome) -> bool:
    """True if an answer did what a model did: equal values, NaN and infinity in the same rows for the same cause, or
    an exception of the same class (or of one made from it)."""
    if outcome.ok and model.ok:
        if isinstance(model.value, list) and isinstance(outcome.value, list):
            return identical(outcome.value, model.value)
        if _far_apart(outcome.value, model.value):
            return False
        if _of_one_kind(outcome.value, model.value):
            return same(outcome.value, model.value) or (
                _broken_alike(outcome, outcome.value, model) and not _other_rows_broken(outcome.value, model.value)
            )
        if same(outcome.value, model.value):
            return True
        value = as_read(outcome.value, model.value)
        return value is not None and (same(value, model.value) or _broken_alike(outcome, value, model))
    if not outcome.ok and not model.ok:
        alike = bool(_JOINED.search(outcome.message)) or not _JOINED.search(model.message)
        return alike and outcome.raised(model.error)
    # Where NumPy gives infinity or NaN, plain Python raises.
    if outcome.error == "OverflowError" or "math range" in outcome.message:
        return not_finite(model) and _overflows(model)
    return (outcome.error in ARITHMETIC or "math domain" in outcome.message) and not_finite(model)


def _of_one_kind(got: Any, wanted: Any) -> bool:
    """True of arrays of one shape, alone or in tuples: they need not be read as each other."""
    if isinstance(got, tuple) and isinstance(wanted, tuple):
        return len(got) == len(wanted) and all(map(_of_one_kind, got, wanted))
    return isinstance(got, np.ndarray) and isinstance(wanted, np.ndarray) and got.shape == wanted.shape


def _far_apart(got: Any, wanted: Any) -> bool:
    """True if shapes or first numbers tell two arrays apart: most explanations fall there, and it costs little."""
    if isinstance(got, (tuple, list)) and isinstance(wanted, tuple):
        return len(got) != len(wanted) or any(map(_far_apart, got, wanted))
    if isinstance(got, float) and isinstance(wanted, float):
        gap = abs(got - wanted)
        return 0.1 * (abs(got) + abs(wanted)) + 1e-3 < gap < math.inf
    if isinstance(got, (list, tuple)) and isinstance(wanted, np.ndarray):
        return _of_another_shape(got, wanted.shape)
    if isinstance(got, np.ndarray) and isinstance(wanted, list):
        return got.ndim != 1 or len(got) != len(wanted)
    if not isinstance(got, np.ndarray) or not isinstance(wanted, np.ndarray):
        return False
    if got.shape != wanted.shape or not got.size:
        return got.shape != wanted.shape
    first, other = float(got.item(0)), float(wanted.item(0))
    gap = abs(first - other)  # NaN and infinity are left to the whole comparison
    # What rounding leaves of a zero is a zero.
    return 0.1 * (abs(first) + abs(other)) < gap < math.inf and gap > 0.1 * float(np.abs(wanted).max()) + 1e-12


def _of_another_shape(got: Any, shape: tuple[int, ...]) -> bool:
    """True if the first thing in each of some lists tells that no array of a shape can be made of them."""
    for place, length in enumerate(shape):
        if isinstance(got, np.ndarray):
            return got.shape != shape[place:]
        if not isinstance(got, (list, tuple)) or len(got) != length:
            return True
        if not length:
            return False
        got = got[0]
    return isinstance(got, (list, tuple))


def _other_rows_broken(got: Any, wanted: Any) -> bool:
    """True if numbers are missing (NaN) in rows of one of two arrays of a shape, and not in the other's."""
    if isinstance(wanted, tuple):
        return any(map(_other_rows_broken, got, wanted))
    return bool((np.isnan(_of_rows(got)) != np.isnan(_of_rows(wanted))).any())


def _of_rows(array: np.ndarray) -> np.ndarray:
    """A number for each row, NaN where one stands in it."""
    if array.dtype.kind in "biu":
        return np.zeros(array.shape[:-1])
    return np.minimum.reduce(array, axis=-1, initial=np.inf) if array.ndim else array


def prints(printed: str, value: Any) -> bool:
    """True if a result stands in what was printed, rounded or not: all its numbers, or all its texts."""
    if isinstance(value, (tuple, list)):
        return all(prints(printed, one) for one in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        shown = np.array([float(number) for number in _PRINTED.findall(printed)])
        # Beyond a thousand numbers, NumPy prints the first and the last.
        wanted = value.ravel() if value.size <= 1000 else value.ravel()[[0, -1]]
        gaps = np.abs(wanted[:, None] - shown)
        return bool((gaps <= 0.006 + 1e-3 * np.abs(wanted[:, None])).any(axis=1).all())
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return prints(printed, np.array([value]))
    words = map(str, value.ravel()) if isinstance(value, np.ndarray) else [str(value)]
    return all(word in printed for word in words)


def parts_apart(outcome: Outcome, model: Outcome) -> set[int]:
    """Which parts of a tuple tell already that an answer did not do what a model did; of all else, nothing."""
    if not (isinstance(outcome.value, tuple) and isinstance(model.value, tuple)):
        return set()
    pairs = zip(outcome.value, model.value, strict=False)
    return {place for place, (got, wanted) in enumerate(pairs) if _far_apart(got, wanted)}


def traces_of(outcome: Outcome, model: Outcome, right: Outcome) -> tuple[bool, bool]:
    """Whether some wrong numbers of an answer are those of a model, and whether some right ones are not."""
    got, made, wanted = (_parts(one.value) for one in (outcome, model, right))
    found = broken = False
    for one, other, best in zip(got, made, wanted, strict=False):
        if np.shape(one) != np.shape(best) or np.shape(other) != np.shape(best):
            continue
        try:
            is_right, is_made, makes_right = near(one, best), near(one, other), near(other, best)
        except (TypeError, ValueError):
            continue
        found = found or bool((~is_right & is_made).any())
        broken = broken or bool((is_right & ~makes_right).any())
    return found, broken


def _parts(value: Any) -> list[np.ndarray]:
    parts = value if isinstance(value, tuple) else (value,)
    return [np.asarray(one) for one in parts if isinstance(one, (np.ndarray, int, float))]


def as_read(value: Any, like: Any) -> Any:
    """A value read as the kind of another, or None."""
    try:
        return read(value, like, ("",) * len(like) if isinstance(like, tuple) else "")
    except (Wrong, ValueError, TypeError):
        return None


def _broken_alike(outcome: Outcome, value: Any, model: Outcome) -> bool:
    """True if both hold NaN or infinity in the same rows, and both or neither because powers overflow."""
    if not (not_finite(outcome) and not_finite(model)):
        return False
    if outcome.warned and _overflows(outcome) != _overflows(model):
        return False
    pairs = zip(value, model.value, strict=True) if isinstance(model.value, tuple) else [(value, model.value)]
    return all(_same_but_for_broken_rows(got, wanted) for got, wanted in pairs)


def _same_but_for_broken_rows(got: Any, wanted: Any) -> bool:
    got, wanted = (np.atleast_1d(np.asarray(one, dtype=float)) for one in (got, wanted))
    broken, expected = (~np.isfinite(one).all(axis=-1) for one in (got, wanted))
    # A row breaks here or there, or as a whole; but where only a few numbers of many are broken, the others count.
    whole = np.isfinite(wanted)
    counts = whole & (whole.mean(axis=-1, keepdims=True) > 0.9)
    return np.array_equal(broken, expected) and same(got[counts], wanted[counts])


def _overflows(outcome: Outcome) -> bool:
    return any(OVERFLOW in words for words in outcome.warned)


def differs(record: Recorded, model: Outcome) -> bool:
    """True if a model does not do there what is right, as finely as can be told."""
    expected = record[3]
    if not expected.ok:
        return model.error != expected.error
    return not model.ok or _differ(model.value, expected.value)


def _differ(wrong: Any, right: Any) -> bool:
    if isinstance(wrong, tuple) and isinstance(right, tuple):
        return len(wrong) != len(right) or any(map(_differ, wrong, right))
    if isinstance(wrong, np.ndarray) and isinstance(right, np.ndarray) and wrong.dtype.kind in "biuf":
        return _far_apart(wrong, right) or not np.allclose(wrong, right, rtol=1e-6, atol=1e-12, equal_nan=True)
    return not (identical(wrong, right) if isinstance(wrong, list) else same(wrong, right))


#: What one call says: what was given, how much it says in bits, and what all of the result is if that is one value.
Said = tuple[Any, float, Any]


def said_by(record: Recorded, model: Outcome, without: Outcome) -> Said:
    """What one call says for a model; `without` is what comes of it without the mistake that is asked about."""
    given = fingerprint((*record[0], *record[1].values()))
    return given, _of_one_call(record, model, without), _only_value(model)


def evidence(calls: Iterable[Said]) -> float:
    """How unlikely it is that an answer agrees with a model by chance, in bits.

    What is not finite says nothing, the same inputs say nothing again, and a result that always comes counts once: many
    mistakes give NaN, or always 0.
    """
    varied, alike, inputs = 0.0, dict[Any, list[float]](), set[Any]()
    for given, amount, value in calls:
        if given in inputs:
            continue
        inputs.add(given)
        if value is None:
            varied += amount
        else:
            alike.setdefault(value, []).append(amount)
    count = sum(map(len, alike.values()))
    for some in alike.values():
        again = float(np.log2(count / len(some)))  # how surprising it is to see this one once more
        varied += max(some) + (len(some) - 1) * min(again, float(np.mean(some)))
    return varied


def _compared(got: Any, model: Any) -> Any:
    """A model's result, with NaN in the answer's rows that have some: these agree whatever else is in them."""
    if isinstance(model, tuple) and isinstance(got, (tuple, list)):
        return tuple(map(_compared, got, model))
    if isinstance(model, np.ndarray) and model.dtype.kind == "f":
        array = array_of(got)
        if array is None or array.shape != model.shape:
            return model
        finite = np.isfinite(array)
        return np.where(finite.all(axis=-1, keepdims=True) if array.ndim else finite, model, np.nan)
    return model


def fingerprint(value: Any) -> Any:
    """Something that can be compared quickly, and is the same for equal plain values, or outcomes."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, (tuple, list)):
        return type(value), *map(fingerprint, value)
    if isinstance(value, dict):
        return dict, *((repr(key), fingerprint(one)) for key, one in value.items())
    if isinstance(value, Outcome):
        return value.error, value.message, value.warned, fingerprint(value.value)
    return repr(value)


def _only_value(model: Outcome) -> Any:
    """What every part of a result is, if that is one and the same; None if it varies."""
    if not model.ok:
        return model.error
    if isinstance(model.value, tuple):
        values = {_only_value(Outcome(value=part)) for part in model.value}
        return None if len(values) > 1 else next(iter(values), ())
    if isinstance(model.value, np.ndarray):
        numbers = model.value.dtype.kind in "biuf"
        values = set(np.round(model.value.astype(float).ravel(), 9).tolist() if numbers else ())
        return next(iter(values), 0.0) if len(values) < 2 else None
    return repr(model.value)


def _of_one_call(record: Recorded, model: Outcome, without: Outcome) -> float:
    args, kwargs, outcome, _ = record
    if not without.ok:
        return 0.0 if model.error == without.error else 4.0
    if outcome.ok and model.ok:
        given = [value for value in (*args, *kwargs.values()) if isinstance(value, (np.ndarray, list, float))]
        return min(_bits(_compared(outcome.value, model.value), without.value, given), MOST_BITS)
    if outcome.ok or model.ok:
        return 0.0  # an exception of Python, infinity or NaN of NumPy
    return 8.0 if outcome.message == model.message else 0.5  # of one class, for any reason


def _bits(wrong: Any, right: Any, given: list) -> float:
    if isinstance(wrong, tuple):
        parts = right if isinstance(right, tuple) and len(right) == len(wrong) else (None,) * len(wrong)
        return sum(_bits(one, part, given) for one, part in zip(wrong, parts, strict=True))
    if isinstance(wrong, np.ndarray):
        return _array_bits(wrong, right, given)
    if identical(wrong, right) if isinstance(wrong, list) else same(wrong, right):
        return 0.0
    if isinstance(wrong, bool):
        return 1.0
    if isinstance(wrong, float):
        if wrong in COMMON or not np.isfinite(wrong):
            return 2.0 * bool(np.isfinite(wrong))
        chosen = [np.size(some) for some in given if _holds(some, wrong)]
        return min(np.log2(max(chosen)) if chosen else 14.0, 14.0)
    if isinstance(wrong, int):
        return 3.0
    if isinstance(wrong, str):
        return 8.0
    if isinstance(wrong, list):
        others = right if isinstance(right, list) else []
        differ = sum(i >= len(others) or not identical(item, others[i]) for i, item in enumerate(wrong))
        return 2.0 + 4.0 * differ
    return 4.0


def _holds(some: Any, number: float) -> bool:
    """True if a number is one of an argument's: it may have been chosen, not computed."""
    array = np.asarray(some)
    return array.dtype.kind in "iuf" and bool(np.isclose(array, number, rtol=1e-5, atol=1e-6).any())


def _array_bits(wrong: np.ndarray, right: Any, given: list) -> float:
    if wrong.dtype.kind not in "biuf":
        return 4.0
    shaped = isinstance(right, np.ndarray) and right.shape == wrong.shape
    values = wrong[~near(wrong, right)] if shaped else wrong.ravel()
    values = values[np.isfinite(values)]
    if not values.size:
        return 0.0
    if wrong.dtype.kind == "f":
        telling = set(np.round(values, 6).tolist()) - set(COMMON)
        sample = list(telling)[:3]
        chosen = bool(sample) and all(any(_holds(some, number) for some in given) for number in sample)
        return (2.0 if chosen else 10.0) * len(telling) + min(float(values.size), 3.0)
    if wrong.dtype.kind == "b":  # which of its entries differ
        return min(max(float(values.size), math.log2(math.comb(wrong.size, values.size))), 8.0) + 2.0 * (not shaped)
    return min(2.0 * values.size, 12.0) + 2.0 * (not shaped)
