"""What the answers to several exercises of this notebook have in common."""

import numpy as np


def embed_by_index(token_ids, E):
    return E[token_ids]


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


def one_hot_as_lists(token_ids, vocab_size):
    return [[1 if j == i else 0 for j in range(vocab_size)] for i in token_ids]


def one_hot_as_integers(token_ids, vocab_size, dtype=int):
    return np.identity(vocab_size, dtype=dtype)[np.asarray(token_ids), :]
