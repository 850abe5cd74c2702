#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Single nodes and files beside what does the same in OpenCV, GDAL, NumPy, SciPy, scikit-image and
libdeflate: processor time on one thread, thalweg and peers in turns, the least of all turns.

thalweg runs as a process: a node's figure is that of a run with several copies of it, whose
parameters differ by a millionth, less that of a run of its input alone. Peers run within this
process and are given their input in the form that they take."""
import ctypes
import datetime
import os
import struct
import subprocess
import time
import zlib

import peers

HEAD = """thalweg: 1
size: {size}
seed: 1
borders: closed
nodes:
  given: {{type: source.image, file: given-{size}.npy}}
  sea: {{type: mask.height, in: given, low: 0, high: 0.4, softness: 0}}
"""


class Work:
    """What is done `copies` times: a node whose parameters `node` says, of the number of cells a
    side and a number close to 1 that differs from copy to copy, or files that end in `ending`."""

    def __init__(self, name, copies, contenders, node=None, ending=None, source="given"):
        self.name, self.copies, self.node, self.ending = name, copies, node, ending
        self.contenders, self.source = contenders, source  # contenders: {name: function of a size}

    def recipes(self, size):
        """A recipe with the work, and one without."""
        head, copies = HEAD.format(size=size), range(self.copies)
        plain = head + f"outputs: {{result: {self.source}}}\n"
        if self.ending:
            done = plain + "export:\n" + "".join(
                f"  copy{i}.{self.ending}: {self.source}\n" for i in copies)
        else:
            nodes = [f"  n{i}: {{in: {self.source}, {self.node(size, 1 + i * 1e-6)}}}\n"
                     for i in copies]
            done = head + "".join(nodes) + "outputs:\n" + "".join(
                f"  n{i}: n{i}\n" for i in copies)
        stem = "".join(c for c in self.name if c.isalnum())
        return (thalweg.write(f"{stem}-{size}.yaml", done),
                thalweg.write(f"{stem}-{size}-plain.yaml", plain))


def terrain(size):
    """Hills that a source of heights could give: sums of waves and a little noise, in 0..1."""
    random = np.random.default_rng(size)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / np.float32(size)
    land = np.zeros((size, size), np.float32)
    for octave in range(8):
        u, v = random.normal(size=2) * 2 ** octave * 3
        land += (0.5 ** octave * np.sin(u * x + v * y + random.uniform(0, 6))).astype(np.float32)
    land += random.normal(scale=1e-3, size=land.shape).astype(np.float32)
    return np.ascontiguousarray((land - land.min()) / (land.max() - land.min()))


def processor_time(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def measure(work, size):
    """A row a peer."""
    with_work, without = work.recipes(size)
    least = {"with": 1e9, "without": 1e9}
    for _ in range(options.repeats):
        for key, recipe in [("with", with_work), ("without", without)]:
            least[key] = min(least[key], thalweg.time(recipe)["processor"])
        for name, function in work.contenders.items():
            taken = processor_time(lambda make=function: make(size))
            least[name] = min(least.get(name, 1e9), taken)
    ours = 1e9 * (least["with"] - least["without"]) / work.copies / size ** 2
    for name in work.contenders:
        its = 1e9 * least[name] / size ** 2
        yield {"work": work.name, "size": size, "thalweg_ns": ours, "peer": name, "peer_ns": its,
               "times": its / max(ours, 1e-6), **bytes_beside(work, name)}


def bytes_beside(work, peer):
    """How many bytes a peer's file has for one of ours."""
    if not work.ending:
        return {}
    ours = os.path.getsize(thalweg.folder / "out" / f"copy0.{work.ending}")
    return {"bytes": os.path.getsize(WRITTEN[peer]) / ours}


# ---- what the peers do ----

def given(size):
    if size not in GIVEN:
        GIVEN[size] = terrain(size)
    return GIVEN[size]


def sixteen_bits(size):
    return (given(size) * np.float32(65535) + np.float32(0.5)).astype(np.uint16)


def path_of(peer, ending):
    WRITTEN[peer] = str(thalweg.folder / f"peer-{len(peer)}.{ending}")
    return WRITTEN[peer]


def opencv_blur(sigma):
    return lambda size: cv2.GaussianBlur(given(size), (0, 0), sigma,
                                         borderType=cv2.BORDER_REPLICATE)


def scipy_blur(sigma):
    return lambda size: ndimage.gaussian_filter(given(size), sigma, mode="nearest")


def land_mask(size):
    return (given(size) >= 0.4).astype(np.uint8)


def gdal_hillshade(size):
    if size not in RASTERS:
        RASTERS[size] = gdal_array.OpenArray(given(size))
        RASTERS[size].SetGeoTransform((0, 1.0 / size, 0, 0, 0, -1.0 / size))
    gdal.DEMProcessing("", RASTERS[size], "hillshade", format="MEM", computeEdges=True, zFactor=0.1)


def filled(size):
    land = given(size)
    seed = land.copy()
    seed[1:-1, 1:-1] = land.max()
    morphology.reconstruction(seed, land, method="erosion")


def save_npy(size):
    np.save(path_of("NumPy save", "npy"), given(size))


def opencv_png(size):
    cv2.imwrite(path_of("OpenCV imwrite (libpng)", "png"), sixteen_bits(size))


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(
        ">I", zlib.crc32(kind + content))


def libdeflate_png(size):
    """Rows less those above them, compressed at level 1."""
    rows = sixteen_bits(size).astype(">u2").view(np.uint8).reshape(size, 2 * size)
    lines = np.empty((size, 2 * size + 1), np.uint8)
    lines[:, 0] = 2
    lines[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=lines[1:, 1:])
    room = ctypes.create_string_buffer(deflate.libdeflate_zlib_compress_bound(None, lines.nbytes))
    length = deflate.libdeflate_zlib_compress(compressor, lines.ctypes.data_as(ctypes.c_void_p),
                                              lines.nbytes, room, len(room))
    with open(path_of("libdeflate, level 1", "png"), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 16, 0,
                                                                     0, 0, 0)))
        file.write(chunk(b"IDAT", memoryview(room)[:length].tobytes()) + chunk(b"IEND", b""))


def load_deflate():
    library = ctypes.CDLL("libdeflate.so.0")
    library.libdeflate_alloc_compressor.restype = ctypes.c_void_p
    library.libdeflate_zlib_compress_bound.restype = ctypes.c_size_t
    library.libdeflate_zlib_compress_bound.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    library.libdeflate_zlib_compress.restype = ctypes.c_size_t
    library.libdeflate_zlib_compress.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t,
                                                 ctypes.c_void_p, ctypes.c_size_t]
    return library, library.libdeflate_alloc_compressor(1)


def blur(sigma):
    return Work(f"shape.blur, sigma {sigma} cells", 4,
                {"OpenCV GaussianBlur": opencv_blur(sigma),
                 "SciPy gaussian_filter": scipy_blur(sigma)},
                lambda size, slightly: f"type: shape.blur, radius: {sigma * slightly / size:.9f}")


def works():
    yield from [blur(sigma) for sigma in [2, 5, 20]]
    yield Work("mask.distance", 4,
               {"OpenCV distanceTransform, precise": lambda size: cv2.distanceTransform(
                   land_mask(size), cv2.DIST_L2, cv2.DIST_MASK_PRECISE),
                "SciPy distance_transform_edt": lambda size: ndimage.distance_transform_edt(
                    land_mask(size))},
               lambda size, slightly: f"type: mask.distance, reach: {slightly}", source="sea")
    yield Work("render.hillshade", 16, {"GDAL hillshade": gdal_hillshade},
               lambda size, slightly: f"type: render.hillshade, exaggeration: {slightly / 10}")
    yield Work("shape.fill_depressions", 1, {"scikit-image reconstruction": filled},
               lambda size, slightly: "type: shape.fill_depressions")
    yield Work("shape.power, 1.3", 8,
               {"NumPy power": lambda size: given(size) ** np.float32(1.3)},
               lambda size, slightly: f"type: shape.power, exponent: {1.3 * slightly}")
    yield Work("shape.remap", 16, {"NumPy multiply, add": lambda size: given(size) * np.float32(
        0.75) + np.float32(0.25)},
               lambda size, slightly: f"type: shape.remap, to: [0.25, {slightly}]")
    yield Work("a file, NPY", 8, {"NumPy save": save_npy}, ending="npy")
    yield Work("a file, PNG of 16 bits", 1, {"OpenCV imwrite (libpng)": opencv_png,
                                             "libdeflate, level 1": libdeflate_png}, ending="png")


def versions():
    """Versions of the peers by their names."""
    found = {module.__name__: module.__version__ for module in [np, scipy, cv2, skimage]}
    found["gdal"] = gdal.__version__
    package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libdeflate0"],
                             capture_output=True, text=True, check=False).stdout
    found["libdeflate"] = package or "unknown"
    return found


def show(rows):
    print(f"{'ns a cell':28}{'size':>6}{'thalweg':>9}  {'':36}{'peer':>9}{'times':>7}{'bytes':>7}")
    for row in rows:
        size = f"{row['bytes']:7.2f}" if "bytes" in row else ""
        print(f"{row['work']:28}{row['size']:>6}{row['thalweg_ns']:9.2f}  {row['peer']:36}"
              f"{row['peer_ns']:9.2f}{row['times']:7.2f}{size}")


options = peers.read_options(__doc__, size=[512, 1024])
np, scipy, ndimage, cv2, skimage, morphology, gdal, gdal_array = peers.need(
    "numpy", "scipy", "scipy.ndimage", "cv2", "skimage", "skimage.morphology", "osgeo.gdal",
    "osgeo.gdal_array")
cv2.setNumThreads(options.threads)
gdal.UseExceptions()
deflate, compressor = load_deflate()
thalweg = peers.Thalweg(options)
GIVEN, RASTERS, WRITTEN = {}, {}, {}
for side in options.size:
    np.save(thalweg.folder / f"given-{side}.npy", given(side))
measured = [row for work in works() for side in options.size for row in measure(work, side)]
result = peers.document("peers", options, [], rows=measured)
result["peers"], result["date"] = versions(), datetime.date.today().isoformat()
if options.json:
    peers.write_json(result)
else:
    show(measured)
