"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import layer_input, layer_norm, load_layer_outputs, scaled_dot_product_attention, sentence_ids
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


BANK = "She deposited money at the bank of the"
NAMES = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]


def layer_on(text, positions=True):
    """Tokens, input, context and weights of the real layer; without positions, all their vectors are zero."""
    vocabulary, E, layer = real_model()
    if not positions:
        layer = layer | {"position_embeddings": np.zeros_like(layer["position_embeddings"])}
    tokens, token_ids = sentence_ids(text, vocabulary)
    X = layer_input(token_ids, E, layer)
    return tokens, X, *multi_head_attention(X, X, **{name: layer[name] for name in NAMES})


def heard(last, head=4, asks=6, answers=9):
    return f"{layer_on(f'{BANK} {last}')[3][head, asks, answers]:.2f}"


def before(text, positions=True):
    return f"{np.diag(layer_on(text, positions)[3][2], -1).mean():.2f}"


def columns_of(head):
    return slice(32 * head, 32 * head + 32)


def best_for_bank(count=24):
    """The tokens that head 4 scores best for *bank* when they stand last."""
    vocabulary, E, layer = real_model()
    X = E + layer["position_embeddings"][9] + layer["token_type_embeddings"][0]
    keys = layer_norm(X, layer["norm_weight"], layer["norm_bias"]) @ layer["W_k"][:, columns_of(4)]
    query = layer_on(f"{BANK} river")[1][6] @ layer["W_q"][:, columns_of(4)] + layer["b_q"][columns_of(4)]
    return [list(vocabulary)[i] for i in np.argsort(-keys @ query)[:count]]


def above_river(word):
    best = best_for_bank()
    return best.index(word) < best.index("river")


def among_the_best(*words):
    best = best_for_bank()
    return [f"*{word}*" if word in best else f"{word} is not among {best}" for word in words]


def words_alone(head):
    """Of 206 words without a place: how a head scores each with itself and others; how many are their own best."""
    _, E, layer = real_model()
    X = layer_norm(E[100:3600:17] + layer["token_type_embeddings"][0], layer["norm_weight"], layer["norm_bias"])
    assert len(X) == 206
    columns = columns_of(head)
    scores = (X @ layer["W_q"][:, columns] + layer["b_q"][columns]) @ (X @ layer["W_k"][:, columns]).T / np.sqrt(32)
    others = scores[~np.eye(len(X), dtype=bool)].mean()
    return np.diag(scores).mean(), others, (scores.argmax(axis=-1) == np.arange(len(X))).mean()


def itself_against_others():
    itself, others, first = words_alone(4)
    assert first == 0
    return f"(−{-itself:.2f} against {others:.2f})"


def similarity(head):
    layer = real_model()[2]
    return layer["W_q"][:, columns_of(head)] @ layer["W_k"][:, columns_of(head)].T


def ranks():
    kernels = [similarity(head) for head in (2, 4, 8)]
    assert all(np.linalg.eigvalsh(S + S.T)[0] < -1 for S in kernels)  # not positive semi-definite
    return f"**The rank is {' '.join({str(np.linalg.matrix_rank(S)) for S in kernels})}, not {len(kernels[0])}.**"


def dog_differs(positions):
    first, second = (layer_on(text, positions)[2] for text in ("the dog chased the cat", "the cat chased the dog"))
    return f"{np.abs(first[2] - second[5]).max():.3f}"


def messages(text, head):
    """The lengths of what each token's value is, and of what becomes of it by the head's rows of W_o."""
    layer, X = real_model()[2], layer_on(text)[1]
    values = X @ layer["W_v"][:, columns_of(head)] + layer["b_v"][columns_of(head)]
    return np.linalg.norm(values, axis=-1), np.linalg.norm(values @ layer["W_o"][columns_of(head)], axis=-1)


def sink():
    contributions = (weights := layer_on(f"{BANK} river")[3][11, 6]) * messages(f"{BANK} river", 11)[1]
    return f"A weight of {weights[0]:.2f}, and a share of {contributions[0] / contributions.sum():.2f}."


def short_values(heads):
    lengths = [messages(f"{BANK} river", head)[0] for head in heads]
    shares = [each[0] / each[1:].mean() for each in lengths]
    return f"{min(shares):.2f} to {max(shares):.2f}"


def largest_both():
    same = [
        (weights * messages(output["text"], head)[1]).argmax(axis=-1) == weights.argmax(axis=-1)
        for output in load_layer_outputs()
        for head, weights in enumerate(output["weights"])
    ]
    return f"{np.concatenate(same).sum()} of {np.concatenate(same).size} rows"


def who_comes_first():
    tokens, _, _, weights = layer_on(f"{BANK} river")
    first = [tokens[i] for i in weights[:, 6].argmax(axis=-1)]
    heads = {token: [head for head in range(12) if first[head] == token] for token in first}
    assert len(heads) == 6
    found = {token: ", ".join(map(str, of)) for token, of in heads.items()}
    return (
        f"<code>[CLS]</code> in six of them ({found['[CLS]']}), <em>river</em> in two ({found['river']}), and once "
        f"each <em>money</em> ({found['money']}), <em>the</em> ({found['the']}), <em>deposited</em> "
        f"({found['deposited']}) and <code>[SEP]</code> ({found['[SEP]']})"
    )


def three_times_the():
    weights = layer_on("the cat saw the dog and the bird")[3][8]
    return f"({', '.join(f'{weights[i, [1, 4, 7]].sum():.2f}' for i in (1, 4, 7))})"


def said(*rows):
    mixes = np.array([[1.0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0.5, 0, 0, 0]])
    merged = np.array([4.0, 0.0, 0.0, 6.0])
    return f"**{[int(x) for x in merged[list(rows)] @ mixes[list(rows)]]}**"


NUMBERS = [
    ("head 0 says **[4, 0, 0, 4]**", lambda: f"head 0 says {said(0, 1)}"),
    ("head 1 says **[3, 0, 0, 0]**", lambda: f"head 1 says {said(2, 3)}"),
    ("together that is **[7, 0, 0, 4]**", lambda: f"together that is {said(0, 1, 2, 3)}"),
    (
        "head 0 finds *money* (0.27), heads 4 and 10 find *river* (0.68 and 0.50)",
        lambda: (
            f"head 0 finds *money* ({heard('river', head=0, answers=3)}), heads 4 and 10 find *river* "
            f"({heard('river')} and {heard('river', head=10)})"
        ),
    ),
    ("From 0.68 down to 0.00", lambda: f"From {heard('river')} down to {heard('cat')}"),
    (
        "*supply* (0.82), *grade* (0.77), *faith* (0.71) and *cooked* (0.70) stand above *river*",
        lambda: (
            "*supply* ({}), *grade* ({}), *faith* ({}) and *cooked* ({}) stand above *river*".format(
                *(heard(word) for word in ("supply", "grade", "faith", "cooked"))
            )
            if all(above_river(word) for word in ("supply", "grade", "faith", "cooked"))
            else "not all of them"
        ),
    ),
    ("(0.04 and 0.06)", lambda: f"({heard('beach')} and {heard('boat')})"),
    ("*money* is not among them (0.06)", lambda: f"*money* is not among them ({heard('money')})"),
    (
        "*ocean*, *harbor* and *lake*",
        lambda: "{}, {} and {}".format(*among_the_best("ocean", "harbor", "lake")),
    ),
    (
        "*account* and *lend*, *america* and *england*, *food* and *memory*",
        lambda: "{} and {}, {} and {}, {} and {}".format(
            *among_the_best("account", "lend", "america", "england", "food", "memory")
        ),
    ),
    ("**The rank is 32, not 384.**", ranks),
    (
        "So *bank* may find *river* (0.68)",
        lambda: f"So *bank* may find *river* ({heard('river')})",
    ),
    ("(66 %)", lambda: f"({words_alone(8)[2]:.0%})".replace("%", " %")),
    ("(−0.75 against 0.16)", itself_against_others),
    (
        "With nothing but places the head does its job: 1.00",
        lambda: f"With nothing but places the head does its job: {before('the ' * 8)}",
    ),
    (
        "it falls from 1.00 to 0.21",
        lambda: f"it falls from {before('the dog chased the cat')} to {before('the dog chased the cat', False)}",
    ),
    ("seven tokens would give 0.14", lambda: f"seven tokens would give {1 / 7:.2f}"),
    (
        "the difference is 0.000, with them up to 0.146",
        lambda: f"the difference is {dog_differs(False)}, with them up to {dog_differs(True)}",
    ),
    ("A weight of 0.54, and a share of 0.11.", sink),
    ("0.08 to 0.17 of the others", lambda: f"{short_values(range(6, 12))} of the others"),
    ("has 0.10 of the others' mean length", lambda: f"has {short_values([11])[:4]} of the others' mean length"),
    ("245 of 540 rows", largest_both),
    (
        "<code>[CLS]</code> in six of them (1, 6, 7, 8, 9, 11), <em>river</em> in two (4, 10), and once each "
        "<em>money</em> (0), <em>the</em> (2), <em>deposited</em> (3) and <code>[SEP]</code> (5)",
        who_comes_first,
    ),
    ("(0.79, 0.82, 0.80)", three_times_the),
    (
        "<em>Memory</em> gets 0.73, <em>money</em> 0.06, <em>mountain</em> 0.00",
        lambda: (
            f"<em>Memory</em> gets {heard('memory')}, <em>money</em> {heard('money')}, <em>mountain</em> "
            f"{heard('mountain')}"
        ),
    ),
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
