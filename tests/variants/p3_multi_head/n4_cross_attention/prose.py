"""The numbers in the prose of this notebook."""

import math

import numpy as np

from attnlib import (
    cosine_scores,
    cross_attention,
    load_word_vectors,
    monotone_alignment,
    scaled_dot_product_attention,
    softmax_with_temperature,
    tokenize,
)

_Q = np.array([[0.0, 1.5], [1.5, 0.0]])
_K = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
_V = np.array([[1.0, 0.0], [0.0, 2.0], [4.0, 4.0]])
_CONTEXT, _WEIGHTS = scaled_dot_product_attention(_Q, _K, _V)


def table_row(word, j):
    score = _Q[0] @ _K[j]
    scaled = score / math.sqrt(2)
    return f"| {word} | {score:.2f} | {scaled:.2f} | {math.exp(scaled):.2f} | {_WEIGHTS[0, j]:.4f} |"


def masked_example():
    identity = np.eye(2)
    mask = np.array([True, True, False])
    weights = cross_attention([[2, 0]], [[1, 0], [0, 1], [5, 5]], identity, identity, identity, mask)[1]
    return f"[[{weights[0, 0]:.4f}, {weights[0, 1]:.4f}, {weights[0, 2]}]]"


def context_of_printed_weights():
    context = _WEIGHTS[0].round(4) @ _V
    return f"0.0967 · [1, 0] + 0.0967 · [0, 2] + 0.8066 · [4, 4] = **[{context[0]:.3f}, {context[1]:.3f}]**"


def pair(source, temperature=0.1):
    """Two sentences as words, and the weights of the first notebook pair at a temperature."""
    vocabulary, E = load_word_vectors()
    target, source = tokenize("Her mother bought a large home"), tokenize(source)
    vectors = (E[[vocabulary[word] for word in words]].astype(float) for words in (target, source))
    return target, source, softmax_with_temperature(cosine_scores(*vectors), temperature)


PASSIVE, ACTIVE = "A big house was purchased by her mom", "Her mom purchased a big house"


def home_at(temperature):
    """The weights of home, by the word of the source; and the least that another word gives its partner."""
    target, source, weights = pair(PASSIVE, temperature)
    assert target[5] == "home"
    return dict(zip(source, weights[5], strict=True)), weights[:5].max(axis=-1).min()


def least_sure():
    home, others = home_at(0.1)
    said = f"gets {home['house']:.2f}, and <i>mom</i> {home['mom']:.2f}."
    return f"{said} All others give their partners about {others:.2f} or"


def home_warm():
    home, _ = home_at(1)
    least = math.floor(100 * min(home.values())) / 100
    return f"<i>house</i> leads with {home['house']:.2f}, and no other word of the source falls below {least:.2f}"


def heard():
    _, source, weights = pair(PASSIVE)
    total = dict(zip(source, weights.sum(axis=0), strict=True))
    assert f"{total['was']:.2f}" == f"{total['by']:.2f}"
    return (
        f"<i>house</i> is heard with {total['house']:.2f} in all, <i>was</i> and <i>by</i> with {total['by']:.2f} each"
    )


def sums(source):
    """The sums of logarithms of the best alignment that never goes back, and of each word's own best."""
    target, source, weights = pair(source)
    places = monotone_alignment(weights)
    return [np.log(weights[range(len(target)), at]).sum() for at in (places, weights.argmax(axis=-1))], places.tolist()


def loss_of_the_passive():
    (bound, free), places = sums(PASSIVE)
    assert places == [0, 0, 0, 0, 1, 2]
    kept = pair(PASSIVE)[2][range(6), places]
    assert kept[:3].max() < 0.001
    return (
        f"The sum of the logarithms is −{-bound:.1f}. With each word's own best it is −{-free:.1f}. "
        f"<i>a large home</i> keep their weights of {kept[3:].min():.2f} and more; the other three words get less than "
        "0.001."
    )


def no_loss_of_the_active():
    (bound, free), _ = sums(ACTIVE)
    assert bound == free
    return f"both sums are −{-bound:.1f}"


def alignments():
    few, many = math.comb(6 + 8 - 1, 6), math.comb(30 + 40 - 1, 30)
    assert math.floor(math.log10(many)) == 19
    return f"for 6 target words and 8 source words there are {few:,}, for 30 and 40 already {many / 1e19:.0f} · 10¹⁹"


def memories(numbers, size):
    return f"{numbers}, {size * 8 // 10**6} MB"


NUMBERS = [
    ("e¹⁰ ≈ 22,026", lambda: f"e¹⁰ ≈ {math.exp(1 / 0.1):,.0f}"),
    ("| the | 0.00 | 0.00 | 1.00 | 0.0967 |", lambda: table_row("the", 0)),
    ("| black | 0.00 | 0.00 | 1.00 | 0.0967 |", lambda: table_row("black", 1)),
    ("| cat | 3.00 | 2.12 | 8.34 | 0.8066 |", lambda: table_row("cat", 2)),
    ("[3.323, 3.420]", lambda: f"[{_CONTEXT[0, 0]:.3f}, {_CONTEXT[0, 1]:.3f}]"),
    (
        "0.0967 · [1, 0] + 0.0967 · [0, 2] + 0.8066 · [4, 4] = **[3.323, 3.420]**",
        context_of_printed_weights,
    ),
    ("gets 0.93, and <i>mom</i> 0.03. All others give their partners about 0.95 or", least_sure),
    ("<i>house</i> leads with 0.19, and no other word of the source falls below 0.10", home_warm),
    ("<i>house</i> is heard with 0.95 in all, <i>was</i> and <i>by</i> with 0.01 each", heard),
    ("at 0.01 <i>house</i> has 1.00", lambda: f"at 0.01 <i>house</i> has {home_at(0.01)[0]['house']:.2f}"),
    (
        "The sum of the logarithms is −22.8. With each word's own best it is −0.2. <i>a large home</i> keep their "
        "weights of 0.93 and more; the other three words get less than 0.001.",
        loss_of_the_passive,
    ),
    ("both sums are −0.1", no_loss_of_the_active),
    ("for 6 target words and 8 source words there are 1,716, for 30 and 40 already 3 · 10¹⁹", alignments),
    ("64 million numbers, 512 MB", lambda: memories("64 million numbers", 1000 * 1000 * 64)),
    ("1 million scores, 8 MB", lambda: memories("1 million scores", 1000 * 1000)),
    ("[[0.8044, 0.1956, 0.0]]", masked_example),
    ("2 · tanh(1 + 0) = 1.5232", lambda: f"2 · tanh(1 + 0) = {2 * math.tanh(1):.4f}"),
    ("2 · tanh(1 + 1) = 1.9281", lambda: f"2 · tanh(1 + 1) = {2 * math.tanh(2):.4f}"),
]
