/* SPDX-License-Identifier: MIT */
/* Lists a recipe's inputs, outputs and parameters for programs that load it. */
#include "base/memory/block.h"
#include "base/memory/options.h"
#include "graph/graph.h"

#include <stdlib.h>

static struct tw_recipe_port port(const struct tw_recipe *recipe, const char *name,
                                  enum tw_type type)
{
    bool grid = tw_type_is_grid(type);
    return (struct tw_recipe_port){name, type, grid ? recipe->width : 0, grid ? recipe->height : 0};
}

bool tw_recipe_input(const struct tw_recipe *recipe, int32_t i, struct tw_recipe_port *input)
{
    const struct tw_feed *feed = recipe->feeds;
    for (; feed && i > 0; i--)
        feed = feed->next;
    if (!feed || i < 0)
        return false;
    *input = port(recipe, feed->name, feed->type);
    return true;
}

bool tw_recipe_output(const struct tw_recipe *recipe, int32_t i, struct tw_recipe_port *output)
{
    const struct tw_output *item = recipe->outputs;
    for (; item && i > 0; i--)
        item = item->next;
    if (!item || i < 0)
        return false;
    *output = port(recipe, item->name, tw_source_type(recipe, item->source));
    if (tw_type_is_grid(output->type))
        tw_node_output_size(recipe, &recipe->nodes[item->source.node], &output->width,
                            &output->height);
    return true;
}

bool tw_recipe_param(const struct tw_recipe *recipe, int32_t i, struct tw_recipe_param *param)
{
    const struct tw_known_param *known = recipe->params;
    for (; known && i > 0; i--)
        known = known->next;
    if (!known || i < 0)
        return false;
    *param = known->param;
    return true;
}

void tw_recipe_facts(const struct tw_recipe *recipe, struct tw_recipe_facts *facts)
{
    const struct tw_world *world = &recipe->world;
    const struct tw_recipe_facts own = {.width = recipe->width,
                                        .height = recipe->height,
                                        .seed = recipe->seed,
                                        .wraps = recipe->borders == TW_BORDERS_WRAP,
                                        .has_world = world->given != 0,
                                        .side_m = world->side_m,
                                        .height_m = world->height_m,
                                        .sea_level = world->sea_level,
                                        .cell_m = world->side_m / recipe->width};
    tw_options_give(facts, &own, sizeof own);
}

const char *tw_version(void) { return TW_VERSION; }

void tw_text_release(char *text) { free(text); }

void tw_trim(void) { tw_block_trim(); }
