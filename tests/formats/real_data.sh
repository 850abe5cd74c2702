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
if [ ! -d root ]; then
  apt-get -qq download python-matplotlib-data r-cran-stars ferret-datasets
  for package in ./*.deb; do dpkg -x "$package" root; done
fi
if [ ! -f package/data/volcano.json ]; then
  npm pack --silent vega-datasets > /dev/null
  tar xzf vega-datasets-*.tgz package/data/volcano.json
fi
/usr/bin/python3 "$here/real_data.py" "$thalweg"
/usr/bin/python3 "$here/real_tiles.py" "$thalweg"
