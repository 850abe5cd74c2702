# SPDX-License-Identifier: MIT
"""Checks of what callers give, before the engine, which has C's types, could take it for something else."""
import numbers
import operator
import os
from typing import Any, Union

from ._errors import UsageError

Path = Union[str, bytes, "os.PathLike[Any]"]


def _whole_bytes(raw, what):
    if b"\0" in raw:
        raise ValueError(f"{what} holds a zero byte")
    return raw


def text(value, what):
    """A name or text for the engine."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is {value!r}; expected a str")
    return _whole_bytes(value.encode(), what)


def path(value, what="the path"):
    """A path for the engine."""
    return _whole_bytes(os.fsencode(value), what)


def several(items):
    """A list of what may be given by itself."""
    return [items] if isinstance(items, (str, bytes, os.PathLike)) else list(items)


def whole(value, what, least, most):
    """A whole number within bounds; 2e9 is one, too."""
    try:
        number = operator.index(value)
    except TypeError:
        if not isinstance(value, numbers.Real) or value != value // 1:
            raise TypeError(f"{what} is {value!r}; expected a whole number") from None
        number = int(value)
    if not least <= number <= most:
        raise UsageError(f"{what} is {number}; expected {least} to {most}")
    return number


def size(value):
    """(width, height) of a side, or of both; a height of 0: square."""
    sides = list(value) if hasattr(value, "__len__") and not isinstance(value, (str, bytes)) else [value]
    if len(sides) not in (1, 2):
        raise UsageError(f"size is {value!r}; expected the cells of a side, or (width, height)")
    return tuple(whole(side, "size", 1, 2**31 - 1) for side in sides) + (0,) * (2 - len(sides))


def parameter(value, name):
    """A parameter's value as recipes write it."""
    value = value.item() if hasattr(value, "item") else value  # NumPy's numbers
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    raise TypeError(f"parameter {name} is {value!r}; expected a number, a str, True, False or None")
