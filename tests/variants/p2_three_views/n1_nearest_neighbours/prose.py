"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import (
    context_vectors,
    cosine_scores,
    dot_scores,
    enough_neighbors,
    equal_length_keys,
    gaussian_kernel,
    knn_attention,
    load_word_vectors,
    softmax,
    squared_distances,
    unit_rows,
)

QUERY, KEYS = np.array([[1.0, 2.0]]), np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]])
SHELF = np.array([[2.0, 0.0], [1.2, 1.4], [-0.4, 1.6], [-1.6, -0.4], [0.3, -2.2]])
TEN_TWENTY_SIXTY = np.array([[10.0], [20.0], [60.0]])


def row_of(ruler):
    cosine, distance = cosine_scores(QUERY, KEYS), np.sqrt(squared_distances(QUERY, KEYS))
    numbers, far = {
        "dot product": (dot_scores(QUERY, KEYS), -dot_scores(QUERY, KEYS)),
        "cosine": (cosine, -cosine),
        "distance": (distance, distance),
    }[ruler]
    places = ", ".join(str(j) for j in np.argsort(far.round(12), kind="stable")[0])
    return f"| {ruler} | {' | '.join(f'{x.round(3):g}' for x in numbers[0])} | {places} |"


def words_whose_nearest_differ():
    _, E = load_word_vectors()
    itself = np.arange(len(E))
    nearest = []
    for scores in (E @ E.T, unit_rows(E) @ unit_rows(E).T):
        scores[itself, itself] = -np.inf
        nearest.append(scores.argmax(axis=1))
    return f"For {(nearest[0] != nearest[1]).sum()} of the {len(E):,}, about one in eight"


def mix_of_all():
    weights = softmax(dot_scores(QUERY, KEYS))[0]
    answer = context_vectors(QUERY, KEYS, TEN_TWENTY_SIXTY)[0, 0]
    return f"| {', '.join(f'{w:.3f}' for w in weights)} | {answer:.2f} |"


def mix_of_two():
    return f"| 0.5, 0.5 | {knn_attention(QUERY, KEYS, TEN_TWENTY_SIXTY, 2)[0, 0]:.0f} |"


def gaussian_pair():
    weights = gaussian_kernel(QUERY, KEYS, 1.0)[0]
    weights = weights / weights.sum()
    return f"that look at the distance: {weights[0]:.3f} and {weights[2]:.4f}"


def range_of_lengths():
    lengths = np.linalg.norm(load_word_vectors()[1], axis=1)
    return f"from {lengths.min():.2f} to {lengths.max():.2f}"


def longer_key(j):
    query, keys = np.pad(QUERY, ((0, 0), (0, 1))), equal_length_keys(KEYS)
    place = ", ".join(f"{x:.4g}".replace("-", "−") for x in keys[j])
    return f"| [{place}] | {dot_scores(query, keys)[0, j]:.0f} | {squared_distances(query, keys)[0, j]:.0f} |"


def squared_lengths():
    squared = (KEYS**2).sum(axis=1)
    return f"squared lengths {squared[0]:.0f}, {squared[1]:.0f} and {squared[2]:.0f}, so $R^2 = {squared.max():.0f}$"


def turned(degrees):
    return np.linalg.norm([1.2, 0.9]) * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def turns():
    """Where the winner changes while the query turns."""
    best = [int((SHELF @ turned(degrees)).argmax()) for degrees in range(-180, 181)]
    change = {
        f"k{best[i]}": f"{i - 180}°".replace("-", "−") for i in range(1, len(best)) if best[i] != best[i - 1]
    }  # from one degree to the next
    return (
        f"at about {change['k1']} from k0 to k1, at {change['k2']} to k2, at {change['k3']} to k3, "
        f"at {change['k4']} to k4, at {change['k0']} back to k0"
    )


def a_longer_key():
    """Where k1 wins, with its length and with twice that."""
    found = []
    for times in (2, 1):
        keys = SHELF * [[1], [times], [1], [1], [1]]
        wins = [degrees for degrees in np.arange(-180, 180, 0.1) if (keys @ turned(degrees)).argmax() == 1]
        found += [f"{wins[0]:.0f}°".replace("-", "−"), f"{wins[-1]:.0f}°"]
    return "from {} to {}, where it won from {} to {}".format(*found)


def glides_by():
    weights = softmax(np.array([SHELF @ turned(degrees) for degrees in range(-180, 181)]))
    return f"by more than {np.abs(np.diff(weights, axis=0)).max():.2f} for a degree"


def warm_thirds():
    weights = softmax(np.sort(SHELF @ [1.2, 0.9])[None, ::-1][:, :3] / 100)[0]
    found = np.argsort(-(SHELF @ [1.2, 0.9]))[:3]
    return ", ".join(f"{weights[list(found).index(j)]:.2f}" for j in sorted(found))


def enough_of_bank():
    vocabulary, E = load_word_vectors()
    bank = E[[vocabulary["bank"]]].astype(float)
    return [f"{enough_neighbors(bank / temperature, E, 0.9)[0]:,}" for temperature in (1, 0.25, 0.1)]


NUMBERS = [
    ("| dot product | 5 | 2 | 5 | 0, 2, 1 |", lambda: row_of("dot product")),
    ("| cosine | 1 | 0.447 | 0.707 | 0, 2, 1 |", lambda: row_of("cosine")),
    ("| distance | 0 | 2.236 | 2.236 | 0, 1, 2 |", lambda: row_of("distance")),
    ("For 462 of the 3,600, about one in eight", words_whose_nearest_differ),
    ("from 0.77 to 1.61", range_of_lengths),
    ("| 0.5, 0.5 | 35 |", mix_of_two),
    ("| 0.488, 0.024, 0.488 | 34.64 |", mix_of_all),
    ("the same weight, 0.488 each", lambda: f"the same weight, {softmax(dot_scores(QUERY, KEYS))[0, 2]:.3f} each"),
    ("that look at the distance: 0.859 and 0.0705", gaussian_pair),
    ("squared lengths 5, 4 and 10, so $R^2 = 10$", squared_lengths),
    ("| [1, 2, 2.236] | 5 | 5 |", lambda: longer_key(0)),
    ("| [2, 0, 2.449] | 2 | 11 |", lambda: longer_key(1)),
    ("| [−1, 3, 0] | 5 | 5 |", lambda: longer_key(2)),
    (
        "at about 30° from k0 to k1, at 83° to k2, at 150° to k3, at −133° to k4, at −37° back to k0",
        turns,
    ),
    ("by more than 0.02 for a degree", glides_by),
    ("from −8° to 113°, where it won from 30° to 83°", a_longer_key),
    ("0.33, 0.34, 0.33", warm_thirds),
    ("it takes 3,164 of the 3,600 keys", lambda: f"it takes {enough_of_bank()[0]} of the 3,600 keys"),
    ("At 0.25 it still takes 2,663", lambda: f"At 0.25 it still takes {enough_of_bank()[1]}"),
    ("At 0.1 a single key", lambda: "At 0.1 a single key" if enough_of_bank()[2] == "1" else ""),
]
