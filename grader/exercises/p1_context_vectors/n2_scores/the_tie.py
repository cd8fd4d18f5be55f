import numpy as np

from grader.exercises.kinds import Entry, values

TIE_QUERY = np.array([1.0, 2.0])
TIE_KEYS = np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]])


def winners(scores):
    """Letters of the keys with the highest score, ties included."""
    return ["ABC"[j] for j in np.flatnonzero(np.isclose(scores, scores.max()))]


@values(
    points=3,
    task="fill in the dict `the_tie`",
    entries=(
        Entry("dot", "the best by dot product", 0.25),
        Entry("cosine", "the best by cosine", 0.15),
        Entry("distance", "the best by distance", 0.15),
        Entry("cosine_of_C", "the cosine of q and C", 0.15),
        Entry("squared_distance_of_C", "the squared distance of q and C", 0.15),
        Entry("dot_with_long_B", "the best by dot product when B is three times as long", 0.15),
    ),
    mistakes="""
    first-of-tie: you name one winner where two tie -> `np.argmax` gives the first of several largest entries, and says
        nothing about the others. -> Compare all scores with the largest one.
    one-text: you wrote the letters of the winners as one text -> `"AC"` is one text of two letters, not two winners. ->
        Give a list with one text for each: `["X", "Y"]`.
    farthest: you took the largest distance for the best -> A distance is best when it is smallest. -> Look for the key
        that lies nearest to the query.
    cosine-as-dot: your winners by cosine are those by dot product -> The cosine divides the lengths out, and C is
        longer than A. -> Compute the three cosines, and compare them.
    keys-only: the cosine is divided by the length of the key only -> A cosine is never larger than 1. -> Divide by the
        length of the query as well.
    root: you give the distance of C, not its square -> The distance is the square root of what is asked. -> Add up the
        squared differences, and stop there.
    length-ignored: you took it that a longer B changes nothing -> That holds for the cosine. A dot product grows with
        the length of the key. -> Compute the dot product of q with [6, 0].
    """,
)
def the_tie(wrong=frozenset()):
    scores = TIE_KEYS @ TIE_QUERY
    best = winners(scores)
    lengths = np.linalg.norm(TIE_KEYS, axis=1)
    distances = ((TIE_KEYS - TIE_QUERY) ** 2).sum(axis=1)
    length_of_query = 1.0 if "keys-only" in wrong else np.linalg.norm(TIE_QUERY)
    with_long_b = winners(scores * np.array([1, 3, 1]))
    return {
        "dot": "".join(best) if "one-text" in wrong else best[:1] if "first-of-tie" in wrong else best,
        "cosine": winners(scores / (1.0 if "cosine-as-dot" in wrong else lengths)),
        "distance": winners(distances if "farthest" in wrong else -distances),
        "cosine_of_C": float(scores[2] / (lengths[2] * length_of_query)),
        "squared_distance_of_C": float(np.sqrt(distances[2]) if "root" in wrong else distances[2]),
        "dot_with_long_B": best if "length-ignored" in wrong else with_long_b,
    }
