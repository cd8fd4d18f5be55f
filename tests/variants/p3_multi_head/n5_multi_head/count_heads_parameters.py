def count_answer(factor_of_matrices, factor_of_biases):
    matrices, biases = 4 * 384 * 384, 4 * 384
    layer = factor_of_matrices * matrices + factor_of_biases * biases
    return {"d_v": 32, "one head": 3 * 384 * 32, "layer": layer, "layer with 1 head": matrices + biases}


WRONG = [
    (count_answer(12, 12), "twelve-times"),
    (count_answer(12, 1), "twelve-times-matrices"),
]
