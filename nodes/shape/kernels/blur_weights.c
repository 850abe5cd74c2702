/* SPDX-License-Identifier: MIT */
#include "shape/kernels/blur_weights.h"

#include <thalweg/kernel.h>

/* Turns `from`, a cell's weights over the output of a box, into `to`, its weights over the line
 * that the box takes. */
static void through_box(const struct tw_box *box, int32_t length, const double *from, double *to)
{
    memset(to, 0, (size_t)length * sizeof *to);
    for (int32_t i = 0; i < length; i++)
        for (int32_t k = -box->radius - 1; k <= box->radius + 1 && from[i] > 0; k++) {
            const double weight = k < -box->radius || k > box->radius ? box->alpha : 1;
            to[tw_clamp_index(i + k, length)] += from[i] * weight * box->scale;
        }
}

static void find_window(const struct tw_box *box, const struct tw_blur_line *line, int32_t cell,
                        double *window)
{
    double a[TW_BLUR_TAPS_MAX] = {0}, b[TW_BLUR_TAPS_MAX];
    a[cell] = 1;
    through_box(box, line->kinds, a, b);
    through_box(box, line->kinds, b, a);
    through_box(box, line->kinds, a, b);
    for (int32_t k = -line->reach; k <= line->reach; k++)
        window[k + line->reach] = cell + k >= 0 && cell + k < line->kinds ? b[cell + k] : 0;
}

struct tw_box tw_blur_box(double sigma)
{
    return tw_box_of_variance(sigma * sigma / TW_BLUR_PASSES);
}

struct tw_blur_line tw_blur_line_of(const struct tw_box *box, int32_t length, bool wrap)
{
    struct tw_blur_line line = {.length = length, .reach = tw_blur_box_reach(box), .wrap = wrap};
    const int32_t taps = 2 * line.reach + 1;
    line.kinds = length < taps && !wrap ? length : taps;
    for (int32_t kind = 0; kind < line.kinds; kind++)
        if (!wrap || kind == line.reach)
            find_window(box, &line, kind, line.windows[kind]);
    return line;
}

bool tw_blur_is_even(const struct tw_blur_line *line, int32_t cell)
{
    return line->wrap || (cell >= line->reach && cell < line->length - line->reach);
}

const double *tw_blur_window(const struct tw_blur_line *line, int32_t cell)
{
    const int32_t from_end = line->length - cell;
    if (tw_blur_is_even(line, cell))
        return line->windows[line->reach];
    return line->windows[cell < line->reach ? cell : line->kinds - from_end];
}
