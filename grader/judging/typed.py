"""Typed values: reading them generously, and what can be seen of a wrong one beside the right one."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.exercises.kinds import Between, Entry
from grader.judging.compare import array_of, read
from grader.judging.verdict import Advice
from grader.words import plural


def read_value(given: Any, expected: Any) -> Any:
    """A typed value as the kind of thing that is expected: texts lose case and outer spaces, lists keep no order."""
    if isinstance(expected, list):
        if isinstance(given, (str, int)):
            given = [given]
        given = read([folded(item) for item in given] if isinstance(given, (list, tuple)) else given, expected)
        return given
    if isinstance(expected, str):
        return read(folded(given), expected)
    if isinstance(expected, np.ndarray):
        found = array_of(given)  # one row of a matrix, say, is as good as its numbers
        if found is not None and np.squeeze(found).shape == np.squeeze(expected).shape:
            given = found.reshape(expected.shape)
    return read(given, expected, ("",) * len(expected) if isinstance(expected, tuple) else "array")


#: A letter of several to choose from, with what people write around one.
_LETTER = re.compile(r"(?:(?:answer|option|choice)[ :]+)?\(?([a-z])[).:]?")


def folded(item: Any) -> Any:
    """A text as it is compared: small, without what people write around a word or a letter; all else as it is.

    Examples
    --------
    >>> folded(" 'Query' "), folded("the encoder"), folded("(B)"), folded("Option c)"), folded(2)
    ('query', 'encoder', 'b', 'c', 2)
    """
    if not isinstance(item, str):
        return item
    plain = unicodedata.normalize("NFKC", item).strip("'\"` \t\n").lower().removeprefix("the ")
    letter = _LETTER.fullmatch(plain)
    return letter[1] if letter else plain


def rounded_same(given: Any, expected: Any, decimals: int) -> bool:
    if isinstance(expected, list):
        return sorted(map(repr, given)) == sorted(repr(folded(item)) for item in expected)
    if isinstance(expected, str):
        return given == folded(expected)
    if isinstance(expected, bool) or (isinstance(expected, int) and isinstance(given, int)):
        return given == expected
    if isinstance(expected, tuple):
        return all(rounded_same(a, b, decimals) for a, b in zip(given, expected, strict=True))
    return bool(np.allclose(given, expected, rtol=0, atol=0.6 * 10.0**-decimals))


def matches(given: Any, expected: Any, decimals: int) -> bool:
    """True if a value, whatever it is, is read as the one that is expected."""
    try:
        if isinstance(expected, Between):
            return expected.low <= read_value(given, float(expected)) <= expected.high
        return rounded_same(read_value(given, expected), expected, decimals)
    except Exception:  # another kind of thing
        return False


# ---- what can be seen of wrong values, without knowing where they come from


#: So many things to choose from are listed.
MOST_SAID = 20
#: What stands between several things that are typed in one text.
_DIVIDES = re.compile(r"\s*(?:[,;/&+]|\band\b)\s*")


def seen_in(wrong: list[Entry], given: dict[str, Any], right: dict[str, Any]) -> list[tuple[str, Advice]]:
    """Facts about wrong values, the most telling first; none gives a right value away.

    Parameters
    ----------
    wrong : list of Entry
        Those that are wrong.
    given, right : dict
        The values by their names.
    """
    if not all(entry.name in given for entry in wrong):
        words = "a name that is asked for is missing in your dict"
        return [_form(words, "Compare your keys with those of the task.")]
    looks = (_exchanged, _all_the_same, _of_another)
    facts = [fact for look in looks if (fact := look(wrong, given, right))][:1]
    if not facts:
        seen = [(entry, _of_one(entry, given.get(entry.name), right[entry.name])) for entry in wrong]
        # Of a share of few things, half of it is met by chance.
        of_shares = {fact and fact[0] for entry, fact in seen if entry.counted}
        for entry, fact in seen:
            by_chance = entry.counted and len(of_shares) > 1 and fact and fact[0].startswith("value-")
            if fact and not by_chance and fact not in facts:
                facts.append(fact)
    return facts[:2]


def _exchanged(wrong: list[Entry], given: dict[str, Any], right: dict[str, Any]) -> tuple[str, Advice] | None:
    for i, one in enumerate(wrong):
        for other in wrong[i + 1 :]:
            if matches(given.get(one.name), right[other.name], one.decimals) and matches(
                given.get(other.name), right[one.name], other.decimals
            ):
                return "entries-swapped", Advice(
                    f"two right values have changed places: {one.text}, and {other.text}",
                    "Each is what the other asks for.",
                    "Read the two questions once more, and the order in which your code answers them.",
                )
    return None


def _all_the_same(wrong: list[Entry], given: dict[str, Any], right: dict[str, Any]) -> tuple[str, Advice] | None:
    values = [repr(given[entry.name]) for entry in wrong if given.get(entry.name) is not None]
    varied = len({repr(right[entry.name]) for entry in wrong}) > 1
    if len(values) < 2 or len(set(values)) > 1 or not varied:
        return None
    if values[0] in ("nan", "np.float64(nan)"):
        return "not-finite", Advice(
            "your values are NaN: not a number",
            "0 divided by 0 is NaN, and so is all that is computed with it.",
            "What do you divide by, and what did you ask with: is it what the function takes, and in its units?",
        )
    return "same-for-every-input", Advice(
        "you give the same value in several places",
        "They ask for different things, and not all of the right values are the same.",
        "What does your code put in for each of them: is there anything in it that differs from one to the next?",
    )


def _of_another(wrong: list[Entry], given: dict[str, Any], right: dict[str, Any]) -> tuple[str, Advice] | None:
    """That every wrong value is right for another of the questions."""
    for one in wrong:
        if not any(
            name != one.name and is_telling(value, one.decimals) and matches(given.get(one.name), value, one.decimals)
            for name, value in right.items()
        ):
            return None
    return "entry-of-another", Advice(
        f"what you give for {wrong[0].text} is the answer to another of the questions",
        "It is a right value, in the wrong place.",
        "Compare what this question asks for with the one whose answer this is.",
    )


def is_telling(value: Any, decimals: int) -> bool:
    """True of a value that nobody gives by chance."""
    if isinstance(value, Between):
        return False
    if isinstance(value, (bool, int)):
        return abs(value) > 20
    if isinstance(value, float):
        return abs(value) >= 100 * 10.0**-decimals
    return not isinstance(value, (list, tuple)) or len(value) > 1


def _form(words: str, cure: str) -> tuple[str, Advice]:
    return "form", Advice(words, "What you found out may be right, but it cannot be read in this form.", cure)


def _of_one(entry: Entry, given: Any, right: Any) -> tuple[str, Advice] | None:
    """What can be seen of one wrong value."""
    if given is None:
        return None
    if isinstance(right, str) or (isinstance(right, list) and right and isinstance(right[0], str)):
        fact = _of_words(entry, given, right)
    elif isinstance(right, list):
        fact = _of_items(entry, given, right)
    else:
        fact = next(_of_numbers(entry, given, right), None)
    return fact


def added_and_left_out(given: Any, right: list) -> tuple[set[str], set[str]] | None:
    """What a list has and should not, and what it should have; None if it is no list of texts."""
    if not isinstance(given, (list, tuple)) or not all(isinstance(item, str) for item in given):
        return None
    items, wanted = {folded(item) for item in given}, {folded(item) for item in right}
    return items - wanted, wanted - items


def _of_words(entry: Entry, given: Any, right: Any) -> tuple[str, Advice] | None:
    if isinstance(given, dict):
        asked = "one word is" if isinstance(right, str) else "a list of texts is"
        return _form(
            f"for {entry.text} {asked} asked for, and you give a dict", "Which of its keys does the question ask for?"
        )
    items = given if isinstance(given, (list, tuple)) else [given]
    if items and all(isinstance(item, bool) for item in items):
        return _form(
            f"for {entry.text} you give True and False; words are asked for", "Give the words of which it is true."
        )
    if any(isinstance(item, (int, float, np.ndarray)) for item in items):
        return _form(f"for {entry.text} you give numbers; words are asked for", "Look up the words at those places.")
    if isinstance(right, str):
        return None if isinstance(given, str) else _form(f"for {entry.text} one word is asked for", "Type one word.")
    if any(isinstance(item, str) and (_DIVIDES.search(item) or item not in right) for item in items):
        texts = [
            text
            for item in map(str, items)
            for text in (_DIVIDES.split(item.strip()) if _DIVIDES.search(item) else item.split())
        ]
        whole = "".join(texts)
        if len(items) == 1 and (sorted(texts) == sorted(right) or sorted(whole) == sorted("".join(right))):
            return _form(f"for {entry.text} you give one text", 'Type each by itself, in a list: `["x", "y"]`.')
    known = [folded(item) for item in entry.among]
    if known and (strange := [item for item in items if folded(item) not in known]):
        words = f"there is no {strange[0]!r}; to choose from are {_some(entry.among)}"
        return _form(words, "Copy the names as they are written there.")
    return _of_items(entry, items, right)


def _of_items(entry: Entry, given: Any, right: list) -> tuple[str, Advice] | None:
    if not isinstance(given, (list, tuple)):
        return None
    items, wanted = {repr(folded(item)) for item in given}, {repr(folded(item)) for item in right}
    missing, foreign = len(wanted - items), len(items - wanted)
    if not items and missing:
        return "incomplete", Advice(
            f"your list of {entry.text} is empty",
            "Something belongs there.",
            "Test each thing that could stand there by what the question asks.",
        )
    if len(given) > len(items) and not missing and not foreign:
        return "too-many", Advice(
            f"in {entry.text}, all that is asked for is there, and something more than once",
            "Each thing belongs there once.",
            "Leave out what is repeated.",
        )
    if missing and not foreign:
        return "incomplete", Advice(
            f"in {entry.text}, what you give is right, but not all of it",
            "Something that belongs there is missing.",
            "Test the others in the same way as those that you have.",
        )
    if foreign and not missing:
        return "too-many", Advice(
            f"in {entry.text}, all that is asked for is there, and {plural(foreign, 'thing')} too many",
            "Something stands there that does not belong.",
            "Test each of them by what the question asks.",
        )
    if foreign == missing == 1 and len(wanted) > 2:
        return "one-wrong", Advice(
            f"in {entry.text}, all but one are right",
            "One stands in the place of another.",
            "Compare the last ones again: those are decided by the smallest differences."
            if entry.ranked
            else "Test each of them by what the question asks, and each that you left out.",
        )
    return None


def _upside_down(x: np.ndarray) -> np.ndarray:
    return 1 / np.where(x == 0, np.nan, x)


#: What may have happened to a right number last: the name, what it does, and how it looks.
_CHANGES: tuple[tuple[str, Callable[[np.ndarray], np.ndarray], str], ...] = (
    ("sign", lambda x: -x, "the wrong sign"),
    ("decimal-point", lambda x: x * 10, "the decimal point one place too far to the right"),
    ("decimal-point", lambda x: x / 10, "the decimal point one place too far to the left"),
    ("percent", lambda x: x * 100, "a hundred times the size that is asked for (percent?)"),
    ("percent", lambda x: x / 100, "a hundredth of the size that is asked for"),
    ("doubled", lambda x: x * 2, "twice the size that is asked for"),
    ("halved", lambda x: x / 2, "half the size that is asked for"),
    ("squared", lambda x: x**2, "been squared"),
    ("root", lambda x: np.sqrt(np.abs(x)), "a square root too many"),
    ("one-minus", lambda x: 1 - x, "been taken away from 1"),
    ("inverted", _upside_down, "been turned upside down"),
)

#: Changes that leave a number near 1 nearly where it was.
_LITTLE_NEAR_ONE = {"squared", "root", "inverted"}


def _near_one(wanted: np.ndarray) -> bool:
    return bool(((np.abs(wanted) > 0.8) & (np.abs(wanted) < 1.25)).all())


def _of_numbers(entry: Entry, given: Any, right: Any) -> Iterator[tuple[str, Advice]]:
    found = array_of(given) if not isinstance(given, (str, bool)) else None
    if found is None or isinstance(right, (dict, str)):
        words, cure = f"for {entry.text} a number is asked for", "Type a number, or the expression that computes it."
        if isinstance(right, tuple):
            words = f"for {entry.text} {len(right)} numbers are asked for"
            cure = "Type them as a list, without quotation marks: `[5, 7]`."
        elif isinstance(right, np.ndarray) and right.size > 1:
            words = f"for {entry.text} {right.size} numbers are asked for"
            cure = "Type them as a list, without quotation marks."
            if isinstance(given, (list, tuple)):
                words += ", and something in your list is no number"
                cure = "Type numbers, without quotation marks, and 0 where there is nothing."
            elif right.ndim > 1:
                cure = "Type them as a list with a list for each row, without quotation marks."
        if isinstance(given, dict) and not isinstance(right, dict):
            words, cure = f"{words}, and you give a dict", "Which of its values does the question ask for?"
        yield _form(words, cure)
        return
    wanted = np.asarray(right, dtype=float)
    found = found.astype(float)
    near = 0.6 * 10.0**-entry.decimals
    if found.shape != wanted.shape:
        turned = (
            found.ndim == wanted.ndim == 2
            and found.shape == wanted.T.shape
            and np.allclose(found, wanted.T, rtol=0, atol=near)
        )
        if turned:
            yield _turned(entry)
        words = {0: "one number is", 1: f"{wanted.size} numbers are"}.get(wanted.ndim, f"the shape {wanted.shape} is")
        if found.ndim == 0 and wanted.ndim == 1:
            cure = "Type all of them, as a list: `[1, 2]`."
            if np.asarray(right).dtype.kind in "iu" and wanted.size == 2 and np.asarray(given).dtype.kind in "iu":
                cure += " A place that `argmax` has counted through all rows is taken apart by `np.unravel_index`."
            yield _form(f"for {entry.text}, {words} asked for; you give one", cure)
            return
        cure = "Count them."
        if found.size == wanted.size and wanted.ndim:
            cure = "They are as many, in another number of brackets: " + (
                "take the outer ones off." if found.ndim > wanted.ndim else "a row of them is a list in the list."
            )
        if wanted.ndim == 0:
            cure = "Pick the number that the question asks for, or make one of them all as it says (a mean, a sum)."
        yield _form(f"for {entry.text}, {words} asked for; what you give has the shape {found.shape}", cure)
        return
    if wanted.ndim == 2 and wanted.shape[0] == wanted.shape[1] and np.allclose(found, wanted.T, rtol=0, atol=near):
        yield _turned(entry)
    if not np.isfinite(found).all():
        return
    if wanted.size > 1 and np.allclose(np.sort(found.ravel()), np.sort(wanted.ravel()), rtol=0, atol=near):
        yield (
            "order",
            Advice(
                f"the numbers of {entry.text} are right, but in another order",
                "Each number belongs to a place.",
                "Which row, or which of the two, does the question name first?",
            ),
        )
    size = float(np.abs(wanted).max(initial=0.0))
    counted = entry.decimals == 0 and bool((wanted == np.round(wanted)).all())
    whole = counted or np.asarray(right).dtype.kind in "iu"
    telling = size > 20 * near and size != 1 and not _small(right)  # enough digits that none of this is chance
    for name, change, words in _CHANGES:
        if name in _LITTLE_NEAR_ONE and _near_one(wanted):
            continue  # a number that is a little off looks the same
        # The slip may have come before the rounding, or after it.
        changed = [change(wanted), change(np.round(wanted, entry.decimals))]
        if whole and name == "decimal-point":
            words = "a zero too many" if words.endswith("right") else "a zero too few"
        if whole and name == "root":
            changed.append(np.round(changed[0]))
        if (
            telling
            and np.nanmax(np.abs(changed[0]), initial=0.0) > 20 * near
            and any(np.allclose(found, one, rtol=0, atol=min(near, 1e-6) if whole else near) for one in changed)
        ):
            yield (
                f"value-{name}",
                Advice(
                    f"what you give for {entry.text} has {words}",
                    "All else about it is right.",
                    "Look at the last step, and at how you typed it.",
                ),
            )
    if wanted.ndim == 0 and (off := _point_elsewhere(given, right)):
        yield (
            "point-elsewhere",
            Advice(
                f"your number for {entry.text} is the right one {off}",
                "In Python a point stands before the decimals, and nothing between thousands.",
                "Type it without points and commas, or use the computed value itself.",
            ),
        )
    elif wanted.ndim == 0 and _same_digits(given, round(float(right), entry.decimals)):
        yield (
            "digits-exchanged",
            Advice(
                f"your number for {entry.text} has the right digits, in another order",
                "Two digits have changed places while typing.",
                "Use the computed value itself instead of typing it.",
            ),
        )
    wrong = np.abs(found - wanted) > near
    # What is off by little more than may be has been rounded on the way.
    if wanted.size > 2 and wrong.sum() == 1 and np.abs(found - wanted).max() > 3 * near:
        place = ", ".join(str(int(i)) for i in np.argwhere(wrong)[0])
        yield (
            "one-number",
            Advice(
                f"one number of {entry.text} is wrong, at the place [{place}]",
                "All others are right.",
                "Calculate this one again, sign by sign.",
            ),
        )
    # A number with one decimal less is told as that.
    fewer = wanted.ndim == 0 and len(repr(float(found)).partition(".")[2]) < entry.decimals
    rounded = fewer and np.abs(found - wanted).max() <= 0.5 * 10.0 ** (1 - entry.decimals)
    if size and np.abs(found - wanted).max() < entry.near * size and not (whole or entry.counted or rounded):
        perhaps = "Perhaps rounded numbers were used on the way, or something that is nearly the right thing."
        cure = f"Go on with all digits, and round at the very end, to {plural(entry.decimals, 'decimal')} or more."
        if entry.drawn:
            perhaps = (
                f"Perhaps other random numbers were used than those of `{entry.drawn}`, or rounded ones on the way."
            )
            cure = f"Take what `{entry.drawn}` gives, as the task says, and round at the very end only."
        yield "nearly-right", Advice(f"what you give for {entry.text} is near, but not near enough", perhaps, cure)
    if isinstance(right, int) and wanted.ndim == 0 and float(found) != int(float(found)):
        yield _form(f"for {entry.text} a whole number is asked for", "Is it a place, or a count? Yours is a share.")


def _turned(entry: Entry) -> tuple[str, Advice]:
    return "transposed-result", Advice(
        f"{entry.text} is transposed",
        "Rows and columns have changed places: who asks and who answers are swapped.",
        "Check which axis each argument's rows end up on; the task states the shape.",
    )


def _small(right: Any) -> bool:
    """True of a whole number that others come near by chance."""
    return isinstance(right, int) and abs(right) < 20


def _point_elsewhere(given: Any, right: Any) -> str:
    """How far a whole number of many digits is off where a point has slipped in, in words; "" if none has."""
    if not isinstance(right, int) or abs(right) < 1000 or not isinstance(given, (int, float)):
        return ""
    off = next((power for power in (3, 6) if np.isclose(float(given) * 10**power, right, rtol=1e-9)), 0)
    return f"divided by {10**off:,}" if off else ""


def _same_digits(given: Any, right: Any) -> bool:
    one, other = (sorted(repr(value).replace(".", "").strip("0")) for value in (given, right))
    return len(other) > 3 and one == other and isinstance(given, type(right))


def _some(among: tuple[str, ...]) -> str:
    """What there is to choose from; of many the first."""
    said = ", ".join(map(repr, among[:MOST_SAID]))
    return said if len(among) <= MOST_SAID else f"{len(among)} words, such as {said}"
