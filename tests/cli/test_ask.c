/* SPDX-License-Identifier: MIT */
/* compare --ask and --tell: what may be varied, points and their answers, and the page's search. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;
static char text[1 << 16];

static const char recipe[] =
    "thalweg: 1\nsize: 16\nparams: {talus: {default: 4, min: 1, max: 40}, rough: 0.5}\nnodes:\n"
    "  a: {type: noise.midpoint, persistence: \"${rough}\"}\n"
    "  b: {type: erosion.olsen, in: a, talus: \"${talus}\", iterations: 3}\n"
    "  score: {type: measure.score, in: b}\n"
    "outputs: {height: b, score: score}\n";

#define HEAD                                                                                       \
    "thalweg-experiment: 1\nrecipe: recipe.yaml\nseeds: {from: 3, count: 4}\n"                     \
    "measure: [score.game, height.mean]\n"
#define TUNED                                                                                      \
    HEAD "tune: {params: {talus: [2, 20], rough: {from: 0.25, to: 0.75}}, goal: {score.game: "     \
         "maximise}, budget: 8}\n"

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("recipe.yaml", recipe, strlen(recipe));
    command_write("talus.yaml", TUNED, strlen(TUNED));
    command_write("plain.yaml", HEAD "variants: {a: {}}\n", strlen(HEAD "variants: {a: {}}\n"));
    return 0;
}

static void read_file(const char *name)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
}

/* Tells the lines; the answers are in `text`. */
static int tell(const char *lines, const char *arguments)
{
    char command[400];
    command_write("points.jsonl", lines, strlen(lines));
    snprintf(command, sizeof command,
             TW_COMMAND " compare %s --tell -q --cache-dir cache < points.jsonl > answers.jsonl",
             arguments);
    int code = system(command);
    read_file("answers.jsonl");
    return code;
}

static json_t *answer_at(size_t number)
{
    const char *line = text;
    for (; number > 0; number--)
        line = strchr(line, '\n') + 1;
    json_t *answer = json_loadb(line, strcspn(line, "\n"), 0, NULL);
    assert_non_null(answer);
    return answer;
}

static void what_may_be_varied_is_told(void **state)
{
    (void)state;
    command_expect("compare talus.yaml --ask", 0, &result);
    assert_string_equal(result.out,
                        "{\"parameters\":{\"talus\":{\"from\":2.0,\"to\":20.0,\"whole\":false},"
                        "\"rough\":{\"from\":0.25,\"to\":0.75,\"whole\":false}},\"measures\":["
                        "\"score.game\",\"height.mean\"],\"seeds\":4}\n");
    command_expect("compare plain.yaml --ask", 0, &result);
    command_expect_words(result.out, "{\"parameters\":{\"talus\":{\"from\":1.0,\"to\":40.0,");
    assert_null(strstr(result.out, "rough"));
}

/* A point's samples are those of a variant with its parameters. */
static void a_point_is_a_variant(void **state)
{
    static const char variant[] = HEAD "variants: {a: {params: {talus: 9.5, rough: 0.375}}}\n";
    double seen[4], mean = 0;
    (void)state;
    assert_int_equal(tell("{\"id\": {\"of\": \"mine\"}, \"params\": {\"talus\": 9.5, \"rough\": "
                          "\"0.375\"}}\n",
                          "talus.yaml"),
                     0);
    json_t *answer = answer_at(0), *samples = json_object_get(answer, "samples");
    assert_string_equal(json_string_value(json_object_get(json_object_get(answer, "id"), "of")),
                        "mine");
    command_write("variant.yaml", variant, strlen(variant));
    command_expect("compare variant.yaml -q --csv -", 0, &result);
    const char *line = result.out;
    for (size_t i = 0; i < 4; i++) {
        line = strchr(line, '\n') + 1;
        assert_int_equal(sscanf(line, "a,%*d,16,9.5,0.375,%lf", &seen[i]), 1);
        double own = json_number_value(json_array_get(json_object_get(samples, "score.game"), i));
        assert_true(fabs(own - seen[i]) <= 1e-8 * fabs(own));
        mean += own / 4;
    }
    double told =
        json_number_value(json_object_get(json_object_get(answer, "means"), "score.game"));
    assert_true(fabs(told - mean) <= 1e-12 * fabs(mean));
    json_decref(answer);
}

static void answers_come_in_order_and_mistakes_end_nothing(void **state)
{
    static const struct {
        const char *line, *words; /* NULL: no error */
        int seeds;
    } rows[] = {
        {"{\"id\": 1, \"params\": {\"talus\": 8}, \"seeds\": 2}", NULL, 2},
        {"{\"id\": 2, \"params\": {\"tals\": 8}}", "did you mean 'talus'?", 0},
        {"nonsense", "not a line of JSON", 0},
        {"[3]", "expected an object", 0},
        {"{\"id\": 5, \"params\": {\"talus\": 80}}", "expected a number from 1 to 40", 0},
        {"{\"id\": 6, \"params\": {\"talus\": [8]}}", "neither a number nor a text", 0},
        {"{\"id\": 7}", "params: expected an object", 0},
        {"{\"id\": 8, \"params\": {}, \"seeds\": 0}", "seeds: expected a whole number", 0},
        {"{\"id\": 9, \"params\": {}, \"sees\": 1}", "'sees' is unknown", 0},
        {"{\"id\": 10, \"params\": {}}", NULL, 4},
        {"{\"id\": 11, \"params\": {}, \"seeds\": 6}", NULL, 6},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    char lines[2000] = "\n";
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        strcat(strcat(lines, rows[i].line), i + 1 < ROWS ? "\n" : "");
    assert_int_equal(tell(lines, "talus.yaml"), 0);
    for (size_t i = 0; i < ROWS; i++) {
        json_t *answer = answer_at(i), *error = json_object_get(answer, "error");
        char *words = json_dumps(error ? error : answer, 0);
        if (!error != !rows[i].words || (error && !strstr(words, rows[i].words)))
            fail_msg("%s: %s", rows[i].line, words);
        if (!error)
            assert_int_equal(
                json_array_size(json_object_get(json_object_get(answer, "samples"), "height.mean")),
                rows[i].seeds);
        assert_true(json_is_null(json_object_get(answer, "id")) == (i == 2 || i == 3));
        free(words);
        json_decref(answer);
    }
}

static void no_input_is_no_mistake(void **state)
{
    (void)state;
    assert_int_equal(tell("", "talus.yaml"), 0);
    assert_string_equal(text, "");
}

static void a_long_line_is_refused(void **state)
{
    enum { LONG = 3 << 19 };
    char *line = malloc(LONG + 100);
    (void)state;
    memset(line, ' ', LONG);
    strcpy(line + LONG, "{\n{\"id\": 2, \"params\": {}, \"seeds\": 1}\n");
    assert_int_equal(tell(line, "talus.yaml"), 0);
    free(line);
    json_t *first = answer_at(0), *second = answer_at(1);
    assert_non_null(json_object_get(first, "error"));
    assert_non_null(json_object_get(second, "means"));
    json_decref(first);
    json_decref(second);
}

static void reports_are_excluded(void **state)
{
    (void)state;
    command_expect("compare talus.yaml --tell --html a.html", 2, &result);
    command_expect_words(result.err, "--tell and --html exclude each other");
    command_expect("compare talus.yaml --ask --csv a.csv", 2, &result);
    command_expect("compare talus.yaml --ask --tell", 2, &result);
    command_expect("compare talus.yaml --tell --json", 2, &result);
}

/* The search of docs/experiments.md, word for word: its best is at least as good as what it saw. */
static void the_page_searches(void **state)
{
    static char page[1 << 17];
    char path[4000], command[] = TW_COMMAND;
    double best = 0;
    (void)state;
    if (system("command -v python3 > /dev/null") != 0)
        skip();
    FILE *file = fopen(TW_DOCS "/experiments.md", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    char *code = strstr(page, "```python\nimport json, random, subprocess");
    assert_non_null(code);
    code = strchr(code, '\n') + 1;
    command_write("search.py", code, (size_t)(strstr(code, "```") - code));
    snprintf(path, sizeof path, "%s:%s", dirname(command), getenv("PATH"));
    setenv("PATH", path, 1);
    assert_int_equal(system("python3 search.py > found.txt"), 0);
    read_file("found.txt");
    assert_int_equal(sscanf(text, "(%lf, {'talus':", &best), 1);
    assert_true(best > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_may_be_varied_is_told),
        cmocka_unit_test(a_point_is_a_variant),
        cmocka_unit_test(answers_come_in_order_and_mistakes_end_nothing),
        cmocka_unit_test(no_input_is_no_mistake),
        cmocka_unit_test(a_long_line_is_refused),
        cmocka_unit_test(reports_are_excluded),
        cmocka_unit_test(the_page_searches),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
