from functools import cache

from attnlib import load_word_vectors
from grader.exercises.kinds import Entry, values
from grader.exercises.p2_three_views.n1_nearest_neighbours.shared import farness, nearest_first


@cache
def paris_neighbours(metric, mistake=""):
    """The four words that are nearest to "paris", itself left out."""
    vocabulary, E = load_word_vectors()
    words = list(vocabulary)
    others = {"of-bank": "bank", "of-the-first": words[0], "of-london": "london", "of-france": "france"}
    asked = (others | {"of-the-next": words[vocabulary["paris"] + 1]}).get(mistake, "paris")
    metric_used = {"metric-ignored": "dot", "cosine-for-all": "cosine", "distance-for-all": "euclidean"}
    far = farness(E[[vocabulary[asked]]].astype(float), E.astype(float), metric_used.get(mistake, metric))
    turned = TURNED.get(mistake, ())
    order = nearest_first(-far if metric in turned else far)[0]
    if mistake == "farthest-but-one" and metric in turned:
        order = order[1:]
    if mistake == "two-left-out":
        order = order[2:]
    found = [words[j] for j in order[:6]]
    count = {"paris-kept": 5, "too-many": 5, "too-few": 3}.get(mistake, 4)
    return [word for word in found if mistake in ("own-neighbour", "paris-kept") or word != asked][:count]


#: The measures whose order is turned round, by the slip.
TURNED = {
    "farthest": ("dot", "cosine", "euclidean"),
    "farthest-similarity": ("dot", "cosine"),
    "farthest-but-one": ("dot", "cosine"),
    "farthest-distance": ("euclidean",),
}


@values(
    points=2,
    task='fill in the four nearest words of "paris" by each measure',
    entries=(
        Entry("dot", "the four words with the highest dot product", 0.3, ranked=True),
        Entry("cosine", "the four words with the highest cosine", 0.3, ranked=True),
        Entry("euclidean", "the four words at the smallest distance", 0.4, ranked=True),
    ),
    mistakes="""
    own-neighbour: you counted "paris" as its own neighbour -> A word is nearest to itself; the question is which others
        are near. -> Ask for one neighbour more, and leave the first one out.
    paris-kept: "paris" is still among your words -> A word is nearest to itself here; the question is which others are
        near. -> You asked for enough words: leave out the first.
    two-left-out: the nearest of the others is missing: you left out two words -> "paris" is the first of them, and no
        other has to go. -> Leave out one: `[1:]`.
    too-many: you give one word too many -> Four are asked for, with "paris" left out. -> Ask for five, "paris" among
        them.
    too-few: you give one word too few -> Four are asked for, with "paris" left out. -> "paris" takes one of the places
        of your search: ask for one more.
    farthest: you listed the farthest words -> `argsort` puts the smallest first, and for a similarity that is the
        worst. -> Look at what your `knn_indices` check says.
    farthest-similarity: by dot product and cosine you listed the farthest words -> `argsort` puts the smallest first:
        the nearest for a distance, the farthest for a similarity. -> Change the sign of a similarity before you sort.
    farthest-but-one: by dot product and cosine you listed the farthest words -> `argsort` puts the smallest first: the
        nearest for a distance, the farthest for a similarity; and the first that you left out was not "paris". ->
        Change the sign of a similarity before you sort.
    farthest-distance: by distance you listed the farthest words -> A large distance means far away. -> Sort distances
        upwards.
    of-bank: these are the neighbours of "bank" -> The question is about "paris". -> Look which row of `E` you ask with.
    of-the-first: these are the neighbours of the first word of the vocabulary -> The question is about "paris". -> Look
        which row of `E` you ask with.
    of-london: these are the neighbours of "london" -> The question is about "paris". -> Look which row of `E` you ask
        with.
    of-france: these are the neighbours of "france" -> The question is about "paris". -> Look which row of `E` you ask
        with.
    of-the-next: these are the neighbours of the word behind "paris" in the vocabulary -> The question is about "paris".
        -> Look which row of `E` you ask with.
    cosine-for-all: you used the cosine three times -> Word vectors differ in length, so that the three measures
        disagree. -> Pass the name of each measure to your function.
    distance-for-all: you used the distance three times -> Word vectors differ in length, so that the three measures
        disagree. -> Pass the name of each measure to your function.
    metric-ignored: you used the dot product three times -> Word vectors differ in length, so that the three measures
        disagree. -> Pass the name of each measure to your function.
    """,
)
def word_neighbours(wrong=frozenset()):
    mistake = next(iter(wrong), "")
    return {metric: list(paris_neighbours(metric, mistake)) for metric in ("dot", "cosine", "euclidean")}
