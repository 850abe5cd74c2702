# SPDX-License-Identifier: MIT
"""Thalweg from Python: terrain from recipes, as NumPy arrays.

    import thalweg
    hills = thalweg.Recipe("hills.yaml", talus=12).run()
    hills.height            # a read-only array (height, width)
"""
from __future__ import annotations as _annotations

import ctypes as _C
import json as _json
from typing import Any as _Any

from . import _abi, _given
from ._command import CommandError, compare, lock, verify
from ._errors import Cancelled, InputError, LimitError, OutOfMemory, PathError, RecipeError, ThalwegError, ThalwegWarning, UsageError
from ._picture import of as picture
from ._picture import relief
from ._recipe import NodeReport, Param, Port, Recipe, Report, Result

__version__ = _abi.version().decode()
__all__ = ["Cancelled", "CommandError", "InputError", "LimitError", "NodeReport", "OutOfMemory", "Param", "PathError", "Port", "Recipe",
           "RecipeError", "Report", "Result", "ThalwegError", "ThalwegWarning", "UsageError", "compare", "lock", "node_types", "picture",
           "relief", "run", "schema", "trim", "verify"]


def run(path: _given.Path | None = None, **options: _Any) -> Result:
    """Recipe(...).run(...) in one call: keywords of both."""
    names = ("threads", "cache", "only", "progress", "max_seconds", "max_memory")
    chosen = {name: options.pop(name) for name in names if name in options}
    return Recipe(path, **options).run(**chosen)


def _document(text):
    try:
        return _json.loads(_C.string_at(text))
    finally:
        _abi.text_release(text)


def node_types(name: str | None = None) -> _Any:
    """All node types, or the one called `name`, as `thalweg nodes --json` describes them."""
    text = _abi.catalogue_json(None, _given.text(name, "the type") if name is not None else None)
    if not text:
        raise KeyError(f"there is no node type '{name}'")
    return _document(text)


def schema() -> dict[str, _Any]:
    """The JSON Schema of recipes."""
    return _document(_abi.schema_json(None))


def trim() -> None:
    """Returns memory that the engine keeps for later runs to the system."""
    _abi.trim()
