/* SPDX-License-Identifier: MIT */
/* What a run below its memory limit says of values that leave memory on the way: before it, after
 * it, and in JSON, the same numbers. */
#include "support/command.h"
#include "support/harness.h"
#include "support/waiting_maps.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { MAPS = 8, MAP_BYTES = 512 * 512 * 4 };

static struct command_result result;

/* The line that is about memory; NULL for none. */
static const char *memory_line(char *text)
{
    char *line = strstr(text, "\nmemory: ");
    if (!line)
        return NULL;
    line++;
    line[strcspn(line, "\n")] = 0;
    return line;
}

static void check_json(const char *arguments, int values)
{
    command_expect(arguments, 0, &result);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    const json_t *spilled = json_object_get(root, "spilled");
    if (values == 0) {
        assert_true(json_is_null(spilled));
        json_decref(root);
        return;
    }
    static const char *const names[] = {"bytes", "read_bytes", "forecast_bytes",
                                        "forecast_read_bytes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(json_integer_value(json_object_get(spilled, names[i])),
                         values * MAP_BYTES);
    assert_int_equal(json_integer_value(json_object_get(spilled, "values")), values);
    assert_int_equal(json_integer_value(json_object_get(spilled, "forecast_values")), values);
    json_decref(root);
}

static void the_numbers_are_said_before_and_after(void **state)
{
    static const struct {
        int mebibytes, values;
    } rows[] = {{6, 4}, {7, 3}, {8, 2}, {20, 0}};
    char arguments[200], line[300];
    (void)state;
    waiting_maps_write("r.yaml", 512, MAPS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int limit = rows[i].mebibytes, values = rows[i].values;
        snprintf(arguments, sizeof arguments,
                 "run r.yaml -q -j 1 --cache-dir c%d --max-memory %dM --explain --dry-run", limit,
                 limit);
        command_expect(arguments, 0, &result);
        snprintf(line, sizeof line,
                 "memory: %d MiB; up to %d values of %d MiB leave it for the cache folder, %d MiB "
                 "are read back",
                 limit, values, values, values);
        if (values == 0)
            assert_null(memory_line(result.out));
        else
            assert_string_equal(memory_line(result.out), line);
        *strstr(arguments, " --dry-run") = 0;
        command_expect(arguments, 0, &result);
        snprintf(line, sizeof line,
                 "memory: %d MiB; forecast: %d values of %d MiB leave it for the cache folder, %d "
                 "MiB are read back; now %d values of %d MiB, %d MiB read back",
                 limit, values, values, values, values, values, values);
        if (values == 0)
            assert_null(memory_line(result.out));
        else
            assert_string_equal(memory_line(result.out), line);
        snprintf(arguments, sizeof arguments,
                 "run r.yaml -q -j 1 --cache-dir d%d --max-memory %dM --json", limit, limit);
        check_json(arguments, values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_numbers_are_said_before_and_after)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
