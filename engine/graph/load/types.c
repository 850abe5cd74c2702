/* SPDX-License-Identifier: MIT */
/* Determines the types of outputs that keep that of their inputs: a mask if every connected input
 * that counts is one, and at least one is connected. Sources come before their users, over an
 * explicit stack, since the order in the file is free. An unknown source, from a missing reference
 * or a node that feeds itself, counts as a mask, which fits everywhere: its own fault is reported,
 * and must not cause further ones. */
#include "graph/load/recipe.h"

struct walk {
    int32_t *next;  /* next input to follow; 0: not visited */
    int32_t *stack; /* each is a user of the next */
    int32_t depth;
};

static bool keeps_type(const struct tw_node *node)
{
    for (const struct tw_port *port = node->type->outputs; port->name; port++)
        if (port->flags & TW_KEEPS_TYPE)
            return true;
    return false;
}

static bool counts(const struct tw_node *node, int32_t input)
{
    return (tw_input_port(node, input)->flags & TW_KEEPS_TYPE) && node->inputs[input].node >= 0;
}

/* Whether an input decides the type: a required one even if its reference is missing. */
static bool has_deciding_input(const struct tw_node *node)
{
    bool decided = false;
    for (int32_t input = 0; input < node->input_count && !decided; input++)
        decided = counts(node, input) || tw_input_port(node, input)->flags == TW_KEEPS_TYPE;
    return decided;
}

static void settle(const struct tw_recipe *recipe, struct tw_node *node)
{
    node->masks = has_deciding_input(node);
    for (int32_t input = 0; node->masks && input < node->input_count; input++)
        node->masks =
            !counts(node, input) || tw_source_type(recipe, node->inputs[input]) == TW_MASK;
}

static void push(struct tw_recipe *recipe, struct walk *walk, int32_t i)
{
    recipe->nodes[i].masks = keeps_type(&recipe->nodes[i]);
    walk->next[i] = 1;
    if (recipe->nodes[i].masks)
        walk->stack[walk->depth++] = i;
}

static void settle_from(struct tw_recipe *recipe, struct walk *walk, int32_t root)
{
    push(recipe, walk, root);
    while (walk->depth > 0) {
        int32_t at = walk->stack[walk->depth - 1];
        struct tw_node *node = &recipe->nodes[at];
        int32_t input = walk->next[at]++ - 1;
        if (input >= node->input_count) {
            settle(recipe, node);
            walk->depth--;
        } else if (counts(node, input) && walk->next[node->inputs[input].node] == 0) {
            push(recipe, walk, node->inputs[input].node);
        }
    }
}

bool tw_load_types(struct tw_recipe *recipe)
{
    size_t count = (size_t)recipe->count + 1;
    struct walk walk = {.next = tw_arena_alloc(&recipe->arena, count, sizeof *walk.next),
                        .stack = tw_arena_alloc(&recipe->arena, count, sizeof *walk.stack)};
    if (!walk.next || !walk.stack)
        return false;
    for (int32_t i = 0; i < recipe->count; i++)
        if (walk.next[i] == 0)
            settle_from(recipe, &walk, i);
    return true;
}
