"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import load_word_vectors, word_pieces

_VOCABULARY, _E = load_word_vectors()
_WORDS = list(_VOCABULARY)
_LENGTHS = np.linalg.norm(_E, axis=1)
_TINY = {"The": np.array([0.2, 0.5]), "cat": np.array([0.8, 0.1]), "sat": np.array([0.3, 0.9])}


def _cosine(first, second):
    first, second = _VOCABULARY[first], _VOCABULARY[second]
    return float(_E[first] @ _E[second] / (_LENGTHS[first] * _LENGTHS[second]))


def _nearest(word):
    """All words in the order of their cosine with `word`; place 0 is the word itself."""
    row = _VOCABULARY[word]
    return [_WORDS[i] for i in np.argsort(-(_E @ _E[row]) / _LENGTHS)]


def _length(word):
    return f"{_LENGTHS[_VOCABULARY[word]]:.2f}"


def _hand_cosine():
    cat, sat = _TINY["cat"], _TINY["sat"]
    products = cat * sat
    lengths = np.linalg.norm(cat), np.linalg.norm(sat)
    return (
        f"the sum of products is {products[0]:.2f} + {products[1]:.2f} = {products.sum():.2f}, "
        f"the lengths are {lengths[0]:.3f} and {lengths[1]:.3f}, "
        f"so the cosine is {products.sum() / (lengths[0] * lengths[1]):.3f}"
    )


def _cosines(x):
    """The cosine of every word with a vector."""
    return _E @ x / (_LENGTHS * np.linalg.norm(x))


def _middle(first, second):
    return (_E[_VOCABULARY[first]] + _E[_VOCABULARY[second]]) / 2


def _to_middle(word, other):
    return float(_cosines(_middle(word, other))[_VOCABULARY[word]])


def _crossing():
    start, end = _VOCABULARY["doctor"], _VOCABULARY["hospital"]
    for t in np.arange(0, 1.001, 0.02):  # the steps of the slider
        if _cosines((1 - t) * _E[start] + t * _E[end]).argmax() == end:
            return f"From <i>t</i> = {t:.2f} on <i>hospital</i> is nearest"
    return "never"


def _nearer_to_the_middle():
    middle = _cosines(_middle("doctor", "hospital"))
    ends = [_cosines(_E[_VOCABULARY[word]]) for word in ("doctor", "hospital")]
    first, *others = (i for i in np.argsort(-middle) if middle[i] > max(ends[0][i], ends[1][i]))
    numbers = f"{middle[first]:.2f} against {ends[0][first]:.2f} and {ends[1][first]:.2f}"
    some = ("clinic", "health", "medicine", "nurse")
    further = ", ".join(f"<i>{word}</i>" for word in some if _VOCABULARY[word] in others)
    return f"<i>{_WORDS[first]}</i> above all, with {numbers}; farther off {further}"


def _mean_row(text, values):
    return f"| {text} | " + " | ".join(f"{value:.4f}".rstrip("0") for value in values) + " |"


def _at_random():
    """The cosines of the notebook's random pairs."""
    first, second = np.random.default_rng(3).integers(len(_E), size=(2, 10_000))
    return (_E[first] * _E[second]).sum(axis=1) / (_LENGTHS[first] * _LENGTHS[second])


def _marks():
    """How many tokens are no words; all of them come first."""
    marks = [not word.isalnum() for word in _WORDS]
    assert all(marks[: sum(marks)])
    return sum(marks)


def _pieces_of_embeddings():
    small = ["[UNK]", "e", "em", "bed", "##b", "##bed", "##d", "##ding", "##ing", "##s"]
    return f"*embeddings* becomes {' '.join(word_pieces('embeddings', dict.fromkeys(small, 0)))}"


NUMBERS = [
    (
        "loaded 3,600 tokens, English words all but the first 12",
        lambda: f"loaded {len(_E):,} tokens, English words all but the first {_marks()}",
    ),
    ("shape (3600, 384)", lambda: f"shape {_E.shape}"),
    (
        "doctors, physician, physicians, medical, surgeon, hospital",
        lambda: ", ".join(_nearest("doctor")[1:7]),
    ),
    ("nearest to *paris* is france", lambda: f"nearest to *paris* is {_nearest('paris')[1]}"),
    (
        "*play* has the id 339 and *the* has 14",
        lambda: f"*play* has the id {_VOCABULARY['play']} and *the* has {_VOCABULARY['the']}",
    ),
    ("In this vocabulary it is 1.", lambda: f"In this vocabulary it is {_VOCABULARY['[UNK]']}."),
    (
        "the sum of products is 0.24 + 0.09 = 0.33, the lengths are 0.806 and 0.949, so the cosine is 0.431",
        _hand_cosine,
    ),
    (
        "0.02 on average, with a standard deviation of 0.07",
        lambda: f"{_at_random().mean():.2f} on average, with a standard deviation of {_at_random().std():.2f}",
    ),
    ("comes above 0.22", lambda: f"comes above {np.percentile(_at_random(), 99):.2f}"),
    ("*river*, with 0.25, have", lambda: f"*river*, with {_cosine('bank', 'river'):.2f}, have"),
    ("*money*, with 0.40, a great deal", lambda: f"*money*, with {_cosine('bank', 'money'):.2f}, a great deal"),
    ("*embeddings* becomes em ##bed ##ding ##s", _pieces_of_embeddings),
    ("*river* comes only in place 20", lambda: f"*river* comes only in place {_nearest('bank').index('river')}"),
    ("*doctor* and *river* have 0.01", lambda: f"*doctor* and *river* have {_cosine('doctor', 'river'):.2f}"),
    (
        "*i* and *to* have length 0.86, *play* 1.21, *doctor* 1.37",
        lambda: f"*i* and *to* have length {_length('to')}, *play* {_length('play')}, *doctor* {_length('doctor')}",
    ),
    (
        "*cookies* has the longest of all, at 1.61",
        lambda: f"*{_WORDS[_LENGTHS.argmax()]}* has the longest of all, at {_LENGTHS.max():.2f}",
    ),
    (
        "the same cosine with *physician*, 0.6162",
        lambda: f"the same cosine with *physician*, {_cosine('doctor', 'physician'):.4f}",
    ),
    ("From <i>t</i> = 0.52 on <i>hospital</i> is nearest", _crossing),
    (
        "<i>doctor</i> has length 1.37 and <i>hospital</i> 1.30",
        lambda: f"<i>doctor</i> has length {_length('doctor')} and <i>hospital</i> {_length('hospital')}",
    ),
    (
        "<i>medical</i> above all, with 0.56 against 0.47 and 0.48; "
        "farther off <i>clinic</i>, <i>health</i>, <i>medicine</i>, <i>nurse</i>",
        _nearer_to_the_middle,
    ),
    (
        "0.90 each, while <i>bread</i> has 0.71 and <i>music</i> 0.74",
        lambda: (
            f"{_to_middle('king', 'queen'):.2f} each, while <i>bread</i> has {_to_middle('bread', 'music'):.2f} "
            f"and <i>music</i> {_to_middle('music', 'bread'):.2f}"
        ),
    ),
    (
        "<i>king</i> with <i>queen</i> is 0.63",
        lambda: f"<i>king</i> with <i>queen</i> is {_cosine('king', 'queen'):.2f}",
    ),
    (
        "<i>bread</i> and <i>music</i> have 0.05",
        lambda: f"<i>bread</i> and <i>music</i> have {_cosine('bread', 'music'):.2f}",
    ),
    ("itself, <i>bad</i>, at 0.53", lambda: f"itself, <i>{_nearest('good')[1]}</i>, at {_cosine('good', 'bad'):.2f}"),
    ("| sum | 1.3 | 1.5 |", lambda: _mean_row("sum", sum(_TINY.values()))),
    ("| divided by 3 | 0.4333 | 0.5 |", lambda: _mean_row("divided by 3", sum(_TINY.values()) / 3)),
    (
        "a single one for both, [0.4333 0.5]",
        lambda: f"a single one for both, [{sum(_TINY.values())[0] / 3:.4f} {sum(_TINY.values())[1] / 3:.1f}]",
    ),
]
