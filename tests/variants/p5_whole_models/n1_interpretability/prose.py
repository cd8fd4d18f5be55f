"""The numbers in the prose of this notebook."""

from functools import cache

import numpy as np

from attnlib import (
    causal_mask,
    cross_entropy,
    encoder_input,
    head_contributions,
    induction_score,
    load_encoder,
    load_encoder_outputs,
    load_induction_model,
    masking_effect,
    merge_heads,
    multi_head_attention,
    post_norm_block,
    random_repeats,
    rollout,
    split_heads,
    tokenize,
)
from attnlib.plots.interpretability import KINDS, agreements, stored, unpacked
from grader.exercises.p5_whole_models.n1_interpretability.rollout import BY_HAND
from grader.exercises.p5_whole_models.n1_interpretability.rollout import rollout as rollout_model
from grader.exercises.p5_whole_models.n1_interpretability.the_circuit import looks, loss, ran, texts

TEXTS = load_encoder_outputs()["texts"]
LAYERS = load_encoder()["layers"]
ATTENTION = ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o")
BANK, RIVER = 6, 9
TOY, TRAP = load_induction_model(), load_induction_model(trapped=True)


@cache
def opened(text):
    """Weights (6, 12, n, n), contributions (6, n, n) and values of a sentence."""
    X, weights, found, values = encoder_input(tokenize(text)), [], [], []
    for layer in LAYERS:
        A = multi_head_attention(X, X, num_heads=12, **{name: layer[name] for name in ATTENTION})[1]
        V = split_heads(X @ layer["W_v"] + layer["b_v"], 12)
        weights.append(A)
        values.append(V)
        found.append(head_contributions(A, V, layer["W_o"]))
        X = post_norm_block(X, layer, 12)
    return np.array(weights), np.array(found), np.array(values)


def shares(text):
    C = opened(text)[1]
    return C / C.sum(axis=-1, keepdims=True)


def specials(column):
    """For each layer the share of the weights and of the contributions that goes from words to this token."""
    found = [
        [part[:, 1:-1, column].mean(axis=-1) for part in (opened(text)[0].mean(axis=1), shares(text))]
        for text in TEXTS[:12]
    ]
    return 100 * np.mean(found, axis=0)


def more_than_half():
    by_weight, by_share = specials(0)
    assert (by_weight[1:5] > 50).all()
    assert (by_weight[[0, 5]] < 50).all()
    weight, share, has, brings = by_weight[1:5], by_share[1:5], *(part[1:5] for part in specials(-1))
    assert (brings > has).all()
    return (
        "More than half of the weight, from the second layer to the fifth, goes to a token that is no word: "
        f"{weight.min():.0f} to {weight.max():.0f} %. It brings {share.min():.0f} or {share.max():.0f} % of what "
        "arrives. (`[SEP]` is no word either, but no such place: there it has "
        f"{has.min():.0f} to {has.max():.0f} %, and brings more than that, {brings.min():.0f} to {brings.max():.0f} %.)"
    )


def by_weight_and_share():
    text = TEXTS[0]
    weight, share = opened(text)[0][2, :, BANK].mean(axis=0), shares(text)[2, BANK]
    for j in (4, 6, 7):
        assert share[j] > share[0]
        assert weight[j] < 0.055
    return f"`[CLS]` has {100 * weight[0]:.0f} % of the weight and {100 * share[0]:.0f} % of what arrives"


def short_values():
    """In the third layer, how long [CLS] is at weight 1, compared with the median word, head by head."""
    V = opened(TEXTS[0])[2][2]
    said = np.linalg.norm(V @ LAYERS[2]["W_o"].reshape(12, 32, -1), axis=-1)
    share = 100 * said[:, 0] / np.median(said[:, 1:-1], axis=1)
    return f"in every head: {share.min():.0f} to {share.max():.0f} % as long as a word's (the median of the nine words"


@cache
def noises():
    """What breaks the ties of nearness, drawn for one sentence after the other."""
    rng = np.random.default_rng(0)
    return {text: rng.random((len(tokenize(text)) + 2,) * 2) for text in TEXTS}


@cache
def rivals(text):
    weights, C, _ = opened(text)
    i, j = np.indices(C.shape[1:])
    noise = noises()[text]
    return {
        "nearness": 0.01 * noise - np.abs(i - j),
        "last": weights[-1].mean(axis=0),
        "weights": weights.mean(axis=(0, 1)),
        "contributions": C.mean(axis=0),
        "rollout": rollout(weights),
        "rolled shares": rollout(shares(text)[:, None]),
    }


@cache
def effects(text):
    return [masking_effect(tokenize(text), unknown=unknown) for unknown in (False, True)]


def agreement(answer, effect):
    words, found = range(1, len(effect) - 1), []
    for i in words:
        others = [j for j in words if j != i]
        ranks = [np.argsort(np.argsort(row[i, others])) for row in (answer, effect)]
        found.append(np.corrcoef(*ranks)[0, 1])
    return np.mean(found)


@cache
def judged(name, count):
    """Mean rank correlations with both kinds of doing without, over the first sentences."""
    return np.mean([[agreement(rivals(t)[name], e) for e in effects(t)] for t in TEXTS[:count]], axis=0)


def two(name, count, joined=" and "):
    return joined.join(f"{x:.2f}" for x in judged(name, count))


def near_nothing():
    """Rollout of weights beside nearness, whose ties are broken by chance: the order is what counts."""
    rolled, near = judged("rollout", 12), judged("nearness", 12)
    assert (np.abs(rolled - near) < 0.07).all()
    return f"about as good as nearness**: {two('rollout', 12)} against {two('nearness', 12)}"


def second_place():
    both = [judged(name, 12) for name in ("contributions", "weights", "rolled shares", "nearness", "rollout")]
    masked, unknown = zip(*both, strict=True)
    assert masked[0] > masked[2] > masked[1] > max(masked[3:])
    assert unknown[0] > unknown[1] > unknown[2] > max(unknown[3:])
    return (
        "Contributions lead there as well. Mean weights and rollout of contributions, level in the first column with "
        f"{masked[1]:.2f} and {masked[2]:.2f}, are apart there: {unknown[1]:.2f} and {unknown[2]:.2f}"
    )


def unlucky_chance():
    """How many of its standard errors chance is off, in the two columns of the table."""
    found = np.array([[agreement(noises()[t], e) for e in effects(t)] for t in TEXTS[:12]])
    off = np.abs(found.mean(axis=0)) / (found.std(axis=0, ddof=1) / np.sqrt(12))
    assert off[0] < 2 < off[1]
    return "in the second column it is off by more than twice its error"


def drowns():
    """The share of the words' weight that goes to [CLS] alone, in each layer."""
    share = np.mean([opened(t)[0].mean(axis=1)[:, 1:-1, 0].mean(axis=1) for t in TEXTS[:12]], axis=0)
    assert (share > 0.5).sum() == 4
    return "In four of the six layers more than half of the words' weight goes there"


def first_of_all():
    first, *others = (judged(name, 62) for name in ("contributions", "weights", "rollout", "nearness"))
    assert all((first > one).all() for one in others)
    return (
        f"contributions {two('contributions', 62)}, mean weights {two('weights', 62)}, "
        f"rollout of weights {two('rollout', 62)}, nearness {two('nearness', 62)}"
    )


def last_layer_is_worse():
    assert (judged("last", 12) < judged("weights", 12)).all()
    return "The last layer alone is worse than the mean of all"


def river_leads():
    for effect in effects(TEXTS[0]):
        row = effect[BANK].copy()
        row[BANK] = 0
        assert row.argmax() == RIVER
        assert row.max() > 1.6 * np.median(row[1:-1])
    return "Both ways agree on the first place: *river*, by far"


def river_by():
    text = TEXTS[0]
    weights, share = opened(text)[0], shares(text)
    weight, brought = weights[2, :, BANK].mean(axis=0), share[2, BANK]
    rolled, both = rollout(weights)[BANK], rollout(share[:, None])[BANK]
    assert abs(rolled[0] - 2 / 3) < 0.02
    assert (brought > brought[RIVER]).sum() == 7
    assert [int(i) for i in np.argsort(-both)[:2]] == [2, RIVER]
    return (
        f"In the third layer it has {weight[RIVER]:.2f} by the weights, where `[CLS]` has {weight[0]:.2f}; and "
        f"{brought[RIVER]:.2f} by the contributions, behind seven others. But that is one layer of six. Through all of "
        f"them it has {rolled[RIVER]:.2f} by rollout of weights, where `[CLS]` has two thirds; and {both[RIVER]:.2f} "
        "by rollout of contributions, behind *deposited* alone"
    )


def two_back():
    t = np.arange(3, 49)
    return f"It looks *two* places back, with {ran()[1][..., t, t - 2].mean(axis=(0, -1))[0, 0]:.2f} of its weight"


def rises():
    """What the loss rises by without one head of layer 1, or both."""
    one, other, both = (loss(cut) - loss() for cut in (((1, 0),), ((1, 1),), ((1, 0), (1, 1))))
    assert max(one, other) < both / 2
    return f"The loss rises by {one:.2f} and {other:.2f}, and by {both:.2f} without both"


@cache
def with_means(cut=()):
    """The loss in the second copy if heads say the mean of their contexts over all texts, at each place."""
    ids = texts()
    X = TOY["embedding"][ids] + TOY["positions"][: ids.shape[1]]
    for number, layer in enumerate(TOY["layers"]):
        weights = multi_head_attention(X, X, **layer, num_heads=2, mask=causal_mask(ids.shape[1]))[1]
        context = weights @ split_heads(X @ layer["W_v"], 2)
        for head in (head for place, head in cut if place == number):
            context[:, head] = context[:, head].mean(axis=0)
        X = X + merge_heads(context) @ layer["W_o"]
    logits = X @ TOY["unembedding"]
    return np.mean([cross_entropy(one[25:48], row[26:]) for one, row in zip(logits, ids, strict=True)])


def other_way_to_cut():
    assert round(float(with_means()), 2) == loss()
    for cut in (((0, 1),), ((1, 0),), ((1, 1),), ((1, 0), (1, 1))):
        assert abs(with_means(cut) - loss(cut)) < 0.1
    cut = ((0, 0),)
    return (
        "Four of the five numbers then move by less than 0.1; but without head 0.0 the loss is "
        f"{with_means(cut):.2f}, not {loss(cut):.2f}"
    )


def start_left_in():
    """A score of all rows and columns, the start's as well, is too low by one part in 25; so is a whole diagonal."""
    right, whole = looks("induction")[1], ran()[1][:, 1]
    with_start = induction_score(whole, 24).mean(axis=0)
    diagonal = np.diagonal(whole[..., 1:, 1:], offset=-23, axis1=-2, axis2=-1).mean(axis=(0, -1))
    assert np.allclose(np.stack([with_start, diagonal]) / right, 24 / 25, atol=0.003)
    return "a score a little too low, by 1 part in 25"


def of_toy(part):
    logits, ids = ran()[0], texts()
    if part == "right":
        return f"{100 * (logits[:, 25:48].argmax(axis=-1) == ids[:, 26:]).mean():.0f} % of the letters are right"
    return f"{loss((), part):.2f}"


def scores():
    return [f"{x:.2f}" for x in looks("induction")[1]]


def emerged():
    log = TOY["emergence"]
    at = {int(step): i for i, step in enumerate(log["step"])}
    found = [f"{log[name][at[600]]:.2f}" for name in ("previous", "induction", "loss")]
    assert log["previous"][at[400]] < 0.1 > log["induction"][at[400]]
    second = [f"{log['loss'][at[step]]:.2f}" for step in (1500, 1700)]
    return (
        f"For 400 steps little seems to happen: the loss is {log['loss'][at[400]]:.2f}, hardly better than "
        f"a guess. At step "
        f"600 both heads are there, with {found[0]} and {found[1]}, and the loss is {found[2]}. A second step follows "
        f"between 1,500 and 1,700, where the loss falls from {second[0]} to {second[1]}"
    )


@cache
def trapped(period, model="trap", texts_=None):
    """Best induction score of the last layer, loss in the second copy, and its first head's weight 23 and 24 back."""
    model = TRAP if model == "trap" else TOY
    ids = texts() if texts_ else random_repeats(np.random.default_rng(1), 64, period)
    X = model["embedding"][ids] + model["positions"][: ids.shape[1]]
    for layer in model["layers"]:
        said, weights = multi_head_attention(X, X, **layer, num_heads=2, mask=causal_mask(ids.shape[1]))
        X = X + said
    logits = X @ model["unembedding"]
    letters = weights[..., 1:, 1:]
    t = np.arange(24, letters.shape[-1])
    losses = [cross_entropy(one[period + 1 : -1], row[period + 2 :]) for one, row in zip(logits, ids, strict=True)]
    best = induction_score(letters, period).mean(axis=0).max()
    back = [letters[..., t, t - d].mean(axis=(0, -1))[0] for d in (23, 24) if len(t)]
    return f"{best:.2f}", f"{np.mean(losses):.2f}", *(f"{weight:.2f}" for weight in back)


def falls():
    (first, low, *_), (second, high, *back), (third, higher, *far) = (trapped(period) for period in (24, 20, 18))
    return (
        f"the best score of its two heads falls from {first} to {second} and {third}, and the loss rises from {low} "
        f"to {high} and {higher}: "
        f"it guesses. But the first of them goes on looking there: {back[0]} and {far[0]} of its weight go 23 places "
        f"back, and {back[1]} and {far[1]} go 24 places back"
    )


def at_three():
    """The toy at the shortest distance of its training: what has the largest score is no induction head."""
    ids = random_repeats(np.random.default_rng(1), 64, 3)
    X = TOY["embedding"][ids] + TOY["positions"][: ids.shape[1]]
    first = multi_head_attention(X, X, **TOY["layers"][0], num_heads=2, mask=causal_mask(ids.shape[1]))[1]
    score = induction_score(first[..., 1:, 1:], 3).mean(axis=0)[0]
    of_layer_1, found = trapped(3, "toy")[:2]
    assert score > 5 * float(of_layer_1)
    return (
        f"At 3 its largest score is {score:.2f}, in layer 0: that is head 0.0, which looks two places back, 3 − 1, "
        f"whatever stands there. The loss is {found}"
    )


def turns_away():
    """Of the letter 24 places back, only whether it is one's own makes a difference."""
    return "With period 24 these shares of its weight were {} and {}".format(*trapped(24)[2:])


def seen(sentence, kind, layer, asking):
    return unpacked(stored()[sentence], KINDS[kind])[layer, asking]


def last_layer():
    marks = agreements(stored()[0])[:, 5, BANK]
    assert max(marks[:3]) < 0.5 < min(marks[3:])
    return (
        "weights {:.2f}, contributions {:.2f}, rollout {:.2f}. "
        "With means (here of the shares), weights {:.2f} and contributions "
        "{:.2f}".format(*marks)
    )


def most_of_cls():
    by_layer = [(seen(0, 0, layer, BANK)[0], seen(0, 1, layer, BANK)[0]) for layer in range(6)]
    best = int(np.argmax([weight for weight, _ in by_layer]))
    largest = max(share for _, share in by_layer)
    return f"In layer {best + 1}, {by_layer[best][0]:.2f}. It never brings more than {largest:.2f}"


def sinks():
    rolled = [seen(0, 2, layer, BANK) for layer in range(6)]
    assert abs(rolled[-1][0] - 2 / 3) < 0.02
    assert all(seen(0, 3, layer, BANK)[[1, 2, 3, 4, 5, 7, 8, 9]].argmax() == 7 for layer in range(6))
    return f"It sinks from {rolled[0][RIVER]:.2f} to {rolled[-1][RIVER]:.2f}"


def without_words():
    effect = unpacked(stored()[0], "effect")[5]
    river, the = effect[:, RIVER], effect[:, 8]
    assert [int(i) for i in np.argsort(-river)[:3]] == [8, 3, 0]
    assert round(float(river[0]), 1) == round(float(river[3]), 1)
    assert [int(i) for i in np.argsort(-the)[:2]] == [7, 9]
    assert np.sort(the)[-3] < 0.85
    return (
        f"The <em>the</em> before it, {river[8]:.1f}; then <em>money</em> and [CLS], {river[3]:.1f}. Without that "
        f"<em>the</em>, "
        f"<em>of</em> and <em>river</em> move, {the[7]:.1f} and {the[9]:.1f}"
    )


def animal():
    tokens = stored()[1]["tokens"]
    it, animal_, tired = (tokens.index(word) for word in ("it", "animal", "tired"))
    weight, share, _, effect = (seen(1, kind, 5, it) for kind in range(4))
    assert share.argmax() == animal_
    assert weight.argmax() == 0
    return (
        f"by far: {effect[animal_]:.1f}, and then <em>tired</em>, {effect[tired]:.1f}. Contributions put "
        f"it first as well, "
        f"with {share[animal_]:.2f}. By weight [CLS] is first with {weight[0]:.2f}, and <em>animal</em> has "
        f"{weight[animal_]:.2f}"
    )


def example_of_contributions():
    W_o = [[2.0, 0.0], [1.0, 1.0]]
    found = head_contributions([[[0.6, 0.4]], [[0.5, 0.5]]], [[[0.1], [3.0]], [[1.0], [-2.0]]], W_o)
    return f"np.array({W_o}))` → `{found.round(3).tolist()}`"


def by_hand_rows():
    plain = rollout_model(BY_HAND, wrong=frozenset({"no-identity"}))[-1]
    return f"Without the identity, from the weights as they are, it would be [{', '.join(f'{x:.2f}' for x in plain)}]"


def other_weights():
    V = np.array([[1, 0], [0, 1], [1, 1], [0.5, 0.5]])
    contexts = [(np.array(w) @ V).round(6).tolist() for w in ([0.4, 0.4, 0.1, 0.1], [0.1, 0.1, 0.1, 0.7])]
    assert contexts[0] == contexts[1]
    return f"| 0.1, 0.1, 0.1, 0.7 | {contexts[1]} |"


def unique():
    weights, _, V = opened(TEXTS[0])
    n = weights.shape[-1]
    ranks = {np.linalg.matrix_rank(np.hstack([one, np.ones((n, 1))])) for layer in V for one in layer}
    return f"For a sentence of {n} tokens the weights of each head are the only ones" if ranks == {n} else f"{ranks}"


def by_rank():
    ranks = [np.argsort(np.argsort(row)) for row in ([3.1, 0.4, 1.2], [0.5, 0.3, 0.2])]
    return f"the other two are exchanged: {np.corrcoef(*ranks)[0, 1]:.1f}"


NUMBERS = [
    ("in every head: 1 to 13 % as long as a word's (the median of the nine words", short_values),
    ("`[CLS]` has 76 % of the weight and 9 % of what arrives", by_weight_and_share),
    (
        "gives `[CLS]` **76 %** of its weight",
        lambda: f"gives `[CLS]` **{100 * seen(0, 0, 2, BANK)[0]:.0f} %** of its weight",
    ),
    ("- c) 9 %", lambda: f"- c) {100 * shares(TEXTS[0])[2, BANK, 0]:.0f} %"),
    (
        "More than half of the weight, from the second layer to the fifth, goes to a token that is no word: 53 to 60 "
        "%. It brings 5 or 6 % of what arrives. (`[SEP]` is no word either, but no such place: there it has 3 to 7 %, "
        "and brings more than that, 6 to 10 %.)",
        more_than_half,
    ),
    ("np.array([[2.0, 0.0], [1.0, 1.0]]))` → `[[0.796, 1.72]]`", example_of_contributions),
    ("Without the identity, from the weights as they are, it would be [0.52, 0.46, 0.02]", by_hand_rows),
    (
        "`[[1.0, 0.0, 0.0], [0.5875, 0.4125, 0.0], [0.205, 0.465, 0.33]]`",
        lambda: f"`{rollout(BY_HAND).round(12).tolist()}`",
    ),
    ("Both ways agree on the first place: *river*, by far", river_leads),
    (
        "In the third layer it has 0.03 by the weights, where `[CLS]` has 0.76; and 0.07 by the contributions, behind "
        "seven others. But that is one layer of six. Through all of them it has 0.02 by rollout of weights, where "
        "`[CLS]` has two thirds; and 0.12 by rollout of contributions, behind *deposited* alone",
        river_by,
    ),
    ("the other two are exchanged: 0.5", by_rank),
    (
        "**Contributions come first**, by both ways of doing without: 0.85 and 0.82",
        lambda: f"**Contributions come first**, by both ways of doing without: {two('contributions', 12)}",
    ),
    ("Mean weights come to 0.72 and 0.74", lambda: f"Mean weights come to {two('weights', 12)}"),
    ("about as good as nearness**: 0.31 and 0.33 against 0.27 and 0.36", near_nothing),
    (
        "the same method is much better: 0.73 and 0.63",
        lambda: f"the same method is much better: {two('rolled shares', 12)}",
    ),
    ("The last layer alone is worse than the mean of all", last_layer_is_worse),
    (
        "contributions 0.84 and 0.79, mean weights 0.71 and 0.72, rollout of weights 0.26 and 0.27, "
        "nearness 0.22 and 0.31",
        first_of_all,
    ),
    (
        "Contributions lead there as well. Mean weights and rollout of contributions, level in the first column with "
        "0.72 and 0.73, are apart there: 0.74 and 0.63",
        second_place,
    ),
    ("in the second column it is off by more than twice its error", unlucky_chance),
    ("In four of the six layers more than half of the words' weight goes there", drowns),
    ("In layer 3, 0.76. It never brings more than 0.09", most_of_cls),
    (
        "weights 0.19, contributions 0.24, rollout 0.36. "
        "With means (here of the shares), weights 0.88 and contributions 0.69",
        last_layer,
    ),
    ("It sinks from 0.08 to 0.02", sinks),
    (
        "The <em>the</em> before it, 4.1; then <em>money</em> and [CLS], 3.3. Without that <em>the</em>, "
        "<em>of</em> and <em>river</em> "
        "move, 1.7 and 1.6",
        without_words,
    ),
    (
        "by far: 5.1, and then <em>tired</em>, 2.9. Contributions put it first as well, with 0.35. By "
        "weight [CLS] is first "
        "with 0.29, and <em>animal</em> has 0.13",
        animal,
    ),
    (
        "The first copy is guessed: 3.49, about the logarithm of 32 letters, 3.47. In the second the loss is 0.12",
        lambda: (
            f"The first copy is guessed: {of_toy('first')}, about the logarithm of 32 letters, "
            f"{np.log(32):.2f}. In "
            f"the second the loss is {of_toy('second')}"
        ),
    ),
    ("99 % of the letters are right", lambda: of_toy("right")),
    (
        "the loss is 3.42: as if the model had read nothing",
        lambda: f"the loss is {loss(((0, 1),)):.2f}: as if the model had read nothing",
    ),
    (
        "hardly looks at the earlier copy: 0.96 of its weight goes one place back",
        lambda: f"hardly looks at the earlier copy: {looks('previous')[0, 1]:.2f} of its weight goes one place back",
    ),
    ("The loss rises by 1.10 and 1.62, and by 3.36 without both", rises),
    (
        "Four of the five numbers then move by less than 0.1; but without head 0.0 the loss is 3.05, not 0.98",
        other_way_to_cut,
    ),
    ("a score a little too low, by 1 part in 25", start_left_in),
    ("Without both heads of layer 1: 3.48", lambda: f"Without both heads of layer 1: {loss(((1, 0), (1, 1))):.2f}"),
    (
        "Without only one of them: 1.22 and 1.74",
        lambda: f"Without only one of them: {loss(((1, 0),)):.2f} and {loss(((1, 1),)):.2f}",
    ),
    ("It looks *two* places back, with 0.68 of its weight", two_back),
    (
        "At 3 its largest score is 0.72, in layer 0: that is head 0.0, which looks two places back, 3 − 1, whatever "
        "stands there. The loss is 2.64",
        at_three,
    ),
    ("and at 6 its loss is 1.13", lambda: f"and at 6 its loss is {trapped(6, 'toy')[1]}"),
    ("Head 0.0 is missed as well: 0.98", lambda: f"Head 0.0 is missed as well: {loss(((0, 0),)):.2f}"),
    (
        "For 400 steps little seems to happen: the loss is 3.20, hardly better than a guess. At step 600 "
        "both heads are "
        "there, with 0.49 and 0.57, and the loss is 1.42. A second step follows between 1,500 and 1,700, "
        "where the loss "
        "falls from 0.88 to 0.26",
        emerged,
    ),
    (
        "the best score of its two heads falls from 0.70 to 0.09 and 0.08, and the loss rises from 0.82 to 3.22 and "
        "3.33: it guesses. But "
        "the first of them goes on looking there: 0.39 and 0.42 of its weight go 23 places back, and 0.29 and 0.32 go "
        "24 places back",
        falls,
    ),
    ("With period 24 these shares of its weight were 0.70 and 0.03", turns_away),
    (
        "Note that its score of 0.70 was **as high as** those of the real circuit, 0.56 and 0.69",
        lambda: (
            f"Note that its score of {trapped(24, 'trap', True)[0]} was **as high as** those of the real circuit, "
            f"{scores()[0]} and {scores()[1]}"
        ),
    ),
    (
        "with period 20 the toy of section 8 has the score 0.79 and the loss 0.17",
        lambda: "with period 20 the toy of section 8 has the score {} and the loss {}".format(*trapped(20, "toy")[:2]),
    ),
    ("| 0.1, 0.1, 0.1, 0.7 | [0.55, 0.55] |", other_weights),
    ("For a sentence of 11 tokens the weights of each head are the only ones", unique),
]
