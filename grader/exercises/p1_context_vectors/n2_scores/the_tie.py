import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

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
    dot-lowest: you took the lowest score for the best -> Small is good for a distance. A score is large where a key
        answers well. -> Look for the largest score, and whether it comes twice.
    cosine-lowest: you took the lowest cosine for the best -> The cosine is 1 for equal directions, and smaller for all
        others. -> Look for the largest of the three.
    cosine-longest: your winner by cosine is C -> The cosine divides the lengths out: that C is long is no merit. ->
        Compute the three cosines, and compare them.
    farthest-first: your winner by distance is B -> A distance is best when it is smallest: where is a key that lies
        nearer? -> Compute the three distances, and compare them.
    farthest-last: your winner by distance is C -> A distance is best when it is smallest: where is a key that lies
        nearer? -> Compute the three distances, and compare them.
    swapped: the cosine of C and its squared distance have changed places -> Each is what the other asks for. -> Read
        the two keys of the dict once more.
    queries-only: the cosine is divided by the length of the query only -> A cosine is never larger than 1. -> Divide by
        the length of the key as well.
    not-divided: you give the dot product of q and C for their cosine -> A cosine is never larger than 1. -> Divide by
        both lengths.
    squared-lengths: you divide by the squared lengths: a root is missing in both -> The sum of the squares is the
        length squared. -> Take the root of each sum before you divide.
    squared-query: you divide by the squared length of q: a root is missing -> The sum of the squares is the length
        squared. -> Take the root of each sum before you divide.
    squared-key: you divide by the squared length of C: a root is missing -> The sum of the squares is the length
        squared. -> Take the root of each sum before you divide.
    lengths-added: you divide by the sum of the two lengths -> A cosine is divided by both lengths, one after the other:
        by their product. -> Multiply the two lengths.
    root-of-sum: you divide by the root of the sum of all squares -> Each vector has a length of its own, with a root of
        its own. -> Take two roots, and multiply them.
    angle: you give the angle, not its cosine -> An angle is small where vectors are alike, a cosine is large there. ->
        Leave out the arccosine.
    degrees: you give the angle in degrees, not its cosine -> A cosine is never larger than 1. -> Leave out the
        arccosine.
    cosine-of-B: you give the cosine of q and B -> Places count from 0, and the keys stand in the order A, B, C. -> Look
        at the last of the three.
    cosine-of-A: you give the cosine of q and A -> It is 1, because they point the same way. -> Look at the last of the
        three.
    sign-lost: for the squared distance of C you give 1: the signs work against each other -> Either the -1 of C counts
        as 1, or the differences were added up before they were squared. -> Write down the difference for each of the
        two coordinates, then square each.
    added: for the squared distance of C, q and C were added, not subtracted -> That is large where vectors are alike.
        -> Subtract first, then square.
    no-two: for the squared distance of C you give 10 -> That comes out if the product in the middle is taken off once,
        not twice; and it is the squared length of C alone. -> In the formula with three terms, the middle one has a 2.
    no-product: for the squared distance of C you give 15: the product in the middle is missing -> 5 and 10 are the
        squared lengths of q and C; they say nothing about directions. -> Take the middle term of the formula off.
    product-as-distance: you give the product of q and C with the wrong sign for their squared distance -> No square is
        below 0. -> Subtract the two vectors first, then square each difference, and add up.
    absolute: you added up the differences of q and C without squaring them -> That is a distance in city blocks. ->
        Square each difference, then add up.
    one-coordinate: you squared one difference of q and C, and left the other out -> Both coordinates count. -> Square
        each difference, then add up.
    distance-of-A: you give the squared distance of q and A -> They are the same vector, so it is 0. -> Look at the last
        of the three keys.
    unchanged-first: with a longer B, you name A alone -> A dot product grows with the length of the key. -> Compute the
        dot product of q with [6, 0], and compare all three.
    unchanged-last: with a longer B, you name C alone -> A dot product grows with the length of the key. -> Compute the
        dot product of q with [6, 0], and compare all three.
    length-ignored: you took it that a longer B changes nothing -> That holds for the cosine. A dot product grows with
        the length of the key. -> Compute the dot product of q with [6, 0].
    """,
)
def the_tie(wrong=frozenset()):
    scores = TIE_KEYS @ TIE_QUERY
    best = winners(scores)
    lengths, length_of_query = np.linalg.norm(TIE_KEYS, axis=1), np.linalg.norm(TIE_QUERY)
    distances = ((TIE_KEYS - TIE_QUERY) ** 2).sum(axis=1)
    cosines = scores / lengths / length_of_query
    of_c, product = lengths[2], lengths[2] * length_of_query
    bottoms = {
        "keys-only": of_c,
        "queries-only": length_of_query,
        "not-divided": 1.0,
        "squared-lengths": product**2,
        "squared-query": product * length_of_query,
        "squared-key": product * of_c,
        "lengths-added": of_c + length_of_query,
        "root-of-sum": np.hypot(of_c, length_of_query),
    }
    cosines_of_c = {
        "swapped": distances[2],
        "angle": np.arccos(cosines[2]),
        "degrees": np.degrees(np.arccos(cosines[2])),
        "cosine-of-A": cosines[0],
        "cosine-of-B": cosines[1],
    }
    distances_of_c = {
        "swapped": cosines[2],
        "root": np.sqrt(distances[2]),
        "sign-lost": (TIE_KEYS[2] - TIE_QUERY).sum() ** 2,
        "added": ((TIE_KEYS[2] + TIE_QUERY) ** 2).sum(),
        "no-two": lengths[2] ** 2 + length_of_query**2 - scores[2],
        "no-product": lengths[2] ** 2 + length_of_query**2,
        "product-as-distance": -scores[2],
        "absolute": np.abs(TIE_KEYS[2] - TIE_QUERY).sum(),
        "one-coordinate": (TIE_KEYS[2, 0] - TIE_QUERY[0]) ** 2,
        "distance-of-A": distances[0],
    }
    by_dot = {"one-text": "".join(best), "first-of-tie": best[:1], "dot-lowest": winners(-scores)}
    by_cosine = {"cosine-as-dot": best, "cosine-lowest": winners(-cosines), "cosine-longest": ["C"]}
    by_distance = {"farthest": winners(distances), "farthest-first": ["B"], "farthest-last": ["C"]}
    with_long_b = {"length-ignored": best, "unchanged-first": best[:1], "unchanged-last": best[1:]}
    return {
        "dot": slip(wrong, by_dot, best),
        "cosine": slip(wrong, by_cosine, winners(cosines)),
        "distance": slip(wrong, by_distance, winners(-distances)),
        "cosine_of_C": float(slip(wrong, cosines_of_c, scores[2] / slip(wrong, bottoms, product))),
        "squared_distance_of_C": float(slip(wrong, distances_of_c, distances[2])),
        "dot_with_long_B": slip(wrong, with_long_b, winners(scores * np.array([1, 3, 1]))),
    }
