from grader.exercises.kinds import Entry, values
from grader.exercises.p3_multi_head.n3_masks import shared
from grader.exercises.p3_multi_head.n3_masks.leaks_future import leaks_future
from grader.exercises.stages import slip

SUSPECTS = {
    "causal": shared.causal_attention,
    "no mask": shared.open_attention,
    "one ahead": shared.one_ahead_attention,
    "zero afterwards": shared.zeroed_afterwards,
    "not itself": shared.without_itself,
    "centred": shared.centred_first,
}


@values(
    points=2,
    task="name the suspects that leak",
    entries=(Entry("", "the leaky suspects", among=tuple(SUSPECTS)),),
    mistakes="""
    the-sound-ones: you listed those that do not leak -> The leaky ones are asked for. -> List those for which
        `leaks_future` is True.
    mask-is-enough: you trust whatever uses a causal mask -> A right mask in the wrong place, or a step that mixes all
        tokens before it, lets the future through. -> Turn the test on every suspect, also on those that look right.
    misses-afterwards: you let the one pass that sets weights to 0 after the softmax -> Its masked weights are 0, but
        the others were divided by a sum that holds the future. -> Turn the test on every suspect.
    misses-centred: you let the one pass that takes off the mean first -> The mean is taken over all tokens, the later
        ones included. -> Turn the test on every suspect.
    one-text: you gave the names as one text -> A list of names is asked for, each a text of its own. -> Put each name
        in its own quotation marks, with commas between them.
    all-suspects: you listed all six -> Two of them are sound. `leaks_future` alone, without an argument, is a function,
        and that counts as true. -> Call `leaks_future` with each suspect.
    suspects-itself: you suspect the one that hides each token from itself -> It is an odd mask, but a strict one: it
        shows less than allowed, not more. -> A leak shows a token what comes *after* it.
    """,
)
def leaky_suspects(wrong=frozenset()):
    """The names of the leaky suspects, with mistakes as switches."""
    names = {name for name, attention in SUSPECTS.items() if leaks_future(attention)}
    if "the-sound-ones" in wrong:
        names = set(SUSPECTS) - names
    slips = {
        "mask-is-enough": {"zero afterwards", "centred"},
        "misses-afterwards": {"zero afterwards"},
        "misses-centred": {"centred"},
    }
    names -= slip(wrong, slips, set())
    if "suspects-itself" in wrong:
        names |= {"not itself"}
    if "all-suspects" in wrong:
        names = set(SUSPECTS)
    listed = [name for name in SUSPECTS if name in names]
    return [", ".join(listed)] if "one-text" in wrong else sorted(names)
