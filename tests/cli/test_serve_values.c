/* SPDX-License-Identifier: MIT */
/* What the page of thalweg serve changes: values of the next run, the recipe's file, and in which
 * order a run then tells its news. */
#include "support/browser.h"
#include "support/command.h"
#include "support/gate.h"

#include "base/net/web_server.h"

#include <signal.h>
#include <sys/stat.h>

#define QUIET " -q --cache-dir cache"

static void expect_file(const char *name, const char *expected)
{
    char *text = read_text(name);
    assert_string_equal(text, expected);
    free(text);
}

static const char recipe[] =
    "# hills\r\nthalweg: 1\r\nsize: 64\r\n"
    "params:\r\n  low: 0.1   # of the cut\r\n"
    "  steep: {default: 4, min: 1, max: 9}\r\n"
    "nodes:\r\n"
    "  noise: {type: noise.perlin, octaves: &o 4}\r\n"
    "  cut: {type: shape.clamp, in: noise, low: \"${low}\", high: '0.9'}\r\n"
    "  worn:\r\n    type: erosion.thermal   # slides\r\n    in: cut\r\n"
    "    talus: ${steep}\r\n"
    "  wide: {type: shape.remap, in: worn, to: [0, 0.9]}\r\n"
    "  far: {type: shape.remap, in: worn}\r\n"
    "outputs: {height: wide, far: far}\r\n"
    "export:\r\n  view.png: {from: wide, as: perspective, size: [48, 27]}\r\n";

static struct browser browser;
static int events;

static json_t *find(const json_t *state, const char *list, const char *key, const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(state, list), i, item)
    {
        if (strcmp(json_string_value(json_object_get(item, key)), name) == 0)
            return item;
    }
    return NULL;
}

static const char *digest_of(const json_t *state, const char *key)
{
    const json_t *view = find(state, "views", "key", key);
    assert_non_null(view);
    return json_string_value(json_object_get(view, "digest"));
}

static void start(const char *arguments)
{
    browser_start(&browser, arguments);
    events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 1), 1);
}

static void stop(void)
{
    (void)close(events);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
}

static int post(const char *path, const char *body, int status)
{
    struct browser_answer answer = browser_post(&browser, path, body);
    if (answer.status != status)
        fail_msg("%s: answered with %d: %s", body, answer.status, answer.body);
    json_t *json = json_loadb(answer.body, answer.length, 0, NULL);
    const int revision = (int)json_integer_value(json_object_get(json, "revision"));
    json_decref(json);
    browser_forget(&answer);
    return revision;
}

/* ---- values ---- */

/* The digest of an output that `run` computes from the file, with these options. */
static void compare_with_run(const char *options, const char *key)
{
    char arguments[300];
    snprintf(arguments, sizeof arguments, "run hills.yaml -q --json --no-cache -o run %s", options);
    assert_int_equal(run(arguments), 0);
    json_t *answer = json_loads(result.out, 0, NULL), *state = browser_state(&browser);
    assert_non_null(strstr(result.out, digest_of(state, key)));
    json_decref(answer);
    json_decref(state);
}

static void a_value_runs_as_its_option_would(void **state)
{
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml" QUIET);
    const int revision =
        post("/run", "{\"values\": {\"params.low\": \"0.45\", \"params.steep\": \"2\"}}", 202);
    assert_int_equal(revision, 2);
    assert_int_equal(browser_await(&browser, events, revision), revision);
    json_t *now = browser_state(&browser);
    assert_string_equal(
        json_string_value(json_object_get(find(now, "params", "name", "low"), "value")), "0.45");
    assert_string_equal(
        json_string_value(json_object_get(find(now, "params", "name", "low"), "file")), "0.1");
    assert_int_equal(json_object_size(json_object_get(now, "pending")), 2);
    json_decref(now);
    compare_with_run("-s low=0.45 -s steep=2", "wide.out");
    expect_file("hills.yaml", recipe);
    stop();
}

static void options_are_the_first_values(void **state)
{
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml -s low=0.45" QUIET);
    json_t *now = browser_state(&browser);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(now, "pending"), "params.low")), "0.45");
    json_decref(now);
    compare_with_run("-s low=0.45", "wide.out");
    const int revision = post("/run", "{\"values\": {}}", 202);
    assert_int_equal(browser_await(&browser, events, revision), revision);
    compare_with_run("", "wide.out");
    stop();
    browser_start(&browser, "hills.yaml -s lou=0.3" QUIET);
    events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 1), 1);
    now = browser_state(&browser);
    assert_int_equal(json_integer_value(json_object_get(now, "code")), 3);
    contains(json_string_value(json_object_get(now, "diagnostics")),
             "'lou' is not a parameter of hills.yaml");
    json_decref(now);
    stop();
}

/* The caret is at the value, as if it stood in the file. */
static void a_value_that_does_not_fit_is_shown_in_its_line(void **state)
{
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml" QUIET);
    const int revision = post("/run", "{\"values\": {\"nodes.noise.octaves\": \"99\"}}", 202);
    assert_int_equal(browser_await(&browser, events, revision), revision);
    json_t *now = browser_state(&browser);
    const char *words = json_string_value(json_object_get(now, "diagnostics"));
    contains(words, "hills.yaml:8:40: error: noise.perlin.octaves is 99; allowed 1 to 16");
    contains(words, "octaves: &o 99}");
    assert_true(json_is_true(json_object_get(find(now, "views", "key", "wide.out"), "stale")));
    json_decref(now);
    stop();
}

static void a_draft_has_few_cells_and_leaves_the_rest(void **state)
{
    char name[32];
    bool seen = false;
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml --size 400x200" QUIET);
    json_t *before = browser_state(&browser);
    browser_await_begin(
        events,
        post("/run",
             "{\"values\": {\"params.low\": \"0.45\"}, \"want\": [\"cut.out\"], \"draft\": true}",
             202));
    for (bool ended = false; !ended;) {
        json_t *event = browser_read_event(events, name);
        ended = strcmp(name, "end") == 0;
        if (ended)
            assert_true(json_is_true(json_object_get(event, "draft")));
        if (strcmp(name, "view") == 0) {
            seen = true;
            assert_string_equal(json_string_value(json_object_get(event, "key")), "cut.out");
            assert_true(json_is_true(json_object_get(event, "draft")));
            assert_int_equal(json_integer_value(json_array_get(json_object_get(event, "map"), 0)),
                             256);
        }
        json_decref(event);
    }
    assert_true(seen);
    json_t *now = browser_state(&browser);
    assert_string_equal(digest_of(now, "cut.out"), digest_of(before, "cut.out"));
    assert_int_equal(json_integer_value(json_array_get(json_object_get(now, "size"), 0)), 400);
    json_decref(before);
    json_decref(now);
    stop();
}

/* A run tells each value when it is ready, what is wanted first, the pictures of exports last. */
static void what_is_on_the_screen_comes_first(void **state)
{
    int at = 0, far = 0, wide = 0, view = 0, drawn = 0, end = 0;
    char name[32];
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml -j 1 -q --no-cache");
    browser_await_begin(
        events,
        post("/run", "{\"values\": {\"params.low\": \"0.45\"}, \"want\": [\"far.out\"]}", 202));
    while (end == 0) {
        json_t *event = browser_read_event(events, name);
        const char *key = json_string_value(json_object_get(event, "key"));
        const char *node = json_string_value(json_object_get(event, "name"));
        at++;
        if (strcmp(name, "view") == 0) {
            far = strcmp(key, "far.out") == 0 ? at : far;
            wide = strcmp(key, "wide.out") == 0 ? at : wide;
            view = strcmp(key, "view.png") == 0 ? at : view;
        } else if (strcmp(name, "node") == 0 && strstr(node, "as perspective")) {
            drawn = at;
        } else if (strcmp(name, "end") == 0) {
            end = at;
        }
        json_decref(event);
    }
    assert_true(0 < far && far < wide && wide < drawn && drawn < view && view < end);
    stop();
}

/* ---- writing ---- */

/* The recipe with one text in place of another, which it has once. */
static const char *with(const char *text, const char *old, const char *new)
{
    static char both[2][2000];
    static int turn;
    char *to = both[turn ^= 1];
    const char *at = strstr(text, old);
    assert_non_null(at);
    snprintf(to, sizeof both[0], "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return to;
}

/* Comments, quotes, anchors and line ends are as they were. */
static void only_the_values_bytes_are_written(void **state)
{
    struct stat info;
    const char *expected = with(recipe, "low: 0.1", "low: 0.25");
    (void)state;
    expected = with(expected, "default: 4", "default: 5");
    expected = with(expected, "&o 4", "&o 6");
    expected = with(expected, "'0.9'", "'0.8'");
    expected = with(expected, "talus: ${steep}\r\n", "talus: ${steep}\r\n    iterations: 7\r\n");
    expected = with(expected, "to: [0, 0.9]", "to: [0, 0.5]");
    expected = with(expected, "in: worn}", "in: worn, to: [0.1, 1]}");
    write_text("hills.yaml", recipe);
    assert_int_equal(chmod("hills.yaml", 0640), 0);
    start("hills.yaml" QUIET);
    post("/write",
         "{\"values\": {\"params.low\": \"0.25\", \"params.steep\": \"5\","
         " \"nodes.noise.octaves\": \"6\", \"nodes.cut.high\": \"0.8\","
         " \"nodes.worn.iterations\": \"7\", \"nodes.wide.to.1\": \"0.5\","
         " \"nodes.far.to.0\": \"0.1\"},"
         " \"was\": {\"params.low\": \"0.1\", \"nodes.worn.iterations\": null}}",
         200);
    expect_file("hills.yaml", expected);
    assert_int_equal(stat("hills.yaml", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(browser_await(&browser, events, 2), 2);
    json_t *now = browser_state(&browser);
    assert_int_equal(json_integer_value(json_object_get(now, "code")), 0);
    assert_int_equal(json_object_size(json_object_get(now, "pending")), 0);
    json_decref(now);
    post("/write", "{\"values\": {\"nodes.cut.low\": \"0.2\"}}", 422);
    expect_file("hills.yaml", expected);
    stop();
}

/* What was saved meanwhile stays, and so do the values that were set. */
static void a_file_that_has_changed_is_left_alone(void **state)
{
    const char *other = with(recipe, "low: 0.1", "low: 0.4");
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml" QUIET);
    int revision = post("/run", "{\"values\": {\"params.low\": \"0.45\"}}", 202);
    assert_int_equal(browser_await(&browser, events, revision), revision);
    write_text("hills.yaml", other);
    struct browser_answer answer = browser_post(
        &browser, "/write",
        "{\"values\": {\"params.low\": \"0.45\"}, \"was\": {\"params.low\": \"0.1\"}}");
    assert_int_equal(answer.status, 409);
    contains(answer.body, "{\"path\":\"params.low\",\"value\":\"0.4\"}");
    browser_forget(&answer);
    expect_file("hills.yaml", other);
    assert_true(browser_await(&browser, events, revision + 1) > revision);
    json_t *now = browser_state(&browser);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(now, "pending"), "params.low")), "0.45");
    json_decref(now);
    stop();
}

static void a_page_may_be_for_reading_only(void **state)
{
    static const char *const options[] = {"hills.yaml --read-only" QUIET,
                                          "hills.yaml --untrusted" QUIET};
    (void)state;
    write_text("hills.yaml", recipe);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        start(options[i]);
        post("/run", "{\"values\": {\"params.low\": \"0.45\"}}", 403);
        post("/write", "{\"values\": {\"params.low\": \"0.45\"}}", 403);
        json_t *now = browser_state(&browser);
        assert_true(json_is_true(json_object_get(now, "read_only")));
        assert_int_equal(json_integer_value(json_object_get(now, "revision")), 1);
        json_decref(now);
        stop();
    }
    expect_file("hills.yaml", recipe);
}

/* A file that nobody may write is steered all the same; so is one of two beside it. */
static void a_file_that_is_read_only_is_steered_but_not_written(void **state)
{
    static const char lower[] = "{\"values\": {\"params.low\": \"0.45\"}}";
    (void)state;
    write_text("hills.yaml", recipe);
    assert_int_equal(chmod("hills.yaml", 0444), 0);
    start("hills.yaml" QUIET);
    json_t *now = browser_state(&browser);
    assert_true(json_is_false(json_object_get(now, "read_only")));
    assert_true(json_is_false(json_object_get(now, "writable")));
    json_decref(now);
    const int revision = post("/run", lower, 202);
    assert_int_equal(browser_await(&browser, events, revision), revision);
    compare_with_run("-s low=0.45", "wide.out");
    post("/write", lower, 422);
    expect_file("hills.yaml", recipe);
    stop();
    write_text("other.yaml", recipe);
    start("hills.yaml other.yaml" QUIET);
    now = browser_state(&browser);
    assert_true(json_is_true(json_object_get(now, "writable")));
    json_decref(now);
    post("/write", "{\"values\": {\"a.params.low\": \"0.2\", \"b.params.low\": \"0.2\"}}", 422);
    expect_file("other.yaml", recipe);
    post("/write", "{\"values\": {\"b.params.low\": \"0.2\"}}", 200);
    expect_file("hills.yaml", recipe);
    expect_file("other.yaml", with(recipe, "low: 0.1", "low: 0.2"));
    stop();
    assert_int_equal(chmod("hills.yaml", 0644), 0);
}

/* What no row shows is told as well: here the world. */
static void an_edit_of_the_world_is_told(void **state)
{
    char name[32];
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml" QUIET);
    write_text("hills.yaml.new",
               with(recipe, "size: 64\r\n", "size: 64\r\nworld: {side_m: 900, height_m: 50}\r\n"));
    assert_int_equal(rename("hills.yaml.new", "hills.yaml"), 0);
    for (bool told = false; !told;) {
        json_t *event = browser_read_event(events, name);
        const json_t *world = json_object_get(event, "world");
        told = strcmp(name, "begin") == 0 &&
               json_number_value(json_object_get(world, "side_m")) == 900;
        json_decref(event);
    }
    stop();
}

/* The key of a recipe at a port stays; without a cache it is new each time. */
static void the_address_outlives_a_restart(void **state)
{
    struct stat info;
    char arguments[100], key[33];
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml" QUIET);
    stop();
    assert_int_equal(stat("cache/serve.secret", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    snprintf(key, sizeof key, "%s", browser.key);
    snprintf(arguments, sizeof arguments, "hills.yaml --port %d" QUIET, browser.port);
    start(arguments);
    assert_string_equal(browser.key, key);
    stop();
    snprintf(arguments, sizeof arguments, "hills.yaml --port %d -q --no-cache", browser.port);
    start(arguments);
    assert_string_not_equal(browser.key, key);
    json_t *now = browser_state(&browser);
    assert_true(json_is_false(json_object_get(now, "key_lasts")));
    json_decref(now);
    stop();
}

/* ---- two variants ---- */

static void check_variants(const char *second, const char *path)
{
    json_t *now = browser_state(&browser);
    const json_t *variants = json_object_get(now, "variants");
    assert_int_equal(json_array_size(variants), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(variants, 1), "label")),
                        second);
    assert_string_equal(digest_of(now, "a.noise.out"), digest_of(now, "b.noise.out"));
    assert_string_not_equal(digest_of(now, "a.cut.out"), digest_of(now, "b.cut.out"));
    assert_non_null(find(now, "params", "path", path));
    assert_non_null(find(now, "nodes", "name", "b.worn"));
    json_decref(now);
}

static void two_recipes_are_side_by_side(void **state)
{
    (void)state;
    write_text("hills.yaml", recipe);
    write_text("other.yaml", with(recipe, "low: 0.1", "low: 0.45"));
    start("hills.yaml other.yaml" QUIET);
    check_variants("other.yaml", "b.params.low");
    const int revision = post("/run", "{\"values\": {\"b.params.low\": \"0.1\"}}", 202);
    assert_int_equal(browser_await(&browser, events, revision), revision);
    json_t *now = browser_state(&browser);
    assert_string_equal(digest_of(now, "a.cut.out"), digest_of(now, "b.cut.out"));
    json_decref(now);
    post("/write", "{\"values\": {\"b.params.low\": \"0.15\"}}", 200);
    expect_file("hills.yaml", recipe);
    expect_file("other.yaml", with(recipe, "low: 0.1", "low: 0.15"));
    stop();
}

static void a_recipe_is_beside_itself(void **state)
{
    (void)state;
    write_text("hills.yaml", recipe);
    start("hills.yaml --against low=0.45" QUIET);
    check_variants("low=0.45", "b.params.low");
    stop();
}

static void variants_of_an_experiment_are_side_by_side(void **state)
{
    (void)state;
    write_text("hills.yaml", recipe);
    write_text("study.yaml",
               "thalweg-experiment: 1\nrecipe: hills.yaml\nseeds: {from: 3, count: 2}\n"
               "variants:\n  low: {params: {low: 0.1}}\n  high: {params: {low: 0.45}}\n"
               "  other: {nodes: {cut: {type: shape.clamp, in: noise, low: 0.5}}}\n"
               "measure: [height.mean]\n");
    start("study.yaml --variants low,other" QUIET);
    check_variants("other", "a.params.low");
    json_t *now = browser_state(&browser);
    assert_int_equal(json_integer_value(json_object_get(now, "seed")), 3);
    assert_int_equal(
        json_array_size(json_object_get(find(now, "nodes", "name", "b.cut"), "params")),
        0); /* the experiment replaces it */
    json_decref(now);
    stop();
    assert_int_equal(run("serve study.yaml --variants low,hihg"), 2);
    contains(result.err, "study.yaml has no variant 'hihg'; expected two of low, high, other");
    assert_int_equal(run("serve study.yaml --variants low"), 2);
    assert_int_equal(run("serve hills.yaml --variants low,high"), 3);
    write_text("study.yaml",
               "thalweg-experiment: 1\nrecipe: hills.yaml\nseeds: {from: 3, count: 2}\n"
               "variants: {low: {params: {low: 0.1}}, free: {}}\nmeasure: [height.mean]\n"
               "match: {goal: {height.mean: 0.5}, by: {free: {low: [0, 0.9]}}}\n");
    assert_int_equal(run("serve study.yaml --variants low,free"), 2);
    contains(result.err, "study.yaml matches variants, which takes runs; expected an experiment "
                         "without match:, with the values that compare finds under params:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_runs_as_its_option_would),
        cmocka_unit_test(options_are_the_first_values),
        cmocka_unit_test(a_value_that_does_not_fit_is_shown_in_its_line),
        cmocka_unit_test(a_draft_has_few_cells_and_leaves_the_rest),
        cmocka_unit_test(what_is_on_the_screen_comes_first),
        cmocka_unit_test(only_the_values_bytes_are_written),
        cmocka_unit_test(a_file_that_has_changed_is_left_alone),
        cmocka_unit_test(a_page_may_be_for_reading_only),
        cmocka_unit_test(a_file_that_is_read_only_is_steered_but_not_written),
        cmocka_unit_test(an_edit_of_the_world_is_told),
        cmocka_unit_test(the_address_outlives_a_restart),
        cmocka_unit_test(two_recipes_are_side_by_side),
        cmocka_unit_test(a_recipe_is_beside_itself),
        cmocka_unit_test(variants_of_an_experiment_are_side_by_side),
    };
    if (tw_web_server_lacks())
        return 0;     /* test_serve.c says what is missing then */
    (void)alarm(600); /* an event that never comes fails the test */
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
