"""`gputlm sweep` (docs/sweep.md): GPUs x settings x workloads x seeds."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .errors import Error, ExitCode
from .files import SweepFiles
from .process import execute, find_program
from .runs import error_of, folder_for
from .tables import Frame, Table, frame
from .values import PathLike, json_text
from .workload import Workload


class SweepResult(SweepFiles):
    """A folder with the files of a sweep."""

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> Frame:
        """Queries results.sqlite."""
        path = self.folder / "results.sqlite"
        if not path.is_file():
            raise Error(f"{self.folder}: there is no results.sqlite")
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            cursor = connection.execute(sql, parameters)
            return frame(Table([column[0] for column in cursor.description], cursor.fetchall()))
        finally:
            connection.close()


Workloads = Union[Mapping[str, Union[Workload, Mapping[str, Any]]], Sequence[PathLike]]


def sweep(
    workloads: Workloads,
    *,
    gpus: Optional[Sequence[PathLike]] = None,
    settings: Optional[Mapping[str, Any]] = None,
    vary: Optional[Mapping[str, Sequence[Any]]] = None,
    seeds: Optional[Sequence[int]] = None,
    alone: bool = False,
    jobs: Optional[int] = None,
    options: Sequence[str] = (),
    out: Optional[PathLike] = None,
    program: Optional[PathLike] = None,
) -> SweepResult:
    """Runs every combination of `gpus`, the lists of `vary` (by parameter), `workloads` and `seeds`, by `gputlm sweep`:
    one run per processor at a time. Finished runs are kept; results are in the order of the lists.

    `workloads`: by name, or paths of files. `settings`: parameters of every run. `alone`: also each application alone, for
    slowdowns. `options`: further command-line arguments.
    """
    path = find_program(program)
    folder, temporary = folder_for(out)
    with tempfile.TemporaryDirectory(prefix="gputlm-") as inputs:
        study: Dict[str, Any] = {"workloads": _files(workloads, Path(inputs))}
        if gpus is not None:
            study["gpus"] = [_absolute(gpu) for gpu in gpus]
        if settings:
            study["set"] = dict(settings)
        if vary:
            study["vary"] = {key: list(values) for key, values in vary.items()}
        if seeds is not None:
            study["seeds"] = list(seeds)
        if alone:
            study["alone"] = True
        file = Path(inputs) / "sweep.yaml"
        file.write_text(json_text(study), encoding="utf-8")
        command = [path, "sweep", str(file), "--out", str(folder), *options]
        if jobs is not None:
            command += ["--jobs", str(jobs)]
        ended = execute(command)
    if ended.code != ExitCode.DONE:
        raise error_of(ended)
    return SweepResult(folder, temporary=temporary)


def _files(workloads: Workloads, folder: Path) -> List[str]:
    if not isinstance(workloads, Mapping):
        return [os.path.abspath(path) for path in workloads]
    for name, workload in workloads.items():
        made = workload.to_dict() if isinstance(workload, Workload) else workload
        (folder / f"{name}.yaml").write_text(json_text(made), encoding="utf-8")
    return [f"{name}.yaml" for name in workloads]


def _absolute(gpu: PathLike) -> str:
    """The absolute path of a file; leaves a preset's name unchanged."""
    text = os.fspath(gpu)
    return os.path.abspath(text) if os.path.exists(text) else text
