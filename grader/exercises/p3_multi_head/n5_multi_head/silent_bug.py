from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

BUG_TOKENS = ["she", "left", "her", "book", "here"]


@values(
    points=2,
    task="say whose numbers the heads of a bare reshape hold, as a dict",
    entries=(
        Entry("head 0", "the words whose numbers are in head 0", 0.25),
        Entry("head 1", "the words whose numbers are in head 1", 0.25),
        Entry("head 2", "the words whose numbers are in head 2", 0.25),
        Entry("harmless", "the value of `num_heads` for which a bare reshape is right", 0.25),
    ),
    mistakes="""
    right-split: you described the right split, in which every head sees every word -> The bare reshape cuts the numbers
        as they lie, row by row. -> Write the numbers of X in one line, and cut it into three equal pieces.
    how-many-harmless: under "harmless" you say how many of the three heads are unharmed -> The question is for which
        value of `num_heads` a bare reshape is right. -> When is there nothing to exchange?
    heads-of-the-example: under "harmless" you give the number of heads of this example -> With three heads the numbers
        are mixed, as your lists show. -> When is there nothing to exchange?
    every-number: you list a word once for each of its numbers -> Whose numbers a head holds is asked for: each word
        once. -> Leave out what is repeated.
    by-rows: you list a word for each row of a head -> A row of two numbers belongs to one word here, but two or three
        rows belong to the same. -> Name each word once.
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
        words = BUG_TOKENS if "right-split" in wrong else BUG_TOKENS[first : last + 1]
        if wrong & {"every-number", "by-rows"}:
            step = 1 if "every-number" in wrong else 2
            words = [BUG_TOKENS[place // 6] for place in range(head * 10, head * 10 + 10, step)]
        held[f"head {head}"] = words
    slips = {"right-split": 5, "neighbours": 5, "how-many-harmless": 0, "heads-of-the-example": 3}
    return held | {"harmless": slip(wrong, slips, 1)}
