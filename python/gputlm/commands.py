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

    kernel: Name of a kernel. stream: Name of a stream of the application. grid: In the place of the kernel's. block:
    In the place of the kernel's. cluster: In the place of the kernel's. label: What results call it; default the
    kernel's name. phase: Starts when all launches of the one before have ended. position: Its place among the
    launches of its phase, which numbers them; default that in its list. delay_us: From when nothing holds it any more
    until it goes to the GPU: what driver and GPU take before it begins; default 0. overlaps: It may begin when the
    command before it in its stream has begun; default false. programmatic_dependent_launch: Behind a launch, it
    begins when all blocks of that one have ended or come to launch_dependents; default false. budget: Of its warps;
    only the warp scheduler qaws heeds it; default 1. deadline_us: Of each repetition, for its response time.
    alone_cycles: That it takes alone; only kernel orders that are oracles heed it. sms: SMs of its application that
    its blocks go to; default all. cache_config: As cudaFuncSetCacheConfig; default any. shared_percent: Of the
    largest carve-out that the launch prefers as shared memory; the rest of the array is L1. access_policy_window: How
    lines that its kernels access are kept in the L2; a launch's goes before its stream's. release_us: Not before,
    from the start of the phase; default 0. repeat: How often; default 1. period_us: Least time from a release to the
    next; default 0. sporadic_us: Mean of what that time is longer; default 0. jitter_us: Each release is later by up
    to so much; default 0. seed: Of what is drawn. releases_us: In the place of all these: a list of times, or a CSV
    file's. min_interarrival_us: Least time from a release to the next in any run: what bounds go by; default
    period_us of sporadic releases without jitter, else as released. criticality: A job of a task of level hi that
    overruns its budget of level lo changes the mode to hi; default lo. in_hi_mode: Of a task of level lo: in mode hi
    its jobs do not begin, or one of `degraded_every` does, or all do; default drop. degraded_every: In mode hi one of
    so many jobs runs, with in_hi_mode: degrade; default 2. wcet_us: Longest time of a job alone, by level: {lo: 60,
    hi: 120}. overruns: Jobs that take more than their budget of level lo. task: Name of the task that it is a job of,
    the next; without it, a task of its own.
    """
    return given(**locals())


def record(
    record: str,
    *,
    stream: Optional[Name] = None,
) -> Command:
    """The event is reached when all before it in the stream has ended.

    record: Event: reached when all before it in the stream has ended. stream: Name of a stream of the application.
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

    host_us: The thread computes for so long.
    """
    return given(**locals())


def synchronize(
    synchronize: str = "stream",
    *,
    event: Optional[str] = None,
    stream: Optional[Name] = None,
) -> Command:
    """The thread waits for the `stream`, or for all of its application (`device`).

    synchronize: What the thread waits for: the stream, all of its application, or an event. event: Name of an event
    of the application, with synchronize: event. stream: Name of a stream of the application, with synchronize:
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

    malloc: Name of device memory. bytes: How large it is. address: Default one of its own.
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

    copy: From where to where. stream: Name of a stream of the application. from_: Address, or name of an allocation.
    to: Address, or name of an allocation. bytes: How many. label: What results call it. pageable: Its host memory is
    not pinned: slower, and its thread waits; default false. blocking: The thread waits for its end; default false.
    delay_us: From when nothing holds it any more until it goes to the GPU: what driver and GPU take before it begins;
    default 0. overlaps: It may begin when the command before it in its stream has begun; default false. staged: Of
    pageable host memory: the driver has staged it; the thread goes on, and up to `copy_engine.staging` it is as fast
    as pinned; default false.
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

    memset: How many bytes. stream: Name of a stream of the application. to: Address, or name of an allocation. label:
    What results call it. blocking: The thread waits for its end; default false. delay_us: From when nothing holds it
    any more until it goes to the GPU: what driver and GPU take before it begins; default 0. overlaps: It may begin
    when the command before it in its stream has begun; default false.
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

    job: Name of the task. phase: Starts when all launches of the one before have ended. task: Name of the task that
    it is a job of, the next; without it, a task of its own. deadline_us: Of each job, for its response time.
    min_interarrival_us: Least time from a release to the next in any run: what bounds go by; default period_us of
    sporadic releases without jitter, else as released. criticality: A job of a task of level hi that overruns its
    budget of level lo changes the mode to hi; default lo. in_hi_mode: Of a task of level lo: in mode hi its jobs do
    not begin, or one of `degraded_every` does, or all do; default drop. degraded_every: In mode hi one of so many
    jobs runs, with in_hi_mode: degrade; default 2. commands: That are released together. when_reached: It is released
    when its thread comes to it, however late; default false. wcet_us: Longest time of a job alone, by level: {lo: 60,
    hi: 120}. overruns: Jobs that take more than their budget of level lo. release_us: Not before, from the start of
    the phase; default 0. repeat: How often; default 1. period_us: Least time from a release to the next; default 0.
    sporadic_us: Mean of what that time is longer; default 0. jitter_us: Each release is later by up to so much;
    default 0. seed: Of what is drawn. releases_us: In the place of all these: a list of times, or a CSV file's.
    """
    return given(**locals())


def wait_until(
    wait_until_us: float,
) -> Command:
    """The thread waits until then.

    wait_until_us: The thread waits until then, from the start of its application.
    """
    return given(**locals())


def barrier(
    barrier: int,
) -> Command:
    """The thread waits for all others that come to the barrier of this number.

    barrier: The thread waits for all others that come to the barrier of this number.
    """
    return given(**locals())


def loop(
    loop: Sequence[Command],
    *,
    count: Optional[int] = None,
    time_us: Optional[float] = None,
) -> Command:
    """The calls again and again: `count` times, or until `time_us` has passed.

    loop: What is done again and again. count: How often. time_us: No iteration begins so long after the first.
    """
    return given(**locals())
