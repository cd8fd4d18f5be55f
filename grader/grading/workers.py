"""Who grades: local processes, each with one warm sandbox, or any executor of `concurrent.futures`.

Nothing heavy is imported here: `get_ready` is called before everything else, so that the workers' side imports what it
needs while this one does.
"""

import atexit
import contextlib
import functools
import multiprocessing
import multiprocessing.connection
import multiprocessing.util
import os
import pickle
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

_PRELOADED = ["grader.runner", "grader.repair", "grader.grading.submission"]
_mine = threading.local()
_open, _opening = [], threading.Lock()


def processors():
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@functools.cache
def get_ready():
    """The way in which local workers are started; where there are forks, one process imports for all of them."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    forkserver.ensure_running()
    return context


class LocalWorkers:
    """A pool of processes of this machine; a context manager.

    They end with this process, however it ends.

    Parameters
    ----------
    jobs : int
        How many.
    """

    def __init__(self, jobs):
        self.jobs = jobs
        self._start()

    def _start(self):
        context = get_ready()
        # Nothing is ever written: the workers' end of the pipe tells them when the other one is closed, which happens
        # by itself when this process is killed.
        reader, self._alive = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_begin, initargs=(reader,))

    def submit(self, *task):
        """As an executor's `submit`."""
        return self._pool.submit(*task)

    def restart(self):
        """Have new processes in place of a pool that is broken."""
        self.stop()
        self._start()

    def stop(self):
        """End all processes at once, whatever they are doing."""
        self._alive.close()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *problem):
        if kind is None:
            self._pool.shutdown(wait=True)
            self._alive.close()
        else:
            self.stop()


class GivenWorkers:
    """Somebody else's executor, in the same clothes; it is not shut down here."""

    def __init__(self, executor, jobs):
        self.jobs, self._executor = jobs, executor

    def submit(self, *task):
        """As the executor's own."""
        return self._executor.submit(*task)

    def restart(self):
        """Only whoever made the executor can make a new one."""
        from grader.notebook_format import NotebookError

        raise NotebookError("the executor's workers ended; make a new one, then grade again with resume=True")

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        close_runners()  # of an executor that works in this process


def _begin(alive):
    """Begin a local worker: it leaves interruptions to the parent, and ends when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch():
        multiprocessing.connection.wait([alive])
        # A sandbox that does not stop in time dies with this process; what is closed leaves no folder behind.
        closing = threading.Thread(target=close_runners, daemon=True)
        closing.start()
        closing.join(3)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


# ---- in the worker


def ready(sandboxed, limits=None):
    """Import what grading needs and start this worker's sandbox; raises `NoSandbox` where there is none."""

    runner(sandboxed, limits)


def grade_one(plan, student, folder):
    """Grade one submission; `plan` is a pickled `grader.grading.submission.Plan`."""
    from grader.grading.submission import grade_submission

    plan = _unpickled(plan)
    return grade_submission(plan, student, Path(folder), functools.partial(runner, plan.sandboxed, plan.limits))


@functools.lru_cache(maxsize=2)
def _unpickled(plan):
    return pickle.loads(plan)


def runner(sandboxed, limits=None):
    """This thread's Runner, started when it is first asked for."""
    from grader.runner import Runner

    runners, kind = _mine.__dict__.setdefault("runners", {}), (sandboxed, limits)
    if runners.get(kind) not in _open:
        with _opening:
            if not _open:
                # A process of a pool ends without the functions of atexit.
                multiprocessing.util.Finalize(None, close_runners, exitpriority=10)
            runners[kind] = Runner(sandboxed, limits)
            _open.append(runners[kind])
    return runners[kind]


@atexit.register
def close_runners():
    """Stop all sandboxes that were started in this process."""
    with _opening:
        while _open:
            with contextlib.suppress(Exception):
                _open.pop().close()
