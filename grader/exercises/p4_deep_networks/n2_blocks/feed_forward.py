import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n2_blocks.gelu import gelu
from grader.exercises.stages import inside


def _inputs(rng, *shape, d_ff, draw=matrix, dtype=float):
    d = shape[-1]
    inputs = {
        "X": draw(rng, *shape),
        "W_1": draw(rng, d, d_ff),
        "b_1": draw(rng, d_ff),
        "W_2": draw(rng, d_ff, d),
        "b_2": draw(rng, d),
    }
    return {name: value.astype(dtype) for name, value in inputs.items()}


def _normed(X):
    return (X - X.mean(axis=-1, keepdims=True)) / np.sqrt(X.var(axis=-1, keepdims=True) + 1e-12)


def _each_token_by_itself(call, rng):
    inputs = _inputs(rng, 5, 3, d_ff=7)
    other = inputs | {"X": inputs["X"].copy()}
    other["X"][2] += 1
    gap = np.abs(np.delete(call(*inputs.values()) - call(*other.values()), 2, axis=0)).max()
    return None if gap < 1e-6 else f"another token's result changes by {gap:.3g}"


@function(
    points=2,
    returns="added",
    cases=(
        Case("two tokens, five units", lambda rng: _inputs(rng, 2, 3, d_ff=5, draw=tenths), 0.3),
        Case(
            "the example of the task",
            example(
                X=np.array([[1.0, 2.0], [0.0, -3.0]]),
                W_1=np.array([[1.0], [1.0]]),
                b_1=np.zeros(1),
                W_2=np.array([[10.0, 20.0]]),
                b_2=np.ones(2),
            ),
            0.1,
        ),
        Case("seven tokens, eleven units", lambda rng: _inputs(rng, 7, 5, d_ff=11), 0.1),
        Case("all sizes equal", lambda rng: _inputs(rng, 5, 5, d_ff=5), 0.1),
        Case("a batch of two", lambda rng: _inputs(rng, 2, 3, 5, d_ff=7), 0.1),
        Case("single precision", lambda rng: _inputs(rng, 3, 5, d_ff=7, dtype=np.float32), 0.1),
    ),
    properties=(Property("a token's result does not depend on other tokens", _each_token_by_itself, 0.1),),
    within=(("in the bend", gelu),),
    mistakes="""
    no-bend: there is no bend between the two products -> Two products in a row are one product by one matrix: the units
        would be for nothing. -> `gelu` comes between them.
    bend-at-the-end: `gelu` is there a second time, at the end -> What is added to the token may be negative. -> One
        bend, between the two products.
    only-the-last-bend: `gelu` comes at the end only -> Two products in a row are one product by one matrix: the units
        would be for nothing. -> Bend what the units say, before their values are added up.
    bias-after-bend: `b_1` is added after the bend -> It says how easily a unit wakes, so it has to be there before that
        is decided. -> Product, bias, bend.
    no-b_1: `b_1` is left out -> It says how easily each unit wakes. -> Add it to the first product.
    no-b_2: `b_2` is left out -> It is added to every token's result. -> Add it at the end.
    b_2-by-units: `b_2` is added once for each unit -> In a loop over the units it joins the sum in every round. -> Add
        it once, outside the loop.
    no-biases: both biases are left out -> Each product has one. -> Add `b_1` before the bend, `b_2` at the end.
    relu: the bend is a ReLU -> The model of 2017 had that one; this one was trained with `gelu`. -> Use your `gelu`.
    b_2-multiplied: `b_2` multiplies what comes out -> It is a shift. -> Add it.
    tanh-bend: the bend is a tanh -> Then no unit can be more than 1 awake. -> Use your `gelu`.
    sigmoid-bend: the bend is a sigmoid -> Then a unit that hears nothing is half awake. -> Use your `gelu`.
    b_2-on-the-matrix: `b_2` is added to `W_2`, before the product -> Then it is multiplied by all units together. ->
        Add it to the product: no parentheses around matrix and bias.
    b_1-on-the-matrix: `b_1` is added to `W_1`, before the product -> Then it is multiplied by all numbers of the token.
        -> Add it to the product: no parentheses around matrix and bias.
    bend-first: you bend X before it meets the keys -> A unit compares the token as it is. -> Product, bias, bend.
    softmax-bend: a softmax stands in the place of the bend -> Then units compete, as keys do in attention. Here each
        unit decides by itself. -> Use your `gelu`.
    residual-added: you add X to the result -> That will come, but outside of this function. -> Return only what the
        layer adds.
    units-returned: you return how far the units are awake -> That is the half of it: what they say is still to come. ->
        Multiply by `W_2`, and add `b_2`.
    transposed: the matrices are transposed -> All matrices of this course are stored ready for `X @ W`. Where all sizes
        are equal nothing complains. -> Use them as they are.
    exchanged: keys and values have changed places: `W_2` comes first, transposed, and then `W_1` -> The key of a unit
        is a column of `W_1`, its value a row of `W_2`. -> First `W_1`, then `W_2`, as they are.
    shares: you divide how far the units are awake by their sum -> That is attention's way, where keys compete. Here
        each unit decides by itself. -> Leave it out.
    scaled: you divide by a root, as attention does -> Here nothing is scaled. -> Leave it out.
    scaled-with-bias: you divide by a root before the bend, the bias as well -> Here nothing is scaled. -> Leave it out.
    b_2-on-X: `b_2` is added to X -> It is a shift of what comes out, not of what goes in. -> Add it at the end.
    X-normed: you norm X first -> That will come, but outside of this function. -> Use X as it comes.
    result-normed: you norm the result -> That will come, but outside of this function. -> Return what the layer adds,
        as it is.
    awake-only: units that hear less than 0 say nothing at all -> With `gelu` a little passes below 0, too. -> The
        bend is all that decides: no case needs a line of its own.
    bent-twice: two bends stand one behind the other -> Whatever sleeps a little is put to sleep more. -> One bend,
        between the two products.
    times-bend: what a unit hears multiplies the bend -> `gelu` gives not the share but what passes: x is in it already.
        -> Go on with what `gelu` gives.
    b_1-multiplied: `b_1` multiplies what the units hear -> It is a shift. -> Add it.
    b_2-summed: all numbers of `b_2` are added up -> Each column of the result has a shift of its own. -> Add `b_2` as
        it is.
    matrix-bent: `W_1` is bent, before it meets X -> Bent is what a unit hears of a token. -> Product, bias, bend.
    W_1-twice: `W_1` is there twice, the second time transposed -> The key of a unit and its value are two different
        vectors. -> The second product is that with `W_2`.
    """,
)
def feed_forward(X, W_1, b_1, W_2, b_2, wrong=frozenset()):
    """A feed-forward layer, with the mistakes that people make as switches."""
    X, W_1, b_1, W_2, b_2 = (np.asarray(a, dtype=float) for a in (X, W_1, b_1, W_2, b_2))
    source = X
    if wrong & {"no-b_1", "no-biases"}:
        b_1 = 0.0
    if wrong & {"no-b_2", "no-biases"}:
        b_2 = 0.0
    if "b_2-by-units" in wrong:
        b_2 = b_2 * W_1.shape[1]
    if "transposed" in wrong:
        W_1, W_2 = W_1.T, W_2.T
    if "exchanged" in wrong:
        W_1, W_2 = W_2.T, W_1.T
    if "W_1-twice" in wrong:
        W_2 = W_1.T
    if "b_1-on-the-matrix" in wrong:
        W_1, b_1 = W_1 + b_1, 0.0
    if "b_2-on-the-matrix" in wrong:
        W_2, b_2 = W_2 + b_2, 0.0
    if "bend-first" in wrong:
        return (gelu(X) @ W_1 + b_1) @ W_2 + b_2
    if "matrix-bent" in wrong:
        return X @ gelu(W_1 + b_1) @ W_2 + b_2
    if "b_2-on-X" in wrong:
        X, b_2 = X + b_2, 0.0
    if "X-normed" in wrong:
        X = _normed(X)
    heard = X @ W_1
    if "scaled" in wrong:
        heard = heard / np.sqrt(X.shape[-1])
    heard = heard * b_1 if "b_1-multiplied" in wrong else heard + b_1
    if "scaled-with-bias" in wrong:
        heard = heard / np.sqrt(X.shape[-1])
    if wrong & {"no-bend", "only-the-last-bend"}:
        awake = heard
    elif "bias-after-bend" in wrong:
        awake = gelu(X @ W_1) + b_1
    elif "relu" in wrong:
        awake = np.maximum(heard, 0)
    elif "sigmoid-bend" in wrong:
        awake = 1 / (1 + np.exp(-heard))
    elif "tanh-bend" in wrong:
        awake = np.tanh(heard)
    elif "softmax-bend" in wrong:
        powers = np.exp(heard - heard.max(axis=-1, keepdims=True))
        awake = powers / powers.sum(axis=-1, keepdims=True)
    else:
        awake = gelu(heard, wrong=inside(wrong, "gelu"))
    if "awake-only" in wrong:
        awake = np.where(heard > 0, awake, 0)
    if "bent-twice" in wrong:
        awake = gelu(awake)
    if "times-bend" in wrong:
        awake = heard * awake
    if "shares" in wrong:
        awake = awake / awake.sum(axis=-1, keepdims=True)
    if "units-returned" in wrong:
        return awake
    if "b_2-summed" in wrong:
        b_2 = np.sum(b_2)
    added = awake @ W_2 * b_2 if "b_2-multiplied" in wrong else awake @ W_2 + b_2
    if wrong & {"bend-at-the-end", "only-the-last-bend"}:
        added = gelu(added)
    if "result-normed" in wrong:
        added = _normed(added)
    return source + added if "residual-added" in wrong else added
