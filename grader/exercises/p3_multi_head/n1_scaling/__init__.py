"""Why attention divides its scores by the square root of d_k."""

EXERCISES = """predict-scaling variance-experiment softmax_jacobian vanishing-gradient scaled_dot_product_attention
context_jacobian"""
SLIPS = """
step-of-a-tenth: your numbers are measured with a step of 0.1, and are only near -> The weights bend on the way, so that
    a step of any size gives a mean slope over the step. Here six digits are asked for. -> Use the formula: it needs no
    step.
step-of-a-thousandth: your numbers are measured with a step of 0.001, and are only near -> The weights bend on the way,
    so that a step of any size gives a mean slope over the step. Here six digits are asked for. -> Use the formula: it
    needs no step.
step-of-a-ten-thousandth: your numbers are measured with a step of 0.0001, and are only near -> The weights bend on the
    way, so that a step of any size gives a mean slope over the step. Here six digits are asked for. -> Use the formula:
    it needs no step.
both-sides-a-hundredth: your numbers are measured with a step of 0.01 to both sides, and are only near -> The weights
    bend on the way, so that a step of any size gives a mean slope over the step. Here six digits are asked for. -> Use
    the formula: it needs no step.
inner-product: `p @ p` of two flat arrays is one number, their dot product -> For a row of shape (n,) a transpose does
    nothing, so no outer product comes out. -> All products of two weights: look at `np.outer`, or give p a second axis,
    in the product only.
row-broadcast: `p * p` multiplies each weight with itself only -> The squares are then spread over the rows, and the
    matrix is not symmetric. -> All products of two weights: look at `np.outer`, or give one p a second axis, in the
    product only.
row-broadcast-down: `p * p` multiplies each weight with itself only -> The squares are then spread over the columns, and
    the matrix is not symmetric. -> All products of two weights: look at `np.outer`, or give one p a second axis, in the
    product only.
rest-everywhere: every entry is p_i times (1 - p_j), which is right on the diagonal only -> The weights then stand in
    all columns: so does NumPy spread `p[:, None]` before it subtracts. -> The weights belong on the diagonal alone:
    look at `np.diag`.
rest-everywhere-by-columns: every entry is (1 - p_i) times p_j, which is right on the diagonal only -> The weights then
    stand in all rows: so does NumPy spread `p` before it subtracts. -> The weights belong on the diagonal alone: look
    at `np.diag`.
"""
