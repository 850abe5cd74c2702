/* SPDX-License-Identifier: MIT */
/* A run with a remote cache: what it asks and sends, and that a server in whatever state changes no
 * byte and fails no run. Time is bounded by counting requests, never by a clock. */
#include "support/folder.h"
#include "support/harness.h"
#include "support/node_clock.h"
#include "support/web_server.h"

#include "cache/remote.h"
#include "runner/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- nodes that count their runs ---- */

static atomic_int runs;

struct fill {
    float value;
};
static const struct tw_param fill_params[] = {
    TW_PARAM_F32(struct fill, value, 0, -100, 100, "", "of every cell"), TW_PARAM_END};
static const struct tw_port out_port[] = {{"out", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
static const struct tw_port in_port[] = {{"in", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
static const struct tw_port two_ports[] = {
    {"a", TW_HEIGHTMAP, 0, "map"}, {"b", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};

/* So long that a map of a few cells is worth sending, however slow the machine. */
static void be_slow(void)
{
    atomic_fetch_add(&runs, 1);
    node_costs(60);
}

static enum tw_status run_fill(struct tw_task *task)
{
    const struct fill *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, 0);
    be_slow();
    for (size_t i = 0; i < tw_value_count(out); i++)
        tw_floats(out)[i] = p->value;
    return TW_OK;
}

static enum tw_status run_floor(struct tw_task *task)
{
    const struct tw_value *in = tw_task_input(task, 0);
    be_slow();
    for (size_t i = 0; i < tw_value_count(in); i++)
        tw_floats(tw_task_output(task, 0))[i] = (float)(int)tw_floats(in)[i];
    return TW_OK;
}

static enum tw_status run_add(struct tw_task *task)
{
    const float *a = tw_floats(tw_task_input(task, 0)), *b = tw_floats(tw_task_input(task, 1));
    struct tw_value *out = tw_task_output(task, 0);
    be_slow();
    for (size_t i = 0; i < tw_value_count(out); i++)
        tw_floats(out)[i] = a[i] + b[i];
    return TW_OK;
}

static const struct tw_node_type fill_type = {.name = "test.fill",
                                              .version = 1,
                                              .summary = "fill",
                                              .outputs = out_port,
                                              .params = fill_params,
                                              .params_size = sizeof(struct fill),
                                              .run = run_fill};
static const struct tw_node_type floor_type = {.name = "test.floor",
                                               .version = 1,
                                               .summary = "floor",
                                               .inputs = in_port,
                                               .outputs = out_port,
                                               .run = run_floor};
static const struct tw_node_type add_type = {.name = "test.add",
                                             .version = 1,
                                             .summary = "add",
                                             .inputs = two_ports,
                                             .outputs = out_port,
                                             .run = run_add};
static const struct tw_node_type *const types[] = {&fill_type, &floor_type, &add_type, NULL};

static const char base[] = "  a: {type: test.fill, value: 1.25}\n"
                           "  b: {type: test.fill, value: 2.5}\n"
                           "  whole: {type: test.floor, in: a}\n"
                           "  sum: {type: test.add, a: whole, b: b}\n";
static const char changed[] = "  a: {type: test.fill, value: 1.75}\n"
                              "  b: {type: test.fill, value: 2.5}\n"
                              "  whole: {type: test.floor, in: a}\n"
                              "  sum: {type: test.add, a: whole, b: b}\n";
enum { NODES = 4, CELLS = 5 * 3, TOLERATED = 3 /* failures in a row */, AT_ONCE = 3 };

/* ---- a run ---- */

static char folder[64], secret[96], token[96];
static struct web_server server;
static struct tw_run_summary report;
static struct tw_remote_counts counts; /* The server's counts may be of an earlier run: it reads
                                          late what that run no longer waited for. */
static char said[2000];
static int warnings;

static void write_private(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, S_IRUSR | S_IWUSR), 0);
}

static void write_secret(char first)
{
    char text[130];
    memset(text, first, 128);
    strcpy(text + 128, "\n");
    write_private(secret, text);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/thalweg-test-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(secret, sizeof secret, "%s/secret", folder);
    snprintf(token, sizeof token, "%s/token", folder);
    write_secret('5');
    web_start(&server);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    web_stop(&server);
    tw_run_summary_release(&report);
    return folder_remove(folder);
}

static void on_warning(void *context, const struct tw_error *warning)
{
    (void)context;
    warnings++;
    snprintf(said, sizeof said, "%s", warning->message);
}

struct setting {
    const char *home, *nodes;
    int port; /* 0: the server's */
    int side; /* of the maps; 0: 5 by 3 */
    bool read_only, with_token, patient;
    double wait;
};

static struct tw_remote *open_remote(const struct setting *s)
{
    char url[64];
    struct tw_remote *remote = NULL;
    struct tw_error error;
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", s->port ? s->port : server.port);
    const struct tw_remote_options options = {.url = url,
                                              .read_only = s->read_only,
                                              .secret_file = secret,
                                              .token_file = s->with_token ? token : NULL,
                                              .wait = s->wait > 0 ? s->wait : 60,
                                              .patient = s->patient};
    if (tw_remote_open(&options, &remote, &error) != TW_OK)
        fail_msg("%s", error.message);
    return remote;
}

/* Runs with that home, and checks the bytes; how many nodes ran. */
static int run_with(const struct setting *s, struct tw_remote *remote)
{
    char text[1000], home[128];
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_load_options load = {.types = types};
    snprintf(home, sizeof home, "%s/%s", folder, s->home);
    snprintf(text, sizeof text, "thalweg: 1\nsize: [%d, %d]\nnodes:\n%soutputs: {sum: sum}\n",
             s->side ? s->side : 5, s->side ? s->side : 3, s->nodes ? s->nodes : base);
    const struct tw_run_options options = {
        .threads = 2, .cache_dir = home, .remote = remote, .warning = on_warning};
    const struct tw_run_request request = {.options = &options, .report = &report};
    warnings = 0;
    runs = 0;
    said[0] = 0;
    web_reset(&server);
    tw_run_summary_release(&report);
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &load, &recipe, &error) != TW_OK ||
        tw_run_execute(recipe, &request, &result, &error) != TW_OK)
        fail_msg("%s", error.message);
    for (int i = 0; i < CELLS; i++)
        assert_true(tw_floats(tw_result_output(result, "sum"))[i] == 3.5f);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return runs;
}

static int run(const struct setting *s)
{
    struct tw_remote *remote = open_remote(s);
    int ran = run_with(s, remote);
    counts = tw_remote_counts(remote);
    tw_remote_release(remote);
    return ran;
}

/* ---- a server that works ---- */

static void requests_of_cold_warm_and_changed_runs(void **state)
{
    (void)state;
    assert_int_equal(run(&(struct setting){.home = "one"}), NODES);
    assert_int_equal(server.gets, NODES);     /* entries, that are not there */
    assert_int_equal(server.puts, 2 * NODES); /* values and entries */
    assert_int_equal(server.heads, 0);        /* small values are sent at once */
    assert_int_equal(counts.sent, 2 * NODES);
    assert_int_equal(run(&(struct setting){.home = "one"}), 0);
    assert_int_equal(web_requests(&server), 0);
    assert_int_equal(run(&(struct setting){.home = "two"}), 0);
    assert_int_equal(server.gets, NODES + 1); /* entries, and the only value that is needed */
    assert_int_equal(server.puts, 0);
    assert_int_equal(counts.hits, NODES + 1);
    assert_int_equal(warnings, 0);
    /* the changed node and the next are computed; equal output stops the rebuild there */
    assert_int_equal(run(&(struct setting){.home = "two", .nodes = changed}), 2);
    assert_int_equal(server.gets, 2);
    assert_int_equal(server.puts, 2 * 2);
}

static void reports_say_where_results_came_from(void **state)
{
    (void)state;
    run(&(struct setting){.home = "one"});
    run(&(struct setting){.home = "two"});
    for (int i = 0; i < NODES; i++) {
        assert_int_equal(report.nodes[i].outcome, TW_OUTCOME_HIT);
        assert_true(report.nodes[i].remote);
    }
    assert_true(report.nodes[NODES - 1].fetched);
    assert_int_equal(report.remote.hits, NODES + 1);
    run(&(struct setting){.home = "two"});
    assert_false(report.nodes[0].remote || report.nodes[NODES - 1].fetched);
    assert_true(report.nodes[NODES - 1].loaded);
}

/* A request's head and value may be cut anywhere. */
static void bodies_may_come_in_pieces(void **state)
{
    (void)state;
    run(&(struct setting){.home = "one"});
    server.fault = WEB_PIECES;
    assert_int_equal(run(&(struct setting){.home = "two"}), 0);
    assert_int_equal(counts.hits, NODES + 1);
    assert_int_equal(counts.damaged, 0);
}

static void what_is_received_is_kept_at_home(void **state)
{
    (void)state;
    run(&(struct setting){.home = "one"});
    run(&(struct setting){.home = "two"});
    server.fault = WEB_SILENT;
    assert_int_equal(run(&(struct setting){.home = "two"}), 0);
    assert_int_equal(web_requests(&server), 0);
}

static void a_reader_sends_nothing(void **state)
{
    (void)state;
    assert_int_equal(run(&(struct setting){.home = "one", .read_only = true}), NODES);
    assert_int_equal(server.gets, NODES);
    assert_int_equal(web_requests(&server), NODES);
    assert_int_equal(warnings, 0);
}

static void another_secret_sees_nothing(void **state)
{
    (void)state;
    run(&(struct setting){.home = "one"});
    write_secret('6');
    assert_int_equal(run(&(struct setting){.home = "two"}), NODES);
    assert_int_equal(counts.hits, 0);
    assert_int_equal(run(&(struct setting){.home = "one"}), 0); /* from "two", none of its own */
    assert_int_equal(counts.hits, NODES + 1);
}

static void a_lost_value_is_computed_and_sent_again(void **state)
{
    (void)state;
    const char *one_node = "  sum: {type: test.fill, value: 3.5}\n";
    run(&(struct setting){.home = "one", .nodes = one_node});
    web_damage(&server, "/cas/");
    assert_int_equal(run(&(struct setting){.home = "two", .nodes = one_node}), 1);
    assert_int_equal(counts.damaged, 1);
    assert_int_equal(warnings, 0);
    assert_int_equal(run(&(struct setting){.home = "three", .nodes = one_node}), 0);
    assert_int_equal(counts.damaged, 0);
}

/* Which no length foretold. */
static void a_value_with_a_byte_too_many_is_computed(void **state)
{
    (void)state;
    const char *one_node = "  sum: {type: test.fill, value: 3.5}\n";
    run(&(struct setting){.home = "one", .nodes = one_node});
    server.fault = WEB_LATE;
    assert_int_equal(run(&(struct setting){.home = "two", .nodes = one_node}), 1);
    assert_int_equal(counts.hits, 1); /* the entry */
    assert_int_equal(counts.failures, 1);
}

static void entries_of_others_are_not_believed(void **state)
{
    (void)state;
    run(&(struct setting){.home = "one"});
    server.fault = WEB_SWAPPED;
    assert_true(run(&(struct setting){.home = "two", .read_only = true}) >= NODES - 1);
    assert_int_equal(counts.damaged, 3);
    server.fault = WEB_NONE;
    web_damage(&server, "/ac/");
    assert_int_equal(run(&(struct setting){.home = "three", .read_only = true}), NODES);
    assert_int_equal(counts.damaged, 3);
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(said, "left alone"));
}

/* ---- servers that do not ---- */

static bool is_printable(const char *text)
{
    while (*text && (unsigned char)*text >= ' ')
        text++;
    return !*text;
}

static void no_fault_costs_more_than_requests(void **state)
{
    static const char stored[] = "what it answers is not what was stored", libcurl[] = "on: ";
    static const struct {
        const char *name;
        enum web_fault fault;
        int status;
        double wait;
        const char *words; /* of the warning, some of which are libcurl's; NULL without one */
    } rows[] = {
        {"silent", WEB_SILENT, 0, 0.1, "cost this run all the time that --cache-wait"},
        {"slow", WEB_SLOW, 0, 0.1, "cost this run all the time that --cache-wait"},
        {"flipped", WEB_FLIPPED, 0, 0, stored},
        {"short", WEB_SHORT, 0, 0, stored},
        {"half", WEB_HALF, 0, 0, libcurl},
        {"long", WEB_LONG, 0, 0, stored},
        {"endless", WEB_ENDLESS, 0, 0, libcurl},
        {"redirected", WEB_REDIRECT, 0, 0, "it answered 302"},
        {"garbage", WEB_GARBAGE, 0, 0, libcurl},
        {"closing", WEB_HANG_UP, 0, 0, libcurl},
        {"forbidden", WEB_STATUS, 403, 0, "it answered 403"},
        {"broken", WEB_STATUS, 500, 0, "it answered 500"},
        {"overloaded", WEB_STATUS, 503, 0, "it answered 503"},
        {"full", WEB_STATUS, 507, 0, "it answered 507"},
        {"nonsense", WEB_STATUS, 299, 0, "it answered 299"},
        {"gone", WEB_STATUS, 410, 0, NULL},
    };
    struct web_server elsewhere;
    (void)state;
    web_start(&elsewhere);
    server.elsewhere = elsewhere.port;
    write_private(token, "x\n");
    run(&(struct setting){.home = "one", .with_token = true});
    assert_int_equal(server.authorized, 3 * NODES);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        server.fault = rows[i].fault;
        server.status = rows[i].status;
        int ran = run(&(struct setting){
            .home = rows[i].name, .wait = rows[i].wait, .with_token = true, .read_only = true});
        if (ran != NODES || warnings != (rows[i].words != NULL) ||
            counts.requests > TOLERATED + AT_ONCE || strstr(said, "127") ||
            (rows[i].words && !strstr(said, rows[i].words)) || !is_printable(said))
            fail_msg("%s: %d computed, %d requests, %d warnings: %s", rows[i].name, ran,
                     (int)counts.requests, warnings, said);
    }
    assert_int_equal(web_requests(&elsewhere), 0);
    web_stop(&elsewhere);
}

static void nobody_at_the_port(void **state)
{
    (void)state;
    assert_int_equal(run(&(struct setting){.home = "one", .port = web_dead_port()}), NODES);
    assert_true(counts.requests <= TOLERATED + AT_ONCE);
    /* What is under way when the server is left alone fails, too, or is given up. */
    assert_in_range(counts.failures, TOLERATED, counts.requests);
    assert_int_equal(warnings, 1);
}

static void a_server_that_takes_nothing_is_still_read(void **state)
{
    static const int statuses[] = {403, 405, 507, 413};
    char home[16];
    (void)state;
    for (int i = 0; i < 4; i++) {
        server.fault = WEB_PUT_STATUS;
        server.status = statuses[i];
        snprintf(home, sizeof home, "%d", statuses[i]);
        assert_int_equal(run(&(struct setting){.home = home}), NODES);
        assert_int_equal(server.gets, NODES);
        assert_true(server.puts <= (statuses[i] == 413 ? 2 * NODES : 2));
        assert_int_equal(warnings, 1);
        assert_int_equal(counts.sent, 0);
    }
}

static void sending_that_does_not_end_is_given_up(void **state)
{
    const struct setting s = {.home = "one", .wait = 0.1};
    (void)state;
    server.fault = WEB_PUT_SILENT;
    assert_int_equal(run(&s), NODES);
    assert_true(server.puts <= 2);
    assert_int_equal(warnings, 1);
}

/* bazel-remote holds names in /cas/ against SHA-256: 500 there, 400 elsewhere. */
static void a_server_that_checks_names_takes_blobs_among_actions(void **state)
{
    static const int statuses[] = {400, 500};
    char one[16], two[16];
    (void)state;
    for (int i = 0; i < 2; i++) {
        const int actions = web_count(&server, "/ac/");
        server.fault = WEB_STRICT;
        server.status = statuses[i];
        write_secret((char)('6' + i)); /* as if the server were new */
        snprintf(one, sizeof one, "one%d", i);
        snprintf(two, sizeof two, "two%d", i);
        assert_int_equal(run(&(struct setting){.home = one}), NODES);
        assert_true(server.puts <= 2 * NODES + AT_ONCE); /* few learn it at once */
        assert_int_equal(counts.sent, 2 * NODES);
        assert_int_equal(counts.failures, 0);
        assert_int_equal(web_count(&server, "/ac/") - actions, 2 * NODES);
        assert_int_equal(web_count(&server, "/cas/"), 0);
        assert_int_equal(warnings, 0);
        assert_int_equal(run(&(struct setting){.home = two}), 0);
        assert_int_equal(server.gets, NODES + 2); /* its only blob is looked for in two places */
        assert_int_equal(warnings, 0);
    }
}

/* Two threads ask whether large values are there before any was sent; what the first learns, the
 * second does not hold against the server. */
static void a_name_refused_late_is_no_fault(void **state)
{
    const struct setting s = {.home = "one", .side = 200};
    (void)state;
    server.fault = WEB_STRICT_ONE_FIRST;
    server.status = 400;
    assert_int_equal(run(&s), NODES);
    assert_int_equal(warnings, 0);
    assert_int_equal(counts.sent, 2 * NODES);
}

/* The result's, as the server has it. */
static struct tw_stamp stamp_of_sum(const struct tw_remote *remote)
{
    struct tw_stamp stamp = {.type = TW_HEIGHTMAP, .width = 5, .height = 3};
    struct tw_value value;
    assert_int_equal(tw_field_alloc(&value, stamp.type, stamp.width, stamp.height, NULL), TW_OK);
    for (int i = 0; i < CELLS; i++)
        tw_floats(&value)[i] = 3.5f;
    assert_true(tw_field_content(&value, tw_remote_secret(remote), &stamp.content));
    tw_field_clear(&value);
    return stamp;
}

/* However much time a value would save, the server gets no more than the bound. */
static void a_costly_value_is_not_waited_for(void **state)
{
    static const enum web_fault faults[] = {WEB_SILENT, WEB_SLOW};
    const double year = 3e7; /* seconds to compute it: longer than this test may take */
    (void)state;
    run(&(struct setting){.home = "one"});
    struct tw_remote *remote = open_remote(&(struct setting){.wait = 60});
    struct tw_stamp stamp = stamp_of_sum(remote);
    struct tw_value value;
    bool lost;
    tw_remote_begin(remote, NULL);
    assert_true(tw_remote_load(remote, &stamp, year, &value, &lost));
    tw_field_clear(&value);
    tw_remote_release(remote);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        remote = open_remote(&(struct setting){.wait = 0.1});
        tw_remote_begin(remote, NULL);
        server.fault = faults[i];
        assert_false(tw_remote_load(remote, &stamp, year, &value, &lost));
        assert_false(tw_remote_answers(remote));
        tw_remote_release(remote);
    }
}

static void a_server_says_what_time_it_is(void **state)
{
    struct tw_remote_probe probe;
    struct tw_remote *remote = open_remote(&(struct setting){.wait = 60});
    (void)state;
    tw_remote_probe(remote, &probe);
    assert_true(probe.answers && probe.takes);
    assert_true(probe.date == 0);
    server.headers = "Date: Thu, 01 Jan 1970 01:00:00 GMT\r\n";
    tw_remote_probe(remote, &probe);
    assert_true(probe.date == 3600);
    server.headers = "Date: at noon\r\n";
    tw_remote_probe(remote, &probe);
    assert_true(probe.date == 0);
    tw_remote_release(remote);
}

static void once_left_alone_it_stays_so(void **state)
{
    const struct setting s = {.home = "one", .wait = 0.1};
    (void)state;
    struct tw_remote *remote = open_remote(&s);
    server.fault = WEB_STATUS;
    server.status = 500;
    run_with(&s, remote);
    assert_int_equal(warnings, 1);
    uint64_t before = tw_remote_counts(remote).requests;
    server.fault = WEB_NONE;
    run_with(&(struct setting){.home = "two"}, remote);
    assert_true(tw_remote_counts(remote).requests == before);
    assert_int_equal(warnings, 0);
    tw_remote_release(remote);
}

/* ---- what is refused at once ---- */

static void expect_refusal(const struct tw_remote_options *options, enum tw_status status,
                           const char *words)
{
    struct tw_remote *remote = NULL;
    struct tw_error error = {.status = TW_OK};
    if (tw_remote_open(options, &remote, &error) != status || !strstr(error.message, words))
        fail_msg("%s: status %d: %s", words, (int)error.status, error.message);
    assert_null(remote);
    assert_null(strstr(error.message, "hunter2"));
}

static void addresses_and_files_are_checked(void **state)
{
    static const char *const urls[] = {
        "ftp://host/",    "host",           "http://",           "http://u:p@host/",
        "http://host/?q", "http://host/ x", "https://h/#anchor", "",
        "file:///etc"};
    char longest[8200];
    (void)state;
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        expect_refusal(&(struct tw_remote_options){.url = urls[i], .secret_file = secret}, TW_USAGE,
                       "cannot be used");
    write_private(token, "hunter2\n");
    static const char *const others[] = {"http://127.example.org/", "http://127.0.0.999/",
                                         "http://127.0.0.1.2", "http://128.0.0.1:80",
                                         "http://localhosts"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct tw_remote_options clear = {
            .url = others[i], .secret_file = secret, .token_file = token};
        expect_refusal(&clear, TW_USAGE, "in the clear");
    }
    struct tw_remote_options options = {.url = "http://localhost:1", .token_file = token};
    expect_refusal(&options, TW_USAGE, "needs a file with the team's secret");
    options.secret_file = secret;
    write_private(token, "hunter2\nX-Other: y\n");
    expect_refusal(&options, TW_INPUT, "not a line of plain characters");
    write_private(token, "\n");
    expect_refusal(&options, TW_INPUT, "has no token");
    snprintf(longest, sizeof longest, "%-8193s", "hunter2");
    write_private(token, longest);
    expect_refusal(&options, TW_LIMIT, "has 8193 bytes; expected at most 8192");
    write_private(token, "hunter2\n");
    assert_int_equal(chmod(token, S_IRUSR | S_IRGRP), 0);
    expect_refusal(&options, TW_PATH, "is open to others");
    write_private(secret, "hunter2\n");
    expect_refusal(&options, TW_INPUT, "expected 128 hexadecimal digits");
    assert_int_equal(chmod(secret, S_IRUSR | S_IROTH), 0);
    expect_refusal(&options, TW_PATH, "is open to others");
    assert_int_equal(remove(secret), 0);
    expect_refusal(&options, TW_IO, "cannot read");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static bool has_libcurl(void)
{
    struct tw_remote *remote = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_remote_options options = {.url = "http://127.0.0.1", .secret_file = secret};
    set_up(NULL);
    bool lacks = tw_remote_open(&options, &remote, &error) != TW_OK &&
                 strstr(error.message, "libcurl") != NULL;
    tw_remote_release(remote);
    tear_down(NULL);
    return !lacks;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(requests_of_cold_warm_and_changed_runs),
        TEST(reports_say_where_results_came_from),
        TEST(bodies_may_come_in_pieces),
        TEST(what_is_received_is_kept_at_home),
        TEST(a_reader_sends_nothing),
        TEST(another_secret_sees_nothing),
        TEST(a_lost_value_is_computed_and_sent_again),
        TEST(a_value_with_a_byte_too_many_is_computed),
        TEST(entries_of_others_are_not_believed),
        TEST(no_fault_costs_more_than_requests),
        TEST(nobody_at_the_port),
        TEST(a_server_that_takes_nothing_is_still_read),
        TEST(sending_that_does_not_end_is_given_up),
        TEST(a_server_that_checks_names_takes_blobs_among_actions),
        TEST(a_name_refused_late_is_no_fault),
        TEST(a_costly_value_is_not_waited_for),
        TEST(a_server_says_what_time_it_is),
        TEST(once_left_alone_it_stays_so),
        TEST(addresses_and_files_are_checked),
    };
    setenv("UV_THREADPOOL_SIZE", "7", 1);
    if (!has_libcurl())
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
