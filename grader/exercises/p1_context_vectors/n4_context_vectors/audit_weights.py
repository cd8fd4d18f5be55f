from grader.exercises.kinds import Entry, values
from grader.exercises.p1_context_vectors.n4_context_vectors import shared
from grader.exercises.stages import score, weigh


def audit_contexts_model(wrong=frozenset()):
    """The right contexts of the published example, and how one can miss them."""
    if "published" in wrong:
        return shared.PUBLISHED_CONTEXTS
    if wrong & {"implied-as-right", "exchanged"}:
        return implied_contexts_model()
    if "raw-scores" in wrong:
        return shared.PUBLISHED_SCORES @ shared.AUDIT_X
    weights = audit_weights(wrong & {"scaled"})
    context = (weights.T if "weights-transposed" in wrong else weights) @ shared.AUDIT_X
    return context.round(2) if wrong & {"two-decimals", "right-two-decimals"} else context


def implied_contexts_model(wrong=frozenset()):
    """The contexts that follow from the published weights."""
    if wrong & {"right-as-implied", "exchanged"}:
        return audit_contexts_model()
    if "published-as-implied" in wrong:
        return shared.PUBLISHED_CONTEXTS
    if "softmax-again" in wrong:
        return weigh(shared.PUBLISHED_WEIGHTS, set()) @ shared.AUDIT_X
    context = (
        shared.PUBLISHED_WEIGHTS.T if "weights-transposed" in wrong else shared.PUBLISHED_WEIGHTS
    ) @ shared.AUDIT_X
    return context.round(2) if wrong & {"two-decimals", "implied-two-decimals"} else context


@values(
    points=2,
    task="give the right 3 x 3 weights",
    entries=(Entry("", "the weights, one row a query, to three decimals or more"),),
    mistakes="""
    published: these are the printed weights -> They do not follow from the scores. -> Apply softmax to each row of
        scores.
    scores-returned: these are the scores, not the weights -> The rows of the scores do not sum to 1. One stage is
        missing. -> Apply softmax to each row.
    columns: your columns sum to 1, and not your rows -> Softmax ran down the columns, or its sums lost an axis; the
        scores are symmetric, so both give the same. -> Divide each row by its own sum: `axis=-1`, with
        `keepdims=True`.
    softmax-again: you took the softmax of the weights -> One softmax makes weights of scores; a second one makes them
        nearly equal. -> Apply it once, to the scores.
    whole-matrix
    ratio: you divided each row of scores by its sum -> The rows sum to 1, but these are not softmax weights: the
        exponential is missing. -> Exponentiate before you divide.
    not-normalised
    best-only: each row has a single 1, at its highest score -> That is softmax at temperature 0. Here the temperature
        is 1. -> Use softmax, not the position of the largest score.
    scaled
    cosine: you scored with the cosine -> The printed scores are dot products, and they are right. -> Apply softmax to
        the printed scores.
    cold: you divided the scores by a temperature -> That reproduces part of the printed numbers. The right weights are
        at temperature 1. -> Apply softmax to the scores as they are.
    two-decimals
    """,
)
def audit_weights(wrong=frozenset()):
    """The right weights of the published example, and how one can miss them."""
    if "published" in wrong:
        return shared.PUBLISHED_WEIGHTS
    scores = score(shared.AUDIT_X, shared.AUDIT_X, wrong)
    if "scores-returned" in wrong:
        return scores
    weights = weigh(scores, wrong, by=0.4 if "cold" in wrong else 1.0)
    if "softmax-again" in wrong:
        return weigh(weights, set())
    return weights.round(2) if "two-decimals" in wrong else weights
