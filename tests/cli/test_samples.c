/* SPDX-License-Identifier: MIT */
/* Samples for other programs: the columns of the tables, and that all forms have the same numbers.
 */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;

/* A parameter is named like a column, another like a measure. */
static const char recipe[] =
    "thalweg: 1\nsize: 16\nparams: {seed: 3, talus: 4, word: \"a,b\", height.mean: 2}\nnodes:\n"
    "  a: {type: noise.midpoint}\n"
    "  b: {type: erosion.olsen, in: a, talus: \"${talus}\", iterations: \"${seed}\"}\n"
    "outputs: {height: b}\n";
static const char plain[] = "thalweg: 1\nsize: 16\nparams: {other: 7}\nnodes:\n"
                            "  a: {type: source.constant, value: \"${other}\"}\n"
                            "outputs: {height: a}\n";

#define EXPERIMENT                                                                                 \
    "thalweg-experiment: 1\nrecipe: recipe.yaml\nsizes: [8, 16]\nseeds: [5, 3]\n"                  \
    "measure: [height.mean, height.max]\nvariants:\n  calm: {}\n  steep: {params: {talus: 9}}\n"   \
    "  plain: {recipe: plain.yaml}\nbaseline: calm\n"

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("recipe.yaml", recipe, strlen(recipe));
    command_write("plain.yaml", plain, strlen(plain));
    command_write("experiment.yaml", EXPERIMENT, strlen(EXPERIMENT));
    return 0;
}

static void expect_line(const char *text, int line, const char *start)
{
    for (int i = 0; i < line && text; i++)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    if (!text || strncmp(text, start, strlen(start)) != 0)
        fail_msg("line %d does not start with %s:\n%.200s", line, start, text ? text : "");
}

static void a_row_has_every_parameter(void **state)
{
    (void)state;
    command_expect("compare experiment.yaml -q --csv -", 0, &result);
    expect_line(result.out, 0,
                "variant,seed,size,params.seed,talus,word,params.height.mean,other,height.mean,"
                "height.max\n");
    expect_line(result.out, 1, "calm,5,8,3,4,\"a,b\",2,,0.");
    expect_line(result.out, 2, "steep,5,8,3,9,\"a,b\",2,,0.");
    expect_line(result.out, 3, "plain,5,8,,,,,7,7");
    expect_line(result.out, 4, "calm,5,16,3,4,\"a,b\",2,,0.");
    expect_line(result.out, 7, "calm,3,8,3,4,\"a,b\",2,,0.");
}

/* The sample of a variant, size and seed in the document. */
static double sample_of(json_t *root, const char *variant, int size, size_t seed,
                        const char *measure)
{
    json_t *variants = json_object_get(root, "variants");
    for (size_t i = 0; i < json_array_size(variants); i++) {
        json_t *v = json_array_get(variants, i);
        if (strcmp(json_string_value(json_object_get(v, "name")), variant) == 0 &&
            json_integer_value(json_object_get(v, "size")) == size)
            return json_number_value(json_array_get(
                json_object_get(json_object_get(json_object_get(v, "measures"), measure),
                                "samples"),
                seed));
    }
    fail_msg("no variant %s of size %d", variant, size);
    return 0;
}

static void all_forms_have_the_same_numbers(void **state)
{
    static char lines[sizeof result.out], rows[sizeof result.out];
    int count = 0;
    (void)state;
    command_expect("compare experiment.yaml -q --json-lines -", 0, &result);
    memcpy(lines, result.out, sizeof lines);
    command_expect("compare experiment.yaml -q --csv-long -", 0, &result);
    memcpy(rows, result.out, sizeof rows);
    command_expect("compare experiment.yaml -q --json", 0, &result);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    expect_line(
        rows, 0,
        "variant,seed,size,params.seed,talus,word,height.mean,other,measure,unit,value,digest");
    const char *row = strchr(rows, '\n');
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"), count++) {
        json_t *one = json_loads(line, 0, NULL);
        assert_non_null(one);
        const char *measure = json_string_value(json_object_get(one, "measure"));
        double value = json_number_value(json_object_get(one, "value"));
        size_t seed = strcmp(json_string_value(json_object_get(one, "seed")), "5") != 0;
        double kept =
            sample_of(root, json_string_value(json_object_get(one, "variant")),
                      (int)json_integer_value(json_object_get(one, "size")), seed, measure);
        if (fabs(value - kept) > 1e-8 * fabs(value))
            fail_msg("%s: the document has %.17g", line, kept);
        const char *end = strchr(row + 1, '\n'), *comma = end;
        while (comma[-1] != ',')
            comma--;
        assert_int_equal(end - comma, 64);
        assert_memory_equal(comma, json_string_value(json_object_get(one, "digest")), 64);
        for (comma--; comma[-1] != ','; comma--) /* the value is before the digest */
            ;
        assert_true(fabs(atof(comma) - value) <= 1e-8 * fabs(value));
        row = end;
        json_decref(one);
    }
    assert_int_equal(count, 2 * 3 * 2 * 2);
    json_decref(root);
}

/* The digest of the row's recipe. */
static const char *digest_at(int line)
{
    const char *row = result.out;
    for (; line > 0; line--)
        row = strchr(row, '\n') + 1;
    return strchr(row, '\n') - 64;
}

/* Rows of calm, steep and plain, each with two measures: at size 8, then 16, then the next seed. */
static void a_digest_is_of_what_ran(void **state)
{
    static const int others[] = {3, 5, 7};
    (void)state;
    command_expect("compare experiment.yaml -q --csv-long -", 0, &result);
    assert_memory_equal(digest_at(1), digest_at(2), 64);
    assert_memory_equal(digest_at(1), digest_at(13), 64);
    for (size_t i = 0; i < 3; i++)
        assert_memory_not_equal(digest_at(1), digest_at(others[i]), 64);
}

static void a_unit_is_that_of_the_measure(void **state)
{
    static const char text[] = "thalweg-experiment: 1\nrecipe: plain.yaml\nseeds: [1]\n"
                               "measure: [\"height.share(0, 1)\", seconds]\nvariants: {a: {}}\n";
    (void)state;
    command_write("units.yaml", text, strlen(text));
    command_expect("compare units.yaml -q --csv-long -", 0, &result);
    expect_line(result.out, 1, "a,1,16,7,\"height.share(0, 1)\",1,0,");
    expect_line(result.out, 2, "a,1,16,7,seconds,s,");
}

static void several_files_at_once(void **state)
{
    (void)state;
    command_expect("compare experiment.yaml -q --csv a.csv --csv-long b.csv --json-lines c.jsonl",
                   0, &result);
    command_expect_words(result.out, "verdict by level");
    command_expect("compare experiment.yaml -q --csv a.csv --csv-long ./a.csv", 3, &result);
    command_expect("compare experiment.yaml -q --csv - --csv-long -", 2, &result);
    command_expect_words(result.err, "--csv - and --csv-long - both write to standard output");
    command_expect("compare experiment.yaml -q --shard 1/2 --json-lines a", 2, &result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_every_parameter),
        cmocka_unit_test(all_forms_have_the_same_numbers),
        cmocka_unit_test(a_digest_is_of_what_ran),
        cmocka_unit_test(a_unit_is_that_of_the_measure),
        cmocka_unit_test(several_files_at_once),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
