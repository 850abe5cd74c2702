/* SPDX-License-Identifier: MIT */
/* A project of forty recipes in the test's folder, as a studio has them. */
#ifndef TW_TESTS_SUPPORT_PROJECT_H
#define TW_TESTS_SUPPORT_PROJECT_H

#include "support/gate.h"

#include <sys/stat.h>

enum { LEVELS = 40 };

#define PROJECT                                                                                    \
    "thalweg-project: 1\nrecipes: [levels/**/terrain.yaml]\nexclude: [levels/scratch/*]\n"         \
    "out: out/{folder}\n"

static inline void write_level(const char *folder, int talus)
{
    char path[80], text[600];
    snprintf(path, sizeof path, "%s/terrain.yaml", folder);
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 32\nseed: 5\nnodes:\n"
             "  noise:  {type: noise.perlin, frequency: 4}\n"
             "  eroded: {type: erosion.thermal, in: noise, talus: %d, iterations: 3}\n"
             "outputs: {height: eroded, rough: noise}\n"
             "export: {height.png: {from: height, range: [-1, 2]}, rough.npy: rough}\n",
             talus);
    write_text(path, text);
}

/* levels/00 to levels/39, one of them in a folder of its own kind, and one to leave out. */
static inline void write_project(void)
{
    char folder[40];
    mkdir("levels", 0777);
    for (int i = 0; i < LEVELS; i++) {
        snprintf(folder, sizeof folder, "levels/%02d", i);
        mkdir(folder, 0777);
        write_level(folder, 1 + i);
    }
    mkdir("levels/scratch", 0777);
    mkdir("levels/scratch/x", 0777);
    write_level("levels/scratch/x", 1);
    write_text("thalweg-project.yaml", PROJECT);
}

/* The last line of what was printed. */
static inline const char *last_line(char *text)
{
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '\n')
        text[--length] = 0;
    char *line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

static inline int begin_project(void **state)
{
    unsetenv("CI");
    command_set_up(state);
    write_project();
    return 0;
}

#define PROJECT_TEST(test) cmocka_unit_test_setup_teardown(test, begin_project, command_tear_down)

#endif
