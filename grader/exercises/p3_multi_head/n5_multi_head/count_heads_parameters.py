from attnlib import parameter_count
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip


@values(
    points=2,
    task="count the parameters of a layer with 12 heads and d_model = 384, as a dict",
    entries=(
        Entry("d_v", "the columns of V that one head gets", 0.25),
        Entry("one head", "the numbers in one head's slices of W_q, W_k and W_v", 0.25),
        Entry("layer", "all parameters of the layer, biases included", 0.25),
        Entry("layer with 1 head", "all parameters with one head", 0.25),
    ),
    mistakes="""
    full-width-heads: you gave every head the full width -> The heads share the columns: d_model = num_heads times d_v.
        Twelve heads of full width would cost twelve times as much. -> Divide the columns among the heads.
    twelve-times: you made the layer twelve times as large as with one head -> The heads share the columns of the same
        matrices; more heads are narrower ones. -> Write down the shapes of the four matrices. Where does the number of
        heads appear?
    twelve-times-matrices: you counted the four whole matrices once for each head -> A head has only its slice of the
        columns; all slices together are one matrix. -> Write down the shapes of the four matrices. Where does the
        number of heads appear?
    full-width-no-biases: you gave every head the full width, and the biases are missing -> The heads share the columns:
        d_model = num_heads times d_v. And each of the four matrices comes with one bias for each of its columns. ->
        Divide the columns among the heads, and add the four biases.
    twelve-times-no-biases: you made the layer twelve times as large as with one head, and the biases are missing -> The
        heads share the columns of the same matrices; and each matrix comes with one bias for each of its columns. ->
        Write down the shapes of the four matrices and the four biases.
    full-width-slices: you gave every head the full width -> The heads share the
        columns: d_model = num_heads times d_v. -> Divide the columns among the heads.
    heads-as-width: you took the number of heads for the width of one, and made its slices that wide -> Twelve heads
        share 384 columns. How many each gets is something else than how many heads there are. -> Divide the columns
        among the heads.
    heads-as-columns: under "d_v" you give the number of heads -> Asked for is how many columns of V one head gets; the
        slices of a head have as many. -> Divide the columns among the heads.
    no-output: `W_o` and its bias are missing -> The layer ends with a matrix that mixes the heads, and it is learned,
        too. -> Count four matrices.
    no-biases: the biases are missing -> Each of the four matrices comes with one bias for each of its columns. -> Add
        the four biases.
    layer-without-biases: in the layer with 12 heads the biases are missing -> Each of the four matrices comes with one
        bias for each of its columns. -> Add the four biases.
    layer-without-output: in the layer with 12 heads `W_o` and its bias are missing -> The layer ends with a matrix that
        mixes the heads, and it is learned, too. -> Count four matrices.
    no-output-matrix: `W_o` is missing, though its bias is counted -> The matrix that mixes the heads is learned, too.
        -> Count four matrices.
    no-output-bias: the bias of `W_o` is missing -> Each of the four matrices comes with one bias for each of its
        columns, the last as well. -> Count four biases.
    biases-for-each-head: in the layer with 12 heads you counted the biases once for each head -> A bias has one number
        for each column of its matrix, and the heads share these columns. -> How many columns has each of the four
        matrices?
    one-bias: you counted one bias for the whole layer -> Each of the four matrices has a bias of its own. -> Count four
        biases.
    one-number-a-bias: you counted one number for each bias -> A bias is a vector: it has one number for each column of
        its matrix. -> How many columns has each of the four matrices?
    biases-of-a-head: your biases have one number for each column of one head -> A bias is added to the whole product,
        before the heads are split: it has as many numbers as a row of that. -> How many columns has each of the four
        matrices?
    three-alone: you counted three matrices and no biases -> The layer ends with a matrix that mixes the heads, and each
        of the four has a bias. -> Count four matrices and four biases.
    two-slices: for one head you counted two slices -> A head has its own columns of Q, of K and of V. -> Count a slice
        of each of `W_q`, `W_k` and `W_v`.
    one-slice: for one head you counted one slice -> A head has its own columns of Q, of K and of V. -> Count a slice of
        each of `W_q`, `W_k` and `W_v`.
    four-slices: you counted a slice of `W_o` to the head -> That is a good thought: each head has its own rows there.
        But the question names three matrices. -> Count a slice of each of `W_q`, `W_k` and `W_v`.
    twelfth-of-the-layer: for one head you divided the whole layer by twelve -> The layer holds more than the slices of
        `W_q`, `W_k` and `W_v`: the output matrix and four biases. -> Count a slice of each of the three.
    slice-with-biases: you counted biases to the slices of one head -> The question asks for the slices of the three
        matrices, without biases. -> Leave the biases out.
    square-slices: for one head you counted square slices -> A slice has its share of the columns, but all the rows:
        each of a token's numbers is used. -> How many rows has a slice of `W_q`?
    whole-matrices: for one head you counted whole matrices -> A head has its share of the columns. -> A slice has all
        384 rows. How many columns?
    columns-only: for one head you counted columns, not numbers -> A column of a matrix holds one number for each row.
        -> Multiply rows by columns.
    more-with-heads: you expect a layer with one head to be smaller -> Heads are slices of the same matrices. More heads
        means narrower ones, not more numbers. -> Write down the shapes of the four matrices for one head.
    twelve-times-with-one-head: the layer with one head is twelve times as large with you -> One head has the width to
        itself that twelve share: the matrices are the same. -> Write down the shapes of the four matrices for one head.
    one-head-of-twelve: for the layer with one head you counted a single one of the twelve heads -> One head has the
        whole width to itself: it is as wide as all twelve together. -> Write down the shapes of the four matrices for
        one head.
    """,
)
def count_heads_parameters(wrong=frozenset()):
    """The counts for d_model = 384 and 12 heads, with mistakes as switches."""
    d_model, heads = 384, 12
    d, whole = d_model // heads, d_model**2
    right = parameter_count(d_model, heads)
    layers = {
        "no-output": right - whole - d_model,
        "no-biases": 4 * whole,
        "no-output-matrix": right - whole,
        "no-output-bias": right - d_model,
        "one-bias": 4 * whole + d_model,
        "one-number-a-bias": 4 * whole + 4,
        "biases-of-a-head": 4 * (whole + d),
        "three-alone": 3 * whole,
    }
    with_12 = {
        "full-width-heads": parameter_count(d_model, heads, d_k=d_model, d_v=d_model),
        "full-width-no-biases": heads * 4 * whole,
        "twelve-times-no-biases": heads * 4 * whole,
        "twelve-times": heads * right,
        "twelve-times-matrices": heads * 4 * whole + 4 * d_model,
        "layer-without-biases": 4 * whole,
        "biases-for-each-head": 4 * whole + heads * 4 * d_model,
        "layer-without-output": right - whole - d_model,
    }
    no_biases = dict.fromkeys(("full-width-no-biases", "twelve-times-no-biases"), 4 * whole)
    with_1 = no_biases | {
        "more-with-heads": right // heads,
        "twelve-times-with-one-head": heads * right,
        "one-head-of-twelve": 4 * d_model * d,
    }
    slices = {
        "full-width-heads": 3 * whole,
        "full-width-no-biases": 3 * whole,
        "full-width-slices": 3 * whole,
        "whole-matrices": 3 * whole,
        "heads-as-width": 3 * d_model * heads,
        "two-slices": 2 * d_model * d,
        "one-slice": d_model * d,
        "four-slices": 4 * d_model * d,
        "twelfth-of-the-layer": right // heads,
        "slice-with-biases": 3 * (d_model + 1) * d,
        "square-slices": 3 * d * d,
        "columns-only": 3 * d,
    }
    wide = ("full-width-heads", "full-width-no-biases", "full-width-slices")
    widths = dict.fromkeys(wide, d_model) | {"heads-as-width": heads, "heads-as-columns": heads}
    both = slip(wrong, layers, right)
    return {
        "d_v": slip(wrong, widths, d),
        "one head": slip(wrong, slices, 3 * d_model * d),
        "layer": slip(wrong, with_12, both),
        "layer with 1 head": slip(wrong, with_1, both),
    }
