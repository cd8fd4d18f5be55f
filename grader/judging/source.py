"""What stands in a learner's lines: slips that can be read there, and words that fit what is there."""

import ast
import builtins
import contextlib
import itertools
import math
import operator
import re
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import replace

from grader.judging.general import GENERAL
from grader.judging.verdict import Advice

#: They change what they are given, and return None: functions of NumPy, and methods.
_IN_PLACE = {"fill_diagonal", "put_along_axis", "put", "place", "copyto", "putmask", "shuffle"}
_IN_PLACE_METHODS = {"sort", "append", "extend", "insert", "reverse", "shuffle", "fill", "put"}
#: What stands before the point of a function of NumPy, where it is no method.
_NUMPY = {"np", "numpy", "np.linalg", "numpy.linalg"}
#: Methods of arrays, texts and dicts that nobody means without calling them.
_METHODS = {
    "transpose",
    "copy",
    "flatten",
    "ravel",
    "squeeze",
    "sum",
    "mean",
    "max",
    "min",
    "argmax",
    "argmin",
    "argsort",
}
_METHODS |= {"std", "var", "prod", "cumsum", "dot", "astype", "reshape", "swapaxes", "tolist", "any", "all", "lower"}
_METHODS |= {"upper", "strip", "split", "replace", "isalnum", "isalpha", "isdigit", "isdecimal", "isspace", "items"}
#: What has functions of these names, which may be handed on.
_TYPES = {"str", "list", "dict", "np.ndarray"}
#: They make one number of a whole array, unless they are given an axis.
_REDUCES = {"sum", "mean", "max", "min", "norm", "prod", "median", "std", "var", "average"}
#: They make an array that is to be filled.
_MAKES_ROOM = re.compile(r"(zeros|ones|empty|full)(_like)?$")
#: Functions of the course that return a pair: contexts, and weights.
_PAIRS = {"self_attention", "masked_attention", "scaled_dot_product_attention", "cross_attention"}
_PAIRS |= {"multi_head_attention"}
#: What they make of a set is the same in whatever order it comes.
_OF_SETS = {"sorted", "len", "sum", "min", "max", "any", "all", "set", "frozenset", "isinstance", "print"}
#: Names that stand for something else than a learner's own values.
_NO_VARIABLES = {*dir(builtins), *_NUMPY, "math", "itertools", "functools", "collections", "random", "re"}
_NO_VARIABLES |= {"plt", "attnlib", "plots", "widgets"}
#: Variables of a notebook that its tasks tell to use.
_NO_VARIABLES |= {"attention_names", "layer", "layers", "num_heads", "vocabulary", "diagnoses"}
_LONGEST = 60
#: Asked where something is missing, and a loop may be left.
_ROUNDS = "A `return` inside a loop ends your function there: has every round been made by then?"
_LEAVES = (ast.Break, ast.Continue)
#: What numbers are put together with.
_TOGETHER = {ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: math.pow}


class Source:
    """The lines of a learner's function.

    Parameters
    ----------
    text : str
        Of any origin: it is read, and never run. "" where the lines are not known.
    """

    def __init__(self, text: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(textwrap.dedent(text))
            ast.unparse(tree)  # what is nested too deeply for that is not looked at
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            tree = ast.Module([], [])
        self._nodes = list(ast.walk(tree))
        self._function = next((node for node in self._nodes if isinstance(node, ast.FunctionDef)), None)

    @property
    def squeezes(self) -> bool:
        """True if `squeeze` is called somewhere."""
        return any(_called(node) == "squeeze" for node in self._nodes)

    @property
    def keeps_axes(self) -> bool:
        """True if all sums and the like have `keepdims=True`; where one has not, it is likelier to lack it."""
        calls = [node for node in self._nodes if isinstance(node, ast.Call)]
        kept = [
            any(one.arg == "keepdims" and ast.unparse(one.value) == "True" for one in node.keywords) for node in calls
        ]
        return any(kept) and all(keeps for node, keeps in zip(calls, kept, strict=True) if _called(node) in _REDUCES)

    def begins_with_one_of(self, line: str) -> bool:
        """True if a name in this line is an array that was made to be filled, by `np.zeros` or its like."""
        made = (node for node in self._nodes if isinstance(node, ast.Assign) and _MAKES_ROOM.match(_called(node.value)))
        names = {one.id for node in made for one in node.targets if isinstance(one, ast.Name)}
        return not names.isdisjoint(re.findall(r"\w+", line))

    @property
    def reduces_everything(self) -> str:
        """The first call that makes one number of a whole array, as it is written; "" if there is none."""
        for node in self._nodes:
            if not isinstance(node, ast.Call) or _called(node) not in _REDUCES:
                continue
            of_numpy = not isinstance(node.func, ast.Attribute) or _short(node.func.value) in _NUMPY
            if len(node.args) == of_numpy and not {"axis", None} & {one.arg for one in node.keywords}:
                return _short(node.func)
        return ""

    @property
    def joins_one_by_one(self) -> str:
        """What joins arrays, where it is called with another array behind the first, or with a star; "" if nothing."""
        for node in self._nodes:
            if not isinstance(node, ast.Call) or _called(node) not in ("concatenate", "stack") or not node.args:
                continue
            first, *others = node.args
            one_list = isinstance(first, (ast.List, ast.Tuple, ast.ListComp))
            axis = bool(others) and isinstance(others[0], (ast.Constant, ast.UnaryOp))
            if isinstance(first, ast.Starred) or (others and not one_list and not axis):
                return _short(node.func)
        return ""

    @property
    def finds_letters(self) -> bool:
        """True if `find` is called somewhere, which texts alone have, or `index` of an argument that is a text."""
        return any(_called(node) in ("find", "rfind") or _places_letters(node) for node in self._nodes)

    def weights_in(self, line: str) -> str:
        """A sentence on a name in a line, for the second of what an attention returns where nothing reads the first;
        "" if there is none."""
        read = {node.id for node in self._nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        for node in self._nodes:
            called = _by_name(node.value) if isinstance(node, ast.Assign) else ""
            if called not in _PAIRS or not isinstance(node, ast.Assign):
                continue
            names = [one.id for one in getattr(node.targets[0], "elts", ()) if isinstance(one, ast.Name)]
            if len(names) == 2 and names[0] not in read and re.search(rf"\b{names[1]}\b", line):
                return f" And `{names[1]}` holds weights: of what `{called}` returns, the contexts come first."
        return ""

    def hides(self, name: str) -> bool:
        """True if a name gets its first value with the help of what is called so outside.

        What is no function and stands in a loop or a branch is the learner's own, and lacks a beginning: there need be
        nothing outside that is called so.
        """
        given = [node for node in self._nodes if isinstance(node, ast.Name) and node.id == name]
        first = min((node.lineno for node in given if isinstance(node.ctx, ast.Store)), default=0)
        for node in self._nodes:
            if not (isinstance(node, ast.Assign) and node.lineno == first):
                continue
            used = [one for one in ast.walk(node.value) if one in given]
            called = any(one.func in used for one in ast.walk(node.value) if isinstance(one, ast.Call))
            if called or (used and self._function is not None and node in self._function.body):
                return True
        return False

    def is_called_in(self, message: str) -> bool:
        """True if an error's message is about a call of this function."""
        return self._function is not None and f".{message}".split("(")[0].endswith(f".{self._function.name}")

    @property
    def cache(self) -> str:
        """The decorator that keeps the function's results, by its name; "" if there is none."""
        decorators = self._function.decorator_list if self._function else []
        names = [re.sub(r"\(.*|.*\.", "", ast.unparse(one)) for one in decorators]
        return next((name for name in names if name in ("cache", "lru_cache")), "")

    @property
    def raises(self) -> bool:
        """True if something is raised somewhere."""
        return any(isinstance(node, ast.Raise) for node in self._nodes)

    @property
    def returns_nothing(self) -> str:
        """A `return` of None in so many words; "" if there is none."""
        return next((said for node in self._nodes if (said := _said_of(node)) in ("return", "return None")), "")

    @property
    def returns_what_was_none(self) -> bool:
        """True if the last line returns something, and something is None until it is replaced."""
        last = self._function.body[-1] if self._function else None
        begun = any(isinstance(node, ast.Assign) and _is_none(node.value) for node in self._nodes)
        return begun and isinstance(last, ast.Return) and isinstance(last.value, (ast.Name, ast.Subscript, ast.Call))

    def slips(self) -> Iterator[tuple[str, Advice]]:
        """Lines that are mistakes wherever they stand."""
        if none := self.none_in_use():
            yield none
        for node in self._nodes:
            if isinstance(node, (ast.For, ast.While)):
                last = node.body[-1]
                if isinstance(last, ast.Return) and not any(isinstance(one, ast.Continue) for one in ast.walk(node)):
                    yield _said("return-in-loop", f"`{ast.unparse(last)}`")
                inside = {id(one) for one in ast.walk(node)}
                behind = [one.value for one in self._nodes if isinstance(one, ast.Return) and id(one) not in inside]
                returned = {one.id for one in behind if isinstance(one, ast.Name)}
                made = [line for line in node.body if isinstance(line, ast.Assign) and _is_empty(line.value)]
                for line in made:
                    if ast.unparse(line.targets[0]) in returned:
                        yield _said("made-anew", f"`{ast.unparse(line)}`")
            if isinstance(node, ast.Expr) and isinstance(node.value, (ast.BinOp, ast.Compare, ast.UnaryOp)):
                yield _said("thrown-away", f"`{ast.unparse(node)}`")
            if _by_name(node) and _by_name(node) not in _OF_SETS:
                for given in node.args:  # type: ignore[attr-defined]
                    if isinstance(given, ast.SetComp) or _by_name(given) == "set":
                        looks = f"`{_short(node)}` gets each thing once, and in any order"
                        yield "each-once", replace(GENERAL["each-once"], looks_like=looks)

    def uncalled(self, line: str = "") -> tuple[str, Advice] | None:
        """A method without its parentheses where what it returns is meant: always, or where a line ends in an error."""
        numbers = {name.id for node in self._nodes if "info(" in _assigned(node) for name in _names(node)}
        for node in self._nodes:
            for one in _values_in(node):
                if not isinstance(one, ast.Attribute) or one.attr not in _METHODS:
                    continue
                said, of = ast.unparse(one), ast.unparse(one.value)
                if of in (*_NUMPY, *_TYPES, "self") or "info" in of or of in numbers or (line and said not in line):
                    continue
                return "not-called", Advice(
                    f"`{said}` is the method itself, and not what it returns",
                    "Without parentheses behind it nothing is called; and in a condition a method is always true.",
                    f"Call it: `{said}()`, with its arguments if it takes some.",
                )
        return None

    def none_in_use(self) -> tuple[str, Advice] | None:
        """A call that changes something in place, of which what it returns is used."""
        for node in self._nodes:
            used: list[ast.expr | None] = []
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return, ast.keyword)):
                used = [node.value]
            elif isinstance(node, ast.BinOp):
                used = [node.left, node.right]
            elif isinstance(node, ast.Call):
                used = [*node.args]
            for call in used:
                if call is not None and _in_place(call):
                    return "not-a-method-result", Advice(
                        f"`{_short(call)}` gives None, and you go on with that",
                        "It changes what it is given, in place, and returns nothing.",
                        "Give what is to be changed a name, make the call on a line of its own, and use the name.",
                    )
        return None

    def never_reached(self) -> tuple[str, Advice] | None:
        """A `return` behind what leaves its block already."""
        for node in self._nodes:
            for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
                lines = block if isinstance(block, list) else []
                for one, after in itertools.pairwise(lines):
                    if isinstance(after, ast.Return) and after.value and isinstance(one, (ast.Raise, *_LEAVES)):
                        word = type(one).__name__.lower()
                        return "return-not-reached", Advice(
                            f"`{_short(after)}` is never reached: it stands behind a `{word}`, as far indented",
                            f"A `{word}` leaves at once. For all other inputs your function ends without a `return`, "
                            "and gives None.",
                            "Move that line to the left, to where it is met by every input that is to have a result.",
                        )
        return None

    def none_handed_on(self) -> tuple[str, Advice] | None:
        """A function whose None is all that is returned, as in `return softmax(x)`."""
        if self._function is None or not _comes_to_an_end(self._function.body):
            return None  # None is also what comes where no `return` is met
        returned = [one.value for one in ast.walk(self._function) if isinstance(one, ast.Return)]
        called = {_by_name(one) for one in returned}
        name = called.pop() if len(called) == 1 else ""
        if name in ("", "print") or self.is_called_in(f"{name}("):
            return None
        return "not-a-method-result", Advice(
            f"you return what `{name}` gives, and that is None",
            "A function without a `return` gives None, and so does one that is not written yet.",
            f"Look at `{name}` first, and run its own check if it has one.",
        )

    def one_array(self) -> tuple[str, Advice] | None:
        """Two names for one array, where entries are changed under both."""
        given = [node for node in self._nodes if isinstance(node, ast.Assign)]
        lines: dict[str, list[int]] = {}
        together: dict[str, set[str]] = {}
        for node in sorted(given, key=lambda one: one.lineno):
            new = [one.id for one in node.targets if isinstance(one, ast.Name)]
            for name in new:
                lines.setdefault(name, []).append(node.lineno)
                together.pop(name, None)  # from here on it stands for something else
            names = {*new, *([node.value.id] if isinstance(node.value, ast.Name) else [])}
            names = names.union(*(together.get(one, set()) for one in names))
            together |= dict.fromkeys(names, names)
        changed = [
            node.value.id
            for node in self._nodes
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
        ]
        once = [name for name in dict.fromkeys(changed) if len(lines.get(name, [])) == 1]
        for one, other in itertools.combinations(once, 2):
            if other in together.get(one, set()) and one in together.get(other, set()):
                looks = f"`{one}` and `{other}` are two names for one and the same array, and you change it under both"
                return "one-array-twice", replace(GENERAL["one-array-twice"], looks_like=looks)
        return None

    def unfilled(self) -> tuple[str, Advice] | None:
        """Room that `np.empty` made, in a function that gives another result each time and draws nothing."""
        made = [node for node in self._nodes if _called(node) in ("empty", "empty_like")]
        draws = any(isinstance(node, ast.Attribute) and node.attr in ("random", "default_rng") for node in self._nodes)
        if not made or draws or any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in self._nodes):
            return None
        return _said("not-all-filled", f"`{_short(made[0])}`")

    def overwritten(self) -> Iterator[tuple[str, Advice]]:
        """Arguments whose names a loop takes for something else."""
        arguments = self._arguments()
        for node in self._nodes:
            for one in ast.walk(node.target) if isinstance(node, ast.For) else ():
                if isinstance(one, ast.Name) and one.id in arguments:
                    yield (
                        one.id,
                        Advice(
                            f"your loop gives the name `{one.id}`, an argument, another meaning",
                            "From its first round on, what the caller gave under that name is lost.",
                            "Give what the loop counts or goes through a name of its own.",
                        ),
                    )

    def numbers(self) -> list[float]:
        """The numbers that are written somewhere, `1 / 100` and `10**-6` among them, the smallest first."""
        found = {abs(value) for node in self._nodes if (value := _written(node)) is not None}
        return sorted(one for one in found if 0 < one < math.inf)

    def marks(self) -> str:
        """The characters of texts in the lines that are neither letters, digits nor blank, each once."""
        described = {id(node.value) for node in self._nodes if isinstance(node, ast.Expr)}
        texts = [node.value for node in self._nodes if isinstance(node, ast.Constant) and id(node) not in described]
        written = "".join(text for text in texts if isinstance(text, str))
        return "".join(one for one in dict.fromkeys(written) if not (one.isalnum() or one.isspace()))

    def unused(self) -> Iterator[tuple[str, Advice]]:
        """Arguments that the body never reads."""
        names = [node for node in self._nodes if isinstance(node, ast.Name)]
        read = {one.id for one in names if isinstance(one.ctx, ast.Load)}
        own = {one.id for one in names if isinstance(one.ctx, ast.Store)}
        own |= {one.arg for one in self._nodes if isinstance(one, ast.arg)} | self._arguments()  # also of a lambda
        called = {id(one.func) for one in self._nodes if isinstance(one, ast.Call)}
        foreign = {one.id for one in names if id(one) not in called} & (read - own) - _NO_VARIABLES
        for name in sorted(self._arguments() - read):
            near = sorted(one for one in read - own if one.lower() == name.lower()) or foreign
            instead = f"; you use `{min(near)}`, which is a variable of the notebook" if len(near) == 1 else ""
            yield (
                name,
                Advice(
                    f"your function never uses its argument `{name}`{instead}",
                    "Whoever calls it with something else gets the same result.",
                    "Work with the argument: it holds what the caller gives, also when that is not the example.",
                ),
            )

    def _arguments(self) -> set[str]:
        if self._function is None:
            return set()
        of = self._function.args
        return {one.arg for one in (*of.posonlyargs, *of.args, *of.kwonlyargs)}

    def where_lost(self, advice: Advice) -> Advice:
        """Words for a result of which a part is lost: a question about what stands there, and about nothing else."""
        cause = "What is there is right; the rest was not computed, or not kept."
        return replace(advice, cause=cause, cure=next(self._may_lose()))

    def where_unused(self, advice: Advice) -> Advice:
        """Words for an argument of which a part is not used: a loop over it may be ended before its end."""
        return replace(advice, cure=_ROUNDS) if self._returns_in_a_loop() else advice

    def _returns_in_a_loop(self) -> bool:
        loops = [node for node in self._nodes if isinstance(node, (ast.For, ast.While))]
        return any(isinstance(one, ast.Return) for loop in loops for one in ast.walk(loop))

    def _may_lose(self) -> Iterator[str]:
        loops = [node for node in self._nodes if isinstance(node, (ast.For, ast.While))]
        if self._returns_in_a_loop():
            yield _ROUNDS
        for node in self._nodes:
            if _leaves_out(node):
                yield f"Which places does `{_short(node)}` leave out, and should it?"
        for node in self._nodes:
            if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
                continue
            if _fixed(node.slice) and not _of_shape(node):
                yield f"`{_short(node)}` takes one and leaves the others: were all of them meant?"
        if loops:
            yield "Follow your loop through two rounds: what does each begin with, and where does it put what it finds?"
        yield "Print the shape and the numbers after each step: at which one is the rest lost?"

    def never_ends(self) -> Advice:
        """Words for a call that had to be stopped."""
        looks = GENERAL["never-ends"].looks_like
        if any(isinstance(node, ast.While) for node in self._nodes):
            return Advice(
                looks,
                "Either a `while` runs for ever, as its condition never becomes false, or there is far too much work.",
                "What changes from one round of the `while` to the next, and does that bring it nearer to its end?",
            )
        if self._function is not None:
            return Advice(
                looks,
                "There is far too much work, even if each piece of it is right: it may be that all combinations are "
                "tried, that a grid is very fine, that a matrix of n x n numbers is made where n is large, or that a "
                "call is made inside a call for the same thing again.",
                "Count how often your innermost line runs. What is needed again can be kept, and much need not be "
                "tried at all.",
            )
        return GENERAL["never-ends"]


def _values_in(node: ast.AST) -> list[ast.expr]:
    """What is calculated with, decided by, or gone through in a piece of code."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return [node.test]
    if isinstance(node, ast.For):
        return [node.iter]
    return [node.iter, *node.ifs] if isinstance(node, ast.comprehension) else []


def _assigned(node: ast.AST) -> str:
    return ast.unparse(node.value) if isinstance(node, ast.Assign) else ""


def _names(node: ast.AST) -> list[ast.Name]:
    """The names that a line gives a value."""
    return [one for one in node.targets if isinstance(one, ast.Name)] if isinstance(node, ast.Assign) else []


def _by_name(node: ast.AST | None) -> str:
    """The name of the function that is called; "" for a method, and for anything else."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _comes_to_an_end(lines: list[ast.stmt]) -> bool:
    """True if every way through some lines meets a `return` or a `raise`, as far as these can be followed."""
    last = lines[-1] if lines else None
    if isinstance(last, ast.If):
        return _comes_to_an_end(last.body) and _comes_to_an_end(last.orelse)
    if isinstance(last, ast.With):
        return _comes_to_an_end(last.body)
    if isinstance(last, ast.Try):
        ways = [last.orelse or last.body, *(one.body for one in last.handlers)]
        return all(map(_comes_to_an_end, ways)) or _comes_to_an_end(last.finalbody)
    return isinstance(last, (ast.Return, ast.Raise))


def _places_letters(node: ast.AST) -> bool:
    """True of `text.index(...)`, of whatever letters."""
    of = node
    while isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute):
        if of.func.attr not in (("index",) if of is node else ("lower", "strip", "replace")):
            return False
        of = of.func.value
    return isinstance(of, ast.Name) and of is not node and of.id in ("text", "sentence")


def _called(node: ast.AST) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _in_place(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    of = ast.unparse(node.func.value)
    library = of.split(".")[0] in ("np", "numpy", "random")
    return node.func.attr in (_IN_PLACE if library else _IN_PLACE_METHODS)


def _written(node: ast.AST) -> float | None:
    """The number that a piece of code stands for: one that is written there, or two that are put together."""
    if isinstance(node, ast.BinOp) and type(node.op) in _TOGETHER:
        left, right = _literal(node.left), _literal(node.right)
        if left is not None and right is not None:
            with contextlib.suppress(ArithmeticError, ValueError):
                return float(_TOGETHER[type(node.op)](left, right))
    return _literal(node)


def _literal(node: ast.AST) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _literal(node.operand)
        return None if inner is None else -inner
    value = node.value if isinstance(node, ast.Constant) else None
    return float(value) if type(value) in (int, float) and abs(value) < 1e300 else None  # type: ignore[arg-type]


def _leaves_out(node: ast.AST) -> bool:
    """True of a range, or a slice, that does not go from the first to the last."""
    if isinstance(node, ast.Slice):
        return _is_number(node.lower) or _is_number(node.upper)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        ends = node.args[:2]
        begins_late = len(ends) == 2 and ast.unparse(ends[0]) != "0" and (_is_number(ends[0]) or len(node.args) == 2)
        fixed = len(node.args) == 1 and _is_number(node.args[0])
        return begins_late or fixed or any(isinstance(end, ast.BinOp) and isinstance(end.op, ast.Sub) for end in ends)
    return False


def _fixed(index: ast.expr) -> bool:
    return any(map(_is_number, index.elts)) if isinstance(index, ast.Tuple) else _is_number(index)


def _said_of(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, ast.Return) else ""


def _is_none(node: ast.expr) -> bool:
    """True of None, alone or as what is repeated or listed."""
    if isinstance(node, ast.BinOp):
        return _is_none(node.left) or _is_none(node.right)
    if isinstance(node, (ast.List, ast.Tuple)):
        return any(map(_is_none, node.elts))
    return isinstance(node, ast.Constant) and node.value is None


def _is_empty(value: ast.expr) -> bool:
    """True of `np.zeros(...)` and the like, and of `[]`: something that is to be filled."""
    if isinstance(value, (ast.List, ast.Dict)):
        return not ast.unparse(value).strip("[]{}")
    return _called(value) in ("zeros", "zeros_like", "empty", "empty_like")


def _is_number(node: ast.expr | None) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _of_shape(node: ast.Subscript) -> bool:
    return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _short(node: ast.AST) -> str:
    said = ast.unparse(node)
    return said if len(said) <= _LONGEST else said[: _LONGEST - 3] + "..."


def _said(name: str, what: str) -> tuple[str, Advice]:
    """A general mistake with what was seen of it."""
    return name, replace(GENERAL[name], looks_like=f"{GENERAL[name].looks_like}: {what}")
