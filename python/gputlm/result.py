"""The results of a run (docs/result.md)."""

from __future__ import annotations

import json
import shutil
import tempfile
from functools import cached_property
from typing import Any, Dict, List, Mapping, Optional

from .errors import Error
from .files import RunFiles
from .tables import Frame, flat_table, frame, tabled
from .values import PathLike


class Result(RunFiles):
    """A folder with the files of a run. A file is read once, when it is first used.

    Tables are pandas frames if pandas is installed, otherwise gputlm.Table.
    """

    def __init__(self, folder: PathLike, *, temporary: Optional[tempfile.TemporaryDirectory[str]] = None):
        super().__init__(folder, temporary=temporary)
        if not (self.folder / "result.json").is_file():
            raise Error(f"{self.folder}: there is no result.json")

    def __repr__(self) -> str:
        return f"<Result: {self.state}, {self.cycles} cycles on {self.gpu}>"

    # --- result.json ---

    @cached_property
    def data(self) -> Dict[str, Any]:
        """All of result.json."""
        return self._json("result.json")

    @property
    def complete(self) -> bool:
        """Whether every launch of the workload ended."""
        return bool(self.data["complete"])

    @property
    def state(self) -> str:
        return str(self.data["state"])

    @property
    def cycles(self) -> int:
        """Core cycles until the last kernel ended."""
        return int(self.data["cycles"])

    @property
    def gpu(self) -> str:
        return str(self.data["gpu"])

    @property
    def seed(self) -> int:
        return int(self.data["seed"])

    @property
    def warnings(self) -> List[str]:
        return list(self.data.get("warnings", []))

    @property
    def configuration(self) -> Mapping[str, Any]:
        """Every parameter, nested; can be passed to `run` as `gpu`."""
        return dict(self.data["configuration"])

    @cached_property
    def applications(self) -> Frame:
        """One row per application, with all its counters."""
        return frame(flat_table(self.data["applications"]))

    @cached_property
    def streams(self) -> Frame:
        """One row per stream, with all its counters."""
        return frame(flat_table(self.data["streams"]))

    @cached_property
    def counters(self) -> Frame:
        """One row per ended launch, with all its counters."""
        return frame(flat_table(self.data["kernels"]))

    @cached_property
    def performance(self) -> Mapping[str, Any]:
        """Time of the run on this machine."""
        return self._json("performance.json")

    series = tabled("series", "Counters over time; only of a run with `series`.")

    def save(self, folder: PathLike) -> Result:
        """Copies all files to a new folder."""
        shutil.copytree(self.folder, folder)
        return Result(folder)

    def _json(self, name: str) -> Dict[str, Any]:
        with open(self.folder / name, encoding="utf-8") as file:
            return dict(json.load(file))
