/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/characteristics.h"

#include "common/ground_maps.h"

#include <float.h>
#include <math.h>

/* The least part of a step that counts in times: a wave stays in rock that nothing wears for a
 * million ages, so that sums of times keep their digits. */
#define LEAST_PART 1e-6

struct tw_wave_visit {
    int32_t cell, depth;
    int32_t from; /* direction from the receiver */
};

bool tw_characteristics_lay_out(struct tw_scratch *s, struct tw_characteristics *c)
{
    uint64_t width = (uint64_t)tw_scratch_width(s), height = (uint64_t)tw_scratch_height(s);
    uint64_t cells = width * height, usual = 4 * (width + height);
    usual = usual < cells ? usual : cells;
    c->way = tw_scratch_reserve(s, cells, sizeof *c->way, usual);
    c->visits = tw_scratch_reserve(s, cells, sizeof *c->visits, usual);
    return tw_scratch_is_laid(s);
}

/* Returns the part of the step up to a cell that a wave crosses in the age: a t / L. */
static double part_crossed(const struct tw_characteristics *c, int32_t cell, double length,
                           double width)
{
    double area = (double)c->area[cell] / (width * width);
    double speed = c->K * (c->m == 0.5 ? sqrt(area) : tw_pow(area, c->m));
    if (c->hillslope > 0)
        speed += c->hillslope / 1.4 * tw_pow(area, -0.6);
    double soft = c->hardness ? (double)tw_softness(c->hardness[cell]) : 1;
    return speed * soft * c->age / length;
}

/* Returns the first place of the way that a wave reaches later than `tau`. */
static int32_t find_place(const struct tw_wave_place *way, int32_t depth, double tau)
{
    int32_t low = 0, high = depth;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (way[middle].tau <= tau)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Returns the height at place `depth` of the way, whose last step takes less than the age: that of
 * the place where the wave was at age 0, raised by what rose since. */
static double height_from_below(const struct tw_characteristics *c, int32_t depth)
{
    const struct tw_wave_place *way = c->way, *here = &way[depth];
    double left = here->tau - c->age;
    if (left <= 0)
        return (double)way[0].start + here->risen;
    const struct tw_wave_place *above = &way[find_place(way, depth, left)], *below = above - 1;
    double share = (left - below->tau) / (above->tau - below->tau);
    double start = (double)below->start + share * ((double)above->start - (double)below->start);
    return start + here->risen - (below->risen + share * (above->risen - below->risen));
}

/* Returns a height of 1 to 16 floats above the receiver's, by the cell. Rivers that fall
 * everywhere, if by that little, leave no level ground; since some cells lie much higher than
 * others, rivers wind round them across a filled hollow, where even steps would give straight ones.
 */
static float least_height(int32_t cell, float base)
{
    float share = tw_uniform(tw_random(0, (uint32_t)cell, 0, 0, 0).at[0]);
    uint32_t floats = 1 + (uint32_t)(15 * share * share);
    uint32_t key = tw_float_key(base + 0.0f), most = tw_float_key(FLT_MAX); /* -0 becomes 0 */
    return tw_key_float(key < most - floats ? key + floats : most);
}

/* Keeps the slope of length L down to the receiver above 0 and within the talus, which hard ground
 * exceeds. */
static float limit_slope(const struct tw_characteristics *c, int32_t cell, double z, float base,
                         double length)
{
    double most = (double)base + c->talus * length;
    double soft = c->hardness ? (double)tw_softness(c->hardness[cell]) : 1;
    z = z > most ? z - soft * (z - most) : z;
    return (float)z > base ? (float)z : least_height(cell, base);
}

static void visit(const struct tw_characteristics *c, const struct tw_drainage *d,
                  const struct tw_wave_visit *at, float *z)
{
    struct tw_wave_place *here = &c->way[at->depth];
    float now = z[at->cell];
    if (at->depth == 0) {
        *here = (struct tw_wave_place){.start = now, .now = now};
        return;
    }
    const struct tw_wave_place *below = here - 1;
    bool straight = at->from == 1 || at->from == 3 || at->from == 4 || at->from == 6;
    double length = (straight ? 1 : 1.4142135623730951) / d->width;
    double part = part_crossed(c, at->cell, length, (double)d->width);
    double rate = c->uplift_rate * (c->uplift ? (double)c->uplift[at->cell] : 1);
    double time = c->age / (part > LEAST_PART ? part : LEAST_PART);
    here->tau = below->tau + time;
    here->risen = below->risen + rate * time;
    here->start = c->start[at->cell];
    double fall = (double)here->start - (double)below->start;
    double height = part <= 1 ? (double)here->start - part * fall + rate * c->age
                              : height_from_below(c, at->depth);
    height = (double)now + c->own * (height - (double)now);
    here->now = limit_slope(c, at->cell, height, below->now, length);
    z[at->cell] = here->now;
}

/* Appends the donors of a visited cell to the stack; returns its new length. */
static int32_t push_donors(const struct tw_characteristics *c, const struct tw_drainage *d,
                           struct tw_wave_visit at, int32_t length)
{
    for (unsigned bits = d->from[at.cell]; bits; bits &= bits - 1) {
        int32_t k = __builtin_ctz(bits);
        c->visits[length++] =
            (struct tw_wave_visit){tw_drainage_neighbour(d, at.cell, k), at.depth + 1, k};
    }
    return length;
}

enum tw_status tw_characteristics_step(struct tw_task *task, const struct tw_characteristics *c,
                                       const struct tw_drainage *d, float *z)
{
    for (int32_t root = 0; root < d->cells; root++) {
        if (root % d->width == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        if (d->to[root] != TW_OUTLET)
            continue;
        int32_t length = 1;
        c->visits[0] = (struct tw_wave_visit){root, 0, 0};
        while (length > 0) {
            struct tw_wave_visit at = c->visits[--length];
            visit(c, d, &at, z);
            length = push_donors(c, d, at, length);
        }
    }
    return TW_OK;
}
