/* SPDX-License-Identifier: MIT */
#include "feature/kernels/shadow_generators.h"
#include "feature/kernels/light_lines.h"
#include "feature/kernels/nearest_dark.h"
#include "feature/kernels/nearest_paths.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { BACK = 3 };
/* Of natural pictures that are mostly shadow: primary sources, and the length of a ridge. */
enum { CELLS_PER_SOURCE = 8, RIDGES_PER_SIDE = 16 };

/* Times the light's slope: what bounds secondary features. A bound on the light's own plane would
 * let them light up shadows, as a digital line is up to half a cell beside the ray. */
#define BELOW_LIGHT 0.8

static struct tw_path_source source_at(const struct tw_shadow_scene *s, int32_t cell, double height,
                                       int32_t feature, int32_t profile)
{
    int32_t x = cell % s->width, y = cell / s->width;
    return (struct tw_path_source){.cost = height,
                                   .cell = tw_weighted_grid_cell(&s->grid, x, y),
                                   .feature = feature,
                                   .profile = profile,
                                   .domain = -1,
                                   .yields = profile == TW_SHADOW_SECONDARY};
}

/* Counts a source; stores it only if there is room. */
static void add(struct tw_shadow_scene *s, int32_t cell, double height, int32_t feature)
{
    s->top = height > s->top ? height : s->top;
    if (s->count < s->room)
        s->sources[s->count] = source_at(s, cell, height, feature, TW_SHADOW_SECONDARY);
    s->count++;
}

/* Room for the sources, `kept` of which there are, and a spare for as many. */
static enum tw_status create_sources(struct tw_shadow_scene *s, int32_t count, int32_t kept)
{
    const struct tw_path_source *old = s->sources;
    s->sources = tw_task_scratch(s->task, (size_t)count, 2 * sizeof *s->sources);
    if (!s->sources)
        return tw_task_no_memory(s->task);
    if (old)
        memcpy(s->sources, old, (size_t)kept * sizeof *old);
    s->spare = s->sources + count;
    s->room = 2 * count;
    s->count = kept;
    return TW_OK;
}

/* ---- primary generators ---- */

enum { SHARES = 64 }; /* of the lines, to be walked side by side; each has a line at a time */

/* The sources and runs of a share of the lines: first their number, then where they begin, after
 * those of the shares before. */
struct share {
    int32_t sources, runs;
    double top, longest;
};

struct walk {
    struct tw_shadow_scene *scene;
    struct tw_light_lines lines;
    int32_t *cells; /* of a line, for each share */
    struct share shares[SHARES];
    bool counting;
};

/* A run of dark cells of a line. */
struct run {
    int32_t from, to;
};

/* The cell before the first, which casts the shadow; the first where the map begins with it. */
static int32_t start_of(const struct run *run) { return run->from ? run->from - 1 : 0; }

/* The run after another one; false behind the last. */
static bool next_run(const struct tw_shadow_scene *s, const int32_t *line, int32_t count,
                     struct run *run)
{
    int32_t k = run->to + 1;
    while (k < count && !(s->mask[line[k]] < 0.5f))
        k++;
    run->from = k;
    while (k < count && s->mask[line[k]] < 0.5f)
        k++;
    run->to = k - 1;
    return run->from < count;
}

static void count_run(const struct run *run, struct share *share)
{
    int32_t behind = run->to - start_of(run);
    share->sources += 1 + (behind < BACK ? behind : BACK);
    share->runs++;
}

/* A generator on the light side of a run, c_e - m / tan(tilt), and the bound inside, which falls to
 * the base's height at the run's end, less than the light does. The cells behind it follow just
 * below the ray: a wall one cell thick would let light through where runs start far apart. */
static void add_run(const struct walk *walk, const int32_t *line, const struct run *run,
                    struct share *share)
{
    struct tw_shadow_scene *s = walk->scene;
    int32_t start = start_of(run), feature = share->runs++;
    double step = walk->lines.step, end = s->base[line[run->to]];
    double m = ((double)(run->to - start) + 0.5) * step, height = end + m * s->fall;
    struct tw_path_source *to = s->sources + share->sources;
    *to++ = source_at(s, line[start], height, feature, TW_SHADOW_PRIMARY);
    share->top = height > share->top ? height : share->top; /* the others are lower */
    share->longest = m > share->longest ? m : share->longest;
    for (int32_t i = run->from; i <= run->to; i++) {
        double below = end + (double)(run->to - i) * step * s->fall;
        s->bound[line[i]] = end + BELOW_LIGHT * (below - end);
        if (i > start && i <= start + BACK)
            *to++ = source_at(s, line[i], below, feature, TW_SHADOW_PRIMARY);
    }
    share->sources = (int32_t)(to - s->sources);
}

static void walk_shares(void *context, int32_t begin, int32_t end)
{
    struct walk *walk = context;
    const struct tw_shadow_scene *s = walk->scene;
    for (int32_t i = begin; i < end; i++) {
        struct share share = walk->shares[i];
        int32_t *line = walk->cells + (size_t)i * (size_t)(s->width + s->height);
        int64_t lines = walk->lines.count;
        for (int64_t k = lines * i / SHARES; k < lines * (i + 1) / SHARES; k++) {
            struct run run = {.to = -1};
            int32_t count = tw_light_lines_walk(&walk->lines, (int32_t)k, line);
            while (next_run(s, line, count, &run))
                if (walk->counting)
                    count_run(&run, &share);
                else
                    add_run(walk, line, &run, &share);
        }
        walk->shares[i] = share;
    }
}

/* Sets where each share's sources and runs begin. */
static void sum_shares(struct walk *walk)
{
    struct tw_shadow_scene *s = walk->scene;
    for (int i = 0; i < SHARES; i++) {
        struct share share = walk->shares[i];
        walk->shares[i] = (struct share){s->primary, s->runs, s->top, 0};
        s->primary += share.sources;
        s->runs += share.runs;
    }
}

static enum tw_status refuse(const struct tw_shadow_scene *s)
{
    float darkest = s->mask[0];
    for (int32_t i = 0; i < s->cells; i++)
        darkest = tw_min(darkest, s->mask[i]);
    return tw_task_fail(s->task,
                        "image has no shadow: looked for cells darker than 0.5; the darkest is %g",
                        (double)darkest);
}

enum tw_status tw_shadow_add_primary(struct tw_shadow_scene *s)
{
    struct walk walk = {.scene = s, .counting = true};
    tw_light_lines_set(&walk.lines, s->width, s->height, s->azimuth);
    walk.cells =
        tw_task_scratch(s->task, (size_t)(s->width + s->height), SHARES * sizeof *walk.cells);
    if (!walk.cells)
        return tw_task_no_memory(s->task);
    tw_rows(s->task, SHARES, 1, walk_shares, &walk);
    sum_shares(&walk);
    if (s->primary == 0)
        return refuse(s);
    if (create_sources(s, s->primary + s->peaks, 0) != TW_OK)
        return tw_task_no_memory(s->task);
    s->count = s->primary;
    walk.counting = false;
    tw_rows(s->task, SHARES, 1, walk_shares, &walk);
    for (int i = 0; i < SHARES; i++) {
        const struct share *share = &walk.shares[i];
        s->top = share->top > s->top ? share->top : s->top;
        s->longest = share->longest > s->longest ? share->longest : s->longest;
    }
    return TW_OK;
}

/* ---- secondary ones ---- */

struct outside {
    struct tw_shadow_scene *scene;
    const int32_t *nearest; /* shadow cell, by cell */
};

static void bound_rows(void *context, int32_t begin, int32_t end)
{
    const struct outside *outside = context;
    struct tw_shadow_scene *s = outside->scene;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < s->width; x++) {
            int32_t i = y * s->width + x, near = outside->nearest[i];
            double dx = x - near % s->width, dy = y - near / s->width, m = sqrt(dx * dx + dy * dy);
            s->banned[i] = m > 0 && m <= s->band;
            if (m > 0)
                s->bound[i] = s->base[near] + BELOW_LIGHT * m * s->fall;
        }
}

/* Outside shadows the bound rises from the height at the nearest shadow cell with the distance, a
 * little less steeply than the light falls. Also marks the anti-shadow. */
static enum tw_status bound_outside(struct tw_shadow_scene *s)
{
    double *length = tw_task_scratch(s->task, (size_t)s->cells, sizeof *length);
    int32_t *nearest = tw_task_scratch(s->task, (size_t)s->cells, sizeof *nearest);
    if (!length || !nearest)
        return tw_task_no_memory(s->task);
    enum tw_status status = tw_nearest_dark_find(s->task, s->mask, length, nearest);
    if (status == TW_OK)
        tw_rows(s->task, s->height, 16, bound_rows, &(struct outside){s, nearest});
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
            add(s, cell, height, s->runs + i);
    }
}

static enum tw_status find_ways(struct tw_shadow_scene *s, struct tw_nearest_paths *ways)
{
    for (int32_t i = 0; i < s->count; i++)
        s->spare[i] = (struct tw_path_source){
            .cell = s->sources[i].cell, .feature = i, .profile = -1, .domain = -1};
    return tw_nearest_paths_find(s->task, &s->grid, s->spare, s->count, ways);
}

/* Outside the anti-shadow the cells of a way become generators. */
static void add_ridge(struct tw_shadow_scene *s, struct tw_nearest_paths *ways, uint32_t i)
{
    const int32_t count_most = 2 * s->cells + s->peaks;
    double share;
    int32_t at = random_cell(s, i, 1, &share);
    int32_t cell = tw_weighted_grid_cell(&s->grid, at % s->width, at / s->width);
    const struct tw_path_source origin = s->sources[tw_nearest_paths_source(ways, cell)];
    double length = ways->cost[cell];
    for (int32_t next; s->count < count_most; cell = next) {
        next = tw_nearest_paths_next(ways, cell);
        if (next == cell)
            break;
        at = (cell / s->grid.stride - 1) * s->width + cell % s->grid.stride - 1;
        double far = ways->cost[cell] / length, most = secondary_height(s, at, 1);
        double height = origin.cost + (secondary_height(s, at, 0.3 * share) - origin.cost) * far;
        height = height < most ? height : most;
        if (!s->banned[at] && height > s->base[at])
            add(s, at, height, origin.feature);
    }
}

static enum tw_status walk_ridges(struct tw_shadow_scene *s, struct tw_nearest_paths *ways)
{
    for (int32_t i = 0; i < s->ridges && !tw_task_cancelled(s->task); i++)
        add_ridge(s, ways, (uint32_t)i);
    return tw_task_cancelled(s->task) ? TW_CANCELLED : TW_OK;
}

/* The spare that ridges went into is another block. */
static enum tw_status replace_spare(struct tw_shadow_scene *s)
{
    s->spare = tw_task_scratch(s->task, (size_t)s->count, sizeof *s->spare);
    return s->spare ? TW_OK : tw_task_no_memory(s->task);
}

/* Least-cost paths from random nodes to the generators. They are gentle also where they lead to a
 * primary feature. Ridges fill the spare, too, once paths are found; where that is not enough, they
 * are counted and walked again. */
static enum tw_status add_ridges(struct tw_shadow_scene *s)
{
    int32_t before = s->count;
    struct tw_nearest_paths ways;
    enum tw_status status = find_ways(s, &ways);
    if (status == TW_OK)
        status = walk_ridges(s, &ways);
    if (status == TW_OK && s->count > s->room) {
        status = create_sources(s, s->count, before);
        return status == TW_OK ? walk_ridges(s, &ways) : status;
    }
    return status == TW_OK && s->count > s->room / 2 ? replace_spare(s) : status;
}

enum tw_status tw_shadow_add_secondary(struct tw_shadow_scene *s)
{
    enum tw_status status = bound_outside(s);
    if (status != TW_OK)
        return status;
    add_peaks(s);
    return add_ridges(s);
}

int64_t tw_shadow_generators_forecast(struct tw_forecast *f, int32_t peaks, int32_t ridges)
{
    uint64_t w = (uint64_t)f->width, h = (uint64_t)f->height;
    uint64_t first = w * h / CELLS_PER_SOURCE + (uint64_t)peaks;
    uint64_t more = (uint64_t)ridges * (w + h) / (2 * RIDGES_PER_SIDE);
    uint64_t all = first + (more < 2 * w * h ? more : 2 * w * h);
    tw_forecast_scratch(f, w + h, SHARES * sizeof(int32_t));
    tw_forecast_scratch(f, 2 * first, sizeof(struct tw_path_source));
    if (all > first)
        tw_forecast_scratch(f, all <= 2 * first ? all : 2 * all, sizeof(struct tw_path_source));
    return (int64_t)all;
}

void tw_shadow_secondary_forecast(struct tw_forecast *f)
{
    tw_forecast_maps(f, 1, sizeof(double) + sizeof(int32_t)); /* length, nearest */
    tw_nearest_paths_forecast(f, f->width, f->height);
}
