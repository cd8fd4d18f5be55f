import numpy as np

from grader.exercises.inputs import point
from grader.exercises.kinds import Property, search

STEPS = 200
LIMIT = 0.01


def after(W, steps=STEPS):
    """How far the least and the most lucky state are stretched by so many steps."""
    with np.errstate(all="ignore"):
        power = np.linalg.matrix_power(W, steps)
        if not np.isfinite(power).all():  # whether the least grows as well can no longer be seen
            return np.inf, np.inf
        most = np.linalg.norm(power, 2)
        # Both together are the determinant; the smaller one by itself is lost in the rounding of the larger.
        least = abs(np.linalg.det(W)) ** steps / most if most else 0.0
        return float(least), float(most)


def is_mixed(W):
    """A limit so low that all that is diagonal in fact fades or grows in the 200 steps, and slow rotations count."""
    return bool(max(abs(W[0, 1]), abs(W[1, 0])) > LIMIT)


def moves_on(W):
    return bool(np.abs(W @ W - np.eye(2)).max() > LIMIT)


def no_diagonal(W):
    if not is_mixed(W):
        return f"off the diagonal, no number is larger than {LIMIT} in size; the task asks for more"
    return None if moves_on(W) else "applied twice, it gives (nearly) every state back as it was"


def lasts(W):
    least, most = after(W)
    if least >= 0.5 and most <= 2:
        return None
    return f"after {STEPS} steps some state has {most:.3g} times its length, and some {least:.3g} times"


@search(
    points=2,
    task="find a matrix that neither forgets nor explodes",
    properties=(
        Property("it is not diagonal, and more than a reflection", no_diagonal, 0.0),
        Property("after 200 steps each state has between half and twice its length", lasts, 1.0),
    ),
    shows={
        "identity": lambda W: bool(np.abs(W - np.eye(2)).max() < 1e-3),
        "diagonal": lambda W: not is_mixed(W) and lasts(W) is None,
        "twice-the-identity": lambda W: is_mixed(W) and not moves_on(W),
        "diagonal-dies": lambda W: not is_mixed(W),
        "forgets-one-way": lambda W: after(W)[0] < 0.5 <= after(W)[1] <= 2,
        "slowly-growing": lambda W: 2 < after(W)[1] < 2000 and bool(abs(abs(np.linalg.det(W)) - 1) < 1e-6),
        "grows-and-forgets": lambda W: after(W)[0] < 0.5 and after(W)[1] > 2,
        "grows": lambda W: after(W)[1] > 2,
        "dies": lambda W: after(W)[0] < 0.5,
    },
    mistakes="""
    identity: you found the matrix that does nothing -> It forgets nothing, but it also keeps the two numbers of a state
        apart for ever. -> Let each step mix the two numbers, without making any state longer or shorter.
    diagonal: its states last (between half and twice their length), but off its diagonal no number is larger than 0.01
        in size; the task asks for more -> Then each number of the state stays by itself, or nearly. -> Let each step
        mix the two numbers.
    twice-the-identity: applied twice, your matrix gives the state back -> Such as a reflection, or an exchange of the
        two numbers: a step forth, a step back, and the state goes nowhere. -> What else, on paper, moves a figure
        without stretching it?
    diagonal-dies: off the diagonal of your matrix no number is larger than 0.01 in size, and its states do not last ->
        On the diagonal alone, each number multiplies itself: 0.9 becomes 0 after 200 steps, and 1.1 a hundred million.
        -> Let each step mix the two numbers.
    forgets-one-way: some states last, but others are forgotten -> What points in one direction stays, and what points
        across it has faded away. -> Every direction has to keep its length.
    slowly-growing: some states become more than twice as long, though the area of a figure stays -> It is sheared
        longer and longer, or goes round on an ellipse, long one way and short the other. -> Keep each *length*, not
        the area.
    grows-and-forgets: some states become long, and others are forgotten -> What is long on the way in one direction is
        lost in another. -> Every direction has to keep its length.
    grows: the states grow without end -> Even a stretch by 1.01 in each step makes more than 7 of 1 after 200. -> Every
        direction has to keep its length: what do the two rows have to look like?
    dies: the states die away, or some of them do -> Even a shrinking to 0.99 in each step leaves 0.13 after 200; and
        what a step takes away at once never comes back. -> Every direction has to keep its length: what do the two rows
        have to look like?
    """,
)
def lasting_memory(value):
    """A matrix of shape (2, 2); raises ValueError in words."""
    return point(value, 2, 2, wanted="a matrix of two rows, as [[0.9, 0.0], [0.0, 0.9]]", whole="all four numbers")
