"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import scaled_dot_product_attention
from grader.exercises.p3_multi_head.n5_multi_head.multi_head_attention import multi_head_attention
from grader.exercises.p3_multi_head.n5_multi_head.real_layer import real_model

_X = np.array([[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 2.0, 1.0]])


def first_weights(columns):
    part = _X[:, columns]
    weights = scaled_dot_product_attention(part, part, part)[1][0]
    return f"[{', '.join(f'{weight:.3f}' for weight in weights)}]"


def context_of_two(first, second):
    a, b = 0.5 * np.array(first) + 0.5 * np.array(second)
    return f"**[{a:.0f}, {b:.0f}]**"


def example():
    context, weights = multi_head_attention(np.eye(2), np.eye(2), *[np.eye(2)] * 4, num_heads=2)
    return f"context `{context.round(3).tolist()}`, weights `{weights.round(3).tolist()}`"


def largest_key_bias():
    return f"its largest entry is {np.abs(real_model()[2]['b_k']).max():.3f}"


NUMBERS = [
    ("its largest entry is 0.002", largest_key_bias),
    ("**[2, 3]**", lambda: context_of_two([4, 0], [0, 6])),
    ("[0.401, 0.198, 0.401]", lambda: first_weights(slice(0, 2))),
    ("[0.768, 0.045, 0.187]", lambda: first_weights(slice(2, 4))),
    (
        "`[[10, 11], [12, 13]]`",
        lambda: f"`{np.array([[*range(10, 16)], [*range(20, 26)]]).reshape(3, 2, 2)[0].tolist()}`",
    ),
    (
        "context `[[0.731, 0.5], [0.5, 0.731]]`, weights "
        "`[[[0.731, 0.269], [0.5, 0.5]], [[0.5, 0.5], [0.269, 0.731]]]`",
        example,
    ),
]
