from functools import cache

import numpy as np

from attnlib import causal_mask, cross_entropy, load_induction_model, multi_head_attention, random_repeats
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

PERIOD, PLACES = 24, 49


def texts():
    """The texts of the notebook, (64, 49)."""
    return random_repeats(np.random.default_rng(0), 64, PERIOD)


@cache
def ran(cut=(), by="zeros"):
    """Logits and the weights of each layer, with the pairs (layer, head) in `cut` silenced, or saying their mean."""
    toy, ids = load_induction_model(), texts()
    X, found = toy["embedding"][ids] + toy["positions"][: ids.shape[1]], []
    for number, layer in enumerate(toy["layers"]):
        rows = np.repeat([(number, head) not in cut for head in range(2)], len(layer["W_o"]) // 2)
        given = layer | {"W_o": layer["W_o"] * rows[:, None]}  # a head that is cut says nothing
        said, weights = multi_head_attention(X, X, **given, num_heads=2, mask=causal_mask(ids.shape[1]))
        if by == "means":
            given["W_o"] = layer["W_o"] - given["W_o"]
            lost = multi_head_attention(X, X, **given, num_heads=2, mask=causal_mask(ids.shape[1]))[0]
            said = said + lost.mean(axis=0)
        X = X + said
        found.append(weights)
    return X @ toy["unembedding"], np.stack(found, axis=1)  # (64, 49, 33), (64, 2, 2, 49, 49)


@cache
def looks(kind):
    """The mean weight of each head, (2, 2), on the place before, or on what came next after the last time."""
    weights = ran()[1]
    if kind == "previous":
        t = np.arange(1, PLACES)
        return weights[..., t, t - 1].mean(axis=(0, -1))
    letters = weights[..., 1:, 1:]
    t = np.arange(PERIOD, PLACES - 1)
    back = {"induction": PERIOD - 1, "same": PERIOD, "after-two": PERIOD - 2}[kind]
    return letters[..., t, t - back].mean(axis=(0, -1))


def loss(cut=(), part="second", by="zeros"):
    logits, ids = ran(cut, by)[0], texts()
    first, last = {"second": (25, 48), "first": (0, 24), "both": (0, 48)}[part]
    losses = [cross_entropy(logits[i, first:last], ids[i, first + 1 : last + 1]) for i in range(len(ids))]
    return round(float(np.mean(losses)), 2)


def best(kind):
    """Layer and head with the largest mean weight: a pair, in which the order counts."""
    layer, head = np.unravel_index(looks(kind).argmax(), (2, 2))
    return int(layer), int(head)


@values(
    points=2,
    task="name the heads of the circuit, and the loss without each of them, as a dict",
    entries=(
        Entry("previous", "layer and head that look one place back most", 0.25, decimals=0),
        Entry("strongest induction", "layer and head with the largest induction score", 0.25, decimals=0),
        Entry("without previous", "the loss in the second copy without the head of the first line", 0.3, decimals=2),
        Entry("without strongest", "the loss in the second copy without the head of the second line", 0.2, decimals=2),
    ),
    mistakes="""
    counted-from-one: layers and heads are counted from 1 -> As everywhere in NumPy, the first is 0. -> Take both
        numbers less 1.
    layers-from-one: layers are counted from 1, heads from 0 -> As everywhere in NumPy, the first is 0, of layers as
        well. -> Take the first number of each pair less 1.
    counted-from-the-end: layers and heads are counted from the end, with negative numbers -> NumPy finds them so as
        well, but asked is which they are, counted from 0. -> Of two layers, or two heads, -1 is 1, and -2 is 0.
    second-counted-from-the-end: layer and head of your second line are counted from the end, with negative numbers ->
        NumPy finds them so as well, but asked is which they are, counted from 0. -> Of two layers, or two heads, -1 is
        1, and -2 is 0.
    heads-exchanged-and-their-losses: your two heads stand in each other's place; each loss is what its line gives ->
        The head that looks one place back belongs in the first line, the one that looks at what came next in the
        second. -> Exchange the lines; the losses go with them.
    heads-exchanged: your two heads stand in each other's place -> The head that looks one place back belongs in the
        first line, the one that looks at what came next in the second. -> Exchange the heads, and leave the losses.
    weights-for-losses: for the losses you give the two weights by which the heads were found -> They say where a head
        looks, not what is lost without it. -> What `second_loss` gives with the head's entry of `keep` False.
    losses-exchanged: your two losses stand in each other's place -> Each belongs to the head that is named above it. ->
        Exchange them.
    rise-of-the-loss: you give by how much the loss rises, not the loss -> The loss with all heads is taken off
        already. -> What `second_loss` gives, as it is.
    weaker-induction-and-its-loss: your second line names the other head of layer 1; your last loss is what that line
        gives -> It looks at what came next, too, but with less weight. -> Compare the two scores; the loss follows.
    weaker-induction: you named the other head of layer 1 as the strongest -> It looks at what came next, too, but with
        less weight. -> Compare the two scores.
    strongest-in-layer-0-and-its-loss: your second line names a head of layer 0; your last loss is what that line gives
        -> No head of layer 0 can find what came next: its keys know nothing of the letter before. -> Compare the four
        induction scores; the loss follows.
    strongest-in-layer-0: you named a head of layer 0 as the strongest -> No head of layer 0 can find what came next:
        its keys know nothing of the letter before. -> Compare the four induction scores.
    other-of-layer-0-and-its-loss: your first line names the other head of layer 0; your first loss is what that line
        gives -> That head gives the place before next to no weight. -> Compare the mean weights of query t on key
        t − 1, the query first; the loss follows.
    first-in-layer-1-and-its-loss: your first line names a head of layer 1; your first loss is what that line gives ->
        That head looks at what came after the last time, not one place back. -> Compare the mean weights of query t on
        key t − 1; the loss follows.
    first-weaker-in-layer-1-and-its-loss: your first line names a head of layer 1; your first loss is what that line
        gives -> That head looks at what came after the last time, not one place back. -> In `[layer, head]` and in
        `keep[layer, head]` the layer comes first. Compare the mean weights of query t on key t − 1; the loss follows.
    other-of-layer-0: your first line names the other head of layer 0 -> It gives the place before next to no weight. ->
        Compare the mean weights of query t on key t − 1, the query first.
    first-in-layer-1: your first line names a head of layer 1 -> It looks at what came after the last time, not one
        place back. -> Compare the mean weights of query t on key t − 1.
    first-weaker-in-layer-1: your first line names a head of layer 1 -> It looks at what came after the last time, not
        one place back. -> In `[layer, head]` the layer comes first. Compare the mean weights of query t on key t − 1.
    cut-other-of-layer-0: for your first loss you cut the other head of layer 0 -> That one is missed less. -> Cut the
        head of your first line: its entry in `keep` is False.
    cut-an-induction-head: for your first loss you cut a head of layer 1 -> The question is what happens without the
        head that looks one place back. -> A row of `keep` is a layer.
    cut-the-weaker-induction-head: for your first loss you cut a head of layer 1 -> The question is what happens without
        the head that looks one place back. -> A row of `keep` is a layer, a column a head: `keep[layer, head]`.
    cut-the-layer: for your first loss you cut both heads of a layer -> The question is what one of them does. -> One
        entry of `keep` is False.
    cut-in-both-layers: for your first loss you cut a head in each layer -> The question is what is missing without the
        head of the first line alone. (`[:, head]` is a column of `keep`: that head of every layer.) ->
        `keep[layer, head]`, one entry.
    kept-alone: your first loss is that of a guess: you cut more than one head, or took the first copy -> `keep` is True
        for heads that speak; and only in the second copy can a letter be foreseen. -> One entry is False, three are
        True, and `second_loss` measures.
    first-copy: your first loss is that in the first copy, with all heads -> There nobody can know what comes next,
        whatever is cut. -> `second_loss`, with one entry of `keep` False.
    both-copies: your first loss is that of both copies together -> In the first copy nobody can know what comes next,
        whatever is cut. -> Only the second copy counts: `second_loss`.
    both-copies-for-strongest: your second loss is that of both copies together -> In the first copy nobody can know
        what comes next, whatever is cut. -> Only the second copy counts: `second_loss`.
    nothing-cut: your first loss is that with all heads -> No entry of `keep` was False. -> Set the head's entry to
        False.
    mean-for-previous: your first loss is that with the head's mean in the place of what it says, or the logarithm of 32
        -> The mean is another way to cut, and a good one; here a head that is cut says nothing. -> What `second_loss`
        gives with its entry of `keep` False.
    mean-for-strongest: your second loss is that with the head's mean in the place of what it says -> That is another
        way to cut, and a good one; here a head that is cut says nothing. -> What `second_loss` gives with its entry of
        `keep` False.
    second-without-weaker: for your second loss you cut the other head of layer 1 -> That one gives less weight to what
        came next. -> Cut the head of your second line.
    second-without-the-layer: your second loss is that of a guess: you cut both heads of layer 1, or all, or took the
        first copy -> The question is what one head does for the second copy. -> One entry of `keep` is False, three
        are True, and `second_loss` measures.
    second-without-the-first: your second loss is that without the head that looks one place back -> That head
        belongs in the first line, and its loss is asked for there. -> Cut the strongest induction head, and that one
        alone.
    second-in-layer-0: for your second loss you cut a head of layer 0 -> The head of your second line is one of layer 1.
        -> A row of `keep` is a layer.
    still-cut: for your second loss the head of your first line is cut as well -> Its entry of `keep` is False still, or
        `[:, head]`, a column of `keep`, has cut that head of every layer. -> Begin with all heads again, and cut one:
        `keep[layer, head]`.
    strongest-kept-alone: for your second loss you cut all heads but that one -> `keep` is True for heads that speak. ->
        One entry is False, three are True.
    first-copy-for-strongest: your second loss is that in the first copy, with all heads -> There nobody can know what
        comes next, whatever is cut. -> `second_loss`, with one entry of `keep` False.
    nothing-cut-for-strongest: your second loss is that with all heads -> No entry of `keep` was False. -> Set the
        head's entry to False.
    """,
)
def the_circuit(wrong=frozenset()):
    """The two heads of the circuit and the losses without them, with mistakes as switches."""
    one, two = best("previous"), best("induction")
    other, weaker = (one[0], 1 - one[1]), (two[0], 1 - two[1])
    of_first = {"other-of-layer-0": other, "first-in-layer-1": two, "first-weaker-in-layer-1": weaker}
    of_second = {"weaker-induction": weaker, "strongest-in-layer-0": other}
    first, second = (some | {f"{name}-and-its-loss": head for name, head in some.items()}
                     for some in (of_first, of_second))  # fmt: skip
    every = frozenset((layer, head) for layer in range(2) for head in range(2))
    cuts_of_first = {
        "cut-other-of-layer-0": (other,),
        "cut-an-induction-head": (two,),
        "cut-the-weaker-induction-head": (weaker,),
        "cut-the-layer": (one, other),
        "cut-in-both-layers": ((0, one[1]), (1, one[1])),
        "kept-alone": tuple(sorted(every - {one})),
        "nothing-cut": (),
    }
    cuts_of_second = {
        "second-without-weaker": (weaker,),
        "second-without-the-layer": (two, weaker),
        "second-without-the-first": (one,),
        "second-in-layer-0": (other,),
        "still-cut": (one, two),
        "strongest-kept-alone": tuple(sorted(every - {two})),
        "nothing-cut-for-strongest": (),
    }
    cuts_of_first |= {f"{name}-and-its-loss": (head,) for name, head in of_first.items()}
    cuts_of_second |= {f"{name}-and-its-loss": (head,) for name, head in of_second.items()}
    pairs = [slip(wrong, first, one), slip(wrong, second, two)]
    if wrong & {"heads-exchanged", "heads-exchanged-and-their-losses"}:
        pairs.reverse()
    if "counted-from-one" in wrong:
        pairs = [(layer + 1, head + 1) for layer, head in pairs]
    if "layers-from-one" in wrong:
        pairs = [(layer + 1, head) for layer, head in pairs]
    if "counted-from-the-end" in wrong:
        pairs = [(layer - 2, head - 2) for layer, head in pairs]
    if "second-counted-from-the-end" in wrong:
        pairs[1] = (pairs[1][0] - 2, pairs[1][1] - 2)
    losses = [
        loss(part="first") if "first-copy" in wrong else loss(slip(wrong, cuts_of_first, (one,))),
        loss(part="first") if "first-copy-for-strongest" in wrong else loss(slip(wrong, cuts_of_second, (two,))),
    ]
    if "both-copies" in wrong:
        losses[0] = loss((one,), "both")
    if "both-copies-for-strongest" in wrong:
        losses[1] = loss((two,), "both")
    if "mean-for-previous" in wrong:
        losses[0] = loss((one,), by="means")
    if "mean-for-strongest" in wrong:
        losses[1] = loss((two,), by="means")
    if "weights-for-losses" in wrong:
        losses = [round(float(looks(kind).max()), 2) for kind in ("previous", "induction")]
    if wrong & {"losses-exchanged", "heads-exchanged-and-their-losses"}:
        losses.reverse()
    if "rise-of-the-loss" in wrong:
        losses = [round(found - loss(), 2) for found in losses]
    return {
        "previous": pairs[0],
        "strongest induction": pairs[1],
        "without previous": losses[0],
        "without strongest": losses[1],
    }
