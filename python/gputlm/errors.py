"""What goes wrong."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .result import Result


class ExitCode(IntEnum):
    """What the program ends with (`gputlm list exit-codes`)."""

    DONE = 0
    DISAGREES = 1
    BAD_INPUT = 2
    DEADLOCKED = 3
    TIME_ENDED = 4
    TEXT_LOST = 74
    INTERRUPTED = 130


class Error(Exception):
    """Of this package, or of the program. The text is the program's own message, with file and line."""


class InputError(Error):
    """The program refuses its input: a workload, a GPU, an option."""


class DeadlockError(Error):
    """Nothing can make progress. `result` is what was reached; `result.data["waiting"]` says who waits for what."""

    def __init__(self, message: str, result: Result):
        super().__init__(message)
        self.result = result


class Interrupted(Error):
    """The program was told to end, by somebody else. `result` is what was reached, if it was kept."""

    def __init__(self, message: str, result: Optional[Result] = None):
        super().__init__(message)
        self.result = result


class ProgramError(Error):
    """The program is not there, or has ended in a way of its own. `code`: its exit code, negative for a signal."""

    def __init__(self, message: str, code: Optional[int] = None):
        super().__init__(message)
        self.code = code
