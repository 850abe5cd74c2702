#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gaps, steps and water on a real elevation model beside NumPy and SciPy: real_land.py COMMAND."""

import csv
import heapq
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import scipy.ndimage as ndimage
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

HERE = pathlib.Path(__file__).resolve().parents[2]
EIGHT = np.ones((3, 3), bool)
WIDTH, HEIGHT = 403, 344


def run(command, folder, nodes, files):
    """The arrays that a recipe of these nodes exports: name, node."""
    text = f"thalweg: 1\nsize: [{WIDTH}, {HEIGHT}]\nborders: closed\nnodes:\n"
    text += "".join(f"  {line}\n" for line in nodes)
    text += "export:\n" + "".join(f"  {name}{'' if '.' in name else '.npy'}: {node}\n"
                                   for name, node in files.items())
    (folder / "recipe.yaml").write_text(text)
    subprocess.run([command, "run", "recipe.yaml", "--no-cache", "-q", "--out", "out"], cwd=folder,
                   check=True, stdout=subprocess.DEVNULL)
    return {name: np.load(folder / "out" / f"{name}.npy") for name in files if "." not in name}


def terms(plate):
    """Rows of weights whose squares make the energy of a membrane or a plate."""
    cell = np.arange(WIDTH * HEIGHT).reshape(HEIGHT, WIDTH)
    if plate:
        twist = np.sqrt(2)
        groups = [((cell[:, :-2], cell[:, 1:-1], cell[:, 2:]), (1, -2, 1)),
                  ((cell[:-2], cell[1:-1], cell[2:]), (1, -2, 1)),
                  ((cell[:-1, :-1], cell[:-1, 1:], cell[1:, :-1], cell[1:, 1:]),
                   (twist, -twist, -twist, twist))]
    else:
        groups = [((cell[:, :-1], cell[:, 1:]), (1, -1)), ((cell[:-1], cell[1:]), (1, -1))]
    rows, columns, weights, count = [], [], [], 0
    for cells, factors in groups:
        for of, factor in zip(cells, factors):
            rows.append(np.arange(count, count + of.size))
            columns.append(of.ravel())
            weights.append(np.full(of.size, float(factor)))
        count += cells[0].size
    return sparse.csr_matrix((np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))),
                             shape=(count, WIDTH * HEIGHT))


def solve(z, gaps, plate):
    energy = terms(plate)
    matrix, inside = (energy.T @ energy).tocsr(), gaps.ravel()
    x = z.astype(float).ravel()
    right = -matrix[inside][:, ~inside] @ x[~inside]
    x[inside] = linalg.spsolve(matrix[inside][:, inside].tocsc(), right)
    return x.reshape(z.shape)


def flood(z, outlet):
    """The least surface without depressions: reconstruction by erosion."""
    level = np.where(outlet, z, np.inf)
    while True:
        lower = np.maximum(ndimage.minimum_filter(level, footprint=EIGHT, mode="constant", cval=np.inf), z)
        lower = np.where(outlet, z, lower)
        if np.array_equal(lower, level):
            return level
        level = lower


def require(what, holds, *numbers):
    print("ok  " if holds else "FAIL", what, *[f"{number:.3g}" for number in numbers])
    return bool(holds)


def check_gaps(command, folder, dem):
    gaps = np.zeros(dem.shape, bool)
    south, east = np.mgrid[:HEIGHT, :WIDTH]
    for x, y, radius in [(100, 100, 45), (250, 200, 20), (0, 200, 30), (402, 343, 35)]:
        gaps |= (east - x) ** 2 + (south - y) ** 2 < radius ** 2
    gaps[8:11, 40:350] = True
    np.save(folder / "holes.npy", np.where(gaps, dem.min(), dem).astype("f4"))
    np.save(folder / "gaps.npy", gaps.astype("f4"))
    got = run(command, folder, ["land: {type: source.heightmap, file: holes.npy}",
                                "mark: {type: source.heightmap, file: gaps.npy}",
                                "gaps: {type: mask.threshold, in: mark, level: 0.5}",
                                "m: {type: shape.fill_gaps, in: land, gaps: gaps}",
                                "p: {type: shape.fill_gaps, in: land, gaps: gaps, surface: plate}"],
              {"m": "m", "p": "p"})
    fine = True
    for name, plate in (("m", False), ("p", True)):
        error = np.abs(got[name] - solve(dem, gaps, plate)).max() / np.ptp(dem)
        fine &= require(f"fill_gaps {'plate' if plate else 'membrane'} as spsolve", error < 1e-6, error)
        fine &= require("  keeps other cells", np.array_equal(got[name][~gaps], dem[~gaps]))
    return fine


def slopes(z):
    return np.hypot(*np.gradient(z.astype(float)))


def check_steps(command, folder, dem):
    step = np.ptp(dem) / 20
    stepped = (np.round((dem - dem.min()) / step) * step + dem.min()).astype("f4")
    np.save(folder / "steps.npy", stepped)
    out = run(command, folder, ["land: {type: source.heightmap, file: steps.npy}",
                                "out: {type: shape.dequantise, in: land}"], {"out": "out"})["out"]
    level = np.diff(np.unique(stepped.astype(float))).min()
    most = np.abs(out.astype(float) - stepped).max() / level
    cross = ndimage.generate_binary_structure(2, 1)
    flat = ndimage.maximum_filter(out, footprint=cross) == ndimage.minimum_filter(out, footprint=cross)
    rms = [np.sqrt(np.mean((z.astype(float) - dem) ** 2)) / step for z in (stepped, out)]
    tilt = [np.abs(slopes(z) - slopes(dem)).mean() / step for z in (stepped, out)]
    fine = require("dequantise stays within half a step", most <= 0.5, most)
    fine &= require("  leaves no flat", not flat.any(), flat.sum())
    fine &= require("  is nearer to the ground, in steps", rms[1] < 0.8 * rms[0], *rms)
    return fine & require("  and to its slopes", tilt[1] < 0.65 * tilt[0], *tilt)


def check_water(command, folder, dem):
    np.save(folder / "dem.npy", dem)
    got = run(command, folder,
              ["land: {type: source.heightmap, file: dem.npy}",
               "fill: {type: shape.fill_depressions, in: land, closed: [north, east]}",
               "open: {type: shape.breach, in: land, closed: [north, east]}",
               "short: {type: shape.breach, in: land, most_length: 0.02, most_depth: 0.01}",
               "basins: {type: measure.basins, in: land, closed: [north, east]}"],
              {"fill": "fill", "open": "open", "short": "short", "area": "basins.area",
               "labels": "basins.labels"})
    outlet = np.zeros(dem.shape, bool)
    outlet[-1], outlet[:, 0] = True, True
    fine = require("fill_depressions with closed sides as reconstruction",
                   np.array_equal(got["fill"], flood(dem, outlet)))
    fine &= require("breach leaves no hollow", np.array_equal(flood(got["open"], outlet), got["open"]))
    fine &= require("  and only lowers", (got["open"] <= dem).all())
    dug, raised = (dem - got["open"]).sum(dtype=float), (got["fill"] - dem).sum(dtype=float)
    fine &= require("  takes away less than filling adds, in heights", dug < raised, dug, raised)
    fine &= require("  within its limit", (dem - got["short"]).max() <= 0.01 + 1e-6,
                    (dem - got["short"]).max())
    labels = got["labels"].astype(int)
    whole = all(ndimage.label(labels == k, EIGHT)[1] == 1 for k in range(1, min(labels.max(), 60) + 1))
    fine &= require("basins are connected", whole, labels.max())
    sizes = np.bincount(labels.ravel())
    fine &= require("  cover the map, by size", sizes[0] == 0 and (np.diff(sizes[1:]) <= 0).all())
    return fine & require("  have their area", np.allclose(got["area"], sizes[labels] / labels.size))


WAYS = [(v, u) for v in (-1, 0, 1) for u in (-1, 0, 1) if (v, u) != (0, 0)]


def receivers(z, outlet):
    """The cell that each cell's water runs to by D8, its own at outlets and in pits."""
    cell = np.arange(z.size).reshape(z.shape)
    height = np.pad(z.astype(float), 1, constant_values=np.inf)
    number = np.pad(cell, 1)
    best, to = np.zeros(z.shape), cell.copy()
    for v, u in WAYS:
        part = (slice(1 + v, 1 + v + z.shape[0]), slice(1 + u, 1 + u + z.shape[1]))
        drop = (z - height[part]) / np.hypot(v, u)
        to = np.where(drop > best, number[part], to)
        best = np.maximum(drop, best)
    return np.where(outlet, cell, to).ravel()


def catchments(z, outlet):
    """The outlet of each cell: D8 to a pit, and out of a pit over its lowest pass."""
    root = receivers(z, outlet)
    while not np.array_equal(root[root], root):
        root = root[root]
    heights, rows, columns = z.ravel().tolist(), *z.shape
    out, seen = {}, outlet.ravel().copy()  # of pits, cells that are in the heap or done
    heap = [(heights[i], int(i), int(i)) for i in np.flatnonzero(outlet)]
    heapq.heapify(heap)
    while heap:
        level, i, own = heapq.heappop(heap)
        own = out.setdefault(int(root[i]), own)
        for v, u in WAYS:
            y, x = i // columns + v, i % columns + u
            k = y * columns + x
            if not (0 <= y < rows and 0 <= x < columns) or seen[k]:
                continue
            seen[k] = True
            heapq.heappush(heap, (max(level, heights[k]), k, own))
    return np.array([out[int(i)] for i in root]).reshape(z.shape)


def check_basins(command, folder, dem):
    """Against plain D8; half a step of noise leaves no two slopes alike."""
    noise = np.random.default_rng(50).random(dem.shape) * np.diff(np.unique(dem)).min() / 2
    land = (dem + noise).astype("f4")
    np.save(folder / "rough.npy", land)
    fine = True
    for name, closed in (("open", ""), ("closed", "closed: [north, east]")):
        setting = f", {closed}" if closed else ""
        got = run(command, folder,
                  ["land: {type: source.heightmap, file: rough.npy}",
                   f"basins: {{type: measure.basins, in: land{setting}}}"],
                  {"labels": "basins.labels", "area": "basins.area", "outlets.csv": "basins.outlet"})
        outlet = np.zeros(dem.shape, bool)
        outlet[-1], outlet[:, 0] = True, True
        if not closed:
            outlet[0], outlet[:, -1] = True, True
        want = catchments(land, outlet)
        pairs = np.unique(np.stack([want.ravel(), got["labels"].astype(int).ravel()]), axis=1)
        count = len(np.unique(want))
        fine &= require(f"basins, {name}, are those of plain D8", pairs.shape[1] == count, count,
                        pairs.shape[1])
        sizes = np.bincount(want.ravel(), minlength=want.size)
        error = np.abs(got["area"] * want.size - sizes[want]).max()
        fine &= require("  have its areas, in cells", error < 0.01, error)
        with open(folder / "out" / "outlets.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        cells = [int(float(row["y"]) * HEIGHT) * WIDTH + int(float(row["x"]) * WIDTH)
                 for row in rows]
        labels = got["labels"].astype(int).ravel()
        fine &= require("  leave at its outlets", sorted(cells) == sorted(np.unique(want)) and
                        all(labels[cell] == i + 1 for i, cell in enumerate(cells)))
    return fine


def main():
    command = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "dem.png").write_bytes((HERE / "graphs/data/jacksboro.png").read_bytes())
        dem = run(command, folder, ["land: {type: source.heightmap, file: dem.png, fit: bilinear}"],
                  {"dem": "land"})["dem"]
        fine = check_gaps(command, folder, dem)
        fine &= check_steps(command, folder, dem)
        fine &= check_water(command, folder, dem)
        fine &= check_basins(command, folder, dem)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
