/* SPDX-License-Identifier: MIT */
/* One-to-one volume transport, Coats 2008, section 2.2: a raindrop falls anywhere, runs downhill,
 * picks up ground once and deposits it where it comes to rest. Heights stand for volumes, since
 * the surface consists of triangles (his section 3). He runs one drop after the other;
 * erosion/kernels/droplets/droplet_rounds.h says how they share the threads here. */
#include "common/ground_maps.h"
#include "erosion/kernels/droplets/volume_transport.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"

#include <thalweg/kernel.h>
#include <thalweg/resolution.h>

#include <string.h>

struct params {
    int32_t drops;
    float pickup_chance;
    float pickup;
    int32_t order;
    int32_t side;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, drops, 500000, 0, 2000000000, "drops", "raindrops that fall",
                 TW_USUAL(10000, 5000000)),
    TW_PARAM_F32(struct params, pickup_chance, 0.2, 0, 1, TW_UNIT_SHARE,
                 "chance of a drop to pick up ground at a cell that it visits"),
    TW_PARAM_F32(struct params, pickup, 0.2, 0, 1, TW_UNIT_SHARE,
                 "the most that it takes, as a share of the cell's height"),
    TW_PARAM_ENUM(struct params, order, 0, "tiles|sequential",
                  "drops of distant tiles at once, or one drop after the other on one thread"),
    TW_PARAM_SIDE(struct params, "drops and pickup are"),
    TW_PARAM_END,
};

enum { IN, MASK, RAIN_MAP };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_STRENGTH_PORT,
    TW_RAIN_MAP_PORT,
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"eroded", TW_HEIGHTMAP, TW_ON_DEMAND, "height taken from each cell"},
    {"deposited", TW_HEIGHTMAP, TW_ON_DEMAND, "height deposited on each cell"},
    {"ledger", TW_RECORD, TW_ON_DEMAND,
     "eroded, deposited: sums of heights; nothing leaves the map"},
    {"flow", TW_HEIGHTMAP, TW_ON_DEMAND, "drops that came to each cell"},
    TW_PORT_END,
};
enum { OUT, ERODED, DEPOSITED, LEDGER, FLOW };

/* With `side` a drop digs as deep for the slope from cell to cell as on the map that is meant,
 * since pits end its way: pickup / s on a map s times as fine. Drops then move less each and go
 * less far; the large shapes change as much with s^2.67 times as many, between 2.64 and 2.70 as
 * measured on perlin and midpoint noise from 256 to 1024 cells. */
#define DROPS_EXPONENT (8.0 / 3)

static bool all_zero(const float *cells, size_t count)
{
    size_t i = 0;
    while (i < count && cells[i] == 0)
        i++;
    return i == count;
}

static enum tw_status write_ledger(struct tw_task *task, const struct tw_volume_transport *rain)
{
    if (!tw_task_wants(task, LEDGER))
        return TW_OK;
    enum tw_status status = tw_task_list(task, LEDGER, 2);
    if (status != TW_OK)
        return status;
    tw_record_set(tw_task_output(task, LEDGER), 0, "eroded",
                  tw_mass_balance_sum(task, rain->eroded));
    tw_record_set(tw_task_output(task, LEDGER), 1, "deposited",
                  tw_mass_balance_sum(task, rain->deposited));
    return TW_OK;
}

/* The maps that the outputs need. The ledger sums maps, since the order of drops depends on the
 * threads. */
static bool lay_out(struct tw_scratch *s, struct tw_volume_transport *rain)
{
    float **maps[] = {&rain->eroded, &rain->deposited, &rain->flow};
    static const int ports[] = {ERODED, DEPOSITED, FLOW};
    for (int i = 0; i < 3; i++) {
        bool summed = ports[i] != FLOW && tw_scratch_wants(s, LEDGER);
        bool needed = summed || tw_scratch_wants(s, ports[i]);
        *maps[i] = needed ? tw_scratch_output(s, ports[i]) : NULL;
    }
    return tw_scratch_is_laid(s);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, IN));
    const struct tw_value *mask = tw_task_input(task, MASK);
    const float *before = tw_masked_before(task, mask);
    size_t count = tw_value_count(tw_task_input(task, IN));
    double scale = tw_resolution_scale(task, p->side);
    struct tw_volume_transport rain = {.cells = tw_floats(tw_task_output(task, OUT)),
                                       .rain_map = tw_optional_cells(task, RAIN_MAP),
                                       .chance = p->pickup_chance,
                                       .pickup = tw_min(p->pickup / (float)scale, 1)};
    if (!before || !lay_out(&(struct tw_scratch){.task = task}, &rain))
        return tw_task_no_memory(task);
    float *maps[] = {rain.eroded, rain.deposited, rain.flow};
    for (int i = 0; i < 3; i++)
        if (maps[i])
            memset(maps[i], 0, count * sizeof *maps[i]);
    int32_t fall = tw_resolution_count(p->drops, tw_pow(scale, DROPS_EXPONENT));
    if (in != rain.cells)
        memcpy(rain.cells, in, count * sizeof *in);
    if (all_zero(rain.cells, count))
        tw_task_warn(task, "all heights are 0, so drops pick up nothing: they take a share of it");
    enum tw_status status = tw_volume_transport_run(task, &rain, fall, p->order == 1);
    tw_masked_apply(task, before, mask, rain.eroded, rain.deposited);
    return status == TW_OK ? write_ledger(task, &rain) : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t count = p->side > 0 ? INT32_MAX : p->drops; /* of which a round has its share */
    struct tw_volume_transport rain;
    tw_masked_forecast(f, MASK);
    lay_out(&(struct tw_scratch){.forecast = f}, &rain);
    tw_volume_transport_forecast(f, count, p->order == 1);
}

extern const struct tw_node_type tw_node_erosion_raindrops;
const struct tw_node_type tw_node_erosion_raindrops = {
    .name = "erosion.raindrops",
    .version = 5,
    .summary = "raindrops that carry ground downhill and keep its volume",
    .keywords = "hydraulic erosion, particles, rain, drops",
    .elsewhere = "HydraulicParticle (Hesiod)",
    .detail =
        "Wears crests and fills hollows by single raindrops that keep the volume exactly, and "
        "leaves hollows rough. Choose erosion.droplets for gullies and fans that look natural.\n"
        "A drop starts at a random cell. At each cell that it visits, the first included, it "
        "picks up ground with the chance `pickup_chance`, once only, u being uniform in 0..1:\n"
        "    |h| pickup u.\n"
        "It goes on to the lowest of the 8 neighbours that is strictly lower, on ties the first "
        "in reading order, and deposits its load where there is none.\n"
        "Border: whatever the recipe's `borders`, a drop that comes to the edge of the map stops "
        "and deposits its load there: all sides are walls, and none is left to close. So the sum of heights is kept, and `eroded` and "
        "`deposited` in the ledger are equal but for rounding.\n"
        "Drops fall in rounds over tiles of 64 cells in four colours, which lie elsewhere in "
        "every turn. The bytes do not depend on the number of threads. `sequential` runs one "
        "drop after the other; its result differs as two seeds do, but less.\n"
        "`drops` counts for the whole map. A drop goes as far as the next pit, and drops dig "
        "pits equally deep on any map, while slopes from cell to cell are half as high on a map "
        "twice as fine. With `side` pickup is divided by width / side, which keeps pits in "
        "proportion, and drops are multiplied by (width / side)^(8/3), so that large shapes "
        "change as much.\n"
        "A drop takes a share of the height, so put the zero of heights at the foot of the "
        "terrain.\n"
        "rain_map is the chance that a drop which would "
        "fall on a cell does." TW_MASKED_LEDGER_DETAIL,
    .cite = "coats2008",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.ridged, frequency: 2, gain: 1.5}\n"
               "eroded: {type: erosion.raindrops, in: noise, drops: 100000, pickup: 0.05}",
    .random = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
