#!/usr/bin/env bash
# Gets elevation models that Debian's and npm's packages ship, for the recipes in this folder, into
# the working folder. Needs apt-get, dpkg, npm and Python with NumPy.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
if [ ! -d root ]; then
  apt-get -qq download python-matplotlib-data r-cran-stars ferret-datasets
  for package in ./*.deb; do dpkg -x "$package" root; done
fi
if [ ! -f package/data/volcano.json ]; then
  npm pack --silent vega-datasets > /dev/null
  tar xzf vega-datasets-*.tgz package/data/volcano.json
fi
/usr/bin/python3 "$here/data.py"
cp root/usr/lib/R/site-library/stars/tif/olinda_dem_utm25s.tif olinda.tif
cp root/usr/share/ferret-vis/data/etopo60.cdf etopo.cdf
