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

    grid: Blocks of the grid: a number or [x, y, z]. block: Threads of a block: a number or [x, y, z]; at most 1024.
    registers: Registers per thread; default 32. shared_memory: Shared memory per block; default 0. cluster: Blocks of
    a cluster, which are on one GPC at the same time: a number or [x, y, z] that divides the grid; default 1.
    non_portable_cluster: Its clusters may be larger than work_distributor.cluster_blocks; default false. name: Name
    in results; default: its key. seed: Seed of its random choices; default: that of the run. variation: Variation of
    the blocks' runtimes. demand: Demand of a launch on the hardware, as counted by a profiler. patterns: Address
    patterns, by name. program: Program of each warp.
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

    name: Name in results and in calls of threads. priority: Priority; lower is more urgent; default 0. default:
    Whether it is CUDA's NULL stream, of which an application has one; default: false. non_blocking: Whether it
    ignores the order of the default stream; default: false. launches: Launches, one after the other. commands:
    Commands that a host thread of its own submits. access_policy_window: How lines that its kernels access are kept
    in the L2; a launch's window overrides its stream's.
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

    name: Name in deadlock reports. calls: Calls, in order.
    """

    name: str
    calls: Sequence[Command]

    def to_dict(self) -> Dict[str, Json]:
        return given(**vars(self))


@dataclass
class ApplicationFields(Named):
    """Of an application.

    name: Name in results. sms: SMs that its blocks go to: [0-29, 35]; default: all. relaunch: Relaunch it until every
    application has ended once; default false. sm_percent: Share of the SMs, reserved for it.
    active_thread_percentage: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE: share of the SMs, rounded up as the driver does.
    green_context_sms: SMs of its green context: minCount of cuDevSmResourceSplitByCount, rounded up as the driver
    does. thread_percent: Share of each SM's threads. mps_priority: CUDA_MPS_CLIENT_PRIORITY: 0 normal (the default),
    1 below normal, whose streams are all less urgent. time_slice_us: Time slice of its context. timeslice_priority:
    Time-slice priority of its context. l2_ways: Ways of each set of the L2 reserved for its lines; default: the
    unreserved ways. persisting_l2_cache_size: Part of the L2 set aside for its persisting accesses; default: none.
    dram_channels: Channels, with their L2 slices, in which its memory lies: [0-3, 6]; default: all. l2_slices: L2
    slices in which its memory lies; default: all. instance: Entry of `instances` that it runs on. memory_budget:
    Bytes that it may move per period, as in MemGuard; default: unlimited. allocations: Parts of its memory in other
    channels or slices than the rest. streams: Its streams. threads: Threads of the host program; default: one per
    stream.
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

    name: Name in results; default: that of the folder or file. sms: SMs that its blocks go to: [0-29, 35]; default:
    all. relaunch: Relaunch it until every application has ended once; default false. sm_percent: Share of the SMs,
    reserved for it. active_thread_percentage: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE: share of the SMs, rounded up as the
    driver does. green_context_sms: SMs of its green context: minCount of cuDevSmResourceSplitByCount, rounded up as
    the driver does. thread_percent: Share of each SM's threads. mps_priority: CUDA_MPS_CLIENT_PRIORITY: 0 normal (the
    default), 1 below normal, whose streams are all less urgent. time_slice_us: Time slice of its context.
    timeslice_priority: Time-slice priority of its context. l2_ways: Ways of each set of the L2 reserved for its
    lines; default: the unreserved ways. persisting_l2_cache_size: Part of the L2 set aside for its persisting
    accesses; default: none. dram_channels: Channels, with their L2 slices, in which its memory lies: [0-3, 6];
    default: all. l2_slices: L2 slices in which its memory lies; default: all. instance: Entry of `instances` that it
    runs on. memory_budget: Bytes that it may move per period, as in MemGuard; default: unlimited. allocations: Parts
    of its memory in other channels or slices than the rest. trace: Path of a launch list, its folder, or a kernel
    trace, relative to the file. kernels: Launches of the list, from 1: 3-9. priority: Priority; lower is more urgent;
    default 0. budget: Budget of its warps; only the warp scheduler qaws uses it; default 1. deadline_us: Deadline of
    each job, for its response time. min_interarrival_us: Minimum time between releases in any run, for bounds;
    default: period_us for sporadic releases without jitter, else as released. criticality: Criticality level; a job
    of a task of level hi that overruns its budget of level lo changes the mode to hi; default lo. in_hi_mode: For a
    task of level lo: in mode hi none of its jobs begins, or one of `degraded_every`, or all; default drop.
    degraded_every: With in_hi_mode: degrade, one of this many jobs runs in mode hi; default 2. task: Name of the task
    to which its repetitions belong as jobs; default: the application's name. release_us: Release time, from the start
    of the phase; default 0. repeat: Number of releases; default 1. period_us: Minimum time between releases; default
    0. sporadic_us: Mean of the random time added to it; default 0. jitter_us: Maximum random delay of a release;
    default 0. seed: Seed of the draws. releases_us: Replaces all of these: a list of times, or those of a CSV file.
    access_policy_window: How lines that its kernels access are kept in the L2; a launch's window overrides its
    stream's.
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

    name: Name in results; default: that of the file. sms: SMs that its blocks go to: [0-29, 35]; default: all.
    relaunch: Relaunch it until every application has ended once; default false. sm_percent: Share of the SMs,
    reserved for it. active_thread_percentage: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE: share of the SMs, rounded up as the
    driver does. green_context_sms: SMs of its green context: minCount of cuDevSmResourceSplitByCount, rounded up as
    the driver does. thread_percent: Share of each SM's threads. mps_priority: CUDA_MPS_CLIENT_PRIORITY: 0 normal (the
    default), 1 below normal, whose streams are all less urgent. time_slice_us: Time slice of its context.
    timeslice_priority: Time-slice priority of its context. l2_ways: Ways of each set of the L2 reserved for its
    lines; default: the unreserved ways. persisting_l2_cache_size: Part of the L2 set aside for its persisting
    accesses; default: none. dram_channels: Channels, with their L2 slices, in which its memory lies: [0-3, 6];
    default: all. l2_slices: L2 slices in which its memory lies; default: all. instance: Entry of `instances` that it
    runs on. memory_budget: Bytes that it may move per period, as in MemGuard; default: unlimited. allocations: Parts
    of its memory in other channels or slices than the rest. capture: Path of a profiler's capture, relative to the
    file. profile: Demands of its kernels: tables of Nsight Compute (ncu --csv), relative to the file. device: Device
    whose kernels are taken; default: the one with the most. process: Name or id of the process to take; default: all.
    from_us: Takes commands from this time on, counted from the first kernel or copy. to_us: Takes commands that begin
    before this time. kernels: Kernels to take, numbered by their starts, from 1: 3-9; a copy goes with the kernel
    that follows it. range: Takes commands that were called for in ranges of this name (NVTX, user_annotation). jobs:
    Each range of this name is a job of a task of this name. release: When commands enter their streams: when the
    simulated host calls for them (program), at the measured call (launch), at the measured start (start), or
    immediately (none); default: program if calls were recorded, else launch. measured_sms: SMs of the part of the GPU
    that its kernels ran on when measured, if the capture does not say. priority: Priority of all its streams, instead
    of their own; lower is more urgent. budget: Budget of its warps; only the warp scheduler qaws uses it; default 1.
    deadline_us: Deadline of each job, for its response time. min_interarrival_us: Minimum time between releases in
    any run, for bounds; default: period_us for sporadic releases without jitter, else as released. criticality:
    Criticality level; a job of a task of level hi that overruns its budget of level lo changes the mode to hi;
    default lo. in_hi_mode: For a task of level lo: in mode hi none of its jobs begins, or one of `degraded_every`, or
    all; default drop. degraded_every: With in_hi_mode: degrade, one of this many jobs runs in mode hi; default 2.
    task: Name of the task to which its repetitions belong as jobs; default: the application's name. release_us:
    Release time, from the start of the phase; default 0. repeat: Number of releases; default 1. period_us: Minimum
    time between releases; default 0. sporadic_us: Mean of the random time added to it; default 0. jitter_us: Maximum
    random delay of a release; default 0. seed: Seed of the draws. releases_us: Replaces all of these: a list of
    times, or those of a CSV file.
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
