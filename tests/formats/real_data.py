"""Makes elevation models of every kind from real land, lets thalweg read them, and compares what it
says and gives with GDAL and NumPy. Called by real_data.sh, in the folder of the data."""

import json
import os

import numpy as np
from osgeo import gdal, osr

from real_files import SAMPLES, bilinear, check, metres, run, write_tif

OLINDA = "root/usr/lib/R/site-library/stars/tif/olinda_dem_utm25s.tif"


def view(cells, north, step, shape):
    """The map of that shape in square cells of the middle latitude, sinusoidal, bilinear."""
    height, width = cells.shape
    middle = north - step[1] * height / 2
    across, down = metres(middle)
    side = min(step[0] * across * width, step[1] * down * height * shape[1] / shape[0])
    cell = side / shape[1]
    rows = height / 2 + (np.arange(shape[0]) + 0.5 - shape[0] / 2) * cell / (step[1] * down) - 0.5
    latitude = north - (rows + 0.5) * step[1]
    steps = cell / (step[0] * metres(latitude)[0])
    columns = width / 2 + (np.arange(shape[1]) + 0.5 - shape[1] / 2) * steps[:, None] - 0.5
    rows = np.broadcast_to(rows[:, None], columns.shape)
    return bilinear(cells, rows, columns), side


# ---- jacksboro: degrees of 93 by 74 m, in every form ----

data = np.load(SAMPLES + "jacksboro_fault_dem.npz")
land = data["elevation"]
north, south = float(data["ymin"]), float(data["ymax"])  # their names are exchanged
west = float(data["xmin"])
across = (float(data["xmax"]) - west) / land.shape[1]
down = (north - south) / land.shape[0]
place = (west, across, 0, north, 0, -down)
write_tif("jacksboro.tif", land, place, 4326, gdal.GDT_Int16)
for ending, driver in (("asc", "AAIGrid"), ("bil", "EHdr")):
    gdal.Translate(f"jacksboro.{ending}", "jacksboro.tif", format=driver)
write_tif("scaled.tif", np.round((land / 0.3048 - 500) * 4).astype(np.uint16), place, 4326,
          gdal.GDT_UInt16, scale=(0.25, 500), unit="ft")
write_tif("bands.tif", np.stack([land * 0, land, land * 0 + 7]), place, 4326, gdal.GDT_Int16)
write_tif("counts.tif", land.astype(np.uint16), place, 4326, gdal.GDT_UInt16)
expected, side = view(land, north, (across, down), (427, 403))
for name, source, more, most in (
        ("tif", "jacksboro.tif", "", 0.05), ("asc", "jacksboro.asc", "", 0.05),
        ("bil", "jacksboro.bil", "", 0.05), ("feet", "scaled.tif", "", 0.1),
        ("band", "bands.tif", ", band: 2", 0.05), ("unsigned", "counts.tif", "", 0.05)):
    found, gaps, facts = run(f"jacksboro_{name}", source, more + ", fit: bilinear")
    check(f"jacksboro {name}", found, expected, most)
    check(f"jacksboro {name} side, m", facts["side"], side, 0.01)
    check(f"jacksboro {name} gaps", gaps, 0, 0)

found, _, facts = run("jacksboro_warp", "jacksboro.tif", ", fit: bilinear")
middle = (north + south) / 2
sinusoid = osr.SpatialReference()
sinusoid.ImportFromProj4(f"+proj=sinu +lon_0={west + across * 403 / 2} +ellps=WGS84 +units=m")
globe = osr.SpatialReference()
globe.ImportFromEPSG(4326)
globe.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
centre = osr.CoordinateTransformation(globe, sinusoid).TransformPoint(west + across * 403 / 2,
                                                                      middle)[1]
half = facts["cell"] * 427 / 2
warped = gdal.Warp("", "jacksboro.tif", format="MEM", resampleAlg="bilinear", width=403, height=427,
                   dstSRS=sinusoid.ExportToWkt(), outputType=gdal.GDT_Float32, errorThreshold=0,
                   outputBounds=(-side / 2, centre - half, side / 2, centre + half)).ReadAsArray()
inner = (slice(3, -3), slice(3, -3))
check("jacksboro as gdalwarp has it", found[inner], warped[inner], 0.5)

# ---- topobathy: gaps, in every form that names them ----

topo = np.load(SAMPLES + "topobathy.npz")
sea = np.ascontiguousarray(topo["topo"][::-1]).astype(np.float32)
degrees = [float(topo[k][-1] - topo[k][0]) / (len(topo[k]) - 1) for k in ("longitude", "latitude")]
corner = (float(topo["longitude"][0]) - 360 - degrees[0] / 2,
          float(topo["latitude"][-1]) + degrees[1] / 2)
holes = np.zeros(sea.shape, bool)
holes[20:30, 40:60] = holes[0, 0] = True
holed = np.where(holes, np.float32(-9999), sea)
place = (corner[0], degrees[0], 0, corner[1], 0, -degrees[1])
write_tif("topobathy.tif", holed, place, 4326, gdal.GDT_Float32, no_data=-9999)
gdal.Translate("topobathy.asc", "topobathy.tif", format="AAIGrid",
               creationOptions=["FORCE_CELLSIZE=NO"])
gdal.Translate("topobathy.bil", "topobathy.tif", format="EHdr")
np.save("topobathy.npy", holed)
for name, source, more, world in (
        ("tif", "topobathy.tif", "", "from: dem"), ("bil", "topobathy.bil", "", "from: dem"),
        ("npy", "topobathy.npy", ", no_data: -9999", "from: dem, side_m: 290000")):
    found, gaps, facts = run(f"topobathy_{name}", source, more + ", fit: none, projection: none",
                             world=world, size="size: [120, 91]")
    check(f"topobathy {name}", found[~holes], sea[~holes], 0.001)
    check(f"topobathy {name} gaps", gaps, holes, 0)
    check(f"topobathy {name} least", found[holes], sea[~holes].min(), 0.001)
    check(f"topobathy {name} height_m", facts["high"], sea[~holes].max(), 0)

# ---- olinda: UTM ----

found, gaps, facts = run("olinda", OLINDA)
olinda = gdal.Open(OLINDA)
check("olinda", found, olinda.ReadAsArray(), 1e-4)
check("olinda side, m", facts["side"], olinda.GetGeoTransform()[1] * 111, 1e-6)

# ---- volcano: metres without a system, text ----

volcano = json.load(open("package/data/volcano.json", encoding="utf-8"))
heights = np.array(volcano["values"], np.float32).reshape(volcano["height"], volcano["width"])
with open("volcano.asc", "w", encoding="utf-8") as file:
    file.write("ncols 87\nnrows 61\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -1\n")
    np.savetxt(file, heights, "%g")
found, gaps, facts = run("volcano", "volcano.asc")
check("volcano", found, heights, 1e-4)
check("volcano side, m", facts["side"], 870, 0)

# ---- .hgt: olinda's heights as a tile of one degree ----

tile = np.clip(np.tile(olinda.ReadAsArray(), (11, 11))[:1201, :1201], -100, 100).astype(">i2")
tile[700:710, 3:30] = -32768
os.makedirs("tiles", exist_ok=True)
tile.tofile("tiles/S08W035.hgt")
read = gdal.Open("tiles/S08W035.hgt")
found, gaps, facts = run("hgt", "tiles/S08W035.hgt", ", projection: none", size="size: 1201")
check("hgt as GDAL has it", found[tile != -32768], read.ReadAsArray()[tile != -32768], 1e-4)
check("hgt gaps", gaps, tile == -32768, 0)
transform = read.GetGeoTransform()
check("hgt side, m", facts["side"], min(transform[1] * metres(-7.5)[0], -transform[5] *
                                        metres(-7.5)[1]) * 1201, 0.01)

# ---- etopo: netCDF, which only GDAL reads ----

ETOPO = "root/usr/share/ferret-vis/data/etopo60.cdf"
found, gaps, facts = run("etopo", ETOPO, ", unit: metres, projection: none",
                         world="side_m: 40075017, height_m: 6000", size="size: [360, 180]")
check("etopo as GDAL has it", found, gdal.Open(ETOPO).ReadAsArray(), 0.001)
