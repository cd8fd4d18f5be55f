from functools import lru_cache
from hashlib import sha256
from weakref import WeakKeyDictionary

import numpy as np

from attnlib.a_whole_transformer import DIAGNOSES
from attnlib.a_whole_transformer import diagnose as by_rivals
from grader.exercises.kinds import Case, Property, function
from grader.exercises.mistakes import read_mistakes
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


def _context(inside, X, matrices, num_heads, mask, alone="zeros"):
    """What a box with one of `DIAGNOSES` returns: (n, d_model).

    A query that may attend to nothing has a context of zeros; in versions that people write, also one of NaN (`alone`
    is "NaN"), or the mean of all values ("mean").
    """
    wrong = {SWITCHES[inside]} - {""}
    W_q, W_k, W_v, W_o = matrices
    split = wrong & {"reshape-split"}
    Q, K, V = (split_heads(X @ W, num_heads, split) for W in (W_q, W_k, W_k if "keys-mixed" in wrong else W_v))
    scores = Q @ K.mT / divisor(Q, K, V, wrong, d_model=X.shape[-1])
    axis = -2 if "columns" in wrong else -1
    weights = weigh_masked(scores, mask, wrong, axis)
    if mask is not None and not wrong & {"mask-ignored", "mask-after"}:
        # A row (or a column) in which nothing is allowed has no weights, as in the course.
        some = (~mask if "mask-inverted" in wrong else mask).any(axis=axis, keepdims=True)
        weights = weights if alone == "mean" else np.where(some, weights, np.nan if alone == "NaN" else 0.0)
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
    "no-mask-cries-ignored": _all_as("mask ignored", "healthy", "mask inverted", "mask after the softmax"),
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
    f"cries-{_slug(fault)}: you call a healthy box '{fault}' -> Either what you take for a healthy attention is none "
    "for your inputs; or you ask for this fault first, and your test cannot tell it from health. -> Compare your "
    "healthy attention with `multi_head_attention` for your inputs, number by number; and ask for health before all "
    "faults."
    for fault in FAULTS
)
ONLY = "\n".join(
    f"only-{_slug(fault)}: you call every box '{fault}' -> Perhaps your comparisons are so strict that nothing passes "
    "them (two ways to compute the same differ in the last digits), and this name is what is left. Or your gap to it "
    "is NaN, which `argmin` takes for the smallest. Or nothing of what a box returns reaches your answer, or only a "
    "part of it (`[0]` is its first row). -> Print the largest difference to each of your references, for one box."
    for fault in FAULTS
)

MISTAKES = f"""
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
no-mask-cries-ignored: you test without a mask, and ask for faults before you ask for health -> Nobody can see what is
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
"""

WORDS = {one.id: one for one in read_mistakes(MISTAKES, "diagnose")}

#: Mistakes that can be told better, or have several causes, where it is known what a box was asked with: then
#: `suspected` says them, last of all, and in words that fit.
AT_LAST = {
    "always-healthy",
    "scales-missed",
    "several-missed",
    "inverted-as-ignored",
    *(f"{how}-{_slug(fault)}" for fault in FAULTS for how in ("cries", "only")),
}
CONFUSED |= {f"unasked-{name}": CONFUSED[name] for name in AT_LAST}
CONFUSED |= {f"taken-{_slug(one)}-for-{_slug(other)}": {one: other} for one in FAULTS for other in FAULTS}
CONFUSED |= {f"every-fault-{_slug(fault)}": _all_as(fault, *FAULTS) for fault in FAULTS}


def suspected(record):
    """What somebody may have done, told from what the boxes were asked with."""
    said = [(args[0], outcome.value) for args, _, outcome, _ in record if isinstance(outcome.value, str)]
    told = {_inside(_NUMBERS[box]): name for box, name in said}
    compared = len(said) == len(record) and all(_few(box) for box, _ in said)
    if compared and all(_says("inputs-hide", box) == one for box, one in said):
        yield from (*_missed(said), *_alike(said))
    elif compared and (found := list(_compared(said, told))):
        yield from found
    else:
        yield from (*_missed(said), *_taken(said, told), *_at_last(said, told))


def _at_last(said, told):
    """Those of AT_LAST that fit what was said, each with the causes that are possible for what was asked."""
    for name in sorted(AT_LAST):
        if not all(told[inside] == other for inside, other in CONFUSED[name].items() if inside in told):
            continue
        one = WORDS[name]
        looks_like, cause, cure = one.looks_like, one.cause, one.cure
        fault = told.get("healthy", "healthy")
        if name.startswith("cries") and fault in FAULTS:
            box = next(box for box, _ in said if _inside(_NUMBERS[box]) == "healthy")
            if len(_ASKED[box]) < MOST_KEPT and not _is_shown(fault, box):
                cause = "For what you test with, a box with this fault returns the very numbers of a healthy one. "
                why, cure = HIDES[fault].split(" -> ")
                cause, cure = cause + why, f"{cure}; and ask for health before all faults."
            else:
                cause = (
                    "What you test with tells this fault from health. So what you take for a healthy attention is "
                    "none for your inputs (a root, a reshape, True for what is forbidden, other inputs for you than "
                    "for the box), or only a part of what a box returns is compared."
                )
                cure = "Compare your healthy attention with `multi_head_attention`, number by number."
        yield name, (looks_like, cause, cure), [f"unasked-{name}"]


def _alike(said):
    """That boxes with different names return the same for what they are asked."""
    groups = {}
    for box, name in said:
        groups.setdefault(name, {name}).add(_inside(_NUMBERS[box]))
    alike = [sorted(names, key=DIAGNOSES.index) for names in groups.values() if len(names) > 1]
    looks_like = f"what you test with does not tell these boxes apart: {'; '.join(map(_listed, alike))}"
    if len(groups) == 1:
        looks_like = "what you test with makes all boxes alike"
    yield "inputs-hide", (looks_like, "With these inputs they return the very same numbers.", PLENTY), ["inputs-hide"]


def _taken(said, told):
    """What somebody has done who takes one fault for another, or all for one."""
    wrong = {inside: name for inside, name in told.items() if name != inside}
    others = set(wrong.values())
    if len(others) != 1 or not others <= set(FAULTS) or "healthy" in wrong:
        return
    (other,) = others
    if len(wrong) == 1:
        (fault,) = wrong
        yield (
            f"taken-{_slug(fault)}",
            (
                f"you call a box with the fault '{fault}' '{other}'",
                "All else you tell rightly. So either your judge does not ask for this fault, or your own version of "
                "it does something else." + ALSO.get(fault, ""),
                "Read what the table says of it once more, and print your gap to it for such a box: right ones are 0 "
                "to ten digits.",
            ),
            [f"taken-{_slug(fault)}-for-{_slug(other)}"],
        )
    elif len(wrong) == len(FAULTS) - 1:
        yield (
            f"every-fault-{_slug(other)}",
            (
                f"you call every fault '{other}'",
                "Your judge tells health, and nothing more. Perhaps a `return` in the first round of a loop ends it, "
                "or no other comparison passes and this name is what is left.",
                "What does your judge do with a box that is not healthy? Print the names that it compares with, and "
                "the gaps.",
            ),
            [f"every-fault-{_slug(other)}"],
        )


#: What is easily forgotten in a version of one's own.
ALSO = {
    "softmax over the queries": " (Its mask holds, as in a healthy box.)",
    "heads by a bare reshape": " (All three are split so: Q, K and V.)",
    "mask inverted": " (Where there is no mask, or a query has no key left, the task says what a box does.)",
    "mask after the softmax": " (What is left of a row does not sum to 1.)",
    "keys instead of values": " (`W_v` plays no part then.)",
}


def _missed(said):
    """What somebody has done who calls boxes with a fault healthy, or with several: where that does not lie in what the
    boxes were asked, or not for all of them."""
    boxes = {_inside(_NUMBERS[box]): box for box, name in said if name == "healthy"}
    unseen = {fault: boxes[fault] for fault in FAULTS if fault in boxes}
    hidden = [fault for fault, box in unseen.items() if len(_ASKED[box]) < MOST_KEPT and not _is_shown(fault, box)]
    shown = [fault for fault in unseen if fault not in hidden]
    if len(unseen) == 1 and shown:
        masks = [given[-1] for given in _ASKED[unseen[shown[0]]] if given[-1] is not None]
        nan = NOTHING_LEFT if shown == ["mask inverted"] and any(mask.all(axis=1).any() for mask in masks) else ""
        yield f"missed-{SWITCHES[shown[0]]}", SHOWN.format(*shown, nan).split(" -> "), [f"unasked-{SWITCHES[shown[0]]}"]
    if len(unseen) < 2 or len(unseen) == len(FAULTS):
        return
    name = "scales-missed" if set(unseen) == {"no scaling", "scaled by sqrt(d_model)"} else "several-missed"
    if not shown and all((X[:1] == X).all() for box in unseen.values() for X, *_ in _ASKED[box]):
        one = WORDS["equal-tokens"]
        yield one.id, (one.looks_like, one.cause, one.cure), [f"unasked-{SWITCHES[fault]}" for fault in unseen]
        return
    if shown:
        looks_like = f"you call boxes healthy that have one of these faults: {_listed(shown + hidden)}"
        cause = "What you test with shows " + (f"all of these but {_listed(hidden)}." if hidden else "each of them.")
        cure = "See that your judge asks for each fault, and that it compares closely, and all that a box returns."
    elif name == "scales-missed":
        looks_like = f"what you test with cannot show these faults: {_listed(hidden)}"
        cause = "Where scores are tiny all weights are equal, where they are huge one key takes all, however they are "
        cause += "scaled, and so where the mask leaves each query a single key."
        cure = "Numbers whose weights are neither equal nor 0 and 1."
    else:
        looks_like = f"what you test with cannot show these faults: {_listed(hidden)}"
        cause = "With these inputs such a box returns the very numbers of a healthy one."
        cure = PLENTY
    yield name, (looks_like, cause, cure), [f"unasked-{SWITCHES[fault]}" for fault in unseen]


PLENTY = (
    "Take several heads of two columns or more, tokens that differ, matrices that are each drawn for themselves, and a "
    "mask that forbids something and leaves most queries several keys."
)
#: Said where a single fault stays unseen, though what a box is asked with shows it.
SHOWN = (
    "you call a box with the fault '{0}' healthy -> What you test with shows it: for that, such a box returns other "
    "numbers than a healthy one.{1} -> See that your judge asks for this fault, that your own version of it does what "
    "its name says, that your healthy version does not do the same, and that you compare closely, and all of what a "
    "box returns."
)


NOTHING_LEFT = (
    " (Your mask, turned round, leaves a query no key: a version of yours that has NaN there, or a mean, agrees with "
    "nothing.)"
)


def _largest(gaps):
    return np.abs(gaps).max(axis=(1, 2))


#: Judges that compare with a version of each diagnosis and take the nearest, but for one slip: what becomes of a query
#: without any key in their versions, what they make of the differences (names, n, d_model), and whether NaN is the
#: smallest for them, as for `argmin`, or never. The first has no slip: it is misled by what it asks with.
COMPARED = {
    "inputs-hide": ("zeros", _largest, True),
    "gaps-nan": ("NaN", _largest, True),
    "gaps-nan-never": ("NaN", _largest, False),
    "alone-hears-all": ("mean", _largest, True),
    "first-row-compared": ("zeros", lambda gaps: np.abs(gaps[:, 0]).max(axis=1), True),
    "last-row-compared": ("zeros", lambda gaps: np.abs(gaps[:, -1]).max(axis=1), True),
    "smallest-compared": ("zeros", lambda gaps: np.abs(gaps).min(axis=(1, 2)), True),
    "sign-kept": ("zeros", lambda gaps: gaps.sum(axis=(1, 2)), True),
    "sign-kept-turned": ("zeros", lambda gaps: -gaps.sum(axis=(1, 2)), True),
    "farthest-taken": ("zeros", lambda gaps: -_largest(gaps), True),
}
#: Their words. They stand for no answer that asks nothing, so they are not among `mistakes`.
TOLD = {
    "gaps-nan": "{0} -> Most likely one of your gaps is NaN, which `argmin` takes for the smallest. {1}: where a whole "
    "row is set to -inf, a softmax is 0/0. -> Print your gaps. A query without any key gets a context of zeros, in "
    "your versions as in a box.",
    "gaps-nan-never": "{0} -> Most likely some of your gaps are NaN, which is never smaller than anything. {1}: where "
    "a whole row is set to -inf, a softmax is 0/0. -> Print your gaps. A query without any key gets a context of "
    "zeros, in your versions as in a box.",
    "alone-hears-all": "{0} -> Most likely a query without any key hears all keys alike in your versions, as it does "
    "where a whole row is set to -1e9. {1}; and that row then differs more than all the others. -> Such a query gets a "
    "context of zeros, in your versions as in a box.",
    "first-row-compared": "{0} -> So says, with your inputs, who compares only the first row of what a box returns "
    "(`[0]` of it): with a causal mask, the first query hears but itself. -> Take the largest difference of all "
    "numbers: `np.abs(one - other).max()`.",
    "last-row-compared": "{0} -> So says, with your inputs, who compares only the last row of what a box returns. -> "
    "Take the largest difference of all numbers: `np.abs(one - other).max()`.",
    "smallest-compared": "{0} -> So says, with your inputs, who goes by the smallest difference within a box, not by "
    "the largest: a single number that agrees makes it 0. -> `np.abs(one - other).max()`.",
    "sign-kept": "{0} -> So says, with your inputs, who adds up differences, or averages them, with their signs: what "
    "is above and what is below 0 cancels, and the smallest sum is the one that is most below 0. -> `np.abs` first.",
    "farthest-taken": "{0} -> So says, with your inputs, who takes the version that is farthest. -> What a box is has "
    "the smallest gap: `argmin`, or `min`.",
}
TOLD["sign-kept-turned"] = TOLD["sign-kept"]
#: A box whose questions hold more numbers, or are more, is not compared again.
LARGEST_ASKED, MOST_ASKED = 20_000, 5


def _few(box):
    return 0 < len(_ASKED[box]) <= MOST_ASKED and all(len(X) * X.size <= LARGEST_ASKED for X, *_ in _ASKED[box])


def _compared(said, told):
    """The first of COMPARED that says of every box what was said."""
    masks = [given[-1] for box, _ in said for given in _ASKED[box] if given[-1] is not None]
    empty = any((~mask).all(axis=1).any() for mask in masks)
    for name, (alone, _, _) in COMPARED.items():
        if alone != "zeros" and not empty and not any(mask.all(axis=1).any() for mask in masks):
            continue
        if all(_says(name, box) == one for box, one in said):
            wrong = {one for inside, one in told.items() if one != inside}
            if len(set(told.values())) == 1:
                seen = f"you call every box '{told['healthy']}'" if told["healthy"] in FAULTS else ALL_HEALTHY
            elif wrong == {"healthy"}:
                missed = [fault for fault in FAULTS if told.get(fault) == "healthy"]
                seen = f"you call boxes healthy that have one of these faults: {_listed(missed)}"
            else:
                never = [one for one in DIAGNOSES if one not in told.values()]
                seen = f"you call some boxes {_listed(sorted(wrong))} that are something else"
                seen = f"you call no box {_listed(never).replace(' and ', ' or ')}" if 0 < len(never) < 3 else seen
            why = f"Your mask{'' if empty else ', turned round,'} leaves a query no key"
            yield name, TOLD[name].format(seen, why).split(" -> "), [name]
            return


ALL_HEALTHY = "you call every box healthy"


def _says(name, box):
    """What such a judge says of a box, for what it was asked with."""
    alone, made, nan_is_smallest = COMPARED[name]
    gaps, inside = np.zeros(len(DIAGNOSES)), _inside(_NUMBERS[box])
    for given in _ASKED[box]:
        got = _context(inside, *given)
        with np.errstate(invalid="ignore"):
            gaps += made(np.array([got - _context(other, *given, alone=alone) for other in DIAGNOSES]))
    if np.isnan(gaps).any() and (nan_is_smallest or np.isnan(gaps).all()):
        return DIAGNOSES[int(np.isnan(gaps).argmax())]
    least = np.nanmin(gaps) + 1e-9 * max(1.0, np.nanmax(np.abs(gaps)))
    return DIAGNOSES[int((gaps <= least).argmax())]


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
    truth = _inside(_NUMBERS[attention]) if attention in _NUMBERS else by_rivals(attention)
    asked = _ASKED.get(attention, [])
    all_kept = len(asked) < MOST_KEPT
    if asked and len(wrong) == 1 and (name := next(iter(wrong))) in COMPARED:
        return _says(name, attention)
    # Whatever it comes to: nobody is told of inputs that the box has not been asked with.
    made = [
        name
        for name in wrong
        if all(all_kept and so(*one) for about, so in ASKED_WITH if about in name for one in asked)
        and not (name in AT_LAST and asked)
        and not (name.startswith("missed-") and any(_shows(truth, one) for one in asked))
    ]
    return next((says[truth] for name, says in CONFUSED.items() if name in made and truth in says), truth)
