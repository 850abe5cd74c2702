#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What filling a new cache costs: processor time of a recipe's first run with one, beside that of a
run without.

    tests/bench/cold.py [--thalweg PATH] [--turns N] [--threads N] [--json] [RECIPE...]

Both write the recipe's exports; they take turns, and the least of each counts. Without operands all
recipes below graphs/. Folders are new in each turn and are removed at the end: creating files soon
after many were deleted takes ext4 several times as long."""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile


def used(command):
    """Seconds of processor time, of these the kernel's; None when the command fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    system = after.ru_stime - before.ru_stime
    return (after.ru_utime - before.ru_utime + system, system) if done.returncode == 0 else None


def stored(folder):
    sizes = [os.path.getsize(file) for file in pathlib.Path(folder, "v1/cas").glob("*/*")]
    return len(sizes), sum(sizes)


def turn(options, folder, recipe):
    run = [options.thalweg, "run", recipe, "-q", "--threads", str(options.threads), "-o"]
    os.mkdir(folder)
    without = used(run + [f"{folder}/a", "--no-cache"])
    cold = used(run + [f"{folder}/b", "--cache-dir", f"{folder}/cache"])
    return (without, cold, *stored(f"{folder}/cache")) if without and cold else None


def measure(options, folder, recipe):
    name = pathlib.Path(recipe).stem
    turns = [turn(options, f"{folder}/{name}-{i}", recipe) for i in range(options.turns)]
    if None in turns:
        print(f"{recipe}: does not run", file=sys.stderr)
        return None
    without, cold = (min(t[i][0] for t in turns) for i in (0, 1))
    return {"recipe": name, "without_ms": round(without * 1e3, 1), "cold_ms": round(cold * 1e3, 1),
            "ratio": round(cold / without, 2), "values": turns[-1][2],
            "mib": round(turns[-1][3] / 2**20, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("recipes", nargs="*", metavar="RECIPE")
    parser.add_argument("--thalweg", default="build/release/thalweg")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    recipes = options.recipes or sorted(str(p) for p in pathlib.Path("graphs").glob("*.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for recipe in recipes if (row := measure(options, folder, recipe))]
    rows.sort(key=lambda row: -row["ratio"])
    if options.json:
        print(json.dumps({"threads": options.threads, "turns": options.turns, "rows": rows},
                         indent=1))
        return
    print("| recipe | without cache, ms | a new cache, ms | times | values stored | MiB |\n"
          "|---|---|---|---|---|---|")
    for row in rows:
        print("| {recipe} | {without_ms} | {cold_ms} | {ratio} | {values} | {mib} |".format(**row))


if __name__ == "__main__":
    main()
