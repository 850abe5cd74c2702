/* SPDX-License-Identifier: MIT */
#include "common/drainage/groups.h"

#define NO_PASS UINT64_MAX

/* Rounds of fewer passes are not worth a second thread. */
enum { SHARED_PASSES = 4096 };

static int32_t count_passes(const struct tw_basin_groups *g)
{
    int32_t count = 0;
    for (int32_t k = 0; k < g->parts; k++)
        count += g->count[k];
    return count;
}

static void each_part(struct tw_task *task, struct tw_basin_groups *g,
                      void (*part)(void *groups, int32_t begin, int32_t end))
{
    tw_rows(task, g->parts, count_passes(g) < SHARED_PASSES ? g->parts : 1, part, g);
}

/* Keeps the lowest pass; of equally high ones the first, so that groups never hang on each other in
 * a circle. */
static void offer(uint64_t *lowest, uint64_t pass)
{
    uint64_t old = __atomic_load_n(lowest, __ATOMIC_RELAXED);
    while (pass < old && !__atomic_compare_exchange_n(lowest, &old, pass, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED))
        ;
}

static void offer_passes(void *context, int32_t begin, int32_t end)
{
    const struct tw_basin_groups *g = context;
    for (int32_t k = begin; k < end; k++)
        for (int32_t i = g->first[k]; i < g->first[k] + g->count[k]; i++) {
            uint64_t pass = (uint64_t)g->passes[i].height << 32 | (uint32_t)i;
            offer(&g->lowest[g->passes[i].basin[0]], pass);
            offer(&g->lowest[g->passes[i].basin[1]], pass);
        }
}

static void find_lowest(struct tw_task *task, struct tw_basin_groups *g)
{
    for (int32_t b = 0; b < g->basins; b++)
        g->lowest[b] = NO_PASS;
    each_part(task, g, offer_passes);
}

/* Hangs every group but that of the outlets, 0, on the other side of its lowest pass; of two that
 * have the same one, the second on the first. */
static void hang_groups(struct tw_basin_groups *g)
{
    for (int32_t b = 1; b < g->basins; b++) {
        if (g->lowest[b] == NO_PASS)
            continue;
        const struct tw_basin_pass *pass = &g->passes[(uint32_t)g->lowest[b]];
        int32_t other = pass->basin[pass->basin[0] == b];
        if (g->lowest[other] == g->lowest[b] && b < other)
            continue;
        g->onto[b] = other;
        g->height[b] = pass->height;
        g->group[b] = other;
    }
}

static void flatten(struct tw_basin_groups *g)
{
    int32_t *group = g->group;
    for (int32_t b = 1; b < g->basins; b++) {
        int32_t top = group[b];
        while (group[top] != top)
            top = group[top] = group[group[top]];
        group[b] = top;
    }
}

/* Keeps only the passes between different groups. */
static void drop_inner(void *context, int32_t begin, int32_t end)
{
    struct tw_basin_groups *g = context;
    for (int32_t k = begin; k < end; k++) {
        struct tw_pass_list list = {.passes = g->passes + g->first[k]};
        for (int32_t i = 0; i < g->count[k]; i++) {
            const struct tw_basin_pass *pass = &list.passes[i];
            int32_t a = g->group[pass->basin[0]], b = g->group[pass->basin[1]];
            if (a != b)
                tw_pass_list_add(&list, a, b, pass->height);
        }
        g->count[k] = list.count;
    }
}

/* Finds the greatest height on the way of each basin to the outlets. */
static void find_levels(struct tw_basin_groups *g)
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

enum tw_status tw_basin_groups_join(struct tw_task *task, struct tw_basin_groups *g)
{
    for (int32_t b = 0; b < g->basins; b++) {
        g->group[b] = b;
        g->onto[b] = 0;
        g->known[b] = 0;
    }
    while (count_passes(g) > 0) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        find_lowest(task, g);
        hang_groups(g);
        flatten(g);
        each_part(task, g, drop_inner);
    }
    find_levels(g);
    return TW_OK;
}
