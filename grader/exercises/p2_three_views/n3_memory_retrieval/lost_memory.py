import numpy as np

from grader.exercises.inputs import point
from grader.exercises.kinds import Property, search
from grader.exercises.p2_three_views.n3_memory_retrieval.hopfield_update import hopfield_update

LOST_BETA = 8.0


def patterns_differ(patterns):
    gap = np.linalg.norm(patterns[0] - patterns[1])
    return None if gap > 0.1 else f"the two patterns lie {gap:.3g} apart; more than 0.1 is needed to tell them apart"


def second_scores_more(patterns):
    """True if the first pattern scores more with the second than with itself."""
    return bool(patterns[0] @ patterns[1] > patterns[0] @ patterns[0])


def scores_tie(patterns):
    """True if the first pattern scores the same with both, but for rounding."""
    return bool(np.isclose(patterns[0] @ patterns[1], patterns[0] @ patterns[0], rtol=1e-9, atol=0))


def first_is_lost(patterns):
    recalled = hopfield_update(patterns[0], patterns, LOST_BETA)
    own, other = np.linalg.norm(recalled - patterns, axis=1)
    if other < 0.1 * np.linalg.norm(patterns[0] - patterns[1]) and other < own:
        return None
    return f"it recalls {recalled.round(2).tolist()}, which is not near enough to the second pattern"


@search(
    points=2,
    task="find two patterns of which the first recalls the second",
    properties=(
        Property("the two patterns differ", patterns_differ, 0.0),
        Property("the first one, unspoilt, recalls the second (beta = 8)", first_is_lost, 1.0),
    ),
    shows={
        "the-same": lambda patterns: np.linalg.norm(patterns[0] - patterns[1]) < 1e-6,
        "too-near": lambda patterns: patterns_differ(patterns) is not None and first_is_lost(patterns) is None,
        "nothing-asked": lambda patterns: not patterns[0].any() or not patterns[1].any(),
        "equal-length": lambda patterns: bool(np.isclose(*np.linalg.norm(patterns, axis=1))),
        "wrong-way-round": lambda patterns: first_is_lost(patterns[::-1]) is None,
        "lead-too-small": lambda patterns: second_scores_more(patterns) and not scores_tie(patterns),
        "right-angle": lambda patterns: (
            abs(patterns[0] @ patterns[1]) < 0.1 * np.prod(np.linalg.norm(patterns, axis=1))
        ),
        "opposite": lambda patterns: bool(patterns[0] @ patterns[1] < 0),
        "tie": scores_tie,
        "second-scores-less": lambda patterns: not second_scores_more(patterns),
    },
    mistakes="""
    the-same: you stored the same pattern twice -> Then it does not matter which of the two is recalled. -> Make two
        patterns that a reader would want to tell apart.
    too-near: your two patterns are nearly the same -> Then it does not matter which of the two is recalled. -> Make two
        patterns that a reader would want to tell apart.
    nothing-asked: one of your patterns holds only zeros -> With it every score is 0: it asks for nothing, and nobody
        finds it. -> Give both a direction and a length.
    equal-length: your patterns have the same length -> Among patterns of equal length, each has its largest dot product
        with itself, so it finds itself. -> What does a dot product reward besides the right direction?
    wrong-way-round: it is the second pattern that recalls the first -> You found a lost memory, but the first pattern
        is to be the lost one. -> Swap the two rows.
    lead-too-small: the second pattern scores more than the first, but beta times its lead is too small -> The weights
        are then still shared, and the update returns a mixture of both patterns. -> Make both patterns longer: scores
        grow with the lengths of both.
    right-angle: your patterns are nearly at a right angle -> Then the first scores about 0 with the second, however
        long that is. -> Let the second point to the same side as the first.
    opposite: your patterns point to opposite sides -> Then the first scores below 0 with the second, the less the
        longer that is. -> Let the second point to the same side as the first.
    tie: the first pattern scores the same with both -> Equal scores have equal weights: half of each comes back. -> The
        second has to score more with the first than the first does with itself.
    second-scores-less: the first pattern scores more with itself than with the second -> The update goes where the
        score is largest. -> Compare both dot products: which of the second's length and direction has to change?
    """,
)
def lost_memory(value):
    """Two patterns as an array of shape (2, 2); raises ValueError in words."""
    return point(
        value, 2, 2, wanted="two patterns of two numbers, as [[1.0, 0.0], [0.0, 1.0]]", whole="all four numbers"
    )
