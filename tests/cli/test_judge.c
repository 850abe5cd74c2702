/* SPDX-License-Identifier: MIT */
/* thalweg judge: a page that does not say what it shows, and what follows from answers to it. */
#include "support/command.h"
#include "support/harness.h"

#include "report/judge/pairs.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct command_result result;

/* Maps of one cell: their measure is their parameter, but for the seed's last bits. */
static const char flat[] = "thalweg: 1\nsize: 1\nparams: {value: 0.25}\nnodes:\n"
                           "  a: {type: source.constant, value: \"${value}\"}\n"
                           "  stats: {type: measure.statistics, in: a}\n"
                           "outputs: {height: a, stats: stats}\n";
/* Seed 4 is the first whose noise is above 0.8, which has no square then. */
static const char fails[] =
    "thalweg: 1\nsize: 1\nparams: {value: 0.25}\nnodes:\n"
    "  n: {type: noise.midpoint}\n"
    "  f: {type: combine.formula, a: n, formula: \"a > 0.8 ? 1e38 : a * ${value}\"}\n"
    "  m: {type: shape.power, in: f, exponent: 2}\n"
    "  stats: {type: measure.statistics, in: m}\noutputs: {height: m, stats: stats}\n";
/* Which variant is higher hangs on the seed. */
static const char turns[] =
    "thalweg: 1\nsize: 1\nparams: {value: 0.25}\nnodes:\n"
    "  n: {type: noise.midpoint}\n"
    "  f: {type: combine.formula, a: n, formula: \"a > 0.5 ? ${value} : 1 - ${value}\"}\n"
    "  stats: {type: measure.statistics, in: f}\noutputs: {height: f, stats: stats}\n";
static const char experiment[] =
    "thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {from: 5, count: 10}\n"
    "variants: {lowland: {}, upland: {params: {value: 0.5}}, alpine: {params: {value: 0.75}}}\n"
    "measure: [stats.mean, stats.deviation]\n";

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("flat.yaml", flat, strlen(flat));
    command_write("terrain.yaml", experiment, strlen(experiment));
    return 0;
}

static char *read_all(const char *path)
{
    static char text[1 << 21];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void draw(int32_t count, uint64_t number, struct tw_judge_pairs *pairs)
{
    const struct tw_load_options load = {0};
    struct tw_experiment *e = NULL;
    struct tw_error error;
    assert_int_equal(tw_experiment_load("terrain.yaml", &load, &e, &error), TW_OK);
    assert_int_equal(tw_judge_pairs_draw(e, count, number, pairs, &error), TW_OK);
    tw_experiment_release(e);
}

/* Answers that choose the variant with the greater index, but every `odd`th time. */
static void answer(const char *path, const struct tw_judge_pairs *pairs, int32_t asked, int odd)
{
    json_t *answers = json_array();
    for (int32_t i = 0; i < pairs->count; i++) {
        bool left = (pairs->at[i].left > pairs->at[i].right) != (odd > 0 && i % odd == 0);
        json_array_append_new(answers, json_string(left ? "left" : "right"));
    }
    json_t *root = json_pack("{s:s, s:s, s:s, s:i, s:o}", "format", "thalweg.answers/1", "identity",
                             pairs->identity, "draw", "7", "asked", (int)asked, "answers", answers);
    assert_int_equal(json_dump_file(root, path, 0), 0);
    json_decref(root);
}

static json_t *judge(const char *arguments)
{
    json_error_t error;
    command_run(arguments, &result);
    if (result.code != 0)
        fail_msg("exit code %d: %s", result.code, result.err);
    json_t *root = json_loads(result.out, 0, &error);
    assert_non_null(root);
    return root;
}

static void a_page_names_nothing(void **state)
{
    (void)state;
    command_run("judge terrain.yaml --draw 7 --pairs 30 --html page.html", &result);
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "30 pairs"));
    const char *page = read_all("page.html");
    static const char *const leaks[] = {"lowland", "upland", "alpine", "terrain", "stats", "http:"};
    assert_non_null(strstr(page, "<h1 class=\"verdict\">"));
    for (size_t i = 0; i < sizeof leaks / sizeof *leaks; i++)
        if (strstr(page, leaks[i]))
            fail_msg("the page says '%s'", leaks[i]);
    int pictures = 0;
    for (const char *at = page; (at = strstr(at, "data:image/png")); at++)
        pictures++;
    assert_int_equal(pictures, 30); /* ten seeds of three variants */
}

/* Every pair of a seed once; each variant on both sides; pictures in another order than drawn. */
static void pairs_are_all_different_and_mixed(void **state)
{
    struct tw_judge_pairs pairs = {0}, other = {0};
    int32_t seen[10][3][3] = {{{0}}}, left[3] = {0}, moved = 0;
    (void)state;
    draw(30, 7, &pairs);
    assert_int_equal(pairs.count, 30);
    for (int32_t i = 0; i < pairs.count; i++) {
        const struct tw_judge_pair *p = &pairs.at[i];
        assert_true(p->left != p->right);
        seen[p->seed][p->left][p->right]++;
        left[p->left]++;
        moved += pairs.picture[i] != i;
    }
    for (int s = 0; s < 10; s++)
        for (int a = 0; a < 3; a++)
            for (int b = a + 1; b < 3; b++)
                assert_int_equal(seen[s][a][b] + seen[s][b][a], 1);
    assert_true(left[0] > 3 && left[1] > 3 && left[2] > 3 && moved > 20);
    draw(30, 8, &other);
    assert_true(strcmp(pairs.identity, other.identity) != 0);
    tw_judge_pairs_release(&pairs);
    tw_judge_pairs_release(&other);
}

/* Every level has its own page; answers to one do not count for another. */
static void levels_are_judged_one_by_one(void **state)
{
    static const char levels[] =
        "thalweg-experiment: 1\nrecipe: flat.yaml\nsizes: [1, 2]\nseeds: {from: 5, count: 4}\n"
        "variants: {lowland: {}, upland: {params: {value: 0.5}}}\nmeasure: [stats.mean]\n";
    char identity[3][17];
    (void)state;
    command_write("levels.yaml", levels, strlen(levels));
    for (int i = 0; i < 3; i++) {
        char arguments[100];
        snprintf(arguments, sizeof arguments, "judge levels.yaml -q --html levels.html%s",
                 i == 2   ? ""
                 : i == 1 ? " --level 2"
                          : " --level 1");
        command_expect(arguments, 0, &result);
        const char *at = strstr(read_all("levels.html"), "\"identity\": \"");
        assert_non_null(at);
        snprintf(identity[i], sizeof identity[i], "%.16s", at + 13);
    }
    assert_string_not_equal(identity[0], identity[1]);
    assert_string_equal(identity[1], identity[2]);
    command_expect("judge levels.yaml --level 3", 2, &result);
    command_expect_words(result.err, "--level is 3, but levels.yaml has 2");
}

static double number(const json_t *list, size_t i, const char *field)
{
    return json_number_value(json_object_get(json_array_get(list, i), field));
}

static void answers_rank_the_variants(void **state)
{
    struct tw_judge_pairs pairs = {0};
    (void)state;
    draw(30, 7, &pairs);
    answer("sure.json", &pairs, 30, 0);
    answer("odd.json", &pairs, 30, 5);
    json_t *root = judge("judge terrain.yaml --answers sure.json --answers odd.json --json");
    const json_t *variants = json_object_get(root, "variants");
    const json_t *measures = json_object_get(root, "measures");
    assert_int_equal(json_integer_value(json_object_get(root, "answers")), 60);
    assert_int_equal(json_integer_value(json_object_get(root, "files")), 2);
    static const char *const names[] = {"alpine", "upland", "lowland"};
    for (size_t i = 0; i < 3; i++) {
        const json_t *row = json_array_get(variants, i),
                     *interval = json_object_get(row, "interval");
        assert_string_equal(json_string_value(json_object_get(row, "name")), names[i]);
        assert_true(json_number_value(json_array_get(interval, 0)) < number(variants, i, "chosen"));
        assert_true(json_number_value(json_array_get(interval, 1)) > number(variants, i, "chosen"));
        assert_true(number(variants, i, "won") + number(variants, i, "lost") == 40);
    }
    /* The mean rises with the index: 54 of 60 choices follow it. The deviation is always 0. */
    assert_true(fabs(number(measures, 0, "agrees") - 0.9) < 1e-9);
    assert_int_equal((int)number(measures, 0, "count"), 60);
    assert_int_equal((int)number(measures, 1, "count"), 0);
    assert_true(json_is_null(json_object_get(json_array_get(measures, 1), "agrees")));
    json_decref(root);
    command_run("judge terrain.yaml --answers sure.json", &result);
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "terrain.yaml: 30 answers in 1 files, 0 of them ties"));
    tw_judge_pairs_release(&pairs);
}

static void wrong_answers_are_refused(void **state)
{
    static const char *const rows[][2] = {
        {"not json", "it is not JSON"},
        {"{}", "its format is not thalweg.answers/1"},
        {"{\"format\": \"thalweg.answers/1\"}", "it lacks"},
        {"{\"format\": \"thalweg.answers/1\", \"identity\": \"0\", \"draw\": \"1\", \"asked\": 30, "
         "\"answers\": []}",
         "answers to another page"},
        {"{\"format\": \"thalweg.answers/1\", \"identity\": \"0\", \"draw\": \"1\", \"asked\": "
         "2000000000, \"answers\": []}",
         "it lacks"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        command_write("answers.json", rows[i][0], strlen(rows[i][0]));
        command_run("judge terrain.yaml --answers answers.json", &result);
        assert_int_equal(result.code, 3);
        if (!strstr(result.err, rows[i][1]))
            fail_msg("'%s' is not in: %s", rows[i][1], result.err);
    }
    command_write("one.yaml",
                  "thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nvariants: {a: {}}\n"
                  "measure: [stats.mean]\n",
                  strlen("thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nvariants: {a: {}}\n"
                         "measure: [stats.mean]\n"));
    static const char bare[] = "thalweg: 1\nsize: 1\nnodes:\n  a: {type: source.constant}\n"
                               "  stats: {type: measure.statistics, in: a}\n"
                               "outputs: {stats: stats}\n";
    static const char unseen[] = "thalweg-experiment: 1\nrecipe: bare.yaml\nseeds: [1]\n"
                                 "variants: {a: {}, b: {}}\nmeasure: [stats.mean]\n";
    command_write("bare.yaml", bare, strlen(bare));
    command_write("unseen.yaml", unseen, strlen(unseen));
    command_expect("judge unseen.yaml -q", 3, &result);
    assert_string_equal(result.err, "error: there is nothing to look at: expected an output that "
                                    "is a height map, or picture: in the experiment\n");
    command_run("judge one.yaml", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "one.yaml has 1 variants; judge expects 2 to 6"));
    static const char sizes[] =
        "thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\n"
        "variants: {a: {}, b: {recipe: wide.yaml}}\nmeasure: [stats.mean]\n";
    static const char wide[] = "thalweg: 1\nsize: [2, 1]\nnodes:\n  a: {type: source.constant}\n"
                               "  stats: {type: measure.statistics, in: a}\n"
                               "outputs: {height: a, stats: stats}\n";
    command_write("sizes.yaml", sizes, strlen(sizes));
    command_write("wide.yaml", wide, strlen(wide));
    command_run("judge sizes.yaml", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "variants have different sizes"));
    command_run("judge terrain.yaml --html flat.yaml", &result);
    assert_int_equal(result.code, 3);
}

/* Answers in JSON to the page of 30 pairs. */
static void write_answers(const char *answers)
{
    struct tw_judge_pairs pairs = {0};
    char text[1000];
    draw(30, 7, &pairs);
    int length = snprintf(text, sizeof text,
                          "{\"format\": \"thalweg.answers/1\", \"identity\": \"%s\", "
                          "\"draw\": \"7\", \"asked\": 30, \"answers\": [%s]}",
                          pairs.identity, answers);
    command_write("answers.json", text, (size_t)length);
    tw_judge_pairs_release(&pairs);
}

static void answers_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        const char *answers, *message;
    } rows[] = {
        {"\"up\"", "answers.json: an answer is neither left, right nor tie; expected a file that "
                   "the page of judge saved\n"},
        {"1", "answers.json: an answer is neither left, right nor tie; expected a file that the "
              "page of judge saved\n"},
        {"", "error: the files hold no answers\n"},
        {"null, null", "error: the files hold no answers\n"},
        {"null, null, null, null, null, null, null, null, null, null, null, null, null, null, "
         "null, "
         "null, null, null, null, null, null, null, null, null, null, null, null, null, null, "
         "null, "
         "null",
         "answers.json: it has more answers than there are pairs; expected a file that the page of "
         "judge saved\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_answers(rows[i].answers);
        command_expect("judge terrain.yaml -q --answers answers.json", 3, &result);
        command_expect_words(result.err, rows[i].message);
    }
}

/* A pattern of the shell and a name, or a link: nobody has answered twice. */
static void answers_count_once(void **state)
{
    (void)state;
    write_answers("\"left\", \"right\"");
    (void)unlink("same.json");
    assert_int_equal(link("answers.json", "same.json"), 0);
    command_expect("judge terrain.yaml -q --answers answers.json --answers same.json", 3, &result);
    command_expect_words(result.err, "same.json: these answers were read already, as answers.json");
    command_expect("judge terrain.yaml -q --answers ./answers.json", 0, &result);
    command_expect("judge terrain.yaml -q --answers answers.json --answers none.json", 3, &result);
    command_expect_words(result.err, "cannot read none.json: No such file or directory");
}

/* What is better turns what agrees; ties say nothing of that. */
static void a_goal_turns_the_agreement(void **state)
{
    static const char *const goals[] = {"", "goal: {stats.mean: up}\n",
                                        "goal: {stats.mean: down}\n"};
    struct tw_judge_pairs pairs = {0};
    (void)state;
    draw(30, 7, &pairs);
    answer("odd.json", &pairs, 30, 5);
    write_answers("\"tie\", \"tie\", null");
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s", experiment, goals[i]);
        command_write("goal.yaml", text, strlen(text));
        json_t *root = judge("judge goal.yaml --answers odd.json --answers answers.json --json");
        const json_t *measures = json_object_get(root, "measures");
        assert_int_equal(json_integer_value(json_object_get(root, "answers")), 32);
        assert_int_equal(json_integer_value(json_object_get(root, "ties")), 2);
        assert_int_equal((int)number(measures, 0, "count"), 30);
        assert_true(fabs(number(measures, 0, "agrees") - (i < 2 ? 0.8 : 0.2)) < 1e-9);
        json_decref(root);
    }
    tw_judge_pairs_release(&pairs);
}

/* An answer is compared with the measures of its own seed. */
static void an_answer_is_held_against_its_seed(void **state)
{
    struct tw_judge_pairs pairs = {0};
    (void)state;
    command_write("flat.yaml", turns, strlen(turns));
    draw(30, 7, &pairs);
    answer("sure.json", &pairs, 30, 0);
    json_t *root = judge("judge terrain.yaml --answers sure.json --json");
    const json_t *measures = json_object_get(root, "measures");
    assert_int_equal((int)number(measures, 0, "count"), 30);
    assert_true(fabs(number(measures, 0, "agrees") - 0.6) < 1e-9);
    json_decref(root);
    tw_judge_pairs_release(&pairs);
    command_write("flat.yaml", flat, strlen(flat));
}

/* A seed that fails takes its pairs with it and no others: they have no pictures, their answers are
 * null, and the answers to the others still fit. */
static void a_seed_that_fails_leaves_the_others(void **state)
{
    static const char text[] =
        "thalweg-experiment: 1\nrecipe: fails.yaml\nseeds: {from: 1, count: 4}\n"
        "variants: {low: {}, high: {params: {value: 0.5}}}\nmeasure: [stats.mean]\n";
    (void)state;
    command_write("fails.yaml", fails, strlen(fails));
    command_write("four.yaml", text, strlen(text));
    command_run("judge four.yaml --pairs 4 --html page.html", &result);
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.err, "pairs of seed 4 are left out"));
    assert_non_null(strstr(result.out, ": 3 pairs"));
    const char *page = read_all("page.html");
    assert_non_null(strstr(page, "null"));
    assert_null(strstr(page, "null,null"));
    const char *identity = strstr(page, "\"identity\": \"");
    assert_non_null(identity);
    json_t *answers = json_array(), *root;
    for (const char *at = strstr(page, "\"pairs\": [") + 10; *at != '}'; at++)
        if (*at == '[')
            json_array_append_new(answers, json_string("left"));
        else if (*at == 'n')
            json_array_append_new(answers, json_null());
    assert_int_equal(json_array_size(answers), 4);
    root = json_pack("{s:s, s:s%, s:s, s:i, s:o}", "format", "thalweg.answers/1", "identity",
                     identity + 13, (size_t)16, "draw", "1", "asked", 4, "answers", answers);
    assert_int_equal(json_dump_file(root, "four.json", 0), 0);
    json_decref(root);
    command_run("judge four.yaml --answers four.json", &result);
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "four.yaml: 3 answers"));
}

static void what_does_not_load_is_said_once(void **state)
{
    (void)state;
    command_run("judge none.yaml", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "error: cannot read none.yaml"));
    command_run("judge none.yaml --json", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.out, "\"status\": \"invalid input file\""));
    command_run("judge flat.yaml", &result);
    assert_int_equal(result.code, 3);
    const char *first = strstr(result.err, "this is a recipe; expected an experiment");
    assert_non_null(first);
    assert_null(strstr(first + 1, "this is a recipe; expected an experiment"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_names_nothing),
        cmocka_unit_test(pairs_are_all_different_and_mixed),
        cmocka_unit_test(levels_are_judged_one_by_one),
        cmocka_unit_test(answers_rank_the_variants),
        cmocka_unit_test(wrong_answers_are_refused),
        cmocka_unit_test(answers_that_do_not_fit_are_refused),
        cmocka_unit_test(answers_count_once),
        cmocka_unit_test(a_goal_turns_the_agreement),
        cmocka_unit_test(an_answer_is_held_against_its_seed),
        cmocka_unit_test(a_seed_that_fails_leaves_the_others),
        cmocka_unit_test(what_does_not_load_is_said_once),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
