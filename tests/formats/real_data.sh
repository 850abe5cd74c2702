#!/usr/bin/env bash
# Real land, as files of every kind of elevation model, against GDAL and NumPy: recipes take
# their metres from the data that Debian's and npm's packages ship.
# usage: real_data.sh COMMAND [FOLDER]   FOLDER keeps the packages and what was made of them
set -euo pipefail
thalweg=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
if [ $# -ge 2 ]; then
  mkdir -p "$2"
  cd "$2"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
fi
examples=$here/../../docs/examples/real-land
"$examples/data.sh"
for recipe in jacksboro topobathy olinda volcano; do
  cp "$examples/$recipe.yaml" .
  "$thalweg" run "$recipe.yaml" -o examples --no-cache -q
done
if "$thalweg" doctor | grep -q "through GDAL"; then
  cp "$examples/etopo.yaml" .
  "$thalweg" run etopo.yaml -o examples --no-cache -q
fi
/usr/bin/python3 "$here/real_data.py" "$thalweg"
/usr/bin/python3 "$here/real_tiles.py" "$thalweg"
