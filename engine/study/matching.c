/* SPDX-License-Identifier: MIT */
#include "study/matching.h"

#include "base/text/number.h"
#include "study/trial.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 6 }; /* digits of a parameter's value */

/* A value that was tried. */
struct point {
    const char *text;
    double share; /* of the range, of the number that the text is */
    double mean;
    double off; /* mean - target */
};

struct matcher {
    struct tw_experiment *experiment;
    struct tw_compare_request request;
    struct tw_load_options load;
    const uint64_t *seeds; /* pilot seeds */
    struct tw_matched *found;
    struct point points[TW_MATCH_POINTS_MAX];
};

/* ---- pilot runs ---- */

static bool is_listed(const struct tw_experiment *e, uint64_t seed)
{
    for (int32_t i = 0; e->seeds && i < e->seed_count; i++)
        if (e->seeds[i] == seed)
            return true;
    return false;
}

uint64_t tw_match_seed(const struct tw_experiment *e, int32_t i)
{
    uint64_t seed = tw_experiment_seed(e, 0) + TW_SEEDS_MAX; /* past 2^64 - 1 it begins at 0 */
    for (;; seed++) {
        if (is_listed(e, seed))
            continue;
        if (i-- == 0)
            return seed;
    }
}

int64_t tw_match_runs(const struct tw_experiment *e)
{
    int64_t points = (int64_t)e->match.axis_count * TW_MATCH_POINTS_MAX;
    return (points + e->match.goal.of_baseline) * e->level_count * e->match.seeds;
}

/* An experiment of a variant over the pilot seeds that measures only what the goal needs, which for
 * a formula are the measures before it. */
static struct tw_experiment pilot_of(const struct matcher *m, struct tw_variant *variant)
{
    const struct tw_experiment *e = m->experiment;
    int32_t measure = e->match.goal.measure;
    struct tw_variant trial;
    struct tw_experiment pilot = tw_experiment_trial(e, NULL, 0, &trial);
    pilot.variants = variant;
    pilot.measures += e->measures[measure].formula ? 0 : measure;
    pilot.measure_count = e->measures[measure].formula ? measure + 1 : 1;
    pilot.seeds = m->seeds;
    pilot.seed_count = e->match.seeds;
    return pilot;
}

/* The mean of the goal's measure over the pilot seeds; `value` may be NULL. */
static enum tw_status run_pilot(struct matcher *m, int32_t v, const struct tw_setting *value,
                                double *mean, struct tw_error *err)
{
    struct tw_experiment *e = m->experiment;
    struct tw_variant variant = e->variants[v];
    size_t own = (size_t)variant.setting_count;
    struct tw_setting *settings = tw_arena_alloc(&e->arena, own + 1, sizeof *settings);
    struct tw_comparison c = {0};
    if (!settings)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (size_t i = 0; i < own; i++)
        settings[i] = variant.settings[i];
    if (value)
        settings[variant.setting_count++] = *value;
    variant.settings = settings;
    struct tw_experiment pilot = pilot_of(m, &variant);
    enum tw_status status = tw_comparison_create(&pilot, &c, err);
    if (status == TW_OK)
        status = tw_compare_run(&m->request, &c, err);
    if (c.failed > 0 && status != TW_CANCELLED)
        status = tw_error_set(err, TW_NODE,
                              "match: a pilot seed of variant %s failed; expected a range in which "
                              "it runs",
                              variant.name);
    if (status == TW_OK)
        *mean = c.sums[pilot.measure_count - 1].mean;
    tw_comparison_release(&c);
    return status;
}

/* ---- search ---- */

/* Whether the mean is within the goal's share of the target. */
static bool is_near(const struct matcher *m, double mean)
{
    struct tw_tune_goal goal = m->experiment->match.goal;
    goal.measure = 0;
    goal.of_baseline = false;
    goal.target = m->found->target;
    return tw_tune_miss(&goal, &mean, NULL) <= 0;
}

/* Tries the value at a share of the range, and keeps the nearest; *at is its number among those
 * tried, the old one if it was tried before. */
static enum tw_status try_share(struct matcher *m, double share, int32_t *at, struct tw_error *err)
{
    struct tw_matched *found = m->found;
    const struct tw_axis *axis = found->axis;
    const char *text = tw_axis_text(&m->experiment->arena, axis, share, DIGITS);
    double number = 0;
    if (!text)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (*at = 0; *at < found->points; ++*at)
        if (strcmp(m->points[*at].text, text) == 0)
            return TW_OK;
    struct point *point = &m->points[*at];
    const struct tw_setting value = {axis->name, text, axis->place};
    *point = (struct point){.text = text};
    enum tw_status status = run_pilot(m, found->variant, &value, &point->mean, err);
    if (status != TW_OK)
        return status;
    tw_number_parse(text, &number);
    point->share = (number - axis->from) / (axis->to - axis->from);
    point->off = point->mean - found->target;
    if (found->points == 0 || fabs(point->off) < fabs(found->pilot_mean - found->target)) {
        found->value = text;
        found->pilot_mean = point->mean;
        found->reached = is_near(m, point->mean);
    }
    found->points++;
    return TW_OK;
}

static bool straddle(const struct point *a, const struct point *b)
{
    return (a->off < 0) != (b->off < 0);
}

/* The point whose mean is nearest to the target, and the middle of the wider gap beside it, as a
 * share of the range. */
static double beside_nearest(const struct matcher *m, struct point *nearest)
{
    double left = -1, right = 2;
    *nearest = m->points[0];
    for (int32_t i = 1; i < m->found->points; i++)
        if (fabs(m->points[i].off) < fabs(nearest->off))
            *nearest = m->points[i];
    for (int32_t i = 0; i < m->found->points; i++) {
        double share = m->points[i].share;
        left = share < nearest->share && share > left ? share : left;
        right = share > nearest->share && share < right ? share : right;
    }
    bool is_left = right > 1 || (left >= 0 && nearest->share - left >= right - nearest->share);
    return (nearest->share + (is_left ? left : right)) / 2;
}

/* Where no two of the values tried lie on both sides of the target, the measure may have a peak or
 * a valley: tries values ever nearer to the best one. If that is an end and the value beside it is
 * worse, there is nothing to find. */
static enum tw_status bracket_peak(struct matcher *m, struct point *low, struct point *high,
                                   struct tw_error *err)
{
    while (!m->found->reached && m->found->points < TW_MATCH_POINTS_MAX) {
        int32_t before = m->found->points, at;
        double share = beside_nearest(m, low);
        enum tw_status status = try_share(m, share, &at, err);
        if (status != TW_OK || m->found->points == before)
            return status;
        *high = m->points[at];
        bool is_end = low->share <= 0 || low->share >= 1;
        if (straddle(low, high) || (is_end && fabs(high->off) >= fabs(low->off)))
            return TW_OK;
    }
    return TW_OK;
}

/* Finds two values with the target between their means: the ends, an end and a quarter, or two
 * beside a peak. */
static enum tw_status bracket(struct matcher *m, struct point *low, struct point *high,
                              struct tw_error *err)
{
    static const double shares[] = {0, 1, 0.5, 0.25, 0.75};
    enum tw_status status = TW_OK;
    int32_t at;
    for (size_t i = 0; i < sizeof shares / sizeof *shares && !m->found->reached; i++) {
        status = try_share(m, shares[i], &at, err);
        if (status != TW_OK)
            return status;
        *low = i == 0 ? m->points[at] : *low;
        *high = m->points[at];
        if (straddle(low, high))
            return TW_OK;
    }
    return bracket_peak(m, low, high, err);
}

/* Chandrupatla (1997), "A new hybrid quadratic/bisection algorithm for finding the zero of a
 * nonlinear function": where the next value lies between x1 and x2, which straddle the target, as a
 * share of the way. Inverse quadratic interpolation if the three points let it, else the middle. */
static double next_share(const struct point *x1, const struct point *x2, const struct point *x3)
{
    double xi = (x1->share - x2->share) / (x3->share - x2->share);
    double phi = (x1->off - x2->off) / (x3->off - x2->off);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
        return 0.5;
    double alpha = (x3->share - x1->share) / (x2->share - x1->share);
    return x1->off / (x2->off - x1->off) * x3->off / (x2->off - x3->off) +
           alpha * x1->off / (x3->off - x1->off) * x2->off / (x3->off - x2->off);
}

/* Ends when texts repeat: nothing lies between. */
static enum tw_status narrow(struct matcher *m, struct point x2, struct point x1,
                             struct tw_error *err)
{
    struct tw_matched *found = m->found;
    double t = 0.5;
    while (!found->reached && found->points < TW_MATCH_POINTS_MAX) {
        int32_t before = found->points, at;
        struct point x3 = x2;
        enum tw_status status = try_share(m, x1.share + t * (x2.share - x1.share), &at, err);
        if (status == TW_OK && found->points == before)
            status = try_share(m, (x1.share + x2.share) / 2, &at, err);
        if (status != TW_OK || found->points == before)
            return status;
        if (straddle(&m->points[at], &x1))
            x2 = x1;
        else
            x3 = x1;
        x1 = m->points[at];
        t = next_share(&x1, &x2, &x3);
    }
    return TW_OK;
}

/* ---- variants ---- */

/* Sets the value that was found in the variant, which all that follows runs. */
static enum tw_status set_value(struct tw_experiment *e, const struct tw_matched *found,
                                struct tw_error *err)
{
    struct tw_variant *variant = &e->variants[found->variant];
    size_t own = (size_t)variant->setting_count;
    struct tw_setting *settings = tw_arena_alloc(&e->arena, own + 1, sizeof *settings);
    if (!settings)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (size_t i = 0; i < own; i++)
        settings[i] = variant->settings[i];
    settings[own] = (struct tw_setting){found->axis->name, found->value, found->axis->place};
    variant->settings = settings;
    variant->setting_count++;
    return TW_OK;
}

static enum tw_status match_variant(struct matcher *m, int32_t variant, double target,
                                    struct tw_error *err)
{
    struct tw_match *match = &m->experiment->match;
    struct point low = {0}, high = {0};
    m->found = &match->found[match->found_count++];
    *m->found = (struct tw_matched){.variant = variant,
                                    .axis = &match->axes[variant % m->experiment->level_variants],
                                    .target = target};
    enum tw_status status = bracket(m, &low, &high, err);
    if (status == TW_OK && !m->found->reached && straddle(&low, &high))
        status = narrow(m, low, high, err);
    return status == TW_OK ? set_value(m->experiment, m->found, err) : status;
}

static enum tw_status match_level(struct matcher *m, int32_t level, struct tw_error *err)
{
    struct tw_experiment *e = m->experiment;
    int32_t first = level * e->level_variants;
    double target = e->match.goal.target;
    enum tw_status status = TW_OK;
    if (e->match.goal.of_baseline)
        status = run_pilot(m, first + e->baseline, NULL, &target, err);
    for (int32_t v = 0; status == TW_OK && v < e->level_variants; v++)
        if (e->match.axes[v].name)
            status = match_variant(m, first + v, target, err);
    return status;
}

enum tw_status tw_compare_match(struct tw_experiment *e, const struct tw_compare_request *request,
                                struct tw_error *err)
{
    struct matcher m = {.experiment = e, .load = *request->load};
    if (e->match.seeds == 0)
        return TW_OK;
    uint64_t *seeds = tw_arena_alloc(&e->arena, (size_t)e->match.seeds, sizeof *seeds);
    e->match.found = tw_arena_alloc(&e->arena, (size_t)e->match.axis_count * (size_t)e->level_count,
                                    sizeof *e->match.found);
    if (!seeds || !e->match.found)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < e->match.seeds; i++)
        seeds[i] = tw_match_seed(e, i);
    m.seeds = seeds;
    m.request = (struct tw_compare_request){.load = &m.load,
                                            .run = request->run,
                                            .failed = request->failed,
                                            .context = request->context};
    enum tw_status status = TW_OK;
    for (int32_t level = 0; status == TW_OK && level < e->level_count; level++)
        status = match_level(&m, level, err);
    return status;
}

double tw_match_remaining(const struct tw_comparison *c, const struct tw_matched *matched)
{
    const struct tw_tune_goal *goal = &c->experiment->match.goal;
    if (goal->of_baseline)
        return tw_comparison_difference(c, matched->variant, goal->measure).mean;
    return tw_comparison_summary(c, matched->variant, goal->measure).mean - matched->target;
}
