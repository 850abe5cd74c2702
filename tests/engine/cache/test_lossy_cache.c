/* SPDX-License-Identifier: MIT */
/* Random graphs on a cache that loses entries between runs, on a disk of changing speed, and with
 * results of earlier runs in more or less memory: every run must end, and give what a run without a
 * cache gives. */
#define _DEFAULT_SOURCE /* syscall() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/folder.h"
#include "support/little_endian.h"
#include "support/node_clock.h"
#include "support/sanitized.h"
#include "support/until.h"

#include "runner/runner.h"

#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { GRAPHS = SANITIZED ? 40 : 80, ROUNDS = 4, NODES = 20, OUTPUTS = 4, WIDTH = 64, HEIGHT = 32 };

/* ---- chance ---- */

static uint32_t draws;

static int chance(int below)
{
    return (int)(tw_random(7, draws++, 0, 0, 0).at[0] % (uint32_t)below);
}

/* ---- a slow disk: stands in for the C library's openat(), which opens cache entries ---- */

static atomic_bool slow;
static atomic_uint opened;

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = va_arg(arguments, int);
    va_end(arguments);
    if (atomic_load(&slow) && (strncmp(path, "cas/", 4) == 0 || strncmp(path, "tmp/", 4) == 0)) {
        uint32_t word = tw_random(9, atomic_fetch_add(&opened, 1), 0, 0, 0).at[0];
        if (word % 4 == 0)
            until_pause();
        for (uint32_t i = word % 200; i > 0; i--)
            (void)sched_yield();
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

/* ---- a node with two maps and a list, two of them on demand, in place, some too cheap to be
 * stored ---- */

struct params {
    float value;
    int32_t microseconds;
};

static const struct tw_param rows[] = {
    TW_PARAM_F32(struct params, value, 0, 0, 100, "", "of every cell"),
    TW_PARAM_I32(struct params, microseconds, 0, 0, 10000, "", "what it takes"),
    TW_PARAM_END,
};
static const struct tw_port inputs[] = {{"a", TW_HEIGHTMAP, TW_OPTIONAL, "map"},
                                        {"b", TW_HEIGHTMAP, TW_OPTIONAL, "map"},
                                        {"c", TW_POINTS, TW_OPTIONAL, "list"},
                                        TW_PORT_END};
static const struct tw_port outputs[] = {{"x", TW_HEIGHTMAP, 0, "sum"},
                                         {"y", TW_HEIGHTMAP, TW_ON_DEMAND, "sum, rounded down"},
                                         {"z", TW_POINTS, TW_ON_DEMAND, "some of it"},
                                         TW_PORT_END};

static enum tw_status run_mix(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *a = tw_task_input(task, 0), *b = tw_task_input(task, 1);
    const struct tw_value *c = tw_task_input(task, 2);
    float *x = tw_floats(tw_task_output(task, 0));
    struct tw_value *y = tw_task_output(task, 1);
    bool wants_list = tw_task_wants(task, 2);
    assert_true((y->data != NULL) == tw_task_wants(task, 1));
    node_costs(1e-6 * p->microseconds);
    if (wants_list && tw_task_list(task, 2, 2) != TW_OK)
        return TW_MEMORY;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        float sum = p->value + (c ? tw_points(c)[1].x : 0);
        sum += a ? 0.5f * tw_floats(a)[i] : 0;
        sum += b ? 0.25f * tw_floats(b)[i] : 0;
        x[i] = sum;
        if (y->data)
            tw_floats(y)[i] = (float)(int)sum;
    }
    if (wants_list)
        tw_points(tw_task_output(task, 2))[1].x = (float)(int)x[0];
    return TW_OK;
}

static const struct tw_node_type mix = {.name = "test.mix",
                                        .version = 1,
                                        .summary = "mix",
                                        .inputs = inputs,
                                        .outputs = outputs,
                                        .params = rows,
                                        .params_size = sizeof(struct params),
                                        .in_place = true,
                                        .run = run_mix};
static const struct tw_node_type *const types[] = {&mix, NULL};

/* ---- graphs ---- */

static struct graph {
    int count;
    float values[NODES];
    char rest[NODES][96]; /* of the node's line */
    char tail[300];
} graph;

static void draw_graph(void)
{
    static const char *const keys[] = {"a: n%d.x", "b: n%d.y", "c: n%d.z"};
    graph.count = 4 + chance(NODES - 4);
    for (int i = 0; i < graph.count; i++) {
        char *rest = graph.rest[i];
        graph.values[i] = (float)chance(7);
        int used = sprintf(rest, "microseconds: %d", chance(3) ? 200 + chance(300) : 0);
        for (int k = 0; k < 3; k++)
            if (i > 0 && chance(3)) {
                used += sprintf(rest + used, ", ");
                used += sprintf(rest + used, keys[k], chance(i));
            }
    }
    int used = sprintf(graph.tail, "outputs:\n");
    for (int k = 0; k < OUTPUTS; k++)
        used += sprintf(graph.tail + used, "  o%d: n%d.%c\n", k,
                        k ? chance(graph.count) : graph.count - 1, chance(2) ? 'x' : 'y');
    used += sprintf(graph.tail + used, "export:\n");
    for (int k = 0; k < OUTPUTS; k++)
        used += sprintf(graph.tail + used, "  o%d.npy: o%d\n", k, k);
}

static struct tw_recipe *load(void)
{
    static char text[NODES * 160 + 600];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options options = {.types = types};
    int used = sprintf(text, "thalweg: 1\nsize: [%d, %d]\nnodes:\n", WIDTH, HEIGHT);
    for (int i = 0; i < graph.count; i++)
        used += sprintf(text + used, "  n%d: {type: test.mix, value: %g, %s}\n", i,
                        (double)graph.values[i], graph.rest[i]);
    strcpy(text + used, graph.tail);
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, text);
    return recipe;
}

/* ---- the test's own folder ---- */

static char folder[64], cache[96], out[96];
static int percent;

static int lose(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)at;
    return kind == FTW_F && chance(100) < percent ? unlink(path) : 0;
}

static void lose_some(const char *path, int share)
{
    percent = share;
    (void)nftw(path, lose, 16, FTW_PHYS); /* it need not be there yet */
}

/* ---- tests ---- */

static void expect_same(const struct tw_result *expected, const struct tw_result *found)
{
    char name[8], path[128];
    static unsigned char file[128 + WIDTH * HEIGHT * sizeof(float) + 1];
    for (int k = 0; k < OUTPUTS; k++) {
        snprintf(name, sizeof name, "o%d", k);
        const void *cells = tw_result_output(expected, name)->data;
        if (found) {
            assert_memory_equal(tw_result_output(found, name)->data, cells, sizeof file - 129);
            continue;
        }
        snprintf(path, sizeof path, "%s/o%d.npy", out, k);
        FILE *stream = fopen(path, "rb");
        assert_non_null(stream);
        assert_int_equal(fread(file, 1, sizeof file, stream), sizeof file - 1);
        fclose(stream);
        to_little_endian(file + 128, WIDTH * HEIGHT, sizeof(float));
        assert_memory_equal(file + 128, cells, sizeof file - 129);
    }
}

/* With the cache on disk, with what earlier runs left in memory, or both. */
static void run_once(bool exports, struct tw_memo *memo)
{
    struct tw_recipe *recipe = load();
    struct tw_result *expected = NULL, *found = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_options plain = {.threads = 2};
    const struct tw_run_options cached = {.threads = 1 + chance(4),
                                          .cache_dir = memo && chance(2) ? NULL : cache,
                                          .max_memory = chance(4) ? 0 : WIDTH * HEIGHT * 4 * 64};
    const struct tw_run_request request = {
        .options = &cached, .export_folder = exports ? out : NULL, .memo = memo};
    assert_int_equal(tw_recipe_run(recipe, &plain, &expected, &error), TW_OK);
    atomic_store(&slow, true);
    if (tw_run_execute(recipe, &request, exports ? NULL : &found, &error) != TW_OK)
        fail_msg("%s", error.message);
    atomic_store(&slow, false);
    expect_same(expected, found);
    tw_result_release(expected);
    tw_result_release(found);
    tw_recipe_release(recipe);
}

static void whatever_is_lost_is_made_again(void **state)
{
    static const int blobs_lost[] = {0, 50, 100, 100}, actions_lost[] = {0, 0, 0, 30};
    char path[128];
    (void)state;
    strcpy(folder, "/tmp/thalweg-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    for (int g = 0; g < GRAPHS; g++) {
        struct tw_memo *memo = NULL;
        uint64_t bound = (uint64_t)(1 + chance(40)) * WIDTH * HEIGHT * 4;
        if (chance(2))
            assert_int_equal(tw_memo_create(chance(2) ? 0 : bound, &memo, NULL), TW_OK);
        draw_graph();
        for (int round = 0; round < ROUNDS; round++) {
            graph.values[chance(graph.count)] = (float)chance(7);
            snprintf(path, sizeof path, "%s/v1/cas", cache);
            lose_some(path, blobs_lost[chance(4)]);
            snprintf(path, sizeof path, "%s/v1/ac", cache);
            lose_some(path, actions_lost[chance(4)]);
            lose_some(out, 50);
            run_once(chance(5) == 0, memo); /* exports wait for fsync: few */
        }
        tw_memo_release(memo);
    }
    assert_int_equal(folder_remove(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whatever_is_lost_is_made_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
