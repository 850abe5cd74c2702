/* SPDX-License-Identifier: MIT */
/* Loose material on rigid rock slides until it rests: snow, scree, sand. From coarse maps to fine
 * ones, sweeps in the order of falling surface (kernels/sliding.h): sweeps at full resolution alone
 * would need hundreds, as an apron grows by few cells in each. */
#include "layer/kernels/maps.h"
#include "layer/kernels/repose.h"
#include "layer/kernels/sliding.h"

#include <thalweg/kernel.h>

enum { LEVELS_AUTO = -1, LEVELS_MAX = 16, NARROWEST = 48, COARSE_SWEEPS = 24 };

struct params {
    float repose; /* tangent of the angle of repose, in rise per map side */
    int32_t sweeps;
    int32_t levels;
    float cover;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_REPOSE(struct params, 35),
    TW_PARAM_I32(struct params, sweeps, 12, 0, 10000, "sweeps", "on the map's own cells",
                 TW_USUAL(0, 60)),
    TW_PARAM_I32_OR(struct params, levels, "auto", LEVELS_AUTO, LEVELS_AUTO, 0, LEVELS_MAX,
                    "halvings",
                    "begin on a map halved so often; auto: while both sides keep 48 cells"),
    TW_PARAM_COVER(struct params),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { ROCK, LOOSE, KEEP };
static const struct tw_port inputs[] = {
    {"rock", TW_HEIGHTMAP, 0, "the ground that stays"},
    {"loose", TW_HEIGHTMAP, 0, "depth of the material on it; below 0 counts as 0"},
    {"keep", TW_HEIGHTMAP, TW_OPTIONAL,
     "depth that stays on its cell at any slope; 0 if not given"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "rock and the material on it"},
    {"loose", TW_HEIGHTMAP, TW_ON_DEMAND, "depth of the material"},
    TW_LAYER_MASK,
    {"ledger", TW_RECORD, TW_ON_DEMAND,
     "moved: sum of what cells lost, in heights; over: share of loose cells above 1.03 repose"},
    TW_PORT_END,
};

enum { MAPS = 3 };
struct level {
    int32_t width, height;
    double cells;            /* of the map, along a side of a cell */
    const float *maps[MAPS]; /* by input; `keep` may be NULL */
    float *own[MAPS];        /* their blocks; none at the finest level */
    float *after;            /* the material at the end; NULL at the finest level */
};

struct work {
    struct level levels[LEVELS_MAX + 1]; /* from the finest on */
    int32_t count;
    double *depth; /* of the level at hand */
    struct tw_sliding_order order;
};

/* Sets the sizes of the levels; returns how many there are. */
static int32_t size_levels(struct level *levels, int32_t halvings)
{
    const int32_t least = halvings == LEVELS_AUTO ? NARROWEST : 1;
    const int32_t most = halvings == LEVELS_AUTO ? LEVELS_MAX : halvings;
    int32_t count = 1;
    while (count <= most) {
        const struct level *finer = &levels[count - 1];
        const int32_t width = (finer->width + 1) / 2, height = (finer->height + 1) / 2;
        if (width < least || height < least || (finer->width == 1 && finer->height == 1))
            break;
        levels[count++] =
            (struct level){.width = width, .height = height, .cells = 2 * finer->cells};
    }
    return count;
}

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    const struct params *p = tw_scratch_params(s);
    w->levels[0] =
        (struct level){.width = tw_scratch_width(s), .height = tw_scratch_height(s), .cells = 1};
    w->count = size_levels(w->levels, p->levels);
    for (int32_t i = 1; i < w->count; i++) {
        struct level *l = &w->levels[i];
        const uint64_t cells = (uint64_t)l->width * (uint64_t)l->height;
        for (int map = 0; map < MAPS; map++)
            if (tw_scratch_has_input(s, map))
                l->maps[map] = l->own[map] = tw_scratch_take(s, cells, sizeof *l->own[map]);
        l->after = tw_scratch_take(s, cells, sizeof *l->after);
    }
    w->depth = tw_scratch_maps(s, 1, sizeof *w->depth);
    return tw_sliding_lay_out(s, &w->order);
}

static double sum_of_two(float a, float b, float least)
{
    return (double)tw_max(a, least) + (double)tw_max(b, least);
}

/* Averages 2 x 2 cells; the last row or column of an odd number is alone. Depths are at least 0. */
static void halve(const struct level *from, struct level *to, int map)
{
    const float *fine = from->maps[map], least = map == ROCK ? -FLT_MAX : 0;
    for (int32_t y = 0; y < to->height; y++)
        for (int32_t x = 0; x < to->width; x++) {
            const int32_t left = 2 * x, right = left + 1 < from->width ? left + 1 : left;
            const int32_t below = 2 * y + 1 < from->height ? 2 * y + 1 : 2 * y;
            const float *upper = fine + (size_t)(2 * y) * (size_t)from->width;
            const float *lower = fine + (size_t)below * (size_t)from->width;
            to->own[map][(size_t)y * (size_t)to->width + (size_t)x] =
                (float)(0.25 * (sum_of_two(upper[left], upper[right], least) +
                                sum_of_two(lower[left], lower[right], least)));
        }
}

/* The cell next to `at` of a coarser row or column, on the side where cell i of the finer one lies;
 * the other end on a torus, `at` itself at a closed border. */
static int32_t next_coarse(int32_t i, int32_t count, bool wraps)
{
    const int32_t next = i % 2 ? i / 2 + 1 : i / 2 - 1;
    return wraps ? tw_wrap(next, count) : tw_clamp_index(next, count);
}

/* Bilinear means of the coarser level around a finer cell: the material before, what of it stayed,
 * and what came. */
struct brought {
    double before, stayed, came;
};

static void add_tap(struct brought *b, const struct level *coarse, size_t cell, double weight)
{
    const double before = (double)coarse->maps[LOOSE][cell], after = (double)coarse->after[cell];
    b->before += weight * before;
    b->stayed += weight * (after < before ? after : before);
    b->came += weight * (after > before ? after - before : 0);
}

/* Repeats at the cells of a row what the coarser level did around them. */
static void refine_row(double *depth, const struct level *l, int32_t y, bool wraps)
{
    const struct level *coarse = l + 1;
    const size_t near = (size_t)(y / 2) * (size_t)coarse->width;
    const size_t far = (size_t)next_coarse(y, coarse->height, wraps) * (size_t)coarse->width;
    for (int32_t x = 0; x < l->width; x++) {
        const size_t at = (size_t)(x / 2), next = (size_t)next_coarse(x, coarse->width, wraps);
        struct brought b = {0, 0, 0};
        add_tap(&b, coarse, near + at, 0.5625);
        add_tap(&b, coarse, near + next, 0.1875);
        add_tap(&b, coarse, far + at, 0.1875);
        add_tap(&b, coarse, far + next, 0.0625);
        depth[x] = depth[x] * (b.before > 0 ? b.stayed / b.before : 1) + b.came;
    }
}

/* Takes the share of each cell's material that left there on the coarser level, adds what came, and
 * restores the sum. */
static void refine(const struct work *w, const struct level *l, bool wraps)
{
    const double before = tw_sliding_sum(w->depth, l->width, l->height);
    for (int32_t y = 0; y < l->height; y++)
        refine_row(w->depth + (size_t)y * (size_t)l->width, l, y, wraps);
    const double after = tw_sliding_sum(w->depth, l->width, l->height);
    for (size_t i = 0; i < (size_t)l->width * (size_t)l->height; i++)
        w->depth[i] *= after > 0 ? before / after : 0;
}

/* Sweeps of all levels, in cells of the task's map; for the progress. */
struct progress {
    double done, all;
};

static enum tw_status sweep_level(struct tw_task *task, struct tw_sliding *s, int32_t sweeps,
                                  struct progress *progress)
{
    enum tw_status status = TW_OK;
    for (int32_t i = 0; i < sweeps && status == TW_OK; i++) {
        status = tw_sliding_sweep(task, s);
        progress->done += (double)s->width * s->height;
        tw_task_progress(task, progress->done / progress->all);
    }
    return status;
}

static enum tw_status slide_level(struct tw_task *task, struct work *w, int32_t at,
                                  struct tw_sliding *s, struct progress *progress)
{
    const struct params *p = tw_task_params(task);
    const struct level *l = &w->levels[at];
    s->rock = l->maps[ROCK];
    s->keep = l->maps[KEEP];
    s->width = l->width;
    s->height = l->height;
    s->rise = tw_repose_slope(task, p->repose, 35) * l->cells / tw_task_width(task);
    for (size_t i = 0; i < (size_t)l->width * (size_t)l->height; i++)
        w->depth[i] = (double)tw_max(l->maps[LOOSE][i], 0);
    if (at + 1 < w->count)
        refine(w, l, s->wraps);
    enum tw_status status = sweep_level(task, s, at > 0 ? COARSE_SWEEPS : p->sweeps, progress);
    w->order = s->order;
    for (size_t i = 0; at > 0 && i < (size_t)l->width * (size_t)l->height; i++)
        l->after[i] = (float)w->depth[i];
    return status;
}

static enum tw_status slide(struct tw_task *task, struct work *w, struct tw_sliding *s)
{
    const struct params *p = tw_task_params(task);
    struct progress progress = {.all = 1};
    enum tw_status status = TW_OK;
    for (int32_t i = 0; i < w->count; i++)
        progress.all +=
            (i > 0 ? COARSE_SWEEPS : p->sweeps) * (double)w->levels[i].width * w->levels[i].height;
    for (int map = 0; map < MAPS; map++)
        w->levels[0].maps[map] = tw_layer_cells(task, map);
    for (int32_t i = 1; i < w->count; i++)
        for (int map = 0; map < MAPS; map++)
            if (w->levels[i].own[map])
                halve(&w->levels[i - 1], &w->levels[i], map);
    for (int32_t i = w->count - 1; i >= 0 && status == TW_OK; i--)
        status = slide_level(task, w, i, s, &progress);
    return status;
}

/* Writes out, loose and mask; returns the sum of what cells lost. */
static double store(struct tw_task *task, const double *depth)
{
    const struct params *p = tw_task_params(task);
    const struct tw_layer_maps maps = tw_layer_maps_of(task, p->cover);
    const float *before = tw_layer_cells(task, LOOSE);
    double moved = 0;
    for (size_t i = 0; i < tw_value_count(tw_task_input(task, ROCK)); i++) {
        const double left = (double)tw_max(before[i], 0) - depth[i];
        moved += left > 0 ? left : 0;
        tw_layer_store(&maps, i, (float)depth[i]);
    }
    return moved;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct work w = {.count = 0};
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    struct tw_sliding s = {
        .loose = w.depth, .wraps = tw_task_wraps(task, p->border), .order = w.order};
    enum tw_status status = slide(task, &w, &s);
    if (status != TW_OK)
        return status;
    const double moved = store(task, w.depth);
    if (!tw_task_wants(task, TW_LAYER_LEDGER))
        return TW_OK;
    status = tw_task_list(task, TW_LAYER_LEDGER, 2);
    if (status != TW_OK)
        return status;
    tw_record_set(tw_task_output(task, TW_LAYER_LEDGER), 0, "moved", moved);
    tw_record_set(tw_task_output(task, TW_LAYER_LEDGER), 1, "over", tw_sliding_over(&s));
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
}

extern const struct tw_node_type tw_node_layer_slide;
const struct tw_node_type tw_node_layer_slide = {
    .name = "layer.slide",
    .version = 1,
    .summary = "loose material slides down rigid rock until it rests",
    .keywords = "avalanche, scree, talus, debris, gravel, rubble, angle of repose, cone, "
                "apron, landslide",
    .elsewhere =
        "Scree (Gaea), Debris (Gaea), Snow (Gaea), Snow (World Machine), HeightField Slump (Houdini)",
    .detail =
        "Lays snow, scree or sand to rest: what lies on rock slides down to the slope at which "
        "it rests, and the rock stays. Faces shed, cones and aprons grow below them. Choose "
        "erosion.thermal where the ground itself slumps.\n"
        "A sweep visits cells from the highest surface down, so material can fall all the way "
        "in one sweep. Let e be the drops to the eight neighbours beyond repose, over their true "
        "distance, E the sum of those above 0 and e_max the greatest. A cell with `free` depth "
        "above `keep` loses:\n"
        "    m = min(free, e_max / (1 + e_max / E));\n"
        "that levels the steepest of them, and neighbour j at once gains m e_j / E.\n"
        "levels: aprons grow by few cells in a sweep, so material first slides on coarser maps, 24 "
        "sweeps on each, whose cells are means of 2 x 2 (the last row or column of an odd number "
        "is alone). A finer map takes over the share of the material that left and the depth that "
        "came, interpolated bilinearly; the sum stays the same. On mountains under 0.004 of snow "
        "at 512 no cell is then over 36.1 degrees; 48 sweeps at full resolution alone leave 0.02 "
        "%. Heaps that are many times higher than repose allows need more sweeps: `over` tells.\n"
        "keep: the depth that a cell keeps at any slope, such as snow that holds on faces.\n"
        "The sum of `loose` stays the same, at a closed border too. Rock without material keeps "
        "its heights bit for bit. Depths below 0 count as 0.\n"
        "A sweep runs on one thread. The defaults take about 1.5 microseconds a cell at 512.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "deep: {type: source.constant, value: 0.02}\n"
               "slid: {type: layer.slide, rock: noise, loose: deep}",
    .physical = true,
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
