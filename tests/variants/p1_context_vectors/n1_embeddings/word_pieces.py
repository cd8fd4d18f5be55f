import numpy as np


def two_loops(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start:
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                break
            end -= 1
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


def for_and_else(word, vocabulary):
    pieces = []
    mark = ""
    while word:
        for end in range(len(word), 0, -1):
            if mark + word[:end] in vocabulary:
                pieces.append(mark + word[:end])
                word, mark = word[end:], "##"
                break
        else:
            return ["[UNK]"]
    return pieces


def by_recursion(word, vocabulary, mark=""):
    for end in range(len(word), 0, -1):
        if mark + word[:end] in vocabulary:
            if end == len(word):
                return [mark + word]
            rest = by_recursion(word[end:], vocabulary, "##")
            return rest if rest == ["[UNK]"] else [mark + word[:end], *rest]
    return ["[UNK]"]


def marks_in_the_word(word, vocabulary):
    pieces, rest = [], word
    while rest and rest != "##":
        fitting = [token for token in vocabulary if rest.startswith(token) and token not in ("#", "##")]
        if not fitting:
            return ["[UNK]"]
        longest = max(fitting, key=len)
        pieces.append(longest)
        rest = "##" + rest[len(longest) :]
    return pieces


def sorted_by_length(word, vocabulary):
    by_length = sorted(vocabulary, key=len, reverse=True)
    pieces, done = [], 0
    while done < len(word):
        mark = "##" * (done > 0)
        piece = next((t for t in by_length if (mark + word[done:]).startswith(t) and t != "##"), None)
        if piece is None:
            pieces, done = ["[UNK]"], len(word)
        else:
            pieces.append(piece)
            done += len(piece) - len(mark)
    return pieces


def with_a_set(word, vocabulary):
    known, pieces, start = set(vocabulary), [], 0
    while start != len(word):
        stretches = [word[start:end] for end in range(start + 1, len(word) + 1)]
        marked = ["##" + s for s in stretches] if start else stretches
        found = [m for m in marked if m in known]
        if not found:
            return ["[UNK]"]
        pieces += found[-1:]
        start += len(found[-1]) - (2 if start else 0)
    return pieces


def as_tuple(word, vocabulary, unknown="[UNK]"):
    pieces = two_loops(word, vocabulary)
    return tuple(pieces) if pieces else (unknown,)


def as_array(word, vocabulary):
    return np.array(two_loops(word, vocabulary))


def or_unknown(word, vocabulary):
    return [word] if word in vocabulary else ["[UNK]"]


def shortest_first(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(start + 1, len(word) + 1):
            piece = "##" * (start > 0) + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


def in_the_order_of_the_vocabulary(word, vocabulary):
    pieces, rest = [], word
    while rest not in ("", "##"):
        for token in vocabulary:
            if rest.startswith(token):
                pieces.append(token)
                rest = "##" + rest[len(token) :]
                break
        else:
            return ["[UNK]"]
    return pieces


def in_two(word, vocabulary):
    for end in range(len(word), 0, -1):
        first, second = word[:end], "##" + word[end:]
        if first in vocabulary and second in (*vocabulary, "##"):
            return [first] if second == "##" else [first, second]
    return ["[UNK]"]


def rest_unseen(word, vocabulary):
    fitting = [token for token in vocabulary if word.startswith(token)]
    if not fitting:
        return ["[UNK]"]
    best = max(fitting, key=len)
    return [best] if best == word else [best, "##" + word[len(best) :]]


def counts_the_marks(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        stretches = (word[start:end] for end in range(len(word), start, -1))
        piece = next((m for s in stretches if (m := "##" * (start > 0) + s) in vocabulary), None)
        if piece is None:
            return ["[UNK]"]
        pieces.append(piece)
        start += len(piece)
    return pieces


def what_was_found(word, vocabulary):
    found = breaks_in_silence(word, vocabulary)
    return found if found else ["[UNK]"]


def without_marks(word, vocabulary):
    return [piece.removeprefix("##") for piece in two_loops(word, vocabulary)]


def looks_without_marks(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            if word[start:end] in vocabulary:
                pieces.append(word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


def marks_afterwards(word, vocabulary):
    first, *others = looks_without_marks(word, vocabulary)
    return [first, *("##" + piece for piece in others)]


def breaks(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        ends = [e for e in range(len(word), start, -1) if "##" * (start > 0) + word[start:e] in vocabulary]
        if not ends:
            pieces.append("[UNK]")
            break
        pieces.append("##" * (start > 0) + word[start : ends[0]])
        start = ends[0]
    return pieces


def breaks_in_silence(word, vocabulary):
    return [piece for piece in breaks(word, vocabulary) if piece != "[UNK]"]


def unknown_letters(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            pieces.append("[UNK]")
            start += 1
    return pieces


def text_for_unknown(word, vocabulary):
    pieces = two_loops(word, vocabulary)
    return "[UNK]" if pieces == ["[UNK]"] else pieces


def empty_for_unknown(word, vocabulary):
    pieces = two_loops(word, vocabulary)
    return [] if pieces == ["[UNK]"] else pieces


def backtracks(word, vocabulary, mark=""):
    for end in range(len(word), 0, -1):
        if mark + word[:end] in vocabulary:
            if end == len(word):
                return [mark + word]
            rest = backtracks(word[end:], vocabulary, "##")
            if rest != ["[UNK]"]:
                return [mark + word[:end], *rest]
    return ["[UNK]"]


def returns_in_the_loop(word, vocabulary):
    pieces = []
    for end in range(len(word), 0, -1):
        if word[:end] in vocabulary:
            pieces.append(word[:end])
            return pieces
    return ["[UNK]"]


def never_to_the_end(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word) - 1, start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


def never_a_single_letter(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start + 1, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


def ids_too(word, vocabulary):
    return [vocabulary[piece] for piece in two_loops(word, vocabulary)]


def empties_the_vocabulary(word, vocabulary):
    vocabulary.pop("[UNK]")
    return two_loops(word, vocabulary)


VARIANTS = [
    two_loops,
    for_and_else,
    by_recursion,
    marks_in_the_word,
    sorted_by_length,
    with_a_set,
    as_tuple,
    as_array,
]


def cuts_by(shorten):
    def pieces_of(word, vocabulary):
        pieces, rest = [], word
        while rest:
            mark = "##" if pieces else ""
            end = next((end for end in range(len(rest), 0, -1) if mark + rest[:end] in vocabulary), None)
            if end is None:
                return ["[UNK]"]
            pieces.append(mark + rest[:end])
            rest = shorten(rest, rest[:end])
        return pieces

    return pieces_of


def asks_for_a_true_id(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = "##" * (start > 0) + word[start:end]
            if vocabulary.get(piece):
                pieces.append(piece)
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces


def first_and_all_the_rest(word, vocabulary):
    for end in range(len(word), 0, -1):
        if word[:end] in vocabulary:
            if end == len(word):
                return [word]
            rest = "##" + word[end:]
            return [word[:end], rest] if rest in vocabulary else ["[UNK]"]
    return ["[UNK]"]


def with_and_without_the_mark(word, vocabulary):
    pieces, rest = [], word
    while rest:
        for end in range(len(rest), 0, -1):
            if "##" + rest[:end] in vocabulary and pieces:
                pieces.append("##" + rest[:end])
                break
            if rest[:end] in vocabulary:
                pieces.append(rest[:end])
                break
        else:
            return ["[UNK]"]
        rest = rest[end:]
    return pieces


def marks_only_the_second(word, vocabulary):
    out, start = [], 0
    while start < len(word):
        mark = "##" if len(out) == 1 else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                out.append(mark + word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return out


def grows_until_it_is_missing(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        mark, end = "##" if start else "", start
        while end < len(word) and mark + word[start : end + 1] in vocabulary:
            end += 1
        if end == start:
            return ["[UNK]"]
        pieces.append(mark + word[start:end])
        start = end
    return pieces


def grows_until_it_is_missing_again(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        best = None
        for end in range(start + 1, len(word) + 1):
            if ("##" if start else "") + word[start:end] in vocabulary:
                best = end
            elif best is not None:
                break
        if best is None:
            return ["[UNK]"]
        pieces.append(("##" if start else "") + word[start:best])
        start = best
    return pieces


def letter_after_letter(word, vocabulary):
    pieces, piece = [], ""
    for letter in word:
        if piece + letter in vocabulary:
            piece += letter
        else:
            pieces.append(piece)
            piece = "##" + letter
    pieces.append(piece)
    return pieces


def letter_after_letter_if_any(word, vocabulary):
    return [piece for piece in letter_after_letter(word, vocabulary) if piece]


def in_fewest_pieces(word, vocabulary):
    best = {0: []}
    for end in range(1, len(word) + 1):
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if start in best and piece in vocabulary and (end not in best or len(best[start]) + 1 < len(best[end])):
                best[end] = [*best[start], piece]
    return best.get(len(word), ["[UNK]"])


def longest(word, vocabulary, marks, to=0, unknown="[UNK]"):
    """The longest matches with the marks that `marks` names at a place."""
    pieces, start = [], 0
    while start < len(word) - to:
        ends = range(len(word), start, -1)
        found = next(
            ((m + word[start:e], e) for e in ends for m in marks(start) if m + word[start:e] in vocabulary), None
        )
        if found is None:
            return [unknown]
        pieces.append(found[0])
        start = found[1]
    return pieces


def marks_above_one(word, vocabulary):
    return longest(word, vocabulary, lambda start: ["##" if start > 1 else ""])


def plain_or_marked(word, vocabulary):
    return longest(word, vocabulary, lambda start: ["", "##"])


def one_letter_too_early(word, vocabulary):
    return longest(word, vocabulary, lambda start: ["##" if start else ""], to=1)


def the_word_itself(word, vocabulary):
    return longest(word, vocabulary, lambda start: ["##" if start else ""], unknown=word)


def marks_the_first_as_well(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end]
            if not start and piece in vocabulary:
                break
            if "##" + piece in vocabulary:
                piece = "##" + piece
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


def no_longer_than_a_first_piece(word, vocabulary):
    most = max(len(token) for token in vocabulary if not token.startswith("##") and token != "[UNK]")
    pieces, start = [], 0
    while start < len(word):
        for end in range(min(start + most, len(word)), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


def moves_on_by_the_end(word, vocabulary):
    pieces, i = [], 0
    while i < len(word):
        for j in range(len(word), i, -1):
            piece = ("##" if i else "") + word[i:j]
            if piece in vocabulary:
                pieces.append(piece)
                i += j
                break
        else:
            return ["[UNK]"]
    return pieces


def the_mark_is_left(word, vocabulary):
    pieces = []
    while word:
        for end in range(len(word), 0, -1):
            if word[:end] in vocabulary:
                pieces.append(word[:end])
                word = "##" + word[end:]
                break
        else:
            return ["[UNK]"]
    return pieces


WRONG = [
    (the_mark_is_left, "all-unknown"),
    (marks_the_first_as_well, "mark-optional-first"),
    (no_longer_than_a_first_piece, "as-long-as-a-first"),
    (moves_on_by_the_end, "end-added"),
    (grows_until_it_is_missing, "ends-at-first-miss"),
    (grows_until_it_is_missing_again, "ends-at-miss-after-match"),
    (letter_after_letter, "letter-by-letter"),
    (letter_after_letter_if_any, "letter-by-letter-if-any"),
    (in_fewest_pieces, "fewest"),
    (marks_above_one, "mark-late"),
    (plain_or_marked, "mark-either"),
    (one_letter_too_early, "last-letter-lost"),
    (the_word_itself, "unknown-as-word"),
    (marks_only_the_second, "marked-once"),
    (cuts_by(lambda rest, piece: rest.replace(piece, "")), "repeats-lost"),
    (cuts_by(lambda rest, piece: rest.lstrip(piece)), "repeats-lost"),
    (asks_for_a_true_id, "zero-is-false"),
    (first_and_all_the_rest, "two-only-greedy"),
    (or_unknown, "whole-only"),
    (shortest_first, "shortest"),
    (in_the_order_of_the_vocabulary, "first-found"),
    (without_marks, "marks-missing"),
    (looks_without_marks, "never-marked"),
    (marks_afterwards, "marked-after"),
    (breaks, "unknown-rest"),
    (breaks_in_silence, "known-so-far"),
    (what_was_found, "known-so-far"),
    (in_two, "two-only"),
    (rest_unseen, "rest-kept"),
    (counts_the_marks, "mark-counted"),
    (unknown_letters, "skips"),
    (text_for_unknown, "unknown-as-text"),
    (empty_for_unknown, "nothing-found"),
    (backtracks, "goes-back"),
    (returns_in_the_loop, "first-only"),
    (never_to_the_end, "all-unknown"),
    (never_a_single_letter, "no-single-letters"),
    (ids_too, "wrong-kind"),
    (empties_the_vocabulary, "changes-input"),
    (with_and_without_the_mark, "mark-optional"),
]
