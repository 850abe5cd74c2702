/* SPDX-License-Identifier: MIT */
#include "compare/comparison.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 32 };

static size_t cells_of(const struct tw_comparison *c)
{
    return (size_t)c->experiment->variant_count * (size_t)c->experiment->measure_count;
}

enum tw_status tw_comparison_create(const struct tw_experiment *e, struct tw_comparison *c,
                                    struct tw_error *err)
{
    size_t variants = (size_t)e->variant_count;
    size_t cells = variants * (size_t)e->measure_count;
    *c = (struct tw_comparison){
        .experiment = e,
        .sums = calloc(cells, sizeof *c->sums),
        .differences = calloc(cells, sizeof *c->differences),
        .seconds = calloc(variants, sizeof *c->seconds),
        .pairs = calloc(cells, sizeof *c->pairs),
    };
    bool ok = c->sums && c->differences && c->seconds && c->pairs;
    return ok ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

void tw_comparison_release(struct tw_comparison *c)
{
    free(c->seeds);
    free(c->samples);
    free(c->sums);
    free(c->differences);
    free(c->seconds);
    free(c->pairs);
    *c = (struct tw_comparison){0};
}

/* Room for twice as many seeds; each cell's samples stay together. */
static bool grow(struct tw_comparison *c)
{
    int32_t capacity = c->capacity > 0 ? 2 * c->capacity : FIRST_CAPACITY;
    capacity = capacity < TW_SAMPLES_KEPT ? capacity : TW_SAMPLES_KEPT;
    size_t cells = cells_of(c), size = sizeof(double) * (size_t)capacity;
    uint64_t *seeds = realloc(c->seeds, (size_t)capacity * sizeof *seeds);
    c->seeds = seeds ? seeds : c->seeds;
    double *samples = seeds && cells <= SIZE_MAX / size ? malloc(cells * size) : NULL;
    if (!samples)
        return false;
    for (size_t i = 0; i < cells && c->count > 0; i++)
        memcpy(samples + i * (size_t)capacity, c->samples + i * (size_t)c->capacity,
               (size_t)c->count * sizeof *samples);
    free(c->samples);
    c->samples = samples;
    c->capacity = capacity;
    return true;
}

enum tw_status tw_comparison_add(struct tw_comparison *c, uint64_t seed, const double *samples,
                                 const double *seconds, struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    bool keep = c->count < TW_SAMPLES_KEPT;
    if (keep && c->count == c->capacity && !grow(c))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t v = 0; v < e->variant_count; v++) {
        tw_running_add(&c->seconds[v], seconds[v]);
        for (int32_t m = 0; m < e->measure_count; m++) {
            size_t cell = tw_cell_of(c, v, m);
            tw_running_add(&c->sums[cell], samples[cell]);
            if (e->baseline >= 0)
                tw_running_add(&c->differences[cell],
                               samples[cell] - samples[tw_cell_of(c, e->baseline, m)]);
            if (keep)
                tw_samples(c, v, m)[c->count] = samples[cell];
        }
    }
    if (keep)
        c->seeds[c->count++] = seed;
    c->total++;
    return TW_OK;
}

struct tw_summary tw_comparison_summary(const struct tw_comparison *c, int32_t variant,
                                        int32_t measure)
{
    return tw_running_summary(&c->sums[tw_cell_of(c, variant, measure)]);
}

struct tw_summary tw_comparison_difference(const struct tw_comparison *c, int32_t variant,
                                           int32_t measure)
{
    return tw_running_summary(&c->differences[tw_cell_of(c, variant, measure)]);
}
