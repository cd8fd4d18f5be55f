import numpy as np

from grader.exercises.inputs import matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n1_positions.shared import places, speeds, turned
from grader.exercises.stages import slip


def inputs(*shape, draw=matrix, most=30, **more):
    return lambda rng: {"X": draw(rng, *shape), "positions": places(rng, shape[-2], most)} | more


def in_single_precision(rng):
    drawn = inputs(7, 10)(rng)
    return drawn | {"X": drawn["X"].astype(np.float32)}


def whole(rng, *shape):
    return rng.choice([-5, -4, -3, -2, 2, 3, 4, 5], size=shape)


def keeps_lengths(call, rng):
    X = matrix(rng, 5, 6)
    gap = np.abs(np.linalg.norm(call(X, places(rng, 5)), axis=-1) - np.linalg.norm(X, axis=-1)).max()
    return None if gap < 1e-3 else "a row is longer or shorter than before; turning keeps lengths"


def only_the_distance_counts(call, rng):
    Q, K = matrix(rng, 5, 6), matrix(rng, 5, 6)
    m, n = places(rng, 5), places(rng, 5)
    one, other = ((call(Q, m + by) * call(K, n + by)).sum(axis=-1) for by in (0, 9))
    gap = np.abs(one - other).max()
    return None if gap < 1e-3 else "the product of a turned query and a turned key changes if both move on by 9 places"


@function(
    points=4,
    returns="rotated rows",
    keywords=("base",),
    cases=(
        Case("three rows, two pairs", inputs(3, 4, draw=tenths, most=9), 0.25),
        Case("seven rows, five pairs, in single precision", in_single_precision, 0.1),
        Case("the example of the task", lambda rng: {"X": np.array([[1.0, 0.0]] * 3), "positions": np.arange(3)}, 0.05),
        Case("another base", inputs(5, 6, base=50.0), 0.1),
        Case("as many rows as columns", inputs(6, 6), 0.05),
        Case("whole numbers", inputs(5, 4, draw=whole), 0.05, telling=("truncated",)),
        Case("a batch of heads", inputs(2, 3, 5, 14), 0.15),
    ),
    properties=(
        Property("turning keeps lengths", keeps_lengths, 0.05),
        Property("in a product only the distance of two places counts", only_the_distance_counts, 0.1),
    ),
    mistakes="""
    halves: your pairs are taken from the two halves of the columns -> Many programs pair column i with column i + d
        / 2, and weights that were learned with one layout are useless with the other. Here neighbours are a pair: 0 and
        1, 2 and 3. -> `X[..., 0::2]` holds the first of each pair, `X[..., 1::2]` the second.
    laid-in-halves: your pairs are neighbours, as they should be, but all first numbers stand in the first half of the
        result and all second ones in the other -> Joining the two arrays (`concatenate`, `hstack`) lays them side by
        side. -> What was turned goes back where it came from: `result[..., 0::2]` and `result[..., 1::2]`.
    halves-laid-out: your pairs are taken from the two halves of the columns, and then laid out as neighbours -> Column
        i and column i + d / 2 are no pair here; 0 and 1 are, 2 and 3. -> `X[..., 0::2]` holds the first of each pair,
        `X[..., 1::2]` the second.
    columns-exchanged: the two columns of each pair have changed places -> The number that had x and the cosine in it
        stays where x was. -> x cos - y sin goes to the even columns, 0, 2, ...
    mixed-layout: the angles are laid out for neighbours, but you turn halves -> Column 0 gets the angle of its
        neighbour, and is mixed with the column half-way down the row: no pair is turned as a whole, and lengths change.
        -> Here neighbours are a pair: columns 0 and 1 turn together, by one angle.
    laid-for-halves: the angles are laid out for halves, but you turn neighbours -> One angle after the other, and then
        all once more (`np.tile`, `concatenate`), is the layout of halves: here two neighbours get two different angles,
        no pair is turned as a whole, and lengths change. -> Each angle twice, side by side, as by `np.repeat(angles, 2,
        axis=-1)`.
    angle-for-each-column: each *column* has an angle of its own -> A pair turns as a whole, by one angle: there are d /
        2 of them, with the exponents 0, 2, 4, ... over d. -> `np.arange(0, d, 2)`, and each angle for two neighbours.
    backwards: your hands turn the other way -> In a score before and after then change places: a key three places ahead
        counts as one that is three behind. -> Place 1 takes [1, 0] to [0.540, 0.841]: the
        sign of one sine decides.
    sin-cos-exchanged: sine and cosine have changed places -> At place 0 nothing is turned: cos 0 = 1 leaves the numbers
        where they are. -> Each number keeps its cosine, and its neighbour brings the sine.
    first-column-exchanged: in the first column of each pair sine and cosine have changed places -> At place 0 nothing
        is turned: x comes out as it was, times cos 0 = 1. -> Each number keeps its cosine, and its neighbour brings the
        sine.
    second-column-exchanged: in the second column of each pair sine and cosine have changed places -> At place 0 nothing
        is turned: y comes out as it was, times cos 0 = 1. -> Each number keeps its cosine, and its neighbour brings the
        sine.
    both-plus: both sums have a plus -> Then nothing is turned: the pair is stretched. A turn has one minus. -> Look at
        the formula of the first column of a pair.
    both-minus: both differences have a minus -> Then the second column is mirrored: [0, 1] has to come out as
        [-sin, cos]. A turn has one minus. -> Look at the formula of the second column of a pair.
    mirrored: your pairs are turned and mirrored: the signs of the second column are the wrong way round -> [0, 1] has
        to
        come out as [-sin, cos]. -> The second column gets x sin + y cos.
    overwritten: the second column is computed from the first one as it is *after* the turn -> As soon as the new x is
        written over the old, or read back from the result, y can no longer be turned with it. A slice like
        `X[..., 0::2]` is no copy: it changes with its array. -> Take both columns from X, which stays as it is, and
        write into another array.
    overwritten-in-a-copy: the second column is computed from the first one as it is *after* the turn, and on whole
        numbers decimals are lost -> As soon as the new x is written over the old, y can no longer be turned with it;
        and `X.copy()` of whole numbers holds whole numbers only. -> Take both columns from X, and write into a new
        array for decimals, as `np.zeros(X.shape)`.
    second-overwritten: the first column is computed from the second one as it is *after* the turn -> As soon as the new
        y is written over the old, x can no longer be turned with it. A slice like `X[..., 1::2]` is no copy: it changes
        with its array. -> Take both columns from X, which stays as it is, and write into another array.
    second-read-when-empty: the second column of each pair lacks y cos, as if y were 0 -> So it comes if y is read from
        the new array before anything stands there. -> Take both columns from X.
    first-read-when-empty: the first column of each pair lacks y sin, as if y were 0 -> So it comes if y is read from
        the new array before anything stands there. -> Take both columns from X.
    places-along-the-first-axis: each entry of the first axis of X gets a place -> With several heads or sentences, that
        axis counts them, and the tokens are on another. -> Count axes from the end: the rows are on the axis -2.
    places-ignored: the positions have no effect: the rows are numbered from 0 on -> Tokens need not stand at the
        beginning, nor side by side; a model that writes word by word turns one row at a time, at place 57, say. -> Use
        the argument `positions`.
    base-ignored
    exponent-i
    doubled-exponent
    multiplied
    same-angle
    last-slowest
    natural
    log10-for-log
    slowest-first
    power-first
    divided-last
    degrees
    turns
    pairs-from-one
    even-only: only the even columns are turned -> A pair turns as a whole: of both old numbers come both new ones. ->
        Write the odd columns, too: x sin + y cos.
    odd-only: only the odd columns are turned -> A pair turns as a whole: of both old numbers come both new ones. ->
        Write the even columns, too: x cos - y sin.
    each-alone: each number is multiplied by a sine or a cosine, and none meets its neighbour -> That stretches a pair,
        it does not turn it. A turn makes each new number of both old ones. -> Two products and a sum in each column.
    cosines-alone: each number is multiplied by the cosine, and none meets its neighbour -> That stretches a pair, it
        does not turn it. A turn makes each new number of both old ones. -> Two products and a sum in each column.
    sinusoids-multiplied: `X` is multiplied by the sinusoids, number by number -> That stretches a pair, it does not
        turn it. A turn makes each new number of both old ones. -> Two products and a sum in each column.
    from-the-first: the first row is not turned, and all others by their distance from it -> In a product only distances
        count, but the first row may be asked from elsewhere: it stands where `positions` says. -> Use the positions as
        they come.
    over-rows: your exponent is divided by the number of rows -> The clocks are those of d columns, however many tokens
        come. -> d is the *last* number of the shape.
    from-one: you turn each row by one place too many -> A row at place 0 stays as it is. -> Use the positions as they
        come.
    truncated: your numbers have lost what follows the point -> If X holds whole numbers, so do `X.copy()`,
        `np.zeros_like(X)` and `np.empty_like(X)`, and what is written into them is cut off. -> Make the new array one
        for decimals, as by `X.astype(float)`.
    no-batch: your function knows only two axes -> X may come as (..., n, d), several heads of several sentences at
        once.
        -> Count axes from the end: `X[..., 0::2]`, and the rows are on the axis -2.
    added: you add the sinusoids to X -> That is the older way, and the section before. Here nothing is added: each pair
        of columns is turned. -> Each new number is made of both old ones, times sine and cosine.
    first-pair-only: only the first pair turns -> Each pair of columns is a hand of its own. -> Let the pairs run to the
        end of the row.
    """,
)
def rotate(X, positions, base=10000.0, wrong=frozenset()):
    """Rotary positions, with mistakes as switches."""
    X = np.asarray(X)
    whole_numbers, X = X.dtype.kind in "iu", X.astype(float)
    n, d = X.shape[-2:]
    if "no-batch" in wrong and X.ndim > 2:
        raise ValueError("too many values to unpack (expected 2)")
    place = np.arange(n) if "places-ignored" in wrong else np.asarray(positions)
    angles = (place + ("from-one" in wrong))[:, None] * speeds(d, base, wrong)
    if "places-along-the-first-axis" in wrong:
        angles = angles[np.arange(len(X))].reshape(len(X), *[1] * (X.ndim - 2), d // 2)
    if "first-pair-only" in wrong:
        angles = angles * (np.arange(d // 2) == 0)
    if "added" in wrong:
        return X + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)
    if "overwritten-in-a-copy" in wrong:
        wrong = wrong | {"overwritten", "truncated"}
    truncated = "truncated" in wrong and whole_numbers
    if "from-the-first" in wrong:
        angles = angles - angles[:1]
    if "over-rows" in wrong:
        angles = np.asarray(positions)[:, None] * float(base) ** -(np.arange(0, d, 2) / n)
    slips = {"even-only": slice(1, None, 2), "odd-only": slice(0, None, 2)}
    kept = slip(wrong, slips, slice(0))
    alone = {"cosines-alone": (np.cos, np.cos), "sinusoids-multiplied": (np.sin, np.cos)}
    if wrong & {*alone, "each-alone"}:
        one, other = slip(wrong, alone, (np.cos, np.sin))
        return X * np.stack([one(angles), other(angles)], axis=-1).reshape(n, d)
    if wrong & {"laid-for-halves", "angle-for-each-column"}:
        each = place[:, None] * float(base) ** (-np.arange(d) / d)
        angles = np.tile(angles, 2) if "laid-for-halves" in wrong else each
        across = np.stack([-X[..., 1::2], X[..., 0::2]], axis=-1).reshape(X.shape)
        return X * np.cos(angles) + across * np.sin(angles)
    result = turned(X, angles, wrong, np.trunc if truncated else lambda x: x)
    result[..., kept] = X[..., kept]
    return np.trunc(result) if truncated else result
