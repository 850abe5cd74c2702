/* SPDX-License-Identifier: MIT */
/* thalweg mcp: what its tools and resources give, and that it stays in its folder. */
#include "support/gate.h"
#include "support/mcp_client.h"

#include "base/memory/bytes.h"
#include "format/codec.h"
#include "value/field.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define HILLS                                                                                      \
    "thalweg: 1\nsize: 64\nseed: 5\nparams: {low: {default: 0.1, min: 0, max: 1, usual: [0, "      \
    "0.5]}}\nnodes:\n  noise: {type: noise.perlin}\n"                                              \
    "  cut: {type: shape.clamp, in: noise, low: \"${low}\"}\n"                                     \
    "  steep: {type: mask.slope, in: cut}\n  score: {type: measure.score, in: cut}\n"              \
    "outputs: {height: cut, steep: steep, score: score}\n"

static struct mcp_client client;

static int set_up(void **state)
{
    command_set_up(state);
    write_text("hills.yaml", HILLS);
    client = mcp_start("");
    return 0;
}

static int tear_down(void **state)
{
    mcp_end(&client, 0);
    return command_tear_down(state);
}

static json_t *call_recipe(const char *tool, const char *recipe)
{
    return mcp_call(&client, tool, json_pack("{s:s}", "recipe", recipe));
}

static bool is_error(const json_t *answer)
{
    return json_is_true(json_object_get(answer, "isError"));
}

static const json_t *document_of(const json_t *answer)
{
    const json_t *document = json_object_get(answer, "structuredContent");
    json_t *text = json_loads(mcp_text(answer), 0, NULL);
    assert_true(document && json_equal(document, text)); /* both are the same */
    json_decref(text);
    return document;
}

static const json_t *output_of(const json_t *answer, const char *name)
{
    const json_t *outputs = json_object_get(document_of(answer), "outputs");
    for (size_t i = 0; i < json_array_size(outputs); i++) {
        const json_t *output = json_array_get(outputs, i);
        if (strcmp(json_string_value(json_object_get(output, "name")), name) == 0)
            return output;
    }
    fail_msg("there is no output %s", name);
    return NULL;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static void expect_fault(json_t *answer, const char *words)
{
    assert_true(is_error(answer));
    contains(mcp_text(answer), words);
    json_decref(answer);
}

static void nodes_searches_and_gives_pages(void **state)
{
    (void)state;
    json_t *answer = mcp_call(&client, "nodes", json_pack("{s:s}", "query", "scree"));
    contains(mcp_text(answer), "erosion.thermal: ");
    contains(mcp_text(answer), "thalweg/scree: ");
    json_decref(answer);
    answer = mcp_call(&client, "nodes", json_pack("{s:s}", "query", "erosion.thermal"));
    contains(mcp_text(answer), "| `talus` | 1e-06 to 1000000 rise per map side | 1 to 30 | 4 |");
    json_decref(answer);
    answer = mcp_call(&client, "nodes", json_pack("{s:s}", "query", "thalweg/snow"));
    contains(mcp_text(answer), "## The recipe");
    json_decref(answer);
    answer = mcp_call(&client, "nodes", json_object());
    contains(mcp_text(answer), "water.rivers: ");
    contains(mcp_text(answer), "thalweg/beach: ");
    json_decref(answer);
    expect_fault(mcp_call(&client, "nodes", json_pack("{s:s}", "query", "noise.perlim")),
                 "did you mean 'noise.perlin'?");
    expect_fault(mcp_call(&client, "nodes", json_pack("{s:i}", "query", 3)), "are texts");
    answer = mcp_call(&client, "nodes", json_pack("{s:s}", "page", "erosion.thermal"));
    contains(mcp_text(answer), "| `talus` |");
    json_decref(answer);
    answer = mcp_call(&client, "nodes", json_pack("{s:s}", "search", "thermal"));
    contains(mcp_text(answer), "erosion.thermal_fast: ");
    json_decref(answer);
    expect_fault(mcp_call(&client, "nodes", json_pack("{s:s}", "page", "noise.perlim")),
                 "there is no node type 'noise.perlim'; did you mean 'noise.perlin'?");
}

static void check_says_what_is_wrong_and_where(void **state)
{
    (void)state;
    json_t *answer = call_recipe("check", "thalweg: 1\nnodes:\n  a: {type: noise.perlim}\n"
                                          "  b: {type: shape.blur, in: a, radus: 1}\n"
                                          "outputs: {h: b}\n");
    const json_t *errors = json_object_get(document_of(answer), "errors");
    assert_true(is_error(answer));
    assert_int_equal(json_array_size(errors), 2);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(errors, 0), "line")), 3);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(errors, 0), "column")), 13);
    assert_string_equal(text_of(json_array_get(errors, 0), "file"), "recipe.yaml");
    assert_string_equal(text_of(json_array_get(errors, 0), "hint"), "did you mean 'noise.perlin'?");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(errors, 1), "line")), 4);
    json_decref(answer);
}

static void check_says_what_a_recipe_has(void **state)
{
    (void)state;
    json_t *answer = call_recipe("check", "hills.yaml");
    const json_t *document = document_of(answer);
    const json_t *param = json_array_get(json_object_get(document, "params"), 0);
    assert_false(is_error(answer));
    assert_true(json_is_true(json_object_get(document, "ok")));
    assert_string_equal(text_of(document, "seed"), "5");
    assert_string_equal(text_of(output_of(answer, "steep"), "type"), "mask");
    assert_string_equal(text_of(param, "name"), "low");
    assert_true(json_real_value(json_array_get(json_object_get(param, "usual"), 1)) == 0.5);
    json_decref(answer);
}

/* The first digest that a lock gives of an output. */
static void read_lock(const char *output, char digest[65])
{
    unsigned char *text = NULL;
    size_t length = 0;
    char heading[40];
    assert_int_equal(run("lock hills.yaml -q"), 0);
    assert_int_equal(tw_file_read("hills.yaml.lock", 1 << 20, &text, &length, NULL), TW_OK);
    const char *outputs = strstr((const char *)text, "outputs:");
    snprintf(heading, sizeof heading, "\"%s\":", output);
    const char *at = outputs ? strstr(outputs, heading) : NULL;
    at = at ? strstr(at, "sha256: \"") : NULL;
    assert_non_null(at);
    snprintf(digest, 65, "%.64s", at + strlen("sha256: \""));
    free(text);
    assert_int_equal(unlink("hills.yaml.lock"), 0);
}

static void run_gives_the_digests_of_a_lock(void **state)
{
    char digest[65];
    (void)state;
    read_lock("height", digest);
    json_t *by_path = call_recipe("run", "hills.yaml"), *by_text = call_recipe("run", HILLS);
    assert_false(is_error(by_path));
    assert_string_equal(text_of(output_of(by_path, "height"), "sha256"), digest);
    assert_string_equal(text_of(output_of(by_text, "height"), "sha256"), digest);
    const json_t *score = json_object_get(output_of(by_path, "score"), "entries");
    assert_true(json_is_real(json_object_get(score, "game")));
    assert_true(json_number_value(json_object_get(output_of(by_path, "height"), "least")) > 0.09);
    /* the second run took all from memory */
    assert_int_equal(json_integer_value(json_object_get(document_of(by_text), "computed")), 0);
    json_decref(by_path);
    json_decref(by_text);
}

static void check_picture(const json_t *picture, int width, int height)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *text = text_of(picture, "data");
    size_t length = 0;
    unsigned bits = 0, count = 0;
    unsigned char *png = malloc(strlen(text) + 1);
    struct tw_value image = {.type = TW_IMAGE};
    assert_non_null(png);
    assert_string_equal(text_of(picture, "type"), "image");
    assert_string_equal(text_of(picture, "mimeType"), "image/png");
    for (; *text && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        assert_non_null(digit);
        bits = bits << 6 | (unsigned)(digit - digits);
        if (++count % 4 != 1)
            png[length++] = (unsigned char)(bits >> (6 - 2 * ((count - 1) % 4)));
    }
    assert_int_equal(tw_png_decode(png, length, &image, NULL), TW_OK);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    tw_field_clear(&image);
    free(png);
}

static void run_draws_what_is_asked_for(void **state)
{
    (void)state;
    json_t *answer = mcp_call(&client, "run",
                              json_pack("{s:s, s:[i, i], s:i, s:[s]}", "recipe", HILLS, "size", 96,
                                        64, "picture_size", 48, "pictures", "height"));
    const json_t *content = json_object_get(answer, "content");
    assert_int_equal(json_array_size(content), 3);
    assert_string_equal(text_of(json_array_get(content, 1), "text"), "height");
    check_picture(json_array_get(content, 2), 48, 32);
    json_decref(answer);
    answer = call_recipe("run", HILLS); /* a height map and a mask */
    content = json_object_get(answer, "content");
    assert_int_equal(json_array_size(content), 5);
    check_picture(json_array_get(content, 2), 64, 64);
    check_picture(json_array_get(content, 4), 64, 64);
    json_decref(answer);
    answer = mcp_call(&client, "run", json_pack("{s:s, s:[]}", "recipe", HILLS, "pictures"));
    assert_int_equal(json_array_size(json_object_get(answer, "content")), 1);
    json_decref(answer);
}

static void run_takes_settings(void **state)
{
    (void)state;
    json_t *one =
        mcp_call(&client, "run",
                 json_pack("{s:s, s:{s:f}, s:s, s:s, s:[]}", "recipe", "hills.yaml", "set", "low",
                           0.25, "seed", "18446744073709551615", "only", "height", "pictures"));
    assert_false(is_error(one));
    assert_int_equal(json_array_size(json_object_get(document_of(one), "outputs")), 1);
    assert_true(json_number_value(json_object_get(output_of(one, "height"), "least")) == 0.25);
    json_decref(one);
    expect_fault(
        mcp_call(&client, "run", json_pack("{s:s, s:{s:i}}", "recipe", HILLS, "set", "low", 7)),
        "parameter low is '7'; expected a number from 0 to 1");
    expect_fault(mcp_call(&client, "run", json_pack("{s:s, s:s}", "recipe", HILLS, "sise", "8")),
                 "sise");
    expect_fault(mcp_call(&client, "run", json_object()), "recipe");
    expect_fault(mcp_call(&client, "run", json_pack("{s:s, s:s}", "recipe", HILLS, "size", "big")),
                 "size: expected");
    expect_fault(mcp_call(&client, "run", json_pack("{s:s, s:i}", "recipe", HILLS, "seed", -1)),
                 "seed: expected");
    expect_fault(
        mcp_call(&client, "run", json_pack("{s:s, s:[s]}", "recipe", HILLS, "pictures", "heigth")),
        "no output 'heigth'");
    expect_fault(
        mcp_call(&client, "run", json_pack("{s:s, s:i}", "recipe", HILLS, "picture_size", 5000)),
        "picture_size: expected a whole number from 16 to 1024");
}

static void failures_of_runs_are_results(void **state)
{
    (void)state;
    expect_fault(call_recipe("run", "thalweg: 1\nsize: 64\nnodes: {a: {type: noise.perlin}, s: "
                                    "{type: measure.statistics, in: a}}\noutputs: {s: s}\n"
                                    "assert: {s.mean: {min: 3}}\n"),
                 "expected at least 3");
    expect_fault(call_recipe("run", "thalweg: 1\nsize: 100000\nnodes: {a: {type: noise.perlin}}\n"
                                    "outputs: {a: a}\n"),
                 "16384");
}

static void diff_compares_recipes(void **state)
{
    (void)state;
    json_t *answer = mcp_call(&client, "diff",
                              json_pack("{s:s, s:s, s:{s:f}}", "before", "hills.yaml", "after",
                                        HILLS, "set", "low", 0.2));
    assert_false(is_error(answer));
    assert_string_equal(
        text_of(json_array_get(json_object_get(document_of(answer), "recipes"), 0), "verdict"),
        "same");
    json_decref(answer);
    answer = mcp_call(&client, "diff",
                      json_pack("{s:s, s:s}", "before", "hills.yaml", "after",
                                "thalweg: 1\nsize: 64\nseed: 5\nnodes:\n"
                                "  noise: {type: noise.perlin}\n"
                                "  cut: {type: shape.clamp, in: noise, low: 0.5}\n"
                                "outputs: {height: cut}\n"));
    const json_t *recipe = json_array_get(json_object_get(document_of(answer), "recipes"), 0);
    assert_false(is_error(answer));
    assert_string_equal(text_of(recipe, "verdict"), "differs");
    assert_string_equal(text_of(json_object_get(recipe, "first"), "path"), "cut");
    check_picture(json_array_get(json_object_get(answer, "content"), 2), 64, 64);
    json_decref(answer);
    expect_fault(mcp_call(&client, "diff",
                          json_pack("{s:s, s:s}", "before", "hills.yaml", "after", "thalweg: 2\n")),
                 "after.yaml");
}

static void compare_runs_experiments(void **state)
{
    (void)state;
    json_t *answer = mcp_call(
        &client, "compare",
        json_pack("{s:s, s:i}", "experiment",
                  "thalweg-experiment: 1\nrecipe: hills.yaml\nsize: 32\nseeds: {from: 1, count: "
                  "9}\nvariants: {a: {}, b: {params: {low: 0.4}}}\nmeasure: [height.mean]\n"
                  "baseline: a\n",
                  "seeds", 4));
    const json_t *document = document_of(answer);
    assert_false(is_error(answer));
    assert_string_equal(text_of(document, "format"), "thalweg.compare/2");
    assert_int_equal(json_integer_value(json_object_get(document, "total")), 4);
    assert_int_equal(json_array_size(json_object_get(document, "variants")), 2);
    json_decref(answer);
    expect_fault(mcp_call(&client, "compare",
                          json_pack("{s:s}", "experiment",
                                    "thalweg-experiment: 1\nrecipe: ../hills.yaml\nseeds: [1]\n"
                                    "variants: {a: {}}\nmeasure: [height.mean]\n")),
                 "../hills.yaml");
    expect_fault(mcp_call(&client, "compare", json_pack("{s:s}", "experiment", HILLS)),
                 "expected an experiment");
}

/* Searches for parameters, before or after the comparison, are left to the command. */
static void compare_refuses_searches(void **state)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"match: {goal: {height.mean: 0.5}, by: {a: {low: [0, 0.9]}}}\n",
         "match: takes pilot runs; expected an experiment without it, with the values under "
         "params:"},
        {"tune: {params: {low: [0, 0.9]}, goal: {height.mean: 0.5}, budget: 9}\n",
         "tune: takes many runs; expected an experiment without it"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "thalweg-experiment: 1\nrecipe: hills.yaml\nsize: 32\nseeds: [1]\n"
                 "variants: {a: {}}\nmeasure: [height.mean]\n%s",
                 rows[i].line);
        expect_fault(mcp_call(&client, "compare", json_pack("{s:s}", "experiment", text)),
                     rows[i].words);
    }
}

static void realism_judges_heights(void **state)
{
    (void)state;
    json_t *answer =
        mcp_call(&client, "realism", json_pack("{s:s, s:i}", "recipe", "hills.yaml", "size", 128));
    const json_t *numbers = json_object_get(document_of(answer), "numbers");
    assert_false(is_error(answer));
    assert_int_equal(json_array_size(numbers), 9);
    for (size_t i = 0; i < 9; i++) {
        const json_t *row = json_array_get(numbers, i);
        const double number = json_number_value(json_object_get(row, "number"));
        const char *verdict = text_of(row, "verdict");
        if (number < json_number_value(json_object_get(row, "p5")))
            assert_string_equal(verdict, "below");
        else if (number > json_number_value(json_object_get(row, "p95")))
            assert_string_equal(verdict, "above");
        else
            assert_string_equal(verdict, "inside");
    }
    json_decref(answer);
    expect_fault(mcp_call(&client, "realism",
                          json_pack("{s:s, s:s}", "recipe", "hills.yaml", "output", "steep")),
                 "output steep is a mask; expected a heightmap");
    expect_fault(
        mcp_call(&client, "realism", json_pack("{s:s, s:i}", "recipe", "hills.yaml", "output", 3)),
        "output: expected the name of an output");
}

static void files_elsewhere_are_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir("inside", 0700), 0);
    write_text("inside/own.yaml", HILLS);
    write_text("inside/uses.yaml", "thalweg: 1\nsize: 8\nnodes: {a: {type: ../hills.yaml}}\n"
                                   "outputs: {a: a}\n");
    assert_int_equal(symlink("../hills.yaml", "inside/link.yaml"), 0);
    struct mcp_client whole = client;
    client = mcp_start("inside");
    json_t *answer = call_recipe("check", "own.yaml");
    assert_false(is_error(answer));
    json_decref(answer);
    static const char *const names[] = {"../hills.yaml", "link.yaml", "/etc/hosts.yaml",
                                        "missing.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_fault(call_recipe("check", names[i]), "below the folder");
    expect_fault(call_recipe("check", "uses.yaml"), "files below the server's folder can be read");
    mcp_end(&client, 0);
    client = whole;
    answer = call_recipe("check", "inside/uses.yaml"); /* all of the folder may be read */
    assert_false(is_error(answer));
    json_decref(answer);
}

static int count_files(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = 0;
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    (void)closedir(dir);
    return count;
}

static void nothing_is_written(void **state)
{
    (void)state;
    const int before = count_files(".");
    json_t *answer = call_recipe("run", HILLS "export: {height.png: height}\n");
    assert_false(is_error(answer));
    json_decref(answer);
    assert_int_equal(count_files("."), before);
}

/* The folder that the command line names may be a link: what is wrong below it is told. */
static void the_folder_may_be_a_link(void **state)
{
    static const char *const folders[] = {"linked", "linked/", "./real", "real/../real"};
    (void)state;
    assert_int_equal(mkdir("real", 0700), 0);
    assert_int_equal(symlink("real", "linked"), 0);
    write_text("real/wrong.yaml", "thalweg: 1\nsize: 8\nnodes: {a: {type: noise.perlim}}\n"
                                  "outputs: {a: a}\n");
    write_text("real/uses.yaml", "thalweg: 1\nsize: 8\nnodes: {b: {type: ./wrong.yaml}}\n"
                                 "outputs: {a: b}\n");
    struct mcp_client whole = client;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        client = mcp_start(folders[i]);
        for (int uses = 0; uses < 2; uses++) {
            json_t *answer = call_recipe("check", uses ? "uses.yaml" : "wrong.yaml");
            const json_t *error = json_array_get(json_object_get(document_of(answer), "errors"), 0);
            assert_string_equal(text_of(error, "file"), "wrong.yaml");
            assert_string_equal(text_of(error, "hint"), "did you mean 'noise.perlin'?");
            json_decref(answer);
        }
        mcp_end(&client, 0);
    }
    client = whole;
}

static void a_folder_that_is_missing_is_wrong_usage(void **state)
{
    (void)state;
    command_expect("mcp nowhere", 2, &result);
    contains(result.err, "there is no folder 'nowhere'");
    assert_string_equal(result.out, "");
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(nodes_searches_and_gives_pages),
        IN_FOLDER(check_says_what_is_wrong_and_where),
        IN_FOLDER(check_says_what_a_recipe_has),
        IN_FOLDER(run_gives_the_digests_of_a_lock),
        IN_FOLDER(run_draws_what_is_asked_for),
        IN_FOLDER(run_takes_settings),
        IN_FOLDER(failures_of_runs_are_results),
        IN_FOLDER(diff_compares_recipes),
        IN_FOLDER(compare_runs_experiments),
        IN_FOLDER(compare_refuses_searches),
        IN_FOLDER(realism_judges_heights),
        IN_FOLDER(files_elsewhere_are_refused),
        IN_FOLDER(nothing_is_written),
        IN_FOLDER(the_folder_may_be_a_link),
        IN_FOLDER(a_folder_that_is_missing_is_wrong_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
