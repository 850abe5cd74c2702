/* SPDX-License-Identifier: MIT */
#include "feature/kernels/shadow_generators.h"
#include "feature/kernels/light_lines.h"
#include "feature/kernels/nearest_paths.h"

#include <thalweg/kernel.h>

enum { BACK = 3 };

/* Times the light's slope: what bounds secondary features. A bound on the light's own plane would
 * let them light up shadows, as a digital line is up to half a cell beside the ray. */
#define BELOW_LIGHT 0.8

static void add(struct tw_shadow_scene *s, int32_t cell, double height, int32_t feature,
                int32_t profile)
{
    int32_t x = cell % s->width, y = cell / s->width;
    s->top = height > s->top ? height : s->top;
    s->sources[s->count++] = (struct tw_path_source){.cost = height,
                                                     .cell = tw_weighted_grid_cell(&s->grid, x, y),
                                                     .feature = feature,
                                                     .profile = profile,
                                                     .domain = -1,
                                                     .yields = profile == TW_SHADOW_SECONDARY};
}

/* One run of dark cells, line[from..to]: a generator on its light side, c_e - m / tan(tilt), and
 * the bound inside, which falls to the base's height at the run's end, less than the light does.
 * The cells behind it follow just below the ray: a wall one cell thick would let light through
 * where runs start far apart. */
static void add_run(struct tw_shadow_scene *s, const int32_t *line, int32_t from, int32_t to,
                    double step)
{
    int32_t start = from ? from - 1 : from;
    double end = s->base[line[to]], m = ((double)(to - start) + 0.5) * step;
    add(s, line[start], end + m * s->fall, s->runs, TW_SHADOW_PRIMARY);
    s->longest = m > s->longest ? m : s->longest;
    for (int32_t i = from; i <= to; i++) {
        double below = end + (double)(to - i) * step * s->fall;
        s->bound[line[i]] = end + BELOW_LIGHT * (below - end);
        if (i > start && i <= start + BACK)
            add(s, line[i], below, s->runs, TW_SHADOW_PRIMARY);
    }
    s->runs++;
}

enum tw_status tw_shadow_add_primary(struct tw_shadow_scene *s)
{
    struct tw_light_lines lines;
    tw_light_lines_set(&lines, s->width, s->height, s->azimuth);
    int32_t *line = tw_task_scratch(s->task, (size_t)(s->width + s->height), sizeof *line);
    if (!line)
        return tw_task_no_memory(s->task);
    for (int32_t i = 0; i < lines.count; i++) {
        int32_t count = tw_light_lines_walk(&lines, i, line), from = -1;
        for (int32_t k = 0; k <= count; k++) {
            bool dark = k < count && s->mask[line[k]] < 0.5f;
            if (dark && from < 0)
                from = k;
            if (!dark && from >= 0) {
                add_run(s, line, from, k - 1, lines.step);
                from = -1;
            }
        }
    }
    s->primary = s->count;
    if (s->count)
        return TW_OK;
    float darkest = s->mask[0];
    for (int32_t i = 0; i < s->cells; i++)
        darkest = tw_min(darkest, s->mask[i]);
    return tw_task_fail(s->task,
                        "image has no shadow: looked for cells darker than 0.5; the darkest is %g",
                        (double)darkest);
}

/* Searches from all cells of shadow at cost 0. */
static enum tw_status search_nearest(struct tw_shadow_scene *s, const struct tw_weighted_grid *grid,
                                     const struct tw_path_source *sources, int32_t count,
                                     struct tw_search *search)
{
    const struct tw_bounds all = {.limit = TW_COST_NONE};
    struct tw_paths paths = {
        .task = s->task, .grid = grid, .sources = sources, .sea = TW_COST_NONE};
    tw_paths_bound(&paths, 0, 0);
    if (tw_search_create(s->task, &paths, search, 1) != TW_OK)
        return TW_MEMORY;
    tw_search_run(&paths, &all, search, 0, count);
    return tw_task_cancelled(s->task) ? TW_CANCELLED : TW_OK;
}

static struct tw_path_source *plain_sources(struct tw_shadow_scene *s, int32_t count)
{
    struct tw_path_source *plain = tw_task_scratch(s->task, (size_t)count, sizeof *plain);
    for (int32_t i = 0; plain && i < count; i++)
        plain[i] = (struct tw_path_source){.feature = i, .profile = -1, .domain = -1};
    return plain;
}

/* Outside shadows the bound rises from the height at the nearest shadow cell with the distance, a
 * little less steeply than the light falls. Also marks the anti-shadow. */
static enum tw_status bound_outside(struct tw_shadow_scene *s)
{
    const struct tw_edge_weights even = {.mean = 1, .diagonal = 1.41421356f, .step = 1};
    struct tw_weighted_grid grid;
    struct tw_search search;
    struct tw_path_source *dark = plain_sources(s, s->cells);
    enum tw_status status = tw_weighted_grid_build(s->task, &even, &grid);
    int32_t count = 0;
    if (status != TW_OK || !dark)
        return status != TW_OK ? status : tw_task_no_memory(s->task);
    for (int32_t i = 0; i < s->cells; i++)
        if (s->mask[i] < 0.5f)
            dark[count++].cell = tw_weighted_grid_cell(&grid, i % s->width, i / s->width);
    status = search_nearest(s, &grid, dark, count, &search);
    for (int32_t i = 0; i < s->cells && status == TW_OK; i++) {
        int32_t cell = tw_weighted_grid_cell(&grid, i % s->width, i / s->width);
        int32_t near = dark[tw_search_source(&search, cell)].cell;
        double dx = cell % grid.stride - near % grid.stride;
        double dy = cell / grid.stride - near / grid.stride, m = sqrt(dx * dx + dy * dy);
        int32_t x = near % grid.stride - 1, y = near / grid.stride - 1;
        s->banned[i] = m > 0 && m <= s->band;
        if (m > 0)
            s->bound[i] = s->base[y * s->width + x] + BELOW_LIGHT * m * s->fall;
    }
    return status;
}

/* A height for a secondary node: a share of what the bound and `relief` leave above the base. */
static double secondary_height(const struct tw_shadow_scene *s, int32_t cell, double share)
{
    double most = s->base[cell] + s->relief;
    most = most < s->bound[cell] ? most : s->bound[cell];
    most = most < s->top ? most : s->top;
    return most > s->base[cell] ? s->base[cell] + share * (most - s->base[cell]) : s->base[cell];
}

static int32_t random_cell(const struct tw_shadow_scene *s, uint32_t i, uint32_t stream,
                           double *share)
{
    struct tw_random4 words = tw_random(tw_task_seed(s->task), i, 0, stream, 2);
    *share = 0.4 + 0.6 * (double)tw_uniform(words.at[2]);
    return tw_floor(tw_uniform(words.at[0]) * (float)s->width) +
           s->width * tw_floor(tw_uniform(words.at[1]) * (float)s->height);
}

static void add_peaks(struct tw_shadow_scene *s)
{
    double share;
    for (int32_t i = 0; i < s->peaks; i++) {
        int32_t cell = random_cell(s, (uint32_t)i, 0, &share);
        double height = secondary_height(s, cell, share);
        if (!s->banned[cell] && height > s->base[cell])
            add(s, cell, height, s->runs + i, TW_SHADOW_SECONDARY);
    }
}

/* Least-cost paths from random nodes to the generators; outside the anti-shadow their cells become
 * generators. They are gentle also where they lead to a primary feature. */
static enum tw_status add_ridges(struct tw_shadow_scene *s)
{
    int32_t before = s->count;
    struct tw_path_source *plain = plain_sources(s, before);
    struct tw_nearest_paths paths;
    if (!plain)
        return tw_task_no_memory(s->task);
    for (int32_t i = 0; i < before; i++)
        plain[i].cell = s->sources[i].cell;
    enum tw_status status = tw_nearest_paths_find(s->task, &s->grid, plain, before, &paths);
    for (int32_t i = 0; i < s->ridges && status == TW_OK; i++) {
        double share;
        int32_t at = random_cell(s, (uint32_t)i, 1, &share);
        int32_t cell = tw_weighted_grid_cell(&s->grid, at % s->width, at / s->width);
        int32_t origin = tw_nearest_paths_source(&paths, cell);
        double length = paths.cost[cell], high = s->sources[origin].cost;
        for (int32_t next; s->count < s->capacity; cell = next) {
            next = tw_nearest_paths_next(&paths, cell);
            if (next == cell)
                break;
            at = (cell / s->grid.stride - 1) * s->width + cell % s->grid.stride - 1;
            double far = paths.cost[cell] / length, most = secondary_height(s, at, 1);
            double height = high + (secondary_height(s, at, 0.3 * share) - high) * far;
            height = height < most ? height : most;
            if (!s->banned[at] && height > s->base[at])
                add(s, at, height, s->sources[origin].feature, TW_SHADOW_SECONDARY);
        }
        if (tw_task_cancelled(s->task))
            status = TW_CANCELLED;
    }
    return status;
}

enum tw_status tw_shadow_add_secondary(struct tw_shadow_scene *s)
{
    enum tw_status status = bound_outside(s);
    if (status != TW_OK)
        return status;
    add_peaks(s);
    return add_ridges(s);
}

void tw_shadow_generators_forecast(struct tw_forecast *f, uint64_t sources, bool secondary)
{
    int32_t w = f->width, h = f->height;
    uint64_t cells = (uint64_t)w * (uint64_t)h;
    tw_forecast_scratch(f, (uint64_t)w + (uint64_t)h, sizeof(int32_t)); /* line */
    if (!secondary)
        return;
    tw_forecast_scratch(f, cells + sources / 2, sizeof(struct tw_path_source)); /* plain */
    tw_weighted_grid_forecast(f, w, h, false);
    tw_search_forecast(f, w, h, 1, 1, 1.5);
    tw_nearest_paths_forecast(f, w, h);
}
