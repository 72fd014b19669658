"""The program as a process: search, output and termination."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import threading
from dataclasses import dataclass
from typing import Callable, List, Optional, Sequence

from .errors import ProgramError
from .values import PathLike

PATIENCE_S = 5.0  # time that the program has to end by itself


@dataclass(frozen=True)
class Progress:
    """Progress of a run. `text`: as shown on a terminal."""

    cycle: int
    blocks_done: int
    blocks: int
    text: str


@dataclass(frozen=True)
class Ended:
    """`code`: exit code, negative for a signal. `error`: the output on stderr."""

    code: int
    output: str
    error: str


def find_program(program: Optional[PathLike] = None) -> str:
    """The path of the program: `program`, $GPUTLM, or `gputlm` in PATH. Raises ProgramError if it is not found."""
    wanted = os.fspath(program) if program is not None else os.environ.get("GPUTLM") or "gputlm"
    found = shutil.which(wanted)
    if found is None:
        raise ProgramError(
            f"there is no program {wanted!r}: install gputlm, or name it by GPUTLM or the argument `program`"
        )
    return found


def version(program: Optional[PathLike] = None) -> str:
    """The output of `gputlm --version`."""
    return execute([find_program(program), "--version"]).output.strip()


_ENDED_LINE = re.compile(r"[\r\n]+")
_PROGRESS = re.compile(r"cycle \d+, \d+ of \d+ blocks|\d+ of \d+ runs, ")


def execute(
    command: Sequence[str],
    *,
    text: Optional[str] = None,
    progress: Optional[Callable[[str], None]] = None,
) -> Ended:
    """Runs the program to its end, with `text` as its standard input. `progress` is called with each line of progress. An
    exception meanwhile, such as KeyboardInterrupt or one of `progress`, ends the program before it reaches the caller."""
    if shutil.which("setpriv"):  # of util-linux: the program ends with this process, however that ends
        command = ["setpriv", "--pdeathsig", "TERM", "--", *command]
    # The program reports progress only to terminals.
    terminal, error = pty.openpty() if progress else (None, subprocess.PIPE)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=error,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "NO_COLOR": "1"},
        )
    except OSError as problem:
        raise ProgramError(f"{command[0]}: {problem.strerror}") from problem
    finally:
        if terminal is not None:
            os.close(error)
    try:
        if terminal is None:
            output, said = process.communicate(text)
        else:
            output, said = _communicate(process, text, terminal, progress)
    except BaseException:
        _end(process)
        raise
    return Ended(process.returncode, output, said)


def _communicate(
    process: subprocess.Popen[str],
    text: Optional[str],
    terminal: int,
    progress: Optional[Callable[[str], None]],
) -> tuple[str, str]:
    outputs: List[str] = []
    others = threading.Thread(target=lambda: outputs.append(process.communicate(text)[0]), daemon=True)
    others.start()
    lines: List[str] = []
    rest = ""
    with os.fdopen(terminal, "rb", buffering=0) as source:
        while True:
            try:
                read = source.read(65536)
            except OSError:  # the other end is closed
                break
            if not read:
                break
            *whole, rest = _ENDED_LINE.split(rest + read.decode("utf-8", "replace"))
            if _PROGRESS.match(rest.replace("\x1b[K", "")):  # a progress line ends only when the next begins
                whole.append(rest)
                rest = ""
            for line in (one.replace("\x1b[K", "") for one in whole):
                if not _PROGRESS.match(line):
                    lines += [line] if line else []
                elif progress:
                    progress(line)
    others.join()
    process.wait()
    lines += [rest] if rest.strip("\x1b[K") else []
    return outputs[0], "".join(line + "\n" for line in lines)


def _end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
