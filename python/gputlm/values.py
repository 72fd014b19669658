"""What workload files are made of (docs/workload.md): numbers, sizes, shapes, and mappings without what is not given."""

from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Sequence, Union

Size = Union[int, str]
"""Bytes, or with a unit: "48KiB", "2MiB", "1GiB"."""
Shape = Union[int, Sequence[int]]
"""One to three dimensions, x first."""
Place = Union[int, str]
"""An address, or the name of memory."""
PathLike = Union[str, "os.PathLike[str]"]
Json = Any
"""What the module json writes."""


class Named:
    """What others may mean by its name."""

    name: str


Name = Union[str, Named]


def name_of(what: Name) -> str:
    return what if isinstance(what, str) else what.name


def given(**values: Json) -> Dict[str, Json]:
    """The values that are not None; an underscore at the end of a key is Python's, not the file's."""
    return {key.rstrip("_"): plain(value) for key, value in values.items() if value is not None}


def plain(value: Json) -> Json:
    """With lists and dictionaries for what is like them."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [plain(one) for one in value]
    return value

