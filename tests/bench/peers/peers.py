# SPDX-License-Identifier: MIT
"""What the measurements beside peers share: thalweg and a peer in turns in one run, and the table.

Debian's packages: see PACKAGES. The peers run within this process, so that their start is not
counted; thalweg runs as a process, and its nodes say how long they took."""
import argparse
import importlib
import json
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PACKAGES = ["python3-numpy", "python3-scipy", "python3-skimage", "python3-opencv", "python3-gdal"]
ENOUGH = 60  # seconds: a contender that has used so much takes no further turn
ROOT = pathlib.Path(__file__).resolve().parents[3]


def sizes(text):
    return [int(word) for word in text.split(",") if word]


def read_options(about, **defaults):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--thalweg", default=str(ROOT / "build/release/thalweg"), metavar="FILE",
                        help="the command; default: that of the preset release")
    parser.add_argument("--size", type=sizes, default=[512], metavar="N,N",
                        help="cells a side, beside the peers; default 512")
    parser.add_argument("--growth", type=sizes, default=[256, 512, 1024, 2048, 4096],
                        metavar="N,N", help="cells a side, thalweg alone; '' for none")
    parser.add_argument("--repeats", type=int, default=9, metavar="N", help="default 9")
    parser.add_argument("--threads", type=int, default=1, metavar="N",
                        help="of thalweg and of what peers have; default 1")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.set_defaults(**defaults)
    options = parser.parse_args()
    if not os.access(options.thalweg, os.X_OK):
        parser.error(f"{options.thalweg} is not there: build the preset release, or say --thalweg")
    for library in ["OMP", "OPENBLAS", "MKL"]:
        os.environ[library + "_NUM_THREADS"] = str(options.threads)
    return options


def need(*names):
    """Modules. They are loaded late, since they read the number of threads while they load."""
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError as error:
        sys.exit(f"{error}: install Debian's {', '.join(PACKAGES)} and run this by "
                 "/usr/bin/python3")


def children_used():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Thalweg:
    """Runs recipes in a folder of its own, which is gone afterwards."""

    def __init__(self, options):
        self.command = [options.thalweg, "run", "--no-cache", "-q", f"--threads={options.threads}"]
        self.kept = tempfile.TemporaryDirectory(prefix="thalweg-peers-")
        self.folder = pathlib.Path(self.kept.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def time(self, recipe, *more):
        """The process's wall and processor seconds, and what it printed."""
        before, begin = children_used(), time.perf_counter()
        done = subprocess.run([*self.command, recipe, "--out=out", *more], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        wall, processor = time.perf_counter() - begin, children_used() - before
        if done.returncode:
            sys.exit(f"thalweg run {recipe} failed:\n{done.stderr}")
        return {"wall": wall, "processor": processor, "printed": done.stdout}

    def run(self, recipe, *more):
        """The report, with the process's wall and processor seconds beside it."""
        timed = self.time(recipe, "--json", *more)
        return {**json.loads(timed["printed"]), **timed}

    def contender(self, node, recipe):
        """Rows for the node `node`, and for the whole process that computes the output `result`.

        The node's processor time is that of a run with it less that of its inputs alone, the
        output `given`."""
        def turn():
            given = self.run(recipe, "--only=given")
            whole = self.run(recipe, "--only=result")
            at = next(entry for entry in whole["nodes"] if entry["path"] == node)
            yield at["type"], at["seconds"], whole["processor"] - given["processor"]
            yield "the whole process", whole["wall"], whole["processor"]
        return turn

    def array(self, recipe, name):
        """An export as an array."""
        (numpy,) = need("numpy")
        self.run(recipe)
        return numpy.load(self.folder / "out" / name)


def peer(name, function, results):
    """A row for function(); what it gives goes to results[name]."""
    def turn():
        wall, processor = time.perf_counter(), time.process_time()
        results[name] = function()
        yield name, time.perf_counter() - wall, time.process_time() - processor
    return turn


def in_turns(contenders, repeats):
    """Contenders take turns, so that what else the machine does hits all alike."""
    times, used = {}, {}
    for _ in range(repeats):
        for contender in contenders:
            if used.get(contender, 0) > ENOUGH:
                continue
            begin = time.perf_counter()
            for name, wall, processor in contender():
                times.setdefault(name, []).append((wall, processor))
            used[contender] = used.get(contender, 0) + time.perf_counter() - begin
    return [summary(name, taken) for name, taken in times.items()]


def summary(name, taken):
    wall, processor = zip(*taken)
    return {"name": name, "turns": len(taken),
            "wall_ms": 1e3 * statistics.median(wall), "wall_min_ms": 1e3 * min(wall),
            "processor_ms": 1e3 * statistics.median(processor),
            "processor_min_ms": 1e3 * min(processor)}


def compare(size, contenders, repeats):
    """A table's rows; `times` is how often the first row's time goes into a row's."""
    rows = in_turns(contenders, repeats)
    wall, processor = rows[0]["wall_ms"], max(rows[0]["processor_ms"], 1e-3)
    for row in rows:
        row["size"] = size
        row["times"] = row["wall_ms"] / wall
        row["processor_times"] = row["processor_ms"] / processor
    return rows


def grow(thalweg, node, recipes, repeats):
    """A row a recipe of [(label, cells, recipe)]: ns a cell of a node alone."""
    rows = []
    for label, cells, recipe in recipes:
        row = in_turns([thalweg.contender(node, recipe)], repeats)[0]
        row["size"] = label
        row["wall_ns"] = 1e6 * row["wall_ms"] / cells
        row["processor_ns"] = 1e6 * row["processor_ms"] / cells
        rows.append(row)
    return rows


def processor_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
        return names[0]
    except (OSError, IndexError):
        return platform.machine()


def document(what, options, modules, **tables):
    return {"format": "thalweg.peers/1", "what": what, "processor": processor_name(),
            "threads": options.threads, "repeats": options.repeats,
            "peers": {module.__name__: module.__version__ for module in modules}, **tables}


def print_rows(rows):
    print(f"{'':34}{'':>6}{'wall ms':>20}{'processor ms':>20}{'times':>9}{'times':>11}")
    print(f"{'':34}{'size':>6}{'median':>10}{'min':>10}{'median':>10}{'min':>10}{'wall':>9}"
          f"{'processor':>11}")
    for row in rows:
        print(f"{row['name']:34}{row['size']:>6}{row['wall_ms']:10.2f}{row['wall_min_ms']:10.2f}"
              f"{row['processor_ms']:10.2f}{row['processor_min_ms']:10.2f}{row['times']:9.2f}"
              f"{row['processor_times']:11.2f}")


def print_growth(title, rows):
    print(f"\n{title:34}{'':>6}{'wall ms':>10}{'ns a cell':>12}{'processor ms':>14}{'ns a cell':>11}")
    for row in rows:
        print(f"{row['name']:34}{row['size']:>6}{row['wall_ms']:10.2f}{row['wall_ns']:12.2f}"
              f"{row['processor_ms']:14.2f}{row['processor_ns']:11.2f}")


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    return [rounded(entry) for entry in value] if isinstance(value, list) else value


def write_json(result):
    json.dump(rounded(result), sys.stdout, indent=1)
    print()


def show(result, options):
    """The document on standard output, as tables or as JSON."""
    if options.json:
        write_json(result)
        return
    peers = ", ".join(f"{name} {version}" for name, version in result["peers"].items())
    print(f"{result['processor']}, {result['threads']} thread(s), medians of "
          f"{result['repeats']} turns; {peers}\n")
    print_rows(result["rows"])
    print()
    for line in result["agreement"]:
        print(f"{line['peer']}, {line['size']} squared: differs by {line['difference']:.2g} "
              f"{line['relative_to']} at most")
    for title, key in [("growth with cells", "growth"), ("growth with features", "features")]:
        if result.get(key):
            print_growth(title, result[key])
