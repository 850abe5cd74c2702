/* SPDX-License-Identifier: MIT */
/* --events: whole lines in a consistent order, with the sums of --json. */
#include "support/gate.h"
#include "support/until.h"

#include <signal.h>

struct counts {
    int plans, started, computed, hits, exports, errors, warnings;
    int64_t planned_nodes, planned_exports;
    json_t *end;
};

static const char *text_of(const json_t *event, const char *name)
{
    const char *text = json_string_value(json_object_get(event, name));
    return text ? text : "";
}

/* A node is done once, after it was started unless it is a hit, and after the plan. */
static void count_event(const json_t *event, json_t *open, struct counts *counts)
{
    const char *kind = text_of(event, "event"), *node = text_of(event, "node");
    if (strcmp(kind, "plan") == 0) {
        counts->plans++;
        counts->planned_nodes += json_integer_value(json_object_get(event, "nodes"));
        counts->planned_exports += json_integer_value(json_object_get(event, "exports"));
        assert_true(json_integer_value(json_object_get(event, "bytes")) > 0);
    } else if (strcmp(kind, "node-started") == 0) {
        counts->started++;
        assert_int_equal(json_object_set_new(open, node, json_true()), 0);
    } else if (strcmp(kind, "node-done") == 0) {
        bool hit = strcmp(text_of(event, "outcome"), "hit") == 0;
        assert_true(counts->plans > 0);
        assert_true(hit || json_object_get(open, node));
        counts->hits += hit;
        counts->computed += !hit;
    } else if (strcmp(kind, "export") == 0) {
        counts->exports++;
        assert_int_equal(strlen(text_of(event, "sha256")), 64);
    } else if (strcmp(kind, "error") == 0) {
        counts->errors++;
    } else if (strcmp(kind, "warning") == 0) {
        counts->warnings++;
    } else {
        fail_msg("an event '%s'", kind);
    }
}

/* The text's lines; counts->end is the caller's. */
static struct counts read_events(char *text)
{
    struct counts counts = {0};
    json_t *open = json_object();
    double before = 0;
    int line = 0;
    assert_true(text[0] && text[strlen(text) - 1] == '\n');
    for (char *rest = text, *at; (at = strtok_r(rest, "\n", &rest)); line++) {
        json_t *event = json_loads(at, 0, NULL);
        if (!event || counts.end)
            fail_msg("line %d: %s", line + 1, at);
        double now = json_number_value(json_object_get(event, "time"));
        assert_true(now >= before);
        before = now;
        if (line == 0)
            assert_string_equal(text_of(event, "format"), "thalweg.events/1");
        else if (strcmp(text_of(event, "event"), "end") == 0)
            counts.end = json_incref(event);
        else
            count_event(event, open, &counts);
        json_decref(event);
    }
    assert_non_null(counts.end);
    json_decref(open);
    return counts;
}

static void check_sums(const struct counts *counts, const json_t *root)
{
    static const struct {
        const char *end, *json;
    } names[] = {{"nodes", "needed"},
                 {"computed", "computed"},
                 {"hits", "hits"},
                 {"exit_code", "exit_code"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(json_integer_value(json_object_get(counts->end, names[i].end)),
                         json_integer_value(json_object_get(root, names[i].json)));
    assert_int_equal(counts->computed, json_integer_value(json_object_get(root, "computed")));
    assert_int_equal(counts->hits, json_integer_value(json_object_get(root, "hits")));
}

static void sums_are_those_of_json(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) { /* computed, then from the cache */
        assert_int_equal(run("run hills.yaml --events events.jsonl --json"), 0);
        json_t *root = json_loads(result.out, 0, NULL);
        char *text = read_text("events.jsonl");
        struct counts counts = read_events(text);
        check_sums(&counts, root);
        assert_int_equal(counts.planned_nodes, counts.computed + counts.hits);
        assert_int_equal(counts.planned_exports, counts.exports);
        assert_int_equal(counts.started, counts.computed);
        assert_int_equal(counts.exports, 3);
        assert_true(round == 0 ? counts.hits == 0 : counts.computed == 0);
        json_decref(counts.end);
        json_decref(root);
        free(text);
    }
}

static void standard_output_holds_nothing_else(void **state)
{
    (void)state;
    write_recipe("other.yaml", 6, "");
    edit("other.yaml", "size: 64", "size: 32");
    assert_int_equal(run("run hills.yaml other.yaml --events - -q -o {recipe}"), 0);
    assert_string_equal(result.err, "2 recipes: 6 exports written, 0 unchanged\n");
    struct counts counts = read_events(result.out);
    assert_int_equal(counts.plans, 2);
    assert_int_equal(counts.exports, 6);
    json_decref(counts.end);
}

/* Whether the file has the event of a node that began. */
static bool has_node(const char *name)
{
    char *text = exists(name) ? read_text(name) : NULL;
    bool there = text && strstr(text, "\"node-started\"");
    free(text);
    return there;
}

static void errors_and_signals_end_the_stream(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: 1024\nnodes:\n  noise: {type: noise.midpoint}\n"
                                 "  eroded: {type: erosion.olsen, in: noise, iterations: 100000}\n"
                                 "outputs: {height: eroded}\nexport: {height.npy: height}\n";
    (void)state;
    edit("hills.yaml", "range: [-1, 2]", "range: [0.5, 0.6]");
    assert_int_equal(run("run hills.yaml --events - -q"), 4);
    struct counts counts = read_events(result.out);
    assert_int_equal(counts.errors, 1);
    assert_string_equal(text_of(counts.end, "status"), "failed");
    json_decref(counts.end);
    write_text("long.yaml", recipe);
    int process = command_start_into("run long.yaml --events -", "events.jsonl");
    UNTIL(has_node("events.jsonl"));
    assert_int_equal(kill(process, SIGTERM), 0);
    assert_int_equal(command_wait(process), 128 + SIGTERM);
    char *text = read_text("events.jsonl");
    counts = read_events(text);
    assert_string_equal(text_of(counts.end, "status"), "interrupted");
    json_decref(counts.end);
    free(text);
}

static void faults_of_recipes_are_events(void **state)
{
    static const char *const commands[] = {"run", "lock", "verify"};
    (void)state;
    write_text("bad.yaml", "thalweg: 1\nsede: 3\nnodes: {a: {type: noise.perlim}}\n");
    write_text("bad.yaml.lock", "thalweg-lock: 1\nsede: 3\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s bad.yaml --events -", commands[i]);
        assert_int_equal(run(text), 3);
        contains(result.out, commands[i]);
        struct counts counts = read_events(result.out);
        assert_true(counts.errors >= 2);
        assert_string_equal(text_of(counts.end, "status"), "invalid");
        json_decref(counts.end);
    }
}

static void the_gate_has_events(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml --events - --no-cache"), 0);
    struct counts counts = read_events(result.out);
    assert_int_equal(counts.plans, 1);
    assert_int_equal(counts.computed, 5);
    assert_int_equal(counts.planned_nodes, 5);
    json_decref(counts.end);
    assert_int_equal(run("run hills.yaml -q"), 0);
    assert_int_equal(run("verify hills.yaml --events events.jsonl --json"), 0);
    json_t *root = json_loads(result.out, 0, NULL);
    char *text = read_text("events.jsonl");
    contains(text, "\"command\":\"verify\"");
    lacks(text, "\"left\":null"); /* the run before was a forecast */
    double left = 1e9;
    for (const char *at = text; (at = strstr(at, "\"left\":"));)
        left = strtod(at += 7, NULL);
    assert_true(left >= 0 && left < 1e-6); /* after the last node, but for rounding */
    counts = read_events(text);
    /* a hit whose value nobody kept is computed after all, and is still one event */
    assert_true(counts.computed <= json_integer_value(json_object_get(root, "computed")));
    assert_int_equal(counts.computed + counts.hits, 5);
    json_decref(counts.end);
    json_decref(root);
    free(text);
    write_recipe("hills.yaml", 6, "");
    assert_int_equal(run("verify hills.yaml --events -"), 1);
    counts = read_events(result.out);
    assert_int_equal(counts.errors, 1);
    assert_string_equal(text_of(counts.end, "status"), "difference");
    json_decref(counts.end);
}

static void seeds_are_events(void **state)
{
    int seeds = 0;
    (void)state;
    write_text("experiment.yaml", "thalweg-experiment: 1\nrecipe: hills.yaml\n"
                                  "seeds: {from: 1, count: 3}\nmeasure: [score.erosion]\n"
                                  "variants: {a: {}}\n");
    assert_int_equal(run("compare experiment.yaml --events - -q"), 0);
    for (char *rest = result.out, *line; (line = strtok_r(rest, "\n", &rest));) {
        json_t *event = json_loads(line, 0, NULL);
        assert_non_null(event);
        if (strcmp(text_of(event, "event"), "seed-done") == 0) {
            assert_int_equal(json_integer_value(json_object_get(event, "done")), ++seeds);
            assert_int_equal(json_integer_value(json_object_get(event, "seeds")), 3);
        }
        json_decref(event);
    }
    assert_int_equal(seeds, 3);
}

static void what_is_read_is_not_replaced(void **state)
{
    (void)state;
    assert_int_equal(run("run hills.yaml --events hills.yaml"), 3);
    contains(result.err, "'hills.yaml' would overwrite a recipe of this run");
    write_text("notes.txt", "remember this\n");
    assert_int_equal(run("run hills.yaml --events notes.txt"), 3);
    contains(result.err, "expected a new file, an empty one or earlier events");
    write_text("empty.jsonl", "");
    assert_int_equal(run("run hills.yaml --events empty.jsonl -q"), 0);
    assert_int_equal(run("run hills.yaml --events empty.jsonl -q"), 0);
    assert_int_equal(run("verify hills.yaml --events out/height.png"), 3);
    assert_true(system("rm -r out") == 0);
    assert_int_equal(run("run hills.yaml --events notes.txt/events.jsonl"), 4);
    assert_false(exists("out"));
    assert_int_equal(run("check hills.yaml"), 0);
    assert_int_equal(run("lock hills.yaml -q --events new/folder/events.jsonl"), 0);
    assert_true(exists("new/folder/events.jsonl"));
    assert_int_equal(run("run hills.yaml --events /dev/full"), 4);
    contains(result.err, "cannot write all events to /dev/full");
    assert_true(exists("out/height.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(sums_are_those_of_json),
        GATE_TEST(standard_output_holds_nothing_else),
        GATE_TEST(errors_and_signals_end_the_stream),
        GATE_TEST(faults_of_recipes_are_events),
        GATE_TEST(the_gate_has_events),
        GATE_TEST(seeds_are_events),
        GATE_TEST(what_is_read_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
