"""What all explorers share: a picture that a page takes over, so that it can be taken hold of without a kernel."""

import base64
import gzip
import json
import re
import secrets
import weakref
from functools import lru_cache
from pathlib import Path

MIME = "application/vnd.attention-course.explorer+json"
JUPYTER = Path(__file__).parent  # holds what Jupyter looks for on its path: a folder `labextensions`
PAGE = JUPYTER / "labextensions" / "attention-course" / "static"

# Pages that cannot unpack keep the picture.
UNPACK = (
    'const bytes = Uint8Array.from(atob("PACKED"), (c) => c.charCodeAt(0)); '
    'const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")); '
    'const source = new Blob([await new Response(stream).text()], { type: "text/javascript" }); '
    "const { mount, explorer } = await import(URL.createObjectURL(source));"
)


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
            f'<div class="attnlib-explorer" id="{place}">{self.picture_html()}</div>'
            f"<script>(async () => {{ {UNPACK.replace('PACKED', packed(self.name))} "
            f'mount(document.getElementById("{place}"), explorer, {data}); }})();</script>'
        )

    def picture_html(self):
        """Return the first state alone, for what cannot run a script."""
        return self.picture._repr_mimebundle_()["text/html"]

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
        raise LookupError("run this cell again: its kernel is another one by now")
    return JSON(json.dumps(_plain(_ANSWERS[key]._answer(json.loads(question)))))


class JSON(str):
    """A text that a kernel hands out as JSON."""

    def _repr_json_(self):
        return {"answer": str(self)}


def script(name):
    """Return the script of an explorer, with the common module, as one piece that defines `mount` and `explorer`.

    Raises
    ------
    ValueError
        If there is no such explorer.
    """
    return f"{common_script()}\n{own_script(name)}"


@lru_cache
def packed(name):
    """Return the script of an explorer as a module, compressed, as text: a notebook holds several of them."""
    source = f"{script(name)}\nexport {{ mount, explorer }};"
    return base64.b64encode(gzip.compress(source.encode(), mtime=0)).decode()


@lru_cache
def common_script():
    """Return what the scripts of all explorers stand on, ready to stand inside a page."""
    return _inside((PAGE / "core.js").read_text("utf-8"))


@lru_cache
def own_script(name, called="explorer"):
    """Return what an explorer adds to the common script: a constant of the name `called`.

    Raises
    ------
    ValueError
        If there is no such explorer.
    """
    known = sorted(path.stem for path in PAGE.glob("*.js") if path.stem not in ("core", "progress", "remoteEntry"))
    if name not in known:
        raise ValueError(f"name must be one of {', '.join(known)}; got {name!r}")
    source = _inside((PAGE / f"{name}.js").read_text("utf-8"))
    # What helps it stays its own: two explorers on a page may use the same names.
    return f"const {called} = (() => {{\n{source.replace('export default', 'return', 1)}\n}})();"


def _inside(source):
    """A module as part of a page's script: what it imports is there, and nobody has to read it."""
    source = re.sub(r"^import \{[^}]*\} from \"\./core\.js\";$|^export (?!default)", "", source, flags=re.M)
    lines = (line.strip() for line in source.splitlines())
    # No `</script` inside a script, whatever it says.
    return "\n".join(line for line in lines if line and not line.startswith("//")).replace("</", "<\\/")


def _plain(value):
    """Arrays and NumPy's numbers as what JSON knows."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value
