"""Concurrent runs, each in its own process, with all their files. If tables of launches and applications suffice, use
gputlm.sweep(), where the program does it and caches finished runs."""

from __future__ import annotations

import concurrent.futures
import hashlib
import os
import shutil
import threading
from pathlib import Path
from typing import Callable, List, Optional, Sequence

from .process import Group, find_program
from .result import Result
from .runs import Run, carry_out
from .values import PathLike


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
    group = Group()
    kept = None if keep is None else _Kept(Path(os.fspath(keep)), path)

    def one(what: Run) -> Result:
        return carry_out(what, out=None, program=path, group=group) if kept is None else kept.result(what, group)

    done = 0
    pool = concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count())
    futures = [pool.submit(one, what) for what in runs]
    try:
        for future in concurrent.futures.as_completed(futures):
            future.result()
            done += 1
            if progress:
                progress(done, len(runs))
    except BaseException:
        for future in futures:
            future.cancel()
        group.end()
        raise
    finally:
        pool.shutdown()
    return [future.result() for future in futures]


class _Kept:
    """Finished runs, one folder each, by a digest of everything on which their results depend."""

    def __init__(self, folder: Path, program: str):
        self._folder = folder
        self._program = program
        self._digest = hashlib.sha1(Path(program).read_bytes()).hexdigest()
        folder.mkdir(parents=True, exist_ok=True)

    def result(self, what: Run, group: Group) -> Result:
        name = self._name(what)
        if name is None:
            return carry_out(what, out=None, program=self._program, group=group)
        folder = self._folder / name
        if (folder / "result.json").is_file():
            return Result(folder)
        result = carry_out(what, out=None, program=self._program, group=group)
        part = self._folder / f"{name}.part-{os.getpid()}-{threading.get_ident()}"  # stored completely or not at all
        result.save(part)
        try:
            os.replace(part, folder)
        except OSError:  # another one was faster
            shutil.rmtree(part)
        return Result(folder)

    def _name(self, what: Run) -> Optional[str]:
        """The folder name of a run; None if the inputs of the result are not all known."""
        text, gpu = what.text(), what.gpu
        inputs: List[Optional[str]] = [text] if text is not None else [_contents(file) for file in what.files()]
        if None in inputs:
            return None
        if isinstance(gpu, (str, os.PathLike)):
            gpu = _contents(os.fspath(gpu)) or os.fspath(gpu)
        arguments = what.arguments()[1 + len(what.files()) :]
        return hashlib.sha1(repr((self._digest, inputs, gpu, arguments)).encode()).hexdigest()


def _contents(path: str) -> Optional[str]:
    """The contents of a YAML or JSON file; None for other files."""
    if not path.endswith((".yaml", ".yml", ".json")) or not os.path.isfile(path):
        return None
    return Path(path).read_text(encoding="utf-8", errors="replace")
