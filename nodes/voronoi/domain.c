/* SPDX-License-Identifier: MIT */
/* One value for each domain of a Voronoi diagram, Olsen 2004, "Base terrain modifications": times
 * the diagram, it removes or lowers hills one by one. */
#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { LABELS_MAX = 1 << 24 };
enum { UNIFORM, BINARY };

struct params {
    int32_t values;
    float coverage; /* c */
    float min, max;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, values, BINARY, "uniform|binary",
                  "any value from min to max, or one of the two"),
    TW_PARAM_F32(struct params, coverage, 0.5, 0, 1, TW_UNIT_SHARE,
                 "of binary: the domains that get max"),
    TW_PARAM_F32(struct params, min, 0, 0, 1, TW_UNIT_SHARE, "the least value"),
    TW_PARAM_F32(struct params, max, 1, 0, 1, TW_UNIT_SHARE, "the greatest value"),
    TW_PARAM_END,
};

enum { DOMAIN };
static const struct tw_port inputs[] = {
    {"domain", TW_LABELS, 0, "which domain a cell belongs to, from 0 on"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "the value of the cell's domain"},
    TW_PORT_END,
};

struct map {
    const int32_t *domain;
    const float *values; /* of each domain */
    float *out;
    int32_t width;
    int32_t *least, *greatest; /* label of each row */
};

static void find_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++) {
        const int32_t *row = map->domain + (size_t)y * (size_t)map->width;
        int32_t least = row[0], greatest = row[0];
        for (int32_t x = 1; x < map->width; x++) {
            least = row[x] < least ? row[x] : least;
            greatest = row[x] > greatest ? row[x] : greatest;
        }
        map->least[y] = least;
        map->greatest[y] = greatest;
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    size_t from = (size_t)begin * (size_t)map->width, to = (size_t)end * (size_t)map->width;
    for (size_t i = from; i < to; i++)
        map->out[i] = map->values[map->domain[i]];
}

/* The word of rank `rank` among all domains, byte by byte from the highest: the bytes settled so
 * far are fixed, and the rank counts on among the words that share them. Leaves in `rank` how many
 * domains with just this word belong to the lowest. */
static uint32_t find_rank(const uint32_t *words, int32_t count, int32_t *rank)
{
    uint32_t prefix = 0, mask = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        int32_t histogram[256] = {0}, byte = 0;
        for (int32_t i = 0; i < count; i++)
            histogram[words[i] >> shift & 255] += (words[i] & mask) == prefix;
        for (; histogram[byte] < *rank; byte++)
            *rank -= histogram[byte];
        prefix |= (uint32_t)byte << shift;
        mask |= (uint32_t)255 << shift;
    }
    return prefix;
}

/* The round(c n) domains of the lowest random numbers, lower labels first on ties. */
static void choose(const struct params *p, const uint32_t *words, int32_t count, float *values)
{
    int32_t target = (int32_t)((double)(p->coverage * (float)count) + 0.5);
    int32_t ties = target; /* of the last word, still to be chosen */
    uint32_t last = target > 0 ? find_rank(words, count, &ties) : 0;
    for (int32_t i = 0; i < count; i++) {
        bool chosen = target > 0 && (words[i] < last || (words[i] == last && ties-- > 0));
        values[i] = chosen ? p->max : p->min;
    }
}

static void spread(const struct params *p, const uint32_t *words, int32_t count, float *values)
{
    for (int32_t i = 0; i < count; i++)
        values[i] = p->min + (p->max - p->min) * tw_uniform(words[i]);
}

/* Least and greatest label of the map. */
static enum tw_status find_labels(struct tw_task *task, struct map *map, int32_t *least,
                                  int32_t *greatest)
{
    int32_t height = tw_task_height(task);
    map->least = tw_task_scratch(task, 2 * (size_t)height, sizeof *map->least);
    if (!map->least)
        return tw_task_no_memory(task);
    map->greatest = map->least + height;
    tw_rows(task, height, 64, find_rows, map);
    *least = map->least[0];
    *greatest = map->greatest[0];
    for (int32_t y = 1; y < height; y++) {
        *least = map->least[y] < *least ? map->least[y] : *least;
        *greatest = map->greatest[y] > *greatest ? map->greatest[y] : *greatest;
    }
    return TW_OK;
}

static struct tw_rule check(const void *at)
{
    return TW_RULE_AT_MOST((const struct params *)at, min, max);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct map map = {.domain = tw_labels(tw_task_input(task, DOMAIN)),
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .width = tw_task_width(task)};
    int32_t least = 0, greatest = 0;
    enum tw_status status = find_labels(task, &map, &least, &greatest);
    if (status != TW_OK)
        return status;
    if (least < 0 || greatest >= LABELS_MAX)
        return tw_task_fail(task, "labels run from %d to %d; allowed 0 to %d", (int)least,
                            (int)greatest, LABELS_MAX - 1);
    int32_t count = greatest + 1;
    float *values = tw_task_scratch(task, (size_t)count, sizeof *values);
    uint32_t *words = tw_task_scratch(task, (size_t)count, sizeof *words);
    if (!values || !words)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < count; i++)
        words[i] = tw_random(tw_task_seed(task), (uint32_t)i, 0, 0, 0).at[0];
    if (p->values == BINARY)
        choose(p, words, count, values);
    else
        spread(p, words, count, values);
    map.values = values;
    tw_rows(task, tw_task_height(task), 64, fill_rows, &map);
    return TW_OK;
}

/* Labels that maps have; more cost 8 bytes each. */
enum { LABELS_TYPICAL = 4096 };

static void forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, 2 * (uint64_t)f->height, sizeof(int32_t)); /* extremes of rows */
    tw_forecast_scratch(f, LABELS_TYPICAL, sizeof(float) + sizeof(uint32_t));
}

extern const struct tw_node_type tw_node_voronoi_domain;
const struct tw_node_type tw_node_voronoi_domain = {
    .name = "voronoi.domain",
    .version = 1,
    .summary = "one random value for each domain of a Voronoi diagram",
    .keywords = "regions, plates, random patches, mosaic, cell values",
    .elsewhere = "Voronoi (Gaea), Cellular (Gaea), WorleyValue (Hesiod), Voronoi Texture (Blender)",
    .detail =
        "Gives each domain of a Voronoi diagram one random value, such as plateaus or regions to "
        "treat differently. Choose voronoi.cells for ridges between the domains.\n"
        "The domains are 0 to n - 1, n being the greatest label plus one. With u uniform in "
        "0..1, uniform gives:\n"
        "    v = min + (max - min) u.\n"
        "binary gives max to the round(coverage n) domains with the lowest random numbers, and "
        "min to the others.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "cells: {type: voronoi.cells}\n"
               "kept: {type: voronoi.domain, domain: cells.domain, values: binary, coverage: 0.7}",
    .random = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
