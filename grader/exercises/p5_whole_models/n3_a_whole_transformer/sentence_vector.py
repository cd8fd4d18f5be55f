import numpy as np

from attnlib import load_encoder_outputs
from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p5_whole_models.n3_a_whole_transformer import shared
from grader.exercises.stages import slip


def agrees_with_the_published_code(call, rng):
    outputs = load_encoder_outputs()
    words = [text.split() for text in outputs["texts"]]
    # Whoever leaves out what comes twice, or what comes late, is seen in whatever is drawn.
    telling = [i for i, some in enumerate(words) if len(set(some)) < len(some) > 8]
    for i in rng.choice(telling, size=2, replace=False):
        gap = np.abs(call(outputs["texts"][i]) - outputs["vectors"][i]).max()
        if not gap < 1e-3:
            return f'for "{outputs["texts"][i]}" your vector is off by {gap:.3f} from what transformers computes'
    return None


def has_length_one(call, rng):
    length = np.linalg.norm(call(shared.drawn(rng, 4)))
    return None if abs(length - 1) < 1e-3 else f"its length is {length:.4g}"


@function(
    points=4,
    returns="vector",
    seen=shared.single,
    changes_input=False,
    effort=8.0,  # its model is the whole encoder, or what is remembered of it
    budget=8_000,
    cases=(
        # A set may keep the order of a few words by chance, and never a word that comes twice.
        Case("five words, one of them twice", lambda rng: {"text": shared.drawn(rng, 5)}, 0.4),
        Case("a longer sentence", lambda rng: {"text": shared.drawn(rng)}, 0.1),
        Case("a single word", lambda rng: {"text": str(rng.choice(shared.WHAT))}, 0.05),
        Case("the example of the task", example(text="the cat sat on the mat"), 0.05),
        Case("with capital letters and signs between words", lambda rng: {"text": shared.written(rng)}, 0.1),
    ),
    properties=(
        Property("it agrees with the published code within 0.001", agrees_with_the_published_code, 0.2),
        Property("its length is 1", has_length_one, 0.1),
    ),
    # The first is tried in pairs with all others: nobody is done before the length is 1.
    mistakes="""
    not-unit
    cls-only
    sep-only
    first-word-only: you take the row of the first word alone -> Row 0 is `[CLS]`, row 1 the first word. -> Average all
        rows.
    specials-left-out
    as-many-rows-as-words: the last two rows are missing from the mean: the last token and `[SEP]` -> There are two rows
        more than words, for `[CLS]` and `[SEP]`. -> Average all rows.
    word-vectors-averaged: you average the word vectors themselves -> That is the sentence vector of Part 1: no
        position, no layer. -> Run all six layers on what `encoder_input` gives, and average what comes out.
    cls-left-out
    sep-left-out
    largest
    median
    tanh-of-cls
    unit-rows-averaged
    unit-rows-first
    squared-length: you divide by the square of the length -> The dot product of a vector with itself is its length
        times itself. -> Take the root first, or `np.linalg.norm`.
    sum-for-length: you divide by the sum of the sizes -> The length is the root of the sum of the squares. ->
        `np.linalg.norm` computes it.
    largest-for-length: you divide by the largest number -> The length is the root of the sum of the squares. ->
        `np.linalg.norm` computes it.
    mean-taken-off: you take off the mean of the numbers before you divide -> That turns the vector. The length 1 comes
        by one division, and by nothing else. -> Divide the mean of the rows by its length.
    sum-forgotten: you divide each number by its own size -> The root of a square is the number without its sign, so
        that all become 1, -1, or 0/0. The length has a sum under its root. -> Add up the squares first, or take
        `np.linalg.norm`.
    standardised: you take off the mean of the numbers and divide by their spread -> That is a norm as inside the
        layers. A vector gets the length 1 by one division. -> Divide by `np.linalg.norm`.
    not-averaged: you return a row for each token -> A sentence is to have one vector, however long it is. -> Average
        the rows, and bring that to length 1.
    rows-as-they-are: you return the rows of all tokens, (n, 384) -> A sentence is to have one vector, however long
        it is. -> Average the rows, and bring that to length 1.
    mean-of-everything: your mean runs over both axes, and one number is left -> Divided by its own length it is always
        1. -> The mean over the tokens: axis 0.
    rows-added: you add up the rows, and leave the sum as long as it is -> Then a longer text has a longer vector, and a
        dot product is no cosine. -> Their mean, or their sum, brought to length 1.
    layers-averaged: you average what all six layers have made -> The model was trained on what the *last* layer makes.
        -> Only the rows after the last.
    last-two-averaged: you average what the last two layers have made -> The model was trained on what the *last* layer
        makes. -> Only the rows after the last.
    last-four-averaged: you average what the last four layers have made -> So it is done for words sometimes; this model
        was trained on what the *last* layer makes. -> Only the rows after the last.
    last-two-unheard: nobody hears the last two tokens -> A mask made from the number of words does not count `[CLS]`
        and `[SEP]`. -> No mask: a single text has no padding.
    specials-unheard: nobody hears `[CLS]` and `[SEP]` -> All words have learned to hear them: much of the attention
        goes there. -> No mask: a single text has no padding.
    first-and-last: you average the input and what the last layer makes -> The model was trained on what the *last*
        layer makes. -> Only the rows after the last.
    first-and-last-layer: you average what the first layer makes and what the last makes -> The model was trained on
        what the *last* layer makes. -> Only the rows after the last.
    all-layers-averaged: you average what all layers have made, and the input as well -> The model was trained on what
        the *last* layer makes. -> Only the rows after the last.
    columns-averaged: you average within each row -> Then a token is left with one number. -> The mean runs over the
        tokens: axis 0.
    causal
    path-added-twice
    attention-only
    layers-twice
    five-layers
    first-layer-left-out
    first-layer-only
    last-layer-only
    first-layer-six-times
    last-layer-six-times
    last-layer-twice: the last layer runs twice -> Each of the six has learned to go on from the one before it. -> Is
        there a layer left behind your loop?
    each-layer-twice: each layer runs twice -> Each of the six has learned to go on from the one before it. -> One call
        of `post_norm_block` in each round.
    every-other-layer: every other layer is left out -> Each of the six has learned to go on from the one before it. ->
        The loop runs over all the layers, one by one.
    layers-reversed
    no-layers
    bare-words: the layers are given bare word vectors -> They have learned with positions, a segment and a norm on
        top. -> `encoder_input` makes all of it.
    no-positions
    positions-twice: positions are added twice -> `encoder_input` adds them. -> Leave what it gives as it is.
    words-without-specials: the layers are given the word vectors alone, without `[CLS]`, `[SEP]`, positions and the
        norm -> They have learned with all of these. -> `encoder_input` makes all of it.
    averaged-before-the-layers: you average before the layers run -> Then there is one row, and nobody whom it could
        hear. -> All rows through the layers, and then the mean.
    words-one-by-one: each word runs through the layers by itself -> Then none hears another. -> All rows of the text
        together.
    pre-norm
    one-head
    width-for-heads: you run each layer with 32 heads -> So many numbers has a head: 384 / 12. -> `num_heads` is 12.
    layers-for-heads: you run each layer with 6 heads -> That is the number of layers. -> `encoder["num_heads"]` says
        how many heads a layer has.
    no-feed-forward: the feed-forward layers are missing -> They hold two thirds of what the model has learned. ->
        `post_norm_block` runs both halves of a layer.
    split-by-spaces
    the-left-out: you leave words out -> Short ones are words, too, and the model has read with them. -> All words that
        `tokenize` gives.
    words-cut=: the text is cut off after some words -> What stands behind them is not heard. -> All words that
        `tokenize` gives.
    words-once
    words-sorted
    words-sorted-once
    specials-twice: `[CLS]` and `[SEP]` stand there twice -> `encoder_input` puts them in by itself. -> Give it the
        words alone.
    unit-rows-in-each-layer: you bring the rows to length 1 after each layer -> The next layer has learned from rows as
        long as its norms make them. -> Once, in the end.
    specials-cut-off: `[CLS]` and `[SEP]` are cut off before the layers run -> All words hear them: much of the
        attention goes there. -> Leave what `encoder_input` gives as it is.
    """,
)
def sentence_vector(text, wrong=frozenset()):
    """The mean of a text's tokens after the whole encoder, with the mistakes that people make as switches."""
    tokens = shared.tokens_of(text, wrong)
    if "words-without-specials" in wrong:
        wrong |= {"bare-words", "specials-cut-off"}
    X = shared.last(tokens, wrong & shared.RUNNING)
    if wrong & {"last-two-unheard", "specials-unheard"}:
        heard = np.ones((1, len(tokens) + 2), dtype=bool)
        heard[:, [0, -1] if "specials-unheard" in wrong else [-2, -1]] = False
        X = shared.heard_by(tokens, tuple(heard[0].tolist()))
    if "words-one-by-one" in wrong:
        X = np.array([shared.last((token,), wrong & shared.RUNNING).mean(axis=0) for token in tokens])
    if "averaged-before-the-layers" in wrong:
        X = shared.of_the_mean(tokens)
    if "not-averaged" in wrong:
        return X / np.linalg.norm(X, axis=-1, keepdims=True)
    if "word-vectors-averaged" in wrong:
        X = shared.first(tokens, frozenset({"bare-words"}))[1:-1]
    if "as-many-rows-as-words" in wrong:
        X = X[:-2]
    if "rows-as-they-are" in wrong:
        return X
    if "mean-of-everything" in wrong:
        return float(np.sign(X.mean()))
    if "rows-added" in wrong:
        return X.sum(axis=0)
    if "all-layers-averaged" in wrong:
        return shared.to_length_one(np.mean(shared.states(tokens, wrong & shared.RUNNING), axis=(0, 1)), wrong)
    of_layers = {
        "layers-averaged": slice(1, None),
        "last-four-averaged": slice(-4, None),
        "last-two-averaged": slice(-2, None),
        "first-and-last": [0, -1],
        "first-and-last-layer": [1, -1],
    }
    if some := slip(wrong, of_layers, None):
        states = np.array(shared.states(tokens, wrong & shared.RUNNING))
        return shared.to_length_one(states[some].mean(axis=(0, 1)), wrong)
    if "unit-rows-first" in wrong:
        return shared.averaged(X, {"unit-rows-averaged"})
    if "columns-averaged" in wrong:
        return shared.to_length_one(X.mean(axis=1), wrong)
    return shared.to_length_one(shared.averaged(X, wrong), wrong)
