import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip


def count(d_model, d_k, d_v, biases, n, wrong):
    matrices = [d_model * d_k, d_model * d_k, d_model * d_v]
    extra = [d_k, d_k, d_v] if (biases or "biases-everywhere" in wrong) and "no-biases" not in wrong else [0, 0, 0]
    if "one-bias" in wrong:
        extra = extra[:1]
    slips = {
        "one-matrix-no-biases": matrices[0],
        "one-matrix": matrices[0] + extra[0],
        "two-matrices": sum(matrices[:2]) + sum(extra[:2]),
        "square": 3 * d_model * d_model + sum(extra),
        "d_v-ignored": 3 * matrices[0] + sum(extra),
        "d_v-for-all": 3 * matrices[2] + sum(extra),
        "d_v-twice": matrices[0] + 2 * matrices[2] + sum(extra),
        "values-from-keys": 2 * matrices[0] + d_k * d_v + sum(extra),
        "queries-or-keys": matrices[0] + matrices[2] + sum(extra[1:]),
        "rows-plus-columns": 2 * (d_model + d_k) + d_model + d_v + sum(extra),
        "four-matrices": sum(matrices) + d_model * d_v + sum(extra) + (d_model if any(extra) else 0),
        "with-tokens": sum(matrices) + sum(extra) + n * d_model,
        "multiplied": int(np.prod(matrices)) + sum(extra),
        "per-token": max(n, 1) * (sum(matrices) + sum(extra)),
    }
    return slip(wrong, slips, sum(matrices) + sum(extra))


LAYERS = {  # columns of X, of W_q and W_k, and of W_v; biases; tokens
    "small": (4, 3, 3, False, 3),
    "long": (4, 3, 3, False, 1000),
    "uneven": (512, 64, 96, False, 0),
    "real": (384, 384, 384, True, 0),
}


@values(
    points=2,
    task="count the parameters of the four layers",
    entries=(
        Entry("small", "4 numbers to 3, no biases, a sentence of 3 tokens", 0.25),
        Entry("long", "the same layer, a text of 1,000 tokens", 0.25),
        Entry("uneven", "d_model 512, d_k 64, d_v 96, no biases", 0.25),
        Entry("real", "d_model = d_k = d_v = 384, with biases", 0.25),
    ),
    mistakes="""
    with-tokens: you count the embeddings of the sentence, too -> X is input. It changes with every sentence; parameters
        are what stays. -> Count the entries of the projections only.
    per-token: you multiply by the number of tokens -> All tokens go through the same three matrices: they are shared,
        which is why a text may have any length. -> Leave the number of tokens out.
    per-token-in-long: you multiply by the number of tokens in the long text -> All tokens go through the same three
        matrices: they are shared, which is why a text may have any length. -> Leave the number of tokens out.
    one-matrix-in-real: in the last layer you count one projection -> There are three roles, and each has a matrix and a
        bias of its own. -> Add up all three.
    one-matrix: you count one projection -> There are three roles, and each has a matrix of its own. -> Add up all
        three.
    one-matrix-no-biases: you count one projection, and none of the biases -> There are three roles, and each has a
        matrix of its own; in the last layer each has a bias, too. -> Add up all that is learned, for all three.
    two-matrices: you left the values out -> Queries and keys make the weights; the values have a projection, too. ->
        Add up all three.
    square: you took every projection for a square matrix -> A projection has d_model rows, but d_k (or d_v) columns. ->
        Rows times columns, for each matrix.
    d_v-ignored: you gave the values as many columns as the keys -> `W_v` has d_v columns, and d_v need not be d_k. ->
        Rows times columns, for each matrix by itself.
    d_v-for-all: you gave all three projections d_v columns -> Queries and keys have d_k numbers each; only the values
        have d_v. -> Rows times columns, for each matrix by itself.
    d_v-twice: you count one matrix with d_k columns and two with d_v -> Queries and keys both have d_k numbers; only
        the values have d_v. -> Rows times columns, for each matrix by itself.
    values-from-keys: you gave `W_v` as many rows as the keys have numbers -> Values are made from the embeddings, just
        as queries and keys are. -> Every projection has d_model rows.
    queries-or-keys: you count queries and keys as one projection -> They have the same shape, but each has numbers of
        its own. -> Three roles, three matrices.
    rows-plus-columns: you added rows and columns -> A matrix has as many entries as rows times columns. -> Multiply.
    rows-plus-columns-real-only: in the last layer you added rows and columns -> A matrix has as many entries as rows
        times columns. -> Multiply.
    rows-plus-columns-uneven-only: in the uneven layer you added rows and columns -> A matrix has as many entries as
        rows times columns. -> Multiply.
    one-matrix-small-and-long: in the first two layers you count one projection -> There are three roles, and each has a
        matrix of its own. -> Add up all three.
    twelve-heads: in the last layer you multiply by the number of heads -> The sizes are those of all heads together:
        each head has only its share of the 384 columns. -> Count the three projections once.
    twelve-heads-no-biases: in the last layer you multiply by the number of heads, and leave out the biases -> The sizes
        are those of all heads together: each head has only its share of the 384 columns. -> Count the three projections
        and their biases once.
    square-small-and-long: in the first two layers you took every projection for a square matrix -> Each has 4 rows
        there, one for each number of an embedding, but 3 columns. -> Rows times columns, for each matrix.
    embeddings-in-small: for the sentence of 3 tokens you count the embeddings, too -> X is input. It changes with every
        sentence; parameters are what stays. -> Count the entries of the projections only.
    one-matrix-in-real-no-biases: in the last layer you count one projection, and no bias -> There are three roles, and
        each has a matrix and a bias of its own. -> Add up all three.
    queries-or-keys-uneven-only: in the uneven layer you count queries and keys as one projection -> They have the same
        shape, but each has numbers of its own. -> Three roles, three matrices.
    one-matrix-uneven-only: in the uneven layer you count one projection -> There are three roles, and each has a matrix
        of its own. -> Add up all three.
    four-matrices: you count a fourth matrix -> These layers have three projections: for queries, keys and values. A
        fourth comes with several heads. -> Add up three.
    four-matrices-real-only: in the last layer you count a fourth projection -> It has three: for queries, keys and
        values. A fourth comes with several heads. -> Add up three, with their biases.
    one-bias: in the last layer you count one bias for all three projections -> Each of them adds a bias of its own. ->
        Add the length of each bias.
    biases-everywhere: you count biases in every layer -> Only the last one has them here. -> Read what is said of each
        layer.
    scores-in-long: for the long text you count the scores -> Scores are computed anew for each text; parameters are
        what stays. -> Count the entries of the projections only.
    embeddings-in-long: for the long text you count the embeddings, too -> X is input. It changes with every text;
        parameters are what stays. -> Count the entries of the projections only.
    no-biases: you left out the biases of the last layer -> A bias is one number for each number that comes out of a
        projection, and it is learned, too. -> Add the length of each bias.
    multiplied: you multiplied what the three matrices have -> Each has entries of its own. -> Rows times columns within
        a matrix; then add up the three.
    multiplied-uneven-only: in the uneven layer you multiplied what the three matrices have -> Each has entries of its
        own. -> Rows times columns within a matrix; then add up the three.
    sizes-multiplied-uneven-only: in the uneven layer you multiplied d_model, d_k and d_v -> No matrix has all three
        sizes: two have d_model rows and d_k columns, one has d_v columns. -> Rows times columns within a matrix; then
        add up the three.
    head-biases: in the last layer your biases have the length of one head's share -> The sizes are those of all heads
        together: each projection gives 384 numbers, and its bias has as many. -> Add the length of each bias.
    two-matrices-uneven-only: in the uneven layer you left the values out -> They have a projection, too. -> Add up all
        three.
    """,
)
def count_parameters(wrong=frozenset()):
    found = {name: count(*sizes, wrong) for name, sizes in LAYERS.items()}
    if "per-token-in-long" in wrong:
        found["long"] *= LAYERS["long"][-1]
    if "one-matrix-in-real" in wrong:
        found["real"] //= 3
    if "one-matrix-in-real-no-biases" in wrong:
        found["real"] = LAYERS["real"][0] ** 2
    if "one-matrix-small-and-long" in wrong:
        found |= {name: count(*LAYERS[name], {"one-matrix"}) for name in ("small", "long")}
    if wrong & {"twelve-heads", "twelve-heads-no-biases"}:
        found["real"] = 12 * count(*LAYERS["real"], {"no-biases"} if "twelve-heads-no-biases" in wrong else set())
    if "embeddings-in-small" in wrong:
        found["small"] += LAYERS["small"][-1] * LAYERS["small"][0]
    if "square-small-and-long" in wrong:
        found |= {name: count(*LAYERS[name], {"square"}) for name in ("small", "long")}
    for mistake in (
        "four-matrices",
        "one-matrix",
        "queries-or-keys",
        "rows-plus-columns",
        "multiplied",
        "two-matrices",
    ):
        for name in ("uneven", "real"):
            if f"{mistake}-{name}-only" in wrong:
                found[name] = count(*LAYERS[name], {mistake})
    if "sizes-multiplied-uneven-only" in wrong:
        found["uneven"] = int(np.prod(LAYERS["uneven"][:3]))
    if "head-biases" in wrong:
        found["real"] -= 3 * (384 - 384 // 12)
    if "scores-in-long" in wrong:
        found["long"] = LAYERS["long"][-1] ** 2
    if "embeddings-in-long" in wrong:
        found["long"] += LAYERS["long"][-1] * LAYERS["long"][0]
    return found
