/* SPDX-License-Identifier: MIT */
/* The numbers of measure.realism by their definitions, in double and one cell after the other:
 * a heap for the water, all cells sorted for the summits, qsort for quantiles. */
#ifndef TW_TESTS_REFERENCE_REALISM_H
#define TW_TESTS_REFERENCE_REALISM_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct realism_map {
    int w, h;
    bool wrap;
    const double *z;
    const unsigned char *counts; /* NULL: all cells do */
};

struct realism_numbers {
    double cells, hollows, upside, theta, scatter, branching, crests, fine, steep, prominence;
    double peaks;
};

static inline double *realism_doubles(const struct realism_map *m)
{
    return calloc((size_t)(m->w * m->h), sizeof(double));
}

static inline bool realism_counts(const struct realism_map *m, int cell)
{
    return !m->counts || m->counts[cell];
}

/* -1 beyond a closed border. */
static inline int realism_at(const struct realism_map *m, int x, int y)
{
    if (m->wrap)
        return (y + m->h) % m->h * m->w + (x + m->w) % m->w;
    return x < 0 || y < 0 || x >= m->w || y >= m->h ? -1 : y * m->w + x;
}

static inline int realism_near(const struct realism_map *m, int cell, int k)
{
    return realism_at(m, cell % m->w + k % 3 - 1, cell / m->w + k / 3 - 1);
}

static inline int realism_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sorts the numbers. */
static inline double realism_quantile(double *all, int count, double p)
{
    qsort(all, (size_t)count, sizeof *all, realism_order);
    double place = p * (count - 1);
    int low = (int)place;
    return low + 1 < count ? all[low] + (all[low + 1] - all[low]) * (place - low) : all[low];
}

/* ---- water ---- */

struct realism_flood {
    const struct realism_map *m;
    const double *z;
    double *level; /* F */
    int *from, *order, *heap;
    int count, length;
};

static inline bool realism_lower(const struct realism_flood *f, int a, int b)
{
    return f->level[a] < f->level[b] || (f->level[a] == f->level[b] && a < b);
}

static inline void realism_push(struct realism_flood *f, int cell, int from)
{
    int at = f->length++;
    f->level[cell] = from >= 0 ? fmax(f->z[cell], f->level[from]) : f->z[cell];
    f->from[cell] = from;
    for (; at > 0 && realism_lower(f, cell, f->heap[(at - 1) / 2]); at = (at - 1) / 2)
        f->heap[at] = f->heap[(at - 1) / 2];
    f->heap[at] = cell;
}

static inline int realism_pop(struct realism_flood *f)
{
    int top = f->heap[0], moved = f->heap[--f->length], at = 0;
    for (int child = 1; child < f->length; child = 2 * at + 1) {
        child += child + 1 < f->length && realism_lower(f, f->heap[child + 1], f->heap[child]);
        if (!realism_lower(f, f->heap[child], moved))
            break;
        f->heap[at] = f->heap[child];
        at = child;
    }
    f->heap[at] = moved;
    return top;
}

static inline bool realism_outlet(const struct realism_flood *f, int cell, double lowest)
{
    int x = cell % f->m->w, y = cell / f->m->w;
    bool border = x == 0 || y == 0 || x == f->m->w - 1 || y == f->m->h - 1;
    return f->m->wrap ? f->z[cell] == lowest : border;
}

/* From outlets inwards; outlets come from -1. */
static inline struct realism_flood realism_flood(const struct realism_map *m, const double *z)
{
    int cells = m->w * m->h;
    size_t size = (size_t)cells * sizeof(int);
    struct realism_flood f = {.m = m, .z = z, .level = realism_doubles(m), .from = malloc(size)};
    double lowest = z[0];
    f.order = malloc(size);
    f.heap = malloc(size);
    for (int i = 0; i < cells; i++) {
        lowest = fmin(lowest, z[i]);
        f.from[i] = -2;
    }
    for (int i = 0; i < cells; i++)
        if (realism_outlet(&f, i, lowest))
            realism_push(&f, i, -1);
    while (f.length > 0) {
        int cell = realism_pop(&f);
        f.order[f.count++] = cell;
        for (int k = 0; k < 9; k++) {
            int next = realism_near(m, cell, k);
            if (next >= 0 && f.from[next] == -2)
                realism_push(&f, next, cell);
        }
    }
    return f;
}

static inline void realism_drain(struct realism_flood *f)
{
    free(f->level);
    free(f->from);
    free(f->order);
    free(f->heap);
}

static inline double realism_hollows(const struct realism_flood *f, double cells)
{
    int lakes = 0;
    for (int i = 0; i < f->m->w * f->m->h; i++)
        lakes += f->level[i] > f->z[i] && realism_counts(f->m, i);
    return lakes / cells;
}

/* S; f->from becomes the receiver. */
static inline double realism_steepest(struct realism_flood *f, int cell)
{
    double most = 0;
    for (int k = 0; f->from[cell] >= 0 && k < 9; k++) {
        int next = realism_near(f->m, cell, k);
        double slope = next < 0 ? 0 : (f->level[cell] - f->level[next]) / (k % 2 ? 1 : sqrt(2));
        if (slope > most) {
            most = slope;
            f->from[cell] = next;
        }
    }
    return most;
}

/* log2 S of the octave's cells; their number. */
static inline int realism_octave(const struct realism_flood *f, const double *slopes,
                                 const double *areas, int octave, double *logs)
{
    int count = 0;
    for (int i = 0; i < f->m->w * f->m->h; i++)
        if (realism_counts(f->m, i) && f->level[i] == f->z[i] && slopes[i] > 0 &&
            areas[i] >= ldexp(1, octave) && areas[i] < ldexp(2, octave))
            logs[count++] = log2(slopes[i]);
    return count;
}

static inline void realism_fit(const struct realism_flood *f, const double *slopes,
                               const double *areas, struct realism_numbers *n)
{
    double *logs = realism_doubles(f->m), sx = 0, sy = 0, sxx = 0, sxy = 0, found = 0;
    for (int octave = 2; octave <= 9; octave++) {
        int count = realism_octave(f, slopes, areas, octave, logs);
        if (count < 30)
            continue;
        double x = octave + 0.5, y = realism_quantile(logs, count, 0.5);
        n->scatter += realism_quantile(logs, count, 0.75) - realism_quantile(logs, count, 0.25);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        found++;
    }
    n->scatter = found > 0 ? n->scatter / found : 0;
    n->theta = found > 1 ? -(found * sxy - sx * sy) / (found * sxx - sx * sx) : 0;
    free(logs);
}

static inline void realism_rivers(struct realism_flood *f, struct realism_numbers *n)
{
    int cells = f->m->w * f->m->h;
    double *areas = realism_doubles(f->m), *slopes = realism_doubles(f->m), n16 = 0, n256 = 0;
    for (int i = 0; i < cells; i++) {
        slopes[i] = realism_steepest(f, i);
        areas[i] = 1;
    }
    for (int i = cells - 1; i >= 0; i--)
        if (f->from[f->order[i]] >= 0)
            areas[f->from[f->order[i]]] += areas[f->order[i]];
    for (int i = 0; i < cells; i++) {
        bool dry = realism_counts(f->m, i) && f->level[i] == f->z[i];
        n16 += dry && areas[i] >= 16;
        n256 += dry && areas[i] >= 256;
    }
    n->branching = log(fmax(1, n16) / fmax(1, n256)) / log(16);
    realism_fit(f, slopes, areas, n);
    free(areas);
    free(slopes);
}

/* ---- forms ---- */

/* The cell at a distance along x or y; beyond a closed border the border's. */
static inline int realism_along(const struct realism_map *m, int cell, int step, bool down)
{
    int x = cell % m->w + (down ? 0 : step), y = cell / m->w + (down ? step : 0);
    if (!m->wrap) {
        x = x < 0 ? 0 : x >= m->w ? m->w - 1 : x;
        y = y < 0 ? 0 : y >= m->h ? m->h - 1 : y;
    }
    return realism_at(m, x, y);
}

static inline double *realism_blur(const struct realism_map *m, const double *z, bool down)
{
    double *to = realism_doubles(m), all = 0;
    for (int k = -4; k <= 4; k++)
        all += exp(-0.5 * k * k);
    for (int i = 0; i < m->w * m->h; i++)
        for (int k = -4; k <= 4; k++)
            to[i] += exp(-0.5 * k * k) / all * z[realism_along(m, i, k, down)];
    return to;
}

static inline double realism_crests(const struct realism_map *m, double relief)
{
    double *across = realism_blur(m, m->z, false), *g = realism_blur(m, across, true);
    double *all = realism_doubles(m);
    int count = 0;
    for (int i = 0; i < m->w * m->h; i++) {
        int n = realism_near(m, i, 1), w = realism_near(m, i, 3), e = realism_near(m, i, 5);
        int s = realism_near(m, i, 7);
        if (n >= 0 && w >= 0 && e >= 0 && s >= 0 && realism_counts(m, i))
            all[count++] = g[n] + g[w] + g[e] + g[s] - 4 * g[i];
    }
    double low = count ? realism_quantile(all, count, 0.05) : 0;
    double high = count ? realism_quantile(all, count, 0.95) : 0;
    double middle = count ? realism_quantile(all, count, 0.5) : 0;
    free(across);
    free(g);
    free(all);
    return high - low <= 1e-9 * relief ? 0 : (high + low - 2 * middle) / (high - low);
}

static inline double realism_roughness(const struct realism_map *m, int step)
{
    double sum = 0, count = 0;
    for (int i = 0; i < m->w * m->h; i++)
        for (int down = 0; down < 2 && realism_counts(m, i); down++) {
            int x = i % m->w, y = i / m->w;
            int a = realism_at(m, x - (down ? 0 : step), y - (down ? step : 0));
            int b = realism_at(m, x + (down ? 0 : step), y + (down ? step : 0));
            if (a < 0 || b < 0)
                continue;
            sum += pow(m->z[a] - 2 * m->z[i] + m->z[b], 2);
            count++;
        }
    return count > 0 ? sum / count : 0;
}

static inline double realism_fine(const struct realism_map *m, double relief)
{
    double one = realism_roughness(m, 1), four = realism_roughness(m, 4);
    return one <= pow(1e-9 * relief, 2) ? 0 : 0.5 * log(four / one) / log(4);
}

static inline double realism_slope(const struct realism_map *m, int cell, bool down)
{
    int a = realism_along(m, cell, -1, down), b = realism_along(m, cell, 1, down);
    return (m->z[b] - m->z[a]) / (a == cell || b == cell ? 1 : 2);
}

static inline double realism_steep(const struct realism_map *m)
{
    double *all = realism_doubles(m);
    int count = 0;
    for (int i = 0; i < m->w * m->h; i++)
        if (realism_counts(m, i))
            all[count++] = hypot(realism_slope(m, i, false), realism_slope(m, i, true));
    double middle = count ? realism_quantile(all, count, 0.5) : 0;
    double high = count ? realism_quantile(all, count, 0.95) : 0;
    free(all);
    return middle == 0 ? 0 : high / middle;
}

/* ---- summits ---- */

struct realism_height {
    double z;
    int cell;
};

static inline int realism_higher(const void *a, const void *b)
{
    const struct realism_height *p = a, *q = b;
    return p->z > q->z ? -1 : p->z < q->z ? 1 : p->cell - q->cell;
}

static inline int realism_summit(int *above, int cell)
{
    while (above[cell] != cell)
        cell = above[cell] = above[above[cell]];
    return cell;
}

/* Summits with at least so many percent of the relief. Cells from high to low; `above` leads to a
 * cell of the same ground that is higher, `rank` says how high it is. */
static inline void realism_summits(const struct realism_map *m, double relief, double *n1,
                                   double *n4)
{
    int cells = m->w * m->h;
    int *above = malloc(sizeof *above * (size_t)cells),
        *rank = malloc(sizeof *rank * (size_t)cells);
    struct realism_height *all = malloc(sizeof *all * (size_t)cells);
    for (int i = 0; i < cells; i++)
        all[i] = (struct realism_height){m->z[i], i};
    qsort(all, (size_t)cells, sizeof *all, realism_higher);
    for (int i = 0; i < cells; i++)
        rank[all[i].cell] = i;
    for (int i = 0; i < cells; i++) {
        int cell = all[i].cell;
        above[cell] = cell;
        for (int k = 0; k < 9; k++) {
            int next = realism_near(m, cell, k);
            if (next < 0 || rank[next] >= i)
                continue;
            int a = realism_summit(above, cell), b = realism_summit(above, next);
            int low = rank[a] > rank[b] ? a : b;
            above[low] = low == a ? b : a;
            double drop = m->z[low] - m->z[cell];
            *n1 += a != b && realism_counts(m, low) && 100 * drop >= relief;
            *n4 += a != b && realism_counts(m, low) && 100 * drop >= 4 * relief;
        }
    }
    *n1 += realism_counts(m, all[0].cell);
    *n4 += realism_counts(m, all[0].cell);
    free(above);
    free(rank);
    free(all);
}

/* ---- all of them ---- */

static inline double realism_relief(const struct realism_map *m, double *cells)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < m->w * m->h; i++)
        if (realism_counts(m, i)) {
            low = fmin(low, m->z[i]);
            high = fmax(high, m->z[i]);
            ++*cells;
        }
    return high > low ? high - low : 0;
}

static inline struct realism_numbers realism_reference(const struct realism_map *m)
{
    struct realism_numbers n = {0};
    double relief = realism_relief(m, &n.cells), *down = realism_doubles(m), n1 = 0, n4 = 0;
    if (relief > 0) {
        struct realism_flood land = realism_flood(m, m->z);
        for (int i = 0; i < m->w * m->h; i++)
            down[i] = -m->z[i];
        struct realism_flood turned = realism_flood(m, down);
        n.hollows = realism_hollows(&land, n.cells);
        n.upside = log((realism_hollows(&turned, n.cells) + 0.001) / (n.hollows + 0.001));
        realism_rivers(&land, &n);
        realism_drain(&land);
        realism_drain(&turned);
        n.crests = realism_crests(m, relief);
        n.fine = realism_fine(m, relief);
        n.steep = realism_steep(m);
        realism_summits(m, relief, &n1, &n4);
        n.prominence = log((n1 + 1) / (n4 + 1)) / log(4);
        n.peaks = 10000 * n1 / n.cells;
    }
    free(down);
    return n;
}

#endif
