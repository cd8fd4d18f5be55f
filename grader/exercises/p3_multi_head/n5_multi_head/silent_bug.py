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
    neighbours: you dealt out whole words to the heads, two at a time -> A piece has ten numbers, but a word has six:
        the cuts go through the middle of words. -> Write the numbers of X in one line, and cut it after ten and after
        twenty.
    as-many-as-words: under "harmless" you give the number of words -> Then each head would hold one word alone, and no
        column of any other. -> When is there nothing to exchange?
    columns-of-a-head: under "harmless" you give the number of columns that a head has -> With two heads the cut goes
        through the middle of *her*. -> When is there nothing to exchange?
    columns-harmless: under "harmless" you give the number of columns -> Then each head would have one column, and a
        bare reshape fills it with the numbers of one word or two. -> When is there nothing to exchange?
    each-word-once: each word stands in one head only, and the head in which it begins does without it -> The cuts go
        through words: such a word has numbers on both sides. -> Write the numbers of X in one line, and cut it after
        ten and after twenty.
    larger-part: each word stands in one head only -> The cuts go through words: such a word has numbers on both sides,
        if fewer on one. -> Write the numbers of X in one line, and cut it after ten and after twenty.
    whole-words: only words that are whole stand in your lists -> The cuts go through words: such a word has numbers on
        both sides. -> Name every word that has a number in the head.
    back-to-front: your heads are in reverse order -> The first piece is head 0. -> Keep the order in which the pieces
        lie.
    counted-from-zero: all words are shifted by one -> The tens digit of a number is the word, counted from 1: the tens
        belong to *she*. -> Take one off before you look a word up in a list.
    one-word-each: you gave each head one word -> Five words cannot go to three heads like that; each head has ten
        numbers, and a word only six. -> Write the numbers of X in one line, and cut it after ten and after twenty.
    five-by-five: you cut the line into pieces of five -> Thirty numbers for three heads are ten each. -> Cut it after
        ten and after twenty.
    two-heads: you cut the line into two pieces -> There are three heads, with ten numbers each. -> Cut it after ten and
        after twenty.
    """,
)
def silent_bug(wrong=frozenset()):
    """The tokens whose numbers each head holds, and with how many heads the bug does no harm."""
    she, left, her, book, here = BUG_TOKENS
    cuts = [BUG_TOKENS[head * 10 // 6 : (head * 10 + 9) // 6 + 1] for head in range(3)]
    repeats = {
        name: [[BUG_TOKENS[place // 6] for place in range(head * 10, head * 10 + 10, step)] for head in range(3)]
        for name, step in (("every-number", 1), ("by-rows", 2))
    }
    slips = repeats | {
        "right-split": [BUG_TOKENS] * 3,
        "neighbours": [[she, left], [her, book], [here]],
        "each-word-once": [[she], [left, her], [book, here]],
        "larger-part": [[she, left], [her], [book, here]],
        "whole-words": [[she], [her], [here]],
        "back-to-front": cuts[::-1],
        "counted-from-zero": [[left, her], [her, book, here], [here]],
        "one-word-each": [[she], [left], [her]],
        "five-by-five": [[she], [she, left], [left, her]],
        "two-heads": [[she, left, her], [her, book, here], [she, left, her]],
    }
    values = {
        "how-many-harmless": 0,
        "heads-of-the-example": 3,
        "as-many-as-words": 5,
        "columns-of-a-head": 2,
        "columns-harmless": 6,
    }
    held = {f"head {head}": words for head, words in enumerate(slip(wrong, slips, cuts))}
    return held | {"harmless": slip(wrong, values, 1)}
