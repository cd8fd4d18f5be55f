"""The far side of the border as a program of its own: the sandbox's session without a sandbox, for answers of the bank.

`python far_answer.py DESCRIPTOR` serves the judge on a socket; the names below are what an answer's expression may use.
"""

import os
import sys

import hostile
import variants

from grader.classroom.sandbox.inside.session import Session
from grader.classroom.sandbox.inside.wire import Channel
from grader.exercises import BANK


def model(exercise, *wrong):
    """Return an exercise's reference with mistakes."""

    def answer(*args, **kwargs):
        return BANK[exercise].model(*args, wrong=frozenset(wrong), **kwargs)

    return answer


def handwritten(exercise, kind, number):
    """Return an answer of tests/variants."""
    entry = variants.handwritten(exercise, kind)[number]
    return entry[0] if isinstance(entry, tuple) and kind == "WRONG" else entry


def badly(exercise, *names):
    """Return an answer that behaves badly, otherwise in each call."""
    return hostile.answer_to(BANK[exercise], list(map(hostile.named, names)))


def numbers_behind(function):
    """Return the large numbers that a function of the judge's leads to."""
    return sorted({one for one in hostile.found_in(function) if type(one) is int and one > 2**32})


class NoShell:
    """What a session needs of a shell where no cell is run."""

    user_ns = {  # noqa: RUF012
        "model": model,
        "handwritten": handwritten,
        "badly": badly,
        "numbers_behind": numbers_behind,
        "VALUES": hostile.VALUES,
    }
    publish = None

    def open_streams(self):
        """Do nothing."""


if __name__ == "__main__":
    os.read(int(sys.argv[1]), 1)  # the judge is ready
    Session(Channel(int(sys.argv[1])), NoShell()).serve()
