import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip


@values(
    points=2,
    task="say who supplies what in a translator's cross-attention, as a dict",
    entries=(
        Entry("queries", "where the queries come from", 0.2),
        Entry("keys", "where the keys come from", 0.2),
        Entry("values", "where the values come from", 0.2),
        Entry("weights", "the shape of the weights, in the form (2, 3)", 0.2),
        Entry("context", "the shape of the context, in the form (2, 3)", 0.2),
    ),
    mistakes="""
    swapped-sequences: encoder and decoder have changed places -> The encoder has read the whole source and knows it.
        The decoder writes, and has to ask. -> Queries belong to whoever asks; there is one row of weights for each of
        them.
    roles-swapped: encoder and decoder have changed places in the roles, not in the shapes -> The shapes say that five
        words ask and seven answer. Who has written five, and who has read seven? -> Queries belong to whoever asks.
    all-from-target: you described the decoder's self-attention -> There the decoder asks itself. Cross-attention is the
        one place where it hears the source. -> Keys and values come from the side that knows the source sentence.
    width-of-keys: you gave the context the width of the keys, d_k -> A context is an average of values. The keys only
        decide on the weights. -> Whose rows are added up in the last product?
    """,
)
def encoder_decoder(wrong=frozenset()):
    asks, answers = ("encoder", "decoder") if wrong & {"swapped-sequences", "roles-swapped"} else ("decoder", "encoder")
    if "all-from-target" in wrong:
        answers = asks
    return {
        "queries": asks,
        "keys": answers,
        "values": answers,
        "weights": np.array(slip(wrong, {"swapped-sequences": [7, 5], "all-from-target": [5, 5]}, [5, 7])),
        "context": np.array([7 if "swapped-sequences" in wrong else 5, 3 if "width-of-keys" in wrong else 11]),
    }
