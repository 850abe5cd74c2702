/* SPDX-License-Identifier: MIT */
#include "report/realism_measures.h"

#include "study/map_measure.h"

#include <string.h>

static bool is_realism(const struct tw_node_type *type)
{
    return strcmp(type->name, "measure.realism") == 0;
}

/* Returns the field of measure.realism's record that is measured, NULL for any other measure. */
static const char *find_field(const struct tw_measure *measure, const struct tw_recipe *recipe)
{
    const struct tw_output *o = measure->output ? recipe->outputs : NULL;
    struct tw_map_measure map;
    while (o && strcmp(o->name, measure->output) != 0)
        o = o->next;
    if (!o)
        return NULL;
    if (tw_source_type(recipe, o->source) == TW_RECORD)
        return is_realism(recipe->nodes[o->source.node].type) ? measure->field : NULL;
    return tw_map_measure_find(measure->field, &map) && is_realism(map.type) ? map.field : NULL;
}

static int32_t find_band(const struct tw_realism_band *bands, const char *field)
{
    for (int32_t i = 0; i < TW_REALISM_COUNT; i++)
        if (strcmp(bands[i].name, field) == 0)
            return i;
    return -1;
}

void tw_realism_measures_find(const struct tw_experiment *e, const struct tw_recipe *recipe,
                              struct tw_realism_measures *found)
{
    const struct tw_world *world = &recipe->world;
    const double side_m = world->given & TW_WORLD_SIDE_M ? world->side_m : 0;
    const double cell_m = side_m / recipe->width;
    const struct tw_realism_band *bands =
        tw_realism_bands(cell_m * tw_realism_factor(recipe->width, recipe->height, cell_m));
    found->bands = NULL;
    for (int32_t m = 0; m < e->measure_count; m++) {
        const char *field = find_field(&e->measures[m], recipe);
        found->band_of[m] = field ? find_band(bands, field) : -1;
        if (found->band_of[m] >= 0)
            found->bands = bands;
    }
}
