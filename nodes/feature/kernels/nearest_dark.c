/* SPDX-License-Identifier: MIT */
/* A pass goes row by row, in bands that follow each other: within a band rows are taken a piece at
 * a time, each a cell short of the row before it, whose next cell it needs. The second pass is the
 * first one with rows and cells in reverse order. */
#include "feature/kernels/nearest_dark.h"

#include <thalweg/simd.h>

enum { BAND = 32, PIECE = 128, AHEAD = 2 }; /* rows; columns; pieces behind the band before */
#define FAR 1e18                            /* no dark cell so far: longer than any path */
#define DIAGONAL ((double)1.41421356f)

struct pass {
    struct tw_task *task;
    const float *mask;
    double *length;
    int32_t *nearest;
    int32_t width, height;
    bool back;
    enum tw_simd simd;
};

/* Row y, counted in the direction of the pass, as its cells are: `step` apart in memory. */
struct row {
    const struct pass *pass;
    double *length;
    int32_t *nearest;
    int32_t y, step, ahead; /* ahead: from a cell to that of the row before */
};

static struct row row_of(const struct pass *p, int32_t y)
{
    int32_t step = p->back ? -1 : 1;
    size_t first = (size_t)y * (size_t)p->width;
    if (p->back)
        first = (size_t)p->width * (size_t)p->height - 1 - first;
    return (struct row){p, p->length + first, p->nearest + first, y, step, -step * p->width};
}

/* Whether a way is shorter than another, or as short and to an earlier cell. */
static TW_INLINE bool is_better(double length, int32_t cell, double than, int32_t than_cell)
{
    return (length < than) | ((length == than) & (cell < than_cell));
}

static TW_INLINE void start_cells(const struct row *row, int32_t begin, int32_t end)
{
    const struct pass *p = row->pass;
    int32_t first = row->y * p->width;
    for (int32_t x = begin; x < end; x++) {
        row->length[x] = p->mask[first + x] < 0.5f ? 0 : FAR;
        row->nearest[x] = first + x;
    }
}

/* Ways through the row before, by the cell `across` from the one that is nearest. */
static TW_INLINE void come_down(const struct row *row, int32_t begin, int32_t end, int32_t across,
                                double way, int32_t step)
{
    int32_t width = row->pass->width;
    double *restrict length = row->length;
    int32_t *restrict nearest = row->nearest;
    const double *restrict lengths = row->length + row->ahead + across * step;
    const int32_t *restrict cells = row->nearest + row->ahead + across * step;
    begin = begin + across < 0 ? 1 : begin;
    end = end + across > width ? width - 1 : end;
    TW_INDEPENDENT
    for (int32_t x = begin; x < end; x++) {
        double found = lengths[x * step] + way, old = length[x * step];
        int32_t cell = cells[x * step], old_cell = nearest[x * step];
        bool better = is_better(found, cell, old, old_cell);
        length[x * step] = better ? found : old;
        nearest[x * step] = better ? cell : old_cell;
    }
}

static TW_INLINE void go_along(const struct row *row, int32_t begin, int32_t end, int32_t step)
{
    double length = begin > 0 ? row->length[(begin - 1) * step] : FAR;
    int32_t cell = begin > 0 ? row->nearest[(begin - 1) * step] : 0;
    for (int32_t x = begin; x < end; x++) {
        double here = row->length[x * step];
        int32_t near = row->nearest[x * step];
        length += 1;
        if (is_better(here, near, length, cell)) {
            length = here;
            cell = near;
        }
        row->length[x * step] = length;
        row->nearest[x * step] = cell;
    }
}

static TW_INLINE void pass_piece(const struct row *row, int32_t begin, int32_t end, int32_t step)
{
    for (int32_t across = -1; across <= 1 && row->y > 0; across++)
        come_down(row, begin, end, across, across ? DIAGONAL : 1, step);
    go_along(row, begin, end, step);
}

static TW_INLINE void run_piece_body(const struct row *row, int32_t begin, int32_t end)
{
    if (row->pass->back) {
        pass_piece(row, begin, end, -1);
    } else {
        start_cells(row, begin, end);
        pass_piece(row, begin, end, 1);
    }
}
TW_SIMD_KERNEL(run_piece, (const struct row *row, int32_t begin, int32_t end), (row, begin, end))

static void run_band(void *context, struct tw_relay *relay, int32_t leg)
{
    const struct pass *p = context;
    int32_t first = leg * BAND, left = p->height - first, rows = left < BAND ? left : BAND;
    int32_t pieces = (p->width + BAND - 2) / PIECE + 1;
    bool stopped = tw_task_cancelled(p->task);
    for (int32_t k = 0; k < pieces; k++) {
        if (leg > 0)
            tw_relay_wait(relay, leg - 1, k + AHEAD < pieces ? k + AHEAD : pieces);
        for (int32_t i = 0; i < rows && !stopped; i++) {
            int32_t begin = k * PIECE - i, end = begin + PIECE;
            struct row row = row_of(p, first + i);
            begin = begin > 0 ? begin : 0;
            end = end < p->width ? end : p->width;
            if (begin < end)
                run_piece(p->simd)(&row, begin, end);
        }
        tw_relay_reach(relay, leg, k + 1);
    }
}

enum tw_status tw_nearest_dark_find(struct tw_task *task, const float *mask, double *length,
                                    int32_t *nearest)
{
    struct pass pass = {.task = task,
                        .mask = mask,
                        .length = length,
                        .nearest = nearest,
                        .width = tw_task_width(task),
                        .height = tw_task_height(task),
                        .simd = tw_task_simd(task)};
    int32_t bands = (pass.height - 1) / BAND + 1, together = pass.width / (AHEAD * PIECE) + 1;
    for (int i = 0; i < 2; i++, pass.back = true)
        tw_relay_run(task, bands, together, run_band, &pass);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}
