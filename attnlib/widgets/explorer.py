"""What all explorers share: a picture that a page takes over, so that it can be taken hold of without a kernel."""

import json
import re
import secrets
import weakref
from functools import lru_cache
from pathlib import Path

MIME = "application/vnd.attention-course.explorer+json"
JUPYTER = Path(__file__).parent  # holds what Jupyter looks for on its path: a folder `labextensions`
PAGE = JUPYTER / "labextensions" / "attention-course" / "static"


class Explorer:
    """A picture that one takes hold of: its parts are dragged, painted and played in the page itself.

    What a notebook saves of it is its data, the picture of its first state and, for pages outside JupyterLab, the
    script that brings it to life; nothing has to run for that.

    Parameters
    ----------
    name : str
        Of its module, ``static/<name>.js``.
    data : dict
        What the module is given: numbers, texts, and lists and dicts of them. Arrays are written as lists.
    picture : Picture
        Of the first state, for print and for pages without scripts.
    answer : callable, optional
        Takes what the page asks, returns what it shows (both as for `json`): for explorers that run a learner's own
        function. Without its kernel such an explorer keeps its last picture and says what to run.

    Attributes
    ----------
    text : str
        What the first state shows, in words.

    Examples
    --------
    >>> from attnlib.plots import weight_bars
    >>> explorer = Explorer("context", {"q": [0, 1]}, weight_bars([0.5, 0.5], ["cat", "dog"]))
    >>> explorer
    Explorer: Weights: cat 0.50, dog 0.50.
    """

    def __init__(self, name, data, picture, answer=None):
        self.name, self.data, self.picture = name, _plain(data), picture
        self.text = picture.alt
        self.key = None
        if answer is not None:
            self.key = secrets.token_hex(8)
            self._answer = answer
            _ANSWERS[self.key] = self

    def html(self):
        """Return the explorer for any page: picture, data and script, without a request to anywhere."""
        place = f"attnlib-{secrets.token_hex(6)}"
        data = json.dumps(self.data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return (
            f'<div class="attnlib-explorer" id="{place}">{self.picture._repr_mimebundle_()["text/html"]}</div>'
            f'<script>(() => {{\n{script(self.name)}\nmount(document.getElementById("{place}"), explorer, {data});'
            "\n})();</script>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        live = {"name": self.name, "data": self.data} | ({"key": self.key} if self.key else {})
        return {MIME: live, "text/html": self.html(), "text/plain": repr(self)}

    def __repr__(self):
        return f"Explorer: {self.text}"


_ANSWERS = weakref.WeakValueDictionary()  # explorers that answer, by key


def answer(key, question):
    """Answer what an explorer in a page asks this kernel; both sides are JSON.

    Raises
    ------
    LookupError
        If the explorer was made by a kernel that has ended.
    """
    if key not in _ANSWERS:
        raise LookupError("run this cell again: its kernel has been restarted since")
    return JSON(json.dumps(_plain(_ANSWERS[key]._answer(json.loads(question)))))


class JSON(str):
    """A text that a kernel hands out as JSON."""

    def _repr_json_(self):
        return json.dumps(str(self))


@lru_cache
def script(name):
    """Return the script of an explorer, with what it needs of the common module, as one piece.

    Raises
    ------
    ValueError
        If there is no such explorer.
    """
    path = PAGE / f"{name}.js"
    if not re.fullmatch("[a-z_]+", name) or name == "core" or not path.is_file():
        known = sorted(one.name[:-3] for one in PAGE.glob("*.js"))
        known = [one for one in known if one not in ("core", "remoteEntry")]
        raise ValueError(f"name must be one of {', '.join(known)}; got {name!r}")
    core = re.sub(r"^export ", "", (PAGE / "core.js").read_text("utf-8"), flags=re.M)
    own = re.sub(r'^import \{[^}]*\} from "\./core\.js";$', "", path.read_text("utf-8"), flags=re.M)
    return _without_comments(core + own.replace("export default ", "const explorer = "))


def _without_comments(source):
    """Leave out lines that are a comment, and indentation."""
    lines = (line.strip() for line in source.splitlines())
    return html_safe("\n".join(line for line in lines if line and not line.startswith("//")))


def html_safe(source):
    """No `</script` inside a script, whatever it says."""
    return source.replace("</", "<\\/")


def _plain(value):
    """Arrays and NumPy's numbers as what JSON knows."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value
