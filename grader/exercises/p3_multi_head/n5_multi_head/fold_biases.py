import numpy as np

from grader.exercises.inputs import matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n5_multi_head.multi_head_attention import multi_head_attention
from grader.exercises.stages import number, slip

BIASES = ("b_q", "b_k", "b_v", "b_o")


def _layer(rng, d, draw=matrix, inverse=True):
    """Matrices and biases of a layer of width d; without an inverse, `W_o` ignores one column of the heads."""
    matrices = {name: draw(rng, d, d) for name in ("W_q", "W_k", "W_v", "W_o")}
    if not inverse:
        matrices["W_o"][int(rng.integers(d))] = 0.0  # an inverse is refused, and no matter of rounding
    return matrices | {name: draw(rng, d) for name in BIASES}


def _layer_is_the_same(call, rng):
    layer = _layer(rng, 6, inverse=False)
    matrices, biases = list(layer.values())[:4], {name: layer[name] for name in BIASES}
    folded = dict(zip(BIASES, (np.asarray(b, dtype=float) for b in call(*layer.values())), strict=True))
    X_q, X_kv = matrix(rng, 5, 6), matrix(rng, 7, 6)
    before = multi_head_attention(X_q, X_kv, *matrices, num_heads=3, **biases)
    after = multi_head_attention(X_q, X_kv, *matrices, num_heads=3, **folded)
    for name, one, other in zip(("weights", "context"), before[::-1], after[::-1], strict=True):
        gap = np.abs(one - other).max()
        if not gap < 1e-3 * (1 + np.abs(one).max()):
            return f"with your biases, the largest change of the {name} is {gap:.3g}"
    return None


@function(
    points=4,
    returns=BIASES,
    cases=(
        Case("a layer of width 3", lambda rng: _layer(rng, 3, tenths), 0.3),
        Case("a layer of width 7", lambda rng: _layer(rng, 7), 0.2),
        Case("an output matrix without an inverse", lambda rng: _layer(rng, 5, inverse=False), 0.2),
    ),
    properties=(Property("the layer computes the same", _layer_is_the_same, 0.2),),
    mistakes="""
    keys-left: one of the biases that can go is still there -> Two of the four are to be zeros. -> Write down what each
        of the four adds to a score, and what it adds to a context.
    numbers-for-zeros: two of your biases are the number 0 -> Four vectors of one shape are asked for, so that whoever
        gets them can go on with each. -> Give zeros, as many as the bias had.
    queries-in-the-keys-place: your biases stand in another order: that of the queries is in the keys' place -> They
        come back in the order `b_q`, `b_k`, `b_v`, `b_o`. -> Put the zeros where they belong.
    output-in-the-values-place: your biases stand in another order: the output's stands in the values' place -> They
        come back in the order `b_q`, `b_k`, `b_v`, `b_o`. -> Put the zeros where they belong.
    output-in-the-keys-place: your biases stand in another order: the output's stands in the keys' place -> They come
        back in the order `b_q`, `b_k`, `b_v`, `b_o`. -> Put the zeros where they belong.
    needed-ones-last: your biases stand in another order: the zeros come first -> They come back in the order `b_q`,
        `b_k`, `b_v`, `b_o`. -> Put the zeros where they belong.
    queries-to-keys: the queries' bias is moved to the keys -> A bias of the keys adds the same to every score of a row,
        and softmax does not see it: nothing of the other is left. -> Leave the one that tells keys apart where it is.
    queries-to-keys-through: the queries' bias is moved to the keys, through the matrices -> A bias of the keys adds the
        same to every score of a row, and softmax does not see it: nothing of the other is left. -> Leave the one that
        tells keys apart where it is.
    queries-to-keys-forward: the queries' bias is moved to the keys, through the matrices -> A bias of the keys adds the
        same to every score of a row, and softmax does not see it: nothing of the other is left. -> Leave the one that
        tells keys apart where it is.
    both-through-W_o: two biases are multiplied by `W_o` -> One of them is added before that product, the other after
        it. -> Only what stands before the product goes through it.
    diagonal-of-W_o: each number of the bias meets one entry of `W_o` only, that of the diagonal -> `W_o` mixes: each
        number that comes out is made of all that go in. -> A matrix product.
    columns-of-W_o: the bias is multiplied with `W_o` entry by entry -> NumPy spreads it over the rows; a product of
        matrices is meant. -> Which sign stands for it?
    four-left: you give all four biases back as they came -> The layer is the same then, but two of the four are to be
        zeros. -> Which bias adds the same to every score of a row? And which adds the same to every context of a head?
    none-for-zeros: two of your biases are None -> None says that a layer has no such bias; here four vectors of one
        shape are asked for, so that whoever gets them can go on with each. -> Give zeros, as many as the bias had.
    all-gone: all your biases are zeros -> Two can go, the other two cannot: they hold what the layer must not lose. ->
        Write down what each bias adds to a score, and what it adds to a context.
    three-gone: three of your biases are zeros, the queries' as well -> It adds to each score something that depends on
        the key: some keys profit more than others. -> Two can go; look for the one that adds the same to a whole row.
    three-left: one of the biases that can go is still there -> Two of the four are to be zeros. -> Write down what each
        of the four adds to a score, and what it adds to a context.
    counted-twice: one bias is moved to another place, but is still in its old one as well -> Then it counts twice. ->
        What has moved leaves zeros behind.
    no-b_o: the output's own bias is lost -> What is moved there is added to it. -> Add both.
    dropped: a bias is set to zeros whose effect is not made up for anywhere -> Then all contexts are shifted. -> What
        does it add to the result of the layer, once all is multiplied and added? That has to stand elsewhere.
    not-through-W_o: a bias is moved over `W_o` as it is -> On its way out, whatever was added before `W_o` is
        multiplied by it. -> What does the bias look like after that product?
    transposed-W_o: `W_o` is multiplied from the wrong side -> All vectors of this course are rows: `X @ W`. A square
        matrix does not complain. -> Which side of the matrix does a row stand on?
    through-W_v: the bias is multiplied by `W_v` on its way -> It is added after that product. -> Follow it from where
        it is added.
    through-W_v-alone: the bias is multiplied by `W_v`, and not by `W_o` -> It is added after the one product and before
        the other. -> Follow it from where it is added to where the layer ends.
    through-W_o-inverse: the bias is multiplied by the inverse of `W_o` -> It goes forward through `W_o`, not back. ->
        Follow it from where it is added to where the layer ends.
    backwards: you moved the output's bias back through the inverse of `W_o` -> That takes a matrix with an inverse, and
        the task allows any. -> Go the other way: forward there is nothing to invert.
    backwards-nearly: you moved the output's bias back through a pseudo-inverse of `W_o` -> Where the matrix has no
        inverse, that brings back a part of it only. -> Go the other way: forward there is nothing to invert.
    subtracted: what is moved is subtracted -> The layer adds it, so the place where it goes to has to add it as well.
        -> Look at the sign.
    once-for-each-head=: what is moved is added several times -> All heads together have the columns of the values, each
        its own: `b_v` as a whole passes through `W_o` once, however many heads there are. -> Leave the factor out.
    weighted-mean: you moved the mean of a bias -> Each column has its own entry, and each is shifted by its own. ->
        Keep it a vector.
    keys-to-queries: the keys' bias is added to the queries' -> It changes no weight, so it is needed nowhere; but where
        you put it, it does change them. -> Softmax does not see what is the same for a whole row: so what has to be
        made up for?
    keys-to-output: the keys' bias is moved into the output as well -> No value is ever made of it: it changes scores
        only, and those by the same amount for a whole row. -> What has to be made up for, then?
    queries-gone: the queries' bias is set to zeros -> It adds to each score something that depends on the key: some
        keys profit more than others. -> Look for the one that adds the same to a whole row.
    queries-to-output: the queries' bias is moved into the output as well -> It acts on the scores only. -> Leave it
        where it is.
    for-each-matrix: you multiplied each bias by its matrix -> A bias is added after its product, and that is over. ->
        Which of them passes through another matrix later?
    """,
)
def fold_biases(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o, wrong=frozenset()):
    """The two biases that are needed, with the mistakes that people make as switches."""
    none = np.zeros(np.shape(b_q))
    times = number(wrong, "once-for-each-head", 3) or 1.0
    through = b_v @ W_o
    if "none-for-zeros" in wrong:
        return b_q, None, None, b_o + through
    others = {
        "numbers-for-zeros": (b_q, 0, 0, b_o + through),
        "three-gone": (none, none, none, b_o + through),
        "keys-left": (b_q, b_k, none, b_o + through),
        "queries-in-the-keys-place": (none, b_q, none, b_o + through),
        "output-in-the-values-place": (b_q, none, b_o + through, none),
        "output-in-the-keys-place": (b_q, b_o + through, none, none),
        "needed-ones-last": (none, none, b_q, b_o + through),
        "queries-to-keys": (none, b_k + b_q, none, b_o + through),
        "queries-to-keys-through": (none, b_k + b_q @ W_q.T @ W_k, none, b_o + through),
        "queries-to-keys-forward": (none, b_k + b_q @ W_q @ W_k.T, none, b_o + through),
    }
    if found := slip(wrong, others, None):
        return found
    if "four-left" in wrong:
        return b_q, b_k, b_v, b_o
    if "all-gone" in wrong:
        return none, none, none, none
    if "three-left" in wrong:
        return b_q, none, b_v, b_o
    if "backwards" in wrong:
        return b_q, none, b_v + b_o @ np.linalg.inv(W_o), none
    if "backwards-nearly" in wrong:
        return b_q, none, b_v + b_o @ np.linalg.pinv(W_o), none
    if "queries-gone" in wrong:
        return none, b_k, none, b_o + through
    if "through-W_o-inverse" in wrong:
        through = b_v @ np.linalg.pinv(W_o)
    if "for-each-matrix" in wrong:
        return b_q @ W_q, none, none, b_o @ W_o + b_v @ W_v
    asks = b_q + b_k if "keys-to-queries" in wrong else b_q
    slips = {
        "no-b_o": through,
        "dropped": b_o,
        "not-through-W_o": b_o + b_v,
        "transposed-W_o": b_o + W_o @ b_v,
        "both-through-W_o": (b_o + b_v) @ W_o,
        "diagonal-of-W_o": b_o + np.diag(W_o) * b_v,
        "columns-of-W_o": b_o + b_v * W_o.sum(axis=0),
        "through-W_v": b_o + b_v @ W_v @ W_o,
        "through-W_v-alone": b_o + b_v @ W_v,
        "subtracted": b_o - through,
        "weighted-mean": b_o + through.mean(),
        "keys-to-output": b_o + (b_k + b_v) @ W_o,
        "queries-to-output": b_o + (b_q + b_v) @ W_o,
    }
    return asks, none, b_v if "counted-twice" in wrong else none, slip(wrong, slips, b_o + times * through)
