from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip


def count(d_model, d_k, d_v, biases, n, wrong):
    matrices = [d_model * d_k, d_model * d_k, d_model * d_v]
    extra = [d_k, d_k, d_v] if biases and "no-biases" not in wrong else [0, 0, 0]
    if "biases-per-row" in wrong and biases:
        extra = [d_model] * 3
    slips = {
        "one-matrix-no-biases": matrices[0],
        "one-matrix": matrices[0] + extra[0],
        "two-matrices": sum(matrices[:2]) + sum(extra[:2]),
        "square": 3 * d_model * d_model + sum(extra),
        "with-tokens": sum(matrices) + sum(extra) + n * d_model,
        "per-token": max(n, 1) * (sum(matrices) + sum(extra)),
    }
    return slip(wrong, slips, sum(matrices) + sum(extra))


LAYERS = {  # columns of X, of W_q and W_k, and of W_v; biases; tokens
    "small": (4, 3, 3, False, 3),
    "long": (4, 3, 3, False, 1000),
    "uneven": (512, 64, 128, False, 0),
    "real": (384, 384, 384, True, 0),
}


@values(
    points=2,
    task="count the parameters of the four layers",
    entries=(
        Entry("small", "4 numbers to 3, no biases, a sentence of 3 tokens", 0.25),
        Entry("long", "the same layer, a text of 1,000 tokens", 0.25),
        Entry("uneven", "d_model 512, d_k 64, d_v 128, no biases", 0.25),
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
    no-biases: you left out the biases of the last layer -> A bias is one number for each number that comes out of a
        projection, and it is learned, too. -> Add the length of each bias.
    """,
)
def count_parameters(wrong=frozenset()):
    found = {name: count(*sizes, wrong) for name, sizes in LAYERS.items()}
    if "per-token-in-long" in wrong:
        found["long"] *= LAYERS["long"][-1]
    if "one-matrix-in-real" in wrong:
        found["real"] //= 3
    return found
