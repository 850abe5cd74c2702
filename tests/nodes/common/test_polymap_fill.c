/* SPDX-License-Identifier: MIT */
/* Triangles filled by vectors against every cell by itself. */
#include "common/polymap/fill.h"

#include "base/os/cpu.h"
#include "support/harness.h"

#include <stdlib.h>
#include <string.h>

enum { EDGES = 40, CORNERS = 2 * EDGES, PLANES = 3 };

struct scene {
    struct tw_polymap map;
    struct tw_polymap_edge edge[EDGES];
    int32_t corner[CORNERS][2], centre[CORNERS][2], list[EDGES];
    float corners[PLANES][CORNERS], centres[PLANES][CORNERS];
    int32_t width, rows; /* filled from the second row on */
    int32_t *numbers;
    float *cells[PLANES];
};

static uint32_t word(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Places within `reach` cells of the map, some of them at a cell's very centre. */
static void place(uint64_t *state, const struct scene *s, int32_t reach, int32_t *at)
{
    for (int axis = 0; axis < 2; axis++) {
        int64_t cells = axis ? reach : s->width;
        int64_t steps = (int64_t)(word(state) % (uint32_t)cells) * TW_POLYMAP_STEPS;
        bool middle = word(state) % 4 == 0;
        at[axis] = (int32_t)(steps + (middle ? TW_POLYMAP_STEPS / 2
                                             : (int32_t)(word(state) % TW_POLYMAP_STEPS)));
    }
}

static void draw(uint64_t seed, int32_t width, int32_t rows, int32_t reach, struct scene *s)
{
    uint64_t state = seed;
    *s = (struct scene){.width = width, .rows = rows};
    for (int32_t i = 0; i < CORNERS; i++) {
        place(&state, s, reach, s->corner[i]);
        place(&state, s, reach, s->centre[i]);
        for (int k = 0; k < PLANES; k++) {
            s->corners[k][i] = ((float)word(&state) - 0x1p30f) * (k == 2 ? 1e20f : 1e-9f);
            s->centres[k][i] = ((float)word(&state) - 0x1p30f) * (k == 2 ? 1e20f : 1e-9f);
        }
    }
    for (int32_t e = 0; e < EDGES; e++) {
        s->edge[e] = (struct tw_polymap_edge){
            (int32_t)(word(&state) % CORNERS), (int32_t)(word(&state) % (CORNERS + 9)) - 9,
            (int32_t)(word(&state) % CORNERS), (int32_t)(word(&state) % CORNERS)};
        s->edge[e].d1 = s->edge[e].d1 < 0 ? -1 : s->edge[e].d1;
        s->list[e] = EDGES - 1 - e;
    }
    s->map =
        (struct tw_polymap){.cells = CORNERS, .corners = CORNERS, .edges = EDGES, .edge = s->edge};
    size_t cells = (size_t)width * (size_t)(rows + 1);
    s->numbers = malloc(cells * sizeof *s->numbers);
    memset(s->numbers, TW_POLYMAP_NONE & 0xFF, cells * sizeof *s->numbers);
    for (int k = 0; k < PLANES; k++)
        s->cells[k] = calloc(cells, sizeof(float));
}

static void release(struct scene *s)
{
    free(s->numbers);
    for (int k = 0; k < PLANES; k++)
        free(s->cells[k]);
}

static int64_t turn(const int32_t *a, const int32_t *b, const int64_t *at)
{
    return (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
}

/* The triangle that a cell takes, and its values there. */
static int32_t plain_cell(const struct scene *s, int32_t x, int32_t y, float *values)
{
    const int64_t at[] = {(int64_t)x * TW_POLYMAP_STEPS + TW_POLYMAP_STEPS / 2,
                          (int64_t)y * TW_POLYMAP_STEPS + TW_POLYMAP_STEPS / 2};
    for (int32_t t = 0; t < 2 * EDGES; t++) {
        const struct tw_polymap_edge *e = &s->edge[t / 2];
        int32_t d = t % 2 ? e->d1 : e->d0, from = t % 2 ? e->v1 : e->v0;
        int32_t to = t % 2 ? e->v0 : e->v1;
        if (d < 0)
            continue;
        const int32_t *a = s->centre[d], *b = s->corner[from], *c = s->corner[to];
        int64_t area = turn(a, b, (const int64_t[]){c[0], c[1]});
        int64_t w_to = turn(a, b, at), w_from = turn(c, a, at), w = turn(b, c, at);
        if (area <= 0 || w_to < 0 || w_from < 0 || w < 0)
            continue;
        double share = (double)w / (double)area, share_from = (double)w_from / (double)area;
        double share_to = (double)w_to / (double)area;
        for (int k = 0; k < PLANES; k++)
            values[k] = (float)(share * (double)s->centres[k][d] +
                                share_from * (double)s->corners[k][from] +
                                share_to * (double)s->corners[k][to]);
        return t;
    }
    memset(values, 0, PLANES * sizeof *values);
    return TW_POLYMAP_NONE;
}

static void fill(struct scene *s, enum tw_simd simd, int planes)
{
    struct tw_polymap_raster cover = {.map = &s->map,
                                      .plane_count = planes,
                                      .width = s->width,
                                      .height = s->rows + 1,
                                      .corner = s->corner,
                                      .centre = s->centre};
    for (int k = 0; k < planes; k++)
        cover.planes[k] = (struct tw_polymap_plane){s->corners[k], s->centres[k], s->cells[k]};
    tw_polymap_fill(&cover, simd,
                    &(struct tw_polymap_batch){s->list, EDGES, 1, s->rows + 1, s->numbers});
}

static void check(uint64_t seed, int32_t width, int32_t rows, int32_t reach)
{
    for (int simd = TW_SIMD_BASE; simd <= (int)tw_cpu_simd(); simd++) {
        struct scene s;
        int planes = (int)(seed % (PLANES + 1));
        draw(seed, width, rows, reach, &s);
        fill(&s, (enum tw_simd)simd, planes);
        for (int32_t i = 0; i < width * rows; i++) {
            float values[PLANES];
            assert_int_equal(s.numbers[i], plain_cell(&s, i % width, 1 + i / width, values));
            for (int k = 0; k < planes; k++)
                assert_memory_equal(&s.cells[k][i + width], &values[k], sizeof(float));
        }
        release(&s);
    }
}

static void small_maps(void **state)
{
    (void)state;
    for (int32_t width = 1; width < 14; width++)
        for (uint64_t seed = 0; seed < 8; seed++)
            check(seed, width, 1 + (int32_t)seed, 9);
    for (uint64_t seed = 0; seed < 4; seed++)
        check(seed, 67, 5, 8);
}

/* Sides and areas above 2^53, which a double does not hold: to 2^60. */
static void the_largest_triangles(void **state)
{
    (void)state;
    check(3, 65535, 1, 65536);
    check(1, 9001, 3, 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_maps),
        cmocka_unit_test(the_largest_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
