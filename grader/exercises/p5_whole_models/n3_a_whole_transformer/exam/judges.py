"""What somebody's judge may have done, told from what it asked the boxes with, and what it said of them."""

from itertools import pairwise

import numpy as np

from attnlib.a_whole_transformer import DIAGNOSES
from grader.exercises.p5_whole_models.n3_a_whole_transformer.exam.boxes import (
    ASKED,
    FAULTS,
    MOST_KEPT,
    NUMBERS,
    SWITCHES,
    context,
    fault_of,
)
from grader.exercises.p5_whole_models.n3_a_whole_transformer.exam.slips import (
    AT_LAST,
    CALLED,
    CONFUSED,
    HIDES,
    WORDS,
    listed,
    slug,
)


def suspected(record):
    """What somebody may have done, told from what the boxes were asked with."""
    said = [(args[0], outcome.value) for args, _, outcome, _ in record if isinstance(outcome.value, str)]
    told = {fault_of(NUMBERS[box]): name for box, name in said}
    if told.get("healthy") == "mask inverted" and told.get("mask inverted") == "healthy":
        yield "mask-upside-down", UPSIDE_DOWN, _switches(told)
        return
    for words, some in ((SHIFTED, pairwise(DIAGNOSES)), (SHIFTED_ON, pairwise(DIAGNOSES[::-1]))):
        if all(told.get(one) == other for other, one in some):
            yield "names-shifted", words, _switches(told)
            return
    # Each has a name of its own, which is more than written otherwise.
    wrong = [one for inside, one in told.items() if _letters(one) != _letters(inside)]
    if wrong and len(set(wrong)) == len(wrong) and not set(wrong) & set(DIAGNOSES):
        yield "no-such-name", (NO_SUCH_NAME.format(wrong[0][:40]), *COPIED), _switches(told)
        return
    compared = len(said) == len(record) and all(_few(box) for box, _ in said)
    if compared and all(says("inputs-hide", box) == one for box, one in said):
        yield from (*_missed(said), *_alike(said))
    elif compared and (found := list(_compared(said, told))):
        yield from found
    else:
        yield from (*_missed(said), *_taken(said, told), *_at_last(said, told))


def _letters(name):
    return "".join(filter(str.isalnum, name.lower()))


def _at_last(said, told):
    """Those of AT_LAST that fit what was said, each with the causes that are possible for what was asked."""
    for name in sorted(AT_LAST):
        if not all(told[inside] == other for inside, other in CONFUSED[name].items() if inside in told):
            continue
        one = WORDS[name]
        looks_like, cause, cure = one.looks_like, one.cause, one.cure
        fault = told.get("healthy", "healthy")
        if name.startswith("cries") and fault in FAULTS:
            box = next(box for box, _ in said if fault_of(NUMBERS[box]) == "healthy")
            if len(ASKED[box]) < MOST_KEPT and not _is_shown(fault, box):
                cause = "For what you test with, a box with this fault returns the very numbers of a healthy one. "
                why, cure = HIDES[fault].split(" -> ")
                cause, cure = cause + why, f"{cure}; and ask for health before all faults."
            else:
                cause = (
                    "What you test with tells this fault from health. So either no healthy attention is among what you "
                    "compare with; or the one that is there is none for your inputs (a root, a reshape, True for what "
                    "is forbidden, other inputs for you than for the box); or only a part of what a box returns is "
                    "compared, or in another order; or your loop does not keep the smallest gap (`best = gap` belongs "
                    "inside of the `if`); or a question that you ask before is true of a healthy box as well."
                )
                if sum(one == fault for one in told.values()) > 2:
                    cause += " Or nothing passes (`==` compares bit by bit), and this name is what is left."
                cure = "Print your gap to each version for a healthy box: is that to your healthy one near 0? If not, "
                cure += "compare it with the first result of `multi_head_attention`, number by number."
        if name.startswith("only"):
            cause, cure = _by_names(told, cause, cure)
        yield name, (looks_like, cause, cure), [f"unasked-{name}"]


def _alike(said):
    """That boxes with different names return the same for what they are asked."""
    groups = {}
    for box, name in said:
        groups.setdefault(name, {name}).add(fault_of(NUMBERS[box]))
    alike = [sorted(names, key=DIAGNOSES.index) for names in groups.values() if len(names) > 1]
    looks_like = f"what you test with does not tell these boxes apart: {'; '.join(map(listed, alike))}"
    if len(groups) == 1:
        looks_like = "what you test with makes all boxes alike"
    yield "inputs-hide", (looks_like, "With these inputs they return the very same numbers.", PLENTY), ["inputs-hide"]


def _taken(said, told):
    """What somebody has done who knows health, and calls some faults by other names."""
    wrong = {inside: name for inside, name in told.items() if name != inside}
    others = set(wrong.values())
    if not wrong or "healthy" in wrong or others == {"healthy"} or (len(others) > 1 and len(wrong) == len(FAULTS)):
        return
    strange = [name for name in wrong.values() if name not in DIAGNOSES]
    if len(strange) == 1 or len(set(strange)) > 1:  # perhaps misspelt; not if several faults have it
        return
    boxes = {fault_of(NUMBERS[box]): box for box, _ in said}
    hidden = [fault for fault in FAULTS if fault in wrong and _is_hidden(fault, boxes[fault], wrong[fault])]
    shown = [fault for fault in FAULTS if fault in wrong and fault not in hidden]
    if len(others) == 1 and len(wrong) >= len(FAULTS) - 1:
        (other,) = others
        name, words = f"every-fault-{slug(other)}" if other in FAULTS else "every-fault", EVERY_FAULT.format(other[:40])
    elif not shown:
        name, words = "several-taken", MISLED.format(listed(hidden))
    elif others == set(wrong):
        name, words = "names-exchanged", EXCHANGED.format(listed(shown + hidden))
    elif len(wrong) == 1:
        (fault,) = wrong
        name, words = f"taken-{slug(fault)}", TAKEN.format(fault, wrong[fault], ALSO.get(fault, ""))
    else:
        looks_like = f"you call boxes something else that have one of these faults: {listed(shown + hidden)}"
        if len(wrong) > 5:
            looks_like = f"you tell these, and no others: {listed([one for one in DIAGNOSES if one not in wrong])}"
        more = (f" And what you test with cannot show {listed(hidden)}.", f" {PLENTY}") if hidden else ("", "")
        name, words = "several-taken", HALF_DONE.format(looks_like, *more)
    yield name, words.split(" -> "), _switches(wrong)


EVERY_FAULT = (
    "you call every fault '{0}' -> Your judge tells health, and nothing more. Perhaps a `return` in the first round of "
    "a loop ends it, or no other comparison passes and this name is what is left. -> What does your judge do with a "
    "box that is not healthy? Print the names that it compares with, and the gaps."
)
EXCHANGED = (
    "you call boxes by each other's names: {0} -> Each of them you tell from all else, but by a name that is "
    "another's. -> Lay your list of names beside that of your versions: does each stand by its own?"
)
TAKEN = (
    "you call a box with the fault '{0}' '{1}' -> All else you tell rightly. So either your judge does not ask for "
    "this fault, or your own version of it does something else.{2} -> Read what the table says of it once more, and "
    "print your gap to it for such a box: right ones are 0 to ten digits."
)
HALF_DONE = (
    "{0} -> Either your judge does not ask for all faults, or your own versions of some do something else, or a "
    "question that it asks before is true of these boxes, too, as a wide tolerance is.{1} -> Read what the table says "
    "of the missing ones, and print your gaps to them for such boxes, or what you ask: right ones are 0 to ten "
    "digits.{2}"
)
UPSIDE_DOWN = (
    "you exchange health and 'mask inverted'",
    "So says whose own versions take True for what is forbidden.",
    "True means: may attend, in a box as in the course. `np.where(mask, scores, -np.inf)`.",
)
SHIFTED = (
    "your names stand one place too early: you call 'no scaling' 'healthy', and so on",
    "Where your gaps begin with the first fault, place 0 is that fault; but `diagnoses[0]` is 'healthy'.",
    "Gaps and names from one list, with a healthy version in it.",
)


SHIFTED_ON = (
    "your names stand one place too late: you call a healthy box 'no scaling', and so on",
    "Your gaps begin with the healthy version, and your names with the first fault.",
    "Gaps and names from one list: `diagnoses[0]` is 'healthy'.",
)
NO_SUCH_NAME = "'{0}' is none of the eleven names"
COPIED = (
    "To a program two texts are the same only if each letter is.",
    "Take every name from the list `diagnoses`, or from the table.",
)


def _switches(told):
    """What makes the exercise's model say the same of boxes."""
    return [f"{inside}{CALLED}{name}" for inside, name in told.items()]


def _by_names(told, cause, cure):
    """Cause and cure for one who calls every box the same, where that is the first name of all, or the last."""
    for end, least in (("first", min), ("last", max)):
        if set(told.values()) == {least(DIAGNOSES)}:
            which = least.__name__
            alphabet = f"Of the eleven names this is the {end} in the alphabet: `{which}` of a dict goes by its names, "
            cause = _or_else(f"{alphabet}not by the gaps.", cause)
            cure = f"`min(gaps, key=gaps.get)` goes by the gaps. {cure}"
    return cause, cure


def _or_else(cause, usual):
    """A cause that fits what was said of each box, in front of those that it may have as well."""
    return f"{cause} Or else: {usual[0].lower()}{usual[1:]}"


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
    boxes = {fault_of(NUMBERS[box]): box for box, name in said if name == "healthy"}
    unseen = {fault: boxes[fault] for fault in FAULTS if fault in boxes}
    hidden = [fault for fault, box in unseen.items() if _is_hidden(fault, box, "healthy")]
    shown = [fault for fault in unseen if fault not in hidden]
    if len(unseen) == 1 and shown:
        masks = [given[-1] for given in ASKED[unseen[shown[0]]] if given[-1] is not None]
        nan = NOTHING_LEFT if shown == ["mask inverted"] and any(mask.all(axis=1).any() for mask in masks) else ""
        words = SHOWN.format(*shown, nan, ALSO.get(shown[0], "")).split(" -> ")
        yield f"missed-{SWITCHES[shown[0]]}", words, [f"unasked-{SWITCHES[shown[0]]}"]
    if len(unseen) < 2 or len(unseen) == len(FAULTS):
        return
    name = "scales-missed" if set(unseen) == {"no scaling", "scaled by sqrt(d_model)"} else "several-missed"
    tokens = [X for box in unseen.values() for X, *_ in ASKED[box]]
    if not shown and all((X[:1] == X).all() for X in tokens):
        one = WORDS["one-token" if all(len(X) == 1 for X in tokens) else "equal-tokens"]
        yield one.id, (one.looks_like, one.cause, one.cure), [f"unasked-{SWITCHES[fault]}" for fault in unseen]
        return
    if shown:
        looks_like = f"you call boxes healthy that have one of these faults: {listed(shown + hidden)}"
        cause = "What you test with shows " + (f"all of these but {listed(hidden)}." if hidden else "each of them.")
        cure = (
            "See that your judge asks for each fault; that your own versions, the healthy one too, do what their names "
            "say, for the same inputs; and that all of what a box returns is compared, closely but not bit by bit "
            "(`==` tells two ways to compute the same apart)."
        )
    elif name == "scales-missed":
        looks_like = f"what you test with cannot show these faults: {listed(hidden)}"
        cause = "Where scores are tiny all weights are equal, where they are huge one key takes all, however they are "
        cause += "scaled, and so where the mask leaves each query a single key."
        cure = "Numbers whose weights are neither equal nor 0 and 1."
    else:
        looks_like = f"what you test with cannot show these faults: {listed(hidden)}"
        cause = "With these inputs such a box returns the very numbers of a healthy one."
        cure = PLENTY
    yield name, (looks_like, cause, cure), [f"unasked-{SWITCHES[fault]}" for fault in unseen]


PLENTY = (
    "Take several heads of two columns or more, tokens that differ, matrices that are each drawn for themselves, and a "
    "mask that forbids something and leaves most queries several keys."
)
MISLED = (
    "you call boxes something else that have one of these faults: {0} -> With these inputs such a box returns the very "
    f"numbers of what you call it. -> {PLENTY}"
)
#: Said where a single fault stays unseen, though what a box is asked with shows it.
SHOWN = (
    "you call a box with the fault '{0}' healthy -> What you test with shows it: for that, such a box returns other "
    "numbers than a healthy one.{1} -> See that your judge asks for this fault, that your own version of it does what "
    "its name says, that your healthy version does not do the same, and that you compare all of what a box returns, "
    "closely but not bit by bit.{2}"
)


NOTHING_LEFT = (
    " (Your mask, turned round, leaves a query no key: a version of yours that has NaN there, or a mean, agrees with "
    "nothing.)"
)


def _largest(gaps):
    return np.abs(gaps).max(axis=(1, 2))


def _only(chosen):
    """Gaps of a judge that takes this one."""
    return 1.0 - (np.arange(len(DIAGNOSES)) == chosen % len(DIAGNOSES))


def _last_below_the_one_before(gaps):
    return int(np.flatnonzero(np.diff(np.r_[np.inf, gaps]) < 0)[-1])


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
    "health-left-out": ("zeros", lambda gaps: np.r_[np.nan, _largest(gaps)[1:]], False),
    "compared-with-last": ("zeros", lambda gaps: _only(_last_below_the_one_before(_largest(gaps))), True),
    "second-nearest": ("zeros", lambda gaps: _only(np.argsort(_largest(gaps), kind="stable")[1]), True),
    "hit-undone": ("zeros", lambda gaps: _only(-1 if _largest(gaps)[-1] < 1e-6 else 0), True),
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
    "(`[0]` of it; with a causal mask, the first query hears but itself), or whose tolerance is wide. -> Take the "
    "largest difference of all numbers: `np.abs(one - other).max()`.",
    "last-row-compared": "{0} -> So says, with your inputs, who compares only the last row of what a box returns, or "
    "whose tolerance is wide. -> "
    "Take the largest difference of all numbers: `np.abs(one - other).max()`.",
    "smallest-compared": "{0} -> So says, with your inputs, who goes by the smallest difference within a box, not by "
    "the largest: a single number that agrees makes it 0. -> `np.abs(one - other).max()`.",
    "sign-kept": "{0} -> So says, with your inputs, who adds up differences, or averages them, with their signs: what "
    "is above and what is below 0 cancels, and the smallest sum is the one that is most below 0. -> `np.abs` first.",
    "farthest-taken": "{0} -> So says, with your inputs, who takes the version that is farthest. -> What a box is has "
    "the smallest gap: `argmin`, or `min`.",
    "health-left-out": "{0} -> So says, with your inputs, who compares with the ten faults, and either with no healthy "
    "version, or with one that is none for these inputs (a root, a reshape, True for what is forbidden, one matrix for "
    "another), or who asks for faults first, and with a wide tolerance: a healthy box gets the name of a near fault. "
    "-> Compare your healthy version with the first result "
    "of `multi_head_attention`, number by number.",
}
TOLD["compared-with-last"] = (
    "{0} -> So says, with your inputs, whose loop compares each gap with the one before it, and not with the smallest "
    "so far: `best = gap` belongs inside of the `if`, beside the name. -> When a gap is smaller, remember both, and "
    "only then."
)
TOLD["second-nearest"] = (
    "{0} -> So says, with your inputs, who takes the second smallest gap. -> Places count from 0: the smallest of a "
    "sorted list is `[0]`."
)
TOLD["hit-undone"] = (
    "{0} -> So says, with your inputs, whose loop sets the name back to 'healthy' in each later round that finds "
    "nothing: an `else` in it undoes what was found. -> Return at once where a version agrees, or set 'healthy' before "
    "the loop."
)
TOLD["sign-kept-turned"] = TOLD["sign-kept"]
OF_NAN = {"gaps-nan", "gaps-nan-never", "alone-hears-all"}
TOO_WIDE = (
    "you call these boxes something else: {0} -> {1} Or so says, with your inputs, who takes the "
    "first name whose version differs by less than some number, where that is too large: an earlier name takes what "
    "belongs to a later one. And for the first row alone no scale shows under a causal mask. -> Print your gap to the "
    "version of each such fault, for a box that has it: a right one is 0 to ten digits, so that 1e-6 is wide enough "
    "for all."
)
#: A box whose questions hold more numbers, or are more, is not compared again.
LARGEST_ASKED, MOST_ASKED = 20_000, 5


def _few(box):
    return 0 < len(ASKED[box]) <= MOST_ASKED and all(len(X) * X.size <= LARGEST_ASKED for X, *_ in ASKED[box])


def _within_a_tolerance(said):
    """True if of every box that was said whose version first differs by less than some tolerance, in the order of the
    table, health first or last."""
    for order in (DIAGNOSES, (*FAULTS, "healthy")):
        least, most = 1e-6, np.inf
        for box, name in said:
            gaps = dict.fromkeys(order, 0.0)
            for given in ASKED[box]:
                got = context(fault_of(NUMBERS[box]), *given)
                gaps = {one: max(gap, np.abs(got - context(one, *given)).max()) for one, gap in gaps.items()}
            if name not in gaps:
                break
            least = max(least, gaps[name])
            most = min(most, *(gaps[one] for one in order[: order.index(name)]), np.inf)
        else:
            if least < most:
                return True
    return False


#: Why a judge misses some kinds of boxes, whatever it asks with.
USUALLY = (
    "Perhaps your judge has no version of its own of what it misses, or one that does something else than its name "
    "says."
)


def _compared(said, told):
    """The first of COMPARED that says of every box what was said."""
    others = {inside for inside, one in told.items() if inside != one}
    constant = len(set(told.values())) == 1
    if len(others) > 1 and not constant and _within_a_tolerance(said):
        names = listed([one for one in DIAGNOSES if one in others])
        yield "tolerance-too-wide", TOO_WIDE.format(names, USUALLY).split(" -> "), _switches(told)
        return
    masks = [given[-1] for box, _ in said for given in ASKED[box] if given[-1] is not None]
    empty = any((~mask).all(axis=1).any() for mask in masks)
    for name, (alone, _, _) in COMPARED.items():
        if alone != "zeros" and not empty and not any(mask.all(axis=1).any() for mask in masks):
            continue
        if constant and name.startswith("sign-kept") and told["healthy"] == "healthy":
            continue  # the smallest sum is one and the same version's, whatever a box is: by luck the healthy one's
        if all(says(name, box) == one for box, one in said):
            wrong = {one for inside, one in told.items() if one != inside}
            if len(set(told.values())) == 1:
                seen = f"you call every box '{told['healthy']}'" if told["healthy"] in FAULTS else ALL_HEALTHY
            elif wrong == {"healthy"}:
                missed = [fault for fault in FAULTS if told.get(fault) == "healthy"]
                seen = f"you call boxes healthy that have one of these faults: {listed(missed)}"
            else:
                never = [one for one in DIAGNOSES if one not in told.values()]
                seen = f"you call some boxes {listed(sorted(wrong))} that are something else"
                seen = f"you call no box {listed(never).replace(' and ', ' or ')}" if 0 < len(never) < 3 else seen
            why = f"Your mask{'' if empty else ', turned round,'} leaves a query no key"
            looks_like, cause, cure = TOLD[name].format(seen, why).split(" -> ")
            if constant and name not in OF_NAN:  # what leaves one name for all has many causes
                all_as = told["healthy"]
                usual = WORDS[f"only-{slug(all_as)}" if all_as in FAULTS else "always-healthy"]
                cause, cure = _or_else(cause, usual.cause), f"{cure} {usual.cure}"
            elif name != "health-left-out" and (name not in OF_NAN or len(others) == 1):
                cause = _or_else(cause.replace("Most likely", "Perhaps", 1), USUALLY)
                if name not in OF_NAN:
                    cure += " Print your gap to the version of each such fault: a right one is 0 to ten digits."
            yield name, (looks_like, *_by_names(told, cause, cure)), [name]
            return


ALL_HEALTHY = "you call every box healthy"


def says(name, box):
    """What such a judge says of a box, for what it was asked with."""
    alone, made, nan_is_smallest = COMPARED[name]
    gaps, inside = np.zeros(len(DIAGNOSES)), fault_of(NUMBERS[box])
    for given in ASKED[box]:
        got = context(inside, *given)
        with np.errstate(invalid="ignore"):
            gaps += made(np.array([got - context(other, *given, alone=alone) for other in DIAGNOSES]))
    if np.isnan(gaps).any() and (nan_is_smallest or np.isnan(gaps).all()):
        return DIAGNOSES[int(np.isnan(gaps).argmax())]
    least = np.nanmin(gaps) + 1e-9 * max(1.0, np.nanmax(np.abs(gaps)))
    return DIAGNOSES[int((gaps <= least).argmax())]


def _is_hidden(fault, box, other):
    """True if what a box was asked with cannot tell one with this fault from one with another, or a healthy one."""
    return other in DIAGNOSES and len(ASKED[box]) < MOST_KEPT and not _is_shown(fault, box, other)


def _is_shown(fault, box, other="healthy"):
    return any(shows(fault, given, other) for given in ASKED[box])


def shows(fault, given, other="healthy"):
    """True if a question tells a box with this fault from one with another, or from a healthy one."""
    one, other = context(fault, *given), context(other, *given)
    return not np.allclose(one, other, atol=1e-6 * np.abs(other).max(initial=0.0))
