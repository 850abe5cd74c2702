/* SPDX-License-Identifier: MIT */
/* thalweg serve: its page, state, pictures and events, on the way through changes and faults of a
 * recipe. */
#include "support/browser.h"
#include "support/command.h"
#include "support/gate.h"
#include "support/json_schema.h"

#include "base/net/web_server.h"
#include "format/codec.h"
#include "value/field.h"

#include <signal.h>

#define QUIET " -q --cache-dir cache"

static const char all_types[] =
    "thalweg: 1\nsize: 32\nnodes:\n"
    "  noise: {type: noise.perlin}\n  cut: {type: shape.clamp, in: noise, low: 0.1}\n"
    "  steep: {type: mask.slope, in: cut}\n  forms: {type: measure.landforms, in: cut}\n"
    "  poly: {type: island.polygons, cells: 50}\n  score: {type: measure.score, in: cut}\n"
    "  marks: {type: feature.points, count: 5}\n"
    "outputs: {height: cut, steep: steep, forms: forms, poly: poly, score: score, marks: marks}\n"
    "export:\n  cut.npy: cut\n  noise.npy: noise\n  all.json: [score]\n"
    "  view.png: {from: cut, as: perspective, size: [48, 27]}\n";

static void save(const char *low, const char *type)
{
    char text[400];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 32\nseed: 3\nnodes:\n"
             "  noise: {type: %s}\n"
             "  cut: {type: shape.clamp, in: noise, low: %s, high: 0.9}\n"
             "outputs: {first: noise, second: cut}\nexport: {h.npy: second}\n",
             type, low);
    write_text("hills.yaml.new", text);
    assert_int_equal(rename("hills.yaml.new", "hills.yaml"), 0);
}

static const json_t *find_in(const json_t *state, const char *list, const char *key,
                             const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(state, list), i, item)
    {
        const char *own = json_string_value(json_object_get(item, key));
        if (own && strcmp(own, name) == 0)
            return item;
    }
    fail_msg("there is no '%s' in %s", name, list);
    return NULL;
}

static const json_t *find_view(const json_t *state, const char *key)
{
    return find_in(state, "views", "key", key);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static int number_of(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static bool is_stale(const json_t *state, const char *name)
{
    return json_is_true(json_object_get(find_view(state, name), "stale"));
}

static void check_png(const struct browser_answer *answer, int width, int height)
{
    struct tw_value value = {.type = TW_IMAGE};
    contains(answer->head, "Content-Type: image/png\r\n");
    assert_int_equal(
        tw_png_decode((const unsigned char *)answer->body, answer->length, &value, NULL), TW_OK);
    assert_int_equal(value.width, width);
    assert_int_equal(value.height, height);
    tw_field_clear(&value);
}

/* What a view's digest names: the PNG of a picture, or the numbers of a grid. */
static void check_body(const struct browser *browser, const json_t *view, int width, int height)
{
    char path[60];
    const json_t *encoding = json_object_get(view, "encoding");
    const char *name = json_string_value(json_array_get(encoding, 0));
    snprintf(path, sizeof path, "/%c/%s", encoding ? 'v' : 'p', text_of(view, "digest"));
    struct browser_answer answer = browser_ask(browser, "GET", path);
    assert_int_equal(answer.status, 200);
    contains(answer.head, "max-age=86400, immutable\r\n");
    if (encoding)
        assert_int_equal(answer.length, width * height * (strcmp(name, "u16") == 0 ? 2 : 1));
    else
        check_png(&answer, width, height);
    browser_forget(&answer);
}

static void check_thumbnail(const struct browser *browser, const json_t *view, int width,
                            int height)
{
    char path[60];
    snprintf(path, sizeof path, "/t/%s", text_of(view, "thumb"));
    struct browser_answer answer = browser_ask(browser, "GET", path);
    assert_int_equal(answer.status, 200);
    check_png(&answer, width, height);
    browser_forget(&answer);
}

static void check_schema(const json_t *state)
{
    char where[200];
    assert_int_equal(run("schema documents"), 0);
    json_t *schema = json_loads(result.out, 0, NULL);
    assert_non_null(schema);
    const json_t *definition =
        json_object_get(json_object_get(schema, "definitions"), "thalweg.serve.2");
    if (!json_schema_holds(schema, definition, state, true, where))
        fail_msg("/state.json: %s", where);
    json_decref(schema);
}

static void check_part(const struct browser *browser, const char *path, const char *type)
{
    char field[100];
    struct browser_answer answer = browser_ask(browser, "GET", path);
    snprintf(field, sizeof field, "Content-Type: %s\r\n", type);
    assert_int_equal(answer.status, 200);
    contains(answer.head, field);
    assert_true(answer.length > 100);
    browser_forget(&answer);
}

static void the_page_is_all_that_a_browser_needs(void **state)
{
    struct browser browser;
    (void)state;
    write_text("a<b>&c.yaml", all_types);
    browser_start(&browser, "a<b>&c.yaml" QUIET);
    struct browser_answer page = browser_ask(&browser, "GET", "/");
    assert_int_equal(page.status, 200);
    contains(page.head, "Content-Type: text/html; charset=utf-8\r\n");
    contains(page.head, "Content-Security-Policy: default-src 'none'; ");
    contains(page.head, "X-Content-Type-Options: nosniff\r\n");
    contains(page.head, "Cross-Origin-Resource-Policy: same-origin\r\n");
    lacks(page.head, "Access-Control");
    contains(page.head, "img-src 'self' blob:;");
    lacks(page.body, "a<b>");
    lacks(page.body, "src=\"http");
    lacks(page.body, "@TOKEN@");
    check_part(&browser, "/page.js", "text/javascript; charset=utf-8");
    check_part(&browser, "/page.css", "text/css; charset=utf-8");
    check_part(&browser, "/library.json", "application/json");
    struct browser_answer head = browser_ask(&browser, "HEAD", "/");
    char length[60];
    snprintf(length, sizeof length, "Content-Length: %zu\r\n", page.length);
    assert_int_equal(head.status, 200);
    assert_int_equal(head.length, 0);
    contains(head.head, length);
    browser_forget(&head);
    browser_forget(&page);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
}

static void every_type_is_shown(void **state)
{
    static const char *const kinds[][2] = {{"noise.out", "heightmap"}, {"cut.out", "heightmap"},
                                           {"steep.out", "mask"},      {"forms.out", "labels"},
                                           {"poly.out", "image"},      {"view.png", "image"}};
    struct browser browser;
    (void)state;
    write_text("hills.yaml", all_types);
    browser_start(&browser, "hills.yaml" QUIET);
    int events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 1), 1);
    json_t *now = browser_state(&browser);
    check_schema(now);
    assert_int_equal(number_of(now, "exit_code"), 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const json_t *view = find_view(now, kinds[i][0]);
        const bool drawn = i + 1 == sizeof kinds / sizeof *kinds;
        assert_string_equal(text_of(view, "kind"), kinds[i][1]);
        check_body(&browser, view, drawn ? 48 : 32, drawn ? 27 : 32);
        check_thumbnail(&browser, view, drawn ? 48 : 32, drawn ? 27 : 32);
    }
    const json_t *cut = find_view(now, "cut.out"),
                 *score = find_in(now, "records", "node", "score");
    assert_true(json_object_size(json_object_get(score, "entries")) > 1);
    assert_string_equal(json_string_value(json_array_get(json_object_get(cut, "names"), 0)),
                        "height");
    assert_string_equal(json_string_value(json_array_get(json_object_get(cut, "files"), 0)),
                        "cut.npy");
    assert_true(json_is_integer(json_object_get(find_view(now, "marks.out"), "count")));
    const char *outcome = text_of(find_in(now, "nodes", "name", "cut"), "outcome");
    assert_true(strcmp(outcome, "computed") == 0 || strcmp(outcome, "kept") == 0);
    assert_false(exists("out"));
    assert_false(exists("cut.npy"));
    json_decref(now);
    (void)close(events);
    assert_int_equal(browser_stop(&browser, SIGINT), 130);
}

static void a_large_map_is_reduced(void **state)
{
    struct browser browser;
    (void)state;
    save("0.1", "noise.perlin");
    browser_start(&browser, "hills.yaml --only second --size 1536x768" QUIET);
    int events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 1), 1);
    json_t *now = browser_state(&browser);
    const json_t *view = find_view(now, "cut.out");
    assert_int_equal(json_array_size(json_object_get(now, "views")), 1);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(view, "map"), 0)), 1536);
    check_body(&browser, view, 1024, 512);
    check_thumbnail(&browser, view, 110, 55);
    json_decref(now);
    (void)close(events);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
}

static void a_save_is_an_event_and_computes_what_changed(void **state)
{
    struct browser browser;
    (void)state;
    save("0.1", "noise.perlin");
    browser_start(&browser, "hills.yaml -q --no-cache");
    int events = browser_listen(&browser), late;
    assert_int_equal(browser_await(&browser, events, 1), 1);
    json_t *before = browser_state(&browser);
    assert_int_equal(number_of(before, "computed"), 2);
    save("0.45", "noise.perlin");
    assert_int_equal(browser_await(&browser, events, 2), 2);
    json_t *now = browser_state(&browser);
    assert_int_equal(number_of(now, "revision"), 2);
    assert_int_equal(number_of(now, "computed"), 1);
    assert_int_equal(number_of(now, "kept"), 1);
    const json_t *first = find_view(now, "noise.out"), *second = find_view(now, "cut.out");
    assert_string_equal(text_of(first, "digest"),
                        text_of(find_view(before, "noise.out"), "digest"));
    assert_string_not_equal(text_of(second, "digest"),
                            text_of(find_view(before, "cut.out"), "digest"));
    check_body(&browser, first, 32, 32);
    check_body(&browser, second, 32, 32);
    late = browser_listen(&browser); /* a later client gets the same state */
    assert_int_equal(browser_await(&browser, late, 0), 2);
    json_decref(before);
    json_decref(now);
    (void)close(late);
    (void)close(events);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
}

static void a_broken_recipe_shows_its_faults_and_the_last_good_pictures(void **state)
{
    struct browser browser;
    char path[100];
    (void)state;
    save("0.1", "noise.perlin");
    browser_start(&browser, "hills.yaml" QUIET);
    int events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 1), 1);
    json_t *now = browser_state(&browser);
    assert_false(is_stale(now, "cut.out"));
    assert_string_equal(text_of(now, "diagnostics"), "");
    snprintf(path, sizeof path, "%s", text_of(find_view(now, "cut.out"), "digest"));
    json_decref(now);
    save("<script>", "noise.perlim");
    assert_int_equal(browser_await(&browser, events, 2), 2);
    now = browser_state(&browser);
    check_schema(now);
    assert_int_equal(number_of(now, "exit_code"), 3);
    const char *words = text_of(now, "diagnostics");
    contains(words, "hills.yaml:5:17: error: there is no node type 'noise.perlim'\n"
                    "      noise: {type: noise.perlim}\n"
                    "                    ^\n    did you mean 'noise.perlin'?\n");
    contains(words, "hills.yaml:6:");
    contains(words, "<script>"); /* in JSON; the page takes it for text */
    assert_true(is_stale(now, "noise.out"));
    assert_true(is_stale(now, "cut.out"));
    check_body(&browser, find_view(now, "cut.out"), 32, 32);
    json_decref(now);
    struct browser_answer page = browser_ask(&browser, "GET", "/");
    lacks(page.body, "<script>\",");
    lacks(page.body, "perlim");
    browser_forget(&page);
    save("0.1", "noise.perlin");
    assert_int_equal(browser_await(&browser, events, 3), 3);
    now = browser_state(&browser);
    assert_int_equal(number_of(now, "exit_code"), 0);
    assert_string_equal(text_of(now, "diagnostics"), "");
    assert_false(is_stale(now, "cut.out"));
    assert_string_equal(text_of(find_view(now, "cut.out"), "digest"), path);
    json_decref(now);
    (void)close(events);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
}

/* The others go on; what the failed node gave before stays, as old. */
static void a_node_that_fails_leaves_the_others(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: 32\nnodes:\n  noise: {type: noise.perlin}\n"
                                 "  big: {type: shape.remap, in: noise, to: [0, 1000000]}\n"
                                 "  bad: {type: shape.power, in: big, exponent: %d}\n"
                                 "outputs: {first: noise, second: bad}\n";
    struct browser browser;
    char text[300];
    (void)state;
    snprintf(text, sizeof text, recipe, 1);
    write_text("hills.yaml", text);
    browser_start(&browser, "hills.yaml" QUIET);
    int events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 1), 1);
    snprintf(text, sizeof text, recipe, 8);
    write_text("hills.yaml.new", text);
    assert_int_equal(rename("hills.yaml.new", "hills.yaml"), 0);
    assert_int_equal(browser_await(&browser, events, 2), 2);
    json_t *now = browser_state(&browser);
    assert_int_equal(number_of(now, "exit_code"), 4);
    contains(text_of(now, "diagnostics"), "hills.yaml:6:8: error: bad: a height of ");
    assert_false(is_stale(now, "noise.out"));
    assert_true(is_stale(now, "bad.out"));
    assert_string_equal(text_of(find_in(now, "nodes", "name", "bad"), "outcome"), "failed");
    check_body(&browser, find_view(now, "bad.out"), 32, 32);
    json_decref(now);
    (void)close(events);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
}

static void a_recipe_that_never_loaded_is_waited_for(void **state)
{
    struct browser browser;
    (void)state;
    write_text("hills.yaml", "thalweg: 2\n");
    browser_start(&browser, "hills.yaml" QUIET);
    int events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 1), 1);
    json_t *now = browser_state(&browser);
    check_schema(now);
    assert_int_equal(json_array_size(json_object_get(now, "views")), 0);
    contains(text_of(now, "diagnostics"), "hills.yaml:1:");
    json_decref(now);
    save("0.2", "noise.perlin");
    assert_int_equal(browser_await(&browser, events, 2), 2);
    now = browser_state(&browser);
    assert_int_equal(json_array_size(json_object_get(now, "views")), 2);
    json_decref(now);
    (void)close(events);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
}

/* The run would take minutes. */
static void a_run_under_way_is_followed_and_ended(void **state)
{
    struct browser browser;
    (void)state;
    write_text("hills.yaml", "thalweg: 1\nsize: 1024\nnodes:\n  noise: {type: noise.perlin}\n"
                             "  worn: {type: erosion.thermal, in: noise, iterations: 100000}\n"
                             "outputs: {h: worn}\n");
    browser_start(&browser, "hills.yaml" QUIET);
    int events = browser_listen(&browser);
    browser_await_view(&browser, events, "noise.out");
    json_t *now = browser_state(&browser);
    check_schema(now);
    assert_true(json_is_true(json_object_get(now, "running")));
    assert_string_equal(text_of(find_in(now, "nodes", "name", "worn"), "outcome"), "waiting");
    check_body(&browser, find_view(now, "noise.out"), 1024, 1024);
    json_decref(now);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
    (void)close(events);
}

/* What it would have shown nobody sees: the next state is that of the saved recipe. */
static void a_run_under_way_gives_way_to_a_save(void **state)
{
    struct browser browser;
    (void)state;
    write_text("hills.yaml", "thalweg: 1\nsize: 1024\nnodes:\n  noise: {type: noise.perlin}\n"
                             "  worn: {type: erosion.thermal, in: noise, iterations: 100000}\n"
                             "outputs: {h: worn}\n");
    browser_start(&browser, "hills.yaml" QUIET);
    int events = browser_listen(&browser);
    browser_await_view(&browser, events, "noise.out");
    save("0.1", "noise.perlin");
    assert_int_equal(browser_await(&browser, events, 2), 2);
    json_t *now = browser_state(&browser);
    assert_int_equal(number_of(now, "exit_code"), 0);
    check_body(&browser, find_view(now, "cut.out"), 32, 32);
    json_decref(now);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
    (void)close(events);
}

/* As `run` would say it; the picture is there all the same. */
static void an_export_that_could_not_be_written_is_a_fault(void **state)
{
    struct browser browser;
    (void)state;
    write_text("hills.yaml", "thalweg: 1\nsize: 32\nnodes: {a: {type: noise.perlin}}\n"
                             "outputs: {first: a}\n"
                             "export:\n  a.png: {from: a, range: [0.4, 0.41]}\n");
    browser_start(&browser, "hills.yaml" QUIET);
    int events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 0), 1);
    json_t *now = browser_state(&browser);
    assert_int_equal(number_of(now, "exit_code"), 4);
    contains(text_of(now, "diagnostics"), "hills.yaml:6:3: error: heights run from ");
    check_body(&browser, find_view(now, "a.out"), 32, 32);
    json_decref(now);
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
    (void)close(events);
}

static void doctor_knows_the_library(void **state)
{
    (void)state;
    assert_int_equal(run("doctor"), 0);
    contains(result.out, "ok      web server    libmicrohttpd ");
}

/* In such a build the command is there, and says what it lacks. */
static void without_the_library_it_says_so(void **state)
{
    (void)state;
    save("0.1", "noise.perlin");
    assert_int_equal(run("serve hills.yaml"), 2);
    contains(result.err, "error: a web server needs libmicrohttpd");
    assert_int_equal(run("doctor"), 0);
    contains(result.out, "note    web server    without libmicrohttpd ");
}

int main(void)
{
    const struct CMUnitTest without[] = {
        cmocka_unit_test(without_the_library_it_says_so),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_all_that_a_browser_needs),
        cmocka_unit_test(every_type_is_shown),
        cmocka_unit_test(a_large_map_is_reduced),
        cmocka_unit_test(a_save_is_an_event_and_computes_what_changed),
        cmocka_unit_test(a_broken_recipe_shows_its_faults_and_the_last_good_pictures),
        cmocka_unit_test(a_node_that_fails_leaves_the_others),
        cmocka_unit_test(a_recipe_that_never_loaded_is_waited_for),
        cmocka_unit_test(a_run_under_way_is_followed_and_ended),
        cmocka_unit_test(a_run_under_way_gives_way_to_a_save),
        cmocka_unit_test(an_export_that_could_not_be_written_is_a_fault),
        cmocka_unit_test(doctor_knows_the_library),
    };
    (void)alarm(600); /* an event that never comes fails the test */
    return tw_web_server_lacks()
               ? cmocka_run_group_tests(without, command_set_up, command_tear_down)
               : cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
