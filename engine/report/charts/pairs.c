/* SPDX-License-Identifier: MIT */
#include "report/charts/chart.h"

#include <inttypes.h>

enum { WIDTH = 236, HEIGHT = 210, TOP = 12, BOTTOM = 176, LEFT = 52, A = 76, B = 212 };

void tw_chart_range(const struct tw_comparison *c, const struct tw_choice *choice, int32_t measure,
                    double *low, double *high)
{
    for (int32_t k = 0; k < choice->count; k++) {
        struct tw_summary s = tw_comparison_summary(c, choice->at[k], measure);
        *low = k == 0 || s.least < *low ? s.least : *low;
        *high = k == 0 || s.greatest > *high ? s.greatest : *high;
    }
}

static const char *style_of(double difference, int goal)
{
    bool up = difference > 0;
    if (difference == 0)
        return "unshown";
    if (goal == 0)
        return up ? "higher" : "lower";
    return up == (goal > 0) ? "better" : "worse";
}

static void put_pair(FILE *out, const struct tw_scale *scale, uint64_t seed, double a, double b,
                     int goal, int run)
{
    double ya = tw_scale_at(scale, a), yb = tw_scale_at(scale, b);
    fprintf(out,
            "<g class=\"%s\" data-run=\"%d\" data-seed=\"%" PRIu64 "\"><title>seed %" PRIu64
            ": %.4g, then %.4g</title>",
            style_of(b - a, goal), run, seed, seed, a, b);
    fprintf(
        out,
        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke-opacity=\".45\"/>"
        "<circle cx=\"%d\" cy=\"%.1f\" r=\"2.6\"/><circle cx=\"%d\" cy=\"%.1f\" r=\"2.6\"/></g>\n",
        A, ya, B, yb, A, ya, B, yb);
}

void tw_chart_pairs(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure,
                    double low, double high)
{
    const struct tw_experiment *e = c->experiment;
    const double *a = tw_samples(c, e->baseline, measure), *b = tw_samples(c, variant, measure);
    struct tw_scale scale = tw_scale_fit(low, high, BOTTOM, TOP, 5);
    int32_t shown = c->count < TW_PAIR_LINES_MAX ? c->count : TW_PAIR_LINES_MAX, up = 0, down = 0;
    for (int32_t i = 0; i < c->count; i++) {
        up += b[i] > a[i];
        down += b[i] < a[i];
    }
    tw_svg_begin(out, WIDTH, HEIGHT, "%s of %s and of %s: %d of %d seeds higher, %d lower",
                 e->measures[measure].name, e->variants[e->baseline].name,
                 e->variants[variant].name, (int)up, (int)c->count, (int)down);
    tw_svg_ticks_left(out, &scale, LEFT, WIDTH - 8);
    for (int32_t i = 0; i < shown; i++)
        put_pair(out, &scale, c->seeds[i], a[i], b[i], e->measures[measure].goal,
                 (int)(e->first_run + variant));
    tw_svg_name(out, A, BOTTOM + 20, TW_MIDDLE, 14, e->variants[e->baseline].name);
    tw_svg_name(out, WIDTH - 4, BOTTOM + 20, TW_END, 17, e->variants[variant].name);
    tw_svg_end(out);
}
