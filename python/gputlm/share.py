"""`gputlm share` (docs/share.md): slowdowns of programs that share a GPU, for each way to share it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, List, Mapping, Optional, Sequence, Union

from .errors import ExitCode
from .process import execute, find_program
from .runs import Gpu, assignments, error_of, folder_for, gpu_arguments
from .tables import TableFolder, tabled
from .values import PathLike, json_text
from .workload import Workload

Programs = Union[Mapping[str, Union[PathLike, Workload, Mapping[str, Any]]], Sequence[PathLike]]


class ShareResult(TableFolder):
    """A folder with the files of `gputlm share`."""

    ways = tabled("share", "One row per way and program, those alone first.")
    losses = tabled("share_losses", "One row per way, program, cause and owner of the work: the time that programs lost.")


def share(
    programs: Programs,
    *,
    gpu: Optional[Gpu] = None,
    ways: Sequence[str] = (),
    more_ways: Optional[Mapping[str, Any]] = None,
    keys: Optional[Mapping[str, Any]] = None,
    settings: Optional[Mapping[str, Any]] = None,
    find: Optional[str] = None,
    seed: int = 1,
    jobs: Optional[int] = None,
    options: Sequence[str] = (),
    out: Optional[PathLike] = None,
    program: Optional[PathLike] = None,
) -> ShareResult:
    """Runs programs alone and together under every way to share the GPU, by `gputlm share`; finished runs are kept.

    `programs`: files or workloads by name, or paths of files. `ways`: only these ways, or ways of these kinds. `more_ways`:
    variants, by name. `keys`: keys of programs as applications of a workload file, "PROGRAM.KEY". `find`: a query by which
    splits are searched. `options`: further command-line arguments.
    """
    path = find_program(program)
    folder, temporary = folder_for(out)
    with tempfile.TemporaryDirectory(prefix="gputlm-") as inputs:
        command = [path, "share", *_inputs(programs, Path(inputs)), "--out", str(folder), "--seed", str(seed)]
        command += gpu_arguments(gpu, Path(inputs))
        if more_ways:
            file = Path(inputs) / "ways.json"
            file.write_text(json_text({"variants": more_ways}), encoding="utf-8")
            command += ["--ways", str(file)]
        for way in ways:
            command += ["--way", way]
        command += assignments("--key", keys or {}) + assignments("--set", settings or {})
        if find is not None:
            command += ["--find", find]
        if jobs is not None:
            command += ["--jobs", str(jobs)]
        ended = execute([*command, *options])
    if ended.code != ExitCode.DONE:
        raise error_of(ended)
    return ShareResult(folder, temporary=temporary)


def _inputs(programs: Programs, folder: Path) -> List[str]:
    if not isinstance(programs, Mapping):
        return [os.fspath(path) for path in programs]
    inputs = []
    for name, what in programs.items():
        if isinstance(what, (Workload, Mapping)):
            file = folder / f"{name}.yaml"
            file.write_text(json_text(what.to_dict() if isinstance(what, Workload) else what), encoding="utf-8")
            what = file
        inputs.append(f"{name}={os.fspath(what)}")
    return inputs
