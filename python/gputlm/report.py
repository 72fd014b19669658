"""`gputlm report`: results as an HTML page."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Mapping, Optional

from .errors import ExitCode
from .process import execute, find_program
from .result import Result
from .runs import error_of
from .values import PathLike


def report(results: Mapping[str, Result], page: PathLike, *, program: Optional[PathLike] = None) -> None:
    """Writes one HTML file that shows the results by name, side by side if there are several."""
    path = find_program(program)
    with tempfile.TemporaryDirectory(prefix="gputlm-") as folder:
        for name, result in results.items():
            os.symlink(result.folder.absolute(), Path(folder) / name)
        ended = execute([path, "report", *(str(Path(folder) / name) for name in results), "--out", os.fspath(page)])
    if ended.code != ExitCode.DONE:
        raise error_of(ended)
