from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

TRUE_CLAIMS = ["a", "d", "f"]


@values(
    points=2,
    task="list the letters of the claims that are true",
    entries=(Entry("", "the true claims", among=tuple("abcdef")),),
    mistakes="""
    one-text: you gave the letters as one text -> A list with one text in it is no list of letters. -> Put each letter
        in its own quotation marks, with commas between them.
    smaller: you believe that the projection must be smaller than the embedding -> It usually is, where several heads
        share the width; but no formula asks for it. -> Try a W_q with more columns than rows: does anything fail?
    order: you believe that self-attention itself knows the order of the words -> The output has its rows in the order
        of the input, but unless the embedding says it, no row can tell where it stood. -> Shuffle the rows of X, and
        compare the context vectors.
    copies-differ: you believe that two tokens with the same embedding get different context vectors -> A query, a key
        and a value are made of the embedding and of nothing else. Equal ones look at the same tokens with the same
        weights. -> Read the second experiment again.
    unique: you believe that no two tokens of a sentence get the same context vector -> A context vector is computed
        from the token's embedding and from the set of all tokens, nothing else. -> Put the same token into X twice, and
        compare its two context vectors.
    the-false-ones: you listed the false claims -> The true ones are asked for. -> Give the other letters.
    """,
)
def true_claims(wrong=frozenset()):
    """The letters of the true claims, with mistakes as switches."""
    letters = set(TRUE_CLAIMS)
    if "copies-differ" in wrong:
        letters = letters - {"a"} | {"e"}
    letters |= slip(wrong, {"smaller": {"b"}, "order": {"c"}, "unique": {"e"}}, set())
    if "the-false-ones" in wrong:
        letters = set("abcdef") - letters
    return ["".join(sorted(letters))] if "one-text" in wrong else sorted(letters)
