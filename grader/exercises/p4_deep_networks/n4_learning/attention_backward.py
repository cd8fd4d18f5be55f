import numpy as np

from grader.exercises.inputs import example, matrix
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n4_learning.shared import root, single
from grader.exercises.p4_deep_networks.n4_learning.softmax_backward import softmax_backward
from grader.exercises.stages import inside, number, slip, softmax


def sizes(n_queries, n_keys, d_k, d_v, *batch, draw=matrix):
    def make(rng):
        shapes = {"Q": (n_queries, d_k), "K": (n_keys, d_k), "V": (n_keys, d_v), "d_context": (n_queries, d_v)}
        return {name: draw(rng, *batch, *shape) for name, shape in shapes.items()}

    return make


def small_steps_are_foretold(call, rng):
    given = sizes(3, 5, 2, 7)(rng)
    d_context = given.pop("d_context")

    def loss(Q, K, V):
        return float(((softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V) * d_context).sum())

    told = call(*given.values(), d_context)
    for name, gradient in zip(given, told, strict=True):
        step = matrix(rng, *given[name].shape, scale=1e-4)
        up, down = (loss(**(given | {name: given[name] + sign * step})) for sign in (1, -1))
        if not abs((gradient * step).sum() - (up - down) / 2) < 1e-7:
            return f"a small step of {name} moves the loss otherwise than d_{name} says"
    return None


def one_sided(Q, K, V, d_context, step):
    """The three gradients, each entry by a step upwards."""
    of = [Q, K, V]

    def loss():
        return float((softmax(of[0] @ of[1].mT / np.sqrt(Q.shape[-1])) @ of[2] * d_context).sum())

    here = loss()
    for which, array in enumerate((Q, K, V)):
        gradient = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            of[which] = array.copy()
            of[which][place] += step
            gradient[place] = (loss() - here) / step
        of[which] = array
        yield gradient


BY_HAND = {
    "Q": np.array([[1.0, 1.0]]),
    "K": np.eye(2),
    "V": np.array([[0.0], [1.0]]),
    "d_context": np.array([[-0.5]]),
}


@function(
    points=5,
    returns=("d_Q", "d_K", "d_V"),
    cases=(
        Case("two queries, three keys, d_k = 5, d_v = 1", sizes(2, 3, 5, 1), 0.25),
        Case("seven queries, five keys, d_k = 3, d_v = 2", sizes(7, 5, 3, 2), 0.15),
        Case("all sizes 5", sizes(5, 5, 5, 5), 0.1),
        Case("a batch of 2, with 3 queries and 7 keys each", sizes(3, 7, 4, 5, 2), 0.15),
        Case("in single precision", sizes(3, 11, 7, 2, draw=single), 0.05),
        Case("the example of the task", example(**BY_HAND), 0.05),
    ),
    properties=(Property("it tells what a small step of Q, K or V does to the loss", small_steps_are_foretold, 0.15),),
    within=(("on the way back through the softmax", softmax_backward),),
    mistakes="""
    sign-turned
    root-forgotten: on the way back the division by the square root of d_k is missing -> The scores were divided on the
        way there, so what comes back through them is divided, too. -> Divide what goes on to queries and keys.
    root-twice: on the way back you divide by d_k: by its square root twice, or without a root -> Each road from the
        scores to a query or a key passes the division by the square root once. -> Divide once, by `np.sqrt` of d_k.
    root-not-taken: you divide by d_k itself, there and back -> A score is divided by the square *root* of d_k. ->
        `np.sqrt`, both times.
    root-not-taken-there: on the way there you divide by d_k itself -> A score is divided by the square *root* of d_k:
        your weights are not those of the attention that you go back through. -> `np.sqrt`, both times.
    root-multiplied: on the way back you multiply by the square root of d_k -> A score is a product divided by it, so a
        small step of a key moves the score by so much less, not more. -> Divide, as on the way there.
    root-of-len-K: you divide by the root of `len(K)` -> That is how many keys there are, or how many sentences in a
        batch. A score adds up d_k products. -> d_k is how many numbers a key has: its *last* axis.
    root-of-len-K-back: on the way back you divide by the root of `len(K)` -> That is how many keys there are, or how
        many sentences, if there is a batch. On the way there the scores were divided by the root of d_k. -> d_k is how
        many numbers a key has: its *last* axis.
    root-of-keys: you divide by the root of the number of keys -> A score adds up d_k products; how many keys there are
        plays no part in it. -> d_k is how many numbers a key has: its *last* axis.
    root-of-queries: you divide by the root of the number of queries -> A score adds up d_k products; how many queries
        there are plays no part in it. -> d_k is how many numbers a query has: its *last* axis.
    root-of-len-Q: you divide by the root of `len(Q)`, or of `Q.shape[0]` -> That is how many queries there are, or how
        many sentences in a batch. A score adds up d_k products. -> d_k is how many numbers a query has: its *last*
        axis.
    root-of-d_v: you divide by the root of d_v, the width of the values -> A score adds up d_k products; the values come
        in after the softmax. -> d_k is how many numbers a *key* has.
    root-of-d_v-back: on the way back you divide by the root of d_v, the width of the values -> On the way there the
        scores were divided by the root of d_k. -> d_k is how many numbers a *key* has.
    keys-hear-the-gradient: what goes back to the keys is multiplied by `d_context` -> A score is a product of a query
        and a key: a key hears what the scores want, times what stood beside it there. -> In the rule for a product, the
        other factor comes from the way there.
    context-goes-back: the contexts stand where their gradient belongs -> The way back begins with what the loss says of
        the contexts, and that is `d_context`. -> Use the argument; the contexts themselves are not needed.
    loss-built-in=: you take `d_context` for a target, and what goes back is the difference of the contexts from it, or
        a multiple -> That is how the loss of one example begins; another loss begins otherwise. `d_context` is the
        gradient already. -> Begin with `d_context` as it is.
    context-to-the-weights: the contexts stand where their gradient belongs, on the road to the weights -> The way back
        begins with what the loss says of the contexts, and that is `d_context`. -> Use the argument there, too.
    context-to-the-values: the contexts stand where their gradient belongs, on the road to the values -> The way back
        begins with what the loss says of the contexts, and that is `d_context`. -> Use the argument there, too.
    arguments-exchanged: the weights and their gradient have changed places on the way back through the softmax -> The
        Jacobian is made of the weights. -> Weights first: `softmax_backward(weights, d_weights)`.
    softmax-there-again: where you go back through the softmax, you take the softmax of the gradient -> That is the way
        there once more. -> The way back is a function of its own, `softmax_backward`, and needs the weights as well.
    scores-for-weights: on the way back through the softmax the scores stand in the place of the weights -> The Jacobian
        is made of what came out of the softmax. -> Hand the weights on.
    scores-turned: what goes back to the scores has the wrong sign -> On the way back through the softmax the weighted
        mean is taken *off* the gradient, not the gradient off the mean. -> `d_weights` minus the mean, times the
        weights.
    root-of-second-axis: you divide by the root of `Q.shape[1]` -> In a batch, that is how many queries there are. ->
        d_k is how many numbers a key has: its *last* axis.
    root-of-second-axis-of-K: you divide by the root of `K.shape[1]` -> In a batch, that is how many keys there are. ->
        d_k is how many numbers a key has: its *last* axis.
    half-d_k: you divide by half of d_k -> `d_k ** 1/2` is half of d_k: the power comes first, and only then the
        division. -> `np.sqrt`, or `** 0.5`.
    measured-to-one-side=: you measure the slopes by steps to one side -> Where a function bends, that is off by about
        as much as the step is long. -> Steps to both sides; or the rules of this notebook.
    already-stepped=: you return the arguments after a step -> What to do with a gradient is the affair of `sgd_step`.
        -> Return the gradients as they are.
    no-root-at-all: the square root of d_k is missing, on the way there and on the way back -> Scaled attention divides
        the scores by it, and what comes back through them is divided, too. -> Divide, both times.
    no-scale: the scores are not divided by the square root of d_k on the way there -> Then the weights are not those
        of the attention that you go back through. -> Divide the scores before the softmax.
    root-of-queries-only: only what goes to the queries is divided by the square root of d_k -> Queries and keys come
        into a score alike, and both roads pass the division. -> Divide the gradient of the scores, before the roads
        part.
    root-of-keys-only: only what goes to the keys is divided by the square root of d_k -> Queries and keys come into a
        score alike, and both roads pass the division. -> Divide the gradient of the scores, before the roads part.
    scores-not-transposed: for the keys, the gradient of the scores is not transposed -> Its rows are the queries. A
        key hears from all queries, so it needs the columns. Only where there are as many queries as keys does this fit
        at all. -> Write the shapes under the product: what has to be summed is the queries' axis.
    weights-not-transposed: for the values, the weights are not transposed -> Their rows are the queries. A value hears
        from all queries, so it needs the columns. Only where there are as many queries as keys does this fit at all.
        -> Write the shapes under the product: what has to be summed is the queries' axis.
    queries-by-weights: what goes back to the queries is made with the weights -> A query hears what the *scores* want,
        each times the key that stood beside it there. -> The gradient of the scores, times K.
    reshaped: you turn axes by `reshape`, for the keys or for the values -> It fills the new shape row by row, and turns
        nothing: columns do not become rows. -> `np.swapaxes(x, -1, -2)`, or `.mT`.
    values-by-scores: what goes back to the values is made with the gradient of the scores -> A value was multiplied by
        its weight, and by nothing else. -> The weights, transposed, times `d_context`.
    values-by-raw-scores: what goes back to the values is made with the scores -> A value was multiplied by its weight:
        by what came out of the softmax. -> The weights, transposed, times `d_context`.
    keys-hear-d_Q: what goes back to the keys is multiplied by the gradient of the queries -> A score is a product of a
        query and a key: a key hears what the scores want, times the *query* that stood beside it there. -> In the rule
        for a product, the other factor comes from the way there.
    keys-queries-exchanged: the gradients of queries and keys have changed places -> The first result belongs to Q. ->
        Return them in the order of the arguments.
    values-first: you return them in another order -> The order is that of the arguments: Q, K, V. -> Exchange what you
        return.
    columns: softmax runs down the columns of the scores -> Row i of the scores belongs to query i, and its weights
        must sum to 1. -> Softmax goes along the last axis, over the keys.
    averaged-queries: what a key or a value hears is averaged over the queries -> The loss feels each of these roads;
        they add up. -> Sum; the mean is the loss's affair.
    last-query-only: keys and values hear from the last query only -> In a loop over the queries, `=` overwrites what
        the round before had found. -> Begin with zeros, and add with `+=`.
    reversed-axes: in a batch you turn all axes round -> `.T` of three axes reverses all three; here only the last two
        change places. -> `np.swapaxes(x, -1, -2)`, or `.mT`.
    """,
)
def attention_backward(Q, K, V, d_context, wrong=frozenset()):
    """The way back through attention, with mistakes as switches."""
    Q, K, V, d_context = (np.asarray(array, dtype=float) for array in (Q, K, V, d_context))
    d_k = slip(
        wrong,
        {
            "root-of-len-K": len(K),
            "root-of-keys": K.shape[-2],
            "root-of-queries": Q.shape[-2],
            "root-of-len-Q": len(Q),
            "root-of-second-axis-of-K": K.shape[1],
            "root-of-d_v": V.shape[-1],
            "root-of-second-axis": Q.shape[1],
            "half-d_k": (Q.shape[-1] / 2) ** 2,
            "root-not-taken": Q.shape[-1] ** 2,
        },
        Q.shape[-1],
    )

    if step := number(wrong, "measured-to-one-side", 1e-5):
        return tuple(one_sided(Q, K, V, d_context, step))

    def turned(array):
        return array.T if "reversed-axes" in wrong else array.mT

    by = {"no-scale": 1.0, "no-root-at-all": 1.0, "root-not-taken-there": d_k}
    scores = Q @ turned(K) / slip(wrong, by, np.sqrt(d_k))
    weights = softmax(scores, axis=-2 if "columns" in wrong else -1)
    context = weights @ V
    if times := number(wrong, "loss-built-in", 1.0):
        d_context = times * (context - d_context)
    d_weights = (context if wrong & {"context-goes-back", "context-to-the-weights"} else d_context) @ turned(V)
    if wrong & {"arguments-exchanged", "scores-for-weights"}:
        first, second = (scores, d_weights) if "scores-for-weights" in wrong else (d_weights, weights)
        d_scores = softmax_backward(first, second)
    else:
        d_scores = softmax_backward(weights, d_weights, wrong=inside(wrong, "softmax_backward"))
    if "scores-turned" in wrong:
        d_scores = -d_scores
    if "softmax-there-again" in wrong:
        d_scores = softmax(d_weights)
    d_k = slip(wrong, {"root-of-len-K-back": len(K), "root-of-d_v-back": V.shape[-1]}, d_k)
    by_queries, by_keys = root(d_k, wrong), root(d_k, wrong)
    if "root-of-queries-only" in wrong:
        by_keys = 1.0
    if "root-of-keys-only" in wrong:
        by_queries = 1.0
    heard_scores, heard_weights, asks, heard = d_scores, weights, Q, d_context
    if "keys-hear-the-gradient" in wrong:
        asks = d_context
    if wrong & {"context-goes-back", "context-to-the-values"}:
        heard = context
    if "last-query-only" in wrong:
        heard_scores, heard_weights = d_scores[..., -1:, :], weights[..., -1:, :]
        asks, heard = Q[..., -1:, :], d_context[..., -1:, :]
    d_Q = (weights if "queries-by-weights" in wrong else d_scores) @ K / by_queries
    if "keys-hear-d_Q" in wrong:
        asks = d_Q
    if "reshaped" in wrong:
        heard_scores, heard_weights = (one.reshape(one.mT.shape).mT for one in (heard_scores, heard_weights))
    d_K = (heard_scores if "scores-not-transposed" in wrong else turned(heard_scores)) @ asks / by_keys
    if "values-by-scores" in wrong:
        heard_weights = heard_scores
    if "values-by-raw-scores" in wrong:
        heard_weights = scores
    d_V = (heard_weights if "weights-not-transposed" in wrong else turned(heard_weights)) @ heard
    if "averaged-queries" in wrong:
        d_K, d_V = d_K / Q.shape[-2], d_V / Q.shape[-2]
    if "sign-turned" in wrong:
        d_Q, d_K, d_V = -d_Q, -d_K, -d_V
    if rate := number(wrong, "already-stepped", 1.0):
        d_Q, d_K, d_V = Q - rate * d_Q, K - rate * d_K, V - rate * d_V
    orders = {"keys-queries-exchanged": (d_K, d_Q, d_V), "values-first": (d_V, d_K, d_Q)}
    return slip(wrong, orders, (d_Q, d_K, d_V))
