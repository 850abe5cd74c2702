/* SPDX-License-Identifier: MIT */
/* What recipes used as nodes may have together: each limit met exactly, and exceeded. */
#include "support/command.h"
#include "support/harness.h"

#include "graph/graph.h"
#include "graph/load/recipe.h"
#include "graph/load/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 1 << 20 };

static char text[FILE_BYTES + 1];
static size_t used;

static void add(const char *piece)
{
    const size_t length = strlen(piece);
    assert_true(used + length <= FILE_BYTES);
    memcpy(text + used, piece, length + 1);
    used += length;
}

static void add_times(const char *piece, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(piece);
}

static void write_file(const char *name) { command_write(name, text, used); }

/* ---- recipes that are used ---- */

#define POINTS_HEAD "thalweg: 1\nnodes: {p: {type: feature.points, points: ["
#define POINTS_TAIL "]}}\noutputs: {p: p}\n"
#define POINTS_WORDS "thalweg1nodesptypefeature.pointspointsoutputspp"

/* No node at all, so that nodes are not too many before recipes are. */
static void write_empty(void)
{
    used = 0;
    add("thalweg: 1\ninputs: {i: heightmap}\nnodes: {}\noutputs: {o: i}\n");
    write_file("empty.yaml");
}

/* As long as a file may be. */
static void write_long(void)
{
    used = 0;
    add(POINTS_HEAD "[0, 0, 1]" POINTS_TAIL "#");
    add_times("-", FILE_BYTES - used);
    write_file("long.yaml");
}

/* Scalars of 2 MiB: a row of 128 bytes, 16,383 times, and one that is as long as it takes. */
static void write_wordy(void)
{
    enum { ROWS = (1 << 14) - 1, ROW = 128, LAST = ROW - (int)sizeof POINTS_WORDS + 1 };
    used = 0;
    add(POINTS_HEAD "&p [0, 0, 1.");
    add_times("0", ROW - 4);
    add("]");
    add_times(", *p", ROWS - 1);
    add(", [0, 0, 1.");
    add_times("0", LAST - 4);
    add("]" POINTS_TAIL);
    write_file("wordy.yaml");
}

/* As many YAML nodes as a file may have: eight besides the rows, which are four each. */
static void write_full(void)
{
    used = 0;
    add(POINTS_HEAD "&p [0, 0, 1]");
    add_times(", *p", (TW_YAML_NODES_MAX - 8) / 4 - 1);
    add(POINTS_TAIL);
    write_file("full.yaml");
}

/* ---- those that use them ---- */

#define ONE_MORE "  m: {type: ./empty.yaml, i: a}\n"

static enum tw_status load(const char *file, int count, const char *more, struct tw_error *error)
{
    struct tw_recipe *recipe = NULL;
    char line[100];
    used = 0;
    add("thalweg: 1\nnodes:\n  a: {type: noise.midpoint}\n");
    for (int i = 0; i < count; i++) {
        snprintf(line, sizeof line, "  n%d: {type: ./%s}\n", i, file);
        add(line);
    }
    add(more);
    add("outputs: {a: a}\n");
    write_file("outer.yaml");
    enum tw_status status = tw_recipe_load("outer.yaml", NULL, &recipe, error);
    tw_recipe_release(recipe);
    return status;
}

static void so_much_may_be_used_and_no_more(void **state)
{
    static const struct {
        const char *file;
        int count;
        const char *message;
    } rows[] = {
        {"long.yaml", 4, "recipes used as nodes have more than 4194304 bytes together"},
        {"wordy.yaml", 2, "have more than 400000 YAML nodes or 4194304 bytes of text together"},
        {"full.yaml", 2, "have more than 400000 YAML nodes or 4194304 bytes of text together"},
        {"empty.yaml, i: a", 10000, "more than 10000 recipes are used as nodes"},
    };
    struct tw_error error;
    (void)state;
    write_empty();
    write_long();
    write_wordy();
    write_full();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        error.message[0] = 0;
        if (load(rows[i].file, rows[i].count, "", &error) != TW_OK)
            fail_msg("%d of %s: %s", rows[i].count, rows[i].file, error.message);
        assert_int_equal(load(rows[i].file, rows[i].count, ONE_MORE, &error), TW_LIMIT);
        if (!strstr(error.message, rows[i].message))
            fail_msg("more than %d of %s: %s", rows[i].count, rows[i].file, error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(so_much_may_be_used_and_no_more, command_set_up,
                                        command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
