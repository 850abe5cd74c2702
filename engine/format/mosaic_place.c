/* SPDX-License-Identifier: MIT */
/* Where the tiles of a map lie: by their corners where files have a place, else by the numbers in
 * their names. */
#include "format/mosaic.h"

#include "format/epsg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by names ---- */

static int by_column(const void *a, const void *b)
{
    const struct tw_mosaic_tile *s = a, *t = b;
    return s->column != t->column ? (s->column > t->column) - (s->column < t->column)
                                  : strcmp(s->name, t->name);
}

static int by_row(const void *a, const void *b)
{
    const struct tw_mosaic_tile *s = a, *t = b;
    return s->row != t->row ? (s->row > t->row) - (s->row < t->row) : by_column(a, b);
}

/* The member of a tile that one of two directions is about. */
static int32_t number_of(const struct tw_mosaic_tile *tile, bool down)
{
    return down ? tile->row : tile->column;
}

static int32_t side_of(const struct tw_mosaic_tile *tile, bool down)
{
    return down ? tile->facts.height : tile->facts.width;
}

/* A tile and that before it in a direction, which may be itself. */
static enum tw_status check_neighbours(const struct tw_mosaic_tile *last,
                                       const struct tw_mosaic_tile *tile, bool down,
                                       struct tw_error *err)
{
    const int32_t step = abs(number_of(tile, down) - number_of(last, down));
    if (step > 1)
        return tw_error_set(err, TW_INPUT, "there is no tile between %c %d, %.200s, and %d, %.200s",
                            down ? 'y' : 'x', (int)number_of(last, down), last->name,
                            (int)number_of(tile, down), tile->name);
    if (step == 0 && side_of(tile, down) != side_of(last, down))
        return tw_error_set(err, TW_INPUT,
                            "%.200s is %d cells %s; %.200s, with the same %c in its name, %d",
                            tile->name, (int)side_of(tile, down), down ? "high" : "wide",
                            last->name, down ? 'y' : 'x', (int)side_of(last, down));
    return TW_OK;
}

static enum tw_status check_overlap(const struct tw_mosaic_tile *tile, bool down, int32_t overlap,
                                    struct tw_error *err)
{
    if (side_of(tile, down) > overlap)
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "%.200s is %d x %d cells; expected more than the overlap of %d", tile->name,
                        (int)tile->facts.width, (int)tile->facts.height, (int)overlap);
}

/* Places the tiles, sorted by the direction's number, one number after the other. */
static enum tw_status line_up(struct tw_mosaic *mosaic, bool down, int32_t overlap,
                              struct tw_error *err)
{
    int64_t at = 0;
    for (int32_t i = 0; i < mosaic->count; i++) {
        struct tw_mosaic_tile *tile = &mosaic->tiles[i];
        const struct tw_mosaic_tile *last = i > 0 ? tile - 1 : tile;
        enum tw_status status = check_neighbours(last, tile, down, err);
        if (status == TW_OK)
            status = check_overlap(tile, down, overlap, err);
        if (status != TW_OK)
            return status;
        at += number_of(tile, down) != number_of(last, down) ? side_of(last, down) - overlap : 0;
        if (at + side_of(tile, down) > TW_SIDE_MAX)
            return tw_error_set(err, TW_INPUT,
                                "the tiles of %.200s are together more than %d cells %s",
                                mosaic->pattern, TW_SIDE_MAX, down ? "high" : "wide");
        *(down ? &tile->y : &tile->x) = (int32_t)at;
    }
    return TW_OK;
}

/* Tiles with shared edges have odd sides, 2^n + 1 of a grid of 2^n quads. */
static int32_t overlap_of(struct tw_mosaic *mosaic, const struct tw_file_layout *given)
{
    bool odd = mosaic->count > 1;
    for (int32_t i = 0; i < mosaic->count; i++)
        odd &= mosaic->tiles[i].facts.width % 2 == 1 && mosaic->tiles[i].facts.height % 2 == 1 &&
               mosaic->tiles[i].facts.width > 1 && mosaic->tiles[i].facts.height > 1;
    mosaic->must_agree = given->overlap < 0 && odd;
    return given->overlap >= 0 ? given->overlap : odd ? 1 : 0;
}

static enum tw_status place_by_names(struct tw_mosaic *mosaic, const struct tw_file_layout *given,
                                     struct tw_error *err)
{
    const int32_t overlap = overlap_of(mosaic, given);
    for (int32_t i = 0; i < mosaic->count; i++) {
        struct tw_mosaic_tile *tile = &mosaic->tiles[i];
        if (!tw_mosaic_numbers(tile->name, &tile->column, &tile->row))
            return tw_error_set(err, TW_INPUT,
                                "%.200s says neither in its file nor in its name where it lies; "
                                "expected a name as land_x0_y0%.20s",
                                tile->name, tw_format_ending(tile->name));
        tile->row = given->south_first ? -tile->row : tile->row;
    }
    qsort(mosaic->tiles, (size_t)mosaic->count, sizeof *mosaic->tiles, by_column);
    enum tw_status status = line_up(mosaic, false, overlap, err);
    qsort(mosaic->tiles, (size_t)mosaic->count, sizeof *mosaic->tiles, by_row);
    return status == TW_OK ? line_up(mosaic, true, overlap, err) : status;
}

/* ---- by corners ---- */

static enum tw_status compare_cells(const struct tw_mosaic_tile *tile,
                                    const struct tw_mosaic_tile *first, struct tw_error *err)
{
    const struct tw_georeference *a = &tile->at, *b = &first->at;
    const double most = 0.1; /* cells that a tile may be longer */
    if (a->epsg != b->epsg || tile->facts.place.metres != first->facts.place.metres)
        return tw_error_set(err, TW_INPUT, "%.200s is in %s; %.200s in %s: gdalwarp converts it",
                            tile->name, a->system[0] ? a->system : "another system", first->name,
                            b->system[0] ? b->system : "another system");
    if (fabs(a->cell_x - b->cell_x) * tile->facts.width > most * b->cell_x ||
        fabs(a->cell_y - b->cell_y) * tile->facts.height > most * b->cell_y)
        return tw_error_set(err, TW_INPUT,
                            "%.200s has cells of %.9g x %.9g; %.200s of %.9g x %.9g: gdalwarp "
                            "converts it",
                            tile->name, a->cell_x, a->cell_y, first->name, b->cell_x, b->cell_y);
    return TW_OK;
}

/* Sets the tile's cell counted from the map's corner. */
static enum tw_status count_cells(struct tw_mosaic_tile *tile, double west, double north,
                                  const struct tw_georeference *first, struct tw_error *err)
{
    const double most = 0.1, x = (tile->at.west - west) / first->cell_x,
                 y = (north - tile->at.north) / first->cell_y;
    const double column = floor(x + 0.5), row = floor(y + 0.5);
    if (!(x < TW_SIDE_MAX && y < TW_SIDE_MAX) || column + tile->facts.width > TW_SIDE_MAX ||
        row + tile->facts.height > TW_SIDE_MAX)
        return tw_error_set(err, TW_INPUT,
                            "%.200s lies %.9g cells east and %.9g south of the first; expected a "
                            "map of at most %d x %d cells",
                            tile->name, x, y, TW_SIDE_MAX, TW_SIDE_MAX);
    if (fabs(x - column) > most || fabs(y - row) > most)
        return tw_error_set(err, TW_INPUT,
                            "%.200s lies %.3g cells east and %.3g south of the cells of the "
                            "other tiles; expected a common grid: gdalwarp makes one",
                            tile->name, x - column, y - row);
    tile->x = (int32_t)column;
    tile->y = (int32_t)row;
    return TW_OK;
}

static enum tw_status place_by_corners(struct tw_mosaic *mosaic, struct tw_error *err)
{
    const struct tw_mosaic_tile *first = &mosaic->tiles[0];
    const struct tw_georeference at = first->at;
    double west = at.west, north = at.north;
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < mosaic->count; i++) {
        west = mosaic->tiles[i].at.west < west ? mosaic->tiles[i].at.west : west;
        north = mosaic->tiles[i].at.north > north ? mosaic->tiles[i].at.north : north;
        status = compare_cells(&mosaic->tiles[i], first, err);
    }
    for (int32_t i = 0; status == TW_OK && i < mosaic->count; i++)
        status = count_cells(&mosaic->tiles[i], west, north, &at, err);
    mosaic->at = at;
    mosaic->at.west = west;
    mosaic->at.north = north;
    mosaic->has_place = true;
    return status;
}

/* ---- the whole ---- */

static int from_west(const void *a, const void *b)
{
    const struct tw_mosaic_tile *s = a, *t = b;
    return s->x != t->x ? (s->x > t->x) - (s->x < t->x) : strcmp(s->name, t->name);
}

static int from_north(const void *a, const void *b)
{
    const struct tw_mosaic_tile *s = a, *t = b;
    return s->y != t->y ? (s->y > t->y) - (s->y < t->y) : from_west(a, b);
}

/* Measures the map in one direction, of tiles sorted by it; a strip without any tile is a fault. */
static enum tw_status measure(struct tw_mosaic *mosaic, bool down, int32_t *side,
                              struct tw_error *err)
{
    const struct tw_mosaic_tile *last = &mosaic->tiles[0];
    int32_t end = 0;
    for (int32_t i = 0; i < mosaic->count; i++) {
        const struct tw_mosaic_tile *tile = &mosaic->tiles[i];
        const int32_t at = down ? tile->y : tile->x;
        if (at > end)
            return tw_error_set(err, TW_INPUT,
                                "no tile has the %d %s of cells between %.200s and %.200s",
                                (int)(at - end), down ? "rows" : "columns", last->name, tile->name);
        if (at + side_of(tile, down) > end) {
            end = at + side_of(tile, down);
            last = tile;
        }
    }
    *side = end;
    return TW_OK;
}

static enum tw_status compare_facts(const struct tw_mosaic_tile *tile,
                                    const struct tw_mosaic_tile *first, struct tw_error *err)
{
    const struct tw_file_facts *a = &tile->facts, *b = &first->facts;
    if (tile->has_place != first->has_place)
        return tw_error_set(err, TW_INPUT, "%.200s does not say where it lies; %.200s does",
                            tile->has_place ? first->name : tile->name,
                            tile->has_place ? tile->name : first->name);
    if (a->metres != b->metres)
        return tw_error_set(err, TW_INPUT,
                            "a height of %.200s is %.9g m, of %.200s %.9g m; 0: not said",
                            tile->name, a->metres, first->name, b->metres);
    if (a->scale != b->scale ||
        (a->scale == TW_SCALE_KNOWN && (a->low != b->low || a->high != b->high)))
        return tw_error_set(err, TW_INPUT,
                            "%.200s has another range of levels than %.200s; expected one for all "
                            "tiles",
                            tile->name, first->name);
    return TW_OK;
}

/* Two tiles in one place; in the order from the north they follow each other. */
static enum tw_status check_twice(const struct tw_mosaic *mosaic, struct tw_error *err)
{
    for (int32_t i = 1; i < mosaic->count; i++) {
        const struct tw_mosaic_tile *a = &mosaic->tiles[i - 1], *b = &mosaic->tiles[i];
        if (a->x == b->x && a->y == b->y)
            return tw_error_set(err, TW_INPUT, "%.200s and %.200s lie in the same place", a->name,
                                b->name);
    }
    return TW_OK;
}

/* What reading takes: rows of the window, and the largest share of a file. */
static enum tw_status set_facts(struct tw_mosaic *mosaic, int32_t width, int32_t height,
                                struct tw_error *err)
{
    struct tw_file_facts facts = mosaic->tiles[0].facts;
    uint64_t cells = 0, most = 0;
    int32_t end = 0;
    size_t bytes;
    if (!tw_field_bytes(TW_HEIGHTMAP, width, height, &bytes))
        return tw_error_set(err, TW_INPUT,
                            "the tiles of %.200s make a map of %d x %d cells, which "
                            "is too large",
                            mosaic->pattern, (int)width, (int)height);
    for (int32_t i = 0; i < mosaic->count; i++) {
        const struct tw_mosaic_tile *tile = &mosaic->tiles[i];
        end = tile->y + tile->facts.height > end ? tile->y + tile->facts.height : end;
        mosaic->window = end - tile->y > mosaic->window ? end - tile->y : mosaic->window;
        most = tile->held > most ? tile->held : most;
        cells += (uint64_t)tile->facts.width * (uint64_t)tile->facts.height;
        facts.may_have_gaps |= tile->facts.may_have_gaps;
    }
    facts.may_have_gaps |= cells < (uint64_t)width * (uint64_t)height;
    facts.width = width;
    facts.height = height;
    facts.place.west = mosaic->at.west;
    facts.place.north = mosaic->at.north;
    mosaic->facts = facts;
    mosaic->held = (uint64_t)mosaic->window * (uint64_t)width * sizeof(float) + most;
    return TW_OK;
}

enum tw_status tw_mosaic_place(struct tw_mosaic *mosaic, const struct tw_file_layout *given,
                               struct tw_error *err)
{
    int32_t width = 0, height = 0;
    enum tw_status status = TW_OK;
    for (int32_t i = 1; status == TW_OK && i < mosaic->count; i++)
        status = compare_facts(&mosaic->tiles[i], &mosaic->tiles[0], err);
    if (status == TW_OK)
        status = mosaic->tiles[0].has_place ? place_by_corners(mosaic, err)
                                            : place_by_names(mosaic, given, err);
    if (status != TW_OK)
        return status;
    qsort(mosaic->tiles, (size_t)mosaic->count, sizeof *mosaic->tiles, from_west);
    status = measure(mosaic, false, &width, err);
    qsort(mosaic->tiles, (size_t)mosaic->count, sizeof *mosaic->tiles, from_north);
    if (status == TW_OK)
        status = measure(mosaic, true, &height, err);
    if (status == TW_OK)
        status = check_twice(mosaic, err);
    return status == TW_OK ? set_facts(mosaic, width, height, err) : status;
}
