"""What crosses the border between the judge and a learner's process: arrays, text, numbers and handles of functions.

A frame is the length of a JSON text, the length of a block of bytes, the text and the block, in which the arrays lie.
Both sides read with the same whitelist; nothing that is read is ever executed, and a frame that breaks a rule raises
`WireError`. What a frame becomes takes a few times the bytes that came: sizes are looked at before anything is made.
"""

import builtins
import json
import os
import struct
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.judging.plain import MOST_EMPTY, MOST_NUMBERED, extent

# A learner's code may replace what the name `len` means to everybody; not to this module.
__builtins__ = dict(vars(builtins))  # type: ignore[assignment]

LARGEST_TEXT = 8_000_000
LARGEST_BLOCK = 32_000_000
#: Brackets and braces in a text: what they become takes up to a hundred times their own bytes.
MOST_BRACKETS = 200_000
KINDS = "biuf"
DEEPEST = 12

_HEAD = struct.Struct("<II")
_encode_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_decode_json = json.JSONDecoder().decode
_read, _write = os.read, os.write
_asarray, _frombuffer, _ndarray, _generic, _dtype = np.asarray, np.frombuffer, np.ndarray, np.generic, np.dtype
#: The types of arrays that cross, by name.
_TYPES = {_dtype(code).str: _dtype(code) for code in "?bBhHiIlLqQefd"}


#: Functions that cross: each as its place in this list, where its owner finds it again.
Handles = list[Callable[..., Any]]


class WireError(ValueError):
    """Something that cannot cross, or a frame that is none."""


def encode(value: Any, handles: Handles | None = None) -> bytes:
    """A plain value as the bytes of a frame.

    Parameters
    ----------
    value : plain value
    handles : list, optional
        Takes the functions in `value`; each crosses as its place in this list. Without it, a function cannot cross.

    Raises
    ------
    WireError
        If something in `value` is not plain, or if it is too large.
    """
    block = bytearray()
    text = _encode_json(_tree(value, block, handles, 0)).encode("utf-8", "surrogatepass")
    if len(text) > LARGEST_TEXT or len(block) > LARGEST_BLOCK:
        raise WireError(f"too much at once: {len(text) + len(block):,} bytes")
    if _brackets(text) > MOST_BRACKETS:
        raise WireError("too much at once: too many lists, dicts and single numbers of NumPy")
    return _HEAD.pack(len(text), len(block)) + text + block


def _brackets(text: bytes) -> int:
    return text.count(b"[") + text.count(b"{")


def _tree(value: Any, block: bytearray, handles: Handles | None, depth: int) -> Any:
    if value is None or value is True or value is False:
        return value
    kind = type(value)
    if kind is str or kind is float:
        return value
    if kind is int:
        if value.bit_length() > 8192:
            raise WireError(f"a whole number of {value.bit_length():,} binary digits")
        return value
    if depth > DEEPEST:
        raise WireError("lists nested too deeply")
    if isinstance(value, _generic):
        if kind.__name__ == "str_":
            return str(value)
        return {"g": _array(_asarray(value), block)}
    if isinstance(value, _ndarray):
        if extent(value.shape) > max(value.size, MOST_EMPTY):
            raise WireError(f"an empty array of shape {value.shape}")
        if value.dtype.kind == "U":
            if value.nbytes > LARGEST_BLOCK:
                raise WireError(f"too much at once: an array of texts of {value.nbytes:,} bytes")
            return {"u": [list(value.shape), [str(item) for item in value.ravel().tolist()]]}
        return {"a": _array(value, block)}
    if kind is list or kind is tuple:
        return {("l" if kind is list else "t"): [_tree(item, block, handles, depth + 1) for item in value]}
    if kind is dict:
        if sum(type(key) is not str for key in value) > MOST_NUMBERED:
            raise WireError(f"a dict with more than {MOST_NUMBERED:,} keys that are no texts")
        return {
            "d": [
                [_tree(key, block, handles, depth + 1), _tree(item, block, handles, depth + 1)]
                for key, item in value.items()
            ]
        }
    if callable(value) and handles is not None:
        handles.append(value)
        return {"f": len(handles) - 1}
    raise WireError(f"an object of type {kind.__name__}")


def _array(array: np.ndarray, block: bytearray) -> list[Any]:
    if array.dtype.kind not in KINDS:
        raise WireError(f"an array of type {array.dtype}")
    if array.dtype.itemsize > 8 or not array.dtype.isnative:
        array = array.astype(np.float64 if array.dtype.itemsize > 8 else array.dtype.newbyteorder("="))
    start = len(block)
    block += array.tobytes()
    return [array.dtype.str, list(array.shape), start]


def decode(text: bytes, block: bytes, function: Callable[[int], Any] | None = None) -> Any:
    """The value of a frame.

    Parameters
    ----------
    text, block : bytes
        The two parts of a frame.
    function : callable, optional
        Makes the function of a handle's number. Without it, a handle is an error.

    Raises
    ------
    WireError
        If the frame breaks a rule.
    """
    try:
        if _brackets(text) > MOST_BRACKETS:
            raise WireError("more lists than any frame of ours")
        return _Reader(block, function).value(_decode_json(text.decode("utf-8", "surrogatepass")), 0)
    except WireError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError, MemoryError) as problem:
        raise WireError(f"no frame of ours ({type(problem).__name__})") from None


class _Reader:
    """Makes the value of one frame, and counts what it makes."""

    def __init__(self, block: bytes, function: Callable[[int], Any] | None) -> None:
        self._block, self._function = block, function
        self._bytes, self._numbered, self._empty = len(block), MOST_NUMBERED, MOST_EMPTY
        self._letters = LARGEST_BLOCK // 4

    def value(self, tree: Any, depth: int) -> Any:
        if tree is None or isinstance(tree, (bool, int, float, str)):
            return tree
        if depth > DEEPEST or not isinstance(tree, dict) or len(tree) != 1:
            raise WireError("no frame of ours")
        [(tag, inner)] = tree.items()
        if tag in ("l", "t", "d") and not isinstance(inner, list):
            raise WireError("no frame of ours")
        if tag == "l":
            return [self.value(item, depth + 1) for item in inner]
        if tag == "t":
            return tuple(self.value(item, depth + 1) for item in inner)
        if tag == "d":
            return {self._key(key, depth + 1): self.value(item, depth + 1) for key, item in inner}
        if tag == "a":
            return self._array(inner)
        if tag == "g":
            return self._array(inner)[()]
        if tag == "u":
            return self._texts(*inner)
        if tag == "f" and self._function is not None:
            return self._function(int(inner))
        raise WireError("no frame of ours")

    def _key(self, tree: Any, depth: int) -> Any:
        if isinstance(tree, str):
            return tree
        self._numbered -= 1
        if self._numbered < 0:
            raise WireError("too many keys that are no texts")
        return self.value(tree, depth)

    def _shaped(self, shape: Any, most: int) -> int:
        """The count of a shape; of what is empty, and seems to be more than `most`, there is little in a frame."""
        count = 1
        for size in shape:
            if type(size) is not int or size < 0:
                raise WireError("an array of no shape")
            count *= size
        if count == 0:
            self._empty -= extent(shape)
            if self._empty < 0:
                raise WireError("too much that is empty")
        elif count > most:
            raise WireError("an array larger than its bytes")
        return count

    def _array(self, about: Any) -> np.ndarray:
        name, shape, start = about
        dtype = _TYPES.get(name) if isinstance(name, str) else None
        if dtype is None or len(shape) > 32:
            raise WireError(f"an array of type {name}"[:100])
        size = self._shaped(shape, LARGEST_BLOCK) * dtype.itemsize
        if type(start) is not int or start < 0 or start + size > len(self._block):
            raise WireError("an array larger than its bytes")
        if size == 0:
            return np.empty(shape, dtype)
        # No byte twice: each array is a copy, and a reference takes less than what it refers to.
        self._bytes -= size
        if self._bytes < 0:
            raise WireError("arrays larger than their bytes")
        return _frombuffer(self._block, dtype, size // dtype.itemsize, start).reshape(shape).copy()

    def _texts(self, shape: Any, items: Any) -> np.ndarray:
        texts = [str(item) for item in items]
        # Each text takes as much as the longest, and of such arrays there may be many.
        self._letters -= len(texts) * max(map(len, texts), default=0)
        if len(shape) > 32 or self._letters < 0:
            raise WireError("texts of no shape")
        if self._shaped(shape, len(texts)) != len(texts):
            raise WireError("texts of no shape")
        return np.array(texts, dtype=str).reshape(shape)


class Channel:
    """Whole frames over a file descriptor; used by the process inside, which waits as long as it takes.

    Attributes
    ----------
    busy : int
        More than zero while a frame is under way: an interruption then would tear it.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.RLock()
        self.busy = 0

    def send(self, value: Any) -> None:
        """Send a plain value."""
        data = memoryview(encode(value))
        with self._lock:
            self.busy += 1
            try:
                while data:
                    data = data[_write(self._descriptor, data) :]
            finally:
                self.busy -= 1

    def receive(self, function: Callable[[int], Any] | None = None) -> Any:
        """The next value; raises EOFError when the other side has gone. `function` makes one of a handle's number."""
        self.busy += 1
        try:
            text_size, block_size = _HEAD.unpack(self._exactly(_HEAD.size))
            return decode(self._exactly(text_size), self._exactly(block_size), function)
        finally:
            self.busy -= 1

    def _exactly(self, size: int) -> bytes:
        pieces = []
        while size:
            piece = _read(self._descriptor, min(size, 1 << 20))
            if not piece:
                raise EOFError
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)
