"""Tiles of real land beside GDAL's mosaics, and zones of UTM beside PROJ and gdalwarp. Called by
real_data.sh after real_data.py, in the folder of the data."""

import glob
import os
import shutil

import numpy as np
import scipy.ndimage as ndimage
from osgeo import gdal, osr

from real_files import check, run

land = gdal.Open("jacksboro.tif").ReadAsArray()
west, across, _, north, _, down = gdal.Open("jacksboro.tif").GetGeoTransform()


def mosaic(pattern, name):
    """What gdalbuildvrt and gdal_translate make of the files."""
    gdal.BuildVRT(f"{name}.vrt", sorted(glob.glob(pattern))).FlushCache()
    return gdal.Translate("", f"{name}.vrt", format="MEM")


def cut(folder, ending, driver, overlap, without=(), no_data=None):
    """jacksboro in 3 x 2 tiles, which overlap by so many cells."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    columns, rows = (0, 150, 280, 403), (0, 200, 344)
    for j in range(2):
        for i in range(3):
            if (i, j) in without:
                continue
            window = [columns[i], rows[j], min(columns[i + 1] + overlap, 403) - columns[i],
                      min(rows[j + 1] + overlap, 344) - rows[j]]
            gdal.Translate(f"{folder}/part{i}{j}.{ending}", "jacksboro.tif", format=driver,
                           srcWin=window, noData=no_data)


# ---- by their corners ----

for name, ending, driver, overlap in (("tif", "tif", "GTiff", 0), ("bil", "bil", "EHdr", 1),
                                      ("asc", "asc", "AAIGrid", 7)):
    cut(f"by_{name}", ending, driver, overlap)
    made = mosaic(f"by_{name}/*.{ending}", f"by_{name}")
    found, gaps, facts = run(f"by_{name}", f"by_{name}/*.{ending}", ", projection: none",
                             size="size: [403, 344]")
    check(f"tiles {name} as gdalbuildvrt", found, made.ReadAsArray(), 1e-4)
    check(f"tiles {name} gaps", gaps, 0, 0)

cut("holed", "tif", "GTiff", 1, without=[(1, 0)], no_data=-9999)
made = mosaic("holed/*.tif", "holed").ReadAsArray()
found, gaps, facts = run("holed", "holed/*.tif", ", projection: none", size="size: [403, 344]")
check("a missing tile is a gap", gaps, made == -9999, 0)
check("the others as gdalbuildvrt", found[made != -9999], made[made != -9999], 1e-4)

tile = gdal.Open("tiles/S08W035.hgt").ReadAsArray().astype(">i2")
shutil.rmtree("degrees", ignore_errors=True)
os.makedirs("degrees")
wide = np.tile(tile, (2, 2))[:2401, :2401]
for j, i in ((0, 0), (0, 1), (1, 0), (1, 1)):
    wide[j * 1200:j * 1200 + 1201, i * 1200:i * 1200 + 1201].tofile(
        f"degrees/S{8 + j:02}W{35 - i:03}.hgt")
made = mosaic("degrees/*.hgt", "degrees").ReadAsArray()
found, gaps, facts = run("degrees", "degrees/*.hgt", ", projection: none", size="size: 2401")
check("hgt tiles as gdalbuildvrt", found[made != -32768], made[made != -32768], 1e-4)
check("hgt tiles gaps", gaps, made == -32768, 0)

# ---- UTM ----

globe = osr.SpatialReference()
globe.ImportFromEPSG(4326)
globe.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
middle = (west + across * 403 / 2, north + down * 344 / 2)
for name, zone, epsg, fit, most in (("utm", "", 32616, "bilinear", 0.01),
                                    ("utm17", ", zone: 17", 32617, "bilinear", 0.01),
                                    ("utm_lanczos", "", 32616, "lanczos", 0.05)):
    found, _, facts = run(name, "jacksboro.tif", f", fit: {fit}, projection: utm{zone}")
    out = gdal.Open(f"out/{name}.tif")
    corner_x, cell, _, corner_y, _, _ = out.GetGeoTransform()
    system = osr.SpatialReference()
    system.ImportFromEPSG(epsg)
    check(f"{name} code", [int(out.GetSpatialRef().GetAuthorityCode(None))], [epsg], 0)
    centre = osr.CoordinateTransformation(globe, system).TransformPoint(*middle)
    check(f"{name} middle as PROJ has it, m", [corner_x + cell * 403 / 2, corner_y - cell * 427 / 2],
          centre[:2], 0.001)
    bounds = (corner_x, corner_y - cell * 427, corner_x + cell * 403, corner_y)
    warped = gdal.Warp("", "jacksboro.tif", format="MEM", resampleAlg=fit, width=403,
                       height=427, dstSRS=system.ExportToWkt(), outputType=gdal.GDT_Float32,
                       errorThreshold=0, outputBounds=bounds, dstNodata=-9999).ReadAsArray()
    inside = warped != -9999
    inside = ndimage.binary_erosion(inside, iterations=4)  # all that a cell is mixed of
    print(f"{name}: {inside.mean():.1%} of the map inside the file")
    check(f"{name} as gdalwarp has it, m", found[inside], warped[inside], most)
