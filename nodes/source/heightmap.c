/* SPDX-License-Identifier: MIT */
/* A real or painted map from a file, at the recipe's size. */
#include "source/kernels/file_warp.h"

#include <float.h>
#include <math.h>

enum { LITTLE, BIG };
enum { NORTH, SOUTH };
enum { OVERLAP_AUTO = -1 };
enum { UNIT_AUTO, UNIT_AS_IS, UNIT_METRES, UNIT_FEET, UNIT_US_FEET };
enum { PROJECTION_AUTO, PROJECTION_NONE, PROJECTION_SINUSOIDAL, PROJECTION_UTM };
#define NO_VALUE FLT_MAX

struct params {
    struct tw_file file;
    struct tw_list range;
    int32_t width, height;
    int32_t endian;
    bool flip;
    int32_t fit;
    bool is_signed;
    int32_t band;
    float no_data;
    int32_t unit;
    int32_t projection;
    int32_t zone;
    int32_t overlap;
    int32_t first_row;
};

static const struct tw_param params[] = {
    TW_PARAM_FILE(struct params, file, "grey or floats, relative to the recipe"),
    TW_PARAM_LIST(struct params, range, "", -1e9, 1e9, TW_UNIT_HEIGHT,
                  "what 0 and 1 of the file become; without, 0 and 1, or as a sidecar says",
                  TW_USUAL(0, 1)),
    TW_PARAM_I32_OR(struct params, width, "auto", 0, 0, 1, 65536, TW_UNIT_CELLS,
                    "of a file without a header; auto: as its sidecar says", TW_USUAL(64, 4096)),
    TW_PARAM_I32_OR(struct params, height, "auto", 0, 0, 1, 65536, TW_UNIT_CELLS, "the same",
                    TW_USUAL(64, 4096)),
    TW_PARAM_ENUM(struct params, endian, LITTLE, "little|big",
                  "which byte of a number comes first in a file without a header, the least or the "
                  "greatest"),
    TW_PARAM_BOOL(struct params, flip, false,
                  "rows from south to north, in a file without a header; else as its sidecar says"),
    TW_FILE_FIT_PARAM(struct params, TW_FILE_FITS),
    {.name = "signed",
     .kind = TW_KIND_BOOL,
     .offset = TW_FIELD_OF(struct params, is_signed, bool),
     .max = 1,
     .unit = "",
     .help = "numbers of a file without a header have a sign, and are heights as they are"},
    TW_PARAM_I32_OR(struct params, band, "auto", 0, 0, 1, 65535, "",
                    "which map of a .tif or .bil that holds several; auto: its only one",
                    TW_USUAL(1, 8)),
    TW_PARAM_F32_OR(struct params, no_data, "auto", NO_VALUE, NO_VALUE, -3.4028235e38, 3.4e38, "",
                    "the file's value for cells without a height; auto: as the file says",
                    TW_USUAL(-32768, 0)),
    TW_PARAM_ENUM(struct params, unit, UNIT_AUTO, "auto|as_is|metres|feet|us_feet",
                  "what a height of the file measures: with metres and feet, heights become those "
                  "of the recipe's world; auto: metres where world: is from this node, else "
                  "as_is"),
    TW_PARAM_ENUM(struct params, projection, PROJECTION_AUTO, "auto|none|sinusoidal|utm",
                  "whether oblong cells and degrees become squares of equal metres; auto: where "
                  "world: is from this node"),
    TW_PARAM_I32_OR(struct params, zone, "auto", 0, 0, 1, TW_UTM_ZONES, "",
                    "of projection: utm; auto: the zone in which the file's middle lies",
                    TW_USUAL(1, 60)),
    TW_PARAM_I32_OR(struct params, overlap, "auto", OVERLAP_AUTO, OVERLAP_AUTO, 0, 1024,
                    TW_UNIT_CELLS,
                    "that tiles without a place share with the next; auto: 1 where their sides "
                    "are odd",
                    TW_USUAL(0, 8)),
    TW_PARAM_ENUM(struct params, first_row, NORTH, "north|south",
                  "where the row of tiles with the least y in their names lies"),
    TW_PARAM_END,
};

enum { OUT, GAPS };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the map; without a height the least one"},
    {"gaps", TW_MASK, TW_ON_DEMAND, "1 where the file has no height"},
    TW_PORT_END,
};

static bool is_measured(const struct params *p) { return p->unit >= UNIT_METRES; }
static int32_t view_of(const struct params *p)
{
    return p->projection == PROJECTION_UTM          ? TW_VIEW_UTM
           : p->projection == PROJECTION_SINUSOIDAL ? TW_VIEW_SINUSOIDAL
                                                    : TW_VIEW_NONE;
}
static bool has_no_data(const struct params *p) { return p->no_data < NO_VALUE; }

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    return p->range.count == 0 || p->range.count == 2 ? TW_RULES_HOLD
                                                      : TW_RULE("range", "[low, high]");
}

static struct tw_file_layout file_layout(const void *at)
{
    const struct params *p = at;
    return (struct tw_file_layout){.width = p->width,
                                   .height = p->height,
                                   .flip = p->flip,
                                   .big_endian = p->endian == BIG,
                                   .is_signed = p->is_signed,
                                   .band = p->band,
                                   .counts = is_measured(p),
                                   .gaps = has_no_data(p),
                                   .overlap = p->overlap,
                                   .south_first = p->first_row == SOUTH};
}

static enum tw_status check_file(const void *at, const struct tw_file_facts *file, int32_t width,
                                 int32_t height, struct tw_error *err)
{
    const struct params *p = at;
    if (file->type == TW_IMAGE && !file->may_be_grey)
        return tw_error_set(err, TW_INPUT,
                            "%s is a colour picture; a height map is grey. source.image reads one "
                            "channel, at full depth",
                            p->file.name);
    if (file->scale == TW_SCALE_UNKNOWN && p->range.count == 0)
        return tw_error_set(err, TW_INPUT,
                            "%s holds levels without a header: their range is missing; expected a "
                            "sidecar that says it, or range: [low, high]",
                            p->file.name);
    if (view_of(p) == TW_VIEW_NONE)
        return tw_file_fit_check(p->file.name, file, p->fit, width, height, err);
    enum tw_status status = tw_file_view_check(p->file.name, file, p->fit, width, height, err);
    return status == TW_OK && view_of(p) == TW_VIEW_UTM
               ? tw_file_warp_check(p->file.name, file, p->zone, err)
               : status;
}

/* What was seen of a picture in colour: are its channels equal, or green and blue zero? */
struct seen {
    bool equal, red;
    float colour[3]; /* the first that is neither */
};
struct grey {
    bool bytes;
    struct seen *seen;
};

static void see(struct seen *seen, const float *rgb)
{
    if (!seen->equal && !seen->red)
        return;
    seen->equal = seen->equal && rgb[0] == rgb[1] && rgb[1] == rgb[2];
    seen->red = seen->red && rgb[1] == 0 && rgb[2] == 0;
    for (int i = 0; i < 3; i++)
        seen->colour[i] = rgb[i];
}

static void take_red(const void *context, const void *row, float *cells, int32_t width)
{
    const struct grey *grey = context;
    for (int32_t x = 0; x < width; x++) {
        float rgb[3];
        for (int i = 0; i < 3; i++)
            rgb[i] = grey->bytes ? (float)((const uint8_t *)row)[3 * x + i] / 255.0f
                                 : ((const float *)row)[3 * x + i];
        see(grey->seen, rgb);
        cells[x] = rgb[0];
    }
}

struct valid {
    float no_data;
};

/* Copies a row, with NaN for the value that the recipe names. */
static void take_valid(const void *context, const void *row, float *cells, int32_t width)
{
    const struct valid *valid = context;
    const float *from = row;
    for (int32_t x = 0; x < width; x++)
        cells[x] = from[x] == valid->no_data ? NAN : from[x];
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    if (view_of(p) == TW_VIEW_UTM)
        tw_file_warp_forecast(f, p->fit, p->zone);
    else
        tw_file_fit_forecast(f, p->fit, view_of(p) == TW_VIEW_SINUSOIDAL);
}

/* Heights of the world per height of the file. */
static double unit_of(const struct tw_task *task, const struct params *p,
                      const struct tw_file_facts *file)
{
    const double metres = p->unit == UNIT_FEET      ? 0.3048
                          : p->unit == UNIT_US_FEET ? 1200.0 / 3937.0
                          : file->metres > 0        ? file->metres
                                                    : 1;
    return is_measured(p) ? metres / tw_task_world(task)->height_m : 1;
}

/* ---- gaps ---- */

/* Marks cells without a height; returns how many there are. */
static int64_t find_gaps(const float *out, size_t count, float *gaps, float *least)
{
    int64_t found = 0;
    *least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const bool gap = isnan(out[i]);
        found += gap;
        *least = !gap && out[i] < *least ? out[i] : *least;
        if (gaps)
            gaps[i] = gap ? 1.0f : 0.0f;
    }
    return found;
}

static enum tw_status fill_gaps(struct tw_task *task, const char *name)
{
    struct tw_value *out = tw_task_output(task, OUT);
    const bool wanted = tw_task_wants(task, GAPS);
    float *cells = tw_floats(out), *gaps = wanted ? tw_floats(tw_task_output(task, GAPS)) : NULL;
    const size_t count = tw_value_count(out);
    float least;
    const int64_t found = find_gaps(cells, count, gaps, &least);
    if (found == (int64_t)count)
        return tw_task_fail_file(task, "%s has no height anywhere on this map", name);
    for (size_t i = 0; found > 0 && i < count; i++)
        cells[i] = isnan(cells[i]) ? least : cells[i];
    if (found > 0 && !wanted)
        tw_task_warn(task,
                     "%s has no height for %lld cell%s of the map, which get the least, %.6g; "
                     "nothing reads the output gaps",
                     name, (long long)found, found == 1 ? "" : "s", (double)least);
    return TW_OK;
}

static struct tw_file_fit fit_of(const struct tw_task *task, const struct params *p,
                                 const struct tw_file_facts *file)
{
    const bool known = file->scale == TW_SCALE_KNOWN, given = p->range.count == 2;
    const double unit = unit_of(task, p, file);
    const float low = given ? p->range.at[0] : known ? file->low : 0;
    const float high = given ? p->range.at[1] : known ? file->high : 1;
    return (struct tw_file_fit){.fit = p->fit,
                                .view = view_of(p),
                                .zone = p->zone,
                                .low = unit == 1 ? low : (float)((double)low * unit),
                                .high = unit == 1 ? high : (float)((double)high * unit),
                                .least = -FLT_MAX,
                                .most = FLT_MAX};
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_file_facts file = tw_task_file_facts(task);
    struct seen seen = {.equal = true, .red = file.deep};
    const struct grey grey = {.bytes = !file.deep, .seen = &seen};
    const struct valid valid = {p->no_data};
    struct tw_file_fit fit = fit_of(task, p, &file);
    fit.out = tw_floats(tw_task_output(task, OUT));
    fit.convert = file.type == TW_IMAGE ? take_red : has_no_data(p) ? take_valid : NULL;
    fit.context = file.type == TW_IMAGE ? (const void *)&grey : &valid;
    bool gaps = false;
    fit.gaps = &gaps;
    enum tw_status status =
        view_of(p) == TW_VIEW_UTM ? tw_file_warp(task, &fit) : tw_file_fit(task, &fit);
    if (status == TW_OK && (gaps || tw_task_wants(task, GAPS)))
        status = fill_gaps(task, p->file.name);
    if (status != TW_OK || seen.equal || seen.red)
        return status;
    return tw_task_fail_file(task,
                             "%s has colours, as red %.3g, green %.3g, blue %.3g; expected heights "
                             "in all three alike. source.image reads one channel, at full depth",
                             p->file.name, (double)seen.colour[0], (double)seen.colour[1],
                             (double)seen.colour[2]);
}

extern const struct tw_node_type tw_node_source_heightmap;
const struct tw_node_type tw_node_source_heightmap = {
    .name = "source.heightmap",
    .version = 3,
    .summary = "a height map from a file",
    .keywords = "import, load, DEM, real terrain, elevation model, file, open, GeoTIFF, SRTM, hgt, "
                "bil, no data, voids, gaps, degrees, tiles, mosaic, UTM",
    .elsewhere =
        "File (Gaea), File Input (World Machine), HeightField File (Houdini), Import (Hesiod), "
        "Image Texture (Blender), r.import (GRASS)",
    .detail =
        "Reads a height map from a file. Choose source.image for a mask, and source.picture for "
        "colours.\n"
        "Heights: with range [low, high] a value v becomes low + v (high - low). Integers of b "
        "bits are read as v / (2^b - 1) where they have no sign; signed integers and floats are "
        "read as they are.\n"
        "Without range, a sidecar says what the values mean: the .json that an export writes "
        "next to a file of any format, with the range of its levels or the metres that a float "
        "of 1 measures. Without either, 0 and 1 are heights of 0 and 1.\n"
        "Channels: transparency is ignored. An .exr gives its channel Y, height or Z, the only "
        "one, or R. One in colours, and a .bmp, is read where red, green and blue are equal, an "
        ".exr also where green and blue are 0.\n"
        "Files without a header (.r16, .raw, .r32) do not give their size: width and height do, "
        "or the sidecar does, including rows from south to north, and levels need range or a "
        "sidecar. Parameters take precedence over a sidecar. endian: big is for files of other "
        "programs, since an export is little-endian. A file with a header holds all of this "
        "itself, so width, height, endian and flip are refused there.\n"
        "Elevation models: .hgt tells its size by its length and its place by its name; .bil, .flt "
        "and .dem need their .hdr beside them. A .tif gives GDAL's scale, offset, unit and nodata "
        "value; of several bands, band chooses one. It is refused if it has a mask, or is "
        "mirrored, as with rows from south to north. A place that contradicts world: is "
        "reported.\n"
        "Tiles: a name with * behind its last slash stands for all files that it fits, which lie "
        "beside each other: by their corners where the files have a place, on one grid of cells "
        "and in one system; else by the numbers in their names, as land_x0_y0.png, land_y0_x0.png "
        "or land_0_0.png, counted from north and west (first_row: south: y from the south). Where "
        "no tile lies there are gaps, but a whole row or column of tiles that is missing is an "
        "error. Of cells that several tiles have, the northernmost tile's count, then the "
        "westernmost's. Tiles of odd sides without a place share their edges, which must agree, "
        "unless overlap says another number of cells. 4096 files of 64 GiB at most; symbolic "
        "links are left out.\n"
        "Metres: with unit: metres, heights of the file, in metres or in the feet that it names, "
        "become heights of the recipe's world, and integers without a sign are read as they are. "
        "With projection: sinusoidal, the map shows the largest area of its shape in the middle of "
        "the file, in square cells of as many metres as the file's have there. Both are the "
        "default where world: {from: ...} names this node. With projection: utm, it shows that "
        "area in square cells of a zone of Universal Transverse Mercator, as programs of surveyors "
        "have it: Krueger's series, to a hundredth of a millimetre. Beyond the file its last cells "
        "repeat.\n"
        "Gaps: a cell without a height gets the least height of the map, and is 1 in gaps. With "
        "another size, the cells around it make up for a gap of less than half their weight. "
        "Undeclared cells of -32768 or below -1e30 are reported: no_data declares them.\n"
        "fit: a crop keeps the north-west corner; bilinear and lanczos clamp at the border. "
        "Bilinear mixes the four cells around, which suits files about as fine as the map. "
        "Lanczos takes three lobes of a windowed sinc, as wide as a cell of the map where the "
        "file is finer: slopes stay sharp and nothing is missed between cells, but heights near "
        "a cliff may pass those of the file by a tenth of it.",
    .cite = "turkowski1990 duchon1979 karney2011",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "dem: {type: source.heightmap, file: data/jacksboro.png, fit: bilinear}",
    .check = check,
    .run = run,
    .check_file = check_file,
    .file_layout = file_layout,
    .physical = true,
    .file_rows = true,
    .file_gaps = true,
    .file_streams = true,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
