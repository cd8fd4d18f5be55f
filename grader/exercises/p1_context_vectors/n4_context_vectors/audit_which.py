import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.p1_context_vectors.n4_context_vectors import shared
from grader.exercises.stages import score, slip, weigh


def right_weights(wrong=frozenset()):
    """The weights that follow from the scores of the published example."""
    return weigh(score(shared.AUDIT_X, shared.AUDIT_X, wrong), wrong)


def wrong_numbers(printed, right, wrong):
    """How many printed numbers differ from the right ones at two decimals; or rows, or blocks."""
    if wrong & {"tolerance", "wide-tolerance"}:
        return int((np.abs(right - printed) > (0.05 if "tolerance" in wrong else 0.1)).sum())
    if "right-counted" in wrong:
        return int(np.isclose(right.round(2), printed).sum())
    differ = right != printed if "unrounded" in wrong else ~np.isclose(right.round(2), printed)
    if "rows-counted" in wrong:
        differ = differ.any(axis=1)
    return int(differ.any()) if "blocks-counted" in wrong else int(differ.sum())


def wrong_scores(wrong=frozenset()):
    """How many of the published scores are wrong."""
    counts = {"one-score": 1, "two-scores": 2, "all-scores": shared.PUBLISHED_SCORES.size}
    if counted := slip(wrong, counts, 0):
        return counted
    # Element by element: a matrix product may add up in another way on another processor.
    products = np.array([[float(a[0] * b[0] + a[1] * b[1]) for b in shared.AUDIT_X] for a in shared.AUDIT_X])
    return wrong_numbers(shared.PUBLISHED_SCORES, products, wrong)


def wrong_weights(wrong=frozenset()):
    """How many of the published weights are wrong."""
    counts = {"sums-suffice": 0, "weight-missed": 8, "largest-only": 3}
    return slip(wrong, counts, wrong_numbers(shared.PUBLISHED_WEIGHTS, right_weights(), wrong))


def wrong_contexts(wrong=frozenset()):
    """How many of the published contexts' numbers are wrong."""
    counts = {"inside-suffices": 0, "context-missed": 5, "contexts-missed": 4, "contexts-of-nine": 9}
    right = right_weights() @ shared.AUDIT_X
    return slip(wrong, counts, wrong_numbers(shared.PUBLISHED_CONTEXTS, right, wrong))


def farthest_off(wrong=frozenset()):
    """The largest differences between printed and right numbers, of the weights and of the contexts."""
    weights = right_weights(wrong & {"scaled", "columns"})
    used = shared.PUBLISHED_WEIGHTS if "printed-weights" in wrong else weights
    relative = "relative-error" in wrong
    slips = {
        "sign-kept": lambda off: (-off).max(),
        "sum-of-errors": lambda off: np.abs(off).sum(),
        "mean-error": lambda off: np.abs(off).mean(),
    }
    found = [
        float(slip(wrong, slips, lambda off: np.abs(off).max())((printed - right) / (right if relative else 1)))
        for printed, right in ((shared.PUBLISHED_WEIGHTS, weights), (shared.PUBLISHED_CONTEXTS, used @ shared.AUDIT_X))
    ]
    return found[::-1] if "exchanged" in wrong else found


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
    right-counted: you counted the numbers that are right -> The question is how many are *wrong*. -> Take your counts
        from all there are: 9, 9 and 6.
    tolerance: you let pass what is not farther off than 0.05 -> A printed number is wrong if the right one, rounded to
        two decimals, is another: half a hundredth is all it may differ. -> Round to two decimals, and compare.
    wide-tolerance: you let pass what is not farther off than 0.1 -> A printed number is wrong if the right one, rounded
        to two decimals, is another: half a hundredth is all it may differ. -> Round to two decimals, and compare.
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
    scaled: you divided the scores by the square root of 2 -> That is the convention of Part 3; this example uses plain
        dot products. -> Leave the division out.
    columns: softmax ran down the columns of the scores -> The counts are the same, but in each row the weights of one
        query have to sum to 1. -> Take the softmax of each row; yours of Part 1 does.
    printed-weights: you mixed the values with the printed weights to judge the contexts -> Each block is to be judged
        by the right values, and the printed weights are not. -> Take the softmax of the scores, and mix X with that.
    sums-suffice: you passed the weights because they are positive and each row sums to 1 -> That makes them weights,
        but not the weights that softmax gives for these scores. -> Compute softmax of the scores, and compare the
        numbers.
    one-score: you found one wrong score -> Rounded to two decimals, each dot product is the printed number. ->
        Calculate the one that you doubt by hand: two products and their sum.
    two-scores: you found two wrong scores -> Rounded to two decimals, each dot product is the printed number. In
        floating point a right score may end in a stray digit. -> Round both to two decimals before you compare.
    largest-only: you count one wrong weight in each row -> The largest one is too large, and where one weight takes too
        much, others get too little. -> Compare all nine.
    weight-missed: one wrong weight escaped you -> It is nearest to what is printed, but differs at the second decimal.
        -> Compare the rounded numbers one by one.
    context-missed: one wrong number among the contexts escaped you -> It is nearest to what is printed, or follows from
        a printed weight; but each block is judged by the right values. -> Compare the rounded numbers one by one.
    contexts-missed: two wrong numbers among the contexts escaped you -> Each block is judged by the right values, and
        to two decimals. -> Compare the rounded numbers of all three rows one by one.
    contexts-of-nine: you count 9 wrong numbers in the contexts, where there are only 6 -> Three contexts with two
        numbers each. -> Count again.
    exchanged: the two largest differences have changed places -> One is of the weights, the other of the contexts. ->
        Read the keys of the dict once more.
    sum-of-errors: you give the sum of the differences, not the largest -> The question is about the worst number. ->
        Take the largest of the differences.
    relative-error: you give the largest difference divided by the right number -> How far off a number is, is the
        difference itself. -> Leave out the division.
    sign-kept: you took the largest difference of some numbers only -> A number that is too small is off as well as one
        that is too large, and no row speaks for the others. -> Take the differences of all numbers, without their signs
        (`np.abs`), and then the largest.
    mean-error: you give the mean of the differences, not the largest -> The question is about the worst number. -> Take
        the largest of the differences.
    inside-suffices: you passed the contexts because they look like averages of the values -> Lying inside the hull is
        needed, but it does not make them the averages with these weights. -> Compute the averages from the right
        weights, and compare the numbers.
    """,
)
def audit_which(wrong=frozenset()):
    counts = {"scores": wrong_scores(wrong), "weights": wrong_weights(wrong), "contexts": wrong_contexts(wrong)}
    weights_off, contexts_off = farthest_off(wrong)
    return counts | {"weights_off": weights_off, "contexts_off": contexts_off}
