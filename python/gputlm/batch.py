"""`gputlm batch` (docs/commands.md): several runs at once, with all their files. If tables of launches and applications
suffice, use gputlm.sweep()."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Callable, List, Optional, Sequence

from .errors import DeadlockError, ExitCode
from .process import execute, find_program
from .result import Result
from .runs import Run, error_of, folder_for, message_of
from .values import PathLike, json_text


def run_all(
    runs: Sequence[Run],
    *,
    jobs: Optional[int] = None,
    keep: Optional[PathLike] = None,
    program: Optional[PathLike] = None,
    progress: Optional[Callable[[int, int], None]] = None,
) -> List[Result]:
    """The results of all runs, in the order of `runs`.

    `jobs`: number of simultaneous runs; default: the number of processors. `keep`: a folder of finished runs, which are not
    repeated. A run is found there by the contents of its program, workload and GPU, its settings, seed and options; runs
    of other files (traces) are repeated. `progress` is called with the number of finished runs and the number of all.

    The first error, or an interrupt by the user, ends the other runs and is raised. Finished runs stay in `keep`.
    """
    path = find_program(program)
    folder, temporary = folder_for(None)
    told = (0, len(runs))

    def tell(line: str) -> None:
        nonlocal told
        found = re.match(r"(\d+) of (\d+) runs", line)
        if found and progress and told != (now := (int(found[1]), int(found[2]))):
            told = now
            progress(*now)

    with tempfile.TemporaryDirectory(prefix="gputlm-") as inputs:
        lists = [_arguments(what, Path(inputs) / str(number)) for number, what in enumerate(runs, 1)]
        file = Path(inputs) / "runs.json"
        file.write_text(json_text(lists), encoding="utf-8")
        command = [path, "batch", str(file), "--out", str(folder)]
        command += ["--no-cache"] if keep is None else ["--cache", os.fspath(keep)]
        if jobs is not None:
            command += ["--jobs", str(jobs)]
        ended = execute(command, progress=tell if progress else None)
    if ended.code not in (ExitCode.DONE, ExitCode.DEADLOCKED, ExitCode.TIME_ENDED):
        raise error_of(ended)
    results = [Result(folder / str(number), temporary=temporary) for number in range(1, len(runs) + 1)]
    for result in results:
        if result.state == "deadlocked":
            raise DeadlockError(message_of(ended), result)
    if progress and told[0] < len(runs):
        progress(len(runs), len(runs))
    return results


def _arguments(what: Run, folder: Path) -> List[str]:
    """The arguments of a run. Inputs that are not files are written to files in `folder`."""
    folder.mkdir()
    text = what.text()
    if text is not None:
        (folder / "workload.yaml").write_text(text, encoding="utf-8")
        what = replace(what, workload=folder / "workload.yaml")
    return what.arguments(folder)
