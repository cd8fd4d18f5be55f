"""Who grades: processes of this machine, which share one warm sandbox.

Nothing heavy is imported here: `getting_ready` comes before everything else, so that the sandbox imports what it needs
while this process does.
"""

import atexit
import contextlib
import functools
import multiprocessing
import multiprocessing.connection
import multiprocessing.util
import os
import pickle
import shutil
import signal
import threading
import warnings
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path

#: Bytes of memory that a submission may take beside what its worker has, and beside them for each of NumPy's threads.
ROOM, STACK = 512 << 20, 16 << 20

#: Seconds without any reply, or an end, after which somebody looks whether all workers live.
PATIENCE = 5

_mine = threading.local()
_open, _opening = [], threading.Lock()
_warm = {}  # in a worker: the warm sandbox that it shares with others, by whether it is sandboxed
_early = {}  # in a command: workers that have been started before they are asked for, likewise


def processors():
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


@contextlib.contextmanager
def getting_ready(sandboxed=True, jobs=None, warm=None):
    """Start local workers while the block imports and reads; what is not used is stopped."""
    from grader.classroom.sandbox.bubblewrap import NoSandbox

    with contextlib.suppress(NoSandbox, OSError):  # whoever needs it tries again, and is told
        _early[sandboxed] = LocalWorkers(jobs or processors(), sandboxed, warm)
    try:
        yield
    finally:
        while _early:
            _early.popitem()[1].close()


def local_workers(jobs, sandboxed=True):
    """The workers that have been started already, or new ones; see `LocalWorkers`."""
    workers = _early.pop(sandboxed, None) or LocalWorkers(jobs, sandboxed)
    workers.jobs = jobs
    return workers


class LocalWorkers:
    """A pool of processes of this machine, with one warm sandbox for all; a context manager.

    They are forked from this process, so that only one has to import what they need; that is safe as long as it has
    one thread. Beside other threads, and where they have to be started anew, they begin from nothing. They end with
    this process, however it ends.

    Parameters
    ----------
    jobs : int
        How many.
    sandboxed : bool
    warm : grader.classroom.sandbox.warm.Warm, optional
        Their sandbox, which is closed with them.

    Raises
    ------
    NoSandbox
        If the sandbox cannot be started.
    """

    def __init__(self, jobs, sandboxed=True, warm=None):
        from grader.classroom.sandbox.warm import Warm

        self.jobs, self._ending, self._machinery = jobs, None, None
        self._warm = warm or Warm(sandboxed)
        try:
            self._start(forked=threading.active_count() == 1)
        except BaseException:
            self._warm.close()
            raise

    def _start(self, forked):
        context = multiprocessing.get_context("fork" if forked else "forkserver")
        if forked:
            import grader.classroom.marking.warm_up  # noqa: F401
        # Nothing is ever written: the workers' end of the pipe tells them when the other one is closed, which happens
        # by itself when this process is killed.
        reader, self._alive = context.Pipe(duplex=False)
        arguments = reader, self._warm.shared(), self._alive if forked else None
        self._pool = ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_begin, initargs=arguments)
        if forked:
            with warnings.catch_warnings():
                # Python sees threads of NumPy's, which look after themselves in a fork.
                warnings.simplefilter("ignore", DeprecationWarning)
                self.submit(int)  # all of them are forked here, before the pool has a thread

    def wait(self, limits):
        """Return when there is a sandbox; raises `NoSandbox` if there can be none."""
        waking = self.submit(ready, self._warm.sandboxed, limits)
        self._warm.wait()
        waking.result()

    @property
    def room(self):
        """How many submissions may be on their way at a time: enough that nobody waits for work."""
        return 2 * self.jobs

    def submit(self, *task):
        """As an executor's `submit`."""
        future = self._pool.submit(*task)
        self._machinery = self._machinery or _Machinery(self._pool)
        return future

    def landed(self, flying):
        """Those of some futures that are done, as soon as there are any."""
        while not (done := wait(flying, PATIENCE, return_when=FIRST_COMPLETED)[0]):
            self._break_if_one_is_dead()
        return done

    def _break_if_one_is_dead(self):
        """Let a pool that still waits for the rest of a dead worker's reply find out that none will come."""
        if multiprocessing.connection.wait([worker.sentinel for worker in self._machinery.workers], 0):
            self._machinery.wreck()

    def finish(self):
        """Let everything end by itself that has nothing to do any more, and do not wait for it."""
        if self._ending is None:
            self._ending = threading.Thread(target=self._pool.shutdown)
            self._ending.start()
            self._warm.finish()

    def restart(self):
        """Have new processes in place of a pool that is broken."""
        self._stop()
        self._start(forked=False)  # there are threads by now

    def _stop(self):
        """End all processes at once, whatever they are doing."""
        self._alive.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._machinery is not None:
            self._machinery.end()
        self._machinery = None

    def __enter__(self):
        return self

    def __exit__(self, kind, *problem):
        if kind is None:
            self.finish()
            self._ending.join()
        self.close()

    def close(self):
        """End everything at once."""
        self._stop()
        self._warm.close()


class _Machinery:
    """What a pool of processes runs by, which it forgets as soon as it is shut down.

    It sees a worker's end at once, unless that was killed half-way through a reply: then it reads on, and as long as
    anybody may write to that pipe, for ever. So nobody may any more, and it calls itself broken. Likewise nobody goes
    on writing to workers that do not read.
    """

    def __init__(self, pool):
        self._processes, self._manager = pool._processes, pool._executor_manager_thread
        self._ends = pool._result_queue._writer, pool._call_queue._reader

    @property
    def workers(self):
        """The processes that there are by now."""
        return list(self._processes.values())

    def wreck(self):
        """End all workers, and let the pool see it."""
        for worker in self.workers:
            worker.kill()
        for end in self._ends:
            end.close()

    def end(self):
        """Return when a pool that is shut down has ended."""
        self._manager.join(PATIENCE)
        if self._manager.is_alive():
            self.wreck()
            self._manager.join()


def _begin(alive, warm, inherited):
    """Begin a local worker: it leaves interruptions to the parent, and ends when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if inherited is not None:
        inherited.close()  # the parent's end of the pipe: a fork has a copy
    _warm[warm.sandboxed] = warm

    def close():
        close_runners()
        shutil.rmtree(warm.top, ignore_errors=True)  # whoever made it may have been killed

    def watch():
        multiprocessing.connection.wait([alive])
        # A sandbox that does not stop in time dies with this process; what is closed leaves no folder behind.
        closing = threading.Thread(target=close, daemon=True)
        closing.start()
        closing.join(3)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def bounded_memory():
    """Let this worker take so much memory more than it has now, and no more: beyond, the block fails with its reason.

    What an earlier submission has left in memory is nobody else's loss. What the block starts in its turn may have more
    again: the limit is a soft one.
    """
    import resource

    limits = resource.getrlimit(resource.RLIMIT_DATA)
    with contextlib.suppress(OSError, ValueError):
        own = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData:"))
        # Threads of NumPy's take their stacks anew in a fork.
        room = (int(own.split()[1]) << 10) + ROOM + (os.cpu_count() or 1) * STACK
        if limits[0] == resource.RLIM_INFINITY or limits[0] > room:
            resource.setrlimit(resource.RLIMIT_DATA, (room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, limits)


# ---- in the worker


def ready(sandboxed, limits=None):
    """Import what grading needs and start this worker's sandbox; raises `NoSandbox` where there is none."""
    own_runner(sandboxed, limits)


def grade_some(plan, student, folder, names):
    """Grade some of a student's notebooks; `plan` is a pickled `grader.classroom.marking.submission.Plan`."""
    from grader.classroom.marking.submission import grade_notebooks

    plan = unpickled(plan)
    with bounded_memory():
        return grade_notebooks(plan, Path(folder), names, functools.partial(own_runner, plan.sandboxed, plan.limits))


@functools.lru_cache(maxsize=2)
def unpickled(plan):
    return pickle.loads(plan)


def own_runner(sandboxed, limits=None):
    """This thread's Runner, started when it is first asked for."""
    from grader.classroom.running.runner import Runner

    runners, kind = _mine.__dict__.setdefault("runners", {}), (sandboxed, limits)
    if runners.get(kind) not in _open:
        with _opening:
            if not _open:
                # A process of a pool ends without the functions of atexit.
                multiprocessing.util.Finalize(None, close_runners, exitpriority=10)
            runners[kind] = Runner(sandboxed, limits, _warm.get(sandboxed))
            _open.append(runners[kind])
    return runners[kind]


@atexit.register
def close_runners():
    """Stop all sandboxes that were started in this process."""
    with _opening:
        while _open:
            with contextlib.suppress(Exception):
                _open.pop().close()
