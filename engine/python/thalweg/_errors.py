# SPDX-License-Identifier: MIT
"""What goes wrong, with its place in the recipe."""
from __future__ import annotations

from . import _abi


def _text(raw):
    return raw.decode("utf-8", "replace")


class ThalwegError(Exception):
    """A fault. `file`, `line` and `column` say where (line 0: nowhere in a file), `node` is the node's path as in
    "hills/noise", `message` what was found and what is expected, `hint` what may be meant. `faults` holds every fault of a
    recipe in the order of its file, and begins with this one."""

    faults: list[ThalwegError]

    def __init__(self, message: str = "", *, status: str = "", file: str = "", line: int = 0, column: int = 0, node: str = "",
                 hint: str = "") -> None:
        self.message, self.status, self.hint = message, status, hint
        self.file, self.line, self.column, self.node = file, line, column, node
        self.faults = [self]
        super().__init__(message)

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        if self.file and not self.line and self.file not in self.message:
            place = f"{self.file}: "
        node = f"{self.node}: " if self.node else ""
        return place + node + self.message + (f" ({self.hint})" if self.hint else "")


class UsageError(ThalwegError, ValueError):
    """A name, type or size that does not fit the recipe."""


class RecipeError(ThalwegError):
    """The recipe is not valid."""


class InputError(ThalwegError, ValueError):
    """A file or array is not valid."""


class LimitError(ThalwegError):
    """The run would exceed, or has exceeded, a limit on nodes, memory or time."""


class PathError(ThalwegError):
    """The recipe may not read that file."""


class OutOfMemory(ThalwegError, MemoryError):
    """There is no memory left."""


class Cancelled(ThalwegError):
    """The run was stopped."""


class ThalwegWarning(UserWarning):
    """What a recipe or run warns of."""


# enum tw_status, in the order of TW_STATUS_LIST
KINDS = {2: UsageError, 3: RecipeError, 4: InputError, 5: LimitError, 6: PathError, 9: OutOfMemory, 10: Cancelled}


def exception_of(error, faults=()):
    """The exception for a filled-in _abi.Error."""
    file, line, column = _text(error.file), error.line, error.column
    if file == "command line":  # the engine's place of parameters and sizes that are given beside a recipe
        file, line, column = "", 0, 0
    made = KINDS.get(error.status, ThalwegError)(
        _text(error.message), status=_text(_abi.status_text(error.status)), file=file, line=line, column=column,
        node=_text(error.path), hint=_text(error.hint))
    made.faults = list(faults) or [made]
    return made
