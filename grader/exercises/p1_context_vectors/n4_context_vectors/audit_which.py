import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.p1_context_vectors.n4_context_vectors import shared
from grader.exercises.p1_context_vectors.n4_context_vectors.audit_weights import audit_contexts_model, audit_weights


def wrong_numbers(printed, right, wrong):
    """How many printed numbers differ from the right ones at two decimals; or rows, or blocks."""
    differ = right != printed if "unrounded" in wrong else ~np.isclose(right.round(2), printed)
    if "rows-counted" in wrong:
        differ = differ.any(axis=1)
    return int(differ.any()) if "blocks-counted" in wrong else int(differ.sum())


def wrong_scores(wrong=frozenset()):
    """How many of the published scores are wrong."""
    if "all-scores" in wrong:
        return shared.PUBLISHED_SCORES.size
    # Element by element: a matrix product may add up in another way on another processor.
    products = np.array([[float(a[0] * b[0] + a[1] * b[1]) for b in shared.AUDIT_X] for a in shared.AUDIT_X])
    return wrong_numbers(shared.PUBLISHED_SCORES, products, wrong)


def wrong_weights(wrong=frozenset()):
    """How many of the published weights are wrong."""
    return 0 if "sums-suffice" in wrong else wrong_numbers(shared.PUBLISHED_WEIGHTS, audit_weights(), wrong)


def wrong_contexts(wrong=frozenset()):
    """How many of the published contexts' numbers are wrong."""
    return 0 if "inside-suffices" in wrong else wrong_numbers(shared.PUBLISHED_CONTEXTS, audit_contexts_model(), wrong)


def farthest_off(wrong=frozenset()):
    """The largest differences between printed and right numbers, of the weights and of the contexts."""
    weights = audit_weights(wrong & {"scaled"})
    used = shared.PUBLISHED_WEIGHTS if "printed-weights" in wrong else weights
    return [
        float(np.abs(printed - right).max())
        for printed, right in ((shared.PUBLISHED_WEIGHTS, weights), (shared.PUBLISHED_CONTEXTS, used @ shared.AUDIT_X))
    ]


@values(
    points=2,
    task="say how many of the printed numbers are wrong in each block, and how far off they are",
    entries=(
        Entry("scores", "wrong numbers among the scores", 0.4),
        Entry("weights", "wrong numbers among the weights", 0.15),
        Entry("contexts", "wrong numbers among the contexts", 0.15),
        # Other recomputations count the same, but are not as far off.
        Entry("weights_off", "the largest error of a weight", 0.15, decimals=2),
        Entry("contexts_off", "the largest error in a context", 0.15, decimals=2),
    ),
    mistakes="""
    rows-counted: you counted rows instead of numbers -> A row can hold right and wrong numbers; the question is about
        single numbers. -> Compare entry by entry, and count the entries that differ.
    blocks-counted: you answered yes or no for each block -> The question is how many numbers are wrong in a block, not
        whether any is. -> Compare entry by entry, and count the entries that differ.
    unrounded: you compared with `!=` before rounding -> In floating point, 0.2 times 0.8 plus 0.5 times 0.1 is
        0.21000000000000002. That is no error of the example. -> Round to two decimals first, and compare after
        rounding.
    all-scores: you count all 9 scores as wrong -> Either you took everything for wrong without comparing, or you
        compared with something else than plain dot products, for example with scores divided by the square root of 2.
        -> Compute one score by hand, and compare it with the printed one; then do so with all nine.
    scaled
    printed-weights: you mixed the values with the printed weights to judge the contexts -> Each block is to be judged
        by the right values, and the printed weights are not. -> Take the softmax of the scores, and mix X with that.
    sums-suffice: you passed the weights because they are positive and each row sums to 1 -> That makes them weights,
        but not the weights that softmax gives for these scores. -> Compute softmax of the scores, and compare the
        numbers.
    inside-suffices: you passed the contexts because they look like averages of the values -> Lying inside the hull is
        needed, but it does not make them the averages with these weights. -> Compute the averages from the right
        weights, and compare the numbers.
    """,
)
def audit_which(wrong=frozenset()):
    counts = {"scores": wrong_scores(wrong), "weights": wrong_weights(wrong), "contexts": wrong_contexts(wrong)}
    weights_off, contexts_off = farthest_off(wrong)
    return counts | {"weights_off": weights_off, "contexts_off": contexts_off}
