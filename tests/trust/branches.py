#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many branches of engine/ and nodes/ the tests took:

    cmake --workflow --preset coverage && tests/trust/branches.py [FILE...]

Prints the share of engine/, of nodes/ and of both, and of each FILE. A condition in the source has
two branches. The compiler makes several copies of kernels, for each instruction set and where they
are inlined: a branch counts once, and as taken when any copy took it.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.join(ROOT, "build", "coverage")
CONDITION = re.compile(r"\b(?:if|while|for|case|assert)\b|&&|\|\||\?")


def counters():
    """The files of gcov's counters of the layers and nodes."""
    for folder, _, names in os.walk(os.path.join(BUILD, "CMakeFiles")):
        for name in names:
            if name.endswith(".gcda") and "/tw_" in folder:
                yield os.path.join(folder, name[:-5] + ".gcno")


def merge(copies, conditions):
    """The branches of a line: whether any of its copies took each."""
    count = min(len(copy) for copy in copies)
    if conditions > 0:
        count = min(count, 2 * conditions)
    elif count > 2:
        return []  # vectors that the machine lacks, cell by cell: no condition of the source
    taken = [False] * count
    for copy in copies:
        for i, was_taken in enumerate(copy):
            taken[i % count] |= was_taken
    return taken


def branches(file, lines):
    """The branches of a source file, and how many were taken."""
    with open(os.path.join(ROOT, file), encoding="utf-8") as source:
        text = source.read().split("\n")
    copies = {}
    for line in lines:
        if line["branches"]:
            row = [branch["count"] > 0 for branch in line["branches"]]
            copies.setdefault(line["line_number"], []).append(row)
    merged = [merge(rows, len(CONDITION.findall(text[number - 1])))
              for number, rows in copies.items()]
    return sum(len(row) for row in merged), sum(sum(row) for row in merged)


def main():
    total = {"engine": [0, 0], "nodes": [0, 0]}
    files = {}
    for notes in counters():
        out = subprocess.run(["gcov", "-b", "-j", "-t", notes], capture_output=True, text=True,
                             cwd=BUILD, check=True).stdout
        for data in (json.loads(line) for line in out.splitlines() if line.startswith("{")):
            for source in data["files"]:
                file = os.path.relpath(os.path.join(BUILD, source["file"]), ROOT)
                if re.match(r"(engine|nodes)/.*\.c$", file):
                    files[file] = branches(file, source["lines"])
    for file, (count, taken) in files.items():
        total[file.split("/")[0]][0] += count
        total[file.split("/")[0]][1] += taken
    rows = list(total.items())
    rows.append(("both", [sum(column) for column in zip(*total.values())]))
    rows += [(file, files[file]) for file in sys.argv[1:]]
    for name, (count, taken) in rows:
        print(f"{name}: {taken} of {count} branches, {100 * taken / max(count, 1):.1f} %")


if __name__ == "__main__":
    main()
