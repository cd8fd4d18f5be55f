import math

import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p5_whole_models.n3_a_whole_transformer import shared
from grader.exercises.stages import number, slip


def texts(*lengths):
    """Sentences of so many words, no two alike."""

    def drawn(rng):
        while True:
            made = [shared.drawn(rng, length) for length in lengths]
            if len(set(made)) == len(made):
                return {"texts": made}

    return drawn


def one_comes_twice(rng):
    one, other = texts(3, 4)(rng)["texts"]
    return {"texts": [one, other, one]}


def long_words(rng):
    """The text with the most letters is not the one with the most words."""
    few, many = (
        ["the international organization", "the beautiful international government"],
        ["he is in a car", "i am at it now"],
    )
    return {"texts": [str(rng.choice(few)), str(rng.choice(many))]}


def neighbours_change_nothing(call, rng):
    one, other, long = shared.drawn(rng, 3), shared.drawn(rng, 4), shared.drawn(rng)
    gap = np.abs(call([one, other])[0] - call([one, long])[0]).max()
    return None if gap < 1e-5 else f"beside a longer sentence a vector is another by up to {gap:.2g}"


def rows_have_length_one(call, rng):
    lengths = np.linalg.norm(call([shared.drawn(rng, 2), shared.drawn(rng, 5)]), axis=-1)
    worst = lengths[np.abs(lengths - 1).argmax()]
    return None if abs(worst - 1) < 1e-3 else f"a row has the length {worst:.4g}"


def the_last_word_counts(call, rng):
    """Whoever gives each sentence the same number of rows loses the end of a long one."""
    words = " ".join(shared.drawn(np.random.default_rng(seed)) for seed in range(8)).split()
    words = sorted(words, key=len)[:69]  # whoever counts letters needs time for each
    one, other = call([" ".join([*words, last]) for last in rng.choice(shared.WHAT, size=2, replace=False)])
    gap = np.abs(one - other).max()
    if np.isnan(gap):
        return "the vector of a sentence of 70 words holds NaN"
    if gap > 1e-6:
        return None
    return "two sentences of 70 words that differ in their last word only get the same vector: its row does not count"


@function(
    points=3,
    returns="vectors",
    seen=shared.single,
    changes_input=True,
    effort=2.0,  # its model is what is remembered of the whole encoder, if that has run so before
    budget=1_800,
    cases=(
        Case("two sentences of different lengths, the longer one first", texts(5, 2), 0.2),
        Case("three sentences, the longest first", texts(7, 3, 5), 0.125),
        Case("a text that comes twice", one_comes_twice, 0.025),
        Case("few long words beside many short ones", long_words, 0.05),
        Case("as many sentences as the longest has tokens", texts(2, 3, 1, 2, 3), 0.1),
        Case("a single sentence", texts(4), 0.05),
        Case("the example of the task", example(texts=["the cat sat", "the dog chased the cat"]), 0.05),
        Case(
            "with capital letters and signs between words",
            lambda rng: {"texts": [shared.written(rng), "He ran - to  her."]},
            0.05,
        ),
    ),
    properties=(
        Property("a sentence's vector does not depend on its neighbours", neighbours_change_nothing, 0.15),
        Property("each row has the length 1", rows_have_length_one, 0.05),
        Property("the last word of a long sentence counts", the_last_word_counts, 0.05),
    ),
    # The first of them are tried in pairs with all others: likely ones that cost little, since the layers have run.
    mistakes="""
    not-unit
    padding-counted: the rows of padding count in the mean -> A block writes something into them too: its biases alone
        see to that. The mask keeps others from hearing them; it does not take them out of a mean. -> Average the first
        rows of each sentence, as many as it has tokens.
    mask-ignored: the mask has no effect -> If it is not handed on, or if it is True everywhere (one length for all),
        every token hears the padding. -> A mask of shape (batch, 1, n), for every block.
    padding-ignored: padding is heard, and counts in the mean: neither the mask nor the mean knows where a sentence ends
        -> Then a sentence has another vector beside a longer one. -> Give every block a mask, and average the real rows
        of each sentence only.
    specials-left-out
    cls-only
    words-averaged: the last two tokens of each sentence are missing from the mean: `[CLS]` and `[SEP]` are not counted
        in it -> They are tokens like the others, and have heard all of them. -> The mean over all rows that
        `encoder_input` gives.
    sep-only
    mask-too-short: in your mask `[CLS]` and `[SEP]` are not counted as tokens -> Then nobody hears the last two tokens
        of a sentence. -> Take the lengths of what `encoder_input` gives.
    lengths-too-short: `[CLS]` and `[SEP]` are not counted as tokens -> Then the last two tokens of each sentence fall
        to the padding. -> Take the lengths of what `encoder_input` gives.
    zeroed: you set the rows of padding to 0 after each block, and give no mask -> A key of zeros still has a score, and
        its share of the weights. -> Only a mask keeps it from being heard.
    padded-with-the: shorter sentences are filled up with the word "the" -> A word says something; and the mask hides
        `[SEP]`, which `encoder_input` puts behind it. -> Pad what `encoder_input` gives, with rows of zeros.
    padded-with-unk: shorter sentences are filled up with `[UNK]` -> That stands for a word which nobody knows, and says
        something; and the mask hides `[SEP]`, which `encoder_input` puts behind it. -> Pad what `encoder_input` gives,
        with rows of zeros.
    padded-with-last: shorter sentences are filled up with their last word -> Said again it says something; and the mask
        hides `[SEP]`, which `encoder_input` puts behind it. -> Pad what `encoder_input` gives, with rows of zeros.
    last-row-heard: shorter sentences are filled up with their last row, and their own words hear it -> A row that comes
        several times gets several weights, whatever it holds. -> The padding mask, in every layer: then it does not
        matter what lies there.
    last-row-heard-and-counted: shorter sentences are filled up with their last row, which is heard and counts in the
        mean -> A row that comes several times gets several weights, in the attention and in the mean. -> The padding
        mask, in every layer; and the mean of each sentence's own rows.
    divided-by-longest: the sum of each sentence is divided by the length of the longest, and what you return has not
        the length 1 -> A mean divides by how many rows were added up. -> By each sentence's own length; and by the
        length of the vector, at the end.
    first-length-for-all: your mask has the length of the first sentence for all -> In a longer one the rest is not
        heard, in a shorter one the padding is. -> A list with the length of each.
    unit-rows-first
    mask-on-queries: the mask forbids queries, not keys -> With the shape (batch, n, 1) the rows of padding hear
        nothing, but every token hears them. -> A mask of shape (batch, 1, n): the last axis counts keys.
    mask-inverted: the mask is turned round: tokens hear the padding only -> True means: may attend. -> True where a
        token is real.
    mask-one-short: in your mask the last token of each sentence is not counted -> Then nobody hears its `[SEP]`. ->
        Take the lengths of what `encoder_input` gives.
    pads-heard: the padding is written as words, and is heard and counted like them -> Then a sentence has another
        vector beside a longer one. -> Pad what `encoder_input` gives, mask it, and average the real rows only.
    mean-cut-to-shortest: of every sentence only as many rows count in the mean as the shortest has -> What is cut off
        is lost. -> Average the first rows of each sentence, as many as it has tokens.
    padded-as-words: the padding stands before `[SEP]` -> If you pad the words, `encoder_input` puts `[SEP]` behind the
        padding, and the mask hides it. -> Pad what `encoder_input` gives.
    front-unseen: the padding stands in front, and both the mask and the mean take the first rows -> Then the padding is
        heard and counted, and the end of a sentence is not. -> Rows of padding behind the real ones; or the mask and
        the mean from the end.
    front-in-the-mean: the padding stands in front, and the mean takes the first rows -> There lies the padding. ->
        Average the rows that your mask lets through.
    front-in-the-mask: the padding stands in front, and the mask lets the first rows through -> There lies the padding.
        -> The mask has to be True where the real rows lie.
    filled-with-nan: what fills the shorter sentences up is NaN -> A weight of 0 times NaN is NaN: no mask keeps it out.
        -> Fill up with zeros.
    cut-to-shortest: every sentence is cut to the shortest -> What is cut off is lost. -> Pad the shorter ones up to the
        longest.
    words-cut=: every sentence is cut to the same number of words -> Longer ones lose their end. -> As many rows as the
        longest of the texts needs.
    rows-cut-at=: every sentence is cut to the same number of rows -> Longer ones lose their end, and `[SEP]` first. ->
        As many rows as the longest of the texts needs.
    order-changed: the vectors come in the order of the lengths -> Whoever reads the result cannot know whose row is
        whose. -> Put them back into the order in which the texts came.
    order-twice: you put the rows back with the order that you sorted by -> That sorts them once more. -> Its inverse:
        `back[order] = rows`, or `rows[np.argsort(order)]`.
    repeats-dropped: of a text that comes twice you return one row -> A dict, and a set, holds each key once. -> One row
        for each text, in their order.
    room-by-letters: your batch is as long as the text that has the most letters -> Few long words have more letters
        than many short ones, and fewer rows. -> The largest of the numbers of rows.
    lengths-one-short: the last token of each sentence is neither heard nor counted in the mean -> The lengths are too
        small by 1. -> Take the lengths of what `encoder_input` gives.
    order-by-letters: the vectors come in the order of the texts' lengths, counted in letters -> Whoever reads the
        result cannot know whose row is whose. -> Put them back into the order in which the texts came.
    columns-unit: you divide each column by its length, not each row -> Axis 0 runs over the sentences. -> `axis=-1,
        keepdims=True`, or `unit_rows`.
    masked-first: only the first layer has the mask -> In each of the others tokens hear the padding. -> Hand it to
        every block.
    masked-last: only the last layer has the mask -> In each of the others tokens have heard the padding. -> Hand it to
        every block.
    whole-numbers: your batch holds whole numbers: what stands behind the point is cut off -> An array keeps the kind of
        numbers that it was made for (`dtype=int`, or zeros like a list of whole numbers). -> `np.zeros` without a dtype
        holds floats.
    rows-cut: the rows of every sentence are cut to the shortest -> What is cut off is lost, `[SEP]` first. -> Pad the
        shorter ones up to the longest.
    whole-matrix-unit: you divide the whole matrix by one length -> Then its rows have not the length 1, and their
        lengths depend on each other. -> `axis=-1, keepdims=True`, or `unit_rows`.
    padding-summed: the rows of padding are in your sum, and what you return has not the length 1 -> A block writes
        something into them too; the mask keeps others from hearing them, but does not take them out of a sum. -> Add
        up the real rows only; and divide by the length of the vector, at the end.
    one-mean-repeated: one mean over the real rows of all sentences stands in every row -> Choosing from a batch with a
        mask of two axes, as in `B[mask]`, lays the rows of all sentences behind each other. -> Each sentence by
        itself: `B[i][mask[i]]`.
    one-mean-for-all: your mean runs over all sentences -> Each sentence is to have a vector of its own. -> Average over
        the tokens: axis 1.
    mean-over-the-texts: your mean runs over the texts: one row for each place, not for each text -> In a batch, axis 0
        counts the texts, and axis 1 their tokens. -> For each text the mean over its own tokens: axis 0 of `X[i]`.
    cls-left-out
    sep-left-out
    largest
    median
    tanh-of-cls
    unit-rows-averaged
    causal
    path-added-twice
    attention-only
    layers-twice
    five-layers
    first-layer-left-out
    first-layer-only
    last-layer-only
    first-layer-six-times
    no-layers
    pre-norm
    one-head
    lengths-by-spaces: your lengths count what stands between blanks -> A dash by itself is no token: where one is
        written, padding is heard and counted. -> Take the lengths of what `encoder_input` gives.
    mean-by-spaces: how many rows you average counts what stands between blanks -> A dash by itself is no token: where
        one is written, padding is counted. -> Take the lengths of what `encoder_input` gives.
    split-by-spaces
    words-once
    words-sorted
    words-sorted-once
    one-row-too-many: the mean of each sentence takes one row too many: of padding, where there is some -> Row n is the
        one behind the last of n. -> `[:n]` holds n rows.
    vectors-are-columns: your sentences are columns -> Row i is to be text i: (len(texts), 384). -> Turn it round, or
        leave a `.T` out.
    in-one-row: your vectors stand one behind the other in a single row of numbers -> `ravel` does so, and `np.append`
        without an axis. -> A list of vectors, and `np.array` of it.
    mean-of-everything: your mean runs over both axes: of each sentence one number is left -> Divided by its own length
        it is 1 or -1. -> The mean over the tokens: axis 0 of a sentence's rows.
    mean-of-everything-filled: your mean runs over both axes, and one number fills the whole row of a sentence ->
        Divided by its own length it is 1 or -1. -> The mean over the tokens: axis 0 of a sentence's rows.
    zeros-of-ints: your result holds whole numbers: what stands behind the point is cut off, and 0 is left -> An array
        keeps the kind of numbers that it was made for (`dtype=int`). -> `np.zeros` without a dtype holds floats.
    averaged-before-the-layers: you average before the layers run -> Then there is one row, and nobody whom it could
        hear. -> All rows through the layers, and then the mean.
    in-a-row: all sentences run as one sequence -> Then each hears the others. -> A batch has an axis of its own for
        them: (len(texts), n, 384).
    last-length-in-the-mean: of every sentence as many rows count in the mean as the last one has -> A variable that is
        left over from a loop keeps its last value. -> Each sentence by its own length.
    first-length-in-the-mean: of every sentence as many rows count in the mean as the first one has -> Of a shorter one
        the padding counts, of a longer one the end does not. -> Each sentence by its own length.
    mask-one-long: your mask lets one row too many through -> Then the first row of padding is heard. -> The lengths of
        what `encoder_input` gives, as they are.
    word-vectors-averaged: you average the word vectors themselves -> That is the sentence vector of Part 1: no
        position, no layer. -> Run all six layers on what `encoder_input` gives, and average what comes out.
    behind-those-before: each text runs behind all that came before it -> Then it hears them, and they count in its
        mean. -> Begin each text with rows of its own.
    cut-to-the-first: your batch has as many rows as the first sentence -> What is cut off a longer one is lost. -> As
        many rows as the longest needs.
    last-row-of-the-batch: you take the last row of the batch -> Of a shorter sentence, that is padding. -> Average the
        first rows of each sentence, as many as it has tokens.
    letters-counted: your lengths count letters -> `len` of a text does so. There are fewer tokens, so padding is heard
        and counted. -> Take the lengths of what `encoder_input` gives.
    """,
)
def sentence_vectors(texts, wrong=frozenset()):
    """Vectors of many texts in one batch, with the mistakes that people make as switches."""
    if wrong & {"padding-ignored", "pads-heard"}:
        wrong |= {"padding-counted", "mask-ignored"}
    if wrong & {"last-row-heard", "last-row-heard-and-counted"}:
        wrong |= {"mask-ignored"}
    if "last-row-heard-and-counted" in wrong:
        wrong |= {"padding-counted"}
    if "repeats-dropped" in wrong:
        texts = list(dict.fromkeys(texts))
    batch = tuple(shared.tokens_of(text, wrong) for text in texts)
    if "room-by-letters" in wrong and max(map(len, batch)) > len(batch[[*map(len, texts)].index(max(map(len, texts)))]):
        raise ValueError("could not broadcast input array")
    if "cut-to-shortest" in wrong:
        batch = tuple(tokens[: min(map(len, batch))] for tokens in batch)
    lengths = [len(tokens) + (0 if "lengths-too-short" in wrong else 2) for tokens in batch]
    if "lengths-by-spaces" in wrong:
        lengths = [min(len(text.split()) + 2, max(lengths)) for text in texts]
    rows = math.ceil(number(wrong, "rows-cut-at", 4) or 0)
    if rows:
        lengths = [min(length, rows) for length in lengths]
    if "rows-cut" in wrong:
        lengths = [min(lengths)] * len(lengths)
    if "cut-to-the-first" in wrong:
        rows = lengths[0]
        lengths = [min(length, rows) for length in lengths]
    endings = dict.fromkeys(("front-unseen", "front-in-the-mean", "front-in-the-mask"), "in front")
    endings |= dict.fromkeys(("padded-as-words", "pads-heard"), "[PAD]")
    endings |= {"padded-with-the": "the", "padded-with-unk": "[UNK]", "padded-with-last": "last"}
    endings |= dict.fromkeys(("last-row-heard", "last-row-heard-and-counted"), "last row")
    ending = slip(wrong, endings, "zeros")
    if "front-in-the-mean" in wrong:
        wrong |= {"mask-from-the-end"}
    short = slip(wrong, {"mask-too-short": 2, "mask-one-short": 1, "lengths-one-short": 1, "mask-one-long": -1}, 0)
    heard = [(lengths[0] if "first-length-for-all" in wrong else length) - short for length in lengths]
    if "zeroed" in wrong:
        wrong |= {"mask-ignored"}
    room = 0
    if "letters-counted" in wrong:
        heard = lengths = [max(len(text), length) for text, length in zip(texts, lengths, strict=True)]
        room = max(lengths)
    X = shared.together(batch, tuple(heard), ending, wrong & shared.RUNNING, rows, room)
    if "lengths-one-short" in wrong:
        lengths = [length - 1 for length in lengths]
    if "one-row-too-many" in wrong:
        lengths = [length + 1 for length in lengths]
    if "words-averaged" in wrong:
        lengths = [length - 2 for length in lengths]
    if "mean-cut-to-shortest" in wrong:
        lengths = [min(lengths)] * len(lengths)
    if "last-length-in-the-mean" in wrong:
        lengths = lengths[-1:] * len(lengths)
    if "mean-by-spaces" in wrong:
        lengths = [min(len(text.split()) + 2, max(lengths)) for text in texts]
    if "first-length-in-the-mean" in wrong:
        lengths = lengths[:1] * len(lengths)
    if "word-vectors-averaged" in wrong:
        X = [shared.first(tokens, frozenset({"bare-words"}))[1:-1] for tokens in batch]
    if "behind-those-before" in wrong:
        X = shared.behind_those_before(batch)
        lengths = [len(rows) for rows in X]
    if "in-a-row" in wrong:
        X = shared.in_a_row(batch)
    if "averaged-before-the-layers" in wrong:
        X = [shared.of_the_mean(tokens) for tokens in batch]
    if "last-row-of-the-batch" in wrong:
        X, lengths = X[:, -1:], [1] * len(lengths)
    if "front-in-the-mask" in wrong:
        X = [rows[len(rows) - length :] for rows, length in zip(X, lengths, strict=True)]
    real = [rows if "padding-counted" in wrong else rows[:length] for rows, length in zip(X, lengths, strict=True)]
    means = np.array([shared.averaged(rows, wrong) for rows in real])
    if "mean-over-the-texts" in wrong:
        means = np.asarray(X).mean(axis=0)
    if "padding-summed" in wrong:
        return np.array([np.sum(rows, axis=0) / length for rows, length in zip(X, lengths, strict=True)])
    if "one-mean-repeated" in wrong:
        means = np.repeat(shared.averaged(np.concatenate(real), wrong)[None], len(real), axis=0)
    if "filled-with-nan" in wrong:
        means[np.array(lengths) < max(lengths)] = np.nan
    if wrong & {"mean-of-everything", "mean-of-everything-filled"}:
        signs = np.sign([rows.mean() for rows in real])
        return signs if "mean-of-everything" in wrong else np.repeat(signs[:, None], 384, axis=1)
    if "zeros-of-ints" in wrong:
        return np.zeros(means.shape)
    if "one-mean-for-all" in wrong:
        means = means.mean(axis=0)[None]
    if "order-twice" in wrong:
        means = means[np.argsort(lengths, kind="stable")][np.argsort(lengths, kind="stable")]
    if "order-changed" in wrong:
        means = means[np.argsort(lengths, kind="stable")]
    if "order-by-letters" in wrong:
        means = means[np.argsort([len(text) for text in texts], kind="stable")]
    if "unit-rows-first" in wrong:
        return np.array([shared.averaged(rows, {"unit-rows-averaged"}) for rows in real])
    slips = {
        "divided-by-longest": lambda: means * np.array(lengths)[:, None] / max(lengths),
        "vectors-are-columns": lambda: (means / np.linalg.norm(means, axis=-1, keepdims=True)).T,
        "in-one-row": lambda: (means / np.linalg.norm(means, axis=-1, keepdims=True)).ravel(),
        "not-unit": lambda: means,
        "whole-matrix-unit": lambda: means / np.linalg.norm(means),
        "columns-unit": lambda: means / np.linalg.norm(means, axis=0),
    }
    return slip(wrong, slips, lambda: means / np.linalg.norm(means, axis=-1, keepdims=True))()
