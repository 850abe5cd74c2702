/* SPDX-License-Identifier: MIT */
/* Shows the trials of a tuning: how it arrived at the best one, and all in numbers. */
#include "report/compare_page.h"

#include "base/text/number.h"
#include "report/charts/chart.h"
#include "report/html.h"
#include "report/verdict/verdict.h"
#include "study/tuning.h"

#include <math.h>
#include <stdlib.h>

struct tuned {
    FILE *out;
    const struct tw_experiment *e;
    const struct tw_tuning *t;
    double *numbers; /* twice as many as there are trials */
};

static void begin_figure(const struct tuned *u) { fputs("<figure>", u->out); }

static void end_figure(const struct tuned *u, const char *name, const char *text)
{
    fputs("<figcaption><b>", u->out);
    tw_html_text(u->out, name);
    fprintf(u->out, "</b>%s</figcaption></figure>\n", text);
}

/* ---- charts ---- */

/* Lists the trials that ran; x is their number. */
static int32_t number_trials(const struct tuned *u, double *x)
{
    int32_t count = 0;
    for (int32_t i = 0; i < u->t->count; i++)
        if (tw_trial_has_run(&u->t->trials[i]))
            x[count++] = i + 1;
    return count;
}

/* What a constraint's chart draws a line at. */
static double line_of(const struct tuned *u, const struct tw_tune_goal *goal)
{
    if (goal->kind == TW_TUNE_NEAR)
        return tw_tune_target(goal, u->t->baseline);
    return goal->min > -HUGE_VAL ? goal->min : goal->max;
}

static void put_goal(const struct tuned *u, const struct tw_tune_goal *goal)
{
    const char *name = u->e->measures[goal->measure].name;
    double *x = u->numbers, *y = x + u->t->count;
    int32_t count = number_trials(u, x), best = u->t->best;
    double ends[] = {1, u->t->count}, line = line_of(u, goal), target[] = {line, line};
    double at = best + 1, mean = u->t->trials[best].means[goal->measure];
    char title[200];
    for (int32_t i = 0; i < count; i++)
        y[i] = u->t->trials[(int32_t)x[i] - 1].means[goal->measure];
    const struct tw_series series[] = {
        {.x = x, .y = y, .count = count, .style = TW_SERIES_DOTS},
        {.x = &at, .y = &mean, .count = 1, .style = TW_SERIES_DOTS},
        {.x = ends, .y = target, .count = 2, .style = TW_SERIES_LINE},
    };
    snprintf(title, sizeof title, "%s, trial by trial", name);
    begin_figure(u);
    tw_chart_curves(u->out, title, "trial", series, goal->kind == TW_TUNE_EXTREME ? 2 : 3);
    end_figure(u, name,
               goal->kind == TW_TUNE_NEAR
                   ? ", mean over the seeds; blue is the best, the dotted line the target"
               : goal->kind == TW_TUNE_BOUNDED
                   ? ", mean over the seeds; blue is the best, the dotted line the constraint"
               : goal->direction > 0 ? ", mean over the seeds; more is sought, blue is the best"
                                     : ", mean over the seeds; less is sought, blue is the best");
}

static void put_param(const struct tuned *u, int32_t param)
{
    const char *name = u->e->tune.params[param].name;
    double *x = u->numbers, *y = x + u->t->count;
    int32_t count = number_trials(u, x), kept = 0;
    char title[200];
    for (int32_t i = 0; i < count; i++) {
        const struct tw_trial *trial = &u->t->trials[(int32_t)x[i] - 1];
        if (tw_number_parse(trial->settings[param].text, &y[kept]))
            x[kept++] = x[i];
    }
    const struct tw_series series = {.x = x, .y = y, .count = kept};
    snprintf(title, sizeof title, "%s, trial by trial", name);
    begin_figure(u);
    tw_chart_curves(u->out, title, "trial", &series, 1);
    end_figure(u, name, "");
}

static void put_charts(const struct tuned *u)
{
    fputs("<div class=\"row wide\">\n", u->out);
    for (int32_t g = 0; g < u->e->tune.goal_count; g++)
        put_goal(u, &u->e->tune.goals[g]);
    for (int32_t p = 0; p < u->e->tune.param_count; p++)
        put_param(u, p);
    fputs("</div>\n", u->out);
}

/* ---- numbers ---- */

static void put_trial(const struct tuned *u, int32_t i)
{
    const struct tw_trial *trial = &u->t->trials[i];
    fprintf(u->out, "<tr><th scope=\"row\" data-v=\"%d\">%d%s</th>", (int)i + 1, (int)i + 1,
            i == u->t->best ? " <small class=\"better\">best</small>" : "");
    for (int32_t p = 0; p < u->e->tune.param_count; p++) {
        fputs("<td>", u->out);
        tw_html_text(u->out, trial->settings[p].text);
        fputs("</td>", u->out);
    }
    for (int32_t m = 0; m < u->e->measure_count; m++)
        if (tw_trial_has_run(trial))
            fprintf(u->out, "<td data-v=\"%.9g\">%.6g</td>", trial->means[m], trial->means[m]);
        else
            fputs("<td>failed</td>", u->out);
    fputs("</tr>\n", u->out);
}

static void put_trials(const struct tuned *u)
{
    fputs("<details><summary>All trials</summary>\n<div class=\"scroll\" tabindex=\"0\"><table "
          "class=\"sort\"><thead><tr><th scope=\"col\">trial</th>",
          u->out);
    for (int32_t p = 0; p < u->e->tune.param_count; p++) {
        fputs("<th scope=\"col\">", u->out);
        tw_html_text(u->out, u->e->tune.params[p].name);
        fputs("</th>", u->out);
    }
    for (int32_t m = 0; m < u->e->measure_count; m++) {
        fputs("<th scope=\"col\">", u->out);
        tw_html_text(u->out, u->e->measures[m].name);
        fputs("</th>", u->out);
    }
    fputs("</tr></thead>\n<tbody>\n", u->out);
    for (int32_t i = 0; i < u->t->count; i++)
        put_trial(u, i);
    fputs("</tbody></table></div></details>\n", u->out);
}

void tw_section_tuning(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_comparison *c = page->comparison;
    struct tuned u = {out, c->experiment, c->tuning, NULL};
    if (!u.t || !tw_trial_has_run(&u.t->trials[u.t->best]))
        return;
    u.numbers = calloc(2 * (size_t)u.t->count, sizeof *u.numbers);
    fputs("<section id=\"tuning\"><h2>What was tried</h2>\n<p>", out);
    tw_verdict_tuning(out, c, TW_TEXT_HTML);
    fprintf(out,
            " The simplex of Nelder and Mead, %d trials of %d seed%s each. It fits these seeds, "
            "their noise included: look at the best with others.</p>\n",
            (int)u.t->count, (int)u.e->seed_count, u.e->seed_count == 1 ? "" : "s");
    if (page->best_command) {
        fputs("<p><code>", out);
        tw_html_text(out, page->best_command);
        fputs("</code></p>\n", out);
    }
    if (u.numbers)
        put_charts(&u);
    put_trials(&u);
    fputs("</section>\n", out);
    free(u.numbers);
}
