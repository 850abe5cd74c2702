/* SPDX-License-Identifier: MIT */
/* ESRI ASCII grids: a header of names and numbers, then the cells as text, from north to south.
 * Read only. The grid's place and cell size are only reported. */
#include "base/text/number.h"
#include "format/format.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 64 };

struct reader {
    const unsigned char *at, *end;
    char word[WORD_MAX];
};

struct layout {
    double columns, rows, no_data;
    double west, south; /* of the corner, or of the centre of the corner's cell */
    double cell, cell_x, cell_y;
    bool has_no_data, is_middle;
};

/* Reads the next word, or returns false at the end. Cuts a longer one, which then is no number. */
static bool next_word(struct reader *reader)
{
    size_t length = 0;
    while (reader->at < reader->end && isspace(*reader->at))
        reader->at++;
    for (; reader->at < reader->end && !isspace(*reader->at); reader->at++)
        if (length < WORD_MAX - 1)
            reader->word[length++] = (char)*reader->at;
    reader->word[length] = 0;
    return length > 0;
}

static bool next_number(struct reader *reader, double *number)
{
    return next_word(reader) && tw_number_parse(reader->word, number);
}

/* The header ends at the first number in place of a name. */
static enum tw_status read_head(struct reader *reader, struct layout *layout, struct tw_error *err)
{
    const struct {
        const char *name;
        double *number;
    } names[] = {{"ncols", &layout->columns},  {"nrows", &layout->rows},
                 {"xllcorner", &layout->west}, {"yllcorner", &layout->south},
                 {"xllcenter", &layout->west}, {"yllcenter", &layout->south},
                 {"cellsize", &layout->cell},  {"dx", &layout->cell_x},
                 {"dy", &layout->cell_y},      {"nodata_value", &layout->no_data}};
    const int count = (int)(sizeof names / sizeof *names);
    struct reader ahead = *reader;
    *layout = (struct layout){0};
    while (next_word(&ahead) && isalpha((unsigned char)ahead.word[0])) {
        int i = 0;
        while (i < count && strcasecmp(ahead.word, names[i].name) != 0)
            i++;
        if (i == count)
            return tw_error_set(err, TW_INPUT, "damaged .asc: its header has '%.20s'", ahead.word);
        layout->is_middle |= strcasecmp(ahead.word, "xllcenter") == 0;
        bool found = next_number(&ahead, names[i].number);
        bool is_nan = i == count - 1 && strcasecmp(ahead.word, "nan") == 0; /* invalid */
        layout->has_no_data |= i == count - 1 && found;
        if (!found && !is_nan)
            return tw_error_set(err, TW_INPUT, "damaged .asc: %s has no number", names[i].name);
        *reader = ahead;
    }
    if (layout->columns >= 1 && layout->columns <= TW_SIDE_MAX && layout->rows >= 1 &&
        layout->rows <= TW_SIDE_MAX && layout->columns == (double)(int32_t)layout->columns &&
        layout->rows == (double)(int32_t)layout->rows)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "an .asc needs ncols and nrows, 1 to %d each", TW_SIDE_MAX);
}

static enum tw_status read_cells(struct reader *reader, const struct layout *layout,
                                 struct tw_value *out, struct tw_error *err)
{
    for (size_t i = 0; i < tw_value_count(out); i++) {
        int x = (int)(i % (size_t)out->width), y = (int)(i / (size_t)out->width);
        double cell = 0;
        if (!next_word(reader))
            return tw_error_set(err, TW_INPUT, "damaged .asc: the file ends at x %d, y %d", x, y);
        if (!tw_number_parse(reader->word, &cell))
            return tw_error_set(err, TW_INPUT,
                                "damaged .asc: '%.20s' at x %d, y %d is not a number", reader->word,
                                x, y);
        if (layout->has_no_data && (float)cell == (float)layout->no_data) /* digits may differ */
            return tw_error_set(err, TW_INPUT,
                                "the .asc has no data at x %d, y %d: fill its gaps first", x, y);
        tw_floats(out)[i] = (float)cell;
    }
    if (next_word(reader))
        return tw_error_set(err, TW_INPUT, "damaged .asc: more cells than ncols and nrows say");
    return tw_codec_check_finite(out, ".asc", err);
}

static enum tw_status decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    struct reader reader = {.at = data, .end = data + length};
    struct layout layout;
    enum tw_status status = read_head(&reader, &layout, err);
    /* a cell takes two bytes at least, so a small file cannot claim much memory */
    if (status == TW_OK && layout.columns * layout.rows > (double)length / 2 + 1)
        status = tw_error_set(err, TW_INPUT, "damaged .asc: the file is too short for its cells");
    if (status == TW_OK)
        status =
            tw_field_alloc(out, TW_HEIGHTMAP, (int32_t)layout.columns, (int32_t)layout.rows, err);
    if (status == TW_OK)
        status = read_cells(&reader, &layout, out, err);
    if (status != TW_OK)
        tw_field_clear(out);
    return status;
}

static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct reader reader = {.at = head->at, .end = head->at + head->length};
    struct layout layout;
    enum tw_status status = read_head(&reader, &layout, err);
    *facts = (struct tw_file_facts){.type = TW_HEIGHTMAP};
    if (status == TW_OK) {
        facts->width = (int32_t)layout.columns;
        facts->height = (int32_t)layout.rows;
    }
    return status;
}

static bool read_place(const struct tw_codec_head *head, struct tw_georeference *place)
{
    struct reader reader = {.at = head->at, .end = head->at + head->length};
    struct layout layout;
    if (read_head(&reader, &layout, NULL) != TW_OK)
        return false;
    *place = (struct tw_georeference){.cell_x = 0};
    place->cell_x = layout.cell > 0 ? layout.cell : layout.cell_x;
    place->cell_y = layout.cell > 0 ? layout.cell : layout.cell_y;
    place->west = layout.west - (layout.is_middle ? place->cell_x / 2 : 0);
    place->north = layout.south + place->cell_y * (layout.rows - (layout.is_middle ? 0.5 : 0));
    return place->cell_x > 0 && place->cell_y > 0;
}

extern const struct tw_format tw_format_asc;
const struct tw_format tw_format_asc = {
    .ending = ".asc",
    .help = "ESRI ASCII grid",
    .decode = decode,
    .probe = probe,
    .read_place = read_place,
};
