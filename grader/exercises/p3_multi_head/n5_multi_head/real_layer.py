import itertools
from functools import lru_cache

import numpy as np

from attnlib import layer_input, load_attention_layer, load_layer_outputs, load_word_vectors, sentence_ids
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n5_multi_head.multi_head_attention import multi_head_attention

MATRICES = ("W_q", "W_k", "W_v", "W_o")


@lru_cache(maxsize=1)
def real_model():
    """Vocabulary, word vectors and first layer of the real model, in double precision."""
    vocabulary, E = load_word_vectors()
    layer = {
        name: value if name == "num_heads" else value.astype(float) for name, value in load_attention_layer().items()
    }
    return vocabulary, E.astype(float), layer


@lru_cache(maxsize=1)
def _transposed_matrices():
    """The four matrices transposed, laid out anew: a product with a mere view is a hundred times slower."""
    return [np.ascontiguousarray(real_model()[2][name].T) for name in MATRICES]


@lru_cache(maxsize=512)  # a diagnosis asks for the same sentence with the same mistakes again and again
def _real_layer(text, wrong):
    vocabulary, E, layer = real_model()
    _, token_ids = sentence_ids(text, vocabulary)
    if "no-special-tokens" in wrong:
        token_ids = token_ids[1:-1]
    X = E[token_ids] if "bare-words" in wrong else layer_input(token_ids, E, layer)
    biases = {name: layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    matrices = _transposed_matrices() if "projections-transposed" in wrong else [layer[name] for name in MATRICES]
    return multi_head_attention(X, X, *matrices, layer["num_heads"], **biases, wrong=wrong - {"projections-transposed"})


NOUNS = "doctor child river bank money animal street teacher friend city song bird king garden letter morning"
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
    happened = f"it raised {outcome.error}" if outcome.error else "it returned a result"
    return f"a ValueError that names the unknown word “axolotl” is expected, but {happened}"


@function(
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
    biases-ignored
    no-b_o
    by-sqrt-d_model
    no-scale
    one-head
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
