"""Part 1, notebook 1: from text to vectors."""

import re
import string

import numpy as np

from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Property
from grader.exercises.inputs import matrix, moved, telling, tenths

# fmt: off
WORDS = [
    "the", "cat", "sat", "doctor", "paris", "river", "bread", "play", "going", "they", "with", "some", "apple",
    "winter", "hospital", "music", "green", "seven", "house", "again", "light", "word", "door", "read", "under",
    "early", "paper", "garden", "train", "dance",
]
# fmt: on


# ---------------------------------------------------------------- predict-nearest


predict_nearest = ChoiceExercise(
    id="predict-nearest",
    points=1,
    task='type the letter in quotation marks, for example `predict_nearest = "a"`',
    right="c",
    because={
        "a": "a freezing thing is cold, so this is a fair guess, and it is among the ten nearest. But the vectors were "
        "learnt from the company that words keep: which word can stand almost wherever `cold` can?",
        "b": "ice is near, but it is a thing, and `cold` says how a thing is. They stand in different places of a "
        "sentence. Which word can stand almost wherever `cold` can?",
        "c": "`warm` is nearest, at a cosine of 0.50. Weather, water, hands, soup: whatever can be cold can be warm. "
        "Words that keep the same company get similar vectors, and opposites keep the same company. `winter` (0.42), "
        "`freezing` (0.38) and `ice` (0.34) follow.",
        "d": "winter is cold, and it is near. But it names a season, where `cold` says how something is. Which word "
        "can stand almost wherever `cold` can?",
    },
)


# ---------------------------------------------------------------- tokenize


def tokenize_model(text, wrong=frozenset()):
    """Lower-case runs of letters, digits and apostrophes, with the mistakes that people make as switches."""
    original = text
    if not wrong & {"case-kept", "capitals-cut"}:
        text = text.lower()
    letters = "a-z" if "capitals-cut" in wrong else "a-zA-Z"
    as_typed = {
        "whole-text": lambda: text,
        "characters": lambda: list(text),
        "space-split": lambda: text.split(" "),
        "plain-strip": lambda: [piece.strip(string.punctuation) for piece in text.split()],
        "ascii": lambda: re.findall(f"[{letters}0-9']+", text),
        "plain-letters": lambda: re.findall(f"[{letters}']+", text),
    }
    for mistake, tokens_of in as_typed.items():
        if mistake in wrong:
            return tokens_of()
    if "bare-split" in wrong:
        return original.split()
    if not wrong & {"curly-apostrophe", "curly-kept"}:
        text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if "apostrophes-dropped" in wrong:
        text = text.replace("'", "")
    if "whitespace-only" in wrong:
        return text.split()
    if "strips-ends" in wrong:
        pieces = [piece.strip(string.punctuation.replace("'", "")) for piece in text.split()]
        return [piece for piece in pieces if piece]
    if "single-characters" in wrong:
        return [character for character in text if character.isalnum() or character == "'"]
    if "uncut" in wrong:
        return "".join(character if character.isalnum() or character == "'" else " " for character in text)
    inside = r"\w" if "underscores" in wrong else r"[^\W_]"
    if "digits-dropped" in wrong:
        inside = r"[^\W\d_]"
    if "a-to-z" in wrong:
        inside = "[a-zA-Z]" if "digits-dropped" in wrong else "[a-zA-Z0-9]"
    if "capitals-cut" in wrong:
        inside = f"(?:(?![A-Z]){inside})"
    if "apostrophes-split" not in wrong:
        inside = f"(?:{inside}|'|\N{RIGHT SINGLE QUOTATION MARK})" if "curly-kept" in wrong else f"(?:{inside}|')"
    if "glued" in wrong:
        text = re.sub(rf"(?!{inside})\S", "", text)
    if "punctuation-kept" in wrong:
        return re.findall(rf"{inside}+|(?!{inside})\S", text)
    tokens = re.findall(f"{inside}+", text)
    if "empty-tokens" in wrong:
        tokens = re.split(rf"(?:(?!{inside})[\s\S])+", text)
    if "outer-apostrophes" in wrong:
        tokens = [token.strip("'") for token in tokens]
    if "last-lost" in wrong and text and re.fullmatch(inside, text[-1]):
        tokens = tokens[:-1]
    if "each-once" in wrong:
        tokens = list(dict.fromkeys(tokens))
    if "joined" in wrong:
        return " ".join(tokens)
    return tokens


TOKENIZE_MISTAKES = (
    Misconception(
        "case-kept",
        "capital letters are still capital",
        "The vocabulary is lower-case: `The` is not in it, so it would become an unknown token.",
        "Make the text lower-case before you cut it: `str.lower`.",
    ),
    Misconception(
        "whitespace-only",
        "you cut at spaces only",
        "The punctuation sticks to the word before it: `sat.` is another token than `sat`, and the vocabulary does not "
        "have it.",
        "Decide for each character whether it belongs to a token; every other character ends the token.",
    ),
    Misconception(
        "strips-ends",
        "you cut at spaces and strip the punctuation at the ends of the pieces",
        "Punctuation inside a piece stays: `well-known` and `one,two` have no space, but are two tokens each.",
        "Let every character that is not a letter, digit or apostrophe separate tokens, wherever it stands.",
    ),
    Misconception(
        "bare-split",
        "you cut the text as it is at its spaces",
        "Capital letters stay, and the punctuation sticks to the words: `The` and `sat.` are not in the vocabulary.",
        "Make the text lower-case first, and let punctuation separate tokens just as a space does.",
    ),
    Misconception(
        "space-split",
        'you cut with `split(" ")`: at each single space, and nowhere else',
        "Two spaces in a row leave an empty token between them, a new line does not separate, and punctuation sticks "
        "to the words.",
        "Let everything separate that is not a letter, digit or apostrophe, and leave empty pieces out.",
    ),
    Misconception(
        "plain-strip",
        "you cut at spaces and strip all punctuation marks at the ends, apostrophes too",
        "`'tis` and `dogs'` lose their apostrophes, and punctuation inside a piece stays: `well-known` is two tokens.",
        "Let every character that is not a letter, digit or apostrophe separate tokens, wherever it stands.",
    ),
    Misconception(
        "glued",
        "you delete the punctuation instead of separating at it",
        "What stood on either side is glued together: `well-known` becomes `wellknown`.",
        "Punctuation separates tokens just as a space does.",
    ),
    Misconception(
        "punctuation-kept",
        "punctuation marks come out as tokens of their own",
        "Many tokenizers do so, but this one drops them: only runs of letters, digits and apostrophes are tokens.",
        "Collect the runs, and nothing of what lies between them.",
    ),
    Misconception(
        "apostrophes-split",
        "apostrophes separate tokens",
        "`didn't` falls into `didn`, which is no word, and `t`, which is a letter.",
        "Count the apostrophe among the characters that a token may have.",
    ),
    Misconception(
        "apostrophes-dropped",
        "apostrophes are deleted",
        "`we'll` becomes `well`: another word.",
        "Keep the apostrophe: it belongs to its token.",
    ),
    Misconception(
        "outer-apostrophes",
        "apostrophes at the ends of a token are taken off",
        "`'tis` begins with an apostrophe and `dogs'` ends with one. It belongs to them: `dogs` is another word.",
        "Treat an apostrophe like a letter, wherever it stands.",
    ),
    Misconception(
        "curly-apostrophe",
        "the typographic apostrophe (’) is not treated as an apostrophe",
        "Texts from books and phones have ’ where a keyboard has '. Then `don’t` falls apart.",
        "Replace ’ by ' before you cut.",
    ),
    Misconception(
        "curly-kept",
        "the typographic apostrophe (’) stays in your tokens",
        "`don’t` and `don't` are the same word, but would be two different tokens.",
        "Replace ’ by the straight apostrophe.",
    ),
    Misconception(
        "digits-dropped",
        "digits are not part of your tokens",
        "Numbers disappear, and `mp3` loses its end.",
        "Letters and digits both count.",
    ),
    Misconception(
        "a-to-z",
        "only the letters a to z count as letters",
        "`café` loses its é, and a Greek word disappears altogether.",
        "`str.isalnum` knows the letters of every alphabet; in a regular expression `[a-z]` does not, but `\\w` does.",
    ),
    Misconception(
        "ascii",
        "your tokens are made of a to z, 0 to 9 and the straight apostrophe only",
        "`café` loses its é, and `don’t` with a typographic apostrophe falls apart.",
        "Replace ’ by ' first, and let the letters of every alphabet count, as `str.isalnum` does.",
    ),
    Misconception(
        "plain-letters",
        "your tokens are made of the letters a to z and the straight apostrophe only",
        "Numbers disappear, `café` loses its é, and `don’t` with a typographic apostrophe falls apart.",
        "Letters of every alphabet and digits count; ’ has to become ' before you cut.",
    ),
    Misconception(
        "capitals-cut",
        "capital letters separate your tokens and are dropped",
        "`The` becomes `he`: a pattern of small letters does not know the capital ones.",
        "Make the text lower-case before you look for tokens.",
    ),
    Misconception(
        "underscores",
        "the underscore stays inside your tokens",
        "In a regular expression `\\w` means letters, digits and the underscore.",
        "Take the underscore out, so that it separates tokens.",
    ),
    Misconception(
        "characters",
        "your tokens are single characters",
        "A text is a sequence of characters: `list(text)` yields them one by one, spaces and all.",
        "Collect characters until one comes that does not belong to a token.",
    ),
    Misconception(
        "single-characters",
        "every letter is a token of its own",
        "A loop over a text yields its characters one by one, and each of them was stored at once.",
        "Collect characters until one comes that does not belong to a token; store what has been collected then.",
    ),
    Misconception(
        "whole-text",
        "you return the text in one piece",
        "A string is not a list of tokens: the next step would take it letter by letter.",
        "Cut it where a character does not belong to a token, and return the list of the pieces.",
    ),
    Misconception(
        "uncut",
        "the text is cleaned, but not cut",
        "You return one string, with a space for every character that does not belong to a token.",
        "One step is left: cut the string at its spaces, and return the list.",
    ),
    Misconception(
        "empty-tokens",
        "there are empty tokens in your list",
        "A split at separators leaves an empty piece before a leading and after a trailing separator.",
        "Look for the runs themselves, or leave the empty pieces out.",
    ),
    Misconception(
        "last-lost",
        "the last token is lost when the text ends with it",
        "A loop that stores a token when it meets a separator never stores the last one if no separator follows.",
        "After the loop, store what is still being collected.",
    ),
    Misconception(
        "each-once",
        "a token that occurs again is left out",
        "A sentence is a sequence, not a set: each occurrence has its place.",
        "Keep a list, with repetitions, in the order of the text.",
    ),
    Misconception(
        "joined",
        "you return one string instead of a list",
        "The next step needs the tokens one by one.",
        "Return the list itself.",
    ),
)


def some_words(rng, n):
    """Different words; three or more are not in alphabetical order, nor in that order turned round."""
    while True:
        words = [str(word) for word in rng.choice(WORDS, size=n, replace=False)]
        if n < 3 or sorted(words) not in (words, words[::-1]):
            return words


def with_capitals(rng):
    first, second, third = some_words(rng, 3)
    return {"text": f"{first.capitalize()} {second} {third.upper()}"}


def with_punctuation(rng):
    a, b, c, d = some_words(rng, 4)
    return {"text": f"{a} {b},  {c} {a}!\n({d}) {b}?"}


def without_spaces(rng):
    a, b, c, d = some_words(rng, 4)
    return {"text": f"{a}-{b} {c},{d} ...{b}/{a};{d}"}


def with_digits(rng):
    a, b, c = some_words(rng, 3)
    return {"text": f"{a} {int(rng.integers(1, 10))}0{int(rng.integers(1, 10))} {b} mp{int(rng.integers(2, 9))} {c}"}


def with_apostrophes(rng):
    a, b, c = some_words(rng, 3)
    return {"text": f"'tis {a} didn't {b} we'll dogs' {c}'s {a}"}


def with_other_letters(rng):
    a, b = some_words(rng, 2)
    foreign = " ".join(rng.permutation(["café", "señor", "müde", "garçon", "νερό"]))
    return {"text": f"{a} {foreign} {b}"}


def with_typographic_apostrophe(rng):
    a, b = some_words(rng, 2)
    return {"text": f"{a} don\N{RIGHT SINGLE QUOTATION MARK}t {b}"}


tokenize = FunctionExercise(
    id="tokenize",
    points=3,
    task="write `tokenize(text)`",
    model=tokenize_model,
    returns="tokens",
    changes_input=False,
    cases=(
        Case("three plain words", lambda rng: {"text": " ".join(some_words(rng, 3))}, 0.1),
        Case("capital letters", with_capitals, 0.1),
        Case("punctuation beside words, and words that occur twice", with_punctuation, 0.25),
        Case("punctuation between words, without spaces", without_spaces, 0.2),
        Case("digits", with_digits, 0.1),
        Case("apostrophes inside words and at their ends", with_apostrophes, 0.1),
        Case("letters beyond a to z", with_other_letters, 0.05),
        Case("an underscore", lambda rng: {"text": "_".join(some_words(rng, 2))}, 0.05),
        Case("a typographic apostrophe", with_typographic_apostrophe, 0.05),
    ),
    misconceptions=TOKENIZE_MISTAKES,
)


# ---------------------------------------------------------------- encode


def encode_model(tokens, vocabulary, wrong=frozenset()):
    """Ids of tokens, with the mistakes that people make as switches."""
    unknown = vocabulary["[UNK]"]
    if "zero" in wrong:
        unknown = 0
    if "hard-coded" in wrong:
        unknown = 1
    if "minus-one" in wrong:
        unknown = -1
    if "token-itself" in wrong:
        return [token if token in vocabulary else "[UNK]" for token in tokens]
    if "numbered" in wrong:
        return list(range(len(tokens)))
    known = dict(vocabulary)
    if "position" in wrong:
        known = {token: place for place, token in enumerate(vocabulary)}
        unknown = known["[UNK]"]
    if "zero-is-false" in wrong:
        known = {token: token_id for token, token_id in known.items() if token_id}
    if "dropped" in wrong:
        tokens = [token for token in tokens if token in known]
    ids = []
    for token in tokens:
        if "grows" in wrong:
            known.setdefault(token, len(known))
        if "none-for-unknown" in wrong:
            unknown = None
        ids.append(known[token] if "not-provided-for" in wrong else known.get(token, unknown))
    return [float(token_id) for token_id in ids if token_id is not None] if "floats" in wrong else ids


ENCODE_MISTAKES = (
    Misconception(
        "dropped",
        "unknown tokens are left out",
        "The list becomes shorter, and every id after the gap belongs to another place in the sentence.",
        'Put the id of `"[UNK]"` in the place of an unknown token.',
    ),
    Misconception(
        "not-provided-for",
        "unknown tokens are not provided for",
        "`vocabulary[token]` raises a KeyError where the token is missing, and real text always has such words.",
        "Test first whether the token is in the vocabulary, or use a dict's `get`, which takes a second argument.",
    ),
    Misconception(
        "none-for-unknown",
        "unknown tokens get None instead of an id",
        "`vocabulary.get(token)` gives None where the token is missing, and None is no row number.",
        "Give `get` its second argument: what to return for a missing key.",
    ),
    Misconception(
        "zero",
        "an unknown token gets the id 0",
        "0 is the id of another token; in the course's vocabulary of `[PAD]`. The two could not be told apart.",
        'Look the id of `"[UNK]"` up in the vocabulary.',
    ),
    Misconception(
        "hard-coded",
        'the id of `"[UNK]"` is written down as 1',
        "It is 1 in the course's word vectors, but another vocabulary has it elsewhere.",
        'Look the id of `"[UNK]"` up in the vocabulary that is passed in.',
    ),
    Misconception(
        "minus-one",
        "an unknown token gets the id -1",
        "In Python -1 is the last row: every unknown word would silently get the vector of the last word.",
        'Look the id of `"[UNK]"` up in the vocabulary.',
    ),
    Misconception(
        "grows",
        "you change the vocabulary: an unknown token gets a new id",
        "`vocabulary.setdefault` and `vocabulary[token] = ...` put a new word into the dict that was passed in. The "
        "embedding matrix has no row for a new id.",
        'All unknown tokens share one id, that of `"[UNK]"`.',
    ),
    Misconception(
        "zero-is-false",
        "the token with the id 0 is taken for unknown",
        "In Python 0 counts as false, so `vocabulary.get(token) or ...` and `if vocabulary.get(token):` skip it.",
        "Test `token in vocabulary`, or give `dict.get` its second argument.",
    ),
    Misconception(
        "position",
        "you use a token's position in the vocabulary instead of its id",
        "A dict need not hold its tokens in the order of their ids.",
        "Ask the dict for the value that belongs to the token.",
    ),
    Misconception(
        "numbered",
        "you number the tokens of the sentence",
        "The same word must get the same id in every sentence: the id says which word it is, not where it stands.",
        "Look each token up in the vocabulary.",
    ),
    Misconception(
        "token-itself",
        "you return tokens, not ids",
        "The embedding matrix is asked by row number; a word is no row number.",
        "Return what the vocabulary holds for each token.",
    ),
    Misconception(
        "floats",
        "your ids are floats",
        "An id is a row number, and NumPy refuses 2.0 as a row number.",
        "Keep the ids as the vocabulary has them: whole numbers.",
    ),
)


def small_vocabulary(rng, size):
    """`size` words and "[UNK]" with ids in another order than the dict's; "[UNK]" is neither 0, 1 nor the last id."""
    words = some_words(rng, size)
    place = int(rng.integers(0, size + 1))
    ids = rng.permutation(size + 1)
    while not 2 <= ids[place] < size or (ids == np.arange(size + 1)).any():
        ids = rng.permutation(size + 1)
    words.insert(place, "[UNK]")
    return {word: int(token_id) for word, token_id in zip(words, ids, strict=True)}


def known_tokens(rng, vocabulary, n, zero=False):
    """Tokens that the vocabulary has, one of them twice; the token with the id 0 only if asked for."""
    pool = [word for word, token_id in vocabulary.items() if word != "[UNK]" and token_id != 0]
    tokens = [str(word) for word in rng.permutation(pool)[: n - 1]]
    tokens.append(tokens[0])
    if zero:
        tokens[1] = next(word for word, token_id in vocabulary.items() if token_id == 0)
    return tokens


def only_known(rng):
    vocabulary = small_vocabulary(rng, 11)  # so many that fixed ids are hardly ever right
    return {"tokens": known_tokens(rng, vocabulary, 5), "vocabulary": vocabulary}


def one_unknown(rng):
    vocabulary = small_vocabulary(rng, 5)
    tokens = known_tokens(rng, vocabulary, 3)
    tokens.insert(1, "zebra")
    return {"tokens": tokens, "vocabulary": vocabulary}


def several_unknown(rng):
    vocabulary = small_vocabulary(rng, 11)
    tokens = known_tokens(rng, vocabulary, 7)
    for place, token in ((0, "zebra"), (3, "quokka"), (6, "zebra"), (8, "lynx")):
        tokens.insert(place, token)
    return {"tokens": tokens, "vocabulary": vocabulary}


def id_zero(rng):
    vocabulary = small_vocabulary(rng, 7)
    return {"tokens": known_tokens(rng, vocabulary, 5, zero=True), "vocabulary": vocabulary}


encode = FunctionExercise(
    id="encode",
    points=2,
    task="write `encode(tokens, vocabulary)`",
    model=encode_model,
    returns="token_ids",
    cases=(
        Case("known tokens", only_known, 0.3),
        Case("an unknown token", one_unknown, 0.3),
        Case("several unknown tokens", several_unknown, 0.2),
        Case("a token whose id is 0", id_zero, 0.1),
    ),
    misconceptions=ENCODE_MISTAKES,
)


# ---------------------------------------------------------------- embed


def embed_model(token_ids, E, wrong=frozenset()):
    """Rows of E, with the mistakes that people make as switches."""
    ids, E = np.asarray(token_ids), np.asarray(E)
    if "one-early" in wrong:
        ids = ids - 1
    elif "one-late" in wrong:
        ids = ids + 1
    if "sorted" in wrong:
        ids = np.unique(ids)
    if "first-rows" in wrong:
        ids = np.arange(len(ids))
    if "single-numbers" in wrong:
        return E.ravel()[ids]
    X = E[:, ids] if "columns" in wrong else E[ids]
    if "whole-numbers" in wrong:
        X = X.astype(int)
    if "added-up" in wrong:
        X = X.sum(axis=0)
    if "first-only" in wrong:
        X = X[0]
    if "first-row" in wrong:
        X = X[:1]
    if "first-round" in wrong:
        X = np.concatenate([X[:1], np.zeros_like(X[1:])])
    return X.T if "transposed" in wrong else X


EMBED_MISTAKES = (
    Misconception(
        "one-early",
        "every token gets the row before its own",
        "Row numbers start at 0: the token with the id 0 owns the first row. With `id - 1` it even gets the last.",
        "Use the id as it is.",
    ),
    Misconception(
        "one-late",
        "every token gets the row after its own",
        "Row numbers start at 0, and so do the ids. With `id + 1` the last token has no row at all.",
        "Use the id as it is.",
    ),
    Misconception(
        "columns",
        "you take columns of E instead of rows",
        "A column holds one number of every word. A row holds all the numbers of one word.",
        "The first index of a matrix chooses rows.",
    ),
    Misconception(
        "sorted",
        "the order of the tokens is lost, and repeated tokens come once",
        "`set`, `np.unique` and a True/False choice of rows sort the ids. Row i must belong to token i.",
        "Go through the ids as they come, with repetitions.",
    ),
    Misconception(
        "first-rows",
        "you take the first rows of E, whatever the ids are",
        "The counter of a loop is a place in the sentence; the id at that place is the row number.",
        "Use the ids themselves to choose the rows.",
    ),
    Misconception(
        "whole-numbers",
        "the numbers after the decimal point are lost",
        "An array made for whole numbers cuts off what you put into it.",
        "Make the result an array of floats, or take the rows of E directly.",
    ),
    Misconception(
        "added-up",
        "you add the rows up into one vector",
        "Then nobody can tell the tokens apart. Attention needs one vector for each token.",
        "Stack the rows, one under the other.",
    ),
    Misconception(
        "first-only",
        "you return the row of the first token only",
        "A `return` inside a loop ends the function in the first round.",
        "Collect all rows first; return after the loop.",
    ),
    Misconception(
        "first-row",
        "you return a matrix with the row of the first token only",
        "A `return` inside a loop ends the function in the first round, when only one row has been collected.",
        "Return after the loop: the `return` starts in the same column as the `for`.",
    ),
    Misconception(
        "first-round",
        "only the first row is filled, and the others are still zero",
        "A `return` inside a loop ends the function in the first round, before the other ids have had their turn.",
        "Return after the loop: the `return` starts in the same column as the `for`.",
    ),
    Misconception(
        "single-numbers",
        "you take single numbers of E instead of rows",
        "Without an axis, `np.take` counts through all the numbers of the matrix, one row after the other.",
        "Say that rows are meant: `axis=0`, or index the matrix itself.",
    ),
    Misconception(
        "transposed",
        "your result is transposed",
        "In this course, as in the field, rows are tokens: X has shape (n, d_model).",
        "Put each token's numbers into a row.",
    ),
)


def some_ids(rng, n, vocab_size, ends=False):
    """Ids that are neither sorted nor all different, among them the last but one.

    The last id only with `ends`, and then 0 as well; otherwise 0 only where there are few words.
    """
    pool = np.arange(1 if vocab_size > 3 else 0, vocab_size - 1)
    while True:
        ids = rng.choice(pool, size=n)
        ids[-1] = ids[0]
        if ids[0] and ids[1] != ids[0] and vocab_size - 2 in ids:
            break
    if ends:
        ids[:2] = vocab_size - 1, 0
    return ids


def embed_case(n, vocab_size, d_model, numbers=matrix, as_list=False, ends=False):
    def make(rng):
        ids = some_ids(rng, n, vocab_size, ends)
        return {"token_ids": ids.tolist() if as_list else ids, "E": numbers(rng, vocab_size, d_model)}

    return make


embed = FunctionExercise(
    id="embed",
    points=3,
    task="write `embed(token_ids, E)`",
    model=embed_model,
    returns="X",
    cases=(
        Case("three tokens, a matrix of 5 x 2", embed_case(3, 5, 2, tenths), 0.3),
        Case("more tokens than words", embed_case(11, 7, 3), 0.2),
        Case("the first and the last id", embed_case(5, 13, 7, ends=True), 0.15),
        Case("as many tokens as words and numbers", embed_case(5, 5, 5), 0.15),
        Case("the ids as a list", embed_case(3, 7, 5, as_list=True), 0.1),
    ),
    misconceptions=EMBED_MISTAKES,
)


# ---------------------------------------------------------------- one_hot


def one_hot_model(token_ids, vocab_size, wrong=frozenset()):
    """One-hot rows, with the mistakes that people make as switches."""
    ids = np.asarray(token_ids)
    width = int(vocab_size)
    if "own-width" in wrong:
        width = int(ids.max()) + 1
    if "width-n" in wrong:
        width = len(ids)
    if "one-early" in wrong:
        ids = ids - 1
    elif "one-late" in wrong:
        ids = ids + 1
    if "diagonal" in wrong:
        ids = np.arange(len(ids))
    if "identity" in wrong:
        return np.eye(width)
    if wrong & {"square-by-id", "square-by-place"}:
        rows = np.zeros((width, width))
        rows[ids if "square-by-id" in wrong else np.arange(len(ids)), ids] = 1
        return rows
    rows = np.zeros((len(ids), width))
    if "whole-rows" in wrong:
        rows[ids] = 1
        return rows
    if "all-columns" in wrong:
        rows[:, ids] = 1
        return rows
    rows[np.arange(len(ids)), ids] = np.asarray(token_ids) if "id-as-value" in wrong else 1
    if "up-to" in wrong:
        rows = (np.arange(width) <= ids[:, None]).astype(float)
    if "inverted" in wrong:
        rows = 1 - rows
    if "one-row" in wrong:
        return rows.max(axis=0)
    return rows.T if "transposed" in wrong else rows


ONE_HOT_MISTAKES = (
    Misconception(
        "transposed",
        "your result is transposed",
        "Rows are tokens, columns are words of the vocabulary: the shape is (n, vocab_size).",
        "Give each token a row of its own, and set the 1 in the column of its id.",
    ),
    Misconception(
        "one-early",
        "every 1 stands one column too far to the left",
        "Columns are counted from 0, and so are ids.",
        "Use the id as the column number, as it is.",
    ),
    Misconception(
        "one-late",
        "every 1 stands one column too far to the right",
        "Columns are counted from 0, and so are ids. The last word would have no column.",
        "Use the id as the column number, as it is.",
    ),
    Misconception(
        "own-width",
        "your rows are only as long as the largest id needs",
        "Two sentences would get rows of different lengths, and the product with E would not fit.",
        "Make every row `vocab_size` long.",
    ),
    Misconception(
        "width-n",
        "your rows are as long as the sentence",
        "A column stands for a word of the vocabulary, not for a place in the sentence.",
        "Make every row `vocab_size` long.",
    ),
    Misconception(
        "id-as-value",
        "you write the id itself into the row instead of a 1",
        "The place says which word it is; the number must be 1, so that the product takes the row of E once.",
        "Put a 1 there.",
    ),
    Misconception(
        "diagonal",
        "the 1 stands in the column of the token's place in the sentence",
        "The first token of every sentence would be the same word.",
        "Let the id choose the column, not the counter of the loop.",
    ),
    Misconception(
        "all-columns",
        "every row has a 1 for every token of the sentence",
        "`rows[:, token_ids] = 1` means: in all rows, these columns. Row i must have a 1 for its own id only.",
        "Each row needs a column of its own: go through the rows with a counter, or give NumPy a row number for each "
        "id.",
    ),
    Misconception(
        "whole-rows",
        "you fill whole rows with ones, and the ids choose the rows",
        "With a single index, `rows[token_ids]` means rows. The row belongs to the token's place in the sentence, and "
        "the id says which column.",
        "Give two indices: which row, and which column.",
    ),
    Misconception(
        "square-by-id",
        "you give each word of the vocabulary a row, and put a 1 in the rows of the ids",
        "The shape (vocab_size, vocab_size) has a row for each word. Rows are tokens: there must be one for each id, "
        "in the order of the sentence.",
        "Make as many rows as there are ids.",
    ),
    Misconception(
        "square-by-place",
        "your matrix has a row for each word of the vocabulary instead of one for each token",
        "The shape is (vocab_size, vocab_size). Either rows of zeros are left over, or there are too few for a long "
        "sentence.",
        "Make as many rows as there are ids.",
    ),
    Misconception(
        "identity",
        "you return the whole identity matrix",
        "It holds the one-hot row of every word, each once. The sentence needs those of its own tokens, in its order.",
        "Take the rows of the identity matrix that the ids name.",
    ),
    Misconception(
        "one-row",
        "all tokens share one row",
        "A bag of words: it tells which words occur, but neither their order nor how often.",
        "Make one row for each token.",
    ),
    Misconception(
        "up-to",
        "all columns up to the id are 1",
        "The product with E would add up many rows.",
        "One-hot means a single 1 in each row: compare for equality.",
    ),
    Misconception(
        "inverted",
        "zeros and ones are exchanged",
        "The product with E would add up the rows of all the other words.",
        "Put the 1 where the column equals the id.",
    ),
)


def one_hot_case(n, vocab_size, as_list=False, ends=False):
    def make(rng):
        ids = some_ids(rng, n, vocab_size, ends)
        return {"token_ids": ids.tolist() if as_list else ids, "vocab_size": vocab_size}

    return make


def single_one(call, rng):
    rows = call(some_ids(rng, 7, 11), 11)
    return None if (rows.sum(axis=1) == 1).all() else f"a row sums to {rows.sum(axis=1).ravel()[0]:.4g}"


one_hot = FunctionExercise(
    id="one_hot",
    points=2,
    task="write `one_hot(token_ids, vocab_size)`",
    model=one_hot_model,
    returns="rows",
    cases=(
        Case("five tokens, eleven words", one_hot_case(5, 11), 0.3),
        Case("more tokens than words", one_hot_case(7, 3), 0.15),
        Case("the first and the last id", one_hot_case(7, 13, ends=True), 0.15),
        Case("as many tokens as words", one_hot_case(7, 7), 0.1),
        Case("the ids as a list", one_hot_case(3, 7, as_list=True), 0.1),
    ),
    properties=(Property("each row holds a single 1", single_one, 0.1),),
    misconceptions=ONE_HOT_MISTAKES,
)


# ---------------------------------------------------------------- embed_by_product


def embed_by_product_model(token_ids, E, wrong=frozenset()):
    """one_hot @ E, with the mistakes that people make as switches."""
    ids, E = np.asarray(token_ids), np.asarray(E)
    if "lookup" in wrong:
        return E[ids]
    if "transposed" in wrong:
        return E.T @ np.eye(E.shape[0])[ids].T
    if "one-early" in wrong:
        ids = ids - 1
    rows = np.eye(E.shape[1] if "width-d" in wrong else E.shape[0])[ids]
    if "transposed-rows" in wrong:
        rows = rows.T
    if "transposed-E" in wrong:
        E = E.T
    if "elementwise" in wrong:
        return rows * E
    return E @ rows if "factors-swapped" in wrong else rows @ E


EMBED_BY_PRODUCT_MISTAKES = (
    Misconception(
        "lookup",
        "your result does not depend on every row of E",
        "The numbers are the same, which is the point of the exercise. But a product with rows of length vocab_size "
        "reads all rows of E. A look-up does not, nor does a product with only some of them.",
        "Make one-hot rows with a place for every row of E, and multiply them with the whole of E.",
    ),
    Misconception(
        "transposed",
        "your result is transposed",
        "In this course, as in the field, rows are tokens: X has shape (n, d_model).",
        "Put the one-hot rows on the left of the product, a row for each token.",
    ),
    Misconception(
        "transposed-rows",
        "the one-hot rows are transposed in your product",
        "Each row of the left factor says which rows of E to add up. It must be a token's row.",
        "Write the shapes under the product: (n, vocab_size) times (vocab_size, d_model).",
    ),
    Misconception(
        "factors-swapped",
        "the factors of your product are swapped",
        "A matrix product depends on the order: the left factor mixes the rows of the right one.",
        "Write the shapes under the product: the two inner sizes must be the same thing, vocab_size.",
    ),
    Misconception(
        "transposed-E",
        "you transpose E in your product",
        "Then the columns of E are picked, one number of every word.",
        "E goes into the product as it is.",
    ),
    Misconception(
        "elementwise",
        "you multiply entry by entry",
        "`*` multiplies numbers at the same place, and nothing is added up.",
        "A matrix product is written `@`.",
    ),
    Misconception(
        "width-d",
        "your one-hot rows are d_model long",
        "A one-hot row has a place for each word, and E has a row for each word.",
        "The vocabulary's size is the number of rows of E.",
    ),
    Misconception(
        "one-early",
        "every token gets the row before its own",
        "Ids are counted from 0, and so are the columns of the one-hot rows.",
        "Use the id as the column number, as it is.",
    ),
)


def reads_every_row(call, rng):
    ids, E = some_ids(rng, 3, 5), tenths(rng, 5, 2)
    E[4] = np.nan  # `some_ids` never asks for the last row
    X = call(ids, E)
    if np.isfinite(embed_by_product_model(ids, E)).all():
        return None  # this machine's product leaves out factors that are 0, so nothing can be told
    if np.isnan(X).any():
        return None
    return "a row of E that no token asks for is NaN, and the result has no NaN: that row was never read"


embed_by_product = FunctionExercise(
    id="embed_by_product",
    points=3,
    task="write `embed_by_product(token_ids, E)`",
    model=embed_by_product_model,
    returns="X",
    library_names=("embed",),
    cases=(
        Case("three tokens, a matrix of 5 x 2", embed_case(3, 5, 2, tenths), 0.3),
        Case("more tokens than words", embed_case(11, 7, 3), 0.1),
        Case("the first and the last id", embed_case(5, 13, 7, ends=True), 0.1),
        Case("as many tokens as words and numbers", embed_case(5, 5, 5), 0.1),
    ),
    properties=(Property("made by a product: it reads every row of E", reads_every_row, 0.3),),
    misconceptions=EMBED_BY_PRODUCT_MISTAKES,
)


# ---------------------------------------------------------------- mean_embedding


def mean_embedding_model(X, wrong=frozenset()):
    """The mean of the rows, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    n, d = X.shape
    if "other-axis" in wrong:
        return X.mean(axis=1)
    if "one-number" in wrong:
        return X.mean()
    if "median" in wrong:
        return np.median(X, axis=0)
    if "largest" in wrong:
        return X.max(axis=0)
    mean = X.sum(axis=0) / n
    if "sum" in wrong:
        mean = X.sum(axis=0)
    if "divided-by-d" in wrong:
        mean = X.sum(axis=0) / d
    if "divided-by-n-less-one" in wrong:
        mean = X.sum(axis=0) / (n - 1)
    if "unit-length" in wrong:
        mean = mean / np.linalg.norm(mean)
    if "for-every-token" in wrong:
        return np.tile(mean, (n, 1))
    return mean[None] if "extra-axis" in wrong else mean


MEAN_EMBEDDING_MISTAKES = (
    Misconception(
        "other-axis",
        "you average along each row",
        "That gives one number for each token: the mean of numbers that have nothing to do with each other.",
        "Average over the tokens, which are the rows: the axis that has to vanish is axis 0.",
    ),
    Misconception(
        "one-number",
        "you average all numbers of the matrix",
        "`np.mean` without an axis gives a single number. The mean of vectors is a vector.",
        "Say which axis to average over.",
    ),
    Misconception(
        "sum",
        "you return the sum, not the mean",
        "A longer sentence would get a longer vector, whatever it says.",
        "Divide by the number of tokens.",
    ),
    Misconception(
        "divided-by-d",
        "you divide by the length of a vector instead of the number of tokens",
        "`X.shape` is (n, d): n tokens are averaged, so n divides.",
        "The number of tokens is the number of rows.",
    ),
    Misconception(
        "divided-by-n-less-one",
        "you divide by n - 1",
        "n - 1 belongs to the variance of a sample. The mean of n vectors divides by n.",
        "Count all tokens.",
    ),
    Misconception(
        "median",
        "you take the median instead of the mean",
        "The median is the number in the middle; most of the others have no say in it.",
        "Add up and divide.",
    ),
    Misconception(
        "largest",
        "you take the largest number of each column",
        "That is called max pooling; one token alone decides each number.",
        "Add up and divide.",
    ),
    Misconception(
        "unit-length",
        "you scale the mean to length 1",
        "The direction is right, but the length is part of the mean.",
        "Leave the mean as it is.",
    ),
    Misconception(
        "extra-axis",
        "your result has an axis too many",
        "`keepdims=True` leaves a row matrix of shape (1, d). Here one vector of shape (d,) is asked for.",
        "Let the axis vanish.",
    ),
    Misconception(
        "for-every-token",
        "you return the mean once for each token",
        "All rows are equal, which is just what an average can say: the same to everyone. One copy is asked for.",
        "Return the vector itself, of shape (d,).",
    ),
)


def order_does_not_matter(call, rng):
    X = matrix(rng, 7, 3)
    difference = np.abs(call(X[moved(rng, 7)]) - call(X)).max()
    return None if difference < 1e-3 else f"in another order a number moves by {difference:.3g}"


MEAN_SLIPS = (
    mean_embedding_model,
    *("sum", "divided-by-d", "divided-by-n-less-one", "median", "largest", "unit-length"),
)

mean_embedding = FunctionExercise(
    id="mean_embedding",
    points=2,
    task="write `mean_embedding(X)`",
    model=mean_embedding_model,
    returns="mean",
    cases=(
        Case("three tokens, 3 x 2", telling(lambda rng: {"X": tenths(rng, 3, 2)}, *MEAN_SLIPS), 0.3),
        Case("a longer sentence, 11 x 5", lambda rng: {"X": matrix(rng, 11, 5)}, 0.2),
        Case("as many tokens as numbers, 5 x 5", lambda rng: {"X": matrix(rng, 5, 5)}, 0.2),
        Case("whole numbers", telling(lambda rng: {"X": rng.integers(-4, 5, size=(7, 3))}, *MEAN_SLIPS), 0.1),
    ),
    properties=(Property("the order of the tokens does not matter", order_does_not_matter, 0.1),),
    misconceptions=MEAN_EMBEDDING_MISTAKES,
)
