import numpy as np

from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n1_positions.shared import speeds
from grader.exercises.stages import slip


def inputs(n, d_model, **more):
    return lambda rng: {"n": int(rng.choice(n)), "d_model": int(rng.choice(d_model))} | more


def only_the_distance_counts(call, rng):
    P = call(17, 10)
    S = P @ P.T
    gap = max(np.ptp(np.diag(S, k)) for k in range(1, 12))
    return None if gap < 1e-3 else "the products of rows that lie equally far apart differ"


def all_as_long(call, rng):
    lengths = np.linalg.norm(call(13, 14), axis=-1)
    gap = np.abs(lengths - np.sqrt(7)).max()
    return None if gap < 1e-3 else "sin² + cos² is 1 in each pair, so a row of 14 columns is √7 long; yours is not"


@function(
    points=3,
    returns="positions",
    changes_input=False,
    keywords=("base",),
    cases=(
        # Few numbers decide all the others: what is copied from here earns nothing.
        Case("a few places", inputs([5, 7], [6, 10]), 0.0),
        Case("other sizes", inputs(range(11, 30), [18, 22]), 0.3),
        Case("the example of the task", inputs([3], [4]), 0.1),
        Case("another base", inputs([11, 13], [14], base=50.0), 0.2),
        Case("many places, sixteen columns", inputs([211, 307], [16]), 0.15),
        Case("as many places as columns", inputs([10], [10]), 0.05),
        Case("two columns: one clock", inputs([3, 5], [2]), 0.05),
    ),
    properties=(
        Property("the product of two rows depends on their distance alone", only_the_distance_counts, 0.1),
        Property("all rows are equally long", all_as_long, 0.05),
    ),
    mistakes="""
    halves: all sines stand in the first half of the columns, all cosines in the second -> Some programs lay it out like
        that. Here each sine has its cosine beside it: columns 0 and 1 are one clock, 2 and 3 the next. -> Fill
        `P[:, 0::2]` and `P[:, 1::2]`.
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
    base-ignored
    from-one: your places count from 1 -> The first place is 0: its clocks all stand at the start. -> Look where your
        `arange` or `range` begins.
    places-by-n: your places are divided by how many there are -> The first clock advances by one whole radian from
        place to place, however long the text is. -> Places are 0, 1, 2, ...
    places-to-one: your places run from 0 to 1, however many there are -> The first clock advances by one whole radian
        from place to place, however long the text is. -> Places are 0, 1, 2, ...
    place-missing: every row is the same: the place is not in your angles -> The angle is how far a clock has come, and
        that is its speed times the place. -> Multiply each speed by each place: a column of places times a row of
        speeds.
    sin-cos-exchanged: sine and cosine have changed places -> At place 0 each clock says sin 0 = 0 first, then cos 0 =
        1.
        -> The sines stand in the even columns, 0, 2, ...
    only-sines: there are sines in all columns -> A sine alone does not tell whether the hand is going up or coming
        down.
        -> Put the cosine of the same angle beside each.
    speed-for-each-column: each column has a speed of its own -> `np.arange(d_model)` counts columns, and i counts
        pairs: sine and cosine of one pair take the same angle. -> Compute one speed for each pair, by
        `np.arange(0, d_model, 2)`.
    cos-of-the-sines: your cosines are taken of the sines -> Sine and cosine of one pair take the same *angle*; once the
        array holds the sine in its place, the angle is gone. -> Keep the angles in an array of their own, and use them
        twice.
    speed-behind: the speed multiplies what comes out of sine and cosine -> So all clocks run equally fast, and swing
        less and less far. -> Multiply place and speed first: `np.sin(place * speed)`.
    cos-of-the-next-pair: your cosines have the speed of the next pair -> Sine and cosine of one pair show where one and
        the same hand is: both take the same angle. -> Compute the angle once for each pair, and use it twice.
    half-of-the-pairs: only half of the pairs are filled, those in front -> There are d_model / 2 pairs. A `range` in
        steps of two has to run to d_model, one in steps of one to half of it. -> Look where your loop ends.
    every-other-pair: every other pair stays empty -> There are d_model / 2 pairs, and a `range` in steps of two leaves
        out every other number. -> Count pairs in steps of one, or columns in steps of two; not both.
    cos-own-speed: the cosines have speeds of their own -> Sine and cosine of one pair show where one and the same hand
        is: both take the same angle. -> Compute the angle once for each pair, and use it twice.
    overlapping: each pair is written one column behind the last, not two -> Then a cosine is overwritten by the next
        sine, and the last columns stay empty. -> Pair i has the columns 2i and 2i + 1.
    floored: your exponents are whole numbers -> `//` cuts off what stands behind the point. -> Divide with `/`.
    by-the-place: even places have sines only, odd ones cosines only -> It is the *columns* that take turns. -> Every
        row has both.
    truncated: only the first row is right, and of the others nothing is left -> Either only the first was filled: does
        your `return` stand inside the loop? Or what follows the point is cut off: an array made of whole numbers (`[[0]
        * d] * n`, `dtype=int`) keeps whole numbers. -> Print the second row right after it was filled, and once more in
        the end.
    transposed: your result has a row for each column, not for each place -> P is added to X, which has a row for each
        token. -> Let the places run down the rows.
    one-turn: your places run round one turn of the clock -> The angle is place times speed, in radians; nothing in it
        depends on how many places there are. -> Multiply the place by the speed, and take sine and cosine.
    degrees
    turns
    pairs-from-one
    no-cosines: the odd columns are still empty: there are no cosines -> A sine alone does not tell whether the hand is
        going up or coming down. -> Put the cosine of the same angle beside each.
    only-cosines: there are cosines in all columns -> A cosine alone does not tell whether the hand is going up or
        coming down. -> The sines stand in the even columns, 0, 2, ...
    sine-of-each-column: there are sines in all columns, and each column has a speed of its own -> A sine alone does not
        tell whether the hand is going up or coming down. -> Give two columns one speed: the sine in the first, the
        cosine in the second.
    backwards: your hands turn backwards -> The cosine does not show it, the sine does: sin 1 is 0.841, and not -0.841.
        -> Leave place and speed without a minus; it belongs into the exponent alone, if anywhere.
    over-places: your exponent is divided by the number of places -> The clocks are those of d_model columns, however
        many tokens come. -> Divide by d_model.
    """,
)
def sinusoidal_positions(n, d_model, base=10000.0, wrong=frozenset()):
    """Sinusoids, with mistakes as switches."""
    here = np.arange(n) + ("from-one" in wrong)
    counts = {"place-missing": np.ones(n), "places-by-n": here / n, "places-to-one": here / max(n - 1, 1)}
    place = slip(wrong, counts, here)[:, None]
    angles = place * speeds(d_model, base, wrong)
    if "one-turn" in wrong:
        angles = angles * 2 * np.pi / n
    if "over-places" in wrong:
        angles = place * float(base) ** -(np.arange(0, d_model, 2) / n)
    if "backwards" in wrong:
        angles = -angles
    sines, cosines = np.sin(angles), np.cos(angles)
    if "cos-of-the-sines" in wrong:
        cosines = np.cos(sines)
    if "speed-behind" in wrong:
        sines, cosines = (wave(place) * speeds(d_model, base, wrong) for wave in (np.sin, np.cos))
    if "cos-of-the-next-pair" in wrong:
        cosines = np.cos(place * float(base) ** -(np.arange(2, d_model + 2, 2) / d_model))
    if "sin-cos-exchanged" in wrong:
        sines, cosines = cosines, sines
    if "only-sines" in wrong:
        cosines = sines
    if "only-cosines" in wrong:
        sines = cosines
    if "no-cosines" in wrong:
        cosines = 0 * cosines
    if "sine-of-each-column" in wrong:
        own = np.sin(place * float(base) ** -(np.arange(d_model) / d_model))
        sines, cosines = own[:, 0::2], own[:, 1::2]
    if "cos-own-speed" in wrong:
        cosines = np.cos(place * float(base) ** -(np.arange(1, d_model, 2) / d_model))
    if "speed-for-each-column" in wrong:
        own = place * float(base) ** (-2 * np.arange(d_model) / d_model)
        sines, cosines = np.sin(own[:, 0::2]), np.cos(own[:, 1::2])
    if "floored" in wrong:
        angles = place * float(base) ** (-2 * np.arange(d_model // 2) // d_model)
        sines, cosines = np.sin(angles), np.cos(angles)
    P = np.empty((n, d_model))
    P[:, 0::2], P[:, 1::2] = sines, cosines
    if wrong & {"half-of-the-pairs", "every-other-pair"}:
        pair = np.arange(d_model) // 2
        P[:, pair % 2 > 0 if "every-other-pair" in wrong else pair >= (d_model // 2 + 1) // 2] = 0
    if "by-the-place" in wrong:
        both = np.repeat(angles, 2, axis=-1)
        return np.where(np.arange(n)[:, None] % 2, np.cos(both), np.sin(both))
    if "overlapping" in wrong:
        P[:] = 0.0
        for i in range(d_model // 2):
            P[:, i], P[:, i + 1] = sines[:, i], cosines[:, i]
        return P
    slips = {
        "halves": np.concatenate([sines, cosines], axis=-1),
        "truncated": np.trunc(P),
        "transposed": P.T,
    }
    return slip(wrong, slips, P)
