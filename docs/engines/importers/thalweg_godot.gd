# SPDX-License-Identifier: MIT
# Places terrain in Godot 4 by its sidecar: writes nothing, but adds to the open scene a node with the
# mesh of a .glb (exported with `sidecar: true`), where its tile belongs. Metres, y up, z south.
# Set SIDECARS, then File > Run in the script editor.
@tool
extends EditorScript

const SIDECARS := ["res://out/land.glb.json"]


func _run() -> void:
	var root := get_scene()
	if root == null:
		push_error("open a scene first")
		return
	for path in SIDECARS:
		var node := place(path)
		if node:
			root.add_child(node)
			node.owner = root


# The middle of the file's cells, in metres east and south of the map's middle.
static func centre(side: Dictionary) -> Vector3:
	if not side.has("tile"):
		return Vector3.ZERO
	var tile: Dictionary = side["tile"]
	var cell := float(side["metres"]["cell"])
	var east: float = tile["first_cell"][0] + side["width"] / 2.0 - tile["map"][0] / 2.0
	var south: float = tile["first_cell"][1] + side["height"] / 2.0 - tile["map"][1] / 2.0
	return Vector3(east * cell, 0.0, south * cell)


static func place(path: String) -> Node3D:
	var side = JSON.parse_string(FileAccess.get_file_as_string(path))
	if not (side is Dictionary) or not str(side.get("schema", "")).begins_with("thalweg.sidecar/"):
		push_error(path + " is not a sidecar of Thalweg")
		return null
	if side["format"] != "glb":
		push_error(str(side["file"]) + ": expected .glb; Terrain3D imports .exr and .r16")
		return null
	var scene := load(path.get_base_dir().path_join(side["file"])) as PackedScene
	if scene == null:
		push_error(str(side["file"]) + " was not imported yet")
		return null
	var node := scene.instantiate() as Node3D
	node.position = centre(side)
	return node
