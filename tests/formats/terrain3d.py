#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads control maps of Terrain3D with a reader of its own, by the format's description, and compares
each bit with what the masks make them. Needs nothing but Python.

usage: terrain3d.py COMMAND      (77 if the command was built without OpenEXR)
"""
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path


def read_exr(path):
    """Cells of a single channel of 32 bits in ZIP or uncompressed scan lines, as integers."""
    data = path.read_bytes()
    magic, version = struct.unpack_from("<II", data)
    assert magic == 20000630 and version & 0xFF == 2 and version & ~0x4FF == 0
    at, attributes = 8, {}
    while data[at]:
        name, kind, rest = data[at:].split(b"\0", 2)
        size = struct.unpack_from("<I", rest)[0]
        start = at + len(name) + len(kind) + 6
        attributes[name.decode()] = data[start : start + size]
        at = start + size
    at += 1
    channels = attributes["channels"]
    end = channels.index(b"\0")
    assert struct.unpack_from("<I", channels, end + 1)[0] == 2 and channels[end + 17 :] == b"\0"
    x0, y0, x1, y1 = struct.unpack("<4i", attributes["dataWindow"])
    width, height = x1 - x0 + 1, y1 - y0 + 1
    assert attributes["compression"] == b"\3" and attributes["lineOrder"] == b"\0"
    cells = []
    for offset in struct.unpack_from(f"<{(height + 15) // 16}Q", data, at):
        y, size = struct.unpack_from("<iI", data, offset)
        packed = data[offset + 8 : offset + 8 + size]
        length = min(16, height - y) * width * 4
        if size < length:  # two halves of bytes, interleaved; each the difference to the last
            halves = bytearray(zlib.decompress(packed))
            for i in range(1, length):
                halves[i] = (halves[i - 1] + halves[i] - 128) & 255
            packed = bytearray(length)
            packed[::2], packed[1::2] = halves[: (length + 1) // 2], halves[(length + 1) // 2 :]
        assert len(packed) == length and y == len(cells) // width
        cells += struct.unpack(f"<{length // 4}I", packed)
    assert len(cells) == width * height
    return width, height, cells, channels[:end].decode()


def expected(weights, hole):
    order = sorted(range(len(weights)), key=lambda i: -weights[i])  # ties keep their order
    base, overlay = order[0], order[1] if len(order) > 1 else 0
    most, second = weights[base], weights[order[1]] if len(order) > 1 else 0
    blend = int(second / (most + second) * 255 + 0.5) if second > 0 else 0
    return base << 27 | overlay << 22 | blend << 14 | hole << 2


def recipe(size, count, options="", strong=None):
    """Only the masks in `strong` are not 0, and these are 1 everywhere; without it all vary."""
    low = {i: -1000 for i in strong} if strong else {}
    names = [f"m{i}" for i in range(count)]
    nodes = "".join(
        f"  n{i}: {{type: noise.perlin, frequency: {i % 5 + 2}, tile: false}}\n"
        f"  {name}: {{type: mask.height, in: n{i}, low: {low.get(i, 1000 if strong else 0.5)}}}\n"
        for i, name in enumerate(names + ["gap"])
    )
    files = "".join(f"  {name}.r32: {name}\n" for name in names + ["gap"])
    control = f"{{from: [{', '.join(names)}], for: terrain3d{options}}}"
    return f"thalweg: 1\nsize: {size}\nworld: {{side_m: 500}}\nnodes:\n{nodes}export:\n{files}  control.exr: {control}\n"


def floats(path):
    data = path.read_bytes()
    return struct.unpack(f"<{len(data) // 4}f", data)


def check(command, folder, size, count, options, strong=None):
    folder.mkdir()
    (folder / "recipe.yaml").write_text(recipe(size, count, options, strong))
    run = subprocess.run([command, "run", "recipe.yaml", "-o", ".", "-q", "--no-cache"], cwd=folder,
                         capture_output=True, text=True)
    if "OpenEXRCore" in run.stderr:
        sys.exit(77)
    assert run.returncode == 0, run.stderr
    width, height, cells, channel = read_exr(folder / "control.exr")
    masks = [floats(folder / f"m{i}.r32") for i in range(count)]
    holes = floats(folder / "gap.r32") if options else [0] * len(cells)
    assert [width, height] == size and channel == "R"
    nan = subnormal = 0
    for i, cell in enumerate(cells):
        want = expected([mask[i] for mask in masks], holes[i] >= 0.5)
        assert cell == want, f"cell {i} of {size} is {cell:08x}; expected {want:08x}"
        nan += cell >> 23 & 255 == 255 and cell & 0x7FFFFF != 0
        subnormal += cell >> 23 & 255 == 0 and cell & 0x7FFFFF != 0
    return nan, subnormal


def main():
    command = str(Path(sys.argv[1]).resolve())
    cases = [([97, 65], 32, ", holes: gap"), ([1, 40], 5, ""), ([64, 1], 31, ", holes: gap"), ([50, 50], 1, ""),
             ([33, 17], 2, ", holes: gap"), ([18, 3], 32, "", [15, 30]), ([18, 3], 32, "", [15, 31]),
             ([18, 3], 32, ", holes: gap", [0, 1]), ([20, 20], 3, "", [7])]
    with tempfile.TemporaryDirectory() as folder:
        found = [check(command, Path(folder) / str(i), *case) for i, case in enumerate(cases)]
    assert sum(nan for nan, _ in found) > 0, "no pattern of a NaN was tried"
    assert sum(subnormal for _, subnormal in found) > 0, "no pattern of a subnormal number was tried"
    print(f"{len(cases)} control maps are right; {found}")


main()
