import numpy as np

from grader.exercises.inputs import matrix, square
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n4_learning.attention_backward import attention_backward
from grader.exercises.p4_deep_networks.n4_learning.shared import single
from grader.exercises.stages import inside, number, slip, softmax


def sizes(n, d_model, d_k, d_v, draw=matrix):
    def make(rng):
        shapes = {"X": (n, d_model), "W_q": (d_model, d_k), "W_k": (d_model, d_k), "W_v": (d_model, d_v)}
        drawn = {name: draw(rng, *shape) for name, shape in shapes.items()}
        return drawn | {"d_context": draw(rng, n, d_v)}

    return make


def all_square(rng):
    names = ("X", "W_q", "W_k", "W_v", "d_context")
    return {name: square(rng, 5) / 2 for name in names}


def small_steps_are_foretold(call, rng):
    given = sizes(5, 3, 2, 7)(rng)
    d_context = given.pop("d_context")

    def loss(X, W_q, W_k, W_v):
        scores = (X @ W_q) @ (X @ W_k).T / np.sqrt(W_q.shape[-1])
        return float((softmax(scores) @ (X @ W_v) * d_context).sum())

    told = call(*given.values(), d_context)
    for name, gradient in zip(given, told, strict=True):
        step = matrix(rng, *given[name].shape, scale=1e-4)
        up, down = (loss(**(given | {name: given[name] + sign * step})) for sign in (1, -1))
        if not abs((gradient * step).sum() - (up - down) / 2) < 1e-6:
            return f"a small step of {name} moves the loss otherwise than d_{name} says"
    return None


@function(
    points=4,
    returns=("d_X", "d_W_q", "d_W_k", "d_W_v"),
    cases=(
        Case("two tokens of three numbers, d_k = 5, d_v = 1", sizes(2, 3, 5, 1), 0.25),
        Case("seven tokens of five numbers, d_k = 2, d_v = 3", sizes(7, 5, 2, 3), 0.2),
        Case("all sizes 5", all_square, 0.15),
        Case("in single precision", sizes(3, 7, 2, 5, single), 0.1),
    ),
    properties=(
        Property("it tells what a small step of each argument does to the loss", small_steps_are_foretold, 0.2),
    ),
    within=(("on the way back through attention", attention_backward),),
    mistakes="""
    value-road-only: the tokens' gradient comes by the values' road alone -> A token is used three times: it asks, it
        is asked, and it is said. -> Add what comes back through queries and keys.
    query-road-only: the tokens' gradient comes by the queries' road alone -> A token is used three times: it asks, it
        is asked, and it is said. -> Add what comes back through keys and values.
    key-road-only: the tokens' gradient comes by the keys' road alone -> A token is used three times: it asks, it is
        asked, and it is said. -> Add what comes back through queries and values.
    query-road-missing: what comes back to the tokens through the queries is missing -> A token is used three times: it
        asks, it is asked, and it is said. -> Add the third road.
    key-road-missing: what comes back to the tokens through the keys is missing -> A token is used three times: it
        asks, it is asked, and it is said. -> Add the third road.
    value-road-missing: what comes back to the tokens through the values is missing -> A token is used three times: it
        asks, it is asked, and it is said. -> Add the third road.
    roads-averaged: you take the mean of the three roads to the tokens -> A small change of a token goes down all three
        at once, and what they do adds up. -> Sum.
    not-turned-back: the projections are not transposed on the way back -> On the way there X meets W_q; on the way
        back d_Q, of shape (n, d_k), has to become (n, d_model). Only square matrices fit otherwise. -> Write the
        shapes under the product.
    tokens-not-turned: for the matrices' gradients the tokens are not transposed -> W_q has shape (d_model, d_k), so X,
        of shape (n, d_model), has to give its last axis first. Only where n is d_model does this fit otherwise. ->
        Write the shapes under the product.
    keys-queries-exchanged: the gradients of W_q and W_k have changed places -> The first of the two belongs to W_q. ->
        Follow each from the query or the key that it made.
    roads-crossed: on the way to the tokens W_q and W_k have changed places -> What came back to the queries goes on
        through the matrix that made them. -> d_Q with W_q, d_K with W_k.
    weights-forgotten: the gradient of W_v takes what comes back to the context for what comes back to the values ->
        Between the two stand the attention's weights. -> Multiply X, turned round, with d_V.
    context-on-the-values-road: the tokens' gradient takes what comes back to the context for what comes back to the
        values -> Between the two stand the attention's weights. -> Multiply d_V by W_v, turned round.
    queries-and-keys-exchanged: queries and keys have changed places on the way through attention -> Both have the same
        shape, so nothing complains; but who asks and who answers is another thing. -> Queries first, then keys.
    queries-on-the-keys-road: what came back to the queries goes down the keys' road as well -> Each road begins with
        what came back to it. -> d_K goes through W_k.
    gradient-for-tokens: for the matrices' gradients you took the tokens' gradient in the place of the tokens -> A
        matrix matters as far as the tokens that it meets are large. -> X, turned round, times what came back.
    tokens-last: the tokens' gradient comes last -> The order is that of the arguments: X, W_q, W_k, W_v. -> Exchange
        what you return.
    averaged-tokens: the matrices' gradients are averaged over the tokens -> Every token uses the same matrix, and what
        they do adds up. -> Sum; the mean is the loss's affair.
    already-stepped=: for the matrices' gradients you return the matrices after a step -> What to do with a gradient is
        the affair of `sgd_step`. -> Return the gradients as they are.
    """,
)
def self_attention_backward(X, W_q, W_k, W_v, d_context, wrong=frozenset()):
    """The way back through self-attention, with mistakes as switches."""
    X, W_q, W_k, W_v = (np.asarray(array, dtype=float) for array in (X, W_q, W_k, W_v))
    Q, K = X @ W_q, X @ W_k
    if "queries-and-keys-exchanged" in wrong:
        Q, K = K, Q
    parts = attention_backward(Q, K, X @ W_v, d_context, wrong=inside(wrong, "attention_backward"))
    back = (W_k, W_q, W_v) if "roads-crossed" in wrong else (W_q, W_k, W_v)
    roads = [part @ (W if "not-turned-back" in wrong else W.T) for part, W in zip(parts, back, strict=True)]
    if "context-on-the-values-road" in wrong:
        roads[2] = np.asarray(d_context, dtype=float) @ W_v.T
    if "queries-on-the-keys-road" in wrong:
        roads[1] = parts[0] @ W_k.T
    left_out = {
        "value-road-only": roads[2:],
        "query-road-only": roads[:1],
        "key-road-only": roads[1:2],
        "query-road-missing": roads[1:],
        "key-road-missing": roads[::2],
        "value-road-missing": roads[:2],
    }
    d_X = sum(slip(wrong, left_out, roads))
    if "roads-averaged" in wrong:
        d_X = d_X / 3
    if "gradient-for-tokens" in wrong:
        X = d_X
    of_matrices = [(X if "tokens-not-turned" in wrong else X.T) @ part for part in parts]
    if "weights-forgotten" in wrong:
        of_matrices[2] = X.T @ np.asarray(d_context, dtype=float)
    if "averaged-tokens" in wrong:
        of_matrices = [gradient / len(X) for gradient in of_matrices]
    if rate := number(wrong, "already-stepped", 0.1):
        of_matrices = [W - rate * gradient for W, gradient in zip((W_q, W_k, W_v), of_matrices, strict=True)]
    if "keys-queries-exchanged" in wrong:
        of_matrices[:2] = of_matrices[1::-1]
    return (*of_matrices, d_X) if "tokens-last" in wrong else (d_X, *of_matrices)
