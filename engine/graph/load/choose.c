/* SPDX-License-Identifier: MIT */
/* Nodes that merely select one of their inputs: their users are connected directly to the chosen
 * input. The other inputs are not computed, and the chosen node keeps its type and key. */
#include "graph/load/load_private.h"

static int32_t choice_of(const struct tw_node *node) { return node->type->choose(node->params); }

struct tw_source tw_load_chosen(const struct tw_recipe *recipe, struct tw_source source)
{
    /* Nodes that choose each other stay as they are: sorting reports the cycle. */
    for (int32_t hop = 0; hop <= recipe->count; hop++) {
        struct tw_node *node = &recipe->nodes[source.node];
        if (!node->type->choose)
            return source;
        int32_t choice = choice_of(node);
        node->is_used = true;
        if (choice >= node->input_count || node->inputs[choice].node < 0)
            return source; /* reported already */
        source = node->inputs[choice];
    }
    return source;
}

bool tw_load_check_choice(struct tw_loader *loader, const struct tw_node *node,
                          const struct tw_yaml *yaml)
{
    if (!node->type->choose || choice_of(node) < node->input_count)
        return true;
    const char *param = node->type->params[0].name;
    const struct tw_yaml *value = tw_yaml_find(yaml, param);
    if (node->input_count == 0)
        tw_fault_log_add(loader->log, TW_RECIPE, node->place, NULL,
                         "%s has no inputs; expected at least one in '%s'", node->type->name,
                         node->type->inputs[0].name);
    else
        tw_fault_log_add(loader->log, TW_RECIPE, value ? value->place : node->place, NULL,
                         "%s.%s is %d; expected 0 to %d, as it has %d inputs", node->type->name,
                         param, (int)choice_of(node), (int)node->input_count - 1,
                         (int)node->input_count);
    return false;
}

void tw_load_choices(const struct tw_recipe *recipe)
{
    for (int32_t i = 0; i < recipe->count; i++)
        for (int32_t input = 0; input < recipe->nodes[i].input_count; input++)
            if (!recipe->nodes[i].type->choose && recipe->nodes[i].inputs[input].node >= 0)
                recipe->nodes[i].inputs[input] =
                    tw_load_chosen(recipe, recipe->nodes[i].inputs[input]);
}
