/* SPDX-License-Identifier: MIT */
/* The rules of docs/build-systems.md, run by Make, Ninja and CMake: they build, then nothing, and
 * again after a change to a file that the recipe reads. */
#include "support/gate.h"

/* Writes the page's block of a language to a file. */
static void take_block(const char *language, const char *name)
{
    char fence[40];
    unsigned char *page = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read(TW_DOCS "/build-systems.md", 1 << 20, &page, &length, NULL),
                     TW_OK);
    snprintf(fence, sizeof fence, "\n```%s\n", language);
    char *begin = strstr((char *)page, fence);
    assert_non_null(begin);
    begin += strlen(fence);
    char *end = strstr(begin, "\n```\n");
    assert_non_null(end);
    command_write(name, begin, (size_t)(end + 1 - begin));
    free(page);
}

static void write_recipes(void)
{
    static const char text[] = "thalweg: 1\nsize: 16\nnodes:\n  n: {type: noise.perlin}\n"
                               "  p: {type: ./a b.yaml, land: n}\noutputs: {h: p.out}\n"
                               "export: {height.png: {from: h, range: [-4, 4]}}\n";
    write_text("hills.yaml", text);
    write_text("islands.yaml", text);
    write_text("a b.yaml", "thalweg: 1\ninputs: {land: heightmap}\n"
                           "nodes: {n: {type: shape.invert, in: land}}\noutputs: {out: n}\n");
}

/* Runs a command of the shell and returns how often thalweg ran in it. */
static int count_runs(const char *command)
{
    char line[600];
    unlink("runs.log");
    snprintf(line, sizeof line, "XDG_CACHE_HOME=$PWD/cache PATH=\"$PWD/bin:$PATH\" %s >log 2>&1",
             command);
    if (system(line) != 0) {
        char *log = read_text("log");
        fail_msg("%s:\n%s", command, log);
    }
    int runs = 0;
    FILE *file = fopen("runs.log", "r");
    for (int c; file && (c = fgetc(file)) != EOF;)
        runs += c == '\n';
    if (file)
        fclose(file);
    return runs;
}

/* A thalweg that notes each of its runs. */
static void write_command(void)
{
    char text[600], top[300];
    assert_non_null(getcwd(top, sizeof top));
    snprintf(text, sizeof text, "#!/bin/sh\necho run >> '%s/runs.log'\nexec '%s' \"$@\"\n", top,
             TW_COMMAND);
    assert_int_equal(system("mkdir bin"), 0);
    write_text("bin/thalweg", text);
    assert_int_equal(system("chmod +x bin/thalweg"), 0);
}

/* Makes a file newer than all that exist, whatever the clock's steps are. */
static void touch(const char *name)
{
    char line[200];
    snprintf(line, sizeof line, "touch -d '+2 seconds' '%s'", name);
    assert_int_equal(system(line), 0);
}

static void builds_again_after_changes_only(const char *build, int outputs)
{
    write_recipes();
    write_command();
    assert_int_equal(count_runs(build), outputs);
    assert_int_equal(count_runs(build), 0);
    write_text("a b.yaml", "thalweg: 1\ninputs: {land: heightmap}\n"
                           "nodes: {n: {type: shape.invert, in: land, high: 2}}\n"
                           "outputs: {out: n}\n");
    touch("a b.yaml");
    assert_int_equal(count_runs(build), outputs);
}

static void make_builds(void **state)
{
    (void)state;
    take_block("make", "Makefile");
    builds_again_after_changes_only("make", 2);
    assert_true(exists("out/hills/height.png") && exists("out/islands/height.png"));
}

static void ninja_builds(void **state)
{
    (void)state;
    take_block("ninja", "build.ninja");
    builds_again_after_changes_only("ninja", 1);
    assert_true(exists("out/hills/height.png"));
}

static void cmake_builds(void **state)
{
    (void)state;
    take_block("cmake", "CMakeLists.txt");
    builds_again_after_changes_only("sh -c 'cmake -G Ninja -S . -B b && cmake --build b'", 1);
    assert_true(exists("b/hills/height.png"));
}

static void cmake_builds_with_make(void **state)
{
    (void)state;
    take_block("cmake", "CMakeLists.txt");
    builds_again_after_changes_only(
        "sh -c 'cmake -G \"Unix Makefiles\" -S . -B b && cmake --build b'", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {GATE_TEST(make_builds), GATE_TEST(ninja_builds),
                                       GATE_TEST(cmake_builds), GATE_TEST(cmake_builds_with_make)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
