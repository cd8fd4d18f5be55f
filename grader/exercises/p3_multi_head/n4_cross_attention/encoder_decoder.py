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
    roles-from-target: you gave all three roles to the decoder -> There the decoder asks itself. Cross-attention is the
        one place where it hears the source. -> Keys and values come from the side that knows the source sentence.
    all-from-source: you described the encoder's self-attention -> There the source asks itself, and the words written
        so far are never read. -> Queries come from the side that writes, and has to ask.
    roles-from-source: you gave all three roles to the encoder -> There the source asks itself, and the words written so
        far are never read. -> Queries come from the side that writes, and has to ask.
    keys-from-target: you take the keys from the decoder -> Key and value of one word belong together: the key says
        where its value is found. -> Both come from the side that knows the answer.
    values-from-target: you take the values from the decoder -> Key and value of one word belong together: the value is
        what is found at its key. -> Both come from the side that knows the answer.
    target-and-source: you say target and source; the question is about encoder and decoder -> One of the two has read
        the source, the other writes the target. -> Type `"encoder"` or `"decoder"`.
    weights-turned: your weights have a row for each word that answers -> A row of weights belongs to whoever asks, a
        column to whoever answers. -> How many words ask?
    width-of-keys: you gave the context the width of the keys, d_k -> A context is an average of values. The keys only
        decide on the weights. -> Whose rows are added up in the last product?
    weights-of-widths: you gave the weights the widths d_k and d_v -> A weight belongs to a pair of words; how wide
        their vectors are is gone after the dot product. -> How many words ask, and how many answer?
    queries-for-weights: you gave the shape of the queries for that of the weights -> Queries have one row for each word
        and d_k columns; weights come after the product with the keys. -> How many words ask, and how many answer?
    keys-for-weights: you gave the shape of the keys for that of the weights -> Keys have one row for each word and d_k
        columns; weights come after the product with the queries. -> How many words ask, and how many answer?
    values-for-weights: you gave the shape of the values for that of the weights -> Values are mixed by the weights:
        each weight is one number for a pair of words. -> How many words ask, and how many answer?
    square-weights: you gave the weights as many columns as rows -> That is so where a sequence attends to itself. ->
        How many words ask, and how many answer?
    context-of-source: your context has one row for each word of the source -> Each word that asks gets one context. ->
        How many words ask?
    context-turned: you exchanged rows and columns of the context -> Each word that asks gets one row; the columns are
        the numbers of a value. -> Put the number of words first.
    weights-for-context: you gave the context the shape of the weights -> The weights are multiplied with the values:
        then the columns are the numbers of a value. -> Whose rows are added up in the last product?
    keys-for-context: your context has the shape of the keys -> A context is an average of values, one for each word
        that asks. -> How many words ask, and how wide is a value?
    """,
)
def encoder_decoder(wrong=frozenset()):
    """Who supplies what, with mistakes as switches."""
    from_decoder, from_encoder = ("decoder", "decoder", "decoder"), ("encoder", "encoder", "encoder")
    roles = {
        "swapped-sequences": ("encoder", "decoder", "decoder"),
        "roles-swapped": ("encoder", "decoder", "decoder"),
        "all-from-target": from_decoder,
        "roles-from-target": from_decoder,
        "all-from-source": from_encoder,
        "roles-from-source": from_encoder,
        "keys-from-target": ("decoder", "decoder", "encoder"),
        "values-from-target": ("decoder", "encoder", "decoder"),
        "target-and-source": ("target", "source", "source"),
    }
    weights = {
        "swapped-sequences": [7, 5],
        "all-from-target": [5, 5],
        "all-from-source": [7, 7],
        "weights-turned": [7, 5],
        "weights-of-widths": [3, 11],
        "queries-for-weights": [5, 3],
        "keys-for-weights": [7, 3],
        "values-for-weights": [7, 11],
        "square-weights": [5, 5],
    }
    context = {
        "swapped-sequences": [7, 11],
        "all-from-source": [7, 11],
        "width-of-keys": [5, 3],
        "context-of-source": [7, 11],
        "context-turned": [11, 5],
        "weights-for-context": [5, 7],
        "keys-for-context": [7, 3],
    }
    queries, keys, values_ = slip(wrong, roles, ("decoder", "encoder", "encoder"))
    return {
        "queries": queries,
        "keys": keys,
        "values": values_,
        "weights": np.array(slip(wrong, weights, [5, 7])),
        "context": np.array(slip(wrong, context, [5, 11])),
    }
