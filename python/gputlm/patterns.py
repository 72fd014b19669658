"""Address patterns of kernels (docs/workload.md, "Address patterns"): one function a kind.

Strides are bytes. `base` is an address or the name of managed memory; without it a pattern has addresses of its own.
"""

from __future__ import annotations

from typing import Dict, Optional

from .values import Json, Place, Size, given

Pattern = Dict[str, Json]


def coalesced(*, base: Optional[Place] = None, footprint: Optional[Size] = None) -> Pattern:
    """Each thread the next element; around within `footprint` if given."""
    return given(kind="coalesced", base=base, footprint=footprint)


def strided(stride: int, *, base: Optional[Place] = None, footprint: Optional[Size] = None) -> Pattern:
    """The same with `stride` from thread to thread."""
    return given(kind="strided", stride=stride, base=base, footprint=footprint)


def affine(
    *,
    lane_stride: Optional[int] = None,
    warp_stride: Optional[int] = None,
    block_stride: Optional[int] = None,
    iteration_stride: Optional[int] = None,
    base: Optional[Place] = None,
    footprint: Optional[Size] = None,
) -> Pattern:
    """Linear in lane, warp, block and iteration."""
    return given(
        kind="affine",
        lane_stride=lane_stride,
        warp_stride=warp_stride,
        block_stride=block_stride,
        iteration_stride=iteration_stride,
        base=base,
        footprint=footprint,
    )


def indexed(
    *,
    thread_x_stride: Optional[int] = None,
    thread_y_stride: Optional[int] = None,
    block_x_stride: Optional[int] = None,
    block_y_stride: Optional[int] = None,
    iteration_stride: Optional[int] = None,
    base: Optional[Place] = None,
    footprint: Optional[Size] = None,
) -> Pattern:
    """Linear in the indices."""
    return given(
        kind="indexed",
        thread_x_stride=thread_x_stride,
        thread_y_stride=thread_y_stride,
        block_x_stride=block_x_stride,
        block_y_stride=block_y_stride,
        iteration_stride=iteration_stride,
        base=base,
        footprint=footprint,
    )


def broadcast(*, iteration_stride: Optional[int] = None, base: Optional[Place] = None) -> Pattern:
    """One address for all."""
    return given(kind="broadcast", iteration_stride=iteration_stride, base=base)


def random(footprint: Size, *, base: Optional[Place] = None) -> Pattern:
    """Uniform over `footprint`."""
    return given(kind="random", footprint=footprint, base=base)


def set_conflict(
    cache_bytes: Size,
    ways: int,
    *,
    line_bytes: Optional[Size] = None,
    lines: Optional[int] = None,
    set: Optional[int] = None,
    base: Optional[Place] = None,
) -> Pattern:
    """Lines of one cache set."""
    return given(
        kind="set_conflict", cache_bytes=cache_bytes, ways=ways, line_bytes=line_bytes, lines=lines, set=set, base=base
    )


def reuse(
    bytes: Size, *, owner: Optional[str] = None, cold: Optional[float] = None, base: Optional[Place] = None
) -> Pattern:
    """A working set swept again and again, of a `block` or `warp`; `cold`: share of accesses that go elsewhere."""
    return given(kind="reuse", bytes=bytes, owner=owner, cold=cold, base=base)
