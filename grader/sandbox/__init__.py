"""Where a learner's code runs while a class is graded: a process of its own that holds nothing worth stealing.

Two sides share this package. Outside, in the process that judges: `launcher` (starts the sandbox with bubblewrap, and
stops what runs in it) and `library` (what a notebook may see of the course). Inside, in the sandbox: `zygote` (one warm
process, from which each notebook gets a fork of its own in fresh namespaces), `session` (runs cells and answers probes)
and `shell` (IPython without a kernel). `wire` is what the two say to each other.
"""

#: Environment of processes that work side by side: more threads than cores make a class slower, and count as processes.
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
