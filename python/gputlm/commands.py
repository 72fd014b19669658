"""What is put into streams, and what host threads do (docs/workload.md): one function a command.

The argument `stream` is for calls of threads (gputlm.Thread), which name the stream; commands in a stream do not.
Names may be given as the things that bear them: a Kernel, a Stream.
"""

# Made by scripts/python-forms of what the program says of workload files.
from __future__ import annotations

from typing import Dict, Mapping, Optional, Sequence, Union

from .values import Json, Name, Place, Shape, Size, given

Command = Dict[str, Json]


def launch(
    kernel: Name,
    *,
    stream: Optional[Name] = None,
    grid: Optional[Shape] = None,
    block: Optional[Shape] = None,
    cluster: Optional[Shape] = None,
    label: Optional[str] = None,
    phase: Optional[int] = None,
    position: Optional[int] = None,
    delay_us: Optional[float] = None,
    overlaps: Optional[bool] = None,
    programmatic_dependent_launch: Optional[bool] = None,
    budget: Optional[int] = None,
    deadline_us: Optional[float] = None,
    alone_cycles: Optional[int] = None,
    sms: Optional[Union[Place, Sequence[Place]]] = None,
    cache_config: Optional[str] = None,
    shared_percent: Optional[int] = None,
    access_policy_window: Optional[Mapping[str, Json]] = None,
    release_us: Optional[float] = None,
    repeat: Optional[int] = None,
    period_us: Optional[float] = None,
    sporadic_us: Optional[float] = None,
    jitter_us: Optional[float] = None,
    seed: Optional[int] = None,
    releases_us: Optional[Union[Sequence[float], Mapping[str, Json]]] = None,
    min_interarrival_us: Optional[float] = None,
    criticality: Optional[str] = None,
    in_hi_mode: Optional[str] = None,
    degraded_every: Optional[int] = None,
    wcet_us: Optional[Mapping[str, Json]] = None,
    overruns: Optional[Mapping[str, Json]] = None,
    task: Optional[str] = None,
) -> Command:
    """A launch; repeated or with a deadline it is a task, each repetition a job.

    kernel: Name of a kernel. stream: Name of a stream of the application. grid: Replaces the kernel's. block:
    Replaces the kernel's. cluster: Replaces the kernel's. label: Label in results; default: the kernel's name. phase:
    Phase, which starts when all launches of the previous one have ended. position: Position among the launches of its
    phase, which determines their ids; default: that in its list. delay_us: Time from when nothing holds it back until
    it is submitted to the GPU: the overhead of driver and GPU before it begins; default 0. overlaps: It may begin
    when the command before it in its stream has begun; default false. programmatic_dependent_launch: Behind a launch,
    it begins when all blocks of that launch have ended or reached launch_dependents; default false. budget: Budget of
    its warps; only the warp scheduler qaws uses it; default 1. deadline_us: Deadline of each repetition, for its
    response time. alone_cycles: Runtime alone; only kernel orders that are oracles use it. sms: SMs of its
    application that its blocks go to; default: all. cache_config: As cudaFuncSetCacheConfig; default any.
    shared_percent: Preferred shared memory of the launch, relative to the largest carve-out; the rest of the array is
    L1. access_policy_window: How lines that its kernels access are kept in the L2; a launch's window overrides its
    stream's. release_us: Release time, from the start of the phase; default 0. repeat: Number of releases; default 1.
    period_us: Minimum time between releases; default 0. sporadic_us: Mean of the random time added to it; default 0.
    jitter_us: Maximum random delay of a release; default 0. seed: Seed of the draws. releases_us: Replaces all of
    these: a list of times, or those of a CSV file. min_interarrival_us: Minimum time between releases in any run, for
    bounds; default: period_us for sporadic releases without jitter, else as released. criticality: Criticality level;
    a job of a task of level hi that overruns its budget of level lo changes the mode to hi; default lo. in_hi_mode:
    For a task of level lo: in mode hi none of its jobs begins, or one of `degraded_every`, or all; default drop.
    degraded_every: With in_hi_mode: degrade, one of this many jobs runs in mode hi; default 2. wcet_us: Longest time
    of a job alone, by level: {lo: 60, hi: 120}. overruns: Jobs that take more than their budget of level lo. task:
    Name of the task of which it is the next job; default: a task of its own.
    """
    return given(**locals())


def record(
    record: str,
    *,
    stream: Optional[Name] = None,
) -> Command:
    """The event is reached when all before it in the stream has ended.

    record: Event, reached when everything before it in the stream has ended. stream: Name of a stream of the
    application.
    """
    return given(**locals())


def wait(
    wait: str,
    *,
    stream: Optional[Name] = None,
) -> Command:
    """What comes behind it in the stream waits for the event.

    wait: Event that the stream waits for. stream: Name of a stream of the application.
    """
    return given(**locals())


def host(
    host_us: float,
) -> Command:
    """The thread computes for so long before its next call.

    host_us: Time for which the thread computes.
    """
    return given(**locals())


def synchronize(
    synchronize: str = "stream",
    *,
    event: Optional[str] = None,
    stream: Optional[Name] = None,
) -> Command:
    """The thread waits for the `stream`, or for all of its application (`device`).

    synchronize: What the thread waits for: a stream, all streams of its application, or an event. event: Name of an
    event of the application, with synchronize: event. stream: Name of a stream of the application, with synchronize:
    stream.
    """
    return given(**locals())


def malloc(
    malloc: str,
    bytes: Size,
    *,
    address: Optional[Place] = None,
) -> Command:
    """Allocates device memory, which synchronizes the device too.

    malloc: Name of device memory. bytes: Size. address: Address; default: a fresh one.
    """
    return given(**locals())


def free(
    free: str,
) -> Command:
    """Frees what `malloc` has allocated.

    free: Name of device memory.
    """
    return given(**locals())


def copy(
    copy: str,
    bytes: Size,
    *,
    stream: Optional[Name] = None,
    from_: Optional[Place] = None,
    to: Optional[Place] = None,
    label: Optional[str] = None,
    pageable: Optional[bool] = None,
    blocking: Optional[bool] = None,
    delay_us: Optional[float] = None,
    overlaps: Optional[bool] = None,
    staged: Optional[bool] = None,
) -> Command:
    """`copy`: host_to_device, device_to_host or device_to_device; the host's address may be left out.

    copy: Direction of the copy. stream: Name of a stream of the application. from_: Address, or name of an
    allocation. to: Address, or name of an allocation. bytes: Number of bytes. label: Label in results. pageable: Its
    host memory is not pinned: slower, and its thread waits; default false. blocking: The thread waits for its end;
    default false. delay_us: Time from when nothing holds it back until it is submitted to the GPU: the overhead of
    driver and GPU before it begins; default 0. overlaps: It may begin when the command before it in its stream has
    begun; default false. staged: For pageable host memory: the driver has staged it; the thread continues, and up to
    `copy_engine.staging` it is as fast as from pinned memory; default false.
    """
    return given(**locals())


def memset(
    memset: Size,
    to: Place,
    *,
    stream: Optional[Name] = None,
    label: Optional[str] = None,
    blocking: Optional[bool] = None,
    delay_us: Optional[float] = None,
    overlaps: Optional[bool] = None,
) -> Command:
    """Sets device memory.

    memset: Number of bytes. stream: Name of a stream of the application. to: Address, or name of an allocation.
    label: Label in results. blocking: The thread waits for its end; default false. delay_us: Time from when nothing
    holds it back until it is submitted to the GPU: the overhead of driver and GPU before it begins; default 0.
    overlaps: It may begin when the command before it in its stream has begun; default false.
    """
    return given(**locals())


def job(
    job: str,
    commands: Sequence[Command],
    *,
    phase: Optional[int] = None,
    task: Optional[str] = None,
    deadline_us: Optional[float] = None,
    min_interarrival_us: Optional[float] = None,
    criticality: Optional[str] = None,
    in_hi_mode: Optional[str] = None,
    degraded_every: Optional[int] = None,
    when_reached: Optional[bool] = None,
    wcet_us: Optional[Mapping[str, Json]] = None,
    overruns: Optional[Mapping[str, Json]] = None,
    release_us: Optional[float] = None,
    repeat: Optional[int] = None,
    period_us: Optional[float] = None,
    sporadic_us: Optional[float] = None,
    jitter_us: Optional[float] = None,
    seed: Optional[int] = None,
    releases_us: Optional[Union[Sequence[float], Mapping[str, Json]]] = None,
) -> Command:
    """Commands that are released together, again and again.

    job: Name of the task. phase: Phase, which starts when all launches of the previous one have ended. task: Name of
    the task of which it is the next job; default: a task of its own. deadline_us: Deadline of each job, for its
    response time. min_interarrival_us: Minimum time between releases in any run, for bounds; default: period_us for
    sporadic releases without jitter, else as released. criticality: Criticality level; a job of a task of level hi
    that overruns its budget of level lo changes the mode to hi; default lo. in_hi_mode: For a task of level lo: in
    mode hi none of its jobs begins, or one of `degraded_every`, or all; default drop. degraded_every: With
    in_hi_mode: degrade, one of this many jobs runs in mode hi; default 2. commands: Commands that are released
    together. when_reached: Whether it is released when its thread reaches it, however late; default: false. wcet_us:
    Longest time of a job alone, by level: {lo: 60, hi: 120}. overruns: Jobs that take more than their budget of level
    lo. release_us: Release time, from the start of the phase; default 0. repeat: Number of releases; default 1.
    period_us: Minimum time between releases; default 0. sporadic_us: Mean of the random time added to it; default 0.
    jitter_us: Maximum random delay of a release; default 0. seed: Seed of the draws. releases_us: Replaces all of
    these: a list of times, or those of a CSV file.
    """
    return given(**locals())


def wait_until(
    wait_until_us: float,
) -> Command:
    """The thread waits until then.

    wait_until_us: Time until which the thread waits, from the start of its application.
    """
    return given(**locals())


def barrier(
    barrier: int,
) -> Command:
    """The thread waits for all others that come to the barrier of this number.

    barrier: Number of the barrier at which the thread waits for all others that use it.
    """
    return given(**locals())


def loop(
    loop: Sequence[Command],
    *,
    count: Optional[int] = None,
    time_us: Optional[float] = None,
) -> Command:
    """The calls again and again: `count` times, or until `time_us` has passed.

    loop: Calls to repeat. count: Number of iterations. time_us: Time after the start of the first iteration from
    which on none begins.
    """
    return given(**locals())
