/* SPDX-License-Identifier: MIT */
#include "measure/kernels/balance.h"

#include "common/rising_land/incision_law.h"

enum { GRAIN = 16 };

struct balance {
    const struct tw_rising_land *land;
    struct tw_flow_lines_steps steps;
    double dt;
    float *rate;
};

/* dt K A^m S^n: what a river takes from the cell. */
static double river_takes(const struct balance *b, int32_t cell)
{
    const struct tw_flow_lines *f = &b->land->lines;
    int facet = f->facet[cell];
    if (facet == TW_FLOW_LINES_NONE)
        return 0;
    const float corner = f->corner[cell];
    struct tw_receivers to = tw_flow_lines_receivers(f, &b->steps, cell, facet);
    const double drop = (double)(b->land->z[cell] - tw_incision_base(b->land->z, to, corner));
    const double power = (double)tw_incision_power(&b->land->incision, b->land->area[cell]);
    if (!(drop > 0))
        return 0;
    const double square = 1 + (double)(corner * corner), n = b->land->incision.n;
    return n == 1 ? power * (drop / sqrt(square))
                  : power * tw_pow(drop, n) / tw_incision_length(square, n);
}

/* What creeps to cell i of a line whose cells are `stride` apart, by the diffusivities of its two
 * sides; on a ring the ends are neighbours. */
static double creeps_along(const struct tw_adi_line *line, const float *z, int32_t i, size_t stride,
                           bool ring)
{
    const int32_t last = line->last - 1;
    const float *here = z + (size_t)i * stride;
    const float *before = i > 0 ? here - stride : ring ? z + (size_t)last * stride : here;
    const float *after = i < last || line->first > 0 ? here + stride : ring ? z : here;
    return (double)line->a[i] * (double)(*before - *here) +
           (double)line->a[i + 1] * (double)(*after - *here);
}

/* dt D lap z; what creeps into a river leaves with it. */
static double creeps_in(const struct balance *b, int32_t x, int32_t y)
{
    const struct tw_rising_land *s = b->land;
    const size_t width = (size_t)s->d.width, cell = (size_t)y * width + (size_t)x;
    if (!s->creeps)
        return 0;
    const double gain = creeps_along(&s->creep.across, b->land->z + cell - x, x, 1, s->d.wrap) +
                        creeps_along(&s->creep.along, b->land->z + x, y, width, s->d.wrap);
    return s->area[cell] >= s->channel && gain > 0 ? 0 : gain;
}

static void rate_rows(void *context, int32_t begin, int32_t end)
{
    const struct balance *b = context;
    const int32_t width = b->land->d.width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x++) {
            const int32_t cell = y * width + x;
            b->rate[cell] = b->land->outlet[cell]
                                ? 0
                                : (float)((river_takes(b, cell) - creeps_in(b, x, y)) / b->dt);
        }
}

void tw_balance_rates(struct tw_task *task, const struct tw_rising_land *land, double dt,
                      float *rate)
{
    struct balance b = {land, tw_flow_lines_steps(&land->d), dt, rate};
    tw_rows(task, land->d.height, GRAIN, rate_rows, &b);
}
