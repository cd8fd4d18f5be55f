"""What an exercise is: how it is asked, checked, and got wrong.

Three kinds share an id, points and misconceptions: a `FunctionExercise` asks for a function, a `ValueExercise` for
computed values, and a `ChoiceExercise` for the letter of a prediction. A `SearchExercise` asks for any value that
does something. The judge (judge.py) knows how to check each.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

#: Share of a function's points for leaving its arguments as they were.
KEEPS_INPUT = 0.1


@dataclass(frozen=True)
class Misconception:
    """A mistake that people make, and what to tell someone who made it.

    Attributes
    ----------
    id : str
        Name of the switch in the exercise's model.
    looks_like : str
        What the learner did, completing "Looks like: ...".
    cause : str
        Why that gives the wrong result.
    cure : str
        What to do about it, without giving the answer away.
    """

    id: str
    looks_like: str
    cause: str
    cure: str


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
    """

    text: str
    make: Callable
    share: float


@dataclass(frozen=True)
class Property:
    """Something that is true of every right answer.

    Attributes
    ----------
    text : str
        The property in words ("each row sums to 1").
    test : callable
        Takes `call` and a `numpy.random.Generator`. `call(...)` calls the answer and returns its result, read like
        the reference's; `call.outcome(...)` returns the raw `Outcome`. Returns None if the property holds, else what
        went wrong in words.
    share : float
        Part of the exercise's points.
    """

    text: str
    test: Callable
    share: float


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

    Attributes
    ----------
    model : callable
        The function with switches: `model(*arguments, wrong=frozenset())`. With no switch it is the reference; each
        misconception's id is a switch.
    cases : tuple of Case
        Smallest first; nothing counts until the first one passes. They carry at least half of the points.
    properties : tuple of Property
    misconceptions : tuple of Misconception
    returns : str or tuple of str
        What the result is called in messages; a tuple where a tuple is returned.
    keywords : tuple of str
        Arguments that are passed by keyword, because the signature makes them optional.
    library_names : tuple of str
        Functions of attnlib that would be the answer itself.
    changes_input : bool
        False where no argument could be changed in place, so that there is nothing to check.
    """

    model: Callable
    cases: tuple
    properties: tuple = ()
    misconceptions: tuple = ()
    returns: str | tuple = "result"
    keywords: tuple = ()
    library_names: tuple = ()
    changes_input: bool = True

    def __post_init__(self):
        values = sum(case.share for case in self.cases)
        total = values + sum(p.share for p in self.properties) + (KEEPS_INPUT if self.changes_input else 0)
        if values < 0.5 - 1e-9 or abs(total - 1) > 1e-9:
            raise ValueError(
                f"exercise {self.id}: the cases must carry at least half of the points (they carry {values:.2f}) "
                f"and all shares must add up to 1 (they add up to {total:.2f})"
            )


@dataclass(frozen=True)
class Part:
    """One value among several that a `ValueExercise` asks for.

    Attributes
    ----------
    name : str
        Key in the learner's dict; "" where the answer is a single value.
    text : str
        What it is, in words.
    expected : callable
        Takes `wrong=frozenset()` and returns the value; each misconception's id is a switch.
    share : float
        Part of the exercise's points.
    decimals : int
        A number is right if it agrees to this many decimals.
    """

    name: str
    text: str
    expected: Callable
    share: float = 1.0
    decimals: int = 3


@dataclass(frozen=True)
class ValueExercise(Exercise):
    """Values to compute: one, or a dict of several.

    Attributes
    ----------
    parts : tuple of Part
    misconceptions : tuple of Misconception
    """

    parts: tuple
    misconceptions: tuple = ()

    def __post_init__(self):
        if abs(sum(part.share for part in self.parts) - 1) > 1e-9:
            raise ValueError(f"exercise {self.id}: the shares of the parts must add up to 1")


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
    because: dict = field(default_factory=dict)


@dataclass(frozen=True)
class SearchExercise(Exercise):
    """Any value that does something ("a query that breaks this").

    Attributes
    ----------
    reads : callable
        Takes the learner's plain value and returns it as the tests want it; raises ValueError with the reason in words.
    tests : tuple of (str, callable, float)
        What is tested, a function of the value that returns None or what is wrong, its share. The first must hold
        for the others to count.
    misconceptions : tuple of (Misconception, callable)
        Each with a function of the value that tells whether it shows.
    """

    reads: Callable
    tests: tuple
    misconceptions: tuple = ()
