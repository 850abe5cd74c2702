/* SPDX-License-Identifier: MIT */
/* Amplitude A and roughness R of the noise of each biome: Weiss 2015, Table I, for eq 4. */
#include "common/biome.h"
#include "common/island_example.h"

#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { IN };
enum { AMPLITUDE, ROUGHNESS, OUTPUTS };

struct params {
    float amplitude, blend;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, amplitude, 1, 0, 100, TW_UNIT_NONE,
                 "factor of A; with 0.1 to 0.3 the coast stays where it is", TW_USUAL(0, 2)),
    TW_PARAM_F32(struct params, blend, 0, 0, 1, TW_UNIT_SIDE,
                 "half the side of the square over which biomes blend"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"biome", TW_LABELS, 0, "as of island.raster"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"amplitude", TW_MASK, 0, "A"},
    {"roughness", TW_MASK, 0, "R"},
    TW_PORT_END,
};

/* Sums of table values are in tenths: whole numbers, so any order of adding is exact. */
struct work {
    const int32_t *biome;
    int32_t *sum[OUTPUTS]; /* along rows; of A and R */
    float *out[OUTPUTS];
    int32_t width, height, blend;
    float factor[OUTPUTS];
    int32_t tenths[OUTPUTS][TW_BIOME_COUNT];
};

static void sum_rows(void *context, int32_t begin, int32_t end)
{
    const struct work *w = context;
    for (int32_t y = begin; y < end; y++) {
        const int32_t *row = w->biome + (size_t)y * (size_t)w->width;
        for (int k = 0; k < OUTPUTS; k++) {
            int32_t *sum = w->sum[k] + (size_t)y * (size_t)w->width, inside = 0;
            for (int32_t x = -w->blend; x <= w->blend; x++)
                inside += w->tenths[k][row[tw_clamp_index(x, w->width)]];
            for (int32_t x = 0; x < w->width; x++) {
                sum[x] = inside;
                inside += w->tenths[k][row[tw_clamp_index(x + w->blend + 1, w->width)]] -
                          w->tenths[k][row[tw_clamp_index(x - w->blend, w->width)]];
            }
        }
    }
}

/* Columns begin..end-1: means over 2 blend + 1 sums. */
static void mean_columns(void *context, int32_t begin, int32_t end)
{
    const struct work *w = context;
    size_t width = (size_t)w->width;
    double cells = (2.0 * w->blend + 1) * (2.0 * w->blend + 1);
    for (int32_t x = begin; x < end; x++)
        for (int k = 0; k < OUTPUTS; k++) {
            const int32_t *column = w->sum[k] + x;
            int64_t inside = 0;
            for (int32_t y = -w->blend; y <= w->blend; y++)
                inside += column[(size_t)tw_clamp_index(y, w->height) * width];
            for (int32_t y = 0; y < w->height; y++) {
                float mean = (float)((double)inside / (10 * cells));
                w->out[k][(size_t)y * width + (size_t)x] = w->factor[k] * mean;
                inside += column[(size_t)tw_clamp_index(y + w->blend + 1, w->height) * width];
                inside -= column[(size_t)tw_clamp_index(y - w->blend, w->height) * width];
            }
        }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    size_t cells = tw_value_count(in);
    struct work work = {.biome = tw_labels(in),
                        .width = in->width,
                        .height = in->height,
                        .blend = (int32_t)(p->blend * (float)in->width + 0.5f),
                        .factor = {p->amplitude, 1}};
    for (int k = 0; k < OUTPUTS; k++) {
        work.out[k] = tw_floats(tw_task_output(task, k));
        work.sum[k] = tw_task_scratch(task, cells, sizeof(int32_t));
        if (!work.sum[k])
            return tw_task_no_memory(task);
    }
    for (int b = 0; b < TW_BIOME_COUNT; b++) {
        work.tenths[AMPLITUDE][b] = (int32_t)(tw_biomes[b].amplitude * 10 + 0.5f);
        work.tenths[ROUGHNESS][b] = (int32_t)(tw_biomes[b].roughness * 10 + 0.5f);
    }
    enum tw_status status = tw_biome_check(task, in);
    if (status != TW_OK)
        return status;
    tw_rows(task, work.height, 16, sum_rows, &work);
    tw_rows(task, work.width, 16, mean_columns, &work);
    return TW_OK;
}

static void forecast(struct tw_forecast *f) { tw_forecast_maps(f, OUTPUTS, sizeof(int32_t)); }

extern const struct tw_node_type tw_node_island_biome_noise;
const struct tw_node_type tw_node_island_biome_noise = {
    .name = "island.biome_noise",
    .version = 2,
    .summary = "amplitude and roughness of the noise of each biome",
    .keywords = "terrain by biome, roughness, amplitude map",
    .detail =
        "Gives the noise of each biome its amplitude and roughness, for noise.multifractal (eq "
        "4). Choose masks of your own where the map has no biomes.\n"
        "A and R are those of Weiss's Table I by the biome of a cell. With `blend` they are "
        "means over the square around the cell, so the noise changes softly where biomes meet; "
        "`blend` is rounded to cells. Beyond the border the map goes on as at the border.",
    .cite = "weiss2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = TW_ISLAND_MAP
    "noise: {type: island.biome_noise, biome: map.biome, amplitude: 0.2, blend: 0.01}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
