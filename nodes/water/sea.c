/* SPDX-License-Identifier: MIT */
/* The sea of a map: what lies below a level, on request only where water can come in, and the
 * distance of every cell from the shore. */
#include "common/distance_transform.h"
#include "common/rows.h"

#include <thalweg/kernel.h>

struct params {
    float level;
    bool connected;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, level, 0.3, -1e6, 1e6, TW_UNIT_HEIGHT, "of the sea"),
    TW_PARAM_BOOL(
        struct params, connected, false,
        "only what is joined to the border, over corners too; on a torus the largest sea"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT, SHORE };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 in the sea, 0 on land"},
    {"shore", TW_HEIGHTMAP, TW_ON_DEMAND,
     "distance from the shore in map sides, below 0 in the sea; 2 or -2 without one"},
    TW_PORT_END,
};

/* Cells below the level that are searched for seas. */
struct search {
    float *mask;    /* 1 below the level and not yet reached; the result */
    int32_t *queue; /* cells of the sea at hand */
    int32_t width, height;
    bool wrap;
};

/* Returns the cell at x, y; -1 beyond a border. */
static int32_t cell_at(const struct search *s, int32_t x, int32_t y)
{
    if (s->wrap)
        return tw_wrap(y, s->height) * s->width + tw_wrap(x, s->width);
    bool inside = x >= 0 && x < s->width && y >= 0 && y < s->height;
    return inside ? y * s->width + x : -1;
}

/* Appends a cell of the sea that was not reached yet, and marks it with 2. */
static int32_t reach(const struct search *s, int32_t cell, int32_t count)
{
    if (cell < 0 || s->mask[cell] != 1)
        return count;
    s->mask[cell] = 2;
    s->queue[count] = cell;
    return count + 1;
}

/* Follows water from the first `count` cells of the queue on; the cells of the queue then. */
static int32_t spread(const struct search *s, int32_t count)
{
    for (int32_t at = 0; at < count; at++) {
        int32_t x = s->queue[at] % s->width, y = s->queue[at] / s->width;
        for (int32_t i = 0; i < 9; i++)
            count = reach(s, cell_at(s, x + i % 3 - 1, y + i / 3 - 1), count);
    }
    return count;
}

static void mark(const struct search *s, const int32_t *cells, int32_t count, float value)
{
    for (int32_t i = 0; i < count; i++)
        s->mask[cells[i]] = value;
}

/* Keeps only the sea that is reached from the border. */
static void keep_border_sea(const struct search *s)
{
    int32_t count = 0;
    for (int32_t x = 0; x < s->width; x++) {
        count = reach(s, x, count);
        count = reach(s, cell_at(s, x, s->height - 1), count);
    }
    for (int32_t y = 0; y < s->height; y++) {
        count = reach(s, cell_at(s, 0, y), count);
        count = reach(s, cell_at(s, s->width - 1, y), count);
    }
    spread(s, count);
}

/* Keeps only the largest sea, on ties the first in reading order. Seas follow each other in the
 * queue. */
static void keep_largest_sea(const struct search *s)
{
    int32_t cells = s->width * s->height, best = 0, best_first = 0, used = 0;
    for (int32_t cell = 0; cell < cells; cell++) {
        if (s->mask[cell] != 1)
            continue;
        struct search rest = *s;
        rest.queue += used;
        int32_t count = spread(&rest, reach(&rest, cell, 0));
        best_first = count > best ? used : best_first;
        best = count > best ? count : best;
        used += count;
    }
    mark(s, s->queue, used, 0);
    mark(s, s->queue + best_first, best, 2);
}

/* Turns the marks into 0 and 1; returns the number of ones. */
static int64_t settle(const struct search *s, bool only_reached)
{
    int64_t count = 0;
    size_t cells = (size_t)s->width * (size_t)s->height;
    for (size_t i = 0; i < cells; i++) {
        s->mask[i] = s->mask[i] > (only_reached ? 1.0f : 0.0f) ? 1.0f : 0.0f;
        count += s->mask[i] > 0;
    }
    return count;
}

struct shore {
    const float *mask;
    float *to_land;
    float *out; /* the distance to the sea, then from the shore */
    int32_t width;
    float half; /* of a cell: the shore lies between cells */
    struct tw_distance_space space;
};

static bool lay_out(struct tw_scratch *s, struct search *search, struct shore *shore)
{
    const struct params *p = tw_scratch_params(s);
    search->queue = p->connected ? tw_scratch_maps(s, 1, sizeof *search->queue) : NULL;
    if (!tw_scratch_wants(s, SHORE))
        return tw_scratch_is_laid(s);
    shore->to_land = tw_scratch_maps(s, 1, sizeof *shore->to_land);
    return tw_distance_lay_out(s, &shore->space, tw_scratch_wraps(s, p->border));
}

static void shore_rows(void *context, int32_t begin, int32_t end)
{
    const struct shore *s = context;
    size_t last = (size_t)end * (size_t)s->width;
    for (size_t i = (size_t)begin * (size_t)s->width; i < last; i++)
        s->out[i] = s->mask[i] > 0 ? s->half - s->to_land[i] : s->out[i] - s->half;
}

static enum tw_status find_shore(struct tw_task *task, struct shore *s, bool wrap)
{
    struct tw_distance distance = {.in = s->mask,
                                   .of_set = true,
                                   .wrap = wrap,
                                   .scale = 1.0f / (float)s->width,
                                   .limit = 1e9f};
    enum tw_status status = tw_distance_transform(task, &distance, &s->space, s->out);
    distance.of_set = false;
    if (status == TW_OK)
        status = tw_distance_transform(task, &distance, &s->space, s->to_land);
    s->half = 0.5f * distance.scale;
    if (status == TW_OK)
        tw_rows(task, tw_task_height(task), 64, shore_rows, s);
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    float *out = tw_floats(tw_task_output(task, OUT));
    struct shore shore = {
        .mask = out, .out = tw_floats(tw_task_output(task, SHORE)), .width = in->width};
    size_t cells = tw_value_count(in);
    struct search search = {.mask = out,
                            .width = in->width,
                            .height = in->height,
                            .wrap = tw_task_wraps(task, p->border)};
    if (!lay_out(&(struct tw_scratch){.task = task}, &search, &shore))
        return tw_task_no_memory(task);
    for (size_t i = 0; i < cells; i++)
        out[i] = tw_floats(in)[i] < p->level ? 1.0f : 0.0f;
    if (p->connected)
        (search.wrap ? keep_largest_sea : keep_border_sea)(&search);
    int64_t sea = settle(&search, p->connected);
    if (!shore.out)
        return TW_OK;
    if (sea > 0 && (size_t)sea < cells)
        return find_shore(task, &shore, search.wrap);
    for (size_t i = 0; i < cells; i++)
        shore.out[i] = sea > 0 ? -2.0f : 2.0f;
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    struct search search;
    struct shore shore;
    lay_out(&(struct tw_scratch){.forecast = f}, &search, &shore);
}

extern const struct tw_node_type tw_node_water_sea;
const struct tw_node_type tw_node_water_sea = {
    .name = "water.sea",
    .version = 1,
    .summary = "what lies below the sea, and the distance from the shore",
    .keywords = "ocean, sea level, coast, shore, beach, lake, bathymetry, flood, water level",
    .elsewhere = "Sea (Gaea), Lake (Gaea), Coastal Erosion (World Machine), r.lake (GRASS)",
    .detail =
        "Finds what lies below the sea and how far each cell is from the shore: for beaches, "
        "shelves and the colour of water. Choose mask.height for all ground below a level, "
        "whatever joins it to the sea.\n"
        "The sea is every cell below the level. With `connected` it is only those that "
        "8-neighbour steps join to the border or, where borders meet, the largest such region "
        "(on ties the first in reading order).\n"
        "The shore lies half a cell before the nearest cell of the other kind, whose distance is "
        "exact (as that of mask.distance).",
    .cite = "meijster2000",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.perlin}\n"
               "sea: {type: water.sea, in: land, level: 0.5, connected: true}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
