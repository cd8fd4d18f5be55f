"""A learner's answer in another process, for the judge."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from grader.classroom.running.line import Take, forget
from grader.classroom.running.outputs import text, word
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.process import Ended, TooLong, Watch
from grader.judging.answer import Answer, Outcome, changed_places
from grader.judging.plain import MOST_NUMBERED, NotPlain, plain

#: Numbers that an answer may return in all its calls together: the judge keeps them until it has found the cause.
MOST_IN_ALL = 2_000_000
#: Numbers in the arguments of calls that go together.
MOST_AT_ONCE = 200_000


class RemoteAnswer(Answer):
    """A learner's answer in another process, for the judge; see `grader.judging.answer.LocalAnswer`.

    Nothing that the process says of itself is believed: what comes back is read as values, and compared here.

    Parameters
    ----------
    ask : callable
        `Line.ask`, or what calls it.
    limits : Limits
    source : callable
        Returns the lines of the learner's function, as they were handed in; asked only where something is wrong.
    watch : callable, optional
        `Process.watch`; without it nobody sees how much memory a call takes.

    Attributes
    ----------
    end : Ended or None
        Why the process is no more; None while it lives.
    late : bool
        True if a call was stopped.
    """

    def __init__(
        self,
        ask: Callable[..., dict[str, Any]],
        limits: Limits,
        source: Callable[[], str] = str,
        watch: Watch | None = None,
    ) -> None:
        self._ask, self._limits, self._source, self._watch = ask, limits, source, watch
        self.end: Ended | None = None
        self.late = False
        self._left = [MOST_IN_ALL]
        self._about: dict[str, Any] = {}

    def bind(self, expression: str, names: Iterable[str] = ()) -> str:
        """Choose the answer; returns what is wrong with the expression, "" if nothing is.

        With `names`, what the answer is to each of them comes in the same reply.
        """
        reply = self._request({"kind": "bind", "expression": expression, "names": list(names)})
        if reply.get("error"):
            return text(reply.get("message"), 200) or word(reply["error"])
        about = reply.get("about")
        self._about = about if isinstance(about, dict) else {}
        return ""

    def describe(self, name: str) -> dict[str, Any]:
        """What kind of thing the answer is."""
        about = self._about.get(name)
        about = about if about is not None else self._request({"kind": "describe", "name": name}).get("about")
        about = about if isinstance(about, dict) else {}
        return {
            "callable": about.get("callable") is True,
            "type": word(about.get("type")),
            "empty": about.get("empty") is True,
            "library": text(about.get("library"), 100),
        }

    def value(self) -> Outcome:
        """The answer as a plain value, in an `Outcome`."""
        return _outcome(self._request({"kind": "value"}), self._left)

    def source(self) -> str:
        """The lines of the learner's function; nothing that the process says of them."""
        return self._source()

    def call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
        """Call the answer on plain arguments, in an `Outcome`."""
        try:
            reply = self._request({"kind": "call", "args": tuple(args), "kwargs": dict(kwargs)})
        except TooLong:
            return self._too_late()
        except Ended as end:
            return Outcome(error="ProcessEnded", message=f"the process {end}")
        return self._came_of(reply, args, kwargs)

    def held(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Outcome, int | None]:
        """Call the answer, and say by how many bytes its process grew at the most, as the system has seen it."""
        grown = self._watch() if self._watch else lambda: None
        outcome = self.call(args, kwargs)
        return outcome, grown()

    def calls(self, many: Iterable[tuple[Sequence[Any], Mapping[str, Any]]]) -> Iterator[Outcome]:
        """Call the answer on one after the other, as many as fit into a frame at once; then it waits for none of us."""
        waiting = list(many)
        while waiting:
            outcomes = self._together(waiting)
            yield from outcomes or [self.call(*waiting[0])]
            waiting = waiting[len(outcomes) or 1 :]

    def _together(self, waiting: list[tuple[Sequence[Any], Mapping[str, Any]]]) -> list[Outcome]:
        """What came of the first of these calls that fit into a frame; nothing where it does not pay, or went wrong."""
        size, sent = 0, []
        for args, kwargs in waiting:
            size += _numbers(*args, *kwargs.values())
            if size > MOST_AT_ONCE:
                break
            sent.append((tuple(args), dict(kwargs)))
        outcomes = list[Outcome]()
        if len(sent) < 2:
            return outcomes

        def each(reply: dict[str, Any]) -> None:
            # Read as it comes, so that no more is held than an answer may return.
            outcomes.append(self._came_of(reply, *waiting[len(outcomes)]))

        try:
            self._request({"kind": "calls", "calls": sent}, each)
        except TooLong:
            outcomes.append(self._too_late())
        except Ended:
            pass  # the next call says so
        return outcomes

    def _too_late(self) -> Outcome:
        self.late = True
        return Outcome(stopped=True)

    def _came_of(self, reply: dict[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
        outcome = _outcome(reply, self._left)
        self.late |= outcome.stopped
        return _with_changes(outcome, reply, args, kwargs)

    def _request(self, request: dict[str, Any], each: Take | None = None) -> dict[str, Any]:
        if self.end is not None:
            raise self.end
        try:
            return self._ask(request, self._limits.call, forget, [], *([each] if each else []))
        except Ended as end:
            self.end = end
            raise


def _numbers(*values: Any) -> int:
    """About how many numbers and texts there are in some arguments."""
    count = 0
    for value in values:
        if isinstance(value, (list, tuple)):
            count += _numbers(*value)
        elif isinstance(value, dict):
            count += _numbers(*value.values())
        else:
            count += getattr(value, "size", 1)
    return count


def _outcome(reply: dict[str, Any], left: list[int]) -> Outcome:
    """A reply as an `Outcome`; whatever is not as it should be makes it an error. `left` is as for `plain`."""
    error, value = word(reply.get("error")), None
    message = text(reply.get("message"), 500)
    if not error and not reply.get("stopped"):
        try:
            value = plain(reply.get("value"), left)
        except NotPlain as problem:
            error, message = "NotPlain", str(problem)
    warned, kinds, unread = reply.get("warned"), reply.get("kinds"), reply.get("unread")
    parts = islice(unread.items(), MOST_NUMBERED) if isinstance(unread, dict) else ()
    return Outcome(
        value=value,
        error=error,
        message=message,
        line=text(reply.get("line"), 500),
        inside=text(reply.get("inside"), 200),
        printed=text(reply.get("printed"), 20_000),
        warned=tuple(text(words, 200) for words in warned[:20]) if isinstance(warned, list) else (),
        stopped=reply.get("stopped") is True,
        unread={text(name, 100): text(why, 200) for name, why in parts},
        kinds=tuple(word(name) for name in kinds[:20]) if isinstance(kinds, list) else (),
    )


def _with_changes(outcome: Outcome, reply: dict[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
    """The outcome with the arguments that came back otherwise than they went: compared here, not inside."""
    after, named = reply.get("args"), reply.get("kwargs")
    if not isinstance(after, list) or not isinstance(named, dict) or len(after) != len(args):
        after, named = [None] * len(args), {}
    named = {name: named.get(name) for name in kwargs}
    return replace(outcome, changed=changed_places(args, kwargs, after, named))
