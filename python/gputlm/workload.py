"""Workloads (docs/workload.md): kernels, and the applications that launch them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence, Union

from .commands import Command, launch
from .records import (
    ApplicationFields,
    CapturedApplicationFields,
    KernelFields,
    StreamFields,
    ThreadFields,
    TracedApplicationFields,
)
from .values import Json, Named, given, json_text, plain


class Kernel(KernelFields):
    """A grid of blocks that all run `program` (gputlm.program); `patterns` (gputlm.patterns) by name."""

    def to_dict(self) -> Dict[str, Json]:
        return given(**{key: value for key, value in vars(self).items() if key != "name"})


Launch = Union[str, Named, Command]


def _launches(launches: Optional[Sequence[Launch]]) -> Optional[List[Json]]:
    """Converts launches; a kernel, or its name, becomes a launch of it."""
    if launches is None:
        return None
    return [one if isinstance(one, dict) else launch(one) for one in launches]


class Stream(StreamFields):
    """`launches` in order, or `commands` (gputlm.commands); neither if threads feed the stream."""

    def to_dict(self) -> Dict[str, Json]:
        lists = {"launches": _launches(self.launches), "commands": _launches(self.commands)}
        return given(**{**vars(self), **lists})


class Thread(ThreadFields):
    """A host thread: calls (gputlm.commands) that name their streams, in order."""


class Application(ApplicationFields):
    """Streams, and the GPU resources granted to them together."""

    def to_dict(self) -> Dict[str, Json]:
        threads = None if self.threads is None else [thread.to_dict() for thread in self.threads]
        return given(**{**vars(self), "streams": [stream.to_dict() for stream in self.streams], "threads": threads})


@dataclass
class TracedApplication(TracedApplicationFields):
    """Traced launches (docs/traces.md): those in `kernels`, such as "3-9", or all."""

    def __post_init__(self) -> None:
        self.trace = os.path.abspath(self.trace)  # the workload may be read elsewhere


@dataclass
class CapturedApplication(CapturedApplicationFields):
    """A program recorded by a profiler (docs/traces.md), or a part of it, such as a `range`."""

    def __post_init__(self) -> None:
        self.capture = os.path.abspath(self.capture)  # the workload may be read elsewhere


@dataclass
class Workload:
    kernels: Sequence[Kernel]
    applications: Sequence[Union[Application, TracedApplication, CapturedApplication]]
    managed: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    settings: Mapping[str, Json] = field(default_factory=dict)
    instances: Mapping[str, Json] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    tasks: Mapping[str, Json] = field(default_factory=dict)  # {"uunifast": {...}}: a random set, an application each

    @classmethod
    def side_by_side(cls, kernels: Sequence[Kernel]) -> Workload:
        """Launches each kernel once at time 0, in a separate application named after it."""
        return cls(kernels, [Application(one.name, [Stream("s", launches=[one])]) for one in kernels])

    def to_dict(self) -> Dict[str, Json]:
        names = [kernel.name for kernel in self.kernels]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two kernels are named {twice[0]!r}, but names must differ")
        return given(
            settings=plain(self.settings) or None,
            variants=plain(self.variants) or None,
            instances=plain(self.instances) or None,
            managed=plain(self.managed) or None,
            kernels={kernel.name: kernel.to_dict() for kernel in self.kernels} or None,
            applications=[application.to_dict() for application in self.applications] or None,
            tasks=plain(self.tasks) or None,
        )

    def to_json(self) -> str:
        """The workload file: JSON, which is YAML."""
        return json_text(self.to_dict())

    def save(self, path: Union[str, Path]) -> None:
        Path(path).write_text(self.to_json(), encoding="utf-8")
