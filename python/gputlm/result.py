"""What a run left behind (docs/result.md)."""

from __future__ import annotations

import json
import shutil
import tempfile
from functools import cached_property
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from .errors import Error
from .tables import Frame, flat_table, frame, read_frame
from .values import PathLike


class Result:
    """A folder with the files of a run. Files are read when they are asked for, and once.

    Tables are pandas frames where pandas is installed, else gputlm.Table.
    """

    def __init__(self, folder: PathLike, *, temporary: Optional[tempfile.TemporaryDirectory[str]] = None):
        """`folder`: of `--out`. `temporary`: it goes with this object."""
        self.folder = Path(folder)
        self._temporary = temporary
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
        """Every launch of the workload ended."""
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
        """Every parameter, nested; may be given to `run` as `gpu`."""
        return dict(self.data["configuration"])

    @cached_property
    def applications(self) -> Frame:
        """A row an application: all counters of what it did."""
        return frame(flat_table(self.data["applications"]))

    @cached_property
    def streams(self) -> Frame:
        """A row a stream: all counters of what it did."""
        return frame(flat_table(self.data["streams"]))

    @cached_property
    def counters(self) -> Frame:
        """A row a launch that ended: all its counters."""
        return frame(flat_table(self.data["kernels"]))

    @cached_property
    def performance(self) -> Mapping[str, Any]:
        """How long the run took on this machine."""
        return self._json("performance.json")

    # --- Tables ---

    def table(self, name: str) -> Frame:
        """A CSV file of the folder, with or without `.csv`. Raises Error if there is none."""
        found = read_frame(self.folder / (name if name.endswith(".csv") else f"{name}.csv"))
        if found is None:
            there = ", ".join(sorted(path.name for path in self.folder.glob("*.csv")))
            raise Error(f"{self.folder}: there is no {name}; there are {there}")
        return found

    @cached_property
    def kernels(self) -> Frame:
        """A row a launch that ended: when, where it waited, its deadline."""
        return self.table("kernels")

    @cached_property
    def blocks(self) -> Frame:
        """A row a thread block: on which SM, from when to when."""
        return self.table("blocks")

    @cached_property
    def copies(self) -> Frame:
        """A row a copy or memset; only if the workload has any."""
        return self.table("copies")

    @cached_property
    def jobs(self) -> Frame:
        """A row a job; only if the workload has tasks."""
        return self.table("jobs")

    @cached_property
    def predictions(self) -> Frame:
        """A row a prediction of a kernel's runtime."""
        return self.table("predictions")

    @cached_property
    def responses(self) -> Frame:
        """Response times by application, task and launch."""
        return self.table("responses")

    @cached_property
    def series(self) -> Frame:
        """Counters over time; only of a run with `series`."""
        return self.table("series")

    def save(self, folder: PathLike) -> Result:
        """Copies all files to a folder that is not there yet."""
        shutil.copytree(self.folder, folder)
        return Result(folder)

    def _json(self, name: str) -> Dict[str, Any]:
        with open(self.folder / name, encoding="utf-8") as file:
            return dict(json.load(file))
