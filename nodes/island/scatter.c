/* SPDX-License-Identifier: MIT */
/* Plants by biome, slope and moisture, never closer than a distance: the vegetation of Weiss 2015,
 * chapter VII, which he left unwritten. Dart throwing (Cook 1986) in an order-free form: in each
 * round every free square of a grid throws a dart, and a dart stays where no plant and no dart of
 * higher rank is too near. */
#include "island/kernels/flora.h"

#include <thalweg/gradient.h>
#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { HEIGHT, BIOME, MOISTURE, DENSITY };
enum { OUT };
enum { ROUNDS = 24, DART = 0, KIND = 1, PRESENCE = 2 };

struct params {
    float distance, cover, steepest;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, distance, 0.01, 0.0005, 1, TW_UNIT_SIDE,
                 "least distance of two plants", TW_USUAL(0.002, 0.1)),
    TW_PARAM_F32(struct params, cover, 1, 0, 100, TW_UNIT_NONE,
                 "factor of the share of places with a plant", TW_USUAL(0, 2)),
    TW_PARAM_F32(struct params, steepest, 8, 1e-6, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slope on which nothing grows; cover falls towards it", TW_USUAL(1, 30)),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"height", TW_HEIGHTMAP, TW_OPTIONAL, "for slopes; flat if not given"},
    {"biome", TW_LABELS, TW_OPTIONAL, "as of island.raster; deciduous forest if not given"},
    {"moisture", TW_MASK, TW_OPTIONAL, "0..1, more plants and more trees; 1 if not given"},
    {"density", TW_MASK, TW_OPTIONAL, "factor of the cover"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_PLACEMENTS, 0, "the plants; kinds are 0 grass to 5 conifer"},
    TW_PORT_END,
};

struct place {
    float x, y; /* in map widths; x < 0: none */
    uint32_t rank;
};

struct field {
    const struct params *params;
    const float *height, *moisture, *density;
    const int32_t *biome;
    int32_t width, rows; /* of the map */
    uint64_t key;
    float square, depth;    /* side of a grid square and height of the map, in map widths */
    int32_t columns, lines; /* of the grid */
    struct place *plant, *dart;
    bool *won;
    uint32_t round;
};

static size_t cell_of(const struct field *f, struct place at)
{
    int32_t x = tw_clamp_index(tw_floor(at.x * (float)f->width), f->width);
    int32_t y = tw_clamp_index(tw_floor(at.y / f->depth * (float)f->rows), f->rows);
    return (size_t)y * (size_t)f->width + (size_t)x;
}

/* Rise per map side. */
static float slope(const struct field *f, size_t cell)
{
    if (!f->height)
        return 0;
    int32_t x = (int32_t)(cell % (size_t)f->width), y = (int32_t)(cell / (size_t)f->width);
    return tw_gradient_length(tw_gradient_central(f->height, f->width, f->rows, x, y, 1)) *
           (float)f->width;
}

static int32_t biome_at(const struct field *f, size_t cell)
{
    return f->biome ? f->biome[cell] : TW_DECIDUOUS_FOREST;
}

static float moisture_at(const struct field *f, size_t cell)
{
    return f->moisture ? tw_clamp(f->moisture[cell], 0.0f, 1.0f) : 1.0f;
}

/* The chance that a place holds a plant. */
static float cover(const struct field *f, size_t cell)
{
    float gentle = 1.0f - slope(f, cell) / f->params->steepest;
    float share = tw_floras[biome_at(f, cell)].cover * f->params->cover * tw_max(gentle, 0.0f);
    share *= 0.5f + 0.5f * moisture_at(f, cell);
    return f->density ? share * f->density[cell] : share;
}

static bool too_near(const struct field *f, struct place a, struct place b)
{
    float dx = a.x - b.x, dy = a.y - b.y, distance = f->params->distance;
    return dx * dx + dy * dy < distance * distance;
}

/* Returns true if a place of `among` is too near: any place, or, of darts, one of higher rank.
 * Squares are so small that two squares around are enough. */
static bool blocked(const struct field *f, const struct place *among, int32_t column, int32_t line,
                    struct place dart, bool by_rank)
{
    size_t own = (size_t)line * (size_t)f->columns + (size_t)column;
    for (int32_t j = line > 1 ? line - 2 : 0; j <= line + 2 && j < f->lines; j++)
        for (int32_t i = column > 1 ? column - 2 : 0; i <= column + 2 && i < f->columns; i++) {
            size_t at = (size_t)j * (size_t)f->columns + (size_t)i;
            struct place other = among[at];
            if (other.x < 0 || (by_rank && at == own) || !too_near(f, dart, other))
                continue;
            if (!by_rank || other.rank > dart.rank || (other.rank == dart.rank && at > own))
                return true;
        }
    return false;
}

/* The dart of a free square in this round. Whether the square may have a plant is drawn once, so
 * that more rounds do not make a thin cover thick. */
static void throw_rows(void *context, int32_t begin, int32_t end)
{
    const struct field *f = context;
    for (int32_t line = begin; line < end; line++)
        for (int32_t column = 0; column < f->columns; column++) {
            size_t at = (size_t)line * (size_t)f->columns + (size_t)column;
            f->dart[at].x = -1;
            if (f->plant[at].x >= 0)
                continue;
            struct tw_random4 words =
                tw_random(f->key, (uint32_t)column, (uint32_t)line, f->round, DART);
            struct place dart = {((float)column + tw_uniform(words.at[0])) * f->square,
                                 ((float)line + tw_uniform(words.at[1])) * f->square, words.at[2]};
            float presence =
                tw_uniform(tw_random(f->key, (uint32_t)column, (uint32_t)line, 0, PRESENCE).at[0]);
            if (dart.x < 1 && dart.y < f->depth && presence < cover(f, cell_of(f, dart)) &&
                !blocked(f, f->plant, column, line, dart, false))
                f->dart[at] = dart;
        }
}

static void settle_rows(void *context, int32_t begin, int32_t end)
{
    const struct field *f = context;
    for (int32_t line = begin; line < end; line++)
        for (int32_t column = 0; column < f->columns; column++) {
            size_t at = (size_t)line * (size_t)f->columns + (size_t)column;
            f->won[at] =
                f->dart[at].x >= 0 && !blocked(f, f->dart, column, line, f->dart[at], true);
        }
}

/* Moist ground has more trees. */
static int32_t draw_kind(const struct field *f, size_t cell, float draw)
{
    const struct tw_flora *flora = &tw_floras[biome_at(f, cell)];
    float shares[TW_PLANT_COUNT], sum = 0;
    for (int32_t k = 0; k < TW_PLANT_COUNT; k++) {
        float trees = k >= TW_PALM ? 0.5f + moisture_at(f, cell) : 1.0f;
        shares[k] = flora->kinds[k] * trees;
        sum += shares[k];
    }
    int32_t kind = 0;
    for (float left = draw * sum; kind < TW_PLANT_COUNT - 1 && left >= shares[kind]; kind++)
        left -= shares[kind];
    while (kind > 0 && shares[kind] <= 0)
        kind--;
    return kind;
}

static struct tw_placement plant_at(const struct field *f, size_t at)
{
    struct place place = f->plant[at];
    struct tw_random4 words = tw_random(f->key, (uint32_t)(at % (size_t)f->columns),
                                        (uint32_t)(at / (size_t)f->columns), 0, KIND);
    int32_t kind = draw_kind(f, cell_of(f, place), tw_uniform(words.at[0]));
    float size = tw_plants[kind].size * (0.7f + 0.3f * tw_uniform(words.at[1]));
    return (struct tw_placement){.x = place.x,
                                 .y = place.y / f->depth,
                                 .size = size * f->params->distance,
                                 .rotation = (int32_t)(tw_uniform(words.at[2]) * 360.0f),
                                 .kind = kind};
}

static enum tw_status grow(struct tw_task *task, struct field *f, int32_t *count)
{
    size_t squares = (size_t)f->columns * (size_t)f->lines;
    *count = 0;
    for (size_t at = 0; at < squares; at++)
        f->plant[at].x = -1;
    for (f->round = 0; f->round < ROUNDS; f->round++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        tw_rows(task, f->lines, 16, throw_rows, f);
        tw_rows(task, f->lines, 16, settle_rows, f);
        for (size_t at = 0; at < squares; at++)
            if (f->won[at]) {
                f->plant[at] = f->dart[at];
                ++*count;
            }
        tw_task_progress(task, (f->round + 1.0) / ROUNDS);
    }
    return TW_OK;
}

static const float *floats_or_null(const struct tw_value *value)
{
    return value ? tw_floats(value) : NULL;
}

/* Squares of the map, so small that each holds one plant; none where there are too many. */
static void set_squares(struct field *f)
{
    f->square = f->params->distance * 0.70710678f;
    f->depth = (float)f->rows / (float)f->width;
    bool fits = 1.0 / (double)f->square * (double)(f->depth / f->square) <= 1e8;
    f->columns = fits ? tw_floor(1.0f / f->square) + 1 : 0;
    f->lines = fits ? tw_floor(f->depth / f->square) + 1 : 0;
}

static enum tw_status run(struct tw_task *task)
{
    const struct tw_value *biome = tw_task_input(task, BIOME);
    struct field f = {.params = tw_task_params(task),
                      .height = floats_or_null(tw_task_input(task, HEIGHT)),
                      .biome = biome ? tw_labels(biome) : NULL,
                      .moisture = floats_or_null(tw_task_input(task, MOISTURE)),
                      .density = floats_or_null(tw_task_input(task, DENSITY)),
                      .width = tw_task_width(task),
                      .rows = tw_task_height(task),
                      .key = tw_task_seed(task)};
    enum tw_status status = biome ? tw_biome_check(task, biome) : TW_OK;
    if (status != TW_OK)
        return status;
    set_squares(&f);
    if (f.columns == 0)
        return tw_task_fail(task, "distance %g is too small for a map of this shape",
                            (double)f.params->distance);
    size_t squares = (size_t)f.columns * (size_t)f.lines;
    f.plant = tw_task_scratch(task, squares, sizeof *f.plant);
    f.dart = tw_task_scratch(task, squares, sizeof *f.dart);
    f.won = tw_task_scratch(task, squares, sizeof *f.won);
    if (!f.plant || !f.dart || !f.won)
        return tw_task_no_memory(task);
    int32_t count, next = 0;
    status = grow(task, &f, &count);
    if (status == TW_OK)
        status = tw_task_list(task, OUT, count);
    if (status != TW_OK)
        return status;
    struct tw_placement *out = tw_placements(tw_task_output(task, OUT));
    for (size_t at = 0; at < squares; at++)
        if (f.plant[at].x >= 0)
            out[next++] = plant_at(&f, at);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    struct field field = {.params = f->params, .width = f->width, .rows = f->height};
    set_squares(&field);
    uint64_t squares = (uint64_t)field.columns * (uint64_t)field.lines;
    tw_forecast_scratch(f, squares, sizeof *field.plant + sizeof *field.dart + sizeof *field.won);
    f->lists[OUT] = (int64_t)squares;
}

extern const struct tw_node_type tw_node_island_scatter;
const struct tw_node_type tw_node_island_scatter = {
    .name = "island.scatter",
    .version = 3,
    .summary = "plants by biome, slope and moisture, at a distance from each other",
    .keywords =
        "trees, forest, plants, vegetation, distribute, instances, Poisson disk, foliage, rocks",
    .elsewhere = "Trees (Gaea), Shrubs (Gaea), HeightField Scatter (Houdini), Distribute Points on "
                 "Faces (Blender)",
    .detail =
        "Places plants by biome, slope and moisture, at a distance from each other.\n"
        "Each biome has a cover and shares of grass, shrub, cactus, palm, broadleaf and conifer "
        "(kind 0 to 5). A place holds a plant with the chance:\n"
        "    cover * density * (1 - slope / steepest) * (1 + moisture) / 2.\n"
        "Distances are in widths of the map. 24 rounds of darts fall on a grid, so the result "
        "depends on no order. Slopes are one-sided at the border.\n"
        "A plant's size is the width of its crown.",
    .cite = "weiss2015 cook1986",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "ground: {type: noise.midpoint}\n"
               "plants: {type: island.scatter, height: ground, distance: 0.03}",
    .random = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
