#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One table of the same recipes from everywhere: the command, Python, the command for Windows under wine
and the one for aarch64 under qemu.

    tests/trust/table.py COMMAND LIBRARY [NAME=COMMAND...]

A cell is the start of the SHA-256 of the numbers in a recipe's height.npy; Python computes them without the
file. Each NAME adds a column, with a command whose words are separated by spaces. The exit code is 1 when a
row has two digests, or a column none. Needs NumPy.
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPES = ["olsen-hills", "weiss/island", "weiss/edited", "rusnell/text"]
SIZE = 96


def digest(numbers):
    return hashlib.sha256(numpy.ascontiguousarray(numbers).tobytes()).hexdigest()[:16]


def by_command(command, recipe):
    """Runs a recipe, in the checkout, so that its path means the same to a program of Windows."""
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        folder = pathlib.Path(folder).relative_to(ROOT)
        run = [*command.split(), "run", f"graphs/{recipe}.yaml", "--size", str(SIZE), "--no-cache", "-q", "-o", str(folder)]
        done = subprocess.run(run, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            print(f"{' '.join(run)}: {done.stderr.strip()}", file=sys.stderr)
            return "-"
        return digest(numpy.load(ROOT / folder / "height.npy"))


def by_python(recipe):
    return digest(thalweg.Recipe(str(ROOT / f"graphs/{recipe}.yaml"), size=SIZE).run(only="height")["height"])


def main():
    columns = {"command": sys.argv[1], "python": None}
    columns.update(argument.split("=", 1) for argument in sys.argv[3:])
    print(f"{'':14}" + "".join(f"{name:18}" for name in columns))
    ok = True
    for recipe in RECIPES:
        row = [by_command(command, recipe) if command else by_python(recipe) for command in columns.values()]
        print(f"{recipe:14}" + "".join(f"{cell:18}" for cell in row), flush=True)
        ok = ok and len(set(row)) == 1 and row[0] != "-"
    print("the same everywhere" if ok else "DIFFERENT")
    return 0 if ok else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    os.environ["THALWEG_LIBRARY"] = sys.argv[2]
    sys.path.insert(0, str(ROOT / "engine/python"))
    import numpy
    import thalweg

    sys.exit(main())
