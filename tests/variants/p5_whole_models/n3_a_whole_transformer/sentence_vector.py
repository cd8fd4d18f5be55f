import math

import numpy as np

from attnlib import (
    encoder_input,
    feed_forward,
    layer_norm,
    load_encoder,
    multi_head_attention,
    post_norm_block,
    pre_norm_block,
    tokenize,
    unit_rows,
)

layers = load_encoder()["layers"]


def run(text, block=post_norm_block, some=layers, heads=12):
    X = encoder_input(tokenize(text))
    for layer in some:
        X = block(X, layer, heads)
    return X


def as_it_is_said(text):
    mean = run(text).mean(axis=0)
    return mean / np.linalg.norm(mean)


def by_sums(text):
    total = sum(row for row in run(text))
    return total / math.sqrt(sum(x * x for x in total.tolist()))


def as_a_list(text):
    return as_it_is_said(text).tolist()


def in_double_precision(text):
    X = encoder_input(tokenize(text)).astype(float)
    for layer in layers:
        X = post_norm_block(X, {name: W.astype(float) for name, W in layer.items()}, 12)
    mean = X.mean(axis=0)
    return mean / np.sqrt(mean @ mean)


def as_one_row(text):
    return unit_rows(run(text).mean(axis=0, keepdims=True))[0]


def by_halves(text):
    X = encoder_input(tokenize(text))
    names = ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]
    for layer in layers:
        heard = multi_head_attention(X, X, num_heads=12, **{name: layer[name] for name in names})[0]
        X = layer_norm(X + heard, layer["norm_1_weight"], layer["norm_1_bias"])
        X = X + feed_forward(X, layer["W_1"], layer["b_1"], layer["W_2"], layer["b_2"])
        X = layer_norm(X, layer["norm_2_weight"], layer["norm_2_bias"])
    return X.sum(axis=0) / np.linalg.norm(X.sum(axis=0))


def in_a_batch_of_one(text):
    X = run_batch(encoder_input(tokenize(text))[None])
    mean = X.mean(axis=1)
    return (mean / np.linalg.norm(mean, axis=-1, keepdims=True))[0]


def run_batch(X):
    for i in range(6):
        X = post_norm_block(X, layers[i], load_encoder()["num_heads"], None)
    return X


VARIANTS = [
    as_it_is_said, by_sums, as_a_list, in_double_precision, as_one_row, by_halves, in_a_batch_of_one
]  # fmt: skip


def unit(v):
    return v / np.linalg.norm(v)


def the_first_row(text):
    return unit(run(text)[0])


def words_only(text):
    return unit(run(text)[1:-1].mean(axis=0))


def without_the_last(text):
    return unit(run(text)[:-1].mean(axis=0))


def without_the_first(text):
    return unit(run(text)[1:].mean(axis=0))


def not_divided(text):
    return run(text).mean(axis=0)


def divided_by_its_square(text):
    mean = run(text).mean(axis=0)
    return mean / (mean @ mean)


def rows_first(text):
    return unit(unit_rows(run(text)).mean(axis=0))


def one_too_few(text):
    X = encoder_input(tokenize(text))
    for i in range(5):
        X = post_norm_block(X, layers[i], 12)
    return unit(X.mean(axis=0))


def counted_from_one(text):
    return unit(run(text, some=layers[1:]).mean(axis=0))


def always_the_first(text):
    return unit(run(text, some=[layers[0]] * 6).mean(axis=0))


def always_from_the_input(text):
    X = encoder_input(tokenize(text))
    for layer in layers:
        Y = post_norm_block(X, layer, 12)
    return unit(Y.mean(axis=0))


def returned_too_early(text):
    X = encoder_input(tokenize(text))
    for layer in layers:
        X = post_norm_block(X, layer, 12)
        return unit(X.mean(axis=0))


def no_model_at_all(text):
    return unit(encoder_input(tokenize(text)).mean(axis=0))


def like_gpt(text):
    return unit(run(text, block=pre_norm_block).mean(axis=0))


def one_large_head(text):
    return unit(run(text, heads=1).mean(axis=0))


def the_whole_sentence(text):
    return unit_rows(run(text))


def along_the_rows(text):
    return unit(run(text).mean(axis=-1))


def cut_at_spaces(text):
    X = encoder_input(text.split())
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    return unit(X.mean(axis=0))


def the_largest(text):
    return unit(run(text).max(axis=0))


def bare(text):
    encoder = load_encoder()
    X = encoder["word_vectors"][[encoder["vocabulary"][t] for t in ["[CLS]", *tokenize(text), "[SEP]"]]]
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    return unit(X.mean(axis=0))


def specials_given(text):
    X = encoder_input(["[CLS]", *tokenize(text), "[SEP]"])
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    mean = X.mean(axis=0)
    return mean / np.linalg.norm(mean)


def length_one_each_time(text):
    X = encoder_input(tokenize(text))
    for layer in layers:
        X = unit_rows(post_norm_block(X, layer, 12))
    return unit_rows(X.mean(axis=0, keepdims=True))[0]


def cut_before(text):
    X = encoder_input(tokenize(text))[1:-1]
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    return unit_rows(X.mean(axis=0)[None])[0]


def every_row(text):
    return run(text)


def six_heads(text):
    mean = run(text, heads=6).mean(axis=0)
    return mean / np.linalg.norm(mean)


def added_up(text):
    return run(text).sum(axis=0)


def mean_of_all_layers(text):
    states = [encoder_input(tokenize(text))]
    for layer in layers:
        states.append(post_norm_block(states[-1], layer, 12))
    mean = np.mean(states, axis=(0, 1))
    return mean / np.linalg.norm(mean)


def rows_of_length_one_first(text):
    return unit_rows(run(text)).mean(axis=0)


# Each with the mistake that the judge should name, or None.
def reads_only_back(text):
    X = encoder_input(tokenize(text))
    for layer in layers:
        X = post_norm_block(X, layer, 12, np.tri(len(X), dtype=bool))
    return unit_rows(X.mean(axis=0)[None])[0]


def path_once_more(text):
    return unit_rows(run(text, lambda X, layer, heads: X + post_norm_block(X, layer, heads)).mean(axis=0)[None])[0]


def attends_and_nothing_else(text):
    names = ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]
    X = run(text, lambda X, layer, heads: multi_head_attention(X, X, num_heads=12, **{n: layer[n] for n in names})[0])
    return unit_rows(X.mean(axis=0)[None])[0]


def twelve_layers(text):
    return unit_rows(run(text, some=layers * 2).mean(axis=0)[None])[0]


def all_outputs(text, some=slice(1, None)):
    states = [encoder_input(tokenize(text))]
    for layer in layers:
        states.append(post_norm_block(states[-1], layer, 12))
    mean = np.array(states)[some].mean(axis=(0, 1))
    return mean / np.linalg.norm(mean)


def two_outputs(text):
    return all_outputs(text, slice(-2, None))


def both_ends(text):
    return all_outputs(text, [0, -1])


def by_the_spread(text):
    mean = run(text).mean(axis=0)
    return mean / mean.std()


def each_column_by_its_length(text):
    X = run(text)
    return X.mean(axis=0) / np.linalg.norm(X, axis=0)


def as_many_layers_as_heads(text):
    X = encoder_input(tokenize(text))
    for i in range(12):
        X = post_norm_block(X, layers[i], 12)
    return unit_rows(X.mean(axis=0)[None])[0]


def as_many_rows_as_words(text):
    tokens = tokenize(text)
    X = encoder_input(tokens)
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    v = X[: len(tokens)].mean(axis=0)
    return v / np.linalg.norm(v)


def as_in_part_1(text):
    encoder = load_encoder()
    v = np.mean([encoder["word_vectors"][encoder["vocabulary"][token]] for token in tokenize(text)], axis=0)
    return v / np.linalg.norm(v)


def five_and_not_brought_to_length_one(text):
    X = encoder_input(tokenize(text))
    for layer in layers[:5]:
        X = post_norm_block(X, layer, 12)
    return X.mean(axis=0)


def heads_of_32(text):
    mean = run(text, heads=384 // 12).mean(axis=0)
    return mean / np.linalg.norm(mean)


def positions_once_more(text):
    X = encoder_input(tokenize(text))
    X = X + load_encoder()["position_vectors"][: len(X)]
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    mean = X.mean(axis=0)
    return mean / np.linalg.norm(mean)


def looked_up_and_run(text):
    encoder = load_encoder()
    X = encoder["word_vectors"][[encoder["vocabulary"][token] for token in tokenize(text)]]
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    mean = X.mean(axis=0)
    return mean / np.linalg.norm(mean)


def word_by_word(text):
    mean = np.mean([run(word).mean(axis=0) for word in tokenize(text)], axis=0)
    return mean / np.linalg.norm(mean)


def one_row_through_the_layers(text):
    X = encoder_input(tokenize(text)).mean(axis=0)[None]
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    return X[0] / np.linalg.norm(X[0])


def the_last_four_layers(text):
    encoder, X, states = load_encoder(), encoder_input(tokenize(text)), []
    for layer in encoder["layers"]:
        X = post_norm_block(X, layer, encoder["num_heads"])
        states.append(X)
    mean = np.mean(states[-4:], axis=(0, 1))
    return mean / np.linalg.norm(mean)


def _with_a_mask(text, mask):
    encoder, X = load_encoder(), encoder_input(tokenize(text))
    for layer in encoder["layers"]:
        X = post_norm_block(X, layer, encoder["num_heads"], mask(X))
    return X.mean(axis=0) / np.linalg.norm(X.mean(axis=0))


def a_mask_of_words(text):
    return _with_a_mask(text, lambda X: np.arange(len(X))[None] < len(tokenize(text)))


def a_mask_without_specials(text):
    return _with_a_mask(text, lambda X: (np.arange(len(X))[None] % (len(X) - 1)) > 0)


def through_a_pooler(text):
    return unit(np.tanh(run(text)[0]))


def through_a_pooler_and_no_more(text):
    return np.tanh(run(text)[0])


def the_median(text):
    return unit(np.median(run(text), axis=0))


def _of(tokens):
    X = encoder_input(tokens)
    for layer in layers:
        X = post_norm_block(X, layer, 12)
    return unit(X.mean(axis=0))


def in_alphabetical_order(text):
    return _of(sorted(tokenize(text)))


def a_vocabulary(text):
    return _of(sorted(set(tokenize(text))))


def each_word_once(text):
    return _of(list(dict.fromkeys(tokenize(text))))


def a_set_of_words(text):
    return _of(list(set(tokenize(text))))


def the_mean_taken_off(text):
    mean = run(text).mean(axis=0)
    mean = mean - mean.mean()
    return mean / np.linalg.norm(mean)


def a_root_without_a_sum(text):
    mean = run(text).mean(axis=0)
    return mean / np.sqrt(mean**2)


def a_layer_left_behind_the_loop(text):
    mean = run(text, some=[*layers, layers[-1]]).mean(axis=0)
    return mean / np.linalg.norm(mean)


def two_calls_in_a_round(text):
    mean = run(text, some=[one for layer in layers for one in (layer, layer)]).mean(axis=0)
    return mean / np.linalg.norm(mean)


def in_steps_of_two(text):
    mean = run(text, some=layers[::2]).mean(axis=0)
    return mean / np.linalg.norm(mean)


def without_short_words(text):
    return _of([token for token in tokenize(text) if token != "the"])


def eight_words(text):
    return _of(tokenize(text)[:8])


def divided_and_not_kept(text):
    mean = run(text).mean(axis=0)
    mean / np.linalg.norm(mean)
    return mean


WRONG = [
    (the_mean_taken_off, "mean-taken-off"),
    (a_root_without_a_sum, "sum-forgotten"),
    (a_layer_left_behind_the_loop, "last-layer-twice"),
    (two_calls_in_a_round, "each-layer-twice"),
    (in_steps_of_two, "every-other-layer"),
    (without_short_words, "the-left-out"),
    (eight_words, "words-cut"),
    (divided_and_not_kept, "not-unit"),
    (through_a_pooler, "tanh-of-cls"),
    (through_a_pooler_and_no_more, "tanh-of-cls"),
    (the_median, "median"),
    (in_alphabetical_order, "words-sorted"),
    (a_vocabulary, "words-sorted-once"),
    (each_word_once, "words-once"),
    (a_set_of_words, "each-once"),
    (the_last_four_layers, "last-four-averaged"),
    (a_mask_of_words, "last-two-unheard"),
    (a_mask_without_specials, "specials-unheard"),
    (heads_of_32, "width-for-heads"),
    (positions_once_more, "positions-twice"),
    (looked_up_and_run, "words-without-specials"),
    (word_by_word, "words-one-by-one"),
    (one_row_through_the_layers, "averaged-before-the-layers"),
    (as_many_rows_as_words, "as-many-rows-as-words"),
    (as_in_part_1, "word-vectors-averaged"),
    (five_and_not_brought_to_length_one, "five-layers"),
    (rows_of_length_one_first, "unit-rows-first"),
    (reads_only_back, "causal"),
    (path_once_more, "path-added-twice"),
    (attends_and_nothing_else, "attention-only"),
    (twelve_layers, "layers-twice"),
    (all_outputs, "layers-averaged"),
    (two_outputs, "last-two-averaged"),
    (both_ends, "first-and-last"),
    (by_the_spread, "other-lengths"),
    (each_column_by_its_length, None),
    (as_many_layers_as_heads, "past-the-end"),
    (added_up, "rows-added"),
    (mean_of_all_layers, "all-layers-averaged"),
    (the_first_row, "cls-only"),
    (six_heads, "layers-for-heads"),
    (words_only, "specials-left-out"),
    (without_the_last, "sep-left-out"),
    (without_the_first, "cls-left-out"),
    (not_divided, "not-unit"),
    (divided_by_its_square, "squared-length"),
    (rows_first, "unit-rows-averaged"),
    (one_too_few, "five-layers"),
    (counted_from_one, "first-layer-left-out"),
    (always_the_first, "first-layer-six-times"),
    (always_from_the_input, "last-layer-only"),
    (returned_too_early, "first-layer-only"),
    (no_model_at_all, "no-layers"),
    (like_gpt, "pre-norm"),
    (one_large_head, "one-head"),
    (the_whole_sentence, "not-averaged"),
    (along_the_rows, "columns-averaged"),
    (cut_at_spaces, "split-by-spaces"),
    (the_largest, "largest"),
    (bare, "bare-words"),
    (specials_given, "specials-twice"),
    (length_one_each_time, "unit-rows-in-each-layer"),
    (cut_before, "specials-cut-off"),
    (every_row, "rows-as-they-are"),
]
