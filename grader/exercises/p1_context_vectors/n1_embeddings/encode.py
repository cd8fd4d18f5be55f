import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, function
from grader.exercises.p1_context_vectors.n1_embeddings.shared import some_words
from grader.exercises.stages import slip


def small_vocabulary(rng, size):
    """`size` words and "[UNK]" with ids in another order than the dict's; "[UNK]" is neither 0, 1 nor the last id.

    Nor is it 3, as in the example; and it varies, so that no fixed id is always right. "[UNK]" stands neither first nor
    last.
    """
    words = some_words(rng, size)
    place = int(rng.integers(1, size))
    ids = rng.permutation(size + 1)
    while ids[place] in (0, 1, 3, size) or (ids == np.arange(size + 1)).any():
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
    part = next(word[1:] for word in tokens if word[1:] not in vocabulary)
    beginning = next(word[:-1] for word in tokens if word[:-1] not in vocabulary)
    for place, token in (
        (0, "zebra"),
        (3, "quokka"),
        (6, "zebra"),
        (8, part),
        (5, tokens[1].capitalize()),
        (4, beginning),
    ):
        tokens.insert(place, token)
    return {"tokens": tokens, "vocabulary": vocabulary}


def id_zero(rng):
    vocabulary = small_vocabulary(rng, 7)
    return {"tokens": known_tokens(rng, vocabulary, 5, zero=True), "vocabulary": vocabulary}


#: Which words of the vocabulary are taken for a token, by the slip: the first that fits.
FIRST_THAT = {
    "first-that-contains": lambda word, token: token in word,
    "first-that-begins": lambda word, token: word.startswith(token),
}
EXAMPLE = {"tokens": ["the", "quokka", "sat"], "vocabulary": {"cat": 0, "the": 2, "[UNK]": 3, "sat": 1}}


@function(
    points=2,
    returns="token_ids",
    cases=(
        Case("known tokens", only_known, 0.3),
        Case("an unknown token", one_unknown, 0.3),
        Case("several unknown tokens", several_unknown, 0.15),
        Case("a token whose id is 0", id_zero, 0.1),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    mistakes="""
    dropped: unknown tokens are left out -> The list becomes shorter, and every id after the gap belongs to another
        place in the sentence. -> Put the id of `"[UNK]"` in the place of an unknown token.
    not-provided-for: where a token is unknown, you look up something that is not in the vocabulary -> Square brackets
        raise a KeyError where the key is missing: the token itself, or `"[UNK]"` in another spelling. Real text always
        has such words. -> Test first whether the token is in the vocabulary, or use a dict's `get`, which takes a
        second argument; and write `"[UNK]"` as the vocabulary does.
    none-for-unknown: unknown tokens get None instead of an id -> `vocabulary.get(token)` gives None where the token is
        missing, and None is no row number. -> Give `get` its second argument: what to return for a missing key.
    zero: an unknown token gets the id 0 -> 0 is the id of another token; in the course's vocabulary of `[PAD]`. The two
        could not be told apart. -> Look the id of `"[UNK]"` up in the vocabulary.
    hard-coded: the id of `"[UNK]"` is written down as 1 -> It is 1 in the course's word vectors, but another vocabulary
        has it elsewhere. -> Look the id of `"[UNK]"` up in the vocabulary that is passed in.
    hard-coded-3: the id of `"[UNK]"` is written down as 3 -> It is 3 in the example, but another vocabulary has it
        elsewhere. -> Look the id of `"[UNK]"` up in the vocabulary that is passed in.
    one-beyond: an unknown token gets the first id that is not taken -> The embedding matrix has no row for it. -> Look
        the id of `"[UNK]"` up in the vocabulary.
    first-id: an unknown token gets the first id of the vocabulary -> A dict need not begin with `"[UNK]"`. -> Ask it
        for the id of `"[UNK]"` by name.
    last-id: an unknown token gets the last id of the vocabulary -> A dict need not end with `"[UNK]"`. -> Ask it for
        the id of `"[UNK]"` by name.
    largest-id: an unknown token gets the largest id of the vocabulary -> It may belong to any token. -> Ask the
        vocabulary for the id of `"[UNK]"` by name.
    id-kept: an unknown token gets the id of the known one before it -> What a round of the loop has found is still
        there in the next. -> Find an id anew in each round, for unknown tokens as well.
    first-place-in-sentence: a known token gets the place where it first stands in the sentence, not its id ->
        `tokens.index` looks among the tokens. -> Ask the vocabulary for the id of the token.
    text-for-unknown: unknown tokens get the text `"[UNK]"`, not its id -> The embedding matrix is asked by row number;
        a text is no row number. -> The vocabulary holds the id of `"[UNK]"`, as of any other token.
    all-unknown: every token comes out as unknown -> A vocabulary is asked with a token and holds its id: no token is
        found among the ids, nor by any other test that is never true. -> `token in vocabulary` asks the right thing.
    unknown-besides: the id of `"[UNK]"` comes after the id of every known token, too -> What stands behind an `if`
        without an `else` happens in each round. -> One id for each token: either the one or the other.
    stops-at-unknown: your list ends at the first unknown token -> A `try` around the whole loop, a `break` or a
        `return` ends it there; the tokens that come after it are lost. -> Decide for each token, inside the loop.
    breaks-at-unknown: your list ends before the first unknown token -> A `try` around the whole loop, a `break` or a
        `return` ends it there; the tokens that come after it are lost. -> Decide for each token, inside the loop.
    as-set: each token comes once, and the order of the sentence is lost -> A `set` keeps neither repetitions nor order.
        A sentence is a sequence: each occurrence has its place. -> Go through the list of tokens as it comes.
    ids-as-set: each id comes once, and the order of the sentence is lost -> A `set` keeps neither repetitions nor
        order. A sentence is a sequence: each occurrence has its place. -> Keep a list.
    by-vocabulary: the ids come in the order of the vocabulary, each once -> A loop over the vocabulary goes through the
        words that there are, not through the sentence. -> Go through the tokens, and look each of them up.
    unknown-at-end: the unknown tokens are left out, and the id of `"[UNK]"` stands once, at the end -> What stands
        behind the loop happens once. -> Decide for each token, inside the loop.
    known-first: the ids of all known tokens come first, and those of the unknown ones after them -> Two loops, one
        after the other, lose the order of the sentence. -> Decide for each token, inside one loop.
    sorted-words: you number the words of the vocabulary in the order of the alphabet -> The ids of a vocabulary are in
        it: the row of E that belongs to a word. -> Ask the dict for the value that belongs to the token.
    every-pair: each token is compared with every word of the vocabulary, and each comparison leaves an id -> Most words
        are another word, so that nearly all your ids are that of `"[UNK]"`. -> Ask once for each token: `token in
        vocabulary`.
    part-of-a-word: a token that is a part of a known word counts as known -> `in` asks a text whether it has these
        letters anywhere, and a dict whether it has this key. -> Ask the vocabulary itself: `token in vocabulary`.
    first-that-contains: a token gets the id of the first word of the vocabulary that has its letters in it -> `in` asks
        a text whether it has these letters anywhere: a part of a word is another word. -> Compare whole words: ask the
        vocabulary itself for the token.
    first-that-begins: a token gets the id of the first word of the vocabulary that begins with it -> The beginning of a
        word is another word. -> Compare whole words: ask the vocabulary itself for the token.
    lower-cased: you make the tokens lower-case before you look them up -> A token that the vocabulary does not have as
        it stands is unknown; what is to be made lower-case, `tokenize` has done before. -> Look each token up as it
        comes.
    last-word-only: only the last word of the vocabulary is ever found -> Your loop over the vocabulary goes on after it
        has found the token, and each later word overwrites the id. -> Ask once for each token: `token in vocabulary`.
    repeats-left-out: each token comes once, in the order in which it first stands there -> The keys of a dict are all
        different: `dict.fromkeys` keeps no repetitions. Each occurrence has its place in the sentence. -> Go through
        the list of tokens as it comes.
    row-by-index: a token that comes again has its id in the place of the first one -> `index` gives the place where a
        token first stands, and the place of the second keeps what was there before. -> Go through the tokens with a
        counter: `enumerate`.
    turned-round: known tokens get what is meant for unknown ones, and the other way round -> `a if condition else b`
        takes a where the condition is true. -> Turn the condition round, or exchange the two.
    all-for-one: one unknown token makes all tokens unknown -> A `try` round the whole loop sees that something was
        missing, not what. -> Decide for each token, inside the loop.
    characters: you look up single letters, not tokens -> A loop over a token yields its letters one by one. -> One loop
        is enough: over the tokens.
    characters-and-spaces: you look up single letters, and the spaces between the tokens -> A loop over a text yields
        its characters one by one. -> Leave the list of tokens as it is, and go through it.
    place-in-sentence: a known token gets its place in the sentence, not its id -> The counter of a loop says where the
        token stands. -> Ask the vocabulary for the id of the token.
    counted-from-one: the ids of known tokens are one too large -> The vocabulary holds the ids as they are to be used:
        row numbers that count from 0. -> Take them as they are.
    minus-one: an unknown token gets the id -1 -> In Python -1 is the last row: every unknown word would silently get
        the vector of the last word. -> Look the id of `"[UNK]"` up in the vocabulary.
    grows: you change the vocabulary: an unknown token gets a new id -> `vocabulary.setdefault` and `vocabulary[token] =
        ...` put a new word into the dict that was passed in. The embedding matrix has no row for a new id. -> All
        unknown tokens share one id, that of `"[UNK]"`.
    zero-is-false: the token with the id 0 is taken for unknown -> In Python 0 counts as false, so
        `vocabulary.get(token) or ...` and `if vocabulary.get(token):` skip it. -> Test `token in vocabulary`, or give
        `dict.get` its second argument.
    position: you use a token's position in the vocabulary instead of its id -> A dict need not hold its tokens in the
        order of their ids. -> Ask the dict for the value that belongs to the token.
    position-of-known: a known token gets its position in the vocabulary instead of its id -> A dict need not hold its
        tokens in the order of their ids. -> Ask the dict for the value that belongs to the token.
    over-vocabulary: you go through the vocabulary, and ask of each word whether the sentence has it -> Then there is an
        id for each word of the vocabulary, not for each token. -> Go through the tokens, and ask the vocabulary.
    numbered: you number the tokens of the sentence -> The same word must get the same id in every sentence: the id says
        which word it is, not where it stands. -> Look each token up in the vocabulary.
    floats: your ids are numbers with decimals -> `np.zeros` and `np.empty` make arrays of floats: `2` becomes `2.0`,
        and that is no row number. -> Ask for whole numbers (`dtype=int`), or collect the ids in a list.
    token-itself: you return tokens, not ids -> The embedding matrix is asked by row number; a word is no row number. ->
        Return what the vocabulary holds for each token.
    """,
)
def encode(tokens, vocabulary, wrong=frozenset()):
    """Ids of tokens, with the mistakes that people make as switches."""
    fixed = {"zero": 0, "hard-coded": 1, "hard-coded-3": 3, "minus-one": -1, "text-for-unknown": "[UNK]"}
    ids = list(vocabulary.values())
    by_place = {"first-id": ids[0], "last-id": ids[-1], "largest-id": max(ids), "one-beyond": len(ids)}
    unknown = slip(wrong, fixed | by_place, vocabulary["[UNK]"])
    if "token-itself" in wrong:
        return [token if token in vocabulary else "[UNK]" for token in tokens]
    if "numbered" in wrong:
        return list(range(len(tokens)))
    known = {} if "all-unknown" in wrong else dict(vocabulary)
    if "counted-from-one" in wrong:
        known = {token: token_id + 1 for token, token_id in known.items()}
    if wrong & {"position", "sorted-words"}:
        ordered = sorted(vocabulary) if "sorted-words" in wrong else vocabulary
        known = {token: place for place, token in enumerate(ordered)}
        unknown = known["[UNK]"]
    if "position-of-known" in wrong:
        known = {token: place for place, token in enumerate(vocabulary)}
    if "over-vocabulary" in wrong:
        return [known[word] if word in tokens else unknown for word in known]
    if "zero-is-false" in wrong:
        known = {token: token_id for token, token_id in known.items() if token_id}
    if "last-word-only" in wrong:
        known = dict([*known.items()][-1:])
    if found := slip(wrong, FIRST_THAT, None):
        known = {token: next((known[word] for word in known if found(word, token)), unknown) for token in tokens}
    if "lower-cased" in wrong:
        tokens = [token.lower() for token in tokens]
    if "repeats-left-out" in wrong:
        tokens = list(dict.fromkeys(tokens))
    if "turned-round" in wrong:
        return [unknown if token in known else None for token in tokens]
    if "dropped" in wrong:
        tokens = [token for token in tokens if token in known]
    if "as-set" in wrong:
        tokens = sorted(set(tokens))
    if "characters" in wrong:
        tokens = list("".join(tokens))
    if "characters-and-spaces" in wrong:
        tokens = list(" ".join(tokens))
    if "first-place-in-sentence" in wrong:
        return [tokens.index(token) if token in known else unknown for token in tokens]
    if "place-in-sentence" in wrong:
        return [place if token in known else unknown for place, token in enumerate(tokens)]
    if "by-vocabulary" in wrong:
        return [token_id for token, token_id in known.items() if token in tokens]
    if "every-pair" in wrong:
        return [token_id if word == token else unknown for token in tokens for word, token_id in known.items()]
    if "known-first" in wrong:
        tokens = sorted(tokens, key=lambda token: token not in known)
    if "unknown-at-end" in wrong:
        return [*(known[token] for token in tokens if token in known), unknown]
    if "all-for-one" in wrong and not set(tokens) <= set(known):
        known = {}
    ids = []
    for token in tokens:
        if "grows" in wrong:
            known.setdefault(token, len(known))
        if "none-for-unknown" in wrong:
            unknown = None
        if wrong & {"stops-at-unknown", "breaks-at-unknown"} and token not in known:
            return [*ids, unknown] if "stops-at-unknown" in wrong else ids
        looked_up = "part-of-a-word" in wrong and token in " ".join(known)
        ids.append(known[token] if looked_up or "not-provided-for" in wrong else known.get(token, unknown))
        if "id-kept" in wrong:
            unknown = ids[-1]
        if "unknown-besides" in wrong and token in known:
            ids.append(unknown)
    if "row-by-index" in wrong:
        ids = [ids[place] if tokens.index(token) == place else 0 for place, token in enumerate(tokens)]
    if "ids-as-set" in wrong:
        return list(set(ids))
    return np.array(ids, dtype=float) if "floats" in wrong else ids
