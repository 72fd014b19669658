"""One run of the program."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, List, Mapping, Optional, Sequence, Union

from .errors import DeadlockError, ExitCode, InputError, Interrupted, ProgramError
from .process import Ended, Progress, execute, find_program
from .result import Result
from .values import PathLike, json_text
from .workload import Workload

Input = Union[Workload, Mapping[str, Any], PathLike, Sequence[PathLike]]
"""A workload, its file as a dictionary, or the paths of inputs of `gputlm run`."""
Gpu = Union[PathLike, Mapping[str, Any]]
"""A preset, the path of a GPU file, or its contents."""

@dataclass
class Run:
    """The inputs of one run; the fields are the arguments of gputlm.run()."""

    workload: Input
    gpu: Optional[Gpu] = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    probes: Sequence[str] = ()
    series: Optional[str] = None
    max_cycles: Optional[int] = None
    options: Sequence[str] = ()

    def text(self) -> Optional[str]:
        """The text for standard input: a workload that is not a file."""
        if isinstance(self.workload, Workload):
            return self.workload.to_json()
        if isinstance(self.workload, Mapping):
            return json_text(self.workload)
        return None

    def files(self) -> List[str]:
        if self.text() is not None:
            return ["-"]
        given: Any = self.workload
        return [os.fspath(path) for path in ([given] if isinstance(given, (str, os.PathLike)) else given)]

    def arguments(self, folder: Path) -> List[str]:
        """The arguments of `gputlm run`. The contents of a GPU are written to a file in `folder`."""
        arguments = [*self.files(), "--seed", str(self.seed), *gpu_arguments(self.gpu, folder)]
        arguments += assignments("--set", self.settings)
        for probe in self.probes:
            arguments += ["--probe", probe]
        if self.series is not None:
            arguments += ["--series", self.series]
        if self.max_cycles is not None:
            arguments += ["--max-cycles", str(self.max_cycles)]
        return arguments + list(self.options)


def run(
    workload: Input,
    *,
    gpu: Optional[Gpu] = None,
    settings: Optional[Mapping[str, Any]] = None,
    seed: int = 1,
    probes: Sequence[str] = (),
    series: Optional[str] = None,
    max_cycles: Optional[int] = None,
    options: Sequence[str] = (),
    out: Optional[PathLike] = None,
    program: Optional[PathLike] = None,
    progress: Optional[Callable[[Progress], None]] = None,
) -> Result:
    """Runs a workload on a GPU and waits for its end.

    `gpu`: a preset (`gputlm list gpus`), a GPU file, or the contents of one. `settings`: parameters by key (`gputlm list
    parameters`). `series`: an interval such as "1us", for Result.series. `options`: further command-line arguments.
    `out`: a folder for the result's files; without it they are deleted with the Result. `progress` is called a few times a
    second.

    Raises InputError with the program's message, DeadlockError, Interrupted or ProgramError. The program has ended by then. A
    run that ends at `max_cycles` is not `complete`, but raises nothing.
    """
    what = Run(workload, gpu, settings or {}, seed, probes, series, max_cycles, options)
    return carry_out(what, out=out, program=find_program(program), progress=progress)


def assignments(option: str, values: Mapping[str, Any]) -> List[str]:
    """The words `option` and key=value, for each value."""
    texts = (f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in values.items())
    return [word for text in texts for word in (option, text)]


def folder_for(out: Optional[PathLike]) -> tuple[Path, Optional[tempfile.TemporaryDirectory[str]]]:
    """The folder for a command's files: `out`, or a temporary folder that is deleted with the second value."""
    if out is not None:
        return Path(os.fspath(out)), None
    temporary = tempfile.TemporaryDirectory(prefix="gputlm-")
    return Path(temporary.name) / "result", temporary


def gpu_arguments(gpu: Optional[Gpu], folder: Path) -> List[str]:
    """Command-line arguments for the GPU; contents are written to a file in `folder`."""
    if gpu is None:
        return []
    if isinstance(gpu, Mapping):
        file = folder / "gpu.json"
        file.write_text(json_text(gpu), encoding="utf-8")
        return ["--gpu", str(file)]
    return ["--gpu", os.fspath(gpu)]


_WITH_RESULT = (ExitCode.DONE, ExitCode.DEADLOCKED, ExitCode.TIME_ENDED, ExitCode.TEXT_LOST, ExitCode.INTERRUPTED)


def carry_out(
    what: Run,
    *,
    out: Optional[PathLike],
    program: str,
    progress: Optional[Callable[[Progress], None]] = None,
) -> Result:
    folder, temporary = folder_for(out)
    with tempfile.TemporaryDirectory(prefix="gputlm-") as inputs:
        command = [program, "run", *what.arguments(Path(inputs)), "--out", str(folder)]
        ended = execute(command, text=what.text(), progress=_told(progress))
    if ended.code not in _WITH_RESULT:
        raise error_of(ended)
    result = Result(folder, temporary=temporary)
    if ended.code == ExitCode.DEADLOCKED:
        raise DeadlockError(message_of(ended), result)
    if ended.code == ExitCode.INTERRUPTED:
        raise Interrupted(message_of(ended), result)
    return result


_PROGRESS = re.compile(r"cycle (\d+), (\d+) of (\d+) blocks")


def _told(progress: Optional[Callable[[Progress], None]]) -> Optional[Callable[[str], None]]:
    """`progress`, called with a line of the program."""

    def tell(line: str) -> None:
        found = _PROGRESS.match(line)
        if found and progress:
            cycle, done, blocks = (int(number) for number in found.groups())
            progress(Progress(cycle, done, blocks, line))

    return tell if progress else None


def message_of(ended: Ended) -> str:
    """The program's final message, from its first line on, without the program's name."""
    lines = ended.error.splitlines()
    name = "gputlm: "
    first = next((at for at, line in enumerate(lines) if line.startswith(name)), 0)
    return "\n".join(lines[first:])[len(name) if lines and lines[first].startswith(name) else 0 :]


def error_of(ended: Ended) -> Exception:
    if ended.code == ExitCode.BAD_INPUT:
        return InputError(message_of(ended))
    if ended.code == ExitCode.INTERRUPTED:
        return Interrupted(message_of(ended))
    how = f"signal {-ended.code}" if ended.code < 0 else f"exit code {ended.code}"
    return ProgramError(f"gputlm ended with {how}: {ended.error.strip()}", ended.code)
