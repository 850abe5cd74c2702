/* SPDX-License-Identifier: MIT */
/* Shared by the tests of lock, verify and diff: a small recipe, the command and its files. */
#ifndef TW_TESTS_SUPPORT_GATE_H
#define TW_TESTS_SUPPORT_GATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/os/file.h"
#include "support/command.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct command_result result; /* of the last run() */

static inline void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

/* noise -> eroded, and a branch that never changes; `extra` adds lines. */
static inline void write_recipe(const char *name, int talus, const char *extra)
{
    char text[1500];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 64\nseed: 5\nnodes:\n"
             "  noise:  {type: noise.perlin, frequency: 4}\n"
             "  side:   {type: noise.ridged}\n"
             "  eroded: {type: erosion.thermal, in: noise, talus: %d, iterations: 20}\n"
             "  score:  {type: measure.score, in: eroded}\n"
             "  shade:  {type: render.hillshade, in: eroded}\n"
             "%s"
             "outputs: {height: eroded, score: score, side: side}\n"
             "export: {height.png: {from: height, range: [-1, 2]}, shade.png: shade,\n"
             "         all.json: score}\n",
             talus, extra);
    write_text(name, text);
}

static inline int run(const char *arguments)
{
    command_run(arguments, &result);
    return result.code;
}

static inline void contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("there is no '%s' in:\n%s", part, text);
}

static inline void lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("there is '%s' in:\n%s", part, text);
}

static inline char *read_text(const char *name)
{
    unsigned char *data = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read(name, 1 << 22, &data, &length, NULL), TW_OK);
    return (char *)data;
}

static inline bool exists(const char *name)
{
    struct tw_file_id id;
    return tw_file_identify(name, true, &id, NULL) == TW_OK && id.exists;
}

/* Replaces the first `from` of a file. */
static inline void edit(const char *name, const char *from, const char *to)
{
    char *text = read_text(name);
    contains(text, from);
    int before = 0;
    while (strncmp(text + before, from, strlen(from)) != 0)
        before++;
    size_t size = strlen(text) + strlen(to) + 1;
    char *edited = malloc(size);
    snprintf(edited, size, "%.*s%s%s", before, text, to, text + before + strlen(from));
    write_text(name, edited);
    free(edited);
    free(text);
}

static inline int begin(void **state)
{
    unsetenv("CI");
    command_set_up(state);
    write_recipe("hills.yaml", 8, "");
    return 0;
}

/* A test in a folder with hills.yaml, outside CI. */
#define GATE_TEST(test) cmocka_unit_test_setup_teardown(test, begin, command_tear_down)

#endif
