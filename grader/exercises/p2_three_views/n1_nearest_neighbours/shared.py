"""What several exercises of this notebook have in common."""

import itertools

import numpy as np

from grader.exercises.inputs import matrix

#: The query and the keys of the examples in the tasks.
EXAMPLE_Q = np.array([[1.0, 2.0]])
EXAMPLE_K = np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]])

METRICS = ("dot", "cosine", "euclidean")


def farness(Q, K, metric):
    """How far each key is from each query; negated for the two measures by which more is nearer."""
    if metric == "euclidean":
        return ((Q[:, None, :] - K[None, :, :]) ** 2).sum(axis=-1)
    dots = Q @ K.T
    if metric == "dot":
        return -dots
    return -dots / np.linalg.norm(Q, axis=1)[:, None] / np.linalg.norm(K, axis=1)


def nearest_first(far):
    """Columns of each row in ascending order, ties to the lower index."""
    return np.argsort(far, axis=-1, kind="stable")


def partly_sorted(far, k):
    """True if a partition leaves the best keys in their order."""
    return np.array_equal(np.argpartition(far, k - 1, axis=-1)[:, :k], nearest_first(far)[:, :k])


#: True on processors on which NumPy's partition sorts so few numbers altogether.
PARTITION_SORTS = all(partly_sorted(some, 5) for some in np.random.default_rng(0).normal(size=(100, 1, 7)))


def order_shows(far, k):
    """True if whoever relies on a partition's order is wrong, where that can be had: up to three are always sorted."""
    return PARTITION_SORTS or k < 4 or not partly_sorted(far, k)


def sought(rng, n_queries, n_keys, d, k, metric, make=matrix):
    """Queries and keys whose order is beyond doubt, and differs between the three measures."""
    while True:
        Q, K = make(rng, n_queries, d), make(rng, n_keys, d)
        K = K * rng.choice([0.5, 1.0, 2.0], size=(n_keys, 1))
        if (np.linalg.norm(K, axis=1) < 0.1).any() or (np.linalg.norm(Q, axis=1) < 0.1).any():
            continue
        fars = [farness(Q, K, name) for name in METRICS]
        if min(np.diff(np.sort(far, axis=-1), axis=-1).min() for far in fars) < 1e-3:
            continue
        if not order_shows(farness(Q, K, metric), k):
            continue
        orders = [nearest_first(far)[:, :k] for far in fars]
        if all((orders[i] != orders[j]).any() for i, j in ((0, 1), (0, 2), (1, 2))):
            return {"Q": Q, "K": K, "k": k, "metric": metric}


def tied_search(rng, n_queries, n_keys, d, k, metric):
    """Whole numbers, so that ties are exact; some lie among the k nearest, some on their edge.

    Among so few keys, whether a sort that is not stable shows is up to the draw and the machine. Here it does not, if
    that can be had; `many_ties` is there for it.
    """
    for attempt in itertools.count():
        Q = rng.integers(-3, 4, size=(n_queries, d)).astype(float)
        K = rng.integers(-3, 4, size=(n_keys, d)).astype(float)
        far = farness(Q, K, metric)
        low, high = nearest_first(far)[:, :k], nearest_first(-far)[:, ::-1][:, :k]
        edge = (np.sort(low, axis=1) != np.sort(high, axis=1)).any(axis=1)
        inside = ((low != high).any(axis=1)) & ~edge
        if not (edge.any() and inside.any()) or np.array_equal(high[:, ::-1], low):
            continue
        if attempt > 2000 or (plainly_sorted(far, k) and order_shows(far, k)):
            return {"Q": Q, "K": K, "k": k, "metric": metric}


def plainly_sorted(far, k):
    """True if plain sorts, and a partition, treat the ties as stable sorts do."""
    best = np.argpartition(far, k - 1, axis=-1)[:, :k]
    sorted_best = np.take_along_axis(best, np.argsort(np.take_along_axis(far, best, axis=-1), axis=-1), axis=-1)
    return (
        np.array_equal(np.argsort(far, axis=-1)[:, :k], nearest_first(far)[:, :k])
        and np.array_equal(np.argsort(-far, axis=-1)[:, -k:], nearest_first(-far)[:, -k:])
        and np.array_equal(sorted_best, nearest_first(far)[:, :k])
    )


MANY = 40  # on every machine beyond the few entries up to which NumPy's plain sorts happen to be stable


def many_ties(rng, metric, n_queries=3, k=13):
    """Forty keys of which many are equally near: a sort that is not stable, or a partition, shows.

    All numbers are exact in any arithmetic: whole ones, and for the cosine keys along the axes with lengths that are
    powers of 2, and queries with whole lengths.
    """
    while True:
        if metric == "cosine":
            Q = rng.permutation([[3.0, 4.0], [-4.0, 3.0], [5.0, 12.0], [12.0, -5.0], [-3.0, -4.0]])[:n_queries]
            axes = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
            K = axes[rng.integers(0, 4, size=MANY)] * rng.choice([1.0, 2.0, 4.0], size=(MANY, 1))
        else:
            Q, K = (rng.integers(-2, 3, size=(n, 2)).astype(float) for n in (n_queries, MANY))
        far = farness(Q, K, metric)
        right = nearest_first(far)[:, :k]
        others = (
            np.argsort(far, axis=-1)[:, :k],
            np.argsort(-far, axis=-1)[:, -k:],
            np.argpartition(far, k - 1, axis=-1)[:, :k],
            np.argpartition(far, k, axis=-1)[:, :k],
            np.argpartition(-far, -k, axis=-1)[:, -k:],
        )
        if all((np.sort(other, axis=1) != np.sort(right, axis=1)).any() for other in others):
            return {"Q": Q, "K": K, "k": k, "metric": metric}
