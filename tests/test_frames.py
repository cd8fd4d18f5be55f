"""Whatever a process sends, the judge's side stays small and quick: frames made to swell, by hand and at random."""

import json
import subprocess
import sys
import time
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.classroom.running.far_answer import RemoteAnswer
from grader.classroom.running.line import Line
from grader.classroom.running.outputs import Outputs
from grader.classroom.sandbox.inside import wire
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.process import Ended
from grader.judging.judge import judge
from grader.judging.plain import NotPlain, plain

MEGABYTE = 1 << 20
#: What one submission may take of the judge's side: bytes, and seconds.
MOST, LONGEST = 300 * MEGABYTE, 30.0


class Far:
    """Stands for a process that sends these frames, each a JSON text and a block, and then nothing more."""

    def __init__(self, frames):
        self._frames, self.alive, self._nonce = [*frames], True, ""

    def send(self, value, functions=None):
        """Take a request; a function of the judge's becomes a handle."""
        wire.encode(value, functions)
        self._nonce = value["nonce"]

    def receive(self, seconds):
        """Read the next frame as a process's end of the line does."""
        if not self._frames:
            raise Ended("ended by itself")
        text, block = self._frames.pop(0)
        text = text.replace(b"NONCE", self._nonce.encode())
        if len(text) > wire.LARGEST_TEXT or len(block) > wire.LARGEST_BLOCK:
            raise Ended("too large")
        try:
            return wire.decode(text, block)
        except wire.WireError:
            raise Ended("wrote into the line to the judge") from None

    def end(self):
        """Be no more."""
        self.alive = False


def answered(*frames):
    """What the judge makes of frames that come while a cell runs, or an answer is called: no error, and little."""
    cell = SimpleNamespace(outputs=[], execution_count=1)
    outputs = Outputs(cell, 16 * MEGABYTE)
    judges = [lambda *args: np.add.outer(args[0], args[0])]
    tracemalloc.start()
    try:
        before, began = tracemalloc.get_traced_memory()[0], time.process_time()
        line = Line(Far(frames))
        outcome = RemoteAnswer(lambda request, *rest: line.ask(request, 1, outputs.take, [*judges]), Limits()).call(
            (), {}
        )
        outputs.close()
        took, peak = time.process_time() - began, tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert peak < MOST, f"{peak / MEGABYTE:.0f} MB"
    assert took < LONGEST, f"{took:.0f} s"
    return outcome, cell.outputs


def frame(fields, block=b"", kind="reply"):
    """A frame of a message with these fields, of which the values are JSON texts."""
    about = {"kind": f'"{kind}"', "nonce": '"NONCE"', **fields}
    return ('{"d":[' + ",".join(f'["{name}",{value}]' for name, value in about.items()) + "]}").encode(), block


def many(text, size=7_900_000):
    """A list of as many of these as a frame takes."""
    return '{"l":[' + ",".join([text] * (size // (len(text) + 1))) + "]}"


def shown(**fields):
    """A frame of an output."""
    return frame(
        {"output": '{"d":[' + ",".join(f'["{name}",{value}]' for name, value in fields.items()) + "]}"}, kind="output"
    )


PICTURE = {"output_type": '"display_data"', "data": '{"d":[["text/plain","x"]]}'}
COLLIDING = ",".join(f"[{number * (2**61 - 1)},1]" for number in range(100_000))
#: Of few letters, 32 MB.
WIDE = '{"u":[[1600],["' + "x" * 4_900 + '"' + ',""' * 1_599 + "]]}"
#: Made when they are asked for: together they take two gigabytes.
SWELLING = {
    "sixty-times-the-same-bytes": lambda: [
        frame({"value": many('{"a":["<f8",[4000000],0]}', 60 * 26)}, bytes(32_000_000))
    ],
    "references-without-end": lambda: [frame({"value": many('{"a":["<f8",[1000],0]}')}, bytes(8000))],
    "rows-of-no-width": lambda: [frame({"value": '{"u":[[20000000,0],[]]}'})],
    "rows-of-no-width-of-numbers": lambda: [frame({"value": many('{"a":["<f8",[90000000,0],0]}', 1000)})],
    "one-long-text-among-many": lambda: [
        frame({"value": '{"u":[[300001],["' + "x" * 1_000_000 + '"' + ',""' * 300_000 + "]]}"})
    ],
    "a-long-text-in-each-of-many-arrays": lambda: [frame({"value": many(WIDE, 20 * len(WIDE) + 20)})],
    "a-long-text-in-a-list-of-many": lambda: [
        frame(
            {
                "function": "0",
                "args": '{"t":[{"l":["' + "x" * 9_000 + '"' + ',""' * 9_000 + "]}]}",
                "kwargs": '{"d":[]}',
            },
            kind="callback",
        )
    ],
    "lists-of-nothing": lambda: [frame({"value": many('{"l":[]}')})],
    "raw-lists": lambda: [frame({"value": '{"l":[' + "[]," * 2_600_000 + "0]}"})],
    "raw-dicts": lambda: [frame({"value": '{"l":[' + '{"":{}},' * 900_000 + "0]}"})],
    "numbers": lambda: [frame({"value": many("999")})],
    "long-numbers": lambda: [frame({"value": many("9" * 4000)})],
    "texts": lambda: [frame({"value": many('"ab"')}), frame({"value": many('"\U0001f600"'.encode().decode())})],
    "a-text-as-a-list": lambda: [frame({"value": '{"l":"' + "漢" * 2_600_000 + '"}'})],
    "wide-letters": lambda: [frame({"value": '"\U0001f600' + "x" * 7_900_000 + '"', "message": '"a"'})],
    "one-hash": lambda: [frame({"value": '{"d":[' + COLLIDING + "]}"})],
    "names-without-end": lambda: [shown(**PICTURE, display_id=f'"{i}{"x" * 5_000_000}"') for i in range(80)],
    "names-of-no-picture": lambda: [shown(**PICTURE, display_id=f'"{i}"') for i in range(2_000)],
    "lines-without-end": lambda: [shown(output_type='"stream"', text='"' + "\\n" * 3_900_000 + '"')] * 5,
    "a-long-error": lambda: [frame({"error": '"' + "y" * 7_000_000 + '"'})],
    "a-matrix-of-no-numbers": lambda: [
        frame({"function": "0", "args": '{"t":[{"a":["<f8",[9000,0],0]}]}', "kwargs": '{"d":[]}'}, kind="callback")
    ],
    "a-cube": lambda: [
        frame(
            {"function": "0", "args": '{"t":[{"a":["<f8",[2000,5],0]}]}', "kwargs": '{"d":[]}'},
            bytes(80_000),
            "callback",
        )
    ],
}


@pytest.mark.more
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name == "texts")) for name in SWELLING]
)
def test_a_frame_does_not_swell(name):
    answered(*SWELLING[name]())


ARRAY = '{"a":["<f8",[2],0]}'


@pytest.mark.parametrize("kind", [ARRAY, '{"l":[1,2]}', "3", "null", '{"a":["<f8",[2,2],0]}'])
@pytest.mark.parametrize("field", ["kind", "nonce", "error", "stopped", "message", "output", "warned", "about"])
def test_no_field_of_a_message_is_an_array_that_somebody_compares(field, kind):
    for about in ("reply", "output", "callback"):
        answered(frame({field: kind}, bytes(32), about))
    for part in ("output_type", "name", "text", "wait", "data", "display_id", "ename", "traceback"):
        answered(
            *(
                shown(**{"output_type": f'"{what}"', part: kind})
                for what in ("clear", "stream", "error", "display_data")
            )
        )


# ---- at random

SIZES = st.sampled_from([0, 1, 2, 3, 1000, 20_000, 1_000_000, 4_000_000, 2**31, 2**62])
SHAPES = st.lists(SIZES, max_size=4)
LEAVES = st.one_of(
    st.sampled_from(["null", "true", "-1", "1.5", "NaN", "1e999", "9" * 4000, '""', '"ab"', '"\\ud800"', '"漢字"']),
    st.builds(
        lambda kind, shape, start: f'{{"a":["{kind}",{shape},{start}]}}',
        st.sampled_from(["<f8", "|b1", "<U9", "<f2"]),
        SHAPES,
        SIZES,
    ),
    st.builds(
        lambda shape, texts: json.dumps({"u": [shape, texts]}),
        SHAPES,
        st.lists(st.sampled_from(["", "a", "b" * 1000]), max_size=5),
    ),
    st.builds(lambda shape: f'{{"g":["<i8",{shape},0]}}', SHAPES),
    st.sampled_from(["[]", "{}", '{"f":0}', '{"d":{}}', '{"l":"abc"}', '{"d":["ab"]}']),
)


def _more(inner):
    times = st.sampled_from([1, 2, 60, 1_000, 30_000])
    return st.one_of(
        st.builds(
            lambda tag, one, n: f'{{"{tag}":[' + ",".join([one] * min(n, 1 + 500_000 // len(one))) + "]}",
            st.sampled_from("lt"),
            inner,
            times,
        ),
        st.builds(lambda key, one: f'{{"d":[[{key},{one}],["b",{one}]]}}', inner, inner),
        st.builds(
            lambda n, step, one: '{"d":[' + ",".join(f"[{i * step},{one}]" for i in range(n)) + "]}",
            times,
            st.sampled_from([1, 2**61 - 1]),
            st.sampled_from(["1", ARRAY]),
        ),
    )


TREES = st.recursive(LEAVES, _more, max_leaves=4)
FIELDS = st.sampled_from(
    ["value", "args", "kwargs", "error", "kinds", "output", "function", "about", "warned", "printed"]
)


@pytest.mark.more
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.dictionaries(FIELDS, TREES, max_size=3),
            st.sampled_from([0, 8, 32_000_000]),
            st.sampled_from(["reply", "output", "callback"]),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_no_frames_whatever_swell(frames):
    answered(*(frame(fields, bytes(size), kind) for fields, size, kind in frames))


# ---- what honest values are told

BEYOND = {
    "empty": np.zeros((20_000_000, 0)),
    "numbered": dict.fromkeys(range(1_001)),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_may_not_cross_is_nothing_plain_at_home_either(name):
    with pytest.raises(wire.WireError):
        wire.encode(BEYOND[name])
    with pytest.raises(NotPlain, match=r"an empty array of shape|keys that are no texts"):
        plain(BEYOND[name])


@pytest.mark.parametrize(
    "value", [np.zeros((0, 5000)), np.zeros((3, 0)), dict.fromkeys(range(1_000)), {str(i): i for i in range(9_000)}]
)
def test_what_anybody_means_crosses(value):
    text, block = (lambda data: (data[8 : 8 + int.from_bytes(data[:4], "little")], data))(wire.encode(value))
    got = wire.decode(text, block[8 + len(text) :])
    assert np.shape(got) == np.shape(value)
    assert len(plain(got)) == len(value)


LARGE = [np.broadcast_to(0.5, shape) for shape in ((100_000,), (300, 300), (1, 100_000), (10_000, 0), (45, 45, 45))]
LARGE += [[0.5] * 50_000]


@pytest.mark.more
@pytest.mark.parametrize(
    ("exercise", "value"),
    [
        (exercise, value)
        for i, exercise in enumerate(["dot_scores", "tokenize", "multi_head_attention"])
        for j, value in enumerate(LARGE)
        if (i + j) % 3 == 0  # each value with one exercise
    ],
    ids=lambda one: one if isinstance(one, str) else f"{type(one).__name__}-{np.shape(one)}",
)
def test_an_answer_as_large_as_may_be_is_judged_in_little(exercise, value):
    tracemalloc.start()
    try:
        began = time.process_time()
        judge(exercise, lambda *args, **kwargs: value, 1)
        assert tracemalloc.get_traced_memory()[1] < MOST
        assert time.process_time() - began < LONGEST
    finally:
        tracemalloc.stop()


TOO_MUCH = """
import resource
from grader.classroom.marking import workers
workers.ROOM, workers.STACK = 64 << 20, 0
before = resource.getrlimit(resource.RLIMIT_DATA)
kept = []
for student in range(3):  # each may take so much, whatever those before have left
    with workers.bounded_memory():
        kept.append(bytearray(40 << 20))
        try:
            bytearray(128 << 20)
            print("there was room")
        except MemoryError:
            print("MemoryError")
        print(resource.getrlimit(resource.RLIMIT_DATA)[1] == before[1])
print(resource.getrlimit(resource.RLIMIT_DATA) == before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a class is graded on Linux")
@pytest.mark.more
def test_a_submission_takes_so_much_memory_and_no_more_and_what_it_starts_may_have_its_own():
    done = subprocess.run([sys.executable, "-c", TOO_MUCH], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [*["MemoryError", "True"] * 3, "True"]
