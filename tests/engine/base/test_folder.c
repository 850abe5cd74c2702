/* SPDX-License-Identifier: MIT */
/* A temporary folder is where it should be, and is removed with all that is in it, and nothing
 * outside of it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, NAME = 64 };

static bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static const char *within(const char *folder, const char *name)
{
    static char path[PATH + NAME];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_folder(const char *folder, const char *name)
{
    assert_int_equal(mkdir(within(folder, name), 0700), 0);
}

static void make_file(const char *folder, const char *name)
{
    struct tw_error err = {0};
    assert_int_equal(tw_file_write(within(folder, name), "x", 1, &err), TW_OK);
}

static void a_folder_goes_with_all_that_is_in_it(void **state)
{
    char folder[PATH], outside[PATH];
    struct tw_error err = {0};
    struct stat info;
    (void)state;
    assert_int_equal(tw_file_make_temporary_folder(outside, &err), TW_OK);
    assert_int_equal(tw_file_make_temporary_folder(folder, &err), TW_OK);
    assert_int_equal(stat(folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    make_file(outside, "kept");
    make_folder(folder, "a");
    make_folder(folder, "a/b");
    make_folder(folder, "empty");
    make_file(folder, "one");
    make_file(folder, "two");
    make_file(folder, "a/three");
    make_file(folder, "a/b/four");
    assert_int_equal(symlink(outside, within(folder, "a/away")), 0);
    assert_int_equal(symlink("nowhere", within(folder, "dangling")), 0);
    tw_file_remove_folder(folder);
    assert_false(is_there(folder));
    assert_true(is_there(within(outside, "kept")));
    tw_file_remove_folder(outside);
    assert_false(is_there(outside));
}

/* Below $TMPDIR when that is a path from the root, else below /tmp. */
static void folders_are_where_the_environment_says(void **state)
{
    char outside[PATH], folder[PATH];
    struct tw_error err = {0};
    (void)state;
    unsetenv("TMPDIR");
    assert_int_equal(tw_file_make_temporary_folder(outside, &err), TW_OK);
    assert_int_equal(strncmp(outside, "/tmp/thalweg-", strlen("/tmp/thalweg-")), 0);
    const char *const places[][2] = {{outside, outside}, {"", "/tmp"}, {"t/mp", "/tmp"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t length = strlen(places[i][1]);
        assert_int_equal(setenv("TMPDIR", places[i][0], true), 0);
        assert_int_equal(tw_file_make_temporary_folder(folder, &err), TW_OK);
        assert_int_equal(strncmp(folder, places[i][1], length), 0);
        assert_int_equal(strncmp(folder + length, "/thalweg-", strlen("/thalweg-")), 0);
        tw_file_remove_folder(folder);
    }
    tw_file_remove_folder(outside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_folder_goes_with_all_that_is_in_it),
                                       cmocka_unit_test(folders_are_where_the_environment_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
