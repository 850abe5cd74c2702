/* SPDX-License-Identifier: MIT */
/* Commands about experiments without memory, as in test_faults.c. */
#include "support/command.h"
#include "support/folder.h"
#include "support/inside.h"
#include "support/starved.h"
#include "support/starved_command.h"

#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_END "</html>\n"

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

static void start_without_report(void)
{
    folder_remove("report.html");
    folder_remove("table.csv");
}

static void check_report(bool done)
{
    starved_command_check_file("report.html", PAGE_END, done);
    starved_command_check_file("table.csv", "\n", done);
}

static void start_without_page(void) { folder_remove("page.html"); }
static void check_page(bool done) { starved_command_check_file("page.html", PAGE_END, done); }

/* To two pairs: the page says of which experiment. */
static void write_answers(void)
{
    unsigned char *page = NULL;
    char text[1000];
    size_t length = 0;
    starved_command_expect("judge experiment.yaml -q --html page.html --pairs 2 --cache-dir cache");
    assert_int_equal(tw_file_read("page.html", 1 << 24, &page, &length, NULL), TW_OK);
    const char *begin = strstr((const char *)page, "\"identity\"");
    assert_non_null(begin);
    snprintf(text, sizeof text,
             "{\"format\": \"thalweg.answers/1\", %.*s\"answers\": [\"left\", \"tie\"]}",
             (int)(strstr(begin, "\"pairs\"") - begin), begin);
    write_text("answers.json", text);
    free(page);
}

static void write_plans(void)
{
#define PLAN "thalweg-experiment: 1\nrecipe: recipe.yaml\nseeds: [1]\nmeasure: [facts.mean]\n"
    write_text("plans.yaml", PLAN "matrix: {talus: [4, 8], share: {from: 0, to: 1}, "
                                  "draws: {sobol: 2}}\n"
                                  "sensitivity: {params: {talus: [2, 9]}, morris: 2, curves: 2}\n");
    write_text("tune.yaml", PLAN "tune: {params: {talus: [2, 9]}, goal: {facts.mean: 0.5}, "
                                 "budget: 3}\n");
}

/* ---- samples of shards ---- */

static void start_without_shards(void) { folder_remove("shards"); }

/* A shard is whole or not there, and says what the first one said. */
static void check_shard(bool done)
{
    static struct tw_sha256 expected;
    static bool known;
    struct tw_sha256 digest;
    uint64_t length;
    bool there =
        tw_file_sha256("shards/shard-1-of-2.jsonl", 1 << 20, &digest, &length, NULL) == TW_OK;
    assert_true(there || !done);
    if (there && known)
        assert_memory_equal(&digest, &expected, sizeof digest);
    known |= there;
    if (there)
        expected = digest;
}

/* Nothing that gathers them writes them. */
static void write_shards(void)
{
    starved_command_expect("compare experiment.yaml --shard 1/2 -q -o both --no-cache");
    starved_command_expect("compare experiment.yaml --shard 2/2 -q -o both --no-cache");
}

/* ---- tests ---- */

static void comparisons_end_with_a_message(void **state)
{
    static const struct starved_command commands[] = {
        {40, "compare experiment.yaml -q --html report.html --csv table.csv --no-cache",
         start_without_report, check_report},
        {10, "compare experiment.yaml --shard 1/2 -q --cache-dir cache", start_without_shards,
         check_shard},
        {10, "compare experiment.yaml --gather both -q --json --html report.html --csv table.csv",
         start_without_report, check_report},
        {6, "compare plans.yaml -q --json --html page.html --cache-dir cache", start_without_page,
         check_page},
        {10, "compare tune.yaml -q --json --cache-dir cache", NULL, NULL},
    };
    (void)state;
    write_plans();
    write_shards();
    starved_commands_try(commands, sizeof commands / sizeof *commands);
}

static void judgements_end_with_a_message(void **state)
{
    static const struct starved_command commands[] = {
        {10, "judge experiment.yaml -q --html page.html --pairs 2 --cache-dir cache",
         start_without_page, check_page},
        {10, "judge experiment.yaml --answers answers.json --json --cache-dir cache", NULL, NULL},
    };
    (void)state;
    write_answers();
    starved_commands_try(commands, sizeof commands / sizeof *commands);
}

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_end_with_a_message),
        cmocka_unit_test(judgements_end_with_a_message),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all without it */
    int failed = cmocka_run_group_tests(tests, starved_set_up, command_tear_down);
    print_message("%ld allocations failed\n", starved_points);
    return failed;
}
