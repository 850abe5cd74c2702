/* SPDX-License-Identifier: MIT */
/* Beds and earthworks along lines: rivers with banks and levees, roads with cuts and fills (whose
 * shoulders bound the ground by two slopes, after Galin and others 2010), trenches and dams. The
 * profiles are our own, as is that shoulders fade: where the ground is steeper than a bank, the
 * bank never meets it. */
#include "common/true_slope.h"
#include "path/kernels/earthwork.h"

#include <thalweg/masks.h>

struct params {
    int32_t kind;
    float bank, plain, fill, cut, shoulder;
    int32_t border;
};

enum { SLOPE_AUTO = -1 };

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, kind, TW_RIVER, "river|road|cut|raise",
                  "a river's bed with banks, a level road, a trench below z, or a dam above it"),
    TW_PARAM_F32(struct params, bank, 0.8, 0, 16, "half widths",
                 "of a river: from the bed's edge up to the crest of the bank"),
    TW_PARAM_F32(struct params, plain, 4, 0, 32, "widths",
                 "of a river: from the crest to the ground as it was"),
    TW_PARAM_F32_OR(struct params, fill, "auto", SLOPE_AUTO, SLOPE_AUTO, 0, 1e9,
                    TW_UNIT_RISE_PER_SIDE, "steepest bank below a road; auto: 34 degrees",
                    TW_USUAL(1, 30)),
    TW_PARAM_F32_OR(struct params, cut, "auto", SLOPE_AUTO, SLOPE_AUTO, 0, 1e9,
                    TW_UNIT_RISE_PER_SIDE, "steepest cutting above a road; auto: 45 degrees",
                    TW_USUAL(1, 30)),
    TW_PARAM_F32(struct params, shoulder, 1.5, 0, 32, "widths",
                 "of a road: how far from its edge it changes the ground", TW_USUAL(0, 6)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK, LINES };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_STRENGTH_PORT,
    {"lines", TW_LINES, TW_VARIADIC, "rivers or roads, one list or several"},
    TW_PORT_END,
};

enum { OUT, BED, DEPTH, SHOULDER, LEDGER };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain with the beds"},
    {"mask", TW_MASK, TW_ON_DEMAND, "the share of a cell that lies within half a width"},
    {"depth", TW_HEIGHTMAP, TW_ON_DEMAND, "z of the line above out where mask is above 0, else 0"},
    {"shoulder", TW_MASK, TW_ON_DEMAND,
     "banks and shoulders, from 1 at the bed to 0 where the ground is as it was"},
    {"ledger", TW_RECORD, TW_ON_DEMAND, "cut, fill: sums over cells, in heights"},
    TW_PORT_END,
};

struct sums {
    double cut, fill;
};

struct work {
    struct tw_task *task;
    struct tw_earthwork earthwork;
    struct tw_segments segments;
    struct sums *sums; /* of each tile */
    int32_t columns;   /* of tiles */
    const float *in, *strength;
    float *out, *bed, *depth, *shoulder;
};

static int32_t tiles_along(int32_t cells) { return (cells - 1) / TW_CARVED_TILE + 1; }

static int64_t count_points(const struct tw_scratch *s)
{
    int64_t points = 0;
    int count = s->forecast ? s->forecast->input_count : tw_task_input_count(s->task);
    for (int i = LINES; i < count; i++)
        points += s->forecast ? s->forecast->inputs[i] : tw_task_input(s->task, i)->width;
    return points;
}

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    const uint64_t columns = (uint64_t)tiles_along(tw_scratch_width(s));
    const uint64_t rows = (uint64_t)tiles_along(tw_scratch_height(s));
    const struct params *p = tw_scratch_params(s);
    w->segments.wrap = tw_scratch_wraps(s, p->border);
    w->sums = tw_scratch_take(s, columns * rows, sizeof *w->sums);
    return tw_segments_lay_out(s, count_points(s), &w->segments);
}

/* Writes what cell `cell` of the map, i of the tile, has become. */
static void write_cell(const struct work *w, const struct tw_carved_tile *tile, int32_t i,
                       size_t cell)
{
    const float share = w->strength ? w->strength[cell] : 1, bed = tile->bed[i];
    const float out = tw_strength_blend(tile->ground[i], tw_carved_tile_result(tile, i), share);
    w->out[cell] = out;
    if (w->bed)
        w->bed[cell] = bed;
    if (w->depth)
        w->depth[cell] = bed > 0 ? tw_max(tile->level[i] - out, 0) : 0;
    if (w->shoulder)
        w->shoulder[cell] = tile->bank[i] * (1 - bed);
}

/* Writes a row of a tile that no line reaches. */
static void pass_row(const struct work *w, size_t cell, size_t count)
{
    float *const empty[] = {w->bed, w->depth, w->shoulder};
    if (w->out != w->in)
        memcpy(w->out + cell, w->in + cell, count * sizeof *w->out);
    for (int k = 0; k < 3; k++)
        if (empty[k])
            memset(empty[k] + cell, 0, count * sizeof **empty);
}

static void book(struct sums *sums, float before, float after)
{
    double change = (double)after - (double)before;
    sums->cut -= change < 0 ? change : 0;
    sums->fill += change > 0 ? change : 0;
}

static void carve_tile(const struct work *w, int32_t index)
{
    struct tw_carved_tile tile = {.work = &w->earthwork, .simd = tw_task_simd(w->task)};
    tile.x = index % w->columns * TW_CARVED_TILE;
    tile.y = index / w->columns * TW_CARVED_TILE;
    const int32_t width = w->segments.width, right = width - tile.x, down = w->segments.height;
    const int32_t columns = right < TW_CARVED_TILE ? right : TW_CARVED_TILE;
    const int32_t rows = down - tile.y < TW_CARVED_TILE ? down - tile.y : TW_CARVED_TILE;
    const size_t corner = (size_t)tile.y * (size_t)width + (size_t)tile.x;
    const struct tw_segment_box box = {{tile.x, tile.y}, {tile.x + columns, tile.y + rows}};
    for (int32_t y = 0; y < rows; y++)
        memcpy(tile.ground + (ptrdiff_t)y * TW_CARVED_TILE,
               w->in + corner + (size_t)y * (size_t)width, (size_t)columns * sizeof(float));
    tw_segments_each(&w->segments, &box, tw_carved_tile_add, &tile);
    w->sums[index] = (struct sums){0};
    for (int32_t y = 0; y < rows; y++) {
        size_t cell = corner + (size_t)y * (size_t)width;
        if (!tile.reached)
            pass_row(w, cell, (size_t)columns);
        for (int32_t i = y * TW_CARVED_TILE; tile.reached && i < y * TW_CARVED_TILE + columns;
             i++, cell++) {
            write_cell(w, &tile, i, cell);
            book(&w->sums[index], tile.ground[i], w->out[cell]);
        }
    }
}

static void carve_tiles(void *context, int32_t begin, int32_t end)
{
    const struct work *w = context;
    for (int32_t i = begin; i < end && !tw_task_cancelled(w->task); i++)
        carve_tile(w, i);
}

static enum tw_status write_ledger(struct tw_task *task, const struct work *w, int32_t tiles)
{
    struct sums all = {0};
    for (int32_t i = 0; i < tiles; i++) {
        all.cut += w->sums[i].cut;
        all.fill += w->sums[i].fill;
    }
    enum tw_status status = tw_task_list(task, LEDGER, 2);
    if (status != TW_OK)
        return status;
    tw_record_set(tw_task_output(task, LEDGER), 0, "cut", all.cut);
    tw_record_set(tw_task_output(task, LEDGER), 1, "fill", all.fill);
    return TW_OK;
}

static struct tw_earthwork earthwork_of(const struct tw_task *task, const struct params *p)
{
    const double width = tw_task_width(task);
    double fill = p->fill == SLOPE_AUTO ? tw_rise_of_degrees(task, 34) : (double)p->fill;
    double cut = p->cut == SLOPE_AUTO ? tw_rise_of_degrees(task, 45) : (double)p->cut;
    return (struct tw_earthwork){.kind = p->kind,
                                 .bank = (double)p->bank,
                                 .plain = (double)p->plain,
                                 .shoulder = (double)p->shoulder,
                                 .fill = fill / width,
                                 .cut = cut / width};
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *strength = tw_task_input(task, MASK);
    struct work w = {.task = task,
                     .earthwork = earthwork_of(task, p),
                     .columns = tiles_along(tw_task_width(task)),
                     .in = tw_floats(tw_task_input(task, IN)),
                     .strength = strength ? tw_floats(strength) : NULL,
                     .out = tw_floats(tw_task_output(task, OUT)),
                     .bed = tw_floats(tw_task_output(task, BED)),
                     .depth = tw_floats(tw_task_output(task, DEPTH)),
                     .shoulder = tw_floats(tw_task_output(task, SHOULDER))};
    const int32_t tiles = w.columns * tiles_along(tw_task_height(task));
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    const struct tw_segment_rule rule = tw_earthwork_rule(&w.earthwork);
    enum tw_status status = tw_segments_gather(task, LINES, &rule, &w.segments);
    if (status != TW_OK)
        return status;
    tw_rows(task, tiles, 4, carve_tiles, &w);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    return tw_task_wants(task, LEDGER) ? write_ledger(task, &w, tiles) : TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
}

extern const struct tw_node_type tw_node_path_carve;
const struct tw_node_type tw_node_path_carve = {
    .name = "path.carve",
    .version = 1,
    .summary = "lay rivers, roads, trenches and dams into a terrain",
    .keywords = "river bed, carve river, road, cutting, embankment, levee, dam, ditch, canal, "
                "earthwork, bridge ramp, trench",
    .elsewhere = "Layout Generator (World Machine), Path (Hesiod), r.carve (GRASS)",
    .detail =
        "Lays the beds of rivers and the works of roads into a terrain, along the lines of "
        "path.line, path.meander or any other list. Choose erosion.stream_power for valleys that "
        "rivers cut by themselves, and feature.diffusion to shape whole slopes around curves.\n"
        "Height z, width w and depth d are linear between the points of a line, r is the distance "
        "from it, and a width counts as a cell at least. Where several lines reach a cell, the "
        "deepest cut and the highest bank that any of them asks for count, so the order of lines "
        "does not matter. Cells that no line reaches keep their bytes. Lines may leave the map; "
        "where borders meet they come in on the other side. Without lines, or without points, the "
        "terrain stays as it is; a line of one point is a round bed.\n"
        "kind: river. The bed, to w / 2, is:\n"
        "    z - d (1 - (2 r / w)^2);\n"
        "the bank rises smoothly to the crest, z + d / 4, at (1 + bank) w / 2, and the plain fades "
        "over `plain` widths, with u from 0 to 1:\n"
        "    crest + u^2 (3 - 2 u) (ground - crest).\n"
        "Beds only lower the ground; banks raise it by 0.02 at most, and never in a bed. Along a "
        "line, water and bed never rise: both keep their lowest value so far, whatever the points "
        "say.\n"
        "kind: road. Within w / 2 the ground is z of the nearest point (on ties of the line with "
        "the lower number, then of the earlier point). Beyond, at o = r - w / 2, it is held "
        "between two slopes:\n"
        "    z - fill o <= ground <= z + cut o;\n"
        "and that change fades to 0 at `shoulder` widths, since on ground steeper than the slopes "
        "a bank would never end. The defaults are true slopes, by `world:`, else on a map whose "
        "height 1 measures 0.15 sides.\n"
        "kind: cut, raise. A trench or a dam of the line's depth, within w / 2:\n"
        "    z -+ d (1 - t^2 (3 - 2 t)), t = 2 r / w.\n"
        "The time grows with the number of cells that the lines reach.",
    .cite = "galin2010",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.perlin}\n"
               "river: {type: path.line, interpolation: smooth, ground: land, points: [{x: 0.1, y: "
               "0.2, width: 0.02}, {x: 0.4, y: 0.6}, {x: 0.6, y: 0.4}, {x: 0.9, y: 0.8}]}\n"
               "bed: {type: path.carve, in: land, lines: [river]}",
    .physical = true,
    .bordered = true,
    .in_place = true,
    .run = run,
    .forecast = forecast,
};
