/* SPDX-License-Identifier: MIT */
/* Charts of a comparison, each one <svg>. */
#ifndef TW_ENGINE_REPORT_CHART_H
#define TW_ENGINE_REPORT_CHART_H

#include "report/choice.h"
#include "report/svg.h"

/* The least and the greatest sample of a measure over the chosen variants. */
void tw_chart_range(const struct tw_comparison *c, const struct tw_choice *choice, int32_t measure,
                    double *low, double *high);

enum { TW_PAIR_LINES_MAX = 200 }; /* that still can be told apart */
/* chart_pairs.c: a dot for each seed of the baseline and one of the variant, joined, of the first
 * seeds where there are more; `low` and `high` as other charts of the measure have them. */
void tw_chart_pairs(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure,
                    double low, double high);

/* chart_rows.c: one row per variant. Intervals of the paired differences on a line that has a zero;
 * quartiles and a dot for so many seeds. */
void tw_chart_forest(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                     int32_t measure);
int32_t tw_chart_dot_step(int32_t seeds);
void tw_chart_spread(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                     int32_t measure);

/* chart_times.c: bars of seconds, one row per variant. Of what nodes took with every seed; medians
 * of runs by themselves, which c->times has. */
void tw_chart_times(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice);
enum tw_clock { TW_CLOCK_WALL, TW_CLOCK_PROCESSOR };
void tw_chart_medians(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                      enum tw_clock clock);

/* chart_curves.c: lines over numbers. */
enum tw_series_style { TW_SERIES_BOTH, TW_SERIES_DOTS, TW_SERIES_LINE };
struct tw_series {
    const char *name;
    const double *x, *y;
    const double *half; /* of y's interval; NULL: none */
    int32_t count;
    enum tw_series_style style;
};
enum { TW_SERIES_MAX = 6 }; /* colours of page.css */

/* `title` says what is shown, `across` what x is. */
void tw_chart_curves(FILE *out, const char *title, const char *across,
                     const struct tw_series *series, int32_t count);
/* Shares of cells by bins: x is where a bin begins, y is its share. */
void tw_chart_steps(FILE *out, const char *title, const char *across,
                    const struct tw_series *series, int32_t count, double width);
/* What line belongs to which name. */
void tw_chart_key(FILE *out, const char *const *names, int32_t count);

/* chart_heat.c: values[row * columns + column]; NaN where there is none. */
struct tw_heat {
    const char *title, *across, *down;
    const double *x, *y; /* the parameters' values */
    int32_t columns, rows;
    const double *values;
    double low, high; /* that the ends of the colours stand for: charts side by side share them */
};
void tw_chart_heat(FILE *out, const struct tw_heat *heat);

/* chart_points.c: points with names, as mu* against sigma of Morris' screening. The dashed line is
 * where both are equal. */
enum { TW_POINTS_MAX = 16 };
struct tw_points {
    const char *title, *across, *up;
    const char *names[TW_POINTS_MAX];
    double x[TW_POINTS_MAX], y[TW_POINTS_MAX]; /* at least 0 */
    int32_t count;
};
void tw_chart_points(FILE *out, const struct tw_points *points);

#endif
