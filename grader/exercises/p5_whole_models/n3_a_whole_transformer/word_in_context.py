import numpy as np

from attnlib import load_encoder, tokenize
from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p5_whole_models.n3_a_whole_transformer import shared


def alone(words, place):
    """True if the word at this place stands nowhere else, nor inside an earlier word."""
    word = words[place]
    return words.count(word) == 1 and not any(word in earlier for earlier in words[:place])


def asked(rng, length=None):
    """A fresh sentence and a word of it, neither the first nor the last, nor as far from both."""
    text = shared.drawn(rng, length)
    words = text.split()
    places = [i for i in range(1, len(words) - 1) if alone(words, i) and 2 * i != len(words) - 1]
    return {"text": text, "word": words[int(rng.choice(places))]}


def twice(rng):
    """A sentence in which the word stands twice."""
    what, other = rng.choice(shared.WHAT, size=2, replace=False)
    return {"text": f"the {what} {rng.choice(shared.DOES)} a {other} and another {what} too", "word": str(what)}


def ends(place):
    def inputs(rng):
        while True:
            words = shared.drawn(rng, 6).split()
            if alone(words, place % 6) or place == 0:
                return {"text": " ".join(words), "word": words[place]}

    return inputs


def as_written(place):
    """A sentence as people write them, and the word with its capital letter, or with the sign behind it."""

    def inputs(rng):
        what, other = rng.choice(shared.WHAT, size=2, replace=False)
        text = f"{what} - or {other}, a {rng.choice(shared.HOW)} {rng.choice(shared.WHO)}"
        return {"text": text.capitalize() + "!", "word": tokenize(text)[place]}

    return inputs


def inside_another(rng):
    """A sentence in which an earlier word begins with the word, and another one ends with it."""
    return {"text": f"her {rng.choice(shared.WHO)} {rng.choice(shared.DOES)} the {rng.choice(shared.WHAT)} and he did",
            "word": "he"}  # fmt: skip


def says_when_it_is_not_there(call, rng):
    text = shared.drawn(rng, 6)
    missing = next(word for word in rng.permutation(shared.WHERE[0].split() + shared.WHAT) if word not in text.split())
    for about, word in (("which is not there", str(missing)), ("which is only a part of another", "he")):
        outcome = call.outcome(text, word)
        if not outcome.raised("ValueError"):
            return f'asked for "{word}", {about}: {outcome.did}'
    return None


def _layers():
    return load_encoder()["layers"]


@function(
    points=3,
    returns="states",
    changes_input=False,
    effort=8.0,  # its model is the whole encoder, or what is remembered of it
    budget=16_000,
    cases=(
        Case("a short sentence", lambda rng: asked(rng, 5), 0.35),
        Case("a longer one", asked, 0.1),
        Case("the word stands there twice: the first one counts", twice, 0.1),
        Case("the word stands inside earlier words as well", inside_another, 0.05, telling=("inside-another",)),
        Case("the first word", ends(0), 0.05),
        Case("the last word", ends(-1), 0.05),
        Case("a word with a capital letter", as_written(0), 0.05),
        Case("a word with a sign behind it", as_written(-1), 0.05),
        Case("the example of the task", example(text="they sat on the bank of the river", word="bank"), 0.1),
    ),
    properties=(Property("a word that is not in the text raises ValueError", says_when_it_is_not_there, 0.1),),
    mistakes="""
    cls-not-counted: you took the row of the word before -> Row 0 is `[CLS]`, which `encoder_input` puts in front of all
        words. -> A word's row is one more than its place among the words.
    one-taken-off: you took the row two before the word's -> Its place among the words is counted from 0 already, and
        `[CLS]` stands in front of them. -> A word's row is one *more* than its place among the words.
    one-too-far: you took the row behind the word's -> Only `[CLS]` stands in front of the words. -> A word's row is one
        more than its place among the words.
    cls-row: you took row 0 -> That is `[CLS]`, whatever the word is. -> Look for the place of the word.
    sep-row: you took the last row -> That is `[SEP]`, whatever the word is. -> Look for the place of the word.
    specials-cut-off: you cut off the first and the last row before the layers run -> The model has been trained with
        `[CLS]` and `[SEP]`, and all words hear them. -> Let all rows run, and add 1 to the word's place.
    cls-cut-off: you cut off the first row before the layers run -> The model has been trained with `[CLS]`, and all
        words hear it. -> Let all rows run, and add 1 to the word's place.
    sep-cut-off: you cut off the last row before the layers run -> The model has been trained with `[SEP]`, and all
        words hear it. -> Let all rows run.
    first-row-alone: your first row is that of the word alone -> Alone it stands in first place, and its position is
        added to it. -> Take the word's row of the whole sentence's input.
    layer-for-place: behind the first, your rows are the sentence's rows 0, 1, 2, one for each layer -> A layer's
        number stands where the word's place should. -> `X[place]`, the same in all rounds.
    seven-layers: seven layers run, the last of them twice, and the input is missing -> Before the first layer nothing
        has run. -> Write down the input, and then what comes out of each of the six.
    last-layer-first: seven layers run, the first of them is the last, and the input is missing -> `layers[-1]` is the
        last layer: counted from 0, a loop's l - 1 begins with it. -> Write down the input, and then what comes out of
        each of the six.
    cut-behind: you cut the text off behind the word -> Then it hears nothing of what follows: half of its context. ->
        Run all words.
    words-once
    words-sorted
    words-sorted-once
    place-among-others: you look for the word's place among words of which each comes once -> Where an earlier word
        comes again, all places behind it are one less there. -> Look in the list of tokens.
    all-rows-averaged: you average all rows of the sentence -> That is what a whole sentence says. -> Find the word's
        place, and take its row.
    from-the-end: you counted from the wrong end -> The last row is `[SEP]`, before it stands the last word. -> Count
        from the front.
    last-occurrence: of a word that stands there twice you took the last one -> The first one counts; a loop that goes
        on, or a dict of places, keeps the last. -> `tokens.index(word)` finds the first.
    inside-another: you took the row of a longer word, in which yours stands -> "he" is in "her" and in "the", and is
        neither. -> Compare whole words: `tokens.index(word)` does.
    all-occurrences: of a word that stands there twice you took the mean -> The first one counts. ->
        `tokens.index(word)` finds it.
    no-first-row: the row before the first layer is missing -> Seven states were asked for: before the first layer, and
        after each of the six. -> Keep the input, before the loop begins.
    no-last-row: the row after the last layer is missing -> Either you write down what goes into each layer, and the
        last layer's output goes into none; or only five layers run. -> Write down the input before the loop, and then
        what comes out of each of the six.
    row-too-early: your rows stand one place too early, and the last holds zeros -> Row 0 is before the first layer, row
        l after layer l; counted from 0, a loop's l is one less. -> The input in row 0, and in the loop `out[l + 1]`.
    begins-with-one: the first layer has not run, and the last row holds zeros -> `range(1, 6)` leaves out layer 0, and
        ends before 6. -> `range(6)`, and in the loop `out[l + 1]`.
    row-of-the-example: you take row 5, whatever the word is -> That is the row of *bank* in the example. -> Look for
        the place of the word.
    last-row-only: you return the last state alone -> The way there is what is asked for: seven rows. -> Keep one row
        after each layer.
    whole-states: you return all rows of the sentence -> Of each state only the word's row is wanted: (7, 384). -> Take
        that row.
    states-side-by-side: states are columns in your result -> Row l is to be the word after l layers. -> (7, 384).
    states-reversed: your states come from the last to the first -> Row 0 is before the first layer. -> Turn them round.
    alone: the word is sent through the layers alone -> Then it hears nothing but itself, `[CLS]` and `[SEP]`: no
        context. -> Run the whole sentence, and take the word's row.
    hears-itself-only: the word hears nothing but itself -> Its row alone was sent through the layers, or the mask
        leaves it nothing else: no context. -> Run all rows of the sentence, and take the word's afterwards.
    input-twice: the row before the first layer stands there twice, and the last is missing -> You write down what goes
        into each layer, and the input besides. -> Write down the input once, and then what comes out.
    last-twice: the row after the last layer stands there twice, and the input is missing -> You write down what comes
        out of each layer, and the last besides. -> Write down the input before the loop.
    last-but-one-twice: the row before the last layer stands there twice, and the one after it is missing -> Row 6 is
        what the sixth layer makes. -> Which row does the last round of your loop fill, and with what?
    bare-first-row: your first row is the bare word vector -> Before the first layer stands what `encoder_input` makes
        of it: position and segment added, and a norm. -> Take the word's row of the input.
    always-from-the-input: every layer is given the input anew -> A layer works on what the one before has made of
        it. -> `X = ...` in the loop, with X on both sides.
    unit-rows: your rows have the length 1 -> The states themselves are asked for. -> Leave their lengths as they are.
    after-attention: your states are those in the middle of each layer, behind the attention -> A layer ends with its
        second norm. -> `post_norm_block` runs both halves.
    causal
    path-added-twice
    attention-only
    layers-twice
    first-layer-six-times
    last-layer-six-times
    layers-reversed
    pre-norm
    one-head
    no-positions
    split-by-spaces
    specials-twice: `[CLS]` and `[SEP]` stand there twice -> `encoder_input` puts them in by itself. -> Give it the
        words alone, and add 1 to the place.
    specials-by-hand: `[CLS]` and `[SEP]` stand there twice, and you took the row before the word's -> `encoder_input`
        puts them in by itself, one more in front. -> Give it the words alone, and add 1 to the place.
    last-row-unit: your last row has the length 1 -> The states themselves are asked for. -> Leave its length as it is.
    since-the-input: your rows are what has changed since the input, and the first is zeros -> A layer's output is the
        word's new state, not a difference. -> Take the row as the layer gives it.
    appended-behind-the-loop: you return two rows: the input and the last state -> What stands behind the loop happens
        once; what stands in it, in each round. -> Write down a row in every round: mind the column of your `append`.
    what-is-added: behind the first, your rows are what each layer has changed -> A layer's output is the word's new
        state, not a difference. -> Take the row as the layer gives it.
    index-error: you raise IndexError for a word that is not in the text -> `np.where(...)[0][0]` fails so where nothing
        was found. -> Ask first, and raise ValueError.
    key-error: you raise KeyError for a word that is not in the text -> A dict fails so. -> Ask first, and raise
        ValueError.
    stop-iteration: you raise StopIteration for a word that is not in the text -> `next` does so where nothing is left.
        -> Ask first, and raise ValueError.
    part-of-a-word: you find a word inside another one -> In a text, `in` and `find` look for letters: "he" is in "the".
        -> Look in the list of tokens.
    """,
)
def word_in_context(text, word, wrong=frozenset()):
    """A word's row before the first layer and after each, with the mistakes that people make as switches."""
    tokens = shared.tokens_of(text, wrong)
    if word not in tokens:
        if "index-error" in wrong:
            raise IndexError("index 0 is out of bounds for axis 0 with size 0")
        if "key-error" in wrong:
            raise KeyError(word)
        if "stop-iteration" in wrong:
            raise StopIteration
        if "part-of-a-word" in wrong and word in text:
            return np.zeros((7, 384))
        raise ValueError(f"{word!r} is not in list")
    if "specials-by-hand" in wrong:
        wrong |= {"specials-twice", "cls-not-counted"}
        tokens = shared.tokens_of(text, wrong)
    places = [1 + i for i, token in enumerate(tokens) if token == word]
    place = places[-1 if "last-occurrence" in wrong else 0]
    if "inside-another" in wrong:
        place = next(1 + i for i, token in enumerate(tokens) if word in token)
    for name, other in (
        ("cls-not-counted", place - 1),
        ("one-taken-off", place - 2),
        ("one-too-far", place + 1),
        ("cls-row", 0),
        ("sep-row", -1),
        ("row-of-the-example", 5),
    ):
        place = min(other, len(tokens) + 1) if name in wrong else place
    if "from-the-end" in wrong:
        place = -1 - place
    if "alone" in wrong:
        tokens, place = (word,), 1
    if "cut-behind" in wrong:
        tokens = tokens[:place]
    if "place-among-others" in wrong:
        place = 1 + list(dict.fromkeys(tokens)).index(word)
    if wrong & {"specials-cut-off", "cls-cut-off"}:
        place = max(place - 1, 0)
    states = list(shared.states(tokens, wrong & shared.RUNNING))
    if "hears-itself-only" in wrong:
        row = states[0][place : place + 1]
        states = [row := shared.block(row, layer) if i else row for i, layer in enumerate([None, *_layers()])]
        place = 0
    if "layer-for-place" in wrong:
        return np.array([states[0][place], *(X[i] for i, X in enumerate(states[1:]))])
    if "seven-layers" in wrong:
        states = [*states[1:], shared.block(states[-1], _layers()[-1])]
    if "last-layer-first" in wrong:
        states = [shared.block(states[0], _layers()[-1])]
        for layer in _layers():
            states.append(shared.block(states[-1], layer))
    if "input-twice" in wrong:
        states = [states[0], *states[:-1]]
    if "last-but-one-twice" in wrong:
        states[-1] = states[-2]
    if "row-too-early" in wrong:
        states = [*states[1:], 0 * states[0]]
    if "begins-with-one" in wrong:
        states = [*shared.states(tokens, frozenset({"first-layer-left-out"})), 0 * states[0]]
    if "last-twice" in wrong:
        states = [*states[1:], states[-1]]
    if "always-from-the-input" in wrong:
        states[1:] = [shared.block(states[0], layer) for layer in _layers()]
    if "after-attention" in wrong:
        states[1:] = shared.middles(tokens)
    if "whole-states" in wrong:
        return np.array(states)
    if "all-occurrences" in wrong:
        rows = np.array([X[places].mean(axis=0) for X in states])
    else:
        rows = np.array([X.mean(axis=0) if "all-rows-averaged" in wrong else X[place] for X in states])
    if "bare-first-row" in wrong:
        rows[0] = shared.first(tokens, frozenset({"bare-words"}))[place]
    if "first-row-alone" in wrong:
        rows[0] = shared.first((word,))[1]
    if "what-is-added" in wrong:
        rows[1:] = np.diff(rows, axis=0)
    if "since-the-input" in wrong:
        rows = rows - rows[0]
    if "appended-behind-the-loop" in wrong:
        return rows[[0, -1]]
    if "last-row-unit" in wrong:
        rows[-1] /= np.linalg.norm(rows[-1])
    if "unit-rows" in wrong:
        rows = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    slips = {"no-first-row": slice(1, None), "no-last-row": slice(-1), "states-reversed": slice(None, None, -1)}
    for name, some in slips.items():
        rows = rows[some] if name in wrong else rows
    if "last-row-only" in wrong:
        return rows[-1]
    return rows.T if "states-side-by-side" in wrong else rows
