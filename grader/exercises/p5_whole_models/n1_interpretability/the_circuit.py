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
def ran(cut=()):
    """Logits and the weights of each layer, with the pairs (layer, head) in `cut` silenced."""
    toy, ids = load_induction_model(), texts()
    X, found = toy["embedding"][ids] + toy["positions"][: ids.shape[1]], []
    for number, layer in enumerate(toy["layers"]):
        rows = np.repeat([(number, head) not in cut for head in range(2)], len(layer["W_o"]) // 2)
        given = layer | {"W_o": layer["W_o"] * rows[:, None]}  # a head that is cut says nothing
        said, weights = multi_head_attention(X, X, **given, num_heads=2, mask=causal_mask(ids.shape[1]))
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


def loss(cut=(), part="second"):
    logits, ids = ran(cut)[0], texts()
    parts = {"second": (25, 48), "first": (0, 24), "both": (0, 48), "from its first letter": (24, 48)}
    first, last = parts[part]
    losses = [cross_entropy(logits[i, first:last], ids[i, first + 1 : last + 1]) for i in range(len(ids))]
    return round(float(np.mean(losses)), 2)


def best(kind):
    """Layer and head with the largest mean weight: a pair, in which the order counts."""
    layer, head = np.unravel_index(looks(kind).argmax(), (2, 2))
    return int(layer), int(head)


@values(
    points=2,
    task="name the heads of the circuit, and the loss with and without one of them, as a dict",
    entries=(
        Entry("previous", "layer and head that look one place back most", 0.25, decimals=0),
        Entry("strongest induction", "layer and head with the largest induction score", 0.25, decimals=0),
        Entry("loss", "the loss in the second copy with all heads", 0.2, decimals=2),
        Entry("without previous", "the loss in the second copy without the head of the first line", 0.3, decimals=2),
    ),
    mistakes="""
    counted-from-one: layers and heads are counted from 1 -> As everywhere in NumPy, the first is 0. -> Take both
        numbers less 1.
    weaker-induction: you named the other head of layer 1 as the strongest -> It looks at what came next, too, but with
        less weight. -> Compare the two scores.
    other-of-layer-0-and-its-loss: your first line names the other head of layer 0; your last loss is what that line
        gives -> That head gives the place before next to no weight. -> Compare the mean weights of query t on key
        t − 1; the loss follows.
    first-in-layer-1-and-its-loss: your first line names a head of layer 1; your last loss is what that line gives ->
        That head looks at what came after the last time, not one place back. -> Compare the mean weights of query t on
        key t − 1; the loss follows.
    first-weaker-in-layer-1-and-its-loss: your first line names a head of layer 1; your last loss is what that line
        gives -> That head looks at what came after the last time, not one place back. -> Compare the mean weights of
        query t on key t − 1; the loss follows.
    other-of-layer-0: your first line names the other head of layer 0 -> It gives the place before next to no weight. ->
        Compare the mean weights of query t on key t − 1.
    first-in-layer-1: your first line names a head of layer 1 -> It looks at what came after the last time, not one
        place back. -> Compare the mean weights of query t on key t − 1.
    first-weaker-in-layer-1: your first line names a head of layer 1 -> It looks at what came after the last time, not
        one place back. -> Compare the mean weights of query t on key t − 1.
    strongest-in-layer-0: you named a head of layer 0 as the strongest -> No head of layer 0 can find what came next:
        its keys know nothing of the letter before. -> Compare the four induction scores.
    loss-of-both-copies: your loss is that of both copies together -> In the first copy nobody can know what comes next.
        -> Take the second copy only, from its second letter on.
    loss-of-the-first: your loss is that of the first copy -> There nobody can know what comes next. -> Take the second
        copy.
    whole-second-copy: your loss begins with the first letter of the second copy -> At that place nobody can know that a
        copy begins. -> Begin with its second letter.
    cut-other-of-layer-0: you cut the other head of layer 0 -> That one is missed less. -> Cut the head of your first
        line: its entry in `keep` is False.
    cut-an-induction-head: you cut a head of layer 1 -> The question is what happens without the head that looks one
        place back. -> A row of `keep` is a layer.
    cut-the-weaker-induction-head: you cut a head of layer 1 -> The question is what happens without the head that looks
        one place back. -> A row of `keep` is a layer.
    cut-the-layer: you cut both heads of a layer -> The question is what one of them does. -> One entry of `keep` is
        False.
    kept-alone: you cut all heads but that one -> `keep` is True for heads that speak. -> One entry is False, three are
        True.
    nothing-cut: with and without are the same -> No entry of `keep` was False. -> Set the head's entry to False.
    """,
)
def the_circuit(wrong=frozenset()):
    """The two heads of the circuit and two losses, with mistakes as switches."""
    previous, induction = best("previous"), best("induction")
    cut, strongest = previous, induction
    other, weaker = (cut[0], 1 - cut[1]), (strongest[0], 1 - strongest[1])
    of_first = {"other-of-layer-0": other, "first-in-layer-1": strongest, "first-weaker-in-layer-1": weaker}
    with_its_loss = {f"{name}-and-its-loss": head for name, head in of_first.items()}
    previous = slip(wrong, of_first | with_its_loss, previous)
    induction = slip(wrong, {"weaker-induction": weaker, "strongest-in-layer-0": other}, induction)
    named = {
        "cut-other-of-layer-0": (other,),
        "cut-an-induction-head": (strongest,),
        "cut-the-weaker-induction-head": (weaker,),
        "cut-the-layer": (cut, other),
        "kept-alone": tuple((layer, head) for layer in range(2) for head in range(2) if (layer, head) != cut),
        "nothing-cut": (),
    } | {name: (head,) for name, head in with_its_loss.items()}
    part = slip(
        wrong,
        {"loss-of-both-copies": "both", "loss-of-the-first": "first", "whole-second-copy": "from its first letter"},
        "second",
    )
    pairs = [previous, induction]
    if "counted-from-one" in wrong:
        pairs = [(layer + 1, head + 1) for layer, head in pairs]
    return {
        "previous": pairs[0],
        "strongest induction": pairs[1],
        "loss": loss((), part),
        "without previous": loss(slip(wrong, named, (cut,)), part),
    }
