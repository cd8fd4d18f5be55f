def count_answer(factor_of_matrices, factor_of_biases):
    matrices, biases = 4 * 384 * 384, 4 * 384
    layer = factor_of_matrices * matrices + factor_of_biases * biases
    return {"d_v": 32, "one head": 3 * 384 * 32, "layer": layer, "layer with 1 head": matrices + biases}


def counted(**entries):
    return count_answer(1, 1) | {name.replace("_", " "): value for name, value in entries.items()}


SQUARE = 384 * 384
WIDE = {"d_v": 384, "one head": 3 * SQUARE, "layer": 48 * SQUARE, "layer with 1 head": 4 * SQUARE}

WRONG = [
    (count_answer(1, 1) | {"d_v": 12}, "heads-as-columns"),
    (count_answer(1, 1) | {"d_v": 12, "one head": 3 * 384 * 12}, "heads-as-width"),
    (WIDE, "full-width-no-biases"),
    (counted(layer=48 * SQUARE, layer_with_1_head=4 * SQUARE), "twelve-times-no-biases"),
    (counted(layer=4 * SQUARE + 4, layer_with_1_head=4 * SQUARE + 4), "one-number-a-bias"),
    (counted(one_head=(4 * SQUARE + 4 * 384) / 12), "twelfth-of-the-layer"),
    (counted(layer_with_1_head=(4 * SQUARE + 4 * 384) / 12), "more-with-heads"),
    (count_answer(12, 12), "twelve-times"),
    (count_answer(12, 1), "twelve-times-matrices"),
    (counted(layer_with_1_head=12 * (4 * SQUARE + 4 * 384)), "twelve-times-with-one-head"),
]
