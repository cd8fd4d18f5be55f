"""Several attentions at once, and the first layer of a real transformer."""

EXERCISES = """predict-heads split_heads silent-bug merge_heads multi_head_attention count-heads-parameters real_layer
read-heads fold_biases"""
SLIPS = """
no-batch: your function knows only two axes -> In a batch many sentences are computed at once: X then has shape (batch,
    n, d_model). -> Keep whatever comes before the last two axes: `*leading, n, d_model = X.shape`, and count axes from
    the end.
reshape-split: the heads are split by a reshape without a transpose -> Each head then holds the numbers of a few
    neighbouring tokens instead of a few columns of all of them. The shapes are right; with one head even the numbers
    are. -> Use your `split_heads`: it passes its own check only if it keeps the tokens apart.
reshape-merge: the heads are merged by a reshape without transposing back -> A row of the result then holds pieces of
    several tokens. The shape is right; with one head even the numbers are. -> Use your `merge_heads`.
by-sqrt-d_model: you divide by the square root of d_model instead of d_k -> Each head's dot product runs over d_k
    products only. Dividing by more makes every head too flat; with one head nobody would notice. -> Take d_k from the
    heads, after the split: the size of their last axis.
no-W_o: `W_o` is forgotten -> The heads lie side by side, each in its own columns, and have not met. `W_o` mixes what
    they found. -> Multiply the merged heads by `W_o` (and add `b_o`).
"""
