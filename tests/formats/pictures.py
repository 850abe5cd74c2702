#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of others at every depth, written by GDAL, Pillow and by hand, and the floats that
source.image must make of them.
usage: pictures.py FOLDER; then `thalweg run FOLDER/pictures.yaml -o OUT`, whose files are those of
FOLDER/expected"""
import os
import struct
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 57, 41
os.chdir(sys.argv[1])
os.makedirs("expected", exist_ok=True)
dice = np.random.default_rng(7)
wide = dice.integers(0, 65536, (4, HEIGHT, WIDTH), np.uint16)
narrow = (wide >> 8).astype(np.uint8)
floats = (wide / np.float32(65536)).astype(np.float32)
nodes, exports = [], []


def expect(file, channels):
    """`channels` are the floats of red, green and blue, or of grey alone."""
    for name, cells in zip(("red", "green", "blue"), channels):
        node = f"n{len(nodes)}"
        nodes.append(f"  {node}: {{type: source.image, file: {file}, channel: {name}}}")
        exports.append(f"  {node}.r32: {node}")
        cells.astype("<f4").tofile(f"expected/{node}.r32")


def share(levels):
    return levels.astype(np.float32) / np.float32(np.iinfo(levels.dtype).max)


def translate(name, file, *options):
    subprocess.run(["gdal_translate", "-q", *options, name, file], check=True,
                   env={**os.environ, "GDAL_PAM_ENABLED": "NO"})


def raw(name, cells):
    """Cells as an ENVI file, which GDAL reads."""
    kinds = {np.uint8: 1, np.float32: 4, np.uint16: 12}
    cells.tofile(name)
    with open(name + ".hdr", "w") as head:
        head.write(f"ENVI\nsamples = {WIDTH}\nlines = {HEIGHT}\nbands = {len(cells)}\n"
                   f"data type = {kinds[cells.dtype.type]}\ninterleave = bsq\nbyte order = 0\n")


for name, cells in ("wide", wide), ("narrow", narrow), ("floats", floats):
    read = cells if name == "floats" else share(cells)
    raw(f"{name}3", cells[:3])
    raw(f"{name}4", cells)
    if name != "floats":
        for bands in 3, 4:
            translate(f"{name}{bands}", f"{name}{bands}.png", "-of", "PNG")
            expect(f"{name}{bands}.png", read)
        raw(f"{name}2", cells[:2])
        translate(f"{name}2", f"{name}2.png", "-of", "PNG")
        expect(f"{name}2.png", read[:1])
    for i, (bands, options) in enumerate((
            (3, []), (3, ["INTERLEAVE=BAND"]), (4, ["TILED=YES", "COMPRESS=LZW", "ALPHA=YES"]),
            (4, ["TILED=YES", "INTERLEAVE=BAND", "BLOCKXSIZE=16", "BLOCKYSIZE=32", "ALPHA=YES"]),
            (3, ["COMPRESS=DEFLATE", "PREDICTOR=" + ("3" if name == "floats" else "2"),
                 "BLOCKYSIZE=5", "BIGTIFF=YES"]), (3, ["ENDIANNESS=BIG", "TILED=YES"]))):
        file = f"{name}{bands}_{i}.tif"
        options = [word for option in options + ["PHOTOMETRIC=RGB"] for word in ("-co", option)]
        translate(f"{name}{bands}", file, "-of", "GTiff", *options)
        expect(file, read)
        if i == 2:
            os.rename(file, file + "f")
            nodes[-3:] = [node.replace(file, file + "f") for node in nodes[-3:]]
translate("narrow3", "plain.bmp", "-of", "BMP")
expect("plain.bmp", share(narrow))
picture = Image.fromarray(np.moveaxis(narrow[:3], 0, 2))
Image.fromarray(np.moveaxis(narrow, 0, 2), "RGBA").save("alpha.bmp")
expect("alpha.bmp", share(narrow))
indexed = picture.quantize(90)
for file in "indexed.bmp", "indexed.png", "indexed.tif":
    indexed.save(file)
    expect(file, share(np.moveaxis(np.array(indexed.convert("RGB")), 2, 0)))
half = floats[0].astype(np.float16)
raw("half_bits", half.view(np.uint16)[None])
translate("half_bits", "half.tif", "-of", "GTiff")
data = bytearray(open("half.tif", "rb").read())
at, = struct.unpack_from("<I", data, 4)
for i in range(struct.unpack_from("<H", data, at)[0]):
    if struct.unpack_from("<H", data, at + 2 + 12 * i)[0] == 339:
        struct.pack_into("<H", data, at + 10 + 12 * i, 3)  # the same bits are floats
open("half.tif", "wb").write(data)
np.save("half.npy", half[:, :, None])
for file in "half.tif", "half.npy":
    expect(file, half[None])
np.save("long.npy", wide[:1].astype(np.int64) - 30000)
expect("long.npy", wide[:1].astype(np.float32) - 30000)


def interlaced(file, cells, colour, bits):
    """Adam7 by hand, since Pillow and GDAL do not write it."""
    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))
    rows = b""
    for x, y, step_x, step_y in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4),
                                 (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        for row in np.moveaxis(cells, 0, 2)[y::step_y, x::step_x]:
            if row.size:
                rows += b"\0" + row.astype(">u2" if bits == 16 else "u1").tobytes()
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, bits, colour, 0, 0, 1)
    with open(file, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows))
                  + chunk(b"IEND", b""))


for cells in wide, narrow:
    for colour, count in ((0, 1), (2, 3), (4, 2), (6, 4)):
        bits = cells.itemsize * 8
        file = f"interlaced_{bits}_{colour}.png"
        interlaced(file, cells[:count], colour, bits)
        if bits == 8:
            seen = np.array(Image.open(file)).reshape(HEIGHT, WIDTH, count)
            assert (np.moveaxis(seen, 2, 0) == cells[:count]).all(), file
        expect(file, share(cells)[:3 if colour & 2 else 1])
with open("pictures.yaml", "w") as recipe:
    recipe.write(f"thalweg: 1\nsize: [{WIDTH}, {HEIGHT}]\nnodes:\n" + "\n".join(nodes)
                 + "\nexport:\n" + "\n".join(exports) + "\n")
