import itertools

import numpy as np

from attnlib import encoder_input, layer_norm, load_encoder, multi_head_attention, post_norm_block, tokenize

layers = load_encoder()["layers"]


def states_of(tokens):
    states = [encoder_input(tokens)]
    for layer in layers:
        states.append(post_norm_block(states[-1], layer, 12))
    return states


def as_it_is_said(text, word):
    tokens = tokenize(text)
    place = tokens.index(word) + 1
    return np.array([X[place] for X in states_of(tokens)])


def by_rows(text, word):
    tokens = ["[CLS]", *tokenize(text), "[SEP]"]
    if word not in tokens[1:-1]:
        raise ValueError(f"{word} is not in {text}")
    place = tokens.index(word)
    X = encoder_input(tokens[1:-1])
    rows = np.zeros((7, 384))
    rows[0] = X[place]
    for i, layer in enumerate(layers):
        X = post_norm_block(X, layer, 12)
        rows[i + 1] = X[place]
    return rows


def all_at_once(text, word):
    tokens = tokenize(text)
    return np.stack(states_of(tokens))[:, 1:-1][:, tokens.index(word)]


def by_searching(text, word):
    for i, token in enumerate(tokenize(text)):
        if token == word:
            return [X[i + 1].tolist() for X in states_of(tokenize(text))]
    raise ValueError("no such word")


def in_a_batch(text, word):
    tokens = tokenize(text)
    X = encoder_input(tokens)[None]
    rows = [X[0, 1 + tokens.index(word)]]
    for layer in layers:
        X = post_norm_block(X, layer, 12)
        rows.append(X[0, 1 + tokens.index(word)])
    return np.vstack(rows)


def by_where(text, word):
    tokens = np.array(tokenize(text))
    places = np.where(tokens == word)[0]
    if len(places) == 0:
        raise ValueError("the word is not there")
    return np.array([X[places[0] + 1] for X in states_of(tokens.tolist())])


VARIANTS = [as_it_is_said, by_rows, all_at_once, by_searching, in_a_batch, by_where]


def no_cls(text, word):
    tokens = tokenize(text)
    return np.array([X[tokens.index(word)] for X in states_of(tokens)])


def two_too_far(text, word):
    tokens = tokenize(text)
    return np.array([X[tokens.index(word) + 2] for X in states_of(tokens)])


def six(text, word):
    return as_it_is_said(text, word)[1:]


def before_each_layer(text, word):
    tokens = tokenize(text)
    X, rows = encoder_input(tokens), []
    for layer in layers:
        rows.append(X[tokens.index(word) + 1])
        X = post_norm_block(X, layer, 12)
    return np.array(rows)


def at_the_end(text, word):
    return as_it_is_said(text, word)[-1]


def the_last_one(text, word):
    tokens = tokenize(text)
    places = {token: i + 1 for i, token in enumerate(tokens)}
    if word not in places:
        raise ValueError("no")
    return np.array([X[places[word]] for X in states_of(tokens)])


def all_alone(text, word):
    if word not in tokenize(text):
        raise ValueError("no")
    return np.array([X[1] for X in states_of([word])])


def from_the_table(text, word):
    rows = as_it_is_said(text, word)
    encoder = load_encoder()
    rows[0] = encoder["word_vectors"][encoder["vocabulary"][word]]
    return rows


def no_error(text, word):
    tokens = tokenize(text)
    return as_it_is_said(text, word) if word in tokens else None


def error_of_numpy(text, word):
    tokens = np.array(tokenize(text))
    place = np.where(tokens == word)[0][0] + 1
    return np.array([X[place] for X in states_of(tokens.tolist())])


def error_of_a_dict(text, word):
    tokens = tokenize(text)
    places = {token: i + 1 for i, token in reversed(list(enumerate(tokens)))}
    return np.array([X[places[word]] for X in states_of(tokens)])


def everything(text, word):
    tokens = tokenize(text)
    if word not in tokens:
        raise ValueError("no")
    return np.array(states_of(tokens))


def in_the_middle(text, word):
    tokens = tokenize(text)
    place, X = tokens.index(word) + 1, encoder_input(tokens)
    rows = [X[place]]
    names = ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]
    for layer in layers:
        heard = multi_head_attention(X, X, num_heads=12, **{name: layer[name] for name in names})[0]
        rows.append(layer_norm(X + heard, layer["norm_1_weight"], layer["norm_1_bias"])[place])
        X = post_norm_block(X, layer, 12)
    return np.array(rows)


def by_split(text, word):
    tokens = text.split()
    place = tokens.index(word) + 1
    return np.array([X[place] for X in states_of(tokens)])


def each_from_the_input(text, word):
    tokens = tokenize(text)
    place, X = tokens.index(word) + 1, encoder_input(tokens)
    rows = [X[place]]
    for layer in layers:
        after = post_norm_block(X, layer, 12)
        rows.append(after[place])
    return np.array(rows)


def place_by_split(text, word):
    tokens = tokenize(text)
    place = text.split().index(word) + 1
    return np.array([X[place] for X in states_of(tokens)])


def first_that_holds_it(text, word):
    tokens = tokenize(text)
    if word not in tokens:
        raise ValueError("no")
    place = next(i for i, token in enumerate(tokens) if word in token) + 1
    return np.array([X[place] for X in states_of(tokens)])


def first_that_begins_with_it(text, word):
    tokens = tokenize(text)
    for i, token in enumerate(tokens):
        if token.startswith(word):
            return np.array([X[i + 1] for X in states_of(tokens)])
    raise ValueError("no")


def in_the_text_as_it_is(text, word):
    if word not in tokenize(text):
        raise ValueError("no")
    place = len(text[: text.index(word)].split()) + 1
    return np.array([X[place] for X in states_of(tokenize(text))])


def mean_of_all_rows(text, word):
    tokens = tokenize(text)
    if word not in tokens:
        raise ValueError(word)
    return np.array([X.mean(axis=0) for X in states_of(tokens)])


def finds_the_letter(text, word):
    place = text.find(word) + 1
    return np.array([X[place] for X in states_of(tokenize(text))])


def its_row_alone(text, word):
    tokens = tokenize(text)
    i = tokens.index(word) + 1
    X = encoder_input(tokens)[i : i + 1]
    rows = [X[0]]
    for layer in layers:
        X = post_norm_block(X, layer, 12)
        rows.append(X[0])
    return np.array(rows)


def each_hears_itself(text, word):
    tokens = tokenize(text)
    X = encoder_input(tokens)
    states = [X]
    for layer in layers:
        states.append(post_norm_block(states[-1], layer, 12, np.eye(len(X), dtype=bool)))
    return np.array(states)[:, tokens.index(word) + 1]


def begins_with_the_input(text, word):
    tokens = tokenize(text)
    X = encoder_input(tokens)
    states = [X]
    for layer in layers:
        states.append(X)
        X = post_norm_block(X, layer, 12)
    return np.array(states)[:, tokens.index(word) + 1]


def ends_twice(text, word):
    tokens = tokenize(text)
    X, states = encoder_input(tokens), []
    for layer in layers:
        X = post_norm_block(X, layer, 12)
        states.append(X)
    return np.array([*states, X])[:, tokens.index(word) + 1]


def raises_at_the_first_other(text, word):
    tokens = tokenize(text)
    for i, token in enumerate(tokens):
        if token == word:
            return np.array([X[i + 1] for X in states_of(tokens)])
        raise ValueError(f"{word} is not there")


def letters_of_the_text(text, word):
    place = text.index(word) + 1
    return np.array([X[place] for X in states_of(tokenize(text))])


def a_part_is_found(text, word):
    if word not in text.lower():
        raise ValueError(f"{word} is not there")
    tokens = tokenize(text)
    place = tokens.index(word) if word in tokens else 0
    return np.array([X[place + 1] for X in states_of(tokens)])


def views_of_one_array(text, word):
    tokens = tokenize(text)
    X, place, kept = encoder_input(tokens), tokens.index(word) + 1, []
    kept.append(X[place])
    for layer in layers:
        X[:] = post_norm_block(X, layer, 12)
        kept.append(X[place])
    return np.array(kept)


def five_layers(text, word):
    tokens = tokenize(text)
    place, X = 1 + tokens.index(word), encoder_input(tokens)
    rows = [X[place]]
    for layer in layers[:5]:
        X = post_norm_block(X, layer, 12)
        rows.append(X[place])
    return np.array(rows)


def fills_one_too_early(text, word):
    tokens = tokenize(text)
    place, X, out = 1 + tokens.index(word), encoder_input(tokens), np.zeros((7, 384))
    for i in range(6):
        X = post_norm_block(X, layers[i], 12)
        out[i] = X[place]
    return out


def counts_from_one(text, word):
    tokens = tokenize(text)
    place, X, out = 1 + tokens.index(word), encoder_input(tokens), np.zeros((7, 384))
    out[0] = X[place]
    for i in range(1, 6):
        X = post_norm_block(X, layers[i], 12)
        out[i] = X[place]
    return out


def the_last_layer_each_time(text, word):
    tokens = tokenize(text)
    place, X = 1 + tokens.index(word), encoder_input(tokens)
    rows = [X[place]]
    for _ in layers:
        X = post_norm_block(X, layers[-1], 12)
        rows.append(X[place])
    return np.array(rows)


def five_and_the_fifth_again(text, word):
    rows = as_it_is_said(text, word)
    return np.vstack([rows[:6], rows[5:6]])


def row_five(text, word):
    if word not in tokenize(text):
        raise ValueError("no")
    return np.array([X[5] for X in states_of(tokenize(text))])


def row_five_and_no_error(text, word):
    return np.array([X[5] for X in states_of(tokenize(text))])


def mean_and_no_error(text, word):
    return np.array([X.mean(axis=0) for X in states_of(tokenize(text))])


def everything_and_no_error(text, word):
    return np.array(states_of(tokenize(text)))


def early_and_another_error(text, word):
    places = {token: i for i, token in reversed(list(enumerate(tokenize(text))))}
    return np.array([X[places[word]] for X in states_of(tokenize(text))])


def early_and_of_length_one(text, word):
    rows = no_cls(text, word)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def early_and_the_last_one(text, word):
    tokens = tokenize(text)
    place = len(tokens) - 1 - tokens[::-1].index(word)
    return np.array([X[place] for X in states_of(tokens)])


def raises_in_the_else(text, word):
    tokens = tokenize(text)
    for i, token in enumerate(tokens):
        if token == word:
            place = i + 1
            break
        else: raise ValueError(f"{word} is not there")  # fmt: skip  # noqa: E701
    return np.array([X[place] for X in states_of(tokens)])


def split_after_lower(text, word):
    words = text.lower().split()
    place = words.index(word) + 1
    return np.array([X[place] for X in states_of(words)])


def found_among_lower_words(text, word):
    place = text.lower().split().index(word) + 1
    return np.array([X[place] for X in states_of(tokenize(text))])


def specials_put_in(text, word):
    tokens = ["[CLS]", *tokenize(text), "[SEP]"]
    place = tokens.index(word)
    return np.array([X[place] for X in states_of(tokens)])


def specials_put_in_and_counted(text, word):
    tokens = ["[CLS]", *tokenize(text), "[SEP]"]
    place = tokens.index(word) + 1
    return np.array([X[place] for X in states_of(tokens)])


def as_a_sentence_in_the_end(text, word):
    rows = as_it_is_said(text, word)
    rows[-1] = rows[-1] / np.linalg.norm(rows[-1])
    return rows


def changes(text, word):
    rows = as_it_is_said(text, word)
    return np.array([rows[0], *(after - before for before, after in itertools.pairwise(rows))])


def the_last_row(text, word):
    tokens = tokenize(text)
    tokens.index(word)
    return np.array([X[-1] for X in states_of(tokens)])


def run(X, place):
    rows = [X[place]]
    for layer in layers:
        X = post_norm_block(X, layer, 12)
        rows.append(X[place])
    return np.array(rows)


def no_specials(text, word):
    tokens = tokenize(text)
    return run(encoder_input(tokens)[1:-1], tokens.index(word))


def no_first_special(text, word):
    tokens = tokenize(text)
    return run(encoder_input(tokens)[1:], tokens.index(word))


def no_last_special(text, word):
    tokens = tokenize(text)
    return run(encoder_input(tokens)[:-1], tokens.index(word) + 1)


def first_row_of_the_word_alone(text, word):
    rows = as_it_is_said(text, word)
    rows[0] = encoder_input([word])[1]
    return rows


def counts_layers_for_places(text, word):
    tokens = tokenize(text)
    place = tokens.index(word) + 1
    X = encoder_input(tokens)
    rows = [X[place]]
    for number, layer in enumerate(layers):
        X = post_norm_block(X, layer, 12)
        rows.append(X[number])
    return np.array(rows)


def seven_rounds(text, word):
    tokens = tokenize(text)
    X, rows = encoder_input(tokens), []
    for number in range(7):
        X = post_norm_block(X, layers[number - 1], 12)
        rows.append(X[tokens.index(word) + 1])
    return np.array(rows)


def the_last_layer_again(text, word):
    tokens = tokenize(text)
    X, rows = encoder_input(tokens), []
    for layer in (*layers, layers[-1]):
        X = post_norm_block(X, layer, 12)
        rows.append(X[tokens.index(word) + 1])
    return np.array(rows)


def each_word_once(text, word):
    tokens = list(dict.fromkeys(tokenize(text)))
    return run(encoder_input(tokens), tokens.index(word) + 1)


def place_among_different_words(text, word):
    place = list(dict.fromkeys(tokenize(text))).index(word) + 1
    return run(encoder_input(tokenize(text)), place)


def nothing_behind_the_word(text, word):
    tokens = tokenize(text)
    place = tokens.index(word) + 1
    return run(encoder_input(tokens[:place]), place)


def error_of_next(text, word):
    tokens = tokenize(text)
    place = next(i for i, token in enumerate(tokens) if token == word) + 1
    return run(encoder_input(tokens), place)


def changes_since_the_input(text, word):
    tokens = tokenize(text)
    rows = run(encoder_input(tokens), 1 + tokens.index(word))
    return rows - rows[0]


def appended_behind_the_loop(text, word):
    tokens = tokenize(text)
    place, X = 1 + tokens.index(word), encoder_input(tokens)
    rows = [X[place]]
    for layer in load_encoder()["layers"]:
        X = post_norm_block(X, layer, 12)
    rows.append(X[place])
    return np.array(rows)


def takes_one_off(text, word):
    tokens = tokenize(text)
    place = tokens.index(word) - 1
    return np.array([X[place] for X in states_of(tokens)])


WRONG = [
    (takes_one_off, "one-taken-off"),
    (changes_since_the_input, "since-the-input"),
    (appended_behind_the_loop, "appended-behind-the-loop"),
    (the_last_row, "sep-row"),
    (no_specials, "specials-cut-off"),
    (no_first_special, "cls-cut-off"),
    (no_last_special, "sep-cut-off"),
    (first_row_of_the_word_alone, "first-row-alone"),
    (counts_layers_for_places, "layer-for-place"),
    (seven_rounds, "last-layer-first"),
    (the_last_layer_again, "seven-layers"),
    (each_word_once, "words-once"),
    (place_among_different_words, "place-among-others"),
    (nothing_behind_the_word, "cut-behind"),
    (error_of_next, "stop-iteration"),
    (split_after_lower, "split-by-spaces"),
    (found_among_lower_words, None),
    (specials_put_in, "specials-by-hand"),
    (specials_put_in_and_counted, "specials-twice"),
    (as_a_sentence_in_the_end, "last-row-unit"),
    (changes, "what-is-added"),
    (five_layers, "no-last-row"),
    (fills_one_too_early, "row-too-early"),
    (counts_from_one, "begins-with-one"),
    (the_last_layer_each_time, "last-layer-six-times"),
    (five_and_the_fifth_again, "last-but-one-twice"),
    (row_five, "row-of-the-example"),
    (row_five_and_no_error, "row-of-the-example"),
    (mean_and_no_error, "all-rows-averaged"),
    (everything_and_no_error, "whole-states"),
    (early_and_another_error, "cls-not-counted"),
    (early_and_of_length_one, "unit-rows"),
    (early_and_the_last_one, "last-occurrence"),
    (raises_in_the_else, "refuses-allowed"),
    (views_of_one_array, None),
    (its_row_alone, "hears-itself-only"),
    (each_hears_itself, "hears-itself-only"),
    (begins_with_the_input, "input-twice"),
    (ends_twice, "last-twice"),
    (raises_at_the_first_other, "refuses-allowed"),
    (letters_of_the_text, "letters-counted"),
    (a_part_is_found, "not-refused"),
    (finds_the_letter, "letters-counted"),
    (mean_of_all_rows, "all-rows-averaged"),
    (first_that_holds_it, "inside-another"),
    (first_that_begins_with_it, "inside-another"),
    (in_the_text_as_it_is, "not-found"),
    (no_cls, "cls-not-counted"),
    (two_too_far, "one-too-far"),
    (six, "no-first-row"),
    (before_each_layer, "no-last-row"),
    (at_the_end, "last-row-only"),
    (the_last_one, "last-occurrence"),
    (all_alone, "alone"),
    (from_the_table, "bare-first-row"),
    (no_error, "not-refused"),
    (error_of_numpy, "index-error"),
    (error_of_a_dict, "key-error"),
    (everything, "whole-states"),
    (in_the_middle, "after-attention"),
    (by_split, "split-by-spaces"),
    (each_from_the_input, "always-from-the-input"),
    (place_by_split, None),
]
