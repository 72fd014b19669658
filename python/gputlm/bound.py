"""`gputlm bound` (docs/bounds.md): for each task, the bound of its response times and the longest simulated one."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

from .errors import ExitCode
from .process import execute, find_program
from .runs import Gpu, Run, error_of
from .tables import Frame, frame, read_table
from .values import PathLike


def bound(
    workload: Any,
    *,
    gpu: Optional[Gpu] = None,
    settings: Optional[Mapping[str, Any]] = None,
    seed: int = 1,
    seeds: int = 1,
    phases: int = 8,
    jobs: Optional[int] = None,
    options: Sequence[str] = (),
    program: Optional[PathLike] = None,
) -> Frame:
    """One row per task, with the columns of `gputlm bound --csv` (gputlm list results); times are core cycles.

    `workload`, `gpu`, `settings`: as for run(). `seeds`: number of seeds, from `seed` on. `phases`: runs per seed, each with
    other shifts of the tasks against each other. `options`: further command-line arguments.

    A response above its bound is not an error: `bound_broken` is true then, and `not_kept` lists the assumptions that the run
    violates. Raises InputError if there is no analysis for the workload.
    """
    path = find_program(program)
    with tempfile.TemporaryDirectory(prefix="gputlm-") as inputs:
        what = Run(workload, gpu, settings or {}, seed)
        table = Path(inputs) / "bounds.csv"
        arguments = ["bound", *what.arguments(Path(inputs))]
        arguments += ["--seeds", str(seeds), "--phases", str(phases), "--csv", str(table)]
        if jobs is not None:
            arguments += ["--jobs", str(jobs)]
        ended = execute([path, *arguments, *options], text=what.text())
        if ended.code not in (ExitCode.DONE, ExitCode.DISAGREES):
            raise error_of(ended)
        return frame(read_table(table))
