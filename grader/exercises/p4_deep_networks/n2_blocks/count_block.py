from attnlib import parameter_count
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip


@values(
    points=1,
    task="count the learned numbers of a block with d_model = 384 and d_ff = 1536, as a dict",
    entries=(
        Entry("attention", "the numbers of its attention", 0.25),
        Entry("feed-forward", "the numbers of its feed-forward layer", 0.25),
        Entry("norms", "the numbers of its norms", 0.25),
        Entry("six blocks", "all numbers of six blocks", 0.25),
    ),
    mistakes="""
    no-biases: the biases of the products are missing -> Each product comes with one bias for each of its columns. ->
        Six matrices, six biases.
    no-biases-at-all: all biases are missing, those of the products and of the norms -> Each product comes with one bias
        for each of its columns, and a norm has a weight and a bias. -> Six matrices with six biases, two norms with two
        vectors each.
    attention-without-biases: in the attention the biases are missing -> Each of its four matrices comes with one bias
        for each of its columns. -> Add them.
    attention-one-bias: in the attention only one bias is counted -> Each of its four matrices comes with one bias for
        each of its columns, not only `W_o`. -> Count four.
    attention-of-three: in the attention one of the four matrices is missing -> `W_o` and its bias belong to it. ->
        Count `W_q`, `W_k`, `W_v` and `W_o`.
    attention-for-each-head: you counted the attention once for each head -> The heads share the columns of the same
        matrices. -> Where does the number of heads appear in the shapes?
    ffn-without-biases: in the feed-forward layer the biases are missing -> `b_1` has a number for each unit, `b_2` for
        each column of X. -> Add them.
    ffn-one-matrix: in the feed-forward layer there is one matrix alone -> A unit has a key and a value. -> Count `W_1`
        and `W_2`, and both biases.
    ffn-one-matrix-no-biases: in the feed-forward layer there is one matrix alone -> A unit has a key and a value, and
        each product has a bias. -> Count `W_1` and `W_2`, and both biases.
    ffn-first-product: in the feed-forward layer the second product is forgotten -> A unit has a key and a value. ->
        Count `W_2` and `b_2`, too.
    ffn-second-product: in the feed-forward layer the first product is forgotten -> A unit has a key and a value. ->
        Count `W_1` and `b_1`, too.
    ffn-biases-alike: both biases of the feed-forward layer have the same size in your count -> A bias has one number
        for each column of its matrix, and the two matrices have different widths. -> Which one has d_ff?
    ffn-biases-wide: both biases of the feed-forward layer have the same size in your count -> A bias has one number for
        each column of its matrix, and the two matrices have different widths. -> Which one has d_model?
    attention-of-one-head: you counted the attention of one head -> The twelve share the columns of the matrices, 32 for
        each. -> Count whole matrices, d_model by d_model.
    norms-doubled: you counted the norms twice -> A block has two norms, and each has a weight and a bias. -> Count four
        vectors.
    three-norms: you counted three norms -> A block has two. -> Count four vectors.
    half-of-the-norms: you counted half of the norms' numbers -> A block has two norms, and each has a weight and a
        bias. -> Count four vectors.
    one-vector: you counted one vector for both norms -> There are two norms, and each has a weight and a bias. -> Count
        four vectors.
    norms-wide: a norm has as many numbers as the feed-forward layer has units, in your count -> It norms the tokens'
        rows. -> How many numbers has a row of X?
    one-bias-missing: in the attention one of the four biases is missing -> Each of its four matrices comes with one,
        also `W_o`. -> Count four.
    thirteen-norms: you counted thirteen norms -> So many has the whole model. One block has two. -> Count four vectors.
    all-six-times: everything is multiplied by six -> The first three lines ask about one block. -> Only the last, six
        times.
    with-the-first-norm: under "six blocks" stands the norm before the first block as well -> It stands in the model,
        and in no block. -> Six times one block.
    one-block: under "six blocks" stands one -> Every block has weights of its own. -> Six times.
    six-without-norms: under "six blocks" the norms are missing -> They are learned, too, though there are few of them.
        -> Add all three, then six times.
    twelve-blocks: under "six blocks" stand twelve -> Twelve is the number of heads. -> Six times.
    """,
)
def count_block(wrong=frozenset()):
    """The counts for d_model = 384, d_ff = 1536 and six blocks, with mistakes as switches."""
    d, wide, heads = 384, 1536, 12
    right = parameter_count(d, heads)
    of_attention = {
        "no-biases": 4 * d * d,
        "no-biases-at-all": 4 * d * d,
        "attention-without-biases": 4 * d * d,
        "attention-one-bias": 4 * d * d + d,
        "one-bias-missing": 4 * d * d + 3 * d,
        "attention-of-three": 3 * (d * d + d),
        "attention-for-each-head": heads * right,
        "attention-of-one-head": 4 * (d + 1) * d // heads,
    }
    of_units = {
        "no-biases": 2 * d * wide,
        "no-biases-at-all": 2 * d * wide,
        "ffn-without-biases": 2 * d * wide,
        "ffn-one-matrix": d * wide + wide + d,
        "ffn-one-matrix-no-biases": d * wide,
        "ffn-first-product": d * wide + wide,
        "ffn-second-product": wide * d + d,
        "ffn-biases-alike": 2 * (d * wide + d),
        "ffn-biases-wide": 2 * (d * wide + wide),
    }
    of_norms = {
        "half-of-the-norms": 2 * d,
        "no-biases-at-all": 2 * d,
        "one-vector": d,
        "norms-doubled": 8 * d,
        "three-norms": 6 * d,
        "thirteen-norms": 26 * d,
        "norms-wide": 4 * wide,
    }
    attention = slip(wrong, of_attention, right)
    units = slip(wrong, of_units, 2 * d * wide + wide + d)
    norms = slip(wrong, of_norms, 4 * d)
    block = attention + units + norms
    all_six = {"one-block": block, "six-without-norms": 6 * (attention + units), "twelve-blocks": 12 * block}
    all_six["with-the-first-norm"] = 6 * block + 2 * d
    if "all-six-times" in wrong:
        attention, units, norms = 6 * attention, 6 * units, 6 * norms
    return {
        "attention": attention,
        "feed-forward": units,
        "norms": norms,
        "six blocks": slip(wrong, all_six, 6 * block),
    }
