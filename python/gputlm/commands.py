"""What is put into streams, and what host threads do (docs/workload.md): one function a command.

The argument `stream` is for calls of threads (gputlm.Thread), which name the stream; commands in a stream do not.
Times are microseconds. Names may be given as the things that bear them: a Kernel, a Stream.
"""

from __future__ import annotations

from typing import Dict, Optional, Sequence

from .values import Json, Name, Place, Shape, Size, given, name_of

Command = Dict[str, Json]


def _stream(stream: Optional[Name]) -> Optional[str]:
    return None if stream is None else name_of(stream)


def launch(
    kernel: Name,
    *,
    stream: Optional[Name] = None,
    grid: Optional[Shape] = None,
    block: Optional[Shape] = None,
    label: Optional[str] = None,
    phase: Optional[int] = None,
    release_us: Optional[float] = None,
    repeat: Optional[int] = None,
    period_us: Optional[float] = None,
    sporadic_us: Optional[float] = None,
    jitter_us: Optional[float] = None,
    seed: Optional[int] = None,
    releases_us: Optional[Sequence[float]] = None,
    deadline_us: Optional[float] = None,
    budget: Optional[int] = None,
    alone_cycles: Optional[int] = None,
    cache_config: Optional[str] = None,
) -> Command:
    """A launch; repeated or with a deadline it is a task, each repetition a job."""
    return given(
        kernel=name_of(kernel),
        stream=_stream(stream),
        grid=grid,
        block=block,
        label=label,
        phase=phase,
        release_us=release_us,
        repeat=repeat,
        period_us=period_us,
        sporadic_us=sporadic_us,
        jitter_us=jitter_us,
        seed=seed,
        releases_us=releases_us,
        deadline_us=deadline_us,
        budget=budget,
        alone_cycles=alone_cycles,
        cache_config=cache_config,
    )


def record(event: str, *, stream: Optional[Name] = None) -> Command:
    """The event is reached when all before it in the stream has ended."""
    return given(record=event, stream=_stream(stream))


def wait(event: str, *, stream: Optional[Name] = None) -> Command:
    """What comes behind it in the stream waits for the event."""
    return given(wait=event, stream=_stream(stream))


def host(us: float) -> Command:
    """The thread computes for so long before its next call."""
    return given(host_us=us)


def synchronize(what: str = "stream", *, stream: Optional[Name] = None) -> Command:
    """The thread waits for the `stream`, or for all of its application (`device`)."""
    return given(synchronize=what, stream=_stream(stream))


def malloc(name: str, bytes: Size, *, address: Optional[int] = None) -> Command:
    """Allocates device memory, which synchronizes the device too."""
    return given(malloc=name, bytes=bytes, address=address)


def free(name: str) -> Command:
    """Frees what `malloc` has allocated."""
    return given(free=name)


def copy(
    kind: str,
    bytes: Size,
    *,
    to: Optional[Place] = None,
    from_: Optional[Place] = None,
    pageable: Optional[bool] = None,
    blocking: Optional[bool] = None,
    label: Optional[str] = None,
    stream: Optional[Name] = None,
) -> Command:
    """`kind`: host_to_device, device_to_host or device_to_device; the host's address may be left out."""
    return given(
        copy=kind,
        bytes=bytes,
        to=to,
        from_=from_,
        pageable=pageable,
        blocking=blocking,
        label=label,
        stream=_stream(stream),
    )


def memset(
    bytes: Size,
    *,
    to: Place,
    blocking: Optional[bool] = None,
    label: Optional[str] = None,
    stream: Optional[Name] = None,
) -> Command:
    """Sets device memory."""
    return given(memset=bytes, to=to, blocking=blocking, label=label, stream=_stream(stream))


def job(
    name: str,
    commands: Sequence[Command],
    *,
    phase: Optional[int] = None,
    release_us: Optional[float] = None,
    repeat: Optional[int] = None,
    period_us: Optional[float] = None,
    sporadic_us: Optional[float] = None,
    jitter_us: Optional[float] = None,
    seed: Optional[int] = None,
    releases_us: Optional[Sequence[float]] = None,
    deadline_us: Optional[float] = None,
) -> Command:
    """Commands that are released together, again and again."""
    return given(
        job=name,
        phase=phase,
        release_us=release_us,
        repeat=repeat,
        period_us=period_us,
        sporadic_us=sporadic_us,
        jitter_us=jitter_us,
        seed=seed,
        releases_us=releases_us,
        deadline_us=deadline_us,
        commands=commands,
    )
