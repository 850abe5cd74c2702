# SPDX-License-Identifier: MIT
"""Pictures of values for notebooks, as PNG."""
from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

RELIEF = """thalweg: 1
inputs: {height: heightmap}
nodes:
  relief: {type: render.relief, in: height}
outputs: {relief: relief}
"""
MOST_SIDE = 1024  # pixels; larger maps are shown by every second cell, and so on


def png(pixels):
    """The bytes of a PNG of an array (height, width) or (height, width, 3) of 8-bit numbers."""
    height, width = pixels.shape[:2]
    colour = 2 if pixels.ndim == 3 else 0
    rows = np.hstack([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)])

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + chunk(b"IEND", b"")


def relief(height: np.ndarray) -> np.ndarray:
    """The shaded relief of an array of heights: (height, width, 3) of 8-bit numbers."""
    from ._recipe import Recipe
    recipe = Recipe(text=RELIEF, name="relief.yaml", size=(height.shape[1], height.shape[0]))
    return recipe.run(height=height)["relief"]


def of(value: Any) -> bytes | None:
    """The PNG of a value, or None for one that is no picture."""
    if not isinstance(value, np.ndarray) or value.dtype.names or value.ndim < 2 or 0 in value.shape:
        return None
    step = -(-max(value.shape[:2]) // MOST_SIDE)
    value = value[::step, ::step]
    if value.dtype == np.uint8 and value.shape[2:] in ((), (3,)):
        return png(value)
    if value.dtype.kind == "f" and value.ndim == 2:
        return png(relief(value))
    return None


def of_first(values):
    """The PNG of the first image, else of the first map."""
    values = [value for value in values if isinstance(value, np.ndarray)]
    for value in sorted(values, key=lambda value: value.dtype != np.uint8):
        picture = of(value)
        if picture:
            return picture
    return None
