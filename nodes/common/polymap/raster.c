/* SPDX-License-Identifier: MIT */
/* Edges are sorted by strips of rows, which stay in the cache while their triangles are filled. */
#include "common/polymap/fill.h"

#include <thalweg/scratch.h>

#include <string.h>

/* 2^14 steps a cell and 2^16 cells a side: sides of triangles stay below 2^62. */
enum { STEPS = TW_POLYMAP_STEPS, RANGES = 16, AT_ONCE = 4096 };
enum { STRIP_CELLS = 1 << 15, STRIPS = 32, SHIFT_LEAST = 2, ENTRIES = 1 << 16 };

/* The rows that an edge's triangles reach; none where the first is above the last. */
struct reach {
    uint16_t first, last;
};

struct filling {
    const struct tw_polymap_raster *cover;
    enum tw_simd simd;
    struct reach *reach;          /* of each edge */
    int32_t shift, strips, grain; /* a strip has 1 << shift rows, a range `grain` strips or more */
    int32_t *start, *edges;       /* of strip s, edges[start[s]] to edges[start[s + 1] - 1] */
    int32_t *numbers;             /* of a strip, for each range; NULL with a map of them */
    int64_t *hole;                /* the first of a strip, or -1 */
};

static void snap(const struct tw_polymap_raster *cover, struct tw_polymap_place at, int32_t *place)
{
    place[0] = (int32_t)(((double)at.x + 1) * 0.5 * cover->width * STEPS + 0.5);
    place[1] = (int32_t)(((double)at.y + 1) * 0.5 * cover->height * STEPS + 0.5);
}

static void snap_corners(void *context, int32_t begin, int32_t end)
{
    const struct tw_polymap_raster *cover = context;
    for (int32_t c = begin; c < end; c++)
        snap(cover, cover->map->corner_at[c], cover->corner[c]);
}

static void snap_centres(void *context, int32_t begin, int32_t end)
{
    const struct tw_polymap_raster *cover = context;
    for (int32_t i = begin; i < end; i++)
        snap(cover, cover->map->cell_at[i], cover->centre[i]);
}

static struct reach reach_of(const struct tw_polymap_raster *cover,
                             const struct tw_polymap_edge *edge)
{
    int32_t low = INT32_MAX, high = INT32_MIN, first = 0, after = cover->height;
    const int32_t at[] = {cover->corner[edge->v0][1], cover->corner[edge->v1][1],
                          cover->centre[edge->d0][1],
                          cover->centre[edge->d1 < 0 ? edge->d0 : edge->d1][1]};
    for (int i = 0; i < 4; i++) {
        low = at[i] < low ? at[i] : low;
        high = at[i] > high ? at[i] : high;
    }
    tw_polymap_cells_within(low, high, &first, &after);
    return first < after ? (struct reach){(uint16_t)first, (uint16_t)(after - 1)}
                         : (struct reach){1, 0};
}

static void find_reach(void *context, int32_t begin, int32_t end)
{
    const struct filling *f = context;
    for (int32_t e = begin; e < end; e++)
        f->reach[e] = reach_of(f->cover, &f->cover->map->edge[e]);
}

/* The strips of an edge, from the first to before the last. */
static void strips_of(const struct filling *f, int32_t e, int32_t *first, int32_t *after)
{
    struct reach reach = f->reach[e];
    *first = reach.first >> f->shift;
    *after = reach.first > reach.last ? 0 : (reach.last >> f->shift) + 1;
}

/* Counts the edges of strip s at start[s + 2]; returns how many there are in all. */
static int64_t count_edges(struct filling *f)
{
    int64_t all = 0;
    f->strips = ((f->cover->height - 1) >> f->shift) + 1;
    memset(f->start, 0, ((size_t)f->strips + 2) * sizeof *f->start);
    for (int32_t e = 0, s, after; e < f->cover->map->edges; e++)
        for (strips_of(f, e, &s, &after); s < after; s++, all++)
            f->start[s + 2]++;
    return all;
}

/* Strips are higher where the lists of their edges would not have room otherwise. */
static void sort_edges(struct filling *f, int64_t capacity)
{
    int32_t rows = STRIP_CELLS / f->cover->width;
    rows = rows < f->cover->height / STRIPS ? rows : f->cover->height / STRIPS;
    for (f->shift = SHIFT_LEAST; 2 << f->shift <= rows; f->shift++)
        ;
    while (count_edges(f) > capacity)
        f->shift++;
    for (int32_t s = 0; s < f->strips; s++)
        f->start[s + 2] += f->start[s + 1];
    for (int32_t e = 0, s, after; e < f->cover->map->edges; e++)
        for (strips_of(f, e, &s, &after); s < after; s++)
            f->edges[f->start[s + 1]++] = e;
}

static int64_t find_hole(const int32_t *numbers, size_t cells)
{
    int32_t greatest = 0;
    for (size_t i = 0; i < cells; i++)
        greatest = numbers[i] > greatest ? numbers[i] : greatest;
    for (size_t i = 0; greatest == TW_POLYMAP_NONE && i < cells; i++)
        if (numbers[i] == TW_POLYMAP_NONE)
            return (int64_t)i;
    return -1;
}

static void fill_strips(void *context, int32_t begin, int32_t end)
{
    const struct filling *f = context;
    const struct tw_polymap_raster *cover = f->cover;
    const size_t width = (size_t)cover->width;
    for (int32_t s = begin; s < end; s++) {
        int32_t first = s << f->shift, rows = cover->height - first;
        rows = rows < 1 << f->shift ? rows : 1 << f->shift;
        size_t before = (size_t)first * width, cells = (size_t)rows * width;
        size_t own = (size_t)(begin / f->grain) * (width << f->shift);
        int32_t *numbers = f->numbers ? f->numbers + own : cover->triangle + before;
        const struct tw_polymap_batch batch = {.edges = f->edges + f->start[s],
                                               .count = f->start[s + 1] - f->start[s],
                                               .row_begin = first,
                                               .row_end = first + rows,
                                               .triangle = numbers};
        memset(numbers, TW_POLYMAP_NONE & 0xFF, cells * sizeof *numbers);
        tw_polymap_fill(cover, f->simd, &batch);
        f->hole[s] = find_hole(numbers, cells);
        f->hole[s] += f->hole[s] < 0 ? 0 : (int64_t)before;
    }
}

static int64_t capacity_of(uint64_t edges) { return 2 * (int64_t)edges + ENTRIES; }

/* All but the triangles' numbers, whose strips follow from the edges. */
static bool lay_out(struct tw_scratch *s, const struct tw_polymap_counts *counts,
                    struct tw_polymap_raster *cover, struct filling *f)
{
    uint64_t rows = (uint64_t)tw_scratch_height(s) + 2;
    cover->corner = tw_scratch_take(s, counts->corners, sizeof *cover->corner);
    cover->centre = tw_scratch_take(s, counts->cells, sizeof *cover->centre);
    f->reach = tw_scratch_take(s, counts->edges, sizeof *f->reach);
    f->edges = tw_scratch_take(s, (uint64_t)capacity_of(counts->edges), sizeof *f->edges);
    f->start = tw_scratch_take(s, rows, sizeof *f->start);
    f->hole = tw_scratch_take(s, rows, sizeof *f->hole);
    return tw_scratch_is_laid(s);
}

/* The map of triangles, or one strip of it for each range. */
static bool reserve_numbers(struct tw_task *task, struct tw_polymap_raster *cover, bool map,
                            struct filling *f)
{
    size_t cells = (size_t)cover->width * (size_t)cover->height;
    size_t strip = (size_t)cover->width << f->shift;
    f->grain = f->strips / RANGES + 1;
    if (map)
        cover->triangle = tw_task_scratch(task, cells, sizeof *cover->triangle);
    else
        f->numbers = tw_task_scratch(task, (size_t)((f->strips - 1) / f->grain + 1) * strip,
                                     sizeof *f->numbers);
    return cover->triangle || f->numbers;
}

enum tw_status tw_polymap_raster(struct tw_task *task, bool triangles,
                                 struct tw_polymap_raster *cover)
{
    const struct tw_polymap *map = cover->map;
    const struct tw_polymap_counts counts = {(uint64_t)map->cells, (uint64_t)map->corners,
                                             (uint64_t)map->edges};
    struct filling f = {.cover = cover, .simd = tw_task_simd(task)};
    cover->width = tw_task_width(task);
    cover->height = tw_task_height(task);
    if (!lay_out(&(struct tw_scratch){.task = task}, &counts, cover, &f))
        return tw_task_no_memory(task);
    tw_rows(task, map->corners, AT_ONCE, snap_corners, cover);
    tw_rows(task, map->cells, AT_ONCE, snap_centres, cover);
    tw_rows(task, map->edges, AT_ONCE, find_reach, &f);
    sort_edges(&f, capacity_of(counts.edges));
    if (!reserve_numbers(task, cover, triangles, &f))
        return tw_task_no_memory(task);
    tw_rows(task, f.strips, f.grain, fill_strips, &f);
    for (int32_t s = 0; s < f.strips; s++)
        if (f.hole[s] >= 0)
            return tw_task_fail(task, "no polygon covers the cell at x %d, y %d",
                                (int)(f.hole[s] % cover->width), (int)(f.hole[s] / cover->width));
    return TW_OK;
}

void tw_polymap_raster_forecast(struct tw_forecast *f, bool triangles)
{
    struct tw_polymap_raster cover;
    struct filling filling;
    struct tw_polymap_counts counts = tw_polymap_forecast(f);
    uint64_t width = (uint64_t)f->width, rows = (uint64_t)f->height;
    uint64_t strip = width << SHIFT_LEAST > STRIP_CELLS ? width << SHIFT_LEAST : STRIP_CELLS;
    uint64_t cells = width * (rows + (1 << SHIFT_LEAST)), strips = (RANGES + 1) * strip;
    lay_out(&(struct tw_scratch){.forecast = f}, &counts, &cover, &filling);
    tw_forecast_scratch(f, triangles || cells < strips ? cells : strips, sizeof *cover.triangle);
}
