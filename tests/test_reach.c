/* SPDX-License-Identifier: MIT */
/* Checks the reach that every node type declares: changing cells of the inputs beyond it must
 * change nothing, and a TW_REACH_CELL type must give equal rows when it runs on some of them as on
 * the whole map. Parameters are random but equal in every run. */
#include "support/dice.h"
#include "support/example.h"

#include "node/rule.h"
#include "task/task.h"
#include "value/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 41, HEIGHT = 37, SETS = 8, TRIES = 20 * SETS };

/* A node with the values of its inputs from its example. */
struct trial {
    struct tw_recipe *recipe;
    struct tw_node *node;
    struct tw_result *result;
    struct tw_value inputs[TW_INPUTS_MAX];
    int32_t reach;
};

static int32_t count_changed;

static struct trial open_trial(const struct tw_node_type *type)
{
    struct trial trial = {.recipe = example_load(type, WIDTH, HEIGHT)};
    const struct tw_run_options options = {.threads = 1};
    struct tw_error error;
    for (int32_t i = 0; i < trial.recipe->count; i++)
        if (trial.recipe->nodes[i].type == type)
            trial.node = &trial.recipe->nodes[i];
    if (tw_recipe_run(trial.recipe, &options, &trial.result, &error) != TW_OK)
        fail_msg("%s: %s", type->name, error.message);
    for (int32_t e = 0; e < trial.node->input_count; e++)
        for (const struct tw_output *o = trial.recipe->outputs; o; o = o->next)
            if (o->source.node == trial.node->inputs[e].node &&
                o->source.port == trial.node->inputs[e].port)
                trial.inputs[e] = *tw_result_output(trial.result, o->name);
    return trial;
}

static void close_trial(struct trial *trial)
{
    tw_result_release(trial->result);
    tw_recipe_release(trial->recipe);
}

static size_t row_bytes(const struct tw_value *value)
{
    return (size_t)value->width * tw_type_size(value->type);
}

static bool is_map(const struct tw_value *value)
{
    return value->data && tw_type_is_grid(value->type) && value->width == WIDTH &&
           value->height == HEIGHT;
}

/* Computes rows from `top` on of the node's outputs; tw_field_clear() each. False if the node
 * fails. */
static bool compute(const struct trial *trial, const struct tw_value *inputs, int32_t top,
                    int32_t rows, struct tw_value *outputs)
{
    static const atomic_bool stop;
    struct tw_memory memory = {0};
    struct tw_pool pool = {.threads = 1};
    struct tw_task task = {.pool = &pool,
                           .recipe = trial->recipe,
                           .node = trial->node,
                           .memory = &memory,
                           .stop = &stop,
                           .used = ~(uint32_t)0};
    const struct tw_port *ports = trial->node->type->outputs;
    if (rows < HEIGHT) {
        task.top = top;
        task.rows = rows;
    }
    for (int32_t e = 0; e < trial->node->input_count; e++) {
        task.inputs[e] = inputs[e];
        if (!is_map(&inputs[e]))
            continue;
        task.inputs[e].data = (char *)inputs[e].data + (size_t)top * row_bytes(&inputs[e]);
        task.inputs[e].height = rows;
    }
    for (int port = 0; ports[port].name; port++)
        if (tw_type_is_grid(ports[port].type))
            assert_int_equal(tw_memory_alloc(&memory, &task.outputs[port],
                                             tw_output_type(trial->node, port), WIDTH, rows, NULL),
                             TW_OK);
    tw_task_run(&task);
    memcpy(outputs, task.outputs, sizeof task.outputs);
    if (task.status != TW_OK)
        for (int port = 0; port < TW_PORTS_MAX; port++)
            tw_field_clear(&outputs[port]);
    return task.status == TW_OK;
}

static void clear(struct tw_value *values)
{
    for (int i = 0; i < TW_PORTS_MAX; i++)
        tw_field_clear(&values[i]);
}

/* ---- cells beyond the reach ---- */

static int32_t distance(int32_t a, int32_t b, int32_t n)
{
    int32_t d = abs(a - b);
    return d < n - d ? d : n - d;
}

/* Copies the maps, filling cells beyond the reach of (x, y) with other cells' values. */
static void change_beyond(const struct trial *trial, struct dice *dice, int32_t x, int32_t y,
                          struct tw_value *changed)
{
    for (int32_t e = 0; e < trial->node->input_count; e++) {
        const struct tw_value *from = &trial->inputs[e];
        changed[e] = (struct tw_value){0};
        if (!from->data)
            continue;
        assert_int_equal(tw_field_copy(&changed[e], from, NULL), TW_OK);
        size_t size = tw_type_size(from->type);
        for (int32_t i = 0; is_map(from) && i < WIDTH * HEIGHT; i++) {
            if (distance(i % WIDTH, x, WIDTH) <= trial->reach &&
                distance(i / WIDTH, y, HEIGHT) <= trial->reach)
                continue;
            memcpy((char *)changed[e].data + (size_t)i * size,
                   (char *)from->data + (size_t)dice_below(dice, WIDTH * HEIGHT) * size, size);
            count_changed++;
        }
    }
}

static void expect_cell(const struct trial *trial, const struct tw_value *a,
                        const struct tw_value *b, int32_t x, int32_t y)
{
    for (int port = 0; trial->node->type->outputs[port].name; port++) {
        size_t size = tw_type_size(a[port].type);
        size_t at = ((size_t)y * WIDTH + (size_t)x) * size;
        if (is_map(&a[port]) &&
            memcmp((char *)a[port].data + at, (char *)b[port].data + at, size) != 0)
            fail_msg("%s.%s: a cell further away than %d changes (%d, %d)", trial->node->type->name,
                     trial->node->type->outputs[port].name, (int)trial->reach, (int)x, (int)y);
    }
}

static void check_beyond(const struct trial *trial, struct dice *dice)
{
    const int32_t corners[][2] = {{0, 0}, {WIDTH - 1, HEIGHT - 1}, {WIDTH / 2, HEIGHT / 2}};
    struct tw_value before[TW_PORTS_MAX], after[TW_PORTS_MAX], changed[TW_INPUTS_MAX];
    if (!compute(trial, trial->inputs, 0, HEIGHT, before))
        return;
    for (int k = 0; k < 3; k++) {
        change_beyond(trial, dice, corners[k][0], corners[k][1], changed);
        if (compute(trial, changed, 0, HEIGHT, after)) {
            expect_cell(trial, before, after, corners[k][0], corners[k][1]);
            clear(after);
        }
        for (int32_t e = 0; e < trial->node->input_count; e++)
            tw_field_clear(&changed[e]);
    }
    clear(before);
}

/* ---- some of the rows ---- */

static void run_by_rows(const struct trial *trial)
{
    const int32_t bands[][2] = {{0, 1}, {1, 12}, {13, HEIGHT - 13}};
    struct tw_value whole[TW_PORTS_MAX], part[TW_PORTS_MAX];
    if (!compute(trial, trial->inputs, 0, HEIGHT, whole))
        return;
    for (int k = 0; k < 3; k++) {
        int32_t top = bands[k][0], rows = bands[k][1];
        assert_true(compute(trial, trial->inputs, top, rows, part));
        size_t bytes = row_bytes(&whole[0]);
        if (memcmp(part[0].data, (char *)whole[0].data + (size_t)top * bytes,
                   (size_t)rows * bytes) != 0)
            fail_msg("%s: %d rows from %d on are others by themselves", trial->node->type->name,
                     (int)rows, (int)top);
        clear(part);
    }
    clear(whole);
}

/* ---- all types ---- */

/* The first set keeps the example's parameters. Returns false if the rules forbid the random ones.
 */
static bool try_set(struct trial *trial, struct dice *dice)
{
    const struct tw_node_type *type = trial->node->type;
    for (const struct tw_param *row = type->params; dice->set > 0 && row && row->name; row++)
        if (dice_below(dice, 2) == 0)
            dice_param(dice, row, type->name, trial->node->params);
    if (tw_rule_check(type, trial->node->params).param)
        return false;
    int32_t reach = tw_node_reach(type, trial->node->params, WIDTH, HEIGHT);
    trial->reach = reach == TW_REACH_CELL ? 0 : reach;
    check_beyond(trial, dice);
    if (reach == TW_REACH_CELL)
        run_by_rows(trial);
    return true;
}

static void types_keep_to_their_reach(void **state)
{
    int local = 0, by_cell = 0;
    (void)state;
    EACH_NODE_TYPE(type)
    {
        if ((*type)->choose || ((*type)->reach == TW_REACH_ALL && !(*type)->reach_of))
            continue;
        struct dice dice = {.key = 0xCBF29CE484222325u};
        for (const char *at = (*type)->name; *at; at++)
            dice.key = (dice.key ^ (unsigned char)*at) * 0x100000001B3u;
        for (int done = 0; done < SETS && dice.set < TRIES; dice.set++) {
            struct trial trial = open_trial(*type);
            dice.throws = 0;
            count_changed = 0;
            done += try_set(&trial, &dice);
            bool has_map = false;
            for (int32_t e = 0; e < trial.node->input_count; e++)
                has_map |= is_map(&trial.inputs[e]);
            if (dice.set == 0 && has_map && count_changed == 0)
                fail_msg("%s: its reach of %d covers all of the map", (*type)->name,
                         (int)trial.reach);
            close_trial(&trial);
        }
        local++;
        by_cell += (*type)->reach == TW_REACH_CELL;
    }
    assert_true(local >= 32 && by_cell >= 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(types_keep_to_their_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
