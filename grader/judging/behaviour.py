"""What can be seen of a function without knowing its mistake: facts, each true whatever the reason is."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from grader.exercises.kinds import FunctionExercise
from grader.judging.answer import Answer, Outcome
from grader.judging.compare import array_of, kind_of, not_finite, same
from grader.judging.evidence import Recorded, agrees, as_read
from grader.judging.general import GENERAL
from grader.judging.models import Models
from grader.judging.plain import identical
from grader.judging.shapes import regular, shape_said
from grader.judging.source import Source
from grader.judging.verdict import Advice
from grader.words import plural

#: A line that raises by itself, also behind an `if ...:` or `else:` on the same one.
#: How often an argument is changed to see what follows.
TIMES = 3
#: How many fresh inputs have to get the same before it is said that all do.
SURE = 10
#: Results nearer than this to the right ones are called nearly right.
NEARLY = 0.01
#: What is said of None in the place of a result where something is None until it is replaced, and is returned last.
NOTHING_FOUND = Advice(
    GENERAL["none-sometimes"].looks_like,
    "Your `return` is reached; what it gives back is still None, as nothing has replaced that.",
    "Which value has to be beaten before something is found: a number that every input lies below, or not? The first "
    "candidate, or `np.inf`, is a start that always gives way.",
)
NUMBERS_AMONG_ROWS = Advice(
    "what you return holds single numbers among its rows",
    "A list is as good as a matrix only if each of its items is a row, and all rows are equally long.",
    "Which inputs get a number there? Give them a row as well: a row of zeros has as many as the others have numbers.",
)
SQUEEZED = (
    "`squeeze` takes away every axis of length 1, also one that belongs to the result and is that short by chance."
)
SOMETIMES = "In most calls your result is right, so that it depends on what comes in."
BY_CHANCE = (
    "In some calls the shape is right all the same; that may be because two lengths are equal there, one is 1, "
    "or the numbers decide how many there are."
)
RUN_TOGETHER = (
    "An axis as long as two lengths multiplied holds what belongs on two: a `reshape` has joined the wrong ones, say, "
    "or a list went on where a new one should begin."
)
WHICH_CALLS = (
    "What is special about the inputs below: how many axes they have, which lengths are equal, a row of zeros? Which "
    "of your lines treats it otherwise?"
)
AXIS_TOO_MANY = (
    "There is an axis too many: one that was put in (`None`, `newaxis`, a list around it) and stayed, one that "
    "broadcasting two arrays has made, or one that should have been summed away."
)
#: Where NaN and infinity come from, by the words of NumPy's first warning: what happened, and what to do.
NOT_FINITE = (
    ("overflow", "a number gets larger than any float", "what grows so large"),
    ("encountered in log", "the logarithm of 0 is minus infinity, and below 0 there is none", "what you take it of"),
    ("encountered in sqrt", "there is no square root of a number below 0", "what stands under the root"),
    ("encountered in power", "a number below 0 has no power with decimals, and 0 none below 0", "what you raise to it"),
    ("encountered in multiply", "0 times infinity is NaN; `np.where` chooses without multiplying", "both factors"),
    ("encountered in matmul", "0 times infinity is NaN", "both factors"),
    ("encountered in subtract", "infinity minus infinity is NaN", "what you subtract, and from what"),
    ("encountered in add", "infinity minus infinity is NaN", "what you add up"),
    ("encountered in reduce", "infinity minus infinity is NaN", "what you add up"),
    ("invalid value encountered in exp", "there is no number in the exponent", "what stands there"),
)

#: Said of a sum, or the like, of a whole array.
AXIS = "Give it the axis along which it is to run: `axis=-1` is the last, and the others stay."
#: Said where a `raise` stands in the lines.
NO_ERROR_RAISED = Advice(
    "what you raise is no error",
    "`raise` takes an error; a text alone, or None, is none.",
    'Put the text into the error that the task asks for: `raise ValueError("...")`.',
)
NOT_REACHED = Advice(
    "something that the task refuses is not refused: your `raise` is not reached then",
    "Its condition is not true there, or something else happens before it.",
    "See below what was given, and go through your lines with it: what does the condition in front of the `raise` say?",
)

#: What NumPy says of powers that are infinite.
POWERS = "overflow encountered in exp", "overflow encountered in power"


class Facts:
    """Facts about an answer that is wrong.

    Parameters
    ----------
    exercise : FunctionExercise
    answer : Answer
    record : list of Recorded
    fresh : callable
        Gives the call with that number of inputs which nobody has seen.
    source : Source
    """

    def __init__(
        self,
        exercise: FunctionExercise,
        answer: Answer,
        record: list[Recorded],
        fresh: Callable[[int], Recorded],
        source: Source,
    ) -> None:
        self._answer, self._record, self._fresh, self._source = answer, record, fresh, source
        self._models = Models(exercise)
        self._cases = len(exercise.cases)
        self._pairs = [(out, expected) for _, _, out, expected in record if out.ok and expected.ok]

    def at_once(self) -> Iterator[tuple[str, Advice]]:
        """What explains everything, so that nothing else needs to be looked for."""
        for name, holds in (
            ("same-for-every-input", self._same_for_every_input),
            ("result-truncated", self._truncated),
            ("all-zeros", self._all_zeros),
        ):
            if holds():
                one_array = self._source.one_array() if name == "all-zeros" else None
                yield one_array or (name, self._of_the_notebook() if name == "same-for-every-input" else GENERAL[name])

    def told(self) -> Iterator[tuple[str, Advice]]:
        """What is to be said where no explanation was found, the most telling first."""
        yield from self._kinds()
        wrong = [(out.value, right.value) for out, right in self._pairs if not same(out.value, right.value)]
        if wrong and all(_in_half(*pair) for pair in wrong):
            yield "half-precision", GENERAL["half-precision"]
        if wrong and all(_left_empty(*pair) for pair in wrong):
            yield "empty-result", GENERAL["empty-result"]
        yield from self._as_it_came()
        yield from self._written()
        yield from self._ignored()
        yield from self._shapes()
        yield from self._constants()
        yield from self._not_finite()
        yield from self._not_infinite()
        for name, holds in (
            ("rows-in-another-order", self._rows_elsewhere),
            ("same-numbers-elsewhere", self._elsewhere),
            ("columns-sum-to-one", lambda: self._sums(axis=-2)),
            ("rows-do-not-sum-to-one", lambda: self._sums(axis=None) and self._of_rows()),
            ("do-not-sum-to-one", lambda: self._sums(axis=None)),
            ("other-lengths", self._multiples),
            ("some-lengths", lambda: self._multiples(some=True)),
            ("nearly-right", self._nearly_right),
        ):
            if holds():
                yield name, GENERAL[name]
        yield from self._rows_mix()
        if any(out.changed for _, _, out, _ in self._record):
            yield "changes-input", GENERAL["changes-input"]

    def _kinds(self) -> Iterator[tuple[str, Advice]]:
        """Results that are no results, and errors that are not the right ones."""
        if self._changes_its_mind():
            yield self._source.unfilled() or ("remembers", GENERAL["remembers"])
        yield from self.of_odd_kinds()
        spelt = [(got.value, want.value) for got, want in self._pairs if _spelt_otherwise(got.value, want.value)]
        for got, want in spelt[:1]:
            yield _said("spelt-otherwise", f"`{got!r}` for `{want!r}`")
        if any(_not_boolean(out.value, expected.value) for out, expected in self._pairs):
            yield "not-booleans", GENERAL["not-booleans"]
        if any(out.ok and out.value is None and expected.value is not None for out, expected in self._pairs):
            if none := self._source.none_in_use():
                yield none
            yield "none-sometimes", self._nothing()
        if self._truncated():
            yield "result-truncated", GENERAL["result-truncated"]
        if self._each_once():
            yield "each-once", GENERAL["each-once"]
        yield from self.of_refusals()
        odd = [(out.value, right.value) for out, right in self._pairs if as_read(out.value, right.value) is None]
        if odd and all(
            isinstance(got, tuple) and not isinstance(want, tuple) and any(same(part, want) for part in got)
            for got, want in odd
        ):
            yield "one-result-too-many", GENERAL["one-result-too-many"]
        if any(_uneven(got) and isinstance(want, np.ndarray) for got, want in odd):
            yield "ragged-result", GENERAL["ragged-result"]
        if any(_numbers_among_rows(got) and isinstance(want, np.ndarray) for got, want in odd):
            yield "ragged-result", NUMBERS_AMONG_ROWS
        kinds = {
            (_kind(got), _kind(want))
            for got, want in odd
            if (type(got) is not type(want) and not _as_array(got, want)) or isinstance(want, tuple)
        }
        for got, want in [pair for pair in sorted(kinds) if pair[0] != pair[1]][:1]:
            name, advice = _said("wrong-kind", f"{got} instead of {want}")
            if got.startswith("a number") and (call := self._source.reduces_everything):
                advice = replace(advice, cause=f"`{call}` without `axis` makes one number of a whole array.", cure=AXIS)
            wrong = sum(not agrees(out, right) for out, right in self._pairs)
            yield name, replace(advice, looks_like=f"in some calls {advice.looks_like}") if len(odd) < wrong else advice
        for strange in [_strange(got, want) for got, want in odd if _strange(got, want)][:1]:
            yield _said("wrong-kind", f"there is {strange} in your list")

    def _nothing(self) -> Advice:
        """What is said of None in the place of a result, by the lines that it may come of."""
        if line := self._source.returns_nothing:
            return replace(
                GENERAL["none-sometimes"],
                cause=f"`{line}` stands in your lines, and gives back None.",
                cure="What should come back on that way? The task says which shape a result has, and None has none.",
            )
        return NOTHING_FOUND if self._source.returns_what_was_none else GENERAL["none-sometimes"]

    def of_refusals(self) -> Iterator[tuple[str, Advice]]:
        """What is refused, or not, and should be otherwise."""
        for _, _, out, expected in self._record:
            if expected.error and out.error != expected.error and not out.raised(expected.error):
                yield "not-refused", self._not_refused(out, expected)
            if out.refused and expected.ok:
                yield _said("refuses-allowed", f"`{out.line}`")

    def _not_refused(self, out: Outcome, expected: Outcome) -> Advice:
        """What is said where something else came than the error that is right."""
        if out.refused and "must derive from BaseException" in out.message:
            return NO_ERROR_RAISED
        if out.refused and out.error == "NameError":
            name, right = out.message.partition("'")[2].partition("'")[0], expected.error
            raised = re.search(rf"raise +{re.escape(name)}\b", out.line)
            said = f"{'you raise' if raised else 'the line that raises uses'} `{name}`, which is not defined"
            cure = f"Python's own is `{right}`." if raised else "Is it another of your names, or one of the arguments?"
            return Advice(said, "A name has to be spelt as it is, its capitals, too.", cure)
        if out.refused:
            said = f"you raise `{out.error}` where the task asks for `{expected.error}`"
            cause = "Whoever calls your function waits for that kind of error, and catches no other."
            return Advice(said, cause, f"`raise {expected.error}(...)`, with words that say what was wrong.")
        if out.ok and self._source.raises:
            return NOT_REACHED
        return GENERAL["not-refused"]

    def of_odd_kinds(self) -> Iterator[tuple[str, Advice]]:
        """Results that are no data, with what is asked for in their place."""
        for _, _, out, expected in self._record:
            if out.error == "NotPlain" and expected.ok:
                yield _said("wrong-kind", f"{out.message} instead of {_kind(expected.value)}")

    def _changes_its_mind(self) -> bool:
        """True if wrong calls, made once more, do something else."""
        wrong = [one for one in self._record if not agrees(one[2], one[3])]
        # One of few results may be drawn twice by chance.
        times = SURE if all(isinstance(right.value, (bool, str)) for *_, right in wrong) else TIMES
        return any(_otherwise(self._answer.call(args, kwargs), out) for args, kwargs, out, _ in wrong[:times])

    def _as_it_came(self) -> Iterator[tuple[str, Advice]]:
        """That the first argument is returned wherever the result is wrong, and only there."""
        wrong = [(args, out) for args, _, out, right in self._record if not agrees(out, right)]
        if wrong and all(
            args and isinstance(args[0], np.ndarray) and out.ok and same(out.value, args[0]) for args, out in wrong
        ):
            name = next(iter(self._models.named(self._record[0])))
            yield (
                "returns-argument",
                Advice(
                    f"wherever your result is wrong, it is `{name}` as it came",
                    "In the other calls something was done to it, and rightly.",
                    "See below which inputs these are: which of your lines does something to them, and which not?",
                ),
            )

    def _truncated(self) -> bool:
        """True if every result is an array of whole numbers: the right ones without their decimals."""
        return any(not same(got.value, want.value) for got, want in self._pairs) and all(
            _rows(got.value, want.value)
            and got.value.dtype.kind in "iu"
            and want.value.dtype.kind == "f"
            and np.array_equal(got.value, np.trunc(want.value))
            for got, want in self._pairs
        )

    def _each_once(self) -> bool:
        """True if lists hold what they should, shorter, and in an order that follows from nothing."""
        pairs = [(got.value, want.value) for got, want in self._pairs]
        lists = [(got, want) for got, want in pairs if isinstance(got, list) and isinstance(want, list)]
        lost = [len(got) < len(want) and not identical(got, _first_of_each(want)) for got, want in lists]
        return (
            sum(lost) > 1
            and len(lists) == len(pairs)
            and all(set(map(repr, got)) == set(map(repr, want)) and len(got) <= len(want) for got, want in lists)
        )

    def _shapes(self) -> Iterator[tuple[str, Advice]]:
        """A shape that is wrong, with the arguments that its lengths come from in every such call."""
        seen: dict[int, list[tuple[tuple, tuple, dict[str, Any]]]] = {}
        for one in (*self._record, *(self._fresh(number) for number in range(SURE))):
            got_all, want_all = _parts(one[2].value), _parts(one[3].value)
            for place, (got, want) in enumerate(
                zip(got_all, want_all, strict=False) if one[2].ok and one[3].ok else ()
            ):
                got = array_of(got) if _as_array(got, want) else got
                if isinstance(got, np.ndarray) and isinstance(want, np.ndarray):
                    seen.setdefault(place, []).append((got.shape, want.shape, self._models.named(one)))
        calls = [(out, expected) for _, _, out, expected in self._record if expected.ok]
        mostly = 2 * sum(agrees(*pair) for pair in calls) > len(calls)
        for place, shapes in sorted(seen.items()):
            shapes.sort(key=lambda one: one[0] == one[1])  # the words are of the first; they have to hold of all
            if shapes[0][0] == shapes[0][1]:
                continue
            which = f"result {place + 1} has " if len(_parts(self._pairs[0][1].value)) > 1 else ""
            got, want = [(had, names) for had, _, names in shapes], [(wanted, names) for _, wanted, names in shapes]
            sometimes = shapes[-1][0] == shapes[-1][1] and not regular(got)
            which = f"in some calls, {which}" if sometimes else which
            said = _said("wrong-shape", f"{which}{shape_said(got)} instead of {shape_said(want)}")
            if sometimes:
                said = (
                    said[0],
                    replace(said[1], cause=SOMETIMES, cure=WHICH_CALLS)
                    if mostly
                    else replace(said[1], cause=BY_CHANCE),
                )
            elif " * " in shape_said(got) and " * " not in shape_said(want):
                said = (said[0], replace(said[1], cause=RUN_TOGETHER))
            elif all(len(had) > len(wanted) for had, wanted, _ in shapes):
                said = (said[0], replace(said[1], cause=AXIS_TOO_MANY))
            if self._source.squeezes and all(
                tuple(size for size in wanted if size != 1) == tuple(size for size in had if size != 1)
                for had, wanted, _ in shapes
            ):
                said = (
                    said[0],
                    replace(said[1], cause=SQUEEZED, cure="Leave it out, or name the one axis that has to go."),
                )
            yield said
            return

    def _constants(self) -> Iterator[tuple[str, Advice]]:
        """The same factor, or the same difference, between all results and the right ones."""
        pairs = [(out.value, right.value) for out, right in self._pairs if not same(out.value, right.value)]
        if len(pairs) < 2 or not all(_rows(got, want) or _numbers(got, want) for got, want in pairs):
            return
        got, want = (np.concatenate([np.ravel(pair[i]) for pair in pairs]).astype(float) for i in (0, 1))
        if got.size < 3 or not np.isfinite(got).all() or not np.isfinite(want).all() or not want.all():
            return
        for name, values in (("constant-factor", got / want), ("constant-offset", got - want)):
            middle = float(np.median(values))
            if np.allclose(values, middle, rtol=1e-6, atol=1e-9):
                no_factor = name == "constant-factor" and abs(middle - 1) < 1e-4  # all are a little off
                yield ("nearly-right", GENERAL["nearly-right"]) if no_factor else _said(name, f"{middle:.4g}")

    def _multiples(self, some: bool = False) -> bool:
        """True if all rows are the right ones, each times a number above 0; with `some`, for some of them that is 1."""
        rows = [
            pair
            for out, right in self._pairs
            for pair in zip(_parts(out.value), _parts(right.value), strict=False)
            if not same(*pair)
        ]
        return len(rows) > 1 and all(
            _rows(got, want)
            and want.ndim > 0
            and want.shape[-1] > 2
            and bool((_lengths(want) * _lengths(got) > 0).all())
            and np.allclose(got / _lengths(got), want / _lengths(want), rtol=0, atol=1e-6)
            and bool(np.isclose(_lengths(got), _lengths(want), rtol=1e-6, atol=0).any()) == some
            for got, want in rows
        )

    def _rows_elsewhere(self) -> bool:
        """True if wherever something is wrong, the right rows are all there, each whole, in another order."""
        wrong = [(out.value, right.value) for out, right in self._pairs if not same(out.value, right.value)]
        return len(wrong) > 1 and all(
            _rows(got, want)
            and want.ndim == 2
            and want.shape[1] > 1
            and want.dtype.kind in "iuf"
            and len(np.unique(want.round(4), axis=0)) == len(want)
            and same(got[np.lexsort(got.round(4).T)], want[np.lexsort(want.round(4).T)])
            for got, want in wrong
        )

    def _elsewhere(self) -> bool:
        """True if wherever something is wrong, the right numbers are all there, in other places."""
        wrong = [
            pair
            for out, right in self._pairs
            for pair in zip(_parts(out.value), _parts(right.value), strict=False)
            if not same(*pair)
        ]
        return len(wrong) > 1 and all(
            isinstance(got, np.ndarray)
            and isinstance(want, np.ndarray)
            and got.size == want.size
            and len(np.unique(want)) > 3
            and same(np.sort(got, axis=None), np.sort(want, axis=None))
            for got, want in wrong
        )

    def _sums(self, axis: int | None) -> bool:
        """True if rows should sum to 1 and do not: because the columns do so, or (without an axis) for any reason."""
        both = [(_parts(out.value), _parts(right.value)) for out, right in self._pairs]
        # What has rows that sum to 1 in one call only, by chance, is no array of weights.
        places = [i for i in range(len(both[0][1]) if both else 0) if all(_weights(right[i]) for _, right in both)]
        wrong = [
            (got[i], right[i]) for got, right in both for i in places if i < len(got) and not same(got[i], right[i])
        ]
        if len(wrong) < 2 or not all(_rows(*pair) and np.isfinite(pair[0]).all() for pair in wrong):
            return False
        if all(np.isin(right, (0, 1)).all() for _, right in wrong):
            return False  # one-hot rows are no weights
        if axis is not None and not all(got.ndim > 1 and np.allclose(got.sum(axis=axis), 1) for got, _ in wrong):
            return False
        return not any(np.allclose(got.sum(axis=-1), 1) for got, _ in wrong)

    def _of_rows(self) -> bool:
        return any(
            isinstance(part, np.ndarray) and part.ndim > 1 for _, one in self._pairs for part in _parts(one.value)
        )

    def _same_for_every_input(self) -> bool:
        if len(self._pairs) < 3:
            return False
        (first, right), *others = self._pairs
        varied = any(not identical(right.value, expected.value) for _, expected in others)
        if not_finite(first) or not varied or not all(identical(first.value, out.value) for out, _ in others):
            return False
        # True, say, is what a few inputs may all get.
        return all(identical(first.value, self._fresh(number)[2].value) for number in range(SURE))

    def _of_the_notebook(self) -> Advice:
        """Words for a result that is always the same: which argument is not used, where that can be read."""
        general = GENERAL["same-for-every-input"]
        unused = next((advice for name, advice in self._source.unused() if self._matters(name)), None)
        if unused is None:
            return general
        return replace(general, cause=unused.looks_like[0].upper() + unused.looks_like[1:] + ".")

    def _all_zeros(self) -> bool:
        wrong = [(got.value, right.value) for got, right in self._pairs if not same(got.value, right.value)]
        return len(wrong) > 1 and all(_next_to_nothing(*pair) for pair in wrong)

    def _not_finite(self) -> Iterator[tuple[str, Advice]]:
        """Where nothing is wrong but NaN and infinity, of inputs with a right answer: what they all come from."""
        wrong = [(out, expected) for out, expected in self._pairs if not same(out.value, expected.value)]
        # A whole number hides what it was made of: there, what is wrong has to be just what NumPy warned of.
        hidden = all(_whole(expected.value) for _, expected in wrong) and not any(
            out.warned for out, expected in self._pairs if same(out.value, expected.value)
        )
        if not wrong or not (hidden or all(not_finite(out) and not not_finite(expected) for out, expected in wrong)):
            return
        told = [
            [
                said
                for said in out.warned
                if any(words in said for words in ("overflow", "divide by zero", "invalid value"))
            ]
            for out, _ in wrong
        ]
        if not all(told):
            return
        if all(any(words in said for said in some for words in POWERS) for some in told):
            yield "overflow", GENERAL["overflow"]
        elif all("divide" in some[0].rpartition(" encountered in ")[2] for some in told):
            yield "divided-by-zero", GENERAL["divided-by-zero"]
        for words, cause, where in NOT_FINITE:
            if not hidden and all(words in some[0] for some in told):
                yield (
                    "not-finite",
                    Advice(
                        "NaN or infinity stands in your result",
                        f"It begins here: {cause}. Everything that is calculated with NaN is NaN.",
                        f"Print {where}, for the inputs at which it happens.",
                    ),
                )

    def _not_infinite(self) -> Iterator[tuple[str, Advice]]:
        """Where nothing is wrong but something else in the place of infinity: what stands there."""
        stands = []
        for out, expected in self._pairs:
            if (got := as_read(out.value, expected.value)) is None:
                return
            for one, other in zip(_parts(got), _parts(expected.value), strict=True):
                if same(one, other):
                    continue
                one, other = np.atleast_1d(one), np.atleast_1d(other)
                if other.dtype.kind != "f":
                    return
                where = np.isinf(other) & (one != other)
                if not where.any() or not same(np.where(where, 0, one), np.where(where, 0, other)):
                    return
                stands.append(f"`{one[where][0]:.4g}` for `{other[where][0]:g}`")
        if stands:
            yield _said("not-infinite", stands[0])

    def _nearly_right(self) -> bool:
        """True if all results are near, and some not near enough."""
        gaps, sizes = [], []
        for out, expected in self._pairs:
            got, wanted = as_read(out.value, expected.value), expected.value
            if got is None or not isinstance(wanted, (np.ndarray, float)):
                return False
            got, wanted = np.asarray(got, dtype=float), np.asarray(wanted, dtype=float)
            if not np.isfinite(got).all() or not np.isfinite(wanted).all():
                return False
            sizes.append(np.abs(wanted).max(initial=0.0))
            if not same(out.value, expected.value):
                gaps.append((np.abs(got - wanted).max(initial=0.0), sizes[-1]))
        # Where nothing is to come out, nothing is near it: there the other calls say what is small.
        usual = float(np.median(sizes)) if sizes else 0.0
        return len(gaps) > 1 and all(gap <= NEARLY * (size or usual) for gap, size in gaps)

    def _ignored(self) -> Iterator[tuple[str, Advice]]:
        """An argument that has no effect on the answer, though it has one on what is right."""
        first = self._fresh(0)
        # A whole array stays the same for a reason; True, or one of a few numbers, may do so by chance.
        arrays = isinstance(first[3].value, (np.ndarray, tuple))
        if not arrays and len(self._models.named(first)) == 1 and not _all_alike(out for _, _, out, _ in self._record):
            return  # the results tell inputs apart, which have nothing else to differ in
        for name, given in self._models.named(first).items():
            # A whole number may count only in what is left of it, as places in a circle do.
            enough = 1 if arrays and not isinstance(given, int) else SURE
            # Each case is asked: what has no effect in the first ones may have one in others.
            times = max(TIMES, self._cases) if enough == 1 else 2 * SURE
            seen = [self._with(number, {name}) for number in range(times)]
            told = [one for one in seen if one is not None and _held(one[0].value) != 0]  # nothing is soon the same
            if len(told) < enough or not all(identical(before.value, after.value) for before, after in told):
                continue
            # What is drawn anew may have in common all that the answer looks at: how large its largest is, say.
            moved = [self._with_rows_moved(number, name) for number in range(times)]
            if all(identical(*(one.value for one in pair)) for pair in moved if pair is not None):
                held = isinstance(given, (tuple, dict))  # how much it holds may count
                yield (
                    "argument-ignored",
                    Advice(
                        f"{'what is in ' * held}`{name}` makes no difference to your result",
                        f"With {'other numbers in it' if held else 'another one in its place'}, and all else the same, "
                        "your function returned the same.",
                        "Look for its name in your body: is it used, and if so, what keeps it from making a "
                        "difference? A fixed size, another argument or a variable of the notebook in its place?",
                    ),
                )
                return

    def _with_rows_moved(self, number: int, name: str) -> tuple[Outcome, Outcome] | None:
        """What the answer does before and after the rows of an array have moved on by one place; where they can, by
        part of the way: that keeps sums, and changes what is largest as well as where it stands."""
        old = self._fresh(number)
        names = self._models.named(old)
        if not isinstance(names[name], np.ndarray) or not names[name].ndim:
            return None
        moved = np.roll(names[name], 1, axis=0)
        if moved.dtype.kind == "f":
            moved = 0.7 * moved + 0.3 * names[name]
        return self._compared(old, names | {name: moved})

    def _matters(self, name: str) -> bool:
        """True if what is right depends on an argument: leaving out another one is no mistake."""
        for number in range(2 * self._cases):
            names, others = (self._models.named(self._fresh(one)) for one in (number, number + self._cases))
            if name in names and (callable(names[name]) or isinstance(names[name], (str, dict))):
                return True
            if name in names and name in others and self._changes_what_is_right(number, names | {name: others[name]}):
                return True
        return False

    def _changes_what_is_right(self, number: int, names: dict[str, Any]) -> bool:
        old = self._fresh(number)
        right = self._models.right(*self._calls(old, names))
        return not right.ok or not same(right.value, old[3].value)

    def _with(self, number: int, names: set[str]) -> tuple[Outcome, Outcome] | None:
        """What the answer does before and after some arguments are drawn anew; None where that says nothing."""
        old, new = self._fresh(number), self._fresh(number + self._cases)
        before, others = self._models.named(old), self._models.named(new)
        if set(others) != set(before) or any(callable(before[name]) for name in names):
            return None
        mixed = before | {name: others[name] for name in names}
        return self._compared(old, mixed)

    def _compared(self, old: Recorded, mixed: dict[str, Any]) -> tuple[Outcome, Outcome] | None:
        args, kwargs = old[0], old[1]
        listed = list(mixed.values())
        new_args, new_kwargs = tuple(listed[: len(args)]), {name: mixed[name] for name in kwargs}
        right = self._models.right(new_args, new_kwargs)
        if not (old[2].ok and old[3].ok and right.ok) or same(right.value, old[3].value):
            return None
        outcome = self._answer.call(new_args, new_kwargs)
        return (old[2], outcome) if outcome.ok and not not_finite(outcome) else None

    def _rows_mix(self) -> Iterator[tuple[str, Advice]]:
        """That a row of a result follows another row of an argument, where no row of what is right ever does.

        In causal attention, say, a row may follow earlier ones: then it is said which row and which argument is meant.
        """
        mixing, sound = set(), set()
        for number in range(min(TIMES, self._cases)):
            old = self._fresh(number)
            names = self._models.named(old)
            for name, value in names.items():
                if not isinstance(value, np.ndarray) or value.ndim != 2 or len(value) < 2 or value.dtype.kind != "f":
                    continue
                for row, others in ((-1, slice(0, -1)), (0, slice(1, None))):
                    for size in (1.5, 40.0):  # a row may count only if it is the largest
                        changed = value.copy()
                        changed[row] = changed[row][::-1] * size + 0.25
                        pair = self._compared(old, names | {name: changed})
                        if pair is None:
                            continue
                        right = self._models.right(*self._calls(old, names | {name: changed}))
                        values = (pair[0].value, pair[1].value, old[3].value, right.value)
                        for before, after, wanted, now in zip(*map(_parts, values), strict=False):
                            if not _rows(wanted, now):
                                continue
                            if not same(now[others], wanted[others]):  # however many rows it has: those are others'
                                sound.add((name, row))
                                continue
                            rows = _rows(before, after) and len(wanted) == len(value) == len(before)
                            if rows and not same(after[others], before[others]):
                                mixing.add((name, row))
        for name, row in sorted(mixing - sound)[:1]:
            general = GENERAL["rows-mix"]
            if sound:
                which = "another" if (name, -1 - row) in mixing - sound else "an earlier" if row == 0 else "a later"
                general = Advice(
                    f"a row of your result changes when only {which} row of `{name}` changes",
                    "That row has no say in it. " + general.cause.partition(". ")[2],
                    f"Change one row of `{name}` in the example and look which rows of the result follow.",
                )
            yield "rows-mix", general

    @staticmethod
    def _calls(old: Recorded, mixed: dict[str, Any]) -> tuple[tuple, dict]:
        listed = list(mixed.values())
        return tuple(listed[: len(old[0])]), {name: mixed[name] for name in old[1]}

    # ---- what stands in the source

    def _written(self) -> Iterator[tuple[str, Advice]]:
        """What is wrong in the lines themselves."""
        yield from self._source.slips()
        for slip, some in (
            ("argument-overwritten", self._source.overwritten()),
            ("argument-unused", self._source.unused()),
        ):
            yield from ((slip, advice) for name, advice in some if self._matters(name))


def _first_of_each(items: list) -> list:
    """A list without what came before in it."""
    return [item for place, item in enumerate(items) if not any(identical(item, other) for other in items[:place])]


def _as_array(got: Any, want: Any) -> bool:
    """True of lists that are as good as an array, but for what is in them."""
    return isinstance(got, (list, tuple)) and isinstance(want, np.ndarray) and array_of(got) is not None


def _kind(value: Any) -> str:
    if isinstance(value, tuple) and len(value) == 1:  # what is looked at of a result stands alone in a tuple
        return _kind(value[0])
    return plural(len(value), "result") if isinstance(value, tuple) else kind_of(value).partition(" of shape")[0]


def _uneven(got: Any) -> bool:
    """True of lists in lists, or of vectors in a list, that differ in length where an array has equal rows."""
    rows = [got]
    while rows and all(isinstance(row, list) or (isinstance(row, np.ndarray) and row.ndim == 1) for row in rows):
        if len({len(row) for row in rows}) > 1:
            return True
        rows = [item for row in rows for item in row]
    return False


def _numbers_among_rows(got: Any) -> bool:
    """True of a list in which some items are rows, and all others single numbers."""
    if not isinstance(got, list):
        return False
    others = [item for item in got if not isinstance(item, list) and np.ndim(item) == 0]
    return 0 < len(others) < len(got) and all(isinstance(item, (int, float, np.generic)) for item in others)


def _strange(got: Any, want: Any) -> str:
    """What stands in a list between items of another kind, in words."""
    if not (isinstance(got, list) and isinstance(want, list) and want):
        return ""
    other = next((item for item in got if type(item) is not type(want[0])), want[0])
    return "" if other is want[0] else kind_of(other)


def _next_to_nothing(got: Any, want: Any) -> bool:
    """True if all numbers of an array are 0, or what rounding leaves of numbers that are taken off again."""
    if not isinstance(got, np.ndarray) or got.size < 2 or got.dtype.kind not in "biuf":
        return False
    numbers = isinstance(want, np.ndarray) and want.dtype.kind in "iuf"
    size = float(np.abs(want[np.isfinite(want)]).max(initial=0)) if numbers else 0.0
    return bool((np.abs(got) <= 1e-6 * size).all())


def _in_half(got: Any, want: Any) -> bool:
    """True if all that is wrong has half precision."""
    wrong = [one for one, other in zip(_parts(got), _parts(want), strict=False) if not same(one, other)]
    return bool(wrong) and all(isinstance(one, np.ndarray) and one.dtype == np.float16 for one in wrong)


def _left_empty(got: Any, want: Any) -> bool:
    """True of a text, a list or an array with nothing in it, where there should be something."""
    return _held(got) == 0 and bool(_held(want))


def _held(value: Any) -> int | None:
    """How much there is in a text, a list or an array; None for anything else."""
    if isinstance(value, np.ndarray):
        return value.size
    return len(value) if isinstance(value, (str, list)) else None


def _all_alike(outcomes: Iterable[Outcome]) -> bool:
    first, *others = outcomes
    return all(identical(first.value, one.value) for one in others)


def _otherwise(again: Outcome, first: Outcome) -> bool:
    """True if a call did something else than when it was made first; what it gives may be anything."""
    return again.error != first.error or not identical(again.value, first.value)


def _spelt_otherwise(got: Any, want: Any) -> bool:
    """True of a text that is the right one but for capitals, blanks, hyphens and stops."""
    return isinstance(got, str) and isinstance(want, str) and got != want and _letters(got) == _letters(want)


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _not_boolean(got: Any, want: Any) -> bool:
    """True of numbers or texts in the place of True and False."""
    if isinstance(want, np.ndarray) and want.dtype.kind == "b":
        if isinstance(got, np.ndarray) and got.dtype.kind == "U":
            return got.shape == want.shape
        numbers = array_of(got) if isinstance(got, (list, np.ndarray)) else None
        return numbers is not None and numbers.dtype.kind in "iuf" and numbers.shape == want.shape
    return isinstance(want, bool) and isinstance(got, (int, float, str)) and not isinstance(got, bool)


def _weights(value: Any) -> bool:
    """True of rows of weights: numbers from 0 to 1 that sum to 1."""
    return (
        isinstance(value, np.ndarray)
        and value.ndim > 0
        and value.dtype.kind == "f"
        and bool((value >= 0).all() and np.allclose(value.sum(axis=-1), 1))
    )


def _parts(value: Any) -> tuple:
    return value if isinstance(value, tuple) else (value,)


def _whole(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "iub"


def _numbers(one: Any, other: Any) -> bool:
    return isinstance(one, float) and isinstance(other, float)


def _said(name: str, what: str) -> tuple[str, Advice]:
    """A general mistake with what was seen of it."""
    advice = GENERAL[name]
    return name, Advice(f"{advice.looks_like}: {what}", advice.cause, advice.cure)


def _lengths(rows: np.ndarray) -> np.ndarray:
    return np.linalg.norm(rows.astype(float), axis=-1, keepdims=True)


def _rows(one: Any, other: Any) -> bool:
    return isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.ndim > 0 and one.shape == other.shape
