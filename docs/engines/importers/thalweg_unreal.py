# SPDX-License-Identifier: MIT
"""Places terrain in Unreal's editor by its sidecar. A mesh (.glb with `sidecar: true`) is imported as
a static mesh and put where its tile belongs; for a height map (`for: unreal`) the selected landscape,
which was imported from it, gets its scale and place. Needs the Python Editor Script Plugin.

    py thalweg_unreal.py C:/out/land.glb.json [more sidecars]
"""
import json
import os
import sys

import unreal

CENTIMETRES = 100.0
FOLDER = "/Game/Thalweg"


def centre(side):
    """The middle of the file's cells, in centimetres east (X) and south (Y) of the map's middle."""
    tile, cell = side.get("tile"), side["metres"]["cell"] * CENTIMETRES
    if not tile:
        return 0.0, 0.0
    east = tile["first_cell"][0] + side["width"] / 2 - tile["map"][0] / 2
    south = tile["first_cell"][1] + side["height"] / 2 - tile["map"][1] / 2
    return east * cell, south * cell


def place_mesh(side, path):
    task = unreal.AssetImportTask()
    for name, value in {"filename": path, "destination_path": FOLDER, "automated": True,
                        "replace_existing": True, "save": True}.items():
        task.set_editor_property(name, value)
    unreal.AssetToolsHelpers.get_asset_tools().import_asset_tasks([task])
    meshes = [unreal.load_asset(made) for made in task.get_editor_property("imported_object_paths")]
    meshes = [mesh for mesh in meshes if isinstance(mesh, unreal.StaticMesh)]
    if not meshes:
        raise RuntimeError(path + ": no static mesh was imported")
    x, y = centre(side)
    actors = unreal.get_editor_subsystem(unreal.EditorActorSubsystem)
    return actors.spawn_actor_from_object(meshes[0], unreal.Vector(x, y, 0.0), unreal.Rotator(0, 0, 0))


def place_landscape(side):
    actors = unreal.get_editor_subsystem(unreal.EditorActorSubsystem)
    chosen = [a for a in actors.get_selected_level_actors() if isinstance(a, unreal.Landscape)]
    if len(chosen) != 1:
        raise RuntimeError("select the one landscape that was imported from " + side["file"])
    number = {name: float(text) for name, text in side["type_in"].items()
              if name.startswith("Scale ") or name.startswith("Location ")}
    at = chosen[0].get_actor_location()
    chosen[0].set_actor_scale3d(unreal.Vector(number["Scale X"], number["Scale Y"], number["Scale Z"]))
    chosen[0].set_actor_location(unreal.Vector(at.x, at.y, number["Location Z"]), False, False)
    return chosen[0]


def place(sidecar):
    """Places what a sidecar describes and returns the actor."""
    with open(sidecar, encoding="utf-8") as file:
        side = json.load(file)
    if not str(side.get("schema", "")).startswith("thalweg.sidecar/"):
        raise ValueError(sidecar + " is not a sidecar of Thalweg")
    if side["format"] == "glb":
        return place_mesh(side, os.path.join(os.path.dirname(os.path.abspath(sidecar)), side["file"]))
    if side.get("for") == "unreal":
        return place_landscape(side)
    raise ValueError(side["file"] + ": expected .glb, or for: unreal")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        place(name)
