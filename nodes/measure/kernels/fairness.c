/* SPDX-License-Identifier: MIT */
#include "measure/kernels/fairness.h"

#include <math.h>

bool tw_nearest_lay_out(struct tw_scratch *s, struct tw_nearest *n)
{
    n->best = tw_scratch_maps(s, 1, sizeof *n->best);
    n->second = tw_scratch_maps(s, 1, sizeof *n->second);
    n->who = tw_scratch_maps(s, 1, sizeof *n->who);
    return tw_scratch_is_laid(s);
}

void tw_nearest_clear(const struct tw_unit_ground *g, const struct tw_nearest *n)
{
    for (int32_t i = 0; i < g->width * g->height; i++) {
        n->best[i] = n->second[i] = (double)INFINITY;
        n->who[i] = 0;
    }
}

void tw_nearest_add(const struct tw_unit_ground *g, int32_t start, const struct tw_nearest *n)
{
    const double *length = g->heap.cost;
    for (int32_t i = 0; i < g->width * g->height; i++) {
        if (length[i] < n->best[i]) {
            n->second[i] = n->best[i];
            n->best[i] = length[i];
            n->who[i] = start + 1;
        } else if (length[i] < n->second[i]) {
            n->second[i] = length[i];
        }
    }
}

double tw_safety(const struct tw_nearest *n, int32_t place)
{
    if (n->who[place] == 0)
        return 0;
    if (n->second[place] == (double)INFINITY)
        return 1;
    double sum = n->second[place] + n->best[place];
    return sum > 0 ? (n->second[place] - n->best[place]) / sum : 0;
}

/* Places at most so many steps away; the queue is sorted by steps. */
static int32_t count_within(const struct tw_flood *flood, int32_t steps)
{
    int32_t low = 0, high = flood->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (flood->steps[flood->queue[middle]] <= steps)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double tw_explore(const struct tw_flood *flood, const int32_t *starts, int32_t count, int32_t self)
{
    double sum = 0;
    for (int32_t j = 0; j < count; j++) {
        int32_t steps = flood->steps[starts[j]];
        if (j != self)
            sum += steps < 0 ? flood->count : count_within(flood, steps);
    }
    return count > 1 ? sum / (count - 1) : flood->count;
}

double tw_balance(const double *values, int32_t count)
{
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++) {
            double greatest = values[i] > values[j] ? values[i] : values[j];
            sum += greatest > 0 ? fabs(values[i] - values[j]) / greatest : 0;
        }
    return count > 1 ? 1 - sum / (0.5 * count * (count - 1)) : 1;
}
