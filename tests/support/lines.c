/* SPDX-License-Identifier: MIT */
#include "support/lines.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = LINES_SIZE, HALF_WINDOW = 8, BORDER = 12, PERIOD_MIN = 8, PERIOD_MAX = N / 4 };

/* SplitMix64. */
static double uniform(uint64_t *state)
{
    uint64_t v = *state += 0x9E3779B97F4A7C15u;
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return (double)((v ^ (v >> 31)) >> 11) * 0x1p-53;
}

/* In place, radix 2, N values `stride` apart; not normalised. */
static void transform(double complex *at, size_t stride)
{
    for (int i = 1, j = 0; i < N; i++) {
        int bit = N >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex kept = at[(size_t)i * stride];
            at[(size_t)i * stride] = at[(size_t)j * stride];
            at[(size_t)j * stride] = kept;
        }
    }
    for (int length = 2; length <= N; length *= 2)
        for (int k = 0; k < length / 2; k++) {
            double angle = 2 * acos(-1) * k / length;
            double complex twiddle = cos(angle) + I * sin(angle);
            for (int i = k; i < N; i += length) {
                double complex *a = at + (size_t)i * stride, *b = a + (size_t)(length / 2) * stride;
                double complex even = *a, odd = *b * twiddle;
                *a = even + odd;
                *b = even - odd;
            }
        }
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float quantile(const float *cells, double share)
{
    float *sorted = malloc(sizeof *sorted * N * N);
    memcpy(sorted, cells, sizeof *sorted * N * N);
    qsort(sorted, (size_t)N * N, sizeof *sorted, compare);
    float found = sorted[(size_t)(share * (N * N - 1))];
    free(sorted);
    return found;
}

static void rescale(float *cells)
{
    float low = cells[0], high = cells[0];
    for (int i = 1; i < N * N; i++) {
        low = fminf(low, cells[i]);
        high = fmaxf(high, cells[i]);
    }
    for (int i = 0; i < N * N; i++)
        cells[i] = (cells[i] - low) / (high - low);
}

/* Noise with amplitudes f^-slope exp(-(f / cutoff)^2 / 2), f in waves per side; 0..1. */
static void spectral(double slope, double cutoff, uint64_t seed, float *cells)
{
    double complex *at = malloc(sizeof *at * N * N);
    uint64_t state = seed;
    for (int i = 0; i < N * N; i++) {
        double u = (double)((i % N + N / 2) % N - N / 2), v = (double)((i / N + N / 2) % N - N / 2);
        double f = sqrt(u * u + v * v), phase = 2 * acos(-1) * uniform(&state);
        double radius = sqrt(-2 * log(1 - uniform(&state)));
        double amplitude = f > 0 ? pow(f, -slope) * exp(-f * f / (2 * cutoff * cutoff)) : 0;
        at[i] = amplitude * radius * (cos(phase) + I * sin(phase));
    }
    for (size_t i = 0; i < N; i++)
        transform(at + i * N, 1);
    for (size_t i = 0; i < N; i++)
        transform(at + i, N);
    for (int i = 0; i < N * N; i++)
        cells[i] = (float)creal(at[i]);
    free(at);
    rescale(cells);
}

static void make_terrain(enum lines_input input, uint64_t seed, float *cells)
{
    if (input == LINES_MOUNTAINS) {
        spectral(1.9, 1e9, 2 * seed + 1, cells);
        return;
    }
    float *detail = malloc(sizeof *detail * N * N);
    spectral(1.9, 24, 2 * seed + 1, cells);
    spectral(1, 1e9, 2 * seed + 2, detail);
    float flat = quantile(cells, 0.4);
    for (int i = 0; i < N * N; i++)
        cells[i] = 0.25f * ((cells[i] > flat ? cells[i] - flat : 0) + 0.02f * detail[i]);
    free(detail);
}

/* Tests use the same few maps repeatedly, and making one takes longer than most erosions of it. */
void lines_terrain(enum lines_input input, uint64_t seed, float *cells)
{
    static float *kept[LINES_INPUTS][LINES_SEEDS];
    float *fresh = seed < LINES_SEEDS ? kept[input][seed] : NULL;
    if (!fresh) {
        make_terrain(input, seed, cells);
        if (seed >= LINES_SEEDS)
            return;
        fresh = kept[input][seed] = malloc(sizeof *fresh * N * N);
        memcpy(fresh, cells, sizeof *fresh * N * N);
    }
    memcpy(cells, fresh, sizeof *cells * N * N);
}

static float cell(const float *cells, bool columns, int line, int at)
{
    return columns ? cells[at * N + line] : cells[line * N + at];
}

static double roughness(const float *cells, int kind, int line)
{
    bool columns = kind & 1, along = kind & 2;
    double sum = 0;
    for (int i = 1; i < N - 1; i++) {
        float a = along ? cell(cells, columns, line, i - 1) : cell(cells, columns, line - 1, i);
        float b = along ? cell(cells, columns, line, i + 1) : cell(cells, columns, line + 1, i);
        sum += fabs((double)a - 2 * (double)cell(cells, columns, line, i) + (double)b);
    }
    return sum / (N - 2);
}

void lines_add(struct lines_profile *profile, const float *cells)
{
    for (int kind = 0; kind < 4; kind++) {
        double logarithm[N];
        for (int i = 1; i < N - 1; i++)
            logarithm[i] = log(roughness(cells, kind, i) + 1e-12);
        for (int i = BORDER; i < N - BORDER; i++) {
            double mean = 0;
            for (int k = -HALF_WINDOW; k <= HALF_WINDOW; k++)
                mean += logarithm[i + k] / (2 * HALF_WINDOW + 1);
            profile->residual[kind][i] += logarithm[i] - mean;
        }
    }
    profile->maps++;
}

static double deviation(const double *residual)
{
    double sum = 0, squares = 0, count = N - 2 * BORDER;
    for (int i = BORDER; i < N - BORDER; i++) {
        sum += residual[i];
        squares += residual[i] * residual[i];
    }
    return sqrt(squares / count - sum / count * sum / count);
}

/* Next period: all up to about an eighth of the lines, then that of a single line. */
static int next_period(int period) { return period == PERIOD_MAX ? N : period + 1; }

struct lines_family lines_find(const struct lines_profile *profile)
{
    static const char *const names[4] = {"rows, across", "columns, across", "rows, along",
                                         "columns, along"};
    struct lines_family found = {0};
    for (int kind = 0; kind < 4; kind++) {
        const double *residual = profile->residual[kind];
        double scatter = deviation(residual);
        for (int period = PERIOD_MIN; period <= N; period = next_period(period))
            for (int phase = 0; phase < period; phase++) {
                double sum = 0, count = 0;
                for (int i = phase; i < N - BORDER; i += period)
                    if (i >= BORDER) {
                        sum += residual[i];
                        count++;
                    }
                if (count == 0)
                    continue;
                double excess = sum / count / profile->maps;
                double z = scatter > 0 ? sum / count / scatter * sqrt(count) : 0;
                bool shows = fabs(excess) > 0.05 && fabs(z) > 7;
                bool more = shows == found.shows ? fabs(z) > fabs(found.z) : shows;
                if (more)
                    found = (struct lines_family){shows, names[kind], period, phase, excess, z};
            }
    }
    return found;
}
