"""Where a learner's code runs while a class is graded: a process of its own that holds nothing worth stealing.

Two sides share this package. Outside, in the process that judges: `launcher` (gives each notebook a process), `warm`
(what it is forked from), `bubblewrap` (what that runs in), `process` (one notebook's process, seen from outside),
`limits`, and `library` (what a notebook may see of the course). Inside, in the sandbox: what is in `inside`.
"""

#: Environment of processes that work side by side: more threads than cores make a class slower, and count as processes.
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
#: Of a learner's process: large arrays go back to the system when they are let go, so that what it holds can be seen.
GIVES_BACK = {"MALLOC_MMAP_THRESHOLD_": str(2**23), "MALLOC_TRIM_THRESHOLD_": str(2**24)}
