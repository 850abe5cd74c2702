"""Makes elevation models of what is in NumPy's and JSON files: cells as they are, and a text beside
them that says where they lie. Called by data.sh."""

import json

import numpy as np

SAMPLES = "root/usr/share/matplotlib/mpl-data/sample_data/"


def write_bil(name, cells, west, north, across, down, no_data):
    """Cells of 16 bits from the north-west corner on, and their .hdr."""
    cells.astype("<i2").tofile(f"{name}.bil")
    with open(f"{name}.hdr", "w", encoding="utf-8") as file:
        file.write(f"nrows {cells.shape[0]}\nncols {cells.shape[1]}\nnbits 16\n"
                   f"pixeltype signedint\nnodata {no_data}\nulxmap {west + across / 2!r}\n"
                   f"ulymap {north - down / 2!r}\nxdim {across!r}\nydim {down!r}\n")


data = np.load(SAMPLES + "jacksboro_fault_dem.npz")
land = data["elevation"]
west, east = float(data["xmin"]), float(data["xmax"])
south, north = sorted((float(data["ymin"]), float(data["ymax"])))
write_bil("jacksboro", land, west, north, (east - west) / land.shape[1],
          (north - south) / land.shape[0], -9999)

data = np.load(SAMPLES + "topobathy.npz")
land = np.round(data["topo"][::-1])  # its rows go from south to north
longitude, latitude = data["longitude"], data["latitude"]
across = float(longitude[-1] - longitude[0]) / (len(longitude) - 1)
down = float(latitude[-1] - latitude[0]) / (len(latitude) - 1)
land[10:22, 80:100] = -32768  # a void
write_bil("topobathy", land, float(longitude[0]) - across / 2, float(latitude[-1]) + down / 2,
          across, down, -32768)

volcano = json.load(open("package/data/volcano.json", encoding="utf-8"))
cells = np.array(volcano["values"], float).reshape(volcano["height"], volcano["width"])
with open("volcano.asc", "w", encoding="utf-8") as file:
    file.write(f"ncols {volcano['width']}\nnrows {volcano['height']}\nxllcorner 0\nyllcorner 0\n"
               "cellsize 10\nNODATA_value -1\n")
    np.savetxt(file, cells, "%g")
