/* SPDX-License-Identifier: MIT */
/* Levels of lakes without the courses of their water, by joining every group of basins to another
 * over its lowest pass until all drain (Boruvka 1926). Water that enters a group over a pass finds
 * no higher one on its way through it: the group's parts were joined over their lowest passes, and
 * this is one out of each that it enters. So a basin's level is the greatest of the passes over
 * which its group, then the group that this joined, and so on, were joined. Ties do not matter.
 * The list of passes takes the memory of the order of cells. */
#include "common/drainage_basins.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { NO_PASS = -1 };
enum { RECENT_BITS = 8 };

/* A pass between two basins; its height as tw_float_key(). */
struct pass {
    uint32_t height;
    int32_t basin[2];
};

/* Passes of strips of rows are listed side by side, each strip's in its own part of the memory. */
enum { STRIPS = 16 };

/* Basins in groups, that of the outlets included. */
struct groups {
    struct pass *passes; /* between different groups */
    int32_t first[STRIPS], count[STRIPS];
    int32_t parts;    /* of `passes`: all strips', and later one */
    int32_t basins;   /* of the land */
    int32_t *group;   /* towards the basin that stands for its group */
    int32_t *lowest;  /* of those: the group's lowest pass */
    int32_t *onto;    /* the group that it hangs on; 0 at first */
    int32_t *way;     /* basins between one and those whose level is known */
    uint32_t *height; /* of the pass to `onto`, then of the level */
    uint8_t *known;   /* `height` is the level */
};

/* ---- passes ---- */

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

/* The same for any cell, whatever its receiver touches. */
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

/* Passes so far, one of most pairs of basins: `recent` has, by a hash of both, where a pair was
 * listed last. */
struct list {
    struct pass *passes;
    int32_t count;
    int32_t recent[1 << RECENT_BITS];
};

static void add_pass(struct list *list, int32_t a, int32_t b, uint32_t height)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t hash = ((uint32_t)low * 31 + (uint32_t)high) * 0x9E3779B9u;
    int32_t *recent = &list->recent[hash >> (32 - RECENT_BITS)];
    struct pass *found = &list->passes[*recent];
    if (*recent < list->count && found->basin[0] == low && found->basin[1] == high) {
        found->height = height < found->height ? height : found->height;
        return;
    }
    *recent = list->count;
    list->passes[list->count++] = (struct pass){height, {low, high}};
}

/* The passes from a cell down. */
static void add_passes(const struct land *land, int32_t cell, struct list *list)
{
    const struct tw_drainage *d = land->d;
    uint32_t height = tw_float_key(land->heights[cell] + 0.0f); /* -0 becomes 0 */
    for (unsigned bits = d->edge[cell]; bits; bits &= bits - 1)
        add_pass(list, d->label[cell],
                 d->label[tw_drainage_neighbour(d, cell, __builtin_ctz(bits))], height);
}

/* The number of passes of the cells from begin to end - 1, or -1 when there is no room for them. */
static int32_t list_range(const struct land *land, int32_t begin, int32_t end, struct pass *passes,
                          int32_t capacity)
{
    const struct tw_drainage *d = land->d;
    struct list list = {.passes = passes};
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
    struct groups *groups;
    int32_t capacity;
};

static void list_strips(void *context, int32_t begin, int32_t end)
{
    const struct lister *l = context;
    struct groups *g = l->groups;
    int64_t height = l->land->d->height, capacity = l->capacity;
    int32_t width = l->land->d->width;
    for (int32_t strip = begin; strip < end; strip++) {
        int32_t first = (int32_t)(height * strip / STRIPS) * width;
        int32_t last = (int32_t)(height * (strip + 1) / STRIPS) * width;
        int32_t at = (int32_t)(capacity * strip / STRIPS);
        int32_t room = (int32_t)(capacity * (strip + 1) / STRIPS) - at;
        g->first[strip] = at;
        g->count[strip] = list_range(l->land, first, last, g->passes + at, room);
    }
}

/* False when there is no room for them. */
static bool list_passes(struct tw_task *task, const struct land *land, struct groups *g,
                        int32_t capacity)
{
    struct lister l = {land, g, capacity};
    bool fit = true;
    tw_rows(task, STRIPS, 1, list_strips, &l);
    g->parts = STRIPS;
    for (int32_t k = 0; k < STRIPS; k++)
        fit = fit && g->count[k] >= 0;
    if (fit)
        return true;
    g->parts = 1; /* others may leave room for those that have too many */
    g->first[0] = 0;
    g->count[0] = list_range(land, 0, land->d->cells, g->passes, capacity);
    return g->count[0] >= 0;
}

/* ---- groups ---- */

static int32_t group_of(struct groups *g, int32_t basin)
{
    int32_t *group = g->group;
    while (group[basin] != basin)
        basin = group[basin] = group[group[basin]];
    return basin;
}

static void offer(struct groups *g, int32_t pass, int32_t group)
{
    int32_t *lowest = &g->lowest[group];
    if (*lowest == NO_PASS || g->passes[pass].height < g->passes[*lowest].height)
        *lowest = pass;
}

/* Of equally high passes the first, so that groups never hang on each other in a circle. */
static void find_lowest(struct groups *g)
{
    for (int32_t b = 0; b < g->basins; b++)
        g->lowest[b] = NO_PASS;
    for (int32_t k = 0; k < g->parts; k++)
        for (int32_t i = g->first[k]; i < g->first[k] + g->count[k]; i++) {
            offer(g, i, g->passes[i].basin[0]);
            offer(g, i, g->passes[i].basin[1]);
        }
}

/* Hangs every group but that of the outlets, 0, on the other side of its lowest pass; of two that
 * have the same one, the second on the first. */
static void hang_groups(struct groups *g)
{
    for (int32_t b = 1; b < g->basins; b++) {
        if (g->lowest[b] == NO_PASS)
            continue;
        const struct pass *pass = &g->passes[g->lowest[b]];
        int32_t other = pass->basin[pass->basin[0] == b];
        if (g->lowest[other] == g->lowest[b] && b < other)
            continue;
        g->onto[b] = other;
        g->height[b] = pass->height;
        g->group[b] = other;
    }
}

/* Leaves the passes between different groups, in one part. */
static void drop_inner(struct groups *g)
{
    int32_t kept = 0;
    for (int32_t k = 0; k < g->parts; k++)
        for (int32_t i = g->first[k]; i < g->first[k] + g->count[k]; i++) {
            int32_t a = group_of(g, g->passes[i].basin[0]), b = group_of(g, g->passes[i].basin[1]);
            if (a != b)
                g->passes[kept++] = (struct pass){g->passes[i].height, {a, b}};
        }
    g->parts = 1;
    g->first[0] = 0;
    g->count[0] = kept;
}

/* The greatest height on the way of each basin to the outlets. */
static void find_levels(struct groups *g)
{
    g->known[0] = 1;
    g->height[0] = 0; /* below every height */
    for (int32_t start = 1; start < g->basins; start++) {
        int32_t length = 0, basin = start;
        for (; !g->known[basin]; basin = g->onto[basin])
            g->way[length++] = basin;
        while (length > 0) {
            int32_t next = g->way[--length];
            uint32_t beyond = g->height[basin];
            g->height[next] = g->height[next] > beyond ? g->height[next] : beyond;
            g->known[next] = 1;
            basin = next;
        }
    }
}

static bool has_passes(const struct groups *g)
{
    bool found = false;
    for (int32_t k = 0; k < g->parts; k++)
        found = found || g->count[k] > 0;
    return found;
}

static enum tw_status join_groups(struct tw_task *task, struct groups *g)
{
    for (int32_t b = 0; b < g->basins; b++) {
        g->group[b] = b;
        g->onto[b] = 0;
        g->known[b] = 0;
    }
    while (has_passes(g)) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        find_lowest(g);
        hang_groups(g);
        drop_inner(g);
    }
    find_levels(g);
    return TW_OK;
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
    struct groups g = {.passes = (struct pass *)d->order,
                       .basins = basins,
                       .group = d->place,
                       .lowest = d->queued,
                       .onto = d->entry,
                       .way = d->start,
                       .height = (uint32_t *)d->keys,
                       .known = d->exit};
    size_t room = (size_t)d->cells * sizeof *d->order / sizeof *g.passes;
    if (!list_passes(task, &marker.land, &g, (int32_t)room))
        return TW_OK;
    d->basins = basins;
    status = join_groups(task, &g);
    for (int32_t b = 1; status == TW_OK && b < basins; b++)
        d->level[b] = tw_key_float(g.height[b]);
    *complete = true;
    return status;
}
