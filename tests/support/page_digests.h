/* SPDX-License-Identifier: MIT */
/* Digests of what the command reports of an experiment, for golden files: each section of its page,
 * and its output, without pictures and times. */
#ifndef TW_TESTS_SUPPORT_PAGE_DIGESTS_H
#define TW_TESTS_SUPPORT_PAGE_DIGESTS_H

#include "base/memory/digest.h"
#include "support/command.h"
#include "support/golden.h"
#include "support/harness.h"
#include "support/page.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct golden golden;
static char page[1 << 22];

/* Runs the command with `options`, with output in out.txt. */
static void run(const char *command, const char *options)
{
    char arguments[200];
    snprintf(arguments, sizeof arguments, "%s page.yaml -q --no-cache %s", command, options);
    int code = command_run_into(arguments, "out.txt");
    if (code > 1) /* an assertion may fail */
        fail_msg("exit code %d of %s", code, arguments);
}

static void add_digest(const char *name, const char *id, const char *from, const char *end)
{
    char line[300], hex[33];
    struct tw_digest digest = tw_digest_of(from, (size_t)(end - from));
    tw_hex(digest.at, sizeof digest.at, hex);
    snprintf(line, sizeof line, "%s, %s: %s\n", name, id, hex);
    golden_line(&golden, line);
}

static void add_sections(const char *name)
{
    static const char mark[] = "<section id=\"";
    const char *at = strstr(page, "<body");
    assert_non_null(at);
    for (const char *next; at; at = next) {
        char id[40] = "head";
        next = strstr(at + 1, mark);
        if (strncmp(at, mark, sizeof mark - 1) == 0)
            snprintf(id, sizeof id, "%.*s", (int)strcspn(at + sizeof mark - 1, "\""),
                     at + sizeof mark - 1);
        if (strcmp(id, "times") != 0) /* it shows seconds */
            add_digest(name, id, at, next ? next : at + strlen(at));
    }
}

/* Removes from a text the path of the test's folder, and numbers of seconds, in JSON and from the
 * last table on. */
static void remove_what_varies(char *text)
{
    static const char key[] = "\"seconds\": ";
    char here[256], *table = strstr(text, "seconds a run\n");
    assert_non_null(getcwd(here, sizeof here));
    if (table)
        *table = 0;
    for (char *at = text; (at = strstr(at, here));)
        memmove(at, at + strlen(here), strlen(at + strlen(here)) + 1);
    for (char *at = text; (at = strstr(at, key));) {
        at += sizeof key - 1;
        const char *end = at + strcspn(at, ",\n");
        memmove(at, end, strlen(end) + 1);
    }
}

/* Adds a digest of the command's output with these options. */
static void add_text(const char *name, const char *command, const char *options, const char *file)
{
    run(command, options);
    page_read(file, page, sizeof page);
    remove_what_varies(page);
    add_digest(name, *options ? options : "table", page, page + strlen(page));
}

/* Adds digests of the sections of the page of experiment `text`. */
static void add_page(const char *name, const char *command, const char *text)
{
    command_write("page.yaml", text, strlen(text));
    run(command, "--html page.html");
    page_read("page.html", page, sizeof page);
    remove_what_varies(page);
    add_sections(name);
}

#endif
