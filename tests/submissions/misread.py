"""Honest work that is easily misread: right at home, and once worth nothing, or not told, when it was graded."""

from submissions.handed import ANYTHING, MASKS, NOTHING, SCORES, THREE, answers, entry
from submissions.mishaps import RIGHT

PARTLY = {"read-score-matrix": 2.4}
LETTER = 'predict_softmax = "c) Both give the same weights."'

answers("letter-and-words", "the letter of a choice with its words", LETTER, {}, exercise="predict-softmax")
answers(
    "backend-that-is-not-there",
    "a magic for a backend that is not there, above the answer",
    "%matplotlib notebook\n" + RIGHT,
    {},
)
answers("picture-above", "draws the course's pictures above the answer", "plots.softmax_steps(scores[0])\n" + RIGHT, {})
answers(
    "theirs-for-comparison",
    "imports the course's own function for comparison, which is not there, and never calls it",
    "from attnlib import softmax as theirs\nfrom attnlib.mine import entropy\n" + RIGHT,
    {},
)
answers("error-above", "imports a package that is not there, above the answer", "import seabird\n" + RIGHT, {})
answers(
    "made-below-an-error",
    "imports a package that is not there, and makes the answer by a call below",
    "import seabird\n" + RIGHT.replace("def softmax", "def own") + "\nsoftmax = max([own], key=id)\n",
)
answers("curly-quotes", "a word processor's quotation marks above the answer", "mine = “softmax”\n" + RIGHT)


@entry("module-of-its-own", "functions in a file that a cell above writes, imported from there")
def _(handed):
    handed.put("%%writefile my_functions.py\n" + RIGHT.strip(), before="softmax-answer")
    handed.answer("softmax", "from my_functions import softmax")


@entry("all-in-one-cell", "all answers in one cell, the others as they were handed out")
def _(handed):
    cells = handed.cells[handed.place("softmax-answer") :]
    cells = [cell for cell in cells if cell.get("id", "").endswith("-answer") and cell.cell_type == "code"]
    together = "\n\n\n".join(cell.source for cell in cells)
    blank = {cell.get("id"): cell.source for cell in handed.released["3-softmax"].cells}
    for cell in cells:
        cell.source = blank[cell.id]
    handed.answer("softmax", together)


@entry("answer-above-its-stub", "the answer in a new cell above a stub that returns nothing", NOTHING)
def _(handed):
    handed.put(RIGHT, before="softmax-answer")
    handed.answer("softmax", "def softmax(x):\n    pass")


def _matrix(cat_on_sat, it_on_cat):
    return (
        "from decimal import Decimal\nfrom fractions import Fraction\n\nread_score_matrix = {\n"
        f'    "the_prefers": "sat", "cat_on_sat": {cat_on_sat}, "not_themselves": ["The"],\n'
        f'    "it_on_cat": {it_on_cat}, "shape": (2, 5),\n}}'
    )


@entry("numbers-of-other-kinds", "a fraction and a decimal among the values of a dict", part=THREE)
def _(handed):
    handed.answer("read-score-matrix", _matrix("Fraction(33, 100)", 'Decimal("0.50")'), SCORES)


@entry("not-called", "a function that was not called among the values of a dict", PARTLY, part=THREE)
def _(handed):
    handed.answer("read-score-matrix", _matrix("0.33", "dot_scores"), SCORES)


#: What stands in place of minus infinity, and what that is worth: whatever floats are computed in, the same. Attention
#: that calls it has its faults; the suspects have not.
for _name, _fill, _points, _calling in (
    ("tiny", "-1e-9", 0.0, 0.0),
    ("hundred", "-100", 3.0, 2.4),
    ("ten-thousand", "-1e4", 3.0, 2.4),
    ("billion", "-1e9", 3.4, 2.55),
):
    for _bits in (32, 64):

        @entry(
            f"filled-with-a-{_name}-in-{_bits}-bits",
            f"a masked softmax filled with {_fill} in place of minus infinity, in {_bits} bits",
            {"masked_softmax": _points, "masked_attention": _calling},
            part=THREE,
        )
        def _(handed, fill=_fill, kind=f"np.float{_bits}"):
            filled = f"np.where(mask, scores.astype({kind}), {kind}({fill}))"
            handed.answer("masked_softmax", f"def masked_softmax(scores, mask):\n    return softmax({filled})", MASKS)


PROBES = """
def leaks_future(attention):
    rng = np.random.default_rng()
    X = rng.normal(size=({n}, {d}))
    before = attention(X)

    def leaks_from(place):
        changed = X.copy()
        changed[place] = rng.normal(size={d})
        return not np.allclose(attention(changed)[:place], before[:place])

    {found}
"""


@entry("asked-by-threads", "a test for leaks whose questions several threads ask at once", part=THREE)
def _(handed):
    pool = "import concurrent.futures as futures\n    with futures.ThreadPoolExecutor(4) as pool:\n        "
    handed.answer(
        "leaks_future", PROBES.format(n=7, d=5, found=pool + "return any(pool.map(leaks_from, range(1, 7)))"), MASKS
    )


@entry("a-hundred-tokens", "a test for leaks with a hundred tokens of 128 numbers", part=THREE)
def _(handed):
    handed.answer(
        "leaks_future", PROBES.format(n=100, d=128, found="return any(map(leaks_from, [1, 2, 3, 4, 5, 50, 99]))"), MASKS
    )


@entry(
    "asked-by-another-process",
    "a test for leaks whose questions another process asks",
    # By pools of processes the cell below is slow as well: done in time or not, as the machine is.
    {"leaks_future": 0.0, "leaky-suspects": ANYTHING},
    words="leave multiprocessing",
    part=THREE,
)
def _(handed):
    pool = "import multiprocessing\n    global asked\n    asked = leaks_from\n    "
    pool += "with multiprocessing.get_context('fork').Pool(2) as pool:\n        "
    found = pool + "return any(pool.map(ask, range(1, 7)))"
    asks = "def ask(place):\n    return asked(place)\n\n"
    handed.answer("leaks_future", asks + PROBES.format(n=7, d=5, found=found), MASKS)
