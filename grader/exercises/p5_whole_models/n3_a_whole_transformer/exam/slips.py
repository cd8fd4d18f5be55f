"""What is confused in the exam, by which slip, and in which words it is told."""

from grader.exercises.mistakes import read_mistakes
from grader.exercises.p5_whole_models.n3_a_whole_transformer.exam.boxes import FAULTS, SWITCHES


def listed(faults):
    quoted = [f"'{fault}'" for fault in faults]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


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
    "equal-tokens": _all_as("healthy", "no scaling", "scaled by sqrt(d_model)", "mask inverted", "mask ignored"),
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


def slug(fault):
    return SWITCHES[fault]


CONFUSED |= {f"missed-{slug(fault)}": {fault: "healthy"} for fault in FAULTS}
#: The same, whatever a box is asked with.
CONFUSED |= {f"unasked-{slug(fault)}": {fault: "healthy"} for fault in FAULTS}
CONFUSED |= {f"cries-{slug(fault)}": {"healthy": fault} for fault in FAULTS}
CONFUSED |= {f"only-{slug(fault)}": _all_as(fault, "healthy", *FAULTS) for fault in FAULTS}

MISSED = "\n".join(
    f"missed-{slug(fault)}: you call a box with the fault '{fault}' healthy -> {HIDES[fault]}; and see "
    "that your judge asks for this fault, and compares closely."
    for fault in FAULTS
)
CRIES = "\n".join(
    f"cries-{slug(fault)}: you call a healthy box '{fault}' -> Either what you take for a healthy attention is none "
    "for your inputs, or there is none; or you ask for this fault first, and your test cannot tell it from health. -> "
    "Compare your healthy attention with `multi_head_attention` for your inputs, number by number; and ask for health "
    "before all faults."
    for fault in FAULTS
)
ONLY = "\n".join(
    f"only-{slug(fault)}: you call every box '{fault}' -> The gaps to your versions, printed for one box, tell why. "
    "None is near 0: your versions share an error, or get other inputs than the box, or only a part of what it returns "
    "is compared (`[0]` is its first row). One is, and has another name: nothing passes your comparison (`==`: two "
    "ways to compute the same differ in the last digits), an `except` swallows an error, or your loop does not keep "
    "the smallest gap (`best = gap`). One is NaN: `argmin` takes it for the smallest. -> Print them, and if none is "
    "near 0, compare your healthy version with the first result of `multi_head_attention`, number by number."
    for fault in FAULTS
)

MISTAKES = f"""
pair-compared: you make one array of two things of different shapes -> `multi_head_attention`, for one, returns two: the
    contexts and the weights. A box returns the contexts alone. -> Take the first of the two: `[0]`.
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
    but after it their weights are set to 0, and what is left of a row is not divided anew. -> If you compare with a
    version of your own, print your gap to it for such a box. Else look whether a forbidden token can change the context
    by its value.
ignored-as-after: you call an ignored mask one after the softmax -> Both let the forbidden keys into the sum of the
    softmax; but after it their weights are set to 0. -> If you compare with a version of your own, print your gap to it
    for such a box: ignored means without a mask, not with one that is False everywhere. Else look whether a forbidden
    token can change the context by its value.
inverted-as-ignored: you call an inverted mask ignored -> Both let forbidden keys be heard; but inverted, the allowed
    ones are not. -> If you compare with a version of your own, print your gap to it for such a box. Else look whether
    an allowed token is heard.
ignored-as-inverted: you call an ignored mask inverted -> Both let forbidden keys be heard; but inverted, the allowed
    ones are not. -> Look whether an allowed token is heard.
{MISSED}
{CRIES}
always-healthy: you call every box healthy -> The gaps to your versions, printed for a box with a fault, tell why. All
    are near 0: your inputs make all boxes alike (zeros do, and equal tokens). None is: your versions share an error, or
    get other inputs than the box. One is, and has another name: your comparison lets everything pass (a wide
    tolerance, signs that cancel, the shape alone) or nothing (`==`, a condition that is never true, an `except` that
    swallows an error), or your loop ends in its first round, or begins with 0 as the smallest gap. One is NaN: nothing
    is smaller than that. -> Print them; and if none is near 0, compare your healthy version with the first result of
    `multi_head_attention`. Without versions of your own: print what two boxes return for what you put in.
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
    *(f"{how}-{slug(fault)}" for fault in FAULTS for how in ("cries", "only")),
}
CONFUSED |= {f"unasked-{name}": CONFUSED[name] for name in AT_LAST}
CONFUSED |= {f"every-fault-{slug(fault)}": _all_as(fault, *FAULTS) for fault in FAULTS}
#: Between a diagnosis and what boxes with it are called, in a switch for just that.
CALLED = " is called "
