/* SPDX-License-Identifier: MIT */
/* Bars of seconds with their intervals: a name above each, a shared scale below. */
#include "report/charts/chart.h"

#include <math.h>

enum {
    WIDTH = TW_CHART_WIDTH,
    LEFT = 16,
    ROW = 34,
    TOP = 8,
    FOOT = 40,
    RIGHT = WIDTH - 24,
    NAME = 40
};

struct bar {
    double value, low, high; /* low and high are NaN without an interval */
};

static struct bar bar_of_runs(const struct tw_comparison *c, int32_t variant)
{
    struct tw_summary s = tw_running_summary(&c->seconds[variant]);
    struct bar bar = {s.mean, NAN, NAN};
    if (tw_has_spread(c)) {
        bar.low = s.mean > s.interval ? s.mean - s.interval : 0;
        bar.high = s.mean + s.interval;
    }
    return bar;
}

static struct bar bar_of_median(const struct tw_median *time)
{
    return (struct bar){time->median, time->low, time->high};
}

static void put_bars(FILE *out, const char *title, const struct tw_experiment *e,
                     const struct tw_choice *choice, const struct bar *bars)
{
    double most = 0;
    int bottom = TOP + ROW * choice->count;
    for (int32_t k = 0; k < choice->count; k++) {
        double end = isnan(bars[k].high) ? bars[k].value : bars[k].high;
        most = end > most ? end : most;
    }
    tw_svg_begin(out, WIDTH, bottom + FOOT, "%s", title);
    struct tw_scale scale = tw_scale_fit(0, most, LEFT, RIGHT, 4);
    tw_svg_ticks_below(out, &scale, TOP, bottom);
    for (int32_t k = 0; k < choice->count; k++) {
        double top = TOP + ROW * k, y = top + 24, zero = tw_scale_at(&scale, 0);
        tw_svg_name(out, 0, top + 12, TW_START, NAME, e->variants[choice->at[k]].name);
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" class=\"box\"/>\n",
                zero, y - 6, tw_scale_at(&scale, bars[k].value) - zero);
        if (!isnan(bars[k].low))
            tw_svg_line(out, tw_scale_at(&scale, bars[k].low), y, tw_scale_at(&scale, bars[k].high),
                        y, "unshown\" stroke-width=\"2");
        tw_svg_text(out, WIDTH - 2, top + 12, TW_END, "", "%.3g s", bars[k].value);
    }
    tw_svg_text(out, (LEFT + RIGHT) / 2.0, bottom + 32, TW_MIDDLE, "soft", "%s", "seconds");
    tw_svg_end(out);
}

void tw_chart_times(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice)
{
    struct bar bars[TW_CHOICE_MAX];
    for (int32_t k = 0; k < choice->count; k++)
        bars[k] = bar_of_runs(c, choice->at[k]);
    put_bars(out, "Seconds of a run, per variant", c->experiment, choice, bars);
}

void tw_chart_medians(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                      enum tw_clock clock)
{
    struct bar bars[TW_CHOICE_MAX];
    for (int32_t k = 0; k < choice->count; k++) {
        const struct tw_variant_time *time = &c->times[choice->at[k]];
        bars[k] = bar_of_median(clock == TW_CLOCK_WALL ? &time->wall : &time->processor);
    }
    put_bars(out,
             clock == TW_CLOCK_WALL ? "Median seconds on the clock, per variant"
                                    : "Median processor seconds, per variant",
             c->experiment, choice, bars);
}
