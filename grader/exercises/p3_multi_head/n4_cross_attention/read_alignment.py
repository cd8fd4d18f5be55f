from functools import lru_cache

import numpy as np

from attnlib import cosine_scores, load_word_vectors, tokenize
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip, softmax

TARGET = "The automobile hit a big rock on the road"
SOURCE = "A large stone on the street was struck by the car"
FIRST_TARGET = "Her mother bought a large home"
FIRST_SOURCE = "A big house was purchased by her mom"
WORDS = ("automobile", "hit", "rock", "road")


@lru_cache(maxsize=2)
def _weights(target, source):
    """The weights of a pair of sentences, (n_target, n_source)."""
    vocabulary, E = load_word_vectors()
    cosines = cosine_scores(*(E[[vocabulary[word] for word in tokenize(text)]] for text in (target, source)))
    return softmax(cosines / 0.1)


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
    first-rows: you took the first four rows of the weights -> The four words are not the first of the target sentence:
        each has its own place. -> Look up the row by the word's place in the target.
    one-place-before: you named the word before the right one -> `argmax` counts places from 0, and so does a list. ->
        Use the place as it is.
    one-place-after: you named the word after the right one -> `argmax` counts places from 0, and so does a list. -> Use
        the place as it is.
    second: you named the second largest of each row -> The word that is heard most was asked for. -> Take the largest
        weight in each row.
    words-of-the-target: you looked the places up in the target sentence -> The columns of the weights are the source
        words. -> Look the places up there.
    columns-of-the-target: you looked for the largest weight in each column, and the places up in the target sentence ->
        A column belongs to a source word. The question was what each target word looks at, and that is its row. ->
        Search along the last axis, and look the places up in the source.
    itself: you paired each word with itself -> The target asks, and the source answers. -> Which sentence do the
        columns of the weights belong to?
    first-pair: you used the weights of the first pair of sentences -> `alignment_weights` belongs to “Her mother bought
        a large home”. -> Compute the weights of the new pair first.
    first-pair-places: you used the largest weights of the first pair of sentences -> `alignment_weights` belongs to
        “Her mother bought a large home”. -> Compute the weights of the new pair first.
    before-hit: for “hit” you named the word before the right one -> Two words of the source make up its passive, but
        their weights are not the same. -> Look at the row of “hit” once more.
    after-hit: for “hit” you named the word after the right one -> In the source somebody is hit *by* something; the
        verb itself is another word. -> Look at the row of “hit” once more.
    before-rock: for “rock” you named the word before the right one -> That word describes it, as another one does in
        the target. -> Look at the row of “rock” once more.
    second-hit: for “hit” you named the second best -> The word that is heard most was asked for. -> Take the largest
        weight in its row.
    second-rock: for “rock” you named the second best -> The word that is heard most was asked for. -> Take the largest
        weight in its row.
    second-automobile: for “automobile” you named the second best -> The word that is heard most was asked for. -> Take
        the largest weight in its row.
    second-road: for “road” you named the second best -> The word that is heard most was asked for. -> Take the largest
        weight in its row.
    the-example: this is the example of the form, which is all wrong -> It only shows how the answer is written. ->
        Compute the weights of the pair, and read off the largest of each row.
    """,
)
def read_alignment(wrong=frozenset()):
    """The source word that each target word attends to most, with mistakes as switches."""
    target, source = tokenize(TARGET), tokenize(SOURCE)
    weights = _weights(TARGET, SOURCE)
    order = np.argsort(-weights, axis=-1, kind="stable")
    best, second = order[:, 0], order[:, 1]
    places = {
        "smallest": order[:, -1],
        **dict.fromkeys(("columns", "columns-of-the-target"), weights.argmax(axis=0)),
        "by-place": np.arange(len(target)),
        "one-place-before": best - 1,
        "one-place-after": (best + 1) % len(source),
        "second": second,
    }
    if wrong & {"first-pair", "first-pair-places"}:
        source = tokenize(FIRST_SOURCE) if "first-pair" in wrong else source
        first = _weights(FIRST_TARGET, FIRST_SOURCE).argmax(axis=-1)
        return {word: source[first[i]] for i, word in enumerate(WORDS)}
    if "the-example" in wrong:
        return {"automobile": "was", "hit": "a", "rock": "by", "road": "on"}
    if "itself" in wrong:
        return {word: word for word in WORDS}
    found = slip(wrong, places, best)
    if wrong & {"words-of-the-target", "columns-of-the-target"}:
        return {word: target[found[target.index(word)] % len(target)] for word in WORDS}
    rows = range(len(WORDS)) if "first-rows" in wrong else [target.index(word) for word in WORDS]
    aligned = {word: source[found[row]] for word, row in zip(WORDS, rows, strict=True)}
    for mistake in wrong:
        how, _, word = mistake.partition("-")
        if word in WORDS:
            row = target.index(word)
            shifts = {"before": best[row] - 1, "after": best[row] + 1, "second": second[row]}
            aligned[word] = source[shifts[how]]
    return aligned
