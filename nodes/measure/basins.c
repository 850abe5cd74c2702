/* SPDX-License-Identifier: MIT */
/* Catchments: the ground that drains to one outlet, by D8 (O'Callaghan and Mark 1984) over the
 * lowest passes of depressions (Barnes, Lehman, Mulla 2014). */
#include "common/drainage/outlets.h"
#include "common/ranking.h"

#include <thalweg/scratch.h>

struct params {
    float least_area;
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, least_area, 0, 0, 1, TW_UNIT_SHARE,
                 "of the map: outputs leave out smaller basins", TW_USUAL(0, 0.1)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_CLOSED(struct params),
    TW_PARAM_END,
};

enum { IN, OUTLETS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_OUTLETS_PORT,
    TW_PORT_END,
};

enum { LABELS, AREA, OUTLET, RECORD };
static const struct tw_port outputs[] = {
    {"labels", TW_LABELS, 0, "1 on the largest basin, then by size; 0 where it is left out"},
    {"area", TW_HEIGHTMAP, TW_ON_DEMAND, "of the cell's basin, share of the map"},
    {"outlet", TW_POINTS, 0,
     "where each basin drains to, by its label, which is the point's feature; cost is its area"},
    {"record", TW_RECORD, 0,
     "basins: their number; share, largest: of the map, all basins and the largest"},
    TW_PORT_END,
};

struct work {
    struct tw_drainage d;
    struct tw_exits exits;
    int32_t *root; /* the outlet that a cell drains to */
    int32_t *size; /* of an outlet: the cells of its basin, then its label */
    struct tw_ranked *ranks;
};

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    int32_t width = tw_scratch_width(s), height = tw_scratch_height(s);
    uint64_t cells = (uint64_t)width * (uint64_t)height;
    uint64_t usual = 2 * ((uint64_t)width + (uint64_t)height);
    w->root = tw_scratch_maps(s, 1, sizeof *w->root);
    w->size = tw_scratch_maps(s, 1, sizeof *w->size);
    w->ranks = tw_scratch_reserve(s, cells, sizeof *w->ranks, usual < cells ? usual : cells);
    return tw_scratch_is_laid(s);
}

/* ---- outlets that touch are one, but for those of an open border ---- */

static bool joins(const struct work *w, int32_t cell)
{
    const struct tw_drainage *d = &w->d;
    if (d->to[cell] != TW_OUTLET)
        return false;
    bool open = !w->exits.wrap && tw_exits_open(w->exits.closed, cell % d->width, cell / d->width,
                                                d->width, d->height);
    return !open || (w->exits.marked && w->exits.marked[cell] >= 0.5f);
}

static int32_t first_of(int32_t *root, int32_t cell)
{
    while (root[cell] != cell) {
        root[cell] = root[root[cell]];
        cell = root[cell];
    }
    return cell;
}

static void join_outlets(struct work *w)
{
    const struct tw_drainage *d = &w->d;
    for (int32_t i = 0; i < d->cells; i++)
        w->root[i] = i;
    for (int32_t i = 0; d->outlet && i < d->cells; i++)
        for (int k = 0; joins(w, i) && k < 8; k++) {
            int32_t next = tw_drainage_neighbour(d, i, k);
            if (next < 0 || !joins(w, next))
                continue;
            int32_t a = first_of(w->root, i), b = first_of(w->root, next);
            w->root[a > b ? a : b] = a > b ? b : a;
        }
}

/* ---- basins ---- */

static void find_roots(struct work *w)
{
    const struct tw_drainage *d = &w->d;
    join_outlets(w);
    for (int32_t i = 0; i < d->cells; i++)
        w->size[i] = 0;
    for (int32_t i = 0; i < d->cells; i++) { /* receivers come before their donors */
        int32_t cell = d->order[i];
        w->root[cell] = d->to[cell] == TW_OUTLET
                            ? first_of(w->root, cell)
                            : w->root[tw_drainage_neighbour(d, cell, d->to[cell])];
        w->size[w->root[cell]]++;
    }
}

/* Ranks the basins that outputs show, and makes sizes labels; returns their number. */
static int32_t rank_basins(const struct params *p, struct work *w)
{
    int32_t count = 0;
    for (int32_t i = 0; i < w->d.cells; i++)
        if (w->size[i] > 0 && (float)w->size[i] / (float)w->d.cells >= p->least_area)
            w->ranks[count++] = (struct tw_ranked){w->size[i], i, i};
    tw_rank(w->ranks, count);
    for (int32_t i = 0; i < w->d.cells; i++)
        w->size[i] = 0;
    for (int32_t i = 0; i < count; i++)
        w->size[w->ranks[i].item] = i + 1;
    return count;
}

struct writing {
    const struct work *w;
    int32_t *labels;
    float *area;
};

static void write_rows(void *context, int32_t begin, int32_t end)
{
    const struct writing *out = context;
    const struct work *w = out->w;
    for (int32_t i = begin * w->d.width; i < end * w->d.width; i++) {
        int32_t label = w->size[w->root[i]];
        out->labels[i] = label;
        if (out->area)
            out->area[i] = label ? (float)((double)w->ranks[label - 1].size / w->d.cells) : 0;
    }
}

static enum tw_status write_lists(struct tw_task *task, const struct work *w, int32_t count)
{
    double cells = w->d.cells, covered = 0;
    enum tw_status status = tw_task_list(task, OUTLET, count);
    if (status == TW_OK)
        status = tw_task_list(task, RECORD, 3);
    if (status != TW_OK)
        return status;
    struct tw_point *points = tw_points(tw_task_output(task, OUTLET));
    for (int32_t i = 0; i < count; i++) {
        int32_t cell = w->ranks[i].item, x = cell % w->d.width, y = cell / w->d.width;
        points[i] = (struct tw_point){((float)x + 0.5f) / (float)w->d.width,
                                      ((float)y + 0.5f) / (float)w->d.height,
                                      (float)((double)w->ranks[i].size / cells), i + 1, 0};
        covered += (double)w->ranks[i].size;
    }
    struct tw_value *record = tw_task_output(task, RECORD);
    tw_record_set(record, 0, "basins", count);
    tw_record_set(record, 1, "share", covered / cells);
    tw_record_set(record, 2, "largest", count > 0 ? (double)w->ranks[0].size / cells : 0);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, IN));
    struct work w;
    enum tw_status status = tw_exits_read(task, &p->closed, tw_task_input(task, OUTLETS),
                                          tw_task_wraps(task, p->border), &w.exits);
    if (status == TW_OK)
        status = tw_drainage_init_world(task, &w.d, in, &w.exits);
    if (status == TW_OK)
        status = tw_drainage_route(task, &w.d, in);
    if (status != TW_OK)
        return status;
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    find_roots(&w);
    int32_t count = rank_basins(p, &w);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    struct writing writing = {&w, tw_labels(tw_task_output(task, LABELS)),
                              tw_floats(tw_task_output(task, AREA))};
    tw_rows(task, w.d.height, 32, write_rows, &writing);
    return write_lists(task, &w, count);
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    struct work w;
    bool wrap = tw_forecast_wraps(f, p->border);
    tw_drainage_world_forecast(f, tw_exits_need_map(f, &p->closed, wrap, OUTLETS));
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
    f->lists[OUTLET] = 2 * ((int64_t)f->width + f->height);
}

extern const struct tw_node_type tw_node_measure_basins;
const struct tw_node_type tw_node_measure_basins = {
    .name = "measure.basins",
    .version = 1,
    .summary = "which ground drains to which outlet",
    .keywords =
        "catchments, watersheds, drainage basins, divides, river basins, outlet, pour point",
    .elsewhere = "r.basins.fill (GRASS), Watershed Basins (SAGA), Basin "
                 "(ArcGIS), Watershed (ArcGIS), Basins (WhiteboxTools)",
    .detail =
        "Divides a map into basins: the cells whose water leaves at one outlet, with their area "
        "and where that is. Choose measure.flow for the area upstream of each cell, and "
        "water.rivers for the rivers in a basin and their Strahler order.\n"
        "Water runs by D8 and leaves depressions over their lowest pass, as in measure.flow. "
        "Basins are numbered by falling size, on ties by their outlet in reading order. "
        "least_area leaves small ones out of all outputs: an open border has one at nearly each "
        "of its cells.\n"
        "Marked outlets that touch are one, such as the cells of a lake or a sea, and so are the "
        "lowest cells of a torus. For the basin of one river, close all four sides and mark its "
        "mouth, or take the label there." TW_CHOSEN_OUTLETS_DETAIL,
    .cite = "ocallaghan1984 barnes2014 cordonnier2019",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.midpoint}\n"
               "basins: {type: measure.basins, in: land, border: closed, least_area: 0.01}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
