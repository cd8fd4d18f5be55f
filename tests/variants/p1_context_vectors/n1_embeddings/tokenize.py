import re
import string
import unicodedata
from itertools import groupby

import numpy as np


def by_pattern(text):
    return re.findall(r"[^\W_]+", text.lower())


def by_isalnum(text):
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def by_loop(text):
    tokens, current = [], ""
    for character in text.lower():
        if character.isalnum():
            current += character
        elif current:
            tokens.append(current)
            current = ""
    if current:
        tokens.append(current)
    return tokens


def by_split(text):
    return [t for t in re.split(r"[\W_]", text.lower()) if t]


def by_substitution(text):
    return re.sub(r"[^\w\s]|_", " ", text.lower()).split()


def by_groups(text):
    return ["".join(run) for inside, run in groupby(text.lower(), key=str.isalnum) if inside]


def by_replacing_each(text):
    text = text.lower()
    for character in set(text):
        if not character.isalnum():
            text = text.replace(character, " ")
    return text.split()


def lower_at_the_end(text):
    return [t.lower() for t in re.findall(r"(?:(?!_)\w)+", text)]


def as_tuple(text, lower=True):
    return tuple(by_isalnum(text.lower() if lower else text))


def as_array(text):
    return np.array(by_isalnum(text))


def word_characters(text):
    return re.findall(r"\w+", text.lower())


def a_to_z(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def only_split(text):
    return text.lower().split()


def strips(text):
    return [word.strip(".,!?;:()/-_") for word in text.lower().split()]


def delete_punctuation(text):
    for mark in string.punctuation:
        text = text.replace(mark, "")
    return text.lower().split()


def loop_without_the_last(text):
    tokens, current = [], ""
    for c in text.lower():
        if c.isalnum():
            current += c
        elif current:
            tokens.append(current)
            current = ""
    return tokens


def not_begun_again(text):
    tokens, current = [], ""
    for c in text.lower() + " ":
        if c.isalnum():
            current += c
        elif current:
            tokens.append(current)
    return tokens


def split_leaves_empties(text):
    return re.split(r"[\W_]+", text.lower())


def split_at_each(text):
    return "".join(c if c.isalnum() else " " for c in text.lower()).split(" ")


def lower_is_lost(text):
    text.lower()
    return "".join(c if c.isalnum() else " " for c in text).split()


def bare_split(text):
    return text.split()


def at_single_spaces(text):
    return text.lower().split(" ")


def strip_punctuation(text):
    return [word.strip(string.punctuation) for word in text.lower().split()]


def small_letters(text):
    return re.findall(r"[a-z0-9]+", text)


def list_of_text(text):
    return list(text)


def letters_one_by_one(text):
    return [c for c in text.lower() if c.isalnum()]


def lower_only(text):
    return text.lower()


def cleaned_only(text):
    return "".join(c if c.isalnum() else " " for c in text.lower())


def joined(text):
    return " ".join(by_isalnum(text))


def nothing(text):
    return []


def and_for_or(text):
    return "".join(c if c.isalpha() and c.isdigit() else " " for c in text.lower()).split()


def replaces_ascii_punctuation(text):
    for c in string.punctuation:
        text = text.replace(c, " ")
    return text.lower().split()


def drops_short_pieces(text):
    return [w for w in by_isalnum(text) if len(w) > 1]


def hyphens(text):
    return re.findall(r"(?:[^\W_]|-)+", text.lower())


def apostrophes(text):
    return re.findall(r"(?:[^\W_]|')+", text.lower())


def letters_only(text):
    return "".join(c if c.isalpha() else " " for c in text.lower()).split()


def deletes_the_others(text):
    return "".join(c for c in text.lower() if c.isalnum() or c == " ").split()


def sorted_set(text):
    return sorted(set(by_isalnum(text)))


def marks_too(text):
    return re.findall(r"[^\W_]+|[^\w\s]|_", text.lower())


VARIANTS = [
    by_pattern,
    by_isalnum,
    by_loop,
    by_split,
    by_substitution,
    by_groups,
    by_replacing_each,
    lower_at_the_end,
    as_tuple,
    as_array,
]


def stores_at_each_separator(text):
    tokens, token = [], ""
    for character in text.lower():
        if character.isalnum():
            token += character
        else:
            tokens.append(token)
            token = ""
    return [*tokens, token] if token else tokens


def stores_and_keeps_all(text):
    tokens, token = [], ""
    for character in text.lower() + " ":
        if character.isalnum():
            token += character
        else:
            tokens.append(token)
    return tokens


def replaces_the_marks_of_the_example(text):
    for mark in ".'-":
        text = text.replace(mark, " ")
    return text.lower().split()


def replaces_these_and_commas(text):
    for mark in ".'-,":
        text = text.replace(mark, " ")
    return text.lower().split()


def casefolded(text):
    return "".join(c if c.isalnum() else " " for c in text.casefold()).split()


def whole_words_only(text):
    return [piece for piece in text.lower().split() if piece.isalnum()]


def letters_or_digits(text):
    return re.findall(r"[^\W\d_]+|\d+", text.lower())


def without_accents(text):
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", plain)


def after_replacing(mark):
    return lambda text: by_isalnum(text.replace(mark, ""))


def curly_apostrophes(text):
    return "".join(c if c.isalnum() or c == "\u2019" else " " for c in text.lower()).split()


def marks_by_the_usual_pattern(text):
    return re.findall(r"[^\W_]+|[^\s\w]", text.lower())


def taken_apart(text):
    return by_isalnum(unicodedata.normalize("NFKD", text))


def no_numbers(text):
    return [token for token in by_isalnum(text) if not token.isdigit()]


def stores_each_letter(text):
    tokens, current = [], ""
    for c in text.lower():
        if c.isalnum():
            current += c
            tokens.append(current)
        else:
            current = ""
    return tokens


def replaces_the_usual_marks(text):
    for mark in ".,!?;:'\"-":
        text = text.replace(mark, " ")
    return text.lower().split()


def replaces_brackets_too(text):
    for mark in ".,!?;:'\"-()":
        text = text.replace(mark, " ")
    return text.lower().split()


def filters_each_piece(text):
    return ["".join(filter(str.isalnum, piece)) for piece in text.lower().split()]


def filters_and_cuts_at_single_spaces(text):
    return "".join(c for c in text.lower() if c.isalnum() or c == " ").split(" ")


def leaves_out_what_came_just_before(text):
    tokens = []
    for token in re.findall(r"[^\W_]+", text.lower()):
        if not tokens or token != tokens[-1]:
            tokens.append(token)
    return tokens


def a_capital_begins_a_token(text):
    return [token.lower() for token in re.findall(r"[A-Z]?[^\W_A-Z]+|[A-Z]+", text)]


def keeps_the_separator(text):
    tokens, current = [], ""
    for c in text.lower():
        if c.isalnum():
            current += c
        else:
            if current:
                tokens.append(current)
            current = c
    return [*tokens, current] if current else tokens


def ascii_alone(text):
    return re.findall(r"[a-z0-9]+", text.lower().encode("ascii", "ignore").decode())


def digit_by_digit(text):
    return re.findall(r"[^\W\d_]+|\d", text.lower())


def composes(text):
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).lower())


def with_a_capital(text):
    return [token.capitalize() for token in re.findall(r"[^\W_]+", text)]


def overwrites_at_each_separator(text):
    kept = ""
    for c in text.lower() + " ":
        if c.isalnum():
            kept = kept + c if kept[-1:].isalnum() else c
        else:
            kept += " "
    return kept.split()


def words_and_apostrophes(text):
    return re.findall(r"[\w']+", text.lower())


def replaces_in_the_first_text(text):
    text = text.lower()
    cleaned = text
    for character in text:
        if not character.isalnum():
            cleaned = text.replace(character, " ")
    return cleaned.split()


def letters_and_then_digits(text):
    return "".join(c if c.isalpha() or c.isdigit() else " " for c in text.lower()).split()


def replaces_a_list_of_its_own(text):
    """Cut at - or ' and so on; what is described here is not done."""
    for mark in (".", ",", ";", "/", "?"):
        text = text.replace(mark, " ")
    return text.lower().split()


def pattern_of_its_own(text):
    return re.findall(r"[^\s.,;:/]+", text.lower())


def emptied_in_each_round(text):
    tokens, current = [], ""
    for c in text.lower():
        if c.isalnum():
            current += c
        elif current:
            tokens.append(current)
        current = ""
    return tokens


WRONG = [
    (emptied_in_each_round, "nothing"),
    (pattern_of_its_own, "few-marks"),
    (replaces_a_list_of_its_own, "few-marks"),
    (letters_and_then_digits, "halves-separate"),
    (words_and_apostrophes, "apostrophes-and-underscores"),
    (replaces_in_the_first_text, "last-separator-only"),
    (composes, "composed"),
    (with_a_capital, "capitalised"),
    (overwrites_at_each_separator, "last-word-only"),
    (filters_each_piece, "glued-pieces"),
    (filters_and_cuts_at_single_spaces, "glued-single-spaces"),
    (leaves_out_what_came_just_before, "neighbours-once"),
    (a_capital_begins_a_token, "cut-at-capitals"),
    (keeps_the_separator, "separator-kept"),
    (ascii_alone, "ascii-only"),
    (digit_by_digit, "digits-one-by-one"),
    (after_replacing("\n"), "line-ends-deleted"),
    (after_replacing("\t"), "tabs-deleted"),
    (after_replacing("'"), "apostrophes-deleted"),
    (after_replacing("-"), "hyphens-deleted"),
    (after_replacing("_"), "underscores-deleted"),
    (curly_apostrophes, "curly-apostrophes-kept"),
    (marks_by_the_usual_pattern, "marks-kept"),
    (taken_apart, "decomposed"),
    (no_numbers, "numbers-left-out"),
    (stores_each_letter, "stored-each-letter"),
    (replaces_the_usual_marks, "few-marks"),
    (replaces_brackets_too, "few-marks"),
    (whole_words_only, "words-dropped"),
    (letters_or_digits, "digits-apart"),
    (without_accents, "accents-stripped"),
    (casefolded, "casefold"),
    (stores_at_each_separator, "empty-not-at-end"),
    (stores_and_keeps_all, "empty-between"),
    (replaces_the_marks_of_the_example, "few-marks"),
    (replaces_these_and_commas, "few-marks"),
    (word_characters, "underscores"),
    (a_to_z, "a-to-z"),
    (only_split, "whitespace-only"),
    (strips, "strips-ends"),
    (strip_punctuation, "strips-ends"),
    (delete_punctuation, "glued-keyboard"),
    (loop_without_the_last, "last-lost"),
    (not_begun_again, "not-reset"),
    (split_leaves_empties, "empty-tokens"),
    (split_at_each, "empty-between"),
    (lower_is_lost, "case-kept"),
    (bare_split, "bare-split"),
    (at_single_spaces, "space-split"),
    (small_letters, "capitals-cut"),
    (list_of_text, "characters"),
    (letters_one_by_one, "single-characters"),
    (lower_only, "whole-text"),
    (cleaned_only, "uncut"),
    (joined, "result-joined"),
    (nothing, "nothing"),
    (and_for_or, "nothing"),
    (replaces_ascii_punctuation, "ascii-punctuation"),
    (drops_short_pieces, "short-lost"),
    (hyphens, "hyphens-kept"),
    (apostrophes, "apostrophes-kept"),
    (letters_only, "digits-dropped"),
    (deletes_the_others, "glued-lines"),
    (sorted_set, "as-set"),
    (marks_too, "punctuation-kept"),
]
