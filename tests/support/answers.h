/* SPDX-License-Identifier: MIT */
/* Complete answers of commands, as text and with --json, line by line and number by number, except
 * times, for golden files. */
#ifndef TW_TESTS_SUPPORT_ANSWERS_H
#define TW_TESTS_SUPPORT_ANSWERS_H

#include "support/gate.h"
#include "support/golden.h"

static struct golden golden;
static const char *files; /* content of the files */

/* Prints a text without the path of the test's folder. */
static void put(const char *command, const char *place, const char *text)
{
    char line[400], shown[4000], here[200];
    assert_non_null(getcwd(here, sizeof here - 1));
    strcat(here, "/");
    snprintf(shown, sizeof shown, "%s", text);
    for (char *at; (at = strstr(shown, here));)
        memmove(at, at + strlen(here), strlen(at + strlen(here)) + 1);
    assert_true(strlen(files) + strlen(command) + strlen(place) < 150);
    snprintf(line, sizeof line, "%s: %s | %s | %.230s\n", files, command, place, shown);
    golden_line(&golden, line);
}

/* ---- documents ---- */

/* False for times, and for what the library that packs a file decides: the file's size and digest.
 */
static bool is_steady(const json_t *object, const char *name)
{
    const char *file = json_string_value(json_object_get(object, "file"));
    const char *ending = file ? strrchr(file, '.') : NULL;
    bool packed = ending && strcmp(ending, ".png") == 0;
    return !strstr(name, "seconds") && strcmp(name, "version") != 0 && !strstr(name, "peak") &&
           !(packed && (strcmp(name, "bytes") == 0 ||
                        (strcmp(name, "sha256") == 0 && json_object_get(object, "written"))));
}

static void put_json(const char *command, const char *place, const json_t *value)
{
    char inner[150], *text;
    const char *name;
    const json_t *member;
    size_t i;
    json_object_foreach((json_t *)value, name, member) if (is_steady(value, name))
    {
        snprintf(inner, sizeof inner, "%s.%s", place, name);
        put_json(command, inner, member);
    }
    json_array_foreach(value, i, member)
    {
        snprintf(inner, sizeof inner, "%s[%zu]", place, i);
        put_json(command, inner, member);
    }
    if (json_object_size(value) + json_array_size(value) > 0)
        return;
    text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    assert_non_null(text);
    put(command, place, text);
    free(text);
}

static void put_document(const char *command)
{
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    put_json(command, "", root);
    json_decref(root);
}

/* ---- lines ---- */

/* Prints lines up to those of times, which come last. */
static void put_lines(const char *command)
{
    char place[16];
    int number = 1;
    for (char *line = result.out; *line; number++) {
        char *end = strchr(line, '\n');
        assert_non_null(end);
        *end = 0;
        if (strstr(line, "seconds"))
            return;
        snprintf(place, sizeof place, "%d", number);
        if (!strstr(line, ".png: png, "))
            put(command, place, line);
        line = end + 1;
    }
}

/* ---- commands ---- */

struct row {
    int code;
    const char *command;
    bool text_only;
};

static void put_answers(const struct row *rows)
{
    for (; rows->command; rows++) {
        char command[120];
        if (run(rows->command) != rows->code)
            fail_msg("%s: %d\n%s%s", rows->command, result.code, result.out, result.err);
        put_lines(rows->command);
        if (rows->text_only)
            continue;
        snprintf(command, sizeof command, "%s --json", rows->command);
        assert_int_equal(run(command), rows->code);
        put_document(command);
    }
}

#endif
