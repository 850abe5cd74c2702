/* SPDX-License-Identifier: MIT */
/* Nodes that are computed together give what they give one after the other: bytes, faults, reports.
 * A run in which every value has a digest fuses nothing; it is the one to compare with. */
#include "support/recipe.h"
#include "support/sanitized.h"

#include "runner/runner.h"
#include "value/field.h"

#include <stdio.h>
#include <string.h>

enum { NODES_MAX = 40 };

/* What a run tells, in its order. */
struct told {
    int32_t started[NODES_MAX], done[NODES_MAX];
    double seconds;
};

static void on_started(void *context, int32_t node) { ((struct told *)context)->started[node]++; }

static void on_done(void *context, int32_t node, enum tw_outcome outcome, double seconds)
{
    struct told *told = context;
    assert_int_equal(outcome, TW_OUTCOME_COMPUTED);
    assert_int_equal(told->started[node], 1);
    told->done[node]++;
    told->seconds += seconds;
}

struct ran {
    enum tw_status status;
    struct tw_error error;
    struct tw_digest digest;
    struct tw_run_summary report;
    struct told told;
};

/* ---- nodes that write a cell before they have read all of it ---- */

static const struct tw_port two_ports[] = {
    {"a", TW_HEIGHTMAP, 0, "map"}, {"b", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
static const struct tw_port out_port[] = {{"out", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};

/* a - 2 b, in two passes: b must not be where out is. */
static enum tw_status run_late(struct tw_task *task)
{
    const float *a = tw_floats(tw_task_input(task, 0)), *b = tw_floats(tw_task_input(task, 1));
    struct tw_value *out = tw_task_output(task, 0);
    memmove(tw_floats(out), a, tw_value_count(out) * sizeof(float));
    for (size_t i = 0; i < tw_value_count(out); i++)
        tw_floats(out)[i] -= 2 * b[i];
    return TW_OK;
}

/* The same, but that neither may be. */
static enum tw_status run_apart(struct tw_task *task)
{
    memset(tw_floats(tw_task_output(task, 0)), 0,
           tw_value_count(tw_task_output(task, 0)) * sizeof(float));
    return run_late(task);
}

static const struct tw_node_type late = {.name = "test.late",
                                         .version = 1,
                                         .summary = "late",
                                         .inputs = two_ports,
                                         .outputs = out_port,
                                         .in_place = true,
                                         .reach = TW_REACH_CELL,
                                         .run = run_late};
static const struct tw_node_type apart_type = {.name = "test.apart",
                                               .version = 1,
                                               .summary = "apart",
                                               .inputs = two_ports,
                                               .outputs = out_port,
                                               .reach = TW_REACH_CELL,
                                               .run = run_apart};
static const struct tw_node_type *const types[] = {&late, &apart_type, NULL};

static struct ran run(const char *text, int32_t threads, bool apart, uint64_t limit)
{
    struct ran ran = {.status = TW_OK};
    const struct tw_load_options load = {.types = types};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &load, &recipe, &ran.error) != TW_OK)
        fail_msg("%d: %s", ran.error.line, ran.error.message);
    const struct tw_run_options options = {.threads = threads, .max_memory = limit};
    const struct tw_run_observer observer = {
        .started = on_started, .done = on_done, .context = &ran.told};
    const struct tw_run_request request = {
        .options = &options, .stamp_all = apart, .observer = &observer, .report = &ran.report};
    ran.status = tw_run_execute(recipe, &request, &result, &ran.error);
    if (ran.status == TW_OK)
        ran.digest = tw_field_digest(tw_result_output(result, "out"));
    tw_result_release(result);
    tw_recipe_release(recipe);
    return ran;
}

/* Trees that share inputs, masks and values between them, nodes that run in place, types that
 * differ, a value that is an output besides. */
static const char nodes[] = "nodes:\n"
                            "  in: {type: noise.perlin}\n"
                            "  mask: {type: mask.shape, kind: circle}\n"
                            "  a: {type: shape.remap, in: in, to: [-1, 3]}\n"
                            "  b: {type: shape.invert, in: a, mask: mask}\n"
                            "  c: {type: combine.add, a: a, b: b}\n"
                            "  high: {type: mask.height, in: c, low: 1}\n"
                            "  d: {type: combine.multiply, a: c, b: c}\n"
                            "  e: {type: combine.blend, a: d, b: in, mask: high}\n"
                            "  f: {type: shape.terrace, in: e, levels: 7}\n"
                            "  kept: {type: shape.clamp, in: f, low: 0, high: 2}\n"
                            "  g: {type: combine.subtract, a: kept, b: in}\n"
                            "  h: {type: shape.invert, in: g, mask: high}\n"
                            "outputs: {out: h, kept: kept}\n";

static void bytes_are_the_same(void **state)
{
    static const char *const sizes[] = {"[64, 48]", "[4097, 70]", "[1, 1]", "[3, 900]"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char text[2000];
        snprintf(text, sizeof text, "thalweg: 1\nsize: %s\n%s", sizes[i], nodes);
        struct ran apart = run(text, 1, true, 0);
        assert_int_equal(apart.status, TW_OK);
        for (int32_t threads = 1; threads <= 8; threads *= 2) {
            struct ran fused = run(text, threads, false, 0);
            assert_int_equal(fused.status, TW_OK);
            assert_memory_equal(&fused.digest, &apart.digest, sizeof fused.digest);
            tw_run_summary_release(&fused.report);
        }
        tw_run_summary_release(&apart.report);
    }
}

/* Which block a node writes to: that of an input that it and a node before it read for the last
 * time, but never that of an input which it reads after it began to write. */
static void blocks_are_taken_from_nobody(void **state)
{
    static const char *const edges[] = {"a: in, b: m", "a: m, b: in", "a: in, b: in", "a: m, b: m"};
    (void)state;
    for (int i = 0; i < 8; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: [300, 200]\nnodes:\n  in: {type: noise.perlin}\n"
                 "  m: {type: shape.remap, in: in, to: [-1, 3]}\n  out: {type: test.%s, %s}\n"
                 "outputs: {out: out}\n",
                 i < 4 ? "late" : "apart", edges[i % 4]);
        struct ran apart = run(text, 1, true, 0), fused = run(text, 2, false, 0);
        assert_int_equal(apart.status, TW_OK);
        assert_int_equal(fused.status, TW_OK);
        assert_memory_equal(&fused.digest, &apart.digest, sizeof fused.digest);
        tw_run_summary_release(&apart.report);
        tw_run_summary_release(&fused.report);
    }
}

static void every_member_is_reported_once(void **state)
{
    char text[2000];
    (void)state;
    snprintf(text, sizeof text, "thalweg: 1\nsize: [300, 200]\n%s", nodes);
    struct ran fused = run(text, 2, false, 0);
    double all = 0;
    assert_int_equal(fused.report.node_count, 12);
    for (int32_t i = 0; i < fused.report.node_count; i++) {
        assert_int_equal(fused.told.done[i], 1);
        assert_int_equal(fused.report.nodes[i].outcome, TW_OUTCOME_COMPUTED);
        assert_true(fused.report.nodes[i].seconds >= 0);
        all += fused.report.nodes[i].seconds;
    }
    assert_true(all > 0 && all - fused.told.seconds < 1e-9 && fused.told.seconds - all < 1e-9);
    tw_run_summary_release(&fused.report);
}

/* The first node in order whose values are not finite is named, not the first to meet one, and of
 * its cells the first: c is infinite in few cells, its user in many. */
static void the_same_fault_is_reported(void **state)
{
    static const char text[] = "thalweg: 1\nsize: [500, 400]\nnodes:\n"
                               "  in: {type: noise.midpoint}\n"
                               "  top: {type: mask.height, in: in, low: 0.99, softness: 0}\n"
                               "  a: {type: shape.remap, in: in, to: [1e9, 1e9]}\n"
                               "  b: {type: combine.multiply, a: a, b: a}\n"
                               "  t: {type: shape.remap, in: top, to: [1, 1e9]}\n"
                               "  u: {type: combine.multiply, a: t, b: t}\n"
                               "  b2: {type: combine.multiply, a: b, b: a}\n"
                               "  c: {type: combine.multiply, a: b2, b: u}\n"
                               "  d: {type: combine.multiply, a: b2, b: b2}\n"
                               "  e: {type: combine.add, a: c, b: d}\n"
                               "outputs: {out: e}\n";
    (void)state;
    struct ran apart = run(text, 1, true, 0);
    assert_int_equal(apart.status, TW_NODE);
    assert_string_equal(apart.error.path, "c");
    for (int32_t threads = 1; threads <= 4; threads++) {
        struct ran fused = run(text, threads, false, 0);
        assert_int_equal(fused.status, TW_NODE);
        assert_string_equal(fused.error.message, apart.error.message);
        assert_string_equal(fused.error.path, apart.error.path);
        assert_int_equal(fused.error.line, apart.error.line);
        tw_run_summary_release(&fused.report);
    }
    tw_run_summary_release(&apart.report);
}

/* A node that fails by itself, in a block far from the first. */
static void what_a_node_says_is_reported(void **state)
{
    static const char text[] = "thalweg: 1\nsize: [400, 400]\nnodes:\n"
                               "  in: {type: noise.midpoint}\n"
                               "  a: {type: shape.remap, in: in, to: [0, 1e9]}\n"
                               "  b: {type: shape.power, in: a, exponent: 8}\n"
                               "  c: {type: shape.invert, in: b}\n"
                               "outputs: {out: c}\n";
    (void)state;
    struct ran apart = run(text, 1, true, 0), fused = run(text, 2, false, 0);
    assert_int_equal(apart.status, TW_NODE);
    assert_int_equal(fused.status, apart.status);
    assert_string_equal(fused.error.path, "b");
    assert_string_equal(fused.error.message, apart.error.message);
    tw_run_summary_release(&apart.report);
    tw_run_summary_release(&fused.report);
}

/* Noise and thirty nodes behind it, one after the other. */
static void write_chain(char text[4000], int side, const char *node)
{
    size_t used = (size_t)snprintf(
        text, 4000, "thalweg: 1\nsize: %d\nnodes:\n  n0: {type: noise.perlin}\n", side);
    for (int i = 1; i <= 30; i++)
        used += (size_t)snprintf(text + used, 4000 - used, "  n%d: {type: %s, in: n%d}\n", i, node,
                                 i - 1);
    snprintf(text + used, 4000 - used, "outputs: {out: n30}\n");
}

/* Thirty maps in the block of the first, and within the limit that the plan asks for. */
static void chains_take_one_map(void **state)
{
    enum { SIDE = SANITIZED ? 512 : 1024, MAP = SIDE * SIDE * 4 };
    char text[4000];
    (void)state;
    write_chain(text, SIDE, "shape.remap, to: [0, 2]");
    struct ran fused = run(text, 2, false, 0);
    assert_int_equal(fused.status, TW_OK);
    assert_true(fused.report.used_bytes < MAP + MAP / 8);
    assert_true(fused.report.peak_bytes >= fused.report.used_bytes);
    struct ran bounded = run(text, 2, false, fused.report.peak_bytes);
    assert_int_equal(bounded.status, TW_OK);
    assert_memory_equal(&bounded.digest, &fused.digest, sizeof fused.digest);
    tw_run_summary_release(&fused.report);
    tw_run_summary_release(&bounded.report);
}

/* Of thirty maps that are no blocks of each other two are there at once, and scratch. */
static void values_go_with_their_last_use(void **state)
{
    enum { MAP = 128 * 128 * 4 };
    char text[4000];
    (void)state;
    write_chain(text, 128, "shape.blur");
    for (int apart = 0; apart < 2; apart++) {
        struct ran ran = run(text, 2, apart, 0);
        assert_int_equal(ran.status, TW_OK);
        assert_true(ran.report.used_bytes >= 2 * MAP && ran.report.used_bytes < 8 * MAP);
        tw_run_summary_release(&ran.report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_the_same),
                                       cmocka_unit_test(blocks_are_taken_from_nobody),
                                       cmocka_unit_test(every_member_is_reported_once),
                                       cmocka_unit_test(the_same_fault_is_reported),
                                       cmocka_unit_test(what_a_node_says_is_reported),
                                       cmocka_unit_test(chains_take_one_map),
                                       cmocka_unit_test(values_go_with_their_last_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
