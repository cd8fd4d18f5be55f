import numpy as np


def encode_by_get(tokens, vocabulary):
    return [vocabulary.get(t, vocabulary["[UNK]"]) for t in tokens]


def encode_by_condition(tokens, vocabulary):
    return [vocabulary[t] if t in vocabulary else vocabulary["[UNK]"] for t in tokens]


def encode_by_loop(tokens, vocabulary):
    ids = []
    for token in tokens:
        if token not in vocabulary:
            token = "[UNK]"
        ids.append(vocabulary[token])
    return ids


def encode_by_exception(tokens, vocabulary):
    ids = []
    for token in tokens:
        try:
            ids.append(vocabulary[token])
        except KeyError:
            ids.append(vocabulary["[UNK]"])
    return ids


def encode_as_array(tokens, vocabulary):
    return np.array([vocabulary.get(t, vocabulary["[UNK]"]) for t in tokens])


def encode_as_int32_items(tokens, vocabulary):
    return [np.int32(vocabulary.get(t, vocabulary["[UNK]"])) for t in tokens]


def encode_by_map(tokens, vocabulary, unknown="[UNK]"):
    return list(map(vocabulary.get, tokens, [vocabulary[unknown]] * len(tokens)))


def encode_as_tuple(tokens, vocabulary):
    return tuple(vocabulary.get(token, vocabulary.get("[UNK]")) for token in tokens)


def encode_plain_get(tokens, vocabulary):
    return [vocabulary.get(t) for t in tokens]


def encode_indexing(tokens, vocabulary):
    return [vocabulary[t] for t in tokens]


def encode_filter(tokens, vocabulary):
    return [vocabulary[t] for t in tokens if t in vocabulary]


def encode_or(tokens, vocabulary):
    return [vocabulary.get(t) or vocabulary["[UNK]"] for t in tokens]


def encode_get_zero(tokens, vocabulary):
    return [vocabulary.get(t, 0) for t in tokens]


def encode_by_index(tokens, vocabulary):
    words = list(vocabulary)
    return [words.index(t) if t in words else words.index("[UNK]") for t in tokens]


def encode_float_array(tokens, vocabulary):
    ids = np.zeros(len(tokens))
    for i, token in enumerate(tokens):
        ids[i] = vocabulary.get(token, vocabulary["[UNK]"])
    return ids


def encode_adds_words(tokens, vocabulary):
    return [vocabulary.setdefault(t, len(vocabulary)) for t in tokens]


def encode_changes_the_tokens(tokens, vocabulary):
    for i, token in enumerate(tokens):
        if token not in vocabulary:
            tokens[i] = "[UNK]"
    return [vocabulary[token] for token in tokens]


def encode_adds_unknown_words(tokens, vocabulary):
    return [vocabulary.setdefault(token, vocabulary["[UNK]"]) for token in tokens]


def encode_takes_unk_out(tokens, vocabulary):
    unknown = vocabulary.pop("[UNK]")
    return [vocabulary.get(token, unknown) for token in tokens]


def encode_empties_the_list(tokens, vocabulary):
    ids = []
    while tokens:
        ids.append(vocabulary.get(tokens.pop(0), vocabulary["[UNK]"]))
    return ids


VARIANTS = [
    encode_by_get,
    encode_by_condition,
    encode_by_loop,
    encode_by_exception,
    encode_as_array,
    encode_as_int32_items,
    encode_by_map,
    encode_as_tuple,
]


def encode_tries_once(tokens, vocabulary):
    ids = []
    try:
        for token in tokens:
            ids.append(vocabulary[token])
    except KeyError:
        ids.append(vocabulary["[UNK]"])
    return ids


def encode_without_else(tokens, vocabulary):
    ids = []
    for token in tokens:
        if token in vocabulary:
            ids.append(vocabulary[token])
        ids.append(vocabulary["[UNK]"])
    return ids


def encode_by_the_counter(tokens, vocabulary):
    ids = []
    for i, token in enumerate(tokens):
        ids.append(i if token in vocabulary else vocabulary["[UNK]"])
    return ids


def encode_joined(tokens, vocabulary):
    return [vocabulary.get(token, vocabulary["[UNK]"]) for token in " ".join(tokens)]


def a_part_of_a_word_is_known(tokens, vocabulary):
    text = " ".join(vocabulary)
    return [vocabulary[t] if t in text else vocabulary["[UNK]"] for t in tokens]


def one_unknown_for_all(tokens, vocabulary):
    try:
        return [vocabulary[t] for t in tokens]
    except KeyError:
        return [vocabulary["[UNK]"] for _ in tokens]


def the_known_ones_first(tokens, vocabulary):
    ids = [vocabulary[t] for t in tokens if t in vocabulary]
    return ids + [vocabulary["[UNK]"] for t in tokens if t not in vocabulary]


def numbers_the_sorted_words(tokens, vocabulary):
    ids = {word: i for i, word in enumerate(sorted(vocabulary))}
    return [ids.get(t, ids["[UNK]"]) for t in tokens]


def first_of_all(tokens, vocabulary):
    return [vocabulary.get(token, next(iter(vocabulary.values()))) for token in tokens]


def last_of_all(tokens, vocabulary):
    return [vocabulary.get(token, list(vocabulary.values())[-1]) for token in tokens]


def largest_of_all(tokens, vocabulary):
    return [vocabulary.get(token, max(vocabulary.values())) for token in tokens]


def keeps_what_it_found(tokens, vocabulary):
    ids, found = [], vocabulary["[UNK]"]
    for token in tokens:
        if token in vocabulary:
            found = vocabulary[token]
        ids.append(found)
    return ids


def places_of_known_tokens(tokens, vocabulary):
    return [tokens.index(token) if token in vocabulary else vocabulary["[UNK]"] for token in tokens]


def fills_an_array_of_floats(tokens, vocabulary):
    ids = np.zeros(len(tokens))
    for i, token in enumerate(tokens):
        ids[i] = vocabulary.get(token, vocabulary["[UNK]"])
    return ids


def looks_up_in_lower_case(tokens, vocabulary):
    return [vocabulary.get(token.lower(), vocabulary["[UNK]"]) for token in tokens]


def first_word_that_begins_so(tokens, vocabulary):
    unknown = vocabulary["[UNK]"]
    return [next((i for word, i in vocabulary.items() if word.startswith(token)), unknown) for token in tokens]


def first_word_that_contains_it(tokens, vocabulary):
    ids = []
    for token in tokens:
        for word in vocabulary:
            if token in word:
                ids.append(vocabulary[word])
                break
        else:
            ids.append(vocabulary["[UNK]"])
    return ids


def overwrites_what_it_found(tokens, vocabulary):
    ids = []
    for token in tokens:
        for word, token_id in vocabulary.items():
            found = token_id if word == token else vocabulary["[UNK]"]
        ids.append(found)
    return ids


def keys_of_a_dict(tokens, vocabulary):
    return [vocabulary.get(token, vocabulary["[UNK]"]) for token in dict.fromkeys(tokens)]


def where_the_token_first_stands(tokens, vocabulary):
    ids = [0] * len(tokens)
    for token in tokens:
        ids[tokens.index(token)] = vocabulary.get(token, vocabulary["[UNK]"])
    return ids


def condition_turned_round(tokens, vocabulary):
    return [vocabulary["[UNK]"] if token in vocabulary else vocabulary.get(token) for token in tokens]


def places_of_known_words(tokens, vocabulary):
    words = list(vocabulary)
    return [words.index(token) if token in words else vocabulary["[UNK]"] for token in tokens]


def goes_through_the_vocabulary(tokens, vocabulary):
    return [vocabulary[word] if word in tokens else vocabulary["[UNK]"] for word in vocabulary]


WRONG = [
    (places_of_known_words, "position-of-known"),
    (goes_through_the_vocabulary, "over-vocabulary"),
    (looks_up_in_lower_case, "lower-cased"),
    (first_word_that_begins_so, "first-that-begins"),
    (first_word_that_contains_it, "first-that-contains"),
    (overwrites_what_it_found, "last-word-only"),
    (keys_of_a_dict, "repeats-left-out"),
    (where_the_token_first_stands, "row-by-index"),
    (condition_turned_round, "turned-round"),
    (first_of_all, "first-id"),
    (last_of_all, "last-id"),
    (largest_of_all, "largest-id"),
    (keeps_what_it_found, "id-kept"),
    (places_of_known_tokens, "first-place-in-sentence"),
    (the_known_ones_first, "known-first"),
    (numbers_the_sorted_words, "sorted-words"),
    (a_part_of_a_word_is_known, "part-of-a-word"),
    (one_unknown_for_all, "all-for-one"),
    (encode_by_the_counter, "place-in-sentence"),
    (encode_joined, "characters-and-spaces"),
    (encode_tries_once, "stops-at-unknown"),
    (encode_without_else, "unknown-besides"),
    (encode_plain_get, "none-for-unknown"),
    (encode_indexing, "not-provided-for"),
    (encode_filter, "dropped"),
    (encode_or, "zero-is-false"),
    (encode_get_zero, "zero"),
    (encode_by_index, "position"),
    (encode_float_array, "floats"),
    (fills_an_array_of_floats, "floats"),
    (encode_changes_the_tokens, "changes-input"),
    (encode_adds_unknown_words, "changes-input"),
    (encode_takes_unk_out, "changes-input"),
    (encode_empties_the_list, "changes-input"),
    (encode_adds_words, "grows"),
]
