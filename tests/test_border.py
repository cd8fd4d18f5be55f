"""The border by itself, each side without the other: what fits through it to the last byte, and what is cut off."""

import contextlib
import os
import re
import time
import types

import numpy as np
import pytest

from grader.classroom.running.far_answer import MOST_AT_ONCE, RemoteAnswer
from grader.classroom.running.line import Line
from grader.classroom.sandbox.inside import wire
from grader.classroom.sandbox.inside.session import Session
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.process import Ended, TooLong
from grader.judging.answer import Outcome


def decoded(frame, function=None):
    size = int.from_bytes(frame[:4], "little")
    return wire.decode(frame[8 : 8 + size], frame[8 + size :], function)


def refused(value, words):
    with pytest.raises(wire.WireError, match=words):
        wire.encode(value)


# ---- what fits into a frame


@pytest.mark.parametrize("around", [lambda value: [value], lambda value: (value,), lambda value: {"a": value}])
def test_lists_may_be_nested_thirteen_deep_in_either_direction(around):
    value = 0
    for _ in range(13):
        value = around(value)
    frame = wire.encode(value)
    assert decoded(frame) == value
    refused(around(value), "lists nested too deeply")
    tag, start = {list: (b"l", b"["), tuple: (b"t", b"["), dict: (b"d", b'[["a",')}[type(value)]
    deeper = b'{"' + tag + b'":' + start + frame[8:] + {b"[": b"]}"}.get(start, b"]]}")
    with pytest.raises(wire.WireError):
        wire.decode(deeper, b"")


def test_keys_count_as_deep_as_what_they_stand_for():
    key = 0
    for _ in range(12):
        key = (key,)
    assert decoded(wire.encode({key: 1})) == {key: 1}
    refused({(key,): 1}, "too deeply")
    text = wire.encode({key: 1})[8:].decode()
    with pytest.raises(wire.WireError):
        wire.decode(f'{{"l":[{text}]}}'.encode(), b"")


def test_text_and_arrays_fill_a_frame_to_the_last_byte_and_not_beyond():
    assert len(wire.encode("x" * 7_999_998)) == 8 + 8_000_000  # with the quotation marks
    refused("x" * 7_999_999, "too much at once: 8,000,001 bytes")
    array = np.zeros(32_000_001, np.uint8)
    assert len(wire.encode(array[1:])) > 32_000_000
    refused(array, r"too much at once: 32,000,\d\d\d bytes")


def test_a_whole_number_has_at_most_eight_thousand_binary_digits():
    assert decoded(wire.encode(2**8192 - 1)) == 2**8192 - 1
    refused(2**8192, "a whole number of 8,193 binary digits")


@pytest.mark.parametrize("kind", [">f8", ">i8", ">u4", np.longdouble, "<i2", ">f2"])
def test_numbers_of_any_make_arrive_as_this_machine_keeps_them(kind):
    sent = np.array([1, 2, 3]).astype(kind)
    got = decoded(wire.encode(sent))
    assert got.dtype.isnative
    assert (got.dtype.kind, got.tolist()) == (sent.dtype.kind, [1, 2, 3])
    assert got.itemsize == min(sent.itemsize, 8)


def test_an_array_has_at_most_thirty_two_axes():
    one = b'{"a":["<f8",[' + b",".join([b"1"] * 32) + b"],0]}"
    assert wire.decode(one, bytes(8)).shape == (1,) * 32
    with pytest.raises(wire.WireError, match="an array of type <f8"):
        wire.decode(one.replace(b"1", b"1,1", 1), bytes(8))


def test_an_array_ends_where_its_bytes_end():
    assert wire.decode(b'{"a":["<f8",[1,1],8]}', np.array([1.0, 2.0]).tobytes()).tolist() == [[2.0]]
    for text in (b'{"a":["<f8",[1,1],9]}', b'{"a":["<f8",[3],0]}'):
        with pytest.raises(wire.WireError, match="an array larger than its bytes"):
            wire.decode(text, bytes(16))
    for start in (b"-1", b"0.0", b'"0"'):
        with pytest.raises(wire.WireError, match="larger than its bytes"):
            wire.decode(b'{"a":["|u1",[1],%s]}' % start, bytes(16))
    for shape in (b"[1.0]", b"[-1]", b"[-1,-1]"):
        with pytest.raises(wire.WireError, match="an array of no shape"):
            wire.decode(b'{"a":["|u1",%s,0]}' % shape, bytes(16))


def test_functions_cross_in_their_order_and_texts_keep_their_shape():
    handles = []
    value = [len, np.array([["a"], ["bc"]]), print, np.str_("d")]
    got = decoded(wire.encode(value, handles), lambda number: number)
    assert handles == [len, print]
    assert (got[0], got[1].shape, got[2], got[3]) == (0, (2, 1), 1, "d")
    for text in (b'{"x":1}', b'{"f":"a"}'):
        with pytest.raises(wire.WireError):
            wire.decode(text, b"", lambda number: number)
    refused(len, "an object of type builtin_function_or_method")
    refused(np.array([None]), "an array of type object")


@pytest.fixture
def pipe():
    """Two ends of a pipe: to read, to write."""
    ends = os.pipe()
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):
            os.close(end)


def test_a_frame_goes_out_piece_by_piece_and_the_channel_is_busy_as_long(pipe, monkeypatch):
    reader, writer = (wire.Channel(end) for end in pipe)
    busy = []

    def write(descriptor, data):
        busy.append(writer.busy)
        return os.write(descriptor, data[:3])

    def read(descriptor, size):
        busy.append(reader.busy)
        return os.read(descriptor, min(size, 5))

    monkeypatch.setattr(wire, "_write", write)
    monkeypatch.setattr(wire, "_read", read)
    value = ["text", 2.5]
    writer.send(value)
    assert reader.receive() == value
    assert len(busy) > 6
    assert set(busy) == {1}
    assert (reader.busy, writer.busy) == (0, 0)


def test_a_channel_is_free_again_when_the_other_side_has_gone(pipe):
    reader, writer = (wire.Channel(end) for end in pipe)
    os.write(pipe[1], b"\x10\x00")
    os.close(pipe[1])
    with pytest.raises(EOFError):
        reader.receive()
    with pytest.raises(OSError, match="Bad file descriptor"):
        writer.send(1)
    assert (reader.busy, writer.busy) == (0, 0)


# ---- the judge's side


class Far:
    """Stands for a process: says what it was told to, and keeps what it is sent and how long it was waited for."""

    def __init__(self, *says):
        self.says, self.sent, self.waits, self.alive = [*says], [], [], True

    def send(self, value, functions=None):
        """Keep it."""
        self.sent.append(value)

    def receive(self, seconds):
        """Say the next thing, in the end the reply."""
        self.waits.append(seconds)
        return self.says.pop(0) if self.says else {"kind": "reply", "nonce": self.sent[0]["nonce"]}

    def end(self):
        """Be no more."""
        self.alive = False


def called(function, args=(), kwargs=None, **more):
    """What a process is sent that asks for a call of a function of the judge's."""
    message = {"kind": "callback", "function": 0, "args": args, "kwargs": kwargs or {}, "nonce": "mine", **more}
    far = Far(message)
    Line(far).ask({"kind": "call"}, 1, functions=[function])
    return far.sent[1]


def test_a_call_that_does_not_fit_says_what_is_wrong_and_not_what_the_function_is_called():
    class Attention:
        def __call__(self, X, mask=None):
            return X

    def tokens_alone(X):
        return X

    attention = Attention()
    for function in (tokens_alone, lambda X: X, attention, attention.__call__):
        for args, kwargs in (((), {}), ((1, 2, 3), {}), ((1,), {"stay": 1})):
            reply = called(function, args, kwargs)
            assert reply["error"] == "TypeError"
            assert reply["message"].startswith("the function ")
            assert not {"tokens_alone", "lambda", "Attention"} & set(re.findall(r"\w+", reply["message"]))


def test_a_process_has_two_seconds_more_than_its_time_and_always_a_moment():
    far = Far({"kind": "reply", "nonce": "late"})
    Line(far).ask({"kind": "cell"}, 5)
    assert all(6.5 < wait <= 7 for wait in far.waits)
    assert far.sent[0]["seconds"] == 5
    assert far.alive
    far = Far()
    Line(far).ask({"kind": "cell"}, -10)
    assert far.waits == [0.01]


def test_outputs_are_taken_as_they_come():
    taken = []
    Line(Far({"kind": "output", "output": "a"}, {"kind": "output"})).ask({"kind": "cell"}, 1, taken.append)
    assert taken == ["a", None]


def test_a_function_of_the_judge_s_takes_forty_thousand_numbers_in_all_and_no_long_row():
    three, one = (np.ones((100, 100)),) * 3, np.ones((100, 100))
    assert called(lambda *xs, y: sum(x.size for x in xs) + y.size, three, {"y": one})["value"] == 40_000
    for args, y in ((three, np.ones((100, 101))), ((np.ones((100, 1)),), np.ones(2001)), ((), np.ones((200, 199)))):
        reply = called(lambda *xs, y: 0, args, {"y": y})
        said = "a call with more than 40,000 numbers, or more than 2,000 rows"
        assert (reply["error"], reply["message"]) == ("ValueError", said)


@pytest.mark.parametrize("wrong", [{"args": [1]}, {"kwargs": [1]}])
def test_what_are_no_arguments_reaches_no_function_of_the_judge_s(wrong):
    reply = called(lambda *args: 1, **wrong)
    assert (reply["error"], reply["message"]) == ("TypeError", "arguments are a tuple and a dict")


def test_a_reply_to_a_call_has_its_name_a_short_message_and_no_warning():
    def fails():
        raise KeyError("x" * 600)

    reply = called(fails)
    assert (reply["kind"], reply["nonce"], reply["error"], len(reply["message"])) == ("reply", "mine", "KeyError", 500)
    assert called(lambda: 1, nonce=3)["nonce"] == ""
    assert called(lambda: np.log(np.zeros(1)))["value"].tolist() == [-np.inf]


def remote(**reply):
    """An answer in a process that replies this to everything."""
    return RemoteAnswer(lambda *request: reply, Limits())


def test_what_an_expression_was_wrong_with_is_said_in_two_hundred_letters():
    assert remote().bind("f") == ""
    assert remote(error="NameError", message="m" * 300).bind("f") == "m" * 200
    assert remote(error="NameError").bind("f") == "NameError"


@pytest.mark.parametrize("claim", [1, "yes", None, [True]])
def test_only_true_is_true_of_what_a_process_says_of_an_answer(claim):
    said = remote(about={"callable": claim, "empty": claim, "type": "function", "library": "a" * 120}).describe("f")
    assert said == {"callable": False, "type": "function", "empty": False, "library": "a" * 100}
    assert remote(stopped=claim).value().stopped is False


@pytest.mark.parametrize("about", [None, "function", []])
def test_of_an_answer_that_is_not_described_nothing_is_known(about):
    assert remote(about=about).describe("f") == {"callable": False, "type": "", "empty": False, "library": ""}
    known = remote(about={"callable": True, "empty": True}).describe("f")
    assert (known["callable"], known["empty"]) == (True, True)


def test_what_a_call_said_is_cut_and_an_error_has_no_value():
    reply = {"message": "m" * 501, "line": "l" * 501, "printed": "p" * 20_001, "warned": ["w" * 201] * 21}
    outcome = remote(value=1.5, **reply).value()
    assert outcome == Outcome(1.5, "", "m" * 500, "l" * 500, (), "p" * 20_000, ("w" * 200,) * 20, False)
    assert remote(value=1.5, error="ValueError").value() == Outcome(error="ValueError")
    assert remote(value=1.5, stopped=True).value() == Outcome(stopped=True)
    assert remote(value=1.5, warned="words").value().warned == ()
    odd = remote(value=np.array([1j])).value()
    assert (odd.error, odd.message, odd.value) == ("NotPlain", "an array of complex numbers", None)


def test_arguments_are_compared_with_what_came_back():
    def changed(**reply):
        return remote(value=0, **reply).call((np.ones(2), len), {"n": 2, "kernel": len}).changed

    same = {"args": [np.ones(2), None], "kwargs": {"n": 2, "kernel": None}}
    assert changed(**same) == ()
    assert changed(args=[np.zeros(2), None], kwargs={"n": 3, "kernel": None}) == (0, "n")
    for broken in ({"args": [np.ones(2)]}, {"args": None}, {"kwargs": None}):
        assert changed(**{**same, **broken}) == (0, "n")


def test_an_answer_asks_with_the_time_of_a_call_and_remembers_that_one_was_stopped():
    asked = []

    def ask(request, seconds, take, functions):
        asked.append((request, seconds, functions))
        return {"stopped": len(asked) == 2}

    answer = RemoteAnswer(ask, Limits(call=3))
    late = []
    for _ in range(3):
        answer.call([1], {"b": 2})
        late.append(answer.late)
    assert late == [False, True, True]
    assert asked[0] == ({"kind": "call", "args": (1,), "kwargs": {"b": 2}}, 3, [])
    assert answer.end is None

    def gone(*request):
        raise TooLong("is gone")

    answer = RemoteAnswer(gone, Limits())
    answer.call((), {})
    assert answer.late
    # A process that has ended is asked no more.
    answer._ask = ask
    assert answer.call((), {}).stopped
    assert len(asked) == 3


class Batch:
    """Stands for a line: says of several calls what it was told to, and ends as it was told to."""

    def __init__(self, *says, ends=None):
        self.says, self.ends, self.asked = [*says], ends, []

    def __call__(self, request, seconds, take, functions, each=None):
        """Say it; a call that comes alone is told by its kind."""
        self.asked.append(request)
        if each is None:
            return {"value": "alone"}
        for reply in self.says:
            each(reply)
        if self.ends:
            raise self.ends
        return {}


MANY = [((number,), {}) for number in range(3)]


def test_several_calls_go_together_and_what_does_not_come_back_is_asked_alone():
    line = Batch({"value": 0}, {"value": 1}, {"value": 2})
    assert [outcome.value for outcome in RemoteAnswer(line, Limits()).calls(MANY)] == [0, 1, 2]
    assert line.asked == [{"kind": "calls", "calls": MANY}]
    line = Batch({"value": 0})
    assert [outcome.value for outcome in RemoteAnswer(line, Limits()).calls(MANY)] == [0, 0, "alone"]


def test_calls_with_many_numbers_do_not_go_together():
    line = Batch({"value": 0}, {"value": 1})
    many = [((np.zeros(size),), {"word": "a"}) for size in (MOST_AT_ONCE - 3, 1, MOST_AT_ONCE + 1, 1, 1)]
    assert len([*RemoteAnswer(line, Limits()).calls(many)]) == 5
    assert [len(request.get("calls", "1")) for request in line.asked] == [2, 1, 2]


def test_where_a_process_ends_among_several_calls_those_before_are_told():
    answer = RemoteAnswer(Batch({"value": 0}, ends=Ended("is no more")), Limits())
    outcomes = [*answer.calls(MANY)]
    assert outcomes[0].value == 0
    assert [outcome.error for outcome in outcomes[1:]] == ["ProcessEnded"] * 2
    assert not answer.late
    answer = RemoteAnswer(Batch({"value": 0}, ends=TooLong("is late")), Limits())
    assert [outcome.stopped for outcome in answer.calls(MANY)][:2] == [False, True]
    assert answer.late


def test_each_of_several_calls_has_the_time_of_one_and_none_is_told_twice():
    nonce = []

    class Counted(Far):
        def receive(self, seconds):
            nonce[:] = [self.sent[0]["nonce"]]
            self.waits.append(seconds)
            return {"kind": "outcome", "nonce": nonce[0], "value": len(self.waits)}

    far, taken = Counted(), []
    with pytest.raises(Ended):
        Line(far).ask({"kind": "calls", "calls": MANY}, 1, functions=[], each=taken.append)
    assert [reply["value"] for reply in taken] == [1, 2, 3]
    assert not far.alive
    assert all(2.5 < wait <= 3 for wait in far.waits)


# ---- the process's side


class Near:
    """Stands for the channel to the judge: replies with what it was told to, and keeps what it is sent."""

    def __init__(self, *says):
        self.says, self.sent, self.busy = [*says], [], 0

    def send(self, value):
        """Keep it, if it can cross."""
        wire.encode(value)
        self.sent.append(value)

    def receive(self, function=None):
        """Say the next thing; what has no nonce gets that of the last call."""
        return {"nonce": self.sent[-1]["nonce"], **self.says.pop(0)}


class Shell:
    """What a session needs of a shell."""

    def __init__(self, run=None, **names):
        self.run, self.user_ns, self.publish = run, names, None


def asked(shell, *requests, near=None):
    """What a session replies to its last request."""
    near = near or Near()
    session = Session(near, shell)
    for request in requests:
        session._reply({"nonce": "n", "seconds": 5.0, **request})
    assert (near.sent[-1]["kind"], near.sent[-1]["nonce"]) == ("reply", "n")
    return near.sent[-1]


def test_a_cell_that_ends_was_not_stopped_and_its_outputs_go_to_the_judge():
    ran, near = [], Near()
    shell = Shell(lambda source: (ran.append(source), shell.publish("shown")))
    assert asked(shell, {"kind": "cell", "source": "1 + 1"}, near=near)["stopped"] is False
    assert ran == ["1 + 1"]
    assert near.sent[0] == {"kind": "output", "output": "shown"}


@pytest.mark.parametrize("swallowed", [True, False])
def test_a_cell_that_takes_too_long_is_stopped_even_if_the_shell_swallows_it(swallowed):
    def run(source):
        with contextlib.suppress(BaseException) if swallowed else contextlib.nullcontext():
            time.sleep(30)

    began = time.monotonic()
    assert asked(Shell(run), {"kind": "cell", "source": "", "seconds": 0.05})["stopped"] is True
    assert time.monotonic() - began < 20


def test_nothing_is_stopped_in_the_middle_of_a_frame():
    near = Near()

    def sleep(source=""):
        near.busy = 1
        time.sleep(0.1)
        return 7

    cell = {"kind": "cell", "source": "", "seconds": 0.02}
    assert asked(Shell(sleep), cell, near=near)["stopped"] is False
    bind = {"kind": "bind", "expression": "sleep()", "seconds": 0.02}
    assert asked(Shell(sleep=sleep), bind, {"kind": "value"}, near=near)["value"] == 7
    call = {"kind": "call", "args": (), "kwargs": {}}
    assert asked(Shell(sleep=sleep), bind | {"expression": "sleep"}, call, near=near)["value"] == 7


def fails(*args):
    raise SystemExit("x" * 600)


@pytest.mark.parametrize("request_", [{"kind": "cell", "source": ""}, {"kind": "bind", "expression": "fails()"}])
def test_what_gets_past_a_cell_or_an_expression_is_an_error_with_a_short_message(request_):
    reply = asked(Shell(fails, fails=fails), request_)
    assert (reply["error"], reply["message"]) == ("SystemExit", "x" * 500)


def test_an_answer_that_cannot_be_had_leaves_none_of_the_one_before():
    good, bad = {"kind": "bind", "expression": "x"}, {"kind": "bind", "expression": "y"}
    assert asked(Shell(x=5), good, {"kind": "value"})["value"] == 5
    assert asked(Shell(x=5), good, bad, {"kind": "value"})["value"] is None
    about = asked(Shell(x=len), good, {"kind": "describe", "name": "len"})["about"]
    assert (about["callable"], about["type"]) == (True, "builtin_function_or_method")


def test_a_reply_that_cannot_cross_is_told_and_so_is_an_alarm_on_the_way_out():
    reply = asked(Shell(x=2**9000), {"kind": "bind", "expression": "x"}, {"kind": "value"})
    assert (reply["error"], reply["message"]) == ("NotPlain", "a whole number of 9,001 binary digits")

    def alarm(request):
        from grader.judging.answer import StillRunning

        raise StillRunning

    near = Near()
    session = Session(near, Shell())
    session._on_value = alarm
    session._reply({"kind": "value", "nonce": "n"})
    assert near.sent == [{"kind": "reply", "nonce": "n", "error": "StillRunning"}]


def test_arguments_come_back_as_the_call_left_them_and_functions_as_nothing():
    def answer(values, kernel, odd, more):
        values[0] = 9.0
        odd.append(types)
        return kernel

    request = {"kind": "call", "args": (np.zeros(2), len, []), "kwargs": {"more": [1]}}
    near = Near()
    session = Session(near, Shell(answer=lambda values, kernel, odd, more: answer(values, kernel, odd, more) and 1))
    for one in ({"kind": "bind", "expression": "answer"}, request):
        session._reply({"nonce": "n", "seconds": 5.0, **one})
    reply = near.sent[-1]
    assert reply["value"] == 1
    assert [reply["args"][0].tolist(), *reply["args"][1:]] == [[9.0, 0.0], None, "something else"]
    assert reply["kwargs"] == {"more": [1]}


def test_what_a_call_did_is_told_to_the_judge():
    def answer():
        print("said")
        np.log(np.zeros(1))
        raise ValueError("no")

    call = {"kind": "call", "args": (), "kwargs": {}}
    told = asked(Shell(answer=answer), {"kind": "bind", "expression": "answer"}, call)
    assert (told["value"], told["error"], told["message"], told["printed"]) == (None, "ValueError", "no", "said\n")
    assert told["line"] == 'raise ValueError("no")'
    assert told["warned"] == ["divide by zero encountered in log"]
    assert told["stopped"] is False


def test_several_calls_are_told_one_by_one_and_none_after_one_that_was_stopped():
    def answer(number):
        time.sleep(30 if number == 1 else 0)
        return [2**9000] if number == 2 else number

    near, calls = Near(), [((number,), {}) for number in (0, 2, 1, 0)]
    bind = {"kind": "bind", "expression": "answer", "names": ["answer"], "seconds": 0.3}
    asked(Shell(answer=answer), bind, {"kind": "calls", "calls": calls}, near=near)
    bound, *told, last = near.sent
    assert bound["about"]["answer"]["callable"] is True
    assert {one["kind"] for one in told} == {"outcome"}
    assert [(one.get("value"), one["error"], one.get("stopped", False)) for one in told] == [
        (0, "", False),
        (None, "NotPlain", False),
        (None, "", True),
    ]
    assert last == {"kind": "reply", "nonce": "n"}


def test_a_function_of_the_judge_s_gives_what_the_judge_says_for_this_very_call():
    near = Near({"nonce": "of another call", "value": 1}, {"value": 2})
    assert Session(near, Shell())._of_the_judge(4)(3, b=np.ones(1)) == 2
    (call,) = near.sent
    assert (call["kind"], call["function"], call["args"], call["kwargs"]) == ("callback", 4, (3,), {"b": np.ones(1)})


@pytest.mark.parametrize(("name", "kind"), [("KeyError", KeyError), ("OSError", RuntimeError)])
def test_an_error_of_a_function_of_the_judge_s_keeps_its_kind_if_that_is_a_common_one(name, kind):
    function = Session(Near({"error": name, "message": "no"}), Shell())._of_the_judge(0)
    with pytest.raises(kind, match="no"):
        function()
    with pytest.raises(ValueError, match=r"^$"):
        Session(Near({"error": "ValueError"}), Shell())._of_the_judge(0)()
