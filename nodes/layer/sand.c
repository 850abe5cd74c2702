/* SPDX-License-Identifier: MIT */
/* Dunes: slabs of sand hop with the wind on a lattice. Werner 1995, "Eolian dunes: computer
 * simulations and attractor interpretation". Two changes let all cells act at once: a sweep is
 * drawn on the state at its start, in which each cell of Werner's takes its turn, and sand in
 * shadow is not taken (Momiji and others 2000). Their faster wind over high ground keeps windward
 * sides gentle; here height counts from the mean around, as the rock has relief of its own, and a
 * hop ends in the first shadow on its way, so that sand falls on the slip face. Vegetation as in
 * Paris and others 2019, "Desertscape simulation". The lattice is not that of the map, as the size
 * of dunes is in cells and grows with sweeps. */
#include "layer/kernels/dunes.h"
#include "layer/kernels/lattice.h"
#include "layer/kernels/maps.h"
#include "layer/kernels/repose.h"

enum { LATTICE_AUTO = 0, CELLS_PER_DUNE = 45, COARSEST = 64, FINEST = 512 };
enum { REST_PASSES = 10000, SETTLING = 6, FIRST_SLABS = 2, DEEPEST = 1000, DEFAULT_DEPTH = 4 };

struct params {
    float spacing;
    int32_t lattice;
    int32_t sweeps;
    struct tw_table winds;
    float repose;
    float cover;
    int32_t border;
};

enum { AZIMUTH, SWEEPS };
static const struct tw_column columns[] = {
    {"azimuth", 270, -360, 360, true, TW_UNIT_DEGREES, "where it blows from, 0 is north, 90 east"},
    {"sweeps", 10, 1, 10000, false, "sweeps", "how long, before the next one's turn"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, spacing, 0.1, 0.001, 10, TW_UNIT_SIDE,
                 "from a dune to the next after 1500 sweeps; sets the lattice",
                 TW_USUAL(0.02, 0.3)),
    TW_PARAM_I32_OR(struct params, lattice, "auto", LATTICE_AUTO, LATTICE_AUTO, 8, 1024,
                    TW_UNIT_CELLS, "on the longer side; auto: 45 a spacing, 512 at most",
                    TW_USUAL(32, 512)),
    TW_PARAM_I32(struct params, sweeps, 1500, 0, 10000, "sweeps", "of all winds together"),
    TW_PARAM_TABLE(struct params, winds, columns, "winds in turn; by default one from 270 degrees"),
    TW_PARAM_REPOSE(struct params, 33),
    TW_PARAM_COVER(struct params),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { ROCK, SUPPLY, HOLD, WHERE };
static const struct tw_port inputs[] = {
    {"rock", TW_HEIGHTMAP, 0, "the ground, which stays"},
    {"supply", TW_HEIGHTMAP, TW_OPTIONAL,
     "depth of sand at the start; if not given, 4 cells of the lattice everywhere"},
    {"hold", TW_MASK, TW_OPTIONAL, "vegetation, which catches sand and keeps it; 0 if not given"},
    {"where", TW_MASK, TW_OPTIONAL, "share of the sand that stays at the end; 1 if not given"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "rock and the sand on it"},
    {"sand", TW_HEIGHTMAP, TW_ON_DEMAND, "depth of the sand"},
    TW_LAYER_MASK,
    {"ledger", TW_RECORD, TW_ON_DEMAND,
     "in: supply; out: blown over closed borders or cut by `where`; sand: what lies at the end; "
     "sums over cells, in heights"},
    TW_PORT_END,
};

static struct tw_rule check(const void *given)
{
    const struct params *p = given;
    if (p->lattice == LATTICE_AUTO && CELLS_PER_DUNE / (double)p->spacing < COARSEST)
        return TW_RULE("spacing", "at most 0.7, which makes a lattice of 64 cells, or a `lattice`");
    return TW_RULES_HOLD;
}

struct work {
    struct tw_dunes dunes;
    struct tw_grid rock, supply, hold; /* on the lattice; cells NULL for none */
    float *depth, *next;               /* of sand on the lattice */
    float *fine, *ground;              /* on the map: depth, and the lattice's rock */
    double cell;                       /* of the lattice, in heights */
    double given;                      /* sum of supply, in heights over cells of the map */
    int64_t slabs;                     /* at the start */
};

/* Sets the lattice's sides; its cells are as square as whole numbers allow. */
static void size_lattice(const struct params *p, int32_t width, int32_t height, struct tw_dunes *d)
{
    const double longer = width > height ? width : height;
    double cells = (double)p->lattice;
    if (p->lattice == LATTICE_AUTO) {
        cells = CELLS_PER_DUNE / (double)p->spacing * (longer / width);
        cells = cells < FINEST ? cells : FINEST;
    }
    d->width = (int32_t)(cells * width / longer + 0.5);
    d->height = (int32_t)(cells * height / longer + 0.5);
    d->width = d->width > 0 ? d->width : 1;
    d->height = d->height > 0 ? d->height : 1;
}

static void lay_out_grid(struct tw_scratch *s, const struct tw_dunes *d, int input,
                         struct tw_grid *grid)
{
    *grid = (struct tw_grid){.width = d->width, .height = d->height};
    if (tw_scratch_has_input(s, input))
        grid->cells = tw_scratch_take(s, (uint64_t)d->width * (uint64_t)d->height, sizeof(float));
}

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    const struct params *p = tw_scratch_params(s);
    struct tw_dunes *d = &w->dunes;
    size_lattice(p, tw_scratch_width(s), tw_scratch_height(s), d);
    d->wraps = tw_scratch_wraps(s, p->border);
    tw_dunes_lay_out(s, d);
    w->rock = (struct tw_grid){d->rock, d->width, d->height};
    lay_out_grid(s, d, SUPPLY, &w->supply);
    lay_out_grid(s, d, HOLD, &w->hold);
    const uint64_t cells = (uint64_t)d->width * (uint64_t)d->height;
    w->depth = tw_scratch_take(s, cells, sizeof *w->depth);
    w->next = tw_scratch_take(s, cells, sizeof *w->next);
    w->fine = tw_scratch_maps(s, 1, sizeof *w->fine);
    w->ground = tw_scratch_maps(s, 1, sizeof *w->ground);
    return tw_scratch_is_laid(s);
}

/* Depths count from 0 to 1000 cells of the lattice. */
static float supplied(const struct work *w, const float *supply, size_t i)
{
    const double most = DEEPEST * w->cell;
    if (!supply)
        return (float)(DEFAULT_DEPTH * w->cell);
    return supply[i] <= 0 ? 0 : (double)supply[i] > most ? (float)most : supply[i];
}

static enum tw_status bring_inputs(struct tw_task *task, struct work *w)
{
    const struct tw_grid *grids[] = {&w->rock, &w->supply, &w->hold};
    enum tw_status status = TW_OK;
    for (int input = ROCK; input <= HOLD && status == TW_OK; input++) {
        if (!tw_task_input(task, input))
            continue;
        const size_t count = tw_value_count(tw_task_input(task, input));
        const float *cells = tw_layer_cells(task, input);
        for (size_t i = 0; i < count; i++)
            w->fine[i] = input == SUPPLY ? supplied(w, cells, i) : cells[i];
        const struct tw_grid from = {w->fine, tw_task_width(task), tw_task_height(task)};
        status = tw_lattice_bring(task, &from, grids[input], w->dunes.wraps);
    }
    return status;
}

/* Returns a height of rock in slabs, within what floats hold well. */
static float in_slabs(const struct work *w, float rock)
{
    const double slabs = (double)rock * TW_DUNES_SLABS_PER_CELL / w->cell;
    return (float)(slabs < -1e8 ? -1e8 : slabs > 1e8 ? 1e8 : slabs);
}

/* Turns heights into slabs: of fractions as many are whole as a draw decides. */
static void fill(struct tw_task *task, struct work *w)
{
    struct tw_dunes *d = &w->dunes;
    const double slab = w->cell / TW_DUNES_SLABS_PER_CELL;
    const float *supply = tw_layer_cells(task, SUPPLY);
    for (int32_t i = 0; i < d->width * d->height; i++) {
        const double depth = w->supply.cells ? (double)w->supply.cells[i] / slab
                                             : DEFAULT_DEPTH * TW_DUNES_SLABS_PER_CELL;
        const float draw = tw_uniform(tw_random(d->seed, (uint32_t)i, 0, FIRST_SLABS, 0).at[0]);
        d->rock[i] = in_slabs(w, d->rock[i]);
        d->sand[i] = depth > 0 ? (int32_t)(depth + (double)draw) : 0;
        w->slabs += d->sand[i];
        if (w->hold.cells)
            w->hold.cells[i] = tw_clamp(w->hold.cells[i], 0, 1);
    }
    for (size_t i = 0; i < tw_value_count(tw_task_input(task, ROCK)); i++)
        w->given += (double)supplied(w, supply, i);
}

/* Winds blow in turn until all sweeps are done; then sand falls until it rests. */
static enum tw_status blow(struct tw_task *task, struct tw_dunes *d)
{
    const struct params *p = tw_task_params(task);
    static const float one[] = {270, 10000};
    const struct tw_table winds =
        p->winds.rows > 0 ? p->winds : (struct tw_table){.rows = 1, .columns = 2, .at = one};
    tw_dunes_raise(task, d);
    for (int32_t turn = 0; d->sweep < p->sweeps; turn = (turn + 1) % winds.rows) {
        const float *row = winds.at + (size_t)turn * (size_t)winds.columns;
        const struct tw_wind wind = tw_dunes_wind((double)row[AZIMUTH]);
        for (int32_t i = 0; i < (int32_t)row[SWEEPS] && d->sweep < p->sweeps; i++) {
            if (tw_task_cancelled(task))
                return TW_CANCELLED;
            tw_dunes_sweep(task, d, &wind);
            tw_task_progress(task, (double)d->sweep / p->sweeps);
        }
    }
    tw_dunes_fall(task, d, REST_PASSES);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

static double sum_of(const float *cells, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)cells[i];
    return sum;
}

/* Levels sand over detail of the rock that the lattice does not have: where it is a cell of the
 * lattice deep, its surface is that of the lattice. */
static float over_detail(const struct work *w, size_t i, float rock)
{
    const float depth = w->fine[i], share = tw_clamp(depth / TW_DUNES_SLABS_PER_CELL, 0, 1);
    return tw_max(depth + share * (w->ground[i] - in_slabs(w, rock)), 0);
}

/* Turns slabs into heights, so that the sum is `total`. */
static void scale_to(const struct work *w, size_t count, double total)
{
    const double sum = sum_of(w->fine, count), scale = sum > 0 ? total / sum : 0;
    for (size_t i = 0; i < count; i++)
        w->fine[i] = (float)((double)w->fine[i] * scale);
}

/* Brings the sand up to the map's cells: bicubic, cut at 0, its sum restored. */
static enum tw_status bring_up(struct tw_task *task, struct work *w)
{
    const struct tw_dunes *d = &w->dunes;
    const int32_t width = tw_task_width(task), height = tw_task_height(task);
    const size_t count = (size_t)width * (size_t)height;
    const struct tw_grid map = {w->fine, width, height}, ground = {w->ground, width, height};
    for (int32_t i = 0; i < d->width * d->height; i++)
        w->depth[i] = (float)d->sand[i];
    struct tw_sand_settling s = {d->rock, w->depth, w->next, d->width, d->height, d->wraps};
    tw_lattice_settle(task, &s, SETTLING);
    const struct tw_grid lattice = {s.sand, d->width, d->height};
    enum tw_status status = tw_lattice_bring(task, &lattice, &map, d->wraps);
    if (status == TW_OK)
        status = tw_lattice_bring(task, &w->rock, &ground, d->wraps);
    if (status != TW_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        w->fine[i] = over_detail(w, i, tw_layer_cells(task, ROCK)[i]);
    scale_to(w, count, w->given * ((double)(w->slabs - d->gone) / (double)w->slabs));
    return TW_OK;
}

struct totals {
    double cut, sand;
};

/* Writes the maps; returns the sums of what `where` cut and of what lies there. */
static struct totals store(struct tw_task *task, const struct work *w)
{
    const struct params *p = tw_task_params(task);
    const struct tw_layer_maps maps = tw_layer_maps_of(task, p->cover);
    const float *where = tw_layer_cells(task, WHERE);
    struct totals totals = {0, 0};
    for (size_t i = 0; i < tw_value_count(tw_task_input(task, ROCK)); i++) {
        const float depth = where ? tw_clamp(where[i], 0, 1) * w->fine[i] : w->fine[i];
        totals.cut += (double)w->fine[i] - (double)depth;
        totals.sand += (double)depth;
        tw_layer_store(&maps, i, depth);
    }
    return totals;
}

static enum tw_status book(struct tw_task *task, const struct work *w, const struct totals *totals)
{
    const double gone = w->slabs > 0 ? (double)w->dunes.gone / (double)w->slabs : 0;
    struct tw_value *ledger = tw_task_output(task, TW_LAYER_LEDGER);
    if (!tw_task_wants(task, TW_LAYER_LEDGER))
        return TW_OK;
    const enum tw_status status = tw_task_list(task, TW_LAYER_LEDGER, 3);
    if (status != TW_OK)
        return status;
    tw_record_set(ledger, 0, "in", w->given);
    tw_record_set(ledger, 1, "out", w->given * gone + totals->cut);
    tw_record_set(ledger, 2, "sand", totals->sand);
    return TW_OK;
}

static void set_scale(struct tw_task *task, struct work *w)
{
    const struct params *p = tw_task_params(task);
    const double side = w->dunes.width; /* in cells of the lattice */
    w->cell = 1 / (side * tw_height_in_sides(task));
    w->dunes.rise = tw_repose_slope(task, p->repose, 33) / side / w->cell * TW_DUNES_SLABS_PER_CELL;
    w->dunes.seed = tw_task_seed(task);
    w->dunes.hold = w->hold.cells;
}

static enum tw_status run(struct tw_task *task)
{
    struct work w = {.slabs = 0};
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    set_scale(task, &w);
    enum tw_status status = bring_inputs(task, &w);
    if (status != TW_OK)
        return status;
    fill(task, &w);
    if (w.slabs > 0)
        status = blow(task, &w.dunes);
    if (status == TW_OK && w.slabs > 0)
        status = bring_up(task, &w);
    if (status != TW_OK)
        return status;
    for (size_t i = 0; w.slabs == 0 && i < tw_value_count(tw_task_input(task, ROCK)); i++)
        w.fine[i] = supplied(&w, tw_layer_cells(task, SUPPLY), i);
    const struct totals totals = store(task, &w);
    return book(task, &w, &totals);
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
}

extern const struct tw_node_type tw_node_layer_sand;
const struct tw_node_type tw_node_layer_sand = {
    .name = "layer.sand",
    .version = 1,
    .summary = "dunes: sand that the wind lays on rock",
    .keywords = "dune, desert, barchan, wind, aeolian, eolian, erg, transverse, star dune, seif, "
                "ripples, sahara",
    .elsewhere = "DuneSea (Gaea), Sand (Gaea)",
    .detail =
        "Lays dunes on rock: sand that the wind moves, with slip faces to the lee. Much sand under "
        "one wind makes transverse ridges, little of it barchans; two winds make long ridges, three "
        "make stars. Choose noise.phasor for ripples and for dunes as a mere pattern.\n"
        "Sand is counted in slabs of a third of a cell of the lattice. In a sweep a slab leaves each "
        "lit cell with sand by chance, 1 in 4. It hops L cells downwind and stays with probability "
        "p, else hops on; a hop ends in the first shadow on its way:\n"
        "    p = 0.6 on sand, 0.4 on rock, 1 in shadow.\n"
        "Wind is faster over high ground, so windward sides stay gentle. With h the slab's height in "
        "slabs above the mean of 97 x 97 cells around, taken anew every 16 sweeps, L is between 1 "
        "and 24:\n"
        "    L = 5 + 0.8 h.\n"
        "A cell is in shadow if it lies below a line that falls by 15 degrees from any cell "
        "upwind. Then sand slides, up to 4 times, where it lies steeper than repose by a slab or "
        "more: half of the excess, to the steepest neighbour. After the last sweep it slides until "
        "all rests.\n"
        "spacing: dunes grow with sweeps, in cells of the lattice, so the lattice sets their size: "
        "auto takes 45 cells a spacing, at most 512 on the longer side, so under a spacing of 0.088 "
        "dunes are wider than asked. Measured at 256 cells with 4 cells of sand: "
        "ridges 37 cells apart after 1500 sweeps, 22 after 400. For rows of barchans give 0.7 cells.\n"
        "winds: rows of azimuth and sweeps, in turn, until `sweeps` are done. For long ridges try "
        "azimuths 201 and 339 with 3 sweeps each, for stars 30, 150 and 270 with 10 each, and 3000 "
        "sweeps.\n"
        "supply: by default 4 cells of the lattice everywhere; depths count from 0 to 1000 cells. "
        "Without sand the rock keeps its heights bit for bit; sand of less than a slab in all lies "
        "as given.\n"
        "hold: vegetation v raises p to p + (1 - p) v and keeps a slab from leaving with chance v. "
        "where: what share of the sand is kept at the end; wind blows over the whole map.\n"
        "At the end sand creeps a little, which smooths its steps, and is interpolated to the "
        "map's cells: bicubic, cut at 0, with its sum restored. A lattice finer than the map is "
        "averaged. Where sand is at least a cell of the lattice deep, its surface does not show "
        "detail of the rock that is finer than the lattice. Over a closed border sand leaves and "
        "none comes: the ledger's `out`:\n"
        "    in - out = sum(sand).\n"
        "Time depends on the lattice, not on the map: with the defaults some 15 seconds on one "
        "thread, 55 microseconds a cell at 512, of which workers share all but a fifth.",
    .cite = "werner1995 momiji2000 paris2019",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "dunes: {type: layer.sand, rock: noise, lattice: 64, sweeps: 60}",
    .random = true,
    .physical = true,
    .bordered = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
