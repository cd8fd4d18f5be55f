import numpy as np

from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.p4_deep_networks.n1_positions.shared import speeds, turned
from grader.exercises.p4_deep_networks.n1_positions.sinusoidal_positions import sinusoidal_positions
from grader.exercises.stages import number, slip
from grader.words import plural


def inputs(distance, d_model, **more):
    return lambda rng: {"distance": int(rng.choice(distance)), "d_model": int(rng.choice(d_model))} | more


def more_columns(call, rng):
    distance = int(rng.integers(5, 30))
    M, P = call(distance, 16), sinusoidal_positions(16 + distance, 16)
    gap = np.abs(M - shift_matrix(distance, 16)).max(axis=0)
    if gap.max() < 1e-5:
        return None
    words = f"with 16 columns {plural(int((gap >= 1e-5).sum()), 'column')} of your matrix are not right"
    moved = np.abs(P[:16] @ M - P[distance:]).max() < 1e-2
    return Sign(f"{words}, though it moves the first places", "fitted-to-places") if moved else words


def moves_every_place(call, rng):
    distance = int(rng.choice([2, 5, 9]))
    P = sinusoidal_positions(400, 16)
    gap = np.abs(P[:300] @ call(distance, 16) - P[distance : 300 + distance]).max(axis=-1)
    if gap.max() < 1e-2:
        return None
    place = int((gap > 1e-2).argmax())
    fitting = int((gap <= 1e-2).sum())
    moved = f"times your matrix, the position of place {place} is not that of place {place + distance}"
    return f"{moved}; of the first 300 places it moves {plural(fitting, 'place')} rightly"


@function(
    points=3,
    returns="matrix",
    changes_input=False,
    keywords=("base",),
    hides=True,
    cases=(
        # Two numbers decide all the others: what is copied from here earns nothing.
        Case("a small distance, four columns", inputs([2, 3], [4]), 0.0),
        Case("a larger distance", inputs(range(5, 30), [6]), 0.3),
        Case("back", inputs([-4, -2], [6]), 0.15),
        Case("another base", inputs([2, 3], [6], base=50.0), 0.1),
        Case("no distance: nothing moves", inputs([0], [6]), 0.05),
    ),
    properties=(
        Property("sixteen columns", more_columns, 0.2, compares=True),
        Property("it moves near and far places alike", moves_every_place, 0.2),
    ),
    mistakes="""
    backwards: your matrix moves each place back where it should move on, or it is transposed -> P stands on the left, a
        row for each place, so a *row* of the matrix says what becomes of one column of P. -> Try it: `P[:3] @ M`
        against
        `P[distance:distance + 3]`.
    halves: your matrix takes all sines to be in the first half of the columns -> Here each sine has its cosine beside
        it. -> The matrix is made of blocks of two by two along the diagonal.
    sin-cos-exchanged: sine and cosine have changed places in your blocks -> For the distance 0 each block has to leave
        its pair alone, and cos 0 = 1. -> The cosines stand on the diagonal.
    mirror: your blocks have the minus on the diagonal: each mirrors its pair -> A mirror turns sines and cosines of
        what is ahead into those of what is behind. -> Write down sin(a + b) and cos(a + b): which term has the minus?
    both-plus: your blocks have no minus -> Write down sin(a + b) and cos(a + b): one of the two has a minus. -> Put it
        where that formula has it.
    sin-cos-exchanged-back: sine and cosine have changed places in your blocks, and a sign -> For the distance 0 each
        block has to leave its pair alone, and cos 0 = 1. -> The cosines stand on the diagonal.
    distance-ignored: your matrix always moves by one place -> The angle of a pair is the distance times its speed. ->
        Use the argument `distance`.
    first-pair-only: only the first pair is moved -> Each pair has a clock of its own. -> Make a block for each of them.
    fitted-to-places: you solve for the matrix from some places -> On paper they are enough. But in these the slow
        clocks hardly move, and rounding decides what your matrix does with them. -> Derive it: what does sin(a + b)
        look like, in terms of sin(a) and cos(a)?
    fitted-to-a-few=: your matrix moves a few places rightly, and no others -> A matrix of d rows can be fitted to fewer
        than d places in many ways. -> Derive it: what does sin(a + b) look like, in terms of sin(a) and cos(a)?
    same-angle: all your blocks turn by the same angle -> Each pair has its own speed. -> Multiply the distance by the
        speed of the pair.
    base-ignored
    exponent-i
    doubled-exponent
    multiplied
    last-slowest
    fitted-to-one: your matrix takes one place to where it belongs, and no others -> Very many matrices do that for a
        single row; what holds for all places cannot be read off one. -> Derive it: what does sin(a + b) look like, in
        terms of sin(a) and cos(a)?
    places: you return positions, and `distance` is not used -> Asked for is one matrix of d_model by d_model that moves
        any place by the distance. -> The positions must not be in it; the angle of a pair is the distance times its
        speed.
    identity-added: there is an identity matrix too many in yours -> A moved place is not added to the old one. -> The
        blocks alone.
    last-pair-left-out: your last block is missing -> The number of pairs is half of d_model. -> Make a block for each
        of them.
    places-moved: you return the moved positions, not what moves them -> Asked for is one matrix of d_model by d_model
        that does it for any place. -> The position of the place must not be in it.
    turns
    degrees
    columns-moved: your matrix moves columns, and leaves their numbers as they are -> A column is the sine or the cosine
        of a clock, and no other column holds what it will say some places later. -> Derive it: what does sin(a + b)
        look like, in terms of sin(a) and cos(a)?
    columns-rolled: your matrix moves columns round in a circle, and leaves their numbers as they are -> A column is the
        sine or the cosine of a clock, and no other column holds what it will say some places later. -> Derive it: what
        does sin(a + b) look like, in terms of sin(a) and cos(a)?
    multiplied-by-distance: you multiply the matrix of one place by the distance -> One step after the other is a
        product of matrices, not a multiple: the numbers would leave -1 to 1. -> Put the distance into the angle.
    power-of-numbers: you raise each number of the matrix of one place to a power -> `**` works number by number; one
        step after the other is a product of matrices. -> Put the distance into the angle.
    not-a-matrix: one row comes out -> Adding or multiplying by a row cannot turn a pair: each of the two new numbers is
        made of both old ones. -> Make d_model by d_model numbers, most of which are 0.
    """,
)
def shift_matrix(distance, d_model, base=10000.0, wrong=frozenset()):
    """The matrix that moves sinusoids, with mistakes as switches."""
    by = 1 if "distance-ignored" in wrong else distance
    angles = (by if "both-plus" in wrong else -by) * speeds(d_model, base, wrong)[None]
    if "first-pair-only" in wrong:
        angles = angles * (np.arange(d_model // 2) == 0)
    slips = {"fitted-to-one": 1, "fitted-to-places": 50}
    if rows := slip(wrong, slips, int(number(wrong, "fitted-to-a-few", 3) or 0)):
        start = max(-distance, 0)
        P = sinusoidal_positions(start + abs(distance) + rows, d_model, base)
        return np.linalg.pinv(P[start : start + rows]) @ P[start + distance : start + distance + rows]
    M = turned(np.eye(d_model), np.repeat(angles, d_model, axis=0), wrong)
    if "mirror" in wrong:
        M = M * np.where(np.arange(d_model) % 2, -1, 1)
    P = sinusoidal_positions(d_model + abs(distance), d_model, base)
    if wrong & {"multiplied-by-distance", "power-of-numbers"}:
        one = turned(np.eye(d_model), np.repeat(-speeds(d_model, base)[None], d_model, axis=0))
        return distance * one if "multiplied-by-distance" in wrong else one**distance
    if "columns-moved" in wrong:
        return np.eye(d_model, k=distance)
    if "columns-rolled" in wrong:
        return np.roll(np.eye(d_model), distance, axis=1)
    if "sin-cos-exchanged" in wrong:
        M = -M
    if "sin-cos-exchanged-back" in wrong:
        M = turned(np.eye(d_model), np.repeat(-angles, d_model, axis=0), frozenset(["sin-cos-exchanged"]))
    if "identity-added" in wrong:
        M = M + np.eye(d_model)
    if "last-pair-left-out" in wrong:
        M = M * (np.arange(d_model) < d_model - 2)
    return slip(wrong, {"places": P[:d_model], "places-moved": P[-d_model:], "not-a-matrix": P[abs(distance)]}, M)
