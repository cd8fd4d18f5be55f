"""What a learner's function or value can be, at its worst."""

import asyncio
import collections
import copy
import decimal
import enum
import fractions
import functools
import gc
import math
import sys
import types
import warnings
from unittest import mock

import numpy as np

# ---- what a value can be


class Refuses:
    """An object that raises whatever is done to it."""

    def _no(self, *args, **kwargs):
        raise RuntimeError("no")

    __array__ = __eq__ = __ne__ = __lt__ = __iter__ = __len__ = __bool__ = __getattr__ = __repr__ = __str__ = _no
    __hash__ = __float__ = __int__ = __index__ = __format__ = __contains__ = __getitem__ = __array_ufunc__ = _no
    __class__ = __name__ = __module__ = __array_interface__ = property(_no)


class Leaves(Refuses):
    """An object that leaves by another door than an Exception's."""

    def _no(self, *args, **kwargs):
        raise SystemExit

    __array__ = __eq__ = __iter__ = __len__ = __bool__ = __getattr__ = __repr__ = __str__ = __hash__ = _no
    __class__ = __module__ = property(_no)


class Pretends:
    """An object that says it is an array."""

    __class__ = property(lambda self: np.ndarray)
    __eq__ = __hash__ = None


class HasAll:
    """An object that has every attribute, and can be called."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self


class GivesArray:
    """A tensor of another library, so to speak."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


def odd_class(base=object):
    """Return a class that does not answer."""

    class Odd(type):
        def __getattribute__(cls, name):
            raise RuntimeError(name)

    return Odd("Odd", (base,), {})


class OddList(list):
    """Does not do what others of its kind do."""

    __iter__ = __len__ = __getitem__ = __eq__ = __repr__ = __bool__ = Refuses._no


class OddTuple(tuple):
    """Does not do what others of its kind do."""

    __iter__ = __len__ = __getitem__ = __eq__ = __repr__ = __hash__ = Refuses._no


class OddDict(dict):
    """Does not do what others of its kind do."""

    __iter__ = __len__ = __getitem__ = __eq__ = __repr__ = items = keys = values = get = Refuses._no


class OddText(str):
    """Does not do what others of its kind do."""

    __len__ = __eq__ = __repr__ = __str__ = __hash__ = __getitem__ = __format__ = Refuses._no


class OddWhole(int):
    """Does not do what others of its kind do."""

    __eq__ = __repr__ = __str__ = __hash__ = __index__ = __int__ = __float__ = __bool__ = __lt__ = Refuses._no


class OddNumber(float):
    """Does not do what others of its kind do."""

    __eq__ = __repr__ = __str__ = __hash__ = __float__ = __bool__ = __lt__ = __sub__ = Refuses._no


class OddArray(np.ndarray):
    shape = dtype = size = ndim = property(Refuses._no)
    __array_ufunc__ = __array_function__ = __eq__ = __len__ = __iter__ = __repr__ = astype = copy = view = Refuses._no


class Colour(enum.IntEnum):
    RED = 1


Named = collections.namedtuple("Named", "context weights")


def in_itself(kind):
    """Return a list or dict that holds itself."""
    made = kind()
    made.append(made) if kind is list else made.update(me=made)
    return made


def objects(*items):
    """Return an array of these very objects."""
    array = np.empty(len(items), object)
    for place, item in enumerate(items):
        array[place] = item
    return array


def nested(depth):
    """Return a list in a list in a list."""
    return [nested(depth - 1)] if depth else []


#: Makers, because a learner's function makes something new in each call.
VALUES = {
    "None": lambda: None,
    "ellipsis": lambda: ...,
    "not-implemented": lambda: NotImplemented,
    "bool": lambda: True,
    "zero": lambda: 0,
    "whole": lambda: 10**30,
    "large-whole": lambda: -(10**308),
    "too-large-whole": lambda: 10**5000,
    "nan": lambda: math.nan,
    "infinity": lambda: -math.inf,
    "complex": lambda: 1j,
    "fraction": lambda: fractions.Fraction(1, 3),
    "large-fraction": lambda: fractions.Fraction(10**400, 3),
    "decimal": lambda: decimal.Decimal("1e-400"),
    "decimal-nan": lambda: decimal.Decimal("sNaN"),
    "decimal-infinity": lambda: decimal.Decimal("Infinity"),
    "enum": lambda: Colour.RED,
    "empty-text": lambda: "",
    "text": lambda: " B ",
    "half-a-character": lambda: "\ud800",
    "control": lambda: "\x00\x1b[31m\r\n",
    "long-text": lambda: "x" * 30_000,
    "bytes": lambda: b"b",
    "memory": lambda: memoryview(b"b"),
    "range": lambda: range(3),
    "long-range": lambda: range(10**18),
    "generator": lambda: (i for i in range(3)),
    "iterator": lambda: iter([1]),
    "map": lambda: map(abs, [1]),
    "set": lambda: {1, "a", None},
    "set-of-odd": lambda: {frozenset([frozenset()]), HasAll},
    "keys": lambda: {1: 2}.keys(),
    "deque": lambda: collections.deque([1.0]),
    "list": lambda: [1.0, 2.0],
    "empty-list": lambda: [],
    "empty-tuple": lambda: (),
    "ragged": lambda: [[1.0], [1.0, 2.0]],
    "mixed": lambda: [1, "a", None, np.ones(2)],
    "list-of-arrays": lambda: [np.ones(2), np.ones(2)],
    "list-of-odd-arrays": lambda: [np.ones(2), np.ones((0, 3)), np.array(["a"])],
    "list-of-wholes": lambda: [10**30, -1, 1.5],
    "list-in-itself": lambda: in_itself(list),
    "dict-in-itself": lambda: in_itself(dict),
    "deep": lambda: nested(500),
    "too-much": lambda: [np.broadcast_to(0.0, (100, 100))] * 1000,
    "dict": lambda: {"a": 1, 2: None},
    "empty-dict": lambda: {},
    "dict-of-odd-keys": lambda: {(1, (2,)): 1, None: 2, math.nan: 3, frozenset([1]): 4, b"k": 5},
    "dict-of-arrays": lambda: {np.float64(2): np.ones(2), np.int64(3): np.ones(2), (np.int64(1),): 2},
    "dict-of-objects": lambda: {odd_class()(): 1},
    "default-dict": lambda: collections.defaultdict(list),
    "counter": lambda: collections.Counter("abca"),
    "named-tuple": lambda: Named(np.ones((2, 2)), None),
    "namespace": lambda: types.SimpleNamespace(a=1),
    "module": lambda: math,
    "class": lambda: np.matrix,
    "odd-class": odd_class,
    "of-an-odd-class": lambda: odd_class()(),
    "exception": lambda: ValueError("returned"),
    "lambda": lambda: lambda: 1,
    "partial": lambda: functools.partial(max, 1),
    "method": lambda: [].append,
    "ufunc": lambda: np.exp,
    "mock": lambda: mock.MagicMock(),
    "refuses": Refuses,
    "leaves": Leaves,
    "pretends": Pretends,
    "has-all": HasAll,
    "odd-list": lambda: OddList([1.0, 2.0]),
    "odd-tuple": lambda: OddTuple([np.ones((2, 2)), 2.0]),
    "odd-dict": lambda: OddDict(a=1),
    "odd-text": lambda: OddText("b"),
    "odd-whole": lambda: OddWhole(7),
    "odd-number": lambda: OddNumber(0.5),
    "odd-array": lambda: np.ones((2, 3)).view(OddArray),
    "gives-array": lambda: GivesArray(np.ones((2, 3))),
    "gives-object": lambda: GivesArray(objects(Refuses())),
    "gives-none": lambda: GivesArray(None),
    "gives-odd-array": lambda: GivesArray(np.ones(2).view(OddArray)),
    "matrix": lambda: np.ones((2, 3)).view(np.matrix),
    "masked": lambda: np.ma.masked_invalid([[1.0, np.nan]]),
    "all-masked": lambda: np.ma.masked,
    "record": lambda: np.rec.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    "structured": lambda: np.zeros(3, [("a", float), ("b", "U3")]),
    "void": lambda: np.zeros(1, [("a", float)])[0],
    "dates": lambda: np.array(["2020-01-01", "NaT"], "M8[D]"),
    "duration": lambda: np.timedelta64(1, "s"),
    "texts": lambda: np.array([["a", "bc"]]),
    "long-texts": lambda: np.broadcast_to(np.array("x" * 1000), (1000, 1000)),
    "variable-texts": lambda: np.array(["a", "b"], np.dtypes.StringDType()),
    "byte-texts": lambda: np.array([b"a"]),
    "complexes": lambda: np.ones((2, 3), complex),
    "huge": lambda: np.broadcast_to(0.0, (10**6, 10**6)),
    "empty": lambda: np.empty((0, 3)),
    "many-axes": lambda: np.ones((1,) * 40),
    "no-axis": lambda: np.array(1.5),
    "read-only": lambda: np.broadcast_to(1.0, (2, 3)),
    "backwards": lambda: np.arange(6.0)[::-2],
    "other-endian": lambda: np.ones((2, 3), ">f8"),
    "long-double": lambda: np.full((2, 3), np.longdouble("1e4000")),
    "half": lambda: np.full((2, 3), np.inf, np.float16),
    "scalar": lambda: np.float32(0.5),
    "truth": lambda: np.bool_(True),
    "objects": lambda: objects(1.0, None, Refuses()),
    "object-numbers": lambda: objects(1.0, fractions.Fraction(1, 2), True),
    "object-wholes": lambda: objects(1, 10**30),
    "object-texts": lambda: objects("a", "b"),
    "object-arrays": lambda: objects(np.ones(2), np.ones(3)),
    "object-of-objects": lambda: objects(objects(1.0), [1.0]),
}


# ---- what a call can do


def _same(right, args):
    return right


def _each(change):
    """Return a behaviour that changes each array of the right result."""

    def behave(right, args):
        if isinstance(right, tuple):
            return tuple(behave(one, args) for one in right)
        return change(np.asarray(right))

    return behave


def _raise(problem, **more):
    def behave(right, args):
        raise problem() if callable(problem) else problem

    return behave


def _after(spoil):
    """Return a behaviour that spoils the arguments, and then gives the first one back."""

    def behave(right, args):
        for value in args:
            spoil(value)
        return args[0] if args else None

    return behave


class BrokenMessage(ValueError):
    __str__ = __repr__ = Refuses._no


class NoText(KeyError):
    def __str__(self):
        return 5


class LeavesMessage(Exception):
    def __str__(self):
        raise SystemExit


class OddText2(LookupError):
    """Does not do what others of its kind do."""

    def __str__(self):
        return OddText("said")


class NoTraceback(Exception):
    __traceback__ = __cause__ = __context__ = property(Refuses._no)


class OddWarning(UserWarning):
    """Does not do what others of its kind do."""

    __str__ = Refuses._no


class Own(BaseException):
    """Not an Exception."""


def _endless(right, args):
    return _endless(right, args)


def _warns(right, args):
    warnings.warn(OddWarning(), stacklevel=1)
    return right


def _closes(right, args):
    print("closed")
    sys.stdout.close()
    return right


def _prints(right, args):
    print("\ud800\x00")
    return right


def _looped(right, args):
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    raise first


def _fill(value):
    if isinstance(value, np.ndarray):
        value.fill(np.nan if value.dtype.kind == "f" else 0)


def _reshape(value):
    if isinstance(value, np.ndarray):
        value.shape = (-1,)


def _resize(value):
    if isinstance(value, np.ndarray):
        value.resize((value.size + 1,), refcheck=False)
    elif isinstance(value, (list, dict)):
        value.clear()


def _lock(value):
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, list):
        value += [value, Refuses()]
    elif isinstance(value, dict):
        value["me"] = value
        value["odd"] = Refuses()


def _retype(value):
    if isinstance(value, np.ndarray) and value.flags.c_contiguous:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value.dtype = np.uint8


BEHAVIOURS = {
    "right": _same,
    "as-list": _each(np.ndarray.tolist),
    "as-bool": _each(lambda array: array.astype(bool)),
    "as-small": _each(lambda array: np.abs(np.nan_to_num(array)).astype(np.uint8) if array.dtype.kind in "biuf" else 0),
    "as-half": _each(lambda array: array.astype(np.float16) if array.dtype.kind in "biuf" else None),
    "as-objects": _each(lambda array: array.astype(object)),
    "as-texts": _each(lambda array: array.astype(str)),
    "nan": _each(lambda array: np.full(array.shape, np.nan)),
    "infinite": _each(lambda array: np.full(array.shape, -np.inf)),
    "huge": _each(lambda array: np.full(array.shape, 1e300)),
    "transposed": _each(lambda array: array.T),
    "matrix": _each(lambda array: array.view(np.matrix) if array.ndim == 2 else array),
    "masked": _each(lambda array: np.ma.masked_array(array, mask=True)),
    "odd-array": _each(lambda array: array.view(OddArray)),
    "empty": _each(lambda array: array[:0] if array.ndim else array),
    "lists-of-scalars": _each(lambda array: list(array.ravel())),
    "more": lambda right, args: (right, right),
    "argument": lambda right, args: args[0],
    "arguments": lambda right, args: args,
    "filled": _after(_fill),
    "reshaped": _after(_reshape),
    "resized": _after(_resize),
    "locked": _after(_lock),
    "retyped": _after(_retype),
    "warns": _warns,
    "closes": _closes,
    "prints": _prints,
    "endless": _endless,
    "looped": _looped,
    "arithmetic": _raise(ZeroDivisionError),
    "value-error": _raise(ValueError("axolotl \ud800" * 500)),
    "own-value-error": _raise(type("Refused", (ValueError,), {})("axolotl")),
    "stop": _raise(StopIteration(1)),
    "exit": _raise(SystemExit("bye")),
    "closed-generator": _raise(GeneratorExit),
    "cancelled": _raise(asyncio.CancelledError),
    "memory": _raise(MemoryError),
    "not-written": _raise(NotImplementedError),
    "own": _raise(Own("said")),
    "group": _raise(lambda: ExceptionGroup("both", [ValueError(1), BrokenMessage()])),
    "base-group": _raise(lambda: BaseExceptionGroup("both", [Own(), SystemExit()])),
    "broken-message": _raise(BrokenMessage),
    "no-text": _raise(NoText),
    "leaves-message": _raise(LeavesMessage),
    "odd-message": _raise(OddText2),
    "no-traceback": _raise(NoTraceback),
    "odd-exception": _raise(lambda: odd_class(Exception)()),
    "nameless": _raise(lambda: type("", (Exception,), {})("no name")),
    "odd-name": _raise(lambda: type("`<b>\n", (Exception,), {})("odd name")),
    "our-name": _raise(lambda: type("NotPlain", (Exception,), {})("one of ours")),
}


def answer_to(exercise, behaviours):
    """Return a function that behaves otherwise in each call."""
    calls = 0

    def answer(*args, **kwargs):
        nonlocal calls
        behave = behaviours[calls % len(behaviours)]
        calls += 1
        try:
            right = exercise.model(*copy.deepcopy(args), **kwargs)
        except Exception:  # an input that was made of an odd result
            right = None
        return behave(right, (*args, *kwargs.values()))

    return answer


def named(name):
    """Return a behaviour by its name; that of a value gives the value back."""
    return BEHAVIOURS[name] if name in BEHAVIOURS else lambda right, args: VALUES[name]()


def found_in(thing):
    """What gc and attributes lead to from a thing, but for what is in modules and classes."""
    found, ahead = {}, [thing]
    while ahead:
        one = ahead.pop()
        scope = isinstance(one, dict) and "__builtins__" in one
        if id(one) in found or scope or isinstance(one, types.ModuleType | type):
            continue
        found[id(one)] = one
        ahead += gc.get_referents(one)
        ahead += [getattr(one, name, None) for name in ("__closure__", "__wrapped__", "__self__", "__dict__")]
    return list(found.values())
