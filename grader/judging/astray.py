"""Why an answer's name has no value: what the lines of its cell tell of it, at home and while a class is graded."""

import difflib
import re
import unicodedata
from collections.abc import Iterable

import attnlib
from grader.exercises import BANK

#: Magics of a cell that run its lines as Python, and keep nothing of it.
_KEEPS_NOTHING = re.compile(r"\s*(%%(?:timeit|debug|python[23]?|pypy)\b)")
#: Those with which IPython makes something else of a cell than running its lines as Python here.
_NOT_RUN = re.compile(
    r"\s*(%%(?:writefile|file|script|bash|sh|cmd|system|sx|html|HTML|javascript|js|latex|markdown|svg|SVG|perl|ruby)\b)"
)
#: Names of other exercises, and of the library: they are no slips.
_TAKEN = {name.replace("-", "_") for name in BANK}.union(dir(attnlib))
#: How alike two names are of which one is a slip of the keyboard.
_ALIKE = 0.85
_CHARACTER = re.compile(r"invalid (?:non-printable )?character .*?U\+([0-9A-Fa-f]{4,6})")
#: What stands in a cell that is no Python, and what to do.
_NO_PYTHON = (
    (
        r"^(?:<{7}|>{7})(?: |$)",
        "the lines `<<<<<<<`, `=======` and `>>>>>>>` are marks that git leaves where two versions differ: keep one of "
        "the two, and delete the marks",
    ),
    (r"^[ \t]*```", "the lines with ``` belong to a text cell: delete them"),
    (
        r"^[ \t]*(?:pip3?|conda|mamba)[ \t]+(?:install|uninstall)\b",
        "to install something, write `%pip install`, with a % in front; what the course needs is there already",
    ),
)


def kept_nothing(source: str) -> str:
    """What the first line of a cell does to all others, where nothing of them is kept; "" for all other cells.

    Examples
    --------
    >>> kept_nothing("%%timeit\\nx = 1"), kept_nothing("%%time\\nx = 1")
    ('begins with `%%timeit`, which keeps nothing of what it runs: take that line away', '')
    """
    if magic := _KEEPS_NOTHING.match(source):
        return f"begins with `{magic[1]}`, which keeps nothing of what it runs: take that line away"
    if magic := _NOT_RUN.match(source):
        return f"begins with `{magic[1]}`, so that its lines were not run here: take that line away"
    return ""


def astray(source: str, names: Iterable[str], wanted: str) -> str:
    """What a cell does in place of giving a name its value, as the end of a sentence; "" if that cannot be told.

    Parameters
    ----------
    source : str
    names : iterable of str
        What the cell gives a value.
    wanted : str

    Examples
    --------
    >>> astray("def my_softmax(x): ...", {"my_softmax"}, "softmax")
    'defines `my_softmax`; the task asks for `softmax`'
    >>> astray("# def softmax(x):\\n#     return x", (), "softmax")
    'holds your answer in comments only: take away the # in front of its lines'
    >>> astray("def main():\\n    def softmax(x):\\n        return x", {"main"}, "softmax")[:40]
    'defines `softmax` within something else,'
    """
    if wanted in names:
        return kept_nothing(source)
    if near := _nearest(names, wanted):
        return kept_nothing(source) or f"defines `{near}`; the task asks for `{wanted}`"
    lines = [line.strip() for line in source.split("\n") if line.strip()]
    begins = re.compile(rf"#[# \t]*(?:def[ \t]+{re.escape(wanted)}\b|{re.escape(wanted)}[ \t]*=)")
    if all(line.startswith("#") for line in lines) and any(map(begins.match, lines)):
        return "holds your answer in comments only: take away the # in front of its lines"
    if re.search(rf"^[ \t]+(?:async[ \t]+)?def[ \t]+{re.escape(wanted)}\b", source, re.MULTILINE):
        return f"defines `{wanted}` within something else, and outside it is not there: begin its lines further left"
    return ""


def _nearest(names: Iterable[str], wanted: str) -> str:
    """The name that is most like another: a letter apart, other capitals, or something in front or behind."""
    plain = wanted.lower().strip("_")
    by = {name.lower().strip("_"): name for name in sorted(names) if name not in _TAKEN}
    longer = [name for name in by if re.search(rf"(?:^|_){re.escape(plain)}(?:_|\d|$)", name)]
    near = longer or difflib.get_close_matches(plain, by, 1, _ALIKE)
    return by[near[0]] if near else ""


def no_python(source: str, message: str) -> str:
    """What to do about a SyntaxError that Python says too little of; "" if nothing is known.

    Examples
    --------
    >>> no_python("pip install x", "invalid syntax")[:52]
    'to install something, write `%pip install`, with a %'
    >>> no_python("x = 1", "invalid non-printable character U+00A0")
    'U+00A0 is a no-break space, and no sign of Python: delete it and type it anew, with the key of your keyboard'
    """
    if found := _CHARACTER.search(message):
        name = unicodedata.name(chr(min(int(found[1], 16), 0x10FFFF)), "a sign without a name").lower()
        return (
            f"U+{found[1]} is a {name}, and no sign of Python: delete it and type it anew, with the key of your "
            "keyboard"
        )
    if "incomplete input" in message:
        return "the cell ends too early: what belongs below its last line has to stand in the same cell"
    return next((words for pattern, words in _NO_PYTHON if re.search(pattern, source, re.MULTILINE)), "")
