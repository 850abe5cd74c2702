/* SPDX-License-Identifier: MIT */
/* Runs every node type with many parameters within the ranges that its descriptor declares, on
 * ground that is flat, high, low or rough: it must end with finite values and equal bytes on one
 * thread and on three, or fail with a message. It may not crash, loop for ever, or output a value
 * that the engine has to reject. Parameters are random but equal in every run of the test. */
#include "support/dice.h"
#include "support/example.h"

#include "node/param.h"
#include "node/rule.h"
#include "value/field.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 23, HEIGHT = 17, SETS = 60, PICTURES = 25, TRIES = 20 };

static const char grounds[] =
    "ground_flat: {type: source.constant, value: 0}\n"
    "ground_noise: {type: noise.midpoint, seed: 1}\n"
    "ground_rough: {type: shape.remap, in: ground_noise, to: [-900, 1500]}\n"
    "ground_low: {type: shape.remap, in: ground_noise, to: [-1, -0.9]}\n"
    "ground_dull: {type: shape.remap, in: ground_noise, to: [0, 1e-6]}\n";

/* ---- random parameters ---- */

/* Most parameters keep their values, so that few combinations break a rule. */
static void throw_params(struct dice *dice, struct tw_node *node)
{
    int32_t share = dice_below(dice, 3); /* all, half, a fourth */
    for (const struct tw_param *row = node->type->params; row && row->name; row++)
        if (dice_below(dice, 1 << share) == 0)
            dice_param(dice, row, node->type->name, node->params);
    if (node->type->random)
        node->seed_key = tw_random(dice->key, dice->set, 1, 1, 1).at[0];
}

/* In half of the sets, heightmap inputs come from one of the grounds. */
static void throw_ground(struct dice *dice, struct tw_recipe *recipe, struct tw_node *node)
{
    int32_t ground = dice_below(dice, 10), count = 0;
    while (strncmp(recipe->nodes[count].path, "ground_", 7) == 0)
        count++;
    for (int32_t i = 0; ground < count && i < node->input_count; i++)
        if (tw_input_port(node, i)->type == TW_HEIGHTMAP && node->inputs[i].node >= 0)
            node->inputs[i] = (struct tw_source){ground, 0};
}

/* ---- running ---- */

struct outcome {
    enum tw_status status;
    struct tw_error error;
    struct tw_digest digests[64];
};

static void print_set(const struct tw_node *node)
{
    char text[600];
    print_error("%s: {type: %s", node->path, node->type->name);
    for (const struct tw_param *row = node->type->params; row && row->name; row++) {
        tw_param_print(row, node->params, text, sizeof text);
        print_error(", %s: %s", row->name, text);
        const struct tw_table *table =
            (const struct tw_table *)((const unsigned char *)node->params + row->offset);
        for (int32_t i = 0; row->kind == TW_KIND_TABLE && i < table->rows * table->columns; i++)
            print_error("%s%g", i % table->columns ? " " : " | ", (double)table->at[i]);
    }
    print_error("} # seed key %llu, first input from node %d\n", (unsigned long long)node->seed_key,
                node->input_count ? (int)node->inputs[0].node : -1);
}

static void run(struct tw_recipe *recipe, const struct tw_node *node, int32_t threads,
                struct outcome *outcome)
{
    const struct tw_run_options options = {.threads = threads};
    struct tw_result *result = NULL;
    *outcome = (struct outcome){.status = TW_OK};
    outcome->status = tw_recipe_run(recipe, &options, &result, &outcome->error);
    int32_t count = 0;
    for (const struct tw_output *o = recipe->outputs; result && o; o = o->next) {
        const struct tw_value *value = tw_result_output(result, o->name);
        assert_true(count < 64);
        outcome->digests[count++] = tw_field_digest(value);
        if (tw_field_first_nonfinite(value) >= 0) {
            print_set(node);
            fail_msg("%s is not finite", o->name);
        }
    }
    tw_result_release(result);
}

static void check_failure(const struct tw_node *node, const struct outcome *outcome)
{
    const char *message = outcome->error.message;
    if (outcome->status == TW_OK || ((outcome->status == TW_NODE || outcome->status == TW_INPUT) &&
                                     strlen(message) >= 20 && !strstr(message, "is not finite")))
        return;
    print_set(node);
    fail_msg("%s: status %d: %s", outcome->error.path, (int)outcome->status, message);
}

/* Rules are about parameters and columns of the type. */
static bool breaks_a_rule(const struct tw_node_type *type, const void *params)
{
    struct tw_rule rule = tw_rule_check(type, params);
    char text[400];
    if (!rule.param)
        return false;
    const struct tw_param *row = tw_param_find(type->params, rule.param);
    if (!row || !rule.expected || (rule.other && !tw_param_find(type->params, rule.other)) ||
        (rule.row > 0) != (rule.column != NULL) || (rule.row > 0 && row->kind != TW_KIND_TABLE))
        fail_msg("%s: a rule about '%s' names what there is not", type->name, rule.param);
    tw_rule_print(type, params, &rule, (struct tw_rule_defaults){true, true}, text, sizeof text);
    assert_non_null(strstr(text, "; expected "));
    return true;
}

/* Returns false if the rules between parameters forbid the set. */
static bool try_set(const struct tw_node_type *type, struct dice *dice)
{
    struct tw_recipe *recipe = example_load_with(type, WIDTH, HEIGHT, grounds);
    const struct tw_node *node = NULL;
    struct outcome one, three;
    for (int32_t i = 0; i < recipe->count; i++) {
        if (recipe->nodes[i].type != type || strncmp(recipe->nodes[i].path, "ground_", 7) == 0)
            continue;
        node = &recipe->nodes[i];
        throw_params(dice, &recipe->nodes[i]);
        throw_ground(dice, recipe, &recipe->nodes[i]);
        if (breaks_a_rule(type, node->params)) {
            tw_recipe_release(recipe);
            return false;
        }
    }
    if (type->physical)
        recipe->world = (struct tw_world){.side_m = dice_number(dice, 0.001, 1e9, 4096),
                                          .height_m = dice_number(dice, 0.001, 1e9, 600),
                                          .sea_level = dice_number(dice, -1, 1, 0)};
    run(recipe, node, 1, &one);
    check_failure(node, &one);
    run(recipe, node, 3, &three);
    if (one.status != three.status || memcmp(one.digests, three.digests, sizeof one.digests) != 0) {
        print_set(node);
        fail_msg("%s: three threads give other bytes than one", type->name);
    }
    tw_recipe_release(recipe);
    return true;
}

/* A picture in colour takes as long as twenty other nodes, mostly for a tile of noise. */
static int sets_of(const struct tw_node_type *type)
{
    bool picture =
        strcmp(type->name, "render.surface") == 0 || strcmp(type->name, "render.perspective") == 0;
    return picture ? PICTURES : SETS;
}

static void every_node_keeps_its_promises(void **state)
{
    (void)state;
    EACH_NODE_TYPE(type)
    {
        struct dice dice = {.key = 0xCBF29CE484222325u};
        int done = 0, sets = sets_of(*type);
        for (const char *at = (*type)->name; *at; at++)
            dice.key = (dice.key ^ (unsigned char)*at) * 0x100000001B3u;
        for (; done < sets && dice.set < (uint32_t)(TRIES * sets); dice.set++) {
            dice.throws = 0;
            done += try_set(*type, &dice);
        }
        if (done < sets / 4)
            fail_msg("%s: only %d of %d sets keep its rules", (*type)->name, done, TRIES * sets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_node_keeps_its_promises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
