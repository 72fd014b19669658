"""Address patterns of kernels (docs/workload.md, "Address patterns"): one function a kind."""

# Made by scripts/python-forms of what the program says of workload files.
from __future__ import annotations

from typing import Dict, Optional

from .values import Json, Place, Size, given

Pattern = Dict[str, Json]


def coalesced(
    *,
    base: Optional[Place] = None,
    footprint: Optional[Size] = None,
) -> Pattern:
    """The kind `coalesced`.

    base: First address, or the name of managed memory; default: fresh addresses. footprint: Number of bytes within
    which addresses wrap around.
    """
    return given(kind="coalesced", **locals())


def strided(
    stride: int,
    *,
    base: Optional[Place] = None,
    footprint: Optional[Size] = None,
) -> Pattern:
    """The kind `strided`.

    base: First address, or the name of managed memory; default: fresh addresses. stride: Bytes from one thread to the
    next. footprint: Number of bytes within which addresses wrap around.
    """
    return given(kind="strided", **locals())


def affine(
    *,
    base: Optional[Place] = None,
    lane_stride: Optional[int] = None,
    warp_stride: Optional[int] = None,
    block_stride: Optional[int] = None,
    iteration_stride: Optional[int] = None,
    footprint: Optional[Size] = None,
) -> Pattern:
    """The kind `affine`.

    base: First address, or the name of managed memory; default: fresh addresses. lane_stride: Bytes from one lane to
    the next; default 0. warp_stride: Bytes from one warp to the next; default 0. block_stride: Bytes from one block
    to the next; default 0. iteration_stride: Bytes from one iteration of the loops to the next; default 0. footprint:
    Number of bytes within which addresses wrap around.
    """
    return given(kind="affine", **locals())


def indexed(
    *,
    base: Optional[Place] = None,
    thread_x_stride: Optional[int] = None,
    thread_y_stride: Optional[int] = None,
    block_x_stride: Optional[int] = None,
    block_y_stride: Optional[int] = None,
    iteration_stride: Optional[int] = None,
    footprint: Optional[Size] = None,
) -> Pattern:
    """The kind `indexed`.

    base: First address, or the name of managed memory; default: fresh addresses. thread_x_stride: Bytes per step of
    threadIdx.x; default 0. thread_y_stride: Bytes per step of threadIdx.y; default 0. block_x_stride: Bytes per step
    of blockIdx.x; default 0. block_y_stride: Bytes per step of blockIdx.y; default 0. iteration_stride: Bytes from
    one iteration of the loops to the next; default 0. footprint: Number of bytes within which addresses wrap around.
    """
    return given(kind="indexed", **locals())


def broadcast(
    *,
    base: Optional[Place] = None,
    iteration_stride: Optional[int] = None,
) -> Pattern:
    """The kind `broadcast`.

    base: First address, or the name of managed memory; default: fresh addresses. iteration_stride: Bytes from one
    iteration of the loops to the next; default 0.
    """
    return given(kind="broadcast", **locals())


def random(
    footprint: Size,
    *,
    base: Optional[Place] = None,
) -> Pattern:
    """The kind `random`.

    base: First address, or the name of managed memory; default: fresh addresses. footprint: Number of bytes within
    which addresses lie.
    """
    return given(kind="random", **locals())


def set_conflict(
    cache_bytes: Size,
    ways: int,
    *,
    base: Optional[Place] = None,
    line_bytes: Optional[Size] = None,
    lines: Optional[int] = None,
    set: Optional[int] = None,
) -> Pattern:
    """The kind `set_conflict`.

    base: First address, or the name of managed memory; default: fresh addresses. cache_bytes: Size of the cache.
    ways: Associativity of the cache. line_bytes: Line size of the cache; default 128. lines: Number of lines
    accessed; default: twice the ways. set: Set that they map to; default 0.
    """
    return given(kind="set_conflict", **locals())


def reuse(
    bytes: Size,
    *,
    base: Optional[Place] = None,
    owner: Optional[str] = None,
    cold: Optional[float] = None,
) -> Pattern:
    """The kind `reuse`.

    base: First address, or the name of managed memory; default: fresh addresses. bytes: Working set, swept
    repeatedly. owner: Owner of the working set; default block. cold: Share of accesses outside the working set;
    default 0.0.
    """
    return given(kind="reuse", **locals())
