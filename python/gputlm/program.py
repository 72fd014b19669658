"""Elements of a kernel's program (docs/workload.md): one function an instruction."""

# Made by scripts/python-forms of what the program says of workload files.
from __future__ import annotations

from typing import Dict, Optional, Sequence, Union

from .values import Json, Shape, Size, given

Element = Union[str, Dict[str, Json]]
Program = Sequence[Element]


class _Arithmetic:
    def __init__(self, name: str):
        self.name = name

    def __call__(
        self,
        count: Optional[int] = None,
        *,
        dst: Optional[int] = None,
        src: Optional[Shape] = None,
        distance: Optional[int] = None,
    ) -> Element:
        """So many of the instruction, one after the other.

        dst: Register that it writes. src: Registers that it reads. distance: Needs the result of the instruction this
        many before it; default 0. count: Number of these instructions; default 1.
        """
        if dst is None and src is None and distance is None:
            return self.name if count is None else {self.name: count}
        return {self.name: given(dst=dst, src=src, distance=distance, count=count)}


fp32 = _Arithmetic("fp32")
int_ = _Arithmetic("int")
fp64 = _Arithmetic("fp64")
sfu = _Arithmetic("sfu")
tensor = _Arithmetic("tensor")
control = _Arithmetic("control")
branch = _Arithmetic("branch")


def load(
    pattern: str,
    *,
    space: Optional[str] = None,
    width: Optional[int] = None,
    offset: Optional[int] = None,
    dst: Optional[int] = None,
    src: Optional[Shape] = None,
    distance: Optional[int] = None,
    rank: Optional[int] = None,
    peer: Optional[int] = None,
) -> Element:
    """`load`, by an address pattern.

    pattern: Name of an address pattern of the kernel. space: Memory that it accesses; cluster: shared memory of a
    block of the same cluster, by rank or peer; default global. width: Size of a thread's access; default 4. offset:
    Offset from the addresses of the pattern; default 0. dst: Register that it writes. src: Registers that it reads.
    distance: Needs the result of the instruction this many before it; default 0. rank: Rank of the block in the
    cluster. peer: The same, relative to the block's own rank, modulo the cluster size.
    """
    return {"load": given(**locals())}


def store(
    pattern: str,
    *,
    space: Optional[str] = None,
    width: Optional[int] = None,
    offset: Optional[int] = None,
    src: Optional[Shape] = None,
    rank: Optional[int] = None,
    peer: Optional[int] = None,
) -> Element:
    """`store`, by an address pattern.

    pattern: Name of an address pattern of the kernel. space: Memory that it accesses; cluster: shared memory of a
    block of the same cluster, by rank or peer; default global. width: Size of a thread's access; default 4. offset:
    Offset from the addresses of the pattern; default 0. src: Registers that it reads. rank: Rank of the block in the
    cluster. peer: The same, relative to the block's own rank, modulo the cluster size.
    """
    return {"store": given(**locals())}


def atomic(
    pattern: str,
    *,
    space: Optional[str] = None,
    width: Optional[int] = None,
    offset: Optional[int] = None,
    dst: Optional[int] = None,
    src: Optional[Shape] = None,
    distance: Optional[int] = None,
    rank: Optional[int] = None,
    peer: Optional[int] = None,
) -> Element:
    """`atomic`, by an address pattern.

    pattern: Name of an address pattern of the kernel. space: Memory that it accesses; cluster: shared memory of a
    block of the same cluster, by rank or peer; default global. width: Size of a thread's access; default 4. offset:
    Offset from the addresses of the pattern; default 0. dst: Register that it writes. src: Registers that it reads.
    distance: Needs the result of the instruction this many before it; default 0. rank: Rank of the block in the
    cluster. peer: The same, relative to the block's own rank, modulo the cluster size.
    """
    return {"atomic": given(**locals())}


def barrier(number: Optional[int] = None) -> Element:
    """All warps of the block wait for each other."""
    return "barrier" if number is None else {"barrier": number}


def fence() -> Element:
    """Waits until the warp's accesses so far have been performed."""
    return "fence"


def cluster_barrier() -> Element:
    """A fence, and waits until all warps of its cluster's blocks have come there."""
    return "cluster_barrier"


def cluster_arrive() -> Element:
    """A fence, and the warp has come to the barrier of its cluster."""
    return "cluster_arrive"


def cluster_arrive_relaxed() -> Element:
    """The warp has come to the barrier of its cluster, without a fence."""
    return "cluster_arrive_relaxed"


def cluster_wait() -> Element:
    """Waits until all warps of its cluster's blocks have."""
    return "cluster_wait"


def mbarrier_init(
    number: int,
    *,
    arrivals: Optional[int] = None,
) -> Element:
    """A barrier in shared memory: its number, or with more.

    number: Number of the mbarrier. arrivals: Number of arrivals that complete a phase; default 1.
    """
    return {"mbarrier_init": given(**locals())}


def mbarrier_arrive(
    number: int,
    *,
    arrivals: Optional[int] = None,
    bytes: Optional[Size] = None,
    rank: Optional[int] = None,
    peer: Optional[int] = None,
) -> Element:
    """Arrives there, and says for how many bytes it waits.

    number: Number of the mbarrier. arrivals: Number of arrivals that it counts as; default 1. bytes: Bytes that the
    phase also waits for; default 0. rank: Rank of the block in the cluster. peer: The same, relative to the block's
    own rank, modulo the cluster size.
    """
    return {"mbarrier_arrive": given(**locals())}


def mbarrier_wait(
    number: int,
    *,
    parity: Optional[int] = None,
) -> Element:
    """Waits until a phase there has ended.

    number: Number of the mbarrier. parity: Parity of the phase that the warp's first wait is for; it alternates with
    every wait; default 0.
    """
    return {"mbarrier_wait": given(**locals())}


def tma_load(
    pattern: str,
    bytes: Size,
    mbarrier: int,
    *,
    rows: Optional[int] = None,
    pitch: Optional[int] = None,
    multicast: Optional[str] = None,
) -> Element:
    """TMA copies rows into shared memory, which count at an mbarrier.

    pattern: Name of an address pattern: its first lane gives the address of the first row. bytes: Bytes per row.
    rows: Rows of the tile; default 1. pitch: Distance of consecutive rows; default: `bytes`. mbarrier: Number of the
    mbarrier. multicast: Blocks of the cluster that receive the tile: those beside it in this dimension, or all;
    default none.
    """
    return {"tma_load": given(**locals())}


def launch_dependents() -> Element:
    """Its block lets a kernel that depends on this one begin (programmatic dependent launch)."""
    return "launch_dependents"


def grid_dependency_wait() -> Element:
    """Waits until the kernel that this one depends on has ended."""
    return "grid_dependency_wait"


def spin(
    us: Optional[float] = None,
    *,
    us_per_sm: Optional[float] = None,
    ns: Optional[float] = None,
    ns_per_sm: Optional[float] = None,
) -> Element:
    """Waits until so long after the block's start.

    us: Time since the block's start; default 0. us_per_sm: Additional time per number of the SM; default 0. ns: The
    same in nanoseconds. ns_per_sm: The same in nanoseconds.
    """
    return {"spin": given(**locals())}


def loop(
    count: int,
    body: Program,
    *,
    varies: Optional[bool] = None,
) -> Element:
    """Again and again.

    count: Number of iterations. varies: The kernel's variation changes the count; default false. body: Body of the
    loop.
    """
    return {"loop": given(**locals())}


def warps(
    body: Program,
    *,
    first: Optional[int] = None,
    last: Optional[int] = None,
) -> Element:
    """A part for some warps of a block.

    first: Number of the first warp; default 0. last: Number of the last warp; default: the block's last. body:
    Program of these warps.
    """
    return {"warps": given(**locals())}


def work(
    units: Shape,
    body: Program,
    *,
    schedule: Optional[str] = None,
    counters: Optional[Size] = None,
) -> Element:
    """Units of work that the blocks divide.

    units: Units of work: a number or [x, y, z]; at least as many as blocks. schedule: How units are assigned to
    blocks; default dynamic. counters: Address of the counters; default: a fresh one; default 0. body: Program of each
    unit.
    """
    return {"work": given(**locals())}


def variation(
    spread: float,
    distribution: Optional[str] = None,
) -> Dict[str, Json]:
    """Of the runtimes of blocks.

    spread: Relative standard deviation. distribution: Distribution of the factors; default uniform.
    """
    return given(**locals())
