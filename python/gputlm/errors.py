"""Exceptions of the package."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .result import Result


class ExitCode(IntEnum):
    """Exit codes of the program (`gputlm list exit-codes`)."""

    DONE = 0
    DISAGREES = 1
    BAD_INPUT = 2
    DEADLOCKED = 3
    TIME_ENDED = 4
    TEXT_LOST = 74
    INTERRUPTED = 130


class Error(Exception):
    """An error of this package or of the program. The text is the program's own message, with file and line."""


class InputError(Error):
    """The program rejects its input: a workload, a GPU, an option."""


class DeadlockError(Error):
    """A deadlock. `result` is the state reached; `result.data["waiting"]` lists what waits for what."""

    def __init__(self, message: str, result: Result):
        super().__init__(message)
        self.result = result


class Interrupted(Error):
    """The program was interrupted from outside. `result` is the state reached, if it was kept."""

    def __init__(self, message: str, result: Optional[Result] = None):
        super().__init__(message)
        self.result = result


class ProgramError(Error):
    """The program was not found or ended unexpectedly. `code`: its exit code, negative for a signal."""

    def __init__(self, message: str, code: Optional[int] = None):
        super().__init__(message)
        self.code = code
