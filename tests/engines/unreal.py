# SPDX-License-Identifier: MIT
"""Runs docs/engines/importers/thalweg_unreal.py against a stand-in for Unreal's module."""
import importlib.util
import json
import os
import sys
import tempfile
import types


class Record:
    def __init__(self, *values):
        self.values, self.set = values, {}
        self.x, self.y, self.z = (tuple(values) + (0, 0, 0))[:3] if all(
            isinstance(v, (int, float)) for v in values) else (0, 0, 0)

    def set_editor_property(self, name, value):
        self.set[name] = value

    def get_editor_property(self, name):
        return ["/Game/Thalweg/land"] if name == "imported_object_paths" else self.set[name]


class Landscape(Record):
    def get_actor_location(self):
        return Record(7, 8, 9)

    def set_actor_scale3d(self, scale):
        self.scale = scale.values

    def set_actor_location(self, place, sweep, teleport):
        self.place = place.values


landscape = Landscape()
spawned = []
actors = types.SimpleNamespace(
    get_selected_level_actors=lambda: [landscape],
    spawn_actor_from_object=lambda mesh, place, turn: spawned.append((mesh, place.values, turn.values)))
unreal = types.ModuleType("unreal")
unreal.AssetImportTask, unreal.Vector, unreal.Rotator = Record, Record, Record
unreal.StaticMesh, unreal.Landscape, unreal.EditorActorSubsystem = Record, Landscape, object
unreal.AssetToolsHelpers = types.SimpleNamespace(
    get_asset_tools=lambda: types.SimpleNamespace(import_asset_tasks=lambda tasks: None))
unreal.load_asset = Record
unreal.get_editor_subsystem = lambda kind: actors
sys.modules["unreal"] = unreal

importer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/engines/importers/thalweg_unreal.py")
spec = importlib.util.spec_from_file_location("thalweg_unreal", importer)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
with tempfile.TemporaryDirectory() as folder:
    def place(side):
        path = os.path.join(folder, "side.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(side, file)
        return module.place(path)

    side = {"schema": "thalweg.sidecar/1", "file": "land.glb", "format": "glb", "width": 65, "height": 65,
            "metres": {"cell": 20.0}, "tile": {"first_cell": [0, 64], "map": [129, 129]}}
    place(side)
    assert spawned[0][1] == (-64000.0, 64000.0, 0.0), spawned  # in the south-west
    place({"schema": "thalweg.sidecar/1", "file": "land.png", "format": "png", "for": "unreal",
           "type_in": {"Scale X": "100", "Scale Y": "100", "Scale Z": "117.191076", "Location Z": "-5"}})
    assert landscape.scale == (100.0, 100.0, 117.191076) and landscape.place == (7, 8, -5.0)
    try:
        place({"schema": "other"})
    except ValueError:
        pass
    else:
        raise AssertionError("a foreign file was placed")
