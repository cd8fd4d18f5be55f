"""Answers to the exercises of notebook 1-embeddings, as learners write them."""

import re
import string

import numpy as np

from attnlib import load_word_vectors

# ---------------------------------------------------------------- tokenize


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


# ---------------------------------------------------------------- encode


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


# ---------------------------------------------------------------- embed


def embed_by_index(token_ids, E):
    return E[token_ids]


def embed_by_loop(token_ids, E):
    X = np.zeros((len(token_ids), E.shape[1]))
    for i, token_id in enumerate(token_ids):
        X[i] = E[token_id]
    return X


def embed_by_double_loop(token_ids, E):
    return [[float(E[i, j]) for j in range(E.shape[1])] for i in token_ids]


def embed_by_take(token_ids, E):
    return np.take(E, token_ids, axis=0)


def embed_by_vstack(token_ids, E):
    return np.vstack([E[i] for i in token_ids])


def embed_by_stack_float32(token_ids, E):
    return np.stack([E[i] for i in token_ids]).astype(np.float32)


def embed_by_product_of_eye(token_ids, E):
    return np.eye(len(E))[token_ids] @ E


def embed_by_einsum(token_ids, E, dtype=float):
    hot = np.asarray(token_ids)[:, None] == np.arange(E.shape[0])
    return np.einsum("nv,vd->nd", hot.astype(dtype), E)


def embed_return_in_filling_loop(token_ids, E):
    X = np.zeros((len(token_ids), E.shape[1]))
    for i, token_id in enumerate(token_ids):
        X[i] = E[token_id]
        return X


def embed_return_in_collecting_loop(token_ids, E):
    rows = []
    for token_id in token_ids:
        rows.append(E[token_id])
        return np.array(rows)


def embed_take_without_axis(token_ids, E):
    return np.take(E, token_ids)


def embed_counts_from_one(token_ids, E):
    return np.array([E[i - 1] for i in token_ids])


def embed_columns(token_ids, E):
    return E[:, token_ids]


def embed_return_in_loop(token_ids, E):
    for i in token_ids:
        return E[i]


def embed_by_counter(token_ids, E):
    return np.array([E[i] for i, _ in enumerate(token_ids)])


def embed_boolean_rows(token_ids, E):
    return E[np.isin(np.arange(len(E)), token_ids)]


def embed_into_integers(token_ids, E):
    X = np.zeros((len(token_ids), E.shape[1]), dtype=int)
    for i in range(len(token_ids)):
        X[i] = E[token_ids[i]]
    return X


def embed_name_error(token_ids, E):
    return embedding_matrix[token_ids]  # noqa: F821


# ---------------------------------------------------------------- one_hot


def one_hot_by_eye(token_ids, vocab_size):
    return np.eye(vocab_size)[token_ids]


def one_hot_by_loop(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        rows[i, token_id] = 1
    return rows


def one_hot_by_fancy_index(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size), dtype=np.float32)
    rows[np.arange(len(token_ids)), token_ids] = 1.0
    return rows


def one_hot_as_bool(token_ids, vocab_size):
    return np.array(token_ids)[:, None] == np.arange(vocab_size)


def one_hot_as_lists(token_ids, vocab_size):
    return [[1 if j == i else 0 for j in range(vocab_size)] for i in token_ids]


def one_hot_as_integers(token_ids, vocab_size, dtype=int):
    return np.identity(vocab_size, dtype=dtype)[np.asarray(token_ids), :]


def one_hot_by_outer(token_ids, vocab_size):
    return np.equal.outer(token_ids, range(vocab_size)).astype(float)


def one_hot_by_put(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    np.put_along_axis(rows, np.asarray(token_ids)[:, None], 1, axis=1)
    return rows


def one_hot_eye_columns(token_ids, vocab_size):
    return (np.arange(vocab_size)[:, None] == np.asarray(token_ids)).astype(int)


def one_hot_too_short(token_ids, vocab_size):
    return np.eye(max(token_ids) + 1)[token_ids]


def one_hot_bag(token_ids, vocab_size):
    row = np.zeros(vocab_size)
    row[token_ids] = 1
    return row


def one_hot_all_columns(token_ids, vocab_size):
    H = np.zeros((len(token_ids), vocab_size))
    H[:, token_ids] = 1
    return H


def one_hot_whole_rows(token_ids, vocab_size):
    H = np.zeros((len(token_ids), vocab_size))
    H[token_ids] = 1
    return H


def one_hot_square(token_ids, vocab_size):
    H = np.zeros((vocab_size, vocab_size))
    for i in token_ids:
        H[i, i] = 1
    return H


def one_hot_square_by_place(token_ids, vocab_size):
    H = np.zeros((vocab_size, vocab_size))
    for i, token_id in enumerate(token_ids):
        H[i, token_id] = 1
    return H


def one_hot_identity(token_ids, vocab_size):
    return np.eye(vocab_size)


def one_hot_counted_from_one(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        rows[i, token_id - 1] = 1
    return rows


def one_hot_writes_id(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        rows[i, token_id] = token_id
    return rows


def one_hot_of_the_place(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i in range(len(token_ids)):
        rows[i, i] = 1
    return rows


# ---------------------------------------------------------------- embed_by_product


def product_at(token_ids, E):
    return one_hot_by_loop(token_ids, E.shape[0]) @ E


def product_dot(token_ids, E):
    return np.dot(one_hot_by_eye(token_ids, len(E)), E)


def product_matmul_integers(token_ids, E):
    return np.matmul(one_hot_as_integers(token_ids, len(E)), E)


def product_einsum(token_ids, E):
    return np.einsum("nv,vd->nd", one_hot_by_eye(token_ids, len(E)), E)


def product_by_hand(token_ids, E):
    rows = one_hot_as_lists(token_ids, len(E))
    return [[sum(row[k] * E[k, j] for k in range(len(E))) for j in range(E.shape[1])] for row in rows]


def product_broadcast(token_ids, E, axis=1):
    return (one_hot_by_eye(token_ids, len(E))[:, :, None] * E[None]).sum(axis=axis)


def product_transposed_twice(token_ids, E):
    return (E.T @ one_hot_by_eye(token_ids, len(E)).T).T


def product_float32(token_ids, E):
    return one_hot_by_fancy_index(token_ids, len(E)) @ E.astype(np.float32)


def product_of_the_first_rows(token_ids, E):
    size = max(token_ids) + 1
    return np.eye(size)[token_ids] @ E[:size]


def product_transposed(token_ids, E):
    return E.T @ one_hot_by_eye(token_ids, len(E)).T


def product_columns_of_width_d(token_ids, E):
    return one_hot_by_loop(token_ids, E.shape[1]) @ E


def product_star(token_ids, E):
    return one_hot_by_eye(token_ids, len(E)) * E


def product_of_transposed_rows(token_ids, E):
    return one_hot_by_eye(token_ids, len(E)).T @ E


def product_wrong_order(token_ids, E):
    return E @ one_hot_by_eye(token_ids, len(E))


# ---------------------------------------------------------------- mean_embedding


def mean_by_method(X):
    return X.mean(axis=0)


def mean_by_function(X):
    return np.mean(X, axis=-2)


def mean_by_sum(X):
    return X.sum(axis=0) / len(X)


def mean_by_loop(X):
    total = np.zeros(X.shape[1])
    for row in X:
        total += row
    return total / X.shape[0]


def mean_by_product(X):
    return np.ones(len(X)) @ X / len(X)


def mean_by_einsum(X):
    return np.einsum("nd->d", X) / X.shape[0]


def mean_as_list(X):
    return [float(sum(column)) / len(column) for column in zip(*X, strict=True)]


def mean_float32(X, axis=0):
    return np.average(np.asarray(X, dtype=np.float32), axis=axis)


def mean_over_numbers(X):
    return np.mean(X, axis=1)


def mean_of_everything(X):
    return np.mean(X)


def mean_is_sum(X):
    return np.sum(X, axis=0)


def mean_keepdims(X):
    return X.mean(axis=0, keepdims=True)


def mean_divides_by_width(X):
    return sum(X) / len(X[0])


def mean_in_place(X):
    for i in range(1, len(X)):
        X[0] += X[i]
    return X[0] / len(X)


VARIANTS = {
    "tokenize": [
        tokenize_by_pattern,
        tokenize_by_isalnum,
        tokenize_by_loop,
        tokenize_by_split,
        tokenize_by_substitution,
        tokenize_lower_at_the_end,
        tokenize_as_tuple,
        tokenize_as_array,
    ],
    "encode": [
        encode_by_get,
        encode_by_condition,
        encode_by_loop,
        encode_by_exception,
        encode_as_array,
        encode_as_int32_items,
        encode_by_map,
        encode_as_tuple,
    ],
    "embed": [
        embed_by_index,
        embed_by_loop,
        embed_by_double_loop,
        embed_by_take,
        embed_by_vstack,
        embed_by_stack_float32,
        embed_by_product_of_eye,
        embed_by_einsum,
    ],
    "one_hot": [
        one_hot_by_eye,
        one_hot_by_loop,
        one_hot_by_fancy_index,
        one_hot_as_bool,
        one_hot_as_lists,
        one_hot_as_integers,
        one_hot_by_outer,
        one_hot_by_put,
    ],
    "embed_by_product": [
        product_at,
        product_dot,
        product_matmul_integers,
        product_einsum,
        product_by_hand,
        product_broadcast,
        product_transposed_twice,
        product_float32,
    ],
    "mean_embedding": [
        mean_by_method,
        mean_by_function,
        mean_by_sum,
        mean_by_loop,
        mean_by_product,
        mean_by_einsum,
        mean_as_list,
        mean_float32,
    ],
}

WRONG = {
    "tokenize": [
        (tokenize_word_characters, "underscores"),
        (tokenize_a_to_z, "a-to-z"),
        (tokenize_only_split, "whitespace-only"),
        (tokenize_strip, "strips-ends"),
        (tokenize_delete_punctuation, "glued"),
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
        (tokenize_nothing, "same-for-every-input"),
    ],
    "encode": [
        (encode_plain_get, "none-for-unknown"),
        (encode_indexing, "not-provided-for"),
        (encode_filter, "dropped"),
        (encode_or, "zero-is-false"),
        (encode_get_zero, "zero"),
        (encode_by_index, "position"),
        (encode_float_array, "floats"),
        (encode_adds_words, "grows"),
    ],
    "embed": [
        (embed_counts_from_one, "one-early"),
        (embed_columns, "columns"),
        (embed_return_in_loop, "first-only"),
        (embed_return_in_filling_loop, "first-round"),
        (embed_return_in_collecting_loop, "first-row"),
        (embed_take_without_axis, "single-numbers"),
        (embed_by_counter, "first-rows"),
        (embed_boolean_rows, "sorted"),
        (embed_into_integers, "whole-numbers"),
        (embed_name_error, None),
    ],
    "one_hot": [
        (one_hot_eye_columns, "transposed"),
        (one_hot_too_short, "own-width"),
        (one_hot_bag, "one-row"),
        (one_hot_all_columns, "all-columns"),
        (one_hot_whole_rows, "whole-rows"),
        (one_hot_square, "square-by-id"),
        (one_hot_square_by_place, "square-by-place"),
        (one_hot_identity, "identity"),
        (one_hot_counted_from_one, "one-early"),
        (one_hot_writes_id, "id-as-value"),
        (one_hot_of_the_place, "diagonal"),
    ],
    "embed_by_product": [
        (embed_by_index, "lookup"),
        (product_of_the_first_rows, "lookup"),
        (product_transposed, "transposed"),
        (product_columns_of_width_d, "width-d"),
        (product_star, "elementwise"),
        (product_of_transposed_rows, "transposed-rows"),
        (product_wrong_order, "factors-swapped"),
    ],
    "mean_embedding": [
        (mean_over_numbers, "other-axis"),
        (mean_of_everything, "one-number"),
        (mean_is_sum, "sum"),
        (mean_keepdims, "extra-axis"),
        (mean_divides_by_width, "divided-by-d"),
        (mean_in_place, "changes-input"),
    ],
}


# ---------------------------------------------------------------- numbers in the prose

_VOCABULARY, _E = load_word_vectors()
_WORDS = list(_VOCABULARY)
_LENGTHS = np.linalg.norm(_E, axis=1)
_TINY = {"The": np.array([0.2, 0.5]), "cat": np.array([0.8, 0.1]), "sat": np.array([0.3, 0.9])}


def _cosine(first, second):
    first, second = _VOCABULARY[first], _VOCABULARY[second]
    return float(_E[first] @ _E[second] / (_LENGTHS[first] * _LENGTHS[second]))


def _nearest(word):
    """All words in the order of their cosine with `word`; place 0 is the word itself."""
    row = _VOCABULARY[word]
    return [_WORDS[i] for i in np.argsort(-(_E @ _E[row]) / _LENGTHS)]


def _length(word):
    return f"{_LENGTHS[_VOCABULARY[word]]:.2f}"


def _hand_cosine():
    cat, sat = _TINY["cat"], _TINY["sat"]
    products = cat * sat
    lengths = np.linalg.norm(cat), np.linalg.norm(sat)
    return (
        f"the sum of products is {products[0]:.2f} + {products[1]:.2f} = {products.sum():.2f}, "
        f"the lengths are {lengths[0]:.3f} and {lengths[1]:.3f}, "
        f"so the cosine is {products.sum() / (lengths[0] * lengths[1]):.3f}"
    )


def _cosines(x):
    """The cosine of every word with a vector."""
    return _E @ x / (_LENGTHS * np.linalg.norm(x))


def _middle(first, second):
    return (_E[_VOCABULARY[first]] + _E[_VOCABULARY[second]]) / 2


def _to_middle(word, other):
    return float(_cosines(_middle(word, other))[_VOCABULARY[word]])


def _crossing():
    start, end = _VOCABULARY["doctor"], _VOCABULARY["hospital"]
    for t in np.arange(0, 1.001, 0.02):  # the steps of the slider
        if _cosines((1 - t) * _E[start] + t * _E[end]).argmax() == end:
            return f"From <i>t</i> = {t:.2f} on <i>hospital</i> is nearest"
    return "never"


def _nearer_to_the_middle():
    middle = _cosines(_middle("doctor", "hospital"))
    ends = [_cosines(_E[_VOCABULARY[word]]) for word in ("doctor", "hospital")]
    first, *others = (i for i in np.argsort(-middle) if middle[i] > max(ends[0][i], ends[1][i]))
    numbers = f"{middle[first]:.2f} against {ends[0][first]:.2f} and {ends[1][first]:.2f}"
    a, b, c = (f"<i>{word}</i>" for word in ("clinic", "health", "nurse") if _VOCABULARY[word] in others)
    return f"<i>{_WORDS[first]}</i> above all, with {numbers}; and {a}, {b} and {c}"


def _mean_row(text, values):
    return f"| {text} | " + " | ".join(f"{value:.4f}".rstrip("0") for value in values) + " |"


NUMBERS = [
    ("loaded 3,600 English words", lambda: f"loaded {len(_E):,} English words"),
    ("shape (3600, 384)", lambda: f"shape {_E.shape}"),
    (
        "doctors, physician, physicians, medical, surgeon, hospital",
        lambda: ", ".join(_nearest("doctor")[1:7]),
    ),
    ("nearest to *paris* is france", lambda: f"nearest to *paris* is {_nearest('paris')[1]}"),
    (
        "*play* has the id 339 and *the* has 14",
        lambda: f"*play* has the id {_VOCABULARY['play']} and *the* has {_VOCABULARY['the']}",
    ),
    ("In this vocabulary it is 1.", lambda: f"In this vocabulary it is {_VOCABULARY['[UNK]']}."),
    (
        "the sum of products is 0.24 + 0.09 = 0.33, the lengths are 0.806 and 0.949, so the cosine is 0.431",
        _hand_cosine,
    ),
    ("*river* comes only in place 20", lambda: f"*river* comes only in place {_nearest('bank').index('river')}"),
    ("*doctor* and *river* have 0.01", lambda: f"*doctor* and *river* have {_cosine('doctor', 'river'):.2f}"),
    (
        "*i* and *to* have length 0.86, *play* 1.21, *doctor* 1.37",
        lambda: f"*i* and *to* have length {_length('to')}, *play* {_length('play')}, *doctor* {_length('doctor')}",
    ),
    (
        "*cookies* is the longest of all, at 1.61",
        lambda: f"*{_WORDS[_LENGTHS.argmax()]}* is the longest of all, at {_LENGTHS.max():.2f}",
    ),
    (
        "the same cosine with *physician*, 0.6162",
        lambda: f"the same cosine with *physician*, {_cosine('doctor', 'physician'):.4f}",
    ),
    ("From <i>t</i> = 0.52 on <i>hospital</i> is nearest", _crossing),
    (
        "<i>doctor</i> has length 1.37 and <i>hospital</i> 1.30",
        lambda: f"<i>doctor</i> has length {_length('doctor')} and <i>hospital</i> {_length('hospital')}",
    ),
    (
        "<i>medical</i> above all, with 0.56 against 0.47 and 0.48; and <i>clinic</i>, <i>health</i> and <i>nurse</i>",
        _nearer_to_the_middle,
    ),
    (
        "0.90 each, while <i>bread</i> has 0.71 and <i>music</i> 0.74",
        lambda: (
            f"{_to_middle('king', 'queen'):.2f} each, while <i>bread</i> has {_to_middle('bread', 'music'):.2f} "
            f"and <i>music</i> {_to_middle('music', 'bread'):.2f}"
        ),
    ),
    (
        "<i>king</i> with <i>queen</i> is 0.63",
        lambda: f"<i>king</i> with <i>queen</i> is {_cosine('king', 'queen'):.2f}",
    ),
    (
        "<i>bread</i> and <i>music</i> have 0.05",
        lambda: f"<i>bread</i> and <i>music</i> have {_cosine('bread', 'music'):.2f}",
    ),
    ("itself, <i>bad</i>, at 0.53", lambda: f"itself, <i>{_nearest('good')[1]}</i>, at {_cosine('good', 'bad'):.2f}"),
    (
        "This vocabulary has no word with an apostrophe in it",
        lambda: (
            f"This vocabulary has {sum(len(w) > 1 and chr(39) in w for w in _WORDS) or 'no'} word with an "
            "apostrophe in it"
        ),
    ),
    ("| sum | 1.3 | 1.5 |", lambda: _mean_row("sum", sum(_TINY.values()))),
    ("| divided by 3 | 0.4333 | 0.5 |", lambda: _mean_row("divided by 3", sum(_TINY.values()) / 3)),
    (
        "a single one for both, [0.4333 0.5]",
        lambda: f"a single one for both, [{sum(_TINY.values())[0] / 3:.4f} {sum(_TINY.values())[1] / 3:.1f}]",
    ),
]
