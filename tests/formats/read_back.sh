#!/usr/bin/env bash
# What engines take, read back by programs of others: pngcheck, NumPy, the glTF validator.
# usage: read_back.sh COMMAND        (.ci/install checks installs the programs)
set -euo pipefail
thalweg=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > assets.yaml <<'YAML'
thalweg: 1
size: [97, 65]
seed: 3
world: {side_m: 2000, height_m: 400}
nodes:
  height: {type: noise.perlin, frequency: 3}
  high:   {type: mask.height, in: height, low: 0.5}
  steep:  {type: mask.slope, in: height}
  low:    {type: shape.invert, in: high}
outputs: {height: height}
export:
  height.npy: height
  height.png: {from: height, range: [-1, 2]}
  height.r16: {from: height, range: [-1, 2]}
  height.raw: {from: height, range: [-1, 2], flip: true}
  height.r32: height
  height.glb: {from: height, step: 3, skirt: 0.05}
  full.glb: height
  splat.png: {from: [high, steep, low]}
  four.png: {from: [high, steep, low, high]}
YAML
"$thalweg" run assets.yaml -o out --no-cache -q
pngcheck -q out/*.png
/usr/bin/python3 - <<'PYTHON'
import numpy as np
height = np.load("out/height.npy")
levels = np.fromfile("out/height.r16", "<u2").reshape(height.shape)
flipped = np.fromfile("out/height.raw", "<u2").reshape(height.shape)
floats = np.fromfile("out/height.r32", "<f4").reshape(height.shape)
assert (floats == height).all()
assert (levels == flipped[::-1]).all()
assert (levels == np.floor((height.astype(float) + 1) / 3 * 65535 + 0.5)).all()
PYTHON
npm install --silent --no-save --prefix "$folder" gltf-validator > /dev/null
cat > validate.js <<'JS'
const fs = require('fs'), validator = require('gltf-validator');
(async () => {
  for (const file of ['out/height.glb', 'out/full.glb']) {
    const { issues, info } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    if (issues.numErrors || issues.numWarnings || issues.numInfos) {
      console.error(file, JSON.stringify(issues.messages, null, 1));
      process.exit(1);
    }
    console.log(`${file}: ${info.totalTriangleCount} triangles, no complaint`);
  }
})();
JS
node validate.js
