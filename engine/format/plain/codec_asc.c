/* SPDX-License-Identifier: MIT */
/* ESRI ASCII grids: a header of names and numbers, then the cells as text, from north to south.
 * Read only. */
#include "base/text/number.h"
#include "format/epsg.h"
#include "format/place.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
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
    bool has_no_data, is_middle; /* is_middle: west is that of the cell's centre */
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

static enum tw_status read_row(struct reader *reader, const struct layout *layout, bool gaps,
                               int32_t y, float *cells, struct tw_error *err)
{
    for (int32_t x = 0; x < (int32_t)layout->columns; x++) {
        double cell = 0;
        if (!next_word(reader))
            return tw_error_set(err, TW_INPUT, "damaged .asc: the file ends at x %d, y %d", (int)x,
                                (int)y);
        const bool is_nan = strcasecmp(reader->word, "nan") == 0;
        if (!is_nan && !tw_number_parse(reader->word, &cell))
            return tw_error_set(err, TW_INPUT,
                                "damaged .asc: '%.20s' at x %d, y %d is not a number", reader->word,
                                (int)x, (int)y);
        const bool gap = is_nan || (layout->has_no_data &&
                                    (float)cell == (float)layout->no_data); /* digits may differ */
        if (gap && !gaps)
            return tw_codec_gap(".asc", x, y, err);
        cells[x] = gap ? NAN : (float)cell;
        if (!gap && !isfinite(cells[x]))
            return tw_error_set(err, TW_INPUT, "the .asc is not finite at x %d, y %d", (int)x,
                                (int)y);
    }
    return TW_OK;
}

static struct tw_file_facts facts_of(const struct layout *layout)
{
    return (struct tw_file_facts){.type = TW_HEIGHTMAP,
                                  .width = (int32_t)layout->columns,
                                  .height = (int32_t)layout->rows,
                                  .may_have_gaps = layout->has_no_data};
}

static enum tw_status give_rows(struct reader *reader, const struct layout *layout, bool gaps,
                                const struct tw_row_sink *sink, struct tw_error *err)
{
    const struct tw_file_facts facts = facts_of(layout);
    float *cells = malloc((size_t)facts.width * sizeof *cells);
    enum tw_status status = cells ? sink->begin(sink->context, &facts, err)
                                  : tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t y = 0; status == TW_OK && y < facts.height; y++) {
        status = read_row(reader, layout, gaps, y, cells, err);
        if (status == TW_OK)
            status = sink->row(sink->context, y, cells, err);
    }
    free(cells);
    if (status == TW_OK && next_word(reader))
        return tw_error_set(err, TW_INPUT, "damaged .asc: more cells than ncols and nrows say");
    return status;
}

/* Holds all of the text, in which rows end anywhere. */
static enum tw_status read_rows(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err)
{
    const size_t length = (size_t)source->length;
    unsigned char *text = malloc(length + 1);
    struct reader reader = {.at = text, .end = text + (text ? length : 0)};
    struct layout layout = {0};
    enum tw_status status = TW_OK;
    if (!text)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (!source->read(source->context, text, length))
        status = tw_error_set(err, TW_INPUT, "the file ends too early");
    if (status == TW_OK)
        status = read_head(&reader, &layout, err);
    /* a cell takes two bytes at least, so a small file cannot claim much memory */
    if (status == TW_OK && layout.columns * layout.rows > (double)length / 2 + 1)
        status = tw_error_set(err, TW_INPUT, "damaged .asc: the file is too short for its cells");
    if (status == TW_OK)
        status = give_rows(&reader, &layout, source->wish.gaps, sink, err);
    free(text);
    return status;
}

static bool has_rows(const struct tw_codec_head *head, uint64_t *held)
{
    *held = head->file_length;
    return true;
}

static enum tw_status decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    return tw_codec_decode(read_rows, data, length, NULL, TW_NO_WISH, out, err);
}

static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct reader reader = {.at = head->at, .end = head->at + head->length};
    struct layout layout;
    enum tw_status status = read_head(&reader, &layout, err);
    *facts = status == TW_OK ? facts_of(&layout) : (struct tw_file_facts){.type = TW_HEIGHTMAP};
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
    const struct tw_file_place at = tw_place_of(place);
    if (at.known && tw_place_looks_like_degrees(&at, (int32_t)layout.columns, (int32_t)layout.rows))
        place->unit = TW_EPSG_UNPROJECTED;
    return place->cell_x > 0 && place->cell_y > 0;
}

extern const struct tw_format tw_format_asc;
const struct tw_format tw_format_asc = {
    .ending = ".asc",
    .help = "ESRI ASCII grid",
    .decode = decode,
    .read_rows = read_rows,
    .has_rows = has_rows,
    .probe = probe,
    .read_place = read_place,
};
