"""The course's own explorers on a feedback page: put in by their cells' ids, after all that came from others is clean.

They are made here, from the course's own cells; nothing of a submission takes part.
"""

import base64
import contextlib
import hashlib
import io
import json
import re
from functools import lru_cache
from html import escape
from itertools import count

from attnlib.widgets.explorer import Explorer, common_script, own_script
from grader.classroom.feedback.course_cells import course_cells
from grader.classroom.release import released
from grader.notebook import read_notebook

# No text of a submission has such a character any more.
PLACE = re.compile("\ue010([\\w.-]+)\ue011")


def mark(cell_id):
    """What stands for an explorer on a page that is being made."""
    return f"\ue010{cell_id}\ue011"


def explorers_of(path, config):
    """The explorers of a notebook that need nothing of the learner's.

    Parameters
    ----------
    path : Path
        The source notebook. Without one, or where a cell fails, there are no explorers: a page is whole without.
    config : traitlets.config.Config

    Returns
    -------
    dict of str to Explorer
        By cell id.
    """
    with contextlib.suppress(Exception):
        return _explorers(path, path.stat().st_mtime_ns, lambda: released(read_notebook(path), config))
    return {}


_KNOWN = {}


def _explorers(path, changed, read):
    if _KNOWN.get(path, (None,))[0] != changed:
        cells = course_cells(read())
        names, found = {"__name__": "__main__"}, {}
        last = max((i for i, cell in enumerate(cells) if cell.live), default=-1)
        for cell in cells[: last + 1]:
            with contextlib.redirect_stdout(io.StringIO()):  # what it prints is in the notebook
                exec(compile(cell.begins, cell.id, "exec"), names)
            if cell.live:
                made = eval(compile(cell.picture.strip(), cell.id, "eval"), names)
                if isinstance(made, Explorer):
                    found[cell.id] = made
        _KNOWN[path] = changed, found
    return _KNOWN[path][1]


def put_in(body, explorers):
    """Put explorers in their places.

    Parameters
    ----------
    body : str
        HTML with marks.
    explorers : dict of str to Explorer

    Returns
    -------
    body : str
    sources : list of str
        For the page's policy: the only scripts that it may run.

    Examples
    --------
    >>> put_in("<p>no explorer</p>", {})
    ('<p>no explorer</p>', [])
    """
    places, numbers = {}, count()

    def place(match):
        explorer = explorers.get(match[1])
        if explorer is None:
            return ""
        name = f"course-explorer-{next(numbers)}"
        places[name] = explorer
        return f'<div class="attnlib-explorer" id="{escape(name)}">{_picture(explorer)}</div>'

    body = PLACE.sub(place, body)
    if not places:
        return body, []
    script = _page_script(tuple((name, one.name, json.dumps(one.data)) for name, one in places.items()))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    before, end, after = body.rpartition("</body>")
    return f"{before}<script>{script}</script>{end}{after}", [f"'sha256-{digest}'"]


@lru_cache(maxsize=16)
def _picture(explorer):
    return explorer.picture_html()


@lru_cache(maxsize=16)
def _page_script(places):
    """One script for all explorers of a page: the common part once."""
    modules = "".join(f"{own_script(name, f'explorer_{name}')}\n" for name in sorted({name for _, name, _ in places}))
    mounts = "".join(
        f"mount(document.getElementById({json.dumps(place)}), explorer_{name}, {data});\n".replace("<", "\\u003c")
        for place, name, data in places
    )
    return f"(() => {{\n{common_script()}\n{modules}{mounts}}})();"
