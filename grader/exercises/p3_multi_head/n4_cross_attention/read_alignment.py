import numpy as np

from attnlib import cosine_scores, load_word_vectors, tokenize
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import softmax

TARGET = "The automobile hit a big rock on the road"
SOURCE = "A large stone on the street was struck by the car"


@values(
    points=2,
    task="give a dict: the keys are the four target words, the values the source words that they attend to most",
    entries=(
        Entry("automobile", "the source word for “automobile”", 0.25),
        Entry("hit", "the source word for “hit”", 0.25),
        Entry("rock", "the source word for “rock”", 0.25),
        Entry("road", "the source word for “road”", 0.25),
    ),
    mistakes="""
    by-place: you paired the words by their places -> The two sentences tell the same in another order; attention does
        not know places at all. -> Take the largest weight in each row, wherever it is.
    columns: you looked for the largest weight in each column -> A column belongs to a source word. The question was
        what each target word looks at, and that is its row. -> Search along the last axis.
    smallest: you took the smallest weight of each row -> The smallest weight marks the word that is heard least. ->
        Take the largest weight in each row.
    """,
)
def read_alignment(wrong=frozenset()):
    """The source word that each target word attends to most, with mistakes as switches."""
    vocabulary, E = load_word_vectors()
    target, source = tokenize(TARGET), tokenize(SOURCE)
    cosines = cosine_scores(*(E[[vocabulary[word] for word in words]] for words in (target, source)))
    weights = softmax(cosines / 0.1)
    if "smallest" in wrong:
        weights = -weights
    best = weights.argmax(axis=-1)
    if "columns" in wrong:
        best = np.minimum(weights.argmax(axis=0)[: len(target)], len(source) - 1)
    if "by-place" in wrong:
        best = np.arange(len(target))
    aligned = {word: source[j] for word, j in zip(target, best, strict=True)}
    return {word: aligned[word] for word in ("automobile", "hit", "rock", "road")}
