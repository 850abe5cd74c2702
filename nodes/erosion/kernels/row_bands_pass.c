/* SPDX-License-Identifier: MIT */
/* A band takes lanes from the one above it, visits and gives them back in windows of slots that
 * stay in the nearest cache.
 * A band may follow the one before it when that is 64 lags ahead. So on wide maps bands run at the
 * same time, in chunks of steps: band k does chunk j in stage 2 k + j. */
#include "erosion/kernels/row_bands_pass.h"

#include <string.h>

enum { BAND = TW_ROW_BANDS_ROWS, LAG = TW_ROW_BANDS_LAG };
enum { VECTOR = TW_ROW_BANDS_VECTOR, STEP = TW_ROW_BANDS_STEP };
enum { WINDOW = 48, MARGIN = LAG + 2 }; /* steps; slots beyond them that their visits may touch */
enum { LEAST = 2 * MARGIN }; /* steps of a window, so that what the first one keeps is no other's */
enum { CHUNK = 256 }; /* steps that a band is behind the one before it: over BAND LAG + 2 MARGIN */

void tw_row_bands_pass_init(struct tw_row_bands_pass *s, const struct tw_row_bands_layout *at)
{
    int32_t width = at->map.width;
    *s = (struct tw_row_bands_pass){.layout = at};
    s->chunk = width < 4 * CHUNK ? (width + 1) / 2 : CHUNK;
    s->chunks = (width - LEAST) / s->chunk + 1; /* the last one takes a short rest */
    /* The first band must be through before the last two touch the rows that it shares with them.
     */
    s->delay = s->chunk == CHUNK && 2 * (at->count - 2) >= s->chunks ? 2 : s->chunks;
}

static int32_t wrap_once(int32_t i, int32_t n) { return i < 0 ? i + n : i < n ? i : i - n; }

/* Copies pairs of lanes that lie next to each other, of one slot after the other, and fetches those
 * of the next window from the band above; sweeps fetch their own. */
static void copy_pairs(float *restrict to, const float *restrict from, const float *above,
                       int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        __builtin_prefetch(above + (i + WINDOW + 2 * LAG) * STEP, 1);
        memcpy(to + i * STEP, from + i * STEP, 2 * sizeof *to);
    }
}

/* Slots `first` to `end`, counted from `start`, of lanes -1 and 0: takes them from the last two
 * lanes of the band above, or gives them back. In runs that end where a slot of either wraps. */
static void exchange_lanes(const struct tw_row_bands_pass *s, int32_t band, int32_t first,
                           int32_t end, bool back)
{
    const struct tw_row_bands_layout *at = s->layout;
    int32_t w = at->map.width, upper = (band ? band : at->count) - 1, run;
    int32_t rows = tw_row_bands_rows(at, upper), ahead = LAG * rows % w;
    int32_t planes = at->map.rule->planes - at->map.rule->kept; /* who gives does not change */
    if (band == 0 && at->map.rule->closed)
        return;
    for (int32_t i = first; i < end; i += run) {
        int32_t slot = wrap_once(wrap_once(s->start + i, w), w), other = wrap_once(slot + ahead, w);
        float *mine = tw_row_bands_band(at, band) + (ptrdiff_t)slot * STEP - 1;
        float *above = tw_row_bands_band(at, upper) + (ptrdiff_t)other * STEP + rows - 1;
        run = end - i;
        run = w - slot < run ? w - slot : run;
        run = w - other < run ? w - other : run;
        for (int32_t p = 0; p < planes; p++) {
            copy_pairs(back ? above : mine, back ? mine : above, above, run);
            mine += at->plane;
            above += at->plane;
        }
    }
}

/* A row is only ever touched by those next to it, and the row above is ahead: those below may
 * follow a whole window later. */
static void visit_window(const struct tw_row_bands_pass *s, int32_t band, int32_t begin,
                         int32_t end)
{
    const struct tw_row_bands_layout *at = s->layout;
    const struct tw_row_bands_rule *rule = at->map.rule;
    int32_t w = at->map.width, rows = tw_row_bands_rows(at, band), lanes = rows / VECTOR * VECTOR;
    int32_t first = begin ? begin + MARGIN : -MARGIN, last = end < w ? end + MARGIN : w - MARGIN;
    struct tw_row_bands_run run = {.cells = tw_row_bands_band(at, band),
                                   .step = STEP,
                                   .plane = at->plane,
                                   .slots = w,
                                   .first = wrap_once(s->start + begin, w),
                                   .count = end - begin,
                                   .lanes = lanes,
                                   .visited = lanes};
    exchange_lanes(s, band, first, last, false);
    if (lanes)
        rule->sweep(rule->constants, &run);
    run.cells += lanes;
    run.lanes = VECTOR;
    run.visited = rows - lanes;
    if (run.visited)
        rule->sweep(rule->constants, &run);
    first = begin ? begin - MARGIN : MARGIN;
    last = end < w ? end - MARGIN : w + MARGIN;
    exchange_lanes(s, band, first, last, true);
}

static void before_band(const struct tw_row_bands_layout *at, int32_t band)
{
    const struct tw_row_bands_rule *rule = at->map.rule;
    if (rule->before)
        rule->before(rule->constants, tw_row_bands_band(at, band) - 1, at->plane, at->band);
}

/* What comes before a band's pass, while that and the visits find it in a nearer cache than all of
 * the map; the last band's before that of the first one, which takes lanes from it. */
static void begin_band(const struct tw_row_bands_layout *at, int32_t band)
{
    int32_t last = at->count - 1;
    if (band == 0)
        before_band(at, last);
    if (band < last)
        before_band(at, band);
    /* The only row of the last band has been changed by the first band. */
    if (band == last - 1 && tw_row_bands_rows(at, last) == 1)
        tw_row_bands_renew(at, last, 0, at->map.width);
}

static void visit_chunk(const struct tw_row_bands_pass *s, int32_t band, int32_t begin, int32_t end)
{
    if (begin == 0)
        begin_band(s->layout, band);
    for (int32_t t = begin, next; t < end; t = next) {
        next = end - t < WINDOW + LEAST ? end : t + WINDOW;
        visit_window(s, band, t, next);
    }
}

static int32_t first_band(const struct tw_row_bands_pass *s)
{
    int32_t late = s->stage - s->chunks + 1;
    return late <= 0 ? 0 : (late - 1) / s->delay + 1;
}

static int32_t end_band(const struct tw_row_bands_pass *s)
{
    int32_t end = s->stage / s->delay + 1;
    return end < s->layout->count ? end : s->layout->count;
}

static void run_stage(void *context, int32_t begin, int32_t end)
{
    const struct tw_row_bands_pass *s = context;
    for (int32_t i = begin; i < end; i++) {
        int32_t band = first_band(s) + i, from = (s->stage - band * s->delay) * s->chunk;
        bool last = s->stage - band * s->delay == s->chunks - 1;
        int32_t to = last ? s->layout->map.width : from + s->chunk;
        visit_chunk(s, band, from, to);
    }
}

void tw_row_bands_pass_run(struct tw_task *task, struct tw_row_bands_pass *s, int32_t start)
{
    const struct tw_row_bands_layout *at = s->layout;
    int32_t stages = (at->count - 1) * s->delay + s->chunks;
    s->start = start;
    for (s->stage = 0; s->stage < stages; s->stage++)
        tw_rows(task, end_band(s) - first_band(s), 1, run_stage, s);
}
