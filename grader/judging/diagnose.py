"""The name of the mistake: what the exercise knows, what any function can show, or one of each together.

An explanation is a model that does what the answer did in every call that was recorded. It is spoken only when it has
also foretold what the answer does with inputs that neither has seen, until the evidence outweighs the number of
explanations that were tried; where two are left, inputs are sought on which they differ. The search is counted in calls
of models, each weighed by what its exercise says, never in time: an answer is told the same on every machine.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from grader.exercises.kinds import Exercise, FunctionExercise
from grader.judging import behaviour
from grader.judging.answer import Answer, Outcome
from grader.judging.compare import not_finite, same
from grader.judging.evidence import (
    Recorded,
    Said,
    agrees,
    differs,
    evidence,
    fingerprint,
    parts_apart,
    prints,
    said_by,
    traces_of,
)
from grader.judging.exceptions import slip_of
from grader.judging.general import GENERAL
from grader.judging.hypotheses import LOST, UNUSED, Hypothesis, on_arguments, on_results
from grader.judging.models import Models, Spent
from grader.judging.shapes import refused
from grader.judging.source import Source
from grader.judging.verdict import Advice

#: An id of a mistake, and its words.
Mistake = tuple[str, Advice]

#: Evidence that an explanation needs beyond the number of those that were tried, in bits.
MARGIN = 10.0
#: What is said behind a cure where something else was done besides, which has no words that are sure.
NOT_ALL = "Then check again: this need not be all."
#: Fresh inputs on which an explanation is tried, at least and at most; and on which two are told apart.
FEWEST_FRESH, MOST_FRESH, MOST_APART = 4, 24, 24
#: After so many fresh inputs that say nothing no more are drawn.
ENOUGH_IN_VAIN = 8
#: Calls that are left, of those that may be made, for all that is tried after pairs of the exercise's own mistakes:
#: calls of an ordinary model, or of its own where that costs more.
KEPT = 300
#: So many numbers of a learner's lines are tried, the smallest first.
MOST_NUMBERS = 12
#: Numbers in the arguments of a call that mistakes are still tried on.
LARGEST = 1_000_000


def advice_on(exercise: Exercise, name: str) -> Advice:
    for misconception in getattr(exercise, "misconceptions", ()):
        if misconception.id == name:
            return Advice(misconception.looks_like, misconception.cause, misconception.cure)
    return GENERAL[name]


def diagnose(
    exercise: FunctionExercise,
    answer: Answer,
    record: list[Recorded],
    of_cases: int,
    seeds: np.random.SeedSequence,
) -> list[Mistake]:
    """The mistakes that explain an answer: one, or two of which neither alone does; nothing if none is sure.

    Parameters
    ----------
    exercise : FunctionExercise
    answer : Answer
    record : list of Recorded
        All calls that were made of it.
    of_cases : int
        How many of them the cases made; the others are of properties.
    seeds : numpy.random.SeedSequence
        For fresh inputs.
    """
    # What costs an answer too much may cost a model of its mistakes as much: it is not asked for that. Nor for what is
    # so large that a mistake may fill the memory, as a matrix of all pairs does.
    kept = [not one[2].exhausted and _size(one) <= LARGEST for one in record]
    if any(kept):
        record, of_cases = [one for one, keep in zip(record, kept, strict=True) if keep], sum(kept[:of_cases])
    outcomes = [outcome for _, _, outcome, _ in record]
    if not outcomes:
        return []
    asked = [outcome for _, _, outcome, expected in record if expected.ok]
    if asked and all(outcome.ok and outcome.value is None for outcome in asked):
        source = Source(answer.source())
        if none := source.none_in_use():
            return [none]
        shown = all(prints(one[2].printed, one[3].value) for one in record if one[3].ok)
        if not shown and (none := source.never_reached() or source.none_handed_on()):
            return [none]
        return _general("prints-result" if shown else "returns-none")
    source = Source(answer.source())
    if uncalled := source.uncalled():
        return [uncalled]
    search = _Search(exercise, answer, record, seeds, source)
    slips = [search.with_shapes(*slip)] if (slip := slip_of(asked, source)) else []
    if slips and slips[0][0] == "in-place-whole-numbers" and any(outcome.changed for outcome in outcomes):
        slips = _general("changes-input")  # what is refused for whole numbers is done to others
    one_number = bool(slips) and slips[0][0] == "one-number-wanted"  # `float` refuses several: that is the mistake
    if exercise.in_front and not one_number and (found := search.in_front(record, of_cases)):
        return found
    if all(outcome.error for outcome in outcomes):
        return search.raised(record) or slips or search.kind() or search.refuses()
    first = next((one[2] for one in record if not agrees(one[2], one[3])), None)
    if slips and first and first.ok:  # the first name is of what is shown: that is no error
        if found := search.explained(record, of_cases, []):
            return found
        search.leave_out(_fails)
        returned = [one[2].ok or not one[3].ok for one in record]
        some = [one for one, kept in zip(record, returned, strict=True) if kept]
        found = search.explained(some, sum(returned[:of_cases]), []) or search.fact()
        return [*found[:1], (slips[0][0], _elsewhere(slips[0][1]))]
    found = (
        search.explained(record, of_cases, slips)
        or search.beside(record, of_cases, _breaks)
        or search.beside(record, of_cases, _refused_otherwise)
    )
    return search.with_refusals(found, record) if found else search.fact()


def _elsewhere(advice: Advice) -> Advice:
    return replace(advice, looks_like=f"some calls end with an error: {advice.looks_like}")


def and_more(advice: Advice) -> Advice:
    """The same, where something else was done besides."""
    return replace(advice, cure=f"{advice.cure} {NOT_ALL}")


def _nothing(_: Recorded) -> bool:
    return False


def _fails(record: Recorded) -> bool:
    """True if a call ended with an error."""
    return not record[2].ok


def _breaks(record: Recorded) -> bool:
    """True if a call gave NaN or infinity where numbers are right."""
    return not_finite(record[2]) and not not_finite(record[3])


def _refused_otherwise(record: Recorded) -> bool:
    """True if a call is to be refused, and was not, or in another way."""
    return not record[3].ok and not agrees(record[2], record[3])


def _in_another_shape(record: Recorded) -> bool:
    """True if a call gave the right numbers in an array of another shape."""
    got, want = record[2].value, record[3].value
    if not isinstance(got, np.ndarray) or not isinstance(want, np.ndarray) or got.shape == want.shape:
        return False
    return got.size == want.size and same(got.ravel(), want.ravel())


def _more_axes(record: list[Recorded]) -> Callable[[Recorded], bool]:
    """What is true of a call whose first array has more axes than that of another call."""
    fewest = min(map(_axes, record))
    return lambda one: _axes(one) > fewest


def _axes(record: Recorded) -> int:
    return next((value.ndim for value in record[0] if isinstance(value, np.ndarray)), 0)


def _general(*names: str) -> list[Mistake]:
    return [(name, GENERAL[name]) for name in names]


class _Search:
    """Explanations of one answer, the simple ones before those of two mistakes."""

    def __init__(
        self,
        exercise: FunctionExercise,
        answer: Answer,
        record: list[Recorded],
        seeds: np.random.SeedSequence,
        source: Source,
    ) -> None:
        self._exercise, self._answer, self._seeds, self._source = exercise, answer, seeds, source
        self._record = record
        #: What is not to be explained: of fresh inputs, too, calls of which this is true are left out.
        self.left_out: Callable[[Recorded], bool] = _nothing
        self._shown: dict[frozenset[str], list[Hypothesis]] = {}
        self._models = Models(exercise)
        self._kept = KEPT * max(exercise.effort, 1)
        self._drawn: list[Recorded] = []
        self._apart_from: list[Recorded] = []
        self._heard: dict[tuple[int, int, int], tuple[Recorded, Outcome, Outcome, Said]] = {}
        self._tried = 0
        self._facts = behaviour.Facts(exercise, answer, record, self.fresh, source)

    def with_shapes(self, name: str, advice: Advice) -> Mistake:
        """A slip, with the shapes that did not go together as lengths of the arguments, and what has one of them."""
        calls = [(one[2], self._models.named(one)) for one in self._record]
        line = next((out.line for out, _ in calls if out.line and advice.looks_like.endswith(f"`{out.line}`")), "")
        return name, replace(advice, cause=advice.cause + refused(line, calls) + self._source.weights_in(line))

    def kind(self) -> list[Mistake]:
        """That what is returned is of a kind that nobody can compare."""
        return [*self._facts.of_odd_kinds()][:1]

    def refuses(self) -> list[Mistake]:
        """That what it raises itself is raised where nothing is to be refused."""
        return [fact for fact in self._facts.of_refusals() if fact[0] == "refuses-allowed"][:1]

    def fact(self) -> list[Mistake]:
        """The most telling of what can be seen, without an explanation."""
        return next(([fact] for fact in self._facts.told()), [])

    def leave_out(self, left_out: Callable[[Recorded], bool]) -> None:
        """Explain the other calls from now on, whatever the search for all of them has spent."""
        self.left_out = left_out
        self._models.left = max(self._models.left, self._kept)

    def beside(self, record: list[Recorded], of_cases: int, left_out: Callable[[Recorded], bool]) -> list[Mistake]:
        """The exercise's own mistake that explains all calls but some, if there are such: what makes NaN or infinity
        out of a few inputs, or does not refuse them, leaves no traces by which two mistakes could be shown."""
        kept = [not left_out(one) for one in record]
        others = [one for one, keep in zip(record, kept, strict=True) if keep]
        if all(kept) or all(agrees(one[2], one[3]) for one in others):
            return []
        self.leave_out(left_out)
        try:
            everything = self._sets(others, sum(kept[:of_cases]))[:1]
            pivot = everything[0][0]
            own = self._plausible([*self._own(), *self._with_own_numbers(), *_within(self._exercise)], pivot)
            found = self._best(own, everything, rivals=lambda: self._common(pivot)[-1])
            return [(name, and_more(advice)) for name, advice in found]
        except Spent:
            return []

    def with_refusals(self, found: list[Mistake], record: list[Recorded]) -> list[Mistake]:
        """What was found, and what is wrong with calls that are to be refused, where the exercise's own mistakes were
        found and do not explain it."""
        switches = frozenset(name for name, _ in found)
        if not switches <= {one.id for one in self._exercise.misconceptions}:
            return found
        made = replace(self._known(found[0][0]), switches=switches)
        try:
            left = [one for one in record if _refused_otherwise(one)]
            models = [(one, self._models.outcome(made, one)) for one in left]
        except Spent:
            return found
        if all(model and agrees(one[2], model) for one, model in models):
            return found
        return [*found, *list(self._facts.of_refusals())[:1]]

    def in_front(self, record: list[Recorded], of_cases: int) -> list[Mistake]:
        """What is told where every call is wrong in which axes stand in front: errors and other kinds of things in
        these come of that, and say nothing."""
        more = _more_axes(record)
        fewest = [one for one in record if not more(one)]
        if len(fewest) == len(record) or any(_fails(one) for one in fewest):
            return []
        if any(agrees(one[2], one[3]) or _in_another_shape(one) for one in record if more(one)):
            return []
        if all(agrees(one[2], one[3]) for one in fewest):
            name = self._exercise.in_front
            return self.explained(record, of_cases, [(name, advice_on(self._exercise, name))])
        return self.explained(record, of_cases, []) or self.beside(record, of_cases, more)

    def raised(self, record: list[Recorded]) -> list[Mistake]:
        """The exercise's own mistake that raises what the answer does, in every call and first in the same words."""
        try:
            for one in self._own():
                model = self._models.outcome(one, record[0])
                if model and model.message == record[0][2].message and self._explains(one, record):
                    return [(one.id, one.advice)]
        except Spent:
            pass
        return []

    def explained(self, record: list[Recorded], of_cases: int, slips: list[Mistake]) -> list[Mistake]:
        """The first explanation that holds, by the number of mistakes in it.

        Each kind is tried on all calls first, and then on those of the cases alone: a property may have been cut short
        by what came out.
        """
        if all(agrees(one[2], one[3]) for one in record):
            return []
        try:
            return self._searched(self._sets(record, of_cases), slips)
        except Spent:
            return slips

    @staticmethod
    def _sets(record: list[Recorded], of_cases: int) -> list[list[Recorded]]:
        """The calls that an explanation has to explain: all, and those of the cases alone; in each the first is wrong.

        Nearly every explanation falls at that first one: one that returned something, of many sizes, and small.
        """
        cases = {id(one) for one in record[:of_cases]}
        wrong = [one for one in record if not agrees(one[2], one[3])]
        pivot = min(wrong, key=lambda one: (not one[2].ok, id(one) not in cases, _alike(one), _size(one)))
        others = sorted((one for one in record if one is not pivot), key=_size)
        sets = [[pivot, *others]]
        if id(pivot) in cases and len(cases) < len(record):
            sets.append([pivot, *(one for one in others if id(one) in cases)])
        return sets

    def _searched(self, sets: list[list[Recorded]], slips: list[Mistake]) -> list[Mistake]:
        pivot = sets[0][0]
        known, more = self._own(), [*self._with_own_numbers(), *_within(self._exercise), *self._suspected()]
        common = functools.cache(lambda: self._common(pivot))  # most answers are explained without
        everything, cases = sets[:1], sets[1:]
        own = self._plausible([*known, *more], pivot)
        if found := self._best(own, everything, rivals=lambda: common()[-1]):
            return found
        if _unchanged(sets[0]):
            return _general("returns-argument")
        if any(outcome.changed for _, _, outcome, expected in sets[0] if not agrees(outcome, expected)):
            one_array = self._source.one_array()
            return [one_array] if one_array else _general("changes-input")
        if fact := next(self._facts.at_once(), None):
            return [fact]
        last, first, general = common()
        others = self._plausible(general, pivot)
        if found := self._best(others, everything):
            return found
        if found := self._best(self._in_one_part(known, pivot), everything):
            return found
        two = self._two(known, more, pivot)
        return (
            self._best(two, everything)
            or slips
            or self._of_cases(self._best(own, cases, rivals=lambda: general), sets[0])
            or self._of_cases(self._best(others, cases), sets[0])
            or self._best(two, cases)
            or self._best(self._ended_otherwise(known, last, pivot), sets)
            or self._best(self._begun_otherwise(known, first, pivot), sets)
        )

    def _of_cases(self, found: list[Mistake], record: list[Recorded]) -> list[Mistake]:
        """What explains the calls of the cases alone: where another call gave something else, that is not all."""
        own = {one.id for one in self._exercise.misconceptions if not one.numbered}
        if len(found) != 1 or found[0][0] not in own or found[0][1].cure.endswith(NOT_ALL):
            return found
        made = self._known(found[0][0])
        models = [
            (one, self._models.outcome(made, one)) for one in record if not (one[2].stopped or agrees(one[2], one[3]))
        ]
        if all(model is None or agrees(one[2], model) for one, model in models):
            return found
        return [(found[0][0], and_more(found[0][1]))]

    def _own(self) -> list[Hypothesis]:
        known = [self._known(one.id) for one in self._exercise.misconceptions]
        return [*known, *self._with_own_marks()]

    def _with_own_marks(self) -> list[Hypothesis]:
        """Its own mistakes that are made with punctuation marks, with those that stand in the learner's lines."""
        return [
            replace(self._known(one.id), switches=frozenset([f"{one.id}={marks}"]))
            for one in self._exercise.misconceptions
            if one.marked and (marks := self._source.marks())
        ]

    def _with_own_numbers(self) -> list[Hypothesis]:
        """Its own mistakes that are made with a number, each with those that stand in the learner's lines."""
        return [
            replace(
                self._known(one.id),
                advice=Advice(f"{one.looks_like}: look at the {_short(number)} in your function", one.cause, one.cure),
                switches=frozenset([f"{one.id}={number!r}"]),
            )
            for one in self._exercise.misconceptions
            if one.numbered
            for number in self._source.numbers()[:MOST_NUMBERS]
        ]

    def _suspected(self) -> list[Hypothesis]:
        """Several of its own mistakes together, where the exercise can tell from the calls which these would be."""
        some = self._exercise.suspects(self._record) if self._exercise.suspects else ()
        return [Hypothesis(name, Advice(*words), switches=frozenset(switches)) for name, words, switches in some]

    def _common(self, pivot: Recorded) -> tuple[list[Hypothesis], list[Hypothesis], list[Hypothesis]]:
        """What can be done to any result last, to any argument first, and all that together with stages on the way."""
        names = self._models.named(pivot)
        last = [*on_results(pivot[3].value, names, self._exercise.returns)]
        first = [*on_arguments(names)]
        return last, first, [*last, *self._models.on_stages(pivot), *first]

    def _plausible(self, some: Iterable[Hypothesis], pivot: Recorded) -> list[Hypothesis]:
        """Those that one call does not speak against: few are left to be tried on all the others."""
        return [one for one in some if self._explains(one, [pivot])]

    def _in_one_part(self, known: list[Hypothesis], pivot: Recorded) -> list[Hypothesis]:
        """Plausible ones of its own mistakes that were made for one result of several, the others being right.

        Whoever computes a thing twice may do it otherwise the second time.
        """
        got, wanted = pivot[2].value, pivot[3].value
        if not (isinstance(got, tuple) and isinstance(wanted, tuple) and len(got) == len(wanted)):
            return []
        apart = [
            place
            for place, (one, other) in enumerate(zip(got, wanted, strict=True))
            if not agrees(Outcome(value=one), Outcome(value=other))
        ]
        if len(apart) != 1:
            return []
        place = apart[0]
        where = f"only in what you return as `{self._exercise.returns[place]}`"
        return self._plausible(
            (
                replace(one, place=place, advice=replace(one.advice, looks_like=f"{where}: {one.advice.looks_like}"))
                for one in known
            ),
            pivot,
        )

    def _ended_otherwise(self, known: list[Hypothesis], last: list[Hypothesis], pivot: Recorded) -> list[Hypothesis]:
        """Plausible pairs of one of the exercise's own mistakes and something that is done to its result last.

        There are thousands: mistakes that come to the same in this call are tried as one, and where one part of a
        result tells already that something else is wrong, nothing that is done to another part is tried.
        """
        alike: dict[Any, tuple[Outcome, list[Hypothesis]]] = {}
        for one in known:
            if model := self._models.outcome(one, pivot):
                alike.setdefault(fingerprint(model), (model, []))[1].append(one)
        names, found = self._models.named(pivot), []
        for model, some in alike.values():
            apart = parts_apart(pivot[2], model)
            for other in last:
                self._tried += len(some)
                if other.part is not None and apart - {other.part}:
                    continue
                changed = self._models.ended(other, model, names)
                if changed and agrees(pivot[2], changed) and differs(pivot, changed):
                    found += [self._together(one, other) for one in some]
        return found

    def _begun_otherwise(self, known: list[Hypothesis], first: list[Hypothesis], pivot: Recorded) -> list[Hypothesis]:
        """Plausible pairs of one of the exercise's own mistakes and something that is done to an argument first.

        Each takes a call of its own. What is left of the budget does for all of them, or they are not begun with: some
        of them would depend on the order in which they stand.
        """
        if len(known) * len(first) * self._exercise.effort > self._models.left:
            return []
        return self._plausible(self._pairs(known, first), pivot)

    def _two(self, known: list[Hypothesis], more: list[Hypothesis], pivot: Recorded) -> list[Hypothesis]:
        """Plausible pairs of the exercise's own mistakes, in its order; likely ones are tried while the budget lasts.

        A mistake that does not show in this call mostly changes nothing there beside another one either: such a pair
        is likely only if the other alone does what the answer did. Nor does one mistake mend what another has broken:
        those that alone leave right what is right in the answer come first, and before them those that also make some
        of its wrong numbers. Of those with a learner's own number, or within another exercise, there are so many that
        only pairs of that first kind are tried.
        """
        some, many = [*known, *more], {one.switches for one in more}
        alone = {one.switches: self._models.outcome(one, pivot) for one in some}
        silent = {made for made, model in alone.items() if model and not differs(pivot, model)}
        alike = {made for made, model in alone.items() if model and agrees(pivot[2], model)}

        traces = {made: traces_of(pivot[2], model, pivot[3]) for made, model in alone.items() if model}
        breaks = {made for made, (_, broken) in traces.items() if broken}
        makes = {made for made, (found, _) in traces.items() if found}

        def unlikely(pair: tuple[Hypothesis, Hypothesis]) -> int:
            made = {one.switches for one in pair}
            return 0 if made & alike else 1 + len(made & silent)

        def order(pair: tuple[Hypothesis, Hypothesis]) -> tuple[int, bool, bool]:
            made = {one.switches for one in pair}
            return unlikely(pair), bool(made & breaks), not made & makes

        found: list[tuple[int, Hypothesis]] = []
        pairs = enumerate(pair for pair in itertools.combinations(some, 2) if pair[0].id != pair[1].id)
        for place, pair in sorted(pairs, key=lambda one: order(one[1])):
            if self._models.left < self._kept:
                break
            if unlikely(pair) == 0 or pair[1].switches not in many:
                found += ((place, two) for two in self._plausible([self._together(*pair)], pivot))
        return [two for _, two in sorted(found, key=lambda one: one[0])]

    def _pairs(self, known: list[Hypothesis], others: list[Hypothesis]) -> Iterator[Hypothesis]:
        """Each of the exercise's own mistakes with each of the others."""
        return (self._together(one, other) for one, other in itertools.product(known, others))

    @staticmethod
    def _together(one: Hypothesis, other: Hypothesis) -> Hypothesis:
        return replace(other, switches=one.switches | other.switches, beside=(one, other))

    def _known(self, name: str) -> Hypothesis:
        return Hypothesis(name, advice_on(self._exercise, name), switches=frozenset([name]))

    def _best(
        self,
        plausible: list[Hypothesis],
        sets: list[list[Recorded]],
        rivals: Callable[[], list[Hypothesis]] | None = None,
    ) -> list[Mistake]:
        """The first of these that explains all calls of a set and fresh inputs, if the others that do are the same.

        With `rivals` they are mistakes that the exercise itself knows. Where results say little (True or False, one of
        few candidates) such a one is believed without overwhelming evidence, if none of its rivals holds as well.
        """
        for records in sets if plausible else ():
            left = [one for one in plausible if self._explains(one, records)]
            need = math.log2(max(self._tried, 1)) + MARGIN
            strong = [(one, self._strength(one, records, need)) for one in left]
            left = [
                one for one, strength in strong if strength is not None and (rivals is not None or strength >= need)
            ]
            if rivals and left and all(strength is None or strength < need for _, strength in strong):
                left += [one for one in rivals() if self._explains(one, records)]
            while len(left) > 1:
                loser = self._apart(left[0], left[1])
                left.remove(loser or left[1])  # the same function: the first has words that are true of both
            if left:
                return self._mistakes(left[0])
            if weak := [one.switches for one, strength in strong if strength is not None and len(one.switches) > 1]:
                shared = frozenset[str].intersection(*weak)
                if len(shared) == 1:  # which other was made besides is not sure; this one is in all that hold
                    return [self._not_all(self._known(next(iter(shared))))]
        return []

    @staticmethod
    def _not_all(one: Hypothesis) -> Mistake:
        """A mistake that is sure, where something else was done besides."""
        return one.id, and_more(one.advice)

    def _mistakes(self, one: Hypothesis) -> list[Mistake]:
        if one.beside is None:
            advice = self._source.where_lost(one.advice) if one.id in LOST else one.advice
            return [(one.id, self._source.where_unused(advice) if one.id in UNUSED else advice)]
        shown = self._shown[one.switches]
        if len(shown) == 1:
            return [self._not_all(shown[0])]
        return [(part.id, part.advice) for part in shown]

    def _explains(self, one: Hypothesis, records: list[Recorded]) -> bool:
        """True if it does what the answer did in every one of these calls, and not what is right in each."""
        self._tried += len(records) == 1
        shows = False
        for record in records:
            model = self._models.outcome(one, record)
            if model is None or not agrees(record[2], model):
                return False
            shows = shows or differs(record, model)
        return shows

    def _strength(self, one: Hypothesis, records: list[Recorded], enough: float) -> float | None:
        """The evidence for it in bits, with that of fresh inputs, until it is enough; None if one speaks against it.

        Where the first fresh inputs say nothing at all, since the mistake shows only where a property looks, no more
        are drawn.
        """
        calls = [(record, model) for record in records if (model := self._models.outcome(one, record))]
        recorded, have = len(calls), self._evidence(one, calls, enough)
        before = have
        for number in range(MOST_FRESH):
            if number >= FEWEST_FRESH and have >= enough:
                break
            if len(calls) - recorded >= max(ENOUGH_IN_VAIN, len(self._exercise.cases)) and have == before:
                break
            record = self.fresh(number)
            if record[2].stopped:
                break
            if self.left_out(record):
                continue
            model = self._models.outcome(one, record)
            if model is None or not agrees(record[2], model):
                return None
            calls.append((record, model))
            have = self._evidence(one, calls, enough)
        return have

    def _evidence(self, one: Hypothesis, calls: list[tuple[Recorded, Outcome]], enough: float) -> float:
        """What speaks for it against what is right; of two mistakes, also for one of them against the other alone."""
        have = evidence(self._said(record, model, record[3]) for record, model in calls)
        if one.beside is None or have < enough:
            return have
        first, second = one.beside
        shown = {
            part: evidence(
                self._said(record, model, without)
                for record, model in calls
                if (without := self._models.outcome(other, record))
            )
            for part, other in ((first, second), (second, first))
            if part.switches
        }
        self._shown[one.switches] = [part for part, bits in shown.items() if bits >= enough]
        return min(have, max(shown.values()))

    def _said(self, record: Recorded, model: Outcome, without: Outcome) -> Said:
        """What a call says, found out once; what it is of is kept with it, so that nothing else gets its `id`."""
        key = id(record), id(model), id(without)
        if key not in self._heard:
            self._heard[key] = record, model, without, said_by(record, model, without)
        return self._heard[key][-1]

    def _apart(self, one: Hypothesis, other: Hypothesis) -> Hypothesis | None:
        """Of two explanations, the one that an input on which they differ speaks against; None if there is none."""
        for number in range(MOST_APART):
            if number == len(self._apart_from):
                args, kwargs = self._inputs(MOST_FRESH + number)
                self._apart_from.append((args, kwargs, Outcome(), Outcome()))
            record = self._apart_from[number]
            first, second = self._models.outcome(one, record), self._models.outcome(other, record)
            if first is None or second is None or agrees(first, second):
                continue
            outcome = self._answer.call(record[0], record[1])
            if self.left_out((*record[:2], outcome, self._models.right(*record[:2]))):
                continue
            if not agrees(outcome, first):
                return one
            if not agrees(outcome, second):
                return other
        return None

    def fresh(self, number: int) -> Recorded:
        """A call with inputs that nobody has seen, made once."""
        while len(self._drawn) <= number:
            args, kwargs = self._inputs(len(self._drawn))
            self._drawn.append((args, kwargs, self._answer.call(args, kwargs), self._models.right(args, kwargs)))
        return self._drawn[number]

    def _inputs(self, number: int) -> tuple[tuple, dict]:
        cases = self._exercise.cases
        seed = np.random.SeedSequence(self._seeds.entropy, spawn_key=(*self._seeds.spawn_key, 1 << 20, number))
        inputs = cases[number % len(cases)].make(np.random.default_rng(seed))
        return arguments(self._exercise, inputs)


def arguments(exercise: FunctionExercise, inputs: dict[str, Any]) -> tuple[tuple, dict]:
    """A case's inputs as a call gets them."""
    kwargs = {name: value for name, value in inputs.items() if name in exercise.keywords}
    return tuple(value for name, value in inputs.items() if name not in kwargs), kwargs


def _size(record: Recorded) -> int:
    return sum(getattr(value, "size", 1) for value in (*record[0], *record[1].values()))


def _alike(record: Recorded) -> int:
    """How many axes of the arguments are as long as another, by chance or not."""
    sizes = [size for value in (*record[0], *record[1].values()) for size in getattr(value, "shape", ())]
    return len(sizes) - len(set(sizes))


def _within(exercise: FunctionExercise, where: str = "", path: str = "") -> Iterator[Hypothesis]:
    """The mistakes of exercises that are done once more on the way."""
    for words, inner in exercise.within:
        there, way = f"{where}{words}: ", f"{path}{inner.id}/"
        for one in inner.misconceptions:
            advice = Advice(f"{there}{one.looks_like}", one.cause, one.cure)
            yield Hypothesis(one.id, advice, switches=frozenset([f"{way}{one.id}"]))
        yield from _within(inner, where, way)


def _short(number: float) -> str:
    """A number as people write it: 1000, 1e9, 1e-12."""
    return f"{number:g}".replace("e-0", "e-").replace("e+0", "e")


def _unchanged(records: list[Recorded]) -> bool:
    """True if every call that takes an array gave its first argument back."""
    return all(
        bool(args) and isinstance(args[0], np.ndarray) and outcome.ok and same(outcome.value, args[0])
        for args, _, outcome, _ in records
    )
