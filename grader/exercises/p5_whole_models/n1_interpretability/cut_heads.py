import numpy as np

import attnlib
from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n5_multi_head.merge_heads import merge_heads
from grader.exercises.p3_multi_head.n5_multi_head.split_heads import split_heads
from grader.exercises.stages import divisor, number, slip, weigh_masked


def layer(rng, n, num_heads, d_k, keep, *, mask="", draw=matrix, dtype=float):
    """A layer of several heads, and which of them stay."""
    d_model = num_heads * d_k
    size = 1.0 if draw is tenths else 1.5 / np.sqrt(d_model)
    made = {"X": draw(rng, n, d_model)} | {f"W_{name}": size * draw(rng, d_model, d_model) for name in "qkvo"}
    made = {name: value.astype(dtype) for name, value in made.items()}
    made |= {"num_heads": num_heads, "keep": np.array(keep)}
    if mask == "causal":
        made["mask"] = np.tri(n, dtype=bool)
    if mask == "some":
        while True:
            drawn = rng.random((n, n)) < 0.6
            # Each key may be seen by somebody, or a softmax down the columns breaks there by chance.
            if drawn.any(axis=1).all() and drawn.any(axis=0).all() and not drawn.all(axis=1).any():
                break
        made["mask"] = drawn
    return made


def layers(*shape, **how):
    return lambda rng: layer(rng, *shape, **how)


def _called(call, inputs):
    arguments = [value for name, value in inputs.items() if name != "mask"]
    return call(*arguments, **({"mask": inputs["mask"]} if "mask" in inputs else {}))


def heads_add_up(call, rng):
    inputs = layer(rng, 5, 3, 2, [True] * 3, mask="causal")
    each = [_called(call, inputs | {"keep": np.arange(3) == head}) for head in range(3)]
    whole = _called(call, inputs)
    gap = np.abs(sum(each) - whole).max()
    if gap < 1e-3 * (1 + np.abs(whole).max()):
        return None
    return f"what the heads say one by one, added up, differs by {gap:.3g} from what they say together"


def nothing_is_left(call, rng):
    found = np.abs(_called(call, layer(rng, 5, 3, 2, [False] * 3))).max()
    return None if found < 1e-6 else f"with all heads cut, a number of the result is {found:.3g}"


TELLING = (
    "keep-inverted", "keep-ignored", "columns-of-W_o", "scores-zeroed", "rescaled", "mean-ablation", "one-head",
    "first-cut-only", "last-cut-only", "no-W_o", "residual-added", "strided", "input-cut", "neighbours-instead",
    "reshape-split", "reshape-merge", "no-scale", "packed", "weights-zeroed-late", "last-kept-only",
    "rows-of-W_v", "softmax-over-queries", "values-not-split", "W_o-twice", "no-softmax", "attended-twice",
    "twice-for-cut",
)  # fmt: skip
#: Where no mask is given and one head between two others is cut, these cannot show.
LATER = {"first-cut-only", "last-cut-only", "weights-zeroed-late"}
OF_SMALL = tuple(name for name in TELLING if name not in LATER)


#: What a mask brings to light.
OF_MASKS = (
    "mask-ignored",
    "mask-inverted",
    "mask-taken-off",
    "weights-zeroed-late",
    "zero-fill",
    "mask-added",
)

#: The columns of what is merged, d for each head, that a slip cuts instead of those of head h; or rows of `W_o`.
SLICES = {
    "slices-from-h": lambda h, d: slice(h, h + d),
    "all-up-to-it": lambda h, d: slice((h + 1) * d),
    "all-from-it-on": lambda h, d: slice(h * d, None),
    "one-head-before": lambda h, d: slice((h - 1) * d, h * d),
    "one-head-further": lambda h, d: slice((h + 1) * d, (h + 2) * d),
    "one-column-more": lambda h, d: slice(h * d, (h + 1) * d + 1),
    "one-column-less": lambda h, d: slice(h * d, (h + 1) * d - 1),
}

#: Rows of `W_o` that a head h of `heads` heads meets instead of its own d.
ROWS = {
    "rows-dealt-out": lambda h, d, heads: slice(h, None, heads),
    "first-rows": lambda h, d, heads: slice(d),
    "rows-from-h": lambda h, d, heads: slice(h, h + d),
}


@function(
    points=3,
    returns="context",
    keywords=("mask",),
    budget=4_000,
    cases=(
        Case("two tokens, three heads, the middle one cut", layers(2, 3, 2, [True, False, True], draw=tenths), 0.15,
             telling=OF_SMALL),
        Case("seven tokens, five heads, three cut", layers(7, 5, 3, [False, True, False, True, False]), 0.1,
             telling=tuple(name for name in TELLING if name != "weights-zeroed-late")),
        Case("with a causal mask", layers(5, 3, 2, [False, True, False], mask="causal"), 0.2,
             telling=(*OF_MASKS, "mask-not-subtracted", "mask-only-subtracted")),
        Case("with another mask", layers(5, 3, 2, [False, True, True], mask="some"), 0.15,
             telling=(*OF_MASKS, "causal-where-masked")),
        Case("as many heads as tokens, with a causal mask", layers(3, 3, 3, [True, True, False], mask="causal"), 0.05,
             telling=OF_MASKS),
        Case("no head cut, with a causal mask", layers(3, 2, 5, [True, True], mask="causal"), 0.05, telling=OF_MASKS),
        Case("single precision, with a causal mask",
             layers(5, 2, 3, [False, True], mask="causal", dtype=np.float32), 0.05, telling=OF_MASKS),
        Case(
            "the example of the task",
            example(**{name: np.eye(2) for name in ("X", "W_q", "W_k", "W_v", "W_o")}, num_heads=2,
                    keep=np.array([True, False])),
            0.05,
        ),
    ),
    properties=(
        Property("what heads say one by one adds up to what they say together", heads_add_up, 0.05),
        Property("with all heads cut nothing is left", nothing_is_left, 0.05),
    ),
    mistakes="""
    keep-as-places: you take the entries of `keep` for places: True is 1, False is 0 -> Then only heads 0 and 1 are ever
        kept. -> `keep` has an entry for each head: choose with it, or multiply by it.
    cut-by-flags: you take the entries of `keep` for places, and cut heads 0 and 1 -> True is 1 there, and False 0: they
        say whether, not which. -> Choose by `~keep`; or loop over the places, `for h in range(num_heads)`, and ask
        `keep[h]`.
    by-sqrt-heads: you divide by the square root of the number of heads -> Each head's dot product runs over d_k
        products. -> Take d_k from the heads, after the split.
    input-passed-on: a head that is cut hands its columns of X on -> It is to say nothing; the residual path, outside
        of this function, brings X along. -> Zeros for its contexts.
    slices-of-input: each head gets its own columns of X only -> Every head reads the whole of X: what is split is
        X @ W_q, and so on. -> Project first, then split the columns of what comes out.
    keep-inverted: you cut the heads that are to be kept -> `keep` is True for a head that stays. -> Exchange the two.
    keep-ignored: no single head is cut: your result is that of the whole layer -> There `keep` has no effect. An entry
        of an array, for one, is never `is False`; `for head in keep` runs over its values, not over places; and one
        number added to all scores of a head changes nothing in a softmax. -> Make
        the contexts of all heads where it is False zeros: `not keep[head]`, or multiply by `keep[:, None, None]`.
    nothing-kept: every head is cut, also those that stay: nothing is left but zeros -> Perhaps a condition never holds:
        an entry of an array is never `is True`. Or an array of zeros was never filled. -> Keep the heads where it is
        True: `if keep[head]`, or multiply by `keep[:, None, None]`.
    all-cut-for-one: where one head is to be cut, all are: nothing is left but zeros -> A question like `keep.all()` is
        about all heads at once, and `context[:]` is all of them. -> Ask each head: `if not keep[head]`, and cut
        `context[head]`.
    first-cut-only: of several heads that are to be cut, only the first one is -> `argmin` and `index` find one place,
        and a `return` in the loop ends it. -> Multiply all heads by `keep`, or loop over all of them.
    one-always-cut: a single head is cut, always: the first with the smallest entry of `keep` -> `argmin` finds one
        place, also where nothing or more than one is to be cut. -> Multiply all heads by `keep`, or loop over all.
    one-always-kept: of the heads that are to stay, only the first one does -> A `return` inside a loop ends it in its
        first round; `argmax` and `index` find one place, also where several stay. -> Multiply all heads by
        `keep`, or loop over all.
    rounds-by-kept: your loop has as many rounds as there are heads that stay: heads behind these are lost -> How many
        stay says nothing of their places. -> A round for each head, `range(num_heads)`, and in it ask `keep[head]`.
    cuts-by-kept: your loop has as many rounds as there are heads that stay: heads behind these are never cut -> How
        many stay says nothing of their places. -> A round for each head, `range(num_heads)`, and in it ask
        `keep[head]`.
    no-head-left: with all heads cut, your function ends with an error -> Whoever takes out the heads that are cut has
        none left then: there is nothing to join, and nothing can be split into no heads. -> In that case the result is
        zeros: ask `keep.any()` first.
    two-heads-only: only heads 0 and 1 are ever cut -> The toy has two; other layers have more. -> `range(num_heads)`.
    last-cut-only: of several heads that are to be cut, only the last one is -> In the loop each cut begins with the
        whole layer again. -> Cut one head after the other in the same array.
    last-head-only: only the last head is ever cut: all others stay, whatever `keep` says -> A copy that is made
        *inside* the loop begins with the whole layer in each round; what the rounds before had cut is lost. -> Make the
        copy once, before the loop.
    first-never-cut: the first head is never cut -> Heads are counted from 0. -> `range(num_heads)` begins with 0.
    last-never-cut: the last head is never cut -> The end of a `range` is not included. -> `range(num_heads)`
        goes to the last.
    one-column: of each head that is to be cut, you cut one column, or one row of `W_o` -> A head owns d_v of them in
        what is merged: from `h * d_v` to `(h + 1) * d_v`. -> Cut its whole slice, or its context before it is merged.
    slices-of-num_heads: of each head that is to be cut, you cut as many columns as there are heads -> A head owns d_v
        columns in what is merged: from `h * d_v` to `(h + 1) * d_v`. -> d_v is d_model divided by the number of heads.
    slices-from-h: your slices begin at h, not at h · d_v -> A head owns d_v columns in what is merged, or rows of
        `W_o`; those of the heads before it come first. -> From `h * d_v` to `(h + 1) * d_v`.
    all-up-to-it: of what is merged you cut everything from the start to the end of the head -> The heads before it are
        cut as well. -> From `h * d_v` to `(h + 1) * d_v`.
    all-from-it-on: of what is merged everything from the first cut head on is gone -> The heads behind it are lost as
        well: a slice that has no end takes them, and so does a loop that ends at the first cut head (`break` in the
        place of `continue`). -> From `h * d_v` to `(h + 1) * d_v`, for each cut head by itself.
    mask-not-subtracted: the mask is missing in what you take off -> The whole layer heard by the mask, and so did the
        heads in it that you take off again. -> The same mask for both.
    mask-only-subtracted: the mask is missing in the whole layer, from which you take the heads off -> What you take off
        heard by the mask; in the whole layer they did not. -> The same mask for both.
    taken-off-before-W_o: what you take off the result has not gone through `W_o` -> What a head adds to the result are
        its columns times its rows of `W_o`. -> Cut its context before `W_o`, or take off what comes out behind it.
    whole-for-each: you add the whole layer once for each head that stays -> Then all speak, the cut ones as well, and
        several times. -> In the loop a head's own part: its columns times its rows of `W_o`.
    rows-dealt-out: the rows of `W_o` are dealt out to the heads one by one, like cards -> The heads lie side by side:
        head 0 owns the first d_v rows, in one piece. -> `W_o[h * d_v : (h + 1) * d_v]`.
    first-rows: every head meets the first rows of `W_o` -> Each has d_v rows of its own. -> From `h * d_v` to
        `(h + 1) * d_v`.
    rows-from-h: the slices of `W_o` move on by one row from head to head -> Each head has d_v rows of its own. -> From
        `h * d_v` to `(h + 1) * d_v`.
    no-softmax: the softmax is missing: scores stand before the values -> Weights are positive, and each row of them
        sums to 1. -> A softmax along the last axis of the scores, behind the mask.
    no-softmax-1e9: the softmax is missing: scores stand before the values -> Weights are positive, and each row of them
        sums to 1. -> A softmax along the last axis of the scores, behind the mask.
    nothing-allowed: where no mask is given, no token may look at any -> True means that a query may attend to a key; a
        mask of zeros forbids all. -> Hand on the `mask` as it is, None as well; or make one of ones.
    attended-twice: what comes out of the layer stands where the values should, and is attended to again -> Behind `W_o`
        all heads are mixed, and have looked already. -> The values are `X @ W_v`, split into heads; weights times
        these are the contexts.
    twice-for-cut: what a head that is to be cut says is in your result twice -> Whoever begins with the whole layer has
        to take it off, not to add it. -> `-` for `+`; or add up the heads that stay.
    contexts-filled=: the contexts of a head that is cut are filled with one number -> To say nothing is to add zeros.
        A very large negative number silences scores, before a softmax; in a context it is loud. -> Zeros.
    weights-filled=: the weights of a head that is cut are filled with one number -> To say nothing is to add zeros. A
        very large negative number silences scores, before a softmax; behind it, it is a loud weight. -> Zeros.
    softmax-again: a softmax is taken once more behind the cut, of weights that are set to 0 -> Of zeros it makes equal
        shares, and of the other weights flatter ones. -> Nothing after the cut but the values.
    identity-for-weights: a cut head lets each token hear itself -> To cut a head is to take away what it adds. -> Its
        context is zeros.
    one-head-before: you cut the head before the one that is to be cut -> Heads are counted from 0. -> From `h * d_v` to
        `(h + 1) * d_v`.
    one-head-further: you cut the head behind the one that is to be cut -> Heads are counted from 0. -> From `h * d_v`
        to `(h + 1) * d_v`.
    one-column-more: you cut a column more than the head has, or a row of `W_o` -> The end of a slice is not included
        already, so `(h + 1) * d_v` is right: that is the first of the next head. -> From `h * d_v` to `(h + 1) * d_v`.
    one-column-less: of each head that is to be cut, the last column stays, or the last row of `W_o` -> The end of a
        slice is not included. -> From `h * d_v` to `(h + 1) * d_v`.
    slices-of-tokens: of each head that is to be cut, you cut slices as wide as tokens divided by heads -> `len(X)` is
        the number of tokens. -> d_v is d_model divided by the number of heads: `X.shape[1] // num_heads`.
    token-for-head: for each head that is to be cut, what all heads say to one token is cut -> In (num_heads, n, d_v)
        the first axis is that of the heads, the second that of the tokens. -> `context[head]`, not `context[:, head]`.
    halves: you cut halves, as if there were two heads -> The toy has two; other layers have more. -> d_v is d_model
        divided by `num_heads`, and so many heads there are to loop over.
    rows-of-tokens: you cut rows of what is merged -> Its rows are the tokens; a head owns columns. -> Cut
        `[:, h * d_v : (h + 1) * d_v]`.
    causal-where-masked: where a mask is given you take a causal one, whatever stands in it -> A mask may forbid other
        places than the future. -> Hand on the `mask` that is given.
    causal-without-mask: where no mask is given you take a causal one -> Without a mask every token may look at every
        other. -> Hand on the `mask` as it is, None as well.
    always-causal: there is always a causal mask, whatever `mask` says -> Without a mask every token may look at every
        other. -> Hand on the `mask` that is given.
    keep-for-mask: you hand `keep` on as the mask -> A mask says which *keys* a query may hear, in all heads alike. And
        a head to which all keys are forbidden is not silent: it has nothing to sum to 1. -> The mask as it is; cut
        behind the softmax, or in `W_v` or `W_o`.
    keep-in-the-mask: you put `keep` into the mask, as one that forbids all keys to a head -> A mask says which *keys* a
        query may hear, in all heads alike. And a head to which all keys are forbidden is not silent: it has nothing to
        sum to 1. -> The mask as it is; cut behind the softmax, or in `W_v` or `W_o`.
    rows-of-W_v: you cut rows of `W_v` -> All heads read all rows of it; a head owns *columns* of `W_v`. A square matrix
        does not complain. -> Cut the head's columns there, or its context before `W_o`.
    columns-of-W_o: you cut columns of `W_o`, or of the result -> All heads write into all columns; a head owns *rows*
        of `W_o`. A square matrix does not complain. -> Cut the head's rows, or its context before `W_o`.
    scores-zeroed: a head that is cut says the plain mean of its values -> One and the same score for all keys, be it 0
        (also by queries or keys of zeros) or -1e9, becomes equal weights in the softmax: the head goes on talking. ->
        Cut behind the softmax, where 0 means nothing.
    zeroed-behind-the-mask: a head that is cut says the plain mean of all values, also of those that the mask forbids
        -> One and the same score for all keys, forbidden or not, be it 0 or -1e9, becomes equal weights in the softmax:
        the head goes on talking, and hears more than it may. -> Cut behind the softmax, where 0 means nothing.
    scores-forbidden: what a head that is cut says is no number, but NaN -> With all its scores forbidden before the
        softmax there is nothing to attend to: 0/0; and so it is if zeros are divided by their sum once more. Minus
        infinity is no silence behind the softmax. -> Cut behind the softmax, with zeros, and leave them as they are.
    divided-by-kept: what is said is divided by how many heads stay -> The heads of a layer are added up, by `W_o`, and
        not averaged. -> Leave the others as they are.
    rescaled: the heads that stay are made larger, to make up for those that are cut -> So does dropout in training.
        Here the question is what is missing without them. -> Leave the others as they are.
    mean-ablation: a head that is cut says the mean of its contexts over the tokens -> That is another way to cut, and a
        good one; here the head is to say nothing. -> Zeros.
    last-kept-only: of the heads that stay only the last one speaks -> In the loop each head replaces the one before. ->
        Add what each says to what is there already.
    number-for-nothing: where all heads are cut you return a single number -> A sum that begins with 0 and adds no head
        is still that 0. -> Begin with zeros of the shape of the result.
    left-out: you leave the heads out that are cut, and what is merged has fewer columns than `W_o` has rows -> A head
        that says nothing still has its place. -> Put zeros there, or leave out the same rows of `W_o`.
    packed: you leave the heads out, and the others move up in front of `W_o` -> Then a head meets the rows of another
        one. -> Put zeros where a head has been cut, so that each of the others stays in its place.
    input-cut: you cut what the heads read: columns of X, or the same rows of `W_q`, `W_k` and `W_v` -> All heads read
        all columns of X. -> Cut the head's own part: its values or its context.
    neighbours-instead: what you cut lies apart, in steps of so many as there are heads, and is not the head's -> A head
        owns one slice of neighbouring columns, or of rows of `W_o`. -> `np.repeat`, not `np.tile`; on contexts
        (num_heads, n, d_v), `keep[:, None, None]`.
    residual-added: the input is added to your result -> That will come, but outside of this function. -> Return only
        what the heads say.
    mask-ignored: the mask has no effect -> Then the future is heard. -> Hand `mask` on.
    mask-taken-off: you take a large number off where the mask is True -> True means that a query may attend to a key,
        here; elsewhere it may mean the opposite. -> Off where it is False: `np.where(mask, scores, -np.inf)`.
    mask-inverted: the mask is turned round -> True means that a query may attend to a key. -> Use it as it is.
    weights-transposed: your weights are transposed -> A row holds the weights of one query: it stands in front of the
        values. -> `weights @ values`.
    zero-fill
    mask-added
    softmax-over-queries: your weights sum to 1 down the columns -> Then the queries share out each key; but each query
        shares its weight among the keys. -> The softmax runs along the last axis.
    values-not-split: each head hears all columns of the values -> A head owns d_v columns of `X @ W_v`, and d_v rows of
        `W_o`. -> Split the values like the queries and the keys.
    W_o-twice: what has come out of `W_o` is cut, and multiplied by `W_o` again -> Behind `W_o` the heads are mixed, and
        no column belongs to one of them. -> Cut the contexts *before* `W_o`; then `W_o`, once.
    weights-zeroed-late: the mask is applied after the softmax -> Then rows no longer sum to 1. -> Forbid before the
        softmax.
    no-W_o: `W_o` is forgotten -> The heads lie side by side and have not met. -> Multiply the merged heads by `W_o`.
    one-head: there is one large head instead of several -> Then there is nothing to cut but all. -> Split Q, K and V
        into `num_heads` before the scores.
    strided: the columns are dealt out to the heads one by one, like cards -> The first d_k columns belong to head 0, in
        one piece. -> Use your `split_heads`.
    reshape-split: the heads are split by a reshape without a transpose -> Each head then holds the numbers of a few
        tokens. -> Use your `split_heads`.
    values-reshaped: the values are split by a reshape without a transpose -> Each head then hears the numbers of a few
        tokens, by weights that belong to others. -> Use your `split_heads`.
    reshape-merge: the heads are merged by a reshape without transposing back -> A row then holds pieces of several
        tokens. -> Use your `merge_heads`.
    no-scale: the scores are not scaled -> Dot products of d_k numbers grow with the root of d_k. -> Divide by the root
        of d_k, or use your `multi_head_attention`.
    by-d_k
    times-sqrt-d_k
    by-sqrt-keys
    by-sqrt-d_model: you divide by the square root of d_model instead of d_k -> Each head's dot product runs over d_k
        products only. -> Take d_k from the heads, after the split.
    cut-after-reshape: the heads are merged by a reshape without transposing back, and then columns are cut -> A row
        then holds pieces of several tokens, and what you cut is no head. -> Use your `merge_heads`.
    tokens-cut: `keep` falls on the tokens, not on the heads -> In (num_heads, n, d_v) it has to stand on the first
        axis. -> Give it two more axes: `keep[:, None, None]`.
    """,
)  # fmt: skip
def cut_heads(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None, wrong=frozenset()):
    """Multi-head self-attention without some heads, with mistakes as switches."""
    X, W_q, W_k, W_v, W_o = (np.asarray(one, dtype=float) for one in (X, W_q, W_k, W_v, W_o))
    keep = np.asarray(keep, dtype=bool)
    source, stay = X, keep.sum()
    if "keep-as-places" in wrong:
        keep = np.isin(np.arange(num_heads), keep.astype(int))
    if "cut-by-flags" in wrong:
        keep = ~np.isin(np.arange(num_heads), keep.astype(int))
    if "keep-inverted" in wrong:
        keep = ~keep
    if "keep-ignored" in wrong:
        keep = np.ones_like(keep)
    if wrong & {"keep-for-mask", "keep-in-the-mask"}:
        column = keep[:, None, None]
        of_heads = keep if "keep-for-mask" in wrong else column if mask is None else mask & column
        return attnlib.multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, of_heads)[0]
    cut = np.flatnonzero(~keep)
    if len(cut) > 1 and "first-cut-only" in wrong:
        keep = np.arange(num_heads) != cut[0]
    if len(cut) > 1 and "last-cut-only" in wrong:
        keep = np.arange(num_heads) != cut[-1]
    if "one-always-cut" in wrong:
        keep = np.arange(num_heads) != keep.argmin()
    if "one-always-kept" in wrong:
        keep = np.arange(num_heads) == keep.argmax()
    if "last-never-cut" in wrong:
        keep = keep | (np.arange(num_heads) == num_heads - 1)
    if "last-head-only" in wrong:
        keep = keep | (np.arange(num_heads) < num_heads - 1)
    if "first-never-cut" in wrong:
        keep = keep | (np.arange(num_heads) == 0)
    if "rounds-by-kept" in wrong:
        keep = keep & (np.arange(num_heads) < stay)
    if "cuts-by-kept" in wrong:
        keep = keep | (np.arange(num_heads) >= stay)
    if "no-head-left" in wrong and not keep.any():
        raise ValueError("num_heads must be at least 1; got 0")
    if "two-heads-only" in wrong:
        keep = keep | (np.arange(num_heads) > 1)
    if "all-cut-for-one" in wrong and not keep.all():
        keep = np.zeros_like(keep)
    if "nothing-kept" in wrong:
        keep = np.zeros_like(keep)
    if wrong & {"always-causal", "causal-without-mask" if mask is None else "causal-where-masked"}:
        mask = np.tri(len(X), dtype=bool)
    columns = np.repeat(keep, X.shape[1] // num_heads)
    if "input-cut" in wrong:
        X = X * columns
    if "slices-of-input" in wrong:  # as if all matrices were made of one block for each head
        width = X.shape[1] // num_heads
        blocks = np.kron(np.eye(num_heads), np.ones((width, width)))
        W_q, W_k, W_v = W_q * blocks, W_k * blocks, W_v * blocks
    split = frozenset(wrong & {"reshape-split", "strided"})
    heads = 1 if "one-head" in wrong else num_heads
    Q, K, V = (split_heads(X @ W, heads, split) for W in (W_q, W_k, W_v))
    if "values-reshaped" in wrong:
        V = (X @ W_v).reshape(V.shape)
    if "rows-of-W_v" in wrong:
        V = split_heads((X * columns) @ W_v, heads, split)
    scores = Q @ K.mT / divisor(Q, K, V, wrong, d_model=X.shape[-1])
    if "by-sqrt-heads" in wrong:
        scores = Q @ K.mT / np.sqrt(num_heads)
    if "number-for-nothing" in wrong and not keep.any():
        return 0.0
    if "last-kept-only" in wrong:
        keep = np.arange(num_heads) == np.flatnonzero(keep).max(initial=-1)
    alive = np.ones(heads, dtype=bool) if "one-head" in wrong else keep
    if "scores-zeroed" in wrong:
        scores = scores * alive[:, None, None]
    if "mask-taken-off" in wrong and mask is not None:
        scores, mask = scores - 1e9 * np.asarray(mask), None
    rules = frozenset(wrong & {"mask-ignored", "mask-inverted"})
    if "weights-zeroed-late" in wrong:
        rules = frozenset({"mask-after"})
    rules |= wrong & {"zero-fill", "mask-added"}
    weights = weigh_masked(scores, None if mask is None else np.asarray(mask), rules)
    if low := slip(wrong, {"no-softmax": -np.inf, "no-softmax-1e9": -1e9}, None):
        weights = scores if mask is None else np.where(mask, scores, low)
    if "nothing-allowed" in wrong and mask is None:
        weights = np.zeros_like(weights)
    if "mask-inverted" in wrong and mask is not None:
        weights = weights * ~np.asarray(mask).all(axis=-1)[:, None]  # whoever is left with nothing gets zeros
    if "softmax-over-queries" in wrong:
        weights = weigh_masked(scores, None if mask is None else np.asarray(mask), rules, axis=-2)
    if "weights-transposed" in wrong:
        weights = weights.mT
    if "zeroed-behind-the-mask" in wrong:
        weights = np.where(alive[:, None, None], weights, 1 / len(X))
    if "softmax-again" in wrong:
        weights = weigh_masked(weights * alive[:, None, None], None, frozenset())
    if "identity-for-weights" in wrong:
        weights = np.where(alive[:, None, None], weights, np.eye(len(X)))
    if "mask-only-subtracted" in wrong:
        plain = weigh_masked(scores, None, frozenset())
        weights = np.where(alive[:, None, None], plain, plain - weights)
    if "mask-not-subtracted" in wrong:
        weights = np.where(alive[:, None, None], weights, weights - weigh_masked(scores, None, frozenset()))
    if "scores-forbidden" in wrong:
        nothing = np.zeros(1)
        weights = np.where(alive[:, None, None], weights, nothing / nothing)
    if "attended-twice" in wrong:
        V = split_heads(merge_heads(weights @ V) @ W_o, heads)
    context = weights @ V
    if "values-not-split" in wrong:
        return sum((kept * heard @ (X @ W_v) @ W_o for kept, heard in zip(keep, weights, strict=True)), 0.0 * X)
    if "W_o-twice" in wrong:
        return merge_heads(context) @ W_o * columns @ W_o
    if "whole-for-each" in wrong:
        return stay * (merge_heads(context) @ W_o)
    if "taken-off-before-W_o" in wrong:
        return merge_heads(context) @ W_o - merge_heads(context * ~keep[:, None, None])
    if "token-for-head" in wrong:
        context[:, np.flatnonzero(~keep)] = 0  # an error, where there is no such token
    elif "tokens-cut" in wrong:
        context = context * keep[:, None]
    elif "input-passed-on" in wrong:
        context = np.where(alive[:, None, None], context, split_heads(source, heads))
    elif "twice-for-cut" in wrong:
        context = np.where(alive[:, None, None], context, 2 * context)
    elif (fill := number(wrong, "contexts-filled", -1e9)) is not None:
        context = np.where(alive[:, None, None], context, fill)
    elif (fill := number(wrong, "weights-filled", -1e9)) is not None:
        context = np.where(alive[:, None, None], context, fill * V.sum(axis=1, keepdims=True))
    elif "mean-ablation" in wrong:
        context = np.where(alive[:, None, None], context, context.mean(axis=1, keepdims=True))
    elif not wrong & {"columns-of-W_o", "scores-zeroed", "scores-forbidden", "neighbours-instead", "one-head",
                      "input-cut", "rows-of-W_v", "one-column", "rows-of-tokens", "slices-of-num_heads",
                      "zeroed-behind-the-mask", "halves", "cut-after-reshape", "softmax-again", "identity-for-weights",
                      "mask-not-subtracted", "mask-only-subtracted", "slices-of-tokens", *SLICES}:  # fmt: skip
        context = context * keep[:, None, None]
    if "divided-by-kept" in wrong:
        context = context / max(keep.sum(), 1)
    if "rescaled" in wrong:
        context = context * num_heads / max(keep.sum(), 1)
    if "left-out" in wrong:
        return merge_heads(context[keep]) @ W_o
    if "packed" in wrong and keep.any():
        merged = merge_heads(context[keep])
        return merged @ W_o[: merged.shape[1]]
    by_reshape = wrong & {"reshape-merge", "cut-after-reshape"}
    merged = merge_heads(context, frozenset({"reshape-merge"} if by_reshape else ()))
    if wrong & {"one-head", "cut-after-reshape"}:
        merged = merged * columns
    if "neighbours-instead" in wrong:
        merged = merged * np.tile(keep, merged.shape[1] // num_heads)
    if "one-column" in wrong:
        merged = merged * ~np.isin(np.arange(merged.shape[1]), np.flatnonzero(~keep))
    if "slices-of-num_heads" in wrong:
        merged = merged * ~np.isin(np.arange(merged.shape[1]) // num_heads, np.flatnonzero(~keep))
    if "halves" in wrong:
        half = np.arange(merged.shape[1]) // (merged.shape[1] // 2)
        merged = merged * ~np.isin(half, np.flatnonzero(~keep[:2]))
    for name in SLICES.keys() & wrong:
        for head in np.flatnonzero(~keep):
            merged[:, SLICES[name](head, merged.shape[1] // num_heads)] = 0
    if "slices-of-tokens" in wrong:
        d = len(merged) // num_heads
        for head in np.flatnonzero(~keep):
            merged[:, head * d : (head + 1) * d] = 0
    if "rows-of-tokens" in wrong:
        whose = np.arange(len(merged)) // (merged.shape[1] // num_heads)
        merged = merged * ~np.isin(whose, np.flatnonzero(~keep))[:, None]
    for name in ROWS.keys() & wrong:
        own = np.split(merged, num_heads, axis=1)
        return sum(one @ W_o[ROWS[name](head, one.shape[1], num_heads)] for head, one in enumerate(own))
    if "no-W_o" in wrong:
        return merged
    if "columns-of-W_o" in wrong:
        W_o = W_o * columns
    said = merged @ W_o
    return source + said if "residual-added" in wrong else said
