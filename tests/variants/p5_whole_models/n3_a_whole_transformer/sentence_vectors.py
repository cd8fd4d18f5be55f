import numpy as np

from attnlib import encoder_input, load_encoder, padding_mask, post_norm_block, tokenize, unit_rows

layers = load_encoder()["layers"]


def padded(texts):
    inputs = [encoder_input(tokenize(text)) for text in texts]
    lengths = [len(one) for one in inputs]
    X = np.zeros((len(texts), max(lengths), 384), dtype=np.float32)
    for i, one in enumerate(inputs):
        X[i, : len(one)] = one
    return X, lengths


def run(X, mask, some=layers):
    for layer in some:
        X = post_norm_block(X, layer, 12, mask)
    return X


def as_it_is_said(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def by_a_weighted_sum(texts):
    X, lengths = padded(texts)
    real = np.arange(X.shape[1]) < np.array(lengths)[:, None]  # (batch, n)
    X = run(X, real[:, None, :])
    means = (X * real[..., None]).sum(axis=1) / real.sum(axis=1, keepdims=True)
    return means / np.linalg.norm(means, axis=1, keepdims=True)


def divided_by_the_longest(texts):
    """After the division by the length it does not matter by what the sum was divided before."""
    X, lengths = padded(texts)
    real = padding_mask(lengths, X.shape[1])
    X = run(X, real)
    return unit_rows((X * np.swapaxes(real, 1, 2)).mean(axis=1))


def one_by_one(texts):
    found = []
    for text in texts:
        mean = run(encoder_input(tokenize(text)), None).mean(axis=0)
        found.append(mean / np.linalg.norm(mean))
    return np.array(found)


def as_lists(texts):
    return [row.tolist() for row in as_it_is_said(texts)]


def padded_in_front(texts):
    inputs = [encoder_input(tokenize(text)) for text in texts]
    n = max(map(len, inputs))
    X = np.array([np.pad(one, [(n - len(one), 0), (0, 0)]) for one in inputs])
    real = np.array([[i >= n - len(one) for i in range(n)] for one in inputs])
    X = run(X, real[:, None])
    return unit_rows(np.array([rows[keep].mean(axis=0) for rows, keep in zip(X, real, strict=True)]))


def filled_with_noise(texts):
    X, lengths = padded(texts)
    mask = padding_mask(lengths, X.shape[1])
    X = np.where(np.swapaxes(mask, 1, 2), X, 7.0).astype(np.float32)
    X = run(X, np.broadcast_to(mask, (len(X), X.shape[1], X.shape[1])))
    return unit_rows(np.stack([X[i, :n].mean(axis=0) for i, n in enumerate(lengths)]))


VARIANTS = [
    as_it_is_said,
    by_a_weighted_sum,
    divided_by_the_longest,
    one_by_one,
    as_lists,
    padded_in_front,
    filled_with_noise,
]


def means_of_all(texts):
    X, lengths = padded(texts)
    return unit_rows(run(X, padding_mask(lengths, X.shape[1])).mean(axis=1))


def no_mask(texts):
    X, lengths = padded(texts)
    X = run(X, None)
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def neither(texts):
    return unit_rows(run(padded(texts)[0], None).mean(axis=1))


def queries_forbidden(texts):
    X, lengths = padded(texts)
    mask = np.swapaxes(padding_mask(lengths, X.shape[1]), 1, 2)
    X = run(X, np.broadcast_to(mask, (len(X), X.shape[1], X.shape[1])))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def turned_round(texts):
    X, lengths = padded(texts)
    X = run(X, ~padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def lengths_of_words(texts):
    X, _ = padded(texts)
    lengths = [len(tokenize(text)) for text in texts]
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def pads_among_the_words(texts):
    tokens = [tokenize(text) for text in texts]
    n = max(map(len, tokens))
    X = np.array([encoder_input([*words, *["[PAD]"] * (n - len(words))]) for words in tokens])
    lengths = [len(words) + 2 for words in tokens]
    X = run(X, padding_mask(lengths, n + 2))
    return unit_rows(np.array([rows[:m].mean(axis=0) for rows, m in zip(X, lengths, strict=True)]))


def sorted_by_length(texts):
    return as_it_is_said(sorted(texts, key=lambda text: len(tokenize(text))))


def one_length_for_all(texts):
    found = as_it_is_said(texts) * 1.0
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    means = np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)])
    return means / np.linalg.norm(means) if len(found) else found


def never_divided(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)])


def the_first_rows(texts):
    X, lengths = padded(texts)
    return unit_rows(run(X, padding_mask(lengths, X.shape[1]))[:, 0])


def five(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]), layers[:5])
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def averaged(X, lengths):
    return np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)])


def length_of_columns(texts):
    X, lengths = padded(texts)
    means = averaged(run(X, padding_mask(lengths, X.shape[1])), lengths)
    return means / np.linalg.norm(means, axis=0)


def mask_once(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]), layers[:1])
    return unit_rows(averaged(run(X, None, layers[1:]), lengths))


def mask_in_the_end(texts):
    X, lengths = padded(texts)
    mask = padding_mask(lengths, X.shape[1])
    return unit_rows(averaged(run(run(X, None, layers[:-1]), mask, layers[-1:]), lengths))


def an_array_of_ints(texts):
    X, lengths = padded(texts)
    X = X.astype(int)
    return unit_rows(averaged(run(X, padding_mask(lengths, X.shape[1])), lengths))


def to_the_shortest(texts):
    X, lengths = padded(texts)
    return unit_rows(run(X[:, : min(lengths)], None).mean(axis=1))


def mask_of_words(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask([length - 2 for length in lengths], X.shape[1]))
    return unit_rows(averaged(X, lengths))


def written_padding(texts):
    tokens = [tokenize(text) for text in texts]
    n = max(map(len, tokens))
    X = np.array([encoder_input([*words, *["[PAD]"] * (n - len(words))]) for words in tokens])
    return unit_rows(run(X, None).mean(axis=1))


def mean_of_the_shortest(texts):
    X, lengths = padded(texts)
    return unit_rows(run(X, padding_mask(lengths, X.shape[1]))[:, : min(lengths)].mean(axis=1))


def ten_rows_each(texts):
    X = np.zeros((len(texts), 10, 384), dtype=np.float32)
    lengths = []
    for row, text in zip(X, texts, strict=True):
        one = encoder_input(tokenize(text))[:10]
        row[: len(one)] = one
        lengths.append(len(one))
    return unit_rows(averaged(run(X, padding_mask(lengths, 10)), lengths))


def six_words_each(texts):
    return as_it_is_said([" ".join(tokenize(text)[:6]) for text in texts])


def as_many_rows_as_models_have(texts, max_length=32):
    inputs = [encoder_input(tokenize(text))[:max_length] for text in texts]
    X = np.array([np.pad(one, [(0, max_length - len(one)), (0, 0)]) for one in inputs])
    lengths = list(map(len, inputs))
    return unit_rows(averaged(run(X, padding_mask(lengths, max_length)), lengths))


def all_in_one(texts):
    return unit_rows(run(encoder_input(tokenize(" ".join(texts))), None).mean(axis=0, keepdims=True))


def set_to_zero(texts):
    X, lengths = padded(texts)
    real = np.arange(X.shape[1]) < np.array(lengths)[:, None]
    for layer in layers:
        X = post_norm_block(X, layer, 12) * real[..., None]
    return unit_rows((X * real[..., None]).sum(axis=1))


def words_in_the_mean(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([rows[: n - 2].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def back_only(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]) & np.tri(X.shape[1], dtype=bool))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def length_of_the_first(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask([lengths[0]] * len(texts), X.shape[1]))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def rows_brought_to_one_first(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return np.array([unit_rows(rows[:n]).mean(axis=0) for rows, n in zip(X, lengths, strict=True)])


def _in_front(texts, heard_from_the_end, averaged_from_the_end):
    X, lengths = padded(texts)
    n = X.shape[1]
    for rows, length in zip(X, lengths, strict=True):
        rows[:] = np.roll(rows, n - length, axis=0)
    mask = padding_mask(lengths, n)
    X = run(X, mask[..., ::-1] if heard_from_the_end else mask)
    parts = [slice(n - length, n) if averaged_from_the_end else slice(length) for length in lengths]
    return unit_rows(np.array([rows[part].mean(axis=0) for rows, part in zip(X, parts, strict=True)]))


def in_front_unseen(texts):
    return _in_front(texts, False, False)


def in_front_and_the_first_averaged(texts):
    return _in_front(texts, True, False)


def in_front_and_the_first_heard(texts):
    return _in_front(texts, False, True)


def filled_with_no_number(texts):
    X, lengths = padded(texts)
    for rows, length in zip(X, lengths, strict=True):
        rows[length:] = np.nan
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def sorted_back_the_wrong_way(texts):
    order = np.argsort([len(tokenize(text)) for text in texts], kind="stable")
    return as_it_is_said([texts[i] for i in order])[order]


def a_dict_of_texts(texts):
    return np.array([one_by_one([text])[0] for text in dict.fromkeys(texts)])


def room_for_the_most_letters(texts):
    inputs = [encoder_input(tokenize(text)) for text in texts]
    lengths = [len(one) for one in inputs]
    n = len(encoder_input(tokenize(max(texts, key=len))))
    X = np.zeros((len(texts), n, 384), dtype=np.float32)
    for i, one in enumerate(inputs):
        X[i, : len(one)] = one
    X = run(X, padding_mask(lengths, n))
    return unit_rows(np.array([rows[:k].mean(axis=0) for rows, k in zip(X, lengths, strict=True)]))


def lengths_less_one(texts):
    X, lengths = padded(texts)
    lengths = [length - 1 for length in lengths]
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def in_the_order_of_their_letters(texts):
    return np.array([as_it_is_said([text])[0] for text in sorted(texts, key=len)])


def neither_mask_nor_division(texts):
    X, lengths = padded(texts)
    return averaged(run(X, None), lengths)


def mean_of_all_and_no_division(texts):
    X, lengths = padded(texts)
    return run(X, padding_mask(lengths, X.shape[1])).mean(axis=1)


def nothing_of_padding_nor_length(texts):
    return run(padded(texts)[0], None).mean(axis=1)


def turned_round_and_all_averaged(texts):
    X, lengths = padded(texts)
    return unit_rows(run(X, ~padding_mask(lengths, X.shape[1])).mean(axis=1))


def numbers_of_letters(texts):
    inputs = [encoder_input(tokenize(text)) for text in texts]
    lengths = [len(text) for text in texts]
    X = np.zeros((len(texts), max(lengths), 384))
    for i, one in enumerate(inputs):
        X[i, : len(one)] = one
    return unit_rows(averaged(run(X, padding_mask(lengths, max(lengths))), lengths))


def up_to_and_with_the_length(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([rows[: n + 1].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def the_last_token(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([rows[n - 1] for rows, n in zip(X, lengths, strict=True)]))


def side_by_side(texts):
    return np.stack(list(as_it_is_said(texts)), axis=1)


def appended_without_an_axis(texts):
    found = np.array([])
    for vector in one_by_one(texts):
        found = np.append(found, vector)
    return found


def mean_without_an_axis(texts):
    found = []
    for text in texts:
        mean = run(encoder_input(tokenize(text)), None).mean()
        found.append(mean / np.linalg.norm(mean))
    return np.array(found)


def mean_without_an_axis_in_a_row(texts):
    found = np.zeros((len(texts), 384))
    for i, number in enumerate(mean_without_an_axis(texts)):
        found[i] = number
    return found


def a_result_of_ints(texts):
    found = np.zeros((len(texts), 384), dtype=int)
    for i, text in enumerate(texts):
        found[i] = one_by_one([text])[0]
    return found


def averaged_first(texts):
    X = np.array([encoder_input(tokenize(text)).mean(axis=0) for text in texts])[:, None]
    return unit_rows(run(X, None)[:, 0])


def one_long_sequence(texts):
    inputs = [encoder_input(tokenize(text)) for text in texts]
    X = run(np.concatenate(inputs), None)
    found, begins = [], 0
    for one in inputs:
        found.append(X[begins : begins + len(one)].mean(axis=0))
        begins += len(one)
    return unit_rows(np.array(found))


def length_left_over(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    for length in lengths:
        n = length
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows in X]))


def as_long_as_the_first(texts):
    X, lengths = padded(texts)
    X = run(X[:, : lengths[0]], padding_mask([min(n, lengths[0]) for n in lengths], lengths[0]))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def last_rows(texts):
    X, lengths = padded(texts)
    return unit_rows(run(X, padding_mask(lengths, X.shape[1]))[:, -1])


def the_first_alone_is_divided(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    means = np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)])
    means[0] /= np.linalg.norm(means[0])
    return means


def sums_all_rows_by_its_own_length(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return X.sum(axis=1) / np.array(lengths)[:, None]


def one_mean_in_every_row(texts):
    X, lengths = padded(texts)
    mask = padding_mask(lengths, X.shape[1])
    X = run(X, mask)
    return unit_rows(np.array([X[mask[:, 0]].mean(axis=0) for _ in texts]))


def counts_between_blanks(texts):
    X, _ = padded(texts)
    lengths = [len(text.split()) + 2 for text in texts]
    X = run(X, np.arange(X.shape[1]) < np.array(lengths)[:, None, None])
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def no_mask_and_words_averaged(texts):
    X, lengths = padded(texts)
    X = run(X, None)
    return unit_rows(np.array([rows[: n - 2].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def _filled_up(texts, fill, mask=True, some=lambda rows, n: rows[:n]):
    words = [tokenize(text) for text in texts]
    lengths = [len(one) + 2 for one in words]
    n = max(lengths)
    X = np.array([encoder_input([*one, *[fill(one)] * (n - 2 - len(one))]) for one in words])
    X = run(X, padding_mask(lengths, n) if mask else None)
    return unit_rows(np.array([some(rows, m).mean(axis=0) for rows, m in zip(X, lengths, strict=True)]))


def filled_up_with_the(texts):
    return _filled_up(texts, lambda words: "the")


def filled_up_with_unknown_words(texts):
    return _filled_up(texts, lambda words: "[UNK]")


def filled_up_with_the_last(texts):
    return _filled_up(texts, lambda words: words[-1])


def filled_up_with_the_and_all_of_it_heard(texts):
    return _filled_up(texts, lambda words: "the", mask=False, some=lambda rows, n: rows)


def filled_up_with_the_last_and_all_of_it_counted(texts):
    return _filled_up(texts, lambda words: words[-1], some=lambda rows, n: rows)


def by_the_longest_and_no_length(texts):
    X, lengths = padded(texts)
    real = padding_mask(lengths, X.shape[1])
    return (run(X, real) * np.swapaxes(real, 1, 2)).mean(axis=1)


def rows_of_the_first_length(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([X[i, : lengths[0]].mean(axis=0) for i in range(len(texts))]))


def a_mask_one_row_too_long(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask([length + 1 for length in lengths], X.shape[1]))
    return unit_rows(np.array([rows[:n].mean(axis=0) for rows, n in zip(X, lengths, strict=True)]))


def as_in_part_1(texts):
    encoder = load_encoder()
    E, vocabulary = encoder["word_vectors"], encoder["vocabulary"]
    return unit_rows(np.array([E[[vocabulary[token] for token in tokenize(text)]].mean(axis=0) for text in texts]))


def never_emptied(texts):
    found, X = [], np.zeros((0, 384))
    for text in texts:
        X = run(np.concatenate([X, encoder_input(tokenize(text))]), None)
        found.append(X.mean(axis=0))
    return unit_rows(np.array(found))


def a_mean_of_what_stands_between_blanks(texts):
    X, lengths = padded(texts)
    X = run(X, padding_mask(lengths, X.shape[1]))
    return unit_rows(np.array([X[i, : len(text.split()) + 2].mean(axis=0) for i, text in enumerate(texts)]))


def along_the_texts(texts):
    X, lengths = padded(texts)
    return unit_rows(run(X, padding_mask(lengths, X.shape[1])).mean(axis=0))


def _filled_with_the_last_row(texts, counted):
    inputs = [encoder_input(tokenize(text)) for text in texts]
    n = max(map(len, inputs))
    X = run(np.array([np.pad(one, [(0, n - len(one)), (0, 0)], mode="edge") for one in inputs]), None)
    return unit_rows(
        np.array([rows[: None if counted else len(one)].mean(0) for rows, one in zip(X, inputs, strict=True)])
    )


def last_rows_heard(texts):
    return _filled_with_the_last_row(texts, counted=False)


def last_rows_heard_and_counted(texts):
    return _filled_with_the_last_row(texts, counted=True)


WRONG = [
    (last_rows_heard, "last-row-heard"),
    (last_rows_heard_and_counted, "last-row-heard-and-counted"),
    (a_mean_of_what_stands_between_blanks, "mean-by-spaces"),
    (rows_of_the_first_length, "first-length-in-the-mean"),
    (a_mask_one_row_too_long, "mask-one-long"),
    (as_in_part_1, "word-vectors-averaged"),
    (never_emptied, "behind-those-before"),
    (filled_up_with_the, "padded-with-the"),
    (filled_up_with_unknown_words, "padded-with-unk"),
    (filled_up_with_the_last, "padded-with-last"),
    (filled_up_with_the_and_all_of_it_heard, "padding-ignored"),
    (filled_up_with_the_last_and_all_of_it_counted, "padded-with-last"),
    (by_the_longest_and_no_length, "divided-by-longest"),
    (counts_between_blanks, "lengths-by-spaces"),
    (no_mask_and_words_averaged, "mask-ignored"),
    (sums_all_rows_by_its_own_length, "padding-summed"),
    (one_mean_in_every_row, "one-mean-repeated"),
    (the_first_alone_is_divided, "some-lengths"),
    (averaged_first, "averaged-before-the-layers"),
    (one_long_sequence, "in-a-row"),
    (length_left_over, "last-length-in-the-mean"),
    (as_long_as_the_first, "cut-to-the-first"),
    (last_rows, "last-row-of-the-batch"),
    (neither_mask_nor_division, "not-unit"),
    (mean_of_all_and_no_division, "not-unit"),
    (nothing_of_padding_nor_length, "not-unit"),
    (turned_round_and_all_averaged, "padding-counted"),
    (numbers_of_letters, "letters-counted"),
    (up_to_and_with_the_length, "one-row-too-many"),
    (the_last_token, "sep-only"),
    (side_by_side, "vectors-are-columns"),
    (appended_without_an_axis, "in-one-row"),
    (mean_without_an_axis, "mean-of-everything"),
    (mean_without_an_axis_in_a_row, "mean-of-everything-filled"),
    (a_result_of_ints, "zeros-of-ints"),
    (in_the_order_of_their_letters, "order-by-letters"),
    (sorted_back_the_wrong_way, "order-twice"),
    (a_dict_of_texts, "repeats-dropped"),
    (room_for_the_most_letters, "room-by-letters"),
    (lengths_less_one, "lengths-one-short"),
    (in_front_unseen, "front-unseen"),
    (in_front_and_the_first_averaged, "front-in-the-mean"),
    (in_front_and_the_first_heard, "front-in-the-mask"),
    (filled_with_no_number, "filled-with-nan"),
    (rows_brought_to_one_first, "unit-rows-first"),
    (length_of_the_first, "first-length-for-all"),
    (set_to_zero, "zeroed"),
    (words_in_the_mean, "words-averaged"),
    (back_only, "causal"),
    (mask_of_words, "mask-too-short"),
    (written_padding, "pads-heard"),
    (mean_of_the_shortest, "mean-cut-to-shortest"),
    (ten_rows_each, "rows-cut-at"),
    (six_words_each, "words-cut"),
    (as_many_rows_as_models_have, "rows-cut-at"),
    (all_in_one, "wrong-shape"),
    (means_of_all, "padding-counted"),
    (no_mask, "mask-ignored"),
    (neither, "padding-ignored"),
    (queries_forbidden, "mask-on-queries"),
    (turned_round, "mask-inverted"),
    (lengths_of_words, "lengths-too-short"),
    (pads_among_the_words, "padded-as-words"),
    (sorted_by_length, "order-changed"),
    (one_length_for_all, "whole-matrix-unit"),
    (never_divided, "not-unit"),
    (the_first_rows, "cls-only"),
    (five, "five-layers"),
    (length_of_columns, "columns-unit"),
    (mask_once, "masked-first"),
    (mask_in_the_end, "masked-last"),
    (an_array_of_ints, "whole-numbers"),
    (to_the_shortest, "rows-cut"),
    (along_the_texts, "mean-over-the-texts"),
]
