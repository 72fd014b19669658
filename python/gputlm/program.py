"""Elements of a kernel's program (docs/workload.md): one function an instruction.

`dst` and `src` name registers; `distance` says instead that it needs the result of the one so many before it.
"""

from __future__ import annotations

from typing import Dict, Optional, Protocol, Sequence, Union

from .values import Json, given

Element = Union[str, Dict[str, Json]]
Program = Sequence[Element]
Registers = Union[int, Sequence[int]]


def _arithmetic(name: str, what: str) -> _Arithmetic:
    def element(
        count: Optional[int] = None,
        *,
        dst: Optional[int] = None,
        src: Optional[Registers] = None,
        distance: Optional[int] = None,
    ) -> Element:
        if dst is None and src is None and distance is None:
            return name if count is None else {name: count}
        return {name: given(dst=dst, src=src, distance=distance, count=count)}

    element.__doc__ = what
    return element


class _Arithmetic(Protocol):
    def __call__(
        self,
        count: Optional[int] = None,
        *,
        dst: Optional[int] = None,
        src: Optional[Registers] = None,
        distance: Optional[int] = None,
    ) -> Element:
        """`count` of them, one after the other."""


fp32 = _arithmetic("fp32", "Single precision.")
int_ = _arithmetic("int", "Integers.")
fp64 = _arithmetic("fp64", "Double precision.")
sfu = _arithmetic("sfu", "Special functions.")
tensor = _arithmetic("tensor", "Tensor cores.")
control = _arithmetic("control", "Branches and the like.")


def load(
    pattern: str,
    *,
    width: Optional[int] = None,
    space: Optional[str] = None,
    offset: Optional[int] = None,
    dst: Optional[int] = None,
    src: Optional[Registers] = None,
    distance: Optional[int] = None,
) -> Element:
    """By an address pattern of the kernel. `width`: bytes a thread; `space`: global, local, shared or constant."""
    return {
        "load": given(pattern=pattern, width=width, space=space, offset=offset, dst=dst, src=src, distance=distance)
    }


def store(
    pattern: str,
    *,
    width: Optional[int] = None,
    space: Optional[str] = None,
    offset: Optional[int] = None,
    src: Optional[Registers] = None,
) -> Element:
    """As `load`."""
    return {"store": given(pattern=pattern, width=width, space=space, offset=offset, src=src)}


def atomic(
    pattern: str,
    *,
    width: Optional[int] = None,
    space: Optional[str] = None,
    offset: Optional[int] = None,
    dst: Optional[int] = None,
    src: Optional[Registers] = None,
    distance: Optional[int] = None,
) -> Element:
    """As `load`, 4 or 8 bytes a thread, in global or shared memory."""
    return {
        "atomic": given(pattern=pattern, width=width, space=space, offset=offset, dst=dst, src=src, distance=distance)
    }


def barrier(number: Optional[int] = None) -> Element:
    """All warps of the block wait for each other."""
    return "barrier" if number is None else {"barrier": number}


def spin(
    *,
    us: Optional[float] = None,
    ns: Optional[float] = None,
    us_per_sm: Optional[float] = None,
    ns_per_sm: Optional[float] = None,
) -> Element:
    """Waits until so long after the block's start; `per_sm`: more for each number of the SM."""
    return {"spin": given(us=us, ns=ns, us_per_sm=us_per_sm, ns_per_sm=ns_per_sm)}


def loop(count: int, body: Program, *, varies: Optional[bool] = None) -> Element:
    """`varies`: the kernel's variation changes the count from block to block."""
    return {"loop": given(count=count, varies=varies, body=list(body))}


def warps(body: Program, *, first: Optional[int] = None, last: Optional[int] = None) -> Element:
    """A part that only these warps of a block run."""
    return {"warps": given(first=first, last=last, body=list(body))}


def variation(spread: float, distribution: Optional[str] = None) -> Dict[str, Json]:
    """Of the runtimes of blocks: uniform, normal, exponential or few_long."""
    return given(spread=spread, distribution=distribution)

