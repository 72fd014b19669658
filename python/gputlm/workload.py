"""Workloads (docs/workload.md): kernels, and the applications that launch them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence, Union

from .commands import Command, launch
from .patterns import Pattern
from .program import Program
from .values import Json, Named, PathLike, Shape, Size, given, json_text, plain


@dataclass
class Kernel(Named):
    """A grid of blocks that all run `program` (gputlm.program); `patterns` (gputlm.patterns) by name."""

    name: str
    grid: Shape
    block: Shape
    program: Program
    registers: Optional[int] = None
    shared_memory: Optional[Size] = None
    variation: Optional[Mapping[str, Json]] = None
    patterns: Mapping[str, Pattern] = field(default_factory=dict)

    def to_dict(self) -> Dict[str, Json]:
        return given(
            grid=self.grid,
            block=self.block,
            registers=self.registers,
            shared_memory=self.shared_memory,
            variation=self.variation,
            patterns=self.patterns or None,
            program=list(self.program),
        )


Launch = Union[str, Kernel, Command]


def _launches(launches: Optional[Sequence[Launch]]) -> Optional[List[Json]]:
    """A kernel, or its name, is a launch of it."""
    if launches is None:
        return None
    return [one if isinstance(one, dict) else launch(one) for one in launches]


@dataclass
class Stream(Named):
    """`launches` one after the other, or `commands` (gputlm.commands); neither where threads feed the stream."""

    name: str
    launches: Optional[Sequence[Launch]] = None
    commands: Optional[Sequence[Launch]] = None
    priority: Optional[int] = None
    default: Optional[bool] = None
    non_blocking: Optional[bool] = None

    def to_dict(self) -> Dict[str, Json]:
        return given(
            name=self.name,
            priority=self.priority,
            default=self.default,
            non_blocking=self.non_blocking,
            launches=_launches(self.launches),
            commands=_launches(self.commands),
        )


@dataclass
class Thread(Named):
    """A host thread: calls (gputlm.commands) that name their streams, one after the other."""

    name: str
    calls: Sequence[Command]

    def to_dict(self) -> Dict[str, Json]:
        return given(name=self.name, calls=list(self.calls))


@dataclass
class Application(Named):
    """Streams, and what the GPU grants to all of them together."""

    name: str
    streams: Sequence[Stream]
    threads: Optional[Sequence[Thread]] = None
    sms: Optional[Union[int, str, Sequence[Union[int, str]]]] = None
    relaunch: Optional[bool] = None
    sm_percent: Optional[int] = None
    thread_percent: Optional[int] = None
    time_slice_us: Optional[float] = None
    timeslice_priority: Optional[str] = None

    def to_dict(self) -> Dict[str, Json]:
        return given(
            name=self.name,
            sms=self.sms,
            relaunch=self.relaunch,
            sm_percent=self.sm_percent,
            thread_percent=self.thread_percent,
            time_slice_us=self.time_slice_us,
            timeslice_priority=self.timeslice_priority,
            streams=[stream.to_dict() for stream in self.streams],
            threads=None if self.threads is None else [thread.to_dict() for thread in self.threads],
        )


@dataclass
class TracedApplication(Named):
    """Launches that have been traced (docs/traces.md): `kernels` of them, such as "3-9", or all."""

    name: str
    trace: PathLike
    kernels: Optional[Union[int, str, Sequence[Union[int, str]]]] = None
    release_us: Optional[float] = None
    repeat: Optional[int] = None
    period_us: Optional[float] = None
    sporadic_us: Optional[float] = None
    jitter_us: Optional[float] = None
    seed: Optional[int] = None
    releases_us: Optional[Sequence[float]] = None
    deadline_us: Optional[float] = None
    priority: Optional[int] = None
    budget: Optional[int] = None
    sms: Optional[Union[int, str, Sequence[Union[int, str]]]] = None
    relaunch: Optional[bool] = None
    sm_percent: Optional[int] = None
    thread_percent: Optional[int] = None
    time_slice_us: Optional[float] = None
    timeslice_priority: Optional[str] = None

    def __post_init__(self) -> None:
        self.trace = os.path.abspath(self.trace)  # the workload may be read elsewhere

    def to_dict(self) -> Dict[str, Json]:
        return given(**vars(self))


@dataclass
class Workload:
    kernels: Sequence[Kernel]
    applications: Sequence[Union[Application, TracedApplication]]
    managed: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)

    @classmethod
    def side_by_side(cls, kernels: Sequence[Kernel]) -> Workload:
        """Each kernel launched once, by an application of its own name, all at time 0."""
        return cls(kernels, [Application(one.name, [Stream("s", launches=[one])]) for one in kernels])

    def to_dict(self) -> Dict[str, Json]:
        names = [kernel.name for kernel in self.kernels]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two kernels are named {twice[0]!r}, but names must differ")
        return given(
            managed=plain(self.managed) or None,
            kernels={kernel.name: kernel.to_dict() for kernel in self.kernels},
            applications=[application.to_dict() for application in self.applications],
        )

    def to_json(self) -> str:
        """The workload file: JSON, which is YAML."""
        return json_text(self.to_dict())

    def save(self, path: Union[str, Path]) -> None:
        Path(path).write_text(self.to_json(), encoding="utf-8")
