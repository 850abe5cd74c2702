/* SPDX-License-Identifier: MIT */
#include "study/statistics/indices.h"

#include "base/text/number.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdlib.h>

enum { RESAMPLES = 1000 };

static const uint64_t draws_key = 0x736f626f6c; /* a random stream of its own */

static double centre_of(const struct tw_index_rows *rows)
{
    double mean = 0;
    for (int32_t r = 0; r < rows->count; r++) {
        const double *row = rows->values + (size_t)r * (size_t)(rows->arguments + 2);
        mean += ((row[0] + row[1]) / 2 - mean) / (r + 1);
    }
    return mean;
}

/* Variance of A and B together over the rows that `picked` names; NULL: over all. */
static double variance_of(const struct tw_index_rows *rows, const int32_t *picked, double centre)
{
    double sum = 0, squares = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        size_t r = (size_t)(picked ? picked[i] : i);
        const double *row = rows->values + r * (size_t)(rows->arguments + 2);
        double a = row[0] - centre, b = row[1] - centre;
        sum += a + b;
        squares += a * a + b * b;
    }
    double count = 2.0 * rows->count, mean = sum / count;
    return squares / count - mean * mean;
}

/* Half the mean squared distance of a column from A (0) or from B (1). */
static double half_square(const struct tw_index_rows *rows, const int32_t *picked, int32_t from,
                          int32_t column)
{
    double sum = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        size_t r = (size_t)(picked ? picked[i] : i);
        const double *row = rows->values + r * (size_t)(rows->arguments + 2);
        double distance = row[column] - row[from];
        sum += distance * distance;
    }
    return sum / (2.0 * rows->count);
}

static double first_of(const struct tw_index_rows *rows, const int32_t *picked, int32_t argument,
                       double variance)
{
    return 1 - half_square(rows, picked, 1, tw_index_column(argument)) / variance;
}

static double total_of(const struct tw_index_rows *rows, const int32_t *picked, int32_t argument,
                       double variance)
{
    return half_square(rows, picked, 0, tw_index_column(argument)) / variance;
}

/* Draws as many rows as there are, with repetition. */
static void pick(int32_t resample, int32_t count, int32_t *picked)
{
    for (int32_t i = 0; i < count; i++) {
        uint64_t word = tw_random(draws_key, (uint32_t)resample, (uint32_t)i, 0, 0).at[0];
        picked[i] = (int32_t)(word * (uint64_t)count >> 32);
    }
}

/* The quantile of sorted numbers, between the two nearest. */
static double quantile(const double *sorted, int32_t count, double share)
{
    double at = share * (count - 1);
    int32_t below = (int32_t)at;
    double above = sorted[below + 1 < count ? below + 1 : below];
    return sorted[below] + (at - below) * (above - sorted[below]);
}

static void find_interval(double *estimates, int32_t count, double *low, double *high)
{
    qsort(estimates, (size_t)count, sizeof *estimates, tw_number_compare);
    *low = count > 0 ? quantile(estimates, count, 0.025) : NAN;
    *high = count > 0 ? quantile(estimates, count, 0.975) : NAN;
}

/* `estimates` holds RESAMPLES numbers per argument and order, `picked` a number per row. */
static void find_intervals(const struct tw_index_rows *rows, double centre, double *estimates,
                           int32_t *picked, struct tw_index *indices)
{
    int32_t count = 0;
    for (int32_t s = 0; s < RESAMPLES; s++) {
        pick(s, rows->count, picked);
        double variance = variance_of(rows, picked, centre);
        if (!(variance > 0)) /* few rows, and only equal ones picked */
            continue;
        for (int32_t a = 0; a < rows->arguments; a++) {
            double *own = estimates + (size_t)a * 2 * RESAMPLES;
            own[count] = first_of(rows, picked, a, variance);
            own[RESAMPLES + count] = total_of(rows, picked, a, variance);
        }
        count++;
    }
    for (int32_t a = 0; a < rows->arguments; a++) {
        double *own = estimates + (size_t)a * 2 * RESAMPLES;
        find_interval(own, count, &indices[a].first_low, &indices[a].first_high);
        find_interval(own + RESAMPLES, count, &indices[a].total_low, &indices[a].total_high);
    }
}

bool tw_indices_find(const struct tw_index_rows *rows, struct tw_index *indices)
{
    double centre = centre_of(rows), variance = variance_of(rows, NULL, centre);
    for (int32_t a = 0; a < rows->arguments; a++)
        indices[a] = (struct tw_index){NAN, NAN, NAN, NAN, NAN, NAN};
    if (!(variance > 0))
        return true;
    double *estimates = calloc((size_t)rows->arguments * 2 * RESAMPLES, sizeof *estimates);
    int32_t *picked = calloc((size_t)rows->count, sizeof *picked);
    bool ok = estimates && picked;
    if (ok)
        find_intervals(rows, centre, estimates, picked, indices);
    for (int32_t a = 0; ok && a < rows->arguments; a++) {
        indices[a].first = first_of(rows, NULL, a, variance);
        indices[a].total = total_of(rows, NULL, a, variance);
    }
    free(estimates);
    free(picked);
    return ok;
}
