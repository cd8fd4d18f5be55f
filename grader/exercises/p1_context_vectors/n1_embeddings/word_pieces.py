from grader.exercises.inputs import example
from grader.exercises.kinds import Case, function
from grader.exercises.stages import slip

UNKNOWN = "[UNK]"


def syllables(rng, n):
    """Different consonants, each with a vowel: none occurs within two others."""
    consonants, vowels = rng.permutation(list("bdfgklmnprstvz"))[:n], rng.choice(list("aeiou"), size=n)
    return [f"{consonant}{vowel}" for consonant, vowel in zip(consonants, vowels, strict=True)]


def cut(n, written, zero=0):
    """A function that makes a word and a vocabulary of n syllables; `written` gives the tokens in their order.

    The id 0 belongs to `[UNK]`, or to the token in place `zero`: in every draw alike.
    """

    def make(rng):
        word, tokens = written(*syllables(rng, n))
        tokens = [UNKNOWN, *tokens]
        ids = (rng.permutation(len(tokens) - 1) + 1).tolist()
        ids.insert(zero, 0)
        return {"word": word, "vocabulary": dict(zip(tokens, ids, strict=True))}

    return make


def two_pieces(a, b, c, d):
    return a + b + c, [d, a + b, f"##{d}", f"##{c}", a + d]


def shorter_ones_too(a, b, c, d, e, f):
    """Shorter pieces that fit as well, of which some come before the longer one in the vocabulary, others after it;
    and one that could only begin a word."""
    tokens = [a, f"##{b}", a + b, f"##{c}{d}", f"##{c}", f"##{d}", f"##{e}", f"##{e}{f}", f"##{f}", f"{e}{f}"]
    return a + b + c + d + e + f, tokens


def longer_one_further_on(a, b, c, d, e):
    return a + b + c + d + e, [a, f"##{b}{c}{d}{e}", a + b, f"##{c}{d}", f"##{e}", f"##{d}{e}"]


def whole_word(a, b, c):
    return a + b + c, [a, f"##{b}", f"##{c}", f"##{b}{c}", a + b, a + b + c]


def no_beginning(a, b, c):
    return a + b + c, [b, f"##{a}", f"##{b}", f"##{c}", c]


def no_going_on(a, b, c, d):
    return a + b + c, [a, b, c, f"##{c}", f"##{a}", f"##{d}"]


def dead_end(a, b, c, d):
    return a + b + c + d, [a, a + b, f"##{b}{c}{d}", f"##{d}"]


def one_letter(a, b, c):
    return a + b + b + c[0], [a, f"##{b}", f"##{c[0]}", f"##{c}", c]


def letter_by_letter(x, y, z, last):
    """A beginning of a single letter; a piece that grows by a letter, and then by two; and a letter at the end."""
    (a, b), (c, d), e, f = x, y, z[0], last[0]
    tokens = [a, f"##{b}", f"##{b}{c}{d}{e}", f"##{b}{c}", f"##{d}", b, f"##{d}{e}", f"##{f}", f"##{e}{f}", b + c]
    return a + b + c + d + e + f, tokens


def long_end(a, b, c, d):
    return a + b + c + d, [a, f"##{b}", f"##{c}", f"##{b}{c}{d}", b, f"##{d}", f"##{c}{d}"]


VOCABULARY = {UNKNOWN: 0, "play": 1, "p": 2, "##ful": 3, "##l": 4, "##fu": 5}


@function(
    points=4,
    returns="pieces",
    cases=(
        Case("a word of two pieces", cut(4, two_pieces), 0.1),
        Case("shorter pieces fit as well", cut(6, shorter_ones_too), 0.1),
        Case("a longer piece fits, but only further on", cut(5, longer_one_further_on), 0.1),
        Case("a word that is in the vocabulary itself, with the id 0", cut(3, whole_word, zero=6), 0.1),
        Case("nothing matches at the beginning of the word", cut(3, no_beginning), 0.1),
        Case("nothing matches further on", cut(4, no_going_on), 0.1),
        Case("the longest beginning leads nowhere", cut(4, dead_end), 0.1),
        Case("a piece that comes twice, and one of a single letter", cut(3, one_letter), 0.05),
        Case("pieces of one letter, and of a letter more", cut(4, letter_by_letter), 0.05),
        Case("a second piece that is longer than the first", cut(4, long_end), 0.05),
        Case("the example of the task", example(word="playful", vocabulary=VOCABULARY), 0.05),
    ),
    mistakes="""
    whole-only: a word that is not in the vocabulary as a whole comes out as unknown -> The vocabulary has its pieces.
        -> Where the whole does not match, try a shorter
        beginning; and mind that a `##` stands before what goes on with a word, never behind what begins one.
    two-only: you cut a word into two pieces at most -> A word may need three or more. -> What you do after the first
        piece, do again after each piece, until the word is used up.
    two-only-greedy: you look for the first piece and for the whole rest, and no further -> A word may need three pieces
        or more. -> What you do after the first piece, do again after each piece, until the word is used up.
    zero-is-false: a piece whose id is 0 counts as missing -> In Python 0 counts as false, so `if
        vocabulary.get(piece):` skips it. -> Ask whether the piece is *in* the vocabulary.
    repeats-lost: where a piece comes twice, you lose the second -> `replace` takes away all that is alike, and `lstrip`
        all letters that the piece has, as long as they come. -> Cut the word at a place: where the piece ends.
    rest-kept: what is left after the first piece goes into your list as it is -> Nobody has looked whether the
        vocabulary has it. -> Look it up, too; where it is missing, try a shorter stretch of it, and go on after that.
    mark-counted: you move on by two letters too many, from the second piece on -> The `##` of a piece is not in the
        word: it must not be counted. -> Go on where the stretch of the word ends.
    shortest: you take the shortest piece that matches, not the longest -> A word would fall into crumbs, and a crumb
        says less than a long piece. -> Try the longest stretch first, and make it shorter until it matches.
    ends-at-first-miss: you let a piece grow only as long as each stretch on the way is in the vocabulary -> You stop at
        the first stretch that is missing, and a longer one may be there: of `play`, `pl` and `pla` need not be. -> Try
        the longest stretch first, and make it shorter until it matches.
    ends-at-miss-after-match: you look no further when a longer stretch than one that matches is missing -> A still
        longer one may be there: with `p` and `play`, `pl` need not be. -> Try the longest stretch first, and make it
        shorter until it matches.
    letter-by-letter: you add a letter as long as the vocabulary has what comes out, and store it when it has not -> A
        longer stretch may be there although a shorter one is missing: of `play`, `pl` need not be. And what you begin
        anew with, nobody looks up. -> Try the longest stretch first, and make it shorter until it matches.
    letter-by-letter-if-any: you add a letter as long as the vocabulary has what comes out, and store it when it has not
        -> A longer stretch may be there although a shorter one is missing: of `play`, `pl` need not be. And what you
        begin anew with, nobody looks up. -> Try the longest stretch first, and make it shorter until it matches.
    fewest: you look for the cut with the fewest pieces -> That is a good rule, but another: this one takes the
        longest piece at each place, whatever comes after it. -> Begin at the beginning, take the longest piece that
        matches, and keep it.
    first-found: you take the first piece in the vocabulary that matches, not the longest -> The order of a dict says
        nothing about length. -> Among the pieces that match at this place, take the longest.
    last-found: you take the last piece in the vocabulary that matches, not the longest -> The order of a dict says
        nothing about length. -> Among the pieces that match at this place, take the longest.
    marks-missing: the pieces after the first come without their `##` -> `##ful` and `ful` are two tokens with two ids:
        only the first of them goes on with a word. -> Return each piece as it stands in the vocabulary.
    marks-everywhere: you look for the first piece with `##` as well -> `##` says that something of the same word comes
        before. -> Look for the beginning of the word without it.
    never-marked: you look for the pieces after the first without `##` -> What goes on with a word stands in the
        vocabulary with `##` before it; without it stands what begins a word. -> From the second piece on, put `##`
        before the stretch, and look that up.
    mark-late: a piece that begins with the second letter of the word is looked up without `##` -> The first piece may
        be a single letter. All that begins behind it goes on with the word. -> Where does a word begin? At 0, and
        nowhere else.
    mark-either: at each place you take a stretch as it is or with `##`, whichever is there -> Without `##` stands what
        begins a word, with it what goes on with one. -> Ask for the one at the beginning, and for the other from the
        second piece on.
    marked-once: only the second piece is looked up with `##`, not the third -> All pieces but the first go on with a
        word. -> Ask whether any piece has been found, not whether there is just one.
    mark-optional-first: at the beginning of the word you also take pieces with `##` -> `##` says that something of the
        same word comes before: nothing does there. -> Look for the beginning of the word without it.
    as-long-as-a-first: you try no stretch longer than the longest piece without `##` -> A piece with `##` may be longer
        than all that begin a word. -> Try the longest stretch that is left of the word first.
    end-added: you move on too far, from the second piece on -> `end` is a place in the word already: added to the
        start, it leads beyond the next piece. -> Go on where the stretch ends.
    mark-optional: from the second piece on, you also take pieces without `##` -> What goes on with a word stands in the
        vocabulary with `##` before it; without it stands what begins a word. -> From the second piece on, look up the
        stretch with `##` only.
    marked-after: you look for the pieces after the first without `##`, and put it before them later -> A word that can
        begin a word need not be able to go on with one: `ful` may be there and `##ful` not. -> Put `##` before the
        stretch first, and look that up.
    known-so-far: where nothing goes on with the pieces found so far, you return those -> The rest of the word is lost,
        and nobody can tell. -> Then the whole word is unknown: one `"[UNK]"`, and nothing else.
    unknown-rest: where nothing matches any more, you keep the pieces found so far, and add `"[UNK]"` -> Here a word is
        either known from end to end or not at all. -> Then the whole word is unknown: one `"[UNK]"`, and nothing else.
    skips: where nothing matches, you put `"[UNK]"` for a letter, and go on -> Here a word is either known from end to
        end or not at all. -> Then the whole word is unknown: one `"[UNK]"`, and nothing else.
    skips-silently: where nothing matches, you leave a letter out, and go on -> A letter is lost, and nobody can tell.
        -> Then the whole word is unknown: one `"[UNK]"`, and nothing else.
    nothing-found: an unknown word gives an empty list -> It would vanish from its sentence, and all words after it
        would move up. -> One `"[UNK]"` stands for it.
    unknown-as-word: an unknown word comes back as it is -> It is not in the vocabulary and has no id. -> One `"[UNK]"`
        stands for it.
    last-letter-lost: a last piece of a single letter is missing -> Your loop ends one letter too early. -> Go on as
        long as any letter is left.
    unknown-as-text: an unknown word gives a text, not a list -> The next step goes through what you return: a text
        letter by letter. -> Return a list with this one token in it.
    goes-back: where the longest piece leads nowhere, you go back and try a shorter one -> Finding a way wherever there
        is one is a good idea, but another rule: this one is greedy and never goes back. -> Take the longest piece that
        matches and keep it; where nothing matches after it, the word is unknown.
    from-the-end: you cut pieces off from the end of the word -> Both ways may lead to pieces, but to different ones.
        -> Begin at the beginning.
    first-only: you return the first piece only -> What comes after it is lost: a `return` inside a loop ends it in its
        first round. -> Return the list after the loop.
    last-only: you return the last piece only -> What came before it is lost: the list begins anew in each round, or
        each piece takes the place of the one before. -> Begin one list before the loop, and add each piece to it.
    no-single-letters: you never try a stretch of a single letter -> `range(a, b, -1)` ends before `b`. -> A piece may
        be as short as one letter; let the last end that you try be the start plus one.
    all-unknown: every word comes out as unknown -> Either you never find a piece up to the end of the word, as
        `range` and slices leave out their end, and the last letter is never looked at; or all are found, and your loop
        goes on: a `##` that is put before the rest is there when nothing else is left, and no piece. -> The first
        stretch that you try reaches to the end of the word; when no letter is left, all is done.
    """,
)
def word_pieces(word, vocabulary, wrong=frozenset()):
    """Greedy longest matches, with the mistakes that people make as switches."""
    if "whole-only" in wrong:
        return [word if word in vocabulary else UNKNOWN]
    if "all-unknown" in wrong:
        return [UNKNOWN]
    if "two-only" in wrong:
        return _two_at_most(word, vocabulary)
    if "goes-back" in wrong:
        return _any_cut(word, vocabulary) or [UNKNOWN]
    if "from-the-end" in wrong:
        return _from_the_end(word, vocabulary)
    if "fewest" in wrong:
        return min(_all_cuts(word, vocabulary), key=len, default=[UNKNOWN])
    if wrong & {"mark-optional", "mark-either", "mark-optional-first"}:
        return _mark_optional(word, vocabulary, wrong)
    if wrong & {"letter-by-letter", "letter-by-letter-if-any"}:
        pieces = _letter_by_letter(word, vocabulary)
        return pieces if "letter-by-letter" in wrong else [piece for piece in pieces if piece]
    if "two-only-greedy" in wrong:
        return _first_and_rest(word, vocabulary)
    if "zero-is-false" in wrong:
        vocabulary = {token: token_id for token, token_id in vocabulary.items() if token_id}
    firsts = [token for token in vocabulary if not token.startswith("##") and token != UNKNOWN]
    pieces, start = [], 0
    while start < len(word) - ("last-letter-lost" in wrong):
        goes_on = start > ("mark-late" in wrong)
        mark = "##" if "marks-everywhere" in wrong or (goes_on and not wrong & {"never-marked", "marked-after"}) else ""
        if "marked-once" in wrong and len(pieces) > 1:
            mark = ""
        shortest = start + 2 if "no-single-letters" in wrong else start + 1
        ends = [end for end in range(len(word), shortest - 1, -1) if mark + word[start:end] in vocabulary]
        if "as-long-as-a-first" in wrong:
            ends = [end for end in ends if end - start <= max(map(len, firsts), default=0)]
        if wrong & {"ends-at-first-miss", "ends-at-miss-after-match"}:
            ends = _without_gaps(ends, start + 1 if "ends-at-first-miss" in wrong else min(ends, default=0))
        if not ends:
            if wrong & {"skips", "skips-silently"}:
                pieces += [UNKNOWN] * ("skips" in wrong)
                start += 1
                continue
            if "unknown-rest" in wrong:
                return [*pieces, UNKNOWN]
            if "known-so-far" in wrong and pieces:
                return pieces
            if "nothing-found" in wrong:
                return []
            unknown = word if "unknown-as-word" in wrong else UNKNOWN
            return unknown if "unknown-as-text" in wrong else [unknown]
        places = {end: list(vocabulary).index(mark + word[start:end]) for end in ends}
        if "shortest" in wrong:
            end = ends[-1]
        elif "first-found" in wrong:
            end = min(ends, key=places.get)
        else:
            end = max(ends, key=places.get) if "last-found" in wrong else ends[0]
        written = "##" if "marked-after" in wrong and start else "" if "marks-missing" in wrong else mark
        pieces.append(written + word[start:end])
        if "first-only" in wrong:
            return pieces
        if "rest-kept" in wrong:
            return [*pieces, "##" + word[end:]] if word[end:] else pieces
        if "repeats-lost" in wrong:
            word, start, end = word[:end] + word[end:].replace(word[start:end], ""), end, end
        start = end + slip(wrong, {"mark-counted": len(mark), "end-added": start}, 0)
    return pieces[-1:] if "last-only" in wrong else pieces


def _without_gaps(ends, first):
    """Those of the ends that are reached from the first one without a gap."""
    return [end for end in ends if all(each in ends for each in range(first, end))]


def _letter_by_letter(word, vocabulary):
    pieces, piece = [], ""
    for letter in word:
        if piece + letter in vocabulary:
            piece += letter
        else:
            pieces.append(piece)
            piece = "##" + letter
    return [*pieces, piece]


def _all_cuts(word, vocabulary, mark=""):
    """Every cut of the word into pieces."""
    if not word:
        return [[]]
    firsts = [end for end in range(1, len(word) + 1) if mark + word[:end] in vocabulary]
    return [[mark + word[:end], *rest] for end in firsts for rest in _all_cuts(word[end:], vocabulary, "##")]


def _any_cut(word, vocabulary, mark=""):
    """The pieces of a cut, where there is one; None elsewhere. Longer pieces are tried first."""
    if not word:
        return []
    for end in range(len(word), 0, -1):
        rest = _any_cut(word[end:], vocabulary, "##") if mark + word[:end] in vocabulary else None
        if rest is not None:
            return [mark + word[:end], *rest]
    return None


def _mark_optional(word, vocabulary, wrong):
    pieces, start = [], 0
    while start < len(word):
        stretches = [word[start:end] for end in range(len(word), start, -1)]
        marks = ("##", "") if start else ("",)
        if "mark-either" in wrong or ("mark-optional-first" in wrong and not start):
            marks = ("", "##")
        elif "mark-optional-first" in wrong:
            marks = ("##",)
        tried = [mark + each for each in stretches for mark in marks]
        piece = next((one for one in tried if one in vocabulary), None)
        if piece is None:
            return [UNKNOWN]
        pieces.append(piece)
        start += len(piece.removeprefix("##"))
    return pieces


def _two_at_most(word, vocabulary):
    if word in vocabulary:
        return [word]
    cuts = [[word[:end], "##" + word[end:]] for end in range(len(word) - 1, 0, -1)]
    return next(([one, two] for one, two in cuts if one in vocabulary and two in vocabulary), [UNKNOWN])


def _first_and_rest(word, vocabulary):
    end = next((end for end in range(len(word), 0, -1) if word[:end] in vocabulary), None)
    if end is None or (word[end:] and "##" + word[end:] not in vocabulary):
        return [UNKNOWN]
    return [word[:end], "##" + word[end:]] if word[end:] else [word]


def _from_the_end(word, vocabulary):
    pieces, end = [], len(word)
    while end:
        found = (start for start in range(end) if ("##" if start else "") + word[start:end] in vocabulary)
        start = next(found, None)
        if start is None:
            return [UNKNOWN]
        pieces.insert(0, ("##" if start else "") + word[start:end])
        end = start
    return pieces
