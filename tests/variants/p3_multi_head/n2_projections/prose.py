"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import load_attention_layer, softmax
from attnlib.plots.projections import turned
from grader.exercises.p3_multi_head.n2_projections.playing_outside import PLAYING_K, PLAYING_Q, playing_outside
from grader.exercises.p3_multi_head.n2_projections.shared import PLACES
from variants.p3_multi_head.n2_projections.shared import for_the_words, shift, three_steps

X = np.concatenate([np.eye(3), np.eye(3)], axis=1)
W_Q, W_K = np.zeros((6, 2)), np.zeros((6, 2))
W_Q[0, 0], W_K[1, 0], W_Q[1, 1], W_K[2, 1] = 4, 1, 4, 1
SCORES = X @ W_Q @ (X @ W_K).T
FLAT = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
TINY = np.eye(2), np.diag([1.0, 2.0]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])


def rounded(array, decimals=4):
    return str(np.round(array, decimals).tolist())


def terms(x, y, form="{:.4f}"):
    """The products of two vectors, written out."""
    return " + ".join(form.format(a * b) for a, b in zip(x, y, strict=True)).replace("+ -", "- ")


def signed(number):
    return f"{number:.2f}".replace("-", "\N{MINUS SIGN}")


def flat(angle=0, stretch=1):
    """The scaled scores of the explorer, with the queries turned and stretched."""
    return FLAT @ turned(np.eye(2), angle, stretch) @ FLAT.T / np.sqrt(2)


def tables():
    layer = load_attention_layer()
    W_q, W_k = (np.split(layer[name].astype(float), 12, axis=1) for name in ("W_q", "W_k"))
    return [q @ k.T for q, k in zip(W_q, W_k, strict=True)]


def asymmetry(M):
    return (((M - M.T) / 2) ** 2).sum() / (M**2).sum()


def carried(head, most=8):
    """The share of a table's squares that its strongest questions have, in per cent."""
    squares = np.linalg.svd(tables()[head])[1] ** 2
    return f"{100 * squares[:most].sum() / squares.sum():.0f}"


def real_asymmetries():
    found = [asymmetry(M) for M in tables()]
    return f"From {min(found):.2f} to {max(found):.2f}"


def real_rank():
    ranks = {int((s > 1e-9 * s[0]).sum()) for s in (np.linalg.svd(M)[1] for M in tables())}
    return f"{' and '.join(map(str, ranks))} of {len(tables()[0])} are not zero, in every head"


def of_made_heads(same, before):
    """The words, if the made heads are as they say."""
    found = [asymmetry(W_q @ W_k.T) for W_q, W_k in (for_the_words(), shift())]
    return same + before if found[0] == 0 and np.isclose(found[1], 0.5) else str(found)


NUMBERS = [
    (
        "$$1 \\cdot 4 + 0 \\cdot 0 + 0 \\cdot 0 + 1 \\cdot 0 + 0 \\cdot 0 + 0 \\cdot 0 = 4$$",
        lambda: (
            "$$"
            + " + ".join(f"{x:.0f} \\cdot {w:.0f}" for x, w in zip(X[0], W_Q[:, 0], strict=True))
            + f" = {X[0] @ W_Q[:, 0]:.0f}$$"
        ),
    ),
    ("*cat* gives *sleeps* 4 points", lambda: f"*cat* gives *sleeps* {SCORES[1, 2]:.0f} points"),
    (
        "of <i>cat</i> for <i>sat</i> is now 0.54, that of <i>sat</i> for <i>cat</i> \N{MINUS SIGN}0.31; "
        "before, both were 0.23",
        lambda: (
            f"of <i>cat</i> for <i>sat</i> is now {flat(60)[1, 2]:.2f}, that of <i>sat</i> for <i>cat</i> "
            f"{signed(flat(60)[2, 1])}; before, both were {flat()[1, 2]:.2f}"
        ),
    ),
    (
        "gives itself 0.58 instead of 0.41",
        lambda: f"gives itself {softmax(flat(0, 3))[2, 2]:.2f} instead of {softmax(flat())[2, 2]:.2f}",
    ),
    ("every weight is 0.33", lambda: f"every weight is {softmax(flat(0, 0))[0, 0]:.2f}"),
    ("0.894 *cat*", lambda: f"{softmax(SCORES / np.sqrt(2))[0, 1]:.3f} *cat*"),
    ("[0.053, 0.894, 0.053]", lambda: rounded(softmax(SCORES / np.sqrt(2))[0], 3)),
    ("[[1.6605, 2.6605], [2.0, 3.0]]", lambda: rounded(three_steps(*TINY)[0])),
    ("[[0.6698, 0.3302], [0.5, 0.5]]", lambda: rounded(three_steps(*TINY)[1])),
    ("$\\ln(99 \\cdot 7) = 6.54$", lambda: f"$\\ln(99 \\cdot {PLACES - 1}) = {np.log(99 * (PLACES - 1)):.2f}$"),
    ("32 of 384 are not zero, in every head", real_rank),
    ("its 8 strongest carry 84 %", lambda: f"its 8 strongest carry {carried(2)} %"),
    ("the 8 strongest carry 43 %", lambda: f"the 8 strongest carry {carried(4)} %"),
    ("From 0.28 to 0.48", real_asymmetries),
    (
        "A same-word head may be symmetric: the wish is the same in both directions. "
        "A previous-word head made as in the hint is not",
        lambda: of_made_heads(
            "A same-word head may be symmetric: the wish is the same in both directions. ",
            "A previous-word head made as in the hint is not",
        ),
    ),
    (
        "= 0.0657 + 0.0336 + 0.6067 + 0.2052 = 0.9112",
        lambda: f"= {terms(PLAYING_Q[0], PLAYING_K[0])} = {playing_outside()['scores'][0, 0]:.4f}",
    ),
    ("has 12 entries", lambda: f"has {W_Q.size} entries"),
    ("8.00, 32.00 and 6.00", lambda: f"{np.sqrt(64):.2f}, {64 / 2:.2f} and {np.log2(64):.2f}"),
]
