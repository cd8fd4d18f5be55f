import numpy as np

from attnlib import softmax
from grader.exercises.inputs import arrays, example, matrix, moved, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n3_paths.shared import bent, measured, nudged, nudges_of
from grader.exercises.stages import slip

EXAMPLE = {
    "q": np.array([1.0]),
    "X": np.array([[1.0], [0.0], [0.0], [0.0]]),
    "W_k": np.array([[1.0]]),
    "W_v": np.array([[1.0]]),
}
TELLING = (
    "turned-round", "context-not-weighted", "of-the-score", "word-for-query",
    "value-only", "score-only", "not-centred", "no-scale", "norms-added", "squares-added",
    "mean-for-context", "weight-twice", "root-twice",
    "own-weight-only", "road-not-scaled",
    "weights-not-scaled", "largest-stretch", "without-weights", "weights-returned",
)  # fmt: skip
NUDGE = 1e-5


def context_of(q, X, W_k, W_v):
    """The contexts (..., d_v) of a query in many sentences (..., n, d_model) at once."""
    return _context(X, W_k @ q / np.sqrt(len(q)), W_v)


def _context(X, asked, W_v):
    return (softmax(X @ asked)[..., None] * (X @ W_v)).sum(axis=-2)


def it_is_what_a_nudge_does(call, rng):
    inputs = sentence(5, 3, 2, 7)(rng)
    got = call(*inputs.values())
    q, X, *rest = inputs.values()
    reach = measured(nudged(lambda X: context_of(q, X, *rest), X, NUDGE, NUDGE), {})
    for j, right in enumerate(reach):
        if not abs(got[j] - right) < 1e-3 * (1 + right):
            far = f"nudged by 0.00001, it moves the context {right:.4g} times as far; yours: {got[j]:.4g}"
            return f"word {j} of 5, counted from 0: {far}"
    return None


def order_is_nothing(call, rng):
    q, X, W_k, W_v = sentence(7, 3, 2, 5)(rng).values()
    order = moved(rng, 7)
    gap = np.abs(call(q, X, W_k, W_v)[order] - call(q, X[order], W_k, W_v)).max()
    return None if gap < 1e-4 else f"in another order the words reach otherwise: {gap:.3g} apart"


def sentence(n, d_model, d_k, d_v):
    """A function that draws a query and words, with weights that are neither equal nor decided."""

    def drawn(rng):
        return {
            "q": matrix(rng, d_k, scale=1.2),
            "X": matrix(rng, n, d_model),
            "W_k": matrix(rng, d_model, d_k, scale=0.7),
            "W_v": matrix(rng, d_model, d_v, scale=0.7),
        }

    return drawn


@function(
    points=4,
    returns="reach",
    cases=(
        Case(
            "2 words of two numbers",
            bent(arrays(tenths, q=(2,), X=(2, 2), W_k=(2, 2), W_v=(2, 2)), context_of),
            0.2,
            telling=TELLING,
        ),
        Case(
            "7 words of three numbers, keys of two, values of five",
            bent(sentence(7, 3, 2, 5), context_of),
            0.2,
            telling=TELLING,
        ),
        Case(
            "5 words of seven numbers, keys of three, values of two",
            bent(sentence(5, 7, 3, 2), context_of),
            0.1,
            telling=TELLING,
        ),
        Case(
            "11 words of two numbers, keys of five, values of three",
            bent(sentence(11, 2, 5, 3), context_of),
            0.1,
            telling=TELLING,
        ),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    properties=(
        Property("it is what a small nudge of each word does to the context", it_is_what_a_nudge_does, 0.15),
        Property("the words in another order reach as far", order_is_nothing, 0.1),
    ),
    mistakes="""
    value-only: only the road through the value is there -> A nudge of a word moves its key as well, so its score, so
        all the weights. -> Add what the changed weights do to the context.
    matrices-added-on: the matrix of each word is added to those of the words before it -> The reach of a word is that
        of its own matrix alone. -> Begin anew for each word.
    score-only: only the road through the weights is there -> A nudge of a word moves its value as well, and the context
        takes its share of that. -> Add weight times `W_v`.
    not-centred: on the road through the weights stands v_j, where v_j − c belongs -> What word j gains in weight all
        words lose together, itself included: the context moves from c towards v_j. -> Take the context off the value.
    turned-round: on the road through the weights stands c − v_j, where v_j − c belongs, or you subtract one road from
        the other -> A word that gains weight pulls the context *towards* its value, and what comes by both roads adds
        up. -> Take the context off the value, and add the roads.
    squares-added: you add the squares of the two roads' norms -> That is right only where the two are at right angles.
        Roads may help each other, or work against each other. -> Add the matrices first, then take the norm.
    mean-for-context: the plain mean of the values stands in the place of c -> The context is the *weighted* mean: what
        word j gains, the others lose by their weights. -> `w @ V`.
    weight-twice: the road through the weights has the factor w_j twice -> Once for the change of the weight, and once
        more for the whole. -> Both roads have the factor w_j, once.
    weight-squared: both roads have the factor w_j twice -> What a nudge does is weight times, not weight squared times.
        -> Both roads have the factor w_j, once.
    value-weight-twice: the road through the value has the factor w_j twice -> Once for the share of the value, and once
        more for the whole. -> Both roads have the factor w_j, once.
    root-twice: the road through the weights is divided by the root of d_k twice -> The score is divided once, and so is
        its derivative. -> `W_k q` over one root.
    context-not-weighted: on the road through the weights you take the context off *weight times value* -> What word j
        gains is taken from all in proportion, so both, value and context, have the factor w_j. -> Brackets: first v_j −
        c, then times the weight.
    of-the-score: you measure what a nudge of the *score* does to the context -> A nudge of the word comes to the score
        through `W_k` and the query, and to the value besides. -> Two roads, each with what stands between the word and
        its end.
    word-for-query-scaled: on the road through the weights stands the word, over the root of d_k, where `W_k q` over
        that root belongs -> The score is a product of the word and `W_k q`: to differentiate it by the word leaves the
        other factor. -> A column of shape (d_model,) that does not depend on j.
    roads-multiplied: you multiply the two roads -> What comes by both roads adds up. -> Add the matrices, then take the
        norm.
    word-for-query: on the road through the weights stands the word, where `W_k q` belongs -> The score is a product of
        the word and `W_k q`: to differentiate it by the word leaves the other factor. -> A column of shape (d_model,)
        that does not depend on j.
    own-weight-only: on the road through the weights only word j's own weight changes -> What it gains the others lose:
        the row of weights has to sum to 1. -> Use the whole column of the softmax's Jacobian, or v_j − c.
    without-weights: the roads are not multiplied by the weight of the word -> Whoever has hardly any weight hardly
        moves the context, by either road. -> Both roads have the factor w_j.
    weight-on-value-only: only the road through the value has the factor w_j -> Softmax's derivative has it as well: who
        has no weight gains none by a small nudge. -> Both roads have the factor w_j.
    weight-on-score-only: only the road through the weights has the factor w_j -> The context takes of a value what its
        weight says. -> Both roads have the factor w_j.
    no-scale
    by-d_k
    by-sqrt-words: you divide by the square root of the number of words -> A score adds up d_k products, one for each
        number of a key. -> Read the dimension off the query.
    by-sqrt-d_v: you divide by the square root of d_v -> A score adds up d_k products, one for each number of a key. ->
        Read the dimension off the query.
    by-sqrt-d_model: you divide by the square root of d_model -> A score adds up d_k products, one for each number of a
        key. -> Read the dimension off the query.
    own-share-twice: on the road through the weights stands w (1 − w) (v − c) -> Either the word's own value loses what
        all lose together, or the context does it for it; both is once too often. -> w times (v − c).
    key-for-query: on the road through the weights stands the word's own key in the place of the query -> A score is
        the product of both: to differentiate it by the word leaves what belongs to the *query*. -> `W_k @ q`.
    weights-not-summed: your weights are the powers, not divided by their sum -> Then they are no shares of one whole.
        -> Use `softmax`.
    road-not-scaled: the weights are scaled, the road through them is not -> The derivative of a score that is divided
        by the root of d_k has that root as well. -> Divide `W_k q` by it, too.
    weights-not-scaled: the road is scaled, the weights are not -> Scaled attention divides the scores before the
        softmax. -> Divide the scores, too.
    norms-added: you add the norms of the two roads -> Roads may work against each other, and then their sum is short.
        -> Add the matrices first, then take the norm.
    sum-of-context: you follow the sum of the context's numbers, not each of them -> Where one rises as another falls,
        the sum stays. -> Keep a column for each number of the context.
    weights-returned: you return the weights -> A weight says how much of a value is taken, not how far a nudge of the
        word moves the result. -> Multiply it with what the word's two roads do.
    contributions: you return the length of weight times value -> That is what a word adds to the context now, not how
        far the context moves when the word does. -> Differentiate.
    uniform
    squared
    sum-of-entries
    sum-of-sizes
    largest-stretch
    sum-of-stretches
    largest-column
    largest-entry
    mean-square
    mean-of-sizes
    first-number-only
    last-number-only
    row-norms-added
    row-norms-averaged
    weights-not-summed-before: your context is divided by the sum of the powers, the factor w_j of both roads is not ->
        The weight of a word is its share of the whole, wherever it stands. -> Divide the weights once, with `softmax`,
        and take them for both.
    without-own-share: what you take off the value is the context of the *other* words -> The word's own share belongs
        to c as well: what it gains in weight it also loses, with all others. -> Take `w @ V` off, the whole context.
    raw-scores: your weights are the scores, without a softmax -> Then they are no shares of one whole, and what one
        word gains no other loses. -> Use `softmax`.
    value-for-W_v: on the road through the value stands the value itself, where `W_v` belongs -> A nudge of the word
        moves its value by what `W_v` makes of the nudge, whatever the value is. -> Weight times `W_v`.
    norms-subtracted: you take the norm of one road off that of the other -> What comes by both roads adds up, number by
        number. -> Add the matrices first, then take the norm.
    entries-together
    largest-row
    one-sided
    one-sided-below
    long-steps
    normalised: you divide by the sum, or by the largest -> Then one can no longer say whether anything arrives at all.
        -> The norms as they are.
    """,
)
def context_reach(q, X, W_k, W_v, wrong=frozenset()):
    """How strongly each word moves the context of a fixed query, with mistakes as switches."""
    q, X, W_k, W_v = (np.asarray(one, dtype=float) for one in (q, X, W_k, W_v))
    d_k, d_model = len(q), X.shape[1]
    by = slip(
        wrong,
        {
            "no-scale": 1.0,
            "by-d_k": d_k,
            "by-sqrt-d_model": np.sqrt(d_model),
            "by-sqrt-words": np.sqrt(len(X)),
            "by-sqrt-d_v": np.sqrt(W_v.shape[1]),
        },
        np.sqrt(d_k),
    )
    K, V = X @ W_k, X @ W_v
    w = softmax(K @ q / (1.0 if "weights-not-scaled" in wrong else by))
    if "entries-together" in wrong or nudges_of(wrong):
        nudges = nudges_of(wrong) or (1e-5, 1e-5)
        found = nudged(lambda X: _context(X, W_k @ q / by, W_v), X, *nudges, together="entries-together" in wrong)
        return measured(found, wrong)
    if "weights-not-summed" in wrong:
        w = np.exp(K @ q / by)
    factor = np.exp(K @ q / by).sum() if "weights-not-summed-before" in wrong else 1.0
    if "raw-scores" in wrong:
        w = K @ q / by
    if "uniform" in wrong:
        w = np.full(len(X), 1 / len(X))
    if "weights-returned" in wrong:
        return w
    if "contributions" in wrong:
        return np.linalg.norm(w[:, None] * V, axis=1)
    if "of-the-score" in wrong:
        return w * np.linalg.norm(V - w @ V, axis=1)
    gains = {
        "turned-round": w @ V - V,
        "context-not-weighted": V - w @ V / w[:, None],
        "not-centred": V,
        "own-share-twice": (1 - w)[:, None] * (V - w @ V),
        "own-weight-only": (1 - w)[:, None] * V,
        "mean-for-context": V - V.mean(axis=0),
        "weight-twice": w[:, None] * (V - w @ V),
        "without-own-share": V - (w @ V - w[:, None] * V),
        "root-twice": (V - w @ V) / np.sqrt(d_k),
    }
    ahead = slip(wrong, gains, V - w @ V)
    asked = W_k @ q / (1.0 if "road-not-scaled" in wrong else by)
    moved = V[:, None, :] if "value-for-W_v" in wrong else W_v
    by_value = np.broadcast_to(moved, (len(X), *W_v.shape)) * ("score-only" not in wrong)
    words = {"word-for-query": X[:, :, None], "word-for-query-scaled": X[:, :, None] / by}
    words["key-for-query"] = (K @ W_k.T)[:, :, None] / by
    side = slip(wrong, words, asked[:, None])
    by_score = side * ahead[:, None, :] * ("value-only" not in wrong)
    share = factor * w[:, None, None] ** (2 if "weight-squared" in wrong else 1)
    if "value-weight-twice" in wrong:
        by_value = share * by_value
    if not wrong & {"without-weights", "weight-on-score-only"}:
        by_value = share * by_value
    if not wrong & {"without-weights", "weight-on-value-only"}:
        by_score = share * by_score
    if "norms-subtracted" in wrong:
        return measured(by_value, wrong) - measured(by_score, wrong)
    if "norms-added" in wrong:
        return measured(by_value, wrong) + measured(by_score, wrong)
    if "squares-added" in wrong:
        return np.hypot(measured(by_value, wrong), measured(by_score, wrong))
    J = by_value * by_score if "roads-multiplied" in wrong else by_value + by_score
    if "matrices-added-on" in wrong:
        J = J.cumsum(axis=0)
    if "sum-of-context" in wrong:
        J = J.sum(axis=-1, keepdims=True)
    found = measured(J, wrong)
    return found / found.sum() if "normalised" in wrong else found
