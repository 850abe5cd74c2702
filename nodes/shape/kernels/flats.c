/* SPDX-License-Identifier: MIT */
#include "shape/kernels/flats.h"

#include <math.h>

bool tw_flats_lay_out(struct tw_scratch *s, struct tw_flats *f)
{
    f->width = tw_scratch_width(s);
    f->height = tw_scratch_height(s);
    f->first = tw_scratch_maps(s, 1, sizeof *f->first);
    f->area = tw_scratch_maps(s, 1, sizeof *f->area);
    f->edges = tw_scratch_maps(s, 1, sizeof *f->edges);
    f->jumps = tw_scratch_maps(s, 1, sizeof *f->jumps);
    return tw_scratch_is_laid(s);
}

int32_t tw_flats_beside(const struct tw_flats *f, int32_t cell, int k, bool *beyond)
{
    int32_t w = f->width, h = f->height;
    int32_t x = cell % w + (k == 1) - (k == 0), y = cell / w + (k == 3) - (k == 2);
    *beyond = x < 0 || y < 0 || x == w || y == h;
    if (!*beyond)
        return y * w + x;
    return f->wrap ? (y + h) % h * w + (x + w) % w : -1;
}

static int32_t first_of(int32_t *first, int32_t cell)
{
    while (first[cell] != cell) {
        first[cell] = first[first[cell]];
        cell = first[cell];
    }
    return cell;
}

static void join(struct tw_flats *f, int32_t a, int32_t b)
{
    a = first_of(f->first, a);
    b = first_of(f->first, b);
    f->first[a > b ? a : b] = a > b ? b : a;
}

static void join_cells(struct tw_flats *f, int32_t cell)
{
    bool beyond;
    for (int k = 1; k < 4; k += 2) {
        int32_t next = tw_flats_beside(f, cell, k, &beyond);
        if (next >= 0 && f->heights[next] == f->heights[cell] && !tw_flats_keep(f, next))
            join(f, cell, next);
    }
}

void tw_flats_find(struct tw_task *task, struct tw_flats *f)
{
    int32_t cells = f->width * f->height;
    bool beyond;
    for (int32_t i = 0; i < cells; i++) {
        f->first[i] = i;
        f->area[i] = f->edges[i] = 0;
        f->jumps[i] = 0;
    }
    for (int32_t i = 0; i < cells; i++) {
        if (i % (1 << 16) == 0 && tw_task_cancelled(task))
            return;
        if (!tw_flats_keep(f, i))
            join_cells(f, i);
    }
    for (int32_t i = 0; i < cells; i++) {
        int32_t first = f->first[i] = first_of(f->first, i);
        f->area[first]++;
        for (int k = 0; k < 4; k++) {
            int32_t next = tw_flats_beside(f, i, k, &beyond);
            float jump = next < 0 ? 0 : fabsf(f->heights[next] - f->heights[i]);
            f->edges[first] += jump > 0;
            f->jumps[first] += jump;
        }
    }
}
