"""The numbers in the prose of this notebook."""

from functools import cache
from itertools import combinations

import numpy as np

from attnlib import (
    encoder_input,
    load_encoder,
    load_encoder_outputs,
    load_search_sentences,
    load_senses,
    post_norm_block,
    sentence_vector,
    sentence_vectors,
    tokenize,
    unit_rows,
)
from attnlib.plots.a_whole_transformer import gap, nearest
from grader.exercises.p5_whole_models.n3_a_whole_transformer.senses import nearest_is_right, vectors

SEARCH = load_search_sentences()
MEANING = np.repeat([0, 1], 6)


def mean_of_words(texts):
    encoder = load_encoder()
    E, ids = encoder["word_vectors"], encoder["vocabulary"]
    return unit_rows(np.array([E[[ids[token] for token in tokenize(text)]].mean(axis=0) for text in texts]))


def without_positions(texts):
    encoder, found = load_encoder(), []
    for text in texts:
        X = encoder_input(tokenize(text), 0 * encoder["position_vectors"])
        for layer in encoder["layers"]:
            X = post_norm_block(X, layer, encoder["num_heads"])
        found.append(X.mean(axis=0))
    return unit_rows(np.array(found))


@cache
def found(of):
    """How many of the 20 questions find their sentence first, and among three."""
    table = of(SEARCH["questions"]) @ of(SEARCH["sentences"]).T
    right = table[np.arange(20), SEARCH["answers"]]
    ranks = (table > right[:, None]).sum(axis=1)
    return int((ranks == 0).sum()), int((ranks < 3).sum())


def searched():
    (best, three), (words, among) = found(sentence_vectors), found(mean_of_words)
    assert three == among == 20
    return f"The transformer has {best} of 20 right at once, the mean of words {words}."


def by_order():
    assert found(without_positions)[0] == found(sentence_vectors)[0]
    return f"without position vectors the transformer has {found(without_positions)[0]} right as well"


def alike(one, other, of=sentence_vectors):
    a, b = of([one, other])
    return f"{a @ b:.2f}"


def share(layer):
    return np.mean(list(nearest_is_right(layer).values()))


def by_chance():
    """Before the first layer, where several are equally near each counts its share."""
    right = sum(nearest(states)[1][0] for states in vectors().values())
    return f"in {100 * right / 72:.0f} % (where several are equally near"


def most_change_sides():
    """The layer in which most marks come to be right, and what *bank* has after each."""
    right = np.array([nearest(states)[1] for states in vectors().values()])  # (6 words, 7 layers)
    gained = np.diff(right, axis=1)
    assert gained.sum(axis=0).argmax() == 0
    assert list(vectors())[gained[:, 0].argmin()] == next(iter(vectors())) == "bank"
    before, after = (100 * right[:, layer].sum() / 72 for layer in (0, 1))
    first, *others, last = (f"{some:.3g}" for some in right[0])
    of_bank = f"by luck it has {first} of 12 right before, and then {', '.join(others)} and {last}."
    rise = f"after the first: from {before:.0f} % of the marks to {after:.0f} %. The later layers mend what is left."
    return f"{rise} Not so for <i>bank</i>: {of_bank}"


def left():
    words = []
    for word, meanings in load_senses().items():
        texts = [text for some in meanings.values() for text in some]
        others = nearest(vectors()[word])[0][6]
        words += [f"*{texts[i]}*, nearest to *{texts[j]}*" for i, j in enumerate(others) if MEANING[i] != MEANING[j]]
    assert len(words) == 2
    return f"{72 - len(words)} of 72. The two that are left are {', and '.join(words)}"


def layers_of(word):
    return [nearest_is_right(layer)[word].mean() for layer in range(7)]


def settled():
    words = [word for word in vectors() if layers_of(word)[1] == 1]
    assert words == ["play"]
    assert layers_of("cell").index(1) == 5
    return "all 12 are right after one layer"


def off():
    texts = load_encoder_outputs()["texts"][:5]
    gaps = [np.abs(sentence_vector(text) - load_encoder_outputs()["vectors"][i]).max() for i, text in enumerate(texts)]
    return (
        "differ by less than 0.001 in every number; mostly they agree to six digits" if max(gaps) < 5e-6 else f"{gaps}"
    )


def rounded():
    outputs = load_encoder_outputs()
    cosines = (outputs["vectors"] * outputs["published"]).sum(axis=1)
    words = f"have a cosine of {cosines.mean():.4f} with these on average, and {cosines.min():.4f} at worst"
    return f"Over {len(cosines)} sentences, the vectors of the published model {words}"


def cone():
    same, other = gap(nearest(vectors()["bank"])[2][6])
    return f"still have a mean cosine of {other:.2f}, and two of the same {same:.2f}"


def other_words():
    words = [unit_rows(states[:, 6]) for states in vectors().values()]
    gaps = [(one @ other.T).mean() for one, other in combinations(words, 2)]
    return f"two different ones of our six have {np.mean(gaps):.2f} on average there"


def at_the_end():
    """A question that the mean of words answers by its *at the end*, and the transformer by what it says."""
    question = "our side beat the others at the very end"
    both = ((of([question]) @ of(SEARCH["sentences"]).T).argmax() for of in (mean_of_words, sentence_vectors))
    found = [SEARCH["sentences"][place] for place in both]
    assert {"at", "the", "end"} <= set(question.split()) & set(found[0].split())
    assert set(question.split()) & set(found[1].split()) == {"the"}
    return f"finds *{found[0]}*: *at*, *the* and *end* stand in both. The transformer finds *{found[1]}*"


def padded():
    mean = np.mean([[2, 4], [4, 4], [9, -2]], axis=0)
    length = np.linalg.norm(mean)
    return (
        f"is [{mean[0]:.0f}, {mean[1]:.0f}], of length {length:.3f}, and the vector "
        f"[{mean[0] / length:.3f}, {mean[1] / length:.3f}]"
    )


def opposite():
    opposite, same = alike("he is rich", "he is not rich"), alike("he is rich", "he has a lot of money")
    by_words = alike("he is rich", "he is not rich", mean_of_words)
    turned_round = alike("she left before he came", "he came before she left")
    says = f"is nearer to *he is not rich*, {opposite}, than to *he has a lot of money*, {same}"
    also = f"and that {by_words} is what the mean of words says, too. *Before*, turned round, has {turned_round}."
    return f"{says}; {also}"


def of_cls():
    rows = [cls_after_the_last(text) for text in ("the dog bit the man", "the man bit the dog")]
    others = [cls_after_the_last(text) for text in ("he is rich", "he is not rich")]
    dog, rich = rows[0] @ rows[1], others[0] @ others[1]
    return f"have a cosine of {dog:.2f} for the dog and the man, and of {rich:.2f} for *rich* and *not rich*"


def cls_after_the_last(text):
    encoder, X = load_encoder(), encoder_input(tokenize(text))
    for layer in encoder["layers"]:
        X = post_norm_block(X, layer, encoder["num_heads"])
    return X[0] / np.linalg.norm(X[0])


def the_one_that_is_wrong():
    table = sentence_vectors(SEARCH["questions"]) @ sentence_vectors(SEARCH["sentences"]).T
    ((wrong,),) = np.nonzero(table.argmax(axis=1) != SEARCH["answers"])
    question, sentence = SEARCH["questions"][wrong], SEARCH["sentences"][table[wrong].argmax()]
    return f"the one that the transformer gets wrong, *{question}*, finds *{sentence}*"


def by_layers():
    one, three, six = (f"{100 * share(layer):.0f} %" for layer in (1, 3, 6))
    return f"After one layer it is {one}, after three {three}, after six **{six}**"


def in_the_recap():
    return f"It found {found(sentence_vectors)[0]} of 20 answers at once, words alone {found(mean_of_words)[0]}"


def turned(of):
    return alike("the dog bit the man", "the man bit the dog", of)


def begins():
    numbers = ", ".join(f"{x:.3f}" for x in sentence_vector("the cat sat on the mat")[:4])
    return f"is `[{numbers}, ...]`"


NUMBERS = [
    ("the vector of the sentence is **[0.6, 0.8]**", lambda: f"the vector of the sentence is **{[3 / 5, 4 / 5]}**"),
    ("is [5, 2], of length 5.385, and the vector [0.928, 0.371]", padded),
    ("is `[0.127, -0.012, -0.027, 0.049, ...]`", begins),
    ("differ by less than 0.001 in every number; mostly they agree to six digits", off),
    (
        "Over 62 sentences, the vectors of the published model have a cosine of 0.9996 with these on average, and "
        "0.9993 at worst",
        rounded,
    ),
    ("The transformer has 19 of 20 right at once, the mean of words 16.", searched),
    ("without position vectors the transformer has 19 right as well", by_order),
    ("*the man bit the dog* have 0.98.", lambda: f"*the man bit the dog* have {turned(sentence_vectors)}."),
    ("of words they are the same, 1.00", lambda: f"of words they are the same, {turned(mean_of_words)}"),
    (
        "is nearer to *he is not rich*, 0.92, than to *he has a lot of money*, 0.78; and that 0.92 is what the mean of "
        "words says, too. *Before*, turned round, has 0.95.",
        opposite,
    ),
    ("have a cosine of 0.99 for the dog and the man, and of 0.99 for *rich* and *not rich*", of_cls),
    (
        "the one that the transformer gets wrong, *the cost of living is rising*, finds *the price of oil went up "
        "again this week*",
        the_one_that_is_wrong,
    ),
    (
        "after the first: from 49 % of the marks to 81 %. The later layers mend what is left. Not so for <i>bank</i>: "
        "by luck it has 8.33 of 12 right before, and then 9, 10, 11, 11, 11 and 11.",
        most_change_sides,
    ),
    (
        "5 of the 11 others have the same meaning, 45 %",
        lambda: f"5 of the 11 others have the same meaning, {500 / 11:.0f} %",
    ),
    ("in 49 % (where several are equally near", by_chance),
    ("*Bank* alone has 8.33 of 12", lambda: f"*Bank* alone has {nearest(vectors()['bank'])[1][0]:.3g} of 12"),
    ("After one layer it is 81 %, after three 96 %, after six **97 %**", by_layers),
    (
        "70 of 72. The two that are left are *he works for a large bank in london*, nearest to *water ran over the "
        "bank after the rain*, and *a light boat goes faster than a heavy one*, nearest to *they saw a light in the "
        "distance*",
        left,
    ),
    ("still have a mean cosine of 0.81, and two of the same 0.88", cone),
    ("two different ones of our six have 0.04 on average there", other_words),
    (
        "finds *students write an exam at the end of the year*: *at*, *the* and *end* stand in both. The transformer "
        "finds *the team won the game in the last minute*",
        at_the_end,
    ),
    ("all 12 are right after one layer", settled),
    ("It found 19 of 20 answers at once, words alone 16", in_the_recap),
]
