/* SPDX-License-Identifier: MIT */
/* Steepness is computed twice, for the mean and for the deviation from it, which takes less than a
 * map of it to write and read. A sum along a row waits for each of its additions: those of ROWS
 * rows side by side do not wait for each other. */
#include "common/steepness.h"

#include "common/pack_ones.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { ROWS = 8, CHUNK = 64 };

struct measuring {
    const float *heights;
    const struct tw_gentle *gentle; /* NULL in the second pass, which takes the deviation */
    double *sums;                   /* of rows */
    double mean;
    int32_t width, height;
    bool wrap;
    enum tw_simd simd;
};

/* CHUNK columns of a row, whose neighbours begin one column before and end one after. A neighbour
 * that there is not is the cell itself. */
struct strip {
    const float *up, *down;
    float here[CHUNK + 2];
};

static void find_strip(const struct measuring *m, int32_t y, int32_t x, int32_t n, struct strip *s)
{
    size_t w = (size_t)m->width;
    size_t above = (size_t)(y ? y - 1 : m->wrap ? m->height - 1 : 0);
    size_t below = (size_t)(y + 1 < m->height ? y + 1 : m->wrap ? 0 : y);
    int32_t east = x + n < m->width ? x + n : m->wrap ? 0 : m->width - 1;
    const float *row = m->heights + (size_t)y * w;
    s->up = m->heights + above * w + (size_t)x;
    s->down = m->heights + below * w + (size_t)x;
    s->here[0] = row[x ? x - 1 : m->wrap ? m->width - 1 : 0];
    memcpy(s->here + 1, row + x, (size_t)n * sizeof *row);
    s->here[n + 1] = row[east];
}

static TW_INLINE void find_steepness(const struct strip *s, int32_t n, float *steepness)
{
    for (int32_t i = 0; i < n; i++) {
        float here = s->here[i + 1];
        float across = tw_max(fabsf(here - s->here[i]), fabsf(here - s->here[i + 2]));
        float along = tw_max(fabsf(here - s->up[i]), fabsf(here - s->down[i]));
        steepness[i] = tw_max(across, along);
    }
}

static TW_INLINE uint64_t find_gentle(const float *steepness, int32_t n, float limit)
{
    uint8_t ones[CHUNK] = {0};
    for (int32_t i = 0; i < n; i++)
        ones[i] = steepness[i] < limit;
    return tw_pack_ones(ones);
}

/* What is added up of a row's cells from x to x + n - 1. */
static TW_INLINE void find_terms_body(const struct measuring *m, const struct strip *s, int32_t n,
                                      uint64_t *gentle, double *terms)
{
    float steepness[CHUNK];
    find_steepness(s, n, steepness);
    if (gentle) {
        for (int k = 0; k < TW_STEEPNESS_LIMITS; k++)
            gentle[k] = find_gentle(steepness, n, m->gentle[k].limit);
        for (int32_t i = 0; i < n; i++)
            terms[i] = (double)steepness[i];
        return;
    }
    for (int32_t i = 0; i < n; i++)
        terms[i] = ((double)steepness[i] - m->mean) * ((double)steepness[i] - m->mean);
}
TW_SIMD_KERNEL(find_terms,
               (const struct measuring *m, const struct strip *s, int32_t n, uint64_t *gentle,
                double *terms),
               (m, s, n, gentle, terms))

static void measure_chunk(const struct measuring *m, int32_t y, int32_t x, int32_t n, double *terms)
{
    struct strip strip;
    uint64_t gentle[TW_STEEPNESS_LIMITS] = {0};
    find_strip(m, y, x, n, &strip);
    find_terms(m->simd)(m, &strip, n, m->gentle ? gentle : NULL, terms);
    for (int k = 0; m->gentle && k < TW_STEEPNESS_LIMITS; k++)
        tw_bitmap_row(m->gentle[k].cells, y)[x / CHUNK] = gentle[k];
}

/* ROWS rows, of which those beyond the map's end are its last. */
static void measure_group(const struct measuring *m, int32_t first)
{
    double terms[ROWS][CHUNK], sums[ROWS] = {0};
    for (int32_t x = 0, n; x < m->width; x += n) {
        n = m->width - x < CHUNK ? m->width - x : CHUNK;
        for (int32_t k = 0; k < ROWS; k++)
            measure_chunk(m, first + k < m->height ? first + k : m->height - 1, x, n, terms[k]);
        for (int32_t i = 0; i < n; i++)
            for (int32_t k = 0; k < ROWS; k++)
                sums[k] += terms[k][i];
    }
    for (int32_t k = 0; k < ROWS && first + k < m->height; k++)
        m->sums[first + k] = sums[k];
}

static void measure_groups(void *context, int32_t begin, int32_t end)
{
    for (int32_t group = begin; group < end; group++)
        measure_group(context, group * ROWS);
}

static double find_mean(struct tw_task *task, struct measuring *m)
{
    double sum = 0;
    tw_rows(task, (m->height - 1) / ROWS + 1, 2, measure_groups, m);
    for (int32_t y = 0; y < m->height; y++)
        sum += m->sums[y];
    return sum / (double)((size_t)m->width * (size_t)m->height);
}

enum tw_status tw_steepness_measure(struct tw_task *task, const float *heights,
                                    const struct tw_gentle gentle[TW_STEEPNESS_LIMITS],
                                    struct tw_steepness *result)
{
    struct measuring m = {.heights = heights,
                          .gentle = gentle,
                          .width = tw_task_width(task),
                          .height = tw_task_height(task),
                          .wrap = gentle[0].cells->wrap,
                          .simd = tw_task_simd(task)};
    m.sums = tw_task_scratch(task, (size_t)m.height, sizeof *m.sums);
    if (!m.sums)
        return tw_task_no_memory(task);
    m.mean = find_mean(task, &m);
    m.gentle = NULL;
    *result = (struct tw_steepness){m.mean, sqrt(find_mean(task, &m))};
    return TW_OK;
}

void tw_steepness_forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof(double));
}
