"""An answer in another process gets the verdict that it gets in this one; and nothing else crosses the line."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import far_answer
import hostile
import numpy as np
import pytest
import variants

from grader.classroom.running.far_answer import RemoteAnswer
from grader.classroom.running.line import LARGEST_CALL, Line
from grader.classroom.sandbox import GIVES_BACK
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.process import Ended, Process, TimeIsUp, TooLong
from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise
from grader.exercises.p5_whole_models.n3_a_whole_transformer.exam.boxes import NUMBERS, box
from grader.judging.answer import LocalAnswer
from grader.judging.judge import judge

pytestmark = pytest.mark.more

FAR = Path(__file__).parent / "far_answer.py"
LIMITS = Limits(call=20, notebook=600)


# ---- the same judge across the border


@pytest.fixture(scope="module")
def far():
    """Return a function that gives the answer of an expression, as the judge gets it from the far side."""
    ours, theirs = socket.socketpair()
    with theirs:
        program = subprocess.Popen(
            [sys.executable, str(FAR), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=FAR.parent,
            env=os.environ | GIVES_BACK,
            start_new_session=True,
        )
    line = Line(Process(ours, program.pid, (), LIMITS))
    yield lambda expression: bound(line, expression)
    line.process.end()
    program.wait()


def bound(line, expression):
    answer = RemoteAnswer(line.ask, LIMITS, watch=line.process.watch)
    assert answer.bind(expression) == ""
    return answer


def models():
    """Every sixth function, right and with some of its mistakes: what they return crosses the same line."""
    for exercise in [*BANK.values()][1::6]:
        if isinstance(exercise, FunctionExercise):
            # What the exam is asked with is seen, and its model from afar asks as somebody does who is right.
            some = () if exercise.suspects else exercise.misconceptions[::70]
            for wrong in [(), *((misconception.id,) for misconception in some)]:
                yield pytest.param(exercise, wrong, id="-".join([exercise.id, *wrong]))


def the_same(near, far):
    assert far.text == near.text
    assert far.diagnoses == near.diagnoses
    assert far.points == near.points


@pytest.mark.parametrize(("exercise", "wrong"), list(models()))
def test_a_function_of_the_bank_gets_the_same_verdict_from_afar(far, exercise, wrong):
    near = judge(exercise, far_answer.model(exercise.id, *wrong), 7)
    the_same(near, judge(exercise, far(f"model({exercise.id!r}, *{wrong!r})"), 7))


@pytest.mark.parametrize("kind", ["VARIANTS", "WRONG"])
@pytest.mark.parametrize("exercise", [*BANK][::4])
def test_answers_written_by_hand_get_the_same_points_from_afar(far, exercise, kind):
    for number in range(0, len(variants.handwritten(exercise, kind)), 70):
        near = judge(exercise, LocalAnswer(far_answer.handwritten(exercise, kind, number), 20), 7)
        verdict = judge(exercise, far(f"handwritten({exercise!r}, {kind!r}, {number})"), 7)
        # Not the diagnosis: some of them count their calls.
        assert verdict.points == near.points, number


@pytest.mark.parametrize("name", ["divides_in_place", "rank_in_the_end"])
def test_a_table_of_the_judge_s_is_changed_from_afar_as_from_here(far, name):
    number = [answer.__name__ for answer, _ in variants.handwritten("generate", "WRONG")].index(name)
    near = judge("generate", LocalAnswer(far_answer.handwritten("generate", "WRONG", number), 20), 7)
    the_same(near, judge("generate", far(f"handwritten('generate', 'WRONG', {number})"), 7))


BADLY = [
    ("row_means", "right", name)
    for name in ("refuses", "leaves", "pretends", "odd-class", "odd-list", "many-axes", "masked", "long-double", "nan")
]
BADLY += [
    ("row_means", name)
    for name in (
        *("broken-message", "leaves-message", "odd-exception", "nameless", "odd-name", "our-name", "group", "exit"),
        *("value-error", "prints", "closes", "warns", "argument", "filled", "resized", "locked", "retyped", "too-much"),
        *("objects", "object-numbers", "as-objects", "as-bool", "other-endian", "half-a-character", "too-large-whole"),
    )
]
BADLY += [("tokenize", "right", "dict-of-odd-keys"), ("encode", "locked"), ("leaks_future", "right", "truth", "nan")]
BADLY += [("softmax_with_temperature", *["right"] * 5, "own-value-error"), ("kernel_attention", "right", "odd-array")]


def test_what_is_known_of_a_box_stays_on_this_side(far):
    one = box("no scaling", np.random.default_rng(0))
    assert NUMBERS[one] in far_answer.numbers_behind(one)
    outcome = far("numbers_behind").call((one,), {})
    assert outcome.ok
    assert NUMBERS[one] not in outcome.value


@pytest.mark.parametrize(("exercise", "behaviours"), [(first, rest) for first, *rest in BADLY], ids=str)
def test_what_behaves_badly_gets_the_same_verdict_from_afar(far, exercise, behaviours):
    near = judge(exercise, LocalAnswer(far_answer.badly(exercise, *behaviours), 20), 7)
    the_same(near, judge(exercise, far(f"badly({exercise!r}, *{behaviours!r})"), 7))


@pytest.mark.parametrize("name", hostile.VALUES)
def test_a_value_of_any_kind_gets_the_same_verdict_from_afar(far, name):
    near = judge("tied-far-key", LocalAnswer(hostile.VALUES[name](), 20))
    the_same(near, judge("tied-far-key", far(f"VALUES[{name!r}]()")))
    about, there = LocalAnswer(hostile.VALUES[name]()).describe("f"), far(f"VALUES[{name!r}]()").describe("f")
    assert there == about


def test_an_expression_that_leaves_or_says_nothing_ends_no_process(far):
    leaving = [f"badly('row_means', {name!r})([[1.0]])" for name in ("broken-message", "leaves-message", "nameless")]
    for expression in ("1 / 0", "VALUES['leaves']().name", "missing", *leaving):
        with pytest.raises(AssertionError):
            far(expression)
    assert far("VALUES['zero']()").value().value == 0


def test_as_much_crosses_as_fits_and_more_is_an_error_of_the_call(far):
    outcome = far("lambda f: f(1)").call((lambda q: ["漢" * 20_000] * 79,), {})
    assert (outcome.error, outcome.kinds[0]) == ("ValueError", "ValueError")
    assert "too much at once" in outcome.message
    many = far("lambda: [__import__('numpy').float32(i) for i in range(5000)]").call((), {})
    assert [value.item() for value in many.value] == list(range(5000))


# ---- the line


class FarSide:
    """Stands for a process: says what it was told to, and keeps what it is sent."""

    alive = True

    def __init__(self, *says):
        self.says, self.sent = list(says), []

    def send(self, value, functions=None):
        """Keep it; a function of the judge's becomes a handle."""
        self.sent.append(value)
        if functions is not None:
            functions += [argument for argument in value.get("args", ()) if callable(argument)]

    def receive(self, seconds):
        """Say the next thing; one that is to be a reply gets the nonce of the first request."""
        if not self.says:
            raise TooLong("did not come to an end in time")
        message = self.says.pop(0)
        if isinstance(message, dict) and message.get("nonce") == "right":
            return message | {"nonce": self.sent[0]["nonce"]}
        return message

    def end(self):
        """Be no more."""
        self.alive = False


RIGHT = {"kind": "reply", "nonce": "right", "value": "mine"}


def test_only_a_reply_to_this_very_request_is_one():
    other = {"kind": "reply", "nonce": "another", "value": "forged"}
    assert Line(FarSide(other, {"kind": "reply"}, RIGHT)).ask({"kind": "value"}, 1)["value"] == "mine"
    with pytest.raises(TooLong):
        Line(FarSide(other)).ask({"kind": "value"}, 1)
    far, again = FarSide(RIGHT), FarSide(RIGHT)
    for side in (far, again):
        Line(side).ask({"kind": "value"}, 1)
    assert far.sent[0]["nonce"] != again.sent[0]["nonce"]


@pytest.mark.parametrize(
    "message",
    [
        "hello",
        {},
        {"kind": "reference", "name": "softmax", "args": (np.zeros(3),), "kwargs": {}, "nonce": "n", "first": 0},
        {"kind": "compute", "name": "softmax", "args": (np.zeros(3),), "kwargs": {}, "nonce": "n"},
    ],
)
def test_a_process_that_asks_for_anything_else_is_ended(message):
    far = FarSide(message, RIGHT)
    with pytest.raises(Ended, match="wrote into the line"):
        Line(far).ask({"kind": "cell", "source": ""}, 1)
    assert not far.alive


def callback(*args, number=0):
    return {"kind": "callback", "function": number, "args": args, "kwargs": {}, "nonce": "mine"}


def test_a_function_of_the_judge_s_can_be_called_while_the_answer_is_and_with_few_numbers():
    def double(x):
        return 2 * x

    far = FarSide(callback(np.ones(3)), callback(np.zeros(LARGEST_CALL + 1)), callback(1, number=1), RIGHT)
    Line(far).ask({"kind": "call", "args": (double,)}, 1, functions=[])
    _, doubled, large, unknown = far.sent
    assert doubled["value"].tolist() == [2, 2, 2]
    assert "a call with more than" in large["message"]
    assert unknown["error"] == "IndexError"
    # While a cell runs, there is none.
    far = FarSide(callback(np.ones(3)), RIGHT)
    Line(far).ask({"kind": "cell", "source": ""}, 1)
    assert far.sent[1]["error"] == "IndexError"


def test_a_function_of_the_judge_s_can_be_called_with_words_but_not_with_room_for_many():
    def first(words):
        return words[0]

    far = FarSide(callback(["the", "cat"]), callback([["x" * 9_000, 1.0], [""] * 9_000]), RIGHT)
    Line(far).ask({"kind": "call", "args": (first,)}, 1, functions=[])
    _, said, wide = far.sent
    assert said["value"] == "the"
    assert "texts of more than" in wide["message"]


def test_of_what_could_not_be_read_no_more_is_kept_than_a_process_of_ours_tells():
    reply = {"unread": {str(number): "no data" for number in range(5_000)}}
    assert len(RemoteAnswer(lambda *request: reply, LIMITS).value().unread) == 1_000


# ---- the end of a process


def raising(end):
    def ask(*request):
        raise end

    return RemoteAnswer(ask, LIMITS)


def test_a_call_that_was_too_long_is_one_that_was_stopped_and_any_other_end_is_an_error():
    # No wording decides: the class of the end does.
    outcome = raising(TooLong("is gone")).call((), {})
    assert (outcome.stopped, outcome.error) == (True, "")
    for end in (TimeIsUp("is out of time, in time"), Ended("did not come to an end in time")):
        answer = raising(end)
        outcome = answer.call((), {})
        assert (outcome.stopped, outcome.error) == (False, "ProcessEnded")
        assert answer.end is end
        assert not answer.late
        with pytest.raises(type(end)):
            answer.value()
