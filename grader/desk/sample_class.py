"""A made class of eight, for `python -m grader demo` and the tests: who hands in what.

Each student starts from the released notebooks. `solves` says which exercises get the right answer; the functions in a
student's class replace the cell of that name; `cells` replaces whole cells by text that Python could not even read.
"""

import inspect
import math
import re
import textwrap
from dataclasses import dataclass, field

import numpy as np

from grader.notebook import is_answer

REGION = re.compile(r"^[ \t]*### BEGIN SOLUTION\n(.*?)^[ \t]*### END SOLUTION$", re.DOTALL | re.MULTILINE)
STUB = re.compile(r"^[ \t]*# YOUR CODE HERE$", re.MULTILINE)


@dataclass(frozen=True)
class Student:
    """One student of the made class.

    Attributes
    ----------
    name : str
    kind : str
        What is special about the submission, in a few words.
    solves : float
        Share of each notebook's exercises, from its beginning, that are answered (rightly, if not replaced).
    functions : type or None
        A class whose functions are handed in instead of the right ones.
    cells : dict of str to str
        Whole answer cells, by exercise.
    """

    name: str
    kind: str
    solves: float = 1.0
    functions: type | None = None
    cells: dict = field(default_factory=dict)

    def answers(self):
        """The cells that are not simply right: source by exercise."""
        own = {} if self.functions is None else vars(self.functions)
        written = {}
        for name, function in own.items():
            if inspect.isfunction(function):
                source = textwrap.dedent(inspect.getsource(function))
                # The notebooks import NumPy; what else a student uses, the student imports.
                written[name] = ("import math\n\n\n" if "math." in source else "") + source
        return written | self.cells


class Misunderstood:
    """One misconception an exercise."""

    def one_hot(token_ids, vocab_size):
        return np.eye(vocab_size)[token_ids].T

    def mean_embedding(X):
        return X.mean(axis=1)

    def dot_scores(Q, K):
        return K @ Q.T

    def squared_distances(Q, K):
        return np.sqrt(((Q[:, None, :] - K[None, :, :]) ** 2).sum(axis=-1))

    def softmax(x):
        powers = np.exp(x - x.max(axis=0, keepdims=True))
        return powers / powers.sum(axis=0, keepdims=True)

    def softmax_with_temperature(x, temperature):
        if temperature <= 0:
            raise ValueError("the temperature must be positive")
        x = x * temperature
        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def entropy(p):
        with np.errstate(all="ignore"):
            return -(p * np.log(p)).sum(axis=-1)

    def context_vectors(Q, K, V):
        scores = Q @ K.T
        return scores / scores.sum(axis=-1, keepdims=True) @ V


class TwoMistakes:
    """Two at once: the exponential is missing, and the sum runs down the columns."""

    def softmax(x):
        return x / x.sum(axis=0, keepdims=True)


class NeverEnding:
    """A loop inside a function, whose end condition can never come true."""

    def entropy(p):
        total, row = [], 0
        while row < len(p):
            kept = p[row][p[row] > 0]
            total.append(-(kept * np.log(kept)).sum())
            total = total[-1:]
        return np.array(total)


class Unusual:
    """Right, but nobody else writes it like that: loops, lists, einsum, recursion, other names."""

    def tokenize(text):
        words, word = [], ""
        for letter in text.lower() + " ":
            if letter.isalnum():
                word = word + letter
            elif word:
                words.append(word)
                word = ""
        return words

    def encode(tokens, vocabulary):
        ids = []
        for t in tokens:
            try:
                ids.append(vocabulary[t])
            except KeyError:
                ids.append(vocabulary["[UNK]"])
        return ids

    def embed(token_ids, E):
        return [list(E[i]) for i in token_ids]

    def one_hot(token_ids, vocab_size):
        return [[1 if column == i else 0 for column in range(vocab_size)] for i in token_ids]

    def embed_by_product(token_ids, table):
        picks = [np.arange(len(table)) == i for i in token_ids]
        return np.tensordot(np.asarray(picks, dtype=np.float32), table, axes=1)

    def mean_embedding(X):
        return np.einsum("nd->d", X) / len(X)

    def dot_scores(asking, answering):
        return [[sum(q[i] * k[i] for i in range(len(q))) for k in answering] for q in asking]

    def cosine_scores(Q, K):
        def unit(v):
            length = math.hypot(*v) or 1.0
            return np.array([x / length for x in v])

        return np.array([[float(np.vdot(unit(q), unit(k))) for k in K] for q in Q])

    def squared_distances(Q, K, **unused):
        out = np.zeros((len(Q), len(K)))
        for i in range(len(Q)):
            for j in range(len(K)):
                out[i, j] = np.linalg.norm(Q[i] - K[j]) ** 2
        return out

    def softmax(scores, verbose=False):
        rows = []
        for row in scores:
            # The log of the sum of exponentials, one term after the other: no maximum in sight.
            log_sum = -np.inf
            for score in row:
                log_sum = np.logaddexp(log_sum, float(score))
            rows.append([math.exp(float(score) - log_sum) for score in row])
        return rows

    def softmax_with_temperature(x, temperature):
        if not temperature > 0:
            raise ValueError("absolute zero")
        logits = np.asarray(x, dtype=float) / temperature
        return np.array([np.exp(r - np.logaddexp.reduce(r)) for r in logits])

    def entropy(p):
        return [sum(-w * math.log(w) for w in row if w > 0) for row in p]

    def context_vector(q, K, V):
        s = [float(np.dot(k, q)) for k in K]
        w = [math.exp(x - max(s)) for x in s]
        mixed = 0
        for i in range(len(w)):
            mixed = mixed + w[i] / sum(w) * V[i]
        return mixed

    def context_vectors(Q, K, V):
        S = np.einsum("qd,kd->kq", Q, K)
        W = np.exp(S - S.max(axis=0))
        return np.einsum("kq,kv->qv", W / W.sum(axis=0), V)


SYNTAX_ERROR = '''def softmax(x):
    """Softmax of each row."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True)
    return powers / powers.sum(axis=-1, keepdims=True)
'''

LOOP_IN_THE_CELL = """def softmax_with_temperature(x, temperature):
    if temperature <= 0:
        raise ValueError("the temperature must be positive")
    return softmax(x / temperature)


temperature = 1.0
while temperature > 0:
    temperature = temperature / 2 + 0.1
"""

CLASS = (
    Student("ada", "everything right"),
    Student("ben", "the first half of each notebook", solves=0.5),
    Student("chen", "handed in untouched", solves=0.0),
    Student("dora", "one misconception an exercise", functions=Misunderstood),
    Student("emil", "two mistakes at once", functions=TwoMistakes),
    Student("fay", "a syntax error", cells={"softmax": SYNTAX_ERROR}),
    Student("gus", "loops that never end", functions=NeverEnding, cells={"softmax_with_temperature": LOOP_IN_THE_CELL}),
    Student("hana", "right, in an unusual style", functions=Unusual),
)


def submission(student, released, solution):
    """A student's version of a notebook.

    Parameters
    ----------
    student : Student
    released, solution : NotebookNode
        The notebook as handed out, and its source in solutions/. `released` is changed.

    Returns
    -------
    NotebookNode
    """
    own = student.answers()
    right = {cell.id: cell for cell in solution.cells}
    to_answer = [cell for cell in released.cells if is_answer(cell)]
    for i, cell in enumerate(to_answer):
        if i >= student.solves * len(to_answer):
            break
        name = cell.id.removesuffix("-answer")
        if name in own:
            cell.source = own[name]
        elif cell.cell_type == "code":
            bodies = iter(REGION.findall(right[cell.id].source))
            cell.source = STUB.sub(lambda stub, bodies=bodies: next(bodies).rstrip("\n"), cell.source)
        else:
            cell.source = "The largest weight need not make the largest contribution: a long value counts for more."
    return released
