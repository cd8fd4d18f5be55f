from attnlib import parameter_count
from grader.exercises.kinds import Entry, values


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
    no-output: `W_o` and its bias are missing -> The layer ends with a matrix that mixes the heads, and it is learned,
        too. -> Count four matrices.
    no-biases: the biases are missing -> Each of the four matrices comes with one bias for each of its columns. -> Add
        the four biases.
    more-with-heads: you expect a layer with one head to be smaller -> Heads are slices of the same matrices. More heads
        means narrower ones, not more numbers. -> Write down the shapes of the four matrices for one head.
    """,
)
def count_heads_parameters(wrong=frozenset()):
    """The counts for d_model = 384 and 12 heads, with mistakes as switches."""
    d_model, heads = 384, 12
    d = d_model if "full-width-heads" in wrong else d_model // heads
    all_heads = parameter_count(d_model, heads, d_k=d, d_v=d, biases="no-biases" not in wrong)
    if "no-output" in wrong:
        all_heads -= d_model**2 + d_model
    one_head = all_heads // heads if "more-with-heads" in wrong else all_heads
    if "twelve-times" in wrong:
        all_heads *= heads
    if "twelve-times-matrices" in wrong:
        all_heads = heads * 4 * d_model**2 + 4 * d_model
    return {"d_v": d, "one head": 3 * d_model * d, "layer": all_heads, "layer with 1 head": one_head}
