/* SPDX-License-Identifier: MIT */
/* Coastal erosion: waves cut cliffs and platforms into exposed shores and lay some of what they
 * took on sheltered ones as beaches. After the shore platforms of Trenhaile 2019, "Hard-Rock
 * Coastal Modelling", and the beach profile of Dean 1991, "Equilibrium Beach Profiles": a depth of
 * A x^(2/3) at a distance x. Deviation: no time passes between steps; the sea takes ground in the
 * order in which a front arrives that is as fast as the waves, the rock and the height of the land
 * allow. */
#include "erosion/kernels/coast/coast.h"
#include "erosion/kernels/ground_maps.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>

#include <string.h>

#define LEVEL_AUTO (-2e6f)

static const struct tw_param params[] = {
    TW_PARAM_F32_OR(struct tw_coast_params, level, "auto", LEVEL_AUTO, LEVEL_AUTO, -1e6, 1e6,
                    TW_UNIT_HEIGHT, "of the sea; auto: the sea_level of the recipe's world",
                    TW_USUAL(0, 1)),
    TW_PARAM_F32(struct tw_coast_params, azimuth, 270, 0, 360, TW_UNIT_DEGREES,
                 "where the waves come from, clockwise from north"),
    TW_PARAM_F32(struct tw_coast_params, reach, 0.3, 0, 2, TW_UNIT_SIDE,
                 "open water beyond which waves grow no more"),
    TW_PARAM_F32(struct tw_coast_params, retreat, 0.02, 0, 1, TW_UNIT_SIDE,
                 "how far the most exposed shores of low, soft ground go back", TW_USUAL(0, 0.1)),
    TW_PARAM_F32(struct tw_coast_params, power, 1.5, 0, 8, "", "of the exposure in that"),
    TW_PARAM_F32(struct tw_coast_params, tall, 0.04, 1e-6, 1e6, TW_UNIT_HEIGHT,
                 "land this high above the sea goes back half as far", TW_USUAL(0.005, 0.3)),
    TW_PARAM_F32(struct tw_coast_params, cliff, 11.5, 1e-3, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slope of the cliffs", TW_USUAL(2, 40)),
    TW_PARAM_F32(struct tw_coast_params, platform, 0.13, 0, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slope of the platform before them", TW_USUAL(0, 1)),
    TW_PARAM_F32(struct tw_coast_params, berm, 0.0013, 1e-6, 1e6, TW_UNIT_HEIGHT,
                 "height of beaches above the sea; platforms begin at half of it",
                 TW_USUAL(0.0003, 0.01)),
    TW_PARAM_F32(struct tw_coast_params, beach, 0.53, 1e-3, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slope of beaches above the water", TW_USUAL(0.1, 3)),
    TW_PARAM_F32(struct tw_coast_params, share, 0.5, 0, 1, TW_UNIT_SHARE,
                 "most of what is taken that may lie on beaches"),
    TW_PARAM_BORDER(struct tw_coast_params, border),
    TW_PARAM_END,
};

enum { IN, MASK, HARDNESS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "land and sea floor"},
    TW_STRENGTH_PORT,
    TW_HARDNESS_PORT,
    TW_PORT_END,
};

enum { OUT, CUT, SAND, LEDGER };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "with cliffs, platforms and beaches"},
    {"cut", TW_MASK, TW_ON_DEMAND, "1 where the sea has taken land"},
    {"sand", TW_HEIGHTMAP, TW_ON_DEMAND, "depth of the sand laid down"},
    {"ledger", TW_RECORD, TW_ON_DEMAND, "eroded, sand, lost: sums over cells, in heights"},
    TW_PORT_END,
};

static bool lay_out(struct tw_scratch *s, struct tw_coast *c)
{
    c->changed = tw_scratch_maps(s, 1, sizeof *c->changed);
    c->ahead = tw_scratch_maps(s, 1, sizeof *c->ahead);
    c->slow = tw_scratch_maps(s, 1, sizeof *c->slow);
    c->sand = tw_scratch_output(s, SAND);
    c->kind = tw_scratch_maps(s, 1, sizeof *c->kind);
    return tw_fast_marching_lay_out(s, &c->march);
}

static enum tw_status write_outputs(struct tw_coast *c)
{
    float *out = tw_floats(tw_task_output(c->task, OUT));
    float *cut = tw_floats(tw_task_output(c->task, CUT));
    tw_strength_apply(c->task, c->in, c->changed, tw_task_input(c->task, MASK), out);
    for (int32_t i = 0; i < c->cells; i++)
        out[i] = c->sand[i] > 0 ? out[i] + c->sand[i] : out[i];
    for (int32_t i = 0; cut && i < c->cells; i++)
        cut[i] = c->kind[i] == TW_COAST_TAKEN ? 1 : 0;
    if (!tw_task_wants(c->task, LEDGER))
        return TW_OK;
    enum tw_status status = tw_task_list(c->task, LEDGER, 3);
    if (status != TW_OK)
        return status;
    struct tw_value *ledger = tw_task_output(c->task, LEDGER);
    tw_record_set(ledger, 0, "eroded", c->eroded);
    tw_record_set(ledger, 1, "sand", c->laid);
    tw_record_set(ledger, 2, "lost", c->eroded - c->laid);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct tw_coast_params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    struct tw_coast c = {.task = task,
                         .p = p,
                         .in = tw_floats(in),
                         .hardness = tw_optional_cells(task, HARDNESS),
                         .mask = tw_optional_cells(task, MASK),
                         .cells = in->width * in->height,
                         .cell = 1.0 / in->width,
                         .level = p->level};
    if (p->level == LEVEL_AUTO)
        c.level = (float)tw_task_world(task)->sea_level;
    if (!lay_out(&(struct tw_scratch){.task = task}, &c))
        return tw_task_no_memory(task);
    c.march.wrap = tw_task_wraps(task, p->border);
    memcpy(c.changed, c.in, (size_t)c.cells * sizeof *c.changed);
    memset(c.sand, 0, (size_t)c.cells * sizeof *c.sand);
    const int32_t sea = tw_coast_find_sea(&c);
    enum tw_status status = TW_OK;
    if (sea == 0 || sea == c.cells)
        tw_task_warn(task, "all of the map is %s at a level of %g: there is no shore",
                     sea ? "sea" : "land", (double)c.level);
    else
        status = tw_coast_erode(&c);
    return status == TW_OK ? write_outputs(&c) : status;
}

static void forecast(struct tw_forecast *f)
{
    struct tw_coast c;
    lay_out(&(struct tw_scratch){.forecast = f}, &c);
}

extern const struct tw_node_type tw_node_erosion_coast;
const struct tw_node_type tw_node_erosion_coast = {
    .name = "erosion.coast",
    .version = 1,
    .summary = "waves cut cliffs and platforms and lay down beaches",
    .keywords = "sea, ocean, shore, beach, cliff, waves, fetch, platform, shoreline, surf, retreat",
    .elsewhere = "Coastal Erosion (World Machine), Sea (Gaea)",
    .detail =
        "Gives a coast cliffs and platforms where waves reach it and beaches where they do not. "
        "Use it after all other erosion, at the level at which the sea will be drawn. Choose "
        "water.sea to find the sea without changing the land.\n"
        "The sea is what lies below `level` and is joined to the border; on a torus, and where it "
        "does not touch the border, all that lies below. Without a shore the map passes as it is, "
        "with a warning.\n"
        "Exposure e: from each cell of the shore the way over open water in 16 directions, up to "
        "`reach`, weighted by max(0, 0.15 + cos(angle to `azimuth`)); averaged over 3 cells, "
        "divided by its 95th percentile, 1 at most. Beyond a closed border the map's edge repeats. "
        "Land takes the exposure of its nearest shore.\n"
        "Retreat: a front starts at the shore and crosses land at this speed, in map sides in a "
        "time of 1:\n"
        "    v = retreat e^power (1 - hardness) / (1 + (z - level) / tall).\n"
        "What it reaches in that time, found by fast marching (Sethian 1996), is taken: headlands "
        "first, tall and hard land last. The line where it stops lies between cells, and distances "
        "count from there, so cliffs have no stairs.\n"
        "Behind that line the ground is cut to a slope of `cliff`; before it to a platform, which "
        "begins half a berm above the sea, falls by `platform` and ends 1.5 berms below it, also "
        "where it crosses old sea floor. Shores that were not taken keep their slope.\n"
        "Beaches: within three widths berm / beach of the water's edge, sand fills up to level + "
        "min(beach x, berm) on land and level - 23.5 berm x^(2/3) in the water (Dean 1991, x in map "
        "sides), times the shelter, 1.2 - 1.6 e within 0..1, fading out with the distance. No more "
        "is laid than `share` of what was taken.\n"
        "mask scales the change of each cell. The ledger describes out:\n"
        "    sum(out) = sum(in) - lost, eroded = sand + lost.\n"
        "Defaults are those of a map of 10 km with height 1 = 1500 m: a retreat of 200 m, cliffs of "
        "60 degrees, a berm of 2 m. With `world:` give them in m and deg. A cell takes "
        "about 460 ns on one thread.",
    .cite = "sethian1996 adalsteinsson1999 dean1991 trenhaile2019",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct tw_coast_params),
    .example = "land: {type: noise.perlin}\n"
               "coast: {type: erosion.coast, in: land, level: 0.5}",
    .bordered = true,
    .physical = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
