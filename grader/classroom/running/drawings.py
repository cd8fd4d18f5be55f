"""The pictures of the course's own cells, drawn once for all submissions of a class.

They are drawn in the sandbox, by a process that holds all of `attnlib` and runs the course's own cells and no
learner's; so no submission can ask for anything to be computed, and none has to draw what is the same for everybody.
"""

import contextlib
import hashlib
import json
from typing import Any

from grader.classroom.running.line import Line
from grader.classroom.running.outputs import Outputs, node, stream
from grader.classroom.running.pictures import CourseCell, course_cells
from grader.classroom.sandbox.launcher import Sandbox
from grader.classroom.sandbox.limits import MEGABYTE, Limits
from grader.classroom.sandbox.process import Ended
from grader.files import write_whole

NOT_DRAWN = "(This picture could not be drawn here; your own copy of the notebook shows it.)\n"
LIVE = "(Something to try out: it moves in your own copy of the notebook.)\n"
#: Notebooks whose pictures are kept at hand.
MOST_KNOWN = 32


class Drawings:
    """Draws a notebook's pictures when they are first asked for.

    Parameters
    ----------
    sandbox : Sandbox
        All who share its warm process share the pictures: each notebook's are drawn by one of them.
    limits : Limits
    """

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox, self._limits = sandbox, limits
        self._known: dict[str, dict[str, list[Any]]] = {}

    def of(self, released: Any) -> dict[str, list[Any]]:
        """What each picture of the course shows in a notebook.

        Parameters
        ----------
        released : NotebookNode
            The notebook as handed out.

        Returns
        -------
        dict of str to list of NotebookNode
            By cell id, the outputs; not to be changed. A picture that could not be drawn says so.
        """
        cells = course_cells(released)
        name = hashlib.sha256(repr(cells).encode()).hexdigest()[:16]
        if name not in self._known:
            shown = {cell.id: [stream(LIVE if cell.live else NOT_DRAWN)] for cell in cells if cell.picture}
            # Whatever goes wrong here costs a picture, and never a mark.
            with contextlib.suppress(Exception):
                shown |= {cell: node(outputs) for cell, outputs in self._shared(name, cells).items()}
            while len(self._known) >= MOST_KNOWN:
                del self._known[next(iter(self._known))]
            self._known[name] = shown
        return self._known[name]

    def _shared(self, name: str, cells: tuple[CourseCell, ...]) -> dict[str, list[Any]]:
        """What was drawn, by whoever came first; by cell id."""
        import fcntl  # only where a class is graded

        path = self._sandbox.pictures / f"{name}.json"
        # The others wait here; the lock goes with whoever has it, however that ends.
        with path.with_suffix(".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                write_whole(path, json.dumps(self._drawn(cells)))
            return dict(json.loads(path.read_text(encoding="utf-8")))

    def _drawn(self, cells: tuple[CourseCell, ...]) -> dict[str, list[Any]]:
        """Run the course's cells and keep what their pictures show; those that fail are left out."""
        found: dict[str, list[Any]] = {}
        still = [cell for cell in cells if cell.picture and not cell.live]
        process = self._sandbox.fork(None)
        try:
            line = Line(process)
            for cell in cells[: cells.index(still[-1]) + 1] if still else ():
                if cell.begins:
                    line.ask({"kind": "cell", "source": cell.begins}, self._limits.cell)
                if cell in still:
                    drawn = node({"outputs": [], "execution_count": None})
                    outputs = Outputs(drawn, self._limits.output * MEGABYTE)
                    reply = line.ask({"kind": "cell", "source": cell.picture}, self._limits.cell, outputs.take)
                    if drawn.outputs and not (outputs.failed or reply.get("stopped") or reply.get("error")):
                        found[cell.id] = drawn.outputs
        except Ended:
            pass  # what there is will do
        finally:
            process.end()
        return found
