import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

BANK, SMALL, RIVER, MONEY = (np.array(vector) for vector in ([1.0, 1.0], [0.0, 0.0], [3.0, 0.0], [0.0, 3.0]))
#: The two sentences, and who asks where the wrong word does.
SENTENCES = {
    "river": (np.stack([BANK, SMALL, SMALL, RIVER]), RIVER),
    "money": (np.stack([MONEY, SMALL, SMALL, BANK]), MONEY),
}


def in_context(X, other, wrong):
    """What *bank* becomes in a sentence of tokens X."""
    scores = X @ (other if "neighbour-asks" in wrong else BANK)
    powers = np.exp(scores)
    weights = powers / powers.sum()
    slips = {
        "uniform": X.mean(axis=0),
        "plain-sum": X.sum(axis=0),
        "ratio": scores / scores.sum() @ X,
        "raw-scores": scores @ X,
        "not-normalised": powers @ X,
        "best-only": X[weights.argmax()],
        "averaged-again": weights @ X / len(X),
        "itself-left-out": weights[(X != BANK).any(axis=1)] @ X[(X != BANK).any(axis=1)],
        "shares-returned": weights,
        "scores-returned": scores,
        "shares-twice": np.exp(weights) @ X / np.exp(weights).sum(),
        "unmoved": BANK,
        "added-to-bank": BANK + weights @ X,
        "how-far": weights @ X - BANK,
        "two-decimals": (weights @ X).round(2),
    }
    return slip(wrong, slips, weights @ X)


@values(
    points=2,
    task="give the context of bank in both sentences",
    entries=(
        Entry("river", 'bank in "bank of the river"', 0.5),
        Entry("money", 'bank in "money in the bank"', 0.5),
    ),
    mistakes="""
    swapped: the two sentences have changed places -> Near the river, *bank* should end up with more water than money.
        -> `"river"` belongs to the first sentence, `"money"` to the second.
    first-only: both contexts are those of the first sentence -> The same word in another company is another vector. ->
        Use `money_sentence` for the second.
    second-only: both contexts are those of the second sentence -> The same word in another company is another vector.
        -> Use `river_sentence` for the first.
    shares-of-the-first: you blend both sentences with the shares of the first -> Shares belong to a sentence: its
        tokens have scored them. -> Score, shares, blend: all three anew for the second sentence.
    shares-of-the-second: you blend both sentences with the shares of the second -> Shares belong to a sentence: its
        tokens have scored them. -> Score, shares, blend: all three anew for the first sentence.
    shares-exchanged: you blend each sentence with the shares of the other -> Shares belong to a sentence: its tokens
        have scored them. -> Score, shares, blend: all three with the same sentence.
    the-other-blended: you score one sentence and blend the other -> Shares belong to a sentence: its tokens have scored
        them. -> Score, shares, blend: all three with the same sentence.
    neighbour-asks: the wrong token asks -> These are the contexts of *river* and of *money*. -> It is `bank` that asks,
        in both sentences.
    first-asks: in each sentence its *first* token asks -> In the second sentence that is *money*. -> It is `bank` that
        asks, in both sentences.
    last-asks: in each sentence its *last* token asks -> In the first sentence that is *river*. -> It is `bank` that
        asks, in both sentences.
    shares-twice: you take `shares` twice -> What it returns are shares already; a second time makes them nearly equal.
        -> Score, shares, blend: each once.
    uniform: you took the plain mean of each sentence -> The mean does not know who asks. -> Score, shares, blend, with
        `bank` as the one who asks.
    plain-sum: you added the tokens up without any weights -> Then *of* counts as much as *river*. -> Score, shares,
        blend.
    ratio: you divided the scores by their sum instead of taking `shares` -> Without the exponential a score of 0 gets
        no share at all, and a negative one less than none. -> Put your `shares` between the two.
    raw-scores: you blended with the scores, without `shares` -> Scores do not sum to 1, and the result is far too long.
        -> Put your `shares` between the two.
    not-normalised: your shares do not sum to 1 -> The result is far too long. -> Check `shares` first: each power
        belongs over the sum of all.
    best-only: you give the token with the largest share -> The others have their share too. -> Blend them all.
    averaged-again: you divided by the number of tokens as well -> The shares sum to 1 already. -> Blend, and leave it
        at that.
    itself-left-out: *bank* itself is missing -> A token is among those that answer, and here it has a quarter of the
        whole. -> Blend all four rows.
    shares-returned: you give the four shares -> They say how much of each token to take. -> Blend the rows in these
        shares: two numbers are left.
    scores-returned: you give the four scores -> They are the first step. -> Shares and blend are still to come: two
        numbers are left.
    unmoved: you give *bank* as it was before -> It has not yet heard its sentence. -> Score, shares, blend.
    added-to-bank: you add *bank* to what it hears -> It has asked itself as well: its own share is in the blend. ->
        Score, shares, blend, and leave it at that.
    how-far: you give how far *bank* has moved, not where it is now -> The blend itself is the new vector. -> Take
        nothing off.
    two-decimals: your numbers are right, but rounded to two decimals -> The check compares three. -> Let your functions
        compute them, and give what they return.
    """,
)
def bank_moves(wrong=frozenset()):
    """*bank* in both sentences."""
    found = {name: in_context(X, other, wrong) for name, (X, other) in SENTENCES.items()}
    river, money = found.values()
    of_first, of_second = (in_context(X, BANK, {"shares-returned"}) for X, _ in SENTENCES.values())
    slips = {
        "shares-of-the-first": (river, of_first @ SENTENCES["money"][0]),
        "shares-of-the-second": (of_second @ SENTENCES["river"][0], money),
        "shares-exchanged": (of_second @ SENTENCES["river"][0], of_first @ SENTENCES["money"][0]),
        "the-other-blended": (of_first @ SENTENCES["money"][0], of_second @ SENTENCES["river"][0]),
        "first-asks": (river, in_context(SENTENCES["money"][0], MONEY, {"neighbour-asks"})),
        "last-asks": (in_context(SENTENCES["river"][0], RIVER, {"neighbour-asks"}), money),
        "swapped": (money, river),
        "first-only": (river, river),
        "second-only": (money, money),
    }
    return dict(zip(found, slip(wrong, slips, (river, money)), strict=True))
