import numpy as np

from attnlib import softmax
from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p5_whole_models.n1_interpretability.shared import small_weights, weights_of
from grader.exercises.properties import rows_sum_to_one
from grader.exercises.stages import number, slip


def layers(*shape, dtype=float):
    return lambda rng: {"weights": weights_of(rng, *shape, dtype=dtype)}


#: The two layers by hand, one head each.
BY_HAND = np.array(
    [
        [[[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.6, 0.2]]],
        [[[1.0, 0.0, 0.0], [0.9, 0.1, 0.0], [0.1, 0.8, 0.1]]],
    ]
)


def to_themselves(call, rng):
    weights = np.broadcast_to(np.eye(5), (3, 2, 5, 5)).copy()
    gap = np.abs(call(weights) - np.eye(5)).max()
    if gap < 1e-6:
        return None
    return f"in each of 3 layers each token attends to itself alone, and still an entry is off by {gap:.3g}"


def layer_by_layer(call, rng):
    weights = weights_of(rng, 3, 2, 5, 5)
    gap = np.abs(call(weights[1:]) @ call(weights[:1]) - call(weights)).max()
    if gap < 1e-6:
        return None
    return f"that of layers 1 and 2, times that of layer 0, differs from that of all three by {gap:.3g}"


TELLING = (
    "no-identity", "not-halved", "order-turned", "heads-summed", "heads-summed-normalised", "largest-head",
    "largest-head-normalised", "smallest-head", "smallest-head-normalised", "heads-rolled-apart", "first-head-only",
    "last-head-only", "first-layer-only", "last-layer-only", "columns-normalised", "layers-averaged", "layers-summed",
    "entry-by-entry", "identity-once", "identity-after-product", "axes-exchanged", "weights-transposed", "first-twice",
    "first-without-residual", "one-for-identity", "last-without-residual", "half-without-identity", "keys-with-keys",
    "first-of-several-lost", "identity-in-full-after-full-product", "read-while-written", "softmax-again",
    "mean-of-everything", "brackets-missing-in-full", "brackets-missing-half-before", "diagonal-replaced-alone",
    "diagonal-of-ones", "begins-with-zeros", "twice-the-weights", "twice-the-identity", "last-twice", "last-way-only",
    "added-to-itself", "with-itself", "entry-by-entry-from-identity", "heads-by-layers", "heads-by-tokens",
    "heads-sum-goes-on", "softmax-of-sum", "sum-goes-on", "sum-goes-on-beside",
)  # fmt: skip


@function(
    points=3,
    returns="rolled",
    budget=4_000,
    cases=(
        Case("two layers of three heads, four tokens", lambda rng: {"weights": small_weights(rng, 2, 3, 4, 4)}, 0.2,
             telling=TELLING),
        Case("three layers of two heads, five tokens", layers(3, 2, 5, 5), 0.15, telling=TELLING),
        Case("five layers of three heads, seven tokens", layers(5, 3, 7, 7), 0.15),
        Case("one layer of five heads", layers(1, 5, 3, 3), 0.1),
        Case("single precision", layers(3, 2, 5, 5, dtype=np.float32), 0.05),
        Case("the example of the task", example(weights=BY_HAND), 0.05),
    ),
    properties=(
        Property("each row sums to 1", rows_sum_to_one(
            layers(3, 2, 5, 5), "row {row} sums to {total} (rows are counted from 0)"), 0.05),
        Property("whoever attends to itself alone has nothing but itself", to_themselves, 0.05),
        Property("later layers stand on the left of earlier ones", layer_by_layer, 0.1),
    ),
    mistakes="""
    no-identity: the identity is missing -> In a layer the token itself comes along on the residual path; without it
        rollout loses the token in two or three layers. -> Take half of the mean weights and half of the identity.
    half-without-identity: you take half of the weights, and no identity -> Then each row sums to a half after one
        layer, and to ever less; the other half is the token itself, on the residual path. -> Half of the weights, half
        of the identity.
    not-halved: you add the identity, or what was there before, in full, and do not halve -> Then each row sums to 2,
        and after six layers to 64. -> Half of the weights, half of the identity.
    halved-once: you halve only once, at the end -> Then each row sums to 2 before the second layer, and to ever
        more. -> Half of the weights, half of the identity, in every layer.
    diagonal-replaced: you put 0.5 on the diagonal, whatever stood there -> What a token gives itself by attention is
        lost, and its row no longer sums to 1. -> Add half of the identity to half of the weights.
    diagonal-replaced-alone: you put 0.5 on the diagonal, whatever stood there, and leave the rest as it was -> To mix
        is to halve both: what a token gives itself by attention, and the half that the others keep, come in as well. ->
        Add half of the identity to half of the weights.
    diagonal-of-ones: you put 1 on the diagonal, whatever stood there, and divide by the sums of the rows -> What a
        token gives itself by attention is lost. -> Add half of the identity to half of the weights.
    keys-with-keys: what is there is transposed before each product -> Weights meet what each *token* has, and that is a
        row of what is there. -> A plain product: `@`, or `"ij,jk->ik"`.
    never-multiplied: your result is the identity, with which the product begins -> A product that is not given a name
        is lost; and whoever writes to one name and returns another returns what stood there at first. -> In each layer
        `rolled = ... @ rolled`, and then return that.
    begins-with-zeros: your result is nothing but zeros -> Whatever is multiplied by zeros is 0: so it is if a product
        begins with zeros; or an array of zeros was made, and never filled. -> Begin with the identity: before the first
        layer everybody has only itself. And return what you have multiplied.
    begins-with-ones: you begin with ones everywhere -> Every token would have as much from each, and to average equal
        rows changes nothing. -> Begin with the identity: before the first layer everybody has only itself.
    begins-with-equal-shares: you begin with equal shares of all tokens -> To average equal rows changes nothing. ->
        Begin with the identity: before the first layer everybody has only itself.
    brackets-missing: the half holds for the weights only, and `@` comes before `+`: what was there is added, not mixed
        -> Each row then sums to 1.5 or more. -> Brackets: `0.5 * (A + identity) @ before`.
    brackets-missing-in-full: what was there is added to the weights, not multiplied by them; and nothing is halved ->
        `@` comes before `+`: in `A + identity @ before` the identity alone meets what was there. -> Brackets:
        `0.5 * (A + identity) @ before`.
    brackets-missing-half-before: half of what was there is added to the weights, not multiplied by them -> `@` comes
        before `+`: in `A + identity / 2 @ before` the identity alone meets what was there. -> Brackets:
        `0.5 * (A + identity) @ before`.
    half-identity: you take half of the identity, and the weights in full -> Then a row sums to 1.5. -> Half of the
        weights as well.
    half-of-weights: you take half of the weights, and the identity in full -> Then a row sums to 1.5. -> Half of the
        identity as well.
    one-for-identity: you add 1 to every entry, not the identity -> `A + 1` gives every token a share of every other.
        -> `np.eye(n)` has its ones on the diagonal.
    equal-shares-for-identity: half of the weights is mixed with equal shares of all tokens, not with the identity ->
        The residual path brings the token itself, and nobody else. -> `np.eye(n)` has its ones on the diagonal.
    softmax-of-mixed: you take a softmax of the mixed rows -> They sum to 1 as they are: half and half. -> Multiply them
        as they are.
    softmax-of-sum: you take a softmax of the weights plus the identity -> It brings all shares nearer to each other; a
        row of this sum only has to be halved to sum to 1. -> Half of the weights, half of the identity.
    identity-once: the identity comes in only once, at the end -> Each layer has a residual path of its own. -> Halve
        and add in every layer, before you multiply.
    identity-in-full-after-product: half of each product, and the identity in full, added after it -> `@` comes before
        `+`; so the token at the *input* comes in again in each layer. -> Brackets: first half of the weights and half
        of the identity, then times what is there.
    identity-in-full-after-full-product: the identity is added after each product, and nothing is halved -> `@` comes
        before `+`; so the token at the *input* comes in again in each layer, and the rows sum to ever more. ->
        Brackets: first half of the weights and half of the identity, then times what is there.
    other-shares=: weights and identity are mixed, but not half and half -> Rollout counts them alike. -> Half of the
        weights, half of the identity.
    half-twice: you mix half and half twice: the weights with the identity, and what comes out with what was there ->
        One quarter of the weights is then left in each layer; the residual path is in the mixed weights already. ->
        Half and half once, and multiply.
    twice-the-weights: weights and identity are mixed, but not half and half: two parts of the weights, one of the
        identity -> Rollout counts them alike. -> Half of the weights, half of the identity.
    twice-the-identity: weights and identity are mixed, but not half and half: one part of the weights, two of the
        identity -> Rollout counts them alike. -> Half of the weights, half of the identity.
    identity-after-product: the identity is added after each product -> Then the token at the *input* comes in again in
        each layer; the residual path brings the token as the layer before has left it. -> Mix the weights with the
        identity first, then multiply by what is there.
    first-without-residual: the first layer comes without its residual path -> Every layer has one. -> Let the product
        begin with the identity, or treat the first layer like the others.
    last-without-residual: the last layer comes without its residual path -> Every layer has one. -> Treat it like the
        others.
    last-layer-lost: the last layer is left out -> The end of a `range` is not included. -> `range(n_layers)`
        goes to the last.
    last-of-several-lost: the last of several layers is left out -> The end of a `range` is not included. -> Let
        the loop go to the last: `range(1, n_layers)`, if the product begins with layer 0.
    first-layer-lost: the first layer is left out -> Layers are counted from 0. -> `range(n_layers)` begins with 0.
    first-of-several-lost: the first of several layers is left out -> Layers are counted from 0; and for whoever goes
        down from the last one, the end of a `range` is not included. -> Let the loop come to layer 0 as well.
    identity-in-first-only: only the first layer has its residual path -> Every layer has one. -> Half and half in each
        layer, before you multiply.
    identity-in-last-only: only the last layer has its residual path -> Every layer has one. -> Half and half in each
        layer, before you multiply.
    first-twice-once-bare: the first layer is there twice, once of it without its residual path -> If the product begins
        with layer 0, the loop has to begin with layer 1; and each layer has a residual path. -> Begin with the
        identity.
    first-twice: the first layer is there twice -> If the product begins with layer 0, the loop has to begin with layer
        1. -> Begin with the identity, or one layer later.
    last-twice: the last layer is there twice -> If the product begins with the last layer, the loop has to begin with
        the one before. -> Begin with the identity, or one layer earlier.
    order-turned: the order of the layers is turned -> The last layer reads what the earlier ones have made: it averages
        *their* rows. -> A later layer stands on the left of what is there already.
    weights-transposed: your result comes out as if each layer's weights were transposed -> A row is a query: what it
        takes from each token. It comes out so as well if the order of the layers is turned, and the result transposed.
        -> Use them as they are, a later layer on the left.
    heads-summed: you add up the heads -> With h heads the rows sum to h. -> Take their mean.
    heads-by-layers: you add up the heads, and divide by the number of layers -> The first axis is the layers; how many
        heads there are says the second. -> Take the mean of the heads: `axis=1` of all, `axis=0` within a layer.
    heads-by-tokens: you add up the heads, and divide by the number of tokens -> How many heads there are says the
        second axis. -> Take the mean of the heads: `axis=1` of all, `axis=0` within a layer.
    heads-sum-goes-on: your sum of the heads goes on from layer to layer -> Then each layer has the heads of all earlier
        ones as well. -> Begin anew with zeros in each layer.
    heads-summed-normalised: you add up the heads and the identity, and normalise then -> So the residual path gets one
        share among many, not a half. -> Average the heads first, then half and half.
    largest-head: of all heads you take the largest weight -> That is another way of the literature; then rows no longer
        sum to 1. -> Take the mean of the heads.
    largest-head-normalised: of all heads you take the largest weight, and normalise -> That is another way of the
        literature. -> Take the mean of the heads.
    largest-head-rescaled: of all heads you take the largest weight, and normalise -> That is another way of the
        literature. -> Take the mean of the heads.
    smallest-head: of all heads you take the smallest weight -> That is another way of the literature; then rows no
        longer sum to 1. -> Take the mean of the heads.
    smallest-head-rescaled: of all heads you take the smallest weight, and normalise -> That is another way of the
        literature. -> Take the mean of the heads.
    smallest-head-normalised: of all heads you take the smallest weight, and normalise -> That is another way of the
        literature. -> Take the mean of the heads.
    heads-rolled-apart: you follow each head through all layers by itself, and average at the end -> But a head of the
        next layer hears what *all* heads of this one have found. -> Average the heads in each layer, then multiply.
    heads-not-averaged: the heads stay apart: you return a matrix for each -> A head of the next layer hears what *all*
        heads of this one have found. -> Take the mean of the heads in each layer, then multiply.
    first-head-only: only the first head of each layer counts -> The layer adds what all heads find. -> Take their mean.
    last-head-only: only the last head of each layer counts -> The layer adds what all heads find. -> Take their mean.
    axes-exchanged: you average over the layers and multiply the heads -> The first axis is the layers, the second the
        heads. -> Average along axis 1, and multiply along axis 0.
    heads-as-layers: each head is taken for a layer of its own -> The heads of a layer stand side by side: all read what
        the layer before has made. -> Average the heads of a layer, then multiply.
    states-averaged: you average what is there after each layer -> The question is what a token has after the last one.
        -> Return the product of all layers.
    mixed-not-multiplied: you take half of the weights and half of what is there, and multiply nothing -> A layer takes
        from what the one before has made: weights times that. -> Half of the weights and half of the identity, times
        what is there.
    identity-overwritten: from the second layer on the product stands where the identity should -> Perhaps its name
        stands there; or both names are of one array, which is changed. -> An identity in each layer: `np.eye(n)`.
    mean-layer-repeated: you average the layers, and multiply that mean with itself -> Each layer looks elsewhere, and
        their order counts. -> Multiply the layers' own matrices.
    first-layer-only: only the first layer counts -> What it has mixed is mixed again by the next. And a `return` inside
        a loop ends it in its first round. -> Multiply all layers; the `return` stands behind the loop.
    last-layer-only: only the last layer counts -> Each layer replaces what was there; or, for whoever begins with the
        last, a `return` inside the loop ends it in its first round. -> Multiply by what is there already, and return
        behind the loop.
    columns-normalised: you normalise the columns -> A row is what one token is made of, and has to sum to 1. -> Half
        and half keeps the rows' sums by itself.
    layers-averaged: you average the layers -> Each layer mixes what the one before has mixed already: that is a
        product. -> Multiply the layers' matrices.
    layers-summed: you add up the layers -> Each layer mixes what the one before has mixed already: that is a product.
        -> Multiply the layers' matrices.
    layers-summed-beside: you add up the layers -> Each layer mixes what the one before has mixed already: that is a
        product. -> Multiply what is there by the layer's matrix: `rolled = A @ rolled`, without `+`.
    last-way-only: of each sum over the ways by token k, only the last way is left -> In the innermost loop each product
        replaces the one before. -> `+=` there, into a matrix of zeros that is new in each layer.
    sum-goes-on: the matrix that you add into is not begun anew in each layer -> What stood there stays in the sums; and
        if it is the matrix that you read, you read new numbers. -> `np.zeros((n, n))` within the loop over the layers.
    sum-goes-on-beside: the matrix that you add into is not begun anew in each layer -> What stood there stays in the
        sums. -> `np.zeros((n, n))` within the loop over the layers.
    added-to-itself: you add each product to what is there -> `R += A @ R` keeps all of the old `R` as well; the
        residual path is in the mixed weights already. -> `rolled = A @ rolled`, without `+`.
    read-while-written: you write each number of the product into the matrix that you are still reading -> The numbers
        further down are then made of new ones. -> A new matrix for each product: `new = np.zeros((n, n))`.
    softmax-again: you take a softmax of the weights -> They are weights already: their rows sum to 1. -> The mean of
        the heads, as it is.
    mean-of-everything: your mean runs over all heads, queries and keys of a layer -> `mean` without an axis makes one
        number of them all. -> `axis=0` within a layer, over its heads; over all layers at once, that is axis 1.
    first-and-last-only: you multiply the last layer by the first, and by no other -> What the layers between have mixed
        is lost. -> All layers, one after the other.
    each-with-the-first: you multiply each layer by the first, not by what is there -> What the layers between have
        mixed is lost. -> A later layer times the product so far.
    each-with-the-last: you multiply each layer by the one before it, not by what is there -> What the layers before
        that have mixed is lost. -> A later layer times the product so far.
    with-itself: you multiply the last layer by itself, not by what is there -> What the layers before have mixed is
        lost. -> A later layer times the product so far.
    one-for-each-layer: you return what is there after each layer -> Asked is what a token has after the last one. ->
        The last of these matrices.
    entry-by-entry: you multiply entry by entry -> A way from token j to token i may go through every other token: rows
        times columns. -> Multiply matrices, with `@`.
    entry-by-entry-from-identity: you multiply entry by entry, and off the diagonal your result is 0 -> There the
        identity, with which the product begins, has zeros. A way from token j to token i may go through every other
        token: rows times columns. -> Multiply matrices, with `@`.
    """,
)  # fmt: skip
def rollout(weights, wrong=frozenset()):
    """What each token has from each after all layers, with mistakes as switches."""
    weights = np.asarray(weights, dtype=float)
    n, identity = weights.shape[-1], np.eye(weights.shape[-1])
    if "weights-transposed" in wrong:
        weights = weights.mT
    if "axes-exchanged" in wrong:
        weights = weights.swapaxes(0, 1)
    others = wrong - {"weights-transposed", "axes-exchanged", "heads-not-averaged", "heads-rolled-apart"}
    if "heads-not-averaged" in wrong:
        return np.array([rollout.model(weights[:, [h]], others) for h in range(weights.shape[1])])
    if "heads-rolled-apart" in wrong:
        return np.mean([rollout.model(weights[:, [h]], others) for h in range(weights.shape[1])], axis=0)
    fusions = {
        "heads-summed": lambda: weights.sum(axis=1),
        "heads-summed-normalised": lambda: weights.sum(axis=1),
        "heads-by-layers": lambda: weights.sum(axis=1) / len(weights),
        "heads-by-tokens": lambda: weights.sum(axis=1) / n,
        "heads-sum-goes-on": lambda: weights.mean(axis=1).cumsum(axis=0),
        "largest-head": lambda: weights.max(axis=1),
        "largest-head-normalised": lambda: weights.max(axis=1),
        "largest-head-rescaled": lambda: weights.max(axis=1) / weights.max(axis=1).sum(axis=-1, keepdims=True),
        "smallest-head": lambda: weights.min(axis=1),
        "smallest-head-normalised": lambda: weights.min(axis=1),
        "smallest-head-rescaled": lambda: weights.min(axis=1) / weights.min(axis=1).sum(axis=-1, keepdims=True),
        "first-head-only": lambda: weights[:, 0],
        "last-head-only": lambda: weights[:, -1],
        "mean-of-everything": lambda: np.broadcast_to(
            weights.mean(axis=(1, 2, 3), keepdims=True)[:, 0], weights[:, 0].shape
        ),
        "softmax-again": lambda: softmax(weights.mean(axis=1)),
    }
    A = slip(wrong, fusions, lambda: weights.mean(axis=1))()
    mixed = {
        "no-identity": lambda: A,
        "identity-once": lambda: A,
        "half-without-identity": lambda: A / 2,
        "not-halved": lambda: A + identity,
        "halved-once": lambda: A + identity,
        "diagonal-replaced": lambda: A / 2 * (1 - identity) + identity / 2,
        "diagonal-replaced-alone": lambda: A * (1 - identity) + identity / 2,
        "diagonal-of-ones": lambda: A * (1 - identity) + identity,
        "half-twice": lambda: (A + 3 * identity) / 4,
        "twice-the-weights": lambda: (2 * A + identity) / 3,
        "twice-the-identity": lambda: (A + 2 * identity) / 3,
        "half-identity": lambda: A + identity / 2,
        "half-of-weights": lambda: A / 2 + identity,
        "one-for-identity": lambda: (A + 1) / 2,
        "equal-shares-for-identity": lambda: (A + 1 / n) / 2,
        "softmax-of-mixed": lambda: softmax((A + identity) / 2),
        "softmax-of-sum": lambda: softmax(A + identity),
        "columns-normalised": lambda: (A + identity) / (A + identity).sum(axis=-2, keepdims=True),
    }
    M = slip(wrong, mixed, lambda: (A + identity) / 2)()
    if (share := number(wrong, "other-shares", 0.9)) is not None:
        M = share * A + (1 - share) * identity
    if wrong & {
        "heads-summed-normalised", "largest-head-normalised", "smallest-head-normalised", "diagonal-of-ones",
    }:  # fmt: skip
        M = M / M.sum(axis=-1, keepdims=True)
    M = M.copy()
    if "first-without-residual" in wrong:
        M[0] = A[0]
    if "last-without-residual" in wrong:
        M[-1] = A[-1]
    if "identity-in-first-only" in wrong:
        M[1:] = A[1:]
    if "identity-in-last-only" in wrong:
        M[:-1] = A[:-1]
    if "first-layer-lost" in wrong:
        M, A = M[1:], A[1:]
    if "first-of-several-lost" in wrong and len(M) > 1:
        M, A = M[1:], A[1:]
    if "last-layer-lost" in wrong or ("last-of-several-lost" in wrong and len(M) > 1):
        M, A = M[:-1], A[:-1]
    if "last-twice" in wrong:
        M, A = (np.concatenate([one, one[-1:]]) for one in (M, A))
    if "never-multiplied" in wrong:
        return identity
    if "layers-averaged" in wrong:
        return M.mean(axis=0)
    if wrong & {"layers-summed", "layers-summed-beside"}:
        return M.sum(axis=0) + ("layers-summed-beside" in wrong) * identity
    if "first-layer-only" in wrong:
        return M[0]
    if "last-layer-only" in wrong:
        return M[-1]
    if "heads-as-layers" in wrong:
        M = A = ((weights + identity) / 2).reshape(-1, n, n)
    if "mean-layer-repeated" in wrong:
        M = np.broadcast_to(M.mean(axis=0), M.shape)
    starts = {
        "begins-with-ones": np.ones((n, n)),
        "begins-with-equal-shares": np.full((n, n), 1 / n),
        "begins-with-zeros": np.zeros((n, n)),
    }
    identity, same = slip(wrong, starts, identity), identity
    rolled = np.ones((n, n)) if "entry-by-entry" in wrong else identity
    if "first-twice" in wrong and len(M):
        rolled = M[0]
    if "first-twice-once-bare" in wrong and len(A):
        rolled = A[0]
    # What is added where brackets are missing: parts of the weights, and of what was there.
    parts = {
        "brackets-missing": (0.5, 1),
        "brackets-missing-in-full": (1, 1),
        "brackets-missing-half-before": (1, 0.5),
        "mixed-not-multiplied": (0.5, 0.5),
    }
    of_weights, of_before = slip(wrong, parts, (0, 0))
    after = []
    for one, plain in zip(M, A, strict=True):
        if wrong & {"entry-by-entry", "entry-by-entry-from-identity"}:
            rolled = one * rolled
        elif "identity-in-full-after-product" in wrong:
            rolled = (rolled @ plain if "order-turned" in wrong else plain @ rolled) / 2 + same
        elif "identity-in-full-after-full-product" in wrong:
            rolled = (rolled @ plain if "order-turned" in wrong else plain @ rolled) + same
        elif "read-while-written" in wrong:
            rolled = rolled.copy()
            for i in range(n):
                for j in range(n):
                    rolled[i, j] = one[i] @ rolled[:, j]
        elif "keys-with-keys" in wrong:
            rolled = one @ rolled.T
        elif "order-turned" in wrong:
            rolled = rolled @ one
        elif "identity-after-product" in wrong:
            rolled = (plain @ rolled + same) / 2
        elif of_weights:
            rolled = of_weights * plain + of_before * rolled
        elif "last-way-only" in wrong:
            rolled = np.outer(one[:, -1], rolled[-1])
        elif "added-to-itself" in wrong:
            rolled = rolled + one @ rolled
        elif "sum-goes-on" in wrong:
            new = rolled.copy() if after else np.zeros((n, n))
            before = new if after else rolled  # from the second layer on both names are of one array
            for i, j, k in np.ndindex(n, n, n):
                new[i, j] += one[i, k] * before[k, j]
            rolled = new
        elif "sum-goes-on-beside" in wrong:
            rolled = one @ rolled + (rolled if after else 0)
        elif "identity-overwritten" in wrong:
            rolled = (plain + rolled) @ rolled / 2
        else:
            rolled = one @ rolled
        after.append(rolled)
    if "one-for-each-layer" in wrong:
        return np.array(after)
    if "first-and-last-only" in wrong and len(M):
        return M[-1] @ M[0]
    if "with-itself" in wrong and len(M):
        return M[-1] @ M[-1]
    if wrong & {"each-with-the-first", "each-with-the-last"} and len(M) > 1:
        return M[-1] @ M[0 if "each-with-the-first" in wrong else -2]
    if "halved-once" in wrong:
        return rolled / 2
    if "states-averaged" in wrong:
        return np.mean(after, axis=0)
    return (rolled + same) / 2 if "identity-once" in wrong else rolled
