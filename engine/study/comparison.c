/* SPDX-License-Identifier: MIT */
#include "study/comparison.h"

#include <thalweg/kernel.h>

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 32 };

static size_t cells_of(const struct tw_comparison *c)
{
    return (size_t)c->experiment->run_count * (size_t)c->experiment->measure_count;
}

enum tw_status tw_comparison_create(const struct tw_experiment *e, struct tw_comparison *c,
                                    struct tw_error *err)
{
    size_t variants = (size_t)e->run_count;
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
    free(c->times);
    *c = (struct tw_comparison){0};
}

/* ---- which samples are kept ---- */

int32_t tw_samples_limit(const struct tw_experiment *e)
{
    int64_t cells = (int64_t)e->run_count * e->measure_count;
    int64_t seeds = TW_SAMPLES_KEPT_MAX / (cells > 0 ? cells : 1);
    seeds = seeds > TW_SEEDS_KEPT_MIN ? seeds : TW_SEEDS_KEPT_MIN;
    return (int32_t)(seeds < TW_SEEDS_KEPT_MAX ? seeds : TW_SEEDS_KEPT_MAX);
}

/* Whether a seed survives so many halvings: each tosses a coin of the seed. */
static bool survives(uint64_t seed, int32_t halvings)
{
    const uint64_t coins = 0x6b65707473656564; /* a random stream of its own */
    struct tw_random4 words = tw_random(coins, (uint32_t)seed, (uint32_t)(seed >> 32), 0, 0);
    uint32_t mask = ((uint32_t)1 << halvings) - 1;
    return (words.at[0] & mask) == 0;
}

/* Drops about half of the kept seeds; keeps the order. */
static void halve(struct tw_comparison *c)
{
    size_t cells = cells_of(c);
    int32_t count = 0;
    c->halvings++;
    for (int32_t i = 0; i < c->count; i++) {
        if (!survives(c->seeds[i], c->halvings))
            continue;
        c->seeds[count] = c->seeds[i];
        for (size_t cell = 0; cell < cells; cell++) {
            double *samples = c->samples + cell * (size_t)c->capacity;
            samples[count] = samples[i];
        }
        count++;
    }
    c->count = count;
}

/* Doubles the capacity of seeds; each cell's samples stay contiguous. */
static bool grow(struct tw_comparison *c)
{
    int32_t capacity = c->capacity > 0 ? 2 * c->capacity : FIRST_CAPACITY;
    int32_t limit = tw_samples_limit(c->experiment);
    capacity = capacity < limit ? capacity : limit;
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

/* Decides whether to keep a seed, and makes room for it; false if memory runs out. */
static bool make_room(struct tw_comparison *c, uint64_t seed, bool *keep)
{
    while (c->count == tw_samples_limit(c->experiment))
        halve(c);
    *keep = survives(seed, c->halvings);
    return !*keep || c->count < c->capacity || grow(c);
}

enum tw_status tw_comparison_add(struct tw_comparison *c, uint64_t seed, const double *samples,
                                 const double *seconds, struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    bool keep;
    if (!make_room(c, seed, &keep))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t v = 0; v < e->run_count; v++) {
        tw_running_add(&c->seconds[v], seconds[v]);
        for (int32_t m = 0; m < e->measure_count; m++) {
            size_t cell = tw_cell_of(c, v, m);
            tw_running_add(&c->sums[cell], samples[cell]);
            if (e->baseline >= 0)
                tw_running_add(&c->differences[cell],
                               samples[cell] -
                                   samples[tw_cell_of(c, tw_experiment_baseline(e, v), m)]);
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
