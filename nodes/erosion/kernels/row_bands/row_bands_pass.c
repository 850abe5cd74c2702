/* SPDX-License-Identifier: MIT */
/* A band takes lanes from the one above it, visits and gives them back in windows of slots that
 * stay in the nearest cache. It may follow the band above when that is 64 lags ahead, so bands run
 * at the same time, each behind the one before it, and the first one of a pass behind the last one
 * of the pass before.
 * Lanes are a cache line of each slot, which would wander from one processor to the other and back
 * in every pass, and from memory where a band is larger than the cache. So what two bands share
 * waits in a seam between their visits, where eight slots are a line. */
#include "erosion/kernels/row_bands/row_bands_layout.h"

#include "erosion/kernels/row_bands/row_bands_turn.h"

#include <thalweg/kernel.h>

enum { BAND = TW_ROW_BANDS_ROWS, LAG = TW_ROW_BANDS_LAG };
enum { VECTOR = TW_ROW_BANDS_VECTOR, STEP = TW_ROW_BANDS_STEP };
enum { WINDOW = 48, MARGIN = LAG + 2 }; /* steps; slots beyond them that their visits may touch */
enum { LEAST = 2 * MARGIN }; /* steps of a window, so that what the first one keeps is no other's */
enum { DISTANCE = LAG * BAND + 2 * MARGIN }; /* steps behind the band above, in the same pass */
enum { VISITS = 1 << 29 }; /* passes at once: a task reports progress some 300 ms later */

struct sweep {
    struct tw_task *task;
    const struct tw_row_bands_layout *layout;
    int32_t pass, passes; /* the first of them; how many */
};

/* One band in one pass. */
struct leg {
    const struct tw_row_bands_layout *at;
    int32_t band, start, above; /* slots where it and the leg of the band above begin */
    bool first, last; /* of the passes: lanes still, or again, have what seams have in others */
};

/* Two floats of every slot, `step` apart, from slot 0 on; that of a window's slot is `ahead`. */
struct pairs {
    float *cells;
    int32_t step, ahead;
};

static int32_t wrap_once(int32_t i, int32_t n) { return i < 0 ? i + n : i < n ? i : i - n; }

/* One slot after the other. Lanes of another band, which no sweep fetches, are fetched for the next
 * window. By single floats: gcc makes vectors of pairs on the stack, and waits for them. */
static TW_INLINE void copy_run(float *restrict to, int32_t to_step, const float *restrict from,
                               int32_t from_step, const float *fetched, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (fetched)
            __builtin_prefetch(fetched + (i + WINDOW + 2 * LAG) * STEP, 1);
        float first = from[i * from_step], second = from[i * from_step + 1];
        to[i * to_step] = first;
        to[i * to_step + 1] = second;
    }
}

/* Slots `first` to `end`, counted from the leg's start, in runs that end where a slot wraps. */
static void copy_pairs(const struct leg *leg, int32_t first, int32_t end, struct pairs to,
                       struct pairs from)
{
    const struct tw_row_bands_layout *at = leg->at;
    int32_t w = at->map.width, run;
    int32_t planes = at->map.rule->planes - at->map.rule->kept; /* who gives does not change */
    for (int32_t i = first; i < end; i += run) {
        int32_t slot = wrap_once(wrap_once(leg->start + i, w), w);
        int32_t here = wrap_once(slot + to.ahead, w), there = wrap_once(slot + from.ahead, w);
        int32_t before = w - (here > there ? here : there);
        run = end - i < before ? end - i : before;
        for (int32_t p = 0; p < planes; p++) {
            float *mine = to.cells + (size_t)p * at->plane + (ptrdiff_t)here * to.step;
            const float *other = from.cells + (size_t)p * at->plane + (ptrdiff_t)there * from.step;
            if (to.step < STEP)
                copy_run(mine, 2, other, STEP, NULL, run);
            else if (from.step < STEP)
                copy_run(mine, STEP, other, 2, NULL, run);
            else
                copy_run(mine, STEP, other, STEP, to.ahead ? mine : other, run);
        }
    }
}

/* The last row of a band and the first one below it: in its lanes or in its seam. */
static struct pairs pairs_below(const struct tw_row_bands_layout *at, int32_t band, bool seam)
{
    if (seam)
        return (struct pairs){tw_row_bands_seam(at, band), 2, 0};
    return (struct pairs){tw_row_bands_band(at, band) + tw_row_bands_rows(at, band) - 1, STEP, 0};
}

/* The last row of the band above and the first one of this band, for slots of this band. No seam
 * lies between the last band and the first one, which every pass begins with. */
static struct pairs pairs_above(const struct leg *leg)
{
    const struct tw_row_bands_layout *at = leg->at;
    int32_t upper = (leg->band ? leg->band : at->count) - 1;
    struct pairs pairs = pairs_below(at, upper, leg->band > 0 && !leg->last);
    pairs.ahead = LAG * tw_row_bands_rows(at, upper) % at->map.width;
    return pairs;
}

static void sweep_window(const struct leg *leg, int32_t begin, int32_t end)
{
    const struct tw_row_bands_layout *at = leg->at;
    const struct tw_row_bands_rule *rule = at->map.rule;
    int32_t rows = tw_row_bands_rows(at, leg->band), lanes = rows / VECTOR * VECTOR;
    struct tw_row_bands_run run = {.cells = tw_row_bands_band(at, leg->band),
                                   .step = STEP,
                                   .plane = at->plane,
                                   .slots = at->map.width,
                                   .first = wrap_once(leg->start + begin, at->map.width),
                                   .count = end - begin,
                                   .lanes = lanes,
                                   .visited = lanes};
    if (lanes)
        rule->sweep(rule->constants, &run);
    run.cells += lanes;
    run.lanes = VECTOR;
    run.visited = rows - lanes;
    if (run.visited)
        rule->sweep(rule->constants, &run);
}

/* Does what comes before the next pass, for slots that this one does not touch any more. */
static void before_slots(const struct leg *leg, int32_t first, int32_t end)
{
    const struct tw_row_bands_layout *at = leg->at;
    const struct tw_row_bands_rule *rule = at->map.rule;
    int32_t w = at->map.width, run;
    for (int32_t i = first; i < end; i += run) {
        int32_t slot = tw_wrap(leg->start + i, w);
        run = end - i < w - slot ? end - i : w - slot;
        float *cells = tw_row_bands_band(at, leg->band) - 1 + (size_t)slot * STEP;
        rule->before(rule->constants, cells, at->plane, (size_t)run * STEP);
    }
}

/* A row is only ever touched by those next to it, and the row above is ahead: those below may
 * follow a whole window later. The first band of the next pass takes lanes from the last one. */
static void visit_window(const struct leg *leg, int32_t begin, int32_t end)
{
    const struct tw_row_bands_layout *at = leg->at;
    int32_t w = at->map.width, band = leg->band;
    bool upper = band > 0 || !at->map.rule->closed, lower = band < at->count - 1;
    struct pairs above = pairs_above(leg), first = {tw_row_bands_band(at, band) - 1, STEP, 0};
    struct pairs below = pairs_below(at, band, true), last = pairs_below(at, band, false);
    int32_t from = begin ? begin + MARGIN : -MARGIN, to = end < w ? end + MARGIN : w - MARGIN;
    if (lower && !leg->first)
        copy_pairs(leg, from, to, last, below);
    if (upper)
        copy_pairs(leg, from, to, first, above);
    sweep_window(leg, begin, end);
    from = begin ? begin - MARGIN : MARGIN;
    to = end < w ? end - MARGIN : w + MARGIN;
    if (upper)
        copy_pairs(leg, from, to, above, first);
    if (lower && !leg->last)
        copy_pairs(leg, from, to, below, last);
    if (!lower && !leg->last && at->map.rule->before)
        before_slots(leg, from, to);
}

static void before_band(const struct tw_row_bands_layout *at, int32_t band)
{
    const struct tw_row_bands_rule *rule = at->map.rule;
    if (rule->before)
        rule->before(rule->constants, tw_row_bands_band(at, band) - 1, at->plane, at->band);
}

/* What comes before a band's pass, while that and the visits find it in a nearer cache than all of
 * the map; the last band's before that of the first one, which takes lanes from it. */
static void begin_band(const struct leg *leg)
{
    const struct tw_row_bands_layout *at = leg->at;
    int32_t last = at->count - 1;
    if (leg->band == 0 && leg->first)
        before_band(at, last);
    if (leg->band < last)
        before_band(at, leg->band);
    /* Copies the only row of the last band, which the first band has changed. */
    if (leg->band == last - 1 && tw_row_bands_rows(at, last) == 1)
        tw_row_bands_renew(at, last, 0, at->map.width);
}

/* A leg of a cancelled task counts as finished once those before it are: other legs count on that.
 */
static bool stops(const struct sweep *sweep, struct tw_relay *relay, int32_t leg)
{
    if (!tw_task_cancelled(sweep->task))
        return false;
    if (leg > 0)
        tw_relay_wait(relay, leg - 1, sweep->layout->map.width);
    tw_relay_reach(relay, leg, sweep->layout->map.width);
    return true;
}

/* Returns how far the band above must be before this one may visit steps `begin` to `end`: past the
 * slots that their lanes share and that visits next to them touch. Where those slots wrap the band
 * above must be finished, since its last steps touch its first slots. */
static int32_t steps_above(const struct leg *leg, int32_t begin, int32_t end)
{
    const struct tw_row_bands_layout *at = leg->at;
    int32_t w = at->map.width, upper = (leg->band ? leg->band : at->count) - 1;
    int32_t ahead = leg->start - leg->above + LAG * tw_row_bands_rows(at, upper);
    int32_t first = tw_wrap(begin - MARGIN + ahead, w);
    int32_t last = first + (end - begin) + 2 * MARGIN + MARGIN;
    return first < MARGIN || last > w ? w : last;
}

/* Waits until a band may begin: the one below it is through with the pass before, so that the first
 * one does not come round to those that are at work. The first one must be through before the last
 * two touch the rows that it shares with them. */
static void wait_to_begin(const struct sweep *sweep, struct tw_relay *relay, int32_t number)
{
    const struct tw_row_bands_layout *at = sweep->layout;
    int32_t w = at->map.width, band = number % at->count;
    if (number >= at->count && band < at->count - 1)
        tw_relay_wait(relay, number - at->count + 1, w);
    if (band > 0 && band >= at->count - 2)
        tw_relay_wait(relay, number - band, w);
}

static void run_leg(void *context, struct tw_relay *relay, int32_t number)
{
    const struct sweep *sweep = context;
    const struct tw_row_bands_layout *at = sweep->layout;
    int32_t w = at->map.width, pass = number / at->count, band = number % at->count;
    int32_t first = sweep->pass + pass, start = tw_row_bands_start(first, w);
    struct leg leg = {.at = at,
                      .band = band,
                      .start = start,
                      .above = band || !pass ? start : tw_row_bands_start(first - 1, w),
                      .first = pass == 0,
                      .last = pass == sweep->passes - 1};
    bool follows = number > 0 && (band > 0 || !at->map.rule->closed);
    if (stops(sweep, relay, number))
        return;
    wait_to_begin(sweep, relay, number);
    begin_band(&leg);
    for (int32_t t = 0, next; t < w; t = next) {
        next = w - t < WINDOW + LEAST ? w : t + WINDOW;
        if (follows)
            tw_relay_wait(relay, number - 1, steps_above(&leg, t, next));
        visit_window(&leg, t, next);
        tw_relay_reach(relay, number, next);
    }
}

int32_t tw_row_bands_pass_most(const struct tw_row_bands_layout *at)
{
    int64_t few = VISITS / ((int64_t)at->map.width * at->rows),
            legs = TW_RELAY_LEGS_MAX / at->count;
    /* A last band of one row: what the first one does there reaches the band above it by lanes. */
    if (few < 1 || tw_row_bands_rows(at, at->count - 1) == 1)
        return 1;
    return (int32_t)(few < legs ? few : legs);
}

void tw_row_bands_pass_run(struct tw_task *task, const struct tw_row_bands_layout *at, int32_t pass,
                           int32_t passes)
{
    struct sweep sweep = {task, at, pass, passes};
    int32_t together = at->map.width / (DISTANCE + WINDOW);
    tw_relay_run(task, passes * at->count, together > 0 ? together : 1, run_leg, &sweep);
}
