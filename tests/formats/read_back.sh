#!/usr/bin/env bash
# What engines take, read back by programs of others: pngcheck, NumPy, GDAL, OpenEXR's own, the glTF
# validator; and what GDAL, Pillow and OpenEXR write, read by us.
# usage: read_back.sh COMMAND        (.ci/install checks installs the programs)
set -euo pipefail
thalweg=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# says FILE TEXT: exrinfo 3.1.5 ends with any number (its main returns what it never set), so what it
# prints decides.
says() {
  exrinfo -v "$1" > attributes || true
  grep -q "$2" attributes
}
cat > assets.yaml <<'YAML'
thalweg: 1
size: [97, 65]
seed: 3
world: {side_m: 2000, height_m: 400, epsg: 32617, west: 300000, north: 4100000}
nodes:
  height: {type: noise.perlin, frequency: 3}
  high:   {type: mask.height, in: height, low: 0.5}
  steep:  {type: mask.slope, in: height}
  low:    {type: shape.invert, in: high}
  look:   {type: render.relief, in: height}
  bumps:  {type: render.normals, in: height}
outputs: {height: height}
export:
  height.npy: height
  height.png: {from: height, range: [-1, 2]}
  height.r16: {from: height, range: [-1, 2]}
  height.raw: {from: height, range: [-1, 2], flip: true}
  height.r32: height
  metres.r32: {from: height, metres: true}
  height.tif: height
  metres.tif: {from: height, metres: true}
  tiled.tif: {from: height, metres: true, tiled: true}
  height.exr: height
  half.exr: {from: height, half: true}
  height.glb: {from: height, step: 3, skirt: 0.05}
  full.glb: height
  plain.obj: {from: height, step: 4}
  look.png: look
  dressed.glb: {from: height, color: look, normal: bumps, splat: look, holes: high, skirt: 0.02}
  simple.glb: {from: height, color: look, error: 1 m, skirt: 0.02}
  levels.glb: {from: height, triangles: 3000, levels: 3}
  dressed.obj: {from: height, color: look, normal: bumps, holes: high}
  tile.obj: {from: height, tiles: {cells: 33, share_edge: true}, triangles: 500}
  splat.png: {from: [high, steep, low]}
  four.png: {from: [high, steep, low, high]}
YAML
cat > engines.yaml <<'YAML'
thalweg: 1
size: 253
seed: 3
world: {side_m: 506, height_m: 400, sea_level: 0.25}
nodes: {height: {type: noise.midpoint}}
export:
  whole.r16: {from: height, for: unreal}
  tile.png: {from: height, for: unreal, tiles: 127}
  godot.r16: {from: height, for: godot, range: [-1, 2]}
  painter.png: {from: height, for: worldpainter}
  height.exr: {from: height, for: godot}
YAML
"$thalweg" run assets.yaml -o out --no-cache -q
"$thalweg" run engines.yaml -o engines --no-cache -q
pngcheck -q out/*.png engines/*.png
pngcheck -t engines/tile_x1_y0.png > texts
grep -q thalweg.sha256 texts
says engines/height.exr "thalweg.recipe: string 'engines.yaml'"
/usr/bin/python3 - <<'PYTHON'
import numpy as np
height = np.load("out/height.npy")
levels = np.fromfile("out/height.r16", "<u2").reshape(height.shape)
flipped = np.fromfile("out/height.raw", "<u2").reshape(height.shape)
floats = np.fromfile("out/height.r32", "<f4").reshape(height.shape)
assert (floats == height).all()
assert (levels == flipped[::-1]).all()
assert (levels == np.floor((height.astype(float) + 1) / 3 * 65535 + 0.5)).all()
metres = np.fromfile("out/metres.r32", "<f4").reshape(height.shape)
assert (metres == height * np.float32(400)).all()
from PIL import Image
for name in "splat", "four":
    splat = np.array(Image.open(f"out/{name}.png")).astype(int)
    assert (splat.sum(axis=2) == 255).all(), name
# vertices in metres, with their normals; faces name both, and none is out of range
lines = [line.split() for line in open("out/plain.obj") if line[0] in "vf"]
vertices = np.array([line[1:4] for line in lines if line[0] == "v"], float)
normals = np.array([line[1:4] for line in lines if line[0] == "vn"], float)
faces = np.array([[int(corner.split("/")[0]) for corner in line[1:]] for line in lines if line[0] == "f"])
assert faces.min() == 1 and faces.max() == len(vertices) == len(normals)
assert abs(np.linalg.norm(normals, axis=1) - 1).max() < 1e-5 and (normals[:, 1] > 0).all()
assert abs(vertices[:, 1].max() - height[::4, ::4].max() * 400) < 1e-3
a, b, c = (vertices[faces[:, i] - 1] for i in range(3))
assert (np.cross(b - a, c - a)[:, 1] > 0).all()
PYTHON
/usr/bin/python3 - <<'PYTHON'
import json, subprocess, sys
import numpy as np
says = json.load(open("engines/whole.json"))
whole = np.fromfile("engines/whole.r16", "<u2").reshape(says["height"], says["width"])
assert says["bpp"] == 16 and says["metres"]["cell"] == 2
# metres of a level, as Unreal has them: Z scale / 100 / 128
rise = float(says["type_in"]["Scale Z"]) / 12800
low, high = says["range"]["low_m"], says["range"]["high_m"]
assert abs((high - low) / 65535 - rise) < 1e-9 and abs(low + 32768 * rise - 100) < 1e-3
subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "engines/tile_x1_y0.png", "tile.bin"], check=True)
tile = np.fromfile("tile.bin", "<u2").reshape(127, 127)
assert (tile == whole[:127, 126:]).all()
from PIL import Image
tiles = {(x, y): np.array(Image.open(f"engines/tile_x{x}_y{y}.png")) for x in (0, 1) for y in (0, 1)}
for i in 0, 1:
    assert (tiles[0, i][:, -1] == tiles[1, i][:, 0]).all() and (tiles[i, 0][-1] == tiles[i, 1][0]).all()
PYTHON
# the sizes of each engine, and what a wrong one is told
fits() { # ENGINE FILE SIZE...
  for size in "${@:3}"; do
    printf 'thalweg: 1\nsize: %s\nworld: {side_m: 1000, height_m: 100}\nnodes: {n: {type: source.constant, value: 0.5}}\nexport: {%s: {from: n, for: %s}}\n' \
      "$size" "$2" "$1" > size.yaml
    "$thalweg" run size.yaml -o sizes --no-cache -q
    case $2 in *.r*) [ "$(stat -c %s "sizes/$2")" = $((2 * size * size)) ] ;; esac
  done
  sed -i 's/^size: .*/size: 400/' size.yaml
  if "$thalweg" check size.yaml 2> said; then exit 1; fi
  grep -q 'size.yaml:5:.*400 x 400' said
}
fits unreal n.r16 127 253 505 1009 2017 4033 8129
grep -q '253.*505' said
fits unity n.raw 33 65 129 257 513 1025 2049 4097
grep -q '257.*513' said
fits simcity4 n.png 65 257
says out/height.exr "'Y': float"
says out/half.exr "'Y': half"
gdalinfo -stats out/metres.tif > info
grep -q 'ID\["EPSG",32617\]' info
grep -q 'Origin = (300000.0*,4100000.0*)' info
grep -q 'Pixel Size = (20.6185567[0-9]*,-20.6185567[0-9]*)' info
gdal_translate -q -of ENVI out/metres.tif tiff.r32
cmp tiff.r32 out/metres.r32
grep -q 'Block=97x65' info
gdalinfo out/tiled.tif | grep -q 'Block=256x256'
gdal_translate -q -of ENVI out/tiled.tif tiled.r32
cmp tiled.r32 out/metres.r32
# Blender 3.4 reads tiles of floats as garbage, without an error
if command -v blender > /dev/null; then
  cat > blend.py <<'PYTHON'
import array, os, bpy
image = bpy.data.images.load(os.path.abspath("out/metres.tif"))
image.colorspace_settings.name = "Non-Color"
width, height = image.size
red = array.array("f", image.pixels[:])[::4]
rows = array.array("f", open("out/metres.r32", "rb").read())
for y in range(height):
    assert red[(height - 1 - y) * width : (height - y) * width] == rows[y * width : (y + 1) * width], y
PYTHON
  blender -b --python-exit-code 1 -P blend.py > blender.log 2>&1 || { cat blender.log; exit 1; }
fi
gdal_translate -q -co TILED=YES -co COMPRESS=LZW -co ENDIANNESS=BIG out/height.tif lzw.tif
gdal_translate -q -ot Float64 -of AAIGrid -co DECIMAL_PRECISION=12 out/height.tif grid.asc
cat > read.yaml <<'YAML'
thalweg: 1
size: [97, 65]
nodes:
  exr:  {type: source.heightmap, file: out/height.exr}
  half: {type: source.heightmap, file: out/half.exr}
  tiff: {type: source.heightmap, file: lzw.tif}
  grid: {type: source.heightmap, file: grid.asc}
export: {exr.r32: exr, half.r32: half, tiff.r32: tiff, grid.r32: grid}
YAML
"$thalweg" run read.yaml -o read --no-cache -q
"$thalweg" inspect lzw.tif grid.asc out/*.png out/*.exr out/*.glb out/height.r16 engines/* > seen
grep -q "lzw.tif: tif" seen
cmp read/exr.r32 out/height.r32
cmp read/tiff.r32 out/height.r32
/usr/bin/python3 - <<'PYTHON'
import numpy as np
height = np.fromfile("out/height.r32", "<f4")
assert (np.fromfile("read/half.r32", "<f4") == height.astype("<f2").astype("<f4")).all()
assert abs(np.fromfile("read/grid.r32", "<f4") - height).max() < 1e-6
PYTHON
/usr/bin/python3 "$here/terrain3d.py" "$thalweg"
# pictures of others keep their depth, and OpenEXR of any form is read as its own library reads it
mkdir pictures exr
/usr/bin/python3 "$here/pictures.py" pictures
"$thalweg" run pictures/pictures.yaml -o pictures/out --no-cache -q
for file in pictures/expected/*; do cmp "$file" "pictures/out/${file##*/}"; done
read -ra openexr < <(pkg-config --cflags --libs OpenEXR)
c++ -std=c++17 -O1 "$here/exr_forms.cpp" "${openexr[@]}" -o exr_forms
./exr_forms exr 1 300
for recipe in exr/*.yaml; do
  name=${recipe%.yaml}
  if [ -e "$name.refused" ]; then
    code=0
    "$thalweg" run "$recipe" -o exr/out --no-cache -q 2> said || code=$?
    [ "$code" = 3 ] && grep -q -f "$name.refused" said
  else
    "$thalweg" run "$recipe" -o exr/out --no-cache -q
    for file in "$name".*.r32; do cmp "$file" "exr/out/${file##*/}"; done
  fi
done
[ "$(ls exr/*.refused | wc -l)" -lt 200 ]
npm install --silent --no-save --prefix "$folder" gltf-validator > /dev/null
cat > validate.js <<'JS'
const fs = require('fs'), validator = require('gltf-validator');
(async () => {
  for (const file of ['height', 'full', 'dressed', 'simple', 'levels'].map(name => `out/${name}.glb`)) {
    const { issues, info } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    // UVs for a material that others add; levels of detail, which the validator does not know; sizes
    const allowed = ['UNUSED_OBJECT', 'UNSUPPORTED_EXTENSION', 'IMAGE_NPOT_DIMENSIONS'];
    if (issues.numErrors || issues.numWarnings ||
        issues.messages.some(message => !allowed.includes(message.code))) {
      console.error(file, JSON.stringify(issues.messages, null, 1));
      process.exit(1);
    }
    console.log(`${file}: ${info.totalTriangleCount} triangles, no complaint`);
  }
})();
JS
node validate.js
# material, UVs, holes and levels of detail
/usr/bin/python3 - <<'PYTHON'
import glob, io, json, struct
import numpy as np
from PIL import Image

def read(name):
    data = open(f"out/{name}.glb", "rb").read()
    length, = struct.unpack_from("<I", data, 12)
    head, rest = json.loads(data[20:20 + length]), data[28 + length:]
    def accessor(i):
        row = head["accessors"][i]
        view, count = head["bufferViews"][row["bufferView"]], row["count"]
        if row["type"] == "SCALAR":
            return np.frombuffer(rest, "<u4", count, view["byteOffset"])
        block = np.frombuffer(rest, "<f4", view["byteLength"] // 4, view["byteOffset"])
        first, size = row["byteOffset"] // 4, int(row["type"][3])
        return block.reshape(count, -1)[:, first:first + size]
    return head, accessor, rest

head, accessor, rest = read("dressed")
places, normals, uv, tangents = (accessor(i) for i in range(4))
width, depth = 97, 65
cell = 2000 / 97
# the north (-z) is at the top of the picture, the west at its left
assert abs(uv[:, 0] * width - .5 - (places[:, 0] / cell + 48)).max() < 1e-3
assert abs(uv[:, 1] * depth - .5 - (places[:, 2] / cell + 32)).max() < 1e-3
view = head["bufferViews"][head["images"][0]["bufferView"]]
inside = Image.open(io.BytesIO(rest[view["byteOffset"]:view["byteOffset"] + view["byteLength"]]))
assert (np.array(inside) == np.array(Image.open("out/look.png"))).all()
assert (np.array(Image.open("out/dressed_color.png")) == np.array(inside)).all()
# north is what green is: cross(normal, tangent) * w
assert np.allclose(np.cross(normals, tangents[:, :3]) * tangents[:, 3:], [0, 0, -1])
# squares of holes are left out
corners = accessor(head["meshes"][0]["primitives"][0]["indices"]).reshape(-1, 3)
grid = corners[(corners < width * depth).all(axis=1)]
assert 0 < len(grid) < 2 * (width - 1) * (depth - 1)
# simplified: vertices of the map only, all of its border, and no more error than asked for
height = np.load("out/height.npy") * 400.0
head, accessor, rest = read("simple")
places = accessor(0)
corners = accessor(head["meshes"][0]["primitives"][0]["indices"])
column, row = (places[:, 0] / cell + 48).round().astype(int), (places[:, 2] / cell + 32).round().astype(int)
low = abs(places[:, 1] - height[row, column]) > 1e-3
assert low.sum() == 2 * (width + depth) - 4  # the skirt
assert ((row == 0) & ~low).sum() == width and ((column == 0) & ~low).sum() == depth
assert len(corners) < 6 * (width - 1) * (depth - 1)
assert head["meshes"][0]["extras"]["error_m"] <= 1
head, accessor, rest = read("levels")
counts = [len(accessor(m["primitives"][0]["indices"])) // 3 for m in head["meshes"]]
assert counts[0] <= 3000 and counts[0] > counts[1] > counts[2], counts
assert head["nodes"][0]["extensions"]["MSFT_lod"]["ids"] == [1, 2]
# simplified tiles have the same heights along the edge that they share
def border(name, column, sign):
    v = np.array([line.split()[1:] for line in open(name) if line.startswith("v ")], float)
    edge = v[abs(v[:, column] - sign * 16 * cell) < 1e-3]
    return edge[edge[:, 2 - column].argsort()]
a, b = border("out/tile_x0_y0.obj", 0, 1), border("out/tile_x1_y0.obj", 0, -1)
assert len(a) == 33 and (a[:, 1:] == b[:, 1:]).all()
a, b = border("out/tile_x1_y0.obj", 2, 1), border("out/tile_x1_y1.obj", 2, -1)
assert len(a) == 33 and (a[:, :2] == b[:, :2]).all()
PYTHON
assimp info out/dressed.obj > said
grep -q 'Faces: ' said
assimp export out/dressed.obj dressed.gltf > said
grep -q 'dressed_color.png' dressed.gltf
"$here/../engines/blender.sh" "$thalweg"
/usr/bin/python3 "$here/../engines/unreal.py"
"$here/../engines/unity.sh"
