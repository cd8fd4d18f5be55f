from grader.exercises.kinds import choice

predict_interpretability = choice(
    "predict-interpretability",
    points=1,
    task='type the letter in quotation marks, for example `predict_interpretability = "a"`',
    right="c",
    because="""
    a: that would be so if all tokens added vectors of the same length. What a token adds is its weight times its value,
        and who says that values are equally long?
    b: it is less than the weights say, but by much more than that: the values of `[CLS]` are short in this layer. What
        would a model do that has nothing to ask for, where the weights still have to sum to 1?
    c: a softmax has to give its weight to somebody. The model gives it to `[CLS]`, whose values are short there: a
        place to leave weight when there is nothing to hear.
    d: `W_o` is a matrix, and a matrix times a sum is the sum of its products. So each token's part can be followed
        through it, head by head, and added up again.
    """,
)
