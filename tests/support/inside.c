/* SPDX-License-Identifier: MIT */
#include "support/inside.h"

#include "support/harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS = 32 };

int __real_main(int argc, char **argv);

static char messages[1 << 14];

const char *inside_messages(void) { return messages; }

/* Opened once, so that no call comes between arming a fault and the command. */
static struct {
    FILE *errors;
    int none, out, err; /* /dev/null, and the test's own standard output and error */
} files;

static void open_files(void)
{
    if (files.errors)
        return;
    files.errors = tmpfile();
    files.none = open("/dev/null", O_WRONLY | O_CLOEXEC);
    files.out = dup(STDOUT_FILENO);
    files.err = dup(STDERR_FILENO);
    assert_true(files.errors && files.none >= 0 && files.out >= 0 && files.err >= 0);
}

/* Redirects a standard stream to a file. */
static void redirect(FILE *stream, int file)
{
    fflush(stream);
    clearerr(stream);
    assert_true(dup2(file, fileno(stream)) >= 0);
}

int inside_run(const char *arguments)
{
    char text[1024], *list[ARGUMENTS + 2] = {(char[]){"thalweg"}}, *rest = text;
    int count = 1;
    snprintf(text, sizeof text, "%s", arguments);
    while (count <= ARGUMENTS && (list[count] = strtok_r(rest, " ", &rest)))
        count++;
    open_files();
    assert_int_equal(ftruncate(fileno(files.errors), 0), 0);
    rewind(files.errors); /* moves the offset that the copy shares */
    redirect(stdout, files.none);
    redirect(stderr, fileno(files.errors));
    optind = 0; /* restarts getopt() */
    int code = __real_main(count, list);
    redirect(stdout, files.out);
    redirect(stderr, files.err);
    ssize_t length = pread(fileno(files.errors), messages, sizeof messages - 1, 0);
    messages[length > 0 ? length : 0] = 0;
    return code;
}
