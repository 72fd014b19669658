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

    `jobs`: how many go on at once; default one a processor. `keep`: a folder in which finished runs stay, and are found
    again: by the contents of the program, workload and GPU, settings, seed and options. Workloads and GPUs count as what
    their files contain; runs of other files (traces) are repeated. `progress` is called with how many are done, and of
    how many.

    The first error ends the others, and is raised; so does the user's interrupt. Finished runs stay in `keep`.
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
    """Those of a run, with what is no file as one in `folder`."""
    folder.mkdir()
    text = what.text()
    if text is not None:
        (folder / "workload.yaml").write_text(text, encoding="utf-8")
        what = replace(what, workload=folder / "workload.yaml")
    return what.arguments(folder)
