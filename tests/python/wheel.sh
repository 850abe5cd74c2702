#!/usr/bin/env bash
# The wheel as its user has it: made by the target `wheel`, installed into an empty environment, then
# run there without our library, our command or our environment. Exit code 77: a tool is missing.
# usage: wheel.sh BUILD PYTHON
set -euo pipefail
build=$1 python=$2
for tool in patchelf strip ldd; do
  command -v "$tool" > /dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
"$python" -c 'import ensurepip' 2> /dev/null || { echo "skipped: there is no python3-venv"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make() { "$python" "$(dirname "$0")/../../engine/python/wheel.py" 0.1.0 "$build/libthalweg.so" "$build/thalweg" "$(dirname "$0")/../../LICENSE" "$1"; }
wheel=$(make "$work/one")
cmp "$wheel" "$(make "$work/two")" # the same bytes again
"$python" -m venv --system-site-packages "$work/Umgebung für alle"
cd "$work"
run() { env -i PATH=/usr/bin:/bin HOME="$work" "$@"; }
run "$work/Umgebung für alle/bin/pip" install -q --no-index --no-deps "$wheel"
cat > "$work/hills.yaml" << 'RECIPE'
thalweg: 1
size: 64
nodes:
  noise: {type: noise.midpoint}
  eroded: {type: erosion.olsen, in: noise}
outputs: {height: eroded}
export: {height.png: height, height.tif: height, height.exr: height}
RECIPE
cat > "$work/try.py" << 'PROGRAM'
import os
import thalweg
hills = thalweg.Recipe("hills.yaml")
height = hills.run().height
assert height.shape == (64, 64)
assert os.path.exists(os.path.join(os.path.dirname(thalweg.__file__), "py.typed"))
document = hills.export("out", no_cache=True)
assert [row["file"] for row in document["recipes"][0]["exports"]] == ["height.png", "height.tif", "height.exr"]
assert "/_bin/" in thalweg._abi._library._name and "/_bin/" in thalweg._command.command_path()
print(thalweg.__version__)
PROGRAM
[ "$(run "$work/Umgebung für alle/bin/python" try.py)" = 0.1.0 ]
run "$work/Umgebung für alle/bin/thalweg" --version
"$build/thalweg" run hills.yaml -o ours --no-cache -q
cmp out/height.png ours/height.png # libraries of the wheel pack the same bytes
run "$work/Umgebung für alle/bin/pip" uninstall -q -y thalweg
ls -l "$wheel" | awk '{print $5 " bytes"}'
