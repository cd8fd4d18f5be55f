"""What several exercises of this notebook have in common."""

import numpy as np

from grader.exercises.inputs import matrix

# fmt: off
WORDS = [
    "the", "cat", "sat", "doctor", "paris", "river", "bread", "play", "going", "they", "with", "some", "apple",
    "winter", "hospital", "music", "green", "seven", "house", "again", "light", "word", "door", "read", "under",
    "early", "paper", "garden", "train", "dance",
]
# fmt: on


def some_words(rng, n):
    """Different words; three or more are not in alphabetical order, nor in that order turned round."""
    while True:
        words = [str(word) for word in rng.choice(WORDS, size=n, replace=False)]
        if n < 3 or sorted(words) not in (words, words[::-1]):
            return words


def some_ids(rng, n, vocab_size, ends=False):
    """Ids that are neither sorted nor all different, among them the last but one; more than three are not the same
    from the end.

    The last id only with `ends`, and then 0 as well; otherwise 0 only where there are few words.
    """
    pool = np.arange(1 if vocab_size > 3 else 0, vocab_size - 1)
    while True:
        ids = rng.choice(pool, size=n)
        ids[-1] = ids[0]
        if ids[0] and ids[1] != ids[0] and vocab_size - 2 in ids and (n < 4 or (ids != ids[::-1]).any()):
            break
    if ends:
        ids[:2] = vocab_size - 1, 0
    return ids


def embed_case(n, vocab_size, d_model, numbers=matrix, as_list=False, ends=False):
    def make(rng):
        ids = some_ids(rng, n, vocab_size, ends)
        return {"token_ids": ids.tolist() if as_list else ids, "E": numbers(rng, vocab_size, d_model)}

    return make
