# SPDX-License-Identifier: MIT
"""Places terrain in Blender by its sidecar: heights (.r16, .raw, .r32) become a grid, meshes (.glb)
are imported; tiles lie beside each other. Metres, z up, y north, the map's centre at the origin.

    blender --background --python thalweg_blender.py -- out/land.r16.json [more sidecars] [--save land.blend]
"""
import json
import os
import sys

import bpy
import numpy


def centre(side):
    """The middle of the file's cells, in metres east and north of the map's middle."""
    tile, cell = side.get("tile"), side["metres"]["cell"]
    if not tile:
        return 0.0, 0.0
    east = tile["first_cell"][0] + side["width"] / 2 - tile["map"][0] / 2
    south = tile["first_cell"][1] + side["height"] / 2 - tile["map"][1] / 2
    return east * cell, -south * cell


def heights(side, path):
    """Heights in metres, rows from north to south."""
    shape = side["height"], side["width"]
    if side["bpp"] == 16:
        levels = numpy.fromfile(path, "<u2").reshape(shape) / 65535.0
        low, high = side["range"]["low_m"], side["range"]["high_m"]
        rows = low + (high - low) * levels
    else:
        rows = numpy.fromfile(path, "<f4").reshape(shape).astype(float) * side["metres_of_1"]
    return rows[::-1] if side["rows"] == "south to north" else rows


def grid(name, rows, cell):
    height, width = rows.shape
    y, x = numpy.mgrid[0:height, 0:width]
    places = numpy.stack([(x - (width - 1) / 2) * cell, ((height - 1) / 2 - y) * cell, rows], axis=2)
    north_west = (numpy.arange(height - 1)[:, None] * width + numpy.arange(width - 1)).ravel()
    faces = numpy.stack([north_west, north_west + width, north_west + width + 1, north_west + 1], axis=1)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places.reshape(-1, 3).tolist(), [], faces.tolist())
    corners = numpy.empty(len(mesh.loops), numpy.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    uv = numpy.stack([(corners % width + 0.5) / width, 1 - (corners // width + 0.5) / height], axis=1)
    mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", uv.ravel())
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def place(sidecar):
    """Adds the terrain that a sidecar describes and returns its object."""
    with open(sidecar, encoding="utf-8") as file:
        side = json.load(file)
    if not str(side.get("schema", "")).startswith("thalweg.sidecar/"):
        raise ValueError(sidecar + " is not a sidecar of Thalweg")
    path = os.path.join(os.path.dirname(sidecar), side["file"])
    if side["format"] == "glb":
        if not hasattr(numpy, "bool"):  # which Blender 3.4's importer still names
            numpy.bool = bool
        bpy.ops.import_scene.gltf(filepath=path)
        made = bpy.context.selected_objects[0]
    elif "bpp" in side:
        made = grid(os.path.splitext(side["file"])[0], heights(side, path), side["metres"]["cell"])
    else:
        raise ValueError(side["file"] + ": expected .glb, .r16, .raw or .r32")
    made.location.x, made.location.y = centre(side)
    return made


if __name__ == "__main__":
    given = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    blend = None
    if "--save" in given:
        at = given.index("--save")
        blend = given[at + 1]
        del given[at:at + 2]
    for name in given:
        place(name)
    if blend:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(blend))
