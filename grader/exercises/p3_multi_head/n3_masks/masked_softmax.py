import numpy as np

from grader.exercises.inputs import arrays, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n3_masks.padding_mask import padding_mask
from grader.exercises.p3_multi_head.n3_masks.shared import some_mask
from grader.exercises.stages import slip, softmax

#: What stands in for a forbidden score, by mistake.
WRONG_FILLS = {
    "zero-fill": 0.0,
    "xor-fill": -1.0,
    "small-fill": -10.0,
    "hundred-fill": -100.0,
    "far-fill": -1e5,
    "million-fill": -1e6,
    "minimum-fill": None,  # just below the smallest of the scores
    "row-minimum-fill": None,
}
#: It shows only where a forbidden score is positive.
BY_MASK = ("divided-by-mask",)
#: It shows only where one of the first keys is forbidden.
BY_ENTRY = (*BY_MASK, "empty-by-entry")
EMPTY_ROWS = ("empty-nan", "empty-uniform", "empty-unmasked")


def small_scores(rng):
    """Two rows; in the first the forbidden score is the largest."""
    scores = np.sort(tenths(rng, 2, 3, low=-2.0, high=2.0), axis=-1)
    return {"scores": scores, "mask": np.array([[True, True, False], [True, False, True]])}


def with_an_empty_row(rng):
    mask = some_mask(rng, 5, 7)
    mask[int(rng.integers(5))] = False
    return {"scores": matrix(rng, 5, 7, scale=2.0), "mask": mask}


def far_from_zero(rng):
    """Rows whose allowed scores are all large, or all very negative, to the end of what the task allows.

    Quarters are exact even in single precision.
    """
    mask, steps = some_mask(rng, 4, 5), rng.integers(0, 12, size=(4, 5)) / 4
    lowest = np.array([1000.0, -20000.0, 999990.0, -1000000.0])[:, None]
    highest = np.array([1000.0, 0.0, 0.0, 1000000.0])[:, None]
    return {"scores": np.where(mask, lowest + steps, highest - steps), "mask": mask}


def zeros_and_equals(rng):
    """Rows in which an allowed score is exactly 0, or all are alike."""
    scores, mask = tenths(rng, 4, 5), some_mask(rng, 4, 5)
    scores[0, rng.choice(np.flatnonzero(mask[0]))] = 0.0
    scores[1], mask[1] = 0.0, True
    scores[2] = abs(scores[2, 0])  # divided by a mask, negative ones would become the right minus infinity
    scores[3], mask[3] = scores[3, 0], True
    return {"scores": scores, "mask": mask}


def nothing_forbidden(rng):
    return {"scores": matrix(rng, 3, 5), "mask": np.ones((3, 5), dtype=bool)}


def the_example(rng):
    return {
        "scores": np.array([[0.0, 0.0, 9.0], [1.0, 2.0, 3.0]]),
        "mask": np.array([[True, True, False], [False, False, False]]),
    }


def forbidden_is_exactly_zero(call, rng):
    scores, mask = matrix(rng, 7, 5, scale=2.0), some_mask(rng, 7, 5)
    scores[0] -= scores[0][mask[0]].max() + 8  # so low that a small fill takes a share of the weight
    weights = call(scores, mask)
    most = np.abs(weights[~mask]).max()
    if most > 1e-12:
        return f"a forbidden key has the weight {most:.3g}"
    gap = np.abs(weights.sum(axis=-1) - 1).max()
    return None if gap < 1e-3 else "a row does not sum to 1"


def forbidden_scores_do_not_matter(call, rng):
    scores, mask = matrix(rng, 3, 5), some_mask(rng, 3, 5)
    usual = call(scores, mask)
    loud = call(np.where(mask, scores, 1000.0), mask)
    if not np.isfinite(loud).all():
        return "a forbidden score of 1000 gives NaN"
    return None if np.allclose(usual, loud, atol=1e-3) else "a forbidden score of 1000 changes the weights"


def _met(mask, scores, wrong):
    """The mask as it meets the scores; a loop over their first axes may take a place of it in each round."""
    batch = scores.ndim > 2
    if "first-row-of-the-mask" in wrong and not batch and mask.ndim > 1:
        return mask[0]
    if ("first-mask-always" in wrong and batch) or ("first-mask-only" in wrong and mask.ndim > 2):
        return mask[0]
    if "mask-by-sentences-lifted" in wrong and batch and mask.ndim == 2:
        return mask[:, None]
    if "mask-by-sentences-strict" in wrong and batch and len(mask) != len(scores):
        raise ValueError("one argument is longer than the other")
    rounds = {
        "mask-by-rows": 1,
        "mask-by-rows-only": scores.ndim - 1,
        "mask-by-sentences": scores.ndim - 2,
        "mask-by-sentences-strict": scores.ndim - 2,
    }
    looped = slip(wrong, rounds, 0)
    taken = mask[tuple(np.indices(scores.shape[:looped]))] if looped else mask
    return taken.reshape(*scores.shape[:looped], *(1,) * (scores.ndim - mask.ndim), *mask.shape[looped:])


@function(
    points=4,
    returns="weights",
    budget=4000,
    cases=(
        Case("two rows of three scores", small_scores, 0.1, BY_MASK),
        Case("seven rows of five", arrays(scores=(7, 5), mask=(some_mask, 7, 5)), 0.05, BY_MASK),
        Case("allowed scores of 1000, of -20000, of a million and of minus a million", far_from_zero, 0.1),
        Case("a mask that forbids nothing", nothing_forbidden, 0.05),
        Case("allowed scores of 0, and rows of equal scores", zeros_and_equals, 0.05),
        Case("the example of the task", the_example, 0.05),
        Case("one row of the mask for all queries", arrays(scores=(3, 5), mask=(some_mask, 5)), 0.05, BY_ENTRY),
        Case(
            "two sequences at once, with a padding mask",
            arrays(scores=(2, 3, 3), mask=padding_mask(np.array([2, 3]), 3)),
            0.05,
            BY_MASK,
        ),
        # as many sequences as queries, where the mask of one sequence passes for that of a batch
        Case("one mask for all sequences of a batch", arrays(scores=(3, 3, 5), mask=(some_mask, 3, 5)), 0.05, BY_MASK),
        Case("one row of the mask for a whole batch", arrays(scores=(2, 3, 5), mask=(some_mask, 5)), 0.05, BY_ENTRY),
        Case("a row with nothing to attend to", with_an_empty_row, 0.1, BY_MASK),
    ),
    properties=(
        Property("forbidden weights are exactly 0, and rows sum to 1", forbidden_is_exactly_zero, 0.1),
        Property("a forbidden score may be as large as it likes", forbidden_scores_do_not_matter, 0.1),
    ),
    mistakes="""
    mask-after
    zero-fill
    zero-fill-zeroed
    zero-fill-empty-zero
    mask-inverted-all-zero
    mask-inverted-nan
    mask-inverted-uniform
    mask-inverted
    infinity-times
    infinity-times-zeroed: minus infinity is multiplied with the mask, or with its reverse -> Where attention is allowed
        that is 0 times infinity, which is NaN; one NaN spoils the whole row. -> Choose between score and minus infinity
        with `np.where`, instead of multiplying.
    clipped
    empty-by-columns: you look for empty *columns* of the mask, or of the first axis: `.any(axis=0)` -> A row with
        nothing to attend to is False all along its keys, the last axis. -> `mask.any(axis=-1, keepdims=True)`, or set
        what is forbidden to 0 once more, after the softmax.
    empty-nan
    empty-uniform
    empty-unmasked
    xor-fill: forbidden scores are filled with -1 -> In Python `^` is no power: `-10^9` is -1, and `10^9` is 3. A score
        of -1 is an ordinary score. -> Write minus a thousand million as `-1e9` or `-10.0**9`; or use minus infinity,
        `-np.inf`.
    xor-fill-zeroed
    small-fill: forbidden scores are filled with a number that is not small enough, such as -10 -> A score may be far
        below zero itself. What is forbidden must stay far below what is allowed. -> Use minus infinity, or a number as
        far down as -1e9.
    small-fill-zeroed: forbidden scores are filled with a number that is not small enough, such as -10; setting the
        weight to 0 afterwards does not give its share back -> A score may be far below zero itself. What is forbidden
        must stay far below what is allowed. -> Use minus infinity, or a number as far down as -1e9.
    hundred-fill: forbidden scores are filled with a number that is not small enough, such as -100 or -10000 -> A score
        may be far below zero itself. What is forbidden must stay far below what is allowed. -> Use minus infinity, or a
        number as far down as -1e9.
    hundred-fill-zeroed: forbidden scores are filled with a number that is not small enough, such as -100 or -10000;
        where it wins, setting weights to 0 leaves nothing -> A score may be far below zero itself. What is forbidden
        must stay far below what is allowed. -> Use minus infinity, or a number as far down as -1e9.
    far-fill: forbidden scores are filled with a number that is not small enough, such as -50000 or -100000 -> A score
        may be far below zero itself. What is forbidden must stay far below what is allowed. -> Use minus infinity, or a
        number as far down as -1e9.
    far-fill-zeroed: forbidden scores are filled with a number that is not small enough, such as -50000 or -100000;
        where it wins, setting weights to 0 leaves nothing -> A score may be far below zero itself. What is forbidden
        must stay far below what is allowed. -> Use minus infinity, or a number as far down as -1e9.
    million-fill: forbidden scores are filled with -1000000, but an allowed score may be as small -> Scores go down to
        minus a million here, and what is forbidden must stay far below what is allowed. -> Use minus infinity, or a
        number as far down as -1e9.
    million-fill-zeroed: forbidden scores are filled with -1000000; an allowed score may be as small, and setting
        weights to 0 afterwards does not give its share back -> Scores go down to minus a million here, and what is
        forbidden must stay far below what is allowed. -> Use minus infinity, or a number as far down as -1e9.
    minimum-fill: forbidden scores are filled with a number just below the smallest of all scores -> Where the allowed
        scores of a row are near the smallest, what is forbidden keeps a share; and a row's weights then depend on the
        other rows. -> What is forbidden must stay far below: use minus infinity, or a number as far down as -1e9.
    minimum-fill-zeroed: forbidden scores are filled with a number just below the smallest of all scores; setting the
        weight to 0 afterwards does not give its share back -> Where the allowed scores of a row are near the smallest,
        what is forbidden takes a share; and a row's weights then depend on the other rows. -> What is forbidden must
        stay far below: use minus infinity, or a number as far down as -1e9.
    row-minimum-fill: forbidden scores are filled with a number just below the smallest of their row -> The allowed
        scores may be near the smallest, too: then what is forbidden keeps a share. -> What is forbidden must stay far
        below: use minus infinity, or a number as far down as -1e9.
    row-minimum-fill-zeroed: forbidden scores are filled with a number just below the smallest of their row; setting the
        weight to 0 afterwards does not give its share back -> The allowed scores may be near the smallest, too: then
        what is forbidden takes a share. -> What is forbidden must stay far below: use minus infinity, or a number as
        far down as -1e9.
    no-softmax: you return the scores, with minus infinity where they are forbidden -> Weights are not negative, and
        each row sums to 1. -> Take the softmax of what you have.
    plus-infinity: forbidden scores become plus infinity, or NaN -> Infinity minus infinity is NaN, and one NaN spoils
        the whole row. -> A forbidden score has to be as *small* as can be: look at its sign.
    zero-means-masked
    nan-hidden
    mask-inverted-added
    mask-inverted-added-zeroed: a row in which anything is forbidden keeps no weight -> Either you set all rows to 0
        that are not allowed everything (`all` in the place of `any`), or a large negative number goes to what is
        *allowed*, and the rest is set to 0 afterwards. -> A row is empty only if nothing in it is allowed. Where the
        mask is True, leave the scores as they are.
    axis-from-front
    softmax-twice
    no-maximum: the maximum of the row is not taken off before the exponential -> The exponential of 1000 is infinity,
        and infinity divided by infinity is NaN; with -20000 everywhere it is 0/0. -> Take the maximum of the allowed
        scores off each row, or use `softmax`, which does.
    no-maximum-to-zero: the maximum of the row is not taken off before the exponential -> The exponential of 1000 is
        infinity, and infinity divided by infinity is NaN; with -20000 everywhere all powers are 0. -> Take the maximum
        of the allowed scores off each row, or use `softmax`, which does.
    no-maximum-times: the maximum of the row is not taken off before the exponential, and powers are multiplied by the
        mask -> The exponential of 1000 is infinity, and infinity divided by infinity, or times 0, is NaN. -> Forbid
        first; then take the maximum of the allowed scores off each row, or use `softmax`, which does.
    no-maximum-times-to-zero: the maximum of the row is not taken off before the exponential; where powers overflow, no
        weight is left -> The exponential of 1000 is infinity, and infinity divided by infinity, or times 0, is NaN. ->
        Forbid first; then take the maximum of the allowed scores off each row, or use `softmax`, which does.
    no-maximum-times-nan: the maximum of the row is not taken off before the exponential, and powers are multiplied by
        the mask, so that a row with nothing to attend to is 0/0 -> The exponential of 1000 is infinity, and infinity
        divided by infinity, or times 0, is NaN, as is 0/0. -> Forbid first; then take the maximum of the allowed scores
        off each row, or use `softmax`, which does. After that, put the rows right that have nothing to attend to.
    global-maximum: you subtracted one maximum of all scores -> A row that lies far below it underflows: all its powers
        become 0, and no weight is left. -> Subtract from each row its own maximum: `.max(axis=-1, keepdims=True)`.
    global-maximum-nan: you subtracted one maximum of all scores -> A row that lies far below it underflows: all its
        powers become 0, and 0/0 is NaN. -> Subtract from each row its own maximum: `.max(axis=-1, keepdims=True)`.
    whole-matrix
    sum-of-all
    divided-by-mask: you divide the scores by the mask -> Where it is False that is a division by 0: minus infinity for
        a negative score, but plus infinity for a positive one, and then NaN. -> Choose between score and minus infinity
        with `np.where`.
    two-axes-only: you go through the first axis only -> With a batch in front, that takes a whole sequence for one row:
        all its weights together sum to 1. -> Let NumPy do all rows at once: softmax along the last axis.
    allowed-only: you return the weights of the allowed scores alone, as one flat row -> Indexing with a mask forgets
        where the chosen stood, and to which row they belong. -> Keep the shape of the scores: choose with `np.where`.
    mask-ignored: the mask is not used -> Every query attends to everything. -> Change the scores where the mask is
        False, before the softmax.
    columns
    renormalised: you mask after the softmax and divide by what is left, or took the maximum over forbidden keys, too ->
        On paper that is right. But if a forbidden score is far above the others, all allowed weights have been rounded
        to 0 before, and nothing is left to divide. -> Forbid first, then take the softmax.
    maximum-of-all: you took the maximum over forbidden keys, too, or mask after the softmax and divide by what is left
        -> On paper either is right. But if a forbidden score is far above the others, all allowed powers round to 0,
        and 0/0 is NaN. -> Forbid first. The maximum of each row then is that of the allowed scores.
    maximum-of-all-nan: you mask after the softmax and divide by what is left, or took the maximum over forbidden keys,
        too; and a row with nothing to attend to is 0/0 -> If a forbidden score is far above the others, all allowed
        powers round to 0: then that row is 0/0 as well, and 0/0 is NaN. -> Forbid first. The maximum of each row then
        is that of the allowed scores. After that, put the rows right that have nothing to attend to.
    same-shape-only: your function works only if the mask has the same shape as the scores -> A mask may be smaller: a
        single row for all queries, or (batch, 1, n). Indexing with it then fails. -> `np.where` stretches the mask by
        itself, as does `np.broadcast_to(mask, scores.shape)`.
    indexes-rows: you pick rows of the weights with `mask.any(axis=-1)`, which has the shape of the mask -> A mask of
        shape (batch, 1, n) says one thing for all queries; as an index of rows it does not fit. -> Keep the axis
        (`keepdims=True`), and choose with `np.where`: it stretches.
    first-row-of-the-mask: every query gets the first row of the mask -> Each row of a mask (n_queries, n_keys) belongs
        to a query of its own. -> Use the whole mask: NumPy lays it over the scores, row by row.
    empty-by-entry: you look at `mask[i]` to find out whether row i has nothing to attend to, although the mask may have
        fewer rows than the scores -> A mask of shape (n_keys,) is one row for all queries: its entry i says something
        about key i. -> Stretch the mask first, with `np.broadcast_to(mask, scores.shape)`; or look along the last axis:
        `mask.any(axis=-1, keepdims=True)`.
    mask-by-rows: you take `mask[i]` for row i, although the mask may have fewer rows than the scores -> A mask of shape
        (n_keys,) is one row for all queries: its entry i says something about key i. -> Stretch the mask first, with
        `np.broadcast_to(mask, scores.shape)`.
    mask-by-rows-only: you take `mask[i]` for row i, although the mask may have fewer rows than the scores, or only one
        of them for each sequence -> A mask of shape (n_keys,) is one row for all queries: its entry i says something
        about key i. -> Stretch the mask first, with `np.broadcast_to(mask, scores.shape)`.
    mask-by-sentences
    mask-by-sentences-strict: in a batch you take the first axis of the mask for that of the batch, although the mask
        may be one for all -> A mask without a batch axis begins with the queries, (n_queries, n_keys), or is a single
        row, (n_keys,). -> Stretch the mask first, with `np.broadcast_to(mask, scores.shape)`, or let `np.where` do it.
    mask-by-sentences-lifted
    first-mask-only
    first-mask-always
    """,
)
def masked_softmax(scores, mask, wrong=frozenset()):
    """Softmax over what the mask allows, with mistakes as switches.

    Right is: fill, softmax, and set what is forbidden to 0 once more. The mistakes leave out or spoil a step each,
    as people's code does, so that they do together what such code does.
    """
    scores, mask = np.asarray(scores, dtype=float), np.asarray(mask, dtype=bool)
    if "same-shape-only" in wrong and mask.shape != scores.shape:
        raise IndexError("boolean index did not match indexed array")
    if "indexes-rows" in wrong and mask.shape[:-1] != scores.shape[: mask.ndim - 1]:
        raise IndexError("boolean index did not match indexed array")
    given, mask = mask, _met(mask, scores, wrong)
    as_it_came, mask = mask, np.broadcast_to(mask, scores.shape)
    if "infinity-times" in wrong:
        return np.full(scores.shape, np.nan)
    if "infinity-times-zeroed" in wrong:
        return np.where(mask, np.nan, 0.0)
    if "clipped" in wrong:
        powers = np.exp(np.clip(scores, -50, 50)) * mask
        total = powers.sum(axis=-1, keepdims=True)
        return powers / np.where(total == 0, 1.0, total)
    if "nan-hidden" in wrong:
        return np.zeros(scores.shape)
    if "mask-ignored" in wrong:
        return softmax(scores)
    if "no-softmax" in wrong:
        return np.where(mask, scores, -np.inf)
    if "plus-infinity" in wrong:
        return softmax(np.where(mask, scores, np.inf))
    if "softmax-twice" in wrong:
        scores = softmax(scores)
    if wrong & {"mask-inverted-added", "mask-inverted-added-zeroed"}:
        weights = softmax(scores + np.where(mask, -1e9, 0.0))
        return weights if "mask-inverted-added" in wrong else np.where(mask, weights, 0.0)
    if "divided-by-mask" in wrong:
        return softmax(scores / mask)
    if "two-axes-only" in wrong:
        weights = np.zeros(scores.shape)
        for place in np.flatnonzero(mask.any(axis=tuple(range(1, mask.ndim)))):
            weights[place][mask[place]] = softmax(scores[place][mask[place]])
        return weights
    if "allowed-only" in wrong:
        return softmax(scores[mask])
    axis = 0 if "columns" in wrong else 1 if "axis-from-front" in wrong else -1
    fills = WRONG_FILLS | {
        "minimum-fill": scores.min() - 1,
        "row-minimum-fill": scores.min(axis=-1, keepdims=True) - 1,
    }
    fill = next((value for name, value in fills.items() if any(w.startswith(name) for w in wrong)), None)
    swapped = fill is None and any(w.startswith("mask-inverted") for w in wrong)
    kept, shown = ~mask if swapped else mask, mask if "mask-inverted-all-zero" in wrong else ~mask if swapped else mask
    if "zero-means-masked" in wrong:
        kept = kept & (scores != 0)
    final = not wrong & {
        *WRONG_FILLS,
        "zero-fill-empty-zero",
        "mask-inverted-nan",
        "mask-inverted-uniform",
        "maximum-of-all-nan",
        "no-maximum-times-nan",
        *EMPTY_ROWS,
    }
    if "mask-after" in wrong:
        filled, final = scores, True
    elif fill is not None:
        filled = np.where(kept, scores, fill)
    elif wrong & {
        "empty-nan",
        "mask-inverted-nan",
        "no-maximum",
        "no-maximum-to-zero",
        "renormalised",
        "maximum-of-all",
        "maximum-of-all-nan",
    }:
        filled = np.where(kept, scores, -np.inf)
    elif "empty-unmasked" in wrong:
        filled = scores + np.where(kept, 0.0, -1e9)
    else:
        filled = np.where(kept, scores, -1e9)
    every = None if wrong & {"whole-matrix", "global-maximum", "global-maximum-nan"} else axis
    of_all = wrong & {"maximum-of-all", "maximum-of-all-nan", "renormalised"}
    top = (scores if of_all else filled).max(axis=every, keepdims=True)
    times = wrong & {"no-maximum-times", "no-maximum-times-nan", "no-maximum-times-to-zero"}
    unshifted = times or wrong & {"no-maximum", "no-maximum-to-zero"}
    powers = np.exp(scores) * kept if times else np.exp(filled if unshifted else filled - top)
    total = powers.sum(axis=None if wrong & {"whole-matrix", "sum-of-all"} else axis, keepdims=True)
    guarded = wrong & {"renormalised", "no-maximum-to-zero", "no-maximum-times-to-zero", "global-maximum"}
    if "no-maximum-times-to-zero" in wrong:
        return np.where(total > 0, powers / np.where(total > 0, total, 1.0), 0.0)
    weights = powers / (np.where(total == 0, 1.0, total) if guarded else total)
    if "empty-by-columns" in wrong:
        return softmax(np.where(mask, scores, -1e9)) * as_it_came.any(axis=0)
    if "empty-by-entry" in wrong:
        for i in range(len(weights)):
            if not given[i].any():
                weights[i] = 0
        return weights
    if "zero-fill-empty-zero" in wrong:
        return np.where(mask.any(axis=-1, keepdims=True), weights, 0.0)
    return np.where(shown, weights, 0.0) if final else weights
