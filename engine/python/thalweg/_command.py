# SPDX-License-Identifier: MIT
"""The command, for what the library leaves to it: exports, comparisons and the gate."""
from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from typing import Any

from . import _given
from ._errors import ThalwegError


def _fault(error):
    """The members of a ThalwegError for an entry of `errors`."""
    return {name: error.get(name) or missing for name, missing in
            (("message", ""), ("status", ""), ("file", ""), ("line", 0), ("column", 0), ("node", ""), ("hint", ""))}


class CommandError(ThalwegError):
    """The command could not do it; `document` is what it printed, `errors` its faults (docs/json.md), of which the other
    members are those of the first."""

    def __init__(self, document):
        self.document, self.errors = document, document.get("errors", [])
        super().__init__(**_fault(self.errors[0] if self.errors else {"message": document.get("status")}))
        self.faults += [ThalwegError(**_fault(error)) for error in self.errors[1:]]
        self.args = (document,)


def command_path():
    """THALWEG_COMMAND, else the command beside this package, as wheels have it, else the one in PATH."""
    name = "thalweg.exe" if os.name == "nt" else "thalweg"
    beside = os.path.join(os.path.dirname(__file__), "_bin", name)
    found = os.environ.get("THALWEG_COMMAND") or (beside if os.path.exists(beside) else shutil.which(name))
    if not found:
        raise FileNotFoundError("there is no command thalweg; install it, or name it in THALWEG_COMMAND")
    return found


def arguments_of(options):
    """Options as keywords: max_memory="2G" is --max-memory 2G, dry_run=True is --dry-run, a list repeats its option."""
    arguments = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is True:
                arguments.append(option)
            elif item is not None and item is not False:
                arguments += [option, os.fspath(item) if isinstance(item, os.PathLike) else str(item)]
    return arguments


def run_command(name, *operands, text=None, folder=None, differs=False, **options):
    """Runs a command, in `folder`, with --json and returns its document. Exit codes above 0 are a CommandError; 1, a
    difference, is one unless `differs`. Ctrl-C stops the command first."""
    arguments = [command_path(), name, "--json", "--quiet", *arguments_of(options), "--", *map(os.fspath, operands)]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE if text is not None else subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", cwd=folder)
    try:
        output, messages = process.communicate(text)
    except BaseException:
        process.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
        process.communicate()  # what it still writes must have somewhere to go
        raise
    try:
        document = json.loads(output)
    except ValueError:
        raise RuntimeError(f"thalweg {name} ended with {process.returncode} and no document: {messages.strip() or output[:200]}") from None
    if process.returncode > (1 if differs else 0):
        raise CommandError(document)
    return document


def compare(experiment: _given.Path, **options: Any) -> dict[str, Any]:
    """Runs an experiment, `thalweg compare`, and returns its document."""
    return run_command("compare", experiment, differs=True, **options)


def lock(*recipes: _given.Path, **options: Any) -> dict[str, Any]:
    """Writes locks of recipes, `thalweg lock --yes`, and returns its document."""
    return run_command("lock", *recipes, **{"yes": True, **options})


def verify(*recipes: _given.Path, **options: Any) -> dict[str, Any]:
    """Compares recipes with their locks, `thalweg verify`, and returns its document; `exit_code` 1 there is a difference."""
    return run_command("verify", *recipes, differs=True, **options)


def main():
    """The command itself, as wheels install it."""
    path = command_path()
    if os.name == "nt":
        sys.exit(subprocess.run([path, *sys.argv[1:]], check=False).returncode)
    os.execv(path, [path, *sys.argv[1:]])
