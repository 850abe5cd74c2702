/* SPDX-License-Identifier: MIT */
#include "water/kernels/river_net.h"

enum { CELLS_PER_STEM = 64 /* of natural land */ };

bool tw_river_net_lay_out(struct tw_scratch *s, struct tw_river_net *net, int flow, int order)
{
    uint64_t cells = (uint64_t)tw_scratch_width(s) * (uint64_t)tw_scratch_height(s);
    net->outlet = tw_scratch_maps(s, 1, sizeof *net->outlet);
    net->sum = tw_scratch_maps(s, 1, sizeof *net->sum);
    net->level = tw_scratch_maps(s, 1, sizeof *net->level);
    net->flow = tw_scratch_output(s, flow);
    net->order = (int32_t *)(void *)tw_scratch_output(s, order);
    net->stems = tw_scratch_reserve(s, cells, sizeof *net->stems, cells / CELLS_PER_STEM + 1);
    return tw_scratch_is_laid(s);
}

void tw_river_net_forecast(struct tw_forecast *f)
{
    tw_drainage_forecast(f);
    tw_drainage_open_forecast(f);
}

/* ---- flow ---- */

static void gather(struct tw_river_net *net)
{
    const struct tw_drainage *d = &net->d;
    for (int32_t i = 0; i < d->cells; i++)
        net->sum[i] = tw_rain_on(&net->rain, (size_t)i);
    for (int32_t i = d->cells; i-- > 0;) {
        int32_t cell = d->order[i];
        if (d->to[cell] != TW_OUTLET)
            net->sum[tw_drainage_neighbour(d, cell, d->to[cell])] += net->sum[cell];
    }
}

static void share_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_river_net *net = context;
    int32_t width = net->d.width;
    double total = net->rain.total > 0 ? (double)net->rain.total : 1;
    for (int32_t i = begin * width; i < end * width; i++)
        net->flow[i] = (float)((double)net->sum[i] / total);
}

/* ---- orders and stems ---- */

/* The rivers that run into a cell. */
struct donors {
    int main, count; /* of the greatest flow; how many */
    int32_t order;   /* that they give the cell */
};

static struct donors donors_of(const struct tw_river_net *net, int32_t cell)
{
    struct donors found = {.main = TW_OUTLET, .order = 1};
    int32_t greatest = -1, highest = 0, alike = 0;
    for (unsigned bits = net->d.from[cell]; bits; bits &= bits - 1) {
        int k = __builtin_ctz(bits);
        int32_t donor = tw_drainage_neighbour(&net->d, cell, k), order = net->order[donor];
        if (!tw_river_runs(net, donor))
            continue;
        found.count++;
        alike = order > highest ? 1 : alike + (order == highest);
        highest = order > highest ? order : highest;
        int64_t most = greatest < 0 ? -1 : net->sum[greatest];
        if (net->sum[donor] > most || (net->sum[donor] == most && donor < greatest)) {
            greatest = donor;
            found.main = k;
        }
    }
    if (found.count > 0)
        found.order = highest + (alike > 1);
    return found;
}

static void end_stem(struct tw_river_net *net, int32_t cell)
{
    net->stems[net->count] = (struct tw_ranked){net->sum[cell], cell, net->count};
    net->count++;
}

/* Every donor but the main one ends at the cell. */
static void end_donors(struct tw_river_net *net, int32_t cell, int main)
{
    for (unsigned bits = net->d.from[cell]; bits; bits &= bits - 1) {
        int k = __builtin_ctz(bits);
        int32_t donor = tw_drainage_neighbour(&net->d, cell, k);
        if (k != main && tw_river_runs(net, donor))
            end_stem(net, donor);
    }
}

static void follow_rivers(struct tw_river_net *net)
{
    net->count = net->mouths = 0;
    for (int32_t i = net->d.cells; i-- > 0;) {
        int32_t cell = net->d.order[i];
        net->order[cell] = 0;
        if (!tw_river_runs(net, cell))
            continue;
        struct donors donors = donors_of(net, cell);
        net->order[cell] = donors.order;
        net->donor[cell] = (uint8_t)(donors.main | (donors.count > 1 ? TW_RIVER_JOINED : 0));
        if (donors.count > 1)
            end_donors(net, cell, donors.main);
        if (donors.count > 0 && net->d.to[cell] == TW_OUTLET) {
            end_stem(net, cell);
            net->mouths++;
        }
    }
}

enum tw_status tw_river_net_find(struct tw_task *task, struct tw_river_net *net,
                                 const float *heights, bool wrap)
{
    struct tw_drainage *d = &net->d;
    enum tw_status status = tw_drainage_init(task, d);
    if (status == TW_OK)
        status = tw_drainage_open(task, net->outlet, wrap, d);
    if (status == TW_OK)
        status = tw_drainage_route(task, d, heights);
    if (status != TW_OK)
        return status;
    tw_task_progress(task, 0.6);
    tw_drainage_fill(task, d, heights, net->level);
    gather(net);
    tw_rows(task, d->height, 16, share_rows, net);
    tw_task_progress(task, 0.8);
    net->donor = d->edge;
    follow_rivers(net);
    tw_rank(net->stems, net->count);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}
