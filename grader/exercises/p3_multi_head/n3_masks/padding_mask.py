import numpy as np

from grader.exercises.inputs import shuffled
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n3_masks.shared import not_boolean
from grader.exercises.stages import slip


def some_lengths(rng, batch, n):
    """Different lengths, one of them n itself."""
    shorter = rng.permutation(np.arange(1, n))[: batch - 1]
    return {"lengths": shuffled(rng, np.append(shorter, n)), "n": n}


def all_shorter(rng):
    """Padding in every sentence, as happens when the length is fixed beforehand."""
    return {"lengths": shuffled(rng, [1, 3, 4]), "n": 7}


def padding_holds_booleans(call, rng):
    lengths, n = some_lengths(rng, 4, 11).values()
    mask = call(lengths, n)
    if not np.array_equal(mask.astype(bool), padding_mask(lengths, n)):
        return f"the mask for {n} places is wrong"
    return not_boolean(mask)


def with_an_empty_one(rng):
    return {"lengths": shuffled(rng, [0, 2, 7, 5, 3]), "n": 7}


@function(
    points=3,
    returns="mask",
    cases=(
        Case("two sentences, padded to 13", lambda rng: {"lengths": np.array([13, rng.integers(1, 12)]), "n": 13}, 0.0),
        Case("three sentences, padded to 11", lambda rng: some_lengths(rng, 3, 11), 0.35),
        Case("the example of the task", lambda rng: {"lengths": np.array([2, 3]), "n": 3}, 0.05),
        Case("as many sentences as places", lambda rng: some_lengths(rng, 5, 5), 0.1),
        Case("padding in every sentence", all_shorter, 0.15),
        Case("a sentence of length 0", with_an_empty_one, 0.1),
    ),
    properties=(Property("its entries are True and False", padding_holds_booleans, 0.15),),
    mistakes="""
    mask-inverted: your mask is inverted: True stands at the padding -> Every query would attend to the padding, and to
        nothing else. In this course True means: may attend. -> True belongs to the real tokens.
    query-axis: your mask lies along the queries -> Shape (batch, n, 1) forbids whole *rows*: the padding asks nothing,
        but the real tokens still attend to it. -> Padding must not be attended *to*: it belongs on the last axis, that
        of the keys.
    no-query-axis: the axis of the queries is missing -> Shape (batch, n) meets scores of shape (batch, n, n) from the
        right: NumPy takes your batch for queries. -> Put an axis of length 1 between batch and keys.
    both-axes: you mask the queries as well as the keys -> The shape is (batch, 1, n): every query sees the same real
        keys. What a padded query gets is thrown away later. -> Keep the axis of the queries at length 1.
    future-hidden: you hide the future, too: your mask has a row for each query, and each sees only places up to its own
        -> That is the causal mask. Where somebody needs both, the two are joined with `&`; this one is for the padding
        alone. -> Keep the axis of the queries at length 1: every query sees all the real tokens.
    repeated: you repeat the same row for every query -> All rows are equal, so one is enough: broadcasting repeats an
        axis of length 1 without storing it. -> Keep the axis of the queries at length 1.
    left: you took the padding to come first -> Here the real tokens come first and the padding fills the end. ->
        Compare each place 0, 1, ... with the length.
    one-too-many: one padded place too many is allowed -> A sentence of length 3 has its tokens at the places 0, 1 and
        2. -> Is place 3 smaller than 3?
    one-too-few: the last real token is forbidden -> A sentence of length 3 has its tokens at the places 0, 1 and 2. ->
        Places count from 0.
    slice-too-short: the last real token is forbidden, and where there is none nearly all is allowed -> The end of a
        slice is not included, so `: length - 1` leaves out the last real token; and `: -1` is all but the last place.
        -> Which slice holds the places 0 to length - 1?
    empty-sees-all: in a sentence of length 0 everything is allowed -> It has no real token, so nobody may attend to
        anything in it: `masked_softmax` has a rule for that. -> Take the lengths as they come.
    full-hidden: a sentence that fills all n places is hidden from its first place on -> The slice `-0:` is the whole
        row: minus zero is zero, and counts from the front. -> Count from the front: where does the padding begin?
    reshaped: `reshape` has mixed the sentences -> It only breaks the numbers, read row by row, into new rows; it does
        not exchange axes. -> Put a new axis in with `None`, and leave the order as it is.
    not-cleared: what was allowed for one sentence stays allowed for those after it -> The row that is filled for one
        sentence is not empty when the next begins. -> Make a fresh row for each sentence.
    last-real-only: only the last real token is allowed -> `==` holds in one place. -> All places before the length hold
        real tokens.
    first-padding-only: only the first place of the padding is allowed -> `==` holds in one place. -> All places before
        the length hold real tokens.
    all-but-first-padding: all but the first place of the padding is allowed -> `!=` fails in one place. -> All places
        from the length on are padding.
    all: everything is allowed -> A mask of nothing but True masks nothing. -> Forbid the places behind each sentence.
    places-first: your mask has the places as rows and the sentences as columns -> The first axis is that of the batch.
        -> Give the lengths two axes more, and the places none.
    additive: you return numbers to be added to the scores, 0 and minus infinity -> That is one way to *use* a mask. The
        mask itself says True or False, so that masks can be combined. -> Return True where attention is allowed.
    additive-finite: you return numbers to be added to the scores, 0 and a large negative one -> That is one way to
        *use* a mask. The mask itself says True or False, so that masks can be combined. -> Return True where attention
        is allowed.
    n-ignored: your mask is as long as the longest sentence, not n -> All sentences may be shorter than the array that
        holds them; the mask then does not fit the scores. -> How many keys there are is told by n, not by the lengths.
    slice-on-the-queries: you fill `mask[b, :length]`, where the array has three axes -> The second index is that of the
        queries, an axis of length 1; the places come behind it, and all of them become True. -> Give each of the three
        axes its index: the slice belongs to the last.
    longest: every sentence gets the mask of the longest one -> The shorter ones are those that have padding to hide. ->
        Compare with each sentence's own length.
    last-real-from-behind: only the last real token is allowed -> `length - 1` is one place, and for length 0 it is -1,
        the last place of all. -> All places before the length hold real tokens: which slice is that?
    at-least-one: a sentence of length 0 keeps a token -> It has no real token, so nobody may attend to anything in it:
        `masked_softmax` has a rule for that. -> Take the lengths as they come.
    """,
)
def padding_mask(lengths, n, wrong=frozenset()):
    """The padding mask, with mistakes as switches."""
    lengths = np.asarray(lengths)
    if "longest" in wrong:
        lengths = np.full_like(lengths, lengths.max())
    place = np.arange(lengths.max(initial=0) if "n-ignored" in wrong else n)
    if "left" in wrong:
        place = place[::-1]
    place = slip(wrong, {"one-too-many": place - 1, "one-too-few": place + 1}, place)
    slips = {
        "last-real-only": place == lengths[:, None] - 1,
        "last-real-from-behind": place == (lengths[:, None] - 1) % max(n, 1),
        "at-least-one": place < np.maximum(lengths, 1)[:, None],
        "first-padding-only": place == lengths[:, None],
        "all-but-first-padding": place != lengths[:, None],
        "all": np.ones((len(lengths), len(place)), dtype=bool),
        "not-cleared": place < np.maximum.accumulate(lengths)[:, None],
        "slice-too-short": place < np.where(lengths, lengths - 1, len(place) - 1)[:, None],
        "slice-on-the-queries": (lengths[:, None] > 0) & (place >= 0),
        "empty-sees-all": place < np.where(lengths, lengths, len(place))[:, None],
        "full-hidden": place < np.where(lengths < n, lengths, 0)[:, None],
    }
    mask = slip(wrong, slips, place < lengths[:, None])  # (batch, n)
    if "mask-inverted" in wrong:
        mask = ~mask
    if "reshaped" in wrong:
        mask = mask.T.reshape(mask.shape)
    rows, columns = mask[:, :, None], mask[:, None, :]
    slips = {
        "no-query-axis": mask,
        "query-axis": rows,
        "both-axes": rows & columns,
        "future-hidden": columns & np.tri(n, len(place), dtype=bool),
        "places-first": mask.T,
        "additive": np.where(columns, 0.0, -np.inf),
        "additive-finite": np.where(columns, 0.0, -1e9),
    }
    return slip(wrong, slips | {"repeated": np.repeat(columns, n, axis=1)}, columns)
