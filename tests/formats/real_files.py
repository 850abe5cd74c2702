"""What real_data.py and real_tiles.py share: running recipes, writing GeoTIFFs, comparing."""

import subprocess
import sys

import numpy as np
import scipy.ndimage as ndimage
from osgeo import gdal, osr

gdal.UseExceptions()
osr.UseExceptions()
thalweg = sys.argv[1]
SAMPLES = "root/usr/share/matplotlib/mpl-data/sample_data/"
A, E2 = 6378137.0, 0.0066943799901413  # WGS 84


def run(name, source, more="", outputs="out: dem, gaps: dem.gaps", world="from: dem", size=""):
    """Runs a recipe whose world is from the file; returns the heights in metres, gaps, facts."""
    recipe = f"""thalweg: 1
{size}
world: {{{world}}}
nodes:
  dem: {{type: source.heightmap, file: {source}{more}}}
outputs: {{{outputs}}}
export:
  {name}.tif: {{from: dem, metres: true}}
  {name}.gaps.npy: dem.gaps
"""
    with open(f"{name}.yaml", "w", encoding="utf-8") as file:
        file.write(recipe)
    done = subprocess.run([thalweg, "run", f"{name}.yaml", "-o", "out", "--no-cache", "-q"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr}")
    text = subprocess.run([thalweg, "inspect", f"out/{name}.tif"], capture_output=True, text=True,
                          check=True).stdout
    said = text.split("thalweg.metres")[1].split("\n")[0].replace(",", "").split()
    facts = {"side": float(said[1]), "cell": float(said[3]), "high": float(said[7]),
             "warning": done.stderr}
    return gdal.Open(f"out/{name}.tif").ReadAsArray(), np.load(f"out/{name}.gaps.npy"), facts


def write_tif(name, cells, transform, epsg, kind, no_data=None, scale=None, unit=None):
    bands = cells if cells.ndim == 3 else cells[None]
    made = gdal.GetDriverByName("GTiff").Create(name, cells.shape[-1], cells.shape[-2], len(bands),
                                                kind)
    system = osr.SpatialReference()
    system.ImportFromEPSG(epsg)
    made.SetGeoTransform(transform)
    made.SetProjection(system.ExportToWkt())
    for i, cells_of_band in enumerate(bands):
        band = made.GetRasterBand(i + 1)
        band.WriteArray(cells_of_band)
        if no_data is not None:
            band.SetNoDataValue(no_data)
        if scale:
            band.SetScale(scale[0])
            band.SetOffset(scale[1])
        if unit:
            band.SetUnitType(unit)


def check(name, found, expected, most):
    """The largest difference must be at most so many metres."""
    worst = float(np.abs(np.asarray(found, np.float64) - expected).max())
    print(f"{name:34} worst {worst:.3g}, allowed {most:g}")
    if not worst <= most:
        sys.exit(f"{name}: {worst} is more than {most}")


def metres(latitude):
    """Metres of a degree of longitude and of latitude."""
    sine, cosine = np.sin(np.radians(latitude)), np.cos(np.radians(latitude))
    w = 1 - E2 * sine * sine
    return np.radians(A * cosine / np.sqrt(w)), np.radians(A * (1 - E2) / w**1.5)


def bilinear(cells, rows, columns):
    """SciPy's resampling at these places; the last cell repeats."""
    return ndimage.map_coordinates(cells.astype(float), [rows, columns], order=1, mode="nearest")
