"""Workloads, runs and results of gputlm, a SystemC/TLM-2.0 model of a GPU.

    import gputlm
    from gputlm.program import fp32, load, loop

    kernel = gputlm.Kernel("k", grid=480, block=256, patterns={"in": gputlm.patterns.coalesced()},
                           program=[loop(16, [load("in", dst=4), fp32(dst=5, src=4)])])
    result = gputlm.run(gputlm.Workload.side_by_side([kernel]), gpu="xavier")
    print(result.cycles, result.kernels)

The program is found by the argument `program`, the environment variable GPUTLM, or PATH.
"""

from . import commands, patterns, program
from .batch import run_all
from .bound import bound
from .errors import DeadlockError, Error, InputError, Interrupted, ProgramError
from .process import Progress, find_program, version
from .report import report
from .result import Result
from .runs import Run, run
from .share import ShareResult, share
from .sweep import SweepResult, sweep
from .tables import Table
from .workload import Application, CapturedApplication, Kernel, Stream, Thread, TracedApplication, Workload

__all__ = [
    "Application",
    "CapturedApplication",
    "DeadlockError",
    "Error",
    "InputError",
    "Interrupted",
    "Kernel",
    "ProgramError",
    "Progress",
    "Result",
    "Run",
    "ShareResult",
    "Stream",
    "SweepResult",
    "Table",
    "Thread",
    "TracedApplication",
    "Workload",
    "bound",
    "commands",
    "find_program",
    "patterns",
    "program",
    "report",
    "run",
    "run_all",
    "share",
    "sweep",
    "version",
]
