"""What an exercise is: how it is asked, checked, and got wrong.

Four kinds share an id, points and a task: a `FunctionExercise` asks for a function, a `ValueExercise` for computed
values, a `ChoiceExercise` for the letter of a prediction, and a `SearchExercise` for any value that does something.
Each is declared in one place: `function`, `values` and `search` are decorators, `choice` is called. The judge
(judge.py) knows how to check each.
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from grader.exercises.inputs import telling
from grader.exercises.mistakes import read_letters, read_mistakes
from grader.exercises.slips import SLIPS

#: Share of a function's points for leaving its arguments as they were.
KEEPS_INPUT = 0.1


@dataclass(frozen=True)
class Case:
    """One comparison with the reference.

    Attributes
    ----------
    text : str
        What is tested, in words ("a small matrix").
    make : callable
        Takes a `numpy.random.Generator`, returns the arguments as a dict in the order of the signature.
    share : float
        Part of the exercise's points.
    telling : tuple of str
        Ids of mistakes that must show: the inputs are drawn anew until each clearly changes what the model does.
    """

    text: str
    make: Callable
    share: float
    telling: tuple = ()

    def of(self, model, seen=None):
        """The same case, drawn for this model, of whose results `seen` is what counts."""
        if not self.telling:
            return self
        compared = model if seen is None else lambda **inputs: seen(model(**inputs))
        return replace(self, make=telling(self.make, compared, *self.telling))


@dataclass(frozen=True)
class Property:
    """Something that is true of every right answer.

    Attributes
    ----------
    text : str
        The property in words ("each row sums to 1").
    test : callable
        Returns None if the property holds, else what went wrong in words. It takes `call` and a
        `numpy.random.Generator`: `call(...)` calls the answer and returns its result, read like the reference's;
        `call.outcome(...)` returns the raw `Outcome`, `call.held(...)` the result and how many bytes it took. For a
        search it takes the value that was found.
    share : float
        Part of the exercise's points.
    compares : bool
        True where it compares with right results as a case does, only of several calls whose order is drawn.
    slow : str
        The id of the mistake that is behind it where the cases pass, and a call of this one does not end in time.
    """

    text: str
    test: Callable
    share: float
    compares: bool = False
    slow: str = ""


class Sign(str):
    """What went wrong, in words, where it shows by itself which mistake is behind it.

    Parameters
    ----------
    words : str
    mistake : str
        Its id, which is said where all else is right.
    """

    mistake: str

    def __new__(cls, words: str, mistake: str) -> "Sign":
        sign = super().__new__(cls, words)
        sign.mistake = mistake
        return sign


@dataclass(frozen=True)
class Entry:
    """One value among several that a `ValueExercise` asks for.

    Attributes
    ----------
    name : str
        Key in the learner's dict; "" where the answer is a single value.
    text : str
        What it is, in words.
    share : float
        Part of the exercise's points.
    decimals : int
        A number is right if it agrees to this many decimals.
    among : tuple of str
        What a list may name, where each is right or wrong by itself: then a mistake is known by what it adds and
        leaves out, whatever else is wrong.
    ranked : bool
        True of a list that holds the first of a ranking.
    counted : bool
        True of a share of things that can be counted: one that is near is another count, and no rounding.
    drawn : str
        The function whose random numbers it is measured on: others give a number that is near.
    near : float
        Up to which part of a number one that is off is held to come from rounded numbers.
    """

    name: str
    text: str
    share: float = 1.0
    decimals: int = 3
    among: tuple[str, ...] = ()
    ranked: bool = False
    counted: bool = False
    near: float = 0.03
    drawn: str = ""


@dataclass(frozen=True)
class Exercise:
    """What all kinds have in common.

    Attributes
    ----------
    id : str
        Name of the graded cell; for a function, the function's name.
    points : float
        Full marks.
    task : str
        What is asked, in a few words.
    """

    id: str
    points: float
    task: str


@dataclass(frozen=True)
class FunctionExercise(Exercise):
    """A function to write.

    Calling it calls the model.

    Attributes
    ----------
    model : callable
        The function with switches: `model(*arguments, wrong=frozenset())`. With no switch it is the reference; each
        misconception's id is a switch.
    misconceptions : tuple of Misconception
    cases : tuple of Case
        Smallest first; nothing counts until the first one passes. They carry at least half of the points.
    properties : tuple of Property
    returns : str or tuple of str
        What the result is called in messages; a tuple where a tuple is returned.
    keywords : tuple of str
        Arguments that are passed by keyword, because the signature makes them optional.
    library_names : tuple of str
        Functions of attnlib that would be the answer itself.
    changes_input : bool
        False where no argument could be changed in place, so that there is nothing to check.
    budget : int
        How many calls of an ordinary model a diagnosis may cost.
    hides : bool
        True where what was expected is not shown: it would give the answer away.
    effort : float
        How many ordinary ones a call of this model is worth: what its exercise says of it, so that a search ends at
        the same place on every machine.
    within : tuple of (str, FunctionExercise)
        Exercises that are done once more on the way, and where: their mistakes are known here as well. The model asks
        `stages.inside` for them.
    suspects : callable, optional
        Takes the calls that were recorded, and gives what somebody may have done who makes several of its mistakes:
        triples of an id (of one that stands for them, or a new one), (looks_like, cause, cure), and all their switches.
    in_front : str
        The mistake that is told where results are right as long as the first array has its fewest axes, and wrong in
        every call in which others stand in front, whatever comes there; "" where it has always as many.
    seen : callable, optional
        What is compared of a result, where many are right: of two factors, their product. It is told results of the
        kinds and shapes that the model returns.
    disguised : callable, optional
        Takes a function that an answer was given, and a generator; returns one that is the same to whoever looks at it
        as the task asks, but gives other numbers: whoever knows it by what it gives, from another time, does not.
    """

    model: Callable
    misconceptions: tuple
    cases: tuple
    properties: tuple = ()
    returns: str | tuple = "result"
    keywords: tuple = ()
    library_names: tuple = ()
    changes_input: bool = True
    budget: int = 2500
    effort: float = 1.0
    hides: bool = False
    within: tuple = ()
    suspects: Callable | None = None
    in_front: str = ""
    seen: Callable | None = None
    disguised: Callable | None = None

    def __post_init__(self):
        values = sum(test.share for test in (*self.cases, *(p for p in self.properties if p.compares)))
        others = sum(p.share for p in self.properties if not p.compares)
        total = values + others + (KEEPS_INPUT if self.changes_input else 0)
        if values < 0.5 - 1e-9 or abs(total - 1) > 1e-9:
            raise ValueError(
                f"exercise {self.id}: the cases must carry at least half of the points (they carry {values:.2f}) "
                f"and all shares must add up to 1 (they add up to {total:.2f})"
            )

    def __call__(self, *args, **kwargs):
        return self.model(*args, **kwargs)


class Between(float):
    """What a mistake gives where rounding decides: a number from `low` to `high`; taken for one, the middle."""

    low: float
    high: float

    def __new__(cls, low, high):
        made = super().__new__(cls, (low + high) / 2)
        made.low, made.high = low, high
        return made


@dataclass(frozen=True)
class ValueExercise(Exercise):
    """Values to compute: one, or a dict of several.

    Calling it calls the model.

    Attributes
    ----------
    model : callable
        Takes `wrong=frozenset()` and returns the whole answer: the value, or the dict; each misconception's id is a
        switch.
    misconceptions : tuple of Misconception
    entries : tuple of Entry
    """

    model: Callable
    misconceptions: tuple
    entries: tuple

    def __post_init__(self):
        if abs(sum(entry.share for entry in self.entries) - 1) > 1e-9:
            raise ValueError(f"exercise {self.id}: the shares of the entries must add up to 1")

    def __call__(self, wrong=frozenset()):
        return self.model(wrong=wrong)


@dataclass(frozen=True)
class ChoiceExercise(Exercise):
    """A prediction: one letter.

    Attributes
    ----------
    right : str
        The right letter.
    because : dict of str to str
        For each letter, what to tell someone who chose it; the wrong ones do not give the right one away.
    """

    right: str
    because: dict


@dataclass(frozen=True)
class SearchExercise(Exercise):
    """Any value that does something ("a query that breaks this").

    Attributes
    ----------
    reads : callable
        Takes the learner's plain value and returns it as the tests want it; raises ValueError with the reason in words.
    misconceptions : tuple of Misconception
    properties : tuple of Property
        The first must hold for the others to count.
    shows : dict of str to callable
        For the id of each misconception, a function of the value that tells whether it shows.
    """

    reads: Callable
    misconceptions: tuple
    properties: tuple
    shows: dict

    def __post_init__(self):
        if list(self.shows) != [misconception.id for misconception in self.misconceptions]:
            raise ValueError(f"exercise {self.id}: `shows` must have the ids of the mistakes, in their order")


def function(*, points, cases, mistakes, task=None, **more):
    """Declare a `FunctionExercise` by its model; the id and the task come from the model's name and signature."""

    def declared(model):
        name = model.__name__
        arguments = [parameter for key, parameter in inspect.signature(model).parameters.items() if key != "wrong"]
        asked = task or f"write `{name}({', '.join(map(str, arguments))})`"
        known, drawn = _known(model, name, mistakes), tuple(case.of(model, more.get("seen")) for case in cases)
        return FunctionExercise(name, points, asked, model, known, drawn, **more)

    return declared


def values(*, points, task, entries, mistakes):
    """Declare a `ValueExercise` by its model; the id comes from the model's name."""

    def declared(model):
        name = _dashed(model)
        return ValueExercise(name, points, task, model, _known(model, name, mistakes), entries)

    return declared


def search(*, points, task, properties, shows, mistakes):
    """Declare a `SearchExercise` by the function that reads its value; the id comes from that function's name."""

    def declared(reads):
        name = _dashed(reads)
        return SearchExercise(name, points, task, reads, _known(reads, name, mistakes), properties, shows)

    return declared


def choice(name, *, right, because, points=1, task="type the letter of your prediction"):
    """Declare a `ChoiceExercise` with the words for each letter in a block."""
    return ChoiceExercise(name, points, task, right, read_letters(because, name))


def _known(model, name, block):
    """The misconceptions of a block; an id alone has its words in the package of the notebook, or in slips.py."""
    notebook = sys.modules.get(model.__module__.rpartition(".")[0])
    return read_mistakes(block, name, _shared(SLIPS) | _shared(getattr(notebook, "SLIPS", "")))


@cache
def _shared(block):
    return {slip.id: slip for slip in read_mistakes(block, "SLIPS")}


def _dashed(model):
    return model.__name__.replace("_", "-")
