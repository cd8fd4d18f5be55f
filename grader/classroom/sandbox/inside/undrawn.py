"""What stands for whatever is not there while a class is graded, and earns nothing: pictures, and the kernel."""

import dis
import sys

import numpy as np

_UNPACKED = {dis.opmap["UNPACK_SEQUENCE"], dis.opmap["UNPACK_EX"]}
_TWO_SIDED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
_OPERATORS = ("neg", "pos", "abs", "round", "lt", "le", "gt", "ge", "call", "getitem", "setitem", "delitem", "enter")


class Undrawn:
    """It takes what comes, and gives itself: what a learner does with a picture must not keep a cell from running."""

    __array_ufunc__ = None  # an array on the left leaves the operator to this

    def __getattr__(self, name):
        if name.startswith("_"):  # nothing that Python or a notebook would ask a thing for
            raise AttributeError(f"a picture that is not drawn has no {name!r}")
        return COLOURS if name == "buffer_rgba" else self

    def __repr__(self):
        return "(A picture: your own copy of the notebook shows it.)"

    def __iter__(self):
        """One part, or as many as the names that it is taken apart into."""
        caller = sys._getframe(1)
        code, at = caller.f_code.co_code, caller.f_lasti
        names = code[at + 1] if code[at] in _UNPACKED else 1
        if code[at] == dis.opmap["UNPACK_EX"] and code[at - 2] == dis.EXTENDED_ARG:
            names += code[at - 1]  # those that stand behind the one with a star
        return iter([self] * names)

    def __exit__(self, *problem):
        return False

    def __len__(self):
        return 1

    def __float__(self):
        return 1.0

    def __int__(self):
        return 1

    __index__ = __int__

    def __format__(self, how):
        return repr(self)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(1.0, dtype)


class _Colours(Undrawn):
    """Of a picture, when its pixels are asked for."""

    def __array__(self, dtype=None, copy=None):
        return np.zeros((1, 1, 4), dtype or np.uint8)


COLOURS = _Colours()


def _itself(self, *args, **kwargs):
    return self


for _name in (*_OPERATORS, *_TWO_SIDED, *(f"r{_name}" for _name in _TWO_SIDED)):
    setattr(Undrawn, f"__{_name}__", _itself)
