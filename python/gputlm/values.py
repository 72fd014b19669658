"""The values of workload files (docs/workload.md): numbers, sizes, shapes, and mappings without absent keys."""

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
"""A value that the module json writes."""


class Named:
    """An object that others may refer to by its name."""

    name: str


Name = Union[str, Named]


def given(**values: Json) -> Dict[str, Json]:
    """The values that are not None; an underscore at the end of a key is Python's, not the file's."""
    return {key.rstrip("_"): plain(value) for key, value in values.items() if value is not None}


def json_text(value: Json) -> str:
    """JSON text that is valid YAML for the program."""
    return json.dumps(value, indent=1, ensure_ascii=False, default=_number) + "\n"


def _number(value: Json) -> Json:
    """Converts a numpy number to a Python number."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is neither a number nor a text")


def plain(value: Json) -> Json:
    """Converts sequences and mappings to lists and dictionaries, and named objects to their names."""
    if isinstance(value, Named):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [plain(one) for one in value]
    return value

