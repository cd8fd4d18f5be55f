"""The numbers in the prose of this notebook."""

import numpy as np

import attnlib
from attnlib import dot_scores, softmax
from grader.exercises.p1_context_vectors.n4_context_vectors.shared import AUDIT_X as X
from grader.exercises.p1_context_vectors.n4_context_vectors.shared import PUBLISHED_CONTEXTS, PUBLISHED_WEIGHTS
from grader.exercises.p1_context_vectors.n4_context_vectors.two_banks import SENTENCES, context_of_bank, place, words

K_EXAMPLE = np.array([[0.0, 1.0], [np.log(3.0), 2.0]])
V_EXAMPLE = np.array([[4.0, 0.0, 8.0], [0.0, 4.0, 8.0]])


def pair(v, decimals=None):
    numbers = (f"{x:g}" if decimals is None else f"{x:.{decimals}f}" for x in v)
    return f"({', '.join(numbers)})"


def by_hand(j, score):
    """One row of the table: the score of The with token j, its weight, its value and their product."""
    weight = softmax(dot_scores(X, X))[0, j]
    return f"{score} = {X[0] @ X[j]:.2f} | {weight:.4f} | {pair(X[j])} | {pair(weight * X[j], 4)} |"


def mixed_example():
    cat, sat = np.array([4.0, 2.0]), np.array([2.0, 4.0])
    parts = 0.25 * cat, 0.75 * sat
    terms = rf"0.25 \cdot {pair(cat)} + 0.75 \cdot {pair(sat)}"
    return f"{terms} = {pair(parts[0])} + {pair(parts[1])} = {pair(parts[0] + parts[1])}"


K_CORNERS = np.array([[2.0, 0.0], [0.0, 2.0], [-1.5, -1.0], [1.5, -1.5]])
V_CORNERS = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [1.0, 4.0]])


def weight_of(key, q, decimals=2):
    return f"{softmax(K_CORNERS @ q)[key]:.{decimals}f}"


def corner_context(*q, decimals=2):
    return pair(attnlib.context_vector(np.array(q, dtype=float), K_CORNERS, V_CORNERS), decimals)


def near_bank(word, sentence=None):
    vocabulary, E = words()
    vector = E[vocabulary["bank"]] if sentence is None else context_of_bank(SENTENCES[sentence])
    return f"{attnlib.cosine_scores([vector], E[[vocabulary[word]]])[0, 0]:.2f}"


def mean_neighbors():
    """The nearest words to the plain mean of the first sentence."""
    vocabulary, E = words()
    mean = E[attnlib.encode(SENTENCES["by_the_river"], vocabulary)].mean(axis=0)
    names = list(vocabulary)
    return [names[i] for i in np.argsort(-attnlib.cosine_scores([mean], E)[0])[:3]]


def bank_of_the_river():
    """The scores and the weights of "bank" in the first sentence."""
    vocabulary, E = words()
    sentence = SENTENCES["by_the_river"]
    scores = E[attnlib.encode(sentence, vocabulary)] @ E[vocabulary["bank"]]
    return dict(zip(sentence, scores, strict=True)), dict(zip(sentence, softmax(scores), strict=True))


def best_scores():
    scores, _ = bank_of_the_river()
    first, second = sorted(scores, key=scores.get, reverse=True)[:2]
    assert (first, second) == ("bank", "river")
    return f"is {scores[first]:.2f}, and its best other score is {scores[second]:.2f}"


def kept():
    _, weights = bank_of_the_river()
    return f"keeps {weights['bank']:.0%} of the weight for itself and gives *river* {weights['river']:.0%}".replace(
        "%", " %"
    )


def share_filed(n, repeats=5, seed=0):
    """The share of n words that come back from one mean vector, to the nearest tenth; attention brings back all."""
    E = attnlib.load_word_vectors()[1]
    directions = E / np.linalg.norm(E, axis=1, keepdims=True)
    rng = np.random.default_rng(seed)
    right = []
    for _ in range(repeats):
        filed = rng.choice(len(E), size=n, replace=False)
        tags = rng.choice(np.float32([-1, 1]), size=(n, 384))
        mean = (tags * directions[filed]).mean(axis=0)
        asked = tags[:20]
        heard = attnlib.context_vectors(asked, tags, directions[filed])
        assert ((heard @ directions.T).argmax(axis=1) == filed[:20]).all()
        right.append((((asked * mean) @ directions.T).argmax(axis=1) == filed[:20]).mean())
    tenths = round(10 * np.mean(right))
    return f"about {10 * tenths} %" if tenths else "next to none"


def implied():
    rows = (PUBLISHED_WEIGHTS @ X).round(2)
    assert not np.isclose(rows, PUBLISHED_CONTEXTS).all(axis=1).any()
    return f"would get {pair(rows[0], 2)}, where {pair(PUBLISHED_CONTEXTS[0], 2)} is printed"


NUMBERS = [
    ("(2.25, 1.75)", lambda: corner_context(0, 0)),
    (
        "With the query (0, 0.5) it has the weight 0.57, with (0, 1) already 0.82, with (0, 3) 0.997",
        lambda: (
            f"With the query (0, 0.5) it has the weight {weight_of(1, [0, 0.5])}, with (0, 1) already "
            f"{weight_of(1, [0, 1])}, with (0, 3) {weight_of(1, [0, 3], 3)}"
        ),
    ),
    ("(3.99, 0.00)", lambda: corner_context(0, 3)),
    (
        "(3, 1) gives <em>dog</em> 0.94, (−3, −3) gives <em>bird</em> 0.999, (1, −3) gives <em>fish</em> 0.97",
        lambda: (
            f"(3, 1) gives <em>dog</em> {weight_of(0, [3, 1])}, (−3, −3) gives <em>bird</em> "
            f"{weight_of(2, [-3, -3], 3)}, (1, −3) gives <em>fish</em> {weight_of(3, [1, -3])}"
        ),
    ),
    ("only in place 20", lambda: f"only in place {place('river', words()[1][words()[0]['bank']])}"),
    (
        "moved towards *river* (cosine 0.25 → 0.41)",
        lambda: f"moved towards *river* (cosine {near_bank('river')} → {near_bank('river', 'by_the_river')})",
    ),
    (
        "towards *money* (0.40 → 0.61) and away from *river* (0.25 → 0.21)",
        lambda: (
            f"towards *money* ({near_bank('money')} → {near_bank('money', 'with_money')}) "
            f"and away from *river* ({near_bank('river')} → {near_bank('river', 'with_money')})"
        ),
    ),
    ("*the*, *of* and *an*", lambda: "*{}*, *{}* and *{}*".format(*mean_neighbors())),
    ("is 1.79, and its best other score is 0.44", best_scores),
    ("keeps 45 % of the weight for itself and gives *river* 12 %", kept),
    ("the cosine 0.91 with the look-up", lambda: f"the cosine {near_bank('bank', 'by_the_river')} with the look-up"),
    (
        "With 20 words it is about 70 %, with 50 about 20 %, with 100 next to none",
        lambda: f"With 20 words it is {share_filed(20)}, with 50 {share_filed(50)}, with 100 {share_filed(100)}",
    ),
    ("would get (0.39, 0.60), where (0.36, 0.59) is printed", implied),
    ("adds (1.5, 2)", lambda: f"adds {pair(0.5 * np.array([3.0, 4.0]))}"),
    (
        "`[0.6931, 1.0986]`",
        lambda: f"`{attnlib.query_for(np.arange(1, 4) / 6, [[1, 2], [2, 2], [1, 3]]).round(4).tolist()}`",
    ),
    (r"0.25 \cdot (4, 2) + 0.75 \cdot (2, 4) = (1, 0.5) + (1.5, 3) = (2.5, 3.5)", mixed_example),
    (
        "0.2·0.2 + 0.5·0.5 = 0.29 | 0.3155 | (0.2, 0.5) | (0.0631, 0.1578) |",
        lambda: by_hand(0, "0.2·0.2 + 0.5·0.5"),
    ),
    (
        "0.2·0.8 + 0.5·0.1 = 0.21 | 0.2913 | (0.8, 0.1) | (0.2330, 0.0291) |",
        lambda: by_hand(1, "0.2·0.8 + 0.5·0.1"),
    ),
    (
        "0.2·0.3 + 0.5·0.9 = 0.51 | 0.3932 | (0.3, 0.9) | (0.1180, 0.3539) |",
        lambda: by_hand(2, "0.2·0.3 + 0.5·0.9"),
    ),
    ("**(0.4141, 0.5408)**", lambda: f"**{pair(attnlib.context_vector(X[0], X, X), 4)}**"),
    (
        "The weights are 0.25 and 0.75.",
        lambda: "The weights are {:.2f} and {:.2f}.".format(*softmax(K_EXAMPLE @ [1.0, 0.0])),
    ),
    ("`[1.0, 3.0, 8.0]`", lambda: f"`{attnlib.context_vector([1.0, 0.0], K_EXAMPLE, V_EXAMPLE).round(6).tolist()}`"),
    (
        "`[[1.0, 3.0, 8.0], [2.0, 2.0, 8.0]]`",
        lambda: f"`{attnlib.context_vectors([[1.0, 0.0], [0.0, 0.0]], K_EXAMPLE, V_EXAMPLE).round(6).tolist()}`",
    ),
    (r"0.6 \cdot 0.1 = 0.06", lambda: rf"0.6 \cdot 0.1 = {0.6 * 0.1:g}"),
    (r"0.4 \cdot 3 = 1.2", lambda: rf"0.4 \cdot 3 = {0.4 * 3:g}"),
    ("contribute 0.06 and 1.2", lambda: f"contribute {0.6 * 0.1:g} and {0.4 * 3:g}"),
]
