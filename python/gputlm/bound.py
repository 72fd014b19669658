"""`gputlm bound` (docs/bounds.md): for each task the bound of its response times beside the longest that is simulated."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

from .process import execute, find_program
from .runs import Gpu, Run, error_of
from .tables import Frame, frame, read_table
from .values import PathLike, json_text
from .workload import Workload

BROKEN = 1  # exit code: a response was above its bound; the table says whose


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
    """A row a task, with the columns of `gputlm bound --csv` (gputlm list results); times are core cycles.

    `workload`, `gpu`, `settings`: as of run(). `seeds`: runs with so many, from `seed` on. `phases`: runs of each, with other
    shifts of the tasks against each other. `options`: more of the command line.

    A response above its bound is no error: `bound_broken` says so, and `not_kept` what the run did not keep. Raises InputError
    where there is no analysis.
    """
    path = find_program(program)
    with tempfile.TemporaryDirectory(prefix="gputlm-") as inputs:
        if isinstance(workload, (Workload, Mapping)):
            file = Path(inputs) / "workload.yaml"
            file.write_text(json_text(workload.to_dict() if isinstance(workload, Workload) else workload), encoding="utf-8")
            workload = file
        arguments = Run(workload, None, settings or {}, seed).arguments()
        table = Path(inputs) / "bounds.csv"
        arguments = ["bound", *arguments[1:], "--seeds", str(seeds), "--phases", str(phases), "--csv", str(table)]
        if isinstance(gpu, Mapping):
            described = Path(inputs) / "gpu.json"
            described.write_text(json_text(gpu), encoding="utf-8")
            gpu = described
        if gpu is not None:
            arguments += ["--gpu", os.fspath(gpu)]
        if jobs is not None:
            arguments += ["--jobs", str(jobs)]
        ended = execute([path, *arguments, *options])
        if ended.code not in (0, BROKEN):
            raise error_of(ended)
        return frame(read_table(table))
