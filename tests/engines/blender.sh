#!/usr/bin/env bash
# Places terrain in Blender, without a window, by docs/engines/importers/thalweg_blender.py, and
# compares what is there with the map. usage: blender.sh COMMAND
set -euo pipefail
thalweg=$(realpath "$1")
importer=$(realpath "$(dirname "$0")/../../docs/engines/importers/thalweg_blender.py")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > land.yaml <<'YAML'
thalweg: 1
size: 129
seed: 5
world: {side_m: 2580, height_m: 400}
nodes:
  land: {type: noise.perlin, frequency: 3}
  look: {type: render.relief, in: land}
export:
  land.r32: land
  land.raw: {from: land, for: unity}
  land.glb: {from: land, color: look, sidecar: true, tiles: {cells: 65, share_edge: true}}
YAML
"$thalweg" run land.yaml -o out --no-cache -q
cat > check.py <<'PYTHON'
import bpy, numpy
bpy.context.view_layer.update()
land = numpy.fromfile("out/land.r32", "<f4").reshape(129, 129) * 400.0
found = {o.name: o for o in bpy.data.objects if o.type == "MESH" and o.name != "Cube"}
assert len(found) == 4, found
for name, made in found.items():
    places = numpy.array([made.matrix_world @ v.co for v in made.data.vertices])
    column, row = (places[:, 0] + 1280) / 20, (1280 - places[:, 1]) / 20
    assert abs(column - column.round()).max() < 1e-3 and abs(row - row.round()).max() < 1e-3, name
    expected = land[row.round().astype(int), column.round().astype(int)]
    assert abs(places[:, 2] - expected).max() < 0.02, name
    uv = numpy.empty(2 * len(made.data.loops), numpy.float32)
    made.data.uv_layers[0].data.foreach_get("uv", uv)
    corners = numpy.empty(len(made.data.loops), numpy.int32)
    made.data.loops.foreach_get("vertex_index", corners)
    north = uv.reshape(-1, 2)[:, 1].argmax()  # pictures have the north at the top
    assert places[corners[north], 1] == places[:, 1].max(), name
assert any(i.size[0] == 65 for i in bpy.data.images)
print("placed as the map is")
PYTHON
blender --background --python-exit-code 1 --python "$importer" --python check.py -- \
  out/land.r32.json out/land.raw.json out/land_x0_y0.glb.json out/land_x1_y1.glb.json > said 2>&1 || { cat said; exit 1; }
grep -q "placed as the map is" said
