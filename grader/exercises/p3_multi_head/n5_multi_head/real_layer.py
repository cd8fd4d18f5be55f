import itertools
from functools import lru_cache

import numpy as np

from attnlib import (
    layer_input,
    load_attention_layer,
    load_layer_outputs,
    load_word_vectors,
    masked_attention,
    sentence_ids,
)
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n5_multi_head.multi_head_attention import multi_head_attention
from grader.exercises.stages import slip

MATRICES = ("W_q", "W_k", "W_v", "W_o")
BIASES = ("b_q", "b_k", "b_v", "b_o")


@lru_cache(maxsize=1)
def real_model():
    """Vocabulary, word vectors and first layer of the real model, in double precision."""
    vocabulary, E = load_word_vectors()
    layer = {
        name: value if name == "num_heads" else value.astype(float) for name, value in load_attention_layer().items()
    }
    return vocabulary, E.astype(float), layer


@lru_cache(maxsize=2)
def _matrices(transposed):
    """The four matrices; transposed ones are laid out anew: a product with a mere view is a hundred times slower."""
    layer = real_model()[2]
    return {name: _Matrix(np.ascontiguousarray(layer[name].T) if transposed else layer[name]) for name in MATRICES}


class _Matrix:
    """A matrix of the real model that remembers its products: a diagnosis asks for the same ones with every mistake."""

    __array_ufunc__ = None  # `X @ matrix` comes here

    def __init__(self, numbers):
        self._numbers, self._products = numbers, {}

    def __rmatmul__(self, X):
        asked = X.shape, X.tobytes()
        if asked not in self._products:
            if len(self._products) > 200:
                self._products.clear()
            self._products[asked] = X @ self._numbers
        return self._products[asked].copy()


#: Arguments of the layer that are taken for each other.
EXCHANGED = {
    "queries-keys-exchanged": ("W_q W_k",),
    "all-queries-keys-exchanged": ("W_q W_k", "b_q b_k"),
    "matrices-of-keys-and-values": ("W_k W_v",),
    "matrices-of-queries-and-values": ("W_q W_v",),
    "matrices-of-values-and-output": ("W_v W_o",),
    "biases-of-queries-and-keys": ("b_q b_k",),
    "biases-of-values-and-output": ("b_v b_o",),
    "biases-of-queries-and-values": ("b_q b_v",),
}


@lru_cache(maxsize=512)  # a diagnosis asks for the same sentence with the same mistakes again and again
def _real_layer(text, wrong):
    vocabulary, E, layer = real_model()
    if "unknown-left-out" in wrong:
        text = " ".join(word for word in text.lower().split() if word in vocabulary)
    tokens, token_ids = sentence_ids(text, vocabulary)
    if wrong & {"pair-for-ids", "tokens-for-ids"}:
        token_ids = (tokens, token_ids) if "pair-for-ids" in wrong else tokens
    if "no-special-tokens" in wrong:
        token_ids = token_ids[1:-1]
    X = E[token_ids] if "bare-words" in wrong else layer_input(token_ids, E, layer)
    given = _matrices("projections-transposed" in wrong) | {name: layer[name] for name in BIASES}
    for pair in (pair for mistake, pairs in EXCHANGED.items() if mistake in wrong for pair in pairs):
        one, other = pair.split()
        given |= {one: given[other], other: given[one]}
    if "no-b_q-b_v" in wrong:
        given |= {"b_q": None, "b_v": None}
    given |= slip(wrong, {"b_v-after-W_o": {"b_v": None}, "b_o-through-W_o": {"b_o": None}}, {})
    matrices = {"values-matrix-twice": {"W_o": given["W_v"]}, "identity-for-W_o": {"W_o": np.eye(len(layer["W_o"]))}}
    given |= slip(wrong, matrices, {})
    X = X + layer["b_q"] if "bias-in-the-input" in wrong else X
    keys_from = E[token_ids] if "keys-from-bare-words" in wrong else X
    if "input-cut" in wrong:
        X = keys_from = X[1:-1]
    n = len(X)
    masks = {"causal": np.tri(n, dtype=bool), "diagonal-masked": ~np.eye(n, dtype=bool)}
    if wrong & {"biases-by-position", "biases-by-position-broadcast", "biases-by-position-one-head"}:
        masks = dict.fromkeys(wrong, given["b_q"])
        given |= {"b_q": given["b_k"], "b_k": given["b_v"], "b_v": given["b_o"], "b_o": None}
        if "biases-by-position" in wrong:
            masked_attention(X, X, X, layer["b_q"])  # the course's own refuses what is not boolean
        if "biases-by-position-one-head" in wrong:
            np.where(layer["b_q"], X @ X.T, -np.inf)  # whoever lets each head attend by itself
    num_heads = slip(wrong, {"width-for-heads": 32, "half-the-heads": 6}, layer["num_heads"])
    # those that are made here already; the others are slips of the function of the last exercise
    wrong -= {"projections-transposed"}
    context, weights = multi_head_attention(
        X, keys_from, **given, num_heads=num_heads, mask=slip(wrong, masks, None), wrong=wrong
    )
    added = {
        "b_v-after-W_o": layer["b_v"],
        "b_v-twice": layer["b_v"] @ layer["W_o"],
        "b_v-twice-after-W_o": layer["b_v"],
        "b_o-twice": layer["b_o"],
        "b_o-through-W_o": layer["b_o"] @ layer["W_o"],
    }
    if more := [added[name] for name in added if name in wrong]:
        return context + more[0], weights
    if "input-added" in wrong:
        return X + context, weights
    if "cut-afterwards" in wrong:
        return context[1:-1], weights[:, 1:-1, 1:-1]
    return context, weights


NOUNS = "doctor child river bank money horse street teacher friend city song bird king garden letter morning"
VERBS = "helped saw found left crossed lost heard reached"


def _sentence(rng, words):
    """A made sentence of that many words, all of them in the vocabulary; the second article is the first once more."""
    first, *others = (str(article) for article in rng.permutation(["the", "a", "her", "my"]))
    articles = itertools.chain([first, first], itertools.cycle(others))
    text = []
    while len(text) < words:
        verb = [str(rng.choice(VERBS.split()))] if len(text) % 5 == 2 else []
        text += [*verb, next(articles), str(rng.choice(NOUNS.split()))]
    return " ".join(text[:words]).capitalize()


def _published_output_agrees(call, rng):
    outputs = load_layer_outputs()
    sentence = outputs[int(rng.integers(len(outputs)))]
    context, weights = call(sentence["text"])
    gap = max(np.abs(context - sentence["context"]).max(), np.abs(weights - sentence["weights"]).max())
    return None if gap < 1e-3 else f"“{sentence['text']}”: the largest difference is {gap:.3g}"


def _unknown_word_is_named(call, rng):
    outcome = call.outcome("The axolotl saw the river")
    if outcome.raised("ValueError") and "axolotl" in outcome.message:
        return None
    return f"a ValueError that names the unknown word “axolotl” is expected, but {outcome.did}"


@function(
    effort=2.0,  # its model is a layer of 384 columns
    points=4,
    returns=("context", "weights"),
    library_names=("multi_head_attention",),
    changes_input=False,
    cases=(
        Case("a sentence of three words", lambda rng: {"text": _sentence(rng, 3)}, 0.3),
        Case("a sentence of seven words", lambda rng: {"text": _sentence(rng, 7)}, 0.15),
        Case("a sentence of thirteen words", lambda rng: {"text": _sentence(rng, 13)}, 0.15),
    ),
    properties=(
        Property("the published model's own output agrees within 0.001", _published_output_agrees, 0.3),
        Property("a word outside the vocabulary is named in a ValueError", _unknown_word_is_named, 0.1),
    ),
    mistakes="""
    pair-for-ids: both results of `sentence_ids` go into `layer_input` together -> It gives two things, the tokens and
        their ids, and one name for both holds a pair. -> Unpack it into two names, and go on with the ids.
    tokens-for-ids: the tokens go into `layer_input`, not their ids -> `sentence_ids` gives two things: first the
        tokens, which are words, then their ids, which are the numbers of rows of E. -> Go on with the second.
    biases-by-position: the biases are given by position: the first of them lands in the place of the mask -> After
        `num_heads` comes `mask`, and only then the biases. -> Give each by its name: `b_q=...`.
    biases-by-position-broadcast: the biases are given by position: the first of them lands in the place of the mask ->
        After `num_heads` comes `mask`, and only then the biases. -> Give each by its name: `b_q=...`.
    biases-by-position-one-head: the biases are given by position: the first of them lands in the place of the mask ->
        After `num_heads` comes `mask`, and only then the biases. -> Give each by its name: `b_q=...`.
    biases-ignored: the biases are left out -> This layer has them, and they are not small. `b_k` alone changes nothing,
        but `b_q`, `b_v` and `b_o` do. -> Hand `multi_head_attention` the four biases of `layer`, each by its name.
    no-b_o: the last bias, `b_o`, is left out -> It is added to every row of the result. -> Hand `multi_head_attention`
        all four biases of `layer`, each by its name.
    unknown-left-out: words that the course does not know are left out before the sentence goes in -> Then nobody is
        told that a word is missing, and the weights belong to another sentence. -> Give `sentence_ids` the text as it
        comes: it names the word.
    no-b_q: the bias `b_q` does not reach the queries -> It gives every query the same push, and that changes the
        scores. -> Give the function all the biases that the layer has, each by its name.
    no-b_v: the bias `b_v` does not reach the values -> It gives every value the same shift, and each average of values
        is shifted by as much. -> Give the function all the biases that the layer has, each by its name.
    no-b_q-b_v: the biases `b_q` and `b_v` are missing -> They move the scores and the contexts. -> Give the function
        all the biases that the layer has, each by its name.
    b_v-after-W_o: `b_v` is added to the result as it is -> It belongs to the values, and these go through `W_o` on
        their way to the result. -> Hand it to `multi_head_attention` by its name; or send it through `W_o`.
    b_v-twice: `b_v` is there twice: handed over, and added to the result once more -> It is added once, to every
        value. -> Either hand it over, or add what becomes of it.
    b_v-twice-after-W_o: `b_v` is there twice: handed over, and added to the result as it is -> It is added once, to
        every value. -> Hand it over, and add nothing.
    b_o-twice: `b_o` is there twice: handed over, and added to the result once more -> `multi_head_attention` adds it to
        each row. -> Either hand it over, or add it yourself.
    b_o-through-W_o: `b_o` goes through `W_o` before it is added -> It comes last, behind `W_o`. -> Hand it to
        `multi_head_attention` by its name; or add it as it is.
    values-matrix-twice: `W_v` stands in the place of `W_o` as well -> Both are square, so nothing complains. -> Give
        each its own name.
    identity-for-W_o: the identity stands in the place of `W_o` -> It leaves the heads as they are, side by side. ->
        The layer has a `W_o`.
    keys-from-bare-words: queries are made from X, keys and values from the bare word vectors -> It is self-attention:
        all three are made from the same. -> `multi_head_attention` gets X twice.
    bias-in-the-input: `b_q` is added to the input -> It is added behind `W_q`, to the queries alone. -> Hand it to
        `multi_head_attention` by its name.
    input-cut: the rows of [CLS] and [SEP] are cut off what `layer_input` gives -> The model has only ever seen
        sentences between these two, and many heads rest on them. -> Use X as it comes.
    causal: a causal mask is in it: each word sees itself and those before it, and no more -> This model reads whole
        sentences: every word may attend to every other. -> Leave `mask` as it is, None.
    diagonal-masked: no word may attend to itself -> This model has no mask: every word may attend to all, and to
        itself. -> Leave `mask` as it is, None.
    width-for-heads: you gave the columns of a head for the number of heads -> The layer has 12 heads of 32 columns, and
        not 32 of 12. -> The number of heads is `layer["num_heads"]`.
    half-the-heads: you computed with six heads -> Each of your heads then holds two of the layer's. -> The number of
        heads is `layer["num_heads"]`.
    queries-keys-exchanged: `W_q` and `W_k` have changed places -> Both are square, so nothing complains; but their
        biases stayed where they were, and rows and columns of the scores change roles. -> Give each its own name.
    all-queries-keys-exchanged: `W_q` and `W_k` have changed places, and so have their biases -> Both are square, so
        nothing complains; but rows and columns of the scores change roles. -> Give each its own name.
    matrices-of-keys-and-values: `W_k` and `W_v` have changed places -> Both are square, so nothing complains. -> Give
        each its own name.
    matrices-of-queries-and-values: `W_q` and `W_v` have changed places -> Both are square, so nothing complains. ->
        Give each its own name.
    matrices-of-values-and-output: `W_v` and `W_o` have changed places -> Both are square, so nothing complains. -> Give
        each its own name.
    biases-of-queries-and-keys: `b_q` and `b_k` have changed places -> All biases have the same shape, so nothing
        complains. -> Give each its own name.
    biases-of-values-and-output: `b_v` and `b_o` have changed places -> All biases have the same shape, so nothing
        complains. -> Give each its own name.
    biases-of-keys-and-values: `b_k` and `b_v` have changed places -> All biases have the same shape, so nothing
        complains. -> Give each its own name.
    biases-of-queries-and-values: `b_q` and `b_v` have changed places -> All biases have the same shape, so nothing
        complains. -> Give each its own name.
    cut-afterwards: [CLS] and [SEP] are cut off from the results -> All tokens that go in come out again, and the
        published results have them, too. -> Return what the layer gives.
    input-added: the input X is added to the context -> A transformer does that next, but it is no part of the
        attention: the output that is asked for is what `multi_head_attention` gives. -> Return it as it is.
    by-sqrt-d_model
    no-scale
    one-head: there is one large head instead of twelve -> One set of weights for all columns: the layer can look only
        one way at a time. -> The number of heads is `layer["num_heads"]`.
    reshape-split
    reshape-merge
    no-W_o
    keys-values-swapped
    bare-words: the bare word vectors go into the layer -> The layer was trained on more than that: word, position and
        token type, added up and normalised. -> Use the given `layer_input` to make X.
    no-special-tokens: the sentence goes in without [CLS] and [SEP] -> The model has only ever seen sentences between
        these two, and many heads rest on them. -> Use the ids that `sentence_ids` gives.
    projections-transposed: the matrices are transposed -> PyTorch stores them as (d_out, d_in); here they are stored as
        (d_in, d_out), ready for `X @ W`. Square matrices do not complain. -> Use them as they are.
    """,
)
def real_layer(text, wrong=frozenset()):
    """The first layer of the real model on a sentence, with the mistakes that people make as switches."""
    context, weights = _real_layer(text, frozenset(wrong))
    return context.copy(), weights.copy()
