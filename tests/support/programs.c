/* SPDX-License-Identifier: MIT */
#include "support/programs.h"

#include <stdio.h>
#include <string.h>

static const struct program *find(const struct program *programs, const char *name)
{
    while (programs->name && strcmp(programs->name, name) != 0)
        programs++;
    return programs->name ? programs : NULL;
}

int run_program(const struct program *programs, int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *own = argc > 0 ? (slash ? slash + 1 : argv[0]) : "";
    const struct program *program = find(programs, own);
    if (!program && argc > 1)
        program = find(programs, argv[1]);
    if (program)
        return program->run();
    fprintf(stderr, "expected one of these as the name or first argument:\n");
    for (; programs->name; programs++)
        fprintf(stderr, "  %s\n", programs->name);
    return 2;
}
