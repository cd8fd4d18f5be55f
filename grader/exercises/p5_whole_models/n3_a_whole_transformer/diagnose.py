from functools import lru_cache
from hashlib import sha256
from weakref import WeakKeyDictionary

import numpy as np

from attnlib.a_whole_transformer import DIAGNOSES
from attnlib.a_whole_transformer import diagnose as by_rivals
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n5_multi_head.merge_heads import merge_heads
from grader.exercises.p3_multi_head.n5_multi_head.split_heads import split_heads
from grader.exercises.stages import divisor, weigh_masked

#: What each fault is called in the models of Part 3.
SWITCHES = {
    "healthy": "",
    "no scaling": "no-scale",
    "scaled by sqrt(d_model)": "by-sqrt-d_model",
    "softmax over the queries": "columns",
    "mask inverted": "mask-inverted",
    "mask after the softmax": "mask-after",
    "mask ignored": "mask-ignored",
    "heads by a bare reshape": "reshape-split",
    "merged without exchanging axes": "reshape-merge",
    "keys instead of values": "keys-mixed",
    "no W_o": "no-W_o",
}
FAULTS = DIAGNOSES[1:]


def box(fault, rng):
    """A new box, an attention with one of `DIAGNOSES`, that holds nothing of itself but a random number.

    Where a class is graded, boxes stay on the judge's side of the sandbox: an answer gets something to call, and what
    it returns. At home they are in the learner's own process, where nothing is safe from somebody who reads the judge's
    modules and calls them (`attnlib.diagnose` is there, too). What is kept from those who only look: what is handed
    over is no Python function, so nothing can be read off it; found by `gc`, the function in it knows only a number; no
    table says which number is which fault, it is a hash that says so; and the frames of an error show the number only.
    """
    number = int(rng.integers(2**62))
    while _inside(number) != fault:
        number += 1

    def attention(X, W_q, W_k, W_v, W_o, num_heads, mask):
        given = _understood(X, (W_q, W_k, W_v, W_o), num_heads, mask)
        if len(_ASKED[closed]) < MOST_KEPT:
            _ASKED[closed].append(given)
        try:
            return _context(_inside(number), *given)
        except Exception as error:
            failed = error.with_traceback(None)
        raise failed  # out here, so that no traceback leads to where the fault is known

    attention.__qualname__ = attention.__name__  # what Python says where a call does not fit
    closed = lru_cache(maxsize=0)(attention)  # keeps nothing; it is here for being no Python function
    vars(closed).clear()
    closed.__name__ = closed.__qualname__ = attention.__name__
    _NUMBERS[closed], _ASKED[closed] = number, []
    return closed


#: The number of each box. Which fault it means stands nowhere.
_NUMBERS = WeakKeyDictionary()
#: What each box was asked with; of so many questions nothing is said, and no more are kept.
_ASKED = WeakKeyDictionary()
MOST_KEPT = 50


def _inside(number):
    """Which of `DIAGNOSES` a number means."""
    return DIAGNOSES[int.from_bytes(sha256(str(number).encode()).digest()) % len(DIAGNOSES)]


def _context(inside, X, matrices, num_heads, mask):
    """What a box with one of `DIAGNOSES` returns: (n, d_model)."""
    wrong = {SWITCHES[inside]} - {""}
    W_q, W_k, W_v, W_o = matrices
    split = wrong & {"reshape-split"}
    Q, K, V = (split_heads(X @ W, num_heads, split) for W in (W_q, W_k, W_k if "keys-mixed" in wrong else W_v))
    scores = Q @ K.mT / divisor(Q, K, V, wrong, d_model=X.shape[-1])
    axis = -2 if "columns" in wrong else -1
    weights = weigh_masked(scores, mask, wrong, axis)
    if mask is not None and not wrong & {"mask-ignored", "mask-after"}:
        # A row (or a column) in which nothing is allowed has no weights, as in the course.
        weights = weights * (~mask if "mask-inverted" in wrong else mask).any(axis=axis, keepdims=True)
    merged = merge_heads(weights @ V, wrong & {"reshape-merge"})
    return merged if "no-W_o" in wrong else merged @ W_o


def _understood(X, matrices, num_heads, mask):
    """The arguments of a box as arrays; a `ValueError` says in words what does not fit."""
    X, matrices = np.asarray(X, dtype=float), [np.asarray(W, dtype=float) for W in matrices]
    if X.ndim != 2:
        raise ValueError(f"X must have shape (n, d_model); got {X.shape}")
    n, d_model = X.shape
    for name, W in zip(("W_q", "W_k", "W_v", "W_o"), matrices, strict=True):
        if W.shape != (d_model, d_model):
            raise ValueError(f"{name} must have shape (d_model, d_model) = ({d_model}, {d_model}); got {W.shape}")
    if not isinstance(num_heads, int | np.integer) or num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads must be a whole number that divides d_model = {d_model}; got {num_heads!r}")
    if mask is not None:
        mask = np.asarray(mask)
        if mask.dtype != bool or mask.shape != (n, n):
            raise ValueError(
                f"mask must be of dtype bool and shape (n, n) = ({n}, {n}); got {mask.dtype}, {mask.shape}"
            )
    return X, matrices, num_heads, mask


#: What each answer has said of the boxes: an exam is drawn once for a check, and all its questions are about it.
_EXAMS = WeakKeyDictionary()


class Raised(str):
    """What an answer raised, in the place of a diagnosis."""


def exam(call, rng):
    """What an answer says of every kind of box, as pairs (what it is, what was said).

    How many boxes there are, and in which order, is drawn anew for each check.
    """
    if call not in _EXAMS:
        names = [*DIAGNOSES, *rng.choice(DIAGNOSES, size=int(rng.integers(2, 8)))]
        said = []
        for name in rng.permutation(names).tolist():
            outcome = call.outcome(box(name, rng))
            told = outcome.value if outcome.ok else Raised(f"{outcome.error}: {outcome.message}")
            said.append((name, told if isinstance(told, str) else repr(told)[:60]))
        _EXAMS[call] = said
    return _EXAMS[call]


def named(fault):
    """A test that each box with this fault gets its name."""

    def test(call, rng):
        others = [said for inside, said in exam(call, rng) if inside == fault and said != fault]
        if not others:
            return None
        if isinstance(others[0], Raised):
            return f"asked about one of these boxes, your judge raised {others[0]}"
        strange = "" if others[0] in DIAGNOSES else ", which is none of the eleven names"
        return f'one of these boxes was called "{others[0]}"{strange}'

    return test


def healthy_is_told(call, rng):
    said = exam(call, rng)
    cries = [diagnosis for inside, diagnosis in said if inside == "healthy" and diagnosis != "healthy"]
    if cries and isinstance(cries[0], Raised):
        return f"asked about a healthy box, your judge raised {cries[0]}"
    if cries:
        return f'a healthy box was called "{cries[0]}"'
    if all(diagnosis == "healthy" for _, diagnosis in said):
        return "every box was called healthy"
    return None


def _all_as(said, *faults):
    return dict.fromkeys(faults, said)


#: What an answer with a slip says of which box; of all others the truth.
CONFUSED = {
    "always-healthy": _all_as("healthy", *FAULTS),
    "one-head": _all_as(
        "healthy", "scaled by sqrt(d_model)", "heads by a bare reshape", "merged without exchanging axes"
    ),
    "one-head-cries": _all_as(
        "scaled by sqrt(d_model)", "healthy", "heads by a bare reshape", "merged without exchanging axes"
    ),
    "no-mask": _all_as("healthy", "mask inverted", "mask after the softmax", "mask ignored"),
    "no-mask-cries": _all_as("mask inverted", "healthy", "mask after the softmax", "mask ignored"),
    "no-mask-cries-after": _all_as("mask after the softmax", "healthy", "mask inverted", "mask ignored"),
    "open-mask": _all_as("healthy", "mask after the softmax", "mask ignored"),
    "open-mask-cries": _all_as("mask after the softmax", "healthy", "mask ignored"),
    "one-head-and-no-mask": _all_as(
        "healthy",
        "scaled by sqrt(d_model)",
        "heads by a bare reshape",
        "merged without exchanging axes",
        "mask inverted",
        "mask after the softmax",
        "mask ignored",
    ),
    "several-missed": _all_as("healthy", "keys instead of values", "no W_o"),
    "scales-missed": _all_as("healthy", "no scaling", "scaled by sqrt(d_model)"),
    "equal-tokens": _all_as("healthy", "no scaling", "scaled by sqrt(d_model)", "mask inverted"),
    "one-token": _all_as(
        "healthy",
        "no scaling",
        "scaled by sqrt(d_model)",
        "softmax over the queries",
        "mask after the softmax",
        "mask ignored",
        "heads by a bare reshape",
        "merged without exchanging axes",
    ),
    "scales-exchanged": {
        "no scaling": "scaled by sqrt(d_model)",
        "scaled by sqrt(d_model)": "no scaling",
    },
    "reshapes-exchanged": {
        "heads by a bare reshape": "merged without exchanging axes",
        "merged without exchanging axes": "heads by a bare reshape",
    },
    "masks-exchanged": {
        "mask after the softmax": "mask ignored",
        "mask ignored": "mask after the softmax",
    },
    "masks-turned": {
        "mask inverted": "mask ignored",
        "mask ignored": "mask inverted",
    },
    "any-scale-none": _all_as("no scaling", "scaled by sqrt(d_model)"),
    "any-scale-d_model": _all_as("scaled by sqrt(d_model)", "no scaling"),
    "any-reshape-split": _all_as("heads by a bare reshape", "merged without exchanging axes"),
    "any-reshape-merged": _all_as("merged without exchanging axes", "heads by a bare reshape"),
    "any-mask-ignored": _all_as("mask ignored", "mask inverted", "mask after the softmax"),
    "any-mask-inverted": _all_as("mask inverted", "mask ignored", "mask after the softmax"),
    "any-mask-after": _all_as("mask after the softmax", "mask ignored", "mask inverted"),
    "after-as-ignored": _all_as("mask ignored", "mask after the softmax"),
    "ignored-as-after": _all_as("mask after the softmax", "mask ignored"),
    "inverted-as-ignored": _all_as("mask ignored", "mask inverted"),
    "ignored-as-inverted": _all_as("mask inverted", "mask ignored"),
}
#: What must have been so in every question of whoever makes a mistake with this in its name.
ASKED_WITH = (
    ("one-head", lambda X, matrices, num_heads, mask: num_heads == 1),
    ("no-mask", lambda X, matrices, num_heads, mask: mask is None),
    ("open-mask", lambda X, matrices, num_heads, mask: mask is None or bool(mask.all())),
    ("one-token", lambda X, matrices, num_heads, mask: len(X) == 1),
    ("equal-tokens", lambda X, matrices, num_heads, mask: bool((X[:1] == X).all())),
)
#: Why a single fault may stay unseen, and what would show it.
HIDES = {
    "no scaling": "With d_k = 1 (as many heads as columns) its root divides by nothing; where scores are huge, one key "
    "takes all with it and without it. -> Let d_k be 2 or more, and look at the weights: neither equal, nor 0 and 1",
    "scaled by sqrt(d_model)": "With one head it is the right root. Where scores are tiny all weights are equal, and "
    "where they are huge one key takes all, whatever the root. -> Several heads, and numbers whose weights are "
    "neither equal nor 0 and 1",
    "softmax over the queries": "It shows wherever weights differ. -> Compute what this fault would give, and compare",
    "mask inverted": "It shows in every mask that forbids something. But turned round, a causal mask leaves the last "
    "query nothing to hear: its context is zeros, as in Part 3. -> Compare closely, and mind that row",
    "mask after the softmax": "Only the sizes of the weights differ: a row sums to less than 1. -> Compare the "
    "numbers themselves, not which of them are 0",
    "mask ignored": "It shows only where the mask forbids something. -> Compute what it would give, and compare",
    "heads by a bare reshape": "One head hides it, and so do tokens that are alike. -> Take several heads, and "
    "different tokens",
    "merged without exchanging axes": "One head hides it, and so does one token. -> Take several of both",
    "keys instead of values": "If `W_k` and `W_v` are the same matrix, keys and values are the same. -> Draw each for "
    "itself",
    "no W_o": "The identity as `W_o` changes nothing: nobody sees whether it is there. -> Draw it like the others",
}


def _slug(fault):
    return SWITCHES[fault]


CONFUSED |= {f"missed-{_slug(fault)}": {fault: "healthy"} for fault in FAULTS}
#: The same, whatever a box is asked with.
CONFUSED |= {f"unasked-{_slug(fault)}": {fault: "healthy"} for fault in FAULTS}
CONFUSED |= {f"cries-{_slug(fault)}": {"healthy": fault} for fault in FAULTS}
CONFUSED |= {f"only-{_slug(fault)}": _all_as(fault, "healthy", *FAULTS) for fault in FAULTS}

MISSED = "\n".join(
    f"missed-{_slug(fault)}: you call a box with the fault '{fault}' healthy -> {HIDES[fault]}; and see "
    "that your judge asks for this fault, and compares closely."
    for fault in FAULTS
)
CRIES = "\n".join(
    f"cries-{_slug(fault)}: you call a healthy box '{fault}' -> Mostly what you compare with is not what a healthy box "
    "returns: your own healthy attention has a fault (a root, a reshape, True for what is forbidden) or gets other "
    "inputs, or only a part of the box's result is compared (a box returns the contexts alone: `[0]` is their first "
    "row). Or this fault is asked for first, and your test cannot tell it from health; or the largest gap is taken for "
    "the smallest. -> Compare your healthy attention with `multi_head_attention` for your inputs, number by number; "
    "and ask for health before all faults."
    for fault in FAULTS
)
ONLY = "\n".join(
    f"only-{_slug(fault)}: you call every box '{fault}' -> Perhaps your comparisons are so strict that nothing passes "
    "them (two ways to compute the same differ in the last digits), and this name is what is left. Or nothing of what "
    "a box returns reaches your answer, or only a part of it: a box returns the contexts alone, so that `[0]` takes "
    "the first row of them. -> Print the largest difference to each of your references, for one box."
    for fault in FAULTS
)


def missed(record):
    """What somebody has done who calls boxes with a fault healthy, or with several: where that does not lie in what the
    boxes were asked, or not for all of them."""
    healthy = [args[0] for args, _, said, _ in record if isinstance(said.value, str) and said.value == "healthy"]
    boxes = {_inside(_NUMBERS[box]): box for box in healthy}
    unseen = {fault: boxes[fault] for fault in FAULTS if fault in boxes}
    hidden = [fault for fault, box in unseen.items() if len(_ASKED[box]) < MOST_KEPT and not _is_shown(fault, box)]
    shown = [fault for fault in unseen if fault not in hidden]
    if len(unseen) == 1 and shown:
        yield f"missed-{SWITCHES[shown[0]]}", SHOWN.format(*shown).split(" -> "), [f"unasked-{SWITCHES[shown[0]]}"]
    if len(unseen) < 2:
        return
    if shown:
        looks_like = f"you call boxes healthy that have one of these faults: {_listed(shown + hidden)}"
        cause = "What you test with shows " + (f"all of these but {_listed(hidden)}." if hidden else "each of them.")
        cure = "See that your judge asks for each fault, and that it compares closely."
    else:
        looks_like = f"what you test with cannot show these faults: {_listed(hidden)}"
        cause = "With these inputs such a box returns the very numbers of a healthy one."
        cure = "Take " + "several heads of two columns or more, tokens that differ, matrices that are each drawn for "
        cure += "themselves, and a mask that forbids something and leaves most queries several keys."
    yield "several-missed", (looks_like, cause, cure), [f"unasked-{SWITCHES[fault]}" for fault in unseen]


#: Said where a single fault stays unseen, though what a box is asked with shows it.
SHOWN = (
    "you call a box with the fault '{0}' healthy -> What you test with shows it: for that, such a box returns other "
    "numbers than a healthy one. -> See that your judge asks for this fault, that your own version of it does what its "
    "name says, and that it compares closely."
)


def _is_shown(fault, box):
    return any(_shows(fault, given) for given in _ASKED[box])


def _shows(fault, given):
    """True if a question tells a box with this fault from a healthy one."""
    one, other = _context(fault, *given), _context("healthy", *given)
    return not np.allclose(one, other, atol=1e-6 * np.abs(other).max(initial=0.0))


def _listed(faults):
    quoted = [f"'{fault}'" for fault in faults]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


@function(
    points=6,
    returns="diagnosis",
    changes_input=False,
    suspects=missed,
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
    mistakes=f"""
one-head: you test with one head -> With one head d_k is d_model, and there is nothing to split or to merge: three of
    the faults change nothing. -> Take several heads.
one-head-cries: you test with one head, and ask for faults before you ask for health -> With one head d_k is d_model,
    and there is nothing to split or to merge: three of the faults look like health, and health like them. -> Take
    several heads.
no-mask: you test without a mask -> Then nobody can see what is done with it. -> Give a mask that forbids something.
no-mask-cries: you test without a mask, and ask for faults before you ask for health -> Nobody can see what is done with
    a mask that is not there: three of the faults look like health, and health like them. -> Give a mask that forbids
    something.
no-mask-cries-after: you test without a mask, and ask for faults before you ask for health -> Nobody can see what is
    done with a mask that is not there: three of the faults look like health, and health like them. -> Give a mask that
    forbids something.
one-head-and-no-mask: you test with one head, and without a mask -> Six of the faults change nothing then. -> Take
    several heads, and a mask that forbids something.
open-mask: you test with a mask that allows everything -> Whether it is ignored, or comes too late, makes no difference.
    -> Give a mask that forbids something.
open-mask-cries: you test with a mask that allows everything, and ask for faults before you ask for health -> Whether it
    is ignored, or comes too late, makes no difference: two of the faults look like health, and health like them. ->
    Give a mask that forbids something.
one-token: you test with one token -> It gives all its attention to itself, whatever the scores are. -> Take several.
several-missed: you call boxes healthy that have one of several faults -> Either what you test with cannot show them:
    matrices that are all the identity hide two, for instance; or your judge does not ask for them. -> Print what two
    boxes return for what you put in.
scales-missed: neither of the two faults of scale is seen -> Either your judge does not ask for them, or its tolerance
    is wide, or its inputs hide them: where scores are tiny all weights are equal, where they are huge one key takes
    all, however they are scaled, and so where the mask leaves each query a single key. -> Numbers whose weights are
    neither equal nor 0 and 1, and a close comparison with both.
equal-tokens: your tokens are all alike -> Whatever the weights of a row, a mean of equal values is the same. -> Take
    different tokens.
scales-exchanged: you exchange the two faults of scale -> Unscaled scores are larger, and their weights sharper; divided
    by too much they are flatter. -> Turn the two names round.
reshapes-exchanged: you exchange the two faults of the reshape -> One tears heads apart before the scores are made, the
    other after the values are mixed. -> Turn the two names round.
masks-exchanged: you exchange 'mask ignored' and 'mask after the softmax' -> After the softmax what is forbidden has the
    weight 0, but its share is gone; ignored, it keeps it. -> Turn the two names round.
masks-turned: you exchange 'mask ignored' and 'mask inverted' -> Ignored, all keys are heard; inverted, only those that
    are forbidden. -> Turn the two names round.
any-scale-none: you call either fault of scale 'no scaling' -> Both change the weights, one to sharper and one to
    flatter ones. -> Compute what each would give.
any-scale-d_model: you call either fault of scale 'scaled by sqrt(d_model)' -> Both change the weights, one to sharper
    and one to flatter ones. -> Compute what each would give.
any-reshape-split: you call either fault of the reshape 'heads by a bare reshape' -> One tears heads apart before the
    scores are made, the other after the values are mixed. -> Compute what each would give.
any-reshape-merged: you call either fault of the reshape 'merged without exchanging axes' -> One tears heads apart
    before the scores are made, the other after the values are mixed. -> Compute what each would give.
any-mask-ignored: you call every fault of the mask 'mask ignored' -> Ignored, a forbidden key keeps its weight; after
    the softmax it has none, and its share is missing; inverted, it has all of it. -> Compute what each would give.
any-mask-inverted: you call every fault of the mask 'mask inverted' -> Ignored, a forbidden key keeps its weight; after
    the softmax it has none, and its share is missing; inverted, it has all of it. -> Compute what each would give.
any-mask-after: you call every fault of the mask 'mask after the softmax' -> Ignored, a forbidden key keeps its weight;
    after the softmax it has none, and its share is missing; inverted, it has all of it. -> Compute what each would
    give.
after-as-ignored: you call a mask after the softmax ignored -> Both let the forbidden keys into the sum of the softmax;
    but after it their weights are set to 0. -> Look whether a forbidden token can change the context by its value.
ignored-as-after: you call an ignored mask one after the softmax -> Both let the forbidden keys into the sum of the
    softmax; but after it their weights are set to 0. -> Look whether a forbidden token can change the context by its
    value.
inverted-as-ignored: you call an inverted mask ignored -> Both let forbidden keys be heard; but inverted, the allowed
    ones are not. -> Look whether an allowed token is heard.
ignored-as-inverted: you call an ignored mask inverted -> Both let forbidden keys be heard; but inverted, the allowed
    ones are not. -> Look whether an allowed token is heard.
{MISSED}
{CRIES}
always-healthy: you call every box healthy -> Perhaps your inputs make all boxes alike (zeros do, and equal tokens); or
    your tolerance is so wide that all agree, or so narrow that nothing does and 'healthy' is what is left; or your
    differences are NaN, which is never smaller than anything; or you look at the shape, which is right in all. ->
    Print what two boxes return for what you put in, and the difference to each of your references.
{ONLY}
""",
)
def diagnose(attention, wrong=frozenset()):
    """What is inside of a box, with mistakes as switches."""
    truth = _inside(_NUMBERS[attention]) if attention in _NUMBERS else by_rivals(attention)
    asked = _ASKED.get(attention, [])
    all_kept = len(asked) < MOST_KEPT
    # Whatever it comes to: nobody is told of inputs that the box has not been asked with.
    made = [
        name
        for name in wrong
        if all(all_kept and so(*one) for about, so in ASKED_WITH if about in name for one in asked)
        and not (name.startswith("missed-") and any(_shows(truth, one) for one in asked))
    ]
    return next((says[truth] for name, says in CONFUSED.items() if name in made and truth in says), truth)
