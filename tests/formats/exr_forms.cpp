// SPDX-License-Identifier: MIT
// Random OpenEXR files of every form, written by OpenEXR's C++ library, and what that library reads
// of them, which does not share code with the OpenEXRCore of version 3.1 that we read with.
// usage: exr_forms FOLDER SEED COUNT
// For each file N.exr there is a recipe N.yaml; N.heights.r32, N.red.r32, N.green.r32, N.blue.r32
// are what its exports must be; N.refused instead has the words of the refusal.
#include <ImfChannelList.h>
#include <ImfCompression.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfLineOrder.h>
#include <ImfOutputFile.h>
#include <ImfTileDescription.h>
#include <ImfTiledOutputFile.h>
#include <half.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace OPENEXR_IMF_NAMESPACE;
using IMATH_NAMESPACE::Box2i;
using IMATH_NAMESPACE::V2i;

namespace
{

std::mt19937 dice;

int roll(int low, int high) { return low + int(dice() % unsigned(high - low + 1)); }

struct Plane {
    PixelType type;
    int sampling = 1;
    std::vector<char> cells;
};
using Planes = std::map<std::string, Plane>;

int size_of(PixelType type) { return type == HALF ? 2 : 4; }

// Smooth in places and noise in others, so that every way to pack is taken.
void fill(Plane &plane, int width, int height)
{
    const bool noise = roll(0, 1);
    const float rise = float(roll(1, 40)) / 4096;
    plane.cells.resize(size_t(width) * height * size_of(plane.type));
    for (int i = 0; i < width * height; i++) {
        const float share =
            noise ? float(roll(0, 4096)) / 4096 : float(i % width + i / width) * rise;
        char *at = plane.cells.data() + size_t(i) * size_of(plane.type);
        if (plane.type == HALF)
            *reinterpret_cast<half *>(at) = half(share);
        else if (plane.type == FLOAT)
            *reinterpret_cast<float *>(at) = share;
        else
            *reinterpret_cast<uint32_t *>(at) = uint32_t(share * 1000);
    }
}

bool is_coloured(const Planes &planes)
{
    return planes.count("R") && planes.count("G") && planes.count("B");
}

bool is_zero(const Plane &plane)
{
    return std::all_of(plane.cells.begin(), plane.cells.end(), [](char byte) { return byte == 0; });
}

Planes make_planes(int width, int height)
{
    std::vector<std::string> names = {"Y", "Z", "height", "R", "G", "B", "A", "X", "b.C"};
    Planes planes;
    const int count = roll(1, 6);
    if (count >= 3 && roll(0, 2) == 0)
        std::rotate(names.begin(), names.begin() + 3, names.end()); // colours
    else
        std::shuffle(names.begin(), names.end(), dice);
    const bool alike = roll(0, 1);
    const PixelType common = PixelType(roll(0, 2));
    for (int i = 0; i < count; i++) {
        Plane plane;
        plane.type = alike ? common : PixelType(roll(0, 2)); // UINT, HALF, FLOAT
        fill(plane, width, height);
        planes[names[size_t(i)]] = plane;
    }
    const int heights = roll(0, 2); // in no channel of colours, in each, in red alone
    if (is_coloured(planes) && heights == 1)
        planes["G"] = planes["B"] = planes["R"];
    if (is_coloured(planes) && heights == 2)
        for (const char *name : {"G", "B"})
            std::fill(planes[name].cells.begin(), planes[name].cells.end(), 0);
    return planes;
}

FrameBuffer frame(Planes &planes, const Box2i &window)
{
    FrameBuffer buffer;
    const int left = window.min.x, top = window.min.y, width = window.max.x - left + 1;
    for (auto &[name, plane] : planes) {
        const size_t size = size_t(size_of(plane.type));
        const size_t row = size * size_t(width);
        char *base = plane.cells.data() - left / plane.sampling * long(size) -
                     top / plane.sampling * long(row);
        buffer.insert(name, Slice(plane.type, base, size, row, plane.sampling, plane.sampling));
    }
    return buffer;
}

void write(const std::string &path, Planes &planes, const Box2i &window, int height,
           Compression compression, const TileDescription *tiles)
{
    Header header(Box2i(V2i(0, 0), V2i(9, 9)), window);
    header.compression() = compression;
    header.lineOrder() = roll(0, 1) ? DECREASING_Y : INCREASING_Y;
    const bool linear = roll(0, 1); // for B44
    for (auto &[name, plane] : planes)
        header.channels().insert(name, Channel(plane.type, plane.sampling, plane.sampling, linear));
    const FrameBuffer buffer = frame(planes, window);
    if (!tiles) {
        OutputFile file(path.c_str(), header);
        file.setFrameBuffer(buffer);
        file.writePixels(height);
        return;
    }
    header.setTileDescription(*tiles);
    TiledOutputFile file(path.c_str(), header);
    file.setFrameBuffer(buffer);
    for (int y = 0; y < file.numYLevels(); y++)
        for (int x = 0; x < file.numXLevels(); x++)
            if (file.isValidLevel(x, y))
                file.writeTiles(0, file.numXTiles(x) - 1, 0, file.numYTiles(y) - 1, x, y);
}

std::vector<float> read(const std::string &path, const std::string &name, const Box2i &window,
                        int width, int height)
{
    std::vector<float> cells(size_t(width) * height);
    InputFile file(path.c_str());
    FrameBuffer buffer;
    char *base = reinterpret_cast<char *>(cells.data() - window.min.x - long(window.min.y) * width);
    buffer.insert(name, Slice(FLOAT, base, sizeof(float), sizeof(float) * size_t(width)));
    file.setFrameBuffer(buffer);
    file.readPixels(window.min.y, window.max.y);
    return cells;
}

void save(const std::string &path, const std::vector<float> &cells)
{
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(cells.data()),
               std::streamsize(cells.size() * sizeof(float)));
}

std::string refusal(const Planes &planes, Compression compression)
{
    bool halves = true;
    for (const auto &[name, plane] : planes) {
        halves = halves && plane.type == HALF;
        if (plane.sampling != 1)
            return "subsampled";
    }
    const bool b44 = compression == B44_COMPRESSION || compression == B44A_COMPRESSION;
    if (compression == DWAA_COMPRESSION || compression == DWAB_COMPRESSION ||
        (b44 && planes.size() > 1 && !halves))
        return "not supported";
    return "";
}

// The channel of heights, or "" where there is none: as docs/nodes/source.heightmap.md says.
std::string heights_of(const Planes &planes)
{
    for (const char *name : {"Y", "height", "Z"})
        if (planes.count(name))
            return name;
    if (planes.size() == 1)
        return planes.begin()->first;
    return planes.count("R") && !planes.count("G") && !planes.count("B") ? "R" : "";
}

// Whether all chunks become smaller by blocks of 4 x 4: of others OpenEXR's library (3.1.5) writes
// beyond its memory.
bool b44_pays(int width, int height, int wide, int high)
{
    for (int w : {std::min(wide, width), width % wide ? width % wide : std::min(wide, width)})
        for (int h :
             {std::min(high, height), height % high ? height % high : std::min(high, height)})
            if (14 * ((w + 3) / 4) * ((h + 3) / 4) >= 2 * w * h)
                return false;
    return true;
}

// What a node of a recipe must give: the channel as OpenEXR's library reads it.
struct Expected {
    std::string node, kind, channel;
};

std::vector<Expected> expectations(const Planes &planes)
{
    std::vector<Expected> rows;
    const std::string heights = heights_of(planes);
    const bool coloured = is_coloured(planes);
    if (!heights.empty())
        rows.push_back({"heights", "source.heightmap", heights});
    else if (coloured && ((planes.at("R").cells == planes.at("G").cells &&
                           planes.at("R").cells == planes.at("B").cells) ||
                          (is_zero(planes.at("G")) && is_zero(planes.at("B")))))
        rows.push_back({"heights", "source.heightmap", "R"});
    if (coloured) {
        rows.push_back({"red", "source.image, channel: red", "R"});
        rows.push_back({"green", "source.image, channel: green", "G"});
        rows.push_back({"blue", "source.image, channel: blue", "B"});
    }
    return rows;
}

void make(const std::string &folder, const std::string &name)
{
    const std::string path = folder + "/" + name;
    const bool subsampled = roll(0, 19) == 0;
    const int width = roll(1, 70) * (subsampled ? 2 : 1);
    const int height = roll(1, 70) * (subsampled ? 2 : 1);
    const V2i corner(2 * roll(-5, 5), 2 * roll(-5, 5));
    const Box2i window(corner, corner + V2i(width - 1, height - 1));
    Compression compression = Compression(roll(0, NUM_COMPRESSION_METHODS - 1));
    const TileDescription tiles(unsigned(roll(4, 40)), unsigned(roll(4, 40)),
                                LevelMode(roll(0, 2)));
    const bool tiled = !subsampled && roll(0, 1);
    if ((compression == B44_COMPRESSION || compression == B44A_COMPRESSION) &&
        !b44_pays(width, height, tiled ? int(tiles.xSize) : width, tiled ? int(tiles.ySize) : 32))
        compression = ZIP_COMPRESSION;
    Planes planes = make_planes(width, height);
    if (subsampled)
        planes.begin()->second.sampling = 2;
    write(path + ".exr", planes, window, height, compression, tiled ? &tiles : nullptr);
    std::vector<Expected> rows = expectations(planes);
    const std::string refused =
        rows.empty() ? "none of which is known" : refusal(planes, compression);
    std::ofstream recipe(path + ".yaml");
    recipe << "thalweg: 1\nsize: [" << width << ", " << height << "]\nnodes:\n";
    if (!refused.empty()) {
        std::ofstream(path + ".refused") << refused;
        rows = {{"heights", "source.heightmap", ""}};
    }
    for (const Expected &row : rows) {
        recipe << "  " << row.node << ": {type: " << row.kind << ", file: " << name << ".exr}\n";
        if (refused.empty())
            save(path + "." + row.node + ".r32",
                 read(path + ".exr", row.channel, window, width, height));
    }
    recipe << "export:\n";
    for (const Expected &row : rows)
        recipe << "  " << name << "." << row.node << ".r32: " << row.node << "\n";
}

} // namespace

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    dice.seed(unsigned(std::atoi(words[2])));
    for (int i = 0; i < std::atoi(words[3]); i++)
        make(words[1], std::to_string(i));
}
