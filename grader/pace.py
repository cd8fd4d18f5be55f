"""How far a long command is and what is left: a bar in a terminal, and elsewhere a line now and then."""

import sys
import time

#: How the lines begin, so that a program which reads them knows them.
SIGN = "... "
#: Seconds between two lines.
EVERY = 15.0


def pace(total, noun, begun=0, quiet=False):
    """Show how far something is, and how long what is left will take; a context manager.

    Parameters
    ----------
    total : int
    noun : str
        What is counted, such as "submission".
    begun : int
        How many were done before: they say nothing about the pace.
    quiet : bool
        Show nothing, because it will not take long.

    Returns
    -------
    An object with `update(number=1)`, to be called whenever so many are done.
    """
    if quiet or not sys.stderr.isatty():
        return _Lines(total, noun, begun, quiet)
    from tqdm import tqdm  # only for who sees it: `python -m grader show` should not wait

    layout = "{percentage:3.0f}%|{bar}| {n_fmt} of {total_fmt} {unit}s, {remaining} left"
    return tqdm(total=total, initial=begun, unit=noun, bar_format=layout, file=sys.stderr, leave=False)


def say(words, file=None):
    """Print something, by default to standard error, above a bar if there is one."""
    file = file or sys.stderr
    if sys.stderr.isatty():
        from tqdm import tqdm

        tqdm.write(words, file=file)
    else:
        print(words, file=file, flush=True)


class _Lines:
    """The same where nothing moves: in a log, in a pipe, in a notebook."""

    def __init__(self, total, noun, begun, quiet):
        self._total, self._noun, self._quiet = total, noun, quiet
        self._begun = self._done = begun
        self._start = self._said = time.monotonic()

    def update(self, number=1):
        self._done += number
        now = time.monotonic()
        if self._quiet or now - self._said < EVERY or self._done >= self._total:
            return
        self._said = now
        left = (now - self._start) / (self._done - self._begun) * (self._total - self._done)
        say(f"{SIGN}{self._done} of {self._total} {self._noun}s, about {lasting(left)} left")

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return None


def lasting(seconds):
    """How long something lasts, in words, roughly.

    Examples
    --------
    >>> lasting(8), lasting(61), lasting(1000), lasting(9000)
    ('8 seconds', '1 minute', '17 minutes', '2.5 hours')
    """
    if seconds < 55:
        number, unit = max(round(seconds), 1), "second"
    elif seconds < 90 * 60:
        number, unit = max(round(seconds / 60), 1), "minute"
    else:
        number, unit = round(seconds / 3600, 1), "hour"
    return f"{number:g} {unit}" + ("" if number == 1 else "s")
