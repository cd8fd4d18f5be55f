import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.p1_context_vectors.n4_context_vectors.audit_weights import (
    audit_contexts_model,
    implied_contexts_model,
)
from grader.exercises.p1_context_vectors.n4_context_vectors.shared import PUBLISHED_CONTEXTS
from grader.exercises.stages import slip


def followers_model(wrong=frozenset()):
    """How many published contexts agree with those that the published weights give, to two decimals."""
    implied = implied_contexts_model()
    rounded = np.floor(implied * 100) / 100 if "cut-off" in wrong else implied.round(2)
    agree = np.isclose(rounded, PUBLISHED_CONTEXTS).all(axis=1)
    counts = {"sound": len(agree), "near-enough": 2}
    return slip(wrong, counts, int(agree.sum()))


@values(
    points=2,
    task="give the right contexts, those that the printed weights imply, and how many printed ones follow",
    entries=(
        Entry("right", "the right contexts, 3 x 2", 0.5),
        Entry("implied", "the contexts that follow from the printed weights, 3 x 2", 0.4),
        Entry("follow", "how many printed contexts follow from the printed weights", 0.1),
    ),
    mistakes="""
    published: you typed the printed contexts as the right ones -> They follow from neither the right weights nor the
        printed ones. -> Multiply the right weights by X.
    implied-as-right: you used the printed weights for both -> The right contexts need the right weights, those of the
        exercise before. -> Mix X with your `audit_weights`.
    right-as-implied: you used the right weights for both -> The second question is what the printed weights would give,
        although they are wrong. -> Mix X with the printed weights.
    published-as-implied: what you give as implied are the printed contexts -> Whether they follow from the printed
        weights is the question. -> Mix X with the printed weights, and compare afterwards.
    softmax-again: for the implied contexts you put the printed weights through a softmax -> They are weights already:
        positive, with rows that sum to 1. -> Mix X with them as they are.
    exchanged: the two arrays have changed places -> What stands under `right` follows from the printed weights, and the
        other way round. -> Exchange the entries `right` and `implied`.
    raw-scores
    weights-transposed: you transposed the weights -> Row i of the weights belongs to query i. The matrices are square,
        so nothing complains. -> Multiply weights by X as they are.
    scaled
    sound: you say that all three printed contexts follow from the printed weights -> Rounded to two decimals, the
        implied contexts differ from the printed ones. -> Round your implied contexts to two decimals, and count the
        rows that agree in both numbers, not those that differ.
    near-enough: you say that two printed contexts follow from the printed weights -> Both come near, but to follow they
        must agree when rounded to two decimals. -> Round, and compare without any tolerance.
    cut-off: you say that one printed context follows -> It comes near: 0.577 and 0.356 agree with it if their digits
        are cut off, or a tolerance of 0.01 is allowed. But 0.577 rounds to 0.58, not to 0.57. -> Round the implied
        contexts with `round(2)`, and compare again.
    two-decimals
    right-two-decimals: the right contexts are right, but rounded to two decimals -> The check compares three. -> Give
        the array as it is computed, without rounding.
    implied-two-decimals: the implied contexts are right, but rounded to two decimals -> Rounding belongs to the
        comparison with the printed ones. The check compares three decimals. -> Round a copy for counting, and give the
        array as it is computed.
    """,
)
def audit_contexts(wrong=frozenset()):
    return {
        "right": audit_contexts_model(wrong),
        "implied": implied_contexts_model(wrong),
        "follow": followers_model(wrong),
    }
