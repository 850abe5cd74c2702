/* SPDX-License-Identifier: MIT */
/* Gradient dependent erosion, Coats 2008, cell after cell; in double, since it is the reference. */
#include "erosion/kernels/coats.h"

struct land {
    double *a, *w, *s;
    int32_t width, height;
    double Kc, Kd, Ks;
    bool shares;
};

/* Lists the neighbours of the cell v at x, y whose water surface is lower than its own, from the
 * lowest altitude up, in reading order on ties. No other neighbour gets water, since what v pours
 * only lowers its surface. */
static int sort_lower(const struct land *land, int32_t x, int32_t y, size_t v, size_t lower[9])
{
    const double surface = land->w[v] + land->a[v];
    const int32_t left = x > 0 ? x - 1 : 0, right = x + 1 < land->width ? x + 1 : x;
    const int32_t last = y + 1 < land->height ? y + 1 : y;
    size_t cells[9];
    double altitudes[9];
    int found = 0;
    for (int32_t row = y > 0 ? y - 1 : 0; row <= last; row++)
        for (int32_t column = left; column <= right; column++) {
            size_t cell = (size_t)row * (size_t)land->width + (size_t)column;
            cells[found] = cell;
            altitudes[found] = land->a[cell];
            found += surface - (land->w[cell] + land->a[cell]) > 0 ? 1 : 0;
        }
    for (int i = 0; i < found; i++) { /* by rank: no branch that depends on the order */
        int rank = 0;
        for (int k = 0; k < i; k++)
            rank += altitudes[k] <= altitudes[i];
        for (int k = i + 1; k < found; k++)
            rank += altitudes[k] < altitudes[i];
        lower[rank] = cells[i];
    }
    return found;
}

static void pour(const struct land *land, size_t v, size_t u)
{
    double drop = (land->w[v] + land->a[v]) - (land->w[u] + land->a[u]);
    double moved = land->w[v] < drop ? land->w[v] : drop;
    if (!(moved > 0))
        return;
    double capacity = land->Kc * moved;
    double taken = land->s[v] < capacity ? land->s[v] : capacity;
    double dug = land->Ks * (capacity - taken);
    land->w[v] -= moved;
    land->w[u] += moved;
    land->s[v] -= taken;
    land->s[u] += taken + dug;
    land->a[v] -= dug;
}

static double slope_to(const struct land *land, size_t v, size_t u, bool diagonal)
{
    double drop = (land->w[v] + land->a[v]) - (land->w[u] + land->a[u]);
    return drop > 0 ? (diagonal ? (double)TW_COATS_DIAGONAL * drop : drop) : 0;
}

/* Pours to all lower neighbours of the cell v at x, y, in proportion to the slope. */
static void share(const struct land *land, int32_t x, int32_t y, size_t v)
{
    double slope[9] = {0}, sum = 0;
    for (int k = 0; k < 9; k++) {
        int32_t u = x + k % 3 - 1, w = y + k / 3 - 1;
        size_t at = (size_t)w * (size_t)land->width + (size_t)u;
        if (u >= 0 && w >= 0 && u < land->width && w < land->height)
            slope[k] = slope_to(land, v, at, k % 2 == 0);
        sum += slope[k];
    }
    double most = (double)TW_COATS_EXCHANGE * sum, moved = land->w[v] < most ? land->w[v] : most;
    double capacity = land->Kc * moved, taken = land->s[v] < capacity ? land->s[v] : capacity;
    double dug = land->Ks * (capacity - taken);
    land->w[v] -= moved;
    land->s[v] -= taken;
    land->a[v] -= dug;
    for (int k = 0; k < 9; k++)
        if (slope[k] > 0) {
            size_t u = (size_t)(y + k / 3 - 1) * (size_t)land->width + (size_t)(x + k % 3 - 1);
            land->w[u] += moved * slope[k] / sum;
            land->s[u] += (taken + dug) * slope[k] / sum;
        }
}

static void visit(const struct land *land, int32_t x, int32_t y)
{
    size_t v = (size_t)y * (size_t)land->width + (size_t)x, lower[9];
    int count = land->w[v] > 0 && !land->shares ? sort_lower(land, x, y, v, lower) : 0;
    for (int i = 0; i < count; i++)
        pour(land, v, lower[i]);
    if (land->w[v] > 0 && land->shares)
        share(land, x, y, v);
    double settled = land->Kd * land->s[v];
    land->a[v] += settled;
    land->s[v] -= settled;
}

static struct tw_coats_range range_of(const struct land *land, bool with_water)
{
    struct tw_coats_range range = {land->a[0], land->a[0]};
    for (size_t i = 0; i < (size_t)land->width * (size_t)land->height; i++) {
        tw_coats_widen(&range, land->a[i]);
        if (with_water)
            tw_coats_widen(&range, land->a[i] + land->w[i] + land->s[i]);
    }
    return range;
}

static void rain(const struct land *land, const struct tw_coats *k, struct tw_coats_end *end)
{
    for (size_t i = 0; i < (size_t)land->width * (size_t)land->height; i++) {
        double fall = tw_coats_rain(k, land->a[i]);
        land->w[i] += fall;
        end->rained += fall;
    }
}

/* Runs one step, after its rain. */
static enum tw_status make_step(struct tw_task *task, const struct land *land,
                                const struct tw_coats *k, int32_t step, struct tw_coats_end *end)
{
    size_t count = (size_t)land->width * (size_t)land->height;
    if (step % k->rain_period == 0)
        rain(land, k, end);
    for (int32_t y = 0; y < land->height; y++) {
        if (y % 64 == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        for (int32_t x = 0; x < land->width; x++)
            visit(land, x, y);
    }
    for (size_t i = 0; i < count; i++)
        land->w[i] *= 1.0 - (double)k->evaporation;
    end->steps = step + 1;
    if (tw_coats_looks(k, step)) {
        end->now = range_of(land, false);
        tw_coats_judge(end, k);
    }
    tw_task_progress(task, (double)(step + 1) / k->steps);
    return TW_OK;
}

static void load(const struct land *land, const struct tw_coats_maps *maps)
{
    for (size_t i = 0; i < (size_t)land->width * (size_t)land->height; i++) {
        land->a[i] = (double)maps->altitude[i];
        land->w[i] = (double)maps->water[i];
        land->s[i] = (double)maps->sediment[i];
    }
}

static void unload(const struct land *land, const struct tw_coats_maps *maps)
{
    for (size_t i = 0; i < (size_t)land->width * (size_t)land->height; i++) {
        maps->altitude[i] = (float)land->a[i];
        maps->water[i] = (float)land->w[i];
        maps->sediment[i] = (float)land->s[i];
    }
}

enum tw_status tw_coats_at_once(struct tw_task *task, const struct tw_coats *k,
                                const struct tw_coats_maps *maps, bool store, void *memory,
                                struct tw_coats_end *end)
{
    struct land land = {.a = memory,
                        .width = tw_task_width(task),
                        .height = tw_task_height(task),
                        .Kc = (double)k->capacity,
                        .Kd = (double)k->deposition,
                        .Ks = (double)k->softness,
                        .shares = k->shares};
    size_t count = (size_t)land.width * (size_t)land.height;
    enum tw_status status = TW_OK;
    land.w = land.a + count;
    land.s = land.w + count;
    load(&land, maps);
    *end = (struct tw_coats_end){.terrain = range_of(&land, true)};
    for (int32_t step = 0; step < k->steps && status == TW_OK && !end->unstable; step++)
        status = make_step(task, &land, k, step, end);
    if (status == TW_OK && store && !end->unstable)
        unload(&land, maps);
    return status;
}

void *tw_coats_at_once_lay_out(struct tw_scratch *s)
{
    struct land land;
    return tw_scratch_maps(s, 3, sizeof *land.a);
}
