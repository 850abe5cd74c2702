/* SPDX-License-Identifier: MIT */
/* Every experiment in docs/experiments.md runs as it is written, on a small map. */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct command_result result;

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 18) - 1, file);
    assert_true(length > 0 && feof(file));
    fclose(file);
    return text;
}

static int prepare(void **state)
{
    (void)state;
    command_enter();
    assert_int_equal(mkdir("graphs", 0777), 0);
    char *recipe = read_text(TW_GRAPHS "/olsen-hills.yaml");
    command_write("graphs/olsen-hills.yaml", recipe, strlen(recipe));
    free(recipe);
    return 0;
}

/* A block, up to its fence. */
static void run_block(const char *block, size_t length, int number)
{
    char *text = strndup(block, length);
    assert_non_null(text);
    command_write("experiment.yaml", text, length);
    command_run("compare experiment.yaml -q --size 48 --seeds 2 --cache-dir cache", &result);
    /* an assertion of 20 seeds on a larger map may not hold */
    if (result.code != 0 && !(result.code == 1 && strstr(text, "assert:")))
        fail_msg("block %d: exit code %d\n%s\n%s", number, result.code, text, result.err);
    free(text);
}

static void every_experiment_of_the_page_runs(void **state)
{
    static const char open[] = "```yaml\nthalweg-experiment:";
    char *page = read_text(TW_DOCS "/experiments.md");
    int count = 0;
    (void)state;
    for (const char *at = strstr(page, open); at; at = strstr(at, open)) {
        at += strlen("```yaml\n");
        const char *end = strstr(at, "```");
        assert_non_null(end);
        run_block(at, (size_t)(end - at), ++count);
    }
    assert_true(count >= 2);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_experiment_of_the_page_runs)};
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
