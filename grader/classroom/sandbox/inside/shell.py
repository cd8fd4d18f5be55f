"""IPython without a kernel, inside the sandbox: runs cells and hands every output on as a notebook would show it."""

import __future__

import ast
import base64
import builtins
import contextlib
import io
import json
import sys
from traceback import walk_tb

import matplotlib
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import pyplot
from matplotlib.backends.backend_template import FigureCanvasTemplate
from traitlets.config import Config

from grader.classroom.sandbox.inside.undrawn import COLOURS, Undrawn
from grader.judging.answer import StillRunning

#: Text of one cell that is handed on; the rest is counted.
LONGEST_OUTPUT = 100_000
#: Handed on at once, so that what is printed before a crash is seen.
PIECE = 8_000


class Stream(io.TextIOBase):
    """A text stream whose text becomes outputs of the cell that runs."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, name, publish):
        self.name = name
        self._publish, self._waiting, self._size, self._total, self._cut = publish, [], 0, 0, 0

    def writable(self):
        """Return True."""
        return True

    def write(self, text):
        """Take text; returns its length."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        room = LONGEST_OUTPUT - self._total
        kept = text[: max(room, 0)]
        self._cut += len(text) - len(kept)
        self._total += len(kept)
        if kept:
            self._waiting.append(kept)
            self._size += len(kept)
            if self._size > PIECE:
                self.flush()
        return len(text)

    def flush(self):
        """Hand on what waits."""
        if self._waiting:
            text, self._waiting, self._size = "".join(self._waiting), [], 0
            self._publish({"output_type": "stream", "name": self.name, "text": text})

    def close(self):
        """Do nothing: the cells below go on printing."""

    def end_of_cell(self):
        """Hand on what waits, and say how much was left out."""
        if self._cut:
            self._waiting.append(f"\n... ({self._cut:,} more characters were left out)\n")
        self.flush()
        self._total = self._cut = 0


def _bundle(data):
    """A MIME bundle as JSON has it: pictures as base64, everything else as text."""
    kept = {}
    for mime, content in data.items():
        if isinstance(content, bytes):
            content = base64.b64encode(content).decode("ascii")
        elif not isinstance(content, str):
            try:
                content = json.dumps(content)
            except (TypeError, ValueError):
                continue
        kept[str(mime)] = content
    return kept


class Publisher(DisplayPublisher):
    """What `display` calls."""

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **kwargs):
        """Hand a MIME bundle on."""
        display_id = str((transient or {}).get("display_id", ""))
        kind = "update_display_data" if update else "display_data"
        self.shell.show({"output_type": kind, "data": _bundle(data), "display_id": display_id})

    def clear_output(self, wait=False):
        """Take back what the cell has shown so far."""
        self.shell.show({"output_type": "clear", "wait": bool(wait)})


class Results(DisplayHook):
    """What the value of a cell's last line goes to."""

    def write_output_prompt(self):
        """Write nothing: the notebook has its own prompts."""

    def write_format_data(self, format_dict, md_dict=None):
        """Hand the value on as a MIME bundle."""
        self.shell.show({"output_type": "execute_result", "data": _bundle(format_dict)})

    def finish_displayhook(self):
        """Write nothing."""


class Shell(InteractiveShell):
    """Cells in, outputs out.

    Attributes
    ----------
    publish : callable
        Takes each output, a dict.
    """

    display_pub_class = Publisher
    displayhook_class = Results
    publish = staticmethod(lambda output: None)
    #: There is none; a line that asks it for something is no reason for the rest of a cell not to run.
    kernel = Undrawn()
    _streams = ()
    #: Names that the imports of cells that failed were to give.
    _imported = frozenset()

    @classmethod
    def warm(cls):
        """The one shell of this process, set up as a notebook's kernel is, but that nothing is drawn."""
        config = Config()
        config.HistoryManager.enabled = False
        config.HistoryManager.hist_file = ":memory:"
        config.InteractiveShell.colors = "NoColor"
        config.InteractiveShell.automagic = True
        shell = cls.instance(config=config)
        # What is made for the first cell, its value and its error is there for all.
        shell.run_cell("raise ValueError", store_history=False)
        shell.display_formatter.format(0)
        for name in ("last_type", "last_value", "last_traceback", "last_exc"):
            vars(sys).pop(name, None)
        pyplot.switch_backend("template")
        FigureCanvasTemplate.buffer_rgba = COLOURS  # what only a canvas that draws has
        matplotlib.use = pyplot.switch_backend = lambda *args, **kwargs: None  # whatever is asked for stays undrawn
        return shell

    def get_parent(self):
        """The message that a cell came with, for widgets that ask for it: none of a notebook's."""
        return {"header": {"msg_id": ""}}

    def enable_gui(self, gui=None):
        """Do nothing: there are no windows."""

    def enable_matplotlib(self, gui=None):
        """Do nothing but say so: a backend that is not there must not keep a cell from running."""
        if gui not in (None, "inline"):
            print(f"%matplotlib {gui}: pictures are not drawn while a notebook is graded.")
        return "inline", "template"

    def run_line_magic(self, magic_name, line, _stack_depth=1):
        """Run a magic; one that is not there (`%autosave`, those of extensions) is passed over with a word."""
        if self.find_line_magic(magic_name) is None:
            print(f"%{magic_name} is not there while a notebook is graded.")
            return None
        if magic_name in ("load_ext", "reload_ext"):
            with contextlib.suppress(Exception):
                return super().run_line_magic(magic_name, line, _stack_depth + 1)
            print(f"The extension {line} is not there while a notebook is graded.")
            return None
        return super().run_line_magic(magic_name, line, _stack_depth + 1)

    def run_cell_magic(self, magic_name, line, cell):
        """Run a magic of a cell; of one that is not there (those of extensions), the cell's lines."""
        if self.find_cell_magic(magic_name) is None and self.find_line_magic(magic_name) is None:
            print(f"%%{magic_name} is not there while a notebook is graded.")
            self.run_cell(cell)
            return None
        return super().run_cell_magic(magic_name, line, cell)

    def show_usage_error(self, exc):
        """Hand on what keeps a cell from running as any other error."""
        self.show({"output_type": "error", "ename": "UsageError", "evalue": str(exc), "traceback": [str(exc)]})

    def ask_exit(self):
        """Do nothing: `exit` must not end a notebook that has cells left."""

    def show(self, output):
        """Hand an output on, after the text that was printed before it."""
        for stream in self._streams:
            stream.flush()
        self.publish(output)

    def _showtraceback(self, etype, evalue, stb):
        if etype is StillRunning:
            return  # the judge says so, in its own words
        if _is_absent(evalue):
            # Most often deep within a picture: where in its code is nothing that a learner did.
            self.show({"output_type": "stream", "name": "stdout", "text": f"{evalue}\n"})
            return
        name = str(getattr(etype, "__name__", etype))
        try:
            value = str(evalue)
        except Exception:
            value = "(its message cannot be shown)"
        self.show({"output_type": "error", "ename": name, "evalue": value, "traceback": [str(line) for line in stb]})

    def open_streams(self):
        """Let print and input go through this shell."""
        self._streams = tuple(Stream(name, lambda output: self.publish(output)) for name in ("stdout", "stderr"))
        builtins.input = _no_input

    def run(self, source):
        """Run one cell and hand on all that it shows."""
        sys.stdout, sys.stderr = self._streams  # whatever the cell before made of them
        try:
            self.run_cell(source, store_history=True)
        finally:
            for stream in self._streams:
                stream.end_of_cell()

    def run_cell(self, raw_cell, *args, **kwargs):
        """Run a cell; what it defines below a line that fails is taken all the same: at home that may not fail."""
        result = super().run_cell(raw_cell, *args, **kwargs)
        if result.error_in_exec is not None:
            self._define_the_rest(raw_cell, result.error_in_exec)
        return result

    def _define_the_rest(self, source, problem):
        frames = [(frame, line) for frame, line in walk_tb(problem.__traceback__) if frame.f_globals is self.user_ns]
        failed = [(frame, line) for frame, line in frames if frame.f_code.co_name.startswith(("<module>", "<cell"))]
        with contextlib.suppress(SyntaxError):
            if source.startswith("%%") and len(failed) > 1:  # the last one is in the lines below the magic
                source = source.partition("\n")[2]
            statements, line = ast.parse(self.transform_cell(source)).body if failed else (), failed and failed[-1][1]
            self._imported |= {name for statement in statements for name in _names_imported(statement)}
            taken = 0
            for statement in statements:
                if _is_reached(statement, line) and _only_defines(statement):
                    kept = self._without_absent_decorators(statement)
                    # Annotations stay words: what they name may be in a package that is not here.
                    flags, name = __future__.annotations.compiler_flag, failed[-1][0].f_code.co_filename
                    code = compile(ast.Module([kept], []), name, "exec", flags, True)
                    with contextlib.suppress(Exception):
                        exec(code, self.user_ns)
                        taken += 1
            if taken:
                print("While a notebook is graded, what is defined below that line is taken all the same.")

    def _without_absent_decorators(self, statement):
        """Take the decorators away that an import should have given, and that are not here: `@numba.njit`, say."""
        absent = {name for name in self._imported if name not in self.user_ns}
        for node in ast.walk(statement):
            if decorators := getattr(node, "decorator_list", None):
                node.decorator_list = [one for one in decorators if _root(one) not in absent]
        return statement


def _names_imported(statement):
    """The names that an import gives, also one within a `try`."""
    imports = [node for node in ast.walk(statement) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {one.asname or one.name.partition(".")[0] for node in imports for one in node.names}


def _root(decorator):
    """The first name of a decorator: `numba` of `@numba.njit(cache=True)`."""
    while isinstance(decorator, (ast.Call, ast.Attribute)):
        decorator = decorator.func if isinstance(decorator, ast.Call) else decorator.value
    return getattr(decorator, "id", "")


def _is_reached(statement, line):
    """True for what begins below a line, and for a definition whose own head failed there."""
    return statement.lineno > line or (isinstance(statement, ast.FunctionDef) and statement.end_lineno >= line)


def _only_defines(statement):
    """True for a statement that gives names a value, and calls nothing for it but decorators."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not any(isinstance(node, (ast.Call, ast.Await)) for node in ast.walk(statement))
    return isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))


def _is_absent(problem):
    """True for the error of a function of the library that this course asks for, and that is not there meanwhile."""
    attnlib = sys.modules["attnlib"]
    return isinstance(problem, AttributeError) and problem.obj is attnlib and problem.name in attnlib.ABSENT


def _no_input(prompt=""):
    __tracebackhide__ = True
    raise EOFError("nobody can answer input() while a notebook is graded")
