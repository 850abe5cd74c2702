/* SPDX-License-Identifier: MIT */
/* --shard and --gather: what many machines compute apart is, together, what one computes; and files
 * that are missing, damaged or of something else are found out. */
#include "support/gate.h"

#include "base/memory/digest.h"

#include <thalweg/thalweg.h>

#include <sys/stat.h>

/* On seeds whose maps vary little the formula of FAILING divides by 0. */
static const char noise[] = "thalweg: 1\nsize: 16\nparams: {power: 1}\nnodes:\n"
                            "  a: {type: noise.perlin, frequency: 2}\n"
                            "  b: {type: shape.power, in: a, exponent: \"${power}\"}\n"
                            "  stats: {type: measure.statistics, in: b}\n"
                            "outputs: {height: b, stats: stats}\n";
#define EXPERIMENT                                                                                 \
    "thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: {from: 5, count: 11}\n"                     \
    "variants: {plain: {}, steep: {params: {power: 2}}}\nbaseline: plain\n"
#define MEASURE "measure: [stats.mean, stats.deviation, {sum: stats.mean + stats.deviation}]\n"
#define FAILING                                                                                    \
    "measure: [stats.deviation, {odd: \"1 / max(0, round(1000 * (stats.deviation - "               \
    "0.0775)))\"}]\n"

static int prepare(void **state)
{
    begin(state);
    write_text("noise.yaml", noise);
    write_text("e.yaml", EXPERIMENT MEASURE);
    return 0;
}

static void compute_shards(const char *experiment, int of)
{
    char arguments[200];
    for (int at = of; at >= 1; at--) {
        snprintf(arguments, sizeof arguments, "compare %s --shard %d/%d -q", experiment, at, of);
        if (run(arguments) != 0)
            fail_msg("%s: exit code %d\n%s", arguments, result.code, result.err);
    }
}

/* Standard output, standard error and exit code of two calls, and what they wrote. */
static void expect_equal(const char *local, const char *gathered, const char *file)
{
    static struct command_result first;
    int code = run(local);
    char *page = file ? read_text(file) : NULL;
    if (file)
        unlink(file);
    first = result;
    assert_int_equal(run(gathered), code);
    assert_string_equal(result.out, first.out);
    assert_string_equal(result.err, first.err);
    if (!file)
        return;
    char *again = read_text(file);
    assert_string_equal(again, page);
    free(page);
    free(again);
}

/* Seconds are what the cache says that nodes cost, so they are equal, too. */
static void gathered_results_are_those_of_one_machine(void **state)
{
    (void)state;
    compute_shards("e.yaml", 3);
    expect_equal("compare e.yaml -q", "compare e.yaml --gather -q", NULL);
    expect_equal("compare e.yaml -q --json", "compare e.yaml --gather shards -q --json", NULL);
    expect_equal("compare e.yaml -q --csv s.csv", "compare e.yaml --gather -q --csv s.csv",
                 "s.csv");
    expect_equal("compare e.yaml -q --html p.html", "compare e.yaml -q --gather --html p.html",
                 "p.html");
    expect_equal("compare e.yaml -q --markdown", "compare e.yaml --gather -q --markdown", NULL);
    contains(result.out, "steep is lower than plain");
}

static void failed_seeds_are_reported_as_by_one_machine(void **state)
{
    (void)state;
    write_text("e.yaml", EXPERIMENT FAILING);
    compute_shards("e.yaml", 4);
    expect_equal("compare e.yaml -q", "compare e.yaml --gather -q", NULL);
    assert_int_equal(result.code, 4);
    contains(result.err, "is left out");
    contains(result.out, "seeds from 5, 16 x 16 cells");
    expect_equal("compare e.yaml -q --json", "compare e.yaml --gather -q --json", NULL);
}

static void seeds_end_where_intervals_are_narrow(void **state)
{
    (void)state;
    write_text("e.yaml",
               "thalweg-experiment: 1\nrecipe: noise.yaml\nbaseline: plain\n"
               "seeds: {from: 5, count: 30, until: {stats.mean: 0.5}}\nmeasure: [stats.mean]\n"
               "variants: {plain: {}, steep: {params: {power: 2}}}\n");
    compute_shards("e.yaml", 3);
    expect_equal("compare e.yaml -q --json", "compare e.yaml --gather -q --json", NULL);
    contains(result.out, "\"narrow\": true");
    unlink("shards/shard-3-of-3.jsonl"); /* beyond the end */
    expect_equal("compare e.yaml -q --json", "compare e.yaml --gather -q --json", NULL);
}

/* Another division, other folders, more shards than seeds; what overlaps counts once. */
static void divisions_may_mix(void **state)
{
    (void)state;
    compute_shards("e.yaml", 2);
    assert_int_equal(run("compare e.yaml --shard 13/17 -o more -q"), 0);
    assert_int_equal(run("compare e.yaml --shard 3/3 -o more -q"), 0);
    assert_int_equal(run("compare e.yaml --shard 1/17 -o more -q"), 0);
    unlink("shards/shard-2-of-2.jsonl");
    assert_int_equal(run("compare e.yaml --shard 4/6 -o more -q"), 0);
    expect_equal("compare e.yaml -q", "compare e.yaml --gather shards more -q", NULL);
    expect_equal("compare e.yaml -q --seeds 4", "compare e.yaml --gather --seeds 4 -q", NULL);
}

static void missing_shards_are_named(void **state)
{
    (void)state;
    compute_shards("e.yaml", 5);
    unlink("shards/shard-2-of-5.jsonl");
    unlink("shards/shard-5-of-5.jsonl");
    assert_int_equal(run("compare e.yaml --gather -q --csv s.csv"), 3);
    contains(result.err, "5 of 11 seeds are missing: number 3 to 4, 9 to 11");
    contains(result.err, "shard 2, 5 of 5");
    assert_false(exists("s.csv"));
    assert_int_equal(run("compare e.yaml --gather empty -q"), 3);
    contains(result.err, "empty");
    mkdir("empty", 0777);
    assert_int_equal(run("compare e.yaml --gather empty -q"), 3);
    contains(result.err, "no shard is there");
}

#define CELLS                                                                                      \
    "thalweg-experiment: 1\nrecipe: cell.yaml\nseeds: {from: 5, count: 60}\n"                      \
    "measure: [height.mean]\nvariants: {plain: {}}\n"

/* The first few of many. */
static void many_missing_shards_are_counted(void **state)
{
    static const int there[] = {2, 4, 6, 8, 10, 12, 60};
    char arguments[100];
    (void)state;
    write_text("cell.yaml", "thalweg: 1\nsize: 1\nnodes: {a: {type: noise.midpoint}}\n"
                            "outputs: {height: a}\n");
    write_text("cells.yaml", CELLS);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
        snprintf(arguments, sizeof arguments, "compare cells.yaml --shard %d/60 -q", there[i]);
        assert_int_equal(run(arguments), 0);
    }
    assert_int_equal(run("compare cells.yaml --gather -q"), 3);
    assert_string_equal(
        result.err, "error: 53 of 60 seeds are missing: number 1 to 1, 3 to 3, 5 to 5, 7 to 7, "
                    "9 to 9 and more\n    not there, or not all of it: shard 1, 3, 5, 7, 9, 11, "
                    "13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26 and 33 more of 60\n");
    assert_int_equal(run("compare cells.yaml --shard 1/2 -q"), 0);
    assert_int_equal(run("compare cells.yaml --gather -q"), 3);
    assert_string_equal(result.err, "error: 29 of 60 seeds are missing: number 31 to 59\n");
}

/* With seeds of a run that no shard can compute nothing is compared. */
static void seeds_that_all_failed_are_no_result(void **state)
{
    (void)state;
    write_text("e.yaml", EXPERIMENT "measure: [stats.deviation, {odd: 1 / (stats.deviation - "
                                    "stats.deviation)}]\n");
    for (int at = 1; at <= 2; at++)
        run(at == 1 ? "compare e.yaml --shard 1/2 -q" : "compare e.yaml --shard 2/2 -q");
    expect_equal("compare e.yaml -q", "compare e.yaml --gather -q", NULL);
    assert_int_equal(result.code, 4);
    assert_string_equal(result.out, "");
}

static void shards_that_are_there_are_not_computed_again(void **state)
{
    struct stat before, after;
    (void)state;
    assert_int_equal(run("compare e.yaml --shard 2/3"), 0);
    assert_string_equal(result.out, "shards/shard-2-of-3.jsonl\n");
    assert_int_equal(stat("shards/shard-2-of-3.jsonl", &before), 0);
    write_text("shards/shard-2-of-3.jsonl.99-0.tmp", ""); /* of one that was killed meanwhile */
    assert_int_equal(run("compare e.yaml --shard 2/3 --json"), 0);
    contains(result.out, "\"computed\": 0");
    assert_int_equal(stat("shards/shard-2-of-3.jsonl", &after), 0);
    assert_true(before.st_ino == after.st_ino);
    assert_false(exists("shards/shard-2-of-3.jsonl.99-0.tmp"));
    edit("noise.yaml", "frequency: 2", "frequency: 3");
    assert_int_equal(run("compare e.yaml --shard 2/3 --json"), 0);
    contains(result.out, "\"computed\": 4");
}

/* Seeds 0 to 2, 3 to 6 and 7 to 10 are those of three shards, 0 to 4 and 5 to 10 those of two. A
 * file under another's name is not that shard's, also where one end of its seeds is. */
static void shards_under_the_name_of_another_are_computed(void **state)
{
    static const struct {
        const char *first, *from, *to, *then, *computed;
    } rows[] = {
        {"1/2", "shards/shard-1-of-2.jsonl", "shards/shard-1-of-3.jsonl", "1/3", "\"computed\": 3"},
        {"2/2", "shards/shard-2-of-2.jsonl", "shards/shard-3-of-3.jsonl", "3/3", "\"computed\": 4"},
        {"1/3", "shards/shard-1-of-3.jsonl", "shards/shard-2-of-3.jsonl", "2/3", "\"computed\": 4"},
    };
    char arguments[100];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(arguments, sizeof arguments, "compare e.yaml --shard %s -q", rows[i].first);
        assert_int_equal(run(arguments), 0);
        assert_int_equal(rename(rows[i].from, rows[i].to), 0);
        snprintf(arguments, sizeof arguments, "compare e.yaml --shard %s --json", rows[i].then);
        assert_int_equal(run(arguments), 0);
        contains(result.out, rows[i].computed);
    }
}

/* Goals and assertions decide no sample. */
static void shards_of_something_else_are_refused(void **state)
{
    (void)state;
    compute_shards("e.yaml", 2);
    write_text("e.yaml", EXPERIMENT MEASURE "goal: {stats.mean: up}\n");
    assert_int_equal(run("compare e.yaml --gather -q"), 0);
    assert_int_equal(run("compare e.yaml --gather -q --size 17"), 3);
    contains(result.err, "shard-");
    contains(result.err, ".jsonl: its size is 16 x 16; expected 17 x 17\n");
    edit("e.yaml", "from: 5", "from: 6");
    assert_int_equal(run("compare e.yaml --gather -q"), 3);
    contains(result.err, "the first seed of its experiment is 5; expected 6\n");
    edit("e.yaml", "from: 6", "from: 5");
    edit("e.yaml", "{plain: {}, ", "{plain: {}, other: {}, ");
    assert_int_equal(run("compare e.yaml --gather -q"), 3);
    contains(result.err, "its experiment has 2 variants; expected 3\n");
    edit("e.yaml", "other: {}, ", "");
    edit("e.yaml", ", {sum: stats.mean + stats.deviation}", "");
    assert_int_equal(run("compare e.yaml --gather -q"), 3);
    contains(result.err, "its experiment has 3 measures; expected 2\n");
    write_text("e.yaml", EXPERIMENT MEASURE);
    edit("e.yaml", "power: 2", "power: 3");
    assert_int_equal(run("compare e.yaml --gather -q"), 3);
    contains(result.err, "of another experiment");
    write_text("e.yaml", EXPERIMENT MEASURE);
    edit("noise.yaml", "frequency: 2", "frequency: 3");
    assert_int_equal(run("compare e.yaml --gather -q"), 3);
    edit("noise.yaml", "frequency: 3", "frequency: 2");
    assert_int_equal(run("compare e.yaml --gather -q"), 0);
    edit("shards/shard-1-of-2.jsonl", TW_VERSION, "0.0.7");
    assert_int_equal(run("compare e.yaml --gather -q"), 3);
    contains(result.err, "of another version");
    write_text("shards/shard-1-of-2.jsonl", "{\"format\": \"thalweg.lock/1\"}\n");
    assert_int_equal(run("compare e.yaml --gather -q"), 3);
    contains(result.err, "expected a shard");
}

/* ---- hostile files ---- */

#define SHARD "shards/shard-2-of-2.jsonl"

static void refused(const char *why)
{
    assert_int_equal(run("compare e.yaml --gather -q"), 3);
    contains(result.err, why);
}

static void damaged_shards_are_refused(void **state)
{
    (void)state;
    compute_shards("e.yaml", 2);
    char *whole = read_text(SHARD);
    size_t length = strlen(whole);
    for (size_t cut = 0; cut < length; cut += length / 7 + 1) {
        command_write(SHARD, whole, cut);
        refused(cut == 0 ? "expected a shard" : "shard-2-of-2.jsonl");
    }
    write_text(SHARD, whole);
    edit(SHARD, "\"samples\":[", "\"samples\":[1");
    refused("damaged or not whole");
    write_text(SHARD, whole);
    edit(SHARD, "\"end\"", " \"end\"");
    assert_int_equal(run("compare e.yaml --gather -q"), 0); /* the digest is of what is before */
    command_write(SHARD, whole, length - 1);
    refused("damaged or not whole");
    free(whole);
}

/* Rows that are what their digest says, and no rows of this experiment. */
static void forge(const char *head, const char *first, const char *rows)
{
    char text[4000], hex[65];
    int length = snprintf(text, sizeof text, "%s%s\n%s", head, first, rows);
    struct tw_sha256 digest = tw_sha256_of(text, (size_t)length);
    tw_hex(digest.at, sizeof digest.at, hex);
    snprintf(text + length, sizeof text - (size_t)length, "{\"end\":6,\"sha256\":\"%s\"}\n", hex);
    write_text(SHARD, text);
}

static void forged_rows_are_refused(void **state)
{
    static const char *const firsts[] = {
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5,6],\"seconds\":[0,0]}", /* as it should be */
        "{\"seed\":\"11\",\"samples\":[1,2,3,4,5,6],\"seconds\":[0,0]}",
        "{\"seed\":10,\"samples\":[1,2,3,4,5,6],\"seconds\":[0,0]}",
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5],\"seconds\":[0,0]}",
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5,6,7],\"seconds\":[0,0]}",
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5,\"6\"],\"seconds\":[0,0]}",
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5,null],\"seconds\":[0,0]}",
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5,1e999],\"seconds\":[0,0]}",
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5,1.01e150],\"seconds\":[0,0]}",
        "{\"seed\":\"10\",\"samples\":[-1.01e150,2,3,4,5,6],\"seconds\":[0,0]}",
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5,6],\"seconds\":[0,-1]}",
        "{\"seed\":\"10\",\"samples\":[1,2,3,4,5,6],\"seconds\":[0,1e12]}",
        "{\"seed\":\"10\",\"seed\":\"10\",\"samples\":[1,2,3,4,5,6],\"seconds\":[0,0]}",
        ("{\"seed\":\"10\",\"failed\":{\"variant\":\"none\",\"limit\":false,\"file\":\"\","
         "\"line\":0,\"column\":0,\"path\":\"\",\"message\":\"\"}}"),
        ("{\"seed\":\"10\",\"failed\":{\"variant\":null,\"limit\":0,\"file\":\"\","
         "\"line\":-1,\"column\":0,\"path\":\"\",\"message\":\"\"}}"),
        "[]",
        "null",
    };
    char head[400], rows[2000] = "";
    (void)state;
    compute_shards("e.yaml", 2);
    char *whole = read_text(SHARD);
    snprintf(head, sizeof head, "%.*s\n", (int)strcspn(whole, "\n"), whole);
    for (int seed = 11; seed <= 15; seed++)
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows),
                 "{\"seed\":\"%d\",\"samples\":[1,2,3,4,5,6],\"seconds\":[0,0]}\n", seed);
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        forge(head, firsts[i], rows);
        if (i == 0)
            assert_int_equal(run("compare e.yaml --gather -q"), 0);
        else
            refused("not that of a seed");
    }
    edit(SHARD, "\"to\":11", "\"to\":99999999999");
    refused("its header is damaged");
    edit(SHARD, "\"to\":99999999999", "\"to\":2");
    refused("its header is damaged");
    free(whole);
}

/* A terminal's commands in a failure's text do not reach the terminal. */
static void texts_of_failures_are_cleaned(void **state)
{
    char head[400], rows[2000] = "";
    (void)state;
    compute_shards("e.yaml", 2);
    char *whole = read_text(SHARD);
    snprintf(head, sizeof head, "%.*s\n", (int)strcspn(whole, "\n"), whole);
    for (int seed = 11; seed <= 15; seed++)
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows),
                 "{\"seed\":\"%d\",\"samples\":[1,2,3,4,5,6],\"seconds\":[0,0]}\n", seed);
    forge(head,
          "{\"seed\":\"10\",\"failed\":{\"variant\":\"steep\",\"limit\":false,\"file\":\"\","
          "\"line\":0,\"column\":0,\"path\":\"\",\"message\":\"\\u001b[2Jgone\"}}",
          rows);
    assert_int_equal(run("compare e.yaml --gather -q"), 4);
    contains(result.err, "?[2Jgone");
    contains(result.err, "variant steep alone: thalweg run");
    lacks(result.err, "\033");
    free(whole);
}

/* ---- the command line ---- */

static void mistakes_are_reported(void **state)
{
    static const char *const rows[][2] = {
        {"compare e.yaml --shard 0/3", "expected I/N"},
        {"compare e.yaml --shard 4/3", "expected I/N"},
        {"compare e.yaml --shard 2", "expected I/N"},
        {"compare e.yaml --shard 1/2x", "expected I/N"},
        {"compare e.yaml --shard 1/9999999", "expected I/N"},
        {"compare e.yaml --shard 1/2 --html p.html", "no report"},
        {"compare e.yaml --shard 1/2 --gather", "exclude each other"},
        {"compare e.yaml shards", "--gather"},
        {"compare t.yaml --shard 1/2", "only tunes"},
    };
    (void)state;
    write_text("t.yaml", "thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: {count: 2}\n"
                         "measure: [stats.mean]\n"
                         "tune: {params: {power: [1, 2]}, goal: {stats.mean: 1}, budget: 4}\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(run(rows[i][0]), 2);
        contains(result.err, rows[i][1]);
    }
    write_text("shards", "a file");
    assert_int_equal(run("compare e.yaml --shard 1/2 -q"), 75);
    contains(result.err, "shards");
}

static void recipes_are_shared_out_in_turn(void **state)
{
    (void)state;
    write_recipe("a.yaml", 8, "");
    write_recipe("b.yaml", 9, "");
    write_recipe("c.yaml", 10, "");
    assert_int_equal(run("run a.yaml b.yaml c.yaml --shard 1/2 -o {recipe} -q"), 0);
    assert_true(exists("a/height.png") && exists("c/height.png") && !exists("b"));
    assert_int_equal(run("run a.yaml b.yaml c.yaml --shard 2/2 -o {recipe} -q"), 0);
    assert_true(exists("b/height.png"));
    assert_int_equal(run("run a.yaml --shard 2/2 --json"), 0);
    contains(result.out, "\"recipes\": []");
    assert_int_equal(run("lock a.yaml b.yaml c.yaml -q"), 0);
    edit("b.yaml", "talus: 9", "talus: 4");
    assert_int_equal(run("verify a.yaml b.yaml c.yaml --shard 1/2 -q"), 0);
    assert_int_equal(run("verify a.yaml b.yaml c.yaml --shard 2/2 -q"), 1);
    assert_int_equal(run("verify a.yaml --shard 2/2 --json"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, prepare, command_tear_down)
        TEST(gathered_results_are_those_of_one_machine),
        TEST(failed_seeds_are_reported_as_by_one_machine),
        TEST(seeds_end_where_intervals_are_narrow),
        TEST(divisions_may_mix),
        TEST(missing_shards_are_named),
        TEST(many_missing_shards_are_counted),
        TEST(seeds_that_all_failed_are_no_result),
        TEST(shards_that_are_there_are_not_computed_again),
        TEST(shards_under_the_name_of_another_are_computed),
        TEST(shards_of_something_else_are_refused),
        TEST(damaged_shards_are_refused),
        TEST(forged_rows_are_refused),
        TEST(texts_of_failures_are_cleaned),
        TEST(mistakes_are_reported),
        TEST(recipes_are_shared_out_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
