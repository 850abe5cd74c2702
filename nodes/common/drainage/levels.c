/* SPDX-License-Identifier: MIT */
/* The passes between basins, which drainage_groups.h joins. Their list takes the memory of the
 * order of cells. */
#include "common/drainage/levels.h"
#include "common/drainage/basins.h"
#include "common/drainage/groups.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

struct land {
    const struct tw_drainage *d;
    const float *heights;
};

/* Marks the lower neighbours in other basins, and those as low that come first; but where the
 * cell's receiver touches one, that is a lower pass. Inner cells of a row. */
static TW_INLINE void mark_body(const struct land *land, int32_t y)
{
    const struct tw_drainage *d = land->d;
    size_t w = (size_t)d->width, inner = w - 2, first = (size_t)y * w + 1;
    const float *restrict here = land->heights + first;
    const float *restrict up = here - w, *restrict down = here + w;
    const int32_t *restrict label = d->label + first;
    const int32_t *restrict label_up = label - w, *restrict label_down = label + w;
    const uint8_t *restrict to = d->to + first;
    uint8_t *restrict edge = d->edge + first;
    for (size_t x = 0; x < inner; x++) {
        uint32_t bits = 0, own = to[x];
        int32_t basin = label[x];
        float z = here[x];
#define CONSIDER(k, is_low, other, beside)                                                         \
    bits |= (~((uint32_t)(beside) >> own) & ((is_low) ? 1u : 0) & ((other) != basin ? 1u : 0))     \
            << (k);
        CONSIDER(0, up[x - 1] <= z, label_up[x - 1], TW_BESIDE_NW)
        CONSIDER(1, up[x] <= z, label_up[x], TW_BESIDE_N)
        CONSIDER(2, up[x + 1] <= z, label_up[x + 1], TW_BESIDE_NE)
        CONSIDER(3, here[x - 1] <= z, label[x - 1], TW_BESIDE_W)
        CONSIDER(4, here[x + 1] < z, label[x + 1], TW_BESIDE_E)
        CONSIDER(5, down[x - 1] < z, label_down[x - 1], TW_BESIDE_SW)
        CONSIDER(6, down[x] < z, label_down[x], TW_BESIDE_S)
        CONSIDER(7, down[x + 1] < z, label_down[x + 1], TW_BESIDE_SE)
#undef CONSIDER
        edge[x] = (uint8_t)bits;
    }
}
TW_SIMD_KERNEL(mark, (const struct land *land, int32_t y), (land, y))

/* Returns the edge bits of any cell, on the border or not, whatever its receiver touches. */
static uint8_t mark_cell(const struct land *land, int32_t cell)
{
    const struct tw_drainage *d = land->d;
    int32_t w = d->width, x = cell % w, y = cell / w;
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) {
        int32_t at = k < 4 ? k : k + 1; /* of 3 x 3 cells */
        int32_t east = x + at % 3 - 1, south = y + at / 3 - 1;
        bool inside = east >= 0 && south >= 0 && east < w && south < d->height;
        int32_t next = d->rim ? tw_drainage_neighbour(d, cell, k) : inside ? south * w + east : -1;
        float z = land->heights[cell], near = next < 0 ? z : land->heights[next];
        if (next >= 0 && d->label[next] != d->label[cell] && (near < z || (near == z && k < 4)))
            bits |= 1u << k;
    }
    return (uint8_t)bits;
}

struct marker {
    struct land land;
    void (*mark)(const struct land *, int32_t);
};

static void mark_rows(void *context, int32_t begin, int32_t end)
{
    const struct marker *m = context;
    const struct tw_drainage *d = m->land.d;
    for (int32_t y = begin; y < end; y++) {
        bool inner = y > 0 && y < d->height - 1 && d->width > 2;
        int32_t first = y * d->width;
        if (inner)
            m->mark(&m->land, y);
        for (int32_t x = 0; x < d->width; x += inner ? d->width - 1 : 1)
            d->edge[first + x] = mark_cell(&m->land, first + x);
    }
}

/* The passes from a cell down. */
static void add_passes(const struct land *land, int32_t cell, struct tw_pass_list *list)
{
    const struct tw_drainage *d = land->d;
    uint32_t height = tw_float_key(land->heights[cell] + 0.0f); /* -0 becomes 0 */
    for (unsigned bits = d->edge[cell]; bits; bits &= bits - 1)
        tw_pass_list_add(list, d->label[cell],
                         d->label[tw_drainage_neighbour(d, cell, __builtin_ctz(bits))], height);
}

/* Lists the passes of the cells from begin to end - 1; returns their number, or -1 if they do not
 * fit. */
static int32_t list_range(const struct land *land, int32_t begin, int32_t end,
                          struct tw_basin_pass *passes, int32_t capacity)
{
    const struct tw_drainage *d = land->d;
    struct tw_pass_list list = {.passes = passes};
    for (int32_t cell = begin; cell < end; cell++) {
        uint64_t eight = 0;
        if (cell + 8 <= end) {
            memcpy(&eight, d->edge + cell, sizeof eight);
            if (eight == 0) {
                cell += 7;
                continue;
            }
        }
        if (!d->edge[cell])
            continue;
        if (list.count > capacity - 8)
            return -1;
        add_passes(land, cell, &list);
    }
    return list.count;
}

struct lister {
    const struct land *land;
    struct tw_basin_groups *groups;
    int32_t capacity;
};

static void list_strips(void *context, int32_t begin, int32_t end)
{
    const struct lister *l = context;
    struct tw_basin_groups *g = l->groups;
    int64_t height = l->land->d->height, capacity = l->capacity;
    int32_t width = l->land->d->width;
    for (int32_t strip = begin; strip < end; strip++) {
        int32_t first = (int32_t)(height * strip / TW_PASS_PARTS) * width;
        int32_t last = (int32_t)(height * (strip + 1) / TW_PASS_PARTS) * width;
        int32_t at = (int32_t)(capacity * strip / TW_PASS_PARTS);
        int32_t room = (int32_t)(capacity * (strip + 1) / TW_PASS_PARTS) - at;
        g->first[strip] = at;
        g->count[strip] = list_range(l->land, first, last, g->passes + at, room);
    }
}

/* Returns false if the passes do not fit. */
static bool list_passes(struct tw_task *task, const struct land *land, struct tw_basin_groups *g,
                        int32_t capacity)
{
    struct lister l = {land, g, capacity};
    bool fit = true;
    tw_rows(task, TW_PASS_PARTS, 1, list_strips, &l);
    g->parts = TW_PASS_PARTS;
    for (int32_t k = 0; k < TW_PASS_PARTS; k++)
        fit = fit && g->count[k] >= 0;
    if (fit)
        return true;
    g->parts = 1; /* others may leave room for those that have too many */
    g->first[0] = 0;
    g->count[0] = list_range(land, 0, land->d->cells, g->passes, capacity);
    return g->count[0] >= 0;
}

enum tw_status tw_drainage_level_basins(struct tw_task *task, struct tw_drainage *d,
                                        const float *heights, bool *complete)
{
    int32_t basins = tw_drainage_label_basins(task, d, heights);
    d->basins = 1;
    *complete = basins == 1;
    enum tw_status status = *complete ? TW_OK : tw_drainage_reserve(task, d, basins);
    if (*complete || status != TW_OK)
        return status;
    struct marker marker = {{d, heights}, mark(tw_task_simd(task))};
    tw_rows(task, d->height, 16, mark_rows, &marker);
    struct tw_basin_groups g = {.passes = (struct tw_basin_pass *)d->order,
                                .basins = basins,
                                .group = d->place,
                                .lowest = d->keys,
                                .onto = d->entry,
                                .way = d->start,
                                .height = (uint32_t *)d->queued,
                                .known = d->exit};
    size_t room = (size_t)d->cells * sizeof *d->order / sizeof *g.passes;
    if (!list_passes(task, &marker.land, &g, (int32_t)room))
        return TW_OK;
    d->basins = basins;
    status = tw_basin_groups_join(task, &g);
    for (int32_t b = 1; status == TW_OK && b < basins; b++)
        d->level[b] = tw_key_float(g.height[b]);
    *complete = true;
    return status;
}
