import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip

#: Numbers whose squares add up to a square: the length of the longest key is exact in any arithmetic, so that no way
#: of computing it leaves less than nothing under the root.
WHOLE_LENGTHS = {3: (2, 3, 6), 5: (1, 1, 3, 3, 4)}

#: Of what else is taken for R, what is seen with all less than zero cut off at 0 as well.
CUT = ("largest-number", "first-key", "last-key", "mean-length", "mean-square")


def keys_of(n, d):
    """Keys of different lengths, the longest neither first nor last; all squares are exact."""

    def draw(rng):
        place = int(rng.integers(1, n - 1)) if n > 2 else 1
        while True:
            longest = rng.permutation(WHOLE_LENGTHS[d]) * rng.choice([-0.5, 0.5], size=d)
            K = rng.integers(-8, 9, size=(n, d)) / 8 * rng.choice([0.5, 1.0, 1.5], size=(n, 1))
            K[place] = longest
            squared = (K**2).sum(axis=1)
            apart = np.diff(np.sort(squared))
            sums, tops = K.sum(axis=1), np.abs(K).max(axis=1)
            if (
                squared.min() > 0.1
                and apart.min() > 0.01
                and apart[-1] > 0.3
                and squared.argmax() == place
                and np.abs(sums[place] ** 2 - squared[place]) > 0.1
                and np.abs(K.max() - K[place].max()) + np.abs(K.max() - np.sqrt(squared[place])) > 0.1
                and tops.min() > 0.1
                and (np.abs(K).max(axis=0) ** 2).sum() > squared.max() + 0.1
            ):
                return {"K": K}

    return draw


def whole_keys(rng):
    """Keys of whole numbers; the new coordinate of some is none."""
    return {"K": (16 * keys_of(5, 3)(rng)["K"]).astype(int)}


def lengths_are_equal(call, rng):
    lengths = np.linalg.norm(call(keys_of(7, 5)(rng)["K"]), axis=1)
    return None if np.ptp(lengths) < 1e-3 else f"the lengths lie between {lengths.min():.4g} and {lengths.max():.4g}"


def scores_stay(call, rng):
    K = keys_of(7, 3)(rng)["K"]
    q = rng.normal(size=3)
    gap = np.abs(call(K) @ np.append(q, 0.0) - K @ q).max()
    return None if gap < 1e-3 else f"with a zero behind the query, a score differs by {gap:.3g}"


def highest_is_nearest(call, rng):
    K = keys_of(11, 3)(rng)["K"]
    keys = call(K)
    if not np.isfinite(keys).all():
        return "your keys hold NaN or infinity"
    # So many queries that keys of different lengths are always found out.
    Q = 2 * rng.normal(size=(2000, 3))
    scores = Q @ K.T
    squared = (keys**2).sum(axis=1) - 2 * np.hstack([Q, np.zeros((len(Q), 1))]) @ keys.T
    of_nearest = scores[np.arange(len(Q)), squared.argmin(axis=1)]
    worst = (scores.max(axis=1) - of_nearest).argmax()
    if scores[worst].max() - of_nearest[worst] < 1e-3:
        return None
    return (
        f"for one query the nearest of your keys scores {of_nearest[worst]:.3g}, another one {scores[worst].max():.3g}"
    )


@function(
    points=3,
    returns="keys",
    cases=(
        Case("2 keys of three numbers", keys_of(2, 3), 0.15, telling=("half-for-root",)),
        Case("7 keys of five numbers", keys_of(7, 5), 0.2),
        Case("5 keys of five numbers", keys_of(5, 5), 0.1),
        Case("whole numbers", whole_keys, 0.05, telling=("whole-numbers",)),
        Case("the example of the task", example(K=np.array([[3.0, 4.0], [0.0, 2.0]])), 0.05),
    ),
    properties=(
        Property("all keys are equally long", lengths_are_equal, 0.1),
        Property("no score changes", scores_stay, 0.1),
        Property("the highest score belongs to the nearest key, for many queries", highest_is_nearest, 0.15),
    ),
    mistakes="""
    no-root: the new coordinate is R² - ‖k‖², without the root -> It is squared in the squared length. -> Take the
        square root.
    difference-of-lengths: the new coordinate is R - ‖k‖, the difference of the lengths -> Lengths do not add up, their
        squares do. -> Square both lengths, subtract, take the root.
    root-of-difference: the new coordinate is the root of R - ‖k‖ -> Lengths do not add up, their squares do. -> Square
        both lengths before you subtract.
    half-for-root: the new coordinate is half of R² - ‖k‖², not its root -> A power comes before a division: `x**1/2` is
        x, divided by 2. -> `np.sqrt`, or brackets: `x**(1/2)`.
    only-R-squared: under the root stands R² - ‖k‖: the length of the key is not squared -> A length and a squared
        length cannot be compared. -> Square both.
    largest-so-far: you take the largest length so far for R -> A longer key can still come. -> Find the longest of all
        keys first, in a loop of its own; then compute the coordinates.
    one-behind: you put a 1 behind each key -> All squared lengths grow by the same, and stay different. -> What is
        missing to the longest key?
    mean-square: you take the mean of the squared lengths for R² -> A longer key than that leaves less than zero under
        the root. -> R is the largest length.
    mean-square-cut: you take the mean of the squared lengths for R² -> A longer key stays longer, whatever is cut off
        at 0. -> R is the largest length.
    first-key-size: you take the length of the first key for R, and the size of the difference under the root -> A
        longer key becomes longer still. -> Take the largest of all lengths.
    last-key-size: you take the length of the last key for R, and the size of the difference under the root -> A longer
        key becomes longer still. -> Take the largest of all lengths.
    typed=: you take the same number for R², whatever keys are given -> In other keys the longest has another length. ->
        Compute it from `K`.
    negative-root: the new coordinate has the wrong sign -> The keys are equally long that way, too; but the task asks
        for the root, which is not negative. -> Leave the minus sign out.
    subtracted-the-wrong-way: under the root stands ‖k‖² - R² -> That is negative for all keys but the longest, and its
        root is NaN. -> R is the largest: take the squared length off R².
    length-behind: you put each key's own length behind it -> Then a long key becomes longer still. -> What is missing
        to the longest one?
    missing-length: you add the coordinate as if the key were zero, R for every key -> Then all squared lengths grow by
        the same, and stay different. -> Take off what the key has already.
    zero-behind: you put a zero behind each key -> That is what a *query* gets. A zero changes no length. -> What is
        missing to the longest key? If you compute it: is it negative, and cut off at 0?
    added-not-taken-off: under the root stands R² + ‖k‖² -> Then a long key becomes longer still. -> What is missing to
        the longest one?
    squares-returned: you return the squares of the numbers of K -> The new coordinate is right, but the keys in front
        of it are not those that came. -> Keep K as it is, and put the squares under another name.
    doubled: you double the numbers of K where they should be squared -> `*` multiplies; `**` is a power. -> `K**2`.
    place-of-the-longest: you take the place of the longest key for R -> `argmax` says where the largest number stands,
        not how large it is. -> `max`.
    scaled-and-zero: you made each key longer, to the length of the longest, and put a zero behind it -> Then its scores
        grow with it. -> Leave the numbers of K as they are: the number behind them makes up for what is missing.
    divided: you divided each key by its length -> That makes them equally long, but changes their scores. -> Leave the
        numbers of K as they are, and put one more behind them.
    in-front: the new coordinate stands in front -> A zero is put *behind* a query, and the dot product pairs place with
        place. -> Put the new column last.
    coordinate-only: you return the new coordinates without the keys -> They are to stand behind the old ones. -> Join
        both along axis 1.
    column-only: you return the new column without the keys -> It is to stand behind the old ones. -> Join both along
        axis 1.
    whole-matrix: you take the length of all keys together for R -> Sum the squares of each row; the largest of these
        sums is R². -> Give the sum an axis.
    largest-number: you take the largest number in K for R -> R is the largest *length*. -> Compute the length of each
        key first.
    largest-size: you take the largest size of a number in K for R -> R is the largest *length*. -> Compute the length
        of each key first.
    largest-number-cut: you take the largest number in K for R -> R is the largest *length*: no key has more than that,
        and nothing but rounding is cut off at 0. -> Compute the length of each key first.
    largest-of-each-column: you put R together from the largest number of each column -> No key need have them all: R
        then is longer than the longest key. -> Compute the length of each key first, and take the largest.
    max-along-axis: `np.max(a, 0)` takes the largest number of `a`, and one number for all keys is left -> The second
        argument of `np.max` is an axis. -> `np.maximum(a, 0)` compares each number with 0.
    first-key: you take the length of the first key for R -> A longer one leaves less than zero under the root. -> Take
        the largest of all lengths.
    first-key-cut: you take the length of the first key for R -> A longer one stays longer, whatever is cut off at 0. ->
        Take the largest of all lengths.
    first-not-asked: you leave the first key out when you look for the longest -> It can be the longest. -> Take the
        largest of *all* lengths.
    last-key: you take the length of the last key for R -> A longer one leaves less than zero under the root. -> Take
        the largest of all lengths.
    last-key-cut: you take the length of the last key for R -> A longer one stays longer, whatever is cut off at 0. ->
        Take the largest of all lengths.
    last-not-asked: you leave the last key out when you look for the longest -> It can be the longest. -> Take the
        largest of *all* lengths.
    shortest-key: you take the length of the shortest key for R -> All longer ones then have more than R, and the root
        of less than zero is NaN. -> R is the *largest* length.
    shortest-to-zero: you take the length of the shortest key for R, and the size of the difference under the root ->
        Then a long key gets a large coordinate, and becomes longer still. -> R is the *largest* length: no key has more
        than that, and no size need be taken.
    sum-of-lengths: you take the sum of the lengths for R -> R is the largest of them. -> `max` instead of `sum`.
    mean-length: you take the mean length for R -> A longer key than that leaves less than zero under the root. -> R is
        the largest length.
    mean-length-cut: you take the mean length for R -> A longer key stays longer, whatever is cut off at 0. -> R is the
        largest length.
    twice-the-square: you square R twice -> The largest of the *squared* lengths is R² already. -> Square once.
    not-squared: you take R - ‖k‖² under the root: R itself is not squared -> A length and a squared length cannot be
        compared. -> Square both.
    not-squared-cut: you take R - ‖k‖² under the root: R itself is not squared -> A length and a squared length cannot
        be compared. -> Square both.
    sum-squared: you add up the numbers of a key before you square -> Then they cancel where their signs differ. ->
        Square first, then add up.
    columns: you took the lengths of the columns (axis 0) -> Each key is a row. -> Sum the squares along axis 1.
    length-of-sizes: you measured each key by the sum of the sizes of its numbers -> That is another kind of length. ->
        Square, add up.
    whole-numbers: the new coordinate loses its decimals where the keys are whole numbers -> An array of whole numbers
        (or one made like it, or with a column inserted) holds no others. -> Join two arrays with `np.hstack`, or make K
        an array of floats first.
    scaled-to-the-longest: you made each key longer, to the length of the longest -> Then its scores grow with it. ->
        Leave the numbers of K as they are, and put one more behind them.
    """,
)
def equal_length_keys(K, wrong=frozenset()):
    """Keys with one more coordinate, with mistakes as switches."""
    whole = np.asarray(K).dtype.kind in "iu"
    K = np.asarray(K, dtype=float)
    axis = 0 if "columns" in wrong else 1
    squared = (K**2).sum(axis=axis)
    measures = {
        "sum-squared": K.sum(axis=1) ** 2,
        "length-of-sizes": np.abs(K).sum(axis=1) ** 2,
        "doubled": 2 * K.sum(axis=1),
    }
    squared = slip(wrong, measures, squared)
    with np.errstate(invalid="ignore"):
        lengths = np.sqrt(squared)
    tops = {
        "whole-matrix": squared.sum(),
        "largest-number": K.max() ** 2,
        "largest-size": np.abs(K).max() ** 2,
        "largest-of-each-column": (np.abs(K).max(axis=0) ** 2).sum(),
        "first-key": squared[0],
        "last-key": squared[-1],
        "shortest-key": squared.min(),
        "sum-of-lengths": lengths.sum() ** 2,
        "mean-length": lengths.mean() ** 2,
        "twice-the-square": squared.max() ** 2,
        "largest-so-far": np.maximum.accumulate(squared),
        "mean-square": squared.mean(),
    }
    tops |= {f"{name}-cut": tops[name] for name in CUT}
    tops |= {"first-key-size": squared[0], "last-key-size": squared[-1]}
    tops |= {"first-not-asked": squared[1:].max(), "last-not-asked": squared[:-1].max()}
    tops["place-of-the-longest"] = squared.argmax()
    tops |= dict.fromkeys(("not-squared", "not-squared-cut"), lengths.max())
    most = number(wrong, "typed", 25) or slip(wrong, tops, squared.max())
    if "divided" in wrong:
        return K / lengths[:, None]
    if "scaled-to-the-longest" in wrong:
        return K / lengths[:, None] * np.sqrt(most)
    if "scaled-and-zero" in wrong:
        return np.column_stack([K / lengths[:, None] * np.sqrt(most), np.zeros(len(K))])
    left = most - (lengths if "only-R-squared" in wrong else squared)
    if wrong & {"first-key-size", "last-key-size"}:
        left = np.abs(left)
    if any(name.endswith(("-cut", "-not-asked")) for name in wrong):
        left = np.maximum(left, 0)
    if "max-along-axis" in wrong:
        left = np.full(len(left), left.max())
    with np.errstate(invalid="ignore"):
        longer = _longer(K, wrong, left, most, lengths)
    return np.trunc(longer) if whole and "whole-numbers" in wrong else longer


def _longer(K, wrong, left, most, lengths):
    """The keys with the new coordinate."""
    new = {
        "no-root": left,
        "half-for-root": left / 2,
        "one-behind": np.ones(len(lengths)),
        "difference-of-lengths": np.sqrt(most) - lengths,
        "root-of-difference": np.sqrt(np.sqrt(most) - lengths),
        "negative-root": -np.sqrt(left),
        "subtracted-the-wrong-way": np.sqrt(-left),
        "added-not-taken-off": np.sqrt(most + lengths**2),
        "shortest-to-zero": np.sqrt(lengths**2 - lengths.min() ** 2),
        "length-behind": lengths,
        "missing-length": np.full(len(lengths), np.sqrt(most)),
        "zero-behind": np.zeros(len(lengths)),
    }
    column = slip(wrong, new, np.sqrt(left))[:, None]
    if "squares-returned" in wrong:
        K = K**2
    if "coordinate-only" in wrong:
        return column[:, 0]
    if "column-only" in wrong:
        return column
    return np.hstack([column, K] if "in-front" in wrong else [K, column])
