"""What workload files are made of (docs/workload.md): numbers, sizes, shapes, and mappings without what is not given."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, Mapping, Sequence, Union

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


def given(**values: Json) -> Dict[str, Json]:
    """The values that are not None; an underscore at the end of a key is Python's, not the file's."""
    return {key.rstrip("_"): plain(value) for key, value in values.items() if value is not None}


def json_text(value: Json) -> str:
    """As the files of the program, which are YAML, may have it."""
    return json.dumps(value, indent=1, ensure_ascii=False, default=_number) + "\n"


def _number(value: Json) -> Json:
    """Python's number of one of numpy's."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is neither a number nor a text")


def plain(value: Json) -> Json:
    """With lists and dictionaries for what is like them, and the names of what has one."""
    if isinstance(value, Named):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [plain(one) for one in value]
    return value

