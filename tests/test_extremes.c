/* SPDX-License-Identifier: MIT */
/* The digest of every node's example on degenerate maps: a cell, a row, a column; without slopes,
 * with plateaus, far below zero or nearly flat; with masks that are 0 or 1 everywhere; and with
 * each setting at the ends of its range. tests/golden/extremes.txt holds digests and errors. Lines
 * may change only with the node's version (THALWEG_UPDATE_GOLDEN=1 rewrites them). */
#include "support/example.h"
#include "support/golden.h"
#include "support/outcome.h"
#include "support/settings.h"

#include "node/registry.h"
#include "value/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 29, HEIGHT = 22 };

static void print(struct golden *golden, const struct tw_node_type *type, const char *name,
                  struct tw_recipe *recipe)
{
    struct outcome outcome;
    outcome_find(recipe, type->name, &outcome);
    outcome_print(golden, type, name, outcome.text);
}

static void print_sizes(struct golden *golden, const struct tw_node_type *type)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 5}, {33, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char name[20];
        snprintf(name, sizeof name, "%dx%d", (int)sizes[i][0], (int)sizes[i][1]);
        print(golden, type, name, example_load(type, sizes[i][0], sizes[i][1]));
    }
}

/* Tries all values of each setting, one at a time, on maps of a few cells with open and closed
 * borders; prints a line per setting. */
static void print_settings(struct golden *golden, const struct tw_node_type *type)
{
    static const int32_t sizes[][2] = {{3, 5}, {1, 4}, {6, 1}};
    if (type->output_size || type->outputs[0].type == TW_SURFACE)
        return; /* pictures take long even for a few cells: test_settings.c covers them */
    for (const struct tw_param *row = type->params; row && row->name; row++) {
        struct outcome outcomes[60];
        size_t count = 0;
        for (int i = 0, last = 0; !last; i++)
            for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && !last; k++) {
                struct tw_recipe *recipe = k == 1
                                               ? example_load_closed(type, sizes[k][0], sizes[k][1])
                                               : example_load(type, sizes[k][0], sizes[k][1]);
                enum settings_fit change = settings_apply(recipe, type, row, i);
                last = change == SETTINGS_OVER;
                if (change != SETTINGS_FIT) {
                    tw_recipe_release(recipe);
                    continue;
                }
                assert_true(count < sizeof outcomes / sizeof outcomes[0]);
                memset(&outcomes[count], 0, sizeof outcomes[count]);
                outcome_find(recipe, type->name, &outcomes[count++]);
            }
        char name[100], hex[33];
        struct tw_digest all = tw_digest_of(outcomes, count * sizeof outcomes[0]);
        tw_hex(all.at, sizeof all.at, hex);
        snprintf(name, sizeof name, "few:%s", row->name);
        if (count > 0)
            outcome_print(golden, type, name, hex);
    }
}

/* Settings that take seconds at an end. */
static bool is_long(const struct tw_node_type *type, const struct tw_param *row)
{
    static const char *const rows[][2] = {{"erosion.droplets", "density"},
                                          {"erosion.raindrops", "side"},
                                          {"island.scatter", "distance"}};
    bool found = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        found |= strcmp(rows[i][0], type->name) == 0 && strcmp(rows[i][1], row->name) == 0;
    return found;
}

/* Tries each setting at its least and its greatest, lists and tables number by number; prints a
 * line per setting. A digest chains the outcomes, so that an added or missing one shows. */
static void print_ends(struct golden *golden, const struct tw_node_type *type)
{
    if (type->output_size || type->outputs[0].type == TW_SURFACE)
        return;
    for (const struct tw_param *row = type->params; row && row->name; row++) {
        enum settings_fit change = is_long(type, row) ? SETTINGS_OVER : SETTINGS_FIT;
        struct tw_digest all = {{0}};
        char name[100], hex[33];
        int count = 0;
        for (int i = 0; change != SETTINGS_OVER; i++) {
            struct {
                struct tw_digest before;
                struct outcome outcome;
            } next = {.before = all};
            struct tw_recipe *recipe = example_load(type, WIDTH, HEIGHT);
            change = settings_apply_by(settings_set_end, recipe, type, row, i);
            if (change != SETTINGS_FIT) {
                tw_recipe_release(recipe);
                continue;
            }
            outcome_find(recipe, type->name, &next.outcome);
            all = tw_digest_of(&next, sizeof next);
            count++;
        }
        tw_hex(all.at, sizeof all.at, hex);
        snprintf(name, sizeof name, "ends:%s", row->name);
        if (count > 0)
            outcome_print(golden, type, name, hex);
    }
}

static const struct {
    const char *name, *nodes;
    enum tw_type type;
} maps[] = {
    {"flat", "extreme: {type: source.constant, value: 0.25}", TW_HEIGHTMAP},
    {"plateaus",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: combine.formula, a: spare, formula: \"floor(a * 4) / 4\"}",
     TW_HEIGHTMAP},
    {"deep",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: combine.formula, a: spare, formula: \"a * 8 - 20\"}",
     TW_HEIGHTMAP},
    {"faint",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: combine.formula, a: spare, formula: \"a * 1e-7\"}",
     TW_HEIGHTMAP},
    {"none",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: mask.height, in: spare, low: 8, high: 9}",
     TW_MASK},
    {"all",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: mask.height, in: spare, low: -9, high: 9, softness: 0}",
     TW_MASK},
};

static void print_maps(struct golden *golden, const struct tw_node_type *type)
{
    for (const struct tw_port *port = type->inputs; port && port->name; port++)
        for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
            char text[SETTINGS_TEXT], name[100];
            if (maps[i].type != port->type || port->flags & TW_VARIADIC ||
                !settings_put(type, type->example, port, "extreme", text))
                continue;
            struct tw_node_type changed = *type;
            changed.example = text;
            snprintf(name, sizeof name, "%s=%s", port->name, maps[i].name);
            print(golden, type, name, example_load_with(&changed, WIDTH, HEIGHT, maps[i].nodes));
        }
}

static void extremes_change_bytes_only_with_versions(void **state)
{
    struct golden golden;
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/extremes.txt");
    EACH_NODE_TYPE(type)
    {
        print_sizes(&golden, *type);
        print_settings(&golden, *type);
        print_ends(&golden, *type);
        print_maps(&golden, *type);
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(extremes_change_bytes_only_with_versions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
