/* SPDX-License-Identifier: MIT */
#include "study/statistics/adjusted.h"

#include "study/statistics/distributions.h"
#include "study/statistics/paired.h"

#include <math.h>

/* Sums over pairs; u is the difference of x, m the pair's mean of x, v the difference of y. */
struct sums {
    double u, m, v;    /* means */
    double uu, um, mm; /* squares and products of distances from the means */
    double uv, mv, vv;
    double largest; /* square of u, not from the mean */
};

static double u_of(const struct tw_adjusted_samples *s, int32_t i) { return s->x1[i] - s->x0[i]; }

static double m_of(const struct tw_adjusted_samples *s, int32_t i)
{
    return s->x0[i] + (s->x1[i] - s->x0[i]) / 2;
}

static double v_of(const struct tw_adjusted_samples *s, int32_t i) { return s->y1[i] - s->y0[i]; }

static struct sums sum_up(const struct tw_adjusted_samples *s)
{
    struct sums t = {0};
    for (int32_t i = 0; i < s->count; i++) {
        t.u += u_of(s, i) / s->count;
        t.m += m_of(s, i) / s->count;
        t.v += v_of(s, i) / s->count;
    }
    for (int32_t i = 0; i < s->count; i++) {
        double u = u_of(s, i) - t.u, m = m_of(s, i) - t.m, v = v_of(s, i) - t.v;
        t.uu += u * u;
        t.um += u * m;
        t.mm += m * m;
        t.uv += u * v;
        t.mv += m * v;
        t.vv += v * v;
        double a = s->x0[i] * s->x0[i], b = s->x1[i] * s->x1[i], larger = a > b ? a : b;
        t.largest = larger > t.largest ? larger : t.largest;
    }
    return t;
}

/* Root of the mean square that the line leaves, with the term in m if `steeper` is not 0. */
static double deviation(const struct tw_adjusted_samples *s, const struct sums *t, double slope,
                        double steeper, int32_t degrees)
{
    double rest = 0;
    for (int32_t i = 0; i < s->count; i++) {
        double off =
            v_of(s, i) - t->v - slope * (u_of(s, i) - t->u) - steeper * (m_of(s, i) - t->m);
        rest += off * off;
    }
    return sqrt(rest / degrees);
}

static void find_line(const struct tw_adjusted_samples *s, const struct sums *t,
                      struct tw_adjusted *a)
{
    const int32_t degrees = s->count - 2;
    a->slope = t->uv / t->uu;
    a->difference = t->v - a->slope * t->u;
    double scale = tw_student_quantile(degrees) * deviation(s, t, a->slope, 0, degrees);
    double half = scale * sqrt(1.0 / s->count + t->u * t->u / t->uu);
    a->low = a->difference - half;
    a->high = a->difference + half;
    a->slope_low = a->slope - scale / sqrt(t->uu);
    a->slope_high = a->slope + scale / sqrt(t->uu);
}

/* `own` is what is left of the squares of m once those of u are taken out. */
static void find_steeper(const struct tw_adjusted_samples *s, const struct sums *t, double own,
                         struct tw_adjusted *a)
{
    const int32_t degrees = s->count - 3;
    a->steeper = (t->mv - t->um / t->uu * t->uv) / own;
    double slope = (t->uv - a->steeper * t->um) / t->uu;
    double half =
        tw_student_quantile(degrees) * deviation(s, t, slope, a->steeper, degrees) / sqrt(own);
    a->steeper_low = a->steeper - half;
    a->steeper_high = a->steeper + half;
    bool is_rounding = fabs(a->steeper) * sqrt(own) <= 1e-9 * sqrt(t->vv);
    a->is_parallel = is_rounding || (a->steeper_low <= 0 && a->steeper_high >= 0);
}

bool tw_adjusted_find(const struct tw_adjusted_samples *s, struct tw_adjusted *adjusted)
{
    const double rounding = 1e-12; /* of squares: maps are floats, whose means vary by 1e-7 */
    if (s->count < TW_PAIRS_MIN)
        return false;
    struct sums t = sum_up(s);
    double none = rounding * t.largest * s->count;
    double own = t.uu > none ? t.mm - t.um / t.uu * t.um : 0;
    if (!(t.uu > none) || !(own > none) || !(own > 1e-10 * t.mm))
        return false;
    struct tw_adjusted found = {0};
    find_line(s, &t, &found);
    find_steeper(s, &t, own, &found);
    bool has_lower = false, has_higher = false;
    for (int32_t i = 0; i < s->count; i++) {
        has_lower |= u_of(s, i) <= 0;
        has_higher |= u_of(s, i) >= 0;
    }
    found.is_inside = has_lower && has_higher;
    if (!isfinite(found.low) || !isfinite(found.high) || !isfinite(found.steeper_low) ||
        !isfinite(found.steeper_high))
        return false;
    *adjusted = found;
    return true;
}
