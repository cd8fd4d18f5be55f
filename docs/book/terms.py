"""The terms of the glossary, and the forms in which prose has them."""

import re
from pathlib import Path

PAGE = Path(__file__).with_name("glossary.md")

#: Forms that are not the term itself or its plural with an s.
OTHER_FORMS = {
    "additive attention": ["additive scores?", "additive"],
    "attention weight": ["attention weights?", "weights"],
    "batch": ["batch(?:es)?"],
    "cosine similarity": ["cosine similarity", "cosines?"],
    "embedding": ["embeddings?"],
    "entropy": ["entropy", "entropies"],
    "head": ["heads?(?! to tail)"],
    "Jacobian matrix": ["Jacobian matrix", "Jacobians?"],
    "kernel": ["(?<!fresh )kernels?"],
    "key-value cache": ["(?:key-value )?caches?", "keeps the keys and values"],
    "layer normalisation": ["layer normali[sz]ation", "normali[sz](?:ation|es)"],
    "logits": ["logits?"],
    "loss": ["loss(?:es)?"],
    "nearest neighbour": ["nearest neighbou?rs?"],
    "one-hot vector": ["one-hot"],
    "permutation equivariant": ["permutation[- ]equivarian(?:t|ce)", "equivarian(?:t|ce)"],
    "query": ["query", "queries"],
    "rank": ["rank"],
    "recurrent network": ["recurrent (?:neural )?networks?"],
    "rotary position embedding": ["rotary position embeddings?", "rotary positions?", "RoPE"],
    "sinusoidal positions": ["sinusoidal positions?", "sinusoids?"],
    "stochastic gradient descent": ["stochastic gradient descent", "SGD"],
    "vocabulary": ["vocabulary", "vocabularies"],
    "word piece": ["(?:word )?pieces"],
}


def names():
    """The terms, in the order of their page."""
    block = PAGE.read_text(encoding="utf-8").partition("```{glossary}\n")[2].partition("```")[0]
    return [line for line in block.splitlines() if line and not line[0].isspace()]


def _pattern(term):
    forms = OTHER_FORMS.get(term, [f"{re.escape(term)}s?"])
    # Not as a part of another word, of a name with a hyphen, or of a path.
    return re.compile(rf"(?<![\w/-])(?:{'|'.join(forms)})(?![\w/]|-\w)", re.I)


#: The pattern of each term.
FORMS = {term: _pattern(term) for term in names()}


def first_use(text, term, begins):
    """Where a text first uses a term, as a match; None where it does not.

    Parameters
    ----------
    text, term : str
    begins : bool
        True if a sentence begins with the text. A capital elsewhere makes a name of a word, such as a notebook's.

    Examples
    --------
    >>> first_use("Your own come from Embeddings. Embeddings are rows.", "embedding", True).start()
    31
    """
    for found in FORMS[term].finditer(text):
        before = text[: found.start()].rstrip(" (\N{LEFT DOUBLE QUOTATION MARK}")
        if (
            not found[0][0].isupper()
            or term[0].isupper()
            or found[0].isupper()
            or (before[-1] in ".?!:" if before else begins)
        ):
            return found
    return None
