"""What can be done wrong to any function: to an argument first, between arguments, to the result last.

None of this knows an exercise. A `Hypothesis` turns the right answer into the answer of somebody who did one thing
otherwise; `diagnose` compares. Its words say what the numbers are, never what a learner must have typed: whoever gets
the same numbers in another way is told the truth as well.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from grader.judging.changes import AT_THE_END, ELEMENTWISE, LISTS, NUMBERS, TOGETHER, Unfit, said_of, two_axes
from grader.judging.general import GENERAL
from grader.judging.verdict import Advice

#: The arguments of one call, by their names.
Named = dict[str, Any]


@dataclass(frozen=True)
class Hypothesis:
    """One way to be wrong.

    Attributes
    ----------
    id : str
        The same for the same slip in every exercise.
    advice : Advice
    before : callable, optional
        Takes the arguments by name and returns what the right function is called with instead.
    after : callable, optional
        Takes the right result and the arguments, and returns what is returned instead.
    switches : frozenset of str
        Mistakes of the exercise's own model that are made besides.
    stage : str
        The stage of the model at which the work stopped.
    place : int, optional
        In which place of a tuple that stage was returned, or what the switches make; all of it without.
    beside : tuple of (Hypothesis, Hypothesis), optional
        The two mistakes that are made together; the first is one of the exercise's own.
    part : int, optional
        The only part of a tuple that `after` changes.
    """

    id: str
    advice: Advice
    before: Callable[[Named], Named] | None = None
    after: Callable[[Any, Named], Any] | None = None
    switches: frozenset[str] = frozenset()
    stage: str = ""
    place: int | None = None
    beside: "tuple[Hypothesis, Hypothesis] | None" = None
    part: int | None = None


_UP_TO_THERE = "What comes after goes on with what you return. All else about it is right."
_BEFORE_THAT = "What comes after goes on with what you return. All else in your function is right."
#: Why it matters and what to do, by what was done to a result.
_SHAPE = Advice("", _UP_TO_THERE, "Compare the shape that the task asks for with the shape of what you return.")
_ADDING = Advice(
    "",
    "What was added up before is still there when a new sum begins.",
    "Set the sum back to its start wherever a new one begins; `np.cumsum` never does that by itself.",
)
_IN_LOST = """
first-row-only last-row-only one-row-left last-row-lost first-row-lost first-row-filled last-row-filled last-row-empty
first-row-empty first-column-filled last-column-filled last-column-empty first-column-empty first-entry-filled
first-column-only last-column-only last-column-lost first-column-lost diagonal-filled diagonal-empty upper-triangle
lower-triangle
"""
#: Where something of a result is lost: the words for that depend on what the learner has written.
LOST = frozenset(f"result-{slip}" for slip in _IN_LOST.split())
_LAST = Advice(
    "",
    _UP_TO_THERE,
    "Compare your last lines with the task: is something done there that it does not ask for, or left out?",
)
_IN_SHAPE = """
summed summed-rows summed-first summed-whole summed-kept averaged averaged-rows averaged-first averaged-whole
largest-only flattened flattened-columns axis-in-front axis-behind axes-swapped first-axes-swapped reshaped-turned
doubled-axis diagonal-only
"""
_CURES = dict.fromkeys(_IN_SHAPE.split(), _SHAPE)
_CURES |= dict.fromkeys(("accumulated", "accumulated-columns"), _ADDING)
_CURES["each-once"] = Advice(
    "",
    "What comes a second time is missing. A set or a dict keeps each once; `replace` and `strip` take away all that is "
    "alike, not only the first.",
    "Take something that comes twice, and follow it through your lines: where does the second get lost?",
)
_CURES["last-for-all"] = Advice(
    "",
    "Either one row is taken for all, or your loop changes an array in place (`X[:] = ...`, `X += ...`): what it kept "
    "of that array in earlier rounds is no copy, and has changed with it.",
    "Print what you have kept after each round. A copy (`X[i].copy()`), or a new array each round (`X = ...`), stays.",
)
_CURES["truncated"] = GENERAL["result-truncated"]


# ---- hypotheses


def on_results(example: Any, names: Named, returns: str | tuple[str, ...]) -> Iterator[Hypothesis]:
    """What can have been done to the result last.

    Parameters
    ----------
    example : plain value
        A right result, to know its kind.
    names : dict
        The arguments that gave it: sizes that a result can be multiplied with by mistake.
    returns : str or tuple of str
        What the result, or each of its parts, is called.
    """
    if isinstance(example, tuple):
        called = returns if isinstance(returns, tuple) else ("result",) * len(example)
        for place, part in enumerate(example):
            words = {1: "your result", 2: f"the {called[place]} in your pair"}.get(len(example), called[place])
            for one in _on_value(part, names, words):
                yield Hypothesis(one.id, one.advice, after=partial(_in_part, place, one.after), part=place)
        if len(example) < 2:
            return
        for one in _on_value(example[0], names, "each of your results"):
            yield Hypothesis(one.id, one.advice, after=partial(_in_all, one.after))
        for order in itertools.islice(itertools.permutations(range(len(example))), 1, None):
            yield Hypothesis("swapped-results", GENERAL["swapped-results"], after=partial(_in_order, order))
        for place, other in itertools.permutations(range(len(example)), 2):
            if not np.any(example[other]):  # whatever is 0 need not come from there
                continue
            advice = Advice(
                f"the {called[other]} that you return comes twice: it also stands in the place of the {called[place]}",
                "Whoever unpacks the result takes the one for the other.",
                "Follow each of your results back to the line that makes it.",
            )
            order = tuple(other if i == place else i for i in range(len(example)))
            yield Hypothesis("one-result-twice", advice, after=partial(_in_order, order))
        for place in range(len(example)):
            words = f"you return only one of the results that are asked for: the {called[place]}"
            yield Hypothesis(
                "first-result-only" if place == 0 else "one-result-only",
                Advice(
                    words,
                    "Whoever unpacks the result gets rows of one array instead of several results.",
                    "Return all of them, separated by commas, in the order that the task states."
                    + " In a loop, a `return` ends it in its first round." * (place == 0),
                ),
                after=partial(_only_part, place),
            )
        return
    yield from _on_value(example, names, "your result")


def _in_order(order: tuple[int, ...], value: tuple, _: Named) -> tuple:
    return tuple(value[place] for place in order)


def _only_part(place: int, value: tuple, _: Named) -> Any:
    return value[place]


def _in_part(place: int, change: Any, value: tuple, names: Named) -> tuple:
    return tuple(change(part, names) if i == place else part for i, part in enumerate(value))


def _in_all(change: Any, value: tuple, names: Named) -> tuple:
    return tuple(change(part, names) for part in value)


def _on_value(example: Any, names: Named, called: str) -> Iterator[Hypothesis]:
    if isinstance(example, np.ndarray):
        for slip, (words, change) in {**ELEMENTWISE, **TOGETHER, **AT_THE_END}.items():
            yield _last(slip, called, said_of(example, words), change)
        if example.dtype.kind == "f":
            for factor, words in _factors(names):
                yield _last("scaled", called, words, factor)
            yield from _rounded(called)
            yield from _with_argument(example, names, called)
    elif isinstance(example, list):
        for slip, (words, change) in LISTS.items():
            yield _last(slip, called, words, change)
    elif isinstance(example, bool):
        yield _last("turned-round", called, "with True and False exchanged", lambda a: not a)
    elif isinstance(example, (int, float)):
        for slip, (words, change) in NUMBERS.items():
            yield _last(slip, called, words, change)
        yield from _chosen(names, called)
        if isinstance(example, float):
            yield from _rounded(called)
        for factor, words in _factors(names):
            yield _last("scaled", called, words, factor)


def _last(slip: str, called: str, words: str, change: Callable) -> Hypothesis:
    if slip == "transposed" and called == "your result":
        return Hypothesis("transposed-result", GENERAL["transposed-result"], after=lambda value, _: change(value))
    known = _CURES.get(slip, _LAST)
    looks = f"{called} is the right one, but {words}" if called == "your result" else f"{called}: right, but {words}"
    after = change if slip == "scaled" else (lambda value, _, change=change: change(value))
    return Hypothesis(f"result-{slip}", Advice(looks, known.cause, known.cure), after=after)


def _with_argument(example: np.ndarray, names: Named, called: str) -> Iterator[Hypothesis]:
    """That an argument of the same shape was added to the result, or the like."""
    for name, value in names.items():
        if isinstance(value, np.ndarray) and value.shape == example.shape and value.dtype.kind in "iuf":
            for slip, words, how in (
                ("added", f"plus `{name}`", np.add),
                ("taken-off", f"minus `{name}`", np.subtract),
                ("taken-from", f"taken away from `{name}`", lambda a, b: b - a),
                ("multiplied", f"times `{name}`", np.multiply),
            ):
                yield replace(_last(slip, called, words, _as_it_is), after=partial(_joined, name, how))


def _as_it_is(value: Any) -> Any:
    return value


def _joined(name: str, how: Callable, value: Any, names: Named) -> Any:
    return how(value, names[name])


def _rounded(called: str) -> Iterator[Hypothesis]:
    for digits in range(7):
        advice = replace(GENERAL["rounded"], looks_like=f"you round {called}")
        yield Hypothesis("rounded", advice, after=partial(_round, digits))


def _round(digits: int, value: Any, _: Named) -> Any:
    return np.round(value, digits)


def _chosen(names: Named, called: str) -> Iterator[Hypothesis]:
    """That a number is always the same one of an argument's."""
    for name, value in names.items():
        if not isinstance(value, (np.ndarray, list)) or not len(value):
            continue
        for which, choose in (
            ("first", lambda a: a[0]),
            ("last", lambda a: a[-1]),
            ("smallest", min),
            ("largest", max),
        ):
            advice = Advice(
                f"{called} is always the {which} of `{name}`, whatever the rest says",
                "What should decide has no say in it.",
                "Print what you compare, for each of them: does it differ, and do you take the best?",
            )
            yield Hypothesis("result-same-place", advice, after=partial(_choose, name, choose))


def _choose(name: str, choose: Callable, _: Any, names: Named) -> Any:
    return choose(names[name])


def _factors(names: Named) -> Iterator[tuple[Callable, str]]:
    """Multiples by a size of an argument, its root, or a number that is an argument."""
    for name, value in names.items():
        if isinstance(value, np.ndarray) and value.ndim:
            for axis in {0, value.ndim - 1}:
                size = f"{name}.shape[{axis if axis == 0 else -1}]"
                for power, said in (
                    (1, f"times `{size}`"),
                    (-1, f"divided by `{size}`"),
                    (0.5, f"times the square root of `{size}`"),
                    (-0.5, f"divided by the square root of `{size}`"),
                ):
                    yield partial(_sized, name, axis, power), said
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            for power, said in ((1, f"times `{name}`"), (-1, f"divided by `{name}`")):
                yield partial(_numbered, name, power), said


def _sized(name: str, axis: int, power: float, value: Any, names: Named) -> Any:
    return value * float(names[name].shape[0 if axis == 0 else -1]) ** power


def _numbered(name: str, power: int, value: Any, names: Named) -> Any:
    if not names[name]:
        raise Unfit
    return value * float(names[name]) ** power


def on_arguments(names: Named) -> Iterator[Hypothesis]:
    """What can have been done to an argument first, and which can have been taken for which.

    Parameters
    ----------
    names : dict
        The arguments of a call, to know their kinds.
    """
    arrays = [name for name, value in names.items() if isinstance(value, np.ndarray) and value.size]
    for first, second in _pairs(names):
        yield _first("arguments-swapped", f"`{first}` and `{second}` had changed places", partial(_swap, first, second))
        for name, other in ((first, second), (second, first)):
            words = f"`{other}` stood in the place of `{name}`"
            yield _first("argument-for-another", words, partial(_put, name, other))
    for name, value in names.items():
        for slip, words, change in _of_argument(name, value):
            yield _first(slip, words, change)
    yield from _of_sizes(names, arrays)
    weights = [name for name in arrays if name.startswith("W_")]
    if len(weights) > 1:
        words = " and ".join(f"`{name}`" for name in weights) + " were transposed"
        yield _first("argument-transposed", words, partial(_each, weights, lambda a: two_axes(a).T))
    if len(arrays) > 1 and all(names[name].dtype.kind in "fiu" for name in arrays):
        for slip in ("normalised", "negated", "squared", "absolute", "truncated", "transposed", "centred", "softmaxed"):
            words, change = (ELEMENTWISE | TOGETHER)[slip]
            some = " and ".join(f"`{name}`" for name in arrays)
            yield _first(f"argument-{slip}", f"{some} were taken {words}", partial(_each, arrays, change))


#: Parts of an axis that a loop leaves over, or that a body is made for.
_PARTS = (
    ("last-left-out", "without the last", slice(None, -1)),
    ("first-left-out", "without the first", slice(1, None)),
    ("first-only", "with the first only", slice(0, 1)),
    ("last-only", "with the last only", slice(-1, None)),
    ("two-only", "with the first two only", slice(0, 2)),
    ("three-only", "with the first three only", slice(0, 3)),
)


#: Where an argument is used up to somewhere: the words for that, too, depend on what the learner has written.
UNUSED = frozenset(f"argument-{slip}" for slip, _, kept in _PARTS if not kept.start)


def _of_sizes(names: Named, arrays: list[str]) -> Iterator[Hypothesis]:
    """That of rows or columns which belong together (the keys and their values, all coordinates) some were left out."""
    sizes: dict[int, list[tuple[str, int]]] = {}
    for name in arrays:
        for axis, size in enumerate(names[name].shape):
            sizes.setdefault(size, []).append((name, axis - names[name].ndim))
    for size, places in sizes.items():
        if size < 2:
            continue
        what = " and ".join(f"the {_axis_of(axis, names[name].ndim)} of `{name}`" for name, axis in places)
        for slip, words, kept in _PARTS:
            if size > len(range(*kept.indices(size))):
                yield _first(f"argument-{slip}", f"{what} were used {words}", partial(_cut, places, kept))


def _axis_of(axis: int, ndim: int) -> str:
    return {-1: "columns" if ndim > 1 else "entries", -2: "rows"}.get(axis, f"parts along axis {axis + ndim}")


def _cut(places: list[tuple[str, int]], kept: slice, names: Named) -> Named:
    for name, axis in places:
        if not isinstance(names.get(name), np.ndarray) or names[name].ndim < -axis:
            raise Unfit
        names = names | {name: names[name][(..., kept, *[slice(None)] * (-axis - 1))]}
    return names


def _first(slip: str, words: str, before: Callable[[Named], Named]) -> Hypothesis:
    cure = "Look for where your function uses it: is it the right one, and used as the task says?"
    if slip.endswith("-left-out"):
        cure = "Is it used in full: where does your loop (or slice) begin, and where does it end?"
    elif slip.endswith("-only"):
        cure = "Is it used in full? In a loop, `=` replaces what the rounds before have found; `+=` adds to it."
    return Hypothesis(slip, Advice(f"your result comes out as if {words}", _BEFORE_THAT, cure), before=before)


def _of_argument(name: str, value: Any) -> Iterator[tuple[str, str, Callable[..., Any]]]:
    said = f"`{name}`"
    if isinstance(value, np.ndarray) and value.dtype.kind == "b":
        yield "argument-turned-round", f"True and False were exchanged in {said}", partial(_change, name, np.invert)
        yield "argument-ignored", f"{said} were True everywhere", partial(_change, name, np.ones_like)
        yield "argument-transposed", f"{said} were transposed", partial(_change, name, lambda a: two_axes(a).T)
        for slip in ("first-for-all", "reversed", "reversed-rows"):
            words, change = TOGETHER[slip]
            yield f"argument-{slip}", f"{said} were taken {words}", partial(_change, name, change)
    elif isinstance(value, np.ndarray) and value.size:
        for slip, (words, change) in {**ELEMENTWISE, **TOGETHER}.items():
            yield f"argument-{slip}", f"{said} were taken {said_of(value, words)}", partial(_change, name, change)
        for axis in {0, value.ndim - 1}:
            size = f"{name}.shape[{axis if axis == 0 else -1}]"
            for power, how in (
                (-0.5, f"divided by the square root of `{size}`"),
                (-1, f"divided by `{size}`"),
                (0.5, f"multiplied by the square root of `{size}`"),
                (1, f"multiplied by `{size}`"),
            ):
                yield "argument-scaled", f"{said} were {how}", partial(_scale, name, axis, power)
        for digits in (0, 1, 2):
            words = f"{said} were rounded to {digits} decimals" if digits else f"{said} were rounded to whole numbers"
            yield "argument-rounded", words, partial(_change, name, partial(np.round, decimals=digits))
        ones, zeros = np.ones_like, np.zeros_like
        yield "argument-ignored", f"{said} held only ones", partial(_change, name, ones)
        yield "argument-ignored", f"{said} held only zeros", partial(_change, name, zeros)
        if value.ndim == 2:
            yield "argument-ignored", f"{said} were not there (an identity)", partial(_change, name, _identity)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if isinstance(value, int):
            # First: where there is no more to take, its square, say, takes it all as well.
            yield "argument-ignored", f"{said} were much larger than it is", partial(_change, name, _much_larger)
        for slip, (words, number) in NUMBERS.items():
            yield f"argument-{slip}", f"{said} were taken {words}", partial(_change, name, number)
        for fixed in (0, 1, 2, 3):
            yield (
                "argument-ignored",
                f"{said} were {fixed} in every call",
                partial(_change, name, partial(_fixed, fixed)),
            )
    elif isinstance(value, list):
        for slip in ("reversed", "sorted", "each-once", "last-row-lost", "first-row-lost"):
            words, change = LISTS[slip]
            yield f"argument-{slip}", f"{said} were taken {words}", partial(_change, name, change)


def _identity(a: np.ndarray) -> np.ndarray:
    return np.eye(*a.shape)


def _much_larger(number: int) -> int:
    return 50 * (abs(number) + 1)


def _fixed(number: Any, _: Any) -> Any:
    return number


def _pairs(names: Named) -> Iterator[tuple[str, str]]:
    """Arguments that can be taken for each other: of one kind."""
    listed = list(names.items())
    for i, (first, one) in enumerate(listed):
        for second, other in listed[i + 1 :]:
            if isinstance(one, np.ndarray):
                if isinstance(other, np.ndarray) and one.ndim == other.ndim and one.dtype.kind == other.dtype.kind:
                    yield first, second
            elif type(one) is type(other) and isinstance(one, (int, float, str, list)):
                yield first, second


def _change(name: str, change: Callable, names: Named) -> Named:
    changed = change(names[name])
    # Of NaN the right function makes anything: what a learner's made of the argument need not have come that way.
    if np.isnan(np.sum(changed)) and not np.isnan(np.sum(names[name])):
        raise Unfit
    return names | {name: changed}


def _each(some: list[str], change: Callable, names: Named) -> Named:
    return names | {name: change(names[name]) for name in some}


def _scale(name: str, axis: int, power: float, names: Named) -> Named:
    return names | {name: names[name] * float(names[name].shape[0 if axis == 0 else -1]) ** power}


def _swap(first: str, second: str, names: Named) -> Named:
    return names | {first: names[second], second: names[first]}


def _put(name: str, other: str, names: Named) -> Named:
    return names | {name: names[other]}
