#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the engine itself costs: a recipe of 10,000 nodes on maps so small that computing takes next
to nothing, without cache, with a new one, and with a full one.

    tests/bench/nodes.py [--thalweg PATH] [--nodes N] [--size N] [--turns N] [--threads N]
                         [--shape tree|chain] [--json]

A tree is noise, added two by two; a chain is blurred again and again, of two noises in turn so that
no value comes twice. Figures are microseconds of processor time per node, less what `thalweg check`
takes for the same file, the least of the turns. Folders are new in each turn and are removed at the
end: creating files soon after many were deleted takes ext4 several times as long."""
import argparse
import json
import os
import resource
import subprocess
import tempfile


def tree(nodes):
    lines, ids = [], []
    for i in range((nodes + 1) // 2):
        lines.append(f"  l{i}: {{type: noise.perlin, octaves: 1}}")
        ids.append(f"l{i}")
    while len(ids) > 1:
        above = []
        for a, b in zip(ids[::2], ids[1::2]):
            above.append(f"s{len(lines)}")
            lines.append(f"  {above[-1]}: {{type: combine.add, a: {a}, b: {b}}}")
        ids = above + ids[len(ids) & ~1:]
    return lines, ids[0]


def chain(nodes):
    lines = ["  l: {type: noise.perlin}", "  n1: {type: shape.blur, in: l, radius: 1}"]
    for i in range(2, nodes // 2 + 1):
        lines.append(f"  m{i}: {{type: combine.add, a: n{i - 1}, b: l}}")
        lines.append(f"  n{i}: {{type: shape.blur, in: m{i}, radius: 1}}")
    return lines, lines[-1].split(":")[0].strip()


def write(path, options):
    lines, last = (tree if options.shape == "tree" else chain)(options.nodes)
    with open(path, "w", encoding="utf-8") as recipe:
        recipe.write(f"thalweg: 1\nsize: {options.size}\nseed: 1\nnodes:\n" + "\n".join(lines) +
                     f"\noutputs: {{out: {last}}}\nexport: {{out.npy: out}}\n")
    return len(lines)


def used(command):
    """Seconds of processor time: in all, of these the kernel's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    system = after.ru_stime - before.ru_stime
    return after.ru_utime - before.ru_utime + system, system


def turn(options, folder, recipe):
    run = [options.thalweg, "run", recipe, "-q", "--threads", str(options.threads), "-o"]
    cache = ["--cache-dir", f"{folder}/cache"]
    os.mkdir(folder)
    return {"check": used([options.thalweg, "check", recipe]),
            "without cache": used(run + [f"{folder}/a", "--no-cache"]),
            "cold": used(run + [f"{folder}/b"] + cache),
            "warm": used(run + [f"{folder}/b"] + cache)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--thalweg", default="build/release/thalweg")
    parser.add_argument("--nodes", type=int, default=10000)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--shape", choices=["tree", "chain"], default="tree")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        nodes = write(f"{folder}/nodes.yaml", options)
        turns = [turn(options, f"{folder}/{i}", f"{folder}/nodes.yaml")
                 for i in range(options.turns)]
    best = {row: min(t[row] for t in turns) for row in turns[0]}
    check = best["check"][0]
    rows = [{"run": row, "microseconds": round((seconds - (row != "check") * check) * 1e6 / nodes, 1),
             "of the kernel": round(system * 1e6 / nodes, 1)}
            for row, (seconds, system) in best.items()]
    if options.json:
        print(json.dumps({"shape": options.shape, "nodes": nodes, "size": options.size,
                          "threads": options.threads, "turns": options.turns, "rows": rows},
                         indent=1))
        return
    print(f"{'us a node':16} {'in all':>8} {'kernel':>8}   {nodes} nodes, {options.shape}, "
          f"{options.size} squared, {options.threads} threads")
    for row in rows:
        print(f"{row['run']:16} {row['microseconds']:8.1f} {row['of the kernel']:8.1f}")


if __name__ == "__main__":
    main()
