"""How far a long command is: lines in a log, a bar in a terminal."""

import io
import sys

import pytest

from grader import pace


class Terminal(io.StringIO):
    """Something that says of itself that a person looks at it."""

    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that a test sets."""
    times = [0.0]
    monkeypatch.setattr(pace.time, "monotonic", lambda: times[0])
    return times


def run(clock, total, each, **options):
    """Do what takes so many seconds each."""
    with pace.pace(total, "submission", **options) as bar:
        for _ in range(total - options.get("begun", 0)):
            clock[0] += each
            bar.update()


def test_in_a_log_a_line_now_and_then_says_how_long_is_left(clock, capsys):
    run(clock, 8, 10)
    assert capsys.readouterr().err.splitlines() == [
        "... 2 of 8 submissions, about 1 minute left",
        "... 4 of 8 submissions, about 40 seconds left",
        "... 6 of 8 submissions, about 20 seconds left",
    ]


def test_what_is_soon_done_says_nothing(clock, capsys):
    run(clock, 3, 1)
    run(clock, 3, 100, quiet=True)
    assert capsys.readouterr().err == ""


def test_what_had_been_done_before_says_nothing_about_the_pace(clock, capsys):
    run(clock, 10, 20, begun=7)
    assert capsys.readouterr().err.splitlines()[0] == "... 8 of 10 submissions, about 40 seconds left"


def test_in_a_terminal_a_bar_says_it_and_lines_stand_above_it(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with pace.pace(2, "file", quiet=True) as bar:
        bar.update()
    assert terminal.getvalue() == ""
    with pace.pace(3, "student", begun=1) as bar:
        bar.mininterval = 0
        bar.update()
        pace.say("Waiting.")
    said = terminal.getvalue()
    assert "2 of 3 students, 00:00 left" in said
    assert "Waiting.\n" in said
