"""The fields of what workloads are made of (gputlm.workload)."""

# Made by scripts/python-forms of what the program says of workload files.
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from .commands import Command
from .patterns import Pattern
from .program import Program
from .values import Json, Named, PathLike, Place, Shape, Size, given

Launch = Union[str, Named, Command]
Stream = Any
Thread = Any


@dataclass
class KernelFields(Named):
    """Of a kernel; `name_`: what results call it.

    grid: Blocks: a number or [x, y, z]. block: Threads of a block: a number or [x, y, z]; 1024 at most. registers: A
    thread; default 32. shared_memory: A block; default 0. cluster: Blocks of a cluster, which are on one GPC at the
    same time: a number or [x, y, z] that divides the grid; default 1. non_portable_cluster: Its clusters may be
    larger than work_distributor.cluster_blocks; default false. name: What results call it; default its key. seed: Of
    what is random in it; default that of the run. variation: Of the runtimes of blocks. demand: What a launch asks of
    the hardware, as a profiler counts it. patterns: Address patterns, by name. program: What each warp does.
    """

    name: str
    grid: Shape
    block: Shape
    program: Program
    variation: Optional[Mapping[str, Json]] = None
    demand: Optional[Mapping[str, Json]] = None
    patterns: Optional[Mapping[str, Pattern]] = None
    registers: Optional[int] = None
    shared_memory: Optional[Size] = None
    cluster: Optional[Shape] = None
    non_portable_cluster: Optional[bool] = None
    name_: Optional[str] = None
    seed: Optional[int] = None

    def to_dict(self) -> Dict[str, Json]:
        return given(**vars(self))


@dataclass
class StreamFields(Named):
    """Of a stream.

    name: In results, and in calls of threads. priority: Lower is more urgent; default 0. default: CUDA's NULL stream,
    one an application; default false. non_blocking: Takes no part in the order of the default stream; default false.
    launches: One after the other. commands: What a host thread of its own puts into it. access_policy_window: How
    lines that its kernels access are kept in the L2; a launch's goes before its stream's.
    """

    name: str
    launches: Optional[Sequence[Launch]] = None
    commands: Optional[Sequence[Launch]] = None
    access_policy_window: Optional[Mapping[str, Json]] = None
    priority: Optional[int] = None
    default: Optional[bool] = None
    non_blocking: Optional[bool] = None

    def to_dict(self) -> Dict[str, Json]:
        return given(**vars(self))


@dataclass
class ThreadFields(Named):
    """Of a host thread.

    name: In reports of who waits for whom. calls: In order.
    """

    name: str
    calls: Sequence[Command]

    def to_dict(self) -> Dict[str, Json]:
        return given(**vars(self))


@dataclass
class ApplicationFields(Named):
    """Of an application.

    name: In results. sms: SMs that its blocks go to: [0-29, 35]; default all. relaunch: Again until every application
    has ended once; default false. sm_percent: Share of the SMs, for it alone. active_thread_percentage:
    CUDA_MPS_ACTIVE_THREAD_PERCENTAGE: share of the SMs, rounded up as the driver does. green_context_sms: SMs of its
    green context: minCount of cuDevSmResourceSplitByCount, rounded up as the driver does. thread_percent: Share of
    each SM's threads. mps_priority: CUDA_MPS_CLIENT_PRIORITY: 0 normal (the default), 1 below normal, whose streams
    are all less urgent. time_slice_us: Of its context. timeslice_priority: Of its context. l2_ways: Of each set of
    the L2, for its lines alone; default those of nobody. persisting_l2_cache_size: Of the L2, set aside for its
    persisting accesses; default none. dram_channels: Channels, with their L2 slices, in which its memory lies: [0-3,
    6]; default all. l2_slices: L2 slices in which its memory lies; default all. instance: Of `instances`, that it
    runs on. memory_budget: Bytes that it may move in a period, as MemGuard has it; default: any number. allocations:
    Memory of it that lies in other channels or slices than the rest. streams: Its streams. threads: Of the host
    program; without it, each stream has its own.
    """

    name: str
    streams: Sequence[Stream]
    memory_budget: Optional[Mapping[str, Json]] = None
    allocations: Optional[Sequence[Mapping[str, Json]]] = None
    threads: Optional[Sequence[Thread]] = None
    sms: Optional[Union[Place, Sequence[Place]]] = None
    relaunch: Optional[bool] = None
    sm_percent: Optional[int] = None
    active_thread_percentage: Optional[int] = None
    green_context_sms: Optional[int] = None
    thread_percent: Optional[int] = None
    mps_priority: Optional[int] = None
    time_slice_us: Optional[float] = None
    timeslice_priority: Optional[str] = None
    l2_ways: Optional[int] = None
    persisting_l2_cache_size: Optional[Size] = None
    dram_channels: Optional[Union[Place, Sequence[Place]]] = None
    l2_slices: Optional[Union[Place, Sequence[Place]]] = None
    instance: Optional[str] = None

    def to_dict(self) -> Dict[str, Json]:
        return given(**vars(self))


@dataclass
class TracedApplicationFields(Named):
    """Of a traced program.

    name: In results; default that of the folder or file. sms: SMs that its blocks go to: [0-29, 35]; default all.
    relaunch: Again until every application has ended once; default false. sm_percent: Share of the SMs, for it alone.
    active_thread_percentage: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE: share of the SMs, rounded up as the driver does.
    green_context_sms: SMs of its green context: minCount of cuDevSmResourceSplitByCount, rounded up as the driver
    does. thread_percent: Share of each SM's threads. mps_priority: CUDA_MPS_CLIENT_PRIORITY: 0 normal (the default),
    1 below normal, whose streams are all less urgent. time_slice_us: Of its context. timeslice_priority: Of its
    context. l2_ways: Of each set of the L2, for its lines alone; default those of nobody. persisting_l2_cache_size:
    Of the L2, set aside for its persisting accesses; default none. dram_channels: Channels, with their L2 slices, in
    which its memory lies: [0-3, 6]; default all. l2_slices: L2 slices in which its memory lies; default all.
    instance: Of `instances`, that it runs on. memory_budget: Bytes that it may move in a period, as MemGuard has it;
    default: any number. allocations: Memory of it that lies in other channels or slices than the rest. trace: A
    launch list, its folder, or a kernel's trace; relative to the file. kernels: Launches of the list, from 1: 3-9.
    priority: Lower is more urgent; default 0. budget: Of its warps; only the warp scheduler qaws heeds it; default 1.
    deadline_us: Of each job, for its response time. min_interarrival_us: Least time from a release to the next in any
    run: what bounds go by; default period_us of sporadic releases without jitter, else as released. criticality: A
    job of a task of level hi that overruns its budget of level lo changes the mode to hi; default lo. in_hi_mode: Of
    a task of level lo: in mode hi its jobs do not begin, or one of `degraded_every` does, or all do; default drop.
    degraded_every: In mode hi one of so many jobs runs, with in_hi_mode: degrade; default 2. task: Name of the task
    whose jobs its repetitions are; default the application's. release_us: Not before, from the start of the phase;
    default 0. repeat: How often; default 1. period_us: Least time from a release to the next; default 0. sporadic_us:
    Mean of what that time is longer; default 0. jitter_us: Each release is later by up to so much; default 0. seed:
    Of what is drawn. releases_us: In the place of all these: a list of times, or a CSV file's. access_policy_window:
    How lines that its kernels access are kept in the L2; a launch's goes before its stream's.
    """

    name: str
    trace: PathLike
    memory_budget: Optional[Mapping[str, Json]] = None
    allocations: Optional[Sequence[Mapping[str, Json]]] = None
    releases_us: Optional[Union[Sequence[float], Mapping[str, Json]]] = None
    access_policy_window: Optional[Mapping[str, Json]] = None
    sms: Optional[Union[Place, Sequence[Place]]] = None
    relaunch: Optional[bool] = None
    sm_percent: Optional[int] = None
    active_thread_percentage: Optional[int] = None
    green_context_sms: Optional[int] = None
    thread_percent: Optional[int] = None
    mps_priority: Optional[int] = None
    time_slice_us: Optional[float] = None
    timeslice_priority: Optional[str] = None
    l2_ways: Optional[int] = None
    persisting_l2_cache_size: Optional[Size] = None
    dram_channels: Optional[Union[Place, Sequence[Place]]] = None
    l2_slices: Optional[Union[Place, Sequence[Place]]] = None
    instance: Optional[str] = None
    kernels: Optional[Union[Place, Sequence[Place]]] = None
    priority: Optional[int] = None
    budget: Optional[int] = None
    deadline_us: Optional[float] = None
    min_interarrival_us: Optional[float] = None
    criticality: Optional[str] = None
    in_hi_mode: Optional[str] = None
    degraded_every: Optional[int] = None
    task: Optional[str] = None
    release_us: Optional[float] = None
    repeat: Optional[int] = None
    period_us: Optional[float] = None
    sporadic_us: Optional[float] = None
    jitter_us: Optional[float] = None
    seed: Optional[int] = None

    def to_dict(self) -> Dict[str, Json]:
        return given(**vars(self))


@dataclass
class CapturedApplicationFields(Named):
    """Of a captured program.

    name: In results; default that of the file. sms: SMs that its blocks go to: [0-29, 35]; default all. relaunch:
    Again until every application has ended once; default false. sm_percent: Share of the SMs, for it alone.
    active_thread_percentage: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE: share of the SMs, rounded up as the driver does.
    green_context_sms: SMs of its green context: minCount of cuDevSmResourceSplitByCount, rounded up as the driver
    does. thread_percent: Share of each SM's threads. mps_priority: CUDA_MPS_CLIENT_PRIORITY: 0 normal (the default),
    1 below normal, whose streams are all less urgent. time_slice_us: Of its context. timeslice_priority: Of its
    context. l2_ways: Of each set of the L2, for its lines alone; default those of nobody. persisting_l2_cache_size:
    Of the L2, set aside for its persisting accesses; default none. dram_channels: Channels, with their L2 slices, in
    which its memory lies: [0-3, 6]; default all. l2_slices: L2 slices in which its memory lies; default all.
    instance: Of `instances`, that it runs on. memory_budget: Bytes that it may move in a period, as MemGuard has it;
    default: any number. allocations: Memory of it that lies in other channels or slices than the rest. capture: A
    capture of a profiler; relative to the file. profile: What its kernels ask of the hardware: tables of Nsight
    Compute (ncu --csv); relative to the file. device: Whose kernels are taken; default that with the most. process:
    Name or id of the process that is taken; default all. from_us: Takes what begins so long after the first kernel or
    copy. to_us: Takes what begins before that. kernels: That are taken, numbered by their starts, from 1: 3-9; a copy
    goes with the kernel that follows it. range: Takes what was called for in ranges of this name (NVTX,
    user_annotation). jobs: Each range of this name is a job of a task of this name. release: Commands go into their
    streams when the host, which answers, calls for them (program), when it called for them (launch), when they began
    (start), or at once (none); default program where calls were recorded. measured_sms: SMs of the part of the GPU
    that its kernels ran on when they were measured, where the capture does not say. priority: Of all its streams, in
    the place of theirs; lower is more urgent. budget: Of its warps; only the warp scheduler qaws heeds it; default 1.
    deadline_us: Of each job, for its response time. min_interarrival_us: Least time from a release to the next in any
    run: what bounds go by; default period_us of sporadic releases without jitter, else as released. criticality: A
    job of a task of level hi that overruns its budget of level lo changes the mode to hi; default lo. in_hi_mode: Of
    a task of level lo: in mode hi its jobs do not begin, or one of `degraded_every` does, or all do; default drop.
    degraded_every: In mode hi one of so many jobs runs, with in_hi_mode: degrade; default 2. task: Name of the task
    whose jobs its repetitions are; default the application's. release_us: Not before, from the start of the phase;
    default 0. repeat: How often; default 1. period_us: Least time from a release to the next; default 0. sporadic_us:
    Mean of what that time is longer; default 0. jitter_us: Each release is later by up to so much; default 0. seed:
    Of what is drawn. releases_us: In the place of all these: a list of times, or a CSV file's.
    """

    name: str
    capture: str
    memory_budget: Optional[Mapping[str, Json]] = None
    allocations: Optional[Sequence[Mapping[str, Json]]] = None
    releases_us: Optional[Union[Sequence[float], Mapping[str, Json]]] = None
    sms: Optional[Union[Place, Sequence[Place]]] = None
    relaunch: Optional[bool] = None
    sm_percent: Optional[int] = None
    active_thread_percentage: Optional[int] = None
    green_context_sms: Optional[int] = None
    thread_percent: Optional[int] = None
    mps_priority: Optional[int] = None
    time_slice_us: Optional[float] = None
    timeslice_priority: Optional[str] = None
    l2_ways: Optional[int] = None
    persisting_l2_cache_size: Optional[Size] = None
    dram_channels: Optional[Union[Place, Sequence[Place]]] = None
    l2_slices: Optional[Union[Place, Sequence[Place]]] = None
    instance: Optional[str] = None
    profile: Optional[Union[str, Sequence[str]]] = None
    device: Optional[int] = None
    process: Optional[Union[str, int]] = None
    from_us: Optional[float] = None
    to_us: Optional[float] = None
    kernels: Optional[Union[Place, Sequence[Place]]] = None
    range: Optional[str] = None
    jobs: Optional[str] = None
    release: Optional[str] = None
    measured_sms: Optional[int] = None
    priority: Optional[int] = None
    budget: Optional[int] = None
    deadline_us: Optional[float] = None
    min_interarrival_us: Optional[float] = None
    criticality: Optional[str] = None
    in_hi_mode: Optional[str] = None
    degraded_every: Optional[int] = None
    task: Optional[str] = None
    release_us: Optional[float] = None
    repeat: Optional[int] = None
    period_us: Optional[float] = None
    sporadic_us: Optional[float] = None
    jitter_us: Optional[float] = None
    seed: Optional[int] = None

    def to_dict(self) -> Dict[str, Json]:
        return given(**vars(self))
