from grader.exercises.kinds import Entry, values

BUG_TOKENS = ["she", "left", "her", "book", "here"]


@values(
    points=2,
    task="say whose numbers the heads of a bare reshape hold, as a dict",
    entries=(
        Entry("head 0", "the words whose numbers are in head 0", 0.25),
        Entry("head 1", "the words whose numbers are in head 1", 0.25),
        Entry("head 2", "the words whose numbers are in head 2", 0.25),
        Entry("harmless", "the number of heads with which the bug does no harm", 0.25),
    ),
    mistakes="""
    right-split: you described the right split, in which every head sees every word -> The bare reshape cuts the numbers
        as they lie, row by row. -> Write the numbers of X in one line, and cut it into three equal pieces.
    neighbours: you gave each head two whole words -> A piece has ten numbers, but a word has six: the cuts go through
        the middle of words. -> Write the numbers of X in one line, and cut it after ten and after twenty.
    """,
)
def silent_bug(wrong=frozenset()):
    """The tokens whose numbers each head holds, and with how many heads the bug does no harm."""
    held = {}
    for head in range(3):
        first, last = head * 10 // 6, (head * 10 + 9) // 6
        if "neighbours" in wrong:
            first, last = 2 * head, min(2 * head + 1, 4)
        held[f"head {head}"] = BUG_TOKENS if "right-split" in wrong else BUG_TOKENS[first : last + 1]
    return held | {"harmless": 5 if wrong & {"right-split", "neighbours"} else 1}
