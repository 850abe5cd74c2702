/* SPDX-License-Identifier: MIT */
/* The nearest dark cells, held against a search among all of them. */
#include "feature/kernels/nearest_dark.h"

#include "base/os/cpu.h"
#include "support/probe.h"
#include "task/pool.h"
#include "task/task.h"

#include <stdlib.h>

static struct {
    int32_t rare; /* one cell in so many is dark */
    enum tw_simd simd;
} given;

static double length_of(int32_t dx, int32_t dy)
{
    int32_t shorter = abs(dx) < abs(dy) ? abs(dx) : abs(dy);
    return abs(dx) + abs(dy) - 2 * shorter + shorter * (double)1.41421356f;
}

/* The first of the nearest. */
static int32_t search(const int32_t *dark, int32_t count, int32_t width, int32_t cell)
{
    double least = 1e300;
    int32_t nearest = -1;
    for (int32_t i = 0; i < count; i++) {
        double length = length_of(cell % width - dark[i] % width, cell / width - dark[i] / width);
        nearest = length < least ? dark[i] : nearest;
        least = length < least ? length : least;
    }
    return nearest;
}

static enum tw_status compare(struct tw_task *task)
{
    int32_t width = tw_task_width(task), cells = width * tw_task_height(task), count = 0;
    float *mask = tw_task_scratch(task, (size_t)cells, sizeof *mask);
    double *length = tw_task_scratch(task, (size_t)cells, sizeof *length);
    int32_t *nearest = tw_task_scratch(task, (size_t)cells, sizeof *nearest);
    int32_t *dark = tw_task_scratch(task, (size_t)cells, sizeof *dark);
    uint32_t random = (uint32_t)cells;
    for (int32_t i = 0; i < cells; i++) {
        random = random * 1664525u + 1013904223u;
        bool is_dark = (random >> 8) % (uint32_t)given.rare == 0 || (count == 0 && i == cells - 1);
        mask[i] = is_dark ? 0.25f : 0.5f;
        if (is_dark)
            dark[count++] = i;
    }
    task->pool->simd = given.simd;
    enum tw_status status = tw_nearest_dark_find(task, mask, length, nearest);
    for (int32_t i = 0; i < cells && status == TW_OK; i++)
        probe_require(nearest[i] == search(dark, count, width, i));
    return status;
}

static void is_what_a_search_finds(void **state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {1, 70}, {70, 1}, {33, 65}, {300, 40}};
    for (int simd = TW_SIMD_BASE; simd <= (int)tw_cpu_simd(); simd++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int32_t rare = 5; rare <= 2000; rare *= 20) {
                given.rare = rare;
                given.simd = (enum tw_simd)simd;
                probe_run(compare, sizes[i][0], sizes[i][1], 1 + simd % 2 * 2);
                probe_run(compare, sizes[i][0], sizes[i][1], 2);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_what_a_search_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
