import itertools
import re
import string
import unicodedata

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, function
from grader.exercises.p1_context_vectors.n1_embeddings.shared import some_words
from grader.exercises.stages import marks


def text_of(n, written):
    """A function that makes a text of n words; one is to come twice, as a set may keep the order by chance."""
    return lambda rng: {"text": written(*some_words(rng, n))}


def with_digits(rng):
    a, b, c = some_words(rng, 3)
    return {
        "text": f"{a} {int(rng.integers(1, 10))}0{int(rng.integers(1, 10))} {b} mp{int(rng.integers(2, 9))} {c} {a}"
    }


def with_other_letters(rng):
    """Letters with accents, of which one has its accent as a character of its own, which is no letter; and a half."""
    a, b = some_words(rng, 2)
    foreign = " ".join(rng.permutation(["café", "señor", "straße", "garçon", "νερό", "nin\u0303o"]))
    return {"text": f"{a} {foreign} {b} 2\u00bd {a}"}


def beyond_ascii(a, b, c, d):
    """Punctuation as books print it."""
    return f"\u201c{a} \u2026 {b}\u201d \u2014 \u00ab{c}\u00bb\u2013{a}, \u00bf{d}\u2026{b} can\u2019t?"


EXAMPLE = "Well-known cats don't sit on 9 beds."

#: The marks that somebody thinks of who lists some.
FEW_MARKS = ".,!?"
#: What is deleted, where it should separate.
DELETED = {
    "line-ends-deleted": "\n",
    "tabs-deleted": "\t",
    "apostrophes-deleted": "'",
    "hyphens-deleted": "-",
    "underscores-deleted": "_",
}


@function(
    points=2,
    returns="tokens",
    changes_input=False,
    cases=(
        Case("three plain words, one of them twice", text_of(3, lambda a, b, c: f"{a} {b} {a} {c}"), 0.1),
        Case(
            "capital letters", text_of(3, lambda a, b, c: f"{a.capitalize()} {b}{c.capitalize()} {c.upper()} {a}"), 0.15
        ),
        Case(
            "punctuation beside words, line ends, and words that occur twice",
            text_of(4, lambda a, b, c, d: f"{a}\n{b},  {c}\t{a}!\n({d}) {b}? {b}"),
            0.2,
        ),
        Case(
            "punctuation between words, without spaces",
            text_of(4, lambda a, b, c, d: f"{a}-{b} {c},{d} ...{b}/{a};{d}"),
            0.15,
        ),
        Case("digits", with_digits, 0.1),
        Case("tokens of a single character", text_of(2, lambda a, b: f"I {a} a {b}, 7 a"), 0.05),
        Case("an apostrophe inside words", text_of(3, lambda a, b, c: f"{a} didn't {b} we'll {c}'s {a}"), 0.05),
        Case("an underscore", text_of(3, lambda a, b, c: f"{a}_{b}_{a}_{c}"), 0.05),
        Case("letters and digits beyond the keyboard", with_other_letters, 0.05),
        Case("punctuation beyond the keyboard", text_of(4, beyond_ascii), 0.05),
        Case("the example of the task", example(text=EXAMPLE), 0.05),
    ),
    mistakes=r"""
    case-kept: capital letters are still capital -> The vocabulary is lower-case: `The` is not in it, so it would become
        an unknown token. -> Make the text lower-case before you cut it, and keep the result: `text.lower()` alone
        leaves `text` as it was.
    casefold: you use `casefold` instead of `lower` -> It also writes some letters as others, `ß` as `ss`: good for
        comparing two texts, but the token is then another word. -> `text.lower()` changes capital letters only.
    whitespace-only: you cut at spaces only -> The punctuation stays in the words: `sat.` is another token than `sat`,
        and the vocabulary does not have it. -> Decide for each character whether it belongs to a token; every other
        character ends the token.
    words-dropped: pieces that hold any punctuation are left out as a whole -> `isalnum` is true of a text only if it is
        true of each of its characters: `sat.` is lost. -> Ask it of each character, and let every other one separate.
    digits-apart: letters and digits come out as tokens apart -> `mp3` is one run of letters and digits. -> Let both go
        on with a token.
    accents-stripped: letters lose their accents -> `café` and `cafe` are two tokens to a vocabulary. -> Leave the
        letters as they are, but for capital ones.
    strips-ends: you cut at spaces and strip the punctuation at the ends of the pieces -> Punctuation inside a piece
        stays: `well-known` and `one,two` have no space, but are two tokens each. -> Let every character that is neither
        letter nor digit separate tokens, wherever it stands.
    bare-split: you cut the text as it is at its spaces -> Capital letters stay, and so does the punctuation: `The` and
        `sat.` are not in the vocabulary. -> Make the text lower-case first, and let punctuation separate tokens just as
        a space does.
    space-split: you cut with `split(" ")`: at each single space, and nowhere else -> Two spaces in a row leave an empty
        token between them, a new line does not separate, and punctuation sticks to the words. -> Let everything
        separate that is neither letter nor digit, and leave empty pieces out.
    glued: you delete the punctuation instead of separating at it -> What stood on either side is glued together:
        `well-known` becomes `wellknown`. -> Punctuation separates tokens just as a space does.
    punctuation-kept: punctuation marks come out as tokens of their own -> Many tokenizers do so, but this one drops
        them: only runs of letters and digits are tokens. -> Collect the runs, and nothing of what lies between them.
    apostrophes-and-underscores: apostrophes and underscores stay inside your tokens -> In a regular expression `\w`
        means letters, digits and the underscore; and an apostrophe is neither letter nor digit. -> Let both separate.
    last-separator-only: only one kind of separator is replaced, the last that the text has -> Each round of your loop
        begins with the text as it was at first, and what the rounds before have replaced is lost. -> Replace in what
        the round before has left.
    apostrophes-kept: an apostrophe stays inside your tokens -> It is neither letter nor digit: `don't` is the two
        tokens `don` and `t`. -> Let it separate, as every other mark does.
    digits-dropped: digits are not part of your tokens -> Numbers disappear, and `mp3` loses its end. -> Letters and
        digits both count.
    a-to-z: only the letters a to z count as letters -> `café` loses its é, and a Greek word disappears altogether. ->
        `str.isalnum` knows the letters of every alphabet; in a regular expression `[a-z]` does not, but `\w` does.
    capitals-cut: capital letters separate your tokens and are dropped -> `The` becomes `he`: a pattern of small letters
        does not know the capital ones. -> Make the text lower-case before you look for tokens.
    underscores: the underscore stays inside your tokens -> In a regular expression `\w` means letters, digits and the
        underscore. -> Take the underscore out, so that it separates tokens.
    characters: your tokens are single characters -> A text is a sequence of characters: `list(text)` yields them one by
        one, spaces and all. -> Collect characters until one comes that does not belong to a token.
    single-characters: every letter is a token of its own -> A loop over a text yields its characters one by one, and
        each of them was stored at once. -> Collect characters until one comes that does not belong to a token; store
        what has been collected then.
    whole-text: you return the text in one piece -> A string is not a list of tokens: the next step would take it letter
        by letter. -> Cut it where a character does not belong to a token, and return the list of the pieces.
    uncut: the text is cleaned, but not cut -> You return one string, with a space for every character that does not
        belong to a token. -> One step is left: cut the string at its spaces, and return the list.
    empty-tokens: there are empty tokens in your list -> A split at separators leaves an empty piece before a leading
        and after a trailing separator. -> Look for the runs themselves, or leave the empty pieces out.
    empty-between: there are empty tokens in your list, one for each separator beyond the first -> Where two separators
        follow each other, nothing lies between them: `split(" ")` and a loop that stores at each separator make an
        empty text of it. -> Leave the empty pieces out: `split()` without an argument does, or test before you store.
    not-reset: your tokens grow: each begins with all the letters that came before it -> What has been collected is
        stored, but still there when the next token begins. -> Begin with an empty text again each time that you have
        stored a token.
    as-set: each token comes once, and their order is lost -> A `set` keeps neither repetitions nor order. A sentence is
        a sequence: each occurrence has its place. -> Keep a list.
    last-lost: the last token is lost when the text ends with it -> A loop that stores a token when it meets a separator
        never stores the last one if no separator follows. -> After the loop, store what is still being collected.
    ascii-punctuation: only the punctuation marks of the keyboard separate your tokens -> Texts from books have many
        others: dashes, an ellipsis, quotation marks. A list of all the marks there are never ends. -> Say which
        characters belong to a token; every other one separates.
    few-marks="": only some punctuation marks separate your tokens -> All the others stick to the words: a list of marks
        is never complete. -> Say which characters belong to a token; every other one separates.
    line-ends-deleted: you delete line ends, so that the words on either side grow together -> The last word of a line
        and the first of the next are two tokens. -> Let a line end separate, as a space does.
    tabs-deleted: you delete tabs, so that the words on either side grow together -> A tab stands between two tokens as
        a space does. -> Let it separate.
    apostrophes-deleted: you delete apostrophes, so that their neighbours grow together -> `don't` is the two tokens
        `don` and `t`. -> Let an apostrophe separate, as every other mark does.
    hyphens-deleted: you delete hyphens, so that their neighbours grow together -> `well-known` is two tokens. -> Let a
        hyphen separate, as every other mark does.
    underscores-deleted: you delete underscores, so that their neighbours grow together -> An underscore is neither
        letter nor digit: it stands between two tokens. -> Let it separate, as every other mark does.
    curly-apostrophes-kept: the apostrophe of printed books, ’, stays inside your tokens -> It is neither letter nor
        digit, as the one of the keyboard. -> Let it separate, as every other mark does.
    marks-kept: punctuation marks come out as tokens of their own, all but the underscore -> Many tokenizers do so, but
        this one drops them: only runs of letters and digits are tokens. -> Collect the runs, and nothing of what lies
        between them.
    decomposed: you take accents off their letters and let them separate -> `normalize("NFKD", ...)` makes two
        characters of a letter with an accent, and the second is no letter: `señor` falls apart. -> Leave the letters as
        they are.
    composed: you make one letter of a letter and an accent that stands behind it -> `normalize("NFC", ...)` changes the
        text: here such an accent is a character of its own, neither letter nor digit, and separates. -> Leave the
        characters as they are.
    capitalised: your tokens begin with a capital letter -> The vocabulary is lower-case: `The` is not in it. -> `lower`
        makes all letters small; `capitalize` and `title` do not.
    last-word-only: only the last token is left -> What you collect begins anew at each separator, and what was there
        before is lost. -> Store a token before you begin the next one.
    halves-separate: a numeral such as ½ separates your tokens -> It is neither a letter by `isalpha` nor a digit by
        `isdigit`, but `isalnum` is true of it: here that decides. -> Ask `isalnum` of each character.
    numbers-left-out: tokens that are numbers are left out -> `9` is a token as any other. -> Letters and digits both
        count.
    stored-each-letter: you store a token after each of its letters -> `do` comes out as `d` and `do`: what has been
        collected is not finished before a separator comes. -> Store it then, and once more after the loop.
    empty-not-at-end: there are empty tokens in your list, one for each separator beyond the first -> Where two
        separators follow each other, nothing lies between them: a loop that stores at each separator makes an empty
        text of it. -> Test before you store.
    glued-keyboard: you delete the punctuation marks of the keyboard, and leave the others where they are -> What stood
        on either side is glued together: `well-known` becomes `wellknown`; and a dash or an ellipsis sticks to its
        word. -> Say which characters belong to a token, and let every other one separate, as a space does.
    glued-lines: you delete what does not belong to a token, new lines too, and cut at spaces -> What stood on either
        side is glued together: `well-known` becomes `wellknown`. -> Put a space in the place of each such character.
    glued-pieces: you cut at spaces, and delete what does not belong to a token in each piece -> What stood on either
        side is glued together: `well-known` becomes `wellknown`; and of a lone dash an empty token is left. -> Put a
        space in the place of each such character, and cut then.
    glued-single-spaces: you delete what does not belong to a token, but for spaces, and cut with `split(" ")` -> What
        stood on either side is glued together, new lines too; and two spaces in a row leave an empty token between
        them. -> Put a space in the place of each such character; `split()` without an argument leaves nothing empty.
    neighbours-once: a token that equals the one before it is left out -> `had had` is two tokens: each occurrence has
        its place. -> Store every token, whatever came before it.
    cut-at-capitals: a capital letter begins a new token -> `McDonald` is one run of letters. -> Make the text
        lower-case before you look for tokens.
    separator-kept: your tokens begin with the separator that stood before them -> Where a separator comes, nothing has
        been collected yet. -> Begin with an empty text; the separator itself belongs to no token.
    ascii-only: letters beyond a to z are deleted, and the others of the word grow together -> `café` becomes `caf`:
        `encode("ascii", "ignore")` drops what it does not know. -> Leave the letters as they are.
    digits-one-by-one: each digit is a token of its own -> `305` is one run of digits, and `mp3` one of letters and
        digits. -> Let digits go on with a token, as letters do.
    hyphens-kept: a hyphen stays inside your tokens -> `well-known` is two tokens: a hyphen is neither letter nor digit.
        -> Let it separate, as a space does.
    short-lost: tokens of a single character are left out -> `a`, `I` and `9` are tokens like any other. -> Leave out
        what is empty, and nothing else.
    nothing: your list is always empty -> Either no character ever counts as part of a token, as by a condition such as
        "a letter *and* a digit", which is never true; or what is collected is emptied again before it is stored. -> A
        character belongs to a token if it is the one *or* the other; empty what you collect only where you store it.
    """,
)
def tokenize(text, wrong=frozenset()):
    """Lower-case runs of letters and digits, with the mistakes that people make as switches."""
    if "nothing" in wrong:
        return []
    original = text
    if not wrong & {"case-kept", "capitals-cut"}:
        text = text.casefold() if "casefold" in wrong else text.lower()
    if "accents-stripped" in wrong:
        text = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    if "composed" in wrong:
        text = unicodedata.normalize("NFC", text)
    if "decomposed" in wrong:
        text = unicodedata.normalize("NFKD", text)
    text = text.translate(dict.fromkeys(ord(mark) for name, mark in DELETED.items() if name in wrong))
    as_typed = {
        "whole-text": lambda: text,
        "apostrophes-and-underscores": lambda: re.findall(r"[\w']+", text),
        "last-separator-only": lambda: text.replace(([" "] + [c for c in text if not c.isalnum()])[-1], " ").split(),
        "characters": lambda: list(text),
        "space-split": lambda: text.split(" "),
        "bare-split": lambda: original.split(),
        "whitespace-only": lambda: text.split(),
        "words-dropped": lambda: [piece for piece in text.split() if piece.isalnum()],
        "glued-pieces": lambda: ["".join(filter(str.isalnum, piece)) for piece in text.split()],
        "glued-single-spaces": lambda: "".join(one for one in text if one.isalnum() or one == " ").split(" "),
        "cut-at-capitals": lambda: [one.lower() for one in re.findall(r"[A-Z]?[^\W_A-Z]+|[A-Z]+", original)],
        "separator-kept": lambda: re.findall(r"[\W_]?[^\W_]+|[\W_]", text),
        "ascii-only": lambda: re.findall("[a-z0-9]+", text.encode("ascii", "ignore").decode()),
        "digits-one-by-one": lambda: re.findall(r"[^\W\d_]+|\d", text),
        "digits-apart": lambda: re.findall(r"[^\W\d_]+|\d+", text),
    }
    for mistake, tokens_of in as_typed.items():
        if mistake in wrong:
            return tokens_of()
    if "strips-ends" in wrong:
        pieces = [piece.strip(marks(wrong, "few-marks", FEW_MARKS) or string.punctuation) for piece in text.split()]
        return [piece for piece in pieces if piece]
    if "single-characters" in wrong:
        return [character for character in text if character.isalnum()]
    if "uncut" in wrong:
        return "".join(character if character.isalnum() else " " for character in text)
    inside = r"\w" if "underscores" in wrong else r"[^\W_]"
    if "ascii-punctuation" in wrong:
        inside = rf"[^\s{re.escape(string.punctuation)}]"
    if some := marks(wrong, "few-marks", FEW_MARKS):
        inside = rf"[^\s{re.escape(some)}]"
    if "digits-dropped" in wrong:
        inside = r"[^\W\d_]"
    if "a-to-z" in wrong:
        inside = "[a-zA-Z]" if "digits-dropped" in wrong else "[a-zA-Z0-9]"
    if "halves-separate" in wrong:
        inside = rf"(?:(?!\u00bd){inside})"
    if "capitals-cut" in wrong:
        inside = f"(?:(?![A-Z]){inside})"
    if "apostrophes-kept" in wrong:
        inside = f"(?:{inside}|')"
    if "curly-apostrophes-kept" in wrong:
        inside = f"(?:{inside}|\u2019)"
    if "hyphens-kept" in wrong:
        inside = f"(?:{inside}|-)"
    if "glued" in wrong:
        text = re.sub(rf"(?!{inside})\S", "", text)
    if "glued-keyboard" in wrong:
        return re.sub(f"[{re.escape(string.punctuation)}]", "", text).split()
    if "glued-lines" in wrong:
        return re.sub(f"(?!{inside}| )[\\s\\S]", "", text).split()
    if "punctuation-kept" in wrong:
        return re.findall(rf"{inside}+|(?!{inside})\S", text)
    if "marks-kept" in wrong:
        return re.findall(rf"{inside}+|[^\s\w]", text)
    tokens = re.findall(f"{inside}+", text)
    if "capitalised" in wrong:
        tokens = [token.capitalize() for token in tokens]
    if "last-word-only" in wrong:
        tokens = tokens[-1:]
    if "numbers-left-out" in wrong:
        tokens = [token for token in tokens if not token.isdigit()]
    if "stored-each-letter" in wrong:
        tokens = [token[:end] for token in tokens for end in range(1, len(token) + 1)]
    if "empty-tokens" in wrong:
        tokens = re.split(rf"(?:(?!{inside})[\s\S])+", text)
    if "not-reset" in wrong:
        ends = [end for end in range(len(text) + 1) if not re.fullmatch(inside, text[end : end + 1] or " ")]
        grown = [re.sub(f"(?!{inside})[\\s\\S]", "", text[:end]) for end in ends]
        tokens = [token for token in grown if token or "empty-between" in wrong]
    elif wrong & {"empty-between", "empty-not-at-end"}:
        tokens = re.split(f"(?!{inside})[\\s\\S]", text)
    if "empty-not-at-end" in wrong and tokens and not tokens[-1]:
        tokens = tokens[:-1]
    if "short-lost" in wrong:
        tokens = [token for token in tokens if len(token) > 1]
    if "last-lost" in wrong and text and re.fullmatch(inside, text[-1]):
        tokens = tokens[:-1]
    if "neighbours-once" in wrong:
        tokens = [token for token, _ in itertools.groupby(tokens)]
    if "as-set" in wrong:
        tokens = sorted(set(tokens))
    return tokens
