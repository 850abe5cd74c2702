/* SPDX-License-Identifier: MIT */
/* Charts of a comparison, each one <svg>. */
#ifndef TW_ENGINE_REPORT_CHARTS_CHART_H
#define TW_ENGINE_REPORT_CHARTS_CHART_H

#include "report/charts/svg.h"
#include "report/verdict/choice.h"
#include "study/front.h"

#include <thalweg/realism.h>

enum { TW_CHART_WIDTH = 360 }; /* px: a phone shows it unscaled, a screen three in a row */

/* Finds the least and the greatest sample of a measure over the chosen variants. */
void tw_chart_range(const struct tw_comparison *c, const struct tw_choice *choice, int32_t measure,
                    double *low, double *high);

enum { TW_PAIR_LINES_MAX = 200 }; /* more lines cannot be told apart */
/* chart_pairs.c: for each seed a dot of the baseline and one of the variant, joined by a line; only
 * the first seeds if there are too many. `low` and `high` as in other charts of the measure. */
void tw_chart_pairs(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure,
                    double low, double high);

/* chart_rows.c: one row per variant. The forest shows intervals of paired differences around a zero
 * line; the spread shows quartiles and, with many seeds, one dot per tw_chart_dot_step() of them.
 */
void tw_chart_forest(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                     int32_t measure);
int32_t tw_chart_dot_step(int32_t seeds);
void tw_chart_spread(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                     int32_t measure);

/* chart_times.c: bars of seconds, one row per variant: the time that its nodes took over all seeds,
 * or medians of separate runs, from c->times. */
void tw_chart_times(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice);
enum tw_clock { TW_CLOCK_WALL, TW_CLOCK_PROCESSOR };
void tw_chart_medians(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                      enum tw_clock clock);

/* chart_curves.c: lines over numbers. */
enum tw_series_style { TW_SERIES_BOTH, TW_SERIES_DOTS, TW_SERIES_LINE };
struct tw_series {
    const char *name;
    const double *x, *y;
    const double *half; /* half widths of y's intervals; NULL: none */
    int32_t count;
    enum tw_series_style style;
};
enum { TW_SERIES_MAX = 6 }; /* as many as page.css has colours */

/* `title` names what is shown, `across` the x axis. */
void tw_chart_curves(FILE *out, const char *title, const char *across,
                     const struct tw_series *series, int32_t count);
/* Shares of cells by bins: x is the start of a bin, y its share. */
void tw_chart_steps(FILE *out, const char *title, const char *across,
                    const struct tw_series *series, int32_t count, double width);
/* Legend: the line of each name. */
void tw_chart_key(FILE *out, const char *const *names, int32_t count);

/* Legend of a chart whose lines differ in colour only. */
void tw_chart_key_of_colours(FILE *out, const char *const *names, int32_t count);

/* chart_bands.c: where numbers lie in their bands, which go from -1 to 1. */
struct tw_placed {
    double mean, low, high;
    char words[80]; /* shown where one points at it */
};
struct tw_band_chart {
    const char *title;
    const char *names[TW_REALISM_COUNT];
    int32_t count, series; /* rows; values of each */
    struct tw_placed values[TW_REALISM_COUNT][TW_SERIES_MAX];
};
void tw_chart_bands(FILE *out, const struct tw_band_chart *bands);

/* chart_heat.c: values[row * columns + column]; NaN: no value. */
struct tw_heat {
    const char *title, *across, *down;
    const double *x, *y; /* the parameters' values */
    int32_t columns, rows;
    const double *values;
    double low, high; /* at the ends of the colour scale, which adjacent charts share */
};
void tw_chart_heat(FILE *out, const struct tw_heat *heat);

/* chart_scatter.c: means of one measure over another, a dot that page.js opens per variant or
 * trial; a line joins the front. */
struct tw_scatter {
    const char *title, *across, *up;
    const struct tw_front_set *front;
    double signs[2];   /* of the front's coordinates: -1 where less is better */
    const char *group; /* what numbers of runs begin with: "" for variants, "t" for trials */
    int32_t first_run; /* added to the front's numbers */
    int32_t best;      /* a number of the front that is drawn larger; -1: none */
};
void tw_chart_scatter(FILE *out, const struct tw_scatter *scatter);

/* chart_points.c: named points, such as mu* against sigma of Morris' screening. On the dashed line
 * both are equal. */
enum { TW_POINTS_MAX = 32 };
struct tw_points {
    const char *title, *across, *up;
    const char *names[TW_POINTS_MAX];
    double x[TW_POINTS_MAX], y[TW_POINTS_MAX]; /* at least 0 */
    int32_t count;
};
void tw_chart_points(FILE *out, const struct tw_points *points);

#endif
