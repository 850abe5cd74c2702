/* SPDX-License-Identifier: MIT */
/* A disk with less room than the exports take at the least, before anything is computed. The disk's
 * answer is the test's own: --wrap=statvfs. */
#include "support/gate.h"

#include "runner/runner.h"

#include <sys/statvfs.h>

static uint64_t free_bytes;
static bool unknown;

int __wrap_statvfs(const char *path, struct statvfs *disk);

int __wrap_statvfs(const char *path, struct statvfs *disk)
{
    (void)path;
    memset(disk, 0, sizeof *disk);
    disk->f_frsize = 1;
    disk->f_bavail = free_bytes;
    return unknown ? -1 : 0;
}

static enum tw_status check_with(const char *export, uint64_t bytes, struct tw_error *error)
{
    char text[400];
    const struct tw_run_options none = {.threads = 1};
    const struct tw_run_request request = {.options = &none, .export_folder = "out/new"};
    struct tw_recipe *recipe = NULL;
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 512\nnodes:\n  n: {type: noise.perlin}\noutputs: {n: n}\n"
             "export: {%s}\n",
             export);
    free_bytes = bytes;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "test", NULL, &recipe, NULL), TW_OK);
    enum tw_status status = tw_run_check(recipe, &request, error);
    tw_recipe_release(recipe);
    return status;
}

/* 512 x 512 cells: 3 bytes a cell at least, 2 in .r16. */
static void too_little_room_is_an_error(void **state)
{
    struct tw_error error;
    (void)state;
    assert_int_equal(check_with("a.npy: n", 3 * 512 * 512 - 1, &error), TW_IO);
    assert_string_equal(error.message, "the exports take at least 1 MiB; the disk of out/new has "
                                       "0 MiB left");
    assert_int_equal(check_with("a.npy: n", 3 * 512 * 512, &error), TW_OK);
    assert_int_equal(check_with("a.npy: n, b.npy: n", 3 * 512 * 512, &error), TW_IO);
    assert_int_equal(check_with("a.r16: {from: n, clip: true}", 2 * 512 * 512 - 1, &error), TW_IO);
    assert_int_equal(check_with("a.png: {from: n, clip: true}", 0, &error), TW_OK); /* not known */
}

/* A file that is there may be right already, and a disk that says nothing may be large. */
static void what_may_succeed_is_not_refused(void **state)
{
    struct tw_error error;
    (void)state;
    assert_int_equal(system("mkdir -p out/new && touch out/new/a.npy"), 0);
    assert_int_equal(check_with("a.npy: n", 0, &error), TW_OK);
    unknown = true;
    assert_int_equal(check_with("b.npy: n", 0, &error), TW_OK);
    unknown = false;
    assert_int_equal(check_with("b.npy: n", 0, &error), TW_IO);
}

static void a_folder_is_no_file(void **state)
{
    struct tw_error error;
    (void)state;
    assert_int_equal(system("mkdir -p out/new/a.npy"), 0);
    assert_int_equal(check_with("a.npy: n", 3 * 512 * 512, &error), TW_IO);
    assert_string_equal(error.message, "cannot write out/new/a.npy: Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(too_little_room_is_an_error),
        GATE_TEST(what_may_succeed_is_not_refused),
        GATE_TEST(a_folder_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
