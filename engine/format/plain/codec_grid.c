/* SPDX-License-Identifier: MIT */
/* Elevation models without a header in the file: .hgt, whose length and name say all, and those
 * that a text file beside them describes, .bil, .flt (ESRI) and .dem (GTOPO30). Read only. */
#include "base/text/number.h"
#include "format/epsg.h"
#include "format/place.h"
#include "format/plain/raw_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- .hgt ---- */

/* Cells of one degree, whose first and last cells lie on the degree's lines. */
static const struct {
    int32_t width, height;
} hgt_sizes[] = {{1201, 1201}, {3601, 3601}, {1801, 3601}, {601, 1201}};

/* Reads "N36W085" at the beginning of a name, its south-west corner in degrees. */
static bool read_corner(const char *name, int *south, int *west)
{
    const char *slash = strrchr(name, '/');
    const char *at = slash ? slash + 1 : name;
    const int up = toupper((unsigned char)at[0]);
    if ((up != 'N' && up != 'S') || strspn(at + 1, "0123456789") != 2)
        return false;
    const int side = toupper((unsigned char)at[3]);
    if ((side != 'W' && side != 'E') || strspn(at + 4, "0123456789") != 3)
        return false;
    *south = 10 * (at[1] - '0') + (at[2] - '0');
    *west = 100 * (at[4] - '0') + 10 * (at[5] - '0') + (at[6] - '0');
    *south = up == 'S' ? -*south : *south;
    *west = side == 'W' ? -*west : *west;
    return *south >= -90 && *south < 90 && *west >= -180 && *west < 180;
}

static enum tw_status describe_hgt(const struct tw_bare_file *file, struct tw_raw_layout *layout,
                                   struct tw_error *err)
{
    int south, west;
    *layout = (struct tw_raw_layout){.bits = 16,
                                     .numbers = TW_RAW_SIGNED,
                                     .big_endian = true,
                                     .has_no_data = true,
                                     .no_data = -32768};
    for (size_t i = 0; i < sizeof hgt_sizes / sizeof *hgt_sizes; i++)
        if (file->length == (uint64_t)hgt_sizes[i].width * (uint64_t)hgt_sizes[i].height * 2) {
            layout->width = hgt_sizes[i].width;
            layout->height = hgt_sizes[i].height;
        }
    if (layout->width == 0)
        return tw_error_set(err, TW_INPUT,
                            "%s has %" PRIu64 " bytes; expected 2884802, 1201 x 1201 numbers of "
                            "16 bits, or 25934402, 3601 x 3601",
                            file->name, file->length);
    if (!read_corner(file->name, &south, &west))
        return TW_OK;
    const double across = 1.0 / (layout->width - 1), down = 1.0 / (layout->height - 1);
    layout->place =
        (struct tw_file_place){true, west - across / 2, south + 1 + down / 2, across, down, 0};
    return TW_OK;
}

/* ---- a header file ---- */

enum { WORD_MAX = 40 };

struct header {
    double columns, rows, bits, bands, skip, band_row, row, no_data;
    double upper_x, upper_y, step_x, step_y; /* centre of the north-west cell, sizes of a cell */
    double left, low, cell;                  /* south-west corner, or its cell's centre */
    char type[WORD_MAX], order[WORD_MAX], form[WORD_MAX];
    bool is_middle;
};

/* Reads the next word of a line; false at its end. Cuts a longer one, which then means nothing. */
static bool next_word(const char **at, char word[WORD_MAX])
{
    size_t length = 0;
    *at += strspn(*at, " \t\r");
    for (; **at && !isspace((unsigned char)**at); (*at)++)
        if (length < WORD_MAX - 1)
            word[length++] = **at;
    word[length] = 0;
    return length > 0;
}

struct known {
    const char *name;
    double *number;
    char *word;
};

static const struct known *find_known(const struct known *known, const char *name)
{
    while (known->name && strcasecmp(known->name, name) != 0)
        known++;
    return known->name ? known : NULL;
}

/* Takes the lines that are known; others describe what a map of heights does not need. */
static enum tw_status read_header(const char *text, struct header *h, struct tw_error *err)
{
    const struct known known[] = {
        {"ncols", &h->columns, NULL},        {"nrows", &h->rows, NULL},
        {"nbits", &h->bits, NULL},           {"nbands", &h->bands, NULL},
        {"skipbytes", &h->skip, NULL},       {"bandrowbytes", &h->band_row, NULL},
        {"totalrowbytes", &h->row, NULL},    {"nodata", &h->no_data, NULL},
        {"nodata_value", &h->no_data, NULL}, {"ulxmap", &h->upper_x, NULL},
        {"ulymap", &h->upper_y, NULL},       {"xdim", &h->step_x, NULL},
        {"ydim", &h->step_y, NULL},          {"xllcorner", &h->left, NULL},
        {"yllcorner", &h->low, NULL},        {"xllcenter", &h->left, NULL},
        {"yllcenter", &h->low, NULL},        {"cellsize", &h->cell, NULL},
        {"pixeltype", NULL, h->type},        {"byteorder", NULL, h->order},
        {"layout", NULL, h->form},           {NULL, NULL, NULL}};
    *h = (struct header){.bands = 1, .no_data = NAN, .upper_x = NAN, .left = NAN};
    while (*text) {
        char name[WORD_MAX], value[WORD_MAX];
        const char *at = text;
        const struct known *row =
            next_word(&at, name) && next_word(&at, value) ? find_known(known, name) : NULL;
        if (row && row->word)
            memcpy(row->word, value, sizeof value);
        if (row && row->number && !tw_number_parse(value, row->number) &&
            (row->number != &h->no_data || strcasecmp(value, "nan") != 0))
            return tw_error_set(err, TW_INPUT, "damaged .hdr: %s is '%.20s'; expected a number",
                                row->name, value);
        h->is_middle |= row && strcmp(row->name, "xllcenter") == 0;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return TW_OK;
}

static bool is_whole(double number, double low, double high)
{
    return number >= low && number <= high && number == floor(number);
}

static enum tw_status take_numbers(const struct tw_bare_file *file, const struct header *h,
                                   bool floats, bool signs, struct tw_raw_layout *layout,
                                   struct tw_error *err)
{
    const bool is_float = floats || strcasecmp(h->type, "float") == 0;
    const bool is_signed =
        strncasecmp(h->type, "signed", 6) == 0 || (!h->type[0] && (signs || h->no_data < 0));
    layout->bits = h->bits > 0 && is_whole(h->bits, 8, 64) ? (int)h->bits : floats ? 32 : 8;
    layout->numbers = is_float ? TW_RAW_FLOATS : is_signed ? TW_RAW_SIGNED : TW_RAW_UNSIGNED;
    const bool fits = is_float ? layout->bits == 32 || layout->bits == 64
                               : layout->bits == 8 || layout->bits == 16 || layout->bits == 32;
    if (!fits || (h->bits != 0 && h->bits != layout->bits))
        return tw_error_set(err, TW_INPUT,
                            "%s has %s of %.9g bits; expected integers of 8, 16 or 32 bits or "
                            "floats of 32 or 64",
                            file->name, is_float ? "floats" : "integers", h->bits);
    layout->big_endian = h->order[0] == 'M' || h->order[0] == 'm'; /* Motorola, MSBFIRST */
    layout->has_no_data = is_float || !isnan(h->no_data);
    layout->no_data = h->no_data;
    return TW_OK;
}

static enum tw_status take_rows(const struct tw_bare_file *file, const struct header *h,
                                struct tw_raw_layout *layout, struct tw_error *err)
{
    const double bytes_max = 1e12, bands_max = 65535;
    const bool lines = !h->form[0] || strcasecmp(h->form, "bil") == 0;
    if (!is_whole(h->columns, 1, TW_SIDE_MAX) || !is_whole(h->rows, 1, TW_SIDE_MAX))
        return tw_error_set(err, TW_INPUT, "the .hdr of %s needs NROWS and NCOLS, 1 to %d each",
                            file->name, TW_SIDE_MAX);
    if (!is_whole(h->bands, 1, bands_max) || !is_whole(h->skip, 0, bytes_max) ||
        !is_whole(h->band_row, 0, bytes_max) || !is_whole(h->row, 0, bytes_max) ||
        (h->bands > 1 && !lines))
        return tw_error_set(err, TW_INPUT,
                            "the .hdr of %s has %.9g bands, layout %.20s; expected one, or BIL",
                            file->name, h->bands, h->form[0] ? h->form : "BIL");
    layout->width = (int32_t)h->columns;
    layout->height = (int32_t)h->rows;
    const uint64_t cells = (uint64_t)layout->width * ((uint64_t)layout->bits / 8);
    const uint64_t band = h->band_row > 0 ? (uint64_t)h->band_row : cells;
    const uint64_t row = h->row > 0 ? (uint64_t)h->row : band * (uint64_t)h->bands;
    const uint64_t number = file->band > 0 ? (uint64_t)file->band : 1;
    layout->row_bytes = row;
    layout->skip = (uint64_t)h->skip + (number - 1) * band;
    if (number > (uint64_t)h->bands)
        return tw_error_set(err, TW_INPUT, "%s has %.9g band%s; there is no band %" PRIu64,
                            file->name, h->bands, h->bands == 1 ? "" : "s", number);
    const uint64_t needs = layout->skip + row * (uint64_t)(layout->height - 1) + cells;
    if (band < cells || row < band || needs > file->length)
        return tw_error_set(err, TW_INPUT, "%s has %" PRIu64 " bytes; its .hdr describes %" PRIu64,
                            file->name, file->length, needs);
    return TW_OK;
}

static void take_place(const struct header *h, struct tw_raw_layout *layout)
{
    struct tw_file_place *place = &layout->place;
    if (!isnan(h->upper_x) && h->step_x > 0 && h->step_y > 0)
        *place = (struct tw_file_place){
            true, h->upper_x - h->step_x / 2, h->upper_y + h->step_y / 2, h->step_x, h->step_y, 1};
    else if (!isnan(h->left) && h->cell > 0)
        *place = (struct tw_file_place){true,
                                        h->left - (h->is_middle ? h->cell / 2 : 0),
                                        h->low + h->cell * (h->rows - (h->is_middle ? 0.5 : 0)),
                                        h->cell,
                                        h->cell,
                                        1};
    if (place->known && tw_place_looks_like_degrees(place, layout->width, layout->height))
        place->metres = 0;
}

static enum tw_status describe(const struct tw_bare_file *file, bool floats, bool signs,
                               struct tw_raw_layout *layout, struct tw_error *err)
{
    struct header header;
    *layout = (struct tw_raw_layout){.bits = 8};
    if (!file->header)
        return tw_error_set(err, TW_INPUT,
                            "%s has no header; expected a file .hdr of that name beside it",
                            file->name);
    enum tw_status status = read_header(file->header, &header, err);
    if (status == TW_OK)
        status = take_numbers(file, &header, floats, signs, layout, err);
    if (status == TW_OK)
        status = take_rows(file, &header, layout, err);
    if (status == TW_OK)
        take_place(&header, layout);
    return status;
}

static enum tw_status describe_bil(const struct tw_bare_file *file, struct tw_raw_layout *layout,
                                   struct tw_error *err)
{
    return describe(file, false, false, layout, err);
}

static enum tw_status describe_flt(const struct tw_bare_file *file, struct tw_raw_layout *layout,
                                   struct tw_error *err)
{
    return describe(file, true, false, layout, err);
}

static enum tw_status describe_dem(const struct tw_bare_file *file, struct tw_raw_layout *layout,
                                   struct tw_error *err)
{
    return describe(file, false, true, layout, err);
}

static bool read_place(const struct tw_codec_head *head, struct tw_georeference *place)
{
    const struct tw_raw_layout *layout = head->layout;
    if (!layout || !layout->place.known)
        return false;
    *place =
        (struct tw_georeference){.west = layout->place.west,
                                 .north = layout->place.north,
                                 .cell_x = layout->place.cell_x,
                                 .cell_y = layout->place.cell_y,
                                 .unit = layout->place.metres == 0 ? TW_EPSG_UNPROJECTED : NULL};
    return true;
}

#define BARE(row, end, does, head, text)                                                           \
    extern const struct tw_format tw_format_##row;                                                 \
    const struct tw_format tw_format_##row = {.ending = end,                                       \
                                              .help = text,                                        \
                                              .bare_bits = 16,                                     \
                                              .describe = does,                                    \
                                              .header_ending = head,                               \
                                              .read_rows = tw_raw_read_rows,                       \
                                              .probe = tw_raw_probe,                               \
                                              .read_place = read_place}

BARE(hgt, ".hgt", describe_hgt, NULL, "SRTM: signed 16-bit metres of a degree, big-endian");
BARE(bil, ".bil", describe_bil, ".hdr", "integers or floats that a `.hdr` beside describes");
BARE(flt, ".flt", describe_flt, ".hdr", "float32 grid of ESRI and USGS, with a `.hdr` beside");
BARE(dem, ".dem", describe_dem, ".hdr", "GTOPO30: signed integers, with a `.hdr` beside");
