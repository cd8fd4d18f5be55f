from weakref import WeakKeyDictionary

from attnlib.a_whole_transformer import DIAGNOSES
from attnlib.a_whole_transformer import diagnose as by_rivals
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p5_whole_models.n3_a_whole_transformer.exam.boxes import (
    ASKED,
    FAULTS,
    MOST_KEPT,
    NUMBERS,
    asked_alike,
    box,
    fault_of,
)
from grader.exercises.p5_whole_models.n3_a_whole_transformer.exam.judges import COMPARED, says, shows, suspected
from grader.exercises.p5_whole_models.n3_a_whole_transformer.exam.slips import (
    ASKED_WITH,
    AT_LAST,
    CALLED,
    CONFUSED,
    MISTAKES,
)

#: What each answer has said of the boxes: an exam is drawn once for a check, and all its questions are about it.
_EXAMS = WeakKeyDictionary()


#: How many more boxes of each kind there are for one who draws anew for each.
MORE = 8


class Undiagnosed(str):
    """What an answer did, in the place of a diagnosis: raised an error, or returned what is no data."""


def exam(call, rng):
    """What an answer says of every kind of box, as pairs (what it is, what was said).

    How many boxes there are, and in which order, is drawn anew for each check. Who draws other inputs for each box may
    be right about some by chance: such a one gets many more of every kind.
    """
    if call not in _EXAMS:
        names, asked = [*DIAGNOSES, *rng.choice(DIAGNOSES, size=int(rng.integers(2, 8)))], {}
        _EXAMS[call] = [_told(call, name, rng, asked) for name in rng.permutation(names).tolist()]
        if not all(asked_alike(one, some[0]) for some in asked.values() for one in some):
            _EXAMS[call] += [_told(call, name, rng, asked) for name in rng.permutation(DIAGNOSES * MORE).tolist()]
    return _EXAMS[call]


def _told(call, name, rng, asked):
    """What an answer says of a box, and what the box was asked with, put to that of others with the same in them."""
    one = box(name, rng)
    outcome = call.outcome(one)
    asked.setdefault(name, []).append(ASKED[one])
    told = outcome.value
    if not outcome.ok:
        words = f": {outcome.message}" if outcome.error != "NotPlain" else ""
        told = Undiagnosed(outcome.did.removeprefix("it ") + words)
    return name, told if isinstance(told, str) else repr(told)[:60]


def named(fault):
    """A test that each box with this fault gets its name."""

    def test(call, rng):
        others = [said for inside, said in exam(call, rng) if inside == fault and said != fault]
        if not others:
            return None
        if isinstance(others[0], Undiagnosed):
            return f"asked about one of these boxes, your judge {others[0]}"
        strange = "" if others[0] in DIAGNOSES else ", which is none of the eleven names"
        return f'one of these boxes was called "{others[0]}"{strange}'

    return test


def healthy_is_told(call, rng):
    said = exam(call, rng)
    cries = [diagnosis for inside, diagnosis in said if inside == "healthy" and diagnosis != "healthy"]
    if cries and isinstance(cries[0], Undiagnosed):
        return f"asked about a healthy box, your judge {cries[0]}"
    if cries:
        return f'a healthy box was called "{cries[0]}"'
    if all(diagnosis == "healthy" for _, diagnosis in said):
        return "every box was called healthy"
    return None


def _no_array(X, matrices, num_heads, mask):
    """What NumPy says where contexts (n, d_model) and weights (num_heads, n, n) are to be one array."""
    axes, shape = (2, f"2, {len(X)}") if len(X) == num_heads else (1, "2,")
    return (
        "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
        f"{axes} dimensions. The detected shape was ({shape}) + inhomogeneous part."
    )


@function(
    points=6,
    returns="diagnosis",
    changes_input=False,
    suspects=suspected,
    effort=0.02,  # its model computes the judge's own hash
    # A constant earns nothing: the first case wants "healthy" and is worth nothing, a question about a fault is worth
    # something only behind it, and that about health only to one who does not say it of every box.
    cases=(Case("a healthy box is called healthy", lambda rng: {"attention": box("healthy", rng)}, 0.0),),
    properties=(
        Property("healthy boxes are called healthy, and not every box is", healthy_is_told, 2 / 12, compares=True),
        *(
            Property(f"{fault}: boxes with this fault are named", named(fault), 1 / 12, compares=True)
            for fault in FAULTS
        ),
    ),
    mistakes=MISTAKES,
)
def diagnose(attention, wrong=frozenset()):
    """What is inside of a box, with mistakes as switches."""
    truth = fault_of(NUMBERS[attention]) if attention in NUMBERS else by_rivals(attention)
    asked = ASKED.get(attention, [])
    all_kept = len(asked) < MOST_KEPT
    if "pair-compared" in wrong:
        raise ValueError(_no_array(*asked[0]) if asked else "inhomogeneous")
    if asked and len(wrong) == 1 and (name := next(iter(wrong))) in COMPARED:
        return says(name, attention)
    # Whatever it comes to: nobody is told of inputs that the box has not been asked with.
    made = [
        name
        for name in wrong
        if all(all_kept and so(*one) for about, so in ASKED_WITH if about in name for one in asked)
        and not (name in AT_LAST and asked)
        and not (name.startswith("missed-") and any(shows(truth, one) for one in asked))
    ]
    for name in wrong:
        if name.startswith(f"{truth}{CALLED}"):
            return name.removeprefix(f"{truth}{CALLED}")
    return next((says[truth] for name, says in CONFUSED.items() if name in made and truth in says), truth)
