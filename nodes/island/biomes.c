/* SPDX-License-Identifier: MIT */
/* Biomes, Weiss 2015, IV-E and Table I; the thresholds, which he does not give, after Patel 2010.
 */
#include "common/island_example.h"
#include "island/kernels/climate.h"
#include "island/kernels/polymap_build.h"

static const struct tw_port inputs[] = {
    {"in", TW_POLYMAP, 0, "polygons with temperature and moisture"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POLYMAP, 0, "with biomes"},
    TW_PORT_END,
};

static enum tw_biome biome_of(const struct tw_polymap *map, int32_t cell)
{
    uint32_t flags = map->cell_flags[cell];
    if (flags & TW_OCEAN)
        return TW_OCEAN_BIOME;
    if (flags & TW_WATER)
        return TW_LAKE;
    if (flags & TW_COAST)
        return TW_BEACH;
    return tw_biome_of_climate(map->cell_temperature[cell], map->cell_moisture[cell]);
}

static enum tw_status run(struct tw_task *task)
{
    struct tw_polymap map;
    enum tw_status status = tw_polymap_copy(task, TW_LAYER_MOISTURE, "island.moisture", &map);
    if (status != TW_OK)
        return status;
    for (int32_t i = 0; i < map.cells; i++)
        map.cell_biome[i] = (int32_t)biome_of(&map, i);
    map.head->layers |= TW_LAYER_BIOMES;
    return TW_OK;
}

static void forecast(struct tw_forecast *f) { f->lists[0] = f->inputs[0]; }

extern const struct tw_node_type tw_node_island_biomes;
const struct tw_node_type tw_node_island_biomes = {
    .name = "island.biomes",
    .version = 1,
    .summary = "biomes of polygons by temperature and moisture",
    .keywords = "climate, temperature, moisture, ecology, desert, forest, tundra, Whittaker",
    .detail =
        "Gives each polygon a biome by temperature and moisture. Use it after island.moisture "
        "and before island.raster or island.scatter.\n"
        "Water is ocean or lake, and land at the coast is beach. Other land follows its "
        "temperature T and moisture M:\n"
        "T < 0.2: snow M > 0.5, tundra > 0.33, bare > 0.16, scorched;\n"
        "T < 0.4: taiga M > 0.66, shrubland > 0.33, temperate desert;\n"
        "T < 0.7: temperate rain forest M > 0.83, deciduous forest > 0.5, grassland > 0.16, "
        "temperate desert;\n"
        "else: tropical rain forest M > 0.66, tropical seasonal forest > 0.33, grassland > 0.16, "
        "subtropical desert.",
    .cite = "weiss2015 patel2010",
    .inputs = inputs,
    .outputs = outputs,
    .example = TW_ISLAND_MOIST "biomes: {type: island.biomes, in: moist}",
    .run = run,
    .forecast = forecast,
};
