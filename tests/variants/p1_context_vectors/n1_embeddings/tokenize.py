import re
import string

import numpy as np


def tokenize_by_pattern(text):
    return re.findall(r"[^\W_']*(?:'|[^\W_])+", text.lower().replace("’", "'"))


def tokenize_by_isalnum(text):
    text = text.lower().replace("’", "'")
    return "".join(c if c.isalnum() or c == "'" else " " for c in text).split()


def tokenize_by_loop(text):
    tokens, current = [], ""
    for character in text.lower():
        if character == "’":
            character = "'"
        if character.isalnum() or character == "'":
            current += character
        elif current:
            tokens.append(current)
            current = ""
    if current:
        tokens.append(current)
    return tokens


def tokenize_by_split(text):
    return [t for t in re.split(r"[^\w']|_", text.replace("’", "'").lower()) if t]


def tokenize_by_substitution(text):
    return re.sub(r"[^\w\s']|_", " ", text.lower().replace("\u2019", "'")).split()


def tokenize_lower_at_the_end(text):
    return [t.lower() for t in re.findall(r"(?:(?!_)[\w'])+", text.replace("’", "'"))]


def tokenize_as_tuple(text, lower=True):
    return tuple(tokenize_by_isalnum(text.casefold() if lower else text))


def tokenize_as_array(text):
    return np.array(tokenize_by_isalnum(text))


def tokenize_word_characters(text):
    return re.findall(r"[\w']+", text.lower().replace("’", "'"))


def tokenize_a_to_z(text):
    return re.findall(r"[a-z0-9']+", text.lower().replace("’", "'"))


def tokenize_only_split(text):
    return text.lower().split()


def tokenize_strip(text):
    return [word.strip(".,!?;:()/-_") for word in text.lower().replace("’", "'").split()]


def tokenize_delete_punctuation(text):
    out = text.lower().replace("’", "'")
    for mark in string.punctuation:
        if mark != "'":
            out = out.replace(mark, "")
    return out.split()


def tokenize_loop_without_the_last(text):
    tokens, current = [], ""
    for c in text.lower().replace("’", "'"):
        if c.isalnum() or c == "'":
            current += c
        elif current:
            tokens.append(current)
            current = ""
    return tokens


def tokenize_split_leaves_empties(text):
    return re.split(r"(?:[^\w']|_)+", text.lower().replace("’", "'"))


def tokenize_no_lower(text):
    return tokenize_by_pattern_case_kept(text.replace("’", "'"))


def tokenize_by_pattern_case_kept(text):
    return re.findall(r"(?:[^\W_]|')+", text)


def tokenize_strip_apostrophes(text):
    return [t for t in (t.strip("'") for t in tokenize_by_isalnum(text)) if t]


def tokenize_bare_split(text):
    return text.split()


def tokenize_at_single_spaces(text):
    return text.lower().split(" ")


def tokenize_at_single_spaces_case_kept(text):
    return text.split(" ")


def tokenize_strip_punctuation(text):
    return [word.strip(string.punctuation) for word in text.lower().split()]


def tokenize_small_letters(text):
    return re.findall(r"[a-z']+", text.lower())


def tokenize_small_letters_case_kept(text):
    return re.findall(r"[a-z']+", text)


def tokenize_ascii(text):
    return re.findall(r"[a-z0-9']+", text.lower())


def tokenize_ascii_case_kept(text):
    return re.findall(r"[a-zA-Z0-9']+", text)


def tokenize_ascii_no_capitals(text):
    return re.findall(r"[a-z0-9']+", text.replace("’", "'"))


def tokenize_curly_stays(text):
    return "".join(c if c.isalnum() or c in "'’" else " " for c in text.lower()).split()


def tokenize_list_of_text(text):
    return list(text)


def tokenize_letters_one_by_one(text):
    return [c for c in text.lower().replace("’", "'") if c.isalnum() or c == "'"]


def tokenize_lower_only(text):
    return text.lower()


def tokenize_cleaned_only(text):
    return "".join(c if c.isalnum() or c == "'" else " " for c in text.lower().replace("’", "'"))


def tokenize_joined(text):
    return " ".join(tokenize_by_isalnum(text))


def tokenize_nothing(text):
    return []


def tokenize_replaces_ascii_punctuation(text):
    text = text.lower().replace("’", "'")
    for c in string.punctuation:
        if c != "'":
            text = text.replace(c, " ")
    return text.split()


def tokenize_drops_short_pieces(text):
    text = text.lower().replace("’", "'")
    return [w for w in "".join(c if c.isalnum() or c == "'" else " " for c in text).split(" ") if len(w) > 1]


def tokenize_and_for_or(text):
    text = text.lower().replace("’", "'")
    return "".join(c if c.isalnum() and c == "'" else " " for c in text).split()


def tokenize_hyphens(text):
    return re.findall(r"(?:[^\W_]|['-])+", text.lower().replace("’", "'"))


VARIANTS = [
    tokenize_by_pattern,
    tokenize_by_isalnum,
    tokenize_by_loop,
    tokenize_by_split,
    tokenize_by_substitution,
    tokenize_lower_at_the_end,
    tokenize_as_tuple,
    tokenize_as_array,
]


WRONG = [
    (tokenize_word_characters, "underscores"),
    (tokenize_a_to_z, "a-to-z"),
    (tokenize_only_split, "whitespace-only"),
    (tokenize_strip, "strips-ends"),
    (tokenize_delete_punctuation, "glued-keyboard"),
    (tokenize_loop_without_the_last, "last-lost"),
    (tokenize_split_leaves_empties, "empty-tokens"),
    (tokenize_no_lower, "case-kept"),
    (tokenize_strip_apostrophes, "outer-apostrophes"),
    (tokenize_bare_split, "bare-split"),
    (tokenize_at_single_spaces, "space-split"),
    (tokenize_at_single_spaces_case_kept, "space-split"),
    (tokenize_strip_punctuation, "plain-strip"),
    (tokenize_small_letters, "plain-letters"),
    (tokenize_small_letters_case_kept, "capitals-cut"),
    (tokenize_ascii, "ascii"),
    (tokenize_ascii_case_kept, "case-kept"),
    (tokenize_ascii_no_capitals, "capitals-cut"),
    (tokenize_curly_stays, "curly-kept"),
    (tokenize_list_of_text, "characters"),
    (tokenize_letters_one_by_one, "single-characters"),
    (tokenize_lower_only, "whole-text"),
    (tokenize_cleaned_only, "uncut"),
    (tokenize_joined, "joined"),
    (tokenize_nothing, "nothing"),
    (tokenize_replaces_ascii_punctuation, "ascii-punctuation"),
    (tokenize_drops_short_pieces, "short-lost"),
    (tokenize_and_for_or, "nothing"),
    (tokenize_hyphens, "hyphens-kept"),
]
